"""Lessons as a screen reader reads them: ``python -m tests.every_game.lesson_transcripts FOLDER`` writes them all.

For every step: where one is, what is asked and why, and for each touch the name of what has the focus; then what is
said of the moves that follow. Lessons are kept so beside the golden playthroughs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from facedown.core.game_registry import catalogue
from facedown.core.language import use_language
from facedown.core.table import Table, TouchStep
from facedown.play.lessons import Lesson, has_lesson, lesson
from facedown.server import rendering
from facedown.server.rendering import table_layout


def heard(lesson: Lesson) -> str:
    """A lesson as it is read aloud, from its first step to its end."""
    lines = [lesson.title]
    with use_language(lesson.code):
        for at in range(len(lesson.steps) + 1):
            message = rendering.lesson_message(lesson, at)
            for frame in message["frames"][1:]:
                lines += [f"    {said}" for said in frame["say"]]
            lines += ["", f"[{rendering.lesson_progress_text(rendering.moment_of(lesson, at))}]", *message["say"]]
            table = lesson.table(at)
            lines += [f"  > {name}" for name in _touched(table, table.step)]
    return "\n".join(lines) + "\n"


def _touched(table: Table, step: TouchStep | None) -> Iterator[str]:
    """What has the focus, touch by touch, and what is asked after each but the last."""
    while step is not None and step.choices:
        choice = next(one for one in step.choices if not one.refuses)
        piece = next((p for zone in table.zones for p in zone.pieces if p.place == choice.touch), None)
        zone = next((zone for zone in table.zones if zone.id == choice.touch), None)
        name = (
            table_layout.piece_aria_label(piece)
            if piece
            else table_layout.zone_aria_label(zone)
            if zone
            else choice.button
        )
        yield f"{name}, {table_layout.strip_bold_marks(choice.says)}" if choice.says else name
        step = choice.then
        if step is not None:
            yield f"  {table_layout.strip_bold_marks(step.prompt)}"


def write(folder: Path) -> None:
    """Write what is read of every lesson into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in catalogue():
        found = lesson(name) if has_lesson(name) else None
        if found is not None:
            (folder / f"{name}.txt").write_text(heard(found), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
