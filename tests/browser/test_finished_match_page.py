"""The page of a finished match: moments of the review beside their positions, the graph, and agreement on a rematch."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from facedown.check.random_matches import GAMES
from facedown.core.hidden_cards import known_view
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Slip
from facedown.server import rendering
from facedown.server.rendering.page_model import RematchPanel
from facedown.server.rendering.replay import Replay
from facedown.study.hint_texts import touched_places
from tests.browser.offline_pages import CODE, DESK, PHONE, PHONES, Drawn, page_message, played, sitters
from tests.browser.page_time import box_of, wait_for_frames
from tests.browser.players import SIZES, open_page_for
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.browser.test_layouts import unseen
from tests.nightly_selection import mostly
from tests.server.http_server import Server, finished, finished_two_player_match, module_server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

SEATS = {"reveal": 2, "reveille": 2, "detect": 8, "uncovered": 6, "scout": 5}
PLIES = 90
#: Number of decisions of a match that are drawn, some of each phase.
DRAWN = 9
FAIR = "The deal was fair: the seed matches the hash published before the first hand."

#: Parts of the moments' pictures and of the graph that are cut off, too small, or covered.
WRONG = """() => {
  const wrong = [];
  const box = (e) => e.getBoundingClientRect();
  const shown = (from, q) =>
    [...from.querySelectorAll(q)].filter((e) => e.checkVisibility({ visibilityProperty: true }));
  const within = (r, f) =>
    r.left >= f.left - 1 && r.right <= f.right + 1 && r.top >= f.top - 1 && r.bottom <= f.bottom + 1;
  const meet = (r, f) => Math.min(r.right, f.right) - Math.max(r.left, f.left) > 1
    && Math.min(r.bottom, f.bottom) - Math.max(r.top, f.top) > 1;
  document.querySelectorAll(".moments li").forEach((li, i) => {
    const picture = li.querySelector(".position");
    const frame = box(picture);
    const seen = shown(picture, ".piece, .word, h2");
    if (!seen.length) wrong.push(`${i}: nothing is drawn`);
    for (const e of seen)
      if (!within(box(e), frame)) wrong.push(`${i}: ${e.className} ${e.ariaLabel ?? e.textContent} is cut`);
    const faces = seen.filter((e) => e.matches(".k-face"));
    const least = Math.min(...faces.map((e) => Math.min(e.offsetWidth, e.offsetHeight)));
    if (least < 24) wrong.push(`${i}: a face of ${least}`);
    const words = seen.filter((e) => e.matches(".word")).map(box);
    for (const [n, a] of words.entries())
      for (const b of words.slice(n + 1)) if (meet(a, b)) wrong.push(`${i}: words lie on each other`);
    for (const text of shown(li, "header, .what > p, .how-often")) {
      if (!within(box(text), box(li))) wrong.push(`${i}: ${text.className || text.tagName} leaves its moment`);
      if (meet(box(text), frame)) wrong.push(`${i}: words on the picture`);
    }
    if (picture.querySelector("button, [id], [tabindex]")) wrong.push(`${i}: something to be touched`);
  });
  const chances = document.querySelector(".chances");
  const pins = shown(chances, ".pins circle").map(box);
  for (const text of shown(chances, "header > *, .xs text, .tally, .fair"))
    if (pins.some((pin) => meet(pin, box(text)))) wrong.push(`a pin of the graph on "${text.textContent.trim()}"`);
  if (!pins.length) wrong.push("no pins");
  for (const name of shown(chances, ".whose button"))
    if (name.scrollWidth > name.clientWidth + 1) wrong.push(`"${name.textContent}" is cut`);
  return [...new Set(wrong)];
}"""


server = module_server(review_tries=2)


def coach_panel(match: Match, moments: tuple[rendering.CoachMoment, ...], ready: bool = True) -> rendering.CoachPanel:
    """Return the coach's panel with these moments."""
    together = match.game.info.together
    seats = tuple((seat, name.name, seat == 0) for seat, name in enumerate(sitters(match.seats)) if not together)
    graph = rendering.win_probability_graph([(0.0, 0.5), (1.0, 1.0)], ["1", "2"], [(0.1, 1.0), (0.4, 0.6), (1.0, 0.0)])
    return rendering.CoachPanel(
        "Your chance of winning, round by round",
        ready=ready,
        says="The coach is reviewing the match: move 31 of 70. You can keep playing.",
        of=70,
        done=31,
        seats=seats,
        graph=rendering.wasted_turns_chart([2, 0, 1, 0], [0, 2]) if together else graph,
        counts=((35, "decisions"), (27, "best"), (5, "close"), (3, "costly")),
        note="Estimated in imagined worlds that fit what was known then.",
        moments_title="Three moments that mattered",
        moments=moments,
        fairness=FAIR,
    )


