"""Data of a table's pages before the deal: the lobby, and the invitation for visitors without a seat.

These records contain no HTTP requests, database rows or game states.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from facedown.play import ChatMessage
from facedown.server.rendering.page_model import ChatPanel


class LobbySeat(NamedTuple):
    """Seat as the lobby (a table's page before the match begins) shows it: player or bot, and whether ready or away."""

    seat: int
    name: str = ""
    """Player's name; "" for an open seat."""
    you: bool = False
    bot: bool = False
    level: str = ""
    """Label of the bot's level ("Casual")."""
    ready: bool = False
    away: bool = False
    """Whether the player has no page of the table open."""
    free: bool = False
    """Whether the player has been away so long that the host may open the seat."""
    host: bool = False
    program: bool = False
    """Whether the player is a program. Programs receive all that their seat knows, even what a person must remember."""


class Lobby(NamedTuple):
    """The lobby: a table before the deal, for one viewer."""

    game: str
    title: str
    code: str
    link: str
    """Absolute address for inviting players."""
    places: tuple[LobbySeat, ...]
    viewer: int = -1
    """Viewer's seat; −1 for a spectator."""
    host: bool = False
    """Whether the viewer is the host, who sets seats and rules."""
    rules: tuple[tuple[str, str], ...] = ()
    """House rules in words, as (name, value): ("Clock", "a day a turn")."""
    chat: tuple[ChatMessage, ...] = ()
    talk: ChatPanel = ChatPanel()
    levels: tuple[tuple[str, str, str], ...] = ()
    """Levels of bots: (key, label, description), weakest first."""
    usual: str = ""
    """Key of the level of a newly added bot."""
    closes: str = ""
    """Sentence about the effect of closing a seat; "" if no seat may be closed."""
    adds: bool = False
    """Whether another seat may be added."""
    removed: tuple[str, ...] = ()
    """Names of the players whom the host has removed."""
    listed: bool = False
    """Whether the table is listed among the open tables, where everyone can find it."""
    may_list: bool = False
    """Whether the viewer may list the table and remove it from the list."""


class Invitation(NamedTuple):
    """Data of the invitation page, which a visitor without a seat sees at the address of a table."""

    game: str
    title: str
    code: str
    host: str
    open_seats: int
    watch: bool
    """Whether spectators are allowed."""
    error: str = ""
    error_at: str = ""
    """Name of the form field with the error ("name")."""
    status: Literal["lobby", "running", "finished"] = "lobby"
    players: tuple[str, ...] = ()
    """Names of the players, also after the match."""
    result: str = ""
    """Result of a finished match in a sentence."""
    replay_url: str = ""
