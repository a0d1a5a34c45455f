"""Match files of all games: frozen as they were written, and what they must still replay to."""

from __future__ import annotations

from tests.corpus import archive, program


def frozen() -> dict[str, str]:
    """Return the text of every frozen match file, by the match's name."""
    names = archive.names("matches/*.match")
    return {path.removeprefix("matches/").removesuffix(".match"): archive.read_text(path) for path in names}


def rewrite(text: str) -> str:
    """Read a match file, replay it, and return the file as it is written now."""
    found = program.read_match_file(text)
    return program.write_match_file(found.match, found.names, found.bots, found.date, found.note)
