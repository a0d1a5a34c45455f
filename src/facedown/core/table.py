"""Tables as data: what a player sees of a game, independent of how it is drawn.

A game's `table.py` turns a *view* (never a state) into a `Table`. One set of templates draws any `Table` as HTML, one
renderer prints it in a terminal, and one serialiser writes it as JSON. None of them has code for particular games.

A card or domino drawn on a table is called a *piece*. The spot where it is drawn is called a *place*. Empty slots and
gaps count as pieces too.

Texts may contain ``**bold**`` and no other markup. Frequent parts of a table are named tuples, which are created,
compared and looked up much faster than frozen dataclasses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, NamedTuple

from facedown.core.i18n import _
from facedown.core.translation import isolate_right_to_left, language

# --- pieces and zones ----------------------------------------------------------------------------------------------

PieceKind = Literal["face", "back", "slot", "gone", "gap"]


class Piece(NamedTuple):
    """A card, a domino, an empty slot or a gap, at one place of the table.

    * `place`: the id of the *place* ("p1-a3", "hand-2", "discard"). It never depends on the card there.
    * `face`: the code of the card face in the game's art ("7", "red", "64", "5/2"). It is empty unless `kind` is
      "face".
    * `name` and `where`: read aloud, such as "face down" and "row 3, column 1". All face-down cards have the same name.
    """

    place: str
    kind: PieceKind = "face"
    face: str = ""
    name: str = "face down"
    where: str = ""
    marks: tuple[str, ...] = ()
    """Names of special looks: "changed" (by the last move), "faded" (does not count), "dim" (cannot be played), "held"
    (drawn, not placed yet), "only-you" (only the viewer sees the face), "all-see" (all players see the face), "staged"
    (moved here by touches that do not complete an action yet), "picked" (selected), "lying" (a domino on its side),
    "turned" (rotated to face its owner), "root" (the card whose colour scores in its column), "chosen" (by a player),
    "confirmed" (a tick before `tag`), "end" (place after the outermost card of a cascade)."""
    tag: str = ""
    """Small label printed on the piece: the points of a token, the order in which the piece was counted, or the name of
    its owner."""
    came: str = ""
    """Place from which the piece moved in the last action, if the viewer could follow the movement. If empty, the page
    derives movements from the differences between the old and the new table."""
    row: int = 0
    """Number of the row that the piece is in, from 1, if several zones share numbered rows; else 0."""
    tag_said: bool = False
    """Whether `name` already contains the information of `tag`."""


ZoneKind = Literal["grid", "row", "fan", "pile", "cascade", "heap", "trick", "pairs"]
Area = Literal["seat", "left", "center", "right", "you", "hand"]


@dataclass(frozen=True, slots=True)
class Zone:
    """Pieces that belong together, such as a hand or a pile.

    `kind` is the arrangement of the pieces:

    * *grid*: `columns` columns; the pieces are listed row by row.
    * *row*: pieces side by side.
    * *fan*: a row of overlapping pieces.
    * *pile*: a stack of `count` cards. Of its pieces, only the top one is given, or none.
    * *cascade*: a column of overlapping cards, listed from the top of the screen to the bottom. The newest card is at
      the bottom. In the cascade of the player opposite, it is at the top.
    * *heap*: face-down dominoes.
    * *trick*: the piece that was led, then the reply.
    * *pairs*: won tricks, each drawn as two pieces side by side.

    `area` is the part of the table in which the zone is drawn:

    * *seat*: at the panel of the seat that owns the zone.
    * *left*, *center*, *right*: on the table cloth.
    * *you*: on the table cloth, where the viewer's own pieces are.
    * *hand*: below the prompt.
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
    """Name of a group of zones. They are drawn together as a lane: a column of cards from one player to the other."""
    size: Literal["small", "normal", "large"] = "normal"
    marks: tuple[str, ...] = ()
    """Names of special looks: "tray" (rounded background), "chosen" (filled background), "option" (one of several
    alternatives, with a radio button), "reversed" (places are numbered from the right). Whether a zone is highlighted
    as selectable follows from the touch steps instead."""
    note: str = ""
    says: str = ""
    """Name of the zone for screen readers: "Ravi’s grid", "Draw pile". Every zone has one, since `id` is never read
    aloud."""
    spans: tuple[tuple[int, int, str], ...] = ()
    """Brackets drawn below a fan to mark sets of cards, as (index of the first piece, index of the last, name)."""
    brief: str = ""
    """Whose rows the zone shows, in one word ("your", "Mara", "base"), if the rows are numbered (`Piece.row`)."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A symbol with a number on a seat panel, such as a coin with the number of the player's coins.

    `kind` is the symbol. `count` is the number, which means:

    * "coin", "chip": the player's coins or chips.
    * "won": cards that the player has won.
    * "cards": cards in the player's hand.
    * "marks": points of the match, as a row of `of` small bars. The first `count` bars are filled.
    * "pennant": a flag for an extra action that the player can take once. `count` is 1 before the action and 0 after
      it. `spent` is true after the action; the flag is then drawn pale.

    Screen readers read `says`.
    """

    kind: str
    count: int
    says: str
    of: int = 0
    spent: bool = False
    head: str = ""
    """Heading above the badges of this kind in a narrow table of all seats; only a few letters."""
    short: str = ""
    """Text of the badge below `head`; if empty, `count` is shown."""


