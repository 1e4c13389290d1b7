"""The fastest method for a plan on this machine, by the cost model, by timing, or from wisdom; the aliasing of a method.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import os
from ctypes import byref, c_double, c_void_p, sizeof
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np

from . import _arrays
from ._create import place
from ._handle import threads_here
from ._library import check, initialised, lib, name_of, parse
from ._options import fill
from ._plan import PRECISIONS, TWO_PI
from ._points import coordinates_of
from ._structs import (COMPLEX_STRENGTHS, REAL_STRENGTHS, NufftCandidate, NufftOptions, TuningRequest)
from ._wisdom import wisdom_of
from .errors import BadArgument


@dataclass(frozen=True)
class PlanCandidate:
    """One method that was looked at."""
    window: str
    width: int  #: cells
    shape: float
    fine_grid: tuple[int, ...]  #: along the axes of the modes
    level: str  #: what the plan keeps of its points: 'none', 'sorted', 'weights', 'matrix', 'gram'
    spreading: str  #: the way of a GPU from points to cells; 'auto': as the plan finds best
    interpolation: str  #: and back
    state: str  #: 'chosen', 'slower', 'not timed', 'misses the tolerance', 'too much memory'
    error: float  #: predicted relative l2 error
    bytes: int  #: with the points
    predicted_seconds: float  #: of setting the points and their calls, by the cost model
    measured_seconds: float  #: the same; 0: not timed


@dataclass(frozen=True)
class PlanTuning:
    """What tune_plan() has found."""
    method: dict[str, Any]  #: arguments of enuf.Plan
    candidates: list[PlanCandidate]  #: in ascending predicted time; then ways of the fastest on a GPU
    from_wisdom: bool


def tune_plan(modes: Sequence[int] | int, tolerance: float = 1e-6, x: Any = None, y: Any = None, z: Any = None, *,
              type1: float = 1, type2: float = 1, gram: float = 0, effort: str = 'measure',
              wisdom: str | os.PathLike | None = None, any_window: bool = True, level: str | None = None,
              trials: int | None = None, time_limit: float | None = None, dtype: Any = 'complex128', batch: int = 1,
              real: bool = False, period: float = TWO_PI, density: float | None = None, threads: int | None = None,
              isa: str | None = None, fft: str | None = None, deterministic: bool | None = None,
              memory_limit: int | None = None, backend: str | None = None, device: int | None = None,
              spreading: str | None = None, interpolation: str | None = None) -> PlanTuning:
    """Finds the fastest method for transforms of points that serve many times: Plan(modes, ..., **found.method).

    x, y, z      coordinates [n] each, or one array [n, dim], float64; None: random points. Of a GPU: transforms of
                 arrays there are timed
    type1, type2 calls of each type for a set of points
    gram         calls of Plan.gram() for a set of points; 0 leaves level 'gram' out
    effort       'estimate' (nothing is timed), 'measure', 'exhaustive', 'wisdom_only'
    wisdom       a file: read first if it is there, and written if something was measured
    any_window   False: the default window only
    level        'none', 'sorted', 'weights', 'matrix', 'gram': stays; None: each is a candidate
    spreading, interpolation  ways of a GPU that stay; None: each is timed, with the fastest method
    trials       rounds of a candidate, of which the fastest counts [3]
    time_limit   seconds
    density      points a mode, if no points are given [1]
    backend      'cuda' times a GPU where points are on the host, or random: with arrays of the host

    Other arguments as of :class:`enuf.Plan`, which has to get them too.

    Raises BadArgument, UnreachableAccuracy, OutOfMemory with the least need, BadFile with line and column.
    """
    sizes = tuple(int(n) for n in np.atleast_1d(modes))
    if not 1 <= len(sizes) <= 3:
        raise BadArgument(f'modes={modes!r}: 1 to 3 numbers of modes')
    kind = np.dtype(dtype).name
    if kind not in PRECISIONS:
        raise BadArgument(f"dtype={dtype!r}: 'complex128' or 'complex64' is needed")
    dim = len(sizes)
    options = fill(NufftOptions, 'enuf_nufft_options_init', {
        'dim': dim, 'modes': sizes[::-1] + (1,) * (3 - dim), 'precision': PRECISIONS[kind][0], 'tolerance': tolerance,
        'strengths': REAL_STRENGTHS if real else COMPLEX_STRENGTHS, 'batch': batch, 'period': period,
        'density': density, 'level': level, 'spreading': spreading, 'interpolation': interpolation,
        'threads': threads_here(threads), 'isa': isa, 'fft': fft, 'deterministic': deterministic,
        'memory_limit': memory_limit, 'backend': backend, 'device': device})
    request = initialised(TuningRequest, 'enuf_tuning_request_init')
    request.effort = parse('tune_effort', effort)
    request.type1, request.type2, request.any_window, request.any_level = type1, type2, any_window, level is None
    request.gram = gram
    if trials is not None:
        request.trials = trials
    if time_limit is not None:
        request.time_limit = time_limit
    n, stride, pointers, coordinates = _points(dim, x, y, z)
    first = coordinates[0] if coordinates else None
    place(options, first.device if first else None, first.stream if first else 0, 'points')
    found = c_void_p()
    with wisdom_of(wisdom) as (request.wisdom, save):
        try:
            check(lib.enuf_nufft_tune(byref(options), byref(request), n, *pointers, stride, byref(found)))
            candidates = [_candidate(found, k, dim) for k in range(lib.enuf_tuning_count(found))]
            from_wisdom = bool(lib.enuf_tuning_from_wisdom(found))
            if any(candidate.measured_seconds for candidate in candidates) and not from_wisdom:
                save()
        finally:
            lib.enuf_tuning_destroy(byref(found))
    chosen = next(candidate for candidate in candidates if candidate.state == 'chosen')
    method = {name: getattr(chosen, name) for name in (
        'window', 'width', 'shape', 'fine_grid', 'level', 'spreading', 'interpolation')}
    if backend is None and first is not None and first.device is not None:
        method['backend'] = 'cuda'  # a plan is made before it gets arrays, and only there has ways to spread
    return PlanTuning(method, candidates, from_wisdom)


def _points(dim: int, x: Any, y: Any, z: Any) -> tuple[int, int, list, list]:
    """Their number, stride, addresses and arrays; the last axis of the modes is the library's first."""
    if x is None:
        return 0, 1, [None] * 3, []
    coordinates, n, stride = coordinates_of((x, y, z), 'xyz', dim, ())
    for found, name in zip(coordinates, 'xyz'):
        _arrays.expect(found, name, 'float64', found.shape)
    pointers = [found.pointer for found in coordinates]
    if len(pointers) < dim:  # [n, dim]
        pointers = [pointers[0] + 8 * d for d in range(dim)]
    return n, stride, pointers[::-1] + [None] * (3 - dim), coordinates


