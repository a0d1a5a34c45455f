"""``facedown open``: the open tables of a server with their links, and servers that do not answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.client import open_tables
from tests.ports import Port
from tests.server.http_server import Server, serving
from tests.server.test_open_tables import open_listed
from tests.terminal.command_runner import said


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as running:
        yield running


def test_open_lists_tables_with_seats_pace_unusual_rules_and_link(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(capsys, "open", server.origin) == (0, "No one is waiting right now.\n", "")
    ada, ben = server.guests(2)
    first = open_listed(ada, "open", "open", clock="60")
    second = open_listed(ben, "low", game="reveal", name="Ben", **{"option-end": "hands", "option-end-hands-0": "1"})
    (fewest,) = open_tables(server.origin, "reveal").tables
    assert (fewest.table.url, fewest.free, fewest.joins) == (f"{server.origin}{second}", 1, "next-round")
    code, out, err = said(capsys, "open", server.origin)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["SCOUT with Ada: 2 seats free, a minute per turn", f"  {server.origin}{first}"]
    assert lines[2].startswith("Reveal with Ben: you take over a bot in the next round, no time limit, ")
    assert lines[3] == f"  {server.origin}{second}"
    ben.post("/open/search", data={"game-uncovered": "on", "pace": "day"})
    monkeypatch.setenv("FACEDOWN_SERVER", server.origin)
    code, out, err = said(capsys, "open", "--game", "scout")
    assert (code, out.splitlines()[2:], err) == (0, ["1 person is looking for a seat."], "")


def test_open_explains_a_bad_address_game_or_a_server_that_does_not_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = said(capsys, "open", "cards.example")
    assert (code, out) == (2, "")
    assert err.startswith("cards.example is not a server's address")
    assert said(capsys, "open", "http://127.0.0.1:1", "--game", "chess")[0] == 2
    reserved = Port()
    nothing = f"http://127.0.0.1:{reserved.number}"
    code, out, err = said(capsys, "open", nothing)
    assert (code, out) == (1, "")
    assert err.startswith(f"{nothing} does not answer: ")
    reserved.close()
