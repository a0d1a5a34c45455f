"""Presenter of what players can agree about a running match: the table's menu, and the buttons for an open proposal."""

from __future__ import annotations

from facedown.core.grammar import PlayerPhrase
from facedown.core.match_actions import AGREED_END, TAKE_BACK
from facedown.core.state import SPECTATOR
from facedown.play import Session, agreements
from facedown.play.seat_takeover import seats_to_take_over
from facedown.server import rendering
from facedown.server.i18n import _


def table_menu(session: Session, viewer: int) -> rendering.TableMenu | None:
    """Return the part of the menu about the match. It is None for a spectator, and unless a match is running."""
    if viewer == SPECTATOR or session.match is None or session.match.over or session.closed:
        return None
    return rendering.TableMenu(
        take_back=_take_back_row(session, viewer),
        end=_end_row(session, viewer, session.match.standing.has_score),
        resign=_resign_row(session, viewer),
    )


def listed_for_host(session: Session, viewer: int) -> bool | None:
    """Return whether the table is listed, for the host's menu during the match; None for all other viewers."""
    record = session.record
    if viewer == SPECTATOR or record.status != "running" or record.seats[viewer].kind != "person":
        return None
    return record.listed if record.seats[viewer].person == record.host else None


def takeover_of(session: Session, viewer: int, own: int | None) -> tuple[str, str]:
    """Return what a spectator reads about taking over a bot's seat: a sentence, and the label of the button.

    `own` is the seat that this spectator will take over, if any. Both texts are empty for players. The label is empty
    if all bots' seats at the table are taken over by others.
    """
    record = session.record
    if viewer != SPECTATOR or record.status != "running":
        return "", ""
    if own is not None:
        says_own = _("You will take over from {bot} in the next round.", bot=record.seats[own].name)
        return says_own, _("Give up the seat")
    coming = [record.seats[index] for index in record.coming_persons.values()]
    says = [
        _("{name} will take over from {bot} in the next round.", name=one.next_name, bot=one.name) for one in coming
    ]
    free = seats_to_take_over(record)
    if not free:
        return " ".join(says), ""
    if not coming:
        says = [_("You can take over from a bot in the next round.")]
    return " ".join(says), _("Take over from {bot}", bot=record.seats[free[0]].name)


def _take_back_row(session: Session, viewer: int) -> rendering.MenuRow:
    reason = agreements.why_not_propose(session, viewer, TAKE_BACK)
    asked = () if reason else agreements.seats_to_ask(session, viewer, TAKE_BACK)
    line = _names_who_must_agree(session, asked) or _("Nobody has to agree.")
    return rendering.MenuRow(_("Take back your last move"), line, reason)


def _end_row(session: Session, viewer: int, has_score: bool) -> rendering.MenuRow:
    line = _("The scores count as they are.") if has_score else _("There’s no score yet, so there’s no result.")
    if reason := agreements.why_not_propose(session, viewer, AGREED_END):
        return rendering.MenuRow(_("Offer to end the match"), line, reason)
    if asked := agreements.seats_to_ask(session, viewer, AGREED_END):
        return rendering.MenuRow(_("Offer to end the match"), f"{line} {_names_who_must_agree(session, asked)}")
    return rendering.MenuRow(_("End the match"), line, question=_("End this match?"))


def _resign_row(session: Session, viewer: int) -> rendering.MenuRow:
    if len(session.record.seats) > 2:
        line = _("A bot plays on for you to the end of the match.")
    elif session.game.info.together:
        line = _("The game is lost for both of you.")
    else:
        line = _("{name} wins the match.", name=session.record.seats[1 - viewer].name)
    return rendering.MenuRow(
        _("Resign"), line, agreements.why_not_resign(session, viewer), question=_("Resign this match?")
    )


def _names_who_must_agree(session: Session, asked: tuple[int, ...]) -> str:
    """Return a sentence with the names of the players who must agree; empty if there are none."""
    names = tuple(session.record.seats[seat].name for seat in asked)
    return _("{who} must agree.", who=PlayerPhrase(names)) if names else ""


def proposal_panel(session: Session, viewer: int) -> rendering.ProposalPanel | None:
    """Return the open proposal as the viewer's page shows it; None if there is none."""
    proposal = session.record.agreements.proposal
    if proposal is None or session.match is None or session.match.over or session.closed:
        return None
    if viewer == proposal.seat:
        return rendering.ProposalPanel(proposal.number, decline=_("Withdraw"))
    if viewer not in proposal.asked or viewer in proposal.agreed:
        return rendering.ProposalPanel(proposal.number)
    back = proposal.action == TAKE_BACK
    accept = _("Agree") if back else _("End the match")
    decline = _("Let it stand") if back else _("Play on")
    return rendering.ProposalPanel(proposal.number, accept, decline)
