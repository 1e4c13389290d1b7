"""Arrays of any kind, as an address, without a copy: NumPy, PyTorch, CuPy, JAX, and what speaks
``__cuda_array_interface__``, DLPack or ``__array_interface__``. SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import ctypes
import math
import sys
from typing import Any, NamedTuple

import numpy as np

from . import _dlpack
from ._streams import Stream
from .errors import ArrayError


class View(NamedTuple):
    """What the library needs to know of an array."""
    array: Any  # kept while the address is in use
    pointer: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None  # in bytes; None: C order
    dtype: str  # 'float64', ...
    device: int | None  # None: host; ordinal of the GPU, -1: the current one
    writable: bool
    kind: str  # 'numpy', 'torch', 'cupy', 'jax', 'numba', 'pycuda' or 'other'
    stream: int  # of the caller, on a GPU; 0: the default stream

    def describe(self) -> str:
        where = 'on the host' if self.device is None else f'on GPU {self.device}'
        return f'{self.dtype} of shape {self.shape} {where}'


def view(array: Any, name: str) -> View:
    """The view of an array. `name` is the argument that an exception names."""
    if type(array) is np.ndarray:
        return _of_numpy(array)
    kind = type(array).__module__.partition('.')[0]
    if kind == 'torch' and hasattr(array, 'data_ptr'):
        return _of_torch(array, name)
    if hasattr(array, '__cuda_array_interface__'):
        return _of_cuda_interface(array, kind)
    if isinstance(array, np.ndarray):
        return _of_numpy(array)
    if hasattr(array, '__dlpack__'):
        owner, pointer, shape, strides, dtype, device = _dlpack.read(array, name)
        kind = 'jax' if kind.startswith('jax') else 'other'
        return View(owner, pointer, shape, strides, dtype, device, True, kind, 0)
    if hasattr(array, '__array_interface__'):
        return _of_numpy(np.asarray(array))._replace(array=array)
    if isinstance(array, (list, tuple)):
        return _of_numpy(np.array(array, dtype=np.float64))
    raise ArrayError(f'{name}: {type(array).__name__} is no array: NumPy, PyTorch, CuPy, JAX, DLPack and '
                     '__cuda_array_interface__ serve')


#: of the types that the library takes; numpy.dtype.name takes a microsecond
_NAMES = {np.dtype(name): name for name in ('float64', 'float32', 'complex128', 'complex64', 'int64', 'int32')}


def _of_numpy(array: np.ndarray) -> View:
    interface = array.__array_interface__
    pointer, readonly = interface['data']
    dtype = _NAMES.get(array.dtype)  # None: another type, or another order of bytes
    if dtype is None:
        dtype = array.dtype.name if array.dtype.isnative else f'{array.dtype.name} of swapped bytes'
    return View(array, pointer, array.shape, interface['strides'], dtype, None, not readonly, 'numpy', 0)


def _current_stream(torch: Any, device: int) -> int:
    """The number of PyTorch's stream on a GPU. Its compilers use the short way, which takes a tenth of the time."""
    short = getattr(torch._C, '_cuda_getCurrentRawStream', None)
    return short(device) if short else torch.cuda.current_stream(device).cuda_stream


def _of_torch(tensor: Any, name: str) -> View:
    if tensor.requires_grad:
        raise ArrayError(f'{name}: this tensor asks for gradients, which this call does not compute: use '
                         f'enuf.torch, or {name}.detach()')
    return of_tensor(tensor, name)


def of_tensor(tensor: Any, name: str) -> View:
    """The view of a tensor of PyTorch, for calls whose gradients enuf.torch computes."""
    torch = sys.modules['torch']
    if tensor.layout is not torch.strided or tensor.is_conj() or tensor.is_neg():
        raise ArrayError(f'{name}: a dense tensor without a pending conjugate is needed: '
                         f'{name}.to_dense() or {name}.resolve_conj().resolve_neg()')
    device, stream = None, 0
    if tensor.is_cuda:
        device = tensor.get_device()
        stream = _current_stream(torch, device)
    elif not tensor.is_cpu:
        raise ArrayError(f'{name}: the tensor lives on {tensor.device}: {name}.cpu() or {name}.cuda()')
    strides = None
    if not tensor.is_contiguous():
        size = tensor.element_size()
        strides = tuple(size * s for s in tensor.stride())
    dtype = 'float64' if tensor.dtype is torch.float64 else str(tensor.dtype)[6:]
    return View(tensor, tensor.data_ptr(), tuple(tensor.shape), strides, dtype, device, True, 'torch', stream)


