"""Non-interference of views: what a viewer is shown must not depend on anything that the viewer has not seen.

The check computes all data that the program makes for a viewer `v`: views, legal actions, table, log lines, JSON and
page. These *outputs* are computed twice: in a state `s`, and in a state `s2` that is equal in all that `v` knows, but
has random cards in place of those that `v` does not know::

    s2 = redeal(known_view(s, v), key)

The outputs must be equal. `leaking_output_names` yields the names of those that differ.

The project's tests also test this check. They call `leaking_output_names` with a function that makes a view (argument
`known`) or a page (argument `extra`) on which hidden cards are visible. The check must report this view or page.
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
#: Function (match, state, viewer) → what the viewer is shown besides the outputs of `views_actions_table_and_log`. The
#: result is a dictionary {name of the output: its content}.
Extra = Callable[[Match, State, int], dict[str, bytes]]


def viewers(match: Match) -> list[int]:
    """Return the numbers that stand for viewers: the seat numbers from 0, then `SPECTATOR` (8) for all spectators."""
    return [*range(match.seats), SPECTATOR]


def views_actions_table_and_log(
    match: Match, before: State, state: State, viewer: int, known: MakeView
) -> dict[str, bytes]:
    """Return the outputs that the program computes for a viewer, as a dictionary {name of the output: its content}.

    The outputs are:

    * "what is known": the view of all that the viewer knows, made by the function `known`.
    * "what is looked at": the view of what is visible to the viewer now, without cards seen only earlier.
    * "table": the table made from the view of what is visible now.
    * "table with the memory aid": the table made from the view of all that the viewer knows. So cards seen earlier stay
      visible.
    * "legal actions": those of the viewer's seat, computed once from `state` and once from the view of all that the
      viewer knows. A spectator has no such output. If the two results differ, another output is added. Its content is
      different for every state, so that `leaking_output_names` reports it.
    * "log": the log lines of the last move, which led from the state `before` to `state`; missing before the first
      move.

    Pages and JSON are not included (`page_and_json`).
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
    """Return the HTML and the JSON of the table that a viewer gets for `state`, as {"page": …, "JSON": …}."""
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
    """Yield the name of each output for a viewer that depends on cards which the viewer does not know.

    An output is anything that the program makes for a viewer: a view, the legal actions, the table, the log lines, the
    JSON or the page. For each viewer, the outputs for the real state of the match are compared with those for a second
    state: a random full deal that fits everything the viewer knows. An output that differs is a leak. Its name is
    yielded together with the viewer, for example "table, for seat 2".

    * `before`: the state before the last move.
    * `key`: the seed of the random deals, an array of eight 32-bit words.
    * `known`: makes the view of all that a viewer knows.
    * `extra`: returns the JSON and the page, or other outputs to compare besides those of
      `views_actions_table_and_log`.
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
