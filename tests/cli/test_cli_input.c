/*
 * test_cli_input.c - options that describe the input of `enuf energy` change the energy by a known
 * amount: formats and standard input (none), units (Coulomb constants), exclusions (q q C/r of each
 * pair), charges (CsCl), net charge (Wigner crystal), slab and boundary dielectric (dipole terms).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two molecules of two ions; the same as a LAMMPS file with bonds. */
static const char pairs_xyz[] =
    "4\nLattice=\"8 0 0 0 9 0 0 0 10\" Properties=species:S:1:pos:R:3:charge:R:1:molid:I:1 "
    "units=real\nA 1 1 1 1 1\nB 2 1 1 -1 1\nA 5 5 5 1 2\nB 5 6.5 5 -1 2\n";

static const char pairs_data[] =
    "pairs, units = real\n\n4 atoms\n2 atom types\n2 bonds\n1 bond types\n\n0 8 xlo xhi\n0 9 ylo "
    "yhi\n0 10 zlo zhi\n\nAtoms # full\n\n1 1 1 1 1 1 1\n2 1 2 -1 2 1 1\n3 2 1 1 5 5 5\n4 2 2 -1 5 "
    "6.5 5\n\nBonds\n\n1 1 1 2\n2 1 4 3\n";

/* The energy with these arguments; NaN if the program fails. */
#define ENERGY(...) energy_by((const char *const[]){"energy", __VA_ARGS__, "--json", NULL})

static double energy_by(const char *const words[])
{
    cJSON *report = program_json(words, __FILE__, __LINE__);
    const double energy = json_number(report, "energy");
    cJSON_Delete(report);
    return energy;
}

static void units_scale_the_energy(void)
{
    const double real = ENERGY("pairs.xyz");
    CHECK_CLOSE(ENERGY("pairs.xyz", "--units", "metal"), real * 14.399645 / 332.06371, 1e-12,
                "metal");
    CHECK_CLOSE(ENERGY("pairs.xyz", "--units", "lj"), real / 332.06371, 1e-12, "lj");
    cJSON *report = JSON("energy", "pairs.xyz", "--units", "metal");
    CHECK(strcmp(json_text(report, "unit"), "eV") == 0);
    CHECK(strcmp(json_text(report, "units"), "metal") == 0);
    cJSON_Delete(report);
}

static void formats_agree(void)
{
    const double energy = ENERGY("pairs.xyz");
    CHECK_CLOSE(ENERGY("pairs.data"), energy, 1e-13, "LAMMPS data");
    CHECK_CLOSE(ENERGY("pairs.data", "--format", "lammps-data"), energy, 1e-13, "format named");
    program_run run;
    program_start(&run, pairs_xyz, (const char *const[]){"energy", "-", "--json", NULL});
    cJSON *report = cJSON_Parse(run.out);
    CHECK_CLOSE(json_number(report, "energy"), energy, 0, "standard input");
    cJSON_Delete(report);
    program_free(&run);
    REFUSED("extxyz", "energy", "pairs.data", "--format", "xtc");
}

/* An exclusion subtracts q q C/r of its pair. The sum over both pairs is -C (1/1 + 1/1.5), so the
 * energy grows by C (1/1 + 1/1.5). */
static void exclusions_take_their_pairs_off(void)
{
    const double energy = ENERGY("pairs.xyz", "--accuracy", "1e-11");
    const double pairs = 332.06371 * (1 + 1 / 1.5);
    CHECK_CLOSE(ENERGY("pairs.xyz", "--exclude", "molecule", "--accuracy", "1e-11"), energy + pairs,
                1e-9, "--exclude molecule");
    CHECK_CLOSE(ENERGY("pairs.data", "--exclude", "bonds", "--accuracy", "1e-11"), energy + pairs,
                1e-9, "--exclude bonds");
    CHECK_CLOSE(ENERGY("pairs.xyz", "--exclude", "none", "--accuracy", "1e-11"), energy, 0,
                "--exclude none");
    cJSON *report = JSON("energy", "pairs.data", "--exclude", "molecule");
    CHECK_CLOSE(json_number(report, "parts.excluded"), pairs, 1e-12, "part excluded");
    cJSON_Delete(report);
    REFUSED("no bonds", "energy", "pairs.xyz", "--exclude", "bonds");
    REFUSED("no molecule", "energy", "nacl.xyz", "--exclude", "molecule");
    REFUSED("none, bonds, molecule", "energy", "nacl.xyz", "--exclude", "angles");
}

static void charges_may_be_given(void)
{
    static const char bare[] = "2\nLattice=\"4 0 0 0 4 0 0 0 4\" Properties=species:S:1:pos:R:3 "
                               "units=real\nCs 0 0 0\nCl 2 2 2\n";
    program_write_file("bare.xyz", bare);
    const double cscl = -1.762674773070988398 * 332.06371 / (2 * sqrt(3.));
    CHECK_CLOSE(ENERGY("bare.xyz", "--charge", "Cs=1", "--charge", "Cl=-1", "--accuracy", "1e-10"),
                cscl, 1e-9, "CsCl");
    CHECK_CLOSE(ENERGY("bare.xyz", "--charge=Cs=2", "--charge=Cl=-2", "--accuracy", "1e-10"),
                4 * cscl, 1e-9, "CsCl, doubly charged");
    REFUSED("Cs", "energy", "bare.xyz");
    REFUSED("Cl", "energy", "bare.xyz", "--charge", "Cs=1");
    REFUSED("Na", "energy", "bare.xyz", "--charge", "Na=1", "--charge", "Cs=1", "--charge",
            "Cl=-1");
    REFUSED("--charge", "energy", "bare.xyz", "--charge", "Cs");
}

