"""The command ``facedown`` and its subcommands.

Each subcommand imports large modules only when it runs, so that ``facedown --help`` appears quickly.
"""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Annotated

import typer

from facedown.core.translation import UnknownLanguage, use_language
from facedown.terminal import command_common
from facedown.terminal.admin import ConfigFile, admin, backup, config, restore
from facedown.terminal.coach_command import coach
from facedown.terminal.command_common import (
    BAD_INPUT,
    FAILED,
    SUCCESS,
    CommandError,
    GameName,
    MatchPath,
    OptionList,
    Seats,
    Seed,
)
from facedown.terminal.command_help import (
    HOST,
    PLAY,
    RESEARCH,
    STUDY,
    Commands,
    split_language,
    translate_command_help,
    translate_error,
)
from facedown.terminal.experiment_commands import arena, compare, simulate
from facedown.terminal.i18n import N_, _, n_
from facedown.terminal.open_tables import open_tables
from facedown.terminal.play_commands import learn, matches, play, replay
from facedown.terminal.train_command import train

#: Help text of the program.
ABOUT = "Tabletop games with hidden information, in a terminal or a browser."

app = typer.Typer(
    name="facedown",
    cls=Commands,
    help=ABOUT,
    invoke_without_command=True,
    add_completion=True,
    # The help is not formatted with Rich, because that takes three times as long as everything else that the command
    # does.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

#: Format of a commitment, the hash of a match's seed.
COMMITMENT = re.compile(r"sha256:[0-9a-f]{64}")

#: Exit codes for exceptions whose message is shown to the user, by the name of the exception class. Because names are
#: used, the modules that define the classes need not be imported at the start.
EXIT_CODES = {
    **dict.fromkeys(("BadContest", "BadExperiment", "BadRun", "BadSettings", "LessonError"), BAD_INPUT),
    **dict.fromkeys(("OptionError", "UnknownBot", "UnknownGame"), BAD_INPUT),
    **dict.fromkeys(("BotFailed", "ClusterError", "NotWritten", "StoreError", "WorkerDied"), FAILED),
}


def main(arguments: list[str] | None = None) -> None:
    """Run the command line with `arguments` (by default those of the process) and exit with its exit code."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 on success, 1 on failure, 2 for bad input.

    By default, the arguments are those of the process.
    """
    command_common.set_stream_error_handlers()
    try:
        code, given = split_language(sys.argv[1:] if arguments is None else arguments)
    except UnknownLanguage as problem:
        print(problem, file=sys.stderr)
        return BAD_INPUT
    with use_language(code):
        return _run_in_current_language(_add_default_to_resume_option(given))


def _run_in_current_language(given: list[str]) -> int:
    """Run the command line with the arguments `given`, in the current language, and return its exit code."""
    try:
        command = typer.main.get_command(app)
        translate_command_help(command)
        code = command.main(args=given, prog_name="facedown", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else SUCCESS
    except (typer.Abort, KeyboardInterrupt):
        print(_("Stopped."), file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        # The program that reads this output through a pipe has closed the pipe.
        command_common.redirect_output_to_null()
        return FAILED
    except Exception as problem:
        found = _error_message_and_exit_code(problem)
        if found is None:
            raise
        print(found[0], file=sys.stderr)
        return found[1]


def _error_message_and_exit_code(problem: Exception) -> tuple[str, int] | None:
    """Return the message and the exit code for an error. None means that the error is unexpected and is shown with its
    traceback.
    """
    if isinstance(problem, typer.TyperException):
        return translate_error(" ".join(problem.format_message().split())), BAD_INPUT
    if isinstance(problem, CommandError):
        return str(problem), problem.code
    for kind in type(problem).__mro__:
        if kind.__name__ in EXIT_CODES:
            return str(problem), EXIT_CODES[kind.__name__]
    if isinstance(problem, OSError):
        command_common.redirect_output_to_null()
        where = f"{problem.filename}: " if problem.filename else ""
        return f"{where}{problem.strerror or problem}", FAILED
    return None


def _add_default_to_resume_option(arguments: list[str]) -> list[str]:
    """Return the arguments with the value "last" added after a ``--resume`` without a value.

    The command ``train`` is an exception, because its ``--resume`` takes no value.
    """
    for i, (word, following) in enumerate(pairwise([*arguments, "--"]), 1):
        if word == "--resume" and following.startswith("--") and arguments[0] != "train":
            return [*arguments[:i], "last", *arguments[i:]]
    return arguments


def _print_version_and_exit(wanted: bool) -> None:
    if wanted:
        from facedown import __version__

        print(f"facedown {__version__}")
        raise typer.Exit


@app.callback(help=ABOUT)
def facedown(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_print_version_and_exit, is_eager=True)
    ] = False,
    lang: Annotated[
        str | None, typer.Option("--lang", metavar="CODE", help="Language: en or de (default: your system’s).")
    ] = None,
) -> None:
    """Declare the options that precede a command. ``--lang`` is listed only for the help, because
    `command_help.split_language` has already removed it from the arguments.
    """


def games() -> None:
    """List the games."""
    from facedown.core.game_registry import catalogue

    timed = N_("{name:<10} {players:>4} players   {minutes:>2} min   {aim}")
    untimed = N_("{name:<10} {players:>4} players   {aim}")
    for info in catalogue().values():
        players = "–".join(map(str, dict.fromkeys(info.seats)))
        line = timed if info.minutes else untimed
        print(_(line, name=info.name, players=players, minutes=info.minutes, aim=info.tagline))


def rules(game: GameName) -> None:
    """Show a game’s rules and options."""
    from facedown.terminal.rulebook import rules_text

    print(rules_text(game))


def serve(
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port to listen on (default: a free one).")] = None,
    host: Annotated[
        str | None,
        typer.Option(help="Address to listen on (default: 127.0.0.1); 0.0.0.0 opens the server to the whole network."),
    ] = None,
    data: Annotated[
        str | None, typer.Option(help="Folder, SQLite file or database address (default: your data folder).")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    bot_delay: Annotated[
        float | None, typer.Option(min=0, max=60, help="Pause before each bot move, in seconds.")
    ] = None,
    config: ConfigFile = None,
) -> int:
    """Start the server and open it in the browser."""
    from facedown import server
    from facedown.bots.warm_up import games_to_warm_up

    if games_to_warm_up():
        print(_("Preparing strong bots and the coach in the background (first start only)."))
    return server.run(host, port, data, browser, bot_delay, config)


def think(
    data: Annotated[str | None, typer.Option(help="Database address (default: from the settings).")] = None,
    config: ConfigFile = None,
) -> int:
    """Run a worker that computes strong bots’ moves and match reviews for all servers that share a database."""
    from facedown import server

    return server.run_worker(data, config)


def verify(
    file: MatchPath,
    commitment: Annotated[str, typer.Argument(help="The commitment you noted before the deal.")] = "",
) -> None:
    """Check a match file: the seed, every move and the result."""
    from facedown.core.compile import interpret_until_compiled
    from facedown.core.match_file import verify as verdict_on
    from facedown.terminal.saved_matches import convert_match_file_errors, read_match_texts_and_print_titles

    if commitment and not COMMITMENT.fullmatch(commitment.strip().lower()):
        raise CommandError(
            _("{given} is not a valid commitment: expected “sha256:” and 64 hex digits", given=commitment[:80])
        )
    interpret_until_compiled.enable()
    for text in read_match_texts_and_print_titles(file):
        with convert_match_file_errors(file):
            verdict = verdict_on(text, commitment)
        print(*verdict.found, *verdict.open, sep="\n")


def score(
    game: GameName,
    example: Annotated[bool, typer.Option("--example", help="Print an example of the input.")] = False,
) -> None:
    """Score a game played with real cards (reads JSON from standard input, prints JSON)."""
    import json

    from facedown.core.game_registry import game as game_of

    found = game_of(game)
    scorer = found.scorekeeper
    if scorer is None:
        raise CommandError(_("{title} has no scorekeeper", title=found.info.title))
    if example:
        print(json.dumps(scorer.example, indent=2, ensure_ascii=False))
        return
    try:
        given = json.load(sys.stdin)
    except json.JSONDecodeError as problem:
        raise CommandError(_("line {lineno}: not valid JSON: {msg}", lineno=problem.lineno, msg=problem.msg)) from None
    except (ValueError, RecursionError):
        raise CommandError(_("cannot read the JSON: a number is too long or brackets are nested too deeply")) from None
    if not isinstance(given, dict):
        expected = N_("line 1: expected a JSON object; “facedown score {game} --example” prints one")
        raise CommandError(_(expected, game=game))
    try:
        result = scorer.score(given)
    except ValueError as problem:
        raise CommandError(str(problem)) from None
    print(json.dumps(result, indent=2, ensure_ascii=False))


def solve(game: GameName) -> int:
    """Solve positions exactly (reads JSON lines from standard input, prints JSON lines)."""
    from facedown.core.game_registry import catalogue
    from facedown.core.game_registry import game as game_of

    answers = game_of(game).solver.answers
    if answers is None:
        solved = ", ".join(each for each in catalogue() if game_of(each).solver.answers is not None)
        raise CommandError(
            _("{game} has no solver; games with a solver: {games}", game=game, games=solved or _("none"))
        )
    code = SUCCESS
    for answer in answers(sys.stdin):
        print(answer.text, file=sys.stderr if answer.bad else sys.stdout, flush=True)
        code = BAD_INPUT if answer.bad else code
    return code


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=1, max=12, help="Length of the sequences, in moves.")] = 2,
    seats: Seats = None,
    options: OptionList = None,
    seed: Seed = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show the count for each first move.")] = False,
) -> None:
    """Count the possible sequences of moves after a deal."""
    from facedown.core.perft import divide as divided
    from facedown.terminal.play_commands import new_match

    match = new_match(game, seats, options, seed)
    shares = divided(match.game, match.state, depth)
    if divide:
        for action, share in shares.items():
            print(f"{match.game.words.words(action)}: {share}")
    print(sum(shares.values()))


