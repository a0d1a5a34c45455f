"""Contents of the home page for one visitor: their tables, their last results, a lesson and quick play.

The home page offers the lesson that the visitor has begun but not finished. To a new visitor it offers a first lesson.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from math import inf

from starlette.requests import HTTPConnection

from facedown.core import game_registry as registry
from facedown.core.translation import join_names
from facedown.play import Refusal
from facedown.play.lessons import has_lesson
from facedown.play.records import TableRecord
from facedown.play.seat_clocks import clock_expiry_time, is_correspondence
from facedown.play.user_input import format_code
from facedown.server import rendering
from facedown.server.http.lessons import DONE, games_with_begun_lessons, lesson_of, reached_step, unfinished_lesson
from facedown.server.http.match_defaults import quick_match
from facedown.server.http.open_table_rows import open_table_row
from facedown.server.http.visitors import rooms_of
from facedown.server.i18n import _, c_, n_
from facedown.server.table.room_registry import Rooms
from facedown.store import Person, invitations
from facedown.store.repository import OwnTable
from facedown.study.move_comments import played_move_text
from facedown.study.review import FullReview

#: Maximum numbers of a person's unfinished tables and of finished matches that are shown.
TABLES_LISTED = 12
RESULTS = 2
#: Maximum number of unfinished tables from which the ones to show are chosen.
MAX_TABLES_READ = 100
#: Maximum number of players to act whom the row of a table names.
MAX_NAMES = 2
#: Maximum number of open tables that are shown.
OPEN_TABLES = 2
#: Seconds that the home page waits for the rules of a game to load. Without the rules, the box that offers the game's
#: lesson has no picture.
PICTURE_TIMEOUT = 0.5


async def home_of(request: HTTPConnection, person: Person | None) -> rendering.Home:
    """Return the data of the home page that depend on the visitor.

    The data are links to the visitor's unfinished tables and last results, the lesson to offer, and the match of quick
    play. `person` is None for a visitor whom the server does not know; such a visitor has no tables and no results.
    """
    rooms = rooms_of(request)
    begun, ended = await _own_tables(rooms, person)
    rows = [await _table_link_and_others(rooms, one) for one in begun]
    tables = sorted((row for row, _others in rows), key=lambda row: not row.yours)
    waiting = dict.fromkeys(name for row, others in rows if row.yours for name in others)
    stopped = [] if ended else await _unfinished_lesson_link(request)
    learnt = any(reached_step(request, game) == DONE for game in registry.catalogue())
    offered = None if ended or stopped or learnt else await _lesson_card(rooms)
    newest = max((*begun, *ended), key=lambda one: one.record.created, default=None)
    quick = _suggested_game() if newest is None else newest.record.game
    return rendering.Home(
        tables=(*tables, *stopped),
        results=tuple([link for one in ended if (link := await _result_link(rooms, one)) is not None]),
        waiting=tuple(waiting),
        lesson=offered,
        open=await _open_table_rows(rooms, person),
        invitations=await _invitation_rows(rooms, person),
        quick=quick,
        quick_words=(await quick_match(request, registry.info(quick), person)).words if quick else "",
    )


async def _own_tables(rooms: Rooms, person: Person | None) -> tuple[list[OwnTable], list[OwnTable]]:
    """Return a visitor's unfinished tables and last finished matches, at most `TABLES_LISTED` and `RESULTS`.

    The unfinished tables are sorted by the expiry of the visitor's own clock, then by the expiry of any clock. Those at
    which no clock runs are last, newest first.
    Tables of games that are no longer installed are left out: such games have no title and no picture.
    """
    if person is None:
        return [], []
    tables_of = partial(rooms.store.run, rooms.repository.tables_of, person.id)
    begun, ended = (
        [one for one in found if one.record.game in registry.catalogue()]
        for found in (await tables_of(MAX_TABLES_READ, False), await tables_of(RESULTS, True))
    )

    def first_expiry_times(one: OwnTable) -> tuple[float, float]:
        seats = range(len(one.record.seats))
        return _first_expiry_time(one.record, [one.seat]) or inf, _first_expiry_time(one.record, seats) or inf

    return sorted(begun, key=first_expiry_times)[:TABLES_LISTED], ended


async def _open_table_rows(rooms: Rooms, person: Person | None) -> tuple[rendering.OpenTableRow, ...]:
    """Return the rows of the first open tables at which a visitor can get a seat, at most `OPEN_TABLES`."""
    listed = await rooms.open_tables.listed_for(person)
    return tuple(open_table_row(one) for one in listed if one.free)[:OPEN_TABLES]


async def _invitation_rows(rooms: Rooms, person: Person | None) -> tuple[rendering.InvitationRow, ...]:
    """Return the rows of the invitations that are shown to a visitor."""
    if person is None:
        return ()
    found = await rooms.store.run(
        invitations.shown_invitations, rooms.repository.engine, person.id, rooms.now(), list(registry.catalogue())
    )
    return tuple(_invitation_row(one) for one in found)


def _invitation_row(one: invitations.ShownInvitation) -> rendering.InvitationRow:
    row = open_table_row(one.table)
    title = _("{name} invites you to {game}", name=one.inviter, game=registry.info(row.game).title)
    return rendering.InvitationRow(title, row.line, row.game, row.code, one.inviter)


def _suggested_game() -> str:
    """Return the name of the game to offer first: of the games with a lesson, the one with the most seats.

    If no game has a lesson, choose among all games. If no game is installed, return "".
    """
    games = registry.catalogue()
    taught = [name for name in games if has_lesson(name)]
    return max(taught or games, key=lambda name: games[name].seats[1], default="")


async def _lesson_card(rooms: Rooms) -> rendering.LessonCard | None:
    """Return the box of the home page that offers a lesson to a new visitor.

    Return None if no game has a lesson, or if the offered lesson cannot be played. If loading the rules of the game
    takes longer than `PICTURE_TIMEOUT`, the box has no picture.
    """
    game = _suggested_game()
    if not game or not has_lesson(game):
        return None
    info = registry.info(game)
    try:
        async with asyncio.timeout(PICTURE_TIMEOUT):
            await asyncio.shield(rooms.preparations.load_rules(game))
        lesson = await lesson_of(rooms, game)
    except TimeoutError:
        return rendering.lesson_card_without_picture(info)
    except Refusal:
        return None
    return rendering.lesson_card(lesson, info)


async def _unfinished_lesson_link(request: HTTPConnection) -> list[rendering.TableLink]:
    """Return a link to the unfinished lesson that the visitor began last, as a list of at most one link.

    The lessons page links to all unfinished lessons.
    """
    catalogue = registry.catalogue()
    # Browsers send cookies in the order in which they were first set, so the last cookie belongs to the lesson begun
    # last.
    begun = [game for game in games_with_begun_lessons(request) if game in catalogue and has_lesson(game)]
    for info in (catalogue[game] for game in reversed(begun)):
        if (left := await unfinished_lesson(request, info.name)) is not None:
            moment = rendering.lesson_moment(*left)
            return [rendering.unfinished_lesson_link(info, rendering.lesson_url(*left), moment.part, len(moment.parts))]
    return []


async def _table_link_and_others(rooms: Rooms, seated: OwnTable) -> tuple[rendering.TableLink, list[str]]:
    """Return the link to a table whose match is not over, and the names of the other players there."""
    record = seated.record
    others = [s.name for i, s in enumerate(record.seats) if i != seated.seat and s.name]
    title = registry.info(record.game).title
    if others:
        title = _("{game} with {names}", game=title, names=join_names(others))
    line, yours, state = _("Table {code}", code=format_code(record.code)), False, _("not started")
    ends = None
    if record.status == "running":
        try:
            session = (await rooms.room(record.code)).session
        except Refusal as refusal:
            line, state = refusal.reason, c_("a table", "closed")
        else:
            table = session.table(seated.seat)
            line, yours = rendering.strip_bold_marks(table.step.prompt), bool(table.step.choices)
            acting = [panel for panel in table.seats if panel.acting and panel.seat != seated.seat]
            state = join_names([panel.name for panel in acting[:MAX_NAMES]]) if acting else _("waiting")
            if len(acting) > MAX_NAMES:
                state = n_("{count} player", "{count} players", len(acting))
            seats = [seated.seat] if yours else [panel.seat for panel in acting]
            ends = _first_expiry_time(session.record, seats)
    slow = is_correspondence(record.settings)
    link = rendering.TableLink(record.game, title, line, f"/t/{record.code}", yours, state, slow=slow)
    return (link if ends is None else rendering.with_time_left(link, ends - rooms.now())), others


def _first_expiry_time(record: TableRecord, seats: Sequence[int]) -> float | None:
    """Return the Unix time at which the first of these seats' clocks expires; None if none of them runs."""
    times = (clock_expiry_time(record.clocks[seat]) for seat in seats if record.clocks)
    return min((time for time in times if time is not None), default=None)


