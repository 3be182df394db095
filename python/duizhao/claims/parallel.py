"""Calls in other processes that leave no process behind.

* `in_parallel`: the results of many calls, in order.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def in_parallel(
    function: Callable[[Job], Result], jobs: Sequence[Job], count: int, prepare: Callable[[], None]
) -> Iterator[Result]:
    """Yield `function` of each job, in order, from `count` new processes, in each of which `prepare` is called first.

    Where the caller is interrupted or stops asking, the processes are ended at once, whatever they are at; where it is
    killed, they end by themselves.
    """
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_prepare, initargs=(prepare,))
    try:
        with _no_interrupt():
            futures = [pool.submit(function, job) for job in jobs]
        for future in futures:
            yield future.result()
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        pool.shutdown(wait=False)
        raise
    pool.shutdown()


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Hold Ctrl-C and a signal to end back while processes are started: half of what one needs would be no start.

    Ctrl-C is also kept from the processes themselves, until they have left it to this one. Another thread may be given
    the signal, so that blocking it here is not enough: what is called for it waits too.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = {
        number: signal.signal(number, lambda given, _frame: held.append(given))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    blocked = (
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        if hasattr(signal, "pthread_sigmask")
        else None
    )
    try:
        yield
    finally:
        if blocked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for waiting in held:
            signal.raise_signal(waiting)


def _prepare(prepare: Callable[[], None]) -> None:
    """Leave Ctrl-C to the process that asked, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    prepare()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
