"""The question before uncovering in Uncovered!, compared with all deals that fit the cards which the player sees."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from facedown.core.match import Match
from facedown.games.uncovered.rules import Act
from tests.games.costly_moves import questions_at
from tests.games.uncovered.positions import hands_text

OPTIONS: tuple[tuple[int, dict[str, str]], ...] = (
    (2, {"mode": "intermediate", "turning": "off"}),
    (2, {"mode": "beginner"}),
    (3, {"mode": "advanced", "swap_visibility": "face_down"}),
    (3, {"mode": "advanced", "tracking": "off"}),
    (4, {"mode": "intermediate", "single_colour_win": "yes"}),
    (5, {"mode": "beginner"}),
)
LOSES = "The cards you see don’t match, so uncovering loses the game for everybody."


def fillings(hands: str, left: list[str]) -> Iterator[str]:
    """Yield the hands with the numbers `left` in place of the hidden cards, in each different order."""
    if not left:
        yield hands
        return
    for number in sorted(set(left)):
        rest = left.copy()
        rest.remove(number)
        yield from fillings(hands.replace("?", number, 1), rest)


def wins(hands: str, single_colour: bool) -> bool:
    """Return whether hands like "1234 1234" win, as the rules say."""
    each = hands.split()
    return len(set(each)) == 1 or (single_colour and all(len(set(hand)) == 1 for hand in each))


def deal(seats: int, rnd: random.Random) -> list[int]:
    """Return a winning deal: equal hands or, for some deals of four players, hands of one number each."""
    order = rnd.sample(range(4), 4)
    return order * seats if seats != 4 or rnd.random() < 0.5 else [number for number in order for _ in range(4)]


def possible_results(hands: str, left: list[str], single_colour: bool) -> set[bool]:
    """Return whether the hands may win and whether they may not, with the numbers `left` in the hidden places."""
    found: set[bool] = set()
    for filled in fillings(hands, left):
        found.add(wins(filled, single_colour))
        if len(found) == 2:
            break
    return found


def null_swaps(match: Match, seat: int) -> list[int]:
    """Return the swaps of two equal cards. They show both and leave the hands as they are."""
    hands = hands_text(match.state).split()
    found = []
    for action in match.legal(seat):
        _verb, *places = match.game.words.words(action).split()
        if places:
            place, other, theirs = map(int, places)
            found += [action] if hands[seat][place - 1] == hands[other][theirs - 1] else []
    return found


@pytest.mark.slow
def test_uncovered_asks_before_uncovering_unless_every_deal_that_fits_the_cards_wins(seed: int) -> None:
    rnd, met = random.Random(seed), Counter[str]()
    for number in range(60):
        seats, options = OPTIONS[number % len(OPTIONS)]
        match = Match("uncovered", seats, options, seed=rnd.randbytes(32), deal=deal(seats, rnd))
        single_colour = options.get("single_colour_win") == "yes"
        for _ in range(10):
            seat = match.acting[0]
            text = hands_text(match.shown(seat))
            hidden = text.count("?")
            if hidden <= 8:
                left = [n for n in "1234" for _ in range(seats - text.count(n))]
                found = possible_results(text, left, single_colour)
                asked = questions_at(match, seat, rnd).get(Act.UNCOVER.value)
                assert (asked is None) == (found == {True}), text
                if asked:
                    said = f"You can’t see {hidden} of the cards. If the hands don’t all match, everybody loses."
                    assert asked[0] == "Uncover all hands now?"
                    assert asked[1] in (LOSES, said), text
                    assert asked[1] != LOSES or found == {False}, text
                met[asked[1] if asked and asked[1] == LOSES else "unknown" if asked else "wins"] += 1
            equal = null_swaps(match, seat) if rnd.random() < 0.8 else []
            match.play(seat, rnd.choice(equal or [action for action in match.legal(seat) if action != Act.UNCOVER]))
    assert min(met[LOSES], met["unknown"], met["wins"]) > 10, met
