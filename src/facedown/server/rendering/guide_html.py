"""Game guides: conversion from Markdown to HTML with anchors, a table of contents and playable figures (positions).

Guides refer to rulings. A ruling is the answer to an open question about the rules; it has an id such as DET-4.
Mentions of the id become links to the place that explains the ruling.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from facedown.core.table import Table
from facedown.server.i18n import _, c_
from facedown.server.rendering import table_layout
from facedown.server.rendering.base_path import root
from facedown.server.rendering.page_model import Shell
from facedown.server.rendering.templates import render

#: Info string of a Markdown code block that describes a figure (a position to show in the guide).
FIGURE = "figure"
#: Anchor of the heading of a guide's summary. The page shows the summary first, wherever it is in the text.
SUMMARY_ANCHOR = "in-short"

_RULING = re.compile(r"\b([A-Z]{3})-(\d{1,2})\b")
_ANCHOR = re.compile(r"\s*\{#([\w-]+)\}")
_STRONG = re.compile(r"<strong>([^<]*)</strong>\s*\{#([\w-]+)\}")


class Guide(NamedTuple):
    """A rendered guide: title, table of contents as pairs (anchor, heading), and HTML."""

    title: str
    contents: tuple[tuple[str, str], ...]
    body: Markup
    anchors: frozenset[str] = frozenset()
    """All anchors in the HTML."""
    figures: int = 0
    """Number of figures shown."""


def anchor_of(words: str) -> str:
    """Return the anchor that is derived from a heading's words, for a heading without an explicit anchor.

    >>> anchor_of("What beats what?")
    'what-beats-what'
    """
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") or "top"


def guide_html(markdown: str, draw: Callable[[str], Markup] | None = None) -> Guide:
    """Render a guide from Markdown.

    Raw HTML is escaped. ``{#name}`` after a heading or bold text sets the anchor of this text.

    A ruling is the answer to an open question about the rules; it has an id such as DET-4. The first mention of the id
    becomes an anchor, and later mentions link to it. If a heading has this anchor already, all mentions link to it.

    A code block marked with the word "figure" describes a figure. `draw` is called with the text of the code block and
    returns the HTML of the figure, or empty HTML to leave the figure out. Without `draw` all figures are left out.
    """
    parser = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    tree = parser.parse(markdown)
    title, contents, figures = "", [], list[Markup]()
    # Explicit anchors take precedence over anchors derived from a heading's words.
    named_anchors = set(_ANCHOR.findall(markdown))
    used = set[str]()
    for i, token in enumerate(tree):
        if token.type == "heading_open":
            inline = tree[i + 1]
            named = _ANCHOR.search(inline.content)
            for child in inline.children or ():
                child.content = _ANCHOR.sub("", child.content)
            words = re.sub(r"[*_`]", "", _ANCHOR.sub("", inline.content))
            if token.tag == "h1" and not title:
                title = words
            anchor = named[1] if named else anchor_of(words)
            while anchor in used or (named is None and anchor in named_anchors):
                anchor += "-"
            used.add(anchor)
            token.attrSet("id", anchor)
            if token.tag == "h2":
                contents.append((anchor, words))
        elif token.type == "fence" and token.info.strip() == FIGURE:
            figures.append(draw(token.content) if draw else Markup(""))
            # This marker cannot occur in a guide's text, because raw HTML is escaped.
            token.type, token.content = "html_block", f"<figure {len(figures) - 1}>"
    _prefix_links_with_root(tree)
    html = parser.renderer.render(_move_summary_first(tree), parser.options, {})
    called = escape(c_("of rows and columns", "Table"))
    scrolls = f'<div class="scrolls" tabindex="0" role="group" aria-label="{called}"><table>'
    html = html.replace("<table>", scrolls)
    html = html.replace("</table>", "</table></div>")
    html = _anchor_bold_texts_and_link_rulings(html, used)
    for number, figure in enumerate(figures):
        html = html.replace(f"<figure {number}>", figure)
    contents.sort(key=lambda entry: entry[0] != SUMMARY_ANCHOR)
    return Guide(
        title or str(escape(_("Rules"))), tuple(contents), Markup(html), frozenset(used), sum(map(bool, figures))
    )


def _prefix_links_with_root(tree: list[Token]) -> None:
    """Add the base path to the links to pages of the application. The tokens are changed in place."""
    for token in (child for parent in tree for child in parent.children or ()):
        to = str(token.attrGet("href") or "")
        if token.type == "link_open" and to.startswith("/") and not to.startswith("//"):
            token.attrSet("href", root() + to)


def _move_summary_first(tree: list[Token]) -> list[Token]:
    """Return a guide's Markdown tokens with the summary moved into a section of its own below the title.

    The summary starts at the heading with the anchor `SUMMARY_ANCHOR` and ends with its first list (`_summary_end`).
    """
    heads = [i for i, token in enumerate(tree) if token.type == "heading_open"]
    begin = next((i for i in heads if tree[i].attrGet("id") == SUMMARY_ANCHOR), None)
    if begin is None:
        return tree
    end = _summary_end(tree, begin)
    rest = tree[:begin] + tree[end:]
    title = next((i + 1 for i, token in enumerate(rest) if token.type == "heading_close" and token.tag == "h1"), 0)
    return [
        *rest[:title],
        _html_token('<section class="card in-short">'),
        *tree[begin:end],
        _html_token("</section>"),
        *rest[title:],
    ]


def _summary_end(tree: list[Token], begin: int) -> int:
    """Return the index of the first token after the summary of a guide. `tree` has the guide's Markdown tokens.

    The summary starts at the heading with the anchor `SUMMARY_ANCHOR`; `begin` is the index of this heading. The
    summary ends after the first list that follows. If a heading or a figure comes before any list, the summary ends
    before that heading or figure.
    """
    for i in range(begin + 1, len(tree)):
        token = tree[i]
        if token.type.endswith("_list_close") and not token.level:
            return i + 1
        if token.type == "heading_open" or token.type == "html_block":
            return i
    return len(tree)


def _html_token(text: str) -> Token:
    return Token("html_block", "", 0, content=f"{text}\n")


def _anchor_bold_texts_and_link_rulings(html: str, used: set[str]) -> str:
    """Return the HTML of a guide with anchors on bold texts and on rulings, and with links to the rulings.

    A ruling is the answer to an open question about the rules; it has a name such as DET-4. An anchor is the HTML
    attribute `id` of an element.

    * A bold text followed by ``{#name}`` gets the anchor `name`, and the mark ``{#name}`` is removed.
    * The first mention of DET-4 gets the anchor "det-4". Each later mention becomes a link to this anchor.
    * If a heading has the anchor "det-4" already, all mentions of DET-4 become links.

    `used` contains the anchors of the headings. The new anchors are added to `used`.
    """

    def strong(match: re.Match[str]) -> str:
        used.add(match[2])
        return f'<strong id="{match[2]}">{match[1]}</strong>'

    headings = set(used)
    seen: set[str] = set()

    def ruling(match: re.Match[str]) -> str:
        name = match[0].lower()
        if name in seen or name in headings:
            return f'<a class="ruling" href="#{name}">{match[0]}</a>'
        seen.add(name)
        used.add(name)
        return f'<span class="ruling" id="{name}">{match[0]}</span>'

    parts = re.split(r"(<[^>]+>)", _STRONG.sub(strong, html))
    return "".join(part if part.startswith("<") else _RULING.sub(ruling, part) for part in parts)


# --- pages ------------------------------------------------------------------------------------------------------------


def figure_html(table: Table, caption: str, url: str = "") -> Markup:
    """Return the HTML of a figure: a static picture of a position. The page must contain the game's SVG sprite.

    `table`: the position as one player or spectator sees it. `url`: address from which the client fetches the playable
    version of the figure; "" if the figure can't be played.
    """
    return Markup(render("figure.html", table=table, a=table_layout.arrangement_of(table), caption=caption, url=url))


def playable_figure_html(table: Table, eyes: str, over: bool) -> str:
    """Return the inner HTML of an interactive figure in a guide, in which the reader makes the moves of all players.

    The figure shows the current position, the prompt for the next move, and three buttons: undo a move, start over, and
    stop.

    * `eyes`: the name of the player whose view is shown.
    * `over`: whether the match is over.
    """
    touches = table_layout.touchable_ids(table.step)
    arranged = table_layout.arrangement_of(table)
    return render("figure_play.html", table=table, a=arranged, touches=touches, eyes=eyes, over=over)


def guide_page(
    shell: Shell, *, game: str, title: str, guide: Guide, back: str = "/", back_words: str | None = None
) -> str:
    """Return the page of a guide. `guide` is the result of `guide_html`.

    `back` is the address of the page from which the reader comes, and `back_words` is the text of the link to it; None
    stands for "Home".
    """
    words = _("Home") if back_words is None else back_words
    return render("guide.html", shell=shell, game=game, title=title, guide=guide, back=back, back_words=words)
