# examples/mtip: from orientations wrong by up to 5 degrees it finds orientations and a density, on one rank and on two
# (with mpi4py and mpirun). SPDX-License-Identifier: BSD-3-Clause
import csv
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

import enuf
from expect import expect, expect_true, run_laws

PROGRAM = Path(os.environ['SOURCE']) / 'examples' / 'mtip' / 'mtip.py'
SMALL = '--half 7 --images 200 --pixels 19 --rounds 6 --starts 2 --phasing 200'.split()
# than processors, and as root: of Open MPI 4, and of 5
MORE_RANKS = {'OMPI_MCA_rmaps_base_oversubscribe': '1', 'PRTE_MCA_rmaps_default_mapping_policy': ':oversubscribe',
              'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}
START = 5 / np.sqrt(3)  # RMS of angles that are even from 0 to 5 degrees
if os.environ.get('BACKEND') == 'cuda' and not enuf.usable('cuda')[0]:
    print('skipped:', enuf.usable('cuda')[1])
    sys.exit(77)


def run(folder, *words, before=()):
    made = subprocess.run([*before, sys.executable, '-B', PROGRAM, '--out', folder, *words], capture_output=True,
                          text=True, env={**os.environ, 'OMP_NUM_THREADS': '1', **MORE_RANKS})
    return made.returncode, made.stdout, made.stderr


def found(what, folder, *before, backend='auto'):
    status, out, errors = run(folder, *SMALL, '--backend', backend, before=before)
    if not expect_true(f'{what}: it ends well', status == 0, errors):
        return
    expect_true(f'{what}: quiet in a pipe', errors == '', errors)
    angle = float(re.match(r'orientations: ([\d.]+) degrees', out)[1])
    expect(f'{what}: orientations, degrees', angle, START / 2, '(half of those at the start)')
    with open(f'{folder}/shell_correlation.csv') as file:
        rows = [(float(row['q']), float(row['correlation'])) for row in csv.DictReader(file)]
    inside = [c for q, c in rows if 0 < q <= 2.2]
    expect_true(f'{what}: shells', len(inside) > 8)
    expect(f'{what}: 1 - shell correlation to the resolution of the data', 1 - min(inside), 0.5)
    density = np.load(f'{folder}/density.npy')
    expect_true(f'{what}: a density', density.shape == (29, 29, 29) and density.max() > -5 * density.min())
    for name in 'slices', 'density', 'shell_correlation':
        expect_true(f'{what}: {name}.png', Path(folder, f'{name}.png').read_bytes()[:4] == b'\x89PNG')


def law_one_rank():
    found('one rank', 'one')


def law_two_ranks():
    mpirun = shutil.which('mpirun')
    if not mpirun or not importlib.util.find_spec('mpi4py'):
        print('skipped: two ranks need mpirun and mpi4py')
        return
    found('two ranks', 'two', mpirun, '-n', '2')


def law_on_a_gpu():
    if not enuf.usable('cuda')[0]:
        print('skipped: no GPU here')
        return
    found('a GPU', 'gpu', backend='cuda')


def law_wrong_options_are_refused():
    status, _, errors = run('none', '--q', '4')
    expect_true('q beyond pi', status == 2 and '--q between 0 and pi' in errors, errors)
    status, _, errors = run('none', '--backend', 'gpu')
    expect_true('an unknown backend', status == 2 and "'auto', 'cpu', 'cuda'" in errors, errors)
    if not enuf.usable('cuda')[0]:
        status, _, errors = run('none', '--backend', 'cuda')
        expect_true('no GPU', status == 1 and errors.count('\n') == 1 and 'without one use --backend cpu' in errors,
                    errors)
    expect_true('no folder is left', not Path('none').exists())


if __name__ == '__main__':
    run_laws(globals())
