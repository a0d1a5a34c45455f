"""Check every sentence of hints and reviews with a second, slower calculation.

The test parses each sentence. It estimates chances and turns again in many more deals with other seeds, and confirms
solver claims by exhaustive search. A sentence that matches no pattern fails, too.
"""

from __future__ import annotations

import functools
import math
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from facedown.bots import coach
from facedown.bots.coach import WorthConverter, advise
from facedown.bots.rollout_search import try_moves
from facedown.bots.search_common import world_sampler
from facedown.check.random_matches import GAMES, SITTERS, random_situations
from facedown.core.advice import CHANCE, Advice
from facedown.core.hidden_cards import redeal
from facedown.core.match import Match
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.state import View
from facedown.games.reveille.cards import BONES, NO_CONTRACT, bone_name
from facedown.games.reveille.rules import Act as ReveilleAct
from facedown.games.reveille.rules import Phase as ReveillePhase
from facedown.games.reveille.rules import led_bone
from facedown.games.scout.bots.policy import HAND_BUFFER_SIZE, write_hand_numbers
from facedown.games.scout.rules import Act as ScoutAct
from facedown.server.connection.hint_message import hint_message
from facedown.study.match_analysis import AnalyzedMove
from facedown.study.move_comments import better_move_gain_text
from facedown.study.review import ReviewBuilder
from tests.conftest import TIMES
from tests.games.reveille.test_endgame_solver import COUNTERS, reply_takes

pytestmark = pytest.mark.skipif(INTERPRETED, reason="thousands of rounds are played out")
#: Positions of each game; a nightly run tries `FACEDOWN_TEST_TIMES` as many.
POSITIONS = 10
#: Rollouts per move for the hint or review.
SIMULATIONS = 2000
#: Deals of the second calculation, and their largest number while a difference is not significant.
DEALS, MOST_DEALS = 2000, 128_000
#: Half width of the interval for a numerical slope, in a round's worth.
STEP = 0.005
#: Standard errors that a claim may be off, and by which a lead must exceed zero.
SIGNIFICANT = 5.0


class Rejected(AssertionError):
    """A sentence claims more than the numbers show."""


def require(holds: bool, *why: object) -> None:
    if not holds:
        raise Rejected(*why)


@dataclass
class SecondCalculation:
    """The second calculation: moves of a seat, tried in deals that the first calculation did not use."""

    match: Match
    view: View
    seat: int
    seed: int

    @functools.cached_property
    def scale(self) -> WorthConverter:
        return WorthConverter(self.match.game, self.view, self.seat)

    def worths(self, actions: list[int], deals: int) -> np.ndarray:
        """Return the worth of the round after each action (columns) in each deal (rows)."""
        found = np.full((deals, len(actions)), np.nan)
        worlds = world_sampler(self.match.game, f"second calculation {self.seed} {deals}")
        alive = np.arange(len(actions))
        met = int(try_moves(self.view, worlds, np.array(actions, np.int32), alive, 0, deals, found))
        assert met == deals, "worlds fit the view"
        return found

    def lead(self, best: int, other: int, clear: bool = True) -> tuple[float, float, np.ndarray]:
        """Return the lead of one action over another, its standard error, and the difference in each deal.

        The lead is in chance to win or in turns. With `clear`, deals are added until the lead is significant.
        """
        deals = DEALS
        while True:
            found = self.worths([other, best], deals)
            behind = found[:, 1] - found[:, 0]
            lead, error = self.in_words(found[:, 0], found[:, 1])
            if not clear or abs(lead) >= SIGNIFICANT * error or deals >= MOST_DEALS:
                return lead, error, behind
            deals *= 4

    def in_words(self, worse: np.ndarray, best: np.ndarray) -> tuple[float, float]:
        """Return a lead and its standard error in chance to win or in turns, as the sentence states them."""
        if self.scale.turns_per_worth:
            steep = [float(self.scale.turns_per_worth)] * 2
            lead = float((best - worse).mean()) * self.scale.turns_per_worth
        else:
            means = [float(best.mean()), float(worse.mean())]
            chances = [[self.scale.win_probability(mean + step) for step in (-STEP, 0.0, STEP)] for mean in means]
            steep = [(above - below) / (2 * STEP) for below, _, above in chances]
            lead = chances[0][1] - chances[1][1]
        return lead, float((steep[0] * best - steep[1] * worse).std()) / math.sqrt(len(best))

    def chance_of(self, action: int) -> tuple[float, float]:
        """Return the chance to win after an action, and the standard deviation of a single deal."""
        found = self.worths([action], DEALS)[:, 0]
        worth, spread = float(found.mean()), float(found.std())
        return self.scale.win_probability(worth), spread


