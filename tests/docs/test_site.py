"""The built site: it has every page and every public module, all can be found, and nothing is loaded from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from tools import reference
from tools.docsite import api_pages

from facedown.core.game_registry import catalogue
from tests.docs.conftest import Site

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(600)]

#: Attributes with addresses that a browser fetches by itself.
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "srcset", "video": "src", "object": "data"}


class Fetched(HTMLParser):
    """The addresses that a page fetches."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "link" and given.get("rel") not in ("prev", "next"):
            self.found.append(given.get("href") or "")
        elif tag in FETCHED:
            self.found.append(given.get(FETCHED[tag]) or "")


def from_elsewhere(text: str) -> list[str]:
    """Return the addresses on other hosts that a page fetches."""
    return [one for one in Fetched(text).found if re.match(r"(?:\w+:)?//", one)]


def test_site_build_prints_no_warning_and_no_error(site: Site) -> None:
    assert not re.search(r"^(WARNING|ERROR)", site.said, re.MULTILINE), site.said


def test_every_public_module_has_a_page_on_the_site(site: Site) -> None:
    for page in api_pages.pages():
        text = (site.folder / page.uri).with_suffix(".html").read_text("utf-8")
        assert f'id="{page.name}"' in text, f"{page.uri} does not tell of {page.name}"


def test_reference_page_has_every_public_name_of_its_module(site: Site) -> None:
    for name in ("facedown.core.match", "facedown.games.scout.rules", "facedown.simulate.random_playouts"):
        module = reference.module_of(api_pages.file_of(name))
        page = next(page for page in api_pages.pages() if page.name == name)
        text = (site.folder / page.uri).with_suffix(".html").read_text("utf-8")
        assert module.entries
        assert [entry.name for entry in module.entries if f'id="{name}.{entry.name}"' not in text] == []


def test_site_loads_nothing_from_other_hosts(site: Site) -> None:
    assert len(site.pages()) > 100
    assert {page.name: found for page in site.pages() if (found := from_elsewhere(page.read_text("utf-8")))} == {}
    for style in site.folder.rglob("*.css"):
        assert not re.findall(r"""(?:@import|url\()\s*["']?(?:\w+:)?//[^)]*""", style.read_text("utf-8")), style.name


def test_check_for_content_from_other_hosts_finds_script_and_stylesheet_addresses() -> None:
    page = '<a href="https://a"></a><img src="b.webp"><script src="//c/d.js"></script><link href="https://e" rel=icon>'
    assert from_elsewhere(page) == ["//c/d.js", "https://e"]


@pytest.mark.parametrize(
    ("word", "where"),
    [
        ("boneyard", "guides/reveille.html"),
        ("non-interference", "notes/secrets.html"),
        ("redeal_into", "reference/core/hidden_cards.html"),
        ("systemd", "host.html"),
        ("Longest", "examples/a_bot.html"),
        ("/api/v1/games", "api.html"),
    ],
)
def test_search_index_of_the_site_has_each_sample_word_for_the_page_that_contains_it(
    word: str, where: str, site: Site
) -> None:
    pages = {entry["location"].partition("#")[0] for entry in site.index() if word.lower() in str(entry).lower()}
    assert where in pages


def test_pages_of_the_site_show_pictures_of_positions_without_hidden_card_faces(site: Site) -> None:
    """Checks the front page, each guide and a page of the reference."""
    pages = ["index.html", *(f"guides/{game}.html" for game in catalogue()), "reference/core/match.html"]
    for name in pages:
        page = site.folder / name
        pictures = re.findall(r'<img src="([^"]*assets/drawn/[^"]+)"', page.read_text("utf-8"))
        assert pictures, f"{name} shows no position"
        for picture in pictures:
            svg = (page.parent / picture).read_text("utf-8")
            assert "var(" not in svg
            faces = set(re.findall(r'<symbol id="([^"]+)"', svg))
            assert faces <= set(re.findall(r'href="#([^"]+)"', svg))
