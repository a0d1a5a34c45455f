"""Rules of a game as data: the NumPy type of its positions, and the functions that take a position.

A position is a NumPy record: a state (with all secrets) or a view (the part that one viewer knows). A game's
``rules.py`` ends with ``RULES = RuleSet(...)``. A function that only a few games need has a default. Unless noted, the
functions are compiled (`core.rule.rule`) and take both states and views. `core.rule_dispatch` finds the functions of a
game by the type of the position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import ActionKind, ParametersByKind
from facedown.core.disclosures import Disclosure
from facedown.core.random_numbers import key_of
from facedown.core.rule import rule
from facedown.core.state import ABANDONED, EMPTY, NOBODY, OPEN, RUNNING, Position, blank, cast_record, layout

P = TypeVar("P", bound=Position)

#: Value of `RuleSet.pause` for games in which players need no action to continue after a round.
NO_PAUSE = -1


@rule
def write_totals_as_returns(s: Position, out: NDArray[np.float64]) -> None:
    """Write the final score of each seat, from the field ``total``, to `out`; higher is better.

    In an abandoned match every score is zero. This function is the default of the field `RuleSet.returns`.
    """
    totals: Any = s
    for seat in range(s.seats):
        out[seat] = 0.0 if s.over == ABANDONED else totals.total[seat]


@rule
def set_one_card_of_each_kind(s: Position, counts: NDArray[np.int32]) -> None:
    """Set ``counts[0, kind]`` to 1 for each kind (card face): the deck has each card once.

    The first index is a pool: a set of cards from which unknown cards are drawn. Here pool 0 contains all cards. This
    function is the default of the field `RuleSet.pools`.
    """
    kind = 0
    for slot in range(len(s.card)):
        if s.card[slot] != EMPTY:
            counts[0, kind] = 1
            kind += 1


@dataclass(frozen=True)
class RuleSet(Generic[P]):
    """Rules of a game: functions on its positions, and constants such as its number of actions.

    A position is a record of type `P`: a state of the game, or a view of what one viewer knows.
    """

    record: type[P]
    """Class that declares the fields of the game's positions. If the game has options, the field ``opt`` contains their
    values (`OptionSet`)."""
    actions: int
    """Number of all actions of the game. An action is an integer from 0 to ``actions - 1``."""
    kinds: int
    """Number of kinds of cards; they are numbered from 0."""
    deck: Callable[[int, Any], Sequence[int]]
    """Function (seats, options) → the number of cards of each kind. Not compiled."""
    deal: Callable[[P, NDArray[np.int64], int], None]
    """Compiled function (s, deck, first): complete a state that `undealt_state` has made, and deal the first round.
    `deck` lists the first cards of the deck, from the top. `first` is the dealer or start player, or -1 to let chance
    choose."""
    legal: Callable[[P, int, NDArray[np.int32]], int]
    """Compiled function (s, seat, out) → n: write the seat's legal actions to ``out[:n]``, ascending. A state and the
    seat's own view give the same result. `out` has room for all actions of the game; elements after the n-th are
    meaningless."""
    apply: Callable[[P, int, int], None]
    """Compiled function (s, seat, action): play a legal action."""
    returns: Callable[[P, NDArray[np.float64]], None] = write_totals_as_returns
    """Compiled function (s, out): write the final score of each seat; higher is better."""
    shown: Callable[[P, int, int], bool] = rule(lambda s, slot, viewer: True)
    """Compiled function (s, slot, viewer) → whether the card in this slot (index in `card`), which the viewer knows, is
    visible to the viewer now. If it is not, the viewer has seen it before and must remember it. By default all known
    cards are visible."""
    pools: Callable[[P, NDArray[np.int32]], None] = set_one_card_of_each_kind
    """Compiled function (s, counts): write the number of cards of each kind in each pool to ``counts[pool, kind]``,
    including known cards. A pool is a set of cards from which unknown cards are drawn."""
    pool: Callable[[P, int], int] = rule(lambda s, slot: 0)
    """Compiled function (s, slot) → the index of the pool (set of cards) from which an unknown card in this slot (index
    in `card`) was drawn. By default there is only pool 0."""
    mask_secrets: Callable[[P, int], None] = rule(lambda s, viewer: None)
    """Compiled function (s, viewer): reset the game's own secret fields in a view, such as a field that says which way
    up each hidden card is. By default there are none. The fields `card` and `sealed`, which all games have, are reset
    by `core.hidden_cards`."""
    mask_recalled: Callable[[P], None] = rule(lambda s: None)
    """Compiled function (s): reset those fields of a view that viewers know only from memory and cannot see on the
    table now, such as a list of the discarded cards that are covered. By default there are no such fields."""
    place_known: Callable[[P, NDArray[np.uint32]], None] = rule(lambda s, g: None)
    """Compiled function (s, g): in a view, place the cards about which the viewer knows more than their pool. For
    example, a card that must be in a certain hand is put into a random unknown slot (index in `card`) of that hand. All
    other unknown slots are filled after that. `g` is the state of the random number generator. By default there are no
    such cards."""
    is_consistent: Callable[[P, int], bool] = rule(lambda s, viewer: True)
    """Compiled function (s, viewer) → whether a sampled world (random full deal) agrees with what the viewer knows
    besides the cards. By default every world does."""
    put_viewer_slots_first: Callable[[P, int], None] = rule(lambda s, viewer: None)
    """Compiled function (s, viewer): for a learner's observation in a game where hands have no fixed slots (indices in
    `card`), move the viewer's hand to the first slots; the other hands follow in turn order. Other compiled functions
    cannot read the result. By default each hand has fixed slots."""
    check: Callable[[int, Any], None] = lambda seats, options: None
    """Function (seats, options): raise `OptionError` if such a match is impossible. Not compiled."""
    unturned_kind: Callable[[int], int] = lambda card: card
    """Function (card) → the kind of a card in a given deal. In games whose cards can be dealt either way up, the number
    `card` also says which way up; else it is the kind itself. Not compiled."""
    turned_offset: int = 0
    """Difference between the number of a card dealt upside down and its kind; 0 in games whose cards have one way
    up."""
    pause: int = NO_PAUSE
    """Action by which a player confirms that the next round may begin, or `NO_PAUSE`."""
    loss_return: float | None = None
    """Final score of every seat in a lost match of a cooperative game; None in other games."""
    turns: Callable[[P], int] | None = None
    """Function (s) → the number of turns so far, in a cooperative game. Not compiled."""
    action_kinds: type[ActionKind] | None = None
    """Kinds of actions; None if the game does not declare them."""
    choices: ParametersByKind = field(default_factory=dict)
    """Parameters of each kind of action, by the first action number of the kind."""
    faces: tuple[str, ...] = ("card",)
    """Fields of a position that make up the face of a card in a slot: its kind and, where it matters, which way up it
    is."""
    disclosures: tuple[Disclosure, ...] = ()
    """Fields of the views that the rules may set from hidden cards or private choices (`core.disclosures`)."""
    dtype: np.dtype[Any] = field(init=False)
    """NumPy dtype of the game's positions."""

    def __post_init__(self) -> None:
        """Set `dtype`, which follows from the class `record`, and convert the action `pause` to a plain integer.

        Games may give `pause` as a member of their `ActionKind` enumeration.
        """
        object.__setattr__(self, "dtype", layout(self.record))
        object.__setattr__(self, "pause", int(self.pause))

    @property
    def module(self) -> str:
        """Name of the module that contains the rules."""
        return self.deal.__module__

    def legal_actions(self, position: Position, seat: int) -> list[int]:
        """Return the legal actions of a seat, ascending. A state and the seat's own view give the same list.

        The list is empty for a spectator and for a seat that is not to act.
        """
        if not (0 <= seat < position.seats and position.acting >> seat & 1):
            return []
        out = np.empty(self.actions, np.int32)
        found: list[int] = out[: self.legal(cast_record(position, self.record), seat, out)].tolist()
        return found


def undealt_state(rules: RuleSet[P], seats: int, options: Any, seed: bytes) -> P:
    """Return a new state with the seats, the options and the shuffle key filled in, before any card is dealt.

    `options` is a record of options, or None for a game without options. `seed` is the 32 bytes from which the key is
    made.
    """
    begun: P = blank(rules.dtype)
    begun.seats = seats
    begun.viewer = NOBODY
    begun.over = RUNNING
    begun.key[:] = key_of(seed)
    begun.sealed[:] = OPEN
    if options is not None:
        fields: Any = begun
        fields.opt = options
    return begun