def check_share(count: int, of: int, second: np.ndarray) -> None:
    """Reject a share of deals that the second calculation does not confirm."""
    share = float(second.mean())
    error = math.sqrt(max(share * (1 - share), 1 / of) * (1 / of + 1 / len(second)))
    require(abs(count / of - share) <= SIGNIFICANT * error, count, of, share)


def check_lead(
    claimed: float, wide: float, slack: float, second: SecondCalculation, best: int, other: int
) -> np.ndarray:
    """Reject a lead that the second calculation does not confirm. Return the difference in each deal."""
    lead, error, behind = second.lead(best, other)
    require(lead >= SIGNIFICANT * error, claimed, lead, error)
    require(abs(claimed - lead) <= SIGNIFICANT * math.hypot(error, wide) + slack, claimed, lead)
    return behind


# --- hints ------------------------------------------------------------------------------------------------------------


def check_worth(text: str, advice: Advice, second: SecondCalculation, best: Advice) -> None:
    """Check the worth of a move as the hint states it."""
    if found := re.fullmatch(r"(\d+) % chance of winning, in ([\d,]+) simulated deals?", text):
        require(not advice.exact and int(found[2].replace(",", "")) == advice.worlds)
        chance, spread = second.chance_of(advice.action)
        error = math.hypot(spread / math.sqrt(max(1, best.worlds)), spread / math.sqrt(DEALS), advice.error)
        require(abs(float(found[1]) / 100 - chance) <= SIGNIFICANT * error + 0.01, text, chance, error)
    elif found := re.fullmatch(r"wastes (\d+\.\d) turns on average, in ([\d,]+) simulated deals?", text):
        if advice.action != best.action:
            lead, error, _ = second.lead(best.action, advice.action, clear=False)
            require(
                abs(float(found[1]) - max(0.0, lead)) <= SIGNIFICANT * math.hypot(error, advice.error) + 0.1, text, lead
            )
    elif found := re.fullmatch(r"loses the game in (\d+) of (\d+) deals", text):
        check_share(int(found[1]), int(found[2]), second.worths([advice.action], DEALS)[:, 0] == 0)
    elif text == "the only move":
        require(len(second.match.legal(second.seat)) == 1, text)
    else:
        require(advice.exact and solver_claim_holds(text, advice, second), text)


def solver_claim_holds(text: str, advice: Advice, second: SecondCalculation) -> bool:
    """Check a solver's claim by exhaustive search, or by the solver's value if a search takes too long."""
    if found := re.fullmatch(r"doesn’t waste a turn|wastes (\d+) turns?", text):
        wasted = int(found[1] or 0)
        return wasted == advice.value and wasted_turns_hold(second, advice.action, wasted)
    if text == "loses the game":
        return not wasted_turns_hold(second, advice.action, 0)
    sure, lost = "wins the hand for certain", "loses the hand against best play"
    return {sure: 1.0, lost: 0.0, "50 % chance of winning the hand (exact)": 0.5}.get(text) == advice.value


def after(match: Match, seat: int, action: int) -> Match:
    """Return a copy of a match in which an action was played."""
    copy = match.copy()
    copy.play(seat, action)
    return copy


def wasted_turns_hold(second: SecondCalculation, action: int, wasted: int, most: int = 2) -> bool:
    """Return whether a move in open Uncovered! wastes this many turns.

    Games of more than `most` turns count as true.
    """
    before = fewest_swaps(second.match, most)
    if before is None:
        return True
    then = after(second.match, second.seat, action)
    if then.over:
        return (wasted == 0) == bool(then.state.won)
    left = fewest_swaps(then, most)
    return left is None or wasted == 1 + left - before


