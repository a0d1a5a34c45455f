"""Questions before costly moves of SCOUT, compared with the results of the moves."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from facedown.check.random_matches import SITTERS
from facedown.core.grammar import digits, in_words
from facedown.core.match import Match
from facedown.core.translation import join_names
from facedown.games.scout.info import KINDS, TURNED, card_word, is_in_full_deck
from facedown.games.scout.legal_actions import Act
from facedown.games.scout.state import Phase
from tests.games.costly_moves import questions_at, questions_in, random_positions, state_after
from tests.games.scout.positions import hand_numbers, pose

WINS, LOSES = "Play on instead of winning?", "End the match now?"


def late_position(rnd: random.Random, seats: int) -> Match:
    """Return a match with few cards in the hands, random points, and often in its last round."""
    kinds = [kind for kind in range(KINDS) if is_in_full_deck(seats, kind)]
    rnd.shuffle(kinds)
    hands = [
        " ".join(card_word(kinds.pop() + TURNED * rnd.randint(0, 1)) for _ in range(rnd.randint(1, 4)))
        for _ in range(seats)
    ]
    chips = [rnd.randint(0, 3) for _ in range(seats)]
    match = pose(hands, turn=rnd.randrange(seats), chips=chips)
    state: Any = match.state
    state.round_number = rnd.choice((1, seats, seats))
    state.won[:seats] = [rnd.randint(0, 5) for _ in range(seats)]
    state.total[:seats] = [rnd.randint(-6, 6) if state.round_number > 1 else 0 for _ in range(seats)]
    return match


def points_after(match: Match, seat: int, action: int) -> list[int] | None:
    """Return the points that decide the winner if an action ends the round, whatever the other hands are, else None.

    They are the totals in the last round, and the points of the round before it.
    """
    after: Any = state_after(match.state, seat, action)
    if after.phase != Phase.SCORING or after.ender < 0 or (action < Act.SCOUT and after.hand[seat]):
        return None
    return list(map(int, (after.total if match.state.round_number == match.seats else after.score)[: match.seats]))


def rank(match: Match, seat: int, action: int) -> int:
    """Return 2 if an action wins, 0 if it loses, else 1."""
    points, last = points_after(match, seat, action), match.state.round_number == match.seats
    if points is None or (action >= Act.SCOUT and not last):
        return 1
    others = max(points[:seat] + points[seat + 1 :])
    if points[seat] > others:
        return 2 if action < Act.SCOUT or match.seats > 2 else 1
    return 0 if points[seat] < others and last else 1


def expected(match: Match, seat: int) -> dict[int, tuple[str, str]]:
    """Return the prompt and the help text that the table must ask before each action."""
    ranks = {action: rank(match, seat, action) for action in match.legal(seat)}
    found = {}
    for action, worth in ranks.items():
        if worth == max(ranks.values()):
            continue
        if worth == 0:
            points = points_after(match, seat, action) or []
            best = [SITTERS[other].name for other, total in enumerate(points) if total == max(points)]
            most, own = digits(max(points)), digits(points[seat])
            found[action] = LOSES, f"{join_names(best)} would win with a total of {most}. You’d have {own}."
            continue
        winning = next(action for action, worth in ranks.items() if worth == 2)
        whole = "match" if match.state.round_number == match.seats else "round"
        said = "Scouting ends the match now, and you win it."
        if winning < Act.SCOUT:
            said = f"Showing {whole_hand(match, seat)} empties your hand and wins the {whole}."
        found[action] = WINS, said
    return found


def whole_hand(match: Match, seat: int) -> str:
    """Return the cards of a hand that is a set, in words."""
    numbers = hand_numbers(match, seat).split()
    if len(numbers) == 1:
        return f"the {numbers[0]}"
    return f"{in_words(len(numbers))} {numbers[0]}s" if len({*numbers}) == 1 else " ".join(numbers)


@pytest.mark.slow
def test_scout_asks_before_a_move_exactly_if_the_public_points_prove_that_another_one_is_better(seed: int) -> None:
    rnd, met = random.Random(seed), Counter[str]()
    for number in range(120):
        match = late_position(rnd, 2 + number % 4)
        for seat in random_positions(match, rnd, 30):
            if match.state.phase not in (Phase.TURN, Phase.SHOW):
                break
            wanted = expected(match, seat)
            found = questions_at(match, seat, rnd)
            assert {action: question[:2] for action, question in found.items()} == wanted, (number, match.ply)
            for asked, said in {*wanted.values()}:
                met["loses" if asked == LOSES else said.split()[-1]] += 1
    assert min(met["loses"], met["match."], met["round."]) >= 10, met


def asked_words(match: Match) -> dict[str, tuple[str, str]]:
    """Return prompt and help text of the questions at the table of the seat to act, by the action in words."""
    match.forget_views()
    seat = match.acting[0]
    found = questions_in(match.table(seat, SITTERS[: match.seats]).step)
    return {match.game.words.words(action): question[:2] for action, question in found.items()}


def test_scout_asks_before_a_show_if_a_scout_would_end_and_win_the_match() -> None:
    match = pose(["1/2 1/3", "2/4 5/3", "9/8 2/6 3/8"], "5/4", owner=0, turn=2, chips=(0, 0, 4))
    state: Any = match.state
    state.round_number, state.passes, state.total[:3] = 3, 1, (0, 0, 9)
    asked = asked_words(match)
    assert set(asked.values()) == {(WINS, "Scouting ends the match now, and you win it.")}
    assert set(asked) == {words for words in match.legal_words(2) if "show" in words}
    assert "show 1" in asked
    state.passes = 0
    assert asked_words(match) == {}


def test_two_player_scout_asks_before_the_last_chip_is_spent_on_a_card_that_ends_the_match_and_loses_it() -> None:
    match = pose(["1/3 5/2 7/4", "2/4 6/3"], "9/1 8/1", owner=1, turn=0, chips=(1, 3))
    state: Any = match.state
    state.round_number, state.total[:2] = 2, (0, 10)
    asked = asked_words(match)
    assert asked["scout left turned at 3"] == (LOSES, "Ravi would win with a total of 13. You’d have −4.")
    assert "scout left turned at 0" not in asked, "the pair of 1s beats the 8"
    assert "scout left kept at 3" not in asked, "the 9 beats the 8"
    state.total[0] = 30
    assert asked_words(match) == {}, "ending the match wins it"
