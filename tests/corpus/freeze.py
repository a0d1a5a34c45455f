"""Write the frozen corpus, or one part of it: run by hand, never by the tests.

``python -m tests.corpus.freeze PART…`` writes the named parts, ``python -m tests.corpus.freeze all`` all of them.
Freeze a part after an intended change (README.md).

A part holds how the current program reads data that an older program wrote. That older data is never written again. The
same program always writes the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from tests.corpus import archive, configuration, cookies, positions, protocol, web

#: The parts of the corpus that can be written again, each with the function that returns its files.
PARTS: dict[str, Callable[[], dict[str, bytes]]] = {
    "positions": positions.files,
    "stored": web.stored_files,
    "web": web.files,
    "protocol": protocol.files,
    "honoured": cookies.honoured_files,
    "interface": configuration.interface_files,
}


def freeze(part: str) -> None:
    """Write the files of a part, and delete those that it no longer has."""
    files = PARTS[part]()
    for old in set(archive.names(f"{part}/**/*")) - set(files):
        if (archive.DATA / old).is_file():
            (archive.DATA / old).unlink()
    for name, content in files.items():
        archive.write(name, content)
    print(f"{part}: {len(files)} files, {sum((archive.DATA / name).stat().st_size for name in files)} bytes")


if __name__ == "__main__":
    wanted = list(PARTS) if sys.argv[1:] == ["all"] else sys.argv[1:]
    if not wanted or set(wanted) - set(PARTS):
        raise SystemExit(f"usage: python -m tests.corpus.freeze all|{'|'.join(PARTS)} …")
    for each in wanted:
        freeze(each)
