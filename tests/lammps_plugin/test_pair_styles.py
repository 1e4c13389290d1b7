# The pair styles of enuf against the coul/long styles of LAMMPS: equal results, but for the error of the polynomial
# that these use for erfc (2e-6). Also hybrid styles, single(), restart and data files, dihedrals of CHARMM, fix adapt.
# SPDX-License-Identifier: BSD-3-Clause
import os

from checks import TWO_CHARGES, error_unit, expect, expect_true, main, virial_unit
from lammps_runs import COMPONENTS, SOURCE, Lammps, rms, salt, water

POLYNOMIAL = 2e-6  # bound of the error of coul/long's erfc, in units of the force of two unit charges


def compare(lammps, what, units, ours, theirs, kspace, bound=POLYNOMIAL, **run):
    mine = lammps.run(ours, kspace, name='mine', **run)
    other = lammps.run(theirs, kspace, name='theirs', **run)
    unit = error_unit(mine) * bound
    expect(f'{what}: RMS force', rms(mine.forces, other.forces), bound * TWO_CHARGES[units])
    expect(f'{what}: Coulomb energy', abs(mine.coulomb - other.coulomb), unit)
    expect(f'{what}: other energy', abs(mine.thermo[-1][1] - other.thermo[-1][1]),
           1e-12 * max(1, abs(other.thermo[-1][1])))
    for c in range(6):
        expect(f'{what}: pressure {COMPONENTS[c]}', abs(mine.pressure[c] - other.pressure[c]) *
               virial_unit(mine, units), unit)
    expect(f'{what}: stress per atom', virial_unit(mine, units) / mine.volume *
           max(abs(x - y) for u, v in zip(mine.atom_stress, other.atom_stress)
               for x, y in zip(u, v)), unit)
    return mine


def beside_lammps(lammps):
    """Each pair style of enuf with kspace_style pppm, against the coul/long style; then both splittings of enuf."""
    pppm = 'kspace_style pppm 1e-5'
    ions = salt(lammps.scratch, 'salt')
    lj = salt(lammps.scratch, 'lj', pair=('lj/cut/coul/long 2.5 4.0', '1 1.2'))
    charmm = salt(lammps.scratch, 'charmm', pair=('lj/charmm/coul/long 2.0 3.0 4.0', '1 1.2'))

    def ours(system):
        return system.replace('/coul/long', '/coul/enuf').replace('style coul/long', 'style coul/enuf')
    for what, system, units in (
            ('coul/enuf with pppm', ions, 'lj'), ('lj/cut/coul/enuf with pppm', lj, 'lj'),
            ('lj/charmm/coul/enuf with pppm', charmm, 'lj'),
            ('lj/cut/coul/enuf, shifted', lj + 'pair_modify shift yes\n', 'lj'),
            ('lj/cut/coul/enuf, tail corrections', lj + 'pair_modify tail yes\n', 'lj'),
            ('lj/cut/coul/enuf, mixed coefficients',
             lj + 'pair_coeff 1 1 1 1\npair_coeff 2 2 0.5 1.3\npair_modify mix sixthpower\n', 'lj'),
            ('lj/cut/coul/enuf, water, bonds weighted',
             water() + 'special_bonds lj 0 0 0 coul 0 0.3 1\n', 'real'),
            ('lj/cut/coul/enuf, water in a dielectric', water() + 'dielectric 4\n', 'real')):
        for newton in ('on', 'off') if what.endswith('pppm') else ('on',):
            switch = f'newton {newton}\n'
            compare(lammps, f'{what}, newton {newton}', units, switch + ours(system), switch + system,
                    pppm, ranks=2 if newton == 'off' else 1)
    prolate = 'kspace_style enuf 1e-8 split prolate'
    gaussian = 'kspace_style enuf 1e-8 split gaussian'
    a, b = (lammps.run(ours(lj), style, name='split') for style in (prolate, gaussian))
    expect('lj/cut/coul/enuf: either splitting, RMS force', rms(a.forces, b.forces), 2e-8)
    expect('lj/cut/coul/enuf: either splitting, pressure',
           max(abs(x - y) for x, y in zip(a.pressure, b.pressure)) * a.volume, 2e-8 * error_unit(a))


