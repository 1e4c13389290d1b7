# kspace_style enuf/kk gives the results of kspace_style enuf. Skipped where LAMMPS has no KOKKOS: make
# check-lammps-source KOKKOS=PREFIX. ENUF_KOKKOS_OPTIONS names what switches it on, such as -k on g 1.
# SPDX-License-Identifier: BSD-3-Clause
import ctypes
import os
import subprocess
import sys

from checks import expect, expect_true, main
from lammps_runs import Lammps, TILT, salt, tip4p_water, water
from test_keywords import runs_of_all_kinds, same

ON = os.environ.get('ENUF_KOKKOS_OPTIONS', '-k on').split()
SUFFIX = [*ON, '-sf', 'kk']
ON_GPU = 'g' in ON
LEAST = 1e-10 if ON_GPU else 0  # of a bound: the order of sums on a GPU is another one in each run


def needs_kokkos(test):
    def run(lammps):
        if 'ENUF_KOKKOS_OPTIONS' in os.environ:
            lammps.environment = dict(os.environ)  # with its GPU
        status, said = lammps.raw('', name='probe', options=ON)
        if status != 0 or 'KOKKOS mode' not in said:
            print(f'skipped: {lammps.lmp} has no KOKKOS: make check-lammps-source KOKKOS=PREFIX')
            sys.exit(77)
        test(lammps)
    return run


def beside(lammps, what, system, kspace, bound, ranks=(1, 2), fixes='', dynamics='run 0', options=SUFFIX,
           logged=True, kokkos=None):
    """enuf/kk against enuf on one rank without KOKKOS. kokkos: system and kspace style with suffixes of their own."""
    plain = lammps.run(system, kspace, 1, fixes, dynamics, name='plain')
    for n in ranks:
        found = lammps.run(*(kokkos or (system, kspace)), n, fixes, dynamics, name='kokkos', options=options)
        expect_true(f"{what}, {n} ranks: the log tells where atoms are", not logged or
                    "atoms in KOKKOS' views on the" in found.said, found.said)
        same(f'{what}, {n} ranks', found, plain, max(bound, LEAST))


def kokkos_agrees(lammps):
    """Forces, energy, pressure, stress per atom of one step: 1e-12, the rounding of another order of pairs."""
    kspace = 'kspace_style enuf 1e-5 precision double\n'
    slab = salt(lammps.scratch, 'slab', thickness=24)
    for what, system, more in (
            ('salt', salt(lammps.scratch, 'salt'), ''),
            ('tilted salt', salt(lammps.scratch, 'salt') + TILT.format(3, -2, 4), ''),
            ('charged salt', salt(lammps.scratch, 'charged', net=9), ''),
            ('slab', slab, 'kspace_modify slab 3.0'),
            ('nozforce', slab, 'kspace_modify slab nozforce'),
            ('water', water(), '')):
        beside(lammps, what, system, kspace + more, 1e-12)
    beside(lammps, 'early start', salt(lammps.scratch, 'salt'), kspace + 'kspace_modify enuf/early yes', 1e-12)
    ions = salt(lammps.scratch, 'salt')
    # LAMMPS 4 Feb 2025 with CUDA fails in coul/long/kk/host itself: an assertion on the GPU as it counts neighbours
    for suffix in ('kk', 'kk/device') if ON_GPU else ('kk', 'kk/device', 'kk/host'):
        named = ions.replace('atom_style charge', 'atom_style charge/kk').replace('coul/long', f'coul/long/{suffix}') + \
            'run_style verlet/kk\n'
        beside(lammps, f'enuf/{suffix}', ions, kspace, 1e-12, (1,), options=ON,
               kokkos=(named, kspace.replace('enuf', f'enuf/{suffix}')))


