"""What environments of Gymnasium and PettingZoo have in common: spaces, observations with a mask, a text to look at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from facedown.bots.observation import Layout
from facedown.core.state import View
from facedown.core.step import Views
from facedown.core.table import Sitter
from facedown.research.batch import BadBatch
from facedown.research.single import SingleMatch

RENDER_MODES = ["ansi", "human"]
#: The forms of an observation.
FORMS = ("compact", "one-hot")
#: Every kind of number of the compact form fits.
LEAST, MOST = np.iinfo(np.int16).min, np.iinfo(np.int16).max


def check_forms(form: str, render_mode: str | None = None) -> None:
    """`BadBatch` for a form of observations, or a way to render (None: not at all), that there is not."""
    if form not in FORMS:
        raise BadBatch(f"observation is one of {', '.join(FORMS)}, not {form!r}")
    if render_mode not in (None, *RENDER_MODES):
        raise BadBatch(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}")


def with_mask(layout: Layout, form: str, actions: int) -> spaces.Dict:
    """The space of an observation with the mask of legal actions."""
    seen: spaces.Space[Any] = spaces.Box(0.0, 1.0, (layout.one_hot_size,), np.float32)
    if form == "compact":
        seen = spaces.Box(LEAST, MOST, (layout.size,), np.int16)
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


def observed(match: SingleMatch, seat: int, form: str) -> NDArray[Any]:
    """The observation of a seat."""
    compact = match.observe(seat)
    return compact if form == "compact" else match.layout.spread_out(compact)


def observation_of(match: SingleMatch, seat: int, form: str) -> dict[str, NDArray[Any]]:
    """The observation of a seat with its mask, which is empty while it is not to act; new arrays."""
    compact, mask = match.seen(seat)
    return {"observation": compact if form == "compact" else match.layout.spread_out(compact), "action_mask": mask}


def rendered(match: SingleMatch, viewer: int, mode: str | None) -> str | None:
    """The `text_of` a viewer where the mode is "ansi"; printed where it is "human"."""
    text = None if mode is None else text_of(match, viewer)
    if mode == "human":
        print(text)
        return None
    return text


def text_of(match: SingleMatch, viewer: int) -> str:
    """What a viewer (a seat, or the spectator) may look at, in lines of text.

    It is drawn from the viewer's own table, as a page is.
    """
    return table_text(match.game.name, Views(match.game, match.state).shown(viewer), match)


def table_text(title: str, view: View, match: SingleMatch) -> str:
    """A view as a table in lines of text: who is at what, then what lies where."""
    sitters = [Sitter(f"seat_{seat}") for seat in range(match.seats)]
    return str(replace(match.game.tables.table(view, sitters), title=title))
