"""A match is game + options + seed + actions: it replays exactly.

The seed (32 bytes from the operating system) *is* the key of every shuffle. Its commitment, a SHA-256 hash, is
published before the deal and the seed when the match ends, so that anyone can check that the deal was not changed.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core import game as registry
from facedown.core import state as records
from facedown.core.chance import key_of
from facedown.core.game import Game, Happening
from facedown.core.slots import look, observe
from facedown.core.state import ABANDONED, RUNNING
from facedown.core.table import Line, Sitter, Table

SEED_BYTES = 32
#: No seat is named: chance picks who deals or starts.
BY_CHANCE = -1


class IllegalMove(ValueError):
    """A move the rules do not allow now; the text says why. Nothing was changed."""


class DealError(ValueError):
    """An explicit deal that this deck cannot give."""


def new_seed() -> bytes:
    """256 random bits from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def seed_from_text(text: str) -> bytes:
    """The seed for a text: 64 hex digits are the seed itself, anything else is hashed.

    >>> seed_from_text("42").hex()[:16]
    '73475cb40a568e8d'
    """
    word = text.strip().lower()
    if len(word) == 2 * SEED_BYTES and all(c in "0123456789abcdef" for c in word):
        return bytes.fromhex(word)
    return hashlib.sha256(text.encode()).digest()


def commitment_of(seed: bytes) -> str:
    """What is published of a seed before the deal."""
    return "sha256:" + hashlib.sha256(b"facedown commitment\n" + seed).hexdigest()


@dataclass(frozen=True, slots=True)
class Move:
    """One action of one seat."""

    seat: int
    action: int


class Match:
    """A running or finished match.

    `deal` names the first cards of the first deck (kinds, from the top), `first` the seat that chance would pick
    (dealer or start player): with both, a constructed or physical position can be played on.
    """

    def __init__(
        self,
        game: Game | str,
        seats: int,
        options: dict[str, str] | None = None,
        seed: bytes | None = None,
        deal: Sequence[int] = (),
        first: int = BY_CHANCE,
    ) -> None:
        self.game = registry.game(game) if isinstance(game, str) else game
        self.seats = seats
        self.options = self.game.check_options(seats, options or {})
        self.seed = new_seed() if seed is None else seed
        self.deal = tuple(deal)
        self.first = first
        if not BY_CHANCE <= first < seats:
            raise DealError(f"there is no seat {first} to be first at a table of {seats}")
        check_deal(self.game, seats, self.options, self.deal)
        self.moves: list[Move] = []
        self.state = self._start()

    def _start(self) -> Any:
        state = records.blank(self.game.dtype)
        self.game.rules.deal(
            state,
            self.seats,
            self.game.info.options.encode(self.options),
            key_of(self.seed),
            np.array(self.deal, np.uint8),
            self.first,
        )
        return state

    # --- as a value -------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        how = "abandoned" if self.abandoned else f"over, {self.returns}" if self.over else f"{self.acting} to act"
        return f"<Match of {self.game.name}, {self.seats} seats, {self.ply} moves, {how}>"

    def __getstate__(self) -> dict[str, Any]:
        kept = {**self.__dict__, "game": self.game.name}
        kept["state"] = self.state.tobytes()
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.game = registry.game(kept["game"])
        self.moves = list(kept["moves"])
        self.options = dict(kept["options"])
        self.state = np.frombuffer(bytearray(kept["state"]), self.game.dtype)[0]

    # --- playing ----------------------------------------------------------------------------------------------------

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

    def legal(self, seat: int) -> list[int]:
        """The legal actions of a seat, ascending; none if it is not to act. `IllegalMove` if there is no such seat."""
        self._check_seat(seat)
        return self.game.legal(self.state, seat)

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.seats:
            raise IllegalMove(f"there is no seat {seat} at a table of {self.seats}")

    def play(self, seat: int, action: int) -> None:
        """Play an action; `IllegalMove` says why it cannot be played, and then nothing has changed."""
        self.check(seat, action)
        self.game.rules.apply(self.state, seat, action)
        self.moves.append(Move(seat, action))

    def check(self, seat: int, action: int) -> None:
        """Raise `IllegalMove` if the action cannot be played now."""
        if self.over:
            raise IllegalMove("the match is over")
        self._check_seat(seat)
        if seat not in self.acting:
            raise IllegalMove(f"seat {seat} is not to act now")
        if not 0 <= action < self.game.actions:
            raise IllegalMove(f"there is no action {action}: they go from 0 to {self.game.actions - 1}")
        if action not in self.legal(seat):
            raise IllegalMove(f"{self.game.words.words(action)!r} is not allowed now")

    # --- what is seen -----------------------------------------------------------------------------------------------

    def view(self, viewer: int) -> Any:
        """All that a viewer knows (bots, hints)."""
        return observe(self.state, viewer)

    def look(self, viewer: int) -> Any:
        """What a viewer may look at now (people)."""
        return look(self.state, viewer)

    def table(self, viewer: int, sitters: Sequence[Sitter], memory_aid: bool = False) -> Table:
        """What a viewer is shown, without the log."""
        return self.game.tables.table(self.view(viewer) if memory_aid else self.look(viewer), sitters)

    def states(self) -> Iterator[tuple[Move | None, Any]]:
        """The state after the deal and after each move, replayed; each is the caller's own copy."""
        state = self._start()
        yield None, records.copy(state)
        for move in self.moves:
            self.game.rules.apply(state, move.seat, move.action)
            yield move, records.copy(state)

    def log(self, viewer: int, sitters: Sequence[Sitter]) -> list[Line]:
        """Everything that happened, as this viewer saw it happen."""
        return [line for _, lines in self.scenes(viewer, sitters) for line in lines]

    def scenes(self, viewer: int, sitters: Sequence[Sitter]) -> Iterator[tuple[Any, Sequence[Line]]]:
        """The state after the deal and after each move, with what this viewer saw happen then."""
        before = None
        for move, state in self.states():
            yield state, () if move is None else tell(self.game, before, state, move, viewer, sitters)
            before = state

    def at(self, ply: int) -> Match:
        """The same match as it stood after `ply` moves."""
        if not 0 <= ply <= self.ply:
            raise ValueError(f"this match has moves 0 to {self.ply}, not {ply}")
        earlier = Match(self.game, self.seats, self.options, self.seed, self.deal, self.first)
        for move in self.moves[:ply]:
            earlier.play(move.seat, move.action)
        return earlier

    @property
    def commitment(self) -> str:
        """The published hash of the seed."""
        return commitment_of(self.seed)


def tell(game: Game, before: Any, after: Any, move: Move, viewer: int, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one move for one viewer, computed from that viewer's views alone."""
    mine = move.seat == viewer
    action = move.action if mine or game.tables.open_to(move.action) else None
    return game.tables.tell(Happening(look(before, viewer), look(after, viewer), viewer, move.seat, action), sitters)


def check_deal(game: Game, seats: int, options: dict[str, str], deal: Sequence[int]) -> None:
    """Raise `DealError` if the deck has not got the cards of an explicit deal.

    Where cards can be dealt either way up, the rules' ``plain`` gives the kind of a card that lies turned.
    """
    left: NDArray[np.int32] = game.deck(seats, options)
    plain = getattr(game.rules, "plain", int)
    for card in deal:
        kind = plain(card)
        if not 0 <= kind < len(left):
            raise DealError(f"there is no card number {card} in {game.info.title}")
        left[kind] -= 1
        if left[kind] < 0:
            have = int(game.deck(seats, options)[kind])
            raise DealError(f"the deck has {have} of {game.words.card_word(kind)}, the deal names more")
