"""The objects of the library behind an Ewald: one for arrays on the host, one for each GPU with arrays.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

from ctypes import byref, c_void_p
from typing import Any

from . import _arrays
from ._create import create
from ._handle import Handle
from ._library import check, lib, parse
from ._options import cell_matrix, host_array
from ._streams import wait_for
from ._structs import EwaldOptions, Exclusions
from .errors import BadArgument


def _of_other_backend(options: EwaldOptions, device: int | None) -> bool:
    """Whether the calibration file is one that an object with backend='auto' leaves alone. The library reads it, and
    says what is wrong with it."""
    if not options.calibration_file or options.backend != parse('backend', 'auto'):
        return False
    try:
        with open(options.calibration_file, 'rb') as file:
            words = file.readline(100).split()
    except OSError:
        return False
    return words[:1] == [b'enuf-calibration'] and words[-1] == (b'cuda' if device is None else b'cpu')


class Objects:
    """Makes the objects when arrays come, with the same options, cell and charges."""

    def __init__(self, options: EwaldOptions, cell: Any, charges: Any, pairs: Any, weights: Any):
        self._options = options
        self._objects: dict[int | None, Handle] = {}
        self._streams: dict[int, int] = {}
        self._taken: dict[int | None, tuple[Any, Any]] = {}  # tensors: address and version, and the tensor
        self.cell = cell_matrix(cell).copy()  # callers change their arrays
        self._take_charges(charges, pairs, weights)
        self.last = self.get(None, 0)  #: that computed last

    def get(self, device: int | None, stream: int) -> Handle:
        """The object for arrays on a GPU (None: on the host), after the work on the caller's stream."""
        found = self._objects.get(device)
        if found is None:
            found = self._objects[device] = self._make(device, stream)
        if device is not None and stream != self._streams[device]:
            wait_for(stream)  # arrays of another stream than the object's
        self.last = found
        return found

    def _make(self, device: int | None, stream: int) -> Handle:
        options = self._options
        if _of_other_backend(options, device):
            options = EwaldOptions.from_buffer_copy(options)
            options.calibration_file, options.stream_owner = None, self._options.stream_owner
        made = create('ewald', options, device, stream, 'positions')
        if device is not None:
            self._streams[device] = self._options.stream or stream
        with made as address:
            check(lib.enuf_ewald_set_cell(address, self.cell.ctypes.data))
            self._put_charges(address)
        return made

    def _take_charges(self, charges: Any, pairs: Any, weights: Any) -> None:
        self.charges = host_array(charges, 'charges', (None,)).copy()
        self._exclusions = None
        if pairs is None and weights is not None:
            raise BadArgument('exclusion_weights without exclusions')
        if pairs is None:
            return
        pairs = host_array(pairs, 'exclusions', (None, 2), 'int64').copy()
        if weights is not None:
            weights = host_array(weights, 'exclusion_weights', (len(pairs),)).copy()
        record = Exclusions(len(pairs), pairs.ctypes.data, None if weights is None else weights.ctypes.data)
        self._exclusions = (record, pairs, weights)

    def _put_charges(self, address: c_void_p) -> None:
        check(lib.enuf_ewald_set_charges(address, len(self.charges), self.charges.ctypes.data,
                                         byref(self._exclusions[0]) if self._exclusions else None))

    def take_from_device(self, charges: _arrays.View, saved: bool = False) -> None:
        """Charges [n] on a GPU, for the object there alone; nothing is excluded. The library copies them, until
        an evaluation or wait_on() has ended.

        saved  PyTorch's autograd has kept them from the evaluation on, and has looked that nobody changed them since:
               they are not copied again if the object has them still
        """
        if not _arrays.is_plain(charges, 'float64', self.charges.shape):
            _arrays.expect(charges, 'charges', 'float64', self.charges.shape)
            _arrays.expect_order(charges, 'charges')
        handle = self.get(charges.device, charges.stream)
        tracked = charges.kind == 'torch' and not charges.array.is_inference()
        now = (charges.pointer, charges.array._version) if tracked else None
        taken = self._taken.pop(charges.device, None)
        if not (saved and tracked and taken and taken[0] == now):
            with handle as address:
                check(lib.enuf_ewald_set_charges(address, len(self.charges), charges.pointer, None))
        if tracked:  # held, so that no other tensor gets its memory
            self._taken[charges.device] = now, charges.array

    def wait_on(self, device: int) -> None:
        """Waits for the work of the object on a GPU, which reads arrays of the caller."""
        if device in self._streams:
            wait_for(self._streams[device], device if device >= 0 else None)  # -1: the current one

    def set_cell(self, cell: Any) -> None:
        matrix = cell_matrix(cell).copy()
        for handle in self._objects.values():
            with handle as address:
                check(lib.enuf_ewald_set_cell(address, matrix.ctypes.data))
        self.cell = matrix

    def set_charges(self, charges: Any, pairs: Any, weights: Any) -> None:
        before = self.charges, self._exclusions
        self._taken.clear()
        try:
            self._take_charges(charges, pairs, weights)
            for handle in self._objects.values():
                with handle as address:
                    self._put_charges(address)
        except Exception:
            self.charges, self._exclusions = before
            raise
