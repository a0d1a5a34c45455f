"""The coach's hints in the words of `facedown.server.look`: where to look, what speaks for it, the moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from facedown.core.table import Table, Touches
from facedown.core.voice import capital, in_words
from facedown.play.hints import where_to_look, zone_of
from facedown.server import look
from facedown.server.study.coaching import whole_percent
from facedown.server.study.wording import path_to
from facedown.server.texts import _, c_, n_

#: So many moves does a hint name.
HINTS = 3
#: The bars of a hint begin so far below the best chance and end so far above it.
BELOW, ABOVE = 0.12, 0.03


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
    first = shown[0][1][0].action
    zone = zone_of(table, first)
    parts = [where_to_look(table, first), _speaks(drawn, [advice for _words, (advice, _path) in shown])]
    return {
        "type": "hint",
        "version": version,
        "steps": [
            {"html": look.hint_step_html(at, words), "say": [words], "zone": "" if at or zone is None else zone.id}
            for at, words in enumerate(parts)
        ],
        "moves": moves,
        "html": look.hint_html(drawn),
        "say": [say.replace("..", ".")],
    }


def _speaks(drawn: look.Hint, shown: Sequence[Any]) -> str:
    """What speaks for the best move, without naming it: its reason, and by how much it is better than the next."""
    said = [f"{capital(drawn.why)}."] if drawn.why else []
    if drawn.level:
        said.append(f"{drawn.level}.")
    elif len(shown) > 1 and shown[0].unit == "turns" and shown[0].exact:
        turns = round(shown[1].value - shown[0].value)
        said.append(n_("Any other move wastes a turn more.", "Any other move wastes {count} turns more.", turns))
    elif len(shown) > 1 and shown[0].unit != "turns":
        points = max(1, round(100 * (shown[0].value - shown[1].value)))
        said.append(
            n_(
                "It is worth {count} point of winning chance more than the next best.",
                "It is worth {count} points of winning chance more than the next best.",
                points,
            )
        )
    else:
        said.append(_("From what you see, nothing else comes close."))
    return " ".join(said)


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
