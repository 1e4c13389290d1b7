"""Transforms in one call, and direct sums. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

import math
from ctypes import byref, c_double
from typing import Any, Sequence

import numpy as np

from . import _arrays
from ._handle import threads_here
from ._library import check, lib
from ._options import fill, host_array
from ._plan import TWO_PI, Plan
from ._structs import NufftOptions
from .errors import ArrayError, BadArgument


def _plan(x: Any, data: Any, modes: Any, of_data: int, tolerance: float, sign: dict, options: dict) -> Plan:
    """The plan of a call: precision and batch are those of its data."""
    found = _arrays.view(data, 'data')
    extra = len(found.shape) - of_data
    if extra not in (0, 1) or found.dtype not in ('complex128', 'complex64'):
        raise ArrayError(f'data: {found.describe()}: complex128 or complex64 with {of_data} or, for a batch, '
                         f'{of_data + 1} axes is needed')
    points = _arrays.view(x, 'x').shape
    options.setdefault('density', max(1e-3, math.prod(points) / max(1, math.prod(modes or (1,)))))
    return Plan(modes, tolerance, dim=None if modes else options.pop('dim'), dtype=found.dtype,
                batch=found.shape[0] if extra else 1, **sign, **options)


def _type1(points: tuple, strengths: Any, modes: Any, tolerance: float, sign: int, out: Any, options: dict) -> Any:
    dim = len(points)
    modes = (int(modes),) * dim if np.ndim(modes) == 0 else tuple(modes)
    if len(modes) != dim:
        raise BadArgument(f'modes={modes}: {dim} numbers are needed')
    plan = _plan(points[0], strengths, modes, 1, tolerance, {'sign': sign}, options).set_points(*points)
    return _run(plan, plan.type1, strengths, 1, out)


def _type2(points: tuple, modes: Any, tolerance: float, sign: int, out: Any, options: dict) -> Any:
    dim = len(points)
    plan = _plan(points[0], modes, tuple(modes.shape[-dim:]), dim, tolerance, {'type2_sign': sign}, options)
    return _run(plan.set_points(*points), plan.type2, modes, dim, out)


def _type3(points: tuple, strengths: Any, targets: tuple, tolerance: float, sign: int, out: Any, options: dict) -> Any:
    options['dim'] = len(points)
    plan = _plan(points[0], strengths, None, 1, tolerance, {'sign': sign}, options).set_points(*points)
    plan.set_targets(*targets)
    return _run(plan, plan.type3, strengths, 1, out)


def _run(plan: Plan, transform: Any, data: Any, axes: int, out: Any) -> Any:
    """The result of a transform, complete on a GPU too. Of a batch of one vector the library sees the vector."""
    single = len(data.shape) > axes and data.shape[0] == 1
    result = transform(data[0], None if out is None else out[0]) if single else transform(data, out)
    plan.check()
    return out if out is not None else result[None] if single else result


def nufft1d1(x: Any, strengths: Any, modes: Any, *, tolerance: float = 1e-6, sign: int = 1, out: Any = None,
             **options: Any) -> Any:
    """modes[m] = sum_j strengths[j] exp(sign i m x_j), m = -n/2 ... (n-1)//2.

    x          [n] radians, float64 or float32; anywhere
    strengths  [n] or [batch, n] complex128 or complex64, which is the precision
    modes      number of modes
    out        [modes] or [batch, modes] for the result
    options    of :class:`Plan`

    Returns [modes] or [batch, modes], of the kind of x. For the same points again :class:`Plan` is faster.
    """
    return _type1((x,), strengths, modes, tolerance, sign, out, options)


def nufft2d1(x: Any, y: Any, strengths: Any, modes: Any, *, tolerance: float = 1e-6, sign: int = 1,
             out: Any = None, **options: Any) -> Any:
    """As nufft1d1(): modes[m1, m2] = sum_j strengths[j] exp(sign i (m1 x_j + m2 y_j)); modes (n1, n2)."""
    return _type1((x, y), strengths, modes, tolerance, sign, out, options)


def nufft3d1(x: Any, y: Any, z: Any, strengths: Any, modes: Any, *, tolerance: float = 1e-6, sign: int = 1,
             out: Any = None, **options: Any) -> Any:
    """As nufft1d1(): modes[m1, m2, m3] of coordinates x, y, z; modes (n1, n2, n3)."""
    return _type1((x, y, z), strengths, modes, tolerance, sign, out, options)


def nufft1d2(x: Any, modes: Any, *, tolerance: float = 1e-6, sign: int = -1, out: Any = None,
             **options: Any) -> Any:
    """values[j] = sum_m modes[m] exp(sign i m x_j), m = -n/2 ... (n-1)//2.

    x      [n] radians
    modes  [n1] or [batch, n1] complex128 or complex64
    out    [n] or [batch, n] for the result

    Returns [n] or [batch, n], of the kind of x.
    """
    return _type2((x,), modes, tolerance, sign, out, options)


def nufft2d2(x: Any, y: Any, modes: Any, *, tolerance: float = 1e-6, sign: int = -1, out: Any = None,
             **options: Any) -> Any:
    """As nufft1d2(), modes [n1, n2] or [batch, n1, n2]."""
    return _type2((x, y), modes, tolerance, sign, out, options)


def nufft3d2(x: Any, y: Any, z: Any, modes: Any, *, tolerance: float = 1e-6, sign: int = -1, out: Any = None,
             **options: Any) -> Any:
    """As nufft1d2(), modes [n1, n2, n3] or [batch, n1, n2, n3]."""
    return _type2((x, y, z), modes, tolerance, sign, out, options)


def nufft1d3(x: Any, strengths: Any, s: Any, *, tolerance: float = 1e-6, sign: int = 1, out: Any = None,
             **options: Any) -> Any:
    """values[k] = sum_j strengths[j] exp(sign i s_k x_j).

    x          [n] points, s [m] targets; s x is in radians and nothing is folded
    strengths  [n] or [batch, n] complex128 or complex64
    out        [m] or [batch, m] for the result

    Returns [m] or [batch, m], of the kind of x.
    """
    return _type3((x,), strengths, (s,), tolerance, sign, out, options)


def nufft2d3(x: Any, y: Any, strengths: Any, s: Any, t: Any, *, tolerance: float = 1e-6, sign: int = 1,
             out: Any = None, **options: Any) -> Any:
    """As nufft1d3(), with targets (s, t)."""
    return _type3((x, y), strengths, (s, t), tolerance, sign, out, options)


def nufft3d3(x: Any, y: Any, z: Any, strengths: Any, s: Any, t: Any, u: Any, *, tolerance: float = 1e-6,
             sign: int = 1, out: Any = None, **options: Any) -> Any:
    """As nufft1d3(), with targets (s, t, u)."""
    return _type3((x, y, z), strengths, (s, t, u), tolerance, sign, out, options)


# ---- sums without an FFT: exact to rounding, O(points * modes), on the CPU ----

def _direct_options(modes: tuple[int, ...], sign: dict, period: float, threads: int | None) -> Any:
    options = fill(NufftOptions, 'enuf_nufft_options_init', {
        'dim': len(modes), 'modes': modes[::-1] + (1,) * (3 - len(modes)), 'threads': threads_here(threads), **sign})
    frame = (c_double * 9)()
    for d in range(len(modes)):
        frame[3 * d + len(modes) - 1 - d] = 1 / period
    return options, frame


def direct_type1(points: Any, strengths: Any, modes: Sequence[int], *, sign: int = -1, period: float = TWO_PI,
                 threads: int | None = None) -> np.ndarray:
    """Type 1 of :class:`Plan`, summed directly.

    points     [n, dim]
    strengths  [n] complex
    modes      (n1, ...), of dim numbers

    Returns modes, complex128.
    """
    modes = tuple(int(n) for n in modes)
    points = host_array(points, 'points', (None, len(modes)))
    strengths = _complex_array(strengths, 'strengths', (len(points),))
    options, frame = _direct_options(modes, {'sign': sign}, period, threads)
    result = np.empty(modes, np.complex128)
    check(lib.enuf_direct_type1(byref(options), frame, None, len(points), *_pointers(points), len(modes),
                                strengths.ctypes.data, result.ctypes.data))
    return result


def direct_type2(points: Any, modes: Any, *, sign: int = 1, period: float = TWO_PI,
                 threads: int | None = None) -> np.ndarray:
    """Type 2 of :class:`Plan`, summed directly.

    points  [n, dim]
    modes   of dim axes, complex
    sign    of the exponent

    Returns values [n], complex128.
    """
    modes = _complex_array(modes, 'modes', None)
    points = host_array(points, 'points', (None, modes.ndim))
    options, frame = _direct_options(modes.shape, {'type2_sign': sign}, period, threads)
    values = np.empty(len(points), np.complex128)
    check(lib.enuf_direct_type2(byref(options), frame, None, len(points), *_pointers(points), modes.ndim,
                                modes.ctypes.data, values.ctypes.data, None))
    return values


def direct_sum(sources: Any, strengths: Any, targets: Any, *, sign: int = 1, threads: int | None = None) -> np.ndarray:
    """values[t] = sum_s strengths[s] exp(sign i targets[t] . sources[s]), summed directly.

    sources [n, dim], strengths [n] complex, targets [m, dim]. Returns values [m], complex128.
    """
    sources = host_array(sources, 'sources', (None, None))
    targets = host_array(targets, 'targets', (None, sources.shape[1])) / TWO_PI  # the library counts turns
    strengths = _complex_array(strengths, 'strengths', (len(sources),))
    values = np.empty(len(targets), np.complex128)
    check(lib.enuf_direct_sum(sources.shape[1], sign, threads_here(threads) or 0, len(sources), sources.ctypes.data,
                              strengths.ctypes.data, len(targets), targets.ctypes.data, values.ctypes.data, None))
    return values


def _pointers(points: np.ndarray) -> list[int | None]:
    return [points.ctypes.data + 8 * d if d < points.shape[1] else None for d in range(3)]


def _complex_array(value: Any, name: str, shape: tuple[int, ...] | None) -> np.ndarray:
    array = np.ascontiguousarray(value, np.complex128)
    if shape is not None and array.shape != shape:
        raise ArrayError(f'{name}: shape {array.shape}: {shape} is needed')
    return array
