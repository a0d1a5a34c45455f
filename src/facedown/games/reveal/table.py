"""A view of Reveal as a table. Nothing here ever sees a state."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from facedown.core.state import OPEN, RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Layout, Panel, Piece, ScoreRow, SeatPanel, Sitter, Slip, SlipRow, Table, Zone
from facedown.core.usual import resting, seat_panel
from facedown.core.voice import capital, in_words, is_you, listing, name_of, plural, whose
from facedown.games.reveal.cards import LAID, NAMES
from facedown.games.reveal.info import INFO, End, FinalMode
from facedown.games.reveal.log import hand_won, result_of, sum_sentence
from facedown.games.reveal.prompts import step_of
from facedown.games.reveal.rules import (
    COLUMNS,
    FINALS,
    ROWS,
    RULES,
    SEATS,
    Act,
    Phase,
    RevealPosition,
    base_slot,
    column_of,
    includes,
    side,
)
from facedown.games.reveal.texts import _
from facedown.games.reveal.view import (
    BASE_PART,
    COLUMN_LETTERS,
    COLUMN_NAMES,
    FINAL_PART,
    Count,
    base_place,
    bottom_seat,
    column_word,
    count_seat,
    counted_places,
    end_place,
    final_place,
    grand_steps,
    hand_place,
    has_confirmed,
    kind_at,
    own_first,
    running_counts,
    several,
    side_place,
    winners_of,
)

#: From which phase to which a turn goes on, if the same seat is still to act: a swap after a swap, a choice confirmed.
GOES_ON = frozenset({("swap", "swap"), ("final", "final")})


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """What the viewer sees, without the log."""
    v = plain_view(view, RevealPosition)
    over = v.over != RUNNING
    scored = v.phase == Phase.SCORING
    played = v.hand_number if scored else v.hand_number - 1
    hands = f"After {in_words(played)} {'hand' if played == 1 else 'hands'}"
    return Table(
        game=INFO.name,
        title=INFO.title,
        where=_where(v),
        viewer=v.viewer,
        phase=Phase(v.phase).name.lower(),
        seats=tuple(_panel(v, seat, sitters) for seat in range(SEATS)),
        zones=tuple(_zones(v, sitters)),
        step=step_of(v, RULES.legal_actions(view, v.viewer), sitters),
        panels=_panels(v, sitters),
        scores_title=hands if played else "Before the first hand",
        scores=tuple(_score(v, seat, played) for seat in range(SEATS)),
        slips=tuple(_slip(count_seat(v, seat), v.viewer, sitters) for seat in own_first(v)) if scored else (),
        over=over,
        result=result_of(v, sitters) if over else "",
        layout=Layout("lanes"),
        round=v.hand_number,
        winners=tuple(winners_of(v)),
    )


def _where(v: RevealPosition) -> tuple[str, ...]:
    hand, end = f"Hand {v.hand_number}", v.opt.end_at
    if v.over != RUNNING:
        return hand, "the match is over"
    if v.opt.end == End.GOAL:
        length = f"{hand}, to {end}"
    else:
        length = f"{hand} of {end}" if v.hand_number <= end else f"{hand}, an extra one"
    if v.phase == Phase.SCORING:
        return length, "Grand Reveal"
    return length, "final round" if v.phase == Phase.FINAL else f"round {v.row + 1} of {ROWS}"


# --- the players -----------------------------------------------------------------------------------------------------


def _panel(v: RevealPosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    state, done = _state(v, seat)
    return seat_panel(v, seat, sitters, line=plural(v.total[seat], "point"), state=state, done=done, says_total=True)


def _state(v: RevealPosition, seat: int) -> tuple[str, str]:
    """What a seat does, in words, and what it is done with."""
    acting, column = v.acting >> seat & 1, v.choice[seat]
    if v.over != RUNNING:
        return "", ""
    if v.phase == Phase.SCORING:
        return resting(v, seat, _("ready for the next hand")), "" if acting else "ready"
    if has_confirmed(v, seat):
        return f"confirmed, {COLUMN_NAMES[column]}", "confirmed"
    if column >= 0:
        return f"chose {COLUMN_NAMES[column]}, may move", ""
    if not acting:
        waits = v.phase == Phase.FINAL and v.opt.final_mode != FinalMode.SEALED
        return ("waiting", "") if waits else ("has chosen", "chosen")
    return ("placing now" if seat == v.viewer and v.phase == Phase.PLACE else "choosing"), ""


def _score(v: RevealPosition, seat: int, played: int) -> ScoreRow:
    line = f"{v.score[seat]} in hand {played}" if played else ""
    points = v.score[seat] if played else None
    return ScoreRow(seat, v.total[seat], line, winner=seat in winners_of(v), round=points)


# --- what lies on the table ------------------------------------------------------------------------------------------


def _zones(v: RevealPosition, sitters: Sequence[Sitter]) -> list[Zone]:
    across = (1 - bottom_seat(v), bottom_seat(v))
    laying, scored = v.row < ROWS, v.phase == Phase.SCORING
    return [
        *(_held(v, seat, sitters) for seat in across if seat != v.viewer and laying),
        *(zone for column in range(COLUMNS) for zone in _lane(v, column, sitters)),
        # A Final Card that has no column yet, or is turned up, lies beside the table.
        *(_final_zone(v, seat, sitters) for seat in across if scored or _choice(v, seat) < 0),
        *([] if scored else _piles(v)),
        *([_own_hand(v)] if v.viewer != SPECTATOR and laying else []),
    ]


def _held(v: RevealPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    """The other's hand: all three cards are there until both have placed."""
    pieces = tuple(Piece(f"p{seat}-hand-{place + 1}", "back", where="in hand") for place in range(COLUMNS))
    says = f"{whose(sitters, seat, v.viewer)} hand"
    return Zone(f"hand-of-{seat}", "fan", "seat", pieces, label="3 in hand", seat=seat, size="small", says=says)


