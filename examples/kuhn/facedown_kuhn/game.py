"""The game module of Kuhn poker: its words, and its tables, which are built from views and never from states."""

from collections.abc import Sequence
from dataclasses import replace

from facedown.core.action_phrases import PhraseContext
from facedown.core.bot import Evaluation, Policy
from facedown.core.game_registry import GameModule, ObservedAction, Tables
from facedown.core.grammar import acting_seats, player_phrase
from facedown.core.state import RUNNING, UNKNOWN, View, plain_view
from facedown.core.table import Badge, Choice, LogLine, Panel, Piece, ScoreRow, Sitter, Table, TouchStep, Zone
from facedown.core.table_building import bare_table, choosing_sentence, fixed_words, seat_panel, winners_phrase
from facedown_kuhn.bot import evaluate, greedy, round_is_terminal
from facedown_kuhn.i18n import N_, _, n_
from facedown_kuhn.info import CARDS, INFO
from facedown_kuhn.rules import CONTINUE, OPEN, PLAYERS, RULES, SCORING, KuhnPosition

ACTIONS = {
    "check": N_("{check}"),
    "bet": N_("{bet|bet|betting}"),
    "call": N_("{call}"),
    "fold": N_("{fold}"),
    "continue": N_("{continue} to the next hand"),
}
WORDS = fixed_words(ACTIONS, CARDS, _)
PHASES = ("open", "raised", "scoring")


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """Return everything that the viewer sees, except the log."""
    v = plain_view(view, KuhnPosition)
    seats, over, between = range(PLAYERS), v.over != RUNNING, v.phase == SCORING
    best = tuple(seat for seat in seats if over and v.total[seat] == max(v.total))
    chips = [Badge("chip", paid, n_("{count} chip in the pot", "{count} chips in the pot", paid)) for paid in v.paid]
    return replace(
        bare_table(INFO, v, PHASES[v.phase], step(view, RULES.legal_actions(view, view.viewer), sitters)),
        where=(_("Hand {number} of {last}", number=v.hand_number, last=v.opt.hands),),
        seats=tuple(seat_panel(v, seat, sitters, between, badges=(chips[seat],)) for seat in seats),
        zones=tuple(hand(v, seat, sitters) for seat in seats),
        panels=(Panel("pot", "note", "center", {"text": _("**{count}** chips in the pot", count=sum(v.paid))}),),
        scores_title=_("Chips won"),
        scores=tuple(ScoreRow(seat, v.total[seat], winner=seat in best) for seat in seats),
        result=_("{wins}.", wins=winners_phrase(sitters, best, v.viewer)) if over else "",
        round=v.hand_number,
        turn=None if between else acting_seats(v)[0],
        winners=best,
    )


def hand(v: KuhnPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    """Return the zone of a seat's card, face up if the viewer may see it."""
    face, where = "" if v.card[seat] == UNKNOWN else CARDS[v.card[seat]], _("hand")
    piece = Piece(f"card-{seat}", "face", face, face, where) if face else Piece(f"card-{seat}", "back", where=where)
    says = _("{who:'Your} card", who=player_phrase(sitters, seat, v.viewer))
    return Zone(f"hand-{seat}", "row", "hand" if seat == v.viewer else "seat", (piece,), seat=seat, says=says)


def step(view: View, actions: Sequence[int], sitters: Sequence[Sitter]) -> TouchStep:
    """Return the prompt for the viewer. Without legal actions, it says whom the viewer waits for."""
    v = plain_view(view, KuhnPosition)
    asked = (_("Check or bet a chip?"), _("Call or fold?"), "")[v.phase] if actions else choosing_sentence(v, sitters)
    me = PhraseContext(sitters, v.viewer, v.viewer)
    choices = [
        Choice(word, button=WORDS.say(view, a, me).imperative, primary=a == CONTINUE, action=a)
        for a, word in ((a, WORDS.words(a)) for a in actions)
    ]
    return TouchStep(outcome(v, sitters) if v.phase == SCORING else asked, choices=tuple(choices), rule=PHASES[v.phase])


def outcome(v: KuhnPosition, sitters: Sequence[Sitter]) -> str:
    """Return the sentence on who won the hand."""
    won = player_phrase(sitters, 0 if v.score[0] > 0 else 1, v.viewer)
    return n_("{who} {who:win|wins} {count} chip.", "{who} {who:win|wins} {count} chips.", max(v.score), who=won)


def log_lines(happening: ObservedAction, sitters: Sequence[Sitter]) -> Sequence[LogLine]:
    """Return the log lines of one action. All actions of this game are public."""
    after, action = plain_view(happening.after, KuhnPosition), happening.action or 0
    if action == CONTINUE:
        return [LogLine("", _("Hand {number} was dealt.", number=after.hand_number))] if after.phase == OPEN else []
    teller = PhraseContext(sitters, happening.seat, happening.viewer)
    said = _("**{who}** {done}.", who=teller.actor_phrase, done=WORDS.say(happening.after, action, teller).past)
    return [LogLine("", said), *([LogLine("", outcome(after, sitters))] if after.phase == SCORING else [])]


def why_not(view: View, action: int) -> str:
    """Return why an action is not legal now. The caller has checked that it is not."""
    if action == CONTINUE:
        return _("The hand isn’t over yet.")
    over = _("The hand is over. Continue to the next one.")
    reasons = (_("Nobody has bet yet."), _("The other player has bet: call or fold."), over)
    return reasons[plain_view(view, KuhnPosition).phase]


GAME = GameModule(
    INFO,
    RULES,
    replace(WORDS, why_not=why_not),
    Tables(table, log_lines, phases=PHASES),
    Policy(greedy),
    Evaluation(round_is_terminal, evaluate),
)
