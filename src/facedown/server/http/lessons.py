"""The played first lessons: choosing one, its steps, and the short match that follows."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.requests import HTTPConnection

from facedown.core import game_registry as registry
from facedown.play import Refusal, lessons, offered_levels
from facedown.play.lessons import Lesson, LessonError, has_lesson
from facedown.server import rendering
from facedown.server.http.visitors import Visitor, info_of, parse_bounded_number, rooms_of, shell_of
from facedown.server.i18n import _, in_thread
from facedown.server.process import logs
from facedown.server.table.room_registry import Rooms

log = logs.logger()
router = APIRouter(include_in_schema=False)

#: How the cookie of a lesson is called, before the name of its game.
LESSON_COOKIE_PREFIX: Final = "facedown-lesson-"
#: What it holds when it was played to its end; otherwise the step where it was left, from 0.
FINISHED = "done"
#: The same as a number.
DONE: Final = -1
#: More steps than any lesson has.
MAX_STEPS = 99


def games_with_begun_lessons(request: HTTPConnection) -> list[str]:
    """The games whose lessons this browser says it has begun, in the order of its cookies."""
    return [
        name.removeprefix(LESSON_COOKIE_PREFIX) for name in request.cookies if name.startswith(LESSON_COOKIE_PREFIX)
    ]


def reached_step(request: HTTPConnection, game: str) -> int | None:
    """How far this browser has come with a lesson: a step from 0, `DONE`, or None where it has not begun."""
    kept = request.cookies.get(LESSON_COOKIE_PREFIX + game, "")
    return DONE if kept == FINISHED else parse_bounded_number(kept, MAX_STEPS, 2)


async def lesson_of(rooms: Rooms, game: str) -> Lesson:
    """The lesson of a game in the reader's language; `Refusal` where there is none."""
    info = info_of(game)
    if not has_lesson(game):
        raise Refusal("unknown", _("{game} has no lesson yet. Its guide says how it is played.", game=info.title))
    await rooms.preparations.warm(game)
    try:
        found = await in_thread(lessons.lesson, game)
    except LessonError as wrong:
        log.error("lesson_not_played", game=game, why=str(wrong))
        found = None
    if found is None:
        raise Refusal("unknown", _("The lesson of {game} cannot be played now.", game=info.title))
    return found


def parse_step(lesson: Lesson, word: str) -> int:
    """The step that an address names; `Refusal` if the lesson has none such."""
    if word == rendering.LESSON_END:
        return len(lesson.steps)
    number = parse_bounded_number(word, len(lesson.steps), 2)
    if not number:
        count = len(lesson.steps)
        raise Refusal("unknown", _("This lesson has steps 1 to {count}, and an end.", count=count))
    return number - 1


@router.get("/learn")
async def learn(request: Request, person: Visitor) -> Response:
    """The games that have a lesson."""
    rows = [await _row(request, info) for info in registry.catalogue().values() if has_lesson(info.name)]
    return HTMLResponse(rendering.learn_page(shell_of(request, person), rows))


async def unfinished_lesson(request: HTTPConnection, game: str) -> tuple[Lesson, int] | None:
    """A lesson and the step at which this browser left it; None if it was not left in the middle."""
    at = reached_step(request, game)
    if at is None or at <= 0:
        return None
    try:
        lesson = await lesson_of(rooms_of(request), game)
    except Refusal:
        return None
    return (lesson, at) if at < len(lesson.steps) else None


async def _row(request: Request, info: registry.Info) -> rendering.LessonRow:
    url = f"/learn/{info.name}"
    if reached_step(request, info.name) == DONE:
        return rendering.LessonRow(info, url, _("finished"))
    if (left := await unfinished_lesson(request, info.name)) is None:
        return rendering.LessonRow(info, url)
    moment = rendering.moment_of(*left)
    state = _("step {number} of {count}", number=moment.part, count=len(moment.parts))
    return rendering.LessonRow(info, rendering.lesson_url(*left), state)


@router.get("/learn/{game}")
@router.get("/learn/{game}/{word}")
async def step(request: Request, game: str, person: Visitor, word: str = "1") -> Response:
    """A step of a lesson, at first the first one, or its end."""
    lesson = await lesson_of(rooms_of(request), game)
    return HTMLResponse(rendering.lesson_page(shell_of(request, person), lesson, parse_step(lesson, word)))


@router.get("/learn/{game}/{word}/table", response_class=JSONResponse)
async def lesson_step_json(request: Request, game: str, word: str) -> Response:
    """The same step for the client that shows the lesson already, with the moves that led to it."""
    lesson = await lesson_of(rooms_of(request), game)
    return JSONResponse(rendering.lesson_message(lesson, parse_step(lesson, word)))


def seats_with_easiest_bots(lesson: Lesson, rooms: Rooms) -> list[str]:
    """The seats of the match that follows: the learner's, and the gentlest bots."""
    gentle = offered_levels(rooms.settings.bots)[0].key
    return ["me", *[gentle] * (len(lesson.sitters) - 1)]
