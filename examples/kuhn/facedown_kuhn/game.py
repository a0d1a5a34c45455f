"""Kuhn poker, assembled: its words, and its views as tables. Nothing here ever sees a state."""

from collections.abc import Sequence

from facedown.core.bot import Evaluation, Policy
from facedown.core.game import GameModule, Happening, Tables
from facedown.core.state import RUNNING, UNKNOWN, View, plain_view
from facedown.core.table import Badge, Choice, Line, Panel, Piece, ScoreRow, Sitter, Step, Table, Zone
from facedown.core.usual import choosing, fixed_words, seat_panel, winning
from facedown.core.voice import acting_seats, name_of, plural, whose
from facedown_kuhn.bot import evaluate, greedy, round_is_terminal
from facedown_kuhn.info import CARDS, INFO
from facedown_kuhn.rules import CONTINUE, OPEN, PLAYERS, RULES, SCORING, KuhnPosition

ACTIONS = {"check": "{check}", "bet": "{bet|bet|betting}", "call": "{call}", "fold": "{fold}", "continue": "{go} on"}
WORDS, SAID = fixed_words(ACTIONS, CARDS)
PHASES = ("open", "raised", "scoring")


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """What the viewer sees, without the log."""
    v = plain_view(view, KuhnPosition)
    seats, over, between = range(PLAYERS), v.over != RUNNING, v.phase == SCORING
    best = tuple(seat for seat in seats if over and v.total[seat] == max(v.total))
    chips = [Badge("chip", paid, f"{plural(paid, 'chip')} in the pot") for paid in v.paid]
    return Table(
        game=INFO.name,
        title=INFO.title,
        where=(f"Hand {v.hand_number} of {v.opt.hands}",),
        viewer=v.viewer,
        phase=PHASES[v.phase],
        seats=tuple(seat_panel(v, seat, sitters, between, badges=(chips[seat],)) for seat in seats),
        zones=tuple(hand(v, seat, sitters) for seat in seats),
        step=step(v, RULES.legal_actions(view, v.viewer), sitters),
        panels=(Panel("pot", "note", "center", {"text": f"**{sum(v.paid)}** chips in the pot"}),),
        scores_title="Chips won",
        scores=tuple(ScoreRow(seat, v.total[seat], winner=seat in best) for seat in seats),
        over=over,
        result=f"{winning(sitters, best, v.viewer)}." if over else "",
        round=v.hand_number,
        turn=None if between else acting_seats(v)[0],
        winners=best,
    )


def hand(v: KuhnPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    """A seat's card, which the viewer may know or not."""
    face = "" if v.card[seat] == UNKNOWN else CARDS[v.card[seat]]
    piece = Piece(f"card-{seat}", "face", face, face, "hand") if face else Piece(f"card-{seat}", "back", where="hand")
    says = f"{whose(sitters, seat, v.viewer)} card"
    return Zone(f"hand-{seat}", "row", "hand" if seat == v.viewer else "seat", (piece,), seat=seat, says=says)


def step(v: KuhnPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked, or what is waited for."""
    asked = ("Check, or bet a chip?", "Call, or fold?", "")[v.phase] if actions else choosing(v, sitters)
    choices = [Choice(WORDS.words(a), button=SAID[a].do, primary=a == CONTINUE, action=a) for a in actions]
    return Step(outcome(v, sitters) if v.phase == SCORING else asked, choices=tuple(choices), rule=PHASES[v.phase])


def outcome(v: KuhnPosition, sitters: Sequence[Sitter]) -> str:
    """Who has won the hand."""
    return f"{winning(sitters, [0 if v.score[0] > 0 else 1], v.viewer)} {plural(max(v.score), 'chip')}."


def tell(happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
    """The log lines of one action; all are made openly."""
    after, action = plain_view(happening.after, KuhnPosition), happening.action or 0
    if action == CONTINUE:
        return [Line("", f"Hand {after.hand_number} was dealt.")] if after.phase == OPEN else []
    said = f"**{name_of(sitters, happening.seat, happening.viewer)}** {SAID[action].done}."
    return [Line("", said), *([Line("", outcome(after, sitters))] if after.phase == SCORING else [])]


GAME = GameModule(INFO, RULES, WORDS, Tables(table, tell), Policy(greedy), Evaluation(round_is_terminal, evaluate))
