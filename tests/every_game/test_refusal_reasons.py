"""Refusal reasons of every game: an action is legal exactly if the rules give no reason against it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest

from facedown.bots.simple_bots import GreedyBot
from facedown.check import golden_playthroughs
from facedown.check.game_laws import all_touch_steps
from facedown.check.random_matches import GAMES, GAMES_WITH_RESEARCH_OPTIONS, SITTERS, match_with_random_options
from facedown.core.game_registry import game
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.translation import languages, use_language

pytestmark = pytest.mark.nightly

PLIES = 25
MATCHES = 5
CODES = tuple(languages())
#: Options that random matches rarely draw; matches with them are played longer.
RARE_OPTIONS: Mapping[str, dict[str, str]] = {
    "detect": {"set_optional": "yes"},
    "reveille": {"boneyard_pick": "index"},
    "uncovered": {"mode": "intermediate", "turning": "choice"},
}
#: The least number of different reasons that a game gives in these positions.
REASON_COUNTS = {"detect": 12, "reveal": 10, "reveille": 30, "scout": 30, "uncovered": 6}


def sample_positions(name: str, seed: int) -> Iterator[Match]:
    """Yield positions of golden playthroughs and of random matches, with all options; half of the moves are greedy."""
    rnd, bot = random.Random(f"{name} {seed}"), GreedyBot()
    matches = [
        *golden_playthroughs.golden_matches(name).values(),
        *(match_with_random_options(name, rnd) for _ in range(MATCHES)),
    ]
    if name in GAMES_WITH_RESEARCH_OPTIONS:
        matches += [match_with_random_options(name, rnd, research=True) for _ in range(MATCHES)]
    if name in RARE_OPTIONS:
        matches.append(Match(name, matches[0].seats, RARE_OPTIONS[name], seed=rnd.randbytes(32)))
    for match in matches:
        longer = name in RARE_OPTIONS and match.options.items() >= RARE_OPTIONS[name].items()
        for _ in range(6 * PLIES if longer else PLIES):
            if match.over:
                break
            yield match
            seat = rnd.choice(match.acting)
            # A move that ends a game at once would leave few positions.
            reckless = match.game.policy.reckless if match.game.policy else None
            legal = match.legal(seat)
            calm = [action for action in legal if not (reckless and reckless(match.state, seat, action))]
            good = rnd.random() < 0.5
            match.play(seat, bot.choose(match.game, match.known(seat), seat, 1) if good else rnd.choice(calm or legal))


@pytest.mark.parametrize("name", GAMES)
def test_an_action_is_legal_exactly_if_the_rules_give_no_reason_against_it(name: str, seed: int) -> None:
    refusal = game(name).words.why_not
    assert refusal
    found, phases = set(), set()
    for match in sample_positions(name, seed):
        for seat in match.acting:
            phases.add(match.table(seat, SITTERS[: match.seats]).phase)
            view, shown = match.known(seat), match.shown(seat)
            said = [refusal(view, action) for action in range(match.game.actions)]
            free = [action for action, reason in enumerate(said) if not reason]
            assert free == match.legal(seat), (match.options, match.ply)
            # The shown view gives the same reasons as the known view.
            assert [refusal(shown, action) for action in range(0, match.game.actions, 5)] == said[::5]
            found |= set(said) - {""}
    assert len(found) >= REASON_COUNTS[name]
    assert phases >= set(game(name).tables.phases) - {"finished"}
    for reason in found:
        assert reason.endswith("."), reason
        assert reason[0].isupper() or reason[0].isdigit(), reason


@pytest.mark.parametrize("name", GAMES)
def test_refusal_reasons_are_translated(name: str, seed: int) -> None:
    rnd = random.Random(seed)
    for match in sample_positions(name, seed + 2):
        actions = rnd.sample(range(match.game.actions), min(30, match.game.actions))
        seats = [(seat, match.known(seat)) for seat in match.acting]
        said: list[list[tuple[str, str]]] = []
        for code in CODES:
            with use_language(code):
                reasons = [("", match.game.why_not(view, action)) for _seat, view in seats for action in actions]
                tables = [match.table(seat, SITTERS[: match.seats]) for seat in range(match.seats)]
                said.append(
                    reasons + [one for table in tables for step in all_touch_steps(table.step) for one in step.refusals]
                )
        for (place, english), (same, german) in zip(*said, strict=True):
            assert place == same
            assert (english == german) == (not english), f"not translated: {english}"
            assert not english or english.endswith("."), english
            assert not german or german.endswith("."), german


@pytest.mark.parametrize("name", GAMES)
def test_no_card_or_place_is_both_selectable_and_refused_in_the_same_selection_step(name: str, seed: int) -> None:
    """No step refuses a place twice. A spectator gets no refusals."""
    for match in sample_positions(name, seed + 3):
        for viewer in (*range(match.seats), SPECTATOR):
            table = match.table(viewer, SITTERS[: match.seats])
            assert viewer != SPECTATOR or not table.step.refusals
            for step in all_touch_steps(table.step):
                refused = [place for place, _ in step.refusals]
                assert len(set(refused)) == len(refused)
                assert not {choice.touch for choice in step.choices} & set(refused)
