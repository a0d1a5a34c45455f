"""Greedy policy of Reveille.

In stage one it wins bones that help its best suit. In the auction it bids the points that it would win in stage two if
both sides played greedily. In stage two it wins tricks with bones of low value.

After stage one the other hand is known: it has the bones that are neither in the seat's own hand nor played. So the
policy can estimate a contract by playing all of stage two for both sides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import count_bits
from facedown.core.bot import Policy
from facedown.core.random_numbers import quick_randint
from facedown.core.rule import rule
from facedown.core.state import Floats, View, cast_record
from facedown.games.reveille.action_text import Suit, bone_label, points_text
from facedown.games.reveille.cards import (
    BONES,
    DOUBLE_RANK,
    ENDS,
    NELLO,
    NO_CONTRACT,
    NUMBERS,
    TRUMPS,
    WINNERS,
    Grid,
    bones_in_set,
    legal_replies,
    reply_wins,
    trick_points,
)
from facedown.games.reveille.i18n import _, n_
from facedown.games.reveille.info import Bid42, MustRuff
from facedown.games.reveille.rules import (
    BID_OFFSET,
    HIGHEST_BID,
    LOWEST_BID,
    SLOTS,
    STAGE_ONE_SLOT,
    TRICKS,
    UP_SLOT,
    Act,
    Phase,
    ReveillePosition,
    hand_and_deal_sizes,
    hand_mask,
    led_bone,
    mask_of_bones_in_slots,
    may_claim_bid_reached,
)
from facedown.games.reveille.view import trick_worth, would_win_trick

FAR = 1e9
#: Two scores of bones count as equal if they differ by no more than this. Among equally good bones one is chosen at
#: random.
NEAR = 1e-9
#: Penalty for winning a trick in nello (the contract to win no trick), in points.
NELLO_TRICK = 20.0
#: Weight of the opponent's hand in the score of a bone in stage one: it is bad for the player if the opponent gets the
#: face-up bone (`hand_value_after_trick`).
DENIAL = 0.5
#: Bonus for each trump in hand, in points. It decides between contracts that win the same number of points.
MORE_TRUMPS = 0.1


def _bone_strength(contract: int, high: int, low: int) -> float:
    if contract == NELLO:
        # In nello bones with low numbers are worth more, because they lose tricks.
        return -0.1 * (high + low / 2)
    if contract in (high, low):
        other = DOUBLE_RANK if high == low else high + low - contract
        return 0.55 + 0.07 * other
    return 0.6 if high == low else 0.3 * low / high


#: Value of a bone to the hand that holds it, as a number of tricks. Indexed by (contract, bone).
STRENGTH: Grid[float] = np.array(
    [[_bone_strength(contract, high, low) for high, low in ENDS] for contract in range(NELLO + 1)]
)
#: Cost of playing a bone instead of keeping it in hand, in points: its `STRENGTH`, which is a number of tricks, at an
#: assumed 2.5 points for each trick. Indexed by (contract, bone).
COST: Grid[float] = 2.5 * np.asarray(STRENGTH)


@rule
def greedy(s: ReveillePosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Return the action of the greedy policy for a seat that is to act, chosen from what the seat knows.

    `q` is the state of the fast random number generator, which chooses among equally good actions.
    """
    if s.phase == Phase.SCORING:
        return Act.CONTINUE
    if s.phase == Phase.STAGE_ONE:
        return Act.PLAY + best_stage_one_bone(s, seat, q)
    if s.phase == Phase.STAGE_TWO:
        return best_stage_two_action(s, seat)
    if s.phase == Phase.AUCTION:
        return best_call(s, seat)
    if s.phase == Phase.NAMING:
        return Act.TRUMP + best_contract_number(s, seat)
    return Act.PICK + quick_randint(q, s.yard_count)


# --- stage one --------------------------------------------------------------------------------------------------------


