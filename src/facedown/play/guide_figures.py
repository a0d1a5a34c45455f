"""The figures of a guide: positions of real matches that anybody can play again and play on, as one seat sees them.

A guide holds them as JSON in fenced blocks of the language ``figure``:

``seats``, ``seed``, ``viewer``
    The match, and whose eyes the figure has.
``moves``
    A list of moves in words ("P0 swap 1"; without a seat it is the next one to act), or how many moves are
    drawn by lot from the seed.
``caption``
    A sentence or two below the figure.
``deal``, ``first`` (both optional)
    The first cards of the deck in words ("55 64 41", from the top), and the seat that deals or starts: so a figure
    shows what its guide speaks of, whatever the seed would deal.
``options``, ``pins`` (both optional)
    How the table plays; and places with the number of the paragraph that speaks of them ({"hand-2": 1}).
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

#: So many moves may be played on from a figure: longer than any round.
MOST_MOVES = 300
#: Who sits at the table of a figure, seat by seat; the viewer is *You*.
NAMES = ("Ilse", "Ravi", "Noor", "Mara", "Theo", "Yara", "Sol", "Wren")

_FENCE = re.compile(r"^```figure\s*$\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)


class FigureError(ValueError):
    """A figure that cannot be: the text says why."""


@dataclass(frozen=True)
class Figure:
    """A figure as a guide describes it."""

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
    """A figure of a game from its JSON; `FigureError` says what is wrong with it.

    >>> from facedown.core.game_registry import catalogue
    >>> game = next(iter(catalogue()))
    >>> read_figure(game, '{"seats": 2, "seed": "x", "viewer": 0, "moves": 3, "caption": "Early."}').moves
    3
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise FigureError(f"a figure is JSON: {wrong}") from None
    if not isinstance(data, dict):
        raise FigureError("a figure is a JSON object")
    strange = sorted(data.keys() - {each.name for each in fields(Figure)[1:]})
    missing = sorted({"seats", "seed", "viewer", "caption"} - data.keys())
    if strange or missing:
        raise FigureError(f"a figure has no {strange[0]}" if strange else f"a figure needs {missing[0]}")
    return Figure(game, **data | {"seed": str(data["seed"])})


def figures_in(game: str, guide: str) -> list[Figure]:
    """The figures of a game's guide, in their order."""
    return [read_figure(game, text) for text in _FENCE.findall(guide)]


def match_of(figure: Figure) -> Match:
    """The match of a figure, played to its position; `FigureError` if it cannot be played so."""
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
    """What the viewer of a figure sees, with its pins as marks ("pin-1"); `FigureError` if it cannot be."""
    if not 0 <= figure.viewer < figure.seats:
        raise FigureError(f"there is no seat {figure.viewer} at a table of {figure.seats}")
    match = match_of(figure)
    sitters = [Sitter("You" if seat == figure.viewer else NAMES[seat]) for seat in range(figure.seats)]
    return pinned(match.table(figure.viewer, sitters), figure.pins)


def can_play_on(figure: Figure) -> bool:
    """Is anybody to act in this position?"""
    return not match_of(figure).over


def play_on(figure: Figure, moves: Sequence[int]) -> tuple[Table, tuple[LogLine, ...]]:
    """A figure after some actions, each of the first seat that was to act then; `FigureError` if one cannot be played.

    Returns:
        The table, and the log lines of the last move, as the seat sees them that is to act next. When none is, they are
        those of the seat that acted last.
    """
    if len(moves) > MOST_MOVES:
        raise FigureError(_("You can play on from a figure for at most {count} moves.", count=MOST_MOVES))
    match, step = match_of(figure), None
    viewer = _next_to_act(match, figure.viewer)
    for action in moves:
        try:
            step = match.play(viewer, action)
        except IllegalMove as wrong:
            raise FigureError(str(wrong)) from None
        viewer = _next_to_act(match, figure.viewer, viewer)
    sitters = [Sitter(NAMES[seat]) for seat in range(figure.seats)]
    lines = () if step is None else tuple(step.lines(viewer, sitters))
    return match.table(viewer, sitters), lines


def _next_to_act(match: Match, viewer: int, last: int | None = None) -> int:
    """Of several that choose at once the viewer, else the first; if none is to act, the `last` one that was."""
    if viewer in match.acting:
        return viewer
    return next(iter(match.acting), viewer if last is None else last)


def pinned(table: Table, pins: Mapping[str, int]) -> Table:
    """The same table with pins on its pieces; `FigureError` if nothing lies at a pin's place."""
    missing = set(pins) - {piece.place for zone in table.zones for piece in zone.pieces}
    if missing:
        raise FigureError(f"nothing lies at {min(missing)} to be pinned")

    def with_pin(piece: Piece) -> Piece:
        number = pins.get(piece.place)
        return piece if number is None else piece._replace(marks=(*piece.marks, f"pin-{number}"))

    zones = tuple(replace(zone, pieces=tuple(with_pin(p) for p in zone.pieces)) for zone in table.zones)
    return replace(table, zones=zones)
