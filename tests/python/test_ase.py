# The ASE calculator gives the numbers of the command line. SPDX-License-Identifier: BSD-3-Clause
import importlib.util
import json
import os
import subprocess
import sys

import numpy as np

if not importlib.util.find_spec('ase'):
    print('skipped: ASE is not installed here')
    sys.exit(77)
from ase import Atoms, units
from ase.build import bulk
from ase.calculators.calculator import Calculator
from ase.calculators.mixing import SumCalculator
from ase.md.verlet import VelocityVerlet
from ase.optimize import BFGS

import enuf
from enuf.ase import COULOMB, Ewald
from systems import random_ions
from expect import expect, expect_error, expect_true, run_laws

SCRATCH = os.environ['SCRATCH']
# bits are those of a library of FFTs: the program of the wheel has its own
OF_WHEEL = os.path.join(os.path.dirname(enuf.__file__), 'bin', 'enuf')
PROGRAM = OF_WHEEL if os.path.exists(OF_WHEEL) and 'ENUF_LIBRARY' not in os.environ else os.environ['PROGRAM']


def salt(repeat=2, shake=0.05, seed=4):
    atoms = bulk('NaCl', 'rocksalt', a=5.64, cubic=True).repeat(repeat)
    atoms.set_initial_charges(np.where(atoms.numbers == 11, 1.0, -1.0))
    atoms.rattle(shake, seed=seed)
    return atoms


def random_atoms():
    positions, charges, cell = random_ions(30, seed=6)
    atoms = Atoms('Ar30', positions=positions, cell=cell, pbc=True)
    atoms.set_initial_charges(charges)
    return atoms


def by_program(atoms, *options):
    """Energy, virial and forces of `enuf energy`, at the same numbers to the last digit."""
    file, forces = os.path.join(SCRATCH, 'ions.xyz'), os.path.join(SCRATCH, 'forces.xyz')
    with open(file, 'w', encoding='utf-8') as out:
        lattice = ' '.join(repr(float(v)) for v in np.ravel(atoms.cell))
        out.write(f'{len(atoms)}\nLattice="{lattice}" Properties=species:S:1:pos:R:3:charge:R:1 units=metal '
                  f'pbc="{" ".join("FT"[int(p)] for p in atoms.pbc)}"\n')
        for symbol, place, charge in zip(atoms.symbols, atoms.positions, atoms.get_initial_charges()):
            out.write(' '.join([symbol, *(repr(float(v)) for v in place), repr(float(charge))]) + '\n')
    text = subprocess.run([PROGRAM, 'energy', file, '--json', '--virial', '--quiet', '--forces', forces, *options],
                          check=True, text=True, stdout=subprocess.PIPE).stdout
    report = json.loads(text)
    with open(forces, encoding='utf-8') as lines:
        rows = [line.split()[-3:] for line in lines.readlines()[2:]]
    return report['energy'], np.array(list(report['virial'].values())), np.array(rows, float)


def law_results_are_those_of_the_command_line():
    slab = salt(1)
    slab.pbc = (True, True, False)
    slab.center(vacuum=3, axis=2)
    for what, atoms, mine, its in (
            ('rock salt', salt(), {}, ('--calibrate',)),
            ('rock salt, 1e-10', salt(), {'accuracy': 1e-10}, ('--calibrate', '--accuracy', '1e-10')),
            ('rock salt, once', salt(), {'evaluations': 1}, ()),
            ('a tilted cell', random_atoms(), {'accuracy': 1e-7}, ('--calibrate', '--accuracy', '1e-7')),
            ('Gaussian splitting', salt(), {'split': 'gaussian'}, ('--calibrate', '--split', 'gaussian')),
            ('a slab', slab, {'slab': 3.0}, ('--calibrate', '--slab', '3'))):
        atoms.calc = Ewald(threads=2, **mine)
        energy, virial, forces = by_program(atoms, '--threads', '2', *its)
        stress = -virial[[0, 1, 2, 5, 4, 3]] / atoms.get_volume()
        scale = np.max(np.abs(stress))
        expect(f'{what}: energy', abs(atoms.get_potential_energy() / energy - 1), 1e-10, '(of the energy)')
        expect(f'{what}: forces', np.max(np.abs(atoms.get_forces() - forces)) / np.max(np.abs(forces)), 1e-10,
               '(of the largest)')
        expect(f'{what}: stress', np.max(np.abs(atoms.get_stress() - stress)) / scale, 1e-10, '(of the largest)')


