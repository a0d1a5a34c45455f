"""API answers and live messages that the current server sends for the frozen database.

The server runs with a stopped clock. Values that it draws at random (fillers, its port) are removed.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.corpus import archive, database, program
from tests.manual_clock import ManualClock
from tests.waiting import PATIENCE

#: Unix time of the server.
NOW = database.LAST + 60.0
#: Moves of a scripted match: it is played to the scoring of a round and some moves further, or to its end.
MOST_MOVES, MOVES_ON = 200, 3
#: The mark of a page that shows the scores of a round.
SCORES = 'data-phase="scoring"'
#: The frozen tables without bots, which do not change by themselves.
KINDS = tuple(kind for kind in database.KINDS if kind != "bots")
#: Indexes of the live messages of each viewer that are kept in full, besides the last one; of the others a hash is
#: kept.
FULL = (0, 1, 12)
#: Shorter messages, in bytes, are also kept in full.
SHORT = 600
#: The server's public URL.
ORIGIN = "http://facedown.test"


@contextmanager
def serve_frozen(folder: Path, **settings: Any) -> Iterator[program.Server]:
    """Serve a copy of the frozen database; no data is deleted for its age, and no bot thinks ahead."""
    database.unpack(folder)
    calm = {"think_here": False, "keep_lobby_days": 0, "bots": program.BotCatalogue(), "public_url": ORIGIN}
    with program.serving(folder, clock=ManualClock(NOW), **calm | settings) as server:
        yield server


def match_files(server: program.Server) -> dict[str, bytes]:
    """Return the files of the finished matches as downloaded from the server."""
    with server.client() as client:
        client.cookies.set(database.GUEST_COOKIE, database.token("Ada"))
        return {
            f"stored/{game}-finished.match": client.get(f"/m/{database.code(game, 'finished')}.facedown").content
            for game in database.games()
        }


def stored_files() -> dict[str, bytes]:
    """Return the data read from the frozen database, by the repository and as match files."""
    with tempfile.TemporaryDirectory() as name, serve_frozen(Path(name)) as server:
        return database.files() | match_files(server)


def files() -> dict[str, bytes]:
    """Run the server on the frozen database and return all recorded data."""
    return {name: content for game in database.games() for name, content in files_of(game).items()} | general_files()


def files_of(game: str) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as name, serve_frozen(Path(name)) as server:
        return {
            f"web/{game}-api.json.gz": archive.to_json(answers(server, game), 1),
            f"web/{game}-live.json.gz": archive.to_json(live_messages(server, game), 1),
        }


def without_filler(text: str | bytes) -> Any:
    """Parse JSON and remove the random filler."""
    value = json.loads(text)
    if isinstance(value, dict):
        value.pop("filler", None)
    return value


# --- the API ----------------------------------------------------------------------------------------------------------


def general_files() -> dict[str, bytes]:
    """Return the data that does not depend on a table: games, schema, routes."""
    with tempfile.TemporaryDirectory() as name, serve_frozen(Path(name)) as server, server.client() as client:
        found = {
            "games.json": without_filler(client.get("/api/v1/games").text),
            "openapi.json.gz": without_words(without_filler(client.get("/openapi.json").text)),
            "routes.json": routes(server),
        }
    return {f"web/{name}": archive.to_json(value, 1) for name, value in found.items()}


def without_words(schema: Any) -> Any:
    """Return a JSON schema without its texts for people."""
    if isinstance(schema, list):
        return [without_words(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    # A field may be called "description", but its schema is no text.
    said = [name for name in ("description", "summary") if isinstance(schema.get(name), str)]
    return {name: without_words(value) for name, value in schema.items() if name not in said}


def routes(server: program.Server) -> list[str]:
    """Return the server's routes, each with its methods."""

    def every(found: Iterable[Any]) -> Iterator[Any]:
        for route in found:
            router = getattr(route, "original_router", None)
            yield from [route] if router is None else every(router.routes)

    return sorted(
        f"{route.path} {' '.join(sorted(getattr(route, 'methods', None) or ()))}".strip()
        for route in every(server.app.routes)
    )


