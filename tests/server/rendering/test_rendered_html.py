"""Tables and pages as HTML: well formed, escaped, with unique ids; and the client module that they load."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest
from playwright.sync_api import Browser
from tests.server.rendering.sample_tables import UNKNOWN_GAME_TABLES, detect_table, scout_table, tables_of_every_phase
from tests.server.request_cases import cases

from facedown.check.page_layout import SIZES, Window, page_problems, render_position
from facedown.core.game_registry import catalogue
from facedown.core.options import Argument, Option, Options, Value
from facedown.core.table import Choice, Layout, LayoutKind, Panel, Piece, Table, TouchStep, Zone
from facedown.play import ChatMessage
from facedown.server import rendering
from facedown.server.rendering.table_layout import step_json, touchable_ids

EVIL = '<script>alert("x")</script>&\'"'
GAMES = tuple(catalogue())
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


class Checker(HTMLParser):
    """Parser that collects ids and scripts, and checks that tags close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.open: list[str] = []
        self.scripts: list[dict[str, str | None]] = []
        self.handlers: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if named.get("id"):
            self.ids.append(str(named["id"]))
        self.handlers += [name for name in named if name.startswith("on") or name == "style"]
        if tag == "script":
            self.scripts.append(named)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> in the wrong place"

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def check(html: str) -> Checker:
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert not checker.open
    assert len(set(checker.ids)) == len(checker.ids), sorted(i for i in checker.ids if checker.ids.count(i) > 1)
    assert not checker.handlers, "inline handlers and styles would need a weaker content policy"
    return checker


def page_of(table: Table, shell: rendering.Shell | None = None, **more: Any) -> str:
    """Return the page of a table with its message."""
    message = rendering.TablePage(table, rendering.TableContext(code="K7QM")).whole_page_message(version=1, **more)
    return rendering.table_page(shell or rendering.Shell(), message, game=table.game, code="K7QM")


@pytest.mark.parametrize("game", [*GAMES, "plain"])
def test_table_page_of_every_position_is_well_formed_html(game: str) -> None:
    tables = tables_of_every_phase(game) if game in GAMES else UNKNOWN_GAME_TABLES
    for name, table in tables.items():
        context = rendering.TableContext(
            code="K7QM", chat=(ChatMessage("Ilse", EVIL, 0.0),), fairness="The deal was fair."
        )
        message = rendering.TablePage(table, context).whole_page_message(version=3, say=["**Ravi** drew a card."])
        html = rendering.table_page(rendering.Shell("You"), message, game=table.game, code="K7QM")
        checker = check(html)
        if not table.over:
            for zone in table.zones:
                for piece in zone.pieces:
                    assert zone.kind == "pairs" or f"at-{piece.place}" in checker.ids, (name, piece)
        assert message["say"] == ["Ravi drew a card."]
        assert html == rendering.table_page(rendering.Shell("You"), message, game=table.game, code="K7QM"), name


def test_sample_tables_for_rendering_tests_include_every_type_of_card_area_and_panel() -> None:
    tables = [table for game in GAMES for table in tables_of_every_phase(game).values()]
    kinds = {zone.kind for table in tables for zone in table.zones}
    assert kinds == {"cascade", "fan", "grid", "heap", "pairs", "pile", "row", "trick"}
    panels = {panel.kind for table in tables for panel in table.panels}
    assert panels == {"contract", "dial", "ladder", "legend", "note", "stages", "steps", "won"}
    assert {table.game for table in tables if table.over} == set(GAMES)
    assert any(table.slips for table in tables)


@pytest.mark.parametrize("kind", get_args(LayoutKind))
def test_table_page_has_only_the_css_class_of_the_layout_that_the_game_declares(kind: LayoutKind) -> None:
    for table in (table for game in GAMES for table in tables_of_every_phase(game).values()):
        page = rendering.render_table_or_result(replace(table, over=False, layout=Layout(kind)))
        assert f" layout-{kind} " in page
        assert len(re.findall(r" layout-", page)) == 1


