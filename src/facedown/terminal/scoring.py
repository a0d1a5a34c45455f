"""``facedown score`` and ``facedown solve``: JSON in, JSON out; what is wrong is named by its line."""

from __future__ import annotations

import json
import sys

from facedown.core.game import catalogue, game
from facedown.terminal.problems import BAD_INPUT, FINE, Problem


def score(name: str, example: bool) -> None:
    """Score the game on the standard input, or show what to give."""
    scorer = game(name).scorekeeper
    if scorer is None:
        raise Problem(f"{game(name).info.title} cannot be scored here")
    if example:
        print(json.dumps(scorer.example, indent=2, ensure_ascii=False))
        return
    text = sys.stdin.read()
    try:
        given = json.loads(text)
    except json.JSONDecodeError as problem:
        raise Problem(f"line {problem.lineno}: this is no JSON: {problem.msg}") from None
    if not isinstance(given, dict):
        raise Problem(f"line 1: an object in braces is expected; “facedown score {name} --example” shows one")
    try:
        result = scorer.score(given)
    except ValueError as problem:
        raise Problem(str(problem)) from None
    print(json.dumps(result, indent=2, ensure_ascii=False))


def solve(name: str) -> int:
    """Solve the positions on the standard input, a line each; bad ones are named and the rest is still solved."""
    answers = game(name).solver.answers
    if answers is None:
        solved = [each for each in catalogue() if game(each).solver.answers is not None]
        raise Problem(f"there is no solver for {name}: there is one for {', '.join(solved) or 'none'}")
    code = FINE
    for answer in answers(sys.stdin):
        print(answer.text(), file=sys.stderr if answer.bad else sys.stdout, flush=True)
        if answer.bad:
            code = BAD_INPUT
    return code
