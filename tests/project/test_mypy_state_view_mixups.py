"""Types of states and views: the type checker reports a state where a view is required, and the reverse."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.core.game_registry import catalogue
from facedown.core.game_registry import game as load_game
from tests.project.test_lock_files_and_links import ROOT

#: Lines that a checker must refuse are marked; all others must pass.
MIXED_TYPES = """
from facedown.bots import bot
from facedown.core.game_registry import game
from facedown.core.match import Match
from facedown.core.hidden_cards import shown_view, known_view, redeal
from facedown.core.state import Position, State, View
from facedown.core.table import Sitter

match = Match("any", 2)
sitters = [Sitter("Ilse"), Sitter("Ravi")]
state: State = match.state
view: View = known_view(state, 0)
either: Position = state
either = view


def shown(position: Position) -> View:
    return position  # refused



match.game.tables.table(view, sitters)
match.game.tables.table(state, sitters)  # refused
bot("greedy").choose(match.game, view, 0, 1)
bot("greedy").choose(match.game, state, 0, 1)  # refused
match.game.spoken(state, 0, sitters)  # refused
known_view(view, 0)  # refused
shown_view(view, 0)  # refused
redeal(view, view.key)
redeal(state, view.key)  # refused
view = state  # refused
state = view  # refused
game("any").legal(view, 0), game("any").legal(state, 0)
"""


#: A program of a library user; every line without a mark must pass.
USER_PROGRAM = """
from facedown import Match, bot, choose_for_seat
from facedown.core.bot import Bot
from facedown.core.game_registry import GameModule
from facedown.core.state import View, cast_record
from facedown.games.detect.rules import DetectPosition


class Mine:
    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        points: int = view.total[seat]
        hand: list[int] = [card for card in view.card[:5] if card < 126]
        return game.legal(view, seat)[(points + len(hand)) % len(game.legal(view, seat))]


mine: Bot = Mine()
match = Match("detect", 2)
match.play(0, choose_for_seat(mine, match, 0, seed=1))
view = match.known(0)
print(view.total, view.card[:5], view.seats, repr(match.game))
mine_too = cast_record(view, DetectPosition)
reveal_type(mine_too.total)
print(mine_too.totl)  # refused
"""


@pytest.mark.slow
@pytest.mark.parametrize("text", [MIXED_TYPES, USER_PROGRAM], ids=["a state is no view", "a program of a user"])
def test_mypy_reports_errors_exactly_where_state_and_view_are_mixed_or_a_field_is_misspelt(
    text: str, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(text)
    expected = {number for number, line in enumerate(text.split("\n"), 1) if line.endswith("# refused")}
    assert len(expected) == (9 if text is MIXED_TYPES else 1)
    call = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context", str(program)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    found = re.findall(r"^(.*?):(\d+): error: ", done.stdout, re.MULTILINE)
    assert {Path(name).name for name, _ in found} <= {program.name}, done.stdout
    assert {int(line) for _, line in found} == expected
    if text is USER_PROGRAM:
        exec(compile(USER_PROGRAM.partition("reveal_type")[0], "user.py", "exec"), {})


def test_no_state_or_view_parameter_in_the_sources_is_annotated_as_any() -> None:
    """Outside the compiler's own modules, parameters for a state or a view have that type."""
    loose = re.compile(r"\b(?:s|state|view|before|after|position)\s*:\s*Any\b")
    files = [
        file
        for file in (ROOT / "src").rglob("*.py")
        if file.stem not in ("jit", "part_and_entry_compiler", "compile_cache")
    ]
    assert len(files) > 150
    assert [file for file in files if loose.search(file.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("name", catalogue())
def test_the_repr_of_a_game_module_is_one_short_line(name: str) -> None:
    assert repr(load_game(name)) == f"<GameModule {name}, rules version {catalogue()[name].version}>"
