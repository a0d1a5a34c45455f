"""The page *Open tables*: tables that wait for players, tables to watch, and the search for a seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from facedown.core.game_registry import Info
from facedown.play.seat_search import Pace
from facedown.server.i18n import N_
from facedown.server.rendering.page_model import Shell
from facedown.server.rendering.templates import render

#: Choices of the pace in the search for a seat: (form value, label).
PACES: tuple[tuple[Pace, str], ...] = (("minute", N_("A minute")), ("day", N_("A day")), ("any", N_("Any pace")))


class OpenTableRow(NamedTuple):
    """One row in the list of open tables."""

    game: str
    title: str
    """The game and the people there ("Whist with Noor and Sol")."""
    line: str
    """Free seats, pace and house rules that differ, in one line of text."""
    code: str
    people: tuple[tuple[str, bool], ...]
    """Name of each player, and whether the player is a bot; the name of an open seat is empty."""
    action: Literal["sit", "take-over", "watch"]
    """What a visitor can do there: take an open seat, take over a bot's seat in the next round, or watch."""


class SeatOffer(NamedTuple):
    """A seat that is kept for the visitor, shown in a sheet."""

    game: str
    title: str
    """The game and the number of its players ("Whist for four")."""
    line: str
    """Who plays, the pace and about how long the match takes, in one or two sentences."""
    people: tuple[tuple[str, bool, str], ...]
    """Name of each player, whether the player is a bot, and a short note ("host", "bot, casual")."""
    code: str
    left: int
    """Seconds for which the seat is still kept."""
    of: int
    """Seconds for which it is kept in total."""
    takes_over: bool = False
    """Whether the visitor takes over a bot's seat when the next round is dealt."""
    notice: bool = False
    """Whether the seat is not kept: the visitor only wanted to know that it is free."""


class SeatSearch(NamedTuple):
    """The visitor's search for a seat: the form, or the search that is running."""

    running: bool = False
    line: str = ""
    """Games and pace of the running search, and how many others look, in one or two sentences."""
    games: tuple[str, ...] = ()
    """Games that are ticked."""
    pace: Pace = "minute"
    notice: bool = False
    """Whether the visitor wants to know when a seat becomes free."""
    notice_line: str = ""
    """Games and end of that wish, in one line of text."""
    error: str = ""


class OpenTables(NamedTuple):
    """Data of the page *Open tables* for one visitor."""

    waiting: tuple[OpenTableRow, ...] = ()
    """Tables at which the visitor can get a seat."""
    watchable: tuple[OpenTableRow, ...] = ()
    seekers: int = 0
    """Number of persons who look for a seat."""
    search: SeatSearch = SeatSearch()
    offer: SeatOffer | None = None
    message: str = ""
    """What has just happened ("That seat has just been taken."); empty if nothing has."""
    only: str = ""
    """Name of the game to which the list is limited; empty for all games."""


def open_tables_page(shell: Shell, games: Sequence[Info], shown: OpenTables) -> str:
    """Return the page *Open tables*."""
    return render("open.html", shell=shell, games=games, open=shown, paces=PACES)


def open_tables_list(games: Sequence[Info], shown: OpenTables) -> str:
    """Return the HTML of the part of the page that changes by itself: the lists, the search and the offer."""
    return render("open_list.html", games=games, open=shown, paces=PACES)


def seat_offer(offer: SeatOffer) -> str:
    """Return the HTML of the sheet that offers a seat."""
    return render("seat_offer.html", offer=offer)
