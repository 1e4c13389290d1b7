"""The class Direct: the signal of an image, summed directly. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from ctypes import c_void_p
from typing import Any, Sequence

import numpy as np

from . import _arrays
from ._handle import threads_here
from ._library import check, lib
from ._options import fill
from ._signal import Signal
from ._structs import DirectOptions
from .errors import NoPointsSet


class Direct(Signal):
    """Sums without an FFT between pixels and samples at any places: exact, O(samples * pixels).

        forward   data[j]  = sum_k image[k] B(j,k) exp(sign i p(j,k) - R_k t_j)     pixels -> samples
        adjoint   image[k] = sum_j data[j]  B(j,k) exp(-sign i p(j,k) - R_k t_j)    samples -> pixels

        p(j,k) = 2 pi k_j . r_k + w_k t_j
        B(j,k) = 1, or with a voxel prod_d sinc(k_jd v_d + G_kd t_j), sinc(x) = sin(pi x) / (pi x)

    Nothing is normalised. k . r is in turns: k in cycles for each unit of r.

    dim     1, 2 or 3
    dtype   'complex128' or 'complex64', of image and data; places, times and maps are float64 in both
    sign    of the exponent of forward, -1 or +1 [-1]
    batch   images, and their data, in one call; arrays then begin with this axis [1]

    backend, device, stream, isa, threads as in enuf/direct.h. An object serves one thread at a time. The object copies
    samples, pixels and maps. Arrays on a GPU are summed there, on the caller's stream; check() then reports errors of
    the data. All arrays live where the samples do. Samples from elsewhere move the object there: places of pixels, and
    the field, then have to be set again.

    Raises BadArgument, BadMemory, NoBackend, OutOfMemory.
    """
    _kind = 'direct'

    def __init__(self, dim: int, *, dtype: Any = 'complex128', sign: int | None = None, batch: int = 1,
                 backend: str | None = None, device: int | None = None, stream: Any = None, isa: str | None = None,
                 threads: int | None = None):
        self.dim = int(dim)
        self._options = fill(DirectOptions, 'enuf_direct_options_init', {
            'dim': dim, 'precision': self._choose(dtype, batch), 'sign': sign, 'batch': batch, 'backend': backend,
            'device': device, 'stream': stream, 'isa': isa, 'threads': threads_here(threads)})
        self._pixels: tuple[int, ...] | None = None
        self._grid: tuple[np.ndarray, np.ndarray | None, np.ndarray | None] | None = None
        self._handle = self._make(None, 0)

    def _move(self, device: int | None, stream: int) -> None:
        super()._move(device, stream)
        self._pixels = None
        if self._grid is not None:
            self._put_grid(*self._grid)

    def set_samples(self, kx: Any, ky: Any = None, kz: Any = None, *, times: Any = None) -> Direct:
        """Sets the samples: coordinates [n] each, or one array [n, dim]. Returns the object.

        times  [n] in s, negative ones are legal; None: no times, and then no field map, decay or gradient

        Raises NotFinite, which names the first bad sample.
        """
        self._set_samples((kx, ky, kz), times)
        return self

    def set_pixels(self, x: Any, y: Any = None, z: Any = None) -> Direct:
        """Sets pixels at any places: coordinates [m] each, or one array [m, dim]. Images are [m]. The field has to be
        set again. Returns the object."""
        views, pointers, n, stride = self._places((x, y, z), 'xyz')
        if self._samples is not None:
            _arrays.expect_device(views[0], 'x', self._device, self._anchor)
        elif views[0].device != self._device:
            self._move(views[0].device, views[0].stream)
        self._call('set_pixels', n, *pointers, stride, arrays=views)
        self._pixels, self._grid = (n,), None
        return self

    def set_pixel_grid(self, shape: Sequence[int] | int, *, spacing: Any = None, first: Any = None) -> Direct:
        """Sets pixels on a grid: pixel i of axis d is at first[d] + i spacing[d]. Images have this shape, and axis d
        belongs to coordinate d. The field has to be set again. Returns the object.

        shape    (n1, ...), of dim numbers
        spacing  [dim] or a number; None: 1 / n_d, a field of view of 1: k is in cycles per field of view
        first    [dim] or a number, place of pixel 0; None: -(n_d // 2) spacing[d]
        """
        counts = self._numbers(np.atleast_1d(shape), 'shape', 'int64')
        self._put_grid(counts, *(None if given is None else self._numbers(given, name)
                                 for name, given in (('spacing', spacing), ('first', first))))
        return self

    def _put_grid(self, *grid: np.ndarray | None) -> None:
        self._call('set_pixel_grid', *(None if array is None else array.ctypes.data for array in grid))
        self._grid, self._pixels = grid, tuple(int(n) for n in grid[0][::-1])

    def set_field(self, omega: Any = None, *, decay: Any = None, gradient: Any = None, voxel: Any = None) -> Direct:
        """Sets what pixels do besides their place, in place of what an earlier call has set. Set the pixels first.
        Returns the object.

        omega     field map w in rad/s, of the shape of an image
        decay     R in 1/s, of the shape of an image
        gradient  G in Hz, the change of the field across a voxel along axis d: dim maps, or an array [dim, ...]. It
                  needs a voxel
        voxel     [dim] edges of a voxel in the unit of r, or one for all. Without gradient B is prod_d sinc(k_jd v_d)
        """
        self._set_field(omega, decay, gradient, voxel)
        return self

    def forward(self, image: Any, out: Any = None, *, gradients: Any = None) -> Any:
        """The data [n] or [batch, n] of an image. Returns `out`, or a new array of the kind of the image.

        gradients  array [n, dim] or [batch, n, dim] for the gradients d/dk, for each unit of k; True: a new one. Then
                   (data, gradients) is returned
        """
        found = self._data(image, 'image', self.dtype, self._batched(self._pixel_shape()))
        shape, slopes = self._data_shape(), None
        wanted = None if gradients is True else gradients
        if gradients is not None and gradients is not False:
            slopes = self._output(wanted, 'gradients', self.dtype, (*shape, self.dim), found)
            _arrays.expect_reversible(slopes, 'gradients')
        values = self._output(out, 'out', self.dtype, shape, found)
        given = [view for view, array in ((values, out), (slopes, wanted)) if view and array is not None]
        self._call('forward', found.pointer, values.pointer, slopes.pointer if slopes else None,
                   arrays=(found, *given))
        result = self._given(values, out, found)
        if slopes is None:
            return result
        return result, self._given(_arrays.reverse_last(slopes), wanted, found)

    def adjoint(self, data: Any, out: Any = None) -> Any:
        """The adjoint of forward: data [n] or [batch, n] -> image. Returns `out`, or a new array of the kind of the
        data."""
        return self._apply('adjoint', data, 'data', self._data_shape(), out, self._batched(self._pixel_shape()))

    def _wait(self, address: c_void_p) -> None:
        check(lib.enuf_direct_check(address, None))

    def _pixel_shape(self) -> tuple[int, ...]:
        if self._pixels is None:
            raise NoPointsSet('no pixels are set: set_pixels() or set_pixel_grid() sets them')
        return self._pixels
