# Times of a step of water with the modes on the GPU, against the same step without a kspace style:
#
#   step_on_gpu.py LMP MPIEXEC PLUGIN FOLDER CSV [--sizes 1,2,3,6] [--tasks 4,8,16] [--steps 20] [--turns 2]
#
# FOLDER holds water.data (systems.py), replicated 1, 2, 3 or 6 times along each edge: 3993, 31944, 107811, 862488
# atoms. Each size is one process of LAMMPS, with runs without and with the kspace style by turns, and new neighbour
# lists every ten steps. Columns: the least step time of both kinds of runs, and their ratio; the mean ratio of two
# neighbouring runs, with its standard error; the sections of the fastest run with the kspace style.
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import os
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
from logs import runs, SECTIONS
from systems import HEAD, WATER_PAIR

parser = argparse.ArgumentParser()
for name in ('lmp', 'mpiexec', 'plugin', 'folder', 'csv'):
    parser.add_argument(name)
parser.add_argument('--sizes', default='2,3,6')
parser.add_argument('--tasks', default='4,8,16')
parser.add_argument('--accuracy', default='1e-4')
parser.add_argument('--keywords', default='backend cuda')
parser.add_argument('--steps', type=int, default=20)
parser.add_argument('--turns', type=int, default=2)
parser.add_argument('--timeout', type=int, default=600)
o = parser.parse_args()


def measure(size, tasks):
    turn = f'kspace_modify compute no\nrun {o.steps}\nkspace_modify compute yes\nrun {o.steps}\n'
    text = f'''plugin load {o.plugin}
{HEAD['water']}pair_style lj/cut/coul/long 10.0
read_data {os.path.join(o.folder, 'water.data')}
{WATER_PAIR}replicate {size} {size} {size}
kspace_style enuf {o.accuracy} {o.keywords}
neighbor 2.0 bin
neigh_modify every 10 delay 0 check no
fix 1 all nve
fix 2 all shake 1e-4 50 0 b 1 a 1
timestep 1.0
thermo 1000
run 5
{turn * o.turns}'''
    file = os.path.join(o.folder, f'step_{size}_{tasks}.in')
    with open(file, 'w') as out:
        out.write(text)
    done = subprocess.run([o.mpiexec, '-n', str(tasks), o.lmp, '-in', file, '-log', 'none'],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=o.timeout)
    if done.returncode:
        raise RuntimeError(done.stdout[-3000:])
    return runs(done.stdout)[1:], done.stdout


with open(o.csv, 'a') as csv:
    csv.write(f'# {" ".join(sys.argv[1:])}\natoms,tasks,accuracy,step_without_ms,step_ms,ratio,mean_ratio,'
              'mean_ratio_error,'
              + ','.join(f'{s.lower()}_ms' for s in SECTIONS) + '\n')
    for size in (int(s) for s in o.sizes.split(',')):
        for tasks in (int(t) for t in o.tasks.split(',')):
            try:
                found, said = measure(size, tasks)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                print(f'{size}^3 boxes on {tasks} tasks: {error}')
                continue
            without, with_ = found[0::2], found[1::2]
            best = min(with_, key=lambda run: run['step'])
            base = min(run['step'] for run in without)
            ratios = [y['step'] / n['step'] for n, y in zip(without, with_)]
            error = statistics.stdev(ratios) / len(ratios)**0.5 if len(ratios) > 1 else float('nan')
            row = [3993 * size**3, tasks, o.accuracy, f'{1e3 * base:.3f}', f'{1e3 * best["step"]:.3f}',
                   f'{best["step"] / base:.3f}', f'{statistics.mean(ratios):.4f}', f'{error:.4f}']
            row += [f'{1e3 * best[s]:.3f}' for s in SECTIONS]
            line = ','.join(str(x) for x in row)
            csv.write(line + '\n')
            csv.flush()
            print(line, flush=True)
    print(next((line for line in said.splitlines() if 'backend' in line), '') if found else '')
