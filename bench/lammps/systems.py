# Boxes of SPC/E water and molten sodium chloride at the density of the liquids; benchmarks replicate them to larger
# sizes. systems.py LMP PLUGIN FOLDER makes FOLDER/water.data and FOLDER/salt.data in a minute or two: molecules on a
# lattice, turned at random, then some thousand steps of molecular dynamics.
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import random
import subprocess
import sys

WATER_EDGE, WATER_CELLS = 34.15, 11  # 1331 molecules, 0.0334 per cubic angstrom
SALT_EDGE, SALT_CELLS = 50.8, 16     # 4096 ions, 1.52 g/cm3, that of the melt at 1150 K

WATER_PAIR = 'pair_coeff 1 1 0.1553 3.166\npair_coeff 2 2 0 1\npair_coeff 1 2 0 1\n'
# parameters that keep ions of two sizes apart; nothing else matters here
SALT_PAIR = 'pair_coeff 1 1 0.1 2.3\npair_coeff 2 2 0.1 4.0\npair_coeff 1 2 0.1 3.0\n'

HEAD = {
    'water': '''units real
atom_style full
bond_style harmonic
angle_style harmonic
''',
    'salt': '''units real
atom_style charge
''',
}


def turned(v, quaternion):
    a, b, c, d = quaternion
    x, y, z = v
    return ((a * a + b * b - c * c - d * d) * x + 2 * (b * c - a * d) * y + 2 * (b * d + a * c) * z,
            2 * (b * c + a * d) * x + (a * a - b * b + c * c - d * d) * y + 2 * (c * d - a * b) * z,
            2 * (b * d - a * c) * x + 2 * (c * d + a * b) * y + (a * a - b * b - c * c + d * d) * z)


def lattice(n, edge):
    step = edge / n
    return [((i + 0.5) * step, (j + 0.5) * step, (k + 0.5) * step)
            for i in range(n) for j in range(n) for k in range(n)]


def box(out, edge):
    out.write(''.join(f'0 {edge} {axis}lo {axis}hi\n' for axis in 'xyz'))


def write_water(path):
    random.seed(1331)
    half = math.radians(109.47) / 2
    hydrogens = [(math.sin(half), math.cos(half), 0), (-math.sin(half), math.cos(half), 0)]
    sites = lattice(WATER_CELLS, WATER_EDGE)
    n = len(sites)
    with open(path, 'w') as out:
        out.write(f'SPC/E water\n\n{3 * n} atoms\n{2 * n} bonds\n{n} angles\n2 atom types\n1 bond types\n'
                  '1 angle types\n\n')
        box(out, WATER_EDGE)
        out.write('\nMasses\n\n1 15.9994\n2 1.008\n\nBond Coeffs\n\n1 450 1.0\n\nAngle Coeffs\n\n1 55 109.47\n'
                  '\nAtoms # full\n\n')
        for m, o in enumerate(sites):
            q = [random.gauss(0, 1) for _ in range(4)]
            norm = math.sqrt(sum(x * x for x in q))
            q = [x / norm for x in q]
            rows = [o] + [tuple(a + b for a, b in zip(o, turned(h, q))) for h in hydrogens]
            for k, (x, y, z) in enumerate(rows):
                out.write(f'{3 * m + k + 1} {m + 1} {1 if k == 0 else 2} {-0.8476 if k == 0 else 0.4238} '
                          f'{x:.6f} {y:.6f} {z:.6f}\n')
        out.write('\nBonds\n\n')
        for m in range(n):
            out.write(f'{2 * m + 1} 1 {3 * m + 1} {3 * m + 2}\n{2 * m + 2} 1 {3 * m + 1} {3 * m + 3}\n')
        out.write('\nAngles\n\n')
        for m in range(n):
            out.write(f'{m + 1} 1 {3 * m + 2} {3 * m + 1} {3 * m + 3}\n')


def write_salt(path):
    random.seed(4096)
    sites = lattice(SALT_CELLS, SALT_EDGE)
    with open(path, 'w') as out:
        out.write(f'molten salt\n\n{len(sites)} atoms\n2 atom types\n\n')
        box(out, SALT_EDGE)
        out.write('\nMasses\n\n1 22.99\n2 35.45\n\nAtoms # charge\n\n')
        for m, x in enumerate(sites):
            i, j, k = m // SALT_CELLS**2, m // SALT_CELLS % SALT_CELLS, m % SALT_CELLS
            cation = (i + j + k) % 2 == 0
            place = ' '.join(f'{a + random.uniform(-0.2, 0.2):.6f}' for a in x)
            out.write(f'{m + 1} {1 if cation else 2} {1 if cation else -1} {place}\n')


def melt(is_water, shake_tolerance):
    """Commands that melt a lattice; first with flexible bonds and short steps."""
    temperature = 300 if is_water else 1150
    rigid = f'fix 2 all shake {shake_tolerance} 50 0 b 1 a 1\n' if is_water else ''
    return f'''velocity all create {temperature} 4711 loop geom
fix 1 all nve
fix 3 all langevin {temperature} {temperature} 50 8151
timestep 0.2
run 500
{rigid}timestep 1.0
'''


def relax(name, start, end, plugin):
    """The input that makes a liquid of the lattice."""
    pair = WATER_PAIR if name == 'water' else SALT_PAIR
    return f'''plugin load {plugin}
{HEAD[name]}pair_style lj/cut/coul/long 9.0
read_data {start}
{pair}kspace_style enuf 1e-4
minimize 0 0 100 400
{melt(name == 'water', '1e-5')}thermo 500
run 4000
write_data {end}
'''


def make(name, lmp, plugin, folder, prefix=()):
    end = os.path.join(folder, name + '.data')
    if os.path.exists(end):
        return end
    start = os.path.join(folder, name + '_lattice.data')
    (write_water if name == 'water' else write_salt)(start)
    file = os.path.join(folder, name + '_relax.in')
    with open(file, 'w') as out:
        out.write(relax(name, start, end, plugin))
    subprocess.run([*prefix, lmp, '-in', file, '-log', 'none'], check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    return end


if __name__ == '__main__':
    os.makedirs(sys.argv[3], exist_ok=True)
    for system in HEAD:
        print(make(system, *sys.argv[1:4]))
