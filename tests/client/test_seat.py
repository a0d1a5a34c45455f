"""Programs at a server's tables: they know what their seat knows, play to the end, and move exactly once."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from facedown.bots import bot
from facedown.client import NoAnswer, Seat, Stale, Turn, open_table, parse_table_address, sit
from facedown.client import http_requests as requests
from facedown.client import live_connection as lines
from facedown.core.state import to_bytes
from facedown.play import Session
from tests.client.conftest import link_to, two_seats
from tests.play.table import LowBots
from tests.ports import Port
from tests.server.http_server import PATIENCE, Server, serving
from tests.waiting import wait_until

#: Games with options that make a match short.
SHORT: dict[str, dict[str, str]] = {"reveal": {"end": "hands(1)"}, "uncovered": {}, "scout": {}}


def session_of(server: Server, seat: Seat) -> Session:
    return server.rooms._rooms[seat.code].session


def newest_turn(server: Server, seat: Seat) -> Turn:
    """Return what a seat knows once it has received everything that happened at its table."""
    turn = seat.now or seat.wait_for_change(PATIENCE)
    while turn.version < session_of(server, seat).version(turn.seat):
        turn = seat.wait_for_change(PATIENCE)
    return turn


def play_random_moves(seats: Sequence[Seat], most: int, rnd: random.Random) -> int:
    """Play random moves one after the other, at most `most`. Returns their number."""
    for number in range(most):
        turns = [seat.now or seat.wait_for_change() for seat in seats]
        able = [number for number, turn in enumerate(turns) if turn.legal]
        if turns[0].over:
            return number
        if not able:
            for seat in seats:
                with contextlib.suppress(TimeoutError):
                    seat.wait_for_change(0.05)
            continue
        mover = rnd.choice(able)
        seats[mover].play(rnd.choice(turns[mover].legal), turns[mover])
        seats[mover].wait_for_change()
    return most


@pytest.mark.parametrize("game", SHORT)
def test_two_client_bots_play_a_whole_match_knowing_only_what_their_seats_may_know(
    server: Server, seed: int, game: str
) -> None:
    mine, others = LowBots(), bot("greedy")
    with two_seats(server, game, options=SHORT[game]) as (ada, ben), ThreadPoolExecutor(2) as threads:
        hers, his = threads.submit(ada.play_out, others, seed), threads.submit(ben.play_out, mine.bot("low"))
        assert hers.result(PATIENCE) == his.result(PATIENCE)
        match = session_of(server, ada).dealt_match
        assert list(ada.returns) == match.returns
        # Each bot chose from what its seat knew.
        knew = [to_bytes(step.before.known(1)) for step in match.steps() if step.move and step.before]
        assert mine.shown
        assert set(map(to_bytes, mine.shown)) <= set(knew)
        finished = ben.record()
        assert [move["action"] for move in finished.moves] == [move.action for move in match.moves]
        assert finished.seats == ["Ada", "Ben"]


def test_every_view_of_a_client_holds_exactly_what_its_seat_may_know(server: Server, seed: int) -> None:
    rnd = random.Random(seed)
    with two_seats(server) as (ada, ben):
        for _ in range(12):
            play_random_moves((ada, ben), 3, rnd)
            match = session_of(server, ada).dealt_match
            for number, seat in enumerate((ada, ben)):
                turn = newest_turn(server, seat)
                assert (turn.seat, list(turn.acting)) == (number, match.acting)
                assert to_bytes(turn.view) == to_bytes(match.known(number))
                assert list(turn.legal) == match.legal(number)
                assert turn.view.dtype == match.game.dtype  # type: ignore[attr-defined]


def test_client_waiting_in_the_lobby_is_told_of_the_deal_once_all_are_ready(server: Server) -> None:
    with open_table(server.origin, "detect", "Ada", patience=PATIENCE) as ada:
        assert ada.now is None
        with pytest.raises(TimeoutError):
            ada.wait_for_change(0.3)
        with sit(ada.code.lower(), "Ben", server=server.origin, ready=False, patience=PATIENCE) as ben:
            assert [seat.ready for seat in ben.table().seats] == [True, False]
            ben.ready()
            turn = ada.wait_for_change()
            assert "Dealing the cards." in turn.said
            assert turn.left is None
            ada.play(ada.game.words.words(turn.legal[0]))
            assert ada.wait_for_change().version == 1


def test_client_resumes_its_seat_by_its_token(server: Server) -> None:
    with two_seats(server) as (ada, ben):
        turn = ada.wait_for_change()
        ada.play(turn.legal[5])
        with Seat(parse_table_address(link_to(server, ada.code)), ada.token, patience=PATIENCE) as again:
            now = again.wait_for_change()
            assert now.seat == 0
            assert to_bytes(now.view) == to_bytes(session_of(server, ada).dealt_match.known(0))
        ben.leave()
        assert session_of(server, ada).record.seats[1].left


def test_clients_agree_on_a_rematch_at_a_new_table(server: Server, seed: int) -> None:
    with two_seats(server, "reveal", options=SHORT["reveal"]) as (ada, ben), ThreadPoolExecutor(2) as threads:
        over = [threads.submit(seat.play_out, bot("greedy"), seed) for seat in (ada, ben)]
        assert over[0].result(PATIENCE) == over[1].result(PATIENCE)
        hers = ada.offer_or_accept_rematch()
        his = ben.offer_or_accept_rematch()
        assert hers is not None
        assert his is not None
        with hers, his:
            assert hers.code == his.code != ada.code
            assert {hers.wait_for_change().seat, his.wait_for_change().seat} == {0, 1}
            assert all(seat.program for seat in hers.table().seats)


# --- exactly once -----------------------------------------------------------------------------------------------------


class Lossy(httpx.HTTPTransport):
    """A connection that loses some requests and some answers."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__()
        self.luck = luck
        self.lost = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.luck.random() < 0.3:
            self.lost += 1
            raise httpx.ReadError("lost on the way there", request=request)
        answer = super().handle_request(request)
        answer.read()
        if self.luck.random() < 0.4:
            self.lost += 1
            raise httpx.ReadError("lost on the way back", request=request)
        return answer


