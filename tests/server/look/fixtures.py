"""Hand-made tables, one for each picture of the look: what the templates must be able to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from plain_tables import PLAIN

from facedown.core.table import (
    Badge,
    Choice,
    Layout,
    Line,
    Panel,
    Piece,
    ScoreRow,
    SeatPanel,
    Slip,
    SlipRow,
    Step,
    Table,
    Zone,
    ask_again,
)

COLUMNS = "abcd"


def card(place: str, face: str, where: str = "", *marks: str, tag: str = "") -> Piece:
    """A face, or a back for "?", a slot for "_", a gone place for "."."""
    if face == "?":
        return Piece(place, "back", where=where, marks=marks, tag=tag)
    if face == "_":
        return Piece(place, "slot", name="empty place", where=where, marks=marks)
    if face == ".":
        return Piece(place, "gone", name="removed", where=where)
    return Piece(place, "face", face, name=face, where=where, marks=marks, tag=tag)


def grid(seat: int, text: str, *, area: str = "seat", prefix: str = "") -> Zone:
    """A Detect grid from rows of words."""
    pieces = []
    for r, row in enumerate(text.strip().split("/")):
        for c, face in enumerate(row.split()):
            pieces.append(card(f"{prefix or f'p{seat}'}-{COLUMNS[c]}{r + 1}", face, f"row {r + 1}, column {c + 1}"))
    return Zone(
        f"grid-{seat}", "grid", area, tuple(pieces), f"grid of seat {seat}" if area == "seat" else "your grid", seat, 4
    )  # type: ignore[arg-type]


#: What people are done with, by what they are said to do.
DONE: dict[str, Literal["", "chosen", "confirmed", "ready"]] = {
    "has chosen": "chosen",
    "confirmed, middle": "confirmed",
}


def seats(
    *names: str, you: int = 0, acting: int = 0, lines: Sequence[str] = (), states: Sequence[str] = ()
) -> tuple[SeatPanel, ...]:
    """Seat panels; a name with a star is a bot's."""
    return tuple(
        SeatPanel(
            i,
            name.strip("*"),
            you=i == you,
            bot=name.endswith("*"),
            acting=i == acting,
            line=lines[i] if i < len(lines) else "",
            state=states[i] if i < len(states) else "",
            done=DONE.get(states[i], "") if i < len(states) else "",
        )
        for i, name in enumerate(names)
    )


def detect() -> Table:
    """A drawn card to keep or throw."""
    mine = "1 ? 5 ./1 7 ? ./? 0 ? ."
    places = [f"you-{c}{r}" for r in (1, 2, 3) for c in "abc"]
    turn = Step(
        "Turn which card?",
        "You threw the 1.",
        tuple(Choice(p, action=20 + i) for i, p in enumerate(places) if p not in ("you-a1", "you-c1")),
    )
    return Table(
        "detect",
        "Detect",
        ("Round 3",),
        0,
        "hold",
        seats("You", "Ilse", "Juniper*", "Ravi", lines=("show 14 · 24 in all", "shows 30", "shows 29", "shows 25")),
        (
            grid(1, "12 3 ? 2/? 4 0 ?/6 ? -1 4"),
            grid(2, "8 ? 2 ?/2 -2 ? 5/? 1 3 10"),
            grid(3, "? 6 . 11/3 ? . 0/5 ? . ?"),
            Zone("deck", "pile", "left", (card("deck", "?", "draw pile"),), "**85** to draw", count=85),
            Zone("held", "row", "left", (card("held", "1", "drawn card", "held", "only-you"),)),
            Zone("discard", "pile", "left", (card("discard", "8", "discard pile"),), "**22** discarded", count=22),
            grid(0, mine, area="you", prefix="you"),
        ),
        Step(
            "Keep the 1 or discard it?",
            "Touch a place in your grid to keep it. Touch the discard pile to discard it and flip one of your cards.",
            (
                *(Choice(p, action=i, says="three 1s" if p == "you-a3" else "") for i, p in enumerate(places)),
                Choice("discard", button="Discard the 1", then=turn),
            ),
            rule="det-7",
            refusals=(("deck", "You have drawn already."),),
        ),
        panels=(
            Panel("gone", "note", "right", {"text": "The fourth column is gone: three 5s, discarded in turn 17."}),
        ),
        scores_title="Round 3 · lowest total wins at 100",
        scores=(
            ScoreRow(0, 24, "shows 14 this round"),
            ScoreRow(1, 38, "shows 30 this round"),
            ScoreRow(2, 47, "shows 29 this round"),
            ScoreRow(3, 61, "shows 25 this round"),
        ),
        log=(
            Line("20", "**Ravi** drew and discarded a 12, then flipped a 0."),
            Line("21", "**You** drew and kept a 0, then discarded a 6."),
            Line("22", "**Ilse** drew and kept a −1, then discarded a 9."),
            Line("23", "**Juniper** drew and discarded a 10, then flipped a 3."),
            Line("24", "**Ravi** drew and kept a 5, then discarded an 8."),
            Line("25", "**You** drew a card."),
        ),
        layout=Layout("grids", coordinates=True),
        turn=0,
    )


