"""The worked cases of Detect: those of `worked_cases.toml`, and cases about dealing, scoring and views."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from facedown.core.hidden_cards import redeal, shown_view
from facedown.core.match import IllegalMove, Match
from facedown.core.state import EVERYONE, SPECTATOR, UNKNOWN
from facedown.core.table import Sitter
from facedown.games.detect import rules
from facedown.games.detect.cards import HIGHEST, kind_of, number_of
from facedown.games.detect.rules import CELLS, DRAWN_SLOT, SLOTS, STOCK, Phase
from facedown.games.detect.view import cell_word
from tests.games.case_files import step_facts, worked_cases

SITTERS = [Sitter("Noor"), Sitter("Iris"), Sitter("Theo")]
CELL = {cell_word(cell): cell for cell in range(CELLS)}


def match(seats: int, deal: list[int] | None = None, first: int = 0, **options: str) -> Match:
    """Return a match whose first cards are the given numbers, in deal order."""
    return Match("detect", seats, options, seed=bytes(32), deal=[kind_of(n) for n in deal or []], first=first)


def put_card(m: Match, seat: int, cell: int, number: int, up: bool) -> None:
    """Put another card into a cell."""
    slot = seat * CELLS + cell
    m.state.card[slot] = kind_of(number)
    m.state.known[slot] = EVERYONE if up else 0
    bit = 1 << cell
    m.state.up[seat] = int(m.state.up[seat]) | bit if up else int(m.state.up[seat]) & ~bit


def put_columns(m: Match, columns: dict[str, str]) -> None:
    """Put columns as the cases write them, by seat and letter: ``{"0c": "9 9 (1)"}``."""
    for (seat, letter), numbers in columns.items():
        for row, word in enumerate(numbers.split()):
            put_card(m, int(seat), 3 * "abcd".index(letter) + row, int(word.strip("()")), not word.startswith("("))


def at_turn(seats: int = 2, seat: int = 0, **options: str) -> Match:
    """Return a match at the start of `seat`'s turn: all cells are face down except two that complete no set."""
    m = match(seats, first=0, **options)
    for each in range(seats):
        m.play(each, m.game.words.parse("open a1 b1"))
    for each in range(seats):
        columns = {"a": "5 (6) (7)", "b": "6 (7) (8)", "c": "(1) (2) (3)", "d": "(3) (4) (5)"}
        put_columns(m, {f"{each}{letter}": numbers for letter, numbers in columns.items()})
    m.state.turn = seat
    m.state.acting = 1 << seat
    return m


def play_words(m: Match, *moves: str) -> None:
    for move in moves:
        m.play(m.acting[0], m.game.words.parse(move))


def test_the_detect_deck_has_150_cards_with_sum_760() -> None:
    counts = match(8).game.deck(8, {})
    assert int(counts.sum()) == 150
    total = sum(number_of(kind) * int(n) for kind, n in enumerate(counts))
    assert total == 760
    assert round(total / 150, 4) == 5.0667
    m = match(8)
    assert (int(m.state.draw_count), int(m.state.discard_count)) == (53, 1)


def match_after_opening(sums: list[tuple[int, int]], dealer: int) -> Match:
    m = match(len(sums), first=dealer)
    for seat, (a, b) in enumerate(sums):
        m.state.card[seat * CELLS] = kind_of(a)
        m.state.card[seat * CELLS + 1] = kind_of(b)
    for seat in range(len(sums)):
        m.play(seat, m.game.words.parse("open a1 a2"))
    return m


def test_player_with_the_highest_open_cards_starts_or_if_tied_the_first_after_the_dealer() -> None:
    assert match_after_opening([(7, 5), (12, 0), (3, 8), (9, 3)], dealer=1).acting == [3]
    assert match_after_opening([(-2, -1), (0, -2)], dealer=0).acting == [1]


CASES = worked_cases("detect")


