# backend cuda gives the results of exact sums and of the CPU, on 1, 2 and 4 ranks that share a GPU or have one each,
# with and without the early start. Skipped without a GPU. SPDX-License-Identifier: BSD-3-Clause
import os
import re
import shutil
import subprocess
import sys

from checks import expect_true, main
from lammps_runs import Lammps, salt
from test_exact import compare, ours, systems
from test_keywords import runs_of_all_kinds, same


def needs_gpu(test):
    def run(lammps):
        lammps.environment = dict(os.environ)
        status, said = lammps.raw(salt(lammps.scratch, 'probe') +
                                  'kspace_style enuf 1e-4 backend cuda\nrun 0\n', name='probe')
        if status != 0 and 'GPU' in said:
            print('skipped:', next(line for line in said.splitlines() if 'GPU' in line))
            sys.exit(77)
        test(lammps)
    return run


def gpu_exact(lammps):
    """coul/enuf against exact sums: both splittings in double at 1e-9, prolate in mixed arithmetic at 1e-4."""
    for ranks, split in ((1, 'gaussian'), (1, 'prolate'), (2, 'gaussian'), (4, 'prolate')):
        for what, system, units, more in systems(lammps, ours):
            slab = 'kspace_modify slab 3.0' if 'slab' in more else ''
            compare(lammps, f'{what}, {split}, {ranks} ranks', system, units,
                    f'kspace_style enuf 1e-9 split {split} backend cuda precision double\n{slab}', 1e-9,
                    ranks=ranks, **more)
    for what, system, units, more in systems(lammps, ours):
        slab = 'kspace_modify slab 3.0' if 'slab' in more else ''
        compare(lammps, f'{what}, mixed', system, units,
                f'kspace_style enuf 1e-4 split prolate backend cuda precision mixed\n{slab}', 1e-4,
                shares=1e-5, **more)


def along(lammps, kinds):
    """Runs of runs_of_all_kinds() end with the same forces, energy and pressure on any number of ranks, with and
    without early start, on one GPU or several (1e-10, or 1e-9 after steps), and as on the CPU (1e-7)."""
    for what, (system, fixes, dynamics) in runs_of_all_kinds(lammps.scratch).items():
        if what not in kinds:
            continue
        leaves = what == 'atoms that leave'  # each rank draws random numbers to choose them
        gewald = 0.38 if what == 'TIP4P' else 0.9  # so that the error of the polynomial for erfc is equal in all runs

        def run(accuracy, ranks, keywords, name):
            found = lammps.run(system, f'kspace_style enuf {accuracy} {keywords}\nkspace_modify gewald {gewald}',
                               ranks, fixes, dynamics, name=name)
            if 'cuda' in keywords:
                expect_true(f'{what}: backend cuda is in the log', 'backend cuda' in found.said, found.said)
            return found
        one = run(1e-6, 1, 'backend cuda precision double early no', 'one')
        for ranks, keywords in ((1, ''), (2, ''), (4, ''), (4, 'early no')):
            if leaves and ranks > 1:
                continue
            same(f'{what}, GPU, {ranks} ranks {keywords}',
                 run(1e-6, ranks, f'backend cuda precision double {keywords}', 'gpu'), one,
                 1e-10 if dynamics == 'run 0' else 1e-9)
        # several GPUs, and the CPU by its cost rates, have another grid and window: errors of 1e-9 grow along the
        # trajectory
        ranks = 1 if leaves else 2
        gpu = run(1e-9, ranks, 'backend cuda precision double', 'gpu')
        same(f'{what}, GPU and CPU', gpu, run(1e-9, ranks, 'backend cpu', 'cpu'), 1e-7)
        for ranks in () if leaves else (2, 4):
            same(f'{what}, GPUs of {ranks} ranks',
                 run(1e-9, ranks, 'backend cuda precision double gather none', 'gpus'), gpu, 1e-7)


def gpu_boxes(lammps):
    along(lammps, ('NVE', 'NPT, triclinic, balanced', 'box flips'))


def gpu_charges(lammps):
    along(lammps, ('charges that rise', 'atoms that leave', 'minimisation'))


def gpu_other_sites(lammps):
    along(lammps, ('TIP4P', 'slab'))


def gpu_early(lammps):
    """All tasks share one GPU by default, which begins early in every step; backend auto takes it."""
    hot, fixes, dynamics = runs_of_all_kinds(lammps.scratch)['NVE']
    for ranks in (1, 2, 4):
        said = lammps.run(hot, 'kspace_style enuf 1e-5 backend cuda', ranks, fixes,
                          f'run 0\nthermo_style custom step evdwl ecoul elong etotal vol c_vir[*] '
                          f'f_ENUF_EARLY\n{dynamics}', name='served').thermo
        expect_true(f'{ranks} ranks: begun early in every step', said[-1][12] == 20, str(said[-1]))
        auto = lammps.run(hot, 'kspace_style enuf 1e-5', ranks, name='auto').said
        expect_true(f'{ranks} ranks: auto takes the GPU', 'backend cuda' in auto, auto)
        expect_true(f'{ranks} ranks: the tasks share a GPU', ranks == 1 or
                    f'{ranks} MPI tasks share one GPU' in auto, auto)


def gpu_each(lammps):
    """gather none uses all GPUs, at most one for each task."""
    hot = runs_of_all_kinds(lammps.scratch)['NVE'][0]
    if not shutil.which('nvidia-smi'):
        print('skipped: no nvidia-smi, which counts the GPUs')
        sys.exit(77)
    listed = subprocess.run(['nvidia-smi', '-L'], stdout=subprocess.PIPE, text=True).stdout
    here = sum(line.startswith('GPU ') for line in listed.splitlines())
    for ranks in (2, 4):
        said = lammps.run(hot, 'kspace_style enuf 1e-5 backend cuda gather none', ranks, name='each').said
        used = re.findall(r'MPI tasks share (\w+) GPU', said)
        expect_true(f'{ranks} ranks, {here} GPUs: the log names how many are used',
                    used == ['one' if here == 1 else str(min(ranks, here))], said)
        expect_true(f'{ranks} ranks: begins early on one GPU', ('begins as soon as' in said) == (here == 1), said)


if __name__ == '__main__':
    main(Lammps, {test.__name__: needs_gpu(test)
                  for test in (gpu_exact, gpu_boxes, gpu_charges, gpu_other_sites, gpu_early, gpu_each)})
