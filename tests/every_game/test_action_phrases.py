"""Phrases of actions and texts of tables: in words, distinct, without hidden information, equal to the numbers."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from facedown.check.random_matches import GAMES, SITTERS, match_with_random_options, play_randomly, random_situations
from facedown.core import hidden_cards
from facedown.core.action_phrases import ActionPhrase
from facedown.core.game_registry import catalogue, game
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Table

#: Matches notation: cells, letters of columns, ranges, ids with a number.
NOTATION = re.compile(r"\b[a-d][1-3]\b|\b[LCR]\b|\d-\d|\w-\d|_|[{}()]|;|\b(kept|turned) at\b")


def forms(said: ActionPhrase) -> tuple[str, str, str]:
    return said.imperative, said.past, said.gerund


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_action_has_a_distinct_phrase_in_words_instead_of_notation(name: str) -> None:
    verbs = set()
    for situation in random_situations(name, 11, 30):
        match = situation.match
        for seat in match.acting[:1]:
            view = match.known(seat)
            said = {action: game(name).action_phrase(view, action, SITTERS) for action in match.legal(seat)}
            for action, words in said.items():
                where = f"{match.game.words.words(action)}: {words}"
                assert words.imperative[0].isupper(), where
                assert words.past[0].islower(), where
                assert words.gerund.split(" ")[0].endswith("ing"), where
                for text in forms(words):
                    assert not NOTATION.search(text), where
                    assert text == text.strip().rstrip(".,"), where
                    assert "  " not in text, where
                verbs.add(words.past.split(" ")[0])
            texts = [words.imperative for words in said.values()]
            # Reveal's hand cards of one colour have equal phrases; in the other games each move has its own.
            if name != "reveal":
                assert len(set(texts)) == len(texts), f"{situation}: {sorted(texts)}"
    assert len(verbs) >= 2


@pytest.mark.parametrize("name", GAMES)
def test_action_phrases_use_the_word_your_for_the_acting_player_and_never_for_spectators(name: str) -> None:
    for situation in random_situations(name, 12, 20):
        match = situation.match
        for seat in match.acting:
            view = match.known(seat)
            for action in match.legal(seat)[:40]:
                own = game(name).action_phrase(view, action, SITTERS)
                assert own == game(name).action_phrase(view, action, SITTERS, seat)
                # A spectator owns nothing on the table.
                for text in forms(game(name).action_phrase(view, action, SITTERS, SPECTATOR)):
                    assert not re.search(r"\byours?\b", text), text
                for text in forms(own):
                    assert SITTERS[seat].name not in text
                    assert "their" not in text


@pytest.mark.parametrize("name", GAMES)
def test_action_phrases_do_not_depend_on_hidden_cards(name: str) -> None:
    found = game(name)
    for number, situation in enumerate(random_situations(name, 3, 40)):
        state = situation.match.state
        key = np.frombuffer(random.Random(number).randbytes(32), np.uint32).copy()
        for seat in situation.match.acting:
            for see in (hidden_cards.known_view, hidden_cards.shown_view):
                view = see(state, seat)
                other = see(hidden_cards.redeal(hidden_cards.known_view(state, seat), key), seat)
                for action in situation.match.legal(seat)[:40]:
                    assert found.action_phrase(view, action, SITTERS) == found.action_phrase(other, action, SITTERS), (
                        str(situation)
                    )


def test_actions_of_the_game_reveal_have_equal_phrases_only_for_cards_of_the_same_colour() -> None:
    rnd = random.Random("reveal alike")
    met = 0
    for _ in range(12):
        match = match_with_random_options("reveal", rnd)
        while not match.over and match.ply < 60:
            seat = rnd.choice(match.acting)
            table = match.table(seat, SITTERS)
            hand = next((zone.pieces for zone in table.zones if zone.id == "hand"), ())
            by_words: dict[str, set[tuple[str, ...]]] = {}
            for action in match.legal(seat):
                parts = match.game.words.words(action).split()
                names = [piece.name for piece in hand]
                if parts[0] == "swap":
                    what = tuple(sorted(names[int(place) - 1] for place in parts[1:] if place.isdigit()))
                elif parts[0] == "place":
                    what = tuple(names[parts[1:].index(column)] for column in "LCR")
                else:
                    what = (match.game.words.words(action),)
                by_words.setdefault(match.game.action_phrase(match.known(seat), action, SITTERS).imperative, set()).add(
                    what
                )
            assert all(len(what) == 1 for what in by_words.values()), by_words
            met += len({piece.name for piece in hand}) < len(hand)
            play_randomly(match, rnd, 1)
    assert met


def check_numbers_and_texts(table: Table) -> None:
    """Check that the numbers of a table agree with its texts."""
    seats = {panel.seat: panel for panel in table.seats}
    assert table.round >= 1
    assert table.where, "a table says where the match stands"
    if table.turn is not None:
        assert seats[table.turn].acting, "whose turn it is is to act"
        assert table.your_turn == (table.turn == table.viewer)
        assert table.subtitle.endswith(table.turn_words)
    for row in table.scores:
        panel = seats[row.seat]
        assert row.total.replace("−", "-") == str(row.points)
        assert row.round is None or f"{row.round}".replace("-", "−") in row.line
        assert not panel.says_total or panel.line.split(" ")[0] == row.total
        assert row.winner == (row.seat in table.winners)
    for panel in table.seats:
        assert panel.shows is None or f"{panel.shows}".replace("-", "−") in panel.line
        assert not panel.done or panel.state, "what is done is said"
    assert not table.winners or table.over
    told = table.to_json()
    assert told["subtitle"] == table.subtitle
    assert told["layout"]["kind"] == table.layout.kind
    assert [row["total"] for row in told["scores"]] == [row.total for row in table.scores]


@pytest.mark.parametrize("name", GAMES)
def test_numbers_shown_on_a_table_agree_with_its_texts(name: str) -> None:
    rnd = random.Random(f"numbers of {name}")
    for _ in range(3):
        match = match_with_random_options(name, rnd)
        for _ in range(60):
            for viewer in (0, SPECTATOR):
                check_numbers_and_texts(match.table(viewer, SITTERS[: match.seats]))
            if match.over:
                break
            play_randomly(match, rnd, rnd.randint(1, 6))


@pytest.mark.parametrize("name", GAMES)
def test_winners_of_a_match_are_the_seats_with_the_best_final_score(name: str) -> None:
    info = catalogue()[name]
    rnd = random.Random(f"winners of {name}")
    match = Match(name, info.seats[0], {}, seed=bytes([3]) * 32)
    play_randomly(match, rnd, 20_000)
    table = match.table(SPECTATOR, SITTERS[: match.seats])
    returns = match.game.returns(match.state)
    assert match.over
    check_numbers_and_texts(table)
    if info.together:
        assert set(table.winners) in (set(), set(range(match.seats)))
    else:
        assert all(returns[seat] == max(returns) for seat in table.winners)
