"""Why a move or a touch of Uncovered! is not taken: always said, always true, always from the view alone."""

from __future__ import annotations

import pytest

from facedown.check.laws import all_steps
from facedown.core.language import speaking
from facedown.core.table import Table
from tests.contract.test_refusals import positions
from tests.games.uncovered.hands import SITTERS, dealt, say


def places(table: Table) -> set[str]:
    return {piece.place for zone in table.zones for piece in zone.pieces}


def test_every_place_that_is_not_offered_says_why(seed: int) -> None:
    for m in positions("uncovered", seed):
        for viewer in range(m.seats):
            table = m.table(viewer, SITTERS[: m.seats])
            for step in all_steps(table.step):
                refused = dict(step.refusals)
                offered = {choice.touch for choice in step.choices}
                assert not offered & set(refused)
                assert all(said.endswith(".") for said in refused.values())
                first = step is table.step
                if first or "uncover-now" in offered:
                    assert places(table) <= offered | set(refused)
                else:
                    assert len(places(table) - offered - set(refused)) == 1, "the card that was touched before"


@pytest.mark.parametrize(
    ("options", "moves", "typed", "reason", "german"),
    [
        (
            {},
            [],
            "swap 1 0 2",
            "Cards of one hand cannot change places with each other.",
            "Karten einer Hand können nicht miteinander tauschen.",
        ),
        (
            {},
            [],
            "swap 3 0 3",
            "A card cannot change places with itself: choose a card of another hand.",
            "Eine Karte kann nicht mit sich selbst tauschen: Wähl eine Karte einer anderen Hand.",
        ),
        (
            {},
            [],
            "swap 1 4 2",
            "There is no seat 4 at this table: they go from 0 to 2.",
            "Einen Platz 4 gibt es an diesem Tisch nicht: Sie gehen von 0 bis 2.",
        ),
        (
            {"mode": "beginner"},
            [],
            "turn",
            "All cards are open here: none is ever turned.",
            "Hier liegen alle Karten offen: Gedreht wird nie.",
        ),
        (
            {"mode": "advanced"},
            [],
            "leave",
            "You see your own cards here: none is ever turned.",
            "Hier siehst du deine eigenen Karten: Gedreht wird nie.",
        ),
        (
            {"mode": "intermediate", "turning": "off"},
            [],
            "turn",
            "Cards are never turned at this table.",
            "An diesem Tisch werden Karten nie gedreht.",
        ),
        (
            {"mode": "intermediate"},
            ["swap 1 1 2"],
            "turn",
            "There is nothing to decide: a card on the place of its number is turned at once.",
            "Zu entscheiden ist nichts: Eine Karte auf der Stelle ihrer Zahl wird sofort gedreht.",
        ),
        (
            {"mode": "intermediate", "turning": "choice"},
            [],
            "turn",
            "A card may be turned only when a swap has just brought it to the place of its number.",
            "Drehen darfst du eine Karte nur, wenn ein Tausch sie gerade auf die Stelle ihrer Zahl gebracht hat.",
        ),
        (
            {"mode": "intermediate", "turning": "choice"},
            ["swap 1 1 2"],
            "swap 1 1 1",
            "First decide about your 1: turn it or leave it.",
            "Entscheide erst über deine 1: drehen oder lassen.",
        ),
        (
            {"mode": "intermediate", "turning": "choice"},
            ["swap 1 1 2", "turn"],
            "uncover",
            "First decide about your 2: turn it or leave it.",
            "Entscheide erst über deine 2: drehen oder lassen.",
        ),
    ],
)
def test_the_reasons_of_some_moves(
    options: dict[str, str], moves: list[str], typed: str, reason: str, german: str
) -> None:
    m = dealt("2134 2134 3412", 0, **{"mode": "advanced", **options})
    say(m, *moves)
    view = m.known(m.acting[0])
    action = m.game.words.parse(typed)
    assert m.game.why_not(view, action) == reason
    with speaking("de"):
        assert m.game.why_not(view, action) == german


def test_the_reasons_of_some_touches() -> None:
    m = dealt("2134 2134 3412", mode="intermediate", turning="choice")
    step = m.table(0, SITTERS).step
    assert dict(step.refusals)["p1-2"] == "First touch your card that goes there."
    inner = next(choice.then for choice in step.choices if choice.touch == "p0-1")
    assert inner is not None
    assert dict(inner.refusals) == {
        f"p0-{place}": "Cards of one hand cannot change places with each other." for place in (2, 3, 4)
    }
    sure = next(choice.then for choice in step.choices if choice.touch == "uncover")
    assert sure is not None
    asked = "To swap a card, first go back from uncovering."
    assert set(sure.refusals) == {(f"p{seat}-{place}", asked) for seat in range(3) for place in (1, 2, 3, 4)}
    assert dict(m.table(2, SITTERS).step.refusals)["p2-1"] == "Ravi is choosing."
    say(m, "swap 1 1 2")
    assert dict(m.table(0, SITTERS).step.refusals)["p0-1"] == "First decide about your 1: turn it or leave it."
    assert dict(m.table(1, SITTERS).step.refusals)["p1-4"] == "Ravi may turn a card."
    say(m, "turn", "leave", "uncover")
    assert not m.table(0, SITTERS).step.refusals
