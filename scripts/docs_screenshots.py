"""Take the screenshots in ``docs/pictures``: ``python scripts/docs_screenshots.py``.

A simulated player from the test suite plays against bots in Chromium, with default animations and speed. At chosen
moments, when all animations have ended, screenshots are taken in several window sizes, light and dark. They are
converted to WebP by Chromium. The script also writes the page that shows them.
"""

from __future__ import annotations

import base64
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.players import DESKTOP, PHONE, Person, Server, chromium  # noqa: E402

from facedown.core.game_registry import catalogue  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
WINDOWS = {"phone": (390, 844), "desktop": (1440, 900), "small": (320, 640)}
QUALITY = 0.82
#: Milliseconds to wait before a screenshot, longer than any animation of a card.
SETTLE_MS = 1500

ABOUT = (
    "What Facedown looks like: its main pages and each game, at 390 × 844 (*phone*), 1440 × 900 (*desktop*) and",
    "320 × 640 (*small*). To take them again: `python scripts/docs_screenshots.py`, in `check.py`'s environment.",
)

WEBP_SCRIPT = """async ([data, quality]) => {
  const picture = await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext('2d').drawImage(picture, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}"""

Done = Callable[[dict[str, Any]], bool]


@dataclass(frozen=True)
class Scene:
    """A moment of a match at which a screenshot is taken."""

    name: str
    title: str
    game: str
    bots: int
    phase: str
    """Start of the board's phase name; empty: any phase; "over": the end of the match."""
    prompt: str = ""
    """Start of the prompt."""
    small: bool = False
    hint: bool = False
    """Whether to request a hint from the coach and take a screenshot of each of its steps."""
    options: tuple[tuple[str, str], ...] = ()

    def is_reached(self, seen: dict[str, Any]) -> bool:
        """Return whether the page, described by `seen`, shows this moment."""
        if self.phase == "over":
            return bool(seen["over"])
        mine = bool(seen["lit"] or seen["buttons"])
        return mine and seen["phase"].startswith(self.phase) and seen["prompt"].startswith(self.prompt)


ONE_HAND = (("end", "hands"), ("end-hands-0", "1"))
SCENES = (
    Scene("detect", "Detect: take the discard, or draw", "detect", 3, "", "Take", small=True),
    Scene("detect-held", "Detect: keep or discard the drawn card", "detect", 3, "", "Keep", small=True),
    Scene("detect-eight", "Detect with eight", "detect", 7, "", "Take"),
    Scene("reveal", "Reveal: place a card", "reveal", 1, "place"),
    Scene("reveal-scoring", "Reveal: scoring a hand", "reveal", 1, "scoring", options=ONE_HAND),
    Scene("finished", "A finished match", "reveal", 1, "over", options=ONE_HAND),
    Scene("reveille", "Reveille: stage one", "reveille", 1, "stage one"),
    Scene("reveille-auction", "Reveille: the auction", "reveille", 1, "auction"),
    Scene("uncovered", "Uncovered!: a swap", "uncovered", 3, "playing", "Swap", hint=True),
    Scene("scout-flip", "SCOUT: which way up", "scout", 3, "flip"),
    Scene("scout", "SCOUT: your turn", "scout", 3, "turn", small=True),
)


class ScreenshotTaker:
    """Screenshots of a page in several window sizes, light and dark."""

    def __init__(self, person: Person) -> None:
        self.page = person.page
        self.packer = person.context.new_page()
        self.made: list[tuple[str, str]] = []

    def take_in_sizes_and_themes(self, name: str, title: str, small: bool = False, dark: bool = True) -> None:
        """Take screenshots of the current page. `small` adds the smallest window, `dark` the dark theme."""
        for window, (width, height) in WINDOWS.items():
            if window == "small" and not small:
                continue
            for theme in ("light", "dark")[: 1 + (dark and window != "small")]:
                self.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
                self.page.set_viewport_size({"width": width, "height": height})
                self.page.mouse.move(1, 1)
                self.page.wait_for_timeout(SETTLE_MS)
                picture = base64.b64encode(self.page.screenshot(scale="css")).decode()
                packed = base64.b64decode(self.packer.evaluate(WEBP_SCRIPT, [picture, QUALITY]))
                file = f"{name}-{window}{'-dark' * (theme == 'dark')}.webp"
                (FOLDER / file).write_bytes(packed)
                self.made.append((title, file))
                print(f"{file}: {len(packed) // 1000} kB", flush=True)


