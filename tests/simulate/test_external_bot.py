"""External programs as bots: they get JSON lines without secrets, every fault is one error, and they end."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from facedown.check.random_matches import GAMES, random_situations
from facedown.core.bot import NotAView
from facedown.core.game_registry import game
from facedown.core.hidden_cards import known_view, redeal
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import Position
from facedown.simulate import external_bot
from facedown.simulate.arena import hold_contest, result_rows
from facedown.simulate.contest import Contest
from facedown.simulate.external_bot import ProgramBot, ProgramError, action_request_message
from facedown.terminal.cli import run
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = f"program:{sys.executable} {ROOT / 'examples' / 'programs' / 'counting_bot.py'}"
#: A program that says hello and then runs the code that is appended. It writes its process group into a file.
HELLO = """
import json, os, signal, subprocess, sys
open("pid", "w").write(str(os.getpid()))
def say(**answer):
    print(json.dumps(answer), flush=True)
sys.stdin.readline()
say(type="hello", protocol=1)
for line in sys.stdin:
    asked = json.loads(line)
"""


def one_match() -> Match:
    return Match("detect", 2, seed=seed_from_text("programs"))


def answer_of_program(folder: Path, does: str, limit: float = 60.0) -> int:
    """Return the answer of a program that runs `does` at each question. Check that the program has ended."""
    (folder / "bot.py").write_text(HELLO + "".join(f"    {line}\n" for line in does.splitlines()))
    bot = ProgramBot(f"{sys.executable} bot.py", str(folder), limit=limit)
    match = one_match()
    started = time.monotonic()
    try:
        return bot.choose(match.game, match.known(0), 0, 1)
    finally:
        bot.close()
        assert time.monotonic() - started < 30, "it was waited for"
        wait_until_gone(int((folder / "pid").read_text()))


def running(group: int) -> bool:
    """Return whether a process of the group is running. An ended one may still wait for a parent that is not ours."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                return True
    return False


def wait_until_gone(group: int) -> None:
    """Wait until every process of the group has ended. Raises `AssertionError` if one does not."""
    wait_until(lambda: not running(group))


def test_external_bot_can_answer_with_the_number_or_the_text_of_an_action(tmp_path: Path) -> None:
    match = one_match()
    third = match.legal(0)[2]
    assert answer_of_program(tmp_path, 'say(action=asked["legal"][2]["action"])') == third
    assert answer_of_program(tmp_path, 'say(words=asked["legal"][2]["words"])') == third


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("sys.exit(3)", "the program exited with status 3"),
        ("sys.stderr.write('first\\nout of ideas\\n'); sys.exit(1)", "the program exited with status 1: out of ideas"),
        ("os.kill(os.getpid(), 9)", "the program was killed by signal 9"),
        ("os.close(1); signal.pause()", "the program closed its output"),
        ("signal.pause()", "the program did not answer within 0.5 s"),
        ("subprocess.Popen(['sleep', '60']); signal.pause()", "the program did not answer within 0.5 s"),
        (
            "subprocess.Popen(['sleep', '60'], start_new_session=True); signal.pause()",
            "the program did not answer within 0.5 s",
        ),
        ("print('the first one, please', flush=True)", "the answer is not a line of JSON: the first one, please"),
        ("print('[7]', flush=True)", "the answer is not a line of JSON: [7]"),
        ("print('7' * 200_000, flush=True)", "the answer is not a line of JSON: 7777"),
        ("say(move=7)", 'the answer has neither an action nor words: {"move": 7}'),
        ("say(action=True)", "the answer has neither an action nor words"),
        ("say(words='uncover')", "the program answered “uncover”: 'uncover' is not a move"),
    ],
)
def test_external_bot_that_exits_hangs_or_answers_nonsense_raises_a_one_line_error(
    does: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The output is closed a moment before the exit status is known. A busy machine may take long for that.
    monkeypatch.setattr(external_bot, "EXIT_SECONDS", 25.0 if "exited" in said or "killed" in said else 0.5)
    with pytest.raises(ProgramError) as caught:
        answer_of_program(tmp_path, does, limit=0.5 if "0.5 s" in said else 60.0)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_external_bot_that_never_reads_its_input_times_out(tmp_path: Path) -> None:
    """Its input is full before the line is written."""
    started = time.monotonic()
    running = external_bot._Running([sys.executable, "-c", "import signal; signal.pause()"], "")
    with pytest.raises(ProgramError, match=r"did not answer within 0.4 s"):
        running.ask({"view": "x" * 1_000_000}, 0.4)
    running.end()
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-program", "cannot start no-such-program: No such file"),
        (f"{sys.executable} -c 'print(1)'", "the answer is not a line of JSON: 1"),
        (
            f"{sys.executable} -c 'print(\"{{}}\")'",
            'expected {"type": "hello", "protocol": 1} as the first line, not {}',
        ),
        (f"{sys.executable} -c 'import signal; signal.pause()'", "the program did not answer within 0.6 s"),
    ],
)
def test_external_bot_that_does_not_begin_with_a_hello_message_raises_an_error(
    command: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external_bot, "START_SECONDS", 0.6 if "0.6 s" in said else 60.0)
    match = one_match()
    with pytest.raises(ProgramError) as caught:
        ProgramBot(command, limit=0.1).choose(match.game, match.known(0), 0, 1)
    assert said in str(caught.value)


