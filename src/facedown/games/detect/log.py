"""What happened in Detect, in words."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game import Happening
from facedown.core.state import plain_view
from facedown.core.table import Line, Sitter
from facedown.core.usual import winning
from facedown.core.voice import a_number, digits, has, name_of, names_of, verb
from facedown.games.detect.rules import CELLS, HAND, ROWS, Act, DetectPosition, Phase
from facedown.games.detect.view import number_at, number_seen, open_cells, plural_number, top_discard, winners_of


def open_to(action: int) -> bool:
    """All of Detect is played openly but the sealed choice of the opening cards."""
    return action >= Act.TAKE


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    before, after = (plain_view(view, DetectPosition) for view in (happening.before, happening.after))
    lines: list[Line] = []
    if before.phase in (Phase.OPENING, Phase.SCORING):
        if before.phase == Phase.SCORING != after.phase:
            lines.append(Line("", f"Round {after.round_number} was dealt."))
        if after.phase not in (Phase.OPENING, Phase.SCORING):
            lines.append(Line("", _opened(after, sitters)))
    elif happening.action is not None:
        said = _said(before, after, happening.seat, happening.action)
        name = name_of(sitters, happening.seat, after.viewer)
        lines.append(Line(str(before.turns + 1), f"**{name}** {said}"))
    if after.phase == Phase.SCORING != before.phase:
        lines.append(Line("", round_sentence(after, sitters)))
    elif after.ender >= 0 > before.ender:
        name = name_of(sitters, after.ender, after.viewer)
        lines.append(Line("", f"**{name}** turned the last card up: everybody else has one more turn."))
    return lines


def _opened(v: DetectPosition, sitters: Sequence[Sitter]) -> str:
    parts: list[str] = []
    for seat in range(v.seats):
        cards = " and ".join(digits(number_seen(v, seat * CELLS + cell)) for cell in open_cells(v, seat))
        parts.append(f"**{name_of(sitters, seat, v.viewer, middle=seat > 0)}** turned {cards}")
    starter = name_of(sitters, v.turn, v.viewer)
    return f"{', '.join(parts)}. **{starter}** {verb(sitters, v.turn, v.viewer, 'start', 'starts')}."


def _said(before: DetectPosition, after: DetectPosition, seat: int, action: int) -> str:
    """What a seat did in its turn, after its name."""
    out = a_number(after.last_out)
    kind, cell = Act.of(action)
    match kind:
        case Act.DRAW:
            number = number_at(after, HAND)
            shuffled = " The discards were shuffled into a new draw pile." if before.draw_count == 0 else ""
            return f"drew {a_number(number) if number is not None else 'a card'}.{shuffled}"
        case Act.REMOVE | Act.LEAVE:
            threes = plural_number(number_seen(before, seat * CELLS + before.column * ROWS))
            return f"took the three {threes} away." if kind == Act.REMOVE else f"left the three {threes}."
        case Act.TAKE:
            said = f"took {a_number(top_discard(before) or 0)}, put out {out}"
        case Act.KEEP:
            said = f"drew, kept {a_number(_laid(after, seat, cell))}, put out {out}"
        case _:
            said = f"drew, threw {out}, turned {a_number(_laid(after, seat, cell))}"
    gone = f" Three {plural_number(after.last_number)} went." if after.last_column >= 0 else ""
    return f"{said}.{gone}"


def _laid(after: DetectPosition, seat: int, cell: int) -> int:
    """The number that came to lie open in a cell, also if its column went at once."""
    number = number_at(after, seat * CELLS + cell)
    return number if number is not None else after.last_number


def result_of(v: DetectPosition, sitters: Sequence[Sitter]) -> str:
    """How the match ended, in one sentence."""
    best = winners_of(v)
    if not best:
        return "The match was given up after a hundred rounds: nobody wins."
    total = digits(v.total[best[0]])
    if len(best) > 1:
        return f"{winning(sitters, best, v.viewer)} with {total}."
    second = min(v.total[seat] for seat in range(v.seats) if seat not in best)
    return f"{winning(sitters, best, v.viewer)}, {total} to {digits(second)}."


def round_sentence(v: DetectPosition, sitters: Sequence[Sitter]) -> str:
    """Who has the fewest points of the round."""
    scores = list(v.score)[: v.seats]
    fewest = min(scores)
    best = [seat for seat, score in enumerate(scores) if score == fewest]
    return (
        f"{names_of(sitters, best, v.viewer)} {has(sitters, best, v.viewer)} the fewest this round, {digits(fewest)}."
    )
