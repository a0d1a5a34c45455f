"""What Reveille asks of a person, and what each touch would do: worked out from that person's view alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from facedown.core.state import ABANDONED, RUNNING, SPECTATOR
from facedown.core.table import Choice, Sitter, Step
from facedown.core.voice import acting_seats, are, has, in_words, name_of, names_of, verb, whose
from facedown.games.reveille import seen as look
from facedown.games.reveille.bones import NELLO, NUMBERS, TRUMPS, bone_named
from facedown.games.reveille.rules import (
    ACTIONS,
    AUCTION,
    BID,
    CLAIM,
    CLAIMED,
    CLAIMED_FALSELY,
    CONTINUE,
    DECLARE,
    DRAW,
    LOWEST_BID,
    NAME,
    NAME_NELLO,
    PASS,
    PICK,
    PLAY,
    PLAY_ONE,
    PLAY_TWO,
    SCORING,
    THROWN_IN,
    TRICKS,
    legal,
)
from facedown.games.reveille.speech import MANY, ONE, dotted, led, marks, one_of, points, suit_led, those


def step(view: Any, sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked now."""
    viewer = int(view.viewer)
    if int(view.over) != RUNNING:
        return Step(result(view, sitters), hand_sentence(view, sitters))
    actions: list[int] = []
    if viewer != SPECTATOR:
        out = np.empty(ACTIONS, np.int32)
        actions = [int(action) for action in out[: legal(view, viewer, out)]]
    if not actions:
        return _waiting(view, sitters)
    phase = int(view.phase)
    if phase in (PLAY_ONE, PLAY_TWO):
        return _play(view, sitters, actions)
    if phase == AUCTION:
        return _auction(view, sitters, actions)
    if phase == DECLARE:
        return _naming(view, actions)
    if phase == SCORING:
        return Step(
            hand_sentence(view, sitters),
            "Look as long as you like: the next hand is dealt when both have gone on.",
            (
                Choice(
                    "continue", button=f"Continue to hand {int(view.hand_number) + 1}", primary=True, action=CONTINUE
                ),
            ),
            rule="score",
        )
    return _pick(view, actions)


def _waiting(view: Any, sitters: Sequence[Sitter]) -> Step:
    waiting, viewer = acting_seats(view), int(view.viewer)
    names = names_of(sitters, waiting, viewer)
    if int(view.phase) == SCORING:
        return Step(
            hand_sentence(view, sitters),
            f"Waiting for {names_of(sitters, waiting, viewer, middle=True)} to go on.",
            rule="score",
        )
    return Step(f"{names} {are(sitters, waiting, viewer)} choosing.", rule=_anchor(view))


def _anchor(view: Any) -> str:
    phase = int(view.phase)
    if phase <= DRAW:
        return "stage-one"
    if phase == AUCTION:
        return "auction"
    return "naming" if phase == DECLARE else "nello" if int(view.contract) == NELLO else "stage-two"


# --- boneyard and auction ---------------------------------------------------------------------------------------------


def _pick(view: Any, actions: Sequence[int]) -> Step:
    choices = tuple(Choice(f"yard-{action - PICK}", action=action) for action in actions)
    if int(view.phase) == DRAW:
        return Step("Draw a bone from the boneyard.", "Only you will see it.", choices, "stage-one")
    return Step("Turn up a bone of the boneyard.", "The winner of the next trick takes it.", choices, "stage-one")


