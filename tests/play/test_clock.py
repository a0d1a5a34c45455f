"""Clocks: when they run and rest, what a turn costs, and what happens at zero. Time is what the tests say it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from facedown.core.language import use_language
from facedown.core.state import SPECTATOR
from facedown.core.table import TouchStep, possessive
from facedown.play import Refusal, Session, Settings
from facedown.play.records import AtZero, SeatClock
from facedown.play.seat_clocks import (
    AWAY_AFTER,
    DEAL_ANIMATION_TIME,
    MOVE_ANIMATION_TIME,
    SCORE_READING_TIME,
    TurnState,
    advance_clocks,
    left_at,
    shift_by_downtime,
)
from facedown.play.timeout_messages import timeout_message
from tests.not_none import given
from tests.play.table import ADA, BEN, LowBots, dealt, grant, opened

BOTS = LowBots()
MINUTE = Settings(clock=60)
ROUND = Settings(clock=300, increment=10)
#: When the tables of these tests are dealt, and when their clocks start.
DEAL = 12.0
START = DEAL + DEAL_ANIMATION_TIME


def left(session: Session, seat: int, now: float) -> float:
    return left_at(given(session.clock(seat)), now)


def runs(session: Session) -> set[int]:
    return {seat for seat, clock in enumerate(session.record.clocks) if clock.since is not None}


def act(session: Session, seat: int, now: float, action: int | None = None) -> None:
    """The first thing that a seat may do."""
    chosen = session.legal(seat)[0] if action is None else action
    grant(session, session.move(seat, chosen, session.version(seat), now=now))


def bot_acts(session: Session, now: float) -> None:
    task = given(session.bot_task())
    action = BOTS.bot(task.level).choose(session.game, task.view, task.seat, task.seed)
    grant(session, session.bot_move(task, action, now))


def act_all(session: Session, seat: int, now: float) -> None:
    while session.dealt_match.acting == [seat]:
        act(session, seat, now)


def bot_acts_all(session: Session, seat: int, now: float) -> None:
    while session.dealt_match.acting == [seat]:
        bot_acts(session, now)


def turn(settings: Settings = MINUTE) -> tuple[Session, int]:
    """A running table of Detect at its first turn, and the seat whose turn it is."""
    session = opened(settings=settings)
    return session, session.dealt_match.acting[0]


def scoring(settings: Settings = MINUTE) -> tuple[Session, float]:
    """A table at which a round's scores are read, and the time then."""
    session, now = opened(settings=settings), 20.0
    while len(session.dealt_match.acting) < 2:
        now += 2
        seat = session.dealt_match.acting[0]
        # Whatever shows most: so that the round ends.
        act(session, seat, now, session.legal(seat)[-1 if session.ply % 2 else 0])
    assert session.table(0).phase == "scoring"
    return session, now


# --- when they run ----------------------------------------------------------------------------------------------------


def test_a_clock_starts_when_the_cards_lie() -> None:
    session = dealt(settings=MINUTE)
    assert runs(session) == {0, 1}
    assert left(session, 0, DEAL) == left(session, 0, START) == 60
    assert left(session, 0, START + 18) == 42
    assert session.zero == START + 60


def test_of_a_sealed_choice_all_run_who_have_not_chosen() -> None:
    session = dealt(settings=MINUTE)
    act(session, 1, 30.0)
    assert runs(session) == {0}
    assert left(session, 1, 31.0) == 60
    assert left(session, 0, 30.0) == 60 - (30.0 - START), "another seat's choice does not fill one's own clock"


def test_a_table_without_a_clock_has_none() -> None:
    session = dealt()
    assert (session.record.clocks, session.zero, session.expire_clocks("low", 1e9)) == ((), None, None)


def test_drawing_and_keeping_is_one_turn_and_the_next_is_a_new_one() -> None:
    session, seat = turn()
    draw = next(a for a in session.legal(seat) if session.game.words.words(a) == "draw")
    act(session, seat, 40.0, draw)
    used = 40.0 - 20.0 - MOVE_ANIMATION_TIME
    assert runs(session) == {seat}
    assert left(session, seat, 40.0 + MOVE_ANIMATION_TIME) == 60 - used
    act(session, seat, 45.0)
    assert runs(session) == {1 - seat}
    assert left(session, seat, 50.0) == 60