async def _result_link(rooms: Rooms, seated: OwnTable) -> rendering.ResultLink | None:
    """Return the link to a finished match for the home page, with the result of the match.

    If the coach's review of the match is in memory, add a graph and a comment on the costliest move. Return None if the
    table cannot be read.
    """
    record = seated.record
    try:
        session = (await rooms.room(record.code)).session
    except Refusal:
        return None
    title = rendering.strip_bold_marks(session.table(seated.seat).result)
    found = rooms.coach.finished_review_in_memory(session, seated.seat)
    if found is None:
        return rendering.ResultLink(record.game, title, f"/t/{record.code}")
    remark = _costliest_move_comment(found, seated.seat, [seat.name for seat in record.seats])
    graph = rendering.win_probability_graph(found.line, found.rounds) if found.line else None
    return rendering.ResultLink(record.game, title, f"/t/{record.code}", remark, graph)


def _costliest_move_comment(found: FullReview, reader: int, names: Sequence[str]) -> str:
    """Return a comment on the costliest move of a review, for the player at seat `reader`; "" if no move was costly.

    `names` are the players' names by seat.
    """
    worst = max(found.moments, key=lambda moment: moment.cost, default=None)
    return (
        ""
        if worst is None
        else played_move_text(worst, _("You") if worst.seat == reader else names[worst.seat], reader)
    )
