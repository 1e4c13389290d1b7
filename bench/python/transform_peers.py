# Transforms of an image at samples, of enuf and its peers behind one interface, in complex float where a package has
# it, or in complex double.
# SPDX-License-Identifier: BSD-3-Clause
import ctypes
import itertools
import math
import os
import shutil
import subprocess
import tempfile

import numpy as np

import enuf
from limits import need


class Transforms:
    """What a method makes of a problem: forward() gives data, back(data) an image; normal() is both, or one operator in
    their place, which has no forward."""

    def __init__(self, forward=None, back=None, normal=None):
        self.forward, self.back = forward, back
        self.normal = normal or (lambda: back(forward()))


def windows(error, factors, cells=(3, 4, 5, 6), half=1):
    """(cells, factor) worth a try; below 1e-4 of the widths that a Kaiser-Bessel window needs. half: 2 if cells are of
    half a window."""
    if error >= 1e-4:
        return list(itertools.product(cells, factors))
    return [(math.ceil(-math.log(error) / (half * math.pi * math.sqrt(1 - 1 / factor))) + more, factor)
            for more in range(3) for factor in factors]


class Problem:
    """Samples [n, dim] in radians, an image, its data and A^H A of it; precision: single or double."""

    def __init__(self, shape, samples, device, precision='single'):
        self.shape, self.samples, self.device = shape, samples, device
        double = precision == 'double'
        self.complex, self.real = (np.complex128, np.float64) if double else (np.complex64, np.float32)
        self.dtype = np.dtype(self.complex).name
        random = np.random.default_rng(5)
        image = random.normal(size=self.shape) + 1j * random.normal(size=self.shape)
        plan = enuf.Plan(self.shape, 1e-13 if double else 1e-6, sign=1).set_points(self.samples)
        self.right_data = plan.type2(image)
        self.right = plan.type2_adjoint(self.right_data)
        self.image = self.there(image.astype(self.complex))

    def there(self, array):
        if self.device == 'cpu':
            return array
        import torch
        return torch.as_tensor(array, device=self.device)

    def error(self, found, right=None):
        """Relative l2; of A^H A of the image, or of what is right."""
        right = self.right if right is None else right
        host = getattr(found, 'cpu', None) or getattr(found, 'get', None)  # a tensor or an array of CuPy
        found = np.asarray(host() if host else found).reshape(right.shape)
        return np.linalg.norm(found - right) / np.linalg.norm(right)

    def wait(self):
        if self.device != 'cpu':
            import torch
            torch.cuda.synchronize()


class Method:
    """name; settings(error) worth a try; make(problem, setting) -> Transforms."""
    needs_no_samples = False  # has only normal()
    single_only = False


class Level(Method):
    """A level of enuf.Plan. Settings: tolerances."""

    def __init__(self, name, threads):
        self.name, self.level, self.threads = f'enuf {name}', name, threads

    def settings(self, error):
        return [error * part for part in (1, 0.5, 0.25)]

    def make(self, p, tolerance):
        plan = enuf.Plan(p.shape, tolerance, sign=1, dtype=p.dtype, threads=self.threads, level=self.level,
                         backend='cuda' if p.device != 'cpu' else 'cpu').set_points(p.there(p.samples))
        return Transforms(lambda: plan.type2(p.image), plan.type2_adjoint)


class Gram(Level):
    needs_no_samples = True

    def __init__(self, threads):
        self.name, self.threads = 'enuf.Gram', threads

    def make(self, p, tolerance):
        gram = enuf.Gram(p.shape, tolerance, sign=1, dtype=p.dtype, threads=self.threads).set_points(
            p.there(p.samples))
        return Transforms(normal=lambda: gram(p.image))


class Finufft(Method):
    """FINUFFT. Settings: tolerances."""
    name = 'finufft'

    def __init__(self, threads):
        import finufft
        self.module, self.threads = finufft, threads

    def settings(self, error):
        return [error * part for part in (3, 1, 0.3)]

    def make(self, p, tolerance):
        x = [np.ascontiguousarray(c, p.real) for c in p.samples.T]
        forward, back = (self.module.Plan(kind, p.shape, eps=tolerance, isign=sign, dtype=p.dtype,
                                          nthreads=self.threads) for kind, sign in ((2, -1), (1, 1)))
        forward.setpts(*x)
        back.setpts(*x)
        return Transforms(lambda: forward.execute(p.image), back.execute)


