"""A view of Reveal as a table, and what happened in words. Nothing here ever sees a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from facedown.core.game import Happening
from facedown.core.state import OPEN, RUNNING, SPECTATOR
from facedown.core.table import Line, Panel, Piece, ScoreRow, SeatPanel, Sitter, Table, Zone
from facedown.core.voice import in_words, name_of, plural, verb, whose
from facedown.games.reveal import INFO
from facedown.games.reveal.asking import step
from facedown.games.reveal.counting import hand_sentence, is_scored, result, slips, tallies, tally_words, winners
from facedown.games.reveal.deck import LAID, NAMES
from facedown.games.reveal.rules import (
    CHOOSE,
    COLUMNS,
    CONFIRM,
    CONTINUE,
    FINAL,
    FINAL_SEALED,
    FINALS,
    PLACE,
    ROWS,
    SCORING,
    SEATS,
    STOP,
    SWAP,
    SWAP_SET,
    side,
)
from facedown.games.reveal.seeing import (
    COLUMN_NAMES,
    base_place,
    base_slot,
    bold_cards,
    bottom_seat,
    capital,
    column_word,
    end_place,
    final_place,
    grand_steps,
    hand_place,
    kind_at,
    side_place,
)
from facedown.games.reveal.words import COLUMN_LETTERS

PHASES = {SWAP: "swap", PLACE: "place", FINAL: "final", SCORING: "scoring"}
#: From which phase to which a turn goes on, if the same seat is still to act: a swap after a swap, a choice confirmed.
GOES_ON = frozenset({("swap", "swap"), ("final", "final")})


def table(view: Any, sitters: Sequence[Sitter]) -> Table:
    """What the viewer of `view` sees, without the log."""
    over = int(view.over) != RUNNING
    scored = is_scored(view)
    return Table(
        game=INFO.name,
        title=INFO.title,
        subtitle=_subtitle(view),
        viewer=int(view.viewer),
        phase=PHASES[int(view.phase)],
        seats=tuple(_panel(view, seat, sitters) for seat in range(SEATS)),
        zones=tuple(_zones(view, sitters)),
        step=step(view, sitters),
        panels=_panels(view, sitters),
        scores_title=_scores_title(view),
        scores=_scores(view),
        slips=slips(view, sitters) if scored else (),
        over=over,
        result=result(view, sitters) if over else "",
    )


def _subtitle(view: Any) -> str:
    hand = int(view.hand_number)
    if int(view.over) != RUNNING:
        return f"Hand {hand} · the match is over"
    if int(view.to_goal):
        length = f"Hand {hand}, to {int(view.end_at)}"
    else:
        length = f"Hand {hand} of {int(view.end_at)}" if hand <= int(view.end_at) else f"Hand {hand}, an extra one"
    phase = int(view.phase)
    if phase == SCORING:
        return f"{length} · Grand Reveal"
    return f"{length} · final round" if phase == FINAL else f"{length} · round {int(view.row) + 1} of {ROWS}"


# --- the players -----------------------------------------------------------------------------------------------------


def _panel(view: Any, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    acting = bool(int(view.acting) >> seat & 1)
    mine = seat == int(view.viewer)
    return SeatPanel(
        seat,
        name_of(sitters, seat, int(view.viewer)),
        you=mine,
        bot=sitters[seat].bot,
        acting=acting,
        line=plural(int(view.total[seat]), "point"),
        state=_state(view, seat, acting, mine),
    )


def _state(view: Any, seat: int, acting: bool, mine: bool) -> str:
    phase = int(view.phase)
    if phase == SCORING:
        if int(view.over) != RUNNING:
            return ""
        return "looking at the cards" if acting else "ready for the next hand"
    if phase == FINAL:
        column = int(view.choice[seat])
        if int(view.confirmed) >> seat & 1:
            return f"confirmed, {COLUMN_NAMES[column]}"
        if column >= 0:
            return f"chose {COLUMN_NAMES[column]}, may move"
    if not acting:
        waits = phase == FINAL and int(view.final_mode) != FINAL_SEALED
        return "waiting" if waits else "has chosen"
    if mine and phase == PLACE:
        return "placing now"
    return "choosing"


def _scores_title(view: Any) -> str:
    played = int(view.hand_number) - (0 if is_scored(view) else 1)
    if played == 0:
        return "Before the first hand"
    return f"After {in_words(played)} {'hand' if played == 1 else 'hands'}"


def _scores(view: Any) -> tuple[ScoreRow, ...]:
    played = int(view.hand_number) - (0 if is_scored(view) else 1)
    best = winners(view)
    return tuple(
        ScoreRow(
            seat,
            str(int(view.total[seat])),
            f"{int(view.score[seat])} in hand {played}" if played else "",
            winner=seat in best,
        )
        for seat in range(SEATS)
    )


# --- what lies on the table ------------------------------------------------------------------------------------------


def _zones(view: Any, sitters: Sequence[Sitter]) -> list[Zone]:
    viewer = int(view.viewer)
    bottom = bottom_seat(view)
    top = 1 - bottom
    zones = [_held(view, seat, sitters) for seat in (top, bottom) if seat != viewer and _hand_count(view, seat)]
    for column in range(COLUMNS):
        zones += _lane(view, column, sitters)
    zones += [_final_zone(view, seat, sitters) for seat in (top, bottom) if _final_apart(view, seat)]
    if not is_scored(view):
        zones += _piles(view)
    if viewer != SPECTATOR and int(view.row) < ROWS:
        zones.append(_own_hand(view))
    return zones


def _hand_count(view: Any, seat: int) -> int:
    """How many cards a seat holds: public, all three lie on the table once both have placed."""
    return COLUMNS if int(view.row) < ROWS else 0


def _held(view: Any, seat: int, sitters: Sequence[Sitter]) -> Zone:
    pieces = tuple(Piece(f"p{seat}-hand-{place + 1}", "back", where="in hand") for place in range(COLUMNS))
    says = f"{whose(sitters, seat, int(view.viewer))} hand"
    return Zone(f"hand-of-{seat}", "fan", "seat", pieces, label="3 in hand", seat=seat, size="small", says=says)


def _own_hand(view: Any) -> Zone:
    viewer, row = int(view.viewer), int(view.row)
    sealed = int(view.sealed[viewer])
    pieces = []
    for place in range(COLUMNS):
        where = f"card {place + 1} of your hand"
        if sealed != OPEN and int(view.phase) == PLACE:
            pieces.append(Piece(hand_place(place), "slot", name="laid", where=where))
            continue
        going = sealed not in (OPEN, STOP) and int(view.phase) == SWAP and (sealed - SWAP_SET) >> place & 1
        kind = kind_at(view, side(viewer, row, place))
        pieces.append(_card(hand_place(place), kind, where, ("picked",) if going else ()))
    return Zone("hand", "row", "hand", tuple(pieces), label="your hand", seat=viewer, says="Your hand")


def _card(place: str, kind: int | None, where: str, marks: tuple[str, ...] = (), tag: str = "") -> Piece:
    if kind is None:
        return Piece(place, "back", where=where, marks=marks, tag=tag)
    return Piece(place, "face", NAMES[kind], NAMES[kind], where, marks, tag)


def _lane(view: Any, column: int, sitters: Sequence[Sitter]) -> list[Zone]:
    """A column: the other side at the top, the base in the middle, the own side at the bottom."""
    bottom = bottom_seat(view)
    letter = COLUMN_LETTERS[column]
    choosers = [seat for seat in range(SEATS) if int(view.choice[seat]) == column]
    scored = is_scored(view)
    faded = ("faded",) if scored and not choosers else ()
    base = []
    for row in range(ROWS):
        kind = kind_at(view, base_slot(row, column))
        base.append(_card(base_place(row, column), kind, f"base row {row + 1}, {COLUMN_NAMES[column]}", faded))
    tray = ("tray", "chosen") if choosers else ("tray",)
    top = 1 - bottom
    theirs = _side(view, top, column, sitters, faded)[::-1]
    mine = _side(view, bottom, column, sitters, faded)

    def stand(name: str, pieces: tuple[Piece, ...], seat: int | None, label: str = "") -> Zone:
        of = "Base" if name == "base" else f"{whose(sitters, int(name[-1]), int(view.viewer))} side"
        says = f"{of}, {COLUMN_NAMES[column]}"
        zone = Zone(f"{name}-{letter}", "cascade", "center", pieces, label=label, seat=seat, group=letter, marks=tray)
        return replace(zone, says=says)

    # Counted, both sides lie alike: every card's upper corners show.
    across = None if scored else top
    chosen_by = _whose(view, choosers, sitters) if scored else ""
    return [
        stand(f"side-{top}", theirs, across),
        stand("base", tuple(base), None),
        stand(f"side-{bottom}", mine, bottom, chosen_by),
    ]


def _whose(view: Any, choosers: Sequence[int], sitters: Sequence[Sitter]) -> str:
    if len(choosers) == SEATS:
        return "Head to head"
    if not choosers:
        return ""
    owner = whose(sitters, choosers[0], int(view.viewer))
    return "Yours" if owner == "Your" else owner


def _side(view: Any, seat: int, column: int, sitters: Sequence[Sitter], faded: tuple[str, ...]) -> tuple[Piece, ...]:
    """A seat's side of a column from the base outwards: rows laid, the place of the next, the column's end."""
    viewer = int(view.viewer)
    owner = whose(sitters, seat, viewer, middle=True)
    row_now = int(view.row)
    pieces = []
    for row in range(row_now):
        kind = kind_at(view, side(seat, row, column))
        seen = ("only-you",) if kind is not None and not is_scored(view) else ()
        where = f"{owner} row {row + 1}, {COLUMN_NAMES[column]}"
        pieces.append(_card(side_place(seat, row, column), kind, where, faded + seen))
    if row_now < ROWS:
        where = f"{owner} row {row_now + 1}, {COLUMN_NAMES[column]}"
        sealed = seat == viewer and int(view.phase) == PLACE and int(view.sealed[seat]) != OPEN
        place = side_place(seat, row_now, column)
        if sealed:
            pieces.append(Piece(place, "back", where=where, marks=("picked",)))
        else:
            pieces.append(Piece(place, "slot", name="empty place", where=where))
    elif not is_scored(view):
        pieces.append(_end(view, seat, column, sitters))
    return tuple(pieces)


def _choice(view: Any, seat: int) -> int:
    """The column where a seat's Final Card lies, as far as the viewer sees it; -1 for none."""
    if seat == int(view.viewer) and int(view.phase) == FINAL and int(view.sealed[seat]) != OPEN:
        return int(view.sealed[seat]) - CHOOSE
    return int(view.choice[seat])


