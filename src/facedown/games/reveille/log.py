"""What happened in Reveille, in words, for each viewer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facedown.core.game import Happening
from facedown.core.state import ABANDONED, RUNNING, plain_view
from facedown.core.table import Line, Sitter
from facedown.core.voice import has, name_of, verb
from facedown.games.reveille.cards import FOLLOWING, NELLO, TRUMPS
from facedown.games.reveille.rules import LOWEST_BID, TRICKS, UP, Act, Ended, Phase, ReveillePosition
from facedown.games.reveille.view import hand, lead, needs_tricks, prize, trick_worth, wins
from facedown.games.reveille.words import MANY, dotted, marks, one_led, points


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
    kind, number = Act.of(action)
    lines = [Line(str(before.trick + 1) if kind == Act.PLAY else "", _told(seen, kind, number))]
    if kind == Act.PLAY and after.phase == Phase.AUCTION:
        lines.append(Line("", "The boneyard is empty: the auction begins."))
    if after.phase == Phase.SCORING and before.phase != Phase.SCORING:
        lines.append(Line("", hand_sentence(after, sitters)))
        if after.over != RUNNING:
            lines.append(Line("", result_of(after, sitters)))
    return [line for line in lines if line.text]


def _told(seen: _Witnessed, kind: Act, number: int) -> str:
    """The action in a sentence, empty if there is nothing to tell."""
    after = seen.after
    name = f"**{seen.name(seen.seat)}**"
    up = prize(after)
    match kind:
        case Act.PLAY:
            return f"{name} {_played(seen, number)}"
        case Act.PASS:
            return f"{name} passed."
        case Act.BID:
            return f"{name} bid {LOWEST_BID + number}."
        case Act.TRUMP:
            return f"{name} named {MANY[number]}."
        case Act.NELLO:
            return f"{name} named nello."
        case Act.CLAIM:
            return f"{name} {verb(seen.sitters, seen.seat, seen.viewer, 'claim', 'claims')} the hand."
        case Act.PICK if seen.before.phase == Phase.DRAWING:
            return f"{_drew(seen, seen.seat).removesuffix('.')} from place {number + 1}."
        case Act.PICK:
            return f"{name} turned up the {dotted(up)} from place {number + 1}." if up is not None else ""
    if after.phase == Phase.SCORING:
        return ""
    turned_up = f" and turned up the {dotted(up)}" if up is not None else ""
    return f"Hand {after.hand_number}: **{seen.name(after.dealer)}** dealt{turned_up}."


def _played(seen: _Witnessed, bone: int) -> str:
    before, seat = seen.before, seen.seat
    first = lead(before)
    if first is None:
        return f"led {dotted(bone)}."
    winner = seat if wins(before, bone) else 1 - seat
    if before.phase == Phase.STAGE_TWO:
        return _reply_two(seen, first, bone, winner)
    taker = " and" if winner == seat else f", {seen.name(winner, middle=True)}"
    said = f"replied {dotted(bone)}{taker} took the {dotted(before.card[UP])}."
    return said if seen.after.phase == Phase.DRAWING else f"{said} {_drew(seen, 1 - winner)}"


def _drew(seen: _Witnessed, loser: int) -> str:
    """The loser drew; the dealer turned the next bone up, if there is one."""
    before, after, viewer = seen.before, seen.after, seen.viewer
    drawn = "a bone"
    if viewer == loser:
        drawn = f"the {dotted((set(hand(after, viewer)) - set(hand(before, viewer))).pop())}"
    said = f"{seen.name(loser)} drew {drawn}"
    up = prize(after)
    if up is None:
        return f"{said}."
    dealer = " and" if after.dealer == loser else f", {seen.name(after.dealer, middle=True)}"
    return f"{said}{dealer} turned up the {dotted(up)}."


def _reply_two(seen: _Witnessed, first: int, bone: int, winner: int) -> str:
    contract = seen.before.contract
    if FOLLOWING[contract, first] >> bone & 1:
        did = f"took it with {dotted(bone)}" if winner == seen.seat else f"followed with {dotted(bone)}"
    else:
        how = "trumped with" if TRUMPS[contract] >> bone & 1 else "threw"
        did = f"had no {one_led(contract, first)} and {how} {dotted(bone)}"
    if contract == NELLO:
        return f"{did}."
    return f"{did}. {seen.name(winner)} won {points(trick_worth(seen.before, bone))}."


# --- how it ended -----------------------------------------------------------------------------------------------------


def hand_sentence(v: ReveillePosition, sitters: Sequence[Sitter]) -> str:
    """How the hand ended and who got the mark."""
    viewer, declarer, to = v.viewer, v.declarer, v.mark_to
    if v.ended == Ended.THROWN_IN:
        return "Both passed: the hand is thrown in, and nobody gets a mark."
    name = name_of(sitters, declarer, viewer)
    won = v.points[declarer]
    mark = f"{name_of(sitters, to, viewer)} {verb(sitters, to, viewer, 'get', 'gets')} the mark."
    if v.ended in (Ended.CLAIMED, Ended.CLAIMED_FALSELY):
        only = "" if v.ended == Ended.CLAIMED else "only "
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
