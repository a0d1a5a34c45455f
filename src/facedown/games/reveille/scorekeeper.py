"""Scorekeeper for a match of Reveille that is played with real bones (dominoes).

For each hand, the players enter either every trick, or only the number of points that each player has won. In some
contracts they enter numbers of tricks instead of points. The scorekeeper enters these results in a position of the game
(`ReveillePosition`). The module `rules` then computes which player gets the mark (point of the match).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from facedown.core.grammar import refuse_unknown_entries
from facedown.core.score_sheet_questions import Field, Group, Sheet, names_from_answers, player_name_questions
from facedown.core.scoresheet_input import (
    dealt_state,
    is_list_of_length,
    is_whole,
    load_score_example,
    options_of,
    overwrite_first_entries,
    player_names,
    require,
    require_whole_numbers,
)
from facedown.core.state import RUNNING
from facedown.core.table import Sitter
from facedown.games.reveille import rules
from facedown.games.reveille.action_text import Suit, bone_label, led_suit_word
from facedown.games.reveille.cards import (
    BONES,
    COUNTER_POINTS,
    MAX_POINTS,
    NELLO,
    NUMBERS,
    TRICK_POINTS,
    bone_name,
    bone_named,
    reply_wins,
)
from facedown.games.reveille.i18n import N_, _
from facedown.games.reveille.info import INFO, AutoEnd, ReveilleOptions
from facedown.games.reveille.log import hand_result_sentence, match_result_sentence
from facedown.games.reveille.rules import (
    HIGHEST_BID,
    LOWEST_BID,
    NO_SEAT,
    PLAYERS,
    TRICKS,
    Act,
    EndReason,
    ReveillePosition,
)
from facedown.games.reveille.view import needs_tricks

#: Example input of `score`. If both players passed, a hand has only "thrown_in": true. Any other hand has a declarer
#: (0 or 1), a bid, a contract ("0" to "6", or "nello"), and a result in one of three forms:
#:
#: * "tricks": list of the tricks of stage two (after the auction), each as (lead, reply).
#: * "points": the points that each player won in stage two.
#: * "tricks_won": the number of tricks that each player won, if the contract depends on tricks instead of points.
EXAMPLE = load_score_example(__file__)


def score(data: dict[str, Any]) -> dict[str, Any]:
    """Return the marks (points of the match) of each player, with an explanation of each hand.

    `data` is the input, in the form of `EXAMPLE`. Raise `ValueError` if it is invalid.

    >>> found = score(EXAMPLE)
    >>> [row["marks"] for row in found["players"]]
    [2, 1]
    >>> found["hands"][1]["why"]
    'Theo bid 20 but won only 14 points. Yara gets the mark.'
    >>> found["hands"][0]["tricks"][4]["why"]
    'Theo led the 5·3 (fives), and Yara replied with the 5·0. Points for Theo: 1 + 5 = 6.'
    """
    refuse_unknown_entries(data, EXAMPLE)
    names = player_names(data, PLAYERS, _("players must be a list of two names"))
    hands: Any = data.get("hands")
    require(isinstance(hands, list) and bool(hands), _("hands must be a list with at least one hand"))
    sitters = [Sitter(name) for name in names]
    options = options_of(data, ReveilleOptions)
    # The option to end a hand as soon as its result is certain never changes who gets the mark. It is switched off
    # here, so that tricks after that point are accepted (RVL-19).
    stops = options.auto_end == AutoEnd.ON
    options.auto_end = AutoEnd.OFF
    state = dealt_state(rules.RULES, PLAYERS, options)
    told = []
    for number, given in enumerate(hands, 1):
        hand = _Hand(state, given, _("hand {number}", number=number), names, stops)
        require(isinstance(given, dict), _("{where} must be an object", where=hand.where))
        over = _("{where}: the match was over after hand {number}", where=hand.where, number=number - 1)
        require(state.over == RUNNING, over)
        tricks = hand.score()
        mark = names[state.mark_to] if state.mark_to != NO_SEAT else None
        why, marks = hand_result_sentence(state, sitters), list(state.marks)
        told.append({"hand": number, "mark": mark, "why": why, "tricks": tricks, "marks": marks})
    finished = state.over != RUNNING
    return {
        "game": INFO.name,
        "players": [{"player": name, "marks": state.marks[seat]} for seat, name in enumerate(names)],
        "hands": told,
        "over": finished,
        "winners": [names[state.mark_to]] if finished and state.mark_to != NO_SEAT else [],
        "result": match_result_sentence(state, sitters) if finished else "",
    }


#: Names of the entries that a hand may have in the input.
_ENTRIES = ("bid", "claim", "contract", "declarer", "points", "thrown_in", "tricks", "tricks_won")


@dataclass(frozen=True)
class _Hand:
    """One hand as the players entered it (`given`). The method `score` computes its result.

    `state` is the position of the match in which the hand is scored. It already has the marks (points of the match) of
    earlier hands. `where` is the name of the hand in error texts.
    """

    state: ReveillePosition
    given: dict[str, Any]
    where: str
    names: list[str]
    stops_when_settled: bool
    """Whether the hand may stop as soon as its result is certain (`auto_end=on`)."""

    def score(self) -> list[dict[str, Any]]:
        """Enter this hand in the position `self.state` and score it there. The position then has the new marks.

        Return the tricks of the hand, each as a dictionary with an explanation (`_play_trick`). The list is empty if
        the players entered counts of points or tricks instead, or if the hand was thrown in (no player gets a mark).
        Raise `ValueError` if an entry is invalid.
        """
        given = self.given
        for key in given:
            self.check(
                key in _ENTRIES, N_("unknown entry {key}; expected one of: {known}"), key=key, known=", ".join(_ENTRIES)
            )
        if given.get("thrown_in"):
            rules.end_hand_and_give_mark(self.state, NO_SEAT, EndReason.THROWN_IN)
            return []
        declarer: Any = given.get("declarer")
        bid: Any = given.get("bid")
        first, second = self.names
        seats = N_("declarer must be 0 for {first} or 1 for {second}")
        self.check(is_whole(declarer, 0, PLAYERS - 1), seats, first=first, second=second)
        bids = N_("bid must be a number from {low} to {high}")
        self.check(is_whole(bid, LOWEST_BID, HIGHEST_BID), bids, low=LOWEST_BID, high=HIGHEST_BID)
        contracts = [*map(str, range(NUMBERS)), "nello"]
        contract = str(given.get("contract", "")).lower()
        self.check(contract in contracts, N_("contract must be nello or a suit from 0 to 6"))
        self.check(contract != "nello" or bid == HIGHEST_BID, N_("nello needs a bid of {bid}"), bid=HIGHEST_BID)
        # Set the state to the start of stage two, with empty hands. They are filled only if the tricks were entered.
        state = self.state
        rules.clear_table(state)
        overwrite_first_entries(state.hand_size, [0] * PLAYERS)
        state.declarer, state.high = declarer, bid
        rules.apply(state, declarer, Act.TRUMP + contracts.index(contract))
        return self._explain_each_trick() if "tricks" in given else self._score_by_counts()

    def check(self, right: bool, otherwise: str, **values: object) -> None:
        """Raise `ValueError` with the text `otherwise`, filled in with `values`, unless `right` is true."""
        require(right, f"{self.where}: {_(otherwise, **values)}")

    # --- scoring by counted points or tricks --------------------------------------------------------------------------

    def _number_per_seat(self, entry: str, most: int) -> list[int]:
        """Return the two numbers, one for each seat, that the players entered under the name `entry`.

        Raise `ValueError` unless both are from 0 to `most`.
        """
        otherwise = _(
            "{entry} must be two numbers from 0 to {most}, unless you enter the tricks instead", entry=entry, most=most
        )
        return require_whole_numbers(self.given.get(entry), PLAYERS, 0, most, f"{self.where}: {otherwise}")

    def _score_by_counts(self) -> list[dict[str, Any]]:
        state, claimed = self.state, self.given.get("claim", False)
        by_tricks = state.contract == NELLO or needs_tricks(state)
        # Players may end a hand early once the contract is lost. When it is lost depends on the counters (bones that
        # score points) that were played in stage one, and the input does not say which these are. So assume that all
        # of them were played then, and that only the seven points for the tricks can be won. This assumption makes the
        # contract fail soonest, so no early end that may be right is rejected.
        state.offer = TRICKS * TRICK_POINTS
        if by_tricks:
            overwrite_first_entries(state.tricks, self._number_per_seat("tricks_won", TRICKS))
            played = sum(state.tricks)
            self.check(
                played <= TRICKS, N_("{played} tricks given, but there are only {all}"), played=played, all=TRICKS
            )
            few = N_("only {played} of {all} tricks given; expected all of them unless the bid failed early")
            self.check(played == TRICKS or rules.is_contract_lost(state), few, played=played, all=TRICKS)
        if not by_tricks or self.given.get("points") is not None:
            overwrite_first_entries(state.points, self._number_per_seat("points", MAX_POINTS))
        total = sum(state.points)
        many = N_("{count} points given, but there are never more than {most}")
        self.check(total <= MAX_POINTS, many, count=total, most=MAX_POINTS)
        settled = self.stops_when_settled and (rules.is_trump_contract_made(state) or rules.is_contract_lost(state))
        counters = total - TRICKS * TRICK_POINTS
        fine = by_tricks or claimed or settled or (counters >= 0 and counters % 5 == 0)
        odd = N_("seven tricks and counters of 5 and 10 can’t add up to {count} points")
        self.check(fine, odd, count=total)
        self.check(not (claimed and by_tricks), N_("this bid can’t be claimed"))
        if claimed:
            rules.apply(state, state.declarer, Act.CLAIM.value)
        else:
            rules.end_hand_by_contract(state, EndReason.PLAYED_OUT)
        return []

    # --- scoring trick by trick ---------------------------------------------------------------------------------------

    def _explain_each_trick(self) -> list[dict[str, Any]]:
        state, claimed = self.state, self.given.get("claim", False)
        played = _parse_tricks(self.given["tricks"], self.where)
        count = len(played)
        few = N_("only {played} of {all} tricks given; expected all of them unless the hand was claimed")
        self.check(count == TRICKS or claimed or self.stops_when_settled, few, played=count, all=TRICKS)
        self._deal_bones_of_tricks(played)
        told = [self._play_trick(n, *trick) for n, trick in enumerate(played, 1)]
        if claimed:
            over = N_("all {all} tricks were played, so there’s nothing left to claim")
            self.check(count < TRICKS, over, all=TRICKS)
            self.check(state.high < HIGHEST_BID, N_("this bid can’t be claimed"))
            rules.apply(state, state.declarer, Act.CLAIM.value)
        elif count < TRICKS:
            # All counters (bones that score points) that are not in these tricks may have been played in stage one. So
            # only the points for the seven tricks, and for the counters in the entered tricks, are certain.
            state.offer = TRICKS * TRICK_POINTS + sum(COUNTER_POINTS[bone] for trick in played for bone in trick)
            settled = rules.is_contract_lost(state) or rules.is_trump_contract_made(state)
            self.check(
                settled, N_("the hand isn’t decided after {played} tricks, so some tricks are missing"), played=count
            )
            rules.end_hand_by_contract(state, EndReason.SETTLED)
        return told

    def _deal_bones_of_tricks(self, tricks: list[tuple[int, int]]) -> None:
        """Put the bones of these tricks, each (lead, reply), into the hands of the players who will play them."""
        leader = self.state.declarer
        for lead, reply in tricks:
            rules.add_to_hand(self.state, leader, lead)
            rules.add_to_hand(self.state, 1 - leader, reply)
            if reply_wins(self.state.contract, lead, reply):
                leader = 1 - leader

    def _play_trick(self, number: int, lead: int, reply: int) -> dict[str, Any]:
        """Play a trick in the position `self.state`. Return its bones, winner, points and explanation as a dictionary.

        `number` is the number of the trick from 1, for error texts. Raise `ValueError` if a bone was not legal.
        """
        state, names, leader = self.state, self.names, self.state.leader
        before = list(state.points)
        for seat, bone in ((leader, lead), (1 - leader, reply)):
            legal = [action for action in rules.RULES.legal_actions(state, seat) if action != Act.CLAIM]
            wrong = N_(
                "{where}, trick {number}: {player} played the {bone} on the {lead} but should have played {wanted}"
            )
            played = {"where": self.where, "number": number, "player": names[seat], "bone": bone_label(bone)}
            wanted = _(" or ").join(bone_label(action - Act.PLAY) for action in legal)
            require(Act.PLAY + bone in legal, _(wrong, lead=bone_label(lead), wanted=wanted, **played))
            rules.apply(state, seat, Act.PLAY + bone)
        winner = 0 if state.points[0] > before[0] else 1
        return {
            "lead": bone_label(lead),
            "reply": bone_label(reply),
            "winner": names[winner],
            "points": state.points[winner] - before[winner],
            "why": _trick_explanation(state.contract, lead, reply, [names[leader], names[1 - leader], names[winner]]),
        }


def _parse_tricks(tricks: Any, where: str) -> list[tuple[int, int]]:
    fine = isinstance(tricks, list) and len(tricks) <= TRICKS
    require(
        fine,
        _(
            "{where}: tricks must be a list of at most {all} tricks, each with a lead and a reply",
            where=where,
            all=TRICKS,
        ),
    )
    seen: list[int] = []
    for number, trick in enumerate(tricks, 1):
        here = _("{where}, trick {number}", where=where, number=number)
        row = _('a trick must be a list of two bones, lead and reply, such as ["64", "62"]')
        require(is_list_of_length(trick, 2), f"{here}: {row}")
        for word in trick:
            try:
                bone = bone_named(str(word).replace("·", ""))
            except ValueError as error:
                raise ValueError(f"{here}: {error}") from None
            require(bone not in seen, _("{here}: the {bone} has already been played", here=here, bone=bone_label(bone)))
            seen.append(bone)
    return list(zip(seen[::2], seen[1::2], strict=True))


def _trick_explanation(contract: int, first: int, reply: int, names: list[str]) -> str:
    """Return the sentences that say which bones were played to a trick, which player won it, and what it was worth.

    * `contract`: the trump suit (0 to 6), or `NELLO`, in which tricks have no points.
    * `first`: the bone that was led.
    * `names`: the names of the leader, of the other player and of the winner.
    """
    worth = [TRICK_POINTS, *(COUNTER_POINTS[bone] for bone in (first, reply) if COUNTER_POINTS[bone])]
    count = " + ".join(map(str, worth)) + (f" = {sum(worth)}" if len(worth) > 1 else "")
    text = N_("{leader} led the {lead} ({suit}), and {replier} replied with the {reply}. Points for {winner}: {count}.")
    if contract == NELLO:
        text = N_("{leader} led the {lead} ({suit}), and {replier} replied with the {reply}. {winner} won the trick.")
    leader, replier, winner = names
    suit, lead, answer = led_suit_word(contract, first), bone_label(first), bone_label(reply)
    return _(text, leader=leader, lead=lead, suit=suit, replier=replier, reply=answer, winner=winner, count=count)


#: Numbers that the form asks for each player: (name of the entry, question, highest number allowed).
_COUNTS = (
    ("points", N_("Points won by {name}"), MAX_POINTS),
    ("tricks_won", N_("Tricks won by {name} (nello only)"), TRICKS),
)


def score_questions(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """Return the form that asks for the players' names and the results of `parts` hands.

    `answers` are the entries so far, by field name. The questions contain the players' names that were entered.
    """
    names = names_from_answers(answers, seats)
    groups = (
        player_name_questions(seats),
        *(group for number in range(parts) for group in _hand_question_groups(number, names)),
    )
    return Sheet(groups, options=("bid42", "must_ruff"), parts=parts, more=_("Another hand"))


def _hand_question_groups(number: int, names: list[str]) -> tuple[Group, Group]:
    """Return the two groups of questions about a hand. The first asks for the bid and the points, the second for the
    tricks, which may be entered instead of the points.

    `number` is the number of the hand, from 0.
    """
    at = ("hands", number)
    bidders = tuple((str(seat), name, seat) for seat, name in enumerate(names))
    contracts = (*((str(n), str(Suit(n)), str(n)) for n in range(NUMBERS)), ("nello", _("nello"), "nello"))
    fields = (
        Field((*at, "declarer"), _("Who bid highest?"), "choice", choices=bidders, optional=True),
        Field((*at, "bid"), _("The bid"), low=LOWEST_BID, high=HIGHEST_BID, optional=True),
        Field((*at, "contract"), _("Trumps"), "faces", choices=contracts, face="half-{}", optional=True),
        *(
            Field((*at, entry, seat), _(asked, name=name), high=most, optional=True)
            for entry, asked, most in _COUNTS
            for seat, name in enumerate(names)
        ),
        Field((*at, "claim"), _("The bidder claimed"), "switch"),
        Field((*at, "thrown_in"), _("Both passed: hand thrown in"), "switch"),
    )
    note = _("Enter each player’s points from stage two, or the tricks instead.")
    bones = tuple((bone_name(bone), bone_label(bone), bone_name(bone)) for bone in reversed(range(BONES)))
    laid = (
        Field((*at, "tricks", trick, turn), _(asked, number=trick + 1), "faces", choices=bones, optional=True)
        for trick in range(TRICKS)
        for turn, asked in enumerate((N_("trick {number}, lead"), N_("trick {number}, reply")))
    )
    by_tricks = _("Hand {number}: tricks", number=number + 1)
    order = _("You can enter each trick’s lead and reply instead of the points.")
    return (
        Group(_("Hand {number}", number=number + 1), fields, columns=2, note=note),
        Group(by_tricks, tuple(laid), columns=4, optional=True, note=order),
    )
