# Energy and pressure with the Gaussian splitting contain the modes left out in every run, short or long, of TIP4P, and
# after atoms have left. References: the same at 1e-10. `calibrate no` leaves these modes out.
# SPDX-License-Identifier: BSD-3-Clause
import re

from checks import expect, expect_true, main
from lammps_runs import Lammps, from_xyz, salt, tip4p_water

STOP = 'variable one equal 1\nfix stop all halt 1 v_one > 0 error soft message no\n'
KEPT = 0.4  # of what `calibrate no` lacks: pairs beyond the cutoff, the mesh, erfc of coul/long


def off(row, true):
    """Errors of the Coulomb energy and of the pressure, of two rows of Lammps.run()."""
    return abs(row[2] + row[3] - true[2] - true[3]), abs(sum(row[6:9]) - sum(true[6:9])) / 3


def compare(what, row, without, true):
    """The errors are a part of those of `calibrate no`."""
    for name, mine, theirs in zip(('energy', 'pressure'), off(row, true), off(without, true)):
        expect(f'{what}: error of the {name}, over that without the modes left out', mine / theirs, KEPT)


def left_out(said):
    return [float(x) for x in re.findall(r'modes left out, by the positions: energy (\S+), pressure', said)]


def short_and_long(lammps):
    """A run of no step, the first step of a run of 100, and a minimisation, on 1 and 2 ranks, have the modes left out;
    the log tells them."""
    system = from_xyz(lammps.scratch, 'spce_liquid', 'coul/long 9.0')
    true = lammps.run(system, 'kspace_style enuf 1e-10', name='true').thermo[0]
    kspace = 'kspace_style enuf 1e-6'
    without = lammps.run(system, f'{kspace} calibrate no', name='without')
    expect_true('calibrate no: none', not left_out(without.said), without.said)
    for ranks in (1, 2):
        for dynamics in ('run 0', f'{STOP}run 100', 'minimize 0 1 1 1'):
            result = lammps.run(system, kspace, ranks, dynamics=dynamics, name='with')
            what = f'{ranks} ranks, {dynamics.splitlines()[-1]}'
            expect_true(f'{what}: one line in the log', len(left_out(result.said)) == 1, result.said[-2000:])
            compare(what, result.thermo[0], without.thermo[0], true)


def sites_of_tip4p(lammps):
    """The sites of TIP4P water are found in the first evaluation."""
    system = tip4p_water()
    true = lammps.run(system, 'kspace_style enuf 1e-10', name='true').thermo[0]
    without = lammps.run(system, 'kspace_style enuf 1e-6 calibrate no', name='without')
    for ranks in (1, 2):
        result = lammps.run(system, 'kspace_style enuf 1e-6', ranks, dynamics='run 0\nrun 0', name='with')
        expect_true(f'TIP4P, {ranks} ranks: a line in the log of each run', len(left_out(result.said)) == 2,
                    result.said)
        for row in result.thermo:
            compare(f'TIP4P, {ranks} ranks', row, without.thermo[0], true)


def atoms_leave(lammps):
    """After two ions have left in a run, the energy still has the modes left out."""
    system = salt(lammps.scratch, 'salt', pair='coul/enuf 4.0')  # its erfc is exact
    leave = 'region r block 0 12 -3 9 0 12\nfix 1 all evaporate 1 2 r 49892'
    true, without, result = (lammps.run(system, f'kspace_style enuf {keywords} split gaussian', before=leave,
                                        dynamics='thermo 1\nrun 1', name='leave')
                             for keywords in ('1e-10', '1e-6 calibrate no', '1e-6'))
    expect_true('two ions have left', len(true.charges) == 214)
    for step in (0, 1):
        compare(f'step {step}', result.thermo[step], without.thermo[step], true.thermo[step])


if __name__ == '__main__':
    main(Lammps, {'short_and_long': short_and_long, 'sites_of_tip4p': sites_of_tip4p, 'atoms_leave': atoms_leave})