class SeatPanel(NamedTuple):
    """Box on the table for one player: name, badges, and what the player is doing, as far as the viewer may know it."""

    seat: int
    name: str
    you: bool = False
    bot: bool = False
    acting: bool = False
    line: str = ""
    """Second line of the panel: "shows 30", "turn 9"."""
    state: str = ""
    """What the player is doing: "has chosen", "choosing", "ready for the next round", or empty."""
    badges: tuple[Badge, ...] = ()
    done: Literal["", "chosen", "confirmed", "ready"] = ""
    """What the player has completed, as `state` says in words; it is shown as a tick. Empty if nothing."""
    shows: int | None = None
    """Number that `line` contains: the value of the seat's face-up cards, or its points in the round. None if it has no
    such number."""
    says_total: bool = False
    """Whether `line` contains the seat's score."""


class ScoreRow(NamedTuple):
    """One seat's row in the list of scores: match score, points of the round, and whether the seat has won."""

    seat: int
    points: int
    """Score of the match so far."""
    line: str = ""
    winner: bool = False
    round: int | None = None
    """Points of the round that `line` describes; None if `line` describes something else."""

    @property
    def total(self) -> str:
        """Score of the match so far as text, with a typographic minus sign."""
        return digits(self.points)


class SlipRow(NamedTuple):
    """One row of a scoring slip (breakdown of a player's points): a label, cards and a subtotal.

    A card that does not count has the mark "faded" in its `Piece.marks`.
    """

    label: str
    pieces: tuple[Piece, ...] = ()
    subtotal: str = ""


class Slip(NamedTuple):
    """Breakdown of one seat's points in a round, card by card."""

    seat: int
    title: str
    points: str
    rows: tuple[SlipRow, ...] = ()
    sum: str = ""
    best: bool = False
    """Whether this seat has the best result of the round."""
    plain: bool = False
    """Whether `sum` says no more than `points`, so that it need not be shown."""


@dataclass(frozen=True, slots=True)
class Panel:
    """An extra box on the table that shows something other than pieces. The keys of `data` depend on `kind`.

    Each kind is listed with what the box shows and with its keys:

    * "stages": the stages of a hand (round of play), and which of them are over. "stages" is a list of {"name",
      "state", "pips"}. "state" is "done", "now" or "next". "pips" is optional: a row of dots, as one bool for each
      trick of the stage, true if the trick is over.
    * "contract": the contract that the declarer (highest bidder) plays.
      - "title", "note": texts above and below.
      - "points": points that the declarer has won so far.
      - "bid": points that the declarer has bid.
      - "face", for a trump contract only: code of the card face that shows the trump suit.
      - "offer", for a trump contract only: largest number of points that both players together can win.
      - "says", for a trump contract only: text with the declarer's points.
    * "dial": the number of turns so far, in a circle. "turn" is this number, "says" the text below it, "order" the list
      of the seats around the circle, anticlockwise from the bottom, and "note" the text below the circle.
    * "won": the pieces that a seat has won, from the zones whose group is this panel's `id`. The keys are "seat",
      "title" and "points".
    * "tray": other pieces on a tray, from the zones whose group is this panel's `id`. The keys are "title", "total" (a
      number) and "note".
    * "legend": explanations of marks on pieces (`Piece.marks`). "items" is a list of [mark, text].
    * "note": only a text, with the key "text".
    * "ladder": the calls of an auction. "steps" is a list of {"seat", "text", "stands"}, one for each bid or pass.
      "stands" is true for the highest bid so far. "at" is the index of the last call.
    * "steps": the order in which the cards that are face up now were flipped, so that a client can flip them one step
      after another.
      - "sums": list of SUM before the first step, one for each player.
      - "line": text below these sums.
      - "steps": list of STEP.

    STEP is a dictionary with these keys:

    * "says": title of the step.
    * "places": places whose cards are flipped in this step.
    * "sums", "line": list of SUM and text, to be shown after the step.
    * "said": text for screen readers.

    SUM is the count of one player's cards, a dictionary with these keys:

    * "name": the player.
    * "line": text that says what is counted.
    * "sum": the count.
    * "cards": list of {"place", "face", "to"}, one for each counted card. "to" is the count up to and including this
      card.
    """

    id: str
    kind: str
    area: Area
    # A dictionary is not hashable, so the hash ignores `data`. Panels with equal hashes still compare by their data.
    data: dict[str, Any] = field(default_factory=dict, hash=False)


