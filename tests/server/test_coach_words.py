"""What the coach says of a finished match: decisions alone, in full sentences about cards."""

from __future__ import annotations

import re

import pytest

from facedown.check.driver import GAMES, SITTERS, situations
from facedown.core.match import Match
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.slots import known_view
from facedown.core.spoken import Spoken
from facedown.core.state import SPECTATOR
from facedown.server.connection import coach_panel
from facedown.study.remarks import better, did
from facedown.study.review import Judged, Position, Sofar, Told, costliest
from tests.contract.test_grammar import wrong
from tests.contract.test_spoken import NOTATION
from tests.reviews import look_back

#: One or two sentences: a capital first, a full stop last, nothing left over from a list.
SENTENCES = re.compile(r"[A-Z][^;“”_]*\.$")


def judged(played: Told, best: Told | None, **more: object) -> Judged:
    fields: dict[str, object] = {
        "ply": 7,
        "seat": 0,
        "where": "Hand 2, final round",
        "at": 0.4,
        "played": played,
        "better": best,
        "why": "",
        "verdict": "costly",
        "chance": 0.4,
        "cost": 0.11,
        "error": 0.02,
        "exact": False,
        "worlds": 100,
        "beaten": 74,
        "beats": 9,
        "best": -1,
        "lost": 0,
        "reasoned": False,
        "wasted": None,
        "open_best": -1,
    }
    return Judged(**{**fields, **more})  # type: ignore[arg-type]


def alike(said: Spoken) -> Told:
    return Told(said, (said, said))


RIGHT = alike(Spoken("Choose the right column", "chose the right column", "choosing the right column"))
MIDDLE = alike(Spoken("Choose the middle column", "chose the middle column", "choosing the middle column"))


def test_a_remark_says_what_was_done_and_what_was_better_by_how_much_and_how_often() -> None:
    one = judged(RIGHT, MIDDLE)
    assert did(one, "You", 0) == "You chose the right column."
    assert better(one, 0) == (
        "Choosing the middle column would have raised the chance to win by **11 points**:"
        " better in 74 of 100 deals, worse in 9."
    )
    assert better(judged(RIGHT, MIDDLE, cost=0.0051, beats=0), 0).startswith(
        "Choosing the middle column would have raised the chance to win by **1 point**: better in 74 of 100 deals."
    )
    assert better(judged(RIGHT, MIDDLE, exact=True, beaten=0), 0).endswith("**11 points**, exactly.")
    assert better(judged(RIGHT, None), 0) == ""
    wasted = judged(RIGHT, MIDDLE, chance=None, cost=2.0, exact=True)
    rows = [coach_panel._row(wasted, ["Ada", "Ben"], reader, True)[0] for reader in (0, 1)]
    assert rows == ["Hand 2, final round, you", "Hand 2, final round, Ada"], "nobody is told of by their own name"
    assert better(wasted, 0) == "That wasted **two turns**. Choosing the middle column wasted none."
    guessed = judged(RIGHT, MIDDLE, chance=None, cost=0.62, wasted=0)
    assert better(guessed, 0) == (
        "Choosing the middle column would have saved **0.6 turns** on average: better in 74 of 100 deals, worse in 9."
        " With all cards open, it wasted no turn."
    )
    risky = judged(RIGHT, MIDDLE, chance=None, cost=120.0, lost=60)
    assert better(risky, 0) == (
        "That **loses the game** in 60 of 100 deals that fit what was known. Choosing the middle column was better."
    )


def test_one_chain_of_decisions_is_one_moment() -> None:
    auction = [0.1, 0.2, 0.3]
    chain = [judged(RIGHT, MIDDLE, ply=ply, cost=cost, where="Hand 1, auction") for ply, cost in enumerate(auction, 1)]
    later = judged(RIGHT, MIDDLE, ply=9, at=0.9, cost=0.02, where="Hand 1, trick 1")
    assert [move.ply for move in costliest([*chain, later])] == [3, 9]


