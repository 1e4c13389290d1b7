/*
 * test_io_allocations.c - every function of src/io returns ENUF_OUT_OF_MEMORY when one of its
 * allocations fails, leaves its result untouched, and works afterwards. Inputs are texts of one or
 * two ions in each format. See allocation_walk.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "allocation_walk.h"

#include "cell_constants.h"
#include "close_ions.h"
#include "crystals.h"
#include "error.h"
#include "extxyz_comment.h"
#include "formats.h"
#include "gemmi_version.h"
#include "ids.h"
#include "interrupted.h"
#include "lammps_dump_box.h"
#include "lammps_header.h"
#include "lammps_style.h"
#include "lammps_words.h"
#include "memory.h"
#include "output.h"
#include "read.h"
#include "reading.h"
#include "text_stream.h"
#include "units.h"
#include "write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char extxyz[] = "2\nLattice=\"9 0 0 0 9 0 0 0 9\" "
                             "Properties=species:S:1:pos:R:3:charge:R:1:mol:I:1:id:I:1\n"
                             "Na 1 2 3 1 1 1\nCl 3 2 1 -1 2 2\n";

static const char lammps_data[] =
    "title\n2 atoms\n2 atom types\n1 bonds\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n"
    "Atoms # full\n\n1 1 1 1 0 0 0\n2 1 2 -1 1 1 1\n\nBonds\n\n1 1 1 2\n";

static const char poscar[] = "rock salt\n1\n4 0 0\n0 4 0\n0 0 4\nNa Cl\n1 1\nDirect\n"
                             "0 0 0\n0.5 0.5 0.5\n";

static const char cif[] =
    "data_salt\n_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 4\n_cell_angle_alpha 90\n"
    "_cell_angle_beta 90\n_cell_angle_gamma 90\n_symmetry_space_group_name_H-M 'P 1'\nloop_\n"
    "_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n"
    "_atom_site_fract_z\nNa1 Na 0 0 0\nCl1 Cl 0.5 0.5 0.5\n";

static const char dump[] =
    "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
    "ITEM: ATOMS id mol type q x y z\n1 1 1 1 0 0 0\n2 1 2 -1 1 1 1\n";

static const char pdb[] =
    "CRYST1    9.000    9.000    9.000  90.00  90.00  90.00 P 1\n"
    "HETATM    1 NA    NA     1       1.000   2.000   3.000  1.00  0.00          NA\n";

static const char gro[] = "salt\n1\n    1NA      NA    1   0.100   0.200   0.300\n 0.9 0.9 0.9\n";

static char path[] = "/tmp/enuf-allocations-XXXXXX";

/* The text, without a copy: so only the reader allocates. */
static enuf_text text_of(const char *string)
{
    return (enuf_text){
        .name = "a text", .bytes = (char *)(uintptr_t)string, .size = (int64_t)strlen(string)};
}

/* A failed call has left the structure as it was: all zeros. */
static enuf_status keep_untouched(enuf_status status, const enuf_structure *s)
{
    static const enuf_structure zeros;
    if (status) CHECK(memcmp(s, &zeros, sizeof zeros) == 0);
    return status;
}

static enuf_status read_by(enuf_status (*read)(const enuf_text *, enuf_reading *),
                           const char *string)
{
    const enuf_text text = text_of(string);
    enuf_reading reading = {0};
    const enuf_status status = read(&text, &reading);
    enuf_reading_free(&reading);
    return status;
}

static enuf_status step_enuf_read_extxyz(void)
{
    return read_by(enuf_read_extxyz, extxyz);
}

static enuf_status step_enuf_read_lammps_data(void)
{
    return read_by(enuf_read_lammps_data, lammps_data);
}

static enuf_status step_enuf_read_poscar(void)
{
    return read_by(enuf_read_poscar, poscar);
}

/* A build without gemmi refuses CIF before it allocates. */
static enuf_status step_enuf_read_cif(void)
{
    const enuf_status status = read_by(enuf_read_cif, cif);
    return status == ENUF_UNSUPPORTED ? ENUF_SUCCESS : status;
}

