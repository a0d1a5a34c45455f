"""Laws that every game must obey. Each check is a function that yields one sentence for each problem."""

from __future__ import annotations

import random
from collections.abc import Container, Iterator

import numpy as np

from facedown.check.random_matches import SITTERS, play_randomly
from facedown.core.game_registry import GameModule
from facedown.core.match import IllegalMove, Match
from facedown.core.match_actions import AGREED_END, RESIGN, WORDS
from facedown.core.state import EMPTY, SPECTATOR, UNKNOWN, to_bytes
from facedown.core.table import TouchStep, touch_sequences

#: Texts that are not a move in any game.
NONSENSE = ("", "   ", "no such move", "1e9", "\x00", "-1 -1 -1", "swap -1 -1 -1", "draw draw", "move move move")


# --- laws of a game ---------------------------------------------------------------------------------------------------


def check_notation(game: GameModule) -> Iterator[str]:
    """Check that actions and kinds of cards are written and parsed correctly. Yield one sentence for each violation.

    * No two actions may have the same notation.
    * Parsing the notation of an action or of a kind of card must give this action or kind again.
    * Parsing an invalid text (`NONSENSE`) must raise `ValueError` with a reason.
    """
    texts = [game.words.words(action) for action in range(game.actions)]
    if len(set(texts)) < len(texts):
        yield f"several actions are written as {max(texts, key=texts.count)!r}"
    for action, text in enumerate(texts):
        if game.words.parse(text) != action:
            yield f"action {action} is written as {text!r}, which reads as action {game.words.parse(text)}"
    seats = game.info.seats[0]
    for kind in map(int, np.flatnonzero(game.deck(seats, game.check_options(seats, {})))):
        word = game.words.card_word(kind)
        if game.words.card_kind(word) != kind:
            yield f"card {kind} is written as {word!r}, which reads as card {game.words.card_kind(word)}"
    for text in NONSENSE:
        try:
            yield f"{text!r} reads as action {game.words.parse(text)}"
        except ValueError as refused:
            if not str(refused).strip():
                yield f"{text!r} is refused without a reason"


def check_option_notation_and_labels(game: GameModule) -> Iterator[str]:
    """Check that each value of each option can be parsed, and that each option has a description.

    The canonical notation of a value must be parsed to the same value. Yield one sentence for each violation.
    """
    for option in game.info.options:
        # A value that players enter as a list of numbers, such as a deck, has no default to check.
        plain = (value.default_notation for value in option.values if not any(one.written for one in value.arguments))
        for text in (option.default_text, *plain):
            once = option.normalize(text)
            if option.normalize(once) != once or option.parse(once) != option.parse(text):
                yield f"option {option.name}: {text!r} is written as {once!r}, which means something else"
        if not option.says or not option.label:
            yield f"option {option.name} has no description"


def check_match_ends(match: Match, rnd: random.Random, plies: int) -> Iterator[str]:
    """Play random moves in `match`, and check that it ends within `plies` moves. Yield one sentence for each violation.

    At the end of the match:

    * The table must show the result.
    * The winners on the table must be seats with the highest final score. In cooperative games they can be any seats.
    * The log must not be empty.
    """
    play_randomly(match, rnd, plies)
    if not match.over:
        yield f"a match of random moves is not over after {plies} moves"
        return
    table = match.table(SPECTATOR, SITTERS[: match.seats])
    if not table.over or not table.result:
        yield "the table does not say how the match ended"
    best = {seat for seat, points in enumerate(match.returns) if points == max(match.returns)}
    if not set(table.winners) <= (set(range(match.seats)) if match.game.info.together else best):
        yield f"the table names the winners {table.winners}, but the best returns are those of {sorted(best)}"
    if not match.log(0, SITTERS[: match.seats]):
        yield "the log says nothing about what happened"


# --- laws of a position -----------------------------------------------------------------------------------------------


