"""Comments of the coach on one decision of a finished match: sentences about the move played and about a better one."""

from __future__ import annotations

from facedown.core.grammar import capital, in_words
from facedown.study.hint_texts import format_turn_count, percentage_points
from facedown.study.i18n import N_, _, n_
from facedown.study.review import ReviewedMove


def played_move_text(move: ReviewedMove, name: str, reader: int) -> str:
    """Return a sentence that tells a reader which move was played: "You chose the right column.".

    `name` is the player's name as this reader sees it. `reader` is a seat or the spectator.
    """
    return _("{name} {did}.", name=name, did=move.played[reader].past)


def better_move_gain_text(move: ReviewedMove, reader: int) -> str:
    """Return what a better move would have gained, for a reader (a seat or the spectator); empty if the move was best.

    Example: "Choosing the middle column would have raised the chance to win by **11 points**: better in 74 of 100
    deals."
    """
    if move.better is None:
        return ""
    doing = move.better[reader].gerund
    if move.chance is None:
        return " ".join(
            filter(None, (_cooperative_move_cost_text(move, capital(doing)), turns_wasted_face_up_text(move, reader)))
        )
    said = n_(
        "{doing} would have raised the chance of winning by **{count} percentage point**{sure}.",
        "{doing} would have raised the chance of winning by **{count} percentage points**{sure}.",
        percentage_points(move.cost),
        doing=capital(doing),
        sure=_better_in_how_many_deals_text(move),
    )
    # The reason addresses the player who moved as "you" and may refer to that player's hidden cards, so no other reader
    # gets it.
    return f"{said} {capital(move.why.rstrip('.'))}." if move.why and reader == move.seat else said


def _cooperative_move_cost_text(move: ReviewedMove, doing: str) -> str:
    """Return sentences on what a move cost in a cooperative game. `doing` is the better move in words.

    The text depends on the evaluation of the move:

    * If the move certainly loses the game, the text says that it lost the game.
    * If the move loses the game in some of the sampled deals, the text gives the number of these deals.
    * If the move does not lose the game and the evaluation is exact, the text gives the number of turns wasted.
    * If the move does not lose the game and the evaluation is not exact, the text gives the number of turns that the
      better move would have saved, on average over the sampled deals.
    """
    if move.lost and move.exact:
        return _("That **lost the game**. {doing} would not have wasted a turn.", doing=doing)
    if move.lost:
        said = N_(
            "That **loses the game** in {count} of {worlds} deals that were still possible. {doing} would have been "
            "better."
        )
        return _(said, count=move.lost, worlds=move.worlds, doing=doing)
    turns = round(move.cost)
    if move.exact:
        return n_(
            "That wasted **a turn**. {doing} would have wasted none.",
            "That wasted **{many} turns**. {doing} would have wasted none.",
            turns,
            many=in_words(turns),
            doing=doing,
        )
    said = N_("{doing} would have saved **{turns} turns** on average{sure}.")
    return _(said, doing=doing, turns=format_turn_count(move.cost), sure=_better_in_how_many_deals_text(move))


def turns_wasted_face_up_text(move: ReviewedMove, reader: int) -> str:
    """Return a sentence on how many turns the move wasted, judged as if all cards had been face up.

    Return an empty text if that number was not computed, or is not needed because the coach's evaluation of the move is
    exact. `reader` is a seat or the spectator.
    """
    if move.exact or move.wasted is None:
        return ""
    if move.open_better is None:
        return _("In hindsight, with all the cards face up, this move didn’t waste a turn.")
    return n_(
        "In hindsight, with all the cards face up, this move wasted {count} turn; {doing} would have wasted none.",
        "In hindsight, with all the cards face up, this move wasted {count} turns; {doing} would have wasted none.",
        move.wasted,
        doing=move.open_better[reader].gerund,
    )


def _better_in_how_many_deals_text(move: ReviewedMove) -> str:
    if move.exact:
        return _(" (exact)")
    if not move.beaten:
        return ""
    if move.beats:
        text = N_(": better in {count} of {worlds} deals, worse in {beats}")
    else:
        text = N_(": better in {count} of {worlds} deals")
    return _(text, count=move.beaten, worlds=move.worlds, beats=move.beats)
