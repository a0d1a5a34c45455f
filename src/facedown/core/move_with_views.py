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
from facedown.core.state import State, View, to_bytes
from facedown.core.table import LogLine, Sitter, Table


class Views:
    """An immutable state, with the view of each viewer and the legal actions of each seat.

    Views and legal actions are computed on first use and cached.
    """

    __slots__ = ("game", "known", "legal", "shown", "state")

    def __init__(self, game: GameModule, state: State) -> None:
        self.game = game
        self.state = state
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
        action = move.action if move.seat == viewer or tables.is_public_action(move.action) else None
        happening = ObservedAction(self.before.shown(viewer), self.views.shown(viewer), viewer, move.seat, action)
        return tables.tell(happening, sitters)

    def is_visible_to(self, viewer: int, memory_aid: bool) -> bool:
        """Return whether the viewer's view after the move differs from the one before. For the deal, return True.

        The views are those of `Views.person_view`. With `memory_aid` they have all cards that the viewer knows,
        including those seen earlier. Otherwise they have only the cards that are visible at the moment.
        """
        if self.before is None:
            return True
        old, new = self.before.person_view(viewer, memory_aid), self.views.person_view(viewer, memory_aid)
        return to_bytes(old) != to_bytes(new)
