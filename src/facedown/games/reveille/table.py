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
from facedown.core.usual import resting, seat_panel
from facedown.core.voice import has, name_of, verb, whose
from facedown.games.reveille.cards import COUNTER, NELLO, POINTS, TRICK_POINTS, bone_name, members
from facedown.games.reveille.info import INFO
from facedown.games.reveille.log import hand_sentence, result_of
from facedown.games.reveille.prompts import need, step_of
from facedown.games.reveille.rules import GOAL, NO_SEAT, PLAYERS, RULES, TRICKS, Phase, ReveillePosition
from facedown.games.reveille.texts import _
from facedown.games.reveille.view import (
    burnt_bones,
    burnt_tricks,
    counters_left,
    hand,
    lead,
    needs_tricks,
    order_of_seats,
    prize,
    stage,
    won_tricks,
)
from facedown.games.reveille.words import MANY, aloud, dotted, marks, points, suit_led, tag, those

#: Where the tricks lie that the viewer has won, and those of the other.
SIDES: tuple[Area, Area] = ("left", "right")
MOMENTS: dict[int, Literal["bidding", "naming"]] = {Phase.AUCTION: "bidding", Phase.NAMING: "naming"}


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """What the viewer sees, without the log."""
    v = plain_view(view, ReveillePosition)
    viewer, over = v.viewer, v.over != RUNNING
    zones = [_other_hand(v, seat, sitters) for seat in range(PLAYERS) if seat != viewer]
    # When a hand is over its slips show the tricks that were won.
    zones += _won(v, sitters) if v.phase == Phase.STAGE_TWO else []
    zones += _middle(v, sitters)
    zones += [_own_hand(v)] if viewer != SPECTATOR else []
    winners = (v.mark_to,) if over and v.mark_to != NO_SEAT else ()
    deals = "" if over else "deals"
    return Table(
        game=INFO.name,
        title=INFO.title,
        where=(f"Hand {v.hand_number}", "the match is over" if over else _moment(v)),
        viewer=viewer,
        phase=Phase(v.phase).name.lower().replace("_", " "),
        seats=tuple(_seat(v, seat, sitters) for seat in range(PLAYERS)),
        zones=tuple(zones),
        step=step_of(v, RULES.legal_actions(view, viewer), sitters),
        panels=tuple(_panels(v, sitters)),
        scores_title="First to seven marks",
        scores=tuple(
            ScoreRow(seat, v.marks[seat], deals if seat == v.dealer else "", seat in winners) for seat in range(PLAYERS)
        ),
        slips=_slips(v, sitters),
        over=over,
        result=result_of(v, sitters) if over else "",
        layout=Layout("trick", moment=MOMENTS.get(v.phase, "")),
        round=v.hand_number,
        winners=winners,
    )


def _moment(v: ReveillePosition) -> str:
    if v.phase <= Phase.DRAWING:
        # While bones are drawn the next trick has not begun.
        number = v.trick + (v.phase == Phase.STAGE_ONE)
        return f"trick {number} of {TRICKS}" if number else "the deal"
    if v.phase == Phase.STAGE_TWO:
        return f"stage two, trick {v.trick + 1} of {TRICKS}"
    return {Phase.AUCTION: "auction", Phase.NAMING: "naming trumps"}.get(Phase(v.phase), "the mark")


