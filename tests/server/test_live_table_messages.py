"""Live tables over WebSocket: page updates, moves, chat, lost connections, and the message protocol."""

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
from tests.assembled_page import ShownPage
from tests.server.http_server import (
    Live,
    Serve,
    Server,
    actions_in,
    code_of,
    lobby,
    missing,
    open_table,
    play_on,
    shared_table,
    start_match,
)
from tests.server.request_cases import cases
from tests.waiting import wait_until


def test_page_updated_by_changed_sections_equals_the_page_that_is_sent_whole(
    server: Server, ada: Client, live: Live
) -> None:
    """Compare it at every version with a page that is always sent whole."""
    page = ShownPage()

    def follow(message: dict[str, Any]) -> tuple[list[bool], dict[str, Any]]:
        """Update the page until both show the same version on her turn. Return whether each message was whole."""
        whole: list[bool] = []
        version = -1
        while version != message["version"] or not (message["yours"] or message["over"]):
            # Bots act at any time, so either WebSocket may be ahead of the other.
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
            # Hello is answered with the whole page.
            sectioned.send(type="hello", version=0, sections=True)
            whole, message = follow(message)
            assert (whole[0], any(whole[1:])) == (True, False)
            for _ in range(4):
                live.move(message)
                whole, message = follow(live.beyond(message["version"]))
                assert not any(whole)
                assert page.html == message["html"]


def test_page_script_of_an_earlier_release_gets_the_whole_page_as_one_part(server: Server, ada: Client) -> None:
    # Not Detect: its bot chooses its first flip while Ada chooses hers, which changes the page.
    url = open_table(ada, "low", game="reveille")
    with Live(server, ada, url) as always, Live(server, ada, url) as old:
        always.until_yours(always.hello())
        old.send(type="hello", version=0, patches=True)
        told = old.until_yours(old.get("table"))
        # Presence may have changed meanwhile, so request the whole page again.
        always.send(type="hello", version=0)
        message = always.until(lambda message: message["version"] >= told["version"])
        assert told["parts"] == [message["html"]]
        assert "html" not in told


def test_every_line_of_the_match_log_is_announced_once_to_each_player(server: Server, pair: list[Live]) -> None:
    tables = start_match(*pair)
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


def test_move_gets_one_table_message_and_a_repeated_move_counts_once(server: Server, pair: list[Live]) -> None:
    hers, _ = pair
    table, _ = start_match(*pair)
    before, action = len(hers.seen), actions_in(table["step"])[3]
    hers.send(type="move", action=action, version=0)
    hers.get("table")
    # A second table message would arrive before the second pong.
    for _ in range(2):
        hers.settle()
    assert hers.kinds()[before:] == ["table", "pong", "pong"]
    hers.send(type="move", action=action, version=0)
    hers.settle()
    assert "error" not in hers.kinds()
    assert [(move.seat, move.action) for move in server.session(hers.url).moves] == [(0, action)]


def test_reconnecting_page_gets_the_same_table_and_only_missed_announcements(server: Server, ada: Client) -> None:
    url = open_table(ada, "low", "low")
    with Live(server, ada, url) as live:
        message = live.play(live.hello())
        # All three have opened two cards, and it is Ada's turn: no bot acts now.
        if message["version"] < 3 or not message["yours"]:
            message = live.until(lambda message: message["version"] >= 3 and message["yours"])
    # After a reconnect the table is the same. Only a page with an older version gets announcements.
    for behind in (message["version"], 0, 10**6):
        with Live(server, ada, url) as again:
            back = again.hello(behind)
            assert (back["version"], back["html"]) == (message["version"], message["html"])
            assert bool(back["say"]) == (behind == 0)


@cases("messages that a table refuses")
def test_invalid_websocket_message_gets_an_error_and_saves_nothing(
    server: Server, live: Live, message: str, code: str, says: str
) -> None:
    if live.hello()["version"] < 1:
        live.beyond(0)
    revision = server.rooms.repository.revision(code_of(live.url))
    live.socket.send(message)
    error = live.get("error")
    assert error["code"] == code
    assert says in error["reason"]
    live.settle()
    assert server.rooms.repository.revision(code_of(live.url)) == revision


def test_late_moves_and_moves_of_spectators_are_refused(live: Live, server: Server, ada: Client, ben: Client) -> None:
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


def test_chat_message_reaches_all_players_and_a_long_one_is_refused(pair: list[Live]) -> None:
    hers, his = pair
    his.send(type="chat", text="  shall we? ")
    for live in pair:
        told = live.get("chat")
        assert (told["name"], told["text"], told["seat"]) == ("Ben", "shall we?", 1)
    assert "shall we?" in hers.hello(kind="lobby")["html"]
    for length, most in ((301, "300"), (9000, "8192")):
        assert most in his.refusal(type="chat", text="x" * length)["reason"]


