"""Replay of a finished match, move by move, as one viewer (a seat or a spectator) saw it: data for the replay's page.

The data contain only what this viewer could see at each time. A running match has no replay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import pairwise

from facedown.core.grammar import digits
from facedown.core.match import Match
from facedown.core.match_actions import is_game_action
from facedown.core.state import SPECTATOR
from facedown.core.table import LogLine, Sitter, Table, TouchStep, initial
from facedown.core.translation import lru_cache_by_language
from facedown.play import Seat, Session
from facedown.play.records import sitters_at_move
from facedown.server import rendering
from facedown.server.i18n import N_, _, run_in_thread
from facedown.server.rendering.template_helpers import text_for_unit
from facedown.study.review import round_index_by_ply

DEALT = N_("The cards are dealt.")
#: Text in place of a move that the viewer could not see.
UNSEEN = N_("This choice was secret.")
_MOVES_TITLES = {
    "round": N_("Moves in round {number}"),
    "hand": N_("Moves in hand {number}"),
    "game": N_("Moves in game {number}"),
}
#: Largest number of moves in a replay's list of moves, which shows one round. If the round has more moves, only those
#: around the current move are listed.
MAX_LISTED_MOVES = 60
#: Number of cached replays. Caching helps because the next request is usually for the same match, one move later.
CACHED_REPLAYS = 16


class Replay:
    """All positions of a finished match as one viewer saw them.

    Raises `ValueError` if the match is still running or the viewer's seat does not exist.
    """

    def __init__(
        self,
        match: Match,
        sitters: Sequence[Sitter],
        viewer: int,
        memory: bool = False,
        sitters_at: Callable[[int], Sequence[Sitter]] | None = None,
    ) -> None:
        if not match.over:
            raise ValueError("a running match is not replayed")
        if not (viewer == SPECTATOR or 0 <= viewer < match.seats):
            raise ValueError(f"there is no seat {viewer}")
        self.match = match
        self.sitters = tuple(sitters)
        self._sitters_at = sitters_at or (lambda number: self.sitters)
        """Function (number of a move, from 1) → the players who had the seats then."""
        self.viewer = viewer
        self._memory = memory
        self._steps = list(match.steps())
        self._rounds = round_index_by_ply(match, lambda ply: self._unmodified_table_after(ply).round)

    @cached_property
    def _log_lines_by_move(self) -> list[Sequence[LogLine]]:
        """Log lines of each move, as this viewer saw them."""
        return [step.lines(self.viewer, self._sitters_at(step.ply)) for step in self._steps]

    @property
    def last_ply(self) -> int:
        """Number of moves in the match, which is also the number of the last move."""
        return len(self._steps) - 1

    @property
    def round_count(self) -> int:
        """Number of rounds in the match, including an unfinished last one; 1 if the game does not number its rounds."""
        return self._rounds[-1] + 1

    def static_table_after(self, ply: int) -> Table:
        """Return the table after `ply` moves as the viewer saw it, but without anything to choose.

        The prompt is empty, no seat is marked as having to act, and "your turn" is removed from the subtitle. If it was
        another player's turn, the subtitle may still say so.
        """
        table = self._unmodified_table_after(ply)
        return replace(
            table,
            turn=None if table.your_turn else table.turn,
            seats=tuple(panel._replace(acting=False, state="", done="") for panel in table.seats),
            step=TouchStep(""),
            panels=tuple(panel for panel in table.panels if panel.kind != "steps"),
            slips=(),
        )

    def _unmodified_table_after(self, ply: int) -> Table:
        return self._steps[ply].views.table(self.viewer, self._sitters_at(ply + 1), self._memory)

    def moment_at(self, ply: int, code: str, own: int | None = None) -> rendering.ReplayMoment:
        """Return all that the page shows around the table after `ply` moves.

        The result has the last move in words, the number of moves, the seats whose view can be chosen, the list of
        moves in the current round, and a chart of the scores.

        `code` is the code of the table. `own` is the visitor's seat in the match; None if the visitor did not play.
        Raise `ValueError` if `ply` is negative or the match has fewer moves.
        """
        if not 0 <= ply <= self.last_ply:
            raise ValueError(f"this match has moves 0 to {self.last_ply}, not {ply}")
        unit = self.match.game.info.unit
        number = self._rounds[ply]
        several = self._rounds[-1] > 0
        names = [_("You") if seat == own else sitter.name for seat, sitter in enumerate(self.sitters)]
        return rendering.ReplayMoment(
            code=code,
            ply=ply,
            last=self.last_ply,
            heading=self._last_move_description(ply),
            where=_("Move {number} of {last}", number=ply, last=self.last_ply),
            whose=self._perspective_text(own),
            eyes=tuple(
                rendering.Viewpoint(seat, names[seat], initial(names[seat]), sitter.bot)
                for seat, sitter in enumerate(self.sitters)
            ),
            chosen=self.viewer,
            moves_title=_(text_for_unit(unit, _MOVES_TITLES), number=number + 1) if several else _("Moves"),
            moves=tuple(self._nearby_moves_of_round(ply)),
            strip=rendering.score_strip(
                self._score_curve,
                self._round_end_fractions,
                [initial(name) for name in names],
                self.viewer if own is None else own,
            ),
        )

    def _last_move_description(self, ply: int) -> str:
        if not ply:
            return _(DEALT)
        if self._steps[ply].views.ending is not None:
            return self._unmodified_table_after(ply).result
        if self._log_lines_by_move[ply]:
            return " ".join(line.text for line in self._log_lines_by_move[ply])
        move = self.match.moves[ply - 1]
        # A take-back has no log line for viewers who did not see the moves that it undid.
        is_public = is_game_action(move.action) and self.match.game.tables.is_public_action(move.action)
        if move.seat != self.viewer and not is_public:
            return _(UNSEEN)
        if move.seat != self.viewer:
            # The action was public but has no log line; usually the player continued after a round. Do not describe the
            # action from the view of the player who took it, which could disclose more than this viewer knows.
            return _("{name} continued.", name=f"**{self._sitters_at(ply)[move.seat].name}**")
        done = self.match.game.action_phrase(
            self._steps[ply - 1].views.known(self.viewer), move.action, self.sitters
        ).past
        return _("{name} {did}.", name="**" + _("You") + "**", did=done)

    def _perspective_text(self, own: int | None) -> str:
        if self.viewer == SPECTATOR:
            return _("as everyone saw it")
        if self.viewer == own:
            return _("as you saw it")
        name = self.sitters[self.viewer].name
        return _("as {name} saw it (“you” means {name})", name=name)

    def _nearby_moves_of_round(self, ply: int) -> list[rendering.ReplayMove]:
        here = [
            at
            for at in range(1, self.last_ply + 1)
            if self._rounds[at] == self._rounds[ply] and self._log_lines_by_move[at]
        ]
        first = max(0, min(sum(at <= ply for at in here) - MAX_LISTED_MOVES // 2, len(here) - MAX_LISTED_MOVES))
        return [
            rendering.ReplayMove(at, line.number, line.text, "now" if at == ply else "to-come" if at > ply else "")
            for at in here[first : first + MAX_LISTED_MOVES]
            for line in self._log_lines_by_move[at]
        ]

    @cached_property
    def _round_end_fractions(self) -> list[float]:
        """End of each round as a fraction of the match's moves, from 0 to 1."""
        return [at / max(1, self.last_ply) for at in self._last_plies_of_rounds]

    @cached_property
    def _score_curve(self) -> list[tuple[float, list[float]]]:
        """Scores at the deal and after each round, as (fraction of the match's moves, score of each seat).

        Empty if the game has no running scores.
        """
        points = [(0.0, [0.0] * len(self.sitters))]
        for end, at in zip(self._round_end_fractions, self._last_plies_of_rounds, strict=True):
            rows = sorted(self._unmodified_table_after(at).scores, key=lambda row: row.seat)
            if len(rows) < len(self.sitters):
                return []
            points.append((end, [float(row.points) for row in rows]))
        return points

    @cached_property
    def round_scores(self) -> tuple[rendering.SeatRoundScores, ...]:
        """Points of each seat in each round, and the seat's total; empty if the game has no running scores.

        If the match ended early, a last round in which no seat has got points is left out.
        """
        totals = [each for _, each in self._score_curve]
        each_round = [[after - before for before, after in zip(*pair, strict=True)] for pair in pairwise(totals)]
        if self.match.views.ending is not None and each_round and not any(each_round[-1]):
            each_round.pop()
        if not each_round:
            return ()
        # The leader at the end of a round shows whether a high or a low score is better in this game.
        unequal = max((number for number, each in enumerate(totals) if len(set(each)) > 1), default=1)
        returns = self.match.game.returns(self._steps[self._last_plies_of_rounds[unequal - 1]].after)
        best = max if totals[unequal][returns.index(max(returns))] == max(totals[unequal]) else min
        return tuple(
            rendering.SeatRoundScores(
                seat,
                tuple((digits(round(got[seat])), got[seat] == best(got) and len(set(got)) > 1) for got in each_round),
                digits(round(totals[-1][seat])),
            )
            for seat in range(self.match.seats)
        )

    @cached_property
    def _last_plies_of_rounds(self) -> list[int]:
        """For each round, the number of its last move. The moves are numbered from 1 over the whole match."""
        return [at for at in range(self.last_ply) if self._rounds[at] != self._rounds[at + 1]] + [self.last_ply]


@lru_cache_by_language(CACHED_REPLAYS)
def _cached_replay(match: Match, seats: tuple[Seat, ...], viewer: int, memory: bool) -> Replay:
    sitters = [Sitter(seat.name, seat.kind == "bot") for seat in seats]
    return Replay(match, sitters, viewer, memory, partial(sitters_at_move, seats))


async def replay_of(session: Session, viewer: int) -> Replay:
    """Return the replay of a finished match as `viewer` (a seat or `SPECTATOR`) saw it.

    A new replay is computed in a thread, so that it does not block the event loop. The last `CACHED_REPLAYS` replays
    are cached. Raise `Refusal` if the match is not finished, and `ValueError` if the seat `viewer` does not exist.
    """
    match = session.require_ended_match(_("This match isn’t over yet. You can replay it once it ends."))
    seats, memory = session.record.seats, session.record.settings.memory
    return await run_in_thread(_cached_replay, match, seats, viewer, memory)
