"""What the coach says of a decision of a finished match, in full sentences: what was done, and what was better."""

from __future__ import annotations

from facedown.core.voice import capital, in_words
from facedown.server.study.reviewing import Judged
from facedown.server.texts import N_, _, n_


def points_of(move: Judged) -> int:
    """What a decision cost, in points of a chance to win; what cost anything at all cost a point."""
    return max(1, round(100 * move.cost))


def did(move: Judged, name: str, reader: int) -> str:
    """What was done, told to a seat or a spectator: "You chose the right column."."""
    return _("{name} {did}.", name=name, did=move.played.to(reader).done)


def better(move: Judged, reader: int) -> str:
    """What was better, by how much and how often, told to a seat or a spectator; nothing where nothing was.

    "Choosing the middle column would have added **11 points of winning chance**: better in 74 of 100 worlds."
    """
    if move.better is None:
        return ""
    doing = capital(move.better.to(reader).doing)
    if move.chance is None:
        turns = round(move.cost)
        return n_(
            "That wasted **a turn**. {doing} wasted none.",
            "That wasted **{many} turns**. {doing} wasted none.",
            turns,
            many=in_words(turns),
            doing=doing,
        )
    said = n_(
        "{doing} would have added **{count} point of winning chance**{sure}.",
        "{doing} would have added **{count} points of winning chance**{sure}.",
        points_of(move),
        doing=doing,
        sure=_how_sure(move),
    )
    # A reason is given to the one who moved: what "you" hold and see.
    return f"{said} {capital(move.why.rstrip('.'))}." if move.why and reader == move.seat else said


def _how_sure(move: Judged) -> str:
    if move.exact:
        return _(", for certain")
    if not move.beaten:
        return ""
    if move.beats:
        text = N_(": better in {count} of {worlds} worlds, worse in {beats}")
    else:
        text = N_(": better in {count} of {worlds} worlds")
    return _(text, count=move.beaten, worlds=move.worlds, beats=move.beats)
