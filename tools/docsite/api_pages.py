"""The pages of the reference: one for each public module, as it is found, and one for each package."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from tools import reference
from tools.docsite.name_links import link_names

#: Nobody's to import: their interfaces are the protocol and the commands.
PRIVATE_PACKAGES = frozenset({"server", "terminal", "check"})
#: Where a reader begins; packages that come later follow by name.
ORDER = ("core", "games", "bots", "simulate", "research", "client", "play", "store")


@dataclass(frozen=True)
class ApiPage:
    """A page that mkdocstrings fills."""

    name: str
    """The module's full name."""
    title: str
    """What the navigation calls it."""
    group: str
    """The package, under which it stands there."""

    @property
    def uri(self) -> str:
        """Its source, below ``docs``; of packages the same as that of the written reference."""
        return "reference/" + ("/".join(self.name.split(".")[1:]) or "facedown") + ".md"

    @property
    def markdown(self) -> str:
        """What MkDocs is given."""
        over, _, last = self.name.rpartition(".")
        head = f"<small>{over}<span>.</span></small>{last}" if over else last
        inside = [page for page in pages() if self.name and page.name.rpartition(".")[0] == self.name]
        listed = "\n".join(
            f"* [`{page.name}`]({_relative_path(self, page)}): {_first_sentence(page)}" for page in inside
        )
        below = f"\n\n## Modules\n\n{listed}\n" if inside and self.name != "facedown" else ""
        return f"# {head}\n\n::: {self.name}\n{below}"


def _relative_path(page: ApiPage, other: ApiPage) -> str:
    """The path from one page to another."""
    here, there = page.uri.split("/")[:-1], other.uri.split("/")
    while here and there and here[0] == there[0]:
        here, there = here[1:], there[1:]
    return "/".join([".."] * len(here) + there)


def _first_sentence(page: ApiPage) -> str:
    """The first sentence of a module's docstring, without links."""
    text = ast.get_docstring(ast.parse(file_of(page.name).read_text("utf-8"))) or ""
    return link_names(" ".join(reference.paragraphs(text).split("\n\n")[0].split()), lambda name: None)


def file_of(name: str) -> Path:
    """The source of a module."""
    path = reference.SOURCE.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def public_modules() -> list[str]:
    """The full names of all modules that may be imported, `facedown` first, packages before what is in them."""
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
    """All pages, in the navigation's order."""
    if not _pages:
        for name in public_modules():
            parts = name.split(".")
            group = ".".join(parts[1:3] if parts[1:2] == ["games"] else parts[1:2]) or "facedown"
            first = name in ("facedown", f"facedown.{group}")
            title = "What it is" if first else parts[-1]
            _pages.append(ApiPage(name, title, group))
    return _pages
