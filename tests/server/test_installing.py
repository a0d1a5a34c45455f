"""The app's own files: manifest, icons, service worker, the page without a connection."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from facedown.server.http.installing import kept
from facedown.server.look.assets import BUILT
from tests.server.serving import Server


@pytest.fixture
def stranger(server: Server) -> Iterator[httpx.Client]:
    """Somebody without a cookie."""
    with server.client() as client:
        yield client


def test_the_manifest_names_icons_that_are_there(stranger: httpx.Client) -> None:
    answer = stranger.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["short_name"], manifest["display"]) == ("Facedown", "standalone")
    home = urljoin("http://here.example/below/manifest.webmanifest", manifest["start_url"])
    assert home == "http://here.example/below/", "it stands wherever the app does"
    seen = set()
    for icon in manifest["icons"]:
        assert not icon["src"].startswith(("/", "http")), "relative to the manifest"
        picture = stranger.get(f"/{icon['src']}")
        assert picture.status_code == 200
        assert picture.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            wide, high = struct.unpack(">II", picture.content[16:24])
            assert f"{wide}x{high}" == icon["sizes"]
        seen.add((icon["sizes"], icon["purpose"]))
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= seen


@pytest.mark.parametrize("name", ["191", "513", "0", "big", "192-round"])
def test_no_other_icon_is_drawn(name: str, stranger: httpx.Client) -> None:
    assert stranger.get(f"/icons/{name}.png").status_code == 404


@pytest.mark.parametrize("path", ["/", "/guide/detect", "/offline"])
def test_every_page_names_the_manifest_and_stays_strict(path: str, stranger: httpx.Client) -> None:
    answer = stranger.get(path)
    assert '<link rel="manifest" href="/manifest.webmanifest">' in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.skipif(not (BUILT / "worker.js").exists(), reason="the bundle is not built")
def test_the_worker_keeps_only_what_is_nobodys_own(stranger: httpx.Client) -> None:
    answer = stranger.get("/sw.js")
    assert answer.headers["cache-control"] == "no-cache"
    given = json.loads(answer.text.split("\n")[0].removeprefix("self.KEPT=").removesuffix(";"))
    addresses = [*given["files"], *given["pages"], given["offline"]]
    assert {"guide/reveal", "guide/scout", "offline"} <= set(addresses)
    for address in addresses:
        assert urlsplit(address).path.split("/")[0] in ("static", "guide", "offline")
        got = stranger.get(f"/{address}")
        assert got.status_code == 200, address
        assert "set-cookie" not in got.headers, address


def test_the_offline_page_knows_nobody(server: Server, stranger: httpx.Client) -> None:
    with server.client() as ada:
        ada.post("/quick", data={"name": "Ada of the offline page"})
        told = ada.get("/offline").text
    assert "Ada" not in told
    assert told == stranger.get("/offline").text
    assert "/t/" not in told


def test_another_version_has_another_name() -> None:
    assert kept("en")["version"] != kept("de")["version"], "each language is kept apart"
