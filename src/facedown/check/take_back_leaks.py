"""Non-interference of take-backs: a move can be taken back only if no viewer learned anything hidden from it.

The check plays the latest moves of a match again, in another world (full deal) that fits all that one viewer knew
before these moves. There, each player makes a move that looks to the viewer like the player's real move. If no such
move exists, the viewer has learned that this world is impossible. So the move must not be possible to take back.

If all moves look the same, the viewer must not learn from the take-backs either. In both worlds, the same seats must be
able to take back their last moves, and the same other seats must notice it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from facedown.check.step_leaks import other_world, state_after
from facedown.check.view_leaks import viewers
from facedown.core.hidden_cards import known_view
from facedown.core.match import Match, Move
from facedown.core.standing_moves import StandingMove, StandingMoves
from facedown.core.state import State, to_bytes


def leaks_in_take_back(match: Match, rnd: random.Random) -> Iterator[str]:
    """Check the last move of a random seat, and all moves since, from the point of view of a random viewer.

    Yield one sentence for each leak. The match does not change.

    A take-back is also a leak if the viewer learned of a hidden card only because a move is illegal without this card.
    For example, if players may pass only when they cannot play a card, a pass reveals something about the hand. The
    game should declare this (`core.disclosures`); then the take-back is refused.
    """
    viewer = rnd.choice(viewers(match))
    moves = match.standing.since_last_move_of(rnd.randrange(match.seats))
    if not moves or match.over:
        return
    world, standing = other_world(match.game, moves[0].before, viewer, rnd), StandingMoves(match.game)
    for number, one in enumerate(moves, 1):
        found = play_so_that_it_looks_alike(match, one, world, viewer, rnd)
        if found is None:
            earlier = {other.move.seat for other in moves[:number]} - {other.move.seat for other in moves[number:]}
            words = match.game.words.words(one.move.action)
            for seat in sorted(earlier):
                if not match.why_not_take_back(seat):
                    yield (
                        f"seat {seat} can take its last move back, although {words!r} by seat {one.move.seat} "
                        f"disclosed something hidden to viewer {viewer}"
                    )
            return
        action, after = found
        standing.add(Move(one.move.seat, action), world, after)
        world = after
    yield from _differences_of_take_backs(match, standing, world, viewer)


def play_so_that_it_looks_alike(
    match: Match, one: StandingMove, world: State, viewer: int, rnd: random.Random
) -> tuple[int, State] | None:
    """Play a move in another world so that it looks to the viewer like the move `one` of the match.

    Return the action and the state after it; None if there is no such action. The action is that of the move. If the
    action is hidden from the viewer, it can also be another hidden action.
    """
    game, (seat, action) = match.game, (one.move.seat, one.move.action)
    hidden = seat != viewer and not game.tables.is_public_action(action)
    alike = [other for other in game.legal(world, seat) if other == action or (hidden and _is_hidden(match, other))]
    rnd.shuffle(alike)
    seen = to_bytes(known_view(one.after, viewer))
    for other in alike:
        after = state_after(game, world, seat, other)
        if to_bytes(known_view(after, viewer)) == seen:
            return other, after
    return None


def _is_hidden(match: Match, action: int) -> bool:
    return not match.game.tables.is_public_action(action)


def _differences_of_take_backs(match: Match, other: StandingMoves, world: State, viewer: int) -> Iterator[str]:
    """Yield one sentence for each difference between the take-backs that are possible in a match and in another world.

    `other` has the latest moves in the other world, and `world` is the state after them. The viewer has seen the same
    in both. Only the seats that made one of these moves are compared.
    """
    for seat in range(match.seats):
        if not other.since_last_move_of(seat):
            continue
        reasons = match.why_not_take_back(seat), other.why_not_take_back(seat)
        if bool(reasons[0]) != bool(reasons[1]) or (seat == viewer and reasons[0] != reasons[1]):
            yield f"does not follow from the view: why seat {seat} cannot take its last move back, for viewer {viewer}"
        elif not reasons[0]:
            seen = match.seats_who_notice_take_back(seat), other.seats_who_notice_take_back(seat, world)
            if seen[0] != seen[1]:
                yield f"does not follow from the view: who notices a take-back by seat {seat}, for viewer {viewer}"
