"""Game tables for persons and bots: seats, moves, clocks, chat, and a log for each viewer.

A stand-in is a bot that plays for an absent player. This package contains no HTTP and no SQL.

A `Session` is one table in memory. It answers an accepted request with a `Change`, without modifying itself. The caller
first saves the change and then passes it to `Session.apply`, so an acknowledged move is never lost.
"""

from facedown.bots.levels import Level as Level
from facedown.core.bot import Bot as Bot
from facedown.play.bot_interface import Bots as Bots
from facedown.play.bot_interface import BotTask as BotTask
from facedown.play.bot_interface import default_level as default_level
from facedown.play.bot_interface import offered_levels as offered_levels
from facedown.play.new_tables import new_table as new_table
from facedown.play.presence import Presence as Presence
from facedown.play.records import Change as Change
from facedown.play.records import ChatMessage as ChatMessage
from facedown.play.records import Refusal as Refusal
from facedown.play.records import Seat as Seat
from facedown.play.records import Settings as Settings
from facedown.play.records import StoredMove as StoredMove
from facedown.play.records import TableRecord as TableRecord
from facedown.play.session import Session as Session
from facedown.play.user_input import clean_chat as clean_chat
from facedown.play.user_input import clean_name as clean_name
from facedown.play.user_input import new_code as new_code
from facedown.play.viewer_log import ViewerLog as ViewerLog
