"""Saved matches: the match files of matches played in this terminal.

A match file contains the seed of the deal, so only its owner may read it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from facedown.terminal.command_common import CommandError
from facedown.terminal.i18n import _

if TYPE_CHECKING:
    from facedown.core.match_file import MatchFile
    from facedown.core.table import Sitter


def folder() -> Path:
    """Return the path of the folder ``matches``, in which matches are saved. The folder may not exist yet.

    It is in the folder that the environment variable ``FACEDOWN_DATA`` names. If the variable is not set, it is in the
    folder in which the system keeps the user's data for this program.
    """
    import platformdirs

    chosen = os.environ.get("FACEDOWN_DATA")
    return (Path(chosen) if chosen else Path(platformdirs.user_data_dir("facedown", appauthor=False))) / "matches"


def new_match_path(game: str) -> Path:
    """Return an unused path for a new match file, such as ``whist-1.match``."""
    names = (folder() / f"{game}-{number}.match" for number in count(1))
    return next(path for path in names if not path.exists())


def match_path(name: str) -> Path:
    """Return the path of a saved match, given its name ("whist-1"), the word "last", or a path.

    "last" is the most recently played match that is not finished. Raises `CommandError` if there is no such match.
    """
    given = Path(name)
    if given.suffix or given.exists() or len(given.parts) > 1:
        return given
    if name.lower() == "last":
        for path in list_matches():
            if "\nResult: unfinished\n" in read_text(path):
                return path
        raise CommandError(_("no unfinished match in {folder}", folder=folder()))
    path = folder() / f"{name}.match"
    if not path.exists():
        raise CommandError(
            _("saved match {name} does not exist; “facedown matches” lists all saved matches", name=name)
        )
    return path


def list_matches() -> list[Path]:
    """Return the paths of saved matches, most recently played first."""
    return sorted(folder().glob("*.match"), key=lambda path: (-path.stat().st_mtime_ns, path.name))


def save(text: str, path: Path) -> None:
    """Write the text of a match file atomically. Raises `CommandError` with the reason if it cannot be written."""
    try:
        if not path.parent.is_dir():
            path.parent.parent.mkdir(parents=True, exist_ok=True)
            path.parent.mkdir(mode=0o700, exist_ok=True)
        beside = path.with_name(path.name + ".part")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as problem:
        raise CommandError(
            _("{path}: cannot be written: {strerror}", path=path, strerror=problem.strerror), 1
        ) from None


def read_text(path: Path) -> str:
    """Return the text of a file. Raises `CommandError` if it cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        line = path.read_bytes()[: problem.start].count(b"\n") + 1
        raise CommandError(_("{path}: line {line}: not valid UTF-8", path=path, line=line)) from None
    except OSError as problem:
        raise CommandError(_("{path}: cannot be read: {strerror}", path=path, strerror=problem.strerror)) from None


def read_match_texts_and_print_titles(path: Path, titled: bool = True) -> Iterator[str]:
    """Yield the text of each match in a file. If there are several and `titled` is set, print a heading before each."""
    from facedown.core.match_file import split_matches

    found = split_matches(read_text(path))
    for number, text in enumerate(found, 1):
        if titled and len(found) > 1:
            print(_("Match {number} of {count}:", number=number, count=len(found)), flush=True)
        yield text


@contextmanager
def convert_match_file_errors(path: Path) -> Iterator[None]:
    """Convert an error about an invalid match in the ``with`` block into a `CommandError` that names the match file
    `path`.
    """
    from facedown.core.advice import NoCoach
    from facedown.core.match_file import NotationError

    try:
        yield
    except (NoCoach, NotationError) as problem:
        raise CommandError(f"{path}: {problem}") from None


def sitters_if_seat_exists(file: MatchFile, seat: int | None) -> list[Sitter]:
    """Return the name of the player in each seat of a match, and whether it is a bot.

    Raises `CommandError` if the match has no seat `seat`.
    """
    from facedown.core.table import Sitter

    if seat is not None and seat >= file.match.seats:
        raise CommandError(_("--seat {seat}: must be from 0 to {last}", seat=seat, last=file.match.seats - 1))
    return [Sitter(name, place in file.bots) for place, name in enumerate(file.names)]


def load(path: Path, text: str | None = None) -> MatchFile:
    """Load the match in a match file. If the file has several matches, `text` is the part of the file with one of them.

    `read_match_texts_and_print_titles` yields these parts. If `text` is given, the file is not read, and `path` only
    appears in error messages. Raises `CommandError` if the match is invalid or the file cannot be read.
    """
    from facedown.core.match_file import read

    with convert_match_file_errors(path):
        return read(read_text(path) if text is None else text)
