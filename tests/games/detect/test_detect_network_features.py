"""Network features and outputs of Detect, in simple positions."""

from __future__ import annotations

import hashlib
import random

import numpy as np

from facedown.core.features import NO_MOVE
from facedown.core.game_registry import game
from facedown.core.match import Match
from facedown.games.detect.bots.evaluation import equivalence_key
from facedown.games.detect.bots.features import FEATURES, LAYOUT, MOVES, TABLE, write_output_actions, write_rewards
from tests.bots.positions import iterate_turns
from tests.conftest import seed_for


def features_by_name(match: Match, seat: int) -> dict[str, float]:
    """Return the features of the table by name, and those of the first column."""
    out = np.zeros(LAYOUT.size, np.int8)
    FEATURES.write(match.known(seat), seat, out)
    names = [*LAYOUT.table, *LAYOUT.item]
    return dict(zip(names, (out[: len(names)] / 32).tolist(), strict=True))


def after_opening(seats: int = 2, options: dict[str, str] | None = None) -> Match:
    match = Match("detect", seats, options or {}, bytes(32))
    for seat in range(seats):
        match.play(seat, 2)
    return match


def test_every_legal_move_of_detect_is_equivalent_to_the_move_of_some_network_output() -> None:
    """Every legal move is equivalent to the move of one output, and no two outputs are equivalent."""
    rnd = random.Random(seed_for("equivalent outputs"))
    for seats in range(2, 9):
        match = Match(game("detect"), seats, {"set_optional": "yes"}, rnd.randbytes(32))
        for _ply, seat in iterate_turns(match, 120):
            view = match.known(seat)
            actions = np.zeros(MOVES, np.int32)
            write_output_actions(view, seat, actions)
            outputs = [equivalence_key(view, seat, action) for action in actions[actions != NO_MOVE].tolist()]
            legal = match.legal(seat)
            if legal != [game("detect").rules.pause]:
                # Columns may be exchanged, but have outputs of their own.
                assert set(outputs) == {equivalence_key(view, seat, action) for action in legal}
            match.play(seat, rnd.choice(legal))


def test_network_features_are_unchanged_since_the_shipped_weights_were_trained() -> None:
    rnd, digest = random.Random(1), hashlib.sha256()
    known, secret = np.zeros(LAYOUT.size, np.int8), np.zeros(LAYOUT.secret_size, np.int8)
    for seats in range(2, 9):
        match = Match("detect", seats, {}, rnd.randbytes(32))
        while not match.over and match.ply < 150:
            seat = rnd.choice(match.acting)
            FEATURES.write(match.known(seat), seat, known)
            FEATURES.secrets(match.state, seat, secret)
            digest.update(known.tobytes() + secret.tobytes())
            match.play(seat, rnd.choice(match.legal(seat)))
    assert digest.hexdigest()[:16] == "8c80c6750d4da584"


def test_network_features_of_a_turn_have_the_expected_values() -> None:
    match = after_opening()
    seat = match.acting[0]
    top = match.state.card[-match.state.discard_count] - 10
    found = features_by_name(match, seat)
    assert found["turn"] == 1
    assert found["opening"] == found["drawn"] == 0
    assert found[f"card in question {top}"] == 1
    assert found["its number"] == top / 8
    assert found["own backs"] == 10 / 4
    assert found["own backs 4"] == 1
    assert found["players"] == 2 / 4
    assert found["there"] == found["own"] == 1


def test_the_network_features_show_the_drawn_card() -> None:
    match = after_opening()
    seat = match.acting[0]
    match.play(seat, 66 + 12)
    drawn = match.known(seat).card[96] - 10
    found = features_by_name(match, seat)
    assert found["drawn"] == 1
    assert found[f"card in question {drawn}"] == 1


def test_network_features_ignore_the_order_of_cells_in_a_column() -> None:
    match = after_opening()
    seat = match.acting[0]
    before = np.zeros(LAYOUT.size, np.int8)
    FEATURES.write(match.state, seat, before)
    s = match.state
    first = 12 * seat
    up = s.up[seat]
    assert up & 0b111 not in (0, 0b111)
    cells = [0, 1, 2]
    random.Random(3).shuffle(cells)
    for field in ("card", "known"):
        row = s[field]
        row[first : first + 3] = row[[first + cell for cell in cells]]
    s.up[seat] = up & ~0b111 | sum((up >> cell & 1) << place for place, cell in enumerate(cells))
    after = np.zeros(LAYOUT.size, np.int8)
    FEATURES.write(s, seat, after)
    assert (before == after).all()
    assert before[TABLE] == 32


def test_network_rewards_are_a_seats_lead_in_points_over_the_other_players() -> None:
    match = after_opening(3)
    match.state.score[:3] = (10, 30, 20)
    out = np.zeros(8)
    write_rewards(match.state, out)
    assert out[:3].tolist() == [15 / 20, -15 / 20, 0]


def test_network_features_support_the_standard_deck_and_rules_only() -> None:
    suits = FEATURES.supports
    assert suits(after_opening().known(0))
    assert suits(after_opening(8).known(0))
    assert not suits(after_opening(2, {"set_optional": "yes"}).known(0))
    assert not suits(after_opening(2, {"deck": "custom(1:40 2:40)"}).known(0))