class Cufinufft(Method):
    """cuFINUFFT: `way` is what chooses its gpu_method: default, points or shared, which is memory. Settings: tolerance,
    grid over image."""

    def __init__(self, way):
        import cufinufft
        self.name, self.module = f'cufinufft {way}', cufinufft
        self.options = {'default': {}, 'points': {'gpu_method': 1}, 'shared': {'gpu_method': 2}}[way]

    def settings(self, error):
        return list(itertools.product([error * part for part in (3, 1, 0.3)], (1.25, 2.0)))

    def make(self, p, setting):
        tolerance, factor = setting
        x = [p.there(np.ascontiguousarray(c, p.real)) for c in p.samples.T]
        forward, back = (self.module.Plan(kind, p.shape, eps=tolerance, isign=sign, dtype=p.dtype, upsampfac=factor,
                                          **self.options) for kind, sign in ((2, -1), (1, 1)))
        forward.setpts(*x)
        back.setpts(*x)
        return Transforms(lambda: forward.execute(p.image), back.execute)


class GpuNufft(Method):
    """gpuNUFFT on the GPU's arrays, as a user has it: a transform's time holds its allocations, its plan of an FFT and
    its copies of the samples to the GPU, which it makes each time. `way` is balanced or sectors, its share of work.
    Settings: cells of the window, grid over image."""
    single_only = True

    def __init__(self, way):
        import torch
        import gpuNUFFT
        self.name, self.way, self.torch, self.module = f'gpuNUFFT {way}', way, torch, gpuNUFFT
        # it frees memory that is not its own, and leaves the error to the next library that asks; also at its end, so
        # operators stay
        self.forget, self.made = ctypes.CDLL(gpuNUFFT.__file__).cudaGetLastError, []

    def settings(self, error):
        return list(itertools.product((3, 4, 5, 6), (1.25, 1.5, 2.0)))

    def make(self, p, setting):
        cells, factor = setting
        side = max(p.shape)
        factor = (2 * round(side * factor / 2) + 0.01) / side  # even: an odd grid has a wrong middle; it truncates
        # samples in cycles a pixel, all of an axis together, the contiguous axis first; pixel n // 2 is the middle
        x = p.samples.T[::-1] / (2 * np.pi)
        x = np.ascontiguousarray(x - np.floor(x + 0.5), np.float32)
        no_coils, weights = np.zeros((), np.complex64), np.ones(len(p.samples), np.float32)
        operator = self.module.NUFFTOp(x, np.array(p.shape[::-1], np.int32), 1, no_coils, weights, cells, 8, factor,
                                       self.way == 'balanced')
        self.made.append(operator)
        root = float(np.sqrt(np.prod([int(n * factor) for n in p.shape])))  # its transforms are over the root, each

        def forward():
            data = self.torch.empty(len(p.samples), dtype=p.image.dtype, device=p.image.device)
            operator.op_direct(p.image.data_ptr(), data.data_ptr())
            self.forget()
            return data.mul_(root)

        def back(data):
            image = self.torch.empty_like(p.image)
            operator.adj_op_direct(data.data_ptr(), image.data_ptr())
            self.forget()
            return image.mul_(root)
        self.forget()
        return Transforms(forward, back)


