"""Pages and forms, without scripts; what a match begins with where nobody chooses."""

from __future__ import annotations

import re

from httpx import Client, Response

from facedown.core.notation import read
from facedown.play.names import shown_code
from tests.server.cases import cases
from tests.server.serving import KEEPS, Live, Server, code_of, finished, open_table, shared_table, sit, token_of


def text(answer: Response, status: int = 200) -> str:
    """The words of a page with this status."""
    assert answer.status_code == status, answer.text[:500]
    words = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", answer.text, flags=re.DOTALL)
    words = re.sub(r"<[^>]+>", " ", words).replace("&#39;", "'").replace("&quot;", '"').replace("&amp;", "&")
    return " ".join(words.split())


def test_home_lists_the_games_and_your_tables(ada: Client) -> None:
    assert "Your tables" not in text(ada.get("/"))
    url = open_table(ada, "open")
    words = text(ada.get("/"))
    assert "Detect" in words
    assert " ".join(shown_code(code_of(url)).split()) in " ".join(words.split())


def test_looking_around_leaves_no_cookie(ada: Client) -> None:
    for path in ("/", "/new/detect", "/docs", "/health"):
        ada.get(path)
    assert dict(ada.cookies) == KEEPS


def test_the_cookie_is_only_for_the_server(ada: Client) -> None:
    answer = ada.post("/quick", data={"game": "detect"})
    cookie = answer.headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=lax", "Path=/"):
        assert part in cookie
    token = token_of(ada)
    page = ada.get(answer.headers["location"])
    assert token not in page.text
    assert token not in str(page.url)


def test_a_table_without_open_seats_begins_at_once(ada: Client) -> None:
    answer = ada.post("/quick", data={"game": "detect"})
    assert answer.status_code == 303
    for url in (answer.headers["location"], open_table(ada, "low", "closed", "high")):
        assert "Which two cards do you flip?" in text(ada.get(url))


def test_a_friend_joins_by_link_with_a_nickname(ada: Client, ben: Client) -> None:
    url = open_table(ada, "open", "low")
    assert "Ada invites you to Detect" in text(ben.get(url))
    assert ben.post(f"{url}/sit", data={"name": "Ben"}).headers["location"] == url
    for visitor in (ada, ben):
        words = text(visitor.get(url))
        assert "Ben" in words
        assert "Juniper" in words
    # Sitting down again leads back to one's seat.
    sit(ben, url)


def test_a_code_is_enough_in_any_case(ada: Client, ben: Client) -> None:
    url = open_table(ada, "open")
    code = code_of(url)
    assert ben.get("/join", params={"code": f" {code.lower()} "}).headers["location"] == url
    assert ben.get(f"/t/{code.lower()}").headers["location"] == url
    assert "There is no table" in text(ben.get("/join", params={"code": "ZZZZZZ"}), 404)
    assert "There is no table" in text(ben.get("/t/ZZZZZZ"), 404)


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
    assert "a minute a turn" in words
    assert "play on until one is alone" in words


def test_a_full_table_offers_to_watch_where_that_is_welcome(ada: Client, ben: Client) -> None:
    url = open_table(ada, "low")
    assert "are taken" in text(ben.get(url))
    assert "taken" in text(ben.post(f"{url}/sit", data={"name": "Ben"}), 409)
    assert ben.post(f"{url}/watch").headers["location"] == url
    page = text(ben.get(url))
    assert "Ada" in page
    closed = open_table(ada, "low", spectators="")
    assert ada.get(closed).status_code == 200


def test_leaving_the_lobby_opens_the_seat(ada: Client, ben: Client) -> None:
    url = shared_table(ada, ben)
    assert ben.post(f"{url}/leave").headers["location"] == "/"
    assert "One seat is open" in text(ben.get(url))


