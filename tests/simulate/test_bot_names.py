"""Bot names: levels, import paths and programs, an error for each wrong name, and no result for a bot that fails."""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from facedown.bots import choose_for_seat, search_common
from facedown.bots.network_bot import NetworkBot
from facedown.bots.weights_file import load_shipped_weights, save
from facedown.check.random_matches import play_randomly
from facedown.core.game_registry import game as load_game
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.simulate.bot_loader import BadEntrant, BotFailed, choose_legal_action, make_bot
from facedown.simulate.contest import BadContest, Contest, play_all_deals
from facedown.terminal.cli import run

MODULE = '''
import multiprocessing, os
class Bot:
    """Plays the last legal action."""
    def choose(self, game, view, seat, seed):
        return game.legal(view, seat)[-1]

class Late:
    """Plays for a while."""
    asked = 0
    def choose(self, game, view, seat, seed):
        self.asked += 1
        return 1 // 0 if self.asked > 60 else game.legal(view, seat)[0]

class Deadly(Bot):
    """Ends every process but the one in which it was tried out."""
    def choose(self, game, view, seat, seed):
        if multiprocessing.parent_process() is not None:
            os._exit(3)
        return super().choose(game, view, seat, seed)

class Cheat(Bot):
    def choose(self, game, view, seat, seed):
        return 0 if 0 not in game.legal(view, seat) else 100_000

class Babbler(Bot):
    def choose(self, game, view, seat, seed):
        return "the first one, please"

class Needy:
    def __init__(self, model):
        pass

def make():
    return Bot()

bot = Bot()
number = 7
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder with modules of bots, which is the current directory."""
    (tmp_path / "own_bots.py").write_text(MODULE)
    (tmp_path / "broken_bots.py").write_text("import no_such_library\n")
    (tmp_path / "leaving_bots.py").write_text("raise SystemExit('bye')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("own_bots", "broken_bots", "leaving_bots"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return str(tmp_path)


@pytest.mark.parametrize("name", ["own_bots:Bot", "own_bots:make", "own_bots:bot"])
def test_bot_can_be_named_by_the_import_path_of_a_class_a_function_or_a_bot_object(name: str, folder: str) -> None:
    match = Match("detect", 2, seed=seed_from_text("entrants"))
    assert choose_legal_action(make_bot(name, folder), match, 0, 1) == match.legal(0)[-1]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no_bots:Bot", "no_bots:Bot: module no_bots not found"),
        ("no_bots.inside:Bot", "module no_bots not found"),
        ("own_bots:Boot", "own_bots:Boot: the module own_bots has no Boot"),
        ("own_bots:number", "own_bots:number is not a bot: it has no method choose"),
        ("own_bots:Needy", "own_bots:Needy: cannot create the bot: TypeError"),
        (
            "broken_bots:Bot",
            "cannot import module broken_bots: ModuleNotFoundError: No module named 'no_such_library' (broken_bots.py",
        ),
        ("leaving_bots:Bot", "cannot import module leaving_bots: SystemExit: bye"),
        ("own_bots:", "own_bots:: expected MODULE:NAME"),
        ("own-bots:Bot", "expected MODULE:NAME"),
        ("program:", "expected a command line, such as program:"),
        ("program:python3 'x", "is not a valid command line"),
        ("strong@0", "strong@0: expected strong@"),
    ],
)
def test_wrong_bot_name_raises_a_one_line_error(name: str, said: str, folder: str) -> None:
    with pytest.raises(BadEntrant) as caught:
        make_bot(name, folder)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "own_bots:Cheat",
            "own_bots:Cheat cannot play Detect: the bot chose action 100000: Action 100000 does not exist",
        ),
        ("own_bots:Babbler", "the bot answered 'the first one, please', which is not an action"),
    ],
)
def test_bot_whose_answer_is_not_an_action_is_refused_before_the_first_deal(name: str, said: str, folder: str) -> None:
    with pytest.raises(BadContest) as caught:
        Contest("detect", (name, "random"), folder=folder).check()
    assert said in str(caught.value)


def test_error_about_an_illegal_action_of_a_bot_shows_the_action_as_text() -> None:
    class Cheat:
        def choose(self, game: Any, view: Any, seat: int, seed: int) -> int:
            return next(action for action in range(game.actions) if action not in game.legal(view, seat))

    match = Match("detect", 2, seed=seed_from_text("entrants"))
    with pytest.raises(BotFailed, match=r"the bot chose action \d+ \(“take a1”\), which is not legal: \S+"):
        choose_legal_action(Cheat(), match, 0, 1)


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_exception_in_a_bot_ends_the_contest_with_an_error_that_names_the_bot(jobs: int, folder: str) -> None:
    bots = ("own_bots:Late", "random")
    contest = Contest("detect", bots, rounds=1, deals=30, stop=False, folder=folder, jobs=jobs)
    contest.check()
    said = (
        r"own_bots:Late failed in deal \d+, seat \d, move \d+: the bot raised ZeroDivisionError: .*own_bots.py, line 13"
    )
    with pytest.raises(BotFailed, match=said):
        list(play_all_deals(contest))


@pytest.mark.slow
def test_contest_ends_with_an_error_if_a_bot_ends_its_own_worker_process(folder: str) -> None:
    contest = Contest("detect", ("own_bots:Deadly", "random"), rounds=1, deals=6, folder=folder, jobs=2)
    contest.check()
    with pytest.raises(BotFailed, match="a worker process died"):
        list(play_all_deals(contest))


def test_arena_command_prints_an_error_line_and_no_table_if_a_bot_fails(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["arena", "detect", "own_bots:Late", "random", "--rounds", "1", "--all", "--quiet"]) == 1
    written = capsys.readouterr()
    assert written.out == ""
    assert "own_bots:Late failed" in written.err
    assert written.err.count("\n") == 1


def test_arena_command_imports_bots_from_the_current_directory(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    small = ["--rounds", "1", "--deals", "3", "--all", "--quiet"]
    assert run(["arena", "detect", "own_bots:Bot", "greedy", *small]) == 0
    assert "own_bots:Bot took " in capsys.readouterr().out
    assert run(["arena", "detect", "own_bots:Boot", "greedy", *small]) == 2
    assert capsys.readouterr().err == "own_bots:Boot: the module own_bots has no Boot\n"


def test_network_bot_can_be_named_by_its_weights_file_with_an_optional_temperature(tmp_path: Path) -> None:
    level = load_game("detect").levels.networks[0]
    save(tmp_path / "network.npz", load_shipped_weights("detect", level[2]))
    for name, temperature in (("network.npz", 0.0), ("network.npz@0.5", 0.5), (f"{tmp_path}/network.npz", 0.0)):
        player = make_bot(name, str(tmp_path))
        assert isinstance(player, NetworkBot)
        assert player.temperature == temperature
    with pytest.raises(BadEntrant, match="cannot load a network from"):
        make_bot("other.npz", str(tmp_path))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("reveal", {}),
        ("detect", {"deck": "custom(0:30 4:30 7:30)"}),
        ("reveille", {}),
    ],
)
def test_bot_of_level_master_chooses_the_same_moves_on_an_extremely_slow_machine(
    name: str, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In contests it has no time limit, even with options that fit no network."""
    matches = []
    for number in range(8):
        match = Match(name, 2, options, seed=seed_from_text(f"clock {number}"))
        play_randomly(match, random.Random(number), 6)
        matches.append(match)

    def played() -> list[int]:
        master = make_bot("master")
        return [choose_for_seat(master, match, match.acting[0], 1) for match in matches if not match.over]

    before = played()
    ticks = itertools.count()
    slow = SimpleNamespace(perf_counter=lambda: 3600.0 * next(ticks))
    monkeypatch.setattr(search_common, "time", slow)
    assert played() == before
