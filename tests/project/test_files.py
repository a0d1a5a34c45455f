"""The files around the code: what is locked, what the pages point at, what the two commands say."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
LISTS = sorted((ROOT / "requirements").glob("*.txt"))


def locked(name: str) -> dict[str, str]:
    """The packages of a lock file with their versions."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    return {m[1]: m[2] for m in re.finditer(r"^([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?==(\S+)", text, re.MULTILINE)}


def wanted(extra: str = "") -> list[Requirement]:
    """What ``pyproject.toml`` asks for, with the extras that an extra names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = []
    for text in project["optional-dependencies"][extra] if extra else project["dependencies"]:
        requirement = Requirement(text)
        if requirement.name == "facedown":
            found += [r for inner in sorted(requirement.extras) for r in wanted(inner)]
        else:
            found.append(requirement)
    return found


@pytest.mark.parametrize(("name", "extras"), [("table", [""]), ("checks", ["", "dev"])])
def test_the_lock_holds_what_the_project_asks_for(name: str, extras: list[str]) -> None:
    have = locked(name)
    asked = [requirement for extra in extras for requirement in wanted(extra)]
    assert len(asked) >= 10
    for requirement in asked:
        assert requirement.name in have, f"{requirement} is not locked: run tools/lock_requirements.py"
        version = have[requirement.name]
        assert requirement.specifier.contains(version), f"{requirement}: locked is {version}"


def test_both_lists_lock_the_same_versions() -> None:
    assert locked("table").items() <= locked("checks").items()


@pytest.mark.parametrize("path", LISTS, ids=lambda p: p.name)
def test_every_locked_package_has_a_hash_and_no_address(path: Path) -> None:
    text = path.read_text()
    entries = re.split(r"\n(?=[a-zA-Z])", text.split("\n", 2)[2])
    assert len(entries) > 20
    for entry in entries:
        assert "--hash=sha256:" in entry, entry.splitlines()[0]
    assert "://" not in text


#: The texts that people read.
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://|mailto:|#)([^)#\s]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} points at {target}"


def test_an_old_python_is_told_so() -> None:
    script = (
        "import sys; sys.version_info = (3, 9, 1); sys.argv = ['table.py'];"
        "from tools.virtual_environment import ensure_environment; ensure_environment('')"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "Facedown needs Python 3.11 or newer; this is 3.9.1. Try: python3.11 table.py\n"


@pytest.mark.parametrize("script", ["table.py", "check.py"])
def test_a_set_up_that_is_stopped_says_so_in_a_line(script: str) -> None:
    """Ctrl-C while packages are installed."""
    program = (
        "import runpy, sys; from tools import virtual_environment; sys.argv = [sys.argv[1]]\n"
        "def interrupted(packages): raise KeyboardInterrupt\n"
        "virtual_environment.ensure_environment = interrupted; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", program, script], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Stopped.\n")


def test_the_set_up_starts_on_an_old_python() -> None:
    """No syntax newer than 3.8 in what has to say that Python is too old."""
    for name in (
        "table.py",
        "check.py",
        "tools/__init__.py",
        "tools/virtual_environment.py",
        "tools/nightly_sources.py",
    ):
        ast.parse((ROOT / name).read_text(encoding="utf-8"), name, feature_version=(3, 8))
