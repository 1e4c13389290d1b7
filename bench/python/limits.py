# What a setting of a method may take. SPDX-License-Identifier: BSD-3-Clause
import contextlib
import math
import signal

LARGEST = 12e9  # bytes of one matrix of a peer while it is made


@contextlib.contextmanager
def at_most(seconds):
    """Raises TimeoutError in what takes longer; a call of a library ends first. inf: no limit."""
    if math.isinf(seconds):
        yield
        return

    passed = []

    def late(*_):
        passed.append(f'longer than {seconds:g} s')
        raise TimeoutError(passed[0])
    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except Exception:  # a package may make another of it
        if not passed:
            raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if passed:
        raise TimeoutError(passed[0])


def need(size):
    """Raises MemoryError if a matrix takes more bytes than LARGEST: some libraries end the process."""
    if size > LARGEST:
        raise MemoryError(f'a matrix of {1e-9 * size:.0f} GB')
