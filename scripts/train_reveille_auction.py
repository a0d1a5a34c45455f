"""Learn what two hands of Reveille are worth before the auction: ``python scripts/train_reveille_auction.py``.

First stages are played (by greedy, quick and careless players, so that hands of every kind come up), each auction is
solved exactly, and a small network learns who gets the mark. It writes the numbers that `games.reveille.evaluation`
reads, and prints how often it names the winner of auctions that it has not learnt from. Takes some twenty minutes on
one core.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation import rollout_policy
from facedown.bots.simple_bots import greedy
from facedown.core import dispatch
from facedown.core.dispatch import lowest_acting
from facedown.core.hidden_cards import MAX_LEGAL
from facedown.core.match import Match
from facedown.core.random_numbers import key_of, quick_below, quick_generator
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.games.reveille.bots.auction import THROWN_IN, WON, judge_calls, solve_stage_two
from facedown.games.reveille.bots.evaluation import INPUTS, LAYERS, WEIGHTS
from facedown.games.reveille.cards import BONES
from facedown.games.reveille.rules import Phase, ReveillePosition, hand_mask

AUCTIONS = 240_000
#: Of a hundred moves so many are any legal one, in turn.
CARELESS = (0, 0, 15, 40, 100)
#: A tenth of the auctions is kept apart, to see what was learnt.
HELD_OUT = 10
EPOCHS = 30
BATCH = 512
RATE = 2e-3
DECAY = 1e-5

Weights = list[NDArray[np.float32]]


@rule
def first_stage(s: ReveillePosition, q: NDArray[np.uint64], careless: int, actions: NDArray[np.int32]) -> None:
    """Compiled entry: play until the auction begins, or the hand is over before."""
    while s.over == 0 and s.phase < Phase.AUCTION:
        seat = lowest_acting(s)
        if quick_below(q, 100) < careless:
            action = actions[quick_below(q, dispatch.legal(s, seat, actions))]
        elif quick_below(q, 2) == 0:
            action = rollout_policy(s, seat, q)
        else:
            action = greedy(s, seat, q)
        dispatch.apply(s, seat, action)


def auctions(count: int, seed: str) -> NDArray[np.int64]:
    """So many solved auctions: the opener's hand, the other's, and `WON` or `LOST` for the opener."""
    actions = np.zeros(MAX_LEGAL, np.int32)
    rows = np.zeros((count, 3), np.int64)
    q = quick_generator(key_of(seed_from_text(seed)), 0)
    found = number = 0
    while found < count:
        match = Match("reveille", 2, {}, seed_from_text(f"{seed} {number}"))
        number += 1
        first_stage(match.state, q, CARELESS[number % len(CARELESS)], actions)
        if int(match.state.phase) != Phase.AUCTION:
            continue
        opener = int(match.state.opener)
        hands = (int(hand_mask(match.state, opener)), int(hand_mask(match.state, 1 - opener)))
        value = max(judge_calls(solve_stage_two(hands), 0).values())
        if value != THROWN_IN:
            rows[found] = *hands, value
            found += 1
            if found % 20_000 == 0:
                print(f"{found} auctions", flush=True)
    return rows


def network_examples(rows: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What the network sees of auctions (a one for each bone in each hand), and what it is to say."""
    bones = np.arange(BONES)
    seen = np.concatenate([(rows[:, [0]] >> bones) & 1, (rows[:, [1]] >> bones) & 1], axis=1)
    return seen.astype(np.float32), (rows[:, 2] == WON).astype(np.float32)


def layers(weights: Weights, seen: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """What each layer says, the last one without bounds."""
    said = [seen]
    for number in range(0, len(weights), 2):
        out = said[-1] @ weights[number] + weights[number + 1]
        said.append(out if number == len(weights) - 2 else np.maximum(out, 0.0))
    return said


def accuracy_and_loss(weights: Weights, rows: NDArray[np.int64]) -> tuple[float, float]:
    """How often the winner is named, and the mean surprise (log loss)."""
    seen, won = network_examples(rows)
    out = layers(weights, seen)[-1][:, 0]
    chance = np.clip(1.0 / (1.0 + np.exp(-out)), 1e-6, 1.0 - 1e-6)
    surprise = -(won * np.log(chance) + (1.0 - won) * np.log(1.0 - chance))
    return float(((out > 0) == (won > 0)).mean()), float(surprise.mean())


def learn(rows: NDArray[np.int64], apart: NDArray[np.int64]) -> Weights:
    """The weights and biases of each layer, learnt by Adam (Kingma and Ba 2015) with a falling rate."""
    chance = np.random.default_rng(1)
    sizes = [INPUTS, *LAYERS]
    weights: Weights = []
    for below, above in pairwise(sizes):
        weights.append(chance.normal(0.0, np.sqrt(2.0 / below), (below, above)).astype(np.float32))
        weights.append(np.zeros(above, np.float32))
    seen, won = network_examples(rows)
    mean, spread = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    steps = 0
    for epoch in range(EPOCHS):
        rate = RATE * 0.5 * (1.0 + np.cos(np.pi * epoch / EPOCHS))
        order = chance.permutation(len(rows))
        for start in range(0, len(rows), BATCH):
            batch = order[start : start + BATCH]
            steps += 1
            for number, slope in enumerate(gradients(weights, seen[batch], won[batch])):
                mean[number] = 0.9 * mean[number] + 0.1 * slope
                spread[number] = 0.999 * spread[number] + 0.001 * slope**2
                size = np.sqrt(spread[number] / (1.0 - 0.999**steps)) + 1e-8
                weights[number] -= (rate * mean[number] / (1.0 - 0.9**steps) / size).astype(np.float32)
        if epoch % 5 == 4:
            winner, surprise = accuracy_and_loss(weights, apart)
            print(f"epoch {epoch + 1}: winner {winner:.4f}, surprise {surprise:.4f}", flush=True)
    return weights


def gradients(weights: Weights, seen: NDArray[np.float32], won: NDArray[np.float32]) -> Weights:
    """How the surprise grows with each weight."""
    said = layers(weights, seen)
    chance = 1.0 / (1.0 + np.exp(-said[-1][:, 0]))
    back = ((chance - won) / len(won))[:, None].astype(np.float32)
    found: Weights = [np.zeros(0, np.float32)] * len(weights)
    for number in range(len(weights) - 2, -1, -2):
        layer = said[number // 2]
        found[number] = layer.T @ back + DECAY * weights[number]
        found[number + 1] = back.sum(axis=0)
        back = (back @ weights[number].T) * (layer > 0)
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--auctions", type=int, default=AUCTIONS)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    started = time.perf_counter()
    rows = auctions(given.auctions, "learning")
    cut = len(rows) // HELD_OUT
    weights = learn(rows[cut:], rows[:cut])
    np.save(given.out, np.concatenate([w.ravel() for w in weights]).astype(np.float32))
    winner, surprise = accuracy_and_loss(weights, rows[:cut])
    spent = time.perf_counter() - started
    print(f"{given.out}, after {spent:.0f} s: winner {winner:.4f}, surprise {surprise:.4f}")


if __name__ == "__main__":
    main()
