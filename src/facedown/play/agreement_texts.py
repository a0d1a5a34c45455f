"""Texts about the agreements of players: the prompt for an open proposal, and announcements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facedown.core.grammar import PlayerPhrase
from facedown.core.match import Match
from facedown.core.match_actions import AGREED_END, TAKE_BACK
from facedown.core.table import Table, TouchStep
from facedown.core.translation import join_names
from facedown.play.i18n import N_, TranslatableText, _, translatable_text
from facedown.play.records import Proposal, Seat, TableRecord

OPEN_QUESTION = N_("The players have to answer a question first.")
RESIGNED = N_("You’ve resigned.")
_PROPOSALS = {
    TAKE_BACK: N_("{who} {who:ask|asks} to take back {who:your|their} last move."),
    AGREED_END: N_("{who} {who:offer|offers} to end the match."),
}
_DECLINED = {TAKE_BACK: N_("{who:'Your} last move stays."), AGREED_END: N_("The match goes on.")}


def agreement_announcements(old: TableRecord, new: TableRecord) -> list[TranslatableText]:
    """Return the announcements for the difference between the agreements in two records of one table."""
    before, after = old.agreements, new.agreements
    told: list[TranslatableText] = []
    for seat in after.resigned[len(before.resigned) :]:
        told.append(translatable_text(N_("{name} resigned."), name=new.seats[seat].name))
    was, now = before.proposal, after.proposal
    if now is not None and (was is None or was.number != now.number):
        told.append(translatable_text(_PROPOSALS[now.action], who=PlayerPhrase((new.seats[now.seat].name,))))
    elif now is not None and was is not None:
        for seat in now.agreed[len(was.agreed) :]:
            told.append(translatable_text(N_("{name} agrees."), name=new.seats[seat].name))
    elif was is not None and len(after.declined) > len(before.declined):
        told.append(translatable_text(_DECLINED[was.action], who=PlayerPhrase((new.seats[was.seat].name,))))
    return told


def proposal_step(seats: Sequence[Seat], proposal: Proposal, has_score: bool, viewer: int) -> TouchStep:
    """Return the prompt that shows an open proposal to a viewer (a seat or `SPECTATOR`).

    `has_score` says whether a round has been scored.
    """
    who = PlayerPhrase((), True) if viewer == proposal.seat else PlayerPhrase((seats[proposal.seat].name,))
    waiting = [seat for seat in proposal.asked if seat not in proposal.agreed]
    if viewer not in waiting:
        names = join_names([seats[seat].name for seat in waiting])
        return TouchStep(_(_PROPOSALS[proposal.action], who=who), _("Waiting for {names} to answer.", names=names))
    if proposal.action == TAKE_BACK:
        said = _("Nothing hidden has been seen since then.")
    elif has_score:
        said = _("The scores count as they are.")
    else:
        said = _("There’s no score yet, so the match would end without a result.")
    if len(proposal.asked) > 1:
        said += " " + _("All must agree.")
    return TouchStep(_(_PROPOSALS[proposal.action], who=who), said)


def with_agreements(table: Table, record: TableRecord, match: Match) -> Table:
    """Return a viewer's table with the open proposal as its prompt, or with the note that the viewer has resigned."""
    agreements, proposal = record.agreements, record.agreements.proposal
    if table.over or record.status != "running":
        return table
    if proposal is not None:
        states = {seat: _("deciding") for seat in proposal.asked} | {seat: _("agrees") for seat in proposal.agreed}
        states[proposal.seat] = _("asks")
        panels = [one._replace(acting=False, state=states.get(one.seat, ""), done="") for one in table.seats]
        step = proposal_step(record.seats, proposal, match.standing.has_score, table.viewer)
        return replace(table, seats=tuple(panels), step=step, turn=None)
    if table.viewer in agreements.resigned:
        bot = record.seats[table.viewer].standin_name
        return replace(table, step=TouchStep(_(RESIGNED), _("{bot} plays on for you.", bot=bot)))
    return table


def blocked_by_agreements(record: TableRecord, seat: int) -> str:
    """Return why a seat may not move because of an open proposal or because its player resigned; else an empty text."""
    if record.agreements.proposal is not None:
        return _(OPEN_QUESTION)
    return _(RESIGNED) if seat in record.agreements.resigned else ""
