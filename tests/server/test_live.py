"""Live tables: two people by link, bots, lines that drop, messages that are wrong."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from httpx import Client
from pydantic import TypeAdapter
from tools import protocol_page

from facedown.play import ChatMessage, Refusal
from facedown.server.connection import messages
from facedown.server.connection.messages import RECEIVED, AnySent, Received
from facedown.server.connection.websocket_connection import Connection
from facedown.server.rendering.table_layout import strip_bold_marks
from tests.page_sections import ShownPage
from tests.server.cases import cases
from tests.server.http_server import (
    Live,
    Serve,
    Server,
    actions_in,
    begun,
    code_of,
    lobby,
    missing,
    open_table,
    play_on,
    shared_table,
)
from tests.waiting import wait_until


def test_a_page_may_be_sent_what_changed_of_it(server: Server, ada: Client, live: Live) -> None:
    """Beside a page that is always sent whole: at every version both show the same."""
    page = ShownPage()

    def follow(message: dict[str, Any]) -> tuple[list[bool], dict[str, Any]]:
        """Put the page together until both show the same and it is hers; which messages held all of it."""
        whole: list[bool] = []
        version = -1
        while version != message["version"] or not (message["yours"] or message["over"]):
            # Bots act when they like: either may have been told more than the other.
            if version >= message["version"]:
                message = live.get("table")
                continue
            told = sectioned.get("table")
            version = told["version"]
            page.take(told)
            whole.append({"frame", "bar", "log"} <= told["sections"].keys())
        return whole, message

    with Live(server, ada, live.url) as sectioned:
        message = live.until_yours(live.hello())
        for _ in range(3):
            # Whoever says hello is sent the whole page.
            sectioned.send(type="hello", version=0, sections=True)
            whole, message = follow(message)
            assert (whole[0], any(whole[1:])) == (True, False)
            for _ in range(4):
                live.move(message)
                whole, message = follow(live.beyond(message["version"]))
                assert not any(whole)
                assert page.html == message["html"]


def test_a_page_of_an_earlier_version_is_sent_the_whole_page_as_one_part(server: Server, ada: Client) -> None:
    # Not Detect: there the bot still chooses its first flip while Ada is to choose hers, and the page changes.
    url = open_table(ada, "low", game="reveille")
    with Live(server, ada, url) as always, Live(server, ada, url) as old:
        always.until_yours(always.hello())
        old.send(type="hello", version=0, patches=True)
        told = old.until_yours(old.get("table"))
        # Presence may have changed between the two: the whole page again, as it is now.
        always.send(type="hello", version=0)
        message = always.until(lambda message: message["version"] >= told["version"])
        assert told["parts"] == [message["html"]]
        assert "html" not in told


def test_every_log_line_is_said_once(server: Server, pair: list[Live]) -> None:
    tables = begun(*pair)
    for _ in range(8):
        tables = play_on(pair, tables)
    assert tables[0]["html"] != tables[1]["html"]
    session = server.session(pair[0].url)
    words = ("You flipped", "Ben flipped"), ("you flipped", "Ada flipped")
    for seat, (live, mine) in enumerate(zip(pair, words, strict=True)):
        log = [strip_bold_marks(line.text) for line in session.viewer_log(seat).lines]
        said = [line for message in live.seen if message["type"] == "table" for line in message["say"]]
        assert len(log) >= 6
        assert [line for line in said if line in log] == log
        assert "Dealing the cards." in said
        assert any(missing(line, *mine) == [] for line in said)


def test_a_move_is_answered_by_one_table_and_sent_twice_counts_once(server: Server, pair: list[Live]) -> None:
    hers, _ = pair
    table, _ = begun(*pair)
    before, action = len(hers.seen), actions_in(table["step"])[3]
    hers.send(type="move", action=action, version=0)
    hers.get("table")
    # A second answer would be drawn before the second of these.
    for _ in range(2):
        hers.settle()
    assert hers.kinds()[before:] == ["table", "pong", "pong"]
    hers.send(type="move", action=action, version=0)
    hers.settle()
    assert "error" not in hers.kinds()
    assert [(move.seat, move.action) for move in server.session(hers.url).moves] == [(0, action)]


def test_a_dropped_line_resumes_where_the_page_stands(server: Server, ada: Client) -> None:
    url = open_table(ada, "low", "low")
    with Live(server, ada, url) as live:
        message = live.play(live.hello())
        # All three have opened two cards, and it is Ada's turn: nothing happens by itself now.
        if message["version"] < 3 or not message["yours"]:
            message = live.until(lambda message: message["version"] >= 3 and message["yours"])
    # Nothing was missed: the same table, and nothing is said anew. A page that stands further back is told what came.
    for behind in (message["version"], 0, 10**6):
        with Live(server, ada, url) as again:
            back = again.hello(behind)
            assert (back["version"], back["html"]) == (message["version"], message["html"])
            assert bool(back["say"]) == (behind == 0)


@cases("messages that a table refuses")
def test_a_wrong_message_changes_nothing(server: Server, live: Live, message: str, code: str, says: str) -> None:
    if live.hello()["version"] < 1:
        live.beyond(0)
    revision = server.rooms.repository.revision(code_of(live.url))
    live.socket.send(message)
    error = live.get("error")
    assert error["code"] == code
    assert says in error["reason"]
    live.settle()
    assert server.rooms.repository.revision(code_of(live.url)) == revision


def test_late_and_foreign_moves_are_refused(live: Live, server: Server, ada: Client, ben: Client) -> None:
    message = live.until_yours(live.hello())
    live.play(message)
    refused = live.refusal(type="move", action=actions_in(message["step"])[1], version=message["version"])
    assert refused["reason"] == "That move came too late: you had already played."
    assert live.get("table")["version"] > message["version"]
    url = open_table(ada, "low")
    ben.post(f"{url}/watch")
    with Live(server, ben, url) as live:
        table = live.hello()
        assert table["step"].get("choices", []) == []
        assert live.refusal(type="move", action=0, version=table["version"])["code"] == "forbidden"


def test_what_is_said_reaches_everybody(pair: list[Live]) -> None:
    hers, his = pair
    his.send(type="chat", text="  shall we? ")
    for live in pair:
        told = live.get("chat")
        assert (told["name"], told["text"], told["seat"]) == ("Ben", "shall we?", 1)
    assert "shall we?" in hers.hello(kind="lobby")["html"]
    for length, most in ((301, "300"), (9000, "8192")):
        assert most in his.refusal(type="chat", text="x" * length)["reason"]


def test_what_is_said_while_a_page_waits_to_be_drawn_comes_before_it(
    server: Server, pair: list[Live], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is on the page, which would add it once more afterwards."""
    hers, his = pair
    renders, drawn = server.rooms.renders, asyncio.Event()
    plain_turn = renders.enqueue

    def turn(**about: Any) -> asyncio.Task[None]:
        async def wait() -> None:
            await plain_turn(**about)
            await drawn.wait()

        return asyncio.get_running_loop().create_task(wait())

    monkeypatch.setattr(renders, "enqueue", turn)
    before = len(hers.seen)
    hers.send(type="hello", version=0)
    wait_until(lambda: any(watcher._turn is not None for watcher in server.rooms.subscribers()))
    monkeypatch.undo()
    his.send(type="chat", text="Hello")
    his.get("chat")
    server.call(drawn.set)
    hers.get("lobby")
    hers.settle()
    assert [kind for kind in hers.kinds()[before:] if kind in ("chat", "lobby")] == ["chat", "lobby"]


