"""A rule that counts with a number is never given a field's own narrow integer.

Compiled, a narrow integer is widened by the first sum; interpreted it is numpy's, which wraps (``7 << int8(6)`` is -64)
or raises. Both speeds of a rule agree only if it is widened before: ``remove(s, seat, wide(s.column))``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house.test_files import ROOT

RULES = [ROOT / "src/facedown/core/slots.py", *sorted((ROOT / "src/facedown/games").rglob("*.py"))]
#: What a state is called where rules are written.
STATES = ("s", "out", "state", "view")


def rules_of(path: Path) -> Iterator[ast.FunctionDef]:
    """The functions of a file that are marked as rules."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and "rule" in map(ast.unparse, node.decorator_list):
            yield node


def is_field(value: ast.expr) -> bool:
    """`s.turn`, `s.up[seat]`: a number as the record keeps it."""
    while isinstance(value, ast.Subscript):
        value = value.value
    return isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id in STATES


def narrow(rules: list[ast.FunctionDef]) -> list[str]:
    """Where a field is given for an `int` to one of these rules, or something is shifted by one."""
    takes = {rule.name: [each.annotation for each in rule.args.args] for rule in rules}
    found = []
    for rule in rules:
        for call in (node for node in ast.walk(rule) if isinstance(node, ast.Call)):
            wanted = takes.get(ast.unparse(call.func).rpartition(".")[2], [])
            for kind, value in zip(wanted, call.args, strict=False):
                if kind is not None and ast.unparse(kind) == "int" and is_field(value):
                    found.append(f"{rule.name}: {ast.unparse(call)}")
        for shift in (node for node in ast.walk(rule) if isinstance(node, ast.BinOp)):
            if isinstance(shift.op, ast.LShift) and is_field(shift.right):
                found.append(f"{rule.name}: {ast.unparse(shift)}")
    return found


def test_rules_are_given_wide_numbers() -> None:
    rules = [rule for path in RULES for rule in rules_of(path)]
    assert len(rules) > 150
    assert narrow(rules) == []


def test_a_narrow_number_is_seen() -> None:
    lines = "def remove(s: State, column: int): ...", "def apply(s: State): remove(s, s.of[1]); s.acting = 1 << s.turn"
    rules = [rule for rule in ast.parse("\n".join(lines)).body if isinstance(rule, ast.FunctionDef)]
    assert narrow(rules) == ["apply: remove(s, s.of[1])", "apply: 1 << s.turn"]