def kokkos_steps(lammps):
    """Runs in which box, charges and owners of atoms change: 1e-9, because rounding grows along the trajectory. Each
    with and without the early start."""
    runs = runs_of_all_kinds(lammps.scratch)
    for what in ('NVE', 'NPT, triclinic, balanced', 'charges that rise', 'box flips', 'minimisation'):
        system, fixes, dynamics = runs[what]
        for early in ('no', 'yes'):
            beside(lammps, f'{what}, early {early}', system, f'kspace_style enuf 1e-6 precision double early {early}',
                   1e-9, fixes=fixes, dynamics=dynamics)
    hot = runs['NVE'][0]
    said = lammps.run(hot, 'kspace_style enuf 1e-5 early yes', 2, 'fix 1 all nve',
                      'run 0\nthermo_style custom step evdwl ecoul elong etotal vol c_vir[*] f_ENUF_EARLY\nrun 20',
                      name='served', options=SUFFIX).thermo
    expect_true('begun early in 20 of 20 steps', said[-1][12] == 20, str(said[-1]))


LISTS = {'half': 'neigh half newton on', 'half, newton off': 'neigh half newton off',
         'full': 'neigh full newton off'}


def kokkos_pairs(lammps):
    """coul/enuf/kk and lj/cut/coul/enuf/kk against the styles without suffix, with both splittings, on all kinds of
    neighbour lists: 1e-12."""
    systems = {
        'coul/enuf': salt(lammps.scratch, 'salt', pair='coul/enuf 4.0'),
        'lj/cut/coul/enuf': salt(lammps.scratch, 'salt', pair=('lj/cut/coul/enuf 2.5 4.0', '1 1.2')),
        'lj/cut/coul/enuf, tilted': salt(lammps.scratch, 'salt', pair=('lj/cut/coul/enuf 2.5 4.0', '1 1.2')) +
        TILT.format(3, -2, 4),
        'water': water('lj/cut/coul/enuf 9.0'),
    }
    for what, system in systems.items():
        for split in ('gaussian', 'prolate'):
            for kind, words in LISTS.items():
                beside(lammps, f'{what}, {split}, {kind}', system,
                       f'kspace_style enuf 1e-5 precision double split {split}', 1e-12,
                       (2,) if kind == 'half' else (1,), options=[*SUFFIX, '-pk', 'kokkos', *words.split()])
    if not ON_GPU:
        beside(lammps, 'water, two threads', systems['water'], 'kspace_style enuf 1e-5 precision double', 1e-12, (1, 2),
               options=[*ON, 't', '2', '-sf', 'kk'])
    hybrid = systems['coul/enuf'].replace('coul/enuf 4.0', 'hybrid/overlay coul/enuf 4.0 lj/cut 2.5').replace(
        'pair_coeff * * ', 'pair_coeff * * coul/enuf\npair_coeff * * lj/cut 1 1.2')
    beside(lammps, 'hybrid', hybrid, 'kspace_style enuf 1e-5 precision double', 1e-12)
    beside(lammps, 'fix adapt', systems['coul/enuf'] + 'variable s equal 1+step/10\n',
           'kspace_style enuf 1e-5 precision double', 1e-10,
           fixes='fix 1 all nve\nfix 2 all adapt 1 pair coul/enuf scale * * v_s\ntimestep 0.002', dynamics='run 5')
    beside(lammps, 'pppm', systems['lj/cut/coul/enuf'], 'kspace_style pppm 1e-4\nkspace_modify gewald 0.9', 1e-6, (1,),
           logged=False)


def rows_of(lammps, text, ranks, options, name):
    status, said = lammps.raw(text, ranks, name, options=options)
    found = [line.split() for line in said.splitlines() if line.split()[:1] == ['row']]
    expect_true(f'{name}, {ranks} ranks: runs', status == 0 and found, said[-1500:])
    return [[float(x) for x in row[1:]] for row in found]


