"""All checks that a game must pass, with statistics of what was checked; ``facedown check-game`` prints the results."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from facedown.bots import bot, choose_for_seat
from facedown.bots.simple_bots import greedy
from facedown.check import compiled_parity, game_laws, refusal_reasons
from facedown.check.launch_chromium import unavailable_reason
from facedown.check.random_matches import (
    SITTERS,
    iterate_random_play,
    match_with_random_options,
    play_randomly,
    random_situations,
)
from facedown.check.step_leaks import leaks_in_deal, leaks_in_step, leaks_of_private_choice
from facedown.check.take_back_leaks import leaks_in_take_back
from facedown.check.view_leaks import leaking_output_names, viewers
from facedown.core.bot import generator_for
from facedown.core.field_meanings import fields_without_meaning
from facedown.core.game_registry import GameModule, game, guide
from facedown.core.grammar import count_with_noun
from facedown.core.match import Match
from facedown.core.perft import perft
from facedown.core.rule import INTERPRETED
from facedown.core.state import to_bytes
from facedown.core.table import touch_sequences
from facedown.core.translation import SOURCE_LANGUAGE, languages, use_language
from facedown.play.lessons import Lesson, lesson

#: Sample sizes of the checks: number of matches, of moves in each match (`PLIES`), of positions from random matches
#: (`SITUATIONS`, `TAKE_BACKS`), and of moves (`STEPS`) and deals that are checked for disclosed secrets.
MATCHES, PLIES, SITUATIONS, TAKE_BACKS, STEPS, DEALS = 8, 60, 150, 100, 1_500, 40
#: Number of moves from each position of a random match in which an early end is checked to the next.
EARLY_END_STEP = 12
#: Limits of perft (counting sequences of moves): it stops at this number of sequences, or at this depth.
MAX_SEQUENCES, MAX_DEPTH = 200_000, 12
#: Largest number of moves after which a match of random moves must be over.
MAX_PLIES = 50_000
#: Largest number of touches (clicks or taps) in a lesson that takes about a minute.
MAX_TOUCHES = 16
#: Number of problems at which a check stops.
MAX_PROBLEMS = 5


@dataclass
class CheckResult:
    """Result of one check of a game: statistics, problems and warnings."""

    name: str
    figures: str = ""
    """Statistics of what was checked."""
    problems: list[str] = field(default_factory=list)
    """Problems, one sentence each; empty if the check passed."""
    warnings: list[str] = field(default_factory=list)
    """Findings that are often mistakes but may be intended, one sentence each. The check still passes."""
    skip_reason: str = ""
    """Reason why the check could not run here; empty if it ran."""


class Checks:
    """Checks of one game. `seed` determines all random choices.

    If `research` is true, all matches use the game's research options (`core.options.Option.for_research`): variants
    for experiments, most of them with fewer cards.
    """

    def __init__(self, name: str, seed: int, research: bool = False) -> None:
        self.game: GameModule = game(name)
        self.name = name
        self.seed = seed
        self.research = research
        self.match: Match | None = None
        """Match that is being checked; None between matches."""

    def run(self, only: Collection[str] = ()) -> Iterator[CheckResult]:
        """Run the checks named in `only`, or all, and yield each result when it is ready.

        If a check raises an exception, the check stops, and the exception is reported as one of its problems.
        """
        for name in CHECK_NAMES:
            if only and name not in only:
                continue
            check, self.match = CheckResult(name), None
            try:
                for problem in islice(getattr(self, name.replace("-", "_"))(check), MAX_PROBLEMS):
                    check.problems.append(problem + self._position_text())
            except Exception as problem:  # noqa: BLE001 - whatever a game's own code raises is reported, not raised again
                check.problems.append(f"{type(problem).__name__}: {problem}{self._position_text()}")
            yield check

    def _position_text(self) -> str:
        """Return a description of the position that is being checked, to be appended to the text of a problem."""
        match = self.match
        where = match and f"{match.seats} seats, options {match.options}, match {match.seed.hex()}, move {match.ply}"
        return f"   [{where}]" if where else ""

    def random_generator(self, what: str) -> random.Random:
        """Return a random generator for one check. It is seeded by the game, `self.seed` and `what`, a check's name."""
        return random.Random(f"{self.name} {self.seed} {what}")

    def matches_with_random_options(self, what: str, count: int = MATCHES) -> Iterator[Match]:
        """Yield `count` matches with random options, before their first move.

        `what` is the name of the check. It is part of the random seed, so that different checks use different matches.
        """
        rnd = self.random_generator(what)
        for _ in range(count):
            self.match = match_with_random_options(self.name, rnd, self.research)
            yield self.match
        self.match = None

    def random_positions(self, what: str, plies: int = PLIES) -> Iterator[tuple[Match, random.Random]]:
        """Play random matches of at most `plies` moves, and yield (match, random generator) in each position.

        The generator is the same object each time. It chooses the moves of the matches, and the caller may use it for
        its own random choices. `what` is the name of the check. It is part of the random seed, so that different checks
        use different matches.
        """
        rnd = self.random_generator(what)
        return (
            (match, rnd)
            for match in self.matches_with_random_options(what)
            for _ in iterate_random_play(match, rnd, plies)
        )

    def lessons(self) -> Iterator[Lesson]:
        """Yield the game's lesson in every language; nothing if the game has no lesson."""
        for code in languages():
            with use_language(code):
                found = lesson(self.name)
            if found is not None:
                yield found

    # --- names and rules ---------------------------------------------------------------------------------------------

    def words(self, check: CheckResult) -> Iterator[str]:
        """Check the notation of actions, cards and options. Yield one sentence for each problem.

        Parsing the notation of an action, a card or an option value must give this action, card or value again.

        If the game declares no meaning (`core.field_meanings`) for some fields of its state record, add a warning to
        `check.warnings`.
        """
        if plain := fields_without_meaning(self.game.rules.record):
            check.warnings.append(f"plain numbers to learners, because they declare no meaning: {', '.join(plain)}")
        options = count_with_noun(len(self.game.info.options.options), "option")
        actions, cards = count_with_noun(self.game.actions, "action"), count_with_noun(self.game.rules.kinds, "card")
        check.figures = f"{actions}, {cards}, {options}"
        yield from game_laws.check_notation(self.game)
        yield from game_laws.check_option_notation_and_labels(self.game)

    def laws(self, check: CheckResult) -> Iterator[str]:
        """Check that matches obey the laws in `check.game_laws`. Yield one sentence for each violation.

        The laws are:

        * No card is lost or added.
        * A seat's legal moves can be computed from its own view, and be chosen by clicks or taps on the table.
        * A view contains only cards that the viewer knows.
        * The players' clocks and the table use the same name for a phase.
        * Illegal moves are refused.
        * A replay leads to the same position, and undo to the position before the last move.
        * A match of random moves ends.
        * Players can end a match early.
        """
        rnd = self.random_generator("laws")
        seen = 0
        for match in self.matches_with_random_options("laws"):
            for ply in iterate_random_play(match, rnd, PLIES):
                seen += 1
                if ply % EARLY_END_STEP == 0:
                    yield from game_laws.check_early_end(match, rnd)
                for law in (
                    game_laws.check_cards_conserved,
                    game_laws.check_legal_actions,
                    game_laws.check_views,
                    game_laws.check_table_shows_declared_phase_name,
                ):
                    yield from law(match)
                yield from game_laws.check_touches(match, self.game.tables.text_only_phases)
            yield from game_laws.check_illegal_refused(match, rnd)
            yield from game_laws.check_replay_and_undo(match)
        usual = Match(self.game, self.game.info.seats[0], {}, seed=rnd.randbytes(32))
        self.match = match_with_random_options(self.name, rnd, True) if self.research else usual
        yield from game_laws.check_match_ends(self.match, rnd, MAX_PLIES)
        check.figures = (
            f"{count_with_noun(MATCHES, 'match', 'matches')}, {count_with_noun(seen, 'moment')}, one played to its end"
        )

    def perft(self, check: CheckResult) -> Iterator[str]:
        """Count the sequences of 1, 2, 3 … moves (perft), for comparison with an independent implementation.

        Write the counts into `check.figures`. Yield a problem only if the game has no first move.
        """
        match = Match(self.game, self.game.info.seats[0], {}, seed=self.random_generator("perft").randbytes(32))
        counts = [1]
        while counts[-1] < MAX_SEQUENCES and len(counts) <= MAX_DEPTH:
            counts.append(perft(self.game, match.state, len(counts)))
        if not counts[1]:
            yield "there is no first move"
        check.figures = f"{count_with_noun(match.seats, 'seat')}: {', '.join(map(str, counts))}"

    def two_speeds(self, check: CheckResult) -> Iterator[str]:
        """Check that a game's compiled code and the same code as plain Python produce the same states and views.

        Yield one sentence for each difference.
        """
        if INTERPRETED:
            check.skip_reason = "rules run interpreted only: FACEDOWN_INTERPRETED is set"
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
        slow, fast = (
            plain.stdout.splitlines(),
            compiled_parity.position_hash_lines(self.name, self.seed, numbers, PLIES),
        )
        check.figures = f"{count_with_noun(MATCHES, 'match', 'matches')}, {count_with_noun(len(fast), 'moment')}"
        if len(slow) != len(fast):
            yield f"interpreted rules give {len(slow)} moments, compiled ones {len(fast)}"
        for one, other in zip(slow, fast, strict=False):
            if one != other:
                yield f"interpreted and compiled rules differ: {one.split(' after ')[0]}"

    # --- hidden information ------------------------------------------------------------------------------------------

    def non_interference(self, check: CheckResult) -> Iterator[str]:
        """Check that everything a viewer is shown follows from what the viewer knows (`check.view_leaks`).

        Yield one sentence for each output that does not.
        """
        rnd = self.random_generator("non-interference")
        for situation in random_situations(self.name, self.seed, SITUATIONS, self.research):
            key = np.frombuffer(rnd.randbytes(32), np.uint32).copy()
            self.match = situation.match
            watched = [rnd.choice(viewers(self.match))]
            for what in leaking_output_names(self.match, situation.before, key, watched=watched):
                yield f"does not follow from the view: {what}"
        check.figures = f"{count_with_noun(SITUATIONS, 'situation')}: views, legal actions, table, log, page"

    def steps(self, check: CheckResult) -> Iterator[str]:
        """Check that no deal or move makes hidden information public, except what the rules declare.

        Yield one sentence for each leak. The declarations are described in `core.disclosures`.
        """
        rnd = self.random_generator("steps")
        steps, declared = 0, set[str]()
        while steps < STEPS:
            match = self.match = match_with_random_options(self.name, rnd, self.research)
            found = [
                each for _ in range(DEALS // 8) for each in leaks_in_deal(self.name, match.seats, match.options, rnd)
            ]
            play_randomly(match, rnd, rnd.choice((0, 0, 20, 60)))
            for _ in iterate_random_play(match, rnd, PLIES):
                if not match.over:
                    steps += 1
                    found += [*leaks_in_step(match, rnd), *leaks_of_private_choice(match, rnd)]
            declared |= {each.field for each in found if each.declared}
            yield from (f"a step reveals hidden information in {each}" for each in found if not each.declared)
        check.figures = f"{count_with_noun(steps, 'step')}" + (
            f"; declared: {', '.join(sorted(declared))}" if declared else ""
        )

    def take_backs(self, check: CheckResult) -> Iterator[str]:
        """Check that moves can be taken back only if no viewer learned anything hidden (`check.take_back_leaks`).

        Yield one sentence for each leak.
        """
        rnd = self.random_generator("take-backs")
        for situation in random_situations(self.name, self.seed, TAKE_BACKS, self.research):
            self.match = situation.match
            yield from leaks_in_take_back(situation.match, rnd)
        check.figures = count_with_noun(TAKE_BACKS, "situation")

    # --- bots, guide, lesson and page --------------------------------------------------------------------------------

    def bots(self, check: CheckResult) -> Iterator[str]:
        """Check that the moves of the greedy bot are legal and depend only on what its seat knows.

        For a game without a greedy bot, check that the moves of the random bot are legal. Yield one sentence for each
        problem.
        """
        name = "greedy" if self.game.policy is not None else "random"
        rnd, player, moves = self.random_generator("bots"), bot(name), 0
        for match in self.matches_with_random_options("bots"):
            while match.ply < PLIES and not match.over:
                seat, seed = rnd.choice(match.acting), rnd.getrandbits(32)
                action = choose_for_seat(player, match, seat, seed)
                if action not in match.legal(seat):
                    yield f"the {name} bot chooses {action}, which is not legal"
                    return
                if name == "greedy" and int(greedy(match.state, seat, generator_for(seed))) != action:
                    yield "the policy answers otherwise on a state than on the view"
                moves += 1
                match.play(seat, action)
        check.figures = f"{count_with_noun(moves, 'choice')} of the {name} bot"

    def evaluation(self, check: CheckResult) -> Iterator[str]:
        """Check that the game's evaluation gives each seat a value from 0 to 1 when a round is decided.

        Positions of random matches are checked. A round is decided if `Evaluation.round_is_terminal` returns True. Then
        search bots play no further, because the rest of the play says nothing about earlier moves. In each such
        position, `Evaluation.evaluate` must write a value from 0 to 1 for each seat, and must not change the state. At
        least one match must reach such a position.

        Yield one sentence for each problem. If the game has no evaluation, check nothing.
        """
        if self.game.evaluation is None:
            check.figures = "the game brings none"
            return
        rounds = 0
        for match, _ in self.random_positions("evaluation", 4 * PLIES):
            if self.game.evaluation.round_is_terminal(match.state):
                rounds += 1
                before, values = to_bytes(match.state), np.full(match.seats, -1.0)
                self.game.evaluation.evaluate(match.state, values)
                if to_bytes(match.state) != before or not ((values >= 0) & (values <= 1)).all():
                    yield f"a round is worth {values.tolist()}"
        if not rounds:
            yield f"no round ended in {4 * PLIES} moves of {count_with_noun(MATCHES, 'match', 'matches')}"
        check.figures = f"{count_with_noun(rounds, 'round')}"

    def guide(self, check: CheckResult) -> Iterator[str]:
        """Check that the figures in the game's guide can be drawn, and that all links from the table to the guide work.

        The prompts, which ask players for a move, link to anchors in the guide. Yield one sentence for each anchor that
        the guide lacks. A figure that cannot be drawn raises an exception.
        """
        from facedown.play.guide_figures import figures_in, table_of
        from facedown.server import rendering

        text = guide(self.name)
        if text is None:
            check.figures = "the game brings none"
            return
        found, figures = rendering.guide_html(text), figures_in(self.name, text)
        for figure in figures:
            table_of(figure)
        for match, _ in self.random_positions("guide"):
            for seat in range(match.seats):
                steps = game_laws.all_touch_steps(match.table(seat, SITTERS[: match.seats]).step)
                for missing in sorted({step.rule for step in steps if step.rule} - found.anchors):
                    yield f"a prompt points to #{missing}, which the guide does not have"
        check.figures = f"{count_with_noun(len(found.anchors), 'place')}, {count_with_noun(len(figures), 'figure')}"

    def reasons(self, check: CheckResult) -> Iterator[str]:
        """Check that the game says why a move or click is not allowed, and that this reason reveals no hidden cards.

        The reason (`Words.why_not`) must follow from the player's own view. Yield one sentence for each problem.
        """
        seen = 0
        for match, rnd in self.random_positions("reasons"):
            seen += 1
            # A finished match needs no special case, because no seat is to act in it.
            yield from refusal_reasons.check_reasons_given(match, rnd)
            yield from refusal_reasons.check_reasons_follow_view(match, rnd)
        check.figures = count_with_noun(seen, "moment")
        if self.game.words.why_not is not None:
            yield from refusal_reasons.check_inactive_places_have_reasons(
                list(self.matches_with_random_options("touches", 4)), self.random_generator("touched"), PLIES
            )

    def lesson(self, check: CheckResult) -> Iterator[str]:
        """Check that the lesson can be played in every language, takes about a minute, and explains wrong clicks.

        Yield one sentence for each problem.
        """
        check.figures = "the game brings none"
        for found in self.lessons():
            tables = [found.table(at) for at in range(len(found.steps))]
            touches = sum(max(len(way) for way in touch_sequences(table.step)) for table in tables)
            check.figures = (
                f"{count_with_noun(len(found.steps), 'step')}, {count_with_noun(touches, 'touch', 'touches')}"
            )
            if not 3 <= touches <= MAX_TOUCHES:
                yield f"it takes {touches} touches; a minute allows 3 to {MAX_TOUCHES}"
            for at, table in enumerate(tables, 1):
                if not table.step.refusals:
                    yield f"step {at} does not answer a wrong touch ({found.code})"

    def languages(self, check: CheckResult) -> Iterator[str]:
        """Check that the game's guide has the same anchors in every language.

        Yield one sentence for each anchor that a translation lacks or adds.
        """
        from facedown.server import rendering

        source = guide(self.name)
        if source is None:
            check.figures = "the game has no guide"
            return
        spoken = [SOURCE_LANGUAGE]
        for code in languages():
            with use_language(code):
                text = guide(self.name)
            if code == SOURCE_LANGUAGE or text is None or text == source:
                continue
            spoken.append(code)
            for anchor in sorted(rendering.guide_html(source).anchors ^ rendering.guide_html(text).anchors):
                yield f"#{anchor} is not in both guides, {SOURCE_LANGUAGE} and {code}"
        check.figures = ", ".join(spoken)

    def layout(self, check: CheckResult) -> Iterator[str]:
        """Check that no content of a table is invisible, cut off or covered on its page.

        The pages of matches and of the lesson are checked in a browser, in every language and at six window sizes.
        Yield one sentence for each problem. If no browser can be used, only set `check.skip_reason`.
        """
        from facedown.check import page_layout

        check.skip_reason = unavailable_reason()
        if check.skip_reason:
            return
        shown: list[page_layout.RenderedPage] = []
        for code in languages():
            shown += page_layout.render_fullest_positions(self.game, self.random_generator("layout"), code)
        for found in self.lessons():
            shown += page_layout.render_lesson_steps(found)
        sizes = ", ".join(f"{width}×{height}" for width, height in page_layout.SIZES)
        check.figures = f"{count_with_noun(len(shown), 'position')} in {', '.join(languages())} at {sizes}"
        yield from page_layout.layout_problems(shown, MAX_PROBLEMS)


#: Names of the checks, in the order in which they run.
CHECK_NAMES = (
    *("words", "laws", "perft", "two-speeds", "non-interference", "steps", "take-backs", "reasons"),
    *("bots", "evaluation", "guide", "lesson", "languages", "layout"),
)
