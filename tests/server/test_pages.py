"""Pages, forms, links and error pages without scripts."""

from __future__ import annotations

import re
import struct

import pytest
from httpx import Client, Response

from facedown.core.game_registry import catalogue
from facedown.core.match_file import read
from facedown.core.options import OptionError
from facedown.core.translation import languages, use_language
from facedown.play.user_input import format_code
from facedown.server import rendering
from facedown.server.http import page_and_form_handlers
from facedown.server.rendering.preview_images import preview_svg, wrap_text
from tests.not_none import given
from tests.server.http_server import (
    COOKIES_ACCEPTED,
    ONE_HAND,
    Live,
    Server,
    Visitor,
    code_of,
    finished,
    missing,
    open_table,
    shared_table,
    sit,
    token_of,
)
from tests.server.request_cases import cases


def text(answer: Response, status: int = 200) -> str:
    """Return the words of a page with this status."""
    assert answer.status_code == status, answer.text[:500]
    words = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", answer.text, flags=re.DOTALL)
    words = re.sub(r"<[^>]+>", " ", words).replace("&#39;", "'").replace("&quot;", '"').replace("&amp;", "&")
    return " ".join(words.split())


def test_first_table_sets_an_http_only_guest_cookie(ada: Client) -> None:
    for path in ("/", "/new/detect", "/docs", "/health"):
        ada.get(path)
    assert dict(ada.cookies) == COOKIES_ACCEPTED, "looking around leaves none"
    assert "Your tables" not in text(ada.get("/"))
    answer = ada.post("/quick", data={"game": "detect"})
    assert answer.status_code == 303
    assert missing(answer.headers["set-cookie"], "HttpOnly", "SameSite=lax", "Path=/") == []
    page = ada.get(answer.headers["location"])
    assert token_of(ada) not in page.text + str(page.url)
    # A table without open seats starts at once.
    for begun in (page, ada.get(open_table(ada, "low", "closed", "high"))):
        assert "Which two cards will you flip?" in text(begun)
    url = open_table(ada, "open")
    assert missing(text(ada.get("/")), "Detect", " ".join(format_code(code_of(url)).split())) == []


def test_friend_joins_by_link_or_code_with_a_nickname(ada: Client, ben: Client) -> None:
    url = open_table(ada, "open", "low")
    code = code_of(url).lower()
    for way in (ben.get("/join", params={"code": f" {code} "}), ben.get(f"/t/{code}")):
        assert way.headers["location"] == url, "in any case"
    assert "Ada invites you to play Detect" in text(ben.get(url))
    assert ben.post(f"{url}/sit", data={"name": "Ben"}).headers["location"] == url
    for visitor in (ada, ben):
        assert missing(text(visitor.get(url)), "Ben", "Juniper") == []
    # Joining again leads back to the own seat.
    sit(ben, url)
    for unknown in (ben.get("/join", params={"code": "ZZZZZZ"}), ben.get("/t/ZZZZZZ")):
        assert "does not exist" in text(unknown, 404)
    free = shared_table(ada, ben)
    assert ben.post(f"{free}/leave").headers["location"] == "/"
    assert "One seat is open" in text(ben.get(free))


@cases("forms that are refused")
def test_invalid_new_table_form_is_refused_and_creates_nothing(
    server: Server, ada: Client, fields: dict[str, str], status: int, says: str
) -> None:
    form = {"game": "detect", "name": "Ada", "seat-0": "you", "seat-1": "open", "clock": "0"} | fields
    answer = ada.post("/tables", data=form)
    assert says.lower() in text(answer, status).lower()
    assert dict(ada.cookies) == COOKIES_ACCEPTED


def test_refused_form_keeps_its_values_and_the_lobby_shows_the_settings(ada: Client) -> None:
    form = {"game": "detect", "name": "Ada", "seat-0": "you", "seat-1": "closed", "clock": "60"}
    page = ada.post("/tables", data=form).text
    assert re.search(r'name="clock" value="60"[^>]* checked', page)
    assert 'value="Ada"' in page
    words = text(ada.get(open_table(ada, "open", clock="60", memory="on", **{"option-tie": "extra_round"})))
    assert missing(words, "a minute per turn", "play on until the tie is broken") == []


