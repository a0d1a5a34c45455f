"""The API reference: equal to the docstrings, and every public object has a useful docstring."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools import reference
from tools.reference import Entry, Module

import facedown
from facedown.core.game_registry import catalogue

#: A shorter docstring says no more than the name.
MIN_WORDS = 4
#: Packages that are not for import by users.
NOT_PUBLIC = {"check", "server", "terminal", "__main__"}


def modules() -> list[Module]:
    return [module for package in reference.PACKAGES for module in reference.modules(package)]


def entries(found: tuple[Entry, ...], around: str = "") -> Iterator[tuple[Entry, str]]:
    """Yield all entries with the docstrings of the enclosing classes."""
    for entry in found:
        yield entry, around
        yield from entries(entry.members, f"{around} {entry.text}")


def raised_exceptions(node: ast.AST) -> set[str]:
    """Return the exceptions that a function raises itself."""
    calls = [one.exc for one in ast.walk(node) if isinstance(one, ast.Raise) and isinstance(one.exc, ast.Call)]
    return {ast.unparse(call.func).rpartition(".")[2] for call in calls} - {"NotImplementedError"}


def array_arguments(node: ast.FunctionDef) -> set[str]:
    """Return the arguments of a function that are arrays."""
    given = [*node.args.args, *node.args.kwonlyargs]
    return {one.arg for one in given if one.annotation and "NDArray" in ast.unparse(one.annotation)}


def docstring_gaps(module: Module) -> list[str]:
    """Return the gaps in a module's docstrings."""
    missing = [] if module.text else [f"{module.name}: no docstring"]
    for entry, around in entries(module.entries):
        if entry.kind == "constant":
            continue
        place = f"{module.name}.{entry.name}"
        if len(entry.text.split()) < MIN_WORDS:
            missing.append(f"{place}: “{entry.text}” says no more than its name")
        if isinstance(entry.node, ast.FunctionDef):
            said = f"{module.text} {around} {entry.text}"
            missing += [f"{place} raises {name}" for name in sorted(raised_exceptions(entry.node)) if name not in said]
            named = set(re.findall(r"\w+", entry.text))
            missing += [
                f"{place}: what is in the array {name}?" for name in sorted(array_arguments(entry.node) - named)
            ]
    return missing


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)
def test_public_docstrings_describe_behaviour_exceptions_and_arrays(module: Module) -> None:
    assert docstring_gaps(module) == []


def test_check_of_docstrings_finds_missing_texts_exceptions_and_arrays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference, "SOURCE", tmp_path)
    file = tmp_path / "short.py"
    file.write_text(
        "class Card:\n    '''One card.'''\n    def turn(self, up: NDArray[Any]):\n"
        "        '''Turn it over where it lies.'''\n        raise ValueError(up)\n    def _own(self): ...\n"
    )
    assert docstring_gaps(reference.module_of(file)) == [
        "short: no docstring",
        "short.Card: “One card.” says no more than its name",
        "short.turn raises ValueError",
        "short.turn: what is in the array up?",
    ]


def test_api_reference_pages_are_up_to_date() -> None:
    found = reference.pages()
    assert set(reference.REFERENCE.glob("*.md")) == set(found)
    for file, text in found.items():
        assert file.read_text(encoding="utf-8") == text, f"{file.name} is old: run python tools/reference.py"


def test_every_public_package_has_an_api_reference_page() -> None:
    folder = reference.SOURCE / "facedown"
    packages = {path.parent.name for path in folder.glob("*/__init__.py")} | {path.stem for path in folder.glob("*.py")}
    assert {name for name in packages if not name.startswith("_")} | {"__main__"} == {
        *reference.PACKAGES,
        "games",
    } | NOT_PUBLIC


def test_the_api_reference_lists_every_public_name_and_every_option_of_a_game() -> None:
    first = reference.index_page()
    for name in set(facedown.__all__) - {"__version__"}:
        assert f"| [`{name}`](" in first
    options = reference.options()
    for info in catalogue().values():
        part = options.partition(f"\n`{info.name}`, ")[2].partition("\n## ")[0]
        for option in info.options:
            row = next(line for line in part.splitlines() if line.startswith(f"| `{option.name}` |"))
            assert row.count("**`") == 1
            assert all(value.says in row for value in option.values)


def test_the_api_reference_formats_signatures_and_examples() -> None:
    entry = reference.find_entry("facedown.core.match", "Match")
    assert reference.signature(entry.node).startswith("class Match(\n    game: GameModule | str,\n    seats: int,\n")
    assert reference.docstring_to_markdown("Adds.\n\n>>> 1 + 1\n2") == "Adds.\n\n```pycon\n>>> 1 + 1\n2\n```"
