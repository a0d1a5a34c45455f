"""German texts of Reveille: genders of suits, the three forms of a move, and the person addressed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from facedown.core.state import SPECTATOR
from facedown.core.translation import use_language
from facedown.games.reveille.action_text import TRUMP_SUIT, Suit
from tests.games.reveille.positions import DEALER, OTHER, SITTERS, auction, match, play_words, stage_two


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    with use_language("de"):
        yield


def test_german_suit_names_take_the_article_of_their_gender() -> None:
    said = "Du hast {suit:eine|einen} {suit:one}: {suit}."
    assert said.format(suit=Suit(5)) == "Du hast eine Fünf: Fünfen."
    assert said.format(suit=Suit(7)) == "Du hast einen Pasch: Päsche."
    assert said.format(suit=Suit(TRUMP_SUIT)) == "Du hast einen Trumpf: Trümpfe."


def test_german_move_texts_exist_as_imperative_past_tense_and_infinitive() -> None:
    m = auction(("66 65 64 63 62 61 60", "54 53 52 51 50 44 43"))
    view = m.known(OTHER)
    bid = m.game.words.parse("bid 20")
    own, other = (m.game.action_phrase(view, bid, SITTERS, reader) for reader in (OTHER, DEALER))
    assert (own.imperative, own.past, own.gerund) == ("Biete 20", "hast 20 geboten", "20 zu bieten")
    assert other.past == "hat 20 geboten"
    play_words(m, "bid 20", "pass", "trump 5")
    led = m.game.action_phrase(m.known(OTHER), m.game.words.parse("play 54"), SITTERS, DEALER)
    assert (led.imperative, led.past, led.gerund) == (
        "Spiel die 5·4 aus",
        "hat die 5·4 ausgespielt",
        "die 5·4 auszuspielen",
    )


def test_the_german_log_says_du_to_its_reader_and_names_the_other_player() -> None:
    m = match("66 65 64 63 62 61 60 55 54 53 52 51 50 44 43 42 41", first=DEALER)
    play_words(m, "play 66", "play 44")
    told = {viewer: [line.text for line in m.log(viewer, SITTERS)] for viewer in (OTHER, DEALER, SPECTATOR)}
    assert told[OTHER][0] == "**Du** hast die 6·6 ausgespielt."
    assert told[OTHER][1] == (
        "**Theo** hat mit der 4·4 geantwortet, und du hast die 4·3 genommen. "
        "Theo hat einen Stein gezogen und die 4·1 aufgedeckt."
    )
    assert told[DEALER][1] == (
        "**Du** hast mit der 4·4 geantwortet, und Yara hat die 4·3 genommen. "
        "Du hast die 4·2 gezogen und die 4·1 aufgedeckt."
    )
    assert told[SPECTATOR][1].startswith("**Theo** hat mit der 4·4 geantwortet, und Yara hat die 4·3 genommen.")


def test_the_german_prompt_at_the_end_of_a_hand_explains_who_won_it_and_why() -> None:
    m = stage_two(("53", "61"), "6", bid=23, declarer=OTHER, points=(0, 22), tricks=(0, 6))
    play_words(m, "play 61", "play 53")
    assert m.table(OTHER, SITTERS).step.prompt == "Du hast 23 geboten und 23 Punkte gewonnen. Du bekommst den Strich."
    assert m.table(DEALER, SITTERS).step.prompt.startswith("Yara hat 23 geboten und 23 Punkte gewonnen.")
