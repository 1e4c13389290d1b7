"""Peers of enuf.torch: each makes calls for a system and parameters. What is not installed is left out by name.

A call takes positions [n, 3] and charges [n], float64 tensors of PyTorch, and returns the energy; gradients flow
through it. Neighbour lists are made apart. SPDX-License-Identifier: BSD-3-Clause
"""
import importlib
import itertools

import torch

ACCURACIES = [10**-(k / 2) for k in range(2, 19)]  # 1e-1 ... 1e-9
CUTOFFS = (2.2, 3.0, 4.5)  # in distances of neighbours


class Enuf:
    name = 'enuf'

    def __init__(self):
        self.module = importlib.import_module('enuf.torch')
        self.version = importlib.import_module('enuf').__version__

    def settings(self):
        """From the cheapest on, lists of settings that become more accurate."""
        return [[{'accuracy': accuracy} for accuracy in ACCURACIES if accuracy <= 1e-2]]

    def neighbours(self, system, setting):
        return None

    def energy(self, system, setting, neighbours, positions, charges):
        return self.module.energy(positions, charges, system.cell, threads=system.threads, **setting)


class TorchPME:
    """P3M or PME, pairs by vesin."""

    def __init__(self, method):
        self.method, self.name = method, f'torch-pme {method}'
        self.module = importlib.import_module('torchpme')
        self.vesin = importlib.import_module('vesin')
        self.version = importlib.import_module('importlib.metadata').version('torch-pme')

    def settings(self):
        ladders = []
        for cutoff in CUTOFFS:
            # the smearing that leaves the error of the pairs to the accuracy; then the mesh becomes finer
            ladder = []
            for accuracy in ACCURACIES:
                smearing = cutoff / (2 * max(1, -torch.log(torch.tensor(accuracy / 10)).item()))**0.5
                ladder += [{'cutoff': cutoff, 'smearing': smearing, 'mesh_spacing': smearing / fine,
                            'interpolation_nodes': nodes}
                           for nodes, fine in itertools.product((4, 5) if self.method == 'P3M' else (5, 7), (1, 2, 4))]
            ladders.append(ladder)
        return ladders

    def neighbours(self, system, setting):
        finder = self.vesin.NeighborList(cutoff=setting['cutoff'], full_list=False, n_threads=system.threads)
        i, j, shifts = finder.compute(system.positions.numpy(), system.cell.numpy(), True, 'ijS')
        pairs = torch.stack([torch.from_numpy(i.astype('int64')), torch.from_numpy(j.astype('int64'))], dim=1)
        return pairs, torch.from_numpy(shifts.astype('float64')) @ system.cell

    def energy(self, system, setting, neighbours, positions, charges):
        pairs, shifts = neighbours
        smearing, rest = setting['smearing'], {k: v for k, v in setting.items() if k not in ('cutoff', 'smearing')}
        calculator = getattr(self.module, f'{self.method}Calculator')(self.module.CoulombPotential(smearing), **rest)
        calculator.to(torch.float64)
        distances = torch.linalg.norm(positions[pairs[:, 1]] - positions[pairs[:, 0]] + shifts, dim=1)
        return (charges[:, None] * calculator(charges[:, None], system.cell, positions, pairs, distances)).sum()


class Nvalchemi:
    """PME of nvalchemi-toolkit-ops, by Warp."""
    name = 'nvalchemi'

    def __init__(self):
        self.module = importlib.import_module('nvalchemiops.torch.interactions.electrostatics')
        self.lists = importlib.import_module('nvalchemiops.torch.neighbors')
        self.version = importlib.import_module('importlib.metadata').version('nvalchemi-toolkit-ops')

    def settings(self):
        return [[{'accuracy': accuracy, 'cutoff': cutoff} for accuracy in ACCURACIES] for cutoff in CUTOFFS]

    def neighbours(self, system, setting):
        pairs, ptr, shifts = self.lists.neighbor_list(
            system.positions, setting['cutoff'], cell=system.cell[None], pbc=torch.ones(1, 3, dtype=torch.bool),
            return_neighbor_list=True, max_neighbors=int(6 * setting['cutoff']**3) + 32)[:3]
        found = self.module.estimate_pme_parameters(system.positions, system.cell[None], accuracy=setting['accuracy'],
                                                    real_space_cutoff=setting['cutoff'])
        return pairs, ptr, shifts, found

    def energy(self, system, setting, neighbours, positions, charges):
        pairs, ptr, shifts, found = neighbours
        return self.module.particle_mesh_ewald(
            positions, charges, system.cell[None], alpha=found.alpha, mesh_dimensions=tuple(found.mesh_dimensions),
            neighbor_list=pairs, neighbor_ptr=ptr, neighbor_shifts=shifts, accuracy=setting['accuracy']).sum()


def all_peers():
    """(those that are here, names of the others with the reason)."""
    here, missing = [], []
    for make in (Enuf, lambda: TorchPME('P3M'), lambda: TorchPME('PME'), Nvalchemi):
        try:
            here.append(make())
        except Exception as reason:  # whatever a package raises where it does not work
            missing.append(f'{type(reason).__name__}: {reason}')
    return here, missing
