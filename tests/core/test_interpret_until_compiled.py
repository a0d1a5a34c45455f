"""Interpreted fallback: whether a rule runs compiled or interpreted at each moment."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from facedown.core.compile import interpret_until_compiled, jit
from facedown.core.rule import INTERPRETED, rule
from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

#: Compiles `double` for an integer in another process.
COMPILE = (
    "from facedown.core.rule import rule; from tests.core.test_interpret_until_compiled import double; rule(double)(1)"
)


def double(number: int) -> int:
    """A rule that only these tests use."""
    return 2 * number


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty compile cache; the fallback is disabled at the end."""
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    yield tmp_path
    interpret_until_compiled.disable()


def is_compiled(entry: Any) -> bool:
    return bool(entry.overloads)


def compile_elsewhere() -> None:
    subprocess.run([sys.executable, "-c", COMPILE], check=True, timeout=PATIENCE)


def test_a_rule_runs_interpreted_until_its_compiled_code_is_in_the_cache() -> None:
    entry: Any = rule(double)
    assert interpret_until_compiled.enable()
    assert (entry(3), is_compiled(entry)) == (6, False)
    compile_elsewhere()
    assert (entry(3), is_compiled(entry)) == (6, False), "it looked for the file at every call"
    interpret_until_compiled.recheck_cache_at_next_call()
    assert (entry(3), is_compiled(entry)) == (6, True)


@pytest.mark.parametrize("begun", [True, False])
def test_a_rule_is_compiled_at_its_first_call_if_the_interpreted_fallback_is_disabled(begun: bool) -> None:
    entry: Any = rule(double)
    if begun:
        interpret_until_compiled.enable()
        entry(3)
        interpret_until_compiled.disable()
    interpret_until_compiled.recheck_cache_at_next_call()
    assert (entry(3), is_compiled(entry)) == (6, True)


def test_while_a_rule_compiles_a_progress_line_shows_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """`test_coach_command` checks that a terminal shows the text if it takes long."""
    lines: list[str] = []
    monkeypatch.setattr(jit, "print_if_slow", lambda text: nullcontext(lines.append(text)))
    rule(double)(3)
    assert lines == ["Compiling tests.core.test_interpret_until_compiled.double, this first time only …"]


def test_rules_called_by_an_interpreted_rule_stay_interpreted_if_it_disables_the_fallback() -> None:
    inner: Any = rule(double)

    def outer(number: int) -> int:
        interpret_until_compiled.disable()
        return int(inner(number))

    entry: Any = rule(outer)
    interpret_until_compiled.enable()
    assert (entry(3), is_compiled(inner)) == (6, False)
    assert (inner(3), is_compiled(inner)) == (6, True)


def test_a_rule_that_runs_interpreted_uses_its_default_arguments() -> None:
    def times(number: int, factor: int = 2) -> int:
        return number * factor

    inner: Any = rule(times)

    def outer(number: int) -> int:
        return int(inner(number)) + int(inner(number, 3))

    interpret_until_compiled.enable()
    assert (inner(5), rule(outer)(5), is_compiled(inner)) == (10, 25, False)


def test_an_exception_in_an_interpreted_rule_does_not_keep_later_rules_from_being_compiled() -> None:
    def fail(number: int) -> int:
        raise ValueError(number)

    interpret_until_compiled.enable()
    with pytest.raises(ValueError, match="3"):
        rule(fail)(3)
    entry: Any = rule(double)
    interpret_until_compiled.disable()
    assert (entry(3), is_compiled(entry)) == (6, True)


def test_a_rule_called_with_argument_types_unknown_to_numba_runs_interpreted() -> None:
    interpret_until_compiled.enable()
    assert rule(double)([1]) == [1, 1]  # type: ignore[arg-type, comparison-overlap]
    assert rule(double)(object.__new__(UnknownToNumba)) == "doubled"  # type: ignore[arg-type, comparison-overlap]


class UnknownToNumba:
    """A type that Numba does not know."""

    def __rmul__(self, factor: int) -> str:
        return "doubled"


def test_interpreted_fallback_cannot_be_enabled_if_the_cache_is_not_writable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", "/dev/null/cache")
    entry: Any = rule(double)
    assert not interpret_until_compiled.enable()
    assert (entry(3), is_compiled(entry)) == (6, True)


def test_interpreted_fallback_cannot_be_enabled_with_an_untested_numba_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpret_until_compiled.numba, "__version__", "0.99.0")
    entry: Any = rule(double)
    assert interpret_until_compiled.COMPILE_METHOD not in vars(entry)
    assert not interpret_until_compiled.enable()
    assert (entry(3), is_compiled(entry)) == (6, True)
