"""One move of a match: the state after it, and each viewer's views before and after it.

Live tables, viewers' logs, replays, reviews, the terminal and exports all process a match as a series of `Step`
objects. A step computes each view on first use and caches it. The views after one move are also the views before the
next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from facedown.core.actions import Move as Move
from facedown.core.game_module import GameModule, ObservedAction
from facedown.core.hidden_cards import known_view, shown_view
from facedown.core.match_actions import is_game_action, match_action_line
from facedown.core.match_ending import Ending, ended_table
from facedown.core.state import State, View, to_bytes
from facedown.core.table import LogLine, Sitter, Table


class Views:
    """An immutable state, with the view of each viewer and the legal actions of each seat.

    Views and legal actions are computed on first use and cached.
    """

    __slots__ = ("_running", "ending", "game", "known", "legal", "shown", "state")

    def __init__(
        self, game: GameModule, state: State, ending: Ending | None = None, running: Views | None = None
    ) -> None:
        self.game = game
        self.state = state
        self.ending = ending
        """How the match ended, if a player resigned or all players agreed to end it; else None."""
        self._running = running
        """The position in which the match ended, while it was still running. The game can draw only that one."""
        self.known: Callable[[int], View] = cache(partial(known_view, state))
        """Function (viewer) → the view of all that a viewer (a seat or `SPECTATOR`) knows."""
        self.shown: Callable[[int], View] = cache(partial(shown_view, state))
        """Function (viewer) → the view of what is visible to a viewer at this moment."""
        self.legal: Callable[[int], tuple[int, ...]] = cache(lambda seat: tuple(game.legal(state, seat)))
        """Function (seat) → the legal actions of a seat, ascending; empty if it is not to act."""

    def person_view(self, viewer: int, memory_aid: bool) -> View:
        """Return the view that the page shows to a person.

        With `memory_aid` the view has all cards that the person knows, including those seen earlier. Otherwise it has
        only the cards that are visible to the person at this moment.
        """
        return self.known(viewer) if memory_aid else self.shown(viewer)

    def table(self, viewer: int, sitters: Sequence[Sitter], memory_aid: bool = False) -> Table:
        """Return the table that a viewer sees, without the log.

        With `memory_aid` the table shows all cards that the viewer knows, including those seen earlier. Each call
        builds a new table. Only the views are cached.
        """
        if self.ending is not None and self._running is not None:
            return ended_table(self._running.table(viewer, sitters, memory_aid), self.ending, sitters)
        return self.game.tables.table(self.person_view(viewer, memory_aid), sitters)


@dataclass(frozen=True, slots=True)
class Step:
    """A move, together with the state and every viewer's view before and after it.

    The deal that begins a match is a step without a move.
    """

    ply: int
    """Number of moves including this one; 0 for the deal."""
    move: Move | None
    before: Views | None
    """State and every viewer's view before the move; None for the deal."""
    views: Views
    """State and every viewer's view after the move."""

    @property
    def after(self) -> State:
        """State after the move. It is shared; copy it before changing it."""
        return self.views.state

    def lines(self, viewer: int, sitters: Sequence[Sitter]) -> Sequence[LogLine]:
        """Return one viewer's log lines for the move, computed from that viewer's views alone; empty for the deal."""
        if self.move is None or self.before is None:
            return ()
        tables, move = self.views.game.tables, self.move
        if not is_game_action(move.action):
            # Others must not learn of a take-back if they could not see the move either.
            hidden = viewer != move.seat and not self._changes_knowledge_of(viewer)
            return () if hidden else (match_action_line(move.action, move.seat, viewer, tuple(sitters)),)
        action = move.action if move.seat == viewer or tables.is_public_action(move.action) else None
        happening = ObservedAction(self.before.shown(viewer), self.views.shown(viewer), viewer, move.seat, action)
        return tables.tell(happening, sitters)

    def _changes_knowledge_of(self, viewer: int) -> bool:
        """Return whether what the viewer knows after the move differs from what the viewer knew before it."""
        return self.before is None or to_bytes(self.before.known(viewer)) != to_bytes(self.views.known(viewer))

    def is_visible_to(self, viewer: int, memory_aid: bool) -> bool:
        """Return whether the viewer's view after the move differs from the one before. For the deal, return True.

        The views are those of `Views.person_view`. With `memory_aid` they have all cards that the viewer knows,
        including those seen earlier. Otherwise they have only the cards that are visible at the moment.
        """
        if self.before is None:
            return True
        old, new = self.before.person_view(viewer, memory_aid), self.views.person_view(viewer, memory_aid)
        return to_bytes(old) != to_bytes(new)
