"""The worked cases of Reveal: those of `worked_cases.toml` and `cases.json`, and cases about dealing and views."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core.match import IllegalMove, Match
from facedown.core.state import SPECTATOR, UNKNOWN, plain_view
from facedown.games.reveal.action_text import action_notation, parse
from facedown.games.reveal.cards import NAMES
from facedown.games.reveal.rules import COLUMNS, FINALS, STOCK, Phase, RevealPosition, side_slot
from facedown.games.reveal.view import column_count
from tests.games.case_files import cases, step_facts, worked_cases
from tests.games.reveal.positions import (
    SEED,
    SITTERS,
    card_kind,
    cards,
    column_slots,
    deal_of,
    deck_index_by_slot,
    hand_at_scoring,
    play_moves,
    play_rows_unchanged,
    row_deck_indices,
    tied_head_to_head,
)


def plain_view_of(match: Match, viewer: int) -> RevealPosition:
    """Return the view shown to a viewer, as tables use it."""
    return plain_view(match.shown(viewer), RevealPosition)


def points(match: Match, seat: int = 0) -> tuple[int, str]:
    """Return points and colour of a seat, after checking that the slip's count agrees."""
    state = match.state
    found = int(state.score[seat])
    colour = int(state.colour[seat])
    count = column_count(plain_view_of(match, seat), seat)
    assert count.points == found
    assert (count.root if found else -1) == colour
    assert not found or count.total_count == found
    return found, NAMES[colour] if colour >= 0 else ""


CASES = worked_cases("reveal")


def fact(match: Match, name: str) -> Any:
    """Return the fact that a case asks for."""
    match name:
        case "phase":
            return Phase(match.state.phase).name
        case "choice" | "swapped":
            (shown,) = {tuple(getattr(match.shown(viewer), name).tolist()) for viewer in (0, 1, SPECTATOR)}
            return list(shown)
        case "legal":
            return [action_notation(action) for action in match.legal(0)]
        case "log":
            return [line.text for line in match.log(0, SITTERS)][-2:]
        case "acting":
            return match.acting
    return getattr(match.state, name)


def play_case_move(match: Match, move: str) -> None:
    """Play a move of a case, such as "0 swap none"."""
    match.play(int(move[0]), parse(move[2:]))


@pytest.mark.parametrize("title", CASES)
def test_each_worked_case_of_the_reveal_rules_has_the_expected_result(title: str) -> None:
    case = CASES[title]
    fixed = dict(zip((side_slot(0, 0, place) for place in range(COLUMNS)), cards(case.get("hand", "")), strict=False))
    fixed |= column_slots(*case["left"], 0) if "left" in case else {}
    match = play_rows_unchanged(Match("reveal", 2, case.get("options", {}), SEED, deal_of(fixed)), case.get("rows", 0))
    for step in case["steps"]:
        before = match.state.tobytes()
        for move, reason in step.get("refused", {}).items():
            with pytest.raises(IllegalMove, match=reason):
                play_case_move(match, move)
        assert match.state.tobytes() == before
        for move in step.get("say", ()):
            play_case_move(match, move)
        for wanted in step.get("at", ()):
            assert step_facts(match, SITTERS, wanted) == wanted
        wanted = {name: value for name, value in step.items() if name not in ("refused", "say", "at")}
        assert {name: fact(match, name) for name in wanted} == wanted


@pytest.mark.parametrize(("options", "rows", "moves", "typed", "reason"), cases("reveal", "reasons"))
def test_illegal_moves_in_reveal_have_the_expected_refusal_reason(
    options: dict[str, str], rows: int, moves: list[tuple[int, str]], typed: str, reason: str
) -> None:
    match = play_moves(play_rows_unchanged(Match("reveal", 2, options, SEED), rows), *moves)
    assert match.game.why_not(match.known(0), parse(typed)) == reason


@pytest.mark.parametrize(("case", "laid", "options", "expected", "colour"), cases("reveal", "columns"))
def test_columns_of_reveal_have_the_expected_points_and_colour(
    case: str, laid: str, options: dict[str, str], expected: int, colour: str
) -> None:
    assert points(hand_at_scoring(laid, **options)) == (expected, colour), case


def test_a_move_that_places_cards_must_name_each_column_exactly_once() -> None:
    with pytest.raises(ValueError, match="“place” needs each of the columns L, C and R once"):
        parse("place L L C")