def _end(view: Any, seat: int, column: int, sitters: Sequence[Sitter]) -> Piece:
    """The end of a column in the final round: the Final Card, or a place for it."""
    viewer = int(view.viewer)
    owner = name_of(sitters, seat, viewer, middle=True)
    where = f"{whose(sitters, seat, viewer, middle=True)} end of {column_word(column)}"
    place = end_place(seat, column)
    if _choice(view, seat) != column:
        return Piece(place, "slot", name="empty place", where=where, marks=("end",))
    sure = bool(int(view.confirmed) >> seat & 1) or int(view.sealed[seat]) != OPEN
    return Piece(place, "back", where=where, marks=("chosen", "end", *(("confirmed",) if sure else ())), tag=owner)


def _final_apart(view: Any, seat: int) -> bool:
    """Does the Final Card lie beside the table, with no column yet?"""
    return is_scored(view) or _choice(view, seat) < 0


def _final_zone(view: Any, seat: int, sitters: Sequence[Sitter]) -> Zone:
    viewer = int(view.viewer)
    # The label has one line on the narrowest phone; aloud the card has its whole name.
    words = f"{whose(sitters, seat, viewer)} Final"
    piece = _card(final_place(seat), kind_at(view, FINALS + seat), f"{words} Card")
    return Zone(f"final-card-{seat}", "row", "right", (piece,), seat=seat, note=words, says=f"{words} Card")


