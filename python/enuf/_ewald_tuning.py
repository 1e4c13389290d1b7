"""The fastest parameters of Ewald sums on this machine, by timing or from wisdom. SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import os
from ctypes import byref, c_void_p, sizeof
from dataclasses import dataclass
from typing import Any, Iterable

from . import _report
from ._library import check, initialised, lib, parse
from ._report import Candidate
from ._structs import EwaldTimed, EwaldTuningRequest
from ._wisdom import wisdom_of
from .errors import BadArgument

_KEPT = {'split': 1, 'cutoff': 2, 'grid': 4, 'width': 8}


@dataclass(frozen=True)
class TimedCandidate:
    """Parameters that were looked at."""
    parameters: Candidate
    state: str  #: 'chosen', 'slower', 'not timed', 'misses the tolerance', 'too much memory'
    measured_error: float  #: A at the positions, of those that won by time; 0: not measured
    bytes: int  #: that the object held; predicted if it was not timed
    predicted_seconds: float  #: of an evaluation, by the cost model, on all threads
    measured_seconds: float  #: the same; 0: not timed
    timings: int


@dataclass(frozen=True)
class EwaldTuning:
    """What Ewald.tune() has looked at."""
    candidates: list[TimedCandidate]  #: in ascending predicted time
    from_wisdom: bool


def request_of(effort: str, keep: Iterable[str], virial: bool, uncorrelated: bool,
               given: dict[str, Any]) -> EwaldTuningRequest:
    """The request of a tuning; None is not given."""
    request = initialised(EwaldTuningRequest, 'enuf_ewald_tuning_request_init')
    request.effort = parse('tune_effort', effort)
    for name in (keep,) if isinstance(keep, str) else tuple(keep):
        if name not in _KEPT:
            raise BadArgument(f'keep={name!r}: use some of {", ".join(_KEPT)}')
        request.keep |= _KEPT[name]
    request.with_virial, request.uncorrelated = virial, uncorrelated
    for name, value in given.items():
        if value is not None:
            setattr(request, name, value)
    return request


def tune(ewald: int, request: EwaldTuningRequest, positions: int | None, stride: int,
         file: str | os.PathLike | None) -> EwaldTuning:
    """Tunes an object of the library; wisdom of the file is read, and written if something was timed."""
    found = c_void_p()
    with wisdom_of(file) as (request.wisdom, save):
        try:
            check(lib.enuf_ewald_tune_with(ewald, byref(request), positions, stride, byref(found)))
            candidates = [_candidate(found, k) for k in range(lib.enuf_ewald_tuning_count(found))]
            if any(candidate.timings for candidate in candidates):
                save()
            return EwaldTuning(candidates, bool(lib.enuf_ewald_tuning_from_wisdom(found)))
        finally:
            lib.enuf_ewald_tuning_destroy(byref(found))


def _candidate(tuning: c_void_p, k: int) -> TimedCandidate:
    record = EwaldTimed(struct_size=sizeof(EwaldTimed))
    check(lib.enuf_ewald_tuning_get(tuning, k, byref(record)))
    return TimedCandidate(_report.read(Candidate, record.parameters),
                          lib.enuf_candidate_state_text(record.state).decode(), record.measured_error, record.bytes,
                          record.predicted_seconds, record.measured_seconds, record.timings)
