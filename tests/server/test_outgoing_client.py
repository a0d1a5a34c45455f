"""The client that sends requests to addresses of strangers: only https, only public addresses, no redirects."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from facedown.server.notices import outgoing_client
from facedown.server.notices.outgoing_client import (
    OutgoingClient,
    RequestFailed,
    is_public_address,
    is_sendable_url,
)
from tests.server.push_service import HOST, PushService, push_service

PRIVATE = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
    *("::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "2002:7f00:1::"),
    *("64:ff9b::7f00:1", "64:ff9b::a00:1", "2001:0:a00:1::", "240.0.0.1", "255.255.255.255", "192.0.2.1"),
)
PUBLIC = ("9.9.9.9", "142.250.1.1", "2620:fe::fe", "::ffff:9.9.9.9", "2a00:1450:4001:80b::200e", "64:ff9b::909:909")


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running


def status(client: OutgoingClient, url: str) -> int | str:
    """Return the status of the answer or, without an answer, the reason."""
    try:
        return asyncio.run(client.post(url, {"ttl": "1"}, b"x"))
    except RequestFailed as wrong:
        return str(wrong)


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_of_private_networks_are_not_public(address: str) -> None:
    assert not is_public_address(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public_address(address)


@pytest.mark.parametrize(
    "url",
    [
        *("http://push.test/a", "https://push.test:8443/a", "https://user@push.test/a", "https:///a", "https://", ""),
        *("ftp://push.test/a", "https://push.test/a b", "https://push.test/\n", "https://push.test:x/", "//push.test"),
        *(f"https://push.test/{'a' * 500}", "https://pu\u017fh.test/", "file:///etc/passwd", "https://push.test/a#b"),
    ],
)
def test_other_urls_than_https_are_refused_without_a_lookup(url: str) -> None:
    asked: list[str] = []
    client = OutgoingClient(lambda host: asked.append(host) or [])  # type: ignore[func-returns-value]
    assert not is_sendable_url(url)
    assert (status(client, url), asked) == ("address", [])


@pytest.mark.parametrize("addresses", [["10.0.0.7"], ["127.0.0.1"], ["::1"], ["9.9.9.9", "10.0.0.7"], []])
def test_a_host_with_any_private_address_gets_no_request(service: PushService, addresses: list[str]) -> None:
    client = OutgoingClient(lambda _: [(address, service.port) for address in addresses])
    before = sum(service.requests.values())
    assert status(client, f"https://{HOST}/ok/private") == "address"
    assert sum(service.requests.values()) == before


def test_a_host_is_resolved_once_and_the_resolved_address_is_used(service: PushService) -> None:
    asked: list[str] = []

    def resolver(host: str) -> Sequence[tuple[str, int]]:
        asked.append(host)
        return [("127.0.0.1", service.port if len(asked) == 1 else 1)]

    client = OutgoingClient(resolver, lambda _: True, service.client()._certificates)
    service.browser("410/once")
    assert (status(client, f"https://{HOST}/410/once"), asked) == (410, [HOST])


def test_redirects_are_not_followed(service: PushService) -> None:
    assert status(service.client(), f"https://{HOST}/redirect/1") == 307
    assert not service.requests["ok/redirected"]


def test_a_service_that_does_not_answer_is_left_after_the_timeout(
    service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing_client, "TIMEOUT", 0.2)
    assert status(service.client(), f"https://{HOST}/hang/1") == "timeout"


def test_a_certificate_for_another_name_is_refused(service: PushService) -> None:
    everywhere = OutgoingClient(lambda _: [("127.0.0.1", service.port)], lambda _: True, service.client()._certificates)
    assert status(everywhere, "https://other.test/ok/1") == "connection"
    assert status(OutgoingClient(lambda _: [("127.0.0.1", service.port)], lambda _: True), f"https://{HOST}/ok/1") == (
        "connection"
    )


def test_a_name_that_cannot_be_resolved_is_an_error_of_its_own() -> None:
    def fail(_host: str) -> Sequence[tuple[str, int]]:
        raise OSError

    assert status(OutgoingClient(fail), f"https://{HOST}/ok/1") == "name"
