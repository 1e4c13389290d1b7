"""The fine grid of a plan, for its single stages. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from ctypes import c_int64
from typing import Sequence

from ._structs import Brick


def whole_grid(shape: Sequence[int]) -> Brick:
    """All cells of a fine grid of this shape, whose last axis is the library's first."""
    axes = [*shape][::-1] + [1] * (3 - len(shape))
    three = c_int64 * 3
    return Brick(three(*axes), three(), three(*axes), three(), three(), three(1, axes[0], axes[0] * axes[1]))
