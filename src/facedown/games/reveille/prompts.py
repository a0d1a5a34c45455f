"""Prompts of Reveille: the question to a player, and the places and buttons from which the player chooses.

A prompt also has the reasons why other places and buttons cannot be chosen now. In the code, a touch is the choice of a
place or button, and a refusal is such a reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facedown.core.grammar import acting_seats, in_words, player_phrase
from facedown.core.state import RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Choice, Refusals, Sitter, TouchStep
from facedown.core.table_building import choosing_sentence, continue_step
from facedown.games.reveille.action_text import Suit, bone_label, join_bone_labels, led_suit_word
from facedown.games.reveille.cards import NELLO, NUMBERS, TRUMPS, bone_named
from facedown.games.reveille.costly_moves import confirm_claim, confirm_if_costly
from facedown.games.reveille.i18n import N_, _, n_
from facedown.games.reveille.info import AutoEnd, BoneyardPick
from facedown.games.reveille.log import hand_result_sentence, match_result_sentence
from facedown.games.reveille.rules import (
    BID_OFFSET,
    HIGHEST_BID,
    LOWEST_BID,
    RULES,
    STAGE_TWO_SLOT,
    UP_SLOT,
    Act,
    Phase,
    ReveillePosition,
)
from facedown.games.reveille.view import (
    hand,
    led_bone,
    needs_tricks,
    points_needed,
    prize_bone,
    suit_following_bones,
    trick_worth,
    would_win_trick,
)

#: Reasons why no bone can be played, by phase of the hand. In the phases that are missing here, bones can be played.
_NO_TRICK: dict[int, str] = {
    Phase.TURNING_UP: N_("First reveal a bone from the boneyard."),
    Phase.DRAWING: N_("First draw a bone from the boneyard."),
    Phase.AUCTION: N_("Bid or pass first. Play starts once trumps are named."),
    Phase.NAMING: N_("First name trumps, then lead a bone."),
    Phase.SCORING: N_("The hand is over. Continue to the next one."),
}
#: Sentences for a viewer who waits for another player, by phase of the hand.
_WAITING: dict[int, str] = {
    Phase.TURNING_UP: N_("Waiting for {who:you} to reveal a bone."),
    Phase.DRAWING: N_("Waiting for {who:you} to draw a bone."),
    Phase.AUCTION: N_("Waiting for {who:you} to bid."),
    Phase.NAMING: N_("Waiting for {who:you} to name trumps."),
    Phase.SCORING: N_("Waiting for {who:you} to continue."),
}


def refusal(view: View, action: int) -> str:
    """Return the sentence that says why the viewer, who is to act, may not take an action; "" if it is legal."""
    if action in RULES.legal_actions(view, view.viewer):
        return ""
    v = plain_view(view, ReveillePosition)
    kind, number = Act.decode(action)
    if v.phase == Phase.SCORING:
        return _(_NO_TRICK[Phase.SCORING])
    match kind:
        case Act.PLAY:
            return _play_refusal(v, number)
        case Act.PASS | Act.BID:
            return _bid_refusal(v, LOWEST_BID + number)
        case Act.TRUMP | Act.NELLO:
            return _contract_naming_refusal(v, kind)
        case Act.CLAIM:
            return _claim_bid_reached_refusal(v)
        case Act.PICK:
            return _boneyard_pick_refusal(v)
    return _("The hand is not over yet.")


# --- actions ----------------------------------------------------------------------------------------------------------


def _play_refusal(v: ReveillePosition, bone: int) -> str:
    """Return the sentence that says why the viewer, who is to act, may not play a bone; "" if it may be played."""
    if v.phase in _NO_TRICK:
        return _(_NO_TRICK[v.phase])
    if bone not in hand(v, v.viewer):
        return _missing_bone_refusal(v, bone)
    if suit_following_bones(v, v.viewer):
        return _("You have a {suit:one}, so you must follow suit.", suit=led_suit_word(v.contract, led_bone(v) or 0))
    return _("You can’t follow suit, so you must play a trump.")


def _missing_bone_refusal(v: ReveillePosition, bone: int) -> str:
    """Return the sentence that says why the viewer cannot play a bone that is not in the viewer's hand.

    If the bone is face up on the table, the sentence says where it is.
    """
    if bone == led_bone(v):
        return _("The {bone} was led. Reply with one of your own bones.", bone=bone_label(bone))
    if bone == prize_bone(v):
        return _("The winner of this trick gets the {bone}.", bone=bone_label(bone))
    played = list(v.card)[STAGE_TWO_SLOT : STAGE_TWO_SLOT + 2 * v.trick] if v.phase == Phase.STAGE_TWO else []
    if bone in played:
        number = played.index(bone) // 2 + 1
        return _("The {bone} was played in trick {number}.", bone=bone_label(bone), number=number)
    return _("You don’t have the {bone}.", bone=bone_label(bone))


def _bid_refusal(v: ReveillePosition, bid: int) -> str:
    """Return the sentence that says why a pass or bid is illegal: there is no auction now, or the bid is too low.

    `bid` is the number of points of an illegal bid. For a pass it is not used, because a pass is illegal only if there
    is no auction.
    """
    if v.phase <= Phase.DRAWING:
        return _("Bidding begins when the boneyard is empty.")
    if v.phase != Phase.AUCTION:
        return _("The auction is over. The winning bid is {bid}.", bid=v.high)
    only_highest = v.high == HIGHEST_BID - 1
    low = N_("{bid} is too low. To beat {high}, bid {lowest} or more.")
    reason = N_("{bid} is too low. Only {highest} beats {high}.") if only_highest else low
    return _(reason, bid=bid, high=v.high, lowest=v.high + 1, highest=HIGHEST_BID)


def _contract_naming_refusal(v: ReveillePosition, kind: Act) -> str:
    """Return the sentence that says why the viewer may not name trumps or nello now.

    `kind` is the illegal action: `Act.TRUMP` or `Act.NELLO`.
    """
    if v.phase == Phase.STAGE_TWO:
        named = N_("There are no trumps in nello."), N_("Trumps have already been named: {suit}.")
        return _(named[v.contract != NELLO], suit=Suit(v.contract))
    if v.phase == Phase.NAMING:
        return _("Nello needs a bid of {highest}, but you bid {bid}.", highest=HIGHEST_BID, bid=v.high)
    if kind == Act.NELLO:
        return _("You must win the auction with a bid of {highest} to play nello.", highest=HIGHEST_BID)
    return _("The winner of the auction names trumps.")


def _claim_bid_reached_refusal(v: ReveillePosition) -> str:
    """Return the sentence with the first reason why the viewer may not claim to have reached the bid; "" if none."""
    reasons = (
        (v.phase < Phase.NAMING and not v.high, N_("There’s nothing to claim: nobody has bid yet.")),
        (v.phase < Phase.NAMING, N_("The auction is not over yet.")),
        (v.phase == Phase.NAMING, N_("Name trumps first. You can claim only points you’ve won.")),
        (v.declarer != v.viewer, N_("Only the highest bidder may claim, and that’s not you.")),
        (v.contract == NELLO, N_("You can’t claim nello: you must play and lose every trick.")),
        (v.high == HIGHEST_BID, N_("You can’t claim a bid of {highest}: the hand is played to the end.")),
        (v.opt.auto_end == AutoEnd.ON, N_("No need to claim: at this table, a hand ends once it’s decided.")),
    )
    return next((_(reason, highest=HIGHEST_BID) for holds, reason in reasons if holds), "")


def _boneyard_pick_refusal(v: ReveillePosition) -> str:
    """Return the sentence that says why the viewer, who is to act, cannot take a bone from the boneyard (stock)."""
    if v.phase in (Phase.TURNING_UP, Phase.DRAWING):
        return n_(
            "Only {count} bone is left in the boneyard.", "Only {count} bones are left in the boneyard.", v.yard_count
        )
    if v.phase != Phase.STAGE_ONE:
        return _("The boneyard is empty.")
    if v.opt.boneyard_pick == BoneyardPick.INDEX:
        return _("Finish the trick first. Then the loser draws a bone.")
    return _("At this table, bones are drawn for you after each trick.")


# --- reasons why places cannot be chosen, and the prompt --------------------------------------------------------------


def refusals(v: ReveillePosition, sitters: Sequence[Sitter], choices: Sequence[Choice] = ()) -> Refusals:
    """Return (place, reason) for each place on the table that the viewer may try to choose, but cannot choose now.

    `choices` are the places and buttons that can be chosen now. The result is empty for a spectator, and after the
    match.
    """
    if v.viewer == SPECTATOR or v.over != RUNNING:
        return ()
    offered = {choice.touch for choice in choices}
    return tuple((touch, reason) for touch, reason in _touch_refusals(v, sitters) if reason and touch not in offered)


def _touch_refusals(v: ReveillePosition, sitters: Sequence[Sitter]) -> Iterator[tuple[str, str]]:
    """Yield (place, reason) for the viewer's bones, the boneyard (face-down stock) and the places of the trick.

    The reason says why the place cannot be chosen now. It is "" if the place can be chosen.
    """
    waits = "" if v.acting >> v.viewer & 1 else waiting_sentence(v, sitters)
    for place, bone in enumerate(hand(v, v.viewer)):
        yield f"hand-{place}", waits or _play_refusal(v, bone)
    if v.phase <= Phase.DRAWING:
        for place in range(v.yard_count):
            yield f"yard-{place}", waits or _boneyard_pick_refusal(v)
    if v.phase not in (Phase.STAGE_ONE, Phase.STAGE_TWO):
        return
    if (first := led_bone(v)) is None:
        yield "lead", waits or _("First choose a bone to lead.")
    else:
        yield "lead", waits or _missing_bone_refusal(v, first)
        yield "reply", waits or _("First choose a bone to reply with.")


def waiting_sentence(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """Return the sentence that says whose move the game is waiting for, such as "Waiting for Noor to bid.".

    Call this only if the viewer is not to act.
    """
    others = player_phrase(sitters, acting_seats(v), v.viewer)
    if v.phase in _WAITING:
        return _(_WAITING[v.phase], who=others)
    if led_bone(v) is None:
        return _("Waiting for {who:you} to lead.", who=others)
    return _("Waiting for {who:you} to reply to the {bone}.", who=others, bone=bone_label(led_bone(v) or 0))


def step_of(v: ReveillePosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> TouchStep:
    """Return the prompt for the viewer, with the places and buttons by which each of the legal `actions` can be chosen.

    If `actions` is empty, the prompt says whose move the game is waiting for, or how the match ended.
    """
    if v.over != RUNNING:
        return TouchStep(match_result_sentence(v, sitters), hand_result_sentence(v, sitters))
    step = _prompt_step(v, actions, sitters)
    # Refusals are pairs (place, reason why it cannot be chosen). They are added to the first prompt only: at a later
    # prompt of the same move, the page also uses those of earlier prompts.
    return step._replace(refusals=refusals(v, sitters, step.choices))


def _prompt_step(v: ReveillePosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> TouchStep:
    if v.phase == Phase.SCORING:
        help_text = _("Take your time. The next hand is dealt once you’re both ready.")
        further = _("Continue to hand {number}", number=v.hand_number + 1)
        return continue_step(v, actions, sitters, hand_result_sentence(v, sitters), further, "score", help_text)
    if not actions:
        return TouchStep(choosing_sentence(v, sitters), rule=_rule_anchor(v))
    if v.phase == Phase.AUCTION:
        return _auction_step(v, sitters, actions)
    if v.phase == Phase.NAMING:
        return _contract_naming_step(v, actions)
    if v.phase in (Phase.STAGE_ONE, Phase.STAGE_TWO):
        return _play_step(v, sitters, actions)
    return _boneyard_pick_step(v, actions)


def _rule_anchor(v: ReveillePosition) -> str:
    if v.phase <= Phase.DRAWING:
        return "stage-one"
    if v.phase == Phase.STAGE_TWO:
        return "nello" if v.contract == NELLO else "stage-two"
    return Phase(v.phase).name.lower()


# --- boneyard and auction ---------------------------------------------------------------------------------------------


def _boneyard_pick_step(v: ReveillePosition, actions: Sequence[int]) -> TouchStep:
    choices = tuple(Choice(f"yard-{action - Act.PICK}", action=action) for action in actions)
    asked = _("Reveal a bone from the boneyard."), _("The winner of the next trick gets the bone.")
    if v.phase == Phase.DRAWING:
        asked = _("Draw a bone from the boneyard."), _("Only you see the bone.")
    return TouchStep(*asked, choices, "stage-one")


def _auction_step(v: ReveillePosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> TouchStep:
    other = player_phrase(sitters, 1 - v.viewer, v.viewer)
    if v.high:
        prompt = _("Beat {who:'your} bid of {bid} or pass?", who=other, bid=v.high)
    elif v.call_count:
        prompt = _("{who} passed. Bid or throw in the hand?", who=other)
    else:
        prompt = _("Open the bidding or pass?")
    passing, *bids = actions
    choices = [Choice("pass", button=_("Pass"), action=passing)]
    for bid in (action - BID_OFFSET for action in bids):
        choices.append(Choice(f"bid-{bid}", button=_("Bid {bid}", bid=bid), action=BID_OFFSET + bid, number=bid))
    return TouchStep(
        prompt, _("Only points from stage two count. A bid of 42 ends the auction."), tuple(choices), "auction"
    )


def _contract_naming_step(v: ReveillePosition, actions: Sequence[int]) -> TouchStep:
    """Return the prompt for naming the contract. The choices are the trump suits from six to blank, and nello if legal.

    Each choice is shown as half a bone. The number that is on most of the viewer's bones is preselected.
    """
    bones = hand(v, v.viewer)
    held = {n: [at for at, bone in enumerate(bones) if TRUMPS[n] >> bone & 1] for n in reversed(range(NUMBERS))}
    most = max(held, key=lambda n: len(held[n]))
    choices = []
    for number, places in held.items():
        says, button = (
            _bones_of_suit_sentence(number, [bones[at] for at in places]),
            _("Name {suit}", suit=Suit(number)),
        )
        suit = Choice(f"suit-{number}", says, button, number == most, Act.TRUMP + number, number=number)
        lifts = tuple(f"hand-{at}" for at in places)
        choices.append(suit._replace(face=f"half-{number}", tag=str(len(places)), lifts=lifts))
    help_text = _("Your bid of {bid} won, so you lead. All bones with the number you name will be trumps.", bid=v.high)
    if Act.NELLO not in actions:
        return TouchStep(_("Which number is trumps?"), help_text, tuple(choices), "naming")
    said = _("There are no trumps, doubles are a separate suit, and you must lose every trick.")
    nello = Choice("nello", said, _("Play nello"), number=NELLO, face="half-nello", tag=_("nello"), action=actions[-1])
    return TouchStep(_("Name trumps or play nello?"), help_text, (*choices, nello), "naming")


def _bones_of_suit_sentence(number: int, bones: Sequence[int]) -> str:
    """Return the sentence that lists the viewer's bones of one suit, such as "You have a single five: the 5·3.".

    `number` is the number, 0 to 6, that names the suit. `bones` are the bones to list: those that show this number.
    """
    suit = Suit(number)
    if not bones:
        return _("You have no {suit}.", suit=suit)
    if len(bones) == 1:
        return _("You have a single {suit:one}: the {bone}.", suit=suit, bone=bone_label(bones[0]))
    said = _("You have {count} {suit}: {bones}.", count=in_words(len(bones)), suit=suit, bones=join_bone_labels(bones))
    if bone_named(f"{number}{number}") not in bones:
        return said
    return said + " " + _("The double ranks highest.")


# --- playing a bone ---------------------------------------------------------------------------------------------------


def _play_step(v: ReveillePosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> TouchStep:
    bones = hand(v, v.viewer)
    playable = [action - Act.PLAY for action in actions if action < Act.PASS]
    prompt, help_text = _play_prompt_and_help(v, sitters, playable)
    rule = _rule_anchor(v)
    claims = [_claim_bid_reached_choice(v, sitters)] if Act.CLAIM in actions else []
    good = bool(claims) and claims[0].primary
    if good:
        prompt = _("Claim the hand or play on?")
        won = N_("You bid {bid} and have won {count}. Playing on can’t change who gets the mark.")
        help_text = _(won, bid=v.high, count=v.points[v.viewer])
        rule = "claim"
    # If only one bone is legal, the page selects it at once and shows the button that plays it. If a true claim is
    # possible, the claim must be the main button instead.
    filled = not (good and len(playable) == 1)
    choices = []
    for place, bone in enumerate(bones):
        if bone in playable:
            claiming = [claim._replace(primary=good and not filled) for claim in claims]
            play = confirm_if_costly(v, _play_choice(v, bone), bone, playable, sitters)
            buttons = (*claiming, play._replace(primary=filled))
            further = help_text if good else f"{help_text} {_play_effect_sentence(v, sitters, bone)}".strip()
            choices.append(Choice(f"hand-{place}", then=TouchStep(prompt, further, buttons, rule)))
    return TouchStep(prompt, help_text, (*choices, *claims), rule)


def _play_choice(v: ReveillePosition, bone: int) -> Choice:
    """Return the choice that plays the bone selected by the viewer.

    The viewer touches the place on the table to which the bone goes, or a button with the bone's name. A label at this
    place describes the effect of the play, such as "leads fives" or "wins the 6·4".
    """
    button = _("Play {bone}", bone=bone_label(bone))
    if led_bone(v) is not None:
        return Choice("reply", _reply_effect_text(v, bone), button, action=Act.PLAY + bone)
    return Choice("lead", _("leads {suit}", suit=led_suit_word(v.contract, bone)), button, action=Act.PLAY + bone)


def _reply_effect_text(v: ReveillePosition, bone: int) -> str:
    """Return a short text on the effect of replying with a bone, such as "wins the 6·4" or "loses 6 points"."""
    won = would_win_trick(v, bone)
    if v.phase == Phase.STAGE_ONE:
        return _(N_("wins the {bone}") if won else N_("loses the {bone}"), bone=bone_label(v.card[UP_SLOT]))
    if v.contract == NELLO:
        return _("wins the trick") if won else _("loses the trick")
    worth = trick_worth(v, bone)
    if won:
        return n_("wins {count} point", "wins {count} points", worth)
    return n_("loses {count} point", "loses {count} points", worth)


def _play_effect_sentence(v: ReveillePosition, sitters: Sequence[Sitter], bone: int) -> str:
    """Return the sentence on the effect of playing `bone`.

    For a lead, it names the suit that is led. For a reply, it says who wins the trick, and which bone or how many
    points that player gets.
    """
    if led_bone(v) is None:
        return _("With the {bone}, you lead {suit}.", bone=bone_label(bone), suit=led_suit_word(v.contract, bone))
    other = player_phrase(sitters, 1 - v.viewer, v.viewer)
    won = would_win_trick(v, bone)
    if v.phase == Phase.STAGE_ONE:
        taken = N_("The {bone} wins the trick and the {prize}.")
        text = taken if won else N_("{who} takes the {prize}, and you draw a face-down bone.")
        return _(text, bone=bone_label(bone), prize=bone_label(v.card[UP_SLOT]), who=other)
    if v.contract == NELLO:
        return _(
            N_("The {bone} wins the trick.") if won else N_("{who} wins the trick."), bone=bone_label(bone), who=other
        )
    worth = trick_worth(v, bone)
    return n_(
        "{who} {who:win|wins} one point.",
        "{who} {who:win|wins} {number} points.",
        worth,
        who=player_phrase(sitters, v.viewer, v.viewer) if won else other,
        number=in_words(worth),
    )


def _play_prompt_and_help(v: ReveillePosition, sitters: Sequence[Sitter], playable: Sequence[int]) -> tuple[str, str]:
    first = led_bone(v)
    if first is None:
        if v.phase == Phase.STAGE_TWO:
            return _("Lead any bone."), contract_need_sentence(v, sitters)
        prize = bone_label(v.card[UP_SLOT])
        return _("Lead any bone."), _("The winner takes the {prize}; the loser draws a face-down bone.", prize=prize)
    bone, suit = bone_label(first), led_suit_word(v.contract, first)
    if v.phase == Phase.STAGE_ONE:
        return _("Reply to the {bone}.", bone=bone), _("Any bone will do in stage one.")
    held = suit_following_bones(v, v.viewer)
    if len(held) == 1:
        only = _("You can play only the {bone}.", bone=bone_label(held[0]))
        return _("Follow the {bone} with your {suit:one}.", bone=bone, suit=suit), only
    if held:
        prompt = _("Follow the {bone} with a {suit:one}.", bone=bone, suit=suit)
        return prompt, _("You can play {bones}.", bones=join_bone_labels(held))
    if len(playable) < len(hand(v, v.viewer)):
        missing = _("You have no {suit}, so you must play a trump.", suit=suit)
        return _("Reply to the {bone} with a trump.", bone=bone), missing
    missing = _("You have no {suit}, so any bone will do.", suit=suit)
    return _("Reply to the {bone}.", bone=bone), missing


def contract_need_sentence(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """Return the sentence that says what the declarer (highest bidder) still needs to make the contract."""
    declarer = player_phrase(sitters, v.declarer, v.viewer)
    if v.contract == NELLO:
        return _("{who} must lose every trick.", who=declarer)
    if needs_tricks(v):
        return _("{who} {who:need|needs} every trick.", who=declarer)
    short = points_needed(v)
    if not short:
        return _("{who} {who:have|has} made the bid.", who=declarer)
    return n_(
        "{who} {who:need|needs} {count} more point.", "{who} {who:need|needs} {count} more points.", short, who=declarer
    )


def _claim_bid_reached_choice(v: ReveillePosition, sitters: Sequence[Sitter]) -> Choice:
    """Return the choice with which the viewer claims to have reached the bid.

    If the claim is true, its button is the main one. A false claim loses the hand, so its button asks the player to
    confirm.
    """
    short = points_needed(v)
    if not short:
        return Choice("claim", button=_("Claim {bid}", bid=v.high), primary=True, action=Act.CLAIM.value)
    claim = Choice("claim", button=_("Claim ({count} to go)", count=short), action=Act.CLAIM.value)
    return confirm_claim(v, claim, sitters)
