"""Introductory lessons of the games. The player sits at a table with a fixed deal and is asked for one move at a time.

A lesson is the data file ``lesson.toml`` in its game's package. Its sentences are written in English and translated by
that package's catalogue. A *touch* is the choice of a place on the table or of a button. A player makes a move by one
or more touches.

When the file is loaded, all its moves are played as a check. The error message for an illegal move has the file and the
line.

Keys of the top level:

* ``title``, ``aim`` (one sentence: the goal of the game), ``seats``, ``seed``;
* ``viewer`` (optional): the seat of the learner, default 0;
* ``names`` (optional): names of the other players, seat by seat;
* ``deal`` (optional): the first cards of the deck in notation, top card first;
* ``first`` (optional): the seat that deals or starts;
* ``[options]`` (optional): the options of the lesson's match;
* ``[play]`` (optional): the options of the short match that follows the lesson.

Keys of each ``[[step]]``:

* ``says``: one sentence with the instruction for the first touch, such as "Choose the 7 at the left end.";
* ``why``: one sentence shown below the instruction;
* ``move``: the move asked for, in notation: one action of the viewer;
* ``name`` (optional): a short heading in the list of steps. A step without a name belongs to the heading above it;
* ``before`` (optional): moves played before the step. "P1 draw" is a move by seat 1 (the first seat is P0). "draw" is a
  move by the next seat to act;
* ``path`` (optional): the touches to ask for, in this order. It is needed only if several sequences of touches make
  the move. The default is the first sequence that the game offers;
* ``then`` (optional): a list of prompts for the touches of ``path`` after the first: one for the second touch, one for
  the third, and so on. If the player makes the touches in another order, each prompt is still shown when the lesson
  asks for its touch. If the list is too short, the remaining touches have the usual prompts of the game;
* ``[step.touches]`` (optional): answers to particular touches that are not part of the move, by touch id;
* ``wrong`` (optional): the answer to all other touches that are not part of the move. If the rules of the game give a
  reason why such a touch is impossible, that reason is shown instead;
* ``learnt`` (optional): what the player knows after the step.

Keys of ``[end]``:

* ``says``: one sentence;
* ``before`` (optional): moves played after the last step;
* ``lines`` (optional): a summary of what was learnt; by default the ``learnt`` texts of the steps.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any

from facedown.core import game_registry as registry
from facedown.core.match import BY_CHANCE, Match
from facedown.core.match_file import parse_cards, play_words
from facedown.core.options import OptionError
from facedown.core.seeds import seed_from_text
from facedown.core.table import Choice, LogLine, Sitter, Table, TouchPath, TouchStep, touch_sequences
from facedown.core.translation import Texts, cache_by_language, language, use_language
from facedown.play.bot_interface import BOT_NAMES

FILE = "lesson.toml"
#: The keys that each section of a lesson file must have, and those that it may have. The section "" is the top level.
_KEYS = {
    "": ("title aim seats seed step end", "viewer names deal first options play"),
    "step": ("says why move", "name before path then wrong learnt touches"),
    "end": ("says", "before lines"),
}
#: The Python type of the value of each key, if it is not a string.
_KINDS: dict[str, type] = {
    **dict.fromkeys(("seats", "viewer", "first"), int),
    **dict.fromkeys(("names", "step", "before", "path", "then", "lines"), list),
    **dict.fromkeys(("options", "play", "end", "touches"), dict),
}


class LessonError(ValueError):
    """Error in a lesson file. The message gives the file, the line and the reason."""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step of a lesson: the move that the player is asked for, and the texts shown with it."""

    name: str
    """Short heading in the list of steps; empty if the step belongs to the heading of an earlier step."""
    says: str
    why: str
    action: int
    path: TouchPath
    """The touches (choices of places and buttons) that make the move, in the order in which the lesson asks for
    them."""
    paths: tuple[TouchPath, ...]
    """All sequences of touches that make the move and are no longer than `path`. Each of them is accepted."""
    then: tuple[str, ...] = ()
    wrong: str = ""
    learnt: str = ""
    touches: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the animation between two steps of a lesson: the table after a move, and the log lines of that
    move.
    """

    table: Table
    lines: tuple[LogLine, ...]
    """Log lines of the move, as the learner sees them."""


@dataclass(frozen=True, eq=False)
class Lesson:
    """A lesson, with its texts in the language that was active when the lesson file was loaded.

    Two lessons are equal only if they are the same object.
    """

    game: str
    title: str
    aim: str
    viewer: int
    sitters: tuple[Sitter, ...]
    steps: tuple[LessonStep, ...]
    end: str
    learnt: tuple[str, ...]
    """Sentences that sum up what the player has learnt."""
    play: Mapping[str, str]
    """Options of the short match that the player may play after the lesson, by option name."""
    matches: tuple[Match, ...]
    """The match at the start of each step, and last the match at the end of the lesson."""
    code: str
    """Code of the lesson's language, such as "en"."""

    @property
    def headings(self) -> tuple[tuple[str, int], ...]:
        """The headings in the list of steps, as (name, index of the first step that belongs to the heading)."""
        return tuple((step.name, at) for at, step in enumerate(self.steps) if step.name)

    def heading_index(self, at: int) -> int:
        """Return the index in `headings` of the heading to which the step with index `at` belongs.

        If `at` is the number of steps (the end of the lesson), return the number of headings.
        """
        if at >= len(self.steps):
            return len(self.headings)
        return sum(1 for _, begins in self.headings if begins <= at) - 1

    def table(self, at: int) -> Table:
        """Return the learner's table at the step with index `at`. The table offers only the move that the step asks
        for.

        If `at` is the number of steps, return the final table with the closing sentence. Raise `IndexError` if `at` is
        larger.
        """
        match = self._match(at)
        with use_language(self.code):
            table = match.table(self.viewer, self.sitters)
            if at == len(self.steps):
                return replace(table, step=TouchStep(self.end))
            return replace(table, step=_guided_step(table, self.steps[at], table.step, ()))

    def frames(self, at: int) -> list[Frame]:
        """Return a frame of an animation (a table and its log lines) for each move that leads from step `at - 1` to
        step `at`.

        For step 0 these are the moves played before it. The last table is that of step `at`, without the step's
        instruction. Raise `IndexError` beyond the end of the lesson.
        """
        match = self._match(at)
        begun = self.matches[at - 1].ply if at else 0
        found = []
        with use_language(self.code):
            for step in match.steps():
                if step.ply <= begun:
                    continue
                lines = tuple(step.lines(self.viewer, self.sitters))
                table = step.views.table(self.viewer, self.sitters)
                found.append(Frame(replace(table, step=TouchStep(table.step.prompt, rule=table.step.rule)), lines))
        return found

    def _match(self, at: int) -> Match:
        if not 0 <= at <= len(self.steps):
            raise IndexError(f"the step must be from 0 to {len(self.steps)}, not {at}")
        return self.matches[at]


