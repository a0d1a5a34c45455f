"""What a table asks of bots. The bots themselves are handed in."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from facedown.bots.levels import Level
from facedown.core.bot import Bot
from facedown.core.language import Texts
from facedown.core.state import View
from facedown.play.records import TableRecord
from facedown.play.unicode_safety import confusable_skeletons
from facedown.play.user_input import unique_name


class Bots(Protocol):
    """The bots that can be seated."""

    @property
    def levels(self) -> Sequence[Level]:
        """The levels, weakest first."""

    def bot(self, level: str) -> Bot:
        """The bot of a level; `KeyError` if there is none."""


@dataclass(frozen=True, slots=True)
class BotTask:
    """A bot is to act: all it is given."""

    ply: int
    seat: int
    level: str
    view: View
    seed: int


def offered_levels(bots: Bots) -> list[Level]:
    """The levels that a form offers, weakest first."""
    return [level for level in bots.levels if level.offered]


def default_level(bots: Bots) -> str:
    """The key of the level for whoever names none: the one marked so, else the strongest on offer."""
    levels = offered_levels(bots)
    return next((level.key for level in levels if level.usual), levels[-1].key)


#: The levels are named where the bots are.
_LEVELS = Texts("facedown.bots")


def level_name_and_description(level: Level) -> tuple[str, str]:
    """(a level's name, how it plays), in the language that is spoken.

    >>> level_name_and_description(Level("casual", "Casual", "plays the obvious move"))
    ('Casual', 'plays the obvious move')
    """
    return _LEVELS(level.label), _LEVELS(level.says)


#: Names for bots, in the order in which they take a seat.
BOT_NAMES = ("Juniper", "Wren", "Sol", "Ash", "Linden", "Rowan", "Hazel", "Fern")


def bot_name(taken: Sequence[str]) -> str:
    """The first bot's name that nobody at the table has.

    >>> bot_name(["Mara", "Juniper"])
    'Wren'
    """
    there = frozenset[str]().union(*map(confusable_skeletons, taken))
    return next((name for name in BOT_NAMES if not confusable_skeletons(name) & there), "") or unique_name(
        BOT_NAMES[0], taken
    )


def with_standin(record: TableRecord, index: int, level: str) -> TableRecord:
    """The record with a bot of a level that plays for a person."""
    name = bot_name([name for seat in record.seats for name in (seat.name, seat.standin_name)])
    return record.with_seat(index, replace(record.seats[index], standin=level, standin_name=name))


def bot_seed(seed: bytes, since: int, seat: int) -> int:
    """Luck of a bot's own: from it nothing can be learnt of the deal, and the same task gets the same."""
    text = b"facedown bot\n" + seed + f"\n{since}\n{seat}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") >> 1
