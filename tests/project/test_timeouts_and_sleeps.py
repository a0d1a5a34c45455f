"""Waiting in tests: generous timeouts for busy machines, few sleeps, each with a reason."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from facedown.check import page_layout

TESTS = Path(__file__).resolve().parents[1]
HTTP_CALLS = ("Client", "AsyncClient", "get", "post", "put", "delete", "request", "stream")
#: Matches a call that waits in real time (Python, event loop, page), also inside a program that a test starts.
SLEEP = re.compile(r"\b(?:sleep|wait_for_timeout)\(")
#: A reason is a comment of four words or more on the same line.
REASON = re.compile(r"#\s*\S+(?:\s+\S+){3,}")
MAX_SLEEPS = 15
#: Matches the start of a plain function in JavaScript.
FUNCTION = re.compile(r"\([^()]*\) =>")


def calls_without_timeout(tree: ast.AST, lines: bool) -> list[int]:
    """Return the lines of httpx calls, and with `lines` of websocket connections, without a timeout."""
    found = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        match call.func:
            case ast.Attribute(value=ast.Name(id="httpx"), attr=name) if name in HTTP_CALLS:
                wanted = "timeout"
            case ast.Name(id="connect") if lines:
                wanted = "open_timeout"
            case _:
                continue
        given = {word.arg for word in call.keywords}
        # Arguments passed as a dict are checked where the dict is made.
        if not given & {wanted, None}:
            found.append(call.lineno)
    return found


def test_http_and_websocket_clients_in_tests_have_timeouts() -> None:
    wrong = []
    for path in sorted(TESTS.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = any("websockets" in line and "import" in line and "connect" in line for line in text.splitlines())
        wrong += [f"{path.relative_to(TESTS)}:{line}" for line in calls_without_timeout(ast.parse(text), lines)]
    assert wrong == []


def test_check_of_test_code_finds_http_and_websocket_clients_without_a_timeout() -> None:
    tree = ast.parse("httpx.get(a)\nhttpx.Client(timeout=3)\nconnect(a)\nconnect(a, **named)\n")
    assert calls_without_timeout(tree, lines=True) == [1, 3]
    assert calls_without_timeout(tree, lines=False) == [1]


def start_of_text(node: ast.expr) -> str:
    """Return the start of a literal text, or an empty string for anything else."""
    match node:
        case ast.Constant(value=str(text)) | ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return text
    return ""


def waits_for_expression(tree: ast.AST, known: dict[str, str]) -> list[int]:
    """Return the lines in which a page waits for something other than a plain function.

    The pages' security policy forbids code from text, so an expression is evaluated only once. A promise always counts
    as true.
    """
    found = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if not (isinstance(call.func, ast.Attribute) and call.func.attr == "wait_for_function" and call.args):
            continue
        given = call.args[0]
        text = known.get(given.id, "") if isinstance(given, ast.Name) else start_of_text(given)
        if not FUNCTION.match(text):
            found.append(call.lineno)
    return found


def named_texts(tree: ast.Module) -> dict[str, str]:
    """Return the literal texts that have a name in a module."""
    return {
        line.targets[0].id: start_of_text(line.value)
        for line in tree.body
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name)
    }


def test_browser_tests_wait_for_javascript_functions_and_not_for_expressions() -> None:
    wrong = []
    shared = named_texts(ast.parse(Path(page_layout.__file__).read_text(encoding="utf-8")))
    for path in [*sorted(TESTS.rglob("*.py")), Path(page_layout.__file__)]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        wrong += [f"{path.name}:{line}" for line in waits_for_expression(tree, shared | named_texts(tree))]
    assert wrong == []


def test_check_of_browser_tests_finds_a_wait_for_a_javascript_expression() -> None:
    lines = ("'a > 1'", "'() => a > 1'", "'async () => a'", "f'(b) => {a}'", "A", "B", "'(a) > 1'")
    tree = ast.parse("A = '() => a'\n" + "".join(f"page.wait_for_function({line})\n" for line in lines))
    assert waits_for_expression(tree, named_texts(tree)) == [2, 4, 7, 8]


def sleep_lines(text: str) -> list[str]:
    """Return the lines of a text that sleep."""
    return [line.strip() for line in text.splitlines() if SLEEP.search(line.partition("#")[0])]


def test_tests_have_fewer_than_15_sleeps_each_with_its_reason_in_a_comment() -> None:
    files = [path for path in sorted(TESTS.rglob("*.py")) if path != Path(__file__)]
    found = [f"{path.relative_to(TESTS)}: {line}" for path in files for line in sleep_lines(path.read_text("utf-8"))]
    assert len(found) < MAX_SLEEPS, found
    assert [line for line in found if not REASON.search(line)] == []


def test_check_of_test_code_finds_sleeps_in_python_and_in_pages() -> None:
    text = "time.sleep(1)\nawait asyncio.sleep(0)  # why\npage.wait_for_timeout(5)\n# sleep(1)\nasleep = 1\n"
    assert len(sleep_lines(text)) == 3
    assert len(sleep_lines("run('import time; time.sleep(9)')")) == 1
