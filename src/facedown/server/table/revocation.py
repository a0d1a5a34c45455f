"""Somebody's key is not theirs any more, or they are gone: their open lines are closed, their tables read again."""

from __future__ import annotations

import contextlib

from facedown.play import Refusal
from facedown.server.table.room_registry import Rooms
from facedown.store.personal_data import forget_person


def close_connections(rooms: Rooms, person: int) -> int:
    """Close the lines that a person has open, with this process and with all others; how many there were with this one.

    Whoever has the new key comes back by themselves; whoever has the old one is nobody.
    """
    rooms.peers.announce_dismissal(person)
    return rooms.close_connections_of(person)


async def forget_and_disconnect(rooms: Rooms, person: int) -> None:
    """Forget a person: they leave the tables that go on, as by leaving, and are taken out of all."""
    for seated in await rooms.store.run(rooms.repository.tables_of, person, None):
        if seated.record.status != "finished":
            # A table that cannot be played on is left all the same, below.
            with contextlib.suppress(Refusal):
                room = await rooms.room(seated.record.code)
                await room.request(lambda session: session.leave(person))
    changed = await rooms.store.run(forget_person, rooms.repository.engine, person)
    close_connections(rooms, person)
    for code, _revision in changed:
        reread = await rooms.reread(code)
        if reread is not None:
            # Others who have the table in memory but not we ourselves see it when they next look by themselves.
            rooms.peers.announce_change(reread)
