"""Revocation of access: close a person's connections after the key in the person's cookie was revoked.

The connections are also closed when the person's data are deleted. The deletion removes the person's name from every
game table (a table at which people play) that is stored in the database. If such a game table is also in the memory of
this process, it is read from the database again, and the other processes are notified.
"""

from __future__ import annotations

import contextlib

from facedown.play import Refusal
from facedown.server.table.room_registry import Rooms
from facedown.store.personal_data import erase_personal_data


def close_connections(rooms: Rooms, person: int) -> int:
    """Close a person's connections to all server processes. Return the number of connections closed in this process.

    Clients reconnect by themselves. The server then accepts only clients with valid credentials.
    """
    rooms.peers.announce_access_revocation(person)
    return rooms.close_connections_of(person)


async def erase_person_and_disconnect(rooms: Rooms, person: int) -> None:
    """Delete a person's data, and close the person's connections to all server processes.

    The person leaves all game tables whose match is not finished. The person's name, chat messages and credentials are
    erased everywhere.
    """
    for seated in await rooms.store.run(rooms.repository.tables_of, person, None):
        if seated.record.status != "finished":
            # A table that cannot be loaded, or that the person cannot leave, is handled by `erase_personal_data` below.
            with contextlib.suppress(Refusal):
                room = await rooms.room(seated.record.code)
                await room.request_change(lambda session: session.leave(person))
    changed = await rooms.store.run(erase_personal_data, rooms.repository.engine, person)
    close_connections(rooms, person)
    for code, _revision in changed:
        reread = await rooms.reread_room_in_memory(code)
        if reread is not None:
            # Tell other processes that the table has changed. If it is not in memory here, they notice at their next
            # comparison with the database.
            rooms.peers.announce_change(reread)
