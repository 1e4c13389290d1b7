# Units of errors, and the main function of the tests of the plugin. SPDX-License-Identifier: BSD-3-Clause
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from expect import expect, expect_true, finish  # noqa: F401, E402: the tests take them from here

TWO_CHARGES = {'lj': 1.0, 'real': 332.06371, 'metal': 14.399645}  # force of two unit charges at unit distance
PRESSURE = {'lj': 1.0, 'real': 68568.415, 'metal': 1602176.5}  # of one unit of energy per volume


def error_unit(result, dielectric=1):
    """The promised error of the energy over the relative accuracy of LAMMPS: 20 sum |e_i| times LAMMPS' unit of force
    over F_ref. LAMMPS' unit does not contain the dielectric constant."""
    n = sum(q != 0 for q in result.charges)
    q2 = sum(q * q for q in result.charges)
    f_ref = q2 / n * (n / result.volume)**(2 / 3)
    return 20 * dielectric / f_ref * sum(abs(e) for e in result.atom_energy)


def virial_unit(result, units):
    """The factor from a pressure to a virial in units of energy."""
    return result.volume / PRESSURE[units]


def main(lammps_class, tests):
    """Runs one test: FILE.py TEST BUILD_LAMMPS SCRATCH [LIBENUF]. 77 if LAMMPS or the plugin is missing."""
    name, folder, scratch = sys.argv[1:4]
    lammps = lammps_class(folder, scratch)
    if lammps.missing():
        print('skipped:', lammps.missing())
        sys.exit(77)
    lammps.libenuf = sys.argv[4] if len(sys.argv) > 4 else ''
    tests[name](lammps)
    finish()
