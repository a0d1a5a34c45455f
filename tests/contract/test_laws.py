"""Laws of every registered game on random matches: conservation, round trips, replays, sealed legality."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from facedown.check import laws
from facedown.check.driver import FOR_RESEARCH, GAMES, NAMES, moments, play_randomly, random_match
from facedown.core.game import game
from facedown.core.match import Match
from facedown.core.state import DECIDED, EMPTY, copy, to_bytes
from facedown.core.table import Step

MATCHES = 12
PLIES = 150


def touches(match: Match) -> Iterator[str]:
    return laws.touches(match, match.game.tables.untouched)


#: Laws of a moment, and for how many plies of each random match they are looked at.
OF_A_MOMENT = ((laws.conserved, PLIES), (laws.legality, PLIES), (laws.phases, PLIES), (laws.views, 60), (touches, 60))


@pytest.fixture(params=range(MATCHES))
def seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.mark.parametrize(
    ("name", "research"), [*((name, False) for name in GAMES), *((name, True) for name in FOR_RESEARCH)]
)
def test_laws_of_a_moment_hold_along_a_random_match(name: str, research: bool, seed: int) -> None:
    """Also of small variants, which end as well."""
    rnd = random.Random(f"{name} {seed}")
    match = random_match(name, rnd, research)
    for ply in moments(match, rnd, PLIES):
        for law, plies in OF_A_MOMENT:
            broken = list(law(match)) if ply < plies else []
            assert not broken, f"{match.options} at ply {match.ply}: {'; '.join(broken)}"
    if research:
        play_randomly(match, rnd, 50_000)
        assert match.over


@pytest.mark.parametrize("name", GAMES)
def test_laws_of_a_match(name: str, seed: int) -> None:
    """What cannot be played changes nothing; a match replays to the same bytes."""
    rnd = random.Random(f"replay {name} {seed}")
    match = random_match(name, rnd)
    play_randomly(match, rnd, rnd.randint(0, PLIES))
    assert list(laws.refused(match, rnd)) == []
    play_randomly(match, rnd, PLIES - match.ply)
    assert list(laws.replays(match)) == []
    *_, last = match.steps()
    assert to_bytes(last.after) == to_bytes(match.state)


@pytest.mark.parametrize("name", GAMES)
def test_laws_of_a_game(name: str) -> None:
    """Words are a round trip, every option is spelled one way, nonsense is no move, and a random match ends."""
    found = game(name)
    assert [*laws.words(found), *laws.options(found), *laws.end(found, random.Random(f"end {name}"))] == []
    assert len(set(NAMES)) >= found.info.seats[1]
    for text in ("draw draw", "take", "swap -1 -1 -1"):
        with pytest.raises(ValueError, match=r"\S"):
            found.words.parse(text)


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
