"""State records: fields are attributes, and records can be copied and pickled."""

from __future__ import annotations

import copy as copying
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from facedown.core.game_registry import catalogue, game
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import blank, copy, plain_fields, plain_view


@pytest.mark.parametrize("name", catalogue())
def test_fields_of_a_state_record_can_be_read_and_set_as_attributes(name: str) -> None:
    state = blank(game(name).dtype)
    for field in game(name).dtype.names or ():
        assert np.array_equal(getattr(state, field), state[field])
    state.seats = 3
    state.sealed[1] = 7
    assert (state["seats"], list(state["sealed"][:3])) == (3, [0, 7, 0])
    with pytest.raises(AttributeError):
        state.seat = 3
    with pytest.raises(AttributeError):
        _ = state.seat
    batch = np.zeros(2, game(name).dtype)
    batch[1].seats = 5
    assert list(batch["seats"]) == [0, 5], "a record of a batch is a part of it"


@pytest.mark.parametrize("name", catalogue())
def test_copied_and_unpickled_position_records_equal_the_original(name: str) -> None:
    view = Match(name, game(name).info.seats[0], seed=seed_from_text("sent")).known(0)
    sent = pickle.loads(pickle.dumps(view))
    for other in (sent, copy(view), copying.copy(view), copying.deepcopy(view)):
        assert type(other) is type(view)
        # NumPy's own copies may differ in padding bytes.
        assert all(np.array_equal(other[field], view[field]) for field in view.dtype.names)
        if other is not sent:  # a record that NumPy unpickles is read-only
            other.seats += 1
            assert other.seats == view.seats + 1
    batch = np.array([view, view], view.dtype)
    assert pickle.loads(pickle.dumps(batch))[1].seats == view.seats


def test_rule_sets_of_the_same_game_share_one_record_type_so_positions_can_be_pickled() -> None:
    """A declared position has one record type for all rule sets, because a state is pickled by the type's name."""
    found = game("reveal").rules
    view = Match("reveal", 2, seed=seed_from_text("sent")).known(0)
    assert replace(found, action_kinds=None, choices={}).dtype is found.dtype
    assert pickle.loads(pickle.dumps(view)) == view


@pytest.mark.parametrize("name", catalogue())
def test_repr_of_a_state_lists_its_fields(name: str) -> None:
    match = Match(name, game(name).info.seats[0], seed=seed_from_text("read"))
    lines = repr(match.state).split("\n")
    fields = [field for field in match.game.dtype.names if not field.startswith("of_")]
    assert [line.partition(":")[0].strip() for line in lines[1:]] == fields
    assert f"  seats: {match.seats}" in lines
    assert f"  key: {match.state.key.tolist()}" in lines
    view = repr(match.known(1)).split("\n")
    assert "  viewer: 1" in view
    assert f"  key: {[0] * 8}" in view, "a view has no key to print"


def to_plain(value: Any) -> Any:
    """Return a plain view as dicts and lists. Its values are immutable."""
    if hasattr(value, "_asdict"):
        return {name: to_plain(part) for name, part in value._asdict().items()}
    assert isinstance(value, tuple | int)
    return [to_plain(part) for part in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", catalogue())
def test_a_plain_python_copy_of_a_view_equals_the_record_and_is_immutable(name: str) -> None:
    """Logs and pages share a plain view, so a change in one place would be seen in others."""
    match = Match(name, game(name).info.seats[0], seed=seed_from_text("open"))
    declaration = match.game.rules.record
    view = match.known(0)
    opened: Any = plain_view(view, declaration)
    assert plain_view(copy(view), declaration) is opened, "equal views are opened once"
    assert to_plain(opened) == plain_fields(view)
    with pytest.raises(AttributeError):
        opened.seats = 9
    with pytest.raises(AttributeError, match="nothing"):
        _ = opened.nothing
    # A changed record has another plain view.
    seats = int(view.seats)
    view.seats = seats + 1
    assert (opened.seats, plain_view(view, declaration).seats) == (seats, seats + 1)
