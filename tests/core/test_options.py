"""Options as text and as numbers."""

from __future__ import annotations

import re

import pytest

from facedown.check.random_matches import GAMES, GAMES_WITH_RESEARCH_OPTIONS
from facedown.core.game_registry import UnknownGame, game, info
from facedown.core.options import Argument, Option, OptionError, Options, Value

END = Option("end", "End", "When?", (Value("hands", "n hands", (Argument("n", 1, 99, 5),)), Value("never", "no end")))
TIE = Option("tie", "Ties", "Who wins?", (Value("share", "both"), Value("extra", "play on")))
BOTH = Options((END, TIE))


def test_options_are_completed_with_defaults_and_their_spelling_is_normalized() -> None:
    assert BOTH.complete({}) == {"end": "hands(5)", "tie": "share"}
    assert BOTH.complete({"end": " hands( 07 ) "}) == {"end": "hands(7)", "tie": "share"}
    assert BOTH.complete({"end": "hands"})["end"] == "hands(5)"


def test_an_options_record_stores_the_index_of_each_chosen_value_and_its_parameters() -> None:
    chosen = game("reveal").info.options_record({"end": "goal(9)", "tie": "extra_hand"})
    assert (chosen.end, chosen.end_at, chosen.tie, chosen.swap_batch) == (1, 9, 1, 0)
    assert list(game("scout").info.options_record({"deck": "custom(1/2 3/1 1/4 10/9)"}).kinds) == [0b111, 0, 1 << 14]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ends": "never"}, "unknown option ends; available: end, tie"),
        ({"tie": "split"}, r"tie must be share \| extra"),
        ({"tie": ""}, r"tie must be .*, not \(empty\)"),
        ({"end": "hands(0)"}, r"end: n in hands\(n\) must be a number from 1 to 99, not 0"),
        ({"end": "hands(x)"}, "not x"),
        ({"end": "hands(1,2)"}, "takes 1 number, not 2"),
        ({"end": "never(3)"}, "takes 0 numbers, not 1"),
        ({"end": "hands(99999999999999999999)"}, "from 1 to 99"),
    ],
)
def test_an_invalid_option_raises_an_error_that_names_allowed_values(given: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        BOTH.complete(given)


def test_an_unknown_game_raises_an_error_that_lists_the_games() -> None:
    with pytest.raises(UnknownGame, match=r"unknown game chess; available: .*detect"):
        info("chess")


def test_check_options_refuses_too_many_players() -> None:
    with pytest.raises(OptionError, match="Detect is for 2 to 8 players, not 9"):
        game("detect").check_options(9, {})


@pytest.mark.parametrize(
    ("players", "deck", "message"),
    [
        (2, "custom(1:x)", "1:x is not valid"),
        (2, "custom(77:2)", "77:2 is not valid"),
        (2, "custom(1:150 2:150)", "deck must have 1 to 200 cards, not 300"),
        (2, "custom()", r"\(empty\) is not valid"),
        (2, "skyjo", r"deck must be skyjo150 \| custom"),
        (8, "custom(1:30)", "the deck has 30 cards, but 8 players need at least 98"),
    ],
)
def test_an_invalid_custom_deck_raises_an_error_with_the_reason(players: int, deck: str, message: str) -> None:
    with pytest.raises(OptionError, match=message) as wrong:
        game("detect").check_options(players, {"deck": deck})
    assert wrong.value.option == "deck"


def test_custom_decks_written_in_different_ways_are_normalized_to_one_spelling() -> None:
    assert game("detect").check_options(2, {"deck": "custom( 3:4  1:30 3:2)"})["deck"] == "custom(1:30 3:6)"
    written = "custom(5 × −2, 30x1, 3 × 12,)"
    assert game("detect").check_options(2, {"deck": written})["deck"] == "custom(-2:5 1:30 12:3)"


@pytest.mark.parametrize("name", GAMES)
def test_option_descriptions_use_the_singular_after_the_number_one(name: str) -> None:
    # Only values with a description of their own contain numbers.
    for option in info(name).options:
        for value in (value for value in option.values if value.tells):
            ones = ",".join(str(max(argument.low, 1)) for argument in value.arguments)
            told = option.describe_value(f"{value.word}({ones})")
            assert not re.search(r"\b1 [a-z]+s\b", told), told


@pytest.mark.parametrize("name", GAMES_WITH_RESEARCH_OPTIONS)
def test_research_options_are_accepted_but_hidden_from_forms(name: str) -> None:
    """They are in no form, and in no match that does not use them, so older matches keep the same options."""
    options = info(name).options
    hidden = [option for option in options.options if option.for_research]
    assert hidden
    for option in hidden:
        assert option not in list(options)
        assert option.name not in options.complete({})
        assert option.name not in options.complete({option.name: option.default_text})
        small = option.values[1].default_notation
        assert options.complete({option.name: small})[option.name] == small
        assert option in list(options.visible_options({option.name: small}))
        with pytest.raises(OptionError, match=f"{option.name} must be .*, not tiny"):
            options.complete({option.name: "tiny"})
