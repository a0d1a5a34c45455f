"""A bot of your own, at a table.

A bot is anything with the method `choose`. It is handed the game, a *view* (all that its seat knows, and nothing
else), its seat and a seed; it returns one of the legal actions. With the same view and seed it has to choose the same.

This one plays SCOUT with one idea: show as many cards as you can, and scout only when nothing can be shown. It reads
its moves as a person would, by their words: `show 4-6`, `scout left kept at 2`. It then sits down against three bots
that play at random.
"""

from __future__ import annotations

import random

import facedown
from facedown.core.game_registry import GameModule
from facedown.core.state import View

GAME = "scout"


class Longest:
    """Shows the longest set it has."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """The action that shows most cards; one of the others by lot where nothing can be shown."""
        legal = game.legal(view, seat)
        words = {action: game.words.words(action) for action in legal}
        longest = max(legal, key=lambda action: cards(words[action]))
        return longest if cards(words[longest]) else random.Random(seed).choice(legal)


def cards(words: str) -> int:
    """How many cards a move shows.

    >>> cards("show 4-6"), cards("show 2"), cards("scout left kept at 0")
    (3, 1, 0)
    """
    verb, *places = words.split()
    if verb != "show":
        return 0
    first, _, last = places[0].partition("-")
    return int(last or first) - int(first) + 1


def play(seed: int) -> tuple[float, ...]:
    """One match of four: our bot in a seat by turns, random bots in the others; the scores, ours first."""
    match = facedown.Match(GAME, seats=4, seed=facedown.seed_from_text(f"a bot {seed}"))
    ours = seed % 4
    sitters = [Longest() if seat == ours else facedown.bot("random") for seat in range(4)]
    while not match.over:
        seat = match.acting[0]
        match.play(seat, facedown.choose_for_seat(sitters[seat], match, seat, seed=match.ply))
    scores = match.returns
    return (scores[ours], *(score for seat, score in enumerate(scores) if seat != ours))


def main(matches: int = 20) -> str:
    """Play, and say in one sentence how it went."""
    played = [play(seed) for seed in range(matches)]
    won = sum(ours >= max(others) for ours, *others in played)
    return f"Longest won {won} of {matches} matches against three bots that play at random."


if __name__ == "__main__":
    print(main())
