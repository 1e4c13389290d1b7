# Measures the bias of energy and pressure in LAMMPS over configurations of four systems: water, a charged chain in
# water, molten and crystalline salt.
#
#   energy_bias.py LMP PLUGIN FOLDER CSV [--systems water,chain,melt,crystal] [--errors 1e-3,...] [--configurations 20]
#
# The program writes data files and dumps of the configurations to FOLDER: short molecular dynamics, or for the crystal
# random displacements. Each style reruns the configurations with the Coulomb part alone, cutoff 10. Pairs are by
# coul/long without a table, whose erfc is a polynomial with an error of 1.5e-7, or by coul/enuf, which is exact. The
# reference is enuf's prolate splitting at 1e-11. Bias is the mean of the differences, deviation their standard
# deviation. `calibrate yes` uses the positions of the data file, which is none of the configurations. Columns `before`:
# the bias without the energy and pressure of the modes left out, which the log prints.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import math
import os
import random
import re
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
from systems import SALT_PAIR, lattice, melt, turned

CUTOFF = 10.0
STYLES = {
    'enuf': ('coul/long', 'enuf {} precision double calibrate no'),
    'enuf calibrated': ('coul/long', 'enuf {} precision double calibrate yes'),
    'enuf calibrated coul/enuf': ('coul/enuf', 'enuf {} split gaussian precision double calibrate yes'),
    'enuf prolate': ('coul/enuf', 'enuf {} split prolate precision double calibrate no'),
    'enuf prolate calibrated': ('coul/enuf', 'enuf {} split prolate precision double calibrate yes'),
    'pppm': ('coul/long', 'pppm {}'),
}
REFERENCE = ('coul/enuf', 'enuf 1e-11 split prolate')
COLUMNS = ('system', 'atoms', 'style', 'accuracy', 'energy_bias', 'energy_deviation', 'energy_bias_before',
           'pressure_bias', 'pressure_deviation', 'pressure_bias_before')

# type: mass, epsilon, sigma
OXYGEN, HYDROGEN, BEAD, SODIUM = 1, 2, 3, 4
ATOM_TYPES = {OXYGEN: (15.9994, 0.1553, 3.166), HYDROGEN: (1.008, 0, 1), BEAD: (14, 0.1, 3.3), SODIUM: (22.99, 0.1, 2.4)}
MOLECULAR = 'units real\natom_style full\nbond_style harmonic\nangle_style harmonic\nspecial_bonds lj/coul 0 0 0.5\n'
IONIC = 'units real\natom_style charge\n'


class Molecules:
    """Atoms, bonds and angles of a data file."""

    def __init__(self, edge):
        self.edge, self.atoms, self.bonds, self.angles, self.molecules = edge, [], [], [], 0

    def add(self, rows, bonds, angles=()):
        first = len(self.atoms) + 1
        self.molecules += 1
        self.atoms += [(self.molecules, *row) for row in rows]
        self.bonds += [(kind, first + a, first + b) for kind, a, b in bonds]
        self.angles += [(1, first + a, first + b, first + c) for a, b, c in angles]

    def add_water(self, site):
        half = math.radians(109.47) / 2
        q = [random.gauss(0, 1) for _ in range(4)]
        norm = math.sqrt(sum(x * x for x in q))
        arms = [turned((sign * math.sin(half), math.cos(half), 0), [x / norm for x in q]) for sign in (1, -1)]
        rows = [(OXYGEN, -0.8476, *site)] + [(HYDROGEN, 0.4238, *(a + b for a, b in zip(site, arm))) for arm in arms]
        self.add(rows, [(1, 0, 1), (1, 0, 2)], [(1, 0, 2)])

    def write(self, path):
        with open(path, 'w') as out:
            out.write(f'molecules\n\n{len(self.atoms)} atoms\n{len(self.bonds)} bonds\n{len(self.angles)} angles\n'
                      f'{len(ATOM_TYPES)} atom types\n2 bond types\n1 angle types\n\n')
            out.write(''.join(f'0 {self.edge} {axis}lo {axis}hi\n' for axis in 'xyz'))
            out.write('\nMasses\n\n' + ''.join(f'{k} {v[0]}\n' for k, v in ATOM_TYPES.items()))
            out.write('\nBond Coeffs\n\n1 450 1.0\n2 300 1.5\n\nAngle Coeffs\n\n1 55 109.47\n\nAtoms # full\n\n')
            for i, (molecule, kind, q, x, y, z) in enumerate(self.atoms):
                out.write(f'{i + 1} {molecule} {kind} {q} {x:.6f} {y:.6f} {z:.6f}\n')
            for name, rows in (('Bonds', self.bonds), ('Angles', self.angles)):
                out.write(f'\n{name}\n\n' + ''.join(f'{i + 1} {" ".join(map(str, row))}\n'
                                                    for i, row in enumerate(rows)))


