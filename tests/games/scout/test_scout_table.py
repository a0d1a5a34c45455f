"""SCOUT's table: zones, prompts and log, for each viewer."""

from __future__ import annotations

import random
import re

import pytest

from facedown.core.match import Match, move_log_lines
from facedown.core.state import SPECTATOR, copy
from facedown.core.table import Table, Zone
from facedown.games.scout.action_text import action_notation, parse_turn
from tests.games.scout.positions import SITTERS, play_turns, pose
from tests.games.touch_paths import choice_for_touch, step_after_touches, touch_paths_of

HANDS = ["2/7 3/8 4/6 8/2 8/6 8/10 1/5 10/7 9/4", "9/1 9/2", "1/6 1/10", "4/5 3/4"]
ACTIVE = "5/2 6/9 7/3"


def illustrated_match() -> Match:
    """Return the position of the guide's pictures: Noor's run 5 6 7, and three 8s in the viewer's hand."""
    return pose(HANDS, ACTIVE, owner=1, turn=0)


def table_of(m: Match, viewer: int, memory_aid: bool = False) -> Table:
    return m.table(viewer, SITTERS[: m.seats], memory_aid)


def zone(table: Table, name: str) -> Zone:
    return next(z for z in table.zones if z.id == name)


def test_the_scout_table_shows_the_active_set_the_hand_and_each_players_cards_and_coins() -> None:
    table = table_of(illustrated_match(), 0)
    assert table.subtitle == "Round 1 of 4 · your turn"
    active = zone(table, "active")
    assert active.label == "**Noor’s** run: 5 6 7"
    assert [p.face for p in active.pieces] == ["5/2", "6/9", "7/3"]
    assert active.note == "Scout an end card or beat the set."
    hand = zone(table, "hand")
    assert hand.area == "hand"
    assert [p.face for p in hand.pieces if p.kind == "face"] == HANDS[0].split()
    assert [p.place for p in hand.pieces if p.kind == "gap"] == [f"gap-{i}" for i in range(10)]
    assert hand.pieces[2].where == "between the 2 and the 3"
    noor = table.seats[1]
    assert [(b.kind, b.count) for b in noor.badges] == [("cards", 2), ("won", 0), ("coin", 0), ("pennant", 1)]


def test_a_set_touched_at_both_ends_can_be_shown_and_the_result_is_explained() -> None:
    step = table_of(illustrated_match(), 0).step
    assert step.picks == "slice"
    assert step.prompt == "Beat Noor’s 5 6 7 or scout?"
    for ends in (("hand-4", "hand-6"), ("hand-6", "hand-4")):
        asked = step_after_touches(step, *ends)
        assert asked.prompt == "Show three 8s?"
        assert asked.help == "Three of a kind beats a run of three. You win Noor’s three cards."
        chosen = choice_for_touch(asked, "show")
        assert (chosen.button, chosen.primary) == ("Show 8 8 8", True)
        assert action_notation(chosen.action or 0) == "show 4-6"
    refusals = dict(step.refusals)
    assert refusals["hand-9"] == "A run of two doesn’t beat a run of three."
    assert refusals["active-2"] == "You can scout only the left or right card of a set."


def test_a_card_touched_to_scout_it_can_be_turned_and_put_into_any_gap_of_the_hand() -> None:
    step = table_of(illustrated_match(), 0).step
    asked = step_after_touches(step, "active-1")
    assert asked.prompt == "Where does the 5 go?"
    assert choice_for_touch(asked, "gap-3").says == "2 3 4 5"
    asked = step_after_touches(asked, "gap-3")
    assert asked.prompt == "Put the 5 here? That makes 2 3 4 5."
    assert asked.help == "You can still choose another gap or turn the card."
    turn = choice_for_touch(asked, "turn")
    assert (turn.button, turn.face) == ("Turn to 2", "2/5")
    chosen = choice_for_touch(asked, "scout")
    assert (chosen.button, action_notation(chosen.action or 0)) == ("Scout (Noor gets a coin)", "scout left kept at 3")
    turned = step_after_touches(asked, "turn")
    assert turned.prompt == "Put the 2 here?"
    assert action_notation(choice_for_touch(turned, "scout").action or 0) == "scout left turned at 3"


def test_the_turn_scout_and_show_is_played_as_two_moves_and_logged_in_one_line() -> None:
    m = illustrated_match()
    step = table_of(m, 0).step
    asked = step_after_touches(step, "scout-and-show", "active-3", "gap-0")
    assert choice_for_touch(asked, "scout").button == "Scout (Noor gets a coin), then show"
    told: list[str] = []
    for action in parse_turn("scout right kept at 0 and show 5-7"):
        before = copy(m.state)
        m.play(0, action)
        told += [line.text for line in move_log_lines(m.game, before, m.state, m.moves[-1], 2, SITTERS[:4])]
    assert list(m.state.hand[:4]) == [7, 2, 2, 2]
    assert told == [
        (
            "**Ana** used Scout and Show, taking the **7/3** from the right end of Noor’s set and showing **8 8 8**. "
            "Won 2 cards."
        )
    ]
    m = illustrated_match()
    m.play(0, parse_turn("scout right kept at 0 and show 5-7")[0])
    table = table_of(m, 0)
    assert (table.phase, table.step.prompt) == ("show", "Now show something that beats 5 6.")
    assert all(path[-1] == "show" for path, _ in touch_paths_of(table.step))
    waiting = table_of(m, 1)
    assert waiting.step.prompt == "Ana has scouted and will now show a set."
    assert not waiting.step.choices


