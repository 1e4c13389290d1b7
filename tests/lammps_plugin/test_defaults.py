# What kspace_style enuf does where the input says nothing but the accuracy, as an input of pppm says it; and the line
# of the log about settings that would be faster.
# SPDX-License-Identifier: BSD-3-Clause
import os
import re
import subprocess

from checks import expect, expect_true, main
from lammps_runs import SOURCE, Lammps, crystal, from_xyz, salt, tip4p_water, water

BY_POSITIONS = ', chosen by the positions'
ROCK_SALT = [(1, 1, 0, 0, 0), (1, 1, .5, .5, 0), (1, 1, .5, 0, .5), (1, 1, 0, .5, .5),
             (2, -1, .5, 0, 0), (2, -1, 0, .5, 0), (2, -1, 0, 0, .5), (2, -1, .5, .5, .5)]
STOP = 'variable one equal 1\nfix stop all halt 1 v_one > 0 error soft message no\n'
FASTER = re.compile(r'^  faster: (.*), kspace part (\S+) of this \(predicted\)$', re.M)


def log_of(lammps, what, system, kspace, dynamics='run 100', ranks=1):
    """The output of a run of atoms that no fix moves."""
    status, said = lammps.raw(f'{system}\n{kspace}\n{dynamics}\n', ranks, 'defaults')
    expect_true(f'{what}: runs', status == 0, said[-1500:])
    return said


def liquid(lammps, pair='coul/long 9.0'):
    """The input of 1,200 charges of water."""
    return from_xyz(lammps.scratch, 'spce_liquid', pair)


def chosen(lammps):
    """With pppm changed to enuf, and no other word, a liquid gets mixed arithmetic and a choice by the positions. Each
    reason against one of them leaves it out."""
    plain = liquid(lammps)
    expect_true('an input of pppm', log_of(lammps, 'pppm', plain, 'kspace_style pppm 1e-5').count('PPPM init') == 1)
    said = log_of(lammps, 'enuf', plain, 'kspace_style enuf 1e-5')
    expect_true('a liquid: mixed, by the positions', f', mixed arithmetic{BY_POSITIONS}' in said, said)
    said = log_of(lammps, '1e-8', plain, 'kspace_style enuf 1e-8')
    expect_true('below A = 1e-5: double, by the positions', f', double arithmetic{BY_POSITIONS}' in said, said)
    set_charges = 'group plus type 1\nvariable c equal 0.4238\nfix f plus adapt 1 atom charge v_c\n'
    for what, system, kspace, dynamics in (
            ('deterministic', plain, 'deterministic yes', 'run 100'),
            ('calibrate no', plain, 'calibrate no', 'run 100'),
            ('a grid that is given', plain, 'grid 40 40 40', 'run 100'),
            ('kspace_modify mesh', plain, '\nkspace_modify mesh 40 40 40', 'run 100'),
            ('a run too short', plain, '', 'run 99'),
            ('minimisation', plain, '', 'minimize 0 1 2 2'),
            ('charges that change', plain + set_charges, '', 'run 100'),
            ('few charges', salt(lammps.scratch, 'few'), '', 'run 100'),
            ('TIP4P', tip4p_water() + 'replicate 2 2 1\n', '', 'run 100'),
            ('a lattice', crystal(lammps.scratch, 'lattice', ROCK_SALT, 5.64, 6, 'coul/long 9.0'), '', 'run 100')):
        said = log_of(lammps, what, system, f'kspace_style enuf 1e-5 {kspace}', dynamics)
        expect_true(f'{what}: not by the positions', ' splitting, ' in said and BY_POSITIONS not in said, said)
    said = log_of(lammps, 'deterministic', plain, 'kspace_style enuf 1e-5 deterministic yes')
    expect_true('deterministic: double', 'double arithmetic, deterministic' in said, said)
    said = log_of(lammps, 'calibrate yes', plain, 'kspace_style enuf 1e-5 calibrate yes', 'run 0')
    expect_true('calibrate yes: also in short runs', BY_POSITIONS in said, said)


def choices_of(said):
    """The lines of the log about splitting, grid, window, arithmetic, error and advice."""
    keep = ('G vector', 'prolate bandwidth', 'grid =', ' splitting, ', 'estimated', 'predicted')
    return [line for line in said.splitlines() if line.startswith('  ') and any(k in line for k in keep)]


def equal_on_ranks(lammps):
    """The same choice on 1, 2, 3 and 4 ranks: all digits that the log shows."""
    salty, ours = from_xyz(lammps.scratch, 'molten_nacl', 'coul/long 9.0'), liquid(lammps, 'coul/enuf 9.0')
    for what, system, keywords in (('water', liquid(lammps), '1e-5'), ('salt', salty, '1e-4'),
                                   ('coul/enuf', ours, '1e-5'), ('water', liquid(lammps), '1e-5 calibrate yes'),
                                   ('salt', salty, '1e-7 calibrate yes'), ('coul/enuf', ours, '1e-5 calibrate yes')):
        # the run ends at its first step
        logs = [choices_of(log_of(lammps, f'{what}, {keywords}, {n} ranks', system, f'kspace_style enuf {keywords}',
                                  f'{STOP}run 100', n)) for n in (1, 2, 3, 4)]
        expect_true(f'{what}, {keywords}: chosen by the positions', BY_POSITIONS in ''.join(logs[0]), str(logs[0]))
        for n, log in enumerate(logs[1:], 2):
            expect_true(f'{what}, {keywords}: {n} ranks choose as one', log == logs[0], f'{log}\n{logs[0]}')


