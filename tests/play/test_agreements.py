"""Agreements: who is asked for a take-back or an early end, what players see, and what happens meanwhile."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from facedown.core.match_actions import AGREED_END, TAKE_BACK
from facedown.core.state import SPECTATOR, to_bytes
from facedown.core.translation import use_language
from facedown.play import Settings, agreements, chat
from facedown.play.agreements import ANSWER_TIME, answer, propose, resign
from facedown.play.presence import GRACE
from facedown.play.records import Proposal, TakeBacks
from facedown.play.seat_clocks import MOVE_ANIMATION_TIME
from tests.not_none import given
from tests.play.proposals import (
    BOTS,
    MINUTES,
    NOW,
    PERSONS,
    after_one_turn,
    assert_same_after_reload,
    is_open,
    play,
    play_bot,
    proposed,
    refusal,
    reply,
    running_clocks,
    texts,
)
from tests.play.table import ADA, CLEO, after_opening, dealt, grant, lobby

# --- asking and answering ---------------------------------------------------------------------------------------------


def test_a_move_is_taken_back_when_the_other_player_agrees() -> None:
    session, seat, other = after_one_turn()
    before = session.dealt_match.at(session.ply - 1)
    change = grant(session, propose(session, PERSONS[seat], TAKE_BACK, NOW))
    name = session.record.seats[seat].name
    assert texts(change) == [f"{name} asks to take back their last move."]
    assert session.record.agreements.proposal == Proposal(TAKE_BACK, seat, 1, NOW + ANSWER_TIME, (other,))
    assert (change.move, session.ply) == (None, 3), "nothing is undone yet"
    change = reply(session, other, True)
    assert (change.announcements, given(change.move).action) == ((), TAKE_BACK), "the log says so"
    assert to_bytes(session.dealt_match.state) == to_bytes(before.state)
    assert not is_open(session)
    assert session.record.status == "running"
    assert [line.text for line in session.viewer_log(other).lines][-1] == f"**{name}** took back their last move."
    assert session.legal(seat)
    play(session, seat)
    assert_same_after_reload(session)


def test_a_declined_move_stays_and_the_player_can_ask_again_after_the_next_move() -> None:
    session, seat, other, _number = proposed()
    change = reply(session, other, False)
    name = session.record.seats[seat].name
    assert texts(change) in ([f"{name}’s last move stays."], [f"{name}’ last move stays."])
    assert session.ply == 3
    for action in (TAKE_BACK, AGREED_END):
        reason = refusal("conflict", propose, session, PERSONS[seat], action, NOW + 6)
        assert reason == "The others said no. You can ask again after the next move."
    grant(session, propose(session, PERSONS[other], AGREED_END, NOW + 7))
    reply(session, seat, False)
    assert set(session.record.agreements.declined) == {seat, other}
    play(session, other)
    assert session.record.agreements.declined == ()
    change = grant(session, propose(session, PERSONS[seat], TAKE_BACK, NOW + 20))
    assert given(change.record.agreements.proposal).number == 3
    assert agreements.seats_to_ask(session, seat, TAKE_BACK) == (other,)


def test_only_one_question_is_open_at_a_time() -> None:
    session, seat, other, _number = proposed()
    said = "The players have to answer a question first."
    for one in (seat, other):
        for action in (TAKE_BACK, AGREED_END):
            assert refusal("conflict", propose, session, PERSONS[one], action, NOW) == said
        assert refusal("conflict", resign, session, PERSONS[one], "low", NOW) == said
        assert refusal("not-your-turn", session.move, one, 0, session.version(one), now=NOW) == said
        assert session.legal(one) == []


def test_all_other_players_must_agree_and_the_first_no_ends_the_question() -> None:
    session, seat, _following, number = proposed(AGREED_END, "me open open")
    others = [one for one in range(3) if one != seat]
    assert given(session.record.agreements.proposal).asked == tuple(others)
    change = reply(session, others[0], True)
    assert texts(change) == [f"{session.record.seats[others[0]].name} agrees."]
    assert answer(session, PERSONS[others[0]], number, True, NOW) is None, "the same answer again"
    assert refusal("forbidden", answer, session, PERSONS[seat], number, True, NOW).startswith("The others have to")
    assert not session.dealt_match.over
    reply(session, others[0], False)
    assert not is_open(session)
    assert (
        refusal("stale", answer, session, PERSONS[others[1]], number, True, NOW) == "This question is no longer open."
    )
    play(session, session.dealt_match.acting[0])
    proposer = session.dealt_match.acting[0]
    grant(session, propose(session, PERSONS[proposer], AGREED_END, NOW))
    assert refusal("stale", answer, session, PERSONS[(proposer + 1) % 3], number, True, NOW)
    for one in (1, 2):
        reply(session, (proposer + one) % 3, True)
    assert session.dealt_match.over
    assert (session.record.status, session.record.finished) == ("finished", NOW + 5)
    assert session.table(SPECTATOR).result == "The players agreed to end the match without a result."


def test_requests_of_persons_without_a_seat_and_before_the_deal_are_refused() -> None:
    session, _seat, _other, number = proposed()
    for request in (
        lambda: propose(session, CLEO, TAKE_BACK, NOW),
        lambda: answer(session, CLEO, number, True, NOW),
        lambda: resign(session, CLEO, "low", NOW),
    ):
        assert "no seat" in refusal("forbidden", request)
    assert "haven’t been dealt" in refusal("conflict", propose, lobby(), ADA, AGREED_END, NOW)
    assert "haven’t been dealt" in refusal("conflict", resign, lobby(), ADA, "low", NOW)


def test_nothing_can_be_agreed_at_a_table_that_an_operator_has_closed() -> None:
    session, seat, other, number = proposed(AGREED_END)
    session.catch_up(replace(session.record, status="finished", revision=session.record.revision + 1), [], [])
    assert session.closed
    assert refusal("stale", answer, session, PERSONS[other], number, True, NOW)
    assert refusal("conflict", propose, session, PERSONS[seat], TAKE_BACK, NOW) == "The match is over."
    assert refusal("conflict", resign, session, PERSONS[seat], "low", NOW) == "The match is over."
    assert session.next_expiry_time is None
    assert session.table(seat).step.prompt.startswith("The operator of this server has closed this table.")


# --- who is asked -----------------------------------------------------------------------------------------------------


def test_bots_are_not_asked() -> None:
    session, seat, _following = after_one_turn("me low")
    while seat != 0:
        play_bot(session, 31.0) if session.bot_task() else play(session, 0, 31.0)
        seat = session.moves[-1].seat
    ply = session.ply
    change = grant(session, propose(session, ADA, TAKE_BACK, NOW))
    assert (given(change.move).action, change.record.agreements.proposal) == (TAKE_BACK, None)
    assert session.dealt_match.taken_back == {ply, ply + 1}
    assert session.dealt_match.acting == [0]
    assert session.record.due is None
    play(session, 0)
    play_bot(session, NOW + 11)
    grant(session, propose(session, ADA, TAKE_BACK, NOW + 12))
    assert session.dealt_match.acting == [0], "the bot's answer is taken back, too"
    assert_same_after_reload(session)
    change = grant(session, propose(session, ADA, AGREED_END, NOW + 13))
    assert change.record.status == "finished"


def test_players_are_asked_unless_a_bot_stands_in_for_them() -> None:
    session, seat, _following = after_one_turn("me open open")
    one, two = (other for other in range(3) if other != seat)
    grant(session, session.leave(PERSONS[one]))
    session.presence.connect(two, NOW)
    session.presence.disconnect(two, NOW)
    for action in (TAKE_BACK, AGREED_END):
        assert agreements.seats_to_ask(session, seat, action) == (one, two), "they may come back"
    grant(session, session.stand_in(PERSONS[seat], one, "low", BOTS, NOW))
    assert agreements.seats_to_ask(session, seat, AGREED_END) == (two,)
    grant(session, session.stand_in(PERSONS[seat], two, "low", BOTS, NOW + GRACE))
    assert agreements.seats_to_ask(session, seat, AGREED_END) == ()
    assert given(propose(session, PERSONS[seat], TAKE_BACK, NOW + GRACE).move).action == TAKE_BACK


def test_a_player_can_withdraw_a_proposal_which_counts_as_declined() -> None:
    session, seat, other = after_one_turn()
    grant(session, propose(session, PERSONS[seat], AGREED_END, NOW))
    number = given(session.record.agreements.proposal).number
    assert refusal("forbidden", answer, session, PERSONS[seat], number, True, NOW) == (
        "The others have to answer this question."
    )
    grant(session, answer(session, PERSONS[seat], number, False, NOW))
    assert not is_open(session)
    assert "You can ask again after the next move." in agreements.why_not_propose(session, seat, AGREED_END)
    assert agreements.why_not_propose(session, other, AGREED_END) == ""


def test_a_player_whose_proposals_were_declined_too_often_cannot_propose_any_more() -> None:
    session, seat, other = after_one_turn()
    for count in range(agreements.MAX_DECLINES):
        assert agreements.why_not_propose(session, seat, AGREED_END) == "", count
        grant(session, propose(session, PERSONS[seat], AGREED_END, NOW))
        grant(session, answer(session, PERSONS[other], count + 1, False, NOW))
        play(session, given(session.match).acting[0])
    assert "3 times" in agreements.why_not_propose(session, seat, AGREED_END)
    assert agreements.why_not_propose(session, other, AGREED_END) == ""


def test_a_player_who_did_not_notice_a_move_is_not_asked_to_take_it_back() -> None:
    """In no game of the project is a move invisible to another seat. So the seats that notice it are given here."""
    session, seat, _following = after_one_turn("me open open")
    match: Any = session.match
    others = [one for one in range(3) if one != seat]
    session.match = SimpleNamespace(  # type: ignore[assignment]
        seats_who_notice_take_back=lambda _seat: frozenset({seat, others[1]}), over=False
    )
    assert agreements.seats_to_ask(session, seat, TAKE_BACK) == (others[1],)
    assert agreements.seats_to_ask(session, seat, AGREED_END) == tuple(others), "the end concerns all"
    session.match = match


# --- when a move can be taken back ------------------------------------------------------------------------------------


def test_a_player_cannot_look_at_a_card_and_then_put_it_back() -> None:
    session = after_opening("me low")
    while session.dealt_match.acting != [0]:
        play_bot(session, 20.0)
    draw = next(action for action in session.legal(0) if session.game.words.words(action) == "draw")
    grant(session, session.move(0, draw, session.version(0), now=21.0))
    reason = refusal("conflict", propose, session, ADA, TAKE_BACK, NOW)
    assert reason == "You’ve seen something hidden since your last move, so it stays."


@pytest.mark.parametrize(
    ("clock", "increment", "setting", "allowed"),
    [
        (0, 0, "slow", True),
        (0, 0, "never", False),
        (60, 0, "slow", False),
        (60, 5, "slow", False),
        (61, 0, "slow", True),
        (60, 0, "always", True),
        (3, 0, "always", True),
        (86_400, 0, "slow", True),
        (86_400, 0, "never", False),
    ],
)
def test_a_table_allows_take_backs_unless_its_clock_is_fast(
    clock: int, increment: int, setting: TakeBacks, allowed: bool
) -> None:
    settings = Settings(clock=clock, increment=increment, take_backs=setting)
    session, seat, _other = after_one_turn(settings=settings)
    if allowed:
        assert propose(session, PERSONS[seat], TAKE_BACK, NOW).record.agreements.proposal
    else:
        reason = refusal("conflict", propose, session, PERSONS[seat], TAKE_BACK, NOW)
        assert reason == "Moves can’t be taken back at this table."
    assert propose(session, PERSONS[seat], AGREED_END, NOW).record.agreements.proposal, "an offer is always possible"


def test_a_player_can_take_back_only_so_many_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreements, "MAX_TAKE_BACKS", 2)
    session = dealt("me low")
    for _ in range(2):
        play(session, 0)
        grant(session, propose(session, ADA, TAKE_BACK, NOW))
    play(session, 0)
    reason = refusal("conflict", propose, session, ADA, TAKE_BACK, NOW)
    assert reason == "You can’t take back more than 2 moves in a match."


def test_a_player_who_lost_the_seat_on_time_can_propose_nothing() -> None:
    settings = Settings(clock=90, at_zero="seat")
    session, seat, other = after_one_turn(settings=settings)
    grant(session, session.expire_clocks("low", 30.0 + MOVE_ANIMATION_TIME + 90))
    assert session.record.clocks[other].lost
    for action in (TAKE_BACK, AGREED_END):
        reason = refusal("conflict", propose, session, PERSONS[other], action, NOW)
        assert reason.startswith("Your time ran out.")
    grant(session, propose(session, PERSONS[seat], TAKE_BACK, NOW))
    assert session.dealt_match.acting == [seat]


# --- while a question is open -----------------------------------------------------------------------------------------


def test_no_bot_moves_while_a_question_is_open() -> None:
    session, _seat, _following = after_one_turn("me open low")
    while session.dealt_match.acting != [2]:
        play(session, session.dealt_match.acting[0], 31.0)
    task = given(session.bot_task())
    grant(session, propose(session, ADA, AGREED_END, NOW))
    assert (session.bot_task(), session.record.due) == (None, None)
    assert session.bot_move(task, session.game.legal(task.view, 2)[0], NOW) is None
    reply(session, 1, False)
    assert session.record.due == NOW + 5
    grant(session, session.bot_move(task, session.game.legal(task.view, 2)[0], NOW + 6))


def test_a_bot_that_stands_in_for_an_asked_player_ends_the_question() -> None:
    session, seat, other, number = proposed()
    grant(session, session.leave(PERSONS[other]))
    assert given(session.record.agreements.proposal).number == number, "the player may come back and answer"
    change = grant(session, session.stand_in(PERSONS[seat], other, "low", BOTS, NOW + 1))
    assert change.record.agreements.proposal is None
    assert change.record.due == NOW + 1
    assert [text for text in texts(change) if "last move stays" in text]
    play_bot(session, NOW + 2)
    grant(session, propose(session, PERSONS[seat], TAKE_BACK, NOW + 3))
    assert session.dealt_match.taken_back == {3, 4, 5}, "the stand-in agrees"


def test_a_bot_that_stands_in_for_another_player_and_one_who_returns_leave_the_question_open() -> None:
    session, seat, _following, number = proposed(words="me open open")
    one, two = (other for other in range(3) if other != seat)
    grant(session, session.leave(PERSONS[seat]))
    grant(session, session.stand_in(PERSONS[one], seat, "low", BOTS, NOW + 1))
    assert given(session.record.agreements.proposal).number == number
    assert session.record.due is None
    grant(session, session.reclaim_seat(PERSONS[seat], NOW + 2))
    assert running_clocks(session) == set()
    reply(session, one, True)
    reply(session, two, True)
    assert session.dealt_match.taken_back == {4, 5}


def test_a_chat_message_changes_nothing_about_an_open_question() -> None:
    session, _seat, other, number = proposed(settings=MINUTES)
    record = session.record
    grant(session, session.say(chat.validate_message(session, PERSONS[other], "Hello", NOW + 1, "Ben")))
    assert (session.record.agreements, session.record.clocks) == (record.agreements, record.clocks)
    assert given(session.record.agreements.proposal).number == number


# --- what players see -------------------------------------------------------------------------------------------------


def test_the_prompt_names_the_question_and_whose_answer_is_missing() -> None:
    session, seat, _following, _number = proposed(AGREED_END, "me open open")
    one, two = (other for other in range(3) if other != seat)
    names = [session.record.seats[index].name for index in range(3)]
    reply(session, one, True)
    prompts = {viewer: session.table(viewer).step for viewer in (seat, one, two, SPECTATOR)}
    assert prompts[seat].prompt == "You offer to end the match."
    assert prompts[one].prompt == prompts[SPECTATOR].prompt == f"{names[seat]} offers to end the match."
    assert prompts[seat].help == prompts[SPECTATOR].help == f"Waiting for {names[two]} to answer."
    assert prompts[two].help == "There’s no score yet, so the match would end without a result. All must agree."
    for viewer in prompts:
        table = session.table(viewer)
        assert not table.step.choices
        assert {panel.seat: panel.state for panel in table.seats} == {seat: "asks", one: "agrees", two: "deciding"}
        assert not any(panel.acting for panel in table.seats)
        assert (table.turn, table.turn_words) == (None, "")
    with use_language("de"):
        assert session.table(seat).step.prompt == "Du bietest an, die Partie zu beenden."
        assert session.table(two).step.help.endswith("Alle müssen zustimmen.")


def test_the_prompt_for_a_take_back_says_that_nothing_hidden_was_seen() -> None:
    session, seat, other, _number = proposed()
    assert session.table(other).step.prompt.endswith("asks to take back their last move.")
    assert session.table(other).step.help == "Nothing hidden has been seen since then."
    assert session.table(seat).step.prompt == "You ask to take back your last move."