static void net_charge_is_said_once(void)
{
    program_run run;
    program_write_file("ion.xyz",
                       "1\nLattice=\"2 0 0 0 2 0 0 0 2\" "
                       "Properties=species:S:1:pos:R:3:charge:R:1 units=lj\nH 0 0 0 1\n");
    RUN(&run, "energy", "ion.xyz", "--json", "--accuracy", "1e-10");
    CHECK(run.status == 0);
    CHECK(program_lines(run.err) == 1);
    CHECK(strncmp(run.err, "enuf energy: warning: net charge 1 ", 35) == 0);
    cJSON *report = cJSON_Parse(run.out);
    CHECK_CLOSE(json_number(report, "energy"), -2.837297479480619 / 4, 1e-9, "Wigner crystal");
    CHECK_CLOSE(json_number(report, "charge"), 1, 0, "net charge");
    CHECK(json_number(report, "parts.background") < 0);
    cJSON_Delete(report);
    program_free(&run);
    RUN(&run, "energy", "ion.xyz", "--quiet");
    CHECK(run.status == 0 && !*run.err);
    program_free(&run);
}

static void further_frames_are_said_to_be_left_out(void)
{
    char frames[2048];
    snprintf(frames, sizeof frames, "%s%s", nacl_xyz, nacl_xyz);
    program_write_file("frames.xyz", frames);
    program_run run;
    RUN(&run, "madelung", "frames.xyz");
    CHECK(run.status == 0 && program_lines(run.err) == 1);
    CHECK(strstr(run.err, "warning: frames.xyz holds several frames: this is the first"));
    program_free(&run);
}

static void boundaries_are_respected(void)
{
    static const char layer[] =
        "4\nLattice=\"5 0 0 0 5 0 0 0 4\" Properties=species:S:1:pos:R:3:charge:R:1 pbc=\"T T F\" "
        "units=real\nA 0 0 0 1\nB 2.5 2.5 1 -1\nA 2.5 0 2 1\nB 0 2.5 3 -1\n";
    program_write_file("layer.xyz", layer);
    REFUSED("--slab", "energy", "layer.xyz");
    REFUSED("not periodic along c", "madelung", "layer.xyz");
    REFUSED("--slab '0.5'", "energy", "layer.xyz", "--slab", "0.5");
    cJSON *report = JSON("energy", "layer.xyz", "--slab", "3");
    CHECK_CLOSE(json_number(report, "parameters.slab"), 3, 0, "slab");
    /* neutral EW3DC: 2 pi M_z^2 C / (3 V), M_z = 0 - 1 + 2 - 3 */
    const double pi = 3.14159265358979323846;
    CHECK_CLOSE(json_number(report, "parts.surface"), 2 * pi * 4 * 332.06371 / (3 * 100.), 1e-12,
                "surface");
    cJSON_Delete(report);
    /* images along c interact less the farther they are: factors 8 and 16 agree better than 3 and
     * 16
     */
    const double three = ENERGY("layer.xyz", "--slab", "3", "--accuracy", "1e-10");
    const double eight = ENERGY("layer.xyz", "--slab", "8", "--accuracy", "1e-10");
    const double sixteen = ENERGY("layer.xyz", "--slab", "16", "--accuracy", "1e-10");
    CHECK_CLOSE(three, sixteen, 1e-2, "slab 3 against 16");
    CHECK_CLOSE(eight, sixteen, 1e-8, "slab 8 against 16");
    REFUSED("slab", "energy", "layer.xyz", "--slab", "3", "--surroundings", "1");

    /* sphere in vacuum: 2 pi M^2 C / (3 V), M = (0, 0, 1.2); tinfoil: nothing */
    program_write_file("dipole.xyz", "2\nLattice=\"6 0 0 0 6 0 0 0 6\" "
                                     "Properties=species:S:1:pos:R:3:charge:R:1 units=real\n"
                                     "A 1 1 2.2 1\nB 1 1 1 -1\n");
    const double tinfoil = ENERGY("dipole.xyz", "--accuracy", "1e-11");
    CHECK_CLOSE(ENERGY("dipole.xyz", "--surroundings", "1", "--accuracy", "1e-11") - tinfoil,
                2 * pi * 1.44 * 332.06371 / (3 * 216), 1e-9, "vacuum - tinfoil");
    CHECK_CLOSE(ENERGY("dipole.xyz", "--surroundings", "80", "--accuracy", "1e-11") - tinfoil,
                2 * pi * 1.44 * 332.06371 / (161 * 216), 1e-7, "water - tinfoil");
}

int main(void)
{
    program_enter_directory();
    program_write_file("pairs.xyz", pairs_xyz);
    program_write_file("pairs.data", pairs_data);
    program_write_file("nacl.xyz", nacl_xyz);
    units_scale_the_energy();
    formats_agree();
    exclusions_take_their_pairs_off();
    charges_may_be_given();
    net_charge_is_said_once();
    further_frames_are_said_to_be_left_out();
    boundaries_are_respected();
    program_leave_directory();
    return check_result();
}
