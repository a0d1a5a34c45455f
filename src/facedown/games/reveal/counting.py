"""A hand of Reveal counted: scoring slips, and who won it, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from facedown.core.state import ABANDONED, RUNNING
from facedown.core.table import Piece, Sitter, Slip, SlipRow
from facedown.core.voice import in_words, listing, name_of, verb, whose
from facedown.games.reveal.deck import NAMES
from facedown.games.reveal.rules import MINIMUM, SCORING, SEATS
from facedown.games.reveal.seeing import (
    COLUMN_NAMES,
    Count,
    capital,
    count_seat,
    counted_places,
    grand_steps,
    running_counts,
    several,
)

BASE_PART, OWN_PART, OTHER_PART, FINAL_PART = range(4)


def slips(view: Any, sitters: Sequence[Sitter]) -> tuple[Slip, ...]:
    """A slip for each player, the viewer's own first."""
    viewer = int(view.viewer)
    order = sorted(range(SEATS), key=lambda seat: seat != viewer)
    return tuple(slip(count_seat(view, seat), viewer, sitters) for seat in order)


def slip(count: Count, viewer: int, sitters: Sequence[Sitter]) -> Slip:
    """One player's column, card by card: counted cards numbered, the root marked."""
    seat = count.seat
    labels = (
        "Base",
        f"{whose(sitters, seat, viewer)} side",
        f"{whose(sitters, 1 - seat, viewer)} side",
        "Final Card",
    )
    rows = []
    number = 0
    for part, cards in enumerate(count.parts):
        pieces = []
        for at, (kind, counts) in enumerate(cards):
            number += counts
            root = part == BASE_PART and at == count.root_row
            marks = (() if counts else ("faded",)) + (("root",) if root else ())
            pieces.append(
                Piece(
                    f"slip-{seat}-{part}-{at}",
                    "face",
                    NAMES[kind],
                    NAMES[kind],
                    f"{labels[part]}, row {at + 1}" if part != FINAL_PART else labels[part],
                    marks,
                    str(number) if counts else "",
                )
            )
        rows.append(SlipRow(labels[part], tuple(pieces), str(count.subtotal(part))))
    column = f"{COLUMN_NAMES[count.column]} column"
    title = f"{column}, {NAMES[count.root]}" if count.points and count.root is not None else column
    return Slip(seat, title, str(count.points), tuple(rows), sum_sentence(count, viewer, sitters))


def tallies(view: Any, sitters: Sequence[Sitter]) -> list[list[dict[str, Any]]]:
    """What both have before the Grand Reveal's first step and after each: the viewer's own first."""
    viewer = int(view.viewer)
    order = sorted(range(SEATS), key=lambda seat: seat != viewer)
    running = running_counts(view)
    found = []
    for at, counts in enumerate(running):
        each = []
        for seat in order:
            count = counts[seat]
            cards = [
                {"place": place, "face": NAMES[kind], "to": str(number)}
                for number, (place, kind) in enumerate(counted_places(count), 1)
            ]
            colour = "no colour" if count.root is None else NAMES[count.root]
            last = at == len(running) - 1
            each.append(
                {
                    "name": name_of(sitters, seat, viewer),
                    "line": f"{COLUMN_NAMES[count.column]}, {colour}",
                    "sum": str(count.points if last else count.counted),
                    "cards": cards,
                }
            )
        found.append(each)
    return found


def tally_words(view: Any, sitters: Sequence[Sitter]) -> tuple[str, list[tuple[str, str]]]:
    """What stands below the sums before the Grand Reveal; for each step what stands there, and what is read aloud."""
    viewer = int(view.viewer)
    order = sorted(range(SEATS), key=lambda seat: seat != viewer)
    names = [name_of(sitters, seat, viewer) for seat in order]
    running = [[counts[seat] for seat in order] for counts in running_counts(view)]
    steps = grand_steps(view)
    turning = [at for at, (_, places) in enumerate(steps) if places]
    found = []
    for at, (before, after) in enumerate(pairwise(running)):
        number = f"Step {sum(one <= at for one in turning)} of {len(turning)}."
        if at == 0:
            unchosen = [name for column, name in enumerate(COLUMN_NAMES) if all(column != c.column for c in after)]
            line = f"{capital(listing(unchosen))} {'counts' if len(unchosen) == 1 else 'count'} for nobody."
        elif at == len(steps) - 1:
            line = hand_sentence(view, sitters).split(". ")[0] + "."
        else:
            line = " · ".join(map(_gain, before, after, names))
        said = " ".join(map(_grown, before, after, names))
        both = f"{line} The sums stand." if at == 0 else f"{said} {line}" if at == len(steps) - 1 else said
        found.append((line, f"{number} {both}"))
    return f"The base is open: {listing([str(count.counted) for count in running[0]])}.", found


def _gain(before: Count, after: Count, name: str) -> str:
    """How much somebody gained: "+2 for you"."""
    who = "you" if name == "You" else name
    more = after.counted - before.counted
    return f"+{more} for {who}" if more else f"nothing for {who}"


