"""Matches that players end early: resigning, and ending by agreement. Results, tables and match files."""

from __future__ import annotations

import copy
import pickle
import random
from dataclasses import replace
from typing import Any

import pytest

from facedown.check.random_matches import SITTERS, play_randomly
from facedown.core.game_registry import game
from facedown.core.match import IllegalMove, Match, Result
from facedown.core.match_actions import AGREED_END, RESIGN, parse_match_action
from facedown.core.match_ending import Ending, ended_table
from facedown.core.match_file import NotationError, read, result_text, verify, write
from facedown.core.state import SPECTATOR, to_bytes
from facedown.core.table import ScoreRow
from facedown.core.translation import use_language

SEED = bytes(32)


def match_with_score(name: str = "scout", seats: int = 2) -> Match:
    """Return a match in its second round, in which the seats have different scores."""
    rnd = random.Random(1)
    while True:
        match = Match(name, seats, seed=rnd.randbytes(32))
        while not match.over:
            play_randomly(match, rnd, 1)
            if match.standing.has_score and match.table(SPECTATOR).phase != "scoring":
                if len(set(match.game.returns(match.state))) == seats:
                    return match
                break


def result_for(match: Match, viewer: int) -> str:
    """Return the result as the table of a viewer shows it."""
    return match.table(viewer, SITTERS[: match.seats]).result


def ended(match: Match, seat: int, action: int) -> Match:
    """Return a copy of the match that a seat has ended."""
    twin = match.copy()
    twin.play(seat, action)
    return twin


# --- results ----------------------------------------------------------------------------------------------------------


def test_if_a_player_of_two_resigns_the_other_wins_whatever_the_scores_are() -> None:
    match = match_with_score()
    scores = match.game.returns(match.state)
    for seat in (0, 1):
        over = ended(match, seat, RESIGN)
        assert over.over
        assert over.result == Result(tuple(scores), (1 - seat,), False)
        assert (over.acting, over.legal(0), over.legal(1)) == ([], [], [])
        assert [row.winner for row in over.table(0).scores] == [row.seat == 1 - seat for row in over.table(0).scores]
    assert not match.over, "a copy was ended"
    assert result_for(ended(match, 1, RESIGN), 0) == "Ravi resigned. You win."
    assert result_for(ended(match, 1, RESIGN), 1) == "You resigned. Ilse wins."
    assert result_for(ended(match, 1, RESIGN), SPECTATOR) == "Ravi resigned. Ilse wins."


def test_a_match_that_ends_by_agreement_is_won_by_the_seats_with_the_highest_score() -> None:
    match = match_with_score("detect", 3)
    scores = match.game.returns(match.state)
    best = scores.index(max(scores))
    for seat in range(3):
        result = ended(match, seat, AGREED_END).result
        assert result == Result(tuple(scores), (best,), False), "it does not matter who proposed it"
    over = ended(match, 0, AGREED_END)
    points = next(row.total for row in match.table(0).scores if row.seat == best)
    assert result_for(over, best) == f"The players agreed to end the match. You win with {points}."
    assert result_for(over, SPECTATOR) == (
        f"The players agreed to end the match. {SITTERS[best].name} wins with {points}."
    )


def test_seats_with_equal_scores_share_the_win() -> None:
    match = match_with_score("detect", 3)
    state: Any = copy.copy(match.state)
    state.total[:] = 7
    match.state = state
    over = ended(match, 0, AGREED_END)
    assert over.result is not None
    assert over.result.winners == (0, 1, 2)
    assert result_for(over, 0) == "The players agreed to end the match. You, Ravi and Juniper win with 7."


def test_a_match_that_ends_by_agreement_before_the_first_score_has_no_result() -> None:
    match = Match("detect", 2, seed=SEED)
    over = ended(match, 0, AGREED_END)
    assert over.over
    assert over.abandoned
    assert over.result == Result((0.0, 0.0), (), True)
    table = over.table(1, SITTERS[:2])
    assert table.result == "The players agreed to end the match without a result."
    assert (table.winners, [row.winner for row in table.scores]) == ((), [False, False])
    assert ended(match, 0, RESIGN).result == Result((0.0, 0.0), (1,), False), "but a player can always resign"


def test_a_cooperative_match_that_is_ended_early_has_no_winner() -> None:
    rnd = random.Random(2)
    match = Match("uncovered", 2, seed=SEED)
    play_randomly(match, rnd, 12)
    for action, said in ((RESIGN, "Ravi resigned, so the game is lost."), (AGREED_END, "without a result.")):
        over = ended(match, 1, action)
        assert over.result is not None
        assert over.result.winners == ()
        assert result_for(over, 0).endswith(said)


def test_the_result_of_a_game_without_a_score_list_names_the_winner_only() -> None:
    match = match_with_score("detect", 3)
    bare = replace(match.table(0, SITTERS[:3]), scores=())
    assert ended_table(bare, Ending(AGREED_END, 1, (2,)), SITTERS[:3]).result == (
        "The players agreed to end the match. Juniper wins."
    )


