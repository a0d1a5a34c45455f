"""A view of Reveal as a table. Nothing here ever sees a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal

from facedown.core.state import OPEN, RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Layout, Panel, Piece, ScoreRow, SeatPanel, Sitter, Slip, SlipRow, Table, Zone
from facedown.core.voice import in_words, is_you, listing, name_of, plural, whose
from facedown.games.reveal.cards import LAID, NAMES
from facedown.games.reveal.info import INFO, End, FinalMode
from facedown.games.reveal.log import hand_won, result_of, sum_sentence
from facedown.games.reveal.prompts import step_of
from facedown.games.reveal.rules import (
    COLUMNS,
    FINAL,
    FINALS,
    PLACE,
    ROWS,
    RULES,
    SCORING,
    SEATS,
    STOP,
    SWAP,
    SWAP_SET,
    RevealPosition,
    base_slot,
    column_of,
    includes,
    side,
)
from facedown.games.reveal.view import (
    BASE_PART,
    COLUMN_LETTERS,
    COLUMN_NAMES,
    FINAL_PART,
    Count,
    base_place,
    bottom_seat,
    capital,
    column_word,
    count_seat,
    counted_places,
    end_place,
    final_place,
    grand_steps,
    hand_place,
    has_confirmed,
    is_acting,
    is_scored,
    kind_at,
    own_first,
    running_counts,
    several,
    side_place,
    winners_of,
)

Done = Literal["", "chosen", "confirmed", "ready"]

PHASES = {SWAP: "swap", PLACE: "place", FINAL: "final", SCORING: "scoring"}
#: From which phase to which a turn goes on, if the same seat is still to act: a swap after a swap, a choice confirmed.
GOES_ON = frozenset({("swap", "swap"), ("final", "final")})


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """What the viewer sees, without the log."""
    v = plain_view(view, RevealPosition)
    over = v.over != RUNNING
    scored = is_scored(v)
    return Table(
        game=INFO.name,
        title=INFO.title,
        where=_where(v),
        viewer=v.viewer,
        phase=PHASES[v.phase],
        seats=tuple(_panel(v, seat, sitters) for seat in range(SEATS)),
        zones=tuple(_zones(v, sitters)),
        step=step_of(v, RULES.legal_actions(view, v.viewer), sitters),
        panels=_panels(v, sitters),
        scores_title=_scores_title(v),
        scores=_scores(v),
        slips=_slips(v, sitters) if scored else (),
        over=over,
        result=result_of(v, sitters) if over else "",
        layout=Layout("lanes"),
        round=v.hand_number,
        winners=tuple(winners_of(v)),
    )


def _where(v: RevealPosition) -> tuple[str, ...]:
    hand = v.hand_number
    if v.over != RUNNING:
        return f"Hand {hand}", "the match is over"
    if v.opt.end == End.GOAL:
        length = f"Hand {hand}, to {v.opt.end_at}"
    else:
        length = f"Hand {hand} of {v.opt.end_at}" if hand <= v.opt.end_at else f"Hand {hand}, an extra one"
    if v.phase == SCORING:
        return length, "Grand Reveal"
    return length, "final round" if v.phase == FINAL else f"round {v.row + 1} of {ROWS}"


# --- the players -----------------------------------------------------------------------------------------------------


def _panel(v: RevealPosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    acting = is_acting(v, seat)
    mine = seat == v.viewer
    state, done = _state(v, seat, acting, mine)
    return SeatPanel(
        seat,
        name_of(sitters, seat, v.viewer),
        you=mine,
        bot=sitters[seat].bot,
        acting=acting,
        line=plural(v.total[seat], "point"),
        state=state,
        done=done,
        says_total=True,
    )


def _state(v: RevealPosition, seat: int, acting: bool, mine: bool) -> tuple[str, Done]:
    """What a seat does, in words, and what it is done with."""
    phase = v.phase
    if phase == SCORING:
        if v.over != RUNNING:
            return "", ""
        return ("looking at the cards", "") if acting else ("ready for the next hand", "ready")
    if phase == FINAL:
        column = v.choice[seat]
        if has_confirmed(v, seat):
            return f"confirmed, {COLUMN_NAMES[column]}", "confirmed"
        if column >= 0:
            return f"chose {COLUMN_NAMES[column]}, may move", ""
    if not acting:
        waits = phase == FINAL and v.opt.final_mode != FinalMode.SEALED
        return ("waiting", "") if waits else ("has chosen", "chosen")
    return ("placing now" if mine and phase == PLACE else "choosing"), ""


def _hands_played(v: RevealPosition) -> int:
    return v.hand_number - (0 if is_scored(v) else 1)


def _scores_title(v: RevealPosition) -> str:
    played = _hands_played(v)
    if played == 0:
        return "Before the first hand"
    return f"After {in_words(played)} {'hand' if played == 1 else 'hands'}"


def _scores(v: RevealPosition) -> tuple[ScoreRow, ...]:
    played = _hands_played(v)
    best = winners_of(v)
    return tuple(
        ScoreRow(
            seat,
            v.total[seat],
            f"{v.score[seat]} in hand {played}" if played else "",
            winner=seat in best,
            round=v.score[seat] if played else None,
        )
        for seat in range(SEATS)
    )


# --- what lies on the table ------------------------------------------------------------------------------------------


def _zones(v: RevealPosition, sitters: Sequence[Sitter]) -> list[Zone]:
    viewer = v.viewer
    bottom = bottom_seat(v)
    top = 1 - bottom
    zones = [_held(v, seat, sitters) for seat in (top, bottom) if seat != viewer and v.row < ROWS]
    for column in range(COLUMNS):
        zones += _lane(v, column, sitters)
    zones += [_final_zone(v, seat, sitters) for seat in (top, bottom) if _final_apart(v, seat)]
    if not is_scored(v):
        zones += _piles(v)
    if viewer != SPECTATOR and v.row < ROWS:
        zones.append(_own_hand(v))
    return zones


def _held(v: RevealPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    """The other's hand: all three cards are there until both have placed."""
    pieces = tuple(Piece(f"p{seat}-hand-{place + 1}", "back", where="in hand") for place in range(COLUMNS))
    says = f"{whose(sitters, seat, v.viewer)} hand"
    return Zone(f"hand-of-{seat}", "fan", "seat", pieces, label="3 in hand", seat=seat, size="small", says=says)


