"""Clocks: when they run and pause, what a turn costs, and what a timeout does. The tests set the time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from facedown.core.match_actions import TAKE_BACK
from facedown.core.state import SPECTATOR
from facedown.core.table import TouchStep, possessive
from facedown.core.translation import use_language
from facedown.play import Refusal, Session, Settings
from facedown.play.records import AtZero, SeatClock, StoredMove
from facedown.play.seat_clocks import (
    AWAY_AFTER,
    DEAL_ANIMATION_TIME,
    MOVE_ANIMATION_TIME,
    SCORE_READING_TIME,
    TurnState,
    advance_clocks,
    seconds_left,
    shift_by_downtime,
)
from facedown.play.timeout_messages import missed_turn_message, timeout_message
from tests.not_none import given
from tests.play.table import ADA, BEN, LowBots, after_opening, dealt, grant

BOTS = LowBots()
MINUTE = Settings(clock=60)
ROUND = Settings(clock=300, increment=10)
#: The time of the deal, and the time at which the clocks start.
DEAL = 12.0
START = DEAL + DEAL_ANIMATION_TIME


def time_left(session: Session, seat: int, now: float) -> float:
    return seconds_left(given(session.clock(seat)), now)


def running_clocks(session: Session) -> set[int]:
    return {seat for seat, clock in enumerate(session.record.clocks) if clock.since is not None}


def play_first_action(session: Session, seat: int, now: float, action: int | None = None) -> None:
    """Play the given action of a seat, or its first one."""
    chosen = session.legal(seat)[0] if action is None else action
    grant(session, session.move(seat, chosen, session.version(seat), now=now))


def play_bot_move(session: Session, now: float) -> None:
    task = given(session.bot_task())
    action = BOTS.bot(task.level).choose(session.game, task.view, task.seat, task.seed)
    grant(session, session.bot_move(task, action, now))


def play_turn(session: Session, seat: int, now: float) -> None:
    while session.dealt_match.acting == [seat]:
        play_first_action(session, seat, now)


def play_bot_turn(session: Session, seat: int, now: float) -> None:
    while session.dealt_match.acting == [seat]:
        play_bot_move(session, now)


def at_first_turn(settings: Settings = MINUTE) -> tuple[Session, int]:
    """Return a running table of Detect at its first turn, and the seat to act."""
    session = after_opening(settings=settings)
    return session, session.dealt_match.acting[0]


def at_scoring(settings: Settings = MINUTE) -> tuple[Session, float]:
    """Return a table at the scoring phase of a round, and the time then."""
    session, now = after_opening(settings=settings), 20.0
    while len(session.dealt_match.acting) < 2:
        now += 2
        seat = session.dealt_match.acting[0]
        # Moves that flip the most cards, so that the round ends.
        play_first_action(session, seat, now, session.legal(seat)[-1 if session.ply % 2 else 0])
    assert session.table(0).phase == "scoring"
    return session, now


# --- when clocks run --------------------------------------------------------------------------------------------------


def test_clocks_start_after_the_deal_animation() -> None:
    session = dealt(settings=MINUTE)
    assert running_clocks(session) == {0, 1}
    assert time_left(session, 0, DEAL) == time_left(session, 0, START) == 60
    assert time_left(session, 0, START + 18) == 42
    assert session.next_expiry_time == START + 60


def test_in_a_secret_choice_the_clocks_of_all_undecided_seats_run() -> None:
    session = dealt(settings=MINUTE)
    play_first_action(session, 1, 30.0)
    assert running_clocks(session) == {0}
    assert time_left(session, 1, 31.0) == 60
    assert time_left(session, 0, 30.0) == 60 - (30.0 - START), "another seat's choice does not fill one's own clock"


def test_a_table_without_time_limit_has_no_clocks() -> None:
    session = dealt()
    assert (session.record.clocks, session.next_expiry_time, session.expire_clocks("low", 1e9)) == ((), None, None)


def test_a_turn_clock_covers_a_whole_turn_and_refills_for_the_next() -> None:
    session, seat = at_first_turn()
    draw = next(a for a in session.legal(seat) if session.game.words.words(a) == "draw")
    play_first_action(session, seat, 40.0, draw)
    used = 40.0 - 20.0 - MOVE_ANIMATION_TIME
    assert running_clocks(session) == {seat}
    assert time_left(session, seat, 40.0 + MOVE_ANIMATION_TIME) == 60 - used
    play_first_action(session, seat, 45.0)
    assert running_clocks(session) == {1 - seat}
    assert time_left(session, seat, 50.0) == 60


def test_a_round_clock_gains_its_increment_after_each_turn() -> None:
    session, seat = at_first_turn(settings=ROUND)
    take = session.legal(seat)[0]
    start = time_left(session, seat, 20.0 + MOVE_ANIMATION_TIME)
    play_first_action(session, seat, 20.0 + MOVE_ANIMATION_TIME + 40, take)
    play_turn(session, seat, 20.0 + 2 * MOVE_ANIMATION_TIME + 40)
    assert time_left(session, seat, 99.0) == pytest.approx(start - 40 + 10, abs=2 * MOVE_ANIMATION_TIME)
    assert time_left(session, seat, 99.0) == time_left(session, seat, 150.0), "it rests while others choose"


def test_a_round_clock_gains_nothing_from_another_seats_move() -> None:
    session, seat = at_first_turn(settings=ROUND)
    other = 1 - seat
    now = 20.0 + MOVE_ANIMATION_TIME + 40
    play_turn(session, seat, now)
    used = time_left(session, seat, now)
    assert used < 300, "this seat has used some of its stock"
    while session.dealt_match.acting == [other]:
        now += 7
        play_first_action(session, other, now)
        assert time_left(session, seat, now) == used, "another seat's move changed it"


def test_a_round_clock_gains_nothing_if_another_seats_move_ends_the_turn() -> None:
    """Both clocks run; the move of one seat ends the turn of both."""
    session = dealt(settings=ROUND)
    record, both, none = session.record, TurnState(frozenset({0, 1}), "opening"), TurnState(frozenset(), "other")
    mover, idle = advance_clocks(record, both, none, 0, START + 40)
    assert mover == SeatClock(300 - 40 + 10)
    assert idle == SeatClock(300 - 40), "it neither plays nor gets an increment"


def test_a_new_round_resets_the_round_clock() -> None:
    session, now = at_scoring(ROUND)
    assert any(time_left(session, seat, now) != 300 for seat in (0, 1))
    for seat in (0, 1):
        play_first_action(session, seat, now + 5)
    assert [time_left(session, seat, now + 5 + DEAL_ANIMATION_TIME) for seat in (0, 1)] == [300, 300]


def test_short_clocks_stop_while_scores_are_read_and_the_next_round_starts_automatically() -> None:
    session, _ = at_scoring(Settings(clock=86_400))
    assert running_clocks(session) == {0, 1}, "where a turn may take a day, so may the scores"
    session, now = at_scoring()
    assert running_clocks(session) == set()
    assert session.expire_clocks("low", now + SCORE_READING_TIME - 1) is None
    play_first_action(session, 1, now + 60)
    change = grant(session, session.expire_clocks("low", now + SCORE_READING_TIME + MOVE_ANIMATION_TIME + 5))
    assert change.announcements == (), "nobody's time ran out"
    assert session.record.clocks[0].ups == 0
    play_bot_move(session, now + 130)
    assert session.table(0).phase != "scoring"
    assert not session.moves[-1].token.startswith("time:")


def test_the_clock_of_a_seat_played_by_a_bot_does_not_run() -> None:
    session = dealt("me low", settings=MINUTE)
    assert running_clocks(session) == {0}
    session = dealt("me open", settings=MINUTE)
    grant(session, session.leave(BEN))
    grant(session, session.stand_in(ADA, 1, "low", BOTS, 40.0))
    assert running_clocks(session) == {0}
    grant(session, session.reclaim_seat(BEN, 50.0))
    assert running_clocks(session) == {0, 1}
    assert time_left(session, 1, 50.0 + MOVE_ANIMATION_TIME) == 60


# --- timeouts ---------------------------------------------------------------------------------------------------------


def after_timeout(rule: AtZero = "bot") -> tuple[Session, int, float]:
    """Return a table at which a seat has just timed out."""
    session, seat = at_first_turn(settings=replace(MINUTE, at_zero=rule))
    now = given(session.next_expiry_time)
    assert session.expire_clocks("low", now - 0.1) is None
    grant(session, session.expire_clocks("low", now))
    assert session.expire_clocks("low", now + 1) is None, "it is up once"
    return session, seat, now


def test_after_a_timeout_a_bot_plays_one_turn_from_the_seats_view() -> None:
    session, seat, now = after_timeout()
    name = session.record.seats[seat].name
    assert session.record.due == now
    task = given(session.bot_task())
    assert int(task.view.viewer) == seat
    other = session.table(1 - seat).step
    back = f"A bot will play this move; {name} can play again next turn."
    assert (other.prompt, other.help) == (f"{name}’s time ran out.", back)
    mine = session.table(seat).step
    assert mine == TouchStep("Your time ran out.", "A bot will play this move for you.")
    assert session.legal(seat) == []
    # The bot plays the whole turn (take and place, or draw and keep), and no more.
    play_bot_turn(session, seat, now + 3)
    assert session.dealt_match.acting == [1 - seat]
    assert session.bot_task() is None
    assert not session.record.clocks[seat].up
    assert time_left(session, seat, now + 10) == 60
    assert session.record.seats[seat].standin == ""


def test_a_player_sees_the_bots_moves_of_their_timed_out_turn() -> None:
    session, seat, now = after_timeout()
    play_bot_turn(session, seat, now + 3)
    told = session.table(seat).step.help
    assert told.startswith("Your time ran out, so a bot ")
    assert told.endswith(". You can play again next turn.")
    assert "**You**" not in told
    assert "Your time" not in session.table(SPECTATOR).step.help
    play_turn(session, 1 - seat, now + 10)
    assert session.table(seat).step.choices
    assert session.record.clocks[seat].ups == 1
    play_first_action(session, seat, now + 20)
    assert session.record.clocks[seat].ups == 0, "a move of one's own ends the row"
    play_turn(session, seat, now + 21)
    assert "time ran out" not in session.table(seat).step.help


def test_the_message_about_the_bots_move_of_a_timed_out_turn_ends_when_a_move_is_taken_back() -> None:
    """The take-back of another player may have undone the bot's move."""
    session, seat, now = after_timeout()
    play_bot_turn(session, seat, now + 3)
    viewer_log = session.viewer_log(seat)
    assert missed_turn_message(session.record, seat, session.moves, viewer_log)
    moves = [*session.moves, StoredMove(session.ply, 1 - seat, TAKE_BACK, now + 4, "agreed:1")]
    assert missed_turn_message(session.record, seat, moves, viewer_log) == ""


