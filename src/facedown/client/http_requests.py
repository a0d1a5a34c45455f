"""Requests of the HTTP API: typed answers, one exception for each refusal, asked again where that is harmless."""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx

from facedown.client import messages as m
from facedown.client.errors import BadAnswer, NoAnswer, TooFast, error_for_code

M = TypeVar("M", bound=m.ServerMessage)
API = "/api/v1"
#: The pauses before something is tried again, in seconds, as docs/protocol.md says; then always the last one.
WAITS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
#: An answer that takes longer than this does not come, in seconds; whoever waits for news waits less.
ANSWER_TIMEOUT = 40.0
_LINK = re.compile(r"(?P<root>.*)/t/(?P<code>[^/]+)/?")


class Backoff:
    """Tries something again and again, waiting longer each time, until so many seconds are over."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._tried = 0

    def wait(self, at_least: float = 0.0) -> bool:
        """Wait before the next try, scattered so that clients that failed together do not return together.

        Returns False at once if it would be too late.
        """
        pause = max(at_least, WAITS[min(self._tried, len(WAITS) - 1)] * random.uniform(0.25, 1.75))
        self._tried += 1
        if time.monotonic() + pause > self._until:
            return False
        time.sleep(pause)
        return True


@dataclass(frozen=True, slots=True)
class TableAddress:
    """Where a table is: the server's address, and the table's code."""

    server: str
    code: str

    @property
    def websocket_url(self) -> str:
        """The address of the table's live line."""
        scheme, rest = self.server.split("://", 1)
        return f"{'wss' if scheme == 'https' else 'ws'}://{rest}/t/{self.code}/live"


def parse_table_address(table: str, server: str = "") -> TableAddress:
    """The place of a table's link, or of its code and a server's address; `ValueError` if it is neither.

    >>> parse_table_address("https://cards.example/house/t/K7QM4XPN?lang=de")
    Place(server='https://cards.example/house', code='K7QM4XPN')
    >>> parse_table_address("k7qm 4xpn", "http://localhost:8000/").live
    'ws://localhost:8000/t/K7QM4XPN/live'
    """
    if "://" in table:
        parts = urlsplit(table)
        found = _LINK.fullmatch(parts.path)
        if parts.scheme not in ("http", "https") or not parts.netloc or found is None:
            raise ValueError(f"{table} is no link to a table: these look like https://cards.example/t/K7QM4XPN")
        server, table = f"{parts.scheme}://{parts.netloc}{found['root']}", found["code"]
    code = re.sub(r"[^A-Z0-9]", "", table.upper())
    if not code:
        raise ValueError("a table's code has letters and digits, like K7QM4XPN")
    return TableAddress(server_of(server), code)


def server_of(address: str) -> str:
    """The address of a server without a slash at its end; `ValueError` where it is none."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"{address or 'nothing'} is no server's address: these look like https://cards.example")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


class ApiClient:
    """Asks one server, as the person who has a token, or as nobody yet."""

    def __init__(self, server: str, token: str = "", *, language: str = "en", patience: float = 120.0) -> None:
        self.patience = patience
        self.headers = {"Accept-Language": language, **({"Authorization": f"Bearer {token}"} if token else {})}
        self._client = httpx.Client(base_url=f"{server}{API}/", headers=self.headers, timeout=ANSWER_TIMEOUT)

    def close(self) -> None:
        """Close the connections to the server, for good."""
        self._client.close()

    def ask(self, model: type[M], method: str, path: str, body: Any = None, *, again: bool = True) -> M:
        """An answer. A request that may be sent `again` is, until it is answered or patience is over.

        One that may not is sent a second time only where the first one surely did nothing: the server was not reached,
        or said that too much was asked for. What counts once (a move with its token, being ready, a question) may be.

        Raises:
            NoAnswer: none has come within the patience, or nobody knows whether this was heard.
            BadAnswer: what came is not what the protocol says.
            Refused: the server refuses it, and says why.
        """
        patience = Backoff(self.patience)
        while True:
            try:
                answer = self._client.request(method, path, json=body)
            except httpx.HTTPError as lost:
                surely_nothing = isinstance(lost, (httpx.ConnectError, httpx.ConnectTimeout))
                if (again or surely_nothing) and patience.wait():
                    continue
                raise NoAnswer(f"{method} {path}: {type(lost).__name__} {lost}".strip()) from lost
            if answer.is_success:
                return m.read(model, answer.content)
            wrong = error_from_response(answer)
            may = isinstance(wrong, TooFast) or (again and isinstance(wrong, NoAnswer))
            if not (may and patience.wait(at_least=_asked_to_wait(answer))):
                raise wrong


def _asked_to_wait(answer: httpx.Response) -> float:
    """After how many seconds a server wants to be asked again."""
    after = answer.headers.get("retry-after", "")
    return float(after) if after.isdigit() else 0.0


def error_from_response(answer: httpx.Response) -> Exception:
    """What an answer that is none says is wrong."""
    status = answer.status_code
    try:
        found = m.read(m.Problem, answer.content)
    except BadAnswer:
        # It comes from what stands before the server, or from no table at all.
        where = f"{answer.request.method} {answer.request.url.path}: status {status}"
        return NoAnswer(where) if status >= 500 else BadAnswer(f"{where}, without a reason")
    return NoAnswer(found.reason) if status >= 500 else error_for_code(found.code, found.reason)
