"""Whose language it is: negotiated, chosen, asked for; and two people at one table, each spoken to in their own."""

from __future__ import annotations

import random
import re

import pytest
from httpx import Client, Response

from facedown.core.language import Later, languages, speaking
from facedown.core.state import SPECTATOR
from facedown.server import look
from facedown.server.connection import presenter
from facedown.server.http.speech import COOKIE
from tests.play.table import dealt, play_by_chance
from tests.server.cases import cases
from tests.server.programs import problem
from tests.server.serving import Live, Serve, Server, Visitor, lobby, missing, open_table, play_on, sit

NOW = 99.0


@pytest.fixture
def ute(visitor: Visitor) -> Client:
    """A visitor whose browser reads German."""
    found = visitor()
    found.headers["accept-language"] = "de-AT,de;q=0.9,en;q=0.5"
    return found


def spoken(page: Response) -> str:
    """The language of a page, as it says itself."""
    found = re.search(r'<html lang="(\w+)"', page.text)
    assert found is not None
    assert page.headers["content-language"] == found[1]
    return found[1]


def test_a_browser_is_answered_in_its_language(ada: Client, ute: Client) -> None:
    assert spoken(ada.get("/score")) == "en"
    assert spoken(ute.get("/score")) == "de"
    assert "Was habt ihr gespielt?" in ute.get("/score").text
    assert spoken(ute.get("/score?lang=en")) == "en"
    assert spoken(ada.get("/score", headers={"accept-language": "fr, es;q=0.5"})) == "en"


def test_the_server_speaks_its_own_language_to_those_who_name_none(served: Serve) -> None:
    (ada,) = served(language="de").guests(1)
    for reads, answered in (("", "de"), ("fr", "de"), ("en-US,en;q=0.9", "en")):
        assert spoken(ada.get("/score", headers={"accept-language": reads})) == answered