def decisions(name: str) -> tuple[Match, tuple[rendering.CoachMoment, ...]]:
    """Play a match at random and return it with some of its decisions as moments.

    Each moment has the move that was played and another legal one.
    """
    lot = random.Random(f"moments of {name}")
    match = Match(name, SEATS[name], {}, seed=lot.randbytes(32))
    found: dict[str, list[rendering.CoachMoment]] = {}
    while not match.over and match.ply < PLIES:
        seat = lot.choice(match.acting)
        legal = match.legal(seat)
        played, better = lot.choice(legal), lot.choice(legal)
        if len(legal) > 1:
            table = match.game.tables.table(known_view(match.state, seat), sitters(match.seats))
            picture = rendering.marked_position_html(
                table, touched_places(table, played), touched_places(table, better)
            )
            text = f"You {match.game.action_phrase(match.known(seat), played, sitters(match.seats)).past}."
            moment = rendering.CoachMoment("Hand 2 of 3, final round", text, "The other was **better**.", "−11")
            found.setdefault(table.phase, []).append(moment._replace(worlds=24, beaten=17, position=picture))
        match.play(seat, played)
    each = max(1, DRAWN // len(found))
    return match, tuple(moment for of in found.values() for moment in lot.sample(of, min(each, len(of))))


def finished_page_message(match: Match, coach: rendering.CoachPanel) -> dict[str, Any]:
    """Return the message of a finished match's page, even if the match is not over."""
    names = sitters(match.seats)
    table = match.table(0, names).with_log(match.log(0, names))
    context = rendering.TableContext(
        code=CODE,
        coach=coach,
        again=RematchPanel(),
        rules=(("Clock", "none"), ("Memory aid", "off")),
        fairness=FAIR,
        record_url="/m/K7QM.facedown",
    )
    slips = table.slips or (Slip(0, "the left column", "6", sum="**2 + 4.**"),)
    return page_message(replace(table, over=True, result="You win, 15 to 14.", slips=slips), context, version=1)


@pytest.mark.parametrize("name", mostly(GAMES, ("reveal",), ("detect", "uncovered")))
def test_costly_decision_in_a_review_shows_its_position_beside_its_comment_without_overlap(
    name: str, drawn: Drawn
) -> None:
    match, moments = decisions(name)
    assert len(moments) > 3
    page = drawn.open(finished_page_message(match, coach_panel(match, moments)), name)
    assert page.evaluate(WRONG) == []
    box = box_of(page.locator(".moments .position").first)
    words = box_of(page.locator(".moments .what").first)
    assert box["width"] == 150
    assert words["x"] > box["x"] + 150
    assert abs(words["y"] - box["y"]) < 4
    for size in (PHONES[0], DESK):
        drawn.resize(size)
        assert page.evaluate(WRONG) == [], size
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    tops: list[float] = page.locator(".moments li").evaluate_all("(all) => all.map((e) => e.offsetTop)")
    assert tops[:3] == [tops[0]] * 3, "side by side"
    assert page.locator(".moments .position").first.evaluate("(e) => e.offsetHeight") == 214


@pytest.mark.slow
def test_comments_on_only_one_or_two_costly_decisions_use_the_width_of_a_desktop_window(browser: Browser) -> None:
    match, moments = decisions("reveal")
    drawn = Drawn(browser, *DESK)
    for count in (1, 2):
        page = drawn.open(finished_page_message(match, coach_panel(match, moments[:count])), "reveal")
        assert page.evaluate(WRONG) == []
        graph, words = box_of(page.locator(".chances")), box_of(page.locator(".moments .what > p").first)
        assert words["width"] > 0.35 * graph["width"]


@pytest.mark.slow
def test_review_without_decisions_shows_a_note_and_no_empty_graph(drawn: Drawn) -> None:
    match, _moments = decisions("uncovered")
    note = "Nobody swapped a card: there is nothing to look back on."
    nothing = coach_panel(match, ())._replace(counts=(), note=note)
    page = drawn.open(finished_page_message(match, nothing), "uncovered")
    for size in (PHONE, DESK):
        drawn.resize(size)
        card, title, words = (box_of(page.locator(f".chances{part}")) for part in ("", " h2", " .note"))
        assert words["x"] == title["x"], "the sentence stands under the title"
        assert card["height"] < 150
    assert page.locator(".plot, .moments").count() == 0


def test_round_scores_of_eight_players_show_all_names_and_totals(drawn: Drawn) -> None:
    # All bots have the same avatar.
    names = sitters(8, 1)
    table = Match("detect", 8, {}, seed=bytes(32)).table(0, names)
    rows = tuple(
        rendering.SeatRoundScores(seat, tuple((str(r), not r) for r in range(9)), f"{70 + seat}") for seat in range(8)
    )
    page = drawn.open(
        page_message(replace(table, over=True), rendering.TableContext(code=CODE, sheet=rows), version=1), "detect"
    )
    for size in (PHONE, DESK):
        drawn.resize(size)
        for seat, name in zip(table.seats, page.locator(".rounds .who-of").all(), strict=True):
            assert name.inner_text().endswith(seat.name)
            expect(name).to_be_in_viewport(ratio=0.9)
        for total in page.locator(".rounds .total").all():
            expect(total).to_be_in_viewport(ratio=0.9)
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]


