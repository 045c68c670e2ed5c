"""Do slow things side by side, a few at once in all and fewer still for each party that serves them."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Seconds; where a wait cannot be interrupted (Windows), an interrupt comes through between two of them.
_BREATH = 0.5

Task = TypeVar("Task")
Result = TypeVar("Result")


def side_by_side(  # noqa: C901
    tasks: Sequence[Task],
    run: Callable[[Task], Result],
    *,
    party: Callable[[Task], str],
    each: int = 2,
    at_once: int = 8,
    done: Callable[[int, int], None] | None = None,
) -> list[Result]:
    """Return ``run(task)`` for every task, in the order of ``tasks``.

    At most ``at_once`` run at the same time, and at most ``each`` of one ``party``. ``done`` gets the numbers of
    finished and of all tasks, in the calling thread. The first exception of a task is raised here; tasks not begun are
    then given up. The threads are daemons: an interrupt ends the wait at once.

    >>> side_by_side([3, 1, 2], lambda n: n * n, party=str)
    [9, 1, 4]
    """
    places = _places([party(task) for task in tasks], each)
    finished: SimpleQueue[tuple[int, Result] | BaseException] = SimpleQueue()
    stopped = threading.Event()

    def work() -> None:
        """Take one place after another, and run its party's tasks until none is left."""
        while not stopped.is_set():
            try:
                queue = places.get_nowait()
            except Empty:
                return
            while queue and not stopped.is_set():
                try:
                    index = queue.popleft()
                except IndexError:  # another thread took the party's last task first
                    break
                try:
                    finished.put((index, run(tasks[index])))
                except BaseException as error:  # noqa: BLE001 - raised again in the calling thread
                    finished.put(error)

    for _ in range(min(at_once, places.qsize())):
        threading.Thread(target=work, daemon=True).start()
    results: dict[int, Result] = {}
    try:
        while len(results) < len(tasks):
            try:
                outcome = finished.get(timeout=_BREATH)
            except Empty:
                continue
            if isinstance(outcome, BaseException):
                raise outcome
            results[outcome[0]] = outcome[1]
            if done is not None:
                done(len(results), len(tasks))
    finally:
        stopped.set()
    return [results[index] for index in range(len(tasks))]


def _places(parties: list[str], each: int) -> SimpleQueue[deque[int]]:
    """Return the places where a thread can work: the tasks of a party, by index, ``each`` times at most.

    The first places of all parties come before the second ones.
    """
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for index, party in enumerate(parties):
        waiting[party].append(index)
    places = SimpleQueue[deque[int]]()
    for turn in range(each):
        for queue in waiting.values():
            if len(queue) > turn:
                places.put(queue)
    return places
