"""Feeds shared by the workers of a Dask cluster make the graph that one process makes; where workers die, too."""

import asyncio
import errno
import gc
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from subprocess import PIPE

import pytest

from podgraph.extractors import PodgraphError
from podgraph.output import pipeline
from podgraph.output.large import cluster
from podgraph.output.large.cluster import on_cluster
from podgraph.output.parser import parser

from .running import run
from .shows import built, write_shows

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # Dask leaves some connections to the system


@pytest.fixture(autouse=True)
def _none_left_for_the_next_test():
    yield
    gc.collect()


def work(number, folder, deaths):
    """Double a number; the first ``deaths`` times it is asked to, end the process as the system does."""
    for death in range(deaths):
        try:
            Path(folder, f"{number}-{death}").touch(exist_ok=False)
        except FileExistsError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def hears_interrupts(_):
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.fixture
def interruptible():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts behind it ignores Ctrl-C
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder of temporary files, empty."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def remote():
    """A cluster that is not ours, with one worker, which is a thread."""
    distributed = pytest.importorskip("distributed", reason="the extra dask")
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    ) as there:
        yield there


def scaled(there, count):
    """Have a cluster of so many workers, no sooner than it has."""

    async def all_there():
        await there

    there.scale(count)
    there.sync(all_there)


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


