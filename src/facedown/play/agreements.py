"""Agreements of the players of a running match: taking a move back, ending the match, and resigning.

A player proposes to take a move back or to end the match. Every other person whom it concerns must agree. Bots are not
asked, so a proposal that concerns only bots is carried out at once. While a proposal is open, no one can move and all
clocks are stopped. A proposal that is not answered in time counts as declined. A player whose proposal was declined can
propose again after the next move.

The functions return a `Change` and modify nothing, like the methods of `Session`.
"""

from __future__ import annotations

from dataclasses import replace

from facedown.core.match_actions import RESIGN, TAKE_BACK
from facedown.play.agreement_texts import OPEN_QUESTION, RESIGNED
from facedown.play.bot_interface import with_standin
from facedown.play.i18n import N_, _
from facedown.play.records import Change, Proposal, Refusal, require
from facedown.play.seat_clocks import is_correspondence
from facedown.play.session import Session

#: Seconds in which a proposal must be answered, at live tables and in correspondence play.
ANSWER_TIME = 30.0
CORRESPONDENCE_ANSWER_TIME = 86_400.0
#: Largest time limit for a turn, in seconds, at which players may not take moves back by default.
FAST_CLOCK = 60
#: Maximum number of moves that a player can take back in a match. Without it, a program that plays against bots could
#: make the match so long that loading it blocks the server.
MAX_TAKE_BACKS = 100
#: Number of declined proposals after which a player cannot propose anything else in a match. Without it, a player
#: could stop all clocks for `ANSWER_TIME` after each move.
MAX_DECLINES = 3

MATCH_OVER = N_("The match is over.")


def propose(session: Session, person: int, action: int, now: float) -> Change:
    """Return the change by which a person proposes to take their last move back, or to end the match.

    `action` is `TAKE_BACK` or `AGREED_END`. If no one has to be asked, the change carries the proposal out. Raise
    `Refusal`, with the reason, if the person may not propose it now.
    """
    seat = session.require_seat_of(person)
    why = why_not_propose(session, seat, action)
    require(not why, "conflict", why)
    record = session.record
    asked = seats_to_ask(session, seat, action)
    if not asked:
        return session.match_action_change(record, seat, action, now, f"alone:{record.revision + 1}")
    wait = CORRESPONDENCE_ANSWER_TIME if is_correspondence(record.settings) else ANSWER_TIME
    made = Proposal(action, seat, record.agreements.count + 1, now + wait, asked)
    return session.agreements_change(replace(record.agreements, proposal=made, count=made.number), now)


def why_not_propose(session: Session, seat: int, action: int) -> str:
    """Return why the player at `seat` may not propose this action now, in one sentence; empty if the player may."""
    match, agreements = session.dealt_match, session.record.agreements
    if match.over or session.closed:
        return _(MATCH_OVER)
    if seat in agreements.resigned:
        return _(RESIGNED)
    if (clock := session.clock(seat)) is not None and clock.lost:
        return session.blocked_reason(seat)
    if agreements.proposal is not None:
        return _(OPEN_QUESTION)
    if action == TAKE_BACK:
        settings = session.record.settings
        fast = 0 < settings.clock <= FAST_CLOCK
        if settings.take_backs == "never" or (fast and settings.take_backs == "slow"):
            return _("Moves can’t be taken back at this table.")
        if why := match.why_not_take_back(seat):
            return why
        if sum(move.action == TAKE_BACK and move.seat == seat for move in match.moves) >= MAX_TAKE_BACKS:
            return _("You can’t take back more than {most} moves in a match.", most=MAX_TAKE_BACKS)
    if seat in agreements.declined:
        return _("The others said no. You can ask again after the next move.")
    if agreements.declines.count(seat) >= MAX_DECLINES:
        return _("The others have said no {most} times, so you can’t ask again in this match.", most=MAX_DECLINES)
    return ""


def seats_to_ask(session: Session, seat: int, action: int) -> tuple[int, ...]:
    """Return the seats whose players must agree to a proposal of the player at `seat`.

    These are the seats of all other persons for whom no bot stands in, even if they have left the table. A take-back
    that a person would not notice does not concern that person: asking would disclose a secret move.
    """
    concerned = set(range(len(session.record.seats)))
    if action == TAKE_BACK:
        concerned = set(session.dealt_match.seats_who_notice_take_back(seat))
    return tuple(
        index
        for index, one in enumerate(session.record.seats)
        if index != seat and index in concerned and one.kind == "person" and not one.standin
    )


def answer(session: Session, person: int, number: int, agrees: bool, now: float) -> Change | None:
    """Return the change by which a person answers the open proposal with this number.

    The last player to agree carries the proposal out. The first to decline ends it. Return None if the person has given
    the same answer before. The player who made the proposal withdraws it by declining. Raise `Refusal` if there is no
    such proposal any more, or if the person is not asked.
    """
    seat = session.require_seat_of(person)
    agreements = session.record.agreements
    proposal = agreements.proposal
    if proposal is None or proposal.number != number or session.closed:
        raise Refusal("stale", _("This question is no longer open."))
    asked = seat in proposal.asked or (seat == proposal.seat and not agrees)
    require(asked, "forbidden", _("The others have to answer this question."))
    if not agrees:
        return session.agreements_change(agreements.with_proposal_declined(), now)
    if seat in proposal.agreed:
        return None
    agreed = (*proposal.agreed, seat)
    if set(proposal.asked) - set(agreed):
        return session.agreements_change(replace(agreements, proposal=replace(proposal, agreed=agreed)), now)
    record = replace(session.record, agreements=replace(agreements, proposal=None))
    return session.match_action_change(record, proposal.seat, proposal.action, now, f"agreed:{proposal.number}")


def resign(session: Session, person: int, level: str, now: float) -> Change:
    """Return the change by which a person resigns.

    In a match of two seats, the match is over. With more seats, a bot of this `level` plays on for the person to the
    end of the match.
    """
    seat = session.require_seat_of(person)
    why = why_not_resign(session, seat)
    require(not why, "conflict", why)
    record = session.record
    if len(record.seats) <= 2:
        return session.match_action_change(record, seat, RESIGN, now, f"resign:{record.revision + 1}")
    if not record.seats[seat].standin:
        record = with_standin(record, seat, level)
    agreements = replace(record.agreements, resigned=(*record.agreements.resigned, seat))
    return session.agreements_change(agreements, now, record)


def why_not_resign(session: Session, seat: int) -> str:
    """Return why the player at `seat` may not resign now, in one sentence; empty if the player may."""
    if session.dealt_match.over or session.closed:
        return _(MATCH_OVER)
    if seat in session.record.agreements.resigned:
        return _(RESIGNED)
    return "" if session.record.agreements.proposal is None else _(OPEN_QUESTION)
