"""Proposals and take-backs tell a viewer nothing hidden: two tables that look alike to the viewer stay alike.

The tables differ in what the viewer does not know. Both get the same moves, proposals and answers. All that the viewer
is shown must be the same at both.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from facedown.check.random_matches import GAMES, NAMES, match_with_random_options, play_randomly
from facedown.check.step_leaks import other_world
from facedown.check.take_back_leaks import play_so_that_it_looks_alike
from facedown.check.view_leaks import viewers
from facedown.core.match import Match, Move
from facedown.core.match_actions import AGREED_END, TAKE_BACK
from facedown.core.standing_moves import StandingMove, StandingMoves
from facedown.play import Session, Settings, agreements
from facedown.play.bot_interface import BotTask
from facedown.play.records import Change, Seat, StoredMove
from tests.conftest import TIMES
from tests.not_none import given
from tests.play.table import grant, lobby

#: Take-backs at the tables of each game, and the largest number of moves at a table and of pairs of tables.
TAKE_BACKS, MOVES, PAIRS = 3 * TIMES, 10, 200 * TIMES


class Pair:
    """Two tables that look alike to one viewer. The second is in another world (full deal)."""

    def __init__(self, name: str, rnd: random.Random) -> None:
        self.rnd = rnd
        match = match_with_random_options(name, rnd)
        play_randomly(match, rnd, rnd.choice((0, 2, 10, 40)))
        seats = tuple(Seat("person", NAMES[seat], seat + 1, ready=True) for seat in range(match.seats))
        record = replace(
            lobby("me open", game=name, settings=Settings(memory=rnd.random() < 0.5)).record,
            options=match.options,
            seed=match.seed,
            seats=seats,
            status="running",
        )
        moves = [StoredMove(ply, move.seat, move.action, 0.0, f"{ply}") for ply, move in enumerate(match.moves)]
        self.sessions = Session(record, moves), Session(record, moves)
        self.viewer = rnd.choice(viewers(match))
        for session in self.sessions:
            # The log of the moves so far is made before the cards are changed.
            session.viewer_log(self.viewer)
        for one, state in zip(
            self.matches, (match.state, other_world(match.game, match.state, self.viewer, rnd)), strict=True
        ):
            one.state = state
            one._standing = StandingMoves(match.game)

    @property
    def matches(self) -> tuple[Match, Match]:
        one, other = self.sessions
        return one.dealt_match, other.dealt_match

    def play(self) -> bool:
        """Play a random move at the first table, and one that looks alike at the second. Return False if none does."""
        match, other = self.matches
        seat = self.rnd.choice(match.acting)
        action = self.rnd.choice(match.legal(seat))
        move = StandingMove(Move(seat, action), match.state, match.compute_step(seat, action).after)
        found = play_so_that_it_looks_alike(match, move, other.state, self.viewer, self.rnd)
        if found is None:
            return False
        for session, chosen in zip(self.sessions, (action, found[0]), strict=True):
            task = BotTask(session.ply, seat, "", session.dealt_match.known(seat), 0)
            grant(session, session.bot_move(task, chosen, 1.0))
        return True

    def propose(self, seat: int, action: int) -> bool:
        """Let a seat propose an action at both tables; return False if it may not."""
        reasons = [agreements.why_not_propose(session, seat, action) for session in self.sessions]
        assert bool(reasons[0]) == bool(reasons[1]), "whether a proposal is possible"
        assert seat != self.viewer or reasons[0] == reasons[1], "why it is not"
        if not reasons[0]:
            self.apply([agreements.propose(session, seat + 1, action, 1.0) for session in self.sessions])
        return not reasons[0]

    def answer(self, agrees: bool) -> None:
        """Let the next asked player answer the open proposal at both tables."""
        proposal = given(self.sessions[0].record.agreements.proposal)
        seat = next(seat for seat in proposal.asked if seat not in proposal.agreed)
        self.apply(
            [given(agreements.answer(session, seat + 1, proposal.number, agrees, 1.0)) for session in self.sessions]
        )

    def apply(self, changes: list[Change]) -> None:
        """Apply the changes of both tables, and compare what they announce and show."""
        said = [list(map(str, change.announcements)) for change in changes]
        assert said[0] == said[1]
        for session, change in zip(self.sessions, changes, strict=True):
            grant(session, change)
        self.compare()

    def compare(self) -> None:
        """Assert that the viewer is shown the same at both tables."""
        one, other = self.sessions
        assert one.record.agreements == other.record.agreements
        assert one.table(self.viewer) == other.table(self.viewer)
        assert one.version(self.viewer) == other.version(self.viewer)
        assert one.viewer_log(self.viewer).lines == other.viewer_log(self.viewer).lines


def compare_tables(name: str, seed: int, take_backs: int) -> None:
    """Compare pairs of tables of a game until so many moves were taken back at them."""
    rnd, done = random.Random(seed), Counter[int]()
    for _ in range(PAIRS):
        pair = Pair(name, rnd)
        session = pair.sessions[0]
        for _ in range(MOVES):
            if session.dealt_match.over or not pair.play():
                break
            pair.compare()
            if session.dealt_match.over:
                break
            action = AGREED_END if rnd.random() < 0.05 else TAKE_BACK
            if pair.propose(rnd.randrange(session.dealt_match.seats), action):
                while session.record.agreements.proposal is not None:
                    pair.answer(rnd.random() < 0.9)
                done[session.moves[-1].action] += 1
        if done[TAKE_BACK] >= take_backs:
            return
    raise AssertionError(f"too few take-backs: {done}")


@pytest.mark.parametrize("name", GAMES)
def test_proposals_and_take_backs_tell_no_viewer_anything_hidden(name: str, seed: int) -> None:
    compare_tables(name, seed, TAKE_BACKS)


def test_a_reason_that_depends_on_a_hidden_card_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    true = StandingMoves.why_not_take_back

    def reason(standing: StandingMoves, seat: int) -> str:
        moves = standing.since_last_move_of(seat)
        return true(standing, seat) or ("A mistake." if moves[0].before.card[0] % 2 else "")

    monkeypatch.setattr(StandingMoves, "why_not_take_back", reason)
    with pytest.raises(AssertionError, match="whether a proposal is possible"):
        compare_tables("detect", 1, 40)
