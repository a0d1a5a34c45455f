"""Pages and live messages: `Table` and other plain data in, HTML out."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from sys import intern
from typing import Any

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from facedown.core.art import Switch
from facedown.core.game import Info, catalogue, package_of
from facedown.core.game import art as art_of
from facedown.core.language import SOURCE, Texts, decimal, formats, isolated, language, languages
from facedown.core.sheet import Field, Group
from facedown.core.state import SPECTATOR
from facedown.core.table import Line, Panel, Table, Zone, shorten
from facedown.core.voice import digits, in_words, listing
from facedown.play import lessons, talk
from facedown.play.bots import BOT_NAMES
from facedown.play.names import shown_code
from facedown.play.texts import all_of
from facedown.server.look import art, icons, layout
from facedown.server.look.assets import SERVER, asset, first_letters, script_texts, styles
from facedown.server.look.drawn import CUT, LOG, Cuts, Drawn, filled
from facedown.server.look.fragments import PlainContext, PlainTemplate, fragments
from facedown.server.look.model import (
    AT_ZERO,
    CLOCKS,
    CoachPanel,
    Hint,
    Join,
    Lobby,
    ReplayMoment,
    ScoreSheet,
    Shell,
    TableContext,
)
from facedown.server.look.position import Marked, mark_moment
from facedown.server.look.root import root
from facedown.server.look.tokens import tokens
from facedown.server.texts import _, c_, n_

#: The eyes of nobody in particular, in the address of a replay.
ALL_EYES = "all"
#: Functions that templates call by their own names.
Named = tuple[Any, ...]


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(SERVER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # They come with the program and change with it alone.
        auto_reload=False,
        extensions=[Cuts],
    )
    environment.context_class, environment.template_class = PlainContext, PlainTemplate
    environment.filters["bold"] = layout.bold
    environment.filters["plain"] = layout.plain
    environment.filters["isolated"] = isolated
    environment.tests["panel"] = lambda thing: isinstance(thing, Panel)
    environment.tests["lane"] = lambda thing: isinstance(thing, layout.Lane)
    environment.tests["zone"] = lambda thing: isinstance(thing, Zone)
    drawings: Named = (
        art.drawing,
        art.has_face,
        art.sprite,
        art.emblem,
        icons.icon,
        icons.brand,
        icons.coin,
        icons.pennant,
    )
    order: Named = (layout.sheets, layout.row_break, layout.cards_in, layout.pairs, layout.won_pieces)
    steps: Named = (layout.buttons, layout.numbers, layout.faces)
    words: Named = (
        layout.spoken,
        layout.zone_name,
        shorten,
        digits,
        in_words,
        seats_words,
        effort_words,
        in_parts,
        join_words,
        shown_code,
    )
    speech: Named = (language, languages, inside, last_counted, listing, all_of)
    links: Named = (root, asset, styles, script_texts, first_letters, qr, moment_url, eyes_word)
    others: Named = (icons.small_back, switches, script_json, has_lesson, aim)
    for function in (*drawings, *order, *steps, *words, *speech, *links, *others):
        environment.globals[function.__name__] = function
    environment.globals.update(
        locale=lambda: formats() if "_" in formats() else f"{formats()}_{formats().upper()}",
        theme_colours=lambda: (tokens("light")["bg"], tokens("dark")["bg"]),
        SPECTATOR=SPECTATOR,
        CLOCKS=CLOCKS,
        AT_ZERO=AT_ZERO,
        BOT_NAMES=BOT_NAMES,
        phrase=talk.shown,
        _=_,
        n_=n_,
        c_=c_,
        **fragments(environment),
    )
    # For the page that is drawn after every move: an import looks through all globals each time.
    environment.globals["m"] = environment.get_template("macros.html").module
    return environment


def aim(game: str) -> str:
    """What a game is about, in one sentence."""
    return catalogue()[game].tagline


def eyes_word(seat: int) -> str:
    """How the eyes of a seat are named in the address of a replay.

    >>> eyes_word(2), eyes_word(SPECTATOR)
    ('2', 'all')
    """
    return ALL_EYES if seat == SPECTATOR else str(seat)


def moment_url(code: str, ply: int, seat: int) -> str:
    """The address of a moment of a finished match, seen from a seat or (`SPECTATOR`) by all.

    >>> moment_url("K7QM", 25, 1)
    '/m/K7QM?ply=25&eyes=1'
    """
    return f"/m/{code}?ply={ply}&eyes={eyes_word(seat)}"


def join_words(join: Join) -> tuple[str, str]:
    """What a link to a table says to a stranger, also in a preview: a heading and a sentence.

    >>> join_words(Join("whist", "Whist", "K7QM", "Ada", 0, True, status="finished", players=("Ada", "Mara"),
    ...                 result="Mara wins, 38 to 35."))
    ('Ada and Mara played Whist', 'The match is finished. Mara wins, 38 to 35.')
    """
    who, game = listing(join.players), join.title
    if join.status == "finished":
        return _("{players} played {game}", players=who, game=game), _joined(_("The match is finished."), join.result)
    may = _("You may watch: you see what everybody sees.") if join.watch else ""
    if join.status == "running":
        says = _("The match has started, all seats are taken.")
        return _("{players} are playing {game}", players=who, game=game), _joined(says, may)
    if not join.open_seats:
        says = _("All seats at table {code} are taken.", code=shown_code(join.code))
        return _("{players} will play {game}", players=who, game=game), _joined(says, may)
    open_now = n_(
        "One seat is open at table {code}. No account, just a name.",
        "{count} seats are open at table {code}. No account, just a name.",
        join.open_seats,
        code=shown_code(join.code),
    )
    return _("{host} invites you to {game}", host=join.host, game=game), open_now


def _joined(*sentences: str) -> str:
    """Those sentences that there are, in a row."""
    return " ".join(filter(None, sentences))


def inside(label: str) -> str:
    """A label in the middle of a sentence: where English begins it small, others may not.

    >>> inside("Memory aid")
    'memory aid'
    """
    return label.lower() if language() == SOURCE else label


def last_counted(unit: str) -> str:
    """The title above how the last round of a finished match was counted; `unit` is what the game calls it."""
    match unit:
        case "" | "round":
            return _("How the last round was counted")
        case "hand":
            return _("How the last hand was counted")
        case "game":
            return _("How the last game was counted")
    return f"How the last {unit} was counted"


def switches(game: str) -> tuple[Switch, ...]:
    """What a person may turn on for a game, in the language that is spoken."""
    found = art_of(game).switches
    return found and tuple(replace(switch, says=Texts(package_of(game))(switch.says)) for switch in found)


def switches_on(cookies: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the games' switches that somebody has turned on."""
    names = dict.fromkeys(switch.name for game in catalogue() for switch in art_of(game).switches)
    return tuple(name for name in names if cookies.get(f"facedown-{name}") == "1")


