"""Observation layouts: every number of a view has its place, as seen from the seat itself."""

from __future__ import annotations

import random

import numpy as np
import pytest

from facedown.bots.observation import layout_of
from facedown.check.random_matches import GAMES, iterate_random_play, match_with_random_options
from facedown.core.field_meanings import BySlot, Unobserved, meanings, slot_groups
from facedown.core.game_registry import game
from facedown.core.match import Match
from facedown.core.state import SPECTATOR, UNKNOWN, plain_fields
from tests.research.game_settings import ALL, Setting


def positions(setting: Setting, seed: int) -> list[Match]:
    """Return some positions of a random match."""
    rnd = random.Random(seed)
    match = Match(setting.game, setting.seats, setting.chosen, seed=rnd.randbytes(32))
    found = []
    for moment in iterate_random_play(match, rnd, 120):
        if moment % 12 == 0:
            found.append(match.copy())
    return [*found, match]


@pytest.mark.parametrize("game_name", GAMES)
def test_every_field_and_card_slot_of_a_position_record_has_a_declared_meaning(game_name: str) -> None:
    rules = game(game_name).rules
    said = meanings(rules.record)
    assert set(said) == set(rules.dtype.names or ()) - {rules.dtype.names[0]}  # type: ignore[index]
    slots = rules.dtype["card"].shape[0]
    parts = slot_groups(rules.record)
    high = game(game_name).info.seats[1]
    covered = [slot for part in parts for seat in range(high if part.by_seat else 1) for slot in part.slots(seat)]
    assert sorted(covered) == list(range(slots)), "each slot is in one part"


@pytest.mark.parametrize("setting", ALL, ids=str)
def test_views_that_give_equal_observations_have_equal_fields(setting: Setting) -> None:
    """An observation therefore loses nothing that the seat may know."""
    layout = layout_of(setting.game, setting.seats, setting.chosen)
    shown = [
        name
        for name, meaning in meanings(layout.game.rules.record).items()
        if not (isinstance(meaning, Unobserved) or (name == "known" and isinstance(meaning, BySlot)))
    ]
    seen: dict[bytes, dict[str, object]] = {}
    for match in positions(setting, 5):
        for viewer in (*range(setting.seats), SPECTATOR):
            view = match.known(viewer)
            fields = {name: value for name, value in plain_fields(view).items() if name in shown}
            observation = layout.compact(view)
            same = seen.setdefault(observation.tobytes(), fields)
            if "hand" in fields and "flip" in fields:
                # A row that is turned towards its viewer is compared as the viewer sees it.
                same, fields = ({k: v for k, v in one.items() if k not in ("card", "flip")} for one in (same, fields))
            assert same == fields


@pytest.mark.parametrize("setting", ALL, ids=str)
def test_one_hot_observation_holds_the_same_numbers_as_the_compact_observation(setting: Setting) -> None:
    """Each number is where the layout says, and nothing else is set."""
    layout = layout_of(setting.game, setting.seats, setting.chosen)
    for match in positions(setting, 6):
        view = match.known(0)
        compact, one_hot = layout.compact(view), layout.one_hot(view)
        assert one_hot.min() >= 0.0
        assert one_hot.max() <= 1.0
        for at, how, count, low, _ in layout.one_hot_encodings.tolist():
            number = compact[layout.one_hot_encodings[:, 0].tolist().index(at)]
            part = one_hot[at : at + count]
            if how == 1 and 0 <= number - low < count and number != UNKNOWN:
                assert np.flatnonzero(part).tolist() == [number - low]
            if how == 2:
                assert part.astype(int).tolist() == [int(number) >> bit & 1 for bit in range(count)]


def test_seats_to_act_are_numbered_in_an_observation_relative_to_the_observing_seat() -> None:
    for name in GAMES:
        match = match_with_random_options(name, random.Random(3))
        layout = layout_of(name, match.seats, match.options)
        names = [block.name for block in layout.blocks]
        for seat in range(match.seats):
            observation = layout.compact(match.known(seat))
            acting = int(observation[names.index("acting")])
            mine = int(match.state.acting) >> seat & 1
            assert acting & 1 == mine
            assert observation[names.index("viewer")] == seat


def test_observation_layout_refuses_full_states_and_views_of_other_games_or_seat_counts() -> None:
    name = GAMES[1]
    match = Match(name, 2, seed=bytes(32))
    layout = layout_of(name, 2)
    with pytest.raises(ValueError, match="not a state, which contains every secret"):
        layout.compact(match.state)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="for 2 seats, but the view has 3"):
        layout.compact(Match(name, 3, seed=bytes(32)).known(0))
    with pytest.raises(ValueError, match="expected a view of"):
        layout.compact(Match(GAMES[2], 2, seed=bytes(32)).known(0))


def test_hash_of_an_observation_layout_depends_on_the_seat_count_but_not_on_scoring_options() -> None:
    assert layout_of(GAMES[1], 2).hash != layout_of(GAMES[1], 3).hash
    assert layout_of(GAMES[1], 2).hash == layout_of(GAMES[1], 2, {"ender_tie": "doubled"}).hash
    assert "card in the grid of seat 1" in layout_of(GAMES[1], 2).readable_table()
