# Input that enuf does not support is refused with a message that names the cause, on every rank, without a crash. An
# option without effect gives one warning. Styles can be replaced, unloaded and loaded again.
# SPDX-License-Identifier: BSD-3-Clause
import glob
import os
import subprocess
import sys

from checks import expect_true, main
from lammps_runs import Lammps, TILT, salt, tip4p_water, water


def refused(lammps, what, system, kspace, text, ranks=(1, 2)):
    """The input ends with an error that contains `text`."""
    for n in ranks:
        status, said = lammps.raw(f'{system}\n{kspace}\nrun 0\n', n, 'refused')
        last = [line for line in said.splitlines() if 'ERROR' in line]
        ok = status != 0 and 'ERROR' in said and text in said and 'BAD TERMINATION' not in said
        expect_true(f'{what}, {n} ranks: {last[0] if last else "no error"}', ok,
                    f'(status {status}) {said[-300:]}')


def warned(lammps, what, system, kspace, text):
    """The input runs, and `text` is in its output once."""
    status, said = lammps.raw(f'{system}\n{kspace}\nrun 0\n', 1, 'warned')
    expect_true(f'{what}: one warning', status == 0 and said.count(text) == 1, said[-500:])


def kspace_refusals(lammps):
    ions, full = salt(lammps.scratch, 'salt'), water()
    slab = salt(lammps.scratch, 'slab', thickness=24)
    for what, system, kspace, text in (
            ('no accuracy', ions, 'kspace_style enuf', 'the accuracy is missing'),
            ('accuracy 0', ions, 'kspace_style enuf 0', 'the accuracy is 0'),
            ('accuracy above 1', ions, 'kspace_style enuf 10', 'the accuracy is 10: it has to be at most 1'),
            ('negative gewald', ions, 'kspace_style enuf 1e-4\nkspace_modify gewald -1', 'kspace_modify gewald is -1'),
            ('accuracy beyond double', ions, 'kspace_style enuf 1e-30', 'the least that can be reached'),
            ('no pair style', ions + 'pair_style none\n', 'kspace_style enuf 1e-4',
             'needs a pair style with coul/long'),
            ('a pair style without Coulomb', ions + 'pair_style lj/cut 3\npair_coeff * * 1 1\n',
             'kspace_style enuf 1e-4', 'does not serve this pair style (pair_style lj/cut)'),
            ('dispersion', ions + 'pair_style lj/long/coul/long long long 4\npair_coeff * * 1 1\n',
             'kspace_style enuf 1e-4', 'long-range dispersion (pair_style lj/long/coul/long)'),
            ('wire', ions, 'kspace_style enuf 1e-4\nkspace_modify wire 3.0', 'kspace_modify wire'),
            ('ew2d', slab, 'kspace_style enuf 1e-4\nkspace_modify slab ew2d', 'slab'),
            ('kmax/ewald', ions, 'kspace_style enuf 1e-4\nkspace_modify kmax/ewald 5 5 5', 'kmax/ewald'),
            ('disp', ions, 'kspace_style enuf 1e-4\nkspace_modify mix/disp geom', 'mix/disp'),
            ('open box', ions.replace('p p p', 'p p f'), 'kspace_style enuf 1e-4',
             'needs boundary p p p'),
            ('slab in a periodic box', ions, 'kspace_style enuf 1e-4\nkspace_modify slab 3',
             'needs boundary p p f'),
            ('leaning slab', slab + TILT.format(0, 2, 0),
             'kspace_style enuf 1e-4\nkspace_modify slab 3', 'third edge is along z'),
            ('no charges', ions + 'set group all charge 0\n', 'kspace_style enuf 1e-4',
             'all charges are 0')):
        refused(lammps, what, system, kspace, text)
    other_physics(lammps)
    stand_ins = os.path.join(os.path.dirname(lammps.plugin), 'stand_ins.so')
    hybrid = 'pair_style hybrid/overlay coul/long/kk 4.0 lj/cut 2.5\npair_coeff * * coul/long/kk\n' \
        'pair_coeff * * lj/cut 1 1.2\n'
    for styles in ('pair_style coul/long/kk 4.0\npair_coeff * *\n', hybrid):
        style = styles.split()[1]
        refused(lammps, style, f'plugin load {stand_ins}\n{ions}{styles}', 'kspace_style enuf 1e-4',
                f"works on LAMMPS' own arrays, but pair_style {style} keeps its atoms in views of KOKKOS")
    # one task alone has this error; on several ranks its message may be lost
    refused(lammps, 'TIP4P without hydrogens', full + 'pair_style lj/cut/tip4p/long 2 1 1 1 0.15 9.0\n'
            'pair_coeff * * 0 1\n', 'kspace_style enuf 1e-4', 'ydrogen', ranks=(1,))
    warned(lammps, 'options that tune pppm only', ions,
           'kspace_style enuf 1e-4\nkspace_modify order 7 diff ad overlap no',
           'kspace_modify order, overlap, diff: of no effect with kspace_style enuf')
    warned(lammps, 'a coarse gewald', ions, 'kspace_style enuf 1e-6\nkspace_modify gewald 0.3',
           'more than the 1e-06 asked for')
    warned(lammps, 'a mesh too small', ions, 'kspace_style enuf 1e-4\nkspace_modify mesh 2 2 2',
           'asked for: leave gewald, mesh and grid to it')
    grows = 'kspace_style enuf 1e-4\nkspace_modify mesh 24 24 24\nfix d all deform 1 x final 0 18 y final -3 15 ' \
        'z final 0 18 remap x\nthermo 5\nrun 40'
    warned(lammps, 'a box that outgrows its mesh', ions, grows, 'the grid given, 24 x 24 x 24, has become too coarse')
    warned(lammps, 'eigtol by its name', ions, 'kspace_style enuf 1e-4\nkspace_modify eigtol 1e-3',
           'kspace_modify eigtol: of no effect with kspace_style enuf')
    warned(lammps, 'fix tune/kspace', ions, 'kspace_style enuf 1e-4\nfix t all tune/kspace 100',
           'fix tune/kspace replaces kspace_style enuf by ewald, pppm or msm')