def check_cards_conserved(match: Match) -> Iterator[str]:
    """Check that the state contains exactly the cards of the deck, each of them in one card position.

    If it does not, yield one sentence.
    """
    plain = match.game.rules.unturned_kind
    deck = match.game.deck(match.seats, match.options)
    kinds = [plain(kind) for kind in match.state.card if kind != EMPTY]
    there = np.bincount(kinds, minlength=len(deck))
    if len(there) > len(deck) or (there != deck).any():
        yield f"cards were lost or added: there are {there.tolist()} of each kind, but the deck has {deck.tolist()}"


def check_legal_actions(match: Match) -> Iterator[str]:
    """Check the legal actions of each seat in the current position. Yield one sentence for each violation.

    * Until the match is over, it must be the turn of at least one seat. Afterwards, it must be no seat's turn.
    * The seats whose turn it is must have legal actions, and the other seats must have none.
    * The legal actions of a seat must be a list of action numbers in ascending order, without repetition.
    * A seat's own view must give the same legal actions as the state.
    * Parsing the notation of a legal action must give this action again.
    """
    game = match.game
    if bool(match.acting) == match.over:
        yield "no seat is to act" if match.acting == [] else "a seat is to act after the end"
    for seat in range(match.seats):
        legal = match.legal(seat)
        if legal != sorted(set(legal)) or not all(0 <= action < game.actions for action in legal):
            yield f"the legal actions of seat {seat} are not an ascending list of actions: {legal}"
        if bool(legal) != (seat in match.acting):
            yield f"seat {seat} has {len(legal)} legal actions, but is {'' if seat in match.acting else 'not '}to act"
        if game.legal(match.known(seat), seat) != legal:
            yield f"in seat {seat}'s own view the legal actions differ from those in the state"
        for action in legal:
            if game.words.parse(game.words.words(action)) != action:
                yield f"the notation of action {action} reads as another action"


def check_views(match: Match) -> Iterator[str]:
    """Check the views of all viewers for wrong or secret contents. Yield one sentence for each violation.

    * A viewer must see only cards that the viewer knows.
    * Each card in a view must be the card that is really in that place.
    * No view may contain the shuffle key.
    """
    for viewer in (*range(match.seats), SPECTATOR):
        known, looked = match.known(viewer), match.shown(viewer)
        told, seen, true = (np.asarray(position.card) for position in (known, looked, match.state))
        for slot in np.flatnonzero((seen != UNKNOWN) & (seen != EMPTY) & (seen != told)):
            yield f"viewer {viewer} sees slot {slot} without knowing its card"
        for slot in np.flatnonzero((told < EMPTY) & (told != true)):
            yield f"viewer {viewer} sees another card than the one in slot {slot}"
        if any(known.key):
            yield f"viewer {viewer} can see the key of the deal"


def check_touches(match: Match, text_only_phases: Container[str] = ()) -> Iterator[str]:
    """Check that the clicks or taps (touches) offered on a table lead to exactly the legal actions.

    Each place that can be clicked must be on the table. In the phases `text_only_phases` some actions can only be
    typed, so they may be missing. Yield one sentence for each violation.
    """
    for seat in match.acting:
        table = match.table(seat, SITTERS[: match.seats])
        offered = {touched[-1].action for touched in touch_sequences(table.step)}
        legal = set(match.legal(seat))
        if offered - legal:
            yield f"{table.phase}: touches for illegal actions"
        if legal - offered and table.phase not in text_only_phases:
            yield f"{table.phase}: no touches for {[match.game.words.words(a) for a in sorted(legal - offered)]}"
        places = {p.place for z in table.zones for p in z.pieces} | {z.id for z in table.zones}
        for choice in (choice for step in all_touch_steps(table.step) for choice in step.choices):
            if not choice.button and choice.touch not in places:
                yield f"{table.phase}: {choice.touch} can be touched but is not on the table"


