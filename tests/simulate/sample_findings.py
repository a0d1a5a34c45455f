"""Sample findings for tests (``findings.json``): of one rule set, and of two on the same deals.

Of the two, B has shorter rounds and more penalties, except in the findings called "unclear".
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from facedown.simulate.confidence_intervals import Estimate
from facedown.simulate.findings import Findings, Side, findings_from_json

MADE = json.loads(Path(__file__).with_name("findings.json").read_text(encoding="utf-8"))


def changed(found: Side, **values: Estimate) -> Side:
    """Return findings of a side with other values of some figures, by their keys."""
    figures = tuple(replace(each, value=values.get(each.key, each.value)) for each in found.figures)
    return replace(found, figures=figures)


def made(name: str) -> Findings:
    """Return findings by their name."""
    return findings_from_json(json.dumps(MADE[name]))


def compared() -> Findings:
    """Return findings of two rule sets on the same deals."""
    return made("compared")


def alone() -> Findings:
    """Return findings of one rule set."""
    return made("alone")