def test_table_page_escapes_every_text() -> None:
    table = detect_table()
    evil = Choice("deck", says=EVIL, button=EVIL, action=0)
    table = replace(
        table, title=EVIL, where=(EVIL,), panels=(Panel("p", "note", "right", {"text": EVIL}),),
        seats=tuple(s._replace(name=EVIL, line=EVIL, state=EVIL) for s in table.seats),
        step=TouchStep(EVIL, EVIL, (evil,), rule=EVIL, refusals=(("deck", EVIL),)),
        log=tuple(line._replace(text=EVIL, number=EVIL) for line in table.log),
        zones=tuple(replace(z, label=EVIL, note=EVIL) for z in table.zones),
    )  # fmt: skip
    html = page_of(table, rendering.Shell(EVIL))
    checker = check(html)
    assert "<script>alert" not in html
    assert [s.get("type") for s in checker.scripts] == ["module", "application/json"]


def test_json_in_a_table_page_equals_the_table_message_and_holds_every_field_of_a_selection_step() -> None:
    table = replace(
        detect_table(), step=TouchStep("</script><!--" + EVIL + "\u2028", choices=(Choice("deck", action=0),))
    )
    message = rendering.TablePage(table, rendering.TableContext()).whole_page_message(version=7)
    html = rendering.table_page(rendering.Shell(), message, game="detect", code="K7QM")
    found = re.search(r'<script type="application/json" id="message">(.*?)</script>', html, re.S)
    assert found
    assert json.loads(found[1]) == {key: value for key, value in message.items() if key != "html"}
    assert "<" not in found[1]
    choices = (Choice("x", number=0, button="Bid 0", action=0), Choice("y", refuses="no"))
    told = [{"touch": "x", "button": "Bid 0", "action": 0, "number": 0}, {"touch": "y", "refuses": "no"}]
    about = {"prompt": "a", "help": "b", "rule": "r", "picks": "set", "refusals": [["z", "why"]]}
    step = TouchStep("a", "b", choices, "r", (("z", "why"),), "set")
    assert json.loads(json.dumps(step_json(step))) == {**about, "choices": told}


def test_card_backs_render_alike_and_only_selectable_cards_are_buttons() -> None:
    table = detect_table()
    html = rendering.render_table_or_result(table)
    backs = re.findall(r'<(button|span)([^>]*data-kind="back"[^>]*>.*?)</\1>', html, re.S)
    assert len(backs) > 15
    bare = {(tag, re.sub(r'(id|data-place|aria-label)="[^"]*"', "", b)) for tag, b in backs}
    assert len(bare) == len({tag for tag, _ in bare}), "those that may be touched are alike, and so are the others"
    assert "data-face" not in "".join(b for _, b in backs)
    buttons = set(re.findall(r'<button[^>]*data-place="([^"]*)"', html))
    assert buttons == touchable_ids(table.step) & {p.place for z in table.zones for p in z.pieces}
    waiting = rendering.render_table_or_result(replace(table, step=TouchStep("Mara is choosing.")))
    assert not re.findall(r'<button[^>]*data-place="', waiting)
    assert waiting.count('data-place="') > 20


@pytest.mark.parametrize("kind", ["grid", "row", "fan", "pile", "cascade", "heap", "trick", "pairs"])
@pytest.mark.parametrize("area", ["seat", "left", "center", "right", "you", "hand"])
def test_every_kind_of_card_area_renders_as_well_formed_html_in_every_part_of_the_table(kind: str, area: str) -> None:
    pieces = tuple(
        Piece(f"x{i}", k, "7" if k == "face" else "", marks=("changed", "dim", "only-you", "root"), tag="5")  # type: ignore[arg-type]
        for i, k in enumerate(("face", "back", "slot", "gone", "gap"))
    )
    about = {"group": "g", "marks": ("tray",), "note": "a note"}
    zone = Zone("x", kind, area, pieces[: 1 if kind == "pile" else None], "a label", 1, 2, 41, **about)  # type: ignore[arg-type]
    check(page_of(replace(detect_table(), zones=(zone,), panels=(Panel("g", "won", "left", {"points": 3}),))))


