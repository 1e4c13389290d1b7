# Times of enuf and of LAMMPS' own kspace styles at equal measured error, on CPUs:
#
#   kspace_styles.py LMP MPIEXEC PLUGIN FOLDER CSV [--systems water,salt] [--sizes 1,2,3] [--errors 1e-4,...]
#
# FOLDER holds water.data and salt.data (systems.py), replicated `size` times along each edge. First, each variant of a
# style runs with several requested accuracies on the box of size --choose-on. The loosest request whose measured error
# meets the error wanted is used for the times of all sizes; FOLDER/chosen_*.json keeps it. Rows that CSV already has
# are skipped, so that an interrupted run can be continued.
#
# Measured error (column `delivered`): RMS error of the force over the atoms of one replica, in units of the force of
# two unit charges 1 angstrom apart, as LAMMPS' accuracies. The reference is `kspace_style enuf 1e-9` with exact pairs
# on the smallest box. The error of the pair style's erfc is included. kspace_ms is the section Kspace of LAMMPS'
# timing, which contains all work of enuf, because on a CPU enuf begins early only on request. With `timer sync` it does
# not contain the time in which a task waits for the pairs of another one.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import itertools
import json
import math
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from logs import grid, runs
from systems import HEAD, SALT_PAIR, WATER_PAIR

TWO_CHARGES = 332.06371  # kcal/mol/angstrom, 1 angstrom apart, units real
ATOMS = {'water': 3993, 'salt': 4096}
# style: (name, pair style, keywords of kspace_style, kspace_modify) of its variants
VARIANTS = {
    'enuf': [('enuf', 'lj/cut/coul/long', 'split gaussian precision double calibrate no', '')],
    'enuf mixed': [('enuf', 'lj/cut/coul/long', 'split gaussian precision mixed calibrate no', '')],
    'enuf prolate': [('enuf', 'lj/cut/coul/enuf', 'split prolate precision double calibrate no', '')],
    'enuf prolate mixed': [('enuf', 'lj/cut/coul/enuf', 'split prolate precision mixed calibrate no', '')],
    'enuf default': [('enuf', 'lj/cut/coul/long', '', '')],
    'enuf calibrated': [('enuf', 'lj/cut/coul/enuf', 'split prolate precision mixed calibrate yes', '')],
    'pppm': [('pppm', 'lj/cut/coul/long', '', f'order {order} diff {diff}') for order in (5, 7)
             for diff in ('ik', 'ad')],
    'ewald': [('ewald', 'lj/cut/coul/long', '', '')],
    'esp': [('esp', 'lj/cut/coul/esp', '', f'diff {diff}') for diff in ('ik', 'ad')],
}
REQUESTS = (8, 5.6, 4, 2.8, 2, 1.4, 1, 0.7, 0.5, 0.35, 0.25, 0.12)  # requested accuracies over the error wanted


