"""Tests of Kuhn poker. Run them with ``pytest`` where Facedown and this package are installed."""

from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from facedown.check.golden_playthroughs import changed_playthrough_titles
from facedown.core.match import Match
from facedown.core.perft import perft
from facedown.core.state import SPECTATOR, UNKNOWN
from facedown_kuhn.bot import greedy
from facedown_kuhn.info import CARDS
from facedown_kuhn.rules import BET, CALL, CHECK, CONTINUE, FOLD, SCORING

GOLDEN = Path(__file__).with_name("golden")


def match_with_cards(cards: str, hands: int = 1) -> Match:
    """Return a match whose first hand is dealt from `cards`; the first seat starts."""
    kinds = [CARDS.index(card) for card in cards]
    return Match("kuhn", 2, {"end": f"hands({hands})"}, bytes(32), kinds, first=0)


def match_after(cards: str, *moves: str) -> Match:
    match = match_with_cards(cards)
    for move in moves:
        match.play(match.acting[0], match.game.words.parse(move))
    return match


@pytest.mark.parametrize(
    ("cards", "moves", "won"),
    [
        ("KQ", "check check", 1),
        ("JQ", "check check", -1),
        ("KQ", "bet call", 2),
        ("QK", "bet call", -2),
        ("JK", "bet fold", 1),
        ("KJ", "check bet fold", -1),
        ("QJ", "check bet call", 2),
        ("QK", "check bet call", -2),
    ],
)
def test_every_sequence_of_moves_in_a_hand_of_kuhn_poker_has_the_expected_payoffs(
    cards: str, moves: str, won: int
) -> None:
    match = match_after(cards, *moves.split())
    assert match.over
    assert match.returns == [won, -won]


def test_cards_are_shown_after_a_call_and_hidden_after_a_fold() -> None:
    assert list(match_after("KQ", "bet", "call").shown(SPECTATOR).card) == [2, 1, UNKNOWN]
    assert list(match_after("KQ", "bet", "fold").shown(SPECTATOR).card) == [UNKNOWN] * 3


def test_players_of_kuhn_poker_alternate_in_starting_the_hands() -> None:
    match = match_with_cards("KQ", 2)
    for seat, action in ((0, BET), (1, FOLD), (1, CONTINUE)):
        match.play(seat, action)
    assert match.acting == [0]
    match.play(0, CONTINUE)
    assert match.acting == [1]
    assert not match.over
    match.play(1, CHECK)
    match.play(0, CHECK)
    assert match.over


def test_perft_counts_of_kuhn_poker_equal_those_of_a_formula_derived_by_hand() -> None:
    """A hand has five possible courses. Three take two moves (check check, bet fold, bet call), two take three (check
    bet fold, check bet call). Then both players continue, the lower seat first: 3 courses have 4 moves and 2 have 5.
    There are 1, 2, 4, 5 and 2 sequences of 0 to 4 moves that do not reach the next hand. So f(d) = within(d) + 3 f(d −
    4) + 2 f(d − 5).
    """
    within = {0: 1, 1: 2, 2: 4, 3: 5, 4: 2}
    counts: list[int] = []
    for depth in range(16):
        before = [counts[depth - moves] if depth >= moves else 0 for moves in (4, 5)]
        counts.append(within.get(depth, 0) + 3 * before[0] + 2 * before[1])
    match = match_with_cards("KQ", 10)
    assert counts[:7] == [1, 2, 4, 5, 5, 8, 16]
    assert [perft(match.game, match.state, depth) for depth in range(16)] == counts


def bot_probabilities(match: Match, seat: int) -> dict[int, Fraction]:
    """Return the probability of each action of the bot, from three generators whose first draws below 3 are 0, 1 and
    2.
    """
    found: dict[int, int] = {}
    for third in range(3):
        # A state of the quick generator whose first draw below 3 is `third`.
        q = np.array([third * 0x5555_5556 + 1], np.uint64)
        action = int(greedy(match.known(seat), seat, q))
        found[action] = found.get(action, 0) + 1
    return {action: Fraction(count, 3) for action, count in found.items()}


def expected_gain(match: Match) -> Fraction:
    """Return the average gain of the first seat if both seats play like the bot."""
    if match.over:
        return Fraction(int(match.returns[0]))
    seat = match.acting[0]
    total = Fraction(0)
    for action, chance in bot_probabilities(match, seat).items():
        then = match.copy()
        then.play(seat, action)
        total += chance * expected_gain(then)
    return total


def test_the_starting_player_of_two_kuhn_bots_loses_1_18_of_a_chip_as_in_an_equilibrium() -> None:
    """Kuhn's result: against best play the player who starts loses 1/18 of a chip a hand on average."""
    deals = ["".join(cards) for cards in permutations(CARDS)]
    assert sum(expected_gain(match_with_cards(cards)) for cards in deals) / len(deals) == Fraction(-1, 18)


def test_the_kuhn_bot_calls_with_the_king_and_folds_the_jack() -> None:
    assert set(bot_probabilities(match_after("KQ", "check", "bet"), 0)) == {CALL}
    assert set(bot_probabilities(match_after("JQ", "check", "bet"), 0)) == {FOLD}
    assert set(bot_probabilities(match_with_cards("JQ"), 0)) == {BET, CHECK}


def test_kuhn_playthroughs_equal_their_golden_files() -> None:
    """The files are written by ``python -m facedown.check.golden_playthroughs tests/golden kuhn``."""
    assert changed_playthrough_titles(GOLDEN, "kuhn") == []


def test_the_evaluation_function_of_kuhn_poker_recognizes_the_end_of_a_hand_and_the_winner() -> None:
    match = match_with_cards("KQ", 2)
    match.play(0, BET)
    assert not match.game.evaluation.round_is_terminal(match.state)
    match.play(1, CALL)
    assert match.state.phase == SCORING
    values = np.zeros(2)
    match.game.evaluation.evaluate(match.state, values)
    assert values.tolist() == [1, 0]
