# backend cuda: the numbers of the CPU and of exact sums, with the early start, on several ranks that
# share the GPU. Skipped where there is none. SPDX-License-Identifier: BSD-3-Clause
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
    """coul/enuf and both splittings in double, coul/enuf in mixed arithmetic, against exact sums."""
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
    """Along runs in which everything changes: the same at any number of ranks, begun early or not, on one GPU
    or on several, and the CPU's numbers within what both may differ by."""
    for what, (system, fixes, dynamics) in runs_of_all_kinds(lammps.scratch).items():
        if what not in kinds:
            continue
        leaves = what == 'atoms that leave'  # they are drawn by rank
        gewald = 0.38 if what == 'TIP4P' else 0.9  # the same polynomial of erfc in all

        def run(accuracy, ranks, keywords, name):
            found = lammps.run(system, f'kspace_style enuf {accuracy} {keywords}\nkspace_modify gewald {gewald}',
                               ranks, fixes, dynamics, name=name)
            if 'cuda' in keywords:
                expect_true(f'{what}: backend cuda is in the log', 'backend cuda' in found.said, found.said)
            return found
        one = run(1e-6, 1, 'backend cuda precision double early no', 'one')
        for ranks, keywords in ((1, ''), (2, ''), (4, ''), (4, 'early no'), (2, 'gather none'), (4, 'gather none')):
            if leaves and ranks > 1:
                continue
            same(f'{what}, GPU, {ranks} ranks {keywords}',
                 run(1e-6, ranks, f'backend cuda precision double {keywords}', 'gpu'), one,
                 1e-10 if dynamics == 'run 0' else 1e-9)
        # grid and window are chosen by other rates: errors of 1e-9 grow along the trajectory
        ranks = 1 if leaves else 2
        same(f'{what}, GPU and CPU', run(1e-9, ranks, 'backend cuda precision double', 'gpu'),
             run(1e-9, ranks, 'backend cpu', 'cpu'), 1e-7)


def gpu_boxes(lammps):
    along(lammps, ('NVE', 'NPT, triclinic, balanced', 'box flips'))


def gpu_charges(lammps):
    along(lammps, ('charges that rise', 'atoms that leave', 'minimisation'))


def gpu_other_sites(lammps):
    along(lammps, ('TIP4P', 'slab'))


def gpu_early(lammps):
    """auto takes one GPU for all tasks, and begins early in every step."""
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
    """gather none: as many GPUs as there are, or as there are tasks."""
    hot = runs_of_all_kinds(lammps.scratch)['NVE'][0]
    if not shutil.which('nvidia-smi'):
        print('skipped: no nvidia-smi, which counts the GPUs')
        sys.exit(77)
    listed = subprocess.run(['nvidia-smi', '-L'], stdout=subprocess.PIPE, text=True).stdout
    here = sum(line.startswith('GPU ') for line in listed.splitlines())
    for ranks in (2, 4):
        said = lammps.run(hot, 'kspace_style enuf 1e-5 backend cuda gather none', ranks, name='each').said
        used = re.findall(r'MPI tasks share (\w+) GPU', said)
        expect_true(f'{ranks} ranks, {here} GPUs: the log says how many are used',
                    used == ['one' if here == 1 else str(min(ranks, here))], said)
        expect_true(f'{ranks} ranks: begins early on one GPU', ('begins as soon as' in said) == (here == 1), said)


if __name__ == '__main__':
    main(Lammps, {test.__name__: needs_gpu(test)
                  for test in (gpu_exact, gpu_boxes, gpu_charges, gpu_other_sites, gpu_early, gpu_each)})
