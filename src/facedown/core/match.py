"""Matches. A match is game + options + seed + actions, and replays exactly.

The seed, 32 bytes from the operating system, *is* the key of every shuffle. Its commitment (a SHA-256 hash) is
published before the deal, and the seed when the match ends. So players can check that the deal was not changed.
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
from facedown.core.match_actions import AGREED_END, RESIGN, TAKE_BACK, is_game_action, parse_match_action
from facedown.core.match_ending import end_match
from facedown.core.move_with_views import Move as Move
from facedown.core.move_with_views import Step, Views
from facedown.core.seeds import commitment_of, new_seed
from facedown.core.standing_moves import StandingMoves
from facedown.core.state import ABANDONED, RUNNING, State, View
from facedown.core.table import LogLine, Sitter, Table

#: Value of the argument `first` of `Match` that lets chance choose the dealer or start player.
BY_CHANCE = -1


class IllegalMove(ValueError):
    """Error: the rules do not allow this move now. The error message says why. The match is unchanged."""


class DealError(ValueError):
    """Error: the cards or the first seat given to a new match are impossible.

    Either the deck does not contain all cards that are listed for the deal, or the seat that goes first does not exist.
    """


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a finished match: the final scores, the winning seats, and whether the match was abandoned."""

    returns: tuple[float, ...]
    """Final score of each seat; higher is better."""
    winners: tuple[int, ...]
    """Seats with the highest score; if a player of two resigned, the other seat. Empty if the match was abandoned."""
    abandoned: bool
    """Whether the match ended without a winner (`Match.abandoned`)."""


