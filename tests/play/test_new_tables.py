"""New tables, player names, table codes and presence."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core.seeds import commitment_of
from facedown.play import Presence, Refusal, Settings, TableRecord, clean_name, new_code, new_table
from facedown.play.user_input import CODE_LETTERS, clean_code, format_code, is_ascii_letters_and_digits
from tests.play.table import ADA, LowBots


def make_record(words: str = "me open", game: str = "detect", **named: Any) -> TableRecord:
    return new_table(game, words.split(), LowBots(), 1.0, host=ADA, host_name="Ada", **named)


@pytest.mark.parametrize(
    ("words", "named", "says"),
    [
        ("me", {}, "2 to 8 players, not 1"),
        ("me open open open open open open open open", {}, "2 to 8 players, not 9"),
        ("me me", {}, "You can only take one seat"),
        ("me mean", {}, "Unknown bot level mean; available: low, high"),
        ("me open", {"game": "chess"}, "detect"),
        ("me open", {"options": {"wind": "east"}}, "unknown option wind; available: deck"),
        ("me open", {"options": {"tie": "toss"}}, "Tie must be share | extra_round"),
        ("me open", {"settings": Settings(clock=2)}, "0 (no limit) or between 3 and 1209600 seconds, not 2"),
        ("me open", {"settings": Settings(increment=10)}, "added per turn must be between 0 and 3600 seconds"),
        ("me open", {"settings": Settings(clock=60, at_zero="bang")}, "“bot”, “seat” or “nothing”, not “bang”"),
    ],
)
def test_an_invalid_new_table_is_refused_with_the_allowed_values(words: str, named: dict[str, Any], says: str) -> None:
    with pytest.raises(Refusal) as caught:
        make_record(words, **named)
    assert caught.value.code == ("unknown" if "game" in named else "malformed")
    assert says.casefold() in caught.value.reason.casefold()
    assert caught.value.reason.endswith(".")


def test_a_new_table_has_a_seed_commitment_before_the_deal() -> None:
    record = make_record("me low low")
    assert record.commitment == commitment_of(record.seed)
    assert len(record.seed) == 32
    assert [s.name for s in record.seats] == ["Ada", "Juniper", "Wren"]
    assert record.seed.hex() not in repr(record)


def test_player_names_are_normalized_and_too_long_or_invalid_names_are_refused() -> None:
    """Invisible characters are tested in test_unicode_safety.py."""
    for text, shown in {
        " Ada  Lovelace\n": "Ada Lovelace",
        "Zoe\u0308": "Zoë",
        "x" * 24: "x" * 24,
        "<b>": "<b>",
    }.items():
        assert clean_name(text) == shown
    for text in ("x" * 25, "\ud800"):
        with pytest.raises(Refusal):
            clean_name(text)


def test_table_codes_are_accepted_in_any_case_and_spacing() -> None:
    code = new_code()
    assert len(code) == 8
    assert set(code) <= set(CODE_LETTERS)
    assert clean_code(f" {code.lower()[:2]}-{code[2:]} ") == code
    assert clean_code(format_code(code)) == code
    assert format_code(code).split() == [code[:4], code[4:]]
    # Older tables have codes of four letters.
    assert clean_code("k7 qm") == format_code("K7QM") == "K7QM"


@pytest.mark.parametrize("text", ["", "K7QM\0", "K7QM'", "ÄÖÜß", "٣٤", "K7QM\ud800", "../K7QM"])
def test_impossible_table_codes_are_recognized_as_invalid(text: str) -> None:
    assert not is_ascii_letters_and_digits(clean_code(text))


def test_a_seat_is_away_only_after_the_last_of_its_connections_closes() -> None:
    presence = Presence(100.0)
    assert presence.away_since(0) == 100.0
    presence.connect(0, 110.0)
    presence.connect(0, 111.0)
    presence.disconnect(0, 120.0)
    assert presence.away_since(0) is None
    presence.disconnect(0, 130.0)
    presence.disconnect(0, 131.0)
    assert presence.away_since(0) == 131.0
    presence.note_request(0, 140.0)
    assert presence.away_for(0, 150.0) == 10.0
    presence.connect(0, 160.0)
    assert presence.away_for(0, 999.0) == 0.0
