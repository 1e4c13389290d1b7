# LAMMPS' own inputs (peptide, SPC/E water, rhodopsin) with the kspace line changed, beside tight pppm:
#
#   inputs.py LMP MPIEXEC PLUGIN LAMMPS CSV [--systems peptide,spce,rhodo] [--accuracies 1e-4,1e-5,1e-6]
#       [--ranks 1,2,4,8] [--steps 100] [--folder SCRATCH]
#
# LAMMPS is the folder of LAMMPS' sources (or one with its `bench` and `examples`). Rows against `pppm 1e-8` are of the
# first evaluation: energy, Coulomb energy and pressure minus those of pppm at 1e-8 (order 7, diff ik), and the largest
# error of the six pressures; RMS and largest error of the force vectors, over the force of two unit charges at 1 A.
# Fixes are left out there, so that constraints do not change forces and pressure. `run` tells the length of the run
# whose first evaluation it is: enuf chooses by the positions before long runs only. The reference has a pair style of
# the plugin, whose erfc is exact; all other rows have the input's own with its table. `polynomial` is pppm at 1e-8 with
# LAMMPS' polynomial, `prolate` is enuf with its own pairs and the prolate splitting: what the reference is worth. Rows
# against `one rank` are of the unchanged input, after `step` steps.
# Energies are in kcal/mol, pressures in atm. More ranks than cores test results, not speed.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import datetime
import math
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from kspace_ranks import processor

INPUTS = {'peptide': 'examples/peptide/in.peptide', 'spce': 'bench/POTENTIALS/in.spce', 'rhodo': 'bench/in.rhodo'}
TIGHT = 'kspace_style pppm 1e-8\nkspace_modify order 7 diff ik'
POLYNOMIAL = f'{TIGHT}\npair_modify table 0'
PROLATE = 'kspace_style enuf 1e-10 split prolate'
COLUMNS = ('system', 'atoms', 'against', 'style', 'accuracy', 'ranks', 'run', 'step', 'energy', 'coulomb', 'pressure',
           'pressure_component', 'force_rms', 'force_worst')
THERMO = 'step pe ecoul elong press pxx pyy pzz pxy pxz pyz'
TWO_CHARGES = 332.06371  # kcal/mol/A, two unit charges at 1 A


class Bench:
    def __init__(self, options, scratch):
        self.o, self.scratch = options, scratch

    def lammps(self, system, kspace, end, ranks, has_fixes, has_own_pairs=False):
        """Runs an input with another kspace line and another end; returns its output."""
        source = os.path.join(self.o.lammps, INPUTS[system])
        with open(source) as file:
            text = re.sub(r'&\s*\n', ' ', file.read())
        text = re.sub(r'^kspace_style.*$', kspace, text, flags=re.M)
        text = re.sub(r'^(run|dump)\b.*$', '', text, flags=re.M)
        if not has_fixes:
            text = re.sub(r'^fix\b.*$', '', text, flags=re.M)
        if has_own_pairs:
            text = re.sub(r'coul/long', 'coul/enuf', text)
        # `pair_modify table` has to stand behind pair_style, which may stand behind kspace_style
        tables = ''.join(re.findall(r'^pair_modify table 0$', text, re.M))
        text = re.sub(r'^pair_modify table 0$', '', text, flags=re.M)
        load = f'plugin load {self.o.plugin}\n' if 'enuf' in kspace or has_own_pairs else ''
        changed = os.path.join(self.scratch, 'changed.in')
        with open(changed, 'w') as file:
            file.write(f'{load}{text}\n{tables}\n{end}\n')
        start = [*self.o.mpiexec.split(), '-n', str(ranks)] if ranks > 1 else []
        done = subprocess.run([*start, self.o.lmp, '-in', changed, '-log', 'none'], cwd=os.path.dirname(source),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, 'OMP_NUM_THREADS': '1'})
        if done.returncode:
            raise RuntimeError(f'{system}, {kspace}, {ranks} ranks: {done.stdout[-2000:]}')
        return done.stdout

    def start(self, system, kspace, ranks, steps, has_own_pairs=False):
        """Energies, pressures and forces of the first evaluation of a run of so many steps, which ends at its first."""
        dump = os.path.join(self.scratch, 'forces')
        stop = 'variable one equal 1\nfix stop all halt 1 v_one > 0 error soft message no\n' if steps else ''
        said = self.lammps(system, kspace, f'''thermo_style custom {THERMO}
thermo_modify format float %.15g norm no
dump forces all custom 1000000 {dump} id fx fy fz
dump_modify forces sort id format float %.12g
{stop}run {steps}''', ranks, False, has_own_pairs)
        with open(dump) as file:
            lines = re.split(r'ITEM: ATOMS.*\n', file.read())[1].splitlines()
        forces = [[float(x) for x in line.split()[1:4]] for line in lines]
        return rows_of(said)[0], forces


def rows_of(said):
    """Rows of numbers that follow a line `Step ...`, until the loop ends."""
    rows = []
    for block in re.findall(r'^ +Step .*\n((?:.*\n)*?)Loop time', said, re.M):
        rows += [[float(x) for x in line.split()] for line in block.splitlines() if re.match(r' +\d+ ', line)]
    return rows


