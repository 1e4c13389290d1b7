"""The class Gram: A^H W A without the points. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from ctypes import byref, c_void_p, sizeof
from typing import Any, Sequence

import numpy as np

from . import _arrays
from ._create import create
from ._handle import Handle, threads_here
from ._library import check, lib, name_of
from ._options import fill
from ._placed import Placed
from ._plan import PRECISIONS, TWO_PI
from ._points import coordinates_of
from ._report import GramReport
from ._structs import CENTRED, FFT_ORDER, GramReportRecord, NufftOptions
from .errors import BadArgument


class Gram(Placed):
    """The Gram operator A^H W A of a transform: A is type 2 of :class:`enuf.Plan`, W are weights of its points.

        out = gram(modes)       modes and out: of the shape (n1, ...), or (batch, n1, ...)

    Points are needed once, in set_points(). Each call then takes the same time for any number of points.

    modes          (n1,), (n1, n2) or (n1, n2, n3); axis d belongs to coordinate d
    tolerance      relative l2 error of the operator's kernel, 1e-1 ... 1e-14 [1e-6]
    dtype          'complex128' or 'complex64'
    sign           of the exponent of type 1; type2_sign of type 2 [-1; -sign]
    batch          vectors in one call [1]
    mode_order     'centred' or 'fft'
    period         of the coordinates [2 pi]
    circulant      sizes of the circulant, even numbers of at least 2 modes [chosen]

    backend        'auto': the CPU for points on the host, the GPU for points on it; 'cpu'; 'cuda'
    stream         of CuPy or PyTorch, or the number of a cudaStream_t [the caller's current one]

    isa, fft, threads, deterministic, memory_limit as in enuf/gram.h. Modes live where the points do. On a GPU check()
    tells whether results were not finite.

    Raises BadArgument, Unsupported, OutOfMemory.
    """

    def __init__(self, modes: Sequence[int] | int, tolerance: float | None = None, *, dtype: Any = 'complex128',
                 sign: int | None = None, type2_sign: int | None = None, batch: int = 1, mode_order: str = 'centred',
                 period: float = TWO_PI, circulant: Sequence[int] | None = None, backend: str | None = None,
                 device: int | None = None, stream: Any = None, isa: str | None = None, fft: str | None = None,
                 threads: int | None = None, deterministic: bool | None = None, memory_limit: int | None = None):
        self.modes = tuple(int(n) for n in np.atleast_1d(modes))
        self.dim = len(self.modes)
        self.dtype, self.batch = np.dtype(dtype).name, int(batch)
        if not 1 <= self.dim <= 3:
            raise BadArgument(f'modes={modes!r}: 1 to 3 numbers of modes')
        if self.dtype not in PRECISIONS:
            raise BadArgument(f"dtype={dtype!r}: 'complex128' or 'complex64' is needed")
        if mode_order not in ('centred', 'fft'):
            raise BadArgument(f"mode_order={mode_order!r}: 'centred' or 'fft' is needed")
        precision, self.real_dtype = PRECISIONS[self.dtype]
        rest = 3 - self.dim
        self._options = fill(NufftOptions, 'enuf_nufft_options_init', {
            'dim': self.dim, 'modes': self.modes[::-1] + (1,) * rest, 'precision': precision, 'sign': sign,
            'type2_sign': type2_sign, 'batch': batch, 'mode_order': FFT_ORDER if mode_order == 'fft' else CENTRED,
            'period': period, 'tolerance': tolerance, 'backend': backend, 'device': device, 'stream': stream,
            'isa': isa, 'fft': fft, 'fine_grid': None if circulant is None else [*circulant][::-1] + [0] * rest,
            'threads': threads_here(threads), 'deterministic': deterministic, 'memory_limit': memory_limit})
        self._handle = self._make(None, 0)

    def _make(self, device: int | None, stream: int) -> Handle:
        made = create('gram', self._options, device, stream, 'points')
        self._device, self._stream = device, self._options.stream or stream
        return made

    def set_points(self, x: Any, y: Any = None, z: Any = None, *, weights: Any = None) -> Gram:
        """Sets the points: coordinates [n] each, or one array [n, dim]; float64 or float32. Returns the operator.

        weights  [n] real, of the precision of `dtype`; None: 1
        """
        coordinates, n, stride = coordinates_of((x, y, z), 'xyz', self.dim, ())
        single = coordinates[0].dtype == 'float32'
        if len(coordinates) < self.dim:  # [n, dim]
            pointers = [coordinates[0].pointer + (4 if single else 8) * d for d in range(self.dim)]
        else:
            pointers = [found.pointer for found in coordinates]
        if coordinates[0].device != self._device:
            self._handle = self._make(coordinates[0].device, coordinates[0].stream)
        given = None if weights is None else self._data(weights, 'weights', self.real_dtype, (n,))
        call = lib.enuf_gram_set_points_f32 if single else lib.enuf_gram_set_points
        with self._handle as address:
            self._before(coordinates[0], given)
            # the last axis is the library's first
            check(call(address, n, *pointers[::-1], *[None] * (3 - self.dim), stride,
                       given.pointer if given else None))
        return self

    def __call__(self, modes: Any, out: Any = None) -> Any:
        """A^H W A modes. Returns `out`, or a new array of the kind of `modes`."""
        shape = (self.batch, *self.modes) if self.batch > 1 else self.modes
        found = self._data(modes, 'modes', self.dtype, shape)
        result = self._output(out, 'out', self.dtype, shape, found)
        with self._handle as address:
            self._before(found, result)
            check(lib.enuf_gram_apply(address, found.pointer, result.pointer))
            self._after(address, found)
        return self._given(result, out, found)

    def _wait(self, address: c_void_p) -> None:
        check(lib.enuf_gram_check(address))

    def report(self) -> GramReport:
        """The method in use."""
        record = GramReportRecord(struct_size=sizeof(GramReportRecord))
        with self._handle as address:
            check(lib.enuf_gram_get_report(address, byref(record)))
        return GramReport(name_of('backend', record.backend), tuple(record.length[:self.dim])[::-1], record.error,
                          record.bytes)
