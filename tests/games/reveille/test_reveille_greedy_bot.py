"""The greedy bot of Reveille: its bids, plays, claims and reasons."""

from __future__ import annotations

import random

import pytest

from facedown.core.hidden_cards import known_view
from facedown.core.match import Match
from facedown.core.random_numbers import key_of, quick_generator
from facedown.games.reveille.bots.policy import greedy, reason
from facedown.games.reveille.rules import Act, Phase
from tests.games.reveille.positions import DEALER, OTHER, auction, play_words, stage_one, stage_two

HANDS = ("54 53 52 51 50 44 43", "66 65 64 63 62 61 60")


def greedy_words(m: Match, view: object) -> str:
    seat = m.acting[0]
    return m.game.words.words(int(greedy(view, seat, quick_generator(key_of(bytes(32)), 0))))


def greedy_words_from_view(m: Match) -> str:
    return greedy_words(m, known_view(m.state, m.acting[0]))


#: Earlier calls, and the bot's call: 22 points can be won, as the other player can lose every trick for 42.
BIDDING = [("", "bid 22"), ("bid 22", "bid 42"), ("bid 22, bid 42", "nello"), ("bid 20, pass", "trump 6")]


@pytest.mark.parametrize(("said", "wanted"), [*BIDDING, ("pass, bid 23", "pass")])
def test_greedy_bot_in_reveille_bids_what_its_best_suit_can_win_and_names_it_trumps(said: str, wanted: str) -> None:
    m = auction(HANDS)
    play_words(m, *said.split(", ") if said else ())
    assert greedy_words_from_view(m) == wanted


def test_greedy_bot_in_reveille_uses_a_high_bone_only_to_win_a_valuable_face_up_bone() -> None:
    hands = ("65 63 51 43 31 30 20", "66 64 55 42 41 32 10")
    m = stage_one(hands, leader=DEALER, prize="44")
    play_words(m, "play 51")
    assert greedy_words_from_view(m) == "play 55", "only the double five or the six… wins; a double four is worth it"
    m = stage_one(("65 63 51 43 31 30 20", "66 64 55 42 41 32 11"), leader=DEALER, prize="10")
    play_words(m, "play 51")
    assert greedy_words_from_view(m) != "play 55"


@pytest.mark.parametrize(("bid", "claims"), [(23, True), (25, False)])
def test_greedy_bot_in_reveille_claims_the_hand_only_when_its_bid_is_made(bid: int, claims: bool) -> None:
    m = stage_two(("53 44 20", "61 50 32"), "6", bid=bid, points=(0, 23), tricks=(0, 4))
    assert (greedy_words_from_view(m) == m.game.words.words(Act.CLAIM)) == claims


def test_greedy_bot_in_reveille_beats_random_play(seed: int) -> None:
    rnd = random.Random(seed)
    wins = 0
    games = 12
    for n in range(games):
        m = Match("reveille", 2, {}, seed=rnd.randbytes(32))
        me = n % 2
        while not m.over:
            seat = m.acting[0]
            if seat != me and int(m.state.phase) != Phase.AUCTION:
                action = rnd.choice(m.legal(seat))
            else:
                action = int(greedy(known_view(m.state, seat), seat, quick_generator(key_of(bytes(32)), n)))
            m.play(seat, action)
        wins += int(m.state.marks[me]) == 7
    # Against an equal player, eleven of twelve wins would occur once in 300 runs.
    assert wins >= 10


def test_greedy_bot_in_reveille_gives_a_reason_for_its_bid() -> None:
    m = auction(HANDS)
    view = known_view(m.state, OTHER)
    assert reason(view, OTHER, m.game.words.parse("bid 22")) == (
        "at a rough estimate, your best trump suit wins 22 points and the other player’s wins 21 points"
    )


#: Hands of the dealer and of the bidder, and the reason for a bid of 42.
LOW, HIGH, COUNTERS = "54 53 52 51 50 44 43", "66 65 64 63 62 61 60", "55 50 41 32 11 22 33"
ESTIMATE = "at a rough estimate, your best trump suit wins 42 points and the other player’s wins 42 points"


@pytest.mark.parametrize(
    ("hands", "why"),
    [((HIGH, LOW), "with this hand, you can probably lose every trick"), ((COUNTERS, HIGH), ESTIMATE)],
    ids=["nello", "trumps"],
)
def test_greedy_bot_in_reveille_gives_the_right_one_of_two_reasons_for_a_bid_of_42(
    hands: tuple[str, str], why: str
) -> None:
    m = auction(hands)
    assert greedy_words_from_view(m) == "bid 42"
    assert reason(known_view(m.state, OTHER), OTHER, m.game.words.parse("bid 42")) == why
