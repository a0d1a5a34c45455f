"""Languages of pages and API, two players at one table in different languages, and untranslated texts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from httpx import Client, Response

from facedown.core import game_registry as registry
from facedown.core.state import SPECTATOR
from facedown.core.translation import LazyText, languages, use_language
from facedown.play import Session, Settings, new_table
from facedown.play.bot_interface import BOT_NAMES
from facedown.play.user_input import format_code
from facedown.server import rendering
from facedown.server.connection import clock_text, viewer_page_data
from facedown.server.http.guides import guide_of
from facedown.server.http.request_locale import COOKIE
from facedown.server.rendering.replay import Replay
from tests.nightly_selection import mostly
from tests.not_none import given
from tests.play.table import ADA, LowBots, dealt, grant, play_by_chance
from tests.server.api_players import problem
from tests.server.http_server import (
    Live,
    Serve,
    Server,
    Visitor,
    code_of,
    lobby,
    missing,
    open_table,
    play_on,
    serving,
    sit,
)
from tests.server.request_cases import cases
from tests.server.untranslated import MARKED, marked_language, unmarked_part, untranslated, untranslated_message

NOW = 99.0


@pytest.fixture
def ute(visitor: Visitor) -> Client:
    """A visitor whose browser prefers German."""
    found = visitor()
    found.headers["accept-language"] = "de-AT,de;q=0.9,en;q=0.5"
    return found


def page_language(page: Response) -> str:
    """Return the language that a page declares."""
    found = given(re.search(r'<html lang="(\w+)"', page.text))
    assert page.headers["content-language"] == found[1]
    return found[1]


def test_page_language_is_taken_from_the_query_then_the_browser_then_the_server_default(
    ada: Client, ute: Client, start_server: Serve
) -> None:
    assert page_language(ada.get("/score")) == "en"
    assert page_language(ute.get("/score")) == "de"
    assert "Was habt ihr gespielt?" in ute.get("/score").text
    assert page_language(ute.get("/score?lang=en")) == "en"
    assert page_language(ada.get("/score", headers={"accept-language": "fr, es;q=0.5"})) == "en"
    (ada,) = start_server(language="de").guests(1)
    for reads, answered in (("", "de"), ("fr", "de"), ("en-US,en;q=0.9", "en")):
        assert page_language(ada.get("/score", headers={"accept-language": reads})) == answered


def test_language_switch_overrides_the_browser_and_is_stored_in_a_cookie(server: Server, ute: Client) -> None:
    page = ute.get("/score")
    assert re.findall(r'<button name="language" value="(\w+)" lang="\w+" aria-pressed="(\w+)">(\w+)', page.text) == [
        ("en", "false", "English"),
        ("de", "true", "Deutsch"),
    ]
    answer = ute.post("/language", data={"language": "en"}, headers={"referer": f"{server.origin}/score?lang=de&x=1"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/score?x=1")
    assert missing(answer.headers["set-cookie"], f"{COOKIE}=en", "Max-Age=31536000", "SameSite=lax") == []
    # The query parameter applies to its own request only.
    assert [page_language(ute.get(f"/score{lang}")) for lang in ("", "?lang=de", "")] == ["en", "de", "en"]


@cases("where the language switch leads")
def test_language_switch_redirects_back_to_the_referring_page_of_this_site(
    server: Server, ada: Client, came: str, leads: str
) -> None:
    headers = {"referer": came.format(here=server.origin)}
    assert ada.post("/language", data={"language": "de"}, headers=headers).headers["location"] == leads


def test_unknown_language_gets_422_and_sets_no_cookie(ada: Client, ute: Client) -> None:
    for answer in (ada.get("/score?lang=xx"), ada.post("/language", data={"language": "xx"})):
        assert answer.status_code == 422
        assert "The language “xx” is not available. Choose one of these: English (en), Deutsch (de)." in answer.text
        assert "set-cookie" not in answer.headers
    assert "Die Sprache „xx“ gibt es hier nicht" in ute.get("/?lang=xx").text
    told = ada.get("/api/v1/games?lang=xx")
    assert (told.status_code, told.json()["code"]) == (422, "malformed")
    ada.cookies.set(COOKIE, "xx")
    assert page_language(ada.get("/score")) == "en", "a cookie that means nothing is passed over"


def test_api_error_reasons_use_the_requested_language(ada: Client, ute: Client) -> None:
    english, german = "Table ZZZZ does not exist.", "Den Tisch ZZZZ gibt es nicht."
    for client, lang, reason in ((ada, "", english), (ute, "", german), (ada, "?lang=de", german)):
        assert problem(client.get(f"/api/v1/tables/ZZZZ{lang}"), 404, "unknown") == reason


def test_translations_for_the_page_script_are_loaded_in_german_but_not_in_english(ada: Client, ute: Client) -> None:
    assert "/static/texts/" not in ada.get("/score").text
    found = given(re.search(r'src="(/static/texts/de\.js\?\w+)"', ute.get("/score").text))
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


def test_two_players_at_one_table_each_read_their_own_language(
    server: Server, ada: Client, ute: Client, url: str
) -> None:
    assert "Cards are dealt once everyone’s ready." in ada.get(url).text
    assert "Ausgeteilt wird, sobald alle bereit sind." in ute.get(url).text
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
        # Typed messages stay as they are; predefined phrases are translated for each reader.
        for typed, read in (("Good luck, Ute!", "Good luck, Ute!"), ("Well played", "Gut gespielt")):
            hers.send(type="chat", text=typed)
            assert theirs.get("chat")["text"] == read
            assert hers.get("chat", text=typed)["name"] == "Ada"
        # The sender reads the refusal in their own language.
        for live, reason in ((hers, "Action 1000000000 does not exist"), (theirs, "gibt es nicht; möglich sind 0 bis")):
            assert reason in live.refusal(type="move", action=10**9, version=0)["reason"]
        # After a move, each player reads it in their own language, and both pages have the same version.
        heading = ("What happened", "Verlauf")
        for shown in (tables, play_on(pages, tables)):
            assert [missing(table["html"], *heading) for table in shown] == [["Verlauf"], ["What happened"]]
            assert shown is tables or not any('lang="' in table["html"] for table in shown)
    assert missing(ute.get(url).text, "Gut gespielt", "Good luck, Ute!") == []


def test_websocket_uses_the_language_of_its_page(server: Server, ada: Client, ute: Client, url: str) -> None:
    with Live(server, ute, url, lang="en") as hers:
        assert "all seats taken" in hers.hello(kind="lobby")["html"].lower()
    with Live(server, ada, url, lang="xx") as hers:
        assert hers.get("error")["reason"].startswith("The language “xx” is not available")


def test_match_session_caches_table_views_and_logs_separately_per_language(seed: int) -> None:
    luck = random.Random(seed)
    session = dealt("me open open", seed=luck.randbytes(32))
    for code in languages():
        with use_language(code):
            table = session.table(0)
            assert session.table(0) is table, "the very same until something changes"
            assert session.viewer_log(0).language == code
    for _ in play_by_chance(session, luck, 12):
        pass
    logs, pages = [], []
    for code in ("en", "de", "en", "de"):
        with use_language(code):
            logs.append(session.viewer_log(SPECTATOR))
            pages.append(
                rendering.TablePage(session.table(1), viewer_page_data.table_page_context(session, 1, NOW)).html
            )
    assert all((log.version, log.changes) == (logs[0].version, logs[0].changes) for log in logs)
    assert pages[0] != pages[1]
    assert pages[:2] == pages[2:], "parts are kept for each language"
    session = dealt("me open")
    tell = session.leave(1).announcements[0]
    assert isinstance(tell, LazyText)
    assert str(tell) == "Ada left the table."
    with use_language("de"):
        assert str(tell) == "Ada hat den Tisch verlassen."


def test_english_page_is_rendered_without_looking_up_a_translation_catalogue(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who reads English pays for no other language: nothing is looked up."""
    session = dealt("me open", seed=random.Random(seed).randbytes(32))

    def broken(package: str, code: str) -> object:
        raise AssertionError(f"the texts of {package} were looked up in {code}")

    monkeypatch.setattr("facedown.core.translation.catalogue_of", broken)
    message = rendering.TablePage(
        session.table(0), viewer_page_data.table_page_context(session, 0, NOW)
    ).whole_page_message(version=1)
    assert 'lang="en"' in rendering.table_page(rendering.Shell(), message, game="detect", code=session.code)