@lru_cache(256)
def qr(link: str) -> Markup:
    """A QR code of an address, drawn in one path."""
    out = io.BytesIO()
    code = segno.make(link, error="m", micro=False)
    ink: dict[str, Any] = {"dark": "#251D16", "light": None, "svgclass": "qr", "lineclass": None}
    code.save(out, kind="svg", border=1, xmldecl=False, svgns=True, omitsize=True, **ink)
    return Markup(out.getvalue().decode("utf-8").strip())


def script_json(value: Any) -> Markup:
    """JSON that may stand inside a ``<script>`` element: it cannot end it, whatever texts it holds."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}))


def in_parts(cards: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Counted cards by the place they lie at, in their order.

    >>> in_parts([{"card": "7", "from": "table"}, {"card": "9", "from": "table"}])[0][0]
    'table'
    """
    return [(words, list(part)) for words, part in groupby(cards, key=lambda card: str(card.get("from", "")))]


def seats_words(info: Info) -> str:
    """ "2 players", "2–6, together"."""
    low, high = info.seats
    if low == high:
        return n_("{count} player", "{count} players", low)
    if info.together:
        return _("{low}–{high}, together", low=low, high=high)
    return _("{low}–{high} players", low=low, high=high)


def effort_words(info: Info) -> list[str]:
    """How long a match takes and how hard the game is: "about 15 minutes", "complexity 1.35 of 5"; what is known."""
    minutes = [n_("about {count} minute", "about {count} minutes", info.minutes)] if info.minutes else []
    complexity = [_("complexity {number} of 5", number=decimal(info.complexity))] if info.complexity else []
    return minutes + complexity