def check_table_shows_declared_phase_name(match: Match) -> Iterator[str]:
    """Check that the players' clocks and the table use the same name for the current phase. If not, yield one sentence.

    On the table that players see, the name is `Table.phase`. The clocks take it from the tuple `Tables.phases`, with
    the state's field `phase` as the index. If this tuple is empty, `Table.phase` must be empty.
    """
    named, table = match.game.tables.phases, match.table(SPECTATOR, SITTERS[: match.seats])
    if not named:
        if table.phase:
            yield f"{table.phase}: Tables.phases does not name this phase"
    elif named[match.shown(SPECTATOR).phase] != table.phase:
        yield f"{table.phase}: in Tables.phases this phase is {named[match.shown(SPECTATOR).phase]}"


def all_touch_steps(step: TouchStep) -> Iterator[TouchStep]:
    """Yield `step` (the clicks or taps that are possible now), then every later step that can be reached from it."""
    yield step
    for choice in step.choices:
        if choice.then is not None:
            yield from all_touch_steps(choice.then)


def check_illegal_refused(match: Match, rnd: random.Random) -> Iterator[str]:
    """Check that illegal moves are refused with a reason and change nothing. Yield one sentence for each violation.

    For each seat, random illegal actions are tried, and two action numbers that do not exist: one that is too low, and
    the number of actions. Such actions are also tried for two seat numbers that do not exist: −1 and the number of
    seats. For these seat numbers, every action is illegal.
    """
    before = to_bytes(match.state), list(match.moves)
    count, too_low = match.game.actions, min(WORDS) - 1
    for seat in range(-1, match.seats + 1):
        legal = match.legal(seat) if 0 <= seat < match.seats else []
        for action in {*rnd.sample(range(count), min(20, count)), too_low, count} - set(legal):
            try:
                match.play(seat, action)
                yield f"seat {seat} played action {action}, which is not legal"
            except IllegalMove as reason:
                if not str(reason).strip():
                    yield f"action {action} is refused without a reason"
    if (to_bytes(match.state), list(match.moves)) != before:
        yield "a refused move has changed the match"


def check_early_end(match: Match, rnd: random.Random) -> Iterator[str]:
    """End a copy of the match early, and check the result and the tables. Yield one sentence for each violation.

    The players agree to end it or, with two seats, one of them may resign instead.
    """
    if match.over:
        return
    ended, action = match.copy(), rnd.choice([AGREED_END, RESIGN] if match.seats == 2 else [AGREED_END])
    ended.play(rnd.randrange(match.seats), action)
    yield from check_legal_actions(ended)
    for viewer in (*range(match.seats), SPECTATOR):
        table = ended.table(viewer, SITTERS[: match.seats])
        if not table.over or not table.result or table.step.choices or table.turn_words:
            yield f"{table.phase}: after an early end, the table of viewer {viewer} shows a running match"
        if ended.result is None or table.winners != ended.result.winners:
            yield f"{table.phase}: after an early end, the table of viewer {viewer} names the winners {table.winners}"
        totals = {row.total for row in table.scores if row.winner}
        if action == AGREED_END and len(totals) > 1:
            yield f"{table.phase}: the match was ended by agreement, but its winners have the scores {sorted(totals)}"


# --- laws of a match --------------------------------------------------------------------------------------------------


def check_replay_and_undo(match: Match) -> Iterator[str]:
    """Check that a replay of the match leads to the same state, byte by byte. Yield one sentence for each violation.

    Also check that undo restores the state before the last move.
    """
    again = Match(match.game, match.seats, match.options, match.seed)
    before = to_bytes(again.state)
    for move in match.moves:
        before = to_bytes(again.state)
        again.play(move.seat, move.action)
    if to_bytes(again.state) != to_bytes(match.state):
        yield "the same deal and moves lead to another position"
    if again.moves:
        again.undo()
        if to_bytes(again.state) != before:
            yield "taking back a move does not restore the position"