def test_win_probability_graph_grows_during_the_review_without_moving_other_parts(drawn: Drawn) -> None:
    match, moments = decisions("reveal")
    waiting = coach_panel(match, (), ready=False)
    page = drawn.open(
        finished_page_message(
            match, waiting._replace(graph=rendering.win_probability_graph([(0.0, 0.5), (0.2, 0.6)], ["1", "2"]))
        ),
        "reveal",
    )
    # In the curve's own units. The graph reaches as far as the coach has come.
    reach = "document.querySelector('.plot .trace').getBBox().width"
    tops = "[...document.querySelectorAll('.plot, .moments, .moments li .position')].map((e) => e.offsetTop)"
    assert page.evaluate(reach) == 200
    before = page.evaluate(tops)
    assert len(before) == 5, "three places for moments are there already"
    drawn.send(
        rendering.coach_message(
            waiting._replace(done=60, graph=rendering.win_probability_graph([(0.0, 0.5), (0.7, 0.6)], ["1", "2"]))
        )
    )
    page.wait_for_function(f"() => {reach} === 700")
    assert page.evaluate(tops) == before
    assert page.locator("#looking").inner_text().endswith("You can keep playing.")
    drawn.send(rendering.coach_message(coach_panel(match, moments[:3])))
    page.wait_for_selector(".moments h3")
    assert page.evaluate(tops) == before, "nothing jumps"


