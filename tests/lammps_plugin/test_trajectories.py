# Long runs, changes of volume, and fixes that change atoms and charges. References: kspace_style pppm (drift of the
# energy), ewald (fixes), and the measured error of the forces.
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import random
import re
import subprocess
import time

from checks import expect, expect_true, main
from lammps_runs import SOURCE, Lammps, charges_input, rms, salt, water, write_charges


def rigid_water(seed=4711):
    """The input of SPC/E water at 300 K; the caller makes its bonds rigid."""
    return (water('lj/cut/coul/long 8.0') + f'timestep 1.0\nvelocity all create 300 {seed} loop geom\n'
            'velocity all zero linear\n')


def total_energies(lammps, kspace, steps, samples):
    """The total energies of an NVE run. It computes nothing else, because per-atom values take longer than a step. It
    prints its progress ten times."""
    text = f'''{rigid_water()}
kspace_style {kspace} 1e-5
fix 1 all nve
fix 2 all shake 1e-7 100 0 b 1 a 1
thermo {steps // samples}
thermo_style custom step etotal
thermo_modify format float %.17g norm no flush yes
run {steps}
'''
    energies, said, start, in_table, ended = [], [], time.time(), False, False
    for line in lammps.lines(text, kspace):
        said.append(line)
        row = line.split()
        ended = ended or row[:2] == ['Loop', 'time']
        in_table = not ended and (in_table or row == ['Step', 'TotEng'])
        if not in_table or len(row) != 2 or not row[0].isdigit():
            continue
        energies.append(float(row[1]))
        if len(energies) > 1 and (len(energies) - 1) % (samples // 10) == 0:
            print(f'{kspace}: {row[0]} of {steps} steps, {time.time() - start:.0f} s', flush=True)
    expect_true(f'{kspace}: {samples + 1} energies in {steps} steps', len(energies) == samples + 1 and
                ended, ''.join(said[-20:]))
    return energies


BLOCKS = 5


def slope(energies):
    """The slope of a straight line through the energies, in energy for each sample."""
    n = len(energies)
    mean, middle = sum(energies) / n, (n - 1) / 2
    return (sum((k - middle) * (e - mean) for k, e in enumerate(energies)) /
            sum((k - middle)**2 for k in range(n)))


def drift_of(energies):
    """The change of the energy over the run and its standard error, from the scatter of the slopes of blocks, which
    holds for noise about a line and for a random walk."""
    n = len(energies) // BLOCKS
    slopes = [slope(energies[k * n:(k + 1) * n]) for k in range(BLOCKS)]
    mean = sum(slopes) / BLOCKS
    variance = sum((s - mean)**2 for s in slopes) / (BLOCKS - 1)
    return mean * n * BLOCKS, math.sqrt(variance / BLOCKS) * n * BLOCKS


def drift(lammps, steps, samples):
    """The drift of the energy in NVE is not above that of pppm at equal accuracy, within three standard errors."""
    found = {}
    for name in ('enuf', 'pppm'):
        found[name] = drift_of(total_energies(lammps, name, steps, samples)[samples // 10:])
        print(f'{name}: {steps} steps, drift {found[name][0]:.3e} kcal/mol, standard error {found[name][1]:.3e}')
    error = math.hypot(found['enuf'][1], found['pppm'][1])
    expect(f'{steps} steps: drift no worse than with pppm', abs(found['enuf'][0]),
           abs(found['pppm'][0]) + 3 * error, '(kcal/mol, with three times the standard error of both)')


def nve_water(lammps):
    """100 molecules, 10 picoseconds."""
    drift(lammps, 10000, 1000)


def long_drift(lammps):
    """100 molecules, one nanosecond; on one core it takes 13 minutes with enuf, 23 with pppm."""
    drift(lammps, 1000000, 5000)


def volume_change(lammps):
    """The volume grows or shrinks by a tenth in one run: the measured error stays below the request, although the
    splitting was chosen at the beginning."""
    for scale in (0.965, 1.033):
        system = salt(lammps.scratch, 'melt', pair='coul/enuf 4.0') + (
            'displace_atoms all random 0.5 0.5 0.5 7\n')
        for split in ('gaussian', 'prolate'):
            result = lammps.run(system, f'kspace_style enuf 1e-5 split {split} measure 10', 1,
                                'fix 1 all deform 1 x scale {0} y scale {0} z scale {0} remap x'.format(
                                    scale), 'run 50', name='volume')
            found = [float(x) for x in re.findall(r'force error measured = (\S+), pred', result.said)]
            expect_true(f'volume by {scale**3:.2f}, {split}: measured six times', len(found) == 6,
                        result.said[-2000:])
            expect(f'volume by {scale**3:.2f}, {split}: largest error measured', max(found), 1e-5)


def pressed_together(lammps):
    """fix npt compresses the volume by a tenth or more in one run: the measured error stays below the request, although
    splitting and cutoff were chosen at the beginning."""
    system = (salt(lammps.scratch, 'pressed', pair='lj/cut/coul/enuf 2.5 4.0').replace(
        'pair_coeff * *', 'pair_coeff * * 1 1.2') + 'velocity all create 1.0 4711\ntimestep 0.002\n')
    for split in ('gaussian', 'prolate'):
        result = lammps.run(system, f'kspace_style enuf 1e-5 split {split} measure 20', 1,
                            'fix 1 all npt temp 1 1 0.2 iso 0 3 5', 'run 300', name='pressed')
        found = [float(x) for x in re.findall(r'force error measured = (\S+), pred', result.said)]
        volumes = [row[5] for row in result.thermo]
        expect(f'fix npt, {split}: least volume over the first', min(volumes) / volumes[0], 0.9)
        expect(f'fix npt, {split}: and not below the range of this test', 0.8, min(volumes) / volumes[0])
        expect_true(f'fix npt, {split}: measured 16 times', len(found) == 16, result.said[-2000:])
        expect(f'fix npt, {split}: largest error measured', max(found), 1e-5)


def charged_walls(scratch):
    """The input of two sheets of 100 equal charges each, half a box apart, units lj."""
    random.seed(77)
    edge, across, ions = 11.7, 10, []
    for sheet in range(2):
        for k in range(across * across):
            x, y = ((m + 0.3 * random.uniform(-1, 1)) * edge / across for m in (k % across, k // across))
            ions.append((sheet + 1, 1 - 2 * sheet, x, y, edge * (0.1 + 0.5 * sheet)))
    file = os.path.join(scratch, 'walls.data')
    write_charges(file, 'walls', ions, [edge] * 3)
    return charges_input(file, 'coul/enuf 4.0').replace('units metal', 'units lj')


def chosen_on_the_way(lammps):
    """A box shrinks to less than half its volume. Parameters chosen in the middle of the run are verified like the
    first ones, so that the error stays below the request; without that, charged walls had 1.7 times the request."""
    walls = charged_walls(lammps.scratch)
    shrink = 'fix 1 all deform 1 x scale 0.75 y scale 0.75 z scale 0.75 remap x'
    exact = lammps.run(walls, 'kspace_style enuf 1e-10', 1, shrink, 'run 20', name='exact')
    for accuracy, ranks in ((1e-4, 1), (1e-6, 1), (1e-6, 2)):
        result = lammps.run(walls, f'kspace_style enuf {accuracy} split gaussian', ranks, shrink,
                            'run 20', name='shrunk')
        expect(f'walls in a box that shrinks, {accuracy}, {ranks} ranks: error delivered',
               rms(result.forces, exact.forces), accuracy)


def split_partitions(lammps):
    """run_style verlet/split (pairs on two tasks, modes on a third) gives the results of verlet on two tasks, to
    1e-9."""
    text = ('''processors * * * part 1 2 multiple
''' + water() + '''kspace_style enuf 1e-6 precision double KEYWORDS
thermo 10
thermo_style custom step etotal elong press
thermo_modify format float %.17g norm no
fix 1 all nve
run_style STYLE
run 20
''')

    def rows(said):
        found = [line.split() for line in said.splitlines()]
        return [[float(x) for x in row] for row in found if len(row) == 4 and row[0] in ('0', '10', '20')]
    status, said = lammps.raw(text.replace('STYLE', 'verlet').replace('KEYWORDS', '').replace(
        'processors', '# processors'), 2, 'verlet')
    plain = rows(said)
    expect_true('verlet runs', status == 0 and len(plain) == 3, said[-1500:])
    if 'verlet/split' not in lammps.raw('info styles\nquit\n', name='styles')[1]:
        print('skipped: this LAMMPS lacks verlet/split (package REPLICA)')
        return
    for keywords in ('', 'early yes'):
        status, said = lammps.raw(text.replace('STYLE', 'verlet/split').replace('KEYWORDS', keywords), 3, 'split',
                                  options=('-partition', '2', '1', '-plog', 'none', '-pscreen', 'split'))
        with open(os.path.join(lammps.scratch, 'split.0')) as file:
            split = rows(file.read())
        if not expect_true(f'verlet/split {keywords} runs', status == 0 and len(split) == 3, said[-1500:]):
            continue
        for name, column in (('energy', 1), ('kspace energy', 2), ('pressure', 3)):
            expect(f'verlet/split {keywords}: {name}',
                   max(abs(a[column] / b[column] - 1) for a, b in zip(split, plain)), 1e-9)


def fixes(lammps):
    """fix qeq/point, gcmc and box/relax, layouts of processors, and rerun end with the results of ewald, to 1e-5."""
    ions = salt(lammps.scratch, 'ions', dynamics=True) + 'timestep 0.002\nvelocity all create 1 4711\n'
    parameters = os.path.join(lammps.scratch, 'qeq')
    with open(parameters, 'w') as out:
        out.write('1 1.0 6.0 0.3 1.5 0.0\n2 -1.0 6.0 0.3 1.5 0.0\n')
    runs = (
        ('fix qeq/point', 'fix 1 all nve\n'
         f'fix 2 all qeq/point 2 4.0 1e-10 200 {parameters}', 'run 10', 2),
        ('fix gcmc', 'fix 1 all gcmc 2 4 4 1 9876 1.0 -2.0 0.3 full_energy charge 0.1', 'run 10', 1),
        ('fix box/relax', 'fix 1 all box/relax aniso 0.5 vmax 0.01', 'minimize 0 1e-3 20 40\nunfix 1\nrun 0', 2),
        ('processors 1 1 4', '', 'run 0', 4),
        ('thermo_modify and rerun', 'dump d all custom 2 frames id type x y z\ndump_modify d sort id format '
         'float %.17g\nfix 1 all nve', 'run 4\nundump d\nunfix 1\nrerun frames dump x y z', 2),
    )
    for what, before, dynamics, ranks in runs:
        system = (what + '\n' if what.startswith('processors') else '') + ions
        both = []
        for name in ('enuf', 'ewald'):
            if 'rerun' in what:
                for frame in (file for file in os.listdir(lammps.scratch) if file == 'frames'):
                    os.remove(os.path.join(lammps.scratch, frame))
            both.append(lammps.run(system, f'kspace_style {name} 1e-7\nkspace_modify gewald 0.9', ranks,
                                   before, dynamics, name=name))
        mine, theirs = both
        expect_true(f'{what}: equal numbers of atoms', len(mine.charges) == len(theirs.charges))
        if 'relax' in what:
            expect_true(f'{what}: the volume changes', abs(mine.volume / mine.thermo[0][5] - 1) > 1e-3)
        expect(f'{what}: volume', abs(mine.volume / theirs.volume - 1), 1e-6)
        expect(f'{what}: charges', max(abs(a - b) for a, b in zip(mine.charges, theirs.charges)), 1e-5)
        scale = rms(theirs.forces, [[0, 0, 0]] * len(theirs.forces))
        expect(f'{what}: force beside ewald', rms(mine.forces, theirs.forces) / scale, 1e-5)
        expect(f'{what}: energy beside ewald', abs(mine.coulomb / theirs.coulomb - 1), 1e-5)


def examples(lammps):
    """Each input in examples/lammps runs unchanged."""
    folder = os.path.join(SOURCE, 'examples', 'lammps')
    inputs = sorted(file for file in os.listdir(folder) if file.endswith('.in'))
    for file in inputs:
        done = subprocess.run([lammps.lmp, '-in', file, '-log', 'none', '-var', 'plugin', lammps.plugin],
                              cwd=folder, stdin=subprocess.DEVNULL, text=True, timeout=100,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        expect_true(f'examples/lammps/{file} runs', done.returncode == 0 and 'Loop time' in done.stdout and
                    'enuf initialization' in done.stdout and 'ERROR' not in done.stdout,
                    done.stdout[-1500:])
    expect_true('there are five inputs', len(inputs) == 5, str(inputs))


if __name__ == '__main__':
    main(Lammps, {test.__name__: test for test in (nve_water, long_drift, volume_change, fixes,
                                                   examples, pressed_together, split_partitions,
                                                   chosen_on_the_way)})
