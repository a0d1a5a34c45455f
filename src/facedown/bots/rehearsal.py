"""The coach tried out once for a game: what it is made of is compiled before somebody waits for a hint."""

from __future__ import annotations

from facedown.bots.coach import advise, review
from facedown.bots.greedy import greedy_action
from facedown.core.chance import key_of, quick_seed
from facedown.core.game import info
from facedown.core.match import Match, seed_from_text
from facedown.core.rule import INTERPRETED

#: More moves than lead to every kind of question that the coach is asked.
MOST = 200


def rehearse(name: str) -> None:
    """Ask the coach for a hint in each phase of a match, after the bots' moves and after others; then look back."""
    if INTERPRETED:
        # Nothing is compiled.
        return
    match = Match(name, info(name).seats[0], seed=seed_from_text("rehearsal"))
    luck = quick_seed(key_of(seed_from_text("rehearsal")), 0)
    asked = set[tuple[int, bool]]()
    while not match.over and match.ply < MOST:
        seat = match.acting[0]
        view, legal = match.view(seat), match.legal(seat)
        usual = int(greedy_action(view, seat, luck))
        question = (int(view.phase), usual == legal[0])
        if len(legal) > 1 and question not in asked:
            asked.add(question)
            advise(match.game, view, seat, 0, 1)
        match.play(seat, usual)
    if match.over or not info(name).together:
        # Played together, a match is judged by all its cards, at its end.
        review(match, 1)