def test_visitor_of_a_full_table_is_offered_to_watch(ada: Client, ben: Client) -> None:
    url = open_table(ada, "low")
    assert "are taken" in text(ben.get(url))
    assert "taken" in text(ben.post(f"{url}/sit", data={"name": "Ben"}), 409)
    assert ben.post(f"{url}/watch").headers["location"] == url
    assert "Ada" in text(ben.get(url))


def test_match_record_file_and_rematch_are_offered_only_after_the_end_of_a_match(
    server: Server, ada: Client, ben: Client
) -> None:
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
    assert "Which two cards will you flip?" in text(ada.get(again))
    assert ada.post(f"{url}/again").headers["location"] == again != url


def test_unknown_page_gets_404_docs_page_lists_the_api_and_rules_address_redirects_to_the_guide(ada: Client) -> None:
    assert ada.get("/rules/detect").headers["location"] == "/guide/detect"
    assert "unknown game chess" in text(ada.get("/guide/chess"), 404).lower()
    assert ada.get("/rules/..%2f..%2fetc").headers.get("location") in (None, "/guide/unknown")
    docs = ada.get("/docs")
    assert "POST /api/v1/tables/{code}/moves" in text(docs)
    assert "<script" not in docs.text.split("<main")[1].split("</main>")[0]
    assert "Not found" in text(ada.get("/treasure"), 404)


# --- default settings of a match --------------------------------------------------------------------------------------


INTERMEDIATE = "every hand but your own"
LEVELS = "Juniper: low · Wren: high"
ADVANCED = "only your own hand (three players or more)"


def quick_words(client: Client) -> str:
    found = given(re.search(r'id="quick-words">([^<]*)<', client.get("/").text))
    return found[1].replace("\u00a0", " ")


def deal(client: Client, game: str, path: str = "/quick") -> str:
    """Return the page of a table created by quick play or at the end of a lesson."""
    return client.get(client.post(path, data={"game": game}).headers["location"]).text


def test_quick_play_button_describes_the_table_it_opens_and_the_table_shows_bot_levels(ada: Client) -> None:
    assert quick_words(ada) == "Quick play: Detect · 3 seats · high bots"
    assert "High bot · memory aid on" in deal(ada, "reveal")
    assert quick_words(ada) == "Quick play: Reveal · 2 seats · high bot · memory aid on"
    assert "memory aid on" not in deal(ada, "detect"), "in other games it is no matter of course"
    for levels, words in ((["low"], "Low bot"), (["low", "low"], "Low bots"), (["low", "high"], LEVELS)):
        page = ada.get(open_table(ada, *levels)).text
        assert re.findall(r'class="scores-note">([^<]*)<', page) == [words]


def test_new_table_form_of_the_game_uncovered_offers_its_three_modes(ada: Client) -> None:
    page = ada.get("/new/uncovered").text
    shown = page.split('<details class="options"')[0]
    assert missing(shown, "all cards", INTERMEDIATE, ADVANCED) == [], "there before any list is opened"
    assert page.count('name="option-mode"') == 3
    usual = '"2": "intermediate", "3": "advanced"'
    assert missing(page, 'name="option-mode" value="intermediate" checked', usual) == []
    assert "data-modes" not in ada.get("/new/detect").text


def test_first_match_of_uncovered_after_its_finished_lesson_uses_the_mode_of_the_lesson(
    ada: Client, ben: Client, server: Server
) -> None:
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


def test_memory_aid_is_on_by_default_in_the_game_reveal_against_bots(ada: Client) -> None:
    for game in ("reveal", "detect"):
        page = ada.get(f"/new/{game}").text
        assert bool(re.search(r'name="memory"[^>]* checked', page)) == (game == "reveal")
        assert ("On by default if all the others are bots" in page) == (game == "reveal")
    assert "memory aid on" in deal(ada, "", "/learn/reveal/play")


