"""The greedy bot of Reveal: sees nothing it should not, and plays better than chance."""

from __future__ import annotations

import random

from facedown.check.driver import play_randomly, random_match
from facedown.core.bot import generator_for
from facedown.core.chance import key_of
from facedown.core.match import Match
from facedown.core.slots import redeal
from facedown.games.reveal.policy import greedy, points_on_average, reason
from facedown.games.reveal.words import words
from tests.games.reveal.reveal_hands import SEED, cards, deal_of, keep_and_lay, play


def test_it_answers_alike_on_a_state_its_view_and_any_world_that_fits(seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(30):
        match = random_match("reveal", rnd)
        play_randomly(match, rnd, rnd.randint(0, 40))
        for seat in match.acting:
            view = match.known(seat)
            chosen = int(greedy(view, seat, generator_for(1)))
            assert chosen in match.legal(seat)
            assert int(greedy(match.state, seat, generator_for(1))) == chosen
            for _ in range(3):
                world = redeal(view, key_of(rnd.randbytes(32)))
                assert int(greedy(world, seat, generator_for(1))) == chosen
            assert isinstance(reason(view, seat, chosen), str)


def test_it_beats_chance(seed: int) -> None:
    rnd = random.Random(seed)
    won = 0
    for game in range(40):
        bot = game % 2
        match = Match("reveal", 2, seed=rnd.randbytes(32))
        while not match.over:
            seat = match.acting[0]
            action = (
                int(greedy(match.known(seat), seat, generator_for(1))) if seat == bot else rnd.choice(match.legal(seat))
            )
            match.play(seat, action)
        won += int(match.state.total[bot]) > int(match.state.total[1 - bot])
    # It wins 99 of 100: fewer than 32 of 40 would be a miracle.
    assert won >= 32


def test_it_lays_cards_where_they_match_and_swaps_what_matches_nowhere() -> None:
    fixed = dict(zip(range(3), cards("R B K"), strict=True))
    fixed |= {9: cards("K")[0], 11: cards("G")[0], 13: cards("R")[0]}
    match = Match("reveal", 2, {}, SEED, deal_of(fixed))
    assert words(int(greedy(match.known(0), 0, generator_for(1)))) == "swap 2"
    play(match, (0, "swap none"), (1, "swap none"))
    assert words(int(greedy(match.known(0), 0, generator_for(1)))) == "place R C L"


def test_it_takes_the_best_column_and_confirms_it() -> None:
    fixed = {}
    for row in range(3):
        fixed |= {3 * row: cards("R")[0], 3 * row + 1: cards("WYG"[row])[0], 3 * row + 2: cards("PBK"[row])[0]}
        fixed |= {9 + 6 * row: cards("R")[0], 11 + 6 * row: cards("O")[0], 13 + 6 * row: cards("O")[0]}
    match = keep_and_lay(Match("reveal", 2, {}, SEED, deal_of(fixed)))
    assert words(int(greedy(match.known(0), 0, generator_for(1)))) == "choose L"
    play(match, (0, "choose L"))
    assert words(int(greedy(match.known(0), 0, generator_for(1)))) == "confirm"


def test_points_on_average_is_exact() -> None:
    assert points_on_average(3, 6, 0.0, 0.0) == 6.0
    assert points_on_average(3, 2, 0.0, 0.0) == 0.0
    assert abs(points_on_average(3, 2, 0.5, 0.0) - 1.5) < 1e-12
    assert abs(points_on_average(3, 1, 0.0, 0.5) - (3 * 3 / 8 + 4 * 1 / 8)) < 1e-12
    assert abs(points_on_average(2, 2, 0.0, 0.5) - (3 * 1 / 2 + 4 * 1 / 4)) < 1e-12
