"""Interface between a table and its bots: levels, names, random seeds, and the data for one decision."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from facedown.bots.levels import Level
from facedown.core.bot import Bot
from facedown.core.state import View
from facedown.core.translation import Texts
from facedown.play.records import TableRecord
from facedown.play.unicode_safety import confusable_skeletons
from facedown.play.user_input import unique_name


class Bots(Protocol):
    """Protocol: the bots that can play at a table, one for each level of play."""

    @property
    def levels(self) -> Sequence[Level]:
        """The levels of play, weakest first."""

    def bot(self, level: str) -> Bot:
        """Return the bot of a level. Raise `KeyError` if the level does not exist."""


@dataclass(frozen=True, slots=True)
class BotTask:
    """Input for one decision of a bot. `ply` is the number of moves played before, and `seed` is for random choices."""

    ply: int
    seat: int
    level: str
    view: View
    seed: int


def offered_levels(bots: Bots) -> list[Level]:
    """Return the bot levels that players can choose in forms (``Level.offered`` is True), weakest first.

    The other levels of `bots` can be requested only by name.
    """
    return [level for level in bots.levels if level.offered]


def default_level(bots: Bots) -> str:
    """Return the key of the level that is preselected when a player chooses a bot.

    This is the weakest offered level whose field `usual` is True. If there is no such level, it is the strongest
    offered level. A level is offered if players can choose it in forms (``Level.offered`` is True).
    """
    levels = offered_levels(bots)
    return next((level.key for level in levels if level.usual), levels[-1].key)


#: Translates the names of levels. Their translations belong to the package `facedown.bots`.
_LEVELS = Texts("facedown.bots")


def level_name_and_description(level: Level) -> tuple[str, str]:
    """Return the name of a level and a description of its way of playing, in the active language.

    >>> level_name_and_description(Level("casual", "Casual", "plays the obvious move"))
    ('Casual', 'plays the obvious move')
    """
    return _LEVELS(level.label), _LEVELS(level.says)


#: Names for bots, in the order in which seated bots receive them.
BOT_NAMES = ("Juniper", "Wren", "Sol", "Ash", "Linden", "Rowan", "Hazel", "Fern")


def unused_bot_name(taken: Sequence[str]) -> str:
    """Return the first of `BOT_NAMES` that is not taken. If all are taken, append a number to the first one.

    `taken` are the names at the table. A bot name is also taken if a name at the table looks the same or nearly so, for
    example in capital letters (`unicode_safety.confusable_skeletons`).

    >>> unused_bot_name(["Mara", "Juniper"])
    'Wren'
    """
    there = frozenset[str]().union(*map(confusable_skeletons, taken))
    return next((name for name in BOT_NAMES if not confusable_skeletons(name) & there), "") or unique_name(
        BOT_NAMES[0], taken
    )


def with_standin(record: TableRecord, index: int, level: str) -> TableRecord:
    """Return the table's record with a bot of this level standing in for the absent person at seat `index`."""
    name = unused_bot_name([name for seat in record.seats for name in (seat.name, seat.standin_name)])
    return record.with_seat(index, replace(record.seats[index], standin=level, standin_name=name))


def bot_seed(seed: bytes, turn_start_ply: int, seat: int) -> int:
    """Return a random seed for one decision of a bot. The same decision always gets the same seed.

    The result is a hash of the match's seed, the seat, and `turn_start_ply`, the number of moves that were played
    before the seat had to act. The deal depends on the match's seed, but it cannot be inferred from the hash.
    """
    text = b"facedown bot\n" + seed + f"\n{turn_start_ply}\n{seat}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") >> 1
