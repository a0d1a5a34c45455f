"""Prompts of SCOUT: the question to a player, and the places and buttons from which the player chooses.

A prompt also has the reasons why other places and buttons cannot be chosen now. In the code, a touch is the choice of a
place or button, and a refusal is such a reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property, partial

from facedown.core.grammar import acting_seats, capital, in_words, player_phrase
from facedown.core.state import RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Choice, Refusals, Sitter, TouchPath, TouchStep, refusals_for, steps_from_paths
from facedown.core.table_building import choosing_sentence, continue_step
from facedown.games.scout import view
from facedown.games.scout.action_text import decode_scout, decode_show
from facedown.games.scout.costly_moves import confirm_if_costly, outcomes_of
from facedown.games.scout.i18n import N_, _, n_
from facedown.games.scout.info import TWO_PLAYERS, FlipOrder, FlipPublic
from facedown.games.scout.legal_actions import Act
from facedown.games.scout.log import how_round_ended, match_result_sentence, round_winners_sentence
from facedown.games.scout.rules import RULES
from facedown.games.scout.state import Phase, ScoutPosition

ROUND_OVER = N_("This round is over. The next one starts once everyone is ready.")

# --- places on the table ----------------------------------------------------------------------------------------------


def hand_place_id(place: int) -> str:
    """Return the id of a place in the viewer's hand, such as "hand-1" for `place` 0."""
    return f"hand-{place + 1}"


def gap_place_id(place: int) -> str:
    """Return the id of the gap in the viewer's hand that has `place` cards to its left, such as "gap-0"."""
    return f"gap-{place}"


def active_place_id(place: int) -> str:
    """Return the id of a place in the Active Set (set on the table), such as "active-1" for `place` 0."""
    return f"active-{place + 1}"


# --- moves ------------------------------------------------------------------------------------------------------------


def refusal(known: View, action: int) -> str:
    """Return the sentence that says why the viewer, who is to act, may not take an action; "" if it is legal."""
    if action in RULES.legal_actions(known, known.viewer):
        return ""
    v = plain_view(known, ScoutPosition)
    kind = Act.decode(action)[0]
    if v.phase == Phase.FLIP:
        return _("First choose which way up to play this hand.")
    if v.phase == Phase.SCORING:
        return _(ROUND_OVER)
    if kind == Act.CONTINUE:
        return _("This round is not over yet.")
    if kind in (Act.KEEP, Act.FLIP):
        return _("You can flip your hand only before the first turn.")
    if kind == Act.SHOW:
        return _refusal_of_show(v, *decode_show(action))
    return _refusal_of_scout(v, action)


def _refusal_of_show(v: ScoutPosition, first: int, last: int) -> str:
    hand = view.up_numbers(view.own_hand(v))
    if last > len(hand):
        return _too_few_cards_text(len(hand))
    mine = hand[first - 1 : last]
    if not view.is_valid_set(mine):
        return _(
            "{cards} is not a set: you need equal numbers, or a run going up or down.", cards=view.join_numbers(mine)
        )
    return why_too_weak(mine, view.up_numbers(view.active_set(v)))


def _refusal_of_scout(v: ScoutPosition, action: int) -> str:
    both = action >= Act.SCOUT_AND_SHOW
    if reason := _why_no_scout(v):
        return reason
    if both and v.seats == TWO_PLAYERS:
        return _("There’s no Scout and Show with two players: after scouting, it’s still your turn.")
    if both and v.marker[v.viewer] == 0:
        return _("You’ve already used Scout and Show this round.")
    end, turned, place = decode_scout(action)
    cards = view.active_set(v)
    if end and len(cards) == 1:
        return _("The set has only one card: use “left” to scout it.")
    if place > v.hand[v.viewer]:
        return _too_few_cards_text(v.hand[v.viewer])
    card, left = (cards[-1], cards[:-1]) if end else (cards[0], cards[1:])
    number = card.down if turned else card.up
    against = view.join_numbers(view.up_numbers(left))
    return _("With the {number} in that place, nothing in your hand beats {left}.", number=number, left=against)


