# What every test of the plugin says and counts. SPDX-License-Identifier: BSD-3-Clause
import sys

failures = 0
checks = 0
TWO_CHARGES = {'lj': 1.0, 'real': 332.06371, 'metal': 14.399645}  # force of two unit charges at unit distance
PRESSURE = {'lj': 1.0, 'real': 68568.415, 'metal': 1602176.5}  # of one unit of energy per volume


def expect(what, value, bound, why=''):
    """value <= bound; False for NaN."""
    return expect_true(f'{what}: {value:.2e}, at most {bound:.2e} {why}', value <= bound)


def expect_true(what, ok, otherwise=''):
    global failures, checks
    checks += 1
    failures += not ok
    print(f"{'ok' if ok else 'FAILED'}: {what}{'' if ok else ' ' + otherwise}", flush=True)
    return ok


def error_unit(result, dielectric=1):
    """Energy's error for a relative accuracy of 1: 20 (LAMMPS' force unit / F_ref) sum |e_i|. The
    force unit knows no dielectric constant."""
    n = sum(q != 0 for q in result.charges)
    q2 = sum(q * q for q in result.charges)
    f_ref = q2 / n * (n / result.volume)**(2 / 3)
    return 20 * dielectric / f_ref * sum(abs(e) for e in result.atom_energy)


def virial_unit(result, units):
    """Pressure to virial in energies."""
    return result.volume / PRESSURE[units]


def main(lammps_class, tests):
    """test.py TEST BUILD_LAMMPS SCRATCH [LIBENUF]"""
    name, folder, scratch = sys.argv[1:4]
    lammps = lammps_class(folder, scratch)
    if lammps.missing():
        print('skipped:', lammps.missing())
        sys.exit(77)
    lammps.libenuf = sys.argv[4] if len(sys.argv) > 4 else ''
    tests[name](lammps)
    print(f'{checks} checks, {failures} failed')
    sys.exit(1 if failures or not checks else 0)
