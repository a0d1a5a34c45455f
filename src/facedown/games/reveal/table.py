"""Table of Reveal as data for the page and the terminal. It is built from a viewer's view, never from a full state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from facedown.core.bit_masks import includes
from facedown.core.grammar import PlayerPhrase, capital, in_words, is_you, name_of, player_phrase
from facedown.core.state import OPEN, RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Layout, Panel, Piece, ScoreRow, SeatPanel, Sitter, Slip, SlipRow, Table, Zone
from facedown.core.table_building import bare_table, round_break_status, seat_panel
from facedown.core.translation import cache_by_language, join_names, lru_cache_by_language
from facedown.games.reveal.cards import (
    NAMES,
    card_list_phrase,
    card_name,
    column_adjective,
    column_position_word,
    column_title,
)
from facedown.games.reveal.i18n import N_, _, n_
from facedown.games.reveal.info import INFO, End, FinalMode
from facedown.games.reveal.log import column_points_sentence, hand_winner_sentence
from facedown.games.reveal.prompts import step_of
from facedown.games.reveal.rules import (
    FINALS,
    RULES,
    SEATS,
    Act,
    Phase,
    RevealPosition,
    base_slot,
    column_of,
    dealt_card_count,
    side_slot,
)
from facedown.games.reveal.view import (
    BASE_PART,
    COLUMN_LETTERS,
    FINAL_PART,
    GRAND_REVEAL_TITLES,
    ColumnCount,
    base_place_id,
    bottom_seat,
    column_count,
    end_place_id,
    final_place_id,
    grand_reveal_steps,
    hand_place_id,
    has_confirmed,
    kind_at,
    seats_own_first,
    side_place_id,
    winners_of,
)

#: Size of the cache of texts that describe places on the players' sides, such as "your row 1, left". It is enough for a
#: few hundred tables.
ROWS_KEPT = 4096
PHASES = tuple(phase.name.lower() for phase in Phase)
#: Changes of phase, as (phase before an action, phase after it), that do not end a turn: if the same seat is to act
#: again, it is still the same turn.
TURN_CONTINUATIONS = frozenset({("swap", "swap"), ("final", "final")})


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """Return everything that the viewer sees on the table, except the log."""
    v = plain_view(view, RevealPosition)
    scored = v.phase == Phase.SCORING
    played = v.hand_number if scored else v.hand_number - 1
    hands = n_("After {number} hand", "After {number} hands", played, number=in_words(played))
    return replace(
        bare_table(INFO, v, PHASES[v.phase], step_of(v, RULES.legal_actions(view, v.viewer), sitters)),
        where=_progress_texts(v),
        seats=tuple(_panel(v, seat, sitters) for seat in range(SEATS)),
        zones=tuple(_zones(v, sitters)),
        panels=_scoring_panel_or_note(v, sitters),
        scores_title=hands if played else _("Before the first hand"),
        scores=tuple(_score(v, seat, played) for seat in range(SEATS)),
        slips=tuple(_slip(column_count(v, seat), v.viewer, sitters) for seat in seats_own_first(v)) if scored else (),
        layout=Layout("lanes"),
        round=v.hand_number,
        winners=tuple(winners_of(v)),
    )


def _progress_texts(v: RevealPosition) -> tuple[str, ...]:
    hand, end = v.hand_number, v.opt.end_at
    if v.over != RUNNING:
        return _("Hand {number}", number=hand), _("the match is over")
    if v.opt.end == End.GOAL:
        length = _("Hand {number}, playing to {goal}", number=hand, goal=end)
    elif hand <= end:
        length = _("Hand {number} of {hands}", number=hand, hands=end)
    else:
        length = _("Hand {number}, extra hand", number=hand)
    if v.phase == Phase.SCORING:
        return length, _("Grand Reveal")
    if v.phase == Phase.FINAL:
        return length, _("final round")
    return length, _("round {number} of {rounds}", number=v.row + 1, rounds=v.rows)


# --- seat panels and scores -------------------------------------------------------------------------------------------


def _panel(v: RevealPosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    state, done = _seat_status(v, seat)
    line = n_("{count} point", "{count} points", v.total[seat])
    return seat_panel(v, seat, sitters, line=line, state=state, done=done, says_total=True)


def _seat_status(v: RevealPosition, seat: int) -> tuple[str, str]:
    """Return a text that says what a seat is doing, and a keyword for the step that this seat has completed.

    The keyword is "ready" (for the next hand), "confirmed" (the column), "chosen" (in secret) or "" (nothing), as in
    `SeatPanel.done`. After the match, both are empty.
    """
    acting, column = v.acting >> seat & 1, v.choice[seat]
    if v.over != RUNNING:
        return "", ""
    if v.phase == Phase.SCORING:
        return round_break_status(v, seat, _("ready for the next hand")), "" if acting else "ready"
    if has_confirmed(v, seat):
        return _("confirmed: {column}", column=column_position_word(column)), "confirmed"
    if column >= 0:
        return _("chose {column} for now", column=column_position_word(column)), ""
    if acting:
        return (_("placing cards") if seat == v.viewer and v.phase == Phase.PLACE else _("choosing")), ""
    waits = v.phase == Phase.FINAL and v.opt.final_mode != FinalMode.SEALED
    return (_("waiting"), "") if waits else (_("has chosen"), "chosen")


def _score(v: RevealPosition, seat: int, played: int) -> ScoreRow:
    if not played:
        return ScoreRow(seat, v.total[seat])
    line = _("hand {number}: {points}", points=v.score[seat], number=played)
    return ScoreRow(seat, v.total[seat], line, seat in winners_of(v), v.score[seat])


# --- zones of cards ---------------------------------------------------------------------------------------------------


def _zones(v: RevealPosition, sitters: Sequence[Sitter]) -> list[Zone]:
    across = (1 - bottom_seat(v), bottom_seat(v))
    laying, scored = v.row < v.rows, v.phase == Phase.SCORING
    return [
        *(_other_hand(v, seat, sitters) for seat in across if seat != v.viewer and laying),
        *(zone for column in range(v.columns) for zone in _column_zones(v, column, sitters)),
        # The Final Card of a seat is shown outside the columns until the seat has chosen a column, and again after
        # scoring.
        *(_final_zone(v, seat, sitters) for seat in across if scored or _chosen_column(v, seat) < 0),
        *([] if scored else _piles(v)),
        *([_own_hand(v)] if v.viewer != SPECTATOR and laying else []),
    ]


def _other_hand(v: RevealPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    """Return the other player's hand as a zone (group of cards on the page), with all cards face down.

    The page moves placed cards from the hands to the row only when both players have placed theirs. Until then this
    zone shows the full hand, so that the hand of a player who places first does not look empty.
    """
    pieces = tuple(_card(f"p{seat}-hand-{place + 1}", None, _("in hand")) for place in range(v.columns))
    label, says = (
        _("{count} in hand", count=v.columns),
        _("{who:'Your} hand", who=player_phrase(sitters, seat, v.viewer)),
    )
    return Zone(f"hand-of-{seat}", "fan", "seat", pieces, label, seat, size="small", says=says)


def _own_hand(v: RevealPosition) -> Zone:
    sealed = v.sealed[v.viewer]
    placed = sealed != OPEN and v.phase == Phase.PLACE
    going = sealed - Act.SWAP if sealed not in (OPEN, Act.STOP) and v.phase == Phase.SWAP else 0
    pieces = []
    for place in range(v.columns):
        where = _("card {number} in your hand", number=place + 1)
        if placed:
            pieces.append(Piece(hand_place_id(place), "slot", name=_("placed"), where=where))
        else:
            kind, marks = kind_at(v, side_slot(v.viewer, v.row, place)), ("picked",) if includes(going, place) else ()
            pieces.append(_card(hand_place_id(place), kind, where, marks))
    return Zone("hand", "row", "hand", tuple(pieces), label=_("your hand"), seat=v.viewer, says=_("Your hand"))


def _card(place: str, kind: int | None, where: str, marks: tuple[str, ...] = (), tag: str = "", row: int = 0) -> Piece:
    """Return a card as a piece (card on the page) with its colour, or with its back if `kind` is None.

    * `kind`: the index of the colour, or `WILD`.
    * `place`: the id of the card's place on the page.
    * `where`: describes this place in words.
    * `marks`, `tag` and `row`: see `Piece`.
    """
    if kind is None:
        return Piece(place, "back", name=_("face down"), where=where, marks=marks, tag=tag, row=row)
    return Piece(place, "face", NAMES[kind], card_name(kind), where, marks, tag, row=row)


def _column_zones(v: RevealPosition, column: int, sitters: Sequence[Sitter]) -> list[Zone]:
    """Return the three zones (groups of cards on the page) of a column, from top to bottom.

    They are the other player's side, the base, and the viewer's side.
    """
    letter, name = COLUMN_LETTERS[column], column_position_word(column)
    bottom = bottom_seat(v)
    top = 1 - bottom
    choosers = [seat for seat in range(SEATS) if v.choice[seat] == column]
    scored = v.phase == Phase.SCORING
    faded = ("faded",) if scored and not choosers else ()
    marks = ("tray", "chosen") if choosers else ("tray",)

    def tray(zone: str, what: str, brief: str, pieces: Iterable[Piece], seat: int | None = None) -> Zone:
        says = _("{what}, {column}", what=what, column=name)
        place = f"{zone}-{letter}"
        return Zone(
            place, "cascade", "center", tuple(pieces), seat=seat, group=letter, marks=marks, says=says, brief=brief
        )

    def side_of(seat: int) -> Zone:
        owner = player_phrase(sitters, seat, v.viewer)
        brief = _("your") if is_you(sitters, seat, v.viewer) else str(owner)
        pieces = _side(v, seat, column, sitters, faded)
        # The page normally shows the upper corners of overlapping cards. But if the field `seat` of a zone is the
        # player opposite, it shows the lower corners. After the scoring, both sides should show the upper corners, so
        # the zone of the player opposite then gets None as its `seat`.
        belongs = None if scored and seat == top else seat
        pieces = pieces[::-1] if seat == top else pieces
        return tray(f"side-{seat}", _("{who:'Your} side", who=owner), brief, pieces, belongs)

    def base_card(row: int) -> Piece:
        where, kind = _base_row_name(row, column), kind_at(v, base_slot(row, column))
        return _card(base_place_id(row, column), kind, where, faded, row=row + 1)

    base = tray("base", _("Base"), _("base"), map(base_card, range(v.rows)))
    own = replace(side_of(bottom), label=_choosers_label(v, choosers, sitters) if scored else "")
    return [side_of(top), base, own]


@cache_by_language
def _base_row_name(row: int, column: int) -> str:
    return _("base row {number}, {column}", number=row + 1, column=column_position_word(column))


@lru_cache_by_language(ROWS_KEPT)
def _side_row_name(owner: PlayerPhrase, row: int, column: int) -> str:
    return _("{who:'your} row {number}, {column}", who=owner, number=row + 1, column=column_position_word(column))


def _choosers_label(v: RevealPosition, choosers: Sequence[int], sitters: Sequence[Sitter]) -> str:
    if len(choosers) != 1:
        return _("Head to head") if choosers else ""
    return _("{who:'Yours}", who=player_phrase(sitters, choosers[0], v.viewer).brief)


def _side(
    v: RevealPosition, seat: int, column: int, sitters: Sequence[Sitter], extra_marks: tuple[str, ...]
) -> list[Piece]:
    """Return a seat's side of a column as pieces (cards and empty places on the page).

    The pieces are, from the base outwards:

    * the card in each row that has been placed;
    * the place for the card in the row that is being played, until all rows have been placed;
    * in the final round, the Final Card or the place for it.

    `extra_marks` are names of special looks, such as "faded" for cards that do not count. They are added to the field
    `marks` of the cards in the rows that have been placed.
    """
    owner = player_phrase(sitters, seat, v.viewer)
    scored = v.phase == Phase.SCORING
    pieces = []
    for row in range(min(v.row + 1, v.rows)):
        place = side_place_id(seat, row, column)
        where = _side_row_name(owner, row, column)
        if row < v.row:
            kind = kind_at(v, side_slot(seat, row, column))
            seen = ("only-you",) if kind is not None and not scored else ()
            pieces.append(_card(place, kind, where, extra_marks + seen, row=row + 1))
        elif seat == v.viewer and v.phase == Phase.PLACE and v.sealed[seat] != OPEN:
            pieces.append(_card(place, None, where, ("picked",), row=row + 1))
        else:
            pieces.append(Piece(place, "slot", name=_("empty space"), where=where, row=row + 1))
    if v.row == v.rows and not scored:
        pieces.append(_column_end_piece(v, seat, column, sitters))
    return pieces


def _chosen_column(v: RevealPosition, seat: int) -> int:
    """Return the column that a seat has chosen for its Final Card.

    Return -1 if it has chosen none, or if the viewer may not know it.
    """
    if seat == v.viewer and v.phase == Phase.FINAL and v.sealed[seat] != OPEN:
        return column_of(v.sealed[seat])
    return v.choice[seat]


def _column_end_piece(v: RevealPosition, seat: int, column: int, sitters: Sequence[Sitter]) -> Piece:
    """Return the piece (card on the page) at a column's end in the final round: the Final Card, or an empty place."""
    owner = player_phrase(sitters, seat, v.viewer)
    where = _("{who:'your} end of the {side} column", who=owner, side=column_adjective(column))
    place = end_place_id(seat, column)
    if _chosen_column(v, seat) != column:
        return Piece(place, "slot", name=_("empty space"), where=where, marks=("end",))
    sure = ("confirmed",) if has_confirmed(v, seat) or v.sealed[seat] != OPEN else ()
    return _card(place, None, where, ("chosen", "end", *sure), tag=_("{who:you}", who=owner.brief))


