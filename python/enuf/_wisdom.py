"""A file of wisdom, while something is tuned. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

import os
from contextlib import contextmanager
from ctypes import byref, c_int64, c_void_p
from typing import Callable, Iterator

from ._library import check, lib


@contextmanager
def wisdom_of(file: str | os.PathLike | None) -> Iterator[tuple[int | None, Callable[[], None]]]:
    """The address of the wisdom of a file, and a function that saves it there; without a file None, and nothing."""
    if file is None:
        yield None, lambda: None
        return
    known, path = c_void_p(), os.fsencode(file)
    try:
        check(lib.enuf_wisdom_create(byref(known)))
        if os.path.exists(path):
            check(lib.enuf_wisdom_load(known, path, byref(c_int64())))
        yield known.value, lambda: check(lib.enuf_wisdom_save(known, path))
    finally:
        lib.enuf_wisdom_destroy(byref(known))