class Kb(Method):
    """torchkbnufft: `way` is table, matrix or toeplitz. Settings: cells of the window, grid over image, and below 1e-4
    binary digits of places in a cell of its table, which is not interpolated."""

    def __init__(self, way):
        import torch
        import torchkbnufft
        self.name, self.way, self.torch, self.module = f'torchkbnufft {way}', way, torch, torchkbnufft
        self.needs_no_samples = way == 'toeplitz'

    def settings(self, error):
        found = windows(error, (1.5, 2.0))
        if error >= 1e-4 or self.way == 'matrix':
            return found
        if error < 1e-6:  # what 18 digits deliver
            return [(*windows(1e-7, (2.0,))[0], 18)]
        return [(*of, digits) for digits in (16, 18) for of in found]

    def make(self, p, setting):
        cells, factor, *digits = setting
        if self.way == 'matrix':
            need(96 * len(p.samples) * cells**len(p.shape))
        image = self.torch.as_tensor(p.image)[None, None]
        grid = tuple(int(2 * round(n * factor / 2)) for n in p.shape)
        omega = self.torch.as_tensor(np.ascontiguousarray(p.samples.T, p.real), device=image.device)
        of = {'im_size': p.shape, 'grid_size': grid, 'numpoints': cells}
        if p.real is np.float64:
            of['kbwidth'] = math.pi * (1 - 0.5 / factor)  # its default is of a factor of 2
        if digits:
            of['table_oversamp'] = 2**digits[0]
        if self.way == 'toeplitz':
            kernel = self.module.calc_toeplitz_kernel(omega, **of)
            toeplitz = self.module.ToepNufft().to(image)
            return Transforms(normal=lambda: toeplitz(image, kernel))
        forward, back = (kind(**of, dtype=image.dtype).to(image)
                         for kind in (self.module.KbNufft, self.module.KbNufftAdjoint))
        if self.way == 'table':
            return Transforms(lambda: forward(image, omega), lambda data: back(data, omega))
        matrices = tuple(matrix.to(image.device) for matrix in self.module.calc_tensor_spmatrix(omega, **of))
        return Transforms(lambda: forward(image, omega, matrices), lambda data: back(data, omega, matrices))


class Sigpy(Method):
    """sigpy: `way` is gridding or toeplitz. Settings: cells of the window, oversampling."""

    def __init__(self, way):
        import sigpy
        import sigpy.linop
        self.name, self.way, self.module = f'sigpy {way}', way, sigpy
        self.needs_no_samples = way == 'toeplitz'

    def settings(self, error):
        found = windows(error, (1.25, 1.5, 2.0))
        return found if error >= 1e-6 else found[-1:]  # its window is a polynomial, 1e-7 off

    def make(self, p, setting):
        cells, factor = setting
        coordinates = self.there((p.samples * np.array(p.shape) / (2 * np.pi)).astype(p.real))
        image = self.there(p.image)
        operator = self.module.linop.NUFFT(p.shape, coordinates, oversamp=factor, width=cells,
                                           toeplitz=self.way == 'toeplitz')
        scale = p.real(np.prod(p.shape))  # its transforms are over the root of it, each
        if self.way == 'toeplitz':
            normal = operator.N
            return Transforms(normal=lambda: normal(image) * scale)
        adjoint, root = operator.H, np.sqrt(scale)
        return Transforms(lambda: operator(image) * root, lambda data: adjoint(data) * root)

    def there(self, array):
        return array


class SigpyCupy(Sigpy):
    """sigpy on a GPU, with arrays of CuPy that share the tensors' memory."""

    def __init__(self, way):
        import cupy
        super().__init__(way)
        self.cupy = cupy

    def there(self, array):
        return self.cupy.asarray(array)


class Nfft3(Method):
    """NFFT3 in complex double, of pynfft3: `way` is what it computes beforehand. Settings: window, grid over image."""

    def __init__(self, way):
        import pyNFFT3
        self.name, self.way, self.module = f'NFFT3 {way}', way, pyNFFT3
        level = {'none': 0, 'psi': pyNFFT3.PRE_PSI, 'full psi': pyNFFT3.PRE_FULL_PSI}[way]
        self.flags = (pyNFFT3.PRE_PHI_HUT | level | pyNFFT3.MALLOC_X | pyNFFT3.MALLOC_F_HAT | pyNFFT3.MALLOC_F
                      | pyNFFT3.FFTW_INIT | pyNFFT3.NFFT_SORT_NODES | pyNFFT3.NFFT_OMP_BLOCKWISE_ADJOINT)

    def settings(self, error):
        return windows(error, (1.5, 2.0), (1, 2, 3, 4), half=2)

    def make(self, p, setting):
        cells, factor = setting
        if self.way == 'full psi':
            need(16 * len(p.samples) * (2 * cells + 2)**len(p.shape))
        grid = np.array([2 * round(n * factor / 2) for n in p.shape], 'int32')
        plan = self.module.NFFT(np.array(p.shape, 'int32'), len(p.samples), grid, cells, self.flags)
        x = p.samples / (2 * np.pi)
        plan.x = np.ascontiguousarray(x - np.floor(x + 0.5))
        image = np.ascontiguousarray(p.image.ravel(), np.complex128)

        def forward():
            plan.fhat = image
            plan.trafo()
            return plan.f

        def back(data):
            if data is not plan.f:
                plan.f = np.ascontiguousarray(data, np.complex128)
            plan.adjoint()
            return plan.fhat.copy()
        return Transforms(forward, back)


