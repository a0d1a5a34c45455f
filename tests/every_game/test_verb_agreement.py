"""Verbs and possessives agree with their subject ("you start", "Ravi starts") in all texts of a table."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from facedown.check.random_matches import GAMES, NAMES, match_with_random_options, play_randomly
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter, Table
from facedown.terminal.screen_reader import table_sentences

#: A player may be called "You": the terminal's name for its own player.
SITTERS = (Sitter("You"), *(Sitter(name) for name in NAMES[1:]))
ONE = "|".join(NAMES[1:])
#: Matches "You starts", "you has", "You’s": the third person after "you". Words in -s that are no verbs may follow it.
YOU = re.compile(
    r"\b[Yy]ou (?!always\b|as\b|across\b|unless\b|pass\b|lose\b)(?:is|was|has|does|[a-z]+[^s\W]s)\b"
    r"|\b[Yy]ou’(?!ve\b|re\b|ll\b)"
)
#: Matches "Ravi start", "Ravi are": a plural verb after one name. Two names take it ("Mara and Ravi start").
THEY = re.compile(
    rf"(?<!and )(?<!or )\b(?:{ONE}) (?:are|were|have|start|win|lead|get|need|keep|claim|show|share|do|go)\b"
)
#: Matches a capital "You" in the middle of a sentence.
CAPITAL_IN_SENTENCE = re.compile(r"(?:[a-z,]|\band) (?:\*\*)?(?:You|Your)\b")


def texts_of(value: Any) -> Iterator[str]:
    """Yield all texts in a table's data."""
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


def all_sentences(match: Match, viewer: int) -> Iterator[str]:
    """Yield all texts that a viewer gets about a match: the table's data, and the terminal's sentences."""
    table: Table = match.table(viewer, SITTERS[: match.seats])
    yield from texts_of(table)
    yield from table_sentences(table)


def grammar_error(text: str) -> str:
    """Return a description of the grammar error in a text, or an empty string."""
    for pattern in (YOU, THEY, CAPITAL_IN_SENTENCE):
        found = pattern.search(text)
        if found:
            return f"{found[0]!r} in {text!r}"
    return ""


def test_grammar_patterns_match_wrong_sentences_only() -> None:
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
        assert grammar_error(bad), bad
    for good in (
        "You start.",
        "You have the fewest points this round: 7.",
        "Mara and Ravi have the fewest.",
        "Mara and you share the win.",
        "You pass.",
        "You lead sixes.",
        "You’ve chosen.",
        "You’ll see the new card before you continue.",
        "Ravi has chosen. You can still rearrange the cards.",
        "Ravi starts.",
    ):
        assert not grammar_error(good), grammar_error(good)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_verbs_in_all_table_texts_agree_with_their_subject(name: str) -> None:
    rnd = random.Random(f"grammar {name}")
    checked = set[str]()
    for number in range(6):
        match = match_with_random_options(name, rnd)
        plies = 0
        # The first matches are played to the end, because results are sentences too.
        while not match.over and plies < (4000 if number < 2 else 90):
            play_randomly(match, rnd, rnd.randint(1, 9) if plies < 90 else 80)
            plies = match.ply
            for viewer in {SPECTATOR, rnd.randrange(match.seats)}:
                for text in set(all_sentences(match, viewer)) - checked:
                    assert not grammar_error(text), f"{grammar_error(text)} (to {viewer}, {match.options})"
                    checked.add(text)
        for viewer in (SPECTATOR, 0, match.seats - 1):
            for line in match.log(viewer, SITTERS[: match.seats]):
                text = line.text.replace("**", "")
                assert not grammar_error(text), f"{grammar_error(text)} (to {viewer}, {match.options})"
    assert len(checked) > 200


def test_a_player_named_you_is_shown_to_other_players_by_seat_number() -> None:
    """A player called "You" is shown by the seat's number to the others at the table."""
    match = Match("detect", 3, {}, bytes(32))
    assert [panel.name for panel in match.table(1, SITTERS[:3]).seats] == ["Player 1", "You", "Juniper"]
    assert [panel.name for panel in match.table(SPECTATOR, SITTERS[:3]).seats] == ["You", "Ravi", "Juniper"]
