"""Questions before costly replies in Reveille, compared with a hand that ends as soon as it is decided."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from facedown.check.random_matches import SITTERS
from facedown.core.match import Match
from facedown.core.state import copy
from facedown.games.reveille.cards import NELLO, bone_name, bone_named
from facedown.games.reveille.info import AutoEnd
from facedown.games.reveille.rules import HIGHEST_BID, Act, Phase
from tests.games.costly_moves import questions_at, questions_in, state_after
from tests.games.reveille.positions import play_words, stage_two

HANDS = 200


def start_of_stage_two(rnd: random.Random) -> Match:
    """Return a match at the start of stage two, with a random bid and contract."""
    options = {"bid42": rnd.choice(("points", "all_tricks")), "must_ruff": rnd.choice(("no", "yes"))}
    match = Match("reveille", 2, options, seed=rnd.randbytes(32))
    while match.state.phase != Phase.STAGE_TWO:
        seat = rnd.choice(match.acting)
        match.play(seat, rnd.choice(match.legal(seat)))
    state: Any = match.state
    state.high = rnd.choice((*range(8, 36), *[HIGHEST_BID] * 40))
    state.contract = NELLO if state.high == HIGHEST_BID and rnd.random() < 0.7 else rnd.randrange(7)
    match.forget_views()
    return match


def winner_after(match: Match, seat: int, action: int) -> int | None:
    """Return the seat for which the hand is decided after an action of a seat, or None."""
    state: Any = copy(match.state)
    state.opt.auto_end = AutoEnd.ON
    after: Any = state_after(state, seat, action)
    return int(after.mark_to) if after.phase == Phase.SCORING else None


def expected(match: Match, seat: int) -> dict[int, tuple[str, str]]:
    """Return the prompt and the help text that the table must ask before each reply."""
    s: Any = match.state
    plays = [action for action in match.legal(seat) if action < Act.PASS]
    lost = [action for action in plays if winner_after(match, seat, action) == 1 - seat]
    if len(lost) == len(plays):
        return {}
    said = f"{SITTERS[1 - seat].name} would win the trick and make the bid of {s.high}."
    if s.declarer == seat:
        said = f"You’d lose the trick and could no longer make your bid of {s.high}."
        if s.contract == NELLO:
            said = "You’d win the trick, but in nello you must lose them all."
    return {action: (f"Play the {'·'.join(bone_name(action))} and lose the hand?", said) for action in lost}


@pytest.mark.slow
def test_reveille_asks_before_a_reply_exactly_if_it_decides_the_hand_and_another_one_does_not(seed: int) -> None:
    rnd, met = random.Random(seed), Counter[str]()
    for number in range(HANDS):
        match = start_of_stage_two(rnd)
        decided = False
        while match.state.phase == Phase.STAGE_TWO:
            seat = match.acting[0]
            found = {a: question for a, question in questions_at(match, seat, rnd).items() if a < Act.PASS}
            wanted = {} if decided or seat == match.state.leader else expected(match, seat)
            assert {action: question[:2] for action, question in found.items()} == wanted, (number, match.ply)
            met.update({said.split()[1] for _asked, said in wanted.values()})
            action = rnd.choice([a for a in match.legal(seat) if a < Act.PASS])
            decided |= winner_after(match, seat, action) is not None
            match.play(seat, action)
    assert min(met["win"], met["lose"], met["would"]) >= 3, met


def test_reveille_asks_before_the_declarer_wins_a_trick_in_nello() -> None:
    match = stage_two(("53 00", "54 51"), "nello", HIGHEST_BID, leader=0)
    play_words(match, "play 53")
    question = (
        "Play the 5·4 and lose the hand?",
        "You’d win the trick, but in nello you must lose them all.",
        "Play 5·4",
    )
    assert questions_in(match.table(1, SITTERS[:2]).step) == {bone_named("54"): question}
