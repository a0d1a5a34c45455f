"""What a player of Reveille is asked, and what each touch would do."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.state import RUNNING
from facedown.core.table import Choice, Sitter, Step
from facedown.core.usual import choosing, going_on
from facedown.core.voice import has, in_words, name_of, verb, whose
from facedown.games.reveille.cards import NELLO, NUMBERS, TRUMPS, bone_named
from facedown.games.reveille.log import hand_sentence, result_of
from facedown.games.reveille.rules import BIDS, UP, Act, Phase, ReveillePosition
from facedown.games.reveille.texts import _
from facedown.games.reveille.view import following, hand, lead, needs_tricks, short_by, trick_worth, wins
from facedown.games.reveille.words import MANY, ONE, dotted, one_led, points, suit_led, those


def step_of(v: ReveillePosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked, who has these legal actions; without any, what is waited for."""
    if v.over != RUNNING:
        return Step(result_of(v, sitters), hand_sentence(v, sitters))
    if v.phase == Phase.SCORING:
        help_text = "Look as long as you like: the next hand is dealt when both have gone on."
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
    if v.phase == Phase.DRAWING:
        return Step("Draw a bone from the boneyard.", "Only you will see it.", choices, "stage-one")
    return Step("Turn up a bone of the boneyard.", "The winner of the next trick takes it.", choices, "stage-one")


