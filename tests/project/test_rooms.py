"""A game is one room: its name, its title and the names of its cards stand nowhere in the house but there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from facedown.core.game_registry import catalogue, game
from facedown.core.grammar import in_words

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ROOT / "src" / "facedown" / "games"
SUFFIXES = (".py", ".css", ".js", ".json", ".html", ".svg", ".md", ".txt")
#: What others have made, or the build.
MADE = ("dist", "node_modules", "package-lock.json", "__pycache__")

#: Names of cards that are words of everyday use: colours are those of every page as well.
EVERYDAY = frozenset(["black", "blue", "green", "orange", "pink", "red", "white", "yellow"])


@cache
def forbidden() -> re.Pattern[str]:
    """All names and titles of games, the names of their cards, and how many games there are, as words of their own."""
    words = {
        "".join(c for c in word if c.isalnum() or c == " ") for i in catalogue().values() for word in (i.name, i.title)
    }
    for name in catalogue():
        loaded = game(name)
        cards = {loaded.words.card_word(kind) for kind in range(loaded.rules.kinds)}
        words |= {card for card in cards if card.isalpha()} - EVERYDAY
    count = len(catalogue())
    words |= {f"{count} games", f"{in_words(count)} games"}
    either = "|".join(sorted(map(re.escape, words)))
    return re.compile(rf"(?<![a-z])(?:{either})(?![a-z])", re.IGNORECASE)


def files() -> Iterator[Path]:
    """All files of the house that are no game's own."""
    for file in sorted((*ROOT.glob("src/**/*"), *ROOT.glob("web/**/*"))):
        own = ROOMS in file.parents and file.parent != ROOMS
        if file.is_file() and file.suffix in SUFFIXES and not own and not any(part in MADE for part in file.parts):
            yield file


def named_in(text: str) -> list[str]:
    """The lines of a text that name a game or a card of one."""
    return [line.strip() for line in text.splitlines() if forbidden().search(line)]


def test_no_game_is_named_outside_its_room() -> None:
    looked_at = list(files())
    assert len(looked_at) > 150
    named = {str(file.relative_to(ROOT)): named_in(file.read_text("utf-8")) for file in looked_at}
    assert {name: lines for name, lines in named.items() if lines} == {}


@pytest.mark.parametrize("how", ["{}", "{} ", "_{}", "{}-7", "“{}”", "/guide/{}", "data-game={}"])
def test_whoever_names_a_game_is_found(how: str) -> None:
    for info in catalogue().values():
        assert named_in(how.format(info.name)), info.name
        assert named_in(how.format(info.title.upper())), info.title
    assert named_in(f"{in_words(len(catalogue())).capitalize()} games of what you don’t know")


@pytest.mark.parametrize("innocent", ["revealed", "it was detected", "a scouting card", "red and black", "two games"])
def test_other_words_are_left_alone(innocent: str) -> None:
    assert not named_in(innocent)