def test_after_a_win_the_next_stronger_bot_is_offered(ada: Client, server: Server) -> None:
    ended: dict[bool, str] = {}
    for _ in range(30):
        url = finished(server, ada)
        ended["You win" in ada.get(url).text] = url
        if len(ended) == 2:
            break
    won, lost, words = ended[True], ended[False], "Play Juniper (high)"
    assert [words in ada.get(url).text for url in (won, lost)] == [True, False]
    for url, level in ((lost, "high"), (won, "nobody")):
        assert ada.post(f"{url}/again", data={"level": level}).status_code == 422
    there = ada.post(f"{won}/again", data={"level": "high"}).headers["location"]
    assert there != won
    assert "High bot" in ada.get(there).text
    assert words not in ada.get(won).text, "it has begun"


def said(page: str) -> dict[str, str]:
    """Return the meta tags for link previews and search engines."""
    return dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page))


def test_link_preview_of_a_match_names_players_and_result(finished_code: str, ben: Client, ada: Client) -> None:
    result = ben.get(f"/api/v1/matches/{finished_code}").json()["result"].replace("**", "")
    page = ben.get(f"/t/{finished_code}").text
    assert "invites" not in page
    assert missing(page, "<title>Ada and Juniper played Reveal", f'href="/m/{finished_code}"') == []
    about = said(page)
    assert "Ada and Juniper played Reveal" in about["og:title"]
    assert about["og:description"].startswith("The match is finished. ")
    # The result in the third person, without "you".
    assert not re.search(r"\b[Yy]ou\b", about["og:description"])
    assert re.sub(r"^\S+ \w+", "", result)[:4] in about["og:description"]
    assert ben.get(f"/m/{finished_code}").status_code == 200
    page = ben.get(open_table(ada, "low")).text
    assert "invites" not in page
    assert "Ada and Juniper are playing Detect" in said(page)["og:title"]


@pytest.mark.parametrize(
    ("name", "reason"), [("", "Please enter a name"), ("   ", "Please enter a name"), ("you", "choose another one")]
)
def test_missing_or_reserved_name_shows_one_error_message_at_its_field(
    ada: Client, visitor: Visitor, name: str, reason: str
) -> None:
    url = open_table(ada, "open")
    table = {"game": "detect", "name": name, "seat-0": "you"}
    for path, fields in ((f"{url}/sit", {"name": name}), ("/tables", table)):
        answer = visitor().post(path, data=fields)
        assert answer.status_code == 422
        field = given(re.search(r'<input name="name"[^>]*>', answer.text))
        assert missing(field[0], 'aria-invalid="true"', 'aria-describedby="name-error"') == []
        assert re.search(rf'<p class="form-error" id="name-error" role="alert">[^<]*{reason}', answer.text)
        assert answer.text.count("form-error") == 1, "said once, where it is"


def test_forms_with_constraints_disable_browser_validation(ada: Client, visitor: Visitor) -> None:
    """A form with constraints has `novalidate`, so that our error messages appear instead of the browser's."""
    for page in ("/", "/new/scout", "/new/detect", open_table(ada, "open")):
        for form in re.findall(r"<form.*?</form>", visitor().get(page).text, re.DOTALL):
            if re.search(r"\b(required|pattern=|min=)", form):
                assert "novalidate" in form.split(">")[0], form[:200]


def ways(html: str) -> dict[str, str]:
    main = html[html.index("<main") :]
    return {words.strip(): url for url, words in re.findall(r'<a class="button[^"]*" href="([^"]*)">([^<]*)</a>', main)}


