"""Fixed deals: the seeds of new matches follow from a text, such as the name of the running test.

``python -m tests.seeds_by_test_name FILE serve …`` runs ``facedown serve …`` with seeds that follow from the current
content of the file. A server shared by many tests then deals to each test as if it had been started for that test.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

from facedown.core import seeds


class FixedDeals:
    """Replacement for the module `secrets` in `facedown.core.seeds`: random bytes that follow from a text."""

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text
        self._drawn: dict[str, random.Random] = {}

    def token_bytes(self, size: int) -> bytes:
        """Return the next bytes for the current text."""
        text = self._text()
        return self._drawn.setdefault(text, random.Random(text)).randbytes(size)


if __name__ == "__main__":
    from facedown.terminal.cli import main

    vars(seeds)["secrets"] = FixedDeals(Path(sys.argv.pop(1)).read_text)
    main()
