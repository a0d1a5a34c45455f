"""Clocks: how long every seat may think, and what happens at zero.

A clock starts when the cards lie (they travel for a moment after every move), and rests while a bot plays the seat,
while a round's scores are read, and while the server is away. Nothing here sees more than everybody does: whose turn
it is, and when they moved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from facedown.core.game_module import GameModule
from facedown.core.hidden_cards import shown_view
from facedown.core.state import RUNNING, SPECTATOR, State
from facedown.play.i18n import N_, _
from facedown.play.presence import GRACE
from facedown.play.records import Refusal, SeatClock, Settings, TableRecord

#: A table with a longer clock is played by people who need not be there; only the clock decides for them.
LIVE_CLOCK = 3600
#: The shortest and the longest clock, and the longest increment, in seconds.
SHORTEST, LONGEST, MOST_MORE = 3, 14 * 86_400, 3600
#: How long cards travel after a move and after a deal; only then a clock starts.
MOVE_ANIMATION_TIME, DEAL_ANIMATION_TIME = 1.0, 2.0
#: The scores of a round take no time from a clock, but after so long the match goes on by itself. Where a turn may take
#: a day that day is long enough, and nobody need be there: the clock runs.
SCORE_READING_TIME = 120.0
#: Whose time was up so many turns in a row is taken to be away.
AWAY_AFTER = 3
#: A move that a bot played because the time was up has a token that begins so.
TIMEOUT_TAG = "time:"


@dataclass(frozen=True, slots=True)
class TurnState:
    """What a clock needs to know of a match: all of it is public."""

    acting: frozenset[int]
    phase: str
    same_turn_phases: frozenset[str] = frozenset()
    """The phases in which a turn of this phase goes on."""

    @property
    def is_scoring(self) -> bool:
        """Are the scores of a round being read?"""
        return self.phase == "scoring"


def turn_state(game: GameModule, state: State) -> TurnState:
    """What everybody sees of whose turn it is."""
    acting = game.acting(state) if state.over == RUNNING else []
    phases, on = game.tables.phases, game.tables.same_turn_phases
    phase = phases[shown_view(state, SPECTATOR).phase] if phases else ""
    return TurnState(frozenset(acting), phase, frozenset(then for now, then in on if now == phase))


def check_clock(settings: Settings) -> None:
    """`Refusal` if there is no such clock."""
    if settings.clock and not SHORTEST <= settings.clock <= LONGEST:
        wrong = N_("A clock has {shortest} to {longest} seconds, or 0 for no limit, not {clock}.")
        raise Refusal("malformed", _(wrong, clock=settings.clock, shortest=SHORTEST, longest=LONGEST))
    if not 0 <= settings.increment <= (MOST_MORE if settings.clock else 0):
        raise Refusal("malformed", _("A clock can add 0 to {most} seconds for every turn.", most=MOST_MORE))
    if settings.at_zero not in ("bot", "seat", "nothing"):
        raise Refusal("malformed", _("At zero is bot, seat or nothing, not {given}.", given=settings.at_zero))


def is_correspondence(settings: Settings) -> bool:
    """Is this a table at which nobody need be there?"""
    return settings.clock >= LIVE_CLOCK


def left_at(clock: SeatClock, now: float) -> float:
    """How many seconds a clock shows."""
    run = 0.0 if clock.since is None else max(0.0, now - clock.since)
    return max(0.0, clock.left - run)


def zero_of(clock: SeatClock) -> float | None:
    """When something happens to a seat by itself, or None."""
    if clock.since is not None:
        return clock.since + clock.left
    return None if clock.reads is None else clock.reads + SCORE_READING_TIME


def next_zero(clocks: tuple[SeatClock, ...]) -> float | None:
    """When something happens at a table by itself, or None; it may be past."""
    return min((zero for clock in clocks if (zero := zero_of(clock)) is not None), default=None)


def advance_clocks(
    record: TableRecord, before: TurnState | None, after: TurnState, mover: int | None, now: float
) -> tuple[SeatClock, ...]:
    """The clocks after a deal (`before` is None), after a move, or (no `mover`) after somebody came or went."""
    if not record.settings.clock:
        return ()
    fresh = before is None or (before.is_scoring and not after.is_scoring)
    clocks = record.clocks
    if before is None or not clocks:
        clocks = tuple(SeatClock(float(record.settings.clock)) for _ in record.seats)
    stopped = [_after_move(record.settings, c, seat, before, after, mover, now) for seat, c in enumerate(clocks)]
    return tuple(_started(record, seat, clock, after, fresh, now) for seat, clock in enumerate(stopped))


def _after_move(
    settings: Settings,
    clock: SeatClock,
    seat: int,
    before: TurnState | None,
    after: TurnState,
    mover: int | None,
    now: float,
) -> SeatClock:
    """A seat's clock as it stands when a move has been made: stopped, filled up, or running on."""
    if before is None or (before.is_scoring and not after.is_scoring):
        return replace(clock, left=float(settings.clock), since=None, reads=None, up=False, bot="")
    if seat == mover:
        ups = clock.ups if clock.bot else 0
        stopped = replace(clock, left=left_at(clock, now), since=None, reads=None, ups=ups)
        # Drawing and then keeping is one turn; leading to the next trick is a new one.
        if seat in after.acting and after.phase in before.same_turn_phases:
            return stopped
        left = stopped.left + settings.increment if settings.increment else float(settings.clock)
        return replace(stopped, left=left, up=False, bot="")
    if seat not in after.acting and (clock.since is not None or clock.up):
        left = left_at(clock, now) if settings.increment else float(settings.clock)
        return replace(clock, left=left, since=None, up=False, bot="")
    return clock


