"""Table of Reveille as data for the page and the terminal: zones (groups of bones), panels and scores.

The table is built from the view of one viewer, never from a state with all bones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from facedown.core.grammar import player_phrase
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
from facedown.core.table_building import bare_table, round_break_status, seat_panel
from facedown.games.reveille.action_text import (
    Suit,
    bone_label,
    counter_points_tag,
    join_bone_labels,
    led_suit_word,
    spoken_bone_name,
)
from facedown.games.reveille.cards import COUNTER_POINTS, MAX_POINTS, NELLO, TRICK_POINTS, bone_name, bones_in_set
from facedown.games.reveille.i18n import N_, _, n_
from facedown.games.reveille.info import INFO
from facedown.games.reveille.log import hand_result_sentence
from facedown.games.reveille.prompts import contract_need_sentence, step_of
from facedown.games.reveille.rules import GOAL, NO_SEAT, PLAYERS, RULES, TRICKS, Phase, ReveillePosition
from facedown.games.reveille.view import (
    burnt_trick_count,
    counters_left,
    hand,
    led_bone,
    needs_tricks,
    prize_bone,
    seats_own_first,
    stage,
    visible_burnt_bones,
    won_tricks,
)

#: Areas of the table for the tricks that players have won: the left one for the viewer, the right one for the opponent.
SIDES: tuple[Area, Area] = ("left", "right")
MOMENTS: dict[int, Literal["bidding", "naming"]] = {Phase.AUCTION: "bidding", Phase.NAMING: "naming"}

PHASES = tuple(phase.name.lower().replace("_", " ") for phase in Phase)


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """Return the table as the viewer of `view` sees it: zones, panels and scores. The log is added elsewhere.

    `sitters` has the name of the player at each seat, and whether the player is a bot.
    """
    v = plain_view(view, ReveillePosition)
    viewer, over = v.viewer, v.over != RUNNING
    zones = [_other_hand(v, seat, sitters) for seat in range(PLAYERS) if seat != viewer]
    # After the hand, each seat's score slip lists the tricks that it won, so the zones of won tricks are left out.
    zones += _won_tricks_zones(v, sitters) if v.phase == Phase.STAGE_TWO else []
    zones += _middle(v, sitters)
    zones += [_own_hand(v)] if viewer != SPECTATOR else []
    scored = v.phase == Phase.SCORING and stage(v) == 2
    winners = (v.mark_to,) if over and v.mark_to != NO_SEAT else ()
    deals = "" if over else _("dealer")
    return replace(
        bare_table(INFO, v, PHASES[v.phase], step_of(v, RULES.legal_actions(view, viewer), sitters)),
        where=(_("Hand {number}", number=v.hand_number), _("the match is over") if over else _progress_text(v)),
        seats=tuple(_seat(v, seat, sitters) for seat in range(PLAYERS)),
        zones=tuple(zones),
        panels=tuple(_panels(v, sitters)),
        scores_title=_("First to seven marks wins"),
        scores=tuple(
            ScoreRow(seat, v.marks[seat], deals if seat == v.dealer else "", seat in winners) for seat in range(PLAYERS)
        ),
        slips=tuple(_slip(v, seat, sitters) for seat in seats_own_first(v)) if scored else (),
        layout=Layout("trick", moment=MOMENTS.get(v.phase, "")),
        round=v.hand_number,
        winners=winners,
    )


def _progress_text(v: ReveillePosition) -> str:
    if v.phase == Phase.STAGE_TWO:
        return _("stage two, trick {number} of {all}", number=v.trick + 1, all=TRICKS)
    others = {Phase.AUCTION: _("auction"), Phase.NAMING: _("naming trumps"), Phase.SCORING: _("scoring")}
    if v.phase in others:
        return others[Phase(v.phase)]
    # While a player picks a bone to draw or reveal, the next trick has not begun, so only finished tricks are counted.
    number = v.trick + (v.phase == Phase.STAGE_ONE)
    return _("trick {number} of {all}", number=number, all=TRICKS) if number else _("the deal")


def _seat(v: ReveillePosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    between = v.phase == Phase.SCORING
    state = round_break_status(v, seat, _("ready for the next hand"), _("looking at the bones")) if between else ""
    won = v.marks[seat]
    says = n_("{count} of {all} marks", "{count} of {all} marks", won, all=GOAL)
    badges = (Badge("marks", won, says, of=GOAL),)
    return seat_panel(v, seat, sitters, between, state=state, badges=badges)


# --- bones ----------------------------------------------------------------------------------------------------------


def _bone(place: str, bone: int, where: str, *looks: str) -> Piece:
    return Piece(
        place,
        "face",
        bone_name(bone),
        spoken_bone_name(bone),
        where,
        looks,
        tag=counter_points_tag(bone),
        tag_said=True,
    )


def _trick_pieces(place: str, led: int, reply: int, number: int = 0) -> tuple[Piece, Piece]:
    """Return the two bones of a finished trick as pieces (bones on the page): the lead and the reply.

    * `place`: the prefix of two ids. The bones are at the places with the ids ``{place}-lead`` and ``{place}-reply``.
    * `led` and `reply`: the two bones.
    * `number`: the number of the trick, which screen readers read aloud. If it is 0, they read no number.
    """
    of_lead = _("trick {number}, lead", number=number) if number else _("lead")
    of_reply = _("trick {number}, reply", number=number) if number else _("reply")
    return _bone(f"{place}-lead", led, of_lead, "lying"), _bone(f"{place}-reply", reply, of_reply, "lying")


def _other_hand(v: ReveillePosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    owner = player_phrase(sitters, seat, v.viewer)
    where = [_("{who:'your} bone {number}", number=i + 1, who=owner) for i in range(v.hand_size[seat])]
    # `taken` is empty unless the memory aid (a table option: bones that a player has seen stay shown) is on. The bones
    # that this player took face up are then shown before the face-down ones.
    pieces = [_bone(f"p{seat}-{i}", bone, where[i], "all-see") for i, bone in enumerate(bones_in_set(v.taken[seat]))]
    pieces += [Piece(f"p{seat}-{i}", "back", where=where[i]) for i in range(len(pieces), len(where))]
    says = _("{who:'Your} bones", who=owner)
    return Zone(f"bones-{seat}", "row", "seat", tuple(pieces), seat=seat, says=says)


def _own_hand(v: ReveillePosition) -> Zone:
    bones = hand(v, v.viewer)
    pieces = tuple(
        _bone(f"hand-{i}", bone, _("bone {number} of {count}", number=i + 1, count=len(bones)))
        for i, bone in enumerate(bones)
    )
    label = _("Your bones")
    return Zone("hand", "row", "hand", pieces, label=label, seat=v.viewer, says=label)


def _middle(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Zone]:
    zones = [_boneyard(v), _prize(v)] if stage(v) == 0 else []
    zones += _trick(v, sitters)
    bidding = v.phase in MOMENTS
    if bidding and visible_burnt_bones(v):
        # `visible_burnt_bones` is empty unless the memory aid (a table option: bones that a player has seen stay shown)
        # is on. Show the bones played in stage one, highest first, and the counters (bones that score points) that can
        # still be won.
        burnt = sorted(visible_burnt_bones(v), reverse=True)
        zones.append(_bone_grid("gone", "left", burnt, _("burnt"), _("Burnt bones")))
        zones.append(_bone_grid("offered", "right", counters_left(v), _("still to win"), _("Counters still to win")))
    elif burnt_trick_count(v):
        zones.append(_burnt(v, "left" if bidding else "right"))
    return zones


def _boneyard(v: ReveillePosition) -> Zone:
    left = v.yard_count
    pieces = tuple(
        Piece(f"yard-{i}", "back", where=_("bone {number} in the boneyard", number=i + 1)) for i in range(left)
    )
    label = _("**{count}** face down in the boneyard", count=left)
    return Zone("boneyard", "heap", "left", pieces, label=label, count=left, says=_("Boneyard"))


def _prize(v: ReveillePosition) -> Zone:
    bone = prize_bone(v)
    where = _("the bone to win")
    piece, note = Piece("prize", "slot", name=_("empty"), where=where), _("no bone revealed yet")
    if bone is not None:
        piece, note = _bone("prize", bone, where), _("Winner takes the **{bone}**", bone=bone_label(bone))
    return Zone("to-win", "row", "right", (piece,), note=note, says=_("The bone to win"))


def _bone_grid(name: str, side: Area, bones: Sequence[int], where: str, says: str) -> Zone:
    pieces = tuple(_bone(f"{name}-{i}", bone, where) for i, bone in enumerate(bones))
    return Zone(f"bones-{name}", "grid", side, pieces, group=name, says=says)


def _burnt(v: ReveillePosition, side: Area) -> Zone:
    tricks, bones = burnt_trick_count(v), visible_burnt_bones(v)
    if stage(v):
        label = n_("**{count}** trick burnt in stage one", "**{count}** tricks burnt in stage one", tricks)
    else:
        label = n_("**{count}** trick burnt", "**{count}** tricks burnt", tricks)
    note = ", ".join(
        f"{bone_label(led)} {bone_label(reply)}" for led, reply in zip(bones[::2], bones[1::2], strict=True)
    )
    back = Piece("burnt", "back", where=_("burnt tricks"))
    return Zone("burnt-tricks", "pile", side, (back,), label, count=2 * tricks, note=note, says=_("Burnt tricks"))


def _trick(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Zone]:
    if v.phase not in (Phase.STAGE_ONE, Phase.STAGE_TWO):
        return []
    leader, other = player_phrase(sitters, v.leader, v.viewer), player_phrase(sitters, 1 - v.leader, v.viewer)
    led, lead_of, says = led_bone(v), _("{who:'your} lead", who=leader), _("The trick")
    if led is None:
        slot = Piece("lead", "slot", name=_("empty"), where=lead_of)
        number = v.trick + 1
        note = _("trick {number}", number=number)
        if v.phase == Phase.STAGE_TWO:
            note = _("trick {number}: 1 point plus counters", number=number)
        return [Zone("trick", "trick", "center", (slot,), note=note, says=says)]
    reply, note = (_("{who:'your} reply", who=one) for one in (other, other.brief))
    slot = Piece("reply", "slot", name=_("empty"), where=reply, marks=("lying",))
    label = _("{who} {who:lead|leads} **{suit}**", who=leader.brief, suit=led_suit_word(v.contract, led))
    return [Zone("trick", "trick", "center", (_bone("lead", led, lead_of, "lying"), slot), label, note=note, says=says)]


def _won_tricks_zones(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Zone]:
    zones = []
    for seat, area in zip(seats_own_first(v), SIDES, strict=True):
        tricks = won_tricks(v, seat)
        pieces = tuple(piece for n, led, reply in tricks for piece in _trick_pieces(f"won-{n}", led, reply, n))
        says = _("Tricks won by {who:you}", who=player_phrase(sitters, seat, v.viewer))
        zones.append(Zone(f"tricks-{seat}", "pairs", area, pieces, seat=seat, group=f"won-{seat}", says=says))
    return zones


# --- panels -----------------------------------------------------------------------------------------------------------


def _panels(v: ReveillePosition, sitters: Sequence[Sitter]) -> list[Panel]:
    panels = [_stages(v)]
    if stage(v) == 1:
        panels.append(_auction_panel(v))
    if stage(v) == 2:
        panels.append(_contract(v, sitters))
    if v.phase in MOMENTS and visible_burnt_bones(v):
        panels += _burnt_and_winnable_panels(v)
    if v.phase == Phase.STAGE_TWO:
        for seat, side in zip(seats_own_first(v), SIDES, strict=True):
            title = _("**{who}** won", who=player_phrase(sitters, seat, v.viewer).brief)
            panels.append(Panel(f"won-{seat}", "won", side, {"seat": seat, "title": title, "points": v.points[seat]}))
    return panels


def _stages(v: ReveillePosition) -> Panel:
    now = stage(v) + (v.phase == Phase.SCORING) / 2
    names = (_("Stage one"), _("Auction"), _("Stage two"))
    stages: list[dict[str, Any]] = [
        {"name": name, "state": "done" if i < now else "now" if i == now else "next"} for i, name in enumerate(names)
    ]
    if now in (0, 2):
        stages[int(now)]["pips"] = [trick < v.trick for trick in range(TRICKS)]
    return Panel("stages", "stages", "center", {"stages": stages})


def _burnt_and_winnable_panels(v: ReveillePosition) -> list[Panel]:
    """Return two panels for the auction: one on the bones played in stage one, one on the points that can still be won.

    Each panel has a title, a total and a note. The bones themselves are in zones (`_bone_grid`). The page shows the
    panels only if the memory aid is on (a table option: bones that a player has seen stay shown). The caller checks
    this.
    """
    counters = [bone_label(bone) for bone in sorted(visible_burnt_bones(v), reverse=True) if COUNTER_POINTS[bone]]
    lost = _("Burnt counters: {bones}.", bones=", ".join(counters)) if counters else _("No counters were burnt.")
    offer = v.offer
    note = _("Seven tricks at 1 point each, plus {count} points in counters.", count=offer - TRICKS)
    if offer < MAX_POINTS:
        note += " " + _("A bid above {count} can be made only by playing nello.", count=offer)
    rest = lost + " " + _("The players hold all other bones.")
    gone = {"title": _("Burnt in stage one"), "total": 2 * TRICKS, "note": rest}
    offered = {"title": _("Still to win"), "total": offer, "note": note}
    return [Panel("gone", "tray", "left", gone), Panel("offered", "tray", "right", offered)]


def _auction_panel(v: ReveillePosition) -> Panel:
    steps: list[dict[str, Any]] = []
    for i, bid in enumerate(list(v.calls)[: v.call_count]):
        steps.append({"seat": (v.opener + i) % PLAYERS, "text": str(bid) if bid else _("pass")})
        if bid and bid == v.high:
            steps[i]["stands"] = True
    return Panel("auction", "ladder", "center", {"steps": steps, "at": len(steps) - 1})


def _contract(v: ReveillePosition, sitters: Sequence[Sitter]) -> Panel:
    declarer, contract, won = player_phrase(sitters, v.declarer, v.viewer), v.contract, v.points[v.declarer]
    text = N_("{who} bid {bid}: nello") if contract == NELLO else N_("{who} bid {bid}: {suit} are trumps")
    title = _(text, who=declarer.brief, bid=v.high, suit=Suit(contract))
    data: dict[str, Any] = {"title": title, "points": won, "bid": v.high}
    if contract == NELLO:
        data["note"] = contract_need_sentence(v, sitters) + " " + _("Doubles are a separate suit.")
    else:
        have = _("{who:you} {who:have|has} {count}", who=declarer, count=won)
        data |= {"face": f"half-{contract}", "says": have, "offer": v.offer, "note": _winnable_points_sentence(v)}
    return Panel("contract", "contract", "center", data)


def _winnable_points_sentence(v: ReveillePosition) -> str:
    burnt = bones_in_set(v.burnt)
    if not burnt:
        return _("All 42 points can be won: no counters were burnt.")
    said = n_(
        "{offer} of 42 points can be won: the {bones} was burnt.",
        "{offer} of 42 points can be won: {bones} were burnt.",
        len(burnt),
        offer=v.offer,
        bones=join_bone_labels(burnt),
    )
    return said + " " + _("All seven tricks are needed.") if needs_tricks(v) else said


# --- scoring ----------------------------------------------------------------------------------------------------------


def _slip(v: ReveillePosition, seat: int, sitters: Sequence[Sitter]) -> Slip:
    rows = []
    for number, *bones in won_tricks(v, seat):
        worth = TRICK_POINTS + sum(COUNTER_POINTS[bone] for bone in bones)
        pair = _trick_pieces(f"slip-{seat}-{number}", *bones)
        rows.append(SlipRow(_("Trick {number}", number=number), pair, str(worth)))
    total = v.points[seat]
    bid, said = _("defending"), n_("**{count} point.**", "**{count} points.**", total)
    if seat == v.declarer:
        text = N_("bid {bid}, nello") if v.contract == NELLO else N_("bid {bid}, {suit}")
        bid, said = _(text, bid=v.high, suit=Suit(v.contract)), hand_result_sentence(v, sitters)
    mark = _("+1 mark") if seat == v.mark_to else _("no mark")
    return Slip(seat, f"{bid} · {mark}", str(total), tuple(rows), said)
