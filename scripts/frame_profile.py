"""Profile of the browser's main thread during moves and touches: ``python scripts/frame_profile.py [--script]``.

The page shows Detect with eight players in the size of a phone. The script prints the thread's CPU time in ms per
message and per touch, by kind of work. With ``--script`` it also prints the functions of the client script that take
most of the time, from a sampling profile of a bundle that is not minified.
"""

from __future__ import annotations

import argparse
import os
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
from tests.browser.cpu_trace import format_table  # noqa: E402
from tests.browser.players import chromium  # noqa: E402
from tests.browser.test_frame_times import MOVES, match_of_eight, measure, others_move, phone, touch_discard_pile  # noqa: E402

STEP = 0.2
"""Milliseconds between two samples of the profiler."""


def unminified_bundle() -> bytes:
    """Return the client script as one file with its original names."""
    node, npm = node_and_npm()
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])}
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "facedown.js"
        command = [*npm, "exec", "--", "esbuild", "src/main.js", "--bundle", "--format=esm", f"--outfile={made}"]
        subprocess.run(command, cwd=ROOT / "web", env=environment, check=True, capture_output=True)
        return made.read_bytes()


#: Functions of the client script that process a message; they are listed first.
PHASES = (
    "parseUpdate",
    "measurePieces",
    "measureParts",
    "morphHtml",
    "setStep",
    "cancelCssTransitions",
    "scrollToActingSeat",
    "animateCardMoves",
    "glideParts",
    "refreshMarks",
    "refreshSettings",
)


def time_by_function(profile: dict[str, Any]) -> tuple[Counter[str], Counter[str]]:
    """Return the microseconds of each function, without and with the functions that it calls."""
    nodes = {node["id"]: node for node in profile["nodes"]}
    above = {child: node["id"] for node in profile["nodes"] for child in node.get("children", ())}
    own: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for leaf, micros in zip(profile["samples"], profile["timeDeltas"], strict=True):
        names: list[str] = []
        at: int | None = leaf
        while at is not None:
            names.append(nodes[at]["callFrame"]["functionName"] or "(anonymous)")
            at = above.get(at)
        own[names[0]] += micros
        for name in set(names):
            whole[name] += micros
    return own, whole


def functions(profile: dict[str, Any]) -> str:
    """Return a table of functions with their wall time in ms per move: those in `PHASES`, then the slowest others."""
    own, whole = time_by_function(profile)
    names = [*PHASES, *(name for name, _ in whole.most_common(60) if name not in PHASES)]
    lines = [f"{name:40}{own[name] / 1000 / MOVES:9.2f}{whole[name] / 1000 / MOVES:9.2f}" for name in names]
    return "\n".join([f"{'':40}{'itself':>9}{'in all':>9}", *lines])


def main() -> None:
    """Run the profile and print the tables."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--script", action="store_true", help="which functions spend the time")
    options = asked.parse_args()
    with chromium() as browser:
        for run in (others_move, touch_discard_pile):
            print(format_table(measure(browser, run)), end="\n\n")
        if options.script:
            drawn = phone(browser, match_of_eight(), script=unminified_bundle())
            session: CDPSession = drawn.context.new_cdp_session(drawn.page)
            session.send("Profiler.enable")
            session.send("Profiler.setSamplingInterval", {"interval": int(1000 * STEP)})
            session.send("Profiler.start")
            for _ in others_move(drawn):
                pass
            print(functions(session.send("Profiler.stop")["profile"]))


if __name__ == "__main__":
    main()
