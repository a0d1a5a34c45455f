"""A view of Reveille as a table. Nothing here ever sees a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core.state import RUNNING, SPECTATOR
from facedown.core.table import (
    Area,
    Badge,
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
from facedown.games.reveille import INFO
from facedown.games.reveille import seen as look
from facedown.games.reveille.asking import hand_sentence, result, step
from facedown.games.reveille.bones import COUNTER, NELLO, POINTS, trick_points
from facedown.games.reveille.rules import (
    AUCTION,
    DECLARE,
    DRAW,
    GOAL,
    PLAY_ONE,
    PLAY_TWO,
    PLAYERS,
    SCORING,
    THROWN_IN,
    TRICKS,
    TURN_UP,
)
from facedown.games.reveille.speech import (
    MANY,
    aloud,
    contract_words,
    dotted,
    face,
    marks,
    members,
    points,
    suit_led,
    tag,
    those,
)
from facedown.games.reveille.telling import open_to, tell

__all__ = ["open_to", "table", "tell"]

PHASES = {
    TURN_UP: "turning up",
    PLAY_ONE: "stage one",
    DRAW: "drawing",
    AUCTION: "auction",
    DECLARE: "naming",
    PLAY_TWO: "stage two",
    SCORING: "scoring",
}


def table(view: Any, sitters: Sequence[Sitter]) -> Table:
    """What the viewer of `view` sees, without the log."""
    viewer = int(view.viewer)
    over = int(view.over) != RUNNING
    zones = [_other_hand(view, seat, sitters) for seat in range(PLAYERS) if seat != viewer]
    if _trays(view):
        zones += _won(view, sitters)
    zones += _middle(view, sitters)
    if viewer != SPECTATOR:
        zones.append(_own_hand(view))
    return Table(
        game=INFO.name,
        title=INFO.title,
        subtitle=_subtitle(view),
        viewer=viewer,
        phase=PHASES[int(view.phase)],
        seats=tuple(_seat(view, seat, sitters) for seat in range(PLAYERS)),
        zones=tuple(zones),
        step=step(view, sitters),
        panels=tuple(_panels(view, sitters)),
        scores_title="First to seven marks",
        scores=tuple(_score(view, seat) for seat in range(PLAYERS)),
        slips=_slips(view, sitters),
        over=over,
        result=result(view, sitters) if over else "",
    )


def _subtitle(view: Any) -> str:
    start = f"Hand {int(view.hand_number)}"
    phase = int(view.phase)
    if int(view.over) != RUNNING:
        return f"{start} · the match is over"
    if phase <= DRAW:
        # While bones are drawn the next trick has not begun.
        number = int(view.trick) + (1 if phase == PLAY_ONE else 0)
        return f"{start} · trick {number} of {TRICKS}" if number else f"{start} · the deal"
    if phase == PLAY_TWO:
        return f"{start} · stage two, trick {int(view.trick) + 1} of {TRICKS}"
    return f"{start} · {({AUCTION: 'auction', DECLARE: 'naming trumps', SCORING: 'the mark'})[phase]}"


def _seat(view: Any, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    scoring = int(view.phase) == SCORING
    acting = bool(int(view.acting) >> seat & 1)
    state = ""
    if scoring and int(view.over) == RUNNING:
        state = "looking at the bones" if acting else "ready for the next hand"
    won = int(view.marks[seat])
    return SeatPanel(
        seat=seat,
        name=name_of(sitters, seat, int(view.viewer)),
        you=seat == int(view.viewer),
        bot=sitters[seat].bot,
        acting=acting and not scoring,
        state=state,
        badges=(Badge("marks", won, f"{marks(won)} of {GOAL}", of=GOAL),),
    )


def _score(view: Any, seat: int) -> ScoreRow:
    over = int(view.over) != RUNNING
    winner = over and int(view.mark_to) == seat
    line = "deals" if seat == int(view.dealer) and not over else ""
    return ScoreRow(seat, str(int(view.marks[seat])), line, winner)


def _trays(view: Any) -> bool:
    """Are won tricks shown in trays? When a hand is over its slips show them."""
    return look.stage_two_begun(view) and int(view.phase) != SCORING


# --- bones ----------------------------------------------------------------------------------------------------------


def _bone(place: str, bone: int, where: str, *looks: str) -> Piece:
    return Piece(place, "face", face(bone), aloud(bone), where, looks, tag=tag(bone))


def _other_hand(view: Any, seat: int, sitters: Sequence[Sitter]) -> Zone:
    # With the memory aid the bones that all saw go into this hand stand first.
    open_bones = look.remembered(view, seat)
    pieces = []
    for i in range(int(view.hand_size[seat])):
        where = f"bone {i + 1} of {name_of(sitters, seat, int(view.viewer), middle=True)}"
        if i < len(open_bones):
            pieces.append(_bone(f"p{seat}-{i}", open_bones[i], where, "all-see"))
        else:
            pieces.append(Piece(f"p{seat}-{i}", "back", where=where))
    return Zone(
        f"bones-{seat}", "row", "seat", tuple(pieces), seat=seat, says=f"{whose(sitters, seat, int(view.viewer))} bones"
    )


def _own_hand(view: Any) -> Zone:
    viewer = int(view.viewer)
    bones = look.hand(view, viewer)
    pieces = tuple(_bone(f"hand-{i}", bone, f"bone {i + 1} of {len(bones)}") for i, bone in enumerate(bones))
    return Zone("hand", "row", "hand", pieces, label="Your bones", seat=viewer, says="Your bones")


def _middle(view: Any, sitters: Sequence[Sitter]) -> list[Zone]:
    zones: list[Zone] = []
    stage_one = int(view.phase) <= DRAW
    if stage_one:
        zones += [_boneyard(view), _prize(view)]
    if int(view.phase) != SCORING:
        zones += _trick(view, sitters)
    bidding = int(view.phase) in (AUCTION, DECLARE)
    if bidding and look.burnt_bones(view):
        zones += _burnt_and_offered(view)
    elif look.burnt_tricks(view):
        zones.append(_burnt(view, look.burnt_tricks(view), stage_one, "left" if bidding else "right"))
    return zones


def _boneyard(view: Any) -> Zone:
    left = int(view.yard_count)
    pieces = tuple(Piece(f"yard-{i}", "back", where=f"place {i + 1} of the boneyard") for i in range(left))
    label = f"**{left}** face down in the boneyard"
    return Zone("boneyard", "heap", "left", pieces, label=label, count=left, says="Boneyard")


def _prize(view: Any) -> Zone:
    bone = look.prize(view)
    if bone is None:
        empty = Piece("prize", "slot", name="empty", where="the bone to win")
        return Zone("to-win", "row", "right", (empty,), note="nothing turned up", says="The bone to win")
    piece = _bone("prize", bone, "the bone to win")
    return Zone("to-win", "row", "right", (piece,), note=f"Winner takes the **{dotted(bone)}**", says="The bone to win")


def _burnt_and_offered(view: Any) -> list[Zone]:
    """With the memory aid: the bones that are gone, highest first, and the counters that are not."""
    gone = sorted(look.burnt_bones(view), reverse=True)
    return [
        _laid_out("gone", "left", gone, "burnt"),
        _laid_out("offered", "right", look.counters_left(view), "still on offer"),
    ]


def _laid_out(name: str, side: Area, bones: Sequence[int], words: str) -> Zone:
    pieces = tuple(_bone(f"{name}-{i}", bone, words) for i, bone in enumerate(bones))
    return Zone(f"bones-{name}", "grid", side, pieces, group=name, says=f"Bones {words}")


def _gone(view: Any) -> list[Panel]:
    """With the memory aid: what stage one burnt, and what stage two can still bring."""
    if not look.burnt_bones(view):
        return []
    counters = [bone for bone in sorted(look.burnt_bones(view), reverse=True) if COUNTER[bone]]
    lost = f"Counters gone: {', '.join(map(dotted, counters))}." if counters else "No counter is gone."
    gone = {
        "title": "Burnt in stage one",
        "total": 2 * TRICKS,
        "note": f"{lost} Every other bone is in these two hands.",
    }
    offer = int(view.offer)
    note = f"Seven tricks at 1 each, and {offer - TRICKS} in counters."
    if offer < POINTS:
        note += f" Above {offer} only nello can be made."
    offered = {"title": "Still on offer", "total": offer, "note": note}
    return [Panel("gone", "tray", "left", gone), Panel("offered", "tray", "right", offered)]


def _burnt(view: Any, tricks: int, stage_one: bool, side: Area = "right") -> Zone:
    label = f"**{tricks}** {'trick' if tricks == 1 else 'tricks'} burnt{'' if stage_one else ' in stage one'}"
    recalled = look.burnt_bones(view)
    pairs = [f"{dotted(recalled[i])} {dotted(recalled[i + 1])}" for i in range(0, len(recalled), 2)]
    back = Piece("burnt", "back", where="burnt tricks")
    note = ", ".join(pairs)
    return Zone("burnt-tricks", "pile", side, (back,), label, count=2 * tricks, note=note, says="Burnt tricks")


def _trick(view: Any, sitters: Sequence[Sitter]) -> list[Zone]:
    if int(view.phase) not in (PLAY_ONE, PLAY_TWO):
        return []
    viewer, leader = int(view.viewer), int(view.leader)
    replier = 1 - leader
    led = look.lead(view)
    name = name_of(sitters, leader, viewer)
    lead_of = f"{whose(sitters, leader, viewer, middle=True)} lead"
    if led is None:
        slot = Piece("lead", "slot", name="empty", where=lead_of)
        number = int(view.trick) + 1
        note = f"trick {number}, worth 1 and its counters" if int(view.phase) == PLAY_TWO else f"trick {number}"
        return [Zone("trick", "trick", "center", (slot,), note=note, says="The trick")]
    suit = suit_led(int(view.contract), led)
    reply = f"{whose(sitters, replier, viewer, middle=True)} reply"
    pieces = (
        _bone("lead", led, lead_of, "lying"),
        Piece("reply", "slot", name="empty", where=reply, marks=("lying",)),
    )
    label = f"{name} {verb(sitters, leader, viewer, 'lead', 'leads')} **{suit}**"
    return [Zone("trick", "trick", "center", pieces, label=label, note=reply, says="The trick")]


def _won(view: Any, sitters: Sequence[Sitter]) -> list[Zone]:
    zones = []
    for seat, area in zip(look.order_of_seats(view), ("left", "right"), strict=True):
        pieces = []
        for number, led, reply in look.won_tricks(view, seat):
            pieces.append(_bone(f"won-{number}-lead", led, f"trick {number}, the lead", "lying"))
            pieces.append(_bone(f"won-{number}-reply", reply, f"trick {number}, the reply", "lying"))
        says = f"Tricks won by {name_of(sitters, seat, int(view.viewer), middle=True)}"
        zone = Zone(f"tricks-{seat}", "pairs", area, tuple(pieces), seat=seat, group=f"won-{seat}", says=says)  # type: ignore[arg-type]
        zones.append(zone)
    return zones


# --- panels -----------------------------------------------------------------------------------------------------------


def _panels(view: Any, sitters: Sequence[Sitter]) -> list[Panel]:
    panels = [_stages(view)]
    phase = int(view.phase)
    thrown_in = phase == SCORING and int(view.ended) == THROWN_IN
    if phase in (AUCTION, DECLARE) or thrown_in:
        panels.append(_ladder(view, stands=not thrown_in))
    if look.stage_two_begun(view):
        panels.append(_contract(view, sitters))
    if phase in (AUCTION, DECLARE):
        panels += _gone(view)
    if _trays(view):
        panels += [
            _won_panel(view, seat, side, sitters) for seat, side in zip(look.order_of_seats(view), "lr", strict=True)
        ]
    return panels


def _stages(view: Any) -> Panel:
    phase = int(view.phase)
    thrown_in = phase == SCORING and int(view.ended) == THROWN_IN
    now = 0 if phase <= DRAW else 1 if phase in (AUCTION, DECLARE) or thrown_in else 2
    stages: list[dict[str, Any]] = []
    for i, name in enumerate(("Stage one", "Auction", "Stage two")):
        state = "done" if i < now or (phase == SCORING and i == now) else "now" if i == now else "next"
        stage: dict[str, Any] = {"name": name, "state": state}
        if state == "now" and i != 1:
            stage["pips"] = [trick < int(view.trick) for trick in range(TRICKS)]
        stages.append(stage)
    return Panel("stages", "stages", "center", {"stages": stages})


def _ladder(view: Any, stands: bool) -> Panel:
    steps = []
    for i in range(int(view.call_count)):
        bid = int(view.calls[i])
        seat = (int(view.opener) + i) % PLAYERS
        rung: dict[str, Any] = {"seat": seat, "text": str(bid) if bid else "pass"}
        if stands and bid and bid == int(view.high):
            rung["stands"] = True
        steps.append(rung)
    return Panel("auction", "ladder", "center", {"steps": steps, "at": len(steps) - 1})


def _contract(view: Any, sitters: Sequence[Sitter]) -> Panel:
    viewer, declarer, contract = int(view.viewer), int(view.declarer), int(view.contract)
    bid, won = int(view.high), int(view.points[declarer])
    name = name_of(sitters, declarer, viewer)
    data: dict[str, Any] = {"title": f"{name} bid {bid}, {contract_words(contract)}", "points": won, "bid": bid}
    if contract == NELLO:
        data["note"] = (
            f"{name} {verb(sitters, declarer, viewer, 'have', 'has')} to lose every trick. Doubles are a suit."
        )
        return Panel("contract", "contract", "center", data)
    data["face"] = str(contract)
    data["says"] = (
        f"{name_of(sitters, declarer, viewer, middle=True)} {verb(sitters, declarer, viewer, 'have', 'has')} {won}"
    )
    data["offer"] = int(view.offer)
    data["note"] = _on_offer(view)
    return Panel("contract", "contract", "center", data)


def _on_offer(view: Any) -> str:
    burnt = members(int(view.burnt))
    if not burnt:
        return "All 42 points are on offer: no counter is burnt."
    the = "the " if len(burnt) == 1 else ""
    said = (
        f"{int(view.offer)} of 42 points are on offer: {the}{those(burnt)} {'is' if len(burnt) == 1 else 'are'} burnt."
    )
    return f"{said} All seven tricks are needed." if look.needs_tricks(view) else said


def _won_panel(view: Any, seat: int, side: str, sitters: Sequence[Sitter]) -> Panel:
    title = f"**{name_of(sitters, seat, int(view.viewer))}** won"
    data = {"seat": seat, "title": title, "points": int(view.points[seat])}
    return Panel(f"won-{seat}", "won", "left" if side == "l" else "right", data)


# --- scoring ----------------------------------------------------------------------------------------------------------


def _slips(view: Any, sitters: Sequence[Sitter]) -> tuple[Slip, ...]:
    if int(view.phase) != SCORING or not look.stage_two_begun(view):
        return ()
    return tuple(_slip(view, seat, sitters) for seat in look.order_of_seats(view))


def _slip(view: Any, seat: int, sitters: Sequence[Sitter]) -> Slip:
    declarer, contract = int(view.declarer), int(view.contract)
    rows = []
    for number, led, reply in look.won_tricks(view, seat):
        pieces = (
            _bone(f"slip-{seat}-{number}-lead", led, "the lead", "lying"),
            _bone(f"slip-{seat}-{number}-reply", reply, "the reply", "lying"),
        )
        rows.append(SlipRow(f"Trick {number}", pieces, str(int(trick_points(led, reply)))))
    bid = f"bid {int(view.high)}, {'nello' if contract == NELLO else MANY[contract]}"
    mark = "+1 mark" if seat == int(view.mark_to) else "no mark"
    total = int(view.points[seat])
    said = hand_sentence(view, sitters) if seat == declarer else f"**{points(total)}.**"
    return Slip(seat, f"{bid if seat == declarer else 'against the bid'} · {mark}", str(total), tuple(rows), said)
