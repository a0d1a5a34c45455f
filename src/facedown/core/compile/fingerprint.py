"""What the machine code of a rule is made of, as a short hash.

A compiler turns a rule's instructions into machine code, puts in the values that its global names have at that moment,
and joins on the rules that it calls, made in the same way. So the fingerprint of a rule is taken of just that: of
instructions and constants, of the values of its globals, and of the fingerprints of the rules that it calls. Sentences
are no part of it: a changed comment, docstring or log line recompiles nothing, and neither does a rule beside it. A
changed constant changes every rule that it is worked into, wherever it stands.

A generic function (`core.dispatch`) stands for another rule in each game; which games it is about is read off
the types that the rule is compiled for.

A rule that refers to something which is no value, module, class or rule that we know how to read has no fingerprint.
"""

from __future__ import annotations

import dis
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cache
from itertools import product
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numba
import numpy as np
from numba.core import types

from facedown.core.compile.jit import IS_PLAIN_NUMBA, rule_pickers

# Numba's type stubs do not know all of its classes.
_types: Any = types

Function = Callable[..., Any]

#: What does not change by itself: it comes with the Python, NumPy and Numba that `environment_hash` names.
LIBRARIES = sys.stdlib_module_names | {"numpy", "numba", "llvmlite"}
#: What says all about itself when it is written down.
SIMPLE_TYPES = (int, float, complex, str, bytes, type(None), type(...))
#: The modules that turn rules into machine code.
COMPILER_MODULES = ("jit", "numba_parts", "integer_widths")


@cache
def environment_hash() -> str:
    """A hash of all that compiles rules: Python, NumPy, Numba and our own pipeline."""
    names = (sys.version_info[:3], sys.platform, np.__version__, numba.__version__, IS_PLAIN_NUMBA)
    digest = hashlib.sha256(repr(names).encode())
    for module in COMPILER_MODULES:
        digest.update(Path(__file__).with_name(f"{module}.py").read_bytes())
    return digest.hexdigest()[:20]


def fingerprint(function: Function, kinds: Iterable[Any]) -> str:
    """The hash of what `function` is made of, compiled for these Numba types; empty if that cannot be told.

    It cannot where a rule takes something that we cannot read, or calls a generic function and no type says for which
    game.
    """
    digest = hashlib.sha256()
    numbers = {function: 0}
    waiting = [function]
    records = dict.fromkeys(record_types_in(kinds))
    generics = dict[Function, None]()
    asked, found = set[tuple[Function, Any]](), set[Function]()

    def number_of(called: Function) -> bytes:
        if called not in numbers:
            numbers[called] = len(numbers)
            waiting.append(called)
        return b"%d " % numbers[called]

    while waiting:
        read = function_contents(waiting.pop(0))
        if not read.is_readable:
            return ""
        digest.update(read.own_hash + b"".join(map(number_of, read.calls)))
        generics |= dict.fromkeys(read.generics)
        records |= dict.fromkeys(read.records)
        for generic, record in product(generics, records) if not waiting else ():
            picked = _rule_for_record(generic, record) if (generic, record) not in asked else None
            asked.add((generic, record))
            if picked is not None:
                found.add(generic)
                digest.update(f"{_label(generic)} {record}".encode() + number_of(picked))
    return digest.hexdigest() if found == generics.keys() else ""


def record_types_in(kinds: Iterable[Any]) -> Iterator[Any]:
    """The types of records that some Numba types have in them: arrays of them, tuples with them."""
    for kind in kinds:
        if isinstance(kind, _types.Record):
            yield kind
        elif isinstance(kind, _types.BaseTuple):
            yield from record_types_in(kind)
        elif isinstance(getattr(kind, "dtype", None), _types.Type):
            yield from record_types_in([kind.dtype])


def _rule_for_record(generic: Function, record: Any) -> Function | None:
    try:
        found: Function | None = getattr(rule_pickers[generic](record), "py_func", None)
    except LookupError:
        # The game has none.
        return None
    return found