def law_deterministic_gives_the_bits_of_the_command_line():
    """Which computes pairs and modes one after the other, and adds them; compute() rounds their sum once less."""
    for what, atoms, mine, its in (
            ('rock salt', salt(), {'evaluations': 1}, ()), ('rock salt for long', salt(), {}, ('--calibrate',)),
            ('a tilted cell', random_atoms(), {'accuracy': 1e-9}, ('--calibrate', '--accuracy', '1e-9'))):
        atoms.calc = Ewald(deterministic=True, threads=1, **mine)
        energy, virial, forces = by_program(atoms, '--threads', '2', '--deterministic', *its)
        whole = atoms.get_potential_energy()
        parts = [call(atoms.positions, ('energy', 'forces', 'virial'))
                 for call in (atoms.calc.ewald.real, atoms.calc.ewald.reciprocal)]
        expect_true(f'{what}: energy', parts[0].energy + parts[1].energy == energy, 'of parts')
        near = 4 * np.spacing(max(abs(parts[0].energy), abs(parts[1].energy)))
        expect_true(f'{what}: energy of a whole', abs(whole - energy) <= near, (energy, whole))
        expect_true(f'{what}: forces', np.array_equal(parts[0].forces + parts[1].forces, forces), 'of parts')
        expect_true(f'{what}: virial', np.array_equal(parts[0].virial + parts[1].virial, virial), 'of parts')
        near = 4 * np.spacing(np.maximum(np.abs(parts[0].forces), np.abs(parts[1].forces)))
        expect_true(f'{what}: forces of a whole', np.all(np.abs(atoms.get_forces() - forces) <= near),
                    atoms.get_forces() - forces)


#: pulls along a vector of the cell and all of them, shears of two planes, and a general strain
DIRECTIONS = {'xx': [[1, 0, 0], [0, 0, 0], [0, 0, 0]], 'zz': [[0, 0, 0], [0, 0, 0], [0, 0, 1]],
              'all around': np.eye(3), 'xy': [[0, 1, 0], [1, 0, 0], [0, 0, 0]], 'yz': [[0, 0, 0], [0, 0, 2], [0, 0, 0]],
              'general': [[0.3, 0.7, -0.2], [0.1, -0.5, 0.4], [-0.6, 0.2, 0.8]]}


def strained(atoms, strain):
    """A copy of atoms, strained by 1 + strain, with a calculator of its own."""
    copy = atoms.copy()
    copy.set_cell(atoms.cell @ (np.eye(3) + strain).T, scale_atoms=True)
    copy.calc = Ewald(accuracy=1e-11, evaluations=1)  # quick to choose
    return copy


def law_stress_is_the_slope_of_the_energy_along_curves_of_strain():
    """At strains up to 6 %: dE/dg = V stress : D (1 + g D)^-1 of the deformation 1 + g D."""
    step = 1e-3
    for what, atoms in ('rock salt', salt(1)), ('a tilted cell', random_atoms()):
        for name, direction in DIRECTIONS.items():
            direction = np.array(direction, float)
            worst, largest = 0.0, 0.0
            for g in (-0.06, -0.02, 0.0, 0.03, 0.06):
                energies = [strained(atoms, (g + k * step) * direction).get_potential_energy() for k in (-2, -1, 1, 2)]
                slope = (energies[0] - 8 * energies[1] + 8 * energies[2] - energies[3]) / (12 * step)
                there = strained(atoms, g * direction)
                stress = there.get_stress(voigt=False)
                rate = direction @ np.linalg.inv(np.eye(3) + g * direction)
                worst = max(worst, abs(there.get_volume() * np.sum(stress * rate) - slope))
                largest = max(largest, there.get_volume() * np.max(np.abs(stress)))
            expect(f'{what}, {name}', worst, 1e-9 * largest, '(of the stress; step to the fourth)')


