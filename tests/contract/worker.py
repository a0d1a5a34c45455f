"""Plays random matches and prints a hash of the state after every step; run compiled and interpreted, and compared."""

from __future__ import annotations

import hashlib
import random
import sys

import numpy as np

from facedown.core.slots import look, observe, redeal
from facedown.core.state import SPECTATOR, to_bytes
from tests.contract.driver import play_randomly, random_match


def trace(name: str, seed: int, matches: int, plies: int) -> list[str]:
    """The hashes of states, views and other worlds along random matches."""
    out = []
    for number in range(matches):
        rnd = random.Random(f"trace {name} {seed} {number}")
        match = random_match(name, rnd)
        for _ in range(plies):
            digest = hashlib.sha256(to_bytes(match.state))
            for viewer in (0, match.seats - 1, SPECTATOR):
                view = observe(match.state, viewer)
                digest.update(to_bytes(view))
                digest.update(to_bytes(look(match.state, viewer)))
            if match.ply % 7 == 0:
                digest.update(to_bytes(redeal(observe(match.state, 0), np.arange(8, dtype=np.uint32))))
            out.append(f"{number} {match.ply} {match.options} {digest.hexdigest()}")
            if match.over:
                break
            play_randomly(match, rnd, 1)
    return out


if __name__ == "__main__":
    print("\n".join(trace(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))
