"""Lessons over HTTP: steps as pages and as JSON, unknown steps, and the home page for new and returning visitors."""

from __future__ import annotations

import re

import pytest
from httpx import Client, Response

from facedown.server.http import home, lessons
from tests.server.api_players import problem
from tests.server.http_server import (
    COOKIES_ACCEPTED,
    PATIENCE,
    Server,
    code_of,
    finished,
    lobby,
    missing,
    module_server,
    open_table,
    shared_table,
    start_match,
)
from tests.server.live_tables import GAME, serving_small_lesson, small_lesson
from tests.server.test_pages import text

LAST = 5
server = module_server(serving_small_lesson)


@pytest.mark.parametrize("at", range(1, LAST + 1))
def test_every_lesson_step_has_its_own_page_and_json(ada: Client, at: int) -> None:
    page = ada.get(f"/learn/{GAME}/{at}")
    told = ada.get(f"/learn/{GAME}/{at}/table").json()
    assert told["html"] in page.text
    assert told["step"]["prompt"] in text(page)
    assert told["at"] == at - 1
    # The visitor needs no name and no cookie.
    assert dict(ada.cookies) == COOKIES_ACCEPTED


def test_lesson_step_allows_one_touch_explains_refused_ones_and_shows_the_moves_before_it(ada: Client) -> None:
    step = ada.get(f"/learn/{GAME}/3/table").json()["step"]
    assert [choice["touch"] for choice in step["choices"] if not choice.get("refuses")] == ["p0-a1"]
    reasons = dict(map(tuple, step["refusals"]))
    assert reasons["p0-c2"] == "The 5 is not bad. Touch the 12."
    assert reasons["p0-b1"] == "That one stays. Touch the 12."
    assert {"draw", "p1-a1"} <= set(reasons)
    frames = ada.get(f"/learn/{GAME}/4/table").json()["frames"]
    assert [frame["say"] for frame in frames] == [
        ["You drew and kept a 1, then discarded a 12."],
        ["Juniper drew a card."],
        ["Juniper drew and discarded a 7, then flipped a 4."],
    ]
    for frame in frames:
        assert frame["say"][0] in re.sub(r"<[^>]+>", "", frame["html"])


def test_lesson_pages_link_to_play_and_rules_and_a_game_without_a_lesson_says_so(ada: Client) -> None:
    choices = ("Play with Juniper or read the full rules.", "Play now", "Read the rules")
    assert missing(text(ada.get(f"/learn/{GAME}/end")), "You know enough.", "A low sum wins", *choices) == []
    page = ada.get(f"/learn/{GAME}").text
    assert re.search(r'<noscript>.*needs JavaScript.*href="/guide/detect".*</noscript>', page)
    for path in ("/", f"/new/{GAME}", "/score", "/learn"):
        assert "Swap twelve face-down cards for lower ones." in text(ada.get(path)), path
    assert f'href="/learn/{GAME}"' in ada.get(f"/new/{GAME}").text
    assert "SCOUT has no lesson yet." in text(ada.get("/learn/scout"), 404)
    problem(ada.get("/learn/scout/1/table"), 404, "unknown")
    for answer in (ada.get("/learn/whist"), ada.post("/learn/scout/play")):
        assert answer.status_code == 404


@pytest.mark.parametrize("word", ["0", "6", "99", "-1", "1.5", "zwei", "1" * 40, "%00", "end2"])
def test_unknown_lesson_step_gets_404_with_the_valid_steps(ada: Client, word: str) -> None:
    page, table = ada.get(f"/learn/{GAME}/{word}"), ada.get(f"/learn/{GAME}/{word}/table")
    for said in (text(page, 404), problem(table, 404, "unknown")):
        assert "This step does not exist: the steps are numbered 1 to 5." in said


def test_play_button_after_a_lesson_opens_a_table_with_the_weakest_bot(server: Server, ada: Client) -> None:
    record = server.session(ada.post(f"/learn/{GAME}/play").headers["location"]).record
    assert [seat.kind for seat in record.seats] == ["person", "bot"]
    assert record.seats[1].level == server.rooms.settings.bots.levels[0].key
    assert (record.options["set_optional"], record.status) == ("yes", "running")


# --- home -------------------------------------------------------------------------------------------------------------


def primaries(page: Response) -> list[str]:
    """Return the primary buttons of a page, without those of closed dialogs."""
    shown = re.sub(r"<dialog.*?</dialog>", "", page.text, flags=re.DOTALL)
    found = re.findall(r'class="button primary"[^>]*>(.*?)</(?:a|button)>', shown, re.DOTALL)
    return [" ".join(re.sub(r"<svg.*?</svg>|<[^>]+>", "", words, flags=re.DOTALL).split()) for words in found]


def test_home_offers_first_time_visitors_a_lesson_and_resumes_an_unfinished_one(ada: Client) -> None:
    page = ada.get("/")
    offer = "Three short steps at a table with Juniper."
    assert missing(text(page), "Never played? Learn a game in a minute.", offer) == []
    assert primaries(page) == ["Learn Detect"]
    # The highlighted card links to its step and plays the move there.
    assert f'href="/learn/{GAME}/3#touched"' in page.text
    ada.cookies.set(f"facedown-lesson-{GAME}", "3")
    page = ada.get("/")
    assert "You stopped at step 3 of 3." in text(page)
    assert f'href="/learn/{GAME}/4"' in page.text
    assert "Never played?" not in text(page)
    assert primaries(page) == ["Quick play"]
    assert "step 3 of 3" in text(ada.get("/learn"))


