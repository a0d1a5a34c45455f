"""People at the web table: real browsers that look for what is lit and touch it by mouse, by finger or by keyboard.

They know no game: they read the page as a person does (what may be touched now, which buttons there are) and choose at
random, so one driver plays all games.
"""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import httpx
from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import Error as PageError

from facedown.check.browser import open_browser
from tests.browser.page_time import wait_for_frames
from tests.ports import Port
from tests.server.http_server import Running
from tests.waiting import wait_until

PATIENCE = 120.0
#: Errors of scripts in any window, and what the consoles of people's pages say is wrong, since the test began.
COMPLAINTS: list[str] = []
expect.set_options(timeout=PATIENCE * 1000)
#: How often a page that is just being replaced is looked at again.
LOOKS = 10
ROOT = Path(__file__).resolve().parents[2]
#: What a window is made of (`Browser.new_context`).
Window: TypeAlias = dict[str, Any]
PHONE: Window = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
DESKTOP: Window = {"viewport": {"width": 1440, "height": 900}}
SMALL: Window = {**PHONE, "viewport": {"width": 320, "height": 640}}
PHONES: dict[str, Window] = {"phone": PHONE, "small": SMALL}
SIZES: dict[str, Window] = {**PHONES, "desktop": DESKTOP}

#: What a person sees at a glance: what may be touched, which buttons there are, whether it is over.
GLANCE = """() => {
  const all = (q) => [...document.querySelectorAll(q)];
  const seen = (e) => e.checkVisibility({ visibilityProperty: true })
    && [e, ...e.children].map((part) => part.getBoundingClientRect()).some((r) => r.width > 0 && r.height > 0);
  const lit = all('#app .piece[aria-disabled="false"]:not(.touched):not(.picked):not(.ghost):not(.spanned)')
    .concat(all('#app .zone.lit .option[aria-pressed="false"]')).filter(seen);
  const buttons = all('#actions .button').filter((b) => seen(b) && !b.disabled
    && !b.classList.contains('grey') && !('back' in b.dataset) && !b.hasAttribute('data-standin'));
  return {
    prompt: document.querySelector('#prompt-words')?.textContent ?? '',
    phase: document.querySelector('#prompt')?.dataset.phase ?? '',
    title: document.querySelector('.bar .titles p:last-child')?.textContent ?? '',
    lit: lit.map((e) => e.id),
    buttons: buttons.map((b) => b.dataset.button ?? b.dataset.number ?? ''),
    primary: buttons.filter((b) => b.classList.contains('primary')).map((b) => b.dataset.button ?? ''),
    over: !!document.querySelector('form[action$="/again"]'),
    sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth + 1,
  };
}"""

#: Where a thing that may lie under others can be touched: a point of it that is on top. Null: nowhere. Empty: a card
#: that was just laid covers it, and would have to be taken back first.
SPOT = """(selector) => {
  const thing = document.querySelector(selector);
  // Nobody touches what is still gliding to its place.
  if (!thing || document.body.classList.contains('gliding')) return null;
  thing.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  let laid = false;
  for (const part of [thing, ...thing.children]) {
    const r = part.getBoundingClientRect();
    for (const down of [0.5, 0.3, 0.7, 0.15, 0.85]) for (const along of [0.5, 0.3, 0.7, 0.15, 0.85]) {
      const [x, y] = [r.left + along * r.width, r.top + down * r.height];
      const top = document.elementFromPoint(x, y);
      if (thing.contains(top)) return [x, y];
      laid ||= Boolean(top?.closest('.staged-card'));
    }
  }
  return laid ? [] : null;
}"""

#: Whether a thing can still be chosen.
OFFERED = """(selector) => Boolean(document.querySelector(selector)?.matches(
  '.piece[aria-disabled="false"], .zone.lit .option, .button:not([aria-disabled]), .button[aria-disabled="false"]'))"""

#: Is a thing where it can be touched, or gone?
TOUCHABLE = f"(selector) => !document.querySelector(selector) || ({SPOT})(selector) !== null"