def fewest_swaps(match: Match, most: int) -> int | None:
    """Return the fewest swaps that win an open game, by exhaustive search; None for more than `most`."""
    if match.over:  # The last turn of the game was played without a win.
        return None
    seat = match.acting[0]
    *swaps, uncover = match.legal(seat)
    if after(match, seat, uncover).state.won:
        return 0
    if most == 0:
        return None
    found = [fewest_swaps(after(match, seat, swap), most - 1) for swap in swaps]
    return min((1 + turns for turns in found if turns is not None), default=None)


def check_explanation(text: str, shown: list[Advice], second: SecondCalculation) -> None:
    """Check the sentence on why a move is best: its lead, or a tie."""
    best, following = shown[0], shown[1] if len(shown) > 1 else shown[0]
    if found := re.fullmatch(r"Out of 100 (?:hands|matches), the next best move wins (about )?(\d+) fewer\.", text):
        require(("Out of 100 hands" in text) == best.exact, text)
        if best.exact:
            require(found[1] is None and int(found[2]) == round(100 * (best.value - following.value)), text)
            return
        check_lead(float(found[2]) / 100, following.error, 0.006, second, best.action, following.action)
    elif found := re.fullmatch(r"The next best move takes (\d+\.\d) more turns on average\.", text):
        check_lead(float(found[1]), following.error, 0.06, second, best.action, following.action)
    elif found := re.fullmatch(r"The next best move loses the game in (\d+) of (\d+) deals\.", text):
        check_share(int(found[1]), int(found[2]), second.worths([following.action], DEALS)[:, 0] == 0)
    elif found := re.fullmatch(r"Any other move wastes at least (one|\d+) turns?\.", text):
        least = 1 if found[1] == "one" else int(found[1])
        require(all(one.value >= least for one in shown[1:]) and wasted_turns_hold(second, best.action, 0), text)
    elif found := re.fullmatch(r"(?:These|The first) (two|three) moves are (too close to call|equally good)\.", text):
        alike = shown[: {"two": 2, "three": 3}[found[1]]]
        exact = [one.exact and one.value == best.value for one in alike]
        require(all(exact) if "good" in text else not any(one.exact or one.mistake for one in alike), text)
    elif text == "There is no other move.":
        require(len(second.match.legal(second.seat)) == 1, text)
    elif text == "The next best move loses the game.":
        require(following.exact and not wasted_turns_hold(second, following.action, 0), text)
    else:
        check_reason(text.rstrip("."), best.action, second)


# --- reasons ----------------------------------------------------------------------------------------------------------


def check_reason(text: str, action: int, second: SecondCalculation) -> None:
    """Check a game's own reason for a move. A reason "by a rough estimate" is not checked."""
    if "rough estimate" in text.lower():
        return
    for pattern, holds in REASONS[second.match.game.name].items():
        if found := re.fullmatch(pattern, text[0].lower() + text[1:]):
            require(holds(found, action, second), text)
            return
    raise Rejected(f"nobody can check: {text}")


def always(found: re.Match[str], action: int, second: SecondCalculation) -> bool:
    """Accept a sentence about the rules, which holds whenever it is used."""
    return True


def uncovering_wins(found: re.Match[str], action: int, second: SecondCalculation) -> bool:
    return bool((second.worths([action], DEALS) > 0).all())


def cards_lie_so(found: re.Match[str], action: int, second: SecondCalculation) -> bool:
    """Check how many cards match a sequence: the average over many deals."""
    sequence = np.array([int(number) - 1 for number in found[1].split()])
    rng = np.random.default_rng(second.seed)
    places = 4 * second.match.seats
    counts = []
    for _ in range(400):
        hands = np.array(redeal(second.view, rng.integers(0, 2**32, 8, dtype=np.uint32)).card[:places])
        counts.append((hands.reshape(-1, 4) == sequence).sum())
    error = float(np.std(counts)) / math.sqrt(len(counts))
    return int(found[3]) == places and abs(int(found[2]) - float(np.mean(counts))) <= 0.5 + SIGNIFICANT * error