def has_lesson(game: str) -> bool:
    """Has this game a played first lesson?"""
    return lessons.has_lesson(game)


def _render(template: str, **data: Any) -> str:
    return _marked(template, **data).replace(CUT, "")


def page(template: str, **data: Any) -> str:
    """A page of another module of the look, from its template."""
    return _render(template, **data)


def _marked(template: str, **data: Any) -> str:
    """A page with a mark wherever it may be taken apart."""
    environment = _environment()
    found = environment.get_template(template)
    # As `render` does, but for a look at every global each time.
    context = found.new_context({**environment.globals, **data}, shared=True)
    return environment.concat(found.root_render_func(context))


# --- a table --------------------------------------------------------------------------------------------------------


def render_table(table: Table, context: TableContext | None = None, *, standing: bool = False) -> str:
    """The inner HTML of ``<main id="app">`` for one viewer; the same data always give the same bytes.

    `standing`: the cards as they lie on the table, also when the match is over.
    """
    return filled(_marked_table(table, context or TableContext(), standing), lines_of(table.log))


def _marked_table(table: Table, context: TableContext, standing: bool = False) -> str:
    template = "finished.html" if table.over and not standing else "table.html"
    arrangement = layout.arrangement_of(table)
    places = {z.id for z in table.zones} | {p.place for z in table.zones for p in z.pieces}
    touches = frozenset[str]() if context.replay else layout.touches(table.step)
    hands = _last_hands(table) if template == "finished.html" and catalogue()[table.game].together else ""
    shown = {"table": table, "context": context, "a": arrangement, "places": places, "touches": touches, "hands": hands}
    return _marked(template, **shown, told=Markup(LOG))


def coach_message(coach: CoachPanel) -> dict[str, Any]:
    """The live message with the coach's part of a finished match, for one viewer."""
    return {
        "type": "review",
        "html": _render("coach.html", coach=coach),
        "ready": coach.ready,
        "say": [_("The coach has looked through the match.")] if coach.ready else [],
    }


def hint_step_html(at: int, words: str) -> str:
    """What the card of a hint shows on the way: 0 is where to look, 1 why."""
    return _render("hint_step.html", at=at, words=words)


def hint_html(hint: Hint) -> str:
    """What the card of a hint shows."""
    return _render("hint.html", hint=hint)


def lines_of(log: Sequence[Line], before: Drawn | None = None) -> Sequence[str]:
    """The lines of a log, each as it is drawn; those that the page before shows are taken from there."""
    stay = before.lines if before is not None and before.table.log == log[: len(before.lines)] else ()
    return [*stay, *(intern(_log_line(line)) for line in log[len(stay) :])]


def _log_line(line: Line) -> str:
    macros: Any = _environment().globals["m"]
    return str(macros.draw_log_line(line.number, line.text)).replace(CUT, "")