def _own_hand(v: RevealPosition) -> Zone:
    viewer, row = v.viewer, v.row
    sealed = v.sealed[viewer]
    pieces = []
    for place in range(COLUMNS):
        where = f"card {place + 1} of your hand"
        if sealed != OPEN and v.phase == PLACE:
            pieces.append(Piece(hand_place(place), "slot", name="laid", where=where))
            continue
        going = sealed not in (OPEN, STOP) and v.phase == SWAP and includes(sealed - SWAP_SET, place)
        kind = kind_at(v, side(viewer, row, place))
        pieces.append(_card(hand_place(place), kind, where, ("picked",) if going else ()))
    return Zone("hand", "row", "hand", tuple(pieces), label="your hand", seat=viewer, says="Your hand")


def _card(place: str, kind: int | None, where: str, marks: tuple[str, ...] = (), tag: str = "") -> Piece:
    if kind is None:
        return Piece(place, "back", where=where, marks=marks, tag=tag)
    return Piece(place, "face", NAMES[kind], NAMES[kind], where, marks, tag)


def _lane(v: RevealPosition, column: int, sitters: Sequence[Sitter]) -> list[Zone]:
    """A column: the other side at the top, the base in the middle, the own side at the bottom."""
    bottom = bottom_seat(v)
    top = 1 - bottom
    letter = COLUMN_LETTERS[column]
    choosers = [seat for seat in range(SEATS) if v.choice[seat] == column]
    scored = is_scored(v)
    faded = ("faded",) if scored and not choosers else ()

    def stand(name: str, of: str, brief: str, pieces: tuple[Piece, ...]) -> Zone:
        marks = ("tray", "chosen") if choosers else ("tray",)
        says = f"{of}, {COLUMN_NAMES[column]}"
        return Zone(f"{name}-{letter}", "cascade", "center", pieces, group=letter, marks=marks, says=says, brief=brief)

    def side_of(seat: int, pieces: tuple[Piece, ...]) -> Zone:
        yours = is_you(sitters, seat, v.viewer)
        brief = "your" if yours else name_of(sitters, seat, v.viewer, middle=True)
        return stand(f"side-{seat}", f"{whose(sitters, seat, v.viewer)} side", brief, pieces)

    base = []
    for row in range(ROWS):
        kind = kind_at(v, base_slot(row, column))
        where = f"base row {row + 1}, {COLUMN_NAMES[column]}"
        base.append(replace(_card(base_place(row, column), kind, where, faded), row=row + 1))
    theirs = side_of(top, _side(v, top, column, sitters, faded)[::-1])
    mine = side_of(bottom, _side(v, bottom, column, sitters, faded))
    chosen_by = _whose(v, choosers, sitters) if scored else ""
    return [
        # Counted, both sides lie alike: every card's upper corners show.
        replace(theirs, seat=None if scored else top),
        stand("base", "Base", "base", tuple(base)),
        replace(mine, seat=bottom, label=chosen_by),
    ]


