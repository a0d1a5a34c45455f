"""A question to the coach while a match is running: worked out beside the event loop, told how far it has come.

Only the view of the seat that asks goes out of the event loop. Whoever asked may play before there is an answer: then
the search is ended at its next few worlds.
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

#: How often whoever asked is told how far the coach has come, in seconds.
PROGRESS_INTERVAL = 0.15
#: Where many wait a hint is worked out with fewer tries, but never fewer than these.
MIN_TRIES = 400
#: What a hint takes, in seconds.
EXPECTED = 0.5


class HintCancelled(Exception):
    """Nobody waits for this answer any more."""


def seat_to_hint(session: Session, person: int) -> int:
    """Return the seat for which a person may ask for a hint now; `Refusal` if that is not allowed."""
    if not session.record.settings.hints:
        raise Refusal("forbidden", _("This table is played without hints."))
    seat = session.seat_of(person)
    match = session.dealt_match
    if seat is None or match.over or seat not in match.acting:
        raise Refusal("not-your-turn", _("The coach gives hints on your turn."))
    return seat


class HintRequest:
    """One question of one seat, from the moment it is asked until it is answered or let go."""

    def __init__(self, rooms: Rooms, room: Room, seat: int, origin: str, tell: Callable[[messages.Sent], None]) -> None:
        session = room.session
        self.rooms = rooms
        self.room = room
        self.seat = seat
        self.version = session.version(seat)
        self.over = False
        """It was answered, or the answer is no longer wanted."""
        self._view = session.dealt_match.known(seat)
        self._tell = tell
        self._told = rooms.clock.monotonic()
        self._share = Share(origin, session.code)
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._think())

    def is_current(self) -> bool:
        """Is it still open, and may the seat do what it could do when it asked?"""
        session = self.room.session
        return not self.over and bool(session.legal(self.seat)) and session.is_version_current(self.seat, self.version)

    def stop(self) -> None:
        """Nobody waits for the answer any more: what has not been begun never is."""
        self._end(messages.Thinking(over=True))
        self._task.cancel()

    def _end(self, *answer: messages.Sent) -> None:
        if not self.over:
            self.over = True
            for message in answer:
                self._tell(message)

    def _report_progress(self, done: int, of: int) -> None:
        """From the thread of the search: so many worlds are done."""
        if self.over or self.rooms.closing:
            raise HintCancelled
        now = self.rooms.clock.monotonic()
        if now - self._told >= PROGRESS_INTERVAL:
            self._told = now
            self._loop.call_soon_threadsafe(self._show, messages.Thinking(done=done, of=max(of, done)))

    def _show(self, how_far: messages.Thinking) -> None:
        if not self.over:
            self._tell(how_far)

    def _report_compiling(self, step: int, of: int) -> None:
        """The coach's code is still being compiled."""
        self._show(messages.Thinking(preparing=True, done=step, of=of))

    def _advise(self, game: GameModule) -> list[Advice]:
        """In a thread: what the coach says, with fewer tries where many wait; `Refusal` where nothing can be said."""
        from facedown.bots.coach import advise

        rooms = self.rooms
        tries = rooms.settings.hint_tries
        fewer = max(min(tries, MIN_TRIES), round(tries * rooms.thinking.effort(EXPECTED)))
        try:
            return advise(game, self._view, self.seat, self.version, fewer, tell=self._report_progress)
        except NoCoach as wrong:
            raise Refusal("conflict", _("There is no hint here: {why}.", why=wrong)) from None

    async def _think(self) -> None:
        """The version that the seat counts is the luck of the search: it says nothing of what others hold."""
        rooms, game = self.rooms, self.room.session.game
        try:
            await rooms.preparations.wait_until_compiled(game.name, COACH, self._report_compiling)
            found = await rooms.thinking.slow(self._share, self._advise, game)
            # Others may have chosen meanwhile: what this seat may do is still the same.
            self._end(self._answer(found) if self.is_current() else messages.Thinking(over=True))
        except HintCancelled:
            return
        except Refusal as refusal:
            self._refuse(refusal)
        except Exception:
            log.exception("no_hint", match=logs.match_log_name(self.room.session))
            self._refuse(Refusal("conflict", _("The coach cannot say anything now.")))

    def _answer(self, found: list[Advice]) -> messages.Hint:
        """What the coach found, in words of what its seat sees now."""
        session, seat = self.room.session, self.seat
        match = session.dealt_match
        seen = match.views.person_view(seat, session.record.settings.memory)

        def words(action: int) -> str:
            return match.game.action_phrase(seen, action, session.sitters).imperative

        return messages.Hint(**hint_message(session.table(seat), found, session.version(seat), words))

    def _refuse(self, refusal: Refusal) -> None:
        self._end(messages.Thinking(over=True), messages.Refused(code=refusal.code, reason=refusal.reason))
