"""Page checks: everything in a viewer's table data must be visible on the page, at common window sizes.

Sample positions from each phase of a match are rendered with the server's templates and shown in a real browser,
without a server. `page_inspection.js` examines the painted page. It finds content that is invisible, cut off, covered,
outside the window or on top of other content.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facedown.check.launch_chromium import open_browser
from facedown.check.random_matches import SITTERS, iterate_random_play
from facedown.core.game_registry import GameModule
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Table, TouchStep
from facedown.core.translation import SOURCE_LANGUAGE, use_language
from facedown.play.lessons import Lesson
from facedown.server import rendering

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route, WebSocketRoute

#: Window sizes (width, height): a small phone, a usual phone, a tablet in portrait and landscape, two laptops.
SIZES = ((320, 640), (390, 844), (768, 1024), (1024, 768), (1280, 800), (1440, 900))
#: CSS selector of the parts of the table that move in layout transitions, as in ``web/src/layout_transitions.js``.
PARTS = (
    "#rail, #board > :is(.others, .mid, .dock-back, .prompt, .actions, .hand-area, .you-area, .you-seat, .tallies),"
    " .others > .seat, .seat > .person, .mid .panel, .lane, [data-zone], .piece[data-place], .counted-card"
)
#: JavaScript function that takes the table's data (`Table.to_json`) and returns one sentence for each problem of the
#: page.
INSPECT_SCRIPT = Path(__file__).with_name("page_inspection.js").read_text(encoding="utf-8").replace("PARTS", PARTS)
#: JavaScript condition: no animation is running. Endless animations, such as a pulsing turn marker, do not count.
NO_ANIMATION_CONDITION = """document.getAnimations().every((a) => a.playState !== "running"
    || a.effect?.getTiming().iterations === Infinity)"""
#: JavaScript function that returns whether the page is at rest: no card moves or flips, no layout transition is
#: running.
PAGE_AT_REST = f"""() => !document.body.classList.contains("stepping") && !document.querySelector(".flying, .turning")
  && {NO_ANIMATION_CONDITION}"""
#: Number of matches played to find the position with the most content in each phase, and number of moves in each match.
MATCHES, MOVES = 3, 300
#: JavaScript function that clicks a place, or the button that stands for it.
TOUCH_SCRIPT = """(touch) => (document.getElementById(`button-${touch}`) ?? document.getElementById(`at-${touch}`)
    ?? document.getElementById(`zone-${touch}`)).click()"""
ADDRESS = "http://facedown.example"


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page to check: a position as one viewer sees it, or a step of a lesson.

    `touched` are the ids of the places and buttons to click on the page before it is checked.
    """

    name: str
    html: str
    data: dict[str, Any] | None
    """Data of the table that the page must show; None if it shows no table to check, as at the end of a match or
    lesson."""
    touched: tuple[str, ...] = ()


def render_position(name: str, table: Table, code: str = SOURCE_LANGUAGE) -> RenderedPage:
    """Return the page of a table in the language `code`. `name` describes the page in reports of problems."""
    with use_language(code):
        message = rendering.TablePage(table, rendering.TableContext(code="K7QM")).whole_page_message(version=1)
        shell = rendering.Shell(table.seats[0].name)
        html = rendering.table_page(shell, message, game=table.game, code="K7QM", hints=True)
    return RenderedPage(name, html, None if table.over else table.to_json())


def render_lesson_step(lesson: Lesson, at: int, touched: tuple[str, ...] = ()) -> RenderedPage:
    """Return the page of step `at` of a lesson. If `at` is the number of steps, return the page at the lesson's end.

    The HTML in the result is always that of the beginning of the step. `touched` are the ids of places and buttons to
    click. This function only stores them in the result (`RenderedPage.touched`). The check clicks them after it has
    loaded the HTML into a browser, and then examines the page.
    """
    with use_language(lesson.code):
        html = rendering.lesson_page(rendering.Shell("Ada"), lesson, at)
        # A lesson page shows no scores, and the end of a lesson has its own text instead of a table.
        data = replace(lesson.table(at), scores=()).to_json() if at < len(lesson.steps) else None
    return RenderedPage(
        f"{lesson.game}, {lesson.code}, step {at + 1} {' '.join(touched)}".rstrip(), html, data, touched
    )


def render_lesson_steps(lesson: Lesson) -> list[RenderedPage]:
    """Return the pages of a lesson that are to be checked, in order. The last one is the page at the end of the lesson.

    A step of a lesson can need several clicks. Such a step has one page for each click: the page as it looks just
    before that click.
    """
    found = []
    for at in range(len(lesson.steps)):
        with use_language(lesson.code):
            step: TouchStep | None = lesson.table(at).step
        touched: tuple[str, ...] = ()
        while step is not None and step.choices:
            found.append(render_lesson_step(lesson, at, touched))
            wanted = next(choice for choice in step.choices if not choice.refuses)
            touched, step = (*touched, wanted.touch), wanted.then
    return [*found, render_lesson_step(lesson, len(lesson.steps))]


