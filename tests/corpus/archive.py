"""The files of the corpus: reading, writing, hashing, and the first difference between two values."""

from __future__ import annotations

import gzip
import hashlib
import json
from itertools import zip_longest
from pathlib import Path
from typing import Any

#: Folder of the frozen files.
DATA = Path(__file__).parent / "data"
#: Number of hex digits kept of a SHA-256 hash.
DIGITS = 12


def read_bytes(name: str) -> bytes:
    """Return the content of a frozen file, unpacked if its name ends in ``.gz``."""
    raw = (DATA / name).read_bytes()
    return gzip.decompress(raw) if name.endswith(".gz") else raw


def read_text(name: str) -> str:
    return read_bytes(name).decode()


def read_json(name: str) -> Any:
    return json.loads(read_bytes(name))


def names(pattern: str) -> list[str]:
    """Return the frozen files whose path below the data folder matches a glob pattern, sorted."""
    return sorted(path.relative_to(DATA).as_posix() for path in DATA.glob(pattern))


def match_files() -> dict[str, str]:
    """Return the text of every frozen match file, by the match's name."""
    return {path.removeprefix("matches/").removesuffix(".match"): read_text(path) for path in names("matches/*.match")}


def write(name: str, content: bytes) -> None:
    """Write a frozen file, packed if its name ends in ``.gz``. The same content always gives the same bytes."""
    path = DATA / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content, 9, mtime=0) if name.endswith(".gz") else content)


def to_json(value: Any, indent: int | None = None) -> bytes:
    """Return a value as JSON in UTF-8, its keys in their own order."""
    separators = (",", ":") if indent is None else (",", ": ")
    return (json.dumps(value, ensure_ascii=False, indent=indent, separators=separators) + "\n").encode()


def digest(value: Any) -> str:
    """Return a short hash of bytes, of a text, or of a value as JSON."""
    content = value if isinstance(value, bytes) else value.encode() if isinstance(value, str) else to_json(value)
    return hashlib.sha256(content).hexdigest()[:DIGITS]


def first_difference(frozen: Any, current: Any, path: str = "$") -> str:
    """Describe the first place where two JSON values differ, as "PATH: frozen … / current …"; empty if they are equal.

    >>> first_difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]})
    '$.a[1].b: frozen 2 / current 3'
    >>> first_difference({"a": 1}, {"b": 1})
    "$: frozen keys ['a'] / current keys ['b']"
    """
    if isinstance(frozen, dict) and isinstance(current, dict):
        if list(frozen) != list(current):
            return f"{path}: frozen keys {list(frozen)} / current keys {list(current)}"
        pairs = [(f"{path}.{key}", frozen[key], current[key]) for key in frozen]
    elif isinstance(frozen, list) and isinstance(current, list):
        pairs = [(f"{path}[{at}]", *both) for at, both in enumerate(zip(frozen, current, strict=False))]
    else:
        return "" if frozen == current else f"{path}: {_excerpts(frozen, current)}"
    found = next((found for where, one, two in pairs if (found := first_difference(one, two, where))), "")
    if not found and len(frozen) != len(current):
        return f"{path}: frozen length {len(frozen)} / current length {len(current)}"
    return found


def check(files: dict[str, bytes]) -> None:
    """Raise `AssertionError` if some current files differ from the frozen ones; the message names every such file."""
    wrong = []
    for name, content in files.items():
        frozen, current = read_bytes(name), content
        if ".json" in name:
            wrong.append(first_difference(json.loads(frozen), json.loads(current), name))
        elif frozen != current:
            lines = zip_longest(frozen.decode().splitlines(), current.decode().splitlines())
            number, (one, two) = next((at, both) for at, both in enumerate(lines, 1) if both[0] != both[1])
            wrong.append(f"{name}, line {number}:\n  frozen  {one}\n  current {two}")
    assert files
    assert not any(wrong), "\n".join(filter(None, wrong))


def _excerpts(frozen: Any, current: Any) -> str:
    """Return both values; of long texts only the part around the first different character."""
    if isinstance(frozen, str) and isinstance(current, str) and max(len(frozen), len(current)) > 120:
        pairs = enumerate(zip(frozen, current, strict=False))
        at = next((at for at, (one, two) in pairs if one != two), min(len(frozen), len(current)))
        start = max(0, at - 60)
        frozen, current = frozen[start : at + 60], current[start : at + 60]
        return f"at character {at}: frozen …{frozen!r}… / current …{current!r}…"
    return f"frozen {frozen!r} / current {current!r}"
