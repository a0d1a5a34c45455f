"""Drawing of tables in the terminal: any table fits any window exactly and is complete."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from rich.text import Text

from facedown.check import random_matches
from facedown.core.game_registry import art, catalogue
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR
from facedown.core.table import Piece, Sitter, Table, Zone
from facedown.terminal import typed_moves
from facedown.terminal.card_drawing import Pen, Size, draw_card, face_of
from facedown.terminal.screen_layout import log_lines_that_fit, table_and_log_lines, table_screen_above_input
from facedown.terminal.screen_reader import piece_text, table_sentences
from facedown.terminal.text_blocks import block, flow, hstack, parse_bold, wrap_text, wrap_to_block

NAMES = ["Mara", "Ilse", "Juniper", "小林さくら", "Wilhelmina Long", "Noor", "Ash", "A-name-that-goes-on-and-on"]
SITTERS = [Sitter(name, name == "Juniper") for name in NAMES]
SIZES = [(80, 24), (120, 40), (60, 20), (60, 24), (100, 30), (72, 22), (200, 60)]
BARE = Pen(colours=False)


def sample_positions(
    name: str, seats: int, seed: int, every: int, moves: int = 160
) -> Iterator[tuple[Match, int, Table]]:
    """Yield positions of a random match with random options: (match, viewer, table of the viewer)."""
    choose = random.Random(f"{name} {seats} {seed}")
    while (match := random_matches.match_with_random_options(name, choose)).seats != seats:
        pass
    for ply in random_matches.iterate_random_play(match, choose, moves):
        if ply % every == 0 or match.over:
            viewer = SPECTATOR if choose.random() < 0.15 else (*match.acting, 0)[0]
            table = match.table(viewer, SITTERS, memory_aid=bool(choose.getrandbits(1)))
            yield match, viewer, table.with_log(match.log(viewer, SITTERS)[-25:])


def draw_screen(match: Match, viewer: int, table: Table, pen: Pen, width: int, height: int) -> list[Text]:
    """Return the lines of the screen that a viewer sees."""
    legal = match.legal(viewer) if viewer != SPECTATOR else []
    typed = typed_moves.Moves(match.game, table, legal, NAMES[: match.seats]).typing_hints()
    return table_screen_above_input(table, table.step, pen, typed, width, height)


def has_numbers_in_order(wanted: Sequence[str], lines: Sequence[str]) -> bool:
    """Return whether these numbers are at the starts of some lines, in order, in a few parts at most."""
    reached = {0}
    least = min(3, len(wanted))
    for line in lines:
        found = re.findall(r"−?\d+", line.replace("░", ""))
        for at in list(reached):
            rest = list(wanted[at:])
            sizes = [n for n in range(1, min(len(rest), len(found)) + 1) if n >= least or n == len(rest)]
            reached |= {at + n for n in sizes if found[:n] == rest[:n]}
    return len(wanted) in reached


def check_hand(table: Table, zone: Zone, lines: Sequence[str]) -> None:
    """Check that all cards of a hand are on the screen, in order."""
    faces = [face_of(table.game, piece) for piece in zone.pieces if piece.kind == "face"]
    form = art(table.game).form
    if form == "two":
        rows = [[face.text for face in faces], [face.lower[0] for face in faces if face.lower]]
    elif form == "halves":
        if re.search(r"[\[ ]+".join(re.escape(face.text) + r"[^\d]*" for face in faces), "\n".join(lines)):
            return
        rows = [list(half) for half in zip(*(face.text.split("·") for face in faces), strict=True)]
    elif form == "number":
        rows = [[face.text for face in faces]]
    else:
        text = "\n".join(lines)
        assert all(face.text in text for face in faces)
        return
    for row in rows:
        assert has_numbers_in_order(row, lines), "\n".join([str(row), *lines])


def check_card_rows(table: Table, zones: Sequence[Zone], text: str) -> None:
    """Check that cards in one row of the table are in one row of the screen."""
    # Possessive quantifiers: with backtracking, a row that is not found would take a minute.
    sign = {"back": r"[░?✓]++", "slot": r"[┄ ]*+", "gone": "·", "gap": ""}
    rows: list[tuple[Piece, ...]] = []
    for zone in zones:
        if zone.kind == "grid" and zone.columns:
            rows += [zone.pieces[at : at + zone.columns] for at in range(0, len(zone.pieces), zone.columns)]
    lanes = [zone for zone in zones if zone.kind == "cascade" and zone.group]
    for part in range(sum(zone.group == lanes[0].group for zone in lanes) if lanes else 0):
        groups = list(dict.fromkeys(zone.group for zone in lanes))
        parts = [[zone for zone in lanes if zone.group == group][part] for group in groups]
        rows += list(zip(*(zone.pieces for zone in parts), strict=True))
    for row in rows:
        cards = [re.escape(face_of(table.game, p).text) if p.kind == "face" else sign[p.kind] for p in row]
        assert re.search(r"[\[\]()│┊ ●○✓]*".join(cards), text), f"{cards}\n{text}"


def check_frame(table: Table, lines: list[Text], width: int, height: int) -> None:
    """Check that a screen has its exact size, and shows everything in the table's data."""
    plain = [line.plain for line in lines]
    text = "\n".join(plain)
    assert len(lines) == height - 1, text
    assert max(line.cell_len for line in lines) <= width, text
    assert "**" not in text
    assert plain[0].startswith(f" {table.title}  ")
    assert plain[1] == "─" * width
    words = re.split(r"\s+", text)
    assert [word for word in table.step.prompt.replace("**", "").split() if word not in words] == [], text
    assert "? help" in text
    for panel in table.seats:
        assert panel.name[:2] in text
    if table.slips:
        assert all(re.search(rf"{slip.points}\b", text) for slip in table.slips)
        return
    for row in table.scores:
        name = next(panel.name for panel in table.seats if panel.seat == row.seat)
        said = rf"{re.escape(name[:2])}[^\n]*?(?<![\d−]){row.total}\b" if width > 60 else rf"(?<![\d−]){row.total}\b"
        assert re.search(said, text), f"{said}\n{text}"
    for zone in table.zones:
        if zone.area == "hand" and zone.pieces:
            check_hand(table, zone, plain)
        if zone.kind in ("pile", "heap") and zone.label:
            assert re.search(r"\d+", zone.label.replace("**", ""))[0] in text  # type: ignore[index]
    check_card_rows(table, table.zones, text)