def bone(number: int) -> tuple[int, int]:
    high, low = bone_name(number)
    return int(high), int(low)


def bones_beat_it(found: re.Match[str], action: int, second: SecondCalculation) -> bool:
    """Check how many unseen bones beat a lead in stage one, with the rules of the solver's test."""
    seen = {int(number) for number in second.view.card if number >= 0}
    unseen = [bone(number) for number in range(BONES) if number not in seen]
    led = bone(action - ReveilleAct.PLAY)
    return (int(found[1]), int(found[2])) == (sum(reply_takes(NO_CONTRACT, led, one) for one in unseen), len(unseen))


def trick_goes_so(found: re.Match[str], action: int, second: SecondCalculation) -> bool:
    """Check who wins the trick that a reply ends, and for how many points."""
    s, reply = second.match.state, bone(action - ReveilleAct.PLAY)
    led = bone(int(led_bone(s)))
    contract = NO_CONTRACT if s.phase == ReveillePhase.STAGE_ONE else int(s.contract)
    points = 1 + COUNTERS.get(led, 0) + COUNTERS.get(reply, 0)
    claimed = re.search(r"(\d+) points?", found[0])
    return reply_takes(contract, led, reply) == ("lose" not in found[0]) and (
        claimed is None or int(claimed[1]) == points
    )


def answer_takes(found: re.Match[str], action: int, second: SecondCalculation) -> bool:
    """Check that the other hand has the bone, may answer with it, and wins the trick if claimed."""
    s, led, answer = second.match.state, bone(action - ReveilleAct.PLAY), (int(found[1]), int(found[2]))
    replies = after(second.match, second.seat, action).legal(1 - second.seat)
    may = {bone(one - ReveilleAct.PLAY) for one in replies if one < ReveilleAct.PLAY + BONES}
    return answer in may and reply_takes(int(s.contract), led, answer) == ("player can win" in found[0])


@functools.cache
def fewest_shows(numbers: tuple[int, ...]) -> int:
    """Return the fewest Shows of a hand, by exhaustive search."""
    if not numbers:
        return 0
    found = []
    for first in range(len(numbers)):
        for end in range(first + 1, len(numbers) + 1):
            steps = {b - a for a, b in zip(numbers[first : end - 1], numbers[first + 1 : end], strict=True)}
            if len(steps) <= 1 and steps <= {-1, 0, 1}:
                found.append(fewest_shows(numbers[:first] + numbers[end:]))
    return 1 + min(found)


def hand_of(match: Match, seat: int, flipped: bool = False) -> tuple[int, ...]:
    row = np.empty(HAND_BUFFER_SIZE, np.int64)
    return tuple(row[: write_hand_numbers(match.known(seat), seat, int(flipped), row)].tolist())


def hand_takes(found: re.Match[str], action: int, second: SecondCalculation) -> bool:
    """Check how many Shows a hand takes after the move, and before it or upside down."""
    numbers = [int(number) for number in re.findall(r"\d+", found[0])]
    seat = second.seat
    before = hand_of(second.match, seat)
    if len(before) > 9:
        return True
    if action in (ScoutAct.KEEP, ScoutAct.FLIP):
        ways = [fewest_shows(before), fewest_shows(hand_of(second.match, seat, flipped=True))]
        return numbers == (ways if action == ScoutAct.KEEP else ways[::-1])[: len(numbers)]
    then = after(second.match, seat, action)
    if then.state.phase != second.match.state.phase:
        return True
    return numbers[-1] == fewest_shows(before if "instead" in found[0] else hand_of(then, seat))