def fact(m: Match, name: str, wanted: Any) -> Any:
    """Return the fact that a case asks for, in the form of `wanted`."""
    state, words = m.state, [m.game.words.words(action) for seat in m.acting[:1] for action in m.legal(seat)]

    def shown(slot: int, viewer: int) -> int | str:
        kind = int(shown_view(state, viewer).card[slot])
        return "?" if kind == UNKNOWN else number_of(kind)

    match name:
        case "discards":
            top = SLOTS - state.discard_count
            return [number_of(int(kind)) for kind in state.card[top : top + len(wanted)][::-1]]
        case "gone":
            return "".join(letter for at, letter in enumerate("abcd") if state.gone[0] >> 3 * at & 7 == 7)
        case "phase":
            return Phase(state.phase).name
        case "grid":
            return {cell: shown(CELLS * int(cell[0]) + CELL[cell[1:]], int(cell[0])) for cell in wanted}
        case "scores" | "raws":
            return (state.score if name == "scores" else state.raw)[: m.seats].tolist()
        case "legal":
            return words
        case "verbs":
            return Counter(word.split()[0] for word in words)
        case "drawn":
            return [shown(DRAWN_SLOT, viewer) for viewer in (0, 1, SPECTATOR)]
        case "acting":
            return m.acting
    return getattr(state, name)


@pytest.mark.parametrize("title", CASES)
def test_each_worked_case_of_the_detect_rules_has_the_expected_result(title: str) -> None:
    case = CASES[title]
    m = at_turn(case.get("seats", 2), case.get("seat", 0), **case.get("options", {}))
    put_columns(m, case.get("columns", {}))
    if "top" in case:
        m.state.card[SLOTS - m.state.discard_count] = kind_of(case["top"])
    for step in case["steps"]:
        put_columns(m, step.get("columns", {}))
        if "next" in step:
            m.state.card[STOCK + m.state.draw_count - 1] = kind_of(step["next"])
        play_words(m, *step.get("say", ()))
        if "end" in step:
            m.state.ender = step["end"]
            rules.end_round(m.state)
        for wanted in step.get("at", ()):
            assert step_facts(m, SITTERS, wanted) == wanted
        wanted = {name: value for name, value in step.items() if name not in ("columns", "next", "say", "end", "at")}
        assert {name: fact(m, name, value) for name, value in wanted.items()} == wanted


def cards_summing(positive: int, negative: int = 0) -> list[int]:
    """Return twelve numbers with these sums above and below zero."""
    return [negative, *(max(0, min(HIGHEST, positive - HIGHEST * card)) for card in range(11))]


def finished_round(raws: list[tuple[int, int]], ender: int = 0, **options: str) -> Match:
    """Return the end of a round with given sums above and below zero; no set is removed from the grids."""
    m = at_turn(len(raws), seat=(ender + len(raws) - 1) % len(raws), set_on_final_reveal="no", **options)
    for seat, (positive, negative) in enumerate(raws):
        for cell, number in enumerate(cards_summing(positive, negative)):
            put_card(m, seat, cell, number, True)
    m.state.ender = ender
    rules.end_round(m.state)
    assert [int(m.state.raw[s]) for s in range(len(raws))] == [p + n for p, n in raws]
    return m


DOUBLING = [
    # ender (above, below zero), others, default, ender_tie=doubled, double_scope=positive_cards
    ((14, 0), [(13, 0), (20, 0)], 28, 28, 28),
    ((9, 0), [(12, 0), (15, 0)], 9, 9, 9),
    ((10, 0), [(10, 0), (30, 0)], 10, 20, 10),
    ((0, 0), [(0, -1), (5, 0)], 0, 0, 0),
    ((0, -3), [(0, -5), (4, 0)], -3, -3, -3),
    ((20, -4), [(15, 0), (40, 0)], 32, 32, 36),
    ((3, -5), [(0, -4), (40, 0)], -2, -2, 1),
]


