"""A view of SCOUT as a table. Nothing here ever sees a state. The steps are in `steps`, the log in `telling`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core.state import RUNNING, SPECTATOR
from facedown.core.table import Badge, Panel, Piece, ScoreRow, SeatPanel, Sitter, Slip, SlipRow, Table, Zone
from facedown.core.voice import digits, name_of, plural, verb, whose
from facedown.games.scout import INFO
from facedown.games.scout.deck import TWO_PLAYERS, face_code
from facedown.games.scout.reading import (
    Card,
    active_set,
    bracket_words,
    hand_of,
    in_a_row,
    longest_sets,
    own_hand,
    type_words,
    ups,
)
from facedown.games.scout.rules import FLIP, ROUNDS_FOR_TWO
from facedown.games.scout.spoken import between
from facedown.games.scout.state import FLIPPING, SCORING, SHOWING, TURN
from facedown.games.scout.steps import active_place, can_scout, gap_place, hand_place, step_of
from facedown.games.scout.telling import ending, how_round_ended, open_to, result, tell, winners

__all__ = ["open_to", "table", "tell"]

PHASES = {FLIPPING: "flip", TURN: "turn", SHOWING: "show", SCORING: "scoring"}
#: From which phase to which a turn goes on, if the same seat is still to act: scout and show.
GOES_ON = frozenset({("turn", "show")})


def table(view: Any, sitters: Sequence[Sitter]) -> Table:
    """What the viewer of `view` sees, without the log."""
    viewer = int(view.viewer)
    seats = int(view.seats)
    # Others follow in turn order, from the viewer's left.
    order = [(viewer + k) % seats for k in range(1, seats)] if viewer != SPECTATOR else list(range(seats))
    zones = [_fan(view, seat, sitters) for seat in order]
    zones += _cloth(view, sitters)
    if viewer != SPECTATOR:
        zones += _own(view)
    over = int(view.over) != RUNNING
    return Table(
        game=INFO.name,
        title=INFO.title,
        subtitle=_subtitle(view, sitters),
        viewer=viewer,
        phase=PHASES[int(view.phase)],
        seats=tuple(_panel(view, seat, sitters) for seat in range(seats)),
        zones=tuple(zones),
        step=step_of(view, sitters),
        panels=_notes(view, sitters),
        scores_title=_scores_title(view),
        scores=_scores(view),
        slips=tuple(_slip(view, seat, sitters) for seat in range(seats)) if int(view.phase) == SCORING else (),
        over=over,
        result=result(view, sitters) if over else "",
    )


def round_count(view: Any) -> int:
    """How many rounds the match has."""
    seats = int(view.seats)
    return ROUNDS_FOR_TWO if seats == TWO_PLAYERS else seats


def _subtitle(view: Any, sitters: Sequence[Sitter]) -> str:
    start = f"Round {int(view.round_number)} of {round_count(view)}"
    if int(view.over) != RUNNING:
        return f"{start} · the match is over"
    if int(view.phase) == FLIPPING:
        return f"{start} · the flip"
    if int(view.phase) == SCORING:
        return f"{start} · scoring"
    turn = int(view.turn)
    return f"{start} · {whose(sitters, turn, int(view.viewer), middle=True)} turn"


# --- seats and scores -------------------------------------------------------------------------------------------------


def _panel(view: Any, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    viewer = int(view.viewer)
    phase = int(view.phase)
    acting = bool(int(view.acting) >> seat & 1)
    line = state = ""
    if phase == FLIPPING:
        state = "choosing" if acting else "has chosen"
    elif phase == SCORING:
        line = f"{digits(int(view.score[seat]))} this round"
        if int(view.over) == RUNNING:
            state = "looking at the cards" if acting else "ready for the next round"
    return SeatPanel(
        seat=seat,
        name=name_of(sitters, seat, viewer),
        you=seat == viewer,
        bot=sitters[seat].bot,
        acting=acting and phase != SCORING,
        line=line,
        state=state,
        badges=() if phase == FLIPPING else _badges(view, seat),
    )


def _badges(view: Any, seat: int) -> tuple[Badge, ...]:
    cards, won, coins = int(view.hand[seat]), int(view.won[seat]), int(view.coins[seat])
    badges = [
        Badge("cards", cards, f"{plural(cards, 'card')} in hand"),
        Badge("won", won, f"{plural(won, 'card')} won"),
    ]
    if int(view.seats) == TWO_PLAYERS:
        badges.append(Badge("chip", coins, f"{plural(coins, 'chip')} left to scout with"))
    else:
        ready = int(view.marker[seat]) == 1
        badges.append(Badge("coin", coins, plural(coins, "coin")))
        says = "Scout and Show ready" if ready else "Scout and Show spent"
        badges.append(Badge("pennant", int(ready), says, spent=not ready))
    return tuple(badges)


def _scores_title(view: Any) -> str:
    where = f"round {int(view.round_number)} of {round_count(view)}"
    if int(view.over) != RUNNING:
        return "In the end"
    return f"After {where}" if int(view.phase) == SCORING else f"Before {where}"


def _scores(view: Any) -> tuple[ScoreRow, ...]:
    scoring = int(view.phase) == SCORING
    best = winners(view) if int(view.over) != RUNNING else []
    return tuple(
        ScoreRow(
            seat,
            digits(int(view.total[seat])),
            f"{digits(int(view.score[seat]))} this round" if scoring else "",
            winner=seat in best,
        )
        for seat in range(int(view.seats))
    )


def _slip(view: Any, seat: int, sitters: Sequence[Sitter]) -> Slip:
    viewer = int(view.viewer)
    won, coins, cards = int(view.won[seat]), int(view.coins[seat]), int(view.hand[seat])
    counts = seat != int(view.ender)
    minus_hand = -cards if counts else 0
    rows = (
        SlipRow("Cards won", (), digits(won)),
        SlipRow("Chips left" if int(view.seats) == TWO_PLAYERS else "Coins", (), digits(coins)),
        SlipRow("Cards in hand" if counts else f"Cards in hand, {cards}: do not count", (), digits(minus_hand)),
    )
    total = won + coins + minus_hand
    sign = f"{won} + {coins} {digits(-cards)[0] if counts and cards else '−'} {-minus_hand}"
    name = name_of(sitters, seat, viewer)
    said = f"**{sign} = {digits(total)}.**"
    if not counts:
        reason = f"{name} went out" if cards == 0 else f"Nobody beat {whose(sitters, seat, viewer, middle=True)} set"
        said += f" {reason}, so cards in hand cost nothing."
    return Slip(
        seat=seat,
        title=ending(view, seat) or f"{digits(int(view.total[seat]))} in all",
        points=digits(int(view.score[seat])),
        rows=rows,
        sum=said,
    )


# --- cards ------------------------------------------------------------------------------------------------------------


def _piece(card: Card | None, place: str, where: str, marks: tuple[str, ...] = ()) -> Piece:
    if card is None:
        return Piece(place, "back", where=where, marks=marks)
    return Piece(place, "face", card.code, card.name, where, marks=marks)


def _fan(view: Any, seat: int, sitters: Sequence[Sitter]) -> Zone:
    """Somebody else's hand: backs, all the same, until the match is over."""
    hand = hand_of(view, seat)
    pieces = tuple(_piece(card, f"p{seat}-{i + 1}", f"card {i + 1} of {len(hand)}") for i, card in enumerate(hand))
    known = [face_code(kind, 0) for kind in range(len(view.held)) if int(view.held[kind]) == seat]
    return Zone(
        id=f"fan-{seat}",
        kind="fan",
        area="seat",
        pieces=pieces,
        seat=seat,
        size="small",
        note=f"holds {', '.join(known)}" if known else "",
        says=f"{whose(sitters, seat, int(view.viewer))} hand",
    )


