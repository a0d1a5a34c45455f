"""Functions that turn plain data into whole HTML pages, and into the WebSocket messages of the lobby and the coach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from facedown.core.game_registry import Info, catalogue
from facedown.core.game_registry import art as art_of
from facedown.core.score_sheet_questions import Field, Group
from facedown.core.table import Table
from facedown.play.user_input import format_code
from facedown.server.i18n import _
from facedown.server.rendering import table_layout
from facedown.server.rendering.lobby_model import Invitation, Lobby
from facedown.server.rendering.marked_position import mark_touched_places
from facedown.server.rendering.page_model import CoachPanel, ScoreSheet, Shell
from facedown.server.rendering.templates import render


def enabled_switches(cookies: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the switches (display options that a game defines) that the visitor's cookies turn on."""
    names = dict.fromkeys(switch.name for game in catalogue() for switch in art_of(game).switches)
    return tuple(name for name in names if cookies.get(f"facedown-{name}") == "1")


# --- a table ----------------------------------------------------------------------------------------------------------


def coach_message(coach: CoachPanel) -> dict[str, Any]:
    """Return the WebSocket message that shows one viewer the coach's review of a finished match.

    Until the review is ready, the message shows how far the coach has got.
    """
    return {
        "type": "review",
        "html": render("coach.html", coach=coach),
        "ready": coach.ready,
        "say": [_("The coach has reviewed the match.")] if coach.ready else [],
    }


def table_page(shell: Shell, message: Mapping[str, Any], *, game: str, code: str, hints: bool = False) -> str:
    """Return the whole page of a table. `message` is the result of `lobby_message` or `TablePage.whole_page_message`.

    `hints`: whether the viewer may ask for hints.
    """
    return page_with_embedded_message("live.html", shell, message, game=game, hints=hints, code=code)


def page_with_embedded_message(
    template: str, shell: Shell, message: Mapping[str, Any], beside: Sequence[str] = ("html", "last"), **data: Any
) -> str:
    """Return a page made from `template`. Its main content is the field "html" of `message`, a WebSocket message.

    The message is also embedded in the page as JSON for the client, without the fields named in `beside`: the client
    does not need these when the page is loaded. `data` are further variables of the template.
    """
    start = {key: value for key, value in message.items() if key not in beside}
    return render(template, shell=shell, message=start, inner=Markup(message["html"]), **data)


# --- a finished match, move by move -----------------------------------------------------------------------------------


def replay_page(shell: Shell, message: Mapping[str, Any], *, game: str, code: str) -> str:
    """Return the whole page of a replay. `message` is the result of `replay_message`."""
    return page_with_embedded_message("replay.html", shell, message, game=game, replaying=True, code=code)


# --- lobby ------------------------------------------------------------------------------------------------------------


def render_lobby(lobby: Lobby) -> str:
    """Return the HTML inside ``<main id="app">`` on the page of a lobby."""
    you = next((p for p in lobby.places if p.you), None)
    open_places = sum(not p.name for p in lobby.places)
    waiting = [p.name for p in lobby.places if p.name and not p.ready and not p.you]
    return render("lobby.html", lobby=lobby, you=you, open_places=open_places, waiting=waiting)


def lobby_message(lobby: Lobby, *, version: int, say: Iterable[str] = ()) -> dict[str, Any]:
    """Return the WebSocket message that shows one viewer the whole lobby.

    `version` counts the changes that the viewer could see. `say` lists lines to be read aloud by a screen reader.
    """
    return {
        "type": "lobby",
        "version": version,
        "html": render_lobby(lobby),
        "say": [table_layout.strip_bold_marks(line) for line in say],
        "title": _("{game} · table {code}", game=lobby.title, code=format_code(lobby.code)),
    }


# --- the other pages --------------------------------------------------------------------------------------------------


def join_page(shell: Shell, join: Invitation) -> str:
    """Return the page of an invitation, where a visitor chooses a nickname and takes a seat, or watches."""
    return render("join.html", shell=shell, join=join)