def advice(lammps):
    """The line `faster`: there with what is named in it, and absent where nothing is faster or nothing may be
    changed."""
    plain, ours = liquid(lammps), liquid(lammps, 'coul/enuf 9.0')
    window = ', window prolate'
    group = 'compute gg all group/group all\n'
    for what, system, kspace, named in (
            ('coul/long', plain, '', 'pair_style coul/enuf with split prolate'),
            ('coul/long and a window', plain, 'window bspline', f'pair_style coul/enuf with split prolate{window}'),
            ('coul/enuf', ours, '', None),
            ('coul/enuf, gaussian', ours, 'split gaussian', 'split prolate'),
            ('coul/enuf, double', ours, 'precision double', 'precision auto'),
            ('group/group', plain, f'\n{group}', None),
            ('group/group in double', plain, f'precision double\n{group}', 'precision auto'),
            ('gewald', plain, '\nkspace_modify gewald 0.33', None),
            ('suffix omp', 'suffix omp\npackage omp 1\n' + plain, '', None),
            ('TIP4P', tip4p_water(), '', None)):
        said = log_of(lammps, what, system, f'kspace_style enuf 1e-5 {kspace}', 'run 1')
        found = FASTER.findall(said)
        if named is None:
            expect_true(f'{what}: nothing is faster', 'faster:' not in said, said)
            continue
        if expect_true(f'{what}: one line', len(found) == 1 and found[0][0] == named, said):
            expect(f'{what}: the part that is left', float(found[0][1]), 0.95)
    said = log_of(lammps, 'two runs', plain, 'kspace_style enuf 1e-5', 'run 1\nrun 1')
    expect_true('the line is in the log of each run', len(FASTER.findall(said)) == 2, said)


def groups(lammps):
    """compute group/group with kspace under defaults, beside pair styles of LAMMPS and of the plugin, agrees with
    kspace_style ewald: the Gaussian splitting is taken for it."""
    for pair in ('coul/long 4.0', 'coul/enuf 4.0'):
        values = []
        ions = salt(lammps.scratch, 'ions', pair=pair)
        for kspace in ('enuf 1e-4', 'ewald 1e-8'):
            said = log_of(lammps, f'{pair}, {kspace}', ions, f'''kspace_style {kspace}
group low id <= 100
group high id > 80
compute between low group/group high kspace yes
thermo_style custom step c_between c_between[1] c_between[2] c_between[3]
thermo_modify format float %.17g norm no''', 'run 0')
            expect_true(f'{pair}: gaussian', 'ewald' in kspace or 'gaussian splitting' in said, said)
            row = next(line.split() for line in said.splitlines() if re.match(r' +0 +-?[0-9.]', line))
            values.append([float(x) for x in row[1:]])
        scale = max(abs(x) for x in values[1])
        expect(f'{pair}: energy and force between groups', max(abs(a - b) for a, b in zip(*values)) / scale, 1e-3)


def watched(lammps):
    """A choice by the positions that no longer serves, because charges have lost their order, is made again at the
    thousandth evaluation."""
    moves = 'group oxygen type 2\nfix 1 oxygen move linear 9.7 6.1 -7.9\n'
    for ranks in (1, 2):
        said = log_of(lammps, f'{ranks} ranks', liquid(lammps) + moves, 'kspace_style enuf 1e-4', 'run 1000', ranks)
        found = re.search(r'enuf: step 999: relative force error measured = (\S+), asked for = (\S+)', said)
        if not expect_true(f'{ranks} ranks: measured at the thousandth evaluation', found is not None, said[-3000:]):
            continue
        expect('the error before exceeds the request', float(found.group(2)), float(found.group(1)))
        after = re.search(r'enuf: step 999: regridded to .*: relative force error measured = (\S+)', said)
        expect('the error after', float(after.group(1)), 1e-4)


def examples_deliver(lammps):
    """Each input of examples/lammps at 1e-4, 1e-5 and 1e-6, without other keywords than its own splitting: the force
    error measured along the run is at most the accuracy."""
    folder = os.path.join(SOURCE, 'examples', 'lammps')
    for file in sorted(name for name in os.listdir(folder) if name.endswith('.in')):
        with open(os.path.join(folder, file)) as source:
            text = source.read()
        for accuracy in ('1e-4', '1e-5', '1e-6'):
            own = ' split prolate' if 'split prolate' in text else ''
            changed = re.sub(r'^kspace_style .*$', f'kspace_style enuf {accuracy}{own} measure 50', text, flags=re.M)
            path = os.path.join(lammps.scratch, file)
            with open(path, 'w') as out:
                out.write(changed)
            done = subprocess.run([lammps.lmp, '-in', path, '-log', 'none', '-var', 'plugin', lammps.plugin],
                                  cwd=folder, stdin=subprocess.DEVNULL, text=True, timeout=200,
                                  env=lammps.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            errors = [float(x) for x in re.findall(r'relative force error measured = (\S+), predicted', done.stdout)]
            if expect_true(f'{file} at {accuracy} is measured', done.returncode == 0 and len(errors) >= 3,
                           done.stdout[-1500:]):
                expect(f'{file} at {accuracy}: largest error', max(errors), float(accuracy))


if __name__ == '__main__':
    main(Lammps, {'chosen': chosen, 'equal_on_ranks': equal_on_ranks, 'advice': advice, 'groups': groups,
                  'watched': watched, 'examples_deliver': examples_deliver})
