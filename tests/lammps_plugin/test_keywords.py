# Keywords of kspace_style enuf have their effect, which the log shows, and results stay within the requested accuracy.
# SPDX-License-Identifier: BSD-3-Clause
import math
import re

from checks import TWO_CHARGES, error_unit, expect, expect_true, main, virial_unit
from lammps_runs import TILT, Lammps, from_xyz, rms, salt, tip4p_water, water


def relative(a, b):
    return rms(a.forces, b.forces) / rms(b.forces, [[0, 0, 0]] * len(b.forces))


def same(what, a, b, bound):
    expect(f'{what}: force', relative(a, b), bound)
    expect(f'{what}: energy', abs(a.coulomb / b.coulomb - 1), bound)
    expect(f'{what}: pressure', max(abs(x - y) for x, y in zip(a.pressure, b.pressure)) /
           max(abs(x) for x in b.pressure), bound)
    expect(f'{what}: stress per atom', max(
        abs(x - y) for u, v in zip(a.atom_stress, b.atom_stress) for x, y in zip(u, v)) /
        max(abs(x) for u in b.atom_stress for x in u), bound)


def method(lammps):
    """Splitting, window, grid, precision and backend are used as requested, and forces stay within 1e-5."""
    ions = salt(lammps.scratch, 'salt', pair='coul/enuf 4.0')
    reference = lammps.run(ions, 'kspace_style enuf 1e-10', name='reference')
    for keywords, said in (
            ('split prolate', 'prolate splitting, prolate window'),
            ('split gaussian', 'gaussian splitting, prolate window'),
            ('split auto', 'prolate splitting'),
            ('window es', ', es window'),
            ('grid 40 45 48', 'grid = 40 45 48'),
            ('precision mixed', ', mixed arithmetic'),
            ('precision double', ', double arithmetic'),
            ('backend cpu', 'backend cpu'),
            ('deterministic yes', 'double arithmetic, deterministic')):
        result = lammps.run(ions, f'kspace_style enuf 1e-5 {keywords}', name='method')
        expect_true(f'{keywords} is in the log', said in result.said, result.said)
        expect(f'{keywords}: RMS force', rms(result.forces, reference.forces), 1e-5)
        expect(f'{keywords}: energy', abs(result.coulomb - reference.coulomb), 1e-5 * error_unit(result))
        total = sum(abs(e) for e in result.atom_energy)
        bound = 1e-7 if ', mixed arithmetic' in result.said else 1e-9
        expect(f'{keywords}: energies per atom sum to the total',
               abs(sum(result.atom_energy) - result.coulomb) / total, bound)
        modified = ''.join(f' enuf/{word}' if word.isalpha() and k == 0 else f' {word}'
                           for k, word in enumerate(keywords.split()))
        again = lammps.run(ions, f'kspace_style enuf 1e-5\nkspace_modify{modified}', name='modified')
        expect_true(f'kspace_modify{modified} is in the log', said in again.said, again.said)
    auto = lammps.run(salt(lammps.scratch, 'salt'), 'kspace_style enuf 1e-5 split auto', name='auto')
    expect_true('split auto beside coul/long is gaussian', 'gaussian splitting' in auto.said, auto.said)
    last = lammps.run(ions, 'kspace_style enuf 1e-5 split prolate split gaussian', name='last')
    expect_true('the last of two counts', 'gaussian splitting' in last.said, last.said)


def deterministic(lammps):
    """The kspace energy of equal positions has equal bits on 1, 2 and 4 ranks, and with a tiled layout."""
    system = 'atom_modify sort 0 0\n' + salt(lammps.scratch, 'salt')
    kspace = 'kspace_style enuf 1e-5 deterministic yes'

    def modes(ranks, before=''):
        dump = 'compute k all pe/atom kspace\nfix keep all ave/atom 1 1 1 c_k\n'
        result = lammps.run(system, kspace, ranks, before=before + dump, name=f'on_{ranks}')
        return [line for line in result.said.splitlines() if line.split()[:1] == ['0']], result
    lines, one = modes(1)
    for ranks, before in ((2, ''), (4, 'comm_style tiled\nbalance 0.9 rcb\n')):
        _, many = modes(ranks, before)
        expect_true(f'kspace energy on {ranks} ranks has the same bits',
                    many.kspace_energy == one.kspace_energy,
                    f'{many.kspace_energy!r} {one.kspace_energy!r}')
    expect_true('there is a kspace energy', abs(one.kspace_energy) > 1)


