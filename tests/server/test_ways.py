"""Links, forms and refusals as people meet them: what a link says, where a reason stands, and how one goes on."""

from __future__ import annotations

import re

import httpx
import pytest

from facedown.core.game import catalogue
from facedown.core.options import OptionError
from facedown.play.names import shown_code
from facedown.server import look
from facedown.server.http import routes
from tests.server.serving import ONE_HAND, Server, Visitor, code_of, finished, open_table


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def meta(html: str, name: str) -> str:
    found = re.search(rf'<meta (?:property|name)="{name}" content="([^"]*)">', html)
    assert found, f"no {name}"
    return found[1]


# --- links ------------------------------------------------------------------------------------------------------------


def test_a_link_to_an_open_table_invites(ada: httpx.Client, visitor: Visitor) -> None:
    page = visitor().get(open_table(ada, "open")).text
    assert "Ada invites you to Detect" in meta(page, "og:title")
    assert "One seat is open at table" in meta(page, "og:description")


def test_a_link_to_a_finished_match_says_who_played_and_the_result(
    server: Server, ada: httpx.Client, visitor: Visitor
) -> None:
    url = finished(server, ada)
    result = ada.get(f"/api/v1/matches/{url[3:]}").json()["result"].replace("**", "")
    page = visitor().get(url).text
    assert "invites" not in page
    assert "Ada and Juniper played Reveal" in meta(page, "og:title")
    assert "<title>Ada and Juniper played Reveal" in page
    said = meta(page, "og:description")
    assert said.startswith("The match is finished. ")
    # The result as everybody hears it: nobody is "you".
    assert not re.search(r"\b[Yy]ou\b", said)
    assert re.sub(r"^\S+ \w+", "", result)[:4] in said
    assert f'href="/m/{url[3:]}"' in page
    assert visitor().get(f"/m/{url[3:]}").status_code == 200


def test_a_link_to_a_running_match_says_so(ada: httpx.Client, visitor: Visitor) -> None:
    page = visitor().get(open_table(ada, "low")).text
    assert "invites" not in page
    assert "Ada and Juniper are playing Detect" in meta(page, "og:title")


# --- forms ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "reason"), [("", "Please type a name"), ("   ", "Please type a name"), ("you", "choose another name")]
)
def test_a_name_missing_is_said_at_its_field(ada: httpx.Client, visitor: Visitor, name: str, reason: str) -> None:
    url = open_table(ada, "open")
    for page, path, fields in (
        (visitor().get(url).text, f"{url}/sit", {"name": name}),
        (visitor().get("/new/detect").text, "/tables", {"game": "detect", "name": name, "seat-0": "you"}),
    ):
        # The browser's own bubble never comes: our words do.
        form = next(f for f in re.findall(r"<form[^>]*>", page) if path in f)
        assert "novalidate" in form
        answer = visitor().post(path, data=fields)
        assert answer.status_code == 422
        field = re.search(r'<input name="name"[^>]*>', answer.text)
        assert field
        assert 'aria-invalid="true"' in field[0]
        assert 'aria-describedby="name-error"' in field[0]
        assert re.search(rf'<p class="form-error" id="name-error" role="alert">[^<]*{reason}', answer.text)
        assert answer.text.count("form-error") == 1, "said once, where it is"


def test_every_form_speaks_for_itself(ada: httpx.Client, visitor: Visitor) -> None:
    """Where a browser would check a field by itself, the form says that we do."""
    for page in (visitor().get("/"), visitor().get("/new/scout"), visitor().get(open_table(ada, "open"))):
        for form in re.findall(r"<form.*?</form>", page.text, re.DOTALL):
            if re.search(r"\b(required|pattern=|min=)", form):
                assert "novalidate" in form.split(">")[0], form[:200]


# --- refusals ---------------------------------------------------------------------------------------------------------


def ways(html: str) -> dict[str, str]:
    main = html[html.index("<main") :]
    return {words.strip(): url for url, words in re.findall(r'<a class="button[^"]*" href="([^"]*)">([^<]*)</a>', main)}


