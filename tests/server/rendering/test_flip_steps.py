"""Cards that flip in steps: the page carries the steps, and the client shows them one after the other."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

from playwright.sync_api import Browser
from tests.browser.offline_pages import Drawn, page_message
from tests.browser.page_time import stop_clock, wait_for_events

from facedown.core.match import Match
from facedown.core.table import Sitter
from facedown.games.reveal.action_text import parse
from facedown.server import rendering
from facedown.server.connection import messages

SITTERS = (Sitter("Ada"), Sitter("Mara", bot=True))
ROUNDS = [
    move for _ in range(3) for move in ((0, "swap none"), (1, "swap none"), (0, "place L C R"), (1, "place L C R"))
]
CHOICES = [(0, "choose L"), (1, "choose R"), (1, "confirm")]
STEP_TIME = 600
STEPS = [
    "The columns nobody chose",
    "Each player’s own column",
    "The other player’s column",
    "The Final Cards",
]


def before_the_last_confirmation(**options: str) -> Match:
    match = Match("reveal", 2, options, bytes(32))
    for seat, text in ROUNDS + CHOICES:
        match.play(seat, parse(text))
    return match


def message_of(match: Match) -> dict[str, Any]:
    table = match.table(0, SITTERS).with_log(match.log(0, SITTERS))
    return page_message(table, rendering.TableContext(code="K7QM"), version=match.ply)


class SteppedPage(Drawn):
    """A page with a manual clock that shows one message and is sent others."""

    def __init__(self, browser: Browser, first: dict[str, Any]) -> None:
        super().__init__(browser, 1280, 720)
        self.page.clock.install()
        self.open(first, "reveal")
        wait_for_events(self.page, lambda: self._sockets)
        stop_clock(self.page)

    def send(self, message: dict[str, Any]) -> None:
        super().send(message)
        # The client would apply it in the next animation frames, but applies it at once when the page becomes visible.
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def wait(self, milliseconds: int) -> None:
        self.page.clock.run_for(milliseconds)

    @property
    def covered(self) -> set[str]:
        return set(
            self.page.eval_on_selector_all(".cover:not(.turning)", "all => all.map(e => e.parentElement.dataset.place)")
        )

    @property
    def heard(self) -> list[str]:
        """The lines of the polite live region, which a screen reader reads aloud."""
        return self.page.locator("#polite p").all_text_contents()

    @property
    def prompt(self) -> str:
        return self.page.inner_text("#prompt-words")


def steps_of(match: Match) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = next(p for p in match.table(0, SITTERS).panels if p.kind == "steps").data["steps"]
    return steps


def test_hidden_cards_flip_in_steps_and_a_tap_starts_the_next_step(chromium_once: Browser) -> None:
    match = before_the_last_confirmation()
    with closing(SteppedPage(chromium_once, message_of(match))) as shown:
        page = shown.page
        assert not page.query_selector("[data-steps]")
        match.play(0, parse("confirm"))
        shown.send(message_of(match))
        page.wait_for_selector(".cover", state="attached")
        words = steps_of(match)
        steps = [set(step["places"]) for step in words]
        assert page.text_content("#tally-line > .now") == "Counting the base alone: 1 and 1."
        left = set().union(*steps)
        assert len(left) == 20
        assert shown.covered == left
        # Meanwhile the other seat continues: the page is rendered again and keeps its steps.
        for number, step in enumerate(steps):
            shown.wait(STEP_TIME - 60)
            assert shown.covered == left, "no step is early"
            assert shown.heard == [step["said"] for step in words[:number]], "one polite line a step"
            assert not number or page.text_content("#tally-line > .now") == words[number - 1]["line"]
            left -= step
            # Cards that score delay the next step until they have arrived.
            for _ in range(20):
                shown.wait(40)
                if shown.covered == left:
                    break
            assert shown.covered == left
            assert shown.prompt == STEPS[number]
            if number == 1:
                match.play(1, parse("continue"))
                shown.send(message_of(match))
                page.wait_for_selector("text=ready for the next hand")
                assert shown.covered == left
        shown.wait(5 * STEP_TIME)
        assert shown.prompt == match.table(0, SITTERS).step.prompt
        assert shown.heard[: len(words)] == [step["said"] for step in words]

        page.click("text=Show again")
        left = set().union(*steps)
        assert shown.covered == left
        page.mouse.click(300, 300)
        left -= steps[0]
        assert shown.covered == left, "a touch ends the step that runs, and begins the next"
        page.keyboard.press(" ")
        left -= steps[1]
        assert shown.covered == left
        page.click("text=All at once")
        assert shown.covered == set()
        assert shown.prompt == match.table(0, SITTERS).step.prompt
        assert not [m for m in shown.sent if m["type"] == "move"], "the touch that hurries does nothing else"


def test_cards_of_the_last_hand_flip_before_the_match_result_is_shown(chromium_once: Browser) -> None:
    match = before_the_last_confirmation(end="hands(1)")
    with closing(SteppedPage(chromium_once, message_of(match))) as shown:
        page = shown.page
        match.play(0, parse("confirm"))
        message = message_of(match)
        shown.send(message)
        page.wait_for_selector(".cover", state="attached")
        assert not page.query_selector("#finished")
        assert len(shown.covered) == 20
        shown.send({**message, "last": None, "version": message["version"] + 1})
        assert not page.query_selector("#finished"), "other news of the finished match waits for the last card"
        assert len(shown.covered) == 20
        shown.wait(STEP_TIME * (2 * len(STEPS) + 4))
        page.wait_for_selector("#finished")
        assert shown.prompt == match.table(0, SITTERS).result
        page.reload()
        page.wait_for_selector("#board")


def test_only_the_message_that_ends_a_match_includes_the_last_table_view_with_its_card_flip_steps() -> None:
    match = before_the_last_confirmation()
    assert "last" not in message_of(match)
    match.play(0, parse("confirm"))
    assert "last" not in message_of(match)
    over = before_the_last_confirmation(end="hands(1)")
    over.play(0, parse("confirm"))
    message = message_of(over)
    assert "data-steps" in str(message["last"]["sections"])
    sent = json.loads(messages.Table.model_construct(**message).wire())
    assert sent["last"] == message["last"]
    assert 'id="finished"' in message["html"]
    assert "data-steps" not in message["html"]
    page = rendering.table_page(rendering.Shell("Ada"), message, game="reveal", code="K7QM")
    assert "data-steps" not in page
