"""The host's requests before the deal, and their announcements."""

from __future__ import annotations

import random
from functools import partial

import pytest

from facedown.play import Change, Refusal, Session, Settings, lobby_host_actions
from facedown.play.presence import SEAT_FREE_AFTER, SHOWN_AWAY_AFTER, Presence
from tests.play.table import ADA, BEN, CLEO, LowBots, dealt, grant
from tests.play.table import lobby as waiting_table
from tests.play.test_session import refusal

BOTS = LowBots()


def with_ben(words: str = "me open open", **more: object) -> Session:
    """Return a lobby with Ada, its host, and Ben."""
    session = waiting_table(words, **more)  # type: ignore[arg-type]
    grant(session, session.sit(BEN, "Ben", now=11.0))
    return session


def seat_names(session: Session) -> list[str]:
    """Return the names on the seats, with a dash for an open seat."""
    return [seat.name or "-" for seat in session.record.seats]


def test_a_removed_player_may_sit_again_only_after_readmission() -> None:
    session = with_ben()
    change = grant(session, lobby_host_actions.remove_player(session, ADA, 1))
    assert list(map(str, change.announcements)) == ["Ben left the table."]
    assert seat_names(session) == ["Ada", "-", "-"]
    assert "someone else" in refusal("forbidden", session.sit, BEN, "Somebody", now=12.0)
    grant(session, session.sit(CLEO, "Cleo", now=12.0))
    assert "Sol" in refusal("conflict", lobby_host_actions.readmit_player, session, ADA, "Sol")
    grant(session, lobby_host_actions.readmit_player(session, ADA, "Ben"))
    grant(session, session.sit(BEN, "Ben", now=13.0))
    assert seat_names(session) == ["Ada", "Cleo", "Ben"]


def test_lobby_requests_are_accepted_only_from_the_host_and_only_before_the_deal() -> None:
    def requests(session: Session, person: int) -> list[tuple[object, ...]]:
        return [
            (lobby_host_actions.remove_player, session, person, 1),
            (lobby_host_actions.readmit_player, session, person, "Ben"),
            (lobby_host_actions.swap_players, session, person, 0, 1),
            (lobby_host_actions.remove_seat, session, person, 2, 1.0),
            (lobby_host_actions.add_seat, session, person),
            (lobby_host_actions.change_rules, session, person, {}, Settings()),
            (lobby_host_actions.seat_bot, session, person, 2, "low", BOTS, 1.0),
            (lobby_host_actions.open_seat, session, person, 2),
        ]

    session = with_ben()
    for request, *arguments in requests(session, BEN):
        assert "host" in refusal("forbidden", request, *arguments)
    begun = dealt("me open low")
    own = [(partial(begun.sit, now=1.0), CLEO, "Cleo"), (begun.ready, ADA, False, 1.0)]
    for request, *arguments in [*requests(begun, ADA), *own]:
        assert "already begun" in refusal("conflict", request, *arguments)


def test_the_host_cannot_remove_themselves_bots_or_empty_seats() -> None:
    session = with_ben("me low open open")
    assert "yourself" in refusal("forbidden", lobby_host_actions.remove_player, session, ADA, 0)
    assert "no player" in refusal("conflict", lobby_host_actions.remove_player, session, ADA, 1)
    assert "0 to 3" in refusal("malformed", lobby_host_actions.remove_player, session, ADA, 4)
    assert "Ben" in refusal("forbidden", lobby_host_actions.remove_seat, session, ADA, 2, 1.0)


def test_the_host_swaps_two_seats() -> None:
    session = with_ben()
    change = grant(session, lobby_host_actions.swap_players(session, ADA, 0, 1))
    assert seat_names(session) == ["Ben", "Ada", "-"]
    assert list(map(str, change.announcements)) == ["Ada and Ben swapped seats."]
    assert grant(session, lobby_host_actions.swap_players(session, ADA, 0, 2)).announcements == ()
    assert seat_names(session) == ["-", "Ada", "Ben"]
    assert session.seat_of(ADA) == 1
    assert "two different seats" in refusal("malformed", lobby_host_actions.swap_players, session, ADA, 1, 1)


