"""Command ``facedown train``, which trains a neural network by self-play."""

from __future__ import annotations

import contextlib
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facedown.terminal.command_common import SUCCESS, CommandError, GameName, Quiet, progress_bar
from facedown.terminal.i18n import N_, _

if TYPE_CHECKING:
    from facedown.research.learning.trainer import Trainer

#: Seconds between two saved checkpoints of a training run. The last checkpoint is saved at the end.
SAVE_SECONDS = 60.0
#: Number of steps of the progress bar.
PROGRESS_STEPS = 1000
#: Settings for faster learning on few processor cores: layers with half of the default number of units, and batches of
#: a quarter of the default size.
SMALL: dict[str, Any] = {"embedding": 32, "first": 64, "second": 64, "point": 32, "batch": 2048}


def train(
    game: GameName,
    seats: Annotated[
        str,
        typer.Option(
            help=(
                "Number of players to train for, or several numbers at once, such as 2,3 or 3-8 (default: the "
                "fewest the game allows)."
            )
        ),
    ] = "",
    steps: Annotated[
        float | None, typer.Option(help="Number of decisions to train for, in millions.", min=0.001)
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(help="Maximum number of minutes; without --steps, train exactly this long.", min=0.01),
    ] = None,
    seed: Annotated[
        str, typer.Option(help="Seed: any text; on one machine, the same text gives the same network.")
    ] = "learning",
    out: Annotated[Path | None, typer.Option(help="Folder of the run (default: GAME-run).")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in the folder.")] = False,
    threads: Annotated[
        int, typer.Option(help="Number of threads that play; the result does not depend on it.", min=1)
    ] = 1,
    small: Annotated[
        bool,
        typer.Option("--small", help="Use a network a third of the size; it learns faster on machines with few cores."),
    ] = False,
    tables: Annotated[int, typer.Option(help="Number of matches played in parallel.", min=1)] = 1024,
    batch: Annotated[int | None, typer.Option(help="Number of decisions per learning step.", min=1)] = None,
    rate: Annotated[float | None, typer.Option(help="Initial learning rate.", min=1e-6, max=1.0)] = None,
    quiet: Quiet = False,
) -> int:
    """Train a network by self-play; runs can be stopped and resumed."""
    folder, players = out or Path(f"{game}-run"), _parse_seat_counts(game, seats)
    try:
        from facedown.research.learning.trainer import Settings, Trainer
    except ImportError as missing:
        needs = N_("Training needs a package that is not installed ({missing}): pip install 'facedown[learn]'")
        raise CommandError(_(needs, missing=missing.name)) from None
    seconds = None if minutes is None else 60 * minutes
    decisions = None if steps is None else round(1_000_000 * steps)
    if resume:
        trainer = Trainer.resumed(folder, threads, decisions, seconds)
    elif (folder / "checkpoint.npz").exists():
        raise CommandError(
            _(
                "{folder} already contains a run: resume it with --resume, or choose another folder with --out",
                folder=folder,
            )
        )
    else:
        # `far` is the number of decisions to train for if --steps is not given. With --minutes, it is never reached, so
        # that the time limit ends the training. Without --minutes, it is 20 million.
        far = 20_000_000 if seconds is None else 10**12
        chosen = (SMALL if small else {}) | {"decisions": decisions or far, "seconds": seconds or 0.0, "tables": tables}
        chosen |= {name: value for name, value in (("batch", batch), ("rate", rate)) if value is not None}
        trainer = Trainer(Settings(game, players, seed, **chosen), threads)
    try:
        _train_with_progress(trainer, folder, quiet)
    except KeyboardInterrupt:
        print(_("Stopped. Resume with --resume."))
    trainer.save_checkpoint(folder)
    # The learning curve is drawn only if Matplotlib is installed.
    with contextlib.suppress(ImportError):
        from facedown.research.learning.learning_curve_plot import draw_learning_curve

        draw_learning_curve(trainer.points, trainer.game.info.title, folder / "curve.png")
    told, millions = N_("{folder}: {millions:.2f} million decisions in {seconds:.0f} s."), trainer.decisions / 1e6
    print(_(told, folder=folder, millions=millions, seconds=trainer.seconds))
    return SUCCESS


def _parse_seat_counts(game: str, text: str) -> tuple[int, ...]:
    from facedown.core.game_registry import info

    about = info(game)
    if not text:
        return (about.seats[0],)
    parts = [re.fullmatch(r"\s*(\d{1,2})(?:\s*-\s*(\d{1,2}))?\s*", part) for part in text.split(",")]
    found = [count for part in parts if part for count in range(int(part[1]), int(part[2] or part[1]) + 1)]
    if None in parts or not found:
        raise CommandError(_("--seats {text}: expected a number, or several such as 2,3 or 3-8", text=text))
    for count in found:
        about.check_seats(count)
    return tuple(found)


def _train_with_progress(trainer: Trainer, folder: Path, quiet: bool) -> None:
    kept = time.perf_counter()
    ready = _("{title}: getting ready", title=trainer.game.info.title)
    with progress_bar(ready, PROGRESS_STEPS, quiet=quiet, counted=False) as update:
        said = ""
        for point in trainer.run():
            if point.worth == point.worth:
                said = _("against greedy bots: {worth:+.2f} ± {margin:.2f}", worth=point.worth, margin=point.margin)
            about = _("{millions:.2f} million decisions", millions=point.decisions / 1e6)
            update(round(PROGRESS_STEPS * trainer.progress), f"{about} {said}".strip())
            if time.perf_counter() - kept > SAVE_SECONDS:
                trainer.save_checkpoint(folder)
                kept = time.perf_counter()
