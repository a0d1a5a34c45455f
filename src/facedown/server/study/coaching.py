"""The coach's look back at a match, and its hints, in the words of `facedown.server.look`, for one viewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from facedown.core.state import SPECTATOR
from facedown.core.table import Table, Touches
from facedown.core.voice import capital, digits, in_words, possessive
from facedown.play import Refusal, Session
from facedown.server import look
from facedown.server.live import presenter
from facedown.server.study.coach import Coach, Job
from facedown.server.study.remarks import better, did, points_of
from facedown.server.study.reviewing import Judged, Position, Reviewed, Sofar
from facedown.server.study.wording import path_to
from facedown.server.texts import N_, _, c_, n_

#: So many moves does a hint name.
HINTS = 3
#: The bars of a hint begin so far below the best chance and end so far above it.
BELOW, ABOVE = 0.12, 0.03


def first_seat(session: Session, viewer: int) -> int:
    """From which seat a viewer looks back at first: their own, else the winner's."""
    match = session.running
    if viewer != SPECTATOR:
        return viewer
    returns = session.game.returns(match.state)
    return returns.index(max(returns))


def begun(coach: Coach, session: Session, seat: int) -> Job | None:
    """The look back from a seat, begun if need be; None if the coach has too much to do."""
    try:
        return coach.job(session, seat)
    except Refusal:
        return None


def told(session: Session, viewer: int, seat: int, job: Job | None) -> look.CoachPanel:
    """What the page of a finished match says; without a job, that the coach is too busy."""
    names = [place.name for place in session.record.seats]
    together = session.game.info.together
    panel = look.CoachPanel(
        _title(session, viewer, seat),
        seats=()
        if together
        else tuple((at, _("You") if at == viewer else n, at == seat) for at, n in enumerate(names)),
        fairness=presenter.fairness(session),
    )
    if job is None or job.found is None:
        sofar = Sofar(0) if job is None else job.sofar
        panel = replace(panel, graph=look.bars([]) if together else look.curve(sofar.line, sofar.rounds or ["1"]))
        if job is None or job.failed:
            return replace(panel, says=_("The coach cannot look through this match now. Come back in a while."))
        says = _(
            "The coach is looking through the match: move {number} of {last}. You may play on meanwhile.",
            number=job.done,
            last=job.of,
        )
        return replace(panel, says=says, done=job.done, of=job.of)
    found = job.found
    if together:
        none, head = _("No swap wasted a turn."), (_("Swap"), _("Played"), _("Turns wasted"))
    else:
        head = (_("Decision"), _("Played"), _("Chance after it"))
        none = _("No decision of theirs cost much. The rest was the cards, and the other side.")
        if seat == viewer:
            none = _("No decision of yours cost much. The rest was the cards, and the other side.")
    return replace(
        panel,
        ready=True,
        graph=_graph(found),
        counts=counts_of(found),
        note=_note(found),
        head=head,
        rows=tuple(_row(move, names, viewer) for move in found.judged),
        moments_title=_moments_title(len(found.moments)),
        moments=tuple(
            replace(
                _moment(moment, names, viewer),
                url=look.moment_url(session.code, moment.ply, moment.seat),
                position=_drawn(position, names, viewer),
            )
            for moment, position in zip(found.moments, found.positions, strict=True)
        ),
        none=none,
    )


def counts_of(found: Reviewed) -> tuple[tuple[int, str], ...]:
    """How many decisions there were, and how they were judged."""
    judged = len(found.judged)
    first = n_("swap", "swaps", judged) if found.unit == "turns" else n_("decision", "decisions", judged)
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
        return _("Turns wasted, swap by swap")
    mine, theirs = _CHANCES.get(info.unit, (_YOURS.format(unit=info.unit), _THEIRS.format(unit=info.unit)))
    return _(mine) if seat == viewer else _(theirs, owner=possessive(session.record.seats[seat].name))


