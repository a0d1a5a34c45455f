"""Tables and pages as HTML: whole, escaped, with unique ids; and the client module that they load."""

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
from tests.server.cases import cases
from tests.server.rendering.fixtures import PLAIN, detect, gallery, scout

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
    """Collects ids and unescaped scripts, and checks that tags close in order."""

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
    """The page of a table with the message that comes with it."""
    message = rendering.TablePage(table, rendering.TableContext(code="K7QM")).message(version=1, **more)
    return rendering.table_page(shell or rendering.Shell(), message, game=table.game, code="K7QM")


@pytest.mark.parametrize("game", [*GAMES, "plain"])
def test_every_table_renders_as_a_sound_page(game: str) -> None:
    tables = gallery(game) if game in GAMES else PLAIN
    for name, table in tables.items():
        context = rendering.TableContext(
            code="K7QM", chat=(ChatMessage("Ilse", EVIL, 0.0),), fairness="The deal was fair."
        )
        message = rendering.TablePage(table, context).message(version=3, say=["**Ravi** drew a card."])
        html = rendering.table_page(rendering.Shell("You"), message, game=table.game, code="K7QM")
        checker = check(html)
        if not table.over:
            for zone in table.zones:
                for piece in zone.pieces:
                    assert zone.kind == "pairs" or f"at-{piece.place}" in checker.ids, (name, piece)
        assert message["say"] == ["Ravi drew a card."]
        assert html == rendering.table_page(rendering.Shell("You"), message, game=table.game, code="K7QM"), name


def test_the_gallery_holds_every_phase_and_part() -> None:
    tables = [table for game in GAMES for table in gallery(game).values()]
    kinds = {zone.kind for table in tables for zone in table.zones}
    assert kinds == {"cascade", "fan", "grid", "heap", "pairs", "pile", "row", "trick"}
    panels = {panel.kind for table in tables for panel in table.panels}
    assert panels == {"contract", "dial", "ladder", "legend", "note", "stages", "steps", "won"}
    assert {table.game for table in tables if table.over} == set(GAMES)
    assert any(table.slips for table in tables)


@pytest.mark.parametrize("kind", get_args(LayoutKind))
def test_the_layout_is_the_one_that_the_game_says(kind: LayoutKind) -> None:
    for table in (table for game in GAMES for table in gallery(game).values()):
        page = rendering.render_table(replace(table, over=False, layout=Layout(kind)))
        assert f" layout-{kind} " in page
        assert len(re.findall(r" layout-", page)) == 1


def test_texts_are_escaped_everywhere() -> None:
    table = detect()
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


def test_the_message_in_a_page_is_the_message_and_keeps_every_step() -> None:
    table = replace(detect(), step=TouchStep("</script><!--" + EVIL + "\u2028", choices=(Choice("deck", action=0),)))
    message = rendering.TablePage(table, rendering.TableContext()).message(version=7)
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


def test_backs_are_alike_and_only_what_may_be_touched_is_a_button() -> None:
    table = detect()
    html = rendering.render_table(table)
    backs = re.findall(r'<(button|span)([^>]*data-kind="back"[^>]*>.*?)</\1>', html, re.S)
    assert len(backs) > 15
    bare = {(tag, re.sub(r'(id|data-place|aria-label)="[^"]*"', "", b)) for tag, b in backs}
    assert len(bare) == len({tag for tag, _ in bare}), "those that may be touched are alike, and so are the others"
    assert "data-face" not in "".join(b for _, b in backs)
    buttons = set(re.findall(r'<button[^>]*data-place="([^"]*)"', html))
    assert buttons == touchable_ids(table.step) & {p.place for z in table.zones for p in z.pieces}
    waiting = rendering.render_table(replace(table, step=TouchStep("Mara is choosing.")))
    assert not re.findall(r'<button[^>]*data-place="', waiting)
    assert waiting.count('data-place="') > 20


@pytest.mark.parametrize("kind", ["grid", "row", "fan", "pile", "cascade", "heap", "trick", "pairs"])
@pytest.mark.parametrize("area", ["seat", "left", "center", "right", "you", "hand"])
def test_every_kind_of_zone_renders_in_every_area(kind: str, area: str) -> None:
    pieces = tuple(
        Piece(f"x{i}", k, "7" if k == "face" else "", marks=("changed", "dim", "only-you", "root"), tag="5")  # type: ignore[arg-type]
        for i, k in enumerate(("face", "back", "slot", "gone", "gap"))
    )
    about = {"group": "g", "marks": ("tray",), "note": "a note"}
    zone = Zone("x", kind, area, pieces[: 1 if kind == "pile" else None], "a label", 1, 2, 41, **about)  # type: ignore[arg-type]
    check(page_of(replace(detect(), zones=(zone,), panels=(Panel("g", "won", "left", {"points": 3}),))))


@cases("panels")
def test_every_kind_of_panel_renders(kind: str, data: dict[str, object]) -> None:
    table = replace(detect(), panels=(Panel("p", kind, "center", data),))
    checker = check(page_of(table))
    assert "panel-p" in checker.ids


