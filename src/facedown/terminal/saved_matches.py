"""Match files of this machine's own games: they hold the seed, so only their owner may read them."""

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
    """Where saved matches are kept: ``FACEDOWN_DATA`` or the user's data folder."""
    import platformdirs

    chosen = os.environ.get("FACEDOWN_DATA")
    return (Path(chosen) if chosen else Path(platformdirs.user_data_dir("facedown", appauthor=False))) / "matches"


def new_match_path(game: str) -> Path:
    """A name for a new file that is not taken: ``whist-1.match``."""
    names = (folder() / f"{game}-{number}.match" for number in count(1))
    return next(path for path in names if not path.exists())


def match_path(name: str) -> Path:
    """The file of a saved match by its name ("whist-1"), by "last", or by any path."""
    given = Path(name)
    if given.suffix or given.exists() or len(given.parts) > 1:
        return given
    if name.lower() == "last":
        for path in list_matches():
            if "\nResult: unfinished\n" in text_of(path):
                return path
        raise CommandError(_("no match is saved in {folder}", folder=folder()))
    path = folder() / f"{name}.match"
    if not path.exists():
        raise CommandError(_("there is no saved match {name}: “facedown matches” lists them", name=name))
    return path


def list_matches() -> list[Path]:
    """The files of saved matches, the one that was played last first."""
    return sorted(folder().glob("*.match"), key=lambda path: (-path.stat().st_mtime_ns, path.name))


def save(text: str, path: Path) -> None:
    """Write a match file whole or not at all; `CommandError` says why it could not be written."""
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


def text_of(path: Path) -> str:
    """The text of a file; `CommandError` names what is wrong with it."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        line = path.read_bytes()[: problem.start].count(b"\n") + 1
        raise CommandError(_("{path}: line {line}: this is not UTF-8 text", path=path, line=line)) from None
    except OSError as problem:
        raise CommandError(_("{path}: cannot be read: {strerror}", path=path, strerror=problem.strerror)) from None


def matches_in(path: Path, titled: bool = True) -> Iterator[str]:
    """The text of each match in a file, to be read by itself; of several, a line says which one comes if `titled`."""
    from facedown.core.match_file import split_matches

    found = split_matches(text_of(path))
    for number, text in enumerate(found, 1):
        if titled and len(found) > 1:
            print(_("Match {number} of {count}:", number=number, count=len(found)), flush=True)
        yield text


@contextmanager
def convert_errors(path: Path) -> Iterator[None]:
    """What is wrong with a match of a file, as a `CommandError` that names the file."""
    from facedown.core.advice import NoCoach
    from facedown.core.match_file import NotationError

    try:
        yield
    except (NoCoach, NotationError) as problem:
        raise CommandError(f"{path}: {problem}") from None


def sitters(file: MatchFile, seat: int | None) -> list[Sitter]:
    """Who sits at the table of a match; `CommandError` if it has no such `seat`."""
    from facedown.core.table import Sitter

    if seat is not None and seat >= file.match.seats:
        raise CommandError(_("--seat {seat}: the seats are 0 to {last}", seat=seat, last=file.match.seats - 1))
    return [Sitter(name, place in file.bots) for place, name in enumerate(file.names)]


def load(path: Path, text: str | None = None) -> MatchFile:
    """The match of a file, or of one of the texts in it; `CommandError` names its line if it cannot be read."""
    from facedown.core.match_file import read

    with convert_errors(path):
        return read(text_of(path) if text is None else text)
