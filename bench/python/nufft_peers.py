# Transforms in Python against FINUFFT's Python package at equal delivered error, in one run.
#
#   nufft_peers.py [--csv FILE] [--modes "1000;32x32;..."] [--errors 1e-3,1e-6,1e-9] [--threads 1]
#                  [--device cpu]
#
# One point a mode, complex double, types 1 and 2 in both libraries' plans. Of the tolerances 10, 3, 1, 0.3 and 0.1 times
# the error asked for, the fastest serves whose relative l2 error is no larger, against enuf at 2e-11: below it the
# rounding of a million coordinates counts. total_ms: set points and transform; execute_ms: the same points again. Times
# are the least of turns that both take; ratio: finufft's total over enuf's, above 1 enuf is faster.
# --device cuda: enuf with tensors of PyTorch and cufinufft, in place of finufft.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import sys
import time

sys.dont_write_bytecode = True
import numpy as np

import enuf
from cores import use_cores
from table import Table

COLUMNS = ('modes', 'points', 'type', 'error_asked', 'enuf_tolerance', 'enuf_error', 'enuf_total_ms', 'enuf_execute_ms',
           'finufft_tolerance', 'finufft_error', 'finufft_total_ms', 'finufft_execute_ms', 'ratio', 'execute_ratio')
MODES = '1000;100000;1000000;32x32;316x316;1000x1000;10x10x10;46x46x46;100x100x100'
FACTORS = (10, 3, 1, 0.3, 0.1)


class Enuf:
    def __init__(self, modes, kind, tolerance, threads):
        self.plan = enuf.Plan(modes, tolerance, sign=1, type2_sign=-1, threads=threads)
        self.transform = self.plan.type1 if kind == 1 else self.plan.type2

    def set_points(self, *points):
        self.plan.set_points(*points)


class Finufft:
    def __init__(self, modes, kind, tolerance, threads):
        import finufft
        self.plan = finufft.Plan(kind, modes, eps=tolerance, isign=1 if kind == 1 else -1, nthreads=threads)
        self.set_points, self.transform = self.plan.setpts, self.plan.execute


class Cufinufft:
    def __init__(self, modes, kind, tolerance, threads):
        import cufinufft
        self.plan = cufinufft.Plan(kind, modes, eps=tolerance, isign=1 if kind == 1 else -1, dtype='complex128')
        self.set_points, self.transform = self.plan.setpts, self.plan.execute


class Problem:
    """Points and data of one transform, and what is right."""

    def __init__(self, modes, kind, device):
        random = np.random.default_rng(len(modes))
        self.n = int(np.prod(modes))
        shape = (self.n,) if kind == 1 else modes
        self.points = [random.uniform(-np.pi, np.pi, self.n) for _ in modes]
        self.data = random.normal(size=shape) + 1j * random.normal(size=shape)
        self.device = device
        if device != 'cpu':
            import torch
            self.points = [torch.tensor(x, device=device) for x in self.points]
            self.data = torch.tensor(self.data, device=device)
        exact = Enuf(modes, kind, 2e-11, 0)
        exact.set_points(*self.points)
        self.exact = self.on_host(exact.transform(self.data))

    def on_host(self, array):
        return array.cpu().numpy() if self.device != 'cpu' else array

    def error(self, found):
        return np.linalg.norm(self.on_host(found) - self.exact) / np.linalg.norm(self.exact)

    def times(self, plan):
        """Milliseconds of the points and of the transform; a GPU is waited for."""
        wait = self._wait()
        begin = time.perf_counter()
        plan.set_points(*self.points)
        wait()
        middle = time.perf_counter()
        plan.transform(self.data)
        wait()
        return 1e3 * (middle - begin), 1e3 * (time.perf_counter() - middle)

    def _wait(self):
        if self.device == 'cpu':
            return lambda: None
        import torch
        return torch.cuda.synchronize


def fastest(make, modes, kind, error, problem, threads):
    """(plan, tolerance, error) of the fastest plan that delivers the error, or None."""
    served = []
    for tolerance in (error * factor for factor in FACTORS):
        plan = make(modes, kind, tolerance, threads)
        plan.set_points(*problem.points)
        off = problem.error(plan.transform(problem.data))
        if off <= error:
            served.append((min(sum(problem.times(plan)) for _ in range(3)), plan, tolerance, off))
    return min(served, key=lambda entry: entry[0])[1:] if served else None


def in_turns(plans, problem, seconds):
    """Least set and execute times of each plan."""
    least, end, turns = [[np.inf, np.inf] for _ in plans], time.perf_counter() + seconds, 0
    while turns < 3 or time.perf_counter() < end and turns < 300:
        for k, plan in enumerate(plans):
            least[k] = [min(a, b) for a, b in zip(least[k], problem.times(plan))]
        turns += 1
    return least


def measure(modes, kind, errors, peer, o, table):
    problem = Problem(modes, kind, o.device)
    for error in errors:
        both = [fastest(make, modes, kind, error, problem, o.threads) for make in (Enuf, peer)]
        if None in both:
            table.note(f'{modes}, type {kind}: {error:g} is out of reach of {"enuf" if both[0] is None else "finufft"}')
            continue
        least = in_turns([plan for plan, _, _ in both], problem, o.seconds)
        row = ['x'.join(map(str, modes)), problem.n, kind, f'{error:g}']
        for (_, tolerance, off), (points, execute) in zip(both, least):
            row += [f'{tolerance:.3g}', f'{off:.2g}', f'{points + execute:.4g}', f'{execute:.4g}']
        table.add(*row, f'{sum(least[1]) / sum(least[0]):.3g}', f'{least[1][1] / least[0][1]:.3g}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--csv')
    parser.add_argument('--modes', default=MODES)
    parser.add_argument('--errors', default='1e-3,1e-6,1e-9')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--device', default='cpu', help='cpu or cuda')
    parser.add_argument('--seconds', type=float, default=1, help='of turns for each row')
    o = parser.parse_args()
    use_cores(o.threads)
    peer = Finufft if o.device == 'cpu' else Cufinufft
    try:
        module = __import__(peer.__name__.lower())
    except ImportError as missing:
        print(f'skipped: {missing}')
        sys.exit(77)
    table = Table(o.csv, COLUMNS, f'{peer.__name__.lower()} {module.__version__} from PyPI; {o.device}, {o.threads} '
                  'thread(s) on as many cores; least of turns')
    if o.device == 'cpu':
        table.note('not run: --device cuda')
    for modes in (tuple(map(int, text.split('x'))) for text in o.modes.split(';')):
        for kind in 1, 2:
            measure(modes, kind, list(map(float, o.errors.split(','))), peer, o, table)


if __name__ == '__main__':
    main()
