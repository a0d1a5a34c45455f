"""The example of a game from elsewhere: `pip install ./examples/kuhn`, and it is there in every part of the house."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person, Server
from tests.examples.installed import EXAMPLE, ROOT, Installed, install

pytestmark = pytest.mark.timeout(600)

#: The whole of the example in lines, its bot included and its tests apart.
MOST_LINES = 290


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(EXAMPLE, tmp_path_factory.mktemp("kuhn"))


def test_it_is_small() -> None:
    files = sorted((EXAMPLE / "facedown_kuhn").glob("**/*.py"))
    assert len(files) >= 5
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files) <= MOST_LINES


@pytest.mark.slow
def test_its_own_tests_pass(kuhn: Installed) -> None:
    done = kuhn.run("pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLE / "tests"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\d\d passed", done.stdout)


@pytest.mark.slow
def test_it_is_what_a_game_has_to_be(kuhn: Installed, seed: int) -> None:
    checks = ("words", "laws", "perft", "two-speeds", "non-interference", "steps", "bots", "evaluation", "guide")
    only = [word for check in checks for word in ("--only", check)]
    done = kuhn.run("facedown", "check-game", "kuhn", "--strict", "--seed", str(seed % 10**9), *only)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall(r"^ok ", done.stdout, re.MULTILINE)) == len(checks)
    assert "2 seats: 1, 2, 4, 5, 5, 8, 16," in done.stdout
    assert done.stdout.endswith("All is well.\n")


@pytest.mark.slow
@pytest.mark.browser
def test_everything_of_it_can_be_seen_on_the_page(kuhn: Installed) -> None:
    done = kuhn.run("facedown", "check-game", "kuhn", "--strict", "--only", "layout")
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_listed_and_explained(kuhn: Installed) -> None:
    assert re.search(r"^kuhn +2 players", kuhn.run("facedown", "games").stdout, re.MULTILINE)
    rules = kuhn.run("facedown", "rules", "kuhn").stdout
    assert "hands(n)" in rules
    assert "THE ANSWER" in rules


@pytest.mark.slow
def test_a_match_in_the_terminal(kuhn: Installed) -> None:
    play = ("facedown", "play", "kuhn", "--options", "end=hands(3)", "--seed", "one", "--plain")
    done = kuhn.run(*play, typed="#1\n" * 40)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"(You|Juniper) wins?\.|share the win\.", done.stdout), done.stdout
    saved = next(kuhn.data.rglob("kuhn-*.match"))
    assert "wins" in kuhn.run("facedown", "replay", str(saved)).stdout
    assert kuhn.run("facedown", "verify", str(saved)).returncode == 0


def test_an_arena_of_its_bots(kuhn: Installed) -> None:
    """Random moves lose: an equilibrium is not beaten, and whoever folds a king gives it chips."""
    arena = "arena kuhn greedy random --deals 60 --options end=hands(50) --format json"
    done = kuhn.run("facedown", *arena.split())
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {row["bot"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["greedy"]["first"] > rows["random"]["first"]


@pytest.fixture
def server(kuhn: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
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
def test_a_match_in_the_browser(server: Server, chromium_once: Browser, seed: int) -> None:
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


def test_a_package_that_cannot_be_loaded_takes_no_game_with_it(kuhn: Installed) -> None:
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
    assert "the game of facedown_broken cannot be loaded" in done.stderr
    assert str(ROOT) not in done.stdout
