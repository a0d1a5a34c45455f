"""What the pages are told: plain data, made by the server, drawn here.

Nothing here knows HTTP, a database or a state. What a page shows of a match is a `facedown.core.table.Table`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from markupsafe import Markup

from facedown.core.score_sheet import Sheet
from facedown.play import ChatMessage
from facedown.server.i18n import N_, _
from facedown.server.rendering.review_graph import Graph, ScoreStrip

HOUR = 3600
#: No picture.
NO_PICTURE = Markup()
TEN_MINUTES = 600
Theme = Literal["auto", "light", "dark"]
#: The clocks that the sheet offers: (what the form says, label, what it means).
CLOCK_CHOICES: tuple[tuple[str, str, str], ...] = (
    ("0", N_("None"), N_("Everybody takes the time they need")),
    ("60", N_("1 min"), N_("One minute for every turn")),
    ("180", N_("3 min"), N_("Three minutes for every turn")),
    ("300+10", N_("5 min"), N_("Five minutes for the round, plus ten seconds for every turn")),
    ("86400", N_("A day"), N_("A day for every turn: nobody has to be there")),
)
#: What can happen at zero: (what the form says, label, what it means).
TIMEOUT_CHOICES: tuple[tuple[str, str, str], ...] = (
    ("bot", N_("One move"), N_("A bot plays one move, and they are back at the next turn")),
    ("seat", N_("Seat lost"), N_("The seat is lost: a bot plays it to the end")),
    ("nothing", N_("Nothing"), N_("Everyone sees it; the others may let a bot play")),
)


class Shell(NamedTuple):
    """What every page knows about the person in front of it."""

    name: str = ""
    """Their nickname, empty before they chose one."""
    theme: Theme = "auto"
    """The value of the cookie ``facedown-theme``; the client module writes it."""
    switches: tuple[str, ...] = ()
    """The names of the games' switches that are on (the cookie ``facedown-NAME`` is "1")."""
    root: str = ""
    """The address of the house, without a slash at its end: previews need whole addresses."""
    path: str = "/"
    """The path of the page."""
    asked: str = ""
    """The language that its address asks for, if it does."""


class TableLink(NamedTuple):
    """A row under *Your tables*."""

    game: str
    title: str
    """"Whist with Mara"."""
    line: str
    """"Place your row."."""
    url: str
    yours: bool = False
    """It is this person's turn: a filled button stands at the end of the row."""
    state: str = ""
    """"waiting", "finished" or the like, in place of the button."""


class SeatStatus(NamedTuple):
    """Whether the person of a seat is there, or its bot can play yet."""

    state: Literal["here", "away", "bot", "preparing"] = "here"
    left: int = 0
    """Seconds left of the grace time of a person who is away."""
    grace: int = 60
    by: str = ""
    """Who stands in: the bot's name ("Juniper")."""
    steps: tuple[int, int] = (0, 0)
    """While a bot's code is compiled: the step at work, and the number of steps."""


