"""Several processes on one database: leases, drivers of tables, and changes by others."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from facedown.core.match_actions import AGREED_END, TAKE_BACK
from facedown.play import Session, agreements, chat
from facedown.play.agreements import ANSWER_TIME
from facedown.store import Repository, StoreError, schema
from facedown.store.processes import LEASE
from facedown.store.row_conversion import TableCursor
from tests.not_none import given
from tests.store.test_repository import new_session, person, running_session, save, session_of_persons

Opener = Callable[[], Repository]


def age_lease(repository: Repository, seconds: float) -> None:
    with repository._engine.begin() as connection:
        mine = schema.processes.c.id == repository.processes.id
        connection.execute(sa.update(schema.processes).where(mine).values(seen=schema.processes.c.seen - seconds))


def due_table(repository: Repository) -> str:
    """Return the code of a table at which a bot is to act. This repository's process drives it."""
    return running_session(repository).code


def test_process_counts_as_alive_until_its_lease_expires(open_repository: Opener) -> None:
    first, second = open_repository(), open_repository()
    first.processes.register("redis")
    second.processes.register("redis")
    assert first.processes.other_live_ids() == [second.processes.id]
    age_lease(second, LEASE + 1)
    assert first.processes.other_live_ids() == []
    assert second.processes.renew_lease()
    assert first.processes.other_live_ids() == [second.processes.id]
    second.processes.unregister()
    assert first.processes.other_live_ids() == []
    assert not second.processes.renew_lease(), "it has to begin anew"


def test_process_with_another_message_bus_may_not_register_in_a_database_in_use(open_repository: Opener) -> None:
    first, second = open_repository(), open_repository()
    first.processes.register("redis")
    with pytest.raises(StoreError, match="uses the bus redis, this one would use postgresql"):
        second.processes.register("postgresql")
    age_lease(first, LEASE + 1)
    second.processes.register("postgresql")


def test_process_that_registers_as_the_only_one_discards_all_other_registrations(open_repository: Opener) -> None:
    first, second = open_repository(), open_repository()
    first.processes.register("")
    second.processes.register("", alone=True)
    assert second.processes.other_live_ids() == []


def test_table_is_taken_over_only_from_a_dead_process(open_repository: Opener) -> None:
    first, second, third = open_repository(), open_repository(), open_repository()
    for one in (first, second, third):
        one.processes.register("")
    code, other = due_table(first), due_table(second)
    assert first.processes.take_over_due_tables(0.0) == [code]
    assert third.processes.take_over_due_tables(0.0) == []
    age_lease(first, LEASE + 1)
    assert third.processes.take_over_due_tables(0.0) == [code]
    assert second.processes.take_over_due_tables(0.0) == [other], "nobody takes it from whoever took it over"
    second.processes.unregister()
    assert sorted(third.processes.take_over_due_tables(0.0)) == sorted([code, other])


def test_table_with_an_open_proposal_is_taken_over_when_its_time_ends(open_repository: Opener) -> None:
    first, second = open_repository(), open_repository()
    for one in (first, second):
        one.processes.register("")
    session, people = session_of_persons(first, "Ada", "Ben")
    save(first, session, agreements.propose(session, people[0], AGREED_END, 5.0))
    first.processes.unregister()
    assert second.processes.take_over_due_tables(5.0 + ANSWER_TIME - 1) == []
    assert second.processes.take_over_due_tables(5.0 + ANSWER_TIME) == [session.code]
    save(second, session, session.expire_clocks("low", 5.0 + ANSWER_TIME))
    second.processes.unregister()
    third = open_repository()
    third.processes.register("")
    assert third.processes.take_over_due_tables(4e9) == []


def test_process_that_wrote_last_to_a_table_becomes_responsible_for_its_bot_moves(open_repository: Opener) -> None:
    first, second = open_repository(), open_repository()
    for one in (first, second):
        one.processes.register("")
    code = due_table(first)
    found = given(second.load(code))
    assert found.driver == first.processes.id
    session = Session(found.record, found.moves)
    task = given(session.bot_task())
    change = given(session.bot_move(task, session.game.legal(task.view, task.seat)[0], 3.0))
    second.write(change)
    found = given(first.load(code))
    assert found.driver == second.processes.id
    assert first.processes.take_over_due_tables(0.0) == []