def _own_hand(v: RevealPosition) -> Zone:
    sealed = v.sealed[v.viewer]
    pieces = []
    for place in range(COLUMNS):
        where = f"card {place + 1} of your hand"
        if sealed != OPEN and v.phase == Phase.PLACE:
            pieces.append(Piece(hand_place(place), "slot", name="laid", where=where))
            continue
        going = sealed not in (OPEN, Act.STOP) and v.phase == Phase.SWAP and includes(sealed - Act.SWAP, place)
        kind = kind_at(v, side(v.viewer, v.row, place))
        pieces.append(_card(hand_place(place), kind, where, ("picked",) if going else ()))
    return Zone("hand", "row", "hand", tuple(pieces), label="your hand", seat=v.viewer, says="Your hand")


def _card(place: str, kind: int | None, where: str, marks: tuple[str, ...] = (), tag: str = "", row: int = 0) -> Piece:
    """A card that lies at a place: its colour, or its back where the viewer does not know it."""
    if kind is None:
        return Piece(place, "back", where=where, marks=marks, tag=tag, row=row)
    return Piece(place, "face", NAMES[kind], NAMES[kind], where, marks, tag, row=row)


def _lane(v: RevealPosition, column: int, sitters: Sequence[Sitter]) -> list[Zone]:
    """A column: the other side at the top, the base in the middle, the own side at the bottom."""
    letter, name = COLUMN_LETTERS[column], COLUMN_NAMES[column]
    bottom = bottom_seat(v)
    top = 1 - bottom
    choosers = [seat for seat in range(SEATS) if v.choice[seat] == column]
    scored = v.phase == Phase.SCORING
    faded = ("faded",) if scored and not choosers else ()
    marks = ("tray", "chosen") if choosers else ("tray",)

    def stand(zone: str, of: str, brief: str, pieces: list[Piece], seat: int | None = None, label: str = "") -> Zone:
        lies, says = f"{zone}-{letter}", f"{of}, {name}"
        return Zone(
            lies, "cascade", "center", tuple(pieces), label, seat, group=letter, marks=marks, says=says, brief=brief
        )

    def side_of(seat: int, pieces: list[Piece], label: str = "") -> Zone:
        brief = "your" if is_you(sitters, seat, v.viewer) else name_of(sitters, seat, v.viewer, middle=True)
        # Counted, both sides lie alike: every card's upper corners show.
        owner = None if scored and seat == top else seat
        return stand(f"side-{seat}", f"{whose(sitters, seat, v.viewer)} side", brief, pieces, owner, label)

    base = []
    for row in range(ROWS):
        where, kind = f"base row {row + 1}, {name}", kind_at(v, base_slot(row, column))
        base.append(_card(base_place(row, column), kind, where, faded, row=row + 1))
    return [
        side_of(top, _side(v, top, column, sitters, faded)[::-1]),
        stand("base", "Base", "base", base),
        side_of(bottom, _side(v, bottom, column, sitters, faded), _whose(v, choosers, sitters) if scored else ""),
    ]


