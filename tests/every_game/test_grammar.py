"""You start, they start: verbs and owners agree with whoever is spoken of, in all that any game says."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from facedown.check.random_matches import GAMES, NAMES, play_randomly, random_match
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter, Table
from facedown.terminal.screen_reader import table_sentences

#: A person may be called so: the terminal's own name for who plays in it.
SITTERS = (Sitter("You"), *(Sitter(name) for name in NAMES[1:]))
ONE = "|".join(NAMES[1:])
#: "You starts", "you has", "You’s": the third person of "you". Words in -s that are no verbs may follow it.
YOU = re.compile(
    r"\b[Yy]ou (?!always\b|as\b|across\b|unless\b|pass\b|lose\b)(?:is|was|has|does|[a-z]+[^s\W]s)\b"
    r"|\b[Yy]ou’(?!ve\b|re\b)"
)
#: "Ravi start", "Ravi are": the plural of one other; two together have it ("Mara and Ravi start").
THEY = re.compile(
    rf"(?<!and )(?<!or )\b(?:{ONE}) (?:are|were|have|start|win|lead|get|need|keep|claim|show|share|do|go)\b"
)
#: Somebody is in the middle of a sentence as at its beginning.
MIDDLE = re.compile(r"(?:[a-z,]|\band) (?:\*\*)?(?:You|Your)\b")


def texts_of(value: Any) -> Iterator[str]:
    """All texts in a table's data."""
    if isinstance(value, str):
        yield value.replace("**", "")
    elif is_dataclass(value):
        for one in fields(value):
            yield from texts_of(getattr(value, one.name))
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts_of(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts_of(one)


def all_said(match: Match, viewer: int) -> Iterator[str]:
    """All that a viewer is told of a match: the table in every word, in the terminal's sentences."""
    table: Table = match.table(viewer, SITTERS[: match.seats])
    yield from texts_of(table)
    yield from table_sentences(table)


def wrong(text: str) -> str:
    """What is wrong with a text, or nothing."""
    for pattern in (YOU, THEY, MIDDLE):
        found = pattern.search(text)
        if found:
            return f"{found[0]!r} in {text!r}"
    return ""


def test_the_patterns_know_right_from_wrong() -> None:
    for bad in (
        "You starts.",
        "You has the fewest points this round: 7.",
        "Ravi drew, you wins.",
        "Beat You’s 5 6.",
        "Ravi start.",
        "Mara drew and You took the 6·4.",
        "You is choosing.",
        "Noor have the fewest.",
    ):
        assert wrong(bad), bad
    for good in (
        "You start.",
        "You have the fewest points this round: 7.",
        "Mara and Ravi have the fewest.",
        "Mara and you share the win.",
        "You pass.",
        "You lead sixes.",
        "You’ve chosen.",
        "Ravi has chosen. You can still rearrange them.",
        "Ravi starts.",
    ):
        assert not wrong(good), wrong(good)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_verbs_agree_with_whoever_is_spoken_of(name: str) -> None:
    rnd = random.Random(f"grammar {name}")
    checked = set[str]()
    for number in range(6):
        match = random_match(name, rnd)
        plies = 0
        # The first matches are played out: results are sentences, too.
        while not match.over and plies < (4000 if number < 2 else 90):
            play_randomly(match, rnd, rnd.randint(1, 9) if plies < 90 else 80)
            plies = match.ply
            for viewer in {SPECTATOR, rnd.randrange(match.seats)}:
                for text in set(all_said(match, viewer)) - checked:
                    assert not wrong(text), f"{wrong(text)} (to {viewer}, {match.options})"
                    checked.add(text)
        for viewer in (SPECTATOR, 0, match.seats - 1):
            for line in match.log(viewer, SITTERS[: match.seats]):
                text = line.text.replace("**", "")
                assert not wrong(text), f"{wrong(text)} (to {viewer}, {match.options})"
    assert len(checked) > 200


def test_one_you_at_a_table() -> None:
    """Somebody called "You" is another person to those who sit there."""
    match = Match("detect", 3, {}, bytes(32))
    assert [panel.name for panel in match.table(1, SITTERS[:3]).seats] == ["Player 1", "You", "Juniper"]
    assert [panel.name for panel in match.table(SPECTATOR, SITTERS[:3]).seats] == ["You", "Ravi", "Juniper"]
