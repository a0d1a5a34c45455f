"""Old names of public modules, functions, classes and methods work and warn."""

import re
from dataclasses import dataclass
from importlib import import_module

import pytest

from facedown._renamed import accept_old_arguments, renamed_modules, renamed_names


@pytest.mark.parametrize("old", [name for name in renamed_modules() if "learning.model" not in name])
def test_an_old_module_name_imports_the_new_module_with_a_warning(old: str) -> None:
    new = renamed_modules()[old]
    with pytest.warns(DeprecationWarning, match=re.escape(new)):
        module = import_module(old)
    assert module is import_module(new)
    assert module.__spec__ is not None
    assert module.__spec__.name == module.__name__ == new


def test_import_of_an_unknown_module_raises_module_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match="nothing"):
        import_module("facedown.core.nothing")


@pytest.mark.parametrize("name", [name for name in renamed_names() if "jax" not in name])
def test_old_names_in_a_module_return_the_new_objects_with_a_warning(name: str) -> None:
    module = import_module(name)
    for old, new in renamed_names()[name].items():
        owner, _, attribute = old.rpartition(".")
        target = getattr(module, owner) if owner else module
        if getattr(target, "_is_protocol", False):
            continue
        home, _, last = new.rpartition(".")
        expected = getattr(import_module(f"facedown.{home}") if home else target, last, None)
        if expected is not None:
            with pytest.warns(DeprecationWarning, match=re.escape(f"{old} is now {new}")):
                found = getattr(target, attribute)
            assert found is expected or repr(found) == repr(expected)


def test_an_unknown_name_in_a_module_with_old_names_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = import_module("facedown.core.grammar").nothing


def test_a_dataclass_accepts_old_argument_names_with_a_warning() -> None:
    @dataclass
    class Pair:
        first: int
        last: int

    accept_old_arguments(Pair, {"second": "last"})
    with pytest.warns(DeprecationWarning, match="Pair: second is now last"):
        assert Pair(first=1, second=2) == Pair(1, 2)