def test_cacheable_responses_that_differ_by_language_send_a_vary_header(ada: Client, ute: Client) -> None:
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


NAMES = (
    *("Ada", "Ben", *BOT_NAMES),
    *("Low", "High", "low", "high", "plays the lowest number", "plays the highest number"),
)
TITLES = [info.title for info in registry.catalogue().values()]


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which every translated text is marked."""
    with marked_language(), serving(tmp_path_factory.mktemp("data")) as server:
        yield server


def marked_language_visitor(server: Server) -> Client:
    """Return a visitor who reads the marked language."""
    visitor = server.client()
    visitor.headers["accept-language"] = MARKED
    return visitor


def said_in(live: Live) -> list[str]:
    """Return the next announcements of a lobby. A lobby that only shows an absence has none."""
    return list(live.until(lambda message: message["say"], "lobby")["say"])


def same(url: str = "") -> list[str]:
    """Return texts that are the same in all languages."""
    code = code_of(url)
    return [*NAMES, *TITLES, code, *format_code(code).split(), "http", "localhost"]


@pytest.mark.parametrize("path", ["/", "/new/detect", "/guide/detect", "/score", "/score/detect"])
def test_pages_without_a_table_have_no_untranslated_text(marked: Server, path: str) -> None:
    with marked_language_visitor(marked) as ada:
        page = ada.get(path)
        assert page.status_code == 200
        # Guides are written separately in each language, including their headings.
        guide = guide_of("detect")
        told = [words for _, words in guide.contents] if guide is not None else []
        assert untranslated(page.text, [*same(), *told]) == []


@pytest.mark.parametrize("path", ["/nowhere", "/t/ZZZZ", "/join", "/new/whist", "/score?lang=xx", "/m/ZZZZ"])
def test_error_pages_have_no_untranslated_text(marked: Server, path: str) -> None:
    with marked_language_visitor(marked) as ada:
        page = ada.get(path, follow_redirects=True)
        assert page.status_code >= 400
        assert untranslated(page.text, [*same(), "ZZZZ", "xx", "whist"]) == []


def test_lobby_pages_and_messages_have_no_untranslated_text(marked: Server) -> None:
    """This includes announcements by the server."""
    with (
        marked_language_visitor(marked) as ada,
        marked_language_visitor(marked) as ben,
        marked_language_visitor(marked) as cleo,
    ):
        url = open_table(ada, "open", clock="300+10", **{"watchers-talk": "on", "spectators": "on", "hints": "on"})
        told = same(url)
        assert untranslated(ben.get(url).text, told) == []
        assert ben.post(f"{url}/sit", data={"name": ""}).status_code == 422
        assert untranslated(ben.post(f"{url}/sit", data={"name": "x" * 99}).text, told) == []
        sit(ben, url)
        cleo.post(f"{url}/watch")
        for reader in (ada, ben, cleo):
            page = reader.get(url)
            assert page.status_code == 200
            assert untranslated(page.text, [*told, page.url.host, f"{page.url.host}:{page.url.port}/t"]) == []
        with Live(marked, ben, url) as his:
            first = his.hello(kind="lobby")
            assert untranslated_message(first, [*told, "127"]) == []
            his.send(type="ready", ready=True)
            assert said_in(his) == ["⟦Ben is ready.⟧"]
            his.send(type="chat", text="Hello")
            assert his.get("chat")["text"] == "⟦Hello⟧"
            his.send(type="chat", text="Hello, you two")
            assert his.get("chat")["text"] == "Hello, you two"
            assert his.refusal(type="move", action="x")["reason"].startswith("⟦")
        with lobby(marked, url, ada) as (hers,):
            ben.post(f"{url}/leave")
            assert said_in(hers) == ["⟦Ben left the table.⟧"]


def played(game: str, luck: random.Random, settings: Settings) -> Iterator[Session]:
    """Yield sessions of a match of random moves with a bot: some positions, fewer later on, and the end."""
    low, high = registry.info(game).seats
    number = luck.randint(max(2, low), min(3, high)) if low < 3 else low
    seats = ["me", *["low"] * (number - 1)]
    options = {"end": "hands(1)"} if game == "reveal" else {}
    record = new_table(
        game, seats, LowBots(), 10.0, host=ADA, host_name="Ada", options=options, settings=settings,
        seed=luck.randbytes(32),
    )  # fmt: skip
    session = Session(record, now=10.0)
    yield session
    grant(session, session.ready(ADA, True, 12.0))
    for count in range(3000):
        if session.dealt_match.over:
            break
        if count % (7 if count < 150 else 29) == 0:
            yield session
        if (task := session.bot_task()) is not None:
            legal = session.game.legal(task.view, task.seat)
            grant(session, session.bot_move(task, luck.choice(legal), 20.0))
        else:
            seat = session.dealt_match.acting[0]
            grant(session, session.move(seat, luck.choice(session.legal(seat)), session.version(seat), now=20.0))
    yield session


def untranslated_on_pages(session: Session, viewer: int) -> list[str]:
    """Return texts of a table's page that no catalogue has translated."""
    if session.match is None:
        lobby = viewer_page_data.lobby(session, viewer, ADA, "http://localhost/t/K7QM", LowBots(), 10.0)
        return untranslated_message(
            rendering.lobby_message(lobby, version=1), [*same(session.code), "K7QM", "localhost/t"]
        )
    told = same()
    drawn = rendering.TablePage(session.table(viewer), viewer_page_data.table_page_context(session, viewer, 21.0))
    say = [line.text for line in session.viewer_log(viewer).lines]
    message = drawn.whole_page_message(version=1, say=say)
    page = rendering.table_page(rendering.Shell(), message, game=session.record.game, code=session.code)
    found = untranslated_message(message, told) + untranslated(page, [*told, session.code])
    if session.dealt_match.over:
        replay = Replay(session.dealt_match, session.sitters, viewer)
        for ply in (0, replay.last_ply // 2, replay.last_ply):
            moment = rendering.replay_message(replay.static_table_after(ply), replay.moment_at(ply, session.code, 0))
            found += untranslated_message(moment, told)
            page = rendering.replay_page(rendering.Shell(), moment, game=session.record.game, code=session.code)
            found += untranslated(page, [*told, session.code])
    return found


@pytest.mark.parametrize("game", registry.catalogue())
def test_lobby_with_a_closable_seat_has_no_untranslated_text(game: str) -> None:
    low, high = registry.info(game).seats
    seats = ["me", *["open"] * min(low, high - 1)]
    with marked_language() as code, use_language(code):
        record = new_table(game, seats, LowBots(), 10.0, host=ADA, host_name="Ada", options={}, settings=Settings())
        assert untranslated_on_pages(Session(record, now=10.0), 0) == []


@pytest.mark.parametrize("game", mostly(registry.catalogue(), ("uncovered",), ("detect",)))
def test_table_and_replay_pages_of_every_game_have_no_untranslated_text(game: str, seed: int) -> None:
    luck = random.Random(seed)
    found: set[str] = set()
    with marked_language() as code, use_language(code):
        for session in played(game, luck, Settings(clock=60, memory=True, hints=True)):
            for viewer in (0, SPECTATOR):
                found.update(untranslated_on_pages(session, viewer))
    assert sorted(found) == []


@pytest.mark.parametrize("game", registry.catalogue())
def test_replay_headings_of_every_move_have_no_untranslated_text(game: str, seed: int) -> None:
    """A move without a log line is described in words, too, not in notation."""
    with marked_language() as code, use_language(code):
        *_earlier, session = played(game, random.Random(seed), Settings())
        for viewer in (*range(session.dealt_match.seats), SPECTATOR):
            replay = Replay(session.dealt_match, session.sitters, viewer)
            headings = {replay.moment_at(ply, session.code, viewer).heading for ply in range(replay.last_ply + 1)}
            assert {left for heading in headings if (left := unmarked_part(heading.replace("**", ""), same()))} == set()


def test_search_for_untranslated_texts_finds_planted_texts_and_accepts_clock_descriptions(seed: int) -> None:
    """The finder must find planted untranslated texts."""
    page = (
        '<p>⟦A text⟧ and Ada</p><b aria-label="One more">7</b><i title="⟦Two ⟦three⟧⟧ four"></i><u data-on="on">K</u>'
    )
    assert untranslated(page, ["Ada"]) == ["b[aria-label]: One more", "i[title]: four", "u[data-on]: on"]
    with marked_language() as code, use_language(code):
        for settings in (Settings(), Settings(clock=60), Settings(clock=300, increment=10), Settings(clock=86_400)):
            for name, words in clock_text.time_rules(settings):
                assert untranslated(f"<p>{name}: {words}</p>") == []
