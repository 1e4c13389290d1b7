"""Reads the address, shape and type that an array shows through DLPack.

The layout is that of dlpack.h, version 0 (https://dmlc.github.io/dlpack/latest/c_api.html).
SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import ctypes
from ctypes import Structure, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any

from .errors import ArrayError

_HOST, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13  # DLDeviceType
_TYPES = {0: 'int', 1: 'uint', 2: 'float', 5: 'complex', 6: 'bool'}  # DLDataTypeCode


class _Tensor(Structure):
    """DLTensor"""
    _fields_ = [('data', c_void_p), ('device_type', c_int32), ('device_id', c_int32),
                ('ndim', c_int32), ('code', c_uint8), ('bits', c_uint8), ('lanes', c_uint16),
                ('shape', ctypes.POINTER(c_int64)), ('strides', ctypes.POINTER(c_int64)),
                ('byte_offset', c_uint64)]


_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = c_void_p, [ctypes.py_object, ctypes.c_char_p]


def read(array: Any, name: str) -> tuple:
    """(what keeps the memory, address, shape, strides in bytes, type, device)."""
    try:
        # Work that the array waits for is ordered before the default stream, 1.
        on_gpu = array.__dlpack_device__()[0] in (_CUDA, _CUDA_MANAGED)
        capsule = array.__dlpack__(stream=1) if on_gpu else array.__dlpack__()
    except (TypeError, ValueError, BufferError, RuntimeError) as failure:
        raise ArrayError(f'{name}: this {type(array).__name__} gives no DLPack: {failure}') from failure
    tensor = _Tensor.from_address(_pointer_of(capsule, b'dltensor'))
    if tensor.device_type not in (_HOST, _CUDA, _CUDA_HOST, _CUDA_MANAGED):
        raise ArrayError(f'{name}: its DLPack device {tensor.device_type} is neither the host nor an NVIDIA GPU: '
                         'copy it there')
    size = tensor.bits // 8
    shape = tuple(tensor.shape[:tensor.ndim])
    strides = tuple(size * s for s in tensor.strides[:tensor.ndim]) if tensor.strides else None
    dtype = f'{_TYPES.get(tensor.code, "type")}{tensor.bits}'
    if tensor.lanes != 1:
        dtype += f'x{tensor.lanes}'
    device = tensor.device_id if tensor.device_type in (_CUDA, _CUDA_MANAGED) else None
    # the capsule frees the memory of the view when it is collected
    return (array, capsule), (tensor.data or 0) + tensor.byte_offset, shape, strides, dtype, device
