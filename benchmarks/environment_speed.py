"""Speed of Facedown's environments and of comparable ones, in one run: ``python benchmarks/environment_speed.py``.

A random player chooses uniformly among the legal actions. Each environment is asked for what such a player needs. Rates
are per CPU time of one core, the best of three. Chance events are not counted as decisions. Only rows of the same run
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
#: Number of actions after which a state is copied.
MIDDLE = 24
#: Number of clock readings from which the duration of one reading is estimated.
LOOKS = 10_000


@dataclass
class Row:
    """Results for one environment; None for a value that does not apply."""

    name: str
    decision: float
    """Microseconds per decision."""
    copy: float | None = None
    """Microseconds per copy of a state in the middle of a match."""
    compared: float | None = None
    """Speed relative to the fastest environment of the same kind in another library."""


def best_of_repeats(measured: Callable[[], float]) -> float:
    """Return the smallest result of three calls."""
    return min(measured() for _ in range(REPEATS))


def microseconds_per_item(work: Callable[[], int], seconds: float) -> float:
    """Return the CPU time per item in microseconds. `work` is repeated for `seconds`; each call returns its number of
    items.
    """
    start, done = time.process_time(), 0
    while time.process_time() - start < seconds:
        done += work()
    return 1e6 * (time.process_time() - start) / done


def microseconds_per_step(
    choose: Callable[[], Any], step: Callable[[Any], object], tables: int, seconds: float
) -> float:
    """Return the CPU time in microseconds per step of one of `tables` tables, measured for `seconds`.

    The time of `choose` and of reading the clock is not included.
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
#: OpenSpiel games written in C++, shown for orientation; games in Python cannot compete with them.
IN_C_PLUS_PLUS = ("gin_rummy", "leduc_poker", "hearts")


def open_spiel_rows(seconds: float) -> Iterator[Row]:
    """Yield rows for Facedown's games in OpenSpiel, and for OpenSpiel's own games."""
    import pyspiel
    from open_spiel.python.games import block_dominoes, liars_poker  # noqa: F401 (the import registers them)

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
    """Measure one OpenSpiel game."""
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


# --- batches, and environments of a single table ----------------------------------------------------------------------

#: Number of tables that are stepped together, small enough for the processor's cache.
TABLES = 512
#: Number of tables for Pgx, which is fastest with large batches.
MANY = 4096


def batch_rows(seconds: float) -> Iterator[Row]:
    """Yield rows for batches with mask and observation: Facedown's, Pgx on the CPU, and Gymnasium's vector
    environment.
    """
    from facedown.core.game_registry import catalogue

    theirs = [pgx_row(name, seconds) for name in ("kuhn_poker", "leduc_holdem")]
    yield from theirs
    fastest = min(row.decision for row in theirs)
    for name in catalogue():
        for row in (batch_row(name, "compact", seconds), batch_row(name, "none", seconds), vector_row(name, seconds)):
            row.compared = fastest / row.decision
            yield row


def batch_row(name: str, observation: str, seconds: float) -> Row:
    """Measure Facedown's batch environment on one core, with masks, and with or without observations."""
    from facedown.research.batch import BatchEnv

    env = BatchEnv(name, TABLES, seed="benchmark", observation=observation)
    env.reset()

    def measured() -> float:
        return microseconds_per_step(env.sample, env.step, TABLES, seconds)

    measured()
    what = "mask and observation" if observation != "none" else "mask"
    return Row(f"Facedown {name}, batch, {what}", best_of_repeats(measured))


def vector_row(name: str, seconds: float) -> Row:
    """Measure Facedown's vector environment for Gymnasium: one seat, with random opponents."""
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
    """Measure a Pgx game; its states contain mask and observation."""
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
    """Yield rows for single tables stepped from Python: Facedown's own and AEC environments, PettingZoo's, and
    RLCard's.
    """
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
    """Yield those of PettingZoo's own environments that are installed."""
    try:
        from pettingzoo.classic import rps_v2, tictactoe_v3
    except ImportError as missing:
        print(f"PettingZoo's own games are skipped: {missing}; pip install -e '.[bench]'", file=sys.stderr)
        return
    yield "PettingZoo tictactoe_v3", tictactoe_v3.raw_env()
    yield "PettingZoo rps_v2", rps_v2.raw_env()


def aec_row(env: Any, name: str, seconds: float) -> Row:
    """Measure an AEC environment as a learner uses it: `last`, a choice by the mask, `step`."""
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
    """Measure a single Facedown match, stepped without an environment API."""
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
    """Measure an RLCard game."""
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


# --- main -------------------------------------------------------------------------------------------------------------

#: Functions that measure a kind of environment, by name; the argument is the seconds per measurement.
KINDS: dict[str, Callable[[float], Iterator[Row]]] = {
    "openspiel": open_spiel_rows,
    "batches": batch_rows,
    "single": single_table_rows,
}


def main() -> None:
    """Parse the command line, measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--seconds", type=float, default=0.5, help="duration of each of the three measurements per row")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON, one per line")
    asked = parser.parse_args()
    for kind in asked.kinds:
        for row in KINDS[kind](asked.seconds):
            if asked.json:
                print(json.dumps(asdict(row)), flush=True)
                continue
            copy = "" if row.copy is None else f"{row.copy:8.2f} µs per copy"
            compared = "" if row.compared is None else f"{row.compared:6.1f} times as fast"
            print(f"{row.name:46} {row.decision:8.3f} µs per decision {copy}{compared}", flush=True)


if __name__ == "__main__":
    main()
