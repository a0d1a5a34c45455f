"""What one viewer witnessed of a match: log lines, and how many changes they could see."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.language import language, use_language
from facedown.core.match import Match
from facedown.core.step import Step
from facedown.core.table import LogLine, Sitter


class ViewerLog:
    """The log of one viewer and their version of the match.

    A viewer's version counts the actions that changed something for this viewer: it says no more than they saw. What
    the match counts (its plies) never leaves the session while the match is running.
    """

    def __init__(self, viewer: int, memory: bool, sitters: Sequence[Sitter], match: Match) -> None:
        self.viewer = viewer
        self.language = language()
        """It is told in this language, whoever makes the moves."""
        self.memory = memory
        self.sitters = tuple(sitters)
        self.lines: list[LogLine] = []
        self.changes: list[int] = []
        """The plies (counted from 1) that this viewer saw happen."""
        self._told: dict[int, Sequence[LogLine]] = {}
        """The lines that each of these plies brought."""
        for step in match.steps():
            self.witness(step)

    def witness(self, step: Step) -> None:
        """Witness one move; the deal tells nothing."""
        if step.move is None:
            return
        with use_language(self.language):
            told = step.lines(self.viewer, self.sitters)
        self.lines += told
        if told or step.move.seat == self.viewer or step.is_visible_to(self.viewer, self.memory):
            self.changes.append(step.ply)
            self._told[step.ply] = told

    @property
    def version(self) -> int:
        """How many changes this viewer saw."""
        return len(self.changes)

    def ply_of(self, version: int) -> int:
        """The ply after which this viewer stood at `version`; `ValueError` if they never did."""
        if not 0 <= version <= self.version:
            raise ValueError(f"version {version} of {self.version}")
        return self.changes[version - 1] if version else 0

    def lines_since(self, version: int) -> list[LogLine]:
        """The lines that came after a version of this viewer."""
        return [line for ply in self.changes[max(0, version) :] for line in self._told[ply]]

    def lines_of(self, ply: int) -> list[LogLine]:
        """The lines that one action brought; `ply` counts it from 1."""
        return list(self._told.get(ply, ()))
