"""Views and redeals of Reveille."""

from __future__ import annotations

import random

import numpy as np
import pytest

from facedown.check.random_matches import SITTERS
from facedown.core.hidden_cards import known_view, redeal, shown_view
from facedown.core.match import Match
from facedown.core.state import EMPTY, SPECTATOR
from facedown.games.reveille.cards import BONES, FOLLOW_SUIT_MASKS, bone_named
from facedown.games.reveille.rules import HAND, Phase
from tests.games.reveille.positions import DEALER, OTHER, bones, play_words, stage_two

KEY = np.arange(8, dtype=np.uint32)


def match_at_phase(phase: int, trick: int, rnd: random.Random) -> Match:
    """Return a random match at the start of a phase with this number of finished tricks."""
    while True:
        m = Match("reveille", 2, {}, seed=rnd.randbytes(32))
        while not m.over:
            if int(m.state.phase) == phase and int(m.state.trick) == trick:
                return m
            actions = m.legal(m.acting[0])
            bid = int(m.state.phase) == Phase.AUCTION and int(m.state.high) == 0
            m.play(m.acting[0], actions[1] if bid else rnd.choice(actions[:7]))


@pytest.fixture
def rnd(seed: int) -> random.Random:
    return random.Random(seed)


def faces(view: object, first: int, end: int) -> list[int]:
    return [int(k) for k in view.card[first:end]]  # type: ignore[attr-defined]


@pytest.mark.parametrize("phase", [Phase.AUCTION, Phase.STAGE_TWO])
def test_from_the_auction_on_redeals_of_unknown_bones_give_both_players_their_real_hands(
    phase: int, rnd: random.Random
) -> None:
    for _ in range(5):
        m = match_at_phase(phase, 7 if phase == Phase.AUCTION else rnd.randrange(5), rnd)
        for viewer in (DEALER, OTHER):
            world = redeal(known_view(m.state, viewer), KEY)
            assert faces(world, 0, 2 * HAND) == faces(m.state, 0, 2 * HAND)


def test_redeals_of_unknown_bones_leave_openly_taken_bones_in_their_players_hand(rnd: random.Random) -> None:
    m = match_at_phase(Phase.STAGE_ONE, 5, rnd)
    for viewer in (DEALER, OTHER, SPECTATOR):
        for n in range(20):
            world = redeal(known_view(m.state, viewer), np.full(8, n, np.uint32))
            for seat in (0, 1):
                held = {k for k in faces(world, seat * HAND, seat * HAND + HAND) if k != EMPTY}
                taken = {bone for bone in range(BONES) if int(m.state.taken[seat]) >> bone & 1}
                assert taken <= held
                assert faces(world, seat * HAND, seat * HAND + len(held)) == sorted(held, reverse=True)


def test_redeals_put_each_unknown_bone_in_the_opponents_hand_equally_often(rnd: random.Random) -> None:
    m = match_at_phase(Phase.STAGE_ONE, 0, rnd)
    viewer = m.acting[0]
    other = 1 - viewer
    view = known_view(m.state, viewer)
    counts = np.zeros(BONES, np.int64)
    worlds = 2000
    for n in range(worlds):
        key = np.full(8, rnd.getrandbits(32), np.uint32)
        key[0] = n
        for kind in faces(redeal(view, key), other * HAND, other * HAND + HAND):
            counts[kind] += 1
    seen = {k for k in faces(view, 0, len(view.card)) if k < BONES}
    unseen = [bone for bone in range(BONES) if bone not in seen]
    assert len(unseen) == 20
    assert all(counts[bone] == 0 for bone in seen)
    # Each unseen bone is in the other hand in 7 of 20 worlds; the bound is six standard deviations.
    share = 7 / 20
    slack = 6 * (worlds * share * (1 - share)) ** 0.5
    assert all(abs(counts[bone] - worlds * share) < slack for bone in unseen)


def test_redeals_of_unknown_bones_give_no_player_a_suit_that_they_failed_to_follow() -> None:
    m = stage_two(("31 62 42 40", "66 63 10 61"), "3", declarer=OTHER)
    play_words(m, "play 66", "play 62")
    assert int(m.state.barred[DEALER]) == 0, "a six on a six says nothing"
    m = stage_two(("31 43 42 40", "66 62 10 61"), "3", declarer=OTHER)
    play_words(m, "play 66", "play 42")
    assert int(m.state.barred[DEALER]) == int(FOLLOW_SUIT_MASKS[3, bone_named("66")]), "who throws on a six holds none"
    view = known_view(m.state, SPECTATOR)
    seen = set()
    for n in range(30):
        world = redeal(view, np.full(8, n, np.uint32))
        held = set(faces(world, 0, 3))
        assert not held & set(bones("62 61")), "what seat 0 cannot hold seat 1 does"
        seen |= held
    assert seen == set(bones("31 43 40 10")), "the rest may be anywhere"


def test_bones_that_the_other_player_took_openly_are_shown_only_with_the_memory_aid(rnd: random.Random) -> None:
    m = match_at_phase(Phase.STAGE_ONE, 5, rnd)
    viewer = next(seat for seat in (0, 1) if int(m.state.taken[1 - seat]))

    def open_bones(aid: bool) -> int:
        table = m.table(viewer, SITTERS[:2], memory_aid=aid)
        zone = next(z for z in table.zones if z.id == f"bones-{1 - viewer}")
        return sum(p.kind == "face" for p in zone.pieces)

    assert open_bones(False) == 0
    assert open_bones(True) == int(m.state.taken[1 - viewer]).bit_count()
    assert int(shown_view(m.state, viewer).offer) == 42, "burnt counters are counted from memory at first"
