"""Texts for people: extracted into the catalogues, with all placeholders given, and translated."""

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
TEXT_FUNCTIONS = {"_": 1, "n_": 2, "c_": 2, "N_": 1}
FILES = [
    path
    for folder in (ROOT / "src" / "facedown", ROOT / "examples" / "kuhn" / "facedown_kuhn")
    for path in sorted(folder.rglob("*.py"))
    if "import" in (text := path.read_text(encoding="utf-8")) and ("texts import" in text or "Texts(" in text)
]


def text_calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of functions for translatable texts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TEXT_FUNCTIONS:
            yield node


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_translatable_texts_are_string_literals_with_a_value_for_each_placeholder(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    # A text inside an f-string is not found by the extraction.
    hidden = [
        call.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for call in text_calls(node)
        if call.args and isinstance(call.args[0], ast.Constant)
    ]
    assert not hidden, f"texts inside f-strings, lines {hidden}"
    wrong = []
    for call in text_calls(tree):
        said = call.args[: TEXT_FUNCTIONS[call.func.id]]  # type: ignore[attr-defined]
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
        # Without values a text stays unformatted, for `spoken` or a later `format`.
        if given and missing and " | " not in texts[0]:
            wrong.append(f"line {call.lineno}: {sorted(missing)} is not given to {texts[0]!r}")
        if (spare := given - named - {"count"}) and " | " not in texts[0]:
            wrong.append(f"line {call.lineno}: {sorted(spare)} does not stand in {texts[0]!r}")
    assert not wrong, "\n".join(wrong)


def test_all_texts_are_translated() -> None:
    done = subprocess.run(
        [sys.executable, "tools/translations.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def message_ids() -> list[tuple[Path, str]]:
    """Return all English texts for people, each with the catalogue that translates it."""
    return [
        (path.relative_to(ROOT), text)
        for path in sorted((ROOT / "src" / "facedown").rglob("locale/**/*.po"))
        for message in read_po(BytesIO(path.read_bytes()))
        for text in (message.id if isinstance(message.id, tuple) else (message.id,))
    ]


def test_texts_use_typographic_apostrophes() -> None:
    texts = message_ids()
    assert len(texts) > 1000
    assert [f"{path}: {text}" for path, text in texts if re.search(r"[\w}]'(\w|\s)", text)] == []


#: Words replaced by plain ones: draw, discard, flip, reveal, place, continue; "waiting for Ada to choose".
OUTDATED_WORDS = re.compile(
    r"\b(threw|thrown?(?! (in|the hand))|put out|turn(s|ed)? up|laid|anew|ha(s|ve) gone on|(is|are) to (act|choose))\b",
    re.IGNORECASE,
)


def test_texts_for_players_contain_no_outdated_words_for_moves() -> None:
    texts = message_ids()
    for path in sorted((ROOT / "src" / "facedown" / "games").glob("*/guide.md")):
        texts += [(path.relative_to(ROOT), line) for line in path.read_text(encoding="utf-8").split("\n")]
    # Typed words and anchors stay unchanged.
    readable = [(path, re.sub(r"“[^”]*”|\{#?[^}]*\}|: open a1.*", "", text)) for path, text in texts]
    assert [f"{path}: {text}" for path, text in readable if OUTDATED_WORDS.search(text)] == []


def test_only_one_translatable_text_adds_the_english_possessive_s_to_a_name() -> None:
    """`core.table.possessive`, also used by `{who:'your}`: a text that adds an s itself is wrong in German."""
    owners = [f"{path}: {text}" for path, text in message_ids() if re.search(r"\{(?!game)\w+\}’s", text)]
    assert owners == ["src/facedown/core/locale/de.po: {name}’s"]
