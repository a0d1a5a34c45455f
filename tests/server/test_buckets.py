"""How often somebody may do something, and that nobody gets around it."""

from __future__ import annotations

import math

from facedown.server.process.rate_limit import CROWD, Bucket, Buckets, Turnstile
from tests.clock import ManualClock


def test_buckets_fill_again() -> None:
    clock = ManualClock(0.0)
    bucket = Bucket(2, 0.5, clock)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    assert bucket.wait() == 2.0
    clock.advance(2)
    assert bucket.wait() == 0.0
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.advance(1e6)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    assert Bucket(0, 0.0, clock).wait() == math.inf


def test_only_a_full_bucket_is_forgotten() -> None:
    """Whoever was refused is not let in again because thousands of others came."""
    clock = ManualClock(0.0)
    buckets = Buckets(2, 1 / 60, kept=100, clock=clock)
    assert [buckets.take("eve") for _ in range(3)] == [True, True, False]
    for number in range(1000):
        buckets.take(f"address {number}")
    assert not buckets.take("eve")
    assert len(buckets) <= 100
    clock.advance(121)
    assert [buckets.take("eve") for _ in range(3)] == [True, True, False]
    for number in range(100):
        buckets.take(f"another {number}")
    assert len(buckets) <= 100


def test_a_crowd_that_cannot_be_told_apart_shares_one_bucket() -> None:
    buckets = Buckets(1, 0.0, kept=10, clock=ManualClock(0.0))
    taken = sum(buckets.take(f"address {number}") for number in range(1000))
    assert taken == 10 + CROWD
    assert buckets.wait("somebody new") == math.inf


def test_buckets_that_are_full_again_take_no_room() -> None:
    clock = ManualClock(0.0)
    buckets = Buckets(1, 1.0, clock=clock)
    for number in range(1000):
        buckets.take(f"address {number}")
    clock.advance(10)
    for number in range(400):
        buckets.take(f"later {number}")
        clock.advance(2)
    assert len(buckets) < 10


def test_so_many_at_the_same_time() -> None:
    turnstile = Turnstile(2)
    assert [turnstile.enter("ada") for _ in range(3)] == [True, True, False]
    assert turnstile.enter("ben")
    turnstile.leave("ada")
    with turnstile.through("ada") as may:
        assert may
        with turnstile.through("ada") as again:
            assert not again
    assert turnstile.inside("ada") == 1
    turnstile.leave("ada")
    turnstile.leave("ben")
    assert len(turnstile) == 0
