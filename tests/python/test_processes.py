# Threads, forks, memory and calls of the Python objects. SPDX-License-Identifier: BSD-3-Clause
import concurrent.futures
import ctypes
import gc
import os
import resource
import signal
import sys
import time
import unittest.mock

import numpy as np

import enuf
from enuf import _ewald, _library
from systems import random_ions, rock_salt
from expect import expect, expect_true, run_laws

POSITIONS, CHARGES, CELL = random_ions(20)


def law_threads_share_objects_and_have_their_own():
    """As the workers of a loader of data do."""
    shared = enuf.Ewald(CELL, CHARGES)
    energy = shared.energy(POSITIONS)

    def work(seed):
        positions, charges, cell = random_ions(12, seed)
        mine = enuf.Ewald(cell, charges, threads=1).energy(positions)
        try:
            enuf.Ewald(cell, charges, accuracy=7.0)
        except enuf.BadArgument as error:
            text = str(error)
        return shared.energy(POSITIONS), mine, text

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(64)))
    expect('energies of the shared object', max(abs(f[0] - energy) for f in found), 1e-12)
    alone = [work(seed)[1] for seed in range(64)]
    expect('energies of own objects', max(abs(f[1] - a) for f, a in zip(found, alone)), 1e-12)
    expect_true('each thread has its own text', all('accuracy is 7' in f[2] for f in found))


def in_child(function):
    """What function() returns in the child of a fork, or its exception; 'hangs' after 20 s."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = str(function())
        except enuf.Error as error:
            text = f'{type(error).__name__}: {error}'
        os.write(writing, text.encode())
        os._exit(0)
    os.close(writing)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            with os.fdopen(reading) as file:
                return file.read()
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return 'hangs'


def law_a_fork_computes_on_one_thread_or_raises():
    parallel = enuf.Ewald(CELL, CHARGES, threads=2)
    single = enuf.Ewald(CELL, CHARGES, threads=1)
    energy = parallel.energy(POSITIONS)
    single.energy(POSITIONS)
    large = rock_salt(6)
    enuf.Ewald(large[2], large[1], threads=2).forces(large[0])  # the pool of threads is there

    def fresh():
        ewald = enuf.Ewald(CELL, CHARGES)
        assert ewald.report().threads in (0, 1)
        return ewald.energy(POSITIONS)

    expect('a new object', abs(float(in_child(fresh)) - energy), 1e-12)
    expect('a new large one', abs(float(in_child(lambda: enuf.ewald(*large).energy)) + 1.7475645946 * 1728 / 2), 1e-2)
    expect('an object with one thread', abs(float(in_child(lambda: single.energy(POSITIONS))) - energy), 1e-9)
    expect('exact sums', abs(float(in_child(lambda: enuf.exact_ewald(POSITIONS, CHARGES, CELL).energy)) - energy), 1e-4)
    for what, function in (('an object with two threads', lambda: parallel.energy(POSITIONS)),
                           ('a new object with two threads', lambda: enuf.Ewald(CELL, CHARGES, threads=2))):
        text = in_child(function)
        expect_true(f'{what}: {text}', text.startswith('ForkError') and 'threads=1' in text)
    expect('the parent goes on', abs(parallel.energy(POSITIONS) - energy), 1e-12)


def memory():
    """Resident bytes."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open('/proc/self/statm') as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def law_a_thousand_objects_leave_no_memory():
    def use(times):
        for _ in range(times):
            ewald = enuf.Ewald(CELL, CHARGES, accuracy=1e-2, evaluations=1, threads=1)  # quick to choose
            ewald.compute(POSITIONS, ('energy', 'forces', 'virial'))
            ewald.report()
            enuf.Plan(8, 1e-2, threads=1).set_points(CHARGES)
    use(100)
    before = memory()
    use(1000)
    expect('bytes left by an object', (memory() - before) / 1000, 500, '(an object holds 280,000)')


def law_a_call_is_one_of_c_on_the_callers_arrays():
    """What makes a call quick, without a clock: one call into the library, and no copy of the positions."""
    positions, charges, cell = rock_salt()
    ewald = enuf.Ewald(cell, charges, threads=1, accuracy=1e-2)
    forces = np.empty((8, 3))
    ewald.compute(positions, ('forces',), out={'forces': forces})
    calls = []

    class Counting:
        """The library, with its calls written down."""

        def __getattr__(self, name):
            function = getattr(_library.lib, name)

            def called(*arguments):
                calls.append((name, arguments))
                return function(*arguments)
            return called
    with unittest.mock.patch.object(_ewald, 'lib', Counting()):
        ewald.compute(positions, ('forces',), out={'forces': forces})
    expect_true('one call', [name for name, _ in calls] == ['enuf_ewald_compute'], [name for name, _ in calls])
    _, pointer, stride, _, result = calls[0][1]
    expect_true('of the positions in their place', pointer == positions.ctypes.data and stride == 3, pointer)
    expect_true('into the array given', result._obj.forces == forces.ctypes.data, result._obj.forces)


if sys.platform != 'linux':
    sys.exit(77)
run_laws(globals())
