"""State records: their fields are attributes, and they can be copied to another process."""

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
def test_fields_are_attributes(name: str) -> None:
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
def test_states_are_copied_and_sent(name: str) -> None:
    view = Match(name, game(name).info.seats[0], seed=seed_from_text("sent")).known(0)
    sent = pickle.loads(pickle.dumps(view))
    for other in (sent, copy(view), copying.copy(view), copying.deepcopy(view)):
        assert type(other) is type(view)
        # Padding bytes may differ in copies that are not ours.
        assert all(np.array_equal(other[field], view[field]) for field in view.dtype.names)
        if other is not sent:  # what NumPy unpickles cannot be written to
            other.seats += 1
            assert other.seats == view.seats + 1
    batch = np.array([view, view], view.dtype)
    assert pickle.loads(pickle.dumps(batch))[1].seats == view.seats


def test_rules_that_differ_in_a_word_leave_states_as_they_are() -> None:
    """A declared position has one record type, whatever rules are made with it: a state is pickled by its name."""
    found = game("reveal").rules
    view = Match("reveal", 2, seed=seed_from_text("sent")).known(0)
    assert replace(found, action_kinds=None, choices={}).dtype is found.dtype
    assert pickle.loads(pickle.dumps(view)) == view


@pytest.mark.parametrize("name", catalogue())
def test_states_can_be_read(name: str) -> None:
    match = Match(name, game(name).info.seats[0], seed=seed_from_text("read"))
    lines = repr(match.state).split("\n")
    fields = [field for field in match.game.dtype.names if not field.startswith("of_")]
    assert [line.partition(":")[0].strip() for line in lines[1:]] == fields
    assert f"  seats: {match.seats}" in lines
    assert f"  key: {match.state.key.tolist()}" in lines
    view = repr(match.known(1)).split("\n")
    assert "  viewer: 1" in view
    assert f"  key: {[0] * 8}" in view, "a view has no key to print"


def told(value: Any) -> Any:
    """What an open view holds, as mappings and lists: nothing in it can be changed."""
    if hasattr(value, "_asdict"):
        return {name: told(part) for name, part in value._asdict().items()}
    assert isinstance(value, tuple | int)
    return [told(part) for part in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", catalogue())
def test_an_open_view_says_what_the_record_says_and_stays_as_it_is(name: str) -> None:
    """Logs and pages share it: whoever could write into it would change what others see."""
    match = Match(name, game(name).info.seats[0], seed=seed_from_text("open"))
    declaration = match.game.rules.record
    view = match.known(0)
    opened: Any = plain_view(view, declaration)
    assert plain_view(copy(view), declaration) is opened, "equal views are opened once"
    assert told(opened) == plain_fields(view)
    with pytest.raises(AttributeError):
        opened.seats = 9
    with pytest.raises(AttributeError, match="nothing"):
        _ = opened.nothing
    # Whoever writes into the record has another view.
    seats = int(view.seats)
    view.seats = seats + 1
    assert (opened.seats, plain_view(view, declaration).seats) == (seats, seats + 1)
