"""The one client that sends requests to addresses that come from strangers.

The address of a push service is whatever a visitor's browser sends. The client must not be a way into the network of
the server, so it is strict:

* Only https, and only the usual port.
* The host name is resolved once, all its addresses must be public, and the connection goes to the resolved address. So
  a second answer of the name server cannot lead elsewhere.
* No redirects, no proxy, no cookies; the answer's body is not read.
* `TIMEOUT` seconds for everything.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

#: Seconds for one request, with the resolution of the host name.
TIMEOUT = 3.0
HTTPS_PORT = 443
MAX_URL_LENGTH = 500
#: Threads that resolve host names. Name servers of strangers can be slow, so nothing else waits for these threads.
RESOLVER_THREADS = 16
#: IPv6 addresses that contain an IPv4 address in their last 32 bits (RFC 6052).
_NAT64 = IPv6Network("64:ff9b::/96")

#: Addresses of a host, each as (IP address, port).
Resolver = Callable[[str], Sequence[tuple[str, int]]]


class RequestFailed(Exception):
    """A request got no answer. The message is one word for the log, without anything from the address."""


def is_public_address(text: str) -> bool:
    """Return whether an IP address belongs to the public internet.

    An IPv6 address that contains an IPv4 address is public only if both are.

    >>> is_public_address("9.9.9.9"), is_public_address("10.0.0.1"), is_public_address("::ffff:127.0.0.1")
    (True, False, False)
    """
    address = ip_address(text)
    if isinstance(address, IPv4Address):
        return _is_public(address)
    inside = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        inside.append(IPv4Address(int(address) & 0xFFFF_FFFF))
    known = [one for one in inside if one is not None]
    return all(map(_is_public, known)) and (_is_public(address) or address.ipv4_mapped is not None)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    return address.is_global and not address.is_multicast


def is_sendable_url(url: str) -> bool:
    """Return whether requests can be sent to a URL: https, a host name, the usual port, and no user name.

    >>> is_sendable_url("https://push.example/a1"), is_sendable_url("http://push.example/a1")
    (True, False)
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= MAX_URL_LENGTH
    named = bool(parts.hostname) and not parts.username and parts.password is None and not parts.fragment
    return plain and parts.scheme == "https" and named and port in (None, HTTPS_PORT)


def resolve(host: str) -> Sequence[tuple[str, int]]:
    """Return the addresses of a host. Raise `OSError` if its name cannot be resolved."""
    found = socket.getaddrinfo(host, HTTPS_PORT, type=socket.SOCK_STREAM)
    return [(str(address[0]), int(address[1])) for *_others, address in found]


class OutgoingClient:
    """Client for requests to public addresses. Tests replace the resolver, the check and the certificates."""

    def __init__(
        self,
        resolver: Resolver = resolve,
        is_allowed: Callable[[str], bool] = is_public_address,
        certificates: ssl.SSLContext | None = None,
    ) -> None:
        self._resolver = resolver
        self._is_allowed = is_allowed
        self._certificates = certificates or ssl.create_default_context()
        self._pool = ThreadPoolExecutor(RESOLVER_THREADS, "facedown-resolve")

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Post `body` to a URL and return the status of the answer. Raise `RequestFailed` if there is no answer."""
        import httpx

        if not is_sendable_url(url):
            raise RequestFailed("address")
        try:
            async with asyncio.timeout(TIMEOUT):
                return await self._post(url, headers, body)
        except TimeoutError:
            raise RequestFailed("timeout") from None
        except (OSError, UnicodeError):
            raise RequestFailed("name") from None
        except (httpx.HTTPError, httpx.InvalidURL):
            raise RequestFailed("connection") from None

    async def _post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        import httpx

        named = httpx.URL(url)
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._pool, self._resolver, named.host)
        if not found or not all(self._is_allowed(address) for address, _port in found):
            raise RequestFailed("address")
        address, port = found[0]
        # Connect to the resolved address; the certificate is checked for the name.
        at = named.copy_with(host=address, port=port)
        async with httpx.AsyncClient(verify=self._certificates, trust_env=False, timeout=TIMEOUT) as client:
            to_name = {"host": named.netloc.decode("ascii"), **headers}
            extensions = {"sni_hostname": named.raw_host.decode("ascii")}
            request = client.build_request("POST", at, headers=to_name, content=body, extensions=extensions)
            answer = await client.send(request, stream=True)
            await answer.aclose()
            return answer.status_code

    def close(self) -> None:
        """End the threads of the resolver, without waiting for name servers."""
        self._pool.shutdown(wait=False, cancel_futures=True)
