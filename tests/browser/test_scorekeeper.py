"""Score sheets in the browser: touching cards, typing, or lists without scripts give the same score."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.core.game_registry import catalogue
from facedown.core.score_sheet_questions import Sheet
from facedown.server.http.scorekeeper import empty_sheet_for
from tests.browser.page_time import box_of
from tests.browser.players import DESKTOP, PHONE
from tests.nightly_selection import mostly
from tests.server.http_server import Server
from tests.server.test_scorekeeper import answers_for, example, score

pytestmark = pytest.mark.browser


def fill_in_sheet(page: Page, sheet: Sheet, answers: dict[str, str], places: set[str]) -> None:
    """Answer a sheet by touching and typing."""
    for group in page.locator("details.score-group").all():
        group.evaluate("(group) => { group.open = true; }")
    opened = ""
    for question in sheet.fields:
        answer = answers.get(question.name, "")
        if not answer:
            continue
        field = page.locator(f'[name="{question.name}"]')
        if question.name in places:
            tray = page.locator(".tray:not([hidden])")
            if opened != question.name:
                field.locator("+ .place-of").click()
            expect(field.locator("+ .place-of.now")).to_have_count(1)
            place = box_of(field.locator("+ .place-of"))
            assert 0 <= place["y"] <= place["y"] + place["height"] <= box_of(tray)["y"], "the tray covers its place"
            tray.locator(f'[value="{answer}"]').click()
            expect(field).to_have_value(answer)
            now = page.locator("select:has(+ .place-of.now)")
            opened = now.get_attribute("name") or "" if now.count() else ""
        elif question.kind in ("choice", "faces"):
            page.locator(f'[name="{question.name}"][value="{answer}"]').check(force=True)
        elif question.kind == "switch":
            field.check()
        else:
            field.fill(answer)


@pytest.mark.parametrize(
    ("game", "window"),
    mostly([(game, window) for window in (PHONE, DESKTOP) for game in catalogue()], (), [("detect", PHONE)]),
    ids=str,
)
def test_score_sheet_can_be_filled_in_by_touching_cards(
    game: str, window: dict[str, Any], browser: Browser, server: Server
) -> None:
    data = example(game)
    answers = answers_for(game, data)
    sheet = empty_sheet_for(game, answers)
    page = browser.new_context(**window).new_page()
    page.goto(f"{server.origin}/score/{game}?seats={answers['seats']}&parts={answers['parts']}")
    lists = page.locator("select[data-tray]")
    places = {str(name) for name in lists.evaluate_all("(all) => all.map((one) => one.name)")}
    assert places == {
        question.name
        for group in sheet.groups
        if group.columns
        for question in group.fields
        if question.kind == "faces"
    }
    assert page.locator(".score-group:not(:last-of-type) select:not([data-tray])").count() == 0, "no other lists"
    fill_in_sheet(page, sheet, answers, places)
    page.keyboard.press("Escape")
    expect(page.locator(".tray:not([hidden])")).to_have_count(0)
    page.locator(".score-foot .primary").click()
    expect(page.locator(".score-result")).to_have_count(1)
    expected = score(game, data)
    for row in expected.get("players", []):
        expect(page.locator("#result")).to_contain_text(str(row.get("total", row.get("marks"))))


def test_card_field_of_a_score_sheet_accepts_typed_keys_and_works_without_javascript(
    browser: Browser, server: Server
) -> None:
    page = browser.new_context(**DESKTOP).new_page()
    page.goto(f"{server.origin}/score/uncovered")
    first = page.locator('[name="hands.0.0"]')
    first.focus()
    page.keyboard.press("3")
    expect(first).to_have_value("3")
    expect(first.locator("+ .place-of .piece")).to_have_count(1)
    first.locator("+ .place-of").click()
    page.get_by_role("button", name="Clear this space").click()
    expect(first).to_have_value("")
    plain = browser.new_context(java_script_enabled=False, **DESKTOP).new_page()
    plain.goto(f"{server.origin}/score/uncovered")
    plain.locator('[name="hands.0.0"]').select_option("3")
    plain.locator(".score-foot .primary").click()
    expect(plain.locator('[name="hands.0.0"]')).to_have_value("3")
    expect(plain.get_by_role("alert")).to_contain_text("position 2 is missing")
