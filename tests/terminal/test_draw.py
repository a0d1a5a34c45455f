"""Any table in eighty columns, with colours and without."""

from __future__ import annotations

import random
import re

import pytest
from rich.text import Text

from facedown.core.game import catalogue
from facedown.core.match import Match, seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.table import Piece, Sitter, Table
from facedown.terminal.blocks import COLUMNS, beside, block, flow, marked, wrap
from facedown.terminal.draw import Drawing, Pen, cell, prompt_block
from facedown.terminal.faces import face_of, width_of
from facedown.terminal.spoken import named, table_sentences

NAMES = ["Mara", "Ilse", "Juniper", "Ravi", "Sol", "Noor", "Ash", "Fern"]
SITTERS = [Sitter(name, name == "Juniper") for name in NAMES]
ROWS = 40


def tables(name: str, seed: int, every: int, moves: int) -> list[tuple[int, Table]]:
    """Tables of a random match, as a player and a spectator see them: (legal actions of the player, table)."""
    choose = random.Random(seed)
    info = catalogue()[name]
    found = []
    for seats in sorted(set(info.seats)):
        match = Match(name, seats, seed=seed_from_text(f"{name} {seed}"))
        for ply in range(moves):
            if ply % every == 0 or match.over:
                viewer = choose.choice([*range(seats), SPECTATOR])
                table = match.table(viewer, SITTERS).with_log(match.log(viewer, SITTERS)[-20:])
                found.append((seats, table))
            if match.over:
                break
            seat = match.acting[0]
            match.play(seat, choose.choice(match.legal(seat)))
    return found


def words_of(table: Table) -> set[str]:
    """What is written at places, for any game: all their last parts."""
    return {piece.place.rsplit("-", 1)[-1] for zone in table.zones for piece in zone.pieces}


@pytest.mark.parametrize("name", catalogue())
@pytest.mark.parametrize("colours", [True, False])
def test_every_table_fits_eighty_columns(name: str, colours: bool, seed: int) -> None:
    pen = Pen(colours)
    for _, table in tables(name, seed, 11, 90):
        lines = [*Drawing(table, pen, words_of(table)).whole().lines, *prompt_block(table, table.step, pen, []).lines]
        for line in lines:
            assert line.cell_len <= COLUMNS, f"{line.cell_len}: {line.plain!r}"
        text = "\n".join(line.plain for line in lines)
        assert "**" not in text
        assert table.title in text
        for panel in table.seats:
            assert panel.name in text or panel.you


@pytest.mark.parametrize("name", catalogue())
def test_every_table_can_be_read_out(name: str, seed: int) -> None:
    for _, table in tables(name, seed, 13, 80):
        sentences = list(table_sentences(table))
        text = "\n".join(sentences)
        assert "**" not in text
        assert not re.search(r"[░▌▀─●]", text)
        assert all(sentence == sentence.strip() and sentence for sentence in sentences)
        for zone in table.zones:
            for piece in zone.pieces:
                if piece.kind == "face" and (zone.kind == "grid" or zone.area == "hand"):
                    assert piece.name in text


def test_eight_players_fit_a_screen() -> None:
    match = Match("detect", 8, seed=seed_from_text("eight"))
    choose = random.Random(1)
    for _ in range(40):
        seat = match.acting[0]
        match.play(seat, choose.choice(match.legal(seat)))
    table = match.table(0, SITTERS).with_log(match.log(0, SITTERS))
    drawn = Drawing(table, Pen()).whole()
    assert drawn.height + prompt_block(table, table.step, Pen(), ["draw"]).height <= ROWS + 2


def test_a_table_of_detect_without_colours() -> None:
    match = Match("detect", 2, seed=seed_from_text("drawn"), deal=[22, 9, 12, *[15] * 9, *[16] * 8], first=1)
    for text in ("open a1 a2", "open a1 b1"):
        match.play(match.acting[0], match.game.words.parse(text))
    table = match.table(0, SITTERS)
    lines = [line.plain.rstrip() for line in Drawing(table, Pen(False), {"a1"}).whole().lines]
    assert lines[2:7] == [
        "  Ilse                   0",
        "  [  6 ][  6 ][ ?? ][ ?? ]",
        "  [ ?? ][ ?? ][ ?? ][ ?? ]",
        "  [ ?? ][ ?? ][ ?? ][ ?? ]",
        "  shows 12",
    ]
    at = lines.index("  You  0, shows 11")
    assert lines[at + 1 : at + 5] == [
        "       a     b     c     d",
        "   1 [ 12 ][ ?? ][ ?? ][ ?? ]",
        "   2 [ −1 ][ ?? ][ ?? ][ ?? ]",
        "   3 [ ?? ][ ?? ][ ?? ][ ?? ]",
    ]