def detect_opening() -> Table:
    """The sealed choice of two cells."""
    places = [f"you-{c}{r}" for r in (1, 2, 3) for c in COLUMNS]
    down = "? ? ? ?/? ? ? ?/? ? ? ?"
    done = Step(
        "Flip these two?",
        "Nobody sees them until everyone has chosen. The highest sum starts.",
        (Choice("turn", button="Flip two cards", primary=True, action=7),),
    )
    tree = Step(
        "Choose two cards to turn up.",
        "Nobody sees them until everyone has chosen. The highest sum starts.",
        tuple(
            Choice(
                p,
                then=Step(
                    "And a second one?",
                    "The highest sum plays first.",
                    tuple(Choice(q, then=done) for q in places if q != p),
                ),
            )
            for p in places
        ),
        picks="set",
    )
    return Table(
        "detect",
        "Detect",
        ("Round 1", "opening"),
        0,
        "opening",
        seats("You", "Ilse", "Juniper*", "Ravi", states=("choosing", "has chosen", "has chosen", "choosing")),
        (
            grid(1, down),
            grid(2, down),
            grid(3, down),
            Zone("deck", "pile", "left", (card("deck", "?", "draw pile"),), "**101** to draw", count=101),
            Zone("discard", "pile", "left", (card("discard", "7", "discard pile"),), "**1** discarded", count=1),
            grid(0, down, area="you", prefix="you"),
        ),
        tree,
        scores_title="Round 1",
        scores=tuple(ScoreRow(i, 0) for i in range(4)),
        layout=Layout("grids", coordinates=True, moment="opening"),
    )


EIGHT = (
    "0 0 ? ?/9 ? ? 0/? ? 1 5",
    "5 0 8 ?/5 3 ? 1/? 5 ? ?",
    "10 ? ? 3/1 ? -1 2/? ? -1 ?",
    "? ? ? ?/? -1 -2 ?/-2 0 ? ?",
    "5 8 ? 6/? 3 ? ?/? ? 4 ?",
    "? ? 0 1/? ? ? ?/0 4 3 6",
    "1 ? ? 3/? ? ? 2/? 2 1 3",
)


def detect_eight(*, yours: bool) -> Table:
    """Eight seats: someone else's turn, or take or draw."""
    lines = ("show 24 · 31 in all", "shows 15", "shows 19", "shows 14", "shows −5", "shows 26", "shows 14", "shows 12")
    step = (
        Step(
            "Take the 0 or draw?",
            "The card you take must go into your grid. A card you draw may be thrown.",
            (
                Choice("deck", button="Draw", action=0),
                Choice(
                    "discard",
                    button="Take the 0",
                    then=Step(
                        "Put the 0 where?",
                        "",
                        tuple(Choice(f"you-{c}{r}", action=1) for c in COLUMNS for r in (1, 2, 3)),
                    ),
                ),
            ),
        )
        if yours
        else Step("Ravi is choosing.", "You show 17, 6 cards face down. Five play before you.")
    )
    names = ("You", "Ilse", "Juniper*", "Ravi", "Mara", "Theo", "Wren*", "Noor")
    return Table(
        "detect",
        "Detect",
        ("Round 2", "eight players") if yours else ("Round 2",),
        0,
        "turn",
        seats(*names, acting=0 if yours else 3, lines=lines),
        (
            *(grid(i + 1, text) for i, text in enumerate(EIGHT)),
            Zone("deck", "pile", "left", (card("deck", "?", "draw pile"),), "**14** to draw", count=14),
            Zone(
                "discard",
                "pile",
                "left",
                (card("discard", "0" if yours else "8", "discard pile"),),
                "**40** discarded",
                count=40,
            ),
            grid(0, "6 ? 0 ?/? ? 7 3/2 ? ? -1", area="you", prefix="you"),
        ),
        step,
        panels=(
            Panel(
                "n", "note", "right", {"text": "Six of your cards are still face down. Nobody has turned the last one."}
            ),
        ),
        scores_title="Round 2 · lowest total wins at 100",
        scores=tuple(
            ScoreRow(s, t) for s, t in ((3, 18), (5, 27), (0, 31), (7, 39), (1, 44), (2, 52), (4, 63), (6, 70))
        ),
        log=tuple(
            Line(str(35 + i), t)
            for i, t in enumerate(
                (
                    "**Ilse** took the 0 and discarded a 6.",
                    "**Juniper** drew and discarded an 8, then flipped an 8.",
                    "**Ravi** drew and discarded a 5, then flipped a 10.",
                    "**Mara** drew and kept a 0, then discarded a 5.",
                    "**Noor** took the 1 and discarded a 0.",
                    "**You** are to act.",
                )
            )
        ),
        layout=Layout("grids", coordinates=True),
        turn=0 if yours else 3,
    )


