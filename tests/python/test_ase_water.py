# Flexible water in ASE keeps its energy: 200 steps, or with ENUF_STEPS=100000 as many. SPDX-License-Identifier:
# BSD-3-Clause
import importlib.util
import os
import sys

import numpy as np

if not importlib.util.find_spec('ase'):
    print('skipped: ASE is not installed here')
    sys.exit(77)
from ase import Atoms, units
from ase.calculators.calculator import Calculator
from ase.calculators.mixing import SumCalculator
from ase.md.velocitydistribution import Stationary
from ase.md.verlet import VelocityVerlet
from ase.optimize import FIRE

from enuf.ase import Ewald
from expect import expect, run_laws

STEPS = int(os.environ.get('ENUF_STEPS', '200'))
SIDE = 3  # molecules along an edge
EDGE = SIDE * (18.0154 / 0.602214 / 0.997)**(1 / 3)  # Angstrom, of water at 300 K

KCAL = units.kcal / units.mol


class FlexibleWater(Calculator):
    """SPC/Fw water but for its charges, molecules O H H. Y. Wu, H. L. Tepper, G. A. Voth, J. Chem. Phys. 124 (2006)
    024503. Lennard-Jones forces go to zero at half of the box."""
    implemented_properties = ['energy', 'forces']
    bond, length = 1059.162 * KCAL, 1.012
    bend, angle = 75.90 * KCAL, np.deg2rad(113.24)
    epsilon, sigma = 0.1554253 * KCAL, 3.165492

    def calculate(self, atoms=None, properties=('energy',), system_changes=()):
        super().calculate(atoms, properties, system_changes)
        places, edge = atoms.positions, atoms.cell[0, 0]
        oxygen, arms = places[::3], [places[1::3] - places[::3], places[2::3] - places[::3]]
        forces = np.zeros_like(places)
        energy = 0.0
        for k, arm in enumerate(arms, 1):
            long = np.linalg.norm(arm, axis=1)
            energy += 0.5 * self.bond * np.sum((long - self.length)**2)
            pull = -self.bond * (1 - self.length / long)[:, None] * arm
            forces[k::3] += pull
            forces[::3] -= pull
        long = [np.linalg.norm(arm, axis=1)[:, None] for arm in arms]
        along = [arm / size for arm, size in zip(arms, long)]
        cosine = np.sum(along[0] * along[1], axis=1)[:, None]
        turned = np.arccos(cosine) - self.angle
        energy += 0.5 * self.bend * np.sum(turned**2)
        push = self.bend * turned / np.sqrt(1 - cosine**2)
        for k in (0, 1):
            force = push * (along[1 - k] - cosine * along[k]) / long[k]
            forces[k + 1::3] += force
            forces[::3] -= force
        apart = oxygen[:, None] - oxygen[None]
        apart -= edge * np.round(apart / edge)
        square = np.sum(apart**2, axis=2) + np.diag(np.full(len(oxygen), np.inf))
        inside = square < (edge / 2)**2
        size = np.sqrt(np.where(inside, square, 1))
        value, slope = self.lennard_jones(size)
        end, end_slope = self.lennard_jones(edge / 2)
        energy += 0.5 * np.sum(np.where(inside, value - end - (size - edge / 2) * end_slope, 0))
        forces[::3] += np.sum(np.where(inside, (end_slope - slope) / size, 0)[..., None] * apart, axis=1)
        self.results = {'energy': energy, 'forces': forces}

    def lennard_jones(self, size):
        sixth = (self.sigma / size)**6
        return (4 * self.epsilon * (sixth**2 - sixth), -24 * self.epsilon * (2 * sixth**2 - sixth) / size)


def water(accuracy):
    """Molecules on a lattice, each turned at random, and relaxed."""
    random = np.random.default_rng(2)
    half = np.deg2rad(113.24) / 2
    molecule = 1.012 * np.array([[0, 0, 0], [np.sin(half), np.cos(half), 0], [-np.sin(half), np.cos(half), 0]])
    places = []
    for site in np.indices((SIDE, SIDE, SIDE)).reshape(3, -1).T:
        turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        places.append(site * EDGE / SIDE + molecule @ turn)
    atoms = Atoms('OHH' * SIDE**3, positions=np.concatenate(places), cell=[EDGE] * 3, pbc=True)
    atoms.set_initial_charges([-0.82, 0.41, 0.41] * SIDE**3)
    first = 3 * np.arange(SIDE**3)[:, None, None]
    bonded = (first + np.array([[0, 1], [0, 2], [1, 2]])).reshape(-1, 2)
    atoms.calc = SumCalculator([FlexibleWater(), Ewald(accuracy=accuracy, exclusions=bonded, threads=1)])
    FIRE(atoms, logfile=None).run(fmax=0.05, steps=300)
    heat = np.sqrt(600 * units.kB * atoms.get_masses())  # half of it becomes potential
    atoms.set_momenta(heat[:, None] * np.random.default_rng(3).normal(size=(len(atoms), 3)))
    Stationary(atoms)
    return atoms


def law_forces_are_derivatives_of_the_energy():
    atoms = water(1e-9)
    forces, step = atoms.get_forces(), 1e-4
    for i, d in (0, 0), (1, 1), (5, 2):
        energies = []
        for sign in (-1, 1):
            moved = atoms.copy()
            moved.calc = atoms.calc
            moved.positions[i, d] += sign * step
            energies.append(moved.get_potential_energy())
        expect(f'atom {i}', abs(forces[i, d] + (energies[1] - energies[0]) / (2 * step)), 1e-4, '(eV/Angstrom)')


def law_the_total_energy_is_kept():
    atoms = water(1e-5)
    dynamics = VelocityVerlet(atoms, timestep=0.5 * units.fs)
    dynamics.run(200)  # until bonds and motion share the energy
    total, kinetic = [], []

    def look():
        total.append(atoms.get_total_energy())
        kinetic.append(atoms.get_kinetic_energy())
    dynamics.attach(look, interval=10)
    dynamics.run(STEPS)
    motion, time = np.mean(kinetic), np.arange(len(total)) * 10 * 0.5e-3  # eV, ps
    slope = np.polyfit(time, total, 1)[0]
    # the error of the slope, from the scatter around the line in ten blocks
    blocks = np.array_split(np.array(total) - np.polyval(np.polyfit(time, total, 1), time), 10)
    error = np.std([np.mean(block) for block in blocks]) * np.sqrt(12 / 10) / max(time[-1], 1e-9)
    print(f'{len(atoms)} atoms, {STEPS} steps of 0.5 fs: drift {slope:.2e} +- {error:.1e} eV/ps, '
          f'{motion:.2f} eV of motion, {2 * motion / (3 * len(atoms) * units.kB):.0f} K')
    expect('scatter of the total energy, over the motion', np.std(total) / motion, 5e-3, '(Verlet at 0.5 fs)')
    expect('drift in the run, over the motion', abs(slope) * time[-1] / motion, 2e-3)


run_laws(globals())