#: Can something be touched, or is the match over?
ASKED = f"() => {{ const seen = ({GLANCE})(); return seen.over || seen.lit.length + seen.buttons.length > 0; }}"


class Server:
    """`facedown serve` in a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path, pace: float | None = 0) -> None:
        """In a folder; its bots pause for so many seconds, or (None) as long as they do for everybody."""
        self.folder = folder
        self.pace = pace
        self.log = folder / "server.log"
        self.deals = folder / "deals.txt"
        """From what this file holds, the deals of new matches follow (`tests.fixed_deals`)."""
        self._held = Port()
        self.port = self._held.number
        self.origin = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Server:
        """Start it, and wait until it answers."""
        self.deals.touch()
        command = [sys.executable, "-m", "tests.fixed_deals", str(self.deals), "serve", "--data", str(self.folder)]
        command += ["--no-browser", "--port", str(self.port)]
        command += [] if self.pace is None else ["--bot-delay", str(self.pace)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        wait_until(self._answers)
        return self

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text()
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"{self.origin}/health", timeout=2).status_code == 200
        return False

    def kill(self) -> None:
        """SIGKILL: no goodbye."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        """Let it end."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)
        self._held.close()


def patient(opens: Callable[..., Any]) -> Callable[..., Any]:
    """What opens a window whose script errors are kept, and in which things may take as long as on a busy machine."""

    def opened(**window: Any) -> Any:
        made = opens(**window)
        made.set_default_timeout(PATIENCE * 1000)
        context = made.context if isinstance(made, Page) else made
        context.on("weberror", lambda error: COMPLAINTS.append(str(error.error)))
        return made

    return opened


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """The system's Chromium; whoever waits for something in one of its windows is patient."""
    with open_browser() as browser:
        for opens in ("new_context", "new_page"):
            setattr(browser, opens, patient(getattr(browser, opens)))
        yield browser


