"""Tests wait as long as a busy machine needs, and not in real time: few sleeps, and a reason beside each."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from facedown.check import page_layout

TESTS = Path(__file__).resolve().parents[1]
ASKING = ("Client", "AsyncClient", "get", "post", "put", "delete", "request", "stream")
#: A call that waits in real time, of Python, an event loop or a page; also inside a program that a test starts.
SLEEP = re.compile(r"\b(?:sleep|wait_for_timeout)\(")
#: A reason is a comment of some words on the same line.
REASON = re.compile(r"#\s*\S+(?:\s+\S+){3,}")
FEWER_THAN = 15
#: How a plain function begins, in JavaScript.
FUNCTION = re.compile(r"\([^()]*\) =>")


def impatient(tree: ast.AST, lines: bool) -> list[int]:
    """Where a client of httpx is made or asked, or (with `lines`) a line of websockets opened, without any patience."""
    found = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        match call.func:
            case ast.Attribute(value=ast.Name(id="httpx"), attr=name) if name in ASKING:
                wanted = "timeout"
            case ast.Name(id="connect") if lines:
                wanted = "open_timeout"
            case _:
                continue
        given = {word.arg for word in call.keywords}
        # What is given as a whole is looked at where it is made.
        if not given & {wanted, None}:
            found.append(call.lineno)
    return found


def test_no_test_is_impatient() -> None:
    wrong = []
    for path in sorted(TESTS.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = any("websockets" in line and "import" in line and "connect" in line for line in text.splitlines())
        wrong += [f"{path.relative_to(TESTS)}:{line}" for line in impatient(ast.parse(text), lines)]
    assert wrong == []


def test_impatience_is_found() -> None:
    tree = ast.parse("httpx.get(a)\nhttpx.Client(timeout=3)\nconnect(a)\nconnect(a, **named)\n")
    assert impatient(tree, lines=True) == [1, 3]
    assert impatient(tree, lines=False) == [1]


def beginning(node: ast.expr) -> str:
    """How a text begins that stands in a program; of anything else nothing is known."""
    match node:
        case ast.Constant(value=str(text)) | ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return text
    return ""


def looks_once(tree: ast.AST, known: dict[str, str]) -> list[int]:
    """Where a page is to wait for what is no plain function.

    Our pages forbid to make code of text: an expression can be looked at only once, and fails if it is not so yet.
    A promise counts as true whatever it comes to.
    """
    found = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if not (isinstance(call.func, ast.Attribute) and call.func.attr == "wait_for_function" and call.args):
            continue
        given = call.args[0]
        text = known.get(given.id, "") if isinstance(given, ast.Name) else beginning(given)
        if not FUNCTION.match(text):
            found.append(call.lineno)
    return found


def texts(tree: ast.Module) -> dict[str, str]:
    """The texts that have a name in a module, as far as they are known."""
    return {
        line.targets[0].id: beginning(line.value)
        for line in tree.body
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name)
    }


def test_pages_are_looked_at_until_it_is_so() -> None:
    wrong = []
    shared = texts(ast.parse(Path(page_layout.__file__).read_text(encoding="utf-8")))
    for path in [*sorted(TESTS.rglob("*.py")), Path(page_layout.__file__)]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        wrong += [f"{path.name}:{line}" for line in looks_once(tree, shared | texts(tree))]
    assert wrong == []


def test_a_single_look_is_found() -> None:
    lines = ("'a > 1'", "'() => a > 1'", "'async () => a'", "f'(b) => {a}'", "A", "B", "'(a) > 1'")
    tree = ast.parse("A = '() => a'\n" + "".join(f"page.wait_for_function({line})\n" for line in lines))
    assert looks_once(tree, texts(tree)) == [2, 4, 7, 8]


def sleeps(text: str) -> list[str]:
    """The lines of a file that sleep."""
    return [line.strip() for line in text.splitlines() if SLEEP.search(line.partition("#")[0])]


def test_there_are_few_sleeps_and_each_has_a_reason() -> None:
    files = [path for path in sorted(TESTS.rglob("*.py")) if path != Path(__file__)]
    found = [f"{path.relative_to(TESTS)}: {line}" for path in files for line in sleeps(path.read_text("utf-8"))]
    assert len(found) < FEWER_THAN, found
    assert [line for line in found if not REASON.search(line)] == []


def test_a_sleep_is_found() -> None:
    text = "time.sleep(1)\nawait asyncio.sleep(0)  # why\npage.wait_for_timeout(5)\n# sleep(1)\nasleep = 1\n"
    assert len(sleeps(text)) == 3
    assert len(sleeps("run('import time; time.sleep(9)')")) == 1