@pytest.mark.parametrize(("ender", "others", "default", "tie_doubled", "positive"), DOUBLING)
def test_points_of_the_player_who_ended_the_round_are_doubled_unless_lowest(
    ender: tuple[int, int], others: list[tuple[int, int]], default: int, tie_doubled: int, positive: int
) -> None:
    expected: list[tuple[dict[str, str], int]] = [
        ({}, default),
        ({"ender_tie": "doubled"}, tie_doubled),
        ({"double_scope": "positive_cards"}, positive),
    ]
    for options, score in expected:
        m = finished_round([ender, *others], **options)
        assert int(m.state.score[0]) == score, options
        assert [int(m.state.score[s]) for s in (1, 2)] == [p + n for p, n in others], "others are never doubled"


@pytest.mark.parametrize(("raw", "scores"), [((12, 9, 15), [12, 9, 15]), ((8, 9, 15), [8, 18, 15])])
def test_only_a_player_who_ended_the_round_without_the_lowest_sum_gets_doubled_points(
    raw: tuple[int, int, int], scores: list[int]
) -> None:
    m = finished_round([(n, 0) for n in raw], ender=1)
    assert [int(m.state.score[s]) for s in range(3)] == scores


def test_with_an_empty_discard_pile_drawing_is_the_only_action() -> None:
    m = match(2, initial_discard="empty")
    play_words(m, "open a1 a2", "open a1 a2")
    assert [m.game.words.words(a) for a in m.legal(m.acting[0])] == ["draw"]


def match_after_round(totals: list[int], scores: list[int], **options: str) -> Match:
    m = finished_round([(s, 0) for s in scores], ender=scores.index(min(scores)), **options)
    for seat, (total, score) in enumerate(zip(totals, scores, strict=True)):
        m.state.total[seat] = total + score
    m.state.over = 0
    m.state.acting = (1 << len(totals)) - 1
    rules.end_match_if_over(m.state)
    return m


def winners(m: Match) -> list[int]:
    scores = m.game.returns(m.state)
    return [seat for seat, score in enumerate(scores) if score == max(scores)]


def test_a_match_ends_at_100_points_and_the_lowest_total_wins() -> None:
    m = match_after_round([95, 60, 80], [5, 30, 12])
    assert m.over
    assert [-int(r) for r in m.game.returns(m.state)] == [100, 90, 92]
    assert winners(m) == [1]
    m = match_after_round([99, 40, 40], [1, 20, 20])
    assert m.over
    assert winners(m) == [1, 2]

    m = match_after_round([99, 40, 40], [1, 20, 20], tie="extra_round")
    assert not m.over
    assert m.acting == [0, 1, 2]
    assert int(m.state.playing_off) == 1


# --- options, limits and views ----------------------------------------------------------------------------------------


def test_option_opening_pick_can_flip_two_random_cards_of_each_player() -> None:
    m = match(4, opening_pick="random")
    assert all(int(m.state.up[s]).bit_count() == 2 for s in range(4))
    assert len(m.acting) == 1


def test_option_later_start_can_let_the_player_who_ended_a_round_start_the_next() -> None:
    starts = []
    for later_start in ("contest", "ender"):
        m = finished_round([(9, 0), (12, 0), (15, 0)], ender=0, later_start=later_start)
        play_words(m, "continue", "continue", "continue")
        for seat in range(3):
            m.state.card[seat * CELLS] = kind_of(12 if seat == 2 else -2)
            m.state.card[seat * CELLS + 1] = kind_of(12 if seat == 2 else -2)
        play_words(m, "open a1 a2", "open a1 a2", "open a1 a2")
        starts.append(m.acting)
    assert starts == [[2], [0]]


def test_a_custom_deck_is_used_in_the_deal() -> None:
    m = match(2, deck="custom(1:20 3:6)")
    assert int(m.state.draw_count) == 26 - 24 - 1
    assert {number_of(int(k)) for k in m.state.card if k < 30} == {1, 3}