def test_every_error_page_offers_links_to_continue(ada: Client, ben: Client) -> None:
    url, home, by_code = open_table(ada, "low", **ONE_HAND), {"Home": "/"}, ('action="/join"', 'name="code"')
    table = {f"Go to table {format_code(code_of(url))}": url}
    here, elsewhere = ({"referer": f"{origin}/guide/detect"} for origin in (ben.base_url, "http://elsewhere.example"))
    unknown, empty = ben.get("/t/ZZZZ"), ben.get("/join")
    for answer, status, leads in (
        (unknown, 404, home),
        (empty, 422, home),
        (ben.post(f"{url}/again"), 403, home | table),
        (ada.get(f"/m/{url[3:]}"), 409, home | table),
        (ben.get("/no/such/page", headers=here), 404, home | {"Back": "/guide/detect"}),
        (ben.get("/no/such/page", headers=elsewhere), 404, home),
    ):
        assert (answer.status_code, ways(answer.text)) == (status, leads)
    assert [missing(answer.text, *by_code) for answer in (unknown, empty)] == [[], []]
    assert "eight letters or digits" in text(empty, 422)
    closed = rendering.error_page(
        rendering.Shell(), status=410, title="Gone", says="This table was closed.", by_code=True
    )
    assert (ways(closed), missing(closed, *by_code)) == (home, [])


