"""What a player of Reveille is asked, and what each touch would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facedown.core.state import RUNNING
from facedown.core.table import Choice, Sitter, Step
from facedown.core.voice import acting_seats, are, in_words, name_of, names_of, verb, whose
from facedown.games.reveille.cards import LED_SUIT, NELLO, NUMBERS, TRUMPS, bone_named
from facedown.games.reveille.log import hand_sentence, result_of
from facedown.games.reveille.rules import (
    AUCTION,
    BID,
    CLAIM,
    CONTINUE,
    DECLARE,
    DRAW,
    NAME,
    NAME_NELLO,
    PASS,
    PICK,
    PLAY,
    PLAY_ONE,
    PLAY_TWO,
    SCORING,
    ReveillePosition,
)
from facedown.games.reveille.view import following, hand, lead, needs_tricks, prize, short_by, trick_worth, wins
from facedown.games.reveille.words import MANY, ONE, dotted, one_of, points, suit_led, those


def step_of(v: ReveillePosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked, who has these legal actions; without any, what is waited for."""
    if v.over != RUNNING:
        return Step(result_of(v, sitters), hand_sentence(v, sitters))
    if not actions:
        return _waiting(v, sitters)
    phase = v.phase
    if phase in (PLAY_ONE, PLAY_TWO):
        return _play(v, sitters, actions)
    if phase == AUCTION:
        return _auction(v, sitters, actions)
    if phase == DECLARE:
        return _naming(v, actions)
    if phase == SCORING:
        return Step(
            hand_sentence(v, sitters),
            "Look as long as you like: the next hand is dealt when both have gone on.",
            (Choice("continue", button=f"Continue to hand {v.hand_number + 1}", primary=True, action=CONTINUE),),
            rule="score",
        )
    return _pick(v, actions)


def _waiting(v: ReveillePosition, sitters: Sequence[Sitter]) -> Step:
    waiting, viewer = acting_seats(v), v.viewer
    names = names_of(sitters, waiting, viewer)
    if v.phase == SCORING:
        return Step(
            hand_sentence(v, sitters),
            f"Waiting for {names_of(sitters, waiting, viewer, middle=True)} to go on.",
            rule="score",
        )
    return Step(f"{names} {are(sitters, waiting, viewer)} choosing.", rule=_anchor(v))


def _anchor(v: ReveillePosition) -> str:
    phase = v.phase
    if phase <= DRAW:
        return "stage-one"
    if phase == AUCTION:
        return "auction"
    return "naming" if phase == DECLARE else "nello" if v.contract == NELLO else "stage-two"


# --- boneyard and auction ---------------------------------------------------------------------------------------------


def _pick(v: ReveillePosition, actions: Sequence[int]) -> Step:
    choices = tuple(Choice(f"yard-{action - PICK}", action=action) for action in actions)
    if v.phase == DRAW:
        return Step("Draw a bone from the boneyard.", "Only you will see it.", choices, "stage-one")
    return Step("Turn up a bone of the boneyard.", "The winner of the next trick takes it.", choices, "stage-one")


def _auction(v: ReveillePosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    seat = 1 - v.viewer
    other = name_of(sitters, seat, v.viewer)
    high = v.high
    help_text = "Points from stage two only. A bid of 42 ends the auction."
    if high:
        prompt = f"Raise {whose(sitters, seat, v.viewer)} {high}, or let it stand?"
    elif v.call_count:
        prompt = f"{other} passed. Bid, or throw the hand in?"
    else:
        prompt = "Open the bidding, or pass?"
    choices = [Choice("pass", button="Pass", action=PASS)]
    for action in actions:
        if action != PASS:
            bid = action - BID
            choices.append(Choice(f"bid-{bid}", button=f"Bid {bid}", action=action, number=bid))
    return Step(prompt, help_text, tuple(choices), "auction")


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
            action=NAME + number,
        )
        for number, places in held.items()
        if NAME + number in actions
    ]
    help_text = f"You bid {v.high}, and you lead. Every bone with that number will be a trump."
    if NAME_NELLO not in actions:
        return Step("Which number is trumps?", help_text, tuple(choices), "naming")
    said = "No trumps, doubles are a suit of their own, and you have to lose every trick."
    choices.append(Choice("nello", said, "Play nello", number=NELLO, face="half-nello", tag="nello", action=NAME_NELLO))
    return Step("Which number is trumps, or nello?", help_text, tuple(choices), "naming")


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
    viewer = v.viewer
    bones = hand(v, viewer)
    playable = [action - PLAY for action in actions if action != CLAIM]
    prompt, help_text = _question(v, sitters, playable)
    claim = _claim(v) if CLAIM in actions else None
    good = claim is not None and claim.action is not None
    rule = _anchor(v)
    if claim is not None and good:
        prompt = "Claim the hand, or play on?"
        help_text = f"You bid {v.high} and have won {v.points[viewer]}. Playing on cannot change the mark."
        rule = "claim"
    choices = []
    for place, bone in enumerate(bones):
        if bone not in playable:
            continue
        # The one bone that may be played comes already touched: a good claim then stays the filled button.
        filled = not (good and len(playable) == 1)
        buttons = [replace(claim, primary=good and not filled)] if claim is not None else []
        buttons.append(replace(_lay(v, bone), primary=filled))
        further = help_text if good else f"{help_text} {_outcome(v, sitters, bone)}".strip()
        then = Step(prompt, further, tuple(buttons), rule)
        choices.append(Choice(f"hand-{place}", then=then))
    if claim is not None:
        choices.append(claim)
    refusals = tuple((f"hand-{place}", _refusal(v)) for place, bone in enumerate(bones) if bone not in playable)
    return Step(prompt, help_text, tuple(choices), rule, refusals)


