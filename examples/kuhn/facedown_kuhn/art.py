"""Artwork of Kuhn poker as SVG."""

from facedown.core.art import Art, Colour, Picture, TerminalFace
from facedown.core.svg_card_parts import card_paper

#: Colour of each card's letter, and the letter as an SVG path.
LETTERS = {
    "J": ("#2F5D50", "M64 40V84A16 16 0 0 1 33 84"),
    "Q": ("#7A3E6B", "M50 40A21 30 0 1 0 50.1 40ZM56 82 72 106"),
    "K": ("#9A2F2A", "M34 40V100M68 40 34 76M46 66 70 100"),
}
COLOURS: dict[str, Colour] = {"accent": ("#6B2D5C", "#DDA6CF"), "lid": "#6B2D5C", "lid2": "#4F2044"}


def face(card: str, small: bool = False, lying: bool = False) -> Picture:
    """Return the picture of a card: its letter on paper."""
    ink, letter = LETTERS[card]
    return Picture(
        f'{card_paper()}<path d="{letter}" fill="none" stroke="{ink}" stroke-width="9" stroke-linecap="round"/>'
    )


ART = Art("kuhn", COLOURS, picture=face, prints=lambda card: TerminalFace(card, LETTERS[card][0], "card"))
