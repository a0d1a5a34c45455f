"""Transcripts of the command line equal the current output."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.transcripts import FOLDER, current_transcript


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_output_of_the_commands_in_a_transcript_equals_the_stored_output(path: Path, tmp_path: Path) -> None:
    assert current_transcript(path, tmp_path) == path.read_text(encoding="utf-8")
