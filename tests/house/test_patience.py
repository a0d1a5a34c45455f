"""Tests wait as long as a busy machine needs: none relies on the five seconds of a client."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ASKING = ("Client", "AsyncClient", "get", "post", "put", "delete", "request", "stream")


def impatient(tree: ast.AST, lines: bool) -> list[int]:
    """Where a client of httpx is made or asked, or (with `lines`) a line of websockets opened, without any patience."""
    found = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        match call.func:
            case ast.Attribute(value=ast.Name(id="httpx"), attr=name) if name in ASKING:
                wanted = "timeout"
            case ast.Name(id="connect") if lines:
                wanted = "open_timeout"
            case _:
                continue
        given = {word.arg for word in call.keywords}
        # What is given as a whole is looked at where it is made.
        if not given & {wanted, None}:
            found.append(call.lineno)
    return found


def test_no_test_is_impatient() -> None:
    wrong = []
    for path in sorted(TESTS.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = any("websockets" in line and "import" in line and "connect" in line for line in text.splitlines())
        wrong += [f"{path.relative_to(TESTS)}:{line}" for line in impatient(ast.parse(text), lines)]
    assert wrong == []


def test_impatience_is_found() -> None:
    tree = ast.parse("httpx.get(a)\nhttpx.Client(timeout=3)\nconnect(a)\nconnect(a, **named)\n")
    assert impatient(tree, lines=True) == [1, 3]
    assert impatient(tree, lines=False) == [1]