def warm(
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing.")] = False,
    lab: Annotated[
        bool, typer.Option("--lab", help="Also compile the code for playouts, experiments and learning environments.")
    ] = False,
) -> None:
    """Compile the rules of all games now, so that you don’t have to wait later."""
    from facedown.terminal.compile_command import compile_all_games as warm_all

    warm_all(quiet, lab)


def check_game(
    game: GameName,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the test cases (default: random).")] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="CHECK", help="Run only this check; can be repeated.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Also fail if a check was skipped.")] = False,
) -> int:
    """Check a game’s code, from its rules and hidden cards to its bots, guide and layout."""
    from facedown.check.checks import CHECK_NAMES, Checks

    for name in set(only or ()) - set(CHECK_NAMES):
        raise CommandError(_("unknown check {name}; must be one of {names}", name=name, names=", ".join(CHECK_NAMES)))
    drawn = secrets.randbits(32) if seed is None else seed
    print(_("{game}, seed {seed} (repeat with --seed {seed})", game=game, seed=drawn))
    failed = left_out = 0
    for check in Checks(game, drawn).run(only or ()):
        failed += bool(check.problems)
        left_out += bool(check.skip_reason)
        result = _("skipped") if check.skip_reason else _("FAILED") if check.problems else _("ok")
        print(f"{result:<8} {check.name:<17} {check.skip_reason or check.figures}".rstrip(), flush=True)
        for problem in check.problems:
            print(f"         {problem}")
        for warning in check.warnings:
            print(" " * 8, _("warning: {text}", text=warning))
    print(_checks_verdict_text(failed, left_out))
    return FAILED if failed or (strict and left_out) else SUCCESS


