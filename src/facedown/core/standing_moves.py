"""Standing moves: the latest moves of a match that have not been taken back, and whether a move can be taken back.

A player may take back their own last move, together with all moves since, as long as no viewer learned anything hidden
from these moves (`viewers_who_learned`). Then every viewer knows as much after the take-back as before the move.
"""

from __future__ import annotations

from collections import deque
from copy import copy
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import Move
from facedown.core.disclosures import disclosed_fields
from facedown.core.game_module import GameModule
from facedown.core.hidden_cards import known_view
from facedown.core.i18n import _
from facedown.core.state import EMPTY, OPEN, RUNNING, SPECTATOR, State, View, to_bytes
from facedown.core.state import copy as copy_of_state

#: Number of latest moves among which a player can take back their own.
MAX_KEPT = 32


@dataclass(slots=True)
class StandingMove:
    """A move that has not been taken back, with the states before and after it."""

    move: Move
    before: State
    after: State
    had_score: bool = False
    """Whether a round had been scored before the move."""
    learned: frozenset[int] | None = None
    """Viewers who learned something hidden by the move; None if this has not been computed yet."""


class StandingMoves:
    """The latest `MAX_KEPT` moves of a match that have not been taken back."""

    def __init__(self, game: GameModule) -> None:
        self._game = game
        self._moves: deque[StandingMove] = deque(maxlen=MAX_KEPT)
        self.has_score = False
        """Whether a round has been scored."""

    def copy(self) -> StandingMoves:
        """Return an independent copy."""
        twin = copy(self)
        twin._moves = self._moves.copy()
        return twin

    def add(self, move: Move, before: State, after: State) -> None:
        """Add a move of the game."""
        self._moves.append(StandingMove(move, before, after, self.has_score))
        phases = self._game.tables.phases
        self.has_score |= bool(phases) and phases[cast(View, after).phase] == "scoring"

    def since_last_move_of(self, seat: int) -> list[StandingMove]:
        """Return the last move of a seat and all moves since, in the order of play; empty if the seat has none here."""
        counts = (count for count, one in enumerate(reversed(self._moves), 1) if one.move.seat == seat)
        count = next(counts, 0)
        return list(self._moves)[-count:] if count else []

    def why_not_take_back(self, seat: int) -> str:
        """Return the reason why a seat cannot take back its last move, in one sentence; empty if it can.

        The sentence says only whether the player or another viewer has seen something hidden. All players can tell this
        from the moves (`check.take_back_leaks`).
        """
        moves = self.since_last_move_of(seat)
        if not moves:
            return _("You have no move to take back.")
        learned: frozenset[int] = frozenset()
        for one in moves:
            if one.learned is None:
                one.learned = viewers_who_learned(self._game, one.move, one.before, one.after)
            learned |= one.learned
        if seat in learned:
            return _("You’ve seen something hidden since your last move, so it stays.")
        return _("Others have seen something hidden since your last move, so it stays.") if learned else ""

    def state_before_last_move_of(self, seat: int) -> State:
        """Return the state before the last move of a seat. The seat must have a move here."""
        return self.since_last_move_of(seat)[0].before

    def seats_who_notice_take_back(self, seat: int, now: State) -> frozenset[int]:
        """Return the seats whose knowledge would change by a take-back of the last move of `seat`.

        `now` is the present state. Other seats did not see the move, so they must not learn of the take-back either.
        """
        before = self.state_before_last_move_of(seat)
        seats = range(int(now.seats))
        if before.acting != now.acting:
            # All seats see whose turn it is.
            return frozenset(seats)
        return frozenset(one for one in seats if to_bytes(known_view(before, one)) != to_bytes(known_view(now, one)))

    def remove_since_last_move_of(self, seat: int) -> None:
        """Remove the last move of a seat and all moves since."""
        removed = self.since_last_move_of(seat)
        for _one in removed:
            self._moves.pop()
        self.has_score = removed[0].had_score


def viewers_who_learned(game: GameModule, move: Move, before: State, after: State) -> frozenset[int]:
    """Return the viewers (seats and `SPECTATOR`) who learned something hidden by a move from `before` to `after`.

    A viewer has learned something hidden in these cases:

    * The viewer knows a card that the viewer did not know before.
    * The game declares that the move disclosed a hidden card to the viewer (`core.disclosures`).
    * The move opened secret choices, and what the viewer sees then depends on the choice of another seat.
    * The game chose something at random, such as the order of a shuffled pile. This counts for all viewers.
    * The match ended. This counts for all viewers, because the seed of the deal is then published.

    In all other cases, what a viewer sees after a move follows from what the viewer saw before it, and from the choice
    of the player (this is checked for every game: `check.take_back_leaks`).
    """
    viewers = (*range(int(before.seats)), SPECTATOR)
    if int(before.stream) != int(after.stream) or int(after.over) != RUNNING:
        return frozenset(viewers)
    learned = {viewer for viewer in viewers if _knows_new_card(before, after, viewer)}
    # Making views takes time, so make them only for the games that need them.
    if told := game.rules.disclosures:
        views = ((viewer, known_view(before, viewer), known_view(after, viewer)) for viewer in viewers)
        learned |= {viewer for viewer, had, has in views if disclosed_fields(told, had, has)}
    for seat in _seats_with_opened_choices(move, before, after):
        others = _states_after_other_choices(game, move, before, seat)
        for viewer in set(viewers) - learned - {seat}:
            seen = to_bytes(known_view(after, viewer))
            learned |= {viewer for other in others if to_bytes(known_view(other, viewer)) != seen}
    return frozenset(learned)


def _knows_new_card(before: State, after: State, viewer: int) -> bool:
    """Return whether the viewer knows more cards of some kind in the state `after` than in the state `before`."""
    had, has = (_known_card_counts(state, viewer) for state in (before, after))
    return bool((has > had).any())


def _known_card_counts(state: State, viewer: int) -> NDArray[np.int64]:
    """Return the number of cards of each kind that the viewer knows, by kind."""
    card, known = np.asarray(state.card), np.asarray(state.known)
    return np.bincount(card[(known >> viewer & 1 == 1) & (card < EMPTY)], minlength=EMPTY)


def _seats_with_opened_choices(move: Move, before: State, after: State) -> list[int]:
    """Return the seats whose secret choices a move opened; the seat that made the last choice is one of them."""
    opened = [seat for seat in range(int(before.seats)) if before.sealed[seat] != OPEN and after.sealed[seat] == OPEN]
    return [*opened, move.seat] if opened else []


def _states_after_other_choices(game: GameModule, move: Move, before: State, seat: int) -> list[State]:
    """Return the states after a move that opens secret choices, one for each other choice that `seat` could have made.

    `seat` is the seat of the move, or a seat whose choice was secret until the move.
    """
    unsealed = copy_of_state(before)
    unsealed.sealed[seat] = OPEN
    unsealed.acting |= 1 << seat
    found = []
    for action in game.legal(unsealed, seat):
        if action != (move.action if seat == move.seat else before.sealed[seat]):
            other = copy_of_state(before)
            if seat == move.seat:
                game.rules.apply(other, seat, action)
            else:
                other.sealed[seat] = action
                game.rules.apply(other, move.seat, move.action)
            found.append(other)
    return found
