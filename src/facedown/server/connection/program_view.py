"""View for programs: everything that a seat knows of its match, as JSON fields (docs/records).

A person sees what the table shows now. Only the memory aid, a setting of the table, shows everything that the person's
seat knows. A program with a seat's token always gets everything that its seat knows, as bots do. The program could have
recorded all that it saw, so hiding a part would be useless.
"""

from __future__ import annotations

from typing import Any

from facedown.core.match_actions import TAKE_BACK
from facedown.core.state import SPECTATOR
from facedown.core.view_json import view_to_fields
from facedown.play import Refusal, Session
from facedown.server.connection import clock_text, messages
from facedown.server.i18n import _


def require_known_view_allowed(session: Session, by_token: bool) -> None:
    """Raise `Refusal` unless the client may get all that its seat knows.

    A client that signed in by the seat's token (`by_token`) may. Any other client may only if the table's memory aid is
    on, because pages then show all of this anyway.
    """
    if not (by_token or session.record.settings.memory):
        wrong = _(
            "While the memory aid is off, only a program using a seat token can retrieve everything the "
            "player in that seat has seen."
        )
        raise Refusal("forbidden", wrong)


def open_proposal(session: Session) -> messages.OpenProposal | None:
    """Return the open proposal of a player to take a move back or to end the match; None if there is none."""
    proposal = session.record.agreements.proposal
    if proposal is None or session.record.status != "running":
        return None
    return messages.OpenProposal(
        number=proposal.number,
        what="take-back" if proposal.action == TAKE_BACK else "end",
        seat=proposal.seat,
        asked=list(proposal.asked),
        agreed=list(proposal.agreed),
    )


def known_fields(session: Session, seat: int | None, now: float) -> dict[str, Any]:
    """Return all that a seat knows of the match, and the seat's legal actions, as JSON fields.

    Everything but the final score is made from the seat's view. `now` is Unix time in seconds. Raise `Refusal` before
    the deal, or if `seat` is None.
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
        "proposal": open_proposal(session),
    }


def known_message(session: Session, viewer: int, say: list[str], now: float) -> messages.Sent:
    """Return the message `known` for a program: all that its seat knows of the match, and its legal actions.

    If the table is closed, the match is not dealt yet, or the viewer has no seat, return an error message instead.
    `viewer` is the seat, or `SPECTATOR`. `say` lists the announcements to be sent with the message. `now` is Unix time
    in seconds.
    """
    if session.closed:
        return messages.Refused(code="closed", reason=_("The operator of this server has closed this table."))
    try:
        return messages.Known(say=say, **known_fields(session, None if viewer == SPECTATOR else viewer, now))
    except Refusal as refusal:
        return messages.Refused(code=refusal.code, reason=refusal.reason)
