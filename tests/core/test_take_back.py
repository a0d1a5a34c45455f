"""Take-backs in matches: what they undo, why they are refused, and that replays, copies and match files know them."""

from __future__ import annotations

import copy
import pickle
import random
from dataclasses import dataclass, field

import pytest

from facedown.check.random_matches import GAMES, SITTERS, match_with_random_options
from facedown.core.match import IllegalMove, Match
from facedown.core.match_actions import AGREED_END, RESIGN, TAKE_BACK
from facedown.core.match_file import NotationError, read, verify, write
from facedown.core.move_with_views import Move
from facedown.core.standing_moves import MAX_KEPT, viewers_who_learned
from facedown.core.state import SPECTATOR, to_bytes
from facedown.core.translation import use_language
from tests.conftest import TIMES

SEED = bytes(32)
#: Random matches of each game, and the moves of each.
MATCHES, MOVES = 2 * TIMES, 30


def opening(seats: int = 3, moves: int = 0) -> Match:
    """Return a match of Detect in which `moves` seats have chosen, in secret, which two cards they flip."""
    match = Match("detect", seats, seed=SEED)
    for seat in range(moves):
        match.play(seat, match.legal(seat)[seat])
    return match


def open_final_round() -> Match:
    """Return a match of Reveal in its final round, in which both seats may change their open choice many times."""
    match = Match("reveal", 2, {"final_mode": "open", "final_changes_cap": "changes(99)"}, seed=SEED)
    while match.table(SPECTATOR).phase != "final":
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[0])
    return match


def choose_column(match: Match, seat: int, times: int) -> None:
    """Change the seat's open choice so often. Choices that are not final have the lowest numbers."""
    for number in range(times):
        match.play(seat, match.legal(seat)[number % 2])


# --- what a take-back undoes ------------------------------------------------------------------------------------------


def test_a_take_back_undoes_the_seats_last_move_and_all_moves_since() -> None:
    match = opening(moves=2)
    before = to_bytes(match.at(0).state)
    step = match.play(0, TAKE_BACK)
    assert to_bytes(match.state) == before
    assert (match.ply, step.ply, match.moves[2]) == (3, 3, Move(0, TAKE_BACK)), "the moves are kept"
    assert match.taken_back == {1, 2, 3}
    assert match.acting == [0, 1, 2]
    assert not match.over


def test_take_backs_can_follow_each_other_and_new_moves_can_follow_them() -> None:
    match = open_final_round()
    start, at = match.ply, [to_bytes(match.state)]
    for seat in (0, 1, 0, 1):
        choose_column(match, seat, 1)
        at.append(to_bytes(match.state))
    match.play(0, TAKE_BACK)
    assert to_bytes(match.state) == at[2]
    match.play(0, TAKE_BACK)
    assert to_bytes(match.state) == at[0], "the take-back before is not itself taken back"
    choose_column(match, 1, 1)
    match.play(1, TAKE_BACK)
    assert to_bytes(match.state) == at[0]
    assert match.taken_back == set(range(start + 1, start + 9))
    placed = max(ply for ply, move in enumerate(match.moves[:start], 1) if move.seat == 0)
    match.play(0, TAKE_BACK)
    assert to_bytes(match.state) == to_bytes(match.at(placed - 1).state), "the last move that stands"


def test_only_the_latest_moves_can_be_taken_back() -> None:
    match = open_final_round()
    choose_column(match, 1, 1)
    choose_column(match, 0, MAX_KEPT - 1)
    assert match.why_not_take_back(1) == ""
    before = match.at(match.ply - MAX_KEPT + 1)
    choose_column(match, 0, 1)
    assert match.why_not_take_back(1) == "You have no move to take back."
    for _ in range(MAX_KEPT):
        match.play(0, TAKE_BACK)
    assert match.why_not_take_back(0) == "You have no move to take back."
    assert to_bytes(match.state) == to_bytes(before.state)
    assert [match.why_not_take_back(seat) for seat in (0, 1)] == [
        pickle.loads(pickle.dumps(match)).why_not_take_back(seat) for seat in (0, 1)
    ], "a match that is loaded again keeps as many moves"


