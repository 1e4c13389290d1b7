# kspace_style enuf in a real, unmodified LAMMPS: test_kspace_enuf.py TEST BUILD_LAMMPS SCRATCH
#
# The reference is LAMMPS' own kspace_style ewald with the same g_ewald: the pairs are equal, so that only the kspace
# part differs. It has no virial of the background and of a slab; there the pressure is compared with finite
# differences of the energy.
# SPDX-License-Identifier: BSD-3-Clause
from checks import TWO_CHARGES, error_unit, expect, expect_true, main, virial_unit
from lammps_runs import COMPONENTS, TILT, Lammps, rms, salt, water

lammps, scratch = None, None
GEWALD = {'lj': 0.9, 'real': 0.38}


def style(name, accuracy, units, extra='', gewald=None):
    return f'kspace_style {name} {accuracy}\nkspace_modify gewald {gewald or GEWALD[units]} {extra}\n'


def compare(what, system, units, extra='', pressure=True, accuracy=1e-9, dielectric=1):
    """All results of enuf against those of ewald at a tenth of the accuracy."""
    mine = lammps.run(system, style('enuf', accuracy, units, extra), name='mine')
    theirs = lammps.run(system, style('ewald', accuracy / 10, units, extra), name='theirs')
    unit = error_unit(mine, dielectric)
    expect(f'{what}: RMS force', rms(mine.forces, theirs.forces),
           1.1 * accuracy * TWO_CHARGES[units], '(the requested accuracy, and a tenth for ewald)')
    expect(f'{what}: energy', abs(mine.coulomb - theirs.coulomb), 1.1 * accuracy * unit)
    expect(f'{what}: energy per atom',
           max(abs(a - b) for a, b in zip(mine.atom_energy, theirs.atom_energy)),
           1.1 * accuracy * unit)
    if pressure:
        for c in range(6):
            expect(f'{what}: virial {COMPONENTS[c]}',
                   abs(mine.pressure[c] - theirs.pressure[c]) * virial_unit(mine, units),
                   1.1 * accuracy * unit)
        expect(f'{what}: stress per atom', virial_unit(mine, units) / mine.volume *
               max(abs(x - y) for u, v in zip(mine.atom_stress, theirs.atom_stress)
                   for x, y in zip(u, v)), 1.1 * accuracy * unit)
    shares(what, mine, units)
    return mine, theirs


def shares(what, result, units):
    """Per-atom energies and stresses add up to the totals, to 1e-12."""
    total = sum(abs(e) for e in result.atom_energy)
    expect(f'{what}: energies per atom sum to the total',
           abs(sum(result.atom_energy) - result.coulomb - result.thermo[-1][1]) / total, 1e-12)
    for c in range(6):
        summed = -sum(stress[c] for stress in result.atom_stress)
        difference = summed - result.pressure[c] * result.volume
        expect(f'{what}: stress per atom {COMPONENTS[c]} sums to the pressure',
               abs(difference) * virial_unit(result, units) / result.volume / total, 1e-12)


def pressure_is_energy_gradient(what, system, units, extra, axes='xyz'):
    """P_aa V = -dE/d strain_aa, by central differences, and 3 P V = E, which holds for Coulomb alone."""
    # pairs cross the cutoff as the box changes; with gewald 1.2 their energy there, exp(-(4 * 1.2)^2), is too small
    # to show
    kspace = style('enuf', 1e-9, units, extra, gewald=1.2)
    at = lammps.run(system, kspace, name='at')
    total = sum(abs(e) for e in at.atom_energy)
    h = 1e-4
    for axis in axes:
        energy = []
        for s in (1 - h, 1 + h):
            scaled = f'{system}change_box all {axis} scale {s:.17g} remap\n'
            energy.append(lammps.run(scaled, kspace, name='scaled').coulomb)
        c = 'xyz'.index(axis)
        expect(f'{what}: pressure {axis}{axis} is the strain derivative of the energy',
               abs(at.pressure[c] * at.volume + (energy[1] - energy[0]) / (2 * h)) / total, 5e-7,
               '(h^2 of the difference, and erfc of coul/long)')
    expect(f'{what}: 3 P V = E', abs(sum(at.pressure[:3]) * at.volume - at.coulomb) / total, 2e-6,
           '(erfc of coul/long)')
    shares(what, at, units)


