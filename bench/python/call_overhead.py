# Measures what a call from Python adds to that of C: microseconds, with arrays of NumPy in and out.
#
#   call_overhead.py [--csv FILE] [--atoms 8,1000] [--turns 60] [--calls 50]
#
# The call of C is the same function of the library through ctypes, with its record made beforehand. Both take turns;
# each figure is the least of all turns, since others use the machine too. The aim is 20 microseconds or less. Where
# PyTorch is, enuf.torch is measured beside them: energy, with forces by autograd, and the gradient of a loss of forces,
# sum F^2. The last row is what PyTorch takes for the gradient of sum x^2 instead.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import ctypes
import importlib.util
import sys
import time

sys.dont_write_bytecode = True
import numpy as np

import enuf
from enuf import _library, _structs
from table import Table

COLUMNS = ('atoms', 'call', 'c_us', 'python_us', 'added_us')


def salt(n):
    """n ions of rock salt, or somewhat more."""
    edge = 2 * max(1, round((n / 8)**(1 / 3)))
    places = np.ascontiguousarray(np.indices((edge, edge, edge)).reshape(3, -1).T, float)
    return places, (-1.0)**places.sum(axis=1), float(edge)


def microseconds(functions, turns, calls):
    """Of each function, the least of some turns."""
    least = [np.inf] * len(functions)
    for _ in range(turns):
        for k, function in enumerate(functions):
            begin = time.perf_counter()
            for _ in range(calls):
                function()
            least[k] = min(least[k], 1e6 * (time.perf_counter() - begin) / calls)
    return least


def with_torch(positions, charges, cell):
    """{call: function} of enuf.torch and PyTorch."""
    import torch
    import enuf.torch
    torch.set_num_threads(1)
    x, q, h = torch.tensor(positions), torch.tensor(charges), cell * torch.eye(3, dtype=torch.float64)
    y = x.clone().requires_grad_()

    def energy(x):
        return enuf.torch.energy(x, q, h, threads=1, accuracy=1e-2)

    def loss():
        slope, = torch.autograd.grad(energy(y), y, create_graph=True)
        return torch.autograd.grad(slope.square().sum(), y)
    return {'torch.energy': lambda: energy(x), 'torch.energy and forces': lambda: torch.autograd.grad(energy(y), y),
            'torch loss of forces': loss, 'torch sum x^2': lambda: torch.autograd.grad(y.square().sum(), y)}


def measure(n, turns, calls):
    positions, charges, cell = salt(n)
    ewald = enuf.Ewald(cell, charges, threads=1, accuracy=1e-2)
    forces = np.empty_like(positions)
    ewald.forces(positions)
    record = _structs.EwaldResult(struct_size=ctypes.sizeof(_structs.EwaldResult), forces=forces.ctypes.data)
    pointer, address = positions.ctypes.data, ewald._objects.last._address

    def in_c():
        _library.lib.enuf_ewald_compute(address, pointer, 3, 3, ctypes.byref(record))
    in_python = {'compute(positions)': lambda: ewald.compute(positions),
                 'compute(positions, out=...)': lambda: ewald.compute(positions, out={'forces': forces})}
    if importlib.util.find_spec('torch'):
        in_python.update(with_torch(positions, charges, cell))
    c, *python = microseconds([in_c, *in_python.values()], turns, calls)
    for name, time_of in zip(in_python, python):
        yield len(charges), name, f'{c:.2f}', f'{time_of:.2f}', f'{time_of - c:.2f}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--csv')
    parser.add_argument('--atoms', default='8,1000')
    parser.add_argument('--turns', type=int, default=60)
    parser.add_argument('--calls', type=int, default=50)
    o = parser.parse_args()
    table = Table(o.csv, COLUMNS, 'Python call beyond the call of C; one thread; microseconds, least of interleaved '
                  f'turns: {o.turns} of {o.calls} calls')
    for n in map(int, o.atoms.split(',')):
        for row in measure(n, o.turns, o.calls):
            table.add(*row)


if __name__ == '__main__':
    main()
