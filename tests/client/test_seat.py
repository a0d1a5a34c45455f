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
from tests.client.conftest import link_to, two
from tests.play.table import LowBots
from tests.ports import Port
from tests.server.http_server import PATIENCE, Server, serving
from tests.waiting import wait_until

#: Games by their names, with house rules that make a match short.
SHORT: dict[str, dict[str, str]] = {"reveal": {"end": "hands(1)"}, "uncovered": {}, "scout": {}}


def session_of(server: Server, seat: Seat) -> Session:
    return server.rooms._rooms[seat.code].session


def told_all(server: Server, seat: Seat) -> Turn:
    """What a seat knows when it has been told of all that has happened at its table so far."""
    turn = seat.now or seat.wait(PATIENCE)
    while turn.version < session_of(server, seat).version(turn.seat):
        turn = seat.wait(PATIENCE)
    return turn


def in_step(seats: Sequence[Seat], most: int, rnd: random.Random) -> int:
    """Play some random moves, one after the other; how many."""
    for number in range(most):
        turns = [seat.now or seat.wait() for seat in seats]
        able = [number for number, turn in enumerate(turns) if turn.legal]
        if turns[0].over:
            return number
        if not able:
            for seat in seats:
                with contextlib.suppress(TimeoutError):
                    seat.wait(0.05)
            continue
        mover = rnd.choice(able)
        seats[mover].play(rnd.choice(turns[mover].legal), turns[mover])
        seats[mover].wait()
    return most


@pytest.mark.parametrize("game", SHORT)
def test_two_bots_play_a_match_from_the_records_of_their_seats(server: Server, seed: int, game: str) -> None:
    mine, others = LowBots(), bot("greedy")
    with two(server, game, options=SHORT[game]) as (ada, ben), ThreadPoolExecutor(2) as threads:
        hers, his = threads.submit(ada.play_out, others, seed), threads.submit(ben.play_out, mine.bot("low"))
        assert hers.result(PATIENCE) == his.result(PATIENCE)
        match = session_of(server, ada).dealt_match
        assert list(ada.returns) == match.returns
        # What each chose from is what its seat knew.
        knew = [to_bytes(step.before.known(1)) for step in match.steps() if step.move and step.before]
        assert mine.shown
        assert set(map(to_bytes, mine.shown)) <= set(knew)
        finished = ben.record()
        assert [move["action"] for move in finished.moves] == [move.action for move in match.moves]
        assert finished.seats == ["Ada", "Ben"]


def test_every_view_is_the_record_that_the_seat_knows(server: Server, seed: int) -> None:
    rnd = random.Random(seed)
    with two(server) as (ada, ben):
        for _ in range(12):
            in_step((ada, ben), 3, rnd)
            match = session_of(server, ada).dealt_match
            for number, seat in enumerate((ada, ben)):
                turn = told_all(server, seat)
                assert (turn.seat, list(turn.acting)) == (number, match.acting)
                assert to_bytes(turn.view) == to_bytes(match.known(number))
                assert list(turn.legal) == match.legal(number)
                assert turn.view.dtype == match.game.dtype  # type: ignore[attr-defined]


def test_the_lobby_is_waited_out_and_what_happened_is_told(server: Server) -> None:
    with open_table(server.origin, "detect", "Ada", patience=PATIENCE) as ada:
        assert ada.now is None
        with pytest.raises(TimeoutError):
            ada.wait(0.3)
        with sit(ada.code.lower(), "Ben", server=server.origin, ready=False, patience=PATIENCE) as ben:
            assert [seat.ready for seat in ben.table().seats] == [True, False]
            ben.ready()
            turn = ada.wait()
            assert "Dealing the cards." in turn.said
            assert turn.left is None
            ada.play(ada.game.words.words(turn.legal[0]))
            assert ada.wait().version == 1


def test_a_seat_is_taken_up_again_by_its_token(server: Server) -> None:
    with two(server) as (ada, ben):
        turn = ada.wait()
        ada.play(turn.legal[5])
        with Seat(parse_table_address(link_to(server, ada.code)), ada.token, patience=PATIENCE) as again:
            now = again.wait()
            assert now.seat == 0
            assert to_bytes(now.view) == to_bytes(session_of(server, ada).dealt_match.known(0))
        ben.leave()
        assert session_of(server, ada).record.seats[1].left


def test_the_same_people_play_again(server: Server, seed: int) -> None:
    with two(server, "reveal", options=SHORT["reveal"]) as (ada, ben), ThreadPoolExecutor(2) as threads:
        over = [threads.submit(seat.play_out, bot("greedy"), seed) for seat in (ada, ben)]
        assert over[0].result(PATIENCE) == over[1].result(PATIENCE)
        hers = ada.request_rematch()
        his = ben.request_rematch()
        assert hers is not None
        assert his is not None
        with hers, his:
            assert hers.code == his.code != ada.code
            assert {hers.wait().seat, his.wait().seat} == {0, 1}
            assert all(seat.program for seat in hers.table().seats)


# --- exactly once -----------------------------------------------------------------------------------------------------


