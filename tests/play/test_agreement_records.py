"""What a table stores of take-backs and resignations: versions, tokens, reloads, and resigned seats."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from facedown.core.match_actions import AGREED_END, RESIGN, TAKE_BACK
from facedown.core.state import SPECTATOR, to_bytes
from facedown.play import Session, Settings, agreements
from facedown.play.agreements import propose, resign
from facedown.play.rematch import agree, answers, rematch
from tests.conftest import TIMES
from tests.not_none import given
from tests.play.proposals import (
    BOTS,
    MINUTES,
    NOW,
    PERSONS,
    ROUND,
    after_one_turn,
    assert_same_after_reload,
    play,
    play_bot,
    refusal,
    reply,
    running_clocks,
    texts,
)
from tests.play.table import ADA, BEN, CLEO, SEED, after_opening, dealt, grant

# --- versions and tokens ----------------------------------------------------------------------------------------------


def test_requests_from_before_a_take_back_stay_what_they_were() -> None:
    session = after_opening("me low")
    while session.dealt_match.acting != [0]:
        play_bot(session, 20.0)
    action, version = session.legal(0)[0], session.version(0)
    grant(session, session.move(0, action, version, token="mine", now=21.0))
    ply = session.ply
    grant(session, propose(session, ADA, TAKE_BACK, 22.0))
    assert session.move(0, action, version, token="mine", now=23.0) is None, "the move that was taken back"
    assert "another move" in refusal("conflict", session.move, 0, session.legal(0)[1], version, token="mine", now=23.0)
    assert "had already played" in refusal("stale", session.move, 0, action, version, token="late", now=23.0)
    assert session.ply == ply + 1
    grant(session, session.move(0, action, session.version(0), now=24.0))
    assert session.moves[-1].action == action
    assert session.ply == ply + 2


def test_versions_only_rise_and_a_take_back_is_one_version_for_every_viewer() -> None:
    session, seat, other = after_one_turn("me open open")
    viewers = (0, 1, 2, SPECTATOR)
    before = {viewer: session.version(viewer) for viewer in viewers}
    grant(session, propose(session, PERSONS[seat], TAKE_BACK, NOW))
    assert {viewer: session.version(viewer) for viewer in viewers} == before, "a question is no move"
    for one in range(3):
        if one != seat:
            reply(session, one, True)
    assert {viewer: session.version(viewer) - before[viewer] for viewer in viewers} == dict.fromkeys(viewers, 1)
    assert not session.has_same_legal_actions_since(other, before[other])
    assert not session.has_same_legal_actions_since(seat, before[seat])
    assert session.has_same_legal_actions_since(other, session.version(other))


def test_a_bots_choice_for_a_position_that_was_taken_back_is_not_played() -> None:
    session = after_opening("me low")
    while session.dealt_match.acting != [0]:
        play_bot(session, 20.0)
    play(session, 0, 21.0)
    task = given(session.bot_task())
    grant(session, propose(session, ADA, TAKE_BACK, 22.0))
    assert session.bot_move(task, session.game.legal(task.view, 1)[0], 23.0) is None
    grant(session, session.move(0, session.legal(0)[1], session.version(0), now=24.0))
    again = given(session.bot_task())
    assert session.bot_move(task, session.game.legal(task.view, 1)[0], 25.0) is None
    assert again.seed != task.seed
    assert again.ply > task.ply


# --- resigning --------------------------------------------------------------------------------------------------------


def test_if_one_of_two_players_resigns_the_match_is_over() -> None:
    session, seat, other = after_one_turn(settings=MINUTES)
    change = grant(session, resign(session, PERSONS[other], "low", NOW))
    assert given(change.move).action == RESIGN
    assert (session.record.status, session.record.finished) == ("finished", NOW)
    assert session.table(seat).winners == (seat,)
    assert session.table(seat).result.endswith("resigned. You win.")
    assert (session.next_expiry_time, running_clocks(session)) == (None, set())
    assert refusal("conflict", resign, session, PERSONS[seat], "low", NOW) == "The match is over."
    assert refusal("conflict", propose, session, PERSONS[seat], TAKE_BACK, NOW) == "The match is over."
    assert_same_after_reload(session)


def test_a_player_can_resign_against_a_bot() -> None:
    session = after_opening("me low")
    grant(session, resign(session, ADA, "low", NOW))
    assert session.table(0).result == "You resigned. Juniper wins."
    assert session.bot_task() is None


def test_in_a_match_of_more_seats_a_bot_plays_on_for_a_player_who_resigned() -> None:
    session, _seat, following = after_one_turn("me open open", settings=MINUTES)
    name = session.record.seats[following].name
    change = grant(session, resign(session, PERSONS[following], "low", NOW))
    assert (change.move, session.record.status) == (None, "running")
    bot = session.record.seats[following].standin_name
    assert texts(change) == [f"{name} resigned.", f"{bot} is now playing for {name}."]
    assert session.record.due == NOW
    assert running_clocks(session) == set()
    assert session.table(following).step.prompt == "You’ve resigned."
    assert session.table(following).step.help == f"{bot} plays on for you."
    assert refusal("not-your-turn", session.move, following, 0, session.version(following), now=NOW) == (
        "You’ve resigned."
    )
    assert session.reclaim_seat(PERSONS[following], NOW + 1) is None, "for good"
    for action in (TAKE_BACK, AGREED_END):
        assert refusal("conflict", propose, session, PERSONS[following], action, NOW) == "You’ve resigned."
    assert refusal("conflict", resign, session, PERSONS[following], "low", NOW) == "You’ve resigned."
    play_bot(session, NOW + 2)
    other = session.dealt_match.acting[0]
    assert following not in agreements.seats_to_ask(session, other, AGREED_END)
    assert_same_after_reload(session)


def test_a_player_for_whom_a_bot_stands_in_can_resign_and_the_same_bot_plays_on() -> None:
    session, seat, following = after_one_turn("me open open")
    grant(session, session.leave(PERSONS[following]))
    grant(session, session.stand_in(PERSONS[seat], following, "high", BOTS, NOW))
    bot = session.record.seats[following].standin_name
    change = grant(session, resign(session, PERSONS[following], "low", NOW))
    assert (change.record.seats[following].standin, change.record.seats[following].standin_name) == ("high", bot)
    assert session.reclaim_seat(PERSONS[following], NOW + 1) is None


def test_if_all_players_resign_the_bots_play_to_the_end() -> None:
    session, _seat, _following = after_one_turn("me open low")
    for person in (ADA, BEN):
        grant(session, resign(session, person, "low", NOW))
    for _ in range(20):
        play_bot(session, NOW)
    assert session.record.agreements.resigned == (0, 1)
    assert session.record.status == "running"
    assert_same_after_reload(session)


def test_players_who_resigned_can_play_a_rematch() -> None:
    session, _seat, _following = after_one_turn("me open open")
    grant(session, resign(session, BEN, "low", NOW))
    for person in (ADA, CLEO):
        if session.dealt_match.over:
            break
        grant(session, resign(session, person, "low", NOW))
    new = Session(rematch(session.record, ADA, NOW), now=NOW)
    grant(new, agree(new, ADA, "Ada", NOW))
    assert answers(session.record, new.record) == ("yes", "", "")
    assert new.record.agreements.resigned == ()
    for person, name in ((BEN, "Ben"), (CLEO, "Cleo")):
        grant(new, agree(new, person, name, NOW))
    assert new.record.status == "running"
    assert not any(seat.standin for seat in new.record.seats)
    assert agreements.why_not_resign(new, 1) == ""


# --- several processes, reloads ---------------------------------------------------------------------------------------


def test_another_process_catches_up_with_the_same_announcements() -> None:
    session, seat, other = after_one_turn("me open open")
    third = 3 - seat - other
    copy = Session(session.record, session.moves)

    def catch_up() -> list[str]:
        moves = session.moves[len(copy.moves) :]
        told = copy.catch_up(session.record, moves, [])
        for viewer in (0, 1, 2, SPECTATOR):
            assert copy.table(viewer) == session.table(viewer)
            assert copy.version(viewer) == session.version(viewer)
        return list(map(str, told))

    assert texts(grant(session, propose(session, PERSONS[seat], TAKE_BACK, NOW))) == catch_up()
    assert texts(reply(session, other, True)) == catch_up()
    assert texts(reply(session, third, True)) == catch_up() == []
    assert texts(grant(session, propose(session, PERSONS[other], AGREED_END, NOW))) == catch_up()
    assert texts(reply(session, seat, False)) == catch_up() == ["The match goes on."]
    assert texts(grant(session, resign(session, PERSONS[third], "low", NOW))) == catch_up()
    assert session.moves == copy.moves


@pytest.mark.parametrize("game", ["detect", "reveal", "scout"])
def test_a_reloaded_table_with_agreements_equals_the_live_one(game: str, seed: int) -> None:
    rnd = random.Random(seed)
    words = "me open" if game == "reveal" else "me open low"
    for _ in range(TIMES):
        settings = rnd.choice([Settings(memory=True), MINUTES, replace(ROUND, take_backs="always")])
        session = dealt(words, game=game, settings=settings, seed=rnd.randbytes(32))
        for step in range(60):
            if session.dealt_match.over:
                break
            take_random_step(session, rnd, 20.0 + step)
        assert_same_after_reload(session)


def take_random_step(session: Session, rnd: random.Random, now: float) -> None:
    """Make a random move, proposal, answer or timeout, and check that no version number falls."""
    viewers = (0, 1, SPECTATOR)
    versions = [session.version(viewer) for viewer in viewers]
    proposal = session.record.agreements.proposal
    if proposal is not None:
        waiting = [seat for seat in proposal.asked if seat not in proposal.agreed]
        reply(session, rnd.choice(waiting), rnd.random() < 0.7, now)
    elif rnd.random() < 0.3:
        seat, action = rnd.choice((0, 1)), rnd.choice((TAKE_BACK, TAKE_BACK, TAKE_BACK, AGREED_END))
        if action == TAKE_BACK and not agreements.why_not_propose(session, seat, action):
            grant(session, propose(session, PERSONS[seat], action, now))
    elif session.bot_task() is not None:
        play_bot(session, now)
    else:
        seat = rnd.choice(session.dealt_match.acting)
        grant(session, session.move(seat, rnd.choice(session.legal(seat)), session.version(seat), now=now))
    assert all(session.version(viewer) >= before for viewer, before in zip(viewers, versions, strict=True))


def test_a_table_with_a_fixed_seed_is_not_changed_by_a_take_back() -> None:
    """The cards that come after a take-back are the same as before it."""
    session, plain = (after_opening("me low", seed=SEED) for _ in range(2))
    for one in (session, plain):
        while one.dealt_match.acting != [0]:
            play_bot(one, 20.0)
        play(one, 0, 21.0)
    grant(session, propose(session, ADA, TAKE_BACK, NOW))
    play(session, 0)
    assert to_bytes(session.dealt_match.state) == to_bytes(plain.dealt_match.state)