def write_water(path):
    molecules = Molecules(24.85)
    for site in lattice(8, molecules.edge):
        molecules.add_water(site)
    molecules.write(path)


def write_chain(path):
    """A helix of 120 bonded charges, net -8, in water with eight sodium ions."""
    molecules = Molecules(28.0)
    rows = []
    for i in range(120):
        angle, middle = 0.55 * i, molecules.edge / 2
        charge = (-0.5, 0.2, 0.3)[i % 3] - (0.9 if i % 15 == 7 else 0) + (0.1 if i % 15 == 8 else 0)
        rows.append((BEAD, round(charge, 4), middle + 3.2 * math.cos(angle), middle + 3.2 * math.sin(angle),
                     4 + 0.165 * i))
    net = sum(row[1] for row in rows)
    rows[-1] = (BEAD, round(rows[-1][1] - (net + 8), 4), *rows[-1][2:])
    molecules.add(rows, [(2, i, i + 1) for i in range(len(rows) - 1)])
    free = [site for site in lattice(9, molecules.edge)
            if min(math.dist(site, row[2:]) for row in rows) > 3.0]
    random.shuffle(free)
    for site in free[:8]:
        molecules.add([(SODIUM, 1.0, *site)], [])
    for site in free[8:]:
        molecules.add_water(site)
    molecules.write(path)


def write_ions(path, cells, edge, displacement, dump=None, step=0):
    rows = []
    for m, site in enumerate(lattice(cells, edge)):
        i, j, k = m // cells**2, m // cells % cells, m % cells
        x = [(a + random.gauss(0, displacement)) % edge for a in site]
        rows.append((m + 1, 1 if (i + j + k) % 2 == 0 else 2, *x))
    if dump:
        dump.write(f'ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{len(rows)}\nITEM: BOX BOUNDS pp pp pp\n' +
                   f'0 {edge}\n' * 3 + 'ITEM: ATOMS id x y z\n' +
                   ''.join(f'{r[0]} {r[2]:.9f} {r[3]:.9f} {r[4]:.9f}\n' for r in rows))
        return
    with open(path, 'w') as out:
        out.write(f'ions\n\n{len(rows)} atoms\n2 atom types\n\n')
        out.write(''.join(f'0 {edge} {axis}lo {axis}hi\n' for axis in 'xyz'))
        out.write('\nMasses\n\n1 22.99\n2 35.45\n\nAtoms # charge\n\n')
        for r in rows:
            out.write(f'{r[0]} {r[1]} {3 - 2 * r[1]} {r[2]:.9f} {r[3]:.9f} {r[4]:.9f}\n')


SYSTEMS = {
    'water': (MOLECULAR, write_water),
    'chain': (MOLECULAR, write_chain),
    'melt': (IONIC, lambda path: write_ions(path, 10, 31.75, 0.2)),
    'crystal': (IONIC, lambda path: write_ions(path, 10, 28.2, 0.2)),  # rms 0.35 angstrom, 300 K
}


