"""Write the list of metrics in ``docs/metrics.md``: ``python tools/metrics_page.py``."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from prometheus_client.core import Metric
from prometheus_client.metrics import MetricWrapperBase

from facedown.server.process.metrics import NAMESPACE
from facedown.server.process.server_settings import ServerSettings
from facedown.server.table.room_registry import Rooms
from facedown.store import Repository, url_of

PAGE = Path(__file__).resolve().parent.parent / "docs" / "metrics.md"
BEGIN = "<!-- Written by tools/metrics_page.py from facedown.server.process.metrics: change that. -->"
END = "<!-- Here the list ends. -->"


def metrics_and_labels() -> Iterator[tuple[Metric, tuple[str, ...]]]:
    """Yield all metrics of a server in this project's namespace, with the names of their labels."""
    with tempfile.TemporaryDirectory() as folder:
        repository = Repository(url_of(folder))
        try:
            rooms = Rooms(repository, ServerSettings(database=""))
            labels = {
                f"{NAMESPACE}_{one._name.removeprefix(NAMESPACE + '_')}": one._labelnames
                for one in rooms.metrics.registry._collector_to_names
                if isinstance(one, MetricWrapperBase)
            }
            for metric in rooms.metrics.registry.collect():
                if metric.name.startswith(f"{NAMESPACE}_"):
                    looked_up = tuple(getattr(metric, "_labelnames", ()))
                    yield metric, tuple(labels.get(metric.name, looked_up))
        finally:
            repository.close()


def table() -> str:
    """Return the list of metrics as a Markdown table, sorted by name."""
    lines = ["| name | kind | labels | |", "| --- | --- | --- | --- |"]
    for metric, labels in sorted(metrics_and_labels(), key=lambda found: found[0].name):
        name = f"{metric.name}_total" if metric.type == "counter" else metric.name
        lines.append(f"| `{name}` | {metric.type} | {', '.join(labels)} | {metric.documentation} |")
    return "\n".join(lines)


def page(text: str) -> str:
    """Return the text of the page with its list of metrics updated."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


if __name__ == "__main__":
    new = page(PAGE.read_text(encoding="utf-8"))
    if new != PAGE.read_text(encoding="utf-8"):
        PAGE.write_text(new, encoding="utf-8")
        sys.stdout.write(f"{PAGE.name} was updated\n")
