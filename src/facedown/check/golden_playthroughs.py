"""Golden playthroughs: a match in words with every seat's view, kept as text and compared to the letter.

Write those of a game anew with ``python -m facedown.check.golden_playthroughs FOLDER GAME`` (of all games of the house
with ``python -m facedown.check.golden_playthroughs tests/golden``), and read the difference before you commit it.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from facedown.check.random_matches import GAMES, SITTERS, random_match
from facedown.core.game_registry import game
from facedown.core.match import Match, move_log_lines
from facedown.core.state import SPECTATOR, copy
from facedown.core.table import Table

#: So many moves of a match are told.
PLIES = 60
#: Every seat's whole view is written at each of the first plies, then now and then.
FULL_VIEWS = 4
VIEW_INTERVAL = 15


def golden_matches(name: str) -> dict[str, Match]:
    """The matches that are kept: the default options with the fewest and the most seats, and one of all sorts."""
    low, high = game(name).info.seats
    out = {f"{name}-default-{low}": Match(name, low, seed=bytes([1]) * 32)}
    if high != low:
        out[f"{name}-default-{high}"] = Match(name, high, seed=bytes([2]) * 32)
    out[f"{name}-options"] = random_match(name, random.Random(f"golden {name}"))
    return out


def playthrough_text(match: Match) -> str:
    """The text of a playthrough; the moves are random, from a fixed seed."""
    rnd = random.Random(match.game.name)
    sitters = SITTERS[: match.seats]
    lines = [f"{match.game.info.title}, {match.seats} seats, seed {match.seed.hex()}", f"options {match.options}", ""]
    viewers = [*range(match.seats), SPECTATOR]
    while match.ply < PLIES and not match.over:
        if match.ply < FULL_VIEWS or match.ply % VIEW_INTERVAL == 0:
            for viewer in viewers:
                lines += [f"  {_viewer_name(viewer)} sees:", *_table_lines(match.table(viewer, sitters))]
        seat = rnd.choice(match.acting)
        legal = match.legal(seat)
        action = rnd.choice(legal)
        words = match.game.words.words(action)
        lines.append(f"{match.ply + 1}. P{seat} {words}   (one of {len(legal)})")
        before = copy(match.state)
        match.play(seat, action)
        for viewer in viewers:
            said = move_log_lines(match.game, before, match.state, match.moves[-1], viewer, sitters)
            lines += [f"     {_viewer_name(viewer)} reads: {line.text}" for line in said]
    lines += ["", f"returns {match.game.returns(match.state)}" if match.over else "unfinished"]
    return "\n".join(lines) + "\n"


def _viewer_name(viewer: int) -> str:
    return "the spectator" if viewer == SPECTATOR else f"P{viewer}"


def _table_lines(table: Table) -> list[str]:
    out = [f"    {table.subtitle} | {table.step.prompt} ({len(table.step.choices)} touches)"]
    for zone in table.zones:
        count = "" if zone.count is None else f" x{zone.count}"
        pieces = " ".join(p.face or f"[{p.kind}]" for p in zone.pieces)
        out.append(f"    {zone.id}{count}: {pieces}")
    return out


def changed_playthroughs(folder: Path, name: str) -> list[str]:
    """The titles of a game's playthroughs that a folder has not got to the letter."""
    there = {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.txt")}
    return [title for title, match in golden_matches(name).items() if there.get(title) != playthrough_text(match)]


def write_playthroughs(folder: Path, name: str) -> None:
    """Write a game's playthroughs into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for title, match in golden_matches(name).items():
        (folder / f"{title}.txt").write_text(playthrough_text(match), encoding="utf-8")
        print(title)


if __name__ == "__main__":
    for each in sys.argv[2:] or GAMES:
        write_playthroughs(Path(sys.argv[1]), each)