@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue())
def test_drawn_tables_of_every_game_are_complete_and_fit_every_window_size(name: str, seed: int) -> None:
    low, high = catalogue()[name].seats
    for seats in range(low, high + 1):
        for match, viewer, table in sample_positions(name, seats, seed, every=19 if seats < 4 else 23):
            for width, height in SIZES:
                check_frame(table, draw_screen(match, viewer, table, BARE, width, height), width, height)
            width, height = SIZES[match.ply % len(SIZES)]
            coloured = draw_screen(match, viewer, table, Pen(), width, height)
            assert len(coloured) == height - 1
            assert max(line.cell_len for line in coloured) <= width


def test_words_of_the_match_log_are_not_split_between_lines() -> None:
    for _, _, table in sample_positions("scout", 3, 1, every=5, moves=40):
        shown = log_lines_that_fit(table.log, 26, 12)
        words = {word for line in table.log for word in line.text.replace("**", "").split()}
        assert {word for line in shown for word in line.plain.split()} <= words | {line.number for line in table.log}


def test_a_hand_of_more_than_fifteen_small_cards_is_drawn_in_two_rows() -> None:
    pieces = tuple(Piece(f"hand-{i + 1}", "face", f"{i % 10 + 1}/{(i + 1) % 10 + 1}") for i in range(20))
    match = Match("scout", 3, seed=seed_from_text("long"))
    table = match.table(0, SITTERS)
    table = replace(table, zones=(Zone("hand", "fan", "hand", pieces, label="Your hand", seat=0),), panels=())
    lines = [line.plain for line in table_and_log_lines(table, BARE, 80, 18)]
    assert sum("┌──┐" in line for line in lines) == 2
    assert next(line for line in lines if "┌" in line).count("┌──┐") == 15


def scout_match_and_table() -> tuple[Match, Table]:
    match = Match("scout", 5, seed=seed_from_text("drawn"))
    for _ in range(5):
        match.play(match.acting[0], match.game.words.parse("keep"))
    for _ in range(3):
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[0])
    seat = match.acting[0]
    return match, match.table(seat, SITTERS).with_log(match.log(seat, SITTERS))


def test_cards_are_drawn_larger_in_a_larger_window() -> None:
    match, table = scout_match_and_table()
    tiny, small, large = (
        [line.plain for line in draw_screen(match, match.acting[0], table, BARE, *size)]
        for size in ((60, 20), (80, 24), (120, 40))
    )
    assert any(line.startswith(" ┌──┐ ┌──┐ ┌──┐") for line in small)
    assert any(line.startswith(" ┌─────┐ ┌─────┐") for line in large)
    assert large.index(next(line for line in large if "│ What happened" in line)) == 2
    # In a small window texts are cut before cards.
    assert "┌──┐" in "\n".join(tiny)


