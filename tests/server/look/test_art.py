"""Faces and backs: every face is drawn, and no back tells which way up it lies."""

from __future__ import annotations

import re
from itertools import product

import pytest
from fixtures import gallery

from facedown.core.art import Art
from facedown.core.game import catalogue
from facedown.games.reveal.art import CODES, SHAPE_AND_LETTER
from facedown.server.look import art

FACES = {
    "reveal": list(CODES),
    "detect": [str(n) for n in range(-2, 13)],
    "reveille": [f"{a}{b}" for a in range(7) for b in range(7)],
    "uncovered": list("1234"),
    "scout": [f"{a}/{b}" for a, b in product(range(1, 11), repeat=2) if a != b],
}


@pytest.mark.parametrize("game", FACES)
def test_every_face_has_its_own_picture(game: str) -> None:
    drawings = {face: str(art.drawing(game, "face", face)) for face in FACES[game]}
    symbols = set(re.findall(r'<symbol id="([^"]+)"', art.sprite(game)))
    for face, drawing in drawings.items():
        used = re.findall(r'href="#([^"]+)"', drawing)
        assert used, face
        assert set(used) <= symbols, face
    different = len(set(drawings.values()))
    assert different == (28 if game == "reveille" else len(drawings))


@pytest.mark.parametrize("game", FACES)
def test_symbols_of_a_sprite_are_unique_and_drawn(game: str) -> None:
    symbols = re.findall(r'<symbol id="([^"]+)" viewBox="[^"]+">(.*?)</symbol>', art.sprite(game))
    assert len({name for name, _ in symbols}) == len(symbols)
    assert all(len(drawing) > 80 for _, drawing in symbols)


def test_a_back_says_nothing() -> None:
    for game in FACES:
        assert art.drawing(game, "back") == art.drawing(game, "back", "7") == art.drawing(game, "back", "secret")


def test_an_unknown_face_is_written_out_and_escaped() -> None:
    assert "&lt;b&gt;" in art.drawing("whist", "face", "<b>")
    assert "<b>" not in art.drawing("whist", "face", "<b>")


def test_the_colour_letters_are_all_different() -> None:
    letters = [letter for _, letter in SHAPE_AND_LETTER.values()]
    assert sorted(letters) == sorted("PWBYOKRG")


@pytest.mark.parametrize("game", FACES)
def test_tables_use_only_known_faces(game: str) -> None:
    for name, table in gallery(game).items():
        for zone in table.zones:
            for piece in zone.pieces:
                assert piece.kind != "face" or piece.face in FACES[game], (name, piece)


def test_every_game_of_the_house_has_art() -> None:
    assert set(FACES) == set(catalogue())


def test_a_game_without_art_is_drawn_plainly() -> None:
    assert '<symbol id="whist-back"' in art.sprite("whist")
    assert 'fill="var(--lid)"' in art.sprite("whist")
    assert art.emblem("whist") == art.emblem("home")
    assert art.css_of(Art("whist")) == ""
