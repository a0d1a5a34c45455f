"""Queue of notices in the database. Each row is a notice for one browser about one table.

`NoticeQueue.plan` compares the tables with the rows and adds what is missing, so no notice is lost, whatever process
dies. A process claims a notice for a limited time (the lease) and sends it; the row stays, without a due time, so that
the same notice is not sent again. A notice of a later turn replaces it.

If a process dies after the push service has accepted a notice and before the row is updated, another process sends the
same notice again. The push service replaces the first with it if it is not delivered yet (RFC 8030, topics), and the
browser replaces a notice with the same tag, so the person sees one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from facedown.play.notice_times import NoticeKind, is_night, plan_notices, time_outside_night
from facedown.play.records import TableRecord
from facedown.store import invitations, schema
from facedown.store.engine import execute, fetch_value, mark_as_writer, read_transaction, upsert, write_transaction
from facedown.store.processes import current_time_expression
from facedown.store.push_subscriptions import MAX_FAILURES, SUBSCRIPTION, Subscription
from facedown.store.row_conversion import load_tables_where, readable_tables

#: Seconds for which a process claims a notice. Sending takes at most a few seconds.
LEASE = 30.0
#: Number of attempts to send a notice, and the seconds between them.
TRIES, RETRY_AFTER = 3, 60.0
#: Maximum number of tables that are examined in one transaction.
BATCH = 100
_matches, _notices, _subscriptions = schema.matches.c, schema.notices.c, schema.push_subscriptions.c
_TURN_KINDS: tuple[NoticeKind, ...] = ("turn", "last")


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice that a process has claimed, to send it now."""

    id: int
    kind: NoticeKind
    turn: int
    tries: int
    """Number of times that a process has claimed the notice."""
    until: float
    """Unix time after which the notice is of no use."""
    record: TableRecord
    """The table; its clocks and seats are those of now."""
    subscription: Subscription
    inviter: str
    """Name of the person who invites to the table; empty for other notices."""

    @property
    def seat(self) -> int | None:
        """Seat of the person at the table; None if they have none."""
        seats = enumerate(self.record.seats)
        return next((index for index, seat in seats if seat.person == self.subscription.person), None)


