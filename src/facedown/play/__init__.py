"""A table where people and bots sit: seats, readiness, moves with versions, stand-ins, what each viewer witnessed.

Nothing here knows HTTP or SQL. A `Session` answers a request with a `Change`; whoever keeps tables writes the change
down and only then lets the session `apply` it, so that what was acknowledged is never lost.
"""

from facedown.bots.levels import Level
from facedown.core.bot import Bot
from facedown.play.bots import Bots, BotTask, offered, usual
from facedown.play.names import clean_chat, clean_name, new_code
from facedown.play.new_tables import NewSeat, new_table
from facedown.play.presence import Presence
from facedown.play.records import Change, Played, Refusal, Said, Seat, Settings, TableRecord
from facedown.play.session import Session
from facedown.play.viewer_log import ViewerLog

__all__ = [
    "Bot",
    "BotTask",
    "Bots",
    "Change",
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
    "ViewerLog",
    "clean_chat",
    "clean_name",
    "new_code",
    "new_table",
    "offered",
    "usual",
]
