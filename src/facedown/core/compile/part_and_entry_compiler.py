"""Compiler for functions marked `@rule`. It is based on Numba, but takes only a third of the time that Numba takes.

Numba itself compiles each function to machine code together with copies of all functions that it calls. So a small
function with many callers is optimised and translated to machine code a dozen times. This compiler makes machine code
only of functions that Python calls. A function has up to two compiled versions:

* The *part* is the function translated to LLVM code. Other compiled functions can call it; Python cannot. It is made
  once for each combination of argument types.
* The *entry* is the function translated to machine code, so that Python can call it. To make an entry, the part of the
  function and the parts of all functions that it calls are linked, optimised together and translated. Only entries are
  stored in the on-disk cache.

Numba supports this with custom pipelines (`pipeline_class`) and the flag `no_compile`. Much else here depends on
Numba's internals. So `core.compile.jit` normally imports this module only if it is tested with the installed version of
Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba.core.codegen
import numba.core.compiler
import numba.core.compiler_machinery
import numba.core.typed_passes
import numba.core.types
import numba.core.typing.templates
import numba.core.untyped_passes

from facedown.core.compile.integer_widths import widen_types

#: Numba's options for our compiled functions: release the interpreter lock, which they do not need; raise no exception
#: for a division by zero, since they do not rely on it; make no wrapper for calls from C.
NUMBA_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

#: Name prefix of Numba's functions for reference counting.
RUNTIME_PREFIX = "NRT_"
#: Name prefix of the global variables in which compiled code finds its Python objects (its *environment*).
ENVIRONMENT_PREFIX = "_ZN08NumbaEnv"

# Typed as `Any`, because Numba's type stubs do not contain all of its classes.
_core: Any = numba.core


class PartLibrary(_core.codegen.JITCodeLibrary):  # type: ignore[misc]
    """Numba code library that holds the LLVM code of one function, but no machine code.

    Compiled functions that call this function are linked with the library.
    """

    def add_llvm_module(self, module: Any) -> None:
        """Add an LLVM module, after simple optimisations of each function in it.

        All other optimisations follow when the code is linked into an entry: a function translated to machine code, so
        that Python can call it.
        """
        self._optimize_functions(module)
        self._final_module.link_in(module)

    def finalize(self) -> None:
        """Mark the library as complete, without making machine code.

        The LLVM code becomes machine code only when it is linked into an entry: a function translated to machine code,
        so that Python can call it.
        """
        self._raise_if_finalized()
        self._finalized = True

    def libraries_to_link(self) -> list[Any]:
        """Return all libraries that are needed to make machine code of this library's function.

        The first one is this library. The others are the libraries of all functions that the function calls, directly
        or indirectly. Each library is in the list once.
        """
        return [self, *dict.fromkeys(self._linking_libraries)]


class EntryLibrary(_core.codegen.JITCodeLibrary):  # type: ignore[misc]
    """Numba code library that holds an entry: a function translated to machine code, so that Python can call it.

    Here the LLVM code of the function is linked with the LLVM code of all functions that the function calls. The result
    is optimised as a whole and translated to machine code.
    """

    #: Name of the global variable with the entry's environment (its Python objects), set before the code is linked.
    environment_name: str = ""
    #: Names of the functions that Python calls: the compiled function itself and its wrapper.
    exported_names: frozenset[str] = frozenset()

    def _optimize_final_module(self) -> None:
        # This module contains the entry (the function that Python calls) and all functions that it calls. Each function
        # has a global variable for its environment (its Python objects). Only the variable of the entry is filled
        # (`environment_name`). The other variables stay empty and are hidden from the linker, because a called
        # function may have an entry of its own in the cache, with a variable of the same name. If that entry is loaded
        # later, the linker must not give it the empty variable of this module.
        for place in self._final_module.global_variables:
            if place.name.startswith(ENVIRONMENT_PREFIX) and place.name != self.environment_name:
                place.linkage = "internal"
        # Private linkage tells the optimiser that no other module calls these functions. So it can inline a function
        # with a single caller, and drop unused arguments and error checks. Internal linkage would allow the same, but
        # would keep the names of the functions. Python finds functions by their names. So Python could call a function
        # of this module whose arguments the optimiser has dropped.
        for part in self._final_module.functions:
            if not (part.is_declaration or part.name in self.exported_names or part.name.startswith(RUNTIME_PREFIX)):
                part.linkage = "private"
        # Numba would run these passes twice, which helps code that often counts references; ours hardly does.
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


@_core.compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class RegisterPartPass(_core.compiler_machinery.LoweringPass):  # type: ignore[misc]
    """Compiler pass that registers a part with Numba. A part is a function translated to LLVM code.

    The pass runs after this translation. From then on, other compiled functions can call the part. Python cannot call
    it.
    """

    _name = "part_is_callable"

    def __init__(self) -> None:
        _core.compiler_machinery.LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Register the part (a function translated to LLVM code) with Numba, so that compiled functions can call it.

        Numba registers a function under a key, usually the address of the function's machine code. A part has no
        machine code, so its key is a new object. Return True, because the pass changes `state`.
        """
        part, lowered = state.library, state["cr"]
        part._ensure_finalized()
        name = object()
        state.targetctx.insert_user_function(name, lowered.fndesc, part.libraries_to_link())
        state["cr"] = lowered._replace(cfunc=name)
        state.reload_init.extend(part._reload_init)
        return True


