"""``docs/adding-a-game.md``, followed to the letter: its files are written, its commands run, and there is the game."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.examples.installed import EXAMPLE, ROOT

pytestmark = pytest.mark.timeout(600)

PAGE = ROOT / "docs" / "adding-a-game.md"
#: A fenced block, and the line before it where that names a file.
BLOCK = re.compile(r"^(?:`([\w./-]+)`:\n\n)?(```+)(\w+)\n(.*?)^\2$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of the page: a file with its text, or commands."""

    file: str
    language: str
    text: str


def blocks() -> list[Block]:
    return [Block(found[1] or "", found[3], found[4]) for found in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]


def commands() -> Iterator[str]:
    for block in blocks():
        if not block.file:
            yield from block.text.splitlines()


def shown() -> dict[str, str]:
    return {block.file: block.text for block in blocks() if block.file}


def test_what_is_shown_is_the_example() -> None:
    files = [path for path in EXAMPLE.rglob("*") if path.is_file() and "tests" not in path.parts]
    there = {str(path.relative_to(EXAMPLE)) for path in files if "__pycache__" not in path.parts}
    assert set(shown()) == there
    for name, text in shown().items():
        assert text == (EXAMPLE / name).read_text(encoding="utf-8"), name


def test_every_block_is_a_file_or_commands() -> None:
    assert all(block.language == "sh" for block in blocks() if not block.file)
    assert "facedown check-game kuhn" in commands()


@pytest.mark.slow
def test_whoever_follows_the_page_has_a_game(tmp_path: Path) -> None:
    """In an empty folder, with `facedown`, `pip` and `python` on the path; nothing is taken from the network."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, module in (("facedown", "facedown"), ("pip", "pip"), ("python", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {f"-m {module}" if module else ""} "$@"\n')
        program.chmod(0o755)
    site = tmp_path / "site"
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(programs), os.environ.get("PATH", "")]),
        "PYTHONPATH": os.pathsep.join(map(str, (site, ROOT / "src"))),
        "FACEDOWN_DATA": str(tmp_path / "data"),
        # As `pip install .` would do at an author's, but into a folder of the test's own, with what is here already.
        "PIP_TARGET": str(site),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    here = tmp_path / "author"
    here.mkdir()
    told: dict[str, str] = {}
    for block in blocks():
        if block.file:
            (here / block.file).write_text(block.text, encoding="utf-8")
            continue
        for command in block.text.splitlines():
            if command.startswith("cd "):
                here = here / command.removeprefix("cd ")
                continue
            typed = "1\n" * 60 if command.startswith("facedown play") else ""
            done = subprocess.run(
                command, shell=True, cwd=here, env=environment, input=typed, capture_output=True, text=True, timeout=500
            )
            assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
            told[command] = done.stdout
    assert re.search(r"^kuhn +2 players", told["facedown games"], re.MULTILINE)
    assert "FAILED" not in told["facedown check-game kuhn"]
    assert told["facedown check-game kuhn"].count("\nok ") >= 9
    golden = here / "tests" / "golden"
    assert sorted(path.name for path in golden.iterdir()) == ["kuhn-default-2.txt", "kuhn-options.txt"]
    for path in golden.iterdir():
        assert path.read_text(encoding="utf-8") == (EXAMPLE / "tests" / "golden" / path.name).read_text(
            encoding="utf-8"
        )
    assert shutil.which("facedown", path=environment["PATH"]) == str(programs / "facedown")
