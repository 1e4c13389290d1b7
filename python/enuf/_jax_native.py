"""Ewald sums as calls of JAX's compiled programs, without Python: XLA's foreign function interface.

The wheel's library has the handlers, if its build found the header of a jaxlib; a jaxlib older than that one gets
callbacks in their place. SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import ctypes
import functools
import re
import threading
from typing import Any, Callable

import jax
import jaxlib
import numpy as np

from . import _derivatives, _handle
from ._ewald import Ewald
from ._library import check, lib

_NAMES = ('energy', 'potential', 'product')
_lock = threading.Lock()
_objects: dict[tuple, tuple] = {}  # they stay, because compiled programs hold their addresses


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r'\d+', version)[:3]]


@functools.lru_cache(maxsize=None)
def is_there() -> bool:
    """Whether the handlers serve this jaxlib; registers them at the first call."""
    if not hasattr(lib, 'enuf_jax_version') or not hasattr(jax, 'ffi'):
        return False
    lib.enuf_jax_version.restype = ctypes.c_char_p
    built = lib.enuf_jax_version()
    if built is None or _numbers(jaxlib.__version__) < _numbers(built.decode()):
        return False
    lib.enuf_jax_handler.restype, lib.enuf_jax_handler.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    lib.enuf_jax_create.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
    for name in _NAMES:
        function = ctypes.cast(lib.enuf_jax_handler(name.encode()), ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p))
        jax.ffi.register_ffi_target(f'enuf_{name}', jax.ffi.pycapsule(function), platform='cpu')
    return True


def _address_of(key: str, n: int) -> int:
    """The object for these options and number of atoms."""
    with _lock:
        entry = key, n, _handle._forks
        if entry not in _objects:
            ewald = Ewald(np.eye(3), np.zeros(n), **_derivatives.options_of(key))
            made, exclusions = ctypes.c_void_p(), ewald._objects._exclusions
            with ewald._objects.last as address:
                check(lib.enuf_jax_create(address, n, ctypes.byref(exclusions[0]) if exclusions else None,
                                          ctypes.byref(made)))
            _objects[entry] = made, ewald
        return _objects[entry][0].value


def call(name: str, key: str, on_host: Callable, shapes: list, *arrays: jax.Array) -> Any:
    """The results of a handler, or, on other devices than CPUs, of a callback with the same arrays."""
    n = arrays[1].shape[0]
    if arrays[0].shape != (n, 3) or arrays[2].shape != (3, 3):  # the callback says what is wrong
        return on_host(*arrays)
    address = np.int64(_address_of(key, n))

    def native(*given: jax.Array) -> Any:
        return jax.ffi.ffi_call(f'enuf_{name}', shapes, vmap_method='sequential')(*given, object=address)
    if jax.default_backend() == 'cpu':
        return native(*arrays)
    return jax.lax.platform_dependent(*arrays, cpu=native, default=on_host)
