"""Players in real browsers, who find what is highlighted and touch it by mouse, finger or keyboard.

They know no game. They read the page as a person does (what may be touched, which buttons there are) and choose at
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

from facedown.check.launch_chromium import open_browser
from tests.browser.page_time import wait_for_frames
from tests.ports import Port
from tests.server.http_server import Running
from tests.waiting import wait_until

PATIENCE = 120.0
#: Script errors in any window, and console errors of the players' pages, since the test began.
COMPLAINTS: list[str] = []
expect.set_options(timeout=PATIENCE * 1000)
#: Number of attempts to read a page that is being replaced.
LOOKS = 10
ROOT = Path(__file__).resolve().parents[2]
#: Options of a window (`Browser.new_context`).
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

#: Reads a page at a glance: touchable things, buttons, whether the match is over.
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

#: A point of a thing that nothing covers.
#:
#: * Null: the thing has no such point.
#: * Empty list: a card that was just put there covers the thing, and would have to be taken back first.
SPOT = """(selector) => {
  const thing = document.querySelector(selector);
  // A person does not touch what is still gliding to its place.
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

#: Whether a thing can be touched where it is, or is gone.
TOUCHABLE = f"(selector) => !document.querySelector(selector) || ({SPOT})(selector) !== null"

#: Whether something can be touched, or the match is over.
ASKED = f"() => {{ const seen = ({GLANCE})(); return seen.over || seen.lit.length + seen.buttons.length > 0; }}"


class Server:
    """A `facedown serve` process that can be killed and started again."""

    def __init__(self, folder: Path, pace: float | None = 0) -> None:
        """Prepare a server for a folder. Its bots pause for `pace` seconds; None means for the usual time."""
        self.folder = folder
        self.pace = pace
        self.log = folder / "server.log"
        self.deals = folder / "deals.txt"
        """A file whose content seeds the deals of new matches (`tests.seeds_by_test_name`)."""
        self._held = Port()
        self.port = self._held.number
        self.origin = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Server:
        """Start the process and wait until it answers."""
        self.deals.touch()
        command = [
            sys.executable,
            "-m",
            "tests.seeds_by_test_name",
            str(self.deals),
            "serve",
            "--data",
            str(self.folder),
        ]
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
        """Kill the process with SIGKILL."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self) -> None:
        """End the process with SIGTERM."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)
        self._held.close()


def with_long_timeouts(opens: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function that opens windows: script errors are recorded, and timeouts suit a busy machine."""

    def opened(**window: Any) -> Any:
        made = opens(**window)
        made.set_default_timeout(PATIENCE * 1000)
        context = made.context if isinstance(made, Page) else made
        context.on("weberror", lambda error: COMPLAINTS.append(str(error.error)))
        return made

    return opened


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """The system's Chromium. Its windows have long timeouts."""
    with open_browser() as browser:
        for opens in ("new_context", "new_page"):
            setattr(browser, opens, with_long_timeouts(getattr(browser, opens)))
        yield browser


class Person:
    """A player or spectator with their own browser window."""

    def __init__(self, browser: Browser, server: Running, seed: int, means: str = "mouse", **context: Any) -> None:
        self.server = server
        self.means = means
        self.random = random.Random(seed)
        self.buttons = 0.2
        """Probability of touching a button other than the main one while a card can be touched."""
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
        """Open a table with the new-table form and return its address. `more` sets further fields."""
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
        """Follow a link, take a seat and wait for the next page."""
        self.page.goto(url)
        self.page.fill("input[name=name]", name)
        with self.page.expect_navigation():
            self.page.click("text=Join")

    def ready(self) -> None:
        """Click "I am ready" if the page asks."""
        button = self.page.locator("text=I’m ready")
        if button.count():
            button.first.click()

    def glance(self) -> dict[str, Any]:
        """Return what the page shows at a glance."""
        seen: dict[str, Any] = self.look(GLANCE)
        return seen

    def look(self, script: str, *about: str) -> Any:
        """Return the result of a script. If the page is being replaced, try again."""
        for _ in range(LOOKS):
            try:
                return self.page.evaluate(script, *about)
            except PageError:
                self.page.wait_for_load_state()
        return self.page.evaluate(script, *about)

    def touch(self, selector: str) -> None:
        """Touch a thing with the person's input device, at a point that is not covered."""
        if self.means == "keyboard":
            if self._focus(selector):
                self.page.keyboard.press("Enter")
            return
        while (spot := self.look(SPOT, selector)) is None:
            self.page.wait_for_function(TOUCHABLE, arg=selector)
            if self.page.locator(selector).count() == 0:
                return  # Another move has removed it.
        if not spot:
            return
        if self.means == "touch":
            self.page.touchscreen.tap(*spot)
        else:
            self.page.mouse.click(*spot)

    def _focus(self, selector: str) -> bool:
        """Move the focus to a thing with the L key, which goes to the next highlighted thing.

        Returns False if the thing is no longer offered.
        """
        for _ in range(300):
            if self.look("(q) => document.activeElement?.matches(q) ?? false", selector):
                return True
            if not self.look(OFFERED, selector):
                return False  # Another player has moved meanwhile.
            self.page.keyboard.press("l")
        raise AssertionError(f"the keyboard does not reach {selector}: {self.glance()}")

    def act(self, seen: dict[str, Any] | None = None) -> bool:
        """Touch one thing that is offered (`seen` is a recent glance). Returns False if nothing can be touched."""
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
            # Use the same glance: a second one may show what `done` waits for, and a touch would end it.
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
        """Wait until nothing glides any more, so that everything has its final place."""
        self.page.wait_for_function("() => !document.body?.classList.contains('gliding')")


def new_page_for(browser: Browser, server: Running, client: httpx.Client, **context: Any) -> Page:
    """Open an empty page with the cookies of a client."""
    window = browser.new_context(**context)
    window.add_cookies([{"name": n, "value": v, "url": server.origin} for n, v in client.cookies.items()])
    return window.new_page()


def open_page_for(
    browser: Browser, server: Running, client: httpx.Client, url: str, size: str, *, manual_clock: bool = False
) -> Page:
    """Open a page with the cookies of a client and wait for its live connection.

    With `manual_clock`, the test can advance the page's clock (`page.clock`). Otherwise the clock keeps real time.
    """
    page = new_page_for(browser, server, client, **SIZES[size])
    if manual_clock:
        page.clock.install()
    page.goto(server.origin + url)
    page.wait_for_selector("#prompt-words")
    page.wait_for_function("() => !document.body.classList.contains('is-offline')")
    return page
