"""Reveal: lay cards face down in three columns, then stake your Final Card on one. Rules: ``docs/rules/reveal.md``."""

from facedown.core.game import Info
from facedown.core.options import Argument, Option, Options, Value, choice
from facedown.games.reveal.deck import CapOption, deck_option

OPTIONS = Options(
    (
        deck_option(),
        choice(
            "peeking",
            "Peeking",
            "May you look again at the cards you have laid?",
            ("off", "what lies face down stays unseen"),
            ("on", "you may look at your own laid cards"),
        ),
        choice(
            "final_unlocks",
            "Final Card opens the other side",
            "Does a Final Card that counts open the other player's side?",
            ("no", "only a card on your own side does"),
            ("yes", "the Final Card does, too"),
            ruling="REV-3",
        ),
        choice(
            "final_mode",
            "Final round",
            "How do the two of you choose your columns?",
            ("open", "openly, and you may still answer each other"),
            ("alternate", "openly, one after the other"),
            ("sealed", "secretly, shown together"),
            ruling="REV-6",
        ),
        CapOption.standard(),
        choice(
            "swap_order",
            "Who draws first",
            "Both have chosen what to swap: who takes from the draw pile first?",
            ("seat", "the first seat"),
            ("arrival", "whoever chose first"),
            ruling="REV-7",
        ),
        choice(
            "swap_batch",
            "Swapping",
            "Are all cards swapped at once?",
            ("yes", "all at once"),
            ("no", "one by one, looking in between"),
            ruling="REV-8",
        ),
        choice(
            "first_dealt",
            "First card dealt",
            "Who is dealt the first card?",
            ("P0", "always the first seat"),
            ("alternate", "the two of you in turn"),
            ruling="REV-13",
        ),
        choice(
            "reshuffle",
            "Shuffling",
            "Are all cards shuffled for every hand?",
            ("every_hand", "before every hand"),
            ("continue", "deal on while 41 cards are left"),
            ruling="REV-14",
        ),
        Option(
            "end",
            "Length",
            "When is the match over?",
            (
                Value("hands", "after a number of hands", (Argument("n", 1, 100, 5, "hands"),), tells="after {0:hand}"),
                Value(
                    "goal",
                    "when a total reaches a goal",
                    (Argument("G", 1, 900, 30, "points"),),
                    tells="when a total reaches {0}",
                ),
            ),
            "REV-15",
        ),
        choice(
            "tie",
            "Equal totals",
            "What happens when both totals are equal at the end?",
            ("draw", "nobody wins"),
            ("extra_hand", "play on until they differ"),
            ruling="REV-15",
        ),
    )
)

INFO = Info(
    name="reveal",
    title="Reveal",
    tagline="Lay cards face down, answer the other's choice, and turn them up together.",
    seats=(2, 2),
    options=OPTIONS,
    unit="hand",
)