def _of_cuda_interface(array: Any, kind: str) -> View:
    interface = array.__cuda_array_interface__
    pointer, readonly = interface['data']
    device = getattr(array, 'device', -1)
    if callable(device):
        device = device()
    device = getattr(device, 'id', device)
    stream = interface.get('stream') or 0
    if kind == 'cupy':
        current = sys.modules['cupy'].cuda.get_current_stream()
        stream = Stream(current.ptr, current)
    elif kind.startswith('jax'):
        kind = 'jax'
        array.block_until_ready()  # JAX names no stream
    return View(array, pointer or 0, tuple(interface['shape']), interface.get('strides'),
                np.dtype(interface['typestr']).name, device if isinstance(device, int) else -1,
                not readonly, kind if kind in ('cupy', 'jax', 'numba', 'pycuda') else 'other',
                0 if stream in (1, 2) else stream)


def expect(found: View, name: str, dtype: str, shape: tuple[int | None, ...], why: str = '') -> None:
    """Raises unless an array has this type and shape; None is any length. `why` follows the type."""
    if found.dtype == dtype and found.shape == shape:
        return
    if found.dtype != dtype:
        needed = f'{dtype}, {why},' if why else dtype
        raise ArrayError(f'{name}: {found.describe()}: {needed} is needed: {_cast(found, name, dtype)}')
    if len(found.shape) != len(shape) or any(
            want is not None and want != have for want, have in zip(shape, found.shape)):
        wanted = ', '.join('n' if want is None else str(want) for want in shape)
        raise ArrayError(f'{name}: {found.describe()}: the shape ({wanted}{"," * (len(shape) == 1)}) is needed')


def _cast(found: View, name: str, dtype: str) -> str:
    if found.kind == 'torch':
        return f'{name}.to(torch.{dtype})'
    if found.kind == 'jax' and dtype == 'float64':
        return f"{name}.astype('{dtype}') with jax.config.update('jax_enable_x64', True)"
    return f"{name}.astype('{dtype}')"


def _contiguous(found: View, name: str) -> str:
    return {'torch': f'{name}.contiguous()', 'cupy': f'cupy.ascontiguousarray({name})'}.get(
        found.kind, f'numpy.ascontiguousarray({name})')


def is_plain(found: View, dtype: str, shape: tuple[int, ...]) -> bool:
    """Whether an array surely passes expect() and expect_order()."""
    return found.strides is None and found.shape == shape and found.dtype == dtype


def expect_order(found: View, name: str) -> None:
    """Raises unless an array is contiguous in C order."""
    if found.strides is None:
        return
    size = np.dtype(found.dtype).itemsize
    for length, stride in zip(reversed(found.shape), reversed(found.strides)):
        if length > 1 and stride != size:
            raise ArrayError(f'{name}: {found.describe()} with strides {found.strides} bytes: a contiguous array '
                             f'is needed: {_contiguous(found, name)}')
        size *= length


def expect_writable(found: View, name: str) -> None:
    """Raises for an array that is read-only, or of a kind that never changes."""
    if found.kind == 'jax':
        raise ArrayError(f'{name}: arrays of JAX do not change: leave {name} out, and take the result')
    if not found.writable:
        raise ArrayError(f'{name}: {found.describe()} is read-only: an array that can be written is needed, '
                         f'such as a copy of it')


def expect_device(found: View, name: str, device: int | None, of: str) -> None:
    """Raises unless an array lives where another one does."""
    if found.device != device:
        where = 'the host' if device is None else f'GPU {device}'
        raise ArrayError(f'{name}: {found.describe()}, but {of} on {where}: move one of them')


