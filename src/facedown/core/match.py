"""A match is game + options + seed + actions: it replays exactly.

The seed (32 bytes from the operating system) *is* the key of every shuffle. Its commitment, a SHA-256 hash, is
published before the deal and the seed when the match ends, so that anyone can check that the deal was not changed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

import numpy as np

from facedown.core import game_registry as registry
from facedown.core import state as records
from facedown.core.game_module import GameModule
from facedown.core.i18n import N_, _
from facedown.core.seeds import commitment_of, new_seed
from facedown.core.state import ABANDONED, RUNNING, State, View
from facedown.core.step import Move as Move
from facedown.core.step import Step, Views
from facedown.core.table import LogLine, Sitter, Table

#: No seat is named: chance picks who deals or starts.
BY_CHANCE = -1


class IllegalMove(ValueError):
    """A move the rules do not allow now; the text says why. Nothing was changed."""


class DealError(ValueError):
    """An explicit deal that this deck cannot give."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended."""

    returns: tuple[float, ...]
    """The final score of each seat, higher is better."""
    winners: tuple[int, ...]
    """The seats whose score nobody exceeds; nobody where the match was given up."""
    abandoned: bool
    """Did it end at the engine's guard?"""


class Match:
    """A running or finished match.

    `deal` names the first cards of the first deck (kinds, from the top), `first` the seat that chance would pick
    (dealer or start player): with both, a constructed or physical position can be played on.

    >>> from facedown.core.game_registry import catalogue
    >>> from facedown.core.seeds import seed_from_text
    >>> name = next(iter(catalogue()))
    >>> match = Match(name, 2, seed=seed_from_text("tea"))
    >>> step = match.play(0, match.legal(0)[0])
    >>> match.ply, int(match.known(1).viewer)
    (1, 1)

    Raises:
        UnknownGame, OptionError, DealError: There is no such match; the text says why.
        ValueError: The seed has not 32 bytes.
        TypeError: The number of seats is none, or the seed is no bytes: `seed_from_text` makes a seed of a text.
    """

    def __init__(
        self,
        game: GameModule | str,
        seats: int,
        options: dict[str, str] | None = None,
        seed: bytes | None = None,
        deal: Sequence[int] = (),
        first: int = BY_CHANCE,
    ) -> None:
        self.game = registry.game(game) if isinstance(game, str) else game
        self.seats = seats
        _check_whole("the number of seats", seats)
        self.options = self.game.check_options(seats, options or {})
        if not isinstance(seed, bytes | None):
            raise TypeError(f"a seed is 32 bytes, not {seed!r}; seed_from_text makes a seed of a text")
        self.seed = new_seed() if seed is None else seed
        self.deal = tuple(deal)
        self.first = first
        if not BY_CHANCE <= first < seats:
            raise DealError(_("there is no seat {first} to be first at a table of {seats}", first=first, seats=seats))
        check_deal(self.game, seats, self.options, self.deal)
        self.moves: list[Move] = []
        self.views = self._deal_views()
        """The position as it stands, as each viewer has it."""

    def _deal_views(self) -> Views:
        state = self.game.undealt_state(self.seats, self.options, self.seed)
        self.game.rules.deal(state, np.array(self.deal, np.int64), self.first)
        return Views(self.game, state)

    # --- as a value -------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        how = "abandoned" if self.abandoned else f"over, {self.returns}" if self.over else f"{self.acting} to act"
        return f"<Match of {self.game.name}, {self.seats} seats, {self.ply} moves, {how}>"

    def _identity(self) -> tuple[Any, ...]:
        """What the match was made of; the moves are compared beside it."""
        return self.game.name, self.seats, tuple(sorted(self.options.items())), self.seed, self.deal, self.first

    def __eq__(self, other: object) -> bool:
        """Is it the same match: game, seats, options, deal and all moves?"""
        if not isinstance(other, Match):
            return NotImplemented
        return self._identity() == other._identity() and self.moves == other.moves

    def __hash__(self) -> int:
        # Without the moves, so that it stays the same while the match goes on.
        return hash(self._identity())

    def __copy__(self) -> Match:
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.options, twin.moves = dict(self.options), list(self.moves)
        return twin

    def copy(self) -> Match:
        """The same match, to be played on independently."""
        return copy(self)

    def __getstate__(self) -> dict[str, Any]:
        kept = {**self.__dict__, "game": self.game.name}
        kept["state"] = kept.pop("views").state.tobytes()
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        state = kept.pop("state")
        self.__dict__.update(kept)
        self.game = registry.game(kept["game"])
        self.state = np.frombuffer(bytearray(state), self.game.dtype)[0]

    # --- playing ----------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The position as it stands, with every secret in it. It is replaced by a move, never changed."""
        return self.views.state

    @state.setter
    def state(self, state: State) -> None:
        self.views = Views(self.game, state)

    def forget_views(self) -> None:
        """Keep the position alone: what viewers see of it is made anew when somebody asks."""
        self.state = self.state

    @property
    def over(self) -> bool:
        """Has the match ended?"""
        return int(self.state.over) != RUNNING

    @property
    def abandoned(self) -> bool:
        """Did it end at the engine's guard, with no winner?"""
        return int(self.state.over) == ABANDONED

    @property
    def ply(self) -> int:
        """How many actions were played."""
        return len(self.moves)

    @property
    def acting(self) -> list[int]:
        """The seats that are to act."""
        return self.game.acting(self.state)

    @property
    def returns(self) -> list[float]:
        """The final scores, higher is better; `ValueError` while the match goes on."""
        if not self.over:
            raise ValueError("the match is not over")
        return self.game.returns(self.state)

    @property
    def result(self) -> Result | None:
        """How the match ended, or None while it goes on."""
        if not self.over:
            return None
        returns = tuple(self.returns)
        winners = tuple(seat for seat, score in enumerate(returns) if score == max(returns))
        return Result(returns, () if self.abandoned else winners, self.abandoned)

    def legal(self, seat: int) -> list[int]:
        """The legal actions of a seat, ascending; none if it is not to act. `IllegalMove` if there is no such seat."""
        self._check_seat(seat)
        return list(self.views.legal(seat))

    def legal_words(self, seat: int) -> list[str]:
        """The legal actions of a seat in the words that `push` reads."""
        return [self.game.words.words(action) for action in self.legal(seat)]

    def _check_seat(self, seat: int) -> None:
        _check_whole("a seat", seat)
        if not 0 <= seat < self.seats:
            raise IllegalMove(_("there is no seat {seat} at a table of {seats}", seat=seat, seats=self.seats))

    def play(self, seat: int, action: int) -> Step:
        """Play an action; `IllegalMove` says why it cannot be played, and then nothing has changed.

        `TypeError` for an action in words: `push` plays these.
        """
        step = self.compute_step(seat, action)
        self.apply_step(step)
        return step

    def push(self, words: str, seat: int | None = None) -> Step:
        """Play an action in words, for the lowest seat that is to act unless `seat` names another.

        >>> from facedown.core.game_registry import catalogue
        >>> match = Match(next(iter(catalogue())), 2, seed=bytes(32))
        >>> step = match.push(match.legal_words(match.acting[0])[0])
        >>> match.ply
        1

        Raises:
            IllegalMove: It cannot be played now; the text says why.
            ValueError: The words name no action; the text says why.
        """
        if seat is None and not self.over:
            seat = self.acting[0]
        return self.play(seat or 0, self.game.words.parse(words))

    def compute_step(self, seat: int, action: int) -> Step:
        """What playing an action comes to; nothing is changed by it. `IllegalMove` says why it cannot be played."""
        self.check(seat, action)
        return self._step(self.views, self.ply + 1, Move(int(seat), int(action)))

    def apply_step(self, step: Step) -> None:
        """Go on to a step that `compute_step` made of this very position; `ValueError` for any other."""
        if step.move is None or step.before is not self.views or step.ply != self.ply + 1:
            raise ValueError(f"step {step.ply} does not follow this position")
        self.moves.append(step.move)
        self.views = step.views

    def _step(self, before: Views, ply: int, move: Move) -> Step:
        state = records.copy(before.state)
        self.game.rules.apply(state, move.seat, move.action)
        return Step(ply, move, before, Views(self.game, state))

    def undo(self) -> Move:
        """Take the last move back and return it; `IllegalMove` if there is none. The seed stays the same."""
        if not self.moves:
            raise IllegalMove(_("there is no move to take back"))
        last = self.moves.pop()
        self.views = self._replayed()
        return last

    def check(self, seat: int, action: int) -> None:
        """Raise `IllegalMove` if the action cannot be played now; `TypeError` for a seat or action of another type."""
        _check_whole("an action", action, "; match.push plays one in words")
        if self.over:
            raise IllegalMove(_("the match is over"))
        self._check_seat(seat)
        if seat not in self.acting:
            raise IllegalMove(_("it is not the turn of seat {seat}", seat=seat))
        if not 0 <= action < self.game.actions:
            wrong = N_("there is no action {action}: they go from 0 to {actions}")
            raise IllegalMove(_(wrong, action=action, actions=self.game.actions - 1))
        if action not in self.views.legal(seat):
            move = self.game.words.words(action)
            why = self.game.why_not(self.known(seat), action)
            raise IllegalMove(_("{move!r} is not allowed now. {why}", move=move, why=why))

    # --- what is seen -----------------------------------------------------------------------------------------------

    def known(self, viewer: int) -> View:
        """All that a viewer knows (bots, hints)."""
        return self.views.known(viewer)

    def shown(self, viewer: int) -> View:
        """What a viewer may look at now (people)."""
        return self.views.shown(viewer)

    def table(self, viewer: int, sitters: Sequence[Sitter] | None = None, memory_aid: bool = False) -> Table:
        """What a viewer is shown, without the log; ``print`` writes it as text. Default names: Seat 0, Seat 1, ..."""
        names = [Sitter(f"Seat {seat}") for seat in range(self.seats)] if sitters is None else sitters
        return self.views.table(viewer, names, memory_aid)

    def svg(self, viewer: int) -> str:
        """Draw what a viewer is shown as an SVG picture, by the package's entry point in ``facedown.pictures``."""
        (drawing,) = entry_points(group="facedown.pictures")
        picture: str = drawing.load()(self.table(viewer))
        return picture

    def steps(self) -> Iterator[Step]:
        """The deal and each move, replayed."""
        views = self._deal_views()
        yield Step(0, None, None, views)
        for ply, move in enumerate(self.moves, 1):
            step = self._step(views, ply, move)
            yield step
            views = step.views

    def log(self, viewer: int, sitters: Sequence[Sitter]) -> list[LogLine]:
        """Everything that happened, as this viewer saw it happen."""
        return [line for step in self.steps() for line in step.lines(viewer, sitters)]

    def at(self, ply: int) -> Match:
        """The same match as it stood after `ply` moves; `ValueError` if there were not so many."""
        if not 0 <= ply <= self.ply:
            raise ValueError(f"this match has moves 0 to {self.ply}, not {ply}")
        earlier = self.copy()
        del earlier.moves[ply:]
        earlier.views = earlier._replayed()
        return earlier

    def _replayed(self) -> Views:
        return deque(self.steps(), maxlen=1)[0].views

    @property
    def commitment(self) -> str:
        """The published hash of the seed."""
        return commitment_of(self.seed)