BOX = '''units lj
atom_style {}
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 random 40 4711 NULL overlap 0.8
mass 1 1
pair_style {}
pair_coeff * * {}
'''


def other_physics(lammps):
    """Long-range pair styles of other physics than charges in a vacuum: dielectric interfaces, spins, dispersion."""
    for pair in ('coul/long/dielectric 2.8', 'lj/cut/coul/long/dielectric 2.5 2.8',
                 'hybrid/overlay lj/cut 2.5 coul/long/dielectric 2.8'):
        name = 'coul/long/dielectric'
        coefficients = f'{name}' if 'hybrid' in pair else '1 1' if 'lj' in pair else ''
        system = BOX.format('dielectric', pair, coefficients) + 'set group all charge 1\n'
        if 'hybrid' in pair:
            system += 'pair_coeff * * lj/cut 1 1\n'
        refused(lammps, pair, system, 'kspace_style enuf 1e-4', 'use kspace_style pppm/dielectric')
    refused(lammps, 'spins', BOX.format('spin\natom_modify map array', 'spin/dipole/long 2.8', '2.8')
            .replace('units lj', 'units metal') + 'set group all spin/atom/random 31 2.2\n', 'kspace_style enuf 1e-4',
            'magnetic spins (pair_style spin/dipole/long): use kspace_style ewald/dipole/spin')
    refused(lammps, 'dispersion without charges', BOX.format('atomic', 'lj/long/coul/long long off 2.5', '1 1'),
            'kspace_style enuf 1e-4', 'long-range dispersion (pair_style lj/long/coul/long): use kspace_style pppm/disp')


