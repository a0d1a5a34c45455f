"""A match in the terminal: one person, and bots at the other seats."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from facedown.bots import bot as bot_of
from facedown.bots import seated
from facedown.core.game import Game
from facedown.core.match import Match, Move, tell
from facedown.core.notation import MatchFile, write
from facedown.core.slots import observe
from facedown.core.state import EMPTY, SPECTATOR, UNKNOWN, copy
from facedown.core.table import Line, Sitter, Step, Table, ways
from facedown.terminal import entry, saves
from facedown.terminal.blocks import filled
from facedown.terminal.problems import FINE

COMMANDS = {
    "?": "this help",
    "rules": "the rules of the game",
    "hint": "what the greedy bot would do, and why",
    "coach": "the best three moves, tried in imagined worlds",
    "m": "all moves with their numbers",
    "t": "the table again",
    "l": "the whole log",
    "undo": "take your last move back, where nothing was revealed by it",
    "q": "save and leave; the match can be gone on with later",
}

#: So many rows below the table are left for the prompt, what may be typed and the line it is typed in.
PROMPT_ROWS = 6

#: So many moves does the coach name.
BEST = 3


class Left(Exception):
    """The person leaves the table."""


@dataclass
class Sitting:
    """A match at this terminal: who sits where, what the person has seen, and what is on the screen."""

    match: Match
    names: tuple[str, ...]
    bots: dict[int, str]
    me: int
    path: Path
    memory_aid: bool = False
    log: list[Line] = field(default_factory=list)
    before: list[Any] = field(default_factory=list)
    """The states before each move of this sitting, to undo."""

    @property
    def sitters(self) -> list[Sitter]:
        """Who sits at the table."""
        return [Sitter(name, seat in self.bots) for seat, name in enumerate(self.names)]

    def table(self) -> Table:
        """What the person sees."""
        return self.match.table(self.me, self.sitters, self.memory_aid).with_log(self.log)

    def typed(self) -> set[str]:
        """The words that the person's moves are typed with."""
        legal = self.match.legal(self.me)
        return {word for action in legal for word in re.split(r"[\s,-]+", self.match.game.words.words(action).lower())}

    def play(self, seat: int, action: int) -> list[Line]:
        """Play a move; return what the person saw of it."""
        before = copy(self.match.state)
        self.match.play(seat, action)
        self.before.append(before)
        told = list(tell(self.match.game, before, self.match.state, Move(seat, action), self.me, self.sitters))
        self.log += told
        return told

    def bots_move(self) -> Iterator[Line]:
        """Let every bot that is to act do so, until only the person is left or nobody."""
        while True:
            waiting = [seat for seat in self.match.acting if seat in self.bots]
            if not waiting:
                return
            seat = waiting[0]
            word = f"{self.match.seed.hex()} {self.match.ply} {seat}"
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
            yield from self.play(seat, seated(bot_of(self.bots[seat]), self.match, seat, seed))

    def undo(self) -> str:
        """Take the person's last move back; returns why that cannot be, or nothing."""
        if not self.before or not self.match.moves:
            return "There is nothing to take back."
        if self.match.moves[-1].seat != self.me:
            return "Somebody else has moved since: that cannot be taken back."
        if revealed(self.before[-1], self.match.state):
            return "That move has shown a card or used chance: it cannot be taken back."
        self.match.moves.pop()
        self.match.state = self.before.pop()
        self.log = self.match.log(self.me, self.sitters)
        return ""

    def save(self) -> None:
        """Write the match file."""
        saves.save(write(self.match, self.names, self.bots), self.path)


def revealed(before: Any, after: Any) -> bool:
    """Did anybody come to know a card between two states, or was chance used?"""
    if int(before.stream) != int(after.stream):
        return True
    for viewer in (*range(int(before.seats)), SPECTATOR):
        old, new = observe(before, viewer), observe(after, viewer)
        had = Counter(int(kind) for kind in old.card if kind not in (EMPTY, UNKNOWN))
        has = Counter(int(kind) for kind in new.card if kind not in (EMPTY, UNKNOWN))
        if has - had:
            return True
    return False


class Screen:
    """How a match meets a person; `Drawn` and `Spoken` are the two ways."""

    def __init__(self, ask: Callable[[str], str], out: Callable[..., None]) -> None:
        self.ask = ask
        self.out = out

    def show(self, sitting: Sitting, news: list[Line]) -> None:
        """Show the table, and what happened since."""
        raise NotImplementedError

    def prompt(self, sitting: Sitting, step: Step, typed: list[str]) -> None:
        """Show what is asked."""
        raise NotImplementedError

    def table(self, sitting: Sitting) -> None:
        """Show the whole table."""
        self.show(sitting, [])