def errors_of(found, true):
    """Errors of energy, Coulomb energy, pressure, its components, and forces."""
    (row, forces), (true_row, true_forces) = found, true
    off = [a - b for a, b in zip(row, true_row)]
    lengths = [math.dist(a, b) / TWO_CHARGES for a, b in zip(forces, true_forces)]
    rms = math.sqrt(sum(x * x for x in lengths) / len(lengths))
    return [f'{off[1]:.4g}', f'{off[2] + off[3]:.4g}', f'{off[4]:.4g}', f'{max(off[5:], key=abs):.4g}', f'{rms:.3g}',
            f'{max(lengths):.3g}']


def at_start(bench, system):
    """Rows of the first evaluation."""
    o = bench.o
    true = bench.start(system, TIGHT, 1, 0, has_own_pairs=True)
    atoms = len(true[1])
    head = [system, atoms, 'pppm 1e-8']
    for style, accuracy, kspace in (('prolate', '1e-10', PROLATE), ('polynomial', '1e-8', POLYNOMIAL)):
        found = bench.start(system, kspace, 1, 0, has_own_pairs=style == 'prolate')
        yield [*head, style, accuracy, 1, 0, 0, *errors_of(found, true)]
    for accuracy in o.accuracies.split(','):
        for style, steps in (('pppm', 0), ('enuf', o.steps), ('enuf', 0)):
            for ranks in o.ranks.split(','):
                found = bench.start(system, f'kspace_style {style} {accuracy}', int(ranks), steps)
                yield [*head, style, accuracy, ranks, steps, 0, *errors_of(found, true)]


def along_runs(bench, system):
    """Rows of runs of the unchanged input on 1 and on the largest number of ranks."""
    o = bench.o
    accuracy, ranks = o.accuracies.split(',')[0], o.ranks.split(',')[-1]
    for style in ('pppm', 'enuf'):
        end = f'thermo_style custom step pe press atoms\nthermo_modify format float %.15g norm no\n' \
              f'thermo {max(1, o.steps // 10)}\nrun {o.steps}'
        one, many = (rows_of(bench.lammps(system, f'kspace_style {style} {accuracy}', end, n, True))
                     for n in (1, int(ranks)))
        for a, b in zip(one, many):
            yield [system, int(a[3]), 'one rank', style, accuracy, ranks, o.steps, int(a[0]), f'{b[1] - a[1]:.4g}', '',
                   f'{b[2] - a[2]:.4g}', '', '', '']


def make_absolute(o):
    """Programs run in the folder of an input, whose files it names."""
    for name in ('lmp', 'mpiexec', 'plugin', 'lammps'):
        words = getattr(o, name, '').split()
        if words and os.path.exists(words[0]):
            setattr(o, name, ' '.join([os.path.abspath(words[0]), *words[1:]]))


def head(o, command):
    """The first lines of a table: command, versions, machine and day."""
    said = subprocess.run([o.lmp, '-h'], stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    version = re.search(r'Large-scale.*?- (.*)', said)
    return (f'# bench/lammps/{command}\n# LAMMPS {version.group(1) if version else "(version not told)"}, {o.build}; '
            f'{processor()}, {os.cpu_count()} processors; {datetime.date.today()}\n')


def main():
    parser = argparse.ArgumentParser(description=f'Runs LAMMPS\' own inputs ({", ".join(INPUTS)}) with the kspace line '
                                     'changed, and writes errors beside pppm at 1e-8 to CSV.')
    parser.add_argument('lmp')
    parser.add_argument('mpiexec', help='with its options, such as "mpiexec --oversubscribe"')
    parser.add_argument('plugin', help='enufplugin.so')
    parser.add_argument('lammps', help='folder of LAMMPS\' sources, with `bench` and `examples`')
    parser.add_argument('csv')
    parser.add_argument('--systems', default=','.join(INPUTS))
    parser.add_argument('--accuracies', default='1e-4,1e-5,1e-6')
    parser.add_argument('--ranks', default='1,2,4,8')
    parser.add_argument('--steps', type=int, default=100, help='of the runs, 100 or more')
    parser.add_argument('--build', default='build not told', help='how LAMMPS and the plugin were built')
    o = parser.parse_args()
    make_absolute(o)
    for path in [os.path.join(o.lammps, INPUTS[name]) for name in o.systems.split(',')]:
        if not os.path.exists(path):
            parser.error(f'no {path}: LAMMPS is to be the folder of its sources, with `bench` and `examples`')
    with tempfile.TemporaryDirectory() as scratch, open(o.csv, 'w', newline='') as out:
        bench = Bench(o, scratch)
        out.write(head(o, f'inputs.py --systems {o.systems} --accuracies {o.accuracies} --ranks {o.ranks} --steps '
                       f'{o.steps}; kcal/mol, atm; forces over that of two unit charges at 1 A'))
        rows = csv.writer(out, lineterminator='\n')
        rows.writerow(COLUMNS)
        for system in o.systems.split(','):
            for part in (at_start, along_runs):
                for row in part(bench, system):
                    rows.writerow(row)
                    out.flush()
                    print(*row, flush=True)


if __name__ == '__main__':
    main()
