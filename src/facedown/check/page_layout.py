"""Is everything that a table's data holds for a viewer to be seen on the page, at the sizes that people have?

Positions of each phase are drawn by the table's own templates, in a real browser, without a server.
`page_inspection.js` looks at the page as it is painted: what cannot be seen, what is cut, covered or out of the window,
what lies on something else.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facedown.check.browser import open_browser
from facedown.check.random_matches import SITTERS, iterate_random_play
from facedown.core.game_registry import GameModule
from facedown.core.language import SOURCE_LANGUAGE, use_language
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Table, TouchStep
from facedown.play.lessons import Lesson
from facedown.server import rendering

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route, WebSocketRoute

#: Width and height: a small phone, a usual one, a tablet upright and on its side, two laptops.
SIZES = ((320, 640), (390, 844), (768, 1024), (1024, 768), (1280, 800), (1440, 900))
#: The parts of the table that glide, as ``web/src/layout_transitions.js`` has them.
PARTS = (
    "#rail, #board > :is(.others, .mid, .dock-back, .prompt, .actions, .hand-area, .you-area, .you-seat, .tallies),"
    " .others > .seat, .seat > .person, .mid .panel, .lane, [data-zone], .piece[data-place], .counted-card"
)
#: Looks at a page: a function of the table's data, which gives a sentence for everything that is wrong.
INSPECT_SCRIPT = Path(__file__).with_name("page_inspection.js").read_text(encoding="utf-8").replace("PARTS", PARTS)
#: In this frame nothing is on its way; what never ends (a lamp that breathes) is no journey.
NO_ANIMATION_CONDITION = """document.getAnimations().every((a) => a.playState !== "running"
    || a.effect?.getTiming().iterations === Infinity)"""
#: Nothing moves: no card travels, none is being turned, no picture is being laid out anew.
PAGE_AT_REST = f"""() => !document.body.classList.contains("stepping") && !document.querySelector(".flying, .turning")
  && {NO_ANIMATION_CONDITION}"""
#: Of each phase the fullest of so many positions is looked at; matches are played on for so many moves.
MATCHES, MOVES = 3, 300
#: Touches a place, or the button that stands for it.
TOUCH_SCRIPT = """(touch) => (document.getElementById(`button-${touch}`) ?? document.getElementById(`at-${touch}`)
    ?? document.getElementById(`zone-${touch}`)).click()"""
ADDRESS = "http://facedown.example"


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page that is looked at: a position as one viewer has it, or a step of a lesson after some of its touches."""

    name: str
    html: str
    data: dict[str, Any] | None
    """The table's data; None where the page shows something else, at the end of a match or of a lesson."""
    touched: tuple[str, ...] = ()


def render_position(name: str, table: Table, code: str = SOURCE_LANGUAGE) -> RenderedPage:
    """A position, in the viewer's language."""
    with use_language(code):
        message = rendering.TablePage(table, rendering.TableContext(code="K7QM")).message(version=1)
        shell = rendering.Shell(table.seats[0].name)
        html = rendering.table_page(shell, message, game=table.game, code="K7QM", hints=True)
    return RenderedPage(name, html, None if table.over else table.to_json())


def render_lesson_step(lesson: Lesson, at: int, touched: tuple[str, ...] = ()) -> RenderedPage:
    """A step of a played lesson after some of its touches; the step after the last is its end."""
    with use_language(lesson.code):
        html = rendering.lesson_page(rendering.Shell("Ada"), lesson, at)
        # A lesson keeps no scores; at its end it has its own words.
        data = replace(lesson.table(at), scores=()).to_json() if at < len(lesson.steps) else None
    return RenderedPage(
        f"{lesson.game}, {lesson.code}, step {at + 1} {' '.join(touched)}".rstrip(), html, data, touched
    )


def render_lesson_steps(lesson: Lesson) -> list[RenderedPage]:
    """Everything that a lesson asks for, touch by touch, and its end."""
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


def render_positions(game: GameModule, rnd: random.Random, code: str = SOURCE_LANGUAGE) -> list[RenderedPage]:
    """Of each phase, with few and with many, a full position of whoever is asked, whoever waits, whoever watches."""
    with use_language(code):
        return [render_position(name, table, code) for _, name, table in _fullest_positions(game, rnd)]


def _fullest_positions(game: GameModule, rnd: random.Random) -> Iterable[tuple[int, str, Table]]:
    """The weight of such positions, their names, and what is seen there."""
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
    """How much there is to see: cards and buttons count more than letters."""
    pieces = sum(piece.kind not in ("gap", "gone") for zone in table.zones for piece in zone.pieces)
    words = [*(f"{seat.line}{seat.state}" for seat in table.seats), *(zone.label for zone in table.zones)]
    return 20 * (pieces + len(table.step.choices)) + sum(map(len, words)) + len(table.step.prompt + table.step.help)


def _answer_pings(socket: WebSocketRoute) -> None:
    """Keep a page's line: a line over which nothing comes is lost."""
    socket.on_message(lambda text: socket.send('{"type": "pong"}'))


class Window:
    """A window of a browser in which tables are drawn."""

    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_page()
        self.complaints: list[str] = []
        """What the page's own script complained of."""
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

    def show(self, shown: RenderedPage) -> None:
        """Show a page, and touch what was touched on it."""
        self._html = shown.html
        self.page.goto(f"{ADDRESS}/")
        for touch in shown.touched:
            self.page.wait_for_function(PAGE_AT_REST)
            self.page.evaluate(TOUCH_SCRIPT, touch)


def page_problems(page: Page, said: Mapping[str, Any] | None, size: tuple[int, int]) -> list[str]:
    """What is wrong with a page at rest at this size; `said` is the table's data, None of what is no running table."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_function(PAGE_AT_REST)
    found: list[str] = page.evaluate(INSPECT_SCRIPT, said)
    return [f"{size[0]}×{size[1]} {wrong}" for wrong in found]


def layout_problems(shown: Sequence[RenderedPage], most: int) -> list[str]:
    """What is wrong with these positions, each at all sizes, in Chromium (`check.browser.unavailable_reason`).

    It stops after the position with which there are `most` sentences: the browser is closed before it returns.
    """
    found: list[str] = []
    with open_browser() as browser:
        window = Window(browser)
        for one in shown:
            window.show(one)
            for size in SIZES:
                found += [f"{wrong}   [{one.name}]" for wrong in page_problems(window.page, one.data, size)]
            if len(found) >= most:
                break
        found += window.complaints
    return found
