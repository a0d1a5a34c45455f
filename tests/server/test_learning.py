"""Lessons over HTTP: steps as pages and as data, what cannot be asked for, home as it is for whoever comes."""

from __future__ import annotations

import re

import pytest
from httpx import Client, Response

from facedown.server.http import home, lessons
from tests.server.api_players import problem
from tests.server.http_server import KEEPS, PATIENCE, Server, code_of, finished, missing, module_server, open_table
from tests.server.live_tables import GAME, small_lesson, teaching
from tests.server.test_pages import text

LAST = 5
server = module_server(teaching)


@pytest.mark.parametrize("at", range(1, LAST + 1))
def test_every_step_is_a_page_of_its_own(ada: Client, at: int) -> None:
    page = ada.get(f"/learn/{GAME}/{at}")
    told = ada.get(f"/learn/{GAME}/{at}/table").json()
    assert told["html"] in page.text
    assert told["step"]["prompt"] in text(page)
    assert told["at"] == at - 1
    # Without a name, without a cookie.
    assert dict(ada.cookies) == KEEPS


def test_a_step_offers_one_touch_answers_all_others_and_tells_how_the_table_came_there(ada: Client) -> None:
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


def test_what_the_pages_of_a_lesson_say(ada: Client) -> None:
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
def test_a_step_that_is_none_is_said_so(ada: Client, word: str) -> None:
    page, table = ada.get(f"/learn/{GAME}/{word}"), ada.get(f"/learn/{GAME}/{word}/table")
    for said in (text(page, 404), problem(table, 404, "unknown")):
        assert "This step does not exist: the lesson has steps 1 to 5." in said


def test_playing_on_is_one_touch_against_a_gentle_bot(server: Server, ada: Client) -> None:
    record = server.session(ada.post(f"/learn/{GAME}/play").headers["location"]).record
    assert [seat.kind for seat in record.seats] == ["person", "bot"]
    assert record.seats[1].level == server.rooms.settings.bots.levels[0].key
    assert (record.options["set_optional"], record.status) == ("yes", "running")


# --- home -------------------------------------------------------------------------------------------------------------


def primaries(page: Response) -> list[str]:
    """The filled buttons of a page, but those of dialogs that are shut."""
    shown = re.sub(r"<dialog.*?</dialog>", "", page.text, flags=re.DOTALL)
    found = re.findall(r'class="button primary"[^>]*>(.*?)</(?:a|button)>', shown, re.DOTALL)
    return [" ".join(re.sub(r"<svg.*?</svg>|<[^>]+>", "", words, flags=re.DOTALL).split()) for words in found]


def test_who_comes_first_is_offered_a_lesson_and_goes_on_in_the_middle(ada: Client) -> None:
    page = ada.get("/")
    offer = "Three short steps at a table with Juniper."
    assert missing(text(page), "Never played? Learn one in a minute.", offer) == []
    assert primaries(page) == ["Learn Detect"]
    # The card that is lit leads to its step, and makes the move there.
    assert f'href="/learn/{GAME}/3#touched"' in page.text
    assert "No tables" not in text(page)
    ada.cookies.set(f"facedown-lesson-{GAME}", "3")
    page = ada.get("/")
    assert "You stopped at step 3 of 3." in text(page)
    assert f'href="/learn/{GAME}/4"' in page.text
    assert "Never played?" not in text(page)
    assert primaries(page) == ["Quick play"]
    assert "step 3 of 3" in text(ada.get("/learn"))


@pytest.mark.parametrize("games", [("scout", GAME), (GAME, "scout")])
def test_the_lesson_begun_last_goes_on(ada: Client, monkeypatch: pytest.MonkeyPatch, games: tuple[str, str]) -> None:
    async def same(_rooms: object, _game: str) -> object:
        return small_lesson(GAME)

    monkeypatch.setattr(home, "has_lesson", lambda game: True)
    monkeypatch.setattr(lessons, "lesson_of", same)
    for game in games:
        ada.cookies.set(f"facedown-lesson-{game}", "3")
    assert re.findall(r'class="table-row" data-game="(\w+)"', ada.get("/").text) == [games[-1]]


def test_a_lesson_that_is_not_read_yet_is_offered_with_its_emblem(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow(_rooms: object, _game: str) -> object:
        raise TimeoutError

    assert "lesson-mark" not in ada.get("/").text
    monkeypatch.setattr(home, "lesson_of", slow)
    page = ada.get("/")
    assert "You learn by playing." in text(page)
    assert "lesson-mark" in page.text


@pytest.mark.parametrize("kept", ["done", "5", "99", "-3", "x", "0", ""])
def test_what_the_cookie_holds_breaks_nothing(ada: Client, kept: str) -> None:
    ada.cookies.set(f"facedown-lesson-{GAME}", kept)
    words = text(ada.get("/"))
    assert "You stopped" not in words
    assert ("Never played?" in words) == (kept != "done")
    assert ("finished" in text(ada.get("/learn"))) == (kept == "done")


def test_who_comes_back_sees_whose_turn_it_is_and_how_matches_ended(server: Server, ada: Client) -> None:
    urls = [finished(server, ada) for _ in range(3)]
    coach = server.rooms.coach
    asked = set(coach._jobs)
    for job in [job for key, job in coach._jobs.items() if key[0] == code_of(urls[-1])]:
        server.within(coach.wait(job, PATIENCE))
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
    # With the newest is what the coach has found; home asks it for nothing.
    newest = page.text[page.text.index(results[-1]) :]
    assert "chance-line" in newest[: newest.index("</a>")]
    assert set(coach._jobs) == asked
