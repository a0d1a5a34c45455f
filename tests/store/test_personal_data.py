"""Key changes, data export and deletion of a person, on both kinds of database."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from facedown.play import new_table
from facedown.play.records import Change, ChatMessage, StoredMove, TableRecord
from facedown.server.process.logs import exception_lines
from facedown.store import Repository, StoreError, hash_token, schema
from facedown.store.personal_data import (
    FORGOTTEN,
    data_for_operator,
    data_for_person,
    erase_personal_data,
    rotate_browser_key,
    sign_out,
)
from facedown.store.retention import DAY, RetentionCounts, RetentionPolicy, delete_all_expired
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


NEW_TABLES = (
    schema.push_subscriptions,
    schema.notices,
    schema.device_tokens,
    schema.device_links,
    schema.invitations,
    schema.invite_mutes,
)
ENDPOINT, SECRET, DEVICE, LINK = "https://push.example/endpoint", "its-p256dh-or-auth", "device-hash", "link-hash"


def add_newest_data(repository: Repository, ada: int, ben: int, number: int) -> None:
    """Store a browser with a notice, another browser, a link, and invitations and mutes in both directions for Ada."""
    browser = {"endpoint": ENDPOINT, "p256dh": SECRET, "auth": SECRET, "language": "de", "zone": "Europe/Berlin"}
    notice = {"match_id": number, "kind": "turn", "turn": 4711, "due": 20.0, "until": 30.0}
    with repository.engine.begin() as connection:
        added = connection.execute(sa.insert(schema.push_subscriptions).values(person=ada, created=11.0, **browser))
        notice |= {"subscription": given(added.inserted_primary_key)[0]}
        connection.execute(sa.insert(schema.notices).values(notice))
        connection.execute(sa.insert(schema.device_tokens).values(token_hash=DEVICE, person=ada, created=12.0))
        connection.execute(sa.insert(schema.device_links).values(token_hash=LINK, person=ada, until=600.0))
        for one, other, name in ((ada, ben, "Benedict"), (ben, ada, "Adalberta")):
            invitation = {"match_id": number, "person": one, "inviter": other, "name": name, "created": 13.0}
            connection.execute(sa.insert(schema.invitations).values(invitation))
            mute = {"person": one, "muted": other, "name": name, "created": 14.0}
            connection.execute(sa.insert(schema.invite_mutes).values(mute))


def row_counts(repository: Repository) -> list[int]:
    with repository.engine.connect() as connection:
        return [connection.scalars(sa.select(sa.func.count()).select_from(table)).one() for table in NEW_TABLES]


@pytest.mark.parametrize("status", ["lobby", "running", "finished"])
def test_notices_browsers_invitations_and_mutes_are_exported_without_secrets_and_erased(
    status: str, repository: Repository
) -> None:
    ada = repository.store_new_person("Adalberta", "her key", 1.0).id
    ben = repository.store_new_person("Benedict", None, 1.0).id
    record = table_with_person(repository, ada, "Adalberta", status, "seat key")
    vapid = repository.shared_secret_key("vapid").hex()
    add_newest_data(repository, ada, ben, given(repository.table_id(record.code)))
    for export in (data_for_person, data_for_operator):
        found = export(repository.engine, ada)
        assert {name: found[name] for name in ("browsers_with_notices", "notices", "invitations", "muted")} == {
            "browsers_with_notices": [{"language": "de", "zone": "Europe/Berlin", "created": 11.0}],
            "notices": [{"code": record.code, "kind": "turn", "until": 30.0}],
            "invitations": [{"code": record.code, "created": 13.0, "name": "Benedict"}],
            "muted": [{"name": "Benedict", "created": 14.0}],
        }
        assert found["other_browsers"] == [{"created": 12.0}]
        assert found["links_to_add_browsers"] == [{"until": 600.0}]
        assert found["invited"] == [{"code": record.code, "created": 13.0}]
        for secret in (ENDPOINT, SECRET, DEVICE, LINK, "4711", vapid):
            assert secret not in json.dumps(found)
        theirs = json.dumps(export(repository.engine, ben))
        assert not any(word in theirs for word in ("Berlin", "600.0", "12.0"))
    assert row_counts(repository) == [1, 1, 1, 1, 2, 2]
    erase_personal_data(repository.engine, ada)
    assert row_counts(repository) == [0] * 6
    left = all_rows(repository)
    assert not any(trace in left for trace in ("Adalberta", ENDPOINT, SECRET, DEVICE, LINK))


def test_retention_deletes_expired_links_and_notices_and_all_rows_of_a_deleted_person(repository: Repository) -> None:
    ada = repository.store_new_person("Ada", "her key", 1.0).id
    ben = repository.store_new_person("Ben", "his key", 60 * DAY).id
    record = table_with_person(repository, ben, "Ben", "lobby", "seat key")
    number = given(repository.table_id(record.code))
    add_newest_data(repository, ada, ben, number)
    now, policy = 30.0 + DAY, RetentionPolicy()
    assert delete_all_expired(repository.engine, policy, 600.0) == RetentionCounts()
    assert row_counts(repository) == [1, 1, 1, 1, 2, 2]
    delete_all_expired(repository.engine, policy, now)
    assert row_counts(repository) == [1, 1, 1, 0, 2, 2]
    delete_all_expired(repository.engine, policy, now + 1)
    assert row_counts(repository) == [1, 0, 1, 0, 2, 2]
    assert delete_all_expired(repository.engine, RetentionPolicy(people_days=1), 2 * DAY + 1).people == 1
    assert row_counts(repository) == [0] * 6


def test_error_of_a_statement_is_logged_without_the_address_of_a_browser(repository: Repository) -> None:
    ada = repository.store_new_person("Ada", "her key", 1.0).id
    browser = {"person": ada, "endpoint": ENDPOINT, "p256dh": SECRET, "auth": SECRET, "language": "en", "zone": "UTC"}
    twice = sa.insert(schema.push_subscriptions).values([browser | {"created": 1.0}] * 2)
    with repository.engine.connect() as connection, pytest.raises(SQLAlchemyError) as wrong:
        connection.execute(twice)
    lines = "\n".join(exception_lines(wrong.value))
    assert "IntegrityError: conflict" in lines
    assert ENDPOINT not in lines
    assert SECRET not in lines