def test_points_of_a_column_are_split_into_those_of_base_each_side_and_final_card() -> None:
    match = hand_at_scoring("R R B | R G * | R B Y | R")
    assert [column_count(plain_view_of(match, 0), 0).subtotal(part) for part in range(4)] == [2, 2, 1, 1]


def test_equal_points_in_the_same_column_tie_the_hand() -> None:
    match = tied_head_to_head()
    assert points(match, 0) == (6, "orange")
    assert points(match, 1) == (6, "orange")
    table = match.table(0, SITTERS)
    assert table.step.prompt == "The hand is tied, 6 to 6. The match is level at 6."


def grand_reveal(match: Match, viewer: int) -> dict[str, Any]:
    """Return the data of the Grand Reveal for a viewer."""
    (panel,) = match.table(viewer, SITTERS).panels
    return panel.data


def places(match: Match, viewer: int) -> list[set[str]]:
    return [set(step["places"]) for step in grand_reveal(match, viewer)["steps"]]


def all_rows(seat: int, letter: str) -> set[str]:
    return {f"p{seat}-{letter}{row}" for row in (1, 2, 3)}


def test_the_grand_reveal_flips_the_expected_cards_in_each_of_its_four_steps() -> None:
    fixed = column_slots("R R B", "R G *", "R B Y", 0) | column_slots("G W *", "G O K", "W W G", 2, seat=1)
    fixed |= {FINALS: card_kind("R"), FINALS + 1: card_kind("W")}
    match = play_rows_unchanged(Match("reveal", 2, {}, SEED, deal_of(fixed)))
    play_moves(match, (0, "choose L"), (1, "choose R"), (0, "confirm"), (1, "confirm"))
    assert points(match, 0) == (6, "red")
    assert points(match, 1) == (4, "green")
    finals = {"final-0", "final-1"}
    for viewer in (0, 1, 8):
        assert places(match, viewer) == [
            all_rows(0, "C") | all_rows(1, "C"),
            all_rows(0, "L") | all_rows(1, "R"),
            all_rows(0, "R") | all_rows(1, "L"),
            finals,
        ]
    shown = grand_reveal(match, 0)
    assert shown["line"] == "Counting the base alone: 2 and 2."
    assert [(step["line"], step["said"]) for step in shown["steps"]] == [
        (
            "The middle column counts for nobody.",
            "Step 1 of 4. The middle column counts for nobody. The counts stay the same.",
        ),
        ("+2 for you · +1 for Mara", "Step 2 of 4. You: a red and a wild, making four. Mara: a green, making three."),
        ("+1 for you · +1 for Mara", "Step 3 of 4. You: a red, making five. Mara: a green, making four."),
        (
            "You win the hand, 6 to 4.",
            "Step 4 of 4. You: a red, making six. Mara: nothing new. You win the hand, 6 to 4.",
        ),
    ]
    assert grand_reveal(match, 1)["steps"][1]["line"] == "+1 for you · +2 for Ilse"
    assert grand_reveal(match, 8)["steps"][3]["line"] == "Ilse wins the hand, 6 to 4."
    # Moves of both players for all three rows, with swaps.
    said = [step["said"] for step in grand_reveal(tied_head_to_head(), 0)["steps"]]
    assert said[0] == "Step 1 of 3. The left and right columns count for nobody. The counts stay the same."
    assert said[1] == "Step 2 of 3. You: orange now scores best, with five. Mara: orange now scores best, with five."
    assert said[3].startswith("Step 3 of 3. ")
    assert places(tied_head_to_head(), 0) == [
        all_rows(0, "L") | all_rows(0, "R") | all_rows(1, "L") | all_rows(1, "R"),
        all_rows(0, "C") | all_rows(1, "C"),
        set(),
        finals,
    ]


ROW_MOVES = (
    *((0, "swap 2"), (1, "swap 1"), (0, "place L R C"), (1, "place R L C")),
    *((1, "swap 1 3"), (0, "swap none"), (0, "place L C R"), (1, "place C L R")),
    *((0, "swap 1 2 3"), (1, "swap none"), (0, "place L C R"), (1, "place L C R")),
)


