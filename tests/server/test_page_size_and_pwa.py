"""Size and loading of pages, and the files of the installable web app."""

from __future__ import annotations

import gzip
import json
import mimetypes
import os
import re
import struct
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from httpx import Client, Response

from facedown.server import rendering
from facedown.server.http.pwa import precache_manifest
from facedown.server.rendering import assets
from facedown.server.rendering.assets import DIST_DIR
from tests.server.http_server import missing, open_table
from tests.server.request_cases import bad_security_headers

#: Compressed size of everything that a live table loads, including its first table, in bytes.
MOST_BYTES = 120_000
PAGES = (
    *("/", "/new/detect", "/guide/scout", "/docs", "/privacy", "/you", "/offline", "/open"),
    *("/score/reveille", "/score/reveal", "/score/detect"),
)


def sent_bytes(answer: Response) -> int:
    """Return the number of bytes of a response body as sent."""
    return answer.num_bytes_downloaded


def loaded_files(page: Response) -> list[str]:
    return re.findall(r'<(?:link rel="(?:stylesheet|preload|icon)" href|script type="module" src)="([^"]+)"', page.text)


@pytest.mark.parametrize("path", PAGES)
def test_page_loads_one_stylesheet_and_obeys_the_content_security_policy(ada: Client, path: str) -> None:
    """The page loads nothing from other sites and nothing that the policy forbids."""
    page = ada.get(path)
    assert page.headers["content-encoding"] == "gzip"
    assert path == "/you" or len(page.text.encode()) > 2 * sent_bytes(page), "where there is much, it is packed well"
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page.text
    assert bad_security_headers(dict(page.headers)) == []
    assert not re.findall(r'(?:src|href)="(?:https?:)?//(?!127\.0\.0\.1)', page.text)
    assert missing(page.text, "<script>", " style=", " onclick=") == ["<script>", " style=", " onclick="]
    (sheet,) = re.findall(r'rel="stylesheet" href="/static/(?:dist|sheets)/(\w+)\.css', page.text)
    body = re.sub(r"<svg.*?</svg>", "", page.text[page.text.index("<main") :], flags=re.S)
    # Without its stylesheet, a card has no size and cannot be selected.
    assert sheet != "page" or 'class="piece' not in body


@pytest.mark.parametrize("game", ["reveal", "detect", "reveille", "uncovered", "scout"])
def test_live_table_page_and_its_files_stay_below_120_kb(ada: Client, game: str) -> None:
    seats = ["low"] if game in ("reveal", "reveille") else ["low"] * 4
    page = ada.get(open_table(ada, *seats, game=game))
    total = sent_bytes(page)
    for url in dict.fromkeys(loaded_files(page)):
        answer = ada.get(url)
        assert answer.status_code == 200, url
        assert "immutable" in answer.headers["cache-control"], url
        total += sent_bytes(answer)
    # The WebSocket sends the table again after the deal, with at most the size of this page.
    assert total + sent_bytes(page) < MOST_BYTES


def imports(sheet: Path) -> set[Path]:
    return {(sheet.parent / name).resolve() for name in re.findall(r'@import "([^"]+)"', sheet.read_text("utf-8"))}


def test_every_source_stylesheet_is_imported_by_a_page() -> None:
    """A stylesheet that no page imports would have no effect. Styles that guide and table share are in one file."""
    sheets = {path.stem: path.resolve() for path in (rendering.STATIC / "sheets").glob("*.css")}
    named = set().union(*map(imports, sheets.values()))
    # The lobby's stylesheet is loaded by itself, beyond the table's.
    alone = {rendering.STATIC / "lobby.css", *sheets.values()}
    assert named - set(sheets.values()) == {path.resolve() for path in rendering.STATIC.glob("*.css")} - alone
    assert imports(sheets["table"]) & imports(sheets["guide"]) == {sheets["things"]}


def test_edited_stylesheet_is_served_without_a_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built, source = tmp_path / "dist" / "page.css", tmp_path / "base.css"
    built.parent.mkdir()
    for path in (source, built):
        path.write_text("i {}")
    monkeypatch.setattr(assets, "STATIC", tmp_path)
    monkeypatch.setattr(assets, "DIST_DIR", built.parent)
    monkeypatch.setattr(assets, "WEB_SOURCE_DIR", tmp_path)
    for cached in (assets.stylesheet_urls, assets.asset_url, assets.generated_file):
        monkeypatch.setattr(assets, cached.__name__, cached.__wrapped__)
    assert [url.split("?")[0] for url in assets.stylesheet_urls("page")] == ["/static/dist/page.css"]
    os.utime(source, (built.stat().st_mtime + 5,) * 2)
    assert [url.split("?")[0] for url in assets.stylesheet_urls("page")] == [
        "/static/dist/fonts.css",
        "/static/games.css",
        "/static/sheets/page.css",
    ]
    # An installed package has no source files that could have been edited.
    monkeypatch.setattr(assets, "WEB_SOURCE_DIR", tmp_path / "none")
    assert len(assets.stylesheet_urls("page")) == 1