class Drawn(Screen):
    """Colours and cards."""

    def __init__(self, ask: Callable[[str], str], console: Any, theme: str) -> None:
        from facedown.terminal.draw import Pen

        super().__init__(ask, self.say)
        self.console = console
        self.pen = Pen(bool(console.color_system) and not console.no_color, theme)

    def say(self, text: str) -> None:
        """Print text, its lines broken at spaces where the terminal ends."""
        self.console.print(filled(text, self.console.width), markup=False, highlight=False, soft_wrap=True)

    def show(self, sitting: Sitting, news: list[Line]) -> None:
        """Draw the table anew."""
        from facedown.terminal.draw import Drawing

        if self.console.is_terminal:
            self.console.clear()
        drawing = Drawing(sitting.table(), self.pen, sitting.typed())
        for line in drawing.fitting(self.console.height - PROMPT_ROWS).lines:
            self.console.print(line, overflow="ignore", no_wrap=True, crop=False)

    def prompt(self, sitting: Sitting, step: Step, typed: list[str]) -> None:
        """Draw the prompt."""
        from facedown.terminal.draw import prompt_block

        self.console.print()
        for line in prompt_block(sitting.table(), step, self.pen, typed).lines:
            self.console.print(line, overflow="ignore", no_wrap=True, crop=False)


class Spoken(Screen):
    """Sentences only."""

    def __init__(self, ask: Callable[[str], str], out: Callable[..., None]) -> None:
        super().__init__(ask, out)
        self.told: list[str] = []
        """What lies before the person, as it was last read out."""
        self.phase = ""

    def show(self, sitting: Sitting, news: list[Line]) -> None:
        """Say what happened; the whole table only at first and when it is asked for."""
        from facedown.terminal.blocks import plain

        if not news:
            self.table(sitting)
            return
        for line in news:
            self.out(plain(line.text))
        self.own(sitting)

    def own(self, sitting: Sitting) -> None:
        """Read out what has changed before the person: their hand is what the next move is made from."""
        from facedown.terminal.spoken import own_sentences

        table = sitting.table()
        before = set(self.told)
        if table.phase != self.phase:
            # Something else is asked for: then an equal hand is news, too (a swap may bring the same card again).
            before -= set(own_sentences(table, ("hand",)))
        self.told, self.phase = own_sentences(table), table.phase
        for sentence in self.told:
            if sentence not in before:
                self.out(sentence)

    def table(self, sitting: Sitting) -> None:
        """Read the table out."""
        from facedown.terminal.spoken import own_sentences, table_sentences

        table = sitting.table()
        self.told, self.phase = own_sentences(table), table.phase
        for sentence in table_sentences(table):
            self.out(sentence)

    def prompt(self, sitting: Sitting, step: Step, typed: list[str]) -> None:
        """Ask."""
        from facedown.terminal.blocks import plain, typed_help

        self.out(plain(" ".join(part for part in (step.prompt, typed_help(step.help)) if part)))
        self.out(f"You may type: {', '.join(typed)}.")


def run(sitting: Sitting, screen: Screen) -> int:
    """Play until the match is over or the person leaves; returns the exit code."""
    try:
        news = list(sitting.bots_move())
        screen.show(sitting, [] if sitting.match.ply == len(news) else news)
        while not sitting.match.over:
            action = _decide(sitting, screen)
            news = sitting.play(sitting.me, action)
            news += sitting.bots_move()
            screen.show(sitting, news)
    except (Left, EOFError, KeyboardInterrupt):
        sitting.save()
        screen.out(f"\nSaved. Go on with: facedown play --resume {sitting.path}")
        return FINE
    except OSError:
        # The window is gone, and nothing can be shown in it any more.
        sitting.save()
        raise
    sitting.save()
    table = sitting.table()
    if isinstance(screen, Spoken):
        screen.out(table.result)
    screen.out(f"The match is kept in {sitting.path}. Check it with: facedown verify {sitting.path}")
    return FINE


def _decide(sitting: Sitting, screen: Screen) -> int:
    """Ask the person until a legal action is clear."""
    game, me = sitting.match.game, sitting.me
    top = step = sitting.table().step
    listed = False
    asked: Step | None = None
    begun, doubted = "", ""
    while True:
        legal = entry.as_they_lie(sitting.match.legal(me), top)
        if asked is not step:
            typed = entry.summary(game, legal) if step is top else [*_names_in(step), "back"]
            if len(legal) == 1 and entry.finish(step) == legal[0]:
                typed = [f"Enter {game.words.words(legal[0])}"]
            screen.prompt(sitting, step, [*typed, "? help", "l log"])
            asked = step
        line = screen.ask("› ").strip()
        command = line.lower()
        if not line:
            only = entry.finish(step)
            if only is not None:
                return only
            screen.out("Type a move, or ? for help.")
        elif command in ("back", "b") and step is not top:
            step = top
        elif command in ("m", "moves"):
            listed = True
            counts = entry.counted(game, legal)
            for number, action in enumerate(legal, 1):
                screen.out(f"{f'{number:>4}' if counts else '    '}  {game.words.words(action)}")
        elif _command(sitting, screen, command):
            if command in ("undo", "t", "table"):
                top = step = sitting.table().step
                listed, asked = False, None
        else:
            try:
                meant = _meant(game, legal, step, line, begun, listed or len(legal) <= entry.LISTED)
            except entry.Unclear as problem:
                begun = problem.begun
                screen.out(str(problem))
                continue
            begun = ""
            if isinstance(meant, int):
                words = game.words.words(meant)
                reason = entry.doubted(top, words)
                if not reason or doubted == words:
                    return meant
                doubted = words
                screen.out(f"{reason} Type “{words}” once more to do it all the same.")
                continue
            step = meant.step


