"""Refusal reasons of Reveille: every bone, bid and place that is not allowed has a reason that follows from the
view.
"""

from __future__ import annotations

import pytest

from facedown.core.translation import use_language
from tests.every_game.test_refusal_reasons import sample_positions
from tests.games.case_files import worked_cases
from tests.games.reveille.positions import DEALER, OTHER, SITTERS, auction, case_position, play_words

HANDS = ("66 65 64 63 62 61 60", "54 53 52 51 50 44 43")


def test_reason_shown_for_an_unplayable_bone_equals_the_reason_given_by_the_rules(seed: int) -> None:
    for m in sample_positions("reveille", seed):
        for seat in m.acting:
            table = m.table(seat, SITTERS)
            faces = {piece.place: piece.face for zone in table.zones for piece in zone.pieces}
            for touch, reason in table.step.refusals:
                if touch.startswith("hand-"):
                    action = m.game.words.parse(f"play {faces[touch]}")
                    assert reason == m.game.why_not(m.known(seat), action)


def test_the_table_of_a_finished_match_of_reveille_has_no_reasons_for_refused_moves() -> None:
    m = auction(HANDS)
    m.state.marks[:] = 6
    play_words(m, "pass", "bid 4", "pass", "trump 6", *["play 66", "play 54", "play 65", "play 53"], "claim")
    assert m.over
    assert m.table(DEALER, SITTERS).step.refusals == ()


CASES = worked_cases("reveille", "reasons.toml")


@pytest.mark.parametrize("name", CASES)
def test_illegal_moves_and_wrong_taps_in_reveille_are_refused_with_the_expected_reason(name: str) -> None:
    case = CASES[name]
    m = case_position(case)
    with use_language(case.get("language", "en")):
        for move, reason in case.get("why", {}).items():
            assert m.game.why_not(m.known(m.acting[0]), m.game.words.parse(move)) == reason
        if "asked" in case:
            step = m.table(m.acting[0], SITTERS).step
            assert [step.prompt, step.help] == case["asked"]
        for seat in (DEALER, OTHER):
            refusals = dict(m.table(seat, SITTERS).step.refusals)
            for touch, reason in case.get(f"refusals_{seat}", {}).items():
                assert refusals[touch] == reason