def _whose(v: RevealPosition, choosers: Sequence[int], sitters: Sequence[Sitter]) -> str:
    if len(choosers) != 1:
        return "Head to head" if choosers else ""
    return "Yours" if is_you(sitters, choosers[0], v.viewer) else whose(sitters, choosers[0], v.viewer)


def _side(v: RevealPosition, seat: int, column: int, sitters: Sequence[Sitter], faded: tuple[str, ...]) -> list[Piece]:
    """A seat's side of a column from the base outwards: rows laid, the place of the next, the column's end."""
    owner = whose(sitters, seat, v.viewer, middle=True)
    scored = v.phase == Phase.SCORING
    pieces = []
    for row in range(min(v.row + 1, ROWS)):
        place, where = side_place(seat, row, column), f"{owner} row {row + 1}, {COLUMN_NAMES[column]}"
        if row < v.row:
            kind = kind_at(v, side(seat, row, column))
            seen = ("only-you",) if kind is not None and not scored else ()
            pieces.append(_card(place, kind, where, faded + seen, row=row + 1))
        elif seat == v.viewer and v.phase == Phase.PLACE and v.sealed[seat] != OPEN:
            pieces.append(_card(place, None, where, ("picked",), row=row + 1))
        else:
            pieces.append(Piece(place, "slot", name="empty place", where=where, row=row + 1))
    if v.row == ROWS and not scored:
        pieces.append(_end(v, seat, column, sitters))
    return pieces


def _choice(v: RevealPosition, seat: int) -> int:
    """The column where a seat's Final Card lies, as far as the viewer sees it; -1 for none."""
    if seat == v.viewer and v.phase == Phase.FINAL and v.sealed[seat] != OPEN:
        return column_of(v.sealed[seat])
    return v.choice[seat]


def _end(v: RevealPosition, seat: int, column: int, sitters: Sequence[Sitter]) -> Piece:
    """The end of a column in the final round: the Final Card, or a place for it."""
    where = f"{whose(sitters, seat, v.viewer, middle=True)} end of {column_word(column)}"
    place = end_place(seat, column)
    if _choice(v, seat) != column:
        return Piece(place, "slot", name="empty place", where=where, marks=("end",))
    sure = ("confirmed",) if has_confirmed(v, seat) or v.sealed[seat] != OPEN else ()
    return _card(place, None, where, ("chosen", "end", *sure), tag=name_of(sitters, seat, v.viewer, middle=True))