def _checks_verdict_text(failed: int, left_out: int) -> str:
    """Return the last line that ``facedown check-game`` prints, from the numbers of failed and of skipped checks.

    >>> _checks_verdict_text(0, 0), _checks_verdict_text(0, 1), _checks_verdict_text(2, 0)
    ('All checks passed.', 'No check failed, but 1 was skipped.', '2 checks failed.')
    """
    if failed:
        return n_("{count} check failed.", "{count} checks failed.", failed)
    if left_out:
        return n_("No check failed, but {count} was skipped.", "No check failed, but {count} were skipped.", left_out)
    return _("All checks passed.")


#: Commands by group, in the order in which the help lists them.
COMMANDS: dict[str, tuple[Callable[..., int | None], ...]] = {
    PLAY: (games, rules, play, learn, matches, score, open_tables),
    STUDY: (replay, verify, solve, coach),
    HOST: (serve, think, warm, config, backup, restore),
    RESEARCH: (perft, check_game, arena, simulate, compare, train),
}
#: Names of the commands whose functions have another name.
COMMAND_NAMES: dict[Callable[..., int | None], str] = {open_tables: "open"}
for group, commands in COMMANDS.items():
    for command in commands:
        app.command(COMMAND_NAMES.get(command), rich_help_panel=group)(command)
app.add_typer(admin, name="admin", rich_help_panel=HOST)