def test_unversioned_files_are_revalidated_and_pages_have_padding_of_random_length(ada: Client) -> None:
    letters = rendering.STATIC.glob("dist/*.woff2")
    for name in ["tokens.css", "sheets/page.css"]:
        assert ada.get(f"/static/{name}").headers["cache-control"] == "no-cache"
    for path in letters:
        answer = ada.get(f"/static/dist/{path.name}")
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"] == "font/woff2"
    # Pages with secrets are compressed, so their length must not confirm a guess.
    lengths = {len(ada.get("/").headers["x-filler"]) for _ in range(40)}
    assert len(lengths) > 10
    assert "x-filler" not in ada.get("/static/tokens.css").headers


def test_fonts_and_built_stylesheets_stay_below_their_size_limits() -> None:
    letters = sorted(rendering.STATIC.glob("dist/*.woff2"))
    assert letters
    assert sum(path.stat().st_size for path in letters) < 40_000
    assert rendering.STATIC.joinpath(assets.preload_font_url().removeprefix("/static/")).read_bytes()[:4] == b"wOF2"
    for kind in ("page", "table", "replay", "guide"):
        assert 1_000 < len(gzip.compress(rendering.generated_file(f"dist/{kind}.css") or b"")) < 30_000


#: Content types that browsers require: they run no script of another type.
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "txt": "text/plain"}
TYPES |= {"json": "application/json", "map": "application/json", "ttf": "font/ttf", "woff2": "font/woff2"}


def test_static_file_types_ignore_the_mime_registry_of_the_system(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some systems register scripts as plain text."""
    for ending in TYPES:
        monkeypatch.setitem(mimetypes.types_map, f".{ending}", "text/x-strange")
    files = [str(path.relative_to(rendering.STATIC)) for path in rendering.STATIC.rglob("*.*")]
    assert {path.rpartition(".")[2] for path in files} <= set(TYPES)
    for name in [*files, "texts/de.js", "games.css"]:
        answer = ada.get(f"/static/{name}")
        assert answer.status_code == 200, name
        assert answer.headers["content-type"].split(";")[0] == TYPES[name.rpartition(".")[2]], name
        again = ada.get(f"/static/{name}", headers={"if-none-match": answer.headers.get("etag", "")})
        assert again.status_code in (200, 304)
    assert ada.get("/sw.js").headers["content-type"].split(";")[0] == "text/javascript"


def test_web_app_manifest_lists_existing_icons(ben: Client) -> None:
    answer = ben.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["short_name"], manifest["display"]) == ("Facedown", "standalone")
    home = urljoin("http://here.example/below/manifest.webmanifest", manifest["start_url"])
    assert home == "http://here.example/below/", "it stands wherever the app does"
    seen = set()
    for icon in manifest["icons"]:
        assert not icon["src"].startswith(("/", "http")), "relative to the manifest"
        picture = ben.get(f"/{icon['src']}")
        assert picture.status_code == 200
        assert picture.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            wide, high = struct.unpack(">II", picture.content[16:24])
            assert f"{wide}x{high}" == icon["sizes"]
        seen.add((icon["sizes"], icon["purpose"]))
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= seen
    for other in ("191", "513", "0", "big", "192-round"):
        assert ben.get(f"/icons/{other}.png").status_code == 404, other


@pytest.mark.skipif(not (DIST_DIR / "worker.js").exists(), reason="the bundle is not built")
def test_service_worker_precaches_only_public_pages(ben: Client) -> None:
    answer = ben.get("/sw.js")
    assert answer.headers["cache-control"] == "no-cache"
    given = json.loads(answer.text.split("\n")[0].removeprefix("self.KEPT=").removesuffix(";"))
    addresses = [*given["files"], *given["pages"], given["offline"]]
    assert {"guide/reveal", "guide/scout", "offline"} <= set(addresses)
    for address in addresses:
        assert urlsplit(address).path.split("/")[0] in ("static", "guide", "offline")
        got = ben.get(f"/{address}")
        assert got.status_code == 200, address
        assert "set-cookie" not in got.headers, address


def test_offline_page_holds_no_personal_data_and_is_cached_per_language(ada: Client, ben: Client) -> None:
    ada.post("/quick", data={"name": "Ada of the offline page"})
    told = ada.get("/offline").text
    assert "Ada" not in told
    assert told == ben.get("/offline").text
    assert "/t/" not in told
    assert precache_manifest("en")["version"] != precache_manifest("de")["version"], "each language is kept apart"
