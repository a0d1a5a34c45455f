"""A table is data: what a person sees of a game, without saying how it is drawn.

A game's `table.py` turns a *view* (never a state) into a `Table`; one set of templates draws any `Table` as HTML,
one renderer prints it in a terminal, one serialises it as JSON. None of them knows a game.

Texts may carry ``**bold**``; everything else in them is plain. What a table has many of is a named tuple: it is made,
compared and looked up much faster than a frozen dataclass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, NamedTuple

from facedown.core.i18n import _
from facedown.core.language import isolate_right_to_left, language

# --- things that lie on the table ----------------------------------------------------------------------------------

PieceKind = Literal["face", "back", "slot", "gone", "gap"]


class Piece(NamedTuple):
    """A card, a bone, an empty slot or a gap: one thing at one place.

    `place` is the id of the *place* ("p1-a3", "hand-2", "discard"): it names where, never which card. `face` is the
    code of the card's face in its game's art ("7", "red", "64", "5/2") and is empty for anything but a face.
    `name` and `where` are read aloud: ("face down", "row 3, column 1"); the name of a back never varies.
    """

    place: str
    kind: PieceKind = "face"
    face: str = ""
    name: str = "face down"
    where: str = ""
    marks: tuple[str, ...] = ()
    """Looks: "changed" (last changed), "faded" (does not count), "dim" (cannot be played), "held" (drawn, in the air),
    "only-you", "all-see", "staged", "picked", "lying" (a bone on its side), "turned", "root", "chosen",
    "confirmed" (a tick before its tag), "end" (at the end of a cascade, under its outermost card)."""
    tag: str = ""
    """A small printed tag on the piece: a counter's 5 or 10, the order in which it was counted, an owner."""
    came: str = ""
    """The place it came from in the last action, where the viewer could follow it; otherwise motion is worked out from
    what changed."""
    row: int = 0
    """The number of its row, from 1, where rows of several zones stand level and are named; 0 for none."""
    tag_said: bool = False
    """Does its name say already what the tag says?"""


ZoneKind = Literal["grid", "row", "fan", "pile", "cascade", "heap", "trick", "pairs"]
Area = Literal["seat", "left", "center", "right", "you", "hand"]


@dataclass(frozen=True, slots=True)
class Zone:
    """Pieces that belong together.

    kind: *grid* (`columns` wide, pieces row by row), *row* (side by side), *fan* (overlapping row), *pile* (squared,
    `count` cards, at most its top piece given), *cascade* (overlapping column, top to bottom: your own newest last,
    that of a player across the table newest first), *heap* (face-down bones),
    *trick* (lead, reply), *pairs* (won tricks, two by two).
    area: where it stands: with its owner's *seat* panel, at the *left*, *center* or *right* of the cloth, at *you*
    (your own things on the cloth), or in the *hand* (in the dock, below the prompt).
    """

    id: str
    kind: ZoneKind
    area: Area
    pieces: tuple[Piece, ...] = ()
    label: str = ""
    seat: int | None = None
    columns: int = 0
    count: int | None = None
    group: str = ""
    """Zones of one group stand together as lanes (columns from one player to the other) and share a tray."""
    size: Literal["small", "normal", "large"] = "normal"
    marks: tuple[str, ...] = ()
    """"tray" (a visible rounded tray), "chosen" (filled), "option" (one of several readings to choose from,
    with a radio disc), "reversed" (places are counted from the right); "lit" is never set here: light
    follows from the steps."""
    note: str = ""
    says: str = ""
    """Its name as it is read aloud, in words: "Ravi’s grid", "Draw pile". Every zone has one; `id` is never read."""
    spans: tuple[tuple[int, int, str], ...] = ()
    """Brackets under a fan: (index of the first piece, of the last, their name), for sets in a hand."""
    brief: str = ""
    """Whose rows these are, in a word ("your", "Mara", "base"), where rows are named (`Piece.row`)."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A thing a seat owns, counted: "coin", "chip", "won", "marks" (with `of` pegs), "pennant", "cards"."""

    kind: str
    count: int
    says: str
    of: int = 0
    spent: bool = False
    head: str = ""
    """The head of a column of such badges, where there is room for a few letters only."""
    short: str = ""
    """What stands in that column; empty for the count."""


