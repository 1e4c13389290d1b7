# Where the time of enuf.torch goes: microseconds of its parts, and of what PyTorch takes by itself.
#
#   torch_parts.py [--csv FILE] [--atoms 1000] [--device cpu] [--accuracy 5e-5]
#
# in_a_row: median of calls one after the other; after_others: median of calls that follow other work of PyTorch and a
# sum over 100 MB, as in a program that does more than this. A call of C is one through ctypes, with its record made
# beforehand. A Function without work has the outputs of enuf's own, and computes nothing: PyTorch's share. The loss is
# sum F^2, whose gradient is taken with respect to positions and charges. SPDX-License-Identifier: BSD-3-Clause
import argparse
import ctypes
import sys
import time

sys.dont_write_bytecode = True
import numpy as np
import torch

import enuf
import enuf.torch
from enuf import _derivatives, _library, _structs
from systems import salt
from table import Table

COLUMNS = 'atoms', 'part', 'in_a_row_us', 'after_others_us'


class WithoutWork(torch.autograd.Function):
    """As many results of the same shapes as enuf's operators have."""

    @staticmethod
    def forward(ctx, x, q, h):
        slope, potentials = torch.empty_like(x), torch.empty_like(q)
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x, q, h, slope, potentials)
        return x.new_full((), 1.0), slope, potentials

    @staticmethod
    def backward(ctx, gradient, of_slope, of_potentials):
        x, q, h, slope, potentials = ctx.saved_tensors
        if of_slope is not None:
            return torch.empty_like(x), torch.empty_like(q), None
        return gradient * slope, gradient * potentials, None


class Parts:
    def __init__(self, n, device, accuracy):
        system = salt(n)
        self.n = len(system.charges)
        self.options = {'accuracy': accuracy, 'threads': torch.get_num_threads()}
        self.x, self.q = (torch.tensor(a, device=device, requires_grad=True)
                          for a in (system.positions, system.charges))
        self.h = torch.tensor(system.cell)
        self.x0, self.q0, self.h0 = self.x.detach(), self.q.detach(), self.h.numpy()
        self.wait = torch.cuda.synchronize if device != 'cpu' else lambda: None
        self.ewald = enuf.Ewald(system.cell, system.charges, **self.options)
        self.forces, self.potentials, self.along = torch.empty_like(self.x0), torch.empty_like(self.q0), self.x0.sin()
        self.ewald.compute(self.x0)
        self.matrix = torch.randn(64, 64, device=device, requires_grad=True)
        self.memory = np.zeros(12_000_000)

    def others(self):
        y = self.matrix
        for _ in range(15):
            y = torch.tanh(y @ self.matrix)
        torch.autograd.grad(y.sum(), self.matrix)
        self.memory.sum()

    def of_c(self):
        address, x = self.ewald._objects.last._address, self.x0.data_ptr()
        arrays = {'forces': self.forces.data_ptr(), 'potential': self.potentials.data_ptr()}
        result = _structs.EwaldResult(ctypes.sizeof(_structs.EwaldResult), **arrays)
        slopes = _structs.EwaldSlopes(ctypes.sizeof(_structs.EwaldSlopes), **arrays)
        direction = _structs.EwaldDirection(ctypes.sizeof(_structs.EwaldDirection), self.along.data_ptr())
        lib, by = _library.lib, ctypes.byref
        return {'C: energy and forces': lambda: lib.enuf_ewald_compute(address, x, 3, 3, by(result)),
                'C: energy, forces, potentials': lambda: lib.enuf_ewald_compute(address, x, 3, 35, by(result)),
                'C: charges of the same place': lambda: lib.enuf_ewald_set_charges(
                    address, self.n, self.q0.data_ptr(), None),
                'C: product, forces and potentials': lambda: lib.enuf_ewald_differentiate(
                    address, x, 3, by(direction), 34, by(slopes))}

    def loss_of(self, energy):
        slope, = torch.autograd.grad(energy, self.x, create_graph=True)
        torch.autograd.grad(slope.square().sum(), (self.x, self.q))
        self.wait()

    def forces_of(self, energy):
        slope, = torch.autograd.grad(energy, self.x)
        energy.item()
        -slope
        self.wait()

    def of_python(self):
        key = _derivatives.key_of(self.options)

        def energy(q, **more):
            return enuf.torch.energy(self.x, q, self.h, **more, **self.options)

        def without_work(q):
            return WithoutWork.apply(self.x, q, self.h)[0]
        return {
            'Ewald.compute': lambda: self.ewald.compute(self.x0),
            'below operators: energy and forces': lambda: _derivatives.energy(key, self.x0, self.q0, self.h0, 1),
            'below operators: product': lambda: _derivatives.product(
                key, self.x0, self.q0, self.h0, self.along, None, None, 3),
            'enuf.torch.energy': lambda: energy(self.q0),
            'energy read, forces': lambda: self.forces_of(energy(self.q0)),
            'energy read, forces, on_host': lambda: self.forces_of(energy(self.q0, on_host=True)),
            'without work: energy read, forces': lambda: self.forces_of(without_work(self.q0)),
            'loss': lambda: self.loss_of(energy(self.q)),
            'loss, on_host': lambda: self.loss_of(energy(self.q, on_host=True)),
            'without work: loss': lambda: self.loss_of(without_work(self.q))}

    def microseconds(self, function, calls, before):
        times = []
        for _ in range(calls):
            before()
            self.wait()
            begin = time.perf_counter()
            function()
            times.append(time.perf_counter() - begin)
        return 1e6 * float(np.median(times))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--csv')
    parser.add_argument('--atoms', type=int, default=1000)
    parser.add_argument('--device', default='cpu', help='cpu or cuda')
    parser.add_argument('--accuracy', type=float, default=5e-5)
    o = parser.parse_args()
    parts = Parts(o.atoms, o.device, o.accuracy)
    table = Table(o.csv, COLUMNS, f'parts of calls of enuf.torch; {o.device}, {torch.get_num_threads()} thread(s), '
                  f'PyTorch {torch.__version__}; medians')
    for name, function in {**parts.of_c(), **parts.of_python()}.items():
        parts.microseconds(function, 5, parts.others)
        table.add(parts.n, name, f'{parts.microseconds(function, 150, lambda: None):.1f}',
                  f'{parts.microseconds(function, 40, parts.others):.1f}')


if __name__ == '__main__':
    main()
