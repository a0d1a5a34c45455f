"""What a player of SCOUT is asked: the tree of touches, worked out from the player's own v."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.state import RUNNING, SPECTATOR
from facedown.core.table import Choice, Path, Sitter, Step, steps_from_paths
from facedown.core.usual import choosing, going_on
from facedown.core.voice import in_words, name_of, whose
from facedown.games.scout import view
from facedown.games.scout.cards import TWO_PLAYERS
from facedown.games.scout.info import FlipOrder, FlipPublic
from facedown.games.scout.log import how_round_ended, result_of, round_sentence
from facedown.games.scout.rules import Act
from facedown.games.scout.state import Phase, ScoutPosition
from facedown.games.scout.texts import _
from facedown.games.scout.words import scout_parts, show_parts

#: Buttons.
SHOW_IT = "show"
SCOUT_IT = "scout"
TURN_IT = "turn"
BOTH = "scout-and-show"


def hand_place(place: int) -> str:
    """The id of a place in the viewer's hand, from 0; the words count from 1."""
    return f"hand-{place + 1}"


def gap_place(place: int) -> str:
    """The id of the gap that has so many cards to its left."""
    return f"gap-{place}"


def active_place(place: int) -> str:
    """The id of a place in the Active Set, from 0."""
    return f"active-{place + 1}"


def can_scout(v: ScoutPosition) -> bool:
    """May the viewer scout now?"""
    if v.viewer == SPECTATOR or v.acting >> v.viewer & 1 == 0:
        return False
    return v.phase == Phase.TURN and v.active > 0 and (v.seats != TWO_PLAYERS or v.coins[v.viewer] > 0)


