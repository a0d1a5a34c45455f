"""Page comparison of the fault runs: it ignores everything that differs from drawing to drawing of a page."""

from __future__ import annotations

from pathlib import Path

import httpx

from facedown.play.presence import RELOAD_TIME
from facedown.server.http.visitors import COOKIE
from tests.faults.players import stable_html
from tests.server.http_server import PATIENCE, Live, open_table, serving, start_match
from tests.waiting import wait_until


def test_page_comparison_after_a_fault_ignores_the_countdown_of_an_absent_player(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.client() as ada, server.client() as ben:
        url = open_table(ada, "open")
        assert ben.post(f"{url}/sit", data={"name": "Ben"}).status_code == 303

        def table() -> str:
            return ada.get(url).text.partition('<main id="app"')[2].partition("</main>")[0]

        with Live(server, ada, url) as hers, Live(server, ben, url) as his:
            start_match(hers, his)
            his.socket.close()
            (room,) = server.rooms.all_in_memory()
            wait_until(lambda: not room.session.presence.connected(1))
            server.advance(RELOAD_TIME)
            page = table()
            assert 'class="ring"' in page
            server.advance(1)
            later = table()
            assert later != page
        assert stable_html(later) == stable_html(page)


def test_page_comparison_after_a_fault_ignores_the_server_address_shown_in_a_lobby(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.client() as ada:
        url = open_table(ada, "open")
        cookie = {"Cookie": f"{COOKIE}={ada.cookies[COOKIE]}"}
        here, there = (
            httpx.get(f"{origin}{url}", headers=cookie, timeout=PATIENCE)
            .text.partition('<main id="app"')[2]
            .partition("</main>")[0]
            for origin in (server.origin, server.origin.replace("127.0.0.1", "localhost"))
        )
    assert 'class="qr"' in here
    assert here != there
    assert stable_html(here) == stable_html(there) != ""
