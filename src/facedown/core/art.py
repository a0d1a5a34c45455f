"""Visual design of a game as data: card faces, colours, emblem and CSS for a browser, cards for a terminal.

A game's ``art.py`` exports `ART`. Renderers get it from `facedown.core.game_registry.art`, so they contain no code for
particular games. A game without art gets a default: each card shows its code (a short text such as "7") in the site's
colours.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from facedown.core.svg_card_parts import BACK_FOLD, BACK_MARK, CARD_BOX, GLEAM, PAPER, card_back

#: A colour as ``#RRGGBB``, or a pair of them for the light and the dark theme.
Colour = str | tuple[str, str]
#: What a card face consists of: a number, a word, two numbers (one for each way up), or two halves (a domino).
Form = Literal["number", "word", "two", "halves"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """An SVG symbol that each page of the game defines once and then uses by name."""

    name: str
    """Name within the game. The page prefixes the game's name: symbol "7" of game "x" has the id ``x-7``."""
    box: str
    """Value of the SVG attribute ``viewBox``, such as "0 0 100 140"."""
    inside: str
    """SVG markup. Colours that are the same in both themes are written out; other colours are CSS variables."""


@dataclass(frozen=True, slots=True)
class Picture:
    """SVG drawing of a card face: markup and view box."""

    inside: str
    """SVG markup, usually a single ``<use>`` element that refers to a symbol."""
    box: str = CARD_BOX


@dataclass(frozen=True, slots=True)
class TerminalFace:
    """A card face in a terminal. `ink` and `paper` are names in `Art.colours`, or ``#RRGGBB``."""

    text: str
    """Text of the face. The two halves of a domino are separated by "·"."""
    ink: str
    paper: str
    lower: tuple[str, str, str] | None = None
    """Lower half of a card with two numbers, as (text, ink, paper)."""


@dataclass(frozen=True, slots=True)
class Switch:
    """A display setting that a player can turn on for all tables of the game. It is saved in a cookie of the same name.

    While it is on, the page has the attribute ``data-NAME="on"``, which the game's CSS can select.
    """

    name: str
    says: str
    sign: str
    """Letter shown before the label `says`."""


def load_art_data(art_module: str) -> dict[str, Any]:
    """Return the contents of the ``art.toml`` next to an art module: colours, faces and drawings.

    `art_module` is the module's ``__file__``.
    """
    return tomllib.loads(Path(art_module).with_name("art.toml").read_text(encoding="utf-8"))


#: Emblem of a game that defines none: the card with folded corners that is drawn on all card backs. Pages draw the
#: emblem on the lid of the game's box.
PLAIN_EMBLEM = (
    f'<g transform="scale(4)"><path d="{BACK_MARK}" fill="{PAPER}"/><path d="{BACK_FOLD}" fill="{GLEAM}"/></g>'
)


@dataclass(frozen=True, slots=True)
class Art:
    """Visual design of one game: its colours, the drawings of its cards and its CSS."""

    name: str
    """Name of the game. It is the prefix of all its colour and symbol names."""
    colours: Mapping[str, Colour] = field(default_factory=dict)
    """Colours by name. The site uses "accent" (buttons, turn markers), "lid" and "lid2" (the game box, top to bottom),
    "edge" and "centre" (the table cloth). Their CSS variables are ``var(--accent)``, ``var(--lid)``, ``var(--lid2)``,
    ``var(--cloth)`` and ``var(--cloth2)``. Colour NAME of game GAME is ``var(--GAME-NAME)``, for the art itself."""
    emblem: str = PLAIN_EMBLEM
    """Drawing on the lid of the game box: SVG, 96 by 96."""
    symbols: tuple[Symbol, ...] = ()
    """Symbols of all card faces. A page always defines all of them, so that its source does not disclose hidden cards.
    The name of a symbol is the code of its card face. The suffix "-s" marks the small variant, "-lying" the variant
    for a card on its side."""
    back: Symbol = Symbol("back", CARD_BOX, card_back("var(--lid)"))
    picture: Callable[[str, bool, bool], Picture | None] = lambda code, small, lying: None
    """Function (code, small, lying) → the picture of a face that has no symbol. `small` asks for the small variant,
    `lying` for a card on its side. None means that the code is printed as text."""
    css: str = ""
    """CSS rules for this game only; ``&`` stands for the page of the game. They precede all other CSS of the site."""
    defs: str = ""
    """SVG definitions that symbols refer to, such as gradients."""
    form: Form = "word"
    width: int = 6
    """Width of a card in a terminal, in columns; a card is one line high."""
    prints: Callable[[str], TerminalFace | None] = lambda code: None
    """Function (code) → the face in a terminal. None means that the name of the card is printed."""
    switches: tuple[Switch, ...] = ()

    def drawing(self, code: str, small: bool, lying: bool) -> Picture | None:
        """Return the SVG drawing of the card face with this `code`, a short text such as "7".

        A face that has a symbol in `symbols` is drawn with this symbol. `small` asks for the small variant of the
        symbol, `lying` for the variant on its side. If the variant is missing, the ordinary symbol is used.

        For a face without a symbol, return the result of the function `picture`. It is None if the face has no drawing;
        then the code is printed as text.
        """
        names = [f"{code}-lying"] * lying + [f"{code}-s"] * small + [code]
        boxes = {symbol.name: symbol.box for symbol in self.symbols}
        name = next((name for name in names if name in boxes), None)
        if name is None:
            return self.picture(code, small, lying)
        return Picture(f'<use href="#{self.name}-{name}"/>', boxes[name])

    def colour(self, name: str, theme: Literal["light", "dark"] = "light") -> str:
        """Return the colour called `name` as ``#RRGGBB``.

        If the game defines one colour for the light theme and one for the dark theme, `theme` selects one of them.
        Raises `KeyError` if the game defines no colour of this name.
        """
        value = self.colours[name]
        return value if isinstance(value, str) else value[theme == "dark"]
