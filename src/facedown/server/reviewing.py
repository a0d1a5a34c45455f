"""What the coach says of a finished match from one seat, as plain data. It is worked out apart from the event loop.

Everything is judged by what the seat knew when it moved (`bots.coach`); only Uncovered!, which all win or lose
together, is judged as a whole, by the cards that lie open at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from facedown.core.game import Game
from facedown.core.match import Match
from facedown.core.slots import look, observe
from facedown.core.spoken import Spoken
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter

Verdict = Literal["best", "close", "costly"]
#: So many moments are told: the costliest decisions. Luck is nobody's decision and is not told as one.
MOMENTS = 3
#: Less than this share of the match is no moment.
WORTH_TELLING = 0.005
#: The public fields that count the rounds of a match, whatever a game calls them.
COUNTERS = ("hand_number", "round_number")


@dataclass(frozen=True, slots=True)
class Told:
    """A move in a person's words."""

    own: Spoken
    """To the seat that made it ("your 2")."""
    other: Spoken
    """Of that seat, to anybody else ("their 2")."""

    def to(self, itself: bool) -> Spoken:
        """The words for the seat itself, or for others."""
        return self.own if itself else self.other


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision of the match."""

    ply: int
    """Which move of the match it was, from 1."""
    seat: int
    where: str
    """"Hand 4, trick 6 of 7"."""
    at: float
    """How far along the match, from 0 to 1, every round being as long as the others."""
    played: Told
    better: Told | None
    """The best move; None if this was it, or as good."""
    why: str
    """Why that is the best move, to the seat itself."""
    verdict: Verdict
    chance: float | None
    """The chance to win the match after it; None where turns are counted."""
    best_chance: float | None
    cost: float
    """So much of the chance, or so many turns, did it cost."""
    error: float
    """Of an estimate, the standard error of what the move was judged by."""
    exact: bool
    worlds: int
    beaten: int = 0
    """In so many of the worlds the best move came out ahead of it."""
    beats: int = 0
    """In so many of them it came out ahead."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A look back at a match."""

    seat: int | None
    """Whose; None where all play together."""
    unit: Literal["chance", "turns"]
    judged: tuple[Judged, ...]
    rounds: tuple[str, ...]
    """The numbers of the rounds, each as wide as the others on the graph."""
    line: tuple[tuple[float, float], ...]
    """The chance as it went: (how far along, chance), from the deal to the result."""
    moments: tuple[Judged, ...]
    """The costliest decisions, in the order of the match."""

    def count(self, verdict: Verdict) -> int:
        """How many decisions were judged so."""
        return sum(move.verdict == verdict for move in self.judged)


def look_back(
    match: Match,
    seat: int | None,
    sitters: Sequence[Sitter],
    tries: int,
    tell_ply: Callable[[int], None] = lambda ply: None,
    memory: bool = False,
) -> Reviewed:
    """The coach's look back at a finished match; `ValueError` while it is running."""
    if not match.over:
        raise ValueError("a running match is not looked back at")
    judged = decisions(match, seat, sitters, tries, tell_ply, memory)
    turns = match.game.info.together
    line = () if turns or seat is None else tuple(_line(match, seat, judged))
    last = rounds_of([state for _, state in match.states()])[-1]
    return Reviewed(
        seat,
        "turns" if turns else "chance",
        judged,
        tuple(str(number + 1) for number in range(last + 1)),
        line,
        tuple(sorted(costliest(judged), key=lambda move: move.at)),
    )


def decisions(
    match: Match,
    seat: int | None,
    sitters: Sequence[Sitter],
    tries: int,
    tell_ply: Callable[[int], None] = lambda ply: None,
    memory: bool = False,
) -> tuple[Judged, ...]:
    """The decisions of a seat (None: of all), judged; `NoCoach` where nothing can be said as long as the match runs."""
    from facedown.bots.coach import CHANCE, review

    found = review(match, tries, tell_ply, seat)
    states = [state for _, state in match.states()]
    places = _places(states)
    see = observe if memory else look
    judged = []
    for move in found.moves:
        view = see(states[move.ply], move.seat)
        table = match.game.tables.table(view, sitters)
        parts = [part for part in table.subtitle.split(" · ") if part != "your turn"]
        where = parts[0] if match.game.info.together else ", ".join(parts)
        good = move.as_good
        judged.append(
            Judged(
                ply=move.ply + 1,
                seat=move.seat,
                where=where,
                at=places[move.ply + 1],
                played=_told(match.game, view, move.played.action, sitters),
                better=None if good else _told(match.game, view, move.best.action, sitters),
                why="" if good else move.best.why,
                verdict="best" if good else "costly" if move.mistake else "close",
                chance=move.chance if move.chance is not None or move.played.unit != CHANCE else move.played.value,
                best_chance=move.best_chance
                if move.best_chance is not None or move.played.unit != CHANCE
                else move.best.value,
                cost=max(0.0, move.cost),
                error=move.played.error,
                exact=move.played.exact,
                worlds=move.played.worlds,
                beaten=move.played.beaten,
                beats=move.played.beats,
            )
        )
    return tuple(judged)


def costliest(judged: Sequence[Judged], most: int = MOMENTS) -> list[Judged]:
    """The decisions that cost most, dearest first."""
    costly = [move for move in judged if move.verdict == "costly" and move.cost >= WORTH_TELLING]
    return sorted(costly, key=lambda move: (-move.cost, move.at))[:most]


def rounds_of(states: Sequence[Any]) -> list[int]:
    """The round that each state belongs to, from 0."""
    name = next((one for one in COUNTERS if one in (states[0].dtype.names or ())), "")
    if not name:
        return [0] * len(states)
    first = int(states[0][name])
    return [int(state[name]) - first for state in states]


def _places(states: Sequence[Any]) -> list[float]:
    """How far along the match each state is, every round being as long as the others."""
    rounds = rounds_of(states)
    whole = rounds[-1] + 1
    first: dict[int, int] = {}
    count: dict[int, int] = {}
    for at, number in enumerate(rounds):
        first.setdefault(number, at)
        count[number] = count.get(number, 0) + 1
    return [(number + (at - first[number] + 0.5) / count[number]) / whole for at, number in enumerate(rounds)]


def _line(match: Match, seat: int, judged: Sequence[Judged]) -> Iterator[tuple[float, float]]:
    yield 0.0, 1 / match.seats
    for move in judged:
        if move.chance is not None:
            yield move.at, move.chance
    if not match.abandoned:
        returns = match.game.returns(match.state)
        winners = [one for one in range(match.seats) if returns[one] == max(returns)]
        yield 1.0, 1 / len(winners) if seat in winners else 0.0


def _told(game: Game, view: Any, action: int, sitters: Sequence[Sitter]) -> Told:
    return Told(game.spoken(view, action, sitters), game.spoken(view, action, sitters, SPECTATOR))
