"""Bids of bots in Reveille: no bid exceeds the points left by the burnt counters; 42 is for nello."""

from __future__ import annotations

from itertools import product

import pytest

from facedown.bots.levels import LEVELS, bot
from facedown.bots.simple_bots import RandomBot
from facedown.core.match import Match
from facedown.core.rule import python_function
from facedown.games.reveille.bots.policy import POLICY, greedy_play_points, other_hand
from facedown.games.reveille.cards import NELLO
from facedown.games.reveille.rules import BID_OFFSET, HIGHEST_BID, MAX_POINTS, Act, Phase, hand_mask
from tests.games.reveille.test_endgame_bot import REVEILLE, match_at_auction

BIDDERS = [level.key for level in LEVELS if level.key != "random"]
OPTIONS = [{}, {"bid42": "all_tricks"}, {"pass_final": "yes"}, {"must_ruff": "yes"}]


def auction_positions(seed: int, options: dict[str, str], hands: int = 6) -> list[Match]:
    """Return positions of auctions reached by random play."""
    found = []
    for number in range(hands):
        match = match_at_auction(seed + number, options)
        while match.state.phase == Phase.AUCTION:
            found.append(match.copy())
            seat = match.acting[0]
            match.play(seat, RandomBot().choose(REVEILLE, match.known(seat), seat, match.ply + number))
    return found


def bid_points(action: int) -> int:
    """Return the points of a bid; 0 for any other action."""
    return action - BID_OFFSET if Act.BID <= action < Act.TRUMP else 0


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("level", BIDDERS)
def test_no_bot_bids_more_points_than_can_be_won_except_the_highest_bid_of_42(
    level: str, options: dict[str, str], seed: int
) -> None:
    player = bot(level)
    bids = 0
    # One position in eighty tempts a search bot, almost every one a beginner.
    for match in auction_positions(seed, options, hands=10 if level == "beginner" else 80):
        seat = match.acting[0]
        for choice in range(12 if level == "beginner" else 1):
            bid = bid_points(player.choose(REVEILLE, match.known(seat), seat, choice))
            bids += bid > 0
            assert bid <= match.state.offer or bid == HIGHEST_BID, f"{bid} of {match.state.offer}, {options}"
    assert bids > 0


def test_the_beginner_bot_bids_42_only_if_42_points_can_be_won_or_losing_all_tricks_is_safe(seed: int) -> None:
    for match in auction_positions(seed, {}):
        seat = match.acting[0]
        mine = hand_mask(match.state, seat)
        safe = greedy_play_points(NELLO, mine, other_hand(match.state, mine), False) == HIGHEST_BID
        for choice in range(12):
            bid = bid_points(bot("beginner").choose(REVEILLE, match.known(seat), seat, choice))
            assert bid < HIGHEST_BID or safe or match.state.offer == MAX_POINTS


def test_the_compiled_check_for_reckless_bids_agrees_with_the_interpreted_one(seed: int) -> None:
    plain = python_function(POLICY.reckless)
    seen = set()
    for options in OPTIONS:
        for match in auction_positions(seed, options):
            for seat, action in product(match.acting, match.legal(match.acting[0])):
                found = bool(POLICY.reckless(match.known(seat), seat, action))
                assert found == bool(plain(match.state, seat, action))
                seen.add((found, bid_points(action) > 0))
    assert seen == {(False, False), (False, True), (True, True)}
