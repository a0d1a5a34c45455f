"""What the coach says of a finished match from one seat, as plain data. It is worked out apart from the event loop.

Everything is judged by what the seat knew when it moved (`bots.coach`); only Uncovered!, which all win or lose
together, is judged as a whole, by the cards that lie open at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from facedown.core.match import Match, tell
from facedown.core.slots import look, observe
from facedown.core.table import Sitter
from facedown.server.wording import in_words, sentence

Verdict = Literal["best", "close", "costly"]
#: So many moments are told.
MOMENTS = 3
#: A change of the chance that is told as a moment, at least.
WORTH_TELLING = 0.02
#: So many lines of the log say what happened between two moves.
LINES = 2
#: The public fields that count the rounds of a match, whatever a game calls them.
COUNTERS = ("hand_number", "round_number")


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
    played: str
    """The move in words, to the person who made it."""
    better: str
    """The best move in words; empty if this was it, or as good."""
    why: str
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


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that mattered."""

    where: str
    ply: int
    """After which move of the match it is to be seen."""
    at: float
    chance: float | None
    """Where it stands on the graph."""
    change: float
    """By how much the chance rose or fell, or minus the turns that were wasted."""
    exact: bool
    text: str
    better: str = ""
    seat: int = 0
    own: bool = True
    """A decision of the seat; otherwise something that happened to it."""


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
    moments: tuple[Moment, ...]

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
    from facedown.bots.coach import CHANCE, review

    if not match.over:
        raise ValueError("a running match is not looked back at")
    found = review(match, tries, tell_ply, seat)
    states = [state for _, state in match.states()]
    places = _places(states)
    see = observe if memory else look
    judged = []
    for move in found.moves:
        table = match.game.tables.table(see(states[move.ply], move.seat), sitters)
        parts = [part for part in table.subtitle.split(" · ") if part != "your turn"]
        where = parts[0] if match.game.info.together else ", ".join(parts)
        good = move.as_good
        judged.append(
            Judged(
                ply=move.ply + 1,
                seat=move.seat,
                where=where,
                at=places[move.ply + 1],
                played=in_words(table, move.played.action, move.played.words),
                better="" if good else in_words(table, move.best.action, move.best.words),
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
            )
        )
    turns = match.game.info.together
    line = () if turns or seat is None else tuple(_line(match, seat, judged))
    costly = [_mistake(move) for move in judged if move.verdict == "costly" and move.cost >= 0.005]
    costly = sorted(costly, key=lambda moment: (moment.change, moment.at))[:MOMENTS]
    if line and seat is not None and len(costly) < MOMENTS:
        swings = [s for s in _swings(match, seat, judged, states, sitters, line[-1]) if abs(s.change) >= WORTH_TELLING]
        costly += sorted(swings, key=lambda moment: (-abs(moment.change), moment.at))[: MOMENTS - len(costly)]
    return Reviewed(
        seat,
        "turns" if turns else "chance",
        tuple(judged),
        tuple(str(number + 1) for number in range(rounds_of(states)[-1] + 1)),
        line,
        tuple(sorted(costly, key=lambda moment: moment.at)),
    )


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


def _mistake(move: Judged) -> Moment:
    better = f"Better: {move.better}" + (f", {move.why}" if move.why else "")
    return Moment(
        move.where,
        move.ply,
        move.at,
        move.chance,
        -move.cost,
        move.exact,
        sentence(move.played),
        better,
        move.seat,
        True,
    )


def _swings(
    match: Match,
    seat: int,
    judged: Sequence[Judged],
    states: Sequence[Any],
    sitters: Sequence[Sitter],
    end: tuple[float, float],
) -> Iterator[Moment]:
    """What happened to the seat between its decisions: the cards, and the others."""
    for before, after in zip(judged, [*judged[1:], None], strict=True):
        last = match.ply if after is None else after.ply - 1
        then = end[1] if after is None else after.best_chance
        if before.chance is None or then is None:
            continue
        # What the seat's own move brought to light is told with what followed.
        lines = [
            line.text
            for ply in range(before.ply - 1, last)
            for line in tell(match.game, states[ply], states[ply + 1], match.moves[ply], seat, sitters)
        ]
        exact = before.exact and (after is None or after.exact)
        where = before.where if after is None else after.where
        at, chance = end if after is None else (after.at, after.chance or 0.0)
        text = " ".join(lines[-LINES:]) or "Others chose, or cards were turned."
        yield Moment(where, last, at, chance, then - before.chance, exact, text, "", seat, False)