Check = Callable[[re.Match[str], int, SecondCalculation], bool]
REASONS: dict[str, dict[str, Check]] = {
    "reveal": {},
    "detect": {
        r"cards in two different columns give you two chances to make a set": always,
        r"you get rid of the points on these cards": always,
        r"these cards are worth zero or less": always,
        r"the discard pile is empty": lambda found, action, second: second.match.state.discard_count == 0,
    },
    "reveille": {
        r"this bone wins the \d·\d": trick_goes_so,
        r"(\d+) of the (\d+) bones you can’t see beats? this one, and the \d·\d is at stake": bones_beat_it,
        r"this is probably the bone you need least": always,
        r"with this hand, you can probably lose every trick": always,
        r"you have already won the points you bid": always,
        r"this bone (wins|loses) the trick": trick_goes_so,
        r"this bone (wins|loses a trick worth) \d+ points?": trick_goes_so,
        r"the other player can win the trick with the (\d)·(\d)": answer_takes,
        r"if the other player replies with the (\d)·(\d), you win the trick": answer_takes,
    },
    "uncovered": {
        r"all hands are certain to match": uncovering_wins,
        r"the hands are closest to the order ([1-4 ]+): as far as you can tell, about (\d+) of (\d+) cards fit it": (
            cards_lie_so
        ),
        r"turning the card tells the others to leave it alone": always,
    },
    "scout": {
        r"this way up, you can show your whole hand in fewer sets: (\d+) instead of (\d+)": hand_takes,
        r"either way up, showing your whole hand takes the same number of sets \((\d+)\), but this way looks better": (
            hand_takes
        ),
        (
            r"this way up, showing your whole hand takes (\d+) sets instead of (\d+), but those sets look better"
        ): hand_takes,
        r"ending the round now costs the others \d+ points?": always,
        r"(you win \d+ cards?, and )?you can show the rest of your hand in (\d+) more sets?": hand_takes,
        r"with this card, you can show your whole hand in fewer sets: (\d+) instead of (\d+)": hand_takes,
        (
            r"nothing in your hand beats the set on the table; "
            r"with this card, you can show your whole hand in (\d+) sets?"
        ): hand_takes,
        r"even with one more card, you can show your whole hand in just (\d+) sets?": hand_takes,
        r"you can show a set straight away( and win \d+ cards?)?": always,
        r"it looks better to save your sets for later": always,
    },
}


# --- reviews ----------------------------------------------------------------------------------------------------------


def check_remark(text: str, move: AnalyzedMove, second: SecondCalculation) -> None:
    """Check the comment of a review on what was better than a move."""
    played = second.match.moves[move.ply].action if move.ply < len(second.match.moves) else -1
    assert played >= 0
    doing = r"(?P<doing>[^.]+?) would have"
    how = r"(: better in (?P<good>\d+) of (?P<of>\d+) deals(, worse in (?P<bad>\d+))?|(?P<exact> \(exact\)))?\."
    chance = re.match(
        doing + r" raised the chance of winning by \*\*(?P<points>\d+) percentage points?\*\*" + how, text
    )
    turns = re.match(doing + r" saved \*\*(?P<turns>\d+\.\d) turns\*\* on average" + how, text)
    risk = re.match(r"That \*\*loses the game\*\* in (\d+) of (\d+) deals that were still possible\.", text)
    if risk:
        check_share(int(risk[1]), int(risk[2]), second.worths([played], DEALS)[:, 0] == 0)
    elif found := chance or turns:
        if found["exact"]:
            require(move.exact, text)
            return
        claimed, slack = (int(found["points"]) / 100, 0.006) if chance else (float(found["turns"]), 0.06)
        wide = move.error if move.error < math.inf else 1.0
        behind = check_lead(claimed, wide, slack, second, move.best, played)
        if found["good"]:
            check_share(int(found["good"]), int(found["of"]), behind > 0)
            check_share(int(found["bad"] or 0), int(found["of"]), behind < 0)
    else:
        exact = re.match(
            r"That (wasted \*\*(\w+) turns?\*\*\. [^.]+ would have wasted none|"
            r"\*\*lost the game\*\*\. [^.]+ would not have wasted a turn)\.",
            text,
        )
        require(exact is not None and move.exact, text)


# --- hints and reviews in random positions ----------------------------------------------------------------------------


