# Keeps a process on as many cores as it has threads, whatever pools of threads its libraries have.
# SPDX-License-Identifier: BSD-3-Clause
import os


def use_cores(threads):
    if hasattr(os, 'sched_setaffinity'):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
