"""Fixtures: small games and their trees, built once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.core import game_registry as registry
from facedown.core.match import Match
from facedown.research.game_tree import GameTree, build_full_tree

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "kuhn"


@pytest.fixture(scope="session")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameTree]:
    """The tree of a hand of Kuhn poker, whose package is found like an installed one."""
    place = tmp_path_factory.mktemp("installed")
    about = place / "kuhn-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: kuhn\nVersion: 1\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[facedown.games]\nkuhn = facedown_kuhn\n", encoding="utf-8")
    # The result is cached for good: later calls of `catalogue` return only the built-in games.
    registry.catalogue()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLE))
        patch.syspath_prepend(str(place))
        registry._games_by_name.cache_clear()
        tree = build_full_tree(Match("kuhn", 2, {"end": "hands(1)"}, first=0))
    # Remove it from the list of games. Otherwise other tests of this process would find it on every page.
    registry._games_by_name.cache_clear()
    yield tree
    for name in [name for name in sys.modules if name.partition(".")[0] == "facedown_kuhn"]:
        del sys.modules[name]


#: The smallest variant of each game that has decisions, and whether its tree has perfect recall.
SMALLEST = {
    "detect": ({"grid": "small(2,2,1)", "deck": "custom(0:6 4:6)"}, False),
    "reveal": ({"layout": "small(2,1)", "deck": "custom(2,5,0)", "final_mode": "sealed", "end": "hands(1)"}, True),
    "scout": ({"hands": "small(2,0)", "deck": "custom(1/6 2/7 3/8 4/9 5/10)"}, True),
}


def smallest(name: str) -> Match:
    """Return a match of the smallest variant of a game."""
    return Match(name, 2, SMALLEST[name][0], first=0)


@pytest.fixture(scope="session")
def trees() -> dict[str, GameTree]:
    """The trees of the smallest variants."""
    return {name: build_full_tree(smallest(name), recall=recall) for name, (_options, recall) in SMALLEST.items()}