def detect_scoring() -> Table:
    """A round counted."""

    def slip(seat: int, title: str, points: str, rows: str, total: str) -> Slip:
        made = []
        for r, row in enumerate(rows.split("/")):
            faces = row.split()
            made.append(
                SlipRow(
                    "",
                    tuple(card(f"s{seat}-{r}{c}", f) for c, f in enumerate(faces)),
                    str(sum(int(f) for f in faces if f != ".")),
                )
            )
        return Slip(seat, title, points, tuple(made), total)

    base = detect()
    return Table(
        "detect",
        "Detect",
        ("Round 3", "counted"),
        0,
        "scored",
        base.seats,
        base.zones,
        Step(
            "You end the round with 9, the fewest.",
            "Ilse, Juniper and Ravi count every card.",
            (Choice("continue", button="Continue to round 4", primary=True, action=99),),
        ),
        scores_title="After round 3",
        scores=base.scores,
        slips=(
            slip(0, "ended the round", "9", "1 -1 5 ./1 7 0 ./-2 0 -2 .", "**1 + 4 + 4.** Three 5s were discarded."),
            slip(1, "38 before", "41", "12 3 2 2/1 4 0 5/6 3 -1 4", "**19 + 10 + 12.**"),
            slip(2, "47 before", "38", "8 3 2 1/2 -2 4 5/1 1 3 10", ""),
            slip(3, "61 before", "33", "0 6 . 11/3 4 . 0/5 2 . 2", ""),
        ),
        log=base.log,
        layout=Layout("grids", coordinates=True),
    )


def detect_over() -> Table:
    """The end of a match."""
    base = detect()
    return Table(
        "detect",
        "Detect",
        ("finished",),
        0,
        "over",
        base.seats,
        (),
        Step(""),
        scores_title="Final standing",
        scores=(
            ScoreRow(0, 33, "five rounds", winner=True),
            ScoreRow(1, 79),
            ScoreRow(2, 85),
            ScoreRow(3, 104),
        ),
        log=base.log,
        over=True,
        result="You won with 33.",
        layout=Layout("grids", coordinates=True),
    )


# --- Reveal ---------------------------------------------------------------------------------------------------------


def _lanes(final: bool) -> list[Zone]:
    base = (("red", "yellow", "red"), ("blue", "wild", "green"), ("black", "pink", "orange"))
    zones = []
    for i, name in enumerate("LCR"):
        theirs = [card(f"mara-{name}{r}", "?", f"Mara’s row {r}") for r in ((1, 2, 3) if final else (1, 2))]
        end = [
            card(
                f"mara-end-{name}",
                "?" if final and name == "C" else "_",
                "Mara’s end",
                *(("end",) if final else ()),
                *(("chosen", "confirmed") if final and name == "C" else ()),
                tag="Mara" if final and name == "C" else "",
            )
        ]
        zones.append(
            Zone(
                f"theirs-{name}",
                "cascade",
                "center",
                tuple(end + theirs),
                seat=1,
                group=name,
                marks=("chosen",) if final and name in "LC" else (),
            )
        )
        zones.append(
            Zone(
                f"base-{name}",
                "cascade",
                "center",
                tuple(card(f"base-{name}{r + 1}", f, f"base row {r + 1}") for r, f in enumerate(base[i])),
                group=name,
            )
        )
        mine = [card(f"you-{name}{r}", "?", f"your row {r}") for r in ((1, 2, 3) if final else (1, 2))]
        last = card(
            f"slot-{name}",
            "?" if final and name == "L" else "_",
            "your row 3",
            *(("end",) if final else ()),
            *(("chosen",) if final and name == "L" else ()),
            tag="you" if final and name == "L" else "",
        )
        zones.append(Zone(f"mine-{name}", "cascade", "center", (*mine, last), seat=0, group=name))
    return zones


