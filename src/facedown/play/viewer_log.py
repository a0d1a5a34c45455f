"""Log of a match for one viewer: the log lines that this viewer may read, and the viewer's *version* of the match.

The version is the number of actions whose effects the viewer has seen. A client sends it to the server to say how much
of the match the client knows.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.match import Match
from facedown.core.move_with_views import Step
from facedown.core.state import SPECTATOR
from facedown.core.table import LogLine
from facedown.core.translation import language, use_language
from facedown.play.records import Seat, sitters_at_move


class ViewerLog:
    """Log lines of one viewer in one language, and the version of the match for that viewer.

    The version is the number of actions so far that changed something visible to this viewer. It discloses nothing
    hidden. The number of all actions is not sent to anyone while the match is running.

    A player who took the seat over from a bot sees of all earlier actions only what spectators see.
    """

    def __init__(self, viewer: int, memory: bool, seats: Sequence[Seat], match: Match) -> None:
        self.viewer = viewer
        self.language = language()
        """Language of the log lines. It does not depend on the language of the request by which a move is made."""
        self.memory = memory
        self.seats = tuple(seats)
        self.lines: list[LogLine] = []
        self.changes: list[int] = []
        """The numbers, counted from 1, of the actions that changed something for this viewer."""
        self._told: dict[int, Sequence[LogLine]] = {}
        """Log lines by the number of their action. The actions are those in `changes`."""
        for step in match.steps():
            self.record_step(step)

    def record_step(self, step: Step) -> None:
        """Add the log lines of an action. If the viewer saw a change, also add 1 to `version`.

        `version` is the number of actions whose effects the viewer has seen. The viewer's own actions always count.
        `step` is the result of the action. A step without an action (the deal) adds nothing.
        """
        if step.move is None:
            return
        viewer = self.viewer
        if viewer != SPECTATOR and step.ply <= self.seats[viewer].since:
            viewer = SPECTATOR
        with use_language(self.language):
            told = step.lines(viewer, sitters_at_move(self.seats, step.ply))
        self.lines += told
        if told or step.move.seat == viewer or step.is_visible_to(viewer, self.memory):
            self.changes.append(step.ply)
            self._told[step.ply] = told

    @property
    def version(self) -> int:
        """Number of actions so far that changed something visible to this viewer, including all the viewer's own."""
        return len(self.changes)

    def ply_of(self, version: int) -> int:
        """Return how many actions of the match had been played when the viewer's version became `version`.

        A viewer's version is the number of actions whose effects the viewer has seen. Other actions change nothing that
        the viewer can see. The result counts all actions, so it is equal to `version` or greater. If `version` is 0,
        the result is 0.

        Raise `ValueError` if `version` is negative, or greater than the viewer's current version.
        """
        if not 0 <= version <= self.version:
            raise ValueError(f"version {version} of {self.version}")
        return self.changes[version - 1] if version else 0

    def lines_since(self, version: int) -> list[LogLine]:
        """Return the log lines that a client with version `version` does not have yet.

        A version is the number of actions whose effects the viewer has seen. The result has the lines of all later
        actions. If `version` is 0 or negative, the result has all lines. If `version` is the viewer's current version
        or greater, the result is empty.
        """
        return [line for ply in self.changes[max(0, version) :] for line in self._told[ply]]

    def lines_of(self, ply: int) -> list[LogLine]:
        """Return the log lines of the action with number `ply`, counted from 1; empty if the viewer saw no change."""
        return list(self._told.get(ply, ()))
