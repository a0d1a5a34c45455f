"""The queue of notices: planned once, claimed once, tried three times; and the browsers that get them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest
import sqlalchemy as sa

from facedown.play import Session, Settings, chat
from facedown.play.new_tables import new_table
from facedown.play.notice_times import NOTICE_DELAY
from facedown.store import Repository, notices, schema
from facedown.store.notices import RETRY_AFTER, TRIES, Notice
from facedown.store.open_tables import start_search
from facedown.store.push_subscriptions import (
    MAX_FAILURES,
    MAX_SUBSCRIPTIONS,
    BrowserKeys,
    delete_subscription,
    store_subscription,
)
from tests.play.table import LowBots
from tests.store.test_repository import person, save

OpenRepository = Callable[[], Repository]
DAY = 86_400.0
#: A Unix time at noon in UTC.
NOON = 1_790_000_000.0 // DAY * DAY + DAY / 2
#: Time at which the first notice of a turn that began at noon is due, with the time for the animation of the deal.
DUE = NOON + NOTICE_DELAY + 15


def browser(name: str) -> BrowserKeys:
    return BrowserKeys(f"https://push.test/{name}", "key", "auth")


def subscribe(repository: Repository, number: int, name: str, now: float = NOON, replaces: str = "") -> None:
    store_subscription(repository.engine, number, browser(name), "en", "UTC", now, replaces)


def slow_session(repository: Repository, name: str = "Ada", clock: int = 86_400) -> tuple[Session, int]:
    """Return a running match against a bot, in which the person is to act, and the id of the person."""
    host = person(repository, name)
    settings = Settings(clock=clock)
    record = new_table("detect", ("me", "low"), LowBots(), NOON, host=host.id, host_name=host.name, settings=settings)
    repository.create(record)
    session = Session(record)
    save(repository, session, session.ready(host.id, True, NOON))
    return session, host.id


def move(repository: Repository, session: Session, now: float, seat: int = 0) -> None:
    """Play the first legal move of a seat."""
    save(repository, session, session.move(seat, session.legal(seat)[0], session.version(seat), now=now))


def acting(session: Session) -> list[int]:
    return [] if session.dealt_match.over else [seat for seat in (0, 1) if session.legal(seat)]


def count_subscriptions(repository: Repository, number: int) -> int:
    """Return the number of browsers of a person that get notices."""
    theirs = schema.push_subscriptions.c.person == number
    with repository.engine.connect() as connection:
        return int(connection.scalar(sa.select(sa.func.count()).where(theirs)) or 0)


def claim(repository: Repository, now: float = DUE, most: int = 100) -> list[Notice]:
    repository.notices.plan(now)
    return repository.notices.claim(repository.processes.id, now, most)


def endpoints(found: Sequence[Notice]) -> list[str]:
    return sorted(one.subscription.endpoint.rsplit("/", 1)[1] for one in found)


def rows(repository: Repository) -> int:
    with repository.engine.connect() as connection:
        return int(connection.scalar(sa.select(sa.func.count()).select_from(schema.notices)) or 0)


def test_a_turn_is_planned_once_and_claimed_once(open_repository: OpenRepository) -> None:
    one, two = open_repository(), open_repository()
    _session, ada = slow_session(one)
    subscribe(one, ada, "a")
    subscribe(one, ada, "b")
    for repository in (one, two, one):
        repository.notices.plan(NOON)
    assert rows(one) == 4, "for each browser one of the turn and a last one"
    assert claim(one, NOON) == []
    assert endpoints(claim(one)) == ["a", "b"]
    assert claim(two) == []


def test_many_processes_claim_each_notice_once(open_repository: OpenRepository) -> None:
    repositories = [open_repository() for _ in range(4)]
    for number in range(20):
        _session, ada = slow_session(repositories[0], f"Ada {number}")
        subscribe(repositories[0], ada, f"{number}")
    claimed: list[Notice] = []

    def work(repository: Repository) -> None:
        for _ in range(8):
            claimed.extend(claim(repository, most=3))

    threads = [threading.Thread(target=work, args=(repository,)) for repository in repositories]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert endpoints(claimed) == sorted(str(number) for number in range(20))


def test_a_sent_notice_is_not_sent_again_and_the_next_turn_has_another(open_repository: OpenRepository) -> None:
    repository = open_repository()
    session, ada = slow_session(repository)
    subscribe(repository, ada, "a")
    (first,) = claim(repository)
    repository.notices.mark_sent(first, repository.processes.id)
    assert claim(repository, DUE + 1000) == []
    while 0 in acting(session):
        move(repository, session, DUE + 1000)
    while 1 in acting(session):
        move(repository, session, DUE + 1000, 1)
    assert claim(repository, DUE + 1001) == []
    (second,) = claim(repository, DUE + 1100)
    assert (second.kind, second.turn > first.turn) == ("turn", True)
    # The result of the first comes late: it must not mark the second as sent.
    repository.notices.mark_sent(first, repository.processes.id)
    repository.notices.mark_failed(second, repository.processes.id, DUE + 1100)
    assert [one.turn for one in claim(repository, DUE + 1101 + RETRY_AFTER)] == [second.turn]


def test_a_notice_of_a_turn_that_was_taken_is_not_sent(open_repository: OpenRepository) -> None:
    repository = open_repository()
    session, ada = slow_session(repository)
    subscribe(repository, ada, "a")
    repository.notices.plan(NOON)
    while 0 in acting(session):
        move(repository, session, NOON + 5)
    # Not planned again: even then, the claim looks at the table of now.
    assert repository.notices.claim(1, DUE, 10) == []
    assert rows(repository) == 1, "only the last notice is left, until the table is planned again"
    repository.notices.plan(DUE)
    assert rows(repository) == 0


def test_a_change_within_the_same_turn_gives_no_second_notice(open_repository: OpenRepository) -> None:
    repository = open_repository()
    session, ada = slow_session(repository)
    subscribe(repository, ada, "a")
    (first,) = claim(repository)
    repository.notices.mark_sent(first, repository.processes.id)
    save(repository, session, session.say(chat.validate_message(session, ada, "Hello", DUE)))
    assert claim(repository, DUE + 2000) == []


def test_a_notice_is_tried_three_times_and_a_dead_browser_is_deleted(open_repository: OpenRepository) -> None:
    repository = open_repository()
    session, ada = slow_session(repository)
    subscribe(repository, ada, "a")
    now, me = DUE, repository.processes.id
    for number in range(1, MAX_FAILURES + 1):
        for tried in range(TRIES):
            (notice,) = claim(repository, now)
            assert notice.tries == tried + 1
            repository.notices.mark_failed(notice, me, now)
            now += RETRY_AFTER * TRIES
        assert claim(repository, now) == []
        assert count_subscriptions(repository, ada) == (number < MAX_FAILURES)
        for seat in (0, 1):
            while seat in acting(session):
                move(repository, session, now, seat)
        now += NOTICE_DELAY + 15


def test_an_expired_lease_frees_a_notice_of_a_dead_process(
    open_repository: OpenRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = open_repository()
    _session, ada = slow_session(repository)
    subscribe(repository, ada, "a")
    monkeypatch.setattr(notices, "LEASE", -1.0)
    for tried in range(1, TRIES + 1):
        assert [one.tries for one in claim(repository)] == [tried]
    assert claim(repository) == [], "a notice that kills every process is not tried for ever"


def test_a_notice_that_failed_in_the_evening_is_not_tried_at_night(open_repository: OpenRepository) -> None:
    repository = open_repository()
    _session, ada = slow_session(repository)
    subscribe(repository, ada, "a")
    evening = NOON + 10 * 3600.0 - 10
    (notice,) = claim(repository, evening)
    repository.notices.mark_failed(notice, repository.processes.id, evening)
    assert claim(repository, evening + RETRY_AFTER) == []
    assert claim(repository, NOON + 19 * 3600.0) == []
    (again,) = claim(repository, NOON + 20 * 3600.0)
    assert (again.kind, again.tries) == ("turn", 2)
    assert rows(repository) == 2


def test_working_browsers_come_before_those_that_never_answered(open_repository: OpenRepository) -> None:
    repository = open_repository()
    _session, ada = slow_session(repository)
    for name in ("a", "b", "c"):
        subscribe(repository, ada, name)
    with repository.engine.begin() as connection:
        works = schema.push_subscriptions.c.endpoint == browser("c").endpoint
        connection.execute(sa.update(schema.push_subscriptions).where(works).values(failures=0))
    assert endpoints(claim(repository, most=1)) == ["c"]


def test_a_seat_that_two_processes_saw_at_the_same_time_gives_one_notice(open_repository: OpenRepository) -> None:
    repository = open_repository()
    _session, ada = slow_session(repository)
    subscribe(repository, ada, "a")
    start_search(repository.engine, ada, "notice", ["detect"], "any", "", NOON, NOON + DAY)
    with repository.engine.begin() as connection:
        offer = {"offer": repository.table_id(_session.code), "offer_until": NOON + 60}
        connection.execute(sa.update(schema.seekers).values(offer))
        (row,) = notices._missing_seat_notices(connection, NOON)
    (notice,) = claim(repository, NOON)
    repository.notices.mark_sent(notice, repository.processes.id)
    with repository.engine.begin() as connection:
        # The other process has read the same, and writes after the notice was sent.
        notices._store_notice(connection, row)
    assert claim(repository, NOON) == []
    with repository.engine.begin() as connection:
        connection.execute(sa.update(schema.seekers).values(offer_until=NOON + 150))
    assert {one.kind for one in claim(repository, NOON + 100)} == {"seat", "turn"}, "a new offer has its own notice"


def test_a_person_has_few_browsers_and_an_address_belongs_to_one_person(open_repository: OpenRepository) -> None:
    repository = open_repository()
    _session, ada = slow_session(repository)
    ben = person(repository, "Ben").id
    for number in range(MAX_SUBSCRIPTIONS + 2):
        subscribe(repository, ada, f"{number}", NOON + number)
    assert count_subscriptions(repository, ada) == MAX_SUBSCRIPTIONS
    assert endpoints(claim(repository)) == [str(number + 2) for number in range(MAX_SUBSCRIPTIONS)]
    subscribe(repository, ben, "6")
    assert count_subscriptions(repository, ada) == MAX_SUBSCRIPTIONS - 1
    delete_subscription(repository.engine, ada, browser("6").endpoint)
    assert count_subscriptions(repository, ben) == 1
    subscribe(repository, ada, "new", replaces=browser("6").endpoint)
    assert count_subscriptions(repository, ben) == 1, "a person cannot replace the browser of another"
    subscribe(repository, ada, "newer", replaces=browser("new").endpoint)
    assert count_subscriptions(repository, ada) == MAX_SUBSCRIPTIONS


def test_a_new_browser_gets_the_notice_of_a_turn_that_began_before(open_repository: OpenRepository) -> None:
    repository = open_repository()
    _session, ada = slow_session(repository)
    subscribe(repository, ada, "a")
    assert endpoints(claim(repository)) == ["a"]
    subscribe(repository, ada, "b")
    assert endpoints(claim(repository)) == ["b"]


def test_fast_tables_and_unreadable_tables_do_not_stop_the_others(open_repository: OpenRepository) -> None:
    repository = open_repository()
    fast, ada = slow_session(repository, clock=60)
    broken, ben = slow_session(repository, "Ben")
    _session, cleo = slow_session(repository, "Cleo")
    for number, name in ((ada, "a"), (ben, "b"), (cleo, "c")):
        subscribe(repository, number, name)
    repository.notices.plan(NOON)
    with repository.engine.begin() as connection:
        this = schema.matches.c.code == broken.code
        connection.execute(sa.update(schema.matches).where(this).values(clocks="{"))
    assert endpoints(claim(repository)) == ["c"]
    assert fast.record.clocks[0].since is not None
