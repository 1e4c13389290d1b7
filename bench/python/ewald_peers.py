#!/usr/bin/env python3
"""enuf.torch beside other packages at equal delivered error: ewald_peers.py CSV [--sides 4,10,22,46] [--error 1e-4]

Rock salt of side^3 ions, shaken by a tenth of the distance of neighbours; float64, one thread, positions and charges
with gradients. Each package tries its settings on 1000 ions. Those that meet the error (relative l2, of the forces,
against enuf at 1e-11) are timed there, and the fastest serves all sizes: the density is the same. `forces` is energy
and forces; `loss` a loss of forces and its gradient besides. Times are milliseconds, the least of the rounds, without
the neighbour list (`list`), which enuf does not need. A package that fails has the text of its error in place of times.
SPDX-License-Identifier: BSD-3-Clause
"""
import argparse
import csv
import datetime
import os
import platform
import sys
import time

sys.dont_write_bytecode = True
import numpy as np  # noqa: E402
import torch  # noqa: E402
from peers import all_peers  # noqa: E402

import enuf  # noqa: E402

COLUMNS = ('package', 'ions', 'error', 'setting', 'list_ms', 'forces_ms', 'forces_ratio', 'loss_ms', 'loss_ratio', 'note')


class System:
    """Rock salt, neighbours at distance 1."""
    threads = 1

    def __init__(self, side):
        places = np.indices((side, side, side)).reshape(3, -1).T.astype(float)
        self.charges = torch.from_numpy((-1.0)**places.sum(axis=1))
        self.positions = torch.from_numpy(places + np.random.default_rng(1).normal(scale=0.1, size=places.shape))
        self.cell = torch.eye(3, dtype=torch.float64) * side
        self.exact = torch.from_numpy(enuf.Ewald(self.cell.numpy(), self.charges.numpy(), accuracy=1e-11, threads=2)
                                      .forces(self.positions.numpy()))


def inputs(system):
    return system.positions.clone().requires_grad_(), system.charges.clone().requires_grad_()


def forces(peer, system, setting, neighbours, graph=False):
    x, q = inputs(system)
    slope, = torch.autograd.grad(peer.energy(system, setting, neighbours, x, q), x, create_graph=graph)
    return -slope, x, q


def loss(peer, system, setting, neighbours):
    found, x, q = forces(peer, system, setting, neighbours, graph=True)
    return torch.autograd.grad((found - 0.9 * system.exact).square().sum(), (x, q))


def least(function, rounds, limit=20.0):
    """Milliseconds: the least of the rounds, after one that warms up; fewer rounds where they are long."""
    function()
    times = []
    while len(times) < rounds and sum(times) < limit:
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return 1e3 * min(times)


def error(peer, system, setting):
    found, _, _ = forces(peer, system, setting, peer.neighbours(system, setting))
    return ((found - system.exact).norm() / system.exact.norm()).item()


def choose(peer, system, wanted):
    """The fastest of the settings that meet the error: of each ladder the first ones."""
    best, least_time = None, np.inf
    for ladder in peer.settings():
        met = 0
        for setting in ladder:
            if error(peer, system, setting) > wanted:
                continue
            neighbours = peer.neighbours(system, setting)
            taken = least(lambda: forces(peer, system, setting, neighbours), 3)
            if taken < least_time:
                best, least_time = setting, taken
            met += 1
            if met == 4:
                break
    return best


def row(peer, system, setting, rounds, beside):
    found = {'package': f'{peer.name} {peer.version}', 'ions': len(system.charges),
             'setting': ' '.join(f'{k}={v:.4g}' for k, v in setting.items())}
    try:
        neighbours = peer.neighbours(system, setting)
        found['error'] = f'{error(peer, system, setting):.1e}'
        found['list_ms'] = f'{least(lambda: peer.neighbours(system, setting), 3):.3f}'
        for what, call in ('forces', forces), ('loss', loss):
            taken = least(lambda: call(peer, system, setting, neighbours), rounds)
            beside.setdefault((what, len(system.charges)), taken)  # the first row is enuf's
            found[f'{what}_ms'] = f'{taken:.3f}'
            found[f'{what}_ratio'] = f'{taken / beside[what, len(system.charges)]:.2f}'
    except Exception as reason:  # a row of the table, not the end of it
        found['note'] = f'{type(reason).__name__}: {reason}'.splitlines()[0][:100]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('csv')
    parser.add_argument('--sides', default='4,10,22,46')
    parser.add_argument('--error', type=float, default=1e-4)
    parser.add_argument('--rounds', type=int, default=7)
    o = parser.parse_args()
    torch.set_num_threads(1)
    peers, missing = all_peers()
    small = System(10)
    settings = {}
    for peer in peers:
        try:
            settings[peer.name] = choose(peer, small, o.error)
        except Exception as reason:
            missing.append(f'{peer.name}: {type(reason).__name__}: {str(reason).splitlines()[0][:100]}')
            continue
        if settings[peer.name] is None:
            missing.append(f'{peer.name}: no setting met the error')
    beside, rows = {}, []
    for side in map(int, o.sides.split(',')):
        system = System(side)
        for peer in peers:
            if settings.get(peer.name):
                rows.append(row(peer, system, settings[peer.name], o.rounds, beside))
                print(rows[-1], flush=True)
    with open(o.csv, 'w', newline='') as file:
        file.write(f'# ewald_peers.py --sides {o.sides} --error {o.error:g} --rounds {o.rounds}; one thread, float64; '
                   'ratio: times of enuf\n')
        file.write(f'# Python {platform.python_version()}, PyTorch {torch.__version__}; {os.cpu_count()} processors, '
                   f'load {os.getloadavg()[0]:.1f}; {datetime.date.today()}\n')
        for text in missing:
            file.write(f'# left out: {text}\n')
        out = csv.DictWriter(file, COLUMNS)
        out.writeheader()
        out.writerows(rows)


main()
