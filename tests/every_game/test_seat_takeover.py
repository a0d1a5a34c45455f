"""Taking over a bot's seat in every game: the new player learns nothing that the seat saw before the round."""

from __future__ import annotations

import random

import pytest

from facedown.check.random_matches import GAMES, match_with_random_options
from facedown.core.state import SPECTATOR
from facedown.play import Session, Settings, new_table
from facedown.play.open_tables import list_table, take_over
from tests.conftest import SEED, SERVER_TIMES
from tests.play.table import ADA, BEN, LowBots, grant
from tests.play.test_seat_takeover import play_to_next_round

TABLES = 6 * SERVER_TIMES


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_the_log_before_the_takeover_is_the_spectators_log(game: str, memory: bool) -> None:
    luck, taken = random.Random(f"{SEED} {game}"), 0
    for _table in range(TABLES):
        match = match_with_random_options(game, luck)
        seats = ["me", *["low"] * (match.seats - 1)]
        settings = Settings(memory=memory)
        record = new_table(
            game, seats, LowBots(), 1.0, host=ADA, host_name="Ada", options=match.options, settings=settings
        )
        session = Session(record, now=1.0)
        grant(session, list_table(session, ADA, True))
        grant(session, session.ready(ADA, True, 2.0))
        if session.record.status != "running":
            continue
        seat = luck.randrange(1, match.seats)
        grant(session, take_over(session, BEN, "Ben", seat))
        if not play_to_next_round(session, luck):
            continue
        taken += 1
        new, all_see = session.viewer_log(seat), session.viewer_log(SPECTATOR)
        assert new.lines == all_see.lines
        assert new.changes == all_see.changes
        assert session.version(seat) == session.version(SPECTATOR)
        table = session.table(seat)
        assert table.log == session.table(SPECTATOR).log
        assert table.viewer == seat
    if game not in ("uncovered",):
        assert taken, "no match reached a second round"
