"""Non-interference: what a viewer is shown depends on nothing that the viewer has not been shown.

For any state `s`, viewer `v` and any ``s2 = redeal(observe(s, v), key)``, everything computed for `v` from `s` and from
`s2` must be equal. `interferences` names what differs; with `observe` or `tables` replaced by a double that leaks it
must name something (the tests plant such leaks).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from facedown.core import slots
from facedown.core.game import Happening
from facedown.core.match import Match, Move
from facedown.core.state import SPECTATOR, copy
from facedown.server.look import render_table
from tests.contract.driver import SITTERS

View = Callable[[Any, int], Any]
#: More that a viewer is shown of a state, by name.
Extra = Callable[[Match, Any, int], dict[str, bytes]]


def viewers(match: Match) -> list[int]:
    """All seats and a spectator."""
    return [*range(match.seats), SPECTATOR]


def shown_to(
    match: Match, before: Any, state: Any, viewer: int, observe: View = slots.observe, look: View = slots.look
) -> dict[str, bytes]:
    """Everything a viewer is shown of `state`, reached from `before` by the match's last move, as bytes by name."""
    game = match.game
    seen = observe(state, viewer)
    looked = look(state, viewer)
    table = game.tables.table(looked, SITTERS[: match.seats])
    aided = game.tables.table(seen, SITTERS[: match.seats])
    out = {
        "what is known": seen.tobytes(),
        "what is looked at": looked.tobytes(),
        "table": repr(table).encode(),
        "table with the memory aid": repr(aided).encode(),
    }
    if viewer != SPECTATOR:
        out["legal actions"] = repr((game.legal(state, viewer), game.legal(seen, viewer))).encode()
        if game.legal(state, viewer) != game.legal(seen, viewer):
            out["legal actions differ between state and view"] = bytes(str(id(state)), "ascii")
    if match.moves:
        out["log"] = json.dumps([line.text for line in told(match, before, state, match.moves[-1], viewer)]).encode()
    return out


def as_sent(match: Match, state: Any, viewer: int) -> dict[str, bytes]:
    """The page and the JSON a viewer is sent."""
    table = match.game.tables.table(slots.look(state, viewer), SITTERS[: match.seats])
    return {"JSON": json.dumps(table.to_json()).encode(), "page": render_table(table).encode()}


def told(match: Match, before: Any, after: Any, move: Move, viewer: int) -> list[Any]:
    """The log lines of a move for a viewer."""
    tables = match.game.tables
    action = move.action if move.seat == viewer or tables.open_to(move.action) else None
    happening = Happening(slots.look(before, viewer), slots.look(after, viewer), viewer, move.seat, action)
    return list(tables.tell(happening, SITTERS[: match.seats]))


def interferences(
    match: Match,
    before: Any,
    key: np.ndarray[Any, Any],
    observe: View = slots.observe,
    look: View = slots.look,
    extra: Extra = lambda match, state, viewer: {},
    watched: Sequence[int] | None = None,
) -> Iterator[str]:
    """What differs between the match's state and other worlds that fit what each viewer (or each watched one) knows."""
    for viewer in viewers(match) if watched is None else watched:
        after2 = slots.redeal(slots.observe(match.state, viewer), key)
        before2 = slots.redeal(slots.observe(before, viewer), key)
        real = shown_to(match, before, match.state, viewer, observe, look) | extra(match, match.state, viewer)
        other = shown_to(match, before2, after2, viewer, observe, look) | extra(match, after2, viewer)
        for name in real.keys() | other.keys():
            if real.get(name) != other.get(name):
                yield f"{name}, for {'the spectator' if viewer == SPECTATOR else f'seat {viewer}'}"


def forgetful(slot: int) -> View:
    """A planted leak: an `observe` that forgets to blank one slot."""

    def observe(state: Any, viewer: int) -> Any:
        view = slots.observe(state, viewer)
        view.card[slot] = copy(state).card[slot]
        return view

    return observe