def agreement():
    """Forces, energy, virial and per-atom values of ewald, in salt and water, tilted, with options of LAMMPS."""
    ions = salt(scratch, 'salt')
    compare('salt', ions, 'lj')
    compare('tilted salt', ions + TILT.format(3, -2, 4), 'lj')
    compare('water', water(), 'real')
    compare('tilted water', water() + TILT.format(4, 3, -5), 'real')
    parts = ions.replace('pair_style coul/long 4.0', 'pair_style hybrid/overlay coul/long 4.0 lj/cut 2.5')
    compare('hybrid pair style', parts.replace('pair_coeff * * ', 'pair_coeff * * coul/long\n'
                                               'pair_coeff * * lj/cut 1 1.2'), 'lj')
    compare('water, styles with suffix omp', 'package omp 2\nsuffix omp\n' + water(), 'real')
    mesh, _ = compare('a mesh of 40 x 45 x 48', ions, 'lj', 'mesh 40 45 48')
    expect('the requested mesh is used', 1, mesh.said.count('grid = 40 45 48'))
    compare('water in a dielectric', water() + 'dielectric 4\n', 'real', dielectric=4)
    # enuf chooses the splitting: the error of the pair style's erfc (8e-7) adds to that of enuf
    for accuracy in (1e-3, 1e-5):
        mine = lammps.run(ions, f'kspace_style enuf {accuracy}', name='mine')
        theirs = lammps.run(ions, 'kspace_style ewald 1e-9', name='theirs')
        error = rms(mine.forces, theirs.forces)
        expect(f'salt at {accuracy}: RMS force', error, accuracy + 2e-6)
        expect(f'salt at {accuracy}: not 30 times better than requested', accuracy / 30, error)
    mine = lammps.run(water(), 'kspace_style enuf 1\nkspace_modify force 0.01', name='mine')
    expect('water, kspace_modify force 0.01: RMS force', rms(mine.forces, lammps.run(
        water(), 'kspace_style ewald 1e-8', name='theirs').forces), 0.01)


def descriptions():
    """A box tilted by up to eleven of its edges (box flips off) describes the same lattice: forces and energy of the
    untilted box to 3e-12 in double, to 5e-7 in mixed arithmetic."""
    ions = 'box tilt large\n' + salt(scratch, 'salt', pair='coul/enuf 4.0')
    tilts = TILT.replace(' remap', '')  # the atoms stay where they are
    for kspace in ('enuf 1e-5', 'enuf 1e-5 precision double', 'enuf 1e-5 split prolate precision double',
                   'enuf 1e-5 deterministic yes'):
        bound = 5e-7 if kspace == 'enuf 1e-5' else 3e-12
        plain = lammps.run(ions, f'kspace_style {kspace}', name='plain')
        scale = rms(plain.forces, [[0, 0, 0]] * len(plain.forces))
        for tilt in ((24, -24, 24), (-60, 48, -60), (-132, 120, -132)):
            for n in (1, 2):
                leaning = lammps.run(ions + tilts.format(*tilt), f'kspace_style {kspace}', n, name='leaning')
                what = f'{kspace}, tilted by {tilt}, {n} ranks'
                # rounding: coordinates in a box tilted by eleven edges lose two digits
                expect(f'{what}: force', rms(leaning.forces, plain.forces) / scale, bound)
                expect(f'{what}: energy', abs(leaning.coulomb / plain.coulomb - 1), bound)