def _check_whole(what: str, given: object, advice: str = "") -> None:
    if not hasattr(given, "__index__"):
        raise TypeError(f"{what} is a whole number, not {given!r}{advice}")


def move_log_lines(
    game: GameModule, before: State, after: State, move: Move, viewer: int, sitters: Sequence[Sitter]
) -> Sequence[LogLine]:
    """The log lines of one move from a state to the next for one viewer, computed from that viewer's views alone."""
    return Step(0, move, Views(game, before), Views(game, after)).lines(viewer, sitters)


def check_deal(game: GameModule, seats: int, options: dict[str, str], deal: Sequence[int]) -> None:
    """Raise `DealError` if the deck has not got the cards of an explicit deal.

    Where cards can be dealt either way up, the rules' ``plain`` gives the kind of a card that lies turned.
    """
    left = game.deck(seats, options)
    for card in deal:
        kind = game.rules.unturned_kind(card)
        if not 0 <= kind < len(left):
            raise DealError(_("there is no card number {card} in {title}", card=card, title=game.info.title))
        left[kind] -= 1
        if left[kind] < 0:
            have, word = int(game.deck(seats, options)[kind]), game.words.card_word(kind)
            raise DealError(_("the deck has {have} of {card_word}, the deal names more", have=have, card_word=word))
