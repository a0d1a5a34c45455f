"""``facedown check-game``: is a game what a game has to be? For those who write one."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

from facedown.terminal.naming import GameName
from facedown.terminal.problems import FAILED, FINE, Problem


def check_game(
    game: GameName,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Draws the same cases again; otherwise others each time.")
    ] = None,
    only: Annotated[list[str] | None, typer.Option(metavar="CHECK", help="Only this one; may be given again.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail, too, where a check cannot be run here.")] = False,
) -> int:
    """Check a game: words, laws, both speeds, what is hidden, bots, guide, layout. 1 is a check that failed."""
    from facedown.check.checks import NAMES, Checks

    for name in only or ():
        if name not in NAMES:
            raise Problem(f"there is no check {name}: there are {', '.join(NAMES)}")
    drawn = secrets.randbits(32) if seed is None else seed
    print(f"{game}, seed {drawn} (again with --seed {drawn})")
    failed = left_out = 0
    for check in Checks(game, drawn).run(only or ()):
        failed += not check.passed
        left_out += bool(check.left_out)
        result = "not run" if check.left_out else "ok" if check.passed else "FAILED"
        print(f"{result:<8} {check.name:<17} {check.left_out or check.figures}".rstrip(), flush=True)
        for problem in check.problems:
            print(f"         {problem}")
    print(_verdict(failed, left_out))
    return FAILED if failed or (strict and left_out) else FINE


def _verdict(failed: int, left_out: int) -> str:
    """The last line.

    >>> _verdict(0, 0), _verdict(0, 1), _verdict(2, 0)
    ('All is well.', 'All is well, but 1 was not run.', '2 failed.')
    """
    if failed:
        return f"{failed} failed."
    return f"All is well, but {left_out} {'was' if left_out == 1 else 'were'} not run." if left_out else "All is well."
