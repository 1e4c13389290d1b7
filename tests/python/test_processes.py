# Threads, forks, memory and calls of the Python objects. SPDX-License-Identifier: BSD-3-Clause
import concurrent.futures
import ctypes
import gc
import os
import resource
import signal
import sys
import time
import tracemalloc

import numpy as np

import enuf
from enuf import _derivatives, _library
from enuf._functions import FUNCTIONS
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
    """What function() returns in the child of a fork, or its exception; 'hangs' after a minute."""
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
    end = time.monotonic() + 60
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


def calls_of(function):
    """Names of the library's functions that function() calls."""
    names, kept = [], {name: getattr(_library.lib, name) for name in FUNCTIONS}

    def counting(name):
        def call(*arguments):
            names.append(name)
            return kept[name](*arguments)
        return call
    for name in FUNCTIONS:
        setattr(_library.lib, name, counting(name))
    try:
        function()
    finally:
        for name in FUNCTIONS:
            setattr(_library.lib, name, kept[name])
    return names


def most_bytes(function):
    """Bytes of Python's and NumPy's objects that function() holds at once."""
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    function()
    most = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    return most


def law_a_repeated_call_is_one_of_c_and_copies_nothing():
    """So that it adds some microseconds only, which bench/python/call_overhead.py measures."""
    positions, charges, cell = rock_salt(5)
    few, array = 10000, positions.nbytes  # records and texts take 5000 or so
    ewald, forces = enuf.Ewald(cell, charges, threads=1, accuracy=1e-2), np.empty_like(positions)
    plan, strengths = enuf.Plan((8, 8, 8), 1e-2, threads=1), charges + 0j
    plan.set_points(*np.ascontiguousarray(positions.T))
    modes = np.empty((8, 8, 8), complex)
    for what, function, name, results in (
            ('compute', lambda: ewald.compute(positions), 'enuf_ewald_compute', array),
            ('compute with out', lambda: ewald.compute(positions, out={'forces': forces}), 'enuf_ewald_compute', 0),
            ('rows apart', lambda: ewald.compute(wide[:, :3], out={'forces': forces}), 'enuf_ewald_compute', 0),
            ('type 1', lambda: plan.type1(strengths, out=modes), 'enuf_nufft_type1', 0),
            ('gradients', lambda: _derivatives.potential('accuracy=0.01', positions, charges, cell),
             'enuf_ewald_compute', charges.nbytes + len(charges))):  # and whether each charge is as before
        wide = np.hstack([positions, positions])
        function()
        expect_true(f'{what}: calls', calls_of(function) == [name], calls_of(function))
        expect(f'{what}: bytes beyond results', most_bytes(function) - results, few, f'(an input has {array})')


if sys.platform != 'linux':
    sys.exit(77)
run_laws(globals())
