"""Rematch: offer, agree, decline."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from facedown.check.random_matches import play_randomly
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import to_bytes
from facedown.play import Refusal, Session
from facedown.play.agreements import resign
from facedown.play.records import Agreements
from facedown.play.rematch import (
    OFFER_TIMEOUT,
    agree,
    answers,
    decline,
    is_rematch_open,
    new_table_from_ply,
    open_unanswered_seats,
    rematch,
    stronger_level_after_win,
)
from tests.play.table import ADA, BEN, CLEO, LowBots, dealt, grant
from tests.taken_back import detect_with_take_backs, finished_session, uncovered_with_take_backs


def offered_rematch(words: str = "me open open low", left: int | None = None) -> tuple[Session, Session]:
    """Return a match of Ada, Ben and Cleo, and the next table, which Ada offers."""
    session = dealt(words)
    if left is not None:
        grant(session, session.leave(left))
    new = Session(rematch(session.record, ADA, 100.0), now=100.0)
    grant(new, agree(new, ADA, "Ada", 100.0))
    return session, new


def test_a_rematch_table_has_the_same_players_and_a_new_seed() -> None:
    session, new = offered_rematch()
    old = session.record
    assert [s.name for s in new.record.seats] == [s.name for s in old.seats]
    assert new.record.seed != old.seed
    assert new.code != old.code
    assert (new.record.options, new.record.settings, new.record.host) == (old.options, old.settings, ADA)
    session, new = offered_rematch(left=BEN)
    assert answers(session.record, new.record) == ("yes", "no", "", "yes"), "whoever has left is not asked"
    assert not any(seat.left or seat.standin for seat in new.record.seats)


def test_a_rematch_starts_when_all_agree_even_if_one_had_declined_first() -> None:
    session, new = offered_rematch()
    assert answers(session.record, new.record) == ("yes", "", "", "yes")
    grant(new, decline(new, BEN))
    assert answers(session.record, new.record) == ("yes", "no", "", "yes")
    assert not new.record.seats[1].taken
    assert decline(new, BEN) is None
    grant(new, agree(new, CLEO, "Cleo", 103.0))
    assert agree(new, CLEO, "Cleo", 104.0) is None
    assert new.record.status == "lobby", "the one who asked decides who takes the seat"
    grant(new, agree(new, BEN, "Ben", 105.0))
    assert new.record.status == "running"
    assert answers(session.record, new.record) == ("yes",) * 4
    with pytest.raises(Refusal, match="has already begun"):
        decline(new, CLEO)


def test_the_player_who_offered_a_rematch_may_open_seats_of_those_who_did_not_answer() -> None:
    session, new = offered_rematch()
    with pytest.raises(Refusal, match="Only the player who asked"):
        open_unanswered_seats(new, BEN)
    grant(new, agree(new, CLEO, "Cleo", 101.0))
    change = grant(new, open_unanswered_seats(new, ADA))
    assert tuple(map(str, change.announcements)) == ("Ben’s seat is open.",)
    assert answers(session.record, new.record) == ("yes", "no", "yes", "yes")
    assert open_unanswered_seats(new, ADA) is None


def test_a_rematch_offer_expires_after_its_timeout_or_if_all_decline() -> None:
    _, new = offered_rematch()
    assert is_rematch_open(new.record, 100.0 + OFFER_TIMEOUT - 1)
    assert not is_rematch_open(new.record, 100.0 + OFFER_TIMEOUT)
    grant(new, agree(new, CLEO, "Cleo", 101.0))
    grant(new, decline(new, ADA))
    assert new.record.host in (BEN, CLEO), "somebody else asks now"
    grant(new, decline(new, BEN))
    grant(new, decline(new, CLEO))
    assert not is_rematch_open(new.record, 105.0)


@pytest.mark.parametrize(
    "match", [detect_with_take_backs("P1 resign"), uncovered_with_take_backs()], ids=lambda match: str(match.game.name)
)
def test_a_match_can_be_continued_from_any_position_also_after_take_backs(match: Match) -> None:
    old = finished_session(match)
    for ply in range(match.ply):
        new = Session(*new_table_from_ply(old, ply, 0, ADA, "Ada", "low", 30.0))
        assert to_bytes(new.dealt_match.state) == to_bytes(match.at(ply).state)
        assert new.dealt_match.moves == match.moves[:ply]
        assert not new.dealt_match.over
    with pytest.raises(Refusal, match=f"from 0 .* to {match.ply - 1}"):
        new_table_from_ply(old, match.ply, 0, ADA, "Ada", "low", 30.0)


def test_stronger_bots_are_not_offered_to_a_player_who_resigned() -> None:
    session = dealt("me low")
    grant(session, resign(session, ADA, "low", 20.0))
    assert stronger_level_after_win(session, 0, LowBots()) is None
    # With more seats, the bot that plays on may win.
    match, lot = Match("detect", 3, {}, seed_from_text("won by seat 0")), random.Random(1)
    play_randomly(match, lot, 100_000)
    won = finished_session(match, "me low low")
    assert won.table(0).winners == (0,)
    level = stronger_level_after_win(won, 0, LowBots())
    assert level is not None
    assert level.key == "high"
    won.record = replace(won.record, agreements=Agreements(resigned=(0,)))
    assert stronger_level_after_win(won, 0, LowBots()) is None