def test_seats_are_added_and_removed_within_the_games_player_limits() -> None:
    session = with_ben("me open low")
    grant(session, session.ready(ADA, True, 12.0))
    grant(session, lobby_host_actions.add_seat(session, ADA))
    assert seat_names(session) == ["Ada", "Ben", "Juniper", "-"]
    grant(session, lobby_host_actions.remove_seat(session, ADA, 2, 13.0))
    assert seat_names(session) == ["Ada", "Ben", "-"]
    grant(session, session.ready(BEN, True, 14.0))
    assert session.match is None
    grant(session, lobby_host_actions.remove_seat(session, ADA, 2, 15.0))
    assert session.dealt_match.seats == 2, "the deal begins when all that are left are ready"
    two = waiting_table("me open", game="reveal")
    assert "2 players" in refusal("malformed", lobby_host_actions.add_seat, two, ADA)
    assert "2 players" in refusal("malformed", lobby_host_actions.remove_seat, two, ADA, 1, 1.0)


def test_default_options_change_with_the_number_of_seats() -> None:
    session = waiting_table("me open open open", game="uncovered")
    assert session.record.options["mode"] == "advanced"
    grant(session, lobby_host_actions.remove_seat(session, ADA, 3, 11.0))
    grant(session, lobby_host_actions.remove_seat(session, ADA, 2, 11.0))
    fresh = waiting_table("me open", game="uncovered")
    assert session.record.options == fresh.record.options
    assert session.record.options["mode"] != "advanced"


def test_changed_house_rules_reset_the_ready_state_of_other_players() -> None:
    session = with_ben("me open open low")
    grant(session, session.sit(CLEO, "Cleo", key_hash="a program's", ready=True, now=12.0))
    grant(session, session.ready(ADA, True, 12.0))
    other = Settings(clock=60, hints=True)
    assert lobby_host_actions.change_rules(session, ADA, session.record.options, session.record.settings) is None
    assert "3" in refusal("malformed", lobby_host_actions.change_rules, session, ADA, {}, Settings(clock=1))
    assert "share" in refusal("malformed", lobby_host_actions.change_rules, session, ADA, {"tie": "never"}, other)
    change = grant(session, lobby_host_actions.change_rules(session, ADA, {"tie": "extra_round"}, other))
    assert list(map(str, change.announcements)) == ["The host changed the house rules."]
    assert session.record.settings == other
    assert session.record.options["tie"] == "extra_round"
    assert [seat.ready for seat in session.record.seats] == [True, False, True, True]


def test_the_next_player_in_seat_order_becomes_host_if_the_host_leaves() -> None:
    session = with_ben("me low open open")
    grant(session, session.sit(CLEO, "Cleo", now=12.0))
    grant(session, lobby_host_actions.swap_players(session, ADA, 0, 2))
    assert seat_names(session) == ["Ben", "Juniper", "Ada", "Cleo"]
    change = grant(session, session.leave(ADA))
    assert list(map(str, change.announcements)) == ["Ada left the table.", "Cleo is now the host."]
    assert session.record.host == CLEO
    assert seat_names(session) == ["Ben", "Juniper", "-", "Cleo"]
    assert "no seat" in refusal("forbidden", session.leave, ADA)
    grant(session, session.leave(CLEO))
    assert session.record.host == BEN
    assert [str(tell) for tell in grant(session, session.leave(BEN)).announcements] == ["Ben left the table."]
    assert session.record.host is None


def test_the_seat_of_an_absent_guest_is_freed_automatically_only_with_that_setting_on() -> None:
    for wishes in (False, True):
        session = with_ben(settings=Settings(free_away=wishes))
        session.presence.connect(0, 11.0)
        session.presence.connect(1, 11.0)
        session.presence.disconnect(1, 20.0)
        assert lobby_host_actions.open_long_absent_seats(session, 20.0 + SEAT_FREE_AFTER - 1) is None
        assert "Ben" in refusal("forbidden", lobby_host_actions.open_seat, session, ADA, 1, 20.0 + SEAT_FREE_AFTER - 1)
        change = lobby_host_actions.open_long_absent_seats(session, 20.0 + SEAT_FREE_AFTER)
        if wishes:
            assert list(map(str, grant(session, change).announcements)) == ["Ben’s seat is open."]
        else:
            assert change is None
            grant(session, lobby_host_actions.open_seat(session, ADA, 1, 20.0 + SEAT_FREE_AFTER))
        assert seat_names(session) == ["Ada", "-", "-"]
        grant(session, session.sit(BEN, "Ben", now=300.0))
        session.presence.disconnect(0, 300.0)
        session.presence.connect(1, 300.0)
        assert lobby_host_actions.open_long_absent_seats(session, 10_000.0) is None, (
            "the host keeps the seat however long they are away"
        )