def _why_no_scout(v: ScoutPosition) -> str:
    """Return the sentence that says why the viewer may not scout any card in this turn; "" if scouting is possible."""
    if v.active == 0:
        return _("There’s nothing to scout. Show a card or a set.")
    if v.phase == Phase.SHOW:
        active = view.join_numbers(view.up_numbers(view.active_set(v)))
        return _("You’ve scouted. Now show something that beats {active}.", active=active)
    if v.seats == TWO_PLAYERS and v.coins[v.viewer] == 0:
        return _("You have no chips left to scout with.")
    return ""


def why_too_weak(mine: Sequence[int], theirs: Sequence[int]) -> str:
    """Return the sentence that says why the set `mine` does not beat the set `theirs`. Both are given by their numbers.

    >>> why_too_weak([4], [5, 6]), why_too_weak([4, 4], [5, 6, 7])
    ('The 4 doesn’t beat 5 6.', 'A pair doesn’t beat a run of three.')
    >>> why_too_weak([4, 5, 6], [5, 6, 7])
    '4 5 6 isn’t higher than 5 6 7.'
    """
    against = view.join_numbers(theirs)
    if len(mine) == 1:
        return _("The {number} doesn’t beat {theirs}.", number=mine[0], theirs=against)
    if len(mine) == len(theirs) and view.is_of_equal_numbers(mine) == view.is_of_equal_numbers(theirs):
        return _("{mine} isn’t higher than {theirs}.", mine=view.join_numbers(mine), theirs=against)
    against = view.beaten_set_phrase(theirs)
    return _("{mine} doesn’t beat {theirs}.", mine=capital(view.winning_set_phrase(mine)), theirs=against)


def _too_few_cards_text(cards: int) -> str:
    return n_("You have only {count} card.", "You have only {count} cards.", cards)


# --- reasons why places cannot be chosen ------------------------------------------------------------------------------


def waiting_sentence(v: ScoutPosition, sitters: Sequence[Sitter]) -> str:
    """Return the sentence that says whose move the game is waiting for. Call this only if the viewer is not to act."""
    if v.phase == Phase.SHOW:
        return _("{who} {who:have|has} scouted and will now show a set.", who=player_phrase(sitters, v.turn, v.viewer))
    if v.phase == Phase.SCORING:
        return _("Waiting for {who:you} to continue.", who=player_phrase(sitters, acting_seats(v), v.viewer))
    return choosing_sentence(v, sitters)


