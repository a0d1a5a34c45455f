"""Actions that belong to every match and not to the rules of its game: take back, resign, end by agreement.

They have negative numbers, so they never collide with a game's own actions. They are stored, replayed and written to
match files like moves. The rules of a game never see them.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game_module import GameModule
from facedown.core.grammar import player_phrase
from facedown.core.i18n import _
from facedown.core.table import LogLine, Sitter

#: Take back the last own move, and all moves since.
TAKE_BACK = -1
#: End a match of two seats: the other seat wins.
RESIGN = -2
#: End the match because all players agreed. The seat of the move is the player who proposed it.
AGREED_END = -3

#: The actions in match-file notation.
WORDS = {TAKE_BACK: "take back", RESIGN: "resign", AGREED_END: "agreed end"}


def is_game_action(action: int) -> bool:
    """Return whether an action belongs to the rules of the game (and not to every match)."""
    return action >= 0


def action_words(game: GameModule, action: int) -> str:
    """Return an action in match-file notation; `action` may also be one of this module's."""
    return game.words.words(action) if is_game_action(action) else WORDS[action]


def parse_match_action(words: str) -> int | None:
    """Return the action of this module that `words` names in match-file notation; None if it names none of them.

    >>> parse_match_action("take back"), parse_match_action("draw")
    (-1, None)
    """
    given = " ".join(words.lower().split())
    return next((action for action, text in WORDS.items() if text == given), None)


def match_action_line(action: int, seat: int, viewer: int, sitters: Sequence[Sitter]) -> LogLine:
    """Return the log line for an action of this module by `seat`, as `viewer` (a seat or `SPECTATOR`) reads it."""
    who = player_phrase(sitters, seat, viewer)
    if action == TAKE_BACK:
        return LogLine("", _("**{who}** took back {who:your|their} last move.", who=who))
    if action == RESIGN:
        return LogLine("", _("**{who}** resigned.", who=who))
    return LogLine("", _("The players agreed to end the match."))
