"""Hints of the coach as messages: where to look, why, and the best moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from facedown.core.advice import TURNS, Advice
from facedown.core.grammar import capital
from facedown.core.table import Table, TouchSequence
from facedown.core.translation import percent
from facedown.server import rendering
from facedown.server.i18n import _, c_
from facedown.study.hint_texts import (
    best_move_reason,
    equally_good_count_text,
    first_touched_zone,
    format_turn_count,
    move_value_text,
    shortest_touches_to,
    where_to_look_sentence,
)

#: Maximum number of moves that a hint names.
HINTS = 3
#: Scale of the bars in a hint, which show win probabilities. If the best move wins with the probability p, an empty bar
#: stands for p − `BELOW`, and a full bar for p + `ABOVE`.
BELOW, ABOVE = 0.12, 0.03


def hint_message(table: Table, found: Sequence[Advice], version: int, words_of: Callable[[int], str]) -> dict[str, Any]:
    """Return the WebSocket message with a hint: the best moves in words, and the places and buttons to touch for each.

    * `table`: the table as the seat sees it.
    * `found`: the coach's advice, one item for each action that the coach has evaluated. The action that was tried in
      the most worlds (imagined deals) is first.
    * `version`: the version of the table for this seat.
    * `words_of`: returns the text of an action. Actions with the same text count as one move.
    """
    rows: dict[str, tuple[Advice, TouchSequence]] = {}
    for advice in found:
        # Skip actions for which the page has no button and no card or place to touch, because they would change nothing
        # (for example, choosing a card that is chosen already).
        path = shortest_touches_to(table, advice.action)
        if path:
            rows.setdefault(words_of(advice.action), (advice, path))
    # `found`, and therefore `rows`, begins with the moves that were tried in the most worlds (imagined deals). Show the
    # first `HINTS` moves, ordered by how much worse they are than the best move (`behind`).
    shown = sorted(list(rows.items())[:HINTS], key=lambda row: row[1][0].behind)
    moves = [
        {name: getattr(advice, name) for name in ("action", "why", "exact", "worlds", "unit")}
        | {"words": words, "worth": move_value_text(advice), "value": round(advice.value, 4)}
        | {"touches": [choice.touch for choice in path]}
        for words, (advice, path) in shown
    ]
    drawn = hint_of([(words, advice) for words, (advice, _) in shown])
    best = moves[0]
    more = [capital(part) for part in (str(best["why"]), drawn.level) if part]
    say = ". ".join([_("The coach would choose: {move}", move=best["words"]), str(best["worth"]), *more]) + "."
    first = shown[0][1][0].action
    zone = first_touched_zone(table, first)
    steps = [
        (where_to_look_sentence(table, first), "" if zone is None else zone.id),
        (best_move_reason([advice for _words, (advice, _path) in shown]), ""),
    ]
    return {
        "type": "hint",
        "version": version,
        "steps": [
            {"html": rendering.render("hint_step.html", at=at, words=words), "say": [words], "zone": marked}
            for at, (words, marked) in enumerate(steps)
        ],
        "moves": moves,
        "html": rendering.render("hint.html", hint=drawn),
        "say": [say.replace("..", ".")],
    }


def hint_of(shown: Sequence[tuple[str, Advice]]) -> rendering.Hint:
    """Return the contents of the box that shows a hint: the recommended moves, best first, each with a value and a bar.

    The value of a move is the chance of winning in percent, or the number of turns that the move wastes. A longer bar
    means a better move. If there is only one move, or if the moves were not evaluated, there are no bars.

    `shown` holds (text of the move, the coach's advice on it), best first.
    """
    best = shown[0][1]
    turns = best.unit == TURNS
    low, wide = (0.0, 1.0) if turns else (best.value - BELOW, BELOW + ABOVE)

    def at(value: float) -> float:
        """Return the position of a value along a bar, in percent of its length."""
        return round(100 * min(1.0, max(0.02, (value - low) / wide)), 1)

    rows = []
    for words, advice in shown:
        sure = advice.exact or advice is best or not 0 < advice.error < 1
        whisker = None if sure else (at(advice.value - 2 * advice.error), at(advice.value + 2 * advice.error))
        if turns:
            rows.append(rendering.HintRow(words, max(4.0, 100.0 - 20 * advice.value), _wasted_turns_or_lost(advice)))
        else:
            rows.append(rendering.HintRow(words, at(advice.value), percent(advice.value), whisker))
    judged = best.exact or best.worlds > 0
    return rendering.Hint(
        tuple(rows) if judged and len(rows) > 1 else tuple(row._replace(bar=None, whisker=None) for row in rows),
        counts=_value_label(best) if judged else "",
        sure=c_("a hint", "exact") if best.exact else "",
        worlds=best.worlds,
        why=best.why.rstrip("."),
        level=equally_good_count_text([advice for _, advice in shown]),
        marked=any(row.whisker for row in rows),
    )


def _value_label(best: Advice) -> str:
    """Return the label that says what the values in a hint mean. `best` is the advice on the best move.

    The value of a move depends on the game, and on whether a solver has computed the value exactly:

    * In a game in which fewer turns are better, the value is the number of turns that the move wastes.
    * In any other game, an exact value is the chance of winning the current hand (round).
    * In any other game, an estimate is the chance of winning the match. If the game does not define how to convert the
      value of a round to a chance of winning the match, the estimate is the chance of winning the round.
    """
    if best.unit == TURNS:
        return _("Turns wasted") if best.exact else _("Turns wasted, on average")
    return _("Chance of winning the hand") if best.exact else _("Chance of winning")


def _wasted_turns_or_lost(advice: Advice) -> str:
    if advice.lost:
        return c_("a game", "lost")
    return f"{advice.value:.0f}" if advice.exact else format_turn_count(advice.value)
