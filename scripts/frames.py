"""Where the main thread's time goes when somebody moves or touches: ``python scripts/frames.py [--script]``.

Detect for eight on a phone's size. It prints thread CPU time in ms for each message and each touch, by kind of work;
with ``--script`` also which functions of the client module spend it (each with what it calls), from a bundle that is
not minified.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hatch_build import node_and_npm  # noqa: E402
from tests.browser.drawn import Drawn, table_message  # noqa: E402
from tests.browser.people import chromium  # noqa: E402
from tests.browser.test_frames import eight, phone, waits  # noqa: E402
from tests.browser.traced import mark, table_of, traced  # noqa: E402

MOVES, TOUCHES = 12, 6
STEP = 0.2
"""How often the script is looked at, in ms."""


def readable() -> bytes:
    """The client module in one file, with its names."""
    node, npm = node_and_npm()
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])}
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "facedown.js"
        command = [*npm, "exec", "--", "esbuild", "src/main.js", "--bundle", "--format=esm", f"--outfile={made}"]
        subprocess.run(command, cwd=ROOT / "web", env=environment, check=True, capture_output=True)
        return made.read_bytes()


def spent(profile: dict[str, Any]) -> list[tuple[str, float, float]]:
    """Each function with the ms that it took itself, and with all that it called."""
    nodes = {node["id"]: node for node in profile["nodes"]}
    above = {child: node["id"] for node in profile["nodes"] for child in node.get("children", ())}
    own: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for leaf, micros in zip(profile["samples"], profile["timeDeltas"], strict=True):
        names: list[str] = []
        at: int | None = leaf
        while at is not None:
            frame = nodes[at]["callFrame"]
            names.append(f"{frame['functionName'] or '(anonymous)'}:{frame['lineNumber'] + 1}")
            at = above.get(at)
        own[names[0]] += micros
        for name in set(names):
            whole[name] += micros
    return [(name, own[name] / 1000, micros / 1000) for name, micros in whole.most_common(60)]


def play(drawn: Drawn, marked: bool) -> None:
    """Some moves of others."""
    match, chance = eight(), random.Random(1)
    for number in range(MOVES):
        seat = match.acting[0]
        match.play(seat, chance.choice(match.legal(seat)))
        if marked:
            mark(drawn.page, f"move {number}")
        drawn.send(table_message(match))
        drawn.page.wait_for_timeout(1100)


def tap(drawn: Drawn) -> None:
    """A card taken and given back, some times."""
    x, y = waits(drawn)
    for number in range(TOUCHES):
        mark(drawn.page, f"touch {number}")
        drawn.page.touchscreen.tap(x, y)
        drawn.page.wait_for_timeout(500)


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--script", action="store_true", help="which functions spend the time")
    options = asked.parse_args()
    with chromium() as browser:
        for what in ("moves", "touches"):
            drawn = phone(browser, eight())
            with traced(browser, drawn.page) as found:
                (lambda drawn: play(drawn, True) if what == "moves" else tap(drawn))(drawn)
                mark(drawn.page, "rest")
            print(table_of(found[:-1]), end="\n\n")
            drawn.close()
        if options.script:
            drawn = phone(browser, eight(), script=readable())
            session: CDPSession = drawn.context.new_cdp_session(drawn.page)
            session.send("Profiler.enable")
            session.send("Profiler.setSamplingInterval", {"interval": int(1000 * STEP)})
            session.send("Profiler.start")
            play(drawn, False)
            for name, own, whole in spent(session.send("Profiler.stop")["profile"]):
                print(f"{name:40}{own / MOVES:9.2f}{whole / MOVES:9.2f}")


if __name__ == "__main__":
    main()