_YOURS = "Your chance to win, {unit} by {unit}"
_THEIRS = "{{owner}} chance to win, {unit} by {unit}"
#: The title of the graph, by what a match is made of.
_CHANCES = {
    "round": (N_("Your chance to win, round by round"), N_("{owner} chance to win, round by round")),
    "hand": (N_("Your chance to win, hand by hand"), N_("{owner} chance to win, hand by hand")),
    "game": (N_("Your chance to win, game by game"), N_("{owner} chance to win, game by game")),
}


def _moments_title(number: int) -> str:
    if number == 1:
        return _("One moment that mattered")
    return _("{many} moments that mattered", many=capital(in_words(number))) if number else _("Moments that mattered")


def _note(found: Reviewed) -> str:
    if found.unit == "turns":
        return _("Exact, by the cards that lay open at the end.")
    exact = sum(move.exact for move in found.judged)
    if exact == len(found.judged):
        return _("Exact for the round; the rounds to come are taken to be even.")
    if exact:
        return _(
            "Exact where a solver reaches, estimated elsewhere in imagined worlds that fit what was known then."
            " What is to come is taken to be even."
            " Where the line moves between two decisions, it was the cards or the others."
        )
    return _(
        "Estimated in imagined worlds that fit what was known then. What is to come is taken to be even."
        " Where the line moves between two decisions, it was the cards or the others."
    )


def _graph(found: Reviewed) -> look.Graph:
    if found.unit == "turns":
        at = {move.at: number for number, move in enumerate(found.judged)}
        return look.bars([move.cost for move in found.judged], [at[m.at] for m in found.moments])
    pins = [(moment.at, moment.chance or 0.0) for moment in found.moments]
    return look.curve(found.line, found.rounds, pins)


def _row(move: Judged, names: Sequence[str], viewer: int) -> tuple[str, ...]:
    played = move.played.to(viewer).do
    if move.chance is None:
        return (_whose(move, names, viewer), played, f"{move.cost:.0f}")
    share = whole_percent(move.chance)
    where = _("{where}, move {number}", where=move.where, number=move.ply)
    return (where, played, share if move.exact else _("about {share}", share=share))


def whole_percent(share: float) -> str:
    """A chance in whole per cent, as it stands on the page.

    >>> whole_percent(0.625)
    '62 %'
    """
    return f"{100 * share:.0f} %"


def _moment(move: Judged, names: Sequence[str], viewer: int) -> look.CoachMoment:
    name = _("You") if move.seat == viewer else names[move.seat]
    where, change, unit = move.where, digits(-points_of(move)), _("points of winning chance")
    if move.chance is None:
        where, change, unit = (
            _whose(move, names, viewer),
            n_("{count} turn", "{count} turns", round(move.cost)),
            c_("turns", "wasted"),
        )
    known = 0 if move.exact or not move.beaten else move.worlds
    words = did(move, name, viewer), better(move, viewer)
    return look.CoachMoment(where, *words, change, unit, exact=move.exact, worlds=known, beaten=move.beaten)


def _whose(move: Judged, names: Sequence[str], viewer: int) -> str:
    name = _("you") if move.seat == viewer else names[move.seat]
    return _("{where}, {name}", where=move.where, name=name)


def _drawn(position: Position, names: Sequence[str], viewer: int) -> Markup:
    """The table as it lay; to anybody but the seat itself its own things have its name, and the reader is "You"."""
    table = position.table
    own = table.viewer == viewer
    if not own:
        called = [_("You") if seat == viewer else name for seat, name in enumerate(names)]
        table = replace(table, seats=tuple(panel._replace(name=called[panel.seat]) for panel in table.seats))
    return look.position_html(table, position.played, position.better, _("you") if own else c_("a move", "played"))


# --- hints ------------------------------------------------------------------------------------------------------------


