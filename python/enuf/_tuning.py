"""The fastest method for a plan on this machine, by the cost model, by timing, or from wisdom.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import os
from ctypes import byref, c_int64, c_void_p, sizeof
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np

from . import _arrays
from ._handle import threads_here
from ._library import check, initialised, lib, name_of, parse
from ._options import fill
from ._plan import PRECISIONS, TWO_PI
from ._points import coordinates_of
from ._structs import (COMPLEX_STRENGTHS, REAL_STRENGTHS, NufftCandidate, NufftOptions, TuningRequest)
from .errors import BadArgument


@dataclass(frozen=True)
class PlanCandidate:
    """One method that was looked at."""
    window: str
    width: int  #: cells
    shape: float
    fine_grid: tuple[int, ...]  #: along the axes of the modes
    level: str  #: what the plan keeps of its points: 'none', 'sorted', 'weights', 'matrix'
    state: str  #: 'chosen', 'slower', 'not timed', 'misses the tolerance', 'too much memory'
    error: float  #: predicted relative l2 error
    bytes: int  #: with the points
    predicted_seconds: float  #: of setting the points and their calls, by the cost model
    measured_seconds: float  #: the same; 0: not timed


@dataclass(frozen=True)
class PlanTuning:
    """What tune_plan() has found."""
    method: dict[str, Any]  #: arguments of enuf.Plan
    candidates: list[PlanCandidate]  #: in ascending predicted time
    from_wisdom: bool


def tune_plan(modes: Sequence[int] | int, tolerance: float = 1e-6, x: Any = None, y: Any = None, z: Any = None, *,
              type1: float = 1, type2: float = 1, effort: str = 'measure', wisdom: str | os.PathLike | None = None,
              any_window: bool = True, level: str | None = None, trials: int | None = None,
              time_limit: float | None = None, dtype: Any = 'complex128', batch: int = 1, real: bool = False,
              period: float = TWO_PI, density: float | None = None, threads: int | None = None, isa: str | None = None,
              fft: str | None = None, deterministic: bool | None = None, memory_limit: int | None = None) -> PlanTuning:
    """Finds the fastest method for transforms of points that serve many times: Plan(modes, ..., **found.method).

    x, y, z      coordinates [n] each, or one array [n, dim], float64 on the host; None: random points
    type1, type2 calls of each type for a set of points
    effort       'estimate' (nothing is timed), 'measure', 'exhaustive', 'wisdom_only'
    wisdom       a file: read first if it is there, and written if something was measured
    any_window   False: the default window only
    level        'none', 'sorted', 'weights', 'matrix': stays; None: each is a candidate
    trials       rounds of a candidate, of which the fastest counts [3]
    time_limit   seconds
    density      points a mode, if no points are given [1]

    Other arguments as of :class:`enuf.Plan`, which has to get them too. On the CPU.

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
        'density': density, 'level': level, 'threads': threads_here(threads), 'isa': isa, 'fft': fft,
        'deterministic': deterministic, 'memory_limit': memory_limit})
    request = initialised(TuningRequest, 'enuf_tuning_request_init')
    request.effort = parse('tune_effort', effort)
    request.type1, request.type2, request.any_window, request.any_level = type1, type2, any_window, level is None
    if trials is not None:
        request.trials = trials
    if time_limit is not None:
        request.time_limit = time_limit
    n, stride, pointers = _points(dim, x, y, z)
    known, found = c_void_p(), c_void_p()
    try:
        if wisdom is not None:
            check(lib.enuf_wisdom_create(byref(known)))
            if os.path.exists(wisdom):
                check(lib.enuf_wisdom_load(known, os.fsencode(wisdom), byref(c_int64())))
            request.wisdom = known.value
        check(lib.enuf_nufft_tune(byref(options), byref(request), n, *pointers, stride, byref(found)))
        candidates = [_candidate(found, k, dim) for k in range(lib.enuf_tuning_count(found))]
        from_wisdom = bool(lib.enuf_tuning_from_wisdom(found))
        if wisdom is not None and any(candidate.measured_seconds for candidate in candidates) and not from_wisdom:
            check(lib.enuf_wisdom_save(known, os.fsencode(wisdom)))
    finally:
        lib.enuf_tuning_destroy(byref(found))
        lib.enuf_wisdom_destroy(byref(known))
    chosen = next(candidate for candidate in candidates if candidate.state == 'chosen')
    method = {name: getattr(chosen, name) for name in ('window', 'width', 'shape', 'fine_grid', 'level')}
    return PlanTuning(method, candidates, from_wisdom)


def _points(dim: int, x: Any, y: Any, z: Any) -> tuple[int, int, list]:
    """Their number, stride and addresses; the last axis of the modes is the library's first."""
    if x is None:
        return 0, 1, [None] * 3
    coordinates, n, stride = coordinates_of((x, y, z), 'xyz', dim, ())
    for found, name in zip(coordinates, 'xyz'):
        _arrays.expect(found, name, 'float64', found.shape)
        _arrays.expect_device(found, name, None, 'tuning works')
    pointers = [found.pointer for found in coordinates]
    if len(pointers) < dim:  # [n, dim]
        pointers = [pointers[0] + 8 * d for d in range(dim)]
    return n, stride, pointers[::-1] + [None] * (3 - dim)


def _candidate(tuning: c_void_p, k: int, dim: int) -> PlanCandidate:
    record = NufftCandidate(struct_size=sizeof(NufftCandidate))
    check(lib.enuf_tuning_get(tuning, k, byref(record)))
    method = record.method
    return PlanCandidate(name_of('window', method.window), method.width, method.shape,
                         tuple(method.fine_grid[:dim])[::-1], name_of('level', method.level),
                         lib.enuf_candidate_state_text(record.state).decode(), record.error, record.bytes,
                         record.predicted_seconds, record.measured_seconds)
