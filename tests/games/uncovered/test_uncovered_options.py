"""Options of Uncovered!: each has its effect, and views show no more than allowed."""

from __future__ import annotations

import random

import pytest

from facedown.core.hidden_cards import known_view, redeal
from facedown.core.match import Match, move_log_lines
from facedown.core.options import OptionError
from facedown.core.random_numbers import key_of
from facedown.core.state import SPECTATOR, to_bytes
from facedown.games.uncovered.info import INFO
from facedown.games.uncovered.rules import LOST, TURN_CAP
from tests.games.uncovered.positions import SITTERS, hands_text, match_with_hands, play_words


def test_the_default_mode_of_uncovered_depends_on_the_number_of_players() -> None:
    modes = [Match("uncovered", seats, seed=bytes(32)).options["mode"] for seats in range(2, 7)]
    assert modes == ["intermediate", "advanced", "advanced", "advanced", "advanced"]
    assert INFO.options_by_seats == {"mode"}
    assert INFO.complete(2, {"mode": "beginner"})["mode"] == "beginner"


def test_option_tracking_can_hide_cards_that_a_player_knows_only_from_a_swap() -> None:
    m = match_with_hands("4231 1124 3234", mode="advanced", tracking="off")
    play_words(m, "swap 1 1 3")
    shown = [hands_text(m.shown(viewer)) for viewer in (0, 1, 2, SPECTATOR)]
    assert shown == ["2231 ???? ????", "???? 1144 ????", "???? ???? 3234", "???? ???? ????"]
    assert m.log(2, SITTERS)[0].text == "**Ravi** moved a 4 to Mara’s position 3 and a 2 to their own position 1."
    known = [int(mask) for mask in m.shown(0).known[:12]]
    assert known == [int(mask) for mask in m.state.known[:12]], "who knows which place stays public"
    assert int(m.known(0).card[6]) == 3, "bots remember"
    table = m.table(0, SITTERS, memory_aid=True)
    assert [piece.face for piece in table.zones[0].pieces] == [""] * 4, "the memory aid has no effect here"


def test_redeals_of_unknown_cards_for_spectators_keep_the_numbers_that_turned_cards_reveal() -> None:
    m = match_with_hands("2134 2134", mode="intermediate", swap_visibility="face_down")
    play_words(m, "swap 1 1 2", "swap 3 0 3")
    view = known_view(m.state, SPECTATOR)
    for number in range(20):
        world = redeal(view, key_of(bytes([number]) * 32))
        assert int(world.card[0]) == 0, "it was turned at place 1, so it is a 1"
        assert int(world.card[5]) == 1
        assert to_bytes(known_view(world, SPECTATOR)) == to_bytes(view)


def test_option_start_sets_the_starting_seat() -> None:
    assert [Match("uncovered", 3, {"start": f"named({seat})"}).acting for seat in range(3)] == [[0], [1], [2]]
    starts = {Match("uncovered", 3, seed=bytes([n]) * 32).acting[0] for n in range(40)}
    assert starts == {0, 1, 2}
    with pytest.raises(OptionError, match="no seat 3 at a table for 3"):
        Match("uncovered", 3, {"start": "named(3)"})


def test_uncovered_has_exactly_the_expected_list_of_options() -> None:
    assert {o.name for o in INFO.options} == {
        "mode", "swap_visibility", "turning", "tracking", "single_colour_win", "score", "start",
    }  # fmt: skip


# --- the swap limit, the end ------------------------------------------------------------------------------------------


def test_a_game_of_uncovered_is_abandoned_after_200_swaps() -> None:
    m = match_with_hands("1234 1234", mode="beginner")
    for _ in range(TURN_CAP):
        assert not m.over
        play_words(m, f"swap 1 {1 - m.acting[0]} 1")
    assert m.abandoned
    assert m.acting == []
    assert m.game.returns(m.state) == [LOST, LOST]
    assert hands_text(m.shown(SPECTATOR)) == "1234 1234"
    table = m.table(0, SITTERS)
    assert table.result == "The game was stopped after 200 swaps. Nobody wins."
    assert "best" not in {panel.id for panel in table.panels}


def test_the_game_ends_at_the_swap_limit_only_after_pending_decisions_to_turn_cards() -> None:
    m = match_with_hands("2134 1234", mode="intermediate", turning="choice")
    for _ in range(TURN_CAP - 1):
        play_words(m, f"swap 4 {1 - m.acting[0]} 3" if int(m.state.turn) % 2 == 0 else f"swap 3 {1 - m.acting[0]} 4")
        while int(m.state.phase) == 1:
            play_words(m, "leave")
    assert int(m.state.turn) == TURN_CAP - 1
    assert not m.over
    play_words(m, f"swap 3 {1 - m.acting[0]} 4")
    assert not m.over, "a decision is open"
    while not m.over:
        play_words(m, "turn")
    assert m.abandoned


def test_views_do_not_show_before_the_end_whether_uncovering_would_win() -> None:
    won, lost = match_with_hands("1234 1234 1234", mode="advanced"), match_with_hands("1234 1243 1234", mode="advanced")
    assert to_bytes(won.known(0)) == to_bytes(lost.known(0))
    assert won.table(0, SITTERS) == lost.table(0, SITTERS)
    assert won.game.returns(won.state) == lost.game.returns(lost.state) == [0, 0, 0]


# --- on random matches ------------------------------------------------------------------------------------------------


def test_who_knows_a_card_in_uncovered_follows_from_mode_and_swaps(seed: int) -> None:
    """An independent computation of the known cards V: from the mode at the deal, and from each swap (rules 4.5)."""
    rnd = random.Random(seed)
    for _ in range(20):
        seats = rnd.randint(3, 6)
        mode, visibility = rnd.choice(["beginner", "intermediate", "advanced"]), rnd.choice(["face_up", "face_down"])
        m = Match("uncovered", seats, {"mode": mode, "swap_visibility": visibility}, rnd.randbytes(32))
        viewers = [*range(seats), SPECTATOR]
        seen = {
            (v, o, k): mode == "beginner" or (v != SPECTATOR and (v == o) == (mode == "advanced"))
            for v in viewers for o in range(seats) for k in range(4)
        }  # fmt: skip
        for _ in range(25):
            p = m.acting[0]
            i, q, j = rnd.randrange(4), rnd.choice([s for s in range(seats) if s != p]), rnd.randrange(4)
            play_words(m, f"swap {i + 1} {q} {j + 1}")
            for v in viewers:
                a, b = seen[v, p, i], seen[v, q, j]
                shown = visibility == "face_up" or v in (p, q)
                seen[v, p, i], seen[v, q, j] = b or shown, a or shown
        for (v, o, k), expected in seen.items():
            assert bool(int(m.state.known[4 * o + k]) >> v & 1) == expected, (mode, visibility, v, o, k)


def test_players_not_involved_in_a_swap_all_read_the_same_log_line(seed: int) -> None:
    rnd = random.Random(seed)
    m = Match("uncovered", 4, {"mode": "advanced"}, rnd.randbytes(32))
    before = m.state.copy()
    play_words(m, "swap 1 1 1" if m.acting[0] != 1 else "swap 1 2 1")
    mover = m.moves[-1].seat
    others = [seat for seat in range(4) if seat != mover and seat != int(m.state.swapped_with) // 4]
    lines = {move_log_lines(m.game, before, m.state, m.moves[-1], seat, SITTERS)[0].text for seat in others}
    assert len(lines) == 1
