"""Objects whose arrays live on the host, or all on one GPU. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from ctypes import c_void_p
from typing import Any

from . import _arrays
from ._handle import Handle
from ._streams import wait_for


class Placed:
    """What such classes share: views of arguments, arrays of results, and the order of streams."""
    _handle: Handle
    _device: int | None = None  # of the arrays; None: the host
    _stream = 0  # of the object, on a GPU
    _anchor = 'points live'  # what has chosen the device, for the text of an error

    def _wait(self, address: c_void_p) -> None:
        """Calls the object's enuf_..._check()."""
        raise NotImplementedError

    def check(self) -> None:
        """Waits for work on the GPU, and raises the first error of its data."""
        with self._handle as address:
            self._wait(address)

    def _data(self, array: Any, name: str, dtype: str, shape: tuple[int, ...]) -> _arrays.View:
        found = _arrays.view(array, name)
        _arrays.expect(found, name, dtype, shape)
        _arrays.expect_order(found, name)
        _arrays.expect_device(found, name, self._device, self._anchor)
        return found

    def _output(self, out: Any, name: str, dtype: str, shape: tuple[int, ...], like: _arrays.View) -> _arrays.View:
        """The view of `out`, or of a new array of the kind of another one."""
        if out is None:
            return _arrays.view(_arrays.empty(like, shape, dtype), name)
        found = self._data(out, name, dtype, shape)
        _arrays.expect_writable(found, name)
        return found

    @staticmethod
    def _given(result: _arrays.View, out: Any, like: _arrays.View) -> Any:
        return _arrays.deliver(result.array, like) if out is None else out

    def _before(self, *arrays: _arrays.View | None) -> None:
        """Waits for arrays of other streams than the object's."""
        for found in arrays:
            if found is not None and found.device is not None and found.stream != self._stream:
                wait_for(found.stream)

    def _after(self, address: c_void_p, found: _arrays.View) -> None:
        """Completes what the caller reads, or frees, on a stream of its own."""
        if found.device is not None and (found.stream != self._stream or found.kind not in ('torch', 'cupy')):
            self._wait(address)
