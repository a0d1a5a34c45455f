"""What a rule is kept under: all that its machine code is made of changes it, and nothing else does."""

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
from facedown.core.perft import count_into
from facedown.core.rule import INTERPRETED, python_function, rule
from tests.core.processes import python

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

PACKAGE = Path(facedown.__file__).resolve().parent

#: A package of two modules: a rule, and what it takes from elsewhere.
RULES = """
import enum
import numpy as np
from facedown.core import dispatch
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
PLAIN = {"suit": 1, "number": 2, "unused": 3, "row": 4, "name": "b", "right": 5, "kind": "u1", "words": "All."}


@pytest.fixture
def print_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """The fingerprint of the last rule of a module with some text in it, beside parts with some values."""
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
        (package / "parts.py").write_text(PARTS.format(**PLAIN | values))
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
def test_what_a_rule_takes_from_elsewhere_changes_it(
    print_of: Callable[..., str], body: str, change: dict[str, object]
) -> None:
    assert print_of(body) == print_of(body)
    assert print_of(body) != print_of(body, **change)


def test_a_rule_that_takes_something_unreadable_has_no_fingerprint(print_of: Callable[..., str]) -> None:
    assert print_of("return thing.points") == print_of("return called(thing)") == ""


@pytest.mark.parametrize(
    "body",
    ["return NUMBER", "return called(ROW[0]) + s.points", "'''All.'''\n    return parts.NUMBER", "return s.thing"],
)
def test_what_it_does_not_take_changes_nothing(print_of: Callable[..., str], body: str) -> None:
    """Sentences, lines, what others use; `s.points` is no use of a function of that name."""
    once = print_of(body)
    assert once == print_of(body, unused=4, words="Everything.")
    assert once == print_of(body, before="# Another line.\n\n\n")
    assert once == print_of(body.replace("All.", "Everything.") + "  # so it is")


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
def test_what_it_says_itself_changes_it(print_of: Callable[..., str], one: str, other: str) -> None:
    assert print_of(one) != print_of(other)


def test_a_rule_that_is_called_by_a_rule_that_is_called(
    print_of: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    once = print_of("return called(s)")
    monkeypatch.setitem(globals(), "RULES", RULES.replace("INNER = 7", "INNER = 8"))
    assert once != print_of("return called(s)")
    assert print_of("return s") == print_of("return s")


def test_closures_and_defaults_count() -> None:
    def made(number: int, default: int) -> str:
        @rule
        def over(s: int, more: int = default) -> int:
            return s + number + more

        return fingerprint(python_function(over), ())

    assert made(1, 1) == made(1, 1)
    assert len({made(1, 1), made(2, 1), made(1, 2)}) == 3


def test_generic_code_is_kept_for_each_game_and_never_for_none() -> None:
    kinds = {name: numba.from_dtype(game(name).dtype) for name in ("detect", "scout")}
    found = {name: fingerprint(python_function(count_into), [kind]) for name, kind in kinds.items()}
    assert len(set(found.values())) == 2
    rows = numba.types.Array(kinds["scout"], 1, "C")
    for within in (rows, numba.types.UniTuple(rows, 2), numba.types.Tuple([numba.types.int64, kinds["scout"]])):
        assert fingerprint(python_function(count_into), [within]) == found["scout"]
    assert fingerprint(python_function(count_into), []) == ""


def test_the_rules_that_a_game_is_played_by_change_generic_code(monkeypatch: pytest.MonkeyPatch) -> None:
    of = game("uncovered")
    kind = numba.from_dtype(of.dtype)
    once = fingerprint(python_function(count_into), [kind])
    module.function_contents.cache_clear()
    assert fingerprint(python_function(count_into), [kind]) == once
    module.function_contents.cache_clear()
    # It is frozen, so that nobody does this by mistake.
    monkeypatch.setitem(vars(of.rules), "legal", of.rules.apply)
    assert fingerprint(python_function(count_into), [kind]) != once


#: In a process of its own: the fingerprints of all rules there are.
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


def all_prints(folder: Path) -> list[list[str]]:
    """The fingerprints of the package in a folder; of the package under test where there is none."""
    folder.mkdir(exist_ok=True)
    found: list[list[str]] = json.loads(python(ALL, folder))
    return found


class Otherwise(ast.NodeTransformer):
    """Says something else wherever something is said about a function or class."""

    def said(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        body = node.body  # type: ignore[attr-defined]
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body[0].value.value = "Said otherwise."
        return node

    visit_FunctionDef = visit_ClassDef = visit_Module = said  # noqa: N815


@pytest.mark.slow
def test_no_word_and_no_line_of_the_house_matters_to_its_rules(tmp_path: Path) -> None:
    """All of it written anew: other docstrings, no comments, other lines. Then every rule is found again."""
    usual = all_prints(tmp_path / "usual")
    assert len(usual) > 100
    assert not [name for name, made_of in usual if not made_of], "these rules would be compiled anew by every process"
    for source in PACKAGE.rglob("*"):
        target = tmp_path / "facedown" / source.relative_to(PACKAGE)
        if source.suffix == ".py":
            target.parent.mkdir(parents=True, exist_ok=True)
            tree = Otherwise().visit(ast.parse(source.read_text(encoding="utf-8")))
            target.write_text("\n\n" + ast.unparse(tree), encoding="utf-8")
        elif source.suffix in (".json", ".npy", ".toml"):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    assert all_prints(tmp_path) == usual
