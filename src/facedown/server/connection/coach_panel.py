"""Panel of the coach on the page of a finished match: the review of the match as texts and graphs for one viewer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from facedown.core.grammar import capital, digits, in_words, possessive
from facedown.core.state import SPECTATOR
from facedown.core.translation import percent
from facedown.play import Refusal, Session
from facedown.server import rendering
from facedown.server.connection import viewer_page_data
from facedown.server.i18n import N_, _, c_, n_
from facedown.server.rendering.template_helpers import text_for_unit
from facedown.server.table.review_requests import Coach, ReviewRequest
from facedown.study.hint_texts import format_turn_count, percentage_points
from facedown.study.move_comments import better_move_gain_text, played_move_text
from facedown.study.review import DecisionSnapshot, FullReview, ReviewedMove, ReviewProgress


def own_or_winners_seat_to_review(session: Session, viewer: int) -> int:
    """Return the seat whose review a viewer sees first: their own seat; for a spectator, the winner's.

    If no seat won, a spectator sees seat 0 first.
    """
    if viewer != SPECTATOR:
        return viewer
    result = session.dealt_match.result
    return result.winners[0] if result is not None and result.winners else 0


def get_or_start_review(coach: Coach, session: Session, seat: int, again: bool = False) -> ReviewRequest | None:
    """Return the request for the coach's review of the decisions of `seat` in a match. Make the request if necessary.

    If `again` is set, a review that failed is tried again. Return None if the coach refuses the request, for example
    because too many reviews are queued.
    """
    try:
        return coach.request_review(session, seat, again)
    except Refusal:
        return None


def build_panel(session: Session, viewer: int, seat: int, job: ReviewRequest | None) -> rendering.CoachPanel:
    """Return the panel that shows the coach's review of the decisions of `seat`, or how far the review has got.

    `viewer` is the reader: a seat or `SPECTATOR`. `job` is the request for the review; None if the coach is too busy to
    review the match.
    """
    names = [place.name for place in session.record.seats]
    together = session.game.info.together
    panel = rendering.CoachPanel(
        _title(session, viewer, seat),
        seats=()
        if together
        else tuple((at, _("You") if at == viewer else n, at == seat) for at, n in enumerate(names)),
        fairness=viewer_page_data.fairness_verdict_text(session),
    )
    if job is None or job.found is None:
        sofar = ReviewProgress(0) if job is None else job.sofar
        panel = panel._replace(
            graph=rendering.wasted_turns_chart([])
            if together
            else rendering.win_probability_graph(sofar.line, sofar.rounds or ["1"])
        )
        if job is None or job.failed:
            says = _("The coach can’t review this match right now.")
            return panel._replace(says=says, graph=rendering.Graph(), failed=seat)
        says = _(
            "The coach is reviewing the match: move {number} of {last}. You don’t have to wait.",
            number=sofar.done,
            last=job.of,
        )
        return panel._replace(says=says, done=sofar.done, of=job.of)
    found = job.found
    head: tuple[str, ...]
    if together:
        none = _("Given what was known at the time, no decision wasted a turn.")
        head = (
            _("Decision"),
            _("Played"),
            _("Turns wasted, on average"),
            _("Turns wasted in hindsight, with all the cards face up"),
        )
    else:
        head = (_("Decision"), _("Played"), _("Chance of winning afterwards"))
        none = _("None of this player’s decisions cost much. The outcome was down to the cards and the other players.")
        if seat == viewer:
            none = _("None of your decisions cost much. The outcome was down to the cards and the other players.")
    return panel._replace(
        ready=True,
        graph=_graph(found),
        counts=labelled_decision_counts(found) if found.judged else (),
        note=_exact_or_estimated_values_note(found),
        head=head,
        rows=tuple(_row(move, names, viewer, together) for move in found.judged),
        moments_title=_moments_title(len(found.moments)),
        moments=tuple(
            _moment(moment, names, viewer)._replace(
                url=rendering.moment_url(session.code, moment.ply, moment.seat),
                position=_position_html(position, names, viewer),
                again=(session.code, moment.ply - 1, moment.seat),
            )
            for moment, position in zip(found.moments, found.positions, strict=True)
        ),
        none=none,
    )


def labelled_decision_counts(found: FullReview) -> tuple[tuple[int, str], ...]:
    """Return how many decisions a review has, in total and for each verdict of the coach, as pairs (number, label).

    The order is: all decisions, best, close, costly. "Best" decisions are as good as the coach's best move, "costly"
    ones are clearly worse, and "close" ones are in between. The pair for "close" is left out if its number is 0. The
    labels are in the current language.
    """
    judged = len(found.judged)
    first = n_("decision", "decisions", judged)
    close = found.count("close")
    return (
        (judged, first),
        (found.count("best"), c_("decisions", "best")),
        *([(close, c_("decisions", "close"))] if close else []),
        (found.count("costly"), c_("decisions", "costly")),
    )


def _title(session: Session, viewer: int, seat: int) -> str:
    info = session.game.info
    if info.together:
        return _("Turns wasted, move by move")
    if seat == viewer:
        return _(text_for_unit(info.unit, _YOURS))
    return _(text_for_unit(info.unit, _THEIRS), owner=possessive(session.record.seats[seat].name))


#: Titles of the graph in a review, if readers see the review of their own seat. Each key is a game's word for its
#: rounds (`Info.unit`).
_YOURS = {
    "round": N_("Your chance of winning, round by round"),
    "hand": N_("Your chance of winning, hand by hand"),
    "game": N_("Your chance of winning, game by game"),
}
_THEIRS = {
    "round": N_("{owner} chance of winning, round by round"),
    "hand": N_("{owner} chance of winning, hand by hand"),
    "game": N_("{owner} chance of winning, game by game"),
}


def _moments_title(number: int) -> str:
    if number == 1:
        return _("One moment that mattered")
    return _("{many} moments that mattered", many=capital(in_words(number))) if number else _("Moments that mattered")


def _exact_or_estimated_values_note(found: FullReview) -> str:
    if not found.judged:
        return _("There were no decisions to make, so there is nothing to review.")
    exact = sum(move.exact for move in found.judged)
    if found.unit == "turns":
        if exact == len(found.judged):
            return _("Exact, assuming everyone plays perfectly afterwards.")
        return _("Estimated from many random deals of the unseen cards, based on what each player knew at the time.")
    if exact == len(found.judged):
        return _("Exact for the round; in later rounds, everyone is assumed to have equal chances.")
    between = _("Between your decisions, luck and the other players make the line rise or fall.")
    if exact:
        how = _("Exact where possible, otherwise estimated from many random deals of the unseen cards.")
    else:
        how = _("Estimated from many random deals of the unseen cards.")
    return " ".join((how, _("In later rounds, everyone is assumed to have equal chances."), between))


def _graph(found: FullReview) -> rendering.Graph:
    if found.unit == "turns":
        at = {move.at: number for number, move in enumerate(found.judged)}
        pinned = [at[move.at] for move in found.moments]
        return rendering.wasted_turns_chart([math.inf if move.lost else move.cost for move in found.judged], pinned)
    pins = [(moment.at, moment.chance or 0.0) for moment in found.moments]
    return rendering.win_probability_graph(found.line, found.rounds, pins)


def _row(move: ReviewedMove, names: Sequence[str], viewer: int, together: bool) -> tuple[str, ...]:
    played = move.played[viewer].imperative
    if together:
        return (
            _place_and_player(move, names, viewer),
            played,
            _wasted_turns_text(move),
            "" if move.wasted is None else str(move.wasted),
        )
    share = percent(move.chance or 0.0)
    where = _("{where}, move {number}", where=move.where, number=move.ply)
    return (where, played, share if move.exact else _("about {share}", share=share))


def _wasted_turns_text(move: ReviewedMove) -> str:
    """Return what a decision cost in a cooperative game, as text in the current language.

    The coach tried the decision in many worlds (imagined deals), or computed its result exactly.

    * If the decision lost the game in all worlds or in the exact result, the text is "lost".
    * If it lost the game in some worlds, the text has the percentage of these worlds.
    * Otherwise the text says how many more turns the decision needed than the best one: exactly, or on average over
      the worlds.
    """
    if move.lost and (move.exact or move.lost == move.worlds):
        return c_("a game", "lost")
    if move.lost:
        return _("{share} lost", share=percent(move.lost / move.worlds))
    return f"{move.cost:.0f}" if move.exact else format_turn_count(move.cost)


def _moment(move: ReviewedMove, names: Sequence[str], viewer: int) -> rendering.CoachMoment:
    name = _("You") if move.seat == viewer else names[move.seat]
    where, change, unit = move.where, digits(-percentage_points(move.cost)), _("percentage points")
    if move.chance is None:
        where, change, unit = (
            _place_and_player(move, names, viewer),
            _wasted_turns_text(move),
            "" if move.lost else _("turns wasted"),
        )
    certain = move.exact or 0 < move.worlds == move.lost
    known = 0 if move.exact or not move.beaten else move.worlds
    words = played_move_text(move, name, viewer), better_move_gain_text(move, viewer)
    return rendering.CoachMoment(where, *words, change, unit, exact=certain, worlds=known, beaten=move.beaten)


def _place_and_player(move: ReviewedMove, names: Sequence[str], viewer: int) -> str:
    name = _("you") if move.seat == viewer else names[move.seat]
    return _("{where}, {name}", where=move.where, name=name)


def _position_html(position: DecisionSnapshot, names: Sequence[str], viewer: int) -> Markup:
    """Return HTML of the table before a decision, with only what the player who decided could see.

    `viewer` is the reader: a seat or `SPECTATOR`. If the reader is not the player who decided, the deciding seat is
    labelled with the name of its player and not with "You". `names` are the players' names by seat.
    """
    table = position.table
    own = table.viewer == viewer
    if not own:
        called = [_("You") if seat == viewer else name for seat, name in enumerate(names)]
        table = replace(table, seats=tuple(panel._replace(name=called[panel.seat]) for panel in table.seats))
    return rendering.marked_position_html(
        table, position.played, position.better, _("you") if own else c_("a move", "played")
    )
