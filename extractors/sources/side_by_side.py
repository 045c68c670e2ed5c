"""Do slow things side by side, a few at once in all and fewer still for each party that serves them."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Task = TypeVar("Task")
Result = TypeVar("Result")


def side_by_side(  # noqa: C901 - one loop of a thread
    tasks: Sequence[Task],
    run: Callable[[Task], Result],
    *,
    party: Callable[[Task], str],
    each: int = 2,
    at_once: int = 8,
    done: Callable[[int, int], None] = lambda _finished, _total: None,
) -> list[Result]:
    """Return ``run(task)`` for every task, in the order of ``tasks``.

    At most ``at_once`` run at the same time, and at most ``each`` of one ``party``. ``done`` gets the numbers of
    finished and of all tasks, in the calling thread. The first exception of a task is raised here; tasks not begun are
    then given up. The threads are daemons: an interrupt ends the wait at once.

    >>> side_by_side([3, 1, 2], lambda n: n * n, party=str)
    [9, 1, 4]
    """
    queues: dict[str, deque[int]] = defaultdict(deque)
    for index, task in enumerate(tasks):
        queues[party(task)].append(index)
    # A place is a turn to work on the tasks of one party.
    places = deque([*queues.values()] * each)
    outcomes: SimpleQueue[tuple[int, Result] | BaseException] = SimpleQueue()

    def work() -> None:
        """Take one place after another, and run its party's tasks until none is left."""
        while places:
            try:
                queue = places.popleft()
            except IndexError:  # another thread took the last place first
                return
            while queue:
                try:
                    index = queue.popleft()
                except IndexError:  # another thread took the party's last task first
                    break
                try:
                    outcomes.put((index, run(tasks[index])))
                except BaseException as error:  # noqa: BLE001 - raised again in the calling thread
                    outcomes.put(error)

    for _ in range(min(at_once, len(places))):
        threading.Thread(target=work, daemon=True).start()
    results: dict[int, Result] = {}
    try:
        while len(results) < len(tasks):
            try:
                outcome = outcomes.get(timeout=0.5)  # on Windows an interrupt comes through between two waits
            except Empty:
                continue
            if isinstance(outcome, BaseException):
                raise outcome
            results[outcome[0]] = outcome[1]
            done(len(results), len(tasks))
    finally:
        places.clear()
        for queue in queues.values():
            queue.clear()
    return [results[index] for index in range(len(tasks))]
