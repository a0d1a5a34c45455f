"""`game_laws` reports violations. That the games obey the laws is tested in test_check_game_passes.py."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from facedown.check import game_laws
from facedown.check.random_matches import GAMES, play_randomly
from facedown.core.game_registry import game
from facedown.core.match import Match
from facedown.core.state import DECIDED, EMPTY, copy
from facedown.core.table import TouchStep


def match_with_state(name: str, **fields: object) -> Match:
    """Return a match whose state has some wrong fields."""
    match = Match(name, game(name).info.seats[0], {}, seed=bytes(32))
    state = copy(match.state)
    for field, value in fields.items():
        state[field] = value
    match.state = state
    return match


@pytest.mark.parametrize("name", GAMES)
def test_game_invariant_checks_report_lost_cards_wrong_turns_and_inconsistent_replays(name: str) -> None:
    lost = Match(name, game(name).info.seats[0], {}, seed=bytes(32)).state.card[:]
    lost[0] = EMPTY if lost[0] != EMPTY else 0
    assert any("lost or added" in text for text in game_laws.check_cards_conserved(match_with_state(name, card=lost)))
    assert list(game_laws.check_legal_actions(match_with_state(name, acting=0))) == ["no seat is to act"]
    assert "a seat is to act after the end" in list(game_laws.check_legal_actions(match_with_state(name, over=DECIDED)))
    played = match_with_state(name)
    play_randomly(played, random.Random(1), 3)
    played.state = match_with_state(name).state
    assert any("lead to another position" in text for text in game_laws.check_replay_and_undo(played))


@pytest.mark.parametrize("name", GAMES)
def test_game_invariant_checks_report_bad_move_notation_missing_touches_and_wrong_phase_names(name: str) -> None:
    true = game(name)
    same = replace(true, words=replace(true.words, words=lambda action: true.words.words(0)))
    assert any("several actions" in text for text in game_laws.check_notation(same))
    deaf = replace(true, words=replace(true.words, parse=lambda text: 0))
    assert any("'no such move' reads as" in text for text in game_laws.check_notation(deaf))
    still = replace(
        true, tables=replace(true.tables, table=lambda v, s: replace(true.tables.table(v, s), step=TouchStep("?")))
    )
    match = Match(still, true.info.seats[0], {}, seed=bytes(32))
    assert any("no touches for" in text for text in game_laws.check_touches(match))
    for named, said in ((), "does not name"), (("another",) * 9, "phase is another"):
        nameless = replace(true, tables=replace(true.tables, phases=named))
        assert any(
            said in text
            for text in game_laws.check_table_shows_declared_phase_name(
                Match(nameless, true.info.seats[0], {}, seed=bytes(32))
            )
        )