def test_the_switch_goes_before_the_browser_and_is_kept(server: Server, ute: Client) -> None:
    page = ute.get("/score")
    assert re.findall(r'<button name="language" value="(\w+)" lang="\w+" aria-pressed="(\w+)">(\w+)', page.text) == [
        ("en", "false", "English"),
        ("de", "true", "Deutsch"),
    ]
    answer = ute.post("/language", data={"language": "en"}, headers={"referer": f"{server.origin}/score?lang=de&x=1"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/score?x=1")
    assert missing(answer.headers["set-cookie"], f"{COOKIE}=en", "Max-Age=31536000", "SameSite=lax") == []
    # An address speaks for itself alone.
    assert [spoken(ute.get(f"/score{lang}")) for lang in ("", "?lang=de", "")] == ["en", "de", "en"]


@cases("where the language switch leads")
def test_the_switch_leads_back_to_a_page_of_ours(server: Server, ada: Client, came: str, leads: str) -> None:
    headers = {"referer": came.format(here=server.origin)}
    assert ada.post("/language", data={"language": "de"}, headers=headers).headers["location"] == leads


def test_a_language_that_is_not_spoken_is_refused_and_changes_nothing(ada: Client, ute: Client) -> None:
    for answer in (ada.get("/score?lang=xx"), ada.post("/language", data={"language": "xx"})):
        assert answer.status_code == 422
        assert "There is no language “xx” here: there are English (en), Deutsch (de)." in answer.text
        assert "set-cookie" not in answer.headers
    assert "Die Sprache „xx“ gibt es hier nicht" in ute.get("/?lang=xx").text
    told = ada.get("/api/v1/games?lang=xx")
    assert (told.status_code, told.json()["code"]) == (422, "malformed")
    ada.cookies.set(COOKIE, "xx")
    assert spoken(ada.get("/score")) == "en", "a cookie that means nothing is passed over"


def test_the_api_refuses_in_the_language_that_is_asked_for(ada: Client, ute: Client) -> None:
    english, german = "There is no table ZZZZ.", "Einen Tisch ZZZZ gibt es nicht."
    for client, lang, reason in ((ada, "", english), (ute, "", german), (ada, "?lang=de", german)):
        assert problem(client.get(f"/api/v1/tables/ZZZZ{lang}"), 404, "unknown") == reason


def test_the_script_is_told_its_texts_in_all_languages_but_its_own(ada: Client, ute: Client) -> None:
    assert "/static/texts/" not in ada.get("/score").text
    found = re.search(r'src="(/static/texts/de\.js\?\w+)"', ute.get("/score").text)
    assert found is not None
    texts = ute.get(found[1])
    assert texts.headers["content-type"].startswith("text/javascript")
    assert "immutable" in texts.headers["cache-control"]
    assert '"All at once": "Alles auf einmal"' in texts.text
    assert ada.get("/static/texts/xx.js").status_code == 404


@pytest.fixture
def url(ada: Client, ute: Client) -> str:
    """The address of a table of Ada, who reads English, and Ute, who reads German."""
    found = open_table(ada, "open", hints="on")
    sit(ute, found, "Ute")
    return found


def test_two_at_one_table_read_each_in_their_own_language(server: Server, ada: Client, ute: Client, url: str) -> None:
    assert "Cards are dealt once all are ready." in ada.get(url).text
    assert "Ausgeteilt wird, wenn alle bereit sind." in ute.get(url).text
    with lobby(server, url, ada, ute) as pages:
        hers, theirs = pages
        theirs.send(type="ready", ready=True)
        while "Ute is ready." not in (told := hers.get("lobby"))["say"]:
            assert "Ute ist bereit." not in told["say"]
        assert "Ute ist bereit." in theirs.get("lobby")["say"]
        hers.send(type="ready", ready=True)
        tables = [page.get("table") for page in pages]
        assert tables[0]["say"][:2] == ["Ada is ready.", "Dealing the cards."]
        assert tables[1]["say"][:2] == ["Ada ist bereit.", "Es wird ausgeteilt."]
        # What each has typed stays as it was typed; a phrase is everybody's own.
        for typed, read in (("Good luck, Ute!", "Good luck, Ute!"), ("Well played", "Gut gespielt")):
            hers.send(type="chat", text=typed)
            assert theirs.get("chat")["text"] == read
            assert hers.get("chat", text=typed)["name"] == "Ada"
        # A refusal is told to the one who asked.
        for live, reason in ((hers, "There is no action"), (theirs, "Es gibt keine Aktion")):
            assert reason in live.refusal(type="move", action=10**9, version=0)["reason"]
        # Somebody moves: each is told of it in their own language, and both pages stand at the same version.
        heading = ("What happened", "Verlauf")
        for shown in (tables, play_on(pages, tables)):
            assert [missing(table["html"], *heading) for table in shown] == [["Verlauf"], ["What happened"]]
            assert shown is tables or not any('lang="' in table["html"] for table in shown)
    assert missing(ute.get(url).text, "Gut gespielt", "Good luck, Ute!") == []


def test_a_line_speaks_the_language_of_its_page(server: Server, ada: Client, ute: Client, url: str) -> None:
    with Live(server, ute, url, lang="en") as hers:
        assert "all seats taken" in hers.hello(kind="lobby")["html"].lower()
    with Live(server, ada, url, lang="xx") as hers:
        assert hers.get("error")["reason"].startswith("There is no language “xx” here")


def test_a_session_keeps_what_each_reads_apart(seed: int) -> None:
    luck = random.Random(seed)
    session = dealt("me open open", seed=luck.randbytes(32))
    for code in languages():
        with speaking(code):
            table = session.table(0)
            assert session.table(0) is table, "the very same until something changes"
            assert session.viewer_log(0).language == code
    for _ in play_by_chance(session, luck, 12):
        pass
    logs, pages = [], []
    for code in ("en", "de", "en", "de"):
        with speaking(code):
            logs.append(session.viewer_log(SPECTATOR))
            pages.append(presenter.drawn(session, 1, NOW).html)
    assert all((log.version, log.changes) == (logs[0].version, logs[0].changes) for log in logs)
    assert pages[0] != pages[1]
    assert pages[:2] == pages[2:], "parts are kept for each language"


def test_what_everybody_is_told_is_said_when_it_is_told() -> None:
    session = dealt("me open")
    tell = session.leave(1).tells[0]
    assert isinstance(tell, Later)
    assert str(tell) == "Ada left the table."
    with speaking("de"):
        assert str(tell) == "Ada hat den Tisch verlassen."


def test_english_is_drawn_without_any_catalogue(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who reads English pays for no other language: nothing is looked up."""
    session = dealt("me open", seed=random.Random(seed).randbytes(32))

    def broken(package: str, code: str) -> object:
        raise AssertionError(f"the texts of {package} were looked up in {code}")

    monkeypatch.setattr("facedown.core.language.catalogue_of", broken)
    message = presenter.drawn(session, 0, NOW).message(version=1)
    assert 'lang="en"' in look.table_page(look.Shell(), message, game="detect", code=session.code)


def test_whoever_keeps_an_answer_for_others_is_told_that_it_has_a_language(ada: Client, ute: Client) -> None:
    with_words = {"/preview.png", "/preview/detect.png", "/manifest.webmanifest", "/sw.js"}
    others = {"/", "/guide/detect", "/offline", "/sitemap.xml", "/robots.txt", "/icons/192.png", "/static/tokens.css"}
    found = set()
    for path in with_words | others:
        english, german = ada.get(path), ute.get(path)
        assert english.status_code == german.status_code == 200, path
        kept = "no-store" not in english.headers["cache-control"]
        if kept and english.content != german.content:
            found.add(path)
            on = [name.strip() for name in english.headers["vary"].split(",")]
            assert {"Accept-Language", "Cookie"} <= set(on), path
    assert found == with_words
