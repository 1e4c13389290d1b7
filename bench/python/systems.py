# The salt of the benchmarks: unit charges of both signs, 0.1 per cubic Angstrom, displaced at random from a lattice.
# SPDX-License-Identifier: BSD-3-Clause
from typing import NamedTuple

import numpy as np

DENSITY = 0.1


class System(NamedTuple):
    positions: np.ndarray  # [n, 3]
    charges: np.ndarray
    edge: float
    f_ref: float  # that relative errors of forces are told in: docs/conventions.md

    @property
    def cell(self):
        return self.edge * np.eye(3)


def salt(n):
    """About n ions: an even number of sites along each edge."""
    sites = 2 * max(1, round((n / 8)**(1 / 3)))
    edge = sites * DENSITY**(-1 / 3)
    places = np.indices((sites, sites, sites)).reshape(3, -1).T
    charges = (-1.0)**places.sum(axis=1)
    shaken = (places + np.random.default_rng(sites).uniform(-0.2, 0.2, places.shape)) * (edge / sites)
    return System(np.ascontiguousarray(shaken), charges, edge, DENSITY**(2 / 3))
