"""Run the command many times, each time in a process of its own, without paying for the start each time.

A server process loads everything once; every run is a fork of it that has its own folder, environment,
streams, limits and fate: it may be killed, or interrupted, when it makes its n-th call. As moments are counted
in calls and not in seconds, and sets have one order, a run dies at the same place on every machine.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

MEMORY = 1_000_000_000
SECONDS = 20.0


@dataclass(frozen=True)
class Run:
    """What to run, where, and what happens to it.

    ``words`` are the command's arguments; ``closed`` the numbers of standard streams it does not get;
    ``memory`` and ``file_size`` limits in bytes, ``cpu`` and ``seconds`` on its own and on the wall clock; ``signal`` comes with the ``moment``-th call, or after
    ``after`` seconds; ``measure`` counts the calls.
    """

    words: list[str]
    folder: str
    environment: dict[str, str] = field(default_factory=dict)
    stdin: str = os.devnull
    closed: list[int] = field(default_factory=list)
    memory: int = MEMORY
    file_size: int = 0
    cpu: float = SECONDS
    seconds: float = 6 * SECONDS
    signal: int = 0
    moment: int = 0
    after: float = 0
    measure: bool = False


@dataclass(frozen=True)
class Ran:
    """What came of it: the exit status (negative: the signal that ended it) and what was printed.

    ``hung`` says that it took too long; ``cpu`` and ``seconds`` how long it took; ``calls`` is how many calls there were, ``writing`` the first and the
    last of them in the files' module; ``peak`` its memory in bytes.
    """

    status: int
    out: str
    err: str
    hung: bool
    cpu: float
    seconds: float
    peak: int
    calls: int = 0
    writing: tuple[int, int] = (0, 0)

    @property
    def lines(self) -> list[str]:
        """Return what was said on standard error."""
        return self.err.splitlines()


class Forks:
    """The server, from the outside: a context manager whose ``run`` does one run, ``together`` several at once."""

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.communicate()

    def _start(self) -> None:
        here = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PODGRAPH_CACHE_DIR": os.devnull, "PYTHONHASHSEED": "0"}
        self._server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=here, text=True
        )

    def run(self, *words: str, folder: Path, **more: Any) -> Ran:
        """Run the command with ``words`` in ``folder``."""
        return self.together(Run(list(words), str(folder), **more))[0]

    def together(self, *runs: Run) -> list[Ran]:
        """Do several runs at the same time."""
        if self._server.poll() is not None:  # whatever ended it: the next test is not to blame
            self._server.communicate()
            self._start()
        assert self._server.stdin
        assert self._server.stdout
        print(json.dumps([asdict(run) for run in runs]), file=self._server.stdin, flush=True)
        answer = self._server.stdout.readline()
        assert answer, f"the server ended with {self._server.wait()}"
        return [Ran(**ran) for ran in json.loads(answer)]


def serve() -> None:
    """Load what every build needs, then do what comes on standard input, line by line."""
    import gc

    from podgraph.output.cli import main

    with tempfile.TemporaryDirectory() as folder:
        for words in (["build", "sample", "-q", "-o", f"{folder}/g.json", "-o", f"{folder}/g.html"], ["stats"]):
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                main(words)
    gc.freeze()
    for line in sys.stdin:
        with tempfile.TemporaryDirectory() as folder:
            begun = [_begin(Run(**run), Path(folder), n) for n, run in enumerate(json.loads(line))]
            print(json.dumps([_end(*started) for started in begun]), flush=True)


def _begin(run: Run, folder: Path, number: int) -> tuple[Run, int, Path]:
    base = folder / str(number)
    pid = os.fork()
    if not pid:
        status = 99
        try:
            status = _child(run, base)
        finally:
            os._exit(status)
    return run, pid, base


def _end(run: Run, pid: int, base: Path) -> dict[str, Any]:
    begin = time.monotonic()
    hung = sent = False
    while True:
        done, code, used = os.wait4(pid, os.WNOHANG)
        if done:
            break
        passed = time.monotonic() - begin
        if passed > run.seconds:
            hung = True
            os.kill(pid, signal.SIGKILL)
        elif run.after and passed > run.after and not sent:
            sent = True
            os.kill(pid, run.signal)
        time.sleep(0.002)
    measured = Path(f"{base}.calls")
    return {
        "status": os.waitstatus_to_exitcode(code),
        "out": Path(f"{base}.out").read_text("utf-8"),
        "err": Path(f"{base}.err").read_text("utf-8"),
        "hung": hung or (code in {signal.SIGXCPU, signal.SIGKILL} and used.ru_utime > run.cpu - 1),
        "cpu": round(used.ru_utime + used.ru_stime, 3),
        "seconds": round(time.monotonic() - begin, 3),
        "peak": used.ru_maxrss * 1024,
        **(json.loads(measured.read_text()) if measured.exists() else {}),
    }


def _child(run: Run, base: Path) -> int:
    """Become what the run asks for; return the exit status as the interpreter would."""
    import resource

    names = (run.stdin, f"{base}.out", f"{base}.err")
    for number, name in enumerate(names):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
        opened = os.open(name, flags)
        os.dup2(opened, number)
        os.close(opened)
    for number in run.closed:
        os.close(number)
    streams = [None if n in run.closed else open(n, "w" if n else "r", closefd=False) for n in range(3)]  # noqa: SIM115
    sys.stdin, sys.stdout, sys.stderr = streams  # type: ignore[assignment]
    os.chdir(run.folder)
    os.environ.update(run.environment)
    if run.memory:
        resource.setrlimit(resource.RLIMIT_DATA, (run.memory, run.memory))
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(run.cpu), math.ceil(run.cpu)))
    if run.file_size:
        resource.setrlimit(resource.RLIMIT_FSIZE, (run.file_size, run.file_size))
    from podgraph.output.cli import main

    watch = _Watch(run)
    if run.measure or run.moment:
        sys.setprofile(watch)
    try:
        sys.argv = ["podgraph", *run.words]
        status = main()
    except SystemExit as leave:
        status = leave.code if isinstance(leave.code, int) else 1
    except BaseException:  # noqa: BLE001 - what the interpreter would do with it
        import traceback

        traceback.print_exc()
        status = 1
    sys.setprofile(None)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream:
                stream.flush()
        except (OSError, ValueError):
            status = 120  # what the interpreter says then
    if run.measure:
        Path(f"{base}.calls").write_text(json.dumps({"calls": watch.calls, "writing": (watch.first, watch.last)}))
    return status


class _Watch:
    """Counts calls, and sends the signal with the one that was named."""

    def __init__(self, run: Run) -> None:
        self.calls = self.first = self.last = 0
        self.moment, self.signal, self.measure = run.moment, run.signal, run.measure

    def __call__(self, frame: Any, _event: str, _argument: object) -> None:
        self.calls += 1
        if self.measure and frame.f_code.co_filename.endswith("output/files.py"):
            self.first = self.first or self.calls
            self.last = self.calls
        if self.calls == self.moment:
            sys.setprofile(None)
            signal.raise_signal(self.signal)


if __name__ == "__main__":
    serve()
