"""libenuf: where it is, its functions, its errors. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

from ._functions import FUNCTIONS
from .errors import BY_STATUS, Error, LibraryNotFound

NAME = 'libenuf.so.1'  # the SONAME of the library that the package is written for


def _places() -> list[str]:
    """Where libenuf may be, best first: the variable, beside the package, the build tree, the system."""
    named = os.environ.get('ENUF_LIBRARY')
    if named:
        return [named]
    package = Path(__file__).resolve().parent
    near = [package / 'lib' / NAME, package.parents[1] / 'build' / 'release' / 'lib' / NAME]
    return [str(path) for path in near if path.exists()] + [NAME]


def _load() -> ctypes.CDLL:
    failures = []
    for place in _places():
        try:
            library = ctypes.CDLL(place)
            for name, (result, arguments) in FUNCTIONS.items():
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments
            return library
        except (OSError, AttributeError) as failure:
            failures.append(f'{place}: {failure}')
    raise LibraryNotFound(
        'libenuf cannot be loaded. Install the wheel, or name the library in the environment variable '
        'ENUF_LIBRARY (a build has it as build/release/lib/libenuf.so). Tried: ' + '; '.join(failures))


lib = _load()
__version__: str = lib.enuf_version().decode()


def check(status: int) -> None:
    """Raises the exception of a status, with the library's text."""
    if status:
        text = lib.enuf_last_error().decode() or lib.enuf_status_text(status).decode()
        raise BY_STATUS.get(status, Error)(text)


def initialised(record: type[ctypes.Structure], init: str) -> Any:
    """Options with the library's defaults."""
    options = record()
    # the library writes its own record: room for a longer one, so that nothing else is overwritten
    room = ctypes.create_string_buffer(ctypes.sizeof(record) + 1024)
    getattr(lib, init)(room)
    size = ctypes.c_size_t.from_buffer(room).value
    if size != ctypes.sizeof(record):
        raise LibraryNotFound(
            f'libenuf {__version__} has {record.__doc__} of {size} bytes, this package of '
            f'{ctypes.sizeof(record)}: use the package of the same version as the library')
    ctypes.memmove(ctypes.byref(options), room, size)
    return options


def parse(kind: str, name: str | int) -> int:
    """The number of a name: parse('split', 'prolate'). The error lists the names."""
    if isinstance(name, int):
        return name
    if not isinstance(name, str):
        raise BY_STATUS[1](f'{kind} {name!r} is no name: a string is needed')
    number = ctypes.c_int()
    check(getattr(lib, f'enuf_{kind}_parse')(name.encode(), ctypes.byref(number)))
    return number.value


def name_of(kind: str, number: int) -> str:
    """The name of a number: name_of('split', 2)."""
    name = getattr(lib, f'enuf_{kind}_name')(number)
    return name.decode() if name else str(number)


def usable(backend: str = 'cpu') -> tuple[bool, str]:
    """Whether this machine and this library can use a backend, and the device's name or what is missing.

    backend  'cpu' or 'cuda'
    """
    reason = ctypes.c_char_p()
    is_usable = lib.enuf_backend_usable(parse('backend', backend), ctypes.byref(reason))
    return bool(is_usable), (reason.value or b'').decode()
