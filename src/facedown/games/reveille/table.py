"""A view of Reveille as a table. Nothing here ever sees a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from facedown.core.state import RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import (
    Area,
    Badge,
    Layout,
    Panel,
    Piece,
    ScoreRow,
    SeatPanel,
    Sitter,
    Slip,
    SlipRow,
    Table,
    Zone,
)
from facedown.core.voice import name_of, verb, whose
from facedown.games.reveille.cards import COUNTER, NELLO, POINTS, TRICK_POINTS, bone_name, members
from facedown.games.reveille.info import INFO
from facedown.games.reveille.log import hand_sentence, result_of
from facedown.games.reveille.prompts import step_of
from facedown.games.reveille.rules import (
    AUCTION,
    DECLARE,
    DRAW,
    GOAL,
    PLAY_ONE,
    PLAY_TWO,
    PLAYERS,
    RULES,
    SCORING,
    THROWN_IN,
    TRICKS,
    TURN_UP,
    ReveillePosition,
)
from facedown.games.reveille.view import (
    burnt_bones,
    burnt_tricks,
    counters_left,
    hand,
    lead,
    needs_tricks,
    order_of_seats,
    prize,
    remembered,
    stage_two_begun,
    won_tricks,
)
from facedown.games.reveille.words import (
    MANY,
    aloud,
    contract_words,
    dotted,
    marks,
    points,
    suit_led,
    tag,
    those,
)

PHASES = {
    TURN_UP: "turning up",
    PLAY_ONE: "stage one",
    DRAW: "drawing",
    AUCTION: "auction",
    DECLARE: "naming",
    PLAY_TWO: "stage two",
    SCORING: "scoring",
}
#: Where the tricks lie that the viewer has won, and those of the other.
SIDES: tuple[Area, Area] = ("left", "right")
MOMENTS: dict[int, Literal["bidding", "naming"]] = {AUCTION: "bidding", DECLARE: "naming"}


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """What the viewer sees, without the log."""
    v = plain_view(view, ReveillePosition)
    viewer = v.viewer
    over = v.over != RUNNING
    zones = [_other_hand(v, seat, sitters) for seat in range(PLAYERS) if seat != viewer]
    if _trays(v):
        zones += _won(v, sitters)
    zones += _middle(v, sitters)
    if viewer != SPECTATOR:
        zones.append(_own_hand(v))
    return Table(
        game=INFO.name,
        title=INFO.title,
        where=_where(v),
        viewer=viewer,
        phase=PHASES[v.phase],
        seats=tuple(_seat(v, seat, sitters) for seat in range(PLAYERS)),
        zones=tuple(zones),
        step=step_of(v, RULES.legal_actions(view, viewer), sitters),
        panels=tuple(_panels(v, sitters)),
        scores_title="First to seven marks",
        scores=tuple(_score(v, seat) for seat in range(PLAYERS)),
        slips=_slips(v, sitters),
        over=over,
        result=result_of(v, sitters) if over else "",
        layout=Layout("trick", moment=MOMENTS.get(v.phase, "")),
        round=v.hand_number,
        winners=tuple(seat for seat in range(PLAYERS) if _won_match(v, seat)),
    )


def _where(v: ReveillePosition) -> tuple[str, ...]:
    start = f"Hand {v.hand_number}"
    phase = v.phase
    if v.over != RUNNING:
        return start, "the match is over"
    if phase <= DRAW:
        # While bones are drawn the next trick has not begun.
        number = v.trick + (1 if phase == PLAY_ONE else 0)
        return start, f"trick {number} of {TRICKS}" if number else "the deal"
    if phase == PLAY_TWO:
        return start, f"stage two, trick {v.trick + 1} of {TRICKS}"
    return start, {AUCTION: "auction", DECLARE: "naming trumps", SCORING: "the mark"}[phase]


def _won_match(v: ReveillePosition, seat: int) -> bool:
    return v.over != RUNNING and v.mark_to == seat


def _seat(v: ReveillePosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    scoring = v.phase == SCORING
    acting = v.acting >> seat & 1 == 1
    ready = scoring and v.over == RUNNING and not acting
    state = ""
    if scoring and v.over == RUNNING:
        state = "looking at the bones" if acting else "ready for the next hand"
    won = v.marks[seat]
    return SeatPanel(
        seat=seat,
        name=name_of(sitters, seat, v.viewer),
        you=seat == v.viewer,
        bot=sitters[seat].bot,
        acting=acting and not scoring,
        state=state,
        badges=(Badge("marks", won, f"{marks(won)} of {GOAL}", of=GOAL),),
        done="ready" if ready else "",
    )


def _score(v: ReveillePosition, seat: int) -> ScoreRow:
    line = "deals" if seat == v.dealer and v.over == RUNNING else ""
    return ScoreRow(seat, v.marks[seat], line, _won_match(v, seat))


def _trays(v: ReveillePosition) -> bool:
    """Are won tricks shown in trays? When a hand is over its slips show them."""
    return stage_two_begun(v) and v.phase != SCORING


# --- bones ----------------------------------------------------------------------------------------------------------


def _bone(place: str, bone: int, where: str, *looks: str) -> Piece:
    return Piece(place, "face", bone_name(bone), aloud(bone), where, looks, tag=tag(bone), tag_said=True)


def _other_hand(v: ReveillePosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    # With the memory aid the bones that all saw go into this hand stand first.
    open_bones = remembered(v, seat)
    pieces = []
    for i in range(v.hand_size[seat]):
        where = f"bone {i + 1} of {name_of(sitters, seat, v.viewer, middle=True)}"
        if i < len(open_bones):
            pieces.append(_bone(f"p{seat}-{i}", open_bones[i], where, "all-see"))
        else:
            pieces.append(Piece(f"p{seat}-{i}", "back", where=where))
    return Zone(
        f"bones-{seat}", "row", "seat", tuple(pieces), seat=seat, says=f"{whose(sitters, seat, v.viewer)} bones"
    )


def _own_hand(v: ReveillePosition) -> Zone:
    viewer = v.viewer
    bones = hand(v, viewer)
    pieces = tuple(_bone(f"hand-{i}", bone, f"bone {i + 1} of {len(bones)}") for i, bone in enumerate(bones))
    return Zone("hand", "row", "hand", pieces, label="Your bones", seat=viewer, says="Your bones")


def _middle(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Zone]:
    zones: list[Zone] = []
    stage_one = v.phase <= DRAW
    if stage_one:
        zones += [_boneyard(v), _prize(v)]
    if v.phase != SCORING:
        zones += _trick(v, sitters)
    bidding = v.phase in (AUCTION, DECLARE)
    if bidding and burnt_bones(v):
        zones += _burnt_and_offered(v)
    elif burnt_tricks(v):
        zones.append(_burnt(v, burnt_tricks(v), stage_one, "left" if bidding else "right"))
    return zones


def _boneyard(v: ReveillePosition) -> Zone:
    left = v.yard_count
    pieces = tuple(Piece(f"yard-{i}", "back", where=f"place {i + 1} of the boneyard") for i in range(left))
    label = f"**{left}** face down in the boneyard"
    return Zone("boneyard", "heap", "left", pieces, label=label, count=left, says="Boneyard")


def _prize(v: ReveillePosition) -> Zone:
    bone = prize(v)
    if bone is None:
        empty = Piece("prize", "slot", name="empty", where="the bone to win")
        return Zone("to-win", "row", "right", (empty,), note="nothing turned up", says="The bone to win")
    piece = _bone("prize", bone, "the bone to win")
    return Zone("to-win", "row", "right", (piece,), note=f"Winner takes the **{dotted(bone)}**", says="The bone to win")


def _burnt_and_offered(v: ReveillePosition) -> list[Zone]:
    """With the memory aid: the bones that are gone, highest first, and the counters that are not."""
    gone = sorted(burnt_bones(v), reverse=True)
    return [
        _laid_out("gone", "left", gone, "burnt"),
        _laid_out("offered", "right", counters_left(v), "still on offer"),
    ]


def _laid_out(name: str, side: Area, bones: Sequence[int], words: str) -> Zone:
    pieces = tuple(_bone(f"{name}-{i}", bone, words) for i, bone in enumerate(bones))
    return Zone(f"bones-{name}", "grid", side, pieces, group=name, says=f"Bones {words}")


def _gone(v: ReveillePosition) -> list[Panel]:
    """With the memory aid: what stage one burnt, and what stage two can still bring."""
    if not burnt_bones(v):
        return []
    counters = [bone for bone in sorted(burnt_bones(v), reverse=True) if COUNTER[bone]]
    lost = f"Counters gone: {', '.join(map(dotted, counters))}." if counters else "No counter is gone."
    gone = {
        "title": "Burnt in stage one",
        "total": 2 * TRICKS,
        "note": f"{lost} Every other bone is in these two hands.",
    }
    offer = v.offer
    note = f"Seven tricks at 1 each, and {offer - TRICKS} in counters."
    if offer < POINTS:
        note += f" Above {offer} only nello can be made."
    offered = {"title": "Still on offer", "total": offer, "note": note}
    return [Panel("gone", "tray", "left", gone), Panel("offered", "tray", "right", offered)]


def _burnt(v: ReveillePosition, tricks: int, stage_one: bool, side: Area = "right") -> Zone:
    label = f"**{tricks}** {'trick' if tricks == 1 else 'tricks'} burnt{'' if stage_one else ' in stage one'}"
    recalled = burnt_bones(v)
    pairs = [f"{dotted(recalled[i])} {dotted(recalled[i + 1])}" for i in range(0, len(recalled), 2)]
    back = Piece("burnt", "back", where="burnt tricks")
    note = ", ".join(pairs)
    return Zone("burnt-tricks", "pile", side, (back,), label, count=2 * tricks, note=note, says="Burnt tricks")


def _trick(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Zone]:
    if v.phase not in (PLAY_ONE, PLAY_TWO):
        return []
    viewer, leader = v.viewer, v.leader
    replier = 1 - leader
    led = lead(v)
    name = name_of(sitters, leader, viewer)
    lead_of = f"{whose(sitters, leader, viewer, middle=True)} lead"
    if led is None:
        slot = Piece("lead", "slot", name="empty", where=lead_of)
        number = v.trick + 1
        note = f"trick {number}, worth 1 and its counters" if v.phase == PLAY_TWO else f"trick {number}"
        return [Zone("trick", "trick", "center", (slot,), note=note, says="The trick")]
    suit = suit_led(v.contract, led)
    reply = f"{whose(sitters, replier, viewer, middle=True)} reply"
    pieces = (
        _bone("lead", led, lead_of, "lying"),
        Piece("reply", "slot", name="empty", where=reply, marks=("lying",)),
    )
    label = f"{name} {verb(sitters, leader, viewer, 'lead', 'leads')} **{suit}**"
    return [Zone("trick", "trick", "center", pieces, label=label, note=reply, says="The trick")]


def _won(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Zone]:
    zones = []
    for seat, area in zip(order_of_seats(v), SIDES, strict=True):
        pieces = []
        for number, led, reply in won_tricks(v, seat):
            pieces.append(_bone(f"won-{number}-lead", led, f"trick {number}, the lead", "lying"))
            pieces.append(_bone(f"won-{number}-reply", reply, f"trick {number}, the reply", "lying"))
        says = f"Tricks won by {name_of(sitters, seat, v.viewer, middle=True)}"
        zone = Zone(f"tricks-{seat}", "pairs", area, tuple(pieces), seat=seat, group=f"won-{seat}", says=says)
        zones.append(zone)
    return zones


# --- panels -----------------------------------------------------------------------------------------------------------


def _panels(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Panel]:
    panels = [_stages(v)]
    phase = v.phase
    thrown_in = phase == SCORING and v.ended == THROWN_IN
    if phase in (AUCTION, DECLARE) or thrown_in:
        panels.append(_ladder(v, stands=not thrown_in))
    if stage_two_begun(v):
        panels.append(_contract(v, sitters))
    if phase in (AUCTION, DECLARE):
        panels += _gone(v)
    if _trays(v):
        panels += [_won_panel(v, seat, side, sitters) for seat, side in zip(order_of_seats(v), SIDES, strict=True)]
    return panels


def _stages(v: ReveillePosition) -> Panel:
    phase = v.phase
    thrown_in = phase == SCORING and v.ended == THROWN_IN
    now = 0 if phase <= DRAW else 1 if phase in (AUCTION, DECLARE) or thrown_in else 2
    stages: list[dict[str, Any]] = []
    for i, name in enumerate(("Stage one", "Auction", "Stage two")):
        state = "done" if i < now or (phase == SCORING and i == now) else "now" if i == now else "next"
        stage: dict[str, Any] = {"name": name, "state": state}
        if state == "now" and i != 1:
            stage["pips"] = [trick < v.trick for trick in range(TRICKS)]
        stages.append(stage)
    return Panel("stages", "stages", "center", {"stages": stages})


def _ladder(v: ReveillePosition, stands: bool) -> Panel:
    steps = []
    for i in range(v.call_count):
        bid = v.calls[i]
        seat = (v.opener + i) % PLAYERS
        rung: dict[str, Any] = {"seat": seat, "text": str(bid) if bid else "pass"}
        if stands and bid and bid == v.high:
            rung["stands"] = True
        steps.append(rung)
    return Panel("auction", "ladder", "center", {"steps": steps, "at": len(steps) - 1})


def _contract(v: ReveillePosition, sitters: Sequence[Sitter]) -> Panel:
    viewer, declarer, contract = v.viewer, v.declarer, v.contract
    bid, won = v.high, v.points[declarer]
    name = name_of(sitters, declarer, viewer)
    data: dict[str, Any] = {"title": f"{name} bid {bid}, {contract_words(contract)}", "points": won, "bid": bid}
    if contract == NELLO:
        data["note"] = (
            f"{name} {verb(sitters, declarer, viewer, 'have', 'has')} to lose every trick. Doubles are a suit."
        )
        return Panel("contract", "contract", "center", data)
    data["face"] = f"half-{contract}"
    data["says"] = (
        f"{name_of(sitters, declarer, viewer, middle=True)} {verb(sitters, declarer, viewer, 'have', 'has')} {won}"
    )
    data["offer"] = v.offer
    data["note"] = _on_offer(v)
    return Panel("contract", "contract", "center", data)


def _on_offer(v: ReveillePosition) -> str:
    burnt = members(v.burnt)
    if not burnt:
        return "All 42 points are on offer: no counter is burnt."
    the = "the " if len(burnt) == 1 else ""
    said = f"{v.offer} of 42 points are on offer: {the}{those(burnt)} {'is' if len(burnt) == 1 else 'are'} burnt."
    return f"{said} All seven tricks are needed." if needs_tricks(v) else said


def _won_panel(v: ReveillePosition, seat: int, side: Area, sitters: Sequence[Sitter]) -> Panel:
    title = f"**{name_of(sitters, seat, v.viewer)}** won"
    data = {"seat": seat, "title": title, "points": v.points[seat]}
    return Panel(f"won-{seat}", "won", side, data)


# --- scoring ----------------------------------------------------------------------------------------------------------


def _slips(v: ReveillePosition, sitters: Sequence[Sitter]) -> tuple[Slip, ...]:
    if v.phase != SCORING or not stage_two_begun(v):
        return ()
    return tuple(_slip(v, seat, sitters) for seat in order_of_seats(v))


def _slip(v: ReveillePosition, seat: int, sitters: Sequence[Sitter]) -> Slip:
    declarer, contract = v.declarer, v.contract
    rows = []
    for number, led, reply in won_tricks(v, seat):
        pieces = (
            _bone(f"slip-{seat}-{number}-lead", led, "the lead", "lying"),
            _bone(f"slip-{seat}-{number}-reply", reply, "the reply", "lying"),
        )
        rows.append(SlipRow(f"Trick {number}", pieces, str(TRICK_POINTS + COUNTER[led] + COUNTER[reply])))
    bid = f"bid {v.high}, {'nello' if contract == NELLO else MANY[contract]}"
    mark = "+1 mark" if seat == v.mark_to else "no mark"
    total = v.points[seat]
    said = hand_sentence(v, sitters) if seat == declarer else f"**{points(total)}.**"
    return Slip(seat, f"{bid if seat == declarer else 'against the bid'} · {mark}", str(total), tuple(rows), said)
