"""Along the frozen matches everybody sees what they saw when the corpus was frozen, and reads the same log."""

from __future__ import annotations

import pytest

from tests.corpus import archive, positions, program


@pytest.mark.parametrize("game", program.catalogue())
def test_everybody_sees_the_frozen_views_and_tables_and_reads_the_frozen_log(game: str) -> None:
    archive.check(positions.files_of(game))
