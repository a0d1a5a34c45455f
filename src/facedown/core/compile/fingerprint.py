"""Fingerprints of compiled functions: a hash of everything that the machine code of a function depends on.

Numba compiles the bytecode of a function, inserts the current values of its global names, and links in the compiled
functions that it calls. So the fingerprint covers:

* the bytecode and the constants in it, such as numbers and texts;
* the values of the globals. A changed constant changes the fingerprint of every function that uses it, in any module;
* the fingerprints of all called functions.

Comments, the docstring and line numbers are not covered. So a change to them recompiles nothing, and neither does a
change to code that the function does not use.

A *generic function* such as `apply` (`core.rule_dispatch`) has one implementation in each game. The first argument of a
call decides which implementation runs, by its *record type*: the type of the states and views of one game. So a
function that calls a generic function depends on the record types among its own argument types and globals. For each of
these record types, its fingerprint covers the implementation of that game.

The fingerprint is an empty text if the function uses something that cannot be hashed, or if the function calls a
generic function and the game is unknown.
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

# Typed as `Any`, because Numba's type stubs do not contain all of its classes.
_types: Any = types

Function = Callable[..., Any]

#: Packages whose contents change only with the versions of Python, NumPy and Numba, which `environment_hash` covers.
LIBRARIES = sys.stdlib_module_names | {"numpy", "numba", "llvmlite"}
#: Types of values whose `repr` describes them completely.
SIMPLE_TYPES = (int, float, complex, str, bytes, type(None), type(...))
#: Modules of this package that affect the compiled code.
COMPILER_MODULES = ("jit", "part_and_entry_compiler", "integer_widths")


@cache
def environment_hash() -> str:
    """Return a hash of the operating system, the versions of Python, NumPy and Numba, and our own compiler modules."""
    names = (sys.version_info[:3], sys.platform, np.__version__, numba.__version__, IS_PLAIN_NUMBA)
    digest = hashlib.sha256(repr(names).encode())
    for module in COMPILER_MODULES:
        digest.update(Path(__file__).with_name(f"{module}.py").read_bytes())
    return digest.hexdigest()[:20]


def fingerprint(function: Function, kinds: Iterable[Any]) -> str:
    """Return a hash of all that the machine code of `function` for the Numba argument types `kinds` depends on.

    The result is an empty text in two cases:

    * The function, or a compiled function that it calls, uses something that cannot be hashed.
    * One of these functions calls a generic function (a function with one implementation in each game), and it is
      unknown which game is meant. The game is known if `kinds`, or the globals of one of the functions, contain the
      type of the game's states and views.
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
                digest.update(f"{_qualified_name(generic)} {record}".encode() + number_of(picked))
    return digest.hexdigest() if found == generics.keys() else ""


def record_types_in(kinds: Iterable[Any]) -> Iterator[Any]:
    """Yield the record types inside the Numba types `kinds`, including those of array items and tuple members.

    A record type is the type of the states and views of one game.
    """
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
        # This game has no function of its own for the generic function.
        return None
    return found


