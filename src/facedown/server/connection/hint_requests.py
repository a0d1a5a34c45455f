"""A question to the coach while a match is running: worked out beside the event loop, told how far it has come.

Only the view of the seat that asks goes out of the event loop. Whoever asked may play before there is an answer: then
the search is ended at its next few worlds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from facedown.bots.rehearsal import COACH
from facedown.core.game import GameModule
from facedown.play import Refusal, Session
from facedown.server.connection import hint_message, messages
from facedown.server.process import logs
from facedown.server.table.coach import advice
from facedown.server.table.room import Room
from facedown.server.table.rooms import Rooms
from facedown.server.texts import _
from facedown.server.thinking import Share

log = logs.logger()

#: How often whoever asked is told how far the coach has come, in seconds.
TOLD_EVERY = 0.15
#: Where many wait a hint is worked out with fewer tries, but never fewer than these.
LEAST_TRIES = 400
#: What a hint takes, in seconds.
EXPECTED = 0.5


class LetGo(Exception):
    """Nobody waits for this answer any more."""


def seat_to_hint(session: Session, person: int) -> int:
    """Return the seat for which a person may ask for a hint now; `Refusal` if that is not allowed."""
    if not session.record.settings.hints:
        raise Refusal("forbidden", _("This table is played without hints."))
    seat = session.seat_of(person)
    match = session.running
    if seat is None or match.over or seat not in match.acting:
        raise Refusal("not-your-turn", _("The coach gives hints on your turn."))
    return seat


class Question:
    """One question of one seat, from the moment it is asked until it is answered or let go."""

    def __init__(
        self,
        rooms: Rooms,
        room: Room,
        seat: int,
        origin: str,
        answer: Callable[[Question, messages.Hint | None], None],
        tell: Callable[[messages.Sent], None],
    ) -> None:
        session = room.session
        self.rooms = rooms
        self.room = room
        self.seat = seat
        self.version = session.version(seat)
        self._view = session.running.known(seat)
        self._answer = answer
        self._tell = tell
        self._told = rooms.clock.monotonic()
        self._stopped = False
        self._share = Share(origin, session.code)
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._think())

    def stands(self, session: Session) -> bool:
        """May the seat still do what it could do when it asked?"""
        return bool(session.legal(self.seat)) and session.stands(self.seat, self.version)

    def stop(self) -> None:
        """Nobody waits for the answer any more: what has not been begun never is."""
        self._stopped = True
        self._task.cancel()

    def _further(self, done: int, of: int) -> None:
        """From the thread of the search: so many worlds are done."""
        if self._stopped or self.rooms.closing:
            raise LetGo
        now = self.rooms.clock.monotonic()
        if now - self._told >= TOLD_EVERY:
            self._told = now
            self._loop.call_soon_threadsafe(self._show, done, of)

    def _show(self, done: int, of: int) -> None:
        if not self._stopped:
            self._tell(messages.Thinking(done=done, of=max(of, done)))

    def _prepare(self, step: int, of: int) -> None:
        """The coach's code is still being compiled."""
        if not self._stopped:
            self._tell(messages.Thinking(preparing=True, done=step, of=of))

    def _advise(self, game: GameModule) -> list[Any]:
        """In a thread: what the coach says, with fewer tries where many wait."""
        rooms = self.rooms
        tries = rooms.settings.hint_tries
        fewer = max(min(tries, LEAST_TRIES), round(tries * rooms.thinking.effort(EXPECTED)))
        return advice(game, self._view, self.seat, self.version, fewer, self._further)

    async def _think(self) -> None:
        """The version that the seat counts is the luck of the search: it says nothing of what others hold."""
        rooms, game = self.rooms, self.room.session.game
        try:
            await rooms.preparations.ready(game.name, COACH, self._prepare)
            found = await rooms.thinking.slow(self._share, self._advise, game)
        except LetGo:
            return
        except Refusal as refusal:
            self._refuse(refusal)
        except Exception:
            log.exception("no_hint", match=logs.match_of(self.room.session))
            self._refuse(Refusal("conflict", _("The coach cannot say anything now.")))
        else:
            session = self.room.session
            # Others may have chosen meanwhile: what this seat may do is still the same.
            if self._stopped or not self.stands(session):
                self._answer(self, None)
                return
            self._answer(self, messages.Hint(**hint(session, self.seat, found)))

    def _refuse(self, refusal: Refusal) -> None:
        if not self._stopped:
            self._answer(self, None)
            self._tell(messages.Refused(code=refusal.code, reason=refusal.reason))


def hint(session: Session, seat: int, found: list[Any]) -> dict[str, Any]:
    """What the coach found for a seat, in words of what that seat sees now."""
    match = session.running
    seen = match.views.seen(seat, session.record.settings.memory)

    def words(action: int) -> str:
        return match.game.spoken(seen, action, session.sitters).do

    return hint_message.hint_message(session.table(seat), found, session.version(seat), words)