def test_results_are_in_the_readers_language() -> None:
    match = match_with_score()
    with use_language("de"):
        assert result_for(ended(match, 0, RESIGN), 1) == "Ilse hat aufgegeben. Du gewinnst."
        assert result_for(ended(match, 0, RESIGN), SPECTATOR) == "Ilse hat aufgegeben. Ravi gewinnt."
        assert "Einvernehmen" in result_for(ended(match, 0, AGREED_END), 0)
        lines = ended(match, 0, RESIGN).log(0, SITTERS[:2])
    assert lines[-1].text == "**Du** hast aufgegeben."


def test_the_table_of_an_ended_match_shows_the_position_and_no_choices() -> None:
    match = match_with_score()
    seat = match.acting[0]
    before, over = match.table(seat, SITTERS[:2]), ended(match, seat, RESIGN).table(seat, SITTERS[:2])
    assert before.step.choices
    assert not over.step.choices
    assert over.zones == before.zones, "no hidden card is shown"
    assert over.over
    assert (over.turn, over.slips, over.turn_words) == (None, (), "")
    assert not any(panel.acting or panel.state for panel in over.seats)
    assert [ScoreRow(row.seat, row.points) for row in over.scores] == [
        ScoreRow(row.seat, row.points) for row in before.scores
    ]
    assert str(over).splitlines()[1] == over.step.prompt == over.result


# --- what is refused --------------------------------------------------------------------------------------------------


def test_only_a_match_of_two_seats_can_end_by_resigning_and_a_match_ends_only_once() -> None:
    three = Match("detect", 3, seed=SEED)
    with pytest.raises(IllegalMove, match="only a match of two seats can end by resigning"):
        three.push("resign", 0)
    assert not three.over
    over = ended(Match("detect", 2, seed=SEED), 0, AGREED_END)
    for words in ("resign", "agreed end", "take back", "open a1 b1"):
        with pytest.raises(IllegalMove, match="the match is over"):
            over.push(words, 1)
    with pytest.raises(IllegalMove, match="seat 2 does not exist"):
        Match("detect", 2, seed=SEED).push("agreed end", 2)


def test_actions_of_a_match_are_read_in_any_case_and_spacing_and_no_others() -> None:
    assert parse_match_action(" Agreed   END ") == AGREED_END
    assert parse_match_action("resign") == RESIGN
    assert [parse_match_action(words) for words in ("", "resign now", "end", "-2")] == [None] * 4


# --- copies and files -------------------------------------------------------------------------------------------------


def test_undo_continues_a_match_that_was_ended_early() -> None:
    match = match_with_score()
    over = ended(match, 0, RESIGN)
    assert over.undo().action == RESIGN
    assert over == match
    assert to_bytes(over.state) == to_bytes(match.state)
    assert (over.over, over.result, over.legal(0), over.legal(1)) == (False, None, match.legal(0), match.legal(1))
    assert over.standing.has_score


def test_an_ended_match_is_the_same_after_it_is_pickled_and_its_views_are_forgotten() -> None:
    over = ended(match_with_score(), 1, RESIGN)
    tables = [over.table(viewer, SITTERS[:2]) for viewer in (0, 1, SPECTATOR)]
    loaded = pickle.loads(pickle.dumps(over))
    over.forget_views()
    for other in (over, loaded, copy.deepcopy(over), over.at(over.ply)):
        assert [other.table(viewer, SITTERS[:2]) for viewer in (0, 1, SPECTATOR)] == tables
        assert other.result == over.result
    assert repr(over) == f"<Match of scout, 2 seats, {over.ply} moves, over, {over.returns}>"


@pytest.mark.parametrize(
    ("has_score", "action", "result"),
    [
        (False, RESIGN, "P1 resigned"),
        (True, RESIGN, "P1 resigned"),
        (False, AGREED_END, "abandoned"),
        (True, AGREED_END, ""),
    ],
)
def test_the_result_of_a_match_that_was_ended_early_is_written_and_read_back(
    has_score: bool, action: int, result: str
) -> None:
    match = ended(match_with_score() if has_score else Match("scout", 2, seed=SEED), 1, action)
    expected = result or ", ".join(f"P{seat} {score:g}" for seat, score in enumerate(match.returns))
    assert result_text(match) == expected
    text = write(match)
    assert f"\nResult: {expected}\n" in text
    assert text.endswith(f"{match.ply}. P1 {'resign' if action == RESIGN else 'agreed end'}\n")
    verdict = verify(text)
    assert f"The result matches the moves: {expected}." in verdict.found
    assert verdict.file.match.result == match.result
    assert "The match is not over." not in verdict.open
    for wrong in ("P0 resigned", "unfinished", "P0 1, P1 2"):
        with pytest.raises(NotationError, match=rf"after move {match.ply} the result is {expected}"):
            read(text.replace(f"Result: {expected}", f"Result: {wrong}"))


def test_reading_a_resignation_that_is_not_possible_gives_the_line() -> None:
    version = game("detect").info.version
    head = f"Game: detect\nRules: {version}\nPlayers: 3\nSeed: {SEED.hex()}\n\n"
    with pytest.raises(NotationError, match="line 6: only a match of two seats can end by resigning"):
        read(f"{head}1. P0 resign\n")
    with pytest.raises(NotationError, match="line 7: the match is over"):
        read(f"{head}1. P0 agreed end\n2. P0 open a1 b1\n")
