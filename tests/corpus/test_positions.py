"""Along the frozen matches, views, tables and logs of every viewer are those of the frozen commit."""

from __future__ import annotations

import pytest

from tests.corpus import archive, positions, program


@pytest.mark.parametrize("game", program.catalogue())
def test_views_tables_screens_and_logs_of_recorded_matches_equal_the_recorded_ones(game: str) -> None:
    archive.check(positions.files_of(game))
