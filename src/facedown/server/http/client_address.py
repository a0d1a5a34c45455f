"""Client address, scheme and host of a request. Forwarded headers are trusted only from configured proxies."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from facedown.core.translation import use_language
from facedown.server.http.refusal_response import PROBES, send_refusal
from facedown.server.http.request_guard import CONTENT_POLICY, SECURITY_HEADERS
from facedown.server.http.request_locale import language_of
from facedown.server.i18n import _
from facedown.server.process import refusal_counts

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

#: Length, in bits, of the IPv6 network prefix that all addresses of one household usually share.
IPV6_PREFIX_LENGTH = 64
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(
    rf"(?P<name>{_LABEL}(?:\.{_LABEL})*\.?|\[[0-9a-f:.]{{2,45}}\])(?::(?P<port>[0-9]{{1,5}}))?", re.ASCII
)
MAX_HOST_NAME_LENGTH = 253


@lru_cache(4096)
def network_of(host: str) -> str:
    """Return the key of a client in rate limits: the IPv4 address, or the /64 network of an IPv6 address.

    Any text that is not an IP address is returned unchanged.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8::5:6:7:8"), network_of("nowhere")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64', 'nowhere')
    """
    address = _parse_address(host)
    if address is None:
        return host
    if address.version == 6:
        return str(ipaddress.ip_network((int(address), IPV6_PREFIX_LENGTH), strict=False))
    return str(address)


def client_ip(scope: Scope) -> str:
    """Return the full IP address of the client, or "nowhere" if it is unknown.

    Do not use this address as a key in rate limits. The key there is the result of `network_of`, which is the same for
    all IPv6 addresses in one /64 network.
    """
    return str(scope["client"][0]) if scope["client"] else "nowhere"


def _parse_address(text: str) -> Address | None:
    """Parse an IP address; an IPv4-mapped IPv6 address becomes IPv4. Return None if the text is not an IP address."""
    try:
        address = ipaddress.ip_address(text.split("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, ipaddress.IPv6Address) else address


def parse_networks(named: Iterable[str]) -> tuple[Network, ...]:
    """Return networks parsed from texts such as "10.0.0.0/8". Raise `ValueError` if a text is not a network."""
    return tuple(ipaddress.ip_network(name.strip(), strict=False) for name in named)


def is_in_networks(host: str, known: Sequence[Network]) -> bool:
    """Return whether an address is in one of the networks."""
    address = _parse_address(host) if known else None
    return address is not None and any(address in network for network in known if network.version == address.version)


def parse_host_header(host: str) -> str | None:
    """Return the lower-case host name of a `Host` header without its port; None if the header is malformed.

    >>> parse_host_header("Cards.example:8000"), parse_host_header("[::1]:80")
    ('cards.example', '[::1]')
    >>> parse_host_header("cards.example/evil"), parse_host_header("a@b"), parse_host_header("")
    (None, None, None)
    """
    found = _NAME.fullmatch(host.lower()) if len(host) <= MAX_HOST_NAME_LENGTH + len(":65535") else None
    if found is None or int(found["port"] or 0) > 65535:
        return None
    name = found["name"]
    if name.startswith("["):
        return name if _parse_address(name[1:-1]) is not None else None
    return name.removesuffix(".")


def is_allowed_host(name: str, hosts: Sequence[str]) -> bool:
    """Return whether a host name is one of `hosts`, the names of this server; "*.example" matches all subdomains.

    If `hosts` is empty, every name is allowed.

    >>> is_allowed_host("a.example", ["*.example"]), is_allowed_host("example", ["*.example"]), is_allowed_host("a", [])
    (True, False, True)
    """
    known = [host.lower() for host in hosts]
    return not known or any(name == host or (host[:2] == "*." and name.endswith(host[1:])) for host in known)


class ClientAddressMiddleware:
    """Middleware that puts the client's own address, and the scheme and host that it requested, into the ASGI scope.

    If trusted proxies forwarded the request, these values are taken from the headers that the proxies have set.
    Requests whose host name is malformed or is not a name of this server are refused.
    """

    def __init__(self, app: ASGIApp, proxies: Iterable[str], hosts: Sequence[str], usual: str) -> None:
        self.app = app
        self.proxies = parse_networks(proxies)
        self.hosts = tuple(hosts)
        self.usual = usual

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, with the client's own address and the scheme and host it requested.

        If trusted proxies forwarded the request, these values are taken from the headers that the proxies have set. If
        the host name is malformed or not a name of this server, answer with status 400 and do not pass the request on.
        """
        if (meant := await self.resolve_or_refuse(scope, send)) is not None:
            await self.app(meant, receive, send)

    async def resolve_or_refuse(self, scope: Scope, send: Send) -> Scope | None:
        """Return the ASGI scope with the client's own address, and the scheme and host that the client requested.

        If a trusted proxy forwarded the request, the given `scope` has the proxy's address. In this case, the client's
        values are taken from the headers that the proxies have set. Otherwise `scope` is returned unchanged.

        If the host name is malformed or not a name of this server, answer with status 400 and return None.
        """
        if self.proxies and scope["client"] and is_in_networks(scope["client"][0], self.proxies):
            scope = self._apply_forwarded_headers(scope)
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if wrong := self._host_refusal_kind(scope, hosts):
            refusal_counts.count_refusals(wrong)
            await self._answer_with_400(scope, send)
            return None
        return scope

    def _host_refusal_kind(self, scope: Scope, hosts: list[str]) -> str:
        """Return why the `Host` header is refused: "host-malformed", or "host-strange" for a name of another server.

        Return "" if it is accepted. `hosts` are the values of all `Host` headers of the request.
        """
        if not hosts and scope.get("http_version") == "1.0":
            return ""
        name = parse_host_header(hosts[0]) if len(hosts) == 1 else None
        if name is None:
            return "host-malformed"
        return "" if scope["path"] in PROBES or is_allowed_host(name, self.hosts) else "host-strange"

    def _apply_forwarded_headers(self, scope: Scope) -> Scope:
        """Return the scope with the client, scheme and host that the forwarded headers (set by proxies) contain.

        The client is the last address in `X-Forwarded-For` that is not a trusted proxy: a client can forge only the
        entries before it.
        """
        headers = Headers(scope=scope)
        chain = _header_list(headers, "x-forwarded-for")
        at = next(
            (at for at in reversed(range(len(chain))) if not is_in_networks(_without_port(chain[at]), self.proxies)), 0
        )
        passed = dict(scope)
        if chain and _parse_address(_without_port(chain[at])) is not None:
            passed["client"] = (str(_parse_address(_without_port(chain[at]))), 0)
        schemes = _header_list(headers, "x-forwarded-proto")
        # `X-Forwarded-Proto` holds either one value from each proxy, or a single value that one proxy has set.
        scheme = schemes[at if len(schemes) == len(chain) else -1].lower() if schemes else ""
        if scheme in ("http", "https"):
            live = {"http": "ws", "https": "wss"}
            passed["scheme"] = live[scheme] if scope["type"] == "websocket" else scheme
        names = _header_list(headers, "x-forwarded-host")
        if names:
            named = names[at if len(names) == len(chain) else -1].encode("latin-1")
            passed["headers"] = [*((n, v) for n, v in scope["headers"] if n != b"host"), (b"host", named)]
        return passed

    async def _answer_with_400(self, scope: Scope, send: Send) -> None:
        """Answer with status 400 and a fixed sentence that contains no text from the request."""
        with use_language(language_of(scope, self.usual)):
            reason = _("The host name in your request does not belong to this server.")
        policy = CONTENT_POLICY.format(live="")
        headers = {**SECURITY_HEADERS, "content-security-policy": policy, "cache-control": "no-store"}
        await send_refusal(scope, send, 400, "malformed", reason, headers)


def _header_list(headers: Headers, name: str) -> list[str]:
    """Return the comma-separated values of a header to which each proxy appends a value, first to last."""
    return [part.strip() for value in headers.getlist(name) for part in value.split(",") if part.strip()]


def _without_port(entry: str) -> str:
    """Return an address from a forwarded header without its port.

    >>> _without_port("192.0.2.7:5000"), _without_port("[2001:db8::7]:5000"), _without_port("2001:db8::7")
    ('192.0.2.7', '2001:db8::7', '2001:db8::7')
    """
    if entry.startswith("["):
        return entry[1:].partition("]")[0]
    return entry.partition(":")[0] if entry.count(":") == 1 else entry