@cases("panels")
def test_every_type_of_information_panel_on_a_game_table_renders_as_well_formed_html(
    kind: str, data: dict[str, object]
) -> None:
    table = replace(detect_table(), panels=(Panel("p", kind, "center", data),))
    checker = check(page_of(table))
    assert "panel-p" in checker.ids


def test_spectator_page_marks_no_seat_as_own_and_table_pages_show_absent_and_replaced_players() -> None:
    table = detect_table()
    table = replace(
        table, viewer=-1, seats=tuple(s._replace(you=False) for s in table.seats), step=TouchStep("Ravi is choosing.")
    )
    html = rendering.render_table_or_result(table, rendering.TableContext())
    check(html)
    assert "you-seat" not in html
    assert html.count('class="seat') == 4
    context = rendering.TableContext(
        presence={1: rendering.SeatStatus("away", 40), 3: rendering.SeatStatus("bot", by="Juniper")}
    )
    html = rendering.render_table_or_result(detect_table(), context)
    text = "".join(check(html).text)
    assert "0:40" in text
    assert "Juniper plays" in text


def test_home_lesson_new_table_join_error_and_guide_pages_are_well_formed_html() -> None:
    games = list(catalogue().values())
    shell = rendering.Shell(EVIL, "dark", switches=("letters",))
    tables = (rendering.TableLink("detect", EVIL, EVIL, "/t/K7QM", yours=True),)
    results = (
        rendering.ResultLink(
            "reveal", EVIL, "/t/K7QN", EVIL, rendering.win_probability_graph([(0, 0.5), (1, 1)], ["1"])
        ),
    )
    card = rendering.LessonCard("detect", EVIL, "/learn/detect", EVIL, "/learn/detect/3#touched", EVIL)
    home = rendering.home_page(shell, games, rendering.Home(tables, results, (EVIL,), card, "detect"))
    assert check(home)
    assert 'data-theme="dark"' in home
    check(rendering.home_page(rendering.Shell(), games, rendering.Home(lesson=card)))
    assert "Your tables" not in rendering.home_page(rendering.Shell(), games)
    check(rendering.lesson_list_page(shell, [rendering.LessonRow(games[0], "/learn/whist", EVIL)]))
    for game in games:
        sheet = rendering.NewTableForm((("casual", EVIL, EVIL),), "casual", {}, EVIL)
        page = rendering.new_table_page(rendering.Shell(), game, sheet, games=games)
        check(page)
        for option in game.options:
            for value in option.values:
                assert f'name="option-{option.name}" value="{value.word}"' in page
    check(rendering.join_page(shell, rendering.Invitation("detect", "Detect", "K7QM", EVIL, 2, True, EVIL)))
    check(rendering.error_page(shell, status=404, title=EVIL, says=EVIL))
    text = "# Rules\n\n## Draw\n\nSee DET-4. <b>raw</b>\n\nDET-4 again"
    guide = rendering.guide_page(shell, game="detect", title="Detect", guide=rendering.guide_html(text))
    check(guide)
    assert 'id="det-4"' in guide
    assert 'href="#det-4"' in guide
    assert "<b>raw</b>" not in guide


def test_lobby_page_shows_open_seats_qr_code_and_host_controls() -> None:
    places = (
        rendering.LobbySeat(0, "You", you=True, host=True),
        rendering.LobbySeat(1, EVIL, ready=True),
        rendering.LobbySeat(2),
        rendering.LobbySeat(3, "Juniper", bot=True, level="Casual", ready=True),
    )
    lobby = rendering.Lobby(
        "scout", "SCOUT", "K7QM", "https://facedown.example/t/K7QM", places, 0, True, (("Clock", "a day per turn"),)
    )
    html = rendering.table_page(rendering.Shell(), rendering.lobby_message(lobby, version=2), game="scout", code="K7QM")
    checker = check(html)
    assert "One seat is still open." in "".join(checker.text)
    assert '<svg class="qr"' in html or 'class="qr"' in html
    assert "Change the open seat" in html
    guest = rendering.render_lobby(lobby._replace(host=False))
    assert "Change the" not in guest
    assert "Mute" in guest


