"""Another match with the same people: asked, agreed, declined."""

from __future__ import annotations

import pytest

from facedown.play import Refusal, Session
from facedown.play.rematch import OFFER_TIMEOUT, agree, answers, decline, is_rematch_open, open_seats_of_silent, rematch
from tests.play.table import ADA, BEN, CLEO, dealt, grant


def asked(words: str = "me open open low", left: int | None = None) -> tuple[Session, Session]:
    """A match of Ada, Ben and Cleo, and the next table, for which Ada asks."""
    session = dealt(words)
    if left is not None:
        grant(session, session.leave(left))
    new = Session(rematch(session.record, ADA, 100.0), now=100.0)
    grant(new, agree(new, ADA, "Ada", 100.0))
    return session, new


def test_the_next_table_has_the_same_people_and_a_new_seed() -> None:
    session, new = asked()
    old = session.record
    assert [s.name for s in new.record.seats] == [s.name for s in old.seats]
    assert new.record.seed != old.seed
    assert new.code != old.code
    assert (new.record.options, new.record.settings, new.record.host) == (old.options, old.settings, ADA)
    session, new = asked(left=BEN)
    assert answers(session.record, new.record) == ("yes", "no", "", "yes"), "whoever has left is not asked"
    assert not any(seat.left or seat.standin for seat in new.record.seats)


def test_the_deal_begins_when_all_agree_also_after_a_no() -> None:
    session, new = asked()
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


def test_whoever_asked_may_wait_no_longer() -> None:
    session, new = asked()
    with pytest.raises(Refusal, match="Only the player who asked"):
        open_seats_of_silent(new, BEN)
    grant(new, agree(new, CLEO, "Cleo", 101.0))
    change = grant(new, open_seats_of_silent(new, ADA))
    assert tuple(map(str, change.announcements)) == ("Ben’s seat is open.",)
    assert answers(session.record, new.record) == ("yes", "no", "yes", "yes")
    assert open_seats_of_silent(new, ADA) is None


def test_a_question_stands_for_an_hour_and_while_somebody_asks() -> None:
    _, new = asked()
    assert is_rematch_open(new.record, 100.0 + OFFER_TIMEOUT - 1)
    assert not is_rematch_open(new.record, 100.0 + OFFER_TIMEOUT)
    grant(new, agree(new, CLEO, "Cleo", 101.0))
    grant(new, decline(new, ADA))
    assert new.record.host in (BEN, CLEO), "somebody else asks now"
    grant(new, decline(new, BEN))
    grant(new, decline(new, CLEO))
    assert not is_rematch_open(new.record, 105.0)
