"""Why a move or a touch of Uncovered! is not taken: always said, always true, always from the view alone."""

from __future__ import annotations

import pytest

from facedown.check.laws import all_steps
from facedown.core.language import speaking
from facedown.core.state import SPECTATOR
from facedown.core.table import Table
from tests.contract.test_refusals import positions
from tests.games.cases import cases
from tests.games.uncovered.hands import SITTERS, dealt, say


def places(table: Table) -> set[str]:
    return {piece.place for zone in table.zones for piece in zone.pieces}


def test_every_place_that_is_not_offered_says_why(seed: int) -> None:
    for m in positions("uncovered", seed):
        assert not m.table(SPECTATOR, SITTERS[: m.seats]).step.choices
        for viewer in range(m.seats):
            table = m.table(viewer, SITTERS[: m.seats])
            assert viewer in m.acting or not table.step.choices
            for step in all_steps(table.step):
                refused = dict(step.refusals)
                offered = {choice.touch for choice in step.choices}
                assert not offered & set(refused)
                assert all(said.endswith(".") for said in refused.values())
                first = step is table.step
                if first or "uncover-now" in offered:
                    assert places(table) <= offered | set(refused)
                else:
                    assert len(places(table) - offered - set(refused)) == 1, "the card that was touched before"


@pytest.mark.parametrize(("options", "moves", "typed", "reason", "german"), cases("uncovered", "reasons"))
def test_the_reasons_of_some_moves(
    options: dict[str, str], moves: list[str], typed: str, reason: str, german: str
) -> None:
    m = dealt("2134 2134 3412", 0, **{"mode": "advanced", **options})
    say(m, *moves)
    view = m.known(m.acting[0])
    action = m.game.words.parse(typed)
    assert m.game.why_not(view, action) == reason
    with speaking("de"):
        assert m.game.why_not(view, action) == german