def _whose(v: RevealPosition, choosers: Sequence[int], sitters: Sequence[Sitter]) -> str:
    if len(choosers) == SEATS:
        return "Head to head"
    if not choosers:
        return ""
    chooser = choosers[0]
    return "Yours" if is_you(sitters, chooser, v.viewer) else whose(sitters, chooser, v.viewer)


def _side(
    v: RevealPosition, seat: int, column: int, sitters: Sequence[Sitter], faded: tuple[str, ...]
) -> tuple[Piece, ...]:
    """A seat's side of a column from the base outwards: rows laid, the place of the next, the column's end."""
    viewer = v.viewer
    owner = whose(sitters, seat, viewer, middle=True)
    row_now = v.row
    pieces = []
    for row in range(row_now):
        kind = kind_at(v, side(seat, row, column))
        seen = ("only-you",) if kind is not None and not is_scored(v) else ()
        where = f"{owner} row {row + 1}, {COLUMN_NAMES[column]}"
        pieces.append(replace(_card(side_place(seat, row, column), kind, where, faded + seen), row=row + 1))
    if row_now < ROWS:
        where = f"{owner} row {row_now + 1}, {COLUMN_NAMES[column]}"
        sealed = seat == viewer and v.phase == PLACE and v.sealed[seat] != OPEN
        place = side_place(seat, row_now, column)
        if sealed:
            pieces.append(Piece(place, "back", where=where, marks=("picked",), row=row_now + 1))
        else:
            pieces.append(Piece(place, "slot", name="empty place", where=where, row=row_now + 1))
    elif not is_scored(v):
        pieces.append(_end(v, seat, column, sitters))
    return tuple(pieces)


def _choice(v: RevealPosition, seat: int) -> int:
    """The column where a seat's Final Card lies, as far as the viewer sees it; -1 for none."""
    if seat == v.viewer and v.phase == FINAL and v.sealed[seat] != OPEN:
        return column_of(v.sealed[seat])
    return v.choice[seat]


def _end(v: RevealPosition, seat: int, column: int, sitters: Sequence[Sitter]) -> Piece:
    """The end of a column in the final round: the Final Card, or a place for it."""
    viewer = v.viewer
    owner = name_of(sitters, seat, viewer, middle=True)
    where = f"{whose(sitters, seat, viewer, middle=True)} end of {column_word(column)}"
    place = end_place(seat, column)
    if _choice(v, seat) != column:
        return Piece(place, "slot", name="empty place", where=where, marks=("end",))
    sure = has_confirmed(v, seat) or v.sealed[seat] != OPEN
    return Piece(place, "back", where=where, marks=("chosen", "end", *(("confirmed",) if sure else ())), tag=owner)


def _final_apart(v: RevealPosition, seat: int) -> bool:
    """Does the Final Card lie beside the table, with no column yet?"""
    return is_scored(v) or _choice(v, seat) < 0