def _final_zone(v: RevealPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    # The label must fit on one line of the narrowest phone. Screen readers read the full name of the player.
    owner = player_phrase(sitters, seat, v.viewer)
    note, says = _("{who:'Your} Final", who=owner.brief), _("{who:'Your} Final Card", who=owner)
    piece = _card(final_place_id(seat), kind_at(v, FINALS + seat), says)
    return Zone(f"final-card-{seat}", "row", "right", (piece,), seat=seat, note=note, says=says)


def _piles(v: RevealPosition) -> list[Zone]:
    # Cards used in earlier hands and not shuffled again count as part of the discard pile.
    draws, discards = v.live - dealt_card_count(v.rows, v.columns) - v.drawn, v.drawn + v.cards - v.live
    return [
        _pile("draw", draws, _("draw pile"), _("**{count}** left", count=draws)),
        _pile("discard", discards, _("discard pile"), _("**{count}** discarded", count=discards)),
    ]


def _pile(name: str, count: int, where: str, label: str) -> Zone:
    piece = _card(name, None, where) if count else Piece(name, "slot", name=_("empty"), where=where)
    return Zone(f"{name}-pile", "pile", "left", (piece,), label=label, count=count, says=capital(where))


def _scoring_panel_or_note(v: RevealPosition, sitters: Sequence[Sitter]) -> tuple[Panel, ...]:
    if v.phase == Phase.SCORING:
        return (_grand_reveal(v, sitters),)
    if v.phase == Phase.FINAL:
        return ()
    text = _("Nobody sees the Final Cards before the Grand Reveal.")
    return (Panel("final-note", "note", "right", {"text": text}),)


# --- explanation of the points ----------------------------------------------------------------------------------------


def _slip(count: ColumnCount, viewer: int, sitters: Sequence[Sitter]) -> Slip:
    """Return the score slip that explains a player's points card by card.

    The cards that count are numbered. The root (the base card whose colour counts) is marked.
    """
    seat = count.seat
    sides = (_("{who:'Your} side", who=player_phrase(sitters, one, viewer).brief) for one in (seat, 1 - seat))
    rows = []
    number = 0
    for part, (label, cards) in enumerate(zip((_("Base"), *sides, _("Final Card")), count.parts, strict=True)):
        pieces = []
        for at, (_place, kind, counts) in enumerate(cards):
            number += counts
            root = part == BASE_PART and at == count.root_row
            marks = (() if counts else ("faded",)) + (("root",) if root else ())
            where = _("{part}, row {number}", part=label, number=at + 1) if part != FINAL_PART else label
            pieces.append(_card(f"slip-{seat}-{part}-{at}", kind, where, marks, str(number) if counts else ""))
        rows.append(SlipRow(label, tuple(pieces), str(count.subtotal(part))))
    title = column_title(count.column)
    if count.points and count.root is not None:
        title = _("{column}, {colour}", column=title, colour=card_name(count.root))
    return Slip(seat, title, str(count.points), tuple(rows), column_points_sentence(count, viewer, sitters))


def _grand_reveal(v: RevealPosition, sitters: Sequence[Sitter]) -> Panel:
    """Return the panel that shows the Grand Reveal (the flipping at the end of a hand) step by step.

    Each step has the places whose cards are flipped, both players' sums after it, a line of text, and the text that a
    screen reader reads.
    """
    (_open, start), *later = grand_reveal_steps(v)
    owners = [player_phrase(sitters, seat, v.viewer) for seat in seats_own_first(v)]
    turning = sum(len(places) > 0 for places, _counts in later)
    steps: list[dict[str, Any]] = []
    before, number = start, 0
    for says, (places, counts) in zip(GRAND_REVEAL_TITLES, later, strict=True):
        number += len(places) > 0
        grown = list(zip(before, counts, owners, strict=True))
        said, sums = (
            " ".join(_sum_change_sentence(*one) for one in grown),
            [_sum_data(v, count, sitters) for count in counts],
        )
        line = " · ".join(_gain_text(*one) for one in grown)
        if says == GRAND_REVEAL_TITLES[0]:
            line = _unchosen_columns_sentence(v, [count.column for count in counts])
            said = " ".join([line, _("The counts stay the same.")]).strip()
        elif says == GRAND_REVEAL_TITLES[-1]:
            line = hand_winner_sentence(v, sitters)
            said = f"{said} {line}"
            sums = [one | {"sum": str(count.points)} for one, count in zip(sums, counts, strict=True)]
        now = _("Step {step} of {steps}.", step=number, steps=turning)
        steps.append({"says": _(says), "places": places, "sums": sums, "line": line, "said": f"{now} {said}"})
        before = counts
    line = _("Counting the base alone: {sums}.", sums=join_names([str(count.total_count) for count in start]))
    data = {"steps": steps, "sums": [_sum_data(v, count, sitters) for count in start], "line": line}
    return Panel("reveal-steps", "steps", "center", data)


def _sum_data(v: RevealPosition, count: ColumnCount, sitters: Sequence[Sitter]) -> dict[str, Any]:
    """Return a player's sum (number of cards that count) after a step of the Grand Reveal, as data for the page.

    The data has the player's name, the column, the sum, and the cards that count.
    """
    colour = _("no colour") if count.root is None else card_name(count.root)
    line = _("{column}, {colour}", column=column_position_word(count.column), colour=colour)
    cards = [{"place": card.place, "face": NAMES[card.kind], "to": str(at)} for at, card in enumerate(count.cards, 1)]
    return {"name": name_of(sitters, count.seat, v.viewer), "line": line, "sum": str(count.total_count), "cards": cards}


def _unchosen_columns_sentence(v: RevealPosition, chosen: Sequence[int]) -> str:
    unchosen = [column_position_word(column) for column in range(v.columns) if column not in chosen]
    if not unchosen:
        return ""
    text = n_(
        "The {columns} column counts for nobody.",
        "The {columns} columns count for nobody.",
        len(unchosen),
        columns=join_names(unchosen),
    )
    return capital(text)


def _gain_text(before: ColumnCount, after: ColumnCount, one: PlayerPhrase) -> str:
    """Return how many more cards count for a player after a step of the Grand Reveal: "+2 for you"."""
    more = after.total_count - before.total_count
    text = N_("+{number} for {who:you}") if more else N_("nothing for {who:you}")
    return _(text, number=more, who=one.brief)


def _sum_change_sentence(before: ColumnCount, after: ColumnCount, player: PlayerPhrase) -> str:
    """Return a sentence that says what a step of the Grand Reveal adds to a player's count.

    The Grand Reveal is the flipping at the end of a hand. The sentence names the cards that count since this step, and
    the new count: "You: two reds, making four". If the colour that counts has changed in this step, the sentence names
    the new colour instead of the cards.

    * `before` and `after`: the counts before and after the step.
    * `player`: the player's name in sentences, or "you".
    """
    had = {card.place for card in before.cards}
    now = in_words(after.total_count)
    if after.root != before.root and before.root is not None and after.root is not None:
        return _(
            "{who}: {colour} now scores best, with {number}.", who=player, colour=card_name(after.root), number=now
        )
    new = card_list_phrase([card.kind for card in after.cards if card.place not in had])
    text = N_("{who}: {cards}, making {number}.") if new else N_("{who}: nothing new.")
    return _(text, who=player, cards=new, number=now)
