"""Hands of Reveal set up card by card."""

from __future__ import annotations

from collections.abc import Callable

from facedown.core.match import Match
from facedown.core.table import Sitter
from facedown.games.reveal.action_text import card_kind, parse
from facedown.games.reveal.cards import KINDS, MIN_DECK_SIZE, PUBLISHED_DECKS, WILD
from facedown.games.reveal.rules import COLUMNS, FINALS, ROWS, STOCK, side_slot

SEED = bytes(32)
SITTERS = (Sitter("Ilse"), Sitter("Mara"))


def cards(text: str) -> list[int]:
    """Return the kinds of cards written as letters: ``R R *``."""
    return [card_kind(word) for word in text.split()]


def play_moves(match: Match, *moves: tuple[int, str]) -> Match:
    """Play moves given as (seat, words)."""
    for seat, text in moves:
        match.play(seat, parse(text))
    return match


def play_rows_unchanged(match: Match, rows: int = ROWS) -> Match:
    """Play rounds without swaps, with each card placed in the column of its place."""
    one_by_one = match.options["swap_batch"] == "no"
    for _ in range(rows):
        for text in ("swap none", "place L C R"):
            for seat in (0, 1):
                match.play(seat, parse("stop" if text == "swap none" and one_by_one else text))
    return match


def deal_of(fixed: dict[int, int]) -> list[int]:
    """Return the first 29 cards of a deal, with these kinds in these slots and other cards elsewhere."""
    left = {kind: PUBLISHED_DECKS[0][1 if kind != WILD else 2] for kind in range(KINDS)}
    for kind in fixed.values():
        left[kind] -= 1
    found = []
    for slot in range(STOCK):
        kind = fixed.get(slot)
        if kind is None:
            # Natural cards first: the wild cards are needed elsewhere.
            kind = max((k for k in range(KINDS) if k != WILD), key=lambda k: left[k])
            left[kind] -= 1
        found.append(kind)
    return found


def column_slots(base: str, mine: str, theirs: str, which: int, seat: int = 0) -> dict[int, int]:
    """Return the cards of a column by slot, for a deal without swaps in which all cards are placed L C R."""
    fixed = {}
    for row, (b, own, other) in enumerate(zip(cards(base), cards(mine), cards(theirs), strict=True)):
        fixed[COLUMNS * row + which] = b
        fixed[side_slot(seat, row, which)] = own
        fixed[side_slot(1 - seat, row, which)] = other
    return fixed


def hand_at_scoring(text: str, **options: str) -> Match:
    """Return a hand of one seat's view, ``Base | Own | Opp | Final``, played to its scoring; the other seat takes
    column R.
    """
    base, mine, theirs, final = (part.strip() for part in text.split("|"))
    fixed = column_slots(base, mine, theirs, 0) | {FINALS: card_kind(final)}
    match = play_rows_unchanged(Match("reveal", 2, options, SEED, deal_of(fixed)))
    return play_moves(match, (0, "choose L"), (1, "choose R"), (0, "confirm"), (1, "confirm"))


def tied_head_to_head(**options: str) -> Match:
    """Return a hand in which both players take the middle column and have six points."""
    fixed = column_slots("Y Y O", "Y O *", "O O G", 1) | {FINALS: card_kind("O"), FINALS + 1: card_kind("*")}
    match = play_rows_unchanged(Match("reveal", 2, options, SEED, deal_of(fixed)))
    return play_moves(match, (0, "choose C"), (1, "choose C"), (0, "confirm"), (1, "confirm"))


def deck_index_by_slot(play_it: Callable[[Match], object], **options: str) -> Callable[[int], int]:
    """Play the same moves on two deals that together number the first 41 cards; return a function from slot to deck
    index.

    Cards after the 41st all have index -1.
    """
    matches = []
    for label in (lambda i: i % 8, lambda i: i // 8):
        match = Match("reveal", 2, options, SEED, [label(i) for i in range(MIN_DECK_SIZE)])
        play_it(match)
        matches.append(match)

    def index(slot: int) -> int:
        low, high = (int(m.state.card[slot]) for m in matches)
        return high * 8 + low

    return index


def row_deck_indices(index: Callable[[int], int], seat: int, row: int) -> list[int]:
    """Return the deck indices of a seat's row, by column."""
    return [index(side_slot(seat, row, c)) for c in range(COLUMNS)]
