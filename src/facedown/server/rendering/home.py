"""Home page of the site, alone or with the form for a new table shown on top of it as a dialog."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
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

#: Seconds of a minute and an hour, and the seconds below which the time left of a player is shown in red.
MINUTE, HOUR, SOON = 60, 3600, 6 * 3600
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


class InvitationRow(NamedTuple):
    """An invitation to a table on the home page of the invited visitor."""

    title: str
    """Who invites to which game ("Mara invites you to Whist")."""
    line: str
    """Free seats, pace and unusual house rules of the table, in one line of text."""
    game: str
    code: str
    inviter: str


class Home(NamedTuple):
    """Data of the home page that depend on the visitor."""

    tables: tuple[TableLink, ...] = ()
    """Links to the visitor's unfinished tables, those that wait for the visitor first, and to an unfinished lesson.

    Of the tables that wait for the visitor, the one whose time ends first is the first.
    """
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
    invitations: tuple[InvitationRow, ...] = ()
    """Invitations to tables, the newest first."""

    @property
    def turn_count(self) -> int:
        """Number of tables that wait for the visitor's move."""
        return sum(table.yours for table in self.tables)

    @property
    def parts(self) -> tuple[tuple[str, tuple[TableLink, ...]], ...]:
        """Links in `tables` in parts, each with a heading: tables that wait for the visitor, then those that don't."""
        waiting = tuple(table for table in self.tables if not table.yours and not table.url.startswith("/learn/"))
        if not self.turn_count or not waiting:
            return ((_("Your tables"), self.tables),) if self.tables else ()
        return ((_("Your turn"), tuple(t for t in self.tables if t not in waiting)), (_("Waiting"), waiting))

    @property
    def has_slow_tables(self) -> bool:
        """Whether one of the tables has a time limit of an hour or more for a turn."""
        return any(table.slow for table in self.tables)

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


def with_time_left(link: TableLink, seconds: float) -> TableLink:
    """Return the link to a table with the time left of the player who is to act.

    From one hour on, the time is in whole hours, rounded down; otherwise it is in minutes, rounded up.

    >>> link = TableLink("whist", "Whist with Mara", "Play a card.", "/t/K7QM4XPN")
    >>> [with_time_left(link, seconds).time_left for seconds in (79_300, 3600, 3599, 61, 0)]
    ['22 h left', '1 h left', '60 min left', '2 min left', '0 min left']
    """
    if seconds >= HOUR:
        left = _("{hours} h left", hours=int(seconds // HOUR))
    else:
        left = _("{minutes} min left", minutes=ceil(max(0.0, seconds) / MINUTE))
    return link._replace(time_left=left, soon=seconds < SOON)


def unfinished_lesson_link(info: Info, url: str, number: int, count: int) -> TableLink:
    """Return the home page's link to a lesson that the visitor left at step `number` (from 1) of `count`."""
    line = _("You stopped at step {number} of {count}.", number=number, count=count)
    return TableLink(info.name, _("Learn {game}", game=info.title), line, url, state=_("Continue"))
