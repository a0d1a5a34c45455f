"""Home, and the new-table sheet in front of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from facedown.core.game_registry import Info
from facedown.core.language import join_names
from facedown.server.i18n import _, n_
from facedown.server.rendering.lessons import LessonCard
from facedown.server.rendering.page_model import NewTableForm, Shell, TableLink
from facedown.server.rendering.review_graph import Graph
from facedown.server.rendering.templates import render

#: So many names does the title of home have room for.
MAX_TITLE_NAMES = 3


class ResultLink(NamedTuple):
    """A match that has ended, on home."""

    game: str
    title: str
    """"You win, 38 to 35."."""
    url: str
    remark: str = ""
    """One thing the coach has to say of it; empty where it has not looked."""
    graph: Graph | None = None
    """How the chance to win went."""


class Home(NamedTuple):
    """What home shows to somebody."""

    tables: tuple[TableLink, ...] = ()
    """Those that go on, those that wait for them first; a lesson left in the middle is one of them."""
    results: tuple[ResultLink, ...] = ()
    """The last ones."""
    waiting: tuple[str, ...] = ()
    """Who waits for them."""
    lesson: LessonCard | None = None
    """Offered to whoever has not played yet."""
    quick: str = ""
    """The game that quick play begins."""
    quick_words: str = ""
    """What quick play deals, in a line."""

    @property
    def is_first_visit(self) -> bool:
        """Is there nothing of their own yet?"""
        return not self.tables and not self.results

    @property
    def heading(self) -> str:
        """Who waits, in a sentence; empty where nobody does."""
        if not self.waiting:
            return ""
        names = join_names(self.waiting[:MAX_TITLE_NAMES])
        return n_("{names} waits for you.", "{names} wait for you.", len(self.waiting[:MAX_TITLE_NAMES]), names=names)


EMPTY_HOME = Home()


def home_page(shell: Shell, games: Sequence[Info], home: Home = EMPTY_HOME) -> str:
    """Home: the lesson for whoever comes first, the tables of whoever comes back, the lids, a code, quick play."""
    return render("home.html", shell=shell, games=games, home=home, sheet=None, info=None)


def new_table_page(
    shell: Shell, info: Info, new: NewTableForm, *, games: Sequence[Info] = (), home: Home = EMPTY_HOME
) -> str:
    """Home with the new-table sheet of one game in front of it."""
    return render("home.html", shell=shell, games=games, home=home, sheet=new, info=info)


def unfinished_lesson_link(info: Info, url: str, number: int, count: int) -> TableLink:
    """The row of a lesson that was left in the middle."""
    line = _("You stopped at step {number} of {count}.", number=number, count=count)
    return TableLink(info.name, _("Learn {game}", game=info.title), line, url, state=_("Go on"))