def _guided_step(table: Table, asked: LessonStep, step: TouchStep, before: TouchPath) -> TouchStep:
    """Return a copy of the prompt `step` that accepts only the touches of the move that the lesson asks for (`asked`).

    A touch is the choice of a place or button. The touch that the lesson expects comes first, followed by others that
    also make the move. All other touches are refused with a reason. `before` holds the touches made so far.
    """
    at = len(before)
    accepted = {path[at] for path in asked.paths if path[:at] == before}
    wanted = next((touch for touch in asked.path if touch in accepted), "")
    choices = [
        one if one.then is None else one._replace(then=_guided_step(table, asked, one.then, (*before, one.touch)))
        for one in sorted(step.choices, key=lambda one: one.touch != wanted)
        if one.touch in accepted
    ]
    says, why = step.prompt, ""
    if wanted == asked.path[0]:
        says, why = asked.says, asked.why
    elif wanted in asked.path[1 : len(asked.then) + 1]:
        says = asked.then[asked.path.index(wanted) - 1]
    reasons = dict(step.refusals)
    things = {piece.place: "" for zone in table.zones for piece in zone.pieces if piece.kind != "gone"}
    things |= {zone.id: "" for zone in table.zones if zone.id in reasons}
    things |= {other.touch: "" for other in table.step.choices if not other.button or other.touch in things}
    things |= {other.touch: "" for other in step.choices if other.touch not in accepted}
    refused = []
    for touch in {**things, **reasons}:
        if touch not in accepted and touch not in before:
            refused.append((touch, asked.touches.get(touch) or reasons.get(touch) or asked.wrong))
    choices += _disabled_buttons(step, accepted, dict(refused))
    return step._replace(prompt=says, help=why, choices=tuple(choices), refusals=tuple(r for r in refused if r[1]))