def law_changes_of_the_atoms_are_seen():
    atoms = salt(1)
    atoms.calc = Ewald(accuracy=1e-9)
    atoms.get_potential_energy()
    for what, change in (('positions', lambda: atoms.rattle(0.1, seed=9)),
                         ('cell', lambda: atoms.set_cell(1.05 * atoms.cell, scale_atoms=True)),
                         ('charges', lambda: atoms.set_initial_charges(0.7 * atoms.get_initial_charges())),
                         ('number', lambda: atoms.__delitem__([0, 1]))):
        change()
        exact = enuf.exact_ewald(atoms.positions, atoms.get_initial_charges(), np.array(atoms.cell), coulomb=COULOMB)
        expect(f'after other {what}', abs(atoms.get_potential_energy() / exact.energy - 1), 20e-9, '(20 A)')
        expect('energies sum to it', abs(atoms.get_potential_energies().sum() / exact.energy - 1), 20e-9)


class Repulsion(Calculator):
    """A short-ranged part: 1050 eV exp(-r / 0.32 Angstrom) of the nearest images, beyond which nothing counts."""
    implemented_properties = ['energy', 'forces']

    def calculate(self, atoms=None, properties=('energy',), system_changes=()):
        super().calculate(atoms, properties, system_changes)
        vectors = atoms.get_all_distances(mic=True, vector=True)
        lengths = np.linalg.norm(vectors, axis=2) + np.diag(np.full(len(atoms), np.inf))
        pairs = 1050.0 * np.exp(-lengths / 0.32)
        self.results = {'energy': 0.5 * pairs.sum(),
                        'forces': -np.einsum('ij,ijk->ik', pairs / 0.32 / lengths, vectors)}


def law_dynamics_beside_another_calculator_conserve_the_energy():
    atoms = salt(2, shake=0.1)
    atoms.calc = SumCalculator([Repulsion(), Ewald(accuracy=1e-6)])
    total = [atoms.get_total_energy()]
    dynamics = VelocityVerlet(atoms, timestep=1 * units.fs)
    dynamics.attach(lambda: total.append(atoms.get_total_energy()))
    dynamics.run(100)
    moved = atoms.get_kinetic_energy()
    expect(f'drift of the total energy over {moved:.2f} eV of motion', np.ptp(total) / moved, 1e-2, '(Verlet at 1 fs)')


def law_optimisers_find_the_crystal():
    atoms = salt(2, shake=0.1)
    atoms.calc = SumCalculator([Repulsion(), Ewald(accuracy=1e-8)])
    BFGS(atoms, logfile=None).run(fmax=1e-3, steps=100)
    expect('forces left', np.max(np.abs(atoms.get_forces())), 1e-3)


def law_what_would_be_wrong_is_refused():
    atoms = bulk('NaCl', 'rocksalt', a=5.64, cubic=True)
    atoms.calc = Ewald()
    expect_error('no charges', enuf.BadArgument, ['set_initial_charges'], atoms.get_potential_energy)
    molecule = salt(1)
    molecule.pbc = False
    molecule.calc = Ewald()
    expect_error('no periodic cell', enuf.BadArgument, ['pbc', 'slab'], molecule.get_potential_energy)
    expect_error('a wrong option', enuf.BadArgument, ['accuracy'], lambda: Ewald(accuracy=5.0))
    expect_error('an unknown option', TypeError, ['acuracy'], lambda: Ewald(acuracy=1e-6))
    close = salt(1)
    close.positions[1] = close.positions[0]
    close.calc = Ewald()
    expect_error('two ions at one place', enuf.BadArgument, [], close.get_potential_energy)
    expect_true('charges are a property', np.array_equal(salt(1).get_initial_charges(), with_charges(salt(1))))


def with_charges(atoms):
    atoms.calc = Ewald()
    atoms.get_potential_energy()
    return atoms.get_charges()


run_laws(globals())
