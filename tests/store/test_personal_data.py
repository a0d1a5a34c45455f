"""Key changes, data export and deletion of a person, on both kinds of database."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import sqlalchemy as sa

from facedown.play import new_table
from facedown.play.records import Change, ChatMessage, StoredMove, TableRecord
from facedown.store import Repository, StoreError, hash_token, schema
from facedown.store.personal_data import FORGOTTEN, data_for_person, erase_personal_data, rotate_browser_key, sign_out
from tests.not_none import given
from tests.play.table import LowBots


def table_with_person(repository: Repository, person: int, name: str, status: str, token: str) -> TableRecord:
    """Create a table with a person, Ben and a bot, and with a move and a chat message of the person."""
    seats = ["me", "open", "low"]
    made = new_table("detect", seats, LowBots(), 5.0, host=person, host_name=name, key_hash=hash_token(token))
    ben = repository.store_new_person("Ben", None, 1.0)
    seat = replace(made.seats[1], kind="person", name="Ben", person=ben.id)
    record = replace(made.with_seat(1, seat), status=status)
    repository.create(
        record, [] if status == "lobby" else [StoredMove(0, 1, 7, 6.0, "t"), StoredMove(1, 0, 3, 7.0, "u")]
    )
    repository.write(Change(replace(record, revision=1), said=ChatMessage(name, "my very own words", 8.0, 0)))
    return replace(record, revision=1)


def all_rows(repository: Repository) -> str:
    with repository.engine.connect() as connection:
        return "\n".join(
            str(row) for table in schema.metadata.sorted_tables for row in connection.execute(sa.select(table))
        )


def test_new_browser_key_invalidates_the_old_one_and_signing_out_invalidates_all_keys(repository: Repository) -> None:
    ada, ben = repository.store_new_person("Ada", "old key", 1.0), repository.store_new_person("Ben", "his key", 1.0)
    fresh = rotate_browser_key(repository.engine, ada.id)
    assert repository.people_by_browser_token(["old key", fresh, "his key"]) == {fresh: ada, "his key": ben}
    assert fresh not in all_rows(repository)
    sign_out(repository.engine, ada.id)
    assert repository.people_by_browser_token(["old key", fresh, "his key"]) == {"his key": ben}


@pytest.mark.parametrize("ask", [rotate_browser_key, sign_out, data_for_person, erase_personal_data])
def test_personal_data_functions_refuse_unknown_persons(repository: Repository, ask: object) -> None:
    with pytest.raises(StoreError, match="person 99 does not exist"):
        ask(repository.engine, 99)  # type: ignore[operator]


def test_data_export_contains_only_the_data_of_that_person(repository: Repository) -> None:
    ada = repository.store_new_person("Ada", "her key", 1.0)
    record = table_with_person(repository, ada.id, "Ada", "running", "seat key")
    other = table_with_person(
        repository, repository.store_new_person("Cleo", None, 1.0).id, "Cleo", "running", "another"
    )
    repository.add_spectator(other.code, ada.id)
    repository.write(Change(replace(other, revision=2), said=ChatMessage("Ada", "from the side", 9.0)))
    found = data_for_person(repository.engine, ada.id)
    json.dumps(found)
    assert (found["name"], found["created"], found["has_browser_key"]) == ("Ada", 1.0, True)
    assert [seat["code"] for seat in found["seats"]] == [record.code] == found["opened"]
    assert found["seats"][0]["moves"] == [{"action": 3, "at": 7.0}]
    assert found["seats"][0]["said"] == [{"text": "my very own words", "at": 8.0}]
    assert found["watched"] == [other.code]
    assert [word["text"] for word in found["said_while_watching"]] == ["from the side"]
    told = str(found)
    for secret in (record.seed.hex(), repr(record.seed), hash_token("her key"), hash_token("seat key"), "ply", "Cleo"):
        assert secret not in told


def test_deleted_person_leaves_no_name_key_or_chat(repository: Repository) -> None:
    ada = repository.store_new_person("Adalberta", "her key", 1.0)
    tables = {
        status: table_with_person(repository, ada.id, "Adalberta", status, f"key {status}")
        for status in ("lobby", "running", "finished")
    }
    other = table_with_person(
        repository, repository.store_new_person("Cleo", None, 1.0).id, "Cleo", "running", "another"
    )
    repository.add_spectator(other.code, ada.id)
    repository.write(Change(replace(other, revision=2), said=ChatMessage("Adalberta", "from the side", 9.0)))
    changed = dict(erase_personal_data(repository.engine, ada.id))
    assert changed == {record.code: 2 for record in tables.values()}
    left = all_rows(repository)
    for trace in (
        "Adalberta",
        hash_token("her key"),
        *(hash_token(f"key {status}") for status in tables),
        "from the side",
    ):
        assert trace not in left
    assert left.count("my very own words") == 1, "what Cleo said is hers"
    for status, record in tables.items():
        found = given(repository.load(record.code))
        seat, ben = found.record.seats[0], found.record.seats[1]
        assert (ben.name, ben.left, found.record.host) == ("Ben", False, None)
        assert len(found.moves) == (0 if status == "lobby" else 2)
        assert (seat.kind, seat.name, seat.person) == (
            ("open", "", None) if status == "lobby" else ("person", FORGOTTEN, None)
        )
        assert seat.left == (status != "lobby")
    assert repository.tables_of(ada.id) == []
    assert repository.store_new_person("Dora", None, 1.0).id != ada.id
    with pytest.raises(StoreError, match=f"person {ada.id} does not exist"):
        erase_personal_data(repository.engine, ada.id)


def test_write_based_on_a_table_loaded_before_a_person_was_deleted_is_a_conflict(repository: Repository) -> None:
    ada = repository.store_new_person("Ada", "her key", 1.0)
    record = table_with_person(repository, ada.id, "Ada", "running", "seat key")
    erase_personal_data(repository.engine, ada.id)
    assert repository.write_all([Change(replace(record, revision=2))])[0] is not None
    found = given(repository.load(record.code))
    assert found.record.seats[0].name == FORGOTTEN


def test_record_of_being_removed_from_a_table_is_exported_and_deleted_with_the_person(repository: Repository) -> None:
    ada, sol = repository.store_new_person("Ada", "a key", 1.0), repository.store_new_person("Sol", "his key", 1.0)
    table = table_with_person(repository, ada.id, "Ada", "lobby", "token")
    said = ChatMessage("Sol", "his very own words", 8.0, 2)
    repository.write(Change(replace(table, revision=2), said=said))
    removed = replace(table, revision=3, removed=((sol.id, "Sol"), (sol.id + 10, "Other")))
    repository.write(Change(removed))
    assert repository.load(table.code).record.removed == removed.removed  # type: ignore[union-attr]
    assert data_for_person(repository.engine, sol.id)["removed_from"] == [table.code]
    assert data_for_person(repository.engine, ada.id)["removed_from"] == []
    assert erase_personal_data(repository.engine, sol.id) == [(table.code, 4)]
    assert repository.load(table.code).record.removed == ((sol.id + 10, "Other"),)  # type: ignore[union-attr]
    assert "Sol" not in all_rows(repository)
    assert "his very own words" not in all_rows(repository)


def test_chat_stays_with_its_author_after_seat_changes(repository: Repository) -> None:
    ada = repository.store_new_person("Ada", "a key", 1.0)
    table = table_with_person(repository, ada.id, "Ada", "lobby", "token")
    hers, his, bots = table.seats
    repository.write(Change(replace(table, revision=2, seats=(his, bots))))
    repository.write(Change(replace(table, revision=3, seats=(his, hers, bots, bots))))
    loaded = given(repository.load(table.code))
    assert loaded.record.seats == (his, hers, bots, bots)
    words = data_for_person(repository.engine, ada.id)["seats"][0]["said"]
    assert [one["text"] for one in words] == ["my very own words"]
    erase_personal_data(repository.engine, ada.id)
    assert "my very own words" not in all_rows(repository)
