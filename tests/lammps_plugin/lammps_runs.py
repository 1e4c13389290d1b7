# Systems, inputs and results of lmp for the tests of the plugin.
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import random
import subprocess

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ZERO_BONDS = 'bond_coeff 1 1\nangle_coeff 1 109.47'
TILT = 'change_box all triclinic\nchange_box all xy final {} xz final {} yz final {} remap units box\n'
COMPONENTS = ('xx', 'yy', 'zz', 'xy', 'xz', 'yz')


class Lammps:
    """lmp, mpiexec and the plugin: made by `make lammps`, or named by the environment (scripts/lammps_source.sh)."""

    def __init__(self, folder, scratch):
        self.folder = folder
        bin_folder = os.path.join(folder, 'venv', 'bin')
        named = os.environ.get
        self.lmp = named('ENUF_LAMMPS_LMP', os.path.join(bin_folder, 'lmp'))
        self.mpiexec = named('ENUF_LAMMPS_MPIEXEC', os.path.join(bin_folder, 'mpiexec'))
        self.plugin = named('ENUF_LAMMPS_PLUGIN', os.path.join(folder, '20250722', 'enufplugin.so'))
        # before July 2025 LAMMPS has stress per atom for write_dump only if a fix asks for it in the same step
        another = 'ENUF_LAMMPS_LMP' in os.environ
        self.stress = 'fix stress_ all ave/atom 1 1 1 c_sa[*]' if another else ''
        self.scratch = scratch
        # these tests are of the CPU, but backend auto takes a GPU that it sees
        self.environment = {**os.environ, 'CUDA_VISIBLE_DEVICES': ''}
        os.makedirs(scratch, exist_ok=True)

    def missing(self):
        """Why no test can run; None if all can."""
        for file in (self.plugin, self.lmp):
            if not os.path.exists(file):
                return f'no {file}: make lammps'
        folder = os.path.join(SOURCE, 'lammps_plugin')
        newest = max(os.path.getmtime(os.path.join(at, f)) for at, _, files in os.walk(folder) for f in files
                     if f.endswith(('.cpp', '.h')))
        if newest > os.path.getmtime(self.plugin):
            return f'{self.plugin} is older than its sources: make lammps'
        return None

    def command(self, text, ranks, name, options=()):
        """Writes the input; returns the command line that runs it."""
        file = os.path.join(self.scratch, name + '.in')
        with open(file, 'w') as out:
            out.write(f'plugin load {self.plugin}\n{text}')
        start = [self.mpiexec, '-n', str(ranks)] if ranks > 1 else []
        return start + [self.lmp, '-in', file, '-log', 'none', *options]

    def raw(self, text, ranks=1, name='run', timeout=240, options=()):
        """Runs an input; returns its exit status and its output."""
        done = subprocess.run(self.command(text, ranks, name, options), cwd=self.scratch,
                              stdin=subprocess.DEVNULL, text=True, timeout=timeout,
                              env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def lines(self, text, name):
        """Runs an input on one task; yields its output line by line while it runs."""
        with subprocess.Popen(self.command(text, 1, name), cwd=self.scratch,
                              stdin=subprocess.DEVNULL, text=True, env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
            yield from running.stdout

    def run(self, system, kspace, ranks=1, before='', dynamics='run 0', name='run',
            timeout=240, options=()):
        """Runs a system; returns all its thermo rows, and the atoms at the end."""
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
{self.stress}
{dynamics}
write_dump all custom {dump} id type q x y z fx fy fz c_ea c_sa[*] modify sort id format float %.17g
''', ranks, name, timeout, options)
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
        self.kspace_energy = last[3]
        self.coulomb = last[2] + last[3]
        self.total = [row[4] for row in rows]
        self.volume = last[5]
        self.pressure = last[6:12]
        with open(dump) as file:
            header, atoms = file.read().split('ITEM: ATOMS')
        bounds = header.split('BOX BOUNDS')[1].splitlines()
        edges = [[float(x) for x in line.split()] for line in bounds[1:4]]
        xy, xz, yz = (row[2] for row in edges) if 'xy' in bounds[0] else (0.0, 0.0, 0.0)
        self.tilt = xy
        # the dump gives the bounds of the box around a tilted cell
        lx = edges[0][1] - edges[0][0] - (max(0, xy, xz, xy + xz) - min(0, xy, xz, xy + xz))
        ly = edges[1][1] - edges[1][0] - (max(0, yz) - min(0, yz))
        self.cell = [[lx, 0, 0], [xy, ly, 0], [xz, yz, edges[2][1] - edges[2][0]]]
        lines = atoms.splitlines()[1:]
        table = [[float(x) for x in line.split()] for line in lines]
        self.types = [int(row[1]) for row in table]
        self.charges = [row[2] for row in table]
        self.positions = [row[3:6] for row in table]
        self.forces = [row[6:9] for row in table]
        self.atom_energy = [row[9] for row in table]
        self.atom_stress = [row[10:16] for row in table]


def rms(a, b):
    """RMS over the atoms of |a_i - b_i|."""
    return math.sqrt(sum((x - y)**2 for u, v in zip(a, b) for x, y in zip(u, v)) / len(a))


def crystal(scratch, name, basis, edge, cells, pair):
    """The input of charges on a cubic lattice, units metal. basis: [(type, charge, x, y, z in edges)]."""
    file = os.path.join(scratch, name + '.data')
    ions = [(t, q, edge * (x + i), edge * (y + j), edge * (z + k)) for i in range(cells)
            for j in range(cells) for k in range(cells) for t, q, x, y, z in basis]
    write_charges(file, name, ions, [edge * cells] * 3)
    return charges_input(file, pair)


def from_xyz(scratch, name, pair, boundary='p p p', height=None):
    """The input of the ions in examples/data/NAME.xyz, units metal."""
    with open(os.path.join(SOURCE, 'examples', 'data', name + '.xyz')) as source:
        lines = source.read().splitlines()
    edges = [float(x) for x in lines[1].split('"')[1].split()][::4]
    ions = []
    for line in lines[2:]:
        element, x, y, z, q = line.split()[:5]
        ions.append((1 if float(q) > 0 else 2, float(q), float(x), float(y), float(z)))
    if height:
        edges[2] = height
    file = os.path.join(scratch, name + '.data')
    write_charges(file, name, ions, edges)
    return charges_input(file, pair, boundary)


def write_charges(file, title, ions, edges):
    with open(file, 'w') as out:
        out.write(f'{title}\n\n{len(ions)} atoms\n2 atom types\n\n')
        for axis, edge in zip('xyz', edges):
            out.write(f'0 {edge:.17g} {axis}lo {axis}hi\n')
        out.write('\nMasses\n\n1 1\n2 1\n\nAtoms # charge\n\n')
        for k, (t, q, x, y, z) in enumerate(ions):
            out.write(f'{k + 1} {t} {q:.17g} {x:.17g} {y:.17g} {z:.17g}\n')


def charges_input(file, pair, boundary='p p p'):
    return f'''units metal
boundary {boundary}
atom_style charge
pair_style {pair}
read_data {file}
pair_modify table 0
pair_coeff * *
'''


def salt(scratch, name, net=0.0, thickness=12.0, dynamics=False, pair=None):
    """The input of 216 ions on a shaken lattice, units lj, with net charge `net`. The box is 12 x 12 x 12. For a slab
    the thickness is 24, and the ions are in the lower half."""
    random.seed(20251)
    file = os.path.join(scratch, name + '.data')
    tops = [(1 if (k + k // 6 + k // 36) % 2 == 0 else -1) * (1 + 0.2 * math.sin(k)) +
            0.02 * (k // 36 - 2.5) for k in range(216)]  # the charge grows with z, so that a slab has a dipole
    excess = (sum(tops) - net) / 216
    with open(file, 'w') as out:
        out.write('salt\n\n216 atoms\n2 atom types\n\n0 12 xlo xhi\n-3 9 ylo yhi\n'
                  f'0 {thickness} zlo zhi\n\nMasses\n\n1 1\n2 1\n\nAtoms # charge\n\n')
        for k in range(216):
            x, y, z = (2 * m + 1 + random.uniform(-0.4, 0.4) for m in (k % 6, k // 6 % 6, k // 36))
            out.write(f'{k + 1} {1 if tops[k] > 0 else 2} {tops[k] - excess:.12f} '
                      f'{x:.12f} {y - 3:.12f} {z:.12f}\n')
    default = ('lj/cut/coul/long 2.5 4.0', '1 1.2') if dynamics else ('coul/long 4.0', '')
    pair = (pair, '') if isinstance(pair, str) else pair or default
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


def water(pair='lj/cut/coul/long 9.0', bonds='harmonic', coefficients=True):
    """The input of 100 SPC/E molecules, units real. bonds: `harmonic` are springs, `zero` have no forces."""
    lj = 'pair_coeff 1 1 0.1553 3.166\npair_coeff 2 2 0 1\npair_coeff 1 2 0 1'
    return f'''units real
atom_style full
pair_style {pair}
bond_style {bonds}
angle_style {bonds}
read_data {SOURCE}/examples/data/water.data{'' if bonds == 'harmonic' else ' nocoeff'}
{'' if bonds == 'harmonic' else ZERO_BONDS}
{lj if coefficients else 'pair_coeff * *'}
pair_modify table 0
timestep 0.25
'''


TIP4P_DISTANCE = 0.15


def tip4p_water(pair='tip4p/long'):
    """The input of water() as TIP4P: types 1 O, 2 H, the charge of O on the site M, bonds without forces."""
    return f'''units real
atom_style full
pair_style {pair} 1 2 1 1 {TIP4P_DISTANCE} 8.0
bond_style zero
angle_style zero
read_data {SOURCE}/examples/data/water.data nocoeff
bond_coeff 1 1
angle_coeff 1 109.47
set type 1 charge -1.04
set type 2 charge 0.52
pair_coeff * *
pair_modify table 0
'''


def tip4p_sites(result):
    """Positions and charges of the sites of tip4p_water(), and a function that gives the forces on the sites to the
    atoms."""
    height = math.cos(math.radians(109.47) / 2) * 1.0
    share = 0.5 * TIP4P_DISTANCE / height
    cell = result.cell

    def nearest(d):
        for a in (2, 1, 0):  # rows of a lower triangle
            k = round(d[a] / cell[a][a])
            d = [x - k * y for x, y in zip(d, cell[a])]
        return d
    positions = []
    for i, x in enumerate(result.positions):
        if result.types[i] != 1:
            positions.append(x)
            continue
        bonds = [nearest([b - a for a, b in zip(x, result.positions[i + k])]) for k in (1, 2)]
        positions.append([a + share * (b + c) for a, b, c in zip(x, *bonds)])

    def to_atoms(forces):
        moved = [list(f) for f in forces]
        for i, t in enumerate(result.types):
            if t == 1:
                for d in range(3):
                    moved[i][d] -= 2 * share * forces[i][d]
                    for k in (1, 2):
                        moved[i + k][d] += share * forces[i][d]
        return moved
    return positions, result.charges, to_atoms
