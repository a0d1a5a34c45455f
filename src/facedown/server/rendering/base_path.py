"""Where the table lives below its host's address: ``""``, or ``/cards`` for a table at ``https://example.org/cards/``.

Inside the program every address begins at the table's own root ("/t/K7QM"): routes, messages and what is kept for all.
Only what goes out puts the root before it: templates write ``{{ root() }}/t/…``, the script ``here("/t/…")``
(``web/src/translations.js``), and redirects are sent on by `facedown.server.http.path_prefix.PathPrefixMiddleware`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token

_root: ContextVar[str] = ContextVar("root", default="")


def root() -> str:
    """What stands before every address of ours in the running context, without a slash at its end."""
    return _root.get()


def set_root(path: str) -> Token[str]:
    """Live below this path from now on, in this task."""
    return _root.set(path)


@contextmanager
def use_root(path: str) -> Iterator[None]:
    """Live below this path in this block.

    >>> with use_root("/cards"):
    ...     root() + "/learn"
    '/cards/learn'
    """
    token = set_root(path)
    try:
        yield
    finally:
        _root.reset(token)


def strip_root(path: str) -> str:
    """A path as the program knows it, without the root; "" for one that is not the table's.

    >>> with use_root("/cards"):
    ...     strip_root("/cards/t/K7QM"), strip_root("/cards"), strip_root("/cardsharp/t/K7QM")
    ('/t/K7QM', '/', '')
    """
    if path == root():
        return "/"
    return path[len(root()) :] if path.startswith(f"{root()}/") else ""


def cookie_path() -> str:
    """The path below which a browser sends our cookies."""
    return f"{root()}/"
