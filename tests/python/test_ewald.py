# enuf.Ewald against exact sums and closed values. SPDX-License-Identifier: BSD-3-Clause
import os

import numpy as np

import enuf
from systems import ROCK_SALT, f_ref, random_ions, rock_salt, write_calibration
from expect import expect, expect_error, expect_true, run_laws

ACCURACY = 1e-8


def rms(error):
    return np.sqrt(np.mean(np.sum(np.square(error), axis=-1)))


def law_madelung_constant():
    positions, charges, cell = rock_salt()
    energy = enuf.ewald(positions, charges, cell, accuracy=1e-11).energy
    expect('Madelung constant of rock salt', abs(-energy / 4 / ROCK_SALT - 1), 20 * 1e-11, '(20 A)')


def law_all_results_agree_with_exact_sums():
    positions, charges, cell = random_ions()
    exact = enuf.exact_ewald(positions, charges, cell, coulomb=14.4)
    ewald = enuf.Ewald(cell, charges, accuracy=ACCURACY, coulomb=14.4)
    result = ewald.compute(positions, ('energy', 'forces', 'virial', 'atom_energy', 'atom_virial', 'potential',
                                       'field'))
    unit = f_ref(charges, cell, 14.4)
    promised = 20 * ACCURACY * 0.5 * np.sum(np.abs(charges * exact.potential))
    expect('energy', abs(result.energy - exact.energy), promised, '(20 A sum |q phi| / 2)')
    expect('forces', rms(result.forces - exact.forces), 3 * ACCURACY * unit, '(3 A F_ref)')
    expect('virial', np.max(np.abs(result.virial - exact.virial)), promised, '(as the energy)')
    expect('charges times potentials', abs(0.5 * charges @ result.potential - result.energy),
           1e-12 * abs(exact.energy) + promised)
    expect('charges times fields are forces', rms(charges[:, None] * result.field - result.forces), 3 * ACCURACY * unit)
    expect('shares sum to the energy', abs(result.atom_energy.sum() - result.energy), 1e-10 * abs(result.energy))
    expect('shares sum to the virial', np.max(np.abs(result.atom_virial.sum(axis=0) - result.virial)),
           1e-10 * abs(result.energy))
    expect('parts sum to the energy', abs(sum(result.parts.values()) - result.energy),
           1e-12 * abs(result.parts['self']))
    expect('trace of the virial is the energy', abs(result.virial[:3].sum() - result.energy), 3 * promised)


def law_slopes_are_differences():
    positions, charges, cell = random_ions()
    random = np.random.default_rng(4)
    direction = random.normal(size=positions.shape), random.normal(size=len(charges)), random.normal(size=(3, 3))
    ewald = enuf.Ewald(cell, charges, accuracy=1e-10, threads=1)
    slopes = ewald.differentiate(positions, *direction, ('energy', 'forces', 'potential', 'virial', 'cell'))
    step, found = 1e-5, []
    for sign in (-1, 1):
        x, q, h = (a + sign * step * b for a, b in zip((positions, charges, cell), direction))
        found.append(enuf.exact_ewald(x, q, h))
    for name in ('energy', 'forces', 'potential', 'virial'):
        before, after = (getattr(result, name) for result in found)
        exact = (np.asarray(after) - np.asarray(before)) / (2 * step)
        expect(f'slope of {name}', np.linalg.norm(getattr(slopes, name) - exact) / np.linalg.norm(exact), 1e-6,
               '(a difference)')
    expect_true('of the positions alone, and no more', ewald.differentiate(positions, direction[0]).virial is None)
    expect_error('no such result', enuf.BadArgument, ['field'],
                 lambda: ewald.differentiate(positions, direction[0], wanted='field'))
    expect_error('another shape', enuf.ArrayError, ['displacements'],
                 lambda: ewald.differentiate(positions, direction[0][:2]))
    bad = direction[0].copy()
    bad[3, 1] = np.nan
    expect_error('NaN', enuf.NotFinite, ['positions[10]'], lambda: ewald.differentiate(positions, bad))