def keyword_refusals(lammps):
    ions = salt(lammps.scratch, 'salt')
    ours = salt(lammps.scratch, 'salt', pair='coul/enuf 4.0')
    hybrid = ions.replace('pair_style coul/long 4.0', 'pair_style hybrid/overlay coul/long 4.0 '
                          'lj/cut 2.5').replace('pair_coeff * * ', 'pair_coeff * * coul/long\n'
                                                'pair_coeff * * lj/cut 1 1.2')
    style = 'kspace_style enuf 1e-4 '
    for what, system, kspace, text in (
            ('unknown keyword', ions, style + 'windw es', "unknown keyword 'windw': kspace_style enuf "
             'takes backend, precision, split, window, grid'),
            ('unknown kspace_modify', ions, style + '\nkspace_modify frobnicate 1',
             "does not know 'frobnicate'"),
            ('unknown keyword of kspace_modify', ions, style + '\nkspace_modify enuf/windw es',
             "kspace_modify: unknown keyword 'enuf/windw'"),
            ('unknown backend', ions, style + 'backend gpu', "backend: no backend is called 'gpu'"),
            ('a precision that does not exist', ions, style + 'precision single',
             "precision is 'single': it has to be auto, double or mixed"),
            ('calibrate yes with TIP4P', tip4p_water(), style + 'calibrate yes',
             'the sites of TIP4P water are not known'),
            ('calibrate with another value', ions, style + 'calibrate on',
             "calibrate is 'on': it has to be auto, yes or no"),
            ('a value missing', ions, style + 'grid 32 32', 'grid needs 3 values'),
            ('unknown choice', ions, style + 'gather last', "gather is 'last': it has to be auto, none "
             'or first'),
            ('one GPU for all, without GPUs', ions, style + 'backend cpu gather first',
             'gather first needs backend cuda'),
            ('negative interval', ions, style + 'measure -1', 'measure is -1'),
            ('prolate beside erfc', ions, style + 'split prolate',
             'split prolate needs a pair style that knows it: coul/enuf, lj/cut/coul/enuf or '
             'lj/charmm/coul/enuf, not coul/long'),
            ('prolate beside erfc in hybrid', hybrid, style + 'split prolate',
             'split prolate needs a pair style that knows it'),
            ('gewald of the prolate splitting', ours, style + 'split prolate\nkspace_modify gewald 1',
             'kspace_modify gewald is the parameter of the Gaussian splitting'),
            ('group/group of the prolate splitting', ours,
             style + 'split prolate\ncompute gg all group/group all kspace yes', 'group/group')):
        refused(lammps, what, system, kspace, text)
    warned(lammps, 'early without a GPU', ions, style + 'backend cpu early yes', 'early yes gains nothing')


def pair_refusals(lammps):
    pairs = {name: salt(lammps.scratch, 'salt', pair=f'{name} {cut}').replace(
        'pair_coeff * * ', f'pair_coeff * * {coefficients}')
        for name, cut, coefficients in (('coul/enuf', '4.0', ''), ('lj/cut/coul/enuf', '2.5 4.0', '1 1'),
                                        ('lj/charmm/coul/enuf', '2.0 2.5 4.0', '1 1'))}
    for name, system in pairs.items():
        for kspace in ('kspace_style msm 1e-4', 'kspace_style none'):
            text = 'incompatible' if 'msm' in kspace else 'it needs kspace_style enuf'
            refused(lammps, f'{name} with {kspace}', system, kspace, text, ranks=(1,))
    refused(lammps, 'a cutoff of 0', pairs['coul/enuf'].replace('coul/enuf 4.0', 'coul/enuf 0'), '',
            'the Coulomb cutoff is 0', ranks=(1,))
    refused(lammps, 'too many coefficients', pairs['coul/enuf'].replace('pair_coeff * *', 'pair_coeff * * 1'),
            'kspace_style enuf 1e-4', 'pair_coeff for pair_style coul/enuf: 3 arguments', ranks=(1,))
    refused(lammps, 'an inner cutoff beyond the outer', pairs['lj/charmm/coul/enuf'].replace('2.0 2.5', '3 2.5'),
            'kspace_style enuf 1e-4', 'the inner cutoff 3 has to be less than the outer one', ranks=(1,))
    refused(lammps, 'rRESPA with levels of pairs', pairs['coul/enuf'] + 'run_style respa 2 2 inner 1 2 2.5 outer 2\n',
            'kspace_style enuf 1e-4', 'RESPA', ranks=(1,))
    warned(lammps, 'a table for an exact pair style', pairs['coul/enuf'] + 'pair_modify table 12\n',
           'kspace_style enuf 1e-4', 'pair_modify table: of no effect with pair_style coul/enuf')


