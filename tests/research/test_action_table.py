"""Action tables: every kind of action is declared, all actions differ, and parameters match the words."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np
import pytest

from facedown.check.random_matches import GAMES
from facedown.core.actions import decode_parameters
from facedown.core.field_meanings import Bits, Number, OneOf, Seat
from facedown.core.game_registry import game
from facedown.research.action_parameters import action_table_of
from facedown.research.batch import BatchEnv
from tests.not_none import given


@pytest.mark.parametrize("name", GAMES)
def test_each_kind_of_action_has_as_many_actions_as_its_parameters_have_combinations(name: str) -> None:
    acts = given(game(name).rules.action_kinds)
    firsts = [*map(int, acts), game(name).actions]
    counted = {kind: end - first for kind, first, end in zip(acts, firsts, firsts[1:], strict=False)}
    assert counted == {kind: prod(len(one.values) for one in game(name).rules.choices.get(kind, ())) for kind in acts}


@pytest.mark.parametrize("name", GAMES)
def test_no_two_actions_have_the_same_row_in_the_action_table(name: str) -> None:
    table = action_table_of(name)
    assert table.compact.shape == (game(name).actions, len(table.column_names))
    assert len(np.unique(table.compact, axis=0)) == game(name).actions
    assert len(np.unique(table.one_hot, axis=0)) == game(name).actions


@pytest.mark.parametrize("name", GAMES)
def test_action_table_columns_with_equal_names_have_equal_meanings_and_stay_in_range(name: str) -> None:
    meant: dict[str, object] = {}
    for choices in game(name).rules.choices.values():
        for choice in choices:
            assert meant.setdefault(choice.name, choice.meaning) == choice.meaning
    table = action_table_of(name)
    for column, numbers in zip(table.columns, table.compact.T, strict=True):
        match column.meaning:
            case OneOf(count, 0):
                low, high = -1, count - 1
            case Number(low, high):
                pass
            case Bits(count):
                assert np.bitwise_or.reduce(numbers) == (1 << count) - 1
                continue
            case Seat():
                low, high = -1, game(name).info.seats[1] - 1
            case other:
                pytest.fail(f"{column.name}: {other}")
        assert low <= numbers.min()
        assert numbers.max() == high


@pytest.mark.parametrize("name", GAMES)
def test_one_hot_action_table_encodes_the_same_kinds_of_actions_as_the_compact_one(name: str) -> None:
    table = action_table_of(name)
    assert table.one_hot.min() == 0.0
    assert table.one_hot.max() == 1.0
    kinds = len(given(game(name).rules.action_kinds))
    assert (table.one_hot[:, :kinds].argmax(axis=1) == table.compact[:, 0]).all()
    assert (table.one_hot[:, :kinds].sum(axis=1) == 1.0).all()


@pytest.mark.parametrize(
    ("name", "words", "picks"),
    [
        ("reveal", "swap 1 3", {"swapped": 0b101}),
        ("detect", "take c1", {"cells": 1 << 6}),
        ("detect", "open a3 c1", {"cells": 1 << 2 | 1 << 6}),
        ("reveille", "bid 42", {"bid": 42}),
        ("uncovered", "swap 3 2 1", {"other": 2, "own place": 2, "their place": 0}),
        ("scout", "show 2-4", {"place": 1, "cards": 3}),
        ("scout", "scout right turned at 5", {"way": 3, "place": 5}),
        ("scout", "scout left kept at 0 and show", {"way": 0, "place": 0}),
        ("scout", "flip", {}),
    ],
)
def test_parameters_of_an_action_match_the_text_of_the_action(name: str, words: str, picks: dict[str, int]) -> None:
    action = game(name).words.parse(words)
    assert decode_parameters(given(game(name).rules.action_kinds), game(name).rules.choices, action) == picks
    env = BatchEnv(name, 1)
    row = dict(zip(env.action_table.column_names, env.action_table.compact[action].tolist(), strict=True))
    assert {choice: row[choice] for choice in picks} == picks


def test_a_negative_action_number_raises_value_error_when_its_parameters_are_decoded() -> None:
    with pytest.raises(ValueError, match="there is no action -1"):
        decode_parameters(given(game(GAMES[0]).rules.action_kinds), {}, -1)


def test_action_table_of_a_game_without_declared_kinds_of_actions_is_one_hot() -> None:
    declared = game(GAMES[0])
    rules = replace(declared.rules, action_kinds=None, choices={})
    table = action_table_of(replace(declared, rules=rules))
    assert table.column_names == ("action",)
    assert table.one_hot.tolist() == np.eye(declared.actions).tolist()