def test_a_feed_that_kills_each_worker_ends_the_build_with_a_line(tmp_path, temporary, monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask")
    monkeypatch.setattr(cluster, "_DEATHS", 0)
    line = r"^--scheduler local: lost its workers, finished parts stay \(.*\); give them more memory, or build with --jobs$"
    with pytest.raises(PodgraphError, match=line), on_cluster("local", 1) as share:
        [*share(work, [[1], [str(tmp_path)], [9]])]
    assert not [*temporary.iterdir()]


def test_without_workers_it_is_told_and_then_over(remote, monkeypatch):
    for name, value in (("_LOOK", 0.01), ("_TOLD", 2), ("_GIVEN_UP", 5)):
        monkeypatch.setattr(cluster, name, value)
    told = []
    line = f"--scheduler {remote.scheduler_address}: lost its workers, finished parts stay (none for 0.05 s); "
    with pytest.raises(PodgraphError) as caught, on_cluster(remote.scheduler_address, notify=told.append) as share:
        scaled(remote, 0)
        [*share(abs, [[-1]])]
    assert str(caught.value).startswith(line)
    assert told == [f"--scheduler {remote.scheduler_address}: has no worker; waiting for one, 0.03 s more"]


ELSEWHERE = """
import distributed
with distributed.LocalCluster(
    n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address="127.0.0.1:0"
) as there:
    print(there.scheduler_address, flush=True)
    input()
"""


ASKING = """
import os, sys
from podgraph.extractors import PodgraphError
from podgraph.output.large.cluster import on_cluster
try:
    with on_cluster(sys.argv[1]) as share:
        [*share(os._exit, [[1]])]  # the process of both, the worker and the scheduler
except PodgraphError as error:
    print(error)
"""


def test_a_scheduler_that_ends_ends_the_build_with_a_line():
    pytest.importorskip("distributed", reason="the extra dask")
    with subprocess.Popen([sys.executable, "-c", ELSEWHERE], stdin=PIPE, stdout=PIPE, text=True) as there:
        address = there.stdout.readline().strip()
        asked = subprocess.run([sys.executable, "-c", ASKING, address], capture_output=True, text=True, check=True)
    assert asked.stdout.startswith(f"--scheduler {address}: is gone, finished parts stay (")
    assert asked.stdout.endswith("; start it again, or build with --jobs\n")
    assert asked.stderr == ""


def test_a_worker_that_comes_in_time_does_the_work(remote, monkeypatch):
    for name, value in (("_LOOK", 0.01), ("_TOLD", 2), ("_GIVEN_UP", 1 << 30)):
        monkeypatch.setattr(cluster, name, value)
    with on_cluster(remote.scheduler_address, notify=lambda _: scaled(remote, 1)) as share:
        scaled(remote, 0)
        assert [*share(pow, [range(-9, 0)], 2)] == [number**2 for number in range(-9, 0)]


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signals of POSIX")
def test_an_interrupt_is_heard_by_the_one_who_asks_alone(workers):
    assert [*workers(hears_interrupts, [range(3)])] == [False] * 3
    assert hears_interrupts(None)
    done = []
    with pytest.raises(KeyboardInterrupt), cluster._interrupts_held():
        signal.raise_signal(signal.SIGINT)
        done.append("what was begun")
    assert done


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signals of POSIX")
def test_a_second_interrupt_waits_until_all_is_closed():
    closed = []
    with pytest.raises(KeyboardInterrupt), cluster._closed_whole() as stack:
        stack.callback(lambda: (signal.raise_signal(signal.SIGINT), closed.append("what was begun")))
        raise KeyboardInterrupt
    assert closed


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals of POSIX")
def test_an_interrupt_as_workers_start_leaves_nothing(temporary, monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask")
    start, before = cluster._start, {*multiprocessing.active_children()}

    async def interrupted(*what):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        await start(*what)

    monkeypatch.setattr(cluster, "_start", interrupted)
    with pytest.raises(KeyboardInterrupt), on_cluster("local", 1):
        pass
    assert not [*temporary.iterdir()]
    assert {*multiprocessing.active_children()} == before


def test_workers_that_cannot_start_are_one_line(monkeypatch):
    distributed = pytest.importorskip("distributed", reason="the extra dask")

    async def full(self):
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(distributed.Nanny, "start_unsafe", full)
    with pytest.raises(PodgraphError, match=r"^--scheduler local: cannot be used \(") as caught, on_cluster("local", 1):
        pass
    assert "workers arrived" not in str(caught.value)  # which takes half a minute


@pytest.mark.parametrize(("said", "line"), [
    (b"", "no answer in 0.1 s"),
    (b"SSH-2.0-OpenSSH_9.2p1\r\n", "what answers there is no Dask scheduler"),
    (bytes(4000), "what answers there is no Dask scheduler"),
])  # fmt: skip
def test_a_port_that_is_no_scheduler_is_one_line(said, line, monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask")
    monkeypatch.setattr(cluster, "_PATIENCE", 0.1 if not said else 30)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        held = []

        def answer():
            connection, _ = server.accept()
            held.append(connection)
            connection.sendall(said)

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(PodgraphError) as caught, on_cluster(address):
            pass
        for connection in held:
            connection.close()
    assert str(caught.value).startswith(f"--scheduler {address}: cannot be used ({line}); are it")


@pytest.mark.parametrize(("there", "line"), [
    ("podgraph 0.0.1 on Python 3.11", "tcp://a:1 has podgraph 0.0.1 on Python 3.11; install {} there"),
    (ModuleNotFoundError("podgraph"), "tcp://a:1 has no podgraph; install {} there"),
])  # fmt: skip
def test_another_podgraph_there_is_one_line(there, line):
    class Client:
        def run(self, work, **_):
            return {"tcp://b:1": work(), "tcp://a:1": there}

    with pytest.raises(PodgraphError) as caught:
        cluster._check_versions(Client(), "--scheduler tcp://s:1")
    assert str(caught.value) == f"--scheduler tcp://s:1: {line.format(cluster.version())}"


async def never():
    await asyncio.Event().wait()


def test_a_worker_that_does_not_say_what_it_has_is_not_waited_for(remote, monkeypatch):
    from distributed import Client

    monkeypatch.setattr(cluster, "version", never)
    monkeypatch.setattr(cluster, "_PATIENCE", 0.01)
    with Client(remote.scheduler_address) as client, pytest.raises(TimeoutError):
        cluster._check_versions(client, "--scheduler tcp://s:1")


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


def test_no_cluster_is_one_line(monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask")
    monkeypatch.setattr(cluster, "_PATIENCE", 1)
    with pytest.raises(PodgraphError) as caught, on_cluster("tcp://127.0.0.1:1"):
        pass
    assert str(caught.value).startswith("--scheduler tcp://127.0.0.1:1: cannot be used (")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["local", "tcp://host:8786", "tls://10.0.0.1:1", "tcp://[::1]:8786", "wss://a.b:80"]
)
def test_what_is_the_address_of_a_scheduler(address):
    assert parser(["build"]).parse_args(["build", "--scheduler", address]).scheduler == address


@pytest.mark.parametrize("words", [
    *(["--scheduler", address] for address in ("", "nonsense", "tcp://", "tcp://host", "tcp://host:", "tcp://:8786",
      "tcp://host:x", "tcp://host:8786/", "http://host:8786", "LOCAL", "local "))  ,
    ["--jobs", "257"], ["--jobs", "999999"], ["--jobs", "-1"],
])  # fmt: skip
def test_who_shares_the_work_is_looked_at_first(words, capsys):
    status, out, err = run(capsys, "build", "sample", *words)
    (line,) = err.splitlines()
    assert (status, out) == (2, "")
    wrong = "is no scheduler" if words[0] == "--scheduler" else "for --jobs"
    assert line.startswith("podgraph build: ")
    assert f"{words[1]!r} {wrong}" in line


def test_a_full_disk_is_one_line(tmp_path, monkeypatch):
    """Where workers cannot have a folder for what they put on disk, nothing is begun."""
    pytest.importorskip("distributed", reason="the extra dask")

    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cluster, "TemporaryDirectory", full)
    with (
        pytest.raises(PodgraphError, match=r"^--scheduler local: cannot be used \(.*No space left on device\)"),
        cluster.sharing(1, "local"),
    ):
        pass


def test_without_the_extra_a_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(PodgraphError, match=r"^--scheduler: needs distributed; pip install 'podgraph\[dask\]'$"),
        on_cluster("local"),
    ):
        pass


def test_packages_rules_stay_at_home(monkeypatch):
    monkeypatch.setattr(cluster, "plugins_installed", lambda: True)
    with pytest.raises(PodgraphError, match=r"--no-plugins"), cluster.sharing(1, "local"):
        pass
