"""What is usual at a table: words, seats and results that a game may take as they are, if it has no ways of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from facedown.core.game import Words
from facedown.core.spoken import Spoken, spoken
from facedown.core.state import RUNNING, Position
from facedown.core.table import SeatPanel, Sitter
from facedown.core.voice import acting_seats, are, name_of, names_of, verb


def fixed_words(actions: Mapping[str, str], cards: Sequence[str]) -> tuple[Words, list[Spoken]]:
    """The words of a game whose every action and card is called the same always; and its actions as a person says them.

    `actions` has them in the order of their numbers: as each is typed, and as it is said, the verbs in braces
    (`core.spoken`). `cards` has a word for each kind.

    >>> words, said = fixed_words({"check": "{check}", "bet": "{bet|bet|betting} a chip"}, "JQK")
    >>> words.parse("Bet"), words.words(0), words.card_word(2), said[1].done
    (1, 'check', 'K', 'bet a chip')
    >>> words.parse("raise")
    Traceback (most recent call last):
    ...
    ValueError: 'raise' is no move: check, bet
    """
    names, said = list(actions), [spoken(text) for text in actions.values()]
    kinds = [card.casefold() for card in cards]

    def words(action: int) -> str:
        if not 0 <= action < len(names):
            raise ValueError(f"there is no action {action}")
        return names[action]

    def parse(text: str) -> int:
        word = " ".join(text.casefold().split())
        if word not in actions:
            raise ValueError(f"{text.strip()!r} is no move: {', '.join(names)}")
        return names.index(word)

    def card_kind(word: str) -> int:
        if word.casefold() not in kinds:
            raise ValueError(f"{word or 'nothing'} is no card: there are {', '.join(cards)}")
        return kinds.index(word.casefold())

    return Words(words, parse, lambda kind: cards[kind], card_kind, lambda view, action, teller: said[action]), said


def seat_panel(v: Position, seat: int, sitters: Sequence[Sitter], between: bool = False, **more: Any) -> SeatPanel:
    """A seat as the viewer of `v` sees it: who sits there, and whether it is to act.

    `between`: a round is over, and who has seen enough goes on to the next. `more` are further fields of `SeatPanel`.
    """
    acting = bool(v.acting >> seat & 1)
    if between and v.over == RUNNING and not acting:
        more = {"state": "ready to go on", "done": "ready", **more}
    return SeatPanel(
        seat=seat,
        name=name_of(sitters, seat, v.viewer),
        you=seat == v.viewer,
        bot=sitters[seat].bot,
        acting=acting and not between,
        **more,
    )


def choosing(v: Position, sitters: Sequence[Sitter]) -> str:
    """Who is waited for: "Ravi is choosing."."""
    waiting = acting_seats(v)
    return f"{names_of(sitters, waiting, v.viewer)} {are(sitters, waiting, v.viewer)} choosing."


def winning(sitters: Sequence[Sitter], winners: Sequence[int], viewer: int) -> str:
    """Who wins, without a full stop: "You win", "Ravi wins", "Mara and you share the win"."""
    names = names_of(sitters, winners, viewer)
    return f"{names} {verb(sitters, winners[0], viewer, 'win', 'wins') if len(winners) == 1 else 'share the win'}"
