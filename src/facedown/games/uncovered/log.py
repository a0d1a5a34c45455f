"""What happened in Uncovered!, in words."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game import Happening
from facedown.core.state import ABANDONED, RUNNING, plain_view
from facedown.core.table import Line, Sitter
from facedown.core.voice import a_number, in_words, listing, name_of, plural, whose
from facedown.games.uncovered.cards import PLACES
from facedown.games.uncovered.fewest import ANYONE
from facedown.games.uncovered.info import Score
from facedown.games.uncovered.par import Swap, best_line
from facedown.games.uncovered.rules import LEAVE, SWAPS, TURN, TURN_CAP, UNCOVER, UncoveredPosition, swap_parts
from facedown.games.uncovered.view import dealt_hands, single_colour_win


def owner_place(v: UncoveredPosition, slot: int, sitters: Sequence[Sitter]) -> str:
    """A place with its owner: "Theo’s place 3"."""
    return f"{whose(sitters, slot // PLACES, v.viewer, middle=True)} place {slot % PLACES + 1}"


# --- the end ----------------------------------------------------------------------------------------------------------


def _best(v: UncoveredPosition) -> tuple[Swap, ...]:
    """A shortest line from the deal, in turn order; all cards must be open."""
    return best_line(dealt_hands(v), v.start, single_colour_win(v))


def result_of(v: UncoveredPosition, sitters: Sequence[Sitter]) -> str:
    """The result in a sentence or two, with T, T* and the score (rules 4.7)."""
    if v.over == ABANDONED:
        return f"The game was given up after {TURN_CAP} swaps: nobody wins."
    swaps = v.turn
    best = len(_best(v))
    made = plural(swaps, "swap")
    if not v.won:
        could = "No swap was needed" if best == 0 else f"It could have been won with {plural(best, 'swap')}"
        return f"Not all alike: the game is lost after {made}. {could}."
    if v.opt.score == Score.RAW_TURNS:
        return f"All hands alike! Won with {made}: score {swaps}. The fewest possible were {best}."
    if v.opt.score == Score.FREE_REGRET:
        free = len(best_line(dealt_hands(v), ANYONE, single_colour_win(v)))
        return (
            f"All hands alike! Won with {made}; {free} would do if anybody could swap at any time, {best} in turn:"
            f" score {swaps - free}."
        )
    if swaps == best:
        return f"All hands alike! A perfect game: {made}, and no fewer would do. Score 0."
    return f"All hands alike! Won with {made}; {best} would have done: score {swaps - best}."


def best_words(v: UncoveredPosition, sitters: Sequence[Sitter]) -> str:
    """A shortest line of swaps in words, once the game is over; nothing if it was given up or none was needed."""
    if v.over in (RUNNING, ABANDONED):
        return ""
    line = _best(v)
    if not line:
        return ""
    swaps = []
    for seat, place, other, theirs in line:
        mine = owner_place(v, PLACES * seat + place, sitters)
        swaps.append(f"{mine} with {owner_place(v, PLACES * other + theirs, sitters)}")
    return f"**The fewest: {in_words(len(line))}.** Swap {', then '.join(swaps)}."


# --- the log ----------------------------------------------------------------------------------------------------------


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    action = happening.action
    if action is None:
        return []
    before, after = (plain_view(view, UncoveredPosition) for view in (happening.before, happening.after))
    name = f"**{name_of(sitters, happening.seat, happening.viewer)}**"
    turn = str(before.turn)
    lines = []
    if action < SWAPS:
        lines.append(Line(turn, _swapped(after, happening.seat, name, action, sitters)))
    elif action == UNCOVER:
        lines.append(Line(turn, f"{name} uncovered."))
    else:
        number = before.deciding % PLACES + 1
        did = {TURN: f"turned the {number}", LEAVE: f"left the {number} unturned"}[action]
        lines.append(Line("", f"{name} {did}."))
    if after.over != RUNNING:
        lines.append(Line("", result_of(after, sitters)))
        best = best_words(after, sitters)
        if best:
            lines.append(Line("", best))
    return lines


def _swapped(v: UncoveredPosition, seat: int, name: str, action: int, sitters: Sequence[Sitter]) -> str:
    """A swap, with the numbers that it showed the viewer (also where the table does not show them any more)."""
    place, other, theirs = swap_parts(action)
    gave, took = v.gave, v.took
    there = owner_place(v, PLACES * other + theirs, sitters)
    if gave and gave == took:
        said = f"{name} swapped equal {gave}s: place {place + 1} with {there}."
    else:
        put = a_number(gave) if gave else "a card"
        got = a_number(took) if took else "a card"
        said = f"{name} put {put} in {there} and took {got} to place {place + 1}."
    turned = [slot for slot in (PLACES * seat + place, PLACES * other + theirs) if v.turned[slot]]
    if turned and v.over == RUNNING:
        cards = listing([f"the {slot % PLACES + 1} at {owner_place(v, slot, sitters)}" for slot in turned])
        said += f" {cards[0].upper()}{cards[1:]} {'was' if len(turned) == 1 else 'were'} turned."
    return said
