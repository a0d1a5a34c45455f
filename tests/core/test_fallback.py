"""Interpreted fallback: what is called, compiled or plain, at each moment."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from facedown.core.compile import fallback, jit
from facedown.core.rule import INTERPRETED, rule
from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

#: Compiles `double` for an integer, as another process does.
COMPILE = "from facedown.core.rule import rule; from tests.core.test_fallback import double; rule(double)(1)"


def double(number: int) -> int:
    """A rule of its own for this test."""
    return 2 * number


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache with nothing in it, and no fallback left behind."""
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    yield tmp_path
    fallback.disable()


def is_compiled(entry: Any) -> bool:
    return bool(entry.overloads)


def compile_elsewhere() -> None:
    subprocess.run([sys.executable, "-c", COMPILE], check=True, timeout=PATIENCE)


def test_a_rule_is_plain_until_it_is_found_in_the_cache() -> None:
    entry: Any = rule(double)
    assert fallback.enable()
    assert (entry(3), is_compiled(entry)) == (6, False)
    compile_elsewhere()
    assert (entry(3), is_compiled(entry)) == (6, False), "it looked for the file at every call"
    fallback.recheck_cache()
    assert (entry(3), is_compiled(entry)) == (6, True)


@pytest.mark.parametrize("begun", [True, False])
def test_after_the_end_or_without_the_fallback_a_rule_is_compiled_at_once(begun: bool) -> None:
    entry: Any = rule(double)
    if begun:
        fallback.enable()
        entry(3)
        fallback.disable()
    fallback.recheck_cache()
    assert (entry(3), is_compiled(entry)) == (6, True)


def test_it_is_said_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """`test_coaching` shows that such a line is printed at a terminal, if it takes long."""
    lines: list[str] = []
    monkeypatch.setattr(jit, "print_if_slow", lambda text: nullcontext(lines.append(text)))
    rule(double)(3)
    assert lines == ["Compiling tests.core.test_fallback.double, this first time only …"]


def test_a_call_that_began_plain_stays_plain() -> None:
    inner: Any = rule(double)

    def outer(number: int) -> int:
        fallback.disable()
        return int(inner(number))

    entry: Any = rule(outer)
    fallback.enable()
    assert (entry(3), is_compiled(inner)) == (6, False)
    assert (inner(3), is_compiled(inner)) == (6, True)


def test_a_plain_call_may_leave_out_what_has_a_default() -> None:
    def times(number: int, factor: int = 2) -> int:
        return number * factor

    inner: Any = rule(times)

    def outer(number: int) -> int:
        return int(inner(number)) + int(inner(number, 3))

    fallback.enable()
    assert (inner(5), rule(outer)(5), is_compiled(inner)) == (10, 25, False)


def test_an_error_ends_the_plain_call() -> None:
    def fail(number: int) -> int:
        raise ValueError(number)

    fallback.enable()
    with pytest.raises(ValueError, match="3"):
        rule(fail)(3)
    entry: Any = rule(double)
    fallback.disable()
    assert (entry(3), is_compiled(entry)) == (6, True)


def test_arguments_that_numba_does_not_know_are_left_to_the_plain_function() -> None:
    fallback.enable()
    assert rule(double)([1]) == [1, 1]  # type: ignore[arg-type, comparison-overlap]
    assert rule(double)(object.__new__(Doubled)) == "doubled"  # type: ignore[arg-type, comparison-overlap]


class Doubled:
    """Numba has no type for it."""

    def __rmul__(self, factor: int) -> str:
        return "doubled"


def test_a_cache_that_cannot_be_written_turns_nothing_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", "/dev/null/cache")
    entry: Any = rule(double)
    assert not fallback.enable()
    assert (entry(3), is_compiled(entry)) == (6, True)


def test_another_numba_compiles_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fallback.numba, "__version__", "0.99.0")
    entry: Any = rule(double)
    assert fallback.COMPILE_METHOD not in vars(entry)
    assert not fallback.enable()
    assert (entry(3), is_compiled(entry)) == (6, True)
