"""Bot that plays Reveille by an exact solution after stage one. Another bot plays stage one.

Stage one of a round consists of the seven tricks before the auction. When it is over, the boneyard (face-down stock) is
empty, so each player can deduce the other player's bones. The auction, the naming of the contract and the play of stage
two are then solved exactly (`games.reveille.bots.auction_solver`, `games.reveille.bots.endgame_solver`).

The bot always takes a call, contract or bone that is best against a perfect opponent. If several are equally good, it
takes the one with the best result against an opponent who makes some mistakes.
"""

from __future__ import annotations

from dataclasses import dataclass

from facedown.bots.coach import reason_if_greedy_move
from facedown.core.advice import CHANCE, Advice, Solver
from facedown.core.bot import Bot, check_view, choose_with_effort
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.scoresheet_input import require
from facedown.core.state import Position, View, cast_record
from facedown.games.reveille.action_text import action_notation
from facedown.games.reveille.bots.auction_solver import Auction, contracts_at, judge_calls, solve_stage_two
from facedown.games.reveille.bots.endgame_solver import (
    WIN_ALL,
    WIN_NONE,
    WIN_POINTS,
    EndgamePosition,
    judge_plays,
)
from facedown.games.reveille.bots.policy import other_hand
from facedown.games.reveille.cards import NELLO
from facedown.games.reveille.info import INFO, MustRuff
from facedown.games.reveille.rules import (
    BID_OFFSET,
    HIGHEST_BID,
    NO_BID,
    RULES,
    Act,
    Phase,
    ReveillePosition,
    hand_mask,
    led_bone,
    may_claim_bid_reached,
)

#: Probability with which an opponent who makes mistakes plays a random legal bone instead of the best one.
NOISE = 0.25


class UnsupportedGame(ValueError):
    """Error: the endgame bot was asked to play a game other than Reveille."""


@dataclass(frozen=True, slots=True)
class JudgedAction:
    """A legal action after stage one, with its value for the seat that is to act."""

    action: int
    value: int
    """The result if neither player makes a mistake: 1 if this seat gets the mark (point of the match), −1 if the
    opponent gets it, 0 if both players pass, so that neither gets it."""
    points: int
    """Tie-breaker, higher is better:

    * For a bone: the declarer's points at the end of the round (in nello: the tricks), negated if they are bad for
      this seat.
    * For a claim: the bid.
    * For a contract: the points that the declarer wins with it (for nello: 0).
    * For a call: minus the bid (0 for a pass), because a lower bid needs fewer points."""
    chance: float
    """Probability that this seat gets the mark against an opponent who makes some mistakes."""

    @property
    def rank(self) -> tuple[int, float, int]:
        """Sort key of the action: (`value`, `chance`, `points`). Higher keys are better.

        * `value`: the result against a perfect opponent.
        * `chance`: the probability of getting the mark (point of the match) against an opponent who makes mistakes.
        * `points`: a tie-breaker, such as the points that the declarer wins or, for a call, minus the bid.
        """
        return self.value, round(self.chance, 6), self.points


def known_hands_by_seat(position: Position, seat: int) -> tuple[int, int]:
    """Return the hands of seat 0 and of seat 1 as bit masks of bones.

    The opponent's hand is deduced from what `seat` knows. Call this only once the boneyard (face-down stock) is empty.
    """
    s = cast_record(position, ReveillePosition)
    mine = hand_mask(s, seat)
    other = other_hand(s, mine)
    return (mine, other) if seat == 0 else (other, mine)


def are_hands_known(position: Position) -> bool:
    """Return whether each player can deduce the other player's hand.

    This is possible once stage one is over: in the auction, while the contract is named, and in stage two.
    """
    return cast_record(position, ReveillePosition).phase in (Phase.AUCTION, Phase.NAMING, Phase.STAGE_TWO)


def judge(view: View, seat: int) -> list[JudgedAction]:
    """Return the legal actions of the seat to act, in ascending order, with their values.

    A claim says that the declarer (highest bidder) has won the points of the bid. False claims are left out.

    Raise `ValueError` in stage one, the tricks before the auction, because the opponent's bones are not known then.
    Also raise it once the current round of the match is over.
    """
    check_view(view, seat)
    s = cast_record(view, ReveillePosition)
    if s.phase == Phase.STAGE_TWO:
        return _judge_bones(s, seat)
    require(are_hands_known(view), "stage two has not begun: the other hand is not known")
    auction = Auction(solve_stage_two(known_hands_by_seat(s, seat), s.opt), s.opt, seat)
    return _judge_calls(s, seat, auction) if s.phase == Phase.AUCTION else _judge_contracts(s, seat, auction)


# --- auction and naming of the contract -------------------------------------------------------------------------------


