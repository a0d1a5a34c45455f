"""The table's menu: taking a move back, ending and resigning by consent, and the question before costly moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.core.game_registry import catalogue, info
from facedown.core.match import Match
from facedown.core.match_actions import TAKE_BACK
from facedown.core.table import TouchStep, has_confirmation
from facedown.games.reveille import rules as reveille
from facedown.play import Session, agreements
from facedown.server import rendering
from tests.browser.offline_pages import BEYOND, CODE, DESK, PHONES, Drawn, page_message, played, table_message, table_of
from tests.browser.page_time import box_of, wait_for_events
from tests.browser.players import DESKTOP, PHONE, new_page_for
from tests.browser.test_accessibility import check_accessibility
from tests.nightly_selection import mostly
from tests.server.http_server import Server, lobby, module_server, open_table, shared_table
from tests.waiting import run_ready_tasks

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

ROWS = rendering.TableMenu(
    take_back=rendering.MenuRow("Take back your last move", "Mara must agree."),
    end=rendering.MenuRow("End the match", "The scores count as they are.", question="End this match?"),
    resign=rendering.MenuRow("Resign", "Mara wins the match.", question="Resign this match?"),
)
GREY = ROWS._replace(take_back=ROWS.take_back._replace(reason="You have no move to take back."))
PROPOSAL = rendering.ProposalPanel(7, "End the match", "Play on")
#: Id of the focused element.
FOCUS = "document.activeElement.id"
#: Background of a button.
FILL = "(e) => getComputedStyle(e).backgroundColor"
#: Touch a button or a place by its id.
TOUCH = """(id) => (document.querySelector(`#button-${id}`) ?? document.getElementById(`at-${id}`)
  ?? document.querySelector(`#zone-${id} .piece`)).click()"""
#: The prompt and the buttons as text.
ASKED = "[document.querySelector('#prompt'), document.querySelector('#actions')].map((e) => e.innerText)"
#: Places that have been touched.
PRESSED = "[...document.querySelectorAll('#app .piece:is(.touched, .picked)')].map((e) => e.dataset.place)"
#: Number of things on the table that can be touched.
TOUCHABLE = "document.querySelectorAll('#app .can, #app .lit:not(.lamp)').length"


#: A server whose bots play the lowest action.
lowest = module_server()


@pytest.fixture
def two(lowest: Server) -> Iterator[tuple[httpx.Client, httpx.Client, str]]:
    """The clients of Ada and Ben at a dealt table of Uncovered!, and its address."""
    with lowest.client() as ada, lowest.client() as ben:
        url = shared_table(ada, ben, game="uncovered")
        with lobby(lowest, url, ada, ben) as lives:
            for live in lives:
                live.send(type="ready", ready=True)
                live.settle()
        yield ada, ben, url


def play_until_taking_back_is_possible(server: Server, url: str, acting: int) -> Session:
    """Play swaps for persons until Ada may take her last move back while the player at `acting` is to move."""
    room = server.room(url)
    session = room.session
    persons = [seat for seat, one in enumerate(session.record.seats) if one.kind == "person"]

    def is_possible() -> bool:
        acts = session.dealt_match.acting == [acting]
        return acts and not agreements.why_not_propose(session, 0, TAKE_BACK)

    async def play() -> None:
        while not is_possible():
            seat = next(iter(session.dealt_match.acting), -1)
            if seat not in persons:
                await run_ready_tasks(1)
                continue
            action, version, now = session.legal(seat)[0], session.version(seat), room.services.now()
            await room.request_change(partial(Session.move, seat=seat, action=action, version=version, now=now))

    server.within(play())
    return session


def page_of(browser: Browser, server: Server, client: httpx.Client, url: str, **window: object) -> Page:
    """Open a table as a client and wait until its menu has the rows about the match."""
    page = new_page_for(browser, server, client, **window)
    page.goto(server.origin + url)
    page.wait_for_selector("#menu-game h2", state="attached")
    return page


def press_until_focused(page: Page, key: str, thing: str) -> None:
    """Press a key until an element has the focus."""
    for _ in range(60):
        if page.evaluate(FOCUS) == thing:
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not reach {thing}")


def test_move_is_taken_back_if_the_other_player_agrees_stays_if_not_and_a_player_resigns_after_a_question(
    browser: Browser, lowest: Server, two: tuple[httpx.Client, httpx.Client, str]
) -> None:
    ada, ben, url = two
    session = play_until_taking_back_is_possible(lowest, url, 1)
    plies = session.dealt_match.ply
    hers, his = page_of(browser, lowest, ada, url, **PHONE), page_of(browser, lowest, ben, url, **DESKTOP)
    asks = "Ada asks to take back their last move."
    # Ada asks by touch, Ben agrees by keys. The question closes his menu and does not lose the focus.
    his.keyboard.press("Tab")
    his.locator("[data-open=menu]").focus()
    his.keyboard.press("Enter")
    expect(his.locator("dialog#menu")).to_be_visible()
    hers.tap("[data-open=menu]")
    expect(hers.locator("#menu-take-back")).to_have_text("Take back your last moveBen must agree.")
    hers.tap("#menu-take-back")
    expect(hers.locator("dialog#menu")).to_be_hidden()
    expect(hers.locator("#prompt-words")).to_have_text("You ask to take back your last move.")
    assert hers.locator("#actions .button").all_inner_texts() == ["Withdraw"]
    expect(his.locator("#prompt-words")).to_have_text(asks)
    expect(his.locator("dialog#menu")).to_be_hidden()
    assert his.evaluate("document.activeElement.dataset.open") == "menu"
    assert asks in (his.locator("#polite").text_content() or "")
    assert his.title().startswith("● ")
    assert his.evaluate(TOUCHABLE) == hers.evaluate(TOUCHABLE) == 0
    assert his.locator("#actions .button").all_inner_texts() == ["Let it stand", "Agree"]
    assert his.locator("#menu-game [aria-disabled]").count() == 3
    check_accessibility(his, "a question", "light", "dark")
    press_until_focused(his, "l", "answer-yes")
    his.keyboard.press("Enter")
    expect(his.locator("#answer-yes")).to_have_count(0)
    expect(hers.locator(".lamp.lit")).to_have_count(1)
    expect(his.locator("#log-lines")).to_contain_text("Ada took back their last move.")
    assert session.dealt_match.ply == plies + 1, "nothing is deleted"
    assert not his.evaluate("document.activeElement === document.body")
    # She swaps other cards and asks again; Ben lets the move stand, and she sees why she can't ask once more.
    hers.locator(".hand-area .piece.can").last.tap()
    hers.locator("#others .piece.can").last.tap()
    expect(his.locator(".lamp.lit")).to_have_count(1)
    hers.tap("[data-open=menu]")
    hers.tap("#menu-take-back")
    his.click("#answer-no")
    expect(his.locator("#answer-no")).to_have_count(0)
    hers.tap("[data-open=menu]")
    row = hers.locator("#menu-take-back")
    expect(row).to_contain_text("The others said no. You can ask again after the next move.")
    assert row.get_attribute("aria-disabled") == "true"
    check_accessibility(hers, "a grey row", "light", "dark")
    # The question before resigning: Escape and "Keep playing" leave everything as it is.
    hers.tap("#menu-resign")
    question = hers.locator("dialog#ask-resign")
    expect(question).to_be_visible()
    lines = ["Resign this match?", "The game is lost for both of you.", "Keep playing", "Resign"]
    assert question.inner_text().split("\n") == [*lines[:1], "", *lines[1:2], "", *lines[2:]]
    assert hers.evaluate("document.activeElement.textContent") == "Keep playing"
    keep, resign = question.locator("button").all()
    assert box_of(keep)["width"] > box_of(resign)["width"]
    assert keep.evaluate(FILL) != resign.evaluate(FILL), "the button that takes something away is not filled"
    check_accessibility(hers, "before resigning", "light", "dark")
    hers.keyboard.press("Escape")
    expect(question).to_be_hidden()
    assert hers.evaluate("document.activeElement.dataset.open") == "menu"
    hers.keyboard.press("Enter")
    hers.tap("#menu-resign")
    keep.tap()
    expect(question).to_be_hidden()
    assert not session.dealt_match.over
    hers.tap("[data-open=menu]")
    hers.tap("#menu-resign")
    resign.tap()
    expect(hers.locator("#prompt-words")).to_have_text("You resigned, so the game is lost.")
    expect(his.locator("#prompt-words")).to_have_text("Ada resigned, so the game is lost.")
    for page in (hers, his):
        assert page.locator("#menu-game").is_hidden()
        assert page.locator("dialog[id^=ask-]").count() == 0


def test_move_against_a_bot_is_taken_back_at_once_and_the_match_ends_after_a_question(
    browser: Browser, lowest: Server
) -> None:
    with lowest.client() as ada:
        url = open_table(ada, "low", game="uncovered")
        session = play_until_taking_back_is_possible(lowest, url, 0)
        page = page_of(browser, lowest, ada, url, **DESKTOP)
        page.click("[data-open=menu]")
        menu, opener = box_of(page.locator("dialog#menu")), box_of(page.locator("[data-open=menu]"))
        assert menu["y"] >= opener["y"] + opener["height"], "never over the button that opened it"
        assert 256 <= menu["width"] <= 360
        assert abs(menu["x"] + menu["width"] - opener["x"] - opener["width"]) < 2
        page.mouse.click(300, 400)
        expect(page.locator("dialog#menu")).to_be_hidden()
        page.click("[data-open=menu]")
        page.click("#menu-take-back")
        expect(page.locator("#log-lines")).to_contain_text("You took back your last move.")
        expect(page.locator(".lamp.lit")).to_have_count(1)
        page.click("[data-open=menu]")
        page.click("#menu-end")
        expect(page.locator("dialog#ask-end")).to_be_visible()
        assert not session.dealt_match.over
        page.click("dialog#ask-end .bad")
        expect(page.locator("#finished")).to_be_visible()
        assert (page.locator("#prompt-words").text_content() or "").startswith("The players agreed to end")


def proposed(match: Match, seat: int = 0) -> dict[str, object]:
    """Return the message about a position in which the second player has offered to end the match."""
    table = table_of(match, seat)
    seats = tuple(one._replace(acting=False, state="asks" if one.seat == 1 else "deciding") for one in table.seats)
    step = TouchStep("Mara offers to end the match.", "There’s no score yet, so the match would end without a result.")
    table = replace(table, seats=seats, step=step, turn=None)
    return page_message(table, rendering.TableContext(code=CODE, proposal=PROPOSAL, menu=GREY), version=match.ply)


def first_of_several_touches(step: TouchStep) -> str:
    """Return a touch that other touches follow before a move is complete; empty if there is none."""
    open_choices = [choice for choice in step.choices if not choice.refuses]
    found = [choice.touch for choice in open_choices if choice.then and not has_confirmation(choice)]
    return found[0] if found and len(open_choices) > 1 else ""


def on_own_turn(game: str) -> Match:
    """Return a match in which seat 0 is to make a move of several touches."""
    seats = info(game).seats[0]
    return played(
        game, seats, lambda m: m.ply > 1 and 0 in m.acting and bool(first_of_several_touches(table_of(m).step))
    )


@pytest.mark.parametrize("game", mostly(catalogue(), ("detect",), ("reveille",)))
def test_answers_to_a_proposal_are_in_view_and_touches_made_before_are_still_there_afterwards(
    game: str, drawn: Drawn
) -> None:
    match = on_own_turn(game)
    page = drawn.table(match)
    first = page.evaluate(ASKED)
    page.evaluate(TOUCH, first_of_several_touches(table_of(match).step))
    drawn.shown()
    second = page.evaluate(ASKED)
    assert second != first
    drawn.send(proposed(match))
    expect(page.locator("#answer-no")).to_be_visible()
    assert page.evaluate(TOUCHABLE) == 0
    assert page.locator("#actions .button").all_inner_texts() == ["Play on", "End the match"]
    for size in (*PHONES, DESK):
        drawn.resize(size)
        assert page.evaluate(BEYOND) == [], size
        no, yes = (box_of(page.locator(f"#answer-{word}")) for word in ("no", "yes"))
        assert no["x"] + no["width"] <= yes["x"] or no["y"] + no["height"] <= yes["y"], size
        assert min(no["height"], yes["height"]) >= 44
    page.click("#answer-no")
    wait_for_events(page, lambda: any(message["type"] == "answer" for message in drawn.sent))
    assert drawn.sent[-1] == {"type": "answer", "proposal": 7, "agree": False}
    drawn.send(table_message(match))
    expect(page.locator("#answer-no")).to_have_count(0)
    drawn.shown()
    assert page.evaluate(ASKED) == second


def test_rows_of_the_open_menu_follow_the_match_and_keep_the_focus(drawn: Drawn) -> None:
    match = on_own_turn("scout")
    page = drawn.table(match, menu=GREY)
    assert page.locator("#menu-game").is_hidden()
    drawn.send(table_message(match, menu=GREY))
    drawn.shown()
    page.locator("[data-open=menu]").focus()
    page.keyboard.press("Enter")
    press_until_focused(page, "Tab", "menu-take-back")
    row = page.locator("#menu-take-back")
    assert row.inner_text().split("\n") == ["Take back your last move", "You have no move to take back."]
    page.keyboard.press("Enter")
    assert [message["type"] for message in drawn.sent] == ["hello"], "a grey row does nothing"
    drawn.send(table_message(match, menu=ROWS))
    expect(row).to_contain_text("Mara must agree.")
    assert page.evaluate(FOCUS) == "menu-take-back"
    assert box_of(row)["height"] >= 45
    page.keyboard.press("Enter")
    wait_for_events(page, lambda: len(drawn.sent) > 1)
    assert drawn.sent[-1] == {"type": "propose", "what": "take-back"}
    assert page.evaluate("document.activeElement.dataset.open") == "menu"
    # A spectator has no rows about the match.
    drawn.send(table_message(match))
    expect(page.locator("#menu-game h2")).to_have_count(0)


def touches_to_question(step: TouchStep) -> list[str]:
    """Return the touches after which the table asks before a costly move; empty if no move is costly."""
    for choice in step.choices:
        if has_confirmation(choice):
            return [choice.touch]
        if choice.then and (found := touches_to_question(choice.then)):
            return [choice.touch, *found]
    return []


@pytest.mark.parametrize("game", mostly(("detect", "reveille", "uncovered"), ("detect",)))
def test_question_before_a_costly_move_is_in_view_and_keep_looking_undoes_only_the_last_touch(
    game: str, drawn: Drawn
) -> None:
    match = played(game, 2, lambda m: 0 in m.acting and bool(touches_to_question(table_of(m).step)))
    page = drawn.table(match)
    *before, last = touches_to_question(table_of(match).step)
    for touch in (*before, last):
        page.evaluate(TOUCH, touch)
        drawn.shown()
    buttons = page.locator("#actions .button:visible")
    assert buttons.first.inner_text() == "Keep looking"
    assert "primary" in (buttons.last.get_attribute("class") or "")
    for size in (*PHONES, DESK):
        drawn.resize(size)
        assert page.evaluate(BEYOND) == [], size
        assert buttons.count() == 2
    words = page.inner_text("#prompt-words")
    buttons.first.click()
    drawn.shown()
    assert page.inner_text("#prompt-words") != words
    assert page.evaluate(PRESSED) == before
    assert not [message for message in drawn.sent if message["type"] == "move"]


def test_costly_move_is_sent_at_once_after_the_question_has_been_turned_off_in_the_menu(drawn: Drawn) -> None:
    claim = reveille.Act.CLAIM
    match = played("reveille", 2, lambda m: claim in m.legal(0) and int(m.state.points[0]) < int(m.state.high))
    page = drawn.table(match)
    toggle = page.locator("[data-toggle=confirmation]")
    page.click("[data-open=menu]")
    assert toggle.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Escape")
    if page.locator("#zone-hand .touched").count() == 0:
        page.locator("#zone-hand .piece.can").first.click()
    page.click("[data-button=claim]")
    assert page.locator("#actions .button").all_inner_texts() == ["Keep looking", "Claim anyway"]
    page.click("[data-back]")
    assert page.locator("#zone-hand .touched").count() == 1
    page.click("[data-open=menu]")
    toggle.click()
    assert toggle.get_attribute("aria-pressed") == "false"
    page.keyboard.press("Escape")
    assert not [message for message in drawn.sent if message["type"] == "move"]
    page.click("[data-button=claim]")
    assert drawn.moves() == [claim]
    page.reload()
    assert page.locator("[data-toggle=confirmation]").get_attribute("aria-pressed") == "false", "the browser keeps it"
