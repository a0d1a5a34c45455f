"""Warm-up: run a game's rules, bots and coach once so that their code is compiled.

``python -m facedown.bots.warm_up GAME`` does it for a game, without a name for all, at low priority, and prints each
stage (`STAGES`) when it is done. `facedown.bots.compile_process` starts it beside a program that must not wait.
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
#: Folders of the package that bots and coach are made of.
PLAYING = ("core", "games", "bots")

#: Stages of a warm-up, in order: rules with the quick levels, each level that thinks ahead, the coach.
RULES, COACH = "rules", "coach"
STAGES = (RULES, *(level.key for level in LEVELS if level.slow), COACH)

#: More moves than lead to every kind of question that the coach is asked.
MOST = 200
#: After this many decisions a level that thinks has been asked everything it may be asked.
DECISIONS = 40
#: The share of its usual effort that it is asked with: what is found does not matter.
LITTLE = 0.01


def warm_up_game(name: str, done: Callable[[str], None] = lambda stage: None) -> None:
    """Run all stages for a game and call `done` after each; interpreted, only the rules."""
    warm_up_rules(name)
    done(RULES)
    if INTERPRETED:
        return
    for level in STAGES[1:-1]:
        warm_up_level(name, level)
        done(level)
    warm_up_coach(name)
    done(COACH)


def warm_up_rules(name: str) -> None:
    """Deal, let the quick levels move, and show table and log to a player and a spectator."""
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
    """Let a level that thinks make some decisions with little effort; the first one does not reach all of its code.

    The number of players decides which bot plays (`core.bot.Levels.networks`), so the fewest and the most are tried.
    """
    thinks = bot(level)
    for seats in sorted(set(info(name).seats)):
        match = Match(name, seats, seed=seed_from_text("warm"))
        while not match.over and match.ply < DECISIONS:
            seat = match.acting[0]
            match.play(seat, choose_with_effort(thinks, match.game, match.known(seat), seat, match.ply, LITTLE))


def warm_up_coach(name: str) -> None:
    """Ask the coach for a hint in each phase of a match, after the bots' moves and after others; then look back."""
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
        # Played together, a match is judged by all its cards, at its end.
        review(match, 1)


@cache
def _source_hash() -> str:
    """A hash of the sources as they stand."""
    digest = hashlib.sha256()
    for part in PLAYING:
        for source in sorted((PACKAGE / part).rglob("*.py")):
            digest.update(source.relative_to(PACKAGE).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:20]


def _marker_path(name: str) -> Path:
    """The file that marks a game as warmed up with the present sources."""
    from facedown.core.compile.compile_cache import rules_folder

    return rules_folder() / f"rehearsed-{name}-{_source_hash()}"


def games_to_warm_up() -> list[str]:
    """The games that were not warmed up with the present sources."""
    return [] if INTERPRETED else [name for name in catalogue() if not _marker_path(name).exists()]


def mark_warmed_up(name: str) -> None:
    """Note that a game was warmed up; does nothing if rules run interpreted or the cache cannot be written."""
    if INTERPRETED:
        return
    done = _marker_path(name)
    with suppress(OSError):
        done.parent.mkdir(parents=True, exist_ok=True)
        done.touch()


def main() -> None:
    """Warm up games at low priority."""
    if hasattr(os, "nice"):
        os.nice(10)
    for name in sys.argv[1:] or catalogue():
        warm_up_game(name, partial(print, flush=True))
        mark_warmed_up(name)


if __name__ == "__main__":
    main()
