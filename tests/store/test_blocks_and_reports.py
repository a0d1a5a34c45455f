"""Blocks and reports: stored, exported, erased and deleted, on both kinds of database."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace

import pytest
import sqlalchemy as sa

from facedown.play import new_table
from facedown.play.records import Seat, StoredMove
from facedown.store import Repository, blocks, open_tables, schema
from facedown.store.personal_data import data_for_operator, data_for_person, erase_personal_data
from facedown.store.retention import (
    DAY,
    REPORT_DAYS,
    RetentionCounts,
    RetentionPolicy,
    count_expired,
    delete_all_expired,
)
from tests.not_none import given
from tests.play.table import LowBots


def people(repository: Repository, *names: str) -> list[int]:
    return [repository.store_new_person(name, None, 1.0).id for name in names]


def report(
    repository: Repository, reporter: int, person: int, now: float, origin: str = "here", text: str = "so rude"
) -> bool:
    said = ["first", "and “second”"]
    return blocks.store_report(repository.engine, reporter, person, "Wren", "words", text, said, origin, now)


def row_count(repository: Repository, *tables: sa.Table) -> list[int]:
    with repository.engine.connect() as connection:
        return [connection.scalars(sa.select(sa.func.count()).select_from(table)).one() for table in tables]


def test_block_keeps_both_persons_apart_until_it_is_deleted(repository: Repository) -> None:
    ada, ben, cleo = people(repository, "Ada", "Ben", "Cleo")
    engine = repository.engine
    for at, (name, blocked) in enumerate((("Ben", ben), ("Cleo", cleo), ("Benno", ben))):
        blocks.block(engine, ada, blocked, name, float(at))
    assert list(blocks.blocked_by(engine, ada).items()) == [(ben, "Benno"), (cleo, "Cleo")]
    assert blocks.blocked_by(engine, ben) == {}
    assert [blocks.persons_kept_apart(engine, one) for one in (ada, ben, cleo)] == [{ben, cleo}, {ada}, {ada}]
    assert blocks.pairs_kept_apart(engine, [ada, ben, 99]) == {frozenset((ada, ben))}
    blocks.unblock(engine, ben, ada)
    assert blocks.persons_kept_apart(engine, ben) == {ada}
    blocks.unblock(engine, ada, ben)
    assert blocks.persons_kept_apart(engine, ben) == frozenset()


def test_reports_are_listed_newest_first_and_deleted_once(repository: Repository) -> None:
    ada, ben = people(repository, "Ada", "Ben")
    assert report(repository, ada, ben, 5.0)
    assert report(repository, ada, ben, 6.0, text="")
    last, first = blocks.reports(repository.engine)
    assert first == blocks.Report(first.id, 5.0, ada, ben, "Wren", "words", "so rude", ("first", "and “second”"))
    assert (last.created, last.text) == (6.0, "")
    assert blocks.reports(repository.engine, 1) == [last]
    assert [blocks.delete_report(repository.engine, last.id) for _try in range(2)] == [True, False]
    assert blocks.reports(repository.engine) == [first]


def test_person_makes_five_reports_and_address_twenty_in_a_day(repository: Repository) -> None:
    many = people(repository, *(f"P{number}" for number in range(6)))
    made = [[report(repository, one, many[0], 100.0 + one) for _try in range(6)] for one in many[1:]]
    assert made == [[True] * 5 + [False]] * 4 + [[False] * 6]
    assert report(repository, many[5], many[0], 100.0, "elsewhere")
    assert not report(repository, many[1], many[0], 100.0 + DAY, "elsewhere")
    assert report(repository, many[1], many[0], 100.0 + many[1] + DAY)


def seeded(repository: Repository, ada: int, ben: int) -> str:
    """Store a block and a report in both directions, a search of Ada, and a seat of a bot that she takes over."""
    for one, other, name in ((ada, ben, "Benedict"), (ben, ada, "Adalberta")):
        blocks.block(repository.engine, one, other, name, 3.0)
        text = f"by number {one}"
        blocks.store_report(repository.engine, one, other, name, "name", text, [f"words of {name}"], "here", 4.0)
    open_tables.start_search(repository.engine, ada, "seat", ["detect"], "any", "here", 5.0, 500.0)
    record = replace(new_table("detect", ["low", "low"], LowBots(), 5.0, host=None), status="running", listed=True)
    seat = replace(record.seats[1], next_person=ada, next_name="Adalberta")
    repository.create(record.with_seat(1, seat), [])
    return record.code


def test_exports_contain_own_blocks_and_reports_and_not_those_by_others(repository: Repository) -> None:
    ada, ben = people(repository, "Adalberta", "Benedict")
    code = seeded(repository, ada, ben)
    for found in (data_for_person(repository.engine, ada), data_for_operator(repository.engine, ada)):
        json.dumps(found)
        assert found["blocked"] == [{"name": "Benedict", "created": 3.0}]
        own = {"name": "Benedict", "kind": "name", "text": f"by number {ada}", "created": 4.0}
        assert found["reported"] == [own]
        assert found["searches"] == [{"kind": "seat", "games": '["detect"]', "pace": "any", "since": 5.0}]
        assert found["next_seats"] == [code]
        for others in (f"by number {ben}", "words of Adalberta", "words of Benedict"):
            assert others not in str(found)


def test_erasing_a_person_deletes_blocks_and_reports_in_both_directions(repository: Repository) -> None:
    ada, ben, cleo = people(repository, "Adalberta", "Benedict", "Cleo")
    code = seeded(repository, ada, ben)
    blocks.block(repository.engine, cleo, ben, "Benedict", 3.0)
    report(repository, cleo, ben, 4.0)
    revision = given(repository.load(code)).record.revision
    assert erase_personal_data(repository.engine, ada) == [(code, revision + 1)]
    assert row_count(repository, schema.blocks, schema.reports, schema.seekers) == [1, 1, 0]
    record = given(repository.load(code)).record
    assert (record.coming_persons, record.seats[1].next_name, record.seats[1].kind) == ({}, "", "bot")
    with repository.engine.connect() as connection:
        for table in schema.metadata.sorted_tables:
            assert "Adalberta" not in str(connection.execute(sa.select(table)).all()), table.name


def test_export_of_a_seat_taken_over_contains_no_move_of_the_bot_before(repository: Repository) -> None:
    (ada,) = people(repository, "Ada")
    made = new_table("detect", ["low", "low"], LowBots(), 5.0, host=None)
    record = made.with_seat(1, Seat("person", "Ada", ada, since=2, bot_name="Wren", ready=True))
    moves = [StoredMove(ply, 1, 10 + ply, 6.0 + ply, f"t{ply}") for ply in range(4)]
    repository.create(replace(record, status="running"), moves)
    (seat,) = data_for_person(repository.engine, ada)["seats"]
    assert seat["moves"] == [{"action": 12, "at": 8.0}, {"action": 13, "at": 9.0}]
    assert "since" not in seat
    assert data_for_operator(repository.engine, ada)["seats"][0]["moves"] == 2


def test_retention_deletes_old_reports_and_the_blocks_of_deleted_persons(repository: Repository) -> None:
    ada, ben, cleo = people(repository, "Ada", "Ben", "Cleo")
    seeded(repository, ada, ben)
    blocks.block(repository.engine, ben, cleo, "Cleo", 3.0)
    report(repository, ben, ada, 50 * DAY)
    report(repository, cleo, ben, 50 * DAY)
    now = 4.0 + REPORT_DAYS * DAY
    assert count_expired(repository.engine, RetentionPolicy(), now) == RetentionCounts()
    assert delete_all_expired(repository.engine, RetentionPolicy(), now + 1) == RetentionCounts(reports=2)
    # Ada takes a bot's seat over later, so she counts as seated.

    assert delete_all_expired(repository.engine, RetentionPolicy(people_days=30), 60 * DAY) == RetentionCounts(people=2)
    assert row_count(repository, schema.people, schema.blocks, schema.reports, schema.seekers) == [1, 0, 0, 1]


@pytest.mark.parametrize("table", [schema.blocks, schema.reports, schema.seekers])
def test_rows_about_a_person_are_deleted_with_the_person(table: sa.Table, repository: Repository) -> None:
    ada, ben = people(repository, "Ada", "Ben")
    code = seeded(repository, ada, ben)
    with repository.engine.begin() as connection:
        connection.execute(sa.delete(schema.matches).where(schema.matches.c.code == code))
        connection.execute(sa.delete(schema.people).where(schema.people.c.id == ada))
    assert row_count(repository, table) == [0]


def fill(repository: Repository, reporters: Collection[int], person: int) -> None:
    """Store 10,000 blocks and reports of a person."""
    with repository.engine.begin() as connection:
        rows = [{"person": one, "blocked": person, "name": "Wren", "created": 1.0 * one} for one in reporters]
        connection.execute(sa.insert(schema.blocks), rows)
        words = {"person": person, "name": "Wren", "kind": "words", "text": "x" * 200, "said": "[]"}
        made = [words | {"reporter": one, "origin": f"o{one}", "created": 1.0 * one} for one in reporters]
        connection.execute(sa.insert(schema.reports), made)


def test_ten_thousand_blocks_and_reports_are_read_and_deleted(repository: Repository) -> None:
    engine = repository.engine
    with engine.begin() as connection:
        names = [{"name": f"P{number}", "created": 1.0} for number in range(10_001)]
        connection.execute(sa.insert(schema.people), names)
        wren, *others = connection.scalars(sa.select(schema.people.c.id).order_by(schema.people.c.id)).all()
    fill(repository, others, wren)
    assert len(blocks.persons_kept_apart(engine, wren)) == 10_000
    assert blocks.persons_kept_apart(engine, others[0]) == {wren}
    assert len(blocks.reports(engine, 50)) == 50
    assert report(repository, others[0], wren, 20_000.0)
    assert len(data_for_operator(engine, wren)["blocked"]) == 0
    erase_personal_data(engine, wren)
    assert row_count(repository, schema.blocks, schema.reports) == [0, 0]