def law_potentials_of_any_charges_at_held_positions():
    positions, charges, cell = random_ions()
    ewald = enuf.Ewald(cell, charges, accuracy=ACCURACY)
    expect_error('nothing held', enuf.NoPointsSet, ['hold'], lambda: ewald.apply(charges))
    others = np.random.default_rng(6).normal(size=(3, len(charges)))
    found = ewald.hold(positions).apply(others)
    for q, potentials in zip(others, found):
        exact = enuf.exact_ewald(positions, q, cell).potential
        expect('potentials of other charges', np.linalg.norm(potentials - exact) / np.linalg.norm(exact),
               20 * ACCURACY, '(20 A)')
    out = np.empty(len(charges))
    expect_true('into an array', ewald.apply(others[1], out) is out)
    expect('one set', np.linalg.norm(out - found[1]) / np.linalg.norm(out), 1e-12)
    expect_error('another number', enuf.ArrayError, ['charges'], lambda: ewald.apply(charges[1:]))


def law_each_method_gives_its_part():
    positions, charges, cell = random_ions(20)
    ewald = enuf.Ewald(cell, charges, accuracy=ACCURACY)
    result = ewald.compute(positions,
                           ('energy', 'forces', 'virial', 'potential', 'field', 'atom_energy', 'atom_virial'))
    energies, virials = ewald.per_atom(positions)
    pairs = {'energy': ewald.energy(positions), 'forces': ewald.forces(positions), 'virial': ewald.virial(positions),
             'potential': ewald.potential(positions), 'field': ewald.field(positions), 'atom_energy': energies,
             'atom_virial': virials}
    for name, value in pairs.items():
        whole = getattr(result, name)
        expect(name, np.max(np.abs(value - whole)), 1e-12 * max(1, np.max(np.abs(whole))), '(rounding)')
    halves = ewald.real(positions), ewald.reciprocal(positions)
    expect('real and reciprocal sum to the energy', abs(halves[0].energy + halves[1].energy - result.energy), 1e-12)
    expect('and to the forces', np.max(np.abs(halves[0].forces + halves[1].forces - result.forces)), 1e-11)
    ewald.begin(positions, ('energy', 'forces'))
    finished = ewald.finish()
    expect('begin and finish', np.max(np.abs(finished.forces - result.forces)), 1e-12)
    expect_true('what is not wanted is None', halves[0].virial is None and halves[0].potential is None)


def law_cell_and_charges_may_change():
    positions, charges, cell = random_ions(30)
    ewald = enuf.Ewald(np.eye(3) * 9, np.ones(3), accuracy=ACCURACY)
    ewald.set_charges(charges)
    ewald.set_cell(1.1 * cell)
    other = enuf.Ewald(1.1 * cell, charges, accuracy=ACCURACY)
    expect('energy', abs(ewald.energy(1.1 * positions) - other.energy(1.1 * positions)), 20 * ACCURACY * 30)
    expect_true('the cell is the new one', np.array_equal(ewald.cell, 1.1 * cell))
    expect_true('the charges are the new ones', np.array_equal(ewald.charges, charges))
    mine, box = charges.copy(), cell.copy()
    ewald = enuf.Ewald(box, mine, accuracy=ACCURACY)
    energy = ewald.energy(positions)
    mine *= 2
    box *= 2
    expect_true('arrays of the caller may change',
                ewald.energy(positions) == energy and np.array_equal(ewald.cell, cell))


def law_cells_have_three_forms():
    positions, charges, cell = rock_salt()
    energies = [
        enuf.ewald(positions, charges, form, accuracy=1e-9).energy for form in (2.0, (2, 2, 2), cell, cell.tolist())
    ]
    expect('energies', np.ptp(energies), 0.0, '(the same cell)')


def law_exclusions_subtract_their_pairs():
    positions, charges, cell = random_ions(20)
    pairs, weights = [(0, 1), (2, 3)], [0.0, 0.25]
    options = dict(exclusions=pairs, exclusion_weights=weights)
    exact = enuf.exact_ewald(positions, charges, cell, **options)
    without = enuf.exact_ewald(positions, charges, cell)
    result = enuf.ewald(positions, charges, cell, accuracy=1e-9, **options)
    expect('forces', rms(result.forces - exact.forces), 3e-9 * f_ref(charges, cell))
    expect_true('the pairs count', abs(exact.energy - without.energy) > 1e-3)


