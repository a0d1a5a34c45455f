"""The scorekeeper: a match of Reveille played with real bones, hand by hand.

Every hand is given by its tricks, trick by trick, or just by the points that were counted. The marks come from the very
rules that the program plays: the bones are laid into a state and played there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core.ruleset import begin
from facedown.core.seeds import SEED_BYTES
from facedown.core.slots import clear
from facedown.core.state import RUNNING
from facedown.core.table import Sitter
from facedown.core.voice import known_entries
from facedown.games.reveille.cards import (
    COUNTER,
    NELLO,
    NUMBERS,
    POINTS,
    TRICK_POINTS,
    bone_named,
    reply_wins,
)
from facedown.games.reveille.info import AutoEnd, ReveilleOptions
from facedown.games.reveille.log import hand_sentence, result_of
from facedown.games.reveille.rules import (
    CLAIM,
    HAND,
    HIGHEST_BID,
    LOWEST_BID,
    NO_SEAT,
    PLAY,
    PLAY_TWO,
    PLAYED_OUT,
    PLAYERS,
    RULES,
    SCORING,
    SETTLED,
    THROWN_IN,
    TRICKS,
    ReveillePosition,
    add_to_hand,
    apply,
    claim,
    deal,
    end_hand,
    is_made,
    lead,
    needs_all_tricks,
    score_hand,
)
from facedown.games.reveille.words import dotted, suit_led

#: What `score` reads. Each hand has a declarer (0 or 1), a bid and a contract ("0" to "6", or "nello"), and either its
#: tricks of stage two (lead, then reply) or the points both won; in nello and where all tricks count, "tricks_won".
EXAMPLE: dict[str, Any] = {
    "players": ["Yara", "Theo"],
    "hands": [
        {
            "declarer": 0,
            "bid": 25,
            "contract": "6",
            "tricks": [
                ["66", "62"],
                ["64", "22"],
                ["55", "51"],
                ["20", "52"],
                ["53", "50"],
                ["43", "61"],
                ["32", "11"],
            ],
        },
        {"declarer": 1, "bid": 20, "contract": "3", "points": [23, 14]},
        {"thrown_in": True},
        {"declarer": 1, "bid": 12, "contract": "5", "points": [4, 13], "claim": True},
    ],
    "options": {},
}


def score(data: dict[str, Any]) -> dict[str, Any]:
    """The marks of a match, explained hand by hand; `ValueError` names what cannot be.

    >>> found = score(EXAMPLE)
    >>> [row["marks"] for row in found["players"]]
    [2, 1]
    >>> found["hands"][1]["why"]
    'Theo bid 20 and won 14 points: set. Yara gets the mark.'
    >>> found["hands"][0]["tricks"][4]["why"]
    'Theo led 5·3 (fives), Yara played 5·0: Theo wins 1 + 5 = 6.'
    """
    known_entries(data, EXAMPLE)
    names = _names(data)
    hands = data.get("hands")
    if not isinstance(hands, list) or not hands:
        raise ValueError("hands are a list of hands, at least one")
    sitters = [Sitter(name) for name in names]
    state, stops = _start(data.get("options", {}))
    told = []
    for number, hand in enumerate(hands, 1):
        where = f"hand {number}"
        if not isinstance(hand, dict):
            raise ValueError(f"{where} is not an object")
        if state.over != RUNNING:
            raise ValueError(f"{where}: the match was over after hand {number - 1}")
        tricks = _hand(state, hand, where, names, stops)
        to = state.mark_to
        told.append(
            {
                "hand": number,
                "mark": names[to] if to != NO_SEAT else None,
                "why": hand_sentence(state, sitters),
                "tricks": tricks,
                "marks": list(state.marks),
            }
        )
    over = state.over != RUNNING
    return {
        "game": "reveille",
        "players": [{"player": names[seat], "marks": state.marks[seat]} for seat in range(PLAYERS)],
        "hands": told,
        "over": over,
        "winners": [names[state.mark_to]] if over and state.mark_to != NO_SEAT else [],
        "result": result_of(state, sitters) if over else "",
    }


def _names(data: dict[str, Any]) -> list[str]:
    names = data.get("players", ["Player 1", "Player 2"])
    if not isinstance(names, list) or len(names) != PLAYERS or not all(isinstance(n, str) and n for n in names):
        raise ValueError("players are two names")
    return names


def _start(options: Any) -> tuple[ReveillePosition, bool]:
    """A match before its first hand; and does a hand stop when it is settled (RVL-19)?"""
    if not isinstance(options, dict):
        raise ValueError("options are an object of names and values")
    chosen = ReveilleOptions.chosen(ReveilleOptions.declared.complete({str(k): str(v) for k, v in options.items()}))
    # Stopping a settled hand early never changes who gets the mark; here every trick that was played counts.
    stops = chosen.auto_end == AutoEnd.ON
    chosen.auto_end = AutoEnd.OFF
    state = begin(RULES, PLAYERS, chosen, bytes(SEED_BYTES))
    deal(state, np.empty(0, np.int64), 0)
    return state, stops


def _whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _hand(
    state: ReveillePosition, hand: dict[str, Any], where: str, names: list[str], stops: bool
) -> list[dict[str, Any]]:
    """Score one hand in the state; return its tricks, explained."""
    known = {"declarer", "bid", "contract", "tricks", "points", "tricks_won", "claim", "thrown_in"}
    for key in hand:
        if key not in known:
            raise ValueError(f"{where}: {key} is unknown, a hand has {', '.join(sorted(known))}")
    if hand.get("thrown_in"):
        end_hand(state, NO_SEAT, THROWN_IN)
        return []
    if not _whole(hand.get("declarer"), 0, PLAYERS - 1):
        raise ValueError(f"{where}: declarer is 0 for {names[0]} or 1 for {names[1]}")
    if not _whole(hand.get("bid"), LOWEST_BID, HIGHEST_BID):
        raise ValueError(f"{where}: bid is a number from {LOWEST_BID} to {HIGHEST_BID}")
    contract = str(hand.get("contract", "")).lower()
    if contract not in ("nello", *(str(n) for n in range(NUMBERS))):
        raise ValueError(f"{where}: contract is a suit from 0 to 6, or nello")
    if contract == "nello" and hand["bid"] != HIGHEST_BID:
        raise ValueError(f"{where}: nello needs a bid of {HIGHEST_BID}")
    _start_stage_two(state, hand["declarer"], hand["bid"], NELLO if contract == "nello" else int(contract))
    if "tricks" in hand:
        return _tricks(state, hand, where, names, stops)
    _counted(state, hand, where, stops)
    return []


def _start_stage_two(state: ReveillePosition, declarer: int, bid: int, contract: int) -> None:
    state.phase = PLAY_TWO
    state.acting = 1 << declarer
    state.trick = 0
    state.declarer = declarer
    state.leader = declarer
    state.high = bid
    state.contract = contract
    state.winners = 0
    for slot in range(PLAYERS * HAND):
        clear(state, slot)
    for seat in range(PLAYERS):
        state.hand_size[seat] = 0
        state.points[seat] = 0
        state.tricks[seat] = 0


# --- a hand by its counts ---------------------------------------------------------------------------------------------


def _counted(state: ReveillePosition, hand: dict[str, Any], where: str, stops: bool) -> None:
    declarer = state.declarer
    by_tricks = state.contract == NELLO or needs_all_tricks(state)
    if by_tricks:
        won = hand.get("tricks_won")
        if not isinstance(won, list) or len(won) != PLAYERS or not all(_whole(n, 0, TRICKS) for n in won):
            raise ValueError(f"{where}: tricks_won are two numbers from 0 to {TRICKS}, or give the tricks")
        if sum(won) > TRICKS:
            raise ValueError(f"{where}: {sum(won)} tricks, there are {TRICKS}")
        if sum(won) < TRICKS and not _settled_early(state, won):
            raise ValueError(f"{where}: {sum(won)} tricks, {TRICKS} are played unless the contract is lost before")
        for seat in range(PLAYERS):
            state.tricks[seat] = won[seat]
    points = hand.get("points")
    if points is None and by_tricks:
        points = [0, 0]
    if not isinstance(points, list) or len(points) != PLAYERS or not all(_whole(n, 0, POINTS) for n in points):
        raise ValueError(f"{where}: points are two numbers from 0 to {POINTS}, or give the tricks")
    if sum(points) > POINTS:
        raise ValueError(f"{where}: {sum(points)} points, there are never more than {POINTS}")
    complete = by_tricks or hand.get("claim", False)
    if stops and not complete:
        complete = points[declarer] >= state.high or _may_be_lost(state, points[1 - declarer], 0)
    if not complete and (sum(points) < TRICKS * TRICK_POINTS or (sum(points) - TRICKS * TRICK_POINTS) % 5):
        raise ValueError(f"{where}: {sum(points)} points together cannot be: seven tricks and counters of 5 and 10")
    for seat in range(PLAYERS):
        state.points[seat] = points[seat]
    if hand.get("claim"):
        if by_tricks:
            raise ValueError(f"{where}: this contract cannot be claimed")
        claim(state, declarer)
    else:
        score_hand(state, PLAYED_OUT)


def _may_be_lost(state: ReveillePosition, opponents: int, counters: int) -> bool:
    """Can the bid be out of reach, if of the counters only so many points were not burnt? Nobody says which were."""
    return TRICKS * TRICK_POINTS + counters - opponents < state.high


def _settled_early(state: ReveillePosition, won: list[int]) -> bool:
    """Is a contract that counts tricks lost already?"""
    declarer = state.declarer
    return won[declarer] > 0 if state.contract == NELLO else won[1 - declarer] > 0


# --- a hand trick by trick --------------------------------------------------------------------------------------------


def _tricks(
    state: ReveillePosition, hand: dict[str, Any], where: str, names: list[str], stops: bool
) -> list[dict[str, Any]]:
    tricks = _bones_of(hand["tricks"], where)
    claimed = hand.get("claim", False)
    if len(tricks) < TRICKS and not claimed and not stops:
        raise ValueError(f"{where}: {len(tricks)} tricks, {TRICKS} are played unless the hand is claimed")
    contract = state.contract
    leader = state.declarer
    # Who played what follows from who won: the winner of a trick leads to the next.
    leaders = []
    for first, reply in tricks:
        leaders.append(leader)
        add_to_hand(state, leader, first)
        add_to_hand(state, 1 - leader, reply)
        if reply_wins(contract, first, reply):
            leader = 1 - leader
    told = []
    for number, ((first, reply), seat) in enumerate(zip(tricks, leaders, strict=True), 1):
        before = list(state.points)
        _play(state, seat, first, f"{where}, trick {number}", names)
        _play(state, 1 - seat, reply, f"{where}, trick {number}", names)
        winner = 0 if state.points[0] > before[0] else 1
        told.append(
            {
                "lead": dotted(first),
                "reply": dotted(reply),
                "winner": names[winner],
                "points": state.points[winner] - before[winner],
                "why": _why(contract, first, reply, names[seat], names[1 - seat], names[winner]),
            }
        )
    if len(tricks) < TRICKS and not claimed:
        seen = sum(COUNTER[bone] for trick in tricks for bone in trick)
        by_tricks = contract == NELLO or needs_all_tricks(state)
        won = list(state.tricks)
        lost = _settled_early(state, won) if by_tricks else _may_be_lost(state, state.points[1 - state.declarer], seen)
        if not lost and not is_made(state):
            raise ValueError(f"{where}: nothing is settled after {len(tricks)} tricks, so play went on")
        score_hand(state, SETTLED)
    if claimed:
        declarer = state.declarer
        if state.phase == SCORING:
            raise ValueError(f"{where}: all {TRICKS} tricks are played, there is nothing left to claim")
        if contract == NELLO or state.high == HIGHEST_BID:
            raise ValueError(f"{where}: this contract cannot be claimed")
        claim(state, declarer)
    return told


def _bones_of(tricks: Any, where: str) -> list[tuple[int, int]]:
    if not isinstance(tricks, list) or len(tricks) > TRICKS:
        raise ValueError(f"{where}: tricks are a list of at most {TRICKS}, each a lead and a reply")
    seen: set[int] = set()
    found = []
    for number, trick in enumerate(tricks, 1):
        if not isinstance(trick, list) or len(trick) != 2:
            raise ValueError(f'{where}, trick {number}: a trick is a lead and a reply, such as ["64", "62"]')
        pair = []
        for word in trick:
            try:
                bone = bone_named(str(word).replace("·", ""))
            except ValueError as error:
                raise ValueError(f"{where}, trick {number}: {error}") from None
            if bone in seen:
                raise ValueError(f"{where}, trick {number}: the {dotted(bone)} was played before")
            seen.add(bone)
            pair.append(bone)
        found.append((pair[0], pair[1]))
    return found


def _play(state: ReveillePosition, seat: int, bone: int, where: str, names: list[str]) -> None:
    allowed = [action for action in RULES.legal_actions(state, seat) if action != CLAIM]
    if PLAY + bone not in allowed:
        wanted = " or ".join(dotted(action - PLAY) for action in allowed)
        raise ValueError(
            f"{where}: {names[seat]} played {dotted(bone)} to the {dotted(lead(state))}, but had to play {wanted}"
        )
    apply(state, seat, PLAY + bone)


def _why(contract: int, first: int, reply: int, leader: str, replier: str, winner: str) -> str:
    counters = [COUNTER[bone] for bone in (first, reply) if COUNTER[bone]]
    total = TRICK_POINTS + sum(counters)
    counted = " + ".join(str(n) for n in (TRICK_POINTS, *counters))
    count = f"{counted} = {total}" if counters else str(total)
    brought = "wins the trick" if contract == NELLO else f"wins {count}"
    led = f"{leader} led {dotted(first)} ({suit_led(contract, first)})"
    return f"{led}, {replier} played {dotted(reply)}: {winner} {brought}."
