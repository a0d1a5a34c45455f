"""Links and tokens for further browsers, and a person's finished matches and results, on both kinds of database."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
import sqlalchemy as sa

from facedown.play import new_table
from facedown.play.records import Agreements, Seat
from facedown.store import Repository, devices, outcomes, schema
from facedown.store.outcomes import FinishedMatch, Tally, count_results
from facedown.store.personal_data import find_person_ids, rotate_browser_key, sign_out
from tests.not_none import given
from tests.play.table import LowBots

KEY, OTHER_KEY = "a" * 43, "b" * 43
LEVELS = ("low", "mid", "high")


def link_of(repository: Repository, person: int, now: float = 0.0, key: str = KEY) -> str:
    return given(devices.create_device_link(repository.engine, person, key, now))


def test_link_works_once_and_for_ten_minutes_and_replaces_an_older_one(repository: Repository) -> None:
    engine, ada = repository.engine, repository.store_new_person("Ada", KEY, 1.0)
    ben = repository.store_new_person("Ben", OTHER_KEY, 1.0)
    old, bens = link_of(repository, ada.id), link_of(repository, ben.id, key=OTHER_KEY)
    link = link_of(repository, ada.id)
    assert [devices.person_of_device_link(engine, one, 599.9) for one in (old, link, bens)] == [None, ada, ben]
    assert devices.person_of_device_link(engine, link, 600.0) is None
    assert devices.use_device_link(engine, link, 600.0) is None
    token = given(devices.use_device_link(engine, link, 599.9))
    assert devices.person_of_device_link(engine, link, 1.0) is None
    assert devices.use_device_link(engine, link, 1.0) is None
    assert repository.people_by_browser_token([KEY, token, OTHER_KEY, link]) == {KEY: ada, token: ada, OTHER_KEY: ben}
    assert find_person_ids(engine, token) == [ada.id]
    with engine.connect() as connection:
        for table in (schema.device_links, schema.device_tokens):
            stored = str(connection.execute(sa.select(table)).all())
            assert not any(secret in stored for secret in (link, bens, token)), table.name


def test_one_of_several_browsers_that_use_a_link_at_the_same_time_gets_a_token(repository: Repository) -> None:
    ada, start = repository.store_new_person("Ada", KEY, 1.0), Barrier(4)
    link = link_of(repository, ada.id)

    def use(_number: int) -> str | None:
        start.wait()
        return devices.use_device_link(repository.engine, link, 1.0)

    with ThreadPoolExecutor(4) as threads:
        tokens = [token for token in threads.map(use, range(4)) if token]
    assert list(repository.people_by_browser_token(tokens).values()) == [ada]
    with repository.engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(schema.device_tokens)) == 1


@pytest.mark.parametrize("revoke", [rotate_browser_key, sign_out])
def test_signing_out_or_a_new_key_revokes_all_browsers_and_links_of_the_person(
    revoke: Callable[..., object], repository: Repository
) -> None:
    engine, ada = repository.engine, repository.store_new_person("Ada", KEY, 1.0)
    ben = repository.store_new_person("Ben", OTHER_KEY, 1.0)
    token = given(devices.use_device_link(engine, link_of(repository, ada.id), 1.0))
    bens = given(devices.use_device_link(engine, link_of(repository, ben.id, key=OTHER_KEY), 1.0))
    link = link_of(repository, ada.id, key=token)
    revoke(engine, ada.id)
    assert repository.people_by_browser_token([KEY, token, bens, OTHER_KEY]) == {bens: ben, OTHER_KEY: ben}
    assert devices.use_device_link(engine, link, 1.0) is None
    # A request of a browser that was signed out meanwhile makes no link.
    for key in (KEY, token, OTHER_KEY, bens):
        assert devices.create_device_link(engine, ada.id, key, 1.0) is None


def test_deleting_the_token_of_a_further_browser_keeps_the_others(repository: Repository) -> None:
    engine, ada = repository.engine, repository.store_new_person("Ada", KEY, 1.0)
    tokens = [given(devices.use_device_link(engine, link_of(repository, ada.id), 1.0)) for _ in range(2)]
    assert [devices.delete_device_token(engine, token) for token in (KEY, tokens[0], tokens[0])] == [False, True, False]
    assert repository.people_by_browser_token([KEY, *tokens]) == {KEY: ada, tokens[1]: ada}


# --- finished matches -------------------------------------------------------------------------------------------------


def finish(repository: Repository, ended: float, *seats: Seat, resigned: tuple[int, ...] = ()) -> int:
    """Store a match that ended at this time, with these seats, and return its database id."""
    made = new_table("detect", ["low"] * len(seats), LowBots(), 1.0, host=None)
    record = replace(made, seats=seats, status="finished", finished=ended, agreements=Agreements(resigned=resigned))
    repository.create(record)
    return given(repository.table_id(record.code))


def test_finished_matches_of_a_person_are_read_newest_first_with_the_stored_outcomes(repository: Repository) -> None:
    ada, ben = (repository.store_new_person(name, None, 1.0).id for name in ("Ada", "Ben"))
    hers, his = Seat("person", "Ada", ada), Seat("person", "Ben", ben, left=True)
    low, high = Seat("bot", "Wren", level="low"), Seat("bot", "Lark", level="high")
    bots = finish(repository, 30.0, low, hers, high)
    shared = finish(repository, 50.0, replace(hers, since=4, bot_name="Wren"), his, low, resigned=(0,))
    broken = finish(repository, 70.0, hers, low)
    finish(repository, 40.0, his, low)
    running = finish(repository, 0.0, hers, low)
    outcomes.store_outcomes(repository.engine, {bots: (1, 2), broken: (0,), 9999: (0,)})
    outcomes.store_outcomes(repository.engine, {bots: (1, 2), broken: (0,)})
    outcomes.store_outcomes(repository.engine, {bots: ()})
    repository.reviews.store_review_json(bots, 1, "{}", 1.0)
    repository.reviews.store_review_json(shared, 1, "{}", 1.0)
    matches = schema.matches
    with repository.engine.begin() as connection:
        connection.execute(sa.update(matches).where(matches.c.id == broken).values(agreements="{"))
        connection.execute(sa.update(matches).where(matches.c.id == running).values(status="running"))
    found, known = outcomes.finished_matches(repository.engine, ada)
    code = {one.number: one.code for one in found}
    assert found == [
        FinishedMatch(broken, code[broken], "detect", 70.0, 0, bot_levels=("low",)),
        FinishedMatch(shared, code[shared], "detect", 50.0, 0, resigned=True),
        FinishedMatch(bots, code[bots], "detect", 30.0, 1, bot_levels=("low", "high"), reviewed=True),
    ]
    assert known == {bots: [1, 2]}, "a stored outcome is kept; those of damaged and deleted matches are ignored"


def test_results_are_counted_by_game_and_by_the_strongest_bot() -> None:
    matches = [
        FinishedMatch(1, "A", "reveal", 0.0, 0, bot_levels=("low",)),
        FinishedMatch(2, "B", "reveal", 0.0, 1, bot_levels=("low", "high")),
        FinishedMatch(3, "C", "reveal", 0.0, 0, bot_levels=("high",), resigned=True),
        FinishedMatch(4, "D", "reveal", 0.0, 0),
        FinishedMatch(5, "E", "reveal", 0.0, 0, bot_levels=("unknown",)),
        FinishedMatch(6, "F", "scout", 0.0, 0, bot_levels=("low",)),
    ]
    found = count_results(matches, {1: [0], 2: [0, 1], 3: [0], 4: [], 5: [1]}, LEVELS)
    assert list(found) == ["reveal"], "a match without an outcome is not counted"
    assert (found["reveal"].matches, found["reveal"].won) == (5, 2)
    assert found["reveal"].by_level == {"low": Tally(1, 1), "high": Tally(2, 1)}


def test_counted_results_equal_those_of_a_second_calculation() -> None:
    rnd = random.Random(1)
    for _case in range(50):
        matches = [
            FinishedMatch(
                *(number, str(number), rnd.choice("xyz"), 0.0, rnd.randrange(3), rnd.random() < 0.2),
                rnd.choice((None, tuple(rnd.choices((*LEVELS, "old"), k=rnd.randint(1, 3))))),
            )
            for number in range(rnd.randint(0, 40))
        ]
        winners = {one.number: rnd.sample(range(3), rnd.randint(0, 3)) for one in matches if rnd.random() < 0.9}
        counted = [one for one in matches if one.number in winners]
        found = count_results(matches, winners, LEVELS)

        def tally(some: list[FinishedMatch], winners: dict[int, list[int]] = winners) -> Tally:
            return Tally(len(some), len([one for one in some if not one.resigned and one.seat in winners[one.number]]))

        assert found.keys() == {one.game for one in counted}
        for game, record in found.items():
            of_game = [one for one in counted if one.game == game]
            assert Tally(record.matches, record.won) == tally(of_game)
            for at, level in enumerate(LEVELS):
                weaker, others = LEVELS[: at + 1], [one for one in of_game if level in (one.bot_levels or ())]
                at_level = [one for one in others if all(bot in weaker for bot in one.bot_levels or ())]
                assert record.by_level.get(level, Tally()) == tally(at_level)