def law_slab_and_surroundings_are_passed_on():
    positions, charges, cell = random_ions(20, tilt=False)
    for options in {'slab': 3.0}, {'surroundings': 1.0}:
        exact = enuf.exact_ewald(positions, charges, cell, **options)
        result = enuf.ewald(positions, charges, cell, accuracy=1e-9, **options)
        expect(f'forces with {options}', rms(result.forces - exact.forces), 3e-9 * f_ref(charges, cell))
        expect_true('there is a surface term', result.parts['surface'] != 0)


def law_errors_are_predicted_and_measured():
    positions, charges, cell = random_ions()
    ewald = enuf.Ewald(cell, charges, accuracy=1e-5)
    report = ewald.tune(positions)
    error = ewald.measure_error(positions, sample=40, seed=3)
    exact = enuf.exact_ewald(positions, charges, cell)
    found = rms(ewald.forces(positions) - exact.forces) / f_ref(charges, cell)
    expect('predicted', report.predicted, 1e-5, '(the accuracy asked for)')
    expect('measured', error.accuracy, 2e-5, '(twice the accuracy, by 40 atoms)')
    expect_true(f'{error.sample} atoms are measured', error.sample == 40)
    expect('error against exact sums over the measured one', found / error.accuracy, 3, '(a sample of 40)')
    expect_true('the report keeps it', ewald.report().measured == error.accuracy)
    expect('error that a verification finds', enuf.Ewald(cell, charges, accuracy=1e-5).verify(positions).verified, 1e-5)
    candidates = ewald.candidates(2.0)
    expect_true(f'{len(candidates)} candidates, the first is in use', candidates[0].chosen and len(candidates) > 1)
    expect('F_ref', abs(report.f_ref / f_ref(charges, cell) - 1), 1e-13)


def law_options_reach_the_library():
    positions, charges, cell = random_ions(20)
    lines = []
    ewald = enuf.Ewald(cell, charges, accuracy=1e-6, split='gaussian', cutoff=2.5, window='kaiser_bessel',
                       grid=(32, 36, 40), threads=1, deterministic=True, log=lines.append)
    report = ewald.tune()
    expect_true('split, cutoff, window, grid, threads', (report.split, report.cutoff, report.window, report.grid,
                                                         report.threads) ==
                ('gaussian', 2.5, 'kaiser_bessel', (32, 36, 40), 1), report)
    expect_true('deterministic results have the same bits',
                np.array_equal(ewald.forces(positions), ewald.forces(positions)))
    other = enuf.Ewald(cell, charges, force_error=1e-6).tune()
    expect('force_error replaces the accuracy', abs(other.requested * other.f_ref / 1e-6 - 1), 1e-12)
    expect_true('version', enuf.__version__.count('.') == 2)
    expect_true('the CPU is usable', enuf.usable('cpu')[0])


def law_a_calibration_file_serves_its_backend():
    charges, cell = random_ions(20)[1:]
    of = {name: os.path.join(os.environ['SCRATCH'], f'rates_{name}') for name in ('cpu', 'cuda')}

    def seconds(**options):
        ewald = enuf.Ewald(cell, charges, **options)
        ewald.tune()
        return ewald.candidates()[0].seconds_real

    for name, file in of.items():
        write_calibration(file, name)
    shipped, measured = seconds(), seconds(calibration_file=of['cpu'], backend='cpu')
    expect_true('the file of the CPU changes predicted times', measured != shipped, (measured, shipped))
    expect_true('auto on the host takes it', seconds(calibration_file=of['cpu']) == measured)
    expect_true("auto on the host leaves a GPU's alone", seconds(calibration_file=of['cuda']) == shipped)
    expect_error("'cpu' refuses a GPU's", enuf.BadFile, [of['cuda'], 'of the cuda backend', "this is the cpu's",
                                                          'enuf tune --calibrate --backend cpu'],
                 lambda: seconds(calibration_file=of['cuda'], backend='cpu'))
    expect_error('auto refuses a file that is none', enuf.BadFile, [__file__, 'enuf-calibration'],
                 lambda: seconds(calibration_file=__file__))


def law_no_charges_no_energy():
    result = enuf.ewald(np.empty((0, 3)), [], 1.0)
    expect_true('0 and an empty array', result.energy == 0 and result.forces.shape == (0, 3))


run_laws(globals())
