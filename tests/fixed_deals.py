"""Fixed deals: the seeds of new matches follow from a text, such as the name of the test that runs.

``python -m tests.fixed_deals FILE serve …`` is the command ``facedown serve …`` with the seeds that follow from what
the file holds at that moment: a server that many tests share deals to each of them as if it had been started for that
test.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

from facedown.core import seeds


class FixedDeals:
    """What the module `secrets` is to `facedown.core.seeds`: random bytes, but always the same ones after one text."""

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text
        self._drawn: dict[str, random.Random] = {}

    def token_bytes(self, size: int) -> bytes:
        """The next bytes that follow from the text as it is now."""
        text = self._text()
        return self._drawn.setdefault(text, random.Random(text)).randbytes(size)


if __name__ == "__main__":
    from facedown.terminal.cli import main

    vars(seeds)["secrets"] = FixedDeals(Path(sys.argv.pop(1)).read_text)
    main()
