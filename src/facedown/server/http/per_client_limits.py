"""Limits on connections and requests: per person, per address and per process (docs/limits.md)."""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, cast

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from facedown.play import Refusal
from facedown.server.http.client_address import client_ip, is_in_networks, network_of, parse_networks
from facedown.server.http.refusal_response import PROBES, send_refusal
from facedown.server.i18n import _
from facedown.server.process import refusal_counts
from facedown.server.process.clocks import SYSTEM_CLOCK, Clock
from facedown.server.process.rate_limit import Buckets, ConcurrencyLimit
from facedown.server.process.server_settings import ServerSettings

#: Maximum number of credentials (cookies, seat tokens) that are remembered as valid. If too many wrong credentials came
#: from an address, further credentials from this address are refused, except the remembered ones.
MAX_REMEMBERED_TOKENS = 8192
#: File descriptors reserved for the database, for files and for connections to other servers.
RESERVED_FILE_DESCRIPTORS = 128
#: Maximum number of refused connections that wait for their error response; further ones are closed without a response.
MAX_REFUSED = 64


def increase_connection_limit() -> int:
    """Increase this process's limit on open files as far as possible. Return how many connections it then allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return 1 << 30
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Some systems report a hard limit that cannot be set.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return 1 << 30 if soft == resource.RLIM_INFINITY else max(16, soft - RESERVED_FILE_DESCRIPTORS)


class ConnectionLimits:
    """Limits on the open connections of a process, in total and per address."""

    def __init__(self, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self.max_open = min(settings.connections, increase_connection_limit())
        self.proxies = parse_networks(settings.proxies)
        self.open: dict[Any, str] = {}
        """Address under which each accepted connection is counted ("" for a proxy), by connection. The connections are
        ordered by their last request, oldest first.
        """
        self.addresses = ConcurrencyLimit(settings.connections_of_address)
        self.refused: set[Any] = set()

    def admit_or_refusal_kind(self, connection: Any, host: str) -> str:
        """Count a new connection and return "", or return why it is refused (a key of `CONNECTION_REFUSALS`).

        `host` is the IP address of the client. Proxies are exempt from the limit per address. If the process has too
        many connections, the connection that has been idle for longest is closed to make room.
        """
        address = "" if not host or is_in_networks(host, self.proxies) else network_of(host)
        if address and self.addresses.active_count(address) >= self.addresses.most:
            why = "connections-of-address"
        elif len(self.open) >= self.max_open and not self._close_oldest_idle():
            why = "connections"
        else:
            self.open[connection] = address
            if address:
                self.addresses.acquire(address)
            return ""
        self.refused.add(connection)
        if len(self.refused) > MAX_REFUSED:
            refusal_counts.count_refusals(why)
            connection.transport.abort()
        return why

    def _close_oldest_idle(self) -> bool:
        """Close the idle connection whose last request is the oldest. Return whether there was an idle connection."""
        oldest = next((connection for connection in self.open if not connection.is_busy), None)
        if oldest is not None:
            refusal_counts.count_refusals("made-room")
            self.release(oldest)
            oldest.transport.abort()
        return oldest is not None

    def release(self, connection: Any) -> None:
        """Stop counting a connection. A second call does nothing."""
        self.refused.discard(connection)
        if address := self.open.pop(connection, ""):
            self.addresses.release(address)


class Limits:
    """Rate limits of all clients, per address or person, and a list of credentials that were valid recently.

    Credentials are cookies and seat tokens. If too many wrong credentials come from an address, further credentials
    from this address are refused. Credentials on the list are still accepted. So a person with a valid credential is
    not locked out by other users of the same address.
    """

    def __init__(self, settings: ServerSettings, clock: Clock = SYSTEM_CLOCK) -> None:
        self.new_things = Buckets(settings.new_things_a_minute, settings.new_things_a_minute / 60, clock=clock)
        self.requests = Buckets(settings.requests_at_once, settings.requests_a_second, clock=clock)
        self.wrong_codes = Buckets(settings.wrong_codes_at_once, settings.wrong_codes_a_minute / 60, clock=clock)
        self.wrong_tokens = Buckets(settings.wrong_tokens_at_once, settings.wrong_tokens_a_minute / 60, clock=clock)
        self.polls_of_person = ConcurrencyLimit(settings.polls_of_person)
        self.polls_of_address = ConcurrencyLimit(settings.polls_of_address)
        self._good: OrderedDict[bytes, None] = OrderedDict()

    # --- credentials --------------------------------------------------------------------------------------------------

    def require_sign_in_allowed(self, token: str, address: str) -> None:
        """Raise `Refusal` if too many wrong credentials (cookies or seat tokens) came from an address.

        If the credential `token` was valid recently, it is still accepted. So its owner is not locked out by other
        users of the same address.
        """
        if self.wrong_tokens.seconds_until_token(address) and _token_digest(token) not in self._good:
            wrong = _("Too many failed sign-ins from your IP address. Wait a minute, then try again.")
            raise build_and_count_rate_limit_refusal("wrong-tokens", wrong)

    def record_sign_in(self, token: str, address: str, good: bool) -> None:
        """Record whether the credential `token` (cookie or seat token) was found to be valid (`good`).

        An invalid credential counts against the client's `address`.
        """
        mark = _token_digest(token)
        if not good:
            self._good.pop(mark, None)
            self.wrong_tokens.take_token(address)
            return
        self._good[mark] = None
        self._good.move_to_end(mark)
        if len(self._good) > MAX_REMEMBERED_TOKENS:
            self._good.popitem(last=False)

    # --- requests that wait for changes -------------------------------------------------------------------------------

    @contextmanager
    def poll_permit(self, address: str, person: int | None) -> Iterator[None]:
        """Count a long-polling request (one that waits for a change) for the duration of the `with` block.

        Raise `Refusal` if the maximum number of such requests from this address or this person is already waiting.
        `person` is the person's id. If `person` is None, only the limit per address applies.
        """
        limits = [(self.polls_of_address, address)]
        if person is not None:
            limits.append((self.polls_of_person, str(person)))
        entered = [(limit, who) for limit, who in limits if limit.acquire(who)]
        try:
            if entered != limits:
                wait = _(
                    "Too many of your requests are already waiting for a table to change. Let one of them finish first."
                )
                raise build_and_count_rate_limit_refusal("polls", wait)
            yield
        finally:
            for limit, who in entered:
                limit.release(who)


def build_and_count_rate_limit_refusal(kind: str, reason: str) -> Refusal:
    """Return the `Refusal` for a request that exceeds a rate limit, and count it in `refusal_counts` under `kind`.

    The refusal has the code "too-fast". `reason` is its text for the client.
    """
    refusal_counts.count_refusals(kind)
    return Refusal("too-fast", reason)


def _token_digest(token: str) -> bytes:
    """Return a hash that identifies a credential but cannot be used as one."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def limits_of(request: HTTPConnection) -> Limits:
    """Return the rate limits of the application that handles this request."""
    return cast(Limits, request.app.state.limits)


class RateLimitMiddleware:
    """Middleware that refuses a request, before any other work, if the client's address exceeds its rate limit."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it with status 429 if its address exceeds the rate limit."""
        address = network_of(client_ip(scope))
        if scope["path"] in PROBES or self.limits.requests.take_token(address):
            await self.app(scope, receive, send)
            return
        refusal_counts.count_refusals("requests")
        reason = _("Not so fast: too many requests from your IP address. Try again in a moment.")
        wait = max(1, math.ceil(min(60.0, self.limits.requests.seconds_until_token(address))))
        headers = {"retry-after": str(wait), "cache-control": "no-store", "x-content-type-options": "nosniff"}
        await send_refusal(scope, send, 429, "too-fast", reason, headers)
