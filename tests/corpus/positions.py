"""Views of seats and spectators along the frozen matches: views, tables, legal actions, logs, terminal screens."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.corpus import archive, program

#: Number of recorded positions of a match, the first and the last one included.
POSITIONS = 6
#: Terminal size in columns and rows.
TERMINAL = (100, 60)
LANGUAGES = ("en", "de")
#: Positions that are frozen in full: these of the default match with the fewest seats.
FULL = (0, 2, 5)


def files() -> dict[str, bytes]:
    """Replay the frozen matches and return all recorded data."""
    return {name: content for game in program.catalogue() for name, content in files_of(game).items()}


def files_of(game: str) -> dict[str, bytes]:
    return {
        f"positions/{game}.txt": "".join(f"{line}\n" for line in hash_lines(game)).encode(),
        f"positions/{game}-full.json.gz": archive.to_json(full(game), 1),
        **{f"positions/{game}-log-{one}.txt.gz": log_text(game, one).encode() for one in LANGUAGES},
    }


def matches_of(game: str) -> dict[str, str]:
    return {name: text for name, text in archive.match_files().items() if name.startswith(f"{game}-")}


def sitters(file: program.MatchFile) -> tuple[program.Sitter, ...]:
    """Return the players of a match; the last one is a bot."""
    return tuple(program.Sitter(name, seat == len(file.names) - 1) for seat, name in enumerate(file.names))


def viewer_name(viewer: int) -> str:
    """Return "P0", "P1", … or "spectator"."""
    return "spectator" if viewer == program.SPECTATOR else f"P{viewer}"


@cache
def recorded(name: str) -> dict[int, dict[str, dict[str, Any]]]:
    """Return all aspects of the recorded positions of a match, by ply and viewer.

    The memory aid is on in every second position, so that both forms of a table are covered.
    """
    file = program.read_match_file(archive.match_files()[name])
    last = file.match.ply
    plies = sorted({round(at * last / (POSITIONS - 1)) for at in range(POSITIONS)})
    viewers = [*range(file.match.seats), program.SPECTATOR]
    found: dict[int, dict[str, dict[str, Any]]] = {}
    for step in file.match.steps():
        if step.ply in plies:
            memory = plies.index(step.ply) % 2 == 1
            found[step.ply] = {viewer_name(viewer): aspects(file, step.views, viewer, memory) for viewer in viewers}
    return found


def aspects(file: program.MatchFile, views: program.Views, viewer: int, memory: bool) -> dict[str, Any]:
    match, known, players = file.match, views.known(viewer), sitters(file)
    legal = views.legal(viewer) if viewer != program.SPECTATOR else []
    found: dict[str, Any] = {
        "known": program.view_to_fields(known),
        "shown": program.view_to_fields(views.shown(viewer)),
        "bytes": archive.digest(program.to_bytes(known)),
        "legal": {str(action): match.game.words.words(int(action)) for action in legal},
    }
    for language in LANGUAGES:
        with program.use_language(language):
            table = views.table(viewer, players, memory)
            found[f"table-{language}"] = table.to_json()
            if language == LANGUAGES[memory]:
                # Drawing takes the longest, so each position has one language.
                found[f"screen-{language}"] = screen(table)
    return found


def screen(table: program.Table) -> list[str]:
    """Return a table as the terminal draws it without colours."""
    return [line.plain.rstrip() for line in program.table_and_log_lines(table, program.Pen(colours=False), *TERMINAL)]


def hash_lines(game: str) -> Iterator[str]:
    """Yield one line for each position and viewer: match, ply, viewer, and a hash of every aspect."""
    for name in matches_of(game):
        for ply, by_viewer in recorded(name).items():
            for viewer, found in by_viewer.items():
                hashes = " ".join(f"{aspect}={archive.digest(value)}" for aspect, value in found.items())
                yield f"{name} {ply} {viewer} {hashes}"


def full(game: str) -> dict[str, Any]:
    """Return some positions of the first default match with all aspects in full."""
    name = next(name for name in matches_of(game) if "-default-" in name)
    by_ply = recorded(name)
    return {f"{name} {ply}": by_ply[ply] for ply in [list(by_ply)[at] for at in FULL]}


def log_text(game: str, language: str) -> str:
    """Return the whole log of all matches of a game in one language.

    The spectator's log is given in full. Of each seat's log of a move only a hash is given, and only where it differs
    from the spectator's.
    """
    lines = []
    with program.use_language(language):
        for name, text in matches_of(game).items():
            lines.append(f"# {name}")
            file = program.read_match_file(text)
            players = sitters(file)
            for step in file.match.steps():
                public = [f"{line.number} {line.text}" for line in step.lines(program.SPECTATOR, players)]
                lines += [f"{step.ply}. {line}" for line in public]
                for seat in range(file.match.seats):
                    own = [f"{line.number} {line.text}" for line in step.lines(seat, players)]
                    if own != public:
                        lines.append(f"{step.ply}. P{seat} {archive.digest(own)}")
    return "".join(f"{line}\n" for line in lines)
