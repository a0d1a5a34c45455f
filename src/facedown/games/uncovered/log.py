"""What happened in Uncovered!, in words."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game import Happening
from facedown.core.state import ABANDONED, DECIDED, RUNNING, plain_view
from facedown.core.table import Line, Sitter
from facedown.core.voice import a_number, in_words, listing, name_of, plural, whose
from facedown.games.uncovered.cards import PLACES
from facedown.games.uncovered.fewest import ANYONE
from facedown.games.uncovered.info import Score
from facedown.games.uncovered.par import Swap, best_line
from facedown.games.uncovered.rules import TURN_CAP, Act, UncoveredPosition, swap_slots
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
    swaps = [
        f"{owner_place(v, PLACES * seat + place, sitters)} with {owner_place(v, PLACES * other + theirs, sitters)}"
        for seat, place, other, theirs in (_best(v) if v.over == DECIDED else ())
    ]
    return f"**The fewest: {in_words(len(swaps))}.** Swap {', then '.join(swaps)}." if swaps else ""


# --- the log ----------------------------------------------------------------------------------------------------------


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    if happening.action is None:
        return []
    before, after = (plain_view(view, UncoveredPosition) for view in (happening.before, happening.after))
    name = f"**{name_of(sitters, happening.seat, happening.viewer)}**"
    turn, number = str(before.turn), before.deciding % PLACES + 1
    match Act.of(happening.action):
        case Act.SWAP, _:
            slots = swap_slots(happening.seat, happening.action)
            lines = [Line(turn, _swapped(after, name, *slots, sitters))]
        case Act.UNCOVER, _:
            lines = [Line(turn, f"{name} uncovered.")]
        case Act.TURN, _:
            lines = [Line("", f"{name} turned the {number}.")]
        case _:
            lines = [Line("", f"{name} left the {number} unturned.")]
    if after.over != RUNNING:
        lines += [Line("", text) for text in (result_of(after, sitters), best_words(after, sitters)) if text]
    return lines


def _swapped(v: UncoveredPosition, name: str, own: int, theirs: int, sitters: Sequence[Sitter]) -> str:
    """A swap, with the numbers that it showed the viewer (also where the table does not show them any more)."""
    gave, took = v.gave, v.took
    place, there = own % PLACES + 1, owner_place(v, theirs, sitters)
    if gave and gave == took:
        said = f"{name} swapped equal {gave}s: place {place} with {there}."
    else:
        put = a_number(gave) if gave else "a card"
        got = a_number(took) if took else "a card"
        said = f"{name} put {put} in {there} and took {got} to place {place}."
    turned = [slot for slot in (own, theirs) if v.turned[slot]]
    if turned and v.over == RUNNING:
        cards = listing([f"the {slot % PLACES + 1} at {owner_place(v, slot, sitters)}" for slot in turned])
        said += f" {cards[0].upper()}{cards[1:]} {'was' if len(turned) == 1 else 'were'} turned."
    return said
