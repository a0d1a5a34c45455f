"""Conversion of this project's docstrings to Markdown, as an extension of Griffe for mkdocstrings.

In the sources, names are in single backticks, code is in double backticks, examples are doctests, and constants are
documented by comments ``#:``. The extension turns these into links, code, fenced code blocks and docstrings.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import griffe

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tools.docsite import figures  # noqa: E402
from tools.docsite.name_links import link_names  # noqa: E402
from tools.reference import comment_above, docstring_to_markdown  # noqa: E402

_EXAMPLE = re.compile(r"^```pycon\n.*?^```$", re.MULTILINE | re.DOTALL)


class House(griffe.Extension):
    """Griffe extension that converts the docstring of each object to Markdown."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Convert all docstrings of a package, after the whole package is loaded, so that links can be resolved."""
        self._walk(pkg)

    def _walk(self, found: griffe.Object) -> None:
        if found.docstring is None and found.is_attribute and found.lineno and isinstance(found.filepath, Path):
            comment = comment_above(found.lineno - 1, found.lines_collection[found.filepath])
            if comment:
                found.docstring = griffe.Docstring(comment, parent=found)
        if found.docstring is not None:
            found.docstring.value = to_markdown(found.docstring.value, found)
        for name, member in list(found.members.items()):
            if not isinstance(member, griffe.Object):
                continue
            self._walk(member)
            if member.docstring is None and _is_set_in_init(found, member):
                found.del_member(name)


def _is_set_in_init(owner: griffe.Object, member: griffe.Object) -> bool:
    """Return whether a member of a class is an attribute without docstring that is set in ``__init__``."""
    first = owner.members.get("__init__")
    return (
        member.is_attribute
        and isinstance(first, griffe.Function)
        and (first.lineno or 0) < (member.lineno or 0) <= (first.endlineno or 0)
    )


def to_markdown(text: str, found: griffe.Object) -> str:
    """Return the docstring of an object as Markdown with links. Its examples are in one HTML element, which the page
    shows next to the text.
    """
    shown = link_names(docstring_to_markdown(text), lambda name: _address(name, found))
    examples = [fence[0] for fence in _EXAMPLE.finditer(shown)]
    if not examples:
        return shown
    examples.append(figures.docstring_figure(text, found.module.path))
    told = _EXAMPLE.sub("", shown).strip()
    beside = "\n\n".join(examples)
    return (
        f'<div class="told" markdown="1">\n\n<div class="examples" markdown="1">\n\n{beside}\n\n</div>\n\n'
        f"{told}\n\n</div>"
    )


def _address(name: str, found: griffe.Object) -> str | None:
    """Return the full name of an object that a docstring names, relative to the module of `found` or to ``facedown``.

    Returns None if there is no such object.
    """
    scope: griffe.Object | None = found
    while scope is not None:
        if name.split(".")[0] in scope.members:
            try:
                member = scope[name]
                return str(member.target_path if member.is_alias else member.path)
            except (KeyError, griffe.AliasResolutionError):
                return None
        scope = scope.parent
    package = found.package
    inner = name.removeprefix("facedown.")
    try:
        return str(package[inner].path) if "." in inner else None
    except (KeyError, griffe.AliasResolutionError, AttributeError):
        return None
