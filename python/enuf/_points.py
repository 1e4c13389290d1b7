"""Coordinates of points, as arrays of each or as rows. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from typing import Sequence

from . import _arrays
from .errors import ArrayError, BadArgument


def coordinates_of(given: tuple, names: Sequence[str], dim: int,
                   sets: tuple[int, ...]) -> tuple[list[_arrays.View], int, int]:
    """Views of the coordinates [n] each, or of one array [n, dim]; the number of points; the stride in items.

    sets  (): one set of points; (batch,): arrays begin with this axis
    """
    found = [_arrays.view(array, name) for name, array in zip(names, given) if array is not None]
    rows = len(found) == 1 and (dim > 1 or len(found[0].shape) == len(sets) + 2)
    if not rows and len(found) != dim:
        raise BadArgument(f'{len(found)} coordinates: {dim} are needed, or an array [n, {dim}]')
    first = found[0]
    dtype = 'float32' if first.dtype == 'float32' else 'float64'
    for view, name in zip(found, names):
        _arrays.expect(view, name, dtype, (*sets, None, dim) if rows else (*sets, None))
        _arrays.expect_device(view, name, first.device, f'{names[0]} lives')
        if view.shape != first.shape or view.strides != first.strides:
            raise ArrayError(f'{name}: {view.describe()} and strides {view.strides}, but {names[0]} is '
                             f'{first.describe()} with strides {first.strides}: they have to be alike')
    if sets:
        for view, name in zip(found, names):
            _arrays.expect_order(view, name)
        return found, first.shape[1], dim if rows else 1
    stride = _arrays.row_stride(first, names[0], dim) if rows else _arrays.item_stride(first, names[0])
    return found, first.shape[0], stride