def reveal(*, final: bool = False) -> Table:
    """PLACE 3, or the open final round."""
    place = Step("Place these three?", "", (Choice("place", button="Place 3 cards", primary=True, action=3),))
    grey = Choice("place", button="Place 3 cards", primary=True, refuses="Two cards still need a place.")

    def tree(cards: tuple[str, ...], slots: tuple[str, ...]) -> Step:
        if len(cards) == 1:
            return place
        names = {"hand-1": "red", "hand-2": "wild", "hand-3": "blue"}
        return Step(
            "Which card next?",
            "Touch a card.",
            (
                *(
                    Choice(
                        c,
                        then=Step(
                            f"Where does the {names[c]} card go?",
                            "Touch a lit place. Your third card takes the last one."
                            if len(cards) == 2
                            else "Touch a lit place.",
                            (
                                *(
                                    Choice(
                                        s,
                                        then=tree(tuple(x for x in cards if x != c), tuple(x for x in slots if x != s)),
                                    )
                                    for s in slots
                                ),
                                grey,
                            ),
                        ),
                    )
                    for c in cards
                ),
                grey,
            ),
        )

    hand = tuple(card(f"hand-{i + 1}", f, f"card {i + 1}") for i, f in enumerate(("red", "wild", "blue")))
    zones = [
        *([] if final else [Zone("mara-hand", "fan", "seat", tuple(card(f"mh-{i}", "?") for i in range(3)), seat=1)]),
        *_lanes(final),
        *(
            []
            if final
            else [
                Zone("final-1", "row", "right", (card("final-1", "?", "Mara’s Final Card"),), note="Mara’s Final Card")
            ]
        ),
        Zone("deck", "pile", "left", (card("deck", "?", "draw pile"),), "**80** to draw", count=80),
        Zone("discard", "pile", "left", (card("discard", "?", "discard pile"),), "**7** discarded", count=7),
        *(
            []
            if final
            else [Zone("final-0", "row", "right", (card("final-0", "?", "your Final Card"),), note="Your Final Card")]
        ),
        *([] if final else [Zone("hand", "row", "hand", hand, "your hand")]),
    ]
    step = (
        Step(
            "Stay with the left column?",
            "It has two reds in its base. Touch a lit place to move your Final Card. Nobody knows its colour.",
            (
                Choice("slot-C", action=1),
                Choice("slot-R", action=2),
                Choice("confirm", button="Confirm the left column", primary=True, action=3),
            ),
        )
        if final
        else tree(("hand-1", "hand-2", "hand-3"), ("slot-L", "slot-C", "slot-R"))
    )
    return Table(
        "reveal",
        "Reveal",
        ("Hand 2 of 5", "final round" if final else "round 3 of 3"),
        0,
        "final" if final else "place",
        seats(
            "You",
            "Mara",
            lines=("placing now", "8 points"),
            states=("", "confirmed, middle" if final else "has chosen"),
        ),
        tuple(zones),
        step,
        panels=()
        if final
        else (Panel("n", "note", "right", {"text": "Nobody knows a Final Card before the Grand Reveal."}),),
        scores_title="After one hand",
        scores=(ScoreRow(0, 7, "7 in hand 1"), ScoreRow(1, 8, "8 in hand 1")),
        log=(
            Line("2", "Base row 1 was revealed: **red, blue, black**."),
            Line("2", "You swapped 1 card, Mara none."),
            Line("2", "Both placed row 1."),
        ),
        layout=Layout("lanes"),
    )


def reveal_scoring() -> Table:
    """The Grand Reveal, counted card by card."""

    def row(label: str, sub: str, *cells: str) -> SlipRow:
        pieces = []
        for i, cell in enumerate(cells):
            face, _, tag = cell.partition(":")
            marks = () if tag else ("faded",)
            pieces.append(card(f"{label}{i}", face, "", *marks, *(("root",) if tag == "1" else ()), tag=tag))
        return SlipRow(label, tuple(pieces), sub)

    base = reveal(final=True)
    return Table(
        "reveal",
        "Reveal",
        ("Hand 2 of 5", "Grand Reveal"),
        0,
        "scored",
        base.seats,
        base.zones,
        Step(
            "You win the hand, 6 to 5. The match is level at 13.",
            "Best colour of each column counts.",
            (Choice("continue", button="Continue to hand 3", primary=True, action=1),),
        ),
        scores_title="After two hands",
        scores=base.scores,
        slips=(
            Slip(
                0,
                "left column, red",
                "6",
                (
                    row("Base", "2", "red:1", "yellow", "red:2"),
                    row("Your side", "2", "green", "red:3", "red:4"),
                    row("Mara’s side", "1", "red:5", "pink", "yellow"),
                    row("Final Card", "1", "wild:6"),
                ),
                "**2 + 2 + 1 + 1.** Your own red cards opened Mara’s side.",
            ),
            Slip(
                1,
                "middle column, blue",
                "5",
                (
                    row("Base", "2", "blue:1", "wild:2", "green"),
                    row("Mara’s side", "2", "blue:3", "blue:4", "black"),
                    row("Your side", "1", "orange", "white", "blue:5"),
                    row("Final Card", "0", "pink"),
                ),
                "**2 + 2 + 1 + 0.** Your blue card in row 3 counted for Mara.",
            ),
        ),
        log=base.log,
        layout=Layout("lanes"),
    )


