"""Laws of every registered game on random matches: conservation, round trips, replays, sealed legality."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import pytest

from facedown.check import laws
from facedown.check.driver import FOR_RESEARCH, GAMES, NAMES, play_randomly, random_match
from facedown.core.game import game
from facedown.core.match import Match
from facedown.core.state import DECIDED, EMPTY, copy, to_bytes
from facedown.core.table import Step

MATCHES = 12
PLIES = 150


@pytest.fixture(params=range(MATCHES))
def seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def along(name: str, seed: int, plies: int, *held: Callable[[Match], Iterable[str]], research: bool = False) -> None:
    """Hold a random match to laws of a moment, at each of its first plies."""
    rnd = random.Random(f"{name} {seed}")
    match = random_match(name, rnd, research)
    for _ in range(plies):
        for law in held:
            broken = list(law(match))
            assert not broken, f"{match.options} at ply {match.ply}: {'; '.join(broken)}"
        if match.over:
            break
        play_randomly(match, rnd, 1)


@pytest.mark.parametrize("name", GAMES)
def test_cards_are_conserved_and_moves_are_legal_at_every_step(name: str, seed: int) -> None:
    along(name, seed, PLIES, laws.conserved, laws.legality, laws.phases)


@pytest.mark.parametrize("name", GAMES)
def test_views_tell_the_truth(name: str, seed: int) -> None:
    along(name, seed, PLIES // 5, laws.views)


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_action_can_be_touched(name: str, seed: int) -> None:
    """The tree of touches offers exactly the legal actions, on things that the table has."""
    along(name, seed, 60, lambda match: laws.touches(match, match.game.tables.untouched))


@pytest.mark.parametrize("name", FOR_RESEARCH)
def test_small_variants_keep_all_laws_of_a_moment(name: str, seed: int) -> None:
    touched = partial(laws.touches, untouched=game(name).tables.untouched)
    along(name, seed, 60, laws.conserved, laws.legality, laws.views, touched, research=True)


@pytest.mark.parametrize("name", FOR_RESEARCH)
def test_a_random_match_of_a_small_variant_ends(name: str, seed: int) -> None:
    rnd = random.Random(f"small {name} {seed}")
    match = random_match(name, rnd, research=True)
    play_randomly(match, rnd, 50_000)
    assert match.over


@pytest.mark.parametrize("name", GAMES)
def test_a_match_replays_to_the_same_bytes(name: str, seed: int) -> None:
    rnd = random.Random(f"replay {name} {seed}")
    match = random_match(name, rnd)
    play_randomly(match, rnd, PLIES)
    assert list(laws.replays(match)) == []
    *_, last = match.steps()
    assert to_bytes(last.after) == to_bytes(match.state)


@pytest.mark.parametrize("name", GAMES)
def test_words_are_a_round_trip(name: str) -> None:
    assert list(laws.words(game(name))) == []


@pytest.mark.parametrize("name", GAMES)
def test_nonsense_is_no_move(name: str) -> None:
    for text in ("draw draw", "take", "swap -1 -1 -1"):
        with pytest.raises(ValueError, match=r"\S"):
            game(name).words.parse(text)


@pytest.mark.parametrize("name", GAMES)
def test_what_cannot_be_played_changes_nothing(name: str, seed: int) -> None:
    rnd = random.Random(f"illegal {name} {seed}")
    match = random_match(name, rnd)
    play_randomly(match, rnd, rnd.randint(0, PLIES))
    assert list(laws.refused(match, rnd)) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_random_match_ends(name: str) -> None:
    assert list(laws.end(game(name), random.Random(f"end {name}"))) == []


@pytest.mark.parametrize("name", GAMES)
def test_every_option_is_spelled_one_way(name: str) -> None:
    assert list(laws.options(game(name))) == []
    assert len(set(NAMES)) >= game(name).info.seats[1]


# --- laws that are broken are seen to be ------------------------------------------------------------------------------


def broken(name: str, **fields: object) -> Match:
    """A match whose state says something else than it should."""
    match = Match(name, game(name).info.seats[0], {}, seed=bytes(32))
    state = copy(match.state)
    for field, value in fields.items():
        state[field] = value
    match.state = state
    return match


@pytest.mark.parametrize("name", GAMES)
def test_what_is_broken_is_said(name: str) -> None:
    lost = Match(name, game(name).info.seats[0], {}, seed=bytes(32)).state.card[:]
    lost[0] = EMPTY if lost[0] != EMPTY else 0
    assert any("lost or made" in text for text in laws.conserved(broken(name, card=lost)))
    assert list(laws.legality(broken(name, acting=0))) == ["nobody is to act"]
    assert "somebody is to act after the end" in list(laws.legality(broken(name, over=DECIDED)))
    played = broken(name)
    play_randomly(played, random.Random(1), 3)
    played.state = broken(name).state
    assert any("come to something else" in text for text in laws.replays(played))


@pytest.mark.parametrize("name", GAMES)
def test_bad_words_are_said(name: str) -> None:
    true = game(name)
    same = replace(true, words=replace(true.words, words=lambda action: true.words.words(0)))
    assert any("several actions" in text for text in laws.words(same))
    deaf = replace(true, words=replace(true.words, parse=lambda text: 0))
    assert any("'no such move' is read" in text for text in laws.words(deaf))
    still = replace(
        true, tables=replace(true.tables, table=lambda v, s: replace(true.tables.table(v, s), step=Step("?")))
    )
    match = Match(still, true.info.seats[0], {}, seed=bytes(32))
    assert any("no touches for" in text for text in laws.touches(match))
    for named, said in ((), "does not name"), (("another",) * 9, "is another"):
        nameless = replace(true, tables=replace(true.tables, phases=named))
        assert any(said in text for text in laws.phases(Match(nameless, true.info.seats[0], {}, seed=bytes(32))))
