"""Pictures of positions on the pages of the site, in guides, after examples and in docstrings. The server's code draws
them.

A page requests a picture by a comment, which a Git host does not display: ``<!-- drawn: match, seat 0: Caption -->``.
The examples on the page above the comment are executed. Then the match in the variable `match` is drawn as that seat
sees it.

A docstring whose examples create a match gets a picture without a comment.
"""

from __future__ import annotations

import doctest
import hashlib
import re
from contextlib import redirect_stdout
from html import escape
from importlib import import_module
from io import StringIO
from typing import Any

from facedown.core.game_registry import catalogue, package_of
from facedown.core.match import Match
from facedown.core.table import Sitter, Table
from facedown.play.guide_figures import NAMES, read_figure, table_of
from facedown.server.rendering.preview_images import table_svg as svg_of

#: Folder of the pictures on the site, and (next constant) the placeholder in a page for the relative path to this
#: folder.
FOLDER = "assets/drawn/"
PLACE = "@drawn/"
_ASKED = re.compile(r"^<!-- drawn: (\w+), seat (\d+)(?:: (.*?))? -->$", re.MULTILINE)
_FENCE = re.compile(r"^```figure\s*$\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
_STRONG = re.compile(r"\*\*([^*]+)\*\*\s*\{#([\w-]+)\}")
_LANGUAGES = {"guides/": "guide.md", "guides/de/": "guide.de.md"}
#: SVG source of all pictures that the pages show, by name of the picture.
pictures: dict[str, str] = {}


def guides() -> dict[str, str]:
    """Return the guides of all games, by their path on the site. Each game's package contains its guides."""
    from importlib.resources import files

    found = {}
    for folder, name in _LANGUAGES.items():
        for game in catalogue():
            file = files(package_of(game)) / name
            if file.is_file():
                found[f"{folder}{game}.md"] = _STRONG.sub(r'<strong id="\2">\1</strong>', file.read_text("utf-8"))
    return found


def draw_positions(markdown: str, uri: str) -> str:
    """Return the Markdown of a page with pictures inserted for its figures and for positions requested by comments."""
    game = uri.rpartition("/")[2].removesuffix(".md")
    if uri.startswith("guides/"):
        markdown = _FENCE.sub(lambda found: _of_guide(game, found[1]), markdown)
    parts, at = [], 0
    for asked in _ASKED.finditer(markdown):
        match = run(markdown[: asked.start()])[asked[1]]
        seat = int(asked[2])
        parts += [
            markdown[at : asked.start()],
            match_figure(match, seat, asked[3] or f"The same, as seat {seat} sees it"),
        ]
        at = asked.end()
    return "".join([*parts, markdown[at:]])


def run(text: str, module: str = "") -> dict[str, Any]:
    """Run the examples in a text and return their variables. The examples of a docstring can use the names of its
    `module`.
    """
    names: dict[str, Any] = dict(vars(import_module(module))) if module else {}
    with redirect_stdout(StringIO()):
        for example in doctest.DocTestParser().get_examples(text):
            exec(compile(example.source, "<example>", "single"), names)  # noqa: S102 - examples of this repository
    return names


def docstring_figure(text: str, module: str) -> str:
    """Return HTML with a picture of the position after the examples of a docstring; empty if they create no match or
    contain a loop.
    """
    if not re.search(r">>> match = (?:facedown\.)?Match\(", text) or re.search(r">>> (?:while|for) ", text):
        return ""
    return match_figure(run(text, module)["match"], 0, "The same match as seat 0 sees it on the table")


def match_figure(match: Match, seat: int, caption: str) -> str:
    """Return HTML with a picture of a match as a seat sees it, and a caption."""
    sitters = [Sitter("You" if at == seat else NAMES[at]) for at in range(match.seats)]
    return _register_picture_and_return_figure(match.table(seat, sitters), caption, above=True)


def _of_guide(game: str, text: str) -> str:
    figure = read_figure(game, text)
    return _register_picture_and_return_figure(table_of(figure), figure.caption)


def _register_picture_and_return_figure(table: Table, caption: str, above: bool = False) -> str:
    svg = svg_of(table)
    name = f"{table.game}-{hashlib.sha256(svg.encode()).hexdigest()[:12]}"
    pictures[name] = svg
    wide, high = re.findall(r' (?:width|height)="(\d+)"', svg)[:2]
    title = catalogue()[table.game].title
    said = f"<figcaption>{escape(caption)}</figcaption>"
    shown = (
        f'<img src="{PLACE}{name}.svg" alt="A position of {escape(title)}, drawn"'
        f' width="{wide}" height="{high}" loading="lazy">'
    )
    inside = said + shown if above else shown + said
    return f'\n\n<figure class="drawn{" beside" if above else ""}" data-game="{table.game}">{inside}</figure>\n\n'
