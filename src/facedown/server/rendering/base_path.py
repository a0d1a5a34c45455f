"""Base path of the application on its host: ``""``, or ``/cards`` if it is at ``https://example.org/cards/``.

Inside the program every address starts at the application's root ("/t/K7QM"): in routes, messages and caches. The base
path is added only on output: templates write ``{{ root() }}/t/…``, the client calls ``appUrl("/t/…")``
(``web/src/translations.js``), and `facedown.server.http.path_prefix.PathPrefixMiddleware` adds it to redirects.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token

_root: ContextVar[str] = ContextVar("root", default="")


def root() -> str:
    """Return the URL path under which the application is served ("/cards"), or "" at the root of the host.

    The path has no slash at its end. It was set by `set_root` or `use_root` for the current asyncio task.
    """
    return _root.get()


def set_root(path: str) -> Token[str]:
    """Set the base path for the current asyncio task. Return a token for `ContextVar.reset`, which undoes this."""
    return _root.set(path)


@contextmanager
def use_root(path: str) -> Iterator[None]:
    """Set the base path for the duration of a `with` block, then restore the previous one.

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
    """Return a URL path with the application's base path removed from its start; "" for a path of another application.

    >>> with use_root("/cards"):
    ...     strip_root("/cards/t/K7QM"), strip_root("/cards"), strip_root("/cardsharp/t/K7QM")
    ('/t/K7QM', '/', '')
    """
    if path == root():
        return "/"
    return path[len(root()) :] if path.startswith(f"{root()}/") else ""


def cookie_path() -> str:
    """Return the ``Path`` attribute of the application's cookies: the base path with a slash at its end."""
    return f"{root()}/"
