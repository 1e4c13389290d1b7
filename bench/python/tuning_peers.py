# Transforms of the same samples many times: enuf's levels of precomputation and its Gram operator against the sparse
# matrices, tables and Toeplitz operators of peers, at equal delivered error, in one run.
#
#   tuning_peers.py [--csv FILE] [--sides 62] [--dims 2,3] [--patterns radial,random] [--reductions 1,4] [--threads 1]
#                   [--errors 1e-2,1e-3] [--device cpu]
#
# Complex float. A round is A^H A of an image: type 2 and its adjoint, or one operator that needs no samples. Of the
# settings of a method that deliver the error (relative l2 of A^H A, against enuf at 1e-6 in double) the fastest is
# timed, in turns with the others; set_ms is what its samples take once. of_gram, of_best: the time over that of
# enuf.Gram and of enuf's fastest level: above 1 enuf is faster. A package that is not installed is named and left out.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import itertools
import sys
import time

sys.dont_write_bytecode = True
import numpy as np

import enuf
from cores import use_cores
from table import Table

COLUMNS = ('dim', 'side', 'pattern', 'R', 'samples', 'error_asked', 'method', 'setting', 'error', 'set_ms', 'round_ms',
           'of_gram', 'of_best')


class Problem:
    """Samples [n, dim] in radians, an image, and A^H A of it."""

    def __init__(self, dim, side, pattern, reduction, device):
        self.shape, self.device = dim * (side,), device
        self.samples = enuf.trajectory(pattern, self.shape, reduction, 1)
        random = np.random.default_rng(5)
        image = random.normal(size=self.shape) + 1j * random.normal(size=self.shape)
        plan = enuf.Plan(self.shape, 1e-6, sign=1).set_points(self.samples)
        self.right = plan.type2_adjoint(plan.type2(image))
        self.image = self.there(image.astype(np.complex64))

    def there(self, array):
        if self.device == 'cpu':
            return array
        import torch
        return torch.as_tensor(array, device=self.device)

    def error(self, found):
        found = np.asarray(found.cpu() if hasattr(found, 'cpu') else found).reshape(self.shape)
        return np.linalg.norm(found - self.right) / np.linalg.norm(self.right)

    def wait(self):
        if self.device != 'cpu':
            import torch
            torch.cuda.synchronize()


class Level:
    """A level of enuf.Plan. Settings: tolerances."""

    def __init__(self, name, threads):
        self.name, self.level, self.threads = f'enuf {name}', name, threads

    def settings(self, error):
        return [error * part for part in (1, 0.5, 0.25)]

    def make(self, p, tolerance):
        plan = enuf.Plan(p.shape, tolerance, sign=1, dtype='complex64', threads=self.threads, level=self.level,
                         backend='cuda' if p.device != 'cpu' else 'cpu').set_points(p.there(p.samples))
        return lambda: plan.type2_adjoint(plan.type2(p.image))


class Gram(Level):
    def __init__(self, threads):
        self.name, self.threads = 'enuf.Gram', threads

    def make(self, p, tolerance):
        gram = enuf.Gram(p.shape, tolerance, sign=1, dtype='complex64', threads=self.threads).set_points(
            p.there(p.samples))
        return lambda: gram(p.image)


class Finufft:
    """FINUFFT, on a GPU cuFINUFFT."""
    name = 'finufft'

    def __init__(self, threads):
        import finufft
        self.module, self.threads = finufft, threads

    def settings(self, error):
        return [error * part for part in (3, 1, 0.3)]

    def make(self, p, tolerance):
        x = [np.ascontiguousarray(c, np.float32) for c in p.samples.T]
        forward, back = (self.module.Plan(kind, p.shape, eps=tolerance, isign=sign, dtype='complex64',
                                          nthreads=self.threads) for kind, sign in ((2, -1), (1, 1)))
        forward.setpts(*x)
        back.setpts(*x)
        return lambda: back.execute(forward.execute(p.image))


