"""What a match begins with where nobody chooses, and whether the pages say so before and after."""

from __future__ import annotations

import re

import httpx

from tests.server.serving import ONE_HAND, Live, Server, finished, open_table

INTERMEDIATE = "you see every hand but your own"
LEVELS = "Juniper: low · Wren: high"
ADVANCED = "you see your own hand only (three players or more)"


def quick_words(client: httpx.Client) -> str:
    """What home says of quick play."""
    found = re.search(r'id="quick-words">([^<]*)<', client.get("/").text)
    assert found
    return found[1].replace("\u00a0", " ")


def deal(client: httpx.Client, game: str) -> str:
    """The page of a table that quick play deals."""
    return client.get(client.post("/quick", data={"game": game}).headers["location"]).text


def chosen(html: str, option: str) -> str:
    """The reading of an option that a new-table sheet begins with."""
    found = re.search(rf'name="option-{option}" value="([^"]*)" checked', html)
    assert found
    return found[1]


def test_quick_play_says_what_it_deals(ada: httpx.Client) -> None:
    assert quick_words(ada) == "Quick play: Detect · 3 seats · high bots"
    page = deal(ada, "reveal")
    assert "High bot · memory aid on" in page
    assert quick_words(ada) == "Quick play: Reveal · 2 seats · high bot · memory aid on"
    assert "memory aid on" not in deal(ada, "detect"), "in other games it is no matter of course"


def test_a_mode_is_chosen_where_a_table_is_opened(ada: httpx.Client) -> None:
    page = ada.get("/new/uncovered").text
    shown = page.split('<details class="options"')[0]
    for line in ("all cards lie open", INTERMEDIATE, ADVANCED):
        assert line in shown, "it stands there before any list is opened"
    assert page.count('name="option-mode"') == 3
    assert chosen(page, "mode") == "intermediate"
    assert '"2": "intermediate", "3": "advanced"' in page
    assert "data-modes" not in ada.get("/new/detect").text


def test_the_first_match_is_played_in_the_mode_of_the_lesson(
    ada: httpx.Client, ben: httpx.Client, server: Server
) -> None:
    assert "advanced · three players" in deal(ben, "uncovered")
    ada.cookies.set("facedown-lesson-uncovered", "2")
    assert '"3": "advanced"' in ada.get("/new/uncovered").text, "the lesson was left in the middle"
    ada.cookies.set("facedown-lesson-uncovered", "done")
    assert '"3": "intermediate"' in ada.get("/new/uncovered").text
    assert "intermediate · three players" in deal(ada, "uncovered")
    finished(server, ada, game="uncovered")
    assert '"3": "advanced"' in ada.get("/new/uncovered").text, "after that it is played as printed"
    assert ADVANCED in quick_words(ada)
    assert "advanced · three players" in deal(ada, "uncovered")


def test_the_match_after_the_lesson_is_played_as_the_lesson_was(ada: httpx.Client) -> None:
    url = ada.post("/learn/uncovered/play").headers["location"]
    assert "intermediate · two players" in ada.get(url).text


def test_the_memory_aid_is_on_at_first_in_reveal_against_bots(ada: httpx.Client) -> None:
    ticked = re.compile(r'name="memory"[^>]* checked')
    page = ada.get("/new/reveal").text
    assert ticked.search(page)
    assert "On by default against bots alone" in page
    page = ada.get("/new/detect").text
    assert not ticked.search(page)
    assert "On by default against bots alone" not in page
    assert "memory aid on" in ada.get(ada.post("/learn/reveal/play").headers["location"]).text


def test_the_level_of_each_bot_is_told_at_the_table(ada: httpx.Client) -> None:
    for levels, words in ((["low"], "Low bot"), (["low", "low"], "Low bots"), (["low", "high"], LEVELS)):
        page = ada.get(open_table(ada, *levels)).text
        assert re.findall(r'class="scores-note">([^<]*)<', page) == [words]


def result(server: Server, client: httpx.Client, level: str) -> tuple[str, bool]:
    """A hand of Reveal against a bot, played to its end: its address, and has the client won?"""
    url = open_table(client, level, **ONE_HAND)
    with Live(server, client, url) as live:
        message = live.hello()
        while not (message := live.until_yours(message))["over"]:
            live.move(message)
            message = live.beyond(message["version"])
    return url, "You win" in message["html"]


def test_after_a_win_the_next_stronger_bot_is_offered(ada: httpx.Client, server: Server) -> None:
    won = lost = ""
    for _ in range(30):
        url, mine = result(server, ada, "low")
        won, lost = (url, lost) if mine else (won, url)
        if won and lost:
            break
    assert won
    assert lost
    words = "Play high Juniper"
    assert words not in ada.get(lost).text
    assert ada.post(f"{lost}/again", data={"level": "high"}).status_code == 422
    assert words in ada.get(won).text
    assert ada.post(f"{won}/again", data={"level": "nobody"}).status_code == 422
    there = ada.post(f"{won}/again", data={"level": "high"}).headers["location"]
    assert there != won
    assert "High bot" in ada.get(there).text
    assert words not in ada.get(won).text, "it has begun"