def kokkos_keywords(lammps):
    """deterministic, measure, calibrate, group/group, rerun, restart and styles that come and go, as without KOKKOS."""
    salty = salt(lammps.scratch, 'salt', dynamics=True)
    restart = os.path.join(lammps.scratch, 'kokkos.restart')
    dump = os.path.join(lammps.scratch, 'kokkos.dump')
    text = f'''{salty}
kspace_style enuf 1e-5 deterministic yes split gaussian
group low id <= 100
group high id > 80
compute g low group/group high kspace yes pair no
variable e equal elong
variable g equal c_g
thermo_style custom step elong c_g
fix 1 all nve
timestep 0.002
run 0
print "row $(elong:%.17g) $(c_g:%.17g)"
kspace_style enuf 1e-5 precision double measure 5 calibrate yes split gaussian
run 10
print "row $(elong:%.17g) $(c_g:%.17g)"
write_restart {restart}
dump d all atom 1 {dump}
run 2
print "row $(elong:%.17g) $(c_g:%.17g)"
undump d
rerun {dump} dump x y z
print "row $(elong:%.17g) $(c_g:%.17g)"
kspace_style none
plugin unload kspace enuf/kk
plugin unload kspace enuf
clear
plugin load {lammps.plugin}
read_restart {restart}
pair_modify table 0
kspace_style enuf 1e-5 precision double
run 0
print "row $(elong:%.17g)"
'''
    plain = rows_of(lammps, text.replace('plugin unload kspace enuf/kk\n', ''), 1, (), 'plain')
    for ranks in (1, 2):
        found = rows_of(lammps, text, ranks, SUFFIX, 'kokkos')
        expect_true(f'{ranks} ranks: as many rows', len(found) == len(plain))
        for what, a, b in zip(('deterministic', 'measure, calibrate', 'restart written', 'rerun', 'restart read'),
                              found, plain):
            expect(f'{what}, {ranks} ranks: energy', abs(a[0] / b[0] - 1), 1e-9)
            if len(a) > 1:
                expect(f'{what}, {ranks} ranks: group/group', abs(a[1] / b[1] - 1), 1e-9)
        expect_true(f'{ranks} ranks: deterministic gives equal bits', found[0][0] == plain[0][0],
                    f'{found[0][0]!r} {plain[0][0]!r}')


def refused(lammps, what, text, wanted, options):
    for ranks in (1, 2):
        status, said = lammps.raw(f'{text}\nrun 0\n', ranks, 'refused', options=options)
        last = [line for line in said.splitlines() if 'ERROR' in line]
        expect_true(f'{what}, {ranks} ranks: {last[0] if last else "no error"}',
                    status > 0 and wanted in said and bool(last), f'(status {status}) {said[-600:]}')


def kokkos_misuse(lammps):
    """Each ends in an error of LAMMPS on all ranks."""
    ions = salt(lammps.scratch, 'salt')
    plain = ions.replace('atom_style charge', 'atom_style charge/kk')
    pairs = plain.replace('coul/long', 'coul/long/kk')
    ours = plain.replace('coul/long', 'coul/enuf')
    tip4p = tip4p_water().replace('atom_style full', 'atom_style full/kk')
    refused(lammps, 'KOKKOS is off', f'{ions}\nkspace_style enuf/kk 1e-4', 'needs KOKKOS switched on', ())
    refused(lammps, 'suffix for the kspace style alone', f'{plain}\nkspace_style enuf/kk 1e-4',
            'pair_style coul/long has not', ON)
    refused(lammps, 'suffix for the pair style alone', f'{pairs}\nkspace_style enuf 1e-4',
            'use kspace_style enuf/kk', ON)
    refused(lammps, 'a pair style of the plugin without suffix', f'{ours}\nkspace_style enuf/kk 1e-4',
            'pair_style coul/enuf has not', ON)
    refused(lammps, 'a pair style with suffix, without KOKKOS',
            ions.replace('coul/long', 'coul/enuf/kk') + '\nkspace_style enuf 1e-4', 'needs KOKKOS switched on', ())
    refused(lammps, 'TIP4P', f'{tip4p}\nkspace_style enuf/kk 1e-4', 'has not: use a pair style', ON)
    refused(lammps, 'prolate beside erfc', f'{ions}\nkspace_style enuf 1e-4 split prolate',
            'split prolate needs a pair style that knows it', SUFFIX)
    refused(lammps, 'no charges', f'{ions}\nset group all charge 0\nkspace_style enuf 1e-4', 'all charges are 0',
            SUFFIX)
    refused(lammps, 'a charge that is not finite',
            f'{ions}\nkspace_style enuf 1e-4\nvariable q atom exp(1000*(id==7))\nset atom 7 charge v_q',
            'not finite', SUFFIX)
    refused(lammps, 'unloaded', f'{pairs}\nplugin unload kspace enuf/kk\nkspace_style enuf/kk 1e-4', 'enuf/kk', ON)


