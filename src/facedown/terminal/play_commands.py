"""Commands to play, to learn, and to list and replay saved matches: ``play``, ``learn``, ``matches`` and ``replay``."""

from __future__ import annotations

import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.terminal import saved_matches
from facedown.terminal.command_common import (
    CommandError,
    GameName,
    MatchPath,
    OptionList,
    PlayerLeft,
    Seats,
    Seed,
    parse_game_name,
)
from facedown.terminal.i18n import _, n_

if TYPE_CHECKING:
    from facedown.core.match import Match
    from facedown.core.match_file import MatchFile
    from facedown.terminal.match_ui import Screen

Plain = Annotated[bool, typer.Option("--plain", help="Print plain sentences, for screen readers.")]


def parse_options(given: Sequence[str] | None, flag: str = "--options") -> dict[str, str]:
    """Convert texts of the form ``name=value`` to a dictionary of a game's options.

    Spaces around names and values are removed. If a name occurs twice, the later value counts. If `given` is None, the
    dictionary is empty. Whether the game has these options is not checked here.

    Raise `CommandError` if a text has no "=", or has nothing before the "=". The error text contains `flag`, the
    command-line option with which the texts were given.
    """
    found = {}
    for text in given or ():
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise CommandError(_("{flag} {text}: expected NAME=VALUE", flag=flag, text=text))
        found[name.strip()] = value.strip()
    return found


def new_match(game: str, seats: int | None, options: Sequence[str] | None, seed: str | None) -> Match:
    """Return a new match. `seats` None means the smallest number of seats, and `seed` None a random seed.

    `options` are texts of the form ``name=value``. Raise `CommandError`, `OptionError` or `UnknownGame` for bad input.
    """
    from facedown.core.game_registry import info as info_of
    from facedown.core.match import Match
    from facedown.core.seeds import new_seed, seed_from_text

    about = info_of(game)
    drawn = new_seed() if seed is None else seed_from_text(seed)
    return Match(game, about.seats[0] if seats is None else seats, parse_options(options), drawn)


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME", parser=parse_game_name, help="Name of the game; “facedown games” lists all games."
        ),
    ] = None,
    seats: Seats = None,
    options: OptionList = None,
    bots: Annotated[
        str, typer.Option(metavar="LEVEL", help="Level of the bots: beginner, casual, strong or master.")
    ] = "casual",
    seed: Seed = None,
    seat: Annotated[int, typer.Option(min=0, max=7, help="Your seat (seats are numbered from 0).")] = 0,
    name: Annotated[str, typer.Option(help="Your name.")] = "You",
    plain: Plain = False,
    memory_aid: Annotated[
        bool, typer.Option("--memory-aid", help="Show every card you’ve seen, not just the face-up ones.")
    ] = False,
    resume: Annotated[
        str | None, typer.Option(metavar="MATCH", help="Resume a saved match, by name or file (default: the last one).")
    ] = None,
) -> int:
    """Play with bots in the terminal."""
    from facedown.bots import bot
    from facedown.bots.compile_process import start_if_needed
    from facedown.core.compile import interpret_until_compiled
    from facedown.play.bot_interface import unused_bot_name
    from facedown.terminal.local_match import LocalMatch, resume_match
    from facedown.terminal.match_loop import run

    if resume is not None:
        if game is not None or seats is not None or options or seed is not None:
            raise CommandError(_("--resume cannot be used with a game, --seats, --options or --seed"))
        path = saved_matches.match_path(resume)
        bot(bots)
        interpret_until_compiled.enable()
        sitting = resume_match(saved_matches.load(path), path, bots, memory_aid)
        for level in sitting.bot_levels_by_seat.values():
            bot(level)
        if sitting.match.over:
            raise CommandError(_("{path}: this match is over; “facedown replay {path}” shows it", path=path))
        sitting.preparation = start_if_needed(sitting.match.game.name)
    elif game is None:
        raise CommandError(_("expected a game (“facedown games” lists all games) or --resume"))
    else:
        bot(bots)
        preparation = start_if_needed(game)
        match = new_match(game, seats, options, seed)
        if seat >= match.seats:
            raise CommandError(_("--seat {me}: must be from 0 to {last}", me=seat, last=match.seats - 1))
        # If the system's locale does not use UTF-8, Python decodes each byte of a UTF-8 argument to a surrogate
        # character.
        name = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        names: list[str] = []
        for place in range(match.seats):
            names.append((" ".join(name.split()) or "You") if place == seat else unused_bot_name([*names, name]))
        levels = {place: bots for place in range(match.seats) if place != seat}
        sitting = LocalMatch(match, names, levels, seat, saved_matches.new_match_path(game), memory_aid)
        sitting.preparation = preparation
    screen = make_screen_and_handle_signals(plain)
    screen.out(_("Commitment to this deal: {commitment}", commitment=sitting.match.commitment))
    return run(sitting, screen)