def step_of(v: ScoutPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked, who has these legal actions; without any, what is waited for."""
    if v.over != RUNNING:
        return Step(result_of(v, sitters), how_round_ended(v, sitters))
    if v.phase == Phase.SCORING:
        said = round_sentence(v, sitters)
        further = _("Continue to round {number}", number=v.round_number + 1)
        help_text = "The next round begins when everybody has gone on."
        step = going_on(v, actions, sitters, said, further, "score", help_text)
        return step._replace(help=f"{how_round_ended(v, sitters)} {step.help}")
    if not actions:
        return _waiting(v, sitters)
    if v.phase == Phase.FLIP:
        return _flip_step(v)
    return _Turn(v, sitters, actions).step()


def _waiting(v: ScoutPosition, sitters: Sequence[Sitter]) -> Step:
    if v.phase == Phase.FLIP:
        help_text = "" if v.viewer == SPECTATOR else "You have chosen. The first turn begins when all have."
        return Step(choosing(v, sitters), help_text, rule="flip")
    if v.phase == Phase.SHOW:
        return Step(f"{name_of(sitters, v.turn, v.viewer)} scouted and will show.", rule="scout-and-show")
    return Step(choosing(v, sitters), rule="turn")


def _flip_step(v: ScoutPosition) -> Step:
    prompt = "Which way up will you play this hand?"
    reverses = v.opt.flip_order == FlipOrder.REVERSE
    how = "every card and the order of the hand" if reverses else "every card; the order stays"
    told = v.opt.flip_public == FlipPublic.YES  # SCT-18
    learns = "sees it before all have chosen; then all learn who flipped" if told else "learns whether you did"
    help_text = f"Flipping turns {how}. Only now. Nobody {learns}."

    def way(reading: str, button: str, says: str, action: Act) -> Choice:
        play = Choice(button, button=says, primary=True, action=action.value)
        return Choice(reading, then=Step(prompt, help_text, (play,), "flip"))

    keep = way("keep", "play-kept", "Play it as dealt", Act.KEEP)
    flip = way("flip", "play-flipped", "Play it flipped", Act.FLIP)
    return Step(prompt, help_text, (keep, flip), "flip")


class _Turn:
    """The tree of touches of a turn: a slice of the hand, an end of the Active Set, or Scout and Show."""

    def __init__(self, v: ScoutPosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> None:
        self.v = v
        self.sitters = sitters
        self.actions = actions
        self.hand = view.own_hand(v)
        self.active = view.active_set(v)
        self.theirs = view.ups(self.active)
        self.forced = v.phase == Phase.SHOW
        self.cards = {hand_place(i): i for i in range(len(self.hand))}
        self.gaps = {gap_place(i): i for i in range(len(self.hand) + 1)}
        self.ends = {active_place(i): self.active[i] for i in {0, len(self.active) - 1} if self.active}

    def step(self) -> Step:
        """The whole tree."""
        tree = steps_from_paths(self._paths(), self._ask, self._dress)
        ready = self.v.marker[self.v.viewer] == 1 and not self.forced
        if ready and self.active and not any(Act.of(action)[0] == Act.SCOUT_AND_SHOW for action in self.actions):
            reason = "Whatever you scout, nothing in your hand would beat the rest."
            grey = Choice(BOTH, button="Scout and Show", refuses=reason)
            tree = tree._replace(choices=(*tree.choices, grey))
        return tree

    # --- touches ----------------------------------------------------------------------------------------------------

    def _paths(self) -> list[tuple[int, Path]]:
        paths: list[tuple[int, Path]] = []
        for action in self.actions:
            if action < Act.SCOUT:
                first, last = (hand_place(place - 1) for place in show_parts(action))
                ends = [(first,)] if first == last else [(first, last), (last, first)]
                paths += [(action, (*touched, SHOW_IT)) for touched in ends]
            else:
                both = (BOTH,) if action >= Act.SCOUT_AND_SHOW else ()
                end, turned, place = scout_parts(action)
                taken = active_place(len(self.active) - 1 if end else 0)
                turn = (TURN_IT,) if turned else ()
                paths.append((action, (*both, taken, gap_place(place), *turn, SCOUT_IT)))
        return paths

    def _dress(self, path: Path, bare: Choice) -> Choice:
        last = path[-1]
        if last == SHOW_IT:
            return bare._replace(button=f"Show {view.in_a_row(self._slice(path[:-1]))}", primary=True)
        if last == BOTH:
            return bare._replace(button="Scout and Show")
        card, _, place = self._scouted(path)
        if last in self.gaps and card is not None:
            return bare._replace(says=view.made_with(self.hand, card, place))
        if last == TURN_IT and card is not None:
            return bare._replace(button=f"Turn to {card.up}", sign="turn", face=card.code, done=f"turned to {card.up}")
        if last == SCOUT_IT:
            return bare._replace(button=self._scout_words(path[0] == BOTH), primary=True)
        return bare

    def _scout_words(self, both: bool) -> str:
        if self.v.seats == TWO_PLAYERS:
            return "Scout for a chip"
        coin = f"{name_of(self.sitters, self.v.owner, self.v.viewer)} gets a coin"
        return f"Scout, {coin}, then show" if both else f"Scout, {coin}"

    def _slice(self, prefix: Path) -> list[int]:
        places = sorted(self.cards[touch] for touch in prefix)
        return view.ups(self.hand[places[0] : places[-1] + 1])

    def _scouted(self, path: Path) -> tuple[view.Card | None, bool, int]:
        """What a path of a Scout says so far: the card as it would lie, is it turned, its place (-1: none yet)."""
        card = next((self.ends[touch] for touch in path if touch in self.ends), None)
        place = next((self.gaps[touch] for touch in path if touch in self.gaps), -1)
        turned = TURN_IT in path
        return (card.turned() if card and turned else card), turned, place

    # --- questions --------------------------------------------------------------------------------------------------

    def _ask(self, prefix: Path) -> Step:
        if not prefix:
            return self._ask_first()
        return self._ask_show(prefix) if prefix[0] in self.cards else self._ask_scout(prefix)

    def _whose(self) -> str:
        return whose(self.sitters, self.v.owner, self.v.viewer, middle=True)

    def _ask_first(self) -> Step:
        shows = [action for action in self.actions if action < Act.SCOUT]
        active = view.in_a_row(self.theirs)
        rule, help_text = "show", ""
        if not self.active:
            prompt = "Now show a card or a set." if self.forced else "Show a card or a set."
            help_text = "A set is neighbours in your hand: equal numbers, or numbers that go up or down one by one."
        elif self.forced:
            prompt, rule = f"Now show something that beats {active}.", "scout-and-show"
            help_text = "You have scouted; this is the same turn."
        elif len(shows) == len(self.actions):
            prompt = f"Beat {self._whose()} {active}."
            if self.v.seats == TWO_PLAYERS:
                help_text = "You have no chip left to scout with."
        elif not shows:
            prompt, rule = f"Scout a card of {self._whose()} {view.type_words(self.theirs)}.", "scout"
            help_text = f"Nothing in your hand beats {active}. Touch an end of the set to take that card."
        else:
            prompt, rule = f"Beat {self._whose()} {active}, or scout?", "turn"
            help_text = "Touch the first and the last card of your set, or an end of the other to take that card."
        return Step(prompt, help_text, rule=rule, refusals=tuple(self._refusals(shows)), picks="slice")

    def _refusals(self, shows: Sequence[int]) -> list[tuple[str, str]]:
        if not self.active:
            return []
        ends = {place - 1 for action in shows for place in show_parts(action)}
        middle = "Only the left or the right card of a set may be scouted."
        weak = [(hand_place(i), self._too_weak(i)) for i in range(len(self.hand)) if i not in ends]
        return [*weak, *((active_place(i), middle) for i in range(1, len(self.active) - 1))]

    def _too_weak(self, place: int) -> str:
        best = view.set_through(view.ups(self.hand), place)
        if len(best) == 1:
            return f"The {best[0]} does not beat {view.in_a_row(self.theirs)}."
        against = view.in_a_row(self.theirs) if len(self.theirs) == 1 else view.sized_words(self.theirs)
        return f"{view.sized_words(best).capitalize()} does not beat {against}."

    def _ask_show(self, prefix: Path) -> Step:
        slices = [show_parts(action) for action in self.actions if action < Act.SCOUT]
        places = sorted(self.cards[touch] + 1 for touch in prefix)
        if (places[0], places[-1]) not in slices:
            return Step("Up to which card?", "Touch the other end of the set.", rule="show", picks="slice")
        mine = self._slice(prefix)
        help_text = self._consequence(mine)
        if len(prefix) == 1 and any(first < last and places[0] in (first, last) for first, last in slices):
            help_text += " Or touch the other end of a longer set."
        return Step(f"Show {view.asked_words(mine)}?", help_text, rule="strength", picks="slice")

    def _consequence(self, mine: Sequence[int]) -> str:
        out = " You go out." if len(mine) == len(self.hand) else ""
        if not self.active:
            return f"Nothing lies there to beat, and nothing to win.{out}"
        cards = f"{in_words(len(self.theirs))} cards" if len(self.theirs) > 1 else "card"
        return f"{view.why_it_beats(mine, self.theirs)} You take {self._whose()} {cards}.{out}"

    def _ask_scout(self, prefix: Path) -> Step:
        rule = "scout-and-show" if prefix[0] == BOTH else "scout"
        card, turned, place = self._scouted(prefix)
        if card is None:
            return Step(
                "Scout which end, to show at once?", "Once a round. The show has to beat what is left.", rule=rule
            )
        if place < 0:
            help_text = f"Touch a gap in your hand. There you can still turn it to {card.down}."
            return Step(f"Where does the {card.up} go?", help_text, rule=rule)
        made = view.made_with(self.hand, card, place)
        gain = f" It makes {made}." if made else ""
        help_text = "Slide the gap to another place." if turned else "Slide the gap to another place, or turn the card."
        return Step(f"Take the {card.up} here?{gain}", help_text, rule=rule)