def runs_of_all_kinds(scratch):
    """name: (system, fixes, dynamics) of runs in which the box, the charges or the owners of atoms change; also TIP4P
    (charges beside the atoms) and a slab."""
    hot = salt(scratch, 'hot', dynamics=True) + 'timestep 0.002\nvelocity all create 1 4711\n'
    rises = ('variable rise equal 1+step/50\nvariable fall equal -v_rise\nfix 1 all nve\n'
             'group plus type 1\ngroup minus type 2\nfix 2 plus adapt 1 atom charge v_rise\n'
             'fix 3 minus adapt 1 atom charge v_fall')
    return {
        'NVE': (hot, 'fix 1 all nve', 'run 20'),
        'NPT, triclinic, balanced': (
            'comm_style tiled\n' + hot + TILT.format(1, 0, 0),
            'fix 1 all npt temp 1 1 0.2 tri 0 2 0.5\nfix 2 all balance 10 1.0 rcb', 'run 20'),
        'charges that rise': (hot, rises, 'run 20'),
        'box flips': (hot + TILT.format(5.9, 0, 0),
                      'fix 1 all nve\nfix 2 all deform 1 xy erate 2 remap v', 'run 20'),
        'minimisation': (hot, '', 'minimize 0 1e-6 10 20\nrun 0'),
        'atoms that leave': (hot, 'fix 1 all nve\nregion r block 0 6 -3 3 0 6\n'
                             'fix 2 all evaporate 5 3 r 49892', 'run 15'),
        'TIP4P': (tip4p_water(), '', 'run 0'),
        'slab': (salt(scratch, 'slab', thickness=24), 'kspace_modify slab 3.0', 'run 0'),
    }


def early(lammps):
    """early yes gives the results of a run without it: 1e-10, or 1e-9 after steps."""
    runs = runs_of_all_kinds(lammps.scratch)
    for what, (system, fixes, dynamics) in runs.items():
        plain = lammps.run(system, 'kspace_style enuf 1e-6', 2, fixes, dynamics, name='plain')
        begun = lammps.run(system, 'kspace_style enuf 1e-6 early yes', 2, fixes, dynamics, name='begun')
        # rounding grows along the trajectory
        same(f'{what}, early yes', begun, plain, 1e-10 if dynamics == 'run 0' else 1e-9)
    # the setup of a run is evaluated without an early start; it is no step
    hot = runs['NVE'][0]
    for what in ('NVE', 'charges that rise'):
        fixes, steps, served = runs[what][1], 20, 20
        said = lammps.run(hot, 'kspace_style enuf 1e-5 early yes', 2, fixes,
                          f'run 0\nthermo_style custom step evdwl ecoul elong etotal vol c_vir[*] '
                          f'f_ENUF_EARLY\nrun {steps}', name='served').thermo
        expect_true(f'begun early in {served} of {steps} steps', said[-1][12] == served, str(said[-1]))
    for way in ('auto', 'none'):
        log = lammps.run(hot, f'kspace_style enuf 1e-5 gather {way}', 2, name='log').said
        expect_true(f'gather {way}: the log names the tasks that evaluate',
                    'every MPI task evaluates its own atoms' in log, log)


def measured(lammps):
    """measure N prints the measured error beside the predicted one every N steps; if it exceeds the request, a new grid
    is chosen."""
    melt = salt(lammps.scratch, 'melt', pair='coul/enuf 4.0')
    fixes = 'fix 1 all move linear 0.1 0 0\ntimestep 0.01'
    for ranks in (1, 2):
        result = lammps.run(melt, 'kspace_style enuf 1e-5 measure 20', ranks, fixes, 'run 40',
                            name='measured')
        lines = re.findall(r'enuf: step (\d+): relative force error measured = (\S+), predicted = (\S+), '
                           r'asked for = (\S+)', result.said)
        expect_true(f'measured at steps 0, 20 and 40, {ranks} ranks',
                    [line[0] for line in lines] == ['0', '20', '40'], result.said)
        exact = lammps.run(melt, 'kspace_style enuf 1e-11', ranks, fixes, 'run 40', name='exact')
        delivered = rms(result.forces, exact.forces)
        for _, found, predicted, requested in lines:
            expect('measured error beside the error of all atoms', abs(float(found) / delivered - 1), 0.25,
                   '(128 of 216 atoms)')
            expect('measured is at most the request', float(found), 1e-5)
            expect('predicted and measured', abs(float(predicted) / float(found) - 1), 1)
            expect('requested', abs(float(requested) / 1e-5 - 1), 1e-2)
    coarse = lammps.run(melt, 'kspace_style enuf 1e-6 measure 10', dynamics='run 0', name='coarse')
    expect_true('measured at the start', 'enuf: step 0: relative force error' in coarse.said, coarse.said)
    # with gewald 0.6 the pairs alone exceed the request
    worse = lammps.run(melt, 'kspace_style enuf 1e-6 measure 10\nkspace_modify gewald 0.6',
                       dynamics='run 0', name='worse')
    expect_true('a splitting that cannot reach the request gives a warning',
                'regridded to' in worse.said and 'WARNING: kspace_style enuf: the force error measured'
                in worse.said, worse.said)