def test_every_refusal_offers_ways_on(ada: httpx.Client, visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    url = open_table(ada, "low", **ONE_HAND)
    cleo = visitor()
    unknown = cleo.get("/t/ZZZZ")
    assert unknown.status_code == 404
    assert ways(unknown.text)["Home"] == "/"
    assert 'action="/join"' in unknown.text
    assert 'name="code"' in unknown.text

    refused = cleo.post(f"{url}/again")
    assert refused.status_code == 403
    assert ways(refused.text) == {f"To table {shown_code(code_of(url))}": url, "Home": "/"}

    soon = ada.get(f"/m/{url[3:]}")
    assert soon.status_code == 409
    assert ways(soon.text)[f"To table {shown_code(code_of(url))}"] == url

    nothing = cleo.get("/no/such/page", headers={"referer": str(cleo.base_url.join("/guide/detect"))})
    assert nothing.status_code == 404
    assert ways(nothing.text) == {"Back": "/guide/detect", "Home": "/"}
    elsewhere = cleo.get("/no/such/page", headers={"referer": "http://elsewhere.example/guide/detect"})
    assert ways(elsewhere.text) == {"Home": "/"}

    empty = cleo.get("/join")
    assert empty.status_code == 422
    assert "eight letters or digits" in text_of(empty.text)
    assert 'name="code"' in empty.text


def test_a_closed_table_is_gone_but_not_the_way_on() -> None:
    html = look.error_page(look.Shell(), status=410, title="Gone", says="This table was closed.", by_code=True)
    assert ways(html) == {"Home": "/"}
    assert 'name="code"' in html


def test_what_breaks_has_a_page_too(server: Server, visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(routes, "home_of", broken)
    answer = visitor().get("/new/detect")
    assert answer.status_code == 500
    assert ways(answer.text)["Home"] == "/"
    assert "planted" not in answer.text


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


def test_a_deck_is_written_in_words_and_its_error_stands_at_its_field(ada: httpx.Client) -> None:
    fresh = ada.get("/new/detect").text
    field = re.search(r'<input class="wide-text"[^>]*>', fresh)
    assert field is not None
    assert 'value="5 × −2, 10 × −1, 15 × 0, 10 × 1,' in field[0]
    assert "10 × 12 is ten cards of 12" in fresh
    assert not SYNTAX.search(field[0])
    name = re.search(r'name="([^"]+)"', field[0])
    assert name is not None
    seats = {f"seat-{seat}": "closed" for seat in range(2, 8)}
    form = {"game": "detect", "seat-0": "you", "seat-1": "low", "option-deck": "custom", name[1]: "ten twelves"} | seats
    answer = ada.post("/tables", data=form)
    assert answer.status_code == 422
    deck = answer.text[answer.text.index("<legend>Deck") :].split("</fieldset>")[0]
    assert "10 × 12 is ten cards of 12; numbers go from −10 to 19." in deck
    assert 'aria-invalid="true"' in deck
    assert 'value="ten twelves"' in deck
    assert answer.text.count('role="alert"') == 1
    answer = ada.post("/tables", data=form | {"seat-1": "open", name[1]: "20 × 1, 20 × 2, 20 x 9"})
    assert answer.status_code == 303
    assert "its own: 60 cards, 1 to 9" in text_of(ada.get(answer.headers["location"]).text)


def test_the_sheet_and_the_lobby_show_words(ada: httpx.Client, visitor: Visitor) -> None:
    for name in catalogue():
        page = visitor().get(f"/new/{name}").text
        form = page[page.index("data-new-table") :]
        for words in (*re.findall(r">([^<>]+)<", form), *re.findall(r'aria-label="([^"]*)"', form)):
            assert not SYNTAX.search(words), words
            assert not re.search(r": [a-zA-Z]$|counted from 0|from 0\b", words), words
    url = open_table(
        ada,
        "open",
        game="reveal",
        **{"option-end": "goal", "option-end-goal-0": "35", "option-deck": "custom", "option-deck-custom-0": "6"},
    )
    page = text_of(ada.get(url).text)
    assert "when a total reaches 35" in page
    assert "6 colours, 14 of each, and 4 wilds" in page
    assert "goal(" not in page
    assert ada.get(f"/api/v1/tables/{url[3:]}").json()["options"]["end"] == "goal(35)"


def test_seats_are_counted_as_people_count(ada: httpx.Client) -> None:
    url = open_table(ada, "open", "open", game="scout", **{"option-start": "named", "option-start-named-0": "2"})
    assert "player 3" in text_of(ada.get(url).text)
