"""Rules with a leak planted in them, and whether the law of steps sees it; run interpreted, in a process of its own.

Each mutant runs a rule and then writes what it should not into a public field.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from facedown.check.driver import play_randomly, random_match
from facedown.check.steps import in_a_step, in_the_deal, of_a_choice
from facedown.core.game import game

#: GameModule, rule, the rule with a leak (given the true rule and its arguments).
Mutant = tuple[str, str, Callable[..., Any]]
STEPS = 3_000


def rules_of(name: str) -> ModuleType:
    """The module that a game's rules stand in."""
    return sys.modules[game(name).rules.module]


def _detect_draw(s: Any, seat: int) -> None:
    s.last_out = int(s.card[rules_of("detect").HAND])


def _detect_deal(s: Any, deck: Any) -> None:
    s.last_number = int(s.card[0])


def _reveal_swap(s: Any, seat: int, places: int) -> None:
    s.colour[seat] = int(s.card[rules_of("reveal").side(seat, int(s.row), 0)])


def _reveal_row(s: Any) -> None:
    s.score[0] = int(s.card[rules_of("reveal").FINALS])


def _reveal_choice(s: Any, seat: int, action: int) -> None:
    s.score[seat] = int(s.card[rules_of("reveal").FINALS + seat])


def _reveille_draw(s: Any, seat: int, place: int) -> None:
    s.ended = int(s.card[seat * 7])


def _reveille_call(s: Any, seat: int, bid: int) -> None:
    s.offer = 42 - int(s.card[seat * 7])


def _uncovered_turn(s: Any) -> None:
    s.won = int(s.card[0])


def _scout_scout(s: Any, seat: int, way: int) -> None:
    s.score[seat] = int(s.card[rules_of("scout").base(s, seat)])


def _scout_show(s: Any, seat: int, place: int, cards: int) -> None:
    s.coins[seat] += int(s.flip[rules_of("scout").base(s, seat)]) if s.hand[seat] else 0


def _scout_place(s: Any, seat: int, way: int) -> None:
    s.last_place = way % rules_of("scout").PLACES


def _reveal_order(s: Any) -> None:
    s.score[0] = int(s.card[rules_of("reveal").side(0, int(s.row) - 1, 0)])


MUTANTS: dict[str, Mutant] = {
    "Detect's draw tells the drawn number": ("detect", "draw", _detect_draw),
    "Detect's deal tells a card": ("detect", "deal_round", _detect_deal),
    "Reveal's swap tells the card taken": ("reveal", "swap", _reveal_swap),
    "Reveal's row tells a Final Card": ("reveal", "begin_row", _reveal_row),
    "Reveal's final round tells a Final Card": ("reveal", "choose_openly", _reveal_choice),
    "Reveal's laid row tells what lies in it": ("reveal", "place_all", _reveal_order),
    "Reveille's draw tells the hand": ("reveille", "draw", _reveille_draw),
    "Reveille's bid tells the hand": ("reveille", "call", _reveille_call),
    "Uncovered's turn tells a card": ("uncovered", "next_turn", _uncovered_turn),
    "SCOUT's Scout tells the hand": ("scout", "scout", _scout_scout),
    "SCOUT's Show tells which way up the hand lies": ("scout", "show", _scout_show),
    "SCOUT's Scout tells the place": ("scout", "scout", _scout_place),
}


def plant(mutant: str) -> str:
    """Put the leak into the running rules; return the game's name."""
    name, rule, leak = MUTANTS[mutant]
    rules = rules_of(name)
    true = getattr(rules, rule)

    def leaky(*arguments: Any) -> Any:
        out = true(*arguments)
        leak(*arguments)
        return out

    setattr(rules, rule, leaky)
    return name


def caught(name: str, seed: int) -> str:
    """The first undeclared difference that the laws find in the game as it is now, or nothing."""
    rnd = random.Random(f"mutant {name} {seed}")
    steps = 0
    while steps < STEPS:
        match = random_match(name, rnd)
        found = [each for _ in range(6) for each in in_the_deal(name, match.seats, match.options, rnd)]
        for _ in range(60):
            if match.over:
                break
            steps += 1
            found += [*in_a_step(match, rnd), *of_a_choice(match, rnd)]
            play_randomly(match, rnd, 1)
            undeclared = [each for each in found if not each.declared]
            if undeclared:
                return f"after {steps} steps: {undeclared[0]}"
    return ""


if __name__ == "__main__":
    what = caught(plant(sys.argv[1]), int(sys.argv[2]))
    print(f"caught {what}" if what else "missed")
