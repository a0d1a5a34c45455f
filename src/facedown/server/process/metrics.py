"""Prometheus metrics of one server process, served at ``/metrics`` and described in docs/metrics.md.

Each application has its own registry. While a move is handled, only counters and histograms are updated, which is
quick. Values that can be computed on demand (tables, persons, queue lengths) are computed when the metrics are read.

No label contains text from a user. All label values, such as games and bot levels, are names from the program.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from facedown.core import game_registry as registry

NAMESPACE = "facedown"
#: Upper bounds of the histogram buckets: for fast operations and for slow ones (seconds), and for the sizes of batches.
QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
SIZES = (1, 2, 4, 8, 16, 32, 64)
#: Value of a metric's label that replaces any value not known to the program.
OTHER = "other"
#: Reasons for the end of a WebSocket connection, as values of a metric's label:
#:
#: * "left": the client closed the connection, or the person or seat no longer has access;
#: * "slow": the client did not read its messages in time, or sent nothing for too long;
#: * "hasty": the client sent too many messages in a short time;
#: * "refused": not in use;
#: * "error": an unexpected exception in the server.
END_REASONS = ("left", "slow", "hasty", "refused", "error")
#: Results of posting a notice: accepted, the browser is no longer registered, or anything else.
NOTICE_RESULTS = ("sent", "gone", "failed")
#: Seconds between two measurements of the event loop's delay.
BEAT = 0.5


class Metrics:
    """All Prometheus metrics of one web application: counters, gauges and histograms, with their registry."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.moves = self._counter("moves", "Moves saved.", "game", "kind")
        self.written = self._seconds_histogram("move_written", "Time from a move's arrival until it was saved.")
        self.shown = self._seconds_histogram(
            "move_shown", "Time from a move's arrival until a page showing it was sent."
        )
        self.batch_size = self._histogram("write_batch_size", "Changes saved in one transaction.", SIZES)
        self.batch_seconds = self._seconds_histogram("write_batch", "Duration of a transaction that saved changes.")
        self.drawing = self._seconds_histogram("drawing", "Time to render a table's page for a viewer.")
        self.thinking_wait = self._seconds_histogram(
            "thinking_wait", "Time that a computation waited for a thread.", SLOW, "lane"
        )
        self.bot_thinking = self._seconds_histogram(
            "bot_thinking", "Time that bots took for a move, including waiting.", SLOW, "level"
        )
        self.loop_lag = self._seconds_histogram("loop_lag", "Delay of the event loop.")
        self.received = self._counter("messages_received", "Messages received over WebSockets.")
        self.sent = self._counter("messages_sent", "Messages sent over WebSockets.")
        self.received_size = self._counter("received_bytes", "Size of the messages received over WebSockets.")
        self.sent_size = self._counter("sent_bytes", "Size of the messages sent over WebSockets, before compression.")
        self.lines = self._counter("lines_opened", "WebSocket connections opened.")
        self.returns = self._counter("lines_resumed", "Seats that reconnected within a minute.")
        self.line_ends = self._counter("lines_ended", "WebSocket connections that ended, by reason.", "why")
        self.requests = self._counter("requests", "HTTP requests answered.", "kind", "status")
        self.notices = self._counter("notices", "Notices posted to push services, by result.", "result")
        self.steps = self._counter("clock_steps", "Times that the system clock was found to have been changed.")
        self.ready = Gauge(
            "ready",
            "1 if a move could be saved at the last check, else 0.",
            namespace=NAMESPACE,
            registry=self.registry,
        )
        for why in END_REASONS:
            self.line_ends.labels(why)
        for result in NOTICE_RESULTS:
            self.notices.labels(result)
        ProcessCollector(registry=self.registry)

    def _counter(self, name: str, said: str, *labels: str) -> Counter:
        return Counter(name, said, labels, namespace=NAMESPACE, registry=self.registry)

    def _histogram(self, name: str, said: str, ends: Sequence[float], *labels: str) -> Histogram:
        return Histogram(name, said, labels, namespace=NAMESPACE, registry=self.registry, buckets=ends)

    def _seconds_histogram(self, name: str, said: str, ends: Sequence[float] = QUICK, *labels: str) -> Histogram:
        return self._histogram(f"{name}_seconds", said, ends, *labels)

    # --- events -----------------------------------------------------------------------------------------------------

    def count_and_time_saved_move(self, game: str, kind: str, begun: float) -> None:
        """Count a saved move, and record the seconds since it arrived.

        `kind` says what made the move (`mover_kind`); `begun` is the value of `time.perf_counter` at its arrival.
        """
        self.moves.labels(game if game in registry.catalogue() else OTHER, kind).inc()
        self.written.observe(time.perf_counter() - begun)

    def record_move_to_page_time(self, begun: float) -> None:
        """Record the time from a move's arrival at `begun` (`time.perf_counter`) until a page showing it was sent."""
        self.shown.observe(time.perf_counter() - begun)

    def count_received_message(self, size: int) -> None:
        """Count a received WebSocket message and its size (characters of text; bytes of a binary message)."""
        self.received.inc()
        self.received_size.inc(size)

    def count_sent_message(self, size: int) -> None:
        """Count a sent WebSocket message and its size in characters."""
        self.sent.inc()
        self.sent_size.inc(size)

    def count_and_time_write(self, changes: int) -> AbstractContextManager[object]:
        """Count a write transaction with this number of changes, and return a context manager that times it."""
        self.batch_size.observe(changes)
        return self.batch_seconds.time()

    def record_thread_wait(self, lane: str, seconds: float) -> None:
        """Record the seconds for which a computation waited for a thread.

        `lane` is the name of the thread pool: "quick" (short computations) or "slow" (long ones).
        """
        self.thinking_wait.labels(lane).observe(seconds)

    def bot_choice_timer(self, level: str) -> AbstractContextManager[object]:
        """Return a context manager that times how long a bot takes to choose a move. `level` is the bot's level key."""
        return self.bot_thinking.labels(level).time()

    def count_request(self, kind: str, status: int) -> None:
        """Count an answered HTTP request; `kind` is "page", "api" or "file"."""
        self.requests.labels(kind, f"{status // 100}xx").inc()

    def count_connection_end(self, why: str) -> None:
        """Count the end of a WebSocket connection. A reason `why` that is not in `END_REASONS` counts as "other"."""
        self.line_ends.labels(why if why in END_REASONS else OTHER).inc()

    async def keep_measuring_event_loop_delay(self) -> None:
        """Measure the delay of the event loop at regular intervals until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + BEAT
            await asyncio.sleep(BEAT)
            self.loop_lag.observe(max(0.0, loop.time() - due))

    # --- values computed on demand ----------------------------------------------------------------------------------

    def add_collector(self, read: Callable[[], Iterable[Metric]]) -> None:
        """Add a function that returns metrics, called whenever the metrics are read."""
        self.registry.register(_Reading(read))

    def prometheus_text(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self.registry)


class _Reading(Collector):
    """Prometheus collector that gets its metrics from a function."""

    def __init__(self, read: Callable[[], Iterable[Metric]]) -> None:
        self._read = read

    def collect(self) -> Iterable[Metric]:
        return self._read()


def mover_kind(token: str) -> str:
    """Return what made a move: "person", "bot", or "clock" (a bot, because the player's time ran out).

    `token` is the token stored with the move: "bot" or "time", possibly followed by a colon and more text; a person's
    move has any other token.
    """
    return {"bot": "bot", "time": "clock"}.get(token.partition(":")[0], "person")


def gauge(name: str, said: str, values: Mapping[str, float], label: str = "") -> Metric:
    """Return a gauge metric. `said` is its description, `label` the name of its label.

    `values` maps each value of the label to the gauge's value. If the gauge has no label (""), the only key is "".
    """
    found = GaugeMetricFamily(name, said, labels=[label] if label else [])
    for value, number in values.items():
        found.add_metric([value] if label else [], number)
    return found


def counter(name: str, said: str, values: Mapping[str, float], label: str) -> Metric:
    """Return a counter metric. `said` is its description, `label` the name of its label.

    `values` maps each value of the label to the counter's value.
    """
    found = CounterMetricFamily(name, said, labels=[label])
    for value, number in values.items():
        found.add_metric([value], number)
    return found
