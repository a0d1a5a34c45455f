"""Match files of all games: frozen as they were written, and what they must still replay to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.corpus import archive, program

#: Names of the players, by seat.
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Émile", "Farid", "Guðrún", "Hana")
#: Bot level of all seats in one match of each game: it plays sensibly and needs no warm-up.
LEVEL = "greedy"
#: Number of candidate option sets tried for one match file.
CANDIDATES = 40
#: Values that cannot be spelled from a list of numbers, by game and word.
SPELLINGS = {
    ("detect", "custom"): "custom(-2:10 -1:20 0:30 5:40 12:50)",
    ("scout", "custom"): "custom(1/6 2/7 3/8 4/9)",
}
#: Option sets that random choice hardly finds: the first of the sets of a game.
RARE = {"scout": {"hands": "small(2,1)", "deck": "custom(1/6 2/7 3/8 4/9)", "start": "random"}}


@dataclass(frozen=True)
class Plan:
    """A match to be played: its setup, and the bot level that plays it ("" for random moves)."""

    name: str
    game: str
    seats: int
    options: dict[str, str]
    seed: bytes
    level: str = ""
    deal: tuple[int, ...] = ()
    first: int = -1


def match_name(path: str) -> str:
    """Return the name of a match by the path of its file."""
    return path.removeprefix("matches/").removesuffix(".match")


def frozen() -> dict[str, str]:
    """Return the text of every frozen match file, by the match's name."""
    return {match_name(path): archive.read_text(path) for path in archive.names("matches/*.match")}


def files() -> dict[str, bytes]:
    """Play all matches and return their files."""
    found = {}
    for game in program.catalogue():
        for plan in plans(game):
            found[f"matches/{plan.name}.match"] = play(plan).encode()
    return found


def rewrite(text: str) -> str:
    """Read a match file, replay it, and return the file as it is written now."""
    found = program.read_match_file(text)
    return program.write_match_file(found.match, found.names, found.bots, found.date, found.note)


def play(plan: Plan) -> str:
    """Play a match to its end and return its file."""
    match = program.Match(plan.game, plan.seats, plan.options, plan.seed, plan.deal, plan.first)
    rnd = random.Random(plan.name)
    while not match.over:
        seat = rnd.choice(match.acting)
        if plan.level:
            action = program.bot(plan.level).choose(match.game, match.known(seat), seat, rnd.getrandbits(32))
        else:
            action = rnd.choice(match.legal(seat))
        match.play(seat, action)
    bots = dict.fromkeys(range(plan.seats), plan.level) if plan.level else {}
    return program.write_match_file(match, NAMES[: plan.seats], bots, "2026-11-27", f"Corpus: {plan.name}")


def plans(game: str) -> Iterator[Plan]:
    """Yield the matches of one game; together they use every value of every option."""
    info = program.catalogue()[game]
    low, high = info.seats
    rnd = random.Random(f"corpus {game}")
    for seats in sorted({low, high}):
        yield Plan(f"{game}-default-{seats}", game, seats, {}, rnd.randbytes(32))
    yield Plan(f"{game}-{LEVEL}", game, low, {}, rnd.randbytes(32), LEVEL)
    deck = program.game(game).deck(low, program.game(game).check_options(low, {}))
    deal = tuple(kind for kind, count in enumerate(deck) if count)[:3]
    yield Plan(f"{game}-given-deal", game, low, {}, rnd.randbytes(32), deal=deal, first=1)
    left = {(option.name, value.word) for option in info.options.options for value in option.values}
    # Match files leave out the defaults of research options.
    left -= words_of({option.name: option.default_text for option in info.options.options if option.for_research})
    number = 0
    while left:
        seats = low + number % (high - low + 1)
        chosen = best_options(game, seats, left, rnd) if number or game not in RARE else RARE[game]
        assert chosen or number < CANDIDATES, f"no match of {game} can use {left}"
        left -= words_of(chosen)
        if chosen:
            yield Plan(f"{game}-options-{number}", game, seats, chosen, rnd.randbytes(32))
        number += 1


def words_of(options: dict[str, str]) -> set[tuple[str, str]]:
    """Return the (option, value word) pairs of a set of options: "hands(3)" has the word "hands"."""
    return {(name, value.partition("(")[0]) for name, value in options.items()}


def best_options(game: str, seats: int, left: set[tuple[str, str]], rnd: random.Random) -> dict[str, str]:
    """Return valid options, of random candidates those that use most of the values that are `left`."""
    options = program.catalogue()[game].options.options
    best: dict[str, str] = {}
    for candidate in range(CANDIDATES):
        chosen = {}
        for option in options:
            if rnd.random() < candidate / CANDIDATES:
                continue
            new = [value for value in option.values if (option.name, value.word) in left]
            value = rnd.choice(new or option.values)
            # Small numbers keep the matches short, but some values are valid with larger ones only.
            small = [rnd.randint(one.low, min(one.high, one.low + 2)) for one in value.arguments]
            numbers = [one.default for one in value.arguments] if candidate % 3 == 0 else small
            chosen[option.name] = SPELLINGS.get((game, value.word)) or value.spelled(numbers)
        try:
            complete = dict(program.game(game).check_options(seats, chosen))
        except program.OptionError:
            continue
        if len(words_of(complete) & left) > len(words_of(best) & left):
            best = complete
    return best
