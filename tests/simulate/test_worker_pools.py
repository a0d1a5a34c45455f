"""Worker pools: threads, processes and a cluster give the same findings, and lost chunks are played again."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from facedown.simulate import ray_cluster, worker_pool
from facedown.simulate.deal_measurements import sums_of
from facedown.simulate.experiment import ChunkResult, Run, WorkerDied, simulate
from facedown.simulate.experiment_chunks import play_chunk
from facedown.simulate.experiment_setup import Setup
from facedown.simulate.findings import Findings
from facedown.simulate.ray_cluster import ClusterError
from tests.simulate.bots import Deadly
from tests.simulate.test_ray_cluster import TWO_NODES, run_script

SETUP = Setup("detect", ("beginner", "greedy"), 3, deals=60, rounds=1, repeats=2, seed="running", size=7)


def ran(setup: Setup, jobs: int) -> Findings:
    run = Run(setup, jobs=jobs)
    seen = [run.deals_played for _ in run]
    assert seen == [min(setup.deals, (chunk + 1) * setup.chunk_size) for chunk in range(setup.chunk_count)]
    return run.findings


def test_results_of_an_experiment_do_not_depend_on_the_number_of_threads() -> None:
    alone, together = ran(SETUP, 1), ran(SETUP, 3)
    assert alone == together
    assert alone.deals == 60
    # To the last bit.
    assert alone.a.figures[0].value.high.hex() == together.a.figures[0].value.high.hex()


def test_statistics_are_computed_in_less_than_a_fifth_of_the_time_of_playing_the_rounds() -> None:
    """Compares both for the rows of five thousand rounds."""
    setup = Setup("detect", ("greedy",), deals=5000, rounds=1, seed="time")
    columns = play_chunk(setup, 0)
    sums_of(setup, columns)

    def seconds(work: Callable[[], object]) -> float:
        started = time.process_time()
        work()
        return time.process_time() - started

    playing = min(seconds(lambda: play_chunk(setup, 0)) for _ in range(3))
    measuring = min(seconds(lambda: sums_of(setup, columns)) for _ in range(3))
    print(f"{1e6 * playing / 5000:.1f} µs a round to play, {1e6 * measuring / 5000:.1f} to measure")
    assert measuring < 0.2 * playing


def test_experiment_stopped_after_a_chunk_of_deals_can_be_continued_with_the_same_results() -> None:
    run = Run(SETUP, jobs=2)
    for _ in run:
        break
    assert run.findings.running
    assert (run.findings.deals, run.findings.asked) == (7, 60)
    again = [run.deals_played for _ in run]
    assert again[-1] == 60
    assert run.findings == ran(SETUP, 1)


@pytest.mark.slow
def test_dead_worker_process_is_replaced_without_changing_the_results_of_an_experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaths = tmp_path / "deaths"
    monkeypatch.setenv("FACEDOWN_TEST_DEATHS", str(deaths))
    setup = Setup("detect", ("mine",), deals=6, rounds=1, seed="dying", size=1, makers={"mine": Deadly})
    alone = ran(setup, 1)
    deaths.write_text(f"{os.getpid()}\ndies")
    assert ran(setup, 2) == alone
    assert deaths.read_text() == str(os.getpid())
    deaths.write_text("\n".join([str(os.getpid()), *["dies"] * 50]))
    monkeypatch.setattr(worker_pool, "TRIES", 1)
    with pytest.raises(WorkerDied, match="the process playing deals 0 to 0 died again, even when it ran alone"):
        ran(setup, 2)


#: In a process of its own: Ray leaves threads, sockets and signal handlers behind. One of two nodes with one processor
#: each is lost in the middle of an experiment.
CLUSTER = (
    TWO_NODES
    + """
    import ray, sys
    from pathlib import Path
    from facedown.simulate.experiment import Run
    from facedown.simulate.experiment_setup import Setup

    setup = Setup("detect", ("beginner", "greedy"), 3, deals=3000, rounds=1, repeats=2, seed="running", size=60)
    alone = Run(setup, jobs=1)
    for _ in alone:
        pass
    nodes, other = two_nodes()
    nodes.connect(namespace="tests")
    away = Run(setup, Path(sys.argv[1]), on="ray")
    for done in away:
        if done.chunk == 5:
            nodes.remove_node(other, allow_graceful=False)
    assert away.findings == alone.findings
    # Some are there: they are read, the others are played.
    for chunk in (3, 49):
        (Path(sys.argv[1]) / f"part-{chunk:06d}.parquet").unlink()
    for done in away:
        pass
    assert away.findings == alone.findings
    ray.shutdown()
    nodes.shutdown()
    print("the same")
"""
)


@pytest.mark.alone
@pytest.mark.timeout(550)
def test_loss_of_a_ray_cluster_node_does_not_change_the_results_of_an_experiment(tmp_path: Path) -> None:
    done = run_script(CLUSTER, str(tmp_path / "out"))
    assert (done.returncode, done.stdout) == (0, "the same\n"), done.stdout + done.stderr
    assert len(list((tmp_path / "out").glob("part-*.parquet"))) == 50


def test_results_from_a_ray_cluster_are_stored_locally_and_only_missing_chunks_are_requested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers share no disk with this machine and write nothing."""
    asked: list[int] = []

    def mapped(work: Callable[[int], ChunkResult], numbers: list[int], *, address: str | None) -> Iterator[ChunkResult]:
        assert address == "10.0.0.7:6379"
        sent = pickle.dumps(work)
        for number in numbers:
            asked.append(number)
            before = sorted(tmp_path.rglob("*"))
            done = pickle.loads(sent)(number)
            assert sorted(tmp_path.rglob("*")) == before
            yield pickle.loads(pickle.dumps(done))

    monkeypatch.setattr(ray_cluster, "map_on_cluster", mapped)
    monkeypatch.setattr(ray_cluster, "import_ray", lambda: None)
    alone = ran(SETUP, 1)
    away = Run(SETUP, tmp_path / "out", on="ray", address="10.0.0.7:6379")
    assert [done.columns for done in away] == [None] * SETUP.chunk_count
    assert away.findings == alone
    assert asked == list(range(SETUP.chunk_count))
    asked.clear()
    for chunk in (0, 5):
        (tmp_path / "out" / f"part-{chunk:06d}.parquet").unlink()
    assert [done.chunk for done in away] == list(range(SETUP.chunk_count))
    assert asked == [0, 5]
    assert away.findings == alone
    assert len(list((tmp_path / "out").glob("part-*.parquet"))) == SETUP.chunk_count


def test_experiment_on_a_cluster_without_ray_installed_creates_no_output_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise ClusterError("Ray is not installed")

    monkeypatch.setattr(ray_cluster, "import_ray", missing)
    with pytest.raises(ClusterError, match="Ray is not installed"):
        simulate("detect", ["greedy"], deals=5, on="ray", out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