def wait_for_lesson_cards(server: Server) -> None:
    """Wait until the home page shows the cards of a lesson; a server shows them only when it has loaded the rules."""
    for _ in range(60):
        with urlopen(server.origin) as home:
            if b'class="lesson-own"' in home.read():
                return
        time.sleep(1)
    raise SystemExit("Home never showed the cards of the lesson.")


def take_all(server: Server, browser: Any) -> Iterator[tuple[str, str]]:
    """Take all screenshots; yield the title and the file name of each."""
    wait_for_lesson_cards(server)
    guest = Person(browser, server, 1, "mouse", **DESKTOP)
    studio = ScreenshotTaker(guest)
    for name, title, path in (
        ("home", "Home, on the first visit", "/"),
        ("learn", "Learn a game", "/learn"),
        *((f"lesson-{game}", f"The lesson of {info.title}", f"/learn/{game}/2") for game, info in catalogue().items()),
        ("lesson-end", "The end of a lesson", "/learn/detect/end"),
        ("new", "A new table", "/new/detect"),
        ("guide", "A guide", "/guide/scout"),
        ("offline", "Without a connection", "/offline"),
    ):
        guest.page.goto(server.origin + path)
        studio.take_in_sizes_and_themes(name, title, small=name == "home", dark=not name.startswith("lesson-"))
    guest.page.goto(server.origin + "/guide/detect")
    guest.page.locator("[data-play-on]").first.click()
    guest.page.wait_for_selector(".plays")
    studio.take_in_sizes_and_themes("guide-played", "A guide figure, played on", dark=False)
    guest.new_table("detect", "open", "strong")
    studio.take_in_sizes_and_themes("lobby", "A lobby", small=True)
    guest.page.goto(server.origin)
    studio.take_in_sizes_and_themes("home-back", "Home, on a later visit")
    yield from studio.made
    for word in ("preview", *(f"preview/{game}" for game in catalogue())):
        file = f"{word.replace('/', '-')}-desktop.png"
        (FOLDER / file).write_bytes(guest.page.request.get(f"{server.origin}/{word}.png").body())
        yield "Preview pictures", file
    german = Person(browser, server, 1, "mouse", **DESKTOP, locale="de-DE")
    studio = ScreenshotTaker(german)
    for name, title, path in (
        ("german-home", "In German: home", "/"),
        ("german-lesson", "In German: a lesson", "/learn/scout/2"),
        ("german-guide", "In German: a guide", "/guide/reveille"),
    ):
        german.page.goto(server.origin + path)
        studio.take_in_sizes_and_themes(name, title, small=True, dark=False)
    yield from studio.made
    german.context.close()
    for number, scene in enumerate(SCENES):
        person = Person(browser, server, number, "touch", **PHONE)
        form = {"hints": "on"} if scene.hint else {}
        person.new_table(scene.game, *["casual"] * scene.bots, more=form, **dict(scene.options))
        person.ready()
        person.page.wait_for_selector("#board")
        person.play_until(lambda seen, scene=scene: scene.is_reached(seen))
        studio = ScreenshotTaker(person)
        if scene.hint:
            person.page.keyboard.press("h")
            for at, step in enumerate(("where to look", "why", "the move"), 1):
                person.page.wait_for_selector("#hint .more" if at < 3 else "#hint .best")
                studio.take_in_sizes_and_themes(f"hint-{at}", f"A hint: {step}", dark=False)
                person.page.keyboard.press("h")
        studio.take_in_sizes_and_themes(scene.name, scene.title, small=scene.small)
        if scene.phase == "over":
            person.page.goto(server.origin + "/m/" + person.page.url.rsplit("/", 1)[-1])
            studio.take_in_sizes_and_themes("replay", "The replay of a match", dark=False)
        yield from studio.made
        person.context.close()


def main() -> None:
    """Take all screenshots, and write the page that shows them."""
    FOLDER.mkdir(exist_ok=True)
    for old in [*FOLDER.glob("*.png"), *FOLDER.glob("*.webp")]:
        old.unlink()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder), pace=None).start()
        try:
            made = list(take_all(server, browser))
        finally:
            server.stop()
    lines = ["# Pictures", "", *ABOUT]
    for title in dict.fromkeys(title for title, _ in made):
        lines += ["", f"## {title}", ""]
        for _, file in (pair for pair in made if pair[0] == title):
            words = file.rpartition(".")[0].split("-")
            shown = [word for word in words if word in (*WINDOWS, "dark")]
            lines.append(f"![{title}, {', '.join(shown)}]({file})")
    (FOLDER / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
