"""Guides of the games as pages: the text, and figures that show a position in the same way as the page of a match does.

A guide is rendered once per process and language. A figure that cannot be drawn is left out and logged.

A reader can continue playing from the position in a figure. The server does not store the reader's moves: the client
sends all of them with each request.
"""

from __future__ import annotations

import re
from itertools import count
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup

from facedown.core.game_registry import guide as guide_text
from facedown.core.grammar import capital
from facedown.core.translation import cache_by_language
from facedown.play import Refusal
from facedown.play.guide_figures import (
    MOST_MOVES,
    NAMES,
    Figure,
    FigureError,
    figures_in,
    is_match_running_at_figure,
    play_moves_from_figure,
    read_figure,
    table_of,
)
from facedown.server import rendering
from facedown.server.http.visitors import parse_bounded_number
from facedown.server.i18n import _
from facedown.server.process import logs
from facedown.server.rendering.base_path import strip_root

log = logs.logger()

#: Maximum length in characters of one move in a URL: an action id of up to four digits, and a full stop.
MAX_MOVE_LENGTH = 5


@cache_by_language
def guide_of(game: str) -> rendering.Guide | None:
    """Return the guide of a game as HTML, or None if the game has none.

    The function replays the matches that the figures show. That takes long, so call it in a thread.
    """
    markdown = guide_text(game)
    numbers = count()

    def draw(text: str) -> Markup:
        number = next(numbers)
        try:
            figure = read_figure(game, text)
            url = f"/guide/{game}/figure/{number}" if is_match_running_at_figure(figure) else ""
            return rendering.figure_html(table_of(figure), figure.caption, url)
        except FigureError as wrong:
            log.error("figure_not_drawn", game=game, why=str(wrong))
            return Markup("")

    return None if markdown is None else rendering.guide_html(markdown, draw)


@cache_by_language
def _figures(game: str) -> tuple[Figure, ...]:
    markdown = guide_text(game)
    try:
        return () if markdown is None else tuple(figures_in(game, markdown))
    except FigureError:
        return ()


def figure_json_after_moves(game: str, number: str, moves: str) -> dict[str, Any]:
    """Return a figure of a guide (a position of a match) after the reader's moves, as JSON for the client.

    `number` is the figure's index from 0. `moves` are the ids of the actions, separated by full stops ("12.5.3"). Raise
    `Refusal` for an unknown figure or an illegal move.
    """
    figures = _figures(game)
    at = parse_bounded_number(number, len(figures) - 1, 3) if figures else None
    if at is None:
        raise Refusal("unknown", _("That figure isn’t in this guide."))
    words = moves.split(".") if moves else []
    if len(moves) > MOST_MOVES * MAX_MOVE_LENGTH or not all(word.isascii() and word.isdigit() for word in words):
        raise Refusal("malformed", _("Give the moves as up to {count} numbers, separated by dots.", count=MOST_MOVES))
    try:
        table, lines = play_moves_from_figure(figures[at], [int(word) for word in words])
    except FigureError as wrong:
        raise Refusal("illegal", f"{capital(str(wrong)).removesuffix('.')}.") from None
    return {
        "html": rendering.playable_figure_html(table, NAMES[table.viewer], table.over),
        "step": rendering.step_json(table.step),
        "eyes": NAMES[table.viewer],
        "viewer": table.viewer,
        "over": table.over,
        "say": [rendering.strip_bold_marks(line.text) for line in lines],
    }


def back_link(referer: str, host: str) -> tuple[str, str]:
    """Return a guide's back link as (URL, text): to the table or lesson from which the reader came, else home.

    `referer` is the `Referer` header; `host` is the host of this server.

    >>> back_link("http://here.example/t/K7QM?x=1", "here.example")
    ('/t/K7QM', 'Back to the table')
    >>> back_link("http://here.example/learn/whist/2", "here.example")
    ('/learn/whist/2', 'Back to the lesson')
    >>> back_link("http://elsewhere.example/t/K7QM", "here.example")
    ('/', 'Home')
    """
    came = urlsplit(referer)
    path = strip_root(came.path)
    if came.netloc == host and re.fullmatch(r"/t/[A-Za-z0-9]{1,16}", path):
        return path, _("Back to the table")
    if came.netloc == host and re.fullmatch(r"/learn/[a-z0-9_-]{1,40}(/[a-z0-9]{1,3})?", path):
        return path, _("Back to the lesson")
    return "/", _("Home")
