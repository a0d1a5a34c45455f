"""Accessibility: axe-core finds no violation on any page, and nothing scrolls sideways, in both themes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle, product
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from facedown.core.game_registry import catalogue, info
from facedown.core.translation import use_language
from facedown.games.reveal import rules as reveal
from facedown.simulate import report
from facedown.simulate.findings import Findings
from tests.browser import offline_pages
from tests.browser.game_phases import moment_pages
from tests.browser.players import DESKTOP, PHONE, SIZES, SMALL, Person
from tests.nightly_selection import mostly
from tests.server.http_server import Server
from tests.simulate.sample_findings import alone, compared

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
GAMES = tuple(catalogue())

BOTH: tuple[Literal["light", "dark"], ...] = ("light", "dark")
#: Checks colours only. By default axe would also report every rule that passes.
COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
#: Parameters of the landing runs: each game at one size.
LANDING = tuple(zip(GAMES, cycle(SIZES), strict=False))


def check_accessibility(page: Page, what: str, *themes: Literal["light", "dark"]) -> None:
    """Check a page with axe in each theme (in its own if none is given), and that nothing scrolls sideways."""
    for theme in themes or (None,):
        if theme is not None:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        # A second theme changes only colours. axe's script is already in the page.
        again = theme is not None and theme != themes[0]
        found = Axe("null").run(page, options=COLOURS) if again else Axe().run(page)
        assert found.violations_count == 0, f"{what}, {theme}:\n{found.generate_report()}"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1"), (
        f"{what} scrolls sideways"
    )


@pytest.mark.parametrize("size", mostly(SIZES, (), ("phone",)))
def test_home_table_form_guide_score_and_error_pages_pass_axe_and_do_not_scroll_sideways(
    size: str, browser: Browser, server: Server
) -> None:
    person = Person(browser, server, 1, "mouse", **SIZES[size])
    for address in ("/", "/new/detect", "/guide/detect", "/score", "/score/reveal", "/score/detect", "/nothing-here"):
        person.page.goto(server.origin + address)
        check_accessibility(person.page, f"{address}, {size}", *BOTH)
    person.complaints.clear()  # The console reports the missing page.


def test_table_menu_passes_axe_and_its_colour_letters_switch_applies_at_once_and_after_reload(
    browser: Browser, server: Server
) -> None:
    person = Person(browser, server, 1, "touch", **PHONE)
    person.new_table("reveal", "greedy")
    page = person.page
    page.tap("[data-open=menu]")
    check_accessibility(page, "menu", *BOTH)
    # A switch takes effect at once and on the next page.
    assert page.get_attribute("[data-switch]", "aria-pressed") == "false"
    page.tap("[data-switch]")
    assert page.get_attribute("[data-switch]", "aria-pressed") == "true"
    assert page.evaluate("document.documentElement.dataset.letters") == "on"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.letters") == "on"


@pytest.mark.parametrize(("game", "size"), mostly(product(GAMES, SIZES), (), LANDING))
def test_guide_and_every_phase_of_a_game_pass_axe(game: str, size: str, browser: Browser, server: Server) -> None:
    page = browser.new_context(**SIZES[size]).new_page()
    page.goto(f"{server.origin}/guide/{game}")
    check_accessibility(page, f"guide of {game}, {size}")
    for moment, page in moment_pages(browser, game, info(game).seats[0], window=SIZES[size]):
        if "is asked" in moment.name:
            check_accessibility(page, f"{game}, {size}: {moment.name}", *BOTH)


#: Text colour, edge colour and edge style of a button.
LOOK = "(e) => { const s = getComputedStyle(e); return [s.color, s.borderTopColor, s.borderTopStyle]; }"


@pytest.mark.slow
def test_disabled_button_is_grey_and_dashed_in_forced_colours(browser: Browser) -> None:
    """A high-contrast mode is an example of forced colours."""
    match = offline_pages.played("reveal", 2, lambda m: m.state.phase == reveal.Phase.PLACE and 0 in m.acting)
    page = offline_pages.Drawn(browser, *offline_pages.PHONE, forced_colors="active").table(match)
    grey = page.locator("#actions [data-button=place]")
    expect(grey).to_have_attribute("aria-disabled", "true")
    usable = page.locator("#bar .tool").last
    grey_look = grey.evaluate(LOOK)
    system = page.evaluate(
        """() => { const e = document.body.appendChild(document.createElement('p'));
        e.style.color = 'GrayText'; return getComputedStyle(e).color; }"""
    )
    assert grey_look == [system, system, "dashed"], "words and edge are grey as the system says"
    # Once enabled, the same button has another colour and a solid edge.
    able_look = grey.evaluate(
        f"(e) => {{ e.removeAttribute('aria-disabled'); e.classList.remove('grey'); return ({LOOK})(e); }}"
    )
    assert able_look[0] != grey_look[0]
    assert able_look[1] != grey_look[1]
    assert able_look[2] == "solid"
    assert usable.evaluate(LOOK)[0] != grey_look[0]


#: Reports to check: the findings, the language and the window.
REPORTS: dict[str, tuple[Callable[[], Findings], str, dict[str, Any]]] = {
    "compared, phone": (compared, "de", PHONE),
    "running, small": (lambda: replace(compared(), deals=1200), "de", SMALL),
    "alone, desktop": (alone, "en", DESKTOP),
}


@pytest.mark.parametrize("name", mostly(REPORTS, (), ("compared, phone",)))
def test_simulation_report_passes_axe_makes_no_network_request_and_prints_in_light_colours(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    made, language, size = REPORTS[name]
    with use_language(language):
        report.write_html_report(made(), tmp_path / "report.html")
    page = browser.new_context(**size, offline=True).new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "report.html").as_uri())
    assert all(url.startswith(("file:", "data:")) for url in asked), asked
    # Check the folded parts, too.
    folds = page.locator("details")
    folds.evaluate_all("(all) => all.forEach((each) => { each.open = true; })")
    check_accessibility(page, name, *BOTH)
    folds.evaluate_all("(all) => all.forEach((each) => { each.open = false; })")
    page.emulate_media(media="print", color_scheme="dark")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(246, 241, 232)", "a page on paper is light"
    assert page.evaluate("document.querySelector('details table').checkVisibility({ contentVisibilityAuto: true })")
