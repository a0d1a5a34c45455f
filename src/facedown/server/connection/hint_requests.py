"""Hint requests: the coach searches for a player's best move in a thread, and the player gets messages on the progress.

The search gets only what the player's seat knows. It tries moves in many worlds (imagined deals). If the player moves
before the hint is ready, the search stops after the next few worlds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from facedown.bots.warm_up import COACH
from facedown.core.advice import Advice, NoCoach
from facedown.core.game_registry import GameModule
from facedown.play import Refusal, Session
from facedown.server.connection import messages
from facedown.server.connection.hint_message import hint_message
from facedown.server.i18n import _
from facedown.server.process import logs
from facedown.server.scheduling import Share
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms

log = logs.logger()

#: Seconds between two progress messages to the player.
PROGRESS_INTERVAL = 0.15
#: Minimum number of worlds (imagined deals) tried for a hint while many requests wait.
MIN_TRIES = 400
#: Expected duration, in seconds, of the search for one hint with the usual number of worlds (imagined deals). If all
#: waiting searches together are expected to take longer than the setting `slow_patience`, each tries fewer worlds in
#: proportion.
EXPECTED_SEARCH_TIME = 0.5


class HintCancelled(Exception):
    """Exception that stops the search for a hint, because the player no longer waits for it."""


def check_hint_allowed_and_get_seat(session: Session, person: int) -> int:
    """Return the seat for which a person may request a hint now. Raise `Refusal` if that is not allowed."""
    if not session.record.settings.hints:
        raise Refusal("forbidden", _("Hints are off at this table."))
    seat = session.seat_of(person)
    match = session.dealt_match
    if seat is None or match.over or seat not in match.acting:
        raise Refusal("not-your-turn", _("Hints are available only on your turn."))
    if reason := session.blocked_reason(seat):
        raise Refusal("not-your-turn", reason)
    return seat


class HintRequest:
    """One player's request for a hint, until it is answered or cancelled."""

    def __init__(self, rooms: Rooms, room: Room, seat: int, origin: str, tell: Callable[[messages.Sent], None]) -> None:
        session = room.session
        self.rooms = rooms
        self.room = room
        self.seat = seat
        self.version = session.version(seat)
        self.over = False
        """Whether the request has been answered or cancelled."""
        self._view = session.dealt_match.known(seat)
        self._tell = tell
        self._told = rooms.clock.monotonic()
        self._share = Share(origin, session.code)
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._compute_and_send_hint())

    def is_current(self) -> bool:
        """Return whether a hint is still wanted and still fits the position.

        The request must be neither answered nor cancelled. The seat must have the same legal moves as when the request
        was made, even if other players have moved since.
        """
        session = self.room.session
        return (
            not self.over
            and bool(session.legal(self.seat))
            and session.has_same_legal_actions_since(self.seat, self.version)
        )

    def stop(self) -> None:
        """Cancel the request. If its search still waits in the queue, remove it; if it runs, it soon stops."""
        self._end_with_messages(messages.Thinking(over=True))
        self._task.cancel()

    def _end_with_messages(self, *answer: messages.Sent) -> None:
        if not self.over:
            self.over = True
            for message in answer:
                self._tell(message)

    def _report_progress(self, done: int, of: int) -> None:
        """Send the player the progress: `done` of about `of` worlds (imagined deals) have been tried.

        The search calls this in its thread. Raise `HintCancelled` to stop the search if the hint is no longer wanted.
        """
        if self.over or self.rooms.closing:
            raise HintCancelled
        now = self.rooms.clock.monotonic()
        if now - self._told >= PROGRESS_INTERVAL:
            self._told = now
            self._loop.call_soon_threadsafe(
                self._send_progress_unless_over, messages.Thinking(done=done, of=max(of, done))
            )

    def _send_progress_unless_over(self, how_far: messages.Thinking) -> None:
        if not self.over:
            self._tell(how_far)

    def _report_compiling(self, step: int, of: int) -> None:
        """Send the player the progress of compiling the coach's code: `step` of `of` steps."""
        self._send_progress_unless_over(messages.Thinking(preparing=True, done=step, of=of))

    def _advise(self, game: GameModule) -> list[Advice]:
        """Return the coach's advice, best move first. Called in a thread.

        An exact evaluation covers all legal moves. An estimate covers only the promising ones.

        While many requests wait, the coach tries fewer worlds (imagined deals). Raise `Refusal` if the coach cannot
        judge this position.
        """
        from facedown.bots.coach import advise

        rooms = self.rooms
        tries = rooms.settings.hint_tries
        fewer = max(min(tries, MIN_TRIES), round(tries * rooms.thinking.allowed_effort_fraction(EXPECTED_SEARCH_TIME)))
        try:
            return advise(game, self._view, self.seat, self.version, fewer, tell=self._report_progress)
        except NoCoach as wrong:
            raise Refusal("conflict", _("No hint available: {why}.", why=wrong)) from None

    async def _compute_and_send_hint(self) -> None:
        """Compute the hint and send it. If that fails, send the reason.

        The random seed of the search is the version of the table that the seat sees, so the seed depends on nothing
        that is hidden from the seat.
        """
        rooms, game = self.rooms, self.room.session.game
        try:
            await rooms.preparations.wait_until_compiled(game.name, COACH, self._report_compiling)
            found = await rooms.thinking.run_in_slow_lane(self._share, self._advise, game)
            # Other players may have moved meanwhile. The hint is still sent if this seat has the same legal moves
            # (`is_current`).
            self._end_with_messages(self._hint_message(found) if self.is_current() else messages.Thinking(over=True))
        except HintCancelled:
            return
        except Refusal as refusal:
            self._end_with_refusal(refusal)
        except Exception:
            log.exception("no_hint", match=logs.match_log_name(self.room.session))
            self._end_with_refusal(Refusal("conflict", _("The coach can’t give a hint right now.")))

    def _hint_message(self, found: list[Advice]) -> messages.Hint:
        """Return the message with the hint. `found` is the coach's advice, one item for each action evaluated.

        The moves are worded for the position that the player sees now. It may differ from the position that was
        searched, because other players may have moved meanwhile.
        """
        session, seat = self.room.session, self.seat
        match = session.dealt_match
        seen = match.views.person_view(seat, session.record.settings.memory)

        def words(action: int) -> str:
            return match.game.action_phrase(seen, action, session.sitters).imperative

        return messages.Hint(**hint_message(session.table(seat), found, session.version(seat), words))

    def _end_with_refusal(self, refusal: Refusal) -> None:
        self._end_with_messages(
            messages.Thinking(over=True), messages.Refused(code=refusal.code, reason=refusal.reason)
        )
