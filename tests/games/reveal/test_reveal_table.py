"""Reveal's table: what stands where, what may be touched, what is said and to whom."""

from __future__ import annotations

import json
import random

import pytest

from facedown.check.random_matches import play_randomly, random_match
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Piece, Table, TouchStep
from facedown.games.reveal.action_text import action_notation, parse
from facedown.games.reveal.rules import Act
from tests.games.reveal.positions import SEED, SITTERS, card_kind, cards, column, deal_of, keep_and_lay, play
from tests.games.touch_paths import button, follow, paths
from tests.not_none import given

ROW = dict(zip((9, 11, 13), cards("R * B"), strict=True))


def table(match: Match, viewer: int = 0) -> Table:
    return match.table(viewer, SITTERS)


def pieces(match: Match, viewer: int = 0) -> dict[str, Piece]:
    return {p.place: p for z in table(match, viewer).zones for p in z.pieces}


def actions(step: TouchStep) -> list[int]:
    """The actions that all paths of a step come to."""
    return [given(choice.action) for _path, choice in paths(step)]


def placing() -> Match:
    return play(Match("reveal", 2, {}, SEED, deal_of(ROW)), (0, "swap none"), (1, "swap none"))


def test_a_choice_of_the_other_seat_is_said_but_not_shown() -> None:
    match = placing()
    play(match, (1, "place R C L"))
    other = placing()
    play(other, (1, "place L C R"))
    assert table(match) == table(other)
    assert table(match).seats[1].state == "has chosen"
    last = follow(table(match).step, "hand-3", "p0-L1", "hand-1", "p0-R1")
    assert last.help == "The wild card goes in the middle. Mara has chosen. You can still rearrange them."
    assert table(match, 1).step.prompt == "Ilse is placing."
    assert not table(match, 1).step.choices
    # Your own cards lie face down, and the hand is empty.
    mine = pieces(match, 1)
    assert [mine[f"p1-{c}1"].kind for c in "LCR"] == ["back"] * 3
    assert [mine[f"hand-{i}"].kind for i in (1, 2, 3)] == ["slot"] * 3


def test_the_final_round_shows_where_everybody_stands() -> None:
    match = keep_and_lay(Match("reveal", 2, {}, SEED))
    play(match, (0, "choose L"), (1, "choose C"), (1, "confirm"))
    assert table(match).seats[1].state == "confirmed, middle"
    found = pieces(match)
    assert (found["end0-L"].kind, found["end0-L"].tag) == ("back", "you")
    assert (found["end1-C"].tag, found["end1-C"].marks) == ("Mara", ("chosen", "end", "confirmed"))
    assert found["end0-C"].kind == "slot"
    assert "final-0" not in found
    chosen = {z.group for z in table(match).zones if "chosen" in z.marks}
    assert chosen == {"L", "C"}


def test_the_column_already_chosen_is_not_lit_and_all_else_is_offered(seed: int) -> None:
    rnd = random.Random(seed)
    missing = 0
    for _ in range(60):
        match = random_match("reveal", rnd)
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
def test_other_final_rounds_ask_before_they_send(mode: str) -> None:
    match = keep_and_lay(Match("reveal", 2, {"final_mode": mode}, SEED))
    step = table(match).step
    assert all(len(path) == 2 for path, _ in paths(step))
    assert {action_notation(action) for action in actions(step)} == {
        action_notation(action) for action in match.legal(0)
    }
    if mode == "sealed":
        play(match, (0, "choose R"))
        assert pieces(match)["end0-R"].marks == ("chosen", "end", "confirmed")
        assert pieces(match, 1)["end0-R"].kind == "slot"
        assert pieces(match, 1)["final-0"].kind == "back"
        assert table(match).step.help == "You’ve chosen. Waiting for the other player."
    else:
        assert not table(match, 1).step.choices
        play(match, (0, "choose R"), (1, "choose R"))
        assert button(table(match).step, "stay").action == parse("choose R")


def picture() -> Match:
    """The hand of the picture: Ilse has the left column with reds, Mara the middle with blues."""
    fixed = column("R Y R", "G R R", "R P Y", 0) | column("B * G", "B B K", "O W B", 1, seat=1)
    fixed |= {27: card_kind("*"), 28: card_kind("P")}
    match = keep_and_lay(Match("reveal", 2, {}, SEED, deal_of(fixed)))
    return play(match, (0, "choose L"), (1, "choose C"), (1, "confirm"), (0, "confirm"))


def test_the_scoring_slips_are_those_of_the_picture() -> None:
    found = table(picture())
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
    assert [s.seat for s in table(picture(), 1).slips] == [1, 0]
    faded = {z.group for z in found.zones if z.group and all("faded" in p.marks for p in z.pieces)}
    assert faded == {"R"}
    assert all(p.kind == "face" for z in found.zones for p in z.pieces)


def test_the_four_steps_are_data_that_names_places_on_the_table() -> None:
    found = table(picture())
    panel = next(p for p in found.panels if p.id == "reveal-steps")
    steps = panel.data["steps"]
    assert len(steps) == 4
    on_table = {p.place for z in found.zones for p in z.pieces}
    named = [place for step in steps for place in step["places"]]
    assert set(named) <= on_table
    assert len(named) == len(set(named)) == 20
    assert json.loads(json.dumps(steps)) == steps


def test_the_log_tells_the_grand_reveal_step_by_step() -> None:
    lines = [line.text for line in picture().log(0, SITTERS)]
    at = lines.index("Grand Reveal: you chose the left column, Mara chose the middle column.")
    assert lines[at - 1] == "You confirmed the left column."
    assert lines[at + 2 : at + 5] == [
        "Your left side: **green, red, red**; Mara’s middle side: **blue, blue, black**.",
        "Your middle side: **orange, white, blue**; Mara’s left side: **red, pink, yellow**.",
        "Final Cards: **wild** for you, **pink** for Mara.",
    ]
    assert lines[-1] == "You win the hand, 6 to 5. You lead 6 to 5."
    assert lines[0].startswith("Base row 1 was revealed: **red, blue, ")
    assert lines[1:3] == ["You swapped no card, Mara none.", "Both placed row 1."]
    public = [line.text for line in picture().log(SPECTATOR, SITTERS)]
    assert public[-1] == "Ilse wins the hand, 6 to 5. Ilse leads 6 to 5."


def test_a_spectator_sees_backs_and_touches_nothing() -> None:
    match = placing()
    found = table(match, SPECTATOR)
    assert not found.step.choices
    assert found.step.prompt == "Ilse and Mara are placing."
    assert {z.id for z in found.zones if z.area == "seat"} == {"hand-of-0", "hand-of-1"}
    faces = {p.place for z in found.zones for p in z.pieces if p.kind == "face"}
    assert faces == {"base-L1", "base-C1", "base-R1"}


def test_a_finished_match_says_who_won() -> None:
    match = play(Match("reveal", 2, {"end": "hands(1)"}, SEED, deal_of({})))
    keep_and_lay(match)
    play(match, (0, "choose L"), (1, "choose C"), (1, "confirm"), (0, "confirm"))
    found = table(match)
    assert found.over
    assert found.result == "Mara wins, 3 to 0."
    assert [row.winner for row in found.scores] == [False, True]
    assert found.slips
    assert not found.step.choices