class Clock(NamedTuple):
    """A seat's clock as everybody sees it, at the moment the page is drawn."""

    left: float
    """Seconds left."""
    of: float
    """What a full clock has."""
    runs: bool = False
    wait: float = 0.0
    """How long the cards still travel: so much later it begins."""
    up: bool = False
    """It stood at zero in this turn."""
    bot: bool = False
    """A bot plays this one move."""
    slow: bool = False
    """A turn may take hours: "22 h left" instead of a chip."""
    yours: bool = False
    zero: str = ""
    """What happens at zero, told to the one whose clock it is."""

    @property
    def time_left_text(self) -> str:
        """How much time is left, for a chip.

        >>> [Clock(left, 60).words for left in (31_000, 719.2, 61, 0)]
        ['8 h', '12 min', '1:01', '0:00']
        """
        whole = ceil(max(0.0, self.left))
        if whole >= HOUR:
            return _("{hours} h", hours=whole // HOUR)
        if whole > TEN_MINUTES:
            return _("{minutes} min", minutes=ceil(whole / 60))
        return f"{whole // 60}:{whole % 60:02}"


class ChatPanel(NamedTuple):
    """Who may say what now, and who hears it."""

    phrases: tuple[str, ...] = ()
    """What one touch says, as it is sent; it is shown in the reader's language."""
    quiet: tuple[str, ...] = ()
    """Of these, what may be said in silence, too."""
    rests: str = ""
    """Why nobody talks now; empty where people may."""
    may: bool = True
    """The viewer may say something at this table."""
    heard: bool = True
    """Another person is there to read it, or something was said."""
    people: tuple[tuple[int, str], ...] = ()
    """The other persons: (seat, name)."""
    watching: tuple[str, ...] = ()
    """Who only watches."""


class CoachMoment(NamedTuple):
    """A moment that mattered, in words."""

    where: str
    """"Hand 4, trick 6 of 7"."""
    text: str
    better: str = ""
    change: str = ""
    """"−9", "+19", "2 turns"."""
    unit: str = ""
    """What `change` counts, read aloud after it."""
    exact: bool = False
    url: str = ""
    """Where it can be looked at on the table."""
    position: Markup = NO_PICTURE
    """How it lay there (`pages.position_html`)."""
    worlds: int = 0
    """In so many imagined worlds it was tried; 0 where that says nothing."""
    beaten: int = 0
    """In so many of these the better move came out ahead."""
    again: tuple[str, int, int] | None = None
    """Where it can be tried again: the table's code, after how many moves, from which seat."""


class CoachPanel(NamedTuple):
    """The coach's look back at a finished match, or how far it has come with it."""

    title: str
    """"Your chance to win, hand by hand"."""
    ready: bool = False
    says: str = ""
    """While it is not ready: what it is doing."""
    failed: int | None = None
    """From which seat it can be asked to look again, if it has failed."""
    done: int = 0
    of: int = 0
    """How far it has come; 0 where that means nothing."""
    seats: tuple[tuple[int, str, bool], ...] = ()
    """From whose eyes it may be looked at: (seat, name, is it this one)."""
    graph: Graph = Graph()
    counts: tuple[tuple[int, str], ...] = ()
    """(168, "decisions"), …; none where nothing was decided."""
    note: str = ""
    """How sure all this is."""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """The graph as a table, for those who do not see it."""
    moments_title: str = ""
    moments: tuple[CoachMoment, ...] = ()
    none: str = ""
    """What is said where there is no such moment."""
    fairness: str = ""


class RematchPerson(NamedTuple):
    """Somebody of a finished match, and what they say to another."""

    name: str
    bot: bool
    you: bool
    says: Literal["yes", "no", ""]


class RematchPanel(NamedTuple):
    """Another match with the same people, as one viewer is told of it. Answers are posted to ``/t/CODE/again``."""

    may: bool = False
    """The viewer had a seat."""
    asked: bool = False
    """Somebody has asked; otherwise it is only offered."""
    stronger: tuple[str, str] = ("", "")
    """(key of the bots' next level, words for it), offered after a win against bots alone."""
    title: str = ""
    people: tuple[RematchPerson, ...] = ()
    missing: str = ""
    """Who has not said, and who does not want to."""
    mine: Literal["yes", "no", ""] = ""
    asker: bool = False
    """The viewer asked."""
    asker_name: str = ""
    waiting: str = ""
    """The others who have not said."""
    begun: bool = False
    url: str = ""
    """The next table."""
    foot: str = ""


class HintRow(NamedTuple):
    """One move of a hint."""

    words: str
    """As a person says it: "Swap the yellow and a red"."""
    bar: float | None
    """How long its bar is, in percent; None without one."""
    number: str
    whisker: tuple[float, float] | None = None
    """Two standard errors of the gap to the best, on the same scale."""


class Hint(NamedTuple):
    """What the coach would choose."""

    rows: tuple[HintRow, ...]
    counts: str = ""
    """What the numbers count."""
    sure: str = ""
    """"exact", or nothing for an estimate."""
    worlds: int = 0
    why: str = ""
    level: str = ""
    """Which of them are as good as each other."""
    marked: bool = False
    """Some bars carry a mark."""


class ReplayMove(NamedTuple):
    """A move in the list of a replay."""

    ply: int
    number: str
    text: str
    state: Literal["", "now", "to-come"] = ""


class Viewpoint(NamedTuple):
    """Somebody from whose seat a finished match can be looked at."""

    seat: int
    name: str
    letter: str
    bot: bool = False


class ReplayMoment(NamedTuple):
    """A finished match stopped after one of its moves."""

    code: str
    ply: int
    last: int
    heading: str
    """What this move was, in the words of the log."""
    where: str
    """"Move 25 of 131"."""
    whose: str
    """"as Ilse saw it"."""
    eyes: tuple[Viewpoint, ...]
    chosen: int
    """The seat from which it is looked at, `SPECTATOR` for what all could see."""
    moves_title: str
    moves: tuple[ReplayMove, ...]
    strip: ScoreStrip


class SeatRoundScores(NamedTuple):
    """A seat's line on the sheet of a finished match."""

    seat: int
    rounds: tuple[tuple[str, bool], ...]
    """What it got in each round, and whether that was the best of the table."""
    total: str


class LessonPart(NamedTuple):
    """A row in a lesson's list of steps."""

    number: int
    name: str
    """"Keep a low card."."""
    state: Literal["done", "now", "next"]
    url: str


class LessonMoment(NamedTuple):
    """A lesson stopped at one of its steps, or at its end."""

    at: int
    last: int
    """The number of the end, from 0."""
    part: int
    """Which part of the list it is in, from 1."""
    parts: tuple[LessonPart, ...]
    learnt: tuple[str, ...]
    """What one knows by now."""
    back: str
    """The address of the step before; empty at the first."""
    other: str
    """With whom one plays afterwards."""

    @property
    def ended(self) -> bool:
        """Is this the end?"""
        return self.at == self.last


class TableContext(NamedTuple):
    """What a table's page shows beside the `Table`: who is there, what was said, where its links lead."""

    code: str = ""
    """The table's public code ("K7QM4XPN"), part of its address ``/t/CODE``."""
    presence: Mapping[int, SeatStatus] = MappingProxyType({})
    """By seat; a seat that is not named is here."""
    clocks: Mapping[int, Clock] = MappingProxyType({})
    """By seat; empty at a table without clocks."""
    clock_note: str = ""
    """How the clock goes, in a sentence."""
    chat: tuple[ChatMessage, ...] = ()
    talk: ChatPanel = ChatPanel()
    hints: bool = False
    """The table allows hints."""
    house: str = ""
    """How strong the bots are, and whether the memory aid is on: "Bots: casual · memory aid on"."""
    coach: CoachPanel | None = None
    """Of a finished match."""
    fairness: str = ""
    """One sentence on the deal, for a finished match; empty while nothing can be said."""
    replay_url: str = ""
    record_url: str = ""
    """Where the finished match can be downloaded as a file."""
    summary: str = ""
    """A line under the result: "Twelve rounds with Theo, 41 minutes."."""
    replay: ReplayMoment | None = None
    """The table is one of a replay."""
    lesson: LessonMoment | None = None
    """The table is one of a lesson."""
    sheet: tuple[SeatRoundScores, ...] = ()
    """Of a finished match, what each seat got in each round."""
    unit: str = ""
    """What the game calls a round ("hand")."""
    rules: tuple[tuple[str, str], ...] = ()
    """Of a finished match, its house rules in words, as in the lobby."""
    again: RematchPanel | None = None
    """Another match with the same people: offered, asked for or begun; None where there is nothing to offer."""


class LobbySeat(NamedTuple):
    """A seat of a table that waits for its players."""

    seat: int
    name: str = ""
    """Empty for an open place."""
    you: bool = False
    bot: bool = False
    level: str = ""
    """The label of a bot's level ("Casual")."""
    ready: bool = False
    away: bool = False
    """No page of theirs is open."""
    free: bool = False
    """They have been away for so long that the host may open the seat."""
    host: bool = False
    program: bool = False
    """A program sits here: it is told all that the seat knows, also what people have to remember."""


class Lobby(NamedTuple):
    """A table before the deal."""

    game: str
    title: str
    code: str
    link: str
    """The whole address to share."""
    places: tuple[LobbySeat, ...]
    viewer: int = -1
    """The viewer's seat, -1 for somebody who only looks."""
    host: bool = False
    """The viewer decides who sits where, and by which rules."""
    rules: tuple[tuple[str, str], ...] = ()
    """House rules as words: ("Clock", "a day a turn")."""
    chat: tuple[ChatMessage, ...] = ()
    talk: ChatPanel = ChatPanel()
    levels: tuple[tuple[str, str, str], ...] = ()
    """The bots' levels: (key, label, how it plays), weakest first."""
    usual: str = ""
    """The key of the level of a bot that is added."""
    closes: str = ""
    """What closing a seat changes, in a sentence; empty where no seat may be closed."""
    adds: bool = False
    """Another seat may be added."""
    removed: tuple[str, ...] = ()
    """The names of people whom the host has removed."""


class Invitation(NamedTuple):
    """The page of somebody who follows a link and has no seat yet."""

    game: str
    title: str
    code: str
    host: str
    open_seats: int
    watch: bool
    """Spectators are welcome."""
    error: str = ""
    error_at: str = ""
    """The field that the error is about ("name")."""
    status: Literal["lobby", "running", "finished"] = "lobby"
    players: tuple[str, ...] = ()
    """Who plays, or played."""
    result: str = ""
    """Of a finished match, in a sentence."""
    replay_url: str = ""


class NewTableForm(NamedTuple):
    """The new-table sheet: what was chosen before, for a form that comes back with an error."""

    levels: tuple[tuple[str, str, str], ...]
    """The bots' levels: (key, label, how it plays), weakest first; at least one."""
    usual: str
    """The key of the level that a form begins with."""
    chosen: Mapping[str, str] = MappingProxyType({})
    """Form fields by name, as posted (see docs/protocol.md); empty for a fresh sheet."""
    error: str = ""
    error_at: str = ""
    """The field that the error is about ("name")."""
    modes: Mapping[int, str] = MappingProxyType({})
    """Of a game with modes: the one that is chosen at first, by the number of seats."""
    table: str = ""
    """The code of the table whose house rules the sheet changes; empty: it makes a new table."""


class ScoreSheet(NamedTuple):
    """The sheet of a game played with real cards: questions, answers so far, and the score once it is known."""

    sheet: Sheet
    seats: int
    answers: Mapping[str, str] = MappingProxyType({})
    """Form fields by name, as posted."""
    error: str = ""
    result: Mapping[str, Any] | None = None
    """What the game's scorekeeper found."""
