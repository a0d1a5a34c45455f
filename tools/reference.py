"""Write the reference in ``docs/reference`` from the docstrings: ``python tools/reference.py``.

Sources are parsed and not imported, so that the page shows a compiled function as it was written. Only the options of
games are imported, because they are declared as data.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from typing import Any, TypeGuard

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
REFERENCE = ROOT / "docs" / "reference"
#: Public packages, from the lowest layer to the highest. The package of games is missing, because the reference covers
#: only their options.
PACKAGES = ("core", "bots", "simulate", "research", "play", "study", "store", "client")
#: Text on the index page about packages that are not public.
OTHERS = """`facedown.server`, `facedown.terminal` and `facedown.check` are not public API; do not import them. Their
interfaces are [the protocol](../protocol.md) and [the commands](commands.md). A game's own package is for those who
[add a game](../adding-a-game.md). Names that begin with an underscore may change without notice."""
#: Subpackage that is left out, because it is not part of the API: the database migrations of the store.
LEFT_OUT = "migrations"
#: Module whose page documents the functions that are defined in the package `facedown` itself.
DRAWN = "facedown.core.table"
#: Number of characters from which on a signature is wrapped.
WIDE = 100


@dataclass(frozen=True)
class Entry:
    """A public object of a module: a class, a function, or a constant with the comment above it."""

    node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Assign | ast.AnnAssign
    name: str
    text: str
    """Docstring of the object, or comment of the constant."""
    members: tuple[Entry, ...] = ()

    @property
    def kind(self) -> str:
        """Kind of the object: "class", "constant", "property" or "function"."""
        if isinstance(self.node, ast.ClassDef):
            return "class"
        if isinstance(self.node, ast.Assign | ast.AnnAssign):
            return "constant"
        return "property" if "property" in " ".join(map(ast.unparse, self.node.decorator_list)) else "function"


@dataclass(frozen=True)
class Module:
    """A public module: its name, its docstring, and its public objects in the order of the file."""

    name: str
    text: str
    entries: tuple[Entry, ...]


# --- parsing --------------------------------------------------------------------------------------------------------


def modules(package: str) -> list[Module]:
    """Return the public modules of a package of ``facedown``, the package itself first; for ``""`` only `facedown`
    itself.
    """
    folder = SOURCE / "facedown" / package
    files = [folder / "__init__.py"] + (sorted(folder.rglob("*.py")) if package else [])
    public = dict.fromkeys(
        file
        for file in files
        if LEFT_OUT not in file.parts and (file.stem == "__init__" or not file.stem.startswith("_"))
    )
    return [module_of(file) for file in public]


def module_of(file: Path) -> Module:
    """Return the public contents of a source file."""
    name = ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    lines = file.read_text(encoding="utf-8").splitlines()
    tree = ast.parse("\n".join(lines))
    return Module(name, ast.get_docstring(tree) or "", tuple(_entries(tree.body, lines)))


def _entries(body: list[ast.stmt], lines: list[str]) -> Iterator[Entry]:
    for node, after in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.FunctionDef(decorator_list=[ast.Attribute(attr="setter")]):
                # A property's setter has no documentation of its own.
                continue
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() if not node.name.startswith("_"):
                members = tuple(_entries(node.body, lines)) if isinstance(node, ast.ClassDef) else ()
                yield Entry(node, node.name, ast.get_docstring(node) or "", members)
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                if not name.startswith("_"):
                    yield Entry(node, name, _below(after) or comment_above(node.lineno - 1, lines))


def _below(after: ast.stmt | None) -> str:
    """Return the docstring of a field: the string in `after`, the next statement; empty if that is not a string."""
    match after:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return cleandoc(text)
    return ""


def comment_above(line: int, lines: list[str]) -> str:
    """Return the text of the comment ``#: …`` above a line."""
    first = line
    while first and lines[first - 1].lstrip().startswith("#:"):
        first -= 1
    return "\n".join(text.strip().removeprefix("#:").strip() for text in lines[first:line])


# --- output ---------------------------------------------------------------------------------------------------------


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> str:
    """Return the signature of a function or class, with types and defaults."""
    if isinstance(node, ast.ClassDef):
        made = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
        bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
        return f"class {node.name}{bases}" if made is None else f"class {node.name}{_arguments(made.args)}"
    gives = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    start = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    return f"{start} {node.name}{_arguments(node.args)}{gives}"


