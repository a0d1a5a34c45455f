"""What happened in a game of Uncovered!, in words. Nothing here ever sees a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core.game import Happening
from facedown.core.state import ABANDONED, RUNNING
from facedown.core.table import Line, Sitter
from facedown.core.voice import a_number, in_words, listing, name_of, plural, whose
from facedown.games.uncovered.fewest import ANYONE, PLACES
from facedown.games.uncovered.par import Swap, best_line
from facedown.games.uncovered.rules import FREE_REGRET, LEAVE, RAW_TURNS, SWAPS, TURN, TURN_CAP, UNCOVER
from facedown.games.uncovered.seen import dealt_hands
from facedown.games.uncovered.words import swap_parts


def owner_place(view: Any, slot: int, sitters: Sequence[Sitter]) -> str:
    """A place with its owner: "Theo’s place 3"."""
    return f"{whose(sitters, slot // PLACES, int(view.viewer), middle=True)} place {slot % PLACES + 1}"


# --- the end ----------------------------------------------------------------------------------------------------------


def _best(view: Any) -> tuple[Swap, ...]:
    """A shortest line from the deal, in turn order; all cards must be open."""
    return best_line(dealt_hands(view), int(view.start), bool(view.single_colour_wins))


def result(view: Any, sitters: Sequence[Sitter]) -> str:
    """The result in a sentence or two, with T, T* and the score (rules 4.7)."""
    if int(view.over) == ABANDONED:
        return f"The game was given up after {TURN_CAP} swaps: nobody wins."
    swaps = int(view.turn)
    best = len(_best(view))
    made = plural(swaps, "swap")
    if not int(view.won):
        could = "No swap was needed" if best == 0 else f"It could have been won with {plural(best, 'swap')}"
        return f"Not all alike: the game is lost after {made}. {could}."
    if int(view.scoring) == RAW_TURNS:
        return f"All hands alike! Won with {made}: score {swaps}. The fewest possible were {best}."
    if int(view.scoring) == FREE_REGRET:
        free = len(best_line(dealt_hands(view), ANYONE, bool(view.single_colour_wins)))
        return (
            f"All hands alike! Won with {made}; {free} would do if anybody could swap at any time, {best} in turn:"
            f" score {swaps - free}."
        )
    if swaps == best:
        return f"All hands alike! A perfect game: {made}, and no fewer would do. Score 0."
    return f"All hands alike! Won with {made}; {best} would have done: score {swaps - best}."


def best_words(view: Any, sitters: Sequence[Sitter]) -> str:
    """A shortest line of swaps in words, once the game is over; nothing if it was given up or none was needed."""
    if int(view.over) in (RUNNING, ABANDONED):
        return ""
    line = _best(view)
    if not line:
        return ""
    swaps = []
    for seat, place, other, theirs in line:
        mine = owner_place(view, PLACES * seat + place, sitters)
        swaps.append(f"{mine} with {owner_place(view, PLACES * other + theirs, sitters)}")
    return f"**The fewest: {in_words(len(line))}.** Swap {', then '.join(swaps)}."


# --- the log ----------------------------------------------------------------------------------------------------------


def open_to(action: int) -> bool:
    """Everything is done openly: places, owners and turning are seen by all."""
    return True


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    before, after, action = happening.before, happening.after, happening.action
    if action is None:
        return []
    name = f"**{name_of(sitters, happening.seat, happening.viewer)}**"
    turn = str(int(before.turn))
    lines = []
    if action < SWAPS:
        lines.append(Line(turn, _swapped(after, happening.seat, name, action, sitters)))
    elif action == UNCOVER:
        lines.append(Line(turn, f"{name} uncovered."))
    else:
        number = int(before.deciding) % PLACES + 1
        did = {TURN: f"turned the {number}", LEAVE: f"left the {number} unturned"}[action]
        lines.append(Line("", f"{name} {did}."))
    if int(after.over) != RUNNING:
        lines.append(Line("", result(after, sitters)))
        best = best_words(after, sitters)
        if best:
            lines.append(Line("", best))
    return lines


def _swapped(view: Any, seat: int, name: str, action: int, sitters: Sequence[Sitter]) -> str:
    """A swap, with the numbers that it showed the viewer (also where the table does not show them any more)."""
    place, other, theirs = swap_parts(action)
    gave, took = int(view.gave), int(view.took)
    there = owner_place(view, PLACES * other + theirs, sitters)
    if gave and gave == took:
        said = f"{name} swapped equal {gave}s: place {place + 1} with {there}."
    else:
        put = a_number(gave) if gave else "a card"
        got = a_number(took) if took else "a card"
        said = f"{name} put {put} in {there} and took {got} to place {place + 1}."
    turned = [slot for slot in (PLACES * seat + place, PLACES * other + theirs) if int(view.turned[slot])]
    if turned and int(view.over) == RUNNING:
        cards = listing([f"the {slot % PLACES + 1} at {owner_place(view, slot, sitters)}" for slot in turned])
        said += f" {cards[0].upper()}{cards[1:]} {'was' if len(turned) == 1 else 'were'} turned."
    return said