def boundaries():
    """Slabs and charged systems: forces and energy of ewald, pressure by finite differences."""
    layer, tilted = salt(scratch, 'slab', thickness=24), TILT.format(4, 0, 0)
    mine, _ = compare('slab', layer, 'lj', 'slab 3.0', pressure=False)
    dipole = sum(q * x[2] for q, x in zip(mine.charges, mine.positions))
    expect('slab: its dipole is at least 1', 1, abs(dipole))
    pressure_is_energy_gradient('slab', layer, 'lj', 'slab 3.0')
    pressure_is_energy_gradient('tilted slab', layer + tilted, 'lj', 'slab 3.0', axes='z')
    compare('nozforce', layer, 'lj', 'slab nozforce')

    charged = salt(scratch, 'charged', net=9)
    compare('charged', charged, 'lj', pressure=False)
    pressure_is_energy_gradient('charged', charged, 'lj', '')
    layer = salt(scratch, 'charged_slab', net=9, thickness=24)
    compare('charged slab', layer, 'lj', 'slab 3.0', pressure=False)
    pressure_is_energy_gradient('charged slab', layer, 'lj', 'slab 3.0')


def ranks():
    """Results on 2 and 4 ranks are those of one rank to 1e-10 in double, to 8e-7 in mixed arithmetic: three times
    the rounding of a value of the grid, of which 4.5 make the error of a force."""
    for what, system, extra in (
            ('tilted water', water() + TILT.format(4, 3, -5), ''),
            ('slab', salt(scratch, 'slab', thickness=24), 'kspace_modify slab 3.0')):
        for arithmetic, bound in (('double', 1e-10), ('mixed', 8e-7)):
            of_arithmetic(f'{what}, {arithmetic}', system,
                          f'kspace_style enuf 1e-5 precision {arithmetic}\n{extra}', bound)


def of_arithmetic(what, system, kspace, bound):
    one = lammps.run(system, kspace, name='one')
    scale = rms(one.forces, [[0, 0, 0]] * len(one.forces))
    for n in (2, 4):
        # 4 ranks: LAMMPS divides space by recursive bisection instead of a grid
        balanced = 'comm_style tiled\nbalance 0.9 rcb' if n == 4 else ''
        many = lammps.run(system, kspace, ranks=n, before=balanced, name=f'on_{n}')
        expect(f'{what} on {n} ranks: force', rms(one.forces, many.forces) / scale, bound)
        expect(f'{what} on {n} ranks: energy', abs(many.coulomb / one.coulomb - 1), bound)
        expect(f'{what} on {n} ranks: pressure', max(
            abs(a - b) for a, b in zip(one.pressure, many.pressure)) /
            max(abs(p) for p in one.pressure), bound)
        expect(f'{what} on {n} ranks: stress per atom', max(
            abs(x - y) for u, v in zip(one.atom_stress, many.atom_stress) for x, y in zip(u, v)) /
            max(abs(x) for u in one.atom_stress for x in u), bound)


