"""Options of SCOUT, limits of a match, and the rules for two players."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.core.hidden_cards import known_view, redeal, shown_view
from facedown.core.match import DealError, Match, move_log_lines
from facedown.core.options import OptionError
from facedown.core.state import SPECTATOR, UNKNOWN, copy
from facedown.games.scout import legal_actions, state
from facedown.games.scout.info import HAND_SIZES, ONE_TWO, PAIRS, card_kind
from facedown.games.scout.state import ASIDE, LEFT_OVER, NOT_HELD, Phase
from tests.games.scout.positions import SITTERS, hand_numbers, legal_words, play_turns, pose


def key(n: int) -> np.ndarray:
    return np.full(8, n, np.uint32)


def test_the_starting_seat_of_scout_is_random_by_default_and_depends_on_the_seed() -> None:
    starters = {Match("scout", 4, seed=bytes([n]) * 32).state.starter for n in range(40)}
    assert starters == {0, 1, 2, 3}
    assert Match("scout", 4, seed=bytes(32), first=2).state.starter == 2


@pytest.mark.parametrize("seats", [2, 5])
def test_option_start_can_let_the_holder_of_card_1_2_start_and_all_players_know_it(seats: int) -> None:
    """All players know who was dealt the 1/2, or that it was set aside; then the starter is random."""
    fallbacks = 0
    for n in range(30):
        m = Match("scout", seats, {"start": "holder_1_2"}, seed=bytes([n]) * 32, first=1)
        s = m.state
        place = list(s.card).index(ONE_TWO)
        holder = (place - s.aside) // HAND_SIZES[seats]
        fallbacks += holder < 0
        assert (s.starter, s.held[ONE_TWO]) == ((holder, holder) if holder >= 0 else (1, ASIDE))
        first, end = (0, s.aside) if holder < 0 else (state.hand_start(s, holder), state.hand_start(s, holder + 1))
        for viewer in (*range(seats), SPECTATOR):
            world = redeal(known_view(s, viewer), key(n))
            assert ONE_TWO in list(world.card[first:end]), "it is there in every world, at any place"
    assert (5 <= fallbacks <= 25) == (seats == 2)


def test_option_start_can_name_the_seat_that_starts_a_match_of_scout() -> None:
    assert Match("scout", 3, {"start": "named(2)"}, seed=bytes(32), first=0).state.starter == 2
    with pytest.raises(OptionError, match=r"named\(3\): the seats of 3 players are 0 to 2"):
        Match("scout", 3, {"start": "named(3)"}, seed=bytes(32))


def test_option_flip_order_can_reverse_the_order_of_the_cards_in_a_flipped_hand() -> None:
    hands = {}
    for order in ("keep", "reverse"):
        m = Match("scout", 3, {"flip_order": order}, seed=bytes(32), first=0)
        play_turns(m, "flip", "keep", "keep")
        hands[order] = hand_numbers(m, 0).split()
    assert hands["keep"] == hands["reverse"][::-1]
    assert hands["keep"] != hands["reverse"]


@pytest.mark.parametrize("public", ["no", "yes"])
def test_others_know_the_place_of_a_scouted_card_only_with_option_scout_insert_public(public: str) -> None:
    hands = ["9/1 9/2", "5/3 7/3 8/3 3/1", "8/1 10/2 10/4"]
    m = pose(hands, "3/10 4/8", 0, 1, scout_insert_public=public)
    kind = PAIRS.index((3, 10))
    before = copy(m.state)
    play_turns(m, "scout left turned at 2")
    (line,) = move_log_lines(m.game, before, m.state, m.moves[-1], 2, SITTERS[:3])
    assert (", turned it and put it in position 3 of 5" in line.text) == (public == "yes")
    places = set()
    for n in range(60):
        world = redeal(known_view(m.state, 2), key(n))
        row = list(world.card[2:7])
        assert kind in row, "the card is in that hand"
        places.add((row.index(kind), world.flip[2 + row.index(kind)]))
    assert places == {(2, 1)} if public == "yes" else len(places) == 10
    assert shown_view(m.state, 2).held[kind] == NOT_HELD, "a person's view keeps no such list"
    # A player sees the same number of face-down cards in both cases.
    backs = m.table(2, SITTERS[:3]).zones[1].pieces
    assert [p.kind for p in backs] == ["back"] * 5
    # After a Show from unknown places the card is at its place or further left.
    m.state.turn, m.state.acting = 1, 2
    play_turns(m, next(text for text in legal_words(m, "show") if "-" not in text))
    if public == "yes":
        worlds_after = [redeal(known_view(m.state, 2), key(n)) for n in range(60)]
        assert {list(world.card[2:6]).index(kind) for world in worlds_after} == {1, 2}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_deal_of_scout_listed_by_the_user_puts_the_listed_cards_in_hands(seats: int) -> None:
    each = HAND_SIZES[seats]
    fresh = Match("scout", seats, seed=bytes(32), first=0)
    kinds = [k for k, n in enumerate(fresh.game.deck(seats, fresh.options)) if n]
    words = [f"{PAIRS[k][i % 2]}/{PAIRS[k][1 - i % 2]}" for i, k in enumerate(kinds)]
    m = Match("scout", seats, seed=bytes(32), deal=[card_kind(w) for w in words], first=0)
    for seat in range(seats):
        ups = [w.split("/")[0] for w in words[seat * each : (seat + 1) * each]]
        assert hand_numbers(m, seat).split() == ups
    with pytest.raises(DealError, match=r"the deal lists 1/2 too many times \(copies in the deck: 1\)"):
        Match("scout", seats, seed=bytes(32), deal=[card_kind("1/2"), card_kind("2/1")])


# --- two players ------------------------------------------------------------------------------------------------------


def test_with_two_players_a_seat_without_a_legal_action_ends_the_round() -> None:
    # B has no chip, and no set of B's beats a single 10.
    m = pose(["10/5 3/5 1/6", "9/2 7/2 2/4"], "", 0, 0, chips=(3, 0))
    play_turns(m, "show 1")
    assert (m.state.phase, m.state.ender, m.state.stuck) == (Phase.SCORING, 0, 1)
    assert list(m.state.score[:2]) == [3, -3], "chips left count, the ender's hand does not"
    for viewer in (0, SPECTATOR):
        for n in range(20):
            world = redeal(known_view(m.state, viewer), key(n))
            seen = [state.number_up_at(world, state.hand_start(world, 1) + i) for i in range(3)]
            assert max(seen) <= 10
            assert not legal_actions.can_show(world, state.hand_start(world, 1), 3, m.state.strength)


def first_round(n: int) -> Match:
    """Return a match of two whose first round was played at random."""
    m, lot = Match("scout", 2, seed=bytes([n % 256, n // 256]) * 16, first=0), np.random.default_rng(n)
    while m.state.phase != Phase.SCORING:
        m.play(m.acting[0], int(lot.choice(m.legal(m.acting[0]))))
    return m


def test_redeals_of_unknown_cards_respect_that_a_player_could_not_show_any_set() -> None:
    m = next(m for m in map(first_round, range(400)) if m.state.stuck >= 0)
    found = m.state.stuck
    beat, cards = m.state.strength, m.state.hand[found]
    row = list(m.state.card[state.hand_start(m.state, found) :][:cards])
    play_turns(m, "continue", "continue")
    first = m.state.stuck_first
    assert list(m.state.card[first : first + cards]) == row, "in the order they had"
    for n in range(20):
        world = redeal(known_view(m.state, 1 - found), key(n))
        assert not legal_actions.can_show(world, first, cards, beat)
        for kind in np.flatnonzero(m.state.held == LEFT_OVER):
            assert kind in list(world.card[first : first + cards])


def test_redeals_of_unknown_cards_respect_that_a_player_to_move_without_chips_can_show_a_set() -> None:
    """Even if only one hand in ten thousand has a legal Show."""
    own = "10/1 10/2 10/3 10/4 10/5 1/2 1/3 1/4"
    theirs = "3/4 4/5 5/6 6/7 7/8 8/9 9/1 1/5 6/1 7/1"
    m = pose([own, theirs], "2/4 2/5 2/6 2/7 2/8", 0, 1, chips=(1, 0))
    assert legal_words(m) == ["show 1-6", "show 1-7", "show 2-7"]
    view = known_view(m.state, 0)
    assert list(view.card[8:18]) == [UNKNOWN] * 10
    hands = set()
    for n in range(25):
        world = redeal(view, key(n))
        first = state.hand_start(world, 1)
        assert legal_actions.can_show(world, first, 10, view.strength)
        hands.add(tuple(state.number_up_at(world, first + i) for i in range(10)))
    assert len(hands) > 20, "and not always the same"


def test_with_two_players_the_second_round_is_dealt_from_the_cards_set_aside() -> None:
    m = first_round(7)
    aside = list(zip(m.state.card[:22], m.state.flip[:22], strict=True))
    play_turns(m, "continue", "continue")
    assert (m.state.round_number, m.state.starter) == (2, 1)
    assert list(zip(m.state.card[:22], m.state.flip[:22], strict=True)) == aside
    assert list(m.state.hand[:2]) == [11, 11]
    assert list(m.state.coins[:2]) == [3, 3]
    assert known_view(m.state, 0).card[11] == UNKNOWN
    assert known_view(m.state, 0).card[0] != UNKNOWN
