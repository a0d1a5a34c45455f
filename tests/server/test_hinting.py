"""A question to the coach while a match is running: how far it has come is told, and a move lets go of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from facedown.bots.rollout_search import _worlds_in_all
from facedown.core.game import catalogue, game
from facedown.core.match import Match
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.table import Choice, Sitter, Step, Table
from facedown.server import look
from facedown.server.connection import hint_message
from facedown.server.connection.hint_requests import hint
from facedown.study.hints import path_to
from tests.server.serving import ONE_HAND, Live, Server, module_server, open_table, pondering

pytestmark = pytest.mark.skipif(INTERPRETED, reason="many rounds are played out")


#: A server whose coach thinks for as long as it is let.
slow = module_server(pondering)


#: A line whose question the coach ponders, and the table that it was asked at.
Asking = tuple[Live, dict[str, Any]]


@pytest.fixture
def asking(slow: Server) -> Iterator[Asking]:
    """Somebody whose turn it is, with the table as it stands, who has just asked the coach."""
    with slow.client() as ada:
        url = open_table(ada, "low", hints="on", **ONE_HAND)
        with Live(slow, ada, url) as live:
            message = live.until_yours(live.hello())
            live.send(type="hint")
            yield live, message


def test_the_search_tells_how_far_it_has_come(asking: Asking) -> None:
    live, _ = asking
    first, second = live.get("thinking"), live.get("thinking")
    assert 0 < first["done"] < second["done"] <= second["of"]
    live.send(type="hint", stop=True)
    assert live.get("thinking", over=True)


def test_one_question_at_a_time(asking: Asking) -> None:
    live, _ = asking
    assert live.refusal(type="hint")["code"] == "too-fast"
    assert live.get("thinking")["done"] > 0, "the first goes on"


def test_a_move_lets_go_of_the_question(asking: Asking) -> None:
    live, message = asking
    live.get("thinking")
    live.move(message)
    assert live.get("thinking", over=True)
    assert [m for m in live.seen if m["type"] == "error"] == []
    # The threads of the search are free again: a bot can think, and so can the coach.
    live.until_yours(live.beyond(message["version"]))
    seen = len(live.seen)
    live.send(type="hint")
    live.get("thinking")
    assert "hint" not in [m["type"] for m in live.seen[seen:]]


def test_a_closed_page_lets_go_too(slow: Server) -> None:
    with slow.client() as ada:
        url = open_table(ada, "low", hints="on", **ONE_HAND)
        with Live(slow, ada, url) as live:
            live.until_yours(live.hello())
            live.send(type="hint")
            live.get("thinking")
        with Live(slow, ada, url) as live:
            live.hello()
            live.send(type="hint")
            assert live.get("thinking")["done"] > 0


@pytest.mark.parametrize(
    ("met", "moves", "look_at", "left", "worlds"), [(1, 4, 8, 400, 101), (8, 2, 16, 100, 58), (5, 1, 8, 100, 5)]
)
def test_how_many_worlds_there_will_be(met: int, moves: int, look_at: int, left: int, worlds: int) -> None:
    assert _worlds_in_all(met, moves, look_at, left) == worlds


# --- what is shown ----------------------------------------------------------------------------------------------------


@dataclass
class Said:
    """A move as the coach judges it."""

    action: int
    value: float
    error: float = 0.0
    mistake: bool = True
    unit: str = "chance"
    exact: bool = False
    worlds: int = 64
    why: str = ""
    words: str = ""
    behind: float = 0.0
    lost: int = 0


def shown(*moves: Said) -> look.Hint:
    return hint_message.hint_of([(f"Move {move.action}", move) for move in moves])  # type: ignore[misc]


def test_bars_stand_on_one_scale_and_carry_the_mark() -> None:
    hint = shown(Said(1, 0.46, mistake=False), Said(2, 0.43, 0.005), Said(3, 0.30, 0.01))
    best, second, third = hint.rows
    assert (best.number, second.number, third.number) == ("46 %", "43 %", "30 %")
    # 12 points below the best to 3 above it.
    assert (best.bar, second.bar, third.bar) == (80.0, 60.0, 2.0)
    assert best.whisker is None
    assert second.whisker == (53.3, 66.7)
    assert hint.marked
    assert not hint.level


def test_what_cannot_be_told_apart_is_said_so() -> None:
    def level(*mistakes: bool, exact: bool = False) -> str:
        moves = (Said(i, 0.5 - i / 1000, 0.01, mistake, exact=exact) for i, mistake in enumerate(mistakes))
        return shown(*moves).level

    assert level(False, False, False) == "These three are too close to call"
    assert level(False, False, True) == "The first two are too close to call"
    assert level(False, False, True, exact=True) == "The first two are as good as each other"
    assert level(False, False) == "These two are too close to call"
    assert level(False, True, True) == ""
    assert level(False) == ""


def test_turns_are_counted_and_exact() -> None:
    hint = shown(
        Said(1, 0.0, unit="turns", exact=True, mistake=False, worlds=0), Said(2, 2.0, unit="turns", exact=True)
    )
    assert [(row.bar, row.number) for row in hint.rows] == [(100.0, "0"), (60.0, "2")]
    assert (hint.counts, hint.sure) == ("Turns wasted", "exact")
    html = look.hint_html(hint)
    assert "exact" in html
    assert "style=" not in html, "the pages allow no styles in the HTML"


def test_words_that_are_equal_are_one_row() -> None:
    def message(*words: str) -> Any:
        found = [Said(number, 0.5 - number / 100) for number in range(len(words))]
        return hint_message.hint_message(table, found, 3, lambda action: words[action])

    choices = tuple(Choice(f"t{number}", action=number) for number in range(4))
    table = Table("detect", "Detect", (), 0, "play", (), (), Step("Which?", choices=choices))
    found = message("Swap a red", "Swap a red", "Swap the yellow", "Keep all three")
    assert [move["words"] for move in found["moves"]] == ["Swap a red", "Swap the yellow", "Keep all three"]
    assert found["moves"][0]["touches"] == ["t0"]


def test_hints_are_said_as_people_say_them() -> None:
    """No notation, no places in brackets: see what a hint of each game reads like."""

    class Sat:
        """As much of a session as a hint needs."""

        def __init__(self, match: Match) -> None:
            self.running = match
            self.sitters = [Sitter("Ada"), Sitter("Juniper", True)]
            self.record = type("Record", (), {"settings": type("Settings", (), {"memory": False})()})()

        def table(self, seat: int) -> Any:
            return self.running.table(seat, self.sitters, False)

        def version(self, seat: int) -> int:
            return 1

    for name in ("reveal", "detect", "uncovered", "reveille", "scout"):
        match = Match(name, 2, {}, bytes(32))
        for _ in range(12):
            if match.over:
                break
            seat = match.acting[0]
            legal = match.legal(seat)
            found = [Said(action, 0.5) for action in legal]
            for move in hint(Sat(match), seat, found)["moves"]:  # type: ignore[arg-type]
                assert not set(";()_:") & set(move["words"]), move["words"]
                assert move["words"][0].isupper()
            match.play(seat, legal[-1])


# --- where a move is touched ------------------------------------------------------------------------------------------


SITTERS = [Sitter(name) for name in ("Ada", "Ben", "Cleo", "Dora")]


@pytest.mark.parametrize("name", catalogue())
def test_every_move_has_its_touches(name: str) -> None:
    low, high = catalogue()[name].seats
    match = Match(game(name), max(low, min(high, 3)), {}, seed_from_text("words"))
    seen = 0
    for _ in range(40):
        if match.over:
            break
        seat = match.acting[0]
        table = match.game.tables.table(match.shown(seat), SITTERS)
        places = {piece.place for zone in table.zones for piece in zone.pieces} | {zone.id for zone in table.zones}
        for action in match.legal(seat)[:40]:
            path = path_to(table, action)
            if not path:
                # The one move that a table leaves out: to choose once more what is chosen.
                assert match.game.words.words(action).startswith("choose ")
                continue
            assert path[-1].action == action
            assert all(choice.button or choice.touch in places for choice in path)
            seen += 1
        match.play(seat, match.legal(seat)[match.ply % len(match.legal(seat))])
    assert seen > 10


def test_what_the_table_does_not_offer_has_none() -> None:
    match = Match("detect", 2, {}, seed_from_text("words"))
    table = match.game.tables.table(match.shown(0), SITTERS)
    assert path_to(table, -1) == ()
