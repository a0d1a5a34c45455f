"""How a rule becomes machine code: as a part of what calls it, or as an entry from Python.

Numba would optimise and emit every function by itself, with all that it calls, and again as a part of each caller: the
innermost rules a dozen times over. Here a rule that other compiled code calls is a *part*: its types are found and it
is translated once, and that is all. Only an *entry*, a rule that Python calls, is linked from its parts, optimised,
emitted, and kept in the on-disk cache; there the optimiser sees everything at once. That takes a third of the time.

Numba offers what this needs: an own pipeline for a function (`pipeline_class`), and the flag `no_compile`. Much else
here is how Numba is built inside, so this module is imported only where `core.compile.jit` trusts the Numba at hand.
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

#: No rule divides by zero unawares, and none needs Python's lock.
NUMBA_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

#: So begin the names of what counts references.
RUNTIME_PREFIX = "NRT_"
#: So begin the names of the places where compiled code finds what belongs to it in Python.
ENVIRONMENT_PREFIX = "_ZN08NumbaEnv"

# Numba's type stubs do not know all of its classes.
_core: Any = numba.core


class PartLibrary(_core.codegen.JITCodeLibrary):  # type: ignore[misc]
    """The translated code of one rule, neither linked nor optimised nor emitted."""

    def add_llvm_module(self, module: Any) -> None:
        """Tidy each function by itself; the entry does the rest."""
        self._optimize_functions(module)
        self._final_module.link_in(module)

    def finalize(self) -> None:
        """Nothing more is added; the entry will do the rest."""
        self._raise_if_finalized()
        self._finalized = True

    def libraries_to_link(self) -> list[Any]:
        """This and all that an entry has to be linked with in order to call it."""
        return [self, *dict.fromkeys(self._linking_libraries)]


class EntryLibrary(_core.codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry: its parts, linked, optimised together and emitted."""

    #: The name under which the code of this entry finds what belongs to it in Python, set before it is linked.
    environment_name: str = ""
    #: The names of what Python calls: the rule itself and its wrapper.
    exported_names: frozenset[str] = frozenset()

    def _optimize_final_module(self) -> None:
        # A part brings a place for its own environment, which nobody ever fills. Left visible, it would be taken for
        # the place of the same rule as an entry, when both come out of the cache.
        for place in self._final_module.global_variables:
            if place.name.startswith(ENVIRONMENT_PREFIX) and place.name != self.environment_name:
                place.linkage = "internal"
        # Nothing else is called from outside. Knowing this, the optimiser takes in a part that has one caller, passes
        # on no more of an array than is read, and asks after no call that cannot fail. Private parts have no name: an
        # internal one would be found, and called as it never was, by the entry of the same rule.
        for part in self._final_module.functions:
            if not (part.is_declaration or part.name in self.exported_names or part.name.startswith(RUNTIME_PREFIX)):
                part.linkage = "private"
        # Numba would do it twice, for the sake of code that counts references all the time. Rules hardly do.
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


@_core.compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class RegisterPartPass(_core.compiler_machinery.LoweringPass):  # type: ignore[misc]
    """After the translation of a part: tell Numba how compiled code calls it."""

    _name = "part_is_callable"

    def __init__(self) -> None:
        _core.compiler_machinery.LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Numba knows a compiled function by its address. A part has none: anything of its own stands for it."""
        part, lowered = state.library, state["cr"]
        part._ensure_finalized()
        name = object()
        state.targetctx.insert_user_function(name, lowered.fndesc, part.libraries_to_link())
        state["cr"] = lowered._replace(cfunc=name)
        state.reload_init.extend(part._reload_init)
        return True


#: Numba's passes as far as rules need them: no closures, no generators, no loops over tuples of many types.
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
    """Numba's own pipeline up to the translated code."""

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, returns: Any, flags: Any, local: Any) -> None:
        flags.no_compile = True
        super().__init__(typing, target, library, args, returns, flags, local)

    def define_pipelines(self) -> list[Any]:
        """The one pipeline that every function goes through."""
        self.state.library = PartLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        passes = _core.compiler_machinery.PassManager("part")
        for each in PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]


class EntryCompiler(_core.compiler.CompilerBase):  # type: ignore[misc]
    """Links the part of a rule with all that it calls, and wraps it for Python."""

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Optimise and emit the part for the types at hand."""
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


#: The part of each rule: Numba's dispatcher, with a version for each combination of types that it is called with.
_parts: dict[Callable[..., Any], Any] = {}


def compile_rule(function: Callable[..., Any]) -> Any:
    """The entry of a rule; compiled code that calls it finds the part."""
    part: Any = numba.njit(**NUMBA_OPTIONS | {"no_cpython_wrapper": True, "pipeline_class": PartCompiler})(function)
    # Python cannot call a part: it is kept for compiled callers and for the entry alone.
    part.add_overload = lambda found: part.overloads.update({tuple(found.signature.args): found})
    entry: Any = numba.njit(**NUMBA_OPTIONS | {"pipeline_class": EntryCompiler})(function)
    entry.get_call_template = lambda args, kws: part.get_call_template(widen_types(args), kws)
    entry.get_overload = part.get_overload
    _parts[function] = part
    return entry


def register_type_dispatch(function: Callable[..., Any], pick: Callable[[Any], Any]) -> None:
    """Let compiled code call `function`: it calls the rule that `pick` names, or none, by the first argument's type."""

    class Chosen(_core.typing.templates.AbstractTemplate):  # type: ignore[misc]
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            """The signature of the call."""
            found = pick(args[0])
            return None if found is None else _core.types.Dispatcher(found).get_call_type(self.context, args, kws)

        def get_impl_key(self, signature: Any) -> Any:
            """What is called."""
            return _core.types.Dispatcher(pick(signature.args[0])).get_impl_key(signature)

    _core.typing.templates.infer_global(function, _core.types.Function(Chosen))
