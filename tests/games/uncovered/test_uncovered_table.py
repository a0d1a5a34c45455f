"""Uncovered!'s table: prompts, marks, log and result."""

from __future__ import annotations

import pytest

from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Table, Zone
from facedown.games.uncovered.rules import Act
from tests.games.uncovered.positions import SITTERS, hands_text, match_with_hands, play_words


def zone(table: Table, seat: int) -> Zone:
    return next(z for z in table.zones if z.seat == seat)


def test_card_places_are_numbered_from_the_right_in_intermediate_mode_only() -> None:
    for mode, order in (("beginner", "1234"), ("intermediate", "4321"), ("advanced", "1234")):
        table = match_with_hands("1123 2234 1344", mode=mode).table(0, SITTERS)
        for z in table.zones:
            assert [piece.place[-1] for piece in z.pieces] == list(order), mode
            assert ("reversed" in z.marks) == (mode == "intermediate")


def test_markers_on_a_card_show_whether_all_players_or_only_you_can_see_it() -> None:
    m = match_with_hands("4231 1124 3234", mode="advanced")
    play_words(m, "swap 1 1 3")
    table = m.table(0, SITTERS)
    own = zone(table, 0).pieces
    assert [("all-see" in p.marks, "only-you" in p.marks) for p in own] == [(True, False)] + [(False, True)] * 3
    backs = [p for z in table.zones for p in z.pieces if p.kind == "back"]
    assert {p.name for p in backs} == {"face down"}
    assert all("all-see" not in p.marks for p in backs)


def test_the_uncovered_table_shows_the_number_of_each_seats_next_turn() -> None:
    m = match_with_hands("1234 1234 1234 1234", first=2)
    play_words(m, "swap 1 0 1")
    table = m.table(3, SITTERS)
    assert [z.seat for z in table.zones] == [0, 1, 2, 3]
    assert [panel.line for panel in table.seats] == ["next: turn 2", "turn 3", "turn 4", "turn 1"]
    assert [panel.acting for panel in table.seats] == [False, False, False, True]
    dial = next(p for p in table.panels if p.kind == "dial")
    assert dial.data["order"] == [3, 0, 1, 2]
    assert (dial.data["turn"], dial.data["says"]) == (1, "one swap")


def test_decisions_to_turn_a_card_or_not_appear_in_the_log_and_as_a_marker_on_the_card() -> None:
    m = match_with_hands("2134 2134", mode="intermediate", turning="choice")
    play_words(m, "swap 1 1 2")
    assert [panel.line for panel in m.table(1, SITTERS).seats] == ["turn 0", "next: turn 1"]
    play_words(m, "turn", "leave")
    assert [line.text for line in m.log(1, SITTERS)] == [
        "**Ravi** moved a 2 to your position 2 and a 1 to their own position 1.",
        "**Ravi** turned the 1.",
        "**You** did not turn the 2.",
    ]
    assert "turned" in next(p for p in zone(m.table(0, SITTERS), 0).pieces if p.place == "p0-1").marks


def test_the_end_of_uncovered_shows_all_hands_and_the_fewest_swaps_that_would_win() -> None:
    m = match_with_hands("1233 1244 1234", mode="advanced")
    play_words(m, "uncover")
    for viewer in (0, 2, SPECTATOR):
        table = m.table(viewer, SITTERS)
        assert [slip.points for slip in table.slips] == [" ".join(hand) for hand in hands_text(m.state).split()]
        assert [slip.title for slip in table.slips] == [
            "1 card out of place",
            "1 card out of place",
            "every card in place",
        ]
        best = next(p for p in table.panels if p.id == "best").data["text"]
        assert best.startswith("**Fewest swaps possible: one.** Swap the cards in ")
    assert m.log(2, SITTERS)[0].text == "**Ravi** uncovered all hands."


@pytest.mark.parametrize("mode", ["beginner", "intermediate", "advanced"])
def test_the_score_display_of_uncovered_has_the_same_order_of_card_places_as_the_table(mode: str) -> None:
    """In intermediate mode place 1 is on the right (rules 4.3), on the slips too."""
    match = Match("uncovered", 3, {"mode": mode}, seed=bytes(32))
    match.play(match.acting[0], match.game.words.parse("swap 1 1 2") if match.acting[0] != 1 else Act.UNCOVER.value)
    if not match.over:
        match.play(match.acting[0], Act.UNCOVER.value)
    for viewer in (0, 2, SPECTATOR):
        table = match.table(viewer, SITTERS[:3])
        assert len(table.slips) == 3
        for slip in table.slips:
            lying = next(zone for zone in table.zones if zone.id == f"hand-{slip.seat}")
            on_table = [int(piece.where[-1]) for piece in lying.pieces]
            assert on_table == ([4, 3, 2, 1] if mode == "intermediate" else [1, 2, 3, 4])
            assert all([int(piece.where[-1]) for piece in row.pieces] == on_table for row in slip.rows)
            now = next(row for row in slip.rows if row.label == "Uncovered")
            assert [piece.face for piece in now.pieces] == [piece.face for piece in lying.pieces]
            assert slip.points == " ".join(piece.face for piece in now.pieces)