class Match:
    """A running or finished match.

    * `deal`: the first cards of the deck in the first round, from the top. They are given as numbers
      (`check_deck_contains_listed_cards`). The other cards of the deck are shuffled.
    * `first`: the seat of the dealer or start player in the first round. By default it is drawn at random.

    With both arguments, players can begin with cards that they dealt by hand or chose themselves.

    >>> from facedown.core.game_registry import catalogue
    >>> from facedown.core.seeds import seed_from_text
    >>> name = next(iter(catalogue()))
    >>> match = Match(name, 2, seed=seed_from_text("tea"))
    >>> step = match.play(0, match.legal(0)[0])
    >>> match.ply, int(match.known(1).viewer)
    (1, 1)

    Raises:
        UnknownGame, OptionError, DealError: No such match is possible. The error message says why.
        ValueError: The seed does not have 32 bytes.
        TypeError: The number of seats is not an integer, or the seed is not bytes (`seed_from_text` converts a text).
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
        _check_is_integer("the number of seats", seats)
        self.options = self.game.check_options(seats, options or {})
        if not isinstance(seed, bytes | None):
            raise TypeError(f"a seed must be 32 bytes, not {seed!r}; for a text, use seed_from_text")
        self.seed = new_seed() if seed is None else seed
        self.deal = tuple(deal)
        self.first = first
        if not BY_CHANCE <= first < seats:
            raise DealError(_("seat {first} cannot go first at a table with {seats} seats", first=first, seats=seats))
        check_deck_contains_listed_cards(self.game, seats, self.options, self.deal)
        self.moves: list[Move] = []
        self.views = self._deal_views()
        """Views of the current position, computed on demand."""
        self._standing: StandingMoves | None = StandingMoves(self.game)
        """The latest moves that have not been taken back; None if they must be computed from `moves` first."""

    def _deal_views(self) -> Views:
        state = self.game.undealt_state(self.seats, self.options, self.seed)
        self.game.rules.deal(state, np.array(self.deal, np.int64), self.first)
        return Views(self.game, state)

    # --- value semantics --------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        how = "abandoned" if self.abandoned else f"over, {self.returns}" if self.over else f"{self.acting} to act"
        return f"<Match of {self.game.name}, {self.seats} seats, {self.ply} moves, {how}>"

    def _identity_without_moves(self) -> tuple[Any, ...]:
        """Return the game's name, the seats, options, seed, deal and first seat as a tuple that can be hashed.

        Two matches are equal if these tuples are equal and the matches have the same moves.
        """
        return self.game.name, self.seats, tuple(sorted(self.options.items())), self.seed, self.deal, self.first

    def __eq__(self, other: object) -> bool:
        """Return whether both matches have the same game, seats, options, seed, deal, first seat and moves."""
        if not isinstance(other, Match):
            return NotImplemented
        return self._identity_without_moves() == other._identity_without_moves() and self.moves == other.moves

    def __hash__(self) -> int:
        # The moves are not part of the hash, so that it stays the same during the match.
        return hash(self._identity_without_moves())

    def __copy__(self) -> Match:
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.options, twin.moves = dict(self.options), list(self.moves)
        twin._standing = None if self._standing is None else self._standing.copy()
        return twin

    def copy(self) -> Match:
        """Return an independent copy of the match."""
        return copy(self)

    def __getstate__(self) -> dict[str, Any]:
        kept = {**self.__dict__, "game": self.game.name, "_standing": None}
        kept["state"] = kept.pop("views").state.tobytes()
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        state = kept.pop("state")
        self.__dict__.update(kept)
        self.game = registry.game(kept["game"])
        self.state = np.frombuffer(bytearray(state), self.game.dtype)[0]
        if self.moves and self.moves[-1].action in (RESIGN, AGREED_END):
            self.views = self._views_after_replay()

    # --- playing ----------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """Current position with all secrets. A move replaces the object and never changes it in place."""
        return self.views.state

    @state.setter
    def state(self, state: State) -> None:
        self.views = Views(self.game, state)

    def forget_views(self) -> None:
        """Delete the cached views to save memory. They are computed again on demand."""
        self._standing = None
        if self.views.ending is None:
            self.state = self.state

    @property
    def standing(self) -> StandingMoves:
        """The latest moves that have not been taken back."""
        if self._standing is None:
            self._standing = StandingMoves(self.game)
            deque(self._replay(self._standing), maxlen=0)
        return self._standing

    def why_not_take_back(self, seat: int) -> str:
        """Return the reason why a seat cannot take back its last move, in one sentence; empty if it can."""
        return _("The match is over.") if self.over else self.standing.why_not_take_back(seat)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return int(self.state.over) != RUNNING

    @property
    def abandoned(self) -> bool:
        """Whether the match ended without a winner.

        Either the rules ended it because it went on for too long, or the players agreed to end it before the first
        score. In a cooperative game, a match that players ended early has no winner, either.
        """
        return int(self.state.over) == ABANDONED

    @property
    def ply(self) -> int:
        """Number of actions played so far."""
        return len(self.moves)

    @property
    def acting(self) -> list[int]:
        """Seats that are to act, ascending."""
        return self.game.acting(self.state)

    @property
    def returns(self) -> list[float]:
        """Final score of each seat, higher is better; `ValueError` while the match is running."""
        if not self.over:
            raise ValueError("the match is not over")
        return self.game.returns(self.state)

    @property
    def result(self) -> Result | None:
        """Result of the match; None while it is running."""
        if not self.over:
            return None
        returns = tuple(self.returns)
        winners = tuple(seat for seat, score in enumerate(returns) if score == max(returns))
        if self.views.ending is not None:
            winners = self.views.ending.winners
        return Result(returns, () if self.abandoned else winners, self.abandoned)

    def legal(self, seat: int) -> list[int]:
        """Return the legal actions of a seat, ascending; empty if the seat is not to act.

        Raises `IllegalMove` if there is no such seat.
        """
        self._check_seat(seat)
        return list(self.views.legal(seat))

    def legal_words(self, seat: int) -> list[str]:
        """Return the legal actions of a seat in match-file notation, which `push` accepts."""
        return [self.game.words.words(action) for action in self.legal(seat)]

    def _check_seat(self, seat: int) -> None:
        _check_is_integer("a seat", seat)
        if not 0 <= seat < self.seats:
            raise IllegalMove(_("seat {seat} does not exist: the table has {seats} seats", seat=seat, seats=self.seats))

    def play(self, seat: int, action: int) -> Step:
        """Play an action for a seat. Return the step: the move, with the views before and after it.

        Raises `IllegalMove` if the action is not allowed now; the match is then unchanged. Raises `TypeError` if the
        seat or action is not an integer. For an action given as a string, use `push`.
        """
        step = self.compute_step(seat, action)
        self.apply_step(step)
        return step

    def push(self, words: str, seat: int | None = None) -> Step:
        """Play an action given in match-file notation. By default the acting seat with the lowest number plays.

        >>> from facedown.core.game_registry import catalogue
        >>> match = Match(next(iter(catalogue())), 2, seed=bytes(32))
        >>> step = match.push(match.legal_words(match.acting[0])[0])
        >>> match.ply
        1

        Raises:
            IllegalMove: The action is not allowed now. The error message says why.
            ValueError: The notation is invalid. The error message says why.
        """
        if seat is None and not self.over:
            seat = self.acting[0]
        action = parse_match_action(words)
        return self.play(seat or 0, self.game.words.parse(words) if action is None else action)

    def compute_step(self, seat: int, action: int) -> Step:
        """Return the step (move with the views before and after it) that an action would give. The match is unchanged.

        Raises `IllegalMove` if the action is not allowed now.
        """
        self.check(seat, action)
        move = Move(int(seat), int(action))
        if is_game_action(move.action):
            return self._step(self.views, self.ply + 1, move)
        return self._match_action_step(self.views, self.ply + 1, move, self.standing)

    def apply_step(self, step: Step) -> None:
        """Apply a step that `compute_step` returned for the current position; `ValueError` for any other step."""
        if step.move is None or step.before is not self.views or step.ply != self.ply + 1:
            raise ValueError(f"step {step.ply} does not follow this position")
        self.moves.append(step.move)
        self.views = step.views
        if self._standing is not None:
            _update_standing_moves(self._standing, step)

    def _step(self, before: Views, ply: int, move: Move) -> Step:
        """Return the step that a move of the game gives."""
        state = records.copy(before.state)
        self.game.rules.apply(state, move.seat, move.action)
        return Step(ply, move, before, Views(self.game, state))

    def _match_action_step(self, before: Views, ply: int, move: Move, standing: StandingMoves) -> Step:
        """Return the step that an action of `core.match_actions` gives. `standing` has the moves before it."""
        if move.action == TAKE_BACK:
            return Step(ply, move, before, Views(self.game, standing.state_before_last_move_of(move.seat)))
        ended, ending = end_match(self.game, before.state, move.action, move.seat, standing.has_score)
        return Step(ply, move, before, Views(self.game, ended, ending, before))

    def seats_who_notice_take_back(self, seat: int) -> frozenset[int]:
        """Return the seats that could see the moves which a take-back by `seat` would undo.

        `seat` must be able to take its last move back (`why_not_take_back`).
        """
        return self.standing.seats_who_notice_take_back(seat, self.state)

    def undo(self) -> Move:
        """Delete the last move and return it; `IllegalMove` if no move was made.

        The seed stays the same, so the cards that will be dealt later are the same too. This method is for programs
        that explore a match. Players take a move back with the action `TAKE_BACK`, which keeps all moves.
        """
        if not self.moves:
            raise IllegalMove(_("there is no move to take back"))
        last = self.moves.pop()
        self.views, self._standing = self._views_after_replay(), None
        return last

    def check(self, seat: int, action: int) -> None:
        """Raise `IllegalMove` if an action is not allowed now, `TypeError` if the seat or action is not an integer."""
        _check_is_integer("an action", action, "; for a move in words, use match.push")
        if self.over:
            raise IllegalMove(_("the match is over"))
        self._check_seat(seat)
        if not is_game_action(action):
            self._check_match_action(seat, action)
            return
        if seat not in self.acting:
            raise IllegalMove(_("seat {seat} cannot move now", seat=seat))
        if not 0 <= action < self.game.actions:
            wrong = N_("action {action} does not exist; actions are numbered 0 to {actions}")
            raise IllegalMove(_(wrong, action=action, actions=self.game.actions - 1))
        if action not in self.views.legal(seat):
            move = self.game.words.words(action)
            why = self.game.why_not(self.known(seat), action)
            raise IllegalMove(_("{move!r} is not allowed now. {why}", move=move, why=why))

    def _check_match_action(self, seat: int, action: int) -> None:
        """Raise `IllegalMove` if a seat may not play this action, which belongs to every match, now."""
        if action == TAKE_BACK:
            if why := self.why_not_take_back(seat):
                raise IllegalMove(why)
        elif action == RESIGN:
            if self.seats > 2:
                raise IllegalMove(_("only a match of two seats can end by resigning"))
        elif action != AGREED_END:
            wrong = N_("action {action} does not exist; actions are numbered 0 to {actions}")
            raise IllegalMove(_(wrong, action=action, actions=self.game.actions - 1))

    # --- views and logs ---------------------------------------------------------------------------------------------

    def known(self, viewer: int) -> View:
        """Return the view of all that a viewer (a seat or `SPECTATOR`) knows. Bots and hints use it."""
        return self.views.known(viewer)

    def shown(self, viewer: int) -> View:
        """Return the view of what is visible to a viewer (a seat or `SPECTATOR`) at this moment.

        Cards that the viewer has seen earlier, but that are not visible now, are hidden in this view. Pages show this
        view to people.
        """
        return self.views.shown(viewer)

    def table(self, viewer: int, sitters: Sequence[Sitter] | None = None, memory_aid: bool = False) -> Table:
        """Return the table that a viewer sees, without the log; ``print`` shows it as text.

        Without `sitters`, players are named Seat 0, Seat 1 and so on. With `memory_aid`, cards that the viewer has seen
        before stay visible.
        """
        names = [Sitter(f"Seat {seat}") for seat in range(self.seats)] if sitters is None else sitters
        return self.views.table(viewer, names, memory_aid)

    def svg(self, viewer: int) -> str:
        """Return an SVG picture of the table as a viewer (a seat or `SPECTATOR`) sees it.

        The drawing function is outside `core`. It is found in the packaging metadata: it is the only entry point in the
        group ``facedown.pictures`` (see ``pyproject.toml``).
        """
        (drawing,) = entry_points(group="facedown.pictures")
        picture: str = drawing.load()(self.table(viewer))
        return picture

    def steps(self) -> Iterator[Step]:
        """Replay the match and yield its steps: the deal, then each move."""
        return self._replay(StandingMoves(self.game))

    def _replay(self, standing: StandingMoves) -> Iterator[Step]:
        """Yield the steps of the match, and keep `standing`, which has no moves at first, up to date."""
        views = self._deal_views()
        yield Step(0, None, None, views)
        for ply, move in enumerate(self.moves, 1):
            if is_game_action(move.action):
                step = self._step(views, ply, move)
            else:
                step = self._match_action_step(views, ply, move, standing)
            _update_standing_moves(standing, step)
            yield step
            views = step.views

    @property
    def taken_back(self) -> frozenset[int]:
        """Plies (numbers of moves, from 1) of the moves that have been taken back, and of the take-backs themselves."""
        line: list[int] = []
        gone: set[int] = set()
        for ply, move in enumerate(self.moves, 1):
            line.append(ply)
            if move.action == TAKE_BACK:
                gone.add(line.pop())
                while line and (last := line.pop()):
                    gone.add(last)
                    if self.moves[last - 1].seat == move.seat:
                        break
        return frozenset(gone)

    def log(self, viewer: int, sitters: Sequence[Sitter]) -> list[LogLine]:
        """Return the log lines of the whole match for one viewer. They contain only what this viewer could see."""
        return [line for step in self.steps() for line in step.lines(viewer, sitters)]

    def at(self, ply: int) -> Match:
        """Return a copy of the match after its first `ply` moves; `ValueError` if it has fewer moves."""
        if not 0 <= ply <= self.ply:
            raise ValueError(f"ply must be from 0 to {self.ply}, not {ply}")
        earlier = self.copy()
        del earlier.moves[ply:]
        earlier.views, earlier._standing = earlier._views_after_replay(), None
        return earlier

    def _views_after_replay(self) -> Views:
        return deque(self.steps(), maxlen=1)[0].views

    @property
    def commitment(self) -> str:
        """SHA-256 hash of the seed, with the prefix "sha256:".

        The hash is published before the deal, and the seed after the match. So players can check the deal.
        """
        return commitment_of(self.seed)


def _update_standing_moves(standing: StandingMoves, step: Step) -> None:
    if step.move is None or step.before is None:
        return
    if step.move.action == TAKE_BACK:
        standing.remove_since_last_move_of(step.move.seat)
    elif is_game_action(step.move.action):
        standing.add(step.move, step.before.state, step.after)


def _check_is_integer(what: str, given: object, advice: str = "") -> None:
    if not hasattr(given, "__index__"):
        raise TypeError(f"{what} must be a whole number, not {given!r}{advice}")


def move_log_lines(
    game: GameModule, before: State, after: State, move: Move, viewer: int, sitters: Sequence[Sitter]
) -> Sequence[LogLine]:
    """Return the log lines that a viewer gets for a move from the state `before` to the state `after`.

    They are computed from the viewer's views alone.
    """
    return Step(0, move, Views(game, before), Views(game, after)).lines(viewer, sitters)


def check_deck_contains_listed_cards(
    game: GameModule, seats: int, options: dict[str, str], deal: Sequence[int]
) -> None:
    """Raise `DealError` if the deck does not contain the cards that `deal` lists.

    `deal` lists the first cards of the deck, from the top, as numbers. The number of a card is its kind, an integer
    from 0 that equal cards share. In games whose cards can be dealt either way up, a card has two numbers instead, one
    for each way up. `RuleSet.unturned_kind` converts both numbers to the kind.
    """
    left = game.deck(seats, options)
    for card in deal:
        kind = game.rules.unturned_kind(card)
        if not 0 <= kind < len(left):
            raise DealError(_("{title} has no card number {card}", card=card, title=game.info.title))
        left[kind] -= 1
        if left[kind] < 0:
            have, word = int(game.deck(seats, options)[kind]), game.words.card_word(kind)
            raise DealError(
                _("the deal lists {card_word} too many times (copies in the deck: {have})", have=have, card_word=word)
            )