def refusals(v: ScoutPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Refusals:
    """Return (place, reason) for each card and gap that the viewer may try to choose, but cannot choose now.

    `actions` are the viewer's legal actions. The result is empty for a spectator, and after the match.
    """
    if v.viewer == SPECTATOR or v.over != RUNNING:
        return ()
    if not actions:
        chosen = v.phase == Phase.FLIP
        return _all_card_refusals(
            v, _("You’ve chosen. The first turn starts once everyone has.") if chosen else waiting_sentence(v, sitters)
        )
    if v.phase == Phase.SCORING:
        return _all_card_refusals(v, _(ROUND_OVER))
    if v.phase == Phase.FLIP:
        return ()
    return tuple(_first_choice_refusals(v, actions))


def _all_card_refusals(v: ScoutPosition, reason: str) -> Refusals:
    """Return (place, `reason`) for each card of the viewer's hand and of the Active Set (set on the table).

    `reason` is the sentence that says why none of these cards can be chosen now.
    """
    hand = (hand_place_id(place) for place in range(v.hand[v.viewer]))
    return refusals_for((*hand, *(active_place_id(place) for place in range(v.active))), reason)


def _first_choice_refusals(v: ScoutPosition, actions: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield (place, reason) for the places that cannot be chosen first in a turn.

    They are cards with which no legal Show starts or ends, cards that may not be scouted, and gaps in the hand.
    """
    slices = [decode_show(action) for action in actions if action < Act.SCOUT]
    ends = {place - 1 for ends in slices for place in ends}
    hand, theirs = view.up_numbers(view.own_hand(v)), view.up_numbers(view.active_set(v))
    for place in range(len(hand)):
        if place not in ends:
            yield hand_place_id(place), _why_no_show_starts_or_ends(hand, place, slices, theirs)
    if not theirs:
        return
    closed = _why_no_scout(v)
    if closed:
        yield from ((active_place_id(place), closed) for place in sorted({0, v.active - 1}))
    for place in range(1, v.active - 1):
        yield active_place_id(place), closed or _("You can scout only the left or right card of a set.")
    if not closed:
        first = _("First choose the card at one end of the set, then put it here.")
        yield from ((gap_place_id(place), first) for place in range(len(hand) + 1))


def _why_no_show_starts_or_ends(
    hand: Sequence[int], place: int, slices: Sequence[tuple[int, int]], theirs: Sequence[int]
) -> str:
    """Return the sentence that says why no legal Show starts or ends with the card at `place` (from 0) in the hand.

    * `hand`: the numbers of the hand.
    * `theirs`: the numbers of the Active Set (set on the table).
    * `slices`: the legal Shows as (first place, last place), counted from 1.
    """
    for first, last in slices:
        if first <= place + 1 <= last:
            cards = view.join_numbers(hand[first - 1 : last])
            return _("Choose the first or last card of {cards} to show that set.", cards=cards)
    return why_too_weak(view.strongest_set_containing(hand, place), theirs)


def hand_card_refusals(v: ScoutPosition, reason: str) -> Refusals:
    """Return (place, `reason`) for each card of the viewer's hand.

    `reason` is the sentence that says why none of these cards can be chosen now.
    """
    return refusals_for(map(hand_place_id, range(v.hand[v.viewer])), reason)


def hand_card_refusals_in_gap_step(v: ScoutPosition, number: int) -> Refusals:
    """Return (place, reason) for each card of the viewer's hand while the viewer chooses a gap for a scouted card.

    The reason says to choose a gap instead of a card. `number` is the number that is up on the scouted card.
    """
    return hand_card_refusals(v, _("Choose a gap: the {number} goes between your cards.", number=number))


#: Ids of the buttons.
SHOW_IT = "show"
SCOUT_IT = "scout"
TURN_IT = "turn"
BOTH = "scout-and-show"
PAIR = 2


def can_scout(v: ScoutPosition) -> bool:
    """Return whether the viewer may scout now: False for a spectator, and for a player who is not to act."""
    if v.viewer == SPECTATOR or v.acting >> v.viewer & 1 == 0:
        return False
    return v.phase == Phase.TURN and v.active > 0 and (v.seats != TWO_PLAYERS or v.coins[v.viewer] > 0)


def step_of(v: ScoutPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> TouchStep:
    """Return the prompt for the viewer, with the places and buttons by which each of the legal `actions` can be chosen.

    If `actions` is empty, the prompt says whose move the game is waiting for, or how the match ended.
    """
    if v.over != RUNNING:
        return TouchStep(match_result_sentence(v, sitters), how_round_ended(v, sitters))
    if v.phase == Phase.SCORING:
        said = round_winners_sentence(v, sitters)
        further = _("Continue to round {number}", number=v.round_number + 1)
        help_text = _("The next round starts once everyone is ready.")
        step = continue_step(v, actions, sitters, said, further, "score", help_text)
        refused = refusals(v, actions, sitters)
        return step._replace(help=f"{how_round_ended(v, sitters)} {step.help}", refusals=refused)
    if not actions:
        return _waiting_step(v, sitters)
    if v.phase == Phase.FLIP:
        return _flip_step(v)
    return _TurnPrompt(v, sitters, actions).step()


def _waiting_step(v: ScoutPosition, sitters: Sequence[Sitter]) -> TouchStep:
    flips = v.phase == Phase.FLIP and v.viewer != SPECTATOR
    help_text = _("You’ve chosen. The first turn starts once everyone has.") if flips else ""
    rule = {Phase.FLIP: "flip", Phase.SHOW: "scout-and-show"}.get(Phase(v.phase), "turn")
    refused = refusals(v, (), sitters)
    return TouchStep(waiting_sentence(v, sitters), help_text, rule=rule, refusals=refused)


def _flip_step(v: ScoutPosition) -> TouchStep:
    prompt = _("Which way up will you play this hand?")
    kept = N_("Flip now or never: each card is turned, but the order stays the same.")
    turned = N_("Flip now or never: each card is turned, and the order is reversed.")
    how = turned if v.opt.flip_order == FlipOrder.REVERSE else kept
    public = N_("Once everyone has chosen, you’ll all see who flipped.")  # SCT-18
    learns = public if v.opt.flip_public == FlipPublic.YES else N_("Nobody will know whether you flipped.")
    help_text = f"{_(how)} {_(learns)}"

    def way(reading: str, button: str, says: str, action: Act) -> Choice:
        play = Choice(button, button=says, primary=True, action=action.value)
        return Choice(reading, then=TouchStep(prompt, help_text, (play,), "flip"))

    keep = way("keep", "play-kept", _("Play as dealt"), Act.KEEP)
    flip = way("flip", "play-flipped", _("Play flipped"), Act.FLIP)
    return TouchStep(prompt, help_text, (keep, flip), "flip")


class _TurnPrompt:
    """Builder of the prompt for a turn: a tree of steps, in each of which the player chooses a place or a button.

    In the first step the player chooses a card of the hand, an end of the Active Set (set on the table), or the button
    for a Scout and Show.
    """

    def __init__(self, v: ScoutPosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> None:
        self.v = v
        self.sitters = sitters
        self.actions = actions
        self.hand = view.own_hand(v)
        self.active = view.active_set(v)
        self.theirs = view.up_numbers(self.active)
        self.owner = player_phrase(sitters, v.owner, v.viewer)
        self.forced = v.phase == Phase.SHOW
        self.cards = {hand_place_id(i): i for i in range(len(self.hand))}
        self.gaps = {gap_place_id(i): i for i in range(len(self.hand) + 1)}
        self.ends = {active_place_id(i): self.active[i] for i in {0, len(self.active) - 1} if self.active}
        self.slices = {decode_show(action) for action in actions if action < Act.SCOUT}
        self.outcomes = outcomes_of(v, actions)
        # Cache the results of these functions, because many steps of the prompt need the same results.
        self.refuse_cards_beside_gaps = cache(partial(hand_card_refusals_in_gap_step, v))
        self.set_text_with_card = cache(partial(view.text_of_set_with_card, self.hand))

    def step(self) -> TouchStep:
        """Return the first step of the prompt. Each choice (place or button) contains the step that follows it."""
        tree = steps_from_paths(self._paths(), self._ask, self._decorate_choice)
        ready = self.v.marker[self.v.viewer] == 1 and not self.forced
        if ready and self.active and not any(Act.decode(action)[0] == Act.SCOUT_AND_SHOW for action in self.actions):
            nothing = _("Whichever card you scout, nothing in your hand would beat what’s left of the set.")  # SCT-10
            grey = Choice(BOTH, button=_("Scout and Show"), refuses=nothing)
            tree = tree._replace(choices=(*tree.choices, grey))
        return tree

    # --- places and buttons that the player chooses ------------------------------------------------------------------

    def _paths(self) -> list[tuple[int, TouchPath]]:
        paths: list[tuple[int, TouchPath]] = []
        for action in self.actions:
            if action < Act.SCOUT:
                first, last = (hand_place_id(place - 1) for place in decode_show(action))
                ends = [(first,)] if first == last else [(first, last), (last, first)]
                paths += [(action, (*touched, SHOW_IT)) for touched in ends]
            else:
                both = (BOTH,) if action >= Act.SCOUT_AND_SHOW else ()
                end, turned, place = decode_scout(action)
                taken = active_place_id(len(self.active) - 1 if end else 0)
                turn = (TURN_IT,) if turned else ()
                paths.append((action, (*both, taken, gap_place_id(place), *turn, SCOUT_IT)))
        return paths

    def _decorate_choice(self, path: TouchPath, bare: Choice) -> Choice:
        last = path[-1]
        if last == SHOW_IT:
            cards = view.join_numbers(self._slice_numbers(path[:-1]))
            show = bare._replace(button=_("Show {cards}", cards=cards), primary=True)
            return confirm_if_costly(self.v, show, self.outcomes, self.sitters)
        if last == BOTH:
            return bare._replace(button=_("Scout and Show"))
        card, _turned, place = self._parse_scout_path(path)
        if last in self.gaps and card is not None:
            return bare._replace(says=self.set_text_with_card(card, place))
        if last == TURN_IT and card is not None:
            turn, done = _("Turn to {number}", number=card.up), _("turned to {number}", number=card.up)
            return bare._replace(button=turn, sign="turn", face=card.code, done=done)
        if last == SCOUT_IT:
            scout = bare._replace(button=self.scout_and_scout_show_button_texts[path[0] == BOTH], primary=True)
            return confirm_if_costly(self.v, scout, self.outcomes, self.sitters)
        return bare

    @cached_property
    def scout_and_scout_show_button_texts(self) -> list[str]:
        """The two possible texts of the button that confirms a Scout: for a Scout alone, and for a Scout and Show."""
        texts = N_("Scout ({who:you} {who:get|gets} a coin)"), N_("Scout ({who:you} {who:get|gets} a coin), then show")
        if self.v.seats == TWO_PLAYERS:
            texts = N_("Pay a chip to scout"), N_("Pay a chip to scout")
        return [_(text, who=self.owner.brief) for text in texts]

    def _slice_numbers(self, prefix: TouchPath) -> list[int]:
        places = sorted(self.cards[touch] for touch in prefix)
        return view.up_numbers(self.hand[places[0] : places[-1] + 1])

    def _parse_scout_path(self, path: TouchPath) -> tuple[view.Card | None, bool, int]:
        """Return (card, turned, place) for a Scout of which the player has chosen only a part so far.

        * `card`: the card to scout, or None if no card was chosen yet. If the player has chosen to turn it, the card is
          returned the other way up.
        * `turned`: whether the player has chosen to turn the card the other way up.
        * `place`: the number of cards to the left of the chosen gap in the hand, or -1 if no gap was chosen yet.

        `path` lists the ids of the places and buttons chosen so far.
        """
        card = next((self.ends[touch] for touch in path if touch in self.ends), None)
        place = next((self.gaps[touch] for touch in path if touch in self.gaps), -1)
        turned = TURN_IT in path
        return (card.turned() if card and turned else card), turned, place

    # --- prompts ------------------------------------------------------------------------------------------------------

    def _ask(self, prefix: TouchPath) -> TouchStep:
        if not prefix:
            return self._ask_first()
        return self._ask_show(prefix) if prefix[0] in self.cards else self._ask_scout(prefix)

    def _ask_first(self) -> TouchStep:
        active = view.join_numbers(self.theirs)
        rule, help_text = "show", ""
        if not self.active:
            prompt = _("Now show a card or a set.") if self.forced else _("Show a card or a set.")
            help_text = _("A set is a group of neighbouring cards: equal numbers, or numbers going up or down by one.")
        elif self.forced:
            prompt, rule = _("Now show something that beats {active}.", active=active), "scout-and-show"
            help_text = _("You’ve scouted. It’s still your turn.")
        elif all(action < Act.SCOUT for action in self.actions):
            prompt = _("Beat {who:'your} {active}.", who=self.owner, active=active)
            if self.v.seats == TWO_PLAYERS:
                help_text = _("You have no chips left to scout with.")
        elif not self.slices:
            prompt, rule = self._scout_only_prompt(), "scout"
            text = N_("Nothing in your hand beats {active}. Choose a card at either end of the set.")
            help_text = _(text, active=active)
        else:
            prompt, rule = _("Beat {who:'your} {active} or scout?", who=self.owner, active=active), "turn"
            help_text = _("Choose both ends of your set, or one end of the set on the table.")
        refused = refusals(self.v, self.actions, self.sitters)
        return TouchStep(prompt, help_text, rule=rule, refusals=refused, picks="slice")

    def _scout_only_prompt(self) -> str:
        """Return the question for a turn in which the player can only scout, because no set in the hand can be shown.

        It names the owner of the set on the table, and says whether the set is a card, a run or a match.
        """
        alike = ""
        if len(self.theirs) == 1:
            text = N_("Scout {who:'your} card.")
        elif not view.is_of_equal_numbers(self.theirs):
            text = N_("Scout a card from {who:'your} run.")
        elif len(self.theirs) == PAIR:
            text = N_("Scout a card from {who:'your} pair.")
        else:
            text, alike = N_("Scout a card from {who:'your} {alike}."), view.three_or_more_of_a_kind_phrase(self.theirs)
        return _(text, who=self.owner, alike=alike)

    def _ask_show(self, prefix: TouchPath) -> TouchStep:
        places = sorted(self.cards[touch] + 1 for touch in prefix)
        if (places[0], places[-1]) not in self.slices:
            return TouchStep(_("Show which cards?"), _("Choose the other end of the set."), rule="show", picks="slice")
        mine = self._slice_numbers(prefix)
        help_text = self._consequence_of_show(mine)
        if len(prefix) == 1 and any(first < last and places[0] in (first, last) for first, last in self.slices):
            longer = _("For a longer set, choose its other end.")
            help_text = f"{help_text} {longer}"
        return TouchStep(
            _("Show {cards}?", cards=view.set_phrase_for_question(mine)), help_text, rule="strength", picks="slice"
        )

    def _consequence_of_show(self, mine: Sequence[int]) -> str:
        if not self.active:
            said = [_("There’s nothing to beat and nothing to win.")]
        elif len(self.theirs) == 1:
            said = [view.why_it_beats(mine, self.theirs), _("You win {who:'your} card.", who=self.owner)]
        else:
            taken = _("You win {who:'your} {count} cards.", who=self.owner, count=in_words(len(self.theirs)))
            said = [view.why_it_beats(mine, self.theirs), taken]
        if len(mine) == len(self.hand):
            said.append(_("That’s your whole hand."))
        return " ".join(said)

    def _ask_scout(self, prefix: TouchPath) -> TouchStep:
        rule = "scout-and-show" if prefix[0] == BOTH else "scout"
        card, turned, place = self._parse_scout_path(prefix)
        if card is None:
            prompt = _("Which end card will you scout before you show?")
            help_text = _("You may Scout and Show once a round. Your set must beat what’s left.")
            first = _("First choose a card to scout, then show a set.")
            return TouchStep(prompt, help_text, rule=rule, refusals=hand_card_refusals(self.v, first))
        refused = self.refuse_cards_beside_gaps(card.up)
        if place < 0:
            help_text = _("Choose a gap in your hand. You can still turn the card to {number}.", number=card.down)
            return TouchStep(_("Where does the {number} go?", number=card.up), help_text, rule=rule, refusals=refused)
        made = self.set_text_with_card(card, place)
        text = N_("Put the {number} here? That makes {made}.") if made else N_("Put the {number} here?")
        prompt = _(text, number=card.up, made=made)
        slide = N_("You can still choose another gap or turn the card.")
        help_text = _("You can still choose another gap.") if turned else _(slide)
        return TouchStep(prompt, help_text, rule=rule, refusals=refused)
