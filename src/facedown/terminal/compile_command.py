"""Compilation of all games' code before it is needed, and deletion of cached code that is no longer used."""

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

#: Cached compiled code is kept for this number of seconds after its last use, because another installed copy of the
#: program may still need it.
KEEP_SECONDS = 14 * 24 * 3600


def compile_all_games(quiet: bool, lab: bool = False) -> None:
    """Compile all code that play needs, for every game, and print the time that each game took.

    With `quiet`, games are compiled one by one, at low priority and without output. With `lab`, the code of random
    playouts, experiments and learning environments is compiled, too.
    """
    warmed = partial(compile_game_code, lab=lab)
    if quiet:
        if hasattr(os, "nice"):
            os.nice(10)
        for name in catalogue():
            warmed(name)
    else:
        # Each game is compiled in its own process. The games share few functions, so little is compiled twice.
        with ProcessPoolExecutor(min(len(catalogue()), os.cpu_count() or 1)) as pool:
            for about, seconds in zip(catalogue().values(), pool.map(warmed, catalogue()), strict=True):
                print(f"{about.title}: {seconds:.1f} s", flush=True)
    remove_unused_caches()


def compile_game_code(name: str, lab: bool) -> float:
    """Compile the code of one game by using its table, its bots and its coach once. Return the seconds that it took.

    All of this runs in one process, so that functions shared by table, bots and coach are compiled only once. With
    `lab`, the code for research is compiled, too.
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
    """Compile the code that random playouts, experiments and learning environments need for the game `name`.

    Each of these three is run briefly, because code is compiled when it is first used.
    """
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
    node.memory_hash(0)
    node.returns()


def remove_unused_caches() -> None:
    """Remove cached compiled code that has not been used for two weeks."""
    old = time.time() - KEEP_SECONDS
    for folder in cache_folder().glob("rules-*"):
        # In reverse order, files come before their folder. So a folder is already empty when it is removed.
        paths = sorted([folder, *folder.rglob("*")], reverse=True)
        for path in [path for path in paths if _modification_time(path) < old]:
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()


def _modification_time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        # Another process has just removed the file. Infinity counts as recently used, so the file is not removed again.
        return math.inf
