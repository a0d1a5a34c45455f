"""The scorekeeper: games played with real cards, scored on a page or by the JSON API."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request
from fastapi.responses import HTMLResponse, Response

from facedown.core import game as registry
from facedown.core.sheet import Sheet, SheetError, data_of, fresh
from facedown.play import Refusal
from facedown.server import look
from facedown.server.api import says
from facedown.server.routes import fields_of, refused
from facedown.server.visitors import person_of, rooms_of, shell_of

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/v1", tags=["scores"])

#: More hands than any match has.
MOST_PARTS = 40
#: What the description of the API shows: a game, and what may be asked of it.
EXAMPLE = ("uncovered", {"hands": [[1, 2, 3, 4], [1, 2, 3, 3], [1, 2, 4, 4]], "turns": 4})
Fields = Mapping[str, str]


@cache
def _module(game: str, name: str) -> ModuleType | None:
    """A module of a game, None where it has none; `Refusal` for an unknown game."""
    try:
        registry.info(game)
    except registry.UnknownGame as wrong:
        raise Refusal("unknown", f"{str(wrong).capitalize()}.") from None
    full = f"facedown.games.{game}.{name}"
    return importlib.import_module(full) if importlib.util.find_spec(full) else None


def scored_games() -> list[str]:
    """The games that have a score sheet."""
    return [name for name in registry.catalogue() if _module(name, "sheet") and _module(name, "score")]


def score_of(game: str, data: dict[str, Any]) -> dict[str, Any]:
    """The score of a game played with real cards; `Refusal` says what cannot be."""
    scorer = _module(game, "score")
    if scorer is None:
        raise Refusal("unknown", f"{registry.info(game).title} cannot be scored here.")
    try:
        found: dict[str, Any] = scorer.score(data)
    except ValueError as wrong:
        raise Refusal("malformed", _sentence(str(wrong))) from None
    return found


def sheet_of(game: str, answers: Fields) -> Sheet:
    """The questions of a game's sheet, for as many players and parts as the answers say."""
    module = _module(game, "sheet")
    if module is None or _module(game, "score") is None:
        raise Refusal("unknown", f"{registry.info(game).title} cannot be scored here.")
    found: Sheet = module.sheet(seats_of(game, answers), parts_of(answers), answers)
    return found


def seats_of(game: str, answers: Fields) -> int:
    """How many play."""
    low, high = registry.info(game).seats
    text = answers.get("seats", "")
    return min(max(int(text), low), high) if text.isascii() and text.isdigit() and len(text) < 3 else low


def parts_of(answers: Fields) -> int:
    """How many hands the sheet asks for."""
    text = answers.get("parts", "")
    return min(max(int(text), 1), MOST_PARTS) if text.isascii() and text.isdigit() and len(text) < 4 else 1


def options_of(game: str, sheet: Sheet, answers: Fields) -> dict[str, str]:
    """The house rules that were chosen on a sheet."""
    given = look.options_from_form(registry.info(game), answers)
    return {name: text for name, text in given.items() if name in sheet.options}


def _sentence(text: str) -> str:
    """A reason as a sentence; an option's or field's own name keeps its small letter."""
    return text if text.endswith(".") else f"{text}."


@router.get("/score")
async def index(request: Request) -> Response:
    """The games that can be scored."""
    games = [registry.info(name) for name in scored_games()]
    return HTMLResponse(look.score_index_page(shell_of(request, await person_of(request)), games))


@router.get("/score/{game}")
async def empty(request: Request, game: str) -> Response:
    """An empty sheet."""
    return await _page(request, game, dict(request.query_params))


@router.post("/score/{game}")
async def answered(request: Request, game: str) -> Response:
    """A sheet that was filled in: its score, or the same sheet for more players or another hand, or the next round."""
    answers = await fields_of(request)
    wish = answers.pop("do", "score")
    if wish.startswith("seats-"):
        return await _page(request, game, answers | {"seats": wish.removeprefix("seats-")})
    if wish == "more":
        return await _page(request, game, answers | {"parts": str(parts_of(answers) + 1)})
    return await _page(request, game, answers, asked=True, onward=wish == "again")


async def _page(
    request: Request, game: str, answers: dict[str, str], *, asked: bool = False, onward: bool = False
) -> Response:
    rooms = rooms_of(request)
    error, result = "", None
    try:
        sheet = await rooms.in_store(sheet_of, game, answers)
        if asked:
            try:
                data = data_of(sheet, answers)
                if sheet.options:
                    data["options"] = options_of(game, sheet, answers)
                await rooms.warm(game)
                result = await rooms.in_bots(score_of, game, data)
            except SheetError as wrong:
                error = _sentence(str(wrong))
            except Refusal as wrong:
                error = wrong.reason
    except Refusal as refusal:
        return await refused(request, refusal)
    if onward and result is not None:
        kept = {n: text for n, text in answers.items() if n.startswith("option-") or n == "seats"}
        answers, result = kept | fresh(sheet, answers, result), None
        sheet = sheet_of(game, answers)
    shown = look.ScoreSheet(sheet, seats_of(game, answers), answers, error, result)
    html = look.score_page(shell_of(request, await person_of(request)), registry.info(game), shown)
    return HTMLResponse(html, 422 if error else 200)


Game = Annotated[str, Path(description="The game.", max_length=40, examples=[EXAMPLE[0]])]
Given = Annotated[
    dict[str, Any],
    Body(
        description="What lies on the table; `facedown score GAME --example` prints one for each game.",
        examples=[EXAMPLE[1]],
    ),
]


@api.post("/score/{game}", responses=says(404, 422))
async def score(request: Request, game: Game, given: Given) -> dict[str, Any]:
    """Score a game that was played with real cards. Every point is explained; what cannot be is named."""
    rooms = rooms_of(request)
    await rooms.in_store(_module, game, "score")
    await rooms.warm(game)
    found: dict[str, Any] = await rooms.in_bots(score_of, game, given)
    return found
