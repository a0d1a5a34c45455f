"""Main loop of a match in the terminal. It asks one player for moves and lets bots move for the other seats."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress

from facedown.bots.warm_up import COACH
from facedown.core.advice import Advice, NoCoach
from facedown.core.game_registry import package_of
from facedown.core.grammar import capital
from facedown.core.match_actions import AGREED_END, RESIGN, TAKE_BACK, is_game_action
from facedown.core.table import Table, TouchStep, has_confirmation, touch_sequences
from facedown.core.translation import Texts, isolate_right_to_left
from facedown.core.translation import join_names as in_a_row
from facedown.play import agreements
from facedown.study.hint_texts import best_move_reason, move_value_text, where_to_look_sentence
from facedown.terminal import saved_matches, typed_moves
from facedown.terminal.command_common import SUCCESS, PlayerLeft
from facedown.terminal.i18n import N_, _
from facedown.terminal.local_match import LocalMatch
from facedown.terminal.match_ui import DrawnScreen, Screen
from facedown.terminal.text_blocks import remove_bold_marks, typed_part_of_place_id

COMMANDS = {
    "?": N_("show this help"),
    "again": N_("show the whole table again"),
    "new": N_("show what happened since your last turn"),
    "where": N_("show whose turn it is"),
    "l": N_("show the whole log"),
    "s": N_("show the scores"),
    "m": N_("list all moves with their numbers: #3 plays the third"),
    "rules": N_("show the rules of the game"),
    "hint": N_("get a hint; repeat the command for the reason, and again for the move"),
    "coach": N_("show the coach’s three best moves"),
    "ask": N_("turn the question before a costly move off or on"),
    "undo": N_("take back your last move if nothing hidden was seen since"),
    "end": N_("end the match now; the scores count as they are"),
    "resign": N_("give up; with more than two players, bots play to the end"),
    "q": N_("leave; the match is saved after each move and can be resumed"),
}

#: Commands that take a move back or end the match → the action (`core.match_actions`).
MATCH_ACTIONS = {"undo": TAKE_BACK, "end": AGREED_END, "resign": RESIGN}

#: Number of moves that the command ``coach`` lists.
BEST = 3


def run(sitting: LocalMatch, screen: Screen) -> int:
    """Play a match on a screen until it is over or the player leaves. Return the exit code."""
    try:
        sitting.save()
        news = list(sitting.let_bots_move(screen.show_busy))
        screen.show(sitting, [] if sitting.match.ply == len(news) else news)
        while not sitting.match.over:
            action = _ask_for_action(sitting, screen)
            sitting.seen_log_length = len(sitting.log)
            news = sitting.play(sitting.me, action)
            if sitting.session.bot_task() is not None:
                screen.show_thinking(sitting)
            answers = list(sitting.let_bots_move(screen.show_busy))
            if is_game_action(action):
                screen.show(sitting, [*news, *answers])
            else:
                if action == TAKE_BACK:
                    screen.out("\n".join(remove_bold_marks(line.text) for line in news))
                screen.show_table(sitting)
        screen.show_end(sitting)
    except (PlayerLeft, EOFError, KeyboardInterrupt):
        screen.close()
        if not sitting.match.over:
            with suppress(OSError):
                # Printing fails if the terminal window was closed.
                print(saved_message(sitting), flush=True)
            return SUCCESS
    finally:
        sitting.preparation.stop()
        screen.close()
    screen.out(remove_bold_marks(sitting.table().result))
    # This line must not be wrapped, so that the path in it can be copied.
    print(_("The match is saved. Check it with: facedown verify {path}", path=shlex.quote(str(sitting.path))))
    return SUCCESS


def saved_message(sitting: LocalMatch) -> str:
    """Return a message with the path of the match file and the command to resume the match. It has one line even if the
    path is long.
    """
    path = sitting.path
    name = path.stem if path.parent == saved_matches.folder() else shlex.quote(str(path))
    return _("Saved: {path}. Resume with: facedown play --resume {name}", path=path, name=name)


def _ask_for_action(sitting: LocalMatch, screen: Screen) -> int:
    """Ask the player for a move until a legal one has been typed, and return its action.

    The result may also be one of `MATCH_ACTIONS`. The player has confirmed it if it is costly.
    """
    moves = sitting.moves()
    top = step = moves.table.step
    asked: TouchStep | None = None
    begun = ""
    unconfirmed: int | None = None
    while True:
        if asked is not step:
            screen.prompt(sitting, step, _typing_hints(moves, step))
            asked = step
        line = screen.ask("› ").strip()
        command = typed_moves.short_command_of(line)
        if command == "back" and step is not top:
            step = top
            continue
        if _run_command(sitting, screen, command, moves):
            if command == "again":
                step, asked = top, None
            continue
        try:
            chosen = _action_of_command(sitting, command)
            meant = _interpret(moves, step, moves.replace_names_by_seats(line), begun) if chosen is None else chosen
        except typed_moves.Unclear as problem:
            begun = problem.begun
            screen.out(moves.replace_seats_by_names(str(problem)))
            continue
        begun = ""
        if isinstance(meant, TouchStep):
            step = meant
            continue
        question = _confirmation_question(sitting, top, meant)
        if not question or unconfirmed == meant:
            return meant
        unconfirmed = meant
        words = moves.typed_move_text(meant) if is_game_action(meant) else command
        screen.out(_("{question} Type “{words}” again to do it anyway.", question=question, words=words))


def _typing_hints(moves: typed_moves.Moves, step: TouchStep) -> list[str]:
    """Return short texts that say what the player may type at the prompt `step`."""
    if len(moves.legal) == 1 and typed_moves.action_of_only_button(step) == moves.legal[0]:
        return [_("Enter for “{words}”", words=moves.typed_move_text(moves.legal[0]))]
    if step is moves.table.step:
        return moves.typing_hints()
    touches = [one.button.lower() or typed_part_of_place_id(one.touch) for one in step.choices if not one.refuses]
    return [*touches, "back"]


def _action_of_command(sitting: LocalMatch, command: str) -> int | None:
    """Return the action of a command in `MATCH_ACTIONS`; None if the text is not such a command.

    Raise `Unclear` with the reason if the player cannot take back a move now.
    """
    action = MATCH_ACTIONS.get(command)
    if action == TAKE_BACK and (reason := agreements.why_not_propose(sitting.session, sitting.me, action)):
        raise typed_moves.Unclear(reason)
    return action


def _confirmation_question(sitting: LocalMatch, step: TouchStep, action: int) -> str:
    """Return what the player reads before confirming an action; an empty text if it is played without confirmation.

    `step` is the prompt for the whole move.
    """
    together = sitting.match.game.info.together
    if action == AGREED_END:
        if sitting.match.standing.has_score and not together:
            return _("If the match ends now, the scores count as they are.")
        return _("If the match ends now, there’s no result.")
    if action == RESIGN:
        if sitting.match.seats > 2:
            return _("If you resign, bots play the match to its end.")
        if together:
            return _("If you resign, the game is lost.")
        return _("If you resign, {name} wins the match.", name=sitting.names[1 - sitting.me])
    return typed_moves.costly_move_question(step, action) if sitting.asks_before_costly_moves else ""


def _interpret(moves: typed_moves.Moves, step: TouchStep, line: str, begun: str) -> int | TouchStep:
    """Return the action that a typed line means. If the line is only the first part of a move, return the prompt for
    the rest. An empty line means the only button of the prompt.

    `step` is the prompt that the player answers. `begun` is the line typed before, if it was ambiguous because several
    moves begin with it; else it is empty.

    * If `begun` is empty, interpret `line` alone.
    * Otherwise, interpret `begun` followed by `line`. For example, "throw" and then "c1" means "throw c1".
    * If that is unclear and `line` is not a number, interpret `line` alone. The player may have typed another move.
    * If that is unclear and `line` is a number, do not interpret `line` alone. For example, a player who has typed
      "bid" types "3" to complete the bid, and not to play card 3.

    Raise `Unclear` if the text that was interpreted last is not a legal move, or is still ambiguous.
    """
    if not line:
        only = typed_moves.action_of_only_button(step)
        if only is None:
            raise typed_moves.Unclear(_("Type a move, or ? for help."), begun)
        return only
    whole = step is moves.table.step
    if begun:
        try:
            return moves.interpret(step, f"{begun} {line}", whole)
        except typed_moves.Unclear:
            if line.isdecimal():
                raise
    return moves.interpret(step, line, whole)


def _run_command(sitting: LocalMatch, screen: Screen, command: str, moves: typed_moves.Moves) -> bool:
    """Run a command that makes no move, such as "l" for the log. Return True, or False if the text is no such command.

    `moves` are the moves that the player may type now.
    """
    if command in TEXT_COMMANDS:
        screen.out(
            "\n".join(TEXT_COMMANDS[command](sitting, isinstance(screen, DrawnScreen)))
            or _("Nothing has happened yet.")
        )
    elif command in ("hint", "coach"):
        sitting.preparation.wait(COACH, screen.show_busy)
        screen.show_busy(_("The coach is trying out moves…"))
        try:
            screen.out(
                give_next_hint(sitting) if command == "hint" else "\n".join(top_moves_with_values_lines(sitting))
            )
        except NoCoach as problem:
            screen.out(_("No hint available: {why}.", why=problem))
    elif command == "again":
        screen.show_table(sitting)
    elif command == "m":
        screen.out(
            "\n".join(f"{f'#{i}':>4}  {moves.typed_move_text(action)}" for i, action in enumerate(moves.legal, 1))
        )
    elif command == "ask":
        sitting.asks_before_costly_moves = not sitting.asks_before_costly_moves
        asks = N_("You’ll be asked before costly moves.")
        screen.out(_(asks if sitting.asks_before_costly_moves else N_("You won’t be asked before costly moves.")))
    elif command in ("q", "quit", "exit"):
        raise PlayerLeft
    else:
        return False
    return True


def _help_lines(sitting: LocalMatch, drawn: bool) -> Iterator[str]:
    """Yield the lines of the help: all commands, how moves of this game are typed, and the hash of the deal's seed.

    With this hash (the commitment), the player can check after the match that the deal was not changed.

    `drawn` says for which kind of screen the lines are:

    * true, for a screen that draws the table: the descriptions of the commands are aligned in a column.
    * false, for a screen reader: each description follows its command after a colon.
    """
    yield _("Type a move in full, abbreviated, or by its number in the list (#3). Other commands:")
    for word, says in COMMANDS.items():
        yield f"  {word:<8} {_(says)}" if drawn else f"  {word}: {_(says)}"
    if typing := sitting.match.game.words.typing:
        yield Texts(package_of(sitting.match.game.info.name))(typing)
    yield _("Commitment to this deal: {commitment}", commitment=sitting.match.commitment)


def _log_lines(sitting: LocalMatch, drawn: bool) -> Iterator[str]:
    """Yield the whole log, one line per entry.

    `drawn` says for which kind of screen the lines are:

    * true, for a screen that draws the table: each line starts with the number of the entry, such as the number of the
      turn. Some entries have no number.
    * false, for a screen reader: the lines have no numbers.
    """
    return (
        f"{line.number:>4} {remove_bold_marks(line.text)}" if drawn else remove_bold_marks(line.text)
        for line in sitting.log
    )


def _recent_log_lines(sitting: LocalMatch, drawn: bool) -> Iterator[str]:
    """Yield the log lines since the player's last move.

    `drawn` is ignored. It is there because all functions in `TEXT_COMMANDS` have the same parameters.
    """
    return (remove_bold_marks(line.text) for line in sitting.log[sitting.seen_log_length :])


def _rules_lines(sitting: LocalMatch, drawn: bool) -> Iterator[str]:
    from facedown.terminal.rulebook import rules_text

    yield rules_text(sitting.match.game.info.name, chosen=sitting.match.options)


def _score_lines(sitting: LocalMatch, drawn: bool) -> Iterator[str]:
    """Yield the score sheet, one line per player. A title and an explanation are added if the game has them.

    `drawn` is ignored. It is there because all functions in `TEXT_COMMANDS` have the same parameters.
    """
    table = sitting.table()
    names = {panel.seat: isolate_right_to_left(panel.name) for panel in table.seats}
    if table.scores_title:
        yield f"{table.scores_title}:"
    for row in table.scores:
        yield f"{names[row.seat]}: {row.total}{', ' + row.line if row.line else ''}"
    if table.scores_note:
        yield table.scores_note


def _status_lines(sitting: LocalMatch, drawn: bool) -> Iterator[str]:
    """Yield one line: the title of the game, the progress of the match (such as the round), and whose turn it is.

    `drawn` is ignored. It is there because all functions in `TEXT_COMMANDS` have the same parameters.
    """
    table = sitting.table()
    acting = [panel for panel in table.seats if panel.acting]
    turn = _("Waiting for {names}.", names=in_a_row([panel.name for panel in acting])) if acting else ""
    if any(panel.you for panel in acting):
        turn = _("It’s your turn.")
    yield f"{table.title}, {', '.join(part for part in (*table.where, table.turn_words) if part)}. {turn}".replace(
        "?.", "?"
    ).strip()


#: Commands that only print text. Each function returns the lines to print. Its parameters are the match, and whether
#: the screen draws the table (otherwise the lines are for a screen reader).
TEXT_COMMANDS: dict[str, Callable[[LocalMatch, bool], Iterator[str]]] = {
    "?": _help_lines,
    "rules": _rules_lines,
    "l": _log_lines,
    "s": _score_lines,
    "new": _recent_log_lines,
    "where": _status_lines,
}


def give_next_hint(sitting: LocalMatch) -> str:
    """Return a hint from the coach, based on the player's view.

    At the same position, the first hint says where to look, the second why, and the third names the move.
    """
    found, at = coach_advice(sitting), sitting.hints[sitting.match.ply]
    sitting.hints[sitting.match.ply] += 1
    if at == 0:
        return _(
            "{where} Type “hint” again for the reason.", where=where_to_look_sentence(sitting.table(), found[0].action)
        )
    if at == 1:
        return _("{why} Type “hint” again for the move.", why=best_move_reason(found)).strip()
    consequence = _consequence_text(sitting.table(), found[0].action)
    why = " ".join(filter(None, (f"{capital(consequence)}." if consequence else "", best_move_reason(found))))
    return _(
        "The coach would play “{words}”. {why}", words=sitting.moves().typed_move_text(found[0].action), why=why
    ).strip()


def coach_advice(sitting: LocalMatch) -> list[Advice]:
    """Return the coach's best moves for the player, best first, based on the player's view."""
    from facedown.bots.coach import advise

    match, me = sitting.match, sitting.me
    return sorted(advise(match.game, match.known(me), me, match.ply)[:BEST], key=lambda move: move.behind)


def top_moves_with_values_lines(sitting: LocalMatch) -> list[str]:
    """Return the coach's best moves as text, each in one line with its value and a reason."""
    lines = []
    for move in coach_advice(sitting):
        told = _("“{move}” ({worth})", move=move.words, worth=move_value_text(move))
        lines.append(_("{told}: {why}", told=told, why=move.why) if move.why else told)
    return lines


def _consequence_text(table: Table, action: int) -> str:
    """Return words that say what an action does.

    * If the table has a description of the action (`Choice.says`), return that.
    * Otherwise, if the action inserts a card into the hand, return "the card goes …" with the place in the hand.
    * For all other actions, return an empty text.
    """
    touched = next((touched for touched in touch_sequences(table.step) if touched[-1].action == action), ())
    if len(touched) > 1 and has_confirmation(touched[-2]):
        touched = touched[:-1]
    if touched and touched[-1].says:
        return touched[-1].says
    gaps = {piece.place: piece.where for zone in table.zones for piece in zone.pieces if piece.kind == "gap"}
    where = next((gaps[choice.touch] for choice in touched if choice.touch in gaps), "")
    turned = next((choice.done for choice in touched if choice.done), "")
    return _("the card goes {where}", where=", ".join(part for part in (where, turned) if part)) if where else ""
