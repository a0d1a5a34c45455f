"""Notices of your turn in Chromium: the question, the switch, messages to the service worker, and the home page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from httpx import Client
from playwright.sync_api import Browser, Page, expect

from facedown.play.notice_times import NOTICE_DELAY
from facedown.server.process.server_settings import BotCatalogue
from facedown.store import schema
from tests.browser.page_time import wait_for_events, wait_for_frames
from tests.browser.players import DESKTOP, PHONE, Person
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.browser.test_pwa import wait_for_service_worker
from tests.ports import Port
from tests.server.http_server import Live, Server, code_of, serving, sit
from tests.server.push_service import PushService, push_service
from tests.server.test_notices import send_due, zone_at

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

FAKE_PUSH_SERVICE = Path(__file__).with_name("fake_push_service.js")
ZONE = "Asia/Tokyo"
DAY = "86400"
#: The shown notices, in order.
SHOWN = """async () => {
  const found = await (await navigator.serviceWorker.ready).getNotifications();
  return found.map(({ title, body, tag, lang, icon, data }) => ({ title, body, tag, lang, icon, to: data.navigate }));
}"""
#: Gives the service worker an event that tests cannot cause. `about` has the event's fields, as source text.
DISPATCH = """([type, about]) => {
  const event = new ExtendableEvent(type);
  Object.assign(event, (0, eval)(`(${about})`), { waitUntil: (work) => work.catch(() => {}) });
  self.dispatchEvent(event);
}"""
BLOCKED = """Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
Notification.requestPermission = async () => 'denied';
0"""


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running
        assert running.errors == []


@pytest.fixture
def server(tmp_path: Path, service: PushService) -> Iterator[Server]:
    """A server that sends notices to the push service."""
    service.messages.clear()
    held = Port()
    about: dict[str, Any] = {"public_url": f"http://127.0.0.1:{held.number}", "bots": BotCatalogue()}
    with serving(tmp_path, held.number, **about) as running:
        running.rooms.notices.client = service.client()
        yield running
    held.close()


def slow_table(
    browser: Browser, server: Server, service: PushService, ben: Client, **window: Any
) -> tuple[Person, str]:
    """Open a slow table of Ada and Ben, and return Ada with her page of it, and its address."""
    ada = Person(browser, server, 5, "touch" if window.get("has_touch") else "keyboard", **window)
    keys = service.browser("ok/1").form()
    about = {"p256dh": keys["p256dh"], "auth": keys["auth"]}
    ada.context.add_init_script(f"globalThis.__keys = {json.dumps(about)};\n{FAKE_PUSH_SERVICE.read_text('utf-8')}")
    ada.context.grant_permissions(["notifications"], origin=server.origin)
    url = ada.new_table("detect", "open", clock=DAY).removeprefix(server.origin)
    sit(ben, url)
    ada.ready()
    with Live(server, ben, url) as live:
        live.hello(kind="lobby")
        live.send(type="ready", ready=True)
        live.get("table")
    ada.page.wait_for_selector("#board:not(.layout-lobby)")
    return ada, url


def is_your_turn(page: Page) -> bool:
    return page.title().startswith("●")


def take_turn(ada: Person, ben: Live) -> None:
    """Let Ben play until it is Ada's turn, then let Ada play her turn on her page."""
    while not is_your_turn(ada.page):
        message = ben.hello()
        if message["yours"]:
            ben.move(message)
            ben.settle()
        wait_for_frames(ada.page)
    ada.play_until(lambda _seen: not is_your_turn(ada.page))


def subscriptions(server: Server) -> list[tuple[str, str, str]]:
    columns = schema.push_subscriptions.c
    with server.rooms.repository.engine.connect() as connection:
        rows = connection.execute(sa.select(columns.endpoint, columns.language, columns.zone).order_by(columns.id))
        return [(row.endpoint, row.language, row.zone) for row in rows]


