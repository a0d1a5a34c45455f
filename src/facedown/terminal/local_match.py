"""Match in the terminal between one person and bots.

The game table exists only in the memory of this process. The match is saved to a file after each move.
"""

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
from facedown.core.match import Match
from facedown.core.match_actions import RESIGN, is_game_action
from facedown.core.match_file import MatchFile, write
from facedown.core.table import LogLine, Table
from facedown.play import Change, Seat, Session, Settings, StoredMove, agreements
from facedown.play.new_tables import new_table_record
from facedown.play.records import Status
from facedown.terminal import saved_matches
from facedown.terminal.typed_moves import Moves

#: Id of the only person in the session.
PERSON = 1


class LocalMatch:
    """A match of the player at this terminal against bots, with the file in which it is saved.

    * `match`: the match to play; it may already have moves. It is copied, and the property `match` is the copy.
    * `bots`: maps the seats of bots to the names of their levels (playing strengths).
    * `me`: the player's seat.
    * `memory_aid`: if True, the table shows all cards that the player has seen.
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
        self.hints: Counter[int] = Counter()
        """Number of hints requested at each position, by the number of moves played before."""
        self.preparation = Preparation(match.game.name, done=len(STAGES))
        """Compilation of the code of bots and coach in the background."""
        self.seen_log_length = 0
        """Number of log lines before the player's last move. The later lines are new to the player."""
        self.asks_before_costly_moves = True
        """Whether the player must confirm costly moves."""

    # --- state --------------------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match with all moves made so far. It is a copy of the match given to `__init__`."""
        return self.session.dealt_match

    @property
    def names(self) -> list[str]:
        """Name of each player, by seat."""
        return [seat.name for seat in self.session.record.seats]

    @property
    def bot_levels_by_seat(self) -> dict[int, str]:
        """Name of the level (playing strength) of each bot, by seat. The seats of persons are left out."""
        return {index: seat.level for index, seat in enumerate(self.session.record.seats) if seat.kind == "bot"}

    @property
    def log(self) -> list[LogLine]:
        """Log lines that the player may read."""
        return self.session.viewer_log(self.me).lines

    def table(self) -> Table:
        """Return the table as the player sees it."""
        return self.session.table(self.me)

    def moves(self) -> Moves:
        """Return the moves that the player may type now.

        The result can also explain why a typed move is not allowed. The explanation uses only the player's view.
        """
        match, me = self.match, self.me
        why_not = partial(match.game.why_not, match.known(me))
        return Moves(match.game, self.table(), match.legal(me), self.names, why_not)

    # --- moves --------------------------------------------------------------------------------------------------------

    def play(self, seat: int, action: int) -> list[LogLine]:
        """Play a move of `seat` and save the match. Return the log lines that the player sees.

        `action` may also be one of `core.match_actions`. Then `seat` must be the player's seat. If the player resigns
        in a match of more than two seats, no move is made, but a bot plays on for the player.

        Raise `Refusal` if the move is not allowed.
        """
        now = time.time()
        if is_game_action(action):
            change = self.session.move(seat, action, self.session.version(seat), now=now)
        elif action == RESIGN:
            change = agreements.resign(self.session, PERSON, next(iter(self.bot_levels_by_seat.values())), now)
        else:
            change = agreements.propose(self.session, PERSON, action, now)
        return self._apply_and_save(change)

    def let_bots_move(self, show: Callable[[str], None] = lambda text: None) -> Iterator[LogLine]:
        """Let the bots move until it is the player's turn or the match is over. Yield the new lines of the player's
        log.

        `show` is called with a message if a bot has to wait until its code is compiled.
        """
        while (task := self.session.bot_task()) is not None:
            if task.level in STAGES:
                self.preparation.wait(task.level, show)
            action = bot_of(task.level).choose(self.session.game, task.view, task.seat, task.seed)
            yield from self._apply_and_save(self.session.bot_move(task, action, time.time()))

    def _apply_and_save(self, change: Change | None) -> list[LogLine]:
        if change is None:
            return []
        self.session.apply(change)
        self.save()
        return [] if change.move is None else self.session.viewer_log(self.me).lines_of(self.session.ply)

    def save(self) -> None:
        """Write the match to its file, at `path`."""
        saved_matches.save(write(self.match, self.names, self.bot_levels_by_seat), self.path)


def resume_match(file: MatchFile, path: Path, level: str, memory_aid: bool = False) -> LocalMatch:
    """Return the match of a match file, to be continued. The player takes the first seat without a bot.

    If other seats have no bot in the file, bots of level `level` take them. The match is saved to `path`.
    """
    match = file.match
    me = next((seat for seat in range(match.seats) if seat not in file.bots), 0)
    bots = {seat: file.bots.get(seat, level) for seat in range(match.seats) if seat != me}
    return LocalMatch(match, file.names, bots, me, path, memory_aid)
