"""Jobs for any process: claimed by one at a time, resumed after a crash, given up after some tries."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from facedown.store import Repository
from facedown.store.jobs import TRIES, Job
from tests.not_none import given
from tests.store.test_repository import new_session

KIND = "review"


@pytest.fixture
def match_id(repository: Repository) -> int:
    return new_match(repository)


def new_match(repository: Repository) -> int:
    return given(repository.table_id(new_session(repository).code))


def claimed(repository: Repository, owner: int = 1, lease: float = 60.0) -> Job:
    return given(repository.jobs.claim(KIND, owner, lease))


def test_job_is_queued_once_and_claimed_once(repository: Repository, match_id: int) -> None:
    jobs = repository.jobs
    assert [jobs.add(KIND, match_id, 0, "here") for _ in range(3)] == [True] * 3
    assert jobs.count_waiting_and_running(KIND) == jobs.count_waiting_and_running(KIND, "here") == 1
    assert jobs.count_waiting_and_running(KIND, "there") == 0
    job = claimed(repository)
    assert (job.match_id, job.seat, job.origin, job.tries) == (match_id, 0, "here", 1)
    assert jobs.claim(KIND, 2, 60.0) is None
    assert jobs.unclaimed_in_fair_order(KIND, 10) == []
    assert jobs.exists(KIND, match_id, 0)
    jobs.delete_finished(job)
    assert not jobs.exists(KIND, match_id, 0)
    assert not jobs.add(KIND, match_id + 100, 0), "of a match that there is not"


def test_concurrent_workers_claim_different_jobs(repository: Repository) -> None:
    numbers = [new_match(repository) for _ in range(12)]
    for number in numbers:
        repository.jobs.add(KIND, number, -1)
    with ThreadPoolExecutor(6) as threads:
        taken = list(threads.map(lambda at: repository.jobs.claim(KIND, at, 60.0), range(1, 19)))
    found = [job.match_id for job in taken if job is not None]
    assert len(found) == len(set(found)), "nothing is taken twice"
    while (job := repository.jobs.claim(KIND, 99, 60.0)) is not None:
        found.append(job.match_id)
    assert sorted(found) == numbers


def test_job_of_a_dead_worker_is_reclaimed_until_its_tries_run_out(
    repository: Repository, match_id: int, caplog: pytest.LogCaptureFixture
) -> None:
    jobs = repository.jobs
    jobs.add(KIND, match_id, 0)
    for tries in range(1, TRIES + 1):
        # The lease has already expired: its owner counts as dead.
        job = claimed(repository, owner=tries, lease=-1.0)
        assert job.tries == tries
    with caplog.at_level(logging.ERROR):
        assert jobs.claim(KIND, 9, 60.0) is None
    assert "seat 0 after 3 tries" in caplog.text
    assert not jobs.exists(KIND, match_id, 0)


def test_job_lease_is_renewed_and_returned_only_by_its_owner(repository: Repository, match_id: int) -> None:
    jobs = repository.jobs
    jobs.add(KIND, match_id, 0)
    job = claimed(repository, owner=1, lease=-1.0)
    assert jobs.renew_lease(job, 1, 60.0)
    assert jobs.claim(KIND, 2, 60.0) is None
    assert not jobs.renew_lease(job, 2, -1.0)
    jobs.give_back(job, 2)
    assert jobs.claim(KIND, 2, 60.0) is None
    jobs.give_back(job, 1)
    assert claimed(repository, owner=2).tries == 1, "what was given back does not count"


def test_failed_job_is_retried_and_finally_given_up_with_its_reason(
    repository: Repository, match_id: int, caplog: pytest.LogCaptureFixture
) -> None:
    jobs = repository.jobs
    jobs.add(KIND, match_id, 0)
    with caplog.at_level(logging.ERROR):
        given_up = [jobs.free_or_delete_failed(claimed(repository), 1, "ValueError: odd") for _ in range(TRIES)]
    assert given_up == [False] * (TRIES - 1) + [True]
    assert "ValueError: odd" in caplog.text
    assert jobs.count_waiting_and_running(KIND) == 0


def test_waiting_jobs_alternate_between_the_client_addresses_that_caused_them(repository: Repository) -> None:
    for origin, many in (("flood", 5), ("ada", 1), ("ben", 2)):
        for _ in range(many):
            repository.jobs.add(KIND, new_match(repository), 0, origin)
    waiting = [job.origin for job in repository.jobs.unclaimed_in_fair_order(KIND, 5)]
    assert waiting == ["flood", "ada", "ben", "flood", "ben"]


def test_saved_review_replaces_the_review_that_was_saved_earlier(repository: Repository, match_id: int) -> None:
    reviews = repository.reviews
    assert reviews.review_json(match_id, 0) is None
    reviews.store_review_json(match_id, 0, "first", 1.0)
    reviews.store_review_json(match_id, 0, "second", 2.0)
    reviews.store_review_json(match_id, -1, "of all", 3.0)
    assert (reviews.review_json(match_id, 0), reviews.review_json(match_id, -1)) == ("second", "of all")


def test_secret_key_for_one_purpose_is_the_same_for_all_repositories_of_a_database(
    open_repository: Callable[[], Repository],
) -> None:
    one, other = open_repository(), open_repository()
    assert one.shared_secret_key("origins") == other.shared_secret_key("origins") != one.shared_secret_key("others")
    assert len(one.shared_secret_key("origins")) == 32
