"""CPU time of a page's main thread by kind of work, from a Chromium trace.

Wall time depends on what else the machine does. CPU time of the thread does not.
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
#: Trace events by kind of work. The time of all other events is added up as "other".
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
class TraceSegment:
    """The main thread's work between two marks. Times are in ms of CPU time."""

    name: str
    kinds: Counter[str] = field(default_factory=Counter)
    tasks: list[float] = field(default_factory=list)
    restyled: int = 0
    """Number of restyled elements."""

    @property
    def longest(self) -> float:
        """Return the duration of the longest task."""
        return max(self.tasks, default=0.0)


def mark(page: Page, name: str) -> None:
    """Begin a segment of this name."""
    page.evaluate("(name) => { performance.mark(name); }", MARK + name)


@contextmanager
def record_trace(browser: Browser, page: Page) -> Iterator[list[TraceSegment]]:
    """Yield a list, which is filled on exit with the segments between the marks set inside."""
    found: list[TraceSegment] = []
    browser.start_tracing(page=page, categories=list(CATEGORIES))
    try:
        yield found
    finally:
        found.extend(trace_segments(json.loads(browser.stop_tracing())["traceEvents"]))


def trace_segments(events: list[dict[str, Any]]) -> list[TraceSegment]:
    """Return the segments of the thread in which the marks were set."""
    marks = sorted((e for e in events if e["name"].startswith(MARK)), key=lambda e: e["ts"])
    if not marks:
        return []
    thread = (marks[0]["pid"], marks[0]["tid"])
    own = [e for e in events if e.get("ph") == "X" and (e["pid"], e["tid"]) == thread and "tdur" in e]
    # Of two events that begin together, the outer one comes first.
    own.sort(key=lambda e: (e["ts"], -e.get("dur", 0)))
    made = [TraceSegment(m["name"].removeprefix(MARK)) for m in marks]
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


def _count(stretch: TraceSegment, event: dict[str, Any], outer: dict[str, Any] | None) -> None:
    """Add an event's own time to a segment. The time of nested events is subtracted from the outer event."""
    spent = event["tdur"] / 1000
    if event["name"] == "RunTask" and (outer is None or outer["name"] != "RunTask"):
        stretch.tasks.append(spent)
    stretch.kinds[_kind(event)] += spent
    if outer is not None:
        stretch.kinds[_kind(outer)] -= spent
    if event["name"] == "UpdateLayoutTree":
        stretch.restyled += event.get("args", {}).get("elementCount", 0)


def format_table(found: list[TraceSegment]) -> str:
    """Return the segments as a text table with their mean and maximum."""
    names = ("whole", "longest", *COLUMNS, "restyled")
    rows = {
        one.name: (sum(one.tasks), one.longest, *(one.kinds[kind] for kind in COLUMNS), one.restyled) for one in found
    }
    if rows:
        columns = list(zip(*rows.values(), strict=True))
        rows |= {"mean": tuple(map(statistics.fmean, columns)), "most": tuple(map(max, columns))}
    lines = [name.ljust(18) + "".join(f"{cell:10.1f}" for cell in cells) for name, cells in rows.items()]
    return "\n".join([" " * 18 + "".join(name.rjust(10) for name in names), *lines])
