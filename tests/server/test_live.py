"""Live tables: two people by link, bots, lines that drop, messages that are wrong."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from facedown.play import Said
from facedown.server.connection.connection import Connection
from facedown.server.look.layout import plain
from tests.page_sections import ShownPage
from tests.server.serving import Live, Server, actions_in, begun, open_table, serving
from tests.wait import wait_until

Visitor = Callable[[], httpx.Client]


def two_at_a_table(visitor: Visitor) -> tuple[httpx.Client, httpx.Client, str]:
    """Ada and Ben, who came by the link, in the lobby."""
    ada, ben = visitor(), visitor()
    url = open_table(ada, "open")
    assert ben.post(f"{url}/sit", data={"name": "Ben"}).status_code == 303
    return ada, ben, url


def test_two_people_by_link_play_a_round(server: Server, visitor: Visitor) -> None:
    ada, ben, url = two_at_a_table(visitor)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        hers.hello(kind="lobby")
        his.hello(kind="lobby")
        his.send(type="ready", ready=True)
        told = hers.get("lobby")
        while "Ben is ready." not in told["say"]:
            told = hers.get("lobby")
        hers.send(type="ready", ready=True)
        tables = [hers.get("table"), his.get("table")]
        lives = [hers, his]
        for _ in range(2000):
            for index in (0, 1):
                if tables[index]["yours"]:
                    # Each is told of the other's move, too: read up to that version.
                    sent = tables[index]
                    lives[index].send(type="move", action=actions_in(sent["step"])[-1], version=sent["version"])
                    for other in (0, 1):
                        while tables[other]["version"] <= sent["version"]:
                            tables[other] = lives[other].get("table")
                    break
            else:
                pytest.fail("nobody is to act")
            # One round can be enough for the whole match.
            if tables[0]["over"] or "scoring" in tables[0]["title"].lower() or "Next round" in tables[0]["html"]:
                break
        assert tables[0]["version"] == tables[1]["version"] > 20
        assert tables[0]["html"] != tables[1]["html"]


def test_a_page_may_be_sent_what_changed_of_it(server: Server, visitor: Visitor) -> None:
    """Beside a page that is always sent whole: at every version both show the same."""
    ada = visitor()
    url = open_table(ada, "low")
    page = ShownPage()

    def follow(sectioned: Live, always: Live, message: dict[str, Any]) -> tuple[list[bool], dict[str, Any]]:
        """Put the page together until both show the same and it is hers; which messages held all of it."""
        whole: list[bool] = []
        version = -1
        while version != message["version"] or not (message["yours"] or message["over"]):
            # Bots act when they like: either may have been told more than the other.
            if version >= message["version"]:
                message = always.get("table")
                continue
            told = sectioned.get("table")
            version = told["version"]
            page.take(told)
            whole.append({"frame", "bar", "log"} <= told["sections"].keys())
        return whole, message

    with Live(server, ada, url) as always, Live(server, ada, url) as sectioned:
        message = always.until_yours(always.hello())
        for _ in range(3):
            # Whoever says hello is sent the whole page.
            sectioned.send(type="hello", version=0, sections=True)
            whole, message = follow(sectioned, always, message)
            assert whole[0]
            assert not any(whole[1:])
            for _ in range(4):
                always.send(type="move", action=actions_in(message["step"])[0], version=message["version"])
                whole, message = follow(sectioned, always, always.beyond(message["version"]))
                assert not any(whole)
                assert page.html == message["html"]


def test_a_page_of_an_earlier_version_is_sent_the_whole_page_as_one_part(server: Server, visitor: Visitor) -> None:
    ada = visitor()
    # Not Detect: there the bot still chooses its first flip while Ada is to choose hers, and the page changes.
    url = open_table(ada, "low", game="reveille")
    with Live(server, ada, url) as always, Live(server, ada, url) as old:
        always.until_yours(always.hello())
        old.send(type="hello", version=0, patches=True)
        told = old.until_yours(old.get("table"))
        # Presence may have changed between the two: the whole page again, as it is now.
        always.send(type="hello", version=0)
        message = always.get("table")
        while message["version"] < told["version"]:
            message = always.get("table")
        assert told["parts"] == [message["html"]]
        assert "html" not in told


def test_what_happened_is_said_to_each_in_their_words(server: Server, visitor: Visitor) -> None:
    ada, ben, url = two_at_a_table(visitor)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        table, told = begun(hers, his)
        assert "Dealing the cards." in table["say"]
        hers.send(type="move", action=actions_in(table["step"])[0], version=table["version"])
        while told["version"] == 0:
            told = his.get("table")
        his.send(type="move", action=actions_in(told["step"])[0], version=told["version"])
        lines = []
        while not any("flipped" in line for line in lines):
            lines = hers.get("table")["say"]
        assert any("You flipped" in line and "Ben flipped" in line for line in lines)
        lines = []
        while not any("flipped" in line for line in lines):
            lines = his.get("table")["say"]
        assert any("you flipped" in line and "Ada flipped" in line for line in lines)


def test_every_log_line_is_said_once(server: Server, visitor: Visitor) -> None:
    ada, ben, url = two_at_a_table(visitor)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        lives, tables = [hers, his], begun(hers, his)
        for _ in range(8):
            mover = 0 if tables[0]["yours"] else 1
            sent = tables[mover]
            lives[mover].send(type="move", action=actions_in(sent["step"])[0], version=sent["version"])
            for index, live in enumerate(lives):
                while tables[index]["version"] <= sent["version"]:
                    tables[index] = live.get("table")
        session = server.within(server.rooms.room(url.rpartition("/")[2])).session
        for seat, live in enumerate(lives):
            log = [plain(line.text) for line in session.viewer_log(seat).lines]
            said = [line for message in live.seen if message["type"] == "table" for line in message["say"]]
            assert len(log) >= 6
            assert [line for line in said if line in log] == log


def test_a_whole_match_against_bots(server: Server, ada: httpx.Client) -> None:
    url = open_table(ada, "low", "high")
    with Live(server, ada, url) as live:
        message = live.hello()
        while not message["over"]:
            message = live.until_yours(message)
            if not message["over"]:
                message = live.play(message, last=True)
        versions = [m["version"] for m in live.seen if m["type"] == "table"]
        assert versions == sorted(versions)
        assert not [m for m in live.seen if m["type"] == "error"]


def test_the_same_move_sent_twice_counts_once(server: Server, ada: httpx.Client) -> None:
    url = open_table(ada, "low")
    with Live(server, ada, url) as live:
        message = live.hello()
        move = {"type": "move", "action": actions_in(message["step"])[3], "version": message["version"]}
        live.send(**move)
        live.send(**move)
        live.send(type="ping")
        live.get("pong")
        assert not [m for m in live.seen if m["type"] == "error"]
        room = server.rooms._rooms[url.removeprefix("/t/")]
        assert [m.action for m in room.session.moves if m.seat == 0][:1] == [move["action"]]
        assert sum(m.seat == 0 for m in room.session.moves) == 1


def test_a_move_is_answered_by_one_table(server: Server, visitor: Visitor) -> None:
    ada, ben, url = two_at_a_table(visitor)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        table, _ = begun(hers, his)
        before = len(hers.seen)
        hers.send(type="move", action=actions_in(table["step"])[0], version=table["version"])
        hers.get("table")
        # A second answer would be drawn before the second of these.
        for _ in range(2):
            hers.send(type="ping")
            hers.get("pong")
        assert [m["type"] for m in hers.seen[before:]] == ["table", "pong", "pong"]


def test_a_dropped_line_resumes_where_the_page_stands(server: Server, ada: httpx.Client) -> None:
    url = open_table(ada, "low", "low")
    with Live(server, ada, url) as live:
        message = live.play(live.hello())
        # All three have opened two cards, and it is Ada's turn: nothing happens by itself now.
        while message["version"] < 3 or not message["yours"]:
            message = live.get("table")
    with Live(server, ada, url) as again:
        # Nothing was missed: the same table, and nothing is said anew.
        same = again.hello(message["version"])
        assert (same["version"], same["html"], same["say"]) == (message["version"], message["html"], [])
    with Live(server, ada, url) as again:
        # A page that stands further back is told what came since.
        back = again.hello(0)
        assert back["version"] == message["version"]
        assert len(back["say"]) >= 1
    with Live(server, ada, url) as again:
        assert again.hello(10**6)["version"] == message["version"]


@pytest.mark.parametrize(
    ("message", "code", "says"),
    [
        ("not json", "malformed", "not JSON"),
        ("[1]", "malformed", "There is no message"),
        ('{"type":"dance"}', "malformed", "hello, move"),
        ('{"type":["move"]}', "malformed", "There is no message"),
        ('{"type":"move"}', "malformed", "action is a whole number"),
        ('{"type":"move","action":1}', "malformed", "version is a whole number"),
        ('{"type":"move","action":"1","version":0}', "malformed", "action is a whole number"),
        ('{"type":"move","action":true,"version":0}', "malformed", "action is a whole number"),
        ('{"type":"move","action":1.5,"version":0}', "malformed", "action is a whole number"),
        ('{"type":"move","action":1e99,"version":0}', "malformed", "action is a whole number"),
        ('{"type":"move","action":99999999999999,"version":0}', "malformed", "action is a whole number"),
        ('{"type":"move","action":100,"version":0}', "illegal", "not allowed now"),
        ('{"type":"move","action":-1,"version":0}', "illegal", "no action -1"),
        ('{"type":"move","action":0,"version":7}', "stale", "no version 7"),
        ('{"type":"move","action":0,"version":-1}', "stale", "no version -1"),
        ('{"type":"ready","ready":"yes"}', "malformed", "true or false"),
        ('{"type":"ready","ready":true}', "conflict", "cards are dealt"),
        ('{"type":"bot","seat":1,"level":"low"}', "conflict", "cards are dealt"),
        ('{"type":"open","seat":1}', "conflict", "cards are dealt"),
        ('{"type":"standin","seat":1}', "forbidden", "for another player who is away"),
        ('{"type":"standin","seat":9}', "malformed", "no seat 9"),
        ('{"type":"chat","text":7}', "malformed", "text is a string"),
        ('{"type":"chat","text":""}', "malformed", "is empty"),
        ('{"type":"hello"}', "malformed", "version is a whole number"),
    ],
)
def test_a_wrong_message_says_why_and_changes_nothing(
    server: Server, ada: httpx.Client, message: str, code: str, says: str
) -> None:
    url = open_table(ada, "low")
    with Live(server, ada, url) as live:
        before = live.hello()
        while before["version"] < 1:
            before = live.get("table")
        revision = server.rooms.repository.revision(url.removeprefix("/t/"))
        text = message.replace('"version":7', '"version":777')
        live.socket.send(text)
        error = live.get("error")
        assert error["code"] == code
        assert says.replace("version 7", "version 777") in error["reason"]
        live.send(type="ping")
        live.get("pong")
        assert server.rooms.repository.revision(url.removeprefix("/t/")) == revision


def test_a_stale_move_is_answered_with_the_table_as_it_stands(server: Server, ada: httpx.Client) -> None:
    url = open_table(ada, "low")
    with Live(server, ada, url) as live:
        message = live.until_yours(live.hello())
        first = actions_in(message["step"])
        live.play(message)
        live.send(type="move", action=first[1], version=message["version"])
        assert live.get("error")["reason"] == "That move came too late: you had already played."
        assert live.get("table")["version"] > message["version"]


def test_a_move_for_somebody_else_is_refused(server: Server, visitor: Visitor) -> None:
    ada, cleo = visitor(), visitor()
    url = open_table(ada, "low")
    cleo.post(f"{url}/watch")
    with Live(server, cleo, url) as live:
        table = live.hello()
        assert table["step"].get("choices", []) == []
        live.send(type="move", action=0, version=table["version"])
        assert live.get("error")["code"] == "forbidden"


def test_a_stranger_is_told_that_the_table_is_closed(server: Server, visitor: Visitor) -> None:
    ada, stranger = visitor(), visitor()
    url = open_table(ada, "low")
    for client, path in ((stranger, url), (ada, "/t/ZZZZ")):
        with Live(server, client, path) as live:
            assert live.get("error")["code"] == "closed"
            live.until_closed()


def test_what_is_said_reaches_everybody(server: Server, visitor: Visitor) -> None:
    ada, ben, url = two_at_a_table(visitor)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        hers.hello(kind="lobby")
        his.hello(kind="lobby")
        his.send(type="chat", text="  shall we? ")
        for live in (hers, his):
            told = live.get("chat")
            assert (told["name"], told["text"], told["seat"]) == ("Ben", "shall we?", 1)
        hers.send(type="hello", version=0)
        assert "shall we?" in hers.get("lobby")["html"]
        his.send(type="chat", text="x" * 301)
        assert "300" in his.get("error")["reason"]


def test_the_host_seats_bots_in_the_lobby(server: Server, visitor: Visitor) -> None:
    ada, ben = visitor(), visitor()
    url = open_table(ada, "open", "open")
    ben.post(f"{url}/sit", data={"name": "Ben"})
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        hers.hello(kind="lobby")
        his.hello(kind="lobby")
        his.send(type="bot", seat=2, level="low")
        assert his.get("error")["code"] == "forbidden"
        hers.send(type="bot", seat=2, level="low")
        assert "Juniper" in his.get("lobby")["html"]
        hers.send(type="open", seat=2)
        told = his.get("lobby")
        assert "Juniper left the table." in told["say"]
        assert "Juniper" not in told["html"]


def test_too_many_messages_are_refused_and_then_cut_off(tmp_path: object, ada: httpx.Client) -> None:
    with serving(str(tmp_path), messages_at_once=5, messages_a_second=0.001) as small, small.client() as client:
        url = open_table(client, "low")
        with Live(small, client, url) as live:
            live.hello()
            for _ in range(5):
                live.send(type="ping")
            assert live.get("error")["code"] == "too-fast"
            # It may be cut off before all of them are sent.
            with contextlib.suppress(ConnectionClosed):
                for _ in range(100):
                    live.socket.send('{"type":"ping"}')
            live.until_closed()


def test_a_message_that_is_too_long_is_refused(server: Server, ada: httpx.Client) -> None:
    url = open_table(ada, "low")
    with Live(server, ada, url) as live:
        live.hello()
        live.socket.send(json.dumps({"type": "chat", "text": "x" * 9000}))
        assert "8192" in live.get("error")["reason"]


def test_a_silent_client_is_taken_to_be_gone(tmp_path: object) -> None:
    with serving(str(tmp_path), silence=60.0) as small, small.client() as client:
        url = open_table(client, "open")
        with Live(small, client, url) as live:
            live.hello(kind="lobby")
            small.advance(61)
            live.until_closed()
        room = small.rooms._rooms[url.removeprefix("/t/")]
        wait_until(lambda: not room.watchers and not room.session.presence.connected(0))


def test_a_client_that_takes_nothing_is_dropped_and_shown_all_when_it_is_back(tmp_path: object) -> None:
    """Small messages pile up only to a bound; the whole table waits for nobody and is drawn when it can be taken."""
    with (
        serving(str(tmp_path), waiting_messages=4) as small,
        small.client() as ada,
        small.client() as ben,
    ):
        url = open_table(ada, "open")
        ben.post(f"{url}/sit", data={"name": "Ben"})
        with Live(small, ada, url) as hers, Live(small, ben, url) as his:
            hers.hello(kind="lobby")
            his.hello(kind="lobby")
            room = small.rooms._rooms[url.removeprefix("/t/")]
            slow = next(line for line in room.watchers if isinstance(line, Connection) and line.seat == 0)

            async def said_at_once() -> None:
                for number in range(12):
                    slow.said(Said("Ben", str(number), 1.0, 1))

            small.within(said_at_once())
            closed = hers.until_closed()
            assert closed.rcvd is not None
            assert closed.rcvd.code == 1013
        with Live(small, ada, url) as hers:
            assert "Ben" in hers.hello(kind="lobby")["html"]