def test_a_take_back_also_undoes_that_a_round_was_scored() -> None:
    rnd, seat = random.Random(3), 0
    match = Match("reveille", 2, seed=SEED)
    while not match.standing.has_score or match.why_not_take_back(seat):
        if match.standing.has_score:
            match = Match("reveille", 2, seed=rnd.randbytes(32))
        seat = rnd.choice(match.acting)
        match.play(seat, rnd.choice(match.legal(seat)))
    match.play(seat, TAKE_BACK)
    assert match.copy().standing.has_score is False
    assert not pickle.loads(pickle.dumps(match)).standing.has_score
    match.play(0, AGREED_END)
    assert match.result is not None
    assert match.result.winners == ()


# --- what is refused --------------------------------------------------------------------------------------------------


def test_a_take_back_is_refused_with_the_reason() -> None:
    match = opening(seats=2)
    for words, seat, reason in (
        ("take back", None, "You have no move to take back"),
        ("take back", 1, "You have no move to take back"),
        ("take back", 7, "seat 7 does not exist"),
    ):
        with pytest.raises(IllegalMove, match=reason):
            match.push(words, seat)
    with pytest.raises(IllegalMove, match="action -4 does not exist"):
        match.play(0, min(TAKE_BACK, RESIGN, AGREED_END) - 1)
    match.play(0, 0)
    assert match.why_not_take_back(0) == ""
    match.play(1, 0)
    assert match.why_not_take_back(0) == "You’ve seen something hidden since your last move, so it stays."
    with use_language("de"):
        assert "Verdecktes" in match.why_not_take_back(0)
    with pytest.raises(IllegalMove, match="seen something hidden"):
        match.push("Take  back", 1)
    match.play(0, AGREED_END)
    assert match.why_not_take_back(0) == "The match is over."
    with pytest.raises(IllegalMove, match="the match is over"):
        match.push("take back")


def test_a_drawn_card_cannot_be_put_back() -> None:
    match = opening(seats=3, moves=3)
    seat = match.acting[0]
    other = (seat + 1) % 3
    match.push("draw", seat)
    assert match.why_not_take_back(seat).startswith("You’ve seen something hidden")
    assert match.why_not_take_back(other).startswith("You’ve seen"), "all cards were flipped since its last move"
    drawn = match.standing.since_last_move_of(seat)[0]
    assert viewers_who_learned(match.game, drawn.move, drawn.before, drawn.after) == {seat}


def test_a_choice_cannot_be_changed_after_the_choice_of_another_seat_was_opened() -> None:
    """Both seats have chosen to swap no card. Each now knows that the other seat swapped none, either."""
    match = Match("reveal", 2, {"swap_batch": "no"}, seed=SEED)
    match.push("stop", 0)
    assert match.why_not_take_back(0) == "", "seat 1 has not chosen yet"
    match.push("stop", 1)
    for seat in (0, 1):
        assert match.why_not_take_back(seat) == "You’ve seen something hidden since your last move, so it stays."


def test_a_sealed_choice_that_stays_hidden_can_be_taken_back_after_all_have_chosen() -> None:
    """The cards that both seats placed lie face down, so nobody has learned where the other seat placed which card."""
    match = Match("reveal", 2, {"swap_batch": "yes"}, seed=SEED)
    for seat in (0, 1):
        match.play(seat, match.legal(seat)[0])
    while match.table(SPECTATOR).phase != "final":
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[0])
    assert match.why_not_take_back(0) == match.why_not_take_back(1) == ""


def test_a_take_back_is_refused_to_a_seat_if_only_others_have_seen_something_hidden() -> None:
    """Seat 0 takes the open card. Then the next seat draws a card, which only that seat sees."""
    rnd = random.Random(5)
    match = Match("detect", 3, seed=SEED)
    while True:
        seat, actions = match.acting[0], match.legal(match.acting[0])
        if match.table(SPECTATOR).phase == "turn" and not match.why_not_take_back((seat - 1) % 3):
            match.push("draw", seat)
            break
        match.play(seat, rnd.choice(actions))
    others = (seat - 1) % 3
    assert match.why_not_take_back(others) == "Others have seen something hidden since your last move, so it stays."
    assert match.why_not_take_back(seat) == "You’ve seen something hidden since your last move, so it stays."