def hint_message(table: Table, found: Sequence[Any], version: int, words_of: Callable[[int], str]) -> dict[str, Any]:
    """The live message with a hint: the best moves in words, and what would be touched for each.

    `found` holds `facedown.bots.coach.Advice`, best first; `table` is what its seat sees, `words_of` an action as a
    person says it. Moves that are said in the same words are one.
    """
    rows: dict[str, tuple[Any, Touches]] = {}
    for advice in found:
        # What the table does not offer comes to nothing (to choose once more what is chosen).
        path = path_to(table, advice.action)
        if path:
            rows.setdefault(words_of(advice.action), (advice, path))
    shown = list(rows.items())[:HINTS]
    moves = [
        {name: getattr(advice, name) for name in ("action", "why", "exact", "worlds", "unit")}
        | {"words": words, "worth": _worth(advice), "value": round(advice.value, 4)}
        | {"touches": [choice.touch for choice in path]}
        for words, (advice, path) in shown
    ]
    drawn = hint_of([(words, advice) for words, (advice, _) in shown])
    best = moves[0]
    more = [capital(part) for part in (str(best["why"]), drawn.level) if part]
    say = ". ".join([_("The coach would choose: {move}", move=best["words"]), str(best["worth"]), *more]) + "."
    return {
        "type": "hint",
        "version": version,
        "moves": moves,
        "html": look.hint_html(drawn),
        "say": [say.replace("..", ".")],
    }


def hint_of(shown: Sequence[tuple[str, Any]]) -> look.Hint:
    """What a hint's card shows: words, bars and numbers, best first."""
    best = shown[0][1]
    turns = best.unit == "turns"
    low, wide = (0.0, 1.0) if turns else (best.value - BELOW, BELOW + ABOVE)

    def at(value: float) -> float:
        """How far along a bar a chance stands, in percent."""
        return round(100 * min(1.0, max(0.02, (value - low) / wide)), 1)

    rows = []
    for words, advice in shown:
        sure = advice.exact or advice is best or not 0 < advice.error < 1
        whisker = None if sure else (at(advice.value - 2 * advice.error), at(advice.value + 2 * advice.error))
        if turns:
            rows.append(look.HintRow(words, max(4.0, 100.0 - 20 * advice.value), f"{advice.value:.0f}"))
        else:
            rows.append(look.HintRow(words, at(advice.value), whole_percent(advice.value), whisker))
    judged = best.exact or best.worlds > 0
    return look.Hint(
        tuple(rows) if judged and len(rows) > 1 else tuple(replace(row, bar=None, whisker=None) for row in rows),
        counts=_("Turns wasted") if turns and best.exact else _("Chance to win") if judged and not turns else "",
        sure=c_("a hint", "exact") if best.exact else "",
        worlds=best.worlds,
        why=best.why.rstrip("."),
        level=_level([advice for _, advice in shown]),
        marked=any(row.whisker for row in rows),
    )


def _level(shown: Sequence[Any]) -> str:
    """Which of the moves cannot be told from the best one, in words."""
    number = next((at for at, advice in enumerate(shown) if at and advice.mistake), len(shown))
    if number < 2 or not (shown[0].exact or shown[0].worlds):
        return ""
    if number == len(shown):
        return _("These {many} are as good as each other", many=in_words(number))
    return _("The first {many} are as good as each other", many=in_words(number))


def _worth(advice: Any) -> str:
    """How good a move is, and how sure that is: "62 % to win, in 400 imagined worlds"."""
    if advice.unit == "turns":
        if not advice.exact:
            return _("judged by what you know")
        turns = round(advice.value)
        return n_("wastes {count} turn", "wastes {count} turns", turns) if turns else _("wastes no turn")
    share = whole_percent(advice.value)
    if advice.exact:
        certain = {1.0: _("wins for certain"), 0.0: _("loses against the best play")}
        return certain.get(advice.value, _("{share} to win, exact", share=share))
    if not advice.worlds:
        return _("the only move")
    return n_(
        "{share} to win, in {count} imagined world",
        "{share} to win, in {count} imagined worlds",
        advice.worlds,
        share=share,
    )
