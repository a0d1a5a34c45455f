"""Guides: figures of real positions, anchors for every prompt, and their pages."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from httpx import Client
from markupsafe import Markup

from facedown.core.game_registry import catalogue, guide
from facedown.core.table import Sitter
from facedown.core.translation import languages, use_language
from facedown.play.guide_figures import (
    MOST_MOVES,
    NAMES,
    FigureError,
    figures_in,
    is_match_running_at_figure,
    match_of,
    play_moves_from_figure,
    read_figure,
    table_of,
)
from facedown.server import rendering
from facedown.server.http.guides import guide_of, guide_text
from facedown.server.rendering.template_helpers import duration_and_complexity_texts
from facedown.terminal.cli import run as facedown
from facedown.terminal.rulebook import rules_text
from tests.server.api_players import problem
from tests.server.http_server import actions_in, missing
from tests.server.request_cases import cases

GAMES = tuple(catalogue())


def figure_json(**changes: Any) -> str:
    """Return the JSON of a figure of Detect with some changes. None removes a field."""
    usual = {"seats": 2, "seed": "x", "viewer": 0, "caption": "Early.", "moves": 3}
    return json.dumps({name: value for name, value in (usual | changes).items() if value is not None})


def controls(figure: str) -> list[str]:
    # One button starts playing on in the figure, where cards are selectable.
    tags = [tag for tag in re.findall(r"<[a-z][^>]*>", figure) if "data-play-on" not in tag]
    return [tag for tag in tags if re.match(r"<(?:a|button|input)\b|.* (?:id|data-place)=", tag)]


@pytest.mark.parametrize("game", GAMES)
def test_every_guide_figure_is_a_reachable_position_and_is_shown_without_buttons(game: str, ada: Client) -> None:
    text, guide = guide_text(game) or "", guide_of(game)
    assert guide is not None
    figures = figures_in(game, text)
    assert guide.figures == len(figures) == text.count("```figure") > 0
    for figure in figures:
        assert table_of(figure).viewer == figure.viewer
        assert figure.caption
    assert {"real", *(anchor for anchor, _ in guide.contents)} <= guide.anchors, "it says how to play with real cards"
    page = ada.get(f"/guide/{game}").text
    ids, shown = re.findall(r'<[^>]* id="([^"]+)"', page), re.findall(r"<figure .*?</figure>", page, re.DOTALL)
    assert len(ids) == len(set(ids))
    assert len(shown) == len(figures)
    assert [tag for figure in shown for tag in controls(figure)] == []
    assert f'href="/score/{game}"' in page
    rules = rules_text(game)
    assert "figure" not in re.sub(r"\bfigures?\b(?![\s{\"]*[{\"])", "", rules)
    assert '"seed"' not in rules
    for written in (page, rules):
        assert missing(written, "{#", "```") == ["{#", "```"]


def test_guide_figure_shows_its_viewer_only_what_that_seat_would_see_at_a_table() -> None:
    figure = read_figure("detect", figure_json())
    table = table_of(figure)
    assert table == match_of(figure).table(0, [Sitter("You"), Sitter("Ravi")])
    html = str(rendering.figure_html(table, "**Mine** & <yours>"))
    assert "<b>Mine</b> &amp; &lt;yours&gt;" in html
    backs = set(re.findall(r'<span role="img" class="piece k-back" aria-label="[^"]*">(.*?)</span>', html, re.DOTALL))
    assert len(backs) == 1, "backs are all alike"
    # Pins connect cards with the text.
    place = next(piece.place for zone in table.zones for piece in zone.pieces if piece.kind == "face")
    pinned = read_figure("detect", figure_json(pins={place: 2}))
    assert pinned.pins == {place: 2}
    assert '<b class="pin" aria-hidden="true">2</b>' in rendering.figure_html(table_of(pinned), "")
    assert "pin" not in rendering.figure_html(table, "")
    dealt = figure_json(deal="12 -2 5", first=0, moves=["open a1 a2", "open a1 a2"])
    match = match_of(read_figure("detect", dealt))
    # The deal lists whole grids, beginning with the player to the dealer's left.
    assert [match.game.words.card_word(int(kind)) for kind in match.state.card[12:15]] == ["12", "-2", "5"]


@cases("figures that cannot be played")
def test_guide_figure_with_an_invalid_description_raises_figure_error_with_reason(
    change: str | dict[str, Any], reason: str
) -> None:
    with pytest.raises(FigureError, match=reason):
        table_of(read_figure("detect", change if isinstance(change, str) else figure_json(**change)))


def test_guide_html_from_markdown_has_figures_section_anchors_a_table_of_contents_and_a_summary() -> None:
    text = (
        "# Rules\n\nBefore\n\n```figure\n{}\n```\n\nAfter {#no}\n\n```json\n{}\n```\n\n<figure 0>\n\n**keep** {#keep}\n"
    )
    drawn = rendering.guide_html(text, lambda described: Markup("<figure>drawn</figure>") if described else Markup(""))
    assert drawn.figures == 1
    assert drawn.body.count("<figure>drawn</figure>") == 1
    assert '<strong id="keep">keep</strong>' in drawn.body
    left_out = rendering.guide_html(text)
    assert left_out.figures == 0
    assert "<figure" not in left_out.body.replace("&lt;figure", "")
    assert "language-json" in left_out.body
    # An explicit anchor takes precedence over the anchor of a heading with the same words.
    guide = rendering.guide_html("# Reveal\n\n### First {#reveal}\n\n## Reveal\n")
    assert '<h3 id="reveal">First</h3>' in guide.body
    assert guide.title == "Reveal"
    assert guide.contents == (("reveal--", "Reveal"),)
    # The section "In short" comes first.
    short = "## In short {#in-short}\n\n* One\n* Two\n\nMore of it.\n\n"
    text = f"# Whist\n\nLead.\n\n## The cards\n\nMany.\n\n{short}## Last\n"
    guide = rendering.guide_html(text)
    body = str(guide.body)
    assert [anchor for anchor, _ in guide.contents] == ["in-short", "the-cards", "last"]
    assert body.index("Whist") < body.index('<section class="card in-short">') < body.index("Two") < body.index("Lead.")
    # The section "In short" is a heading and a list. The text after the list stays in place.
    assert body.index("</section>") < body.index("Many.") < body.index("More of it.")
    assert "in-short" not in rendering.guide_html("# Whist\n\nLead.\n").body


def test_guide_links_back_to_the_table_in_the_referer(ada: Client) -> None:
    origin = str(ada.base_url).rstrip("/")
    from_table = ada.get("/guide/detect", headers={"Referer": f"{origin}/t/K7QM"}).text
    assert '<a class="button primary" href="/t/K7QM">Back to the table</a>' in from_table
    for referer in ("", "http://elsewhere.example/t/K7QM", f"{origin}/t/K7QM/live", f'{origin}/t/"><script>'):
        page = ada.get("/guide/detect", headers={"Referer": referer}).text
        assert '<a class="button primary" href="/">Home</a>' in page


# --- playing on in figures --------------------------------------------------------------------------------------------


FIGURES = [(name, at) for name in GAMES for at, _ in enumerate(figures_in(name, guide(name) or ""))]


@pytest.mark.parametrize(("name", "number"), FIGURES)
def test_match_can_be_continued_from_the_position_of_a_guide_figure_with_legal_moves(
    ada: Client, name: str, number: int, seed: int
) -> None:
    figure = figures_in(name, guide(name) or "")[number]
    if not is_match_running_at_figure(figure):
        return
    lot, moves, seen = random.Random(seed), list[int](), set[int]()
    for _ in range(12):
        told = ada.get(f"/guide/{name}/figure/{number}", params={"moves": ".".join(map(str, moves))})
        assert told.status_code == 200, (told.text, seed)
        step = told.json()["step"]
        seen.add(told.json()["viewer"])
        if told.json()["over"]:
            break
        # The figure is shown from the acting seat.
        moves.append(lot.choice(actions_in(step)))
    assert moves
    assert len(seen) > 1 or figure.seats == 1 or len(moves) < 4, seed


def test_match_continued_from_a_guide_figure_shows_the_acting_seats_view_and_has_a_move_limit() -> None:
    """A card that is face down for the acting seat is a back, even if another seat has seen it."""
    figure = figures_in(GAMES[0], guide(GAMES[0]) or "")[0]
    sitters = [Sitter(NAMES[seat]) for seat in range(figure.seats)]
    table, _lines = play_moves_from_figure(figure, [])
    assert table.zones == match_of(figure).table(table.viewer, sitters).zones
    figure = figures_in("detect", guide("detect") or "")[0]
    with pytest.raises(FigureError, match=f"at most {MOST_MOVES} moves"):
        play_moves_from_figure(figure, [0] * (MOST_MOVES + 1))


def test_unknown_guide_figure_gets_404_and_illegal_moves_from_a_figure_get_422(ada: Client) -> None:
    for figure in ("detect/figure/99", "detect/figure/-1", "detect/figure/x", "whist/figure/0"):
        problem(ada.get(f"/guide/{figure}"), 404, "unknown")
    for moves in ("0", "99999", "1.x", "1..2", "-1", ".".join(["1"] * (MOST_MOVES + 1)), "1" * 5000):
        answer = ada.get(f"/guide/detect/figure/0?moves={moves}")
        assert answer.status_code == 422
        assert answer.json()["reason"].endswith(".")


# --- sources named in guides and pages --------------------------------------------------------------------------------


AUTHORS = "Andrew & Jody Hawes"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ["about 15 minutes", "complexity 1.35 out of 5"]),
        ("de", ["etwa 15 Minuten", "Schwierigkeit 1,35 von 5"]),
    ],
)
def test_pages_and_terminal_show_duration_and_complexity_of_games(
    ada: Client, capsys: pytest.CaptureFixture[str], code: str, said: list[str]
) -> None:
    home = ada.get(f"/?lang={code}").text
    for info in catalogue().values():
        assert 0 < info.minutes < 60
        assert f"{info.minutes} min" in home.lower()
        page = ada.get(f"/new/{info.name}?lang={code}").text
        with use_language(code):
            words = duration_and_complexity_texts(info)
        assert missing(page, *words) == []
        # Only some games publish a complexity.
        assert words == said if info.name == "scout" else len(words) == 1
    assert facedown(["--lang", code, "games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("scout") and "15 min" in line.lower()]
    assert facedown(["--lang", code, "rules", "scout"]) == 0
    assert ("1.35" if code == "en" else "1,35") in capsys.readouterr().out


@pytest.mark.parametrize("code", list(languages()))
def test_authors_of_the_game_reveal_are_named_in_its_table_form_guide_and_terminal_rules(
    ada: Client, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    for path in ("/new/reveal", "/guide/reveal"):
        assert AUTHORS.replace("&", "&amp;") in ada.get(f"{path}?lang={code}").text, path
    assert "Hawes" not in ada.get(f"/new/detect?lang={code}").text
    assert facedown(["--lang", code, "rules", "reveal"]) == 0
    assert " ".join(capsys.readouterr().out.split()).count(AUTHORS) >= 2


@cases("words of the sources")
def test_rules_in_the_terminal_contain_sample_wordings_of_the_published_rules(
    capsys: pytest.CaptureFixture[str], game: str, code: str, words: str
) -> None:
    assert facedown(["--lang", code, "rules", game]) == 0
    assert words in " ".join(capsys.readouterr().out.split())
