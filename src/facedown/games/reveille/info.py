"""Name, seats and options of Reveille. This module imports no rules, so that listing the games stays fast."""

from facedown.core.game_registry import Info
from facedown.core.options import Argument, OptionSet, Reading, argument_field, reading


class BoneyardPick(Reading, label="Taking from the boneyard"):
    """Who decides which face-down bone is revealed or drawn?"""

    AUTO = "chance: the shuffled order"
    INDEX = "the dealer and the loser choose a place"


class FirstBid(Reading, label="Who bids first"):
    """RVL-3: Who speaks first in the auction?"""

    NONDEALER = "whoever did not deal"
    DEALER = "the dealer"
    LAST_WINNER = "the winner of the last trick of stage one"


class PassFinal(Reading, label="Passing"):
    """RVL-4: May a player who passed first come back into the auction?"""

    NO = "over any bid of the other"
    YES = "a pass is final"


class Bid42(Reading, label="A bid of 42"):
    """RVL-2: What does a trump contract at 42 need when counters are burnt?"""

    POINTS = "42 points, so it cannot be made"
    ALL_TRICKS = "all seven tricks"


class MustRuff(Reading, label="Ruffing"):
    """RVL-7: Must a player who cannot follow suit play a trump?"""

    NO = "any bone will do"
    YES = "a trump, if there is one in hand"


class AutoEnd(Reading, label="Settled hands"):
    """RVL-19: Does a hand stop by itself once its result is certain?"""

    OFF = "it is played on or claimed"
    ON = "it stops at once"


class Stages(Reading, label="Stages", for_research=True):
    """RVL-21: Is the whole hand played?"""

    BOTH = "both stages, and the auction between them"
    FIRST = reading(
        "stage one alone with few bones, to be solved exactly",
        Argument("bones", 1, 7, 2, "bones in a hand"),
        tells="stage one alone, {0:bone} each",
    )
    TRICKS = reading(
        "the first tricks of stage one alone with few bones, to be solved exactly",
        Argument("bones", 1, 7, 3, "bones in a hand"),
        Argument("tricks", 1, 7, 1, "tricks"),
        tells="{1:trick} of stage one, {0:bone} each",
    )


class ReveilleOptions(OptionSet):
    """The rule options that a table of Reveille may choose, one field for each."""

    boneyard_pick: BoneyardPick
    first_bid: FirstBid
    pass_final: PassFinal
    bid42: Bid42
    must_ruff: MustRuff
    auto_end: AutoEnd
    stages: Stages
    bones: int = argument_field("stages")
    """With `Stages.FIRST` and `Stages.TRICKS`: the number of bones in a hand. Otherwise 0."""
    tricks: int = argument_field("stages", 1)
    """With `Stages.TRICKS`: the number of tricks that are played. Otherwise 0."""


INFO = Info(
    name="reveille",
    title="Reveille",
    tagline="Win good bones first, then bid on what they will take.",
    seats=(2, 2),
    options=ReveilleOptions.declared,
    unit="hand",
    order=3,
    minutes=35,
)