def hybrid(lammps):
    """coul/enuf and lj/cut in a hybrid style give the results of lj/cut/coul/enuf, with both splittings."""
    alone = salt(lammps.scratch, 'salt', pair=('lj/cut/coul/enuf 2.5 4.0', '1 1.2'))
    for name in ('hybrid/overlay', 'hybrid/scaled 1.0'):
        factor = '1.0 ' if 'scaled' in name else ''
        style = (f'{name} coul/enuf 4.0 {factor}lj/cut 2.5' if not factor else
                 'hybrid/scaled 1.0 coul/enuf 4.0 1.0 lj/cut 2.5')
        parts = alone.replace('lj/cut/coul/enuf 2.5 4.0', style).replace(
            'pair_coeff * * 1 1.2', 'pair_coeff * * coul/enuf\npair_coeff * * lj/cut 1 1.2')
        for split in ('gaussian', 'prolate'):
            kspace = f'kspace_style enuf 1e-6 split {split}'
            a, b = (lammps.run(system, kspace, name='hybrid') for system in (alone, parts))
            scale = rms(a.forces, [[0, 0, 0]] * len(a.forces))
            expect(f'{name}, {split}: force', rms(a.forces, b.forces) / scale, 1e-13)
            expect(f'{name}, {split}: energy', abs(a.coulomb / b.coulomb - 1), 1e-13)
            expect(f'{name}, {split}: pressure',
                   max(abs(x - y) for x, y in zip(a.pressure, b.pressure)) /
                   max(abs(x) for x in a.pressure), 1e-12)


def of_gpu_package(lammps):
    """Beside a pair style with the suffix gpu the kspace part is that beside the same style without it. The stand-in
    has no pairs. Of coul/long the forces without kspace are subtracted."""
    stand_ins = os.path.join(os.path.dirname(lammps.plugin), 'stand_ins.so')
    ions = salt(lammps.scratch, 'salt')
    gpu = f'plugin load {stand_ins}\n{ions}'.replace('coul/long 4.0', 'coul/long/gpu 4.0')
    kspace = 'kspace_style {} precision double\nkspace_modify gewald 0.9'
    for ranks in (1, 2):
        alone = lammps.run(gpu, kspace.format('enuf 1e-6'), ranks, name='gpu')
        whole = lammps.run(ions, kspace.format('enuf 1e-6'), ranks, name='whole')
        pairs = lammps.run(ions, 'kspace_style enuf 1e-6\nkspace_modify gewald 0.9 compute no', ranks, name='pairs')
        parts = [[a - b for a, b in zip(u, v)] for u, v in zip(whole.forces, pairs.forces)]
        expect(f'{ranks} ranks: RMS force of the kspace part', rms(alone.forces, parts), 1e-12,
               '(units of two charges)')
        expect(f'{ranks} ranks: its energy', abs(alone.kspace_energy / whole.kspace_energy - 1), 1e-14)


def single_pairs(lammps):
    """single(), which compute group/group calls: the pairs within and between two groups add up to the energy."""
    for style, coefficients in (('coul/enuf 4.0', ''), ('lj/cut/coul/enuf 2.5 4.0', '1 1.2'),
                                ('lj/charmm/coul/enuf 2.0 2.5 4.0', '1 1.2')):
        system = salt(lammps.scratch, 'single', pair=(style, coefficients))
        status, said = lammps.raw(f'''{system}
kspace_style enuf 1e-5
group low id <= 100
group high id > 100
compute a low group/group low
compute b low group/group high
compute c high group/group high
variable pairs equal c_a+c_b+c_c
thermo_style custom step evdwl ecoul v_pairs c_b[1] c_b[2] c_b[3]
thermo_modify format float %.17g norm no
run 0
''', name='single')
        row = [line.split() for line in said.splitlines()]
        row = [line for line in row if len(line) == 7 and line[0] == '0']
        if not expect_true(f'{style}: single() runs', status == 0 and row, said[-800:]):
            continue
        lj, coulomb, pairs = (float(x) for x in row[0][1:4])
        expect(f'{style}: pairs by single() sum to the energy', abs(pairs / (lj + coulomb) - 1), 1e-12)