def test_player_is_asked_after_the_first_slow_turn_and_after_five_more_and_turns_notices_on_and_off(
    browser: Browser, server: Server, service: PushService
) -> None:
    window = {**PHONE, "reduced_motion": "reduce", "timezone_id": ZONE}
    with server.client() as ben_client:
        ada, url = slow_table(browser, server, service, ben_client, **window)
        page = ada.page
        sheet = page.get_by_role("dialog", name="Do you want to know when it’s your turn?")
        with Live(server, ben_client, url) as ben:
            take_turn(ada, ben)
            expect(sheet).to_be_visible()
            check_accessibility(page, "question about notices", *BOTH)
            sheet.get_by_role("button", name="Not now").tap()
            for _ in range(4):
                take_turn(ada, ben)
            page.wait_for_timeout(1000)  # Longer than the pause between a turn and the question.
            expect(sheet).to_be_hidden()
            assert page.evaluate("__asked") == 0
            assert subscriptions(server) == []
            take_turn(ada, ben)
            expect(sheet).to_be_visible()
            # By keys.
            page.keyboard.press("Tab")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            expect(sheet).to_be_hidden()
            expect(page.locator("#polite")).to_contain_text("Notices of your turn are on in this browser.")
            assert page.evaluate("__asked") == 1
            assert subscriptions(server) == [("https://push.test/ok/1", "en", ZONE)]
            # A page of a new browser session renews the subscription. The key has changed, so there is a new one.
            page.evaluate(
                "localStorage['test-subscription'] = localStorage['test-subscription'].replace(/B.../, 'AAAA')"
            )
            other = ada.context.new_page()
            other.goto(server.origin)
            wait_for_events(other, lambda: subscriptions(server) == [("https://push.test/ok/2", "en", ZONE)])
            other.close()
        page.click("[data-open=menu]")
        switch = page.get_by_role("button", name="Notices of your turn")
        expect(switch).to_have_attribute("aria-pressed", "true")
        check_accessibility(page, "menu of a slow table", *BOTH)
        switch.tap()
        expect(switch).to_have_attribute("aria-pressed", "false")
        wait_for_events(page, lambda: subscriptions(server) == [])
        page.evaluate(BLOCKED)
        switch.tap()
        expect(page.locator("#menu").get_by_role("status")).to_contain_text(
            "Your browser blocks notices from this site."
        )
        # A fast table has no switch, and a visitor whom the server does not know has no key.
        page.goto(server.origin + ada.new_table("detect", "greedy").removeprefix(server.origin))
        page.click("[data-open=menu]")
        expect(page.get_by_role("button", name="Sound", exact=True)).to_be_visible()
        expect(switch).to_be_hidden()


class Messages:
    """The push messages of a test: they are delivered to the browser's service worker as a push service does."""

    def __init__(self, page: Page, origin: str) -> None:
        wait_for_service_worker(page)
        self.origin = origin
        self.page = page
        self.line = page.context.new_cdp_session(page)
        found: list[str] = []

        def read(event: dict[str, Any]) -> None:
            # Workers of other tests may still be listed.
            own = (each for each in event["registrations"] if each["scopeURL"].startswith(origin))
            found.extend(each["registrationId"] for each in own)

        self.line.on("ServiceWorker.workerRegistrationUpdated", read)
        self.line.send("ServiceWorker.enable")
        wait_for_events(page, lambda: found)
        self.registration = found[-1]

    def deliver(self, text: str) -> None:
        about = {"origin": self.origin, "registrationId": self.registration, "data": text}
        self.line.send("ServiceWorker.deliverPushMessage", about)

    def notify(self, url: str, body: str) -> None:
        """Deliver a notice of a turn at the table of an address."""
        notice = {"title": "Your turn in Detect", "body": body, "lang": "en"}
        notice |= {"navigate": self.origin + url, "tag": f"turn-{code_of(url)}"}
        self.deliver(json.dumps({"web_push": 8030, "notification": notice}))

    def shown(self) -> list[dict[str, Any]]:
        """Return the notices that the browser shows."""
        found: list[dict[str, Any]] = self.page.evaluate(SHOWN)
        return found

    def wait_for(self, *bodies: str) -> None:
        """Wait until the browser shows exactly these notices."""
        wait_for_events(self.page, lambda: sorted(each["body"] for each in self.shown()) == sorted(bodies))