def answers(server: program.Server, game: str) -> dict[str, Any]:
    """Return the API's answers about the tables of a game, for the second seat's program and for a spectator."""
    found = {}
    with server.client() as client:
        for kind in KINDS:
            at = database.code(game, kind)
            paths = [f"/api/v1/tables/{at}", f"/api/v1/tables/{at}/view", f"/api/v1/tables/{at}/known"]
            paths += [
                f"/api/v1/tables/{at}/again",
                f"/api/v1/matches/{at}",
                f"/api/v1/matches/{at}/review?seat=0&wait=20",
            ]
            keys = {"spectator": {}}
            if kind != "lobby":
                keys["P1"] = {"Authorization": f"Bearer {database.seat_key(game, kind)}"}
            for path in paths:
                for who, key in keys.items():
                    answer = client.get(path, headers=key)
                    found[f"{kind}: {path} as {who}"] = [answer.status_code, without_filler(answer.text)]
    return found


# --- live messages ----------------------------------------------------------------------------------------------------


def client_of(server: program.Server, stack: ExitStack, name: str) -> httpx.Client:
    """Return an HTTP client with a person's cookie, or without one for an empty name."""
    client = stack.enter_context(server.client())
    if name:
        client.cookies.set(database.GUEST_COOKIE, database.token(name))
    return client


def next_message(line: program.Live) -> Any:
    return without_filler(line.socket.recv(timeout=PATIENCE))


class Script:
    """Live connections of several viewers to one table, and all messages received by each, in order."""

    def __init__(self) -> None:
        self.lines: dict[str, program.Live] = {}
        self.heard: dict[str, list[Any]] = {}

    def connect(self, viewer: str, line: program.Live, first: str, **hello: Any) -> dict[str, Any]:
        """Open a viewer's connection, send hello, and return the first message, which has the type `first`."""
        self.lines[viewer], self.heard[viewer] = line, []
        line.send(type="hello", version=0, **hello)
        return self.receive(viewer, first)

    def receive(self, viewer: str, kind: str) -> dict[str, Any]:
        """Return the next message of a viewer and record it; raise `AssertionError` if it has another type."""
        message: dict[str, Any] = next_message(self.lines[viewer])
        self.heard[viewer].append(message)
        assert message["type"] == kind, f"{viewer} was sent {message['type']} instead of {kind}: {message}"
        return message

    def receive_all(self, *but: str) -> dict[str, dict[str, Any]]:
        """Receive the table once for every viewer except `but`."""
        kinds = {viewer: self.heard[viewer][0]["type"] for viewer in self.lines if viewer not in but}
        return {viewer: self.receive(viewer, kind) for viewer, kind in kinds.items()}


def live_messages(server: program.Server, game: str) -> dict[str, Any]:
    """Return the live messages of some tables of a game, by table and viewer, some in full and the others hashed."""
    found = {
        "plain": play_live(server, game),
        "lobby": lobby_messages(server, game),
        **{kind: visit_table(server, game, kind) for kind in ("clocks", "stand-in", "finished")},
        "again": agree_to_rematch(server, game),
    }
    return {
        f"{table} {viewer}": [
            message if at in (*FULL, len(heard) - 1) or len(archive.to_json(message)) < SHORT else hashed(message)
            for at, message in enumerate(heard)
        ]
        for table, by_viewer in found.items()
        for viewer, heard in by_viewer.items()
    }


def hashed(message: dict[str, Any]) -> dict[str, Any]:
    return {"type": message["type"], "keys": list(message), "hash": archive.digest(message)}


