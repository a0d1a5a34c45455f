"""What the coach says of a decision of a finished match, in full sentences: what was done, and what was better."""

from __future__ import annotations

from facedown.core.voice import capital, in_words, plural
from facedown.server.study.reviewing import Judged


def points_of(move: Judged) -> int:
    """What a decision cost, in points of a chance to win; what cost anything at all cost a point."""
    return max(1, round(100 * move.cost))


def did(move: Judged, name: str, reader: int) -> str:
    """What was done, told to a seat or a spectator: "You chose the right column."."""
    return f"{name} {move.played.to(reader).done}."


def better(move: Judged, reader: int) -> str:
    """What was better, by how much and how often, told to a seat or a spectator; nothing where nothing was.

    "Choosing the middle column would have added **11 points of winning chance**: better in 74 of 100 worlds."
    """
    if move.better is None:
        return ""
    doing = capital(move.better.to(reader).doing)
    if move.chance is None:
        turns = round(move.cost)
        wasted = "a turn" if turns == 1 else f"{in_words(turns)} turns"
        return f"That wasted **{wasted}**. {doing} wasted none."
    said = f"{doing} would have added **{plural(points_of(move), 'point')} of winning chance**{_how_sure(move)}."
    # A reason is given to the one who moved: what "you" hold and see.
    return f"{said} {capital(move.why.rstrip('.'))}." if move.why and reader == move.seat else said


def _how_sure(move: Judged) -> str:
    if move.exact:
        return ", for certain"
    if not move.beaten:
        return ""
    worse = f", worse in {move.beats}" if move.beats else ""
    return f": better in {move.beaten} of {move.worlds} worlds{worse}"
