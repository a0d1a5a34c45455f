"""Costly moves of SCOUT, which the prompt asks the player to confirm.

All points and the numbers of cards in the hands are public, so a move that ends the round has a known result. A
question appears only in two cases:

* The viewer can end the round and win it, but makes another move. Before the last round, this means a Show of the whole
  hand after which the viewer has more points in the round than any other player. In the last round, it means a Show of
  the whole hand or a Scout that ends the match, after which the viewer has the highest total.
* The move ends the match, and another player has a higher total then. Another legal move does not end the match so.

A shared win counts neither as a win nor as a loss. The limit of turns in a round is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from facedown.core.grammar import digits, player_phrase
from facedown.core.table import Choice, Sitter, add_confirmation
from facedown.games.scout import view
from facedown.games.scout.action_text import decode_scout, decode_show
from facedown.games.scout.i18n import N_, _
from facedown.games.scout.info import TWO_PLAYERS
from facedown.games.scout.legal_actions import Act
from facedown.games.scout.state import ScoutPosition


class Outcome(IntEnum):
    """What the viewer's move certainly leads to at once. A higher value is better."""

    LOSS = 0
    """The match ends, and others win it."""
    OPEN = 1
    """Neither a certain loss nor a certain win."""
    WIN = 2
    """The match or, before the last round, the round ends, and the viewer alone wins it."""


def confirm_if_costly(
    v: ScoutPosition, choice: Choice, outcomes: Mapping[int, Outcome], sitters: Sequence[Sitter]
) -> Choice:
    """Return `choice`; if it completes a costly move, return a copy that asks the viewer to confirm the move.

    `outcomes` has the outcome of each legal action. An action is costly if another one has a better outcome.
    """
    if choice.action is None or outcomes[choice.action] == max(outcomes.values()):
        return choice
    if outcomes[choice.action] == Outcome.LOSS:
        totals = _deciding_points(v, points_at_round_end(v, choice.action) or ())
        best = [seat for seat, total in enumerate(totals) if total == max(totals)]
        lost = N_("{who} would win with a total of {points}. You’d have {own}.")
        who, points, own = player_phrase(sitters, best, v.viewer), digits(max(totals)), digits(totals[v.viewer])
        costs = _(lost, who=who, points=points, own=own)
        return add_confirmation(choice, _("End the match now?"), costs, choice.button, "end")
    winning = next(action for action, outcome in outcomes.items() if outcome == Outcome.WIN)
    shown = N_("Showing {cards} empties your hand and wins the round.")
    if winning >= Act.SCOUT:
        shown = N_("Scouting ends the match now, and you win it.")
    elif is_last_round(v):
        shown = N_("Showing {cards} empties your hand and wins the match.")
    cards = view.set_phrase_for_question(view.up_numbers(view.own_hand(v)))
    return add_confirmation(choice, _("Play on instead of winning?"), _(shown, cards=cards), choice.button, "end")


def outcomes_of(v: ScoutPosition, actions: Sequence[int]) -> dict[int, Outcome]:
    """Return the outcome of each of the viewer's legal `actions` in a turn."""
    return {action: _outcome_of(v, action) for action in actions}


def _outcome_of(v: ScoutPosition, action: int) -> Outcome:
    scored = points_at_round_end(v, action) if action < Act.SCOUT or is_last_round(v) else None
    if scored is None:
        return Outcome.OPEN
    points = _deciding_points(v, scored)
    own, others = points[v.viewer], max(points[seat] for seat in range(v.seats) if seat != v.viewer)
    # With two players, whether a Scout ends the round depends on the place of the card. So it is no known way to win.
    if own > others and (action < Act.SCOUT or v.seats > TWO_PLAYERS):
        return Outcome.WIN
    return Outcome.LOSS if own < others and is_last_round(v) else Outcome.OPEN


def is_last_round(v: ScoutPosition) -> bool:
    """Return whether the match ends with this round."""
    return v.round_number == view.rounds(v)


def _deciding_points(v: ScoutPosition, scored: Sequence[int]) -> list[int]:
    """Return the points that decide who wins: the totals in the last round, else those of the round.

    `scored` has the points of each seat in the round.
    """
    return [v.total[seat] + points for seat, points in enumerate(scored)] if is_last_round(v) else [*scored]


def points_at_round_end(v: ScoutPosition, action: int) -> list[int] | None:
    """Return the points of each seat in the round if an action of the viewer ends the round, else None.

    The result is None as well if the action ends the round only because of hidden cards.
    """
    hand, won, coins = ([*numbers][: v.seats] for numbers in (v.hand, v.won, v.coins))
    if action < Act.SCOUT:
        first, last = decode_show(action)
        if last - first + 1 < hand[v.viewer]:
            return None
        ender = v.viewer
        won[ender] += v.active
    elif action < Act.SCOUT_AND_SHOW and _ends_round(v, action):
        ender = v.shower
        hand[v.viewer] += 1
        coins[v.viewer if v.seats == TWO_PLAYERS else v.owner] += -1 if v.seats == TWO_PLAYERS else 1
    else:
        return None
    return [won[seat] + coins[seat] - (0 if seat == ender else hand[seat]) for seat in range(v.seats)]


def _ends_round(v: ScoutPosition, action: int) -> bool:
    """Return whether a Scout (without a Show) ends the round.

    With two players, it does if it costs the last chip and nothing in the hand can be shown afterwards. With more
    players, it does if all other players but the owner of the Active Set (set on the table) have just scouted.
    """
    if v.seats > TWO_PLAYERS:
        return v.passes == v.seats - 2
    if v.coins[v.viewer] > 1:
        return False
    right, turned, place = decode_scout(action)
    active, hand = view.active_set(v), view.own_hand(v)
    card = active.pop(-1 if right else 0)
    hand.insert(place, card.turned() if turned else card)
    numbers, beaten = view.up_numbers(hand), view.set_strength(view.up_numbers(active))
    sets = [(place, place) for place in range(len(numbers))] + view.maximal_sets(numbers)
    return all(view.set_strength(numbers[first : last + 1]) <= beaten for first, last in sets)