@rule
def best_stage_one_bone(s: ReveillePosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Return the best bone to lead or to reply with in stage one.

    The score of a bone is the expected value of the hand after the trick, when the winner has taken the face-up bone
    and the loser has drawn a bone. The drawn bone counts as an average of the unseen bones.

    `q` is the state of the fast random number generator, which chooses among equally good bones.
    """
    mine = hand_mask(s, seat)
    prize = s.card[UP_SLOT]
    unseen = other_hand(s, mine) & ~(1 << prize)
    held = np.zeros(NUMBERS)
    average = np.zeros(NUMBERS)
    add_strengths(mine, held)
    add_strengths(unseen, average)
    count = count_bits(unseen)
    average /= count
    best, best_score, ties = -1, -FAR, 0
    for bone in range(BONES):
        if not mine >> bone & 1:
            continue
        if seat == s.leader:
            chance = chance_lead_wins(bone, unseen, s.taken[1 - seat], count, s.hand_size[1 - seat])
        else:
            chance = 1.0 if reply_wins(NO_CONTRACT, led_bone(s), bone) else 0.0
        score = hand_value_after_trick(held, average, bone, prize, chance)
        if score > best_score + NEAR:
            best, best_score, ties = bone, score, 1
        elif score > best_score - NEAR:
            ties += 1
            if quick_randint(q, ties) == 0:
                best = bone
    return best


@rule
def add_strengths(bones: int, strengths: Floats) -> None:
    """Add the strengths of the bones in the bit mask `bones` to ``strengths[suit]``, for each trump suit.

    The strength of a bone is its value to the hand that holds it, as a number of tricks (`STRENGTH`). It depends on
    which suit is trumps.
    """
    for bone in range(BONES):
        if bones >> bone & 1:
            for suit in range(NUMBERS):
                strengths[suit] += STRENGTH[suit, bone]


@rule
def hand_value_after_trick(held: Floats, average: Floats, bone: int, prize: int, chance: float) -> float:
    """Return the expected value of a player's hand after a trick of stage one in which the player plays `bone`.

    With probability `chance` the player wins the trick and gets the face-up bone `prize`. Otherwise the opponent gets
    `prize`, and the player draws a bone, which counts as an average unseen bone.

    The value of each of the two results is the strength of the player's hand with its best trump suit, plus or minus
    `DENIAL` × d. A strength is a number of tricks (`STRENGTH`). Here d says how much stronger `prize` is than an
    average unseen bone, as the mean over all trump suits. The sign is plus if the player gets `prize`, and minus if the
    opponent gets it.

    * ``held[suit]``: the strength of the player's hand before the trick if `suit` is trumps.
    * ``average[suit]``: the mean strength of an unseen bone if `suit` is trumps.
    """
    with_prize = with_draw = -FAR
    denied = 0.0
    for suit in range(NUMBERS):
        without = held[suit] - STRENGTH[suit, bone]
        with_prize = max(with_prize, without + STRENGTH[suit, prize])
        with_draw = max(with_draw, without + average[suit])
        denied += (STRENGTH[suit, prize] - average[suit]) / NUMBERS
    return chance * (with_prize + DENIAL * denied) + (1.0 - chance) * (with_draw - DENIAL * denied)


@rule
def chance_lead_wins(bone: int, unseen: int, certain: int, count: int, drawn: int) -> float:
    """Return the probability that the opponent's hand has no bone that beats the lead `bone` in stage one.

    A seat leads `bone`. Its opponent's hand consists of known bones, which the opponent took face up, and of random
    other bones.

    * `unseen`: the bit mask of the bones that are in the opponent's hand or in the boneyard (face-down stock). It
      includes the known bones in the opponent's hand.
    * `certain`: the bit mask of the known bones in the opponent's hand.
    * `count`: the number of bones in `unseen`.
    * `drawn`: the number of all bones in the opponent's hand, including those in `certain`.
    """
    winners = WINNERS[NO_CONTRACT, bone]
    if winners & certain:
        return 0.0
    sure = count_bits(certain)
    others, beats = count - sure, count_bits(winners & unseen)
    chance = 1.0
    for k in range(drawn - sure):
        chance *= max(0.0, (others - k - beats) / (others - k))
    return chance


# --- stage two, in which both hands are known -------------------------------------------------------------------------


@rule
def other_hand(s: ReveillePosition, mine: int) -> int:
    """Return the bones that are neither in the hand `mine` nor played, as a bit mask. `mine` is a bit mask, too.

    Once the boneyard is empty, these bones are the other hand.
    """
    return (1 << hand_and_deal_sizes(s.opt)[1]) - 1 & ~(mine | mask_of_bones_in_slots(s, STAGE_ONE_SLOT, SLOTS))


@rule
def trick_gain(contract: int, first: int, reply: int, won: bool) -> float:
    """Return what a trick of the bones `first` and `reply` is worth to a player who wins it (`won`) or loses it.

    The value is the points of the trick, negated if the player loses it. In nello (the contract to win no trick) it is
    −`NELLO_TRICK` for winning and +`NELLO_TRICK` for losing.
    """
    value = -NELLO_TRICK if contract == NELLO else trick_points(first, reply)
    return value if won else -value


@rule
def best_reply(contract: int, first: int, hand: int, must_ruff: bool) -> int:
    """Return the best legal reply: the bone with the highest score.

    The score is in points: the value of this trick (`trick_gain`), minus the value of keeping the bone (`COST`).

    * `contract`: a trump suit, 0 to 6, or `NELLO`.
    * `first`: the bone that was led.
    * `hand`: the replying player's hand, as a bit mask of bones.
    * `must_ruff`: whether a player who cannot follow suit must play a trump.
    """
    legal = legal_replies(contract, first, hand, must_ruff)
    best, best_score = -1, -FAR
    for bone in range(BONES):
        if legal >> bone & 1:
            score = trick_gain(contract, first, bone, reply_wins(contract, first, bone)) - COST[contract, bone]
            if score > best_score:
                best, best_score = bone, score
    return best


@rule
def best_lead(contract: int, hand: int, other: int, must_ruff: bool) -> int:
    """Return the best bone to lead: the bone with the highest score if the other player replies with `best_reply`.

    The score, in points, is the sum of three numbers:

    * the value of this trick to the leader (`trick_gain`);
    * minus the cost of the led bone: what it would be worth if the leader kept it (`COST`);
    * plus the cost of the reply, which is a loss for the other player.

    The parameters are:

    * `contract`: a trump suit, 0 to 6, or `NELLO`.
    * `hand` and `other`: the leader's hand and the other hand, as bit masks of bones.
    * `must_ruff`: whether a player who cannot follow suit must play a trump.
    """
    best, best_score = -1, -FAR
    for bone in range(BONES):
        if hand >> bone & 1:
            reply = best_reply(contract, bone, other, must_ruff)
            score = trick_gain(contract, bone, reply, not reply_wins(contract, bone, reply))
            score += COST[contract, reply] - COST[contract, bone]
            if score > best_score:
                best, best_score = bone, score
    return best


@rule
def best_stage_two_action(s: ReveillePosition, seat: int) -> int:
    """Return the action that claims the hand if the bid is reached, and otherwise the best bone for this trick."""
    if may_claim_bid_reached(s, seat) and s.points[seat] >= s.high:
        return Act.CLAIM
    mine = hand_mask(s, seat)
    ruff = s.opt.must_ruff == MustRuff.YES
    if seat != s.leader:
        return Act.PLAY + best_reply(s.contract, led_bone(s), mine, ruff)
    return Act.PLAY + best_lead(s.contract, mine, other_hand(s, mine), ruff)


@rule
def greedy_play_points(contract: int, declarer: int, other: int, must_ruff: bool) -> int:
    """Return the points that the declarer wins in stage two if both sides play greedily. The declarer leads first.

    In nello return 42 if the declarer wins no trick, and otherwise 0. To play greedily is to choose each bone with
    `best_lead` or `best_reply`.

    * `contract`: a trump suit, 0 to 6, or `NELLO`.
    * `declarer` and `other`: the declarer's hand and the other hand, as bit masks of bones.
    * `must_ruff`: whether a player who cannot follow suit must play a trump.
    """
    leading, replying, declarer_leads = declarer, other, True
    total = 0
    for _trick in range(TRICKS):
        first = best_lead(contract, leading, replying, must_ruff)
        reply = best_reply(contract, first, replying, must_ruff)
        leading &= ~(1 << first)
        replying &= ~(1 << reply)
        if reply_wins(contract, first, reply):
            leading, replying = replying, leading
            declarer_leads = not declarer_leads
        if declarer_leads:
            if contract == NELLO:
                return 0
            total += trick_points(first, reply)
    return HIGHEST_BID if contract == NELLO else total


@rule
def best_trump_points(mine: int, other: int, must_ruff: bool) -> int:
    """Return the points that the hand `mine` wins as declarer with its best trump suit if both sides play greedily.

    `mine` and `other` are bit masks of bones. `must_ruff` says whether a player who cannot follow suit must play a
    trump.
    """
    best = 0
    for suit in range(NUMBERS):
        best = max(best, greedy_play_points(suit, mine, other, must_ruff))
    return best


@rule
def best_call(s: ReveillePosition, seat: int) -> int:
    """Return the action of the best bid, or `Act.PASS`.

    * If the seat would lose every trick in nello, it bids 42.
    * If the seat would win fewer points than the lowest legal bid, it passes.
    * Otherwise it bids one more than the points that the opponent could win as declarer, but no less than the lowest
      legal bid, and no more than the points that it could win itself.

    All these results assume that both sides play greedily.
    """
    mine = hand_mask(s, seat)
    other = other_hand(s, mine)
    ruff = s.opt.must_ruff == MustRuff.YES
    lowest = max(LOWEST_BID, s.high + 1)
    if greedy_play_points(NELLO, mine, other, ruff) == HIGHEST_BID:
        return BID_OFFSET + HIGHEST_BID
    own = best_trump_points(mine, other, ruff)
    if own < lowest:
        return Act.PASS
    theirs = best_trump_points(other, mine, ruff)
    return BID_OFFSET + (own if theirs >= own else max(lowest, theirs + 1))


@rule
def best_contract_number(s: ReveillePosition, seat: int) -> int:
    """Return the contract with which the declarer wins the most points if both sides play greedily.

    `seat` is the declarer. The result is a trump suit, 0 to 6. After a bid of 42 it can also be `NELLO`, the contract
    to win no trick. Nello is worth 42 points if greedy play makes it, and otherwise 0.
    """
    mine = hand_mask(s, seat)
    other = other_hand(s, mine)
    ruff = s.opt.must_ruff == MustRuff.YES
    best, best_score = 0, -1.0
    for contract in range(NELLO + 1 if s.high == HIGHEST_BID else NUMBERS):
        score = greedy_play_points(contract, mine, other, ruff) + MORE_TRUMPS * count_bits(mine & TRUMPS[contract])
        if score > best_score:
            best, best_score = contract, score
    return best


@rule
def is_reckless(s: ReveillePosition, seat: int, action: int) -> bool:
    """Return whether the beginner bot must not choose this action when it chooses at random.

    Reckless actions are claims, because a false one loses the hand, and bids above the points that can be won. With
    `bid42=all_tricks` a bid of 42 is not reckless, because all seven tricks are enough for it.
    """
    if action < Act.BID or action >= Act.TRUMP:
        return action == Act.CLAIM
    bid = action - BID_OFFSET
    return bid > s.offer and not (bid == HIGHEST_BID and s.opt.bid42 == Bid42.ALL_TRICKS)


# --- explanations -----------------------------------------------------------------------------------------------------


def reason(view: View, seat: int, action: int) -> str:
    """Return a phrase that explains to the player at `seat` why the greedy policy chooses `action`.

    `action` must be the policy's choice in this view. The phrase is empty for `CONTINUE` and for picks from the
    boneyard (face-down stock), which are random.
    """
    s = cast_record(view, ReveillePosition)
    mine = hand_mask(s, seat)
    if s.phase == Phase.STAGE_ONE:
        return _stage_one_reason(s, seat, action - Act.PLAY, other_hand(s, mine) & ~(1 << s.card[UP_SLOT]))
    if s.phase in (Phase.AUCTION, Phase.NAMING):
        return _bid_or_contract_reason(s, action, mine)
    if s.phase == Phase.STAGE_TWO and action == Act.CLAIM:
        return _("you have already won the points you bid")
    if s.phase == Phase.STAGE_TWO:
        return _stage_two_reason(s, seat, action - Act.PLAY, mine)
    return ""


def _stage_one_reason(s: ReveillePosition, seat: int, bone: int, unseen: int) -> str:
    prize = bone_label(s.card[UP_SLOT])
    if seat != s.leader:
        if would_win_trick(s, bone):
            return _("this bone wins the {prize}", prize=prize)
        return _("this is probably the bone you need least")
    return n_(
        "{count} of the {all} bones you can’t see beats this one, and the {prize} is at stake",
        "{count} of the {all} bones you can’t see beat this one, and the {prize} is at stake",
        len(bones_in_set(WINNERS[NO_CONTRACT, bone] & unseen)),
        all=len(bones_in_set(unseen)),
        prize=prize,
    )


def _bid_or_contract_reason(s: ReveillePosition, action: int, mine: int) -> str:
    other = other_hand(s, mine)
    ruff = s.opt.must_ruff == MustRuff.YES
    loses_all_tricks = greedy_play_points(NELLO, mine, other, ruff) == HIGHEST_BID
    if action == Act.NELLO or (action == BID_OFFSET + HIGHEST_BID and loses_all_tricks):
        return _("with this hand, you can probably lose every trick")
    if s.phase == Phase.NAMING:
        contract = action - Act.TRUMP
        count = int(greedy_play_points(contract, mine, other, ruff))
        return n_(
            "at a rough estimate, you win {count} point with {suit} as trumps",
            "at a rough estimate, you win {count} points with {suit} as trumps",
            count,
            suit=Suit(contract),
        )
    own, theirs = (
        points_text(int(best_trump_points(mine, other, ruff))),
        points_text(int(best_trump_points(other, mine, ruff))),
    )
    return _(
        "at a rough estimate, your best trump suit wins {own} and the other player’s wins {theirs}",
        own=own,
        theirs=theirs,
    )


def _stage_two_reason(s: ReveillePosition, seat: int, bone: int, mine: int) -> str:
    if seat != s.leader:
        won, worth = would_win_trick(s, bone), trick_worth(s, bone)
        if s.contract == NELLO:
            return _("this bone wins the trick") if won else _("this bone loses the trick")
        if won:
            return n_("this bone wins {count} point", "this bone wins {count} points", worth)
        return n_("this bone loses a trick worth {count} point", "this bone loses a trick worth {count} points", worth)
    reply = best_reply(s.contract, bone, other_hand(s, mine), s.opt.must_ruff == MustRuff.YES)
    if WINNERS[s.contract, bone] >> reply & 1:
        return _("the other player can win the trick with the {bone}", bone=bone_label(reply))
    return _("if the other player replies with the {bone}, you win the trick", bone=bone_label(reply))


POLICY = Policy(greedy, reason, is_reckless)
