"""API pages of the site: one for each public module and package that is found in the sources."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from tools import reference
from tools.docsite.name_links import link_names

#: Packages that are not public API. The public interfaces to what they do are the network protocol and the commands.
PRIVATE_PACKAGES = frozenset({"server", "terminal", "check"})
#: Order of the packages in the navigation; packages that are not listed follow by name.
ORDER = ("core", "games", "bots", "simulate", "research", "client", "play", "store")


@dataclass(frozen=True)
class ApiPage:
    """A page whose content mkdocstrings generates from a module."""

    name: str
    """Full name of the module."""
    title: str
    """Title in the navigation."""
    group: str
    """Package under which the navigation lists the page."""

    @property
    def uri(self) -> str:
        """Path of the page's source file below ``docs``. For a package it is the path of its page in
        ``docs/reference``.
        """
        return "reference/" + ("/".join(self.name.split(".")[1:]) or "facedown") + ".md"

    @property
    def markdown(self) -> str:
        """Markdown source of the page."""
        over, _, last = self.name.rpartition(".")
        head = f"<small>{over}<span>.</span></small>{last}" if over else last
        inside = [page for page in pages() if self.name and page.name.rpartition(".")[0] == self.name]
        listed = "\n".join(
            f"* [`{page.name}`]({_relative_path(self, page)}): {_first_paragraph(page)}" for page in inside
        )
        below = f"\n\n## Modules\n\n{listed}\n" if inside and self.name != "facedown" else ""
        return f"# {head}\n\n::: {self.name}\n{below}"


def _relative_path(page: ApiPage, other: ApiPage) -> str:
    """Return the relative path from one page to another."""
    here, there = page.uri.split("/")[:-1], other.uri.split("/")
    while here and there and here[0] == there[0]:
        here, there = here[1:], there[1:]
    return "/".join([".."] * len(here) + there)


def _first_paragraph(page: ApiPage) -> str:
    """Return the first paragraph of a module's docstring, without links."""
    text = ast.get_docstring(ast.parse(file_of(page.name).read_text("utf-8"))) or ""
    return link_names(" ".join(reference.docstring_to_markdown(text).split("\n\n")[0].split()), lambda name: None)


def file_of(name: str) -> Path:
    """Return the source file of a module."""
    path = reference.SOURCE.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def public_modules() -> list[str]:
    """Return the full names of all public modules: `facedown` first, each package before its modules."""
    names = []
    for file in sorted((reference.SOURCE / "facedown").rglob("*.py")):
        parts = file.relative_to(reference.SOURCE).with_suffix("").parts
        inner = [part for part in parts if part != "__init__"]
        private = any(part.startswith("_") or part == reference.LEFT_OUT for part in inner)
        if not private and (len(inner) == 1 or inner[1] not in PRIVATE_PACKAGES):
            names.append(".".join(inner))
    return sorted(names, key=_rank)


def _rank(name: str) -> tuple[int, list[str]]:
    parts = name.split(".")
    if len(parts) == 1:
        return -1, []
    return (ORDER.index(parts[1]) if parts[1] in ORDER else len(ORDER)), parts


_pages: list[ApiPage] = []


def pages() -> list[ApiPage]:
    """Return all API pages, in the order of the navigation."""
    if not _pages:
        for name in public_modules():
            parts = name.split(".")
            group = ".".join(parts[1:3] if parts[1:2] == ["games"] else parts[1:2]) or "facedown"
            first = name in ("facedown", f"facedown.{group}")
            title = "Overview" if first else parts[-1]
            _pages.append(ApiPage(name, title, group))
    return _pages
