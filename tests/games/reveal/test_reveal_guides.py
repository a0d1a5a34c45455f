"""Reveal's guide and rules in every language: the same places, the same figures, the same rulings."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from facedown.core.language import SOURCE, languages
from facedown.games import reveal

ROOM = Path(reveal.__file__).parent
RULES = Path(__file__).resolve().parents[3] / "docs" / "rules"
OTHERS = [code for code in languages() if code != SOURCE]
ENGLISH = (ROOM / "guide.md").read_text(encoding="utf-8")


def anchors(text: str) -> list[str]:
    return re.findall(r"^#+ .*\{#([a-z-]+)\}$", text, re.MULTILINE)


def figures(text: str) -> list[dict[str, object]]:
    found = [json.loads(one) for one in re.findall(r"```figure\n(.*?)\n```", text, re.DOTALL)]
    return [{name: value for name, value in figure.items() if name != "caption"} for figure in found]


def captions(text: str) -> list[str]:
    return [json.loads(one)["caption"] for one in re.findall(r"```figure\n(.*?)\n```", text, re.DOTALL)]


def slug(heading: str) -> str:
    """The anchor that a heading of the English rules has by itself."""
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


def test_the_guide_begins_with_a_summary() -> None:
    assert anchors(ENGLISH)[0] == "in-short"
    summary = ENGLISH.split("{#in-short}")[1].split("\n## ")[0]
    assert 3 <= summary.count("\n* ") <= 5


@pytest.mark.parametrize("code", OTHERS)
def test_a_translated_guide_has_the_same_places_and_figures(code: str) -> None:
    text = (ROOM / f"guide.{code}.md").read_text(encoding="utf-8")
    assert anchors(text) == anchors(ENGLISH)
    assert figures(text) == figures(ENGLISH)
    assert all(one != other for one, other in zip(captions(text), captions(ENGLISH), strict=True))


@pytest.mark.parametrize("code", OTHERS)
def test_translated_rules_have_the_same_rulings_and_options(code: str) -> None:
    english = (RULES / "reveal.md").read_text(encoding="utf-8")
    text = (RULES / code / "reveal.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (REV-\d+) ", text, re.MULTILINE) == re.findall(r"^\| (REV-\d+) ", english, re.MULTILINE)
    headings = re.findall(r"^## (.+)$", english, re.MULTILINE)
    assert re.findall(r'^## .* <a id="([^"]+)"></a>$', text, re.MULTILINE) == [slug(one) for one in headings]
    assert set(re.findall(r"`([a-z_]+) = `", text)) == set(re.findall(r"`([a-z_]+) = `", english))
