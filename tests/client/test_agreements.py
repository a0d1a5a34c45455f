"""Programs at a server's tables that take moves back, offer to end the match, answer and resign."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from facedown import client
from facedown.bots import bot
from facedown.client import Seat, Turn, open_table
from facedown.core.match_actions import AGREED_END, RESIGN, TAKE_BACK
from facedown.core.state import to_bytes
from facedown.play.agreements import ANSWER_TIME
from tests.client.conftest import two_seats
from tests.client.test_seat import SHORT, session_of
from tests.server.http_server import Server, serving
from tests.waiting import PATIENCE


def until_asked(seat: Seat) -> Turn:
    """Return the next turn with an open proposal."""
    turn = seat.now or seat.wait_for_change(PATIENCE)
    while turn.proposal is None:
        turn = seat.wait_for_change(PATIENCE)
    return turn


def until_free(seat: Seat) -> Turn:
    """Return the next turn without an open proposal."""
    turn = seat.now or seat.wait_for_change(PATIENCE)
    while turn.proposal is not None:
        turn = seat.wait_for_change(PATIENCE)
    return turn


def test_move_is_taken_back_once_the_other_program_agrees(server: Server) -> None:
    with two_seats(server) as (ada, ben):
        dealt = ada.wait_for_change(PATIENCE)
        ben.wait_for_change(PATIENCE)
        ada.play(dealt.legal[5], dealt)
        ada.propose("take-back")
        asked = until_asked(ben)
        assert asked.proposal is not None
        assert (asked.proposal.what, asked.proposal.seat, asked.proposal.asked) == ("take-back", 0, (1,))
        assert (asked.legal, until_asked(ada).legal) == ((), ())
        assert "Ada asks to take back their last move." in asked.said
        for seat in (ada, ben):
            with pytest.raises(client.NotYourTurn, match="answer a question first"):
                seat.play(0)
        with pytest.raises(client.Forbidden):
            ada.answer(True)
        ben.answer(True)
        turn = until_free(ada)
        assert turn.said[-1] == "**You** took back your last move."
        assert (to_bytes(turn.view), turn.legal) == (to_bytes(dealt.view), dealt.legal)
        assert turn.version == dealt.version + 2
        ada.play(turn.legal[6], turn)
        actions = [(move.seat, move.action) for move in session_of(server, ada).moves]
    assert actions == [(0, dealt.legal[5]), (0, TAKE_BACK), (0, dealt.legal[6])]


def test_answer_needs_an_open_proposal_and_counts_once(server: Server) -> None:
    with two_seats(server) as (ada, ben):
        ben.wait_for_change(PATIENCE)
        with pytest.raises(ValueError, match="no open proposal"):
            ben.answer(True)
        ada.propose("end")
        asked = until_asked(ben).proposal
        ben.answer(False)
        with pytest.raises(client.Stale, match="no longer open"):
            ben.answer(False, asked)
        with pytest.raises(client.Conflict, match="said no"):
            ada.propose("end")
        assert until_free(ada).legal, "the match goes on"
        ben.propose("end")
        until_asked(ada)
        ada.answer(True)
        while not (turn := ben.wait_for_change(PATIENCE)).over:
            pass
        assert turn.proposal is None
        assert [move["words"] for move in ben.record().moves] == ["agreed end"]
        for again in (ben.resign, lambda: ada.propose("take-back")):
            with pytest.raises(client.Conflict, match="over"):
                again()


def test_program_takes_back_and_resigns_against_bots(tmp_path: Path) -> None:
    with (
        serving(tmp_path, bot_delay=60.0) as running,
        open_table(running.origin, "detect", "Ada", ("me", "low"), patience=PATIENCE) as ada,
    ):
        turn = ada.wait_for_change(PATIENCE)
        ada.play(turn.legal[3], turn)
        ada.propose("take-back")
        # The turn after the move, from before the take-back, is skipped.
        assert ada.wait_for_change(PATIENCE).version == 2
        assert next(ada.turns()).version == 2
        with pytest.raises(client.Conflict, match="no move to take back"):
            ada.propose("take-back")
        ada.resign()
        assert list(ada.turns()) == []
        assert [move["words"] for move in ada.record().moves][1:] == ["take back", "resign"]
        assert [move.action for move in session_of(running, ada).moves] == [turn.legal[3], TAKE_BACK, RESIGN]


def test_program_that_never_answers_plays_on_when_the_time_to_answer_is_over(tmp_path: Path) -> None:
    with (
        # Without a pulse, the server does not take the advanced clock for a sleep of the machine.
        serving(tmp_path, pulse=1e9) as running,
        two_seats(running, "reveal", options=SHORT["reveal"]) as (ada, ben),
        ThreadPoolExecutor(1) as threads,
    ):
        ben.wait_for_change(PATIENCE)
        ben.propose("end")
        played = threads.submit(ada.play_out, bot("greedy"), 1)
        until_asked(ben)
        assert session_of(running, ada).ply == 0
        running.advance(ANSWER_TIME + 0.1)
        scores = ben.play_out(bot("greedy"), 1)
        assert played.result(PATIENCE) == scores
        assert AGREED_END not in [move.action for move in session_of(running, ada).moves]


def test_proposal_is_not_sent_again_after_a_lost_answer(server: Server) -> None:
    """It could take another move back."""

    class LosesAnswers(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            super().handle_request(request).read()
            raise httpx.ReadError("lost on the way back", request=request)

    with two_seats(server) as (ada, ben):
        ben.wait_for_change(PATIENCE)
        ada._asking._client._transport.close()
        ada._asking._client._transport, ada._asking._client._mounts = LosesAnswers(), {}
        for ask in (lambda: ada.propose("end"), ada.resign):
            with pytest.raises(client.NoAnswer):
                ask()
        assert until_asked(ben).proposal is not None
        assert session_of(server, ada).record.agreements.count == 1