def learn(game: GameName, plain: Plain = False) -> int:
    """Learn a game in a one-minute lesson."""
    from facedown.core.compile import interpret_until_compiled
    from facedown.core.game_registry import info
    from facedown.play.lessons import lesson
    from facedown.terminal.lessons import run

    interpret_until_compiled.enable()
    found = lesson(game)
    if found is None:
        raise CommandError(
            _("{game} has no lesson; “facedown rules {name}” shows its rules", game=info(game).title, name=game)
        )
    return run(found, make_screen_and_handle_signals(plain))


def make_screen_and_handle_signals(plain: bool) -> Screen:
    """Return the user interface for this terminal. With `plain`, it prints sentences for a screen reader. Otherwise it
    draws the table.

    Also install signal handlers that raise `PlayerLeft`.
    """
    from facedown.terminal.match_ui import DrawnScreen, Screen
    from facedown.terminal.terminal_window import Window, read_line

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _raise_player_left)
    screen = Screen(read_line, _print_wrapped)
    if not plain:
        from rich.console import Console

        console = Console(highlight=False)
        # A full-screen window needs a terminal in which the cursor can be moved freely.
        drawable = sys.stdin.isatty() and sys.stdout.isatty() and not console.is_dumb_terminal
        screen = DrawnScreen(read_line, console, Window() if drawable else None)
    return screen


def _raise_player_left(number: int, frame: object) -> None:
    """Handle SIGTERM and SIGHUP by raising `PlayerLeft`. Nothing is lost, because every move has been saved already."""
    raise PlayerLeft


def matches() -> None:
    """List your saved matches."""
    files = saved_matches.list_matches()
    if not files:
        print(_("No saved matches in {folder}. Start one with “facedown play GAME”.", folder=saved_matches.folder()))
        return
    wide = max(len(path.stem) for path in files)
    for path in files:
        print(f"{path.stem:<{wide}}  {_match_summary(path)}")
    print(_("Resume a match with: facedown play --resume NAME"))


def _match_summary(path: Path) -> str:
    """Return the game, the players and the number of moves of a match file, read from its text without replaying it."""
    try:
        lines = saved_matches.read_text(path).splitlines()
    except CommandError as problem:
        return str(problem)
    heads = dict(line.partition(": ")[::2] for line in lines if ": " in line and not line[:1].isdigit())
    names = [heads[key] for key in sorted(heads) if key.startswith("Seat ")]
    moves = sum(1 for line in lines if line.split(".")[0].isdigit())
    told = {"game": heads.get("Game", "?"), "names": ", ".join(names)}
    if heads.get("Result", "unfinished") == "unfinished":
        return n_(
            "{game}, {names}: {count} move, unfinished", "{game}, {names}: {count} moves, unfinished", moves, **told
        )
    return n_("{game}, {names}: {count} move, finished", "{game}, {names}: {count} moves, finished", moves, **told)


def _print_wrapped(text: str) -> None:
    """Print text; on a terminal it is wrapped at spaces."""
    from facedown.terminal.text_blocks import wrap_text

    print(wrap_text(text, shutil.get_terminal_size().columns) if sys.stdout.isatty() else text)


def replay(
    file: MatchPath,
    seat: Annotated[
        int | None, typer.Option(min=0, max=7, help="Show what this seat saw (default: only what everyone saw).")
    ] = None,
    ply: Annotated[
        int | None, typer.Option(min=0, help="Show the table after this many moves, instead of the log.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print plain sentences.")] = False,
) -> None:
    """Show a match move by move, or the table after a given move."""
    from facedown.core.compile import interpret_until_compiled

    interpret_until_compiled.enable()
    for text in saved_matches.read_match_texts_and_print_titles(file):
        _print_log_or_table(saved_matches.load(file, text), seat, ply, plain)


def _print_log_or_table(file: MatchFile, seat: int | None, ply: int | None, plain: bool) -> None:
    from facedown.core.state import SPECTATOR
    from facedown.terminal.screen_reader import table_sentences
    from facedown.terminal.text_blocks import remove_bold_marks as unmarked

    match = file.match
    viewer = SPECTATOR if seat is None else seat
    sitters = saved_matches.sitters_if_seat_exists(file, seat)
    if ply is None:
        for line in match.log(viewer, sitters):
            print(unmarked(line.text) if plain else f"{line.number:>4} {unmarked(line.text)}")
        return
    if ply > match.ply:
        raise CommandError(_("--ply {ply}: must be from 0 to {count}", ply=ply, count=match.ply))
    earlier = match.at(ply)
    table = earlier.table(viewer, sitters).with_log(earlier.log(viewer, sitters))
    if plain:
        print(*table_sentences(table), sep="\n")
        return
    from rich.console import Console

    from facedown.terminal.card_drawing import Pen
    from facedown.terminal.screen_layout import MIN_SIZE, table_screen_above_input

    console = Console(highlight=False)
    width, height = max(MIN_SIZE[0], console.width), max(MIN_SIZE[1], console.height)
    for drawn in table_screen_above_input(table, table.step, Pen.for_console(console), (), width, height)[:-1]:
        console.print(drawn, overflow="ignore", no_wrap=True, crop=False)
