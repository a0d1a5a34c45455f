"""What is usual at a table: words, seats and results that a game may take as they are, if it has no ways of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from facedown.core.game import Words
from facedown.core.spoken import Spoken, spoken
from facedown.core.state import RUNNING, SPECTATOR, Position
from facedown.core.table import Choice, SeatPanel, Sitter, Step
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


def choosing_panel(v: Position, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    """A seat while all choose at once, none seeing what the others do: it is choosing, or has chosen."""
    state, done = ("choosing", "") if v.acting >> seat & 1 else ("has chosen", "chosen")
    return seat_panel(v, seat, sitters, state=state, done=done)


def resting(v: Position, seat: int, next_one: str, things: str = "cards") -> str:
    """What a seat does between two rounds: "looking at the cards", "ready for the next round"; in the end nothing."""
    if v.over != RUNNING:
        return ""
    return f"looking at the {things}" if v.acting >> seat & 1 else f"ready for the next {next_one}"


def going_on(
    v: Position, actions: Sequence[int], sitters: Sequence[Sitter], said: str, next_one: str, rule: str, help_text: str
) -> Step:
    """The step between two rounds: a button ("Continue to round 3"), or whom those wait for who have gone on.

    `said` is how the round ended, `help_text` stands below it as long as the viewer has the button.
    """
    if not actions:
        waiting = names_of(sitters, acting_seats(v), v.viewer, middle=True)
        return Step(said, f"Waiting for {waiting} to go on.", rule=rule)
    go_on = Choice("continue", button=f"Continue to {next_one}", primary=True, action=actions[0])
    return Step(said, help_text, (go_on,), rule)


def from_the_left(v: Position) -> list[int]:
    """All seats in turn order from the viewer's left, the viewer's own last; without a seat, from the first."""
    first = 0 if v.viewer == SPECTATOR else v.viewer + 1
    return [(first + k) % v.seats for k in range(v.seats)]


def choosing(v: Position, sitters: Sequence[Sitter]) -> str:
    """Who is waited for: "Ravi is choosing."."""
    waiting = acting_seats(v)
    return f"{names_of(sitters, waiting, v.viewer)} {are(sitters, waiting, v.viewer)} choosing."


def winning(sitters: Sequence[Sitter], winners: Sequence[int], viewer: int) -> str:
    """Who wins, without a full stop: "You win", "Ravi wins", "Mara and you share the win"."""
    names = names_of(sitters, winners, viewer)
    return f"{names} {verb(sitters, winners[0], viewer, 'win', 'wins') if len(winners) == 1 else 'share the win'}"
