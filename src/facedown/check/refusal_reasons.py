"""Checks of the texts that tell a player why an action is illegal.

Each illegal action must have such a text (the *reason*), and the text must follow from the player's own view.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from facedown.check.game_laws import all_touch_steps
from facedown.check.random_matches import SITTERS, iterate_random_play
from facedown.core.hidden_cards import redeal
from facedown.core.match import Match
from facedown.core.random_numbers import key_of
from facedown.core.table import Table

#: Largest number of actions in a sample, for example of the illegal actions of a seat in a position.
SAMPLE_SIZE = 40


def check_reasons_given(match: Match, rnd: random.Random) -> Iterator[str]:
    """Check, for each seat whose turn it is, that the game gives a reason why an illegal action is not allowed.

    The reason must be a full sentence. For a legal action, the game must give no reason. At most `SAMPLE_SIZE` illegal
    and `SAMPLE_SIZE` legal actions of each seat are checked. Yield one sentence for each problem.
    """
    game = match.game
    for seat in match.acting:
        view, legal = match.known(seat), set(match.legal(seat))
        others = [action for action in range(game.actions) if action not in legal]
        for action in rnd.sample(others, min(SAMPLE_SIZE, len(others))):
            why = game.why_not(view, action)
            if not why or why[-1] not in ".!?" or why[:1] != why[:1].upper():
                yield f"{game.words.words(action)!r} is refused to seat {seat} with this reason: {why!r}"
        for action in sorted(legal)[:SAMPLE_SIZE]:
            if why := game.why_not(view, action):
                yield f"{game.words.words(action)!r} is legal for seat {seat}, but has a reason against it: {why!r}"


def check_reasons_follow_view(match: Match, rnd: random.Random) -> Iterator[str]:
    """Check that the reason why an action is illegal does not depend on hidden cards.

    The reason must be the same in another full deal that fits the seat's view. Yield one sentence for each problem.
    """
    game = match.game
    for seat in match.acting:
        view = match.known(seat)
        world = redeal(view, key_of(rnd.randbytes(32)))
        other = type(match.views)(game, world).known(seat)
        for action in rnd.sample(range(game.actions), min(SAMPLE_SIZE, game.actions)):
            if game.why_not(view, action) != game.why_not(other, action):
                yield f"the reason why {game.words.words(action)!r} is refused to seat {seat} depends on hidden cards"


def touchable_ids(table: Table) -> set[str]:
    """Return the ids of everything on the table that the player can click now or in a later step of a move.

    These are the places of single cards, and zones: groups of places, such as a hand or a pile.
    """
    things = {piece.place for zone in table.zones for piece in zone.pieces} | {zone.id for zone in table.zones}
    return {
        choice.touch for step in all_touch_steps(table.step) for choice in step.choices if not choice.refuses
    } & things


def check_inactive_places_have_reasons(matches: Sequence[Match], rnd: random.Random, plies: int) -> Iterator[str]:
    """Check that a player who clicks a place that cannot be clicked at the moment gets a reason.

    A place is checked for a seat if the seat can click it in at least one position. In each position in which the seat
    cannot click it, the table must have a text that says why (`TouchStep.refusals`).

    The positions are those of `matches`, each played for at most `plies` random moves. Yield one sentence for each
    position in which a text is missing.
    """
    seen: list[tuple[int, Table]] = []
    ever: dict[int, set[str]] = {}
    for match in matches:
        for _ in iterate_random_play(match, rnd, plies):
            if match.over:
                break
            for seat in range(match.seats):
                table = match.table(seat, SITTERS[: match.seats])
                seen.append((seat, table))
                ever.setdefault(seat, set()).update(touchable_ids(table))
    for seat, table in seen:
        there = {piece.place for zone in table.zones for piece in zone.pieces if piece.kind in ("face", "back", "slot")}
        offered = {choice.touch for choice in table.step.choices}
        silent = (ever[seat] & there) - offered - {touch for touch, _ in table.step.refusals}
        if silent:
            yield f"{table.phase}: seat {seat} gets no reason when it touches {', '.join(sorted(silent)[:4])}"
