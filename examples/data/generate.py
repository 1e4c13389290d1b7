#!/usr/bin/env python3
# Makes the example structures of this folder. SPDX-License-Identifier: BSD-3-Clause
#
#     python3 generate.py spce_sample_config_periodic1.txt
#
# The argument is configuration 1 of NIST's SPC/E reference calculations (100 molecules, cube of 20
# Angstrom; README.md says where it comes from). Everything else comes from seeded generators.
import random
import sys

OXYGEN, HYDROGEN = -0.8476, 0.4238  # SPC/E


def read_nist(path):
    """Lines 'index x y z element' behind two of header; molecules are whole: O H H."""
    with open(path) as file:
        lines = [line.split() for line in file][2:]
    return [(line[4], [float(x) for x in line[1:4]]) for line in lines]


def number(x):
    """The shortest decimal that reads back as the same double."""
    return repr(float(x))


def write_xyz(path, ions, lattice, keys, pbc="T T T"):
    """ions: (species, position, charge[, molecule])"""
    columns = "species:S:1:pos:R:3:charge:R:1" + (":molid:I:1" if len(ions[0]) > 3 else "")
    with open(path, "w") as file:
        vectors = " ".join(number(x) for x in lattice)
        file.write(f'{len(ions)}\nLattice="{vectors}" Properties={columns} pbc="{pbc}" {keys}\n')
        for species, position, *rest in ions:
            file.write(" ".join([species, *map(number, position), *map(str, rest)]) + "\n")


def spce(atoms):
    charges = {"O": OXYGEN, "H": HYDROGEN}
    ions = [(e, x, charges[e], i // 3 + 1) for i, (e, x) in enumerate(atoms)]
    write_xyz("spce_nist1.xyz", ions, [20, 0, 0, 0, 20, 0, 0, 0, 20],
              'Origin="-10 -10 -10" units=real source="NIST SPC/E configuration 1"')


def water(atoms):
    """The same water as a LAMMPS data file, as write_data writes it: wrapped, with image flags."""
    molecules = len(atoms) // 3
    with open("water.data", "w") as file:
        file.write("LAMMPS data file: SPC/E water, NIST configuration 1, units = real\n\n")
        file.write(f"{len(atoms)} atoms\n2 atom types\n{2 * molecules} bonds\n1 bond types\n")
        file.write(f"{molecules} angles\n1 angle types\n\n")
        file.write("".join(f"-10 10 {d}lo {d}hi\n" for d in "xyz"))
        file.write("\nMasses\n\n1 15.9994 # O\n2 1.008 # H\n")
        file.write("\nBond Coeffs # harmonic\n\n1 1000 1\n")
        file.write("\nAngle Coeffs # harmonic\n\n1 100 109.47\n")
        file.write("\nAtoms # full\n\n")
        for i, (element, position) in enumerate(atoms):
            kind, charge = (1, OXYGEN) if element == "O" else (2, HYDROGEN)
            images = [int((x + 10) // 20) for x in position]
            wrapped = [x - 20 * n for x, n in zip(position, images)]
            file.write(f"{i + 1} {i // 3 + 1} {kind} {charge} "
                       f"{' '.join('%.12g' % x for x in wrapped)} {' '.join(map(str, images))}\n")
        file.write("\nBonds\n\n")
        for m in range(molecules):
            file.write(f"{2 * m + 1} 1 {3 * m + 1} {3 * m + 2}\n")
            file.write(f"{2 * m + 2} 1 {3 * m + 1} {3 * m + 3}\n")
        file.write("\nAngles\n\n")
        for m in range(molecules):
            file.write(f"{m + 1} 1 {3 * m + 2} {3 * m + 1} {3 * m + 3}\n")


def nacl():
    """2 x 2 x 2 cells of rock salt (a = 5.64), moved by 0.1 Angstrom (rms) in each direction."""
    noise = random.Random(64)
    with open("nacl.data", "w") as file:
        file.write("Rock salt, 2 x 2 x 2 cells, displaced by 0.1 Angstrom (rms), units = metal\n\n")
        file.write("64 atoms\n2 atom types\n\n")
        file.write("".join(f"0 11.28 {d}lo {d}hi\n" for d in "xyz"))
        file.write("\nMasses\n\n1 22.98977 # Na\n2 35.453 # Cl\n\nAtoms # charge\n\n")
        sites = [(i, j, k) for i in range(4) for j in range(4) for k in range(4)]
        for n, site in enumerate(sites):
            kind, charge = (1, 1) if sum(site) % 2 == 0 else (2, -1)
            position = " ".join("%.6f" % (2.82 * s + noise.gauss(0, 0.1)) for s in site)
            file.write(f"{n + 1} {kind} {charge} {position}\n")


def scattered(count, size, distance, seed):
    """Random points of a periodic box, no two nearer than `distance`."""
    noise, points = random.Random(seed), []

    def apart(p, q):
        d = [a - b for a, b in zip(p, q)]
        d = [x - L * round(x / L) for x, L in zip(d, size)]
        return sum(x * x for x in d) >= distance * distance

    while len(points) < count:
        p = [round(noise.uniform(0, L), 6) for L in size]
        if all(apart(p, q) for q in points):
            points.append(p)
    return points


def molten_salt():
    """Not equilibrated: charges without order, as a melt is for an Ewald sum."""
    points = scattered(216, (19.5, 19.5, 19.5), 2.2, 216)
    ions = [(("Na", p, 1) if i % 2 == 0 else ("Cl", p, -1)) for i, p in enumerate(points)]
    write_xyz("molten_salt.xyz", ions, [19.5, 0, 0, 0, 19.5, 0, 0, 0, 19.5], "units=metal")


def slab():
    """12 Angstrom of ions between vacuum; more cations above than below give it a dipole."""
    points = scattered(120, (16, 16, 12), 2.2, 120)
    points.sort(key=lambda p: p[2])
    order = random.Random(121)
    ions = []
    for low, high in zip(points[:60], points[60:]):
        up = order.random() < 0.6
        cation, anion = (high, low) if up else (low, high)
        ions += [("Na", cation, 1), ("Cl", anion, -1)]
    write_xyz("slab.xyz", ions, [16, 0, 0, 0, 16, 0, 0, 0, 14], "units=metal", pbc="T T F")


if __name__ == "__main__":
    water_atoms = read_nist(sys.argv[1])
    spce(water_atoms)
    water(water_atoms)
    nacl()
    molten_salt()
    slab()
