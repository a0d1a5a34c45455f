"""Name, seats and options of Kuhn poker, without its rules."""

from facedown.core.game_registry import Info
from facedown.core.options import Argument, OptionSet, Reading, argument_field, reading_value

#: The cards, lowest first.
CARDS = "JQK"


class End(Reading, label="Length"):
    """When does the match end?"""

    HANDS = reading_value("after a set number of hands", Argument("n", 1, 100, 10, "hands"), tells="after {0:hand}")


class KuhnOptions(OptionSet):
    """The rule options that a table may choose."""

    end: End
    hands: int = argument_field("end")


INFO = Info("kuhn", "Kuhn poker", "Three cards and one bet.", (2, 2), KuhnOptions.declared, unit="hand")
