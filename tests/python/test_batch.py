# enuf.EwaldBatch against exact sums of each system. SPDX-License-Identifier: BSD-3-Clause
import importlib.util

import numpy as np

import enuf
from systems import f_ref, random_ions
from expect import expect, expect_error, expect_true, run_laws

SYSTEMS = [random_ions(n, seed=n, tilt=n % 2 == 0) for n in (5, 12, 9)]
OFFSETS = np.cumsum([0] + [len(charges) for _, charges, _ in SYSTEMS])
POSITIONS, CHARGES = (np.concatenate([system[k] for system in SYSTEMS]) for k in (0, 1))
CELLS = np.stack([cell for _, _, cell in SYSTEMS])


def law_each_system_is_an_exact_sum():
    result = enuf.EwaldBatch(coulomb=2.0).set_systems(OFFSETS, CELLS).compute(POSITIONS, CHARGES)
    for s, (positions, charges, cell) in enumerate(SYSTEMS):
        exact = enuf.exact_ewald(positions, charges, cell, coulomb=2.0)
        atoms = slice(OFFSETS[s], OFFSETS[s + 1])
        unit = f_ref(charges, cell, 2.0)
        expect(f'system {s}: energy', abs(result['energies'][s] - exact.energy), 1e-12 * len(charges), '(rounding)')
        expect(f'system {s}: forces', np.max(np.abs(result['forces'][atoms] - exact.forces)), 1e-11 * unit)
        expect(f'system {s}: potentials', np.max(np.abs(result['potentials'][atoms] - exact.potential)), 1e-11)
        expect(f'system {s}: virial', np.max(np.abs(result['virials'][s] - exact.virial)), 1e-10)
    single = enuf.EwaldBatch(dtype='float32', coulomb=2.0).set_systems(OFFSETS, CELLS).compute(
        POSITIONS.astype('f4'), CHARGES.astype('f4'), ('energies',))
    expect('in float', np.max(np.abs(single['energies'] - result['energies'])), 1e-4)
    expect_true('what is wanted', list(single) == ['energies'] and single['energies'].dtype == np.float32)


def law_cells_may_change():
    strained = CELLS @ (np.eye(3) + [[0.02, 0.01, 0], [0, -0.03, 0], [0.01, 0, 0.01]])
    batch = enuf.EwaldBatch().set_systems(OFFSETS, CELLS)
    before = batch.compute(POSITIONS, CHARGES)
    after = batch.set_cells(strained).compute(POSITIONS, CHARGES)
    anew = enuf.EwaldBatch().set_systems(OFFSETS, strained).compute(POSITIONS, CHARGES)
    expect('energies of other cells', np.max(np.abs(after['energies'] - anew['energies'])), 1e-12)
    expect_true('they are others', np.min(np.abs(after['energies'] - before['energies'])) > 1e-3)
    expect_error('a cell without volume', enuf.BadArgument, ['system 1'],
                 lambda: batch.set_cells(np.stack([CELLS[0], np.zeros((3, 3)), CELLS[2]])))
    kept = batch.compute(POSITIONS, CHARGES)
    expect('after an error the cells stay', np.max(np.abs(kept['energies'] - anew['energies'])), 1e-12)


def law_what_is_wrong_is_named():
    batch = enuf.EwaldBatch()
    expect_error('no systems for cells', enuf.NoPointsSet, ['set_systems'], lambda: batch.set_cells(CELLS))
    expect_error('no systems', enuf.NoPointsSet, ['set_systems'], lambda: batch.compute(POSITIONS, CHARGES))
    expect_error('offsets that fall', enuf.BadArgument, ['system 1'], lambda: batch.set_systems([0, 5, 3], CELLS[:2]))
    expect_error('too few cells', enuf.ArrayError, ['cells', '(2, 3, 3)'],
                 lambda: batch.set_systems(OFFSETS, CELLS[:2]))
    batch.set_systems(OFFSETS, CELLS)
    expect_error('too few atoms', enuf.ArrayError, ['positions', '26'],
                 lambda: batch.compute(POSITIONS[1:], CHARGES[1:]))
    bad = POSITIONS.copy()
    bad[7, 0] = np.nan
    expect_error('NaN', enuf.NotFinite, ['system 1'], lambda: batch.compute(bad, CHARGES))
    expect_error('an unknown result', enuf.BadArgument, ['stress'],
                 lambda: batch.compute(POSITIONS, CHARGES, ('stress', )))
    expect_error('another type', enuf.BadArgument, ['float32'], lambda: enuf.EwaldBatch(dtype='int8'))


def law_gradients_of_a_batch_are_those_of_each_system():
    if not importlib.util.find_spec('torch'):
        print('not here: torch')
        return
    import torch
    import enuf.torch
    x, q, h = (torch.tensor(a, requires_grad=True) for a in (POSITIONS, CHARGES, CELLS))
    weights = torch.tensor([1.0, -0.5, 2.0], dtype=torch.float64)
    call = torch.compile(lambda *t: enuf.torch.energies(*t, coulomb=2.0), fullgraph=True, backend='aot_eager')
    (weights * call(x, q, h, torch.tensor(OFFSETS))).sum().backward()
    for s, system in enumerate(SYSTEMS):
        y, p, g = (torch.tensor(a, requires_grad=True) for a in system)
        (weights[s] * enuf.torch.energy(y, p, g, accuracy=1e-11, coulomb=2.0)).backward()
        atoms = slice(OFFSETS[s], OFFSETS[s + 1])
        for name, a, b in ('positions', x.grad[atoms], y.grad), ('charges', q.grad[atoms], p.grad), ('cell', h.grad[s],
                                                                                                     g.grad):
            expect(f'system {s}: {name}', (a - b).abs().max().item(), 1e-8, '(the accuracy of a single system)')
    forces, = torch.autograd.grad(enuf.torch.energies(x, q, h, torch.tensor(OFFSETS)).sum(), x, create_graph=True)
    product, = torch.autograd.grad(forces.square().sum(), x, create_graph=True)
    expect_error('third derivatives', enuf.Unsupported, ['Hessian'], lambda: product.sum().backward())


run_laws(globals())