def test_process_of_an_external_bot_ends_when_the_bot_object_is_deleted(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(HELLO + "    say(action=asked['legal'][0]['action'])\n")
    bot = ProgramBot(f"{sys.executable} bot.py", str(tmp_path))
    match = one_match()
    bot.choose(match.game, match.known(0), 0, 1)
    group = int((tmp_path / "pid").read_text())
    assert running(group)
    del bot
    wait_until_gone(group)


@pytest.mark.parametrize("name", GAMES)
def test_message_that_asks_an_external_bot_for_a_move_holds_only_what_its_seat_knows(name: str, seed: int) -> None:
    """It is the same, byte for byte, in every world that fits what the seat knows. A state is refused."""
    for number, situation in enumerate(random_situations(name, seed % 1_000_000, 25)):
        match = situation.match
        if match.over:
            continue
        rules, seat = game(name), match.acting[0]
        view = known_view(match.state, seat)
        key = np.random.default_rng([seed, number]).integers(0, 2**32, 8, np.uint32)
        other = redeal(view, key)
        lines = [
            json.dumps(action_request_message(rules, one, seat, 1, match.options))
            for one in (view, known_view(other, seat))
        ]
        assert lines[0] == lines[1]
        found = json.loads(lines[0])
        assert "key" not in found["view"]
        assert not any(field.startswith("of_") for field in found["view"])
        assert [move["action"] for move in found["legal"]] == match.legal(seat)
        with pytest.raises(NotAView):
            action_request_message(rules, match.state, seat, 1, match.options)  # type: ignore[arg-type]


STUBBORN = """
import json, os, signal, sys
open(f"pid-{os.getpid()}", "w").close()
for line in sys.stdin:
    asked = json.loads(line)
    hello = {"type": "hello", "protocol": 1}
    print(json.dumps(hello if asked["type"] == "hello" else {"action": asked["legal"][0]["action"]}), flush=True)
signal.pause()
"""


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_processes_of_external_bots_end_even_if_their_contest_is_abandoned(jobs: int, tmp_path: Path) -> None:
    """This includes programs that continue after their input was closed."""
    (tmp_path / "bot.py").write_text(STUBBORN)
    name = f"program:{sys.executable} bot.py"
    contest = Contest("detect", (name, "random"), rounds=1, deals=5000, stop=False, folder=str(tmp_path), jobs=jobs)
    played = hold_contest(contest)
    next(played)
    # One process may have played several deals before the other one has started.
    while len(list(tmp_path.glob("pid-*"))) < 1 + jobs:
        next(played)
    assert any(running(int(path.name[4:])) for path in tmp_path.glob("pid-*"))
    played.close()  # type: ignore[attr-defined]
    groups = [int(path.name[4:]) for path in tmp_path.glob("pid-*")]
    assert len(groups) >= 1 + jobs, "one to try it out, and one for each process"
    for group in groups:
        wait_until_gone(group)


def test_guide_for_bot_authors_mentions_every_view_field_that_all_games_have() -> None:
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    fields = {*Position.__annotations__, "card", "known"} - {"key"}
    assert len(fields) >= 8
    assert [field for field in fields if f"`{field}`" not in page] == []


def test_example_external_bot_beats_random_play(capsys: pytest.CaptureFixture[str]) -> None:
    contest = Contest("detect", (EXAMPLE, "random"), rounds=1, deals=12, stop=False, seed="example")
    *_, standing = hold_contest(contest)
    first = result_rows(standing)[0]
    assert first["first"] > 0.8
    assert run(["arena", "scout", EXAMPLE, "random", "--rounds", "1", "--deals", "1", "--all", "--quiet"]) == 0
    assert "counting_bot.py" in capsys.readouterr().out
    assert run(["arena", "detect", "program:no-such-program", "random", "--quiet"]) == 2
    assert run(["arena", "detect", "greedy", "random", "--limit", "0"]) == 2
    assert "the time limit must be above 0 s, not 0 s" in capsys.readouterr().err
