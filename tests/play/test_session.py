"""Sessions: a table from the first open seat to the last move."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from facedown.core.hidden_cards import known_view
from facedown.core.move_with_views import Move, Step, Views
from facedown.core.state import SPECTATOR, to_bytes
from facedown.core.translation import use_language
from facedown.play import Refusal, Session, Settings
from facedown.play import lobby_host_actions as lobbies
from facedown.play.presence import GRACE
from tests.not_none import given
from tests.play.table import ADA, BEN, CLEO, LowBots, after_opening, dealt, grant, lobby, play_by_chance, play_moves

BOTS = LowBots()


def refusal(code: str, request: object, *arguments: object, **named: object) -> str:
    """Return the reason for which a request is refused."""
    with pytest.raises(Refusal) as caught:
        request(*arguments, **named)  # type: ignore[operator]
    assert caught.value.code == code
    return caught.value.reason


# --- before the deal --------------------------------------------------------------------------------------------------


def test_a_match_starts_when_every_seat_is_taken_and_ready() -> None:
    session = lobby("me open low")
    before = session.record
    session.sit(BEN, "Ben", now=1.0)
    session.ready(ADA, True, 1.0)
    assert session.record == before, "a request changes nothing before it is applied"
    grant(session, session.ready(ADA, True, 1.0))
    assert session.match is None
    grant(session, session.sit(BEN, "Ben", now=2.0))
    assert session.match is None
    change = grant(session, session.ready(BEN, True, 3.0))
    assert tuple(map(str, change.announcements)) == ("Ben is ready.",)
    assert session.record.status == "running"
    assert session.record.started == 3.0
    assert session.dealt_match.acting == [0, 1, 2]


def test_a_player_takes_only_one_seat_and_equal_names_get_numbers() -> None:
    session = lobby("me open open")
    assert "already" in refusal("conflict", session.sit, ADA, "Ada", now=1.0)
    grant(session, session.sit(BEN, "ada", now=1.0))
    grant(session, session.sit(CLEO, "Ada", now=1.0))
    assert [seat.name for seat in session.record.seats] == ["Ada", "ada 2", "Ada 3"]
    assert "taken" in refusal("full", session.sit, 4, "Dan", now=1.0)


def test_the_host_seats_bots_and_reopens_their_seats() -> None:
    session = lobby("me open open")
    grant(session, session.sit(BEN, "Ben", now=1.0))
    assert "low, high" in refusal("malformed", lobbies.seat_bot, session, ADA, 2, "mean", BOTS, 1.0)
    assert "0 to 2" in refusal("malformed", lobbies.seat_bot, session, ADA, 3, "low", BOTS, 1.0)
    assert "Ben" in refusal("conflict", lobbies.seat_bot, session, ADA, 1, "low", BOTS, 1.0)
    grant(session, lobbies.seat_bot(session, ADA, 2, "low", BOTS, 1.0))
    assert session.record.seats[2].name == "Juniper"
    assert session.record.seats[2].ready
    grant(session, lobbies.open_seat(session, ADA, 2))
    assert not session.record.seats[2].taken


# --- moves ------------------------------------------------------------------------------------------------------------


def test_a_move_sent_twice_with_one_token_is_played_once_and_a_different_move_with_it_is_refused() -> None:
    session = after_opening()
    seat = session.dealt_match.acting[0]
    action, other = session.legal(seat)[:2]
    version = session.version(seat)
    assert "ASCII" in refusal("malformed", session.move, seat, other, version, token="a b", now=1.0)
    grant(session, session.move(seat, action, version, token="mine-1", now=1.0))
    assert session.move(seat, action, version, token="mine-1", now=1.0) is None
    assert "another move" in refusal("conflict", session.move, seat, other, version, token="mine-1", now=1.0)
    assert "late" in refusal("stale", session.move, seat, other, version, token="mine-2", now=1.0)
    assert session.ply == 3


def test_a_move_sent_twice_is_played_once_and_a_different_move_for_an_old_version_is_refused() -> None:
    session = after_opening()
    seat = session.dealt_match.acting[0]
    actions, version = session.legal(seat), session.version(seat)
    grant(session, session.move(seat, actions[0], version, now=1.0))
    assert session.move(seat, actions[0], version, now=2.0) is None
    assert refusal("stale", session.move, seat, actions[1], version, now=1.0).endswith("you had already played.")
    other = session.dealt_match.acting[0]
    assert "the table has changed" in refusal("stale", session.move, other, 0, version, now=1.0)
    assert "Version 99 of this table does not exist" in refusal("stale", session.move, other, 0, 99, now=1.0)
    assert session.ply == 3


def test_a_move_is_still_accepted_after_secret_choices_of_other_seats() -> None:
    session = dealt("me open open")
    version = session.version(2)
    grant(session, session.move(0, session.legal(0)[0], session.version(0), now=1.0))
    grant(session, session.move(1, session.legal(1)[0], session.version(1), now=1.0))
    assert session.version(2) > version
    assert session.move(2, session.legal(2)[5], version, now=1.0) is not None


def test_refused_moves_have_a_code_and_a_reason() -> None:
    assert "haven’t been dealt yet" in refusal("conflict", lobby().move, 0, 0, 0, now=1.0)
    session = after_opening()
    seat = session.dealt_match.acting[0]
    other = 1 - seat
    reason = refusal("not-your-turn", session.move, other, 0, session.version(other), now=1.0)
    assert session.record.seats[seat].name in reason
    missing = next(a for a in range(session.game.actions) if a not in session.legal(seat))
    assert "not allowed" in refusal("illegal", session.move, seat, missing, session.version(seat), now=1.0)
    missing = refusal("illegal", session.move, seat, 10**6, session.version(seat), now=1.0)
    assert missing.startswith("Action 1000000 does not exist")
    assert session.ply == 2


def test_a_match_played_to_its_end_has_status_finished(seed: int) -> None:
    session = dealt("me open")
    for _ in play_by_chance(session, random.Random(seed), now=50.0):
        pass
    assert session.record.status == "finished"
    assert session.record.finished == 50.0
    assert session.table(SPECTATOR).over
    assert "over" in refusal("illegal", session.move, 0, 0, session.version(0), now=1.0)


# --- views and versions -----------------------------------------------------------------------------------------------


def test_a_table_reloaded_from_its_saved_record_equals_the_original(seed: int) -> None:
    session = dealt("me open open")
    for _ in play_by_chance(session, random.Random(seed), 40):
        pass
    again = Session(session.record, session.moves, session.chat)
    for viewer in (0, 1, 2, SPECTATOR):
        assert again.table(viewer) == session.table(viewer)
        assert again.version(viewer) == session.version(viewer)
    # Stale versions and moves that already counted are known again, too.
    assert again._since == session._since
    last = session.moves[-1]
    version = int(last.token.split(":")[1])
    assert again.move(last.seat, last.action, version, now=9.0) is None


def test_the_log_extended_move_by_move_equals_the_log_of_the_whole_match(seed: int) -> None:
    session = dealt("me open")
    for viewer in (0, 1, SPECTATOR):
        session.table(viewer)
    version, lines = session.version(0), len(session.viewer_log(0).lines)
    for _ in play_by_chance(session, random.Random(seed), 60):
        assert session.viewer_log(0).lines_since(version) == session.viewer_log(0).lines[lines:]
        version, lines = session.version(0), len(session.viewer_log(0).lines)
    for viewer in (0, 1, SPECTATOR):
        assert list(session.table(viewer).log) == session.dealt_match.log(viewer, session.sitters)


def test_log_lines_are_in_the_readers_language() -> None:
    session = after_opening()
    with use_language("de"):
        before = len(session.viewer_log(1).lines)
    play_moves(session, 2)
    with use_language("de"):
        lines = session.viewer_log(1).lines
        expected = Session(session.record, session.moves).viewer_log(1).lines
    assert len(lines) > before
    assert [line.text for line in lines] == [line.text for line in expected]
    assert lines[-1].text != session.viewer_log(1).lines[-1].text


def test_each_version_number_of_a_viewers_log_maps_to_the_number_of_moves_played() -> None:
    session = after_opening()
    play_moves(session, 20)
    viewer_log = session.viewer_log(0)
    assert [viewer_log.ply_of(version) for version in range(viewer_log.version + 1)] == [0, *viewer_log.changes]
    for wrong in (-1, viewer_log.version + 1):
        with pytest.raises(ValueError, match="version"):
            viewer_log.ply_of(wrong)


def test_an_action_invisible_to_a_viewer_does_not_raise_their_version_number() -> None:
    """In a game where only one seat sees an action, the version numbers of all other seats must not count it."""
    session = after_opening()
    match = session.dealt_match
    viewer_log = session.viewer_log(0)
    version = viewer_log.version
    silent: Any = SimpleNamespace(tell=lambda *_: [], is_public_action=lambda _: False)
    views = Views(replace(session.game, tables=silent), match.state)
    viewer_log.record_step(Step(session.ply + 1, Move(1, 0), views, views))
    assert viewer_log.version == version
    viewer_log.record_step(Step(session.ply + 2, Move(0, 0), views, views))
    assert viewer_log.version == version + 1


def test_only_the_memory_aid_shows_face_down_cards_seen_before() -> None:
    """In Reveal the cards that a player has placed are face down."""
    plain = dealt(game="reveal")
    aided = dealt(game="reveal", settings=Settings(memory=True))
    for session in (plain, aided):
        play_moves(session, 4)
    assert plain.table(0).zones == plain.dealt_match.views.table(0, plain.sitters, memory_aid=False).zones
    assert aided.table(0).zones == aided.dealt_match.views.table(0, aided.sitters, memory_aid=True).zones
    assert plain.table(0).zones != aided.table(0).zones, "seat 0 must have laid cards"
    assert (plain.viewer_log(0).memory, aided.viewer_log(0).memory) == (False, True)


# --- bots and stand-ins -----------------------------------------------------------------------------------------------


def test_a_request_for_a_bot_move_holds_only_its_seats_view_and_its_move_counts_once() -> None:
    session = dealt("me low")
    assert session.record.due == 12.0
    task = given(session.bot_task())
    assert int(task.view.viewer) == task.seat == 1
    assert not task.view.key.any()
    assert "not allowed" in refusal("illegal", session.bot_move, task, session.game.actions - 1, 13.0)
    grant(session, session.bot_move(task, 0, 13.0))
    assert session.record.due is None
    assert session.bot_move(task, 0, 14.0) is None
    assert session.bot_task() is None


def test_requests_for_moves_of_several_bots_each_hold_the_view_of_their_own_seat() -> None:
    """Three bots are to choose at the same time."""
    session = dealt("me low high low")
    assert session.dealt_match.acting == [0, 1, 2, 3]
    for seat in (1, 2, 3):
        task = given(session.bot_task())
        assert (task.seat, int(task.view.viewer)) == (seat, seat)
        assert to_bytes(task.view) == to_bytes(known_view(session.dealt_match.state, seat))
        grant(session, session.bot_move(task, session.game.legal(task.view, seat)[0], 20.0))


def test_a_request_for_a_bot_move_is_equal_after_a_reload_and_each_request_has_its_own_seed() -> None:
    session = dealt("me low low")
    first, again = given(session.bot_task()), given(Session(session.record, session.moves).bot_task())
    assert (first.seat, first.ply, first.seed) == (again.seat, again.ply, again.seed)
    grant(session, session.bot_move(first, 0, 13.0))
    assert given(session.bot_task()).seed != first.seed


def test_a_bot_stands_in_only_after_the_grace_time_of_an_absent_player() -> None:
    session = dealt("me open")
    session.presence.connect(0, 100.0)
    session.presence.connect(1, 100.0)
    assert "Ben isn’t away" in refusal("forbidden", session.stand_in, ADA, 1, "low", BOTS, 100.0)
    session.presence.disconnect(1, 100.0)
    assert refusal("forbidden", session.stand_in, ADA, 1, "low", BOTS, 120.0) == "Ben has 0:40 left to come back."
    assert "yourself" not in refusal("forbidden", session.stand_in, ADA, 0, "low", BOTS, 200.0)
    assert "no seat" in refusal("forbidden", session.stand_in, CLEO, 1, "low", BOTS, 200.0)
    change = grant(session, session.stand_in(ADA, 1, "low", BOTS, 100.0 + GRACE))
    assert tuple(map(str, change.announcements)) == ("Juniper is now playing for Ben.",)
    assert session.record.due == 100.0 + GRACE
    assert "already" in refusal("conflict", session.stand_in, ADA, 1, "low", BOTS, 200.0)
    task = given(session.bot_task())
    assert (task.seat, task.level) == (1, "low")
    back = grant(session, session.reclaim_seat(BEN, 170.0))
    assert tuple(map(str, back.announcements)) == ("Ben is back.",)
    assert session.bot_move(task, 0, 171.0) is None
    assert session.reclaim_seat(BEN, 172.0) is None
    assert session.record.due is None


def test_a_bot_may_stand_in_at_once_for_a_player_who_left() -> None:
    session = dealt("me open")
    session.presence.connect(1, 12.0)
    grant(session, session.leave(BEN))
    assert session.seat_of(BEN) == 1
    assert session.seconds_until_stand_in(1, 13.0) == 0.0
    grant(session, session.reclaim_seat(BEN, 14.0))
    assert session.seconds_until_stand_in(1, 14.0) is None


def test_a_table_with_another_rules_version_is_not_opened() -> None:
    assert "version 99" in refusal("closed", Session, replace(lobby().record, rules_version=99))