class NoticeQueue:
    """The notices of all persons. Each method runs one transaction and may be called from any thread.

    `wall` is a function that returns the current Unix time in seconds. On SQLite it decides when leases expire; on
    PostgreSQL the clock of the database does.
    """

    def __init__(self, engine: Engine, wall: Callable[[], float]) -> None:
        self._engine = engine
        self._wall = wall

    # --- planning -----------------------------------------------------------------------------------------------------

    @mark_as_writer
    def plan(self, now: float) -> None:
        """Add the notices of turns, free seats and invitations that are not in the queue yet.

        Several processes may do this at the same time.
        """
        unseen = _has_new_turns()
        with read_transaction(self._engine) as connection:
            if not connection.scalar(sa.select(sa.exists(sa.select(_subscriptions.id)))):
                return
            new_turns = connection.scalar(sa.select(sa.exists().where(unseen)))
            # Read what is missing before writing, because most calls find nothing and should not lock the database.
            missing = [*_missing_seat_notices(connection, now), *_missing_invitation_notices(connection, now)]
        if not new_turns and not missing:
            return
        with write_transaction(self._engine) as connection:
            for row in missing:
                _store_notice(connection, row)
            some = sa.select(_matches.id).where(unseen).order_by(_matches.id).limit(BATCH)
            numbers = list(connection.scalars(some.with_for_update(skip_locked=True)))
            found = load_tables_where(connection, _matches.id.in_(numbers), history=False)
            _plan_turns(connection, {table.number: table.record for table in readable_tables(found)})
            planned = sa.update(schema.matches).where(_matches.id.in_(numbers))
            connection.execute(planned.values(noticed=_matches.revision))

    # --- sending ------------------------------------------------------------------------------------------------------

    @mark_as_writer
    def claim(self, owner: int, now: float, most: int) -> list[Notice]:
        """Claim up to `most` notices that are due at the Unix time `now`, for the process with the id `owner`.

        Notices that are of no use any more are deleted instead: the turn was taken, the time is over. Those that come
        too late for the day, for example after a failed attempt, are put off until the morning. Those for browsers
        whose push services work come first, so that they never wait for one that does not answer.
        """
        lease = current_time_expression(self._engine, self._wall)
        due = (_notices.due <= now) & (_notices.lease < lease)
        if not fetch_value(self._engine, sa.select(sa.exists().where(due))):
            return []
        first = sa.select(_notices.id).join(schema.push_subscriptions).where(due)
        first = first.order_by(_subscriptions.failures, _notices.tries, _notices.due).limit(most)
        first = first.with_for_update(skip_locked=True, of=schema.notices)
        take = sa.update(schema.notices).where(_notices.id.in_(first), _notices.lease < lease)
        take = take.values(owner=owner, lease=lease + LEASE, tries=_notices.tries + 1)
        with write_transaction(self._engine) as connection:
            claimed = _load_notices(connection, connection.scalars(take.returning(_notices.id)).all())
            useful = [one for one in claimed if _is_useful(connection, one, now)]
            useless = {one.id for one in claimed} - {one.id for one in useful}
            connection.execute(sa.delete(schema.notices).where(_notices.id.in_(useless)))
            return [one for one in useful if not _put_off_until_morning(connection, one, now)]

    @mark_as_writer
    def mark_sent(self, notice: Notice, owner: int) -> None:
        """Record that the push service has accepted a notice that the process `owner` has claimed."""
        with write_transaction(self._engine) as connection:
            connection.execute(self._claimed(notice, owner).values(due=None, owner=0, lease=0.0))
            works = sa.update(schema.push_subscriptions).where(_subscriptions.id == notice.subscription.id)
            connection.execute(works.values(failures=0))

    @mark_as_writer
    def mark_failed(self, notice: Notice, owner: int, now: float) -> None:
        """Record that the process `owner` could not send a notice. It is tried again later, but not more than `TRIES`
        times.

        After `MAX_FAILURES` notices in a row that could not be sent, delete the subscription.
        """
        with write_transaction(self._engine) as connection:
            last = notice.tries >= TRIES
            again = {"due": None if last else now + RETRY_AFTER * notice.tries, "owner": 0, "lease": 0.0}
            if connection.execute(self._claimed(notice, owner).values(again)).rowcount and last:
                this = _subscriptions.id == notice.subscription.id
                fails = sa.update(schema.push_subscriptions).where(this).values(failures=_subscriptions.failures + 1)
                connection.execute(fails)
                connection.execute(
                    sa.delete(schema.push_subscriptions).where(this, _subscriptions.failures > MAX_FAILURES)
                )

    @mark_as_writer
    def delete_gone(self, notice: Notice) -> None:
        """Delete the subscription of a notice, because the push service does not know the browser any more."""
        this = _subscriptions.id == notice.subscription.id, _subscriptions.endpoint == notice.subscription.endpoint
        execute(self._engine, sa.delete(schema.push_subscriptions).where(*this))

    def _claimed(self, notice: Notice, owner: int) -> sa.Update:
        """Return an update of a notice if the process still has the claim, and if no later turn has replaced it."""
        this = (_notices.id == notice.id) & (_notices.owner == owner) & (_notices.turn == notice.turn)
        return sa.update(schema.notices).where(this)


def _has_new_turns() -> sa.ColumnElement[bool]:
    """Return an SQL condition on matches: the table has changed since its turns were planned, and a person with a
    browser that gets notices has a seat there.
    """
    seats = schema.seats.c
    reached = sa.exists().where(seats.match_id == _matches.id, seats.person == _subscriptions.person)
    return (_matches.status == "running") & (_matches.noticed != _matches.revision) & reached


def _turn_numbers(connection: Connection, numbers: Iterable[int]) -> dict[tuple[int, int], int]:
    """Return the numbers of the present turns of the seats of some tables, by (database id of the table, seat).

    The number of a turn is the ply of the seat's last own move, plus one. So it stays the same while others move, and
    while clocks are stopped. Seats without a move are left out: the number is 0.
    """
    moves = schema.moves.c
    last = sa.select(moves.match_id, moves.seat, sa.func.max(moves.ply).label("ply"))
    found = last.where(moves.match_id.in_(list(numbers))).group_by(moves.match_id, moves.seat)
    return {(row.match_id, row.seat): row.ply + 1 for row in connection.execute(found)}


