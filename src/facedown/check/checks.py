"""All that a game is held to, check by check, with figures: what ``facedown check-game`` prints."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from facedown.bots import bot, seated
from facedown.bots.simple_bots import greedy
from facedown.check import compiled_parity, game_laws, refusal_reasons
from facedown.check.browser import why_not
from facedown.check.random_matches import SITTERS, moments, play_randomly, random_match, situations
from facedown.check.step_leaks import in_a_step, in_the_deal, of_a_choice
from facedown.check.view_leaks import interferences, viewers
from facedown.core.bot import generator_for
from facedown.core.field_types import undeclared
from facedown.core.game_registry import GameModule, game, guide
from facedown.core.grammar import plural
from facedown.core.language import SOURCE, languages, speaking
from facedown.core.match import Match
from facedown.core.perft import perft
from facedown.core.rule import INTERPRETED
from facedown.core.state import to_bytes
from facedown.core.table import ways
from facedown.play.lessons import Lesson, lesson

#: How much each check looks at: matches, moves of each, situations, steps.
MATCHES, PLIES, SITUATIONS, STEPS, DEALS = 8, 60, 150, 1_500, 40
#: Sequences are counted as far as there are so many, and no deeper than this.
MOST_SEQUENCES, DEEPEST = 200_000, 12
#: A match of random moves is over by then, or never.
LONGEST = 50_000
#: A lesson of a minute or so takes no more touches.
MOST_TOUCHES = 16
#: A check stops when it has found so much.
MOST_PROBLEMS = 5


@dataclass
class Check:
    """What one check came to."""

    name: str
    figures: str = ""
    """What was looked at, in figures."""
    problems: list[str] = field(default_factory=list)
    """What is wrong, a sentence each; nothing where all is well."""
    warnings: list[str] = field(default_factory=list)
    """What may be meant, but often is not; it fails nothing."""
    left_out: str = ""
    """Why it could not be run here; empty where it was run."""


class Checks:
    """The checks of one game, or of its small variants for `research`; what is drawn at random follows from `seed`."""

    def __init__(self, name: str, seed: int, research: bool = False) -> None:
        self.game: GameModule = game(name)
        self.name = name
        self.seed = seed
        self.research = research
        self.match: Match | None = None
        """The match that is looked at."""

    def run(self, only: Collection[str] = ()) -> Iterator[Check]:
        """Each check, or each of the names in `only`, as soon as it has been run. One that raises has failed."""
        for name in NAMES:
            if only and name not in only:
                continue
            check, self.match = Check(name), None
            try:
                for problem in islice(getattr(self, name.replace("-", "_"))(check), MOST_PROBLEMS):
                    check.problems.append(problem + self._where())
            except Exception as problem:  # noqa: BLE001 - whatever a game's own code raises is told, not passed on
                check.problems.append(f"{type(problem).__name__}: {problem}{self._where()}")
            yield check

    def _where(self) -> str:
        """The moment of the match that is looked at, to stand behind what is wrong in it."""
        match = self.match
        where = match and f"{match.seats} seats, options {match.options}, match {match.seed.hex()}, move {match.ply}"
        return f"   [{where}]" if where else ""

    def chance(self, what: str) -> random.Random:
        """A generator for one purpose."""
        return random.Random(f"{self.name} {self.seed} {what}")

    def matches(self, what: str, count: int = MATCHES) -> Iterator[Match]:
        """Matches with all options at random."""
        rnd = self.chance(what)
        for _ in range(count):
            self.match = random_match(self.name, rnd, self.research)
            yield self.match
        self.match = None

    def moments(self, what: str, plies: int = PLIES) -> Iterator[tuple[Match, random.Random]]:
        """The moments of such matches, and a generator for them."""
        rnd = self.chance(what)
        return ((match, rnd) for match in self.matches(what) for _ in moments(match, rnd, plies))

    def lessons(self) -> Iterator[Lesson]:
        """The game's lesson in every language, if it brings one."""
        for code in languages():
            with speaking(code):
                found = lesson(self.name)
            if found is not None:
                yield found

    # --- words and rules ---------------------------------------------------------------------------------------------

    def words(self, check: Check) -> Iterator[str]:
        """Words of actions and cards, and options."""
        if plain := undeclared(self.game.rules.record):
            check.warnings.append(f"plain numbers to learners, as they declare no meaning: {', '.join(plain)}")
        options = plural(len(self.game.info.options.options), "option")
        check.figures = f"{plural(self.game.actions, 'action')}, {plural(self.game.rules.kinds, 'card')}, {options}"
        yield from game_laws.words(self.game)
        yield from game_laws.options(self.game)

    def laws(self, check: Check) -> Iterator[str]:
        """Cards are conserved, legal moves follow from the view and can be touched, matches replay and are undone."""
        rnd = self.chance("laws")
        seen = 0
        for match in self.matches("laws"):
            for _ in moments(match, rnd, PLIES):
                seen += 1
                for law in (game_laws.conserved, game_laws.legality, game_laws.views, game_laws.phases):
                    yield from law(match)
                yield from game_laws.touches(match, self.game.tables.untouched)
            yield from game_laws.refused(match, rnd)
            yield from game_laws.replays(match)
        usual = Match(self.game, self.game.info.seats[0], {}, seed=rnd.randbytes(32))
        self.match = random_match(self.name, rnd, True) if self.research else usual
        yield from game_laws.end(self.match, rnd, LONGEST)
        check.figures = f"{plural(MATCHES, 'match', 'matches')}, {plural(seen, 'moment')}, one played to its end"

    def perft(self, check: Check) -> Iterator[str]:
        """How many sequences of moves there are: the same number as anybody gets who counts by the rules."""
        match = Match(self.game, self.game.info.seats[0], {}, seed=self.chance("perft").randbytes(32))
        counts = [1]
        while counts[-1] < MOST_SEQUENCES and len(counts) <= DEEPEST:
            counts.append(perft(self.game, match.state, len(counts)))
        if not counts[1]:
            yield "there is no first move"
        check.figures = f"{plural(match.seats, 'seat')}: {', '.join(map(str, counts))}"

    def two_speeds(self, check: Check) -> Iterator[str]:
        """Compiled and interpreted rules come to the same states and views."""
        if INTERPRETED:
            check.left_out = "rules run interpreted only: FACEDOWN_INTERPRETED is set"
            return
        numbers = range(-MATCHES, 0) if self.research else range(MATCHES)
        call = [
            sys.executable,
            "-m",
            compiled_parity.__name__,
            self.name,
            str(self.seed),
            str(PLIES),
            *map(str, numbers),
        ]
        environment = {**os.environ, "FACEDOWN_INTERPRETED": "1"}
        plain = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
        if plain.returncode:
            yield f"interpreted rules fail: {plain.stderr.strip().splitlines()[-1]}"
            return
        slow, fast = plain.stdout.splitlines(), compiled_parity.trace(self.name, self.seed, numbers, PLIES)
        check.figures = f"{plural(MATCHES, 'match', 'matches')}, {plural(len(fast), 'moment')}"
        if len(slow) != len(fast):
            yield f"interpreted rules come to {len(slow)} moments, compiled ones to {len(fast)}"
        for one, other in zip(slow, fast, strict=False):
            if one != other:
                yield f"they differ: {one.split(' after ')[0]}"

    # --- what is hidden ----------------------------------------------------------------------------------------------

    def non_interference(self, check: Check) -> Iterator[str]:
        """Whatever a viewer is shown follows from what the viewer knows."""
        rnd = self.chance("non-interference")
        for situation in situations(self.name, self.seed, SITUATIONS, self.research):
            key = np.frombuffer(rnd.randbytes(32), np.uint32).copy()
            self.match = situation.match
            watched = [rnd.choice(viewers(self.match))]
            for what in interferences(self.match, situation.before, key, watched=watched):
                yield f"not from the view: {what}"
        check.figures = f"{plural(SITUATIONS, 'situation')}: views, legal actions, table, log, page"

    def steps(self, check: Check) -> Iterator[str]:
        """No step makes public what is hidden, but what the rules declare (`core.disclosures`)."""
        rnd = self.chance("steps")
        steps, declared = 0, set[str]()
        while steps < STEPS:
            match = self.match = random_match(self.name, rnd, self.research)
            found = [
                each for _ in range(DEALS // 8) for each in in_the_deal(self.name, match.seats, match.options, rnd)
            ]
            play_randomly(match, rnd, rnd.choice((0, 0, 20, 60)))
            for _ in moments(match, rnd, PLIES):
                if not match.over:
                    steps += 1
                    found += [*in_a_step(match, rnd), *of_a_choice(match, rnd)]
            declared |= {each.field for each in found if each.declared}
            yield from (f"a step tells what is hidden in {each}" for each in found if not each.declared)
        check.figures = f"{plural(steps, 'step')}" + (f"; declared: {', '.join(sorted(declared))}" if declared else "")

    # --- what it brings ----------------------------------------------------------------------------------------------

    def bots(self, check: Check) -> Iterator[str]:
        """Its bots choose what is legal, by what the seat knows."""
        name = "greedy" if self.game.policy is not None else "random"
        rnd, player, moves = self.chance("bots"), bot(name), 0
        for match in self.matches("bots"):
            while match.ply < PLIES and not match.over:
                seat, seed = rnd.choice(match.acting), rnd.getrandbits(32)
                action = seated(player, match, seat, seed)
                if action not in match.legal(seat):
                    yield f"the {name} bot chooses {action}, which is not legal"
                    return
                if name == "greedy" and int(greedy(match.state, seat, generator_for(seed))) != action:
                    yield "the policy answers otherwise on a state than on the view"
                moves += 1
                match.play(seat, action)
        check.figures = f"{plural(moves, 'choice')} of the {name} bot"

    def evaluation(self, check: Check) -> Iterator[str]:
        """What rounds are worth lies between 0 and 1 for each seat."""
        if self.game.evaluation is None:
            check.figures = "the game brings none"
            return
        rounds = 0
        for match, _ in self.moments("evaluation", 4 * PLIES):
            if self.game.evaluation.round_is_terminal(match.state):
                rounds += 1
                before, values = to_bytes(match.state), np.full(match.seats, -1.0)
                self.game.evaluation.evaluate(match.state, values)
                if to_bytes(match.state) != before or not ((values >= 0) & (values <= 1)).all():
                    yield f"a round is worth {values.tolist()}"
        if not rounds:
            yield f"no round came to its end in {4 * PLIES} moves of {plural(MATCHES, 'match', 'matches')}"
        check.figures = f"{plural(rounds, 'round')}"

    def guide(self, check: Check) -> Iterator[str]:
        """Its guide has the places that prompts point to, and figures that can be drawn."""
        from facedown.play.guide_figures import figures_in, table_of
        from facedown.server import rendering

        text = guide(self.name)
        if text is None:
            check.figures = "the game brings none"
            return
        found, figures = rendering.guide_html(text), figures_in(self.name, text)
        for figure in figures:
            table_of(figure)
        for match, _ in self.moments("guide"):
            for seat in range(match.seats):
                steps = game_laws.all_steps(match.table(seat, SITTERS[: match.seats]).step)
                for missing in sorted({step.rule for step in steps if step.rule} - found.anchors):
                    yield f"a prompt points to #{missing}, which the guide has not"
        check.figures = f"{plural(len(found.anchors), 'place')}, {plural(len(figures), 'figure')}"

    def reasons(self, check: Check) -> Iterator[str]:
        """What is not allowed now says why, from the view alone, in words and when it is touched."""
        seen = 0
        for match, rnd in self.moments("reasons"):
            seen += 1
            # No seat is to act when a match is over.
            yield from refusal_reasons.answered(match, rnd)
            yield from refusal_reasons.from_the_view(match, rnd)
        check.figures = plural(seen, "moment")
        if self.game.words.why_not is not None:
            yield from refusal_reasons.unanswered(list(self.matches("touches", 4)), self.chance("touched"), PLIES)

    def lesson(self, check: Check) -> Iterator[str]:
        """Its lesson plays under the rules, in every language, and is one of a minute."""
        check.figures = "the game brings none"
        for found in self.lessons():
            tables = [found.table(at) for at in range(len(found.steps))]
            touches = sum(max(len(way) for way in ways(table.step)) for table in tables)
            check.figures = f"{plural(len(found.steps), 'step')}, {plural(touches, 'touch', 'touches')}"
            if not 3 <= touches <= MOST_TOUCHES:
                yield f"it takes {touches} touches: 3 to {MOST_TOUCHES} are a minute's"
            for at, table in enumerate(tables, 1):
                if not table.step.refusals:
                    yield f"step {at} does not answer a wrong touch ({found.code})"

    def languages(self, check: Check) -> Iterator[str]:
        """Its guide has the same places in every language."""
        from facedown.server import rendering

        source = guide(self.name)
        if source is None:
            check.figures = "the game has no guide"
            return
        spoken = [SOURCE]
        for code in languages():
            with speaking(code):
                text = guide(self.name)
            if code == SOURCE or text is None or text == source:
                continue
            spoken.append(code)
            for anchor in sorted(rendering.guide_html(source).anchors ^ rendering.guide_html(text).anchors):
                yield f"#{anchor} is not in both guides, {SOURCE} and {code}"
        check.figures = ", ".join(spoken)

    def layout(self, check: Check) -> Iterator[str]:
        """Everything that the data holds, and its lesson, can be seen on the page: at six sizes, in every language."""
        from facedown.check import page_layout

        check.left_out = why_not()
        if check.left_out:
            return
        shown: list[page_layout.Shown] = []
        for code in languages():
            shown += page_layout.positions(self.game, self.chance("layout"), code)
        for found in self.lessons():
            shown += page_layout.lesson_steps(found)
        sizes = ", ".join(f"{width}×{height}" for width, height in page_layout.SIZES)
        check.figures = f"{plural(len(shown), 'position')} in {', '.join(languages())} at {sizes}"
        yield from page_layout.wrong_with(shown, MOST_PROBLEMS)


#: The checks by their names, in the order in which they are run.
NAMES = (
    *("words", "laws", "perft", "two-speeds", "non-interference", "steps", "reasons"),
    *("bots", "evaluation", "guide", "lesson", "languages", "layout"),
)
