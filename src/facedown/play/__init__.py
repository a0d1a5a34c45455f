"""A table where people and bots sit: seats, readiness, moves with versions, stand-ins, what each viewer witnessed.

Nothing here knows HTTP or SQL. A `Session` answers a wish with a `Change`; whoever keeps tables writes the change down
and only then lets the session `take` it, so that what was acknowledged is never lost.
"""

from facedown.play.bots import Bot, Bots, Level, offered, usual
from facedown.play.chronicle import Chronicle
from facedown.play.making import NewSeat, new_table
from facedown.play.names import clean_chat, clean_name, new_code
from facedown.play.presence import Presence
from facedown.play.records import Change, Played, Refusal, Said, Seat, Settings, TableRecord
from facedown.play.session import BotTask, Session

__all__ = [
    "Bot",
    "BotTask",
    "Bots",
    "Change",
    "Chronicle",
    "Level",
    "NewSeat",
    "Played",
    "Presence",
    "Refusal",
    "Said",
    "Seat",
    "Session",
    "Settings",
    "TableRecord",
    "clean_chat",
    "clean_name",
    "new_code",
    "new_table",
    "offered",
    "usual",
]