def test_internal_error_page_has_links_and_no_details(
    server: Server, ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(page_and_form_handlers, "home_of", broken)
    answer = ada.get("/new/detect")
    assert answer.status_code == 500
    assert ways(answer.text)["Home"] == "/"
    assert "planted" not in answer.text


#: Option syntax: brackets with numbers, snake case, ruling ids.
SYNTAX = re.compile(r"\w\(|\w_\w|\b[A-Z]{3}-\d|\d:\d")


@pytest.mark.parametrize("name", catalogue())
def test_game_option_values_are_described_in_words_instead_of_option_syntax(name: str) -> None:
    info = catalogue()[name]
    for option in info.options:
        for value in option.values:
            try:
                text = option.normalize(value.default_notation)
            except OptionError:
                text = "custom(1:20 2:20 9:20)"
            said = option.describe_value(text)
            assert said
            assert not SYNTAX.search(said), said
            if value.arguments:
                assert re.search(r"\d", said), f"{said} does not say how many"


def test_custom_deck_is_entered_as_card_counts_and_an_invalid_one_shows_an_error_at_its_field(ada: Client) -> None:
    fresh = ada.get("/new/detect").text
    field = given(re.search(r'<input class="wide-text"[^>]* name="([^"]+)"[^>]*>', fresh))
    assert 'value="5 × −2, 10 × −1, 15 × 0, 10 × 1,' in field[0]
    assert "10 × 12 means ten 12s" in fresh
    assert not SYNTAX.search(field[0])
    form = {"game": "detect", "seat-0": "you", "option-deck": "custom"}
    form |= {f"seat-{seat}": "closed" for seat in range(2, 8)}
    answer = ada.post("/tables", data=form | {"seat-1": "low", field[1]: "ten twelves"})
    assert answer.status_code == 422
    deck = answer.text[answer.text.index("<legend>Deck") :].split("</fieldset>")[0]
    reason = "expected entries such as 10 × 12 (ten 12s), with numbers from −10 to 19."
    assert missing(deck, reason, 'aria-invalid="true"', 'value="ten twelves"') == []
    assert answer.text.count('role="alert"') == 1
    answer = ada.post("/tables", data=form | {"seat-1": "open", field[1]: "20 × 1, 20 × 2, 20 x 9"})
    assert answer.status_code == 303
    assert "custom: 60 cards, from 1 to 9" in text(ada.get(answer.headers["location"]))


def test_new_table_form_and_lobby_show_game_options_in_words_instead_of_option_syntax(ada: Client) -> None:
    for name in catalogue():
        page = ada.get(f"/new/{name}").text
        form = page[page.index("data-new-table") :]
        for words in (*re.findall(r">([^<>]+)<", form), *re.findall(r'aria-label="([^"]*)"', form)):
            assert not SYNTAX.search(words), words
            assert not re.search(r": [a-zA-Z]$|counted from 0|from 0\b", words), words
    options = {"option-end": "goal", "option-end-goal-0": "35", "option-deck": "custom", "option-deck-custom-0": "6"}
    url = open_table(ada, "open", game="reveal", **options)
    page = ada.get(url)
    assert missing(text(page), "when a player reaches 35 points", "6 colours, 14 cards of each, and 4 wilds") == []
    assert "goal(" not in re.sub(r"<[^>]+>", " ", page.text)
    assert ada.get(f"/api/v1/tables/{url[3:]}").json()["options"]["end"] == "goal(35)"
    url = open_table(ada, "open", "open", game="scout", **{"option-start": "named", "option-start-named-0": "2"})
    assert "player 3" in text(ada.get(url)), "seats are counted as people count"


# --- preview images and meta tags -------------------------------------------------------------------------------------


def size_of(answer: Response) -> tuple[int, int]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", answer.content[16:24])
    return width, height


def test_home_page_and_games_have_preview_images_and_unknown_games_tables_or_moves_get_4xx(
    ada: Client, finished_code: str
) -> None:
    for path in ("/preview.png", *(f"/preview/{game}.png" for game in catalogue())):
        assert size_of(ada.get(path)) == (1200, 630)
    for query in ("ply=99999", "ply=x", "ply=1&eyes=9", "ply=1&eyes=you"):
        assert ada.get(f"/m/{finished_code}/preview.png?{query}").status_code == 422
    for path in ("/t/ZZZZ/preview.png", "/m/ZZZZ/preview.png", "/preview/whist.png"):
        assert ada.get(path).status_code == 404


def test_table_preview_names_the_host_and_shows_no_card_faces(ada: Client, ben: Client, server: Server) -> None:
    url = open_table(ada, "open")
    about = said(ben.get(url).text)
    assert (about["og:title"], about["robots"]) == ("Ada invites you to play Detect", "noindex")
    assert about["og:image"].startswith(f"{server.origin}{url}/preview.png")
    assert "One seat is open at table" in about["og:description"]
    assert size_of(ben.get(about["og:image"])) == (1200, 630)
    # The image depends on the names only, not on the cards.
    first, second = (ben.get(f"{open_table(ada, 'low')}/preview.png") for _ in range(2))
    assert size_of(first) == size_of(second) == (1200, 630)
    assert first.content == second.content
    # Without spectators there is no preview.
    url = open_table(ada, "low", spectators="")
    for refused in (ben.get(url), ben.get(f"{url}/preview.png"), ben.post(f"{url}/watch")):
        assert refused.status_code == 403
        assert "spectators are not allowed" in refused.text
        assert "og:title" not in refused.text


def test_preview_image_of_a_finished_match_differs_between_its_result_and_one_of_its_moves(
    finished_code: str, ben: Client
) -> None:
    result = ben.get(f"/m/{finished_code}/preview.png")
    about = said(ben.get(f"/m/{finished_code}?ply=3&eyes=0").text)
    assert "ply=3&amp;eyes=0" in about["og:image"]
    moment = ben.get(about["og:image"].replace("&amp;", "&"))
    assert size_of(result) == size_of(moment) == (1200, 630)
    assert moment.content != result.content


def test_robots_txt_and_sitemap_list_public_pages_with_descriptions(ada: Client, server: Server) -> None:
    assert f"Sitemap: {server.origin}/sitemap.xml" in ada.get("/robots.txt").text
    addresses = re.findall(r"<loc>([^<]*)</loc>", ada.get("/sitemap.xml").text)
    assert f"{server.origin}/guide/detect?lang=de" in addresses
    for address in addresses:
        page = ada.get(address)
        assert page.status_code == 200, address
        about = said(page.text)
        assert about["description"], address
        assert "robots" not in about, address
        for code in languages():
            assert f'hreflang="{code}"' in page.text, address


@pytest.mark.parametrize("code", list(languages()))
def test_preview_image_wraps_long_words_and_non_latin_text(code: str) -> None:
    with use_language(code):
        svg = preview_svg(
            rendering.Preview("detect", "Donaudampfschifffahrtsgesellschaftskapitän " * 4, line="名前 " * 30)
        )
    assert svg.count("<text") <= 9
    assert "var(" not in svg
    for line in wrap_text("Donaudampfschifffahrtsgesellschaftskapitän", 7.0):
        assert len(line) < 20


def test_preview_image_escapes_names() -> None:
    svg = preview_svg(rendering.Preview("detect", "</text><script>alert(1)</script>", line='"><image href="x"/>'))
    assert "<script" not in svg
    assert "<image" not in svg