def _lay(v: ReveillePosition, bone: int) -> Choice:
    """The last touch: where the bone goes, what it does there, and the button that does the same."""
    button = f"Play {dotted(bone)}"
    if lead(v) is None:
        return Choice("lead", f"leads {suit_led(v.contract, bone)}", button, action=PLAY + bone)
    return Choice("reply", _effect(v, bone), button, action=PLAY + bone)


def _effect(v: ReveillePosition, bone: int) -> str:
    """What a reply does, in the lit place: "wins the 6·4", "loses 6 points"."""
    won = wins(v, bone)
    if v.phase == PLAY_ONE:
        bone_to_win = prize(v)
        assert bone_to_win is not None
        return f"wins the {dotted(bone_to_win)}" if won else f"leaves the {dotted(bone_to_win)}"
    if v.contract == NELLO:
        return "wins the trick" if won else "loses the trick"
    return f"{'wins' if won else 'loses'} {points(trick_worth(v, bone))}"


def _outcome(v: ReveillePosition, sitters: Sequence[Sitter], bone: int) -> str:
    """The same in a sentence."""
    viewer = v.viewer
    leading = lead(v) is None
    if leading:
        return f"The {dotted(bone)} leads {suit_led(v.contract, bone)}."
    other = name_of(sitters, 1 - viewer, viewer)
    won = wins(v, bone)
    if v.phase == PLAY_ONE:
        bone_to_win = prize(v)
        assert bone_to_win is not None
        if won:
            return f"The {dotted(bone)} wins the trick and takes the {dotted(bone_to_win)}."
        return f"{other} takes the {dotted(bone_to_win)}, you draw unseen."
    if v.contract == NELLO:
        return f"The {dotted(bone)} wins the trick." if won else f"{other} wins the trick."
    count = trick_worth(v, bone)
    said = f"{in_words(count)} {'point' if count == 1 else 'points'}"
    return f"You take {said} with it." if won else f"{other} takes {said} with it."


def _question(v: ReveillePosition, sitters: Sequence[Sitter], playable: Sequence[int]) -> tuple[str, str]:
    viewer = v.viewer
    first = lead(v)
    if v.phase == PLAY_ONE:
        if first is not None:
            return f"Reply to the {dotted(first)}.", "Any bone will do in stage one."
        bone_to_win = prize(v)
        assert bone_to_win is not None
        return "Lead any bone.", f"The winner takes the {dotted(bone_to_win)}, the loser draws unseen."
    if first is None:
        return "Lead any bone.", _need(v, sitters)
    one = one_of(v.contract, LED_SUIT[v.contract, first])
    held = following(v, viewer)
    if len(held) == 1:
        return f"Follow the {dotted(first)}: your {one} must go.", f"Only the {dotted(held[0])} may be played."
    if held:
        return f"Follow the {dotted(first)} with a {one}.", f"You hold {those(held)}."
    if len(playable) < len(hand(v, viewer)):
        return f"Reply to the {dotted(first)} with a trump.", f"You hold no {one}, so a trump must go."
    return f"Reply to the {dotted(first)}.", f"You hold no {one}, so any bone will do."


def _need(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """What the contract still needs, in a sentence."""
    viewer, declarer = v.viewer, v.declarer
    name = name_of(sitters, declarer, viewer)
    if v.contract == NELLO:
        return f"{name} {verb(sitters, declarer, viewer, 'have', 'has')} to lose every trick."
    if needs_tricks(v):
        return f"{name} {verb(sitters, declarer, viewer, 'need', 'needs')} every trick."
    short = short_by(v)
    if not short:
        return f"{name} {verb(sitters, declarer, viewer, 'have', 'has')} the points of the bid."
    return f"{name} {verb(sitters, declarer, viewer, 'need', 'needs')} {points(short)} more."


def _refusal(v: ReveillePosition) -> str:
    """Why a bone of the hand may not be played now."""
    first = lead(v)
    assert first is not None
    if not following(v, v.viewer):
        return "You cannot follow and hold a trump, so a trump must go."
    one = one_of(v.contract, LED_SUIT[v.contract, first])
    return f"You hold a {one}, so follow with a {one}."


def _claim(v: ReveillePosition) -> Choice:
    """The declarer's claim: filled when it is true, grey before. One that would lose is no touch."""
    short = short_by(v)
    bid = v.high
    if short:
        won = v.points[v.viewer]
        return Choice("claim", button=f"Claim: {short} short", refuses=f"You have {won} of the {bid} you bid.")
    return Choice("claim", button=f"Claim {bid}", primary=True, action=CLAIM)