class SeatPanel(NamedTuple):
    """A player at the table, as the viewer sees them."""

    seat: int
    name: str
    you: bool = False
    bot: bool = False
    acting: bool = False
    line: str = ""
    """A second line: "shows 30", "turn 9"."""
    state: str = ""
    """"has chosen", "choosing", "ready for the next round" or nothing."""
    badges: tuple[Badge, ...] = ()
    done: Literal["", "chosen", "confirmed", "ready"] = ""
    """What they are done with, where `state` says that they are; a tick stands before it."""
    shows: int | None = None
    """The number that `line` tells: what the open cards of the seat, or its round, come to."""
    says_total: bool = False
    """Does `line` tell the seat's score?"""


class ScoreRow(NamedTuple):
    """One seat's line on the score sheet."""

    seat: int
    points: int
    """The score of the match so far."""
    line: str = ""
    winner: bool = False
    round: int | None = None
    """The points of the round that `line` tells of; None where it tells of something else."""

    @property
    def total(self) -> str:
        """The score as it is printed."""
        return digits(self.points)


class SlipRow(NamedTuple):
    """One row of a scoring slip: a label, its pieces (marks say what counts) and a subtotal."""

    label: str
    pieces: tuple[Piece, ...] = ()
    subtotal: str = ""


class Slip(NamedTuple):
    """How one seat's points of a round came about, card by card."""

    seat: int
    title: str
    points: str
    rows: tuple[SlipRow, ...] = ()
    sum: str = ""
    best: bool = False
    """Is it the best of this round?"""
    plain: bool = False
    """Does `sum` tell no more than `points`?"""


@dataclass(frozen=True, slots=True)
class Panel:
    """A block of a kind that a game needs beside its cards.

    Kinds and their `data`: "stages" {"stages": [{"name", "state": "done"|"now"|"next", "pips": [bool…]}]};
    "contract" {"title", "note", "face", "points", "bid", "offer"};
    "dial" {"turn", "says", "order": [seat…] (from the bottom, counter-clockwise), "note"};
    "won" {"seat", "points"} with the pieces in a zone of group `id`;
    "tray" {"title", "total", "note"} with the pieces in a zone of group `id`; "legend" {"items": [[mark, text]…]};
    "note" {"text"}; "steps" {"steps": [{"says", "places", "sums", "line", "said"}…], "sums", "line"} (cards that lie
    open now were turned in these steps: a client may show them one after the other; `sums`, before the first and after
    each, say what everybody has by then: [{"name", "line", "sum", "cards": [{"place", "face", "to"}…]}…], `to` the sum
    with that card; `line` stands below the sums, `said` is read aloud when they have grown);
    "ladder" {"steps": [...], "at": n} (an auction).
    """

    id: str
    kind: str
    area: Area
    # Two panels with different data are different, also where their hashes are not.
    data: dict[str, Any] = field(default_factory=dict, hash=False)


# --- what can be touched --------------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """One touch that is offered at a step: a place on the table, or a button."""

    touch: str
    """The id of a place or of a zone ("discard"), or of a button."""
    says: str = ""
    """The consequence, shown before the touch is final ("three 1s", "wins the 6·4")."""
    button: str = ""
    """The button's words; empty when the touch is a thing on the table. A place may have both (then it is one way
    more to touch the same thing)."""
    primary: bool = False
    action: int | None = None
    """The action this touch completes, or None when more touches follow in `then`."""
    then: TouchStep | None = None
    refuses: str = ""
    """Set on a grey button: the reason why it cannot be used now. Such a choice has neither action nor `then`."""
    number: int | None = None
    """Set on a button of a row of numbers (bids): those of one step are offered as one stepper."""
    sign: Literal["", "eye", "swap", "turn"] = ""
    """The drawing before a button's words."""
    face: str = ""
    """The face that the card touched before shows from here on (it is turned round, or over). With a `number`: those of
    one step are offered as a row of these faces, in their order, the primary one chosen at first."""
    tag: str = ""
    """What stands below such a face: how many of it one holds."""
    lifts: tuple[str, ...] = ()
    """The places of the pieces that such a face is about: while it is chosen they rise, and the others are dimmed."""
    done: str = ""
    """What the button does, as something done to the card touched before ("turned to 5")."""


#: The end of the touch that makes a costly move after all.
CONFIRM_SUFFIX = "-anyway"


def add_confirmation(choice: Choice, prompt: str, help_text: str, button: str, rule: str = "") -> Choice:
    """A costly move in two touches: the first says what it costs, the second, a button of its own, makes it."""
    anyway = Choice(choice.touch + CONFIRM_SUFFIX, button=button, action=choice.action)
    return choice._replace(action=None, then=TouchStep(prompt, help_text, (anyway,), rule))


def has_confirmation(choice: Choice) -> bool:
    """Is this the first touch of a costly move?"""
    return choice.then is not None and [one.touch for one in choice.then.choices] == [choice.touch + CONFIRM_SUFFIX]


