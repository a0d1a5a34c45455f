"""What stands at the top of the package, and what it costs to come in."""

from __future__ import annotations

import subprocess
import sys

import pytest

import facedown
from facedown.core.game_registry import catalogue

#: All that whoever imports the package may count on.
PUBLIC = {
    "IllegalMove",
    "Match",
    "__version__",
    "bot",
    "games",
    "playouts",
    "read",
    "choose_for_seat",
    "seed_from_text",
    "svg",
    "verify",
    "write",
}


def test_the_front_door_is_what_is_listed_here() -> None:
    assert set(facedown.__all__) == PUBLIC
    assert facedown.__all__ == sorted(facedown.__all__)
    assert set(dir(facedown)) == PUBLIC


@pytest.mark.parametrize("name", sorted(PUBLIC - {"__version__"}))
def test_each_name_says_what_it_is(name: str) -> None:
    said = getattr(facedown, name).__call__.__doc__ if name == "games" else getattr(facedown, name).__doc__
    assert said
    assert len(said.split()) > 5


def test_names_that_are_not_there_are_missed() -> None:
    with pytest.raises(AttributeError, match="'facedown' has no attribute 'deal_me_in'"):
        facedown.deal_me_in  # type: ignore[attr-defined]  # noqa: B018


def test_the_package_of_the_games_lists_them() -> None:
    import facedown.games as package

    assert list(facedown.games()) == list(catalogue())
    assert vars(facedown)["games"] is package


def test_coming_in_loads_nothing_heavy() -> None:
    script = (
        "import sys, facedown;"
        "heavy = ('numpy', 'numba', 'rich', 'fastapi', 'sqlalchemy', 'typing_extensions');"
        "print(dir(facedown) and [name for name in sys.modules if name.split('.')[0] in heavy]);"
        "print(sorted(name for name in sys.modules if name.startswith('facedown')));"
        "facedown.games();"
        "print('facedown.core.match' in sys.modules, callable(facedown.games))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["[]", "['facedown']", "False True"], done.stderr


def test_a_match_of_its_own_in_a_few_lines() -> None:
    """As somebody would try it who has read no more than the page in front."""
    for name, info in facedown.games().items():
        match = facedown.Match(name, seats=info.seats[0])
        action = facedown.choose_for_seat(facedown.bot("random"), match, match.acting[0], seed=1)
        match.play(match.acting[0], action)
        assert facedown.verify(facedown.write(match)).found
        with pytest.raises(facedown.IllegalMove):
            match.play(99, action)
