"""Accessible names on pages: every element has a name in words, no id is read aloud, and headings are nested."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from facedown.check.random_matches import GAMES, SITTERS, match_with_random_options, play_randomly
from facedown.core.game_registry import catalogue
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Table
from facedown.server import rendering
from facedown.server.rendering import render_table_or_result
from facedown.terminal.screen_reader import table_sentences

#: Matches ids: parts joined by hyphens with a number or a letter at the end, and snake case.
ID = re.compile(r"\b[a-z]+\d*(?:-[a-z]+)*-(?:\d+|[A-Z]|[a-z]\d|[A-Z]\d)\b|\w_\w")


class PageReader(HTMLParser):
    """Collects the accessible names, the texts and the heading levels of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.texts: list[str] = []
        self.levels: list[int] = []
        self.nameless: list[str] = []
        self.skipped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.skipped += tag in ("script", "style", "svg")
        for attribute in ("aria-label", "aria-valuetext", "title", "alt", "placeholder"):
            if attribute in named:
                self.names.append(named[attribute] or "")
        if named.get("role") in ("group", "img") and not (named.get("aria-label") or "").strip():
            self.nameless.append(self.get_starttag_text() or tag)
        if re.fullmatch(r"h[1-6]", tag):
            self.levels.append(int(tag[1]))

    def handle_endtag(self, tag: str) -> None:
        self.skipped -= tag in ("script", "style", "svg")

    def handle_data(self, data: str) -> None:
        if not self.skipped and data.strip():
            self.texts.append(data)


#: An SVG picture and its content, which is skipped unless a part has a name or a role.
PICTURE = re.compile(r"(<svg\b[^>]*(?<!/)>)((?:(?!<svg\b).)*?)</svg>", re.DOTALL)
ACCESSIBLE_TEXT = re.compile(r"aria-|role=|title=|alt=|placeholder=|<h\d")


def read_page(html: str) -> PageReader:
    found = PageReader()
    found.feed(PICTURE.sub(lambda p: p[0] if ACCESSIBLE_TEXT.search(p[2]) else f"{p[1]}</svg>", html))
    assert found.skipped == 0, "a picture lies in another one"
    return found


def ids_of(table: Table) -> set[str]:
    """Return every id of a table that is not an ordinary word."""
    found = {zone.id for zone in table.zones} | {piece.place for zone in table.zones for piece in zone.pieces}
    found |= {panel.id for panel in table.panels}
    return {one for one in found if re.search(r"[-\d_]", one)}


def words_of(table: Table) -> Iterator[str]:
    """Yield the texts for people in the table's JSON data."""
    data = json.loads(json.dumps(table.to_json()))
    for zone in data["zones"]:
        assert zone["says"].strip(), f"{zone['id']} has no name"
        assert zone["says"][0].isupper(), zone["says"]
        yield from (zone["says"], zone["label"], zone["note"])
        for piece in zone["pieces"]:
            yield from (piece["name"], piece["where"], piece["tag"])
    for seat in data["seats"]:
        yield from (seat["name"], seat["line"], seat["state"], *(badge["says"] for badge in seat["badges"]))


def random_tables(name: str) -> Iterator[tuple[Match, Table]]:
    """Yield tables of random matches in every phase, with all options, for seats and a spectator."""
    rnd = random.Random(f"heard {name}")
    for number in range(7):
        match = match_with_random_options(name, rnd)
        for _ in range(25):
            viewer = rnd.choice((SPECTATOR, *range(match.seats)))
            yield match, match.table(viewer, SITTERS[: match.seats], memory_aid=rnd.random() < 0.3)
            if match.over:
                break
            play_randomly(match, rnd, rnd.randint(1, 9) if number else 200)


def check_words(text: str, ids: set[str], where: str) -> None:
    assert not ID.search(text), f"{text!r}: {where}"
    for one in set(re.findall(r"[\w-]+", text)) & ids:
        raise AssertionError(f"{one} is an id: {text!r}, {where}")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_table_element_has_an_accessible_name_that_contains_no_internal_id(name: str) -> None:
    phases = set()
    for match, table in random_tables(name):
        where = f"{match.options}, {table.phase}, to {table.viewer}"
        phases.add(table.phase)
        ids = ids_of(table)
        for text in words_of(table):
            check_words(text, ids, where)
        zones = [zone.says for zone in table.zones]
        assert len(set(zones)) == len(zones), f"two zones of one name: {zones}, {where}"
        html = render_table_or_result(table)
        page = read_page(html)
        assert not page.nameless, f"{page.nameless[0]}: {where}"
        for text in (*page.names, *page.texts):
            check_words(text, ids, where)
        for sentence in table_sentences(table):
            check_words(sentence, ids, where)
        if not table.over:
            # Tricks won are in a panel with its own heading.
            panels = {panel.id for panel in table.panels}
            for zone in table.zones:
                assert zone.group in panels or any(one.startswith(zone.says) for one in page.names), (
                    f"{zone.says} is not heard: {where}"
                )
    assert len(phases) >= 2


def test_the_pattern_that_finds_element_ids_in_texts_matches_ids_and_no_words() -> None:
    for bad in ("side-1-L", "grid-1", "final-card-1", "p0-a3", "hand-2", "base-L1", "end0-L", "opening_pick"):
        assert ID.search(f"{bad}, 3"), bad
    for good in ("row 2, column 3", "6·4, worth ten", "Head-to-head", "Draw pile, 82", "twenty-one cards"):
        assert not ID.search(good), good


def are_nested(levels: list[int]) -> bool:
    """Return whether level 1 comes first and only once, and no level is skipped."""
    return levels[:1] == [1] and levels.count(1) == 1 and all(b <= a + 1 for a, b in pairwise(levels))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_heading_levels_of_table_pages_are_nested(name: str) -> None:
    for match, table in random_tables(name):
        message = rendering.TablePage(table, rendering.TableContext()).whole_page_message(version=1)
        page = rendering.table_page(rendering.Shell(), message, game=name, code="K7QM", hints=True)
        levels = read_page(page).levels
        assert are_nested(levels), f"{levels}: {table.phase}, {match.options}"


@cache
def pages_without_table() -> dict[str, str]:
    shell = rendering.Shell()
    games = list(catalogue().values())
    pages = {
        "home": rendering.home_page(shell, games),
        "scores": rendering.scorekeeper_index_page(shell, games),
        "error": rendering.error_page(shell, status=404, title="Not found", says="Table ABCD does not exist."),
    }
    for info in games:
        sheet = rendering.NewTableForm((("casual", "Casual", "plays by eye"),), "casual")
        pages[f"new {info.name}"] = rendering.new_table_page(shell, info, sheet, games=games)
        join = rendering.Invitation(info.name, info.title, "K7QM", "Ada", 1, True)
        pages[f"join {info.name}"] = rendering.join_page(shell, join)
        place = rendering.LobbySeat(0, "Ada", you=True)
        lobby = rendering.Lobby(
            info.name, info.title, "K7QM", "http://here.example/t/K7QM", (place, rendering.LobbySeat(1, "")), 0
        )
        message = rendering.lobby_message(lobby, version=1)
        pages[f"lobby {info.name}"] = rendering.table_page(shell, message, game=info.name, code="K7QM")
    return pages


def test_heading_levels_of_all_other_pages_are_nested() -> None:
    for name, page in pages_without_table().items():
        # The home page behind the new-table sheet is inert.
        levels = read_page(re.sub(r"<main[^>]* inert>.*?</main>", "", page, flags=re.DOTALL)).levels
        assert are_nested(levels), f"{name}: {levels}"
        for text in read_page(page).names:
            check_words(text, set(), name)
