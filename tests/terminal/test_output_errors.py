"""Output that cannot be written or encoded: one line and an exit code, never a traceback."""

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
def test_commands_print_one_error_line_if_the_output_device_is_full(command: str, tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = facedown(*command.split(), data=tmp_path, typed=b"a1 b1\nq\n", out=full)
    assert (done.returncode, done.stderr) == (1, b"No space left on device\n")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", mostly(("ascii", "latin-1"), ("ascii",)))
def test_a_terminal_without_unicode_gets_ascii_characters_instead_of_symbols(encoding: str, tmp_path: Path) -> None:
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


def test_typed_bytes_that_are_not_utf8_do_not_end_the_play_command_with_an_error(tmp_path: Path) -> None:
    done = facedown("play", "detect", "--plain", data=tmp_path, typed=b"\xff\xfe\nq\n")
    assert (done.returncode, done.stderr) == (0, b"")


def test_play_command_prints_one_error_line_if_the_data_folder_is_not_writable(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("no folder")
    done = facedown("play", "detect", "--plain", data=tmp_path / "taken", typed=b"q\n")
    assert (done.returncode, done.stderr.decode().count("\n")) == (1, 1)
    assert "cannot be written" in done.stderr.decode()


def test_each_symbol_is_replaced_by_a_single_ascii_character_in_a_terminal_without_unicode() -> None:
    assert all(isinstance(plain, int) and chr(plain).isascii() for plain in PLAIN_SIGNS.values())
