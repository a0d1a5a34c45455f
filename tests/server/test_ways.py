"""Links, forms and refusals as people meet them: what a link says, where a reason stands, and how one goes on."""

from __future__ import annotations

import re
import struct

import pytest
from httpx import Client, Response

from facedown.core.game import catalogue
from facedown.core.language import languages, speaking
from facedown.core.options import OptionError
from facedown.play.names import shown_code
from facedown.server import look
from facedown.server.http import routes
from facedown.server.look.preview import preview_svg, wrapped
from tests.server.serving import ONE_HAND, Server, Visitor, code_of, missing, open_table


def said(page: str) -> dict[str, str]:
    """What a page tells chat programs and search engines."""
    return dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page))


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


# --- links ------------------------------------------------------------------------------------------------------------


def test_a_link_to_a_finished_match_says_who_played_and_the_result(over: str, ben: Client) -> None:
    result = ben.get(f"/api/v1/matches/{over}").json()["result"].replace("**", "")
    page = ben.get(f"/t/{over}").text
    assert "invites" not in page
    assert missing(page, "<title>Ada and Juniper played Reveal", f'href="/m/{over}"') == []
    about = said(page)
    assert "Ada and Juniper played Reveal" in about["og:title"]
    assert about["og:description"].startswith("The match is finished. ")
    # The result as everybody hears it: nobody is "you".
    assert not re.search(r"\b[Yy]ou\b", about["og:description"])
    assert re.sub(r"^\S+ \w+", "", result)[:4] in about["og:description"]
    assert ben.get(f"/m/{over}").status_code == 200


def test_a_link_to_a_running_match_says_so(ada: Client, ben: Client) -> None:
    page = ben.get(open_table(ada, "low")).text
    assert "invites" not in page
    assert "Ada and Juniper are playing Detect" in said(page)["og:title"]


# --- forms ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "reason"), [("", "Please type a name"), ("   ", "Please type a name"), ("you", "choose another name")]
)
def test_a_name_missing_is_said_at_its_field(ada: Client, visitor: Visitor, name: str, reason: str) -> None:
    url = open_table(ada, "open")
    for page, path, fields in (
        (url, f"{url}/sit", {"name": name}),
        ("/new/detect", "/tables", {"game": "detect", "name": name, "seat-0": "you"}),
    ):
        # The browser's own bubble never comes: our words do.
        form = next(form for form in re.findall(r"<form[^>]*>", visitor().get(page).text) if path in form)
        assert "novalidate" in form
        answer = visitor().post(path, data=fields)
        assert answer.status_code == 422
        field = re.search(r'<input name="name"[^>]*>', answer.text)
        assert field
        assert missing(field[0], 'aria-invalid="true"', 'aria-describedby="name-error"') == []
        assert re.search(rf'<p class="form-error" id="name-error" role="alert">[^<]*{reason}', answer.text)
        assert answer.text.count("form-error") == 1, "said once, where it is"


def test_every_form_speaks_for_itself(ada: Client, visitor: Visitor) -> None:
    """Where a browser would check a field by itself, the form says that we do."""
    for page in ("/", "/new/scout", open_table(ada, "open")):
        for form in re.findall(r"<form.*?</form>", visitor().get(page).text, re.DOTALL):
            if re.search(r"\b(required|pattern=|min=)", form):
                assert "novalidate" in form.split(">")[0], form[:200]


# --- refusals ---------------------------------------------------------------------------------------------------------


def ways(html: str) -> dict[str, str]:
    main = html[html.index("<main") :]
    return {words.strip(): url for url, words in re.findall(r'<a class="button[^"]*" href="([^"]*)">([^<]*)</a>', main)}


def test_every_refusal_offers_ways_on(ada: Client, ben: Client) -> None:
    url, home, by_code = open_table(ada, "low", **ONE_HAND), {"Home": "/"}, ('action="/join"', 'name="code"')
    table = {f"To table {shown_code(code_of(url))}": url}
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
    assert "eight letters or digits" in text_of(empty.text)
    closed = look.error_page(look.Shell(), status=410, title="Gone", says="This table was closed.", by_code=True)
    assert (ways(closed), missing(closed, *by_code)) == (home, [])