def test_the_scout_and_show_button_is_disabled_with_a_reason_if_the_move_is_impossible() -> None:
    m = pose(["1/7", *HANDS[1:]], "5/2 6/9 7/3 8/2 9/4", owner=1)
    grey = choice_for_touch(table_of(m, 0).step, "scout-and-show")
    assert grey.refuses == "Whichever card you scout, nothing in your hand would beat what’s left of the set."
    assert grey.action is None
    spent = copy(m.state)
    spent.marker[0] = 0
    m.state = spent
    assert all(c.touch != "scout-and-show" for c in table_of(m, 0).step.choices)


def test_only_the_owner_of_a_hand_sees_both_its_sides_when_choosing_whether_to_flip_it() -> None:
    m = Match("scout", 4, seed=bytes(32), first=1)
    table = table_of(m, 0)
    assert table.step.prompt == "Which way up will you play this hand?"
    kept, flipped = zone(table, "keep"), zone(table, "flip")
    assert [p.face for p in flipped.pieces] == ["/".join(reversed(p.face.split("/"))) for p in kept.pieces]
    assert kept.marks == ("option",)
    assert re.fullmatch(r"no sets|1 set of \d+ cards|\d+ sets, the longest with \d+ cards", kept.note)
    for each in (kept, flipped):
        numbers = [int(p.face.split("/")[0]) for p in each.pieces]
        for first, last, name in each.spans:
            assert (name in {"pair", "run"}) == (last == first + 1)
            assert len({b - a for a, b in zip(numbers[first:last], numbers[first + 1 :], strict=False)}) == 1
    asked = step_after_touches(table.step, "flip")
    assert (choice_for_touch(asked, "play-flipped").button, choice_for_touch(asked, "play-flipped").primary) == (
        "Play flipped",
        True,
    )
    assert table.panels[0].data["text"] == "**Noor** will play first"
    play_turns(m, "flip")
    assert [p.face for p in zone(table_of(m, 0), "hand").pieces] == [p.face for p in flipped.pieces]
    assert table_of(m, 0).seats[0].state == "has chosen"
    for viewer in (1, 2, 3, SPECTATOR):
        assert {p.kind for p in zone(table_of(m, viewer), "fan-0").pieces} == {"back"}


def test_other_players_see_a_scout_hand_face_down_and_its_known_cards_only_with_memory_aid() -> None:
    m = illustrated_match()
    play_turns(m, "scout left kept at 5")
    for viewer in (1, 2, 3, SPECTATOR):
        fan = zone(table_of(m, viewer), "fan-0")
        assert [(p.kind, p.face, p.name) for p in fan.pieces] == [("back", "", "face down")] * 10
        assert fan.note == ""
        assert zone(table_of(m, viewer, memory_aid=True), "fan-0").note == "has 2/5"


def test_after_a_round_of_scout_the_table_explains_scores_and_shows_which_players_are_ready() -> None:
    m = pose(["9/1", "8/2 8/3", "2/3 2/4"], "4/5", owner=1)
    m.state.coins[1] = 2
    play_turns(m, "show 1")
    table = table_of(m, 2)
    assert table.step.prompt == "Ana has the most points this round: 1."
    assert table.step.help.startswith("Ana showed their last card.")
    assert [slip.points for slip in table.slips] == ["1", "0", "−2"]
    assert table.slips[0].sum == "**1 + 0 − 0 = 1.** Ana went out, so no cards are left in hand."
    assert table.slips[1].sum == "**0 + 2 − 2 = 0.**"
    assert table.slips[0].title == "went out"
    assert choice_for_touch(table.step, "continue").button == "Continue to round 2"
    assert table.scores_title == "After round 1 of 3"
    play_turns(m, "continue")
    assert table.seats[0].state == "looking at the cards"
    assert table_of(m, 2).seats[0].state == "ready for the next round"


def test_at_the_end_of_a_scout_match_all_cards_are_face_up() -> None:
    m = Match("scout", 2, seed=bytes([3]) * 32)
    lot = random.Random(1)
    while not m.over:
        assert not any(table_of(m, viewer).step.choices for viewer in {0, 1, SPECTATOR} - set(m.acting))
        places = [piece.place for z in table_of(m, 0).zones for piece in z.pieces]
        assert len(places) == len(set(places))
        m.play(m.acting[0], lot.choice(m.legal(m.acting[0])))
    table = table_of(m, SPECTATOR)
    assert table.result
    assert table.over
    assert all(p.kind == "face" for z in table.zones if z.id.startswith("fan") for p in z.pieces)
    assert m.log(SPECTATOR, SITTERS[:2])[-1].text == f"**{table.result}**"


@pytest.mark.parametrize(
    "text", ["show 0-1", "scout middle kept at 1", "scout left kept at 99", "show 1-12", "scout left"]
)
def test_text_of_an_invalid_scout_turn_raises_an_error_when_parsed(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        parse_turn(text)
