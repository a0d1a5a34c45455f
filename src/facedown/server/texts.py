"""The texts of the web table, in the language of whoever reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from facedown.core.language import Texts, marked, speaking

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = marked

Result = TypeVar("Result")


def said_in(code: str, work: Callable[..., Result], *arguments: Any) -> Result:
    """Work done in a language: threads and other processes speak none by themselves."""
    with speaking(code):
        return work(*arguments)