def _disabled_buttons(step: TouchStep, accepted: Set[str], reasons: Mapping[str, str]) -> Iterator[Choice]:
    """Yield a disabled copy of each button in `step` that the lesson does not accept.

    * `accepted`: the ids of the buttons and places that the lesson accepts.
    * `reasons`: the reason why each other button or place is refused, by id. A disabled button shows its reason.

    Two kinds of buttons are left out: those whose reason is empty or missing, and those that choose a number, such as a
    bid.
    """
    for choice in step.choices:
        if choice.touch not in accepted and choice.button and choice.number is None and reasons.get(choice.touch):
            yield Choice(choice.touch, button=choice.button, refuses=reasons[choice.touch], sign=choice.sign)


# --- reading lesson files ---------------------------------------------------------------------------------------------


@cache
def has_lesson(game: str) -> bool:
    """Return whether a game has a lesson, without loading the game's rules."""
    return (resources.files(registry.package_of(game)) / FILE).is_file()


@cache_by_language
def lesson(game: str) -> Lesson | None:
    """Return the lesson of a game in the active language, or None if the game has none.

    Raise `LessonError` if the lesson file is wrong.
    """
    package = registry.package_of(game)
    file = resources.files(package) / FILE
    return read_lesson(game, file.read_text(encoding="utf-8"), str(file)) if file.is_file() else None


def read_lesson(game: str, text: str, file: str = FILE) -> Lesson:
    """Return the lesson in the text of a lesson file. Its moves are played as a check.

    Raise `LessonError`, with the name `file` and the line, if the lesson is wrong.
    """
    return _Reader(game, text, file).lesson()


