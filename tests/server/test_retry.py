"""A finished match, tried again from one of its moments against bots."""

from __future__ import annotations

import httpx
import pytest

from tests.server.serving import Live, Server, open_table


def retried(visitor: httpx.Client, code: str, ply: int | str, seat: int | str) -> httpx.Response:
    return visitor.post(f"/m/{code}/from", data={"ply": str(ply), "seat": str(seat)})


@pytest.mark.parametrize("seat", [0, 1])
def test_it_stands_where_the_match_stood(server: Server, over: str, ben: httpx.Client, seat: int) -> None:
    old = server.within(server.rooms.room(over)).session
    answer = retried(ben, over, 2, seat)
    assert answer.status_code == 303, answer.text
    url = answer.headers["location"]
    assert url != f"/t/{over}"
    new = server.within(server.rooms.room(url[3:])).session
    assert new.record.seed == old.record.seed
    assert new.running.moves[:2] == old.running.moves[:2]
    assert new.seat_of(new.record.host) == seat
    assert {place.kind for place in new.record.seats} == {"person", "bot"}
    with Live(server, ben, url) as live:
        message = live.until_yours(live.hello())
        assert message["step"]["prompt"]
    assert old.record.status == "finished"


def test_nothing_of_it_is_shown_to_others(server: Server, over: str, ada: httpx.Client, ben: httpx.Client) -> None:
    url = retried(ben, over, 1, 0).headers["location"]
    assert ada.get(url).status_code == 403


@pytest.mark.parametrize(
    ("ply", "seat", "status"), [("x", 0, 422), (-1, 0, 422), (10**5, 0, 422), (1, 7, 422), (1, "", 422), ("", 0, 422)]
)
def test_what_cannot_be_is_refused(over: str, ben: httpx.Client, ply: str, seat: str, status: int) -> None:
    assert retried(ben, over, ply, seat).status_code == status


def test_a_match_that_goes_on_is_not_tried_again(ada: httpx.Client, ben: httpx.Client) -> None:
    code = open_table(ada, "low")[3:]
    assert retried(ben, code, 0, 0).status_code == 409
