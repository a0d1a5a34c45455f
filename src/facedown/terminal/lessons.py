"""Introductory lessons of the games in the terminal. A lesson asks for one move at a time, and the player types it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as game_of
from facedown.core.table import LogLine, Table, TouchStep, touch_sequences
from facedown.core.translation import join_names
from facedown.play.lessons import Lesson, LessonStep
from facedown.terminal import typed_moves
from facedown.terminal.command_common import SUCCESS, PlayerLeft
from facedown.terminal.i18n import N_, _
from facedown.terminal.match_ui import Screen
from facedown.terminal.text_blocks import remove_bold_marks, replace_touch_verb, typed_part_of_place_id

COMMANDS = {
    "?": N_("show this help"),
    "again": N_("show the whole table again"),
    "back": N_("go back one step"),
    "skip": N_("skip to the next step"),
    "rules": N_("show the rules of the game"),
    "q": N_("leave the lesson"),
}


class LessonState:
    """A lesson and its current step. It supplies the table that is shown on the screen."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.game: GameModule = game_of(lesson.game)
        self.at = 0
        self.go_to_step(0)

    @property
    def step(self) -> LessonStep | None:
        """The current step; None at the end of the lesson."""
        return self.lesson.steps[self.at] if self.at < len(self.lesson.steps) else None

    @property
    def expected_move(self) -> str:
        """The move that the current step asks for, as the player types it; empty at the end of the lesson."""
        return self.moves.typed_move_text(self.step.action) if self.step else ""

    def table(self) -> Table:
        """Return the table of the current step. Its title line contains the number of the step."""
        table = self.lesson.table(self.at)
        where = _(
            "step {number} of {last}", number=self.lesson.heading_index(self.at) + 1, last=len(self.lesson.headings)
        )
        return replace(table, where=(where,) if self.step else (_("the end"),)).with_log(self.lines)

    def go_to_step(self, at: int) -> list[LogLine]:
        """Go to the step with index `at`.

        If it is the step after the current one, return the log lines that it adds. Otherwise return an empty list.
        """
        news = [line for frame in self.lesson.frames(at) for line in frame.lines] if at == self.at + 1 else []
        self.at = at
        match, viewer, sitters = self.lesson.matches[at], self.lesson.viewer, self.lesson.sitters
        names = [sitter.name for sitter in sitters]
        self.moves = typed_moves.Moves(self.game, match.table(viewer, sitters), match.legal(viewer), names)
        """All moves that the rules allow at the current step, including those that the lesson does not accept."""
        self.lines = [line for k in range(at + 1) for frame in self.lesson.frames(k) for line in frame.lines]
        return news


def run(lesson: Lesson, screen: Screen) -> int:
    """Run a lesson until its end or until the player leaves. Returns the exit code."""
    lecture = LessonState(lesson)
    try:
        screen.out(f"{lesson.title}\n{lesson.aim}")
        screen.show_table(lecture)
        while (step := lecture.step) is not None:
            _play_step(lecture, step, screen)
        _show_lesson_end(lecture, screen)
    except (PlayerLeft, EOFError, KeyboardInterrupt):
        screen.close()
        print(_("You can take the lesson again any time: facedown learn {game}", game=lesson.game), flush=True)
    finally:
        screen.close()
    return SUCCESS


def _play_step(lecture: LessonState, step: LessonStep, screen: Screen) -> None:
    """Ask for the move of one step until the player types it or goes to another step."""
    at = lecture.at
    top = asked = lecture.table().step
    _show_prompt(lecture, step, asked, screen)
    while lecture.at == at:
        line = screen.ask("› ").strip()
        command = typed_moves.short_command_of(line)
        if command == "?":
            screen.out("\n".join(f"{word}: {_(says)}" for word, says in COMMANDS.items()))
        elif command in ("q", "quit", "exit"):
            raise PlayerLeft
        elif command == "again":
            screen.show_table(lecture)
            _show_prompt(lecture, step, asked, screen)
        elif command == "rules":
            from facedown.terminal.rulebook import rules_text

            screen.out(rules_text(lecture.game.info.name))
        elif command == "back":
            if asked is top:
                screen.show(lecture, lecture.go_to_step(max(0, at - 1)))
                break
            asked = top
            _show_prompt(lecture, step, asked, screen)
        elif command == "skip":
            screen.show(lecture, lecture.go_to_step(at + 1))
        else:
            meant = _interpret(lecture, asked, line)
            if meant == step.action:
                screen.show(lecture, lecture.go_to_step(at + 1))
            elif isinstance(meant, TouchStep):
                asked = meant
                _show_prompt(lecture, step, asked, screen)
            else:
                screen.out(_refusal_text(lecture, step, asked, line, meant))