def draw_table(table: Table, context: TableContext, before: Drawn | None = None) -> Drawn:
    """A table as one viewer sees it, drawn once for every connection that looks from this seat.

    `before`: what this viewer was shown before, in the same language. What did not change is taken from there.
    """
    stepped = table.over and any(panel.kind == "steps" for panel in table.panels)
    lines = lines_of(table.log, before)
    rest = {
        "step": layout.step_json(table.step),
        "yours": bool(table.step.choices),
        "over": table.over,
        "title": " · ".join([part for part in (table.title, table.subtitle) if part]),
        **({"last": filled(_marked_table(table, context, standing=True), lines)} if stepped else {}),
    }
    return Drawn(table, context, _marked_table(table, context), rest, lines, before)


def table_message(
    table: Table, context: TableContext | None = None, *, version: int, say: Iterable[str] = ()
) -> dict[str, Any]:
    """The live message with the whole table for one viewer.

    `version` counts the changes that this viewer could see, not the match's actions: those would tell when somebody
    else made a choice in secret. `say` holds what happened since the viewer's last message, in
    words (bold marks allowed). When the last cards of a match are turned in steps, ``last`` holds the table on which
    they lie: it is shown before the end.
    """
    return draw_table(table, context or TableContext()).message(version=version, say=say)


def table_page(shell: Shell, message: Mapping[str, Any], *, game: str, code: str, hints: bool = False) -> str:
    """The whole page of a table, before the deal or after; `message` is a `lobby_message` or a `table_message`."""
    return _live("live.html", shell, message, game=game, hints=hints, code=code)


def _live(template: str, shell: Shell, message: Mapping[str, Any], **data: Any) -> str:
    """A whole page that starts where a live message stands."""
    start = {key: value for key, value in message.items() if key not in ("html", "last")}
    return _render(template, shell=shell, message=start, inner=Markup(message["html"]), **data)


# --- a finished match, move by move ---------------------------------------------------------------------------------


def replay_message(table: Table, replay: ReplayMoment) -> dict[str, Any]:
    """What the client needs to show one moment of a replay; `table` is `facedown.server.study.replay.Replay.table`."""
    context = TableContext(code=replay.code, replay=replay)
    said = _("{where}: {what}", where=replay.where, what=layout.plain(replay.heading))
    return {
        "type": "replay",
        "ply": replay.ply,
        "last": replay.last,
        "eyes": replay.chosen,
        "html": render_table(table, context, standing=True),
        "say": [said],
        "title": _("{game} · replay", game=table.title),
    }


def replay_page(shell: Shell, message: Mapping[str, Any], *, game: str, code: str) -> str:
    """The whole page of a replay; `message` is a `replay_message`."""
    return _live("replay.html", shell, message, game=game, hints=False, replaying=True, code=code)


# --- a table that waits ---------------------------------------------------------------------------------------------


def render_lobby(lobby: Lobby) -> str:
    """The inner HTML of ``<main id="app">`` of a table before the deal."""
    you = next((p for p in lobby.places if p.you), None)
    open_places = sum(not p.name for p in lobby.places)
    waiting = [p.name for p in lobby.places if p.name and not p.ready and not p.you]
    return _render("lobby.html", lobby=lobby, you=you, open_places=open_places, waiting=waiting)


def lobby_message(lobby: Lobby, *, version: int, say: Iterable[str] = ()) -> dict[str, Any]:
    """The live message with the whole lobby for one viewer."""
    return {
        "type": "lobby",
        "version": version,
        "html": render_lobby(lobby),
        "say": [layout.plain(line) for line in say],
        "title": _("{game} · table {code}", game=lobby.title, code=shown_code(lobby.code)),
    }


# --- the other pages ------------------------------------------------------------------------------------------------


def join_page(shell: Shell, join: Join) -> str:
    """The page of somebody who follows a link: choose a nickname and sit down, or watch."""
    return _render("join.html", shell=shell, join=join)


