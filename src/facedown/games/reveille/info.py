"""Name, number of players and options of Reveille.

This module imports no rules, so that listing the games stays fast.

An option is a rule variant that the players of a match can choose. Each class derived from `core.options.Reading`
declares one option. The members of the class are the choices. The docstring of the class is the question that players
read in forms, so it does not describe the class. It may begin with the id of a ruling in ``docs/rules/reveille.md``
("RVL-3: ").
"""

from facedown.core.game_registry import Info
from facedown.core.options import Argument, OptionSet, Reading, argument_field, reading_value


#: Option ``boneyard_pick``: who picks the bone that is revealed or drawn from the boneyard (face-down stock). The
#: docstring is the question that players read in forms.
class BoneyardPick(Reading, label="Drawing from the boneyard"):
    """Who decides which face-down bone is revealed or drawn?"""

    AUTO = "nobody: it’s left to chance"
    INDEX = "the dealer and the loser of the trick"


class FirstBid(Reading, label="Who bids first"):
    """RVL-3: Who opens the auction?"""

    NONDEALER = "the player who didn’t deal"
    DEALER = "the dealer"
    LAST_WINNER = "whoever won the last trick of stage one"


class PassFinal(Reading, label="Passing"):
    """RVL-4: May you bid again after passing?"""

    NO = "yes, you may still beat any bid"
    YES = "no, a pass is final"


class Bid42(Reading, label="A bid of 42"):
    """RVL-2: What does it take to make a bid of 42 with trumps if counters were burnt?"""

    POINTS = "42 points, so the bid can’t be made"
    ALL_TRICKS = "all seven tricks"


class MustRuff(Reading, label="Ruffing"):
    """RVL-7: Must you play a trump if you can’t follow suit?"""

    NO = "no, any bone will do"
    YES = "yes, if you have one"


class AutoEnd(Reading, label="Ending early"):
    """RVL-19: Does a hand end as soon as its result is certain?"""

    OFF = "no, you play on or claim"
    ON = "yes, at once"


class Stages(Reading, label="Stages", for_research=True):
    """RVL-21: How much of a hand is played?"""

    BOTH = "both stages, with the auction in between"
    FIRST = reading_value(
        "only stage one, with so few bones that it can be solved exactly",
        Argument("bones", 1, 7, 2, "bones per player"),
        tells="only stage one, {0:bone} each",
    )
    TRICKS = reading_value(
        "only the first tricks of stage one, with so few bones that they can be solved exactly",
        Argument("bones", 1, 7, 3, "bones per player"),
        Argument("tricks", 1, 7, 1, "tricks"),
        tells="{1:trick} of stage one, {0:bone} each",
    )


class ReveilleOptions(OptionSet):
    """Options of Reveille: rule variants that the players of a match can choose, one field for each option."""

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
    tagline="Win good bones, then bid what they’ll score.",
    seats=(2, 2),
    options=ReveilleOptions.declared,
    unit="hand",
    order=3,
    minutes=35,
)
