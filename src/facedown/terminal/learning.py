"""A played first lesson in the terminal: one thing after the other is asked, typed, and answered."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace

from facedown.core.game import GameModule
from facedown.core.game import game as game_of
from facedown.core.language import listed
from facedown.core.table import Line, Step, Table
from facedown.play.lessons import Lesson, LessonStep
from facedown.terminal import entry
from facedown.terminal.blocks import plain
from facedown.terminal.screens import Screen
from facedown.terminal.shared import FINE, Left
from facedown.terminal.texts import N_, _

COMMANDS = {
    "?": N_("this help"),
    "again": N_("the whole table again"),
    "back": N_("one step back"),
    "skip": N_("on to the next step"),
    "rules": N_("the rules of the game"),
    "q": N_("leave the lesson"),
}


class Lecture:
    """A lesson at one of its steps, as a screen shows it."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.game: GameModule = game_of(lesson.game)
        self.at = 0
        self.asked: Step | None = None
        """What is asked after the first touches of a move, if these were typed."""
        self.lines: list[Line] = []

    @property
    def step(self) -> LessonStep | None:
        """What is asked; None at the end."""
        return self.lesson.steps[self.at] if self.at < len(self.lesson.steps) else None

    @property
    def words(self) -> str:
        """The move that is asked for, as it is typed."""
        return self.game.words.words(self.step.action) if self.step else ""

    def table(self) -> Table:
        """The table of the step, where it stands in the lesson in its title."""
        table = self.lesson.table(self.at)
        where = _("step {number} of {last}", number=self.lesson.part_of(self.at) + 1, last=len(self.lesson.names))
        return replace(table, where=(where,) if self.step else (_("the end"),)).with_log(self.lines)

    def typed(self) -> set[str]:
        """The words that the move is typed with."""
        return set(re.split(r"[\s,-]+", self.words.lower()))

    def go(self, at: int) -> list[Line]:
        """Go to a step, and say what happened on the way if it is the next one."""
        news = [line for frame in self.lesson.frames(at) for line in frame.lines] if at == self.at + 1 else []
        self.at = at
        self.lines = [line for k in range(at + 1) for frame in self.lesson.frames(k) for line in frame.lines]
        return news


def run(lesson: Lesson, screen: Screen) -> int:
    """Give a lesson until its end, or until the person leaves; returns the exit code."""
    lecture = Lecture(lesson)
    try:
        screen.out(f"{lesson.title}\n{lesson.aim}")
        lecture.go(0)
        screen.table(lecture)
        while (step := lecture.step) is not None:
            _ask(lecture, step, screen)
        _end(lecture, screen)
    except (Left, EOFError, KeyboardInterrupt):
        screen.close()
        print(_("The lesson goes on whenever you like: facedown learn {game}", game=lesson.game), flush=True)
    finally:
        screen.close()
    return FINE


def _ask(lecture: Lecture, step: LessonStep, screen: Screen) -> None:
    """Ask for one move until it is typed, or the person goes elsewhere."""
    at = lecture.at
    table = lecture.table()
    screen.prompt(lecture, table.step, [lecture.words])
    while lecture.at == at:
        line = screen.ask("› ").strip()
        command = line.lower()
        if command in ("?", "help"):
            screen.out("\n".join(f"{word}: {_(says)}" for word, says in COMMANDS.items()))
        elif command in ("q", "quit", "exit"):
            raise Left
        elif command in ("again", "t", "table"):
            screen.table(lecture)
            screen.prompt(lecture, table.step, [lecture.words])
        elif command == "rules":
            from facedown.terminal.rulebook import rules_text

            screen.out(rules_text(lecture.game.info.name))
        elif command in ("back", "b"):
            _go(lecture, max(0, at - 1), screen)
            break
        elif command == "skip" or _meant(lecture, step, table.step, line, screen):
            _go(lecture, at + 1, screen)


def _go(lecture: Lecture, at: int, screen: Screen) -> None:
    news = lecture.go(at)
    screen.show(lecture, news)


def _meant(lecture: Lecture, step: LessonStep, asked: Step, line: str, screen: Screen) -> bool:
    """Was the move typed that is asked for? If not, say why not that one."""
    if not line:
        if entry.finish(asked) == step.action:
            return True
        screen.out(_("Type “{move}”, or ? for help.", move=lecture.words))
        return False
    tokens = re.split(r"[\s,]+", line.lower())
    with suppress(entry.Unclear):
        meant = entry.meaning(lecture.game, [step.action], asked, line, listed=False)
        if meant == step.action:
            return True
        if isinstance(meant, Step):
            screen.out(plain(meant.prompt))
            return entry.finish(meant) == step.action
    refused = entry.refusal_of(asked, tokens) or step.wrong
    screen.out(refused or _("Here the lesson asks for “{move}”.", move=lecture.words))
    return False


def _end(lecture: Lecture, screen: Screen) -> None:
    """What has been learnt, and the ways on."""
    lesson = lecture.lesson
    screen.prompt(lecture, lecture.table().step, [_("Enter")])
    for line in lesson.learnt:
        screen.out(f"✓ {plain(line)}")
    options = " ".join(f"--option {name}={value}" for name, value in lesson.play.items())
    command = " ".join(part for part in (f"facedown play {lesson.game} --bots beginner", options) if part)
    partner = listed([sitter.name for sitter in lesson.sitters if sitter.bot])
    screen.out(_("Play {partner}: {command}", partner=partner, command=command))
    screen.out(_("Read the rest: {command}", command=f"facedown rules {lesson.game}"))
    screen.ask("› ")
