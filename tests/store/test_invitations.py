"""Invitations and mutes: who can be invited, what is shown, limits, export and erasure, on both kinds of database."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from facedown.play import Change, new_table
from facedown.play.records import Seat, TableRecord
from facedown.store import Repository, blocks, schema
from facedown.store import invitations as store
from facedown.store.personal_data import erase_personal_data
from facedown.store.retention import DAY, RetentionCounts, RetentionPolicy, delete_all_expired
from tests.not_none import given
from tests.play.table import LowBots
from tests.store.test_repository import person

NOW = 100.0 * DAY
LIFETIME = store.LIFETIME


def table(repository: Repository, *seats: tuple[str, int], game: str = "detect", **fields: Any) -> TableRecord:
    """Store a table with these players (name, person id), of whom the first is the host, and one open seat."""
    (name, host), *others = seats
    made = new_table(game, ["me", *["open"] * (len(seats))], LowBots(), 5.0, host=host, host_name=name)
    for index, (other, number) in enumerate(others, 1):
        made = made.with_seat(index, Seat("person", other, number))
    values: dict[str, Any] = {"status": "running", "started": 10.0} | fields
    record = replace(made, **values)
    repository.create(record)
    return record


def number_of(repository: Repository, record: TableRecord) -> int:
    return given(repository.table_id(record.code))


class Invited:
    """Mara, who hosts a table with a free seat and has invited Noor there."""

    def __init__(self, repository: Repository) -> None:
        self.repository, self.engine = repository, repository.engine
        self.mara, self.noor, self.sol = (person(repository, name).id for name in ("Mara", "Noor", "Sol"))
        self.record = table(repository, ("Mara", self.mara), ("Sol", self.sol), status="lobby")
        self.number = number_of(repository, self.record)
        assert self.invite()

    def invite(self, who: int | None = None, now: float = NOW) -> bool:
        return store.store_invitation(self.engine, self.number, who or self.noor, self.mara, "Mara", "here", now)

    def change(self, **fields: Any) -> None:
        self.record = replace(self.record, revision=self.record.revision + 1, **fields)
        self.repository.write(Change(self.record))

    def seat(self, index: int, seat: Seat) -> None:
        self.change(seats=tuple(seat if at == index else one for at, one in enumerate(self.record.seats)))

    def shown(self, now: float = NOW) -> list[str]:
        """Return the names of those who invite Noor, and check that the SQL condition selects the same rows."""
        found = [one.inviter for one in store.shown_invitations(self.engine, self.noor, now, ["detect"])]
        rows = sa.select(schema.invitations.c.name)
        # The condition must not depend on the tables that the query joins.
        seats = schema.invitations.join(schema.matches).join(
            schema.seats, schema.seats.c.match_id == schema.matches.c.id
        )
        for query in (rows, rows.select_from(seats).where(schema.seats.c.seat == 0)):
            with self.engine.connect() as connection:
                assert sorted(connection.scalars(query.where(store.is_shown_condition(now)))) == sorted(found)
        return found


@pytest.fixture
def invited(repository: Repository) -> Invited:
    return Invited(repository)


# --- what is shown ----------------------------------------------------------------------------------------------------


def test_invitation_is_shown_with_its_table_for_three_days_and_to_the_invited_person_only(invited: Invited) -> None:
    (found,) = store.shown_invitations(invited.engine, invited.noor, NOW, ["detect"])
    assert (found.inviter, found.table.record, found.table.free) == ("Mara", invited.record, 1)
    assert store.shown_invitations(invited.engine, invited.sol, NOW, ["detect"]) == []
    assert store.shown_invitations(invited.engine, invited.noor, NOW, ["scout"]) == []
    assert invited.shown(NOW + LIFETIME - 1) == ["Mara"]
    assert invited.shown(NOW + LIFETIME) == []


HIDERS: dict[str, Callable[[Invited], object]] = {
    "the match has begun": lambda it: it.change(status="running"),
    "no seat is free": lambda it: it.seat(2, Seat("bot", "Wren", level="low")),
    "the inviter has left": lambda it: it.seat(0, Seat()),
    "the invited person sits there": lambda it: it.seat(1, Seat("person", "Noor", it.noor)),
    "the host has removed the invited person": lambda it: it.change(removed=((it.noor, "Noor"),)),
    "it was declined": lambda it: store.decline(it.engine, it.noor, it.number),
    "the inviter is muted": lambda it: store.mute_inviter(it.engine, it.noor, it.number, NOW),
    "the invited person has blocked the inviter": lambda it: blocks.block(it.engine, it.noor, it.mara, "Mara", NOW),
    "the inviter has blocked the invited person": lambda it: blocks.block(it.engine, it.mara, it.noor, "Noor", NOW),
    "another player has blocked the invited person": lambda it: blocks.block(it.engine, it.sol, it.noor, "Noor", NOW),
    "the invited person has blocked another player": lambda it: blocks.block(it.engine, it.noor, it.sol, "Sol", NOW),
    "the inviter's data was erased": lambda it: erase_personal_data(it.engine, it.mara),
}


@pytest.mark.parametrize("why", HIDERS)
def test_invitation_is_hidden_if(why: str, invited: Invited) -> None:
    assert invited.shown() == ["Mara"]
    HIDERS[why](invited)
    assert invited.shown() == []


def test_similar_cases_hide_no_invitation(invited: Invited) -> None:
    engine, (mara, noor, sol) = invited.engine, (invited.mara, invited.noor, invited.sol)
    invited.change(removed=((int(f"{noor}0"), "Ten"), (sol + 90, f"[{noor}")))
    blocks.block(engine, sol, mara, "Mara", NOW)
    for person_, inviter in ((sol, mara), (mara, noor)):
        with engine.begin() as connection:
            row = {"person": person_, "muted": inviter, "name": "x", "created": NOW}
            connection.execute(sa.insert(schema.invite_mutes).values(row))
    assert invited.shown() == ["Mara"]


def test_mute_applies_to_all_tables_of_the_inviter_until_it_is_deleted(invited: Invited) -> None:
    engine, noor = invited.engine, invited.noor
    again = table(invited.repository, ("Mara M", invited.mara), status="lobby")
    store.mute_inviter(engine, noor, number_of(invited.repository, again), NOW)
    assert store.muted_by(engine, noor) == {}, "there is no invitation to that table"
    store.mute_inviter(engine, noor, invited.number, NOW)
    number = number_of(invited.repository, again)
    assert store.store_invitation(engine, number, noor, invited.mara, "Mara M", "here", NOW + 1)
    assert invited.shown(NOW + 1) == []
    assert store.muted_by(engine, noor) == {invited.mara: "Mara"}
    store.unmute_inviter(engine, noor, invited.mara)
    assert store.muted_by(engine, noor) == {}
    assert [one.inviter for one in store.shown_invitations(engine, noor, NOW + 1, ["detect"])] == ["Mara M", "Mara"]


# --- sending ----------------------------------------------------------------------------------------------------------


def test_second_invitation_to_a_table_changes_nothing_unless_it_is_late_or_by_another_host(invited: Invited) -> None:
    store.decline(invited.engine, invited.noor, invited.number)
    assert invited.invite(now=NOW + 5)
    assert invited.shown(NOW + 5) == [], "a declined invitation cannot be repeated"
    invitation = (invited.number, invited.noor, invited.sol, "Sol", "here", NOW + 6)
    assert store.store_invitation(invited.engine, *invitation)
    assert invited.shown(NOW + 6) == ["Sol"]
    assert invited.invite(now=NOW + 6 + LIFETIME)
    assert invited.shown(NOW + 6 + LIFETIME) == ["Mara"]


def test_person_sends_twenty_invitations_and_address_sixty_in_a_day_declined_ones_included(invited: Invited) -> None:
    engine, repository = invited.engine, invited.repository
    others = [person(repository, "P").id for _each in range(25)]
    tables = []
    for origin, host in [("here", invited.mara), *(("here", other) for other in others[:3]), ("there", invited.sol)]:
        record = table(repository, ("Host", host), status="lobby", origin=origin)
        tables.append((number_of(repository, record), host, origin))

    def sent(index: int, now: float = NOW) -> int:
        number, host, origin = tables[index]
        made = 0
        for other in others[4:]:
            made += store.store_invitation(engine, number, other, host, "Host", origin, now)
            store.decline(engine, other, number)
        return made

    # Mara has already invited Noor to a table that was opened from an unknown address.
    assert [sent(index) for index in range(5)] == [19, 20, 20, 1, 20]
    assert sent(3, NOW + DAY - 1) == 1, "the one that was stored before"
    assert sent(3, NOW + DAY) == 21


def test_invitation_expires_with_the_hourly_job_and_with_its_table(invited: Invited) -> None:
    policy = RetentionPolicy()
    for now, left in ((NOW + LIFETIME, 1), (NOW + LIFETIME + 1, 0)):
        assert delete_all_expired(invited.engine, policy, now) == RetentionCounts()
        with invited.engine.connect() as connection:
            assert connection.scalar(sa.select(sa.func.count()).select_from(schema.invitations)) == left
    assert invited.invite()
    assert delete_all_expired(invited.engine, RetentionPolicy(lobby_days=1), NOW).lobbies == 1
    assert invited.shown() == []


# --- whom to invite ---------------------------------------------------------------------------------------------------


def test_host_chooses_from_the_persons_of_begun_matches_the_latest_first(invited: Invited) -> None:
    repository, engine, mara = invited.repository, invited.engine, invited.mara
    ada, ben, cleo, dora = (person(repository, name).id for name in ("Ada", "Ben", "Cleo", "Dora"))
    program = repository.store_new_person("Bot", None, 1.0).id
    host = ("Mara", mara)
    table(repository, host, ("Ada", ada), ("Cleo", cleo), started=20.0)
    last = table(repository, ("Addie", ada), host, started=30.0, status="finished", game="uncovered")
    table(repository, host, ("Bot", program), started=40.0)
    table(repository, host, ("Dora", dora), status="lobby")
    table(repository, ("Ada", ada), ("Ben", ben), started=50.0)
    with engine.begin() as connection:
        token = {"token_hash": "x", "person": program, "created": 1.0}
        connection.execute(sa.insert(schema.device_tokens).values(token))
    found = store.people_played_with(engine, mara, invited.number, {cleo}, NOW)
    assert found == [
        store.PlayedWith(program, "Bot", found[0].code, 1, "detect", 40.0, False),
        store.PlayedWith(ada, "Addie", last.code, 0, "uncovered", 30.0, False),
    ]
    assert invited.invite(ada)
    assert [one.invited for one in store.people_played_with(engine, mara, invited.number, (), NOW)[:2]] == [False, True]
    later = store.people_played_with(engine, mara, invited.number, (), NOW + LIFETIME)
    assert [one.invited for one in later] == [False] * 3
    assert store.people_played_with(engine, dora, invited.number, (), NOW) == []
    with engine.begin() as connection:
        connection.execute(sa.delete(schema.device_tokens))
    erase_personal_data(engine, ada)
    assert [one.name for one in store.people_played_with(engine, mara, invited.number, (), NOW)] == ["Cleo"]


def test_only_a_person_at_a_begun_match_of_both_is_found_by_table_and_seat(invited: Invited) -> None:
    repository, engine, mara, noor = invited.repository, invited.engine, invited.mara, invited.noor
    record = table(repository, ("Mara", mara), ("Noor", noor))
    waiting = table(repository, ("Mara", mara), ("Noor", noor), status="lobby")
    strange = table(repository, ("Sol", invited.sol), ("Noor", noor))
    found = [store.find_played_with(engine, mara, record.code, seat) for seat in (0, 1, 2, 3)]
    assert found == [None, noor, None, None]
    assert store.find_played_with(engine, mara, waiting.code, 1) is None
    assert store.find_played_with(engine, mara, strange.code, 1) is None
    assert store.find_played_with(engine, mara, "nothing", 1) is None


def test_choice_has_at_most_thirty_persons(invited: Invited) -> None:
    many = [("P", person(invited.repository, "P").id) for _each in range(31)]
    for at in range(0, 31, 4):
        table(invited.repository, ("Mara", invited.mara), *many[at : at + 4])
    assert len(store.people_played_with(invited.engine, invited.mara, invited.number, (), NOW)) == 30


def test_ten_thousand_invitations_of_a_person_are_read_and_erased(invited: Invited) -> None:
    engine = invited.engine
    with engine.begin() as connection:
        old = dict(connection.execute(sa.select(schema.matches)).mappings().one())
        new = [{**old, "id": 1000 + n, "code": f"C{n}", "status": "finished"} for n in range(10_000)]
        connection.execute(sa.insert(schema.matches), new)
        invitation = {"person": invited.noor, "inviter": invited.mara, "name": "Mara"}
        rows = [invitation | {"match_id": one["id"], "created": NOW - 1 + one["id"] / 1e6} for one in new]
        connection.execute(sa.insert(schema.invitations), rows)
    assert invited.shown() == ["Mara"]
    assert not invited.invite(invited.sol)
    json.dumps(store.muted_by(engine, invited.noor))
    erase_personal_data(engine, invited.noor)
    with engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(schema.invitations)) == 0
