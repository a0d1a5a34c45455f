"""Detect: trade twelve unseen cards down to the lowest sum. Rules and rulings: ``docs/rules/detect.md``."""

from facedown.core.game import Info
from facedown.core.options import Options, choice
from facedown.games.detect.deck import DeckOption

OPTIONS = Options(
    (
        DeckOption.standard(),
        choice(
            "initial_discard",
            "First discard",
            "Does the discard pile start with a card?",
            ("turn_one", "the top card is turned up"),
            ("empty", "the first player has to draw"),
            ruling="DET-2",
        ),
        choice(
            "opening_pick",
            "Opening cards",
            "Who picks the two cards each player turns up first?",
            ("choose", "each player chooses two"),
            ("random", "chance picks two"),
            ruling="DET-3",
        ),
        choice(
            "later_start",
            "Who starts later rounds",
            "Who starts from the second round on?",
            ("contest", "the highest two opened cards, every round"),
            ("ender", "who ended the round before"),
            ruling="DET-4",
        ),
        choice(
            "set_optional",
            "Three of a number",
            "Must a column of three equal numbers go?",
            ("no", "it goes at once"),
            ("yes", "its owner decides"),
            ruling="DET-6",
        ),
        choice(
            "set_on_final_reveal",
            "Sets in the last turning-up",
            "Do columns go when the round's last cards are turned up?",
            ("yes", "they go"),
            ("no", "they stay and count"),
            ruling="DET-8",
        ),
        choice(
            "ender_tie",
            "Ender level with the lowest",
            "Is the ender doubled when somebody else has just as few points?",
            ("safe", "not doubled"),
            ("doubled", "doubled, unless lowest alone"),
            ruling="DET-10",
        ),
        choice(
            "double_scope",
            "What is doubled",
            "What does the penalty double?",
            ("round_total", "the whole round, if it is above zero"),
            ("positive_cards", "the cards above zero only"),
            ruling="DET-11",
        ),
        choice(
            "tie",
            "Equal lowest totals",
            "What happens when the lowest total is shared at the end?",
            ("share", "they share the win"),
            ("extra_round", "play on until one is alone"),
            ruling="DET-14",
        ),
    )
)

INFO = Info(
    name="detect",
    title="Detect",
    tagline="Trade twelve unseen cards down to the lowest sum.",
    seats=(2, 8),
    options=OPTIONS,
)