class Bench:
    def __init__(self, options):
        self.o = options
        self.references = {}

    def input(self, system, size, pair, kspace, commands):
        o = self.o
        coefficients = WATER_PAIR if system == 'water' else SALT_PAIR
        return f'''plugin load {o.plugin}
{HEAD[system]}pair_style {pair} {o.cutoff}
read_data {os.path.join(o.folder, system + '.data')}
{coefficients}{o.table if pair.endswith('long') else ''}
replicate {size} {size} {size}
{kspace}
neighbor 2.0 bin
neigh_modify every 10 delay 0 check no
timer {'full' if o.processor_time else 'normal'} sync
fix 1 all nve
{'fix 2 all shake 1e-4 50 0 b 1 a 1' if system == 'water' else ''}
timestep 1.0
thermo 1000
{commands}'''

    def lammps(self, text, tasks=None):
        file = os.path.join(self.o.folder, f'kspace_{os.getpid()}.in')
        with open(file, 'w') as out:
            out.write(text)
        for tries_left in (2, 1, 0):
            done = subprocess.run([*self.o.mpiexec.split(), '-n', str(tasks or self.o.tasks), self.o.lmp, '-in', file,
                                   '-log', 'none'], stdin=subprocess.DEVNULL, text=True, timeout=3600,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            # a LAMMPS with FFTW's threads may end when pppm makes its plans anew (docs/lammps.md)
            if 'ignal: Segmentation fault' not in done.stdout or not tries_left:
                break
        if done.returncode:
            raise RuntimeError(done.stdout[-1500:])
        return done.stdout

    def forces(self, system, size, pair, kspace, steps=0, turns=1):
        """Forces on the atoms of the middle replica before the first step, and the log."""
        dump = os.path.join(self.o.folder, f'forces_{os.getpid()}')
        before = size**3 // 2 * ATOMS[system]  # atoms of the replicas before it
        first = (f'run 0\ngroup replica id {before + 1}:{before + ATOMS[system]}\n'
                 f'write_dump replica custom {dump} id fx fy fz modify sort id format float %.12g\n')
        # without shake for the forces, because a rigid bond adds a force of its own
        text = self.input(system, size, pair, kspace, '').replace('fix 2', first + 'fix 2') if \
            system == 'water' else self.input(system, size, pair, kspace, first)
        said = self.lammps(text + f'\nrun {min(steps, 5)}\n' + f'run {steps}\n' * turns if steps else text)
        with open(dump) as file:
            rows = file.read().split('ITEM: ATOMS')[1].splitlines()[1:]
        os.remove(dump)
        return [tuple(float(x) for x in row.split()[1:]) for row in rows], said

    def error(self, forces, system):
        """The measured error of the forces of one replica. All replicas have the forces of the smallest box."""
        if system not in self.references:
            self.references[system] = self.forces(system, 1, 'lj/cut/coul/enuf', 'kspace_style enuf 1e-9')[0]
        exact = self.references[system]
        return math.sqrt(sum((a - b)**2 for u, v in zip(forces, exact) for a, b in zip(u, v)) /
                         len(exact)) / TWO_CHARGES

    def least(self, system, variant, wanted):
        """kspace lines of a variant's loosest request whose error is at most `wanted`; None if there is none."""
        name, pair, keywords, modify = variant
        for factor in REQUESTS:
            kspace = f'kspace_style {name} {factor * wanted:.3g} {keywords}\n'
            kspace += f'kspace_modify {modify}\n' if modify else ''
            try:
                found, _ = self.forces(system, self.o.choose_on, pair, kspace)
            except RuntimeError as refused:
                if 'nrecognized' in str(refused):
                    return None  # this LAMMPS has no such style
                print(f'{name}, {modify}, {factor * wanted:.3g}: {str(refused).strip().splitlines()[-2:]}')
                continue
            if self.error(found, system) <= wanted:
                return kspace
        return None

    def settings(self, system, style, wanted):
        """Pair style and kspace lines of the fastest variant of a style, each with its loosest request."""
        cost, best = math.inf, None
        for variant in VARIANTS[style]:
            kspace = self.least(system, variant, wanted)
            if not kspace:
                continue
            if len(VARIANTS[style]) == 1:
                return variant[1], kspace
            try:
                _, said = self.forces(system, self.o.choose_on, variant[1], kspace, steps=20, turns=3)
            except RuntimeError as ended:
                print(f'{system}, {kspace.split()}, left out: {str(ended).strip().splitlines()[-2:]}', flush=True)
                continue
            # the section Kspace, not the step: times of equal pairs scatter more than variants differ
            own = min(run['Kspace'] for run in runs(said)[1:])
            if own < cost:
                cost, best = own, (variant[1], kspace)
        return best

    def is_large(self, system, size):
        return ATOMS[system] * size**3 > self.o.large

    def measure(self, system, size, chosen):
        """Measured error, grid and times of one run of LAMMPS."""
        pair, kspace = chosen
        steps = max(3, min(50, self.o.work // (ATOMS[system] * size**3)))
        found, said = self.forces(system, size, pair, kspace, steps, 2 if self.is_large(system, size) else 3)
        return self.error(found, system), grid(said), runs(said)[1:]

    def rows(self, system, size, wanted, chosen):
        """Rows of all styles, which run by turns, so that other work on the machine slows all alike; least times."""
        measured = {}
        for _ in range(1 if self.is_large(system, size) else self.o.rounds):
            for style, choice in chosen.items():
                delivered, cells, timed = self.measure(system, size, choice)
                _, _, before = measured.get(style, (0, '', []))
                measured[style] = (delivered, cells, before + timed)
        for style, (delivered, cells, timed) in measured.items():
            kspace = chosen[style][1].replace('kspace_style', '').replace('kspace_modify', '')
            least = [f'{1e3 * min(run[part] for run in timed):.3f}' for part in ('Kspace', 'Pair', 'step')]
            yield [system, ATOMS[system] * size**3, self.o.tasks, f'{wanted:.0e}', style, ' '.join(kspace.split()),
                   cells, f'{delivered:.2e}', *least, f'{os.getloadavg()[0]:.1f}']


COLUMNS = ('system', 'atoms', 'tasks', 'error_wanted', 'style', 'settings', 'grid', 'delivered', 'kspace_ms', 'pair_ms',
           'step_ms', 'load')


def rows_of(path):
    """The rows that a table already has, by their first columns."""
    if not os.path.exists(path):
        return set()
    with open(path) as file:
        return {tuple(row[name] for name in COLUMNS[:5]) for row in csv.DictReader(file)}


class Chosen:
    """The chosen settings, kept in a file, because finding them takes as long as the rows."""

    def __init__(self, bench):
        self.bench = bench
        o = bench.o
        self.file = os.path.join(o.folder, f'chosen_{o.cutoff}_{o.tasks}_{o.choose_on}{o.table.replace(" ", "_")}.json')
        self.found = {}
        if os.path.exists(self.file):
            with open(self.file) as file:
                self.found = json.load(file)

    def of(self, system, style, wanted):
        key = f'{system} {style} {wanted:.0e}'
        if key not in self.found:
            self.found[key] = self.bench.settings(system, style, wanted)
            with open(self.file, 'w') as file:
                json.dump(self.found, file, indent=1)
        return self.found[key]


def main():
    parser = argparse.ArgumentParser()
    for name in ('lmp', 'mpiexec', 'plugin', 'folder', 'csv'):
        parser.add_argument(name)
    parser.add_argument('--systems', default='water,salt')
    parser.add_argument('--sizes', default='1,2,3')
    parser.add_argument('--errors', default='1e-4,1e-5,1e-6')
    parser.add_argument('--styles', default='enuf,enuf mixed,enuf prolate,pppm,esp,ewald')
    parser.add_argument('--largest-ewald', type=int, default=5000, help='atoms: with more, ewald takes minutes')
    parser.add_argument('--cutoff', default='10.0')
    parser.add_argument('--table', default='', help='pair_modify line for the styles of coul/long')
    parser.add_argument('--tasks', type=int, default=2)
    parser.add_argument('--processor-time', action='store_true', help='not wall time: for a machine with other work')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--work', type=int, default=800000, help='atoms times steps of a timed run')
    parser.add_argument('--choose-on', type=int, default=1, help='size of the box that accuracies are chosen on')
    parser.add_argument('--large', type=int, default=200000, help='atoms: with more, one round of few steps')
    o = parser.parse_args()
    bench = Bench(o)
    chosen = Chosen(bench)
    done = rows_of(o.csv)
    with open(o.csv, 'a') as out:
        if not done:
            out.write(','.join(COLUMNS) + '\n')
        for system, size, wanted in itertools.product(o.systems.split(','), (int(s) for s in o.sizes.split(',')),
                                                      (float(e) for e in o.errors.split(','))):
            atoms = ATOMS[system] * size**3
            now = {}
            for style in o.styles.split(','):
                if style == 'ewald' and atoms > o.largest_ewald:
                    continue
                if (system, str(atoms), str(o.tasks), f'{wanted:.0e}', style) in done:
                    continue
                found = chosen.of(system, style, wanted)
                if found:
                    now[style] = found
                else:
                    print(f'{system}, {style}: nothing delivers {wanted}')
            for row in bench.rows(system, size, wanted, now):
                line = ','.join(str(x) for x in row)
                out.write(line + '\n')
                out.flush()
                print(line, flush=True)


if __name__ == '__main__':
    main()
