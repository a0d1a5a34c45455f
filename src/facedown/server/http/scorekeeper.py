"""The scorekeeper: scores of games played with real cards, on a page or through the JSON API."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request
from fastapi.responses import HTMLResponse, Response

from facedown.core import game_registry as registry
from facedown.core.score_sheet_questions import Sheet, SheetError, data_from_answers, next_round_answers
from facedown.play import Refusal
from facedown.server import rendering
from facedown.server.http.api_models import error_responses
from facedown.server.http.page_and_form_handlers import form_fields
from facedown.server.http.request_locale import LANGUAGE_PARAMETER
from facedown.server.http.visitors import (
    Visitor,
    info_of,
    origin_hash_of,
    page_shell_data_of,
    parse_bounded_number,
    rooms_of,
)
from facedown.server.i18n import _
from facedown.server.scheduling import Share
from facedown.store import Person

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/v1", tags=["scores"])

#: Maximum number of hands on a score sheet; no match has more.
MAX_PARTS = 40
#: Maximum number of fields in a submitted score sheet; no sheet has more.
MAX_ANSWERS = 1200
Fields = Mapping[str, str]


@cache
def _scorekeeper(game: str) -> registry.Scorekeeper | None:
    """Return the object that scores a match of this game played with real cards; None if the game has no scorekeeper.

    Raise `Refusal` for an unknown game.
    """
    return registry.game(info_of(game).name).scorekeeper


def _require_scorekeeper(game: str) -> registry.Scorekeeper:
    found = _scorekeeper(game)
    if found is None:
        raise Refusal("unknown", _("{game} has no scorekeeper.", game=registry.info(game).title))
    return found


def games_with_score_sheets() -> list[str]:
    """Return the names of the games that have a score sheet."""
    return [name for name in registry.catalogue() if _scorekeeper(name) is not None]


def add_openapi_example(spec: dict[str, Any]) -> None:
    """Add an example of a scoring request to the OpenAPI schema: of the examples of all games, the shortest one."""
    examples = {name: scorer.example for name in registry.catalogue() if (scorer := _scorekeeper(name)) is not None}
    if examples:
        game = min(examples, key=lambda name: len(json.dumps(examples[name])))
        call = spec["paths"][f"{api.prefix}/score/{{game}}"]["post"]
        call["parameters"][0]["schema"]["examples"] = [game]
        call["requestBody"]["content"]["application/json"]["schema"]["examples"] = [examples[game]]


def score_of(game: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return the score of a match played with real cards, as JSON. Raise `Refusal` if the data are invalid.

    `data` has the form of the game's `Scorekeeper.example`: the players, their cards and, depending on the game,
    earlier scores, options and other facts.
    """
    try:
        return _require_scorekeeper(game).score(data)
    except ValueError as wrong:
        raise Refusal("malformed", _with_full_stop(str(wrong))) from None


async def _score_in_thread(request: Request, game: str, data: dict[str, Any]) -> dict[str, Any]:
    """Call `score_of(game, data)` in a thread. Waiting calls are queued fairly among visitors.

    Raise `Refusal` if too many computations for this visitor are already waiting.
    """
    thinking, origin = rooms_of(request).thinking, origin_hash_of(request)
    thinking.refuse_too_many_waiting_of_origin(origin)
    return await thinking.run_in_slow_lane(Share(origin, "score"), score_of, game, data)


def empty_sheet_for(game: str, answers: Fields) -> Sheet:
    """Return the score sheet of a game: the questions for a match played with real cards, without the answers.

    `answers` are the texts that the visitor has entered on the sheet so far, by field name. They determine how many
    players and hands the questions are for, and the players' names in the questions.
    """
    return _require_scorekeeper(game).sheet(
        player_count_from_fields(game, answers), hand_count_from_fields(answers), answers
    )


def player_count_from_fields(game: str, answers: Fields) -> int:
    """Return how many players a score sheet is for: the number in the field "seats" of `answers` (texts by field name).

    If the game does not allow this number, return the nearest number that it allows. If the field has no number from 1
    to 99, return the smallest number that the game allows.
    """
    low, high = registry.info(game).seats
    return min(max(parse_bounded_number(answers.get("seats", ""), 99, 2) or low, low), high)


