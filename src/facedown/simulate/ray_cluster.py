"""Work on many processors by Ray: an existing cluster, or one of this machine's own cores.

`map_on_cluster` calls a function for every number, wherever there is room, and yields the results in the order of the
numbers. So the figures that are made of them do not depend on the cluster; and since a result depends on its number
alone, a machine that is lost in mid-run changes nothing either: what it had not finished is done again elsewhere.

Ray is an extra (``pip install "facedown[ray]"``) and is loaded only here. It is kept quiet: no dashboard, no statistics
of use, none of its workers' output, and nothing is fetched.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from facedown.simulate.i18n import _

#: So often is a number tried again whose worker died.
RETRIES = 5
#: Numbers that are given out for each processor, unless the caller says how many in all.
AHEAD = 3
#: An address that does not answer within so many seconds is given up; Ray itself would wait for minutes.
CONNECT_SECONDS = 5.0
#: What keeps Ray quiet, for this process and all that it starts.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "RAY_SCHEDULER_EVENTS": "0",
    # What it says of workers that die goes to the output of this program otherwise, whatever `log_to_driver` is.
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",
}

R = TypeVar("R")


class ClusterError(RuntimeError):
    """The work cannot be done on a cluster; the text says why in one line."""


def import_ray() -> Any:
    """The module of Ray, quiet; `ClusterError` says what to install where it is missing."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise ClusterError(_('Ray is not installed: pip install "facedown[ray]"')) from None


@contextmanager
def ray_session(address: str | None = None) -> Iterator[Any]:
    """Ray's module, ready for work: started on this machine, or at the `address` of a cluster that runs.

    Without an address that of the environment (``RAY_ADDRESS``) is taken. Where this process is attached already it
    stays so; otherwise it is let go at the end, and a cluster that was started here ends. `ClusterError` when nothing
    answers at the address.
    """
    ray = import_ray()
    if ray.is_initialized():
        yield ray
        return
    where = address or os.environ.get("RAY_ADDRESS") or "local"
    _check_reachable(where)
    _start(ray, where)
    try:
        yield ray
    finally:
        ray.shutdown()


def _start(ray: Any, where: str) -> None:
    """Start Ray here or join a cluster; `ClusterError` if that fails."""
    local = where == "local"
    more = {"include_dashboard": False} if local else {}
    for last in (False, True):
        try:
            ray.init(address=where, log_to_driver=False, logging_level="ERROR", **more)
            return
        except Exception as problem:  # noqa: BLE001 - it raises that very one
            ray.shutdown()
            # On a busy machine it gives its own processes too little time.
            if last or not local:
                raise ClusterError(
                    _("no Ray at {address}: {problem}", address=where, problem=_first_line(problem))
                ) from None


def _check_reachable(where: str) -> None:
    """Raise `ClusterError` if nobody listens at an address of a host and a port."""
    host, colon, port = where.removeprefix("ray://").rpartition(":")
    if not colon:
        return
    if not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise ClusterError(_("{address} is not an address of Ray: write HOST:PORT", address=where))
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise ClusterError(_("no Ray at {address}: {problem}", address=where, problem=reason)) from None


def _first_line(problem: BaseException) -> str:
    return next((line.strip() for line in str(problem).splitlines() if line.strip()), type(problem).__name__)


def map_on_cluster(
    function: Callable[[int], R],
    numbers: Iterable[int],
    *,
    address: str | None = None,
    ahead: int | None = None,
    retries: int = RETRIES,
) -> Iterator[R]:
    """The results of a function for these numbers, in their order, worked out on a cluster.

    The function is pickled once; it should depend on its number alone, for it may be called twice. At most `ahead`
    numbers are given out and not yet yielded (otherwise `AHEAD` for each processor), so `numbers` may be endless.
    What the function raises is raised here. `ClusterError` when there is no Ray, or when the worker of a number died
    each time it was tried.
    """
    with ray_session(address) as ray:
        # One task takes one processor; retries are for workers and machines that die, not for what a function raises.
        task = ray.remote(num_cpus=1, max_retries=retries)(_call)
        shared = ray.put(function)
        most = max(1, ahead or AHEAD * int(ray.cluster_resources().get("CPU", 1)))
        waiting: deque[tuple[int, Any]] = deque()
        try:
            for number in numbers:
                waiting.append((number, task.remote(shared, number)))
                if len(waiting) >= most:
                    yield _result(ray, *waiting.popleft(), retries)
            while waiting:
                yield _result(ray, *waiting.popleft(), retries)
        finally:
            for _number, unwanted in waiting:
                with contextlib.suppress(Exception):
                    ray.cancel(unwanted, force=True)


def _call(function: Callable[[int], R], number: int) -> R:
    """What a worker does."""
    return function(number)


def _result(ray: Any, number: int, reference: Any, retries: int) -> Any:
    """The result of one task; what it raised, or `ClusterError` if it never came back."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as problem:
        raise problem.cause from None
    except ray.exceptions.RayError as problem:
        told = _(
            "the worker of number {number} died {times} times: {problem}",
            number=number,
            times=retries + 1,
            problem=type(problem).__name__,
        )
        raise ClusterError(told) from None
