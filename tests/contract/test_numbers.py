"""What a table tells in numbers and what it tells in words is one and the same, at every moment of a match."""

from __future__ import annotations

import random

import pytest

from facedown.check.driver import GAMES, SITTERS, play_randomly, random_match
from facedown.core.game import catalogue
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Table


def told_alike(table: Table) -> None:
    """The numbers of a table and its words agree."""
    seats = {panel.seat: panel for panel in table.seats}
    assert table.round >= 1
    assert table.where, "a table says where the match stands"
    if table.turn is not None:
        assert seats[table.turn].acting, "whose turn it is is to act"
        assert table.your_turn == (table.turn == table.viewer)
        assert table.subtitle.endswith(table.turn_words)
    for row in table.scores:
        panel = seats[row.seat]
        assert row.total.replace("−", "-") == str(row.points)
        assert row.round is None or f"{row.round}".replace("-", "−") in row.line
        assert not panel.says_total or panel.line.split(" ")[0] == row.total
        assert row.winner == (row.seat in table.winners)
    for panel in table.seats:
        assert panel.shows is None or f"{panel.shows}".replace("-", "−") in panel.line
        assert not panel.done or panel.state, "what is done is said"
    assert not table.winners or table.over
    told = table.to_json()
    assert told["subtitle"] == table.subtitle
    assert told["layout"]["kind"] == table.layout.kind
    assert [row["total"] for row in told["scores"]] == [row.total for row in table.scores]


@pytest.mark.parametrize("name", GAMES)
def test_numbers_and_words_agree(name: str) -> None:
    rnd = random.Random(f"numbers of {name}")
    for _ in range(3):
        match = random_match(name, rnd)
        for _ in range(60):
            for viewer in (0, SPECTATOR):
                told_alike(match.table(viewer, SITTERS[: match.seats]))
            if match.over:
                break
            play_randomly(match, rnd, rnd.randint(1, 6))


@pytest.mark.parametrize("name", GAMES)
def test_the_winners_are_those_with_the_best_return(name: str) -> None:
    info = catalogue()[name]
    rnd = random.Random(f"winners of {name}")
    match = Match(name, info.seats[0], {}, seed=bytes([3]) * 32)
    play_randomly(match, rnd, 20_000)
    table = match.table(SPECTATOR, SITTERS[: match.seats])
    returns = match.game.returns(match.state)
    assert match.over
    told_alike(table)
    if info.together:
        assert set(table.winners) in (set(), set(range(match.seats)))
    else:
        assert all(returns[seat] == max(returns) for seat in table.winners)
