"""Log lines of Detect: sentences about actions and about the results of rounds.

Each line is for one viewer (a seat or a spectator) and uses only what this viewer saw.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game_registry import ObservedAction
from facedown.core.grammar import PlayerPhrase, digits, number_with_article, player_phrase
from facedown.core.state import plain_view
from facedown.core.table import LogLine, Sitter
from facedown.games.detect.i18n import N_, _
from facedown.games.detect.rules import CELLS, DRAWN_SLOT, ROWS, Act, DetectPosition, Phase
from facedown.games.detect.view import face_up_cells, known_number, number_at, top_discard_number, winners_of


def is_public_action(action: int) -> bool:
    """Return whether other players learn an action as soon as it is taken.

    All actions are public, except the choice of the two cards to flip at the start.
    """
    return action >= Act.TAKE


def log_lines(happening: ObservedAction, sitters: Sequence[Sitter]) -> Sequence[LogLine]:
    """Return the log lines that describe one action to one viewer.

    `happening` has this viewer's views before and after the action. `sitters` are the players, indexed by seat.

    The result is empty if the action chooses the first two cards to flip, and other players have yet to choose theirs.
    It is also empty if the action continues after a round, and other players have yet to continue.
    """
    before, after = (plain_view(view, DetectPosition) for view in (happening.before, happening.after))
    lines: list[LogLine] = []
    if before.phase in (Phase.OPENING, Phase.SCORING):
        if before.phase == Phase.SCORING != after.phase:
            lines.append(LogLine("", _("The cards for round {number} were dealt.", number=after.round_number)))
        if after.phase not in (Phase.OPENING, Phase.SCORING):
            lines.append(LogLine("", _opening_flips_sentence(after, sitters)))
    elif happening.action is not None:
        actor = player_phrase(sitters, happening.seat, after.viewer)
        lines.append(
            LogLine(str(before.turns + 1), _turn_sentence(before, after, actor, happening.seat, happening.action))
        )
    if after.phase == Phase.SCORING != before.phase:
        lines.append(LogLine("", round_winners_sentence(after, sitters)))
    elif after.ender >= 0 > before.ender:
        last = N_("**{who}** flipped {who:your|their} last card: everybody else has one more turn.")
        lines.append(LogLine("", _(last, who=player_phrase(sitters, after.ender, after.viewer))))
    return lines


def _opening_flips_sentence(v: DetectPosition, sitters: Sequence[Sitter]) -> str:
    parts: list[str] = []
    for seat in range(v.seats):
        one, other = (digits(known_number(v, seat * CELLS + cell)) for cell in face_up_cells(v, seat))
        first, later = N_("**{who}** flipped {one} and {other}"), N_("**{who:you}** flipped {one} and {other}")
        parts.append(_(later if seat else first, who=player_phrase(sitters, seat, v.viewer), one=one, other=other))
    starts = _("**{who}** {who:start|starts}.", who=player_phrase(sitters, v.turn, v.viewer))
    return f"{', '.join(parts)}. {starts}"


def _turn_sentence(before: DetectPosition, after: DetectPosition, actor: PlayerPhrase, seat: int, action: int) -> str:
    """Return the sentence that says what a seat did in its turn. `actor` names this player: "you" or the name.

    A second sentence follows if the cards were shuffled or a column was removed.
    """
    kind, cell = Act.decode(action)
    match kind:
        case Act.DRAW:
            shuffled = _("The discards were shuffled into a new draw pile.") if before.draw_count == 0 else ""
            number = number_at(after, DRAWN_SLOT)
            text = N_("**{who}** drew a card.") if number is None else N_("**{who}** drew {card}.")
            return f"{_(text, who=actor, card=number_with_article(number or 0))} {shuffled}".rstrip()
        case Act.REMOVE | Act.LEAVE:
            card = digits(known_number(before, seat * CELLS + before.column * ROWS))
            removed, kept = N_("**{who}** removed the three {card}s."), N_("**{who}** kept the three {card}s.")
            return _(removed if kind == Act.REMOVE else kept, who=actor, card=card)
        case Act.TAKE:
            card, text = (
                number_with_article(top_discard_number(before) or 0),
                N_("**{who}** took {card} and discarded {out}."),
            )
        case Act.KEEP:
            card, text = (
                _cell_number_with_article(after, seat, cell),
                N_("**{who}** drew and kept {card}, then discarded {out}."),
            )
        case _:
            card, text = (
                _cell_number_with_article(after, seat, cell),
                N_("**{who}** drew and discarded {out}, then flipped {card}."),
            )
    said = _(text, who=actor, card=card, out=number_with_article(after.last_out))
    gone = _("Three {card}s were removed.", card=digits(after.last_number)) if after.last_column >= 0 else ""
    return f"{said} {gone}".rstrip()


def _cell_number_with_article(after: DetectPosition, seat: int, cell: int) -> str:
    """Return the number of the card that was flipped or placed in a cell, with an article: "a 7".

    If the card completed a column that was removed at once, the cell is empty. The removed cards all had the same
    number as this card, so that number is returned.
    """
    number = number_at(after, seat * CELLS + cell)
    return number_with_article(after.last_number if number is None else number)


def match_result_sentence(v: DetectPosition, sitters: Sequence[Sitter]) -> str:
    """Return the result of a finished match in one sentence, such as "Mara wins, 61 to 104"."""
    best = winners_of(v)
    if not best:
        return _("The match was stopped after a hundred rounds. Nobody wins.")
    won, total = player_phrase(sitters, best, v.viewer), digits(v.total[best[0]])
    if len(best) > 1:
        return _("{who} {who:win|wins|share the win} with a total of {total}.", who=won, total=total)
    second = min(v.total[seat] for seat in range(v.seats) if seat not in best)
    if v.seats == 2:
        return _("{who} {who:win|wins}, {total} to {second}.", who=won, total=total, second=digits(second))
    near = player_phrase(sitters, [seat for seat in range(v.seats) if v.total[seat] == second], v.viewer)
    said = N_("{who} {who:win|wins} with {total}, ahead of {next:you} with {second}.")
    return _(said, who=won, total=total, next=near, second=digits(second))


def round_winners_sentence(v: DetectPosition, sitters: Sequence[Sitter]) -> str:
    """Return a sentence that names the players with the fewest points in the round."""
    scores = list(v.score)[: v.seats]
    fewest = min(scores)
    best = player_phrase(sitters, [seat for seat, score in enumerate(scores) if score == fewest], v.viewer)
    return _("{who} {who:have|has} the fewest points this round: {points}.", who=best, points=digits(fewest))
