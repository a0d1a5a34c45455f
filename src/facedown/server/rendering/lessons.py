"""Rendering of lessons: a step as a page or as JSON for the client, the list of lessons, the card on the home page."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Any, NamedTuple

from markupsafe import Markup

from facedown.core.context_keyed_cache import lru_cache_by_setting
from facedown.core.game_registry import Info
from facedown.core.grammar import capital, in_words
from facedown.core.table import Choice, Table, TouchStep, Zone
from facedown.core.translation import use_language
from facedown.play.lessons import Frame, Lesson
from facedown.server.i18n import _
from facedown.server.rendering import table_layout
from facedown.server.rendering.base_path import root
from facedown.server.rendering.page_model import NO_PICTURE, LessonMoment, LessonPart, Shell, TableContext
from facedown.server.rendering.pages import page_with_embedded_message
from facedown.server.rendering.table_html import render_table_or_result
from facedown.server.rendering.templates import render

#: Last path segment of the address of a lesson's final page.
END = "end"
#: URL fragment of a link to a step of a lesson. The home page shows a card with such a link; touching the card is the
#: step's move. The fragment tells the client that the visitor has touched the card. So the client makes the move as
#: soon as the page of the lesson is open.
TOUCHED_FRAGMENT = "#touched"


def lesson_url(lesson: Lesson, at: int) -> str:
    """Return the address of a lesson's step `at` (an index from 0; `len(lesson.steps)` stands for the final page)."""
    return f"/learn/{lesson.game}/{END if at == len(lesson.steps) else at + 1}"


def lesson_moment(lesson: Lesson, at: int) -> LessonMoment:
    """Return the texts and links that the page shows around the table at a lesson's step `at` (an index from 0)."""
    last, part = len(lesson.steps), lesson.heading_index(at)
    parts = tuple(
        LessonPart(
            number + 1,
            name,
            "now" if number == part else "done" if number < part else "next",
            lesson_url(lesson, begins),
        )
        for number, (name, begins) in enumerate(lesson.headings)
    )
    learnt = lesson.learnt if at == last else tuple(step.learnt for step in lesson.steps[:at] if step.learnt)
    others = [sitter.name for seat, sitter in enumerate(lesson.sitters) if seat != lesson.viewer]
    back = lesson_url(lesson, at - 1) if at else ""
    return LessonMoment(at, last, min(part + 1, len(parts)), parts, learnt, back, others[0])


def lesson_progress_text(moment: LessonMoment) -> str:
    """Return the progress in a lesson, in words ("step 2 of 5", "finished")."""
    if moment.ended:
        return _("finished")
    return _("step {number} of {count}", number=moment.part, count=len(moment.parts))


@lru_cache_by_setting(root, 512)
def lesson_step_message(lesson: Lesson, at: int) -> dict[str, Any]:
    """Return the message that shows the moves between a lesson's step `at - 1` and its step `at`, and then step `at`.

    `at` is an index from 0; `len(lesson.steps)` stands for the final page. Raise `IndexError` if there is no such step.
    """
    with use_language(lesson.code):
        table, moment = lesson.table(at), lesson_moment(lesson, at)
        if moment.ended:
            table = replace(table, step=_lesson_end_step(lesson.end, moment))
        else:
            things = {zone.id for zone in table.zones} | {p.place for zone in table.zones for p in zone.pieces}
            table = replace(table, step=_mark_button_only_choices_primary(table.step, things))
        frames = lesson.frames(at) if at else []
        going, heard = moment, []
        if moment.ended:
            # The final page already shows the table after the last move. So the client does not show that move
            # separately, and the move's log lines are announced together with the texts of the final page.
            heard = [table_layout.strip_bold_marks(line.text) for frame in frames[1:][-1:] for line in frame.lines]
            frames, going = frames[:-1], lesson_moment(lesson, at - 1)
        context = TableContext(lesson=moment)
        said = table_layout.strip_bold_marks(f"{table.step.prompt} {table.step.help}".strip())
        return {
            "type": "lesson",
            "game": lesson.game,
            "at": at,
            "last": moment.last,
            "url": lesson_url(lesson, at),
            "html": render_table_or_result(table, context),
            "step": table_layout.step_json(table.step),
            "frames": [_data_of_move_made_before_step(frame, going) for frame in frames],
            "say": [*heard, said, *moment.learnt] if moment.ended else [said],
            "title": f"{lesson.title} · {lesson_progress_text(moment)}",
        }


def _mark_button_only_choices_primary(step: TouchStep, things: Set[str]) -> TouchStep:
    """Return a copy of a step in which a button is emphasized (`primary`) if its choice can be made only by the button.

    `things` are the ids of everything on the table that can be touched: groups of cards (zones) and places of cards. If
    the `touch` of a choice is one of these ids, the choice can also be made without its button.

    Disabled buttons (`Choice.refuses`) are not emphasized. The steps that follow a choice (`Choice.then`) are changed
    in the same way.
    """

    def choice(one: Choice) -> Choice:
        asked = bool(one.button) and not one.refuses and one.touch not in things
        then = None if one.then is None else _mark_button_only_choices_primary(one.then, things)
        return one._replace(primary=one.primary or asked, then=then)

    return step._replace(choices=tuple(map(choice, step.choices)))


