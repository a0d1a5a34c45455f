"""Parallel computation on Ray: on an existing cluster, or on the processors of this machine.

`map_on_cluster` takes a function and a series of numbers, such as the numbers of the deals to play. It calls the
function with each number, and yields the results in the order of the series. The function
must compute its result from the number alone. Then all clusters give the same results, and if a machine is lost,
another machine can repeat the call.

Ray is an extra (``pip install "facedown[ray]"``) and is imported only here. It sends no usage statistics, downloads
nothing, and does not print the output of its workers. If Ray is started on this machine, it has no dashboard.
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

#: Number of times that a task is repeated after the process that ran it died.
RETRIES = 5
#: Number of tasks per processor that may be submitted at the same time, so that no processor has to wait for the next
#: task. The caller may instead set the number of all tasks that may be submitted at the same time.
AHEAD = 3
#: Seconds to wait until a cluster's address accepts a connection. Ray itself would wait for minutes.
CONNECT_SECONDS = 5.0
#: Environment variables that suppress Ray's own output, in this process and in its child processes.
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "RAY_SCHEDULER_EVENTS": "0",
    # Without these two settings Ray prints messages about dying workers, even if `log_to_driver` is False.
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",
}

R = TypeVar("R")


class ClusterError(RuntimeError):
    """Error: Ray is missing, cannot be reached, or failed. The text gives the reason in one line."""


def import_ray() -> Any:
    """Import and return the module ``ray``, with its output silenced. Raises `ClusterError` if it is not installed."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise ClusterError(_('Ray is not installed: pip install "facedown[ray]"')) from None


@contextmanager
def ray_session(address: str | None = None) -> Iterator[Any]:
    """Connect to Ray, yield the module ``ray``, and disconnect at the end.

    Connect to the cluster at `address`, or else at the address in the environment variable ``RAY_ADDRESS``. Without
    either, start Ray on this machine, and stop it at the end.

    If this process was connected before, it stays connected at the end. Raise `ClusterError` if the address does not
    answer.
    """
    ray = import_ray()
    if ray.is_initialized():
        yield ray
        return
    where = address or os.environ.get("RAY_ADDRESS") or "local"
    _check_reachable(where)
    _start_or_connect(ray, where)
    try:
        yield ray
    finally:
        ray.shutdown()


def _start_or_connect(ray: Any, where: str) -> None:
    """Start Ray on this machine (`where` is "local"), or connect to the cluster at `where`. Raise `ClusterError` on
    failure.
    """
    local = where == "local"
    more = {"include_dashboard": False} if local else {}
    for last in (False, True):
        try:
            ray.init(address=where, log_to_driver=False, logging_level="ERROR", **more)
            return
        except Exception as problem:  # noqa: BLE001 - Ray raises plain Exception
            ray.shutdown()
            # Starting Ray on this machine is tried twice. On a busy machine, Ray may not give its own processes enough
            # time.
            if last or not local:
                raise ClusterError(
                    _("cannot connect to Ray at {address}: {problem}", address=where, problem=_first_line(problem))
                ) from None


def _check_reachable(where: str) -> None:
    """Raise `ClusterError` if an address HOST:PORT is malformed or does not accept a connection."""
    host, colon, port = where.removeprefix("ray://").rpartition(":")
    if not colon:
        return
    if not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise ClusterError(_("{address} is not a valid Ray address: expected HOST:PORT", address=where))
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise ClusterError(_("cannot connect to Ray at {address}: {problem}", address=where, problem=reason)) from None


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
    """Call a function on a cluster with each number in `numbers`, and yield the results in the order of `numbers`.

    Each call is a task of Ray, which a worker (a process of Ray) runs.

    * `numbers`: the arguments. They are taken one by one as results are yielded, so there may be infinitely many.
    * `address`: address of the cluster, or None (see `ray_session`).
    * `ahead`: the largest number of tasks that are submitted but whose results have not been yielded yet. None means
      `AHEAD` tasks per processor.
    * `retries`: how often a task is repeated if its worker dies.

    The function is pickled once. It may be called more than once with the same number, so its result should depend only
    on the number. Exceptions of the function are raised again here. Raise `ClusterError` if Ray is missing, or if a
    worker died at every attempt to run a task.
    """
    with ray_session(address) as ray:
        # Each task takes one processor. A task is repeated only if its worker or machine dies, not if the function
        # raises an exception.
        task = ray.remote(num_cpus=1, max_retries=retries)(_call)
        shared = ray.put(function)
        most = max(1, ahead or AHEAD * int(ray.cluster_resources().get("CPU", 1)))
        waiting: deque[tuple[int, Any]] = deque()
        try:
            for number in numbers:
                waiting.append((number, task.remote(shared, number)))
                if len(waiting) >= most:
                    yield _await_task_result(ray, *waiting.popleft(), retries)
            while waiting:
                yield _await_task_result(ray, *waiting.popleft(), retries)
        finally:
            for _number, unwanted in waiting:
                with contextlib.suppress(Exception):
                    ray.cancel(unwanted, force=True)


def _call(function: Callable[[int], R], number: int) -> R:
    """Call the function with the number. This is the body of every Ray task."""
    return function(number)


def _await_task_result(ray: Any, number: int, reference: Any, retries: int) -> Any:
    """Wait for a task of `map_on_cluster` and return its result.

    The task calls the mapped function with `number`. `reference` is Ray's reference to the result. `retries` is the
    number of times that Ray repeats a task whose worker dies. Both numbers are used only for the error text.

    Raise the exception that the function raised. Raise `ClusterError` if Ray reports any other error, such as the death
    of the worker at every attempt.
    """
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as problem:
        raise problem.cause from None
    except ray.exceptions.RayError as problem:
        told = _(
            "the worker for task {number} died {times} times: {problem}",
            number=number,
            times=retries + 1,
            problem=type(problem).__name__,
        )
        raise ClusterError(told) from None
