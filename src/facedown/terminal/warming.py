"""Compiling the rules before they are needed, and clearing away what older sources were compiled to."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from facedown.core.game import catalogue
from facedown.core.rule import INTERPRETED, cache_folder, sources_digest

#: Compiled rules of other sources are kept so long, in seconds: another clone may be using them.
KEEP = 14 * 24 * 3600


def folders() -> dict[str, Path]:
    """Where the rules of each game are compiled to, and (under "") all that is made of more than one game."""
    modules = {name: f"facedown.games.{name}.rules" for name in catalogue()} | {"": ""}
    return {name: cache_folder() / f"rules-{sources_digest(module)}" for name, module in modules.items()}


def is_warm() -> bool:
    """Were the rules of all games compiled before, as they stand?"""
    return INTERPRETED or all(folder.exists() for folder in folders().values())


def is_new(game: str) -> bool:
    """Have the rules of this game, as they stand, yet to be compiled?"""
    return not (INTERPRETED or folders()[game].exists())


def warm(quiet: bool) -> None:
    """Compile what every game needs in play, and say how long each took; quietly: one by one, at low priority."""
    from facedown.bots.rehearsal import remember

    if quiet:
        if hasattr(os, "nice"):
            os.nice(10)
        for name in catalogue():
            warm_game(name)
    else:
        # Games share few of their rules: each is compiled on a core of its own.
        with ProcessPoolExecutor(min(len(catalogue()), os.cpu_count() or 1)) as pool:
            for name, seconds in pool.map(timed, catalogue()):
                print(f"{catalogue()[name].title}: {seconds:.1f} s", flush=True)
    remember()
    sweep()


def timed(name: str) -> tuple[str, float]:
    """Warm one game; its name and the seconds that it took."""
    start = time.perf_counter()
    warm_game(name)
    return name, time.perf_counter() - start


def warm_game(name: str) -> None:
    """Deal and play a little of one game, as the table and the bots do, and ask the coach."""
    from facedown.bots import LEVELS, bot, seated
    from facedown.bots.greedy import NoGreedyBot
    from facedown.bots.rehearsal import rehearse
    from facedown.core.game import info
    from facedown.core.match import Match, seed_from_text
    from facedown.core.state import SPECTATOR
    from facedown.core.table import Sitter

    seats = info(name).seats[0]
    match = Match(name, seats, seed=seed_from_text("warm"))
    sitters = [Sitter(f"Player {seat + 1}") for seat in range(seats)]
    # Uncompiled, nothing is warmed by thinking ahead.
    for level in LEVELS[:2] if INTERPRETED else LEVELS:
        for seat in match.acting[:1]:
            with contextlib.suppress(NoGreedyBot):
                match.play(seat, seated(bot(level.key), match, seat, 0))
    match.table(0, sitters)
    match.log(SPECTATOR, sitters)
    rehearse(name)


def sweep() -> None:
    """Remove compiled rules of other sources that nobody has used for two weeks."""
    ours = set(folders().values())
    for folder in cache_folder().glob("rules-*"):
        if folder not in ours and folder.is_dir() and time.time() - folder.stat().st_mtime > KEEP:
            shutil.rmtree(folder, ignore_errors=True)
