"""Pages of the interactive lessons: the list, each step, and the step as JSON.

The progress in the lessons is stored in cookies of the browser.
"""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.requests import HTTPConnection

from facedown.core import game_registry as registry
from facedown.play import Refusal, lessons, offered_levels
from facedown.play.lessons import Lesson, LessonError, has_lesson
from facedown.server import rendering
from facedown.server.http.visitors import Visitor, info_of, page_shell_data_of, parse_bounded_number, rooms_of
from facedown.server.i18n import _, run_in_thread
from facedown.server.process import logs
from facedown.server.table.room_registry import Rooms

log = logs.logger()
router = APIRouter(include_in_schema=False)

#: Prefix of the cookie that holds the progress of a lesson; the game's name follows it.
LESSON_COOKIE_PREFIX: Final = "facedown-lesson-"
#: Value of the cookie when the lesson is finished. Otherwise the value is the step that was reached, from 0.
FINISHED = "done"
#: Return value of `reached_step` for a finished lesson.
DONE: Final = -1
#: Largest step number that is accepted from a cookie; no lesson has that many.
MAX_STEPS = 99


def games_with_begun_lessons(request: HTTPConnection) -> list[str]:
    """Return the games for which this browser sent a lesson cookie, in the order of the cookies."""
    return [
        name.removeprefix(LESSON_COOKIE_PREFIX) for name in request.cookies if name.startswith(LESSON_COOKIE_PREFIX)
    ]


def reached_step(request: HTTPConnection, game: str) -> int | None:
    """Return the step of a lesson that this browser has reached, from 0; `DONE` if finished, None if not begun."""
    kept = request.cookies.get(LESSON_COOKIE_PREFIX + game, "")
    return DONE if kept == FINISHED else parse_bounded_number(kept, MAX_STEPS, 2)


async def lesson_of(rooms: Rooms, game: str) -> Lesson:
    """Return the lesson of a game in the current language.

    Raise `Refusal` if the game has no lesson, or if the lesson's match cannot be played.
    """
    info = info_of(game)
    if not has_lesson(game):
        raise Refusal("unknown", _("{game} has no lesson yet. Its guide explains how to play.", game=info.title))
    await rooms.preparations.load_rules(game)
    try:
        found = await run_in_thread(lessons.lesson, game)
    except LessonError as wrong:
        log.error("lesson_not_played", game=game, why=str(wrong))
        found = None
    if found is None:
        raise Refusal("unknown", _("The lesson for {game} can’t be played right now.", game=info.title))
    return found


def parse_step(lesson: Lesson, word: str) -> int:
    """Return the index (from 0) of the lesson's step that a URL names. Raise `Refusal` if there is no such step.

    `word` is the last part of the URL: a step number from 1, or "end" for the final page, which comes after the last
    step. The index of the final page is the number of steps.
    """
    if word == rendering.LESSON_END:
        return len(lesson.steps)
    number = parse_bounded_number(word, len(lesson.steps), 2)
    if not number:
        count = len(lesson.steps)
        raise Refusal("unknown", _("This step does not exist: the steps are numbered 1 to {count}.", count=count))
    return number - 1


@router.get("/learn")
async def learn(request: Request, person: Visitor) -> Response:
    """Return the page that lists the games with a lesson."""
    rows = [await _row(request, info) for info in registry.catalogue().values() if has_lesson(info.name)]
    return HTMLResponse(rendering.lesson_list_page(page_shell_data_of(request, person), rows))


async def unfinished_lesson(request: HTTPConnection, game: str) -> tuple[Lesson, int] | None:
    """Return the lesson of a game and the step that this browser has reached, from 0.

    Return None if the browser has not passed the first step, or if the lesson is finished or cannot be played.
    """
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
    moment = rendering.lesson_moment(*left)
    state = _("step {number} of {count}", number=moment.part, count=len(moment.parts))
    return rendering.LessonRow(info, rendering.lesson_url(*left), state)


@router.get("/learn/{game}")
@router.get("/learn/{game}/{word}")
async def step(request: Request, game: str, person: Visitor, word: str = "1") -> Response:
    """Return the page of a lesson's step, or the lesson's final page. `word` is a step number from 1, or "end"."""
    lesson = await lesson_of(rooms_of(request), game)
    return HTMLResponse(rendering.lesson_page(page_shell_data_of(request, person), lesson, parse_step(lesson, word)))


@router.get("/learn/{game}/{word}/table", response_class=JSONResponse)
async def lesson_step_json(request: Request, game: str, word: str) -> Response:
    """Return a lesson's step, or the lesson's final page, as JSON for a page that already shows another step.

    `word` is a step number from 1, or "end" for the final page, which comes after the last step. The JSON also contains
    the moves between the previous step and this one; the page shows these moves first. Raise `Refusal` if there is no
    such step.
    """
    lesson = await lesson_of(rooms_of(request), game)
    return JSONResponse(rendering.lesson_step_message(lesson, parse_step(lesson, word)))


def seats_with_easiest_bots(lesson: Lesson, rooms: Rooms) -> list[str]:
    """Return who plays each seat in the match after a lesson: "me" for the first seat, the key of the easiest bot level
    for each other seat.
    """
    gentle = offered_levels(rooms.settings.bots)[0].key
    return ["me", *[gentle] * (len(lesson.sitters) - 1)]
