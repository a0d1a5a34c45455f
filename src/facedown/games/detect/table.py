"""A view of Detect as a table, and what happened in words. Nothing here ever sees a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from facedown.core.game import Happening
from facedown.core.state import ABANDONED, EMPTY, OPEN, RUNNING, SPECTATOR, UNKNOWN
from facedown.core.table import (
    Ask,
    Choice,
    Line,
    Path,
    Piece,
    ScoreRow,
    SeatPanel,
    Sitter,
    Slip,
    SlipRow,
    Step,
    Table,
    Zone,
    steps_from_paths,
)
from facedown.core.voice import a_number, acting_seats, are, digits, has, minus, name_of, names_of, verb, whose
from facedown.games.detect import INFO
from facedown.games.detect.deck import number_of
from facedown.games.detect.rules import (
    ACTIONS,
    CELLS,
    COLUMNS,
    CONTINUE,
    DRAW,
    DRAWN,
    HAND,
    KEEP,
    LEAVE,
    OPENING,
    PAIRS,
    REMOVE,
    ROWS,
    SCORING,
    SET,
    SLOTS,
    TAKE,
    THROW,
    TURN,
    legal,
)

PHASES = {OPENING: "opening", TURN: "turn", DRAWN: "drawn", SET: "set", SCORING: "scoring"}
#: From which phase to which a turn goes on, if the same seat is still to act.
GOES_ON = frozenset({("turn", "drawn"), ("turn", "set"), ("drawn", "set")})
_LETTERS = "abcd"


# --- reading a view -------------------------------------------------------------------------------------------------


def number_at(view: Any, slot: int) -> int | None:
    """The number in a slot, or None for no card or one the viewer may not look at."""
    kind = int(view.card[slot])
    return None if kind in (EMPTY, UNKNOWN) else number_of(kind)


def top_discard(view: Any) -> int | None:
    """The number on top of the discard pile."""
    return number_at(view, SLOTS - int(view.discard_count)) if int(view.discard_count) else None


def open_sum(view: Any, seat: int) -> int:
    """The sum of a seat's open cards."""
    up = int(view.up[seat])
    return sum(number_at(view, seat * CELLS + cell) or 0 for cell in range(CELLS) if up >> cell & 1)


def is_down(view: Any, seat: int, cell: int) -> bool:
    """Does a face-down card lie in this cell?"""
    return not (int(view.up[seat]) | int(view.gone[seat])) >> cell & 1


def completes(view: Any, seat: int, cell: int, number: int) -> bool:
    """Would this number in this cell complete a column of three?"""
    column = cell // ROWS
    others = [c for c in range(column * ROWS, column * ROWS + ROWS) if c != cell]
    return all(int(view.up[seat]) >> c & 1 and number_at(view, seat * CELLS + c) == number for c in others)


# --- the table --------------------------------------------------------------------------------------------------------


def table(view: Any, sitters: Sequence[Sitter]) -> Table:
    """What the viewer of `view` sees, without the log."""
    viewer = int(view.viewer)
    seats = int(view.seats)
    # Others follow in turn order, from the viewer's left.
    order = [(viewer + k) % seats for k in range(1, seats)] if viewer != SPECTATOR else list(range(seats))
    zones = [_grid(view, seat, sitters, mine=False) for seat in order]
    zones += _piles(view)
    if viewer != SPECTATOR:
        zones.append(_grid(view, viewer, sitters, mine=True))
    over = int(view.over) != RUNNING
    return Table(
        game=INFO.name,
        title=INFO.title,
        subtitle=_subtitle(view, sitters),
        viewer=viewer,
        phase=PHASES[int(view.phase)],
        seats=tuple(_panel(view, seat, sitters) for seat in range(seats)),
        zones=tuple(zones),
        step=_step(view, sitters),
        scores_title=f"Round {int(view.round_number)} · lowest total wins at 100",
        scores=_scores(view, sitters),
        slips=_slips(view, sitters) if int(view.phase) == SCORING else (),
        over=over,
        result=_result(view, sitters) if over else "",
    )


def _subtitle(view: Any, sitters: Sequence[Sitter]) -> str:
    start = f"Round {int(view.round_number)}"
    phase = int(view.phase)
    if int(view.over) != RUNNING:
        return f"{start} · the match is over"
    if phase == OPENING:
        return f"{start} · opening"
    if phase == SCORING:
        return f"{start} · scoring"
    turn = int(view.turn)
    last = " · last turns" if int(view.ender) >= 0 else ""
    return f"{start}{last} · {whose(sitters, turn, int(view.viewer), middle=True)} turn"


