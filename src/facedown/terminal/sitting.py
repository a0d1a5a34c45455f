"""A match at this terminal: who sits where, what the person has seen, and its file, written after each move."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from facedown.bots import bot as bot_of
from facedown.bots import seated
from facedown.core.match import Match, Move, tell
from facedown.core.notation import MatchFile, write
from facedown.core.slots import observe
from facedown.core.state import EMPTY, SPECTATOR, UNKNOWN, copy
from facedown.core.table import Line, Sitter, Table
from facedown.terminal import entry, saves


@dataclass
class Sitting:
    """A match at this terminal: who sits where, what the person has seen, and what is on the screen."""

    match: Match
    names: tuple[str, ...]
    bots: dict[int, str]
    me: int
    path: Path
    memory_aid: bool = False
    log: list[Line] = field(default_factory=list)
    before: list[Any] = field(default_factory=list)
    """The states before each move of this sitting, to undo."""
    turns: int = 0
    """The log's length before the person's last move: what follows is new to them."""

    @property
    def sitters(self) -> list[Sitter]:
        """Who sits at the table."""
        return [Sitter(name, seat in self.bots) for seat, name in enumerate(self.names)]

    def table(self) -> Table:
        """What the person sees."""
        return self.match.table(self.me, self.sitters, self.memory_aid).with_log(self.log)

    def typed(self) -> set[str]:
        """The words that the person's moves are typed with."""
        legal = self.match.legal(self.me)
        return {word for action in legal for word in re.split(r"[\s,-]+", self.words(action).lower())}

    @property
    def handles(self) -> tuple[str, ...]:
        """What players are called in a typed move."""
        return entry.handles(self.names)

    def words(self, action: int) -> str:
        """A move as it is typed."""
        return entry.said(self.match.game, action, self.handles)

    def play(self, seat: int, action: int) -> list[Line]:
        """Play a move and write it to the file; return what the person saw of it."""
        before = copy(self.match.state)
        self.match.play(seat, action)
        self.before.append(before)
        told = list(tell(self.match.game, before, self.match.state, Move(seat, action), self.me, self.sitters))
        self.log += told
        self.save()
        return told

    def bots_move(self) -> Iterator[Line]:
        """Let every bot that is to act do so, until only the person is left or nobody."""
        while True:
            waiting = [seat for seat in self.match.acting if seat in self.bots]
            if not waiting:
                return
            seat = waiting[0]
            word = f"{self.match.seed.hex()} {self.match.ply} {seat}"
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
            yield from self.play(seat, seated(bot_of(self.bots[seat]), self.match, seat, seed))

    def undo(self) -> str:
        """Take the person's last move back; returns why that cannot be, or nothing."""
        if not self.before or not self.match.moves:
            return "There is nothing to take back."
        if self.match.moves[-1].seat != self.me:
            return "Somebody else has moved since: that cannot be taken back."
        if revealed(self.before[-1], self.match.state):
            return "That move has shown a card or used chance: it cannot be taken back."
        self.match.moves.pop()
        self.match.state = self.before.pop()
        self.log = self.match.log(self.me, self.sitters)
        self.save()
        return ""

    def save(self) -> None:
        """Write the match file."""
        saves.save(write(self.match, self.names, self.bots), self.path)


def revealed(before: Any, after: Any) -> bool:
    """Did anybody come to know a card between two states, or was chance used?"""
    if int(before.stream) != int(after.stream):
        return True
    for viewer in (*range(int(before.seats)), SPECTATOR):
        old, new = observe(before, viewer), observe(after, viewer)
        had = Counter(int(kind) for kind in old.card if kind not in (EMPTY, UNKNOWN))
        has = Counter(int(kind) for kind in new.card if kind not in (EMPTY, UNKNOWN))
        if has - had:
            return True
    return False


def resumed(file: MatchFile, path: Path, level: str) -> Sitting:
    """A sitting from a match file: the first seat that no bot has is the person's."""
    match = file.match
    people = [seat for seat in range(match.seats) if seat not in file.bots]
    me = people[0] if people else 0
    bots = {seat: file.bots.get(seat, level) for seat in range(match.seats) if seat != me}
    sitting = Sitting(match, file.names, bots, me, path)
    sitting.log = match.log(me, sitting.sitters)
    return sitting