# --- touches --------------------------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """One touch (click or tap) that a prompt (`TouchStep`) offers to the player: a place on the table, or a button."""

    touch: str
    """Id of a place, of a zone ("discard") or of a button."""
    says: str = ""
    """Consequence of the touch, shown before it is final ("three 1s", "wins the 6·4")."""
    button: str = ""
    """Text of the button; empty if only a place on the table can be touched. If both are given, they do the same."""
    primary: bool = False
    action: int | None = None
    """Action that this touch completes; None if more touches follow in `then`."""
    then: TouchStep | None = None
    refuses: str = ""
    """Reason why a disabled button cannot be used now. Such a choice has neither `action` nor `then`."""
    number: int | None = None
    """Number of a numeric button, such as a bid. All numeric buttons of a prompt are offered as one number picker."""
    sign: Literal["", "eye", "swap", "turn"] = ""
    """Icon before the text of a button."""
    face: str = ""
    """Code of the card face that the previously touched card shows after this touch (rotated or flipped). If `number`
    is given too, all such choices of a prompt are offered as a row of faces, and the primary one is selected at
    first."""
    tag: str = ""
    """Text below a face in a row of faces: the number of cards with this face that the player holds."""
    lifts: tuple[str, ...] = ()
    """Places of the pieces that belong to a face in a row of faces. While the face is selected, they are raised and all
    other pieces dimmed."""
    done: str = ""
    """What the button does to the previously touched card ("turned to 5")."""


#: Suffix of the id of the button that confirms a costly move.
CONFIRM_SUFFIX = "-anyway"


def add_confirmation(choice: Choice, prompt: str, help_text: str, button: str, rule: str = "") -> Choice:
    """Return a copy of `choice` that asks the player to confirm its costly move instead of playing the move at once.

    Touching the copy shows a second prompt with the texts `prompt` and `help_text`, and with one button, labelled
    `button`. This button plays the move. `rule` is the anchor of the section in the game's guide that explains the
    move.
    """
    anyway = Choice(choice.touch + CONFIRM_SUFFIX, button=button, action=choice.action)
    return choice._replace(action=None, then=TouchStep(prompt, help_text, (anyway,), rule))


def has_confirmation(choice: Choice) -> bool:
    """Return whether this is the first touch of a move that must be confirmed (`add_confirmation`)."""
    return choice.then is not None and [one.touch for one in choice.then.choices] == [choice.touch + CONFIRM_SUFFIX]


Refusals = tuple[tuple[str, str], ...]


def refusals_for(places: Iterable[str], reason: str) -> Refusals:
    """Return pairs (place, reason), with the same reason why each of the places cannot be touched.

    >>> refusals_for(["draw", "discard"], "Keep the 7 or discard it.")
    (('draw', 'Keep the 7 or discard it.'), ('discard', 'Keep the 7 or discard it.'))
    """
    return tuple((place, reason) for place in places)


class TouchStep(NamedTuple):
    """A prompt for the player, with the touches (clicks or taps) that the player can choose from."""

    prompt: str
    help: str = ""
    choices: tuple[Choice, ...] = ()
    rule: str = ""
    """Anchor of the rule in the game's guide that explains this prompt; empty if none does."""
    refusals: Refusals = ()
    """Pairs (touch, reason) for things that a player may try to touch although the rules do not allow it."""
    picks: Literal["", "set", "slice"] = ""
    """How the touches from this prompt on combine: as a "set" of selected pieces (one piece too many replaces the
    oldest), or as the two ends of a "slice" of neighbouring pieces. If empty, each touch leads to the next prompt."""


TouchPath = tuple[str, ...]


