"""What spectators see at a table where they see the match later than the players."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from facedown.core.match_actions import AGREED_END, TAKE_BACK
from facedown.core.state import SPECTATOR
from facedown.play import Refusal, Session, Settings, agreements, open_tables
from facedown.play.records import DELAY_BY_ROUND, has_delayed_view
from facedown.play.seat_clocks import check_settings, turn_state
from facedown.play.spectator_view import SpectatorView
from tests.play.table import ADA, BEN, CLEO, LowBots, dealt, grant, play_moves

MINUTE = Settings(spectator_delay=60, clock=60, take_backs="always")
ROUND = Settings(spectator_delay=DELAY_BY_ROUND)
BOTS = LowBots()


def table_shown(view: SpectatorView) -> object:
    return view.session.table(SPECTATOR)


def play_until_scoring(session: Session, now: float) -> None:
    """Play moves that flip the most cards until the scores of a round are shown."""
    while not turn_state(session.game, session.dealt_match.state).is_scoring:
        seat = session.dealt_match.acting[0]
        action = session.legal(seat)[-1 if session.ply % 2 else 0]
        grant(session, session.move(seat, action, session.version(seat), now=now))


def test_each_move_becomes_visible_exactly_after_the_delay() -> None:
    session = dealt(settings=MINUTE)
    view = SpectatorView(session, 20.0)
    for now in (20.0, 30.0, 50.0):
        play_moves(session, 1, now)
    plies = [(view.advance(now), view.session.ply)[1] for now in (60.0, 79.9, 80.0, 89.9, 90.0, 109.0, 110.0)]
    assert plies == [0, 0, 1, 1, 2, 2, 3]
    assert view.next_move_time is None
    play_moves(session, 1, 200.0)
    assert view.next_move_time == 260.0


def test_view_made_late_is_the_one_that_was_followed_from_the_beginning(seed: int) -> None:
    session, now, luck = dealt(settings=MINUTE), 20.0, random.Random(seed)
    followed = SpectatorView(session, now)
    while session.ply < 40 and not session.dealt_match.over:
        now += luck.choice((0.0, 5.0, 30.0, 70.0))
        followed.advance(now)
        seat = luck.choice(session.dealt_match.acting)
        grant(session, session.move(seat, luck.choice(session.legal(seat)), session.version(seat), now=now))
    now += 20.0
    followed.advance(now)
    late = SpectatorView(session, now)
    assert late.session.ply == followed.session.ply > 0
    assert table_shown(late) == table_shown(followed)
    assert late.session.version(SPECTATOR) == followed.session.version(SPECTATOR)


def test_spectators_see_the_same_objects_until_a_move_becomes_visible() -> None:
    session = dealt(settings=MINUTE)
    view = SpectatorView(session, 20.0)
    shown, record = table_shown(view), view.session.record
    play_moves(session, 3, 30.0)
    grant(session, agreements.propose(session, ADA, AGREED_END, 40.0))
    view.advance(89.0)
    assert table_shown(view) is shown
    assert view.session.record is record
    view.advance(90.0)
    assert table_shown(view) != shown


def test_clocks_proposals_and_stand_ins_are_never_shown_and_never_announced() -> None:
    session = dealt("me open open", settings=replace(MINUTE, at_zero="seat"))
    view = SpectatorView(session, 20.0)
    play_moves(session, 3, 20.0)
    told = view.advance(30.0)
    seat = session.dealt_match.acting[0]
    person = (ADA, BEN, CLEO)[seat]
    grant(session, agreements.propose(session, person, AGREED_END, 31.0))
    told += view.advance(31.0)
    assert session.record.agreements.proposal
    grant(session, session.expire_clocks("low", 62.0))
    told += view.advance(62.0)
    grant(session, session.expire_clocks("low", 300.0))
    told += view.advance(300.0)
    assert any(clock.lost for clock in session.record.clocks)
    assert any(place.standin for place in session.record.seats)
    grant(session, agreements.resign(session, (ADA, BEN, CLEO)[seat - 1], "low", 301.0))
    told += view.advance(301.0)
    assert told == []
    shown = view.session.record
    assert not shown.clocks
    assert shown.agreements.proposal is None
    assert not shown.agreements.resigned
    assert not any(place.standin or place.standin_name for place in shown.seats)


def test_person_who_leaves_or_returns_is_announced_at_once() -> None:
    session = dealt(settings=MINUTE)
    view = SpectatorView(session, 20.0)
    grant(session, session.leave(BEN))
    assert [str(tell) for tell in view.advance(21.0)] == ["Ben left the table."]
    grant(session, session.reclaim_seat(BEN, 22.0))
    assert [str(tell) for tell in view.advance(22.0)] == ["Ben is back."]


def test_move_that_is_taken_back_is_shown_with_the_take_back() -> None:
    session = dealt(settings=MINUTE)
    view = SpectatorView(session, 20.0)
    play_moves(session, 2, 20.0)
    seat = session.dealt_match.acting[0]
    # The first seat to act takes the open card, which can be taken back.
    play_moves(session, 1, 30.0)
    change = grant(session, agreements.propose(session, (ADA, BEN)[seat], TAKE_BACK, 40.0))
    number = change.record.agreements.proposal
    assert number is not None
    grant(session, agreements.answer(session, (ADA, BEN)[1 - seat], number.number, True, 45.0))
    assert session.moves[-1].action == TAKE_BACK
    view.advance(104.9)
    assert view.session.ply == 3
    view.advance(105.0)
    assert view.session.ply == 4
    assert table_shown(view) == replace(session.table(SPECTATOR), step=view.session.table(SPECTATOR).step)


def test_round_is_shown_once_it_is_over_and_the_next_one_not_before_its_end() -> None:
    session = dealt(settings=ROUND, seed=bytes([1]) * 32)
    view = SpectatorView(session, 20.0)
    play_moves(session, 4, 20.0)
    view.advance(1e9)
    assert view.session.ply == 0
    assert view.next_move_time is None
    play_until_scoring(session, 30.0)
    view.advance(30.0)
    assert view.session.ply == session.ply
    assert table_shown(view).phase == "scoring"  # type: ignore[attr-defined]
    # Both confirm. The last position that shows scores is the one before the next deal.
    play_moves(session, 2, 40.0)
    assert not turn_state(session.game, session.dealt_match.state).is_scoring
    view.advance(1e9)
    assert view.session.ply == session.ply - 1
    play_moves(session, 3, 50.0)
    view.advance(1e9)
    assert table_shown(view).phase == "scoring"  # type: ignore[attr-defined]
    assert view.session.ply == SpectatorView(session, 50.0).session.ply


@pytest.mark.parametrize("settings", [MINUTE, ROUND])
def test_seat_that_is_taken_over_stays_with_the_bot_until_that_round_is_shown(settings: Settings) -> None:
    session = dealt("me low", settings=settings)
    grant(session, open_tables.list_table(session, ADA, True))
    view = SpectatorView(session, 20.0)
    grant(session, open_tables.take_over(session, BEN, "Ben"))
    assert [str(tell) for tell in view.advance(20.0)] == ["Ben will take over from Juniper in the next round."]
    waiting = view.session.record
    while session.seat_of(BEN) is None:
        seat = session.dealt_match.acting[0]
        if seat == 0:
            play_moves(session, 1, 30.0)
        else:
            task = session.bot_task()
            assert task is not None
            action = BOTS.bot("low").choose(session.game, task.view, seat, 0)
            grant(session, session.bot_move(task, action, 30.0))
    assert session.record.seats[1].kind == "person"
    assert view.advance(40.0) == []
    assert view.hidden_newcomers == [1]
    assert view.session.record == waiting == SpectatorView(session, 40.0).session.record
    if settings is MINUTE:
        assert [str(tell) for tell in view.advance(90.0)] == ["Ben now plays instead of Juniper."]
        assert view.session.record.seats[1].name == "Ben"
        assert view.hidden_newcomers == []


def test_only_spectators_of_a_running_match_are_delayed() -> None:
    session = dealt(settings=MINUTE)
    assert has_delayed_view(session.record, SPECTATOR)
    assert not has_delayed_view(session.record, 0)
    assert not has_delayed_view(dealt().record, SPECTATOR)
    for status in ("lobby", "finished"):
        assert not has_delayed_view(replace(session.record, status=status), SPECTATOR)


@pytest.mark.parametrize("delay", [0, DELAY_BY_ROUND, 60, 3600])
def test_delays_that_are_offered_are_accepted(delay: int) -> None:
    check_settings(Settings(spectator_delay=delay))


@pytest.mark.parametrize("delay", [-2, 1, 59, 3601])
def test_other_delays_are_refused(delay: int) -> None:
    with pytest.raises(Refusal, match="delay of spectators must be 0"):
        check_settings(Settings(spectator_delay=delay))
