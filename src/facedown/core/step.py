"""One move of a match, made once: the state after it, and what each viewer sees of it.

Whoever follows a match (a session, a viewer's log, a replay, a review, the terminal, an export) is given `Step` after
`Step`. A step's views are made when somebody first asks for them, once for each viewer and kind, and kept as long as
the step is: the views after one move are the views before the next.
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
    """A state that changes no more, and what follows from it: views and legal actions, each worked out once."""

    __slots__ = ("game", "known", "legal", "shown", "state")

    def __init__(self, game: GameModule, state: State) -> None:
        self.game = game
        self.state = state
        self.known: Callable[[int], View] = cache(partial(known_view, state))
        """All that a viewer (a seat or `SPECTATOR`) knows."""
        self.shown: Callable[[int], View] = cache(partial(shown_view, state))
        """What a viewer may look at now."""
        self.legal: Callable[[int], tuple[int, ...]] = cache(lambda seat: tuple(game.legal(state, seat)))
        """The legal actions of a seat, ascending; none if it is not to act."""

    def person_view(self, viewer: int, memory_aid: bool) -> View:
        """What a person is shown: all they know where the memory aid is on, else what they may look at now."""
        return self.known(viewer) if memory_aid else self.shown(viewer)

    def table(self, viewer: int, sitters: Sequence[Sitter], memory_aid: bool = False) -> Table:
        """What a viewer is shown, without the log; made anew each time."""
        return self.game.tables.table(self.person_view(viewer, memory_aid), sitters)


@dataclass(frozen=True, slots=True)
class Step:
    """A move that was made: what was before it, the move, and what is after it. The deal is a step without a move."""

    ply: int
    """How many moves were made with it; 0 is the deal."""
    move: Move | None
    before: Views | None
    """The views before the move; None before the deal."""
    views: Views
    """The views after it."""

    @property
    def after(self) -> State:
        """The state after the move. It is everybody's: who wants to change it takes a copy."""
        return self.views.state

    def lines(self, viewer: int, sitters: Sequence[Sitter]) -> Sequence[LogLine]:
        """The log lines of the move for one viewer, computed from that viewer's views alone; none for the deal."""
        if self.move is None or self.before is None:
            return ()
        tables, move = self.views.game.tables, self.move
        action = move.action if move.seat == viewer or tables.is_public_action(move.action) else None
        happening = ObservedAction(self.before.shown(viewer), self.views.shown(viewer), viewer, move.seat, action)
        return tables.tell(happening, sitters)

    def is_visible_to(self, viewer: int, memory_aid: bool) -> bool:
        """Does the position look different to the viewer after the move? The deal does."""
        if self.before is None:
            return True
        old, new = self.before.person_view(viewer, memory_aid), self.views.person_view(viewer, memory_aid)
        return to_bytes(old) != to_bytes(new)
