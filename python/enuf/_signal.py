"""What Direct and Encoding share: samples with times, and the field of the pixels.

The last axis of an image is the library's first, so that coordinates go there in reverse.
SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import math
import re
from ctypes import c_void_p
from typing import Any, Sequence

import numpy as np

from . import _arrays
from ._create import create
from ._handle import Handle
from ._library import check, lib
from ._options import host_array
from ._placed import Placed
from ._plan import PRECISIONS
from ._points import coordinates_of
from .errors import BadArgument, Error, NoPointsSet


class Signal(Placed):
    """Samples and field of the sums of enuf/direct.h and enuf/encoding.h."""
    _kind: str  # 'direct' or 'encoding', as the functions are named
    _anchor = 'the samples are'
    _options: Any
    dim: int
    batch: int

    def _choose(self, dtype: Any, batch: int) -> int:
        """Sets the types of arrays; returns the library's precision."""
        self.dtype, self.batch = np.dtype(dtype).name, int(batch)
        if self.dtype not in PRECISIONS:
            raise BadArgument(f"dtype={dtype!r}: 'complex128' or 'complex64' is needed")
        precision, self.real_dtype = PRECISIONS[self.dtype]
        return precision

    def _make(self, device: int | None, stream: int) -> Handle:
        made = create(self._kind, self._options, device, stream, 'samples')
        self._device, self._stream = device, self._options.stream or stream
        self._samples: int | None = None
        return made

    def _move(self, device: int | None, stream: int) -> None:
        """Starts anew on another device."""
        self._handle = self._make(device, stream)

    def _pixel_shape(self) -> tuple[int, ...]:
        raise NotImplementedError

    def _wait(self, address: c_void_p) -> None:
        raise NotImplementedError

    def _call(self, function: str, *arguments: Any, arrays: Sequence[_arrays.View | None] = ()) -> None:
        """enuf_KIND_FUNCTION(), with errors that name axes as the caller does."""
        with self._handle as address:
            self._before(*arrays)
            try:
                check(getattr(lib, f'enuf_{self._kind}_{function}')(address, *arguments))
                for found in filter(None, arrays):
                    self._after(address, found)
            except Error as error:
                raise type(error)(self._in_order(str(error))) from None

    def _in_order(self, text: str) -> str:
        last = self.dim - 1
        text = re.sub(r'(?<!or )\b([xyz])(?= of (?:sample|pixel))', lambda m: 'xyz'[last - 'xyz'.index(m[1])], text)
        return re.sub(r'\b(gradient|voxel|counts|spacing|first|pixels)\[([0-2])\]',
                      lambda m: f'{m[1]}[{last - int(m[2])}]', text)

    def _places(self, given: tuple, names: Sequence[str]) -> tuple[list[_arrays.View], list[int | None], int, int]:
        """Views of coordinates in double, their addresses in the library's order, their number and stride."""
        views, n, stride = coordinates_of(given, names, self.dim, ())
        _arrays.expect(views[0], names[0], 'float64', views[0].shape, 'in both precisions')
        pointers: list[int | None] = [found.pointer for found in views]
        if len(views) < self.dim:  # [n, dim]
            pointers = [views[0].pointer + 8 * d for d in range(self.dim)]
        return views, pointers[::-1] + [None] * (3 - self.dim), n, stride

    def _set_samples(self, given: tuple, times: Any) -> None:
        views, pointers, n, stride = self._places(given, ('kx', 'ky', 'kz'))
        of_times = None if times is None else _arrays.view(times, 'times')
        if of_times is not None:
            _arrays.expect(of_times, 'times', 'float64', (n,), 'in both precisions')
            _arrays.expect_order(of_times, 'times')
            _arrays.expect_device(of_times, 'times', views[0].device, 'kx is')
        if views[0].device != self._device:
            self._move(views[0].device, views[0].stream)
        self._call('set_samples', n, *pointers, stride, of_times.pointer if of_times else None,
                   arrays=(*views, of_times))
        self._samples = n

    def _set_field(self, omega: Any, decay: Any, gradient: Any, voxel: Any) -> None:
        shape = self._pixel_shape()
        maps = [None if found is None else self._data(found, name, 'float64', shape)
                for name, found in (('omega', omega), ('decay', decay))]
        slopes, pointers = self._gradient(gradient, shape)
        edges = None if voxel is None else self._numbers(voxel, 'voxel')
        addresses = None if pointers is None else (c_void_p * 3)(*pointers[::-1])
        self._call('set_field', math.prod(shape), *(found.pointer if found else None for found in maps), addresses,
                   None if edges is None else edges.ctypes.data, arrays=(*maps, *slopes))

    def _gradient(self, gradient: Any, shape: tuple[int, ...]) -> tuple[list[Any], list[int | None] | None]:
        """Views of the maps of the gradient, and their addresses along the axes of the image."""
        if gradient is None:
            return [], None
        if not isinstance(gradient, (list, tuple)):  # [dim, ...]
            whole = self._data(gradient, 'gradient', 'float64', (self.dim, *shape))
            return [whole], [whole.pointer + 8 * math.prod(shape) * d for d in range(self.dim)]
        if len(gradient) != self.dim:
            raise BadArgument(f'gradient: {len(gradient)} maps: {self.dim} are needed, one for each axis')
        views = [None if found is None else self._data(found, f'gradient[{d}]', 'float64', shape)
                 for d, found in enumerate(gradient)]
        return views, [found.pointer if found else None for found in views]

    def _numbers(self, given: Any, name: str, dtype: str = 'float64') -> np.ndarray:
        """A number for each axis, or one for all, in the library's order."""
        array = np.full(self.dim, given) if np.ndim(given) == 0 else given
        return np.ascontiguousarray(host_array(array, name, (self.dim,), dtype)[::-1])

    def _batched(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        return (self.batch, *shape) if self.batch > 1 else shape

    def _data_shape(self) -> tuple[int, ...]:
        if self._samples is None:
            raise NoPointsSet('no samples are set: set_samples() sets them')
        return self._batched((self._samples,))

    def _apply(self, function: str, given: Any, name: str, source: tuple[int, ...], out: Any,
               target: tuple[int, ...]) -> Any:
        """enuf_KIND_FUNCTION(object, given, out)."""
        found = self._data(given, name, self.dtype, source)
        result = self._output(out, 'out', self.dtype, target, found)
        self._call(function, found.pointer, result.pointer, arrays=(found, None if out is None else result))
        return self._given(result, out, found)
