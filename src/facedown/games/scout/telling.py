"""SCOUT in sentences: the log, how a round ended, who won. Everything is worked out from views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core.game import Happening
from facedown.core.state import RUNNING, SPECTATOR
from facedown.core.table import Line, Sitter
from facedown.core.voice import digits, has, is_you, listing, name_of, names_of, verb, whose
from facedown.games.scout.deck import TWO_PLAYERS, face_code
from facedown.games.scout.reading import active_set, in_a_row, shown_words, ups
from facedown.games.scout.rules import CONTINUE, FLIP, TURN_CAP
from facedown.games.scout.state import FLIPPING, SCORING, SHOWING
from facedown.games.scout.words import scout_parts

# --- the end of a round and of the match ------------------------------------------------------------------------------


def ending(view: Any, seat: int) -> str:
    """What this seat had to do with the end of the round, in a few words."""
    if seat == int(view.stuck):
        return "could not go on"
    if seat != int(view.ender):
        return ""
    return "went out" if int(view.hand[seat]) == 0 else "ended the round"


def how_round_ended(view: Any, sitters: Sequence[Sitter]) -> str:
    """Why the round is over, in a sentence."""
    viewer, ender, stuck = int(view.viewer), int(view.ender), int(view.stuck)
    if ender < 0:
        return f"The round was stopped after {TURN_CAP} turns: everybody counts their hand."
    name = name_of(sitters, ender, viewer)
    if int(view.hand[ender]) == 0:
        return f"{name} showed {verb(sitters, ender, viewer, 'your', 'their')} last card."
    if stuck >= 0:
        return f"{name_of(sitters, stuck, viewer)} could neither show nor scout."
    cards = active_set(view)
    owner = whose(sitters, ender, viewer, middle=True)
    return (
        f"Nobody beat {owner} {in_a_row(ups(cards))}." if cards else f"Nobody beat {owner} set: all of it was scouted."
    )


def round_sentence(view: Any, sitters: Sequence[Sitter]) -> str:
    """Who has the most of the round."""
    viewer = int(view.viewer)
    scores = [int(view.score[seat]) for seat in range(int(view.seats))]
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    names = names_of(sitters, best, viewer)
    return f"{names} {has(sitters, best, viewer)} the most this round, {digits(max(scores))}."


def winners(view: Any) -> list[int]:
    """The seats with the highest total."""
    totals = [int(view.total[seat]) for seat in range(int(view.seats))]
    return [seat for seat, total in enumerate(totals) if total == max(totals)]


def result(view: Any, sitters: Sequence[Sitter]) -> str:
    """The result of the match in a sentence (SCT-16)."""
    viewer = int(view.viewer)
    best = winners(view)
    names = names_of(sitters, best, viewer)
    total = digits(int(view.total[best[0]]))
    if len(best) > 1:
        return f"{names} share the win with {total}."
    rest = sorted((int(view.total[seat]) for seat in range(int(view.seats)) if seat not in best), reverse=True)
    return f"{names} {verb(sitters, best[0], viewer, 'win', 'wins')}, {total} to {digits(rest[0])}."


# --- the log ----------------------------------------------------------------------------------------------------------


def open_to(action: int) -> bool:
    """From where in a hand cards came, and where they went, is the player's own business until the match is over."""
    return action == CONTINUE


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    before, after, viewer = happening.before, happening.after, happening.viewer
    phase = int(before.phase)
    number = f"{int(before.turns) + 1}"
    lines: list[Line] = []
    if phase == FLIPPING:
        if int(after.phase) != FLIPPING:
            lines.append(Line("", _flips(happening, sitters)))
    elif phase == SCORING:
        if int(after.phase) != SCORING:
            lines.append(Line("", f"Round {int(after.round_number)} was dealt."))
    elif phase == SHOWING:
        taken = _taken(before, sitters, viewer)
        name = name_of(sitters, happening.seat, viewer)
        shown = in_a_row(ups(active_set(after)))
        where = _where_to(before, happening.seat, int(before.last_place), int(before.last_turn))
        said = f"**{name}** used Scout and Show: took {taken}{where}, showed **{shown}**.{_won(before)}"
        lines.append(Line(number, said))
    elif int(after.phase) != SHOWING:
        lines.append(Line(number, _turn(happening, sitters)))
    if int(after.phase) == SCORING and phase != SCORING:
        lines.append(Line("", f"{how_round_ended(after, sitters)} {round_sentence(after, sitters)}"))
    if int(after.over) != RUNNING:
        lines.append(Line("", f"**{result(after, sitters)}**"))
    return lines


def _turn(happening: Happening, sitters: Sequence[Sitter]) -> str:
    before, after, seat, viewer = happening.before, happening.after, happening.seat, happening.viewer
    name = f"**{name_of(sitters, seat, viewer)}**"
    if int(after.hand[seat]) > int(before.hand[seat]):
        cost = ""
        if int(after.seats) == TWO_PLAYERS:
            left = int(after.coins[seat])
            cost = f" {left if left else 'No'} chip{'' if left == 1 else 's'} left."
        return f"{name} scouted {_taken(after, sitters, viewer)}{_where(happening)}.{cost}"
    return f"{name} showed {shown_words(ups(active_set(after)))}.{_won(before)}"


def _won(before: Any) -> str:
    cards = int(before.active)
    return f" Won {cards} card{'' if cards == 1 else 's'}." if cards else ""


def _taken(view: Any, sitters: Sequence[Sitter], viewer: int) -> str:
    """The card scouted last, as it lay: "the 3/10 from the left of Sol’s set"."""
    code = face_code(int(view.last_kind), int(view.last_flip))
    owner = int(view.last_owner)
    if int(view.last_only):
        return f"the **{code}** from {name_of(sitters, owner, viewer, middle=True)}"
    end = "right" if int(view.last_end) else "left"
    return f"the **{code}** from the {end} of {whose(sitters, owner, viewer, middle=True)} set"


def _where(happening: Happening) -> str:
    """Where a scouted card went and which way up, for those who may know."""
    after = happening.after
    place, turned = int(after.last_place), int(after.last_turn)
    if happening.action is not None:
        _, turned, place = scout_parts(happening.action)
    return _where_to(after, happening.seat, place, turned)


def _where_to(view: Any, seat: int, place: int, turned: int) -> str:
    if place < 0:
        return ""
    return f", {'turned' if turned else 'as it lay'}, to place {place + 1} of {int(view.hand[seat])}"


def _flips(happening: Happening, sitters: Sequence[Sitter]) -> str:
    before, after, viewer = happening.before, happening.after, happening.viewer
    starter = name_of(sitters, int(after.turn), viewer)
    starts = f"**{starter}** {verb(sitters, int(after.turn), viewer, 'start', 'starts')}."
    if int(after.flip_public) == 1:
        who = [seat for seat in range(int(after.seats)) if int(after.flipped[seat]) == 1]
        if not who:
            return f"Nobody flipped. {starts}"
        names = listing([f"**{name_of(sitters, seat, viewer, middle=i > 0)}**" for i, seat in enumerate(who)])
        hands = "your hand" if len(who) == 1 and is_you(sitters, who[0], viewer) else "their hand"
        hands += "s" if len(who) > 1 else ""
        return f"{names} flipped {hands}. {starts}"
    mine = ""
    if viewer != SPECTATOR:
        choice = happening.action if happening.seat == viewer else int(before.sealed[viewer])
        mine = "You flipped your hand. " if choice == FLIP else "You kept your hand as it was. "
    return f"{mine}All have chosen. {starts}"