@pytest.mark.parametrize("name", catalogue())
def test_sentences_for_screen_readers_name_all_visible_cards_without_drawing_characters(name: str, seed: int) -> None:
    for seats in sorted(set(catalogue()[name].seats)):
        for _, _, table in sample_positions(name, seats, seed, every=13, moves=80):
            sentences = list(table_sentences(table))
            text = "\n".join(sentences)
            assert "**" not in text
            assert not re.search(r"[░▌▀─●]", text)
            assert all(sentence == sentence.strip() and sentence for sentence in sentences)
            for zone in table.zones:
                for piece in zone.pieces:
                    if piece.kind == "face" and (zone.kind == "grid" or zone.area == "hand"):
                        assert piece.name in text


# --- pieces ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "code", "width", "text"),
    [
        ("detect", "-2", 4, "−2"),
        ("detect", "12", 4, "12"),
        ("uncovered", "3", 4, "3"),
        ("reveal", "orange", 8, "orange"),
        ("reveille", "64", 5, "6·4"),
        ("scout", "5/10", 6, "5"),
    ],
)
def test_card_faces_are_drawn_with_the_text_and_width_that_their_game_defines(
    game: str, code: str, width: int, text: str
) -> None:
    assert face_of(game, Piece("here", "face", code, "named")).text == text
    assert art(game).width == width


BONE = Piece("hand-0", "face", "41", "4·1", tag="5")
TWO = Piece("hand-1", "face", "5/10", "5, 10 below")


@pytest.mark.parametrize(
    ("game", "piece", "how", "lines"),
    [
        ("scout", TWO, {"size": Size.BOX}, ["┌──┐", "│5 │", "│10│", "└──┘"]),
        ("scout", TWO, {}, ["[ 5/10 ]"]),
        # A bone is drawn upright or lying, with its counter in the lower edge.
        ("reveille", BONE, {"size": Size.BOX}, ["┌───┐", "│ 4 │", "├───┤", "│ 1 │", "└─5─┘"]),
        ("reveille", BONE, {"size": Size.BOX, "lying": True}, ["┌───┬───┐", "│ 4 │ 1 │", "└───5───┘"]),
    ],
)
def test_cards_are_drawn_as_boxes_or_in_brackets_on_one_line_as_their_size_requires(
    game: str, piece: Piece, how: dict[str, Any], lines: list[str]
) -> None:
    assert [line.plain for line in draw_card(BARE, game, piece, **how).lines] == lines


def test_colour_and_faded_or_selected_state_of_a_drawn_card_are_also_shown_as_characters() -> None:
    for colour in ("green", "wild"):
        assert colour in draw_card(Pen(), "reveal", Piece("base-L1", "face", colour, colour)).lines[0].plain
    faded = draw_card(Pen(), "reveal", Piece("base-L1", "face", "green", "green", marks=("faded",))).lines[0].plain
    assert "(green)" in faded
    picked = draw_card(Pen(), "reveille", Piece("hand-1", "face", "64", marks=("picked",)), Size.BOX)
    assert "✓" in picked.lines[-1].plain


def test_a_card_face_that_its_game_does_not_define_is_drawn_as_its_name() -> None:
    assert face_of("tarot", Piece("here", "face", "xvii", "the star")).text == "the star"


def test_all_face_down_cards_of_a_game_look_the_same() -> None:
    for size in Size:
        backs = [draw_card(Pen(), "scout", Piece(f"hand-{i}", "back", where=f"place {i}"), size) for i in range(3)]
        assert backs[0] == backs[1] == backs[2]


def test_text_blocks_are_put_side_by_side_or_below_each_other_if_too_wide() -> None:
    left, right = block(["ab", "c"]), block(["x"])
    assert [line.plain for line in hstack([left, right], 1).lines] == ["ab x", "c  "]
    assert [line.plain for line in flow([left, right], 3, 1).lines] == ["ab", "c", "x"]


def test_long_text_is_wrapped_at_spaces_and_too_long_words_are_cut() -> None:
    lines = wrap_to_block(parse_bold("one **two three** four"), 9).lines
    assert [line.plain for line in lines] == ["one two", "three", "four"]
    assert [line.plain for line in wrap_to_block(Text("far-too-long-a-word here"), 9).lines] == ["far-too-…", "here"]
    assert wrap_text("one two", 4) == "one\ntwo"


def test_points_of_a_card_included_in_its_name_are_not_repeated_for_screen_readers() -> None:
    assert piece_text(Piece("hand-0", "face", "55", "5·5, counts ten", tag="10", tag_said=True)) == "5·5, counts ten"
    assert piece_text(Piece("p0-0", "face", "3", "3", tag="10")) == "3, 10"
