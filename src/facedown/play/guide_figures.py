"""Figures (pictures of tables) in the guides of the games. Each shows a position of a real match as one seat sees it,
and a reader can play on from there.

A guide holds each figure as JSON in a fenced block of the language ``figure``:

``seats``, ``seed``, ``viewer``
    The number of seats, the seed of the match, and the seat whose view is drawn.
``moves``
    A list of moves in notation ("P0 swap 1"; a move without a seat is made by the next seat to act), or the number of
    random moves to play, chosen by the seed.
``caption``
    One or two sentences below the figure.
``deal``, ``first`` (both optional)
    The first cards of the deck in notation ("55 64 41", top card first), and the seat that deals or starts. They let a
    figure show the position that its guide describes, which the seed alone would not deal.
``options``, ``pins`` (both optional)
    The match options, and numbered pins: {"hand-2": 1} marks the card at the place "hand-2" with a 1, the number of the
    paragraph about that card.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from facedown.core.game_registry import game as load_game
from facedown.core.match import BY_CHANCE, IllegalMove, Match
from facedown.core.match_file import parse_cards, play_words
from facedown.core.seeds import seed_from_text
from facedown.core.table import LogLine, Piece, Sitter, Table
from facedown.play.i18n import _

#: Maximum number of moves that a reader can play on from a figure. No round has that many moves.
MOST_MOVES = 300
#: Names of the players in a figure, seat by seat. The seat whose view is drawn is named "You" instead.
NAMES = ("Ilse", "Ravi", "Noor", "Mara", "Theo", "Yara", "Sol", "Wren")

_FENCE = re.compile(r"^```figure\s*$\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)


class FigureError(ValueError):
    """Error in the description of a figure. The message gives the reason."""


@dataclass(frozen=True)
class Figure:
    """Description of a figure: a picture of a match's position as one seat sees it, in the guide of a game.

    The fields are the name of the game and the keys of the figure's JSON text in the guide. The docstring of this
    module explains these keys. `match_of` returns the match, played up to the position.
    """

    game: str
    seats: int
    seed: str
    viewer: int
    caption: str
    moves: Sequence[str] | int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    pins: Mapping[str, int] = field(default_factory=dict)
    deal: str = ""
    first: int = BY_CHANCE


def read_figure(game: str, text: str) -> Figure:
    """Parse the JSON description of a figure in the guide of a game. Raise `FigureError` if it is malformed.

    >>> from facedown.core.game_registry import catalogue
    >>> game = next(iter(catalogue()))
    >>> read_figure(game, '{"seats": 2, "seed": "x", "viewer": 0, "moves": 3, "caption": "Early."}').moves
    3
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise FigureError(f"the figure is not valid JSON: {wrong}") from None
    if not isinstance(data, dict):
        raise FigureError("a figure must be a JSON object")
    strange = sorted(data.keys() - {each.name for each in fields(Figure)[1:]})
    missing = sorted({"seats", "seed", "viewer", "caption"} - data.keys())
    if strange or missing:
        raise FigureError(f"unknown key {strange[0]}" if strange else f"{missing[0]} is missing")
    return Figure(game, **data | {"seed": str(data["seed"])})


def figures_in(game: str, guide: str) -> list[Figure]:
    """Return the figures in the guide (Markdown text) of a game, in order of appearance."""
    return [read_figure(game, text) for text in _FENCE.findall(guide)]


def match_of(figure: Figure) -> Match:
    """Return the match of a figure, played up to the figure's position. Raise `FigureError` if a move or the deal is
    impossible.
    """
    try:
        game = load_game(figure.game)
        deal, seed = parse_cards(game, figure.deal), seed_from_text(figure.seed)
        match = Match(game, figure.seats, dict(figure.options), seed, deal, figure.first)
    except (ValueError, TypeError) as wrong:
        raise FigureError(str(wrong)) from None
    if isinstance(figure.moves, int):
        lot = random.Random(figure.seed)
        for _move in range(figure.moves):
            if match.over:
                raise FigureError(f"the match is over after {match.ply} moves")
            seat = match.acting[0]
            match.play(seat, lot.choice(match.legal(seat)))
        return match
    for number, move in enumerate(figure.moves, 1):
        try:
            play_words(match, move)
        except ValueError as wrong:
            raise FigureError(f"move {number}, {move}: {wrong}") from None
    return match


def table_of(figure: Figure) -> Table:
    """Return the table of a figure, as the seat `figure.viewer` sees it, with the figure's numbered pins on its cards.

    Raise `FigureError` if the position cannot be reached or there is no card at the place of a pin.
    """
    if not 0 <= figure.viewer < figure.seats:
        raise FigureError(f"there is no seat {figure.viewer} at a table with {figure.seats} seats")
    match = match_of(figure)
    sitters = [Sitter("You" if seat == figure.viewer else NAMES[seat]) for seat in range(figure.seats)]
    return pin_pieces(match.table(figure.viewer, sitters), figure.pins)


def is_match_running_at_figure(figure: Figure) -> bool:
    """Return whether the match is still running at the figure's position, so that a reader can make a move."""
    return not match_of(figure).over


def play_moves_from_figure(figure: Figure, moves: Sequence[int]) -> tuple[Table, tuple[LogLine, ...]]:
    """Play the actions `moves` from the position of a figure. Each is played by the figure's viewer if that seat is to
    act, else by the first seat to act.

    Returns:
        The table after the actions, and the log lines of the last action. Both are as seen by the next seat to act
        or, if the match is over, by the seat that acted last.

    Raises:
        FigureError: If an action is illegal, or if there are more than `MOST_MOVES` actions.
    """
    if len(moves) > MOST_MOVES:
        raise FigureError(_("You can play at most {count} moves from this position.", count=MOST_MOVES))
    match, step = match_of(figure), None
    viewer = _preferred_seat_to_act(match, figure.viewer)
    for action in moves:
        try:
            step = match.play(viewer, action)
        except IllegalMove as wrong:
            raise FigureError(str(wrong)) from None
        viewer = _preferred_seat_to_act(match, figure.viewer, viewer)
    sitters = [Sitter(NAMES[seat]) for seat in range(figure.seats)]
    lines = () if step is None else tuple(step.lines(viewer, sitters))
    return match.table(viewer, sitters), lines


def _preferred_seat_to_act(match: Match, viewer: int, fallback: int | None = None) -> int:
    """Return the seat `viewer` if it is to act, else the first seat that is to act.

    If the match is over, return `fallback` (the seat that acted last), or `viewer` if `fallback` is None.
    """
    if viewer in match.acting:
        return viewer
    return next(iter(match.acting), viewer if fallback is None else fallback)


def pin_pieces(table: Table, pins: Mapping[str, int]) -> Table:
    """Return the table with numbered pins on some of its cards.

    `pins` maps the place of each of these cards to the number of its pin. The number is stored as a mark of the card
    (`Piece.marks`), such as "pin-1". Pictures show this mark as a small disc with the number 1.

    Raise `FigureError` if there is no card at one of the places.
    """
    missing = set(pins) - {piece.place for zone in table.zones for piece in zone.pieces}
    if missing:
        raise FigureError(f"there is nothing to pin at {min(missing)}")

    def with_pin(piece: Piece) -> Piece:
        number = pins.get(piece.place)
        return piece if number is None else piece._replace(marks=(*piece.marks, f"pin-{number}"))

    zones = tuple(replace(zone, pieces=tuple(with_pin(p) for p in zone.pieces)) for zone in table.zones)
    return replace(table, zones=zones)