# --- Reveille -------------------------------------------------------------------------------------------------------


def _bones(prefix: str, codes: str, *, dim: Sequence[str] = ()) -> tuple[Piece, ...]:
    count = {"55": "10", "64": "10", "50": "5", "41": "5", "32": "5"}
    return tuple(
        card(f"{prefix}-{i}", c, f"bone {i + 1}", *(("dim",) if c in dim else ()), tag=count.get(c, ""))
        for i, c in enumerate(codes.split())
    )


def _pegs(seats_: tuple[SeatPanel, ...]) -> tuple[SeatPanel, ...]:

    return tuple(s._replace(badges=(Badge("marks", 3 if s.you else 2, "marks", 7),)) for s in seats_)


def reveille() -> Table:
    """Stage one, trick 4."""
    stages = Panel(
        "stages",
        "stages",
        "center",
        {
            "stages": [
                {"name": "Stage one", "state": "now", "pips": [True] * 3 + [False] * 4},
                {"name": "Auction", "state": "next"},
                {"name": "Stage two", "state": "next"},
            ]
        },
    )
    hand = _bones("hand", "66 54 55 61 41 32 20")
    return Table(
        "reveille",
        "Reveille",
        ("Hand 6", "trick 4 of 7"),
        0,
        "stage one",
        _pegs(seats("You", "Theo")),
        (
            Zone("theo", "row", "seat", tuple(card(f"t-{i}", "?") for i in range(6)), seat=1),
            Zone(
                "yard", "heap", "left", tuple(card(f"y-{i}", "?") for i in range(7)), "**7** face down in the boneyard"
            ),
            Zone(
                "up", "row", "right", (card("up", "64", "the bone to win", tag="10"),), note="Winner takes the **6·4**"
            ),
            Zone("burnt", "pile", "right", (card("burnt", "?", "burnt tricks"),), "**3** tricks burnt", count=3),
            Zone(
                "lead",
                "trick",
                "center",
                (card("lead", "42", "led"), card("reply", "_", "your reply")),
                "Theo leads **fours**",
            ),
            Zone("hand", "row", "hand", hand, "your bones"),
        ),
        Step(
            "Reply to the 4·2.",
            "Any bone will do in stage one.",
            tuple(
                Choice(
                    p.place,
                    then=Step(
                        "Reply to the 4·2.",
                        "Any bone will do in stage one. The 5·4 wins the trick and takes the 6·4.",
                        (
                            Choice(
                                "reply",
                                says="wins the 6·4",
                                button=f"Play {p.face[0]}·{p.face[1]}",
                                primary=True,
                                action=i,
                            ),
                        ),
                    ),
                )
                for i, p in enumerate(hand)
            ),
        ),
        panels=(stages,),
        scores_title="First to seven marks",
        scores=(ScoreRow(0, 3), ScoreRow(1, 2)),
        log=(
            Line("1", "**You** led 3·1, Theo 6·3. Theo took the 4·0."),
            Line("4", "**Theo** turned up the 6·4 and led 4·2."),
        ),
        layout=Layout("trick"),
    )


FALSE_CLAIM = ask_again(
    Choice("claim", button="Claim: 2 short", action=2),
    "Claim, and give Theo the mark?",
    "You have 23 of the 25 you bid: a false claim loses the hand.",
    "Claim anyway",
    "claim",
)


