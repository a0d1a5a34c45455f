"""Clocks in words, for pages and programs. All of it is public: a clock follows from whose turn it is."""

from __future__ import annotations

from facedown.core.voice import capital
from facedown.play import Session, Settings
from facedown.play.clock import left_at, slow
from facedown.server import look

SMALL = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
AT_ZERO = {
    "bot": "a bot plays one move",
    "seat": "the seat is lost, and a bot plays it to the end",
    "nothing": "nothing, but it shows",
}
#: What whoever is to move is told in their last ten seconds.
WARNING = {
    "bot": "At zero a bot plays this one move for you.",
    "seat": "At zero your seat is lost: a bot plays it to the end.",
    "nothing": "At zero nothing happens, but it shows.",
}


def long(seconds: int) -> str:
    """A span of time in words.

    >>> long(60), long(180), long(86_400), long(90), long(3600)
    ('a minute', 'three minutes', 'a day', '90 seconds', 'an hour')
    """
    size, unit = next((size, unit) for size, unit in UNITS if seconds % size == 0)
    count = seconds // size
    if count == 1:
        return f"an {unit}" if unit == "hour" else f"a {unit}"
    return f"{SMALL[count] if count < len(SMALL) else count} {unit}s"


def words(settings: Settings) -> str:
    """How the clock goes, as a house rule.

    >>> words(Settings()), words(Settings(clock=60)), words(Settings(clock=300, increment=10))
    ('no limit', 'a minute a turn', 'five minutes for the round, ten seconds more for every turn')
    """
    if not settings.clock:
        return "no limit"
    if settings.increment:
        return f"{long(settings.clock)} for the round, {long(settings.increment)} more for every turn"
    return f"{long(settings.clock)} a turn"


def rules(settings: Settings) -> list[tuple[str, str]]:
    """The house rules about time."""
    found = [("Clock", words(settings))]
    return [*found, ("At zero", AT_ZERO[settings.at_zero])] if settings.clock else found


def note(session: Session) -> str:
    """How the clock goes, in a sentence, with the bots' names: theirs rest."""
    settings = session.record.settings
    if not session.record.clocks:
        return ""
    told = capital(words(settings)).replace(" for the round, ", " each for the round, and ")
    bots = [seat.name for seat in session.record.seats if seat.kind == "bot"]
    if not bots:
        return f"{told}."
    return f"{told}. " + (
        f"{bots[0]}’s clock rests: a bot answers at once." if len(bots) == 1 else "Bots’ clocks rest."
    )


def told(tells: list[str], session: Session, seat: int | None) -> list[str]:
    """The same announcements, but one's own late clock is spoken of as one's own."""
    if seat is None or not session.record.clocks:
        return tells
    start = f"{session.record.seats[seat].name}’s time was up."
    return [session.bound(seat) or "Your time was up." if tell.startswith(start) else tell for tell in tells]


def chips(session: Session, viewer: int, now: float) -> dict[int, look.Clock]:
    """Every seat's clock as it stands; nothing at a table without, and when the match is over."""
    record = session.record
    if not record.clocks or session.match is None or session.match.over:
        return {}
    return {
        seat: look.Clock(
            left_at(clock, now),
            float(record.settings.clock),
            runs=clock.since is not None,
            wait=max(0.0, (clock.since or 0.0) - now),
            up=clock.up,
            bot=bool(clock.up and clock.bot),
            slow=slow(record.settings),
            yours=seat == viewer,
            zero=WARNING[record.settings.at_zero] if seat == viewer else "",
        )
        for seat, clock in enumerate(record.clocks)
    }
