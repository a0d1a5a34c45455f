"""Work on a Ray cluster: in order, limited, quiet, and unchanged by a lost node; and one line if Ray is missing."""

from __future__ import annotations

import importlib
import itertools
import os
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from facedown.simulate import ray_cluster
from facedown.simulate.ray_cluster import ClusterError, map_on_cluster
from facedown.terminal.cli import run

ROOT = Path(__file__).resolve().parents[2]
ARENA = ["arena", "detect", "greedy", "random", "--rounds", "1", "--deals", "2", "--quiet"]

#: Starts a cluster of two nodes with one processor each, one of which can be removed.
TWO_NODES = """
    from ray.cluster_utils import Cluster

    # Without what no test needs: it takes Ray seconds to start it.
    lean = {"num_cpus": 1, "include_log_monitor": False}

    def two_nodes(tries=3):
        try:
            cluster = Cluster(
                initialize_head=True, head_node_args={**lean, "include_dashboard": False, "no_monitor": True}
            )
            return cluster, cluster.add_node(**lean)
        except Exception:  # On a busy machine Ray gives its own processes too little time.
            if tries > 1:
                return two_nodes(tries - 1)
            raise
"""
#: Everything that needs a cluster, in a process of its own: Ray leaves threads, sockets and signal handlers behind. One
#: of two nodes with one processor each is lost in the middle of a contest.
CLUSTER = (
    TWO_NODES
    + """
    import itertools, os
    from facedown.simulate.arena import hold_contest, result_rows
    from facedown.simulate.ray_cluster import ClusterError, ray_session, map_on_cluster
    from facedown.simulate.contest import Contest

    def square(number):
        print("noise of a worker")
        if number == 40:
            raise ValueError("forty is too many")
        return number * number

    def deadly(number):
        if number == 3:
            os._exit(1)
        return number

    given = []

    def endless():
        for number in itertools.count():
            given.append(number)
            yield number

    cluster, other = two_nodes()

    def figures(on):
        contest = Contest("detect", ("greedy", "random"), deals=24, stop=False, on=on)
        for standing in hold_contest(contest):
            if on == "ray" and standing.deals == 3:
                cluster.remove_node(other, allow_graceful=False)
        return [{name: row[name] for name in row if "ms" not in name} for row in result_rows(standing)]

    # It is attached once for all that follows.
    with ray_session(cluster.address):
        assert list(map_on_cluster(square, range(30))) == [number * number for number in range(30)]
        assert list(map_on_cluster(square, [])) == []
        assert list(itertools.islice(map_on_cluster(square, endless(), ahead=4), 5)) == [0, 1, 4, 9, 16]
        assert len(given) <= 9, given
        try:
            list(map_on_cluster(square, range(39, 45)))
        except ValueError as problem:
            assert str(problem) == "forty is too many", problem
        else:
            raise AssertionError("what a function raises is lost")
        try:
            list(map_on_cluster(deadly, range(5), retries=1))
        except ClusterError as problem:
            print(problem)
        assert figures("ray") == figures("here")
    cluster.shutdown()
    print("the same")
"""
)


def run_script(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}", **ray_cluster.QUIET}
    environment.pop("RAY_ADDRESS", None)
    command = [sys.executable, "-c", textwrap.dedent(text), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500)


@pytest.mark.alone
@pytest.mark.timeout(550)
def test_ray_cluster_returns_results_in_order_and_unchanged_if_a_node_is_lost() -> None:
    done = run_script(CLUSTER)
    assert done.returncode == 0, done.stdout + done.stderr
    # A worker that keeps dying gives one line. Ray itself prints nothing.
    assert done.stdout == "the worker for task 3 died 2 times: WorkerCrashedError\nthe same\n"


def test_missing_ray_library_gives_one_line_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ClusterError, match=r'Ray is not installed: pip install "facedown\[ray\]"'):
        list(map_on_cluster(abs, range(3)))
    monkeypatch.undo()
    monkeypatch.setattr(ray_cluster, "import_ray", lambda: (_ for _ in ()).throw(ClusterError("no Ray here")))
    assert run([*ARENA, "--on", "ray"]) == 1
    assert capsys.readouterr().err == "no Ray here\n"


@pytest.mark.slow
@pytest.mark.parametrize("address", ["127.0.0.1:{port}", "ray://127.0.0.1:{port}"])
def test_invalid_ray_address_or_one_without_a_server_gives_an_error_at_once(address: str) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        where = address.format(port=bound.getsockname()[1])
        with pytest.raises(ClusterError, match=f"cannot connect to Ray at {where}: Connection refused"):
            list(map_on_cluster(abs, itertools.count(), address=where))
    with pytest.raises(ClusterError, match="nowhere:port is not a valid Ray address: expected HOST:PORT"):
        list(map_on_cluster(abs, itertools.count(), address="nowhere:port"))
