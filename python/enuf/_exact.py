"""Exact Ewald sums. SPDX-License-Identifier: BSD-3-Clause"""
from __future__ import annotations

from ctypes import byref
from typing import Any

import numpy as np

from ._handle import threads_here
from ._library import check, lib
from ._options import cell_matrix, fill, host_array
from ._result import PARTS, Result
from ._structs import ExactOptions, ExactResult, Exclusions


def exact_ewald(positions: Any, charges: Any, cell: Any, *, targets: Any = None, exclusions: Any = None,
                exclusion_weights: Any = None, coulomb: float | None = None, alpha: float | None = None,
                cutoff: float | None = None, kmax: float | None = None, surroundings: float | None = None,
                slab: float | None = None, threads: int | None = None, backend: str | None = None,
                device: int | None = None) -> Result:
    """Plain Ewald sums to rounding, without FFT and tables; slow. Arrays live on the host.

    positions  [n, 3]
    charges    [n]
    cell       [3, 3] rows a, b, c; [3]; or the edge of a cube
    targets    [m] atoms to compute; None: all
    alpha, cutoff, kmax  None: chosen so that the error is rounding; given: the truncated sums

    Returns energy (1/2 sum q phi over the targets) with parts, forces [m, 3], potential [m], and virial [6],
    NaN unless all charged atoms are targets.
    """
    charges = host_array(charges, 'charges', (None,))
    positions = host_array(positions, 'positions', (len(charges), 3))
    cell = cell_matrix(cell)
    options = fill(ExactOptions, 'enuf_exact_options_init', dict(
        alpha=alpha, cutoff=cutoff, kmax=kmax, coulomb=coulomb, surroundings=surroundings, slab=slab,
        threads=threads_here(threads), backend=backend, device=device))
    excluded = None
    if exclusions is not None:
        pairs = host_array(exclusions, 'exclusions', (None, 2), 'int64')
        weights = None if exclusion_weights is None else host_array(
            exclusion_weights, 'exclusion_weights', (len(pairs),))
        excluded = Exclusions(len(pairs), pairs.ctypes.data, None if weights is None else weights.ctypes.data)
    if targets is not None:
        targets = host_array(targets, 'targets', (None,), 'int64')
    m = len(charges) if targets is None else len(targets)
    result = Result()
    result.forces, result.potential = np.empty((m, 3)), np.empty(m)
    sums = ExactResult(forces=result.forces.ctypes.data, potential=result.potential.ctypes.data)
    check(lib.enuf_exact_ewald(
        byref(options), cell.ctypes.data, len(charges), positions.ctypes.data, 3, charges.ctypes.data,
        byref(excluded) if excluded else None, m, None if targets is None else targets.ctypes.data, byref(sums)))
    result.energy, result.virial = sums.energy, np.array(sums.virial)
    result.parts = {name: getattr(sums.parts, name) for name in PARTS}
    return result
