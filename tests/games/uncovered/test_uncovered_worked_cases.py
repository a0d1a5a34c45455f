"""The worked cases of Uncovered!: those of `worked_cases.toml`, illegal moves, and counts of actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from facedown.check.game_laws import all_touch_steps
from facedown.core.match import IllegalMove, Match
from facedown.core.options import OptionError
from facedown.core.state import SPECTATOR, to_bytes
from facedown.core.table import Table
from facedown.core.translation import use_language
from facedown.games.uncovered.optimal_turns import shortest_winning_swaps
from facedown.games.uncovered.rules import Act
from tests.every_game.test_refusal_reasons import sample_positions
from tests.games.case_files import cases, step_facts, worked_cases
from tests.games.uncovered.positions import SITTERS, hands_text, match_with_hands, play_words, score_of

CASES = worked_cases("uncovered")


def fact(m: Match, name: str, wanted: Any) -> Any:
    """Return the fact that a case asks for; for views and logs as many items as are `wanted`."""
    viewers = [*range(m.seats), SPECTATOR]
    match name:
        case "state":
            return hands_text(m.state)
        case "shown":
            return [hands_text(m.shown(viewer)) for viewer in viewers[: len(wanted)]]
        case "log":
            return [m.log(viewer, SITTERS)[0].text for viewer in viewers[: len(wanted)]]
        case "acting" | "over" | "abandoned" | "returns":
            return getattr(m, name)
        case "score":
            return score_of(m)
        case "turned":
            return np.flatnonzero(m.state.turned).tolist()
        case "choices":
            return [len(m.legal(seat)) for seat in range(m.seats)]
        case "legal":
            return [m.game.words.words(action) for action in m.legal(m.acting[0])]
        case "result":
            return m.table(0, SITTERS).result
    return getattr(m.state, name)


@pytest.mark.parametrize("title", CASES)
def test_each_worked_case_of_the_uncovered_rules_has_the_expected_result(title: str) -> None:
    case = CASES[title]
    m = match_with_hands(case["hands"], case.get("first", 0), **case.get("options", {}))
    for step in case["steps"]:
        play_words(m, *step.get("say", ()))
        for wanted in step.get("at", ()):
            assert step_facts(m, SITTERS, wanted) == wanted
        wanted = {name: value for name, value in step.items() if name not in ("say", "at")}
        assert {name: fact(m, name, value) for name, value in wanted.items()} == wanted


@pytest.mark.parametrize("move", ["swap 1 0 1", "swap 4 0 2", "swap 1 3 1"])
def test_a_swap_with_oneself_or_a_missing_seat_is_illegal(move: str) -> None:
    m = match_with_hands("1234 1234 1234")
    before = to_bytes(m.state)
    with pytest.raises(IllegalMove, match=move):
        play_words(m, move)
    assert to_bytes(m.state) == before


@pytest.mark.parametrize(
    "move", ["swap 0 1 1", "swap 5 1 1", "swap 1 1 0", "swap 1 1 5", "swap 1 6 1", "pass", "continue"]
)
def test_text_of_an_invalid_move_in_uncovered_raises_an_error_when_parsed(move: str) -> None:
    m = match_with_hands("1234 1234 1234")
    with pytest.raises(ValueError, match=r"not a position|not a seat number|is not a move"):
        m.game.words.parse(move)


def test_uncovered_refuses_moves_out_of_turn_and_after_the_end() -> None:
    m = match_with_hands("1234 1234 1234")
    with pytest.raises(IllegalMove, match="cannot move now"):
        m.play(1, Act.UNCOVER.value)
    play_words(m, "uncover")
    assert m.acting == []
    with pytest.raises(IllegalMove, match="over"):
        m.play(1, m.game.words.parse("swap 1 2 1"))


def test_advanced_mode_of_uncovered_requires_three_players() -> None:
    with pytest.raises(OptionError, match="three players"):
        match_with_hands("1234 1234", mode="advanced")


@pytest.mark.parametrize(("seats", "actions"), [(2, 17), (3, 33), (4, 49), (5, 65), (6, 81)])
def test_uncovered_has_the_expected_number_of_legal_actions_for_each_number_of_players(
    seats: int, actions: int
) -> None:
    m = Match("uncovered", seats, seed=bytes(32))
    assert len(m.legal(m.acting[0])) == actions


def test_the_fewest_swaps_found_by_the_solver_win_deals_that_need_0_to_5_turns() -> None:
    # The whole tables are compared in test_optimal_turns.py; here deals of each row are played as matches.
    rows = {0, 1}
    deals = ["1234 1234 1234", "1233 1244 1234"]
    matches = [match_with_hands(hands) for hands in deals] + [
        Match("uncovered", 3, {"start": "named(0)"}, seed=bytes([number]) * 32) for number in range(40)
    ]
    for m in matches:
        hands = tuple(tuple(int(n) for n in hand) for hand in hands_text(m.state).split())
        line = shortest_winning_swaps(hands, 0)
        rows.add(len(line))
        for seat, place, other, theirs in line:
            assert m.acting == [seat]
            play_words(m, f"swap {place + 1} {other} {theirs + 1}")
        play_words(m, "uncover")
        assert score_of(m) == 0
    assert rows == set(range(6)), "T* of three-player deals is 0 to 5"


# --- refusal reasons --------------------------------------------------------------------------------------------------


def piece_places(table: Table) -> set[str]:
    return {piece.place for zone in table.zones for piece in zone.pieces}


def test_every_card_on_the_uncovered_table_can_be_chosen_or_is_refused_with_a_reason(seed: int) -> None:
    for m in sample_positions("uncovered", seed):
        assert not m.table(SPECTATOR, SITTERS[: m.seats]).step.choices
        for viewer in range(m.seats):
            table = m.table(viewer, SITTERS[: m.seats])
            assert viewer in m.acting or not table.step.choices
            for step in all_touch_steps(table.step):
                refused = dict(step.refusals)
                offered = {choice.touch for choice in step.choices}
                assert not offered & set(refused)
                assert all(said.endswith(".") for said in refused.values())
                first = step is table.step
                if first or "uncover-anyway" in offered:
                    assert piece_places(table) <= offered | set(refused)
                else:
                    assert len(piece_places(table) - offered - set(refused)) == 1, "the card that was touched before"


@pytest.mark.parametrize(("options", "moves", "typed", "reason", "german"), cases("uncovered", "reasons"))
def test_illegal_moves_in_uncovered_have_the_expected_refusal_reason(
    options: dict[str, str], moves: list[str], typed: str, reason: str, german: str
) -> None:
    m = match_with_hands("2134 2134 3412", 0, **{"mode": "advanced", **options})
    play_words(m, *moves)
    view = m.known(m.acting[0])
    action = m.game.words.parse(typed)
    assert m.game.why_not(view, action) == reason
    with use_language("de"):
        assert m.game.why_not(view, action) == german
