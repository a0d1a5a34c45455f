"""Home page of the site, alone or with the form for a new table shown on top of it as a dialog."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from facedown.core.game_registry import Info
from facedown.core.translation import join_names
from facedown.server.i18n import _, n_
from facedown.server.rendering.lessons import LessonCard
from facedown.server.rendering.new_table_form import NewTableForm
from facedown.server.rendering.open_tables import OpenTableRow
from facedown.server.rendering.page_model import Shell, TableLink
from facedown.server.rendering.review_graph import Graph
from facedown.server.rendering.templates import render

#: Maximum number of players that the heading of the home page names. They wait for the visitor's move.
MAX_TITLE_NAMES = 3


class ResultLink(NamedTuple):
    """A finished match on the home page."""

    game: str
    title: str
    """Result of the match in a sentence ("You win, 38 to 35.")."""
    url: str
    remark: str = ""
    """One remark by the coach; "" if the coach has not reviewed the match."""
    graph: Graph | None = None
    """Graph of the win probability during the match; None if no review is in memory or the game is cooperative."""


class Home(NamedTuple):
    """Data of the home page that depend on the visitor."""

    tables: tuple[TableLink, ...] = ()
    """Links to the visitor's unfinished tables, those that wait for the visitor first, and to an unfinished lesson."""
    results: tuple[ResultLink, ...] = ()
    """Latest finished matches."""
    waiting: tuple[str, ...] = ()
    """Names of the players who wait for this visitor's move."""
    lesson: LessonCard | None = None
    """Lesson that is offered to a new player."""
    quick: str = ""
    """Name of the game that quick play starts."""
    quick_words: str = ""
    """Description of quick play in one line."""
    open: tuple[OpenTableRow, ...] = ()
    """Open tables at which the visitor can get a seat, at most two."""

    @property
    def is_first_visit(self) -> bool:
        """Whether the visitor has no tables and no results yet."""
        return not self.tables and not self.results

    @property
    def heading(self) -> str:
        """Sentence that names the players who wait for this visitor's move; "" if there are none."""
        if not self.waiting:
            return ""
        names = join_names(self.waiting[:MAX_TITLE_NAMES])
        return n_(
            "{names} is waiting for you.",
            "{names} are waiting for you.",
            len(self.waiting[:MAX_TITLE_NAMES]),
            names=names,
        )


EMPTY_HOME = Home()


def home_page(shell: Shell, games: Sequence[Info], home: Home = EMPTY_HOME) -> str:
    """Return the home page: lesson, own tables and results, list of games, field for a table code, quick play."""
    return render("home.html", shell=shell, games=games, home=home, sheet=None, info=None)


def new_table_page(
    shell: Shell, info: Info, new: NewTableForm, *, games: Sequence[Info] = (), home: Home = EMPTY_HOME
) -> str:
    """Return the home page with the new-table form of a game opened on top of it like a dialog."""
    return render("home.html", shell=shell, games=games, home=home, sheet=new, info=info)


def unfinished_lesson_link(info: Info, url: str, number: int, count: int) -> TableLink:
    """Return the home page's link to a lesson that the visitor left at step `number` (from 1) of `count`."""
    line = _("You stopped at step {number} of {count}.", number=number, count=count)
    return TableLink(info.name, _("Learn {game}", game=info.title), line, url, state=_("Continue"))
