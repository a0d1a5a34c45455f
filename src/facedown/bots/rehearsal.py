"""The coach tried out once for a game: what it is made of is compiled before somebody waits for a hint.

``python -m facedown.bots.rehearsal`` does it for all games, at low priority: a server starts it beside itself.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from facedown.bots.coach import advise, review
from facedown.bots.greedy import greedy_action
from facedown.core.chance import key_of, quick_seed
from facedown.core.game import catalogue, info
from facedown.core.match import Match
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.table import Sitter

PACKAGE = Path(__file__).resolve().parent.parent
#: Folders of the package that the coach is made of.
PLAYING = ("core", "games", "bots")

#: More moves than lead to every kind of question that the coach is asked.
MOST = 200


def rehearse(name: str) -> None:
    """Ask the coach for a hint in each phase of a match, after the bots' moves and after others; then look back."""
    if INTERPRETED:
        # Nothing is compiled.
        return
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


def _done() -> Path:
    """The file that says that all games were rehearsed with the sources as they stand."""
    from facedown.core.kept import rules_folder

    digest = hashlib.sha256()
    for part in PLAYING:
        for source in sorted((PACKAGE / part).rglob("*.py")):
            digest.update(source.relative_to(PACKAGE).as_posix().encode())
            digest.update(source.read_bytes())
    return rules_folder() / f"rehearsed-{digest.hexdigest()[:20]}"


def rehearsed() -> bool:
    """Has the coach of every game been tried out, with the sources as they stand?"""
    return INTERPRETED or _done().exists()


def remember() -> None:
    """Note that the coach of every game has been tried out; where nothing was compiled or can be kept, nothing is."""
    if INTERPRETED:
        return
    with suppress(OSError):
        _done().parent.mkdir(parents=True, exist_ok=True)
        _done().touch()


def main() -> None:
    """Try out the coach of every game, while everything else goes first."""
    if hasattr(os, "nice"):
        os.nice(10)
    for name in catalogue():
        rehearse(name)
    remember()


if __name__ == "__main__":
    main()
