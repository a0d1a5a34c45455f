"""A bot of your own, at a table.

For programmers who want to write a bot. A bot is any object with the method `choose`. It receives the game, a *view*
(everything its seat knows), its seat and a seed, and returns a legal action. The same view and seed must give the same
action.

This bot plays SCOUT: it shows as many cards as it can, and otherwise scouts at random. It reads its moves as text:
`show 4-6`, `scout left kept at 2`. It plays against three random bots.
"""

from __future__ import annotations

import random

import facedown
from facedown.core.game_registry import GameModule
from facedown.core.state import View

GAME = "scout"


class Longest:
    """Shows the longest set it can."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return the action that shows the most cards, or a random one if no action shows any."""
        legal = game.legal(view, seat)
        words = {action: game.words.words(action) for action in legal}
        longest = max(legal, key=lambda action: cards(words[action]))
        return longest if cards(words[longest]) else random.Random(seed).choice(legal)


def cards(words: str) -> int:
    """Return the number of cards that a move shows.

    >>> cards("show 4-6"), cards("show 2"), cards("scout left kept at 0")
    (3, 1, 0)
    """
    verb, *places = words.split()
    if verb != "show":
        return 0
    first, _, last = places[0].partition("-")
    return int(last or first) - int(first) + 1


def play(seed: int) -> tuple[float, ...]:
    """Play one match with our bot in seat `seed % 4` and random bots in the others; return the scores, ours first."""
    match = facedown.Match(GAME, seats=4, seed=facedown.seed_from_text(f"a bot {seed}"))
    ours = seed % 4
    sitters = [Longest() if seat == ours else facedown.bot("random") for seat in range(4)]
    while not match.over:
        seat = match.acting[0]
        match.play(seat, facedown.choose_for_seat(sitters[seat], match, seat, seed=match.ply))
    scores = match.returns
    return (scores[ours], *(score for seat, score in enumerate(scores) if seat != ours))


def main(matches: int = 20) -> str:
    """Play the matches and return the result as a sentence."""
    played = [play(seed) for seed in range(matches)]
    won = sum(ours >= max(others) for ours, *others in played)
    return f"Longest won {won} of {matches} matches against three bots that play at random."


if __name__ == "__main__":
    print(main())