@pytest.mark.parametrize("games", [("scout", GAME), (GAME, "scout")])
def test_home_page_offers_to_resume_the_lesson_started_last(
    ada: Client, monkeypatch: pytest.MonkeyPatch, games: tuple[str, str]
) -> None:
    async def same(_rooms: object, _game: str) -> object:
        return small_lesson(GAME)

    monkeypatch.setattr(home, "has_lesson", lambda game: True)
    monkeypatch.setattr(lessons, "lesson_of", same)
    for game in games:
        ada.cookies.set(f"facedown-lesson-{game}", "3")
    assert re.findall(r'class="table-row" data-game="(\w+)"', ada.get("/").text) == [games[-1]]


def test_home_page_shows_an_emblem_instead_of_a_lesson_picture_if_the_lesson_loads_too_slowly(
    ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slow(_rooms: object, _game: str) -> object:
        raise TimeoutError

    assert "lesson-mark" not in ada.get("/").text
    monkeypatch.setattr(home, "lesson_of", slow)
    page = ada.get("/")
    assert "You learn by playing." in text(page)
    assert "lesson-mark" in page.text


@pytest.mark.parametrize("kept", ["done", "5", "99", "-3", "x", "0", ""])
def test_home_page_offers_no_lesson_to_resume_if_the_cookie_names_no_unfinished_step(ada: Client, kept: str) -> None:
    ada.cookies.set(f"facedown-lesson-{GAME}", kept)
    words = text(ada.get("/"))
    assert "You stopped" not in words
    assert ("Never played?" in words) == (kept != "done")
    assert ("finished" in text(ada.get("/learn"))) == (kept == "done")


def test_home_lists_open_tables_with_own_turns_first_and_recent_results(server: Server, ada: Client) -> None:
    urls = [finished(server, ada) for _ in range(3)]
    coach = server.rooms.coach
    asked = set(coach._jobs)
    for job in [job for key, job in coach._jobs.items() if key[0] == code_of(urls[-1])]:
        server.within(coach.wait_for_review_end(job, PATIENCE))
        assert job.found is not None
    open_table(ada, "low")
    open_table(ada, "open", game="scout")
    page = ada.get("/")
    words = text(page)
    assert missing(words, "Juniper is waiting for you.", "Recent results") == []
    assert words.index("Detect with Juniper") < words.index("SCOUT Table")
    assert "Never played?" not in words
    assert primaries(page) == ["Quick play"]
    results = [f'class="result-row" data-game="reveal" href="{url}"' for url in urls]
    assert [result in page.text for result in results] == [False, True, True]
    # The newest result shows the coach's finished analysis. The home page requests none.
    newest = page.text[page.text.index(results[-1]) :]
    assert "chance-line" in newest[: newest.index("</a>")]
    assert set(coach._jobs) == asked


def test_home_sorts_own_turns_by_what_ends_first_names_who_is_to_act_and_keeps_old_unfinished_tables(
    server: Server, ada: Client, ben: Client
) -> None:
    rows = {}
    for hours in (7, 1, 24, 5):
        url = shared_table(ada, ben, game="scout", clock=str(3600 * hours + 1800))
        with lobby(server, url, ada, ben) as lives:
            start_match(*lives)
            if hours == 24:
                # Ada has chosen which way up she plays her hand, and waits for Ben.
                lives[0].play(lives[0].hello())
        rows[url] = hours
    # Newer tables without a clock do not push them off the list, and nor do finished ones.
    for _ in range(home.TABLES_LISTED):
        open_table(ada, "open", clock="")
    result = finished(server, ada)
    page = ada.get("/")
    found = re.findall(r'class="table-row" data-game="\w+" href="([^"]+)">(.*?)</a>', page.text, re.DOTALL)
    assert len(found) == home.TABLES_LISTED
    assert [rows.get(url) for url, _row in found[:4]] == [1, 5, 7, 24]
    lines = [text_of(row) for _url, row in found]
    assert [re.sub(r".*·", "", line).strip() for line in lines[:3]] == [
        "1 h left Your turn",
        "5 h left Your turn",
        "7 h left Your turn",
    ]
    assert ["time-left soon" in row for _url, row in found[:4]] == [True, True, False, False]
    assert lines[3].endswith("· 24 h left Ben")
    assert lines[4].endswith("not started")
    assert re.findall(r"<h2 id=\"tables-\d\">(.*?)</h2>", page.text) == ["Your turn", "Waiting"]
    assert 'aria-label="It’s your turn at 3 tables"' in page.text
    assert f'class="result-row" data-game="reveal" href="{result}"' in page.text
    # Without notices, there is nothing to say about them. Without turns, there is no bell.
    assert "Notices are blocked" not in page.text
    assert "your turn at" not in ben.get("/learn").text


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).replace("&nbsp;", " ").split())
