"""Whoever thinks tried out once for a game: what bots and coach are made of is compiled before somebody waits for them.

``python -m facedown.bots.rehearsal GAME`` does it for a game, without a name for all, at low priority: a server starts
it beside itself.
"""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from facedown.bots.coach import advise, review
from facedown.bots.greedy import greedy_action
from facedown.bots.levels import LEVELS, bot
from facedown.core.bot import chosen
from facedown.core.chance import key_of, quick_seed
from facedown.core.game import catalogue, info
from facedown.core.match import Match
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.table import Sitter

PACKAGE = Path(__file__).resolve().parent.parent
#: Folders of the package that bots and coach are made of.
PLAYING = ("core", "games", "bots")

#: More moves than lead to every kind of question that the coach is asked.
MOST = 200
#: After so many decisions a level that thinks has been asked whatever it may be asked.
DECISIONS = 40
#: The share of its usual effort that it is asked with: what is found does not matter.
LITTLE = 0.01


def rehearse(name: str) -> None:
    """Let the levels that think play a while, and the coach give hints and look back; uncompiled, nothing is done."""
    if not INTERPRETED:
        think(name)
        coach(name)


def think(name: str) -> None:
    """Ask the levels that think, with little effort, at one decision after another: the first does not need it all."""
    match = Match(name, info(name).seats[0], seed=seed_from_text("warm"))
    levels = [bot(level.key) for level in LEVELS if level.slow]
    while not match.over and match.ply < DECISIONS:
        seat = match.acting[0]
        view = match.known(seat)
        moves = [chosen(each, match.game, view, seat, match.ply, LITTLE) for each in levels]
        match.play(seat, moves[-1])


def coach(name: str) -> None:
    """Ask the coach for a hint in each phase of a match, after the bots' moves and after others; then look back."""
    match = Match(name, info(name).seats[0], seed=seed_from_text("rehearsal"))
    luck = quick_seed(key_of(seed_from_text("rehearsal")), 0)
    asked = set[tuple[str, bool]]()
    sitters = [Sitter(str(each)) for each in range(match.seats)]
    while not match.over and match.ply < MOST:
        seat = match.acting[0]
        view = match.known(seat)
        legal = match.legal(seat)
        usual = int(greedy_action(view, seat, luck))
        question = (match.table(seat, sitters).phase, usual == legal[0])
        if len(legal) > 1 and question not in asked:
            asked.add(question)
            advise(match.game, view, seat, 0, 1)
        match.play(seat, usual)
    if match.over or not info(name).together:
        # Played together, a match is judged by all its cards, at its end.
        review(match, 1)


@cache
def _sources() -> str:
    """A hash of the sources as they stand."""
    digest = hashlib.sha256()
    for part in PLAYING:
        for source in sorted((PACKAGE / part).rglob("*.py")):
            digest.update(source.relative_to(PACKAGE).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:20]


def _done(name: str) -> Path:
    """The file that says that a game was rehearsed with the sources as they stand."""
    from facedown.core.kept import rules_folder

    return rules_folder() / f"rehearsed-{name}-{_sources()}"


def unrehearsed() -> list[str]:
    """The games that have not been rehearsed with the sources as they stand."""
    return [] if INTERPRETED else [name for name in catalogue() if not _done(name).exists()]


def remember(name: str) -> None:
    """Note that a game has been rehearsed; where nothing was compiled or can be kept, nothing is."""
    if INTERPRETED:
        return
    done = _done(name)
    with suppress(OSError):
        done.parent.mkdir(parents=True, exist_ok=True)
        done.touch()


def main() -> None:
    """Rehearse games, while everything else goes first."""
    if hasattr(os, "nice"):
        os.nice(10)
    for name in sys.argv[1:] or catalogue():
        rehearse(name)
        remember(name)


if __name__ == "__main__":
    main()