def calibrated(lammps):
    """calibrate yes: the error is below the request and at most 20 % off the prediction in the log. It is more than 1.3
    times the error without calibrate yes, with no more modes."""
    for split in ('gaussian', 'prolate'):
        water = from_xyz(lammps.scratch, 'spce_liquid', 'coul/enuf 9.0')
        exact = lammps.run(water, f'kspace_style enuf 1e-9 split {split}', name='exact')
        said = {}
        for ranks, keyword in ((1, ''), (1, 'calibrate yes'), (2, 'calibrate yes')):
            what = f'{split}, {ranks} ranks{keyword and ", " + keyword}'
            result = lammps.run(water, f'kspace_style enuf 1e-4 split {split} {keyword}', ranks,
                                name='calibrated')
            expect_true(f'{what}: in the log', ('chosen by the positions' in result.said) ==
                        bool(keyword), result.said)
            predicted = float(re.search('without the pair style\'s table = (.*)', result.said).group(1))
            modes = math.prod(int(m) for m in re.search('modes = (.*)', result.said).group(1).split())
            delivered = rms(result.forces, exact.forces) / TWO_CHARGES['metal']
            said[keyword] = modes, delivered
            expect(f'{what}: actual error', delivered, 1e-4)
            if keyword:
                expect(f'{what}: predicted beside actual error', abs(predicted / delivered - 1), 0.2)
        expect_true(f'{split}: no more modes, and a larger part of the requested error',
                    said['calibrate yes'][0] <= said[''][0] and said['calibrate yes'][1] > 1.3 * said[''][1],
                    str(said))
    status, text = lammps.raw(water + 'kspace_style enuf 1e-4 calibrate yes deterministic yes\nrun 0\n',
                              name='both')
    expect_true('calibrate and deterministic are refused together',
                status != 0 and 'with calibrate yes parameters depend on the positions' in text, text[-800:])


def group_group(lammps):
    """compute group/group with kspace agrees with kspace_style ewald to 1e-7 of the largest value."""
    for what, system, extra in (
            ('ions', salt(lammps.scratch, 'ions', net=2), ''),
            ('tilted ions', salt(lammps.scratch, 'ions') + TILT.format(3, -2, 4), ''),
            ('slab', salt(lammps.scratch, 'slab', thickness=24), 'kspace_modify slab 3.0')):
        rows = []
        for style, ranks in (('enuf 1e-9', 2), ('ewald 1e-10', 1)):
            status, said = lammps.raw(f'''{system}
kspace_style {style}
kspace_modify gewald 0.9 {extra.replace('kspace_modify', '')}
group low id <= 100
group high id > 80
compute a low group/group low kspace yes
compute b low group/group high kspace yes
compute c low group/group high pair no kspace yes boundary no
thermo_style custom step c_a c_a[1] c_b c_b[1] c_b[2] c_b[3] c_c
thermo_modify format float %.17g norm no
run 0
''', ranks, 'groups')
            found = [line.split() for line in said.splitlines()]
            found = [line for line in found if len(line) == 8 and line[0] == '0']
            if not expect_true(f'{what}, {style}: runs', status == 0 and found, said[-800:]):
                return
            rows.append([float(x) for x in found[0][1:]])
        scale = max(abs(x) for x in rows[1])
        names = ('energy within', 'force within', 'energy between', 'force x', 'force y', 'force z',
                 'kspace energy between')
        for name, a, b in zip(names, *rows):
            expect(f'{what}, group/group {name}', abs(a - b) / scale, 1e-7)
        expect_true(f'{what}: forces between groups are not 0', abs(rows[0][5]) > 1e-3 * scale)


def gpu_missing(lammps):
    """backend cuda without a usable GPU ends with the library's message, on all ranks."""
    status, said = lammps.raw(salt(lammps.scratch, 'salt') +
                              'kspace_style enuf 1e-4 backend cuda\nrun 0\n', 2, 'cuda')
    if status == 0:
        expect_true('this machine has a GPU: the run uses it', 'backend cuda' in said, said[-800:])
    else:
        expect_true('backend cuda without a GPU: an error that names the GPU',
                    'ERROR: kspace_style enuf: ' in said and 'GPU' in said and
                    'BAD TERMINATION' not in said, said[-800:])


if __name__ == '__main__':
    main(Lammps, {test.__name__: test for test in (method, deterministic, early, measured,
                                                   calibrated, group_group, gpu_missing)})
