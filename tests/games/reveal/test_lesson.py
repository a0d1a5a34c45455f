"""Reveal's first lesson: its moves are legal, and its sentences describe the cards on the table."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from facedown.core.state import SPECTATOR, Ints
from facedown.core.translation import languages, use_language
from facedown.games.reveal.cards import COLOURS, NAMES, WILD, card_name, the_card
from facedown.games.reveal.rules import COLUMNS, FINALS, ROWS, Phase, base_slot, side_slot
from tests.games.lesson_reader import lesson_texts, lesson_touches, load_lesson

#: Stems of the German words for colours.
STEMS = dict(zip(COLOURS, ("pink", "weiß", "blau", "gelb", "orange", "schwarz", "rot", "grün"), strict=True))


@pytest.mark.parametrize("code", list(languages()))
def test_the_reveal_lesson_plays_a_whole_hand_in_nine_taps(code: str) -> None:
    found = load_lesson("reveal", code)
    assert len(found.steps) == 4
    assert sum(len(step.path) for step in found.steps) == 9
    assert len(found.learnt) == 3
    end = found.matches[-1]
    assert end.state.phase == Phase.SCORING
    assert [int(points) for points in end.state.score] == [8, 6]
    assert found.table(len(found.steps)).step.prompt == found.end
    assert found.table(len(found.steps)).slips


@pytest.mark.parametrize("code", list(languages()))
def test_prompts_of_the_reveal_lesson_name_the_card_to_touch(code: str) -> None:
    found = load_lesson("reveal", code)
    named = 0
    for at in range(len(found.steps)):
        faces = {p.place: p.face for z in found.table(at).zones for p in z.pieces if p.kind == "face"}
        for choice, step in lesson_touches(found.table(at).step):
            if choice.touch.startswith("hand-"):
                kind = NAMES.index(faces[choice.touch])
                with use_language(code):
                    assert the_card(kind) in step.prompt or card_name(kind) in step.prompt
                named += 1
    assert named == 3


@pytest.mark.parametrize(("code", "aim"), [("en", "one column with one colour"), ("de", "eine Spalte mit einer Farbe")])
def test_the_reveal_lesson_states_the_aim_of_the_game_in_its_first_sentence(code: str, aim: str) -> None:
    found = load_lesson("reveal", code)
    assert aim in found.table(0).step.prompt.partition(". ")[0]
    assert aim in found.aim


def test_the_reveal_lesson_deals_the_cards_that_its_texts_describe() -> None:
    first, second, third, last = (found.state.card for found in load_lesson("reveal", "en").matches[:4])

    def names(cards: Ints, slots: Iterable[int]) -> list[str]:
        return [NAMES[cards[slot]] for slot in slots]

    def base(column: int) -> list[str]:
        return names(third, (base_slot(row, column) for row in range(ROWS)))

    def laid(seat: int, column: int) -> list[str]:
        return names(third, (side_slot(seat, row, column) for row in range(ROWS)))

    assert names(first, (base_slot(0, column) for column in range(COLUMNS))) == ["red", "blue", "white"]
    assert names(first, (side_slot(0, 0, place) for place in range(COLUMNS))) == ["red", "black", "white"]
    # The black card is swapped for the top card of the draw pile, a wild, which goes to the middle.
    assert second[side_slot(0, 0, 1)] == third[side_slot(0, 0, 1)] == WILD
    assert base(0).count("red") == 2
    assert laid(0, 0) == ["red"] * ROWS
    assert base(1).count("blue") == 2
    assert "wild" in laid(0, 1)
    assert "blue" not in laid(0, 1)
    assert laid(1, 1) == ["blue"] * ROWS
    assert len(set(base(2))) == ROWS
    assert load_lesson("reveal", "en").matches[3].state.choice[1] == 1
    assert "red" in laid(1, 0)
    assert last[FINALS] == WILD


def test_the_translated_reveal_lesson_names_the_same_colours() -> None:
    for one, other in zip(
        lesson_texts(load_lesson("reveal", "en")), lesson_texts(load_lesson("reveal", "de")), strict=True
    ):
        for colour, stem in STEMS.items():
            assert (colour in one.lower()) <= (stem in other.lower()), (one, other)


def test_a_spectator_sees_the_result_of_the_reveal_lesson() -> None:
    found = load_lesson("reveal", "en")
    assert found.matches[-1].table(SPECTATOR, found.sitters).step.prompt.startswith("You win the hand, 8 to 6.")