static enuf_status step_enuf_parse_structure(void)
{
    const enuf_text text = text_of(extxyz);
    enuf_charge_rule rule;
    enuf_structure s = {0};
    ENUF_TRY(enuf_charge_rule_parse("Na=2", &rule));
    const enuf_status status =
        keep_untouched(enuf_parse_structure(&text, "extxyz", &rule, 1, &s), &s);
    enuf_structure_free(&s);
    return status;
}

static enuf_status step_enuf_read_structure(void)
{
    enuf_structure s = {0};
    const enuf_status status =
        keep_untouched(enuf_read_structure(path, "lammps-data", NULL, 0, &s), &s);
    enuf_structure_free(&s);
    return status;
}

static enuf_status step_enuf_read_lammps_dump(void)
{
    return read_by(enuf_read_lammps_dump, dump);
}

static enuf_status step_enuf_read_pdb(void)
{
    return read_by(enuf_read_pdb, pdb);
}

static enuf_status step_enuf_read_gro(void)
{
    return read_by(enuf_read_gro, gro);
}

static enuf_status first_frame(enuf_status status, enuf_trajectory **frames)
{
    enuf_structure s = {0};
    int found = 0;
    if (status == ENUF_SUCCESS) {
        status = keep_untouched(enuf_trajectory_next(*frames, &s, &found), &s);
        enuf_structure_free(&s);
    }
    enuf_trajectory_close(frames);
    CHECK(*frames == NULL);
    return status;
}

static enuf_status step_enuf_trajectory_open(void)
{
    const enuf_read_options options = {.format = "lammps-data"};
    enuf_trajectory *frames;
    return first_frame(enuf_trajectory_open(path, &options, &frames), &frames);
}

static enuf_status step_enuf_trajectory_open_text(void)
{
    const enuf_text text = text_of(dump);
    const enuf_read_options options = {0};
    enuf_trajectory *frames;
    return first_frame(enuf_trajectory_open_text(&text, &options, &frames), &frames);
}

static enuf_status step_enuf_text_stream_load(void)
{
    enuf_text_stream stream;
    ENUF_TRY(enuf_text_stream_open(path, &stream));
    const enuf_status status = enuf_text_stream_load(&stream, 10);
    enuf_text_stream_close(&stream);
    return status;
}

static enuf_status step_enuf_text_stream_copy(void)
{
    const enuf_text text = text_of(dump);
    enuf_text_stream stream;
    const enuf_status status = enuf_text_stream_copy(&text, &stream);
    enuf_text_stream_close(&stream);
    return status;
}

static enuf_status step_enuf_reading_check_ids(void)
{
    const enuf_text text = text_of(dump);
    int64_t ids[2] = {2, 1};
    const enuf_structure ions = {.n = 2, .ids = ids};
    return enuf_reading_check_ids(&text, 1, &ions);
}

static enuf_status step_enuf_text_load(void)
{
    enuf_text text = {0};
    const enuf_status status = enuf_text_load(path, &text);
    enuf_text_free(&text);
    return status;
}

static enuf_status step_enuf_text_copy(void)
{
    enuf_text text = {0};
    const enuf_status status = enuf_text_copy("a text", extxyz, strlen(extxyz), &text);
    enuf_text_free(&text);
    return status;
}

static enuf_status step_enuf_reading_create(void)
{
    enuf_reading reading = {0};
    const enuf_status status = enuf_reading_create(3, 2, &reading);
    enuf_reading_free(&reading);
    return status;
}

/* Six species: the array of names grows twice. */
static enuf_status step_enuf_reading_species(void)
{
    static const char *const names[] = {"Na", "Cl", "K", "Na", "Br", "Li"};
    const enuf_text text = text_of(extxyz);
    enuf_reading reading = {0};
    int32_t species = 0;
    enuf_status status = enuf_reading_create(3, 0, &reading);
    for (int k = 0; !status && k < 6; ++k) {
        const enuf_word name = {names[k], strlen(names[k])};
        status = enuf_reading_species(&text, 1, name, &reading, &species);
        if (!status) CHECK(species == (k == 3 ? 0 : k > 3 ? k - 1 : k));
    }
    enuf_reading_free(&reading);
    return status;
}