class Bart(Method):
    """The program bart, as a user runs it: a transform's time holds its start, its files, which are in memory, and its
    work on the samples. It has no settings."""
    name = 'bart'
    single_only = True

    def __init__(self, threads):
        if not shutil.which('bart'):
            raise ImportError('no program bart: apt-get install bart')
        self.threads = threads

    def settings(self, error):
        return [0]

    def make(self, p, setting):
        folder = tempfile.TemporaryDirectory(dir='/dev/shm' if os.path.isdir('/dev/shm') else None)
        shape = (p.shape + (1, 1))[:3]
        root = np.float32(np.sqrt(np.prod(p.shape)))  # its transforms are over the root of it, each
        # samples in pixels; the last axis of an array in C order is the first one of a file
        k = np.zeros((len(p.samples), 3), np.complex64)
        k[:, :len(p.shape)] = p.samples * np.array(p.shape) / (2 * np.pi)
        self.write(folder.name, 'k', (3, len(k)), k)

        def run(*arguments):
            subprocess.run(['bart', 'nufft', *arguments], cwd=folder.name, check=True, capture_output=True,
                           env=dict(os.environ, OMP_NUM_THREADS=str(self.threads)))

        def forward():
            self.write(folder.name, 'image', shape, p.image.T)
            run('k', 'image', 'data')
            return self.read(folder.name, 'data') * root

        def back(data):
            self.write(folder.name, 'data', (1, len(k)), data)
            run('-a', '-d', ':'.join(map(str, shape)), 'k', 'data', 'image')
            return self.read(folder.name, 'image').reshape(p.shape[::-1]).T * root
        transforms = Transforms(forward, back)
        transforms.folder = folder  # lives as long
        return transforms

    @staticmethod
    def write(folder, name, axes, array):
        with open(f'{folder}/{name}.hdr', 'w', encoding='ascii') as file:
            file.write('# Dimensions\n' + ' '.join(map(str, (*axes, *[1] * (16 - len(axes))))) + '\n')
        np.ascontiguousarray(array, np.complex64).tofile(f'{folder}/{name}.cfl')

    @staticmethod
    def read(folder, name):
        return np.fromfile(f'{folder}/{name}.cfl', np.complex64)


def methods(threads, device, table, precision='single'):
    """Those that are here and have the precision; on a GPU those that take its arrays."""
    levels = ('none', 'sorted', 'weights', 'matrix')[device != 'cpu':]  # a GPU always sorts
    made = [Level(name, threads) for name in levels] + [Gram(threads)]
    peers = [(Kb, way) for way in ('table', 'matrix', 'toeplitz')]
    if device == 'cpu':
        peers = [(Finufft, threads), *peers, (Sigpy, 'gridding'), (Sigpy, 'toeplitz'),
                 (Nfft3, 'none'), (Nfft3, 'psi'), (Nfft3, 'full psi'), (Bart, threads)]
    else:
        peers = [(Cufinufft, 'default'), (Cufinufft, 'points'), (Cufinufft, 'shared'), *peers,
                 (SigpyCupy, 'gridding'), (SigpyCupy, 'toeplitz'), (GpuNufft, 'balanced'), (GpuNufft, 'sectors')]
    for kind, argument in peers:
        try:
            if precision == 'double' and kind.single_only:
                raise ImportError('complex float only')
            made.append(kind(argument))
        except ImportError as missing:
            table.note(f'not here: {kind.__name__.lower()} {argument}: {missing}')
    return made


def ready_of(made, fastest, p, about, error, table):
    """{name: what fastest(method, p, error) gives}, of the methods that deliver the error; the table names the
    others."""
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
    return ready