class FunctionContents:
    """Contents of one function, from which `fingerprint` makes its hash.

    * `own_hash`: hash of the function's code, constants and globals.
    * `calls`: compiled functions that the function uses.
    * `generics`: generic functions that it uses. Such a function has one implementation in each game.
    * `records`: record types among its globals. A record type is the type of the states and views of one game.
    """

    def __init__(self, function: Function) -> None:
        self.calls = list[Function]()
        self.generics = list[Function]()
        self.records = list[Any]()
        self.is_readable = True
        """False if the function uses something that cannot be hashed."""
        self._function = function
        #: Everything that affects the compiled code, as values whose `repr` is the same in every process.
        self._notes: list[object] = [_qualified_name(function)]
        self._modules = list[ModuleType]()
        #: Name of the function's global variable whose value is being added to `_notes`; empty while any other value
        #: is added.
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
        """Add to the hash each value in `members` whose name occurs in the bytecode of the function.

        `members` are the globals of the function itself, or those of a module that the function uses.
        """
        for name in (name for name in self._names if name in members):
            self._notes.append(f"name {name}")
            self._name = name if members is self._function.__globals__ else ""
            self._add_value(members[name])

    def _add_code(self, code: CodeType, doc: str | None = None) -> None:
        """Add to the hash the bytecode and constants of `code`, but not the docstring `doc` and the line numbers."""
        shape = (code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount, code.co_flags)
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        # The exception table is stored separately from the bytecode.
        self._notes += [shape, names, code.co_code, code.co_exceptiontable]
        for place, constant in enumerate(code.co_consts):
            if isinstance(constant, CodeType):
                self._add_code(constant)
            elif place or doc is None or constant != doc:
                self._add_value(constant)

    def _add_value(self, value: Any) -> None:
        """Add to the hash the contents of a value that the function uses, such as a number, text, tuple or array.

        An object that has no such contents (a module, function, class …) is passed to `_add_module_function_or_class`.
        """
        if isinstance(value, Enum):
            self._notes += [_qualified_name(type(value)), value.name]
            self._add_value(value.value)
        elif isinstance(value, SIMPLE_TYPES):
            self._notes += [_qualified_name(type(value)), value]
        elif isinstance(value, (tuple, list)):
            self._notes += [_qualified_name(type(value)), len(value)]
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
            self._add_module_function_or_class(value)

    def _add_module_function_or_class(self, value: Any) -> None:
        """Add to the hash those facts about a module, function or class (`value`) that can affect the compiled code.

        The function that is hashed uses `value`. Which facts are added depends on the kind of `value`:

        * A module: its name, and the values of those members that the hashed function uses. Of a module in `LIBRARIES`,
          only the name.
        * A compiled function: its compiler options. It is added to `calls`, and `fingerprint` hashes its contents.
        * A generic function (one implementation in each game): its name. It is added to `generics`, and `fingerprint`
          hashes its implementations.
        * A Numba type, an exception class or an object of a library: its name.
        * An enumeration: its name and its members.
        * A named tuple class: its name and the names of its fields.

        Any other object cannot be hashed, so `is_readable` becomes False.

        Exception: such an object is ignored if it is the value of a global variable that the hashed function does not
        read. This happens if the hashed function reads an attribute with the same name as the variable, as in
        ``x.name``.
        """
        if isinstance(value, ModuleType):
            self._add_module(value)
        elif hasattr(value, "py_func"):
            options = getattr(value, "targetoptions", {})
            self._notes += ["rule", sorted((k, v) for k, v in options.items() if isinstance(v, (bool, str)))]
            self.calls.append(value.py_func)
        elif inspect.isfunction(value) and value in rule_pickers:
            self._notes.append(f"generic {_qualified_name(value)}")
            self.generics.append(value)
        elif _is_identified_by_name(value):
            self._notes.append(_qualified_name(value))
        elif inspect.isclass(value) and issubclass(value, Enum):
            self._notes.append(f"{_qualified_name(value)} {list(value.__members__)}")
            self._add_value(list(value.__members__.values()))
        elif inspect.isclass(value) and issubclass(value, tuple) and hasattr(value, "_fields"):
            self._notes.append(f"{_qualified_name(value)} {value._fields}")
        elif not self._name or _loads_global(self._function.__code__, self._name):
            self.is_readable = False

    def _add_module(self, module: ModuleType) -> None:
        self._notes.append(f"module {module.__name__}")
        if _top_package(module.__name__) not in LIBRARIES and module not in self._modules:
            self._modules.append(module)
            self._add_globals(vars(module))


@cache
def function_contents(function: Function) -> FunctionContents:
    """Return the `FunctionContents` of a plain Python function, from a cache after the first call.

    If the value of a global changes later, the result stays the same. Compiled code also keeps the old value.
    """
    return FunctionContents(function)


def _nested_code(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all code objects nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested_code(constant)


def _loads_global(code: CodeType, name: str) -> bool:
    """Return whether the code reads a global of this name, as opposed to an attribute with the same name."""
    steps = (step for inner in _nested_code(code) for step in dis.get_instructions(inner))
    return any(step.argval == name and step.opname in ("LOAD_GLOBAL", "LOAD_NAME") for step in steps)


def _qualified_name(value: Any) -> str:
    """Return the full name of an object, including its module."""
    if isinstance(value, _types.Type):
        return f"numba {value}"
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None) or _qualified_name(type(value))
    return f"{getattr(value, '__module__', None)}.{name}"


def _is_identified_by_name(value: Any) -> bool:
    """Return whether the name of `value` can stand for `value` in a fingerprint, so that its contents are not hashed.

    This is true for a Numba type, an exception class, and any object that belongs to one of the `LIBRARIES`.
    """
    if isinstance(value, _types.Type) or (inspect.isclass(value) and issubclass(value, BaseException)):
        return True
    module = getattr(value, "__module__", None) or type(value).__module__
    return isinstance(module, str) and _top_package(module) in LIBRARIES


def _top_package(module: str) -> str:
    return module.partition(".")[0]
