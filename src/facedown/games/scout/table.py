"""A view of SCOUT as a table. Nothing here ever sees a state."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from facedown.core.state import RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Badge, Layout, Panel, Piece, ScoreRow, SeatPanel, Sitter, Slip, SlipRow, Table, Zone
from facedown.core.usual import choosing_panel, from_the_left, resting, seat_panel
from facedown.core.voice import digits, name_of, plural, verb, whose
from facedown.games.scout.cards import KINDS, ROUNDS, TWO_PLAYERS, card_word
from facedown.games.scout.info import INFO, FlipOrder
from facedown.games.scout.log import ending, how_round_ended, result_of
from facedown.games.scout.prompts import active_place, can_scout, gap_place, step_of
from facedown.games.scout.rules import RULES, Act
from facedown.games.scout.state import Phase, ScoutPosition
from facedown.games.scout.texts import _
from facedown.games.scout.view import (
    Card,
    active_set,
    bracket_words,
    hand_of,
    in_a_row,
    longest_sets,
    own_hand,
    type_words,
    ups,
    winners_of,
)
from facedown.games.scout.words import between

#: From which phase to which a turn goes on, if the same seat is still to act: scout and show.
GOES_ON = frozenset({("turn", "show")})


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """What the viewer sees, without the log."""
    v = plain_view(view, ScoutPosition)
    viewer = v.viewer
    others = [seat for seat in from_the_left(v) if seat != viewer]
    own = _own(v) if viewer != SPECTATOR else []
    over = v.over != RUNNING
    return Table(
        game=INFO.name,
        title=INFO.title,
        where=_where(v),
        viewer=viewer,
        phase=Phase(v.phase).name.lower(),
        seats=tuple(_panel(v, seat, sitters) for seat in range(v.seats)),
        zones=(*(_fan(v, seat, sitters) for seat in others), *_cloth(v, sitters), *own),
        step=step_of(v, RULES.legal_actions(view, viewer), sitters),
        panels=_notes(v, sitters),
        scores_title=_scores_title(v),
        scores=tuple(_score(v, seat) for seat in range(v.seats)),
        slips=tuple(_slip(v, seat, sitters) for seat in range(v.seats)) if v.phase == Phase.SCORING else (),
        over=over,
        result=result_of(v, sitters) if over else "",
        layout=Layout("fans"),
        round=v.round_number,
        turn=v.turn if v.phase in (Phase.TURN, Phase.SHOW) else None,
        winners=tuple(winners_of(v)) if over else (),
    )


def _where(v: ScoutPosition) -> tuple[str, ...]:
    start = f"Round {v.round_number} of {ROUNDS[v.seats]}"
    if v.over != RUNNING:
        return start, "the match is over"
    now = {Phase.FLIP: "the flip", Phase.SCORING: "scoring"}.get(Phase(v.phase))
    return (start, now) if now else (start,)


# --- seats and scores -------------------------------------------------------------------------------------------------


def _panel(v: ScoutPosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    if v.phase == Phase.FLIP:
        return choosing_panel(v, seat, sitters)
    badges = _badges(v, seat)
    if v.phase != Phase.SCORING:
        return seat_panel(v, seat, sitters, badges=badges)
    line, state = f"{digits(v.score[seat])} this round", resting(v, seat, _("ready for the next round"))
    return seat_panel(v, seat, sitters, True, state=state, badges=badges, line=line, shows=v.score[seat])


def _badges(v: ScoutPosition, seat: int) -> tuple[Badge, ...]:
    cards, won, coins = v.hand[seat], v.won[seat], v.coins[seat]
    owned = Badge("coin", coins, plural(coins, "coin"), head="coins")
    if v.seats == TWO_PLAYERS:
        owned = Badge("chip", coins, f"{plural(coins, 'chip')} left to scout with", head="chips")
    badges = (
        Badge("cards", cards, f"{plural(cards, 'card')} in hand", head="cards"),
        Badge("won", won, f"{plural(won, 'card')} won", head="won"),
        owned,
    )
    ready = v.marker[seat]
    short = "ready" if ready else "spent"
    pennant = Badge("pennant", ready, f"Scout and Show {short}", spent=not ready, head="S+S", short=short)
    return badges if v.seats == TWO_PLAYERS else (*badges, pennant)


def _scores_title(v: ScoutPosition) -> str:
    if v.over != RUNNING:
        return "In the end"
    return f"{'After' if v.phase == Phase.SCORING else 'Before'} round {v.round_number} of {ROUNDS[v.seats]}"


def _score(v: ScoutPosition, seat: int) -> ScoreRow:
    if v.phase != Phase.SCORING:
        return ScoreRow(seat, v.total[seat])
    won = v.over != RUNNING and seat in winners_of(v)
    return ScoreRow(seat, v.total[seat], f"{digits(v.score[seat])} this round", won, v.score[seat])


def _slip(v: ScoutPosition, seat: int, sitters: Sequence[Sitter]) -> Slip:
    won, coins, cards = v.won[seat], v.coins[seat], v.hand[seat]
    counts = seat != v.ender
    minus_hand = -cards if counts else 0
    rows = (
        SlipRow("Cards won", (), digits(won)),
        SlipRow("Chips left" if v.seats == TWO_PLAYERS else "Coins", (), digits(coins)),
        SlipRow("Cards in hand" if counts else f"Cards in hand, {cards}: do not count", (), digits(minus_hand)),
    )
    said = f"**{won} + {coins} − {-minus_hand} = {digits(v.score[seat])}.**"
    if not counts:
        went_out = f"{name_of(sitters, seat, v.viewer)} went out"
        reason = f"Nobody beat {whose(sitters, seat, v.viewer, middle=True)} set" if cards else went_out
        said += f" {reason}, so cards in hand cost nothing."
    title = ending(v, seat) or f"{digits(v.total[seat])} in all"
    return Slip(seat=seat, title=title, points=digits(v.score[seat]), rows=rows, sum=said)


# --- cards ------------------------------------------------------------------------------------------------------------


def _piece(card: Card | None, place: str, where: str) -> Piece:
    if card is None:
        return Piece(place, "back", where=where)
    return Piece(place, "face", card.code, card.name, where)


def _row(hand: Sequence[Card | None], place: str, more: str = "") -> tuple[Piece, ...]:
    """A hand from left to right, at the places of this name."""
    return tuple(_piece(card, f"{place}-{i}", f"card {i} of {len(hand)}{more}") for i, card in enumerate(hand, 1))


def _fan(v: ScoutPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    """Somebody else's hand: backs, all the same, until the match is over."""
    known = [card_word(kind) for kind in range(KINDS) if v.held[kind] == seat]
    note = f"holds {', '.join(known)}" if known else ""
    says = f"{whose(sitters, seat, v.viewer)} hand"
    pieces = _row(hand_of(v, seat), f"p{seat}")
    return Zone(f"fan-{seat}", "fan", "seat", pieces, seat=seat, size="small", note=note, says=says)


