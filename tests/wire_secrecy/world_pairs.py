"""Pairs of matches that one viewer cannot tell apart, neither at the deal nor after any of their moves.

In some of them, moves are taken back and then made again.

Both are whole matches. Their decks differ where this viewer does not look, and private moves of other seats may differ.
Everything that is ever made of them for this viewer must be the same, including what is made of the moves after the
match.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facedown.core import hidden_cards
from facedown.core.match import Match
from facedown.core.match_actions import TAKE_BACK
from facedown.core.state import SPECTATOR, State, copy, to_bytes

#: Number of other decks that are tried for one match. The one that differs longest is taken.
TRIED = 60
#: Numbers of places of the deck that are exchanged, one of which is chosen at random.
PLACES = (2, 2, 3, 4, 6)


@dataclass(frozen=True)
class Twin:
    deck: tuple[int, ...]
    moves: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Pair:
    """Two matches that look the same to a viewer."""

    game: str
    options: Mapping[str, str]
    seats: int
    viewer: int
    seed: bytes
    first: int
    twins: tuple[Twin, Twin]
    differing: int
    """Number of moves after which hidden cards differ."""
    over: bool
    """Whether both are over after the last of the moves."""

    def match(self, number: int) -> Match:
        return Match(self.game, self.seats, dict(self.options), self.seed, self.twins[number].deck, self.first)


def random_deck(game: str, seats: int, options: Mapping[str, str], seed: bytes, rnd: random.Random) -> list[int]:
    """Return a whole deck in random order, with each card either way up where that matters."""
    rules = Match(game, seats, dict(options), seed).game
    counts = rules.deck(seats, rules.check_options(seats, dict(options)))
    turned = rules.rules.turned_offset
    deck = [int(kind) + turned * rnd.randrange(2) for kind in np.flatnonzero(counts) for _ in range(counts[kind])]
    rnd.shuffle(deck)
    return deck


def known_bytes(state: State, viewer: int) -> bytes:
    """Return everything that a viewer knows, as bytes."""
    return to_bytes(hidden_cards.known_view(state, viewer))


def random_moves(match: Match, rnd: random.Random, plies: int) -> Iterator[tuple[int, int]]:
    """Play at most `plies` random moves and yield them."""
    for _ in range(plies):
        if match.over:
            return
        seat = rnd.choice(match.acting)
        action = rnd.choice(match.legal(seat))
        match.play(seat, action)
        yield seat, action


def indistinguishable_moves(
    match: Match, moves: Sequence[tuple[int, int]], looks: Sequence[bytes], viewer: int, rnd: random.Random
) -> list[tuple[int, int]]:
    """Return the moves of another match, as long as it looks to the viewer as `looks` says after each move."""
    game, state, made = match.game, match.state, list[tuple[int, int]]()
    if known_bytes(state, viewer) != looks[0]:
        return made
    for (seat, action), look in zip(moves, looks[1:], strict=True):
        legal = game.legal(state, seat)
        asked = [action] if action in legal else []
        if seat != viewer and not game.tables.is_public_action(action):
            others = [one for one in legal if one != action and not game.tables.is_public_action(one)]
            rnd.shuffle(others)
            # A private move of another seat may be a completely different choice.
            asked = [*others[:8], *asked] if rnd.random() < 0.5 else [*asked, *others[:8]]
        for one in asked:
            after = copy(state)
            game.rules.apply(after, seat, one)
            if known_bytes(after, viewer) == look:
                state = after
                made.append((seat, one))
                break
        else:
            break
    return made


def find_pair(
    game: str,
    seats: int,
    options: Mapping[str, str],
    viewer: int,
    rnd: random.Random,
    plies: int,
    to_the_end: bool = False,
    tried: int = TRIED,
) -> Pair | None:
    """Return two matches that a viewer cannot tell apart for at most `plies` moves.

    Returns None if the first of them hides nothing from the viewer. With `to_the_end`, also returns None if no other
    match looks the same until it is over.
    """
    seed, first = rnd.randbytes(32), rnd.randrange(seats)
    deck = random_deck(game, seats, options, seed, rnd)
    bare = Pair(game, options, seats, viewer, seed, first, (Twin(tuple(deck), ()), Twin((), ())), 0, False)
    match = bare.match(0)
    states, looks = [copy(match.state)], [known_bytes(match.state, viewer)]
    moves = []
    for move in random_moves(match, rnd, plies):
        moves.append(move)
        states.append(copy(match.state))
        looks.append(known_bytes(match.state, viewer))
    best: Pair | None = None
    for _ in range(tried):
        other = list(deck)
        places = rnd.sample(range(len(deck)), min(rnd.choice(PLACES), len(deck)))
        for place, source in zip(places, [*places[1:], places[0]], strict=True):
            other[place] = deck[source]
        pair = replace(bare, twins=(bare.twins[0], Twin(tuple(other), ())))
        made = indistinguishable_moves(pair.match(1), moves, looks, viewer, rnd)
        over = match.over and len(made) == len(moves)
        if not made or (to_the_end and not over):
            continue
        twins = Twin(tuple(deck), tuple(moves[: len(made)])), Twin(tuple(other), tuple(made))
        pair = replace(pair, twins=twins, over=over)
        pair = replace(pair, differing=count_differences(pair))
        if pair.differing and (best is None or pair.differing > best.differing):
            best = pair
    return best


def with_take_backs(pair: Pair, rnd: random.Random, chance: float) -> Pair:
    """Return the pair with some of its moves taken back and made again, where both matches allow that.

    Raises `AssertionError` if only one of the matches allows the viewer to take their move back, or for another reason.
    """
    matches, made = (pair.match(0), pair.match(1)), (list[tuple[int, int]](), list[tuple[int, int]]())

    def play(number: int, seat: int, action: int) -> None:
        matches[number].play(seat, action)
        made[number].append((seat, action))

    for moves in zip(pair.twins[0].moves, pair.twins[1].moves, strict=True):
        for number, move in enumerate(moves):
            play(number, *move)
        if pair.viewer != SPECTATOR:
            mine, yours = (match.why_not_take_back(pair.viewer) for match in matches)
            assert mine == yours, f"{pair.game}, after {len(made[0])} moves: {mine!r} or {yours!r}"
        seats = [seat for seat in range(pair.seats) if not any(match.why_not_take_back(seat) for match in matches)]
        if seats and rnd.random() < chance:
            seat = rnd.choice(seats)
            for number, match in enumerate(matches):
                undone = [one.move for one in match.standing.since_last_move_of(seat)]
                play(number, seat, TAKE_BACK)
                for one in undone:
                    play(number, one.seat, one.action)
    twins = (Twin(pair.twins[0].deck, tuple(made[0])), Twin(pair.twins[1].deck, tuple(made[1])))
    return replace(pair, twins=twins, differing=count_differences(replace(pair, twins=twins)))


def count_differences(pair: Pair) -> int:
    """Return the number of moves after which cards or choices differ between the two matches."""
    one, two, count = pair.match(0), pair.match(1), 0
    for mine, yours in zip(pair.twins[0].moves, pair.twins[1].moves, strict=True):
        one.play(*mine)
        two.play(*yours)
        same = all(np.array_equal(one.state[name], two.state[name]) for name in one.game.rules.faces)
        count += not same or mine != yours
    return count