Refusals = tuple[tuple[str, str], ...]


def refusals_for(places: Iterable[str], reason: str) -> Refusals:
    """The same reason why not for each of some places.

    >>> refusals_for(["draw", "discard"], "Keep the 7 or discard it.")
    (('draw', 'Keep the 7 or discard it.'), ('discard', 'Keep the 7 or discard it.'))
    """
    return tuple((place, reason) for place in places)


class TouchStep(NamedTuple):
    """What a person is asked, and what they may touch."""

    prompt: str
    help: str = ""
    choices: tuple[Choice, ...] = ()
    rule: str = ""
    """The anchor of the rule in the game's guide."""
    refusals: Refusals = ()
    """(touch, reason) for things a person may try to touch although the rules forbid it."""
    picks: Literal["", "set", "slice"] = ""
    """How the touches from here on read together: as a *set* of things picked (one more replaces the oldest), or as
    the ends of a *slice* of neighbours. Empty: one after the other."""


TouchPath = tuple[str, ...]


def steps_from_paths(
    paths: Iterable[tuple[int, TouchPath]],
    ask: Callable[[TouchPath], TouchStep],
    choice: Callable[[TouchPath, Choice], Choice] = lambda path, choice: choice,
) -> TouchStep:
    """The tree of touches of all legal actions.

    `paths` pairs each legal action with a path of touches (an action may have several paths, no path may be a prefix
    of another). `ask(prefix)` is the step after a prefix, but for its choices; `choice(path, bare)` may add words, a
    button or a refusal to the choice that the last touch of `path` is. `ValueError` if a path runs on after another.
    """
    tree: dict[str, Any] = {}
    for action, path in paths:
        node = tree
        for touch in path[:-1]:
            node = node.setdefault(touch, {})
            if not isinstance(node, dict):
                raise ValueError(f"touches {path} run on after a complete path")
        if isinstance(node.get(path[-1]), dict):
            raise ValueError(f"touches {path} stop inside another path")
        node[path[-1]] = action

    return _build_step(tree, (), ask, choice)


def _build_step(
    node: dict[str, Any],
    prefix: TouchPath,
    ask: Callable[[TouchPath], TouchStep],
    choice: Callable[[TouchPath, Choice], Choice],
) -> TouchStep:
    """The step after a prefix: no inner function, as one that calls itself is a circle, one for each move."""
    choices = []
    for touch, below in node.items():
        path = (*prefix, touch)
        inner = isinstance(below, dict)
        bare = Choice(touch, then=_build_step(below, path, ask, choice)) if inner else Choice(touch, action=below)
        choices.append(choice(path, bare))
    return ask(prefix)._replace(choices=tuple(choices))


TouchSequence = tuple[Choice, ...]


def touch_sequences(step: TouchStep, before: TouchSequence = ()) -> Iterator[TouchSequence]:
    """All complete rows of touches that a step offers, in the order of the table; the last of each has the action."""
    for choice in step.choices:
        touched = (*before, choice)
        if choice.action is not None:
            yield touched
        elif choice.then is not None:
            yield from touch_sequences(choice.then, touched)


# --- the whole ------------------------------------------------------------------------------------------------------


class LogLine(NamedTuple):
    """A line of the log: what happened, as this viewer saw it."""

    number: str
    text: str


