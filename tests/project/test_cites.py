"""What the code and the pages cite of the rules stands in the rules: sections ("rules 3.5") and rulings ("RVL-7")."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.project.test_files import ROOT

RULES = ROOT / "docs" / "rules"
#: Where a cite may be.
CITING = ("src/**/*.py", "src/**/*.html", "src/**/*.md", "tests/**/*.py", "tests/**/*.txt", "docs/**/*.md", "*.md")
WEB = ("web/src/**/*.js", "web/styles/**/*.css", "web/test/**/*.js", "benchmarks/**/*.py", "tools/**/*.py")
#: "rules 3.5", "rules 3.2, 3.7 and 3.8", "rules 3.5 to 3.8"; an older way of citing stands nowhere.
SECTIONS = re.compile(r"\b(?:[Rr]ules|SPEC) (\d+(?:\.\w+)*(?:(?:, | and | to )\d+(?:\.\w+)*)*)")
#: "3.A.4" is a section of no page here.
ELSEWHERE = re.compile(r"(?<![\w.])(?<!SPEC )\d\.[A-Z]\.\d+\b")
#: "RVL-7". Licences and encodings are written alike.
RULINGS = re.compile(r"(?<![\w-])(?!UTF|SHA|BSD|AGPL|OFL|PSF|MPL|GPL|ISO)[A-Z]{2,4}-\d+(?![\w-])")
#: A name of a worked example or of a ruling at the head of a test's id, "RE-03-ruff".
HEADS = re.compile(r"""["'](?!UTF|SHA|BSD|AGPL|OFL|PSF|MPL|GPL|ISO)([A-Z]{2,4}-\d+)""")


def in_rules(pattern: str) -> set[str]:
    """What a pattern finds at the beginning of a line of the rules."""
    texts = (page.read_text(encoding="utf-8") for page in RULES.glob("*.md"))
    return {found for text in texts for found in re.findall(pattern, text, re.MULTILINE)}


def known() -> set[str]:
    """The numbers of all sections, and the ids in the tables of rulings."""
    return in_rules(r"^##+ (\d+\.\d+) ") | in_rules(r"^\| ([A-Z]+-\d+) \|")


def cited(text: str) -> Iterator[str]:
    """What a text cites of the rules."""
    for found in SECTIONS.findall(text):
        yield from re.split(r", | and | to ", found)
    yield from RULINGS.findall(text)
    yield from HEADS.findall(text)
    yield from ELSEWHERE.findall(text)


def missing(text: str) -> list[str]:
    """What a text cites that stands nowhere in the rules."""
    return sorted(set(cited(text)) - known())


def test_the_rules_have_sections_and_rulings() -> None:
    assert {"1.5", "3.5", "3.10", "4.7", "5.10", "REV-16", "DET-1", "RVL-20", "UNC-15", "SCT-18"} <= known()
    for page in RULES.glob("[!R]*.md"):
        headings = re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        numbers = [heading.split(" ")[0] for heading in headings]
        game = numbers[0].split(".")[0]
        assert numbers == [f"{game}.{number}" for number in range(1, len(numbers) + 1)], page.name


@pytest.mark.parametrize(
    "bad", ["rules 3.99", "SPEC 3.A.4", "the deal (3.A.2)", "rules 3.5 to 9.1", "(REV-99)", '"RE-03-ruff"']
)
def test_an_invented_cite_is_found(bad: str) -> None:
    assert len(missing(f"As it says in {bad}.")) == 1


def test_what_is_no_cite_is_let_pass() -> None:
    assert not missing("UTF-8, SHA-256 and BSD-3; the rules of 3 games; version 3.99; rules 3.2, 3.7 and 3.8; RVL-7")


def test_every_cite_of_the_rules_stands_in_them() -> None:
    files = [file for pattern in CITING + WEB for file in ROOT.glob(pattern) if "node_modules" not in file.parts]
    texts = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}
    assert sum(len(list(cited(text))) for text in texts.values()) > 200
    found = {name: lacking for name, text in texts.items() if (lacking := missing(text))}
    # This file invents some.
    found.pop("tests/project/test_cites.py", None)
    assert not found
