/*
 * test_read_memory.c - if any single allocation of a reader or of a crystal's builder fails, the
 * status is ENUF_OUT_OF_MEMORY and the result stays untouched. With a leak checker: nothing leaks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "crystals.h"
#include "memory.h"
#include "output.h"
#include "parse.h"

#include <string.h>

static enuf_status read_extxyz(enuf_structure *s)
{
    return parse("two.xyz",
                 "2\nLattice=\"9 0 0 0 9 0 0 0 9\" "
                 "Properties=species:S:1:pos:R:3:charge:R:1:mol:I:1:id:I:1\n"
                 "Na 1 2 3 1 1 1\nCl 3 2 1 -1 2 2\n",
                 s);
}

static enuf_status read_lammps_data(enuf_structure *s)
{
    return parse("two.data",
                 "title\n2 atoms\n2 atom types\n1 bonds\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n"
                 "Atoms # full\n\n1 1 1 1 0 0 0\n2 1 2 -1 1 1 1\n\nBonds\n\n1 1 1 2\n",
                 s);
}

static enuf_status read_poscar(enuf_structure *s)
{
    return parse_with("POSCAR", "t\n1\n4 0 0\n0 4 0\n0 0 4\nNa\n1\nDirect\n0 0 0\n", "Na=1", s);
}

static enuf_status read_cif(enuf_structure *s)
{
    return parse_with("salt.cif",
                      "data_a\n_cell_length_a 5\n_cell_length_b 5\n_cell_length_c 5\n"
                      "_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\n"
                      "_symmetry_space_group_name_H-M 'P 1'\nloop_\n_atom_site_label\n"
                      "_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nNa 0 0 0\n",
                      "Na=1", s);
}

static enuf_status build_crystal(enuf_structure *s)
{
    return enuf_crystal_build(enuf_crystal_find("nacl"), 2, s);
}

static void every_allocation_may_fail(enuf_status (*make)(enuf_structure *), int at_least)
{
    enuf_status status = ENUF_OUT_OF_MEMORY;
    int failures = 0;
    for (int n = 1; n < 100 && status != ENUF_SUCCESS; ++n) {
        enuf_structure untouched, s;
        memset(&s, 0x5a, sizeof s);
        untouched = s;
        enuf_fail_allocation(n);
        status = make(&s);
        enuf_fail_allocation(0);
        if (status == ENUF_SUCCESS) {
            enuf_structure_free(&s);
        } else {
            ++failures;
            CHECK_STATUS(status, ENUF_OUT_OF_MEMORY);
            CHECK(memcmp(&s, &untouched, sizeof s) == 0);
        }
    }
    CHECK_STATUS(status, ENUF_SUCCESS);
    CHECK(failures >= at_least);
}

static void output_leaves_nothing_behind(void)
{
    enuf_output *output;
    enuf_fail_allocation(1);
    CHECK_STATUS(enuf_output_open("out_of_memory.xyz", &output), ENUF_OUT_OF_MEMORY);
    enuf_fail_allocation(0);
    CHECK(output == NULL);
}

int main(void)
{
    every_allocation_may_fail(read_extxyz, 8);
    every_allocation_may_fail(read_lammps_data, 9);
    every_allocation_may_fail(read_poscar, 7);
    if (ENUF_HAS_GEMMI) every_allocation_may_fail(read_cif, 9);
    every_allocation_may_fail(build_crystal, 4);
    output_leaves_nothing_behind();
    return check_result();
}
