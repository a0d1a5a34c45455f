"""Lock files, links between pages, and the setup by table.py and check.py."""

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
LOCK_FILES = sorted((ROOT / "requirements").glob("*.txt"))


def locked_versions(name: str) -> dict[str, str]:
    """Return the packages of a lock file with their versions."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    return {m[1]: m[2] for m in re.finditer(r"^([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?==(\S+)", text, re.MULTILINE)}


def required_packages(extra: str = "") -> list[Requirement]:
    """Return the requirements in ``pyproject.toml``, including the extras that an extra refers to."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = []
    for text in project["optional-dependencies"][extra] if extra else project["dependencies"]:
        requirement = Requirement(text)
        if requirement.name == "facedown":
            found += [r for inner in sorted(requirement.extras) for r in required_packages(inner)]
        else:
            found.append(requirement)
    return found


@pytest.mark.parametrize(("name", "extras"), [("table", [""]), ("checks", ["", "dev"])])
def test_lock_files_satisfy_the_requirements_of_pyproject(name: str, extras: list[str]) -> None:
    have = locked_versions(name)
    asked = [requirement for extra in extras for requirement in required_packages(extra)]
    assert len(asked) >= 10
    for requirement in asked:
        assert requirement.name in have, f"{requirement} is not locked: run tools/lock_requirements.py"
        version = have[requirement.name]
        assert requirement.specifier.contains(version), f"{requirement}: locked is {version}"


def test_packages_in_both_lock_files_have_the_same_versions() -> None:
    assert locked_versions("table").items() <= locked_versions("checks").items()


@pytest.mark.parametrize("path", LOCK_FILES, ids=lambda p: p.name)
def test_every_locked_package_has_a_hash_and_no_url(path: Path) -> None:
    text = path.read_text()
    entries = re.split(r"\n(?=[a-zA-Z])", text.split("\n", 2)[2])
    assert len(entries) > 20
    for entry in entries:
        assert "--hash=sha256:" in entry, entry.splitlines()[0]
    assert "://" not in text


#: The pages for readers.
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_targets_of_relative_links_between_documentation_pages_exist(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://|mailto:|#)([^)#\s]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} points at {target}"


def test_setup_on_an_old_python_prints_the_required_version() -> None:
    script = (
        "import sys; sys.version_info = (3, 9, 1); sys.argv = ['table.py'];"
        "from tools.virtual_environment import ensure_environment; ensure_environment('')"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "Facedown needs Python 3.11 or newer; this is 3.9.1. Try: python3.11 table.py\n"


@pytest.mark.parametrize("script", ["table.py", "check.py"])
def test_ctrl_c_during_setup_prints_one_line(script: str) -> None:
    """Ctrl-C while packages are installed."""
    program = (
        "import runpy, sys; from tools import virtual_environment; sys.argv = [sys.argv[1]]\n"
        "def interrupted(packages): raise KeyboardInterrupt\n"
        "virtual_environment.ensure_environment = interrupted; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", program, script], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Stopped.\n")


def test_setup_scripts_parse_with_python_3_8() -> None:
    """The scripts that report a Python that is too old use no syntax newer than 3.8."""
    for name in (
        "table.py",
        "check.py",
        "tools/__init__.py",
        "tools/virtual_environment.py",
        "tools/nightly_sources.py",
    ):
        ast.parse((ROOT / name).read_text(encoding="utf-8"), name, feature_version=(3, 8))
