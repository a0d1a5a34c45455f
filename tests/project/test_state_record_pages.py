"""Pages about the games' records: complete, and equal to the declarations."""

from __future__ import annotations

import re

import pytest
from tools import state_record_pages

from facedown.check.random_matches import GAMES
from facedown.core import game_registry as registry
from facedown.core.field_meanings import slot_groups
from facedown.core.game_registry import GameModule
from facedown_kuhn.game import GAME as KUHN
from tests.project.test_lock_files_and_links import ROOT

ALL_GAMES = [*map(registry.game, GAMES), KUHN]
every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)


def table_rows(page: str, title: str) -> list[list[str]]:
    """Return the rows of the table under a title."""
    part = page.partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("| ")][2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_generated_documentation_of_the_position_records_is_up_to_date() -> None:
    pages = state_record_pages.pages()
    assert {path for path in state_record_pages.PAGES.glob("*.md") if path.name != "README.md"} == set(pages)
    for path, text in pages.items():
        assert path.read_text("utf-8") == text, "run python tools/state_record_pages.py"
    front = (state_record_pages.PAGES / "README.md").read_text("utf-8")
    assert all(f"({path.name})" in front for path in pages)


@every_game
def test_documentation_of_a_position_record_lists_every_field_in_order_with_its_type(game: GameModule) -> None:
    found = table_rows(state_record_pages.page(game), "Fields")
    assert [name.strip("`") for name, *_ in found] == list(game.dtype.names or ())
    for name, layout, _about in found:
        kind = game.dtype[name.strip("`")]
        if kind.names is None:
            assert layout.startswith(f"`{kind.base.str[1:]}`")
            assert [int(size) for size in re.findall(r"× (\d+)", layout)] == list(kind.shape)


@pytest.mark.parametrize("game", ALL_GAMES[:-1], ids=lambda game: game.name)
def test_documentation_of_a_position_record_describes_every_field_and_action(game: GameModule) -> None:
    page = state_record_pages.page(game)
    assert [name for name, _layout, about in table_rows(page, "Fields") if not about or about.startswith("(")] == []
    assert [words for _numbers, words, about in table_rows(page, "Actions") if ": " not in about] == []


@every_game
def test_groups_of_card_slots_cover_every_slot_of_a_position_record_once(game: GameModule) -> None:
    there: list[int] = []
    for part in slot_groups(game.rules.record):
        # A record has space for the largest number of players.
        seats = range(game.info.seats[1]) if part.by_seat else range(1)
        there += [slot for seat in seats for slot in part.slots(seat)]
    assert sorted(there) == list(range(game.dtype["card"].shape[0]))
    assert len(table_rows(state_record_pages.page(game), "Slots")) == len(slot_groups(game.rules.record))


@every_game
def test_documentation_of_a_position_record_lists_every_action_number_once_with_its_text(game: GameModule) -> None:
    numbers: list[int] = []
    for those, words, _about in table_rows(state_record_pages.page(game), "Actions"):
        first, _to, last = those.partition(" to ")
        numbers += range(int(first), int(last or first) + 1)
        for number, word in re.findall(r"(\d+) `([^`]+)`", words):
            assert game.words.parse(word) == int(number)
    assert numbers == list(range(game.actions))


@every_game
def test_documentation_of_a_position_record_lists_card_kinds_and_option_values_by_number(game: GameModule) -> None:
    page = state_record_pages.page(game)
    part = page.partition("## Kinds of cards\n")[2].partition("\n## ")[0]
    found = re.findall(r"(\d+) `([^`]+)`", part)
    assert [int(number) for number, _ in found] == list(range(game.rules.kinds))
    assert [game.words.card_kind(word) for _, word in found] == list(range(game.rules.kinds))
    told = {name.strip("`"): about for name, _layout, about in table_rows(page, "Options")}
    for option in game.info.options:
        for number, value in re.findall(r"(\d+) `([^`]+)`", told[option.name]):
            if "(" not in value:
                assert option.parse(value)[0] == int(number)


def test_documentation_of_a_position_record_changes_with_the_docstrings_of_its_fields(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The page is made from the declaration, not from the file."""
    monkeypatch.setattr(state_record_pages, "docstrings", lambda declaration: {})
    page = state_record_pages.page(registry.game("detect"))
    assert page != (ROOT / "docs/records/detect.md").read_text("utf-8")
