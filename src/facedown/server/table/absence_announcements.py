"""Announcements about absent players, and the times at which pages must show an absence differently.

`due_announcements` yields texts that are sent to all open pages of the table. `display_change_times` yields the times
at which open pages must be updated, for example because an absent player now counts as away.
"""

from __future__ import annotations

from collections.abc import Iterator

from facedown.core.translation import LazyText
from facedown.play import Session
from facedown.play.i18n import TranslatableText
from facedown.play.presence import GRACE, RELOAD_TIME, SEAT_FREE_AFTER, SHOWN_AWAY_AFTER
from facedown.server.i18n import N_, _

#: An absent player has `GRACE` seconds to come back before the other players may let a bot stand in. The absence is
#: announced on all open pages of the table when these numbers of seconds are left.
ANNOUNCED_SECONDS_LEFT = (30, 0)


def display_change_times(session: Session) -> Iterator[float]:
    """Yield the Unix times, in seconds, at which pages must change how they show the absence of a player.

    For example, pages change when an absent player counts as away, and when a bot may take over. Times in the past are
    included.
    """
    lobby = session.record.status == "lobby"
    marks = (
        (SHOWN_AWAY_AFTER, SEAT_FREE_AFTER)
        if lobby
        else (RELOAD_TIME, *(GRACE - left for left in ANNOUNCED_SECONDS_LEFT))
    )
    for seat, place in enumerate(session.record.seats):
        since = session.presence.away_since(seat)
        if since is not None and place.kind == "person":
            yield from (since + mark for mark in marks)


def due_announcements(session: Session, now: float) -> Iterator[TranslatableText]:
    """Yield the announcements about absent players that are due at the Unix time `now` (see `ANNOUNCED_SECONDS_LEFT`).

    The first announcement about a player says how many seconds are left to come back. The last announcement says that
    the other players can let a bot take over.
    """
    for seat, place in enumerate(session.record.seats):
        since = session.presence.away_since(seat)
        if session.seconds_until_stand_in(seat, now) is None or place.standin or place.left or since is None:
            continue
        for mark in ANNOUNCED_SECONDS_LEFT:
            if 0 <= now - (since + GRACE - mark) < 1:
                said = (
                    N_("{name} is away and has {time} left to come back.")
                    if mark
                    else N_("{name} is away. The others can let a bot take over.")
                )
                yield LazyText(_, said, {"name": place.name, "time": f"0:{mark}"})
