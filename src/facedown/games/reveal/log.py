"""What happened in Reveal, in words: moves, the Grand Reveal, and who won."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game import Happening
from facedown.core.state import ABANDONED, plain_view
from facedown.core.table import Line, Sitter
from facedown.core.usual import winning
from facedown.core.voice import capital, in_words, is_you, listing, name_of, plural, verb, whose
from facedown.games.reveal.cards import NAMES
from facedown.games.reveal.info import FinalMode, SwapBatch
from facedown.games.reveal.rules import COLUMNS, FINALS, MINIMUM, ROWS, Act, Phase, RevealPosition, base_slot, side
from facedown.games.reveal.view import (
    COLUMN_NAMES,
    OTHER_PART,
    OWN_PART,
    Count,
    bold_cards,
    bottom_seat,
    column_word,
    leaders,
    own_first,
    winners_of,
)


def open_to(action: int) -> bool:
    """Confirming and going on are open. A choice of column may be sealed: where it is not, the views show it."""
    return action in (Act.CONFIRM, Act.CONTINUE)


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action, for the viewer of the happening."""
    before, after = (plain_view(view, RevealPosition) for view in (happening.before, happening.after))
    said: list[str] = []
    if before.phase == Phase.SWAP:
        said = _told_swap(before, after, sitters)
    elif before.phase == Phase.PLACE and (after.phase != Phase.PLACE or after.row != before.row):
        said = [f"Both placed row {before.row + 1}."]
        said.append(_turned(after) if after.phase == Phase.SWAP else "The final round: each player stakes a column.")
    elif before.phase == Phase.FINAL:
        said = _told_final(before, after, happening.seat, sitters)
    elif before.phase == Phase.SCORING and after.hand_number != before.hand_number:
        shuffled = "" if after.live < after.cards else ", all cards shuffled"
        said = [f"Hand {after.hand_number} was dealt{shuffled}.", _turned(after)]
    return [Line(str(after.hand_number), text) for text in said]


def _turned(v: RevealPosition) -> str:
    """ "Base row 1 was turned: **red, blue, black**."."""
    return f"Base row {v.row + 1} was turned: {bold_cards(v, [base_slot(v.row, at) for at in range(COLUMNS)])}."


def _told_swap(before: RevealPosition, after: RevealPosition, sitters: Sequence[Sitter]) -> list[str]:
    """How many cards each swapped, once both have; in steps, after each step that swapped something."""
    done = after.phase != Phase.SWAP
    if not done and after.drawn == before.drawn:
        return []
    said = [_turned(after)] if done and after.hand_number == 1 and after.row == 0 else []
    if done or after.opt.swap_batch == SwapBatch.NO:
        order = own_first(after)
        mine, theirs = (after.swapped[seat] for seat in order)
        name, other = (name_of(sitters, seat, after.viewer, middle=at > 0) for at, seat in enumerate(order))
        so_far = "" if done else " so far"
        cards = plural(mine, "card") if mine else "no card"
        said.append(f"{name} swapped {cards}, {other} {theirs or 'none'}{so_far}.")
    return said


def _told_final(before: RevealPosition, after: RevealPosition, seat: int, sitters: Sequence[Sitter]) -> list[str]:
    name = name_of(sitters, seat, after.viewer)
    was, now = before.choice[seat], after.choice[seat]
    said = []
    if after.opt.final_mode != FinalMode.SEALED:
        if after.changes[seat] != before.changes[seat]:
            did = "chose" if was < 0 else "moved to" if was != now else "stayed with"
            said.append(f"{name} {did} {column_word(now)}.")
        if after.confirmed != before.confirmed:
            said.append(f"{name} confirmed {column_word(now)}.")
    return said + _told_reveal(after, sitters) if after.phase == Phase.SCORING else said


