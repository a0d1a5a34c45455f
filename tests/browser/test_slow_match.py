"""A slow match of two people over three simulated days: each finds every turn by a notice, by day."""

from __future__ import annotations

import datetime as dt
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, expect

from facedown.check.launch_chromium import LAUNCH_FLAGS, find_chromium
from facedown.play.notice_times import NIGHT_BEGINS, NIGHT_ENDS
from facedown.server.process.server_settings import BotCatalogue
from tests.browser.players import DESKTOP, PHONE, Person
from tests.browser.test_notices import DISPATCH, FAKE_PUSH_SERVICE, Messages, is_your_turn
from tests.ports import Port
from tests.server.http_server import Server, code_of, serving
from tests.server.push_service import PushService, push_service
from tests.server.test_notices import acting, send_due

pytestmark = [pytest.mark.browser, pytest.mark.nightly, pytest.mark.timeout(600)]

HOUR, DAY = 3600.0, 86_400.0
#: Seconds in which the simulated time passes: no notice is later than this.
STEP = 600.0
#: The two people live in different time zones.
ZONES = ("Europe/Berlin", "America/New_York")
NAMES = ("Ada", "Ben")


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running
        assert running.errors == []


@pytest.fixture
def server(tmp_path: Path, service: PushService) -> Iterator[Server]:
    held = Port()
    about = {"public_url": f"http://127.0.0.1:{held.number}", "bots": BotCatalogue(), "pulse": 100 * DAY}
    with serving(tmp_path, held.number, **about) as running:
        running.rooms.notices.client = service.client()
        yield running
    held.close()


def pass_time(server: Server, seconds: float) -> None:
    """Let time pass in small steps, and notices be sent."""
    while seconds > 0:
        server.advance(min(STEP, seconds))
        send_due(server)
        seconds -= STEP


class SlowPlayer:
    """A person with a browser that gets notices at the path "ok/NAME", whose page is elsewhere between the turns."""

    def __init__(self, browser: Browser, server: Server, service: PushService, seat: int) -> None:
        window = {**(PHONE if seat == 0 else DESKTOP), "reduced_motion": "reduce", "timezone_id": ZONES[seat]}
        self.server = server
        self.person = Person(browser, server, seat, "touch" if seat == 0 else "keyboard", **window)
        self.path = f"ok/{NAMES[seat]}"
        keys = service.browser(self.path).form()
        script = FAKE_PUSH_SERVICE.read_text("utf-8").replace("https://push.test/ok/${number}", keys["endpoint"])
        about = json.dumps({name: keys[name] for name in ("p256dh", "auth")})
        self.person.context.add_init_script(f"globalThis.__keys = {about};\n{script}")
        self.person.context.grant_permissions(["notifications"], origin=server.origin)
        self.zone = ZoneInfo(ZONES[seat])
        self.read = 0
        self.messages: Messages | None = None

    def turn_on_notices(self) -> None:
        page = self.person.page
        page.click("[data-open=menu]")
        page.get_by_role("button", name="Notices of your turn").click()
        expect(page.get_by_role("button", name="Notices of your turn")).to_have_attribute("aria-pressed", "true")
        self.messages = Messages(page, self.server.origin)
        page.goto(f"{self.server.origin}/privacy")

    def find_turn(self, url: str, service: PushService, thinking: float) -> None:
        """Get the next notice and, `thinking` seconds later, go to the table by it and play the turn."""
        server, page, messages = self.server, self.person.page, self.messages
        assert messages is not None
        for _step in range(int(DAY / STEP)):
            pass_time(server, STEP)
            if len(service.shown(self.path)) > self.read:
                break
        sent = service.shown(self.path)[self.read :]
        self.read += len(sent)
        assert len(sent) == 1, sent
        hour = dt.datetime.fromtimestamp(server.clock.wall(), self.zone).hour
        assert NIGHT_ENDS <= hour < NIGHT_BEGINS, f"a notice at {hour}:00 in {self.zone}"
        pass_time(server, thinking)
        page.goto(server.origin)
        expect(page.locator(".table-row .turn")).to_have_text("Your turn")
        page.goto(f"{server.origin}/privacy")
        messages.deliver(json.dumps({"web_push": 8030, "notification": sent[0]}))
        messages.wait_for(sent[0]["body"])
        worker = page.context.service_workers[0]
        data = json.dumps({"navigate": server.origin + url})
        with page.expect_navigation(url=server.origin + url):
            worker.evaluate(DISPATCH, ["notificationclick", f"{{ notification: {{ close() {{}}, data: {data} }} }}"])
        page.wait_for_selector("#board")
        expect(page).to_have_title(re.compile("^●"))
        self.person.play_until(lambda _seen: not is_your_turn(page))
        messages.wait_for()
        page.goto(f"{self.server.origin}/privacy")


def test_two_people_find_each_turn_of_three_days_by_a_notice(
    browser: Browser, server: Server, service: PushService
) -> None:
    # Chromium tells notices of two contexts apart only by their tags, so each person has a browser of their own.
    other = browser.browser_type.launch(executable_path=find_chromium(), args=list(LAUNCH_FLAGS))
    players = [SlowPlayer(one, server, service, seat) for seat, one in enumerate((browser, other))]
    ada, ben = (player.person for player in players)
    url = ada.new_table("reveille", "open", clock=str(int(DAY))).removeprefix(server.origin)
    ben.sit_down(server.origin + url, "Ben")
    ada.ready()
    ben.ready()
    for player in players:
        player.person.page.wait_for_selector("#board:not(.layout-lobby)")
        player.turn_on_notices()
    begun, draw, turns = server.clock.wall(), random.Random(3), 0
    while server.clock.wall() < begun + 3 * DAY:
        seat = acting(server, url)
        # Each turn is taken some hours after the notice, before the last notice.
        players[seat].find_turn(url, service, draw.uniform(0, 3) * HOUR)
        turns += 1
    other.close()
    assert turns >= 6
    assert code_of(url) == server.session(url).code
    assert [player.read for player in players] == [len(service.shown(player.path)) for player in players]