def _auction(view: Any, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    seat = 1 - int(view.viewer)
    other = name_of(sitters, seat, int(view.viewer))
    high = int(view.high)
    help_text = "Points from stage two only. A bid of 42 ends the auction."
    if high:
        prompt = f"Raise {whose(sitters, seat, int(view.viewer))} {high}, or let it stand?"
    elif int(view.call_count):
        prompt = f"{other} passed. Bid, or throw the hand in?"
    else:
        prompt = "Open the bidding, or pass?"
    choices = [Choice("pass", button="Pass", action=PASS)]
    for action in actions:
        if action != PASS:
            bid = action - BID + LOWEST_BID
            choices.append(Choice(f"bid-{bid}", button=f"Bid {bid}", action=action, number=bid))
    return Step(prompt, help_text, tuple(choices), "auction")


def _naming(view: Any, actions: Sequence[int]) -> Step:
    """Seven half-bones, six to blank, and at 42 an eighth; the number held most often comes chosen."""
    bones = look.hand(view, int(view.viewer))
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
    help_text = f"You bid {int(view.high)}, and you lead. Every bone with that number will be a trump."
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


def _play(view: Any, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    viewer = int(view.viewer)
    bones = look.hand(view, viewer)
    playable = [action - PLAY for action in actions if action != CLAIM]
    prompt, help_text = _question(view, sitters, playable)
    claim = _claim(view) if CLAIM in actions else None
    good = claim is not None and claim.action is not None
    rule = _anchor(view)
    if claim is not None and good:
        prompt = "Claim the hand, or play on?"
        help_text = (
            f"You bid {int(view.high)} and have won {int(view.points[viewer])}. Playing on cannot change the mark."
        )
        rule = "claim"
    choices = []
    for place, bone in enumerate(bones):
        if bone not in playable:
            continue
        # The one bone that may be played comes already touched: a good claim then stays the filled button.
        filled = not (good and len(playable) == 1)
        buttons = [replace(claim, primary=good and not filled)] if claim is not None else []
        buttons.append(replace(_lay(view, bone), primary=filled))
        further = help_text if good else f"{help_text} {_outcome(view, sitters, bone)}".strip()
        then = Step(prompt, further, tuple(buttons), rule)
        choices.append(Choice(f"hand-{place}", then=then))
    if claim is not None:
        choices.append(claim)
    refusals = tuple((f"hand-{place}", _refusal(view)) for place, bone in enumerate(bones) if bone not in playable)
    return Step(prompt, help_text, tuple(choices), rule, refusals)


def _lay(view: Any, bone: int) -> Choice:
    """The last touch: where the bone goes, what it does there, and the button that does the same."""
    button = f"Play {dotted(bone)}"
    if look.lead(view) is None:
        return Choice("lead", f"leads {suit_led(int(view.contract), bone)}", button, action=PLAY + bone)
    return Choice("reply", _effect(view, bone), button, action=PLAY + bone)


def _effect(view: Any, bone: int) -> str:
    """What a reply does, in the lit place: "wins the 6·4", "loses 6 points"."""
    won = look.wins(view, bone)
    if int(view.phase) == PLAY_ONE:
        prize = look.prize(view)
        assert prize is not None
        return f"wins the {dotted(prize)}" if won else f"leaves the {dotted(prize)}"
    if int(view.contract) == NELLO:
        return "wins the trick" if won else "loses the trick"
    return f"{'wins' if won else 'loses'} {points(look.worth(view, bone))}"


def _outcome(view: Any, sitters: Sequence[Sitter], bone: int) -> str:
    """The same in a sentence."""
    viewer = int(view.viewer)
    leading = look.lead(view) is None
    if leading:
        return f"The {dotted(bone)} leads {suit_led(int(view.contract), bone)}."
    other = name_of(sitters, 1 - viewer, viewer)
    won = look.wins(view, bone)
    if int(view.phase) == PLAY_ONE:
        prize = look.prize(view)
        assert prize is not None
        if won:
            return f"The {dotted(bone)} wins the trick and takes the {dotted(prize)}."
        return f"{other} takes the {dotted(prize)}, you draw unseen."
    if int(view.contract) == NELLO:
        return f"The {dotted(bone)} wins the trick." if won else f"{other} wins the trick."
    count = look.worth(view, bone)
    said = f"{in_words(count)} {'point' if count == 1 else 'points'}"
    return f"You take {said} with it." if won else f"{other} takes {said} with it."


def _question(view: Any, sitters: Sequence[Sitter], playable: Sequence[int]) -> tuple[str, str]:
    viewer = int(view.viewer)
    first = look.lead(view)
    if int(view.phase) == PLAY_ONE:
        if first is not None:
            return f"Reply to the {dotted(first)}.", "Any bone will do in stage one."
        prize = look.prize(view)
        assert prize is not None
        return "Lead any bone.", f"The winner takes the {dotted(prize)}, the loser draws unseen."
    if first is None:
        return "Lead any bone.", _need(view, sitters)
    contract = int(view.contract)
    suit = led(contract, first)
    one = one_of(contract, suit)
    held = look.following(view, viewer)
    if len(held) == 1:
        return f"Follow the {dotted(first)}: your {one} must go.", f"Only the {dotted(held[0])} may be played."
    if held:
        return f"Follow the {dotted(first)} with a {one}.", f"You hold {those(held)}."
    if len(playable) < len(look.hand(view, viewer)):
        return f"Reply to the {dotted(first)} with a trump.", f"You hold no {one}, so a trump must go."
    return f"Reply to the {dotted(first)}.", f"You hold no {one}, so any bone will do."


def _need(view: Any, sitters: Sequence[Sitter]) -> str:
    """What the contract still needs, in a sentence."""
    viewer, declarer = int(view.viewer), int(view.declarer)
    name = name_of(sitters, declarer, viewer)
    if int(view.contract) == NELLO:
        return f"{name} {verb(sitters, declarer, viewer, 'have', 'has')} to lose every trick."
    if look.needs_tricks(view):
        return f"{name} {verb(sitters, declarer, viewer, 'need', 'needs')} every trick."
    short = look.short_by(view)
    if not short:
        return f"{name} {verb(sitters, declarer, viewer, 'have', 'has')} the points of the bid."
    return f"{name} {verb(sitters, declarer, viewer, 'need', 'needs')} {points(short)} more."


def _refusal(view: Any) -> str:
    """Why a bone of the hand may not be played now."""
    first = look.lead(view)
    assert first is not None
    contract = int(view.contract)
    if not look.following(view, int(view.viewer)):
        return "You cannot follow and hold a trump, so a trump must go."
    one = one_of(contract, led(contract, first))
    return f"You hold a {one}, so follow with a {one}."


def _claim(view: Any) -> Choice:
    """The declarer's claim: filled when it is true, grey before. One that would lose is no touch."""
    short = look.short_by(view)
    bid = int(view.high)
    if short:
        won = int(view.points[int(view.viewer)])
        return Choice("claim", button=f"Claim: {short} short", refuses=f"You have {won} of the {bid} you bid.")
    return Choice("claim", button=f"Claim {bid}", primary=True, action=CLAIM)


# --- how it ended -----------------------------------------------------------------------------------------------------


def hand_sentence(view: Any, sitters: Sequence[Sitter]) -> str:
    """How the hand ended and who got the mark."""
    viewer, declarer, to = int(view.viewer), int(view.declarer), int(view.mark_to)
    ended = int(view.ended)
    if ended == THROWN_IN:
        return "Both passed: the hand is thrown in, and nobody gets a mark."
    name = name_of(sitters, declarer, viewer)
    bid, won = int(view.high), int(view.points[declarer])
    getter = name_of(sitters, to, viewer)
    mark = f"{getter} {verb(sitters, to, viewer, 'get', 'gets')} the mark."
    if ended in (CLAIMED, CLAIMED_FALSELY):
        only = "" if ended == CLAIMED else "only "
        return f"{name} claimed {bid} and {has(sitters, [declarer], viewer)} won {only}{won}. {mark}"
    made = "made" if to == declarer else "set"
    if int(view.contract) == NELLO:
        said = (
            "lost every trick"
            if to == declarer
            else f"won {'a trick' if int(view.tricks[declarer]) == 1 else 'tricks'}"
        )
        return f"{name} {said}: nello is {made}. {mark}"
    if look.needs_tricks(view):
        return f"{name} bid 42 and won {int(view.tricks[declarer])} of {TRICKS} tricks: {made}. {mark}"
    return f"{name} bid {bid} and won {points(won)}: {made}. {mark}"


def result(view: Any, sitters: Sequence[Sitter]) -> str:
    """The result of a finished match in one sentence."""
    viewer = int(view.viewer)
    if int(view.over) == ABANDONED:
        return "The match was given up after fifty hands thrown in: nobody wins."
    winner = int(view.mark_to)
    name = name_of(sitters, winner, viewer)
    score = f"{marks(int(view.marks[winner]))} to {int(view.marks[1 - winner])}"
    return f"{name} {verb(sitters, winner, viewer, 'win', 'wins')}, {score}."