class Bench:
    def __init__(self, options):
        self.o = options

    def path(self, system, end):
        return os.path.join(self.o.folder, f'bias_{system}.{end}')

    def lammps(self, text):
        file = os.path.join(self.o.folder, f'bias_{os.getpid()}.in')
        with open(file, 'w') as out:
            out.write(text)
        done = subprocess.run([self.o.lmp, '-in', file, '-log', 'none'], stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        os.remove(file)
        if done.returncode:
            raise RuntimeError(done.stdout[-1500:])
        return done.stdout

    def make(self, system):
        """Makes the data file of one configuration, and a dump of the others."""
        head, write = SYSTEMS[system]
        random.seed(system)
        dump, data = self.path(system, 'dump'), self.path(system, 'data')
        if os.path.exists(data):
            return
        if system == 'crystal':
            with open(dump, 'w') as out:
                for step in range(self.o.configurations):
                    write_ions(None, 10, 28.2, 0.2, out, step)
            write(data)
            return
        start = self.path(system, 'start')
        write(start)
        water = head == MOLECULAR
        pair = SALT_PAIR if not water else 'pair_modify mix arithmetic\n' + ''.join(
            f'pair_coeff {k} {k} {v[1]} {v[2]}\n' for k, v in ATOM_TYPES.items())
        self.lammps(f'''{head}pair_style lj/cut/coul/long 9.0
read_data {start}
{pair}kspace_style pppm 1e-4
minimize 0 0 200 1000
{melt(water, '1e-4')}run 2000
write_data {data}.new nofix nocoeff
dump 1 all custom 100 {dump} id x y z
dump_modify 1 format float %.9f sort id delay {2500 + 100}
run {100 * self.o.configurations}
''')
        os.rename(data + '.new', data)

    def sums(self, system, pair, kspace):
        """Energies and pressures of the configurations; energy and pressure of the modes left out; number of atoms."""
        head = SYSTEMS[system][0]
        said = self.lammps(f'''{f'plugin load {self.o.plugin}' if 'enuf' in kspace else ''}
{head}pair_style {pair} {CUTOFF}
read_data {self.path(system, 'data')}
pair_coeff * *
{'bond_coeff * 0 1' if head == MOLECULAR else ''}
{'angle_coeff * 0 90' if head == MOLECULAR else ''}
{'pair_modify table 0' if pair == 'coul/long' else ''}
kspace_style {kspace}
compute p all pressure NULL pair kspace
thermo_style custom step ecoul elong c_p
thermo_modify format float %.12g
thermo 1
rerun {self.path(system, 'dump')} dump x y z
''')
        rows = [[float(x) for x in row.group().split()] for row in
                re.finditer(r'^ *\d+(?: +[-+0-9.e]+){3} *$', said, re.MULTILINE)]
        added = re.findall(r'by the positions: energy (\S+), pressure (\S+)', said)
        atoms = int(re.findall(r'(\d+) atoms', said)[-1])
        return ([row[1] + row[2] for row in rows], [row[3] for row in rows],
                [float(x) for x in added[-1]] if added else [0, 0], atoms)

    def measure(self, system, style, error, reference):
        pair, kspace = STYLES[style]
        energy, pressure, added, atoms = self.sums(system, pair, kspace.format(error))
        row = [system, atoms, style, error]
        for found, true, tail in ((energy, reference[0], added[0]), (pressure, reference[1], added[1])):
            errors = [a - b for a, b in zip(found, true)]
            bias = statistics.mean(errors)
            row += [f'{bias:.3g}', f'{statistics.stdev(errors):.2g}', f'{bias - tail:.3g}']
        return row


def main():
    parser = argparse.ArgumentParser()
    for name in ('lmp', 'plugin', 'folder', 'csv'):
        parser.add_argument(name)
    parser.add_argument('--systems', default=','.join(SYSTEMS))
    parser.add_argument('--errors', default='1e-3,1e-4,1e-5,1e-6')
    parser.add_argument('--configurations', type=int, default=20)
    bench = Bench(parser.parse_args())
    os.makedirs(bench.o.folder, exist_ok=True)
    with open(bench.o.csv, 'w', newline='') as out:
        rows = csv.writer(out)
        rows.writerow(COLUMNS)
        for system in bench.o.systems.split(','):
            bench.make(system)
            reference = bench.sums(system, *REFERENCE)
            for error in bench.o.errors.split(','):
                for style in STYLES:
                    row = bench.measure(system, style, error, reference)
                    rows.writerow(row)
                    out.flush()
                    print(*row, flush=True)


if __name__ == '__main__':
    main()
