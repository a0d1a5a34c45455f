"""Fixture of the tests of the core."""

from __future__ import annotations

import pytest

from facedown.core.compile import interpret_until_compiled


@pytest.fixture(autouse=True)
def _rules_are_compiled_at_their_first_call() -> None:
    """Turn the interpreted fallback off, which a program of an earlier test in this process may have left on."""
    interpret_until_compiled.disable()