def restart(lammps):
    """A restart file, and a data file, keep coefficients, cutoffs and settings: forces agree to 1e-13."""
    for style, coefficients in (('coul/enuf 4.0', ''), ('lj/cut/coul/enuf 2.5 4.0', '1 1.2'),
                                ('lj/charmm/coul/enuf 2.0 2.5 4.0', '1 1.2 0.5 1.1')):
        system = salt(lammps.scratch, 'restart', pair=(style, coefficients))
        if coefficients:
            system += f'pair_coeff 1 1 {coefficients}\npair_coeff 2 2 {coefficients}\n'
        if 'cut' in style:
            system += 'pair_modify shift yes\n'
        kspace = 'kspace_style enuf 1e-6'
        before = lammps.run(system, kspace, dynamics='run 0\nwrite_restart saved.restart\n'
                            'write_data saved.data pair ij', name='before')
        expect_true(f'{style}: writing a restart file prints what reading it needs', before.said.count(
            f'pair_style {style.split()[0]} is in the restart file: in a script that reads it, `plugin load') == 1,
            before.said)
        after = lammps.run('read_restart saved.restart\nneighbor 0.3 bin\n', kspace, name='after')
        scale = rms(before.forces, [[0, 0, 0]] * len(before.forces))
        expect(f'{style} from its restart file: force', rms(before.forces, after.forces) / scale, 1e-13)
        expect(f'{style} from its restart file: energy',
               abs(before.coulomb + before.thermo[-1][1] - after.coulomb - after.thermo[-1][1]) /
               abs(before.coulomb), 1e-13)
        if not coefficients:
            continue
        data = (system[:system.index('read_data')] + 'read_data saved.data\nneighbor 0.3 bin\n' +
                ('pair_modify shift yes\n' if 'cut' in style else ''))
        again = lammps.run(data, kspace, name='again')
        expect(f'{style} from its data file: force', rms(before.forces, again.forces) / scale, 1e-13)


def dihedrals_of_charmm(lammps):
    """dihedral_style charmm asks lj/charmm/coul/enuf for its 1-4 coefficients."""
    file = os.path.join(lammps.scratch, 'chain.data')
    with open(file, 'w') as out:
        out.write('chain\n\n4 atoms\n1 atom types\n3 bonds\n1 bond types\n1 dihedrals\n1 dihedral types\n'
                  '\n0 20 xlo xhi\n0 20 ylo yhi\n0 20 zlo zhi\n\nMasses\n\n1 12\n\nAtoms # full\n\n'
                  '1 1 1 0.5 5 5 5\n2 1 1 -0.5 6.5 5 5\n3 1 1 0.5 7 6.4 5\n4 1 1 -0.5 8.3 6.6 5.7\n\n'
                  'Bonds\n\n1 1 1 2\n2 1 2 3\n3 1 3 4\n\nDihedrals\n\n1 1 1 2 3 4\n')

    def system(pair):
        return f'''units real
atom_style full
pair_style {pair} 6 7
bond_style zero
dihedral_style charmm
read_data {file} extra/special/per/atom 4
bond_coeff 1
dihedral_coeff 1 0.2 1 180 0.5
pair_coeff 1 1 0.11 3.5 0.01 3.1
special_bonds charmm
pair_modify table 0
'''
    compare(lammps, 'dihedral charmm', 'real', system('lj/charmm/coul/enuf'),
            system('lj/charmm/coul/long'), 'kspace_style pppm 1e-5')


def adapted(lammps):
    """fix adapt changes epsilon of lj/cut/coul/enuf and the scale of coul/enuf as it does for the styles of LAMMPS."""
    for style, coefficients, what in (('lj/cut/coul/long 2.5 4.0', '1 1.2', 'epsilon'),
                                      ('coul/long 4.0', '', 'scale')):
        theirs = salt(lammps.scratch, 'adapted', pair=(style, coefficients))
        name = style.split()[0]
        fix = f'variable half equal 0.5\nfix 1 all adapt 1 pair {{}} {what} 1 2 v_half'
        ours = theirs.replace('coul/long', 'coul/enuf')
        kspace = 'kspace_style pppm 1e-5'
        a = lammps.run(ours, kspace, before=fix.format(name.replace('long', 'enuf')), name='ours')
        b = lammps.run(theirs, kspace, before=fix.format(name), name='theirs')
        plain = lammps.run(ours, kspace, name='plain')
        expect(f'fix adapt pair {name.replace("long", "enuf")} {what}: RMS force',
               rms(a.forces, b.forces), POLYNOMIAL)
        expect_true(f'fix adapt {what}: changes the forces', rms(a.forces, plain.forces) > 1e-3)


if __name__ == '__main__':
    main(Lammps, {test.__name__: test for test in (beside_lammps, hybrid, of_gpu_package, single_pairs, restart,
                                                   dihedrals_of_charmm, adapted)})
