"""Every transcript of the command line comes out to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.transcripts import FOLDER, begun


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_transcript_comes_out_to_the_letter(path: Path, tmp_path: Path) -> None:
    assert begun(path, tmp_path) == path.read_text(encoding="utf-8")
