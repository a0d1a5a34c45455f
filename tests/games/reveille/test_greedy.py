"""Reveille's greedy bot: it plays by the rules, by what it knows, and sensibly."""

from __future__ import annotations

import random

import pytest

from facedown.core.hidden_cards import known_view
from facedown.core.match import Match
from facedown.core.random_numbers import key_of, quick_generator
from facedown.games.reveille.bots.policy import greedy, reason
from facedown.games.reveille.rules import Act, Phase
from tests.games.reveille.positions import DEALER, OTHER, auction, say, stage_one, stage_two

HANDS = ("54 53 52 51 50 44 43", "66 65 64 63 62 61 60")


def choice(m: Match, view: object) -> str:
    seat = m.acting[0]
    return m.game.words.words(int(greedy(view, seat, quick_generator(key_of(bytes(32)), 0))))


def played(m: Match) -> str:
    return choice(m, known_view(m.state, m.acting[0]))


#: What was said before, and what is done then: 22 is all that is on offer, as the other can lose every trick for 42.
BIDDING = [("", "bid 22"), ("bid 22", "bid 42"), ("bid 22, bid 42", "nello"), ("bid 20, pass", "trump 6")]


@pytest.mark.parametrize(("said", "wanted"), [*BIDDING, ("pass, bid 23", "pass")])
def test_it_bids_what_it_can_win_and_names_that_suit(said: str, wanted: str) -> None:
    m = auction(HANDS)
    say(m, *said.split(", ") if said else ())
    assert played(m) == wanted


def test_it_wins_a_good_bone_and_leaves_a_bad_one() -> None:
    hands = ("65 63 51 43 31 30 20", "66 64 55 42 41 32 10")
    m = stage_one(hands, leader=DEALER, prize="44")
    say(m, "play 51")
    assert played(m) == "play 55", "only the double five or the six… wins; a double four is worth it"
    m = stage_one(("65 63 51 43 31 30 20", "66 64 55 42 41 32 11"), leader=DEALER, prize="10")
    say(m, "play 51")
    assert played(m) != "play 55"


@pytest.mark.parametrize(("bid", "claims"), [(23, True), (25, False)])
def test_it_claims_what_it_has_made(bid: int, claims: bool) -> None:
    m = stage_two(("53 44 20", "61 50 32"), "6", bid=bid, points=(0, 23), tricks=(0, 4))
    assert (played(m) == m.game.words.words(Act.CLAIM)) == claims


def test_it_beats_a_player_who_bids_at_random_but_plays_alike(seed: int) -> None:
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
    # Against an even match eleven of twelve would come once in 300 runs; it wins practically all.
    assert wins >= 10


def test_it_says_why() -> None:
    m = auction(HANDS)
    view = known_view(m.state, OTHER)
    assert reason(view, OTHER, m.game.words.parse("bid 22")) == (
        "by a quick count, your best suit wins 22 points, the other player’s 21 points"
    )
