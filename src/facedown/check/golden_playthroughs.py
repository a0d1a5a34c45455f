"""Golden playthroughs: matches as text with every viewer's view, stored in files that must not change.

To write the files of one game again, run ``python -m facedown.check.golden_playthroughs FOLDER GAME``; for all games,
``python -m facedown.check.golden_playthroughs tests/golden``. Review the difference before you commit it.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from facedown.check.random_matches import GAMES, SITTERS, match_with_random_options
from facedown.core.game_registry import game
from facedown.core.match import Match, move_log_lines
from facedown.core.state import SPECTATOR, copy
from facedown.core.table import Table

#: Largest number of moves in a playthrough.
PLIES = 60
#: The views of all viewers are written before each of the first `FULL_VIEWS` moves, then before every
#: `VIEW_INTERVAL`-th.
FULL_VIEWS = 4
VIEW_INTERVAL = 15


def golden_matches(name: str) -> dict[str, Match]:
    """Return new matches for the playthroughs of a game, by title: with default options for the fewest and the most
    seats, and with random options.
    """
    low, high = game(name).info.seats
    out = {f"{name}-default-{low}": Match(name, low, seed=bytes([1]) * 32)}
    if high != low:
        out[f"{name}-default-{high}"] = Match(name, high, seed=bytes([2]) * 32)
    out[f"{name}-options"] = match_with_random_options(name, random.Random(f"golden {name}"))
    return out


def play_randomly_and_transcribe(match: Match) -> str:
    """Play a new match with random moves, which are the same each time, and return it as text."""
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


def changed_playthrough_titles(folder: Path, name: str) -> list[str]:
    """Return the titles of a game's playthroughs whose files in `folder` are missing or out of date.

    A file is out of date if its text differs from that of the same playthrough generated now.
    """
    there = {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.txt")}
    return [
        title
        for title, match in golden_matches(name).items()
        if there.get(title) != play_randomly_and_transcribe(match)
    ]


def write_playthroughs(folder: Path, name: str) -> None:
    """Write the playthroughs of a game into a folder, and print their titles."""
    folder.mkdir(parents=True, exist_ok=True)
    for title, match in golden_matches(name).items():
        (folder / f"{title}.txt").write_text(play_randomly_and_transcribe(match), encoding="utf-8")
        print(title)


if __name__ == "__main__":
    for each in sys.argv[2:] or GAMES:
        write_playthroughs(Path(sys.argv[1]), each)
