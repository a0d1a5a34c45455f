"""Seat clocks as text and data for pages and programs.

The clocks disclose nothing secret: they can be computed from the times at which turns began, which everyone can see.
"""

from __future__ import annotations

from facedown.core.grammar import capital, digits, in_words, possessive
from facedown.play import Session, Settings
from facedown.play.i18n import TranslatableText
from facedown.play.records import DELAY_BY_ROUND, has_delayed_view
from facedown.play.seat_clocks import is_correspondence, seconds_left
from facedown.play.timeout_messages import TimeoutMessage
from facedown.server import rendering
from facedown.server.i18n import N_, _

#: Largest number of minutes, hours or days that is written as a word ("ten minutes"); larger ones are written in
#: digits.
MAX_IN_WORDS = 10
UNITS = (
    (86_400, N_("a day"), N_("{many} days")),
    (3600, N_("an hour"), N_("{many} hours")),
    (60, N_("a minute"), N_("{many} minutes")),
    (1, N_("a second"), N_("{many} seconds")),
)
AT_ZERO = {
    "bot": N_("a bot plays one move"),
    "seat": N_("a bot takes the seat for the rest of the match"),
    "nothing": N_("no bot plays, but everyone is told"),
}
#: Warnings for a player to move whose clock has only ten seconds left. Each key is a value of `Settings.at_zero`, the
#: table's setting for what happens when the time runs out.
WARNING = {
    "bot": N_("When time runs out, a bot will play this move for you."),
    "seat": N_("When time runs out, a bot will take your seat for the rest of the match."),
    "nothing": N_("When time runs out, no bot will play for you, but everyone will be told."),
}


def duration_text(seconds: int) -> str:
    """Return a time span, given in seconds, as text in the current language.

    >>> duration_text(60), duration_text(180), duration_text(86_400), duration_text(90), duration_text(3600)
    ('a minute', 'three minutes', 'a day', '90 seconds', 'an hour')
    """
    size, one, many = next(unit for unit in UNITS if seconds % unit[0] == 0)
    count = seconds // size
    if count == 1:
        return _(one)
    return _(many, many=in_words(count) if count <= MAX_IN_WORDS else digits(count))


def time_limit_text(settings: Settings) -> str:
    """Return the time limit of a table as text, for the list of house rules.

    >>> time_limit_text(Settings()), time_limit_text(Settings(clock=60))
    ('no limit', 'a minute per turn')
    >>> time_limit_text(Settings(clock=300, increment=10))
    'five minutes for the round, plus ten seconds per turn'
    """
    if not settings.clock:
        return _("no limit")
    clock = duration_text(settings.clock)
    if settings.increment:
        return _("{clock} for the round, plus {more} per turn", clock=clock, more=duration_text(settings.increment))
    return _("{clock} per turn", clock=clock)


def time_rules(settings: Settings) -> list[tuple[str, str]]:
    """Return the house rules about time, as (title, text)."""
    found = [(_("Clock"), time_limit_text(settings))]
    return [*found, (_("When time runs out"), _(AT_ZERO[settings.at_zero]))] if settings.clock else found


def spectator_delay_text(delay: int) -> str:
    """Return the delay of spectators, `Settings.spectator_delay`, as text for the list of house rules.

    >>> spectator_delay_text(180), spectator_delay_text(DELAY_BY_ROUND)
    ('three minutes', 'a round')
    """
    return _("a round") if delay == DELAY_BY_ROUND else duration_text(delay)


def clock_note(session: Session, viewer: int) -> str:
    """Return a note for a viewer (a seat or `SPECTATOR`) of a running match about the table's time limit; "" if it has
    none. If bots play, add that their clocks do not run.

    Spectators who see the match later than the players see no clocks. For them, the note says how late they see it.
    """
    settings = session.record.settings
    if session.dealt_match.over:
        return ""
    if has_delayed_view(session.record, viewer):
        if settings.spectator_delay == DELAY_BY_ROUND:
            return _("You see each round once it’s over.")
        return _("You see the match {time} later than the players.", time=duration_text(settings.spectator_delay))
    if not session.record.clocks:
        return ""
    clock = capital(duration_text(settings.clock))
    told = _("{clock} per turn.", clock=clock)
    if settings.increment:
        more = duration_text(settings.increment)
        told = _("{clock} per player for the round, plus {more} per turn.", clock=clock, more=more)
    bots = [seat.name for seat in session.record.seats if seat.kind == "bot"]
    if not bots:
        return told
    if len(bots) == 1:
        rests = _("{owner} clock doesn’t run: bots move right away.", owner=possessive(bots[0]))
    else:
        rests = _("Bots’ clocks don’t run.")
    return f"{told} {rests}"


def personalize_timeouts(tells: list[TranslatableText], session: Session, seat: int | None) -> list[TranslatableText]:
    """Return the announcements `tells`, worded for the player at `seat`.

    An announcement that this seat's clock expired is replaced by a text that addresses the player as "you". All other
    announcements stay the same. If `seat` is None, the reader has no seat, and `tells` is returned unchanged.
    """
    if seat is None or not session.record.clocks:
        return tells
    own = session.blocked_reason(seat) or _("Your time ran out.")
    return [own if isinstance(tell, TimeoutMessage) and tell.seat == seat else tell for tell in tells]


def seat_clocks(session: Session, viewer: int, now: float) -> dict[int, rendering.Clock]:
    """Return the clock of each seat at Unix time `now`, by seat, for the page of `viewer` (a seat or `SPECTATOR`).

    The clock of the viewer's own seat is marked as theirs. It also has the text of a warning, which the page shows when
    only ten seconds are left. The result is empty before the deal, after the match, and at a table without a time
    limit.
    """
    record = session.record
    if not record.clocks or session.match is None or session.match.over:
        return {}
    return {
        seat: rendering.Clock(
            seconds_left(clock, now),
            float(record.settings.clock),
            runs=clock.since is not None,
            wait=max(0.0, (clock.since or 0.0) - now),
            up=clock.up,
            bot=bool(clock.up and clock.bot),
            slow=is_correspondence(record.settings),
            yours=seat == viewer,
            zero=_(WARNING[record.settings.at_zero]) if seat == viewer else "",
        )
        for seat, clock in enumerate(record.clocks)
    }