def _piles(view: Any) -> list[Zone]:
    draws = int(view.live) - LAID - int(view.drawn)
    # Cards of earlier hands, when they are not shuffled in again, lie under the discards.
    discards = int(view.drawn) + int(view.cards) - int(view.live)
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


def _panels(view: Any, sitters: Sequence[Sitter]) -> tuple[Panel, ...]:
    if is_scored(view):
        before, *after = tallies(view, sitters)
        first, words = tally_words(view, sitters)
        steps = [
            {"says": says, "places": places, "sums": sums, "line": line, "said": said}
            for (says, places), sums, (line, said) in zip(grand_steps(view), after, words, strict=True)
        ]
        return (Panel("reveal-steps", "steps", "center", {"steps": steps, "sums": before, "line": first}),)
    if int(view.phase) == FINAL:
        return ()
    text = "Nobody knows a Final Card before the Grand Reveal."
    return (Panel("final-note", "note", "right", {"text": text}),)


# --- the log ---------------------------------------------------------------------------------------------------------


def open_to(action: int) -> bool:
    """Confirming and going on are open. A choice of column may be sealed: where it is not, the views show it."""
    return action in (CONFIRM, CONTINUE)


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    before, after = happening.before, happening.after
    phase = int(before.phase)
    said: list[str] = []
    if phase == SWAP:
        said = _told_swap(before, after, sitters)
    elif phase == PLACE and (int(after.phase) != PLACE or int(after.row) != int(before.row)):
        said = [f"Both placed row {int(before.row) + 1}."]
        said.append(_turned(after) if int(after.phase) == SWAP else "The final round: each player stakes a column.")
    elif phase == FINAL:
        said = _told_final(happening, sitters)
    elif phase == SCORING and int(after.hand_number) != int(before.hand_number):
        shuffled = "" if int(after.live) < int(after.cards) else ", all cards shuffled"
        said = [f"Hand {int(after.hand_number)} was dealt{shuffled}.", _turned(after)]
    return [Line(str(int(after.hand_number)), text) for text in said]