def _arguments(given: ast.arguments) -> str:
    parts = ast.unparse(given)
    parts = re.sub(r"^(self|cls)(, |$)", "", parts)
    if len(parts) <= WIDE - 20:
        return f"({parts})"
    names = [*given.posonlyargs, *given.args, *([given.vararg] if given.vararg else []), *given.kwonlyargs]
    for one in names[1:]:
        parts = parts.replace(f", {ast.unparse(one)}", f",\n    {ast.unparse(one)}", 1)
    return f"(\n    {parts.removeprefix('self,').strip()},\n)"


def docstring_to_markdown(text: str) -> str:
    """Return a docstring as Markdown: doctests become fenced code, and double backticks become single ones."""
    parts = []
    for part in re.split(r"\n\s*\n", cleandoc(text).replace("``", "`")):
        if part.strip() == "::":
            continue
        parts.append(f"```pycon\n{part}\n```" if part.startswith(">>>") else part)
    return "\n\n".join(parts)


def entry_lines(entry: Entry, level: int = 3) -> Iterator[str]:
    """Yield the lines about an entry; fields of a class are listed, then its methods."""
    if isinstance(entry.node, ast.Assign | ast.AnnAssign):
        yield f"- {_field(entry)}"
        return
    yield f"\n{'#' * level} `{entry.name}`\n"
    compiled = "rule" in [ast.unparse(one) for one in entry.node.decorator_list]
    yield f"```python\n{'@rule  # compiled' + chr(10) if compiled else ''}{signature(entry.node)}\n```\n"
    yield docstring_to_markdown(entry.text)
    fields = [one for one in entry.members if one.kind in ("constant", "property")]
    if fields:
        yield ""
    for one in fields:
        yield f"- {_field(one)}"
    for one in entry.members:
        if one.kind == "function":
            yield from entry_lines(one, level + 1)


def _field(entry: Entry) -> str:
    """Return one line about a field, constant or property: type, default and description."""
    node, told = entry.node, entry.name
    if isinstance(node, ast.AnnAssign):
        told += f": {ast.unparse(node.annotation)}"
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        value = ast.unparse(node.value)
        told += f" = {value if len(value) < WIDE // 2 else '…'}"
    if isinstance(node, ast.FunctionDef) and node.returns:
        told += f" → {ast.unparse(node.returns)}"
    said = " ".join(docstring_to_markdown(entry.text).split())
    return f"`{told}`" + (f": {said}" if said else "")


def page(title: str, found: list[Module]) -> str:
    """Return the page of a package in Markdown, with the contents of its modules."""
    parts = [f"# {title}\n", "<!-- Written by tools/reference.py from the docstrings: edit those. -->"]
    for module in found:
        parts += [f"\n## {module.name}\n", docstring_to_markdown(module.text), ""]
        constants = [one for one in module.entries if one.kind == "constant"]
        parts += [line for one in constants for line in entry_lines(one)]
        parts += [line for one in module.entries if one.kind != "constant" for line in entry_lines(one)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def _is_assignment(node: ast.stmt, name: str) -> TypeGuard[ast.Assign]:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name


def index_page() -> str:
    """Return the index page: each public name of the package `facedown`, then links to the other pages."""
    (top,) = modules("")
    tree = ast.parse((SOURCE / "facedown" / "__init__.py").read_text(encoding="utf-8"))
    homes = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("facedown")
        for alias in node.names
    }
    parts = ["# Reference\n", "<!-- Written by tools/reference.py from the docstrings: edit those. -->\n"]
    parts += [docstring_to_markdown(top.text), "", "| name | meaning |", "| --- | --- |"]
    # Functions that are defined in `facedown` itself are on the page of `DRAWN`. Names that are imported only for types
    # are not public.
    own = {entry.name: entry for entry in top.entries}
    public = next(ast.literal_eval(node.value) for node in tree.body if _is_assignment(node, "__all__"))
    homes = {name: home for name, home in (homes | dict.fromkeys(own, (DRAWN, ""))).items() if name in public}
    for name, (home, there) in sorted(homes.items()):
        entry = own.get(name) or find_entry(str(home), there)
        first = docstring_to_markdown(entry.text).split("\n\n")[0]
        parts.append(f"| [`{name}`]({str(home).split('.')[1]}.md) | {' '.join(first.split())} |")
    parts += ["", "Its packages, from the lowest layer to the highest:", ""]
    for package in PACKAGES:
        parts.append(f"* [facedown.{package}]({package}.md): {modules(package)[0].text.split(chr(10) * 2)[0]}")
    parts += ["* [facedown.games](options.md): the games with their options.", "", OTHERS]
    return "\n".join(parts) + "\n"