def test_a_move_and_a_timeout_at_the_same_moment_count_only_once() -> None:
    session, seat, now = after_timeout()
    with pytest.raises(Refusal, match=r"Your time ran out\. A bot will play this move") as caught:
        session.move(seat, session.game.legal(session.dealt_match.state, seat)[0], session.version(seat), now=now)
    assert caught.value.code == "not-your-turn"
    # In the other order, the move counts.
    session, seat = at_first_turn()
    zero = given(session.next_expiry_time)
    play_turn(session, seat, zero)
    assert session.expire_clocks("low", zero) is None


def test_a_player_is_away_after_three_timeouts_in_a_row() -> None:
    session, seat = at_first_turn()
    for count in range(1, AWAY_AFTER + 1):
        while session.dealt_match.acting == [1 - seat]:
            now = given(session.next_expiry_time)
            play_first_action(session, 1 - seat, now - 1)
        now = given(session.next_expiry_time)
        session.presence.connect(seat, now)
        assert session.seconds_until_stand_in(seat, now) is None
        change = grant(session, session.expire_clocks("low", now))
        assert ("away" in str(change.announcements[0])) == (count == AWAY_AFTER)
        if count < AWAY_AFTER:
            play_bot_turn(session, seat, now)
    assert session.seconds_until_stand_in(seat, now) == 0
    play_bot_turn(session, seat, now)
    assert "Until you move, the others can have a bot play for you." in session.table(seat).step.help
    # Returning to the seat, or playing a move, ends the absence.
    back = grant(session, session.reclaim_seat(session.record.seats[seat].person or 0, now))
    assert "is back" in str(back.announcements[0])
    assert session.seconds_until_stand_in(seat, now) is None