def test_notice_is_shown_unless_its_table_is_replaced_by_the_next_and_closed_when_the_turn_is_over(
    browser: Browser, server: Server, service: PushService
) -> None:
    with server.client() as ben_client:
        window = {**DESKTOP, "reduced_motion": "reduce", "timezone_id": zone_at(server, 12)}
        ada, url = slow_table(browser, server, service, ben_client, **window)
        page = ada.page
        page.click("[data-open=menu]")
        page.get_by_role("button", name="Notices of your turn").click()
        wait_for_events(page, lambda: subscriptions(server))
        messages = Messages(page, server.origin)
        # The table is visible, so only a notice of another table is shown.
        messages.notify(url, "not shown")
        messages.notify("/t/AAAABBBB", "elsewhere")
        messages.wait_for("elsewhere")
        for text in ("", "hello", '{"web_push": 8030}', json.dumps({"notification": {"title": "Buy"}})):
            messages.deliver(text)
        messages.wait_for("elsewhere", "")
        assert [each["title"] for each in messages.shown() if not each["body"]] == ["Facedown"]
        # At home it is Ada's turn at the table, and there is no other one.
        page.goto(server.origin)
        messages.wait_for("")

        def sent_notices() -> list[dict[str, Any]]:
            # In small steps: after a large one, the server would take the time for a downtime and set the clocks back.
            server.advance(NOTICE_DELAY / 20)
            send_due(server)
            return service.shown("ok/1")

        wait_for_events(page, sent_notices)
        (sent,) = service.shown("ok/1")
        assert sent["body"].startswith("With Ben. You have until 1")
        messages.deliver(json.dumps({"web_push": 8030, "notification": sent}))
        messages.wait_for("", sent["body"])
        about = {"icon": f"{server.origin}/icons/192.png", "to": server.origin + url, "tag": f"turn-{code_of(url)}"}
        assert messages.shown()[1:] == [
            {"title": "It’s your turn in Detect", "body": sent["body"], "lang": "en", **about}
        ]
        messages.notify(url, "four hours left")
        messages.wait_for("", "four hours left")
        page.reload()
        messages.wait_for("four hours left", "")
        # A notice of a seat goes away once the page with the seat is open.
        seat = {"title": "A seat is free", "body": "a seat", "lang": "en", "navigate": f"{server.origin}/open"}
        messages.deliver(json.dumps({"web_push": 8030, "notification": seat | {"tag": "seat-AAAABBBB"}}))
        messages.wait_for("four hours left", "", "a seat")
        page.goto(f"{server.origin}/open")
        messages.wait_for("four hours left", "")
        # A touch of the notice leads to the table.
        (worker,) = page.context.service_workers
        data = json.dumps({"navigate": server.origin + url})
        with page.expect_navigation(url=server.origin + url):
            worker.evaluate(DISPATCH, ["notificationclick", f"{{ notification: {{ close() {{}}, data: {data} }} }}"])
        expect(page).to_have_title(re.compile("^●"))
        messages.wait_for("four hours left", "")
        with Live(server, ben_client, url) as ben:
            take_turn(ada, ben)
        messages.wait_for("")
        # The browser replaces a subscription by itself.
        page.keyboard.press("Escape")
        keys = service.browser("ok/1").form()
        new = {"endpoint": "https://push.test/ok/fresh", "keys": {name: keys[name] for name in ("p256dh", "auth")}}
        old = "oldSubscription: { endpoint: 'https://push.test/ok/1', options: {} }"
        fresh = f"{{ {old}, newSubscription: {{ toJSON: () => ({json.dumps(new)}) }} }}"
        worker.evaluate(DISPATCH, ["pushsubscriptionchange", fresh])
        wait_for_events(page, lambda: [row[0] for row in subscriptions(server)] == ["https://push.test/ok/fresh"])


def test_new_key_renews_the_subscription_and_signing_out_ends_it(
    browser: Browser, server: Server, service: PushService
) -> None:
    with server.client() as ben_client:
        ada, _url = slow_table(browser, server, service, ben_client, **DESKTOP)
        page = ada.page
        page.click("[data-open=menu]")
        page.get_by_role("button", name="Notices of your turn").click()
        wait_for_events(page, lambda: subscriptions(server))
        page.goto(f"{server.origin}/you")
        with page.expect_request("**/push/subscription"):
            page.get_by_role("button", name="Change my key").click()
        wait_for_events(page, lambda: [row[0] for row in subscriptions(server)] == ["https://push.test/ok/1"])
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_text("You’re signed out in this browser.")).to_be_visible()
        wait_for_events(page, lambda: page.evaluate("localStorage.length - ('subscriptions' in localStorage)") == 0)


@pytest.mark.parametrize("window", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_home_page_counts_turns_and_says_that_the_browser_blocks_notices(
    window: dict[str, Any], browser: Browser, server: Server, service: PushService
) -> None:
    with server.client() as ben_client:
        ada, _url = slow_table(browser, server, service, ben_client, **window)
        page = ada.page
        page.goto(server.origin)
        expect(page.get_by_text("Notices are blocked by your browser.")).to_be_hidden()
        page.context.add_init_script(BLOCKED)
        page.reload()
        expect(page.get_by_text("Notices are blocked by your browser.")).to_be_visible()
        check_accessibility(page, "home with a bell", *BOTH)
        page.get_by_text("How to allow them").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("Open your browser’s settings for this site")).to_be_visible()
        bell = page.get_by_role("link", name="It’s your turn at one table")
        bell.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        expect(page.locator(".table-row").first).to_be_focused()
