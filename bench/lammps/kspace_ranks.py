# Times of pppm and enuf on 1, 2, 4, ... ranks at equal requested accuracy, with the measured error:
#
#   kspace_ranks.py LMP MPIEXEC PLUGIN FOLDER CSV [--ranks 1,2,4,8,16] [--size 2] [--accuracy 1e-4] [--build TEXT]
#
# FOLDER holds water.data (systems.py; made here if it is missing), replicated `size` times along each edge: 31,944
# atoms by default. Times are milliseconds of a step, the least of the runs, by the sections of LAMMPS' timing under
# `timer sync`. The error is measured as in kspace_styles.py: RMS over the atoms of one replica against exact forces.
# The text of --build says how LAMMPS was built; it is written into the head of the table.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import datetime
import os
import platform
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from kspace_styles import ATOMS, Bench
from logs import grid, runs
from systems import make

# style: (name, pair style, keywords, kspace_modify)
STYLES = {f'pppm order {order} {diff}': ('pppm', 'lj/cut/coul/long', '', f'order {order} diff {diff}')
          for order in (5, 7) for diff in ('ik', 'ad')}
STYLES['enuf'] = ('enuf', 'lj/cut/coul/long', 'split gaussian precision double calibrate no', '')
STYLES['enuf default'] = ('enuf', 'lj/cut/coul/long', '', '')
STYLES['enuf best'] = ('enuf', 'lj/cut/coul/enuf', 'split prolate precision mixed calibrate yes', '')


def processor():
    with open('/proc/cpuinfo') as file:
        return next((line.split(':')[1].strip() for line in file if line.startswith('model name')), platform.machine())


def head(o):
    """The first lines of the table: command, versions, machine and day."""
    said = subprocess.run([o.lmp, '-h'], stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    version = re.search(r'(Large-scale.*?- )(.*)', said)
    return (f'# kspace_ranks.py --ranks {o.ranks} --size {o.size} --accuracy {o.accuracy} --steps {o.steps} --turns '
            f'{o.turns}\n# LAMMPS {version.group(2) if version else "(version not told)"}, {o.build}; {processor()}, '
            f'{os.cpu_count()} processors; {datetime.date.today()}\n')


def measure(bench, style, ranks):
    o = bench.o
    name, pair, keywords, modify = STYLES[style]
    kspace = f'kspace_style {name} {o.accuracy} {keywords}\n' + (f'kspace_modify {modify}\n' if modify else '')
    o.tasks = ranks
    steps = o.steps if ranks > 1 else max(1, o.steps // 2)
    forces, said = bench.forces('water', o.size, pair, kspace, steps, o.turns)
    timed = runs(said)[1:]
    least = [f'{1e3 * min(run[part] for run in timed):.3f}' for part in ('Kspace', 'Pair', 'Comm', 'step')]
    return [grid(said), f'{bench.error(forces, "water"):.2e}', *least]


def main():
    parser = argparse.ArgumentParser()
    for name in ('lmp', 'mpiexec', 'plugin', 'folder', 'csv'):
        parser.add_argument(name)
    parser.add_argument('--ranks', default='1,2,4,8,16')
    parser.add_argument('--size', type=int, default=2)
    parser.add_argument('--accuracy', default='1e-4')
    parser.add_argument('--cutoff', default='10.0')
    parser.add_argument('--steps', type=int, default=20, help='of a timed run; half of them on one rank')
    parser.add_argument('--turns', type=int, default=3)
    parser.add_argument('--build', default='build not told')
    o = parser.parse_args()
    o.table, o.processor_time = '', False
    ranks = [int(n) for n in o.ranks.split(',')]
    bench = Bench(o)
    o.tasks = max(ranks)
    os.makedirs(o.folder, exist_ok=True)
    make('water', o.lmp, o.plugin, o.folder, [*o.mpiexec.split(), '-n', str(o.tasks)])
    atoms = ATOMS['water'] * o.size**3
    with open(o.csv, 'w') as out:
        out.write(head(o) + 'atoms,ranks,style,grid,delivered,kspace_ms,pair_ms,comm_ms,step_ms\n')
        for n in ranks:
            for style in STYLES:
                line = ','.join(str(x) for x in [atoms, n, style, *measure(bench, style, n)])
                out.write(line + '\n')
                out.flush()
                print(line, flush=True)


if __name__ == '__main__':
    main()
