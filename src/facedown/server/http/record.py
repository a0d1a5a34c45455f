"""The page "Your record": a visitor's finished matches, how many they won by game and by level of the bots.

The page shows only finished matches in which the visitor has a seat, and no reviews are made for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from facedown.core import game_registry as registry
from facedown.play import Refusal, Session
from facedown.play.bot_interface import level_name_and_description
from facedown.server import rendering
from facedown.server.http.visitors import Visitor, origin_hash_of, page_shell_data_of, rooms_of
from facedown.server.i18n import _
from facedown.server.rendering.templates import render
from facedown.server.scheduling import Share
from facedown.server.table.room_registry import Rooms
from facedown.store import outcomes
from facedown.store.outcomes import FinishedMatch, GameRecord, Tally
from facedown.store.row_conversion import StoredTable, Unreadable

router = APIRouter(include_in_schema=False)

#: Maximum number of latest results that are shown.
RESULTS = 10
#: Seconds after which a request stops computing who won older matches. Computing continues when the page is reloaded.
COMPUTING_SECONDS = 2.0
#: Number of matches that are loaded from the database at a time.
BATCH = 10


class LatestResult(NamedTuple):
    """One of the latest matches on the page."""

    game: str
    url: str
    sentence: str
    """Result of the match in one sentence for the visitor."""
    ended: datetime
    """Time of the end, in UTC."""


class GameRow(NamedTuple):
    """Results in one game on the page."""

    info: registry.Info
    record: GameRecord
    levels: Sequence[tuple[str, Tally]]
    """Label of each level of bots on the page, and the results at tables with bots of this level only."""
    graph: rendering.Graph | None
    """Win probability during the latest match that the coach has reviewed; None without such a match."""


class _Replayed(NamedTuple):
    """What a replay of finished matches showed, by database id of the match."""

    winners: dict[int, Sequence[int]]
    sentences: dict[int, str]
    skipped: Sequence[FinishedMatch] = ()
    """Matches that were not replayed, because there was no time left."""


@router.get("/record")
async def record_page(request: Request, person: Visitor) -> Response:
    """Return the page "Your record". For a visitor without finished matches, it says how to get some."""
    rooms = rooms_of(request)
    matches: Sequence[FinishedMatch] = ()
    known: dict[int, list[int]] = {}
    if person is not None:
        engine = rooms.repository.engine
        matches, known = await rooms.store.run(outcomes.finished_matches, engine, person.id)
    installed = [match for match in matches if match.game in registry.catalogue()]
    latest, older = installed[:RESULTS], [match for match in installed[RESULTS:] if match.number not in known]
    replayed = await _replay(rooms, [*latest, *older], Share(origin_hash_of(request), "record"))
    fresh = {number: winners for number, winners in replayed.winners.items() if number not in known}
    if fresh:
        await rooms.store.run(outcomes.store_outcomes, rooms.repository.engine, fresh)
    won: outcomes.Outcomes = known | fresh
    counted = [match for match in installed if match.number in won]
    later = sum(match.number not in won for match in replayed.skipped)
    games = await _game_rows(rooms, counted, won)
    html = render(
        "record.html",
        shell=page_shell_data_of(request, person),
        known=person is not None,
        matches=len(matches),
        total=Tally(len(counted), sum(row.record.won for row in games)),
        games=games,
        results=[
            _latest_result(one, replayed.sentences[one.number]) for one in latest if one.number in replayed.sentences
        ],
        later=later,
        unreadable=len(matches) - len(counted) - later,
    )
    return HTMLResponse(html)


async def _replay(rooms: Rooms, matches: Sequence[FinishedMatch], share: Share) -> _Replayed:
    """Replay finished matches in the order given, and return what that showed.

    The first `RESULTS` matches and one more are always replayed, so that each request makes progress. The others are
    replayed only within `COMPUTING_SECONDS`. Matches that cannot be read are missing in the result.
    """
    found = _Replayed({}, {})
    for game in {match.game for match in matches}:
        # If the rules cannot be loaded, the matches of this game cannot be read. The error is logged when a table is
        # opened.
        await asyncio.gather(rooms.preparations.load_rules(game), return_exceptions=True)
    end = rooms.clock.monotonic() + COMPUTING_SECONDS
    for first in range(0, len(matches), BATCH):
        batch = matches[first : first + BATCH]
        stored = await rooms.store.run(rooms.repository.load_all, [match.code for match in batch])
        for at, match in enumerate(batch, first):
            if at > RESULTS and rooms.clock.monotonic() > end:
                return found._replace(skipped=matches[at:])
            ended = await rooms.thinking.run_in_quick_lane(share, _winners_and_sentence, stored.get(match.code), match)
            if ended is not None:
                found.winners[match.number], found.sentences[match.number] = ended
    return found


def _winners_and_sentence(
    stored: StoredTable | Unreadable | None, match: FinishedMatch
) -> tuple[Sequence[int], str] | None:
    """Return the seats that won a finished match, and its result in one sentence for the visitor.

    Return None if the match cannot be read.
    """
    if not isinstance(stored, StoredTable):
        return None
    try:
        session = Session(stored.record, stored.moves)
        # Not `Session.table`, which takes ten times as long because it also makes the log.
        table = session.dealt_match.table(match.seat, session.sitters)
    except Exception:  # noqa: BLE001 (the stored moves may be damaged, or of other rules)
        return None
    closed = _("The operator of this server has closed this table.")
    return table.winners, rendering.strip_bold_marks(table.result) or closed


def _latest_result(match: FinishedMatch, sentence: str) -> LatestResult:
    return LatestResult(match.game, f"/t/{match.code}", sentence, datetime.fromtimestamp(match.finished, UTC))


async def _game_rows(rooms: Rooms, counted: Sequence[FinishedMatch], won: outcomes.Outcomes) -> list[GameRow]:
    """Return the results by game, the game with the most matches first."""
    labels = {level.key: level_name_and_description(level)[0] for level in rooms.settings.bots.levels}
    games = outcomes.count_results(counted, won, list(labels))
    shown = [key for key in labels if any(key in game.by_level for game in games.values())]
    reviewed = {match.game: match for match in reversed(counted) if match.reviewed}
    graphs = dict(zip(reviewed, await asyncio.gather(*(_graph(rooms, one) for one in reviewed.values())), strict=True))
    return [
        GameRow(
            registry.info(name),
            game,
            [(labels[key], game.by_level.get(key, Tally())) for key in shown],
            graphs.get(name),
        )
        for name, game in sorted(games.items(), key=lambda item: -item[1].matches)
    ]


async def _graph(rooms: Rooms, match: FinishedMatch) -> rendering.Graph | None:
    """Return the graph of a match whose analysis by the coach is stored; None if it is not ready within a moment."""
    if await rooms.coach.work.stored_analysis(match.number, match.seat) is None:
        # The stored analysis has the format of another version. A request would compute it again.
        return None
    try:
        review = rooms.coach.request_review((await rooms.room(match.code)).session, match.seat)
    except Refusal:
        return None
    await rooms.coach.wait_for_review_end(review)
    found = review.found
    return rendering.win_probability_graph(found.line, found.rounds) if found is not None and found.line else None
