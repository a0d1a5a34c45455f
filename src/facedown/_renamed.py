"""Old names of public modules, functions, classes, methods and fields.

``renamed_names.txt`` lists them as ``old.module new.module`` or ``module old_name new_name``, all relative to
`facedown`. An old name still works and gives a `DeprecationWarning` that names the new one.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any
from warnings import warn

LIST = Path(__file__).with_name("renamed_names.txt")


@cache
def renamed_modules() -> dict[str, str]:
    """Return a mapping from the old full name of each renamed module to its new full name.

    >>> renamed_modules()["facedown.core.notation"]
    'facedown.core.match_file'
    """
    lines = (line.split() for line in LIST.read_text("utf-8").splitlines())
    return {f"facedown.{words[0]}": f"facedown.{words[1]}" for words in lines if len(words) == 2}


@cache
def renamed_names() -> dict[str, dict[str, str]]:
    """Return the old and new names of renamed members, as a mapping {full name of the module: {old name: new name}}.

    An old name is ``name``, or ``Class.name`` for a method or field.
    """
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for line in LIST.read_text("utf-8").splitlines():
        module, *names = line.split()
        if len(names) == 2:
            found[f"facedown.{module}"][names[0]] = names[1]
    return found


def find_spec(name: str, path: Any = None) -> ModuleSpec | None:
    """Return the import spec for `name`, or None if neither the module nor any of its members was renamed.

    The loader of the spec depends on `name`:

    * If `name` is the old name of a module, the loader returns the module with the new name.
    * If `name` is a module with renamed members, the loader executes the module and then adds its members' old names.

    `path` is the search path of the import system.
    """
    if name in renamed_modules():
        return ModuleSpec(name, RenamedModule(), origin=renamed_modules()[name])  # type: ignore[arg-type]
    spec = PathFinder.find_spec(name, path) if name in renamed_names() else None
    if spec is None or spec.loader is None:
        return None
    run = spec.loader.exec_module

    def run_and_add_old_names(module: ModuleType) -> None:
        run(module)
        alias_old_names(module, renamed_names()[name])

    spec.loader.exec_module = run_and_add_old_names  # type: ignore[method-assign]
    return spec


class RenamedModule:
    """Loader for the old name of a module. It returns the new module object itself, so that classes and state are the
    same under both names.
    """

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Warn that the module was renamed, and return the new module."""
        warn(f"{spec.name} is now {spec.origin}", DeprecationWarning, stacklevel=2)
        module = import_module(str(spec.origin))
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Only restore the module's own ``__spec__``, which the import system has just overwritten.

        Nothing is executed, because the module's code already ran when it was imported under its new name.
        """
        module.__spec__ = self.spec


def alias_old_names(module: ModuleType, names: dict[str, str]) -> None:
    """Add old names to a module and to its classes. Each is an alias that warns when it is used.

    `names` maps each old name, ``name`` or ``Class.name``, to the new one.

    Protocol classes get no aliases, because every attribute of a protocol would be required of its implementations.
    """
    of_classes: dict[type, dict[str, str]] = defaultdict(dict)
    for old, new in names.items():
        class_name, _, attribute = old.rpartition(".")
        if class_name and not getattr(getattr(module, class_name), "_is_protocol", False):
            of_classes[getattr(module, class_name)][attribute] = new
    for owner, renamed in of_classes.items():
        for old, new in renamed.items():
            setattr(owner, old, RenamedAttribute(owner.__name__, old, new))
        if is_dataclass(owner):
            accept_old_arguments(owner, renamed)
    if not hasattr(module, "__getattr__"):
        setattr(module, "__getattr__", module_getattr(module.__name__, names))  # noqa: B010


def module_getattr(module: str, names: dict[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` function for a module (PEP 562) that resolves old names of the module's members.

    `names` maps each old name to its new one: a name in the same module, or a dotted name relative to `facedown`. The
    returned function raises `AttributeError` for any other name.
    """

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn(f"{module}.{name} is now {names[name]}", DeprecationWarning, stacklevel=2)
        home, _, new = names[name].rpartition(".")
        return getattr(import_module(f"facedown.{home}") if home else sys.modules[module], new)

    return find


def accept_old_arguments(owner: type, renamed: dict[str, str]) -> None:
    """Let the constructor of the dataclass `owner` accept renamed fields by their old names too, with a warning.

    `renamed` maps each old name to the new one.
    """
    named = {old: new for old, new in renamed.items() if new in {field.name for field in fields(owner)}}
    construct: Callable[..., None] = owner.__init__  # type: ignore[misc]

    @wraps(construct)
    def construct_by_any_name(self: Any, *arguments: Any, **keywords: Any) -> None:
        for old in named.keys() & keywords.keys():
            warn(f"{owner.__name__}: {old} is now {named[old]}", DeprecationWarning, stacklevel=2)
            keywords[named[old]] = keywords.pop(old)
        construct(self, *arguments, **keywords)

    if named:
        owner.__init__ = construct_by_any_name  # type: ignore[misc]


class RenamedAttribute:
    """Descriptor that stands for the old name of a method or field, and warns when it is read."""

    def __init__(self, owner: str, old: str, new: str) -> None:
        self.owner, self.old, self.new = owner, old, new

    def __get__(self, instance: Any, owner: type) -> Any:
        warn(f"{self.owner}.{self.old} is now {self.new}", DeprecationWarning, stacklevel=2)
        return getattr(owner if instance is None else instance, self.new)
