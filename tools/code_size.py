"""Size and structure of the code: lines, files, imports between folders, and import cycles.

Run ``python tools/code_size.py`` for the working tree, or ``python tools/code_size.py COMMIT`` for a commit. A line of
code is a line with at least one token that does not belong to a comment, a docstring (including those of attributes) or
an import.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tarfile
import tempfile
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "facedown"
#: Types of tokens that are not code: a line with no other tokens is not counted.
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def _is_docstring(node: ast.AST) -> TypeGuard[ast.Expr]:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def code_lines(source: str) -> int:
    """Return the number of lines of code in a Python source text."""
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        # A statement that is only a string is a docstring: of the module, class or function, or of the attribute above
        # it.
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_docstring(node):
            skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    used: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in LAYOUT:
            used.update(range(token.start[0], token.end[0] + 1))
    return len(used - skipped)


def modules(source_root: Path) -> dict[str, Path]:
    """Return every module of the package, by its full name."""
    found = {}
    for path in sorted((source_root / PACKAGE).rglob("*.py")):
        parts = path.relative_to(source_root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _top_level_imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports that run when a module is loaded. Imports only for type checkers are left out."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
        elif isinstance(node, ast.If | ast.Try | ast.With):
            waiting += ast.iter_child_nodes(node)


def imports(name: str, path: Path, known: dict[str, Path], typing: bool = False) -> set[str]:
    """Return the package's modules that a module imports.

    With ``typing``, imports for type checkers and imports inside functions are included.
    """
    tree = ast.parse(path.read_text())
    nodes = ast.walk(tree) if typing else _top_level_imports(tree)
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            submodules = {f"{node.module}.{alias.name}" for alias in node.names} & known.keys()
            found |= submodules
            if node.module in known and len(submodules) < len(node.names):
                found.add(node.module)
    return found - {name}


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return groups of modules that import each other in a cycle (strongly connected components, Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for follower in sorted(graph[node]):
            if follower not in index:
                visit(follower)
                low[node] = min(low[node], low[follower])
            elif follower in stack:
                low[node] = min(low[node], index[follower])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for node in graph:
        if node not in index:
            visit(node)
    return found


def folder(name: str) -> str:
    """Return the folder of the package `facedown` that a module belongs to."""
    return name.split(".")[1] if "." in name else PACKAGE


def report(root: Path) -> Iterator[str]:
    """Yield the lines of the report for a source tree."""
    known = modules(root / "src")
    lines: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for name, path in known.items():
        lines[folder(name)] += code_lines(path.read_text())
        files[folder(name)] += 1
    yield f"{'folder':12} {'files':>6} {'code':>7}"
    for name in sorted(lines):
        yield f"{name:12} {files[name]:6} {lines[name]:7,}"
    yield f"{'src':12} {len(known):6} {lines.total():7,}"
    tests = list((root / "tests").rglob("*.py"))
    yield f"{'tests':12} {len(tests):6} {sum(len(path.read_text().splitlines()) for path in tests):7,} (all lines)"
    graph = {name: imports(name, path, known) for name, path in known.items()}
    between: dict[str, Counter[str]] = defaultdict(Counter)
    for name, found in graph.items():
        for other in found:
            between[folder(name)][folder(other)] += 1
    yield "\nimports between folders"
    for name in sorted(between):
        others = (f"{other} {count}" for other, count in sorted(between[name].items()) if other != name)
        yield f"{name:12} {', '.join(others)}"
    for title, typing in (("when loaded", False), ("with types and functions", True)):
        whole = graph if not typing else {name: imports(name, path, known, True) for name, path in known.items()}
        found_cycles = cycles(whole)
        yield f"\nimport cycles, {title}: {len(found_cycles)}"
        yield from (f"  {len(group)}: {', '.join(group)}" for group in found_cycles)


def main(arguments: list[str]) -> None:
    """Print the report for the working tree, or for the commit given."""
    if not arguments:
        print("\n".join(report(ROOT)))
        return
    packed = subprocess.run(
        ["git", "archive", arguments[0], "src", "tests"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tempfile.TemporaryDirectory() as place, tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(place, filter="data")
        print("\n".join(report(Path(place))))


if __name__ == "__main__":
    main(sys.argv[1:])
