"""Taking over a bot's seat: who may, when it happens, and what the new player sees of the earlier moves."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import pytest

from facedown.core.state import SPECTATOR
from facedown.play import Session, Settings
from facedown.play.open_tables import cancel_take_over, list_table, take_over
from facedown.play.seat_clocks import turn_state
from facedown.play.seat_takeover import seats_to_take_over
from tests.not_none import given
from tests.play.proposals import assert_same_after_reload, refusal, texts
from tests.play.table import ADA, BEN, CLEO, LowBots, dealt, grant, lobby

BOTS = LowBots()


def listed(words: str = "me low low", game: str = "scout", settings: Settings | None = None) -> Session:
    """Return a running table with bots that its host has listed."""
    session = lobby(words, game=game, settings=settings)
    grant(session, list_table(session, ADA, True))
    grant(session, session.ready(ADA, True, 12.0))
    return session


def play_one(session: Session, luck: random.Random, now: float = 20.0) -> None:
    """Play one move: the lowest action of a bot, or a random one of a person."""
    task = session.bot_task()
    if task is not None:
        action = BOTS.bot(task.level).choose(session.game, task.view, task.seat, task.seed)
        grant(session, session.bot_move(task, action, now))
    else:
        seat = session.dealt_match.acting[0]
        grant(session, session.move(seat, luck.choice(session.legal(seat)), session.version(seat), now=now))


def play_to_next_round(session: Session, luck: random.Random) -> bool:
    """Play until the next round has been dealt. Return False if the match ended before."""
    scoring = False
    while not session.dealt_match.over:
        play_one(session, luck)
        now = turn_state(session.game, session.dealt_match.state).is_scoring
        if scoring and not now and not session.dealt_match.over:
            return True
        scoring = now
    return False


def test_a_person_takes_over_a_bots_seat_when_the_next_round_is_dealt() -> None:
    session = listed()
    bot = session.record.seats[1].name
    assert seats_to_take_over(session.record) == [1, 2]
    change = grant(session, take_over(session, BEN, "Ben", 1))
    assert texts(change) == [f"Ben will take over from {bot} in the next round."]
    assert session.seat_of(BEN) is None, "until then Ben is a spectator"
    assert seats_to_take_over(session.record) == [2]
    assert play_to_next_round(session, random.Random(1))
    seat = session.record.seats[1]
    assert (seat.kind, seat.name, seat.person, seat.bot_name) == ("person", "Ben", BEN, bot)
    assert (seat.since, seat.next_person, seat.next_name) == (session.ply, None, "")
    assert session.seat_of(BEN) == 1
    assert [one.text for one in session.viewer_log(1).lines] == [
        one.text for one in session.viewer_log(SPECTATOR).lines
    ]
    assert any(f"**{bot}**" in line.text for line in session.viewer_log(0).lines), "the bot made the earlier moves"
    assert not any("Ben" in line.text for line in session.viewer_log(0).lines)
    assert_same_after_reload(session)
    for _move in range(20):
        play_one(session, random.Random(2))
    since = [
        line.text for ply in range(seat.since + 1, session.ply + 1) for line in session.viewer_log(1).lines_of(ply)
    ]
    assert any("You" in line for line in since)
    assert any("**Ben**" in line.text for line in session.viewer_log(0).lines)
    assert_same_after_reload(session)


def test_the_change_that_deals_the_next_round_saves_the_seats() -> None:
    session = listed()
    grant(session, take_over(session, BEN, "Ben"))
    luck = random.Random(1)
    while not session.dealt_match.over:
        task = session.bot_task()
        if task is not None:
            action = BOTS.bot(task.level).choose(session.game, task.view, task.seat, task.seed)
            change = given(session.bot_move(task, action, 20.0))
        else:
            seat = session.dealt_match.acting[0]
            change = given(session.move(seat, luck.choice(session.legal(seat)), session.version(seat), now=20.0))
        session.apply(change)
        if session.seat_of(BEN) is not None:
            break
        assert not change.changes_seats
    assert change.changes_seats
    assert texts(change)[0].startswith("Ben now plays instead of ")


def test_the_new_player_gets_a_clock_and_the_bot_does_not_move_for_them() -> None:
    session = listed(settings=Settings(clock=60))
    grant(session, take_over(session, BEN, "Ben"))
    assert play_to_next_round(session, random.Random(1))
    while 1 not in session.dealt_match.acting:
        play_one(session, random.Random(2))
    assert session.record.clocks[1].since is not None
    task = session.bot_task()
    assert task is None or task.seat != 1


@pytest.mark.parametrize(
    ("record", "person", "code", "reason"),
    [
        ({"listed": False}, BEN, "full", "There’s no bot at this table whose seat you can take over."),
        ({"settings": Settings(spectators=False)}, BEN, "full", "There’s no bot at this table whose seat"),
        ({}, ADA, "conflict", "You already have a seat at this table."),
        ({"removed": ((BEN, "Ben"),)}, BEN, "forbidden", "The host has given your seat to someone else."),
    ],
)
def test_who_may_not_take_over(record: dict[str, object], person: int, code: str, reason: str) -> None:
    session = listed()
    session.record = replace(session.record, **record)  # type: ignore[arg-type]
    assert refusal(code, take_over, session, person, "Ben").startswith(reason)


def test_each_bot_is_taken_over_once_and_a_person_takes_over_one() -> None:
    session = listed()
    grant(session, take_over(session, BEN, "Ada"))
    assert session.record.seats[1].next_name == "Ada 2", "names are unique at a table"
    assert refusal("conflict", take_over, session, BEN, "Ben") == "You already take over a seat in the next round."
    assert refusal("full", partial(take_over, seat=1), session, CLEO, "Cleo").startswith("There’s no bot")
    grant(session, take_over(session, CLEO, "Cleo"))
    assert session.record.coming_persons == {BEN: 1, CLEO: 2}
    change = grant(session, cancel_take_over(session, BEN))
    assert texts(change) == [f"Ada 2 won’t take over from {session.record.seats[1].name}."]
    assert cancel_take_over(session, BEN) is None
    assert play_to_next_round(session, random.Random(1))
    assert [seat.kind for seat in session.record.seats] == ["person", "bot", "person"]


def test_only_the_host_lists_a_table_and_not_after_the_match() -> None:
    session = dealt("me open low", game="scout")
    assert refusal("forbidden", list_table, session, BEN, True) == "Only the host of this table can do that."
    change = grant(session, list_table(session, ADA, True))
    assert texts(change) == ["This table is now listed: anyone can find it."]
    assert list_table(session, ADA, True) is None
    assert texts(grant(session, list_table(session, ADA, False))) == ["This table is no longer listed."]
    session.record = replace(session.record, status="finished")
    assert refusal("conflict", list_table, session, ADA, True) == "The match is over."
