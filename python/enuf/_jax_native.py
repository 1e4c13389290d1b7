"""Ewald sums as calls of JAX's compiled programs, without Python: XLA's foreign function interface.

The wheel's library has the handlers, if its build found the header of a jaxlib; those for GPUs, if it has CUDA. A
jaxlib older than that one, and platforms without handlers, get callbacks in their place.
SPDX-License-Identifier: BSD-3-Clause
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
_PLATFORMS = {'cpu': 'cpu', 'CUDA': 'cuda'}  # names of XLA, and of jax.lax.platform_dependent()
_lock = threading.Lock()
_objects: dict[tuple, tuple] = {}  # they stay, because compiled programs hold their addresses


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r'\d+', version)[:3]]


@functools.lru_cache(maxsize=None)
def _served() -> tuple[str, ...]:
    """The platforms whose arrays the handlers take, of _PLATFORMS; registers the handlers at the first call."""
    if not hasattr(lib, 'enuf_jax_version') or not hasattr(jax, 'ffi'):
        return ()
    lib.enuf_jax_version.restype = ctypes.c_char_p
    built = lib.enuf_jax_version()
    if built is None or _numbers(jaxlib.__version__) < _numbers(built.decode()):
        return ()
    lib.enuf_jax_handler.restype, lib.enuf_jax_handler.argtypes = ctypes.c_void_p, [ctypes.c_char_p] * 2
    lib.enuf_jax_create.argtypes = [ctypes.c_void_p, ctypes.c_int64, *[ctypes.c_void_p] * 3]
    return tuple(platform for platform in _PLATFORMS if _register(platform))


def _register(platform: str) -> bool:
    """Whether there are handlers for a platform."""
    found = [lib.enuf_jax_handler(name.encode(), platform.encode()) for name in _NAMES]
    if None in found:
        return False
    for name, address in zip(_NAMES, found):
        function = ctypes.cast(address, ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p))
        jax.ffi.register_ffi_target(f'enuf_{name}', jax.ffi.pycapsule(function), platform=platform)
    return True


def is_there() -> bool:
    """Whether the handlers serve this jaxlib."""
    return bool(_served())


def _address_of(key: str, n: int) -> int:
    """The object for these options and number of atoms."""
    with _lock:
        entry = key, n, _handle._forks
        if entry not in _objects:
            ewald = Ewald(np.eye(3), np.zeros(n), **_derivatives.options_of(key))
            made, options, exclusions = ctypes.c_void_p(), ewald._objects._options, ewald._objects._exclusions
            with ewald._objects.last as address:
                check(lib.enuf_jax_create(address, n, ctypes.byref(options),
                                          ctypes.byref(exclusions[0]) if exclusions else None, ctypes.byref(made)))
            _objects[entry] = made, ewald
        return _objects[entry][0].value


def call(name: str, key: str, on_host: Callable, shapes: list, *arrays: jax.Array) -> Any:
    """The results of a handler, or, on platforms without handlers, of a callback with the same arrays."""
    n = arrays[1].shape[0]
    if arrays[0].shape != (n, 3) or arrays[2].shape != (3, 3):  # the callback says what is wrong
        return on_host(*arrays)
    address = np.int64(_address_of(key, n))

    def native(*given: jax.Array) -> Any:
        return jax.ffi.ffi_call(f'enuf_{name}', shapes, vmap_method='sequential')(*given, object=address)
    if jax.default_backend() == 'cpu':
        return native(*arrays)
    on_cpu_alone = _derivatives.options_of(key).get('backend') == 'cpu'
    served = {_PLATFORMS[platform]: native for platform in _served() if platform == 'cpu' or not on_cpu_alone}
    return jax.lax.platform_dependent(*arrays, **served, default=on_host)