def test_whoever_looks_on_has_no_seat_and_reads_who_is_away() -> None:
    table = detect()
    table = replace(
        table, viewer=-1, seats=tuple(s._replace(you=False) for s in table.seats), step=TouchStep("Ravi is choosing.")
    )
    html = rendering.render_table(table, rendering.TableContext())
    check(html)
    assert "you-seat" not in html
    assert html.count('class="seat') == 4
    context = rendering.TableContext(
        presence={1: rendering.SeatStatus("away", 40), 3: rendering.SeatStatus("bot", by="Juniper")}
    )
    html = rendering.render_table(detect(), context)
    text = "".join(check(html).text)
    assert "0:40" in text
    assert "Juniper plays" in text


def test_pages_around_the_table_are_sound() -> None:
    games = list(catalogue().values())
    shell = rendering.Shell(EVIL, "dark", switches=("letters",))
    tables = (rendering.TableLink("detect", EVIL, EVIL, "/t/K7QM", yours=True),)
    results = (rendering.ResultLink("reveal", EVIL, "/t/K7QN", EVIL, rendering.curve([(0, 0.5), (1, 1)], ["1"])),)
    card = rendering.LessonCard("detect", EVIL, "/learn/detect", EVIL, "/learn/detect/3#touched", EVIL)
    home = rendering.home_page(shell, games, rendering.Home(tables, results, (EVIL,), card, "detect"))
    assert check(home)
    assert 'data-theme="dark"' in home
    check(rendering.home_page(rendering.Shell(), games, rendering.Home(lesson=card)))
    assert "Your tables" not in rendering.home_page(rendering.Shell(), games)
    check(rendering.learn_page(shell, [rendering.LessonRow(games[0], "/learn/whist", EVIL)]))
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


def test_a_lobby_shows_who_is_there_and_how_to_come() -> None:
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


def test_the_new_table_form_comes_back_as_option_texts() -> None:
    hands, score = Value("hands", "h", (Argument("n", 1, 9, 5),)), Value("score", "s", (Argument("n", 1, 99, 20),))
    ties = Option("tie", "Ties", "?", (Value("share", "s"), Value("extra", "e")))
    info = replace(catalogue()["detect"], options=Options((ties, Option("goal", "Goal", "?", (hands, score)))))
    form = {"option-tie": "extra", "option-goal": "score", "option-goal-hands-0": "3", "option-goal-score-0": "30"}
    form |= {"game": "detect", "option-moon": "x"}
    assert rendering.options_from_form(info, form) == {"tie": "extra", "goal": "score(30)", "moon": "x"}
    assert rendering.options_from_form(info, {"option-goal": "hands"}) == {"goal": "hands(5)"}
    assert rendering.options_from_form(info, {}) == {}


def test_a_slice_across_the_row_break_has_one_break() -> None:
    assert rendering.render_table(scout(13)).count('class="rowbreak"') == 1
    assert 'class="rowbreak"' not in rendering.render_table(scout(7))


def test_what_a_game_lets_turn_on_stands_in_its_menu_alone_and_its_styles_come_first() -> None:
    assert rendering.enabled_switches({"facedown-letters": "1", "facedown-theme": "dark"}) == ("letters",)
    assert rendering.enabled_switches({"facedown-letters": "0"}) == ()
    for name in ("reveal", "detect"):
        table = next(iter(gallery(name).values()))
        message = rendering.TablePage(table, rendering.TableContext(code="K7QM")).message(version=1)
        page = rendering.table_page(rendering.Shell("You", switches=("letters",)), message, game=name, code="K7QM")
        assert '<html lang="en" data-letters="on">' in page
        assert ('data-switch="letters" data-on="on" aria-pressed="true"' in page) == (name == "reveal")
    for kind in ("page", "table", "replay", "guide"):
        style = (rendering.generated_file(f"dist/{kind}.css") or b"").decode()
        for name in catalogue():
            assert style.index(f'[data-game="{name}"]') < style.index(":where([data-game])")
    assert rendering.generated_file("dist/facedown.js") is None


@pytest.mark.browser
@pytest.mark.parametrize("name", PLAIN)
def test_a_game_that_the_house_does_not_know_is_seen_at_every_size(chromium_once: Browser, name: str) -> None:
    """Whatever lies there, all that can be pressed is in sight, and the page is no larger than the window."""
    window, shown = Window(chromium_once), render_position(name, PLAIN[name])
    window.show(shown)
    for size in SIZES:
        wrong = page_problems(window.page, shown.data, size)
        # The words of six players may be cut.
        assert [found for found in wrong if " cut: " not in found] == []
    window.page.close()


ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here to run the client's own tests")
def test_the_client_passes_its_own_tests() -> None:
    told = subprocess.run(
        ["node", "--test", *map(str, sorted((ROOT / "web" / "test").glob("*.js")))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr


def test_pages_load_what_is_served() -> None:
    html = rendering.home_page(rendering.Shell(), [])
    found = re.findall(r"(?:href|src)=\"/static/([^\"?]+)(\?[0-9a-f]{10})?\"", html)
    assert {Path(name).suffix for name, _ in found} == {".css", ".js", ".svg", ".woff2"}
    for name, mark in found:
        assert (rendering.STATIC / name).is_file()
        assert mark or name.endswith(".woff2"), f"{name} is not marked by its contents"


def test_the_client_knows_no_game() -> None:
    source = "".join(path.read_text("utf-8") for path in (ROOT / "web" / "src").glob("*.js")).lower()
    for game in ("reveal", "detect", "reveille", "uncovered", "scout"):
        # A word of its own: functions may detect something.
        assert not re.search(rf"(?<![a-z]){game}(?![a-z])", source), game
