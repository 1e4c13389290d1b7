# Systems of charges that several tests use, and the paths of the tests. SPDX-License-Identifier: BSD-3-Clause
import os
import re
import sys

import numpy as np

SOURCE = os.environ['SOURCE']
sys.path.append(os.path.join(SOURCE, 'tests', 'support'))

ROCK_SALT = 1.7475645946331821906  # Madelung constant; Sakamoto, J. Chem. Phys. 28 (1958) 164


def rock_salt(cells=1):
    """Positions, charges and cell of rock salt, neighbours at distance 1."""
    edge = 2 * cells
    places = np.ascontiguousarray(np.indices((edge, edge, edge)).reshape(3, -1).T, float)
    return places, (-1.0)**places.sum(axis=1), float(edge) * np.eye(3)


def random_ions(n=60, seed=1, tilt=True):
    """Positions, charges that sum to zero, and a cell; no two ions closer than 0.4 of the mean distance."""
    random = np.random.default_rng(seed)
    cell = np.diag([6.0, 7.0, 8.0])
    if tilt:
        cell[1, 0], cell[2, 0], cell[2, 1] = 1.5, -0.7, 0.9
    least = 0.4 * (np.linalg.det(cell) / n)**(1 / 3)
    shifts = np.indices((3, 3, 3)).reshape(3, -1).T @ cell - cell.sum(axis=0)
    places = np.empty((0, 3))
    while len(places) < n:
        place = random.random(3) @ cell
        apart = np.linalg.norm((places[:, None] - place) + shifts, axis=2)
        if apart.size == 0 or apart.min() > least:
            places = np.vstack([places, place])
    charges = random.normal(size=n)
    return places, charges - charges.mean(), cell


def f_ref(charges, cell, coulomb=1.0):
    """F_ref of docs/conventions.md."""
    n = np.count_nonzero(charges)
    return coulomb * np.sum(np.square(charges)) / n * (n / abs(np.linalg.det(cell)))**(2 / 3)


def write_calibration(name, backend):
    """A calibration file of the backend whose rates are all 1. The library names what a file lacks."""
    import enuf
    rows = {}
    while True:
        lines = [f'{row} {"1 " * count}' for row, count in rows.items()]
        with open(name, 'w', encoding='utf-8') as file:
            file.write('\n'.join(['enuf-calibration 1 cpu', *lines, '']))
        try:
            enuf.Ewald(1.0, [1.0, -1.0], backend='cpu', calibration_file=name)
            break
        except enuf.BadFile as error:
            lack = re.search(r': (\S+) is missing', str(error)) or re.search(r'(\S+) has .* needs (\d+)', str(error))
            rows[lack[1]] = int(lack[2]) if lack.re.groups == 2 else 1
    with open(name, 'w', encoding='utf-8') as file:
        file.write('\n'.join([f'enuf-calibration 1 {backend}', *lines, '']))