def test_option_fields_of_the_new_table_form_are_converted_to_option_values() -> None:
    hands, score = Value("hands", "h", (Argument("n", 1, 9, 5),)), Value("score", "s", (Argument("n", 1, 99, 20),))
    ties = Option("tie", "Ties", "?", (Value("share", "s"), Value("extra", "e")))
    info = replace(catalogue()["detect"], options=Options((ties, Option("goal", "Goal", "?", (hands, score)))))
    form = {"option-tie": "extra", "option-goal": "score", "option-goal-hands-0": "3", "option-goal-score-0": "30"}
    form |= {"game": "detect", "option-moon": "x"}
    assert rendering.options_from_form(info, form) == {"tie": "extra", "goal": "score(30)", "moon": "x"}
    assert rendering.options_from_form(info, {"option-goal": "hands"}) == {"goal": "hands(5)"}
    assert rendering.options_from_form(info, {}) == {}


def test_long_hand_in_the_game_scout_is_broken_into_two_rows_and_a_short_hand_is_not() -> None:
    assert rendering.render_table_or_result(scout_table(13)).count('class="rowbreak"') == 1
    assert 'class="rowbreak"' not in rendering.render_table_or_result(scout_table(7))


def test_display_setting_of_a_game_shows_only_in_its_menu_and_game_css_precedes_default_css() -> None:
    assert rendering.enabled_switches({"facedown-letters": "1", "facedown-theme": "dark"}) == ("letters",)
    assert rendering.enabled_switches({"facedown-letters": "0"}) == ()
    for name in ("reveal", "detect"):
        table = next(iter(tables_of_every_phase(name).values()))
        message = rendering.TablePage(table, rendering.TableContext(code="K7QM")).whole_page_message(version=1)
        page = rendering.table_page(rendering.Shell("You", switches=("letters",)), message, game=name, code="K7QM")
        assert '<html lang="en" data-letters="on">' in page
        assert ('data-switch="letters" aria-pressed="true"' in page) == (name == "reveal")
    for kind in ("page", "table", "replay", "guide"):
        style = (rendering.generated_file(f"dist/{kind}.css") or b"").decode()
        for name in catalogue():
            assert style.index(f'[data-game="{name}"]') < style.index(":where([data-game])")
    assert rendering.generated_file("dist/facedown.js") is None


@pytest.mark.browser
@pytest.mark.parametrize("name", UNKNOWN_GAME_TABLES)
def test_table_of_a_game_that_has_no_styles_of_its_own_fits_every_window_size(
    chromium_once: Browser, name: str
) -> None:
    """Every control is visible, and the page is not larger than the window."""
    window, shown = Window(chromium_once), render_position(name, UNKNOWN_GAME_TABLES[name])
    window.load_and_click_touches(shown)
    for size in SIZES:
        wrong = page_problems(window.page, shown.data, size)
        # Names and lines of six players may be cut off.
        assert [found for found in wrong if " cut: " not in found] == []
    window.page.close()


ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here to run the client's own tests")
def test_javascript_client_unit_tests_pass() -> None:
    told = subprocess.run(
        ["node", "--test", *map(str, sorted((ROOT / "web" / "test").glob("*.js")))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr


def test_home_page_links_only_existing_versioned_static_files() -> None:
    html = rendering.home_page(rendering.Shell(), [])
    found = re.findall(r"(?:href|src)=\"/static/([^\"?]+)(\?[0-9a-f]{10})?\"", html)
    assert {Path(name).suffix for name, _ in found} == {".css", ".js", ".svg", ".woff2"}
    for name, mark in found:
        assert (rendering.STATIC / name).is_file()
        assert mark or name.endswith(".woff2"), f"{name} is not marked by its contents"


def test_javascript_client_source_mentions_no_game_by_name() -> None:
    source = "".join(path.read_text("utf-8") for path in (ROOT / "web" / "src").glob("*.js")).lower()
    for game in ("reveal", "detect", "reveille", "uncovered", "scout"):
        # Match whole words only: a function name may contain "detect".
        assert not re.search(rf"(?<![a-z]){game}(?![a-z])", source), game