def render_fullest_positions(game: GameModule, rnd: random.Random, code: str = SOURCE_LANGUAGE) -> list[RenderedPage]:
    """Return one page for each combination of player count, phase and kind of viewer: that of the fullest position.

    * The fullest position is the one with the most content. It is chosen from some random matches.
    * The player counts are the smallest and the largest that the game allows.
    * The kinds of viewers are a player who is to act, a player who waits, and a spectator.
    """
    with use_language(code):
        return [render_position(name, table, code) for _, name, table in _fullest_positions(game, rnd)]


def _fullest_positions(game: GameModule, rnd: random.Random) -> Iterable[tuple[int, str, Table]]:
    """Return the position with the most content for each combination of player count, phase and kind of viewer.

    Each position is a tuple of:

    * the amount of content (`_content_weight`),
    * the name of the position for reports,
    * the table.
    """
    found: dict[tuple[int, str, str], tuple[int, str, Table]] = {}
    for seats in sorted(set(game.info.seats)):
        for number in range(MATCHES):
            match = Match(game, seats, {}, seed=rnd.randbytes(32))
            for _ in iterate_random_play(match, rnd, MOVES):
                for viewer in (*range(min(seats, 2)), SPECTATOR):
                    table = match.table(viewer, SITTERS[:seats])
                    role = "watches" if viewer == SPECTATOR else "is asked" if table.step.choices else "waits"
                    phase = "the end" if table.over else table.phase
                    weight = _content_weight(table)
                    if weight > found.get((seats, phase, role), (-1, "", table))[0]:
                        name = f"{phase}, {seats} seats, match {number}, move {match.ply}: viewer {viewer} {role}"
                        found[seats, phase, role] = weight, name, table
    return found.values()


def _content_weight(table: Table) -> int:
    """Return the amount of visible content of a table: 20 for each card and each possible click, 1 for each letter."""
    pieces = sum(piece.kind not in ("gap", "gone") for zone in table.zones for piece in zone.pieces)
    words = [*(f"{seat.line}{seat.state}" for seat in table.seats), *(zone.label for zone in table.zones)]
    return 20 * (pieces + len(table.step.choices)) + sum(map(len, words)) + len(table.step.prompt + table.step.help)


def _answer_pings(socket: WebSocketRoute) -> None:
    """Answer the WebSocket pings of a page, because the page closes a connection that does not answer."""
    socket.on_message(lambda text: socket.send('{"type": "pong"}'))


class Window:
    """Browser window in which pages are checked, without a server.

    This program intercepts every request of the window (Playwright's `Page.route`). It answers with the HTML of the
    page, or with a static file such as a script or style sheet. Requests for anything else fail.
    """

    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_page()
        self.complaints: list[str] = []
        """Errors raised by the page's own scripts."""
        self._html = ""
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.route("**/*", self._serve)
        self.page.route_web_socket("**/*", _answer_pings)

    def _serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS).split("?")[0]
        name = path.removeprefix("/static/")
        if path == "/":
            route.fulfill(body=self._html, content_type="text/html; charset=utf-8")
        elif name != path and (made := rendering.generated_file(name)) is not None:
            route.fulfill(body=made, content_type=rendering.media_type(name))
        elif name != path and (rendering.STATIC / name).is_file():
            route.fulfill(body=(rendering.STATIC / name).read_bytes(), content_type=rendering.media_type(name))
        else:
            route.abort()

    def load_and_click_touches(self, shown: RenderedPage) -> None:
        """Load a page into the window, and click the places and buttons `shown.touched` one after another."""
        self._html = shown.html
        self.page.goto(f"{ADDRESS}/")
        for touch in shown.touched:
            self.page.wait_for_function(PAGE_AT_REST)
            self.page.evaluate(TOUCH_SCRIPT, touch)


def page_problems(page: Page, said: Mapping[str, Any] | None, size: tuple[int, int]) -> list[str]:
    """Set the window size, wait until no animation is running, and return the layout problems of the page.

    Examples of problems are content that is invisible, cut off, covered or outside the window. The result has one
    sentence for each problem. Each sentence begins with the window size. If the page has no problem, the list is empty.

    * `said`: the data of the table (`Table.to_json`), all of which the page must show; None if it shows no table to
      check.
    * `size`: the window size (width, height) in pixels.
    """
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_function(PAGE_AT_REST)
    found: list[str] = page.evaluate(INSPECT_SCRIPT, said)
    return [f"{size[0]}×{size[1]} {wrong}" for wrong in found]


def layout_problems(shown: Sequence[RenderedPage], most: int) -> list[str]:
    """Check the layout of several pages in Chromium, each at every window size (`SIZES`), and return the problems.

    `shown` are the pages. If a page brings the number of problems to `most` or more, the pages after it are not
    checked. A problem is one sentence about the layout (`page_problems`), or an error that a page's script raised.

    Chromium and Playwright must be installed (`check.launch_chromium.unavailable_reason`).
    """
    found: list[str] = []
    with open_browser() as browser:
        window = Window(browser)
        for one in shown:
            window.load_and_click_touches(one)
            for size in SIZES:
                found += [f"{wrong}   [{one.name}]" for wrong in page_problems(window.page, one.data, size)]
            if len(found) >= most:
                break
        found += window.complaints
    return found
