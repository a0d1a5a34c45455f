"""Old names of public modules, functions, classes and methods: they work and warn."""

import re
from importlib import import_module
from types import SimpleNamespace

import pytest

import facedown
from facedown._renamed import MODULES, RenamedAttribute, new_module, renamed
from facedown.core.game_registry import catalogue

SHARED = {package: words.split()[::2] for package, words in MODULES.items() if "*" not in package}
OLD = [f"facedown.{package}.{old}" for package, names in SHARED.items() for old in names]
#: Module names of games, old and renamed: all games have these.
OF_GAMES = [f"facedown.games.{game}.{old}" for game in catalogue() for old in ("words", "score", "policy")]


@pytest.mark.parametrize("old", [name for name in (*OLD, *OF_GAMES) if "jax" not in (new_module(name) or "")])
def test_an_old_module_name_gives_the_new_module(old: str) -> None:
    with pytest.warns(DeprecationWarning, match=re.escape(str(new_module(old)))):
        module = import_module(old)
    assert module is import_module(str(new_module(old)))
    assert module.__spec__ is not None
    assert module.__spec__.name == module.__name__ == new_module(old)


def test_a_module_that_never_existed_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match="nothing"):
        import_module("facedown.core.nothing")


def test_an_old_function_name_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    lookup = renamed("facedown", old_seated="seated")
    with pytest.warns(DeprecationWarning, match=r"facedown\.old_seated is now seated"):
        assert lookup("old_seated") is facedown.seated
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        lookup("other")


def test_an_old_method_name_warns() -> None:
    class Table(SimpleNamespace):
        sit = RenamedAttribute("join")

        def join(self) -> str:
            return "joined"

    with pytest.warns(DeprecationWarning, match=r"Table\.sit is now join"):
        assert Table().sit() == "joined"