def reveille_two() -> Table:
    """Stage two: you must follow, the claim is two short."""
    stages = Panel(
        "stages",
        "stages",
        "center",
        {
            "stages": [
                {"name": "Stage one", "state": "done"},
                {"name": "Auction", "state": "done"},
                {"name": "Stage two", "state": "now", "pips": [True] * 4 + [False] * 3},
            ]
        },
    )
    contract = Panel(
        "contract",
        "contract",
        "center",
        {
            "title": "You bid 25, sixes are trumps",
            "note": "37 of 42 points can be won: the 4·1 is burnt.",
            "face": "half-6",
            "points": 23,
            "bid": 25,
            "offer": 37,
            "says": "you have 23",
        },
    )
    won = Panel("won-0", "won", "left", {"seat": 0, "title": "**You** won", "points": 23})
    theirs = Panel("won-1", "won", "right", {"seat": 1, "title": "**Theo** won", "points": 1})
    hand = _bones("hand", "61 50 32", dim=("61", "32"))
    return Table(
        "reveille",
        "Reveille",
        ("Hand 6", "stage two, trick 5 of 7"),
        0,
        "stage two",
        _pegs(seats("You", "Theo")),
        (
            Zone("theo", "row", "seat", tuple(card(f"t-{i}", "?") for i in range(2)), seat=1),
            Zone("w0", "pairs", "left", _bones("w0", "66 62 64 22 55 51"), group="won-0"),
            Zone("w1", "pairs", "right", _bones("w1", "52 20"), group="won-1"),
            Zone(
                "lead",
                "trick",
                "center",
                (card("lead", "53", "led"), card("reply", "_", "your reply")),
                "Theo leads **fives**",
            ),
            Zone("burnt", "pile", "right", (card("burnt", "?", "burnt tricks"),), "**7** tricks burnt", count=7),
            Zone("hand", "row", "hand", hand, "your bones"),
        ),
        Step(
            "Follow the 5·3: you must play your five.",
            "Only the 5·0 may be played.",
            (
                Choice(
                    "hand-1",
                    says="loses 6 points",
                    then=Step(
                        "Follow the 5·3: you must play your five.",
                        "Only the 5·0 may be played. Theo takes six points with it.",
                        (
                            FALSE_CLAIM,
                            Choice("reply", says="loses 6 points", button="Play 5·0", primary=True, action=1),
                        ),
                    ),
                ),
                FALSE_CLAIM,
            ),
            refusals=(
                ("hand-0", "You hold a five, so follow with a five."),
                ("hand-2", "You hold a five, so follow with a five."),
            ),
        ),
        panels=(stages, contract, won, theirs),
        scores_title="First to seven marks",
        scores=(ScoreRow(0, 3), ScoreRow(1, 2)),
        log=(Line("", "**You** bid 25, Theo passed. Sixes are trumps."), Line("5", "**Theo** led 5·3.")),
        layout=Layout("trick"),
    )


def reveille_auction() -> Table:
    """The auction."""
    stages = Panel(
        "stages",
        "stages",
        "center",
        {
            "stages": [
                {"name": "Stage one", "state": "done"},
                {"name": "Auction", "state": "now"},
                {"name": "Stage two", "state": "next"},
            ]
        },
    )
    ladder = Panel(
        "ladder",
        "ladder",
        "center",
        {
            "steps": [
                {"seat": 0, "text": "18"},
                {"seat": 1, "text": "21"},
                {"seat": 0, "text": "23"},
                {"seat": 1, "text": "24", "stands": True},
            ]
        },
    )
    return Table(
        "reveille",
        "Reveille",
        ("Hand 6", "auction"),
        0,
        "auction",
        _pegs(seats("You", "Theo")),
        (
            Zone("theo", "row", "seat", tuple(card(f"t-{i}", "?") for i in range(7)), seat=1),
            Zone("hand", "row", "hand", _bones("hand", "66 64 61 55 50 32 20"), "your bones"),
        ),
        Step(
            "Raise Theo’s 24, or let it stand?",
            "Points from stage two only. A bid of 42 ends the auction.",
            (
                Choice("pass", button="Pass", action=0),
                *(Choice(f"bid-{n}", button=f"Bid {n}", action=n, number=n) for n in range(25, 43)),
            ),
        ),
        panels=(stages, ladder),
        scores_title="First to seven marks",
        scores=(ScoreRow(0, 3), ScoreRow(1, 2)),
        layout=Layout("trick", moment="bidding"),
    )


# --- Uncovered! -----------------------------------------------------------------------------------------------------


