"""Makes a C object for arrays on the host or on a GPU. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from ctypes import byref, c_void_p
from typing import Any

from ._handle import Handle, refuse_gpu_after_fork
from ._library import check, lib, parse
from ._structs import DEVICE, HOST
from .errors import BadMemory


def place(options: Any, device: int | None, stream: int, arrays: str) -> bool:
    """Puts memory, device and stream of the caller's arrays into the options, as create() does; whether they ask for a
    GPU."""
    cuda = parse('backend', 'cuda')
    options.memory = HOST
    if device is not None:
        if options.backend == parse('backend', 'cpu'):
            raise BadMemory(f"{arrays} live on a GPU, and backend='cpu' reads the host: leave `backend` out, or copy "
                            f'the {arrays} to the host')
        options.memory, options.backend, options.device = DEVICE, cuda, device
        options.stream = options.stream or stream or None
    on_gpu = options.backend == cuda
    if on_gpu:
        refuse_gpu_after_fork()
    return on_gpu


def create(name: str, options: Any, device: int | None, stream: int, arrays: str) -> Handle:
    """The object of enuf_NAME_create(), with a copy of the options.

    device  None: arrays live on the host, which a GPU may read too; else the ordinal of their GPU
    stream  the caller's; options.stream goes first
    arrays  what lives there, for the error text
    """
    keeps = stream, getattr(options, 'stream_owner', None)
    options = type(options).from_buffer_copy(options)
    on_gpu = place(options, device, stream, arrays)
    address = c_void_p()
    check(getattr(lib, f'enuf_{name}_create')(byref(options), byref(address)))
    return Handle(address, f'enuf_{name}_destroy', options.threads, on_gpu, keeps)
