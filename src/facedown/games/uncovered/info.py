"""Name, number of players, cards and options of Uncovered!.

This module imports no rules, so that listing the games stays fast.
"""

from facedown.core.game_registry import Info
from facedown.core.options import Argument, OptionSet, Reading, argument_field, reading_value

FEWEST_PLAYERS = 2
MOST_PLAYERS = 6
#: Number of cards in a hand. The program counts the places in a hand from 0. Players count them from 1.
PLACES = 4
NUMBERS = 4
LOWEST = 1
#: Number of kinds of cards. The kind of a card is its number minus 1, from 0 to 3. A card is home at the place (counted
#: from 0) that is equal to its kind.
KINDS = NUMBERS


def kind_of(number: int) -> int:
    """Return the kind of the cards that have this number: `number` - 1, because kinds are counted from 0."""
    return number - LOWEST


def number_on(kind: int) -> int:
    """Return the number that is printed on the cards of this kind: `kind` + 1, because kinds are counted from 0."""
    return kind + LOWEST


class Mode(Reading, label="Who sees what", default="advanced"):
    """UNC-9: Which cards can you see?"""

    BEGINNER = "all cards"
    INTERMEDIATE = "every hand but your own"
    ADVANCED = "only your own hand (three players or more)"


class SwapVisibility(Reading, label="How cards are swapped"):
    """UNC-5: Who sees the two cards in a swap?"""

    FACE_UP = "everybody: cards are swapped face up"
    FACE_DOWN = "only the two players involved"


class Turning(Reading, label="Turning cards"):
    """UNC-6: Intermediate only: what happens when a swap moves a card to the position matching its number?"""

    AUTO = "it is turned straight away"
    CHOICE = "the owner decides"
    OFF = "cards are never turned"


class Tracking(Reading, label="Tracking"):
    """UNC-10: Does the table keep showing cards you have seen?"""

    ON = "yes, it keeps track for you"
    OFF = "no, you have to remember"


class SingleColourWin(Reading, label="Hands with only one number"):
    """UNC-8: With four players, do you also win if each hand contains only one number?"""

    NO = "no, only if all hands match"
    YES = "yes, that wins too"


class Score(Reading, label="Score"):
    """UNC-1: How is a won game scored? Lower is better."""

    REGRET = "swaps made minus the fewest possible if turn order is kept"
    RAW_TURNS = "swaps made"
    FREE_REGRET = "swaps made minus the fewest possible if turn order is ignored"


class Start(Reading, label="Who starts"):
    """UNC-14: Who has the first turn?"""

    RANDOM_SEAT = "a random player"
    NAMED = reading_value(
        "the seat with this number; seats are numbered from 0",
        Argument("seat", 0, MOST_PLAYERS - 1, 0),
        form="a player you choose",
        tells="player {0}",
    )


class UncoveredOptions(OptionSet):
    """Options of Uncovered!: rule variants that the players of a match can choose, one field for each option."""

    mode: Mode
    swap_visibility: SwapVisibility
    turning: Turning
    tracking: Tracking
    single_colour_win: SingleColourWin
    score: Score
    start: Start
    named_seat: int = argument_field("start")
    """With `Start.NAMED`: the seat that starts."""


def defaults_by_seat_count(seats: int) -> dict[str, str]:
    """Return the default values that depend on the number of players, by option name.

    With two players the default mode is "intermediate", because "advanced" needs at least three players (rules 4.3).
    """
    return {"mode": "intermediate"} if seats == FEWEST_PLAYERS else {}


INFO = Info(
    name="uncovered",
    title="Uncovered!",
    tagline="Together, swap hidden cards until all hands match.",
    seats=(FEWEST_PLAYERS, MOST_PLAYERS),
    options=UncoveredOptions.declared,
    together=True,
    silent=True,
    unit="game",
    defaults=defaults_by_seat_count,
    mode="mode",
    order=4,
    minutes=10,
)