def _judge_calls(s: ReveillePosition, seat: int, auction: Auction) -> list[JudgedAction]:
    other_passed = s.high == NO_BID and s.call_count > 0
    chances = auction.my_mark_chance_by_call(s.high, other_passed)
    found = []
    for call, value in judge_calls(auction.stage, seat, s.high, other_passed, auction.options).items():
        # A bid above the points that can be won fails even against an opponent who makes mistakes, so its chance is 0.
        # An exception is a bid of 42: with nello, or with all tricks, it may be made without these points. The
        # tie-breaker is -call, because among equally good bids the lowest needs the fewest points.
        vain = s.offer < call < HIGHEST_BID
        action = Act.PASS.value if call == NO_BID else BID_OFFSET + call
        found.append(JudgedAction(action, value, -call, 0.0 if vain else chances[call]))
    return found


def _judge_contracts(s: ReveillePosition, seat: int, auction: Auction) -> list[JudgedAction]:
    made = auction.stage.contracts_that_make(seat, s.high, auction.options)
    found = []
    for contract in contracts_at(s.high):
        points = 0 if contract == NELLO else int(auction.stage.values[seat, contract])
        chance = auction.contract_chance(seat, contract, s.high)
        found.append(JudgedAction(Act.TRUMP + contract, 1 if contract in made else -1, points, chance))
    return found


# --- play -------------------------------------------------------------------------------------------------------------


def _judge_bones(s: ReveillePosition, seat: int) -> list[JudgedAction]:
    declarer = s.declarer
    position = EndgamePosition(
        hands=known_hands_by_seat(s, seat),
        contract=s.contract,
        declarer=declarer,
        bid=s.high,
        leader=s.leader,
        lead=led_bone(s) if seat != s.leader else None,
        points=(s.points[0], s.points[1]),
        tricks=(s.tricks[0], s.tricks[1]),
    )
    goal = position.goal(s.opt)
    lacking = max(0, position.bid - position.points[declarer]) if goal == WIN_POINTS else 0
    # A contract to win all tricks is lost when the opponent wins a trick. Nello is lost when the declarer wins a trick.
    loser = 1 - declarer if goal == WIN_ALL else declarer
    decided = lacking == 0 if goal == WIN_POINTS else position.tricks[loser] > 0
    duel = goal, declarer, seat, s.opt.must_ruff == MustRuff.YES, NOISE
    chances = {} if decided else position.values(duel, lacking)
    sign = (1 if seat == declarer else -1) * (-1 if goal == WIN_NONE else 1)
    found = []
    for play in judge_plays(position, s.opt):
        value = 1 if play.declarer_wins == (seat == declarer) else -1
        found.append(JudgedAction(Act.PLAY + play.bone, value, sign * play.points, chances.get(play.bone, 0.0)))
    if lacking == 0 and goal == WIN_POINTS and may_claim_bid_reached(s, seat):
        found.append(JudgedAction(Act.CLAIM.value, 1, position.bid, 1.0))
    return found


# --- the bot, and the coach's advice ----------------------------------------------------------------------------------


class EndgameBot:
    """Bot that plays by an exact solution once stage one is over. Another bot, `stage_one_bot`, plays stage one."""

    def __init__(self, before: Bot) -> None:
        self.stage_one_bot = before

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return one of the best actions of the seat.

        In stage one, the bot `stage_one_bot` chooses the action, and `seed` is passed to it. Later actions are computed
        exactly and do not depend on `seed`.

        Raise `UnsupportedGame` for a game other than Reveille, and `ValueError` if the seat is not to act.
        """
        return self.choose_within(game, view, seat, seed, 1.0)

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """Return one of the best actions of the seat, as `choose` does.

        In stage one, another bot chooses the action: `stage_one_bot`. That bot uses only the share `effort` (above
        0, at most 1) of its usual time and simulations. Later actions are computed exactly and do not depend on
        `effort`.
        """
        check_view(view, seat)
        if game.name != INFO.name:
            raise UnsupportedGame(f"the endgame bot plays Reveille only, not {game.info.title}")
        if not are_hands_known(view) or not game.legal(view, seat):
            return choose_with_effort(self.stage_one_bot, game, view, seat, seed, effort)
        return max(judge(view, seat), key=lambda found: found.rank).action


def advise(view: View, seat: int) -> list[Advice] | None:
    """Return advice on every legal action, best first.

    The value of an action is 1 if the seat gets the mark (point of the match) after it, 0 if the opponent gets it, and
    0.5 if both players pass in the auction. This assumes that neither player makes a mistake afterwards.

    Return None in stage one, the tricks before the auction, because the opponent's bones are not known then. Also
    return None once the current round of the match is over.
    """
    if not are_hands_known(view):
        return None
    game = load_game(INFO.name)
    ranked = sorted(judge(view, seat), key=lambda found: found.rank, reverse=True)
    worth = {found.action: (found.value + 1) / 2 for found in ranked}
    best = worth[ranked[0].action]
    # `judge` leaves out false claims, which lose the mark.
    worth |= {action: 0.0 for action in RULES.legal_actions(view, seat) if action not in worth}
    return [
        Advice(
            action,
            action_notation(action),
            value,
            best - value,
            CHANCE,
            exact=True,
            why=reason_if_greedy_move(game, view, seat, action),
        )
        for action, value in worth.items()
    ]


SOLVER = Solver(advise=advise)
