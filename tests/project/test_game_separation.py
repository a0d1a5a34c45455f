"""Separation of games: names and titles of games and of their cards are only in the games' own folders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from facedown.core.game_registry import catalogue, game
from facedown.core.grammar import in_words

ROOT = Path(__file__).resolve().parents[2]
GAMES_FOLDER = ROOT / "src" / "facedown" / "games"
SUFFIXES = (".py", ".css", ".js", ".json", ".html", ".svg", ".md", ".txt")
#: Folders and files of other projects, or of the build.
GENERATED = ("dist", "node_modules", "package-lock.json", "__pycache__")

#: Names of cards that are everyday words; every page uses colours.
EVERYDAY = frozenset(["black", "blue", "green", "orange", "pink", "red", "white", "yellow"])


@cache
def game_words() -> re.Pattern[str]:
    """Return a pattern of all names and titles of games, names of their cards, and the number of games, as whole
    words.
    """
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


def shared_files() -> Iterator[Path]:
    """Yield all source files that belong to no single game."""
    for file in sorted((*ROOT.glob("src/**/*"), *ROOT.glob("web/**/*"))):
        own = GAMES_FOLDER in file.parents and file.parent != GAMES_FOLDER
        if file.is_file() and file.suffix in SUFFIXES and not own and not any(part in GENERATED for part in file.parts):
            yield file


def lines_with_game_words(text: str) -> list[str]:
    """Return the lines of a text that name a game or one of its cards."""
    return [line.strip() for line in text.splitlines() if game_words().search(line)]


def test_no_game_is_named_in_source_code_outside_its_own_folder() -> None:
    looked_at = list(shared_files())
    assert len(looked_at) > 150
    named = {str(file.relative_to(ROOT)): lines_with_game_words(file.read_text("utf-8")) for file in looked_at}
    assert {name: lines for name, lines in named.items() if lines} == {}


@pytest.mark.parametrize("how", ["{}", "{} ", "_{}", "{}-7", "“{}”", "/guide/{}", "data-game={}"])
def test_check_of_shared_code_finds_names_and_titles_of_games(how: str) -> None:
    for info in catalogue().values():
        assert lines_with_game_words(how.format(info.name)), info.name
        assert lines_with_game_words(how.format(info.title.upper())), info.title
    assert lines_with_game_words(f"{in_words(len(catalogue())).capitalize()} games of what you don’t know")


@pytest.mark.parametrize("innocent", ["revealed", "it was detected", "a scouting card", "red and black", "two games"])
def test_ordinary_words_are_not_taken_for_game_names(innocent: str) -> None:
    assert not lines_with_game_words(innocent)