def test_reveal_deals_cards_alternately_and_puts_drawn_cards_in_places_of_discarded_ones() -> None:
    dealt = deck_index_by_slot(lambda match: None)
    assert [dealt(slot) for slot in range(9)] == list(range(9))
    for row in range(3):
        first = 9 + 6 * row
        assert row_deck_indices(dealt, 0, row) == [first, first + 2, first + 4]
        assert row_deck_indices(dealt, 1, row) == [first + 1, first + 3, first + 5]
    assert [dealt(FINALS), dealt(FINALS + 1), dealt(STOCK)] == [27, 28, 29]

    index = deck_index_by_slot(lambda match: play_moves(match, *ROW_MOVES))
    assert [sorted(row_deck_indices(index, 0, row)) for row in range(3)] == [[9, 13, 29], [15, 17, 19], [33, 34, 35]]
    assert [sorted(row_deck_indices(index, 1, row)) for row in range(3)] == [[12, 14, 30], [18, 31, 32], [22, 24, 26]]
    # The third row was placed L C R: a drawn card takes the place of the discarded one, the lowest place first.
    assert row_deck_indices(index, 0, 2) == [33, 34, 35]
    assert [index(STOCK + i) for i in range(7)] == [11, 10, 16, 20, 21, 23, 25]
    assert index(STOCK + 7) == 36
    match = play_moves(Match("reveal", 2, {}, SEED), *ROW_MOVES)
    assert int(match.state.live) - STOCK - int(match.state.drawn) == 80


def seen(match: Match, viewer: int, slots: list[int]) -> list[bool]:
    return [bool(match.shown(viewer).card[slot] != UNKNOWN) for slot in slots]


def known(match: Match, viewer: int, slots: list[int]) -> list[bool]:
    return [bool(match.known(viewer).card[slot] != UNKNOWN) for slot in slots]


@pytest.mark.parametrize("peeking", ["off", "on"])
def test_views_in_reveal_show_a_players_own_placed_cards_only_with_option_peeking(peeking: str) -> None:
    """After the first row, P0's row has the cards 9, 29, 13, P1's row has 30, 12, 14, and the discards are 11, 10."""
    match = play_moves(Match("reveal", 2, {"peeking": peeking}, SEED), *ROW_MOVES[:4])
    own = [side_slot(0, 0, c) for c in range(3)]
    theirs = [side_slot(1, 0, c) for c in range(3)]
    hand = [side_slot(0, 1, c) for c in range(3)]
    assert seen(match, 0, list(range(9))) == [True] * 6 + [False] * 3
    assert seen(match, 0, hand) == [True] * 3
    assert seen(match, 0, own) == [peeking == "on"] * 3
    assert known(match, 0, own) == [True] * 3
    for view_of in (seen, known):
        assert view_of(match, 0, theirs) == [False] * 3
        assert view_of(match, 0, [side_slot(1, 1, c) for c in range(3)]) == [False] * 3
        assert view_of(match, 0, [side_slot(0, 2, c) for c in range(3)]) == [False] * 3
        assert view_of(match, 0, [FINALS, FINALS + 1]) == [False] * 2
        assert view_of(match, 8, [*own, *theirs, *hand, STOCK, STOCK + 1]) == [False] * 11
    assert seen(match, 0, [STOCK, STOCK + 1]) == [False] * 2
    assert known(match, 0, [STOCK, STOCK + 1]) == [True, False]
    assert known(match, 1, [STOCK, STOCK + 1]) == [False, True]
    play_moves(match, *ROW_MOVES[4:])
    for view_of in (seen, known):
        assert view_of(match, 0, [side_slot(1, row, c) for row in range(3) for c in range(3)]) == [False] * 9


def test_the_number_of_swapped_cards_is_public_only_after_both_players_chose_their_swap() -> None:
    match = Match("reveal", 2, {}, SEED)
    dealt = match.shown(1).tobytes()
    play_moves(match, (0, "swap 2"))
    view = match.shown(1)
    assert [int(n) for n in view.swapped] == [0, 0]
    assert view.tobytes() != dealt, "that seat 0 has committed can be seen"
    other = play_moves(Match("reveal", 2, {}, SEED), (0, "swap none"))
    assert other.shown(1).tobytes() == view.tobytes(), "but not to what"
    assert match.log(1, SITTERS) == []
    play_moves(match, (1, "swap 1"))
    assert [int(n) for n in match.shown(1).swapped] == [1, 1]
    assert match.log(1, SITTERS)[-1].text == "You swapped 1 card, and Ilse swapped 1."
