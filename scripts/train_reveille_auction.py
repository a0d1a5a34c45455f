"""Train a network to evaluate two Reveille hands before the auction: ``python scripts/train_reveille_auction.py``.

First stages are played by a mixture of greedy, rollout-policy and random players, so that all kinds of hands occur.
Each auction is solved exactly, and a small network learns which player wins it. The script writes the weights that
`games.reveille.bots.evaluation` reads, and prints how often the network predicts the winner of auctions that were not
used for training. It takes about twenty minutes on one core.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation_dispatch import rollout_policy
from facedown.bots.simple_bots import greedy
from facedown.core import rule_dispatch
from facedown.core.hidden_cards import MAX_LEGAL
from facedown.core.match import Match
from facedown.core.random_numbers import key_of, quick_generator, quick_randint
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.seeds import seed_from_text
from facedown.games.reveille.bots.auction_solver import THROWN_IN, WON, judge_calls, solve_stage_two
from facedown.games.reveille.bots.evaluation import INPUTS, LAYERS, WEIGHTS
from facedown.games.reveille.cards import BONES
from facedown.games.reveille.rules import Phase, ReveillePosition, hand_mask

AUCTIONS = 240_000
#: Percentages of random legal moves; the matches use these values in turn.
CARELESS = (0, 0, 15, 40, 100)
#: One in this many auctions is held out from training, to measure the accuracy.
HELD_OUT = 10
EPOCHS = 30
BATCH = 512
RATE = 2e-3
DECAY = 1e-5

Weights = list[NDArray[np.float32]]


@rule
def play_stage_before_auction(
    s: ReveillePosition, q: NDArray[np.uint64], careless: int, actions: NDArray[np.int32]
) -> None:
    """Play until the auction begins or the hand is over; compiled entry point.

    `careless` is the percentage of random moves; the others are chosen by the rollout policy or greedily. `q` is a
    quick generator, `actions` a buffer for legal actions.
    """
    while s.over == 0 and s.phase < Phase.AUCTION:
        seat = lowest_acting(s)
        if quick_randint(q, 100) < careless:
            action = actions[quick_randint(q, rule_dispatch.legal(s, seat, actions))]
        elif quick_randint(q, 2) == 0:
            action = rollout_policy(s, seat, q)
        else:
            action = greedy(s, seat, q)
        rule_dispatch.apply(s, seat, action)


def hand_pairs_with_solved_winner(count: int, seed: str) -> NDArray[np.int64]:
    """Return `count` solved auctions, one row each: the opener's hand, the other hand (bit masks), and `WON` or
    `LOST`.
    """
    actions = np.zeros(MAX_LEGAL, np.int32)
    rows = np.zeros((count, 3), np.int64)
    q = quick_generator(key_of(seed_from_text(seed)), 0)
    found = number = 0
    while found < count:
        match = Match("reveille", 2, {}, seed_from_text(f"{seed} {number}"))
        number += 1
        play_stage_before_auction(match.state, q, CARELESS[number % len(CARELESS)], actions)
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
    """Return the inputs and the targets of the network from `rows` of `hand_pairs_with_solved_winner`.

    An input is 1 for each domino in each hand; a target is 1 if the opener wins.
    """
    bones = np.arange(BONES)
    seen = np.concatenate([(rows[:, [0]] >> bones) & 1, (rows[:, [1]] >> bones) & 1], axis=1)
    return seen.astype(np.float32), (rows[:, 2] == WON).astype(np.float32)


def layers(weights: Weights, seen: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Return the input `seen` and the outputs of all layers; the last layer has no activation function."""
    said = [seen]
    for number in range(0, len(weights), 2):
        out = said[-1] @ weights[number] + weights[number + 1]
        said.append(out if number == len(weights) - 2 else np.maximum(out, 0.0))
    return said


def accuracy_and_loss(weights: Weights, rows: NDArray[np.int64]) -> tuple[float, float]:
    """Return the share of correctly predicted winners in `rows`, and the mean log loss."""
    seen, won = network_examples(rows)
    out = layers(weights, seen)[-1][:, 0]
    chance = np.clip(1.0 / (1.0 + np.exp(-out)), 1e-6, 1.0 - 1e-6)
    surprise = -(won * np.log(chance) + (1.0 - won) * np.log(1.0 - chance))
    return float(((out > 0) == (won > 0)).mean()), float(surprise.mean())


def learn(rows: NDArray[np.int64], apart: NDArray[np.int64]) -> Weights:
    """Return the weights and biases of each layer, trained on `rows` by Adam (Kingma and Ba 2015) with a decreasing
    rate.

    Every five epochs, the accuracy on the held-out auctions `apart` is printed.
    """
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
    """Return the gradient of the mean log loss with respect to each weight and bias."""
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
    """Parse the command line, train the network, and write its weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--auctions", type=int, default=AUCTIONS)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    started = time.perf_counter()
    rows = hand_pairs_with_solved_winner(given.auctions, "learning")
    cut = len(rows) // HELD_OUT
    weights = learn(rows[cut:], rows[:cut])
    np.save(given.out, np.concatenate([w.ravel() for w in weights]).astype(np.float32))
    winner, surprise = accuracy_and_loss(weights, rows[:cut])
    spent = time.perf_counter() - started
    print(f"{given.out}, after {spent:.0f} s: winner {winner:.4f}, surprise {surprise:.4f}")


if __name__ == "__main__":
    main()