# --- logs -------------------------------------------------------------------------------------------------------------


def test_the_log_of_each_viewer_names_the_player_who_took_a_move_back() -> None:
    match = opening(moves=1)
    step = match.play(0, TAKE_BACK)
    said = {viewer: [line.text for line in step.lines(viewer, SITTERS[:3])] for viewer in (0, 1, SPECTATOR)}
    assert said == {
        0: ["**You** took back your last move."],
        1: ["**Ilse** took back their last move."],
        SPECTATOR: ["**Ilse** took back their last move."],
    }
    with use_language("de"):
        assert step.lines(1, SITTERS[:3])[0].text == "**Ilse** hat den eigenen letzten Zug zurückgenommen."
    assert all(step.is_visible_to(viewer, memory) for viewer in (0, 1, SPECTATOR) for memory in (False, True))
    assert [line.text for line in match.log(1, SITTERS[:3])][-1] == said[1][0]


def test_a_viewer_who_could_not_see_a_move_does_not_see_that_it_is_taken_back() -> None:
    match = opening(moves=1)
    before = match.views
    step = type(match.play(0, TAKE_BACK))(3, Move(0, TAKE_BACK), before, before)
    assert len(step.lines(0, SITTERS[:3])) == 1
    assert list(step.lines(1, SITTERS[:3])) == []
    assert not step.is_visible_to(1, True)


# --- copies, replays and files ----------------------------------------------------------------------------------------


@dataclass
class Model:
    """A match with take-backs as plain lists, to compare with."""

    match: Match
    states: list[bytes] = field(default_factory=list)
    """The state after each number of moves."""
    line: list[tuple[int, Move]] = field(default_factory=list)
    """The moves that have not been taken back, with their numbers."""
    taken_back: set[int] = field(default_factory=set)

    def play(self, seat: int, action: int) -> None:
        """Play an action in the match and in the lists."""
        self.match.play(seat, action)
        if action != TAKE_BACK:
            self.line.append((self.match.ply, Move(seat, action)))
            self.states.append(to_bytes(self.match.state))
            return
        self.taken_back.add(self.match.ply)
        number, move = self.line.pop()
        while move.seat != seat:
            self.taken_back.add(number)
            number, move = self.line.pop()
        self.taken_back.add(number)
        self.states.append(self.states[number - 1])
        assert to_bytes(self.match.state) == self.states[-1]


def with_random_take_backs(name: str, rnd: random.Random) -> Model:
    """Return a random match in which seats often take their moves back."""
    model = Model(match_with_random_options(name, rnd))
    match = model.match
    model.states.append(to_bytes(match.state))
    for _ in range(MOVES):
        if match.over:
            break
        able = [seat for seat in range(match.seats) if not match.why_not_take_back(seat)]
        if able and rnd.random() < 0.4:
            model.play(rnd.choice(able), TAKE_BACK)
        else:
            seat = rnd.choice(match.acting)
            model.play(seat, rnd.choice(match.legal(seat)))
    if not match.over and rnd.random() < 0.5:
        match.play(rnd.randrange(match.seats), rnd.choice([AGREED_END, RESIGN] if match.seats == 2 else [AGREED_END]))
        model.states.append(to_bytes(match.state))
    return model