def test_a_silent_client_is_taken_to_be_gone(served: Serve) -> None:
    small = served(silence=60.0)
    (ada,) = small.guests(1)
    url = open_table(ada, "open")
    with lobby(small, url, ada) as (live,):
        small.advance(61)
        live.until_closed()
    room = small.room(url)
    wait_until(lambda: not room.subscribers and not room.session.presence.connected(0))


def test_a_client_that_takes_nothing_is_dropped_and_shown_all_when_it_is_back(served: Serve) -> None:
    """Small messages pile up only to a bound; the whole table waits for nobody and is drawn when it can be taken."""
    small = served(waiting_messages=4)
    ada, ben = small.guests(2)
    url = shared_table(ada, ben)
    with lobby(small, url, ada, ben) as (hers, _):
        slow = next(line for line in small.room(url).subscribers if isinstance(line, Connection) and line.seat == 0)
        small.call(lambda: [slow.send_chat(ChatMessage("Ben", str(number), 1.0, 1)) for number in range(12)])
        assert hers.until_closed() == 1013
    with Live(small, ada, url) as hers:
        assert "Ben" in hers.hello(kind="lobby")["html"]


def test_a_stranger_is_told_that_the_table_is_closed(server: Server, ada: Client, ben: Client) -> None:
    for client, path in ((ben, open_table(ada, "low")), (ada, "/t/ZZZZ")):
        with Live(server, client, path) as live:
            assert live.get("error")["code"] == "closed"
            live.until_closed()


