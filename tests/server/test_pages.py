"""Pages and forms, without scripts; what a match begins with where nobody chooses."""

from __future__ import annotations

import re

from httpx import Client, Response

from facedown.core.notation import read
from facedown.play.names import shown_code
from tests.server.cases import cases
from tests.server.serving import (
    KEEPS,
    Live,
    Server,
    code_of,
    finished,
    missing,
    open_table,
    shared_table,
    sit,
    token_of,
)


def text(answer: Response, status: int = 200) -> str:
    """The words of a page with this status."""
    assert answer.status_code == status, answer.text[:500]
    words = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", answer.text, flags=re.DOTALL)
    words = re.sub(r"<[^>]+>", " ", words).replace("&#39;", "'").replace("&quot;", '"').replace("&amp;", "&")
    return " ".join(words.split())


def test_the_first_table_brings_a_cookie_that_is_only_for_the_server(ada: Client) -> None:
    for path in ("/", "/new/detect", "/docs", "/health"):
        ada.get(path)
    assert dict(ada.cookies) == KEEPS, "looking around leaves none"
    assert "Your tables" not in text(ada.get("/"))
    answer = ada.post("/quick", data={"game": "detect"})
    assert (answer.status_code, missing(answer.headers["set-cookie"], "HttpOnly", "SameSite=lax", "Path=/")) == (
        303,
        [],
    )
    page = ada.get(answer.headers["location"])
    assert token_of(ada) not in page.text + str(page.url)
    # A table without open seats begins at once.
    for begun in (page, ada.get(open_table(ada, "low", "closed", "high"))):
        assert "Which two cards do you flip?" in text(begun)
    url = open_table(ada, "open")
    assert missing(text(ada.get("/")), "Detect", " ".join(shown_code(code_of(url)).split())) == []


def test_a_friend_joins_by_link_or_code_with_a_nickname(ada: Client, ben: Client) -> None:
    url = open_table(ada, "open", "low")
    code = code_of(url).lower()
    for way in (ben.get("/join", params={"code": f" {code} "}), ben.get(f"/t/{code}")):
        assert way.headers["location"] == url, "in any case"
    assert "Ada invites you to Detect" in text(ben.get(url))
    assert ben.post(f"{url}/sit", data={"name": "Ben"}).headers["location"] == url
    for visitor in (ada, ben):
        assert missing(text(visitor.get(url)), "Ben", "Juniper") == []
    # Sitting down again leads back to one's seat.
    sit(ben, url)
    for unknown in (ben.get("/join", params={"code": "ZZZZZZ"}), ben.get("/t/ZZZZZZ")):
        assert "There is no table" in text(unknown, 404)
    free = shared_table(ada, ben)
    assert ben.post(f"{free}/leave").headers["location"] == "/"
    assert "One seat is open" in text(ben.get(free))


@cases("forms that are refused")
def test_a_form_that_cannot_be_says_why_and_makes_nothing(
    server: Server, ada: Client, fields: dict[str, str], status: int, says: str
) -> None:
    form = {"game": "detect", "name": "Ada", "seat-0": "you", "seat-1": "open", "clock": "0"} | fields
    answer = ada.post("/tables", data=form)
    assert says.lower() in text(answer, status).lower()
    assert dict(ada.cookies) == KEEPS


def test_a_form_that_comes_back_keeps_what_was_chosen(ada: Client) -> None:
    form = {"game": "detect", "name": "Ada", "seat-0": "you", "seat-1": "closed", "clock": "60"}
    page = ada.post("/tables", data=form).text
    assert re.search(r'name="clock" value="60"[^>]* checked', page)
    assert 'value="Ada"' in page


def test_house_rules_are_told_in_the_lobby(ada: Client) -> None:
    words = text(ada.get(open_table(ada, "open", clock="60", memory="on", **{"option-tie": "extra_round"})))
    assert missing(words, "a minute a turn", "play on until one is alone") == []


def test_a_full_table_offers_to_watch_where_that_is_welcome(ada: Client, ben: Client) -> None:
    url = open_table(ada, "low")
    assert "are taken" in text(ben.get(url))
    assert "taken" in text(ben.post(f"{url}/sit", data={"name": "Ben"}), 409)
    assert ben.post(f"{url}/watch").headers["location"] == url
    assert "Ada" in text(ben.get(url))


def test_a_finished_match_its_file_and_another_match(server: Server, ada: Client, ben: Client) -> None:
    url = open_table(ada, "high", **{"option-deck": "skyjo150"})
    file = url.replace("/t/", "/m/") + ".facedown"
    for early in (ada.get(file), ada.post(f"{url}/again")):
        assert "not over" in text(early, 409)
    with Live(server, ada, url) as live:
        live.to_the_end(live.hello())
    assert "The deal was fair" in text(ada.get(url))
    record = ben.get(file)
    assert record.status_code == 200
    assert "attachment" in record.headers["content-disposition"]
    match = read(record.text)
    assert (match.match.over, match.names) == (True, ("Ada", "Juniper"))
    assert "no seat" in text(ben.post(f"{url}/again"), 403)
    again = ada.post(f"{url}/again").headers["location"]
    assert "Which two cards do you flip?" in text(ada.get(again))
    assert ada.post(f"{url}/again").headers["location"] == again != url