LayoutKind = Literal["plain", "grids", "bands", "lanes", "fans", "trick"]


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is laid out. The game says it; nothing is guessed from what lies on the table.

    kind: *plain* (the others in a row or two, the middle below them, the hand and the buttons in the dock: right for
    any game), *grids* (everybody has a grid, one's own is touched), *bands* (a row of cards for each player, the same
    numbered columns for all), *lanes* (columns of cards from one player to the other), *fans* (hands of many cards,
    the counts of what a seat owns below them), *trick* (a trick in the middle, what was won beside it).
    """

    kind: LayoutKind = "plain"
    columns: int = 0
    """Of bands: the numbered columns that all hands share."""
    backwards: bool = False
    """Are these columns numbered from the right?"""
    coordinates: bool = False
    """Of grids: are places typed by column and row, the last letters of their ids ("p0-b3"), and so named?"""
    moment: Literal["", "opening", "bidding", "naming"] = ""
    """What room has to be made for: one's own first cards to touch, with a button; a row of numbers and the bids so
    far; a row of faces and the bids so far."""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything one viewer sees of a match at one moment."""

    game: str
    title: str
    where: tuple[str, ...]
    """Where the match stands, the parts in their order ("Hand 4", "trick 6 of 7"); the first is enough where there is
    little room. Whose turn it is stands in `turn`."""
    viewer: int
    phase: str
    seats: tuple[SeatPanel, ...]
    zones: tuple[Zone, ...]
    step: TouchStep
    panels: tuple[Panel, ...] = ()
    scores_title: str = ""
    scores_note: str = ""
    """How the score counts, in a sentence, where a line for each seat would not say it."""
    scores: tuple[ScoreRow, ...] = ()
    slips: tuple[Slip, ...] = ()
    """Given in a scoring phase only."""
    log: tuple[LogLine, ...] = ()
    over: bool = False
    result: str = ""
    """The result in one sentence when the match is over."""
    layout: Layout = Layout()
    round: int = 0
    """The number of the round (hand, game), from 1; 0 where none are counted."""
    turn: int | None = None
    """The seat whose turn it is, where the game says so beside the title."""
    winners: tuple[int, ...] = ()
    """The seats that won, when the match is over; none of a game that was lost, or given up."""

    @property
    def turn_words(self) -> str:
        """Whose turn it is: "your turn", "Iris’s turn", or nothing."""
        if self.your_turn:
            return _("your turn")
        owners = [panel.name for panel in self.seats if panel.seat == self.turn]
        return _("{owner} turn", owner=possessive(owners[0])) if owners else ""

    @property
    def your_turn(self) -> bool:
        """Is the viewer told that it is their turn?"""
        return any(panel.seat == self.turn and (panel.you or panel.name == _("You")) for panel in self.seats)

    @property
    def subtitle(self) -> str:
        """ "Round 3 · your turn"."""
        return " · ".join([part for part in (*self.where, self.turn_words) if part])

    def with_log(self, log: Sequence[LogLine]) -> Table:
        """The same table with these log lines."""
        return replace(self, log=tuple(log))

    def __str__(self) -> str:
        """Plain text: where the match is, the prompt, and a line for each zone; ``[back]`` is a card face down."""
        lines = [f"{self.title}, {self.subtitle}".rstrip(", "), self.step.prompt]
        lines += [f"  {panel.name}: {panel.state}" for panel in self.seats if panel.state]
        for zone in self.zones:
            count = "" if zone.count is None else f" × {zone.count}"
            pieces = " ".join(piece.face or f"[{piece.kind}]" for piece in zone.pieces)
            lines.append(f"  {zone.id}{count}: {pieces}".rstrip())
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Plain lists and dictionaries, ready for `json.dumps`: all fields, and what is printed of them."""
        told: dict[str, Any] = _to_json_value(self)
        return told


#: The properties that stand beside the fields in JSON, by class.
_JSON_PROPERTIES: dict[type[Any], tuple[str, ...]] = {Table: ("subtitle", "turn_words"), ScoreRow: ("total",)}


#: What JSON holds as it is; a tuple of classes is told much faster than a union.
_ATOMS = (str, int, float, type(None))


def _to_json_value(value: Any) -> Any:
    """What `dataclasses.asdict` makes, without its copies of what cannot change; a table has thousands of fields."""
    if isinstance(value, _ATOMS):
        return value
    kind: Any = type(value)
    if kind is tuple or kind is list:
        return [_to_json_value(part) for part in value]
    if kind is dict:
        return {key: _to_json_value(part) for key, part in value.items()}
    return {one: _to_json_value(getattr(value, one)) for one in _json_names(kind)}


@cache
def _json_names(kind: Any) -> tuple[str, ...]:
    """The names of what is told of a part: its fields, and what is printed of them."""
    own = kind._fields if issubclass(kind, tuple) else tuple(one.name for one in fields(kind))
    return (*own, *_JSON_PROPERTIES.get(kind, ()))


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits at a seat."""

    name: str
    bot: bool = False


def digits(number: int) -> str:
    """A number with a real minus sign.

    >>> digits(-2), digits(7)
    ('−2', '7')
    """
    return f"\N{MINUS SIGN}{-number}" if number < 0 else str(number)


def possessive(name: str) -> str:
    """A name as an owner: in English always with an s, in German without one after a hissing sound.

    >>> possessive("Theo"), possessive("Gus")
    ('Theo’s', 'Gus’s')
    >>> from facedown.core.language import use_language
    >>> with use_language("de"):
    ...     possessive("Theo"), possessive("Gus")
    ('Theos', 'Gus’')
    """
    if language() == "de" and name.endswith(("s", "ß", "x", "z")):
        return f"{isolate_right_to_left(name)}’"
    return _("{name}’s", name=name)


def initial(name: str) -> str:
    """The initial on a person's token."""
    return name.strip()[:1].upper() or "?"
