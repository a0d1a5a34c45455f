"""What a match can look like: of every phase of a game a position that has much on the table."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass

from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Step, Table
from tests.browser.drawn import sitters

#: How many matches are played at random, and how far.
MATCHES = 2
MOVES = 1200
#: Of how many positions of a kind the fullest is taken.
WEIGHED = 3


@dataclass(frozen=True, slots=True)
class Moment:
    """A position as one viewer has it."""

    name: str
    match: Match
    viewer: int
    """Seat 0, or who watches."""
    table: Table


@functools.cache
def moments(game: str, players: int, turn: int | None = None) -> tuple[Moment, ...]:
    """Of each phase, for whoever is asked, whoever waits and whoever watches, a full position.

    With a `turn` people with awkward names play it (`drawn.sitters`).
    """
    found: dict[tuple[str, str], tuple[int, Moment]] = {}
    for number in range(MATCHES):
        match = Match(game, players, {}, seed=bytes([number]) * 32)
        kinds: dict[tuple[int, bool], list[int]] = {}
        chance = random.Random(number)
        while not match.over and match.ply < MOVES:
            kinds.setdefault((int(match.state.phase), 0 in match.acting), []).append(match.ply)
            seat = chance.choice(match.acting)
            match.play(seat, chance.choice(match.legal(seat)))
        plies = {all_of[i * (len(all_of) - 1) // (WEIGHED - 1)] for all_of in kinds.values() for i in range(WEIGHED)}
        for ply in sorted(plies):
            there = match.at(ply)
            for viewer in (0, SPECTATOR):
                table = there.table(viewer, sitters(players, turn))
                role = "watches" if viewer == SPECTATOR else "is asked" if table.step.choices else "waits"
                weight = _weight(table)
                if weight > found.get((table.phase, role), (-1,))[0]:
                    name = f"{table.phase}, move {ply} of match {number}, seat 0 {role}"
                    found[table.phase, role] = weight, Moment(name, there, viewer, table)
    return tuple(moment for _, moment in found.values())


def _weight(table: Table) -> int:
    """How much there is to see: cards count more than letters."""
    pieces = sum(piece.kind not in ("gap", "gone") for zone in table.zones for piece in zone.pieces)
    words = [*(f"{seat.line}{seat.state}" for seat in table.seats), *(zone.label for zone in table.zones)]
    return 20 * pieces + sum(map(len, words)) + _longest(table.step)


def _longest(step: Step) -> int:
    """How long the longest prompt is that these touches may come to."""
    then = [_longest(choice.then) for choice in step.choices if choice.then]
    return max([len(step.prompt) + len(step.help), *then])