def _started(record: TableRecord, seat: int, clock: SeatClock, after: TurnState, fresh: bool, now: float) -> SeatClock:
    """The same clock, running if it is to run."""
    if seat not in after.acting:
        return replace(clock, since=None, reads=None, up=False, bot="")
    if record.seats[seat].bot_level or record.seats[seat].kind != "person":
        # Whoever comes back finds a whole turn, and of a stock at least what a turn adds to it.
        left = max(left_at(clock, now), float(record.settings.increment or record.settings.clock))
        return replace(clock, left=left, since=None, reads=None, up=False, bot="")
    if clock.up or clock.bot or clock.since is not None or clock.reads is not None:
        return clock
    lies = now + (DEAL_ANIMATION_TIME if fresh else MOVE_ANIMATION_TIME)
    if after.is_scoring and not is_correspondence(record.settings):
        return replace(clock, reads=lies)
    return replace(clock, since=lies)


def with_clocks_and_due(
    game: GameModule, record: TableRecord, before: State | None, after: State, now: float, mover: int | None = None
) -> TableRecord:
    """The record with its clocks set, and with `due` if a bot is to act, after a step from one state to the next."""
    if record.settings.clock:
        old = None if before is None else turn_state(game, before)
        record = replace(record, clocks=advance_clocks(record, old, turn_state(game, after), mover, now))
    acting = game.acting(after) if int(after.over) == RUNNING else []
    waiting = any(record.level_of(seat) for seat in acting)
    return replace(record, due=now if waiting else None)


def seconds_until_stand_in(record: TableRecord, seat: int, away: float | None, now: float) -> float | None:
    """For how many seconds more the others have to wait before a bot may stand in; None: there is no reason to.

    `away`: since when the seat has been away, or None.
    """
    place = record.seats[seat]
    if place.kind != "person" or record.status != "running":
        return None
    clock = record.clocks[seat] if record.clocks else None
    late = clock is not None and (clock.ups >= AWAY_AFTER or (clock.up and not clock.bot))
    if late or place.left:
        return 0.0
    return None if away is None or is_correspondence(record.settings) else max(0.0, away + GRACE - now)


def expire_clocks(record: TableRecord, level: str, now: float) -> tuple[TableRecord, list[int]] | None:
    """What becomes of a table when clocks stand at zero: the record, and whose time was up; None if none does."""
    rule = record.settings.at_zero
    late = {seat for seat, clock in enumerate(record.clocks) if (zero := zero_of(clock)) is not None and zero <= now}
    ups = [seat for seat in sorted(late) if record.clocks[seat].reads is None]
    clocks = list(record.clocks)
    for seat in late:
        clocks[seat] = replace(clocks[seat], reads=None, bot=level)
    for seat in ups:
        bot = level if rule == "bot" else ""
        clocks[seat] = SeatClock(0.0, up=True, bot=bot, ups=clocks[seat].ups + 1, lost=rule == "seat")
    return (replace(record, clocks=tuple(clocks)), ups) if late else None


def shift_by_downtime(clocks: tuple[SeatClock, ...], last: float, now: float) -> tuple[SeatClock, ...]:
    """The clocks after the server was away from some time after `last` until `now`: nobody has lost time by it.

    Where the time of day was set back meanwhile, they are put back with it.
    """

    def later(time: float | None) -> float | None:
        if time is None:
            return None
        return time + (now - last if now < last else max(0.0, now - max(last, time)))

    return tuple(replace(clock, since=later(clock.since), reads=later(clock.reads)) for clock in clocks)
