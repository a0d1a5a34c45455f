"""Warm-up: run a game's rules, bots and coach once so that their code is compiled and stored in the cache.

``python -m facedown.bots.warm_up GAME`` warms up one game, or every game if none is named. It runs at low priority and
prints the name of each stage (`STAGES`) when that stage is done.

A program that must not wait for the compiler starts this as a separate process (`facedown.bots.compile_process`).
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from facedown.bots.coach import advise, review
from facedown.bots.levels import LEVELS, bot, choose_for_seat
from facedown.bots.simple_bots import NoGreedyBot, greedy
from facedown.core.bot import choose_with_effort
from facedown.core.game_registry import catalogue, info
from facedown.core.match import Match
from facedown.core.random_numbers import key_of, quick_generator
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter

PACKAGE = Path(__file__).resolve().parent.parent
#: Folders of the package with the code that a warm-up compiles. If one of their source files changes, games must be
#: compiled again.
PLAYING = ("core", "games", "bots")

#: Names of the stages of a warm-up: the rules together with the bot levels without search, then each level with search,
#: then the coach.
RULES, COACH = "rules", "coach"
STAGES = (RULES, *(level.key for level in LEVELS if level.slow), COACH)

#: Largest number of moves played to warm up the coach. Every kind of request to the coach occurs within fewer moves.
MOST = 200
#: Largest number of moves in each match that warms up the bot of a level. All code of the bot has run by then.
DECISIONS = 40
#: Share of the usual effort that the bot of a level spends on a warm-up move. The quality of the move does not matter.
LITTLE = 0.01


def warm_up_game(name: str, done: Callable[[str], None] = lambda stage: None) -> None:
    """Run the code of the game `name` once, stage by stage, so that it is compiled.

    The stages (`STAGES`) are the rules, each bot level with search, and the coach. After each stage, call `done` with
    the name of the stage. If nothing is compiled because all code runs as plain Python, only the stage `RULES` runs.
    """
    warm_up_rules_and_simple_bots(name)
    done(RULES)
    if INTERPRETED:
        return
    for level in STAGES[1:-1]:
        warm_up_level(name, level)
        done(level)
    warm_up_coach(name)
    done(COACH)


def warm_up_rules_and_simple_bots(name: str) -> None:
    """Run the code of the rules and of the bot levels without search, so that it is compiled.

    Deal a match, make one move with each of these levels, and render the table and the log.
    """
    match = Match(name, info(name).seats[0], seed=seed_from_text("warm"))
    sitters = [Sitter(f"Player {seat + 1}") for seat in range(match.seats)]
    for level in [level for level in LEVELS if not level.slow]:
        for seat in match.acting[:1]:
            with suppress(NoGreedyBot):
                match.play(seat, choose_for_seat(bot(level.key), match, seat, 0))
    match.table(0, sitters)
    match.table(SPECTATOR, sitters)
    match.log(SPECTATOR, sitters)
    match.game.returns(match.state)


def warm_up_level(name: str, level: str) -> None:
    """Make some moves in the game `name` with the bot of a level, so that the bot's code is compiled.

    `level` is a level whose bot searches: "strong" or "master". A single move would not run all code of the bot. Each
    move takes only a small share of the usual effort (`LITTLE`).

    A level can have different bots for different numbers of players (`core.bot.Levels.networks`). So one match is
    played with the fewest players, and one with the most.
    """
    thinks = bot(level)
    for seats in sorted(set(info(name).seats)):
        match = Match(name, seats, seed=seed_from_text("warm"))
        while not match.over and match.ply < DECISIONS:
            seat = match.acting[0]
            match.play(seat, choose_with_effort(thinks, match.game, match.known(seat), seat, match.ply, LITTLE))


def warm_up_coach(name: str) -> None:
    """Request some hints during a match and then a review, so that the code of the coach is compiled.

    In each phase of the match, a hint is requested at most twice: once when the greedy bot would play the first legal
    action, and once when it would play another action. The two cases may run different code in the function that
    explains the greedy move (`core.bot.Policy.reason`). This explanation is part of a hint.
    """
    match = Match(name, info(name).seats[0], seed=seed_from_text("rehearsal"))
    luck = quick_generator(key_of(seed_from_text("rehearsal")), 0)
    asked = set[tuple[str, bool]]()
    sitters = [Sitter(str(each)) for each in range(match.seats)]
    while not match.over and match.ply < MOST:
        seat = match.acting[0]
        view = match.known(seat)
        legal = match.legal(seat)
        usual = int(greedy(view, seat, luck))
        question = (match.table(seat, sitters).phase, usual == legal[0])
        if len(legal) > 1 and question not in asked:
            asked.add(question)
            advise(match.game, view, seat, 0, 1)
        match.play(seat, usual)
    if match.over or not info(name).together:
        # The review of a cooperative match also evaluates the moves with all cards face up, which requires that the
        # match is over.
        review(match, 1)


@cache
def _source_hash() -> str:
    """Return a hash of the Python files in the folders `PLAYING`. It changes when the code to be compiled changes."""
    digest = hashlib.sha256()
    for part in PLAYING:
        for source in sorted((PACKAGE / part).rglob("*.py")):
            digest.update(source.relative_to(PACKAGE).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:20]


def _marker_path(name: str) -> Path:
    """Return the path of the marker file whose existence says that the game's current code has been compiled."""
    from facedown.core.compile.compile_cache import versioned_cache_folder

    return versioned_cache_folder() / f"rehearsed-{name}-{_source_hash()}"


def games_to_warm_up() -> list[str]:
    """Return the names of the games whose code has not been compiled in its current version (`mark_warmed_up`).

    Return an empty list if all code runs as plain Python, so that nothing is compiled.
    """
    return [] if INTERPRETED else [name for name in catalogue() if not _marker_path(name).exists()]


def mark_warmed_up(name: str) -> None:
    """Record in the cache that all code of the game `name` has been compiled in its current version.

    Do nothing if all code runs as plain Python, or if the cache is not writable.
    """
    if INTERPRETED:
        return
    done = _marker_path(name)
    with suppress(OSError):
        done.parent.mkdir(parents=True, exist_ok=True)
        done.touch()


def main() -> None:
    """Compile the code of the games named on the command line, or of all games, and store it in the cache.

    The process runs at low priority and prints the name of each stage (`STAGES`) when that stage is done.
    """
    if hasattr(os, "nice"):
        os.nice(10)
    for name in sys.argv[1:] or catalogue():
        warm_up_game(name, partial(print, flush=True))
        mark_warmed_up(name)


if __name__ == "__main__":
    main()