def _seat(v: ReveillePosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    between = v.phase == Phase.SCORING
    state = resting(v, seat, _("ready for the next hand"), _("looking at the bones")) if between else ""
    won = v.marks[seat]
    badges = (Badge("marks", won, f"{marks(won)} of {GOAL}", of=GOAL),)
    return seat_panel(v, seat, sitters, between, state=state, badges=badges)


# --- bones ----------------------------------------------------------------------------------------------------------


def _bone(place: str, bone: int, where: str, *looks: str) -> Piece:
    return Piece(place, "face", bone_name(bone), aloud(bone), where, looks, tag=tag(bone), tag_said=True)


def _pair(place: str, where: str, led: int, reply: int) -> tuple[Piece, Piece]:
    """A trick that was won: what was led and the reply."""
    return (
        _bone(f"{place}-lead", led, f"{where}the lead", "lying"),
        _bone(f"{place}-reply", reply, f"{where}the reply", "lying"),
    )


def _other_hand(v: ReveillePosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    owner = name_of(sitters, seat, v.viewer, middle=True)
    size = v.hand_size[seat]
    # With the memory aid the bones that all saw go into this hand stand first.
    known = enumerate(members(v.taken[seat]))
    pieces = [_bone(f"p{seat}-{i}", bone, f"bone {i + 1} of {owner}", "all-see") for i, bone in known]
    pieces += [Piece(f"p{seat}-{i}", "back", where=f"bone {i + 1} of {owner}") for i in range(len(pieces), size)]
    says = f"{whose(sitters, seat, v.viewer)} bones"
    return Zone(f"bones-{seat}", "row", "seat", tuple(pieces), seat=seat, says=says)


def _own_hand(v: ReveillePosition) -> Zone:
    bones = hand(v, v.viewer)
    pieces = tuple(_bone(f"hand-{i}", bone, f"bone {i + 1} of {len(bones)}") for i, bone in enumerate(bones))
    return Zone("hand", "row", "hand", pieces, label="Your bones", seat=v.viewer, says="Your bones")


def _middle(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Zone]:
    zones = [_boneyard(v), _prize(v)] if stage(v) == 0 else []
    zones += _trick(v, sitters)
    bidding = v.phase in (Phase.AUCTION, Phase.NAMING)
    if bidding and burnt_bones(v):
        # With the memory aid: the bones that are gone, highest first, and the counters that are not.
        zones.append(_laid_out("gone", "left", sorted(burnt_bones(v), reverse=True), "burnt"))
        zones.append(_laid_out("offered", "right", counters_left(v), "still on offer"))
    elif burnt_tricks(v):
        zones.append(_burnt(v, "left" if bidding else "right"))
    return zones


def _boneyard(v: ReveillePosition) -> Zone:
    left = v.yard_count
    pieces = tuple(Piece(f"yard-{i}", "back", where=f"place {i + 1} of the boneyard") for i in range(left))
    label = f"**{left}** face down in the boneyard"
    return Zone("boneyard", "heap", "left", pieces, label=label, count=left, says="Boneyard")


def _prize(v: ReveillePosition) -> Zone:
    bone = prize(v)
    piece, note = Piece("prize", "slot", name="empty", where="the bone to win"), "nothing turned up"
    if bone is not None:
        piece, note = _bone("prize", bone, "the bone to win"), f"Winner takes the **{dotted(bone)}**"
    return Zone("to-win", "row", "right", (piece,), note=note, says="The bone to win")


def _laid_out(name: str, side: Area, bones: Sequence[int], words: str) -> Zone:
    pieces = tuple(_bone(f"{name}-{i}", bone, words) for i, bone in enumerate(bones))
    return Zone(f"bones-{name}", "grid", side, pieces, group=name, says=f"Bones {words}")


def _burnt(v: ReveillePosition, side: Area) -> Zone:
    tricks, bones = burnt_tricks(v), burnt_bones(v)
    label = f"**{tricks}** {'trick' if tricks == 1 else 'tricks'} burnt{' in stage one' if stage(v) else ''}"
    note = ", ".join(f"{dotted(led)} {dotted(reply)}" for led, reply in zip(bones[::2], bones[1::2], strict=True))
    back = Piece("burnt", "back", where="burnt tricks")
    return Zone("burnt-tricks", "pile", side, (back,), label, count=2 * tricks, note=note, says="Burnt tricks")


def _trick(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Zone]:
    if v.phase not in (Phase.STAGE_ONE, Phase.STAGE_TWO):
        return []
    viewer, leader = v.viewer, v.leader
    led = lead(v)
    lead_of = f"{whose(sitters, leader, viewer, middle=True)} lead"
    if led is None:
        slot = Piece("lead", "slot", name="empty", where=lead_of)
        note = f"trick {v.trick + 1}{', worth 1 and its counters' if v.phase == Phase.STAGE_TWO else ''}"
        return [Zone("trick", "trick", "center", (slot,), note=note, says="The trick")]
    reply = f"{whose(sitters, 1 - leader, viewer, middle=True)} reply"
    pieces = (_bone("lead", led, lead_of, "lying"), Piece("reply", "slot", name="empty", where=reply, marks=("lying",)))
    leads = f"{name_of(sitters, leader, viewer)} {verb(sitters, leader, viewer, 'lead', 'leads')}"
    label = f"{leads} **{suit_led(v.contract, led)}**"
    return [Zone("trick", "trick", "center", pieces, label=label, note=reply, says="The trick")]


def _won(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Zone]:
    zones = []
    for seat, area in zip(order_of_seats(v), SIDES, strict=True):
        tricks = won_tricks(v, seat)
        pieces = tuple(piece for n, *bones in tricks for piece in _pair(f"won-{n}", f"trick {n}, ", *bones))
        says = f"Tricks won by {name_of(sitters, seat, v.viewer, middle=True)}"
        zones.append(Zone(f"tricks-{seat}", "pairs", area, pieces, seat=seat, group=f"won-{seat}", says=says))
    return zones


# --- panels -----------------------------------------------------------------------------------------------------------


def _panels(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Panel]:
    panels = [_stages(v)]
    if stage(v) == 1:
        panels.append(_ladder(v))
    if stage(v) == 2:
        panels.append(_contract(v, sitters))
    if v.phase in (Phase.AUCTION, Phase.NAMING):
        panels += _gone(v)
    if v.phase == Phase.STAGE_TWO:
        for seat, side in zip(order_of_seats(v), SIDES, strict=True):
            title = f"**{name_of(sitters, seat, v.viewer)}** won"
            panels.append(Panel(f"won-{seat}", "won", side, {"seat": seat, "title": title, "points": v.points[seat]}))
    return panels


def _stages(v: ReveillePosition) -> Panel:
    now = stage(v) + (v.phase == Phase.SCORING) / 2
    stages: list[dict[str, Any]] = []
    for i, name in enumerate(("Stage one", "Auction", "Stage two")):
        stages.append({"name": name, "state": "done" if i < now else "now" if i == now else "next"})
        if i == now and i != 1:
            stages[i]["pips"] = [trick < v.trick for trick in range(TRICKS)]
    return Panel("stages", "stages", "center", {"stages": stages})


def _gone(v: ReveillePosition) -> list[Panel]:
    """With the memory aid: what stage one burnt, and what stage two can still bring."""
    if not burnt_bones(v):
        return []
    counters = [dotted(bone) for bone in sorted(burnt_bones(v), reverse=True) if COUNTER[bone]]
    lost = f"Counters gone: {', '.join(counters)}." if counters else "No counter is gone."
    offer = v.offer
    note = f"Seven tricks at 1 each, and {offer - TRICKS} in counters."
    if offer < POINTS:
        note += f" Above {offer} only nello can be made."
    rest = f"{lost} Every other bone is in these two hands."
    gone = {"title": "Burnt in stage one", "total": 2 * TRICKS, "note": rest}
    offered = {"title": "Still on offer", "total": offer, "note": note}
    return [Panel("gone", "tray", "left", gone), Panel("offered", "tray", "right", offered)]


def _ladder(v: ReveillePosition) -> Panel:
    steps: list[dict[str, Any]] = []
    for i, bid in enumerate(list(v.calls)[: v.call_count]):
        steps.append({"seat": (v.opener + i) % PLAYERS, "text": str(bid) if bid else "pass"})
        if bid and bid == v.high:
            steps[i]["stands"] = True
    return Panel("auction", "ladder", "center", {"steps": steps, "at": len(steps) - 1})


def _contract(v: ReveillePosition, sitters: Sequence[Sitter]) -> Panel:
    viewer, declarer, contract = v.viewer, v.declarer, v.contract
    won = v.points[declarer]
    named = "nello" if contract == NELLO else f"{MANY[contract]} are trumps"
    title = f"{name_of(sitters, declarer, viewer)} bid {v.high}, {named}"
    data: dict[str, Any] = {"title": title, "points": won, "bid": v.high}
    if contract == NELLO:
        data["note"] = f"{need(v, sitters)} Doubles are a suit."
    else:
        have = f"{name_of(sitters, declarer, viewer, middle=True)} {has(sitters, [declarer], viewer)} {won}"
        data |= {"face": f"half-{contract}", "says": have, "offer": v.offer, "note": _on_offer(v)}
    return Panel("contract", "contract", "center", data)


def _on_offer(v: ReveillePosition) -> str:
    burnt = members(v.burnt)
    if not burnt:
        return "All 42 points are on offer: no counter is burnt."
    the, are = ("the ", "is") if len(burnt) == 1 else ("", "are")
    said = f"{v.offer} of 42 points are on offer: {the}{those(burnt)} {are} burnt."
    return f"{said} All seven tricks are needed." if needs_tricks(v) else said


# --- scoring ----------------------------------------------------------------------------------------------------------


def _slips(v: ReveillePosition, sitters: Sequence[Sitter]) -> tuple[Slip, ...]:
    if v.phase != Phase.SCORING or stage(v) != 2:
        return ()
    return tuple(_slip(v, seat, sitters) for seat in order_of_seats(v))


def _slip(v: ReveillePosition, seat: int, sitters: Sequence[Sitter]) -> Slip:
    rows = tuple(
        SlipRow(f"Trick {n}", _pair(f"slip-{seat}-{n}", "", *bones), str(TRICK_POINTS + sum(COUNTER[b] for b in bones)))
        for n, *bones in won_tricks(v, seat)
    )
    total = v.points[seat]
    bid, said = "against the bid", f"**{points(total)}.**"
    if seat == v.declarer:
        bid = f"bid {v.high}, {'nello' if v.contract == NELLO else MANY[v.contract]}"
        said = hand_sentence(v, sitters)
    mark = "+1 mark" if seat == v.mark_to else "no mark"
    return Slip(seat, f"{bid} · {mark}", str(total), rows, said)