def _told_reveal(v: RevealPosition, sitters: Sequence[Sitter]) -> list[str]:
    """The Grand Reveal in its four steps, and who won the hand."""
    order = (bottom_seat(v), 1 - bottom_seat(v))
    names = [name_of(sitters, seat, v.viewer, middle=True) for seat in order]
    columns = [v.choice[seat] for seat in order]

    def both(first: int, second: int) -> str:
        return ", ".join(
            f"{whose(sitters, seat, v.viewer, middle=True)} {COLUMN_NAMES[column]} side"
            f" {bold_cards(v, [side(seat, row, column) for row in range(ROWS)])}"
            for seat, column in zip(order, (first, second), strict=True)
        )

    have = [
        f"{name} {verb(sitters, seat, v.viewer, 'have', 'has')} {column_word(column)}"
        for name, seat, column in zip(names, order, columns, strict=True)
    ]
    finals = [f"{name} {bold_cards(v, [FINALS + seat])}" for name, seat in zip(names, order, strict=True)]
    return [
        f"Grand Reveal: {', '.join(have)}.",
        *(f"Nobody’s: {both(column, column)}." for column in range(COLUMNS) if column not in columns),
        f"{capital(both(*columns))}.",
        *([f"{capital(both(*columns[::-1]))}."] if columns[0] != columns[1] else []),
        f"Final Cards: {', '.join(finals)}.",
        hand_sentence(v, sitters),
    ]


# --- who won ----------------------------------------------------------------------------------------------------------


def hand_sentence(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """Who won the hand, and how it stands: "Hand to you, 6 to 5. All level at 13."."""
    high, low = max(v.total), min(v.total)
    if high == low:
        return f"{hand_won(v, sitters)} All level at {high}."
    leader = leaders(v.total)[0]
    leads = verb(sitters, leader, v.viewer, "lead", "leads")
    return f"{hand_won(v, sitters)} {name_of(sitters, leader, v.viewer)} {leads} {high} to {low}."


def hand_won(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """Who won the hand: "Hand to you, 6 to 5."."""
    high, low = max(v.score), min(v.score)
    if high == low:
        return f"A drawn hand, {high} to {low}." if high else "A drawn hand: nobody has three that count."
    return f"Hand to {name_of(sitters, leaders(v.score)[0], v.viewer, middle=True)}, {high} to {low}."


def result_of(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """The result of a finished match in one sentence."""
    if v.over == ABANDONED:
        return "The match was given up after a hundred hands: nobody wins."
    high, low = max(v.total), min(v.total)
    won = winners_of(v)
    return f"{winning(sitters, won, v.viewer) if won else 'A draw'}, {high} to {low}."


# --- how a column was counted -----------------------------------------------------------------------------------------


def sum_sentence(count: Count, viewer: int, sitters: Sequence[Sitter]) -> str:
    """The sum in words: "**2 + 2 + 1 + 1.** Your own red cards opened Mara’s side."."""
    if count.root is None:
        return "**0.** Three wilds make no root: nothing counts."
    sums = " + ".join(str(count.subtotal(part)) for part in range(len(count.parts)))
    if not count.points:
        few = f"{capital(in_words(count.counted))} {NAMES[count.root]} {'card' if count.counted == 1 else 'cards'}"
        return f"**{sums} = {count.counted}.** {few}: fewer than {in_words(MINIMUM)} are worth nothing."
    return f"**{sums}.** {_why(count, count.root, viewer, sitters)}"


def _why(count: Count, root: int, viewer: int, sitters: Sequence[Sitter]) -> str:
    """What opened the other side, or kept it shut."""
    seat, colour = count.seat, NAMES[root]
    owner, other = (whose(sitters, one, viewer, middle=True) for one in (seat, 1 - seat))
    own = count.subtotal(OWN_PART)
    if not count.opened:
        return f"No {colour} card on {owner} own side, so {other} side stayed shut."
    across = count.subtotal(OTHER_PART)
    if across and is_you(sitters, 1 - seat, viewer):
        return f"{_yours_counted(count)} counted for {name_of(sitters, seat, viewer, middle=True)}."
    if own:
        natural = any(kind == root for kind, _ in count.parts[OWN_PART])
        opener = f"{owner} own {colour + ' card' if natural else 'wild'}{'s' if own > 1 else ''}"
    else:
        opener = f"{owner} Final Card"
    nothing = "" if across else f", but it has no {colour}"
    return f"{capital(opener)} opened {other} side{nothing}."


def _yours_counted(count: Count) -> str:
    """The viewer's cards that counted for the other player: "Your blue card in row 3"."""
    found = [(kind, str(row)) for row, (kind, counts) in enumerate(count.parts[OTHER_PART], 1) if counts]
    kinds = {kind for kind, _ in found}
    named = f"{NAMES[found[0][0]]} " if len(kinds) == 1 else ""
    many = "s" if len(found) > 1 else ""
    return f"Your {named}card{many} in row{many} {listing([row for _, row in found])}"
