"""Open tables with two servers on one PostgreSQL database: one list, one line of seekers, and one take-over."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.server.http_server import Server, code_of
from tests.server.test_open_tables import open_listed, play_until_taken_over, rows
from tests.server.test_two_servers import two_servers
from tests.waiting import wait_until

pytestmark = [pytest.mark.postgres]
Pair = tuple[Server, Server]


@pytest.fixture
def pair(postgres_url: str) -> Iterator[Pair]:
    with two_servers(postgres_url, "") as found:
        yield found


def test_a_table_listed_at_one_server_is_found_at_the_other(pair: Pair) -> None:
    one, two = pair
    (ada,), (ben, cleo) = one.guests(1), two.guests(2)
    table = open_listed(ada, "open")
    assert rows(ben) == [code_of(table)]
    form = {"game-scout": "on", "pace": "any", "name": "Ben"}
    assert ben.post("/open/search", data=form).status_code == 303
    assert ben.get("/open/offer").status_code == 200
    cleo.post("/open/search", data=form | {"name": "Cleo"})
    for server in pair:
        server.within(server.rooms.open_tables.offer_seats())
    assert cleo.get("/open/offer").status_code == 204, "each seat is offered once"
    assert ben.post("/open/answer", data={"answer": "yes"}).headers["location"] == table
    wait_until(lambda: one.session(table).record.seats[1].name == "Ben")


def test_a_seat_is_taken_over_at_one_server_while_the_other_deals(pair: Pair) -> None:
    one, two = pair
    (ada,), (ben,) = one.guests(1), two.guests(1)
    table = open_listed(ada, "low", "low")
    assert ben.post(f"{table}/sit", data={"name": "Ben"}).status_code == 303
    wait_until(lambda: one.session(table).record.seats[1].next_name == "Ben")
    play_until_taken_over(one, table, random.Random(1))
    wait_until(lambda: two.session(table).record.seats[1].name == "Ben")
    mine, theirs = two.session(table), one.session(table)
    wait_until(lambda: mine.ply == theirs.ply)
    assert mine.record.seats[1] == theirs.record.seats[1]
    page = ben.get(table)
    assert page.status_code == 200
    assert mine.viewer_log(1).lines == theirs.viewer_log(1).lines
