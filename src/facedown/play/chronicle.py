"""What one viewer witnessed of a match: log lines, and how many changes they could see."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np

from facedown.core.game import Game
from facedown.core.match import Match, Move, tell
from facedown.core.slots import look, observe
from facedown.core.table import Line, Sitter


class Chronicle:
    """The log of one viewer and their version of the match.

    A viewer's version counts the actions that changed something for this viewer: it says no more than they saw. What
    the match counts (its plies) never leaves the session while the match is running.
    """

    def __init__(self, game: Game, viewer: int, memory: bool, sitters: Sequence[Sitter]) -> None:
        self.game = game
        self.viewer = viewer
        self.memory = memory
        self.sitters = tuple(sitters)
        self.lines: list[Line] = []
        self.changes: list[int] = []
        """The plies (counted from 1) that this viewer saw happen."""
        self._told: list[int] = []
        """How many lines there were after each of these changes."""

    def replay(self, match: Match) -> None:
        """Witness a whole match so far."""
        before: Any = None
        for ply, (move, state) in enumerate(match.states()):
            if move is not None:
                self.witness(before, state, move, ply)
            before = state

    def witness(self, before: Any, after: Any, move: Move, ply: int) -> None:
        """Witness one action; `ply` counts it from 1."""
        told = tell(self.game, before, after, move, self.viewer, self.sitters)
        self.lines += told
        if told or move.seat == self.viewer or self._differs(before, after):
            self.changes.append(ply)
            self._told.append(len(self.lines))

    def _differs(self, before: Any, after: Any) -> bool:
        see = observe if self.memory else look
        old, new = see(before, self.viewer), see(after, self.viewer)
        return any(not np.array_equal(old[name], new[name]) for name in old.dtype.names)

    @property
    def version(self) -> int:
        """How many changes this viewer saw."""
        return len(self.changes)

    def ply_of(self, version: int) -> int:
        """The ply after which this viewer stood at `version`; `ValueError` if they never did."""
        if not 0 <= version <= self.version:
            raise ValueError(f"version {version} of {self.version}")
        return self.changes[version - 1] if version else 0

    def lines_since(self, version: int) -> list[Line]:
        """The lines that came after a version of this viewer."""
        told = self._told[version - 1] if 0 < version <= self.version else 0
        return self.lines[told:] if version <= self.version else []

    def lines_of(self, ply: int) -> list[Line]:
        """The lines that one action brought; `ply` counts it from 1."""
        at = bisect_right(self.changes, ply)
        if not at or self.changes[at - 1] != ply:
            return []
        return self.lines[self._told[at - 2] if at > 1 else 0 : self._told[at - 1]]

    def version_at(self, ply: int) -> int:
        """The version at which this viewer stood after `ply` actions."""
        return bisect_right(self.changes, ply)
