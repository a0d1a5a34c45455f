"""Sample tables for rendering tests: one of each phase of a golden playthrough, and some of an unknown game."""

from __future__ import annotations

import functools
import random
from typing import Any

from tests.browser.offline_pages import played, sitters

from facedown.check import golden_playthroughs
from facedown.check.random_matches import SITTERS
from facedown.core.state import SPECTATOR
from facedown.core.table import (
    Badge,
    Choice,
    LogLine,
    Panel,
    Piece,
    ScoreRow,
    SeatPanel,
    Sitter,
    Slip,
    SlipRow,
    Table,
    TouchStep,
    Zone,
)
from facedown.games.detect import rules as detect_rules

#: Moves of each golden playthrough that are searched for phases.
PLIES = 600


@functools.cache
def tables_of_every_phase(game: str) -> dict[str, Table]:
    """Return tables of each phase and of the end, as an acting seat, a waiting seat and a spectator see them."""
    found: dict[str, Table] = {}
    for title, match in golden_playthroughs.golden_matches(game).items():
        chance, names = random.Random(title), SITTERS[: match.seats]
        seen: set[tuple[int, str]] = set()
        while True:
            role = "over" if match.over else "acts" if 0 in match.acting else "waits"
            if (int(match.state.phase), role) not in seen:
                seen.add((int(match.state.phase), role))
                for viewer in (0, SPECTATOR):
                    table = match.table(viewer, names).with_log(match.log(viewer, names)[-12:])
                    found[f"{title}-{table.phase}-{role if viewer == 0 else f'{role}-watched'}"] = table
            if match.over or match.ply == PLIES:
                break
            seat = chance.choice(match.acting)
            match.play(seat, chance.choice(match.legal(seat)))
    return found


@functools.cache
def detect_table() -> Table:
    """Return a table for four at which seat 0 keeps or discards a drawn card."""
    match = played("detect", 4, lambda m: m.acting == [0] and int(m.state.phase) == detect_rules.Phase.DRAWN)
    return match.table(0, sitters(4)).with_log(match.log(0, sitters(4)))


@functools.cache
def scout_table(cards: int) -> Table:
    """Return seat 0's table of SCOUT on its turn, with this number of cards in hand."""

    def hand(table: Table) -> int:
        return sum(piece.kind == "face" for zone in table.zones if zone.area == "hand" for piece in zone.pieces)

    match = played("scout", 4, lambda m: m.acting == [0] and hand(m.table(0, sitters(4))) == cards)
    return match.table(0, sitters(4))


NAMES = ("You", "Ilse", "Juniper", "Ravi", "Mara", "Theo")


def seat(number: int, *, acting: bool = False, cards: int = 0) -> SeatPanel:
    """Return the panel of a player with chips and optionally a number of cards in hand."""
    badges = [Badge("chip", 7 - number, f"{7 - number} chips")]
    badges += [Badge("cards", cards, f"{cards} cards in hand")] if cards else []
    sitter = Sitter(NAMES[number], number == 2)
    return SeatPanel(number, sitter.name, number == 0, sitter.bot, acting, line="has bet 1", badges=tuple(badges))


def unknown_game_table(
    where: tuple[str, ...],
    phase: str,
    seats: tuple[SeatPanel, ...],
    zones: tuple[Zone, ...],
    step: TouchStep,
    **more: Any,
) -> Table:
    """Return a table of the unknown game as seat 0 sees it."""
    return Table("whist", "Whist", where, 0, phase, seats, zones, step, **more)


def card(place: str, face: str = "") -> Piece:
    """Return a card face that no game draws, or a card back."""
    return Piece(place, "face", face, face) if face else Piece(place, "back")


def bet_table() -> Table:
    """Return a table for two with one card each: three buttons and no selectable card."""
    choices = (
        Choice("fold", button="Fold", action=0),
        Choice("call", button="Call", action=1),
        Choice("raise", button="Raise by two chips", primary=True, action=2),
    )
    zones = (
        Zone("their-card", "row", "seat", (card("p1-1"),), seat=1, says="Ilse’s card"),
        Zone("pot", "pile", "center", (card("pot"),), "**2** chips in the pot", count=2, says="Pot"),
        Zone("hand", "row", "hand", (card("hand-1", "Q"),), "Your card", seat=0, says="Your card"),
    )
    step = TouchStep("Fold, call, or raise?", "Ilse has raised by one chip.", choices)
    more = {
        "panels": (Panel("rule", "note", "center", {"text": "The higher card wins the pot."}),),
        "scores": (ScoreRow(0, 2), ScoreRow(1, -2)),
        "log": (LogLine("1", "**Ilse** raised."),),
    }
    return unknown_game_table(("Hand 3",), "bet", (seat(0, acting=True), seat(1)), zones, step, round=3, turn=0, **more)


def full_table() -> Table:
    """Return a table for six: hands, piles at both sides, a row in the middle, a hand of 13 and own melds."""
    ranks = ("A", "K", "Q", "J", *map(str, range(10, 1, -1)))
    hand = tuple(card(f"hand-{i}", rank) for i, rank in enumerate(ranks, 1))
    others = tuple(
        Zone(f"fan-{s}", "fan", "seat", tuple(card(f"p{s}-{i}") for i in range(13)), seat=s, says=f"{NAMES[s]}’s hand")
        for s in range(1, 6)
    )
    middle = (
        Zone("draw", "pile", "left", (card("draw"),), "**31** to draw", count=31, says="Draw pile"),
        Zone("row", "row", "center", tuple(card(f"row-{i}", str(i)) for i in range(1, 6)), "On offer", says="On offer"),
        Zone("thrown", "pile", "right", (card("thrown", "7"),), "**4** thrown away", count=4, says="Thrown away"),
    )
    own = (
        Zone("melds", "row", "you", tuple(card(f"meld-{i}", "K") for i in range(3)), "Your melds", says="Your melds"),
        Zone("hand", "fan", "hand", hand, "Your hand", seat=0, says="Your hand"),
    )
    choices = (
        *(Choice(piece.place, says="", action=i) for i, piece in enumerate(hand)),
        Choice("draw", button="Draw a card", action=20),
        Choice("pass", button="Pass", action=21),
        Choice("meld", button="Lay down three", refuses="You hold no three alike."),
        Choice("out", button="Go out", primary=True, action=22),
    )
    step = TouchStep("Draw, lay down, or throw a card?", "Touch a card of your hand to throw it away.", choices)
    seats = tuple(seat(s, acting=s == 0, cards=13) for s in range(6))
    scores = tuple(ScoreRow(s, 10 * s) for s in range(6))
    zones = (*others, *middle, *own)
    return unknown_game_table(("Round 2 of 8", "the melds"), "meld", seats, zones, step, scores=scores, round=2, turn=0)


def scored_table() -> Table:
    """Return the same table while a round is scored."""
    base = full_table()
    slips = tuple(
        Slip(s, "third", str(10 * s), (SlipRow("Melds", (card(f"slip-{s}", "K"),), "10"),), f"**{10 * s}.**", s == 5)
        for s in range(6)
    )
    step = TouchStep("The round is counted.", choices=(Choice("on", button="Continue", primary=True, action=0),))
    return unknown_game_table(
        ("Round 2 of 8", "counted"), "scoring", base.seats, (), step, scores=base.scores, slips=slips
    )


UNKNOWN_GAME_TABLES = {"plain-bet": bet_table(), "plain-full": full_table(), "plain-counted": scored_table()}
