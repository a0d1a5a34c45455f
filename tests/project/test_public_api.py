"""The public names of the package, and the cost of importing it."""

from __future__ import annotations

import subprocess
import sys

import pytest

import facedown
from facedown.core.game_registry import catalogue

#: All public names of the package.
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


def test_the_top_level_package_exports_exactly_the_public_names() -> None:
    assert set(facedown.__all__) == PUBLIC
    assert facedown.__all__ == sorted(facedown.__all__)
    assert set(dir(facedown)) == PUBLIC


@pytest.mark.parametrize("name", sorted(PUBLIC - {"__version__"}))
def test_every_public_name_has_a_docstring(name: str) -> None:
    said = getattr(facedown, name).__call__.__doc__ if name == "games" else getattr(facedown, name).__doc__
    assert said
    assert len(said.split()) > 5


def test_an_unknown_name_of_the_package_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'facedown' has no attribute 'deal_me_in'"):
        facedown.deal_me_in  # type: ignore[attr-defined]  # noqa: B018


def test_function_facedown_games_returns_all_games_of_the_catalogue() -> None:
    import facedown.games as package

    assert list(facedown.games()) == list(catalogue())
    assert vars(facedown)["games"] is package


def test_import_of_facedown_loads_no_large_packages() -> None:
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


def test_the_public_names_suffice_to_play_and_verify_a_match() -> None:
    """As a reader of the package's first page would try it."""
    for name, info in facedown.games().items():
        match = facedown.Match(name, seats=info.seats[0])
        action = facedown.choose_for_seat(facedown.bot("random"), match, match.acting[0], seed=1)
        match.play(match.acting[0], action)
        assert facedown.verify(facedown.write(match)).found
        with pytest.raises(facedown.IllegalMove):
            match.play(99, action)