def lose_requests(seat: Seat, luck: random.Random) -> Lossy:
    """Let this seat lose some of its requests from now on."""
    client = seat._asking._client
    transport = Lossy(luck)
    client._transport.close()
    client._transport = transport
    client._mounts = {}
    return transport


@pytest.mark.usefixtures("fast_retries")
def test_move_counts_once_however_often_requests_and_answers_are_lost(server: Server, seed: int) -> None:
    rnd = random.Random(seed)
    with two_seats(server) as (ada, ben):
        lost = lose_requests(ada, rnd)
        wanted: list[int] = []
        # In rare runs twelve moves lose too few messages. The match then continues until more are lost.
        while len(wanted) < 12 or lost.lost <= 3:
            while not (turn := newest_turn(server, ada)).legal:
                his = newest_turn(server, ben)
                # His lowest move flips hardly any cards, so that the round lasts long enough for her moves.
                ben.play(his.legal[0], his)
                ben.wait_for_change(PATIENCE)
            wanted.append(rnd.choice(turn.legal))
            ada.play(wanted[-1], turn)
            ada.wait_for_change(PATIENCE)
        assert lost.lost > 3
        assert [move.action for move in session_of(server, ada).moves if move.seat == 0] == wanted


def test_cut_connection_is_reopened_and_brings_the_newest_view(
    server: Server, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "WAITS", (0.01,))
    rnd = random.Random(seed)
    with two_seats(server) as (ada, ben):
        for number in range(4):
            play_random_moves((ada, ben), 3, rnd)
            opened = ada._line.opened
            assert ada._line._line is not None
            ada._line._line.socket.shutdown(socket.SHUT_RDWR)
            while (ada.now or ada.wait_for_change()).legal == () == (ben.now or ben.wait_for_change()).legal:
                for seat in (ada, ben):
                    with contextlib.suppress(TimeoutError):
                        seat.wait_for_change(0.05)
            play_random_moves((ada, ben), 1, rnd)
            # Only the new connection can have told her of that last move.
            turn = newest_turn(server, ada)
            assert ada._line.opened == opened + 1, number
            assert to_bytes(turn.view) == to_bytes(session_of(server, ada).dealt_match.known(0))