def test_online_status_of_players_moves_with_them_to_their_new_seats() -> None:
    presence = Presence(0.0)
    presence.connect(0, 1.0)
    presence.connect(1, 1.0)
    presence.disconnect(1, 5.0)
    presence.set_remote_seats(9, [2], 100.0, 5.0)
    # Ada moves to the second seat, Ben to the third. Cleo leaves, and Dan arrives.
    presence.reseat([1, 2, 3], [4, 1, 2], [1], 20.0)
    assert presence.connected(1)
    assert presence.away_since(2) == 5.0
    assert presence.away_since(0) == 20.0
    presence.disconnect(1, 30.0)
    assert not presence.connected(1)
    assert SHOWN_AWAY_AFTER < SEAT_FREE_AFTER


def test_each_change_in_the_lobby_is_announced_with_the_expected_text() -> None:
    """Announcements are derived from the records alone, so every process sends the same ones."""
    session = with_ben("me open open low open")
    for change, told in (
        (session.sit(CLEO, "Cleo", now=12.0), ["Cleo joined the table."]),
        (session.ready(ADA, True, 12.0), ["Ada is ready."]),
        (lobby_host_actions.swap_players(session, ADA, 0, 4), []),
        (lobby_host_actions.remove_seat(session, ADA, 3, 1.0), ["A seat was removed."]),
        (lobby_host_actions.remove_seat(session, ADA, 4, 1.0), ["A seat was removed."]),
        (lobby_host_actions.add_seat(session, ADA), ["A seat was added."]),
        (lobby_host_actions.seat_bot(session, ADA, 3, "high", BOTS, 1.0), ["Juniper now plays at a different level."]),
        (lobby_host_actions.seat_bot(session, ADA, 4, "low", BOTS, 1.0), ["Wren joined the table."]),
        (lobby_host_actions.open_seat(session, ADA, 3), ["Juniper left the table."]),
    ):
        assert list(map(str, change.announcements)) == told


def random_request(session: Session, luck: random.Random, at: float) -> Change:
    """Make a random request; raises `Refusal` if it is not allowed."""
    person, host, seats = luck.choice([ADA, BEN, CLEO]), session.record.host, len(session.record.seats)
    one, two = luck.randrange(seats), luck.randrange(seats)
    request = luck.choice(
        [
            lambda: session.sit(person, "Name", now=at),
            lambda: session.leave(person),
            lambda: lobby_host_actions.remove_player(session, host, one),
            lambda: lobby_host_actions.swap_players(session, host, one, two),
            lambda: lobby_host_actions.remove_seat(session, host, one, at),
            lambda: lobby_host_actions.add_seat(session, host),
            lambda: lobby_host_actions.seat_bot(session, host, one, "low", BOTS, at),
            lambda: lobby_host_actions.open_seat(session, host, one, at),
            lambda: lobby_host_actions.readmit_player(session, host, "Name"),
        ]
    )
    return request()


@pytest.mark.parametrize("case", range(20))
def test_random_lobby_requests_never_seat_a_person_twice(case: int) -> None:
    """With a random host, players keep their seats, the host has a seat, and the number of seats is allowed."""
    luck = random.Random(case)
    session = waiting_table("me open low")
    for at in range(60):
        try:
            change = random_request(session, luck, at)
        except Refusal:
            continue
        before = session.record
        session.apply(change)
        record = session.record
        taken = [seat.name for seat in record.seats if seat.taken]
        people = [seat.person for seat in record.seats if seat.kind == "person"]
        assert len(set(taken)) == len(taken)
        assert len(set(people)) == len(people)
        assert record.host in people or (record.host is None and not people)
        assert not {person for person, _name in record.removed} & set(people)
        low, high = session.game.info.seats
        assert low <= len(record.seats) <= high
        assert record.revision == before.revision + 1
