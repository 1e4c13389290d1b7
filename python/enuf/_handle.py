"""The address of a C object: who may use it, and when it is freed. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

import ctypes
import os
import threading
from typing import Any

from ._library import lib
from .errors import ForkError

_forks = 0  # of the processes between the first one and this one
_used_gpu = False


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=_count_fork)


def threads_here(threads: int | None) -> int | None:
    """The number of threads for a new object.

    Threads of OpenMP do not survive a fork, and waiting for them would hang: the child of a fork gets one thread.
    """
    if not _forks:
        return threads
    if threads is None or threads in (0, 1):
        return 1
    raise ForkError(f'threads={threads} in the child of a fork, where one thread works: use threads=1, or '
                    "start processes by multiprocessing.get_context('spawn')")


class Handle:
    """Holds a C object while ``with handle as address`` uses it; one thread at a time. Frees it at the end.

    The child of a fork may use an object of its parent only if it has one thread and no GPU.
    """
    __slots__ = ('_address', '_destroy', '_lock', '_born', '_single', '_gpu', '_keeps')

    def __init__(self, address: ctypes.c_void_p, destroy: str, threads: int, gpu: bool, keeps: Any = None):
        global _used_gpu
        self._address = address
        self._destroy = getattr(lib, destroy)
        self._lock = threading.Lock()
        self._born = _forks
        self._single = threads == 1
        self._gpu = gpu
        self._keeps = keeps  # what the object uses to its end: streams
        _used_gpu = _used_gpu or gpu

    def __enter__(self) -> ctypes.c_void_p:
        if self._born != _forks:
            self._after_fork()
        self._lock.acquire()
        return self._address

    def __exit__(self, *_) -> None:
        self._lock.release()

    def _after_fork(self) -> None:
        if self._gpu:
            raise ForkError('this object works on a GPU and was made before the fork: CUDA does not survive a '
                            "fork; start processes by multiprocessing.get_context('spawn')")
        if not self._single:
            raise ForkError('this object was made before the fork and has threads, which the child lacks: make '
                            'it in the child, or with threads=1')
        if self._lock.locked():
            raise ForkError('this object was at work in the parent during the fork: make it in the child')

    def __del__(self) -> None:
        # the copy in the child of a fork goes with the process
        if getattr(self, '_address', None) and self._born == _forks:
            self._destroy(ctypes.byref(self._address))


def refuse_gpu_after_fork() -> None:
    """Raises in the child of a process that has used the GPU."""
    if _forks and _used_gpu:
        raise ForkError('the parent of this process has used the GPU, and CUDA does not survive a fork: start '
                        "processes by multiprocessing.get_context('spawn')")
