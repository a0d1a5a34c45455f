"""Reveal's table: zones, touches, prompts and log, for each viewer."""

from __future__ import annotations

import json
import random

import pytest

from facedown.check.random_matches import match_with_random_options, play_randomly
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Piece, Table, TouchStep
from facedown.games.reveal.action_text import action_notation, parse
from facedown.games.reveal.rules import Act
from tests.games.reveal.positions import (
    SEED,
    SITTERS,
    card_kind,
    cards,
    column_slots,
    deal_of,
    play_moves,
    play_rows_unchanged,
)
from tests.games.touch_paths import choice_for_touch, step_after_touches, touch_paths_of
from tests.not_none import given

ROW = dict(zip((9, 11, 13), cards("R * B"), strict=True))


def table(match: Match, viewer: int = 0) -> Table:
    return match.table(viewer, SITTERS)


def pieces(match: Match, viewer: int = 0) -> dict[str, Piece]:
    return {p.place: p for z in table(match, viewer).zones for p in z.pieces}


def actions(step: TouchStep) -> list[int]:
    """Return the actions at the ends of all paths of a step."""
    return [given(choice.action) for _path, choice in touch_paths_of(step)]


def match_at_placing() -> Match:
    return play_moves(Match("reveal", 2, {}, SEED, deal_of(ROW)), (0, "swap none"), (1, "swap none"))


def test_the_table_shows_that_the_other_player_has_placed_cards_but_not_which() -> None:
    match = match_at_placing()
    play_moves(match, (1, "place R C L"))
    other = match_at_placing()
    play_moves(other, (1, "place L C R"))
    assert table(match) == table(other)
    assert table(match).seats[1].state == "has chosen"
    last = step_after_touches(table(match).step, "hand-3", "p0-L1", "hand-1", "p0-R1")
    assert last.help == "The wild card goes in the middle. Mara has chosen. You can still rearrange the cards."
    assert table(match, 1).step.prompt == "Ilse is placing cards."
    assert not table(match, 1).step.choices
    # The player's own cards are face down, and the hand is empty.
    mine = pieces(match, 1)
    assert [mine[f"p1-{c}1"].kind for c in "LCR"] == ["back"] * 3
    assert [mine[f"hand-{i}"].kind for i in (1, 2, 3)] == ["slot"] * 3


def test_the_final_round_shows_the_chosen_columns_of_all_players() -> None:
    match = play_rows_unchanged(Match("reveal", 2, {}, SEED))
    play_moves(match, (0, "choose L"), (1, "choose C"), (1, "confirm"))
    assert table(match).seats[1].state == "confirmed: middle"
    found = pieces(match)
    assert (found["end0-L"].kind, found["end0-L"].tag) == ("back", "you")
    assert (found["end1-C"].tag, found["end1-C"].marks) == ("Mara", ("chosen", "end", "confirmed"))
    assert found["end0-C"].kind == "slot"
    assert "final-0" not in found
    chosen = {z.group for z in table(match).zones if "chosen" in z.marks}
    assert chosen == {"L", "C"}


def test_the_final_round_offers_all_columns_except_the_column_already_chosen(seed: int) -> None:
    rnd = random.Random(seed)
    missing = 0
    for _ in range(60):
        match = match_with_random_options("reveal", rnd)
        play_randomly(match, rnd, 12 + rnd.randint(0, 12))
        for seat in match.acting:
            offered = set(actions(table(match, seat).step))
            legal = set(match.legal(seat))
            assert offered <= legal
            for action in legal - offered:
                missing += 1
                assert (action - Act.CHOOSE) % 3 == int(match.state.choice[seat]), action_notation(action)
                assert Act.CHOOSE <= action < Act.CONFIRM
    assert missing > 0


@pytest.mark.parametrize("mode", ["alternate", "sealed"])
def test_a_column_is_chosen_with_two_taps_if_final_columns_are_chosen_in_turn_or_in_secret(mode: str) -> None:
    match = play_rows_unchanged(Match("reveal", 2, {"final_mode": mode}, SEED))
    step = table(match).step
    assert all(len(path) == 2 for path, _ in touch_paths_of(step))
    assert {action_notation(action) for action in actions(step)} == {
        action_notation(action) for action in match.legal(0)
    }
    if mode == "sealed":
        play_moves(match, (0, "choose R"))
        assert pieces(match)["end0-R"].marks == ("chosen", "end", "confirmed")
        assert pieces(match, 1)["end0-R"].kind == "slot"
        assert pieces(match, 1)["final-0"].kind == "back"
        assert table(match).step.help == "You’ve chosen. Waiting for the other player."
    else:
        assert not table(match, 1).step.choices
        play_moves(match, (0, "choose R"), (1, "choose R"))
        assert choice_for_touch(table(match).step, "stay").action == parse("choose R")


