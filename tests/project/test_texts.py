"""Texts for people: all of them are found by the catalogues, filled in, and translated."""

from __future__ import annotations

import ast
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[2]
SPEAKERS = {"_": 1, "n_": 2, "c_": 2, "N_": 1}
FILES = [
    path
    for folder in (ROOT / "src" / "facedown", ROOT / "examples" / "kuhn" / "facedown_kuhn")
    for path in sorted(folder.rglob("*.py"))
    if "import" in (text := path.read_text(encoding="utf-8")) and ("texts import" in text or "Texts(" in text)
]


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """The calls that say a text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SPEAKERS:
            yield node


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_said_is_found_and_filled_in(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    # What stands in an f-string is not seen by those who collect texts.
    hidden = [
        call.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for call in calls(node)
        if call.args and isinstance(call.args[0], ast.Constant)
    ]
    assert not hidden, f"texts inside f-strings, lines {hidden}"
    wrong = []
    for call in calls(tree):
        said = call.args[: SPEAKERS[call.func.id]]  # type: ignore[attr-defined]
        given = {word.arg for word in call.keywords}
        if any(isinstance(one, ast.JoinedStr | ast.BinOp) for one in said):
            wrong.append(f"line {call.lineno}: a text is one literal")
        if None in given or not all(isinstance(one, ast.Constant) for one in said):
            continue
        texts = [one.value for one in said if isinstance(one, ast.Constant)]
        named = {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}
        if call.func.id == "n_":  # type: ignore[attr-defined]
            given.add("count")
        missing = named - given
        # Without any value a text is left as it is, for `spoken` or for a later `format`.
        if given and missing and " | " not in texts[0]:
            wrong.append(f"line {call.lineno}: {sorted(missing)} is not given to {texts[0]!r}")
        if (spare := given - named - {"count"}) and " | " not in texts[0]:
            wrong.append(f"line {call.lineno}: {sorted(spare)} does not stand in {texts[0]!r}")
    assert not wrong, "\n".join(wrong)


def test_everything_is_translated() -> None:
    done = subprocess.run(
        [sys.executable, "tools/translations.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def message_ids() -> list[tuple[Path, str]]:
    """All texts for people in English, each with the catalogue that translates it."""
    return [
        (path.relative_to(ROOT), text)
        for path in sorted((ROOT / "src" / "facedown").rglob("locale/**/*.po"))
        for message in read_po(BytesIO(path.read_bytes()))
        for text in (message.id if isinstance(message.id, tuple) else (message.id,))
    ]


def test_an_apostrophe_is_a_printed_one() -> None:
    texts = message_ids()
    assert len(texts) > 1000
    assert [f"{path}: {text}" for path, text in texts if re.search(r"[\w}]'(\w|\s)", text)] == []


#: What the plain words stand for: draw, discard, flip, reveal, place, continue; "waiting for Ada to choose".
OTHER_WORDS = re.compile(
    r"\b(threw|thrown?(?! (in|the hand))|put out|turn(s|ed)? up|laid|anew|ha(s|ve) gone on|(is|are) to (act|choose))\b",
    re.IGNORECASE,
)


def test_each_move_has_one_verb() -> None:
    texts = message_ids()
    for path in sorted((ROOT / "src" / "facedown" / "games").glob("*/guide.md")):
        texts += [(path.relative_to(ROOT), line) for line in path.read_text(encoding="utf-8").split("\n")]
    # What is typed, and anchors, stay as they are.
    readable = [(path, re.sub(r"“[^”]*”|\{#?[^}]*\}|: open a1.*", "", text)) for path, text in texts]
    assert [f"{path}: {text}" for path, text in readable if OTHER_WORDS.search(text)] == []


def test_one_function_makes_owners_of_names() -> None:
    """`core.table.possessive`, which `{who:'your}` asks as well: a text that adds an s itself is wrong in German."""
    owners = [f"{path}: {text}" for path, text in message_ids() if re.search(r"\{(?!game)\w+\}’s", text)]
    assert owners == ["src/facedown/core/locale/de.po: {name}’s"]