def expect_reversible(found: View, name: str) -> None:
    """Raises unless reverse_last() serves an array."""
    if found.device is not None and found.kind not in ('torch', 'cupy', 'jax') and found.shape[-1] > 1:
        raise ArrayError(f'{name}: {found.describe()}: an array of PyTorch, CuPy or JAX is needed, whose columns can '
                         'be put in order')


def reverse_last(found: View) -> View:
    """The array with its last axis in reverse: in place, but for JAX on a GPU."""
    array = found.array
    if found.shape[-1] < 2:
        return found
    if found.device is None:
        if 0 not in found.shape:
            dtype = np.dtype(found.dtype)
            memory = (ctypes.c_byte * (math.prod(found.shape) * dtype.itemsize)).from_address(found.pointer)
            numbers = np.frombuffer(memory, dtype).reshape(found.shape)
            numbers[...] = numbers[..., ::-1].copy()
    elif found.kind == 'torch':
        array.copy_(array.flip(-1))
    elif found.kind == 'cupy':
        array[...] = array[..., ::-1].copy()
    else:
        array = array[..., ::-1]
    return found._replace(array=array)


def row_stride(found: View, name: str, columns: int) -> int:
    """The stride of the rows of [n][columns] in items; the columns are contiguous."""
    if found.strides is None or found.shape[0] == 0:
        return columns
    size = np.dtype(found.dtype).itemsize
    rows, items = found.strides
    if found.shape[0] == 1 and items == size:
        return columns
    if items != size or rows < columns * size or rows % size:
        raise ArrayError(f'{name}: {found.describe()} with strides {found.strides} bytes: rows of {columns} '
                         f'neighbours are needed: {_contiguous(found, name)}')
    return rows // size


def item_stride(found: View, name: str) -> int:
    """The stride of an array [n] in items."""
    if found.strides is None or found.shape[0] <= 1:
        return 1
    size = np.dtype(found.dtype).itemsize
    stride, = found.strides
    if stride < size or stride % size:
        raise ArrayError(f'{name}: {found.describe()} with stride {stride} bytes: a positive number of items is '
                         f'needed: {_contiguous(found, name)}')
    return stride // size


def empty(like: View, shape: tuple[int, ...], dtype: str) -> Any:
    """A new array of the kind and on the device of another one. On the host JAX gets it by :func:`deliver`."""
    if like.kind == 'torch':
        torch = sys.modules['torch']
        return torch.empty(shape, dtype=getattr(torch, dtype), device=like.array.device)
    if like.device is None:
        return np.empty(shape, dtype)
    if like.kind == 'cupy':
        cupy = sys.modules['cupy']
        with like.array.device:
            return cupy.empty(shape, dtype)
    if like.kind == 'jax':
        jax = sys.modules['jax']
        # a buffer that nobody else has seen yet
        return jax.numpy.zeros(shape, dtype, device=like.array.device).block_until_ready()
    if like.kind == 'numba':
        return sys.modules['numba.cuda'].device_array(shape, dtype)
    if like.kind == 'pycuda':
        return sys.modules['pycuda.gpuarray'].empty(shape, np.dtype(dtype))
    raise ArrayError('arrays of this kind cannot be made here: give the arrays of results by `out`')


def made(like: View, shape: tuple[int, ...], dtype: str) -> View:
    """The view of :func:`empty`."""
    array = empty(like, shape, dtype)
    if like.kind == 'torch':
        return View(array, array.data_ptr(), shape, None, dtype, like.device, True, 'torch', like.stream)
    if type(array) is np.ndarray:
        return View(array, array.__array_interface__['data'][0], shape, None, dtype, None, True, 'numpy', 0)
    return view(array, 'a new array')


def deliver(made: Any, like: View) -> Any:
    """What the caller gets of an array that :func:`empty` has made."""
    if like.kind == 'jax' and like.device is None:
        return sys.modules['jax'].numpy.asarray(made)
    return made