@pytest.mark.parametrize(
    ("game", "code", "width", "text"),
    [
        ("detect", "-2", 4, "−2"),
        ("detect", "12", 4, "12"),
        ("uncovered", "3", 4, "3"),
        ("reveal", "orange", 8, "orange"),
        ("reveille", "64", 5, "6·4"),
        ("scout", "5/10", 5, "5"),
    ],
)
def test_faces(game: str, code: str, width: int, text: str) -> None:
    piece = Piece("here", "face", code, "named")
    assert face_of(game, piece).text == text
    drawn = cell(Pen(), game, piece)
    assert {line.cell_len for line in drawn.lines} == {width} == {width_of(game)}
    assert drawn.height == (3 if game == "scout" else 1)
    assert cell(Pen(False), game, piece).height == 1


def test_both_numbers_of_a_card_are_shown() -> None:
    drawn = cell(Pen(), "scout", Piece("hand-1", "face", "5/10", "5, 10 below"))
    assert [line.plain for line in drawn.lines] == [" 5   ", "▀▀▀▀▀", "  10 "]
    assert cell(Pen(False), "scout", Piece("hand-1", "face", "5/10")).lines[0].plain == "[ 5/10]"


def test_an_unknown_face_is_shown_by_its_name() -> None:
    assert face_of("tarot", Piece("here", "face", "xvii", "the star")).text == "the star"


def test_all_backs_of_a_game_look_the_same() -> None:
    backs = [cell(Pen(), "scout", Piece(f"hand-{i}", "back", where=f"place {i}")) for i in range(3)]
    assert backs[0] == backs[1] == backs[2]


def test_blocks_stand_beside_each_other() -> None:
    left, right = block(["ab", "c"]), block(["x"])
    assert [line.plain for line in beside([left, right], 1).lines] == ["ab x", "c  "]
    assert [line.plain for line in beside([left, right], 1, bottom=True).lines] == ["ab ", "c  x"]
    assert [line.plain for line in flow([left, right], 3, 1, 0).lines] == ["ab", "c", "x"]


def test_long_text_is_broken_at_spaces() -> None:
    lines = wrap(marked("one **two three** four"), 9).lines
    assert [line.plain for line in lines] == ["one two", "three", "four"]
    assert all(isinstance(line, Text) for line in lines)


def test_in_sentences_rows_without_a_label_name_their_column() -> None:
    said = list(table_sentences(Match("reveal", 2, seed=seed_from_text("columns")).table(0, SITTERS[:2])))
    for column in ("left", "middle", "right"):
        assert sum(line.startswith(f"Base, {column}: ") for line in said) == 1
        assert sum(line.startswith(f"Your, {column}: ") for line in said) == 1


def numbers_under_the_hand(name: str, seats: int, *moves: str) -> list[str]:
    """The line below the cards of the hand of whoever is to act, if it is one of numbers."""
    match = Match(name, seats, seed=seed_from_text("numbers"))
    for text in moves:
        match.play(match.acting[0], match.game.words.parse(text) if text else match.legal(match.acting[0])[0])
    seat = match.acting[0]
    typed = {word for action in match.legal(seat) for word in re.split(r"[\s,-]+", match.game.words.words(action))}
    lines = [line.plain for line in Drawing(match.table(seat, SITTERS), Pen(), typed).whole().lines]
    hand = next(i for i, line in enumerate(lines) if line.strip() in ("Your hand", "Your bones"))
    # The cards themselves are a line of numbers, too, but the first one in SCOUT, and no numbers in Reveille.
    below = [line.split() for line in lines[hand + 2 :]]
    return next((words for words in reversed(below) if len(words) >= 7 and all(word.isdigit() for word in words)), [])


def test_places_of_a_hand_are_numbered_where_moves_name_them() -> None:
    assert numbers_under_the_hand("scout", 3, "keep", "keep", "keep", "show 1") == [str(i) for i in range(1, 13)]


def test_trumps_are_no_places_of_the_hand() -> None:
    moves = [""] * 14 + ["bid 20", "pass"]
    assert numbers_under_the_hand("reveille", 2, *moves) == []


def test_a_low_screen_gives_up_air_first_and_then_log() -> None:
    match = Match("detect", 2, seed=seed_from_text("low"))
    for _ in range(20):
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[0])
    table = match.table(0, SITTERS).with_log(match.log(0, SITTERS))
    heights = [Drawing(table, Pen()).fitting(rows).height for rows in (50, 24, 18, 5)]
    assert heights[0] == Drawing(table, Pen()).whole().height > 24 >= heights[1]
    assert heights[1] > heights[2] == heights[3]
    last = table.log[-1].text.replace("**", "").split()[-1]
    assert last in Drawing(table, Pen()).fitting(5).lines[-1].plain


def test_in_sentences_a_counter_is_named_once() -> None:
    assert named(Piece("hand-0", "face", "55", "5·5, counts ten", tag="10")) == "5·5, counts ten"
    assert named(Piece("p0-0", "face", "3", "3", tag="10")) == "3, 10"