def come_and_go(lammps):
    """One input sets, replaces, unloads and loads the style again, and runs without charges, minimises and reruns."""
    ions = salt(lammps.scratch, 'salt')
    ours = salt(lammps.scratch, 'salt', pair='coul/enuf 4.0')
    status, said = lammps.raw(f'''{ions}
kspace_style enuf 1e-4 early yes
run 0
kspace_style ewald 1e-4
run 0
kspace_style enuf 1e-5
run 0
set group all charge 0
kspace_modify gewald 0.5
run 0
set type 1 charge 1
set type 2 charge -1
run 0
minimize 0 1e-2 5 5
dump d all atom 1 rerun.dump
run 2
undump d
rerun rerun.dump dump x y z
kspace_style none
plugin unload kspace enuf
clear
plugin load {lammps.plugin}
{ours}
kspace_style enuf 1e-4 early yes split prolate
run 2
kspace_style pppm 1e-4
run 2
kspace_style enuf 1e-4
run 2
''', 2, 'come_and_go')
    expect_true('set, replaced, without charges, minimised, rerun, unloaded, cleared, loaded again',
                status == 0, f'{status} {said[-2000:]}')


def other_host(lammps):
    """In a LAMMPS whose classes have another layout, an input that uses a style of enuf ends with an error, and an
    input without one runs."""
    lmp = os.path.join(lammps.folder, 'other', 'bin', 'lmp')
    if not os.path.exists(lmp):
        expect_true('skipped: no LAMMPS of another layout here: make lammps', True)
        return

    def run(text):
        file = os.path.join(lammps.scratch, 'other.in')
        with open(file, 'w') as out:
            out.write(f'plugin load {lammps.plugin}\n{text}')
        done = subprocess.run([lmp, '-in', file, '-log', 'none'], cwd=lammps.scratch, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=100)
        return done.returncode, done.stdout

    ions = salt(lammps.scratch, 'salt')
    status, said = run(f'{ions}\nkspace_style pppm 1e-4\nrun 1\n')
    expect_true('another LAMMPS: an input without enuf goes on', status == 0 and 'Loop time' in said,
                f'{status} {said[-800:]}')
    for use in ('kspace_style enuf 1e-4', 'pair_style coul/enuf 4.0'):
        status, said = run(f'{ions}\n{use}\nrun 0\n')
        expect_true(f'another LAMMPS: {use} is refused', status not in (0, 245) and status > 0 and
                    ('compiled for another LAMMPS' in said or 'Unrecognized' in said or
                     'unknown' in said.lower()), f'{status} {said[-800:]}')


def other_mpi(lammps):
    """A plugin compiled with another MPI (one beside this plugin): LAMMPS cannot open it, or it prints the difference.
    An input without enuf runs, an input with enuf ends with an error on all ranks."""
    def is_open_mpi(plugin):
        return 'openmpi' in os.path.basename(os.path.dirname(plugin))

    found = [plugin for plugin in glob.glob(os.path.join(lammps.folder, '*', 'enufplugin.so'))
             if is_open_mpi(plugin) != is_open_mpi(lammps.plugin)]
    if not found:
        print('skipped: no plugin for another MPI here: make check-lammps-source')
        sys.exit(77)
    ions = salt(lammps.scratch, 'salt')
    lammps.plugin = found[0]
    for ranks in (1, 2):
        status, said = lammps.raw(f'{ions}\nkspace_style pppm 1e-4\nrun 1\n', ranks)
        expect_true(f'{ranks} ranks: an input without enuf goes on', status == 0 and 'Loop time' in said,
                    f'{status} {said[-800:]}')
        expect_true(f'{ranks} ranks: a message names the difference',
                    "the plugin's is" in said or 'Open of file' in said, said[:800])
        status, said = lammps.raw(f'{ions}\nkspace_style enuf 1e-4\nrun 0\n', ranks)
        expect_true(f'{ranks} ranks: kspace_style enuf is refused', status > 0 and
                    ('compiled for another LAMMPS' in said or 'Unrecognized' in said),
                    f'{status} {said[-800:]}')


if __name__ == '__main__':
    main(Lammps, {test.__name__: test for test in (kspace_refusals, keyword_refusals, pair_refusals,
                                                   come_and_go, other_host, other_mpi)})