#: Numba's compiler passes for our compiled functions, which cannot contain closures, generators or loops over tuples of
#: several types.
PASSES = (
    _core.untyped_passes.TranslateByteCode,
    _core.untyped_passes.FixupArgs,
    _core.untyped_passes.IRProcessing,
    _core.untyped_passes.RewriteSemanticConstants,
    _core.untyped_passes.DeadBranchPrune,
    _core.untyped_passes.GenericRewrites,
    _core.untyped_passes.ReconstructSSA,
    _core.typed_passes.NopythonTypeInference,
    _core.typed_passes.PreLowerStripPhis,
    _core.typed_passes.IRLegalization,
    _core.typed_passes.NativeLowering,
    RegisterPartPass,
    _core.typed_passes.NoPythonBackend,
)


class PartCompiler(_core.compiler.CompilerBase):  # type: ignore[misc]
    """Compiler of parts. A part is a function translated to LLVM code, so that other compiled functions can call it.

    The compiler runs only those passes of Numba that are needed for this translation (`PASSES`). It makes no machine
    code, so Python cannot call a part.
    """

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, returns: Any, flags: Any, local: Any) -> None:
        flags.no_compile = True
        super().__init__(typing, target, library, args, returns, flags, local)

    def define_pipelines(self) -> list[Any]:
        """Return a list with the one sequence of compiler passes that every function goes through."""
        self.state.library = PartLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        passes = _core.compiler_machinery.PassManager("part")
        for each in PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]


class EntryCompiler(_core.compiler.CompilerBase):  # type: ignore[misc]
    """Compiler of entries. An entry is a function translated to machine code, so that Python can call it.

    The compiler links these three things, and translates the result to machine code:

    * the LLVM code of the function;
    * the LLVM code of all functions that the function calls;
    * a wrapper through which Python calls the function.
    """

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Compile `function` for the argument types ``self.state.args``, which Numba has set.

        The LLVM code of the function is linked with the LLVM code of all functions that the function calls. The result
        is translated to machine code. Return Numba's `CompileResult` with this machine code.
        """
        target = self.state.targetctx
        part, plain = _parts[function], widen_types(self.state.args)
        part.compile(plain)
        found = part.overloads[plain]
        library = EntryLibrary(target.codegen(), function.__qualname__)
        library.environment_name = found.fndesc.env_name
        library.exported_names = frozenset({found.fndesc.llvm_func_name, found.fndesc.llvm_cpython_wrapper_name})
        library.enable_object_caching()
        for each in found.library.libraries_to_link():
            library.add_linking_library(each)
        library._reload_init.update(found.reload_init)
        target.create_cpython_wrapper(library, found.fndesc, found.environment, found.call_helper, release_gil=True)
        callable_ = target.get_executable(library, found.fndesc, found.environment)
        return found._replace(entry_point=callable_, library=library, metadata={})


#: For each function, the Numba dispatcher that makes its parts. A part is the function translated to LLVM code, so that
#: other compiled functions can call it. The dispatcher has one part for each combination of argument types.
_parts: dict[Callable[..., Any], Any] = {}


def compile_rule(function: Callable[..., Any]) -> Any:
    """Return a Numba dispatcher, with which Python code calls the compiled `function`.

    Other compiled functions that call `function` do not use the dispatcher. They are linked with the LLVM code of
    `function`.
    """
    part: Any = numba.njit(**NUMBA_OPTIONS | {"no_cpython_wrapper": True, "pipeline_class": PartCompiler})(function)
    # Numba's own `add_overload` would also register the compiled form for calls from Python. Python cannot call a part,
    # because it has no wrapper for Python. So the part is only stored in `overloads`, where compiled callers and
    # `EntryCompiler` look for it.
    part.add_overload = lambda found: part.overloads.update({tuple(found.signature.args): found})
    entry: Any = numba.njit(**NUMBA_OPTIONS | {"pipeline_class": EntryCompiler})(function)
    entry.get_call_template = lambda args, kws: part.get_call_template(widen_types(args), kws)
    entry.get_overload = part.get_overload
    _parts[function] = part
    return entry


def register_type_dispatch(function: Callable[..., Any], pick: Callable[[Any], Any]) -> None:
    """Let compiled code call the generic `function`, which has one implementation in each game.

    A call runs the compiled implementation that `pick` returns for the Numba type of the first argument. `pick` returns
    None for a type without an implementation; code that calls `function` with this type cannot be compiled.
    """

    class Chosen(_core.typing.templates.AbstractTemplate):  # type: ignore[misc]
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            """Return the signature of the call; None if no game has a function for the type."""
            found = pick(args[0])
            return None if found is None else _core.types.Dispatcher(found).get_call_type(self.context, args, kws)

        def get_impl_key(self, signature: Any) -> Any:
            """Return Numba's key of the game's function that is called."""
            return _core.types.Dispatcher(pick(signature.args[0])).get_impl_key(signature)

    _core.typing.templates.infer_global(function, _core.types.Function(Chosen))
