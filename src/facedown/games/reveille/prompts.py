"""What a player of Reveille is asked, and what each touch would do."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.state import RUNNING
from facedown.core.table import Choice, Sitter, Step, ask_again
from facedown.core.usual import choosing, going_on
from facedown.core.voice import in_words, who
from facedown.games.reveille.cards import NELLO, NUMBERS, TRUMPS, bone_named
from facedown.games.reveille.log import hand_sentence, result_of
from facedown.games.reveille.reasons import refusals
from facedown.games.reveille.rules import BIDS, Act
from facedown.games.reveille.state import UP, Phase, ReveillePosition
from facedown.games.reveille.texts import N_, _, n_
from facedown.games.reveille.view import following, hand, lead, needs_tricks, short_by, trick_worth, wins
from facedown.games.reveille.words import Suit, dotted, suit_led, those


def step_of(v: ReveillePosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked, who has these legal actions; without any, what is waited for."""
    if v.over != RUNNING:
        return Step(result_of(v, sitters), hand_sentence(v, sitters))
    step = _asked(v, actions, sitters)
    # A page looks for a reason at the steps before, too: said once, it holds for all that follows a touch.
    return step._replace(refusals=refusals(v, sitters, step.choices))


def _asked(v: ReveillePosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    if v.phase == Phase.SCORING:
        help_text = _("Take your time. The next hand is dealt once you both continue.")
        further = _("Continue to hand {number}", number=v.hand_number + 1)
        return going_on(v, actions, sitters, hand_sentence(v, sitters), further, "score", help_text)
    if not actions:
        return Step(choosing(v, sitters), rule=_anchor(v))
    if v.phase == Phase.AUCTION:
        return _auction(v, sitters, actions)
    if v.phase == Phase.NAMING:
        return _naming(v, actions)
    if v.phase in (Phase.STAGE_ONE, Phase.STAGE_TWO):
        return _play(v, sitters, actions)
    return _pick(v, actions)


def _anchor(v: ReveillePosition) -> str:
    if v.phase <= Phase.DRAWING:
        return "stage-one"
    if v.phase == Phase.STAGE_TWO:
        return "nello" if v.contract == NELLO else "stage-two"
    return Phase(v.phase).name.lower()


# --- boneyard and auction ---------------------------------------------------------------------------------------------


def _pick(v: ReveillePosition, actions: Sequence[int]) -> Step:
    choices = tuple(Choice(f"yard-{action - Act.PICK}", action=action) for action in actions)
    asked = _("Reveal a bone from the boneyard."), _("The winner of the next trick takes it.")
    if v.phase == Phase.DRAWING:
        asked = _("Draw a bone from the boneyard."), _("Only you will see it.")
    return Step(*asked, choices, "stage-one")


def _auction(v: ReveillePosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    other = who(sitters, 1 - v.viewer, v.viewer)
    if v.high:
        prompt = _("Raise {who:'your} {bid}, or let it stand?", who=other, bid=v.high)
    elif v.call_count:
        prompt = _("{who} passed. Bid, or throw in the hand?", who=other)
    else:
        prompt = _("Open the bidding or pass?")
    passing, *bids = actions
    choices = [Choice("pass", button=_("Pass"), action=passing)]
    for bid in (action - BIDS for action in bids):
        choices.append(Choice(f"bid-{bid}", button=_("Bid {bid}", bid=bid), action=BIDS + bid, number=bid))
    return Step(prompt, _("Points from stage two only. A bid of 42 ends the auction."), tuple(choices), "auction")


def _naming(v: ReveillePosition, actions: Sequence[int]) -> Step:
    """Seven half-bones, six to blank, and at 42 an eighth; the number held most often comes chosen."""
    bones = hand(v, v.viewer)
    held = {n: [at for at, bone in enumerate(bones) if TRUMPS[n] >> bone & 1] for n in reversed(range(NUMBERS))}
    most = max(held, key=lambda n: len(held[n]))
    choices = []
    for number, places in held.items():
        says, button = _holding(number, [bones[at] for at in places]), _("Name {suit}", suit=Suit(number))
        suit = Choice(f"suit-{number}", says, button, number == most, Act.TRUMP + number, number=number)
        lifts = tuple(f"hand-{at}" for at in places)
        choices.append(suit._replace(face=f"half-{number}", tag=str(len(places)), lifts=lifts))
    help_text = _("You bid {bid}, and you lead. Every bone with that number will be a trump.", bid=v.high)
    if Act.NELLO not in actions:
        return Step(_("Which number is trumps?"), help_text, tuple(choices), "naming")
    said = _("No trumps, doubles are a suit of their own, and you have to lose every trick.")
    nello = Choice("nello", said, _("Play nello"), number=NELLO, face="half-nello", tag=_("nello"), action=actions[-1])
    return Step(_("Which number is trumps, or nello?"), help_text, (*choices, nello), "naming")


def _holding(number: int, bones: Sequence[int]) -> str:
    """What one holds of a number: "You hold three twos: 6·2, 5·2 and 2·1."."""
    suit = Suit(number)
    if not bones:
        return _("You hold no {suit:one}.", suit=suit)
    if len(bones) == 1:
        return _("You hold one {suit:one}: {bone}.", suit=suit, bone=dotted(bones[0]))
    said = _("You hold {count} {suit}: {bones}.", count=in_words(len(bones)), suit=suit, bones=those(bones))
    if bone_named(f"{number}{number}") not in bones:
        return said
    return said + " " + _("The double is the highest.")


# --- playing a bone ---------------------------------------------------------------------------------------------------


def _play(v: ReveillePosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    bones = hand(v, v.viewer)
    playable = [action - Act.PLAY for action in actions if action < Act.PASS]
    prompt, help_text = _question(v, sitters, playable)
    rule = _anchor(v)
    claims = [_claim(v, sitters)] if Act.CLAIM in actions else []
    good = bool(claims) and claims[0].primary
    if good:
        prompt = _("Claim the hand or play on?")
        won = N_("You bid {bid} and have won {count}. Playing on cannot change the mark.")
        help_text = _(won, bid=v.high, count=v.points[v.viewer])
        rule = "claim"
    # The one bone that may be played comes already touched: a good claim then stays the filled button.
    filled = not (good and len(playable) == 1)
    choices = []
    for place, bone in enumerate(bones):
        if bone in playable:
            claiming = [claim._replace(primary=good and not filled) for claim in claims]
            buttons = (*claiming, _lay(v, bone)._replace(primary=filled))
            further = help_text if good else f"{help_text} {_outcome(v, sitters, bone)}".strip()
            choices.append(Choice(f"hand-{place}", then=Step(prompt, further, buttons, rule)))
    return Step(prompt, help_text, (*choices, *claims), rule)


def _lay(v: ReveillePosition, bone: int) -> Choice:
    """The last touch: where the bone goes, what it does there, and the button that does the same."""
    button = _("Play {bone}", bone=dotted(bone))
    if lead(v) is not None:
        return Choice("reply", _effect(v, bone), button, action=Act.PLAY + bone)
    return Choice("lead", _("leads {suit}", suit=suit_led(v.contract, bone)), button, action=Act.PLAY + bone)


def _effect(v: ReveillePosition, bone: int) -> str:
    """What a reply does, in the lit place: "wins the 6·4", "loses 6 points"."""
    won = wins(v, bone)
    if v.phase == Phase.STAGE_ONE:
        return _(N_("wins the {bone}") if won else N_("leaves the {bone}"), bone=dotted(v.card[UP]))
    if v.contract == NELLO:
        return _("wins the trick") if won else _("loses the trick")
    worth = trick_worth(v, bone)
    if won:
        return n_("wins {count} point", "wins {count} points", worth)
    return n_("loses {count} point", "loses {count} points", worth)


def _outcome(v: ReveillePosition, sitters: Sequence[Sitter], bone: int) -> str:
    """The same in a sentence."""
    if lead(v) is None:
        return _("The {bone} leads {suit}.", bone=dotted(bone), suit=suit_led(v.contract, bone))
    other = who(sitters, 1 - v.viewer, v.viewer)
    won = wins(v, bone)
    if v.phase == Phase.STAGE_ONE:
        taken = N_("The {bone} wins the trick and takes the {prize}.")
        text = taken if won else N_("{who} takes the {prize}, you draw face down.")
        return _(text, bone=dotted(bone), prize=dotted(v.card[UP]), who=other)
    if v.contract == NELLO:
        return _(N_("The {bone} wins the trick.") if won else N_("{who} wins the trick."), bone=dotted(bone), who=other)
    worth = trick_worth(v, bone)
    return n_(
        "{who} {who:take|takes} one point with it.",
        "{who} {who:take|takes} {number} points with it.",
        worth,
        who=who(sitters, v.viewer, v.viewer) if won else other,
        number=in_words(worth),
    )


def _question(v: ReveillePosition, sitters: Sequence[Sitter], playable: Sequence[int]) -> tuple[str, str]:
    first = lead(v)
    if first is None:
        if v.phase == Phase.STAGE_TWO:
            return _("Lead any bone."), need(v, sitters)
        prize = dotted(v.card[UP])
        return _("Lead any bone."), _("The winner takes the {prize}, the loser draws face down.", prize=prize)
    bone, suit = dotted(first), suit_led(v.contract, first)
    if v.phase == Phase.STAGE_ONE:
        return _("Reply to the {bone}.", bone=bone), _("Any bone will do in stage one.")
    held = following(v, v.viewer)
    if len(held) == 1:
        only = _("Only the {bone} may be played.", bone=dotted(held[0]))
        return _("Follow the {bone}: you must play your {suit:one}.", bone=bone, suit=suit), only
    if held:
        prompt = _("Follow the {bone} with a {suit:one}.", bone=bone, suit=suit)
        return prompt, _("You hold {bones}.", bones=those(held))
    if len(playable) < len(hand(v, v.viewer)):
        missing = _("You hold no {suit:one}, so you must play a trump.", suit=suit)
        return _("Reply to the {bone} with a trump.", bone=bone), missing
    missing = _("You hold no {suit:one}, so any bone will do.", suit=suit)
    return _("Reply to the {bone}.", bone=bone), missing


def need(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """What the contract still needs, in a sentence."""
    declarer = who(sitters, v.declarer, v.viewer)
    if v.contract == NELLO:
        return _("{who} must lose every trick.", who=declarer)
    if needs_tricks(v):
        return _("{who} {who:need|needs} every trick.", who=declarer)
    short = short_by(v)
    if not short:
        return _("{who} {who:have|has} the points of the bid.", who=declarer)
    return n_(
        "{who} {who:need|needs} {count} point more.", "{who} {who:need|needs} {count} points more.", short, who=declarer
    )


def _claim(v: ReveillePosition, sitters: Sequence[Sitter]) -> Choice:
    """The declarer's claim: filled when it is true; a false one costs the mark, so it is asked about again."""
    short = short_by(v)
    if not short:
        return Choice("claim", button=_("Claim {bid}", bid=v.high), primary=True, action=Act.CLAIM.value)
    claim = Choice("claim", button=_("Claim: {count} short", count=short), action=Act.CLAIM.value)
    asked = _("Claim, and give {who} the mark?", who=who(sitters, 1 - v.viewer, v.viewer))
    costs = N_("You have {count} of the {bid} you bid: a false claim loses the hand.")
    costs = _(costs, count=v.points[v.viewer], bid=v.high)
    return ask_again(claim, asked, costs, _("Claim anyway"), "claim")
