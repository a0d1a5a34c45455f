"""What happened in SCOUT, in words: the log, how a round ended, who won."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game import Happening
from facedown.core.state import RUNNING, SPECTATOR, plain_view
from facedown.core.table import Line, Sitter
from facedown.core.usual import winning
from facedown.core.voice import digits, has, is_you, listing, name_of, names_of, plural, verb, whose
from facedown.games.scout.cards import TURNED, TWO_PLAYERS, card_word
from facedown.games.scout.info import FlipPublic
from facedown.games.scout.rules import TURN_CAP, Act
from facedown.games.scout.state import Phase, ScoutPosition
from facedown.games.scout.view import active_set, in_a_row, leaders, shown_words, ups, winners_of
from facedown.games.scout.words import scout_parts

# --- the end of a round and of the match ------------------------------------------------------------------------------


def ending(v: ScoutPosition, seat: int) -> str:
    """What this seat had to do with the end of the round, in a few words."""
    if seat == v.stuck:
        return "could not go on"
    if seat != v.ender:
        return ""
    return "went out" if v.hand[seat] == 0 else "ended the round"


def how_round_ended(v: ScoutPosition, sitters: Sequence[Sitter]) -> str:
    """Why the round is over, in a sentence."""
    viewer, ender = v.viewer, v.ender
    if ender < 0:
        return f"The round was stopped after {TURN_CAP} turns: everybody counts their hand."
    if v.hand[ender] == 0:
        return f"{name_of(sitters, ender, viewer)} showed {verb(sitters, ender, viewer, 'your', 'their')} last card."
    if v.stuck >= 0:
        return f"{name_of(sitters, v.stuck, viewer)} could neither show nor scout."
    cards = in_a_row(ups(active_set(v))) or "set: all of it was scouted"
    return f"Nobody beat {whose(sitters, ender, viewer, middle=True)} {cards}."


def round_sentence(v: ScoutPosition, sitters: Sequence[Sitter]) -> str:
    """Who has the most of the round."""
    best = leaders([v.score[seat] for seat in range(v.seats)])
    who = f"{names_of(sitters, best, v.viewer)} {has(sitters, best, v.viewer)}"
    return f"{who} the most this round, {digits(v.score[best[0]])}."


def result_of(v: ScoutPosition, sitters: Sequence[Sitter]) -> str:
    """The result of the match in a sentence (SCT-16)."""
    best = winners_of(v)
    said = winning(sitters, best, v.viewer)
    most, *rest = sorted((v.total[seat] for seat in range(v.seats)), reverse=True)
    return f"{said} with {digits(most)}." if len(best) > 1 else f"{said}, {digits(most)} to {digits(rest[0])}."


# --- the log ----------------------------------------------------------------------------------------------------------


def open_to(action: int) -> bool:
    """From where in a hand cards came, and where they went, is the player's own business until the match is over."""
    return action == Act.CONTINUE


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    before, after = (plain_view(view, ScoutPosition) for view in (happening.before, happening.after))
    number = f"{before.turns + 1}"
    lines: list[Line] = []
    match Phase(before.phase), Phase(after.phase):
        case (Phase.FLIP, Phase.FLIP) | (Phase.SCORING, Phase.SCORING) | (Phase.TURN, Phase.SHOW):
            pass
        case Phase.FLIP, _:
            lines.append(Line("", _flips(before, after, happening, sitters)))
        case Phase.SCORING, _:
            lines.append(Line("", f"Round {after.round_number} was dealt."))
        case Phase.SHOW, _:
            lines.append(Line(number, _both(before, after, happening, sitters)))
        case _:
            lines.append(Line(number, _turn(before, after, happening, sitters)))
    if before.phase != after.phase == Phase.SCORING:
        lines.append(Line("", f"{how_round_ended(after, sitters)} {round_sentence(after, sitters)}"))
    if after.over != RUNNING:
        lines.append(Line("", f"**{result_of(after, sitters)}**"))
    return lines


def _turn(before: ScoutPosition, after: ScoutPosition, happening: Happening, sitters: Sequence[Sitter]) -> str:
    seat, viewer = happening.seat, happening.viewer
    name = f"**{name_of(sitters, seat, viewer)}**"
    if after.hand[seat] > before.hand[seat]:
        left = after.coins[seat]
        cost = f" {plural(left, 'chip') if left else 'No chips'} left." if after.seats == TWO_PLAYERS else ""
        turned, place = after.last_turn, after.last_place
        if happening.action is not None:
            _, turned, place = scout_parts(happening.action)
        return f"{name} scouted {_taken(after, sitters, viewer)}{_where(after, seat, place, turned)}.{cost}"
    return f"{name} showed {shown_words(ups(active_set(after)))}.{_won(before)}"


def _both(before: ScoutPosition, after: ScoutPosition, happening: Happening, sitters: Sequence[Sitter]) -> str:
    taken = _taken(before, sitters, happening.viewer)
    where = _where(before, happening.seat, before.last_place, before.last_turn)
    name, shown = name_of(sitters, happening.seat, happening.viewer), in_a_row(ups(active_set(after)))
    return f"**{name}** used Scout and Show: took {taken}{where}, showed **{shown}**.{_won(before)}"


def _won(before: ScoutPosition) -> str:
    return f" Won {plural(before.active, 'card')}." if before.active else ""


def _taken(v: ScoutPosition, sitters: Sequence[Sitter], viewer: int) -> str:
    """The card scouted last, as it lay: "the 3/10 from the left of Sol’s set"."""
    owner = v.last_owner
    end = f"the {'right' if v.last_end else 'left'} of {whose(sitters, owner, viewer, middle=True)} set"
    where = name_of(sitters, owner, viewer, middle=True) if v.last_only else end
    return f"the **{card_word(v.last_kind + TURNED * v.last_flip)}** from {where}"


def _where(v: ScoutPosition, seat: int, place: int, turned: int) -> str:
    """Where a scouted card went and which way up, for those who may know."""
    if place < 0:
        return ""
    return f", {'turned' if turned else 'as it lay'}, to place {place + 1} of {v.hand[seat]}"


def _flips(before: ScoutPosition, after: ScoutPosition, happening: Happening, sitters: Sequence[Sitter]) -> str:
    viewer = happening.viewer
    starter = name_of(sitters, after.turn, viewer)
    starts = f"**{starter}** {verb(sitters, after.turn, viewer, 'start', 'starts')}."
    if after.opt.flip_public == FlipPublic.YES:
        who = [seat for seat in range(after.seats) if after.flipped[seat] == 1]
        if not who:
            return f"Nobody flipped. {starts}"
        names = listing([f"**{name_of(sitters, seat, viewer, middle=i > 0)}**" for i, seat in enumerate(who)])
        alone = "your hand" if is_you(sitters, who[0], viewer) else "their hand"
        hands = alone if len(who) == 1 else "their hands"
        return f"{names} flipped {hands}. {starts}"
    mine = ""
    if viewer != SPECTATOR:
        choice = happening.action if happening.seat == viewer else before.sealed[viewer]
        mine = "You flipped your hand. " if choice == Act.FLIP else "You kept your hand as it was. "
    return f"{mine}All have chosen. {starts}"
