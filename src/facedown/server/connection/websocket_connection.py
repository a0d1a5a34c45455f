"""Live tables over WebSockets: one connection for each open page, as docs/protocol.md says.

A connection never holds more than a few waiting messages: whole tables are not queued but drawn anew when the client
can take one, so that a slow client is always shown the table as it stands.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections.abc import Awaitable, Callable
from typing import Literal

from sqlalchemy.exc import SQLAlchemyError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from facedown.core.state import SPECTATOR
from facedown.play import ChatMessage, Refusal, chat
from facedown.play.i18n import TranslatableText
from facedown.play.records import RefusalCode
from facedown.server import rendering
from facedown.server.connection import clock_text, coach_panel, messages, presenter
from facedown.server.connection.commands import change_of, change_of_move, save_error_text, text_of
from facedown.server.connection.connection_counts import ConnectionPermit
from facedown.server.connection.hint_requests import HintRequest, seat_to_hint
from facedown.server.connection.messages import CLOSE_POLICY_VIOLATION, CLOSE_TRY_AGAIN_LATER
from facedown.server.connection.program_view import known_message, require_known_view
from facedown.server.i18n import _
from facedown.server.process import logs
from facedown.server.process.admission_queue import Admission
from facedown.server.process.render_queue import Turn
from facedown.server.table import rematch
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.store import Person

log = logs.logger()

#: Announcements kept for a page that has not been drawn since.
MAX_ANNOUNCEMENTS = 50
#: A client that goes on after so many refusals for haste is cut off.
MAX_RATE_REFUSALS = 50
#: What the metrics call the end of a line, where it has another name here.
END_METRIC_NAMES = {"": "left", "dismissed": "left", "overflowed": "slow", "silent": "slow"}


class Connection:
    """One open page of one person at one table."""

    def __init__(
        self,
        socket: WebSocket,
        rooms: Rooms,
        room: Room,
        person: Person | None,
        link: str,
        line: ConnectionPermit,
        admission: Admission,
        still: Callable[[], Awaitable[bool]],
        by_key: bool = False,
    ) -> None:
        self.socket = socket
        self.rooms = rooms
        self.settings = rooms.settings
        self._metrics = rooms.metrics
        self.room = room
        self.person = person
        self.link = link
        self.permit = line
        self._admission: Admission | None = admission
        self._still: Callable[[], Awaitable[bool]] | None = still
        """Is it still this person whose line it is? Nothing is kept of how that is found out."""
        self._key = self._seat_key() if by_key else None
        """With which key of its seat a program opened this line."""
        self._heard = rooms.clock.monotonic()
        """When something came last."""
        self._small: list[messages.Sent] = []
        self._dirty = False
        self._stamp: float | None = None
        """When the oldest move arrived that this page does not show yet."""
        self._context = contextvars.copy_context()
        """Its language is that of this page, whichever task draws it."""
        self._writer: asyncio.Task[None] | None = None
        """There while something is to be sent: a line that waits has one task, not two."""
        self._ends: Literal["", "overflowed", "silent", "dismissed", "slow", "hasty", "error"] = ""
        """Why this line is to be closed, if it is."""
        self._form: Literal["", "html", "parts", "sections", "known"] = ""
        """How tables are sent: whole (to old pages as the only one of its `parts`), the sections that changed, or to a
        program what its seat knows. Nothing is drawn before the page has said so."""
        self._shown: rendering.Sections = {}
        """The sections that the page shows."""
        self._turn: Turn | None = None
        """While the page waits to be drawn."""
        self._tells: list[TranslatableText] = []
        """What is to be announced with the next page."""
        self._version = 0
        self._shown_status = ""
        self._hasty = 0
        self._later: asyncio.TimerHandle | None = None
        """The whole page was asked for too often: it comes when this rings."""
        self._whose: int | None = None
        """From which seat this page looks back at a finished match; None: as it is at first."""
        self._review = False
        """The coach has come further."""
        self._question: HintRequest | None = None
        self._waits = False
        """This page has shown the finished match while the next one was not dealt."""

    @property
    def seat(self) -> int | None:
        """The seat of this person now."""
        return self.room.session.seat_of(self._person_id)

    @property
    def viewer(self) -> int:
        """Their seat, or `SPECTATOR`."""
        return SPECTATOR if self.seat is None else self.seat

    # --- what the room tells --------------------------------------------------------------------------------------

    def on_change(self) -> None:
        """The table looks different now."""
        if self._key is not None and self._key != self._seat_key():
            self.close_revoked()
            return
        if self._question is not None and not self._question.is_current():
            self._cancel_hint()
        self._dirty = True
        self._stamp = self._stamp or self.room.stamp
        self._start_writer()
        if self._turn is not None and self._is_urgent():
            self.rooms.renders.make_due(self._turn)

    def announce(self, text: TranslatableText) -> None:
        """Something is announced; of much that a slow page waits for, the last."""
        self._tells = [*self._tells, text][-MAX_ANNOUNCEMENTS:]

    def send_chat(self, said: ChatMessage) -> None:
        """Somebody said something."""
        text = self._context.run(chat.translate_phrase, said.text)
        self._post(messages.Chat(name=said.name, text=text, seat=said.seat, at=round(said.at)))

    def on_review_progress(self) -> None:
        """The coach has come further with this match, or is done."""
        self._review = True
        self._start_writer()

    def close_revoked(self) -> None:
        """The key with which this line was opened is nobody's any more: it is closed, and does nothing more."""
        self._ends = "dismissed"
        self._start_writer()

    def _seat_key(self) -> str:
        return "" if self.seat is None else self.room.session.record.seats[self.seat].key_hash

    def _post(self, message: messages.Sent) -> None:
        if len(self._small) >= self.settings.waiting_messages:
            self._ends = "overflowed"
        else:
            self._small.append(message)
        self._start_writer()

    # --- running --------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serve the page until it is closed, too slow or silent; its socket is open already."""
        try:
            if self._admission is not None:
                self._admission.expect_hello()
            await self.room.load_successor()
            await self._serve()
        finally:
            self._release_admission()
            self.permit.close()

    async def _serve(self) -> None:
        self.room.subscribers.add(self)
        self._metrics.lines.inc()
        self.room.arrive(self.seat)
        self.rooms.errand(self._return_to_seat())
        try:
            await self._read()
        except (WebSocketDisconnect, RuntimeError):
            # It was closed while something was to be read or sent.
            pass
        except Exception:
            self._ends = "error"
            log.exception("line_broke_off", match=logs.match_log_name(self.room.session))
        finally:
            self._metrics.count_line_end(END_METRIC_NAMES.get(self._ends, self._ends))
            self.room.subscribers.discard(self)
            # It may be another seat than the one to which they came.
            self.room.depart(self.seat)
            self._cancel_hint()
            if self._later is not None:
                self._later.cancel()
            if (writer := self._writer) is not None:
                writer.cancel()
                await asyncio.gather(writer, return_exceptions=True)
            if self.socket.application_state is not WebSocketState.DISCONNECTED:
                with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                    async with asyncio.timeout(1):
                        await self._close()

    async def _close(self) -> None:
        await self.socket.close(CLOSE_TRY_AGAIN_LATER if self._ends == "overflowed" else CLOSE_POLICY_VIOLATION)

    def close_if_silent(self, now: float) -> None:
        """Nothing may have come for too long (`now` by `Clock.monotonic`): then the line is closed."""
        if now - self._heard > self.settings.silence:
            self._ends = "silent"
            self._start_writer()

    async def _return_to_seat(self) -> None:
        """Whoever opens the page takes their seat back; if that cannot be written down now, their next move does."""
        if (person := self._person_id) is not None:
            try:
                await self.room.request(lambda session: session.reclaim_seat(person, self.rooms.now()))
            except SQLAlchemyError:
                log.exception("not_written", match=logs.match_log_name(self.room.session))
            except Refusal:
                # The table is not there any more, say: their page tells them.
                pass

    def _start_writer(self) -> None:
        """There is something to be sent, or the line is to be closed."""
        if self._writer is None:
            self._writer = asyncio.get_running_loop().create_task(self._write(), context=self._context)

    async def _write(self) -> None:
        try:
            while not self._ends and await self._send_next():
                pass
            if self._ends:
                # Whoever reads is told by it.
                await self._close()
        except Exception as wrong:
            if not isinstance(wrong, (WebSocketDisconnect, RuntimeError)):
                self._ends = "error"
                log.exception("line_broke_off", match=logs.match_log_name(self.room.session))
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self._close()
        finally:
            self._writer = None

    async def _send_next(self) -> bool:
        """Send what comes next, if there is something."""
        if self._small:
            await self._send(self._small.pop(0))
        elif self._dirty and self._form:
            page = await self._newest()
            stamp, self._stamp = self._stamp, None
            await self._send(page)
            self._release_admission()
            if stamp is not None:
                self._metrics.page_sent(stamp)
        elif self._review and self._form:
            self._review = False
            await self._send(messages.Review(**rendering.coach_message(self._coach())))
        else:
            return False
        return True

    def _release_admission(self) -> None:
        """Its page is out: the next line may come in."""
        admission, self._admission = self._admission, None
        if admission is not None:
            admission.close()

    async def _newest(self) -> messages.Sent:
        """The table as it stands when it is this page's turn to be drawn."""
        self._turn = self.rooms.renders.enqueue(urgent=self._is_urgent())
        await self._turn
        self._turn = None
        # What was said while the page waited is on it: after the page it would be added once more.
        while self._small:
            await self._send(self._small.pop(0))
        self._dirty = self._review = False
        return self._draw()

    def _is_urgent(self) -> bool:
        """Does somebody wait for this page: its person is to act, or it shows nothing yet?"""
        match, seat = self.room.session.match, self.seat
        return match is None or self._shown_status != "table" or (seat is not None and seat in match.acting)

    async def _send(self, message: messages.Sent) -> None:
        # Whoever does not take it is cut off by their line itself (`http.connection_limits`).
        await self.socket.send_text(text := message.wire())
        self._metrics.message_out(len(text))

    def _draw(self) -> messages.Sent:
        """The whole table as it stands, with what happened since this connection's last one."""
        session, seat = self.room.session, self.seat
        say = [str(tell) for tell in clock_text.personalize_timeouts(self._tells, session, seat)]
        self._tells = []
        if self.room.is_deleted:
            return messages.Refused(code="closed", reason=_("The operator of this server closed this table."))
        if session.match is None:
            if session.record.has_removed(self._person_id):
                # The page of the table says so.
                return messages.Go(url=f"/t/{session.code}")
            if seat is None and not session.record.settings.spectators:
                return messages.Go(url="/")
            self._shown_status = "lobby"
            if self._form == "known":
                return messages.Lobby(version=session.record.revision, say=say, title=session.code)
            bots, watching = self.settings.bots, self.room.spectator_names
            page = presenter.lobby(session, seat, self._person_id, self.link, bots, self.rooms.now(), watching)
            return messages.Lobby(**rendering.lobby_message(page, version=session.record.revision, say=say))
        if seat is None and not session.record.settings.spectators:
            return messages.Refused(code="closed", reason=_("This table is played without spectators."))
        viewer_log = session.viewer_log(viewer := self.viewer)
        if self._shown_status == "lobby":
            self._version = 0
            say.append(_("Dealing the cards."))
        if viewer_log.version != self._version or self._shown_status == "lobby":
            say += [line.text for line in viewer_log.lines_since(self._version)]
            say += presenter.whose_turn(session, viewer)
        self._version = viewer_log.version
        self._shown_status = "table"
        if not session.dealt_match.over:
            return self._table(viewer, say)
        following = self.room.successor.session if self.room.successor is not None else None
        begun = following is not None and following.match is not None
        if begun and self._waits and following is not None and following.seat_of(self._person_id) is not None:
            self._waits = False
            return messages.Go(url=f"/t/{following.code}")
        self._waits = not begun
        return self._table(viewer, say, over=True)

    def _table(self, viewer: int, say: list[str], over: bool = False) -> messages.Sent:
        if self._form == "known":
            return known_message(self.room.session, viewer, say, self.rooms.now())
        beside = (self._coach(), rematch.rematch_panel(self.room, viewer)) if over else ()
        page = presenter.page(self.room, viewer, *beside)
        if self._form == "sections":
            shown, self._shown = self._shown, page.sections
            return messages.Table.model_construct(**page.message_since(shown, version=self._version, say=say))
        message = page.message(version=self._version, say=say)
        if self._form == "parts":
            message["parts"] = [message.pop("html")]
        return messages.Table.model_construct(**message)

    def _coach(self) -> rendering.CoachPanel:
        """What the coach says of the finished match, or how far it has come: then this page is told of the rest."""
        session, viewer = self.room.session, self.viewer
        seat = coach_panel.default_review_seat(session, viewer) if self._whose is None else self._whose
        job = coach_panel.start_review(self.rooms.coach, session, seat)
        if job is not None and not job.ended:
            job.readers.add(self.on_review_progress)
        return coach_panel.build_panel(session, viewer, seat, job)

    async def _read(self) -> None:
        # The key may have been changed between the door and here, before there was a line to close.
        still, self._still = self._still, None
        with contextlib.suppress(SQLAlchemyError):
            if still is not None and not await still():
                return
        while True:
            received = await self.socket.receive()
            self._heard = self.rooms.clock.monotonic()
            if received["type"] == "websocket.disconnect":
                if received.get("code") == CLOSE_TRY_AGAIN_LATER:
                    self._ends = "slow"
                return
            if self._ends == "dismissed":
                return
            self._metrics.message_in(len(received.get("text") or received.get("bytes") or ""))
            if not self.permit.take_message():
                self._hasty += 1
                if self._hasty > MAX_RATE_REFUSALS:
                    self._ends = "hasty"
                    return
                self._refuse("too-fast", _("Not so fast: too many messages in a short time."))
                continue
            try:
                await self._handle(messages.parse(text_of(received, self.settings.message_limit)))
            except Refusal as refusal:
                self._refuse(refusal.code, refusal.reason)
                if refusal.code in ("stale", "conflict", "not-your-turn"):
                    self.on_change()
            except SQLAlchemyError as wrong:
                log.exception("not_written", match=logs.match_log_name(self.room.session))
                self._refuse("conflict", save_error_text(wrong))

    def _refuse(self, code: RefusalCode, reason: str) -> None:
        self._post(messages.Refused(code=code, reason=reason))

    async def _handle(self, message: messages.Received) -> None:
        match message:
            case messages.Ping():
                self._post(messages.Pong())
            case messages.Hello():
                if message.known:
                    require_known_view(self.room.session, by_token=self._key is not None)
                self._delay_or_handle_hello(message)
            case messages.LookBack():
                self._look_back(message.seat)
            case messages.AskHint():
                self._ask(stop=message.stop)
            case messages.Again():
                if self.person is None:
                    raise Refusal("forbidden", _("You had no seat at this table."))
                await rematch.ask_or_answer(self.rooms, self.room, self.person, message.answer)
            case messages.Move():
                await self._move(message)
            case _other:
                bots, now, who = self.settings.bots, self.rooms.now(), self.person
                await self.room.request(lambda session: change_of(session, who, message, bots, now))

    def _delay_or_handle_hello(self, message: messages.Hello) -> None:
        """The whole page, now or when it is not too often: then the last time it was asked for counts."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if wait := self.permit.take_hello():
            self._later = asyncio.get_running_loop().call_later(wait, self._delay_or_handle_hello, message)
        else:
            self._hello(message)

    def _hello(self, message: messages.Hello) -> None:
        version, session = message.version, self.room.session
        if session.match is not None:
            newest = session.version(self.viewer)
            self._version = version if 0 <= version <= newest else newest
        self._shown_status = "table" if session.match is not None else "lobby"
        if message.known:
            self._form = "known"
        else:
            self._form = "sections" if message.sections else "parts" if message.patches else "html"
        self._shown = {}
        self.on_change()

    @property
    def _person_id(self) -> int | None:
        return self.person.id if self.person is not None else None

    @property
    def _seated_person_id(self) -> int:
        if self.person is None or self.seat is None:
            raise Refusal("forbidden", _("You are only watching at this table."))
        return self.person.id

    # --- the coach --------------------------------------------------------------------------------------------------

    def _look_back(self, seat: int) -> None:
        """Look back at the finished match from another seat."""
        self.rooms.coach.request_review(self.room.session, seat, again=True)
        self._whose = seat
        self.on_review_progress()

    def _ask(self, *, stop: bool) -> None:
        """A hint: it is worked out from this seat's view alone, and told to nobody else."""
        if stop:
            self._cancel_hint()
            return
        seat = seat_to_hint(self.room.session, self._seated_person_id)
        if self._question is not None and not self._question.over:
            raise Refusal("too-fast", _("The coach is still thinking."))
        origin = self.rooms.origins.of(self.permit.address)
        self.rooms.thinking.refuse_if_full(origin)
        self._question = HintRequest(self.rooms, self.room, seat, origin, self._post)

    def _cancel_hint(self) -> None:
        """Whoever asked has played, or does not want to know any more."""
        if self._question is not None:
            self._question.stop()
            self._question = None

    # --- requests ---------------------------------------------------------------------------------------------------

    async def _move(self, move: messages.Move) -> None:
        """A completed path of touches."""
        if self.seat is not None and self.room.session.record.seats[self.seat].standin:
            # Who was too slow may have sat here all the time: moving is coming back.
            await self.room.request(lambda session: session.reclaim_seat(self._seated_person_id, self.rooms.now()))
        if (
            await self.room.request(
                lambda session: change_of_move(session, self._seated_person_id, move, self.rooms.now())
            )
            is None
        ):
            # This very move counts already: the sender may have missed the answer. A new one is told to everybody.
            self.on_change()
