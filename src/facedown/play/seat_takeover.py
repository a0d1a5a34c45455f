"""Seats that persons take over from bots during a match, when the next round is dealt."""

from __future__ import annotations

from facedown.core.match_actions import is_game_action
from facedown.core.move_with_views import Step
from facedown.play.records import Seat, TableRecord
from facedown.play.seat_clocks import turn_state


def seats_to_take_over(record: TableRecord) -> list[int]:
    """Return the bots' seats that persons may take over during the match, in the order of the seats.

    They are those of a listed table that allows spectators, because the person watches until the next round is dealt.
    """
    if record.status != "running" or not record.listed or not record.settings.spectators:
        return []
    return [i for i, seat in enumerate(record.seats) if seat.kind == "bot" and seat.next_person is None]


def with_coming_persons_seated(record: TableRecord, step: Step) -> TableRecord:
    """Return the record after a move: if the move dealt the next round, persons take over the seats of bots."""
    if not _deals_next_round(step):
        return record
    for index in record.coming_persons.values():
        bot = record.seats[index]
        seat = Seat("person", bot.next_name, bot.next_person, ready=True, since=step.ply, bot_name=bot.name)
        record = record.with_seat(index, seat)
    return record


def _deals_next_round(step: Step) -> bool:
    """Return whether a move ended the display of a round's scores, so that the next round was dealt."""
    if step.before is None or step.move is None or not is_game_action(step.move.action):
        return False
    game = step.views.game
    return turn_state(game, step.before.state).is_scoring and not turn_state(game, step.after).is_scoring