def _lesson_end_step(said: str, moment: LessonMoment) -> TouchStep:
    """Return the step shown at the end of a lesson. `said` is the lesson's closing text.

    The first sentence of `said` is the prompt of the step, and the rest is its help text. If there is no rest, the help
    text is a standard sentence that names the opponent (`moment.other`).
    """
    first, _stop, more = said.partition(". ")
    if more:
        return TouchStep(f"{first}.", more)
    return TouchStep(said, _("Play with {name} or read the full rules.", name=moment.other))


def _data_of_move_made_before_step(frame: Frame, moment: LessonMoment) -> dict[str, Any]:
    """Return the data with which the client shows one of the moves that lead to a lesson's step.

    The data are the HTML of the table after the move ("html"), and texts for screen readers to announce ("say").
    """
    lines = [line.text for line in frame.lines]
    table = replace(frame.table, step=TouchStep(lines[-1] if lines else frame.table.step.prompt))
    return {
        "html": render_table_or_result(table, TableContext(lesson=moment)),
        "say": [table_layout.strip_bold_marks(line) for line in lines],
    }


def lesson_page(shell: Shell, lesson: Lesson, at: int) -> str:
    """Return the whole HTML page of a lesson's step `at` (an index from 0).

    The message that shows the step (`lesson_step_message`) is embedded in the page. Raise `IndexError` if the lesson
    has no such step.
    """
    message = lesson_step_message(lesson, at)
    return page_with_embedded_message("lesson.html", shell, message, beside=("html", "frames"), game=lesson.game)


class LessonRow(NamedTuple):
    """Row in the list of lessons: the game, the address of its lesson, and how far the visitor has got."""

    info: Info
    url: str
    state: str = ""
    """Progress in words ("finished", "step 3 of 5"); "" if not started."""


def lesson_list_page(shell: Shell, rows: Sequence[LessonRow]) -> str:
    """Return the HTML page that lists the lessons, in the order of `rows`.

    If there are no rows, the page says that there are no lessons, and that every game has a guide.
    """
    return render("learn.html", shell=shell, rows=rows)


# --- home page --------------------------------------------------------------------------------------------------------


class LessonCard(NamedTuple):
    """Box that offers a lesson on the home page. It may have a picture of one of the lesson's steps."""

    game: str
    title: str
    url: str
    says: str
    """Description ("Five short steps at a table with Juniper.")."""
    touch: str = ""
    """Address of the lesson step that the picture shows; "" without a picture.

    Touching the highlighted card in the picture opens the step, and the client then makes the step's move.
    """
    asks: str = ""
    """Prompt of the step that the picture shows."""
    own: Markup = NO_PICTURE
    """Picture: the player's cards at the step, with the card to touch highlighted."""
    held: Markup = NO_PICTURE
    """Picture: the card that the player has drawn and not yet placed."""
    lit: Markup = NO_PICTURE
    """Picture for narrow pages: only the highlighted card."""


def lesson_card_without_picture(info: Info) -> LessonCard:
    """Return the home page's box for a lesson that is not loaded. The box has no picture.

    Only a loaded lesson has steps that a picture can show.
    """
    return LessonCard(info.name, info.title, f"/learn/{info.name}", _("You learn by playing."))


def lesson_card(lesson: Lesson, info: Info) -> LessonCard:
    """Return the home page's box for a lesson that is loaded.

    The box has a picture of the first step whose move is a single touch of a face-up card. If the lesson has no such
    step, the box has no picture.
    """
    with use_language(lesson.code):
        moment = lesson_moment(lesson, 0)
        count = capital(in_words(len(moment.parts)))
        says = _("{count} short steps at a table with {name}.", count=count, name=moment.other)
        card = lesson_card_without_picture(info)._replace(says=says)
        for at, step in enumerate(lesson.steps):
            table = lesson.table(at)
            touched = [(z, p) for z in table.zones for p in z.pieces if p.kind == "face" and (p.place,) == step.path]
            for zone, piece in touched:
                return card._replace(
                    touch=lesson_url(lesson, at) + TOUCHED_FRAGMENT,
                    asks=table_layout.strip_bold_marks(step.says),
                    own=_static_zones_html(table, _highlight_piece_and_drop_label(zone, piece.place)),
                    held=_static_zones_html(
                        table, *(z for z in table.zones if any("held" in p.marks for p in z.pieces))
                    ),
                    lit=_static_zones_html(
                        table, _highlight_piece_and_drop_label(replace(zone, kind="row", pieces=(piece,)), piece.place)
                    ),
                )
        return card


def _highlight_piece_and_drop_label(zone: Zone, place: str) -> Zone:
    pieces = tuple(p._replace(marks=(*p.marks, "lit")) if p.place == place else p for p in zone.pieces)
    return replace(zone, pieces=pieces, label="")


def _static_zones_html(table: Table, *zones: Zone) -> Markup:
    """Return the HTML of zones as a static picture, in which nothing can be touched."""
    bare = [replace(zone, label="", note="", marks=()) for zone in zones]
    return Markup(render("still.html", game=table.game, zones=bare))