static enuf_status step_enuf_structure_create(void)
{
    enuf_structure s = {0};
    const enuf_status status = enuf_structure_create(3, 2, &s);
    enuf_structure_free(&s);
    return status;
}

static enuf_status step_enuf_crystal_build(void)
{
    enuf_structure s = {0};
    const enuf_status status =
        keep_untouched(enuf_crystal_build(enuf_crystal_find("nacl"), 2, &s), &s);
    enuf_structure_free(&s);
    return status;
}

static enuf_status step_enuf_ids_sort(void)
{
    static const int64_t ids[3] = {9, 2, 5};
    enuf_id *sorted = NULL;
    const enuf_status status = enuf_ids_sort(3, ids, &sorted);
    enuf_release(&sorted);
    return status;
}

/* The allocations of the crystal do not count. */
static enuf_status step_enuf_close_ions(void)
{
    static enuf_structure crystal;
    int64_t pair[2];
    if (crystal.n == 0) {
        enuf_fail_allocation(0);
        CHECK_STATUS(enuf_crystal_build(enuf_crystal_find("nacl"), 2, &crystal), ENUF_SUCCESS);
        enuf_fail_allocation(1);
    }
    const enuf_status status = enuf_close_ions(&crystal, 0.1, pair);
    if (!status) {
        CHECK(pair[0] == -1);
        enuf_structure_free(&crystal);
    }
    return status;
}

static enuf_status step_enuf_output_open(void)
{
    enuf_output *output;
    const enuf_status status = enuf_output_open(path, &output);
    CHECK((output == NULL) == (status != ENUF_SUCCESS));
    enuf_output_discard(&output);
    return status;
}

