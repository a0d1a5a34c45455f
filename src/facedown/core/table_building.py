"""Functions that games share to build tables.

A table (`core.table.Table`) is all that one player sees of a match. The functions return parts of it: texts for
actions, panels of seats, prompts, and sentences about results.
"""

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
    """Return the `Words` (functions that name actions and cards) of a game whose actions and cards have fixed names.

    * `actions`: a dictionary from names of actions to phrases, in the order of the action numbers. Match files and
      typed moves use the names. Players read the phrases, in which verbs are in braces (`core.action_phrases`).
    * `cards`: the names of the card faces, in the order of their kinds (numbers from 0).
    * `texts`: a function that translates a phrase into the reader's language.

    >>> words = fixed_words({"check": "{check}", "bet": "{bet|bet|betting} a chip"}, "JQK", lambda text: text)
    >>> words.parse("Bet"), words.words(0), words.card_word(2)
    (1, 'check', 'K')
    >>> words.parse("raise")
    Traceback (most recent call last):
    ...
    ValueError: 'raise' is not a move; expected one of: check, bet
    """
    names, said = list(actions), list(actions.values())
    kinds = [card.casefold() for card in cards]

    def words(action: int) -> str:
        if not 0 <= action < len(names):
            raise ValueError(_("action {action} does not exist", action=action))
        return names[action]

    def parse(text: str) -> int:
        word = " ".join(text.casefold().split())
        if word not in actions:
            raise ValueError(
                _("{given!r} is not a move; expected one of: {moves}", given=text.strip(), moves=", ".join(names))
            )
        return names.index(word)

    def card_kind(word: str) -> int:
        if word.casefold() not in kinds:
            given, there = word or _("(empty)"), ", ".join(cards)
            raise ValueError(_("{given} is not a card; expected one of: {cards}", given=given, cards=there))
        return kinds.index(word.casefold())

    def say(view: View, action: int, teller: PhraseContext) -> ActionPhrase:
        return action_phrase(texts(said[action]), teller)

    return Words(words, parse, lambda kind: cards[kind], card_kind, say)


def bare_table(info: Info, v: Position, phase: str, step: TouchStep) -> Table:
    """Return a table with only the game's name and title, the phase and the prompt `step`.

    The game adds seats and zones (groups of pieces). `info` is the description of the game. `phase` is the game's name
    for the current phase, such as "scoring". After the match, the text of the prompt is also stored as the result of
    the match.
    """
    over = v.over != RUNNING
    result = step.prompt if over else ""
    return Table(info.name, info.title, (), v.viewer, phase, (), (), step, over=over, result=result)


def seat_panel(v: Position, seat: int, sitters: Sequence[Sitter], between: bool = False, **more: Any) -> SeatPanel:
    """Return the panel of a seat as the viewer of `v` sees it: its player, and whether the seat is to act.

    `between` is true after a round, while players press a button to continue; a seat that has done so shows as ready.
    `more` are further fields of `SeatPanel`.
    """
    acting = bool(v.acting >> seat & 1)
    if between and v.over == RUNNING and not acting:
        more = {"state": _("ready to continue"), "done": "ready", **more}
    name, you, bot = name_of(sitters, seat, v.viewer), seat == v.viewer, sitters[seat].bot
    return SeatPanel(seat, name, you, bot, acting and not between, **more)


def choosing_panel(v: Position, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    """Return the panel of a seat while all players choose at the same time in secret: "choosing" or "has chosen"."""
    state, done = (_("choosing"), "") if v.acting >> seat & 1 else (_("has chosen"), "chosen")
    return seat_panel(v, seat, sitters, state=state, done=done)


def round_break_status(v: Position, seat: int, ready: str, looking: str = "") -> str:
    """Return a text that says what a player is doing between two rounds; empty when the match is over.

    The caller supplies the texts:

    * `looking`: for a player who has not continued yet. If empty, "looking at the cards" is used.
    * `ready`: for a player who has continued, for example "ready for the next round".
    """
    if v.over != RUNNING:
        return ""
    return (looking or _("looking at the cards")) if v.acting >> seat & 1 else ready


def continue_step(
    v: Position, actions: Sequence[int], sitters: Sequence[Sitter], said: str, button: str, rule: str, help_text: str
) -> TouchStep:
    """Return the prompt between two rounds, with a button to continue. The button has the text `button`.

    * `said`: the text of the prompt, which says how the round ended.
    * `help_text`: shown below the prompt while the viewer can press the button.
    * `actions`: the viewer's legal actions. Without any, the viewer sees which players the table is waiting for.
    * `rule`: the anchor of a section in the game's guide, usually the one about scoring. The prompt links to it.
    """
    if not actions:
        waiting = player_phrase(sitters, acting_seats(v), v.viewer)
        return TouchStep(said, _("Waiting for {who:you} to continue.", who=waiting), rule=rule)
    go_on = Choice("continue", button=button, primary=True, action=actions[0])
    return TouchStep(said, help_text, (go_on,), rule)


def seats_from_the_left(v: Position) -> list[int]:
    """Return all seats in turn order. The seat to the left of the viewer is first, and the viewer's own seat is last.

    For a spectator, seat 0 is first.
    """
    first = 0 if v.viewer == SPECTATOR else v.viewer + 1
    return [(first + k) % v.seats for k in range(v.seats)]


def choosing_sentence(v: Position, sitters: Sequence[Sitter]) -> str:
    """Return the sentence "Ravi is choosing.", with the names of all players to act."""
    return _("{who} {who:are|is} choosing.", who=player_phrase(sitters, acting_seats(v), v.viewer))


def winners_phrase(sitters: Sequence[Sitter], winners: Sequence[int], viewer: int) -> str:
    """Return a phrase that names the winners, without a full stop: "You win", "Ravi wins", "Mara and you share the
    win".
    """
    return _("{who} {who:win|wins|share the win}", who=player_phrase(sitters, winners, viewer))


def count_with_round_unit(unit: str, count: int) -> str:
    """Return a number with its unit in the singular or plural, in the current language, such as "3 rounds".

    `unit` is what the match consists of (`Info.unit`): "round", "hand" or "game".

    >>> count_with_round_unit("hand", 1), count_with_round_unit("round", 3)
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
