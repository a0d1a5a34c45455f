"""A match of any game can be ended early in any phase, and its table then shows the result to every viewer."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from facedown.check.game_laws import check_early_end
from facedown.check.random_matches import GAMES, SITTERS, match_with_random_options, play_randomly
from facedown.core import move_with_views
from facedown.core.game_registry import game
from facedown.core.match import Match
from facedown.core.match_actions import AGREED_END, RESIGN
from facedown.core.match_ending import ended_table
from facedown.core.state import SPECTATOR
from facedown.core.translation import use_language
from facedown.server.rendering import render_table_or_result
from tests.conftest import TIMES

#: Ends of each kind in each phase, and the largest number of matches in which the phases are looked for.
ENDS, MATCHES = TIMES, 400
#: Phases that random matches seldom reach, and those in which a match is over.
RARE_PHASES = {"detect": {"set"}, "reveille": {"stage two"}, "uncovered": {"turning", "finished"}}


@pytest.mark.parametrize("name", GAMES)
def test_a_match_of_any_game_can_be_ended_in_every_phase(name: str, seed: int) -> None:
    rnd, seen = random.Random(seed), Counter[tuple[str, int]]()
    phases = game(name).tables.phases
    wanted = set(phases) - RARE_PHASES.get(name, set())
    for _ in range(MATCHES):
        match = match_with_random_options(name, rnd)
        play_randomly(match, rnd, rnd.choice((0, 5, 60, 200)))
        for _ in range(30):
            if match.over:
                break
            state: Any = match.state
            for action in (AGREED_END, *((RESIGN,) if match.seats == 2 else ())):
                kind = phases[state.phase], action
                if seen[kind] < ENDS:
                    seen[kind] += 1
                    assert list(check_early_end(match, rnd)) == []
                    assert_shows_result(match, action, rnd)
            play_randomly(match, rnd, 1)
        if all(seen[phase, AGREED_END] == ENDS for phase in wanted):
            return
    raise AssertionError(f"no match of {name} reached all phases: {seen}")


def assert_shows_result(match: Match, action: int, rnd: random.Random) -> None:
    """Assert that a match that is ended now shows its result to a random viewer, as text, page and picture."""
    ended, viewer = match.copy(), rnd.choice((*range(match.seats), SPECTATOR))
    ended.play(rnd.randrange(match.seats), action)
    results = []
    for code in ("en", "de"):
        with use_language(code):
            table = ended.table(viewer, SITTERS[: match.seats])
            results.append(table.result)
            assert table.result in str(table)
            assert table.result in render_table_or_result(table)
            assert table.to_json()["over"] is True
            assert [line.text for line in ended.log(viewer, SITTERS[: match.seats])][-1]
    assert results[0] != results[1], "the result is translated"
    ET.fromstring(ended.svg(viewer))


def test_the_law_about_early_ends_finds_tables_that_show_a_running_match(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("detect", 2, seed=bytes(32))
    monkeypatch.setattr(move_with_views, "ended_table", lambda table, *_: table)
    assert any("shows a running match" in text for text in check_early_end(match, random.Random(1)))
    monkeypatch.setattr(move_with_views, "ended_table", lambda *given: replace(ended_table(*given), winners=(0, 1)))
    assert any("names the winners (0, 1)" in text for text in check_early_end(match, random.Random(1)))