def _meant(game: Game, legal: list[int], step: Step, line: str, begun: str, listed: bool) -> int | entry.Part:
    """What a line means: the rest of what was begun the line before ("throw", then "c1"), or a move of its own."""
    if begun:
        with suppress(entry.Unclear):
            return entry.meaning(game, legal, step, f"{begun} {line}", listed)
    return entry.meaning(game, legal, step, line, listed)


def _names_in(step: Step) -> list[str]:
    """What can be typed at a step, in its places' and buttons' words."""
    from facedown.terminal.blocks import tail_of

    return [choice.button.lower() or tail_of(choice.touch) for choice in step.choices if not choice.refuses]


def _command(sitting: Sitting, screen: Screen, command: str) -> bool:
    """Carry a command out; False if this is none."""
    if command in ("?", "help"):
        for text in _helped(sitting, isinstance(screen, Drawn)):
            screen.out(text)
    elif command == "rules":
        from facedown.terminal.texts import rules_text

        screen.out(rules_text(sitting.match.game.info, chosen=sitting.match.options))
    elif command == "hint":
        screen.out(hint(sitting))
    elif command == "coach":
        for said in coached(sitting):
            screen.out(said)
    elif command in ("t", "table"):
        screen.table(sitting)
    elif command in ("l", "log"):
        for text in _logged(sitting, isinstance(screen, Drawn)):
            screen.out(text)
    elif command == "undo":
        reason = sitting.undo()
        if reason:
            screen.out(reason)
        else:
            screen.show(sitting, [])
    elif command in ("q", "quit", "exit"):
        raise Left
    else:
        return False
    return True


def _helped(sitting: Sitting, drawn: bool) -> Iterator[str]:
    """What can be typed: commands, and how this game's moves are written."""
    yield "Type a move as it is written, short, or by its number. Besides:"
    for word, says in COMMANDS.items():
        yield f"  {word:<6} {says}" if drawn else f"  {word}: {says}"
    typing = getattr(sitting.match.game.words, "TYPING", "")
    if typing:
        yield typing


def _logged(sitting: Sitting, drawn: bool) -> Iterator[str]:
    """The whole log, a line for each entry."""
    from facedown.terminal.blocks import plain

    for line in sitting.log:
        yield f"{line.number:>4} {plain(line.text)}" if drawn else plain(line.text)
    if not sitting.log:
        yield "Nothing has happened yet."


def hint(sitting: Sitting) -> str:
    """What the greedy bot would do at the person's place, and why: from the person's own view."""
    from facedown.bots.greedy import NoGreedyBot, reason

    match, me = sitting.match, sitting.me
    try:
        action = seated(bot_of("greedy"), match, me, match.ply)
    except NoGreedyBot:
        return "There is no hint for this game yet."
    why = reason(match.game, match.view(me), me, action)
    because = why or _consequence(sitting.table(), action) or "it looks best at once"
    return f"The greedy bot would play “{match.game.words.words(action)}”: {because}."


def coached(sitting: Sitting) -> list[str]:
    """The best moves at the person's place as the coach sees them, from the person's own view."""
    from facedown.bots.coach import TURNS, advise

    match, me = sitting.match, sitting.me
    lines = []
    for advice in advise(match.game, match.view(me), me, match.ply)[:BEST]:
        if advice.unit == TURNS:
            worth = f"wastes {advice.value:.0f} turns" if advice.exact else "by the greedy bot"
        else:
            worth = f"{100 * advice.value:.0f} % to win, {'exact' if advice.exact else f'in {advice.worlds} worlds'}"
        lines.append(f"“{advice.words}” ({worth}){': ' + advice.why if advice.why else ''}")
    return lines


def _consequence(table: Table, action: int) -> str:
    """What the table says that a move does, or else between which cards it lays a card."""
    touched = next((touched for touched in ways(table.step) if touched[-1].action == action), ())
    if touched and touched[-1].says:
        return touched[-1].says
    gaps = {piece.place: piece.where for zone in table.zones for piece in zone.pieces if piece.kind == "gap"}
    where = next((gaps[choice.touch] for choice in touched if choice.touch in gaps), "")
    turned = next((choice.button.lower().replace("turn ", "turned ", 1) for choice in touched if choice.face), "")
    return f"the card goes {', '.join(part for part in (where, turned) if part)}" if where else ""


def resumed(file: MatchFile, path: Path, level: str) -> Sitting:
    """A sitting from a match file: the first seat that no bot has is the person's."""
    match = file.match
    people = [seat for seat in range(match.seats) if seat not in file.bots]
    me = people[0] if people else 0
    bots = {seat: file.bots.get(seat, level) for seat in range(match.seats) if seat != me}
    sitting = Sitting(match, file.names, bots, me, path)
    sitting.log = match.log(me, sitting.sitters)
    return sitting