def changes():
    """Runs in which boxes, charges and owners of atoms change end with the forces and the pressure of a run with
    ewald, to 1e-4."""
    flexible = water() + 'velocity all create 300 4711\nvelocity all zero linear\n'
    hot = salt(scratch, 'hot', dynamics=True) + 'velocity all create 1.0 4711\ntimestep 0.002\n'
    runs = (
        # name, system, units, fixes, steps, ranks
        ('NVE water', flexible, 'real', 'fix 1 all nve', 100, 2),
        ('NPT water', flexible, 'real', 'fix 1 all npt temp 300 300 50 aniso 1 5000 100', 25, 2),
        ('NPT, triclinic', hot + TILT.format(1, 0, 0), 'lj',
         'fix 1 all npt temp 1 1 0.2 tri 0 2 0.5', 30, 2),
        ('charges that rise', hot, 'lj',
         'variable rise equal 1+step/50\nvariable fall equal -v_rise\nfix 1 all nve\n'
         'group plus type 1\ngroup minus type 2\nfix 2 plus adapt 1 atom charge v_rise\n'
         'fix 3 minus adapt 1 atom charge v_fall', 50, 2),
        ('kspace that rises', hot, 'lj', 'variable rise equal 1+step/50\nfix 1 all nve\n'
         'fix 2 all adapt 1 kspace v_rise', 50, 2),
        ('rRESPA', hot + 'run_style respa 2 2 kspace 2 pair 1\n', 'lj', 'fix 1 all nve', 25, 2),
        ('atoms that leave', hot, 'lj', 'fix 1 all nve\nregion r block 0 6 -3 3 0 6\n'
         'fix 2 all evaporate 10 3 r 49892', 40, 2),
        ('shrinking by an eighth', hot, 'lj', 'fix 1 all nve\nfix 2 all deform 1 x scale 0.96 '
         'y scale 0.96 z scale 0.96 remap x', 50, 1),
    )
    for what, system, units, fixes, steps, n in runs:
        both = [lammps.run(system, style(name, 1e-7, units), before=fixes, dynamics=f'run {steps}',
                           ranks=n, name=name) for name in ('enuf', 'ewald')]
        scale = rms(both[1].forces, [[0, 0, 0]] * len(both[1].forces))
        expect(f'{what}, {steps} steps: force beside ewald',
               rms(both[0].forces, both[1].forces) / scale, 1e-4,
               '(errors of 1e-7 grow along the trajectory)')
        if what == 'atoms that leave':
            continue  # ewald leaves the background of a net charge out of the pressure
        expect(f'{what}: pressure beside ewald', max(
            abs(a - b) for a, b in zip(both[0].pressure, both[1].pressure)) /
            max(abs(p) for p in both[1].pressure), 1e-4)
        if what.startswith('NVE'):
            drift = [result.total[-1] - result.total[0] for result in both]
            width = max(both[1].total) - min(both[1].total)
            expect(f'{what}: energy as steady as with ewald', abs(drift[0] - drift[1]) / width, 1e-2)

    # no time integration: ions move with the box, so both styles have equal positions
    melt = salt(scratch, 'melt') + 'displace_atoms all random 4 4 4 7\n'
    for scale in ((0.8, 0.8, 0.8), (1.1, 1.1, 1.1), (1.6, 1.6, 1.6), (0.7, 1.0, 1.7)):
        deform = 'fix 1 all deform 10 x scale {} y scale {} z scale {} remap x'.format(*scale)
        mine, theirs = (lammps.run(melt, style(name, accuracy, 'lj'), before=deform,
                                   dynamics='run 51', name=name)
                        for name, accuracy in (('enuf', 1e-5), ('ewald', 1e-9)))
        expect(f'box scaled by {scale} in one run: RMS force', rms(mine.forces, theirs.forces), 1e-5,
               '(the requested accuracy)')

    # ewald is no reference here: at the step of a flip it sums with the old box
    deform = 'fix 1 all nve\nfix 2 all deform 1 xy erate 0.4 z scale 0.8 remap v flip {}'
    flipped, kept = (lammps.run(hot + TILT.format(5.9, 0, 0), style('enuf', 1e-7, 'lj'),
                                before=deform.format(flip), dynamics='run 100', ranks=2,
                                name='flip_' + flip) for flip in ('yes', 'no'))
    expect('sheared box: tilt after a flip', flipped.tilt, -1, f'(without {kept.tilt:.2f})')
    scale = rms(kept.forces, [[0, 0, 0]] * len(kept.forces))
    expect('sheared box: force with and without flips', rms(flipped.forces, kept.forces) / scale,
           1e-4, '(errors of 1e-7 grow along the trajectory)')
    expect('sheared box: pressure with and without flips', max(
        abs(a - b) for a, b in zip(flipped.pressure, kept.pressure)) /
        max(abs(p) for p in kept.pressure), 1e-4)


def with_globals(test):
    def run(found):
        global lammps, scratch
        lammps, scratch = found, found.scratch
        test()
    return run


if __name__ == '__main__':
    main(Lammps, {test.__name__: with_globals(test) for test in (agreement, descriptions, boundaries, ranks, changes)})
