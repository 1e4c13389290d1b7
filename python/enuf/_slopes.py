"""Products of a direction with the Hessian of the energy. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from ctypes import byref, sizeof
from typing import Any, Iterable

import numpy as np

from . import _arrays
from ._handle import Handle
from ._library import check, lib
from ._options import host_array
from ._result import WANTED
from ._streams import wait_for
from ._structs import EwaldDirection, EwaldSlopes
from .errors import BadArgument

_SLOPES = ('energy', 'forces', 'potential', 'virial', 'cell')
_BITS = {**{name: WANTED[name][0] for name in _SLOPES[:4]}, 'cell': WANTED['virial'][0]}


class Slopes:
    """Derivatives of results along a direction; None where something was not wanted.

    energy     float
    forces     [n, 3], of the kind of the positions
    potential  [n], likewise
    virial     [6] NumPy: xx, yy, zz, xy, xz, yz
    cell       [3, 3] NumPy: of dE/dcell at fixed positions and charges
    """
    __slots__ = _SLOPES

    def __init__(self) -> None:
        self.energy: Any = None
        self.forces: Any = None
        self.potential: Any = None
        self.virial: Any = None
        self.cell: Any = None

    def __repr__(self) -> str:
        return f'<enuf.Slopes with {", ".join(name for name in _SLOPES if getattr(self, name) is not None)}>'


def _along(array: Any, name: str, positions: _arrays.View, shape: tuple[int, ...]) -> _arrays.View | None:
    """An array of a direction, where the positions are. On the host lists and other types are converted."""
    if array is None:
        return None
    if positions.device is None:
        return _arrays.view(host_array(array, name, shape), name)
    found = _arrays.view(array, name)
    _arrays.expect_device(found, name, positions.device, 'positions')
    _arrays.expect(found, name, 'float64', shape)
    _arrays.expect_order(found, name)
    if found.stream != positions.stream:
        wait_for(found.stream)
    return found


def differentiate(handle: Handle, positions: _arrays.View, stride: int, direction: tuple[Any, Any, Any],
                  wanted: Iterable[str]) -> Slopes:
    """enuf_ewald_differentiate(); direction: of positions [n, 3], charges [n], cell [3, 3], None each: stays. The first
    two are where the positions are."""
    names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    if not names or any(name not in _SLOPES for name in names):
        raise BadArgument(f'wanted={wanted!r}: some of {", ".join(_SLOPES)} are needed')
    n, mask = positions.shape[0], 0
    for name in names:
        mask |= _BITS[name]
    along = [_along(array, name, positions, shape) for array, name, shape in zip(
        direction, ('displacements', 'charges'), ((n, 3), (n,)))]
    if direction[2] is None:
        along.append(None)
    else:
        along.append(_arrays.view(host_array(direction[2], 'cell', (3, 3)), 'cell'))
    record = EwaldSlopes(struct_size=sizeof(EwaldSlopes))
    arrays = {}
    for name, shape in ('forces', (n, 3)), ('potential', (n,)):
        if name in names:
            arrays[name] = _arrays.made(positions, shape, 'float64')
            setattr(record, name, arrays[name].pointer)
    given = EwaldDirection(sizeof(EwaldDirection), *[None if array is None else array.pointer for array in along])
    with handle as address:
        check(lib.enuf_ewald_differentiate(address, positions.pointer, stride, byref(given), mask, byref(record)))
    slopes = Slopes()
    if 'energy' in names:
        slopes.energy = record.energy
    if 'virial' in names:
        slopes.virial = np.array(record.virial)
    if 'cell' in names:
        slopes.cell = np.array(record.cell).reshape(3, 3)
    for name, found in arrays.items():
        setattr(slopes, name, _arrays.deliver(found.array, positions))
    return slopes
