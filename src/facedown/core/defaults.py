"""What is usual at a table: words, seats and results that a game may take as they are, if it has no ways of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from facedown.core.action_phrases import ActionPhrase, PhraseContext, action_phrase
from facedown.core.game_module import Info, Words
from facedown.core.grammar import acting_seats, name_of, player_phrase
from facedown.core.i18n import _, n_
from facedown.core.state import RUNNING, SPECTATOR, Position, View
from facedown.core.table import Choice, SeatPanel, Sitter, Table, TouchStep


def fixed_words(actions: Mapping[str, str], cards: Sequence[str], texts: Callable[[str], str]) -> Words:
    """The words of a game whose every action and card is called the same always.

    `actions` has them in the order of their numbers: as each is typed, and as it is said, the verbs in braces
    (`core.action_phrases`); the game's own `texts` put that into the reader's language. `cards` has a word for each
    kind.

    >>> words = fixed_words({"check": "{check}", "bet": "{bet|bet|betting} a chip"}, "JQK", lambda text: text)
    >>> words.parse("Bet"), words.words(0), words.card_word(2)
    (1, 'check', 'K')
    >>> words.parse("raise")
    Traceback (most recent call last):
    ...
    ValueError: 'raise' is not a move: check, bet
    """
    names, said = list(actions), list(actions.values())
    kinds = [card.casefold() for card in cards]

    def words(action: int) -> str:
        if not 0 <= action < len(names):
            raise ValueError(_("there is no action {action}", action=action))
        return names[action]

    def parse(text: str) -> int:
        word = " ".join(text.casefold().split())
        if word not in actions:
            raise ValueError(_("{given!r} is not a move: {moves}", given=text.strip(), moves=", ".join(names)))
        return names.index(word)

    def card_kind(word: str) -> int:
        if word.casefold() not in kinds:
            given, there = word or _("nothing"), ", ".join(cards)
            raise ValueError(_("{given} is not a card: there are {cards}", given=given, cards=there))
        return kinds.index(word.casefold())

    def say(view: View, action: int, teller: PhraseContext) -> ActionPhrase:
        return action_phrase(texts(said[action]), teller)

    return Words(words, parse, lambda kind: cards[kind], card_kind, say)


def bare_table(info: Info, v: Position, phase: str, step: TouchStep) -> Table:
    """A view as a table that nothing is on yet. When the match is over, its step says the result."""
    over = v.over != RUNNING
    result = step.prompt if over else ""
    return Table(info.name, info.title, (), v.viewer, phase, (), (), step, over=over, result=result)


def seat_panel(v: Position, seat: int, sitters: Sequence[Sitter], between: bool = False, **more: Any) -> SeatPanel:
    """A seat as the viewer of `v` sees it: who sits there, and whether it is to act.

    `between`: a round is over, and who has seen enough goes on to the next. `more` are further fields of `SeatPanel`.
    """
    acting = bool(v.acting >> seat & 1)
    if between and v.over == RUNNING and not acting:
        more = {"state": _("ready to continue"), "done": "ready", **more}
    name, you, bot = name_of(sitters, seat, v.viewer), seat == v.viewer, sitters[seat].bot
    return SeatPanel(seat, name, you, bot, acting and not between, **more)


def choosing_panel(v: Position, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    """A seat while all choose at once, none seeing what the others do: it is choosing, or has chosen."""
    state, done = (_("choosing"), "") if v.acting >> seat & 1 else (_("has chosen"), "chosen")
    return seat_panel(v, seat, sitters, state=state, done=done)


def round_break_status(v: Position, seat: int, ready: str, looking: str = "") -> str:
    """What a seat does between two rounds: `looking` ("looking at the cards") or `ready` ("ready for the next round"),
    and in the end nothing.
    """
    if v.over != RUNNING:
        return ""
    return (looking or _("looking at the cards")) if v.acting >> seat & 1 else ready


def continue_step(
    v: Position, actions: Sequence[int], sitters: Sequence[Sitter], said: str, button: str, rule: str, help_text: str
) -> TouchStep:
    """The step between two rounds: a `button` ("Continue to round 3"), or whom those wait for who have gone on.

    `said` is how the round ended, `help_text` stands below it as long as the viewer has the button.
    """
    if not actions:
        waiting = player_phrase(sitters, acting_seats(v), v.viewer)
        return TouchStep(said, _("Waiting for {who:you} to continue.", who=waiting), rule=rule)
    go_on = Choice("continue", button=button, primary=True, action=actions[0])
    return TouchStep(said, help_text, (go_on,), rule)


def seats_from_the_left(v: Position) -> list[int]:
    """All seats in turn order from the viewer's left, the viewer's own last; without a seat, from the first."""
    first = 0 if v.viewer == SPECTATOR else v.viewer + 1
    return [(first + k) % v.seats for k in range(v.seats)]


def choosing_sentence(v: Position, sitters: Sequence[Sitter]) -> str:
    """Who is waited for: "Ravi is choosing."."""
    return _("{who} {who:are|is} choosing.", who=player_phrase(sitters, acting_seats(v), v.viewer))


def winners_phrase(sitters: Sequence[Sitter], winners: Sequence[int], viewer: int) -> str:
    """Who wins, without a full stop: "You win", "Ravi wins", "Mara and you share the win"."""
    return _("{who} {who:win|wins|share the win}", who=player_phrase(sitters, winners, viewer))


def count_with_unit(unit: str, count: int) -> str:
    """So many of what a match is made of (`Info.unit`).

    >>> count_with_unit("hand", 1), count_with_unit("round", 3)
    ('1 hand', '3 rounds')
    """
    match unit:
        case "round":
            return n_("{count} round", "{count} rounds", count)
        case "hand":
            return n_("{count} hand", "{count} hands", count)
        case "game":
            return n_("{count} game", "{count} games", count)
    return f"{count} × {unit}"