def play_live(server: program.Server, game: str) -> dict[str, list[Any]]:
    """Continue the match of two players while a program and a spectator are connected."""
    at = f"/t/{database.code(game, 'plain')}"
    script, rnd = Script(), random.Random(f"corpus live {game}")
    with ExitStack() as stack:
        ada, ben, dora = (client_of(server, stack, name) for name in ("Ada", "Ben", "Dora"))

        def line(client: httpx.Client, **more: Any) -> program.Live:
            return stack.enter_context(program.Live(server, client, at, **more))

        script.connect("Ada, sections", line(ada), "table", sections=True)
        script.connect("Ben, German", line(ben, lang="de"), "table")
        program_client = client_of(server, stack, "")
        program_client.headers["Authorization"] = f"Bearer {database.seat_key(game, 'plain')}"
        script.connect("Ben’s program", line(program_client), "known", known=True)
        # A new spectator is shown to all other viewers.
        newest = {"spectator": script.connect("spectator", line(dora), "table")}
        newest |= script.receive_all("spectator")
        on = MOVES_ON
        for move in range(MOST_MOVES):
            on -= SCORES in newest.get("Ben, German", {}).get("html", "")
            shown = next((name for name in ("Ada, sections", "Ben, German") if newest[name]["yours"]), None)
            if shown is None or not on:
                break
            message = newest[shown]
            action = rnd.choice(sorted(program.actions_in(message["step"])))
            script.lines[shown].send(type="move", action=action, version=message["version"])
            newest = script.receive_all()
            if move == 5:
                send_refused_messages(script, shown, message["version"], action)
    return script.heard


def send_refused_messages(script: Script, viewer: str, version: int, action: int) -> None:
    """Send messages that the server refuses, one of each kind."""
    line = script.lines[viewer]
    for message in (
        {"type": "move", "action": 10**6, "version": version + 10**6},
        {"type": "move", "action": "first", "version": version},
        {"type": "ready", "ready": True},
        {"type": "bot", "seat": 1, "level": "greedy"},
        {"type": "standin", "seat": 0},
        {"type": "again"},
        {"type": "review", "seat": 0},
        {"type": "dance"},
    ):
        line.send(**message)
        if script.receive(viewer, "error")["code"] in ("stale", "conflict", "not-your-turn"):
            script.receive(viewer, "table")
    line.send(type="ping")
    script.receive(viewer, "pong")


def lobby_messages(server: program.Server, game: str) -> dict[str, list[Any]]:
    """Change the waiting table as its host."""
    at = f"/t/{database.code(game, 'lobby')}"
    script = Script()
    with ExitStack() as stack:
        ada = stack.enter_context(program.Live(server, client_of(server, stack, "Ada"), at))
        script.connect("host", ada, "lobby")
        for message in (
            {"type": "ready", "ready": True},
            {"type": "ready", "ready": False},
            {"type": "chat", "text": "Hello"},
            {"type": "chat", "text": "Ready when you are"},
        ):
            ada.send(**message)
            script.receive("host", message["type"] if message["type"] == "chat" else "lobby")
    return script.heard


def visit_table(server: program.Server, game: str, kind: str) -> dict[str, list[Any]]:
    """Connect to another table as a player, and as a spectator if it has one."""
    at = f"/t/{database.code(game, kind)}"
    script = Script()
    viewers = {"Ada": "Ada"} | ({"spectator": "Dora"} if kind in database.WATCHED else {})
    with ExitStack() as stack:
        for viewer, name in viewers.items():
            line = stack.enter_context(program.Live(server, client_of(server, stack, name), at))
            script.connect(viewer, line, "table")
    return script.heard


def agree_to_rematch(server: program.Server, game: str) -> dict[str, list[Any]]:
    """Agree to the rematch that Ada offered, and open its table, which is dealt then."""
    script = Script()
    with ExitStack() as stack:
        people = {name: client_of(server, stack, name) for name in ("Ada", "Ben")}
        for name, client in people.items():
            line = program.Live(server, client, f"/t/{database.code(game, 'finished')}")
            script.connect(name, stack.enter_context(line), "table")
        script.lines["Ben"].send(type="again", answer="yes")
        for name, client in people.items():
            # The number of messages about the finished table until then depends on drawing speed.
            while (message := next_message(script.lines[name]))["type"] != "go":
                assert message["type"] == "table"
            script.heard[name] = [message]
            with program.Live(server, client, message["url"]) as line:
                line.send(type="hello", version=0)
                script.heard[name].append(next_message(line))
    return script.heard
