"""Tables as data: what a player sees of a game, independent of how it is drawn.

A game's `table.py` turns a *view* (never a state) into a `Table`. One set of templates draws any `Table` as HTML, one
renderer prints it in a terminal, and one serialiser writes it as JSON. None of them has code for particular games.

A *piece* is a card, a domino, an empty slot or a gap between cards. A *place* is the spot on the table where a piece is
drawn.

Texts may contain ``**bold**`` and no other markup.

Classes of which a table has many objects, such as `Piece`, are named tuples. The other classes are frozen dataclasses.
Named tuples are created, compared and hashed much faster.
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

    * `place`: the id of the place, the spot on the table ("p1-a3", "hand-2", "discard"). It never depends on the card
      there.
    * `kind`: "face" (a card face up), "back" (a card face down), "slot" (an empty slot), "gap" (a place between cards,
      to insert a card) or "gone" (the place of a removed card).
    * `face`: the code of the card face in the game's art ("7", "red", "64", "5/2"), if `kind` is "face". Otherwise
      `face` is empty.
    * `name` and `where`: texts for screen readers, such as "face down" and "row 3, column 1". All face-down cards have
      the same name.

    The other fields are described below.
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
    * *pile*: a stack of `count` cards. `pieces` has at most one piece: the top card, or an empty slot.
    * *cascade*: a column of overlapping cards. `pieces` lists the cards from the top of the screen to the bottom. The
      newest card is the last one, or the first one in the cascade of the player opposite.
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
    alternatives to choose from), "reversed" (places are numbered from the right). Whether a zone is highlighted
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

    * "coin", "chip": how many coins or chips the player has.
    * "won": how many cards the player has won.
    * "cards": how many cards the player has in hand.
    * "marks": how many points of the match the player has. A row of small bars is drawn. `of` is the number of bars;
      the first `count` of them are filled.
    * "pennant": how often the player can still take an extra action, 1 or 0. A flag is drawn. When the player has taken
      the action, `spent` is true and the flag is pale.

    `says` is the text for screen readers.
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
    """Present activity of the player: "has chosen", "choosing", "ready for the next round", or empty."""
    badges: tuple[Badge, ...] = ()
    done: Literal["", "chosen", "confirmed", "ready"] = ""
    """Kind of choice that the player has completed, shown as a tick. `state` says it in words. Empty if none."""
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
    """An extra box on the table, beside the zones. `kind` is what the box shows. `data` has different keys by kind.

    If `kind` is "note", the box shows a text:

    * "text": the text.

    If `kind` is "legend", the box explains marks on pieces (`Piece.marks`):

    * "items": a list of [mark, text].

    If `kind` is "won", the box shows the pieces that a seat has won. They are in the zones whose `group` is this
    panel's `id`.

    * "seat", "points": the seat, and its points.
    * "title": the heading.

    If `kind` is "tray", the box shows pieces that no seat has won. They are in the zones whose `group` is this panel's
    `id`.

    * "title", "note": the texts above and below the pieces.
    * "total": a number beside the title.

    If `kind` is "dial", the box shows a circle with a number inside and the players around it:

    * "turn": the number inside the circle, which says how many turns have been played.
    * "says": the text below this number.
    * "order": the list of the seats around the circle, anticlockwise from the bottom.
    * "note": the text below the circle.

    If `kind` is "stages", the box shows the stages of a hand (round of play):

    * "stages": a list of dictionaries, one for each stage:
      - "name": the name of the stage.
      - "state": "done", "now" or "next".
      - "pips", optional: a list of bools, one for each trick of the stage; true if the trick is over. They are drawn as
        a row of dots.

    If `kind` is "ladder", the box shows the calls (bids and passes) of an auction:

    * "steps": a list of dictionaries, one for each call:
      - "seat": the seat that made the call.
      - "text": the call.
      - "stands": true for the highest bid so far; missing for other calls.
    * "at": the index of the last call; -1 before the first one.

    If `kind` is "contract", the box shows the contract that the declarer (highest bidder) plays:

    * "title", "note": the texts above and below.
    * "points": the points that the declarer has won so far.
    * "bid": the points that the declarer has bid.
    * "face", for a trump contract only: the code of the card face that shows the trump suit.
    * "offer", for a trump contract only: the most points that both players together can win.
    * "says", for a trump contract only: a text with the declarer's points.

    If `kind` is "steps", the box shows how the cards that are face up now were flipped, one step after another. It also
    shows how many cards count for each player:

    * "sums": a list of dictionaries, one for each player, about the cards that count before the first step.
    * "line": the text below these numbers.
    * "steps": a list of dictionaries, one for each step:
      - "says": the title of the step.
      - "places": the ids of the places whose cards are flipped in this step.
      - "sums", "line": the list and the text as above, but after this step.
      - "said": the text for screen readers.

    A dictionary in a list "sums" describes one player:

    * "name": the player's name.
    * "line": a text that says what is counted, such as "left, red".
    * "sum": the number of the player's cards that count, as text. After the last step it is the player's points.
    * "cards": a list of dictionaries, one for each card that counts, in the order in which they are numbered:
      - "place", "face": the id of its place, and the code of its card face.
      - "to": the number of this card, from 1, as text.
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
    """Effect of the button on the previously touched card ("turned to 5")."""