class _Reader:
    """Parser of one lesson file, which also plays the lesson's moves."""

    def __init__(self, game: str, text: str, file: str) -> None:
        self.game, self.file, self.text = game, file, text
        self._texts = Texts(registry.package_of(game))
        try:
            self.data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as wrong:
            raise LessonError(f"{file}: {wrong}") from None

    def wrong(self, reason: str, section: str = "", number: int = 0, key: str = "") -> LessonError:
        """Return an error whose message begins with the file and the line of a key.

        `section` is the name of the section that has the key. If several sections have this name, `number` is the index
        of the section among them.
        """
        return LessonError(f"{self.file}:{self._line_number(section, number, key)}: {reason}")

    def _line_number(self, section: str, number: int, key: str) -> int:
        lines = self.text.splitlines()
        heads = [at for at, line in enumerate(lines) if section and line.strip() in (f"[[{section}]]", f"[{section}]")]
        start = heads[number] if number < len(heads) else 0
        for at in range(start + bool(heads), len(lines)):
            if re.match(rf'\s*"?{re.escape(key)}"?\s*=', lines[at]):
                return at + 1
            if lines[at].startswith("[["):
                break
        return start + 1

    def lesson(self) -> Lesson:
        """Return the lesson. Its match is played to the end, so that wrong moves in the file are found."""
        data, said = self.data, self._translated
        self._check(data, "")
        viewer, seats, end = data.get("viewer", 0), data["seats"], data["end"]
        match = self._match()
        if not 0 <= viewer < seats:
            raise self.wrong(f"there is no seat {viewer} at a table with {seats} seats", key="viewer")
        others = iter([*data.get("names", ()), *BOT_NAMES])
        sitters = tuple(Sitter("You") if seat == viewer else Sitter(next(others), True) for seat in range(seats))
        steps, matches = [], []
        for number, given in enumerate(data["step"]):
            self._check(given, "step", number)
            if not number and not given.get("name"):
                raise self.wrong("the first step has a name", "step", number)
            self._play_moves_before(match, given, "step", number)
            matches.append(match.copy())
            steps.append(self._step(match, given, number, viewer, sitters))
            match.play(viewer, steps[-1].action)
        self._check(end, "end")
        self._play_moves_before(match, end, "end")
        learnt = [said(text) for text in end.get("lines", ())] or [step.learnt for step in steps if step.learnt]
        return Lesson(
            game=self.game,
            title=said(data["title"]),
            aim=said(data["aim"]),
            viewer=viewer,
            sitters=sitters,
            steps=tuple(steps),
            end=said(end["says"]),
            learnt=tuple(learnt),
            play=self._options("play"),
            matches=(*matches, match),
            code=language(),
        )

    def _translated(self, text: str) -> str:
        """Return the translation of an English text of the lesson file; an empty text stays empty."""
        return text and self._texts(text)

    def _match(self) -> Match:
        data, game = self.data, registry.game(self.game)
        part = "options"
        try:
            options = game.check_options(data["seats"], self._options("options"))
            part = "play"
            game.check_options(data["seats"], self._options("play"))
        except OptionError as wrong:
            raise self.wrong(str(wrong), part) from None
        try:
            deal, seed = parse_cards(game, data.get("deal", "")), seed_from_text(data["seed"])
            return Match(game, data["seats"], options, seed, deal, data.get("first", BY_CHANCE))
        except ValueError as wrong:
            raise self.wrong(str(wrong), key="deal") from None

    def _options(self, section: str) -> dict[str, str]:
        """Return the match options in a section of the file: "options" for the lesson, "play" for the match that
        follows it.
        """
        return {str(name): str(value) for name, value in self.data.get(section, {}).items()}

    def _step(
        self, match: Match, given: Mapping[str, Any], number: int, viewer: int, sitters: tuple[Sitter, ...]
    ) -> LessonStep:
        try:
            action = match.game.words.parse(given["move"])
            match.check(viewer, action)
        except ValueError as wrong:
            raise self.wrong(str(wrong), "step", number, "move") from None
        every = touch_sequences(match.table(viewer, sitters).step)
        offered = [tuple(choice.touch for choice in way) for way in every if way[-1].action == action]
        path = tuple(given.get("path", offered[0] if offered else ()))
        if path not in offered:
            there = "; ".join(" ".join(way) for way in offered[:6]) or "none"
            raise self.wrong(f"no touches {' '.join(path)} make this move; possible: {there}", "step", number, "path")
        sentences = {key: self._translated(given.get(key, "")) for key in ("name", "says", "why", "wrong", "learnt")}
        return LessonStep(
            action=action,
            path=path,
            paths=tuple(way for way in offered if len(way) <= len(path)),
            then=tuple(map(self._translated, given.get("then", ()))),
            touches={touch: self._translated(text) for touch, text in given.get("touches", {}).items()},
            **sentences,
        )

    def _play_moves_before(self, match: Match, given: Mapping[str, Any], section: str, number: int = 0) -> None:
        """Play the moves that a section of the lesson file lists under ``before``. `given` is the data of the section.

        `section` is the name of the section, and `number` its index among the sections with this name. They are only
        used in error messages, to say where the error is.
        """
        for move in given.get("before", ()):
            try:
                play_words(match, move)
            except ValueError as wrong:
                raise self.wrong(f"{move}: {wrong}", section, number, "before") from None

    def _check(self, given: Mapping[str, Any], section: str, number: int = 0) -> None:
        """Raise `LessonError` if a key of the data `given` is unknown or missing, or has a value of the wrong type.

        `section` is the name of the section that has this data. If several have this name, `number` is its index among
        them.
        """
        needed, others = (keys.split() for keys in _KEYS[section])
        for key, value in given.items():
            if key not in (*needed, *others):
                raise self.wrong(f"unknown key {key}; allowed: {', '.join((*needed, *others))}", section, number, key)
            kind = _KINDS.get(key, str)
            if not isinstance(value, kind):
                raise self.wrong(f"{key} must be a {kind.__name__}, not {value!r}", section, number, key)
        missing = sorted(set(needed) - set(given))
        if missing:
            raise self.wrong(f"{missing[0]} is missing", section, number)
