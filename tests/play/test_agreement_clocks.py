"""Clocks and proposals: the time to answer, resting clocks, and that a take-back gains no time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from facedown.core.match_actions import TAKE_BACK
from facedown.play import Settings
from facedown.play.agreements import ANSWER_TIME, CORRESPONDENCE_ANSWER_TIME, answer, propose
from facedown.play.seat_clocks import MOVE_ANIMATION_TIME, shift_record_by_downtime
from tests.not_none import given
from tests.play.proposals import (
    MINUTES,
    NOW,
    PERSONS,
    ROUND,
    after_one_turn,
    play,
    play_bot,
    proposed,
    refusal,
    reply,
    running_clocks,
    texts,
    time_left,
)
from tests.play.table import ADA, after_opening, dealt, grant, play_moves

# --- time to answer, clocks -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "wait"),
    [
        (Settings(), ANSWER_TIME),
        (MINUTES, ANSWER_TIME),
        (Settings(clock=3600), CORRESPONDENCE_ANSWER_TIME),
    ],
)
def test_a_question_that_is_not_answered_in_time_counts_as_declined(settings: Settings, wait: float) -> None:
    session, seat, other, number = proposed(settings=settings)
    assert session.next_expiry_time == NOW + wait
    assert session.expire_clocks("low", NOW + wait - 0.01) is None
    change = grant(session, session.expire_clocks("low", NOW + wait))
    assert change.record.agreements.declined == (seat,)
    assert "last move stays" in texts(change)[0]
    assert refusal("stale", answer, session, PERSONS[other], number, True, NOW + wait)
    assert session.expire_clocks("low", NOW + wait) is None
    assert session.legal(other)


def test_clocks_rest_while_a_question_is_open_and_then_continue() -> None:
    session, seat, other = after_one_turn(settings=MINUTES)
    before = [time_left(session, one, NOW) for one in (0, 1)]
    assert before[other] == 90 - (NOW - 30.0 - MOVE_ANIMATION_TIME)
    grant(session, propose(session, PERSONS[seat], TAKE_BACK, NOW))
    assert running_clocks(session) == set()
    for now in (NOW, NOW + 29):
        assert [time_left(session, one, now) for one in (0, 1)] == before
    reply(session, other, False, NOW + 20)
    assert running_clocks(session) == {other}
    assert time_left(session, other, NOW + 20 + MOVE_ANIMATION_TIME) == before[other]
    assert session.next_expiry_time == NOW + 20 + MOVE_ANIMATION_TIME + before[other]


@pytest.mark.parametrize("settings", [MINUTES, replace(ROUND, take_backs="always")])
def test_after_a_take_back_the_other_player_has_as_much_time_as_before(settings: Settings) -> None:
    """The other player has thought about an answer to the move. A clock for each turn is full again for the next."""
    session = after_opening(settings=settings)
    seat = session.dealt_match.acting[0]
    other = 1 - seat
    before = time_left(session, other, 20.0)
    play(session, seat, 30.0)
    grant(session, propose(session, PERSONS[seat], TAKE_BACK, 70.0))
    used = 0 if settings.increment == 0 else 70.0 - 30.0 - MOVE_ANIMATION_TIME
    reply(session, other, True, 80.0)
    assert running_clocks(session) == {seat}
    assert time_left(session, other, 80.0) == before - used
    play(session, seat, 85.0)
    assert time_left(session, other, 85.0 + MOVE_ANIMATION_TIME) == before - used


@pytest.mark.parametrize("spent", [10.0, 299.0])
def test_a_take_back_gains_no_time(spent: float) -> None:
    """A player who moves with one second left, and takes the move back, has one second left."""
    session = after_opening("me low", settings=replace(ROUND, take_backs="always"))
    while session.dealt_match.acting != [0]:
        play_bot(session, 20.0)
    start = time_left(session, 0, 20.0)
    now = 20.0 + MOVE_ANIMATION_TIME + start - (300 - spent)
    left = time_left(session, 0, now)
    assert left == pytest.approx(300 - spent)
    for _ in range(3):
        play(session, 0, now)
        assert time_left(session, 0, now) == pytest.approx(left + 10)
        play_bot(session, now)
        grant(session, propose(session, ADA, TAKE_BACK, now))
        assert time_left(session, 0, now) == pytest.approx(left)
        assert running_clocks(session) == {0}


def test_increments_of_all_moves_that_are_taken_back_are_removed() -> None:
    session = after_opening(settings=ROUND)
    seat = session.dealt_match.acting[0]
    other = 1 - seat
    now = 20.0 + MOVE_ANIMATION_TIME
    start = [time_left(session, one, now) for one in (0, 1)]
    for mover in (seat, other):
        play(session, mover, now + 7)
        now += 7 + MOVE_ANIMATION_TIME
    assert [time_left(session, one, now) for one in (0, 1)] == [pytest.approx(left - 7 + 10) for left in start]
    grant(session, propose(session, PERSONS[seat], TAKE_BACK, now))
    reply(session, other, True, now)
    assert [time_left(session, one, now) for one in (0, 1)] == [pytest.approx(left - 7) for left in start]


def test_a_move_that_did_not_end_the_turn_added_no_increment() -> None:
    """In Reveal's open final round, players change their column again and again in the same turn."""
    session = dealt(game="reveal", settings=replace(ROUND, take_backs="always"))
    while session.table(0).phase != "final":
        play_moves(session, 1, now=15.0)
    for now in (20.0, 21.0):
        play(session, 0, now)
    before = time_left(session, 0, NOW)
    grant(session, propose(session, ADA, TAKE_BACK, NOW))
    reply(session, 1, True, NOW)
    assert time_left(session, 0, NOW) == before


def test_a_bots_move_after_a_timeout_can_be_taken_back_without_new_time() -> None:
    """The player's time is still up, so a bot plays the move again at once."""
    session = after_opening("me low", settings=replace(ROUND, take_backs="always"))
    while session.dealt_match.acting != [0]:
        play_bot(session, 20.0)
    zero = given(session.next_expiry_time)
    grant(session, session.expire_clocks("low", zero))
    while session.dealt_match.acting == [0]:
        play_bot(session, zero)
    assert "Your time ran out" in session.table(0).step.help
    grant(session, propose(session, ADA, TAKE_BACK, zero))
    assert time_left(session, 0, zero + 60) == 0
    assert "Your time ran out" not in session.table(0).step.help
    grant(session, session.expire_clocks("low", zero + MOVE_ANIMATION_TIME))
    assert given(session.bot_task()).seat == 0


def test_the_time_to_answer_does_not_pass_while_the_server_is_down() -> None:
    session, _seat, _other, _number = proposed(settings=MINUTES)
    later = shift_record_by_downtime(session.record, NOW + 10, NOW + 500)
    assert given(later.agreements.proposal).until == NOW + ANSWER_TIME + 490
    assert later.clocks == session.record.clocks
