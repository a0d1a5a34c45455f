"""Pages and forms, without scripts."""

from __future__ import annotations

import re

import httpx

from facedown.core.notation import read
from facedown.play.names import shown_code
from tests.server.cases import cases
from tests.server.serving import KEEPS, Live, Server, Visitor, code_of, open_table, shared_table, sit, token_of


def text(answer: httpx.Response, status: int = 200) -> str:
    """The words of a page with this status."""
    assert answer.status_code == status, answer.text[:500]
    words = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", answer.text, flags=re.DOTALL)
    words = re.sub(r"<[^>]+>", " ", words).replace("&#39;", "'").replace("&quot;", '"').replace("&amp;", "&")
    return " ".join(words.split())


def finish(server: Server, client: httpx.Client, url: str) -> None:
    """Play a table of one visitor against bots to its end."""
    with Live(server, client, url) as live:
        message = live.hello()
        while not message["over"]:
            message = live.until_yours(message)
            if not message["over"]:
                message = live.play(message)


def test_home_lists_the_games_and_your_tables(ada: httpx.Client) -> None:
    assert "Your tables" not in text(ada.get("/"))
    url = open_table(ada, "open")
    words = text(ada.get("/"))
    assert "Detect" in words
    assert " ".join(shown_code(code_of(url)).split()) in " ".join(words.split())


def test_looking_around_leaves_no_cookie(ada: httpx.Client) -> None:
    for path in ("/", "/new/detect", "/docs", "/health"):
        ada.get(path)
    assert dict(ada.cookies) == KEEPS


def test_the_cookie_is_only_for_the_server(ada: httpx.Client) -> None:
    answer = ada.post("/quick", data={"game": "detect"})
    cookie = answer.headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=lax", "Path=/"):
        assert part in cookie
    token = token_of(ada)
    page = ada.get(answer.headers["location"])
    assert token not in page.text
    assert token not in str(page.url)


def test_quick_play_begins_at_once(ada: httpx.Client) -> None:
    answer = ada.post("/quick", data={"game": "detect"})
    assert answer.status_code == 303
    assert "Which two cards do you flip?" in text(ada.get(answer.headers["location"]))


def test_a_table_without_open_seats_begins_at_once(ada: httpx.Client) -> None:
    assert "Which two cards do you flip?" in text(ada.get(open_table(ada, "low", "closed", "high")))


def test_a_friend_joins_by_link_with_a_nickname(ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(ada, "open", "low")
    assert "Ada invites you to Detect" in text(ben.get(url))
    assert ben.post(f"{url}/sit", data={"name": "Ben"}).headers["location"] == url
    for visitor in (ada, ben):
        words = text(visitor.get(url))
        assert "Ben" in words
        assert "Juniper" in words
    # Sitting down again leads back to one's seat.
    sit(ben, url)


def test_a_code_is_enough_in_any_case(ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(ada, "open")
    code = code_of(url)
    assert ben.get("/join", params={"code": f" {code.lower()} "}).headers["location"] == url
    assert ben.get(f"/t/{code.lower()}").headers["location"] == url
    assert "There is no table" in text(ben.get("/join", params={"code": "ZZZZZZ"}), 404)
    assert "There is no table" in text(ben.get("/t/ZZZZZZ"), 404)


@cases("forms that are refused")
def test_a_form_that_cannot_be_says_why_and_makes_nothing(
    server: Server, ada: httpx.Client, fields: dict[str, str], status: int, says: str
) -> None:
    form = {"game": "detect", "name": "Ada", "seat-0": "you", "seat-1": "open", "clock": "0"} | fields
    answer = ada.post("/tables", data=form)
    assert says.lower() in text(answer, status).lower()
    assert dict(ada.cookies) == KEEPS


def test_a_form_that_comes_back_keeps_what_was_chosen(ada: httpx.Client) -> None:
    form = {"game": "detect", "name": "Ada", "seat-0": "you", "seat-1": "closed", "clock": "60"}
    page = ada.post("/tables", data=form).text
    assert re.search(r'name="clock" value="60"[^>]* checked', page)
    assert 'value="Ada"' in page


def test_house_rules_are_told_in_the_lobby(ada: httpx.Client) -> None:
    words = text(ada.get(open_table(ada, "open", clock="60", memory="on", **{"option-tie": "extra_round"})))
    assert "a minute a turn" in words
    assert "play on until one is alone" in words


def test_a_full_table_offers_to_watch_where_that_is_welcome(ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(ada, "low")
    assert "are taken" in text(ben.get(url))
    assert "taken" in text(ben.post(f"{url}/sit", data={"name": "Ben"}), 409)
    assert ben.post(f"{url}/watch").headers["location"] == url
    page = text(ben.get(url))
    assert "Ada" in page
    closed = open_table(ada, "low", spectators="")
    assert ada.get(closed).status_code == 200


def test_a_table_without_spectators_keeps_its_door_shut(visitor: Visitor) -> None:
    ada, ben = visitor(), visitor()
    form = {"game": "detect", "name": "Ada", "seat-0": "you", "seat-1": "low", "clock": "0"}
    url = ada.post("/tables", data=form).headers["location"]
    assert "without spectators" in text(ben.get(url), 403)
    assert "without spectators" in text(ben.post(f"{url}/watch"), 403)


def test_leaving_the_lobby_opens_the_seat(ada: httpx.Client, ben: httpx.Client) -> None:
    url = shared_table(ada, ben)
    assert ben.post(f"{url}/leave").headers["location"] == "/"
    assert "One seat is open" in text(ben.get(url))


def test_a_finished_match_its_file_and_another_match(server: Server, visitor: Visitor) -> None:
    ada, ben = visitor(), visitor()
    url = open_table(ada, "high", **{"option-deck": "skyjo150"})
    file = url.replace("/t/", "/m/") + ".facedown"
    assert "not over" in text(ada.get(file), 409)
    assert "not over" in text(ada.post(f"{url}/again"), 409)
    finish(server, ada, url)
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


def test_the_guide(ada: httpx.Client) -> None:
    assert ada.get("/rules/detect").headers["location"] == "/guide/detect"
    assert "unknown game chess" in text(ada.get("/guide/chess"), 404).lower()
    assert ada.get("/rules/..%2f..%2fetc").headers.get("location") in (None, "/guide/unknown")


def test_health_and_docs(ada: httpx.Client) -> None:
    assert ada.get("/health").json() == {"status": "ok"}
    words = text(ada.get("/docs"))
    assert "POST /api/v1/tables/{code}/moves" in words
    assert "<script" not in ada.get("/docs").text.split("<main")[1].split("</main>")[0]


def test_nothing_here(ada: httpx.Client) -> None:
    assert "Nothing here" in text(ada.get("/treasure"), 404)


def test_names_are_shown_as_text(ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(ada, "open", name="<img src=x>")
    sit(ben, url, "</script><b>")
    for visitor in (ada, ben):
        page = visitor.get(url).text
        assert "<img src=x>" not in page
        assert "</script><b>" not in page