#: Suffix of the id of the button that confirms a costly move.
CONFIRM_SUFFIX = "-anyway"


def add_confirmation(choice: Choice, prompt: str, help_text: str, button: str, rule: str = "") -> Choice:
    """Return a copy of `choice` that asks the player to confirm its costly move instead of playing the move at once.

    When the player touches (clicks or taps) the choice, a second prompt appears. It has the texts `prompt` and
    `help_text`, and one button, labelled `button`, which plays the move. `rule` is the anchor of the section in the
    game's guide that explains the move.
    """
    anyway = Choice(choice.touch + CONFIRM_SUFFIX, button=button, action=choice.action)
    return choice._replace(action=None, then=TouchStep(prompt, help_text, (anyway,), rule))


def has_confirmation(choice: Choice) -> bool:
    """Return whether a click or tap on this choice only asks the player to confirm the move, and does not play it yet.

    `add_confirmation` makes such choices, for costly moves.
    """
    return choice.then is not None and [one.touch for one in choice.then.choices] == [choice.touch + CONFIRM_SUFFIX]


#: Pairs (id, reason): a place or button that the player cannot choose now, and a text that says why.
Refusals = tuple[tuple[str, str], ...]


def refusals_for(places: Iterable[str], reason: str) -> Refusals:
    """Return pairs (place, reason), which say why the player cannot choose these places now.

    `places` has the ids of the places. `reason` is the same for all of them: the text that the player reads after a
    click or tap on the place.

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
    """Anchor of the section in the game's guide that explains this prompt. The prompt links to it. Empty if no section
    does."""
    refusals: Refusals = ()
    """Pairs (id, reason): places and buttons that the player cannot choose now, each with a text that says why."""
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
    * `ask(prefix)` returns the prompt that follows the touches `prefix` (the first ids of a path), as a `TouchStep`
      with texts but without choices.
    * `choice(prefix, bare)` may add texts to a choice, such as the text of its button. `bare` is the `Choice` for the
      last id in `prefix`, still without texts. The result is a changed copy, or `bare` itself.
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
    """Return the prompt that the player sees after the touches (clicks or taps) in `prefix`, as a `TouchStep`.

    Each choice of the prompt either completes a legal action or contains the next prompt (`Choice.then`). So the result
    contains all later prompts.

    * `node` maps each id that the player can touch now to the action that the touch completes. If more touches must
      follow, it maps the id to another dictionary like `node`.
    * `ask(prefix)` returns the prompt without choices.
    * `choice(prefix, bare)` may add texts, such as the text of a button, to `bare`, the `Choice` for the last touch in
      `prefix`. The result is the changed copy.

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
    """A line of the log for one viewer. It says only what this viewer could see."""

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
    * *bands*: a row of cards for each player, one row below another. All rows have the same number of places. Places
      at the same position in their rows form a column. The columns are numbered from 1.
    * *lanes*: columns of cards that run from one player to the player opposite.
    * *fans*: hands of many cards that overlap. The badges of each opponent (symbols with numbers, such as coins)
      are beside the opponent's name or below the hand.
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
        """Whether it is the viewer's turn. If so, `turn_words` is "your turn"."""
        return any(panel.seat == self.turn and (panel.you or panel.name == _("You")) for panel in self.seats)

    @property
    def subtitle(self) -> str:
        """Progress of the match and whose turn it is: "Round 3 · your turn"."""
        return " · ".join([part for part in (*self.where, self.turn_words) if part])

    def with_log(self, log: Sequence[LogLine]) -> Table:
        """Return a copy of the table whose log is replaced by the lines of `log`.

        The games build their tables without a log, so callers add it with this method.
        """
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
        """Return the table as a dictionary that `json.dumps` accepts. Its keys are the names of all fields.

        The values contain only lists, dictionaries, texts, numbers, bools and None. Three texts that are computed from
        the fields are added: `subtitle` and `turn_words`, and `ScoreRow.total` in each row of `scores`.
        """
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
