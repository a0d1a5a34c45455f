"""``facedown score`` and ``facedown solve``: JSON in, JSON out; what is wrong is named by its line."""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from types import ModuleType
from typing import Any

from facedown.core.game import info
from facedown.terminal.problems import BAD_INPUT, FINE, Problem


def _module(name: str, missing: str) -> ModuleType:
    if importlib.util.find_spec(name) is None:
        raise Problem(missing)
    return importlib.import_module(name)


def score(game: str, example: bool) -> None:
    """Score the game on the standard input, or show what to give."""
    about = info(game)
    scorer = _module(f"facedown.games.{game}.score", f"{about.title} cannot be scored here")
    if example:
        print(json.dumps(scorer.EXAMPLE, indent=2, ensure_ascii=False))
        return
    text = sys.stdin.read()
    try:
        given = json.loads(text)
    except json.JSONDecodeError as problem:
        raise Problem(f"line {problem.lineno}: this is no JSON: {problem.msg}") from None
    if not isinstance(given, dict):
        raise Problem(f"line 1: an object in braces is expected; “facedown score {game} --example” shows one")
    try:
        result: dict[str, Any] = scorer.score(given)
    except ValueError as problem:
        raise Problem(str(problem)) from None
    print(json.dumps(result, indent=2, ensure_ascii=False))


def solve(game: str) -> int:
    """Solve the boards on the standard input, a line each; bad ones are named and the rest is still solved."""
    info(game)
    solver = _module(f"facedown.solvers.{game}", f"there is no solver for {game}: there is one for uncovered")
    if not hasattr(solver, "solve_lines"):
        raise Problem(f"there is no solver for {game} on the command line: there is one for uncovered")
    code = FINE
    for answer in solver.solve_lines(sys.stdin):
        bad = isinstance(answer, solver.BadLine)
        print(answer.text(), file=sys.stderr if bad else sys.stdout, flush=True)
        if bad:
            code = BAD_INPUT
    return code
