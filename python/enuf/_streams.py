"""Streams of CUDA, as PyTorch and CuPy name them. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

import sys
from typing import Any

from .errors import BadArgument


class Stream(int):
    """The number of a cudaStream_t, which keeps the object that would destroy the stream."""
    owner: Any

    def __new__(cls, number: int, owner: Any) -> Stream:
        made = int.__new__(cls, number)
        made.owner = owner
        return made


def address_of_stream(stream: Any) -> int | None:
    """The cudaStream_t of a stream of CuPy, of PyTorch, or of the protocol `__cuda_stream__`."""
    if stream is None or isinstance(stream, int):
        return stream
    if hasattr(stream, '__cuda_stream__'):
        return stream.__cuda_stream__()[1]
    for name in ('cuda_stream', 'ptr'):
        if hasattr(stream, name):
            return getattr(stream, name)
    raise BadArgument(f'stream={stream!r}: a stream of CuPy or PyTorch, or the number of a cudaStream_t, is needed')


def wait_for(stream: int, device: int | None = None) -> None:
    """Waits for the work on a stream of the caller's, of a GPU (None: the current one)."""
    if 'torch' in sys.modules:
        cuda = sys.modules['torch'].cuda
        (cuda.ExternalStream(stream, device) if stream else cuda.default_stream(device)).synchronize()
    elif 'cupy' in sys.modules:
        cuda = sys.modules['cupy'].cuda
        (cuda.ExternalStream(stream) if stream else cuda.Stream.null).synchronize()
