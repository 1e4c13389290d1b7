"""The Python interface of FINUFFT over enuf: Plan, and nufft1d1 ... nufft3d3.

    import enuf.compat.finufft as finufft

Shapes, signs, defaults and the kinds of errors are those of FINUFFT. What differs: points may lie anywhere and are
checked for NaN; options that tune FINUFFT's spreader have no effect. Interface:
https://finufft.readthedocs.io/en/latest/python.html. SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import numbers
import warnings
from typing import Any

import numpy as np

from .. import _plan
from ..errors import BadArgument, UnreachableAccuracy

__all__ = ['Plan', 'nufft1d1', 'nufft1d2', 'nufft1d3', 'nufft2d1', 'nufft2d2', 'nufft2d3', 'nufft3d1', 'nufft3d2',
           'nufft3d3']

# options that say how FINUFFT works, and change no result
_WITHOUT_EFFECT = {'debug', 'spread_debug', 'showwarn', 'spread_sort', 'maxbatchsize', 'spread_nthr_atomic',
                   'spread_max_sp_size', 'spread_kerformula'}
_DEPRECATED = {'spread_thread', 'spread_kerevalmeth', 'spread_kerpad'}
_LEAST_TOLERANCE = {'complex128': 1e-14, 'complex64': 1e-6}
_AXES = ('x', 'y', 'z')
_TARGETS = ('s', 't', 'u')


def _refuse(text: str) -> None:
    raise RuntimeError(f'enuf.compat.finufft: {text}')


def _options(given: dict) -> tuple[dict, bool]:
    """Options of enuf for those of FINUFFT, and whether a tolerance out of reach is lowered."""
    options: dict[str, Any] = {}
    for name, value in given.items():
        if name == 'modeord':
            options['mode_order'] = 'fft' if value else 'centred'
        elif name == 'upsampfac':
            options['upsampling'] = value or None
        elif name == 'nthreads':
            options['threads'] = value
        elif name == 'fftw':
            options['fft_effort'] = {0: 'measure', 32: 'patient'}.get(value, 'estimate')  # flags of FFTW
        elif name == 'spreadinterponly' and value:
            _refuse('spreadinterponly: enuf has no such mode here; enuf/nufft_stages.h has single stages')
        elif name.startswith('fftw_'):
            raise TypeError(f"Invalid option '{name}': FFTW locks are not exposed in Python")
        elif name in _DEPRECATED:
            warnings.warn(f'option {name} is deprecated and ignored', DeprecationWarning, stacklevel=4)
        elif name not in _WITHOUT_EFFECT | {'allow_eps_too_small', 'spreadinterponly'}:
            warnings.warn(f'finufft_opts does not have attribute "{name}"', Warning, stacklevel=4)
    return options, bool(given.get('allow_eps_too_small'))


class Plan:
    """A plan with the arguments of finufft.Plan: type, modes (types 1 and 2) or dimension (type 3), n_trans, eps,
    isign (+1 for types 1 and 3, -1 for type 2), dtype, and options."""

    def __init__(self, nufft_type: int, n_modes_or_dim: Any, n_trans: int = 1, eps: float = 1e-6,
                 isign: int | None = None, dtype: Any = 'complex128', **kwargs: Any):
        self._dtype = np.dtype(dtype)
        if self._dtype.name not in _LEAST_TOLERANCE:
            _refuse(f'dtype {self._dtype} must be single or double: complex64 or complex128')
        if nufft_type not in (1, 2, 3):
            _refuse(f'transform type invalid: {nufft_type}, types are 1, 2, 3')
        sizes = np.atleast_1d(np.asarray(n_modes_or_dim, dtype=np.int64))
        if nufft_type == 3 and sizes.size != 1:
            _refuse('type 3 plan n_modes_or_dim must be one number, the dimension')
        if nufft_type != 3 and not 1 <= sizes.size <= 3:
            _refuse('n_modes dimension must be 1, 2, or 3')
        self._type, self._n_trans = nufft_type, n_trans
        self._dim = int(sizes[0]) if nufft_type == 3 else sizes.size
        self._n_modes = tuple(int(n) for n in sizes) if nufft_type != 3 else (1,) * self._dim
        options, allow = _options(kwargs)
        sign = (-1 if nufft_type == 2 else 1) if isign is None else 1 if isign >= 0 else -1
        if allow:
            eps = max(eps, _LEAST_TOLERANCE[self._dtype.name])
        where: dict[str, Any] = {'dim': self._dim} if nufft_type == 3 else {'modes': self._n_modes}
        signs: dict[str, Any] = {'type2_sign': sign} if nufft_type == 2 else {'sign': sign}
        try:
            self._plan = _plan.Plan(tolerance=eps, batch=n_trans, dtype=self._dtype, **where, **signs, **options)
        except UnreachableAccuracy as error:
            raise RuntimeError(f'enuf.compat.finufft: eps tolerance too small: {error}') from error
        except BadArgument as error:
            raise RuntimeError(f'enuf.compat.finufft: {error}') from error
        self._size = self._targets = None

    type = property(lambda self: self._type)
    dtype = property(lambda self: self._dtype)
    dim = property(lambda self: self._dim)
    n_modes = property(lambda self: self._n_modes)
    n_trans = property(lambda self: self._n_trans)

    def setpts(self, x: Any = None, y: Any = None, z: Any = None, s: Any = None, t: Any = None, u: Any = None) -> None:
        """Sets points x, y, z [M], and for type 3 targets s, t, u [N], in the real type of the plan."""
        points = self._vectors((x, y, z), _AXES)
        targets = self._vectors((s, t, u), _TARGETS) if self._type == 3 else None
        self._plan.set_points(*points)
        self._size = points[0].shape[0]
        if targets is not None:
            try:
                self._plan.set_targets(*targets)
            except UnreachableAccuracy as error:
                raise RuntimeError(f'enuf.compat.finufft: eps tolerance too small: {error}') from error
            self._targets = targets[0].shape[0]

    def _vectors(self, arrays: tuple, names: tuple) -> list:
        found = [self._checked(array, name, self._plan.real_dtype) for array, name in
                 zip(arrays[:self._dim], names)]
        for array, name in zip(found, names):
            if len(array.shape) != 1:
                _refuse(f'{name} must be a vector')
            if array.shape != found[0].shape:
                _refuse(f'{name} must have same length as {names[0]}')
        return found

    @staticmethod
    def _checked(array: Any, name: str, dtype: Any, output: bool = False) -> Any:
        """An array in C order, after a warning a copy."""
        if array.dtype != np.dtype(dtype):
            raise TypeError(f'{name} does not have the correct dtype: it is {array.dtype}, expected is {dtype}')
        for flag in ('C', 'W') if output else ('C',):
            if array.flags[flag]:
                continue
            text = f'{name} does not satisfy the following requirement: {flag}'
            if output:
                raise TypeError(text)
            warnings.warn(f'{text}. Copying array (this may reduce performance)', stacklevel=4)
            array = np.ascontiguousarray(array)
        return array

    def execute(self, data: Any, out: Any = None) -> Any:
        """Types 1 and 3: strengths [M] or [n_trans, M]; type 2: modes. Returns the result, or `out` with it."""
        run = {1: self._plan.type1, 2: self._plan.type2, 3: self._plan.type3}[self._type]
        return self._run(run, data, out, from_points=self._type != 2)

    def execute_adjoint(self, data: Any, out: Any = None) -> Any:
        """The adjoint: data as execute() returns them, the result as execute() takes them."""
        run = {1: self._plan.type1_adjoint, 2: self._plan.type2_adjoint, 3: self._plan.type3_adjoint}[self._type]
        return self._run(run, data, out, from_points=self._type == 2)

    def _run(self, run: Any, data: Any, out: Any, from_points: bool) -> Any:
        data = self._checked(data, 'data', self._dtype)
        if self._size is None:
            _refuse('setpts sets the points first')
        at_modes = (self._targets,) if self._type == 3 else self._n_modes
        ends = [(self._check_strengths, (self._size,)), (self._check_modes, at_modes)]
        (check, source), (check_out, target) = ends if from_points else ends[::-1]
        check(data.shape)
        if out is not None:
            self._checked(out, 'out', self._dtype, output=True)
            check_out(out.shape)
        else:
            out = np.empty(data.shape[:len(data.shape) - len(source)] + target, self._dtype)
        vectors = (self._n_trans,) if self._n_trans > 1 else ()
        run(data.reshape(vectors + source), out=out.reshape(vectors + target))
        return out

    def _check_strengths(self, shape: tuple) -> None:
        if self._n_trans == 1:
            if len(shape) not in (1, 2):
                _refuse('c.ndim must be 1 or 2 if n_trans == 1')
            if shape[-1] != self._size or np.prod(shape) != self._size:
                _refuse('c.size must be same as x.size if n_trans == 1')
        elif len(shape) != 2:
            _refuse('c.ndim must be 2 if n_trans > 1')
        elif shape != (self._n_trans, self._size):
            _refuse('c.shape must be (n_trans, x.size) if n_trans > 1')

    def _check_modes(self, shape: tuple) -> None:
        if self._type == 3:
            self._check_targets(shape)
            return
        if self._n_trans == 1 and len(shape) not in (self._dim, self._dim + 1):
            _refuse('f.ndim must be same as the problem dimension or the problem dimension + 1 if n_trans == 1')
        if self._n_trans > 1 and len(shape) != self._dim + 1:
            _refuse('f.ndim must be same as the problem dimension + 1 for type 1 or 2 if n_trans > 1')
        if len(shape) == self._dim + 1 and shape[0] != self._n_trans:
            _refuse('f.shape[0] must be n_trans')
        if tuple(shape[-self._dim:]) != self._n_modes:
            _refuse('f.shape is not consistent with n_modes')

    def _check_targets(self, shape: tuple) -> None:
        if self._n_trans == 1:
            if len(shape) not in (1, 2):
                _refuse('f.ndim must be 1 or 2 for type 3 if n_trans == 1')
            if shape[-1] != self._targets or np.prod(shape) != self._targets:
                _refuse('f.size of must be nk if n_trans == 1')
        elif len(shape) != 2:
            _refuse('f.ndim must be 2 for type 3 if n_trans > 1')
        elif shape != (self._n_trans, self._targets):
            _refuse('f.shape must be (n_trans, nk) if n_trans > 1')


def _modes_of(n_modes: Any, dim: int) -> tuple | None:
    if n_modes is None:
        return None
    if isinstance(n_modes, numbers.Integral):
        return (int(n_modes),) * dim
    if not isinstance(n_modes, tuple):
        _refuse('input n_modes must be a tuple or an integer')
    if len(n_modes) != dim:
        _refuse('input n_modes dimension does not match problem dimension')
    if not all(isinstance(n, numbers.Integral) for n in n_modes):
        _refuse('all elements of input n_modes must be integer')
    return tuple(int(n) for n in n_modes)


def _modes_and_vectors(shape: tuple, dim: int) -> tuple[int, tuple]:
    if len(shape) == dim + 1:
        return shape[0], tuple(shape[1:])
    if len(shape) != dim:
        _refuse('type 1 output dimension or type 2 input dimension must be either dim (n_trans==1) or dim+1')
    return 1, tuple(shape)


def _vectors_of(c: Any, x: Any) -> int:
    if x.size == 0 or c.size % x.size:
        _refuse('c.size must be divisible by x.size')
    return c.size // x.size


def _simple(kind: int, points: tuple, data: Any, out: Any, eps: float, isign: int, n_modes: Any = None,
            targets: tuple = (), **kwargs: Any) -> Any:
    x, dim = points[0], len(points)
    if x.dtype not in (np.float32, np.float64):
        _refuse('x dtype should be float64 for double precision or float32 for single precision')
    dtype = 'complex128' if x.dtype == np.float64 else 'complex64'
    size = _modes_of(n_modes, dim)
    if kind == 2:
        vectors, size = _modes_and_vectors(data.shape, dim)
    else:
        if kind == 1 and size is None and out is None:
            _refuse('type 1 input must supply n_modes or output vector, or both')
        vectors = _vectors_of(data, x)
        if kind == 1 and out is not None:
            given, shape = _modes_and_vectors(out.shape, dim)
            if given != vectors:
                _refuse('input n_trans and output n_trans do not match')
            if size is not None and size != shape:
                _refuse('input n_modes and output n_modes do not match')
            size = shape
    plan = Plan(kind, dim if kind == 3 else size, vectors, eps, isign, dtype, **kwargs)
    plan.setpts(*points, *(None,) * (3 - dim), *targets)
    return plan.execute(data, out)


def nufft1d1(x, c, n_modes=None, out=None, eps=1e-6, isign=1, **kwargs):
    """f[k] = sum_j c[j] exp(+-i k x[j]): x [M], c [M] or [n_trans, M] -> [N1] or [n_trans, N1]."""
    return _simple(1, (x,), c, out, eps, isign, n_modes, **kwargs)


def nufft1d2(x, f, out=None, eps=1e-6, isign=-1, **kwargs):
    """c[j] = sum_k f[k] exp(+-i k x[j]): x [M], f [N1] or [n_trans, N1] -> [M] or [n_trans, M]."""
    return _simple(2, (x,), f, out, eps, isign, **kwargs)


def nufft1d3(x, c, s, out=None, eps=1e-6, isign=1, **kwargs):
    """f[k] = sum_j c[j] exp(+-i s[k] x[j]): x [M], c [M] or [n_trans, M], s [N] -> [N] or [n_trans, N]."""
    return _simple(3, (x,), c, out, eps, isign, targets=(s,), **kwargs)


def nufft2d1(x, y, c, n_modes=None, out=None, eps=1e-6, isign=1, **kwargs):
    """As nufft1d1() in two dimensions; f is [N1, N2]."""
    return _simple(1, (x, y), c, out, eps, isign, n_modes, **kwargs)


def nufft2d2(x, y, f, out=None, eps=1e-6, isign=-1, **kwargs):
    """As nufft1d2() in two dimensions."""
    return _simple(2, (x, y), f, out, eps, isign, **kwargs)


def nufft2d3(x, y, c, s, t, out=None, eps=1e-6, isign=1, **kwargs):
    """As nufft1d3() in two dimensions."""
    return _simple(3, (x, y), c, out, eps, isign, targets=(s, t), **kwargs)


def nufft3d1(x, y, z, c, n_modes=None, out=None, eps=1e-6, isign=1, **kwargs):
    """As nufft1d1() in three dimensions; f is [N1, N2, N3]."""
    return _simple(1, (x, y, z), c, out, eps, isign, n_modes, **kwargs)


def nufft3d2(x, y, z, f, out=None, eps=1e-6, isign=-1, **kwargs):
    """As nufft1d2() in three dimensions."""
    return _simple(2, (x, y, z), f, out, eps, isign, **kwargs)


def nufft3d3(x, y, z, c, s, t, u, out=None, eps=1e-6, isign=1, **kwargs):
    """As nufft1d3() in three dimensions."""
    return _simple(3, (x, y, z), c, out, eps, isign, targets=(s, t, u), **kwargs)