def steps_from_paths(
    paths: Iterable[tuple[int, TouchPath]],
    ask: Callable[[TouchPath], TouchStep],
    choice: Callable[[TouchPath, Choice], Choice] = lambda path, choice: choice,
) -> TouchStep:
    """Return the first prompt for a player who chooses one of the legal actions by several touches (clicks or taps).

    The prompts form a tree. Each touch leads to the next prompt; the last touch completes an action.

    * `paths` has pairs (legal action, path). The path is a tuple of the ids that the player touches, in order. An
      action may have several paths. `ValueError` is raised if one path is the beginning of another path.
    * `ask(prefix)` returns the texts of the prompt that follows the touches `prefix`, as a `TouchStep` without choices.
    * `choice(prefix, bare)` returns what the prompt offers for the last touch in `prefix`. `bare` is this choice
      without texts; the function may add texts, a button or a refusal.
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
    """Return the prompt that follows the touches `prefix`, with all further prompts.

    `node` maps each id that can be touched next to a legal action, or to a dictionary of the same form if more touches
    follow. `ask` and `choice` are those of `steps_from_paths`.

    This function is not nested in `steps_from_paths`: a nested recursive function refers to itself, so after each call
    it would stay in memory until the garbage collector runs.
    """
    choices = []
    for touch, below in node.items():
        path = (*prefix, touch)
        inner = isinstance(below, dict)
        bare = Choice(touch, then=_build_step(below, path, ask, choice)) if inner else Choice(touch, action=below)
        choices.append(choice(path, bare))
    return ask(prefix)._replace(choices=tuple(choices))


TouchSequence = tuple[Choice, ...]


def touch_sequences(step: TouchStep, before: TouchSequence = ()) -> Iterator[TouchSequence]:
    """Yield all complete sequences of touches that lead through the prompt `step`, in the order of its choices.

    A sequence consists of `before` (the touches that led to this prompt), a choice of the prompt, and choices of later
    prompts. Its last choice contains the action that the whole sequence selects.
    """
    for choice in step.choices:
        touched = (*before, choice)
        if choice.action is not None:
            yield touched
        elif choice.then is not None:
            yield from touch_sequences(choice.then, touched)


# --- the whole table ------------------------------------------------------------------------------------------------


class LogLine(NamedTuple):
    """A line of the log: what happened, as this viewer saw it."""

    number: str
    text: str


LayoutKind = Literal["plain", "grids", "bands", "lanes", "fans", "trick"]


@dataclass(frozen=True, slots=True)
class Layout:
    """Layout of a table on the page. The game chooses the layout; the page does not guess it from the groups of pieces.

    `kind` is one of:

    * *plain*: opponents in one or two rows at the top, the piles below them, the player's hand and the buttons at the
      bottom. It suits any game.
    * *grids*: a grid of cards for each player. The player touches cards in their own grid.
    * *bands*: a row of cards for each player. The columns have the same numbers in all rows.
    * *lanes*: columns of cards that run from one player to the player opposite.
    * *fans*: hands of many cards that overlap, with the badges of each player below the hand.
    * *trick*: the current trick in the middle, and the tricks already won next to it.
    """

    kind: LayoutKind = "plain"
    columns: int = 0
    """For kind "bands": number of columns, which is the same for all players."""
    backwards: bool = False
    """For kind "bands": whether the columns are numbered from the right."""
    coordinates: bool = False
    """For kind "grids": whether places are named and typed by column and row, such as "b3" for the place "p0-b3"."""
    moment: Literal["", "opening", "bidding", "naming"] = ""
    """Phase that needs extra room on the page: "opening" (the viewer touches their first cards, with a button),
    "bidding" (a row of numbers and the bids so far), "naming" (a row of card faces and the bids so far). Else empty."""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that one viewer sees of a match at one moment."""

    game: str
    title: str
    where: tuple[str, ...]
    """Progress of the match, in parts ("Hand 4", "trick 6 of 7"). Where there is little room, only the first part is
    shown. Whose turn it is comes from `turn`."""
    viewer: int
    phase: str
    seats: tuple[SeatPanel, ...]
    zones: tuple[Zone, ...]
    step: TouchStep
    panels: tuple[Panel, ...] = ()
    scores_title: str = ""
    scores_note: str = ""
    """Explanation of the score in one sentence, if the rows of `scores` do not show it."""
    scores: tuple[ScoreRow, ...] = ()
    slips: tuple[Slip, ...] = ()
    """Breakdown of the points, in a scoring phase only."""
    log: tuple[LogLine, ...] = ()
    over: bool = False
    result: str = ""
    """Result of the match in one sentence; empty while it is running."""
    layout: Layout = Layout()
    round: int = 0
    """Number of the round (or hand, or game), from 1; 0 if they are not numbered."""
    turn: int | None = None
    """Seat whose turn it is, if the game shows that next to the title; else None."""
    winners: tuple[int, ...] = ()
    """Seats that won. Empty while the match is running, and if it was abandoned or all players lost together."""

    @property
    def turn_words(self) -> str:
        """Whose turn it is: "your turn", "Iris’s turn", or empty."""
        if self.your_turn:
            return _("your turn")
        owners = [panel.name for panel in self.seats if panel.seat == self.turn]
        return _("{owner} turn", owner=possessive(owners[0])) if owners else ""

    @property
    def your_turn(self) -> bool:
        """Whether it is the viewer's turn, so that `turn_words` is "your turn"."""
        return any(panel.seat == self.turn and (panel.you or panel.name == _("You")) for panel in self.seats)

    @property
    def subtitle(self) -> str:
        """Progress of the match and whose turn it is: "Round 3 · your turn"."""
        return " · ".join([part for part in (*self.where, self.turn_words) if part])

    def with_log(self, log: Sequence[LogLine]) -> Table:
        """Return a copy of the table with these log lines."""
        return replace(self, log=tuple(log))

    def __str__(self) -> str:
        """Return the table as plain text: progress, prompt, and one line per zone. ``[back]`` is a card face down."""
        lines = [f"{self.title}, {self.subtitle}".rstrip(", "), self.step.prompt]
        lines += [f"  {panel.name}: {panel.state}" for panel in self.seats if panel.state]
        for zone in self.zones:
            count = "" if zone.count is None else f" × {zone.count}"
            pieces = " ".join(piece.face or f"[{piece.kind}]" for piece in zone.pieces)
            lines.append(f"  {zone.id}{count}: {pieces}".rstrip())
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Return all fields, and texts such as `subtitle`, as lists and dictionaries for `json.dumps`."""
        told: dict[str, Any] = _to_json_value(self)
        return told


#: Properties that JSON contains in addition to the fields, by class.
_JSON_PROPERTIES: dict[type[Any], tuple[str, ...]] = {Table: ("subtitle", "turn_words"), ScoreRow: ("total",)}


#: Types that `json.dumps` takes as they are. `isinstance` is much faster with a tuple of classes than with a union.
_ATOMS = (str, int, float, type(None))


def _to_json_value(value: Any) -> Any:
    """Convert dataclasses and named tuples to dictionaries, and tuples to lists, recursively; return the result.

    `dataclasses.asdict` would also copy all immutable values. That is slow, because a table has thousands of them.
    """
    if isinstance(value, _ATOMS):
        return value
    kind: Any = type(value)
    if kind is tuple or kind is list:
        return [_to_json_value(part) for part in value]
    if kind is dict:
        return {key: _to_json_value(part) for key, part in value.items()}
    return {one: _to_json_value(getattr(value, one)) for one in _json_keys(kind)}


@cache
def _json_keys(kind: Any) -> tuple[str, ...]:
    """Return the JSON keys for a class: its fields, then its derived properties."""
    own = kind._fields if issubclass(kind, tuple) else tuple(one.name for one in fields(kind))
    return (*own, *_JSON_PROPERTIES.get(kind, ()))


@dataclass(frozen=True, slots=True)
class Sitter:
    """The player at a seat: a name, and whether the player is a bot."""

    name: str
    bot: bool = False


def digits(number: int) -> str:
    """Return an integer as text, with a typographic minus sign.

    >>> digits(-2), digits(7)
    ('−2', '7')
    """
    return f"\N{MINUS SIGN}{-number}" if number < 0 else str(number)


def possessive(name: str) -> str:
    """Return the possessive form of a name. English always adds "’s"; German adds no s after an s sound.

    >>> possessive("Theo"), possessive("Gus")
    ('Theo’s', 'Gus’s')
    >>> from facedown.core.translation import use_language
    >>> with use_language("de"):
    ...     possessive("Theo"), possessive("Gus")
    ('Theos', 'Gus’')
    """
    if language() == "de" and name.endswith(("s", "ß", "x", "z")):
        return f"{isolate_right_to_left(name)}’"
    return _("{name}’s", name=name)


def initial(name: str) -> str:
    """Return the first letter of a player's name in upper case, for the circular symbol that stands for the player."""
    return name.strip()[:1].upper() or "?"
