"""Data of the pages: plain records that the server fills in and the templates show.

These records contain no HTTP requests, database rows or game states. What a page shows of a match is a
`facedown.core.table.Table`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from markupsafe import Markup

from facedown.core.score_sheet_questions import Sheet
from facedown.play import ChatMessage
from facedown.server.i18n import _
from facedown.server.rendering.review_graph import Graph, ScoreStrip

HOUR = 3600
#: Empty HTML, used where there is no picture.
NO_PICTURE = Markup()
TEN_MINUTES = 600
Theme = Literal["auto", "light", "dark"]


class Shell(NamedTuple):
    """Data that every page needs about its visitor and its address."""

    name: str = ""
    """Visitor's nickname; "" before one is chosen."""
    theme: Theme = "auto"
    """Value of the cookie ``facedown-theme``, which the client sets."""
    switches: tuple[str, ...] = ()
    """Names of the switches (display options of games) that are turned on: the cookie ``facedown-NAME`` is "1"."""
    root: str = ""
    """Address of the site without a slash at its end; link previews need absolute addresses."""
    path: str = "/"
    """Path of the page."""
    asked: str = ""
    """Language requested by the address, or ""."""
    push_key: str = ""
    """Public key for subscribing to notices (base64url); "" if notices are not set up or the visitor is unknown."""


class TableLink(NamedTuple):
    """A row under *Your tables* on the home page: one table with the state of its match, and a link."""

    game: str
    title: str
    """Title ("Whist with Mara")."""
    line: str
    """State of the match in one line of text ("Place your row.")."""
    url: str
    yours: bool = False
    """Whether it is the visitor's turn; the row then ends with a primary button."""
    state: str = ""
    """State shown instead of the button: the names of the players who are to act ("Wren"), or "not started"."""
    time_left: str = ""
    """Time left of the player who is to act ("22 h left"); "" if no clock runs."""
    soon: bool = False
    """Whether less than six hours are left."""
    slow: bool = False
    """Whether players need not be present: the time limit of a turn is an hour or more."""


class SeatStatus(NamedTuple):
    """Status of a seat: its player is present or away, a bot stands in for the player, or the code of its bot is still
    being compiled.
    """

    state: Literal["here", "away", "bot", "preparing"] = "here"
    left: int = 0
    """Seconds left for an absent player to come back, before the other players may let a bot play for them."""
    grace: int = 60
    by: str = ""
    """Name of the bot that stands in for the player ("Juniper")."""
    steps: tuple[int, int] = (0, 0)
    """Progress of compiling the bot's code: (number of the current stage, number of stages)."""


