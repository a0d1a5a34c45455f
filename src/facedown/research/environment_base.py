"""Base of the Gymnasium and PettingZoo environments: one match with its observations and a rendering as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from facedown.bots.observation import ObservationLayout
from facedown.core.game_registry import GameModule
from facedown.core.move_with_views import Views
from facedown.core.table import Sitter
from facedown.research.batch import BadBatch
from facedown.research.single_match import SingleMatch

RENDER_MODES = ["ansi", "human"]
#: Forms of an observation (`bots.observation`). "compact" has the numbers of the seat's view as 16-bit integers.
#: "one-hot" has the same numbers encoded as one-hot vectors, bits and fractions.
FORMS = ("compact", "one-hot")
#: Smallest and largest number in an observation of the compact form, which has the type ``int16``.
LEAST, MOST = np.iinfo(np.int16).min, np.iinfo(np.int16).max


def check_form_and_render_mode(form: str, render_mode: str | None = None) -> None:
    """Raise `BadBatch` if `form` is not in `FORMS`, or if `render_mode` is neither None nor in `RENDER_MODES`."""
    if form not in FORMS:
        raise BadBatch(f"observation must be one of {', '.join(FORMS)}, not {form!r}")
    if render_mode not in (None, *RENDER_MODES):
        raise BadBatch(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {render_mode!r}")


def observation_space_with_mask(layout: ObservationLayout, form: str, actions: int) -> spaces.Dict:
    """Return the Gymnasium space of a dictionary with an observation and the mask of legal actions.

    The keys of the dictionary are "observation" and "action_mask".

    * `layout`: the layout of the observation, which has the length of each form.
    * `form`: "compact" for the numbers of the seat's view as 16-bit integers, "one-hot" for the same numbers encoded as
      floats from 0 to 1.
    * `actions`: the number of all actions of the game, which is the length of the mask.
    """
    seen: spaces.Space[Any] = spaces.Box(0.0, 1.0, (layout.one_hot_size,), np.float32)
    if form == "compact":
        seen = spaces.Box(LEAST, MOST, (layout.size,), np.int16)
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


class OneTable:
    """One match, with the observations, masks and text that an environment returns.

    `observation` is one of `FORMS`, and `render_mode` one of `RENDER_MODES` or None. All other arguments are those of
    `SingleMatch`.
    """

    def __init__(
        self,
        game: str | GameModule,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        observation: str = "compact",
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        check_form_and_render_mode(observation, render_mode)
        self.form, self.render_mode = observation, render_mode
        self.match = SingleMatch(game, seats, options, **settings)
        self.layout = self.match.layout

    def observation_and_mask_of(self, seat: int) -> dict[str, NDArray[Any]]:
        """Return the observation of a seat and its mask of legal actions, as a dictionary of new arrays.

        The mask is all zeros while the seat is not to act.
        """
        seen, mask = self.match.observation_and_mask(seat)
        return {
            "observation": seen if self.form == "compact" else self.layout.one_hot_from_compact(seen),
            "action_mask": mask,
        }

    def render_for(self, viewer: int) -> str | None:
        """Return a picture of the table, drawn in text. It shows only what `viewer` (a seat or the spectator) can see.

        If `render_mode` is "human", print the text instead and return None. If `render_mode` is None, return None.
        """
        if self.render_mode is None:
            return None
        match = self.match
        sitters = [Sitter(f"seat_{seat}") for seat in range(match.seats)]
        table = match.game.tables.table(Views(match.game, match.state).shown(viewer), sitters)
        text = str(replace(table, title=match.game.name))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None
