"""Cites of the rules in code and pages exist: sections ("rules 3.5") and rulings ("RVL-7")."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.project.test_lock_files_and_links import ROOT

RULES = ROOT / "docs" / "rules"
#: Files that may contain cites.
CITING_FILES = (
    "src/**/*.py",
    "src/**/*.html",
    "src/**/*.md",
    "tests/**/*.py",
    "tests/**/*.txt",
    "docs/**/*.md",
    "*.md",
)
CITING_WEB_FILES = ("web/src/**/*.js", "web/styles/**/*.css", "web/test/**/*.js", "benchmarks/**/*.py", "tools/**/*.py")
#: Matches "rules 3.5", "rules 3.2, 3.7 and 3.8", "rules 3.5 to 3.8", and the older form "SPEC 3.5".
SECTIONS = re.compile(r"\b(?:[Rr]ules|SPEC) (\d+(?:\.\w+)*(?:(?:, | and | to )\d+(?:\.\w+)*)*)")
#: Matches "3.A.4", a section number of an older document.
OLD_SECTIONS = re.compile(r"(?<![\w.])(?<!SPEC )\d\.[A-Z]\.\d+\b")
#: Matches "RVL-7", but not names of licences and encodings.
RULINGS = re.compile(r"(?<![\w-])(?!UTF|SHA|BSD|AGPL|OFL|PSF|MPL|GPL|ISO)[A-Z]{2,4}-\d+(?![\w-])")
#: Matches the name of a worked example or of a ruling at the start of a test's id, such as "RE-03-ruff".
TEST_IDS = re.compile(r"""["'](?!UTF|SHA|BSD|AGPL|OFL|PSF|MPL|GPL|ISO)([A-Z]{2,4}-\d+)""")


def matches_in_rules(pattern: str) -> set[str]:
    """Return the matches of a pattern at the starts of lines of the rules."""
    texts = (page.read_text(encoding="utf-8") for page in RULES.glob("*.md"))
    return {found for text in texts for found in re.findall(pattern, text, re.MULTILINE)}


def known_cites() -> set[str]:
    """Return the numbers of all sections, and the ids in the tables of rulings."""
    return matches_in_rules(r"^##+ (\d+\.\d+) ") | matches_in_rules(r"^\| ([A-Z]+-\d+) \|")


def cites_in(text: str) -> Iterator[str]:
    """Yield the cites of the rules in a text."""
    for found in SECTIONS.findall(text):
        yield from re.split(r", | and | to ", found)
    yield from RULINGS.findall(text)
    yield from TEST_IDS.findall(text)
    yield from OLD_SECTIONS.findall(text)


def unknown_cites(text: str) -> list[str]:
    """Return the cites in a text that do not exist in the rules."""
    return sorted(set(cites_in(text)) - known_cites())


def test_rules_pages_have_numbered_sections_and_rulings() -> None:
    assert {"1.5", "3.5", "3.10", "4.7", "5.10", "REV-16", "DET-1", "RVL-20", "UNC-15", "SCT-18"} <= known_cites()
    for page in RULES.glob("[!R]*.md"):
        headings = re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        numbers = [heading.split(" ")[0] for heading in headings]
        game = numbers[0].split(".")[0]
        assert numbers == [f"{game}.{number}" for number in range(1, len(numbers) + 1)], page.name


@pytest.mark.parametrize(
    "bad", ["rules 3.99", "SPEC 3.A.4", "the deal (3.A.2)", "rules 3.5 to 9.1", "(REV-99)", '"RE-03-ruff"']
)
def test_check_of_rule_citations_finds_unknown_sections_and_rulings(bad: str) -> None:
    assert len(unknown_cites(f"As it says in {bad}.")) == 1


def test_version_numbers_and_names_of_standards_are_not_taken_for_rule_citations() -> None:
    assert not unknown_cites(
        "UTF-8, SHA-256 and BSD-3; the rules of 3 games; version 3.99; rules 3.2, 3.7 and 3.8; RVL-7"
    )


def test_every_section_and_ruling_cited_in_code_and_docs_exists_in_the_rules() -> None:
    files = [
        file
        for pattern in CITING_FILES + CITING_WEB_FILES
        for file in ROOT.glob(pattern)
        if "node_modules" not in file.parts
    ]
    texts = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}
    assert sum(len(list(cites_in(text))) for text in texts.values()) > 200
    found = {name: lacking for name, text in texts.items() if (lacking := unknown_cites(text))}
    # This file contains invented cites.
    found.pop("tests/project/test_cites.py", None)
    assert not found