def _final_zone(v: RevealPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    viewer = v.viewer
    # The label has one line on the narrowest phone; aloud the card has its whole name.
    words = f"{whose(sitters, seat, viewer)} Final"
    piece = _card(final_place(seat), kind_at(v, FINALS + seat), f"{words} Card")
    return Zone(f"final-card-{seat}", "row", "right", (piece,), seat=seat, note=words, says=f"{words} Card")


def _piles(v: RevealPosition) -> list[Zone]:
    draws = v.live - LAID - v.drawn
    # Cards of earlier hands, when they are not shuffled in again, lie under the discards.
    discards = v.drawn + v.cards - v.live
    thrown = _top("discard", "discard pile", discards)
    return [
        Zone(
            "draw-pile",
            "pile",
            "left",
            (_top("draw", "draw pile", draws),),
            label=f"**{draws}** to draw",
            count=draws,
            says="Draw pile",
        ),
        Zone(
            "discard-pile",
            "pile",
            "left",
            (thrown,),
            label=f"**{discards}** discarded",
            count=discards,
            says="Discard pile",
        ),
    ]


def _top(place: str, where: str, count: int) -> Piece:
    """The top of a pile: a back, or the place of an empty pile."""
    if not count:
        return Piece(place, "slot", name="empty", where=where)
    return Piece(place, "back", where=where)


def _panels(v: RevealPosition, sitters: Sequence[Sitter]) -> tuple[Panel, ...]:
    if is_scored(v):
        before, *after = _tallies(v, sitters)
        first, words = tally_words(v, sitters)
        steps = [
            {"says": says, "places": places, "sums": sums, "line": line, "said": said}
            for (says, places), sums, (line, said) in zip(grand_steps(v), after, words, strict=True)
        ]
        return (Panel("reveal-steps", "steps", "center", {"steps": steps, "sums": before, "line": first}),)
    if v.phase == FINAL:
        return ()
    text = "Nobody knows a Final Card before the Grand Reveal."
    return (Panel("final-note", "note", "right", {"text": text}),)


# --- how the hand was counted -----------------------------------------------------------------------------------------


def _slips(v: RevealPosition, sitters: Sequence[Sitter]) -> tuple[Slip, ...]:
    """A slip for each player, the viewer's own first."""
    return tuple(_slip(count_seat(v, seat), v.viewer, sitters) for seat in own_first(v))


def _slip(count: Count, viewer: int, sitters: Sequence[Sitter]) -> Slip:
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
            where = f"{labels[part]}, row {at + 1}" if part != FINAL_PART else labels[part]
            tag = str(number) if counts else ""
            pieces.append(_card(f"slip-{seat}-{part}-{at}", kind, where, marks, tag))
        rows.append(SlipRow(labels[part], tuple(pieces), str(count.subtotal(part))))
    column = f"{COLUMN_NAMES[count.column]} column"
    title = f"{column}, {NAMES[count.root]}" if count.points and count.root is not None else column
    return Slip(seat, title, str(count.points), tuple(rows), sum_sentence(count, viewer, sitters))


def _tallies(v: RevealPosition, sitters: Sequence[Sitter]) -> list[list[dict[str, Any]]]:
    """What both have before the Grand Reveal's first step and after each: the viewer's own first."""
    running = running_counts(v)
    found = []
    for at, counts in enumerate(running):
        each = []
        for seat in own_first(v):
            count = counts[seat]
            cards = [
                {"place": place, "face": NAMES[kind], "to": str(number)}
                for number, (place, kind) in enumerate(counted_places(count), 1)
            ]
            colour = "no colour" if count.root is None else NAMES[count.root]
            last = at == len(running) - 1
            each.append(
                {
                    "name": name_of(sitters, seat, v.viewer),
                    "line": f"{COLUMN_NAMES[count.column]}, {colour}",
                    "sum": str(count.points if last else count.counted),
                    "cards": cards,
                }
            )
        found.append(each)
    return found


def tally_words(v: RevealPosition, sitters: Sequence[Sitter]) -> tuple[str, list[tuple[str, str]]]:
    """What stands below the sums before the Grand Reveal; for each step what stands there, and what is read aloud."""
    order = own_first(v)
    running = [[counts[seat] for seat in order] for counts in running_counts(v)]
    steps = grand_steps(v)
    turning = [at for at, (_, places) in enumerate(steps) if places]
    found = []
    for at, (before, after) in enumerate(pairwise(running)):
        number = f"Step {sum(one <= at for one in turning)} of {len(turning)}."
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
        found.append((line, f"{number} {said}"))
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
    if not new:
        return f"{name}: nothing new."
    return f"{name}: {new}, {in_words(after.counted)} now."
