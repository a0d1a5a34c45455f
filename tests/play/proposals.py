"""Tables with proposals, for tests: a take-back or an early end is proposed, answered or carried out."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core.match_actions import AGREED_END, TAKE_BACK
from facedown.core.state import SPECTATOR, to_bytes
from facedown.play import Change, Refusal, Session, Settings, agreements
from facedown.play.agreements import answer, propose
from facedown.play.seat_clocks import seconds_left
from tests.not_none import given
from tests.play.table import ADA, BEN, CLEO, LowBots, after_opening, grant, play_moves

BOTS = LowBots()
#: Person in each seat of a table with the seats "me open open".
PERSONS = (ADA, BEN, CLEO)
MINUTES = Settings(clock=90)
ROUND = Settings(clock=300, increment=10)
#: Time of the proposals in these tests.
NOW = 100.0


def refusal(code: str, request: object, *arguments: object, **named: object) -> str:
    """Return the reason for which a request is refused."""
    with pytest.raises(Refusal) as caught:
        request(*arguments, **named)  # type: ignore[operator]
    assert caught.value.code == code
    return caught.value.reason


def after_one_turn(words: str = "me open", **table: Any) -> tuple[Session, int, int]:
    """Return a table at which a seat has just taken the open card, with this seat and the next, which is to act."""
    session = after_opening(words, **table)
    seat = session.dealt_match.acting[0]
    play_moves(session, 1, now=30.0)
    (following,) = session.dealt_match.acting
    assert session.dealt_match.why_not_take_back(seat) == ""
    return session, seat, following


def proposed(action: int = TAKE_BACK, words: str = "me open", **table: Any) -> tuple[Session, int, int, int]:
    """Return a table with an open proposal, with the seat that made it, the next seat, and the proposal's number."""
    session, seat, following = after_one_turn(words, **table)
    grant(session, propose(session, PERSONS[seat], action, NOW))
    return session, seat, following, given(session.record.agreements.proposal).number


def is_open(session: Session) -> bool:
    return session.record.agreements.proposal is not None


def reply(session: Session, seat: int, agrees: bool, now: float = NOW + 5) -> Change:
    """Answer the open proposal for a seat."""
    number = given(session.record.agreements.proposal).number
    return grant(session, answer(session, PERSONS[seat], number, agrees, now))


def play(session: Session, seat: int, now: float = NOW + 10) -> Change:
    """Play the lowest action of a seat."""
    return grant(session, session.move(seat, session.legal(seat)[0], session.version(seat), now=now))


def play_bot(session: Session, now: float) -> Change:
    task = given(session.bot_task())
    action = BOTS.bot(task.level).choose(session.game, task.view, task.seat, task.seed)
    return grant(session, session.bot_move(task, action, now))


def time_left(session: Session, seat: int, now: float) -> float:
    return seconds_left(session.record.clocks[seat], now)


def running_clocks(session: Session) -> set[int]:
    return {seat for seat, clock in enumerate(session.record.clocks) if clock.since is not None}


def texts(change: Change) -> list[str]:
    return list(map(str, change.announcements))


def assert_same_after_reload(session: Session) -> None:
    """Assert that a session that is loaded from the stored record and moves equals the live one."""
    again = Session(session.record, session.moves, session.chat)
    for viewer in (*range(len(session.record.seats)), SPECTATOR):
        assert again.table(viewer) == session.table(viewer)
        assert again.version(viewer) == session.version(viewer)
        assert again.viewer_log(viewer).changes == session.viewer_log(viewer).changes
    for seat in range(len(session.record.seats)):
        assert again.legal(seat) == session.legal(seat)
        for action in (TAKE_BACK, AGREED_END):
            assert agreements.why_not_propose(again, seat, action) == agreements.why_not_propose(session, seat, action)
    assert again._since == session._since
    mine, theirs = session.bot_task(), again.bot_task()
    assert (mine and (mine.ply, mine.seat, mine.level, mine.seed)) == (
        theirs and (theirs.ply, theirs.seat, theirs.level, theirs.seed)
    )
    assert to_bytes(again.dealt_match.state) == to_bytes(session.dealt_match.state)