def _panel(view: Any, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    phase = int(view.phase)
    acting = bool(int(view.acting) >> seat & 1)
    state = ""
    line = f"shows {digits(open_sum(view, seat))}"
    if phase == OPENING:
        line = ""
        state = "choosing" if acting else "has chosen"
    elif phase == SCORING:
        line = f"{digits(int(view.score[seat]))} this round"
        if int(view.over) == RUNNING:
            state = "looking at the cards" if acting else "ready for the next round"
    elif seat == int(view.ender):
        state = "ended the round"
    return SeatPanel(
        seat=seat,
        name=name_of(sitters, seat, int(view.viewer)),
        you=seat == int(view.viewer),
        bot=sitters[seat].bot,
        acting=acting and phase != SCORING,
        line=line,
        state=state,
    )


def _grid(view: Any, seat: int, sitters: Sequence[Sitter], mine: bool) -> Zone:
    pieces = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            pieces.append(_cell(view, seat, column * ROWS + row, mine))
    return Zone(
        id=f"grid-{seat}",
        kind="grid",
        area="you" if mine else "seat",
        pieces=tuple(pieces),
        label="Your grid" if mine else "",
        seat=seat,
        columns=COLUMNS,
        size="large" if mine else "small",
        marks=("tray",) if mine else (),
        says=f"{whose(sitters, seat, int(view.viewer))} grid",
    )


def cell_place(view: Any, seat: int, cell: int) -> str:
    """The id of a cell's place: the seat and the cell's name, nothing of the card in it."""
    return f"p{seat}-{_LETTERS[cell // ROWS]}{cell % ROWS + 1}"


def _cell(view: Any, seat: int, cell: int, mine: bool) -> Piece:
    place = cell_place(view, seat, cell)
    where = f"row {cell % ROWS + 1}, column {cell // ROWS + 1}"
    if int(view.gone[seat]) >> cell & 1:
        return Piece(place, "gone", name="removed", where=where)
    if is_down(view, seat, cell):
        picked = mine and int(view.sealed[seat]) >= 0 and cell in PAIRS[int(view.sealed[seat])]
        return Piece(place, "back", where=where, marks=("picked",) if picked else ())
    number = number_at(view, seat * CELLS + cell)
    assert number is not None
    return Piece(place, "face", str(number), digits(number), where)


def _piles(view: Any) -> list[Zone]:
    draws = int(view.draw_count)
    discards = int(view.discard_count)
    top = top_discard(view)
    draw_pieces = (Piece("draw", "back", where="draw pile"),) if draws else (Piece("draw", "slot", name="empty"),)
    zones = [
        Zone("draw-pile", "pile", "center", draw_pieces, label=f"**{draws}** to draw", count=draws, says="Draw pile")
    ]
    if int(view.phase) == DRAWN:
        zones.append(_drawn(view))
    shown = (
        (Piece("discard", "face", str(top), digits(top), "discard pile"),)
        if top is not None
        else (Piece("discard", "slot", name="empty", where="discard pile"),)
    )
    label = f"**{discards}** discarded"
    zones.append(Zone("discard-pile", "pile", "center", shown, label=label, count=discards, says="Discard pile"))
    return zones


def _drawn(view: Any) -> Zone:
    number = number_at(view, HAND)
    if number is None:
        piece = Piece("drawn", "back", where="just drawn", marks=("held",))
        return Zone("drawn-card", "row", "center", (piece,), label="just drawn", says="The drawn card")
    piece = Piece("drawn", "face", str(number), digits(number), "just drawn", marks=("held", "only-you"))
    return Zone("drawn-card", "row", "center", (piece,), label="only you", says="The drawn card")


# --- what is asked ----------------------------------------------------------------------------------------------------


def _step(view: Any, sitters: Sequence[Sitter]) -> Step:
    viewer = int(view.viewer)
    if int(view.over) != RUNNING:
        return Step(_result(view, sitters))
    phase = int(view.phase)
    actions: list[int] = []
    if viewer != SPECTATOR:
        out = np.empty(ACTIONS, np.int32)
        actions = [int(a) for a in out[: legal(view, viewer, out)]]
    if not actions:
        return _waiting(view, sitters)
    if phase == OPENING:
        return _opening_step(view, actions)
    if phase == TURN:
        return _turn_step(view, actions)
    if phase == DRAWN:
        return _drawn_step(view, actions)
    if phase == SET:
        return _set_step(view)
    next_round = int(view.round_number) + 1
    return Step(
        _round_sentence(view, sitters),
        "Look as long as you like: the next round begins when everybody has gone on.",
        (Choice("continue", button=f"Continue to round {next_round}", primary=True, action=CONTINUE),),
        rule="score",
    )


def _waiting(view: Any, sitters: Sequence[Sitter]) -> Step:
    phase = int(view.phase)
    viewer = int(view.viewer)
    waiting = acting_seats(view)
    names = names_of(sitters, waiting, viewer)
    if phase == SCORING:
        return Step(
            _round_sentence(view, sitters),
            f"Waiting for {names_of(sitters, waiting, viewer, middle=True)} to go on.",
            rule="score",
        )
    if phase == OPENING:
        mine = viewer != SPECTATOR and int(view.sealed[viewer]) != OPEN
        help_text = "You have chosen. Nothing turns before all have." if mine else "Each turns two cards up."
        return Step(f"{names} {are(sitters, waiting, viewer)} choosing.", help_text, rule="opening")
    return Step(f"{names} {are(sitters, waiting, viewer)} choosing.", rule="turn")


def _opening_step(view: Any, actions: Sequence[int]) -> Step:
    viewer = int(view.viewer)
    paths: list[tuple[int, Path]] = []
    for action in actions:
        a, b = (cell_place(view, viewer, int(c)) for c in PAIRS[action])
        paths += [(action, (a, b, "turn-two")), (action, (b, a, "turn-two"))]

    def ask(prefix: Path) -> Ask:
        question = ("Which two cards do you turn up?", "And which other one?", "Turn these two?")[len(prefix)]
        help_text = "Nobody sees which before all have chosen. The highest sum plays first."
        return Ask(question, help_text, "opening", picks="set")

    def dress(path: Path, bare: Choice) -> Choice:
        return replace(bare, button="Turn two cards", primary=True) if path[-1] == "turn-two" else bare

    return steps_from_paths(paths, ask, dress)


def _turn_step(view: Any, actions: Sequence[int]) -> Step:
    viewer = int(view.viewer)
    top = top_discard(view)
    paths: list[tuple[int, Path]] = []
    for action in actions:
        paths.append((action, ("draw",) if action == DRAW else ("discard", cell_place(view, viewer, action - TAKE))))
    last = " It is your last turn." if int(view.ender) >= 0 else ""

    def ask(prefix: Path) -> Ask:
        if prefix:
            return Ask(
                f"Where does the {digits(top or 0)} go?",
                "Touch a place in your grid. The card that lies there goes on the discard pile.",
                "take",
            )
        if top is None:
            return Ask("Draw a card.", "The discard pile is empty." + last, "draw")
        return Ask(
            f"Take the {digits(top)}, or draw?",
            "Touch the discard pile to take its top card, or the draw pile to look at a new one." + last,
            "turn",
        )

    def dress(path: Path, bare: Choice) -> Choice:
        if path == ("draw",):
            return replace(bare, button="Draw a card")
        if len(path) == 2 and top is not None:
            return replace(bare, says=_consequence(view, viewer, path[1], top))
        return bare

    return steps_from_paths(paths, ask, dress)


def _drawn_step(view: Any, actions: Sequence[int]) -> Step:
    viewer = int(view.viewer)
    number = number_at(view, HAND)
    assert number is not None
    paths: list[tuple[int, Path]] = []
    for action in actions:
        if action < THROW:
            paths.append((action, (cell_place(view, viewer, action - KEEP),)))
        else:
            paths.append((action, ("discard", cell_place(view, viewer, action - THROW))))

    def ask(prefix: Path) -> Ask:
        if prefix:
            return Ask("Which card do you turn up?", f"The {digits(number)} goes on the discard pile.", "throw")
        return Ask(
            f"Keep the {digits(number)}, or throw it?",
            "Touch a place in your grid to keep it. Touch the discard pile to throw it and turn one of your cards.",
            "keep",
        )

    def dress(path: Path, bare: Choice) -> Choice:
        if path == ("discard",):
            return replace(bare, button=f"Throw the {digits(number)}", sign="swap")
        if len(path) == 1:
            return replace(bare, says=_consequence(view, viewer, path[0], number))
        return bare

    return steps_from_paths(paths, ask, dress)


def _consequence(view: Any, seat: int, place: str, number: int) -> str:
    cell = _LETTERS.index(place[-2]) * ROWS + int(place[-1]) - 1
    return f"three {plural_number(number)}" if completes(view, seat, cell, number) else ""


def _set_step(view: Any) -> Step:
    viewer = int(view.viewer)
    number = number_at(view, viewer * CELLS + int(view.column) * ROWS)
    assert number is not None
    return Step(
        f"Take the three {plural_number(number)} away?",
        "You decide now: the column is asked about again only when it is completed anew.",
        (
            Choice("remove", button="Take them away", primary=number > 0, action=REMOVE),
            Choice("leave", button="Leave them", primary=number <= 0, action=LEAVE),
        ),
        rule="set",
    )


def plural_number(number: int) -> str:
    """Several cards of a number: "1s", "−2s"."""
    return f"{minus(number)}s"


# --- scores -----------------------------------------------------------------------------------------------------------


def _winners(view: Any) -> list[int]:
    if int(view.over) == ABANDONED:
        return []
    totals = [int(view.total[seat]) for seat in range(int(view.seats))]
    return [seat for seat, total in enumerate(totals) if total == min(totals)]


def _scores(view: Any, sitters: Sequence[Sitter]) -> tuple[ScoreRow, ...]:
    scoring = int(view.phase) == SCORING
    over = int(view.over) != RUNNING
    best = _winners(view)
    rows = []
    for seat in range(int(view.seats)):
        if scoring:
            line = f"{digits(int(view.score[seat]))} this round"
        elif int(view.phase) == OPENING:
            line = "none turned up yet"
        else:
            line = f"shows {digits(open_sum(view, seat))} this round"
        rows.append(ScoreRow(seat, digits(int(view.total[seat])), line, winner=over and seat in best))
    return tuple(rows)


def _slips(view: Any, sitters: Sequence[Sitter]) -> tuple[Slip, ...]:
    viewer = int(view.viewer)
    slips = []
    for seat in range(int(view.seats)):
        rows = []
        for row in range(ROWS):
            pieces = tuple(
                replace(_cell(view, seat, column * ROWS + row, False), place=f"slip-{seat}-{_LETTERS[column]}{row + 1}")
                for column in range(COLUMNS)
            )
            subtotal = sum(
                number_at(view, seat * CELLS + column * ROWS + row) or 0
                for column in range(COLUMNS)
                if int(view.up[seat]) >> (column * ROWS + row) & 1
            )
            rows.append(SlipRow(f"Row {row + 1}", pieces, digits(subtotal)))
        raw, score = int(view.raw[seat]), int(view.score[seat])
        best = score == min(int(view.score[other]) for other in range(int(view.seats)))
        ended = "ended the round" if seat == int(view.ender) else ""
        title = ended or ("fewest" if best else f"{digits(int(view.total[seat]))} in all")
        sums = _sum_sentence(view, seat, raw, score, sitters, viewer)
        slips.append(Slip(seat, title, digits(score), tuple(rows), sums, best))
    return tuple(slips)


def _sum_sentence(view: Any, seat: int, raw: int, score: int, sitters: Sequence[Sitter], viewer: int) -> str:
    name = name_of(sitters, seat, viewer)
    if score != raw:
        what = "doubled" if int(view.double_positive) == 0 else "with the cards above zero doubled"
        lower = [s for s in range(int(view.seats)) if s != seat and int(view.raw[s]) <= raw]
        others = names_of(sitters, lower, viewer, middle=True)
        return (
            f"**{digits(raw)}, {what}: {digits(score)}.** {name} ended the round,"
            f" but {others} {has(sitters, lower, viewer)} no more."
        )
    if seat == int(view.ender):
        keeps = verb(sitters, seat, viewer, "keep", "keeps")
        return f"**{digits(raw)}.** {name} ended the round and {keeps} it undoubled."
    return f"**{digits(raw)}.**"


def _round_sentence(view: Any, sitters: Sequence[Sitter]) -> str:
    viewer = int(view.viewer)
    scores = [int(view.score[seat]) for seat in range(int(view.seats))]
    best = [seat for seat, score in enumerate(scores) if score == min(scores)]
    names = names_of(sitters, best, viewer)
    return f"{names} {has(sitters, best, viewer)} the fewest this round, {digits(min(scores))}."


def _result(view: Any, sitters: Sequence[Sitter]) -> str:
    viewer = int(view.viewer)
    best = _winners(view)
    if not best:
        return "The match was given up after a hundred rounds: nobody wins."
    names = names_of(sitters, best, viewer)
    total = digits(int(view.total[best[0]]))
    if len(best) > 1:
        return f"{names} share the win with {total}."
    rest = sorted(int(view.total[seat]) for seat in range(int(view.seats)) if seat not in best)
    return f"{names} {verb(sitters, best[0], viewer, 'win', 'wins')}, {total} to {digits(rest[0])}."


# --- the log ----------------------------------------------------------------------------------------------------------


def open_to(action: int) -> bool:
    """All of Detect is played openly but the sealed choice of the opening cards."""
    return action >= TAKE


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    before, after, action = happening.before, happening.after, happening.action
    number = f"{int(before.turns) + 1}"
    lines: list[Line] = []
    if int(before.phase) == OPENING:
        if int(after.phase) != OPENING:
            lines.append(Line("", _opened(after, sitters, happening.viewer)))
    elif action is not None and action != CONTINUE:
        said = _said(happening, sitters, action)
        if said:
            lines.append(Line(number, said))
    elif int(before.phase) == SCORING and int(after.phase) != SCORING:
        lines.append(Line("", f"Round {int(after.round_number)} was dealt."))
        if int(after.phase) != OPENING:
            lines.append(Line("", _opened(after, sitters, happening.viewer)))
    if int(after.phase) == SCORING and int(before.phase) != SCORING:
        lines.append(Line("", _round_sentence(after, sitters)))
    elif int(after.ender) >= 0 and int(before.ender) < 0:
        name = name_of(sitters, int(after.ender), happening.viewer)
        lines.append(Line("", f"**{name}** turned the last card up: everybody else has one more turn."))
    return lines


def _opened(view: Any, sitters: Sequence[Sitter], viewer: int) -> str:
    parts: list[str] = []
    for seat in range(int(view.seats)):
        up = [cell for cell in range(CELLS) if int(view.up[seat]) >> cell & 1]
        cards = " and ".join(minus(number_at(view, seat * CELLS + cell) or 0) for cell in up)
        parts.append(f"**{name_of(sitters, seat, viewer, middle=bool(parts))}** turned {cards}")
    starter = name_of(sitters, int(view.turn), viewer)
    return f"{', '.join(parts)}. **{starter}** {verb(sitters, int(view.turn), viewer, 'start', 'starts')}."


def _said(happening: Happening, sitters: Sequence[Sitter], action: int) -> str:
    before, after, seat, viewer = happening.before, happening.after, happening.seat, happening.viewer
    name = f"**{name_of(sitters, seat, viewer)}**"
    if action == DRAW:
        number = number_at(after, HAND)
        shuffled = " The discards were shuffled into a new draw pile." if int(before.draw_count) == 0 else ""
        return f"{name} drew {a_number(number) if number is not None else 'a card'}.{shuffled}"
    if action in (REMOVE, LEAVE):
        number = number_at(before, seat * CELLS + int(before.column) * ROWS)
        did = "took" if action == REMOVE else "left"
        return f"{name} {did} the three {plural_number(number or 0)}{' away' if action == REMOVE else ''}."
    if action < DRAW:
        said = f"took {a_number(top_discard(before) or 0)}, put out {a_number(int(after.last_out))}"
    elif action < THROW:
        kept = _laid(after, seat, action - KEEP)
        said = f"drew, kept {a_number(kept)}, put out {a_number(int(after.last_out))}"
    else:
        turned = _laid(after, seat, action - THROW)
        said = f"drew, threw {a_number(int(after.last_out))}, turned {a_number(turned)}"
    gone = int(after.last_column)
    set_away = f" Three {plural_number(int(after.last_number))} went." if gone >= 0 else ""
    return f"{name} {said}.{set_away}"


def _laid(after: Any, seat: int, cell: int) -> int:
    """The number that came to lie open in a cell, also if its column went at once."""
    number = number_at(after, seat * CELLS + cell)
    return number if number is not None else int(after.last_number)
