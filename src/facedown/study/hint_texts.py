"""Texts of a hint, which has three steps: where to look, the reason, and the move with the touches that choose it.

A *touch* is a click or tap on a place or button of the table. To choose a move, the player makes one or more touches. A
*place* is a spot on the table, such as the spot of one card in the hand. A *zone* is a group of places, such as the
hand. Web pages, the terminal and client programs share these texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from facedown.core.advice import TURNS, Advice
from facedown.core.grammar import capital, in_words
from facedown.core.table import Table, TouchSequence, Zone, touch_sequences
from facedown.core.translation import decimal, percent
from facedown.study.i18n import N_, _, n_


def first_touched_zone(table: Table, action: int) -> Zone | None:
    """Return the zone (named part of the table) that the player touches first to choose a move; None if the move needs
    only buttons.
    """
    zones = {zone.id: zone for zone in table.zones}
    zones |= {piece.place: zone for zone in table.zones for piece in zone.pieces}
    touches = [choice.touch for way in touch_sequences(table.step) if way[-1].action == action for choice in way]
    return next((zones[touch] for touch in touches if touch in zones), None)


def where_to_look_sentence(table: Table, action: int) -> str:
    """Return the first step of a hint for a move: a sentence that names the zone (part of the table) to look at."""
    zone = first_touched_zone(table, action)
    return _("Look here: {where}.", where=zone.says) if zone else _("Look at the buttons.")


def shortest_touches_to(table: Table, action: int) -> TouchSequence:
    """Return the shortest sequence of touches that chooses an action; empty if the table does not offer the action.

    A touch is a click or tap on a place or button of the table.
    """
    found = [path for path in touch_sequences(table.step) if path[-1].action == action]
    return min(found, key=len, default=())


def touched_places(table: Table, action: int) -> tuple[str, ...]:
    """Return the ids of the places and zones (parts of the table) that a player touches to choose a move, in order.

    If the player selects a run of cards by its two ends, the places between the ends are included. Buttons are left
    out.
    """
    rows = [[piece.place for piece in zone.pieces if piece.kind != "gap"] for zone in table.zones]
    things = {piece.place for zone in table.zones for piece in zone.pieces} | {zone.id for zone in table.zones}
    found = [choice.touch for choice in shortest_touches_to(table, action) if choice.touch in things]
    if table.step.picks == "slice":
        ends = pairwise(found)
        found = [
            *found[:1],
            *(place for one, other in ends for place in (*_places_from_one_to_other(rows, one, other), other)),
        ]
    return tuple(dict.fromkeys(found))


def _places_from_one_to_other(rows: Sequence[Sequence[str]], one: str, other: str) -> Sequence[str]:
    """Return the ids from `one` to `other` in the first of `rows` that contains both; empty if no row contains both.

    Each row has the ids of the places of one zone, in their order on the table. A place is the spot of one card. The
    result includes `one` and `other`. It has the order of the row, even if `other` comes before `one` there.
    """
    for row in rows:
        if one in row and other in row:
            first, last = sorted((row.index(one), row.index(other)))
            return row[first : last + 1]
    return ()


def percentage_points(cost: float) -> int:
    """Return `cost`, a difference of two win probabilities, in whole percentage points; at least 1."""
    return max(1, round(100 * cost))


def format_turn_count(number: float) -> str:
    """Return an average number of turns with one decimal place, formatted for the active language."""
    return decimal(round(number, 1), 1)


def best_move_reason(shown: Sequence[Advice]) -> str:
    """Return why the best move is the best and how much better it is than the next one.

    The text does not say which move is the best.

    `shown` lists the moves to compare, best first.
    """
    best, level = shown[0], equally_good_count_text(shown)
    said = [f"{capital(best.why.rstrip('.'))}."] if best.why else []
    if level:
        said.append(f"{level}.")
    elif len(shown) > 1:
        said.append(_advantage_sentence(best, shown[1]))
    elif not best.exact and not best.worlds:
        said.append(_("There is no other move."))
    return " ".join(said)


def _advantage_sentence(best: Advice, following: Advice) -> str:
    """Return a sentence about how much better the best move is than `following`, the next best one."""
    if following.lost:
        return _next_move_loses_sentence(following)
    if best.unit == TURNS and best.exact:
        turns = round(following.value - best.value)
        return n_("Any other move wastes at least one turn.", "Any other move wastes at least {count} turns.", turns)
    if best.unit == TURNS:
        return _("The next best move takes {turns} more turns on average.", turns=format_turn_count(following.behind))
    points = percentage_points(following.behind)
    if best.exact:
        return _("Out of 100 hands, the next best move wins {points} fewer.", points=points)
    return _("Out of 100 matches, the next best move wins about {points} fewer.", points=points)


def _next_move_loses_sentence(advice: Advice) -> str:
    if advice.exact:
        return _("The next best move loses the game.")
    return _("The next best move loses the game in {count} of {worlds} deals.", count=advice.lost, worlds=advice.worlds)


def equally_good_count_text(shown: Sequence[Advice]) -> str:
    """Return a sentence on how many of the moves `shown` are equally good: "The first two moves are equally good".

    `shown` lists moves, best first. The moves before the first mistake (`Advice.mistake`) count as equally good. The
    sentence has no full stop at its end. Return an empty string if fewer than two moves are equally good.
    """
    number = next((at for at, advice in enumerate(shown) if at and advice.mistake), len(shown))
    if number < 2 or not (shown[0].exact or shown[0].worlds):
        return ""
    if shown[0].exact:
        text = N_("These {many} moves are equally good")
        first = N_("The first {many} moves are equally good")
    else:
        text, first = N_("These {many} moves are too close to call"), N_("The first {many} moves are too close to call")
    return _(text if number == len(shown) else first, many=in_words(number))


def move_value_text(advice: Advice) -> str:
    """Return the value of a move in words, and how it was computed: "62 % to win, in 400 simulated deals"."""
    if advice.unit == TURNS:
        if advice.lost:
            return _("loses the game") if advice.exact else _losing_deals_text(advice)
        turns = round(advice.value)
        if advice.exact:
            return n_("wastes {count} turn", "wastes {count} turns", turns) if turns else _("doesn’t waste a turn")
        return n_(
            "wastes {turns} turns on average, in {count} simulated deal",
            "wastes {turns} turns on average, in {count} simulated deals",
            advice.worlds,
            turns=format_turn_count(advice.value),
        )
    share = percent(advice.value)
    if advice.exact:
        certain = {1.0: _("wins the hand for certain"), 0.0: _("loses the hand against best play")}
        return certain.get(advice.value, _("{share} chance of winning the hand (exact)", share=share))
    if not advice.worlds:
        return _("the only move")
    return n_(
        "{share} chance of winning, in {count} simulated deal",
        "{share} chance of winning, in {count} simulated deals",
        advice.worlds,
        share=share,
    )


def _losing_deals_text(advice: Advice) -> str:
    return _("loses the game in {count} of {worlds} deals", count=advice.lost, worlds=advice.worlds)
