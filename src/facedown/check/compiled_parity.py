"""Program that plays random matches and prints a hash of every position.

The check runs it twice: with compiled code and with the same code as plain Python. The hashes must be equal.
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Iterable

import numpy as np

from facedown.bots.observation import layout_of
from facedown.check.random_matches import iterate_random_play, match_with_random_options
from facedown.core.hidden_cards import known_view, redeal, shown_view
from facedown.core.state import SPECTATOR, to_bytes


def position_hash_lines(name: str, seed: int, numbers: Iterable[int], plies: int) -> list[str]:
    """Play random matches, and return a line with a hash for each position of these matches.

    The hash covers the state, the views and the observations.

    * `numbers`: the ids of the matches. A match with a negative id uses the game's research options
      (`core.options.Option.for_research`).
    * `seed`: determines, together with the id, the random choices in a match.
    * `plies`: the largest number of moves in a match.
    """
    out = []
    for number in numbers:
        rnd = random.Random(f"trace {name} {seed} {number}")
        match = match_with_random_options(name, rnd, research=number < 0)
        layout = layout_of(name, match.seats, match.options)
        for _ in iterate_random_play(match, rnd, plies):
            digest = hashlib.sha256(to_bytes(match.state))
            for viewer in (0, match.seats - 1, SPECTATOR):
                digest.update(to_bytes(known_view(match.state, viewer)))
                digest.update(to_bytes(shown_view(match.state, viewer)))
                digest.update(layout.compact(known_view(match.state, viewer)).tobytes())
            if match.ply % 7 == 0:
                digest.update(to_bytes(redeal(known_view(match.state, 0), np.arange(8, dtype=np.uint32))))
            last = match.game.words.words(match.moves[-1].action) if match.moves else "the deal"
            out.append(f"{number} {match.ply} {match.options} {digest.hexdigest()} after {last}")
    return out


if __name__ == "__main__":
    name, seed, plies, *numbers = sys.argv[1:]
    print("\n".join(position_hash_lines(name, int(seed), map(int, numbers), int(plies))))