@pytest.mark.parametrize("size", mostly([PHONE, DESK], (), [PHONE], one=True), ids=str)
def test_last_scoring_and_log_of_a_finished_match_start_collapsed_and_stay_open_once_opened(
    size: tuple[int, int], drawn: Drawn
) -> None:
    match, moments = decisions("reveal")
    coach = coach_panel(match, moments[:3])
    page = drawn.open(finished_page_message(match, coach), "reveal")
    expect(page.locator(".house dt")).to_have_text(["Clock", "Memory aid"])
    assert page.locator(".fair:visible").all_inner_texts() == [FAIR]
    order = [box_of(page.locator(part))["y"] for part in (".moments", "#last-count", "#log-folded")]
    assert order == sorted(order)
    for part, inside in (("#last-count", ".slip"), ("#log-folded", "#log-lines")):
        expect(page.locator(inside).first).to_be_hidden()
        page.click(f"{part} summary")
        expect(page.locator(inside).first).to_be_visible()
    drawn.send(finished_page_message(match, coach) | {"version": 2, "title": "Reveal · anew"})
    page.wait_for_function("() => document.title.includes('anew')")
    expect(page.locator(".slip").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


#: Tops of the parts of a finished match.
TOPS = "[...document.querySelectorAll('.moments, .plot, .finished-columns')].map((e) => e.offsetTop)"


@pytest.mark.parametrize("size", mostly(PHONES, PHONES[:1], PHONES[2:], one=True), ids=str)
@pytest.mark.parametrize("ready", [False, True], ids=["the coach looks", "the coach has looked"])
def test_finished_match_shows_result_rematch_scores_and_graph_without_scrolling_on_a_phone(
    ready: bool, size: tuple[int, int], drawn: Drawn
) -> None:
    match = played("reveal", 2, lambda m: m.over, end="hands(3)")
    coach = coach_panel(match, decisions("reveal")[1][:3])._replace(note="", fairness="")
    sheet = Replay(match, sitters(2), SPECTATOR).round_scores
    shown = coach if ready else coach._replace(ready=False, says="", moments=())
    page = drawn.table(match, coach=shown, sheet=sheet, replay_url="/m/K7QM", again=RematchPanel())
    assert not unseen(page, ".result h2, .finished > .actions .button, .rounds tr")
    assert page.locator(".finished > .actions .primary").count() == 1, "the rematch is on the first screen"
    assert page.locator(".rounds tbody tr").count() == 2
    assert [len(row.rounds) for row in sheet] == [3, 3]
    assert [row.total for row in sheet] == [str(int(total)) for total in match.state.total]
    field = box_of(page.locator(".plot .field"))
    assert 145 <= field["height"] <= 155
    if size == PHONE:
        assert field["y"] + field["height"] < 844, "the graph is on the first screen"
    before = page.evaluate(TOPS)
    drawn.send(rendering.coach_message(coach))
    page.wait_for_selector(".tally ul")
    assert all(abs(was - now) <= 2 for was, now in zip(before, page.evaluate(TOPS), strict=True)), "nothing jumps"


@pytest.mark.slow
def test_review_shows_a_graph_and_costly_decisions_that_link_to_their_moves_in_the_replay(
    browser: Browser, server: Server
) -> None:
    with server.client() as ada:
        page = open_page_for(browser, server, ada, finished(server, ada), "desktop")
        page.wait_for_selector(".tally ul")
        assert page.locator(".plot .trace").count() == 1
        assert page.locator(".plot .pins g").count() == page.locator(".moments li:not(.none)").count() <= 3
        judged = page.locator(".tally li").first.inner_text()
        assert page.locator("#coach table tbody tr").count() == int(judged.split()[0]) > 0
        check_accessibility(page, "finished, desktop")
        page.click(".whose button:has-text('Juniper')")
        expect(page.locator("#chances-title")).to_have_text("Juniper’s chance of winning, hand by hand")
        page.wait_for_selector(".tally ul")
        narrow = open_page_for(browser, server, ada, page.url.removeprefix(server.origin), "small")
        narrow.wait_for_selector(".tally ul")
        check_accessibility(narrow, "finished, small", *BOTH)
        page.reload()
        moments = page.locator(".moments h3 a")
        if moments.count():
            assert "hand" in moments.first.inner_text().lower()
            moments.first.click()
            expect(page.locator(".said-now p")).to_contain_text("as you saw it")
            expect(page.locator(".replay-moves .now, .said-now h2").first).to_be_visible()
        # With bots only, the next match begins at once.
        narrow.click("text=Play again with Juniper")
        narrow.wait_for_selector(".lamp.lit")


@pytest.mark.parametrize("size", mostly(SIZES, (), ("phone",)))
def test_pages_of_both_players_stay_at_the_finished_match_until_both_agree_to_a_rematch(
    size: str, browser: Browser, server: Server
) -> None:
    with server.client() as ada, server.client() as ben:
        url = finished_two_player_match(server, ada, ben)
        hers, his = both = [
            open_page_for(browser, server, client, url, size, manual_clock=True) for client in (ada, ben)
        ]
        for page in both:
            page.evaluate("window.stayed = true")
        hers.click("text=Play again with Ben")
        expect(his.locator("#again h2")).to_have_text("Ada wants to play again.")
        expect(hers.locator("#again h2")).to_have_text("You want to play again.")
        expect(hers.locator("#again .who-says p")).to_have_text("Ben hasn’t answered yet.")
        # Let the pages' timers run, and let messages that were already sent arrive.
        for page in both:
            page.clock.run_for(15_000)
            page.evaluate("fetch('/health').then(() => true)")
            wait_for_frames(page)
        assert [page.url for page in both] == [server.origin + url] * 2
        assert all(page.evaluate("window.stayed") for page in both), "not even loaded anew"
        card = box_of(his.locator("#again"))
        assert 0 <= card["x"] <= card["x"] + card["width"] <= SIZES[size]["viewport"]["width"]
        assert all(box_of(button)["height"] >= 44 for button in his.locator("#again .button").all())
        assert his.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1")
        his.click("#again button:has-text('Play again')")
        for page in both:
            page.wait_for_url(lambda there: not there.endswith(url))
            page.wait_for_selector("#board .prompt")
        assert hers.url == his.url


@pytest.mark.slow
def test_button_for_a_rematch_against_a_stronger_bot_lies_inside_the_window(drawn: Drawn) -> None:
    match = played("reveal", 2, lambda m: m.over, end="hands(1)")
    again = RematchPanel(may=True, stronger=("strong", "Play Juniper (strong)"))
    page = drawn.table(match, again=again, replay_url="/m/K7QM")
    for width in (320, 390, 1440):
        drawn.resize((width, 844))
        for button in page.locator(".finished > .actions .button").all():
            box = box_of(button)
            assert 0 <= box["x"] <= box["x"] + box["width"] <= width, button.inner_text()
    assert page.locator("[name=level][value=strong]").inner_text() == "Play Juniper (strong)"
