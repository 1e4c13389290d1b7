"""Sample positions of magnetic resonance imaging, and random points. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from ctypes import byref, c_int64
from operator import index
from typing import Sequence

import numpy as np

from ._library import check, lib, parse
from ._options import fill
from ._plan import TWO_PI
from ._structs import TrajectoryOptions
from .errors import BadArgument


def trajectory(kind: str, shape: Sequence[int] | int, reduction: float = 1, seed: int = 0, *,
               period: float = TWO_PI) -> np.ndarray:
    """Points for transforms of an image: Plan(shape, ...).set_points(trajectory('radial', shape)).

    kind       'radial' (2D, 3D), 'stack_of_stars', 'cones' (3D), 'random', 'cluster', 'cartesian' (any)
    shape      of the image, in pixels: the modes of :class:`enuf.Plan`. Planes of a stack of stars lie along its first
               axis, and so does the axis of cones; readouts of 'cartesian' lie along the last
    reduction  R >= 1: one readout of R is taken. enuf/trajectories.h has the numbers of readouts without reduction,
               which are Nyquist's, and their sources
    seed       0 ... 2^64 - 1, of 'random' and 'cluster'
    period     of the coordinates

    Returns a float64 array [n, dim], readout after readout; column d belongs to axis d of the shape. Coordinates are
    in radians, -pi ... pi, with period 1 in turns: -1/2 ... 1/2. Times n_d / period they are in cycles per field of
    view. The same arguments give the same bits on every machine.

    Raises BadArgument.
    """
    try:
        sizes = tuple(index(n) for n in np.atleast_1d(shape))
        seed = index(seed)
    except TypeError as failure:
        raise BadArgument(f'shape={shape!r}, seed={seed!r}: whole numbers are needed') from failure
    dim = len(sizes)
    if not 1 <= dim <= 3:
        raise BadArgument(f'shape={shape!r}: 1 to 3 numbers of pixels')
    if not 0 <= seed < 2**64:
        raise BadArgument(f'seed={seed}: 0 to 2^64 - 1 is needed')
    options = fill(TrajectoryOptions, 'enuf_trajectory_options_init', {
        'dim': dim, 'modes': sizes[::-1] + (1,) * (3 - dim), 'reduction': reduction, 'period': period, 'seed': seed})
    options.kind = parse('trajectory_kind', kind)
    n = c_int64()
    check(lib.enuf_trajectory_count(byref(options), byref(n), None))
    points = np.empty((n.value, dim))
    columns = [points.ctypes.data + 8 * d for d in reversed(range(dim))] + [None] * (3 - dim)
    check(lib.enuf_trajectory_fill(byref(options), n, *columns, dim))
    return points