class Lossy(httpx.HTTPTransport):
    """A connection that loses some of the answers, and some of the requests."""

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


def losing(seat: Seat, luck: random.Random) -> Lossy:
    """From now on this seat's requests get lost now and then."""
    client = seat._asking._client
    transport = Lossy(luck)
    client._transport.close()
    client._transport = transport
    client._mounts = {}
    return transport


@pytest.mark.usefixtures("quick")
def test_a_move_counts_once_however_often_answers_are_lost(server: Server, seed: int) -> None:
    rnd = random.Random(seed)
    with two(server) as (ada, ben):
        lost = losing(ada, rnd)
        wanted: list[int] = []
        # In one of hundreds of runs so few are lost in twelve moves: it goes on until some more are.
        while len(wanted) < 12 or lost.lost <= 3:
            while not (turn := told_all(server, ada)).legal:
                his = told_all(server, ben)
                # His lowest move turns up next to nothing: the round lasts longer than she needs.
                ben.play(his.legal[0], his)
                ben.wait(PATIENCE)
            wanted.append(rnd.choice(turn.legal))
            ada.play(wanted[-1], turn)
            ada.wait(PATIENCE)
        assert lost.lost > 3
        assert [move.action for move in session_of(server, ada).moves if move.seat == 0] == wanted


def test_a_line_that_is_cut_comes_back_with_the_newest_view(
    server: Server, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "WAITS", (0.01,))
    rnd = random.Random(seed)
    with two(server) as (ada, ben):
        for number in range(4):
            in_step((ada, ben), 3, rnd)
            opened = ada._line.opened
            assert ada._line._line is not None
            ada._line._line.socket.shutdown(socket.SHUT_RDWR)
            while (ada.now or ada.wait()).legal == () == (ben.now or ben.wait()).legal:
                for seat in (ada, ben):
                    with contextlib.suppress(TimeoutError):
                        seat.wait(0.05)
            in_step((ada, ben), 1, rnd)
            # Nobody has told her of that last move but the new line.
            turn = told_all(server, ada)
            assert ada._line.opened == opened + 1, number
            assert to_bytes(turn.view) == to_bytes(session_of(server, ada).dealt_match.known(0))


@pytest.mark.usefixtures("quick")
def test_a_server_that_restarts_is_waited_for(tmp_path: Path, seed: int) -> None:
    """In the middle of a match, and twice: the bots play on, each of their moves stands once."""
    over = threading.Event()
    with ThreadPoolExecutor(2) as threads, contextlib.ExitStack() as stack:
        stack.callback(over.set)
        port = stack.enter_context(contextlib.closing(Port())).number
        with serving(tmp_path, port=port) as first:
            ada = stack.enter_context(open_table(first.origin, "detect", "Ada", patience=PATIENCE))
            ben = stack.enter_context(sit(link_to(first, ada.code), "Ben", patience=PATIENCE))
            played = [threads.submit(slowly, seat, seed, over) for seat in (ada, ben)]
            going_on(lambda: session_of(first, ada).ply >= 6, played)
        for enough in (12, 18):
            with serving(tmp_path, port=port) as next_one:
                assert next_one.origin == first.origin
                going_on(
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


def going_on(enough: Callable[[], bool], players: Sequence[Future[Any]]) -> None:
    """Wait until those who play have come far enough; what ended one of them is said."""

    def far_enough() -> bool:
        for player in players:
            if player.done():
                player.result()
        return enough()

    wait_until(far_enough)


def slowly(seat: Seat, seed: int, over: threading.Event) -> int:
    """Play until it is over, or somebody says so; how many moves of this seat should stand."""
    rnd, count = random.Random(seed), 0
    while not over.is_set():
        with contextlib.suppress(TimeoutError):
            seat.wait(0.05)
        turn = seat.now
        if turn is None or not turn.legal or turn.version < seat._played:
            continue
        over.wait(0.02)
        with contextlib.suppress(Stale):
            seat.play(rnd.choice(turn.legal), turn)
            count += 1
    return count


def test_without_patience_a_lost_server_is_said_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A server that is there may take longer to open a line; one that is gone refuses it at once.
    monkeypatch.setattr(lines, "SHORTEST", PATIENCE)
    with contextlib.ExitStack() as stack:
        with serving(tmp_path) as running:
            ada = stack.enter_context(open_table(running.origin, "detect", "Ada", ("me", "low"), patience=0.2))
            turn = ada.wait()
        with pytest.raises(NoAnswer):
            ada.play(turn.legal[0])
        with pytest.raises(NoAnswer):
            ada.wait()
        with pytest.raises(NoAnswer):
            sit(link_to(running, ada.code), "Ben", patience=0.2)


def test_somebody_who_thinks_long_is_heard_of(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that says nothing is closed: the client says that it is there while its program thinks."""
    monkeypatch.setattr(lines, "PING", 0.05)
    with two(server) as (ada, _ben):
        ada.wait()
        line = ada._line._line
        assert line is not None
        while "pong" not in str(line.recv(PATIENCE)):
            pass