static const walk_step steps[] = {
    WALK(enuf_read_extxyz, ALLOCATES),
    WALK(enuf_read_lammps_data, ALLOCATES),
    WALK(enuf_read_poscar, ALLOCATES),
    WALK(enuf_read_cif, MAY_ALLOCATE),
    WALK(enuf_read_lammps_dump, ALLOCATES),
    WALK(enuf_read_pdb, ALLOCATES),
    WALK(enuf_read_gro, ALLOCATES),
    WALK(enuf_trajectory_open, ALLOCATES),
    WALK(enuf_trajectory_open_text, ALLOCATES),
    WALK(enuf_text_stream_load, ALLOCATES),
    WALK(enuf_text_stream_copy, ALLOCATES),
    WALK(enuf_reading_check_ids, ALLOCATES),
    WALK(enuf_parse_structure, ALLOCATES),
    WALK(enuf_read_structure, ALLOCATES),
    WALK(enuf_text_load, ALLOCATES),
    WALK(enuf_text_copy, ALLOCATES),
    WALK(enuf_reading_create, ALLOCATES),
    WALK(enuf_reading_species, ALLOCATES),
    WALK(enuf_structure_create, ALLOCATES),
    WALK(enuf_crystal_build, ALLOCATES),
    WALK(enuf_ids_sort, ALLOCATES),
    WALK(enuf_close_ions, ALLOCATES),
    WALK(enuf_output_open, ALLOCATES),

    WALKED_WITHIN(enuf_cell_from_constants),
    WALKED_WITHIN(enuf_cell_heights),
    WALKED_WITHIN(enuf_charge_rule_parse),
    WALKED_WITHIN(enuf_charge_rules_apply),
    WALKED_WITHIN(enuf_crystal_at),
    WALKED_WITHIN(enuf_crystal_constant),
    WALKED_WITHIN(enuf_crystal_count),
    WALKED_WITHIN(enuf_crystal_find),
    WALKED_WITHIN(enuf_extxyz_comment_read),
    WALKED_WITHIN(enuf_format_find),
    WALKED_WITHIN(enuf_format_name),
    WALKED_WITHIN(enuf_gemmi_version),
    WALKED_WITHIN(enuf_ids_find),
    WALKED_WITHIN(enuf_ids_repeated),
    WALKED_WITHIN(enuf_interrupted_add),
    WALKED_WITHIN(enuf_interrupted_forget),
    WALKED_WITHIN(enuf_interrupted_hold),
    WALKED_WITHIN(enuf_interrupted_let),
    WALKED_WITHIN(enuf_lammps_are_words),
    WALKED_WITHIN(enuf_lammps_dump_box_read),
    WALKED_WITHIN(enuf_lammps_find_keyword),
    WALKED_WITHIN(enuf_lammps_find_section),
    WALKED_WITHIN(enuf_lammps_header_read),
    WALKED_WITHIN(enuf_lammps_is_foreign),
    WALKED_WITHIN(enuf_lammps_refuse_line),
    WALKED_WITHIN(enuf_lammps_split),
    WALKED_WITHIN(enuf_lammps_style_find),
    WALKED_WITHIN(enuf_line_comment),
    WALKED_WITHIN(enuf_line_split),
    WALKED_WITHIN(enuf_missing_extxyz),
    WALKED_WITHIN(enuf_missing_gro),
    WALKED_WITHIN(enuf_missing_lammps_dump),
    WALKED_WITHIN(enuf_missing_pdb),
    WALKED_WITHIN(enuf_output_commit),
    WALKED_WITHIN(enuf_output_commit_all),
    WALKED_WITHIN(enuf_output_discard),
    WALKED_WITHIN(enuf_output_same),
    WALKED_WITHIN(enuf_output_stream),
    WALKED_WITHIN(enuf_reading_check_cell),
    WALKED_WITHIN(enuf_reading_check_whole_line),
    WALKED_WITHIN(enuf_reading_explain),
    WALKED_WITHIN(enuf_reading_free),
    WALKED_WITHIN(enuf_reading_missing),
    WALKED_WITHIN(enuf_reading_use_cell),
    WALKED_WITHIN(enuf_structure_free),
    WALKED_WITHIN(enuf_structure_set_name),
    WALKED_WITHIN(enuf_structure_volume),
    WALKED_WITHIN(enuf_text_fail),
    WALKED_WITHIN(enuf_text_free),
    WALKED_WITHIN(enuf_text_left),
    WALKED_WITHIN(enuf_text_next),
    WALKED_WITHIN(enuf_text_next_filled),
    WALKED_WITHIN(enuf_text_skip),
    WALKED_WITHIN(enuf_text_stream_at_end),
    WALKED_WITHIN(enuf_text_stream_close),
    WALKED_WITHIN(enuf_text_stream_drop),
    WALKED_WITHIN(enuf_text_stream_load_all),
    WALKED_WITHIN(enuf_text_stream_open),
    WALKED_WITHIN(enuf_trajectory_close),
    WALKED_WITHIN(enuf_trajectory_next),
    WALKED_WITHIN(enuf_trajectory_progress),
    WALKED_WITHIN(enuf_unit_system_of),
    WALKED_WITHIN(enuf_units_parse),
    WALKED_WITHIN(enuf_word_begins_number),
    WALKED_WITHIN(enuf_word_integer),
    WALKED_WITHIN(enuf_word_is),
    WALKED_WITHIN(enuf_word_real),
    WALKED_WITHIN(enuf_write_extxyz),
};

enum { N_STEPS = sizeof steps / sizeof *steps };

int main(int argc, char **argv)
{
    int counts[N_STEPS] = {0};
    if (walk_list(argc, argv, steps, N_STEPS)) return CHECK_PASSED;
    const int file = mkstemp(path);
    if (!CHECK(file >= 0 && write(file, lammps_data, strlen(lammps_data)) > 0)) return 1;
    walk_all(steps, N_STEPS, counts);
    walk_check(steps, N_STEPS, counts);
    close(file);
    remove(path);
    return check_result();
}
