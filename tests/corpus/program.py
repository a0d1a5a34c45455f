"""The parts of the program that the corpus uses, under its own names.

No other module of the corpus imports `facedown`. After a rename only this file changes, so that a reader sees at a
glance that neither the frozen data nor the expectations of the tests changed.
"""

# The imported names are used by other modules.
# ruff: noqa: F401
from __future__ import annotations

from typing import Any

from typer.main import get_command

from facedown.check.launch_chromium import open_browser as chromium
from facedown.core.cache_folder import cache_folder
from facedown.core.game_registry import catalogue
from facedown.core.match_file import MatchFile
from facedown.core.match_file import read as read_match_file
from facedown.core.match_file import write as write_match_file
from facedown.core.move_with_views import Views
from facedown.core.state import SPECTATOR, to_bytes
from facedown.core.table import Sitter, Table
from facedown.core.translation import use_language
from facedown.core.view_json import view_to_fields
from facedown.play import Session
from facedown.play.records import Refusal, RefusalCode
from facedown.server.connection.messages import AnySent, Received
from facedown.server.connection.messages import models_by_type as message_models
from facedown.server.connection.messages import parse_client_message as parse_message
from facedown.server.process.configuration import configurable_fields as setting_fields
from facedown.server.process.configuration import load_configuration as load_settings
from facedown.server.process.server_settings import BotCatalogue
from facedown.store import Repository, url_of
from facedown.store.bans import bans_in_force
from facedown.store.engine import MIGRATIONS
from facedown.study.match_analysis import moves_from_json as read_review
from facedown.terminal.card_drawing import Pen
from facedown.terminal.cli import app
from facedown.terminal.cli import run as command_line
from facedown.terminal.command_help import split_language as chosen_language
from facedown.terminal.saved_matches import load as load_saved
from facedown.terminal.saved_matches import match_path as saved_path
from facedown.terminal.screen_layout import table_and_log_lines
from tests.server.http_server import Live, Server, actions_in, serving


def click_command() -> Any:
    """Return the whole command line as Click represents it."""
    return get_command(app)