def _auction(v: ReveillePosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    other = 1 - v.viewer
    if v.high:
        prompt = f"Raise {whose(sitters, other, v.viewer)} {v.high}, or let it stand?"
    elif v.call_count:
        prompt = f"{name_of(sitters, other, v.viewer)} passed. Bid, or throw the hand in?"
    else:
        prompt = "Open the bidding, or pass?"
    passing, *bids = actions
    choices = [Choice("pass", button="Pass", action=passing)]
    for action in bids:
        bid = action - BIDS
        choices.append(Choice(f"bid-{bid}", button=f"Bid {bid}", action=action, number=bid))
    return Step(prompt, "Points from stage two only. A bid of 42 ends the auction.", tuple(choices), "auction")


def _naming(v: ReveillePosition, actions: Sequence[int]) -> Step:
    """Seven half-bones, six to blank, and at 42 an eighth; the number held most often comes chosen."""
    bones = hand(v, v.viewer)
    held = {n: [at for at, bone in enumerate(bones) if TRUMPS[n] >> bone & 1] for n in reversed(range(NUMBERS))}
    most = max(held, key=lambda n: len(held[n]))
    choices = [
        Choice(
            f"suit-{number}",
            _holding(number, [bones[at] for at in places]),
            button=f"Name {MANY[number]}",
            number=number,
            face=f"half-{number}",
            tag=str(len(places)),
            lifts=tuple(f"hand-{at}" for at in places),
            primary=number == most,
            action=Act.TRUMP + number,
        )
        for number, places in held.items()
    ]
    help_text = f"You bid {v.high}, and you lead. Every bone with that number will be a trump."
    if Act.NELLO not in actions:
        return Step("Which number is trumps?", help_text, tuple(choices), "naming")
    said = "No trumps, doubles are a suit of their own, and you have to lose every trick."
    nello = Choice("nello", said, "Play nello", number=NELLO, face="half-nello", tag="nello", action=actions[-1])
    return Step("Which number is trumps, or nello?", help_text, (*choices, nello), "naming")


def _holding(number: int, bones: Sequence[int]) -> str:
    """What one holds of a number: "You hold three twos: 6·2, 5·2 and 2·1."."""
    if not bones:
        return f"You hold no {ONE[number]}."
    if len(bones) == 1:
        return f"You hold one {ONE[number]}: {dotted(bones[0])}."
    best = " The double is the highest." if bone_named(f"{number}{number}") in bones else ""
    return f"You hold {in_words(len(bones))} {MANY[number]}: {those(bones)}.{best}"


# --- playing a bone ---------------------------------------------------------------------------------------------------


def _play(v: ReveillePosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    bones = hand(v, v.viewer)
    playable = [action - Act.PLAY for action in actions if action < Act.PASS]
    prompt, help_text = _question(v, sitters, playable)
    rule = _anchor(v)
    claims = [_claim(v)] if Act.CLAIM in actions else []
    good = bool(claims) and not claims[0].refuses
    if good:
        prompt = "Claim the hand, or play on?"
        help_text = f"You bid {v.high} and have won {v.points[v.viewer]}. Playing on cannot change the mark."
        rule = "claim"
    # The one bone that may be played comes already touched: a good claim then stays the filled button.
    filled = not (good and len(playable) == 1)
    choices = []
    for place, bone in enumerate(bones):
        if bone in playable:
            claiming = [claim._replace(primary=not filled) for claim in claims]
            buttons = (*claiming, _lay(v, bone)._replace(primary=filled))
            further = help_text if good else f"{help_text} {_outcome(v, sitters, bone)}".strip()
            choices.append(Choice(f"hand-{place}", then=Step(prompt, further, buttons, rule)))
    refusals = tuple((f"hand-{place}", _refusal(v)) for place, bone in enumerate(bones) if bone not in playable)
    return Step(prompt, help_text, (*choices, *claims), rule, refusals)


def _lay(v: ReveillePosition, bone: int) -> Choice:
    """The last touch: where the bone goes, what it does there, and the button that does the same."""
    touch, says = (
        ("reply", _effect(v, bone)) if lead(v) is not None else ("lead", f"leads {suit_led(v.contract, bone)}")
    )
    return Choice(touch, says, f"Play {dotted(bone)}", action=Act.PLAY + bone)


def _effect(v: ReveillePosition, bone: int) -> str:
    """What a reply does, in the lit place: "wins the 6·4", "loses 6 points"."""
    won = wins(v, bone)
    if v.phase == Phase.STAGE_ONE:
        return f"{'wins' if won else 'leaves'} the {dotted(v.card[UP])}"
    return f"{'wins' if won else 'loses'} {'the trick' if v.contract == NELLO else points(trick_worth(v, bone))}"


def _outcome(v: ReveillePosition, sitters: Sequence[Sitter], bone: int) -> str:
    """The same in a sentence."""
    if lead(v) is None:
        return f"The {dotted(bone)} leads {suit_led(v.contract, bone)}."
    other = name_of(sitters, 1 - v.viewer, v.viewer)
    won = wins(v, bone)
    if v.phase == Phase.STAGE_ONE:
        prize = dotted(v.card[UP])
        if won:
            return f"The {dotted(bone)} wins the trick and takes the {prize}."
        return f"{other} takes the {prize}, you draw unseen."
    if v.contract == NELLO:
        return f"The {dotted(bone)} wins the trick." if won else f"{other} wins the trick."
    count = trick_worth(v, bone)
    return f"{'You take' if won else f'{other} takes'} {in_words(count)} {'point' if count == 1 else 'points'} with it."


def _question(v: ReveillePosition, sitters: Sequence[Sitter], playable: Sequence[int]) -> tuple[str, str]:
    first = lead(v)
    if first is None:
        if v.phase == Phase.STAGE_TWO:
            return "Lead any bone.", need(v, sitters)
        return "Lead any bone.", f"The winner takes the {dotted(v.card[UP])}, the loser draws unseen."
    reply = f"Reply to the {dotted(first)}"
    if v.phase == Phase.STAGE_ONE:
        return f"{reply}.", "Any bone will do in stage one."
    one = one_led(v.contract, first)
    held = following(v, v.viewer)
    if len(held) == 1:
        return f"Follow the {dotted(first)}: your {one} must go.", f"Only the {dotted(held[0])} may be played."
    if held:
        return f"Follow the {dotted(first)} with a {one}.", f"You hold {those(held)}."
    if len(playable) < len(hand(v, v.viewer)):
        return f"{reply} with a trump.", f"You hold no {one}, so a trump must go."
    return f"{reply}.", f"You hold no {one}, so any bone will do."


def need(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """What the contract still needs, in a sentence."""
    declarer = v.declarer
    name, have = name_of(sitters, declarer, v.viewer), has(sitters, [declarer], v.viewer)
    if v.contract == NELLO:
        return f"{name} {have} to lose every trick."
    short = short_by(v)
    if not needs_tricks(v) and not short:
        return f"{name} {have} the points of the bid."
    needed = "every trick" if needs_tricks(v) else f"{points(short)} more"
    return f"{name} {verb(sitters, declarer, v.viewer, 'need', 'needs')} {needed}."


def _refusal(v: ReveillePosition) -> str:
    """Why a bone of the hand may not be played now."""
    first = lead(v)
    if first is None or not following(v, v.viewer):
        return "You cannot follow and hold a trump, so a trump must go."
    one = one_led(v.contract, first)
    return f"You hold a {one}, so follow with a {one}."


def _claim(v: ReveillePosition) -> Choice:
    """The declarer's claim: filled when it is true, grey before. One that would lose is no touch."""
    short = short_by(v)
    if short:
        refused = f"You have {v.points[v.viewer]} of the {v.high} you bid."
        return Choice("claim", button=f"Claim: {short} short", refuses=refused)
    return Choice("claim", button=f"Claim {v.high}", primary=True, action=Act.CLAIM.value)