def test_the_picture_of_somebody_elses_move_names_the_reader_as_its_words_do() -> None:
    names = [sitter.name for sitter in SITTERS[:2]]
    table = Match("uncovered", 2, {}, seed=bytes(32)).table(1, SITTERS[:2])
    theirs = next(zone.pieces[0].place for zone in table.zones if zone.seat == 0)
    position = Position(table, (theirs,), ())
    for viewer, wanted in ((0, {"You", names[1]}), (1, {names[0], "You"}), (SPECTATOR, set(names))):
        drawn = coach_panel._drawn(position, names, viewer)
        assert set(re.findall(r'<b(?: dir="auto")?>([A-Z]\w+)</b>', drawn)) == wanted, viewer


def test_a_reason_is_told_to_the_one_who_moved() -> None:
    one = judged(RIGHT, MIDDLE, why="you hold two reds")
    assert better(one, 0).endswith("You hold two reds.")
    assert "you hold" not in better(one, 1).lower()


@pytest.mark.parametrize("name", GAMES)
def test_any_two_moves_make_sentences(name: str) -> None:
    for situation in situations(name, 21, 25):
        game = situation.match.game
        for seat in situation.match.acting[:1]:
            view = situation.match.known(seat)
            legal = situation.match.legal(seat)
            readers = (seat, SPECTATOR, (seat + 1) % situation.match.seats)
            told = []
            for action in (legal[0], legal[-1], legal[len(legal) // 2]):
                said = [game.spoken(view, action, SITTERS, reader) for reader in range(situation.match.seats)]
                told.append(Told(game.spoken(view, action, SITTERS, SPECTATOR), tuple(said)))
            for played in told:
                for reader in readers:
                    one = judged(played, told[0], seat=seat, chance=None if name == "uncovered" else 0.4)
                    name_now = "You" if reader == seat else SITTERS[seat].name
                    for text in (did(one, name_now, reader), better(one, reader).replace("**", "")):
                        assert SENTENCES.fullmatch(text), text
                        assert not NOTATION.search(text), text
                        assert not wrong(text), wrong(text)
                        assert reader != SPECTATOR or "your" not in text.lower(), text
                        other = SITTERS[reader].name if reader != SPECTATOR else "nobody"
                        assert not re.search(rf"\b{other}\b", text), f"to {other}: {text}"


@pytest.mark.skipif(INTERPRETED, reason="many rounds are played out")
def test_moments_are_decisions_of_the_seat() -> None:
    """That a hand was dealt is nobody's decision, however much it changed."""
    match = Match("reveal", 2, {"end": "hands(2)"}, seed_from_text("moments"))
    while not match.over:
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[match.ply % len(match.legal(seat))])
    heard: list[Sofar] = []
    found = look_back(match, 0, SITTERS[:2], 60, heard.append)
    assert found.moments, "somebody who plays so badly has costly moments"
    # Whoever waits is told more and more of the line that stands there in the end.
    assert [sofar.done for sofar in heard] == [move.ply - 1 for move in found.judged]
    assert all(sofar.line == found.line[: len(sofar.line)] and sofar.rounds == found.rounds for sofar in heard)
    assert len(heard[len(heard) // 2].line) > 5
    states = [step.after for step in match.steps()]
    for moment, position in zip(found.moments, found.positions, strict=True):
        # As its seat knew the table then, with places on it that were touched and might have been.
        known = known_view(states[moment.ply - 1], 0)
        assert position.table == match.game.tables.table(known, SITTERS[:2])
        things = {piece.place for zone in position.table.zones for piece in zone.pieces}
        assert {*position.played, *position.better} <= things
        assert moment in found.judged
        assert (moment.verdict, moment.seat) == ("costly", 0)
        assert match.moves[moment.ply - 1].seat == 0
        text = f"{did(moment, 'You', 0)} {better(moment, 0)}".replace("**", "")
        assert SENTENCES.fullmatch(text), text
        assert "dealt" not in text
        print(text)