class Clock(NamedTuple):
    """A seat's clock at the moment the page is rendered."""

    left: float
    """Seconds left."""
    of: float
    """Seconds on a full clock."""
    runs: bool = False
    wait: float = 0.0
    """Seconds until the clock starts. It starts after the page has animated the last move."""
    up: bool = False
    """Whether the time ran out in this turn."""
    bot: bool = False
    """Whether a bot plays the current move because the time ran out."""
    slow: bool = False
    """Whether this is a correspondence clock (hours or days for a turn), shown as "22 h left"."""
    yours: bool = False
    zero: str = ""
    """Text for the clock's owner about what happens when the time runs out."""

    @property
    def time_left_text(self) -> str:
        """Time left, as the clock shows it: in hours, in minutes, or in minutes and seconds.

        From one hour on, it is in whole hours, rounded down. Above ten minutes, it is in whole minutes, rounded up.
        Otherwise it is in minutes and whole seconds, rounded up.

        >>> [Clock(left, 60).time_left_text for left in (31_000, 719.2, 61, 0)]
        ['8 h', '12 min', '1:01', '0:00']
        """
        whole = ceil(max(0.0, self.left))
        if whole >= HOUR:
            return _("{hours} h", hours=whole // HOUR)
        if whole > TEN_MINUTES:
            return _("{minutes} min", minutes=ceil(whole / 60))
        return f"{whole // 60}:{whole % 60:02}"


class ChatPanel(NamedTuple):
    """The chat as one viewer sees it: ready-made phrases, who can read it, and whether the viewer may write."""

    phrases: tuple[str, ...] = ()
    """Ready-made phrases in English, as they are sent; the page shows them in the reader's language."""
    quiet: tuple[str, ...] = ()
    """Those of `phrases` that are allowed while the game demands silence."""
    rests: str = ""
    """Reason why chatting is suspended now; "" if it is allowed."""
    may: bool = True
    """Whether the viewer may write at this table."""
    heard: bool = True
    """Whether the page shows the chat: another person has a seat or watches, or a message was written."""
    people: tuple[tuple[int, str], ...] = ()
    """Other persons at the table: (seat, name)."""
    watching: tuple[str, ...] = ()
    """Names of the spectators."""
    code: str = ""
    """Code of the table, for links to its players; "" for no links."""


class CoachMoment(NamedTuple):
    """An important decision of a finished match, as the review shows it."""

    where: str
    """Place in the match ("Hand 4, trick 6 of 7")."""
    text: str
    better: str = ""
    change: str = ""
    """Cost of the move made, in the game's unit ("−9", "+19", "2 turns")."""
    unit: str = ""
    """Unit of `change`, read aloud after it by screen readers."""
    exact: bool = False
    url: str = ""
    """Address of the replay at this decision."""
    position: Markup = NO_PICTURE
    """Picture of the decision (by `pages.marked_position_html`)."""
    worlds: int = 0
    """Number of sampled deals in which the two moves were compared; 0 if that comparison is not shown."""
    beaten: int = 0
    """Number of the sampled deals in which the better move scored higher."""
    again: tuple[str, int, int] | None = None
    """Point from which the match can be played again: (table code, moves made, seat)."""


class CoachPanel(NamedTuple):
    """The coach's review of a finished match, or the progress of the analysis for it."""

    title: str
    """Title of the graph ("Your chance to win, hand by hand")."""
    ready: bool = False
    says: str = ""
    """Sentence on what the coach is doing, while the review is not ready."""
    failed: int | None = None
    """Seat for which the review failed and can be requested again; None if it hasn't failed."""
    done: int = 0
    of: int = 0
    """Progress: `done` of `of` steps; `of` is 0 if the progress is unknown."""
    seats: tuple[tuple[int, str, bool], ...] = ()
    """Seats whose review can be shown: (seat, name, whether it is shown now)."""
    graph: Graph = Graph()
    counts: tuple[tuple[int, str], ...] = ()
    """Totals below the graph, such as (168, "decisions"); empty if there was nothing to decide."""
    note: str = ""
    """Text on how reliable the numbers of the review are."""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """Rows of a table that replaces the graph for screen readers. `head` has the table's column titles."""
    moments_title: str = ""
    moments: tuple[CoachMoment, ...] = ()
    none: str = ""
    """Text shown if `moments` is empty."""
    fairness: str = ""


class RematchPerson(NamedTuple):
    """Player of a finished match, and whether this player wants a rematch."""

    name: str
    bot: bool
    you: bool
    says: Literal["yes", "no", ""]
    """Player's answer to the offer of a rematch; "" if the player has not answered."""


class RematchPanel(NamedTuple):
    """Panel about a rematch on a finished match's page, for one viewer. Answers are posted to ``/t/CODE/again``."""

    may: bool = False
    """Whether the viewer had a seat in the match."""
    asked: bool = False
    """Whether a player has asked for a rematch; otherwise it is only offered."""
    stronger: tuple[str, str] = ("", "")
    """Offer of stronger bots after a win against bots only: (key of the next level, text of the button)."""
    title: str = ""
    people: tuple[RematchPerson, ...] = ()
    missing: str = ""
    """Sentences that name the players who have not answered and those who have declined."""
    mine: Literal["yes", "no", ""] = ""
    asker: bool = False
    """Whether the viewer asked for the rematch."""
    asker_name: str = ""
    waiting: str = ""
    """Names of the other players who have not answered."""
    begun: bool = False
    url: str = ""
    """Address of the new table."""
    foot: str = ""


class HintRow(NamedTuple):
    """One line of a hint: a move in words, and a bar that shows how good it is."""

    words: str
    """The move as an instruction ("Swap the yellow and a red")."""
    bar: float | None
    """Length of the move's bar in per cent; None for no bar."""
    number: str
    whisker: tuple[float, float] | None = None
    """Ends of the row's error bar, in per cent like `bar`; None for no error bar.

    It extends two standard errors (of the difference from the best move) to each side of the bar's end.
    """


class Hint(NamedTuple):
    """A hint: the moves that the coach prefers."""

    rows: tuple[HintRow, ...]
    counts: str = ""
    """Label of the numbers in the rows ("Chance to win")."""
    sure: str = ""
    """"exact" if the numbers were computed exactly; "" if they are estimates."""
    worlds: int = 0
    why: str = ""
    level: str = ""
    """Sentence that names moves of equal value."""
    marked: bool = False
    """Whether a row has an error bar."""


class ReplayMove(NamedTuple):
    """One line in a replay's list of moves: a log line of a move, which links to the position after this move.

    A move with several log lines has several lines in the list; a move without a log line is not listed.
    """

    ply: int
    """Number of the move in the match, from 1."""
    number: str
    """Number shown before the text, which each game chooses, such as the number of the turn or trick; may be empty."""
    text: str
    state: Literal["", "now", "to-come"] = ""


class Viewpoint(NamedTuple):
    """A seat from which a finished match can be viewed."""

    seat: int
    name: str
    letter: str
    bot: bool = False


class ReplayMoment(NamedTuple):
    """Texts, lists and chart that a replay's page shows around the table, after one move of a finished match."""

    code: str
    ply: int
    """Number of moves made so far."""
    last: int
    """Number of moves in the match."""
    heading: str
    """The last move in the words of the log."""
    where: str
    """Place in the match ("Move 25 of 131")."""
    whose: str
    """Perspective ("as Ilse saw it")."""
    eyes: tuple[Viewpoint, ...]
    chosen: int
    """Seat from which the match is viewed; `SPECTATOR` for what all could see."""
    moves_title: str
    moves: tuple[ReplayMove, ...]
    strip: ScoreStrip


class SeatRoundScores(NamedTuple):
    """Row of one seat in the result table of a finished match: its points in each round, and its final score."""

    seat: int
    rounds: tuple[tuple[str, bool], ...]
    """For each round, the seat's points in this round, and whether they were the best of the table.

    If all seats had the same points, they do not count as the best.
    """
    total: str


class LessonPart(NamedTuple):
    """Part of a lesson, as an entry in the lesson's table of contents: its heading, and a link to its first step."""

    number: int
    name: str
    """Heading ("Keep a low card.")."""
    state: Literal["done", "now", "next"]
    url: str


class LessonMoment(NamedTuple):
    """Texts, links and progress that the page of a lesson shows around the table, at one step or at the end."""

    at: int
    last: int
    """Index of the lesson's end; the first step has index 0."""
    part: int
    """Number of the current heading, from 1."""
    parts: tuple[LessonPart, ...]
    learnt: tuple[str, ...]
    """Sentences about what the player has learnt so far."""
    back: str
    """Address of the previous step; "" at the first."""
    other: str
    """Name of the player's opponent in the lesson."""

    @property
    def ended(self) -> bool:
        """Whether all steps are done, so that the page shows the end of the lesson."""
        return self.at == self.last


class MenuRow(NamedTuple):
    """A row of the table's menu: what it does, and why it cannot be used now."""

    title: str
    line: str
    """Consequence, in one short line."""
    reason: str = ""
    """Reason why the row cannot be used now; "" if it can."""
    question: str = ""
    """Question that the player must confirm first; "" if the row takes effect at once."""


class TableMenu(NamedTuple):
    """The part of the table's menu about the match, for a player."""

    take_back: MenuRow
    end: MenuRow
    resign: MenuRow


class ProposalPanel(NamedTuple):
    """Open proposal to take a move back or to end the match."""

    number: int
    accept: str = ""
    """Text of the button that agrees; "" if the viewer does not have to answer."""
    decline: str = ""
    """Text of the button that declines or, for the player who made the proposal, withdraws it; "" without one."""


class TableContext(NamedTuple):
    """Contents of a table's page in addition to the `Table`: presence, clocks, chat, coach, links and so on."""

    code: str = ""
    """Public code of the table ("K7QM4XPN"), part of its address ``/t/CODE``."""
    presence: Mapping[int, SeatStatus] = MappingProxyType({})
    """Presence by seat. A seat without an entry has a player who is present."""
    clocks: Mapping[int, Clock] = MappingProxyType({})
    """Clocks by seat; empty at a table without clocks."""
    clock_note: str = ""
    """Explanation of the clocks or, for spectators who see the match later than the players, of that delay."""
    chat: tuple[ChatMessage, ...] = ()
    talk: ChatPanel = ChatPanel()
    hints: bool = False
    """Whether the table allows hints."""
    house: str = ""
    """Summary of bot levels and memory aid, which keeps seen cards shown ("Casual bots · memory aid on")."""
    coach: CoachPanel | None = None
    """The coach's review; None before the match is over."""
    fairness: str = ""
    """Sentence on whether the deal was fair (the seed matches its published hash); "" before the match is over."""
    replay_url: str = ""
    record_url: str = ""
    """Address of the match file to download, after the match."""
    summary: str = ""
    """Line below the result ("Twelve rounds with Theo, 41 minutes.")."""
    replay: ReplayMoment | None = None
    """Set if the page is a replay."""
    lesson: LessonMoment | None = None
    """Set if the page is a lesson."""
    sheet: tuple[SeatRoundScores, ...] = ()
    """Scores of each seat in each round, after the match."""
    unit: str = ""
    """The game's word for a round ("hand")."""
    rules: tuple[tuple[str, str], ...] = ()
    """House rules (settings and options) of a finished match, as texts (name, value)."""
    again: RematchPanel | None = None
    """Rematch of a finished match; None if none can be offered."""
    menu: TableMenu | None = None
    """What a player can do about the match from the menu; None for spectators and after the match."""
    proposal: ProposalPanel | None = None
    """Open proposal of a player; None if there is none."""
    listed: bool | None = None
    """Whether the table is listed among the open tables, for the host; None for everyone else, who cannot change it."""
    takeover: str = ""
    """Sentence for a spectator about taking over a bot's seat in the next round; "" if that is not possible."""
    takeover_request: Mapping[str, Any] | None = None
    """WebSocket message that the button below `takeover` sends; None for no button."""
    takeover_label: str = ""
    """Text of that button."""


class ScoreSheet(NamedTuple):
    """The scorekeeper's form for a match with real cards: questions, answers and the score."""

    sheet: Sheet
    seats: int
    answers: Mapping[str, str] = MappingProxyType({})
    """Posted form fields by name."""
    error: str = ""
    result: Mapping[str, Any] | None = None
    """Score as computed by the game; None before the form is complete."""
