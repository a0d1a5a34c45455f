"""The worked examples do what they say."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.docs.conftest import ROOT

EXAMPLES = ROOT / "docs" / "examples"
SAYS = {
    "a_rule_change": (300, r"300 matches cannot tell: between [+-]\d+\.\d\d |A seat has [+-]\d+\.\d\d .* 300 "),
    "a_bot": (4, r"Longest won [0-4] of 4 matches against three bots that play at random\.\n"),
}


def test_all_of_them_are_looked_at() -> None:
    assert {file.stem for file in EXAMPLES.glob("*.py")} == set(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_an_example(name: str) -> None:
    matches, said = SAYS[name]
    script = f"import runpy; print(runpy.run_path({str(EXAMPLES / name)!r} + '.py')['main']({matches}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.match(said, done.stdout), done.stdout


def test_the_bot_is_better_than_chance() -> None:
    """Twelve matches of four seats: chance would win three of them."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        import a_bot  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(EXAMPLES))
    scores = [a_bot.play(seed) for seed in range(12)]
    assert sum(ours > max(others) for ours, *others in scores) >= 8
