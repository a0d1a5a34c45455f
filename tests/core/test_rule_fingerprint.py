"""Fingerprints of rules in the compile cache: they change with everything that the machine code depends on."""

from __future__ import annotations

import ast
import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numba
import pytest

import facedown
from facedown.core.compile import fingerprint as module
from facedown.core.compile.fingerprint import fingerprint
from facedown.core.game_registry import game
from facedown.core.perft import write_counts_by_first_action
from facedown.core.rule import INTERPRETED, python_function, rule
from tests.core.processes import run_python

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

PACKAGE = Path(facedown.__file__).resolve().parent

#: A package of two modules: a rule, and the values that it uses from the other module.
RULES = """
import enum
import numpy as np
from facedown.core import rule_dispatch as dispatch
from facedown.core.rule import rule
from toy import parts
from toy.parts import *

INNER = 7
OTHER = 9

class Thing:
    points = 1

def points(s):
    return 1

thing = Thing()

@rule
def deep(number):
    return number + INNER

@rule
def called(number):
    return deep(number)

{body}
"""
PARTS = """
import enum
import numpy as np
from typing import NamedTuple

class Suit(enum.IntEnum):
    FOO = 1
    FAR = 2
    BAR = {suit}

class Pair(NamedTuple):
    left: int
    right: int

NUMBER = {number}
UNUSED = {unused}
ROW = np.arange({row})
NAMES = ("a", {name!r})
PAIR = Pair(1, {right})
KIND = np.dtype([("a", {kind!r})])

def sentence():
    '''{words}'''
    return "{words}"  # {words}
"""
DEFAULTS = {"suit": 1, "number": 2, "unused": 3, "row": 4, "name": "b", "right": 5, "kind": "u1", "words": "All."}


@pytest.fixture
def fingerprint_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Return the fingerprint of the last rule of a toy module, with given code and given values in a second module."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    package = tmp_path / "toy"
    package.mkdir()
    (package / "__init__.py").write_text("")

    def forget() -> None:
        for name in [name for name in sys.modules if name.partition(".")[0] == "toy"]:
            del sys.modules[name]

    def of(body: str, before: str = "", **values: object) -> str:
        forget()
        importlib.invalidate_caches()
        (package / "rules.py").write_text(before + RULES.format(body=f"@rule\ndef last(s):\n    {body}\n"))
        (package / "parts.py").write_text(PARTS.format(**DEFAULTS | values))
        return fingerprint(importlib.import_module("toy.rules").last.py_func, ())

    yield of
    forget()


@pytest.mark.parametrize(
    ("body", "change"),
    [
        ("return NUMBER", {"number": 3}),
        ("return NUMBER", {"number": 2.0}),
        ("return NUMBER", {"number": True}),
        ("return parts.NUMBER", {"number": 3}),
        ("return ROW[0]", {"row": 5}),
        ("return len(NAMES)", {"name": "c"}),
        ("return Suit.BAR", {"suit": 2}),
        ("return PAIR.right", {"right": 6}),
        ("return np.zeros(1, KIND)", {"kind": "u2"}),
    ],
    ids=str,
)
def test_fingerprint_changes_with_values_that_a_rule_uses_from_other_modules(
    fingerprint_of: Callable[..., str], body: str, change: dict[str, object]
) -> None:
    assert fingerprint_of(body) == fingerprint_of(body)
    assert fingerprint_of(body) != fingerprint_of(body, **change)


def test_a_rule_that_uses_an_object_of_unsupported_type_has_no_fingerprint(fingerprint_of: Callable[..., str]) -> None:
    assert fingerprint_of("return thing.points") == fingerprint_of("return called(thing)") == ""


@pytest.mark.parametrize(
    "body",
    ["return NUMBER", "return called(ROW[0]) + s.points", "'''All.'''\n    return parts.NUMBER", "return s.thing"],
)
def test_fingerprint_ignores_comments_docstrings_and_unused_names(
    fingerprint_of: Callable[..., str], body: str
) -> None:
    """Comments, empty lines, values that other rules use, and attributes with the name of a function."""
    once = fingerprint_of(body)
    assert once == fingerprint_of(body, unused=4, words="Everything.")
    assert once == fingerprint_of(body, before="# Another line.\n\n\n")
    assert once == fingerprint_of(body.replace("All.", "Everything.") + "  # so it is")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("return s + 1", "return s + 2"),
        ("return s + 1", "return s - 1"),
        ("return s.one", "return s.other"),
        ("return abs(s)", "return len(s)"),
        ("return INNER", "return OTHER"),
        ("return deep(s)", "return called(s)"),
        ("raise ValueError(1)", "raise TypeError(1)"),
        ("return [s + 1 for _ in range(3)]", "return [s + 2 for _ in range(3)]"),
        ("return np.ones(s)", "return np.zeros(s)"),
    ],
)
def test_fingerprint_changes_with_the_code_of_the_rule(
    fingerprint_of: Callable[..., str], one: str, other: str
) -> None:
    assert fingerprint_of(one) != fingerprint_of(other)


