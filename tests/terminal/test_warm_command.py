"""``facedown warm`` and the compile cache: what is compiled, and what is removed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from facedown.core.game_registry import catalogue
from facedown.core.rule import INTERPRETED
from facedown.terminal import compile_command
from tests.terminal.command_runner import facedown


def test_compiled_rules_that_were_unused_for_a_long_time_are_removed_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    left, used, kept = "rules-old/games/apply-1.code", "rules-now/games/apply-2.code", "notes/apply-3.code"
    for name in (left, used, kept, "rules-now/games/apply-4.code"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("code")
    long_ago = time.time() - compile_command.KEEP_SECONDS - 60
    for path in sorted(tmp_path.rglob("*"), reverse=True):
        if path != tmp_path / used:
            os.utime(path, (long_ago, long_ago))
    compile_command.remove_unused_caches()
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    assert found == {"rules-now", "rules-now/games", used, "notes", kept}


def test_warm_command_prints_a_line_for_every_game_that_it_compiles(tmp_path: Path) -> None:
    done = facedown("warm", data=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    titles = [line.split(":")[0] for line in done.stdout.decode().splitlines()]
    assert titles == [info.title for info in catalogue().values()]


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_warm_up_compiles_the_master_bot_and_compiles_research_code_only_on_request() -> None:
    """The search levels after the first decision, and the code of experiments and environments."""
    program = (
        "from facedown.bots.critic_search import evaluate_candidates\n"
        "from facedown.research.batch import step_matches\n"
        "from facedown.research.single_match import play_action_and_pauses, write_observation_and_mask\n"
        "from facedown.research.game_tree.lazy_tree import write_position_after_action, write_view\n"
        "from facedown.simulate.bot_matches import play_deals\n"
        "from facedown.simulate.random_playouts import play_random_matches\n"
        "from facedown.bots import warm_up\n"
        "from facedown.terminal import compile_command\n"
        "lab = step_matches, play_action_and_pauses, write_observation_and_mask, write_position_after_action\n"
        "lab += write_view, play_deals, play_random_matches\n"
        "warm_up.warm_up_level('scout', 'master')\n"
        "print(len(evaluate_candidates.overloads), [rule.__name__ for rule in lab if rule.overloads])\n"
        "compile_command.compile_research_code('scout')\n"
        "print([rule.__name__ for rule in lab if not rule.overloads])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["1 []", "[]"], done.stderr