def _cloth(v: ScoutPosition, sitters: Sequence[Sitter]) -> list[Zone]:
    zones = []
    cards = active_set(v)
    if cards:
        numbers, owner = ups(cards), whose(sitters, v.owner, v.viewer)
        said = f"{type_words(numbers)}: {in_a_row(numbers)}"
        ends = ["left end", *["in the middle"] * (len(cards) - 2), "right end"] if len(cards) > 1 else ["alone"]
        lying = enumerate(zip(cards, ends, strict=True))
        pieces = tuple(_piece(card, active_place(i), where) for i, (card, where) in lying)
        note = "Scout an end, or beat it from your hand." if can_scout(v) else ""
        zones.append(Zone("active", "row", "center", pieces, f"**{owner}** {said}", note=note, says=f"{owner} {said}"))
    if v.aside:
        back = Piece("aside", "back", where="set aside for round two")
        label = f"**{v.aside}** for round two"
        zones.append(Zone("set-aside", "pile", "left", (back,), label, count=v.aside, says="Set aside"))
    return zones


def _notes(v: ScoutPosition, sitters: Sequence[Sitter]) -> tuple[Panel, ...]:
    name = name_of(sitters, v.turn, v.viewer)
    text = ""
    if v.phase == Phase.FLIP:
        text = f"**{name}** will play first"
    elif v.phase == Phase.SCORING:
        text = how_round_ended(v, sitters)
    elif v.active == 0:
        shows = verb(sitters, v.turn, v.viewer, "show what you like", "shows what they like")
        text = f"No set lies here: **{name}** {shows}"
    return (Panel("note", "note", "center", {"text": text}),) if text else ()


def _own(v: ScoutPosition) -> list[Zone]:
    hand = own_hand(v)
    if v.phase == Phase.FLIP:
        flipped = [card.turned() for card in hand]
        if v.opt.flip_order == FlipOrder.REVERSE:
            flipped.reverse()
        if v.acting >> v.viewer & 1:
            return [_reading("keep", "As dealt", hand), _reading("flip", "Flipped", flipped)]
        if v.sealed[v.viewer] == Act.FLIP:
            hand = flipped
    pieces = _row(hand, "hand")
    if can_scout(v):
        gaps = [Piece(gap_place(i), "gap", name="gap", where=between(hand, i)) for i in range(len(hand) + 1)]
        pieces = (*chain.from_iterable(zip(gaps, pieces, strict=False)), gaps[-1])
    return [Zone("hand", "fan", "hand", pieces, "Your hand", v.viewer, size="large", says="Your hand")]


def _reading(zone: str, label: str, hand: Sequence[Card]) -> Zone:
    """One of the two ways to read a hand, with its sets in brackets."""
    numbers = ups(hand)
    sets = longest_sets(numbers)
    longest = max((last - first + 1 for first, last in sets), default=1)
    pieces, says = _row(hand, zone, f", {label.lower()}"), f"Your hand, {label.lower()}"
    note = f"{plural(len(sets), 'set')}, longest {longest}" if sets else "no sets"
    spans = tuple((first, last, bracket_words(numbers[first : last + 1])) for first, last in sets)
    return Zone(zone, "fan", "hand", pieces, label, marks=("option",), says=says, note=note, spans=spans)