def test_chat_sent_while_a_page_waits_for_rendering_arrives_before_the_page(
    server: Server, pair: list[Live], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page contains the chat line, so a line that arrives after it would appear twice."""
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


def test_silent_websocket_client_is_disconnected(start_server: Serve) -> None:
    small = start_server(silence=60.0)
    (ada,) = small.guests(1)
    url = open_table(ada, "open")
    with lobby(small, url, ada) as (live,):
        small.advance(61)
        live.until_closed()
    room = small.room(url)
    wait_until(lambda: not room.subscribers and not room.session.presence.connected(0))


def test_client_with_a_full_send_queue_is_disconnected_and_gets_the_lobby_on_reconnect(start_server: Serve) -> None:
    """The queue of small messages is limited. Whole tables do not queue; they are rendered when the client reads."""
    small = start_server(waiting_messages=4)
    ada, ben = small.guests(2)
    url = shared_table(ada, ben)
    with lobby(small, url, ada, ben) as (hers, _):
        slow = next(line for line in small.room(url).subscribers if isinstance(line, Connection) and line.seat == 0)
        small.call(lambda: [slow.send_chat(ChatMessage("Ben", str(number), 1.0, 1)) for number in range(12)])
        assert hers.until_closed() == 1013
    with Live(small, ada, url) as hers:
        assert "Ben" in hers.hello(kind="lobby")["html"]


def test_websocket_of_a_stranger_gets_a_table_closed_error_and_is_closed(
    server: Server, ada: Client, ben: Client
) -> None:
    for client, path in ((ben, open_table(ada, "low")), (ada, "/t/ZZZZ")):
        with Live(server, client, path) as live:
            assert live.get("error")["code"] == "closed"
            live.until_closed()


# --- messages ---------------------------------------------------------------------------------------------------------


CLIENT_MESSAGES, SERVER_MESSAGES = messages.models_by_type(Received), messages.models_by_type(AnySent)


def test_websocket_protocol_documentation_is_up_to_date_with_the_code() -> None:
    assert protocol_page.PAGE.read_text("utf-8") == protocol_page.page(), "run python tools/protocol_page.py"
    with pytest.raises(ValueError, match="Extra inputs"):
        messages.Go(url="/", html="<p>")  # type: ignore[call-arg]


@pytest.mark.parametrize("name", CLIENT_MESSAGES)
def test_documented_client_messages_are_parsed(name: str) -> None:
    shown = protocol_page.example(CLIENT_MESSAGES[name])
    found = messages.parse_client_message(json.dumps(shown))
    assert type(found) is CLIENT_MESSAGES[name]
    assert json.loads(RECEIVED.dump_json(found, exclude_unset=True)) == shown


@pytest.mark.parametrize("name", SERVER_MESSAGES)
def test_documented_server_messages_serialize_as_shown(name: str) -> None:
    shown = protocol_page.example(SERVER_MESSAGES[name])
    built = SERVER_MESSAGES[name](**{key: value for key, value in shown.items() if key != "type"})
    sent = json.loads(built.wire())  # type: ignore[attr-defined]
    assert next(iter(sent)) == "type"
    assert {key: value for key, value in sent.items() if key != "filler"} == shown
    assert ("filler" in sent) is issubclass(SERVER_MESSAGES[name], messages.Page)
    assert type(TypeAdapter[Any](AnySent).validate_python(sent)) is SERVER_MESSAGES[name]


@pytest.mark.parametrize("model", [*CLIENT_MESSAGES.values(), *SERVER_MESSAGES.values(), messages.HintedMove])
def test_every_websocket_message_field_has_a_description(model: type[messages.Message]) -> None:
    assert model.__doc__
    silent = [name for name, field in model.model_fields.items() if name != "type" and not field.description]
    assert silent == []


@cases("messages that cannot be read")
def test_unreadable_websocket_message_is_refused_with_reason(text: str, reason: str) -> None:
    with pytest.raises(Refusal, match=reason) as caught:
        messages.parse_client_message(text)
    assert caught.value.code == "malformed"


def test_websocket_message_parser_converts_values_of_wrong_types_and_drops_lone_surrogates() -> None:
    """Unknown names are checked later. Lone surrogates are removed because they cannot be sent back."""
    half, whole = r"\uD83C", r"\ud83c\udca1"
    for message, field, value in (
        ('"bot", "seat": 1, "level": 7', "level", "7"),
        *((f'"standin", "seat": 1, "level": {level}', "level", "") for level in ("null", '""', "0")),
        ('"hello", "version": 3, "sections": 1', "sections", False),
        (f'"chat", "text": "hi {half}{whole}{half}"', "text", "hi 🂡"),
    ):
        assert getattr(messages.parse_client_message(f'{{"type": {message}}}'), field) == value, message
    with pytest.raises(Refusal, match="Unknown message type 'x'"):
        messages.parse_client_message(f'{{"type": "{half}x"}}')
