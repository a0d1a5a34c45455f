"""Defaults of a new match: seats, bot level, mode (main rule variant) and memory aid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from facedown.core.game_registry import Info
from facedown.play import Refusal, Settings, default_level
from facedown.play.lessons import Lesson
from facedown.server import rendering
from facedown.server.connection import viewer_page_data
from facedown.server.http.lessons import DONE, lesson_of, reached_step
from facedown.server.http.visitors import rooms_of
from facedown.server.i18n import _, n_
from facedown.store import Person

#: Number of seats in quick play, if the game allows it; otherwise the nearest number that it allows.
QUICK_SEATS = 3
#: Maximum number of a person's tables that are searched for a finished match of a game.
MAX_TABLES_SEARCHED = 50


@dataclass(frozen=True, slots=True)
class QuickMatch:
    """The match that quick play starts at the touch of a button: the visitor against bots.

    The options are the game's defaults. Only the mode (main rule variant) may differ: see `mode_option_after_lesson`.
    """

    seats: tuple[str, ...]
    options: Mapping[str, str]
    settings: Settings
    words: str
    """Description of the match in one line: "Whist · 2 seats · casual bot · memory aid on"."""


def lesson_mode_option(info: Info, lesson: Lesson) -> dict[str, str]:
    """Return the mode (main rule variant) in which a lesson is played, as {option name: value}.

    The result is {} if the game has no modes.
    """
    return {info.mode: lesson.matches[0].options[info.mode]} if info.mode else {}


async def mode_option_after_lesson(request: HTTPConnection, info: Info, person: Person | None) -> dict[str, str]:
    """Return the default mode (main rule variant) for a visitor who has learned the game in its lesson.

    If the visitor has finished the lesson but no match of the game, return the lesson's mode as {option name: value}.
    For all other visitors, and for a game without modes, return {}: the game's own default then applies.

    `person` is None for a visitor whom the server does not know.
    """
    if not info.mode or reached_step(request, info.name) != DONE:
        return {}
    rooms = rooms_of(request)
    tables = [] if person is None else await rooms.store.run(rooms.repository.tables_of, person.id, MAX_TABLES_SEARCHED)
    if any(one.record.game == info.name and one.record.status == "finished" for one in tables):
        return {}
    try:
        return lesson_mode_option(info, await lesson_of(rooms, info.name))
    except Refusal:
        return {}


async def default_mode_by_seat_count(request: HTTPConnection, info: Info, person: Person | None) -> dict[int, str]:
    """Return the default mode (main rule variant) of a new table by number of seats; {} if the game has no modes."""
    if not info.mode:
        return {}
    first = await mode_option_after_lesson(request, info, person)
    low, high = info.seats
    return {seats: info.complete(seats, first)[info.mode] for seats in range(low, high + 1)}


async def quick_match(request: HTTPConnection, info: Info, person: Person | None) -> QuickMatch:
    """Return the match that quick play starts for a visitor, who plays against bots only."""
    bots = rooms_of(request).settings.bots
    key, (low, high) = default_level(bots), info.seats
    count = min(high, max(low, QUICK_SEATS))
    options = await mode_option_after_lesson(request, info, person)
    label = viewer_page_data.bot_level_labels(bots)[key]
    said = [
        info.title,
        n_("{count} seat", "{count} seats", count),
        n_("{level} bot", "{level} bots", count - 1, level=rendering.mid_sentence_label(label)),
    ]
    if info.mode:
        said.append(info.options.by_name(info.mode).describe_value(info.complete(count, options)[info.mode]))
    if info.aided:
        said.append(_("memory aid on"))
    seats = ("me", *[key] * (count - 1))
    return QuickMatch(seats, options, Settings(hints=True, memory=info.aided), " · ".join(said))
