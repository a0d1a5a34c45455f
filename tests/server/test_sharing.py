"""What others are shown of a link: preview pictures, and the words beside them."""

from __future__ import annotations

import re
import struct

import httpx
import pytest

from facedown.core.game import catalogue
from facedown.core.language import languages, speaking
from facedown.server import look
from facedown.server.look.preview import preview_svg, wrapped
from tests.server.serving import Server, open_table


def size_of(answer: httpx.Response) -> tuple[int, int]:
    """The size of a picture that was answered."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", answer.content[16:24])
    return width, height


def said(page: str) -> dict[str, str]:
    """What a page tells chat programs and search engines."""
    return dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page))


@pytest.mark.parametrize("game", list(catalogue()))
def test_every_game_has_a_picture(game: str, ada: httpx.Client) -> None:
    assert size_of(ada.get(f"/preview/{game}.png")) == (1200, 630)


def test_the_house_has_a_picture(ada: httpx.Client) -> None:
    assert size_of(ada.get("/preview.png")) == (1200, 630)


def test_an_invitation_names_its_host_and_its_picture(ada: httpx.Client, ben: httpx.Client, server: Server) -> None:
    url = open_table(ada, "open")
    about = said(ben.get(url).text)
    assert about["og:title"] == "Ada invites you to Detect"
    assert about["og:image"].startswith(f"{server.origin}{url}/preview.png")
    assert about["robots"] == "noindex"
    assert size_of(ben.get(about["og:image"])) == (1200, 630)


def test_nothing_is_drawn_of_a_running_table_without_watchers(ada: httpx.Client, ben: httpx.Client) -> None:
    form = {"game": "detect", "name": "Ada", "seat-0": "you", "seat-1": "low", "clock": "0"}
    url = ada.post("/tables", data=form).headers["location"]
    for address in (url, f"{url}/preview.png"):
        refused = ben.get(address)
        assert refused.status_code == 403
        assert "without spectators" in refused.text
        assert "og:title" not in refused.text


def test_a_running_table_shows_backs_alone(ada: httpx.Client, ben: httpx.Client) -> None:
    """The picture is the same whatever lies on the table: it follows from the names alone."""
    first, second = (open_table(ada, "low") for _ in range(2))
    pictures = [ben.get(f"{url}/preview.png") for url in (first, second)]
    assert size_of(pictures[0]) == (1200, 630)
    assert ben.get(f"{first}/preview.png").content == pictures[0].content


def test_a_finished_match_shows_its_result_and_its_moments(over: str, ben: httpx.Client) -> None:
    result = ben.get(f"/m/{over}/preview.png")
    assert size_of(result) == (1200, 630)
    about = said(ben.get(f"/m/{over}?ply=3&eyes=0").text)
    assert "ply=3&amp;eyes=0" in about["og:image"]
    moment = ben.get(about["og:image"].replace("&amp;", "&"))
    assert size_of(moment) == (1200, 630)
    assert moment.content != result.content


@pytest.mark.parametrize(
    ("query", "status"), [("ply=99999", 422), ("ply=x", 422), ("ply=1&eyes=9", 422), ("ply=1&eyes=you", 422)]
)
def test_a_moment_that_is_none_is_refused(over: str, ben: httpx.Client, query: str, status: int) -> None:
    assert ben.get(f"/m/{over}/preview.png?{query}").status_code == status


@pytest.mark.parametrize("address", ["/t/ZZZZ/preview.png", "/m/ZZZZ/preview.png", "/preview/whist.png"])
def test_what_is_not_there_has_no_picture(ben: httpx.Client, address: str) -> None:
    assert ben.get(address).status_code == 404


def test_a_match_that_goes_on_has_no_picture_of_its_moments(ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(ada, "low")
    for query in ("", "?ply=1&eyes=0"):
        refused = ben.get(f"{url.replace('/t/', '/m/')}/preview.png{query}")
        assert refused.status_code == 409


def test_pictures_are_not_drawn_for_one_address_without_end(
    server: Server, ben: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.app.state.pictures, "take", lambda who: False)
    assert ben.get("/preview.png").status_code == 429


def test_search_engines_are_told_of_public_pages(ada: httpx.Client, server: Server) -> None:
    assert f"Sitemap: {server.origin}/sitemap.xml" in ada.get("/robots.txt").text
    addresses = re.findall(r"<loc>([^<]*)</loc>", ada.get("/sitemap.xml").text)
    assert f"{server.origin}/guide/detect?lang=de" in addresses
    for address in addresses:
        page = ada.get(address)
        assert page.status_code == 200, address
        about = said(page.text)
        assert about["description"], address
        assert "robots" not in about, address
        for code in languages():
            assert f'hreflang="{code}"' in page.text, address


@pytest.mark.parametrize("code", list(languages()))
def test_long_words_and_other_scripts_stay_inside(code: str) -> None:
    with speaking(code):
        svg = preview_svg(look.Preview("detect", "Donaudampfschifffahrtsgesellschaftskapitän " * 4, line="名前 " * 30))
    assert svg.count("<text") <= 9
    assert "var(" not in svg
    for line in wrapped("Donaudampfschifffahrtsgesellschaftskapitän", 7.0):
        assert len(line) < 20


def test_names_cannot_write_into_a_picture() -> None:
    svg = preview_svg(look.Preview("detect", "</text><script>alert(1)</script>", line='"><image href="x"/>'))
    assert "<script" not in svg
    assert "<image" not in svg
