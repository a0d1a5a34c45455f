"""Seat clocks: the time that each player has to move, and what happens when it runs out.

When a player is to act, the player's clock starts as soon as the cards on the page have stopped moving. This is
`MOVE_ANIMATION_TIME` seconds after a move, and `DEAL_ANIMATION_TIME` seconds after the deal. A clock does not run:

* while a bot plays the seat;
* while a round's scores are shown, except in correspondence play (see `LIVE_CLOCK`);
* while the server is down.

Clocks depend only on public facts: whose turn it is, and when each seat moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from facedown.core.game_module import GameModule
from facedown.core.hidden_cards import shown_view
from facedown.core.standing_moves import StandingMove
from facedown.core.state import RUNNING, SPECTATOR, State
from facedown.play.i18n import N_, _
from facedown.play.presence import GRACE
from facedown.play.records import DELAY_BY_ROUND, Refusal, SeatClock, Settings, TableRecord

#: Smallest time limit in seconds at which a table counts as correspondence play. There, players may be absent without
#: consequences until their clocks expire.
LIVE_CLOCK = 3600
#: Shortest and longest time limit, and the longest time added after a turn, in seconds.
SHORTEST, LONGEST, MOST_MORE = 3, 14 * 86_400, 3600
#: Shortest and longest delay of spectators, in seconds.
SHORTEST_DELAY, LONGEST_DELAY = 60, 3600
#: Seconds that the animation of cards takes after a move and after a deal. A clock starts when the animation has ended.
MOVE_ANIMATION_TIME, DEAL_ANIMATION_TIME = 1.0, 2.0
#: Seconds after which a match continues although players are still reading the scores of a round. This time is not
#: taken from their clocks. In correspondence play the normal clock runs instead.
SCORE_READING_TIME = 120.0
#: Number of consecutive timeouts after which a player counts as away.
AWAY_AFTER = 3
#: Prefix of the token of a move that a bot made after a timeout.
TIMEOUT_TAG = "time:"


@dataclass(frozen=True, slots=True)
class TurnState:
    """Public facts about a position that determine which clocks run: the seats that are to act and the phase of the
    game.
    """

    acting: frozenset[int]
    phase: str
    same_turn_phases: frozenset[str] = frozenset()
    """Phases that belong to the same turn as this phase. A change to one of them does not end the turn of a seat."""

    @property
    def is_scoring(self) -> bool:
        """Whether the round is over and its scores are shown."""
        return self.phase == "scoring"


def turn_state(game: GameModule, state: State) -> TurnState:
    """Return the facts about a state that determine which clocks run."""
    acting = game.acting(state) if state.over == RUNNING else []
    phases, on = game.tables.phases, game.tables.same_turn_phases
    phase = phases[shown_view(state, SPECTATOR).phase] if phases else ""
    return TurnState(frozenset(acting), phase, frozenset(then for now, then in on if now == phase))


def check_settings(settings: Settings) -> None:
    """Raise `Refusal` if the settings for clocks, take-backs or the delay of spectators are invalid."""
    if settings.clock and not SHORTEST <= settings.clock <= LONGEST:
        wrong = N_("The clock setting must be 0 (no limit) or between {shortest} and {longest} seconds, not {clock}.")
        raise Refusal("malformed", _(wrong, clock=settings.clock, shortest=SHORTEST, longest=LONGEST))
    if not 0 <= settings.increment <= (MOST_MORE if settings.clock else 0):
        raise Refusal("malformed", _("The time added per turn must be between 0 and {most} seconds.", most=MOST_MORE))
    if settings.at_zero not in ("bot", "seat", "nothing"):
        raise Refusal(
            "malformed", _("“at_zero” must be “bot”, “seat” or “nothing”, not “{given}”.", given=settings.at_zero)
        )
    if settings.take_backs not in ("slow", "always", "never"):
        wrong = N_("“take_backs” must be “slow”, “always” or “never”, not “{given}”.")
        raise Refusal("malformed", _(wrong, given=settings.take_backs))
    delay = settings.spectator_delay
    if delay not in (0, DELAY_BY_ROUND) and not SHORTEST_DELAY <= delay <= LONGEST_DELAY:
        wrong = N_(
            "The delay of spectators must be 0 (none), {round} (a round) or between {shortest} and {longest} seconds."
        )
        raise Refusal("malformed", _(wrong, round=DELAY_BY_ROUND, shortest=SHORTEST_DELAY, longest=LONGEST_DELAY))


def is_correspondence(settings: Settings) -> bool:
    """Return whether the time limit is so long that players need not be present (correspondence play)."""
    return settings.clock >= LIVE_CLOCK


def seconds_left(clock: SeatClock, now: float) -> float:
    """Return the seconds left on a clock at the Unix time `now`; 0 if it has expired, never a negative number.

    The number does not fall while the clock is stopped. It also does not fall during the time that is allowed for the
    animation of a move or of the deal (`MOVE_ANIMATION_TIME`, `DEAL_ANIMATION_TIME`).
    """
    run = 0.0 if clock.since is None else max(0.0, now - clock.since)
    return max(0.0, clock.left - run)


def clock_expiry_time(clock: SeatClock) -> float | None:
    """Return the Unix time at which the time limit of a seat expires; None if no time limit is running.

    The time limit is the time on the seat's clock. While the scores of a round are shown, it is the time that the
    player has for reading them (`SCORE_READING_TIME`), except in correspondence play. The field `reads` of `clock` says
    when that time began. The result may be in the past.
    """
    if clock.since is not None:
        return clock.since + clock.left
    return None if clock.reads is None else clock.reads + SCORE_READING_TIME


def next_expiry_time(clocks: tuple[SeatClock, ...]) -> float | None:
    """Return the earliest Unix time at which the time limit of a seat expires; None if no time limit is running.

    `clocks` has the clocks of all seats of a table. The time limit of a seat is the time on the seat's clock or, while
    the scores of a round are shown, the time for reading them (`clock_expiry_time`). The result may be in the past.
    """
    return min((zero for clock in clocks if (zero := clock_expiry_time(clock)) is not None), default=None)


def next_deadline(record: TableRecord) -> float | None:
    """Return the earliest Unix time at which something happens at a running table without a request; None if never.

    It is the time at which a time limit expires (`next_expiry_time`), or at which an unanswered proposal counts as
    declined. While a proposal is open, no clock is running.
    """
    if record.status != "running":
        return None
    proposal = record.agreements.proposal
    return next_expiry_time(record.clocks) if proposal is None else proposal.until


def paused_clocks(clocks: tuple[SeatClock, ...], now: float) -> tuple[SeatClock, ...]:
    """Return the clocks, all stopped at the Unix time `now`."""
    return tuple(replace(clock, left=seconds_left(clock, now), since=None, reads=None) for clock in clocks)


def without_increments_of(
    game: GameModule, record: TableRecord, undone: Sequence[StandingMove]
) -> tuple[SeatClock, ...]:
    """Return the clocks without the increments that were added for moves which are now taken back.

    Otherwise, players could gain time by taking moves back. The time in which they chose these moves stays used.
    """
    clocks = list(record.clocks)
    for one in undone if record.settings.increment and clocks else ():
        seat = one.move.seat
        if _ends_turn(seat, turn_state(game, one.before), turn_state(game, one.after)):
            clocks[seat] = replace(clocks[seat], left=max(0.0, clocks[seat].left - record.settings.increment))
    return tuple(clocks)


def _ends_turn(seat: int, before: TurnState, after: TurnState) -> bool:
    """Return whether a move of `seat` ended its turn.

    If the seat must act again, its turn may continue (a card was drawn and must be kept or discarded), or a new turn
    may have begun (the seat leads to the next trick).
    """
    return not (seat in after.acting and after.phase in before.same_turn_phases)


def advance_clocks(
    record: TableRecord, before: TurnState | None, after: TurnState, mover: int | None, now: float
) -> tuple[SeatClock, ...]:
    """Return the clocks of all seats after a deal, a move, or a change of the players in the seats.

    `before` and `after` describe the positions before and after; `before` is None for a deal. `mover` is the seat that
    moved, or None if no seat did. The result is empty if the table has no time limit.
    """
    if not record.settings.clock:
        return ()
    fresh = before is None or (before.is_scoring and not after.is_scoring)
    clocks = record.clocks
    if before is None or not clocks:
        clocks = tuple(SeatClock(float(record.settings.clock)) for _ in record.seats)
    stopped = [_clock_after_move(record.settings, c, seat, before, after, mover, now) for seat, c in enumerate(clocks)]
    return tuple(_clock_started_if_to_act(record, seat, clock, after, fresh, now) for seat, clock in enumerate(stopped))


def _clock_after_move(
    settings: Settings,
    clock: SeatClock,
    seat: int,
    before: TurnState | None,
    after: TurnState,
    mover: int | None,
    now: float,
) -> SeatClock:
    """Return the clock of `seat` after a deal or a move. If the seat is to act, the caller starts this clock again.

    * After a deal, or when the next round begins: the clock is stopped and set to its full time.
    * After a move of this seat: the clock is stopped. If the move ended the seat's turn, the clock is set to the time
      for the next turn. This is the time left plus the increment or, without an increment, the full time.
    * If the turn of this seat ended without a move of its own: the clock is stopped. The time left stays or, without an
      increment, becomes the full time.
    * In all other cases the clock is unchanged.

    `before` and `after` describe the positions before and after; `before` is None for a deal. `mover` is the seat that
    moved, or None if no seat did, for example because only the player of a seat changed.
    """
    if before is None or (before.is_scoring and not after.is_scoring):
        return replace(clock, left=float(settings.clock), since=None, reads=None, up=False, bot="")
    if seat == mover:
        ups = clock.ups if clock.bot else 0
        stopped = replace(clock, left=seconds_left(clock, now), since=None, reads=None, ups=ups)
        if not _ends_turn(seat, before, after):
            return stopped
        left = stopped.left + settings.increment if settings.increment else float(settings.clock)
        return replace(stopped, left=left, up=False, bot="")
    if seat not in after.acting and (seat in before.acting or clock.up):
        left = seconds_left(clock, now) if settings.increment else float(settings.clock)
        return replace(clock, left=left, since=None, up=False, bot="")
    return clock


def _clock_started_if_to_act(
    record: TableRecord, seat: int, clock: SeatClock, after: TurnState, after_deal: bool, now: float
) -> SeatClock:
    """Return a seat's clock, started if the seat is to act and a person plays it.

    After a deal (`after_deal`), the clock starts later than after a move, because the animation of the cards is longer.
    """
    if seat not in after.acting:
        return replace(clock, since=None, reads=None, up=False, bot="")
    if record.seats[seat].bot_level or record.seats[seat].kind != "person":
        # A person who later takes the seat back from the bot gets at least a minimum of time:
        #
        # * With an increment (time added after each turn), `settings.clock` is the time for a whole round. The minimum
        #   is one increment.
        # * Without one, `settings.clock` is the time for each turn. The minimum is the time for one turn.
        left = max(seconds_left(clock, now), float(record.settings.increment or record.settings.clock))
        return replace(clock, left=left, since=None, reads=None, up=False, bot="")
    if clock.up or clock.bot or clock.since is not None or clock.reads is not None:
        return clock
    lies = now + (DEAL_ANIMATION_TIME if after_deal else MOVE_ANIMATION_TIME)
    if after.is_scoring and not is_correspondence(record.settings):
        return replace(clock, reads=lies)
    return replace(clock, since=lies)


def with_clocks_and_bot_due_time(
    game: GameModule, record: TableRecord, before: State | None, after: State, now: float, mover: int | None = None
) -> TableRecord:
    """Return the record with clocks and `due` updated, after the match has gone from the state `before` to `after`.

    `before` is None for the deal, and `mover` is the seat that moved, if any. `due` is set to `now` if a bot is to act
    in the new state, else to None. While a proposal is open, all clocks are stopped and `due` is None.
    """
    if record.agreements.proposal is not None:
        return replace(record, clocks=paused_clocks(record.clocks, now), due=None)
    if record.settings.clock:
        old = None if before is None else turn_state(game, before)
        record = replace(record, clocks=advance_clocks(record, old, turn_state(game, after), mover, now))
    acting = game.acting(after) if int(after.over) == RUNNING else []
    waiting = any(record.bot_level_at(seat) for seat in acting)
    return replace(record, due=now if waiting else None)


def seconds_until_stand_in(record: TableRecord, seat: int, away: float | None, now: float) -> float | None:
    """Return the seconds until the other players may let a bot play for the person in a seat; 0 if they may now.

    They may do so at once in each of these cases:

    * The person has left the table.
    * The person has run out of time in `AWAY_AFTER` consecutive turns.
    * The person has run out of time in the present turn, and no bot plays this turn.

    Otherwise they may do so when the person has been absent for `GRACE` seconds. In correspondence play, absence is not
    a reason.

    Return None if no such time is known. For example, the person is present, or the match is not running.

    `away` is the Unix time at which the person's absence began, or None if the person is present.
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
    """Return a table's record with the consequences of all time limits that have run out at the Unix time `now`.

    There are two kinds of time limits:

    * A seat's clock. When it runs out, the setting `at_zero` decides what happens. With "bot", a bot plays the rest of
      the turn. With "seat", the clock is marked as `lost`, and the caller must let a bot take over the seat. With
      "nothing", the player may still move.
    * A player's time for reading the scores of a round. When it runs out, a bot confirms that the next round may begin.

    `level` is the level of these bots. Return the new record and the seats whose clocks ran out. Return None if no time
    limit has run out.
    """
    rule = record.settings.at_zero
    late = {
        seat
        for seat, clock in enumerate(record.clocks)
        if (zero := clock_expiry_time(clock)) is not None and zero <= now
    }
    ups = [seat for seat in sorted(late) if record.clocks[seat].reads is None]
    clocks = list(record.clocks)
    for seat in late:
        clocks[seat] = replace(clocks[seat], reads=None, bot=level)
    for seat in ups:
        bot = level if rule == "bot" else ""
        clocks[seat] = SeatClock(0.0, up=True, bot=bot, ups=clocks[seat].ups + 1, lost=rule == "seat")
    return (replace(record, clocks=tuple(clocks)), ups) if late else None


def shift_by_downtime(clocks: tuple[SeatClock, ...], last: float, now: float) -> tuple[SeatClock, ...]:
    """Return the clocks shifted by a downtime of the server, so that no seat loses time because of the downtime.

    `last` is the last Unix time at which the server was known to run. If the system clock was set back meanwhile, the
    seat clocks are set back by the same amount.
    """

    def later(time: float | None) -> float | None:
        if time is None:
            return None
        return time + (now - last if now < last else max(0.0, now - max(last, time)))

    return tuple(replace(clock, since=later(clock.since), reads=later(clock.reads)) for clock in clocks)


def shift_record_by_downtime(record: TableRecord, last: float, now: float) -> TableRecord:
    """Return the record with its clocks (`shift_by_downtime`) and the end of its proposal shifted by a downtime."""
    agreements = record.agreements
    if agreements.proposal is not None:
        later = replace(agreements.proposal, until=agreements.proposal.until + now - last)
        agreements = replace(agreements, proposal=later)
    return replace(record, clocks=shift_by_downtime(record.clocks, last, now), agreements=agreements)