def _show_prompt(lecture: LessonState, step: LessonStep, asked: TouchStep, screen: Screen) -> None:
    """Show the prompt `asked` for the next part of the move. It lists what the player should type."""
    typed = _expected_inputs(lecture, step, asked)
    screen.prompt(lecture, asked._replace(prompt=replace_touch_verb(asked.prompt)), list(dict.fromkeys(typed)))


def _expected_inputs(lecture: LessonState, step: LessonStep, asked: TouchStep) -> list[str]:
    """Return the texts that the player may type at the prompt `asked`, which asks for one part of the move.

    At the prompt for the first part, the player may also type the whole move, so its text is added.
    """
    touch = asked.choices[0].touch
    places = {action: str(number) for number, action in lecture.moves.by_place.items()}
    typed = places.get(step.action, typed_part_of_place_id(touch).lower())
    return [typed, lecture.expected_move] if touch in {path[0] for path in step.paths} else [typed]


def _interpret(lecture: LessonState, asked: TouchStep, line: str) -> int | TouchStep | None:
    """Return the legal action that a typed line means. If the line is only the start of a move, return the prompt for
    the rest.

    Return None if the line is not a move. `asked` is the prompt that the player answers, with the places and buttons
    that it offers.
    """
    if not line:
        return typed_moves.action_of_only_button(asked)
    moves = lecture.moves
    with suppress(typed_moves.Unclear):
        return moves.interpret(asked, moves.replace_names_by_seats(line), whole=bool(moves.by_place))
    return None


def _refusal_text(lecture: LessonState, step: LessonStep, asked: TouchStep, line: str, meant: int | None) -> str:
    """Return a message that says why the lesson does not accept a typed line, and what to type instead.

    `meant` is the legal action that the line means, or None.
    """
    if not line:
        return _("Type “{move}”, or ? for help.", move=lecture.expected_move)
    tokens = typed_moves.tokens_of(line)
    # A lesson can give a place or button on the table a text that says why touching it is wrong in this step. Show the
    # text of the place or button that the player would have touched first. If the typed line is a legal move, that is
    # the first touch of this move; otherwise the line's last word must name the first touch of a legal move.
    found = (
        way[0].touch
        for way in touch_sequences(lecture.moves.table.step)
        if way[-1].action == meant or (meant is None and tokens[-1] in typed_moves.touch_names(way[0].touch))
    )
    refused = dict(asked.refusals).get(next(found, "")) or typed_moves.touch_refusal_text(asked, tokens) or step.wrong
    refused = refused or _("The lesson asks for a different move.")
    typed = _("Type “{move}”.", move=_expected_inputs(lecture, step, asked)[0])
    return f"{replace_touch_verb(refused)} {typed}"


def _show_lesson_end(lecture: LessonState, screen: Screen) -> None:
    """Show what the player has learnt, and the commands to play the game and to read its rules."""
    lesson = lecture.lesson
    screen.prompt(lecture, lecture.table().step, [_("Enter")])
    for line in lesson.learnt:
        screen.out(f"✓ {remove_bold_marks(line)}")
    options = (f"--option {name}={value}" for name, value in lesson.play.items())
    command = " ".join((f"facedown play {lesson.game} --bots beginner", *options))
    partner = join_names([sitter.name for sitter in lesson.sitters if sitter.bot])
    screen.out(_("Play with {partner}: {command}", partner=partner, command=command))
    screen.out(_("Read all the rules: {command}", command=f"facedown rules {lesson.game}"))
    screen.ask("› ")