def hand_count_from_fields(answers: Fields) -> int:
    """Return how many hands a score sheet is for: the number in the field "parts" of `answers` (texts by field name).

    If the field has no number from 1 to 999, return 1. If the number is above `MAX_PARTS`, return `MAX_PARTS`.
    """
    return min(parse_bounded_number(answers.get("parts", ""), 999, 3) or 1, MAX_PARTS)


def _with_full_stop(text: str) -> str:
    """Return an error text with a full stop.

    The first letter is not capitalized, because the text may begin with the name of an option or field.
    """
    return text if text.endswith(".") else f"{text}."


@router.get("/score")
async def index(request: Request, person: Visitor) -> Response:
    """Return the page that lists the games with a score sheet."""
    games = [registry.info(name) for name in games_with_score_sheets()]
    return HTMLResponse(rendering.scorekeeper_index_page(page_shell_data_of(request, person), games))


@router.get("/score/{game}")
async def empty_sheet(request: Request, game: str, person: Visitor) -> Response:
    """Return the page with a score sheet that has no result yet. Parameters in the URL fill in the fields they name."""
    return await _page(
        request, game, person, {name: text for name, text in request.query_params.items() if name != LANGUAGE_PARAMETER}
    )


@router.post("/score/{game}")
async def submit_sheet(request: Request, game: str, person: Visitor) -> Response:
    """Return the score sheet after one of its buttons was pressed: score, change players, add a hand, or next round."""
    answers = await form_fields(request, MAX_ANSWERS)
    asked_for = answers.pop("do", "score")
    if asked_for.startswith("seats-"):
        return await _page(request, game, person, answers | {"seats": asked_for.removeprefix("seats-")})
    if asked_for == "more":
        return await _page(request, game, person, answers | {"parts": str(hand_count_from_fields(answers) + 1)})
    return await _page(request, game, person, answers, asked=True, onward=asked_for == "again")


async def _page(
    request: Request,
    game: str,
    person: Person | None,
    answers: dict[str, str],
    asked: bool = False,
    onward: bool = False,
) -> Response:
    rooms = rooms_of(request)
    error, result = "", None
    sheet = await rooms.store.run(empty_sheet_for, game, answers)
    if asked:
        try:
            data = data_from_answers(sheet, answers)
            if sheet.options:
                chosen = rendering.options_from_form(registry.info(game), answers)
                data["options"] = {name: text for name, text in chosen.items() if name in sheet.options}
            await rooms.preparations.load_rules(game)
            result = await _score_in_thread(request, game, data)
        except SheetError as wrong:
            error = _with_full_stop(str(wrong))
        except Refusal as wrong:
            error = wrong.reason
    if onward and result is not None:
        kept = {n: text for n, text in answers.items() if n.startswith("option-") or n == "seats"}
        answers, result = kept | next_round_answers(sheet, answers, result), None
        sheet = empty_sheet_for(game, answers)
    shown = rendering.ScoreSheet(sheet, player_count_from_fields(game, answers), answers, error, result)
    html = rendering.scorekeeper_page(page_shell_data_of(request, person), registry.info(game), shown)
    return HTMLResponse(html, 422 if error else 200)


Game = Annotated[str, Path(description="The game.", max_length=40)]
Given = Annotated[
    dict[str, Any],
    Body(description="The cards on the table; `facedown score GAME --example` prints an example for each game."),
]


@api.post("/score/{game}", responses=error_responses(404, 422))
async def score(request: Request, game: Game, given: Given) -> dict[str, Any]:
    """Score a game that was played with real cards. The response explains how the points add up.

    If an entry is impossible, the request is refused, and the response gives the reason.
    """
    rooms = rooms_of(request)
    await rooms.store.run(_scorekeeper, game)
    await rooms.preparations.load_rules(game)
    return await _score_in_thread(request, game, given)
