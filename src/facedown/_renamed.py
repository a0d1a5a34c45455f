"""Old names of public modules, functions, classes and methods.

An old name still works and gives a `DeprecationWarning` that names the new one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any
from warnings import warn

#: Packages with renamed modules: old and new names of the modules in turn, below `facedown` and the package.
MODULES = {
    "core": "chance random_numbers coaching advice context context_cache contract game_module counting counters"
    " drawing svg game game_registry limits match_limits masks bit_masks meaning field_types notation match_file"
    " scoring scoresheet_input sheet score_sheet slots hidden_cards spoken action_phrases told disclosures"
    " usual defaults view_fields view_json voice grammar waiting progress_line texts i18n",
    "bots": "greedy simple_bots preparation compile_process rehearsal warm_up search search_common"
    " weights weights_file texts i18n",
    "simulate": "charts plot_geometry cluster ray_cluster confidence confidence_intervals counting counters"
    " figures estimates parts result_files playing bot_matches playout random_playouts pool worker_pool"
    " program external_bot saying findings_text series deal_series setup experiment_setup texts i18n",
    "research": "stepping batch_stepping single single_match spaces environment_base texts i18n",
    "research.game_tree": "positions lazy_tree table full_tree expansion tree_expansion",
    "research.learning": "collect self_play curve learning_curve measure match_evaluation model jax_model"
    " network_input training_tables",
    "play": "names typed_text bots bot_protocol clock seat_clocks texts i18n remote_changes announcements",
    "study": "remarks move_comments texts i18n move_analysis match_analysis",
    "store": "changes table_writes personal personal_data rows row_conversion",
    "client": "asking http_requests line live_connection",
    "games.*": "words action_text score scorekeeper policy bots.policy evaluation bots.evaluation texts i18n"
    " actions legal_actions fewest optimal_turns",
}


def new_module(name: str) -> str | None:
    """Return the full name of a module that was renamed from `name`, or None if it was not renamed.

    >>> new_module("facedown.core.notation"), new_module("facedown.core.match")
    ('facedown.core.match_file', None)
    """
    package, _, module = name.removeprefix("facedown.").rpartition(".")
    words = MODULES.get("games.*" if package.startswith("games.") else package, "").split()
    new = dict(zip(words[::2], words[1::2], strict=True)).get(module)
    return new and f"facedown.{package}.{new}"


class RenamedModules:
    """Import hook: load a renamed module by its old name. It is asked only after no module of that name was found."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return a spec that loads the new module under the old name, or None."""
        new = new_module(name)
        return ModuleSpec(name, self, origin=new) if new else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Warn and return the new module itself, so that classes and state are shared."""
        warn(f"{spec.name} is now {spec.origin}", DeprecationWarning, stacklevel=2)
        module = import_module(str(spec.origin))
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own spec back; it has already run."""
        module.__spec__ = self.spec


def renamed(module: str, **names: str) -> Callable[[str], Any]:
    """Return a module's `__getattr__` (PEP 562) that finds renamed functions and classes.

    `names` has the new name for each old one.
    """

    def lookup(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn(f"{module}.{name} is now {names[name]}", DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[module], names[name])

    return lookup


class RenamedAttribute:
    """Old name of a method or field: ``old = RenamedAttribute("new")`` in the body of a class."""

    def __init__(self, new: str) -> None:
        self.new = new

    def __set_name__(self, owner: type, name: str) -> None:
        self.old = name

    def __get__(self, instance: Any, owner: type) -> Any:
        warn(f"{owner.__name__}.{self.old} is now {self.new}", DeprecationWarning, stacklevel=2)
        return getattr(owner if instance is None else instance, self.new)
