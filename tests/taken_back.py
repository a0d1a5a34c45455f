"""Short matches in which moves are taken back, of two games."""

from __future__ import annotations

from dataclasses import replace

from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.play import Session, StoredMove
from tests.games.uncovered.positions import match_with_hands
from tests.play.table import lobby

#: Moves of a match of Uncovered! that is won. Seat 1 takes back its first move, and later a move that seat 0 has
#: answered.
UNCOVERED_MOVES = (
    "P1 swap 1 0 2",
    "P1 take back",
    "P1 swap 4 0 3",
    "P0 swap 3 1 4",
    "P1 swap 1 0 2",
    "P0 swap 2 1 1",
    "P1 take back",
    "P1 uncover",
)
#: Indices, from 0, of the moves of `UNCOVERED_MOVES` that were not taken back.
UNCOVERED_STANDING = [2, 3, 7]
#: Moves of a match of Detect that has just begun. Seat 0 takes back its secret choice of two cards, then a move that
#: seat 1 has not answered, then one that seat 1 has answered.
DETECT_MOVES = (
    "P0 open a1 a3",
    "P0 take back",
    "P0 open a1 a2",
    "P1 open a1 a2",
    "P0 take a1",
    "P0 take back",
    "P0 take a2",
    "P1 take a1",
    "P0 take back",
    "P0 take a1",
)
#: Indices, from 0, of the moves of `DETECT_MOVES` that were not taken back.
DETECT_STANDING = [2, 3, 9]


def push_all(match: Match, *moves: str) -> Match:
    """Play moves such as "P1 take back" and return the match."""
    for move in moves:
        seat, words = move[1:].split(" ", 1)
        match.push(words, int(seat))
    return match


def uncovered_with_take_backs(*last: str) -> Match:
    """Return a match of Uncovered! with take-backs: won, or with other `last` moves instead of the last one."""
    match = match_with_hands("1234 1234", first=1, mode="beginner")
    return push_all(match, *UNCOVERED_MOVES[:-1], *(last or UNCOVERED_MOVES[-1:]))


def detect_with_take_backs(*last: str) -> Match:
    """Return a match of Detect with take-backs, and then the moves `last`."""
    return push_all(Match("detect", 2, {}, seed_from_text("x")), *DETECT_MOVES, *last)


def finished_session(match: Match, seats: str = "me low") -> Session:
    """Return the table of a match that is over, with Ada and bots on the seats of `seats`."""
    record = lobby(seats, game=match.game.name, seed=match.seed).record
    record = replace(record, options=match.options, deal=match.deal, first=match.first, status="finished")
    return Session(
        record, [StoredMove(ply, move.seat, move.action, 20.0, f"{ply}") for ply, move in enumerate(match.moves)]
    )
