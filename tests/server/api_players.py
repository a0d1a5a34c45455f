"""Programs that play at a table through the JSON API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from httpx import Client, Response

API = "/api/v1"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


class Player:
    """A program that holds a seat."""

    def __init__(self, client: Client, code: str, token: str) -> None:
        self.client = client
        self.code = code
        self.token = token
        self.path = f"{API}/tables/{code}"
        self.headers = bearer(token)

    def ask(self, method: str, what: str, body: Any = None, **query: Any) -> Response:
        """Send a request about the table with the seat's token."""
        return self.client.request(method, f"{self.path}/{what}", headers=self.headers, json=body, params=query)

    def view(self, **query: Any) -> dict[str, Any]:
        answer = self.ask("GET", "view", **query)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def move(self, **move: Any) -> Response:
        return self.ask("POST", "moves", move)

    def propose(self, what: str) -> Response:
        return self.ask("POST", "proposals", {"what": what})

    def answer(self, number: int, agree: bool) -> Response:
        return self.ask("POST", "answers", {"proposal": number, "agree": agree})

    def resign(self) -> Response:
        return self.ask("POST", "resignation")

    def play(self, view: dict[str, Any] | None = None) -> Response:
        view = view or self.view()
        return self.move(action=view["legal"][0]["action"], version=view["version"])


def create_table(client: Client, *seats: str, **fields: Any) -> dict[str, Any]:
    """Create a table and return the API's response body."""
    body = {"game": "detect", "name": "Ada", "seats": list(seats)} | fields
    answer = client.post(f"{API}/tables", json=body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def new_player(client: Client, *seats: str, **fields: Any) -> Player:
    """Create a table and return the player at the seat "me"."""
    made = create_table(client, *seats, **fields)
    return Player(client, made["table"]["code"], made["token"])


def join_table(client: Client, code: str, name: str = "Ben", **fields: Any) -> Player:
    answer = client.post(f"{API}/tables/{code}/seats", json={"name": name} | fields)
    assert answer.status_code == 201, answer.text
    return Player(client, code, answer.json()["token"])


def two_players(client: Client, **fields: Any) -> tuple[Player, Player]:
    """Create a running table with Ada and Ben."""
    ada = new_player(client, "me", "open", **fields)
    return ada, join_table(client, ada.code)


def play_to_end(players: Sequence[Player]) -> None:
    """Let the players play their first legal move until the match is over."""
    while (views := [player.view() for player in players])[0]["status"] != "finished":
        seat = views[0]["acting"][0]
        assert players[seat].play(views[seat]).status_code == 200


def problem(answer: Response, status: int, code: str) -> str:
    """Check status and code of an error response and return its reason."""
    assert answer.status_code == status, answer.text
    assert answer.json()["code"] == code
    reason: str = answer.json()["reason"]
    assert reason.endswith(".")
    return reason
