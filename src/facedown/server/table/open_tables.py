"""Open tables of the server: the list, seats at its tables, and the search for a seat.

Every process lists the same tables, because the list is read from the database. A listing lasts only while the host's
page is open; where a turn may take an hour or more, it lasts for some days.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy.engine import Engine

from facedown.core import game_registry as registry
from facedown.play import Change, Refusal, Session, Settings, TableRecord, default_level, open_tables
from facedown.play.new_tables import new_table
from facedown.play.seat_clocks import is_correspondence
from facedown.play.seat_search import CLOCKS, Pace, SearchKind, free_seats, people_at
from facedown.play.spectator_view import public_record
from facedown.server.i18n import _
from facedown.server.process import refusal_counts
from facedown.server.process.clocks import Clock, SteadyClock
from facedown.server.process.server_settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.server.table.blocks import request_seat
from facedown.server.table.room import Room
from facedown.store import Person
from facedown.store import open_tables as store
from facedown.store.blocks import persons_kept_apart

#: Seconds for which a table stays listed after its host was last there; longer if a turn may take an hour or more.
LISTED_FOR, LISTED_FOR_SLOW = 60.0, 3 * 86_400.0
#: Seconds for which the list is kept in memory.
LIST_TTL = 1.0
#: Maximum numbers of tables that a person, and all persons of an address, can list at the same time.
MAX_LISTED_OF_PERSON, MAX_LISTED_OF_ADDRESS = 3, 10
#: Maximum number of searches from one address at the same time.
MAX_SEARCHES_OF_ADDRESS = 10
#: Seconds after which a search ends if no page of the person asks for its result; longer for slow games and notices.
SEARCH_TIME, SEARCH_TIME_SLOW, NOTICE_TIME = 120.0, 3 * 86_400.0, 12 * 3600.0
#: Number of seats at a table that is opened for two seekers, if the game allows it.
SEARCH_SEATS = 4


class OpenTables:
    """The list of open tables and the search for a seat, as this process serves them."""

    def __init__(self, store_threads: StoreThreads, settings: ServerSettings, clock: Clock, now: SteadyClock) -> None:
        self._store = store_threads
        self._settings = settings
        self._clock = clock
        self._now = now
        self._listed: list[store.ListedTable] = []
        self._read_at = float("-inf")
        self._reading = asyncio.Lock()

    async def listed(self) -> list[store.ListedTable]:
        """Return the open tables at which a visitor can sit down or watch, in the order of the list.

        The result may be `LIST_TTL` seconds old.
        """
        async with self._reading:
            if self._clock.monotonic() - self._read_at >= LIST_TTL:
                found = await self._store.run(store.listed_tables, self._engine, self._now())
                known = [
                    replace(one, record=public_record(one.record))
                    for one in found
                    if one.record.game in registry.catalogue()
                ]
                self._listed = [one for one in known if one.free or can_be_watched(one.record)]
                self._read_at = self._clock.monotonic()
        return self._listed

    async def listed_for(self, person: Person | None) -> list[store.ListedTable]:
        """Return the open tables that a visitor may see: none of a person with whom they must not be seated."""
        found = await self.listed()
        if person is None:
            return found
        apart = await self._store.run(persons_kept_apart, self._engine, person.id)
        return [
            one
            for one in found
            if not one.record.has_removed(person.id)
            and person.id not in people_at(one.record)
            and not apart & people_at(one.record)
        ]

    @property
    def _engine(self) -> Engine:
        return self._store.repository.engine

    # --- listing ----------------------------------------------------------------------------------------------------

    async def list_table(self, room: Room, person: Person | None, listed: bool) -> None:
        """List a table among the open tables, or remove it from the list, for its host.

        Raise `Refusal` if the person is not the host, or has too many tables in the list.
        """
        if person is not None and listed and not room.session.record.listed:
            await self._require_few_listed(person, room.session.record.origin)
            await self._extend_listings([room.number], room.session.record.settings)
        number = None if person is None else person.id
        self._read_at = float("-inf")
        await room.request_change(lambda session: open_tables.list_table(session, number, listed))
        self._read_at = float("-inf")

    async def _require_few_listed(self, person: Person, origin: str) -> None:
        count, now = store.count_listed, self._now()
        few = await self._store.run(lambda: count(self._engine, now, host=person.id)) < MAX_LISTED_OF_PERSON
        if few and origin:
            few = await self._store.run(lambda: count(self._engine, now, origin=origin)) < MAX_LISTED_OF_ADDRESS
        if not few:
            refusal_counts.count_refusals("listings")
            raise Refusal("too-fast", _("You already have enough tables in the list. Remove one of them first."))

    async def keep_listed(self, rooms: Sequence[Room]) -> None:
        """Keep those of these tables in the list whose hosts list them and are present.

        During a match, any person at the table counts as present.
        """
        kept = [room for room in rooms if is_kept_listed(room.session, self._now())]
        for slow in (False, True):
            some = [room for room in kept if is_correspondence(room.session.record.settings) == slow]
            if some:
                await self._extend_listings([room.number for room in some], some[0].session.record.settings)

    async def _extend_listings(self, numbers: Sequence[int], settings: Settings) -> None:
        """Extend the listings of tables with these database ids, by the time for the clock in these settings."""
        lasts = LISTED_FOR_SLOW if is_correspondence(settings) else LISTED_FOR
        await self._store.run(store.keep_listed, self._engine, numbers, self._now() + lasts)

    # --- seats ------------------------------------------------------------------------------------------------------

    async def take_seat(
        self, room: Room, person: Person, name: str, *, key_hash: str = "", ready: bool = False
    ) -> Change | None:
        """Give a person the first open seat of a table or, during the match, a bot's seat from the next round on.

        The other arguments are those of `Session.sit`. Raise `Refusal` if the person cannot have a seat, or if all free
        seats are kept for other persons.
        """
        await self._require_seat_not_kept(room, person)

        def make(session: Session) -> Change:
            if session.record.status == "running":
                return open_tables.take_over(session, person.id, name)
            return session.sit(person.id, name, key_hash=key_hash, ready=ready, now=self._now())

        change = await request_seat(room, person.id, make)
        await self._store.run(store.stop_search, self._engine, person.id, "seat")
        self._read_at = float("-inf")
        return change

    async def _require_seat_not_kept(self, room: Room, person: Person) -> None:
        if not room.session.record.listed:
            return
        kept = await self._store.run(store.seats_kept_for_others, self._engine, room.number, person.id, self._now())
        if kept and kept >= free_seats(room.session.record):
            raise Refusal("full", _("This seat is kept for another player for up to a minute."))

    # --- searches ---------------------------------------------------------------------------------------------------

    async def search(self, person: Person, kind: SearchKind, games: Sequence[str], pace: Pace, origin: str) -> None:
        """Start a person's search for a seat, or for a notice of a free seat. Raise `Refusal` if it is not allowed."""
        wanted = [game for game in games if game in registry.catalogue()]
        if not wanted:
            raise Refusal("malformed", _("Choose at least one game."))
        now = self._now()
        if await self._store.run(store.count_searches, self._engine, now, origin) >= MAX_SEARCHES_OF_ADDRESS:
            mine = await self._store.run(store.searches_of, self._engine, person.id, now)
            if kind not in mine:
                refusal_counts.count_refusals("searches")
                raise Refusal("too-fast", _("Too many people are looking for a seat from your IP address."))
        lasts = NOTICE_TIME if kind == "notice" else SEARCH_TIME_SLOW if pace == "day" else SEARCH_TIME
        await self._store.run(store.start_search, self._engine, person.id, kind, wanted, pace, origin, now, now + lasts)
        await self.offer_seats()

    async def stop(self, person: Person, kind: SearchKind) -> None:
        """End a person's search of this kind."""
        await self._store.run(store.stop_search, self._engine, person.id, kind)

    async def searches_of(self, person: Person) -> dict[SearchKind, store.Search]:
        """Return a person's searches, by kind, and keep the search for a seat going, because the person is here."""
        found = await self._store.run(store.searches_of, self._engine, person.id, self._now())
        if "seat" in found and found["seat"].until < self._now() + SEARCH_TIME / 2:
            await self._store.run(store.keep_searching, self._engine, person.id, self._now() + SEARCH_TIME)
        return found

    async def count_seekers(self) -> int:
        """Return the number of persons who look for a seat."""
        return await self._store.run(store.count_searches, self._engine, self._now())

    async def offer_seats(self) -> int:
        """Offer the free seats to those who look for one. Return the number of new offers."""
        return await self._store.run(store.offer_seats, self._engine, self._now(), self._new_table)

    def _new_table(self, game: str, pace: Pace) -> TableRecord:
        """Return the record of a listed table for two persons who look for the same, with bots in the other seats.

        Bots are easily replaced: another person can take over a bot's seat when the next round is dealt.
        """
        info, bots = registry.info(game), self._settings.bots
        low, high = info.seats
        count = min(high, max(low, SEARCH_SEATS))
        seats = ["open", "open", *[default_level(bots)] * (count - 2)]
        settings = Settings(clock=CLOCKS[pace], memory=info.aided)
        return replace(new_table(game, seats, bots, self._now(), host=None, settings=settings), listed=True)


def can_be_watched(record: TableRecord) -> bool:
    """Return whether a match is running at a table that allows spectators."""
    return record.status == "running" and record.settings.spectators


def is_kept_listed(session: Session, now: float) -> bool:
    """Return whether a table stays in the list because its host lists it and a person is present.

    Before the deal this person must be the host.
    """
    record = session.record
    if not record.listed or record.status == "finished":
        return False
    people = [index for index, seat in enumerate(record.seats) if seat.kind == "person" and not seat.left]
    if record.status == "lobby":
        people = [index for index in people if record.seats[index].person == record.host]
    return any(session.presence.away_for(index, now) < LISTED_FOR for index in people)