@pytest.mark.usefixtures("fast_retries")
def test_clients_continue_after_server_restarts_and_each_move_is_stored_once(tmp_path: Path, seed: int) -> None:
    """The server restarts in the middle of a match, several times."""
    over = threading.Event()
    with ThreadPoolExecutor(2) as threads, contextlib.ExitStack() as stack:
        stack.callback(over.set)
        port = stack.enter_context(contextlib.closing(Port())).number
        with serving(tmp_path, port=port) as first:
            ada = stack.enter_context(open_table(first.origin, "detect", "Ada", patience=PATIENCE))
            ben = stack.enter_context(sit(link_to(first, ada.code), "Ben", patience=PATIENCE))
            played = [threads.submit(play_slowly, seat, seed, over) for seat in (ada, ben)]
            wait_for_progress(lambda: session_of(first, ada).ply >= 6, played)
        for enough in (12, 18):
            with serving(tmp_path, port=port) as next_one:
                assert next_one.origin == first.origin
                wait_for_progress(
                    lambda enough=enough, at=next_one: (
                        ada.code in at.rooms._rooms and session_of(at, ada).ply >= enough
                    ),
                    played,
                )
                now = session_of(next_one, ada).ply
        with serving(tmp_path, port=port) as last:
            over.set()
            counts = [future.result(PATIENCE) for future in played]
            moves = last.within(last.rooms.room(ada.code)).session.moves
            assert [len([move for move in moves if move.seat == seat]) for seat in (0, 1)] == counts
            assert len(moves) >= now >= 18


def wait_for_progress(enough: Callable[[], bool], players: Sequence[Future[Any]]) -> None:
    """Wait until the players have come far enough. Raises the exception of a player who failed."""

    def far_enough() -> bool:
        for player in players:
            if player.done():
                player.result()
        return enough()

    wait_until(far_enough)


def play_slowly(seat: Seat, seed: int, over: threading.Event) -> int:
    """Play until the match or the test is over. Returns how many moves of this seat should be stored."""
    rnd, count = random.Random(seed), 0
    while not over.is_set():
        with contextlib.suppress(TimeoutError):
            seat.wait_for_change(0.05)
        turn = seat.now
        if turn is None or not turn.legal or turn.version < seat._played:
            continue
        over.wait(0.02)
        with contextlib.suppress(Stale):
            seat.play(rnd.choice(turn.legal), turn)
            count += 1
    return count


def test_client_raises_no_answer_error_if_the_server_stays_away_longer_than_the_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A running server may take longer to open a connection. One that is gone refuses it at once.
    monkeypatch.setattr(lines, "SHORTEST", PATIENCE)
    with contextlib.ExitStack() as stack:
        with serving(tmp_path) as running:
            ada = stack.enter_context(open_table(running.origin, "detect", "Ada", ("me", "low"), patience=0.2))
            turn = ada.wait_for_change()
        with pytest.raises(NoAnswer):
            ada.play(turn.legal[0])
        with pytest.raises(NoAnswer):
            ada.wait_for_change()
        with pytest.raises(NoAnswer):
            sit(link_to(running, ada.code), "Ben", patience=0.2)


def test_client_sends_pings_while_its_program_computes_a_move(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server closes a connection that sends nothing."""
    monkeypatch.setattr(lines, "PING", 0.05)
    with two_seats(server) as (ada, _ben):
        ada.wait_for_change()
        line = ada._line._line
        assert line is not None
        while "pong" not in str(line.recv(PATIENCE)):
            pass
