"""Actions as a person says them: whole words, told apart, from the view of the seat alone."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from facedown.check.driver import GAMES, SITTERS, play_randomly, random_match, situations
from facedown.core import slots
from facedown.core.game import game
from facedown.core.spoken import Spoken
from facedown.core.state import SPECTATOR

#: What notation looks like: cells, letters of columns, ranges, ids with a number.
NOTATION = re.compile(r"\b[a-d][1-3]\b|\b[LCR]\b|\d-\d|\w-\d|_|[{}()]|;|\b(kept|turned) at\b")


def forms(said: Spoken) -> tuple[str, str, str]:
    return said.do, said.done, said.doing


@pytest.mark.parametrize("name", GAMES)
def test_every_action_is_said_in_words_and_told_apart(name: str) -> None:
    verbs = set()
    for situation in situations(name, 11, 30):
        match = situation.match
        for seat in match.acting[:1]:
            view = match.known(seat)
            said = {action: game(name).spoken(view, action, SITTERS) for action in match.legal(seat)}
            for action, words in said.items():
                where = f"{match.game.words.words(action)}: {words}"
                assert words.do[0].isupper(), where
                assert words.done[0].islower(), where
                assert words.doing.split(" ")[0].endswith("ing"), where
                for text in forms(words):
                    assert not NOTATION.search(text), where
                    assert text == text.strip().rstrip(".,"), where
                    assert "  " not in text, where
                verbs.add(words.done.split(" ")[0])
            texts = [words.do for words in said.values()]
            # Reveal's hand cards of one colour are the same to everybody; anywhere else a move has its own words.
            if name != "reveal":
                assert len(set(texts)) == len(texts), f"{situation}: {sorted(texts)}"
    assert len(verbs) >= 2


@pytest.mark.parametrize("name", GAMES)
def test_an_action_is_said_of_somebody_else_to_somebody_else(name: str) -> None:
    for situation in situations(name, 12, 20):
        match = situation.match
        for seat in match.acting:
            view = match.known(seat)
            for action in match.legal(seat)[:40]:
                own = game(name).spoken(view, action, SITTERS)
                assert own == game(name).spoken(view, action, SITTERS, seat)
                # A watcher owns nothing on the table.
                for text in forms(game(name).spoken(view, action, SITTERS, SPECTATOR)):
                    assert not re.search(r"\byours?\b", text), text
                for text in forms(own):
                    assert SITTERS[seat].name not in text
                    assert "their" not in text


@pytest.mark.parametrize("name", GAMES)
def test_what_is_said_depends_on_nothing_hidden(name: str) -> None:
    found = game(name)
    for number, situation in enumerate(situations(name, 3, 40)):
        state = situation.match.state
        key = np.frombuffer(random.Random(number).randbytes(32), np.uint32).copy()
        for seat in situation.match.acting:
            for see in (slots.known_view, slots.shown_view):
                view = see(state, seat)
                other = see(slots.redeal(slots.known_view(state, seat), key), seat)
                for action in situation.match.legal(seat)[:40]:
                    assert found.spoken(view, action, SITTERS) == found.spoken(other, action, SITTERS), str(situation)


def test_equal_words_of_reveal_are_cards_of_one_colour() -> None:
    rnd = random.Random("reveal alike")
    met = 0
    for _ in range(12):
        match = random_match("reveal", rnd)
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
                by_words.setdefault(match.game.spoken(match.known(seat), action, SITTERS).do, set()).add(what)
            assert all(len(what) == 1 for what in by_words.values()), by_words
            met += len({piece.name for piece in hand}) < len(hand)
            play_randomly(match, rnd, 1)
    assert met
