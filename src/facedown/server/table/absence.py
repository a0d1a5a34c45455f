"""People without a connection: when that is shown, and what is announced to the others."""

from __future__ import annotations

from collections.abc import Iterator

from facedown.core.language import Later
from facedown.play import Session
from facedown.play.i18n import Tell
from facedown.play.presence import AWAY, BLINK, FREE, GRACE
from facedown.server.i18n import N_, _

#: Seconds left of the grace time at which an announcement is made.
TOLD_AT = (30, 0)


def times(session: Session) -> Iterator[float]:
    """When something about an absence changes; many of these are past."""
    lobby = session.record.status == "lobby"
    marks = (AWAY, FREE) if lobby else (BLINK, *(GRACE - left for left in TOLD_AT))
    for seat, place in enumerate(session.record.seats):
        since = session.presence.away_since(seat)
        if since is not None and place.kind == "person":
            yield from (since + mark for mark in marks)


def announcements(session: Session, now: float) -> Iterator[Tell]:
    """The announcements due now: of people whose grace time is half over, or over."""
    for seat, place in enumerate(session.record.seats):
        since = session.presence.away_since(seat)
        if session.patience(seat, now) is None or place.standin or place.left or since is None:
            continue
        for mark in TOLD_AT:
            if 0 <= now - (since + GRACE - mark) < 1:
                said = N_("{name} is away. {time} left.") if mark else N_("{name} is away. The others may decide.")
                yield Later(_, said, {"name": place.name, "time": f"0:{mark}"})
