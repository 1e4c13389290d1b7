"""The class Plan(Placed): transforms of points that serve many times. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from ctypes import byref, c_double, c_void_p, sizeof
from typing import Any, Sequence

import numpy as np

from . import _arrays
from ._create import create
from ._handle import Handle, threads_here
from ._library import check, lib, name_of
from ._options import fill
from ._placed import Placed
from ._points import coordinates_of
from ._report import PlanReport
from ._stages import whole_grid
from ._structs import (CENTRED, COMPLEX, COMPLEX_STRENGTHS, DOUBLE, FFT_ORDER, FLOAT, REAL,
                       REAL_STRENGTHS, NufftOptions, NufftReport)
from .errors import BadArgument, NoPointsSet

TWO_PI = 2 * np.pi
PRECISIONS = {'complex128': (DOUBLE, 'float64'), 'complex64': (FLOAT, 'float32')}
_EFFORTS = ('estimate', 'measure', 'patient')


class Plan(Placed):
    """A non-uniform fast Fourier transform, types 1 and 2, or type 3.

        type 1   modes[m]  = sum_j strengths[j] exp(sign i m . x_j 2 pi/period)       points -> modes
        type 2   values[j] = sum_m modes[m]     exp(type2_sign i m . x_j 2 pi/period)   modes -> points
        type 3   values[k] = sum_j strengths[j] exp(sign i s_k . x_j)                points -> targets

    Axis d of the modes belongs to coordinate d. Nothing is normalised. Points may lie anywhere.

    modes       (n1,), (n1, n2) or (n1, n2, n3); None with dim for type 3
    tolerance   relative l2 error, 1e-1 ... 1e-14, complex64 1e-1 ... 1e-6 [1e-6]
    dim         of type 3: 1, 2 or 3; modes then are targets
    dtype       'complex128' or 'complex64': of strengths, modes and values
    sign        of the exponent of type 1 and type 3, -1 or +1 [-1]
    type2_sign  of type 2 [-sign: type 2 is then the adjoint of type 1]
    batch       transforms of the same points in one call; arrays then begin with this axis [1]
    real        strengths are real, and modes are (n1, ..., (nd + 1) // 2): those with m_d >= 0
    mode_order  'centred': -n/2 ... (n-1)//2, or 'fft': 0, 1, ..., then the negative ones
    period      of the coordinates [2 pi]
    gradients   True: the window suits gradients of type 2 too
    point_sets  1, or batch: coordinates are [batch, n]
    fft_effort  'estimate', 'measure', 'patient', of FFTW
    level       'sorted', 'none' (no sorting; not on a GPU), 'weights', 'matrix', 'gram': kept of the points ['sorted']
    spreading, interpolation  on a GPU: 'windows', 'tiles'; 'slide' of spreading and 'points' of interpolation in 3D,
                'gather' of interpolation ['auto']
    window_table  True: the window's values are read from a table; on a GPU in 3D by 'windows' [polynomials]

    window, width, shape, upsampling, fine_grid, density, backend, device, stream, isa, fft, threads,
    deterministic, strength_bound, memory_limit as in enuf/nufft.h. A plan serves one thread at a time.
    Arrays on a GPU are computed there, on the caller's stream; check() then reports errors of the data.

    Raises BadArgument, UnreachableAccuracy, NoBackend, OutOfMemory.
    """

    def __init__(self, modes: Sequence[int] | int | None = None, tolerance: float | None = None, *,
                 dim: int | None = None, dtype: Any = 'complex128', sign: int | None = None,
                 type2_sign: int | None = None, batch: int = 1, real: bool = False,
                 mode_order: str = 'centred', period: float = TWO_PI, gradients: bool | None = None,
                 point_sets: int | None = None, fft_effort: str | None = None, window: str | None = None,
                 width: int | None = None, shape: float | None = None, upsampling: float | None = None,
                 fine_grid: Sequence[int] | None = None, density: float | None = None,
                 backend: str | None = None, device: int | None = None, stream: Any = None,
                 isa: str | None = None, fft: str | None = None, threads: int | None = None,
                 deterministic: bool | None = None, strength_bound: float | None = None,
                 memory_limit: int | None = None, level: str | None = None, spreading: str | None = None,
                 interpolation: str | None = None, window_table: bool | None = None):
        self.modes = None if modes is None else tuple(int(n) for n in np.atleast_1d(modes))
        if (modes is None) == (dim is None) or (self.modes is not None and not 1 <= len(self.modes) <= 3):
            raise BadArgument(f'modes={modes!r}, dim={dim!r}: 1 to 3 numbers of modes, or dim for type 3')
        self.dim = len(self.modes) if self.modes is not None else int(dim or 0)
        self.dtype = np.dtype(dtype).name
        if self.dtype not in PRECISIONS:
            raise BadArgument(f"dtype={dtype!r}: 'complex128' or 'complex64' is needed")
        precision, self.real_dtype = PRECISIONS[self.dtype]
        self.batch, self.real = int(batch), bool(real)
        if mode_order not in ('centred', 'fft'):
            raise BadArgument(f"mode_order={mode_order!r}: 'centred' or 'fft' is needed")
        if fft_effort not in (None, *_EFFORTS):
            raise BadArgument(f'fft_effort={fft_effort!r}: one of {", ".join(_EFFORTS)} is needed')
        reverse = self.modes[::-1] + (1,) * (3 - self.dim) if self.modes is not None else None
        self._options = fill(NufftOptions, 'enuf_nufft_options_init', {
            'dim': self.dim, 'modes': reverse, 'precision': precision, 'type3': self.modes is None,
            'strengths': REAL_STRENGTHS if real else COMPLEX_STRENGTHS, 'sign': sign, 'type2_sign': type2_sign,
            'batch': batch, 'mode_order': FFT_ORDER if mode_order == 'fft' else CENTRED, 'tolerance': tolerance,
            'gradients': gradients, 'point_sets': point_sets, 'window': window, 'width': width, 'shape': shape,
            'upsampling': upsampling,
            'fine_grid': None if fine_grid is None else [*fine_grid][::-1] + [0] * (3 - self.dim),
            'density': density, 'backend': backend, 'isa': isa, 'device': device, 'stream': stream,
            'threads': threads_here(threads), 'deterministic': deterministic, 'strength_bound': strength_bound,
            'fft_effort': None if fft_effort is None else _EFFORTS.index(fft_effort),
            'memory_limit': memory_limit, 'fft': fft, 'level': level, 'spreading': spreading,
            'interpolation': interpolation, 'window_table': window_table})
        if not (np.isfinite(period) and period > 0):
            raise BadArgument(f'period={period}: a positive number is needed')
        # coordinate d belongs to axis d of the modes, and the last axis is the library's first
        self._frame = (c_double * 9)()
        for d in range(self.dim):
            self._frame[3 * d + self.dim - 1 - d] = 1 / period
        self._stored = self._stored_modes()
        self._sets = (self.batch,) if self._options.point_sets > 1 else ()
        self._points: int | None = None
        self._targets: int | None = None
        self._like: Any = None  # the view of the points
        self._device: int | None = None
        self._stream = 0
        self._handle = self._make(None, 0)

    def _stored_modes(self) -> tuple[int, ...]:
        if self.modes is None or not self.real:
            return self.modes or ()
        return (*self.modes[:-1], (self.modes[-1] + 1) // 2)

    def _make(self, device: int | None, stream: int) -> Handle:
        made = create('nufft', self._options, device, stream, 'points')
        if self.modes is not None:
            with made as address:
                check(lib.enuf_nufft_set_frame(address, self._frame, None))
        self._device, self._stream = device, self._options.stream or stream
        return made

    # ---- points ----

    def set_points(self, x: Any, y: Any = None, z: Any = None) -> Plan:
        """Sets the points: coordinates [n] each, or one array [n, dim]; float64 or float32.

        With point_sets = batch coordinates are [batch, n]. Returns the plan. Raises NotFinite, which names the
        first bad point.
        """
        coordinates, n, stride = coordinates_of((x, y, z), 'xyz', self.dim, self._sets)
        first = coordinates[0]
        if first.device != self._device:
            self._handle = self._make(first.device, first.stream)
        self._call('enuf_nufft_set_points', coordinates, n, stride)
        self._points, self._targets, self._like = n, None, first
        return self

    def set_runs(self, lengths: Any, start: Any, step: Any) -> Plan:
        """Sets the points as runs, such as the readouts of a scanner: sample i of run r is start[r] + i step[r].

        lengths      [runs] int64, of NumPy, PyTorch, CuPy or JAX: samples of each run, 0 or more; points follow each
                     other run by run
        start, step  [runs, dim] float64: the first sample, and the way to the next one; with point_sets = batch
                     [batch, runs, dim]

        A coordinate is fma(i, step, start) in float64, rounded once to the precision of the plan. Arrays are
        contiguous. On a GPU they take the place of the coordinates, which the GPU fills in. Returns the plan. Raises
        NotFinite, which names run and axis of a bad number.
        """
        views = [_arrays.view(lengths, 'lengths'), _arrays.view(start, 'start'), _arrays.view(step, 'step')]
        first = views[0]
        _arrays.expect(first, 'lengths', 'int64', (None,))
        for found, name in zip(views, ('lengths', 'start', 'step')):
            if found is not first:
                _arrays.expect(found, name, 'float64', (*self._sets, first.shape[0], self.dim))
            _arrays.expect_device(found, name, first.device, 'lengths live')
            _arrays.expect_order(found, name)
        if first.device != self._device:
            self._handle = self._make(first.device, first.stream)
        with self._handle as address:
            self._before(first)
            check(lib.enuf_nufft_set_runs(address, first.shape[0], *[found.pointer for found in views]))
        self._points, self._targets, self._like = int(lengths.sum()), None, views[1]
        return self

    def set_targets(self, s: Any, t: Any = None, u: Any = None) -> Plan:
        """Sets the targets of type 3, as set_points() sets the points, which are set before. Returns the plan."""
        coordinates, n, stride = coordinates_of((s, t, u), 'stu', self.dim, self._sets)
        _arrays.expect_device(coordinates[0], 'targets', self._device, 'points live')
        self._call('enuf_nufft_set_targets', coordinates, n, stride)
        self._targets = n
        return self

    def _call(self, function: str, coordinates: list[_arrays.View], n: int, stride: int) -> None:
        single = coordinates[0].dtype == 'float32'
        call = getattr(lib, function + '_f32' if single else function)
        pointers = [found.pointer for found in coordinates]
        if len(coordinates) < self.dim:  # [n, dim]
            pointers = [pointers[0] + (4 if single else 8) * d for d in range(self.dim)]
        with self._handle as address:
            self._before(coordinates[0])
            check(call(address, n, *pointers, *[None] * (3 - self.dim), stride))

    def set_point_weights(self, weights: Any) -> None:
        """Multiplies point j by weights[j] in all transforms: [n], or [batch, n]; real or complex; None: none."""
        self._weights(lib.enuf_nufft_set_point_weights, weights, (self._number(),))

    def set_mode_weights(self, weights: Any) -> None:
        """Multiplies the modes (of type 3 the targets) by weights of their shape; real or complex; None: none."""
        self._weights(lib.enuf_nufft_set_mode_weights, weights, self._mode_shape())

    def _weights(self, function: Any, weights: Any, shape: tuple[int, ...]) -> None:
        if weights is None:
            with self._handle as address:
                check(function(address, REAL, 1, None))
            return
        found = _arrays.view(weights, 'weights')
        kind = REAL if found.dtype == self.real_dtype else COMPLEX
        sets = self.batch if len(found.shape) == len(shape) + 1 else 1
        found = self._data(weights, 'weights', self.real_dtype if kind == REAL else self.dtype,
                           (sets, *shape) if len(found.shape) > len(shape) else shape)
        with self._handle as address:
            self._before(found)
            check(function(address, kind, sets, found.pointer))

    # ---- transforms ----

    def type1(self, strengths: Any, out: Any = None) -> Any:
        """Type 1: strengths [n] or [batch, n] -> modes, of the plan's shape or [batch, ...]. Returns `out`, or
        a new array of the kind of the points."""
        return self._transform(lib.enuf_nufft_type1, strengths, self._at_points, out, self._at_modes)

    def type2(self, modes: Any, out: Any = None, *, gradients: Any = None) -> Any:
        """Type 2: modes -> values [n] or [batch, n].

        gradients  array [n, dim] or [batch, n, dim] for the gradients d/dx, per unit of x; True: a new one. Then
                   (values, gradients) is returned
        """
        data = self._data(modes, 'modes', *self._at_modes())
        dtype, shape = self._at_points()
        values, slopes = self._output(out, 'out', dtype, shape, self._like), None
        gradients = None if gradients is False else gradients
        wanted = None if gradients is True else gradients
        if gradients is not None:
            slopes = self._output(wanted, 'gradients', dtype, (*shape, self.dim), self._like)
        with self._handle as address:
            self._before(data)
            check(lib.enuf_nufft_type2(address, data.pointer, values.pointer, slopes.pointer if slopes else None))
            self._after(address, data)
        result = self._given(values, out, self._like)
        return (result, self._given(slopes, wanted, self._like)) if slopes else result

    def type1_adjoint(self, modes: Any, out: Any = None) -> Any:
        """The adjoint of type 1: modes -> values [n] or [batch, n]."""
        return self._transform(lib.enuf_nufft_type1_adjoint, modes, self._at_modes, out, self._at_points)

    def type2_adjoint(self, values: Any, out: Any = None) -> Any:
        """The adjoint of type 2: values [n] or [batch, n] -> modes."""
        return self._transform(lib.enuf_nufft_type2_adjoint, values, self._at_points, out, self._at_modes)

    def gram(self, modes: Any, out: Any = None) -> Any:
        """The Gram operator A^H W A: A is type 2 with the weights of the modes, W are the weights of the points.

        Modes -> modes, in two arrays. With level='gram' the first call after the points or their weights were set makes
        a spectrum, which serves all calls; at other levels it is type 2 and its adjoint.
        """
        self._number()
        return self._transform(lib.enuf_nufft_gram, modes, self._at_modes, out, self._at_modes)

    def type3(self, strengths: Any, out: Any = None) -> Any:
        """Type 3: strengths [n] or [batch, n] -> values at the targets [m] or [batch, m]."""
        return self._transform(lib.enuf_nufft_type3, strengths, self._at_points, out, self._at_modes)

    def type3_adjoint(self, values: Any, out: Any = None) -> Any:
        """The adjoint of type 3: values at the targets -> strengths [n] or [batch, n]."""
        return self._transform(lib.enuf_nufft_type3_adjoint, values, self._at_modes, out, self._at_points)

    # ---- single stages, enuf/nufft_stages.h ----

    def spread(self, strengths: Any, out: Any = None) -> Any:
        """Convolution alone: strengths [n] -> the fine grid, of the shape report().fine_grid, without weights. Needs
        batch = 1 and types 1 and 2."""
        return self._stage(strengths, self._at_points(), out, self._at_cells(), spread=True)

    def interpolate(self, cells: Any, out: Any = None) -> Any:
        """Convolution alone: the fine grid -> values [n], the transpose of spread()."""
        return self._stage(cells, self._at_cells(), out, self._at_points(), spread=False)

    def _stage(self, data: Any, source: tuple[str, tuple[int, ...]], out: Any, target: tuple[str, tuple[int, ...]], *,
               spread: bool) -> Any:
        found = self._data(data, 'strengths' if spread else 'cells', *source)
        result = self._output(out, 'out', *target, self._like)
        grid = whole_grid(self.report().fine_grid)
        with self._handle as address:
            self._before(found)
            if spread:
                check(lib.enuf_stage_spread(address, found.pointer, None, byref(grid), result.pointer, 0))
            else:
                check(lib.enuf_stage_interpolate(address, byref(grid), found.pointer, None, result.pointer, None, 0))
            self._after(address, found)
        return self._given(result, out, self._like)

    def _wait(self, address: c_void_p) -> None:
        check(lib.enuf_nufft_check(address, None))

    def report(self) -> PlanReport:
        """The method in use."""
        record = NufftReport(struct_size=sizeof(NufftReport))
        with self._handle as address:
            check(lib.enuf_nufft_get_report(address, byref(record)))
        return PlanReport(name_of('backend', record.backend), name_of('window', record.window), record.width,
                          record.shape, record.upsampling, tuple(record.fine_grid[:self.dim])[::-1], record.error,
                          record.gradient_error, record.bytes)

    def _number(self) -> int:
        if self._points is None:
            raise NoPointsSet('the plan has no points: set_points() sets them')
        return self._points

    def _mode_shape(self) -> tuple[int, ...]:
        if self.modes is not None:
            return self._stored
        if self._targets is None:
            raise NoPointsSet('the plan has no targets: set_points(), then set_targets() sets them')
        return (self._targets,)

    def _batched(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        return (self.batch, *shape) if self.batch > 1 else shape

    def _at_points(self) -> tuple[str, tuple[int, ...]]:
        return self.real_dtype if self.real else self.dtype, self._batched((self._number(),))

    def _at_modes(self) -> tuple[str, tuple[int, ...]]:
        return self.dtype, self._batched(self._mode_shape())

    def _at_cells(self) -> tuple[str, tuple[int, ...]]:
        if self.batch > 1 or self.modes is None:
            raise BadArgument(f'batch={self.batch}, modes={self.modes}: stages are of plans of types 1 and 2 with '
                              'batch = 1')
        return self.real_dtype if self.real else self.dtype, self.report().fine_grid

    def _transform(self, function: Any, data: Any, source: Any, out: Any, target: Any) -> Any:
        found = self._data(data, 'data', *source())
        result = self._output(out, 'out', *target(), self._like)
        with self._handle as address:
            self._before(found)
            check(function(address, found.pointer, result.pointer))
            self._after(address, found)
        return self._given(result, out, self._like)
