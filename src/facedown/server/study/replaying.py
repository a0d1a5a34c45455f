"""The pages of a replay: a finished match, move by move, from any seat. A running match has none."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from facedown.core.state import SPECTATOR
from facedown.play import Refusal, Session
from facedown.play.names import clean_code
from facedown.server import look
from facedown.server.http.routes import page, refused
from facedown.server.http.visitors import STATUS, person_of, rooms_of, shell_of
from facedown.server.study.replay import Replay
from facedown.store import Person

router = APIRouter(include_in_schema=False)

#: So many replays are kept at hand: what is asked for next is mostly the same match a move later.
KEPT = 16
#: No match has a move whose number is longer.
DIGITS = 6


class ReplayCache:
    """The replays that were asked for last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], Replay] = OrderedDict()

    async def replay(self, session: Session, eyes: int) -> Replay:
        """The replay of a finished match, made apart from the event loop; `Refusal` while the match is running."""
        match = session.match
        if match is None or not match.over:
            raise Refusal("conflict", "This match is not over: it can be replayed when it ends.")
        key = (session.code, eyes)
        if key not in self._kept:
            made = await asyncio.to_thread(Replay, match, session.sitters, eyes, session.record.settings.memory)
            self._kept[key] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


@router.get("/m/{code}")
async def replay(request: Request, code: str, ply: str = "", eyes: str = "") -> Response:
    """A finished match after one of its moves; without one, at the deal."""
    person = await person_of(request)
    try:
        session = (await rooms_of(request).room(clean_code(code))).session
        message = await moment(request, session, ply, eyes, person)
    except Refusal as refusal:
        return await refused(request, refusal)
    shell = shell_of(request, person)
    return page(look.replay_page(shell, message, game=session.record.game))


@router.get("/m/{code}/moment")
async def frame(request: Request, code: str, ply: str = "", eyes: str = "") -> Response:
    """The same moment for the client that shows the replay already."""
    try:
        session = (await rooms_of(request).room(clean_code(code))).session
        return JSONResponse(await moment(request, session, ply, eyes, await person_of(request)))
    except Refusal as refusal:
        return JSONResponse({"code": refusal.code, "reason": refusal.reason}, STATUS[refusal.code])


async def moment(request: Request, session: Session, ply: str, eyes: str, person: Person | None) -> dict[str, object]:
    """One moment of a match, at first from a person's own seat; `Refusal` for a move or eyes that it has not got."""
    own = session.seat_of(person.id if person else None)
    usual = SPECTATOR if own is None else own
    last_seat = len(session.record.seats) - 1
    seen_by = SPECTATOR if eyes == look.ALL_EYES else number_in(eyes, last_seat) if eyes else usual
    if seen_by is None:
        raise Refusal("malformed", f"There are no eyes {eyes[:20]!r}: they are 0 to {last_seat}, or “{look.ALL_EYES}”.")
    replays: ReplayCache = request.app.state.replays
    found = await replays.replay(session, seen_by)
    at = number_in(ply, found.last) if ply else 0
    if at is None:
        raise Refusal("malformed", f"This match has moves 0 to {found.last}, not {ply[:20]!r}.")
    return look.replay_message(found.table(at), found.shown(at, session.code, own))


def number_in(text: str, most: int) -> int | None:
    """The number that a text of a few digits is, if it is at most so much.

    >>> number_in("3", 3), number_in("4", 3), number_in("-1", 3), number_in("9" * 9999, 3)
    (3, None, None, None)
    """
    known = text.isascii() and text.isdigit() and len(text) <= DIGITS and int(text) <= most
    return int(text) if known else None