def test_a_finished_match_its_file_and_another_match(server: Server, ada: Client, ben: Client) -> None:
    url = open_table(ada, "high", **{"option-deck": "skyjo150"})
    file = url.replace("/t/", "/m/") + ".facedown"
    assert "not over" in text(ada.get(file), 409)
    assert "not over" in text(ada.post(f"{url}/again"), 409)
    with Live(server, ada, url) as live:
        live.to_the_end(live.hello())
    words = text(ada.get(url))
    assert "The deal was fair" in words
    record = ben.get(file)
    assert record.status_code == 200
    assert "attachment" in record.headers["content-disposition"]
    match = read(record.text)
    assert match.match.over
    assert match.names == ("Ada", "Juniper")
    assert "no seat" in text(ben.post(f"{url}/again"), 403)
    again = ada.post(f"{url}/again").headers["location"]
    assert again != url
    assert "Which two cards do you flip?" in text(ada.get(again))
    assert ada.post(f"{url}/again").headers["location"] == again


def test_the_guide(ada: Client) -> None:
    assert ada.get("/rules/detect").headers["location"] == "/guide/detect"
    assert "unknown game chess" in text(ada.get("/guide/chess"), 404).lower()
    assert ada.get("/rules/..%2f..%2fetc").headers.get("location") in (None, "/guide/unknown")


def test_docs(ada: Client) -> None:
    assert "POST /api/v1/tables/{code}/moves" in text(ada.get("/docs"))
    assert "<script" not in ada.get("/docs").text.split("<main")[1].split("</main>")[0]


def test_nothing_here(ada: Client) -> None:
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


def deal(client: Client, game: str) -> str:
    """The page of a table that quick play deals."""
    return client.get(client.post("/quick", data={"game": game}).headers["location"]).text


def chosen(html: str, option: str) -> str:
    """The reading of an option that a new-table sheet begins with."""
    found = re.search(rf'name="option-{option}" value="([^"]*)" checked', html)
    assert found
    return found[1]


def test_quick_play_says_what_it_deals(ada: Client) -> None:
    assert quick_words(ada) == "Quick play: Detect · 3 seats · high bots"
    page = deal(ada, "reveal")
    assert "High bot · memory aid on" in page
    assert quick_words(ada) == "Quick play: Reveal · 2 seats · high bot · memory aid on"
    assert "memory aid on" not in deal(ada, "detect"), "in other games it is no matter of course"


def test_a_mode_is_chosen_where_a_table_is_opened(ada: Client) -> None:
    page = ada.get("/new/uncovered").text
    shown = page.split('<details class="options"')[0]
    for line in ("all cards lie open", INTERMEDIATE, ADVANCED):
        assert line in shown, "it stands there before any list is opened"
    assert page.count('name="option-mode"') == 3
    assert chosen(page, "mode") == "intermediate"
    assert '"2": "intermediate", "3": "advanced"' in page
    assert "data-modes" not in ada.get("/new/detect").text


def test_the_first_match_is_played_in_the_mode_of_the_lesson(ada: Client, ben: Client, server: Server) -> None:
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


def test_the_match_after_the_lesson_is_played_as_the_lesson_was(ada: Client) -> None:
    url = ada.post("/learn/uncovered/play").headers["location"]
    assert "intermediate · two players" in ada.get(url).text


def test_the_memory_aid_is_on_at_first_in_reveal_against_bots(ada: Client) -> None:
    ticked = re.compile(r'name="memory"[^>]* checked')
    page = ada.get("/new/reveal").text
    assert ticked.search(page)
    assert "On by default against bots alone" in page
    page = ada.get("/new/detect").text
    assert not ticked.search(page)
    assert "On by default against bots alone" not in page
    assert "memory aid on" in ada.get(ada.post("/learn/reveal/play").headers["location"]).text


def test_the_level_of_each_bot_is_told_at_the_table(ada: Client) -> None:
    for levels, words in ((["low"], "Low bot"), (["low", "low"], "Low bots"), (["low", "high"], LEVELS)):
        page = ada.get(open_table(ada, *levels)).text
        assert re.findall(r'class="scores-note">([^<]*)<', page) == [words]


def test_after_a_win_the_next_stronger_bot_is_offered(ada: Client, server: Server) -> None:
    won = lost = ""
    for _ in range(30):
        url = finished(server, ada)
        won, lost = (url, lost) if "You win" in ada.get(url).text else (won, url)
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
