"""Table of SCOUT as data for the page and the terminal: zones (groups of cards), panels and scores.

The table is built from the view of one viewer, never from a state with all cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from facedown.core.grammar import digits, player_phrase
from facedown.core.state import RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Badge, Layout, Panel, Piece, ScoreRow, SeatPanel, Sitter, Slip, SlipRow, Table, Zone
from facedown.core.table_building import bare_table, choosing_panel, round_break_status, seat_panel, seats_from_the_left
from facedown.games.scout.action_text import gap_phrase
from facedown.games.scout.i18n import N_, _, n_
from facedown.games.scout.info import INFO, KINDS, TWO_PLAYERS, FlipOrder, card_word
from facedown.games.scout.legal_actions import Act
from facedown.games.scout.log import how_round_ended, round_end_note
from facedown.games.scout.prompts import active_place_id, can_scout, gap_place_id, step_of
from facedown.games.scout.rules import RULES
from facedown.games.scout.state import Phase, ScoutPosition
from facedown.games.scout.view import (
    Card,
    active_set,
    hand_of,
    is_of_equal_numbers,
    join_numbers,
    maximal_sets,
    own_hand,
    rounds,
    set_bracket_caption,
    three_or_more_of_a_kind_phrase,
    up_numbers,
    winners_of,
)

PHASES = tuple(phase.name.lower() for phase in Phase)
#: Changes of phase within a turn, as (phase before an action, phase after it). If the same seat is to act after such a
#: change, its turn continues. In SCOUT this happens only after the Scout of a Scout and Show.
TURN_CONTINUATIONS = frozenset({("turn", "show")})
PAIR = 2


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """Return the table as the viewer of `view` sees it: zones, panels and scores. The log is added elsewhere.

    `sitters` has the name of the player at each seat, and whether the player is a bot.
    """
    v = plain_view(view, ScoutPosition)
    viewer = v.viewer
    others = [seat for seat in seats_from_the_left(v) if seat != viewer]
    own = _own_hand_zones(v) if viewer != SPECTATOR else []
    over = v.over != RUNNING
    return replace(
        bare_table(INFO, v, PHASES[v.phase], step_of(v, RULES.legal_actions(view, viewer), sitters)),
        where=_round_and_phase_texts(v),
        seats=tuple(_panel(v, seat, sitters) for seat in range(v.seats)),
        zones=(*(_other_hand(v, seat, sitters) for seat in others), *_center_zones(v, sitters), *own),
        panels=_center_note_about_phase(v, sitters),
        scores_title=_scores_title(v),
        scores=tuple(_score(v, seat) for seat in range(v.seats)),
        slips=tuple(_slip(v, seat, sitters) for seat in range(v.seats)) if v.phase == Phase.SCORING else (),
        layout=Layout("fans"),
        round=v.round_number,
        turn=v.turn if v.phase in (Phase.TURN, Phase.SHOW) else None,
        winners=tuple(winners_of(v)) if over else (),
    )


def _round_and_phase_texts(v: ScoutPosition) -> tuple[str, ...]:
    start = _("Round {round} of {rounds}", round=v.round_number, rounds=rounds(v))
    if v.over != RUNNING:
        return start, _("the match is over")
    parts = {Phase.FLIP: _("the flip"), Phase.SCORING: _("scoring")}
    return (start, parts[Phase(v.phase)]) if v.phase in parts else (start,)


# --- seats and scores -------------------------------------------------------------------------------------------------


def _panel(v: ScoutPosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    if v.phase == Phase.FLIP:
        return choosing_panel(v, seat, sitters)
    badges = _badges(v, seat)
    if v.phase != Phase.SCORING:
        return seat_panel(v, seat, sitters, badges=badges)
    state = round_break_status(v, seat, _("ready for the next round"))
    line = _("{points} this round", points=digits(v.score[seat]))
    return seat_panel(v, seat, sitters, True, state=state, badges=badges, line=line, shows=v.score[seat])


def _badges(v: ScoutPosition, seat: int) -> tuple[Badge, ...]:
    cards, won, coins, ready = v.hand[seat], v.won[seat], v.coins[seat], v.marker[seat]
    hand = Badge("cards", cards, n_("{count} card in hand", "{count} cards in hand", cards), head=_("cards"))
    pile = Badge("won", won, n_("{count} card won", "{count} cards won", won), head=_("won"))
    if v.seats == TWO_PLAYERS:
        says = n_("{count} chip left to scout with", "{count} chips left to scout with", coins)
        return hand, pile, Badge("chip", coins, says, head=_("chips"))
    says, short = (_("Scout and Show ready"), _("ready")) if ready else (_("Scout and Show used"), _("used"))
    pennant = Badge("pennant", ready, says, spent=not ready, head=_("S+S"), short=short)
    return hand, pile, Badge("coin", coins, n_("{count} coin", "{count} coins", coins), head=_("coins")), pennant


def _scores_title(v: ScoutPosition) -> str:
    if v.over != RUNNING:
        return _("Final score")
    text = N_("After round {round} of {rounds}") if v.phase == Phase.SCORING else N_("Before round {round} of {rounds}")
    return _(text, round=v.round_number, rounds=rounds(v))


def _score(v: ScoutPosition, seat: int) -> ScoreRow:
    if v.phase != Phase.SCORING:
        return ScoreRow(seat, v.total[seat])
    won = v.over != RUNNING and seat in winners_of(v)
    return ScoreRow(seat, v.total[seat], _("{points} this round", points=digits(v.score[seat])), won, v.score[seat])


def _slip(v: ScoutPosition, seat: int, sitters: Sequence[Sitter]) -> Slip:
    won, coins, cards = v.won[seat], v.coins[seat], v.hand[seat]
    counts = seat != v.ender
    minus_hand = -cards if counts else 0
    in_hand = _("Cards in hand") if counts else _("Cards in hand ({cards}) don’t count", cards=cards)
    rows = (
        SlipRow(_("Cards won"), (), digits(won)),
        SlipRow(_("Chips left") if v.seats == TWO_PLAYERS else _("Coins"), (), digits(coins)),
        SlipRow(in_hand, (), digits(minus_hand)),
    )
    said = f"**{won} + {coins} − {-minus_hand} = {digits(v.score[seat])}.**"
    if not counts:
        stayed = N_("Nobody beat {who:'your} set, so {who:your|their} cards in hand cost nothing.")
        reason = stayed if cards else N_("{who} went out, so no cards are left in hand.")
        said = f"{said} {_(reason, who=player_phrase(sitters, seat, v.viewer))}"
    title = round_end_note(v, seat) or _("{points} in total", points=digits(v.total[seat]))
    return Slip(seat=seat, title=title, points=digits(v.score[seat]), rows=rows, sum=said)


# --- cards ------------------------------------------------------------------------------------------------------------


def _piece(card: Card | None, place: str, where: str) -> Piece:
    if card is None:
        return Piece(place, "back", name=_("face down"), where=where)
    return Piece(place, "face", card.code, card.name, where)


def _hand_pieces(hand: Sequence[Card | None], place: str, where: str = "") -> tuple[Piece, ...]:
    """Return the cards of a hand as pieces (cards on the page), from left to right.

    * `place`: the prefix of the ids. The cards are at the places with the ids ``{place}-1``, ``{place}-2`` and so on.
    * `where`: a template of the text that describes the place of a card. Its placeholders are ``{number}`` (of the
      card, from 1) and ``{cards}`` (number of cards in the hand). If empty, it is "card {number} of {cards}".
    """
    where, cards = where or _("card {number} of {cards}"), len(hand)
    return tuple(_piece(card, f"{place}-{i}", where.format(number=i, cards=cards)) for i, card in enumerate(hand, 1))


def _other_hand(v: ScoutPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    """Return the hand of another player as a zone (group of cards). It is face down until the match is over."""
    known = [card_word(kind) for kind in range(KINDS) if v.held[kind] == seat]
    note = _("has {cards}", cards=", ".join(known)) if known else ""
    says = _("{who:'Your} hand", who=player_phrase(sitters, seat, v.viewer))
    pieces = _hand_pieces(hand_of(v, seat), f"p{seat}")
    return Zone(f"fan-{seat}", "fan", "seat", pieces, seat=seat, size="small", note=note, says=says)


def _center_zones(v: ScoutPosition, sitters: Sequence[Sitter]) -> list[Zone]:
    zones = []
    cards = active_set(v)
    if cards:
        label = _active_set_label(v, up_numbers(cards), sitters)
        ends = [_("left end"), *[_("in the middle")] * (len(cards) - 2), _("right end")]
        ends = ends if len(cards) > 1 else [_("the only card")]
        lying = enumerate(zip(cards, ends, strict=True))
        pieces = tuple(_piece(card, active_place_id(i), where) for i, (card, where) in lying)
        note = _("Scout an end card or beat the set.") if can_scout(v) else ""
        zones.append(Zone("active", "row", "center", pieces, label, note=note, says=label.replace("**", "")))
    if v.aside:
        kept = rounds(v) > 1
        where = _("set aside for round two") if kept else _("set aside")
        back = Piece("aside", "back", name=_("face down"), where=where)
        label = _("For round two: **{cards}**", cards=v.aside) if kept else _("Not dealt: **{cards}**", cards=v.aside)
        zones.append(Zone("set-aside", "pile", "left", (back,), label, count=v.aside, says=_("Set aside")))
    return zones


def _active_set_label(v: ScoutPosition, numbers: Sequence[int], sitters: Sequence[Sitter]) -> str:
    """Return the label of the Active Set (set on the table), such as "**Noor’s** run: 5 6 7"."""
    owner = player_phrase(sitters, v.owner, v.viewer).brief
    if len(numbers) == 1:
        text = N_("**{who:'Your}** card: {numbers}")
    elif not is_of_equal_numbers(numbers):
        text = N_("**{who:'Your}** run: {numbers}")
    elif len(numbers) == PAIR:
        text = N_("**{who:'Your}** pair: {numbers}")
    else:
        return _(
            "**{who:'Your}** {alike}: {numbers}",
            who=owner,
            alike=three_or_more_of_a_kind_phrase(numbers),
            numbers=join_numbers(numbers),
        )
    return _(text, who=owner, numbers=join_numbers(numbers))


def _center_note_about_phase(v: ScoutPosition, sitters: Sequence[Sitter]) -> tuple[Panel, ...]:
    turn = player_phrase(sitters, v.turn, v.viewer).brief
    text = ""
    if v.phase == Phase.FLIP:
        text = _("**{who}** will play first", who=turn)
    elif v.phase == Phase.SCORING:
        text = how_round_ended(v, sitters)
    elif v.active == 0:
        text = _("No set to beat: **{who:you}** may show any set", who=turn)
    return (Panel("note", "note", "center", {"text": text}),) if text else ()


def _own_hand_zones(v: ScoutPosition) -> list[Zone]:
    hand = own_hand(v)
    if v.phase == Phase.FLIP:
        flipped = [card.turned() for card in hand]
        if v.opt.flip_order == FlipOrder.REVERSE:
            flipped.reverse()
        if v.acting >> v.viewer & 1:
            as_dealt, turned = _("card {number} of {cards}, as dealt"), _("card {number} of {cards}, flipped")
            return [
                _hand_option_zone("keep", _("As dealt"), _("Your hand, as dealt"), as_dealt, hand),
                _hand_option_zone("flip", _("Flipped"), _("Your hand, flipped"), turned, flipped),
            ]
        if v.sealed[v.viewer] == Act.FLIP:
            hand = flipped
    pieces = _hand_pieces(hand, "hand")
    if can_scout(v):
        gaps = [Piece(gap_place_id(i), "gap", name=_("gap"), where=gap_phrase(hand, i)) for i in range(len(hand) + 1)]
        pieces = (*chain.from_iterable(zip(gaps, pieces, strict=False)), gaps[-1])
    return [Zone("hand", "fan", "hand", pieces, _("Your hand"), v.viewer, size="large", says=_("Your hand"))]


def _hand_option_zone(zone: str, label: str, says: str, where: str, hand: Sequence[Card]) -> Zone:
    """Return a zone (group of cards) that shows the viewer's hand as dealt or flipped, with a bracket under each set.

    * `zone`: the id of the zone.
    * `label`: its visible label.
    * `says`: its name for screen readers.
    * `where`: the template of the text that describes the place of each card (see `_hand_pieces`).
    * `hand`: the cards to show, already flipped if the zone shows the flipped hand.
    """
    numbers = up_numbers(hand)
    sets = maximal_sets(numbers)
    longest = max((last - first + 1 for first, last in sets), default=1)
    note = _("no sets")
    if sets:
        note = n_(
            "{count} set of {longest} cards",
            "{count} sets, the longest with {longest} cards",
            len(sets),
            longest=longest,
        )
    spans = tuple((first, last, set_bracket_caption(numbers[first : last + 1])) for first, last in sets)
    pieces = _hand_pieces(hand, zone, where)
    return Zone(zone, "fan", "hand", pieces, label, marks=("option",), says=says, note=note, spans=spans)
