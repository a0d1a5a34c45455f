"""What a program is told of a match: all that its seat knows, as a record.

People are shown what they may look at now, and all they know only where the table has its memory aid on. A program,
which comes by its seat's token, is told all that its seat knows, as bots are: it could have written it down.
"""

from __future__ import annotations

from typing import Any

from facedown.core.state import SPECTATOR
from facedown.core.view_json import view_to_fields
from facedown.play import Refusal, Session
from facedown.server.connection import clock_text, messages
from facedown.server.i18n import _


def require_known_view(session: Session, by_token: bool) -> None:
    """`Refusal` unless whoever asks, by a seat's token or not, is told all that their seat knows."""
    if not (by_token or session.record.settings.memory):
        wrong = _("Without the memory aid, only a program with its seat’s token gets all that it knows.")
        raise Refusal("forbidden", wrong)


def known_fields(session: Session, seat: int | None, now: float) -> dict[str, Any]:
    """All that a seat knows of the match, and what it may do; `Refusal` before the deal or without a seat.

    All but the score of a match that is over is made of the seat's view.
    """
    if seat is None:
        raise Refusal("forbidden", _("You have no seat at this table."))
    match = session.dealt_match
    over, chip = match.over, clock_text.seat_clocks(session, seat, now).get(seat)
    return {
        "seat": seat,
        "version": session.version(seat),
        "acting": [] if over else match.acting,
        "legal": session.legal(seat),
        "left": None if chip is None else round(chip.left, 1),
        "over": over,
        "returns": match.returns if over else None,
        "view": view_to_fields(match.known(seat)),
    }


def known_message(session: Session, viewer: int, say: list[str], now: float) -> messages.Sent:
    """All that a viewer knows, as a message, or why nothing more will come."""
    if session.closed:
        return messages.Refused(code="closed", reason=_("The operator of this server closed this table."))
    try:
        return messages.Known(say=say, **known_fields(session, None if viewer == SPECTATOR else viewer, now))
    except Refusal as refusal:
        return messages.Refused(code=refusal.code, reason=refusal.reason)
