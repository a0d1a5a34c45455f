"""List the third-party software in Facedown: ``python scripts/sbom.py [FILE]`` writes a CycloneDX document as JSON.

It lists the Python packages of the lock file and the contents of the browser bundle: npm packages and fonts, as
recorded by the build. ``--page`` writes `THIRD_PARTY.md` with the same contents.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LOCKED = ROOT / "requirements" / "table.txt"
LICENCES = ROOT / "requirements" / "licences.toml"
BUNDLED = ROOT / "src" / "facedown" / "server" / "static" / "dist" / "licences.json"
PAGE = ROOT / "THIRD_PARTY.md"
VERSION = ROOT / "src" / "facedown" / "__init__.py"
#: Licences of software that may be shipped: they require only that it is named and that its licence is included.
#: MPL-2.0 applies to build tools only, and requires no more unless their files are changed.
ALLOWED = frozenset({
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT",
    "MPL-2.0", "OFL-1.1", "PSF-2.0", "Zlib",
})  # fmt: skip
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(.*)$", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


class Part(NamedTuple):
    """A third-party package."""

    name: str
    version: str
    licence: str
    kind: str
    """Type of the package in its package URL: "pypi" or "npm"."""
    text: str = ""
    """Text of the licence, if it must be shipped with the package."""
    hashes: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """Package URL (purl)."""
        return f"pkg:{self.kind}/{self.name.replace('@', '%40')}@{self.version}"


def python_parts() -> list[Part]:
    """Return all versions of all packages in the lock file. Raises `KeyError` for a package without a recorded
    licence.
    """
    known = tomllib.loads(LICENCES.read_text("utf-8"))
    text = LOCKED.read_text("utf-8")
    found = list(_PIN.finditer(text))
    ends = [*(pin.start() for pin in found[1:]), len(text)]
    return [
        Part(pin[1], pin[2], known[pin[1]], "pypi", hashes=tuple(_HASH.findall(text[pin.start() : end])))
        for pin, end in zip(found, ends, strict=True)
    ]


def bundled_parts() -> list[Part]:
    """Return the packages in the browser bundle, with their licence texts."""
    entries = json.loads(BUNDLED.read_text("utf-8"))
    return [Part(e["name"], e["version"], e["licence"], "npm", e["text"]) for e in entries]


def disallowed_licences(parts: list[Part]) -> list[str]:
    """Return the packages whose licences are not allowed, as "NAME: LICENCE"."""
    return [f"{part.name}: {part.licence}" for part in parts if not is_allowed(part.licence)]


def is_allowed(licence: str) -> bool:
    """Return whether a licence expression is allowed: all licences joined by AND, and at least one joined by OR.

    >>> is_allowed("MIT OR GPL-3.0-only"), is_allowed("MIT AND GPL-3.0-only"), is_allowed("BSD-3-Clause AND 0BSD")
    (True, False, True)
    """
    return any(all(one in ALLOWED for one in choice.split(" AND ")) for choice in licence.split(" OR "))


def description(parts: list[Part], version: str) -> dict[str, Any]:
    """Return a CycloneDX document of the packages. It has no timestamp, so equal packages give equal documents."""
    own = {"type": "application", "bom-ref": "facedown", "name": "facedown", "version": version}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**own, "licenses": [{"license": {"id": "MIT"}}]}},
        "components": [_component(part) for part in parts],
        "dependencies": [{"ref": "facedown", "dependsOn": [part.address for part in parts]}],
    }


def _component(part: Part) -> dict[str, Any]:
    said: dict[str, Any] = {
        "type": "library",
        "bom-ref": part.address,
        "name": part.name,
        "version": part.version,
        "purl": part.address,
        "licenses": [{"expression": part.licence}],
    }
    if part.text:
        said["licenses"] = [{"license": {"id": part.licence, "text": {"content": part.text}}}]
    if part.hashes:
        # A release has several files; the hashes of all of them are listed because any may be installed.
        said["properties"] = [{"name": "facedown:sha256", "value": each} for each in part.hashes]
    return said


def page() -> str:
    """Return `THIRD_PARTY.md`: all packages with their licences."""
    lines = ["# What Facedown is made with", "", "Written by `python scripts/sbom.py --page`.", ""]
    lines += ["## In the browser", "", "Parts of these are in the package itself. Their licences lie beside them"]
    lines += ["(`facedown/server/static/dist/licences.json`) and stand on every table's page `/licences`.", ""]
    lines += _table(bundled_parts())
    lines += ["", "## Python", "", "These are installed beside Facedown, each with its own licence.", ""]
    return "\n".join([*lines, *_table(python_parts()), ""])


def _table(parts: list[Part]) -> list[str]:
    rows = dict.fromkeys(f"| {part.name} | {part.version} | {part.licence} |" for part in parts)
    return ["| package | version | licence |", "| --- | --- | --- |", *rows]


def main(arguments: list[str]) -> int:
    """Write the requested output; return the exit code, 1 if a licence is not allowed."""
    parts = [*bundled_parts(), *python_parts()]
    if wrong := disallowed_licences(parts):
        print(f"not to be shipped: {', '.join(wrong)}", file=sys.stderr)
        return 1
    if "--page" in arguments:
        PAGE.write_text(page(), "utf-8")
        return 0
    found = re.search(r'__version__ = "([^"]+)"', VERSION.read_text("utf-8"))
    text = json.dumps(description(parts, found[1] if found else "0"), ensure_ascii=False, indent=1) + "\n"
    if arguments:
        Path(arguments[0]).write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