class Kb:
    """torchkbnufft: `way` is table, matrix or toeplitz. Settings: cells of the window, grid over image."""

    def __init__(self, way):
        import torch
        import torchkbnufft
        self.name, self.way, self.torch, self.module = f'torchkbnufft {way}', way, torch, torchkbnufft

    def settings(self, error):
        return list(itertools.product((3, 4, 5, 6), (1.5, 2.0)))

    def make(self, p, setting):
        cells, factor = setting
        image = self.torch.as_tensor(p.image)[None, None]
        grid = tuple(int(2 * round(n * factor / 2)) for n in p.shape)
        omega = self.torch.as_tensor(np.ascontiguousarray(p.samples.T, np.float32), device=image.device)
        of = {'im_size': p.shape, 'grid_size': grid, 'numpoints': cells}
        if self.way == 'toeplitz':
            kernel = self.module.calc_toeplitz_kernel(omega, **of)
            toeplitz = self.module.ToepNufft().to(image)
            return lambda: toeplitz(image, kernel)
        forward, back = self.module.KbNufft(**of).to(image), self.module.KbNufftAdjoint(**of).to(image)
        if self.way == 'table':
            return lambda: back(forward(image, omega), omega)
        matrices = tuple(matrix.to(image.device) for matrix in self.module.calc_tensor_spmatrix(omega, **of))
        return lambda: back(forward(image, omega, matrices), omega, matrices)


class Sigpy:
    """sigpy: `way` is gridding or toeplitz. Settings: cells of the window, oversampling."""

    def __init__(self, way):
        import sigpy
        import sigpy.linop
        self.name, self.way, self.module = f'sigpy {way}', way, sigpy

    def settings(self, error):
        return list(itertools.product((3, 4, 5, 6), (1.25, 1.5, 2.0)))

    def make(self, p, setting):
        cells, factor = setting
        coordinates = (p.samples * np.array(p.shape) / (2 * np.pi)).astype(np.float32)
        operator = self.module.linop.NUFFT(p.shape, coordinates, oversamp=factor, width=cells,
                                           toeplitz=self.way == 'toeplitz')
        normal = operator.N  # over the number of pixels
        return lambda: normal(p.image) * np.float32(np.prod(p.shape))


class Nfft3:
    """NFFT3 in complex double, of pynfft3: `way` is what it computes beforehand. Settings: window, grid over image."""

    def __init__(self, way):
        import pyNFFT3
        self.name, self.module = f'NFFT3 {way}', pyNFFT3
        level = {'none': 0, 'psi': pyNFFT3.PRE_PSI, 'full psi': pyNFFT3.PRE_FULL_PSI}[way]
        self.flags = (pyNFFT3.PRE_PHI_HUT | level | pyNFFT3.MALLOC_X | pyNFFT3.MALLOC_F_HAT | pyNFFT3.MALLOC_F
                      | pyNFFT3.FFTW_INIT | pyNFFT3.NFFT_SORT_NODES | pyNFFT3.NFFT_OMP_BLOCKWISE_ADJOINT)

    def settings(self, error):
        return list(itertools.product((1, 2, 3, 4), (1.5, 2.0)))

    def make(self, p, setting):
        cells, factor = setting
        grid = np.array([2 * round(n * factor / 2) for n in p.shape], 'int32')
        plan = self.module.NFFT(np.array(p.shape, 'int32'), len(p.samples), grid, cells, self.flags)
        x = p.samples / (2 * np.pi)
        plan.x = np.ascontiguousarray(x - np.floor(x + 0.5))
        image = np.ascontiguousarray(p.image.ravel(), np.complex128)

        def normal():
            plan.fhat = image
            plan.trafo()
            plan.adjoint()
            return plan.fhat.copy()
        return normal


