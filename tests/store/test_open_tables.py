"""Open tables in the database: the list, kept seats, and the line of those who look for a seat."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import sqlalchemy as sa

from facedown.play import Change, Settings, TableRecord, new_table
from facedown.play.open_tables import list_table
from facedown.play.seat_search import Pace
from facedown.store import Repository, blocks, schema
from facedown.store import open_tables as store
from facedown.store.open_tables import MAX_MISSES, OFFER_TIME
from tests.not_none import given
from tests.play.table import LowBots
from tests.store.test_repository import new_session, person, save

OpenRepository = Callable[[], Repository]
NOW = 1000.0


def listed_table(repository: Repository, *kinds: str, until: float = NOW + 60, name: str = "Ada") -> TableRecord:
    session = new_session(repository, *(kinds or ("me", "open")), host=person(repository, name))
    save(repository, session, list_table(session, session.record.host, True))
    store.keep_listed(repository.engine, [given(repository.table_id(session.code))], until)
    return session.record


def opened_table(game: str, pace: Pace) -> TableRecord:
    settings = Settings(clock=60)
    return replace(new_table(game, ["open", "open"], LowBots(), NOW, host=None, settings=settings), listed=True)


def seek(repository: Repository, name: str = "Ben", kind: str = "seat", now: float = NOW, **more: object) -> int:
    number = person(repository, name).id
    values = {"games": ["detect"], "pace": "any", "origin": "here", "now": now, "until": now + 100} | more
    store.start_search(repository.engine, number, kind, **values)  # type: ignore[arg-type]
    return number


def offers(repository: Repository, now: float = NOW) -> int:
    return store.offer_seats(repository.engine, now, opened_table)


def offer_of(repository: Repository, number: int, now: float = NOW) -> str:
    found = store.searches_of(repository.engine, number, now)
    return found["seat"].offer if "seat" in found else "none"


def codes(repository: Repository, now: float = NOW) -> list[str]:
    return [one.record.code for one in store.listed_tables(repository.engine, now)]


def test_a_table_is_listed_while_its_host_keeps_it_listed(open_repository: OpenRepository) -> None:
    repository = open_repository()
    new_session(repository, "me", "open")
    record = listed_table(repository)
    assert codes(repository) == [record.code]
    assert codes(repository, NOW + 61) == []
    number = given(repository.table_id(record.code))
    store.keep_listed(repository.engine, [number], NOW + 120)
    store.keep_listed(repository.engine, [number], NOW + 90)
    assert codes(repository, NOW + 119) == [record.code], "an earlier time changes nothing"
    session = given(repository.load(record.code))
    repository.write(Change(replace(session.record, listed=False, revision=session.record.revision + 1)))
    assert codes(repository) == []
    store.keep_listed(repository.engine, [number], NOW + 500)
    assert store.count_listed(repository.engine, NOW, host=record.host) == 0


def test_tables_with_the_fewest_free_seats_come_first_then_the_newest(open_repository: OpenRepository) -> None:
    repository = open_repository()
    three = listed_table(repository, "me", "open", "open", "open", name="Cleo")
    one, newer = listed_table(repository, name="Ada"), listed_table(repository, name="Ben")
    assert codes(repository) == [newer.code, one.code, three.code]
    seeker = seek(repository)
    assert offers(repository) == 1
    assert offer_of(repository, seeker) == newer.code
    kept = {table.record.code: table.free for table in store.listed_tables(repository.engine, NOW)}
    assert kept == {newer.code: 0, one.code: 1, three.code: 3}
    number = given(repository.table_id(newer.code))
    assert store.seats_kept_for_others(repository.engine, number, seeker, NOW) == 0
    assert store.seats_kept_for_others(repository.engine, number, seeker + 1, NOW) == 1
    assert store.seats_kept_for_others(repository.engine, number, seeker + 1, NOW + OFFER_TIME + 1) == 0


def test_a_seat_that_is_not_taken_goes_to_the_next_in_line(open_repository: OpenRepository) -> None:
    repository = open_repository()
    record = listed_table(repository, until=NOW + 9999)
    first, second = seek(repository, "Ben", until=NOW + 9999), seek(repository, "Cleo", now=NOW + 1, until=NOW + 9999)
    assert offers(repository, NOW + 1) == 1
    assert offers(repository, NOW + 2) == 0
    assert [offer_of(repository, one, NOW + 2) for one in (first, second)] == [record.code, ""]
    later = NOW + 2 + OFFER_TIME
    assert offers(repository, later) == 1
    assert [offer_of(repository, one, later) for one in (first, second)] == ["", record.code]
    store.stop_search(repository.engine, second, "seat")
    for missed in range(2, MAX_MISSES + 1):
        assert offers(repository, later) == 1, f"offer {missed}"
        assert offer_of(repository, first, later) == record.code
        later += OFFER_TIME + 1
    assert offers(repository, later) == 0
    assert store.searches_of(repository.engine, first, later) == {}, "the search ends after three offers"


def test_two_seekers_get_a_table_of_their_own_in_one_transaction(open_repository: OpenRepository) -> None:
    repository = open_repository()
    first, second = seek(repository, "Ben"), seek(repository, "Cleo", now=NOW + 1)
    assert offers(repository, NOW + 1) == 2
    code = offer_of(repository, first, NOW + 2)
    assert code == offer_of(repository, second, NOW + 2)
    assert given(repository.load(code)).record.listed
    assert codes(repository, NOW + 2) == [], "it is not in the list before a host sits there"


def test_a_notice_is_given_once_and_searches_end(open_repository: OpenRepository) -> None:
    repository = open_repository()
    reader = seek(repository, "Ben", "notice", until=NOW + 5000)
    assert offers(repository) == 0
    record = listed_table(repository, until=NOW + 9999)
    assert offers(repository, NOW + 1) == 1
    assert store.searches_of(repository.engine, reader, NOW + 1)["notice"].offer == record.code
    offers(repository, NOW + 2 + OFFER_TIME)
    assert store.searches_of(repository.engine, reader, NOW + 2 + OFFER_TIME) == {}
    ended = seek(repository, "Cleo", until=NOW + 10)
    assert offers(repository, NOW + 11) == 0
    assert store.searches_of(repository.engine, ended, NOW + 11) == {}
    assert store.count_searches(repository.engine, NOW) == 0


def test_blocked_persons_are_offered_no_seat_together(open_repository: OpenRepository) -> None:
    repository = open_repository()
    record = listed_table(repository)
    seeker = seek(repository)
    blocks.block(repository.engine, given(record.host), seeker, "Ben", NOW)
    assert offers(repository) == 0
    blocks.unblock(repository.engine, given(record.host), seeker)
    assert offers(repository) == 1


def test_processes_that_offer_at_the_same_time_offer_each_seat_once(open_repository: OpenRepository) -> None:
    repository, other = open_repository(), open_repository()
    for number in range(6):
        listed_table(repository, name=f"Host {number}")
    seekers = [seek(repository, f"Seeker {number}", until=NOW + 500) for number in range(9)]
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda where=where: found.append(offers(where))) for where in (repository, other) * 3
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with repository.engine.connect() as connection:
        kept = connection.scalars(sa.select(schema.seekers.c.offer).where(schema.seekers.c.offer.is_not(None))).all()
    tables = {number for number in kept if kept.count(number) == 1}
    assert len(tables) >= 6
    # Of the nine, six get the free seats. The others get tables of their own, two at each.
    assert sum(found) == len(kept) == 8
    assert sorted(kept.count(number) for number in set(kept)) == [1] * 6 + [2]
    assert sum(offer_of(repository, one) != "" for one in seekers) == 8
