"""The guides of the games as pages: their text, and their figures drawn by the table's own templates.

A guide is made once for each process. A figure that cannot be drawn is left out and noted in the log; the rest stands.
"""

from __future__ import annotations

import logging
import re
from urllib.parse import urlsplit

from markupsafe import Markup

from facedown.core.game import guide as guide_text
from facedown.core.language import cached_in_language
from facedown.play.guide_figures import FigureError, read_figure, table_of
from facedown.server import look
from facedown.server.texts import _

log = logging.getLogger("facedown.server")


@cached_in_language
def guide_of(game: str) -> look.Guide | None:
    """The guide of a game, ready for its page; None where it has none. It plays the figures' matches: call it apart."""
    markdown = guide_text(game)

    def draw(text: str) -> Markup:
        try:
            figure = read_figure(game, text)
            return look.figure_html(table_of(figure), figure.caption)
        except FigureError as wrong:
            log.error("a figure in the guide of %s cannot be drawn: %s", game, wrong)
            return Markup("")

    return None if markdown is None else look.guide_html(markdown, draw)


def way_back(referer: str, host: str) -> tuple[str, str]:
    """Where a guide's reader goes on, as (address, words): to the table they came from, or home.

    >>> way_back("http://here.example/t/K7QM?x=1", "here.example")
    ('/t/K7QM', 'Back to the table')
    >>> way_back("http://elsewhere.example/t/K7QM", "here.example")
    ('/', 'Home')
    """
    came = urlsplit(referer)
    if came.netloc == host and re.fullmatch(r"/t/[A-Za-z0-9]{1,16}", came.path):
        return came.path, _("Back to the table")
    return "/", _("Home")
