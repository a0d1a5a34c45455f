"""Lessons as a screen reader reads them: ``python -m tests.every_game.lesson_transcripts FOLDER`` writes them all.

Each step has its number, its task and the reason, for each touch the name of the focused element, then the
announcements of the moves that follow. The golden playthroughs include these transcripts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from facedown.core.game_registry import catalogue
from facedown.core.table import Table, TouchStep
from facedown.core.translation import use_language
from facedown.play.lessons import Lesson, has_lesson, lesson
from facedown.server import rendering
from facedown.server.rendering import table_layout


def lesson_transcript(lesson: Lesson) -> str:
    """Return the text that a screen reader reads from the first step of a lesson to its end."""
    lines = [lesson.title]
    with use_language(lesson.code):
        for at in range(len(lesson.steps) + 1):
            message = rendering.lesson_step_message(lesson, at)
            for frame in message["frames"][1:]:
                lines += [f"    {said}" for said in frame["say"]]
            lines += ["", f"[{rendering.lesson_progress_text(rendering.lesson_moment(lesson, at))}]", *message["say"]]
            table = lesson.table(at)
            lines += [f"  > {name}" for name in _touch_texts(table, table.step)]
    return "\n".join(lines) + "\n"


def _touch_texts(table: Table, step: TouchStep | None) -> Iterator[str]:
    """Yield the focused element of each touch, and the prompt after each but the last."""
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
    """Write the transcript of every lesson into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in catalogue():
        found = lesson(name) if has_lesson(name) else None
        if found is not None:
            (folder / f"{name}.txt").write_text(lesson_transcript(found), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