class Person:
    """Somebody with a browser of their own."""

    def __init__(self, browser: Browser, server: Running, seed: int, means: str = "mouse", **context: Any) -> None:
        self.server = server
        self.means = means
        self.random = random.Random(seed)
        self.buttons = 0.2
        """How often another than the main button is touched while a card could be."""
        self.context: BrowserContext = browser.new_context(**(context or (PHONE if means == "touch" else DESKTOP)))
        self.page: Page = self.context.new_page()
        self.complaints = COMPLAINTS
        self.page.on("console", lambda m: COMPLAINTS.append(m.text) if m.type == "error" else None)

    def new_table(
        self,
        game: str,
        *seats: str,
        name: str = "Ada",
        clock: str = "0",
        more: Mapping[str, str] | None = None,
        **options: str,
    ) -> str:
        """Fill the new-table sheet in (with `more` of its fields) and open the table; its address."""
        form = {"game": game, "name": name, "seat-0": "you", "clock": clock, "spectators": "on", **(more or {})}
        form |= {f"seat-{number}": seat for number, seat in enumerate(seats, 1)}
        form |= {f"option-{key}": value for key, value in options.items()}
        answer = self.context.request.post(
            f"{self.server.origin}/tables",
            form=form,
            headers={"Origin": self.server.origin},
            timeout=3000 * PATIENCE,
        )
        assert answer.ok, answer.text()
        self.page.goto(answer.url)
        return answer.url

    def sit_down(self, url: str, name: str) -> None:
        """Follow a link and take a seat; the page that comes then is there."""
        self.page.goto(url)
        self.page.fill("input[name=name]", name)
        with self.page.expect_navigation():
            self.page.click("text=Join")

    def ready(self) -> None:
        """Say that one is ready, if asked."""
        button = self.page.locator("text=I’m ready")
        if button.count():
            button.first.click()

    def glance(self) -> dict[str, Any]:
        """What the page shows."""
        seen: dict[str, Any] = self.look(GLANCE)
        return seen

    def look(self, script: str, *about: str) -> Any:
        """What a script reads off the page; while another page comes, it is looked at again."""
        for _ in range(LOOKS):
            try:
                return self.page.evaluate(script, *about)
            except PageError:
                self.page.wait_for_load_state()
        return self.page.evaluate(script, *about)

    def touch(self, selector: str) -> None:
        """Touch a thing by the person's own means, where it is not covered."""
        if self.means == "keyboard":
            if self._focus(selector):
                self.page.keyboard.press("Enter")
            return
        while (spot := self.look(SPOT, selector)) is None:
            self.page.wait_for_function(TOUCHABLE, arg=selector)
            if self.page.locator(selector).count() == 0:
                return  # The table was faster: it is not there any more.
        if not spot:
            return
        if self.means == "touch":
            self.page.touchscreen.tap(*spot)
        else:
            self.page.mouse.click(*spot)

    def _focus(self, selector: str) -> bool:
        """Walk there with the keyboard alone: L goes from one lit thing to the next. False: it is no more offered."""
        for _ in range(300):
            if self.look("(q) => document.activeElement?.matches(q) ?? false", selector):
                return True
            if not self.look(OFFERED, selector):
                return False  # The table was faster: another player has answered.
            self.page.keyboard.press("l")
        raise AssertionError(f"the keyboard does not reach {selector}: {self.glance()}")

    def act(self, seen: dict[str, Any] | None = None) -> bool:
        """One touch of anything that is offered (`seen` by a glance just now); False when there is nothing to touch."""
        seen = seen or self.glance()
        lit = seen["lit"]
        primary, buttons = ([name for name in seen[kind] if name] for kind in ("primary", "buttons"))
        if primary and (not lit or self.random.random() < 0.6):
            self.touch(f'#actions .button[data-button="{self.random.choice(primary)}"]')
        elif lit and (not seen["buttons"] or self.random.random() >= self.buttons):
            self.touch(f'[id="{self.random.choice(lit)}"]')
        elif buttons:
            self.touch(f'#actions .button[data-button="{self.random.choice(buttons)}"]')
        else:
            return False
        return True

    def play_until(self, done: Any, others: tuple[Person, ...] = (), seconds: float = 300.0) -> None:
        """Play, together with `others`, until `done(glance)` is true for this person."""
        until = time.monotonic() + seconds
        while not done(seen := self.glance()):
            # By the same glance: a second one may see what is waited for, and a touch would be the end of it.
            moved = [self.act(seen), *(person.act() for person in others)]
            assert time.monotonic() < until, f"no end in sight: {self.glance()}"
            assert not COMPLAINTS, COMPLAINTS
            if not any(moved):
                wait_for_frames(self.page)
        self.rest()

    def wait_for_turn(self) -> None:
        """Wait until this person can touch something, or the match is over."""
        self.page.wait_for_function(ASKED)

    def rest(self) -> None:
        """Wait until everything on the page lies where it is drawn: what still glides has another place in a moment."""
        self.page.wait_for_function("() => !document.body?.classList.contains('gliding')")


def seated(browser: Browser, server: Running, client: httpx.Client, **context: Any) -> Page:
    """Open an empty page of a person whose cookies are known."""
    window = browser.new_context(**context)
    window.add_cookies([{"name": n, "value": v, "url": server.origin} for n, v in client.cookies.items()])
    return window.new_page()


def looking(
    browser: Browser, server: Running, client: httpx.Client, url: str, size: str, *, turned: bool = False
) -> Page:
    """Open the page of a person whose cookies are known, and wait for its line.

    `turned`: a test can turn the page's clock on (`page.clock`), which otherwise keeps real time.
    """
    page = seated(browser, server, client, **SIZES[size])
    if turned:
        page.clock.install()
    page.goto(server.origin + url)
    page.wait_for_selector("#prompt-words")
    page.wait_for_function("() => !document.body.classList.contains('is-offline')")
    return page
