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
    """Hold Ctrl-C back, also from processes that are started meanwhile, until they have left it to this one."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