def uncovered() -> Table:
    """Six seats, advanced, turn 8."""
    names = ("You", "Wren*", "Mara", "Theo", "Ilse", "Ravi")
    hands = ("1e 4e 4a 2a", "3a ? ? 2a", "3a 1a ? ?", "3a 1a 4a 2a", "? 1a 4a 4a", "? ? 4a 2a")

    def row(seat: int, text: str, area: str) -> Zone:
        pieces = []
        for i, word in enumerate(text.split()):
            marks = {"a": ("all-see",), "e": ("only-you",)}.get(word[1:], ())
            pieces.append(card(f"p{seat}-{i + 1}", word[0], f"place {i + 1}", *marks))
        return Zone(f"hand-{seat}", "row", area, tuple(pieces), f"hand of {names[seat].strip('*')}", seat)  # type: ignore[arg-type]

    targets = [f"p{s}-{i}" for s in range(1, 6) for i in range(1, 5)]
    return Table(
        "uncovered",
        "Uncovered!",
        ("Turn 8", "advanced", "six players"),
        0,
        "turn",
        seats(*names, lines=("", "next, turn 9", "turn 10", "turn 11", "turn 12", "turn 13")),
        (*(row(s, hands[s], "seat") for s in range(1, 6)), row(0, hands[0], "hand")),
        Step(
            "Swap which of your cards?",
            "Or uncover, when all hands are alike.",
            (
                *(
                    Choice(
                        f"p0-{i}",
                        then=Step(
                            f"Swap your {hands[0].split()[i - 1][0]} with which card?",
                            "The two cards change places face up: everyone sees both.",
                            (
                                *(Choice(t, action=j) for j, t in enumerate(targets)),
                                Choice("uncover", button="Uncover", sign="eye", action=99),
                            ),
                        ),
                    )
                    for i in range(1, 5)
                ),
                Choice("uncover", button="Uncover", sign="eye", action=99),
            ),
        ),
        panels=(
            Panel(
                "dial",
                "dial",
                "right",
                {
                    "turn": 8,
                    "says": "eight swaps",
                    "order": [0, 1, 2, 3, 4, 5],
                    "note": "Seats in turn order, counter-clockwise",
                },
            ),
            Panel("legend", "legend", "hand", {"items": [["all-see", "all see"], ["only-you", "only you"]]}),
        ),
        scores_title="All hands alike wins",
        log=(
            Line("1", "**Ravi** moved a 4 to Theo’s place 3 and a 2 to place 4."),
            Line("8", "**You** are to act."),
        ),
        layout=Layout("bands", columns=4),
    )


# --- SCOUT ----------------------------------------------------------------------------------------------------------


def _fan(prefix: str, faces: str, *, gaps: bool = False) -> tuple[Piece, ...]:
    pieces = []
    for i, face in enumerate(faces.split()):
        if gaps:
            pieces.append(Piece(f"gap-{i}", "gap", name="gap", where=f"before card {i + 1}"))
        pieces.append(card(f"{prefix}-{i}", face, f"card {i + 1}"))
    if gaps:
        pieces.append(Piece(f"gap-{len(faces.split())}", "gap", name="gap", where="at the end"))
    return tuple(pieces)


def _scout_seats(cards: Sequence[int]) -> tuple[SeatPanel, ...]:

    panels = seats("You", "Juniper*", "Sol", "Noor")[: len(cards)]
    return tuple(
        s._replace(
            badges=(
                Badge("cards", n, f"{n} cards"),
                Badge("won", 2 + i % 2, "won cards"),
                Badge("coin", 1, "1 coin"),
                Badge("pennant", 1, "Scout and Show", spent=i == 2),
            ),
        )
        for i, (s, n) in enumerate(zip(panels, cards, strict=True))
    )


SCOUT_HAND = "2/7 3/8 4/6 8/2 8/6 8/10 1/5 10/7 9/4"


def scout(*, long: bool = False) -> Table:
    """Your turn: show a slice or scout an end."""
    faces = "2/9 3/1 8/4 8/6 1/5 9/3 5/8 6/2 7/4 1/8 1/6 4/9 3/6 9/7 2/4" if long else SCOUT_HAND
    count = len(faces.split())
    hand = _fan("hand", faces, gaps=True)

    def show(a: int, b: int) -> Choice:
        words = " ".join(f.split("/")[0] for f in faces.split()[a : b + 1])
        return Choice("show", button=f"Show {words}", primary=True, action=a * 20 + b)

    def second(a: int) -> Step:
        return Step(
            "Show how many?",
            "Touch the other end, or show this one.",
            tuple(
                Choice(
                    f"hand-{b}",
                    then=Step(
                        "Show three 8s?" if not long else "Show 5 6 7?",
                        "Three of a kind beats a run of three. You take Noor’s three cards.",
                        (Choice("both", button="Scout and Show", action=900), show(min(a, b), max(a, b))),
                    ),
                )
                for b in range(count)
                if b != a and abs(a - b) < 4
            ),
        )

    def gap(t: int) -> Step:
        turned = Step(
            "Take the 2 here?",
            "Slide the gap to another place, or turn the card.",
            (Choice("scout", button="Scout, Noor gets a coin", primary=True, action=701),),
        )
        return Step(
            "Put it where?",
            "Touch a gap in your hand.",
            tuple(
                Choice(
                    f"gap-{g}",
                    then=Step(
                        "Take the 5 here? It makes 3 4 5.",
                        "Slide the gap to another place, or turn the card.",
                        (
                            Choice("turn", button="Turn to 2", face="2/5", then=turned),
                            Choice("scout", button="Scout, Noor gets a coin", primary=True, action=700),
                        ),
                    ),
                )
                for g in range(count + 1)
            ),
        )

    return Table(
        "scout",
        "SCOUT",
        ("Round 3 of 4",),
        0,
        "turn",
        _scout_seats((count, 9, 6, 7)),
        (
            *(
                Zone(f"fan-{s}", "fan", "seat", tuple(card(f"f{s}-{i}", "?") for i in range(n)), f"{n} cards", s)
                for s, n in ((1, 9), (2, 6), (3, 7))
            ),
            Zone(
                "set",
                "row",
                "center",
                (card("set-0", "5/2"), card("set-1", "6/9"), card("set-2", "7/3")),
                "**Noor’s** run: 5 6 7",
                note="Scout an end, or beat it from your hand.",
            ),
            Zone("hand", "fan", "hand", hand, "your hand"),
        ),
        Step(
            "Show cards, or scout an end?",
            "Touch two ends of a set in your hand, or a lit card on the table.",
            (
                *(Choice(f"hand-{i}", then=second(i)) for i in range(count)),
                Choice("set-0", then=gap(0)),
                Choice("set-2", then=gap(2)),
            ),
            picks="slice",
        ),
        scores_title="Before round 3 of 4",
        scores=(ScoreRow(0, 14), ScoreRow(3, 17), ScoreRow(2, 9), ScoreRow(1, 12)),
        log=(Line("12", "**Noor** showed a run, **5 6 7**."), Line("13", "**You** are to act.")),
        layout=Layout("fans"),
        turn=0,
    )