def test_what_breaks_has_a_page_too(server: Server, ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(routes, "home_of", broken)
    answer = ada.get("/new/detect")
    assert answer.status_code == 500
    assert ways(answer.text)["Home"] == "/"
    assert "planted" not in answer.text


# --- links ------------------------------------------------------------------------------------------------------------


# --- forms ------------------------------------------------------------------------------------------------------------


# --- refusals ---------------------------------------------------------------------------------------------------------


# --- house rules ------------------------------------------------------------------------------------------------------

#: Spelling of options: brackets with numbers, snake case, rulings.
SYNTAX = re.compile(r"\w\(|\w_\w|\b[A-Z]{3}-\d|\d:\d")


@pytest.mark.parametrize("name", catalogue())
def test_house_rules_are_words(name: str) -> None:
    info = catalogue()[name]
    for option in info.options:
        for value in option.values:
            try:
                text = option.normal(value.text)
            except OptionError:
                text = "custom(1:20 2:20 9:20)"
            said = option.told(text)
            assert said
            assert not SYNTAX.search(said), said
            if value.arguments:
                assert re.search(r"\d", said), f"{said} does not say how many"


def test_a_deck_is_written_in_words_and_its_error_stands_at_its_field(ada: Client) -> None:
    fresh = ada.get("/new/detect").text
    field = re.search(r'<input class="wide-text"[^>]* name="([^"]+)"[^>]*>', fresh)
    assert field is not None
    assert 'value="5 × −2, 10 × −1, 15 × 0, 10 × 1,' in field[0]
    assert "10 × 12 is ten cards of 12" in fresh
    assert not SYNTAX.search(field[0])
    form = {"game": "detect", "seat-0": "you", "option-deck": "custom"}
    form |= {f"seat-{seat}": "closed" for seat in range(2, 8)}
    answer = ada.post("/tables", data=form | {"seat-1": "low", field[1]: "ten twelves"})
    assert answer.status_code == 422
    deck = answer.text[answer.text.index("<legend>Deck") :].split("</fieldset>")[0]
    reason = "10 × 12 is ten cards of 12; numbers go from −10 to 19."
    assert missing(deck, reason, 'aria-invalid="true"', 'value="ten twelves"') == []
    assert answer.text.count('role="alert"') == 1
    answer = ada.post("/tables", data=form | {"seat-1": "open", field[1]: "20 × 1, 20 × 2, 20 x 9"})
    assert answer.status_code == 303
    assert "its own: 60 cards, 1 to 9" in text_of(ada.get(answer.headers["location"]).text)


def test_the_sheet_and_the_lobby_show_words(ada: Client) -> None:
    for name in catalogue():
        page = ada.get(f"/new/{name}").text
        form = page[page.index("data-new-table") :]
        for words in (*re.findall(r">([^<>]+)<", form), *re.findall(r'aria-label="([^"]*)"', form)):
            assert not SYNTAX.search(words), words
            assert not re.search(r": [a-zA-Z]$|counted from 0|from 0\b", words), words
    options = {"option-end": "goal", "option-end-goal-0": "35", "option-deck": "custom", "option-deck-custom-0": "6"}
    url = open_table(ada, "open", game="reveal", **options)
    page = text_of(ada.get(url).text)
    assert missing(page, "when a total reaches 35", "6 colours, 14 of each, and 4 wilds") == []
    assert "goal(" not in page
    assert ada.get(f"/api/v1/tables/{url[3:]}").json()["options"]["end"] == "goal(35)"
    url = open_table(ada, "open", "open", game="scout", **{"option-start": "named", "option-start-named-0": "2"})
    assert "player 3" in text_of(ada.get(url).text), "seats are counted as people count"


# --- preview pictures, and the words beside them ----------------------------------------------------------------------


def size_of(answer: Response) -> tuple[int, int]:
    """The size of a picture that was answered."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", answer.content[16:24])
    return width, height


@pytest.mark.parametrize("path", ["/preview.png", *(f"/preview/{game}.png" for game in catalogue())])
def test_the_house_and_every_game_have_a_picture(path: str, ada: Client) -> None:
    assert size_of(ada.get(path)) == (1200, 630)


def test_an_invitation_names_its_host_and_its_picture(ada: Client, ben: Client, server: Server) -> None:
    url = open_table(ada, "open")
    about = said(ben.get(url).text)
    assert (about["og:title"], about["robots"]) == ("Ada invites you to Detect", "noindex")
    assert about["og:image"].startswith(f"{server.origin}{url}/preview.png")
    assert "One seat is open at table" in about["og:description"]
    assert size_of(ben.get(about["og:image"])) == (1200, 630)


def test_nothing_is_drawn_of_a_running_table_without_watchers(ada: Client, ben: Client) -> None:
    url = open_table(ada, "low", spectators="")
    for refused in (ben.get(url), ben.get(f"{url}/preview.png"), ben.post(f"{url}/watch")):
        assert refused.status_code == 403
        assert "without spectators" in refused.text
        assert "og:title" not in refused.text


def test_a_running_table_shows_backs_alone(ada: Client, ben: Client) -> None:
    """The picture is the same whatever lies on the table: it follows from the names alone."""
    first, second = (ben.get(f"{open_table(ada, 'low')}/preview.png") for _ in range(2))
    assert size_of(first) == size_of(second) == (1200, 630)
    assert first.content == second.content


def test_a_finished_match_shows_its_result_and_its_moments(over: str, ben: Client) -> None:
    result = ben.get(f"/m/{over}/preview.png")
    about = said(ben.get(f"/m/{over}?ply=3&eyes=0").text)
    assert "ply=3&amp;eyes=0" in about["og:image"]
    moment = ben.get(about["og:image"].replace("&amp;", "&"))
    assert size_of(result) == size_of(moment) == (1200, 630)
    assert moment.content != result.content


@pytest.mark.parametrize("query", ["ply=99999", "ply=x", "ply=1&eyes=9", "ply=1&eyes=you"])
def test_a_moment_that_is_none_is_refused(over: str, ben: Client, query: str) -> None:
    assert ben.get(f"/m/{over}/preview.png?{query}").status_code == 422


@pytest.mark.parametrize("address", ["/t/ZZZZ/preview.png", "/m/ZZZZ/preview.png", "/preview/whist.png"])
def test_what_is_not_there_has_no_picture(ben: Client, address: str) -> None:
    assert ben.get(address).status_code == 404


def test_search_engines_are_told_of_public_pages(ada: Client, server: Server) -> None:
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
def test_long_words_and_other_scripts_stay_inside(code: str) -> None:
    with speaking(code):
        svg = preview_svg(look.Preview("detect", "Donaudampfschifffahrtsgesellschaftskapitän " * 4, line="名前 " * 30))
    assert svg.count("<text") <= 9
    assert "var(" not in svg
    for line in wrapped("Donaudampfschifffahrtsgesellschaftskapitän", 7.0):
        assert len(line) < 20


def test_names_cannot_write_into_a_picture() -> None:
    svg = preview_svg(look.Preview("detect", "</text><script>alert(1)</script>", line='"><image href="x"/>'))
    assert "<script" not in svg
    assert "<image" not in svg
