"""Matches for tests of bots: played move by move, or with an explicit deal."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from facedown.bots import bot, choose_for_seat
from facedown.bots.network import critic_shape, player_shape
from facedown.bots.weights_file import Weights
from facedown.core.game_registry import catalogue, game
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.games.detect.bots.features import LAYOUT

#: The second player's cards in Detect in explicit deals.
SPREAD = "3 4 5 6 7 8 9 10 11 3 4 5"


def new_match(name: str, seed: object, more: int = 0, **options: str) -> Match:
    """Return a new match with the fewest players, or `more` of them."""
    low, high = catalogue()[name].seats
    return Match(name, min(low + more, high), options, seed_from_text(f"{name} {seed}"))


def iterate_turns(match: Match, plies: int = sys.maxsize) -> Iterator[tuple[int, int]]:
    """Yield number and seat of each turn, at most `plies`; the caller plays a move at each."""
    for ply in range(plies):
        if match.over:
            return
        yield ply, match.acting[0]


def played_by_bots(match: Match, level: str, plies: int = sys.maxsize) -> Match:
    """Let bots of a level play all seats, at most `plies` moves; return the match."""
    for _ply, seat in iterate_turns(match, plies):
        match.play(seat, choose_for_seat(bot(level), match, seat, match.ply))
    return match


def detect_match(*moves: str, deal: str, first: int = 1, **options: str) -> Match:
    """Return a match of Detect after these moves, with an explicit deal."""
    words = game("detect").words
    kinds = [words.card_kind(word) for word in deal.split()]
    match = Match("detect", 2, options, seed_from_text("position"), kinds, first)
    for text in moves:
        match.play(match.acting[0], words.parse(text))
    return match


def match_with_two_nines(*moves: str, seat: int = 0) -> Match:
    """Return a match of Detect in which a seat may take a third 9 from the discard pile, which removes 27 points."""
    match = detect_match(deal=f"9 9 1 2 3 4 5 6 7 8 10 11 {SPREAD} 9 1", first=1 - seat)
    words = match.game.words
    match.play(seat, words.parse("open a1 a2"))
    match.play(1 - seat, words.parse("open a1 b1"))
    assert match.acting == [seat]
    for text in moves:
        match.play(seat, words.parse(text))
    return match


def untrained_network() -> Weights:
    """Return an untrained network for Detect, with a critic; the same one each time."""
    rng = np.random.default_rng(3)
    player, critic = player_shape(LAYOUT, 8, 16, 16, 8), critic_shape(LAYOUT, 8, 16, 16)
    rows = [(rng.standard_normal(shape.weight_count) / 5).astype(np.float32) for shape in (player, critic)]
    return Weights("detect", LAYOUT.hash, player, rows[0], critic, rows[1])
