"""The example game, Kuhn poker: installed as a package it works in every part of the program, as its tutorial says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from facedown.check.checks import CHECK_NAMES
from tests.browser.players import Person, Server
from tests.examples.installed_game import EXAMPLE, ROOT, InstalledGame, install

pytestmark = pytest.mark.timeout(600)

#: Largest number of lines of the example, with its bot and without its tests.
MOST_LINES = 290


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> InstalledGame:
    return install(EXAMPLE, tmp_path_factory.mktemp("kuhn"))


def test_example_game_has_at_most_290_lines() -> None:
    files = sorted((EXAMPLE / "facedown_kuhn").glob("**/*.py"))
    assert len(files) >= 5
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= MOST_LINES


@pytest.mark.slow
def test_own_tests_of_the_example_game_pass(kuhn: InstalledGame) -> None:
    done = kuhn.run("pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLE / "tests"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\d\d passed", done.stdout)


@pytest.mark.slow
@pytest.mark.browser
def test_example_game_passes_the_check_of_its_page_layout(kuhn: InstalledGame) -> None:
    done = kuhn.run("facedown", "check-game", "kuhn", "--strict", "--only", "layout")
    assert done.returncode == 0, done.stdout + done.stderr


def test_installed_example_game_is_listed_and_its_rules_are_printed_in_the_terminal(kuhn: InstalledGame) -> None:
    assert re.search(r"^kuhn +2 players", kuhn.run("facedown", "games").stdout, re.MULTILINE)
    rules = kuhn.run("facedown", "rules", "kuhn").stdout
    assert "hands(n)" in rules
    assert "ANSWERING A BET" in rules


@pytest.mark.slow
def test_match_of_the_example_game_is_played_replayed_and_verified_in_the_terminal(kuhn: InstalledGame) -> None:
    play = ("facedown", "play", "kuhn", "--options", "end=hands(3)", "--seed", "one", "--plain")
    done = kuhn.run(*play, typed="#1\n" * 40)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"(You|Juniper) wins?\.|share the win\.", done.stdout), done.stdout
    saved = next(kuhn.data.rglob("kuhn-*.match"))
    assert "wins" in kuhn.run("facedown", "replay", str(saved)).stdout
    assert kuhn.run("facedown", "verify", str(saved)).returncode == 0


def test_greedy_bot_beats_random_play_in_an_arena_of_the_example_game(kuhn: InstalledGame) -> None:
    """Random moves lose against an equilibrium. Folding a king gives chips away."""
    arena = "arena kuhn greedy random --deals 60 --options end=hands(50) --format json"
    done = kuhn.run("facedown", *arena.split())
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {row["bot"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["greedy"]["first"] > rows["random"]["first"]


@pytest.fixture
def server(kuhn: InstalledGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that has found the game."""
    for name, value in kuhn.environment.items():
        monkeypatch.setenv(name, value)
    running = Server(tmp_path)
    try:
        yield running.start()
    finally:
        running.stop()


@pytest.mark.slow
@pytest.mark.browser
def test_match_of_the_example_game_is_played_reviewed_and_replayed_in_the_browser(
    server: Server, chromium_once: Browser, seed: int
) -> None:
    person = Person(chromium_once, server, seed, means="touch")
    person.page.goto(server.origin)
    words = person.page.inner_text("body")
    assert "Kuhn poker\n2 players\nThree cards and one bet." in words, "its aim stands where it is chosen"
    person.page.click("text=Kuhn poker")
    expect(person.page.locator("[name=option-end]"), "its options are asked for").not_to_have_count(0)
    person.new_table("kuhn", "strong", **{"end": "hands", "end-hands-0": "3"})
    assert "Kuhn poker" in person.page.inner_text("body")
    person.ready()
    person.play_until(lambda seen: bool(seen["buttons"]))
    accent = person.page.evaluate("getComputedStyle(document.querySelector('#board')).getPropertyValue('--accent')")
    assert accent.strip().lower() in ("#6b2d5c", "light-dark(#6b2d5c,#dda6cf)"), "its art's colours are on the page"
    person.play_until(lambda seen: bool(seen["over"]))
    person.page.wait_for_selector(".tally ul")
    person.page.locator("a[href^='/m/']").first.click()
    person.page.wait_for_selector("#replay")
    person.page.goto(f"{server.origin}/guide/kuhn")
    assert person.page.locator("figure .piece").count() >= 2
    assert not person.complaints
    person.context.close()


def test_game_package_that_cannot_be_loaded_is_reported_and_hides_no_other_game(kuhn: InstalledGame) -> None:
    broken = kuhn.site / "facedown_broken"
    broken.mkdir()
    (broken / "__init__.py").write_text("")
    (broken / "info.py").write_text("raise RuntimeError('no')\n")
    about = kuhn.site / "facedown_broken-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: facedown-broken\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[facedown.games]\nbroken = facedown_broken\n")
    done = kuhn.run("facedown", "games")
    assert "kuhn " in done.stdout
    assert "cannot load the game in facedown_broken" in done.stderr
    assert str(ROOT) not in done.stdout


PAGE = ROOT / "docs" / "adding-a-game.md"
#: A fenced block, and the line before it if that names a file.
BLOCK = re.compile(r"^(?:`([\w./-]+)`:\n\n)?(```+)(\w+)\n(.*?)^\2$", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str, str, str]]:
    """Return the blocks of the tutorial as (file, language, text). The file is empty for a block of commands."""
    return [(file, language, text) for file, _, language, text in BLOCK.findall(PAGE.read_text(encoding="utf-8"))]


def test_tutorial_shows_every_file_of_the_example_game_unchanged() -> None:
    files = [path for path in EXAMPLE.rglob("*") if path.is_file() and "tests" not in path.parts]
    there = {str(path.relative_to(EXAMPLE)) for path in files if "__pycache__" not in path.parts}
    assert {file for file, _, _ in blocks() if file} == there
    for file, language, text in blocks():
        if file:
            assert text == (EXAMPLE / file).read_text(encoding="utf-8"), file
        else:
            assert language == "sh"
    assert any("facedown check-game kuhn" in text.splitlines() for file, _, text in blocks() if not file)


@pytest.mark.slow
def test_game_built_by_following_the_tutorial_passes_its_checks(tmp_path: Path) -> None:
    """It is followed in an empty folder with `facedown`, `pip` and `python` on the path, without the network."""
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
        # Like `pip install .` on an author's machine, but into a folder of the test, and without downloads.
        "PIP_TARGET": str(site),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    here = tmp_path / "author"
    here.mkdir()
    told: dict[str, str] = {}
    for file, _, text in blocks():
        if file:
            (here / file).write_text(text, encoding="utf-8")
            continue
        for command in text.splitlines():
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
    checked = told["facedown check-game kuhn"]
    assert "FAILED" not in checked
    assert checked.count("\nok ") + checked.count("\nskipped ") == len(CHECK_NAMES)
    assert "2 seats: 1, 2, 4, 5, 5, 8, 16," in checked
    golden = here / "tests" / "golden"
    assert sorted(path.name for path in golden.iterdir()) == ["kuhn-default-2.txt", "kuhn-options.txt"]
    for path in golden.iterdir():
        assert path.read_text(encoding="utf-8") == (EXAMPLE / "tests" / "golden" / path.name).read_text(
            encoding="utf-8"
        )
    assert shutil.which("facedown", path=environment["PATH"]) == str(programs / "facedown")
