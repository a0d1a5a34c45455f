"""`facedown check-game` finds what is wrong with a game: the example game with one mistake at a time."""

from __future__ import annotations

import re
import shutil
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from facedown.check import page_layout
from facedown.terminal.cli import run
from tests.examples.installed_game import EXAMPLE, ROOT, InstalledGame, install
from tests.nightly_selection import mostly


@dataclass(frozen=True)
class Mistake:
    """A text in a file of the game, its replacement, the check that finds the mistake, and the check's message."""

    file: str
    text: str
    instead: str
    check: str
    says: str


WRITTEN = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8"))
MISTAKES = {name: Mistake(**given) for name, given in WRITTEN.items()}
#: Mistakes that are tested every day. The long run tests the others.
DAILY = ("a card is lost", "no button", "a step tells a card", "a prompt points nowhere", "an error on the way")


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> InstalledGame:
    return install(EXAMPLE, tmp_path_factory.mktemp("kuhn"))


def with_mistake(kuhn: InstalledGame, folder: Path, mistake: Mistake) -> InstalledGame:
    """Return the installed game with a mistake in it."""
    site = folder / "site"
    shutil.copytree(kuhn.site, site, ignore=shutil.ignore_patterns("__pycache__"))
    file = site / "facedown_kuhn" / mistake.file
    text = file.read_text(encoding="utf-8")
    assert mistake.text in text
    file.write_text(text.replace(mistake.text, mistake.instead), encoding="utf-8")
    return replace(kuhn, site=site)


@pytest.mark.parametrize("name", mostly(MISTAKES, DAILY, ()))
def test_check_game_finds_and_explains_each_mistake_planted_in_a_game(
    name: str, kuhn: InstalledGame, tmp_path: Path
) -> None:
    mistake = MISTAKES[name]
    wrong = with_mistake(kuhn, tmp_path, mistake)
    command = ("facedown", "check-game", "kuhn", "--only", mistake.check, "--seed", "1")
    done = wrong.run(*command, FACEDOWN_INTERPRETED="1")
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(rf"^FAILED +{mistake.check}\b", done.stdout, re.MULTILINE)
    assert mistake.says in done.stdout
    assert done.stdout.endswith("1 check failed.\n")


def test_check_game_warns_about_state_fields_without_a_declared_meaning(
    kuhn: InstalledGame, capsys: pytest.CaptureFixture[str]
) -> None:
    done = kuhn.run("facedown", "check-game", "kuhn", "--only", "words", FACEDOWN_INTERPRETED="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning: plain numbers to learners" in done.stdout
    assert "hand_number, phase, starter, paid, score, total" in done.stdout
    assert run(["check-game", "detect", "--only", "words"]) == 0
    assert "warning" not in capsys.readouterr().out


@pytest.mark.slow
def test_check_game_finds_rules_that_differ_when_compiled(kuhn: InstalledGame, tmp_path: Path) -> None:
    """Compiled, the sum of two small numbers is a large one. Interpreted, NumPy lets it wrap."""
    mistake = Mistake("rules.py", "s.hand_number += 1", "s.hand_number += np.int8(100) + np.int8(100)", "", "")
    done = with_mistake(kuhn, tmp_path, mistake).run("facedown", "check-game", "kuhn", "--only", "two-speeds")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "rules differ" in done.stdout or "interpreted rules" in done.stdout


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(
    ("css", "says"),
    [("& .actions { display: none }", "the button “Check”"), ("& .hand-area { margin-left: 90vw }", "card-0")],
)
def test_check_game_reports_parts_of_a_page_that_cannot_be_seen(
    css: str, says: str, kuhn: InstalledGame, tmp_path: Path
) -> None:
    hiding = Mistake("art.py", 'ART = Art("kuhn", COLOURS, ', f'ART = Art("kuhn", COLOURS, css="{css}", ', "", "")
    done = with_mistake(kuhn, tmp_path, hiding).run("facedown", "check-game", "kuhn", "--only", "layout")
    assert done.returncode == 1, done.stdout + done.stderr
    assert says in done.stdout
    assert "320×640" in done.stdout


def test_check_game_without_a_browser_reports_that_the_layout_was_not_checked(
    kuhn: InstalledGame, tmp_path: Path
) -> None:
    """Without Playwright the command succeeds, except with `--strict`."""
    (tmp_path / "playwright").mkdir()
    (tmp_path / "playwright" / "__init__.py").write_text("raise ImportError")
    without = replace(kuhn, site=tmp_path)
    shutil.copytree(kuhn.site, tmp_path, dirs_exist_ok=True)
    for strict, code in (((), 0), (("--strict",), 1)):
        done = without.run("facedown", "check-game", "kuhn", "--only", "layout", *strict)
        assert done.returncode == code, done.stdout + done.stderr
        assert "skipped  layout" in done.stdout
        assert "pip install playwright" in done.stdout
        assert done.stdout.endswith("No check failed, but 1 was skipped.\n")


def test_check_game_prints_the_same_for_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for _ in range(2):
        assert run(["check-game", "detect", "--only", "evaluation", "--only", "words", "--seed", "7"]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert told[0].startswith("detect, seed 7 (repeat with --seed 7)\n")


def test_layout_check_and_page_script_have_the_same_list_of_animated_page_elements() -> None:
    source = (ROOT / "web" / "src" / "layout_transitions.js").read_text(encoding="utf-8")
    assert re.findall(r'const PARTS =\s*"(.+)";', source) == [page_layout.PARTS]
