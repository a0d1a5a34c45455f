"""What happened in Reveille, in words, for each viewer."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game import Happening
from facedown.core.state import RUNNING, SPECTATOR
from facedown.core.table import Line, Sitter
from facedown.core.voice import name_of, verb
from facedown.games.reveille import seen as look
from facedown.games.reveille.asking import hand_sentence, result
from facedown.games.reveille.bones import MEMBERS, NELLO, TRUMPS, reply_wins, trick_points
from facedown.games.reveille.rules import (
    AUCTION,
    BID,
    CLAIM,
    CONTINUE,
    DRAW,
    LOWEST_BID,
    NAME,
    PASS,
    PICK,
    PLAY,
    PLAY_TWO,
    SCORING,
)
from facedown.games.reveille.speech import MANY, dotted, led, one_of, points


def open_to(action: int) -> bool:
    """All of Reveille is played openly: bones, bids, and which place of the boneyard was chosen."""
    return True


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    before, after, action = happening.before, happening.after, happening.action
    if action is None:
        return []
    lines: list[Line] = []
    if action < PASS:
        lines.append(Line(str(int(before.trick) + 1), _played(happening, sitters, action - PLAY)))
        if int(after.phase) == AUCTION:
            lines.append(Line("", "The boneyard is empty: the auction begins."))
    elif action < CONTINUE:
        said = _other(happening, sitters, action)
        lines += [Line("", said)] if said else []
    elif int(after.phase) != SCORING:
        dealer = int(after.dealer)
        turned = look.prize(after)
        up = f" and turned up the {dotted(turned)}" if turned is not None else ""
        name = name_of(sitters, dealer, happening.viewer)
        lines.append(Line("", f"Hand {int(after.hand_number)}: **{name}** dealt{up}."))
    if int(after.phase) == SCORING and int(before.phase) != SCORING:
        lines.append(Line("", hand_sentence(after, sitters)))
        if int(after.over) != RUNNING:
            lines.append(Line("", result(after, sitters)))
    return lines


def _played(happening: Happening, sitters: Sequence[Sitter], bone: int) -> str:
    before, seat, viewer = happening.before, happening.seat, happening.viewer
    name = f"**{name_of(sitters, seat, viewer)}**"
    first = look.lead(before)
    if first is None:
        return f"{name} led {dotted(bone)}."
    winner = seat if reply_wins(int(before.contract), first, bone) else 1 - seat
    if int(before.phase) == PLAY_TWO:
        return f"{name} {_reply_two(happening, sitters, first, bone, winner)}"
    prize = look.prize(before)
    assert prize is not None
    if winner == seat:
        said = f"{name} replied {dotted(bone)} and took the {dotted(prize)}."
    else:
        said = (
            f"{name} replied {dotted(bone)}, {name_of(sitters, winner, viewer, middle=True)} took the {dotted(prize)}."
        )
    if int(happening.after.phase) == DRAW:
        return said
    return f"{said} {_drew(happening, sitters, 1 - winner)}"


def _drew(happening: Happening, sitters: Sequence[Sitter], loser: int) -> str:
    """The loser drew; the dealer turned the next bone up, if there is one."""
    before, after, viewer = happening.before, happening.after, happening.viewer
    name = name_of(sitters, loser, viewer)
    drawn = "a bone"
    if viewer == loser and viewer != SPECTATOR:
        drawn = f"the {dotted((set(look.hand(after, viewer)) - set(look.hand(before, viewer))).pop())}"
    said = f"{name} drew {drawn}"
    up = look.prize(after)
    if up is None:
        return f"{said}."
    dealer = int(after.dealer)
    who = "and" if dealer == loser else f"{name_of(sitters, dealer, viewer, middle=True)}"
    return f"{said}{' ' if dealer == loser else ', '}{who} turned up the {dotted(up)}."


def _reply_two(happening: Happening, sitters: Sequence[Sitter], first: int, bone: int, winner: int) -> str:
    before, seat, viewer = happening.before, happening.seat, happening.viewer
    contract = int(before.contract)
    suit = led(contract, first)
    follows = int(MEMBERS[contract, suit]) >> bone & 1
    if follows:
        did = f"took it with {dotted(bone)}" if winner == seat else f"followed with {dotted(bone)}"
    else:
        trump = int(TRUMPS[contract]) >> bone & 1
        how = "trumped with" if trump else "threw"
        did = f"had no {one_of(contract, suit)} and {how} {dotted(bone)}"
    if contract == NELLO:
        return f"{did}."
    getter = name_of(sitters, winner, viewer)
    return f"{did}. {getter} won {points(int(trick_points(first, bone)))}."


def _other(happening: Happening, sitters: Sequence[Sitter], action: int) -> str:
    before, seat, viewer = happening.before, happening.seat, happening.viewer
    name = f"**{name_of(sitters, seat, viewer)}**"
    if action == PASS:
        return f"{name} passed."
    if action < NAME:
        return f"{name} bid {action - BID + LOWEST_BID}."
    if action < CLAIM:
        contract = action - NAME
        return f"{name} named {'nello' if contract == NELLO else MANY[contract]}."
    if action == CLAIM:
        return f"{name} {verb(sitters, seat, viewer, 'claim', 'claims')} the hand."
    place = action - PICK + 1
    if int(before.phase) == DRAW:
        said = _drew(happening, sitters, seat).removesuffix(".")
        return f"{said} from place {place}."
    up = look.prize(happening.after)
    return f"{name} turned up the {dotted(up)} from place {place}." if up is not None else ""