def _final_zone(v: RevealPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    # The label has one line on the narrowest phone; aloud the card has its whole name.
    words = f"{whose(sitters, seat, v.viewer)} Final"
    piece = _card(final_place(seat), kind_at(v, FINALS + seat), f"{words} Card")
    return Zone(f"final-card-{seat}", "row", "right", (piece,), seat=seat, note=words, says=f"{words} Card")


def _piles(v: RevealPosition) -> list[Zone]:
    # Cards of earlier hands, when they are not shuffled in again, lie under the discards.
    draws, discards = v.live - LAID - v.drawn, v.drawn + v.cards - v.live
    zones = []
    for name, count, words in (("draw", draws, "to draw"), ("discard", discards, "discarded")):
        where = f"{name} pile"
        piece = _card(name, None, where) if count else Piece(name, "slot", name="empty", where=where)
        label = f"**{count}** {words}"
        zones.append(Zone(f"{name}-pile", "pile", "left", (piece,), label=label, count=count, says=capital(where)))
    return zones


def _panels(v: RevealPosition, sitters: Sequence[Sitter]) -> tuple[Panel, ...]:
    if v.phase == Phase.SCORING:
        running = running_counts(v)
        before, *after = [_sums(v, counts, sitters, counts is running[-1]) for counts in running]
        first, words = tally_words(v, sitters)
        steps = [
            {"says": says, "places": places, "sums": sums, "line": line, "said": said}
            for (says, places), sums, (line, said) in zip(grand_steps(v), after, words, strict=True)
        ]
        return (Panel("reveal-steps", "steps", "center", {"steps": steps, "sums": before, "line": first}),)
    if v.phase == Phase.FINAL:
        return ()
    text = "Nobody knows a Final Card before the Grand Reveal."
    return (Panel("final-note", "note", "right", {"text": text}),)


# --- how the hand was counted -----------------------------------------------------------------------------------------


def _slip(count: Count, viewer: int, sitters: Sequence[Sitter]) -> Slip:
    """One player's column, card by card: counted cards numbered, the root marked."""
    seat = count.seat
    sides = (f"{whose(sitters, one, viewer)} side" for one in (seat, 1 - seat))
    rows = []
    number = 0
    for part, (label, cards) in enumerate(zip(("Base", *sides, "Final Card"), count.parts, strict=True)):
        pieces = []
        for at, (kind, counts) in enumerate(cards):
            number += counts
            root = part == BASE_PART and at == count.root_row
            marks = (() if counts else ("faded",)) + (("root",) if root else ())
            where = f"{label}, row {at + 1}" if part != FINAL_PART else label
            pieces.append(_card(f"slip-{seat}-{part}-{at}", kind, where, marks, str(number) if counts else ""))
        rows.append(SlipRow(label, tuple(pieces), str(count.subtotal(part))))
    column = f"{COLUMN_NAMES[count.column]} column"
    title = f"{column}, {NAMES[count.root]}" if count.points and count.root is not None else column
    return Slip(seat, title, str(count.points), tuple(rows), sum_sentence(count, viewer, sitters))


def _sums(v: RevealPosition, counts: Sequence[Count], sitters: Sequence[Sitter], last: bool) -> list[dict[str, Any]]:
    """What both have after a step of the Grand Reveal, the `last` or an earlier one: the viewer's own first."""
    return [
        {
            "name": name_of(sitters, count.seat, v.viewer),
            "line": f"{COLUMN_NAMES[count.column]}, {'no colour' if count.root is None else NAMES[count.root]}",
            "sum": str(count.points if last else count.counted),
            "cards": [
                {"place": place, "face": NAMES[kind], "to": str(number)}
                for number, (place, kind) in enumerate(counted_places(count), 1)
            ],
        }
        for count in (counts[seat] for seat in own_first(v))
    ]


def tally_words(v: RevealPosition, sitters: Sequence[Sitter]) -> tuple[str, list[tuple[str, str]]]:
    """What stands below the sums before the Grand Reveal; for each step what stands there, and what is read aloud."""
    running = [[counts[seat] for seat in own_first(v)] for counts in running_counts(v)]
    steps = grand_steps(v)
    turning = [at for at, (_, places) in enumerate(steps) if places]
    found = []
    for at, (before, after) in enumerate(pairwise(running)):
        pairs = list(zip(before, after, strict=True))
        said = " ".join(_grown(had, now, name_of(sitters, now.seat, v.viewer)) for had, now in pairs)
        if at == 0:
            unchosen = [name for column, name in enumerate(COLUMN_NAMES) if all(column != c.column for c in after)]
            line = f"{capital(listing(unchosen))} {'counts' if len(unchosen) == 1 else 'count'} for nobody."
            said = f"{line} The sums stand."
        elif at == len(steps) - 1:
            line = hand_won(v, sitters)
            said = f"{said} {line}"
        else:
            line = " · ".join(_gain(had, now, name_of(sitters, now.seat, v.viewer, middle=True)) for had, now in pairs)
        found.append((line, f"Step {sum(one <= at for one in turning)} of {len(turning)}. {said}"))
    return f"The base is open: {listing([str(count.counted) for count in running[0]])}.", found


def _gain(before: Count, after: Count, name: str) -> str:
    """How much somebody gained: "+2 for you"."""
    more = after.counted - before.counted
    return f"+{more} for {name}" if more else f"nothing for {name}"


def _grown(before: Count, after: Count, name: str) -> str:
    """What is new in somebody's sum, and the sum: "You: two reds, four now."."""
    had = {place for place, _ in counted_places(before)}
    if after.root != before.root and before.root is not None and after.root is not None:
        new = f"{NAMES[after.root]} counts best"
    else:
        new = several([kind for place, kind in counted_places(after) if place not in had])
    return f"{name}: {new}, {in_words(after.counted)} now." if new else f"{name}: nothing new."
