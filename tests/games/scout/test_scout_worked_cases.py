"""The worked cases of SCOUT: those of `worked_cases.toml`, and cases about dealing and the end of a match."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core.match import IllegalMove, Match
from facedown.games.scout.info import HAND_SIZES, PAIRS, card_kind
from facedown.games.scout.legal_actions import Act
from facedown.games.scout.state import Phase
from tests.games.case_files import worked_cases
from tests.games.scout.positions import (
    SITTERS,
    active_numbers,
    hand_numbers,
    legal_shows,
    legal_words,
    play_turns,
    pose,
)

CASES = worked_cases("scout")


def check(m: Match, fact: str, wanted: Any) -> None:
    """Check one fact of a case."""
    match fact:
        case "hands":
            assert [hand_numbers(m, seat) for seat in range(len(wanted))] == wanted
        case "active":
            assert active_numbers(m) == wanted
        case "shows":
            assert legal_shows(m) == set(wanted.split())
        case "scouts":
            assert len([text for text in legal_words(m, "scout") if "show" not in text]) == wanted
        case "refused":
            for move in wanted:
                with pytest.raises(IllegalMove):
                    m.play(m.acting[0], m.game.words.parse(move))
        case "acting":
            assert m.acting == wanted
        case "phase":
            assert Phase(int(m.state.phase)).name == wanted
        case "help":
            assert wanted in m.table(0, SITTERS[: m.seats]).step.help
        case _:
            field = getattr(m.state, fact)
            assert (field[: len(wanted)].tolist() if isinstance(wanted, list) else int(field)) == wanted


@pytest.mark.parametrize("name", CASES)
def test_each_worked_case_of_the_scout_rules_has_the_expected_result(name: str) -> None:
    m = pose(**CASES[name]["pose"])
    for step in CASES[name]["steps"]:
        for field, value in step.get("set", {}).items():
            if isinstance(value, list):
                getattr(m.state, field)[: len(value)] = value
            else:
                setattr(m.state, field, value)
        play_turns(m, *step.get("say", ()))
        for fact in step.keys() - {"set", "say"}:
            check(m, fact, step[fact])


EXAMPLE = "7/2 7/4 1/3 2/6 4/3 9/2 5/2 8/4 5/9"


def match_after_flip(choice: int, **options: str) -> Match:
    """Return a match for five, with the first hand of the example."""
    m = Match("scout", 5, options, seed=bytes(32), deal=[card_kind(w) for w in EXAMPLE.split()], first=0)
    for seat in range(5):
        m.play(seat, int(choice if seat == 0 else Act.KEEP))
    return m


def test_a_flipped_hand_has_other_numbers_and_other_sets_that_can_be_shown() -> None:
    before, after = match_after_flip(Act.KEEP), match_after_flip(Act.FLIP)
    assert hand_numbers(before, 0) == "7 7 1 2 4 9 5 8 5"
    assert hand_numbers(after, 0) == "2 4 3 6 3 2 2 4 9"
    singles = {str(i) for i in range(1, 10)}
    assert legal_shows(before) == singles | {"1-2", "3-4"}
    assert legal_shows(after) == singles | {"2-3", "5-6", "6-7"}
    assert hand_numbers(match_after_flip(Act.FLIP, flip_order="reverse"), 0) == "9 4 2 2 3 6 3 4 2"


@pytest.mark.parametrize(("seats", "cards", "total"), [(2, 44, 476), (3, 36, 360), (4, 44, 476), (5, 45, 495)])
def test_the_scout_deck_has_the_expected_cards_for_each_number_of_players(seats: int, cards: int, total: int) -> None:
    m = Match("scout", seats, seed=bytes(32))
    counts = m.game.deck(seats, m.options)
    assert int(counts.sum()) == cards
    assert sum(sum(pair) for pair, n in zip(PAIRS, counts, strict=True) if n) == total
    assert list(m.state.hand[:seats]) == [HAND_SIZES[seats]] * seats
    assert HAND_SIZES[2:] == (11, 12, 11, 9)
    assert m.state.aside == (22 if seats == 2 else 0)


def test_a_three_player_scout_match_has_three_rounds_and_equal_totals_share_the_win() -> None:
    m = Match("scout", 3, seed=bytes(32), first=1)
    starters = []
    for turn in range(3):
        starters.append(m.state.starter)
        play_turns(m, "keep", "keep", "keep")
        assert m.acting == [starters[-1]]
        # Single cards are shown and scouted by all others: two scouts in a row end the round.
        m.state.turns = 399
        play_turns(m, "show 1")
        assert m.state.phase == Phase.SCORING
        assert m.state.ender == -1
        if turn < 2:
            play_turns(m, "continue", "continue", "continue")
    assert starters == [1, 2, 0]
    assert m.over
    for seat, total in enumerate((4, 4, -3)):
        m.state.total[seat] = total
    assert m.game.returns(m.state) == [4.0, 4.0, -3.0]
    table = m.table(0, SITTERS[:3])
    assert table.result == "You and Noor share the win with a total of 4."
    assert [row.winner for row in table.scores] == [True, True, False]
