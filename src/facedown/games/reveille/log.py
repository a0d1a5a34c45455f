"""What happened in Reveille, in words, for each viewer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facedown.core.game import Happening
from facedown.core.state import ABANDONED, RUNNING, SPECTATOR, plain_view
from facedown.core.table import Line, Sitter
from facedown.core.voice import has, name_of, verb
from facedown.games.reveille.cards import FOLLOWING, LED_SUIT, NELLO, TRUMPS
from facedown.games.reveille.rules import (
    AUCTION,
    BID,
    CLAIM,
    CLAIMED,
    CLAIMED_FALSELY,
    CONTINUE,
    DRAW,
    NAME,
    PASS,
    PICK,
    PLAY,
    PLAY_TWO,
    SCORING,
    THROWN_IN,
    TRICKS,
    ReveillePosition,
)
from facedown.games.reveille.view import hand, lead, needs_tricks, prize, trick_worth, wins
from facedown.games.reveille.words import MANY, dotted, marks, one_of, points


@dataclass(frozen=True, slots=True)
class _Witnessed:
    """An action as a viewer witnessed it: the views before and after, and who acted."""

    before: ReveillePosition
    after: ReveillePosition
    seat: int
    sitters: Sequence[Sitter]

    @property
    def viewer(self) -> int:
        """Who is told."""
        return self.before.viewer

    def name(self, seat: int, middle: bool = False) -> str:
        """What a seat is called."""
        return name_of(self.sitters, seat, self.viewer, middle)


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    action = happening.action
    if action is None:
        return []
    before, after = (plain_view(view, ReveillePosition) for view in (happening.before, happening.after))
    seen = _Witnessed(before, after, happening.seat, sitters)
    lines: list[Line] = []
    if action < PASS:
        lines.append(Line(str(before.trick + 1), _played(seen, action - PLAY)))
        if after.phase == AUCTION:
            lines.append(Line("", "The boneyard is empty: the auction begins."))
    elif action < CONTINUE:
        said = _other(seen, action)
        lines += [Line("", said)] if said else []
    elif after.phase != SCORING:
        turned = prize(after)
        up = f" and turned up the {dotted(turned)}" if turned is not None else ""
        lines.append(Line("", f"Hand {after.hand_number}: **{seen.name(after.dealer)}** dealt{up}."))
    if after.phase == SCORING and before.phase != SCORING:
        lines.append(Line("", hand_sentence(after, sitters)))
        if after.over != RUNNING:
            lines.append(Line("", result_of(after, sitters)))
    return lines


def _played(seen: _Witnessed, bone: int) -> str:
    before, seat = seen.before, seen.seat
    name = f"**{seen.name(seat)}**"
    first = lead(before)
    if first is None:
        return f"{name} led {dotted(bone)}."
    winner = seat if wins(before, bone) else 1 - seat
    if before.phase == PLAY_TWO:
        return f"{name} {_reply_two(seen, first, bone, winner)}"
    won = prize(before)
    assert won is not None
    if winner == seat:
        said = f"{name} replied {dotted(bone)} and took the {dotted(won)}."
    else:
        said = f"{name} replied {dotted(bone)}, {seen.name(winner, middle=True)} took the {dotted(won)}."
    if seen.after.phase == DRAW:
        return said
    return f"{said} {_drew(seen, 1 - winner)}"


def _drew(seen: _Witnessed, loser: int) -> str:
    """The loser drew; the dealer turned the next bone up, if there is one."""
    before, after, viewer = seen.before, seen.after, seen.viewer
    name = seen.name(loser)
    drawn = "a bone"
    if viewer == loser and viewer != SPECTATOR:
        drawn = f"the {dotted((set(hand(after, viewer)) - set(hand(before, viewer))).pop())}"
    said = f"{name} drew {drawn}"
    up = prize(after)
    if up is None:
        return f"{said}."
    dealer = after.dealer
    who = "and" if dealer == loser else seen.name(dealer, middle=True)
    return f"{said}{' ' if dealer == loser else ', '}{who} turned up the {dotted(up)}."


def _reply_two(seen: _Witnessed, first: int, bone: int, winner: int) -> str:
    contract = seen.before.contract
    suit = LED_SUIT[contract, first]
    if FOLLOWING[contract, first] >> bone & 1:
        did = f"took it with {dotted(bone)}" if winner == seen.seat else f"followed with {dotted(bone)}"
    else:
        how = "trumped with" if TRUMPS[contract] >> bone & 1 else "threw"
        did = f"had no {one_of(contract, suit)} and {how} {dotted(bone)}"
    if contract == NELLO:
        return f"{did}."
    return f"{did}. {seen.name(winner)} won {points(trick_worth(seen.before, bone))}."


def _other(seen: _Witnessed, action: int) -> str:
    """Anything but a bone played, or the next hand dealt."""
    name = f"**{seen.name(seen.seat)}**"
    if action == PASS:
        return f"{name} passed."
    if action < NAME:
        return f"{name} bid {action - BID}."
    if action < CLAIM:
        contract = action - NAME
        return f"{name} named {'nello' if contract == NELLO else MANY[contract]}."
    if action == CLAIM:
        return f"{name} {verb(seen.sitters, seen.seat, seen.viewer, 'claim', 'claims')} the hand."
    place = action - PICK + 1
    if seen.before.phase == DRAW:
        return f"{_drew(seen, seen.seat).removesuffix('.')} from place {place}."
    up = prize(seen.after)
    return f"{name} turned up the {dotted(up)} from place {place}." if up is not None else ""


# --- how it ended -----------------------------------------------------------------------------------------------------


def hand_sentence(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """How the hand ended and who got the mark."""
    viewer, declarer, to = v.viewer, v.declarer, v.mark_to
    if v.ended == THROWN_IN:
        return "Both passed: the hand is thrown in, and nobody gets a mark."
    name = name_of(sitters, declarer, viewer)
    won = v.points[declarer]
    mark = f"{name_of(sitters, to, viewer)} {verb(sitters, to, viewer, 'get', 'gets')} the mark."
    if v.ended in (CLAIMED, CLAIMED_FALSELY):
        only = "" if v.ended == CLAIMED else "only "
        return f"{name} claimed {v.high} and {has(sitters, [declarer], viewer)} won {only}{won}. {mark}"
    made = "made" if to == declarer else "set"
    if v.contract == NELLO:
        tricks = "a trick" if v.tricks[declarer] == 1 else "tricks"
        said = "lost every trick" if to == declarer else f"won {tricks}"
        return f"{name} {said}: nello is {made}. {mark}"
    if needs_tricks(v):
        return f"{name} bid 42 and won {v.tricks[declarer]} of {TRICKS} tricks: {made}. {mark}"
    return f"{name} bid {v.high} and won {points(won)}: {made}. {mark}"


def result_of(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """The result of a finished match in one sentence."""
    if v.over == ABANDONED:
        return "The match was given up after fifty hands thrown in: nobody wins."
    winner = v.mark_to
    score = f"{marks(v.marks[winner])} to {v.marks[1 - winner]}"
    return f"{name_of(sitters, winner, v.viewer)} {verb(sitters, winner, v.viewer, 'win', 'wins')}, {score}."
