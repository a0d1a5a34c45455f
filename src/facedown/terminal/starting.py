"""What the commands do that start, show or count matches."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from facedown.core.compile import fallback
from facedown.core.game import info as info_of
from facedown.core.match import Match
from facedown.core.seeds import new_seed, seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter
from facedown.terminal import saves
from facedown.terminal.shared import Left, Problem
from facedown.terminal.texts import _, n_

if TYPE_CHECKING:
    from facedown.bots.preparation import Preparation
    from facedown.core.notation import MatchFile
    from facedown.terminal.screens import Screen
    from facedown.terminal.sitting import Sitting


def options_of(given: Sequence[str], flag: str = "--options") -> dict[str, str]:
    """Options from ``name=value`` texts of a flag; `Problem` names one that is none."""
    found = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise Problem(_("{flag} {text}: write NAME=VALUE", flag=flag, text=text))
        found[name.strip()] = value.strip()
    return found


def new_match(game: str, seats: int | None, options: Sequence[str], seed: str | None) -> Match:
    """A new match; bad input is a `Problem`, an `OptionError` or an `UnknownGame`."""
    about = info_of(game)
    drawn = new_seed() if seed is None else seed_from_text(seed)
    return Match(game, about.seats[0] if seats is None else seats, options_of(options), drawn)


def prepare(game: str) -> Preparation:
    """Compile what a game needs beside this program; where nothing can be kept, say what it will wait for."""
    from facedown.bots.preparation import prepare as begin
    from facedown.terminal.warming import is_new

    found = begin(game)
    if not found.started and is_new(game):
        print(
            _("The rules of {title} are compiled first: it takes some seconds.", title=info_of(game).title), flush=True
        )
    return found


def new(
    game: str,
    seats: int | None,
    options: Sequence[str],
    level: str,
    seed: str | None,
    me: int,
    name: str,
    memory_aid: bool,
) -> Sitting:
    """A new sitting of one person with bots."""
    from facedown.bots import bot
    from facedown.play.bots import bot_name
    from facedown.terminal.sitting import Sitting

    bot(level)
    preparation = prepare(info_of(game).name)
    match = new_match(game, seats, options, seed)
    if me >= match.seats:
        raise Problem(_("--seat {me}: the seats are 0 to {last}", me=me, last=match.seats - 1))
    # Where the locale is no UTF-8, what is typed as UTF-8 comes as single bytes.
    name = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    names: list[str] = []
    for place in range(match.seats):
        names.append((" ".join(name.split()) or "You") if place == me else bot_name([*names, name]))
    bots = {place: level for place in range(match.seats) if place != me}
    path = saves.free_name(game, saves.folder())
    sitting = Sitting(match, names, bots, me, path, memory_aid)
    sitting.preparation = preparation
    return sitting


def resume(path: Path, level: str, memory_aid: bool) -> Sitting:
    """A sitting from a saved match."""
    from facedown.bots import bot
    from facedown.terminal.sitting import resumed

    bot(level)
    fallback.begin()
    sitting = resumed(saves.load(path), path, level, memory_aid)
    for other in sitting.bots.values():
        bot(other)
    if sitting.match.over:
        raise Problem(_("{path}: this match is over; “facedown replay {path}” shows it", path=path))
    sitting.preparation = prepare(sitting.match.game.name)
    return sitting


def theme() -> str:
    """Is the terminal "dark" or "light"? Most do not say; then it is taken to be dark."""
    return "light" if os.environ.get("COLORFGBG", "").rsplit(";", 1)[-1] in ("7", "15") else "dark"


def play(sitting: Sitting, plain: bool) -> int:
    """Play a sitting on this terminal."""
    from facedown.terminal.play import run

    screen = screen_of(plain)
    screen.out(_("The deal is committed to: {commitment}", commitment=sitting.match.commitment))
    return run(sitting, screen)


def learn(game: str, plain: bool) -> int:
    """Give the lesson of a game on this terminal; `Problem` where it has none."""
    from facedown.play.lessons import LessonError, lesson
    from facedown.terminal.learning import run

    fallback.begin()
    try:
        found = lesson(game)
    except LessonError as wrong:
        raise Problem(str(wrong)) from None
    if found is None:
        raise Problem(
            _("{game} has no lesson: “facedown rules {name}” has its rules", game=info_of(game).title, name=game)
        )
    return run(found, screen_of(plain))


def screen_of(plain: bool) -> Screen:
    """How this terminal shows a table."""
    from facedown.terminal.screens import Drawn, Screen
    from facedown.terminal.window import Window, line

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    screen = Screen(line, _say)
    if not plain:
        from rich.console import Console

        console = Console(highlight=False)
        # A window is a terminal whose rows can be drawn one by one.
        drawable = sys.stdin.isatty() and sys.stdout.isatty() and not console.is_dumb_terminal
        screen = Drawn(line, console, theme(), Window(line) if drawable else None)
    return screen


def _leave(number: int, frame: object) -> None:
    """The window is closed, or the machine goes down: every move is written already."""
    raise Left


def matches() -> None:
    """List the saved matches, the last one first."""
    files = saves.listed()
    if not files:
        print(_("No match is saved in {folder}. “facedown play GAME” begins one.", folder=saves.folder()))
        return
    wide = max(len(path.stem) for path in files)
    for path in files:
        print(f"{path.stem:<{wide}}  {_about(path)}")
    print(_("Go on with one: facedown play --resume NAME"))


def _about(path: Path) -> str:
    """Which match a file holds, and how far it is, read from its lines: they need not be played for that."""
    try:
        lines = saves.text_of(path).splitlines()
    except Problem as problem:
        return str(problem)
    heads = dict(line.partition(": ")[::2] for line in lines if ": " in line and not line[:1].isdigit())
    names = [heads[key] for key in sorted(heads) if key.startswith("Seat ")]
    moves = sum(1 for line in lines if line.split(".")[0].isdigit())
    told = {"game": heads.get("Game", "?"), "names": ", ".join(names)}
    if heads.get("Result", "unfinished") == "unfinished":
        return n_("{game}, {names}: {count} move, not over", "{game}, {names}: {count} moves, not over", moves, **told)
    return n_("{game}, {names}: {count} move, over", "{game}, {names}: {count} moves, over", moves, **told)


def _say(text: str) -> None:
    """Print text; on a terminal its lines are broken at spaces."""
    from facedown.terminal.blocks import filled

    print(filled(text, shutil.get_terminal_size().columns) if sys.stdout.isatty() else text)


def replay(path: Path, seat: int | None, ply: int | None, plain: bool) -> None:
    """Show each match of a file as a seat saw it, or as everybody did."""
    fallback.begin()
    for text in saves.matches_in(path):
        _replay(saves.load(path, text), seat, ply, plain)


def _replay(file: MatchFile, seat: int | None, ply: int | None, plain: bool) -> None:
    from facedown.terminal.blocks import plain as unmarked
    from facedown.terminal.spoken import table_sentences

    match = file.match
    viewer = SPECTATOR if seat is None else seat
    if seat is not None and seat >= match.seats:
        raise Problem(_("--seat {seat}: the seats are 0 to {last}", seat=seat, last=match.seats - 1))
    sitters = [Sitter(name, place in file.bots) for place, name in enumerate(file.names)]
    if ply is None:
        for line in match.log(viewer, sitters):
            print(unmarked(line.text) if plain else f"{line.number:>4} {unmarked(line.text)}")
        return
    if ply > match.ply:
        raise Problem(_("--ply {ply}: this match has {count} moves", ply=ply, count=match.ply))
    earlier = match.at(ply)
    table = earlier.table(viewer, sitters).with_log(earlier.log(viewer, sitters))
    if plain:
        print(*table_sentences(table), sep="\n")
        return
    from rich.console import Console

    from facedown.terminal.cards import Pen
    from facedown.terminal.layout import LEAST, frame

    console = Console(highlight=False)
    pen = Pen.of(console, theme())
    width, height = max(LEAST[0], console.width), max(LEAST[1], console.height)
    for drawn in frame(table, table.step, pen, (), (), width, height)[:-1]:
        console.print(drawn, overflow="ignore", no_wrap=True, crop=False)
