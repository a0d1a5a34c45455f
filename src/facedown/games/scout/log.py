"""What happened in SCOUT, in words: the log, how a round ended, who won."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game import Happening
from facedown.core.state import RUNNING, SPECTATOR, plain_view
from facedown.core.table import Line, Sitter
from facedown.core.voice import digits, has, is_you, listing, name_of, names_of, verb, whose
from facedown.games.scout.cards import TWO_PLAYERS, face_code
from facedown.games.scout.info import FlipPublic
from facedown.games.scout.rules import CONTINUE, FLIP, TURN_CAP
from facedown.games.scout.state import FLIPPING, SCORING, SHOWING, ScoutPosition
from facedown.games.scout.view import active_set, in_a_row, shown_words, ups, winners_of
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
    viewer, ender, stuck = v.viewer, v.ender, v.stuck
    if ender < 0:
        return f"The round was stopped after {TURN_CAP} turns: everybody counts their hand."
    name = name_of(sitters, ender, viewer)
    if v.hand[ender] == 0:
        return f"{name} showed {verb(sitters, ender, viewer, 'your', 'their')} last card."
    if stuck >= 0:
        return f"{name_of(sitters, stuck, viewer)} could neither show nor scout."
    cards = active_set(v)
    owner = whose(sitters, ender, viewer, middle=True)
    return (
        f"Nobody beat {owner} {in_a_row(ups(cards))}." if cards else f"Nobody beat {owner} set: all of it was scouted."
    )


def round_sentence(v: ScoutPosition, sitters: Sequence[Sitter]) -> str:
    """Who has the most of the round."""
    viewer = v.viewer
    scores = [v.score[seat] for seat in range(v.seats)]
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    names = names_of(sitters, best, viewer)
    return f"{names} {has(sitters, best, viewer)} the most this round, {digits(max(scores))}."


def result_of(v: ScoutPosition, sitters: Sequence[Sitter]) -> str:
    """The result of the match in a sentence (SCT-16)."""
    viewer = v.viewer
    best = winners_of(v)
    names = names_of(sitters, best, viewer)
    total = digits(v.total[best[0]])
    if len(best) > 1:
        return f"{names} share the win with {total}."
    rest = sorted((v.total[seat] for seat in range(v.seats) if seat not in best), reverse=True)
    return f"{names} {verb(sitters, best[0], viewer, 'win', 'wins')}, {total} to {digits(rest[0])}."


# --- the log ----------------------------------------------------------------------------------------------------------


def open_to(action: int) -> bool:
    """From where in a hand cards came, and where they went, is the player's own business until the match is over."""
    return action == CONTINUE


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    before, after = (plain_view(view, ScoutPosition) for view in (happening.before, happening.after))
    viewer = happening.viewer
    phase = before.phase
    number = f"{before.turns + 1}"
    lines: list[Line] = []
    if phase == FLIPPING:
        if after.phase != FLIPPING:
            lines.append(Line("", _flips(before, after, happening, sitters)))
    elif phase == SCORING:
        if after.phase != SCORING:
            lines.append(Line("", f"Round {after.round_number} was dealt."))
    elif phase == SHOWING:
        taken = _taken(before, sitters, viewer)
        name = name_of(sitters, happening.seat, viewer)
        shown = in_a_row(ups(active_set(after)))
        where = _where_to(before, happening.seat, before.last_place, before.last_turn)
        said = f"**{name}** used Scout and Show: took {taken}{where}, showed **{shown}**.{_won(before)}"
        lines.append(Line(number, said))
    elif after.phase != SHOWING:
        lines.append(Line(number, _turn(before, after, happening, sitters)))
    if after.phase == SCORING and phase != SCORING:
        lines.append(Line("", f"{how_round_ended(after, sitters)} {round_sentence(after, sitters)}"))
    if after.over != RUNNING:
        lines.append(Line("", f"**{result_of(after, sitters)}**"))
    return lines


def _turn(before: ScoutPosition, after: ScoutPosition, happening: Happening, sitters: Sequence[Sitter]) -> str:
    seat, viewer = happening.seat, happening.viewer
    name = f"**{name_of(sitters, seat, viewer)}**"
    if after.hand[seat] > before.hand[seat]:
        cost = ""
        if after.seats == TWO_PLAYERS:
            left = after.coins[seat]
            cost = f" {left if left else 'No'} chip{'' if left == 1 else 's'} left."
        return f"{name} scouted {_taken(after, sitters, viewer)}{_where(after, happening)}.{cost}"
    return f"{name} showed {shown_words(ups(active_set(after)))}.{_won(before)}"


def _won(before: ScoutPosition) -> str:
    cards = before.active
    return f" Won {cards} card{'' if cards == 1 else 's'}." if cards else ""


def _taken(v: ScoutPosition, sitters: Sequence[Sitter], viewer: int) -> str:
    """The card scouted last, as it lay: "the 3/10 from the left of Sol’s set"."""
    code = face_code(v.last_kind, v.last_flip)
    owner = v.last_owner
    if v.last_only:
        return f"the **{code}** from {name_of(sitters, owner, viewer, middle=True)}"
    end = "right" if v.last_end else "left"
    return f"the **{code}** from the {end} of {whose(sitters, owner, viewer, middle=True)} set"


def _where(after: ScoutPosition, happening: Happening) -> str:
    """Where a scouted card went and which way up, for those who may know."""
    place, turned = after.last_place, after.last_turn
    if happening.action is not None:
        _, turned, place = scout_parts(happening.action)
    return _where_to(after, happening.seat, place, turned)


def _where_to(v: ScoutPosition, seat: int, place: int, turned: int) -> str:
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
        hands = "your hand" if len(who) == 1 and is_you(sitters, who[0], viewer) else "their hand"
        hands += "s" if len(who) > 1 else ""
        return f"{names} flipped {hands}. {starts}"
    mine = ""
    if viewer != SPECTATOR:
        choice = happening.action if happening.seat == viewer else before.sealed[viewer]
        mine = "You flipped your hand. " if choice == FLIP else "You kept your hand as it was. "
    return f"{mine}All have chosen. {starts}"