def scout_flip() -> Table:
    """The one flip of the whole hand."""
    up = "4/9 2/8 3/7 7/1 7/5 1/6 10/6 6/2 8/3 2/4 5/10"
    down = " ".join("/".join(reversed(f.split("/"))) for f in up.split())
    base = scout()
    return Table(
        "scout",
        "SCOUT",
        ("Round 1 of 4", "the flip"),
        0,
        "flip",
        tuple(
            s._replace(
                badges=(),
                state=("", "has chosen", "choosing", "has chosen")[s.seat],
                done="chosen" if s.seat in (1, 3) else "",
            )
            for s in base.seats
        ),
        (
            *(
                Zone(f"fan-{s}", "fan", "seat", tuple(card(f"f{s}-{i}", "?") for i in range(11)), "11 cards", s)
                for s in (1, 2, 3)
            ),
            Zone(
                "as-dealt",
                "fan",
                "hand",
                _fan("d", up),
                "As dealt",
                note="2 sets, longest 2",
                marks=("option",),
                spans=((1, 2, "run"), (3, 4, "pair")),
            ),
            Zone(
                "flipped",
                "fan",
                "hand",
                _fan("u", down),
                "Flipped",
                note="4 sets, longest 3",
                marks=("option",),
                spans=((0, 2, "run of 3"), (4, 5, "run"), (5, 6, "pair"), (7, 9, "run of 3")),
            ),
        ),
        Step(
            "Which way up will you play this hand?",
            "Flipping turns every card; the order stays. Only now. Nobody learns whether you flipped.",
            (
                Choice(
                    "as-dealt",
                    then=Step(
                        "Play it as dealt?", "", (Choice("keep", button="Play it as dealt", primary=True, action=0),)
                    ),
                ),
                Choice(
                    "flipped",
                    then=Step(
                        "Which way up will you play this hand?",
                        "Flipping turns every card; the order stays. Only now. Nobody learns whether you flipped.",
                        (Choice("flip", button="Play it flipped", primary=True, action=1),),
                    ),
                ),
            ),
        ),
        panels=(Panel("first", "note", "center", {"text": "**Noor** will play first"}),),
        scores_title="Before round 1",
        scores=tuple(ScoreRow(i, 0) for i in range(4)),
        layout=Layout("fans"),
    )


#: Every fixture by name, with the touches that lead to its picture.
GALLERY: dict[str, tuple[Table, tuple[str, ...]]] = {
    "detect": (detect(), ()),
    "detect-opening": (detect_opening(), ("you-a1", "you-c2")),
    "detect-eight": (detect_eight(yours=False), ()),
    "detect-eight-turn": (detect_eight(yours=True), ()),
    "detect-scoring": (detect_scoring(), ()),
    "detect-over": (detect_over(), ()),
    "reveal": (reveal(), ("hand-3", "slot-C", "hand-1")),
    "reveal-final": (reveal(final=True), ()),
    "reveal-scoring": (reveal_scoring(), ()),
    "reveille": (reveille(), ("hand-1",)),
    "reveille-two": (reveille_two(), ()),
    "reveille-auction": (reveille_auction(), ()),
    "uncovered": (uncovered(), ("p0-1",)),
    "scout": (scout(), ("hand-3", "hand-5")),
    "scout-gap": (scout(), ("set-0", "gap-3")),
    "scout-long": (scout(long=True), ("hand-6", "hand-8")),
    "scout-flip": (scout_flip(), ("flipped",)),
    **PLAIN,
}
