"""Our environments beside others of their kind, in one run: ``python benchmarks/environment_speed.py``.

A random player picks uniformly among the legal actions; what is asked of an environment is what such a player needs.
Rates are of CPU time of one core, the best of three; actions of chance are no decisions. Only rows of one run
can be compared.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

REPEATS = 3
COPIES = 5000
#: A copy is made of a state after so many actions.
MIDDLE = 24
#: So often the clock is looked at to find what that takes.
LOOKS = 10_000


@dataclass
class Row:
    """What was measured of an environment; None where it has no meaning."""

    name: str
    decision: float
    """Microseconds a decision."""
    copy: float | None = None
    """Microseconds a copy of a state in mid-match."""
    compared: float | None = None
    """How many times as fast as the fastest peer of its kind."""


def best_of_repeats(measured: Callable[[], float]) -> float:
    """The best of three."""
    return min(measured() for _ in range(REPEATS))


def microseconds_per_item(work: Callable[[], int], seconds: float) -> float:
    """Microseconds of CPU time for each of the things that `work` does and counts, over so many seconds."""
    start, done = time.process_time(), 0
    while time.process_time() - start < seconds:
        done += work()
    return 1e6 * (time.process_time() - start) / done


def microseconds_per_step(
    choose: Callable[[], Any], step: Callable[[Any], object], tables: int, seconds: float
) -> float:
    """Microseconds of CPU time a step of one of so many tables, over so many seconds.

    Choosing is the caller's affair and not counted, and neither is a look at the clock.
    """
    start = time.process_time()
    looks = sum(time.process_time() > 0.0 for _ in range(LOOKS))
    a_look = (time.process_time() - start) / looks
    spent, steps = 0.0, 0
    while spent < seconds:
        actions = choose()
        start = time.process_time()
        step(actions)
        spent += time.process_time() - start - a_look
        steps += tables
    return 1e6 * spent / steps


# --- OpenSpiel --------------------------------------------------------------------------------------------------------

OWN_OF_OPEN_SPIEL = ("python_block_dominoes", "python_liars_poker")
#: Its games in C++: what no game in Python can be compared with, named for the scale.
IN_C_PLUS_PLUS = ("gin_rummy", "leduc_poker", "hearts")


def open_spiel_rows(seconds: float) -> Iterator[Row]:
    """Our games as OpenSpiel's, and games that it has itself in Python."""
    import pyspiel
    from open_spiel.python.games import block_dominoes, liars_poker  # noqa: F401 (they register themselves)

    from facedown.research.openspiel import GAMES

    theirs = [open_spiel_row(pyspiel.load_game(name), seconds) for name in OWN_OF_OPEN_SPIEL]
    yield from theirs
    yield from (open_spiel_row(pyspiel.load_game(name), seconds) for name in IN_C_PLUS_PLUS)
    for name in GAMES:
        for length in ("match", "round"):
            row = open_spiel_row(pyspiel.load_game(f"{name}(length={length})"), seconds)
            row.compared = min(other.decision for other in theirs) / row.decision
            yield row


def open_spiel_row(game: Any, seconds: float) -> Row:
    """One game of OpenSpiel's."""
    choose = random.Random(1)

    def step(state: Any) -> int:
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(choose.choices(actions, chances)[0])
            return 0
        state.apply_action(choose.choice(state.legal_actions()))
        return 1

    def match() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            decisions += step(state)
        state.returns()
        return decisions

    def copies() -> int:
        for _ in range(COPIES):
            state.clone()
        return COPIES

    match()
    state = game.new_initial_state()
    for _ in range(MIDDLE):
        if not state.is_terminal():
            step(state)
    name = f"OpenSpiel {game}"
    return Row(
        name,
        best_of_repeats(lambda: microseconds_per_item(match, seconds)),
        best_of_repeats(lambda: microseconds_per_item(copies, seconds / 5)),
    )


# --- batches, and environments of one table ---------------------------------------------------------------------------

#: Tables that are stepped together: few enough for the processor's own memory.
TABLES = 512
#: Tables of Pgx, which is quickest with many.
MANY = 4096


def batch_rows(seconds: float) -> Iterator[Row]:
    """Thousands of tables with mask and observation: ours, Pgx on the processor, Gymnasium's vector environment."""
    from facedown.core.game_registry import catalogue

    theirs = [pgx_row(name, seconds) for name in ("kuhn_poker", "leduc_holdem")]
    yield from theirs
    fastest = min(row.decision for row in theirs)
    for name in catalogue():
        for row in (batch_row(name, "compact", seconds), batch_row(name, "none", seconds), vector_row(name, seconds)):
            row.compared = fastest / row.decision
            yield row


def batch_row(name: str, observation: str, seconds: float) -> Row:
    """Our batch: one core, masks, and observations or none."""
    from facedown.research.batch import BatchEnv

    env = BatchEnv(name, TABLES, seed="benchmark", observation=observation)
    env.reset()

    def measured() -> float:
        return microseconds_per_step(env.sample, env.step, TABLES, seconds)

    measured()
    what = "mask and observation" if observation != "none" else "mask"
    return Row(f"Facedown {name}, batch, {what}", best_of_repeats(measured))


