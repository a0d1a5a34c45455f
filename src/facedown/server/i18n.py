"""The texts of the web table, in the language of whoever reads them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from facedown.core.language import Texts, gettext_noop, language, use_language

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = gettext_noop

Result = TypeVar("Result")


def said_in(code: str, work: Callable[..., Result], *arguments: Any) -> Result:
    """Work done in a language: threads and other processes speak none by themselves.

    A `StopIteration` becomes a `RuntimeError`: no future carries it, and whoever waits would wait for ever.
    """
    with use_language(code):
        try:
            return work(*arguments)
        except StopIteration as wrong:
            raise RuntimeError("the work ended with StopIteration") from wrong


async def in_thread(work: Callable[..., Result], *arguments: Any) -> Result:
    """Work done beside the event loop, in the language that is spoken."""
    return await asyncio.to_thread(said_in, language(), work, *arguments)
