"""Positions of SCOUT as the worked cases write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core.match import Match
from facedown.core.state import EMPTY, EVERYONE
from facedown.core.table import Sitter
from facedown.games.scout import legal_actions, state
from facedown.games.scout.action_text import parse_turn
from facedown.games.scout.info import KINDS, TURNED, card_kind, card_word, is_in_full_deck

SITTERS = [Sitter("Ana"), Sitter("Noor"), Sitter("Sol"), Sitter("Juniper", bot=True), Sitter("Mara")]


def put_card(s: Any, slot: int, word: str, who: int) -> None:
    """Put a card into a slot."""
    kind = card_kind(word)
    s.card[slot], s.flip[slot] = kind % TURNED, kind // TURNED
    s.known[slot] = who


def pose(
    hands: Sequence[str], active: str = "", owner: int = 0, turn: int = 0, chips: Sequence[int] = (), **options: str
) -> Match:
    """Return a match in its first round with these hands and this Active Set; other cards are out of play."""
    seats = len(hands)
    m = Match("scout", seats, options, seed=bytes(32), first=turn)
    s = m.state
    s.card[:], s.flip[:], s.known[:] = EMPTY, 0, EVERYONE
    for slot, (seat, word) in enumerate((seat, word) for seat, hand in enumerate(hands) for word in hand.split()):
        put_card(s, slot, word, 1 << seat)
    s.hand[: len(hands)] = [len(hand.split()) for hand in hands]
    named = [card_kind(word) % TURNED for word in [*" ".join(hands).split(), *active.split()]]
    assert len(set(named)) == len(named), "a card lies in two places"
    rest = [kind for kind in range(KINDS) if is_in_full_deck(seats, kind) and kind not in named]
    for i, kind in enumerate(rest):
        put_card(s, state.slot_of_discard_or_table_card(i), card_word(kind), EVERYONE)
    s.aside = 0
    s.out = len(rest)
    for i, word in enumerate(active.split()):
        put_card(s, state.slot_of_discard_or_table_card(len(rest) + i), word, EVERYONE)
    s.active = len(active.split())
    s.owner = s.shower = owner if active else -1
    s.strength = legal_actions.active_set_strength(s, 0, 0)
    s.coins[: len(chips)] = chips
    s.phase = state.Phase.TURN
    s.turn = turn
    s.acting = 1 << turn
    return m


def play_turns(m: Match, *turns: str) -> None:
    """Play turns in words, each by the seat to act."""
    for turn in turns:
        seat = m.acting[0]
        for action in parse_turn(turn):
            m.play(seat, action)


def hand_numbers(m: Match, seat: int) -> str:
    """Return the upper numbers of a hand."""
    first = state.hand_start(m.state, seat)
    return " ".join(str(state.number_up_at(m.state, first + i)) for i in range(m.state.hand[seat]))


def active_numbers(m: Match) -> str:
    """Return the upper numbers of the Active Set."""
    s = m.state
    return " ".join(str(state.number_up_at(s, state.slot_of_discard_or_table_card(s.out + i))) for i in range(s.active))


def legal_words(m: Match, starts: str = "") -> list[str]:
    """Return the legal actions of the seat to act, in words."""
    said = [m.game.words.words(a) for a in m.legal(m.acting[0])]
    return [text for text in said if text.startswith(starts)]


def legal_shows(m: Match) -> set[str]:
    """Return the slices that may be shown."""
    return {text.removeprefix("show ") for text in legal_words(m, "show")}
