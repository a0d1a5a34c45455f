"""What the rules of a game are: one record type, the compiled functions over it, and a default for what most need not.

A game's ``rules.py`` ends with ``RULES = RuleSet(...)``. The functions are rules (`core.rule.rule`) unless said
otherwise; they take a record, be it a state or a view of it. `core.dispatch` finds them by the type of the
record.
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
from facedown.core.state import ABANDONED, EMPTY, NOBODY, OPEN, RUNNING, Position, blank, layout, record

P = TypeVar("P", bound=Position)

#: No action goes on after a round: the match has but one, or deals the next by itself.
NO_PAUSE = -1


@rule
def returns_from_totals(s: Position, out: NDArray[np.float64]) -> None:
    """Write the final score of each seat, from the field ``total``, to `out`; higher is better.

    In an abandoned match every score is zero.
    """
    totals: Any = s
    for seat in range(s.seats):
        out[seat] = 0.0 if s.over == ABANDONED else totals.total[seat]


@rule
def count_one_of_each_kind(s: Position, counts: NDArray[np.int32]) -> None:
    """In many games there is one card of each kind, and each lies in a slot; `counts` are by pool and kind."""
    kind = 0
    for slot in range(len(s.card)):
        if s.card[slot] != EMPTY:
            counts[0, kind] = 1
            kind += 1


@dataclass(frozen=True)
class RuleSet(Generic[P]):
    """The rules of a game over its record type `P`."""

    record: type[P]
    """The declaration of the game's record; its field ``opt``, if it has options, is the game's `OptionSet`."""
    actions: int
    """How many different actions there are: they are 0 to ``actions - 1``."""
    kinds: int
    """How many kinds of cards: a kind is a number from 0."""
    deck: Callable[[int, Any], Sequence[int]]
    """(seats, options) → how many cards of each kind; not compiled."""
    deal: Callable[[P, NDArray[np.int64], int], None]
    """(s, deck, first): set up a match that `undealt_state` has begun, and deal its first round. `deck` names the
    first cards from the top, `first` the seat that chance would pick, or -1."""
    legal: Callable[[P, int, NDArray[np.int32]], int]
    """(s, seat, out) → n: write the seat's legal actions, ascending; of a state or of the seat's own view, alike. `out`
    has room for all actions there are; what is written behind the n-th means nothing."""
    apply: Callable[[P, int, int], None]
    """(s, seat, action): play a legal action."""
    returns: Callable[[P, NDArray[np.float64]], None] = returns_from_totals
    """(s, out): the final scores, higher is better, one a seat."""
    shown: Callable[[P, int, int], bool] = rule(lambda s, slot, viewer: True)
    """(s, slot, viewer): may the viewer look at this card, given that they know it? Often at every one."""
    pools: Callable[[P, NDArray[np.int32]], None] = count_one_of_each_kind
    """(s, counts): how many cards of each kind each pool has, ``counts[pool, kind]``, those in known slots included."""
    pool: Callable[[P, int], int] = rule(lambda s, slot: 0)
    """(s, slot): the pool that an unknown card in this slot was drawn from. Often there is one."""
    mask_secrets: Callable[[P, int], None] = rule(lambda s, viewer: None)
    """(s, viewer): blank the game's own secrets outside slots and sealed choices, for a view of what is known. Most
    games have none."""
    mask_recalled: Callable[[P], None] = rule(lambda s: None)
    """(s): blank what is public knowledge but does not lie on the table, for a view of what is shown. In most games all
    that is public lies there."""
    place_known: Callable[[P, NDArray[np.uint32]], None] = rule(lambda s, g: None)
    """(s, g): before the holes of a view are filled, place the cards known to be somewhere in a zone, at random by the
    generator `g`. In most games there are none."""
    is_consistent: Callable[[P, int], bool] = rule(lambda s, viewer: True)
    """(s, viewer): does a filled world agree with what the viewer knows beside the cards? In most games nothing says
    more about a hidden card than that it lies somewhere else."""
    put_viewer_slots_first: Callable[[P, int], None] = rule(lambda s, viewer: None)
    """(s, viewer): in a view whose slots are shared by all seats, bring the viewer's to the front, for an observation;
    the others' follow in turn. What is arranged is read by learners, and by no rule. In most games every seat's slots
    have places of their own."""
    check: Callable[[int, Any], None] = lambda seats, options: None
    """(seats, options): raise `OptionError` if a match cannot be set up like this; not compiled."""
    unturned_kind: Callable[[int], int] = lambda card: card
    """The kind in the deck of a card of an explicit deal, where cards may be dealt either way up; not compiled."""
    turned_offset: int = 0
    """What such a card's number is above its kind; 0 where cards lie one way up only."""
    pause: int = NO_PAUSE
    """The action of a seat that goes on after a round."""
    loss_return: float | None = None
    """Of a game that is played together: the return of one that was lost."""
    turns: Callable[[P], int] | None = None
    """Of a game that is played together: how many turns it took so far; not compiled."""
    action_kinds: type[ActionKind] | None = None
    """The kinds of actions, where they are declared,"""
    choices: ParametersByKind = field(default_factory=dict)
    """and what each of them picks."""
    faces: tuple[str, ...] = ("card",)
    """The fields that make up a face in a slot: the card and, where it matters, which way up it lies."""
    disclosures: tuple[Disclosure, ...] = ()
    """What rules tell by themselves (`core.disclosures`)."""
    dtype: np.dtype[Any] = field(init=False)
    """The layout of a record."""

    def __post_init__(self) -> None:
        """Lay the record out."""
        object.__setattr__(self, "dtype", layout(self.record))
        # It may be named by its kind.
        object.__setattr__(self, "pause", int(self.pause))

    @property
    def module(self) -> str:
        """The name of the module that the rules stand in."""
        return self.deal.__module__

    def legal_actions(self, position: Position, seat: int) -> list[int]:
        """The legal actions of a seat, ascending; of a state or of its own view alike; none for a spectator."""
        if not (0 <= seat < position.seats and position.acting >> seat & 1):
            return []
        out = np.empty(self.actions, np.int32)
        found: list[int] = out[: self.legal(record(position, self.record), seat, out)].tolist()
        return found


def undealt_state(rules: RuleSet[P], seats: int, options: Any, seed: bytes) -> P:
    """A state with all that every match begins with: players, options (a record, or None), key. Rules deal into it."""
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
