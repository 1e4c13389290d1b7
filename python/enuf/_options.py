"""Fills the options of the library from keyword arguments. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

import ctypes
from typing import Any, Mapping

import numpy as np

from ._library import initialised, parse
from ._streams import address_of_stream
from .errors import ArrayError, BadArgument

_KINDS = {name: name for name in (
    'split', 'window', 'arithmetic', 'backend', 'isa', 'fft', 'separation', 'normal', 'level')}
_KINDS |= {'spreading': 'strategy', 'interpolation': 'strategy'}


def fill(record: type[ctypes.Structure], init: str, given: Mapping[str, Any]) -> Any:
    """Options with the library's defaults, and what is given; None is not given."""
    options = initialised(record, init)
    kinds = {field[0]: field[1] for field in record._fields_}
    for name, value in given.items():
        if value is not None:
            setattr(options, name, _converted(name, kinds[name], value))
    options.stream_owner = given.get('stream')  # whoever made the stream may let it go
    return options


def _converted(name: str, kind: type, value: Any) -> Any:
    if name in _KINDS:
        return parse(_KINDS[name], value)
    if name == 'stream':
        return address_of_stream(value)
    try:
        if kind is ctypes.c_char_p:
            return str(value).encode()
        if kind is ctypes.c_double:
            return float(value)
        if kind in (ctypes.c_int, ctypes.c_int64):
            return int(_whole(value))
        if issubclass(kind, ctypes.Array):
            return kind(*(int(_whole(item)) for item in value))
    except (TypeError, ValueError, IndexError) as failure:
        raise BadArgument(f'{name}={value!r}: {failure}') from failure
    return value


def _whole(value: Any) -> Any:
    if int(value) != value:
        raise ValueError('a whole number is needed')
    return value


def host_array(value: Any, name: str, shape: tuple[int | None, ...], dtype: str = 'float64') -> np.ndarray:
    """A contiguous array in host memory that the library copies; here lists and other types are converted."""
    if type(value).__module__.partition('.')[0] == 'torch' and hasattr(value, 'detach'):
        value = value.detach().cpu()
    elif hasattr(value, '__cuda_array_interface__') and hasattr(value, 'get'):
        value = value.get()
    try:
        array = np.asarray(value)
        if array.dtype.kind not in 'fiub' or (dtype == 'int64' and array.dtype.kind == 'f' and array.size):
            raise ValueError(f'its type is {array.dtype}')
        array = np.ascontiguousarray(array, dtype)
    except (TypeError, ValueError) as failure:
        raise ArrayError(f'{name}: an array of {dtype} is needed: {failure}') from failure
    if len(array.shape) != len(shape) or any(
            want is not None and want != have for want, have in zip(shape, array.shape)):
        wanted = ', '.join('n' if want is None else str(want) for want in shape)
        raise ArrayError(f'{name}: shape {array.shape}: ({wanted}{"," * (len(shape) == 1)}) is needed')
    return array


def cell_matrix(cell: Any) -> np.ndarray:
    """Rows a, b, c [3, 3] of a cell: the matrix itself, three edges, or the edge of a cube."""
    array = np.asarray(cell if not hasattr(cell, 'detach') else cell.detach().cpu())
    if array.shape == ():
        array = np.full(3, array)
    if array.shape == (3,):
        array = np.diag(host_array(array, 'cell', (3,)))
    return host_array(array, 'cell', (3, 3))
