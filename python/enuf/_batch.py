"""The class EwaldBatch: many small systems in one call. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from ctypes import c_void_p
from typing import Any

import numpy as np

from . import _arrays
from ._create import create
from ._handle import Handle, threads_here
from ._library import check, lib
from ._options import fill, host_array
from ._streams import wait_for
from ._structs import DOUBLE, FLOAT, BatchOptions
from .errors import BadArgument, NoPointsSet

RESULTS = ('energies', 'forces', 'potentials', 'virials')


class EwaldBatch:
    """Ewald sums of many small systems at once, each with a cell of its own, to rounding or to a tolerance.

    For those who train force fields: energies, forces, potentials (dE/dq) and virials of a batch of structures, by
    single modes. From some hundred atoms a system on, :class:`Ewald` is faster.

    tolerance     error of forces that may be left, as accuracy A; 0: rounding [0]
    dtype         'float64' or 'float32', of positions, charges and results
    arithmetic    'auto', 'double', 'mixed'
    coulomb, surroundings, backend, device, stream, isa, threads  as of :class:`Ewald`

    Raises BadArgument, NoBackend, OutOfMemory.
    """

    def __init__(self, *, tolerance: float | None = None, dtype: Any = 'float64', arithmetic: str | None = None,
                 coulomb: float | None = None, surroundings: float | None = None, backend: str = 'auto',
                 device: int | None = None, stream: Any = None, isa: str | None = None, threads: int | None = None):
        self.dtype = np.dtype(dtype).name
        if self.dtype not in ('float64', 'float32'):
            raise BadArgument(f"dtype={dtype!r}: 'float64' or 'float32' is needed")
        self._options = fill(BatchOptions, 'enuf_ewald_batch_options_init', dict(
            precision=DOUBLE if self.dtype == 'float64' else FLOAT, tolerance=tolerance, arithmetic=arithmetic,
            coulomb=coulomb, surroundings=surroundings, backend=backend, device=device, stream=stream, isa=isa,
            threads=threads_here(threads)))
        self._systems: tuple[np.ndarray, np.ndarray] | None = None
        self._handle = self._make(None, 0)

    def _make(self, device: int | None, stream: int) -> Handle:
        made = create('ewald_batch', self._options, device, stream, 'positions')
        self._device, self._stream = device, self._options.stream or stream
        if self._systems is not None:
            with made as address:
                self._put(address, *self._systems)
        return made

    @staticmethod
    def _put(address: c_void_p, offsets: np.ndarray, cells: np.ndarray) -> None:
        check(lib.enuf_ewald_batch_set_systems(address, len(cells), offsets.ctypes.data, cells.ctypes.data))

    def set_systems(self, offsets: Any, cells: Any) -> EwaldBatch:
        """Sets the systems: system s has the atoms offsets[s] ... offsets[s + 1] - 1. Returns the batch.

        offsets  [systems + 1] whole numbers from 0 on; on the host
        cells    [systems, 3, 3] rows a, b, c; on the host
        """
        offsets = host_array(offsets, 'offsets', (None,), 'int64').copy()
        cells = host_array(cells, 'cells', (max(0, len(offsets) - 1), 3, 3)).copy()
        if len(offsets) == 0:
            raise BadArgument('offsets: at least the number 0 is needed')
        with self._handle as address:
            self._put(address, offsets, cells)
        self._systems = offsets, cells
        return self

    def set_cells(self, cells: Any) -> EwaldBatch:
        """Sets other cells [systems, 3, 3] of the same systems; on the host. Returns the batch. On a GPU this does not
        wait for earlier calls of compute()."""
        if self._systems is None:
            raise NoPointsSet('the batch has no systems: set_systems() sets them')
        cells = host_array(cells, 'cells', (len(self._systems[1]), 3, 3)).copy()
        with self._handle as address:
            check(lib.enuf_ewald_batch_set_cells(address, cells.ctypes.data))
        self._systems = self._systems[0], cells
        return self

    def compute(self, positions: Any, charges: Any,
                wanted: tuple[str, ...] = RESULTS) -> dict[str, Any]:
        """Computes all systems.

        positions  [atoms, 3] Cartesian
        charges    [atoms], where the positions are
        wanted     of 'energies' [systems], 'forces' [atoms, 3], 'potentials' [atoms] (dE/dq),
                   'virials' [systems, 6] (-dE/dstrain: xx, yy, zz, xy, xz, yz)

        Returns the arrays by name, of the kind of the positions. On a GPU they are complete in the order of the
        stream, and check() reports errors of the data.
        """
        if self._systems is None:
            raise NoPointsSet('the batch has no systems: set_systems() sets them')
        n, systems = int(self._systems[0][-1]), len(self._systems[1])
        found = [_arrays.view(positions, 'positions'), _arrays.view(charges, 'charges')]
        _arrays.expect(found[0], 'positions', self.dtype, (n, 3))
        _arrays.expect(found[1], 'charges', self.dtype, (n,))
        _arrays.expect_order(found[1], 'charges')
        _arrays.expect_device(found[1], 'charges', found[0].device, 'positions live')
        stride = _arrays.row_stride(found[0], 'positions', 3)
        unknown = [name for name in wanted if name not in RESULTS]
        if unknown or isinstance(wanted, str):
            raise BadArgument(f'wanted={wanted!r}: a tuple of {", ".join(RESULTS)} is needed')
        shapes = {'energies': (systems,), 'forces': (n, 3), 'potentials': (n,), 'virials': (systems, 6)}
        if found[0].device != self._device:
            self._handle = self._make(found[0].device, found[0].stream)
        made = {name: _arrays.view(_arrays.empty(found[0], shapes[name], self.dtype), name) for name in wanted}
        pointers = [made[name].pointer if name in made else None for name in RESULTS]
        with self._handle as address:
            if found[0].device is not None and found[0].stream != self._stream:
                wait_for(found[0].stream)
            check(lib.enuf_ewald_batch_compute(address, found[0].pointer, stride, found[1].pointer, *pointers))
            if found[0].device is not None and (found[0].stream != self._stream or
                                                found[0].kind not in ('torch', 'cupy')):
                check(lib.enuf_ewald_batch_check(address, None))
        return {name: _arrays.deliver(view.array, found[0]) for name, view in made.items()}

    def check(self) -> None:
        """Waits for work on the GPU, and raises the first error of its data."""
        with self._handle as address:
            check(lib.enuf_ewald_batch_check(address, None))