def sentences(text: str) -> list[str]:
    """Split a paragraph at full stops. Numbers and ellipses stay whole."""
    return [part for part in re.split(r"(?<=\.) (?=[A-Z])", text) if part]


def check_hint(match: Match, seat: int, seed: int, rejected: Counter[str]) -> int:
    """Check all sentences of a hint and return their number."""
    view = match.known(seat)
    second = SecondCalculation(match, view, seat, seed)
    found = advise(match.game, view, seat, seed, SIMULATIONS)
    message = hint_message(match.table(seat, SITTERS), found, 1, match.game.words.words)
    by_action = {advice.action: advice for advice in found}
    shown = [by_action[move["action"]] for move in message["moves"]]
    said = [(check_worth, (move["worth"], by_action[move["action"]], second, found[0])) for move in message["moves"]]
    speeches = [(check_explanation, (text, shown, second)) for text in sentences(message["steps"][1]["say"][0])]
    for check, arguments in [*said, *speeches]:
        try:
            check(*arguments)  # type: ignore[operator]
        except Rejected as why:
            rejected[f"{match.game.name} hint, {match.game.words.words(found[0].action)}: {why}"] += 1
    return len(said) + len(speeches)


def check_review(match: Match, seat: int, action: int, seed: int, rejected: Counter[str]) -> int:
    """Check the review of an action played now and return the number of its sentences."""
    view = match.known(seat)
    then = after(match, seat, action)
    judged = coach._judge_move(match.game, view, then.moves[-1], match.ply, SIMULATIONS)
    weighed = AnalyzedMove.from_judged_move(judged)
    if weighed.verdict != "costly":
        return 0
    told = ReviewBuilder(then, SITTERS[: match.seats]).add_texts(weighed)
    text = better_move_gain_text(told, seat).removesuffix(
        f" {told.why[:1].upper()}{told.why[1:].rstrip('.')}." if told.why else ""
    )
    second = SecondCalculation(then, view, seat, seed)
    try:
        check_remark(text, weighed, second)
        if told.why:
            check_reason(told.why, weighed.best, SecondCalculation(match, view, seat, seed))
    except Rejected as why:
        rejected[f"{match.game.name} review, {match.game.words.words(action)}: {why}"] += 1
    return 1 + bool(told.why)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", GAMES)
def test_hint_and_review_sentences_agree_with_a_second_simulation(name: str, seed: int) -> None:
    rnd = random.Random(seed)
    rejected: Counter[str] = Counter()
    said = 0
    for number, situation in enumerate(random_situations(name, seed % 1000, POSITIONS * TIMES)):
        match = situation.match
        for seat in match.acting[:1]:
            said += check_hint(match, seat, number, rejected)
            legal = match.legal(seat)
            if len(legal) > 1:
                said += check_review(match, seat, rnd.choice(legal), number, rejected)
    print(f"{name}: {said} sentences, {rejected.total()} rejected")
    assert not rejected, "\n".join(rejected)
    assert said > POSITIONS


def test_hints_in_the_game_uncovered_with_all_cards_open_agree_with_an_exhaustive_search(seed: int) -> None:
    """All cards are open, so exhaustive search confirms each sentence."""
    rnd = random.Random(seed)
    rejected: Counter[str] = Counter()
    for number in range(POSITIONS * TIMES // 5):
        match = Match("uncovered", 2, {"mode": "beginner"}, rnd.randbytes(32))
        check_hint(match, match.acting[0], number, rejected)
    assert not rejected, "\n".join(rejected)


def test_claim_checker_rejects_exaggerated_coach_sentences() -> None:
    match = Match("detect", 2, {}, seed_from_text("too much"))
    seat = match.acting[0]
    second = SecondCalculation(match, match.known(seat), seat, 1)
    found = advise(match.game, second.view, seat, 1, SIMULATIONS)
    for text in ("Out of 100 matches, the next best move wins about 40 fewer.", "It is simply the best."):
        with pytest.raises(Rejected):
            check_explanation(text, found, second)
    with pytest.raises(Rejected):
        check_worth("99 % chance of winning, in 400 simulated deals", found[0], second, found[0])
    assert found[0].unit == CHANCE
