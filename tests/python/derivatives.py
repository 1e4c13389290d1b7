# What the tests of PyTorch and of JAX share: a system, exact sums, and slopes by differences.
# SPDX-License-Identifier: BSD-3-Clause
import numpy as np

import enuf
from systems import random_ions

ACCURACY = 1e-11
POSITIONS, CHARGES, CELL = random_ions(16)
N = len(CHARGES)
STEP = 1e-5
NAMES = ('positions', 'charges', 'cell')


def directions(seed=3):
    """A direction in the space of positions, of charges without a sum, and of cells."""
    random = np.random.default_rng(seed)
    charges = random.normal(size=N)
    return random.normal(size=(N, 3)), charges - charges.mean(), random.normal(size=(3, 3))


def exact_energy(x, q, h):
    return enuf.exact_ewald(x, q, h).energy


def slope(function, argument, direction):
    """The derivative of function(x, q, h) along a direction of one argument, by a difference of fourth order."""
    values = []
    for k in (-2, -1, 1, 2):
        arguments = [POSITIONS, CHARGES, CELL]
        arguments[argument] = arguments[argument] + k * STEP * direction
        values.append(function(*arguments))
    return (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * STEP)


# options of enuf.Ewald, of exact sums, and a shift of the charges: neutral, of a net charge, a slab
SYSTEMS = {'neutral': ({}, 0.0), 'of a net charge': ({}, 0.3), 'a slab': ({'slab': 3.0}, 0.0)}


def slab_cell(h):
    """The cell with c along z, and a and b in the plane."""
    return np.array([[h[0, 0], h[0, 1], 0], [h[1, 0], h[1, 1], 0], [0, 0, 2 * h[2, 2]]])


def system_of(name):
    """Positions, charges, cell and options of one of SYSTEMS."""
    options, shift = SYSTEMS[name]
    cell = slab_cell(CELL) if 'slab' in options else CELL
    return POSITIONS, CHARGES + shift, cell, options