def illustrated_hand() -> Match:
    """Return the hand of the guide's picture: Ilse has the left column with reds, Mara the middle one with blues."""
    fixed = column_slots("R Y R", "G R R", "R P Y", 0) | column_slots("B * G", "B B K", "O W B", 1, seat=1)
    fixed |= {27: card_kind("*"), 28: card_kind("P")}
    match = play_rows_unchanged(Match("reveal", 2, {}, SEED, deal_of(fixed)))
    return play_moves(match, (0, "choose L"), (1, "choose C"), (1, "confirm"), (0, "confirm"))


def test_the_score_display_of_reveal_lists_the_points_of_each_part_of_a_players_column() -> None:
    found = table(illustrated_hand())
    assert found.subtitle == "Hand 1 of 5 · Grand Reveal"
    assert found.step.prompt == "You win the hand, 6 to 5. You lead 6 to 5."
    assert found.step.choices[0].button == "Continue to hand 2"
    first, second = found.slips
    assert (first.title, first.points) == ("left column, red", "6")
    assert [row.label for row in first.rows] == ["Base", "Your side", "Mara’s side", "Final Card"]
    assert [row.subtotal for row in first.rows] == ["2", "2", "1", "1"]
    assert [p.tag for row in first.rows for p in row.pieces] == ["1", "", "2", "", "3", "4", "5", "", "", "6"]
    assert [p.face for p in first.rows[0].pieces if "root" in p.marks] == ["red"]
    assert all(("faded" in p.marks) == (not p.tag) for row in first.rows for p in row.pieces)
    assert first.sum == "**2 + 2 + 1 + 1.** Your own red cards opened Mara’s side."
    assert (second.title, second.points) == ("middle column, blue", "5")
    assert second.sum == "**2 + 2 + 1 + 0.** Your blue card in row 3 counted for Mara."
    assert [s.seat for s in table(illustrated_hand(), 1).slips] == [1, 0]
    faded = {z.group for z in found.zones if z.group and all("faded" in p.marks for p in z.pieces)}
    assert faded == {"R"}
    assert all(p.kind == "face" for z in found.zones for p in z.pieces)


def test_the_four_steps_of_the_grand_reveal_panel_name_20_different_places_on_the_table() -> None:
    found = table(illustrated_hand())
    panel = next(p for p in found.panels if p.id == "reveal-steps")
    steps = panel.data["steps"]
    assert len(steps) == 4
    on_table = {p.place for z in found.zones for p in z.pieces}
    named = [place for step in steps for place in step["places"]]
    assert set(named) <= on_table
    assert len(named) == len(set(named)) == 20
    assert json.loads(json.dumps(steps)) == steps


def test_the_log_describes_the_grand_reveal_step_by_step() -> None:
    lines = [line.text for line in illustrated_hand().log(0, SITTERS)]
    at = lines.index("Grand Reveal: you chose the left column, and Mara chose the middle column.")
    assert lines[at - 1] == "You confirmed the left column."
    assert lines[at + 2 : at + 5] == [
        "Your side of the left column: **green, red, red**; Mara’s side of the middle column: **blue, blue, black**.",
        (
            "Your side of the middle column: **orange, white, blue**; "
            "Mara’s side of the left column: **red, pink, yellow**."
        ),
        "Final Cards: **wild** for you, **pink** for Mara.",
    ]
    assert lines[-1] == "You win the hand, 6 to 5. You lead 6 to 5."
    assert lines[0].startswith("Base row 1 was revealed: **red, blue, ")
    assert lines[1:3] == ["You swapped no cards, and Mara swapped none.", "Both players placed their cards in row 1."]
    public = [line.text for line in illustrated_hand().log(SPECTATOR, SITTERS)]
    assert public[-1] == "Ilse wins the hand, 6 to 5. Ilse leads 6 to 5."


def test_a_spectator_of_reveal_sees_face_down_cards_and_has_no_choices() -> None:
    match = match_at_placing()
    found = table(match, SPECTATOR)
    assert not found.step.choices
    assert found.step.prompt == "Ilse and Mara are placing cards."
    assert {z.id for z in found.zones if z.area == "seat"} == {"hand-of-0", "hand-of-1"}
    faces = {p.place for z in found.zones for p in z.pieces if p.kind == "face"}
    assert faces == {"base-L1", "base-C1", "base-R1"}


def test_a_finished_match_of_reveal_names_the_winner() -> None:
    match = play_moves(Match("reveal", 2, {"end": "hands(1)"}, SEED, deal_of({})))
    play_rows_unchanged(match)
    play_moves(match, (0, "choose L"), (1, "choose C"), (1, "confirm"), (0, "confirm"))
    found = table(match)
    assert found.over
    assert found.result == "Mara wins, 3 to 0."
    assert [row.winner for row in found.scores] == [False, True]
    assert found.slips
    assert not found.step.choices