def _plan_turns(connection: Connection, tables: Mapping[int, TableRecord]) -> None:
    """Make the notices of turns at some tables, given by database id, those of now, for the browsers of all players."""
    # The clocks are stopped while a question is open, and then the same turn goes on.
    tables = {number: record for number, record in tables.items() if record.agreements.proposal is None}
    here = _notices.match_id.in_(list(tables)) & _notices.kind.in_(_TURN_KINDS)
    columns = _notices.id, _notices.subscription, _notices.match_id, _notices.kind, _notices.turn
    known = {
        (row.subscription, row.match_id, row.kind): row for row in connection.execute(sa.select(*columns).where(here))
    }
    useless = {row.id for row in known.values()}
    new, kept = [], []
    for row in _planned_rows(connection, tables):
        old = known.get((row["subscription"], row["match_id"], row["kind"]))
        if old is not None and old.turn == row["turn"]:
            useless.discard(old.id)
            kept.append({"its": old.id, "new_due": row["due"], "new_until": row["until"]})
        else:
            new.append(row)
    connection.execute(sa.delete(schema.notices).where(_notices.id.in_(useless)))
    if kept:
        # A notice that was sent or tried keeps its times.
        this = (_notices.id == sa.bindparam("its")) & _notices.due.is_not(None) & (_notices.tries == 0)
        times: dict[str, Any] = {"due": sa.bindparam("new_due"), "until": sa.bindparam("new_until")}
        connection.execute(sa.update(schema.notices).where(this).values(times), kept)
    if new:
        connection.execute(sa.insert(schema.notices), new)


def _planned_rows(connection: Connection, tables: Mapping[int, TableRecord]) -> Iterator[dict[str, Any]]:
    """Yield the rows of notices of the present turns at some tables, for the browsers of all players."""
    turns = _turn_numbers(connection, tables)
    people = {seat.person for record in tables.values() for seat in record.seats if seat.person is not None}
    browsers = defaultdict(list)
    found = sa.select(_subscriptions.id, _subscriptions.person, _subscriptions.zone)
    for row in connection.execute(found.where(_subscriptions.person.in_(people))):
        browsers[row.person].append(row)
    for number, record in tables.items():
        for index, seat in enumerate(record.seats):
            for browser in browsers[seat.person]:
                for kind, due, until in plan_notices(record, index, browser.zone):
                    turn = turns.get((number, index), 0)
                    yield _new_row(browser.id, number, kind, due, until) | {"turn": turn}


def _store_notice(connection: Connection, row: dict[str, Any]) -> None:
    """Add a notice. It replaces one about an earlier offer. If another process has added the same, do nothing."""
    keys = {name: row[name] for name in ("subscription", "match_id", "kind")}
    this = sa.and_(*(_notices[name] == value for name, value in keys.items()))
    connection.execute(sa.delete(schema.notices).where(this, _notices.turn != row["turn"]))
    upsert(connection, schema.notices, keys, {name: row[name] for name in row.keys() - keys}, over=False)


def _missing_seat_notices(connection: Connection, now: float) -> list[dict[str, Any]]:
    """Return the rows of notices about seats that are kept for a person or were found for them. At night there are
    none.
    """
    seekers = schema.seekers.c
    turn = sa.cast(seekers.offer_until, sa.Integer)
    known = sa.exists().where(
        _notices.subscription == _subscriptions.id,
        _notices.match_id == seekers.offer,
        _notices.kind == "seat",
        _notices.turn == turn,
    )
    found = sa.select(_subscriptions.id, _subscriptions.zone, seekers.offer, seekers.offer_until, turn.label("turn"))
    found = found.join_from(schema.seekers, schema.push_subscriptions, _subscriptions.person == seekers.person)
    return [
        _new_row(row.id, row.offer, "seat", now, row.offer_until) | {"turn": row.turn}
        for row in connection.execute(found.where(seekers.offer_until > now, ~known).limit(BATCH))
        if not is_night(now, row.zone)
    ]