def test_process_catches_up_with_moves_chat_and_seats_written_by_another_process(open_repository: Opener) -> None:
    """After each kind of change, the reader's session equals the writer's."""
    writer, reader = open_repository(), open_repository()
    ada, ben = person(writer), person(writer, "Ben")
    here = new_session(writer, "me", "open", host=ada)
    found = given(reader.load(here.code))
    there = Session(found.record, found.moves, found.chat)
    told: list[str] = []

    def read_on() -> None:
        known = TableCursor(found.number, there.record, there.ply, there.chat_count)
        newer = given(reader.load_newer([known])[0])
        told.extend(str(tell) for tell in there.catch_up(newer.record, newer.moves, newer.chat))
        assert there.record == here.record
        assert there.moves == here.moves
        assert there.chat == here.chat

    read_on()
    save(writer, here, here.sit(ben.id, "Ben", now=1.0))
    read_on()
    save(writer, here, here.ready(ben.id, True, 2.0))
    save(writer, here, here.say(chat.validate_message(here, ada.id, "hello", 2.0)))
    read_on()
    save(writer, here, here.ready(ada.id, True, 3.0))
    save(writer, here, here.move(0, 3, 0, now=3.5))
    read_on()
    save(writer, here, agreements.propose(here, ada.id, TAKE_BACK, 3.6))
    read_on()
    save(writer, here, agreements.answer(here, ben.id, 1, True, 3.7))
    read_on()
    assert given(there.match).state.tobytes() == given(here.match).state.tobytes()
    assert here.match is not None
    for number in range(14):
        seat = here.match.acting[0]
        save(writer, here, here.move(seat, here.legal(seat)[0], here.version(seat), now=4.0))
        if number % 5 == 2:
            save(writer, here, here.say(chat.validate_message(here, ben.id, f"well, {number}", 100.0 * number)))
        if number in (0, 1, 2, 12, 13):
            read_on()
    asked = "Ada asks to take back their last move."
    assert told == ["Ben joined the table.", "Ben is ready.", "Ada is ready.", asked]
    assert [said.text for said in there.chat] == ["hello", "well, 2", "well, 7", "well, 12"]


def test_lookup_of_changes_of_a_deleted_table_returns_none(repository: Repository) -> None:
    assert repository.load_newer([TableCursor(10**6, new_session(repository).record, 0, 0)]) == [None]
    assert repository.revisions([10**6]) == {}


def test_names_of_several_people_are_found_by_one_lookup(repository: Repository) -> None:
    ada, ben = (repository.store_new_person(name, None, 1.0) for name in ("Ada", "Ben"))
    assert repository.person_names([ada.id, ben.id, 10**6]) == {ada.id: "Ada", ben.id: "Ben"}


@pytest.mark.postgres
def test_each_table_of_a_dead_process_is_taken_over_by_exactly_one_process(postgres_url: str) -> None:
    """All of them look at the same moment."""
    with ThreadPoolExecutor(6) as threads:
        dead = Repository(postgres_url)
        dead.processes.register("")
        codes = [due_table(dead) for _ in range(60)]
        dead.processes.unregister()
        dead.close()
        others = [Repository(postgres_url) for _ in range(6)]
        for one in others:
            one.processes.register("")
        ready = threading.Barrier(6)

        def adopt(one: Repository) -> list[str]:
            ready.wait()
            return one.processes.take_over_due_tables(0.0)

        found = list(threads.map(adopt, others))
        # A process passes over tables that another one has locked, without waiting.
        left = [code for one in others for code in one.processes.take_over_due_tables(0.0)]
        for one in others:
            one.close()
    assert sorted(left) == sorted(codes)
    taken = [code for codes in found for code in codes]
    assert len(taken) == len(set(taken))
