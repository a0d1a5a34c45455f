"""The review of a finished match in one call; a server makes it in small steps."""

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
    """Return the coach's review of a finished match; `tell` is called with its progress.

    Raises `ValueError` while the match is running.
    """
    analysis, walk = Analysis(match, seat, tries), ReviewBuilder(match, sitters)
    while not analysis.run_for(0.0):
        tell(walk.progress_so_far(seat, analysis))
    return review_match(match, seat, sitters, analysis.found)
