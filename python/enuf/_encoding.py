"""The class Encoding: images in an uneven field, by transforms. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from ctypes import byref, c_void_p, sizeof
from typing import Any, Sequence

import numpy as np

from . import _arrays, _report
from ._handle import Handle, threads_here
from ._library import check, lib
from ._options import fill
from ._report import EncodingReport, Solution
from ._signal import Signal
from ._structs import (CENTRED, FFT_ORDER, EncodingOptions, EncodingReportRecord, EncodingSolutionRecord,
                       EncodingSolveOptions)
from .errors import BadArgument


class Encoding(Signal):
    """The signal of an image in an uneven field, and the image back: the sums of :class:`enuf.Direct` by transforms.

        forward   data[j]  = sum_k image[k] B(j,k) exp(sign i p(j,k) - R_k t_j)     pixels -> samples
        adjoint   image[k] = sum_j data[j]  B(j,k) exp(-sign i p(j,k) - R_k t_j)    samples -> pixels

        p(j,k) = 2 pi k_j . r_k + w_k t_j
        B(j,k) = 1, or with a voxel prod_d sinc(k_jd v_d + G_kd t_j), sinc(x) = sin(pi x) / (pi x)

    Pixel i of axis d is at r_d = (i - n_d // 2) / n_d, in fields of view; axis d belongs to coordinate d. Nothing is
    normalised. set_samples(), then set_field() are called before the others.

    pixels      (n1,), (n1, n2) or (n1, n2, n3): the shape of an image
    tolerance   relative l2 error, 0.1 ... 2e-14, complex64 0.1 ... 2e-6 [1e-4]
    dtype       'complex128' or 'complex64', of image, data and sensitivities; places, times and maps are float64
    sign        of the exponent of forward, -1 or +1 [-1]
    batch       images and their data in one call, or coils; arrays then begin with this axis [1]
    mode_order  of the pixels: 'centred', as above, or 'fft': i = 0 is the centre, as after numpy.fft.ifftshift()
    separation  'svd' or 'segments', of exp((sign i w - R) t) [svd]
    normal      A^H W A by 'transforms'; by 'gram', operators that need the samples only once for each set of weights;
                'auto': solve() takes what its iterations take less time with, on a CPU [auto]

    backend, device, stream, isa, fft, threads, memory_limit as in enuf/encoding.h. An object serves one thread at a
    time. The object copies samples and sensitivities. Arrays on a GPU are computed there, on the caller's stream;
    check() then reports errors of the data. All arrays live where the samples do. Samples from elsewhere move the
    object there; sensitivities then have to be set again.

    Raises BadArgument, UnreachableAccuracy, BadMemory, NoBackend, OutOfMemory.
    """
    _kind = 'encoding'

    def __init__(self, pixels: Sequence[int] | int, tolerance: float | None = None, *, dtype: Any = 'complex128',
                 sign: int | None = None, batch: int = 1, mode_order: str = 'centred', separation: str | None = None,
                 normal: str | None = None, backend: str | None = None, device: int | None = None, stream: Any = None,
                 isa: str | None = None, fft: str | None = None, threads: int | None = None,
                 memory_limit: int | None = None):
        self.pixels = tuple(int(n) for n in np.atleast_1d(pixels))
        self.dim = len(self.pixels)
        if not 1 <= self.dim <= 3:
            raise BadArgument(f'pixels={pixels!r}: 1 to 3 numbers of pixels')
        if mode_order not in ('centred', 'fft'):
            raise BadArgument(f"mode_order={mode_order!r}: 'centred' or 'fft' is needed")
        self._options = fill(EncodingOptions, 'enuf_encoding_options_init', {
            'dim': self.dim, 'pixels': self.pixels[::-1] + (1,) * (3 - self.dim),
            'precision': self._choose(dtype, batch), 'sign': sign, 'batch': batch,
            'mode_order': FFT_ORDER if mode_order == 'fft' else CENTRED, 'tolerance': tolerance,
            'separation': separation, 'normal': normal, 'backend': backend, 'device': device, 'stream': stream,
            'isa': isa, 'fft': fft, 'threads': threads_here(threads), 'memory_limit': memory_limit})
        self._handle = self._make(None, 0)

    def _make(self, device: int | None, stream: int) -> Handle:
        self._coils = False
        return super()._make(device, stream)

    def set_samples(self, kx: Any, ky: Any = None, kz: Any = None, *, times: Any = None) -> Encoding:
        """Sets the samples: coordinates [n] each, or one array [n, dim], in cycles per field of view, n_d / 2 being the
        edge of a full Cartesian grid. The field has to be set again. Returns the object.

        times  [n] in s, negative ones are legal; None: no times, and then no field map, decay or gradient

        Raises NotFinite, which names the first bad sample.
        """
        self._set_samples((kx, ky, kz), times)
        return self

    def set_field(self, omega: Any = None, *, decay: Any = None, gradient: Any = None, voxel: Any = None) -> Encoding:
        """Sets what happens in the pixels during the readout, and chooses the interpolators. Without arguments:
        plain transforms. Returns the object.

        omega     field map w in rad/s, of the shape of an image
        decay     R in 1/s, of the shape of an image
        gradient  G in Hz, the change of the field across a voxel along axis d: dim maps, of which some may be None
                  (0), or an array [dim, ...]. It needs a voxel, and takes more interpolators
        voxel     [dim] edges of a voxel in fields of view, or one for all; 1 / n_d leaves no gaps. Without gradient B
                  is prod_d sinc(k_jd v_d)

        Raises NotFinite, which names map and pixel; UnreachableAccuracy; OutOfMemory: :class:`enuf.Direct` needs none.
        """
        self._data_shape()
        self._set_field(omega, decay, gradient, voxel)
        return self

    def set_sensitivities(self, sensitivities: Any) -> Encoding:
        """Sets the sensitivities S of receive coils, as many as the batch; None removes them. Returns the object.

        There is one image then: forward gives the data of S_c image, adjoint the sum over the coils of conj(S_c) times
        the adjoint of their data.

        sensitivities  [batch, ...] complex
        """
        if sensitivities is None:
            self._call('set_sensitivities', None)
        else:
            found = _arrays.view(sensitivities, 'sensitivities')
            if self._samples is None and found.device != self._device:
                self._move(found.device, found.stream)
            found = self._data(sensitivities, 'sensitivities', self.dtype, self._batched(self.pixels))
            self._call('set_sensitivities', found.pointer, arrays=(found,))
        self._coils = sensitivities is not None
        return self

    def forward(self, image: Any, out: Any = None) -> Any:
        """The data [n] or [batch, n] of an image. Returns `out`, or a new array of the kind of the image."""
        return self._apply('forward', image, 'image', self._image_shape(), out, self._data_shape())

    def adjoint(self, data: Any, out: Any = None) -> Any:
        """The adjoint of forward: data -> image. Returns `out`, or a new array of the kind of the data."""
        return self._apply('adjoint', data, 'data', self._data_shape(), out, self._image_shape())

    def normal(self, image: Any, out: Any = None, *, weights: Any = None) -> Any:
        """A^H W A image, A being forward. Returns `out`, or a new array of the kind of the image.

        weights  [n] W of the samples, real, of the precision of `dtype`; None: 1
        """
        shape, of_samples = self._image_shape(), self._weights(weights)
        found = self._data(image, 'image', self.dtype, shape)
        result = self._output(out, 'out', self.dtype, shape, found)
        self._call('normal', of_samples.pointer if of_samples else None, found.pointer, result.pointer,
                   arrays=(found, of_samples, None if out is None else result))
        return self._given(result, out, found)

    def solve(self, data: Any, out: Any = None, *, weights: Any = None, lambda_: float | None = None,
              iterations: int | None = None, tolerance: float | None = None, start: bool = False) -> Solution:
        """Solves (A^H W A + lambda) image = A^H W data by conjugate gradients: the image with the least
        sum_j W_j |data_j - (A image)_j|^2 + lambda sum_k |image_k|^2.

        data        [n] or [batch, n]
        out         array for the image
        weights     [n] W of the samples, not negative, of the precision of `dtype`; None: 1
        lambda_     not negative; A^H A has the number of samples on its diagonal [0]
        iterations  at most [30]
        tolerance   ends where the residual is so much of A^H W data; 0: never before the last iteration [1e-6]
        start       True: begins at the image in `out`; False: at zero

        Returns image, iterations and residual. Images of a batch are solved one after the other.
        """
        if start and out is None:
            raise BadArgument('start=True begins at the image in `out`: give it')
        of_samples = self._weights(weights)
        found = self._data(data, 'data', self.dtype, self._data_shape())
        result = self._output(out, 'out', self.dtype, self._image_shape(), found)
        options = fill(EncodingSolveOptions, 'enuf_encoding_solve_options_init', {
            'lambda': lambda_, 'iterations': iterations, 'tolerance': tolerance, 'start': bool(start)})
        record = EncodingSolutionRecord(struct_size=sizeof(EncodingSolutionRecord))
        self._call('solve', found.pointer, of_samples.pointer if of_samples else None, byref(options), result.pointer,
                   byref(record), arrays=(found, of_samples, None if out is None else result))
        return Solution(self._given(result, out, found), record.iterations, record.residual)

    def report(self) -> EncodingReport:
        """The method in use: number of interpolators, predicted error, memory."""
        record = EncodingReportRecord(struct_size=sizeof(EncodingReportRecord))
        self._call('get_report', byref(record))
        return _report.read(EncodingReport, record)

    def _wait(self, address: c_void_p) -> None:
        check(lib.enuf_encoding_check(address))

    def _pixel_shape(self) -> tuple[int, ...]:
        return self.pixels

    def _image_shape(self) -> tuple[int, ...]:
        return self.pixels if self._coils else self._batched(self.pixels)

    def _weights(self, weights: Any) -> _arrays.View | None:
        return None if weights is None else self._data(weights, 'weights', self.real_dtype, self._data_shape()[-1:])
