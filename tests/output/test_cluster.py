"""Feeds shared by the workers of a Dask cluster make the graph that one process makes; where workers die, too."""

import errno
import os
import signal
import sys
from pathlib import Path

import pytest

from podgraph.extractors import PodgraphError
from podgraph.output import cluster, pipeline
from podgraph.output.cluster import on_cluster

from .shows import built, write_shows


def work(number, folder, deaths):
    """Double a number; the first ``deaths`` times it is asked to, end the process as the system does."""
    for death in range(deaths):
        try:
            Path(folder, f"{number}-{death}").touch(exist_ok=False)
        except FileExistsError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


@pytest.fixture(scope="module")
def workers():
    pytest.importorskip("distributed", reason="the extra dask")
    with on_cluster("local", 2) as share:
        yield share


def test_ten_dead_workers_change_nothing(workers, tmp_path):
    deaths = [number % 3 != 1 for number in range(15)]
    assert [*workers(work, [range(15), [str(tmp_path)] * 15, deaths])] == [*range(0, 30, 2)]
    assert len([*tmp_path.iterdir()]) == 10


def test_what_is_raised_there_is_raised_here(workers):
    with pytest.raises(ValueError, match="invalid literal"):
        [*workers(int, [["1", "x", "3"]])]


def test_the_same_graph_by_one_process_by_several_by_a_cluster(workers, tmp_path, monkeypatch):
    sources = ["sample", write_shows(tmp_path)]
    _, alone = built(sources, jobs=1)
    assert "has no items" in alone[1][0]
    assert built(sources, jobs=3)[1] == alone
    monkeypatch.setattr(pipeline, "in_processes", workers)
    assert built(sources, jobs=1)[1] == alone


def test_a_feed_that_kills_each_worker_ends_the_build_with_a_line(tmp_path, monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask")
    monkeypatch.setattr(cluster, "_DEATHS", 0)
    line = (
        r"^--scheduler local: lost its workers, nothing is written \(.*\); give them more memory, or build with --jobs$"
    )
    with pytest.raises(PodgraphError, match=line), on_cluster("local", 1) as share:
        [*share(work, [[1], [str(tmp_path)], [9]])]


def test_a_worker_that_dies_as_it_starts_is_begun_again(monkeypatch):
    """Dask gives it up while its process is not yet said to run; the work then waited for ever."""
    dask = pytest.importorskip("dask", reason="the extra dask")
    distributed = pytest.importorskip("distributed", reason="the extra dask")
    clusters = []

    class Kept(distributed.LocalCluster):
        def __init__(self, *args, **how):
            super().__init__(*args, **how)
            clusters.append(self)

    monkeypatch.setattr(distributed, "LocalCluster", Kept)
    with dask.config.set({"distributed.deploy.lost-worker-timeout": "1s"}), on_cluster("local", 1) as share:
        (nanny,) = clusters[0].workers.values()
        nanny.status = distributed.core.Status.starting
        os.kill(nanny.pid, signal.SIGKILL)
        assert [*share(abs, [[-1]])] == [1]


@pytest.mark.parametrize(("address", "line"), [
    ("nonsense", "is no scheduler; say local, or its address: tcp://HOST:8786"),
    ("tcp://127.0.0.1:1", "cannot be used"),
])  # fmt: skip
def test_no_cluster_is_one_line(address, line, monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask")
    monkeypatch.setattr(cluster, "_PATIENCE", 1)
    with pytest.raises(PodgraphError) as caught, on_cluster(address):
        pass
    assert str(caught.value).startswith(f"--scheduler {address}: {line}")
    assert "\n" not in str(caught.value)


def test_a_full_disk_is_one_line(tmp_path, monkeypatch):
    """Where workers cannot have a folder for what they put on disk, nothing is begun."""
    pytest.importorskip("distributed", reason="the extra dask")

    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cluster, "TemporaryDirectory", full)
    with pytest.raises(PodgraphError, match=r"^--scheduler local: cannot be used \(.*No space left on device\)"):
        pipeline.build(["sample"], scheduler="local")


def test_without_the_extra_a_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(PodgraphError, match=r"^--scheduler: needs distributed; pip install 'podgraph\[dask\]'$"),
        on_cluster("local"),
    ):
        pass


def test_packages_rules_stay_at_home(monkeypatch):
    monkeypatch.setattr(pipeline, "plugins_installed", lambda: True)
    with pytest.raises(PodgraphError, match=r"--no-plugins"):
        pipeline.build(["sample"], scheduler="local")