# --- messages ---------------------------------------------------------------------------------------------------------


IN, OUT = messages.models(Received), messages.models(AnySent)


def test_the_protocol_page_names_all_that_is_sent() -> None:
    assert protocol_page.PAGE.read_text("utf-8") == protocol_page.page(), "run python tools/protocol_page.py"
    with pytest.raises(ValueError, match="Extra inputs"):
        messages.Go(url="/", html="<p>")  # type: ignore[call-arg]


@pytest.mark.parametrize("name", IN)
def test_what_the_page_says_a_client_sends_is_understood(name: str) -> None:
    shown = protocol_page.example(IN[name])
    found = messages.parse(json.dumps(shown))
    assert type(found) is IN[name]
    assert json.loads(RECEIVED.dump_json(found, exclude_unset=True)) == shown


@pytest.mark.parametrize("name", OUT)
def test_what_the_page_says_the_server_sends_goes_over_the_wire(name: str) -> None:
    shown = protocol_page.example(OUT[name])
    built = OUT[name](**{key: value for key, value in shown.items() if key != "type"})
    sent = json.loads(built.wire())  # type: ignore[attr-defined]
    assert next(iter(sent)) == "type"
    assert {key: value for key, value in sent.items() if key != "filler"} == shown
    assert ("filler" in sent) is issubclass(OUT[name], messages.Page)
    assert type(TypeAdapter[Any](AnySent).validate_python(sent)) is OUT[name]


@pytest.mark.parametrize("model", [*IN.values(), *OUT.values(), messages.HintedMove])
def test_every_field_of_a_message_says_what_it_is(model: type[messages.Message]) -> None:
    assert model.__doc__
    silent = [name for name, field in model.model_fields.items() if name != "type" and not field.description]
    assert silent == []


@cases("messages that cannot be read")
def test_what_is_wrong_with_a_message_is_named(text: str, reason: str) -> None:
    with pytest.raises(Refusal, match=reason) as caught:
        messages.parse(text)
    assert caught.value.code == "malformed"


def test_odd_values_are_read_as_they_may_be_meant() -> None:
    """Names are left to whoever knows them; half a character could not be sent back in a sentence."""
    half, whole = r"\uD83C", r"\ud83c\udca1"
    for message, field, value in (
        ('"bot", "seat": 1, "level": 7', "level", "7"),
        *((f'"standin", "seat": 1, "level": {level}', "level", "") for level in ("null", '""', "0")),
        ('"hello", "version": 3, "sections": 1', "sections", False),
        (f'"chat", "text": "hi {half}{whole}{half}"', "text", "hi 🂡"),
    ):
        assert getattr(messages.parse(f'{{"type": {message}}}'), field) == value, message
    with pytest.raises(Refusal, match="Unknown message type 'x'"):
        messages.parse(f'{{"type": "{half}x"}}')
