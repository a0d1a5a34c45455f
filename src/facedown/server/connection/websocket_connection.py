"""WebSocket connection of one open page or program to a live table (docs/protocol.md).

A connection queues only a few small messages. It does not queue whole pages: it renders the page when the client can
receive it, so that a slow client always gets the newest state.
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
from facedown.play.records import RefusalCode, has_delayed_view
from facedown.server import rendering
from facedown.server.connection import clock_text, coach_panel, messages, viewer_page_data
from facedown.server.connection.commands import (
    handle_open_table_request,
    require_text_within_limit,
    save_error_text,
    session_change_for_move,
    session_change_for_request,
)
from facedown.server.connection.connection_counts import ConnectionPermit
from facedown.server.connection.hint_requests import HintRequest, check_hint_allowed_and_get_seat
from facedown.server.connection.messages import CLOSE_POLICY_VIOLATION, CLOSE_TRY_AGAIN_LATER
from facedown.server.connection.program_view import known_message, require_known_view_allowed
from facedown.server.i18n import _
from facedown.server.process import logs
from facedown.server.process.admission_queue import Admission
from facedown.server.process.render_queue import Turn
from facedown.server.table import rematch
from facedown.server.table.room import Room
from facedown.server.table.room_registry import Rooms
from facedown.store import Person

log = logs.logger()

#: Maximum number of announcements that are queued until the client's page is updated next.
MAX_ANNOUNCEMENTS = 50
#: Number of messages refused by the rate limit after which the connection is closed.
MAX_RATE_REFUSALS = 50
#: Names in the metrics for the reasons why a connection ends, where they differ from the values of `Connection._ends`.
END_METRIC_NAMES = {"": "left", "dismissed": "left", "overflowed": "slow", "silent": "slow"}


class Connection:
    """One WebSocket connection of a page or program to a table."""

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
        """Function that returns whether the credentials of the connection are still valid; None after its only call."""
        self._key = self._stored_key_hash_of_own_seat() if by_key else None
        """Key hash of the seat when a program opened the connection by its token; None for a page."""
        self._heard = rooms.clock.monotonic()
        """Time of the last received message (`Clock.monotonic`)."""
        self._small: list[messages.Sent] = []
        self._dirty = False
        self._stamp: float | None = None
        """Time at which the oldest unsent move arrived (`time.perf_counter`); None if all moves have been sent."""
        self._context = contextvars.copy_context()
        """Context variables of this connection, with its language. Every task that renders for it uses them."""
        self._writer: asyncio.Task[None] | None = None
        """Task that sends messages; None while there is nothing to send, so an idle connection has one task only."""
        self._ends: Literal["", "overflowed", "silent", "dismissed", "slow", "hasty", "error"] = ""
        """Why this connection is to be closed; "" if it is not."""
        self._form: Literal["", "html", "parts", "sections", "known"] = ""
        """Form of the table that the client asked for in its `hello`: "html" (whole page; "parts" for old clients),
        "sections" (changed sections) or "known" (what the seat knows, for programs). "" before the `hello`."""
        self._shown: rendering.Sections = {}
        """The sections that the client shows now."""
        self._page: rendering.TablePage | None = None
        """Page that was sent last to a spectator who sees the match later than the players; else None."""
        self._turn: Turn | None = None
        """Place in the render queue while the page waits to be rendered."""
        self._tells: list[TranslatableText] = []
        """Announcements to be sent with the next update of the client's page."""
        self._version = 0
        self._shown_status = ""
        self._hasty = 0
        self._later: asyncio.TimerHandle | None = None
        """Timer after which a `hello` that came too soon is handled; None if no `hello` is delayed."""
        self._whose: int | None = None
        """Seat whose review of the finished match is shown; None for the default seat."""
        self._review = False
        """Whether the coach's review has progressed since the last message."""
        self._question: HintRequest | None = None
        self._waits = False
        """Whether this page has shown the finished match while its rematch had not begun."""

    @property
    def seat(self) -> int | None:
        """The current seat of this person; None if the person has no seat."""
        return self.room.session.seat_of(self._person_id)

    @property
    def viewer(self) -> int:
        """The seat of this person; `SPECTATOR` if they have none."""
        return SPECTATOR if self.seat is None else self.seat

    # --- events of the room (`Subscriber`) ----------------------------------------------------------------------------

    def on_change(self) -> None:
        """Schedule sending the changed table, or close the connection if the seat's token was replaced."""
        if self._key is not None and self._key != self._stored_key_hash_of_own_seat():
            self.close_because_access_revoked()
            return
        if self._question is not None and not self._question.is_current():
            self._cancel_hint()
        self._dirty = True
        self._stamp = self._stamp or self.room.stamp
        self._start_writer()
        if self._turn is not None and self._is_urgent():
            self.rooms.renders.make_due(self._turn)

    def announce(self, text: TranslatableText) -> None:
        """Queue a text, which is sent with the next update of the client's page.

        If more than `MAX_ANNOUNCEMENTS` texts are queued, the oldest is dropped.
        """
        self._tells = [*self._tells, text][-MAX_ANNOUNCEMENTS:]

    def send_chat(self, said: ChatMessage) -> None:
        """Send a chat message to the client. A ready-made phrase is translated into the client's language."""
        text = self._context.run(chat.translate_if_ready_made_phrase, said.text)
        self._queue_message(messages.Chat(name=said.name, text=text, seat=said.seat, at=round(said.at)))

    def on_review_progress(self) -> None:
        """Schedule a message with the coach's review, because the review has progressed or ended.

        Messages that are already waiting are sent first. Only then is the new message made, so it has the newest state
        of the review.
        """
        self._review = True
        self._start_writer()

    def close_because_access_revoked(self) -> None:
        """Close the connection because its credentials are no longer valid, and ignore further messages."""
        self._ends = "dismissed"
        self._start_writer()

    def _stored_key_hash_of_own_seat(self) -> str:
        return "" if self.seat is None else self.room.session.record.seats[self.seat].key_hash

    def _queue_message(self, message: messages.Sent) -> None:
        if len(self._small) >= self.settings.waiting_messages:
            self._ends = "overflowed"
        else:
            self._small.append(message)
        self._start_writer()

    # --- running --------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serve the client until the connection ends. The socket is open already."""
        try:
            if self._admission is not None:
                self._admission.start_hello_timeout()
            await self.room.load_successor()
            await self._serve()
        finally:
            self._release_admission()
            self.permit.close()

    async def _serve(self) -> None:
        self.room.subscribers.add(self)
        self._metrics.lines.inc()
        self.room.record_opened_connection(self.seat)
        self.rooms.errand(self._return_to_seat())
        try:
            await self._read_messages()
        except (WebSocketDisconnect, RuntimeError):
            # The client closed the connection during a read or a send.
            pass
        except Exception:
            self._ends = "error"
            log.exception("line_broke_off", match=logs.match_log_name(self.room.session))
        finally:
            self._metrics.count_connection_end(END_METRIC_NAMES.get(self._ends, self._ends))
            self.room.subscribers.discard(self)
            # `self.seat` is the current seat, which may have changed since the connection opened.
            self.room.record_closed_connection(self.seat)
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
        """Close the connection if nothing was received for too long. `now` is the time of `Clock.monotonic`."""
        if now - self._heard > self.settings.silence:
            self._ends = "silent"
            self._start_writer()

    async def _return_to_seat(self) -> None:
        """Give a returning player their seat back from a stand-in bot.

        If that cannot be saved now, the player's next move gives the seat back.
        """
        if (person := self._person_id) is not None:
            try:
                await self.room.request_change(lambda session: session.reclaim_seat(person, self.rooms.now()))
            except SQLAlchemyError:
                log.exception("not_written", match=logs.match_log_name(self.room.session))
            except Refusal:
                # For example, the table was deleted. The next message to the page will say so.
                pass

    def _start_writer(self) -> None:
        """Start the task that sends messages or closes the connection, unless it is already running."""
        if self._writer is None:
            self._writer = asyncio.get_running_loop().create_task(self._send_queued_messages(), context=self._context)

    async def _send_queued_messages(self) -> None:
        try:
            while not self._ends and await self._send_next():
                pass
            if self._ends:
                # Closing also ends the reading task.
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
        """Send the next message. Return whether there was one."""
        if self._small:
            await self._send(self._small.pop(0))
        elif self._dirty and self._form:
            page = await self._wait_and_get_page_message()
            stamp, self._stamp = self._stamp, None
            if page is not None:
                await self._send(page)
            self._release_admission()
            if stamp is not None and page is not None:
                self._metrics.record_move_to_page_time(stamp)
        elif self._review and self._form:
            self._review = False
            await self._send(messages.Review(**rendering.coach_message(self._coach_panel())))
        else:
            return False
        return True

    def _release_admission(self) -> None:
        """End this connection's admission, so that the server may open another connection.

        This happens when the first page has been sent, or when the connection ends. Repeated calls do nothing.
        """
        admission, self._admission = self._admission, None
        if admission is not None:
            admission.close()

    async def _wait_and_get_page_message(self) -> messages.Sent | None:
        """Wait for this page's turn in the render queue, then return the newest table as a message, if one is due."""
        self._turn = self.rooms.renders.enqueue(urgent=self._is_urgent())
        await self._turn
        self._turn = None
        # Send the waiting chat messages before the page, which also contains them. The page replaces the client's list
        # of messages, but a message that comes after the page is appended to the list, so it would be shown twice.
        while self._small:
            await self._send(self._small.pop(0))
        self._dirty = self._review = False
        return self._current_page_message()

    def _is_urgent(self) -> bool:
        """Return whether this connection's page must be rendered before those of other connections.

        That is so if it is the turn of this connection's player, or if the client does not show a match yet, for
        example in the lobby.
        """
        match, seat = self.room.session.match, self.seat
        return match is None or self._shown_status != "table" or (seat is not None and seat in match.acting)

    async def _send(self, message: messages.Sent) -> None:
        # If the client does not read the message in time, the connection is closed by
        # `http.connection_limits.LimitedWebSocketProtocol`.
        await self.socket.send_text(text := message.wire())
        self._metrics.count_sent_message(len(text))

    def _current_page_message(self) -> messages.Sent | None:
        """Return the message that updates the client's page: the lobby, the match, or a redirect to another page.

        If the table was deleted, or the client may not see it, the message is an error. A message with the lobby or the
        match contains the announcements that are queued (see `announce`).

        Return None for a spectator who sees the match later than the players, if their page is still the same: a
        message would disclose when something happened that they do not see yet.
        """
        session, seat, viewer = self.room.session, self.seat, self.viewer
        seen = self.room.session_seen_by(viewer)
        say = [str(tell) for tell in clock_text.personalize_timeouts(self._tells, session, seat)]
        self._tells = []
        if self.room.is_deleted:
            return messages.Refused(code="closed", reason=_("The operator of this server has closed this table."))
        if session.match is None:
            if session.record.has_removed(self._person_id):
                # Send the browser to the table's URL. The page there says that the host removed this person.
                return messages.Go(url=f"/t/{session.code}")
            if seat is None and not session.record.settings.spectators:
                return messages.Go(url="/")
            self._shown_status = "lobby"
            if self._form == "known":
                return messages.Lobby(version=session.record.revision, say=say, title=session.code)
            bots, watching = self.settings.bots, self.room.spectator_names
            page = viewer_page_data.lobby(session, seat, self._person_id, self.link, bots, self.rooms.now(), watching)
            return messages.Lobby(**rendering.lobby_message(page, version=session.record.revision, say=say))
        if seat is None and not session.record.settings.spectators:
            return messages.Refused(code="closed", reason=_("Spectators are not allowed at this table."))
        viewer_log = seen.viewer_log(viewer)
        if self._shown_status == "lobby":
            self._version = 0
            say.append(_("Dealing the cards."))
        if viewer_log.version != self._version or self._shown_status == "lobby":
            say += [line.text for line in viewer_log.lines_since(self._version)]
            say += viewer_page_data.others_turn_announcement(seen, viewer)
        delayed = has_delayed_view(session.record, viewer)
        shown, self._page = (
            self._page,
            viewer_page_data.page(self.room, viewer, person=self._person_id) if delayed else None,
        )
        if delayed and self._page is shown and not say and viewer_log.version == self._version:
            return None
        self._version = viewer_log.version
        self._shown_status = "table"
        if not session.dealt_match.over:
            return self._match_message(viewer, say)
        following = self.room.successor.session if self.room.successor is not None else None
        begun = following is not None and following.match is not None
        if begun and self._waits and following is not None and following.seat_of(self._person_id) is not None:
            self._waits = False
            return messages.Go(url=f"/t/{following.code}")
        self._waits = not begun
        return self._match_message(viewer, say, over=True)

    def _match_message(self, viewer: int, say: list[str], over: bool = False) -> messages.Sent:
        if self._form == "known":
            return known_message(self.room.session, viewer, say, self.rooms.now())
        beside = (self._coach_panel(), rematch.rematch_panel(self.room, viewer)) if over else ()
        page = viewer_page_data.page(self.room, viewer, *beside, person=self._person_id)
        if self._form == "sections":
            shown, self._shown = self._shown, page.sections
            return messages.Table.model_construct(**page.page_update_message(shown, version=self._version, say=say))
        message = page.whole_page_message(version=self._version, say=say)
        if self._form == "parts":
            message["parts"] = [message.pop("html")]
        return messages.Table.model_construct(**message)

    def _coach_panel(self) -> rendering.CoachPanel:
        """Return the coach's panel of the finished match. Until the review is done, subscribe to its progress."""
        session, viewer = self.room.session, self.viewer
        seat = coach_panel.own_or_winners_seat_to_review(session, viewer) if self._whose is None else self._whose
        job = coach_panel.get_or_start_review(self.rooms.coach, session, seat)
        if job is not None and not job.ended:
            job.readers.add(self.on_review_progress)
        return coach_panel.build_panel(session, viewer, seat, job)

    async def _read_messages(self) -> None:
        # The credentials may have been revoked after they were checked but before this connection was registered. So
        # check again.
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
            self._metrics.count_received_message(len(received.get("text") or received.get("bytes") or ""))
            if not self.permit.count_received_message():
                self._hasty += 1
                if self._hasty > MAX_RATE_REFUSALS:
                    self._ends = "hasty"
                    return
                self._send_refusal("too-fast", _("Not so fast: too many messages in quick succession."))
                continue
            try:
                await self._handle(
                    messages.parse_client_message(require_text_within_limit(received, self.settings.message_limit))
                )
            except Refusal as refusal:
                self._send_refusal(refusal.code, refusal.reason)
                if refusal.code in ("stale", "conflict", "not-your-turn"):
                    self.on_change()
            except SQLAlchemyError as wrong:
                log.exception("not_written", match=logs.match_log_name(self.room.session))
                self._send_refusal("conflict", save_error_text(wrong))

    def _send_refusal(self, code: RefusalCode, reason: str) -> None:
        self._queue_message(messages.Refused(code=code, reason=reason))

    async def _handle(self, message: messages.Received) -> None:
        match message:
            case messages.Ping():
                self._queue_message(messages.Pong())
            case messages.Hello():
                if message.known:
                    require_known_view_allowed(self.room.session, by_token=self._key is not None)
                self._delay_or_handle_hello(message)
            case messages.LookBack():
                self._show_review(message.seat)
            case messages.AskHint():
                self._start_or_cancel_hint(stop=message.stop)
            case messages.Again():
                if self.person is None:
                    raise Refusal("forbidden", _("You had no seat at this table."))
                await rematch.handle_rematch_answer(self.rooms, self.room, self.person, message.answer)
            case messages.Move():
                await self._play_move(message)
            case messages.ListTable() | messages.TakeOver():
                await handle_open_table_request(self.rooms, self.room, self.person, message)
            case _other:
                bots, now, who = self.settings.bots, self.rooms.now(), self.person
                if isinstance(message, messages.Propose | messages.Answer):
                    await self._reclaim_own_seat()
                await self.room.request_change(
                    lambda session: session_change_for_request(session, who, message, bots, now)
                )

    def _delay_or_handle_hello(self, message: messages.Hello) -> None:
        """Handle a `hello`, the client's request for the whole page.

        If the client sends too many in a short time, handle only the last one, after a delay.
        """
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if wait := self.permit.count_hello_and_get_delay():
            self._later = asyncio.get_running_loop().call_later(wait, self._delay_or_handle_hello, message)
        else:
            self._handle_hello(message)

    def _handle_hello(self, message: messages.Hello) -> None:
        version, session = message.version, self.room.session
        if session.match is not None:
            newest = self.room.session_seen_by(self.viewer).version(self.viewer)
            self._version = version if 0 <= version <= newest else newest
        self._shown_status = "table" if session.match is not None else "lobby"
        if message.known:
            self._form = "known"
        else:
            self._form = "sections" if message.sections else "parts" if message.patches else "html"
        self._shown, self._page = {}, None
        self.on_change()

    @property
    def _person_id(self) -> int | None:
        return self.person.id if self.person is not None else None

    @property
    def _seated_person_id(self) -> int:
        if self.person is None or self.seat is None:
            raise Refusal("forbidden", _("You’re only watching this table."))
        return self.person.id

    # --- the coach --------------------------------------------------------------------------------------------------

    def _show_review(self, seat: int) -> None:
        """Show the coach's review of the decisions of `seat` in the finished match."""
        self.rooms.coach.request_review(self.room.session, seat, again=True)
        self._whose = seat
        self.on_review_progress()

    def _start_or_cancel_hint(self, *, stop: bool) -> None:
        """Start to compute a hint for this seat. If `stop` is true, cancel the running computation instead.

        The hint is computed from the seat's view alone, and is sent to this client only. Raise `Refusal` if the player
        may not have a hint now, if an earlier request is unanswered, or if too many requests are waiting.
        """
        if stop:
            self._cancel_hint()
            return
        seat = check_hint_allowed_and_get_seat(self.room.session, self._seated_person_id)
        if self._question is not None and not self._question.over:
            raise Refusal("too-fast", _("The coach is still thinking."))
        origin = self.rooms.origins.hash_address(self.permit.address)
        self.rooms.thinking.refuse_too_many_waiting_of_origin(origin)
        self._question = HintRequest(self.rooms, self.room, seat, origin, self._queue_message)

    def _cancel_hint(self) -> None:
        """Cancel the computation of a hint for this client. If none is running, do nothing."""
        if self._question is not None:
            self._question.stop()
            self._question = None

    # --- requests ---------------------------------------------------------------------------------------------------

    async def _reclaim_own_seat(self) -> None:
        """Give the player the seat back if a bot stands in.

        This is so for a player who is connected but let their time run out, or whose seat could not be given back when
        they returned.
        """
        if self.seat is not None and self.room.session.record.seats[self.seat].standin:
            await self.room.request_change(
                lambda session: session.reclaim_seat(self._seated_person_id, self.rooms.now())
            )

    async def _play_move(self, move: messages.Move) -> None:
        """Play the move that the client sent, and save it. Raise `Refusal` if the move is not allowed.

        If a bot stands in for the player, first give the seat back to the player. If the same move was played already,
        only send the client the table again.
        """
        await self._reclaim_own_seat()
        if (
            await self.room.request_change(
                lambda session: session_change_for_move(session, self._seated_person_id, move, self.rooms.now())
            )
            is None
        ):
            # The move was made already, so the client may have missed the answer: send the table to this client again.
            self.on_change()