class FunctionContents:
    """What one function is made of: a hash of its own part, and what it calls."""

    def __init__(self, function: Function) -> None:
        self.calls = list[Function]()
        self.generics = list[Function]()
        self.records = list[Any]()
        self.is_readable = True
        """False if it takes something that cannot be read."""
        self._function = function
        #: Whatever makes a difference, as plain values.
        self._notes: list[object] = [_label(function)]
        self._modules = list[ModuleType]()
        #: Which of the function's globals is being read; empty where it is not one of them.
        self._name = ""
        code = function.__code__
        self._names = sorted({name for inner in _nested_code(code) for name in inner.co_names})
        self._add_code(code, function.__doc__)
        self._add_value((function.__defaults__, sorted((function.__kwdefaults__ or {}).items())))
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            self._notes.append(f"cell {name}")
            self._add_value(cell.cell_contents)
        self._add_globals(function.__globals__)
        self.own_hash = hashlib.sha256(repr(self._notes).encode()).digest()

    def _add_globals(self, members: dict[str, Any]) -> None:
        """The values of all names that the function has."""
        for name in (name for name in self._names if name in members):
            self._notes.append(f"name {name}")
            self._name = name if members is self._function.__globals__ else ""
            self._add_value(members[name])

    def _add_code(self, code: CodeType, doc: str | None = None) -> None:
        """Instructions and constants, without the docstring and without the lines that they stand in."""
        shape = (code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount, code.co_flags)
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        # What is caught where stands beside the instructions.
        self._notes += [shape, names, code.co_code, code.co_exceptiontable]
        for place, constant in enumerate(code.co_consts):
            if isinstance(constant, CodeType):
                self._add_code(constant)
            elif place or doc is None or constant != doc:
                self._add_value(constant)

    def _add_value(self, value: Any) -> None:
        """One value that the function takes from outside."""
        if isinstance(value, Enum):
            self._notes += [_label(type(value)), value.name]
            self._add_value(value.value)
        elif isinstance(value, SIMPLE_TYPES):
            self._notes += [_label(type(value)), value]
        elif isinstance(value, (tuple, list)):
            self._notes += [_label(type(value)), len(value)]
            for each in value:
                self._add_value(each)
        elif isinstance(value, frozenset):
            self._notes += ["set", sorted(map(repr, value))]
        elif isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
            flags = np.asarray(value).flags
            self._notes += [value.dtype, value.shape, flags.c_contiguous, flags.f_contiguous, value.tobytes()]
        elif isinstance(value, np.dtype):
            self._notes.append(repr(value))
            if value.names:
                self.records.append(numba.from_dtype(value))
        else:
            self._add_named_object(value)

    def _add_named_object(self, value: Any) -> None:
        """Something that has a name and stands for itself or for a rule."""
        if isinstance(value, ModuleType):
            self._add_module(value)
        elif hasattr(value, "py_func"):
            options = getattr(value, "targetoptions", {})
            self._notes += ["rule", sorted((k, v) for k, v in options.items() if isinstance(v, (bool, str)))]
            self.calls.append(value.py_func)
        elif inspect.isfunction(value) and value in rule_pickers:
            self._notes.append(f"generic {_label(value)}")
            self.generics.append(value)
        elif _is_named_only(value):
            self._notes.append(_label(value))
        elif inspect.isclass(value) and issubclass(value, Enum):
            self._notes.append(f"{_label(value)} {list(value.__members__)}")
            self._add_value(list(value.__members__.values()))
        elif inspect.isclass(value) and issubclass(value, tuple) and hasattr(value, "_fields"):
            self._notes.append(f"{_label(value)} {value._fields}")
        elif not self._name or _loads_global(self._function.__code__, self._name):
            self.is_readable = False

    def _add_module(self, module: ModuleType) -> None:
        self._notes.append(f"module {module.__name__}")
        if _top_package(module.__name__) not in LIBRARIES and module not in self._modules:
            self._modules.append(module)
            self._add_globals(vars(module))


@cache
def function_contents(function: Function) -> FunctionContents:
    """What a plain function is made of, worked out once: compiled code keeps the values of its globals, too."""
    return FunctionContents(function)


def _nested_code(code: CodeType) -> Iterator[CodeType]:
    """Some code and the code inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested_code(constant)


def _loads_global(code: CodeType, name: str) -> bool:
    """Does some code take a global of this name, or has only an attribute of something that name?"""
    steps = (step for inner in _nested_code(code) for step in dis.get_instructions(inner))
    return any(step.argval == name and step.opname in ("LOAD_GLOBAL", "LOAD_NAME") for step in steps)


def _label(value: Any) -> str:
    """What something is called, with its module."""
    if isinstance(value, _types.Type):
        return f"numba {value}"
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None) or _label(type(value))
    return f"{getattr(value, '__module__', None)}.{name}"


def _is_named_only(value: Any) -> bool:
    """Is this nothing to compiled code but its name: a type, an error, a part of a library?"""
    if isinstance(value, _types.Type) or (inspect.isclass(value) and issubclass(value, BaseException)):
        return True
    module = getattr(value, "__module__", None) or type(value).__module__
    return isinstance(module, str) and _top_package(module) in LIBRARIES


def _top_package(module: str) -> str:
    return module.partition(".")[0]