def _missing_invitation_notices(connection: Connection, now: float) -> list[dict[str, Any]]:
    """Return the rows of notices about invitations that are shown to the invited person."""
    invited = schema.invitations.c
    known = sa.exists().where(
        _notices.subscription == _subscriptions.id,
        _notices.match_id == invited.match_id,
        _notices.kind == "invite",
    )
    found = sa.select(_subscriptions.id, _subscriptions.zone, invited.match_id, invited.created)
    found = found.join_from(schema.invitations, schema.push_subscriptions, _subscriptions.person == invited.person)
    rows = []
    for row in connection.execute(found.where(invitations.is_shown_condition(now), ~known).limit(BATCH)):
        until = row.created + invitations.LIFETIME
        rows.append(_new_row(row.id, row.match_id, "invite", time_outside_night(now, until, row.zone), until))
    return rows


def _new_row(subscription: int, number: int, kind: NoticeKind, due: float, until: float) -> dict[str, Any]:
    keys = {"subscription": subscription, "match_id": number, "kind": kind}
    return keys | {"turn": 0, "due": due, "until": until, "owner": 0, "lease": 0.0, "tries": 0}


def _load_notices(connection: Connection, ids: Any) -> list[Notice]:
    """Return the notices with these ids. Notices about tables that cannot be read are deleted."""
    invited = schema.invitations.c
    columns = _notices.id, _notices.match_id, _notices.kind, _notices.turn, _notices.tries, _notices.until
    found = sa.select(*columns, *(column.label(f"its_{column.name}") for column in SUBSCRIPTION), invited.name)
    found = found.join_from(schema.notices, schema.push_subscriptions).outerjoin(
        schema.invitations, (invited.match_id == _notices.match_id) & (invited.person == _subscriptions.person)
    )
    rows = connection.execute(found.where(_notices.id.in_(list(ids))).order_by(_notices.id)).all()
    numbers = {row.match_id for row in rows}
    tables = {
        one.number: one.record
        for one in readable_tables(load_tables_where(connection, _matches.id.in_(numbers), history=False))
    }
    lost = [row.id for row in rows if row.match_id not in tables]
    connection.execute(sa.delete(schema.notices).where(_notices.id.in_(lost)))
    return [
        Notice(
            row.id,
            row.kind,
            row.turn,
            row.tries,
            row.until,
            tables[row.match_id],
            Subscription(*(row._mapping[f"its_{column.name}"] for column in SUBSCRIPTION)),
            row.name or "",
        )
        for row in rows
        if row.match_id in tables
    ]


def _put_off_until_morning(connection: Connection, notice: Notice, now: float) -> bool:
    """Release a claimed notice until the morning if it must not be sent at the Unix time `now`. Return whether it was
    released.
    """
    due = time_outside_night(now, notice.until, notice.subscription.zone)
    if due > now:
        free = {"due": due, "owner": 0, "lease": 0.0, "tries": notice.tries - 1}
        connection.execute(sa.update(schema.notices).where(_notices.id == notice.id).values(free))
    return due > now


def _is_useful(connection: Connection, notice: Notice, now: float) -> bool:
    """Return whether a notice is still true: the turn was not taken, the seat or the invitation is still there."""
    if notice.until <= now or notice.tries > TRIES:
        return False
    number = sa.select(_matches.id).where(_matches.code == notice.record.code).scalar_subquery()
    person = notice.subscription.person
    if notice.kind == "seat":
        seekers = schema.seekers.c
        offered = sa.exists().where(seekers.person == person, seekers.offer == number, seekers.offer_until > now)
        return bool(connection.scalar(sa.select(offered)))
    if notice.kind == "invite":
        invited = schema.invitations.c
        this = (invited.match_id == number) & (invited.person == person) & invitations.is_shown_condition(now)
        return bool(connection.scalar(sa.select(sa.exists(sa.select(schema.invitations).where(this)))))
    seat = notice.seat
    if seat is None or not notice.record.clocks or notice.record.clocks[seat].since is None:
        return False
    table = connection.scalar(sa.select(number))
    return table is not None and _turn_numbers(connection, [table]).get((table, seat), 0) == notice.turn
