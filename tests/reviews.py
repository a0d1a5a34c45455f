"""A look back at a finished match in one go, which a server makes a little at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from facedown.core.match import Match
from facedown.core.table import Sitter
from facedown.study.match_analysis import Analysis
from facedown.study.review import FullReview, ReviewBuilder, ReviewProgress, review_match


def look_back(
    match: Match,
    seat: int | None,
    sitters: Sequence[Sitter],
    tries: int,
    tell: Callable[[ReviewProgress], None] = lambda sofar: None,
) -> FullReview:
    """The coach's look back at a finished match; `ValueError` while it is running. `tell` is told how far it is."""
    analysis, walk = Analysis(match, seat, tries), ReviewBuilder(match, sitters)
    while not analysis.run_for(0.0):
        tell(walk.so_far(seat, analysis))
    return review_match(match, seat, sitters, analysis.found)