def test_a_table_setting_gives_the_seat_to_a_bot_for_good_after_a_timeout() -> None:
    session, seat, now = after_timeout("seat")
    place = session.record.seats[seat]
    assert place.standin == "low"
    assert session.table(1 - seat).step.choices == ()
    play_bot_move(session, now + 3)
    person = place.person or 0
    assert session.reclaim_seat(person, now + 4) is None
    with pytest.raises(Refusal, match="will play for you until the match ends"):
        session.move(seat, 0, session.version(seat), now=now + 5)
    assert session.table(seat).step.help == f"{place.standin_name} will play for you until the match ends."


def test_a_table_setting_lets_a_player_still_move_after_a_timeout_unless_others_call_a_bot() -> None:
    session, seat, _ = after_timeout("nothing")
    session.presence.connect(seat, 1.0)
    assert session.bot_task() is None
    assert session.record.clocks[seat].up
    assert session.seconds_until_stand_in(seat, 100.0) == 0
    assert session.table(seat).step.choices, "they may still move"
    play_first_action(session, seat, 200.0)
    assert not session.record.clocks[seat].up


# --- server downtime --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("since", "left_then"), [(100.0, 40.0), (150.0, 60.0), (301.0, 60.0), (None, 60.0)])
def test_clocks_do_not_run_during_server_downtime(since: float | None, left_then: float) -> None:
    """The server was down from 120 to 300. A clock without a start time does not run."""
    (clock,) = shift_by_downtime((SeatClock(60.0, since),), 120.0, 300.0)
    assert (clock.since is None) == (since is None)
    assert seconds_left(clock, 300.0) == left_then


@pytest.mark.parametrize(("code", "said"), [("en", "Gus’s time ran out."), ("de", "Gus’ Zeit ist abgelaufen.")])
def test_timeout_messages_use_the_correct_possessive_of_a_name_in_english_and_german(code: str, said: str) -> None:
    session, seat, _ = after_timeout()
    record = session.record.with_seat(seat, replace(session.record.seats[seat], name="Gus"))
    with use_language(code):
        assert str(timeout_message(record, seat)).startswith(said)
        assert said.startswith(possessive("Gus"))
