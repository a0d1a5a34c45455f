"""What a game looks like, as data: its faces, colours, emblem and styles in a browser, its cards in a terminal.

A game's ``art.py`` exports `ART`; whoever draws asks `facedown.core.game_registry.art` for it and knows no game. A game
without one is drawn plainly: every face is written out on paper, the accent is that of the house.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from facedown.core.svg import BACK_FOLD, BACK_MARK, CARD_BOX, GLEAM, PAPER, card_back

#: A colour as ``#RRGGBB``, or two of them: in a light theme and in a dark one.
Colour = str | tuple[str, str]
#: What a card is made of: one number, a word, two numbers (one for each way up), two halves that stand or lie.
Form = Literal["number", "word", "two", "halves"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawing that every page of the game carries once, and uses by its name."""

    name: str
    """Without the game's name, which is put before it: "7" of a game "x" is ``#x-7``."""
    box: str
    """The view box."""
    inside: str
    """SVG. A colour that is the same in both themes stands in it as it is."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A face as it lies somewhere."""

    inside: str
    """SVG, usually one `use` of a symbol."""
    box: str = CARD_BOX


@dataclass(frozen=True, slots=True)
class TerminalFace:
    """A face in a terminal: its words, and the names of its colours in `Art.colours` (or colours as ``#RRGGBB``)."""

    text: str
    """Two halves have a "·" between them."""
    ink: str
    paper: str
    lower: tuple[str, str, str] | None = None
    """The lower half of a card of two numbers: text, ink, paper."""


@dataclass(frozen=True, slots=True)
class Switch:
    """Something that a person may turn on for all tables of the game; it is kept in a cookie of that name.

    While it is on the page has ``data-NAME="on"``, for the game's own styles.
    """

    name: str
    says: str
    sign: str
    """The letter before these words."""


def load_art_data(art_module: str) -> dict[str, Any]:
    """The data of ``art.toml`` in the folder of an art module, named by its ``__file__``: colours, faces, drawings."""
    return tomllib.loads(Path(art_module).with_name("art.toml").read_text(encoding="utf-8"))


#: The mark of all backs, for a lid without an emblem.
PLAIN_EMBLEM = (
    f'<g transform="scale(4)"><path d="{BACK_MARK}" fill="{PAPER}"/><path d="{BACK_FOLD}" fill="{GLEAM}"/></g>'
)


@dataclass(frozen=True, slots=True)
class Art:
    """The look of one game."""

    name: str
    """The name of the game; it stands before the names of colours and symbols wherever they are used."""
    colours: Mapping[str, Colour] = field(default_factory=dict)
    """By name. Those that the house uses: "accent" (buttons, lamps), "lid" and "lid2" (the box, from top to bottom),
    "edge" and "centre" (of the cloth); in a browser they are ``var(--accent)``, ``var(--lid)``, ``var(--lid2)``,
    ``var(--cloth)`` and ``var(--cloth2)``. Any other is ``var(--GAME-NAME)`` where
    the art asks for it."""
    emblem: str = PLAIN_EMBLEM
    """What stands on the lid: SVG, 96 by 96."""
    symbols: tuple[Symbol, ...] = ()
    """All faces there are, whether they lie on the table or not, so that they say nothing about hidden cards. A face's
    symbol has its code for a name; that of a small place ends in "-s", that of its side in "-lying"."""
    back: Symbol = Symbol("back", CARD_BOX, card_back("var(--lid)"))
    picture: Callable[[str, bool, bool], Picture | None] = lambda code, small, lying: None
    """The picture of a face that no symbol shows, by its code, for a small place or a large one, standing or lying on
    its side; None for a code that is not drawn: it is written out."""
    css: str = ""
    """Rules for this game alone; ``&`` stands for the page of the game. They come before all others of the house."""
    defs: str = ""
    """What symbols refer to: gradients and the like, as SVG."""
    form: Form = "word"
    width: int = 6
    """The columns of a card in a terminal, in one line."""
    prints: Callable[[str], TerminalFace | None] = lambda code: None
    """A face in a terminal by its code; None for a code that is not known: its name is printed."""
    switches: tuple[Switch, ...] = ()

    def drawing(self, code: str, small: bool, lying: bool) -> Picture | None:
        """A face as it lies somewhere: its symbol, or else its `picture`; None for a code that is not drawn."""
        names = [f"{code}-lying"] * lying + [f"{code}-s"] * small + [code]
        boxes = {symbol.name: symbol.box for symbol in self.symbols}
        name = next((name for name in names if name in boxes), None)
        if name is None:
            return self.picture(code, small, lying)
        return Picture(f'<use href="#{self.name}-{name}"/>', boxes[name])

    def colour(self, name: str, theme: Literal["light", "dark"] = "light") -> str:
        """The value of a colour in a theme; `KeyError` for one that the game has not."""
        value = self.colours[name]
        return value if isinstance(value, str) else value[theme == "dark"]
