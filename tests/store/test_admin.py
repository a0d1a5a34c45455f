"""Operator commands for tables and persons, on both kinds of database."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from facedown.core.match_actions import AGREED_END, TAKE_BACK
from facedown.core.state import SPECTATOR
from facedown.play import Refusal, Session, agreements, chat
from facedown.play.records import SeatClock
from facedown.store import Conflict, Repository, StoreError, bans, hash_token, new_token, schema
from facedown.store.admin import close_table, table_summaries
from facedown.store.engine import newest_schema_version, open_existing_engine
from facedown.store.personal_data import data_for_operator, erase_personal_data, find_person_ids
from facedown.store.retention import (
    DAY,
    RetentionCounts,
    RetentionPolicy,
    count_expired,
    delete_all_expired,
    delete_expired_batch,
    mark_people_seen,
)
from tests.not_none import given
from tests.play.table import LowBots
from tests.store.test_repository import new_session, person, running_session, save, session_of_persons

OpenRepository = Callable[[], Repository]


def reload(repository: Repository, code: str) -> Session:
    found = given(repository.load(code))
    return Session(found.record, found.moves, found.chat)


def host_of(session: Session) -> int:
    return given(session.record.host)


# --- tables -----------------------------------------------------------------------------------------------------------


def test_admin_table_list_is_newest_first_and_filterable(repository: Repository) -> None:
    waiting, running = new_session(repository, "me", "open"), running_session(repository)
    task = given(running.bot_task())
    save(repository, running, running.bot_move(task, 3, 50.0))
    found = table_summaries(repository.engine)
    assert [(t.code, t.status, t.seats, t.people, t.bots, t.last) for t in found] == [
        (running.code, "running", 2, 1, 1, 50.0),
        (waiting.code, "lobby", 2, 1, 0, 0.0),
    ]
    for wanted, codes in (
        ({"status": "lobby"}, [waiting.code]),
        ({"game": "scout"}, []),
        ({"before": 50.0}, [waiting.code]),
        ({"limit": 1}, [running.code]),
    ):
        assert [t.code for t in table_summaries(repository.engine, **wanted)] == codes


def test_running_match_that_an_operator_closes_ends_and_refuses_further_moves(repository: Repository) -> None:
    session = running_session(repository)
    record = replace(
        session.record, clocks=(SeatClock(30.0, since=90.0), SeatClock(30.0)), revision=session.record.revision + 1
    )
    save(
        repository,
        session,
        replace(session.say(chat.validate_message(session, host_of(session), "hello", 3.0)), record=record),
    )
    assert close_table(repository.engine, session.code, 100.0) == "running"
    # A process that has the table in memory gets a conflict and reads it again.
    with pytest.raises(Conflict):
        save(repository, session, session.move(0, 7, session.version(0), now=101.0))
    closed = reload(repository, session.code)
    assert closed.closed
    assert (closed.record.status, closed.record.due, closed.next_expiry_time) == ("finished", None, None)
    assert closed.record.clocks == (SeatClock(20.0), SeatClock(30.0))
    assert closed.bot_task() is None
    assert closed.legal(0) == []
    with pytest.raises(Refusal, match="The operator of this server has closed this table"):
        closed.move(0, 7, closed.version(0), now=101.0)
    assert closed.table(0).step.prompt.startswith("The operator of this server has closed this table.")
    assert not closed.table(SPECTATOR).result
    # The seed of an unfinished match stays secret.
    with pytest.raises(Refusal, match="not yet"):
        closed.require_ended_match("not yet")

    with pytest.raises(StoreError, match="is already over"):
        close_table(repository.engine, session.code, 101.0)


@pytest.mark.parametrize("action", [TAKE_BACK, AGREED_END])
def test_proposal_cannot_be_answered_after_an_operator_closed_the_table(repository: Repository, action: int) -> None:
    session, (ada, ben) = session_of_persons(repository, "Ada", "Ben")
    save(repository, session, session.move(0, 7, session.version(0), now=4.0))
    save(repository, session, agreements.propose(session, ada, action, 5.0))
    close_table(repository.engine, session.code, 6.0)
    closed = reload(repository, session.code)
    number = given(closed.record.agreements.proposal).number
    for agrees in (True, False):
        with pytest.raises(Refusal, match="This question is no longer open"):
            agreements.answer(closed, ben, number, agrees, 7.0)
    assert closed.next_expiry_time is None
    assert closed.table(1).step.prompt.startswith("The operator of this server has closed this table.")
    assert not closed.table(SPECTATOR).result


def test_table_is_deleted_when_an_operator_closes_its_lobby(repository: Repository) -> None:
    session = new_session(repository, "me", "open")
    assert close_table(repository.engine, session.code, 100.0) == "lobby"
    assert repository.load(session.code) is None
    with pytest.raises(StoreError, match=f"table {session.code} does not exist"):
        close_table(repository.engine, session.code, 101.0)


# --- persons ----------------------------------------------------------------------------------------------------------


def test_new_tokens_never_start_with_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-h", "--yes", "a-token", "-h"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda _size: next(drawn))
    assert new_token() == "a-token"


def test_person_is_found_by_number_name_or_token(repository: Repository) -> None:
    token, key = new_token(), new_token()
    ada, other = repository.store_new_person("Ada", token, 1.0), repository.store_new_person("ada", None, 1.0)
    session = new_session(repository, "me", "open")
    save(repository, session, session.sit(ada.id, "Ada", key_hash=hash_token(key), now=1.0))
    engine = repository.engine
    assert (
        find_person_ids(engine, token)
        == find_person_ids(engine, key)
        == find_person_ids(engine, str(ada.id))
        == [ada.id]
    )
    assert {ada.id, other.id} <= set(find_person_ids(engine, "ADA"))
    assert find_person_ids(engine, "nobody") == find_person_ids(engine, "9" * 30) == find_person_ids(engine, "") == []


def test_personal_data_shown_to_the_operator_includes_everything_except_credentials(repository: Repository) -> None:
    token, key = new_token(), new_token()
    ben = repository.store_new_person("Ben", token, 1.0)
    session = new_session(repository, "me", "open")
    save(repository, session, session.sit(ben.id, "Ben", key_hash=hash_token(key), ready=True, now=1.0))
    save(repository, session, session.ready(host_of(session), True, 2.0))
    save(repository, session, session.move(0, session.legal(0)[0], 0, now=3.0))
    save(repository, session, session.say(chat.validate_message(session, ben.id, "my words", 6.0)))
    watched = running_session(repository)
    repository.add_spectator(watched.code, ben.id)
    data = data_for_operator(repository.engine, ben.id)
    assert data["name"] == "Ben"
    assert [(seat["code"], seat["seat"], seat["moves"]) for seat in data["seats"]] == [(session.code, 1, 0)]
    assert [said["text"] for said in data["said"]] == ["my words"]
    assert data["watched"] == [watched.code]
    for secret in (token, key, hash_token(token), hash_token(key)):
        assert secret not in str(data)
    assert data_for_operator(repository.engine, host_of(session))["seats"][0]["moves"] == 1


def test_match_continues_after_one_player_was_deleted(repository: Repository) -> None:
    """test_personal_data.py checks what is left of that person."""
    ben = repository.store_new_person("Benedikta", new_token(), 1.0)
    session = new_session(repository, "me", "open")
    save(repository, session, session.sit(ben.id, "Benedikta", ready=True, now=1.0))
    save(repository, session, session.ready(host_of(session), True, 2.0))
    save(repository, session, session.move(0, session.legal(0)[0], 0, now=3.0))
    save(repository, session, session.say(chat.validate_message(session, host_of(session), "words of another", 6.0)))
    bans.add_or_replace_ban(repository.engine, "person", str(ben.id), "rude", 1.0)
    erase_personal_data(repository.engine, ben.id)
    left = reload(repository, session.code)
    assert [said.text for said in left.chat] == ["words of another"]
    assert left.record.revision == session.record.revision + 1
    assert left.table(0).where == session.table(0).where
    # A bot may take the seat without a waiting time.
    save(repository, left, left.stand_in(host_of(left), 1, "low", LowBots(), 10.0))
    assert left.bot_task() is not None


# --- bans -------------------------------------------------------------------------------------------------------------


def test_bans_hold_until_they_expire_or_are_lifted(repository: Repository) -> None:
    engine = repository.engine
    bans.add_or_replace_ban(engine, "person", "7", "rude", 10.0, until=20.0)
    bans.add_or_replace_ban(engine, "address", "203.0.113.0/24", "a flood", 11.0)
    bans.add_or_replace_ban(engine, "address", "203.0.113.0/24", "a flood again", 12.0)
    assert [(one.value, one.reason) for one in bans.bans_in_force(engine, 15.0)] == [
        ("7", "rude"),
        ("203.0.113.0/24", "a flood again"),
    ]
    assert [one.value for one in bans.bans_in_force(engine, 20.0)] == ["203.0.113.0/24"]
    assert bans.remove_ban(engine, "address", "203.0.113.0/24")
    assert not bans.remove_ban(engine, "address", "203.0.113.0/24")
    assert bans.bans_in_force(engine, 20.0) == []


# --- retention --------------------------------------------------------------------------------------------------------


def test_retention_deletes_only_expired_matches_lobbies_and_people(repository: Repository) -> None:
    engine, now = repository.engine, 1000 * DAY
    finished, running, lobby = (
        running_session(repository),
        running_session(repository),
        new_session(repository, "me", "open"),
    )
    close_table(engine, finished.code, now - 10 * DAY)
    watcher = person(repository, "Watcher")
    repository.add_spectator(finished.code, watcher.id)
    fresh = repository.store_new_person("Fresh", new_token(), now - DAY)
    assert (
        count_expired(engine, RetentionPolicy(), now)
        == RetentionCounts()
        == delete_all_expired(engine, RetentionPolicy(), now)
    )
    assert count_expired(engine, RetentionPolicy(11, 0, 0), now) == RetentionCounts()
    keeping = RetentionPolicy(9, 7, 30)
    assert count_expired(engine, keeping, now) == RetentionCounts(1, 1, 1)
    # Of four players and spectators, one still plays; the other three are deleted once no table refers to them.
    assert delete_all_expired(engine, keeping, now) == RetentionCounts(1, 1, 3)
    assert [repository.load(one.code) is None for one in (finished, running, lobby)] == [True, False, True]
    assert find_person_ids(engine, str(host_of(running))) == [host_of(running)]
    assert find_person_ids(engine, "Fresh") == [fresh.id]
    assert find_person_ids(engine, "Watcher") == []
    assert delete_expired_batch(engine, keeping, now) == RetentionCounts()


def before_deletion(engine: Engine, deleted: sa.Table, change: sa.Executable) -> None:
    """Execute a change once, between the selection and the deletion of old rows of a table."""
    waiting = [change]

    @sa.event.listens_for(engine, "before_execute")
    def happens(connection: Connection, statement: Any, *_arguments: Any) -> None:
        if waiting and isinstance(statement, sa.Delete) and statement.table is deleted:
            connection.execute(waiting.pop())


def test_retention_keeps_rows_that_change_between_selection_and_deletion(repository: Repository) -> None:
    """A lobby starts, a person returns, and another one joins a table."""
    engine, now, (matches, people, seats) = repository.engine, 1000 * DAY, (schema.matches, schema.people, schema.seats)
    host = repository.store_new_person("Host", new_token(), now)
    lobby, other = new_session(repository, "me", "open", host=host), new_session(repository, "me", "open", host=host)
    began = sa.update(matches).where(matches.c.code == lobby.code).values(status="running", started=now)
    before_deletion(engine, matches, began)
    assert delete_expired_batch(engine, RetentionPolicy(lobby_days=7), now) == RetentionCounts(lobbies=1)
    assert repository.load(lobby.code) is not None, "a running match was deleted"
    assert repository.load(other.code) is None
    ada, _ben = person(repository, "Ada"), person(repository, "Ben")
    before_deletion(engine, people, sa.update(people).where(people.c.id == ada.id).values(seen=now))
    assert delete_expired_batch(engine, RetentionPolicy(people_days=30), now) == RetentionCounts(people=1)
    assert find_person_ids(engine, "Ada") == [ada.id], "a person who was there today was deleted"
    assert find_person_ids(engine, "Ben") == []
    ben = person(repository, "Ben")
    at_table = seats.c.match_id == sa.select(matches.c.id).where(matches.c.code == lobby.code).scalar_subquery()
    sits = sa.update(seats).where(at_table, seats.c.seat == 1).values(kind="person", name="Ben", person=ben.id)
    before_deletion(engine, people, sits)
    assert delete_expired_batch(engine, RetentionPolicy(people_days=30), now) == RetentionCounts()
    assert find_person_ids(engine, "Ben") == [ben.id]


def test_visit_extends_the_retention_of_a_person_and_is_recorded_once_a_day(repository: Repository) -> None:
    engine, ada = repository.engine, person(repository)
    mark_people_seen(engine, [ada.id], 100 * DAY)
    mark_people_seen(engine, [ada.id, 9999], 100.5 * DAY)
    assert data_for_operator(engine, ada.id)["seen"] == 100 * DAY
    assert count_expired(engine, RetentionPolicy(0, 0, 30), 129 * DAY) == RetentionCounts()
    assert count_expired(engine, RetentionPolicy(0, 0, 30), 131 * DAY) == RetentionCounts(0, 0, 1)


# --- the database -----------------------------------------------------------------------------------------------------


def test_database_with_another_schema_version_is_refused(url: str, open_repository: OpenRepository) -> None:
    repository = open_repository()
    with open_existing_engine(url) as engine, engine.connect() as connection:
        assert connection.scalar(sa.text("SELECT version_num FROM alembic_version")) == newest_schema_version()
    with repository.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="the database has schema 9999"), open_existing_engine(url):
        pass
    with pytest.raises(StoreError, match="newer version of Facedown"):
        Repository(url)


@pytest.mark.postgres
def test_empty_postgres_database_is_refused(postgres_url: str) -> None:
    with pytest.raises(StoreError, match="this is not a Facedown database"), open_existing_engine(postgres_url):
        pass