def _turned(view: Any) -> str:
    """ "Base row 1 was turned: **red, blue, black**."."""
    row = int(view.row)
    cards = bold_cards([kind_at(view, base_slot(row, column)) for column in range(COLUMNS)])
    return f"Base row {row + 1} was turned: {cards}."


def _told_swap(before: Any, after: Any, sitters: Sequence[Sitter]) -> list[str]:
    """How many cards each swapped, once both have; in steps, after each step that swapped something."""
    done = int(after.phase) != SWAP
    moved = int(after.drawn) != int(before.drawn)
    if not done and not moved:
        return []
    said = []
    if done and int(after.hand_number) == 1 and int(after.row) == 0:
        said.append(_turned(after))
    if done or int(after.one_by_one):
        viewer = int(after.viewer)
        order = sorted(range(SEATS), key=lambda seat: seat != viewer)
        counts = [int(after.swapped[seat]) for seat in order]
        so_far = "" if done else " so far"
        first = f"{counts[0]} card{'' if counts[0] == 1 else 's'}" if counts[0] else "no card"
        names = [name_of(sitters, seat, viewer, middle=at > 0) for at, seat in enumerate(order)]
        said.append(f"{names[0]} swapped {first}, {names[1]} {counts[1] or 'none'}{so_far}.")
    return said


def _told_final(happening: Happening, sitters: Sequence[Sitter]) -> list[str]:
    before, after, seat, viewer = happening.before, happening.after, happening.seat, happening.viewer
    name = name_of(sitters, seat, viewer)
    was, now = int(before.choice[seat]), int(after.choice[seat])
    sealed = int(after.final_mode) == FINAL_SEALED
    said = []
    if not sealed and int(after.changes[seat]) != int(before.changes[seat]):
        if was < 0:
            said.append(f"{name} chose {column_word(now)}.")
        elif was != now:
            said.append(f"{name} moved to {column_word(now)}.")
        else:
            said.append(f"{name} stayed with {column_word(now)}.")
    if not sealed and int(after.confirmed) != int(before.confirmed):
        said.append(f"{name} confirmed {column_word(now)}.")
    if is_scored(after):
        said += _told_reveal(after, sitters)
    return said


def _told_reveal(view: Any, sitters: Sequence[Sitter]) -> list[str]:
    """The Grand Reveal in its four steps, and who won the hand."""
    viewer = int(view.viewer)
    bottom = bottom_seat(view)
    order = (bottom, 1 - bottom)
    names = [name_of(sitters, seat, viewer, middle=True) for seat in order]
    owners = [whose(sitters, seat, viewer, middle=True) for seat in order]
    columns = [int(view.choice[seat]) for seat in order]

    def row_of(seat: int, column: int) -> str:
        return bold_cards([kind_at(view, side(seat, row, column)) for row in range(ROWS)])

    def both(first: int, second: int) -> str:
        return (
            f"{owners[0]} {COLUMN_NAMES[first]} side {row_of(order[0], first)},"
            f" {owners[1]} {COLUMN_NAMES[second]} side {row_of(order[1], second)}"
        )

    have = [f"{name} {verb(sitters, seat, viewer, 'have', 'has')}" for name, seat in zip(names, order, strict=True)]
    said = [f"Grand Reveal: {have[0]} {column_word(columns[0])}, {have[1]} {column_word(columns[1])}."]
    for column in range(COLUMNS):
        if column not in columns:
            said.append(f"Nobody’s: {both(column, column)}.")
    said.append(f"{capital(both(columns[0], columns[1]))}.")
    if columns[0] != columns[1]:
        said.append(f"{capital(both(columns[1], columns[0]))}.")
    finals = [NAMES[kind_at(view, FINALS + seat) or 0] for seat in order]
    said.append(f"Final Cards: {names[0]} **{finals[0]}**, {names[1]} **{finals[1]}**.")
    said.append(hand_sentence(view, sitters))
    return said
