"""The Python interface of cuFINUFFT over enuf: Plan, and nufft1d1 ... nufft3d3, for arrays on a GPU.

    import enuf.compat.cufinufft as cufinufft

Arrays of CuPy, PyTorch, Numba and PyCUDA serve, and those of the host, on the CPU. Shapes, signs, defaults and the
kinds of errors are those of cuFINUFFT. What differs: points may lie anywhere; options that tune cuFINUFFT's kernels
have no effect. Interface: https://finufft.readthedocs.io/en/latest/python_gpu.html.
SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import math
import numbers
import warnings
from typing import Any

import numpy as np

from .. import _arrays, _plan
from ..errors import ArrayError, UnreachableAccuracy

__all__ = ['Plan', 'nufft1d1', 'nufft1d2', 'nufft1d3', 'nufft2d1', 'nufft2d2', 'nufft2d3', 'nufft3d1', 'nufft3d2',
           'nufft3d3']

# options that say how cuFINUFFT works, and change no result
_WITHOUT_EFFECT = {'gpu_method', 'gpu_sort', 'gpu_binsizex', 'gpu_binsizey', 'gpu_binsizez', 'gpu_obinsizex',
                   'gpu_obinsizey', 'gpu_obinsizez', 'gpu_maxsubprobsize', 'gpu_kerevalmeth', 'gpu_maxbatchsize',
                   'gpu_np', 'debug'}
_LEAST_TOLERANCE = {'complex128': 1e-14, 'complex64': 1e-6}


def _options(given: dict) -> dict:
    """Options of enuf for those of cuFINUFFT."""
    options: dict[str, Any] = {}
    for name, value in given.items():
        if name == 'modeord':
            options['mode_order'] = 'fft' if value else 'centred'
        elif name == 'gpu_stream':
            options['stream'] = value
        elif name == 'gpu_device_id':
            options['device'] = value
        elif name == 'gpu_spreadinterponly' and value:
            raise RuntimeError('enuf.compat.cufinufft: gpu_spreadinterponly: enuf has no such mode here')
        elif name not in _WITHOUT_EFFECT | {'upsampfac', 'gpu_spreadinterponly'}:
            raise TypeError(f"Invalid option '{name}'")
    return options


class Plan:
    """A plan with the arguments of cufinufft.Plan: type, modes (types 1 and 2) or dimension (type 3), n_trans, eps,
    isign (+1 for types 1 and 3, -1 for type 2), dtype ['complex64'], and options."""

    def __init__(self, nufft_type: int, n_modes: Any, n_trans: int = 1, eps: float = 1e-6, isign: int | None = None,
                 dtype: Any = 'complex64', **kwargs: Any):
        self._dtype = np.dtype(dtype)
        if self._dtype.name not in _LEAST_TOLERANCE:
            raise TypeError(f'Expected complex64 or complex128. Not {self._dtype}')
        if nufft_type not in (1, 2, 3):
            raise RuntimeError(f'enuf.compat.cufinufft: there is no type {nufft_type}')
        if nufft_type == 3 and not isinstance(n_modes, numbers.Integral):
            raise ValueError('For a type 3 plan, n_modes_or_dim must be a single number, the dimension')
        whole = isinstance(n_modes, numbers.Integral)
        if not whole and not hasattr(n_modes, '__iter__'):
            raise ValueError(f"Invalid n_modes '{n_modes}'")
        self._type, self._n_trans = nufft_type, n_trans
        self._n_modes = (1,) * n_modes if nufft_type == 3 else (n_modes,) if whole else tuple(n_modes)
        self._dim = len(self._n_modes)
        if self._dim not in (1, 2, 3):
            raise ValueError('Only dimensions 1, 2, and 3 supported')
        sign = (-1 if nufft_type == 2 else 1) if isign is None else 1 if isign >= 0 else -1
        self._arguments = {'batch': n_trans, 'dtype': self._dtype, **_options(kwargs),
                           'type2_sign' if nufft_type == 2 else 'sign': sign}
        if nufft_type == 3:
            self._arguments['dim'] = self._dim
        self._points: list = []
        self._targets: list = []
        self._eps = self._lowered(max(float(eps), _LEAST_TOLERANCE[self._dtype.name]), eps)
        self._plan = self._make()

    @staticmethod
    def _lowered(reached: float, eps: float) -> float:
        """cuFINUFFT warns of a tolerance that it cannot reach, and goes on."""
        if reached > eps:
            warnings.warn(f'eps={eps} is below what the precision allows: {reached} is in use', stacklevel=4)
        return reached

    def _make(self) -> _plan.Plan:
        return _plan.Plan(None if self._type == 3 else self._n_modes, self._eps, **self._arguments)

    type = property(lambda self: self._type)
    dtype = property(lambda self: self._dtype)
    dim = property(lambda self: self._dim)
    n_modes = property(lambda self: self._n_modes)
    n_trans = property(lambda self: self._n_trans)

    def setpts(self, x: Any, y: Any = None, z: Any = None, s: Any = None, t: Any = None, u: Any = None) -> None:
        """Sets points x, y, z [M], and for type 3 targets s, t, u [N], in the real type of the plan."""
        self._points = self._vectors((x, y, z), 'xyz')
        self._targets = self._vectors((s, t, u), 'stu') if self._type == 3 else []
        while True:
            try:
                self._plan.set_points(*self._points)
                if self._targets:
                    self._plan.set_targets(*self._targets)
                return
            except UnreachableAccuracy:  # of type 3, where points and targets decide
                if self._eps > 1e-2:
                    raise
                self._eps = self._lowered(4 * self._eps, self._eps)
                self._plan = self._make()

    def _vectors(self, arrays: tuple, names: str) -> list:
        given = [array if array is None else self._checked(array, name, self._plan.real_dtype)
                 for array, name in zip(arrays, names)]
        if given[0] is None or len(given[0].shape) != 1:
            raise TypeError(f'Argument `{names[0]}` must be a vector')
        for d, (array, name) in enumerate(zip(given, names)):
            if d < self._dim and (array is None or tuple(array.shape) != tuple(given[0].shape)):
                raise TypeError(f'Argument `{name}` must be of shape {tuple(given[0].shape)}')
            if d >= self._dim and array is not None and math.prod(array.shape) > 0:
                raise TypeError(f'Plan dimension is {self._dim}, but `{name}` was specified')
        return given[:self._dim]

    @staticmethod
    def _checked(array: Any, name: str, dtype: Any, output: bool = False) -> Any:
        """An array in C order, after a warning a copy."""
        found = _arrays.view(array, name)
        dtype = np.dtype(dtype).name
        if found.dtype != dtype:
            raise TypeError(f'Argument `{name}` does not have the correct dtype: {found.dtype} instead of {dtype}')
        try:
            _arrays.expect_order(found, name)
        except ArrayError:
            text = f'Argument `{name}` does not satisfy the following requirement: C'
            if output or not hasattr(array, 'contiguous') and not hasattr(array, 'copy'):
                raise TypeError(text) from None
            warnings.warn(f'{text}. Copying array (this may reduce performance)', stacklevel=4)
            array = array.contiguous() if hasattr(array, 'contiguous') else array.copy(order='C')
        return array

    def execute(self, data: Any, out: Any = None) -> Any:
        """Types 1 and 3: strengths [M] or [n_trans, M]; type 2: modes. Returns the result, or `out` with it."""
        if not self._points:
            raise RuntimeError('enuf.compat.cufinufft: setpts sets the points first')
        data = self._checked(data, 'data', self._dtype)
        points = (self._points[0].shape[0],)
        modes = (self._targets[0].shape[0],) if self._type == 3 else self._n_modes
        source, target = (modes, points) if self._type == 2 else (points, modes)
        if math.prod(data.shape) != self._n_trans * math.prod(source):
            raise TypeError(f'Argument `data` must be of shape {(self._n_trans, *source)}')
        shape = tuple(data.shape[:len(data.shape) - len(source)]) + target
        if out is not None and tuple(self._checked(out, 'out', self._dtype, output=True).shape) != shape:
            raise TypeError(f'Argument `out` must be of shape {shape}')
        run: Any = {1: self._plan.type1, 2: self._plan.type2, 3: self._plan.type3}[self._type]
        vectors = (self._n_trans,) if self._n_trans > 1 else ()
        found = run(data.reshape(vectors + source), out=None if out is None else out.reshape(vectors + target))
        return found.reshape(shape) if out is None else out


def _simple(kind: int, points: tuple, data: Any, out: Any, eps: float, isign: int, n_modes: Any = None,
            targets: tuple = (), **kwargs: Any) -> Any:
    dim = len(points)
    axes = dim if kind == 2 else 1
    batch = tuple(data.shape[:len(data.shape) - axes])
    if kind == 2:
        n_modes = tuple(data.shape[len(batch):])
    elif kind == 3:
        n_modes = dim
    elif n_modes is None:
        if out is None:
            raise TypeError('type 1 transforms must be supplied n_modes or out')
        n_modes = tuple(out.shape[len(out.shape) - dim:])
    elif isinstance(n_modes, numbers.Integral):
        n_modes = (n_modes,) * dim
    plan = Plan(kind, n_modes, math.prod(batch), eps, isign, _arrays.view(data, 'data').dtype, **kwargs)
    plan.setpts(*points, *(None,) * (3 - dim), *targets)
    return plan.execute(data, out)


def nufft1d1(x, data, n_modes=None, out=None, eps=1e-6, isign=1, **kwargs):
    """f[k] = sum_j c[j] exp(+-i k x[j]): x [M], data c [M] or [n_trans, M] -> [N1] or [n_trans, N1]."""
    return _simple(1, (x,), data, out, eps, isign, n_modes, **kwargs)


def nufft1d2(x, data, out=None, eps=1e-6, isign=-1, **kwargs):
    """c[j] = sum_k f[k] exp(+-i k x[j]): x [M], data f [N1] or [n_trans, N1] -> [M] or [n_trans, M]."""
    return _simple(2, (x,), data, out, eps, isign, **kwargs)


def nufft1d3(x, data, s, out=None, eps=1e-6, isign=1, **kwargs):
    """f[k] = sum_j c[j] exp(+-i s[k] x[j]): x [M], data c [M] or [n_trans, M], s [N] -> [N] or [n_trans, N]."""
    return _simple(3, (x,), data, out, eps, isign, targets=(s,), **kwargs)


def nufft2d1(x, y, data, n_modes=None, out=None, eps=1e-6, isign=1, **kwargs):
    """As nufft1d1() in two dimensions; f is [N1, N2]."""
    return _simple(1, (x, y), data, out, eps, isign, n_modes, **kwargs)


def nufft2d2(x, y, data, out=None, eps=1e-6, isign=-1, **kwargs):
    """As nufft1d2() in two dimensions."""
    return _simple(2, (x, y), data, out, eps, isign, **kwargs)


def nufft2d3(x, y, data, s, t, out=None, eps=1e-6, isign=1, **kwargs):
    """As nufft1d3() in two dimensions."""
    return _simple(3, (x, y), data, out, eps, isign, targets=(s, t), **kwargs)


def nufft3d1(x, y, z, data, n_modes=None, out=None, eps=1e-6, isign=1, **kwargs):
    """As nufft1d1() in three dimensions; f is [N1, N2, N3]."""
    return _simple(1, (x, y, z), data, out, eps, isign, n_modes, **kwargs)


def nufft3d2(x, y, z, data, out=None, eps=1e-6, isign=-1, **kwargs):
    """As nufft1d2() in three dimensions."""
    return _simple(2, (x, y, z), data, out, eps, isign, **kwargs)


def nufft3d3(x, y, z, data, s, t, u, out=None, eps=1e-6, isign=1, **kwargs):
    """As nufft1d3() in three dimensions."""
    return _simple(3, (x, y, z), data, out, eps, isign, targets=(s, t, u), **kwargs)