def marked_position_html(table: Table, played: Sequence[str], better: Sequence[str], word: str = "") -> Markup:
    """Return the picture of a decision in a finished match, with the played move and a better move highlighted.

    * `played`: the ids of the places and zones (groups of cards) to touch for the played move, in this order.
    * `better`: the same for the better move.
    * `word`: the label of the played move; "" means "you". The label is drawn at the last place or zone in `played`
      that is not in `better`.

    Screen readers skip the picture, because the text next to it says the same.
    """
    drawn = mark_touched_places(table, played, better, word or _("you"))
    return Markup(render("position.html", table=drawn.table, a=table_layout.arrangement_of(drawn.table), drawn=drawn))


def scorekeeper_index_page(shell: Shell, games: Sequence[Info]) -> str:
    """Return the page that lists `games`: the games that have a scorekeeper.

    A scorekeeper is a form that computes the score of a match played with real cards.
    """
    return render("scoreindex.html", shell=shell, games=games)


def scorekeeper_page(shell: Shell, info: Info, shown: ScoreSheet) -> str:
    """Return the scorekeeper's page for a game: a form that computes the score of a match played with real cards."""
    # Fields that offer the same cards share one tray: a row of these cards to pick from.
    groups = shown.sheet.groups
    trays = list({f.choices: f for g in groups if g.columns for f in g.fields if f.kind == "faces"}.values())
    numbers = {f.choices: f"tray-{number}" for number, f in enumerate(trays)}

    def tray_of(group: Group, question: Field) -> str:
        return numbers[question.choices] if group.columns and question.kind == "faces" else ""

    return render("score.html", shell=shell, info=info, shown=shown, trays=trays, tray_of=tray_of)


def offline_page(guides: Sequence[tuple[str, str, str]]) -> str:
    """Return the page that a browser shows when it is offline. It contains nothing personal, because it is cached.

    `guides`: (address, title, game) of each guide.
    """
    words = {
        "title": _("You’re offline."),
        "says": _("You can still read the guides."),
        "again": _("Reload"),
        "guides": _("Guides to read offline"),
        "tables": _("You keep your seats. Your tables will be back once you’re online."),
    }
    return render("offline.html", shell=Shell(), guides=guides, words=words)


def error_page(
    shell: Shell, *, status: int, title: str, says: str, ways: Sequence[tuple[str, str]] = (), by_code: bool = False
) -> str:
    """Return an error page: one sentence (`says`) and links to continue.

    `ways`: further links as (address, text), besides the link to the home page. `by_code`: whether the page has a field
    to enter a table code.
    """
    return render("error.html", shell=shell, status=status, title=title, says=says, ways=ways, by_code=by_code)


def options_to_form(info: Info, seats: int, options: Mapping[str, str]) -> dict[str, str]:
    """Return the option fields (name -> value) of the new-table form for a table with `seats` seats and these options.

    This is the inverse of `options_from_form`. Some options have a default that depends on the number of seats. Such an
    option is left out if it has its default for `seats` seats.
    """
    usual, found = info.complete(seats, {}), {}
    for option in info.options:
        word, _bracket, inside = options[option.name].removesuffix(")").partition("(")
        if option.name in info.options_by_seats and options[option.name] == usual[option.name]:
            continue
        found[f"option-{option.name}"] = word
        value = next(value for value in option.values if value.word == word)
        given = [inside] if len(value.arguments) == 1 else inside.split(",")
        for i, text in enumerate(given if value.arguments else []):
            found[f"option-{option.name}-{word}-{i}"] = text
    return found


def options_from_form(info: Info, fields: Mapping[str, str]) -> dict[str, str]:
    """Return the options that were chosen in a new-table form, as a dictionary from the option's name to its value.

    A value is one word, followed by its numbers in parentheses if it has any ("standard", "limit(3,2)"). Unknown option
    names are kept, so that the game rejects them.
    """
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