def methods(threads, device, table):
    """Those that are here; on a GPU only those that take its tensors."""
    made = [Level(name, threads) for name in ('none', 'sorted', 'weights', 'matrix')] + [Gram(threads)]
    peers = [(Kb, way) for way in ('table', 'matrix', 'toeplitz')]
    if device == 'cpu':
        peers = [(Finufft, threads), *peers, (Sigpy, 'gridding'), (Sigpy, 'toeplitz'),
                 (Nfft3, 'none'), (Nfft3, 'psi'), (Nfft3, 'full psi')]
    for kind, argument in peers:
        try:
            made.append(kind(argument))
        except ImportError as missing:
            table.note(f'not here: {kind.__name__.lower()} {argument}: {missing}')
    return made


def milliseconds(p, function):
    begin = time.perf_counter()
    result = function()
    p.wait()
    return 1e3 * (time.perf_counter() - begin), result


def fastest(method, p, error):
    """(round, setting, error, ms of setting) of the fastest setting that delivers the error, or the least error."""
    served, least = [], np.inf
    for setting in method.settings(error):
        set_ms, function = milliseconds(p, lambda: method.make(p, setting))
        first, found = milliseconds(p, function)
        off = p.error(found)
        least = min(least, off)
        if off <= error:
            again = min(milliseconds(p, function)[0] for _ in range(2)) if first < 2000 else first
            served.append((again, setting, off, set_ms, function))
    return (min(served, key=lambda entry: entry[0])[1:], least) if served else (None, least)


def in_turns(p, functions, seconds):
    least, end, turns = {name: np.inf for name in functions}, time.perf_counter() + seconds, 0
    while turns < 3 or time.perf_counter() < end and turns < 100:
        for name, function in functions.items():
            least[name] = min(least[name], milliseconds(p, function)[0])
        turns += 1
    return least


def measure(p, about, error, made, seconds, table):
    ready = {}
    for method in made:
        try:
            found, least = fastest(method, p, error)
        except Exception as gap:  # whatever a package raises; the others are measured
            table.note(f'{about}, {error:g}: {method.name}: {type(gap).__name__}: {(str(gap).splitlines() or [""])[0]}')
            continue
        if found:
            ready[method.name] = found
        else:
            table.note(f'{about}, {error:g}: no setting of {method.name} delivers it, {least:.1e} at best')
    times = in_turns(p, {name: found[3] for name, found in ready.items()}, seconds)
    best = min((ms for name, ms in times.items() if name.startswith('enuf ')), default=np.nan)
    for name, (setting, off, set_ms, _) in ready.items():
        text = ' '.join(f'{number:.3g}' for number in np.atleast_1d(setting))
        table.add(*about, len(p.samples), f'{error:g}', name, text, f'{off:.2g}', f'{set_ms:.4g}', f'{times[name]:.4g}',
                  f'{times[name] / times.get("enuf.Gram", np.nan):.3g}', f'{times[name] / best:.3g}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--csv')
    parser.add_argument('--dims', default='2,3')
    parser.add_argument('--sides', default='62')
    parser.add_argument('--patterns', default='radial,random')
    parser.add_argument('--reductions', default='1,4')
    parser.add_argument('--errors', default='1e-2,1e-3')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--device', default='cpu', help='cpu or cuda')
    parser.add_argument('--seconds', type=float, default=2, help='of turns for each row')
    o = parser.parse_args()
    use_cores(o.threads)
    table = Table(o.csv, COLUMNS, f'tuning_peers; {o.device}, {o.threads} thread(s) on as many cores; least of turns')
    try:
        import torch
        torch.set_num_threads(o.threads)
    except ImportError:
        pass
    made = methods(o.threads, o.device, table)
    for dim, side, pattern, reduction in itertools.product(
            map(int, o.dims.split(',')), map(int, o.sides.split(',')), o.patterns.split(','),
            map(float, o.reductions.split(','))):
        p = Problem(dim, side, pattern, reduction, o.device)
        for error in map(float, o.errors.split(',')):
            measure(p, (dim, side, pattern, f'{reduction:g}'), error, made, o.seconds, table)


if __name__ == '__main__':
    main()
