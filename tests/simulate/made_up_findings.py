"""Findings made up for tests (``findings.json``): of one rule set, and of two on the same deals.

Of the two, B has shorter rounds and more frequent penalties; or, where nothing can be told, it has not.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from facedown.simulate.confidence_intervals import Estimate
from facedown.simulate.findings import Findings, Side, read

MADE = json.loads(Path(__file__).with_name("findings.json").read_text(encoding="utf-8"))


def changed(found: Side, **values: Estimate) -> Side:
    """The same with other values of figures, by their keys."""
    figures = tuple(replace(each, value=values.get(each.key, each.value)) for each in found.figures)
    return replace(found, figures=figures)


def made(name: str) -> Findings:
    """Findings by their name."""
    return read(json.dumps(MADE[name]))


def compared() -> Findings:
    """Two rule sets on the same deals."""
    return made("compared")


def alone() -> Findings:
    """One rule set, measured."""
    return made("alone")
