"""Compiling the rules before they are needed, and clearing away what older sources were compiled to."""

from __future__ import annotations

import contextlib
import math
import os
import random
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from facedown.core.cache_folder import cache_folder
from facedown.core.game_registry import catalogue, game
from facedown.core.rule import INTERPRETED

#: Compiled rules that are not used are kept so long, in seconds: of other sources, another clone may be using them.
KEEP_SECONDS = 14 * 24 * 3600


def warm(quiet: bool, lab: bool = False) -> None:
    """Compile what every game needs in play, and say how long each took; quietly: one by one, at low priority.

    With `lab` also what playouts, experiments and environments need.
    """
    warmed = partial(warm_game, lab=lab)
    if quiet:
        if hasattr(os, "nice"):
            os.nice(10)
        for name in catalogue():
            warmed(name)
    else:
        # Games share few of their rules: each is compiled on a core of its own.
        with ProcessPoolExecutor(min(len(catalogue()), os.cpu_count() or 1)) as pool:
            for about, seconds in zip(catalogue().values(), pool.map(warmed, catalogue()), strict=True):
                print(f"{about.title}: {seconds:.1f} s", flush=True)
    remove_unused_caches()


def warm_game(name: str, lab: bool) -> float:
    """Run one game as table, bots and coach do; the seconds that it took.

    In one process all of it is quicker than one by one: what rules have in common is translated once.
    """
    start = time.perf_counter()
    from facedown.bots.warm_up import mark_warmed_up, warm_up_game
    from facedown.core.progress_line import disable_progress_lines

    disable_progress_lines()
    warm_up_game(name)
    mark_warmed_up(name)
    if lab and not INTERPRETED:
        compile_research_code(name)
    return time.perf_counter() - start


def compile_research_code(name: str) -> None:
    """Play out, measure, and step a little of one game, as playouts, experiments and environments do."""
    from facedown.bots.observation import layout_of
    from facedown.core.hidden_cards import known_view, redeal
    from facedown.core.random_numbers import key_of
    from facedown.core.seeds import seed_from_text
    from facedown.research.batch import BatchEnv
    from facedown.research.game_tree import TERMINAL, tree_of
    from facedown.research.single_match import SingleMatch
    from facedown.simulate.experiment import simulate
    from facedown.simulate.random_playouts import deal_batch, playouts

    playouts(name, 1)
    state = deal_batch(name, 1)[0]
    game(name).returns(state)
    view = known_view(state, 0)
    layout_of(name).compact(view)
    redeal(view, key_of(seed_from_text("warm")))
    simulate(name, ["random"], deals=1, jobs=1)
    batch = BatchEnv(name, 1)
    batch.reset()
    batch.step(batch.sample())
    match = SingleMatch(name)
    match.step(match.sample())
    match.observe(0)
    luck = random.Random(1)
    node = tree_of(name, deals=1, seed=1).root.play(0)
    while node.player != TERMINAL:
        node = node.play(luck.choice(node.legal))
    node.memory(0)
    node.returns()


def remove_unused_caches() -> None:
    """Remove compiled rules that nobody has used for two weeks."""
    old = time.time() - KEEP_SECONDS
    for folder in cache_folder().glob("rules-*"):
        # What is deepest comes first, so that a folder is left by all that was in it.
        paths = sorted([folder, *folder.rglob("*")], reverse=True)
        for path in [path for path in paths if _last_used(path) < old]:
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        # Somebody else was quicker.
        return math.inf