def _candidate(tuning: c_void_p, k: int, dim: int) -> PlanCandidate:
    record = NufftCandidate(struct_size=sizeof(NufftCandidate))
    check(lib.enuf_tuning_get(tuning, k, byref(record)))
    method = record.method
    return PlanCandidate(name_of('window', method.window), method.width, method.shape,
                         tuple(method.fine_grid[:dim])[::-1], name_of('level', method.level),
                         name_of('strategy', method.spreading), name_of('strategy', method.interpolation),
                         lib.enuf_candidate_state_text(record.state).decode(), record.error, record.bytes,
                         record.predicted_seconds, record.measured_seconds)


@dataclass(frozen=True)
class Aliasing:
    """The aliasing of a method, without rounding."""
    amplitude: float  #: the largest over the modes: RMS error, over points anywhere, of a type 2 of that mode alone
    l2: float  #: the RMS over the modes: the relative l2 error of random modes


def aliasing(modes: Sequence[int] | int, tolerance: float | None = None, *, window: str | None = None,
             width: int | None = None, shape: float | None = None, upsampling: float | None = None,
             fine_grid: Sequence[int] | None = None, dtype: Any = 'complex128', density: float | None = None,
             gradients: bool | None = None, backend: str | None = None) -> Aliasing:
    """The aliasing of the method that a plan of these arguments has, before there is a plan.

    modes      (n1,), (n1, n2) or (n1, n2, n3)
    tolerance  chooses what is not given; None with a width: nothing is chosen, the upsampling is 2 if it is not given
    window, width, shape, upsampling, fine_grid, density, gradients as of :class:`enuf.Plan`

    Raises BadArgument, UnreachableAccuracy. Source: T. Ou, UCB/EECS-2017-90, eq. 8.
    """
    sizes = tuple(int(n) for n in np.atleast_1d(modes))
    if not 1 <= len(sizes) <= 3:
        raise BadArgument(f'modes={modes!r}: 1 to 3 numbers of modes')
    kind = np.dtype(dtype).name
    if kind not in PRECISIONS:
        raise BadArgument(f"dtype={dtype!r}: 'complex128' or 'complex64' is needed")
    ones = (1,) * (3 - len(sizes))
    if tolerance is None and width is not None:
        tolerance = 0
    grid = None if fine_grid is None else tuple(int(n) for n in np.atleast_1d(fine_grid))
    if grid is not None and len(grid) != len(sizes):
        raise BadArgument(f'fine_grid={fine_grid!r}: {len(sizes)} numbers of cells are needed, one for each axis')
    options = fill(NufftOptions, 'enuf_nufft_options_init', {
        'dim': len(sizes), 'modes': sizes[::-1] + ones, 'precision': PRECISIONS[kind][0], 'tolerance': tolerance,
        'window': window, 'width': width, 'shape': shape, 'upsampling': upsampling,
        'fine_grid': None if grid is None else grid[::-1] + ones, 'density': density, 'gradients': gradients,
        'backend': backend})
    amplitude, l2 = c_double(), c_double()
    check(lib.enuf_nufft_aliasing(byref(options), byref(amplitude), byref(l2)))
    return Aliasing(amplitude.value, l2.value)
