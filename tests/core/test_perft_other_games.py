"""Numbers of action sequences in the other four games, counted by hand."""

from __future__ import annotations

from itertools import accumulate, pairwise
from operator import mul

import pytest

from facedown.check.random_matches import SITTERS
from facedown.core.match import Match
from facedown.core.perft import perft
from facedown.core.seeds import seed_from_text
from facedown.games.scout.info import card_kind

SEED = seed_from_text("perft")


def counts(match: Match, depth: int) -> list[int]:
    return [perft(match.game, match.state, d) for d in range(depth + 1)]


def products(*factors: int) -> list[int]:
    return list(accumulate(factors, mul, initial=1))


def uncovered_counts(seats: int) -> list[int]:
    """Return counts for Uncovered!: a turn is one of 4·4 swaps with each other player, or ends the match: 16(N - 1) +
    1.
    """
    there = 16 * (seats - 1)
    return [1, there + 1, there * (there + 1), there * there * (there + 1)]


@pytest.mark.parametrize(
    ("name", "seats", "options", "expected"),
    [
        # No card matters before the end. In row 1 each player swaps any 0 or 1 of 3 cards (4 ways), then places 3 cards
        # in 3 columns (6 ways); in row 2 any 0 to 2 (7 ways). Both choose, the lowest seat first.
        ("reveal", 2, {}, products(4, 4, 6, 6, 7, 7)),
        # Two columns of one row: any 0 or 1 of 2 cards to swap (3 ways), 2 orders to place them in, 2 columns in
        # secret.
        (
            "reveal",
            2,
            {"layout": "small(2,1)", "deck": "custom(2,4,2)", "final_mode": "sealed", "end": "hands(1)"},
            [*products(3, 3, 2, 2, 2, 2), 0],
        ),
        # In stage one players need not follow suit, and both draw a bone after each trick: always 7 bones to lead, 7 to
        # reply.
        ("reveille", 2, {}, products(7, 7, 7, 7, 7)),
        # Three bones each and two in the boneyard: 3 bones to lead, 3 to reply, and the match is over.
        ("reveille", 2, {"stages": "tricks(3,1)"}, [*products(3, 3), 0]),
        # Two bones each and four in the boneyard: two tricks of 2 bones to lead and 2 to reply, and the match is over.
        pytest.param("reveille", 2, {"stages": "first(2)"}, [*products(2, 2, 2, 2), 0], marks=pytest.mark.slow),
        # Two by two cells, a turn each. There are 6 pairs to open. A turn begins with one of 5 actions: take the
        # discard into one of 4 cells, or draw. After a draw there are 6 actions: keep the card in one of 4 cells, or
        # flip one of 2 face-down cards. The fourth card is never flipped. The second player's turn ends the match. The
        # counts after the opening are:
        #
        # * 5 first actions;
        # * 4 takes and 5 more, or a draw and 6;
        # * 4 takes, a draw and 6, or a draw, 6 and 5;
        # * a draw, 6, a draw and 6.
        (
            "detect",
            2,
            {"grid": "small(2,2,1)"},
            [1, 6, 36, 36 * 5, 36 * (4 * 5 + 6), 36 * (4 * 6 + 6 * 5), 36 * 6 * 6, 0],
        ),
        ("uncovered", 2, {"turning": "off"}, uncovered_counts(2)),
        ("uncovered", 3, {"turning": "off"}, uncovered_counts(3)),
        ("uncovered", 6, {"turning": "off"}, uncovered_counts(6)),
    ],
)
def test_perft_counts_of_the_first_moves_of_a_match_equal_counts_by_hand(
    name: str, seats: int, options: dict[str, str], expected: list[int]
) -> None:
    assert counts(Match(name, seats, options, SEED), len(expected) - 1) == expected


def test_perft_counts_of_an_alternating_final_round_of_reveal_equal_counts_by_hand() -> None:
    """Final round, one action a turn. P0 has 3 columns, each with or without confirming: 6. P1 likewise, 6.

    If P0 has confirmed (3 ways), P1 plays alone. Counted from the final round: 1, 6, 6·6.
    """
    match = Match("reveal", 2, {"final_mode": "alternate"}, SEED)
    while match.table(match.acting[0]).phase != "final":
        match.play(match.acting[0], match.legal(match.acting[0])[0])
    assert counts(match, 2) == products(6, 6)


def sets_in(row: list[int]) -> int:
    """Return how many slices of a row are sets: single cards, equal neighbours, or runs that go up or down by one."""
    found = 0
    for first in range(len(row)):
        for last in range(first, len(row)):
            steps = {b - a for a, b in pairwise(row[first : last + 1])}
            found += not steps or (len(steps) == 1 and steps <= {-1, 0, 1})
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_perft_counts_up_to_the_first_show_in_scout_equal_counts_by_hand(seats: int) -> None:
    """Each seat keeps or flips its hand: 2 ways each. Then the starter shows any set of the row that it chose.

    The other players' flips do not matter to it: half of all sequences use the row as dealt, half the other side.
    """
    match = Match("scout", seats, seed=SEED, first=0)
    hand = next(z for z in match.table(0, SITTERS[:seats]).zones if z.area == "hand")
    cards = [piece.face.split("/") for piece in hand.pieces]
    assert len(cards) == {2: 11, 3: 12, 5: 9}[seats]
    ups, downs = [int(up) for up, _ in cards], [int(down) for _, down in cards]
    last = 2 ** (seats - 1) * (sets_in(ups) + sets_in(downs))
    assert counts(match, seats + 1) == [*(2**n for n in range(seats + 1)), last]


def test_perft_counts_of_scout_with_two_cards_per_player_equal_counts_by_hand() -> None:
    """Hands 1 3 (or 6 8) and 2 4 (or 7 9) without a pair.

    First each player keeps or flips the hand, and then the starter shows one of two cards: 2·2·2 sequences.

    * The reply is a Show of a higher card. In the four flips there are 2 and 1, 2 and 2, none, 2 and 1 of them, so 10.
      Or the reply is a Scout of the shown card, turned or not, to one of 3 places: 8·6.
    * After such a Show, the starter's last card may be higher (2 of 10), or the starter scouts to one of 2 places,
      turned or not: 10·4.
    * After a Scout there is no set to beat. The scouted 1, 6, 3 or 8 is put at each place of the hand 2 4, which makes
      11 + 9 + 14 + 9 sets in all. For the hand 7 9 there are as many. Each of these sets is reached in two ways.
    """
    options = {"hands": "small(2,1)", "deck": "custom(1/6 2/7 3/8 4/9)"}
    cards = [card_kind(word) for word in ("1/6", "3/8", "2/7", "4/9")]
    match = Match("scout", 2, options, seed=SEED, deal=cards, first=0)
    assert counts(match, 5) == [1, 2, 4, 8, 10 + 8 * 6, 2 + 10 * 4 + 2 * 2 * 43]
