"""What happened in Detect, in words."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game import Happening
from facedown.core.state import plain_view
from facedown.core.table import Line, Sitter
from facedown.core.voice import a_number, digits, has, minus, name_of, names_of, verb
from facedown.games.detect.rules import (
    CELLS,
    CONTINUE,
    DRAW,
    HAND,
    KEEP,
    LEAVE,
    OPENING,
    REMOVE,
    ROWS,
    SCORING,
    TAKE,
    THROW,
    DetectPosition,
)
from facedown.games.detect.view import number_at, plural_number, top_discard, winners_of


def open_to(action: int) -> bool:
    """All of Detect is played openly but the sealed choice of the opening cards."""
    return action >= TAKE


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    before, after = (plain_view(view, DetectPosition) for view in (happening.before, happening.after))
    action = happening.action
    number = f"{before.turns + 1}"
    lines: list[Line] = []
    if before.phase == OPENING:
        if after.phase != OPENING:
            lines.append(Line("", _opened(after, sitters, happening.viewer)))
    elif action is not None and action != CONTINUE:
        said = _said(before, after, happening, sitters, action)
        if said:
            lines.append(Line(number, said))
    elif before.phase == SCORING and after.phase != SCORING:
        lines.append(Line("", f"Round {after.round_number} was dealt."))
        if after.phase != OPENING:
            lines.append(Line("", _opened(after, sitters, happening.viewer)))
    if after.phase == SCORING and before.phase != SCORING:
        lines.append(Line("", round_sentence(after, sitters)))
    elif after.ender >= 0 and before.ender < 0:
        name = name_of(sitters, after.ender, happening.viewer)
        lines.append(Line("", f"**{name}** turned the last card up: everybody else has one more turn."))
    return lines


def _opened(v: DetectPosition, sitters: Sequence[Sitter], viewer: int) -> str:
    parts: list[str] = []
    for seat in range(v.seats):
        up = [cell for cell in range(CELLS) if v.up[seat] >> cell & 1]
        cards = " and ".join(minus(number_at(v, seat * CELLS + cell) or 0) for cell in up)
        parts.append(f"**{name_of(sitters, seat, viewer, middle=len(parts) > 0)}** turned {cards}")
    starter = name_of(sitters, v.turn, viewer)
    return f"{', '.join(parts)}. **{starter}** {verb(sitters, v.turn, viewer, 'start', 'starts')}."


def _said(
    before: DetectPosition, after: DetectPosition, happening: Happening, sitters: Sequence[Sitter], action: int
) -> str:
    seat, viewer = happening.seat, happening.viewer
    name = f"**{name_of(sitters, seat, viewer)}**"
    if action == DRAW:
        number = number_at(after, HAND)
        shuffled = " The discards were shuffled into a new draw pile." if before.draw_count == 0 else ""
        return f"{name} drew {a_number(number) if number is not None else 'a card'}.{shuffled}"
    if action in (REMOVE, LEAVE):
        number = number_at(before, seat * CELLS + before.column * ROWS)
        did = "took" if action == REMOVE else "left"
        return f"{name} {did} the three {plural_number(number or 0)}{' away' if action == REMOVE else ''}."
    if action < DRAW:
        said = f"took {a_number(top_discard(before) or 0)}, put out {a_number(after.last_out)}"
    elif action < THROW:
        kept = _laid(after, seat, action - KEEP)
        said = f"drew, kept {a_number(kept)}, put out {a_number(after.last_out)}"
    else:
        turned = _laid(after, seat, action - THROW)
        said = f"drew, threw {a_number(after.last_out)}, turned {a_number(turned)}"
    gone = after.last_column
    set_away = f" Three {plural_number(after.last_number)} went." if gone >= 0 else ""
    return f"{name} {said}.{set_away}"


def _laid(after: DetectPosition, seat: int, cell: int) -> int:
    """The number that came to lie open in a cell, also if its column went at once."""
    number = number_at(after, seat * CELLS + cell)
    return number if number is not None else after.last_number


def result_of(v: DetectPosition, sitters: Sequence[Sitter]) -> str:
    """How the match ended, in one sentence."""
    viewer = v.viewer
    best = winners_of(v)
    if not best:
        return "The match was given up after a hundred rounds: nobody wins."
    names = names_of(sitters, best, viewer)
    total = digits(v.total[best[0]])
    if len(best) > 1:
        return f"{names} share the win with {total}."
    rest = sorted(v.total[seat] for seat in range(v.seats) if seat not in best)
    return f"{names} {verb(sitters, best[0], viewer, 'win', 'wins')}, {total} to {digits(rest[0])}."


def round_sentence(v: DetectPosition, sitters: Sequence[Sitter]) -> str:
    """Who has the fewest points of the round."""
    viewer = v.viewer
    scores = [v.score[seat] for seat in range(v.seats)]
    best = [seat for seat, score in enumerate(scores) if score == min(scores)]
    names = names_of(sitters, best, viewer)
    return f"{names} {has(sitters, best, viewer)} the fewest this round, {digits(min(scores))}."
