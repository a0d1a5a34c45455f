"""Pairs of matches that one viewer cannot tell apart: not at the deal, and not after any of their moves.

Both are whole matches, from decks that differ where this viewer does not look (and, where a move is private, with other
moves of other seats). So everything that is ever made of them for this viewer must come out the same: also what is made
from the moves when the match is over.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facedown.core import hidden_cards
from facedown.core.match import Match
from facedown.core.state import State, copy, to_bytes

#: Other decks that are tried for one match; the one that differs longest is taken.
TRIED = 60
#: So many places of the deck are exchanged.
PLACES = (2, 2, 3, 4, 6)


@dataclass(frozen=True)
class Twin:
    deck: tuple[int, ...]
    moves: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Pair:
    """Two matches that are one and the same to a viewer."""

    game: str
    options: Mapping[str, str]
    seats: int
    viewer: int
    seed: bytes
    first: int
    twins: tuple[Twin, Twin]
    differing: int
    """After how many of the moves hidden cards lie differently."""
    over: bool
    """Are both over after the last of the moves?"""

    def match(self, number: int) -> Match:
        return Match(self.game, self.seats, dict(self.options), self.seed, self.twins[number].deck, self.first)


def a_deck(game: str, seats: int, options: Mapping[str, str], seed: bytes, rnd: random.Random) -> list[int]:
    """A whole deck in a random order, each card either way up where it matters."""
    rules = Match(game, seats, dict(options), seed).game
    counts = rules.deck(seats, rules.check_options(seats, dict(options)))
    turned = rules.rules.turned_offset
    deck = [int(kind) + turned * rnd.randrange(2) for kind in np.flatnonzero(counts) for _ in range(counts[kind])]
    rnd.shuffle(deck)
    return deck


def looks_of(state: State, viewer: int) -> bytes:
    """All that a viewer knows."""
    return to_bytes(hidden_cards.known_view(state, viewer))


def random_moves(match: Match, rnd: random.Random, plies: int) -> Iterator[tuple[int, int]]:
    """Play random moves, at most so many, and say which."""
    for _ in range(plies):
        if match.over:
            return
        seat = rnd.choice(match.acting)
        action = rnd.choice(match.legal(seat))
        match.play(seat, action)
        yield seat, action


def followed(
    match: Match, moves: Sequence[tuple[int, int]], looks: Sequence[bytes], viewer: int, rnd: random.Random
) -> list[tuple[int, int]]:
    """The moves of another match, as far as it looks to the viewer like one that looked so after each move."""
    game, state, made = match.game, match.state, list[tuple[int, int]]()
    if looks_of(state, viewer) != looks[0]:
        return made
    for (seat, action), look in zip(moves, looks[1:], strict=True):
        legal = game.legal(state, seat)
        asked = [action] if action in legal else []
        if seat != viewer and not game.tables.is_public_action(action):
            others = [one for one in legal if one != action and not game.tables.is_public_action(one)]
            rnd.shuffle(others)
            # What others are not told may be another choice altogether.
            asked = [*others[:8], *asked] if rnd.random() < 0.5 else [*asked, *others[:8]]
        for one in asked:
            after = copy(state)
            game.rules.apply(after, seat, one)
            if looks_of(after, viewer) == look:
                state = after
                made.append((seat, one))
                break
        else:
            break
    return made


def a_pair(
    game: str,
    seats: int,
    options: Mapping[str, str],
    viewer: int,
    rnd: random.Random,
    plies: int,
    to_the_end: bool = False,
    tried: int = TRIED,
) -> Pair | None:
    """Two matches that a viewer cannot tell apart for as many moves as can be found, at most `plies`; None if the first
    of them tells everything (or, `to_the_end`, if none is found that stays the same until it is over).
    """
    seed, first = rnd.randbytes(32), rnd.randrange(seats)
    deck = a_deck(game, seats, options, seed, rnd)
    bare = Pair(game, options, seats, viewer, seed, first, (Twin(tuple(deck), ()), Twin((), ())), 0, False)
    match = bare.match(0)
    states, looks = [copy(match.state)], [looks_of(match.state, viewer)]
    moves = []
    for move in random_moves(match, rnd, plies):
        moves.append(move)
        states.append(copy(match.state))
        looks.append(looks_of(match.state, viewer))
    best: Pair | None = None
    for _ in range(tried):
        other = list(deck)
        places = rnd.sample(range(len(deck)), min(rnd.choice(PLACES), len(deck)))
        for place, source in zip(places, [*places[1:], places[0]], strict=True):
            other[place] = deck[source]
        pair = replace(bare, twins=(bare.twins[0], Twin(tuple(other), ())))
        made = followed(pair.match(1), moves, looks, viewer, rnd)
        over = match.over and len(made) == len(moves)
        if not made or (to_the_end and not over):
            continue
        twins = Twin(tuple(deck), tuple(moves[: len(made)])), Twin(tuple(other), tuple(made))
        pair = replace(pair, twins=twins, over=over)
        pair = replace(pair, differing=unlike(pair))
        if pair.differing and (best is None or pair.differing > best.differing):
            best = pair
    return best


def unlike(pair: Pair) -> int:
    """After how many moves cards lie differently in the two matches, or a choice was another."""
    one, two, count = pair.match(0), pair.match(1), 0
    for mine, yours in zip(pair.twins[0].moves, pair.twins[1].moves, strict=True):
        one.play(*mine)
        two.play(*yours)
        same = all(np.array_equal(one.state[name], two.state[name]) for name in one.game.rules.faces)
        count += not same or mine != yours
    return count
