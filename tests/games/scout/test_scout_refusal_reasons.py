"""Refusal reasons of SCOUT: every move and touch that is not allowed has a reason that follows from the seat's view."""

from __future__ import annotations

import pytest

from facedown.core.match import Match
from facedown.games.scout.bots.policy import reason
from tests.games.case_files import worked_cases
from tests.games.scout.positions import SITTERS, play_turns, pose

CASES = worked_cases("scout", "reasons.toml")


def refusals_of(match: Match, seat: int, *touches: str) -> dict[str, str]:
    step = match.table(seat, SITTERS[: match.seats]).step
    for touch in touches:
        step = next(choice.then for choice in step.choices if choice.touch == touch and choice.then)
    return dict(step.refusals)


@pytest.mark.parametrize("name", CASES)
def test_illegal_moves_and_touches_in_scout_are_refused_with_the_expected_reason(name: str) -> None:
    case = CASES[name]
    m = pose(**case["pose"]) if "pose" in case else Match("scout", case["dealt"], {}, seed=bytes(32), first=0)
    play_turns(m, *case.get("say", ()))
    if "spent" in case:
        m.state.marker[0] = 0
    for move, why in case.get("why", {}).items():
        assert m.game.why_not(m.known(m.acting[0]), m.game.words.parse(move)) == why
    for move, said in case.get("for", {}).items():
        assert reason(m.known(0), 0, m.game.words.parse(move)) == said
    for seat in range(2):
        wanted = case.get(f"refusals_{seat}", {})
        found = refusals_of(m, seat, *(case.get("touched", ()) if wanted else ()))
        assert {touch: found.get(touch) for touch in wanted} == wanted
        assert found == case.get(f"all_{seat}", found)
