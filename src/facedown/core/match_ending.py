"""Endings of a match that its rules do not know: a player resigned, or all players agreed to end it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from facedown.core.game_module import GameModule
from facedown.core.grammar import PlayerPhrase, player_phrase
from facedown.core.i18n import _
from facedown.core.match_actions import RESIGN
from facedown.core.state import ABANDONED, DECIDED, State, copy
from facedown.core.table import Sitter, Table, TouchStep


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended early."""

    action: int
    """`RESIGN` or `AGREED_END`."""
    seat: int
    """Seat that resigned, or that proposed to end the match."""
    winners: tuple[int, ...]
    """Seats that won; empty if no seat did."""


def end_match(game: GameModule, state: State, action: int, seat: int, has_score: bool) -> tuple[State, Ending]:
    """Return the state of a match that ends early, and the ending. The argument `state` does not change.

    * A seat resigned: the other seat wins. In a cooperative game no seat wins.
    * All players agreed: the scores count as they are, so the seats with the highest score win. Before the first score,
      and in a cooperative game, the match ends without a result.
    """
    ended = copy(state)
    ended.acting = 0
    winners: tuple[int, ...] = ()
    if action == RESIGN and not game.info.together:
        winners = tuple(one for one in range(int(state.seats)) if one != seat)
    elif has_score and not game.info.together:
        scores = game.returns(state)
        winners = tuple(one for one, score in enumerate(scores) if score == max(scores))
    ended.over = DECIDED if winners else ABANDONED
    return ended, Ending(action, seat, winners)


def ended_table(table: Table, ending: Ending, sitters: Sequence[Sitter]) -> Table:
    """Return the table of the position in which a match ended early, changed so that it shows the result.

    `table` is the table as the game draws it while the match is running.
    """
    result = ending_sentence(table, ending, sitters)
    return replace(
        table,
        seats=tuple(panel._replace(acting=False, state="", done="") for panel in table.seats),
        step=TouchStep(result),
        scores=tuple(row._replace(winner=row.seat in ending.winners) for row in table.scores),
        slips=(),
        over=True,
        result=result,
        turn=None,
        winners=ending.winners,
    )


def ending_sentence(table: Table, ending: Ending, sitters: Sequence[Sitter]) -> str:
    """Return the result of a match that ended early, in one or two sentences for the viewer of `table`."""
    winners = player_phrase(sitters, ending.winners, table.viewer)
    if ending.action == RESIGN:
        who = player_phrase(sitters, ending.seat, table.viewer)
        if not ending.winners:
            return _("{who} resigned, so the game is lost.", who=who)
        return _("{who} resigned. {winner} {winner:win|wins|win|win}.", who=who, winner=winners)
    if not ending.winners:
        return _("The players agreed to end the match without a result.")
    points = next((row.total for row in table.scores if row.seat == ending.winners[0]), "")
    return _agreed_result(winners, points)


def _agreed_result(winners: PlayerPhrase, points: str) -> str:
    """Return the result of a match that the players agreed to end. `points` is empty if the game has no score list."""
    said = _("The players agreed to end the match.")
    if points:
        won = _("{winner} {winner:win|wins|win|win} with {points}.", winner=winners, points=points)
    else:
        won = _("{winner} {winner:win|wins|win|win}.", winner=winners)
    return f"{said} {won}"
