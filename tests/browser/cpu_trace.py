"""Where the time of a page goes: thread CPU time of its main thread, from a trace of Chromium.

Wall time lies on a machine that others use as well; the time that a thread has spent on a processor does not.
"""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page

CATEGORIES = (
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "v8.execute",
    "blink.user_timing",
    "__metadata",
)
MARK = "traced:"
#: The events of a trace by kind of work; all others that take time are summed up as "other".
KINDS = {
    "script": "FunctionCall EvaluateScript V8.Execute EventDispatch TimerFire FireAnimationFrame RunMicrotasks",
    "parse": "ParseHTML",
    "style": "UpdateLayoutTree",
    "layout": "Layout",
    "pre-paint": "PrePaint IntersectionObserverController::computeIntersections",
    "paint": "Paint",
    "layers": "Layerize",
    "commit": "Commit",
    "garbage": "MinorGC MajorGC",
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names.split()}
COLUMNS = (*KINDS, "other")


@dataclass
class Stretch:
    """What the main thread did between two marks; all times in ms of thread CPU time."""

    name: str
    kinds: Counter[str] = field(default_factory=Counter)
    tasks: list[float] = field(default_factory=list)
    restyled: int = 0
    """How many elements were restyled."""

    @property
    def longest(self) -> float:
        """The longest task."""
        return max(self.tasks, default=0.0)


def mark(page: Page, name: str) -> None:
    """What comes from here on belongs to a stretch of this name."""
    page.evaluate("(name) => { performance.mark(name); }", MARK + name)


@contextmanager
def traced(browser: Browser, page: Page) -> Iterator[list[Stretch]]:
    """Fills a list with the stretches between the marks that are set inside."""
    found: list[Stretch] = []
    browser.start_tracing(page=page, categories=list(CATEGORIES))
    try:
        yield found
    finally:
        found.extend(stretches(json.loads(browser.stop_tracing())["traceEvents"]))


def stretches(events: list[dict[str, Any]]) -> list[Stretch]:
    """What a trace says of the thread in which the marks were set."""
    marks = sorted((e for e in events if e["name"].startswith(MARK)), key=lambda e: e["ts"])
    if not marks:
        return []
    thread = (marks[0]["pid"], marks[0]["tid"])
    own = [e for e in events if e.get("ph") == "X" and (e["pid"], e["tid"]) == thread and "tdur" in e]
    # The outer one of two that begin together comes first.
    own.sort(key=lambda e: (e["ts"], -e.get("dur", 0)))
    made = [Stretch(m["name"].removeprefix(MARK)) for m in marks]
    starts = [m["ts"] for m in marks]
    open_: list[tuple[float, dict[str, Any]]] = []
    for event in own:
        while open_ and open_[-1][0] <= event["ts"]:
            open_.pop()
        at = sum(start <= event["ts"] for start in starts) - 1
        if at >= 0:
            _count(made[at], event, open_[-1][1] if open_ else None)
        open_.append((event["ts"] + event.get("dur", 0), event))
    return made


def _kind(event: dict[str, Any]) -> str:
    return KIND_OF.get(event["name"], "script" if event["name"].startswith("v8.") else "other")


def _count(stretch: Stretch, event: dict[str, Any], outer: dict[str, Any] | None) -> None:
    """Counts an event's own time: what lies inside another one is taken from that."""
    spent = event["tdur"] / 1000
    if event["name"] == "RunTask" and (outer is None or outer["name"] != "RunTask"):
        stretch.tasks.append(spent)
    stretch.kinds[_kind(event)] += spent
    if outer is not None:
        stretch.kinds[_kind(outer)] -= spent
    if event["name"] == "UpdateLayoutTree":
        stretch.restyled += event.get("args", {}).get("elementCount", 0)


def table_of(found: list[Stretch]) -> str:
    """The stretches as a table, a mean and a maximum below them."""
    names = ("whole", "longest", *COLUMNS, "restyled")
    rows = {
        one.name: (sum(one.tasks), one.longest, *(one.kinds[kind] for kind in COLUMNS), one.restyled) for one in found
    }
    if rows:
        columns = list(zip(*rows.values(), strict=True))
        rows |= {"mean": tuple(map(statistics.fmean, columns)), "most": tuple(map(max, columns))}
    lines = [name.ljust(18) + "".join(f"{cell:10.1f}" for cell in cells) for name, cells in rows.items()]
    return "\n".join([" " * 18 + "".join(name.rjust(10) for name in names), *lines])