def test_a_stock_is_for_the_round_and_every_turn_adds_to_it() -> None:
    session, seat = turn(settings=ROUND)
    take = session.legal(seat)[0]
    start = left(session, seat, 20.0 + MOVE_ANIMATION_TIME)
    act(session, seat, 20.0 + MOVE_ANIMATION_TIME + 40, take)
    act_all(session, seat, 20.0 + 2 * MOVE_ANIMATION_TIME + 40)
    assert left(session, seat, 99.0) == pytest.approx(start - 40 + 10, abs=2 * MOVE_ANIMATION_TIME)
    assert left(session, seat, 99.0) == left(session, seat, 150.0), "it rests while others choose"


def test_a_move_of_another_seat_does_not_fill_a_stock() -> None:
    session, seat = turn(settings=ROUND)
    other = 1 - seat
    now = 20.0 + MOVE_ANIMATION_TIME + 40
    act_all(session, seat, now)
    used = left(session, seat, now)
    assert used < 300, "this seat has used some of its stock"
    while session.dealt_match.acting == [other]:
        now += 7
        act(session, other, now)
        assert left(session, seat, now) == used, "another seat's move changed it"


def test_a_seat_whose_turn_ends_by_the_move_of_another_keeps_what_is_left_of_its_stock() -> None:
    """Both clocks run; the move of one seat ends the turn of both."""
    session = dealt(settings=ROUND)
    record, both, none = session.record, TurnState(frozenset({0, 1}), "opening"), TurnState(frozenset(), "other")
    mover, idle = advance_clocks(record, both, none, 0, START + 40)
    assert mover == SeatClock(300 - 40 + 10)
    assert idle == SeatClock(300 - 40), "it neither plays nor gets an increment"


def test_a_new_round_fills_the_stock() -> None:
    session, now = scoring(ROUND)
    assert any(left(session, seat, now) != 300 for seat in (0, 1))
    for seat in (0, 1):
        act(session, seat, now + 5)
    assert [left(session, seat, now + 5 + DEAL_ANIMATION_TIME) for seat in (0, 1)] == [300, 300]


def test_clocks_rest_while_scores_are_read_and_the_match_goes_on_by_itself() -> None:
    session, _ = scoring(Settings(clock=86_400))
    assert runs(session) == {0, 1}, "where a turn may take a day, so may the scores"
    session, now = scoring()
    assert runs(session) == set()
    assert session.expire_clocks("low", now + SCORE_READING_TIME - 1) is None
    act(session, 1, now + 60)
    change = grant(session, session.expire_clocks("low", now + SCORE_READING_TIME + MOVE_ANIMATION_TIME + 5))
    assert change.announcements == (), "nobody's time ran out"
    assert session.record.clocks[0].ups == 0
    bot_acts(session, now + 130)
    assert session.table(0).phase != "scoring"
    assert not session.moves[-1].token.startswith("time:")


def test_a_bots_clock_rests() -> None:
    session = dealt("me low", settings=MINUTE)
    assert runs(session) == {0}
    session = dealt("me open", settings=MINUTE)
    grant(session, session.leave(BEN))
    grant(session, session.stand_in(ADA, 1, "low", BOTS, 40.0))
    assert runs(session) == {0}
    grant(session, session.reclaim_seat(BEN, 50.0))
    assert runs(session) == {0, 1}
    assert left(session, 1, 50.0 + MOVE_ANIMATION_TIME) == 60


# --- at zero ----------------------------------------------------------------------------------------------------------


def late(rule: AtZero = "bot") -> tuple[Session, int, float]:
    """A table at which somebody's time is just up."""
    session, seat = turn(settings=replace(MINUTE, at_zero=rule))
    now = given(session.zero)
    assert session.expire_clocks("low", now - 0.1) is None
    grant(session, session.expire_clocks("low", now))
    assert session.expire_clocks("low", now + 1) is None, "it is up once"
    return session, seat, now


def test_at_zero_a_bot_plays_the_turn_from_the_seats_own_view() -> None:
    session, seat, now = late()
    name = session.record.seats[seat].name
    assert session.record.due == now
    task = given(session.bot_task())
    assert int(task.view.viewer) == seat
    other = session.table(1 - seat).step
    back = f"A bot plays this one move; {name} can play again next turn."
    assert (other.prompt, other.help) == (f"{name}’s time ran out.", back)
    mine = session.table(seat).step
    assert mine == TouchStep("Your time ran out.", "A bot plays this one move for you.")
    assert session.legal(seat) == []
    # Taking and placing, or drawing and keeping: the whole turn, and no more.
    bot_acts_all(session, seat, now + 3)
    assert session.dealt_match.acting == [1 - seat]
    assert session.bot_task() is None
    assert not session.record.clocks[seat].up
    assert left(session, seat, now + 10) == 60
    assert session.record.seats[seat].standin == ""


