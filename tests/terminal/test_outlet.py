"""Where nothing can be written, or not every sign: one line and an exit code, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from facedown.terminal.command_common import PLAIN_SIGNS
from tests.nightly_selection import mostly
from tests.terminal.command_runner import facedown


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize(
    "command",
    [
        "games", "rules detect", "--help", "perft detect", "score detect --example", "matches", "play detect",
        "play detect --plain",
    ],
)  # fmt: skip
def test_a_full_device_is_one_line(command: str, tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = facedown(*command.split(), data=tmp_path, typed=b"a1 b1\nq\n", out=full)
    assert (done.returncode, done.stderr) == (1, b"No space left on device\n")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", mostly(("ascii", "latin-1"), ("ascii",)))
def test_a_terminal_without_unicode_is_shown_plain_signs(encoding: str, tmp_path: Path) -> None:
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    if encoding == "latin-1":
        environment |= {"PYTHONIOENCODING": "latin-1"}
    for arguments, typed, shown in (
        (("games",), "", "2-8 players"),
        (("play", "reveille", "--seed", "plain"), "q\n", "+---+ +---+"),
        (("play", "detect", "--plain", "--seed", "plain", "--name", "Zoë"), "zzz\nq\n", "You can type: open"),
        (("play", "chess"), "", "unknown game chess"),
    ):
        done = facedown(*arguments, data=tmp_path, typed=typed.encode(), **environment)
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        said = done.stdout.decode(encoding) + done.stderr.decode(encoding)
        assert shown in said
        assert "?" not in said.replace("? help", "").replace("? for", "").replace("??", "").split("\n")[0]


def test_what_is_no_text_is_no_move(tmp_path: Path) -> None:
    done = facedown("play", "detect", "--plain", data=tmp_path, typed=b"\xff\xfe\nq\n")
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("no folder")
    done = facedown("play", "detect", "--plain", data=tmp_path / "taken", typed=b"q\n")
    assert (done.returncode, done.stderr.decode().count("\n")) == (1, 1)
    assert "cannot be written" in done.stderr.decode()


def test_a_plain_sign_is_as_wide_as_the_one_it_stands_for() -> None:
    assert all(isinstance(plain, int) and chr(plain).isascii() for plain in PLAIN_SIGNS.values())