def _cloth(view: Any, sitters: Sequence[Sitter]) -> list[Zone]:
    viewer = int(view.viewer)
    zones = []
    cards = active_set(view)
    if cards:
        numbers = ups(cards)
        owner = whose(sitters, int(view.owner), viewer)
        pieces = []
        for i, card in enumerate(cards):
            end = "left end" if i == 0 else "right end" if i == len(cards) - 1 else "in the middle"
            pieces.append(_piece(card, active_place(i), "alone" if len(cards) == 1 else end))
        zones.append(
            Zone(
                id="active",
                kind="row",
                area="center",
                pieces=tuple(pieces),
                label=f"**{owner}** {type_words(numbers)}: {in_a_row(numbers)}",
                note="Scout an end, or beat it from your hand." if can_scout(view) else "",
                says=f"{owner} {type_words(numbers)}: {in_a_row(numbers)}",
            )
        )
    aside = int(view.aside)
    if aside:
        back = Piece("aside", "back", where="set aside for round two")
        label = f"**{aside}** for round two"
        zones.append(Zone("set-aside", "pile", "left", (back,), label, count=aside, says="Set aside"))
    return zones


def _notes(view: Any, sitters: Sequence[Sitter]) -> tuple[Panel, ...]:
    viewer = int(view.viewer)
    turn = int(view.turn)
    name = name_of(sitters, turn, viewer)
    text = ""
    if int(view.phase) == FLIPPING:
        text = f"**{name}** will play first"
    elif int(view.phase) == SCORING:
        text = how_round_ended(view, sitters)
    elif int(view.active) == 0:
        shows = verb(sitters, turn, viewer, "show what you like", "shows what they like")
        text = f"No set lies here: **{name}** {shows}"
    return (Panel("note", "note", "center", {"text": text}),) if text else ()


def _own(view: Any) -> list[Zone]:
    hand = own_hand(view)
    viewer = int(view.viewer)
    if int(view.phase) == FLIPPING:
        flipped = [card.turned() for card in hand]
        if int(view.reverse_flip) == 1:
            flipped.reverse()
        if int(view.acting) >> viewer & 1:
            return [_reading("keep", "As dealt", hand), _reading("flip", "Flipped", flipped)]
        if int(view.sealed[viewer]) == FLIP:
            hand = flipped
    pieces = []
    gaps = can_scout(view)
    for place in range(len(hand) + 1):
        if gaps:
            pieces.append(Piece(gap_place(place), "gap", name="gap", where=between(hand, place)))
        if place < len(hand):
            pieces.append(_piece(hand[place], hand_place(place), f"card {place + 1} of {len(hand)}"))
    return [Zone("hand", "fan", "hand", tuple(pieces), label="Your hand", seat=viewer, size="large", says="Your hand")]


def _reading(zone: str, label: str, hand: Sequence[Card]) -> Zone:
    """One of the two ways to read a hand, with its sets in brackets."""
    numbers = ups(hand)
    sets = longest_sets(numbers)
    longest = max((last - first + 1 for first, last in sets), default=1)
    count = "no sets" if not sets else f"{plural(len(sets), 'set')}, longest {longest}"
    return Zone(
        id=zone,
        kind="fan",
        area="hand",
        pieces=tuple(
            _piece(card, f"{zone}-{i + 1}", f"card {i + 1} of {len(hand)}, {label.lower()}")
            for i, card in enumerate(hand)
        ),
        label=label,
        seat=None,
        marks=("option",),
        says=f"Your hand, {label.lower()}",
        note=count,
        spans=tuple((first, last, bracket_words(numbers[first : last + 1])) for first, last in sets),
    )