def _grown(before: Count, after: Count, name: str) -> str:
    """What is new in somebody's sum, and the sum: "You: two reds, four now."."""
    had = {place for place, _ in counted_places(before)}
    if after.root != before.root and before.root is not None and after.root is not None:
        new = f"{NAMES[after.root]} counts best"
    else:
        new = several([kind for place, kind in counted_places(after) if place not in had])
    if not new:
        return f"{name}: nothing new."
    return f"{name}: {new}, {in_words(after.counted)} now."


def sum_sentence(count: Count, viewer: int, sitters: Sequence[Sitter]) -> str:
    """The sum in words: "**2 + 2 + 1 + 1.** Your own red cards opened Mara’s side."."""
    if count.root is None:
        return "**0.** Three wilds make no root: nothing counts."
    sums = " + ".join(str(count.subtotal(part)) for part in range(len(count.parts)))
    if not count.points:
        few = f"{capital(in_words(count.counted))} {NAMES[count.root]} {'card' if count.counted == 1 else 'cards'}"
        return f"**{sums} = {count.counted}.** {few}: fewer than {in_words(MINIMUM)} are worth nothing."
    return f"**{sums}.** {_why(count, viewer, sitters)}"


def _why(count: Count, viewer: int, sitters: Sequence[Sitter]) -> str:
    """What opened the other side, or kept it shut."""
    seat = count.seat
    owner = whose(sitters, seat, viewer, middle=True)
    other = whose(sitters, 1 - seat, viewer, middle=True)
    assert count.root is not None
    colour = NAMES[count.root]
    own = count.subtotal(OWN_PART)
    if not count.opened:
        return f"No {colour} card on {owner} own side, so {other} side stayed shut."
    across = count.subtotal(OTHER_PART)
    if across and other == "your":
        return f"{_yours_counted(count)} counted for {name_of(sitters, seat, viewer, middle=True)}."
    if own == 0:
        opener, opened = f"{owner} Final Card", "opened"
    else:
        kinds = {kind for kind, counts in count.parts[OWN_PART] if counts}
        what = f"{colour} card" if count.root in kinds else "wild"
        opener, opened = f"{owner} own {what}{'s' if own > 1 else ''}", "opened"
    nothing = "" if across else f", but it has no {colour}"
    return f"{capital(opener)} {opened} {other} side{nothing}."


def _yours_counted(count: Count) -> str:
    """The viewer's cards that counted for the other player: "Your blue card in row 3"."""
    found = [(kind, str(row)) for row, (kind, counts) in enumerate(count.parts[OTHER_PART], 1) if counts]
    kinds = {kind for kind, _ in found}
    named = f"{NAMES[found[0][0]]} " if len(kinds) == 1 else ""
    rows = listing([row for _, row in found])
    several = len(found) > 1
    return f"Your {named}card{'s' if several else ''} in row{'s' if several else ''} {rows}"


def hand_sentence(view: Any, sitters: Sequence[Sitter]) -> str:
    """Who won the hand, and how it stands: "Hand to you, 6 to 5. All level at 13."."""
    viewer = int(view.viewer)
    score = [int(view.score[seat]) for seat in range(SEATS)]
    high, low = max(score), min(score)
    if high == low:
        won = f"A drawn hand, {high} to {low}." if high else "A drawn hand: nobody has three that count."
    else:
        won = f"Hand to {name_of(sitters, score.index(high), viewer, middle=True)}, {high} to {low}."
    return f"{won} {standing(view, sitters)}"


def standing(view: Any, sitters: Sequence[Sitter]) -> str:
    """How the totals stand: "You lead 13 to 12."."""
    viewer = int(view.viewer)
    total = [int(view.total[seat]) for seat in range(SEATS)]
    if total[0] == total[1]:
        return f"All level at {total[0]}."
    leader = total.index(max(total))
    leads = verb(sitters, leader, viewer, "lead", "leads")
    return f"{name_of(sitters, leader, viewer)} {leads} {max(total)} to {min(total)}."


def winners(view: Any) -> list[int]:
    """The seats with the higher total, when the match is over; none when it was given up or is drawn."""
    total = [int(view.total[seat]) for seat in range(SEATS)]
    if int(view.over) in (RUNNING, ABANDONED) or total[0] == total[1]:
        return []
    return [total.index(max(total))]


def result(view: Any, sitters: Sequence[Sitter]) -> str:
    """The result of a finished match in one sentence."""
    viewer = int(view.viewer)
    total = [int(view.total[seat]) for seat in range(SEATS)]
    if int(view.over) == ABANDONED:
        return "The match was given up after a hundred hands: nobody wins."
    if total[0] == total[1]:
        return f"A draw, {total[0]} to {total[1]}."
    won = total.index(max(total))
    return f"{name_of(sitters, won, viewer)} {verb(sitters, won, viewer, 'win', 'wins')}, {max(total)} to {min(total)}."


def is_scored(view: Any) -> bool:
    """Is the hand scored, all its cards open?"""
    return int(view.phase) == SCORING
