/*
 * test_cli_bad_input.c - an error that the user can correct gives exit status 2 and one line on
 * stderr that names the error; nothing is on stdout, and no file is written. Inputs: damaged files
 * of each kind, cells that no sum serves, wrong values of options.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <stdio.h>
#include <string.h>

#define HEAD "Properties=species:S:1:pos:R:3:charge:R:1 pbc=\"T T T\"\n"
#define CUBE "Lattice=\"4 0 0 0 4 0 0 0 4\" " HEAD

static void refused_file(const char *text, const char *content)
{
    program_write_file("bad.xyz", content);
    REFUSED(text, "energy", "bad.xyz", "--forces", "f.xyz", "--per-atom", "a.xyz", "--json");
}

static void refused_data(const char *text, const char *content)
{
    program_write_file("bad.data", content);
    REFUSED(text, "energy", "bad.data", "--forces", "f.xyz");
}

static void files(void)
{
    REFUSED("missing.xyz", "energy", "missing.xyz", "--forces", "f.xyz");
    REFUSED("directory", "energy", ".");
    refused_file("empty", "");
    refused_file("line 4", "2\n" CUBE "Na 0 0 0 1\nCl 2 2 -1\n");
    refused_file("line 3", "2\n" CUBE "Na 0 0 zero 1\nCl 2 2 2 -1\n");
    refused_file("line 4", "2\n" CUBE "Na 0 0 0 1\nCl 2 2 nan -1\n");
    refused_file("line 4", "2\n" CUBE "Na 0 0 0 1\nCl 2 2 2 inf\n");
    refused_file("volume", "1\nLattice=\"4 0 0 0 4 0 4 4 0\" " HEAD "Na 0 0 0 1\n");
    refused_file("bad.xyz", "99999999999999999999\n" CUBE "Na 0 0 0 1\n");
    refused_file("bad.xyz", "1000000000000\n" CUBE "Na 0 0 0 1\n");
    refused_file("bad.xyz", "-3\n" CUBE "Na 0 0 0 1\n");
    refused_file("bad.xyz", "3\n" CUBE "Na 0 0 0 1\n");
    refused_file("Na",
                 "1\nLattice=\"4 0 0 0 4 0 0 0 4\" Properties=species:S:1:pos:R:3\nNa 0 0 0\n");
    refused_data("line 10", "salt\n\n2 atoms\n2 atom types\n0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n"
                            "Atoms # charge\n\n1 1 1 0 0\n2 2 -1 2 2 2\n");
    refused_data("bad.data",
                 "salt\n\n2 atoms\n2 atom types\n0 4 xlo xhi\n0 4 ylo yhi\n4 4 zlo zhi\n"
                 "\nAtoms # charge\n\n1 1 1 0 0 0\n2 2 -1 2 2 2\n");
    refused_data("bad.data", "salt\n\n900000000000 atoms\n2 atom types\n0 4 xlo xhi\n0 4 ylo yhi\n"
                             "0 4 zlo zhi\n\nAtoms # charge\n\n1 1 1 0 0 0\n");

    /* cells for which every sum would take too long are refused before a sum begins; the message
     * names the line of the cell */
#define TWO_IONS "\nAtoms # charge\n\n1 1 1 0 0 0\n2 2 -1 2 2 2\n"
    refused_data("line 5: the cell is too thin or too long for its 2 charges",
                 "salt\n\n2 atoms\n2 atom types\n0 99999999999 xlo xhi\n0 4 ylo yhi\n0 4 zlo "
                 "zhi\n" TWO_IONS);
    refused_data("line 5: cell vector a is 1e+100 long",
                 "salt\n\n2 atoms\n2 atom types\n0 1e100 xlo xhi\n0 4 ylo yhi\n0 4 zlo "
                 "zhi\n" TWO_IONS);
    refused_file("line 2: the cell is too thin",
                 "2\nLattice=\"1e-6 0 0 0 1e6 0 0 0 10\" " HEAD "Na 0 0 0 1\nCl 0 2 2 -1\n");

    FILE *binary = fopen("bad.bin", "wb");
    for (int i = 0; i < 4096; ++i) fputc(i * 7919 % 256, binary);
    fclose(binary);
    REFUSED("is no text", "energy", "bad.bin");
    REFUSED("is no text", "madelung", "bad.bin");
    program_check_refused("empty", "", (const char *const[]){"energy", "-", NULL}, __FILE__,
                          __LINE__);
}

static void options(void)
{
#define OPTION(text, ...) REFUSED(text, "energy", "nacl.xyz", "--forces", "f.xyz", __VA_ARGS__)
    OPTION("from 1e-13 to 0.01", "--accuracy", "1");
    OPTION("from 1e-13 to 0.01", "--accuracy", "1e-14");
    OPTION("from 1e-13 to 0.01", "--accuracy", "0");
    OPTION("from 1e-13 to 0.01", "--accuracy", "nan");
    OPTION("from 1e-13 to 0.01", "--accuracy", "1e-6x");
    OPTION("one of", "--accuracy", "1e-6", "--force-error", "1");
    OPTION("above 0", "--force-error", "-1");
    OPTION("above 0", "--lammps-accuracy", "0");
    OPTION("above 0", "--cutoff", "-3");
    OPTION("above 0", "--cutoff", "inf");
    OPTION("above 0", "--alpha", "0");
    OPTION("above 0", "--kmax", "x");
    OPTION("gaussian, prolate", "--split", "erfc");
    OPTION("kaiser_bessel", "--window", "box");
    OPTION("auto, double, mixed", "--precision", "single");
    OPTION("cpu, cuda", "--backend", "tpu");
    OPTION("real, metal, si, lj", "--units", "nano");
    OPTION("from 2 to 32", "--width", "33");
    OPTION("three whole numbers", "--grid", "32,32");
    OPTION("three whole numbers", "--grid", "32,32,0");
    OPTION("three whole numbers", "--grid", "32,32,32,32");
    OPTION("--threads", "--threads", "0");
    OPTION("--measure-error", "--measure-error", "0");
    OPTION("--surroundings", "--surroundings", "-1");
    OPTION("needs an argument", "--accuracy");
    OPTION("takes no argument", "--json=1");
    OPTION("empty", "--per-atom", "");
    OPTION("alpha", "--split", "prolate", "--alpha", "0.3");
    REFUSED("nowhere/f.xyz", "energy", "nacl.xyz", "--forces", "nowhere/f.xyz");

    REFUSED("LO:HI:N", "madelung", "nacl", "--sweep-alpha", "2:1:5");
    REFUSED("LO:HI:N", "madelung", "nacl", "--sweep-alpha", "0:1:5");
    REFUSED("LO:HI:N", "madelung", "nacl", "--sweep-alpha", "1:2");
    REFUSED("--sweep-alpha", "madelung", "nacl", "--plot", "p.png");
    REFUSED(".png", "madelung", "nacl", "--sweep-alpha", "1:2:3", "--plot", "p.jpg");
    REFUSED("nowhere/p.png", "madelung", "nacl", "--sweep-alpha", "1:2:3", "--plot",
            "nowhere/p.png");
    REFUSED("prolate", "madelung", "nacl", "--sweep-alpha", "1:2:3", "--split", "prolate");
    REFUSED("opposite charge", "madelung", "one_sign.xyz");
}

int main(void)
{
    program_enter_directory();
    program_write_file("nacl.xyz", nacl_xyz);
    program_write_file("one_sign.xyz", "2\n" CUBE "Na 0 0 0 1\nNa 2 2 2 1\n");
    files();
    options();
    program_leave_directory();
    return check_result();
}
