"""Revocation of access: close a person's connections after the key in the person's cookie was revoked.

The same is done after the person was deleted. Then the person's tables in memory are also read again, because the
person's name was removed from them.
"""

from __future__ import annotations

import contextlib

from facedown.play import Refusal
from facedown.server.table.room_registry import Rooms
from facedown.store.personal_data import forget_person


def close_connections(rooms: Rooms, person: int) -> int:
    """Close a person's connections to all server processes. Return the number of connections closed in this process.

    Clients reconnect by themselves; the server accepts only those with valid credentials.
    """
    rooms.peers.announce_dismissal(person)
    return rooms.close_connections_of(person)


async def forget_and_disconnect(rooms: Rooms, person: int) -> None:
    """Delete a person's data: they leave their unfinished tables, and their name is removed from all tables."""
    for seated in await rooms.store.run(rooms.repository.tables_of, person, None):
        if seated.record.status != "finished":
            # A table that cannot be loaded, or that the person cannot leave, is handled by `forget_person` below.
            with contextlib.suppress(Refusal):
                room = await rooms.room(seated.record.code)
                await room.request(lambda session: session.leave(person))
    changed = await rooms.store.run(forget_person, rooms.repository.engine, person)
    close_connections(rooms, person)
    for code, _revision in changed:
        reread = await rooms.reread(code)
        if reread is not None:
            # Tell other processes that the table has changed. If it is not in memory here, they notice at their next
            # comparison with the database.
            rooms.peers.announce_change(reread)
