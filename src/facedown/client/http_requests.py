"""HTTP API requests with typed responses, an exception for each refusal, and retries of repeatable requests."""

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
#: Mean number of seconds to wait before the first retry, the second retry and so on, as in docs/protocol.md. The last
#: value also applies to all further retries.
WAITS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
#: Seconds to wait for a response. The server may hold a request back until something happens at the table, but not for
#: as long as this.
ANSWER_TIMEOUT = 40.0
_LINK = re.compile(r"(?P<root>.*)/t/(?P<code>[^/]+)/?")


class Backoff:
    """Random delays before the retries of a request. Their mean grows from 0.5 to 15 seconds.

    No retry begins later than `seconds` after this object was created.
    """

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._tried = 0

    def wait(self, at_least: float = 0.0) -> bool:
        """Sleep for a random time before the next try, and return True.

        The mean of this time grows with each call, from 0.5 to 15 seconds (`WAITS`). The actual time is between 0.25
        and 1.75 times the mean, but at least `at_least` seconds. It is random so that clients whose requests failed
        together do not retry together.

        Return False, without sleeping, if the sleep would end later than `seconds` after the creation of this object.
        `seconds` is the argument of the constructor.
        """
        pause = max(at_least, WAITS[min(self._tried, len(WAITS) - 1)] * random.uniform(0.25, 1.75))
        self._tried += 1
        if time.monotonic() + pause > self._until:
            return False
        time.sleep(pause)
        return True


@dataclass(frozen=True, slots=True)
class TableAddress:
    """Address of a table: the URL of the server, and the code of the table."""

    server: str
    code: str

    @property
    def websocket_url(self) -> str:
        """URL of the table's WebSocket."""
        scheme, rest = self.server.split("://", 1)
        return f"{'wss' if scheme == 'https' else 'ws'}://{rest}/t/{self.code}/live"


def parse_table_address(table: str, server: str = "") -> TableAddress:
    """Parse a table's link, or a table's code with the URL of its `server`. Raise `ValueError` if it is invalid.

    >>> parse_table_address("https://cards.example/house/t/K7QM4XPN?lang=de")
    TableAddress(server='https://cards.example/house', code='K7QM4XPN')
    >>> parse_table_address("k7qm 4xpn", "http://localhost:8000/").websocket_url
    'ws://localhost:8000/t/K7QM4XPN/live'
    """
    if "://" in table:
        parts = urlsplit(table)
        found = _LINK.fullmatch(parts.path)
        if parts.scheme not in ("http", "https") or not parts.netloc or found is None:
            raise ValueError(f"{table} is not a link to a table: expected one like https://cards.example/t/K7QM4XPN")
        server, table = f"{parts.scheme}://{parts.netloc}{found['root']}", found["code"]
    code = re.sub(r"[^A-Z0-9]", "", table.upper())
    if not code:
        raise ValueError("a table's code must have letters and digits, like K7QM4XPN")
    return TableAddress(normalize_server_url(server), code)


def normalize_server_url(address: str) -> str:
    """Return the URL `address` of a server without trailing slashes, query and fragment.

    Raise `ValueError` if `address` is not an HTTP or HTTPS URL.
    """
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"{address or 'nothing'} is not a server's address: expected one like https://cards.example")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


class ApiClient:
    """Client for the HTTP API of one server. If a seat's `token` is given, every request carries it.

    Failed requests that can safely be repeated are retried for up to `patience` seconds (`ask`).
    """

    def __init__(self, server: str, token: str = "", *, language: str = "en", patience: float = 120.0) -> None:
        self.patience = patience
        self.headers = {"Accept-Language": language, **({"Authorization": f"Bearer {token}"} if token else {})}
        self._client = httpx.Client(base_url=f"{server}{API}/", headers=self.headers, timeout=ANSWER_TIMEOUT)

    def close(self) -> None:
        """Close the connections to the server. The client cannot be used afterwards."""
        self._client.close()

    def ask(self, model: type[M], method: str, path: str, body: Any = None, *, again: bool = True) -> M:
        """Send a request and return its response, parsed as a `model`. Failed requests are retried for `patience`
        seconds.

        `path` is relative to ``/api/v1/``, and `body` is sent as JSON.

        With `again`, the request is repeated after a lost connection or a server error, so it must be safe to repeat.
        Moves are safe to repeat: the body of a move contains a unique token. The server recognises a repeated move by
        this token and plays it only once.

        Without `again`, the request is repeated only if it certainly had no effect: the server could not be reached, or
        it rejected the request because of a rate limit.

        Raises:
            NoAnswer: No response came in time, or it is unknown whether the request took effect.
            BadAnswer: The response violates the protocol.
            Refused: The server refused the request, with its reason.
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
            if not (may and patience.wait(at_least=_retry_after_seconds(answer))):
                raise wrong


def _retry_after_seconds(answer: httpx.Response) -> float:
    """Return the number of seconds in the response's Retry-After header; 0 if it is missing or contains a date."""
    after = answer.headers.get("retry-after", "")
    return float(after) if after.isdigit() else 0.0


def error_from_response(answer: httpx.Response) -> Exception:
    """Return the exception for an unsuccessful response: `NoAnswer` for a server error (status 500 or more), else a
    subclass of `Refused`, or `BadAnswer` if the response gives no error code.
    """
    status = answer.status_code
    try:
        found = m.read(m.Problem, answer.content)
    except BadAnswer:
        # The response does not have the protocol's format. It is from a proxy, or the URL is not that of a Facedown
        # server.
        where = f"{answer.request.method} {answer.request.url.path}: status {status}"
        return NoAnswer(where) if status >= 500 else BadAnswer(f"{where}, without a reason")
    return NoAnswer(found.reason) if status >= 500 else error_for_code(found.code, found.reason)