def rebuilt(**given: Any) -> Match:
    """Return a match for two whose draw pile was just rebuilt, because each player discarded what they drew."""
    m = match(2, **given)
    play_words(m, "open a1 b1", "open a1 b1")
    while not int(m.state.rebuilt):
        play_words(m, "draw")
        if not int(m.state.rebuilt):
            m.play(m.acting[0], next(a for a in m.legal(m.acting[0]) if m.game.words.words(a).startswith("throw")))
    return m


def test_an_empty_draw_pile_is_rebuilt_from_all_discards_but_the_top_card() -> None:
    m = rebuilt(deck="custom(1:20 3:8)")
    assert int(m.state.rebuilt) == 1
    assert int(m.state.discard_count) == 1


def test_a_round_at_its_turn_limit_is_scored_and_no_players_points_are_doubled() -> None:
    m = match(2)
    play_words(m, "open a1 a2", "open a1 a2")
    turns = 0
    while int(m.state.phase) != Phase.SCORING:
        play_words(m, "take a1")
        turns += 1
    assert turns == rules.TURN_CAP * 2
    assert int(m.state.ender) == -1
    assert all(int(m.state.score[s]) == int(m.state.raw[s]) for s in (0, 1))
    assert not m.over


def test_a_match_at_its_round_limit_has_no_winner() -> None:
    m = finished_round([(0, 0), (0, 0)])
    m.state.round_number = rules.ROUND_CAP
    m.state.over = 0
    rules.end_match_if_over(m.state)
    assert m.abandoned
    assert m.game.returns(m.state) == [0.0, 0.0]


def test_illegal_moves_in_detect_raise_an_error_with_the_reason() -> None:
    m = at_turn()
    for move, reason in (("keep a1", "not allowed now"), ("throw a1", "not allowed"), ("continue", "not allowed")):
        with pytest.raises(IllegalMove, match=reason):
            play_words(m, move)
    with pytest.raises(IllegalMove, match="seat 1 cannot move now"):
        m.play(1, m.game.words.parse("draw"))


def test_views_in_detect_show_face_up_cards_and_the_top_discard_only() -> None:
    m = at_turn(3)
    play_words(m, "draw", "throw a2", "take a1")
    state: Any = m.state
    for viewer in (0, 1, 2, SPECTATOR):
        view = shown_view(state, viewer)
        known = m.known(viewer)
        for seat in range(3):
            for cell in range(CELLS):
                hidden = int(view.card[seat * CELLS + cell]) == UNKNOWN
                assert hidden == (not (int(state.up[seat]) | int(state.gone[seat])) >> cell & 1)
        below = [int(view.card[SLOTS - 1 - i]) for i in range(int(state.discard_count) - 1)]
        assert set(below) == {UNKNOWN}, "below the top of the discard pile nobody looks"
        recalled = [int(known.card[SLOTS - 1 - i]) for i in range(int(state.discard_count))]
        assert UNKNOWN not in recalled, "but everybody has seen it"
        assert not view.key.any()
        assert all(int(view.card[STOCK + i]) == UNKNOWN for i in range(int(state.draw_count)))


def test_a_secret_opening_choice_is_visible_to_its_owner_only() -> None:
    m = match(3)
    m.play(1, m.game.words.parse("open b2 c3"))
    assert int(m.known(1).sealed[1]) == m.game.words.parse("open b2 c3")
    for viewer in (0, 2, SPECTATOR):
        assert int(m.known(viewer).sealed[1]) == -2


def test_redeals_of_unknown_cards_put_no_card_of_a_rebuilt_draw_pile_into_the_grids() -> None:
    """After a rebuild the discards are in the draw pile, not in the grids, which were dealt before."""
    m = rebuilt(deck="custom(1:25 3:1 4:1)", deal=[1] * 24 + [3, 4])
    for number in range(50):
        world = redeal(m.known(0), np.full(8, number, np.uint32))
        under = [int(world.card[s * CELLS + c]) for s in (0, 1) for c in range(CELLS)]
        for kind in (kind_of(3), kind_of(4)):
            assert kind not in under or kind in m.state.card[: 2 * CELLS].tolist()
