"""HTML of the page *Open tables*, of an offered seat, of rows on the home page, and of the host's switch."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.server.rendering.test_page_sections import table_after
from tests.server.rendering.test_rendered_html import EVIL, Checker

from facedown.core.game_registry import catalogue
from facedown.server import rendering
from facedown.server.rendering.home import Home
from facedown.server.rendering.open_tables import OpenTableRow, OpenTables, SeatOffer, SeatSearch
from facedown.server.rendering.table_html import render_section

GAMES = list(catalogue().values())
SIT = OpenTableRow("scout", "SCOUT with Noor", "one seat free", "K7QM4XPN", (("Noor", False), ("", False)), "sit")
TAKE = SIT._replace(code="A7QM4XPN", action="take-over", people=(("Noor", False), ("Juniper", True)))
WATCH = SIT._replace(code="B7QM4XPN", action="watch")
OFFER = SeatOffer("scout", "SCOUT for four", "A minute per turn.", (("Noor", False, "host"),), "K7QM4XPN", 48, 60)
LOOKING = SeatSearch(True, "SCOUT · a minute per turn.", ("scout",), "minute")
STATES = {
    "empty": OpenTables(),
    "list": OpenTables((SIT, TAKE), (WATCH,), 2),
    "looking": OpenTables((SIT,), (), 1, LOOKING, message=EVIL),
    "found": OpenTables((SIT,), (), 1, LOOKING, OFFER),
    "notice": OpenTables((), (WATCH,), 0, SeatSearch(notice=True, notice_line="SCOUT"), OFFER._replace(notice=True)),
    "error": OpenTables((), (), 0, SeatSearch(error=EVIL, games=("scout",), pace="day"), only="scout"),
    "evil": OpenTables((SIT._replace(title=EVIL, line=EVIL, people=((EVIL, False),)),)),
}


def page(shown: OpenTables, name: str = "Yves") -> str:
    return rendering.open_tables_page(rendering.Shell(name=name), GAMES, shown)


def row(html: str, code: str) -> str:
    found = re.search(rf'<li [^>]*id="open-{code}".*?</li>', html, re.DOTALL)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("state", STATES)
def test_every_state_of_the_page_is_well_formed_and_escaped_and_contains_the_changing_part(state: str) -> None:
    html = page(STATES[state])
    for text in (html, rendering.open_tables_list(GAMES, STATES[state])):
        checker = Checker()
        checker.feed(text)
        assert len(checker.ids) == len(set(checker.ids))
        assert EVIL not in text
    assert rendering.open_tables_list(GAMES, STATES[state]) in html


@pytest.mark.parametrize(
    ("shown", "name", "action"),
    [
        (SIT, "Sit down at SCOUT with Noor", "/t/K7QM4XPN/sit"),
        (TAKE, "Take over a seat: SCOUT with Noor", "/t/A7QM4XPN/sit"),
        (WATCH, "Watch SCOUT with Noor", "/t/B7QM4XPN/watch"),
    ],
)
def test_button_of_a_row_is_named_after_its_table_and_begins_with_its_label(
    shown: OpenTableRow, name: str, action: str
) -> None:
    found = row(page(OpenTables((shown,))), shown.code)
    assert f'aria-label="{name}"' in found
    assert f'action="{action}"' in found
    label = re.sub(r"<[^>]*>", "", found.partition(f'aria-label="{name}">')[2]).strip()
    assert label
    assert name.startswith(label)
    assert ("data-named" in found) == (shown is not WATCH)


def test_search_card_shows_the_form_the_running_search_or_the_seat_that_was_found() -> None:
    def state(shown: OpenTables) -> str:
        found = re.search(r'data-state="(\w+)"', page(shown))
        assert found is not None
        return found[1]

    assert [state(STATES[name]) for name in ("list", "looking", "found", "notice")] == [
        "form",
        "looking",
        "found",
        "form",
    ]
    ticked = re.findall(r'name="(game-\w+)" aria-label="[^"]*" checked', page(STATES["error"]))
    assert ticked == ["game-scout"]
    assert 'value="day" checked' in page(STATES["error"])
    # A wish to be told is sent with the games of the running search.
    looking = page(STATES["looking"])
    assert '<input type="hidden" name="game-scout" value="on">' in looking
    assert 'aria-pressed="false" form="search"' in looking
    assert 'aria-pressed="true"' in page(STATES["notice"]).partition('class="card menu notice"')[2]


def test_only_a_visitor_without_a_name_gets_the_dialog_that_asks_for_one() -> None:
    assert 'id="name-first"' not in page(STATES["list"])
    assert 'id="name-first"' in page(STATES["list"], name="")


def test_offered_seat_has_a_bar_and_an_answer_and_a_notice_has_neither() -> None:
    offer, notice = (rendering.seat_offer(OFFER._replace(notice=notice)) for notice in (False, True))
    assert "Your seat is kept for 0:48." in offer
    assert 'id="offer-rest" width="80.0"' in offer
    assert offer.index('value="no"') < offer.index('value="yes"')
    assert 'action="/open/answer"' in offer
    assert "kept" not in notice
    assert "offer-rest" not in notice
    assert 'action="/t/K7QM4XPN/sit"' in notice
    assert "next round" not in offer
    assert "in the next round" in rendering.seat_offer(OFFER._replace(takes_over=True))


def test_home_page_lists_open_tables_and_links_to_the_list() -> None:
    tables = (rendering.TableLink("scout", "SCOUT", "waiting", "/t/K7QM4XPN"),)
    first, back = (
        rendering.home_page(rendering.Shell(), GAMES, Home(tables=own, open=(SIT, TAKE))) for own in ((), tables)
    )
    assert first.index('<nav class="lids"') < first.index('id="open-title"'), "the games of a first visit come first"
    for html in (first, back):
        assert html.count('class="table-row open-row"') == 2
        assert '<a href="/open">' in html.partition('class="home-foot"')[2]


def test_host_lists_the_table_in_the_lobby_and_open_seats_say_so() -> None:
    places = (rendering.LobbySeat(0, "Ada", you=True, host=True), rendering.LobbySeat(1))
    lobby = rendering.Lobby("scout", "SCOUT", "K7QM4XPN", "http://x.test/t/K7QM4XPN", places, 0, True, may_list=True)
    html = rendering.render_lobby(lobby)
    assert html.count('{"listed": true, "type": "list"}') == 2
    assert "anyone with the link" in html
    html = rendering.render_lobby(lobby._replace(listed=True))
    assert html.count('{"listed": false, "type": "list"}') == 2
    assert html.count('aria-pressed="true"') == 2
    assert "anyone, listed" in html
    guest = rendering.render_lobby(lobby._replace(listed=True, may_list=False, host=False))
    assert '"type": "list"' not in guest
    assert "listed among the open tables" in guest


def test_menu_of_the_host_lists_the_table_and_nobody_elses_does() -> None:
    table = table_after(4)
    contexts = {listed: rendering.TableContext(listed=listed) for listed in (None, False, True)}
    shown = {
        listed: str(render_section(rendering.TablePage(table, context).sections["menu-listing"]))
        for listed, context in contexts.items()
    }
    assert "hidden" in shown[None]
    assert "button" not in shown[None]
    assert '"listed": true' in shown[False]
    assert '"listed": false' in shown[True]
    assert "Remove from the list" in shown[True]


def test_spectator_reads_about_taking_over_a_bot_in_the_prompt_and_has_one_button() -> None:
    table = table_after(4)
    table = replace(table, step=table.step._replace(choices=(), help="Help."))
    says = rendering.TableContext(code="K7QM4XPN", takeover="You can take over from Juniper.")
    asks = says._replace(takeover_request={"type": "takeover"}, takeover_label="Take over from Juniper")
    plain, waiting, asking = (
        rendering.TablePage(table, context) for context in (rendering.TableContext(code="K7QM4XPN"), says, asks)
    )
    assert "take-over" not in plain.html + waiting.html
    assert '"type": "takeover"' in asking.html
    for one in (waiting, asking):
        assert "Help. You can take over from Juniper." in one.html
        # The client writes the same text into the prompt.
        assert one.whole_page_message(version=1)["step"]["help"] == "Help. You can take over from Juniper."
