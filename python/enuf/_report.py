"""What the library tells of its objects: reports, candidates, measured errors.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import ctypes
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ._library import name_of

_NAMED = ('backend', 'arithmetic', 'split', 'window', 'separation', 'normal')
_FLAGS = ('calibrated', 'chosen')


def _python(name: str, value: Any) -> Any:
    if name in _NAMED:
        return name_of(name, value)
    if name in _FLAGS:
        return bool(value)
    if isinstance(value, ctypes.Array):
        return tuple(value) if value._type_ is ctypes.c_int64 else np.array(value)
    return value


def read(kind: type, record: ctypes.Structure) -> Any:
    """A record of the library as one of the classes below."""
    return kind(**{field.name: _python(field.name, getattr(record, field.name)) for field in fields(kind)})


@dataclass(frozen=True)
class Report:
    """The parameters in use, and the errors predicted for cell and charges.

    Errors are accuracies A: the RMS error of the force vector over `f_ref`.
    """
    backend: str
    arithmetic: str  #: 'double' or 'mixed'
    split: str  #: 'gaussian' or 'prolate'
    alpha: float  #: 1/length; 0 for the prolate splitting
    c: float  #: 0 for the Gaussian splitting
    cutoff: float  #: of the real-space sum, length
    kmax: float  #: modes |k| <= 2 pi kmax / V^(1/3)
    modes: tuple[int, int, int]
    grid: tuple[int, int, int]
    window: str
    width: int  #: cells
    shape: float
    f_ref: float  #: F_ref in the caller's units of force
    requested: float
    predicted: float
    predicted_real: float
    predicted_truncation: float
    predicted_mesh: float
    predicted_rounding: float
    measured: float  #: NaN before measure_error()
    verified: float  #: found at the first positions; NaN: not verified
    calibrated: bool  #: positions have changed `predicted`
    net_charge: float
    threads: int
    seconds_real: float  #: of the last evaluation
    seconds_reciprocal: float
    bytes: int  #: that the object holds
    energy_tail: float  #: mean energy of the modes beyond kmax, in all results
    virial_tail: np.ndarray  #: [6] xx, yy, zz, xy, xz, yz
    energy_bias: float  #: estimated error left by these modes
    virial_bias: float
    basis: np.ndarray  #: [9] the vectors along which modes are counted, row by row


@dataclass(frozen=True)
class Candidate:
    """Parameters that serve the accuracy; fields as in :class:`Report`."""
    chosen: bool  #: in use
    split: str
    alpha: float
    c: float
    cutoff: float
    kmax: float
    modes: tuple[int, int, int]
    grid: tuple[int, int, int]
    window: str
    width: int
    shape: float
    predicted: float
    seconds_real: float  #: by the cost model, on one core or on the GPU
    seconds_reciprocal: float


@dataclass(frozen=True)
class MeasuredError:
    """Errors against exact sums on a sample of atoms, in the caller's units."""
    sample: int  #: atoms measured
    rms_force: float  #: RMS of the error of the force vector
    worst_force: float
    accuracy: float  #: rms_force / F_ref
    rms_of_forces: float  #: RMS force itself
    energy: float  #: |error of 1/2 sum q phi over the sample|
    energy_scale: float  #: 1/2 sum |q phi| over the sample
    virial: float  #: largest error of a component; NaN unless all charged atoms are in the sample


@dataclass(frozen=True)
class PlanReport:
    """The method that a plan uses, and its predicted error."""
    backend: str
    window: str
    width: int  #: cells
    shape: float
    upsampling: float
    fine_grid: tuple[int, ...]  #: along the axes of the modes
    error: float  #: predicted relative l2 error
    gradient_error: float
    bytes: int


@dataclass(frozen=True)
class GramReport:
    """What a Gram operator has chosen."""
    backend: str
    length: tuple[int, ...]  #: of its transforms along the axes of the modes; the circulant has twice of it
    error: float  #: predicted relative l2 error of its kernel
    bytes: int


@dataclass(frozen=True)
class EncodingReport:
    """What an encoding has chosen, and its predicted error."""
    backend: str
    separation: str  #: 'svd' or 'segments'
    interpolators: int  #: products that the field has become, transforms of one image
    at_once: int  #: of which so many go at once
    error: float  #: predicted relative l2 error of forward, for an image of random pixels
    separation_error: float
    transform_error: float
    bytes: int  #: that the object holds
    normal: str  #: 'transforms' or 'gram': how A^H W A is applied; with 'auto' in the last solve
    normal_terms: int  #: Gram operators
    normal_error: float  #: predicted relative l2 error of A^H W A
    normal_bytes: int  #: that the Gram operators take at most


@dataclass(frozen=True)
class Solution:
    """An image that Encoding.solve() has found."""
    image: Any
    iterations: int  #: the most over the images of a batch
    residual: float  #: |A^H W (data - A image) - lambda image| / |A^H W data|, the largest over them