def find_entry(home: str, name: str) -> Entry:
    """Return an entry by its module and name, following imports if a package re-exports it.

    Raises `LookupError` if there is no such entry.
    """
    file = SOURCE / Path(*home.split("."))
    file = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    for entry in module_of(file).entries:
        if entry.name == name:
            return entry
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return find_entry(str(node.module), name)
    raise LookupError(f"{home} has no {name}")


def options() -> str:
    """Return the page of all options of all games, with one table per game."""
    from facedown.core.game_registry import catalogue

    parts = ["# Options of the games\n", "<!-- Written by tools/reference.py from the declarations of the games. -->"]
    for info in catalogue().values():
        low, high = info.seats
        parts += [f"\n## {info.title}\n", f"`{info.name}`, {low if low == high else f'{low} to {high}'} players.\n"]
        parts += ["| option | values (default in bold) | meaning |", "| --- | --- | --- |"]
        for option in info.options:
            values = []
            for value in option.values:
                usual = option.default_text in (value.default_notation, value.notation_with_argument_names)
                numbers = f" (`{value.default_notation}`)" if value.arguments and usual else ""
                shown = (
                    f"**`{value.notation_with_argument_names}`**{numbers}"
                    if usual
                    else f"`{value.notation_with_argument_names}`"
                )
                values.append(f"{shown}: {value.says}")
            where = f" ({option.ruling})" if option.ruling else ""
            row = [f"`{option.name}`", "<br>".join(values), f"{option.label}. {option.says}{where}"]
            parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    return "\n".join(parts) + "\n"


def commands() -> str:
    """Return the page of all commands with their options, from the command line's own help."""
    import typer

    from facedown.terminal.cli import app
    from facedown.terminal.command_help import GROUPS

    parts = ["# Commands\n", "<!-- Written by tools/reference.py from the command line itself. -->"]
    facedown = typer.main.get_command(app)
    parts += ["", *_command(facedown, "facedown")]
    for group in GROUPS:
        within = [one for one in facedown.commands.items() if one[1].rich_help_panel == group]
        parts += [f"\n## {group}"] if within else []
        for name, command in within:
            parts += ["", *_command(command, f"facedown {name}", "###")]
            for below, inner in getattr(command, "commands", {}).items():
                parts += ["", *_command(inner, f"facedown {name} {below}", "####")]
    return "\n".join(parts) + "\n"


def _command(command: Any, called: str, level: str = "") -> Iterator[str]:
    """Yield the lines about a command: heading, description, usage, and a table of arguments and options."""
    context = type(command).context_class(command, info_name=called)
    if level:
        yield f"{level} {called}\n"
    yield f"{command.help}\n"
    yield f"```console\n$ {' '.join([called, *command.collect_usage_pieces(context)])}\n```"
    rows = [record for one in command.params if (record := one.get_help_record(context))]
    if rows:
        yield "\n| argument or option | meaning |\n| --- | --- |"
    for names, says in rows:
        cells = [f"`{names}`", says.replace("  [", " [")]
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def pages() -> dict[Path, str]:
    """Return all pages of the reference by their files."""
    found = {REFERENCE / "README.md": index_page(), REFERENCE / "options.md": options()}
    found[REFERENCE / "commands.md"] = commands()
    for package in PACKAGES:
        found[REFERENCE / f"{package}.md"] = page(f"facedown.{package}", modules(package))
    return found


def main() -> int:
    """Write every page, remove obsolete pages, and return the exit code."""
    REFERENCE.mkdir(exist_ok=True)
    found = pages()
    for old in set(REFERENCE.glob("*.md")) - set(found):
        old.unlink()
    for file, text in found.items():
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