def test_fingerprint_changes_with_indirectly_called_rules(
    fingerprint_of: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    once = fingerprint_of("return called(s)")
    monkeypatch.setitem(globals(), "RULES", RULES.replace("INNER = 7", "INNER = 8"))
    assert once != fingerprint_of("return called(s)")
    assert fingerprint_of("return s") == fingerprint_of("return s")


def test_fingerprint_changes_with_closure_values_and_default_arguments() -> None:
    def made(number: int, default: int) -> str:
        @rule
        def over(s: int, more: int = default) -> int:
            return s + number + more

        return fingerprint(python_function(over), ())

    assert made(1, 1) == made(1, 1)
    assert len({made(1, 1), made(2, 1), made(1, 2)}) == 3


def test_shared_code_has_one_fingerprint_per_game_and_none_without_a_game_in_its_arguments() -> None:
    kinds = {name: numba.from_dtype(game(name).dtype) for name in ("detect", "scout")}
    found = {name: fingerprint(python_function(write_counts_by_first_action), [kind]) for name, kind in kinds.items()}
    assert len(set(found.values())) == 2
    rows = numba.types.Array(kinds["scout"], 1, "C")
    for within in (rows, numba.types.UniTuple(rows, 2), numba.types.Tuple([numba.types.int64, kinds["scout"]])):
        assert fingerprint(python_function(write_counts_by_first_action), [within]) == found["scout"]
    assert fingerprint(python_function(write_counts_by_first_action), []) == ""


def test_fingerprint_of_code_shared_by_games_changes_with_the_rules_of_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of = game("uncovered")
    kind = numba.from_dtype(of.dtype)
    once = fingerprint(python_function(write_counts_by_first_action), [kind])
    module.function_contents.cache_clear()
    assert fingerprint(python_function(write_counts_by_first_action), [kind]) == once
    module.function_contents.cache_clear()
    # The mapping is frozen; the test changes it on purpose.
    monkeypatch.setitem(vars(of.rules), "legal", of.rules.apply)
    assert fingerprint(python_function(write_counts_by_first_action), [kind]) != once


#: Prints the fingerprints of all rules, in a separate process.
ALL = """
import gc, importlib, json, pkgutil
import facedown.bots, facedown.core, facedown.games, facedown.simulate
from facedown.core.compile import fingerprint
from facedown.core.game_registry import catalogue, game
from numba.core.dispatcher import Dispatcher

for package in (facedown.bots, facedown.core, facedown.games, facedown.simulate):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if "prompts" not in module.name:
            importlib.import_module(module.name)
import numba
kinds = [numba.from_dtype(game(name).dtype) for name in catalogue()]
rules = [each.py_func for each in gc.get_objects() if isinstance(each, Dispatcher)]
ours = [rule for rule in rules if rule.__module__.startswith("facedown.")]
print(json.dumps(sorted([f"{one.__module__}.{one.__qualname__}", fingerprint.fingerprint(one, kinds)] for one in ours)))
"""


def all_fingerprints(folder: Path) -> list[list[str]]:
    """Return the fingerprints of the package in `folder`, or of the package under test if the folder holds none."""
    folder.mkdir(exist_ok=True)
    found: list[list[str]] = json.loads(run_python(ALL, folder))
    return found


class ReplaceDocstrings(ast.NodeTransformer):
    """Replaces every docstring of a module."""

    def replace_docstring(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        body = node.body  # type: ignore[attr-defined]
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body[0].value.value = "Said otherwise."
        return node

    visit_FunctionDef = visit_ClassDef = visit_Module = replace_docstring  # noqa: N815


@pytest.mark.slow
def test_docstrings_comments_and_line_breaks_do_not_change_the_fingerprint_of_any_rule(tmp_path: Path) -> None:
    """Write all modules with other docstrings, without comments and with other line breaks; each fingerprint stays."""
    usual = all_fingerprints(tmp_path / "usual")
    assert len(usual) > 100
    assert not [name for name, made_of in usual if not made_of], "these rules would be compiled anew by every process"
    for source in PACKAGE.rglob("*"):
        target = tmp_path / "facedown" / source.relative_to(PACKAGE)
        if source.suffix == ".py":
            target.parent.mkdir(parents=True, exist_ok=True)
            tree = ReplaceDocstrings().visit(ast.parse(source.read_text(encoding="utf-8")))
            target.write_text("\n\n" + ast.unparse(tree), encoding="utf-8")
        elif source.suffix in (".json", ".npy", ".toml", ".txt"):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    assert all_fingerprints(tmp_path) == usual
