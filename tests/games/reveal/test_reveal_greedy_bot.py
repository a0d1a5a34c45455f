"""The greedy bot of Reveal: the moves it chooses."""

from __future__ import annotations

from facedown.core.bot import generator_for
from facedown.core.match import Match
from facedown.games.reveal.action_text import action_notation
from facedown.games.reveal.bots.policy import expected_points, greedy
from tests.games.reveal.positions import SEED, cards, deal_of, play_moves, play_rows_unchanged


def greedy_action(match: Match, seat: int) -> int:
    return int(greedy(match.known(seat), seat, generator_for(1)))


def test_greedy_bot_in_reveal_puts_cards_in_columns_of_their_colour_and_swaps_all_other_cards() -> None:
    fixed = dict(zip(range(3), cards("R B K"), strict=True))
    fixed |= {9: cards("K")[0], 11: cards("G")[0], 13: cards("R")[0]}
    match = Match("reveal", 2, {}, SEED, deal_of(fixed))
    assert action_notation(greedy_action(match, 0)) == "swap 2"
    play_moves(match, (0, "swap none"), (1, "swap none"))
    assert action_notation(greedy_action(match, 0)) == "place R C L"


def test_greedy_bot_in_reveal_chooses_the_best_column_and_confirms_it() -> None:
    fixed = {}
    for row in range(3):
        fixed |= {3 * row: cards("R")[0], 3 * row + 1: cards("WYG"[row])[0], 3 * row + 2: cards("PBK"[row])[0]}
        fixed |= {9 + 6 * row: cards("R")[0], 11 + 6 * row: cards("O")[0], 13 + 6 * row: cards("O")[0]}
    match = play_rows_unchanged(Match("reveal", 2, {}, SEED, deal_of(fixed)))
    assert action_notation(greedy_action(match, 0)) == "choose L"
    play_moves(match, (0, "choose L"))
    assert action_notation(greedy_action(match, 0)) == "confirm"


def test_expected_points_of_a_column_equal_values_computed_by_hand() -> None:
    assert expected_points(3, 6, 0.0, 0.0) == 6.0
    assert expected_points(3, 2, 0.0, 0.0) == 0.0
    assert abs(expected_points(3, 2, 0.5, 0.0) - 1.5) < 1e-12
    assert abs(expected_points(3, 1, 0.0, 0.5) - (3 * 3 / 8 + 4 * 1 / 8)) < 1e-12
    assert abs(expected_points(2, 2, 0.0, 0.5) - (3 * 1 / 2 + 4 * 1 / 4)) < 1e-12