TWO = '''
import ctypes, sys
library = ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
library.lammps_open_no_mpi.restype = ctypes.c_void_p
library.lammps_get_thermo.restype = ctypes.c_double
words = ['lmp', '-log', 'none', '-screen', 'none', *sys.argv[4:]]
arguments = (ctypes.c_char_p * len(words))(*[w.encode() for w in words])
text = ctypes.create_string_buffer(4096)


def command(lmp, line):
    library.lammps_command(lmp, line.encode())
    if library.lammps_has_error(lmp):
        library.lammps_get_last_error_message(lmp, text, len(text))
        print('error', text.value.decode().strip(), flush=True)
        return False
    return True


def start():
    lmp = ctypes.c_void_p(library.lammps_open_no_mpi(len(words), arguments, None))
    lines = ['plugin load ' + sys.argv[2], *open(sys.argv[3]).read().splitlines()]
    return lmp, all(command(lmp, line) for line in lines)


def go(name, lmp):
    if command(lmp, 'run 5'):
        print(name, repr(library.lammps_get_thermo(lmp, b'elong')), flush=True)


first, ok = start()
go('first', first)
second, ok = start()
for _ in range(2):
    if ok:
        go('second', second)
    go('first', first)
library.lammps_close(second)
go('first', first)
library.lammps_close(first)
'''


def kokkos_two_instances(lammps):
    """Two LAMMPS of one process. LAMMPS 4 Feb 2025 registers a plugin for the first one only: in the second
    kspace_style ends with its error. Energies are those of one alone, before and after the second is closed."""
    library = os.path.join(os.path.dirname(lammps.lmp), 'liblammps.so')
    try:
        ctypes.CDLL(library)
    except OSError as error:
        print(f'skipped: {error}')
        sys.exit(77)
    setup = salt(lammps.scratch, 'salt', dynamics=True) + \
        'kspace_style enuf 1e-5 precision double\nfix 1 all nve\ntimestep 0.002\n'
    alone = [row[0] for row in rows_of(lammps, setup + 4 * 'run 5\nprint "row $(elong:%.17g)"\n', 1, SUFFIX, 'alone')]
    file = os.path.join(lammps.scratch, 'two.in')
    with open(file, 'w') as out:
        out.write(setup)
    done = subprocess.run([sys.executable, '-c', TWO, library, lammps.plugin, file, *SUFFIX], text=True,
                          cwd=lammps.scratch, env=lammps.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    rows = {name: [float(line.split()[1]) for line in done.stdout.splitlines() if line.startswith(name + ' ')]
            for name in ('first', 'second')}
    errors = [line for line in done.stdout.splitlines() if line.startswith('error')]
    expect_true('the first runs to its end', done.returncode == 0 and len(rows['first']) == 4, done.stdout[-1500:])
    expect_true('the second runs, or its kspace_style ends with an error', len(rows['second']) == 2 or
                bool(errors) and 'kspace style' in errors[0], done.stdout[-1500:])
    for name, found in rows.items():
        for step, (a, b) in enumerate(zip(found, alone)):
            expect(f"{name}, run {step + 1}: energy beside that of one instance alone", abs(a / b - 1),
                   1e-9 if ON_GPU else 1e-12)


if __name__ == '__main__':
    main(Lammps, {test.__name__: needs_kokkos(test) for test in (
        kokkos_agrees, kokkos_pairs, kokkos_steps, kokkos_keywords, kokkos_misuse, kokkos_two_instances)})