def test_whoever_comes_back_is_told_what_the_bot_did() -> None:
    session, seat, now = late()
    bot_acts_all(session, seat, now + 3)
    told = session.table(seat).step.help
    assert told.startswith("Your time ran out, so a bot ")
    assert told.endswith(". You play again next turn.")
    assert "**You**" not in told
    assert "Your time" not in session.table(SPECTATOR).step.help
    act_all(session, 1 - seat, now + 10)
    assert session.table(seat).step.choices
    assert session.record.clocks[seat].ups == 1
    act(session, seat, now + 20)
    assert session.record.clocks[seat].ups == 0, "a move of one's own ends the row"
    act_all(session, seat, now + 21)
    assert "time ran out" not in session.table(seat).step.help


def test_of_a_move_and_the_zero_exactly_one_counts() -> None:
    session, seat, now = late()
    with pytest.raises(Refusal, match=r"Your time ran out\. A bot plays this one move") as caught:
        session.move(seat, session.game.legal(session.dealt_match.state, seat)[0], session.version(seat), now=now)
    assert caught.value.code == "not-your-turn"
    # The other way round: the move was first.
    session, seat = turn()
    zero = given(session.zero)
    act_all(session, seat, zero)
    assert session.expire_clocks("low", zero) is None


def test_after_three_turns_in_a_row_somebody_is_away() -> None:
    session, seat = turn()
    for count in range(1, AWAY_AFTER + 1):
        while session.dealt_match.acting == [1 - seat]:
            now = given(session.zero)
            act(session, 1 - seat, now - 1)
        now = given(session.zero)
        session.presence.connect(seat, now)
        assert session.seconds_until_stand_in(seat, now) is None
        change = grant(session, session.expire_clocks("low", now))
        assert ("away" in str(change.announcements[0])) == (count == AWAY_AFTER)
        if count < AWAY_AFTER:
            bot_acts_all(session, seat, now)
    assert session.seconds_until_stand_in(seat, now) == 0
    bot_acts_all(session, seat, now)
    assert "Until you move, the others can let a bot play for you." in session.table(seat).step.help
    # Coming back, or playing a move, ends it.
    back = grant(session, session.reclaim_seat(session.record.seats[seat].person or 0, now))
    assert "is back" in str(back.announcements[0])
    assert session.seconds_until_stand_in(seat, now) is None


def test_the_seat_is_lost_where_the_house_says_so() -> None:
    session, seat, now = late("seat")
    place = session.record.seats[seat]
    assert place.standin == "low"
    assert session.table(1 - seat).step.choices == ()
    bot_acts(session, now + 3)
    person = place.person or 0
    assert session.reclaim_seat(person, now + 4) is None
    with pytest.raises(Refusal, match="plays for you until the end"):
        session.move(seat, 0, session.version(seat), now=now + 5)
    assert session.table(seat).step.help == f"{place.standin_name} plays for you until the end."


def test_nothing_happens_where_the_house_says_so_but_the_others_may_decide() -> None:
    session, seat, _ = late("nothing")
    session.presence.connect(seat, 1.0)
    assert session.bot_task() is None
    assert session.record.clocks[seat].up
    assert session.seconds_until_stand_in(seat, 100.0) == 0
    assert session.table(seat).step.choices, "they may still move"
    act(session, seat, 200.0)
    assert not session.record.clocks[seat].up


# --- while the server is away -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("since", "left_then"), [(100.0, 40.0), (150.0, 60.0), (301.0, 60.0), (None, 60.0)])
def test_nobody_loses_time_while_the_server_is_away(since: float | None, left_then: float) -> None:
    """The server was last alive at 120 and is again at 300; a clock without a start rests."""
    (clock,) = shift_by_downtime((SeatClock(60.0, since),), 120.0, 300.0)
    assert (clock.since is None) == (since is None)
    assert left_at(clock, 300.0) == left_then


@pytest.mark.parametrize(("code", "said"), [("en", "Gus’s time ran out."), ("de", "Gus’ Zeit ist abgelaufen.")])
def test_an_owner_is_named_as_beside_the_title(code: str, said: str) -> None:
    session, seat, _ = late()
    record = session.record.with_seat(seat, replace(session.record.seats[seat], name="Gus"))
    with use_language(code):
        assert str(timeout_message(record, seat)).startswith(said)
        assert said.startswith(possessive("Gus"))
