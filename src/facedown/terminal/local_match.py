"""A match at this terminal: a table of `play` with one person, and its file, written after each move."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from facedown.bots import bot as bot_of
from facedown.bots.compile_process import Preparation
from facedown.bots.warm_up import STAGES
from facedown.core.hidden_cards import known_view
from facedown.core.match import Match
from facedown.core.match_file import MatchFile, write
from facedown.core.state import EMPTY, SPECTATOR, UNKNOWN, State
from facedown.core.table import LogLine, Table
from facedown.play import Change, Seat, Session, Settings, StoredMove
from facedown.play.new_tables import new_table_record
from facedown.play.records import Status
from facedown.terminal import saved_matches
from facedown.terminal.i18n import _
from facedown.terminal.typed_moves import Moves

#: The number of the one person here.
PERSON = 1


class LocalMatch:
    """A match at this terminal: the person's seat at a table, and where the match is kept.

    `bots` gives the level of each seat's bot. A match that has begun is gone on with. Whatever it is handed, the table
    plays a match of its own: `match`.
    """

    def __init__(
        self, match: Match, names: Sequence[str], bots: Mapping[int, str], me: int, path: Path, memory_aid: bool = False
    ) -> None:
        self.me = me
        self.path = path
        seats = tuple(
            Seat("bot", name, level=bots[seat], ready=True)
            if seat in bots
            else Seat("person", name, PERSON if seat == me else None, ready=True)
            for seat, name in enumerate(names)
        )
        settings = Settings(memory=memory_aid, hints=True)
        record = new_table_record(match.game.name, match.options, settings, seats, PERSON, time.time(), match.seed)
        status: Status = "finished" if match.over else "running"
        record = replace(record, code=path.stem, status=status, deal=match.deal, first=match.first)
        moves = [StoredMove(ply, move.seat, move.action, 0.0, f"file:{ply}") for ply, move in enumerate(match.moves)]
        self.session = Session(record, moves)
        self.moves_at_start = len(moves)
        """So many moves were there already: these are not taken back."""
        self.hints: Counter[int] = Counter()
        """How often a hint was asked for after each number of moves."""
        self.preparation = Preparation(match.game.name, done=len(STAGES))
        """What of the game is compiled."""
        self.seen_log_length = 0
        """The log's length before the person's last move: what follows is new to them."""

    # --- reading ------------------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match at the table."""
        return self.session.dealt_match

    @property
    def names(self) -> list[str]:
        """What everybody is called, by seat."""
        return [seat.name for seat in self.session.record.seats]

    @property
    def bots(self) -> dict[int, str]:
        """The level of the bot at each seat that has one."""
        return {index: seat.level for index, seat in enumerate(self.session.record.seats) if seat.kind == "bot"}

    @property
    def log(self) -> list[LogLine]:
        """What the person has seen happen."""
        return self.session.viewer_log(self.me).lines

    def table(self) -> Table:
        """What the person sees."""
        return self.session.table(self.me)

    def moves(self) -> Moves:
        """The moves that the person may type now; why others are not allowed follows from the person's own view."""
        match, me = self.match, self.me
        why_not = partial(match.game.why_not, match.known(me))
        return Moves(match.game, self.table(), match.legal(me), self.names, why_not)

    # --- playing ------------------------------------------------------------------------------------------------------

    def play(self, seat: int, action: int) -> list[LogLine]:
        """Play a move and write it to the file; return what the person saw of it. `Refusal` if it is not allowed."""
        return self._apply(self.session.move(seat, action, self.session.version(seat), now=time.time()))

    def bots_move(self, show: Callable[[str], None] = lambda text: None) -> Iterator[LogLine]:
        """Let the bots act until it is the person's turn, or the match is over.

        `show` gets a sentence when a bot has to wait for its code to be compiled.
        """
        while (task := self.session.bot_task()) is not None:
            if task.level in STAGES:
                self.preparation.wait(task.level, show)
            action = bot_of(task.level).choose(self.session.game, task.view, task.seat, task.seed)
            yield from self._apply(self.session.bot_move(task, action, time.time()))

    def _apply(self, change: Change | None) -> list[LogLine]:
        if change is None:
            return []
        self.session.apply(change)
        self.save()
        return self.session.viewer_log(self.me).lines_of(self.session.ply)

    def undo(self) -> str:
        """Take the person's last move back; returns why that cannot be, or nothing."""
        match = self.match
        if match.ply <= self.moves_at_start:
            return _("There is nothing to take back.")
        if match.moves[-1].seat != self.me:
            return _("Somebody else has moved since: that cannot be taken back.")
        if reveals_information(match.at(match.ply - 1).state, match.state):
            return _("That move has shown a card or used chance: it cannot be taken back.")
        # The same table without its last move: nothing of it is left, in no log.
        self.session = Session(replace(self.session.record, status="running"), self.session.moves[:-1])
        self.save()
        return ""

    def save(self) -> None:
        """Write the match file."""
        saved_matches.save(write(self.match, self.names, self.bots), self.path)


def reveals_information(before: State, after: State) -> bool:
    """Did anybody come to know a card between two states, or was chance used?"""
    if int(before.stream) != int(after.stream):
        return True
    for viewer in (*range(int(before.seats)), SPECTATOR):
        views = known_view(before, viewer), known_view(after, viewer)
        had, has = (Counter(kind for kind in view.card if kind not in (EMPTY, UNKNOWN)) for view in views)
        if has - had:
            return True
    return False


def resume_match(file: MatchFile, path: Path, level: str, memory_aid: bool = False) -> LocalMatch:
    """A sitting from a match file: the first seat that no bot has is the person's."""
    match = file.match
    me = next((seat for seat in range(match.seats) if seat not in file.bots), 0)
    bots = {seat: file.bots.get(seat, level) for seat in range(match.seats) if seat != me}
    return LocalMatch(match, file.names, bots, me, path, memory_aid)