def assert_same(one: Match, other: Match) -> None:
    """Assert that two matches are equal in everything that their moves lead to."""
    assert (one, hash(one)) == (other, hash(other))
    assert to_bytes(one.state) == to_bytes(other.state)
    assert (one.result, one.over, one.acting) == (other.result, other.over, other.acting)
    assert one.taken_back == other.taken_back
    assert one.standing.has_score == other.standing.has_score
    sitters = SITTERS[: one.seats]
    for seat in range(one.seats):
        assert one.legal(seat) == other.legal(seat)
        assert one.why_not_take_back(seat) == other.why_not_take_back(seat)
    for viewer in (0, SPECTATOR):
        assert one.table(viewer, sitters) == other.table(viewer, sitters)
        assert one.log(viewer, sitters) == other.log(viewer, sitters)


@pytest.mark.parametrize("name", GAMES)
def test_random_matches_with_take_backs_replay_exactly(name: str, seed: int) -> None:
    """Copies, pickles, undo, earlier positions, replays and match files of matches with take-backs and early ends."""
    rnd, taken = random.Random(seed), 0
    for _ in range(MATCHES):
        model = with_random_take_backs(name, rnd)
        match, ply = model.match, model.match.ply
        taken += len(model.taken_back)
        assert match.taken_back == model.taken_back
        for other in (copy.copy(match), copy.deepcopy(match), pickle.loads(pickle.dumps(match)), match.at(ply)):
            assert_same(match, other)
        assert [to_bytes(step.after) for step in match.steps()] == model.states
        assert [step.move for step in match.steps()] == [None, *match.moves]
        earlier = rnd.randint(0, ply)
        assert to_bytes(match.at(earlier).state) == model.states[earlier]
        file = read(write(match))
        assert_same(match, file.match)
        assert verify(write(match)).file.match == match
        twin = match.copy()
        twin.forget_views()
        assert_same(match, twin)
        if ply:
            assert twin.undo() == match.moves[-1]
            assert_same(twin, match.at(ply - 1))
            assert match.ply == ply, "a copy is independent"
    assert taken > 0


def test_a_take_back_in_a_copy_does_not_change_the_match() -> None:
    match = opening(moves=1)
    twin = match.copy()
    twin.play(0, TAKE_BACK)
    assert (match.ply, match.taken_back, match.acting) == (1, frozenset(), [1, 2])
    assert match.why_not_take_back(0) == ""
    assert twin.why_not_take_back(0) == "You have no move to take back."


def test_the_file_of_a_match_with_take_backs_keeps_all_moves() -> None:
    match = opening(moves=2)
    match.play(1, TAKE_BACK)
    match.play(0, TAKE_BACK)
    text = write(match)
    assert text.splitlines()[-2:] == ["3. P1 take back", "4. P0 take back"]
    assert "Result: unfinished" in text
    other = text.replace("3. P1 take back", "3. P1 Take  Back # a slip")
    assert read(other).match == match
    assert "All 4 moves are legal." in verify(text).found


@pytest.mark.parametrize(
    ("moves", "line", "reason"),
    [
        (("P0 take back",), 8, "You have no move to take back."),
        (("P0 open a1 b1", "P1 take back"), 9, "You have no move to take back."),
        (("P0 open a1 b1", "P0 take back", "P0 take back"), 10, "You have no move to take back."),
        (("P0 open a1 b1", "P1 open a1 b1", "P1 take back"), 10, "You’ve seen something hidden"),
        (("P0 open a1 b1", "P7 take back"), 9, "seat 7 does not exist"),
        (("P0 agreed end", "P0 take back"), 9, "the match is over"),
        (("P0 take back a1",), 8, "take back a1"),
    ],
)
def test_reading_an_impossible_take_back_from_a_match_file_gives_the_line_and_the_reason(
    moves: tuple[str, ...], line: int, reason: str
) -> None:
    head = ["# Facedown match", "Game: detect", "Rules: 1", "Players: 2", f"Seed: {SEED.hex()}", "Result:", ""]
    head[2] = f"Rules: {Match('detect', 2).game.info.version}"
    text = "\n".join([*head, *(f"{number}. {move}" for number, move in enumerate(moves, 1))])
    with pytest.raises(NotationError) as caught:
        verify(text)
    assert (caught.value.line, reason in caught.value.reason) == (line, True), caught.value.reason
    assert str(caught.value).startswith(f"line {line}: ")
