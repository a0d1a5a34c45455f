"""Delayed view of a running match: what spectators see at a table where they see the match later than the players.

The view has no hidden cards anyway. The delay keeps a spectator from helping a player during the round. The first deal
is shown at once: it discloses only what lies open to everyone, and no choice of a player.
"""

from __future__ import annotations

from dataclasses import replace

from facedown.core.state import SPECTATOR
from facedown.play.i18n import TranslatableText
from facedown.play.records import DELAY_BY_ROUND, Agreements, Seat, TableRecord, has_delayed_view
from facedown.play.session import Session


def public_record(record: TableRecord) -> TableRecord:
    """Return the record of which visitors without a seat may see the seats, for example in the list of open tables.

    If spectators see the match later than the players, it is the record right after the deal.
    """
    return _record_after(record, 0) if has_delayed_view(record, SPECTATOR) else record


class SpectatorView:
    """The match of a table as spectators see it: a second session, which follows the first one with a delay.

    The second session has the same chat, and knows who is present. It has no clocks, no proposals and no stand-ins,
    because these disclose something about the present position.
    """

    def __init__(self, live: Session, now: float) -> None:
        self.live = live
        """The session that the players see."""
        self.session = Session(_record_after(live.record, 0))
        """The session that spectators see."""
        self.advance(now)

    def advance(self, now: float) -> list[TranslatableText]:
        """Add the moves that spectators may see at the Unix time `now`. Return the announcements for them.

        The announcements are about the persons at the table. Moves are shown by the log.
        """
        live, shown = self.live, self.session
        ply = self._visible_ply(now)
        record = _record_after(live.record, ply)
        if record == shown.record:
            # The same object: playing areas and pages stay the same objects, too.
            record = shown.record
        shown.presence, shown.chat, shown.chat_count = live.presence, live.chat, live.chat_count
        return shown.catch_up(record, live.moves[shown.ply : ply], ())

    @property
    def next_move_time(self) -> float | None:
        """Unix time at which spectators may see the next move; None if it is not known yet."""
        delay = self.live.record.settings.spectator_delay
        if delay == DELAY_BY_ROUND or self.session.ply == self.live.ply:
            return None
        return self.live.moves[self.session.ply].at + delay

    @property
    def hidden_newcomers(self) -> list[int]:
        """Seats whose players have taken them over from bots in a round that spectators do not see yet."""
        pairs = zip(self.live.record.seats, self.session.record.seats, strict=True)
        return [index for index, (seat, shown) in enumerate(pairs) if seat.kind != shown.kind]

    def _visible_ply(self, now: float) -> int:
        """Return the number of moves that spectators may see at the Unix time `now`. It never decreases."""
        delay, ply = self.live.record.settings.spectator_delay, self.session.ply
        if delay == DELAY_BY_ROUND:
            return max(ply, self.live.last_scoring_ply)
        while ply < self.live.ply and self.live.moves[ply].at <= now - delay:
            ply += 1
        return ply


def _record_after(record: TableRecord, ply: int) -> TableRecord:
    """Return the record that spectators see after `ply` moves."""
    seats = tuple(_seat_after(seat, ply) for seat in record.seats)
    return replace(record, seats=seats, clocks=(), agreements=Agreements(), due=None, revision=0)


def _seat_after(seat: Seat, ply: int) -> Seat:
    if seat.since > ply:
        # The person took the seat over when the next round was dealt, which spectators do not see yet.
        return Seat("bot", seat.bot_name, ready=True, next_person=seat.person, next_name=seat.name)
    # The level of a bot is not known any more once a person has taken the seat over, so it is hidden before, too.
    level = seat.level if seat.next_person is None else ""
    return replace(seat, level=level, standin="", standin_name="")
