"""Log lines of Uncovered!: sentences about actions and about the result of the game.

Each line is for one viewer (a seat or a spectator) and uses only what this viewer saw.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.game_registry import ObservedAction
from facedown.core.grammar import PlayerPhrase, in_words, number_with_article, player_phrase
from facedown.core.state import ABANDONED, DECIDED, RUNNING, plain_view
from facedown.core.table import LogLine, Sitter
from facedown.games.uncovered.i18n import N_, _, n_
from facedown.games.uncovered.info import PLACES, Score
from facedown.games.uncovered.optimal_turns import ANYONE, Swap, shortest_winning_swaps
from facedown.games.uncovered.rules import TURN_CAP, Act, UncoveredPosition, slots_of_swap
from facedown.games.uncovered.view import dealt_hands, is_single_colour_win_enabled

# --- results ----------------------------------------------------------------------------------------------------------


def _shortest_winning_swaps(v: UncoveredPosition, mover: int) -> tuple[Swap, ...]:
    """Return a shortest sequence of swaps that wins from the deal. All cards must be known.

    `mover` is the seat that starts, or `ANYONE` if any two players may swap at any time.
    """
    return shortest_winning_swaps(dealt_hands(v), mover, is_single_colour_win_enabled(v))


def match_result_sentence(v: UncoveredPosition, sitters: Sequence[Sitter]) -> str:
    """Return the result of a finished game in one or more sentences (rules 4.7).

    They say how many swaps were made, the smallest number of swaps that would have won, and the score.
    """
    if v.over == ABANDONED:
        return _("The game was stopped after {count} swaps. Nobody wins.", count=TURN_CAP)
    best = len(_shortest_winning_swaps(v, v.start))
    return _win_sentence(v, best) if v.won else _loss_sentence(v, best)


def _loss_sentence(v: UncoveredPosition, best: int) -> str:
    lost = n_(
        "The hands don’t match: the game is lost after {count} swap.",
        "The hands don’t match: the game is lost after {count} swaps.",
        v.turn,
    )
    could = n_("A win was possible in {count} swap.", "A win was possible in {count} swaps.", best)
    none = _("No swaps were needed.")
    return f"{lost} {could if best else none}"


def _win_sentence(v: UncoveredPosition, best: int) -> str:
    swaps = v.turn
    if v.opt.score == Score.FREE_REGRET:
        free = len(_shortest_winning_swaps(v, ANYONE))
        return n_(
            "All hands match! The game is won in {count} swap. Fewest possible: {best} in turn order, {free} if it "
            "is ignored. Score: {score}.",
            "All hands match! The game is won in {count} swaps. Fewest possible: {best} in turn order, {free} if it "
            "is ignored. Score: {score}.",
            swaps,
            free=free,
            best=best,
            score=swaps - free,
        )
    if v.opt.score == Score.REGRET and swaps == best:
        return n_(
            "All hands match! A perfect game in {count} swap. Score: 0.",
            "All hands match! A perfect game in {count} swaps. Score: 0.",
            swaps,
        )
    return n_(
        "All hands match! The game is won in {count} swap. Fewest possible: {best}. Score: {score}.",
        "All hands match! The game is won in {count} swaps. Fewest possible: {best}. Score: {score}.",
        swaps,
        score=swaps if v.opt.score == Score.RAW_TURNS else swaps - best,
        best=best,
    )


def shortest_win_sentence(v: UncoveredPosition, sitters: Sequence[Sitter]) -> str:
    """Return a sentence with a shortest sequence of swaps that would have won, for the end of the game.

    Return "" if the game was abandoned or if no swap was needed.
    """
    swaps = [
        swap_phrase(player_phrase(sitters, seat, v.viewer), place, player_phrase(sitters, other, v.viewer), theirs)
        for seat, place, other, theirs in (_shortest_winning_swaps(v, v.start) if v.over == DECIDED else ())
    ]
    if not swaps:
        return ""
    return n_(
        "**Fewest swaps possible: {count}.** Swap {swaps}.",
        "**Fewest swaps possible: {count}.** Swap {swaps}.",
        len(swaps),
        count=in_words(len(swaps)),
        swaps=_(", then ").join(swaps),
    )


def swap_phrase(owner: PlayerPhrase, place: int, other: PlayerPhrase, theirs: int) -> str:
    """Return a phrase for the two places of a swap, such as "your position 3 with Theo’s position 4".

    * `place`: the place of the card in the hand of `owner`.
    * `theirs`: the place of the card in the hand of `other`.

    Places are counted from 0.
    """
    said = N_("the cards in {who:'your} position {place} and {other:'your} position {theirs}")
    return _(said, who=owner, place=place + 1, other=other, theirs=theirs + 1)


# --- log lines of actions ---------------------------------------------------------------------------------------------


def log_lines(happening: ObservedAction, sitters: Sequence[Sitter]) -> Sequence[LogLine]:
    """Return the log lines that describe one action to one viewer.

    `happening` has this viewer's views before and after the action. `sitters` are the players, indexed by seat. If
    ``happening.action`` is None (an action that the viewer must not learn), the list is empty. This does not occur in
    matches, because all actions of Uncovered! are public.
    """
    if happening.action is None:
        return []
    before, after = (plain_view(view, UncoveredPosition) for view in (happening.before, happening.after))
    actor = player_phrase(sitters, happening.seat, happening.viewer)
    turn, number = str(before.turn), before.deciding % PLACES + 1
    match Act.decode(happening.action)[0]:
        case Act.SWAP:
            slots = slots_of_swap(happening.seat, happening.action)
            lines = [LogLine(turn, _swap_sentence(after, actor, *slots, sitters))]
        case Act.UNCOVER:
            lines = [LogLine(turn, _("**{who}** uncovered all hands.", who=actor))]
        case kind:
            turned, left = N_("**{who}** turned the {number}."), N_("**{who}** did not turn the {number}.")
            lines = [LogLine("", _(turned if kind == Act.TURN else left, who=actor, number=number))]
    if after.over != RUNNING:
        lines += [
            LogLine("", text)
            for text in (match_result_sentence(after, sitters), shortest_win_sentence(after, sitters))
            if text
        ]
    return lines


def _swap_sentence(v: UncoveredPosition, actor: PlayerPhrase, own: int, theirs: int, sitters: Sequence[Sitter]) -> str:
    """Return the sentence about a swap, with the numbers of the two cards if the viewer saw them during the swap.

    `own` and `theirs` are the two slots (4 × seat + place), that of the acting player first.
    """
    given, taken = (number_with_article(number) if number else _("a card") for number in (v.gave, v.took))
    there = {"other": player_phrase(sitters, theirs // PLACES, v.viewer), "there": theirs % PLACES + 1}
    place = own % PLACES + 1
    if v.gave and v.gave == v.took:
        text = N_(
            "**{who}** swapped {who:your|their} {number} in position {place} with the {number} in {other:'your} "
            "position {there}."
        )
        said = _(text, who=actor, number=v.gave, place=place, **there)
    else:
        text = N_(
            "**{who}** moved {given} to {other:'your} position {there} and {taken} to {who:your|their} own position "
            "{place}."
        )
        said = _(text, who=actor, given=given, taken=taken, place=place, **there)
    turned = [slot for slot in (own, theirs) if v.turned[slot]]
    return f"{said} {_turned_cards_sentence(v, turned, sitters)}" if turned and v.over == RUNNING else said


def _turned_cards_sentence(v: UncoveredPosition, slots: Sequence[int], sitters: Sequence[Sitter]) -> str:
    """Return the sentence about one or two cards that were turned after a swap moved them to the matching places.

    A card in position 2 of a hand matches if it is a 2. `slots` are the slots (4 × seat + place) of these cards. They
    were turned automatically, right after the swap, without asking their owners.
    """
    owner, other = (player_phrase(sitters, slot // PLACES, v.viewer) for slot in (slots[0], slots[-1]))
    number, second = slots[0] % PLACES + 1, slots[-1] % PLACES + 1
    if len(slots) == 1:
        return _("The {number} in {who:'your} position {number} was turned.", who=owner, number=number)
    two = N_(
        "The {number} in {who:'your} position {number} and the {second} in {other:'your} position {second} were turned."
    )
    return _(two, who=owner, number=number, other=other, second=second)
