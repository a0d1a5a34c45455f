"""Non-interference of views: what a viewer is shown must not depend on anything that the viewer has not seen.

The check compares outputs for a viewer `v` in two states: any state `s`, and another full deal `s2` that fits the view,
``redeal(known_view(s, v), key)``. Everything computed for `v` from both must be equal. `leaking_output_names` names the
outputs that differ.

The project's tests replace `known_view` or `tables` by versions that leak hidden cards. They check that
`leaking_output_names` finds the difference.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from facedown.check.random_matches import SITTERS
from facedown.core import hidden_cards
from facedown.core.match import Match, Move, move_log_lines
from facedown.core.state import SPECTATOR, State, View, to_bytes
from facedown.core.table import LogLine
from facedown.server.rendering import render_table_or_result

#: Function (state, viewer) → the viewer's view of the state.
MakeView = Callable[[State, int], View]
#: Function (match, state, viewer) → further outputs for the viewer, by name.
Extra = Callable[[Match, State, int], dict[str, bytes]]


def viewers(match: Match) -> list[int]:
    """Return the viewer numbers of all seats and the spectator."""
    return [*range(match.seats), SPECTATOR]


def views_actions_table_and_log(
    match: Match, before: State, state: State, viewer: int, known: MakeView
) -> dict[str, bytes]:
    """Return everything that the program computes for a viewer, except pages and JSON, as bytes by name.

    The last move of the match led from the state `before` to `state`. `known` is the function that makes the view of
    what the viewer knows.
    """
    game, seen, looked = match.game, known(state, viewer), hidden_cards.shown_view(state, viewer)
    out = {
        "what is known": to_bytes(seen),
        "what is looked at": to_bytes(looked),
        "table": repr(game.tables.table(looked, SITTERS[: match.seats])).encode(),
        "table with the memory aid": repr(game.tables.table(seen, SITTERS[: match.seats])).encode(),
    }
    if viewer != SPECTATOR:
        out["legal actions"] = repr((game.legal(state, viewer), game.legal(seen, viewer))).encode()
        if game.legal(state, viewer) != game.legal(seen, viewer):
            out["legal actions differ between state and view"] = bytes(str(id(state)), "ascii")
    if match.moves:
        out["log"] = json.dumps(
            [line.text for line in log_lines(match, before, state, match.moves[-1], viewer)]
        ).encode()
    return out


def page_and_json(match: Match, state: State, viewer: int) -> dict[str, bytes]:
    """Return the HTML of the table and the JSON that a viewer gets for `state`, as bytes by name."""
    table = match.game.tables.table(hidden_cards.shown_view(state, viewer), SITTERS[: match.seats])
    return {"JSON": json.dumps(table.to_json()).encode(), "page": render_table_or_result(table).encode()}


def log_lines(match: Match, before: State, after: State, move: Move, viewer: int) -> list[LogLine]:
    """Return a viewer's log lines for a move that led from the state `before` to `after`."""
    return list(move_log_lines(match.game, before, after, move, viewer, SITTERS[: match.seats]))


def leaking_output_names(
    match: Match,
    before: State,
    key: NDArray[np.uint32],
    known: MakeView = hidden_cards.known_view,
    extra: Extra = page_and_json,
    watched: Sequence[int] | None = None,
) -> Iterator[str]:
    """Yield the names of outputs for a viewer that depend on cards which the viewer does not know.

    For each viewer, the outputs for the real state of the match are compared with the outputs for a second state: a
    random full deal that fits everything the viewer knows. An output leaks if it differs.

    * `before`: the state before the last move.
    * `key`: the seed of the random deals, an array of eight 32-bit words.
    * `known`: makes the view of what a viewer knows.
    * `extra`: returns further outputs to compare.
    * `watched`: the viewers to check; None means all.
    """
    for viewer in viewers(match) if watched is None else watched:
        after2 = hidden_cards.redeal(hidden_cards.known_view(match.state, viewer), key)
        before2 = hidden_cards.redeal(hidden_cards.known_view(before, viewer), key)
        real = views_actions_table_and_log(match, before, match.state, viewer, known) | extra(
            match, match.state, viewer
        )
        other = views_actions_table_and_log(match, before2, after2, viewer, known) | extra(match, after2, viewer)
        for name in real.keys() | other.keys():
            if real.get(name) != other.get(name):
                yield f"{name}, for {'the spectator' if viewer == SPECTATOR else f'seat {viewer}'}"
