"""Translation functions of the web server, and functions that run work in a thread in the caller's language."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from facedown.core.translation import Texts, gettext_noop, language, use_language

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = gettext_noop

Result = TypeVar("Result")


def run_in_language(code: str, work: Callable[..., Result], *arguments: Any) -> Result:
    """Call `work` with these arguments while `code` is the current language, and return its result.

    The threads of a pool do not inherit the current language from the caller, so the caller passes it as `code`.

    If `work` raises `StopIteration`, raise `RuntimeError` instead. A thread passes its result or exception on in a
    future, and a future cannot hold a `StopIteration`. Without the conversion, the caller would wait forever.
    """
    with use_language(code):
        try:
            return work(*arguments)
        except StopIteration as wrong:
            raise RuntimeError("the work ended with StopIteration") from wrong


async def run_in_thread(work: Callable[..., Result], *arguments: Any) -> Result:
    """Call `work` with these arguments in a thread, in the current language, and return its result."""
    return await asyncio.to_thread(run_in_language, language(), work, *arguments)
