# Forces, energy, virial and per-atom values of a pair style and kspace_style enuf together, against exact Ewald sums
# (exact_sums.py). Crystals, melts, water, tilted and charged boxes, slabs. The RMS force differs by at most the
# requested accuracy, energy and virial by error_unit() times it.
# SPDX-License-Identifier: BSD-3-Clause
import math

from checks import TWO_CHARGES, error_unit, expect, main, virial_unit
from exact_sums import Exact
from lammps_runs import (COMPONENTS, TILT, Lammps, crystal, from_xyz, rms, salt, tip4p_sites,
                         tip4p_water, water)

ROCK_SALT = [(1, 1, 0, 0, 0), (1, 1, .5, .5, 0), (1, 1, .5, 0, .5), (1, 1, 0, .5, .5),
             (2, -1, .5, 0, 0), (2, -1, 0, .5, 0), (2, -1, 0, 0, .5), (2, -1, .5, .5, .5)]
FLUORITE = ([(1, 2, x, y, z) for x, y, z in ((0, 0, 0), (.5, .5, 0), (.5, 0, .5), (0, .5, .5))] +
            [(2, -1, x, y, z) for x in (.25, .75) for y in (.25, .75) for z in (.25, .75)])


def bonded(n):
    """The exclusions of water with n atoms: bonds and angles, as special_bonds 0 0 does it."""
    return [(3 * m + i, 3 * m + j, 0.0) for m in range(n // 3) for i, j in ((0, 1), (0, 2), (1, 2))]


def exact_of(lammps, result, units, slab=0.0, exclusions=(), surface=True):
    cell = [list(row) for row in result.cell]
    exact = Exact(lammps.libenuf, cell, result.positions, result.charges, TWO_CHARGES[units], slab,
                  exclusions)
    return exact


def compare(lammps, what, system, units, kspace, accuracy, extra_force=0.0, slab=0.0, exclusions=None,
            ranks=1, shares=1e-12):
    """Compares all results of one system with exact sums. accuracy: the requested one, relative to two unit charges;
    extra_force: the error that the pair style adds to it; shares: bound of the difference between a total and the
    sum over the atoms."""
    result = lammps.run(system, kspace, ranks, name='exact')
    excluded = exclusions(len(result.charges)) if exclusions else ()
    exact = exact_of(lammps, result, units, slab, excluded)
    allowed = accuracy + extra_force
    unit = error_unit(result) * allowed
    expect(f'{what}: RMS force', rms(result.forces, exact.forces), allowed * TWO_CHARGES[units])
    expect(f'{what}: energy', abs(result.coulomb - exact.energy), unit)
    for c in range(6):
        expect(f'{what}: virial {COMPONENTS[c]}',
               abs(result.pressure[c] * virial_unit(result, units) - exact.virial[c]), unit)
    expect(f'{what}: energy per atom',
           max(abs(a - b) for a, b in zip(result.atom_energy, exact.atom_energy)), unit)
    total = sum(abs(e) for e in result.atom_energy)
    expect(f'{what}: energies per atom sum to the total',
           abs(sum(result.atom_energy) - result.coulomb) / total, shares)
    for c in range(6):
        summed = -sum(stress[c] for stress in result.atom_stress) / result.volume
        expect(f'{what}: stress per atom {COMPONENTS[c]} sums to the pressure',
               abs(summed - result.pressure[c]) * virial_unit(result, units) / total, shares)


def systems(lammps, pair):
    """(name, input, units, further arguments of compare()) of each system; pair(units) is its pair style."""
    scratch = lammps.scratch
    return (
        ('rock salt', crystal(scratch, 'rock_salt', ROCK_SALT, 5.64, 3, pair('metal')), 'metal', {}),
        ('fluorite', crystal(scratch, 'fluorite', FLUORITE, 5.46, 3, pair('metal')), 'metal', {}),
        ('molten salt', from_xyz(scratch, 'molten_salt', pair('metal')), 'metal', {}),
        ('SPC/E water', water(pair('real'), 'zero', coefficients=False), 'real',
         {'exclusions': bonded}),
        ('tilted ions', salt(scratch, 'tilted', pair=pair('lj')) + TILT.format(3, -2, 4), 'lj', {}),
        ('slab', salt(scratch, 'slab', thickness=24, pair=pair('lj')), 'lj', {'slab': 3.0}),
        ('charged ions', salt(scratch, 'charged', net=9, pair=pair('lj')), 'lj', {}),
        ('charged slab', salt(scratch, 'charged_slab', net=9, thickness=24, pair=pair('lj')), 'lj',
         {'slab': 3.0}),
    )


def ours(units):
    return 'coul/enuf ' + {'lj': '4.0', 'metal': '7.0', 'real': '8.0'}[units]


def to_ten_digits(lammps):
    """coul/enuf with both splittings, requested accuracy 1e-10."""
    for split in ('gaussian', 'prolate'):
        for what, system, units, more in systems(lammps, ours):
            slab = 'kspace_modify slab 3.0' if 'slab' in more else ''
            compare(lammps, f'{what}, {split}', system, units,
                    f'kspace_style enuf 1e-10 split {split}\n{slab}', 1e-10, **more)


def pair_styles_of_lammps(lammps):
    """coul/long with its polynomial for erfc, whose error is about 1e-6, and with its default table."""
    def theirs(units):
        return ours(units).replace('coul/enuf', 'coul/long')
    for accuracy in (1e-3, 1e-4, 1e-5, 1e-6):
        for what, system, units, more in systems(lammps, theirs):
            if what not in ('molten salt', 'SPC/E water', 'tilted ions'):
                continue
            for table in ('table 0', 'table 12') if accuracy < 1e-4 else ('table 12',):
                compare(lammps, f'{what}, {table}, requested {accuracy}',
                        system + f'pair_modify {table}\n', units, f'kspace_style enuf {accuracy}',
                        accuracy, extra_force=2e-6, shares=1e-7, **more)  # shares: in mixed arithmetic


def tip4p(lammps):
    """TIP4P water: exact sums over the sites, whose forces tip4p_sites() gives to the atoms. Forces are also slopes of
    the energy, and equal on two ranks."""
    for tilt in ('', TILT.format(3, -2, 4)):
        system = tip4p_water() + tilt
        mine = lammps.run(system, 'kspace_style enuf 1e-9\nkspace_modify gewald 0.4', name='mine')
        positions, charges, forces_of_atoms = tip4p_sites(mine)
        exclusions = bonded(len(charges))
        exact = Exact(lammps.libenuf, mine.cell, positions, charges, TWO_CHARGES['real'],
                      exclusions=exclusions)
        what = 'TIP4P water' + (', tilted' if tilt else '')
        # the error of the pair style's erfc, as for coul/long
        allowed = 2e-6
        expect(f'{what}: RMS force', rms(mine.forces, forces_of_atoms(exact.forces)),
               allowed * TWO_CHARGES['real'])
        unit = error_unit(mine) * allowed
        expect(f'{what}: energy', abs(mine.coulomb - exact.energy), unit)
        for c in range(6):
            expect(f'{what}: virial {COMPONENTS[c]}',
                   abs(mine.pressure[c] * virial_unit(mine, 'real') - exact.virial[c]), unit)
        total = sum(abs(e) for e in mine.atom_energy)
        expect(f'{what}: energies per atom sum to the total',
               abs(sum(mine.atom_energy) - mine.coulomb) / total, 1e-12)
        for c in range(6):
            summed = -sum(stress[c] for stress in mine.atom_stress) / mine.volume
            expect(f'{what}: stress per atom {COMPONENTS[c]} sums to the pressure',
                   abs(summed - mine.pressure[c]) * virial_unit(mine, 'real') / total, 1e-12)
        many = lammps.run(system, 'kspace_style enuf 1e-9\nkspace_modify gewald 0.4', 2, name='two')
        expect(f'{what}: force on 2 ranks', rms(mine.forces, many.forces), 1e-10 * 332)
        tip4p_forces_are_slopes(lammps, what, system)


def tip4p_forces_are_slopes(lammps, what, system):
    """The kspace force on an oxygen and on a hydrogen is the slope of the kspace energy. The pair style's erfc, whose
    error would hide this, cancels in the difference to `compute no`."""
    style = 'kspace_style enuf 1e-9\nkspace_modify gewald 0.4'

    def modes(move=''):
        with_modes = lammps.run(system + move, style, name='with')
        without = lammps.run(system + move, style + ' compute no', name='without')
        return with_modes, without
    base, pairs = modes()
    h = 1e-3
    for atom, axis in ((4, 0), (5, 2)):
        energy = []
        for s in (-h, h):
            shift = ' '.join(str(s) if d == axis else '0' for d in range(3))
            moved = (f'group one id {atom}\ndisplace_atoms one move {shift} units box\n')
            energy.append(lammps.run(system + moved, style, name='moved').kspace_energy)
        force = base.forces[atom - 1][axis] - pairs.forces[atom - 1][axis]
        expect(f'{what}: kspace force on atom {atom} is the slope of the energy',
               abs(force + (energy[1] - energy[0]) / (2 * h)) / abs(force), 1e-5, '(h^2)')


if __name__ == '__main__':
    main(Lammps, {test.__name__: test for test in (to_ten_digits, pair_styles_of_lammps, tip4p)})