def vector_row(name: str, seconds: float) -> Row:
    """Our vector environment of Gymnasium: one seat, random players inside."""
    import numpy as np

    from facedown.research.gymnasium import FacedownVectorEnv

    env = FacedownVectorEnv(name, TABLES, opponents=["random"])
    env.reset(seed=1)

    def chosen() -> Any:
        return np.where(env.batch.seat < 0, 0, env.batch.sample())

    def measured() -> float:
        return microseconds_per_step(chosen, env.step, TABLES, seconds)

    measured()
    return Row(f"Facedown {name}, Gymnasium vector", best_of_repeats(measured))


def pgx_row(name: str, seconds: float) -> Row:
    """A game of Pgx, whose states carry mask and observation."""
    import jax
    import pgx

    env = pgx.make(name)
    start_all, step_all = (
        jax.jit(jax.vmap(env.init)),
        jax.jit(jax.vmap(pgx.experimental.auto_reset(env.step, env.init))),
    )
    keys = jax.random.split(jax.random.PRNGKey(1), MANY)
    state = start_all(keys)

    @jax.jit
    def chosen(key: Any, mask: Any) -> Any:
        return jax.vmap(lambda k, m: jax.random.categorical(k, jax.numpy.log(m)))(jax.random.split(key, MANY), mask)

    key = jax.random.PRNGKey(2)

    def choose() -> tuple[Any, Any]:
        nonlocal key
        key, sub, other = jax.random.split(key, 3)
        return chosen(sub, state.legal_action_mask).block_until_ready(), other

    def step(chosen_and_key: tuple[Any, Any]) -> None:
        nonlocal state
        actions, other = chosen_and_key
        state = step_all(state, actions, jax.random.split(other, MANY))
        state.current_player.block_until_ready()

    def measured() -> float:
        return microseconds_per_step(choose, step, MANY, seconds)

    measured()
    return Row(f"Pgx {name}, batch on the processor", best_of_repeats(measured))


def single_table_rows(seconds: float) -> Iterator[Row]:
    """One table stepped from Python: ours by itself and as PettingZoo's AEC, PettingZoo's own, RLCard's."""
    from facedown.core.game_registry import catalogue

    theirs = [aec_row(env, name, seconds) for name, env in peers_of_pettingzoo()] + [rlcard_row("uno", seconds)]
    yield from theirs
    fastest = min(row.decision for row in theirs)
    for name in catalogue():
        from facedown.research.pettingzoo import aec

        for row in (match_row(name, seconds), aec_row(aec(name), f"Facedown {name}, AEC", seconds)):
            row.compared = fastest / row.decision
            yield row


def peers_of_pettingzoo() -> Iterator[tuple[str, Any]]:
    """Environments that PettingZoo has itself, those that are installed."""
    try:
        from pettingzoo.classic import rps_v2, tictactoe_v3
    except ImportError as missing:
        print(f"PettingZoo's own games are left out: {missing}; pip install -e '.[bench]'", file=sys.stderr)
        return
    yield "PettingZoo tictactoe_v3", tictactoe_v3.raw_env()
    yield "PettingZoo rps_v2", rps_v2.raw_env()


def aec_row(env: Any, name: str, seconds: float) -> Row:
    """An AEC environment, asked as a learner asks it: `last`, a choice by the mask, `step`."""
    choose = random.Random(1)

    def match() -> int:
        env.reset(seed=1)
        decisions = 0
        while env.agents:
            observation, _, over, cut, info = env.last()
            if over or cut:
                env.step(None)
                continue
            mask = observation["action_mask"] if isinstance(observation, dict) else info.get("action_mask")
            legal = range(3) if mask is None else mask.nonzero()[0]
            env.step(int(legal[choose.randrange(len(legal))]))
            decisions += 1
        return decisions

    match()
    return Row(name, best_of_repeats(lambda: microseconds_per_item(match, seconds)))


def match_row(name: str, seconds: float) -> Row:
    """One match of ours, stepped by itself."""
    from facedown.research.single_match import SingleMatch

    match = SingleMatch(name, seed="benchmark")

    def played() -> int:
        match.reset(b"benchmark, benchmark, benchmark.")
        while not match.over:
            match.step(match.sample())
        return match.decisions

    played()
    return Row(f"Facedown {name}, one match", best_of_repeats(lambda: microseconds_per_item(played, seconds)))


def rlcard_row(name: str, seconds: float) -> Row:
    """A game of RLCard."""
    import rlcard

    env = rlcard.make(name)
    choose = random.Random(1)

    def match() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(choose.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    match()
    return Row(f"RLCard {name}", best_of_repeats(lambda: microseconds_per_item(match, seconds)))


# --- all of them ------------------------------------------------------------------------------------------------------

#: By name: what measures a kind of environment, for about so many seconds a row.
KINDS: dict[str, Callable[[float], Iterator[Row]]] = {
    "openspiel": open_spiel_rows,
    "batches": batch_rows,
    "single": single_table_rows,
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--seconds", type=float, default=0.5, help="of each of three measurements a row")
    parser.add_argument("--json", action="store_true", help="the rows as JSON, one a line")
    asked = parser.parse_args()
    for kind in asked.kinds:
        for row in KINDS[kind](asked.seconds):
            if asked.json:
                print(json.dumps(asdict(row)), flush=True)
                continue
            copy = "" if row.copy is None else f"{row.copy:8.2f} µs a copy"
            compared = "" if row.compared is None else f"{row.compared:6.1f} times as fast"
            print(f"{row.name:46} {row.decision:8.3f} µs a decision {copy}{compared}", flush=True)


if __name__ == "__main__":
    main()
