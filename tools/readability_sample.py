"""Random samples for the readability test: paths, signatures, docstrings, comments, test names and sentences.

``python tools/readability_sample.py FOLDER --seed 1`` writes one sheet per kind. A reader who has never seen the code
writes down what each item means. A second reader, who has the code, marks these answers. CONTRIBUTING.md describes the
test.
"""

from __future__ import annotations

import ast
import random
import re
import subprocess
import textwrap
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
#: Folders with files whose content should be clear from the path alone.
CODE = ("src", "web/src", "tools", "scripts", "benchmarks", "tests")
#: Number of items in each sheet.
SIZES = {
    "files": 150,
    "signatures": 150,
    "docstrings": 60,
    "comments": 60,
    "tests": 30,
    "sentences": 100,
    "sentences-de": 60,
}
#: Smallest number of words of a comment, and (next constant) of a sentence, in a sheet.
SHORTEST_COMMENT = 4
SHORTEST_SENTENCE = 3

#: Lines of code shown before a comment and (next constant) after it.
LINES_BEFORE = 2
LINES_AFTER = 3

Function = ast.FunctionDef | ast.AsyncFunctionDef


def files(*suffixes: str) -> list[str]:
    """Return the tracked files in the code folders with one of the suffixes, as paths relative to the root."""
    listed = subprocess.run(["git", "ls-files", *CODE], cwd=ROOT, capture_output=True, text=True, check=True)
    return [
        line
        for line in listed.stdout.splitlines()
        if line.endswith(suffixes) and not line.endswith(("__init__.py", "/dist.js")) and "/corpus/" not in line
    ]


def definitions(path: str) -> Iterator[tuple[str, ast.Module | ast.ClassDef | Function]]:
    """Yield the module itself and its classes, functions and methods, each with its dotted name in the module."""
    module = ast.parse((ROOT / path).read_text())
    yield "", module
    for node in module.body:
        if isinstance(node, Function | ast.ClassDef):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{part.name}", part) for part in node.body if isinstance(part, Function))


def arguments_and_result(node: ast.Module | ast.ClassDef | Function) -> str:
    """Return what stands above a docstring: the arguments and result of a function; empty for a module or class."""
    if not isinstance(node, Function):
        return ""
    return f"({ast.unparse(node.args)})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def signatures() -> list[str]:
    """Return the signatures of all functions and methods in ``src``, with their paths."""
    return [
        f"{path}: {name}{arguments_and_result(node)}"
        for path in files(".py")
        if path.startswith("src/")
        for name, node in definitions(path)
        if isinstance(node, Function) and not node.name.startswith("__")
    ]


def docstrings() -> list[str]:
    """Return all docstrings in ``src`` with their paths, names and signatures.

    Questions about options (``DET-1: Which …?``) are left out: players read them, so they are among the sentences.
    """
    return [
        f"{path}: {name or '(module)'}{arguments_and_result(node)}\n{textwrap.indent(text, '    ')}"
        for path in files(".py")
        if path.startswith("src/")
        for name, node in definitions(path)
        if (text := ast.get_docstring(node)) and not re.match(r"[A-Z]{3}-\d+: ", text)
    ]


def comments() -> list[str]:
    """Return all comments in ``src`` and in the browser's scripts, each with lines of code before and after it."""
    found = []
    for path in files(".py", ".js"):
        if not path.startswith(("src/", "web/")):
            continue
        with tokenize.open(ROOT / path) as source:
            lines = source.read().splitlines()
        mark = "#" if path.endswith(".py") else "//"
        start = 0
        for number, line in enumerate(lines):
            if line.strip().startswith(mark):
                continue
            text = " ".join(each.strip().lstrip(mark + ":").strip() for each in lines[start:number])
            if len(text.split()) >= SHORTEST_COMMENT and "noqa" not in text and not text.startswith("---"):
                shown = lines[max(0, start - LINES_BEFORE) : number + LINES_AFTER]
                found.append(f"{path}: {text}\n" + "\n".join(f"    | {each}" for each in shown))
            start = number + 1
    return found


def test_names() -> list[str]:
    """Return all names of test functions with their paths."""
    return [
        f"{path}: {node.name}"
        for path in files(".py")
        if path.startswith("tests/")
        for _, node in definitions(path)
        if isinstance(node, Function) and node.name.startswith("test_")
    ]


def sentences(language: str) -> list[str]:
    """Return the texts of all translation catalogues and the sentences of all guides, in the given language."""
    found = []
    for catalogue in sorted((ROOT / "src").rglob("de.po")):
        for message in read_po(catalogue.open("rb")):
            texts = message.id if language == "en" else message.string
            texts = texts if isinstance(texts, list | tuple) else [texts]
            if message.id and len(str(texts[-1]).split()) >= SHORTEST_SENTENCE:
                found.append(str(texts[-1]))
    for guide in sorted((ROOT / "src").rglob("guide.md" if language == "en" else f"guide.{language}.md")):
        prose = re.sub(r"^```.*?^```$", "", guide.read_text(), flags=re.MULTILINE | re.DOTALL)
        prose = re.sub(r"^(#|\||!|<).*$", "", prose, flags=re.MULTILINE)
        split = re.split(r"(?<=[.!?])\s+|\n\s*\n|\n- ", prose)
        found += [" ".join(part.split()) for part in split if len(part.split()) >= SHORTEST_SENTENCE]
    return found


def main(
    folder: Annotated[Path, typer.Argument(help="Folder for the sheets.")],
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 1,
) -> None:
    """Write one sheet of random items for each kind."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "all-paths.txt").write_text("\n".join(files(".py", ".js")) + "\n")
    kinds = {
        "files": files(".py", ".js"),
        "signatures": signatures(),
        "docstrings": docstrings(),
        "comments": comments(),
        "tests": test_names(),
        "sentences": sentences("en"),
        "sentences-de": sentences("de"),
    }
    for kind, items in kinds.items():
        drawn = random.Random(f"{kind} {seed}").sample(sorted(set(items)), SIZES[kind])
        numbered = (f"{number}. {item}" for number, item in enumerate(drawn, 1))
        (folder / f"{kind}.txt").write_text("\n".join(numbered) + "\n")
        typer.echo(f"{kind}: {len(drawn)} of {len(set(items))}")


if __name__ == "__main__":
    typer.run(main)