def test_guide_docs_and_nothing(ada: Client) -> None:
    assert ada.get("/rules/detect").headers["location"] == "/guide/detect"
    assert "unknown game chess" in text(ada.get("/guide/chess"), 404).lower()
    assert ada.get("/rules/..%2f..%2fetc").headers.get("location") in (None, "/guide/unknown")
    docs = ada.get("/docs")
    assert "POST /api/v1/tables/{code}/moves" in text(docs)
    assert "<script" not in docs.text.split("<main")[1].split("</main>")[0]
    assert "Nothing here" in text(ada.get("/treasure"), 404)


# --- what a match begins with where nobody chooses --------------------------------------------------------------------


INTERMEDIATE = "you see every hand but your own"
LEVELS = "Juniper: low · Wren: high"
ADVANCED = "you see your own hand only (three players or more)"


def quick_words(client: Client) -> str:
    """What home says of quick play."""
    found = re.search(r'id="quick-words">([^<]*)<', client.get("/").text)
    assert found
    return found[1].replace("\u00a0", " ")


def deal(client: Client, game: str, path: str = "/quick") -> str:
    """The page of a table that quick play deals, or the end of a lesson."""
    return client.get(client.post(path, data={"game": game}).headers["location"]).text


def test_quick_play_says_what_it_deals(ada: Client) -> None:
    assert quick_words(ada) == "Quick play: Detect · 3 seats · high bots"
    assert "High bot · memory aid on" in deal(ada, "reveal")
    assert quick_words(ada) == "Quick play: Reveal · 2 seats · high bot · memory aid on"
    assert "memory aid on" not in deal(ada, "detect"), "in other games it is no matter of course"


def test_a_mode_is_chosen_where_a_table_is_opened(ada: Client) -> None:
    page = ada.get("/new/uncovered").text
    shown = page.split('<details class="options"')[0]
    assert missing(shown, "all cards lie open", INTERMEDIATE, ADVANCED) == [], "there before any list is opened"
    assert page.count('name="option-mode"') == 3
    assert (
        missing(page, 'name="option-mode" value="intermediate" checked', '"2": "intermediate", "3": "advanced"') == []
    )
    assert "data-modes" not in ada.get("/new/detect").text


def test_the_first_match_is_played_in_the_mode_of_the_lesson(ada: Client, ben: Client, server: Server) -> None:
    def offered() -> str:
        (found,) = re.findall(r'"3": "(\w+)"', ada.get("/new/uncovered").text)
        return str(found)

    assert "advanced · three players" in deal(ben, "uncovered")
    ada.cookies.set("facedown-lesson-uncovered", "2")
    assert offered() == "advanced", "the lesson was left in the middle"
    ada.cookies.set("facedown-lesson-uncovered", "done")
    assert offered() == "intermediate"
    assert "intermediate · three players" in deal(ada, "uncovered")
    finished(server, ada, game="uncovered")
    assert offered() == "advanced", "after that it is played as printed"
    assert ADVANCED in quick_words(ada)
    assert "advanced · three players" in deal(ada, "uncovered")
    assert "intermediate · two players" in deal(ada, "", "/learn/uncovered/play"), "as the lesson was"


def test_the_memory_aid_is_on_at_first_in_reveal_against_bots(ada: Client) -> None:
    for game in ("reveal", "detect"):
        page = ada.get(f"/new/{game}").text
        assert bool(re.search(r'name="memory"[^>]* checked', page)) == (game == "reveal")
        assert ("On by default against bots alone" in page) == (game == "reveal")
    assert "memory aid on" in deal(ada, "", "/learn/reveal/play")


def test_the_level_of_each_bot_is_told_at_the_table(ada: Client) -> None:
    for levels, words in ((["low"], "Low bot"), (["low", "low"], "Low bots"), (["low", "high"], LEVELS)):
        page = ada.get(open_table(ada, *levels)).text
        assert re.findall(r'class="scores-note">([^<]*)<', page) == [words]


def test_after_a_win_the_next_stronger_bot_is_offered(ada: Client, server: Server) -> None:
    ended: dict[bool, str] = {}
    for _ in range(30):
        url = finished(server, ada)
        ended["You win" in ada.get(url).text] = url
        if len(ended) == 2:
            break
    won, lost, words = ended[True], ended[False], "Play high Juniper"
    assert [words in ada.get(url).text for url in (won, lost)] == [True, False]
    for url, level in ((lost, "high"), (won, "nobody")):
        assert ada.post(f"{url}/again", data={"level": level}).status_code == 422
    there = ada.post(f"{won}/again", data={"level": "high"}).headers["location"]
    assert there != won
    assert "High bot" in ada.get(there).text
    assert words not in ada.get(won).text, "it has begun"
