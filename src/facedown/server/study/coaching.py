"""The coach's look back at a match, and its hints, in the words of `facedown.server.look`, for one viewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from facedown.core.state import SPECTATOR
from facedown.core.table import Table, Touches
from facedown.core.voice import capital, digits, plural, possessive
from facedown.play import Refusal, Session
from facedown.server import look
from facedown.server.live import presenter
from facedown.server.study.coach import Coach, Job
from facedown.server.study.remarks import better, did, points_of
from facedown.server.study.reviewing import Judged, Position, Reviewed, Sofar
from facedown.server.study.wording import path_to

#: So many moves does a hint name.
HINTS = 3
WORDS = ("no", "one", "two", "three")
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
        seats=() if together else tuple((at, "You" if at == viewer else n, at == seat) for at, n in enumerate(names)),
        fairness=presenter.fairness(session),
    )
    if job is None or job.found is None:
        sofar = Sofar(0) if job is None else job.sofar
        panel = replace(panel, graph=look.bars([]) if together else look.curve(sofar.line, sofar.rounds or ["1"]))
        if job is None or job.failed:
            return replace(panel, says="The coach cannot look through this match now. Come back in a while.")
        says = f"The coach is looking through the match: move {job.done} of {job.of}. You may play on meanwhile."
        return replace(panel, says=says, done=job.done, of=job.of)
    found = job.found
    whose = "yours" if seat == viewer else "theirs"
    return replace(
        panel,
        ready=True,
        graph=_graph(found),
        counts=counts_of(found),
        note=_note(found),
        head=("Swap", "Played", "Turns wasted") if together else ("Decision", "Played", "Chance after it"),
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
        none="No swap wasted a turn."
        if together
        else f"No decision of {whose} cost much. The rest was the cards, and the other side.",
    )


def counts_of(found: Reviewed) -> tuple[tuple[int, str], ...]:
    """How many decisions there were, and how they were judged."""
    judged = len(found.judged)
    counts = [(judged, ("swap" if found.unit == "turns" else "decision") + ("" if judged == 1 else "s"))]
    counts += [(found.count("best"), "best"), (found.count("close"), "close"), (found.count("costly"), "costly")]
    return tuple((n, words) for n, words in counts if n or words != "close")


def _title(session: Session, viewer: int, seat: int) -> str:
    info = session.game.info
    if info.together:
        return "Turns wasted, swap by swap"
    whose = "Your" if seat == viewer else possessive(session.record.seats[seat].name)
    return f"{whose} chance to win, {info.unit} by {info.unit}"


def _moments_title(number: int) -> str:
    if number == 1:
        return "One moment that mattered"
    return f"{WORDS[number].capitalize()} moments that mattered" if number else "Moments that mattered"


def _note(found: Reviewed) -> str:
    if found.unit == "turns":
        return "Exact, by the cards that lay open at the end."
    exact = sum(move.exact for move in found.judged)
    if exact == len(found.judged):
        return "Exact for the round; the rounds to come are taken to be even."
    sure = "Exact where a solver reaches, estimated elsewhere" if exact else "Estimated"
    return (
        f"{sure} in imagined worlds that fit what was known then. What is to come is taken to be even."
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
    sure = "" if move.exact else "about "
    return (f"{move.where}, move {move.ply}", played, f"{sure}{100 * move.chance:.0f} %")


def _moment(move: Judged, names: Sequence[str], viewer: int) -> look.CoachMoment:
    name = "You" if move.seat == viewer else names[move.seat]
    where, change, unit = move.where, digits(-points_of(move)), "points of winning chance"
    if move.chance is None:
        where, change, unit = _whose(move, names, viewer), plural(round(move.cost), "turn"), "wasted"
    known = 0 if move.exact or not move.beaten else move.worlds
    words = did(move, name, viewer), better(move, viewer)
    return look.CoachMoment(where, *words, change, unit, exact=move.exact, worlds=known, beaten=move.beaten)


def _whose(move: Judged, names: Sequence[str], viewer: int) -> str:
    return f"{move.where}, {'you' if move.seat == viewer else names[move.seat]}"


def _drawn(position: Position, names: Sequence[str], viewer: int) -> Markup:
    """The table as it lay; to anybody but the seat itself its own things have its name, and the reader is "You"."""
    table = position.table
    own = table.viewer == viewer
    if not own:
        called = ["You" if seat == viewer else name for seat, name in enumerate(names)]
        table = replace(table, seats=tuple(panel._replace(name=called[panel.seat]) for panel in table.seats))
    return look.position_html(table, position.played, position.better, "you" if own else "played")


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
    say = ". ".join([f"The coach would choose: {best['words']}", str(best["worth"]), *more]) + "."
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
            rows.append(look.HintRow(words, at(advice.value), f"{100 * advice.value:.0f} %", whisker))
    judged = best.exact or best.worlds > 0
    return look.Hint(
        tuple(rows) if judged and len(rows) > 1 else tuple(replace(row, bar=None, whisker=None) for row in rows),
        counts="Turns wasted" if turns and best.exact else "Chance to win" if judged and not turns else "",
        sure="exact" if best.exact else "",
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
    which = f"These {WORDS[number]}" if number == len(shown) else f"The first {WORDS[number]}"
    return f"{which} are as good as each other"


def _worth(advice: Any) -> str:
    """How good a move is, and how sure that is: "62 % to win, in 400 imagined worlds"."""
    if advice.unit == "turns":
        if not advice.exact:
            return "judged by what you know"
        turns = round(advice.value)
        return f"wastes {plural(turns, 'turn')}" if turns else "wastes no turn"
    share = f"{100 * advice.value:.0f} %"
    if advice.exact:
        return {1.0: "wins for certain", 0.0: "loses against the best play"}.get(advice.value, f"{share} to win, exact")
    return f"{share} to win, in {plural(advice.worlds, 'imagined world')}" if advice.worlds else "the only move"