def position_html(table: Table, played: Sequence[str], better: Sequence[str], word: str = "") -> Markup:
    """A decision as it lay on the table, for a moment of a finished match: what was touched, and what was better.

    `word` stands at what was played ("you"). Nothing in it is read aloud: the words beside it say the same.
    """
    drawn = mark_moment(table, played, better, word or _("you"))
    return Markup(_render("position.html", table=drawn.table, a=layout.arrangement_of(drawn.table), drawn=drawn))


def _last_hands(table: Table) -> Markup:
    """All hands as they lay open at the end of a game that all win or lose together."""
    drawn = Marked(table, frozenset(panel.seat for panel in table.seats), frozenset(("hand",)))
    return Markup(_render("position.html", table=table, a=layout.arrangement_of(table), drawn=drawn))


def score_index_page(shell: Shell, games: Sequence[Info]) -> str:
    """The games whose scores can be kept."""
    return _render("scoreindex.html", shell=shell, games=games)


def score_page(shell: Shell, info: Info, shown: ScoreSheet) -> str:
    """The sheet on which a game with real cards is scored."""
    # Places with the same cards are filled from one tray.
    groups = shown.sheet.groups
    trays = list({f.choices: f for g in groups if g.columns for f in g.fields if f.kind == "faces"}.values())
    numbers = {f.choices: f"tray-{number}" for number, f in enumerate(trays)}

    def tray_of(group: Group, question: Field) -> str:
        return numbers[question.choices] if group.columns and question.kind == "faces" else ""

    return _render("score.html", shell=shell, info=info, shown=shown, trays=trays, tray_of=tray_of)


def offline_page(guides: Sequence[tuple[str, str, str]]) -> str:
    """What stands in place of a page without a connection; `guides` are (address, title, game). It knows nobody."""
    words = {
        "title": _("You are offline."),
        "says": _("The guides are here."),
        "again": _("Try now"),
        "guides": _("Guides to read meanwhile"),
        "tables": _("Your seats are kept: your tables are back once you are online."),
    }
    return _render("offline.html", shell=Shell(), guides=guides, words=words)


def error_page(
    shell: Shell, *, status: int, title: str, says: str, ways: Sequence[tuple[str, str]] = (), by_code: bool = False
) -> str:
    """Something is not there or not possible: one sentence, and the ways on.

    `ways`: (address, words) beside the way home. `by_code`: offer the field for a table's code.
    """
    return _render("error.html", shell=shell, status=status, title=title, says=says, ways=ways, by_code=by_code)


def fields_of_options(info: Info, seats: int, options: Mapping[str, str]) -> dict[str, str]:
    """The option fields of a new-table form at which these options were chosen; `options_from_form` reads them back."""
    usual, found = info.complete(seats, {}), {}
    for option in info.options:
        word, _bracket, inside = options[option.name].removesuffix(")").partition("(")
        if option.name in info.by_seats and options[option.name] == usual[option.name]:
            continue
        found[f"option-{option.name}"] = word
        value = next(value for value in option.values if value.word == word)
        given = [inside] if len(value.arguments) == 1 else inside.split(",")
        for i, text in enumerate(given if value.arguments else []):
            found[f"option-{option.name}-{word}-{i}"] = text
    return found


def options_from_form(info: Info, fields: Mapping[str, str]) -> dict[str, str]:
    """The options that a new-table form asks for, as texts; unknown ones are kept, for the game to name them."""
    found: dict[str, str] = {}
    for option in info.options:
        word = fields.get(f"option-{option.name}", "").strip()
        if not word:
            continue
        value = next((v for v in option.values if v.word == word), None)
        if value is None or not value.arguments:
            found[option.name] = word
            continue
        given = [
            fields.get(f"option-{option.name}-{value.word}-{i}", "").strip() or str(argument.default)
            for i, argument in enumerate(value.arguments)
        ]
        found[option.name] = f"{word}({','.join(given)})"
    known = {o.name for o in info.options}
    for name, text in fields.items():
        part = name.removeprefix("option-")
        if part != name and part.split("-")[0] not in known:
            found[part] = text
    return found
