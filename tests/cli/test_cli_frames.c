/*
 * test_cli_frames.c - `enuf energy` on trajectories and on several files.
 *
 * Each frame has the energy that it has alone (reference: the Madelung constants of rock salt and
 * CsCl, within the promise 20 A |E|), and a line of JSON or a row of the table. A frame with an
 * error is reported, and the others are computed. Also --potential (1/2 sum q phi is the energy)
 * and
 * --cell, which gives a cell to a file without one.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"
#include "random_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 5, IONS = 8, SIZE = 8192 };

/* Appends a frame of rock salt with the edge 5.64 + f/10. broken 1: two ions are at one place. */
static void add_frame(char *text, int f, int broken)
{
    static const char *const sites[IONS] = {"0 0 0", "0 1 1", "1 0 1", "1 1 0",
                                            "1 1 1", "1 0 0", "0 1 0", "0 0 1"};
    const double a = 5.64 + f / 10.;
    char *at = text + strlen(text);
    at += sprintf(at,
                  "8\nLattice=\"%g 0 0 0 %g 0 0 0 %g\" Properties=species:S:1:pos:R:3:charge:R:1 "
                  "units=real\n",
                  a, a, a);
    for (int i = 0; i < IONS; ++i) {
        int x[3];
        sscanf(broken && i == 1 ? sites[0] : sites[i], "%d %d %d", &x[0], &x[1], &x[2]);
        at += sprintf(at, "%s %g %g %g %d\n", i < 4 ? "Na" : "Cl", x[0] * a / 2, x[1] * a / 2,
                      x[2] * a / 2, i < 4 ? 1 : -1);
    }
}

static double exact(int f)
{
    return -8 * 1.747564594633182191 * 332.06371 / (5.64 + f / 10.);
}

static void write_files(void)
{
    char text[SIZE] = "", bad[SIZE] = "", one[SIZE];
    for (int f = 0; f < FRAMES; ++f) {
        char name[16];
        add_frame(text, f, 0);
        add_frame(bad, f, f == 2);
        one[0] = 0;
        add_frame(one, f, 0);
        sprintf(name, "%d.xyz", f);
        program_write_file(name, one);
    }
    program_write_file("all.xyz", text);
    program_write_file("bad.xyz", bad);
    text[strlen(text) - 150] = 0;
    program_write_file("cut.xyz", text);
}

/* Parses the line at *at, which has to be an object of JSON; sets *at to the next line. */
static cJSON *object_of_line(const char **at)
{
    const char *end = strchr(*at, '\n');
    if (!CHECK(end != NULL)) return NULL;
    cJSON *object = cJSON_ParseWithLength(*at, (size_t)(end - *at));
    CHECK(cJSON_IsObject(object));
    *at = end + 1;
    return object;
}

/* The energy of each frame is promised to 20 A |E|. */
static void every_frame_is_computed(void)
{
    program_run run;
    RUN(&run, "energy", "all.xyz", "--json", "--forces", "f.xyz");
    CHECK(run.status == 0 && !*run.err && program_lines(run.out) == FRAMES);
    const char *at = run.out;
    for (int f = 0; f < FRAMES && *at; ++f) {
        cJSON *object = object_of_line(&at);
        CHECK_CLOSE(json_number(object, "energy"), exact(f), 2e-5, "energy");
        CHECK(json_number(object, "frame") == f + 1);
        CHECK(strcmp(json_text(object, "input"), "all.xyz") == 0);
        cJSON_Delete(object);
    }
    program_free(&run);
    char *forces = program_read_file("f.xyz");
    int frames = 0;
    for (const char *c = forces; (c = strstr(c, "forces:R:3")); ++c) ++frames;
    CHECK(frames == FRAMES && program_lines(forces) == FRAMES * (IONS + 2));
    free(forces);
    RUN(&run, "energy", "all.xyz");
    CHECK(run.status == 0 && program_lines(run.out) == FRAMES + 1);
    program_free(&run);
}

static void files_are_like_frames(void)
{
    program_run run;
    RUN(&run, "energy", "0.xyz", "3.xyz", "all.xyz", "--json");
    CHECK(run.status == 0 && program_lines(run.out) == 2 + FRAMES);
    const char *at = run.out;
    cJSON *first = object_of_line(&at), *second = object_of_line(&at);
    CHECK_CLOSE(json_number(first, "energy"), exact(0), 2e-5, "0.xyz");
    CHECK_CLOSE(json_number(second, "energy"), exact(3), 2e-5, "3.xyz");
    CHECK(strcmp(json_text(second, "input"), "3.xyz") == 0);
    cJSON_Delete(first);
    cJSON_Delete(second);
    program_free(&run);
    RUN(&run, "energy", "1.xyz", "--json"); /* a single frame: one object on many lines */
    CHECK(run.status == 0 && program_lines(run.out) > 20);
    program_free(&run);
}

enum { EDGE = 8, SITES = EDGE * EDGE * EDGE };

/* ordered 1: rock salt of 512 ions; 0: the same charges shuffled, on sites that are moved a little.
 */
static void write_large(const char *name, int ordered)
{
    double moves[3 * SITES], keys[SITES];
    int charge[SITES];
    random_numbers(41, 3 * SITES, -0.5, 0.5, moves);
    random_numbers(42, SITES, 0, 1, keys);
    for (int i = 0; i < SITES; ++i) charge[i] = (i / EDGE / EDGE + i / EDGE + i) % 2 ? -1 : 1;
    for (int i = SITES - 1; i > 0 && !ordered; --i) {
        const int k = (int)(keys[i] * (i + 1)), kept = charge[i];
        charge[i] = charge[k];
        charge[k] = kept;
    }
    char *text = malloc(80 * (SITES + 4)), *at = text;
    if (!CHECK(text != NULL)) return;
    at += sprintf(at,
                  "%d\nLattice=\"24 0 0 0 24 0 0 0 24\" Properties=species:S:1:pos:R:3:charge:R:1"
                  " units=metal\n",
                  SITES);
    for (int i = 0; i < SITES; ++i) {
        const int x[3] = {i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
        at += sprintf(at, "%s", charge[i] > 0 ? "Na" : "Cl");
        for (int d = 0; d < 3; ++d)
            at += sprintf(at, " %.12g", 3. * x[d] + (ordered ? 0 : moves[3 * i + d]));
        at += sprintf(at, " %d\n", charge[i]);
    }
    program_write_file(name, text);
    free(text);
}

/* --calibrate measures the error scale of each file anew. The crystal's ions screen each other:
 * parameters chosen for it would give the second file, of as many charges, an error of 1.4e-5. */
static void a_file_is_a_system_of_its_own(void)
{
    program_run run;
    double measured[2] = {NAN, NAN};
    write_large("crystal.xyz", 1);
    write_large("disorder.xyz", 0);
    RUN(&run, "energy", "crystal.xyz", "disorder.xyz", "--json", "--calibrate", "--accuracy",
        "1e-5", "--measure-error", "512");
    CHECK(run.status == 0 && program_lines(run.out) == 2);
    const char *at = run.out;
    for (int k = 0; k < 2 && *at; ++k) {
        cJSON *object = object_of_line(&at);
        measured[k] = json_number(object, "accuracy.measured");
        cJSON_Delete(object);
    }
    CHECK_BELOW(measured[0], 1e-5, "error of the crystal's forces");
    CHECK_BELOW(measured[1], 1e-5,
                "error of the forces of uncorrelated charges, computed after the crystal");
    program_free(&run);
}

static void errors_name_their_frame_and_the_rest_is_computed(void)
{
    program_run run;
    RUN(&run, "energy", "bad.xyz", "--json", "--forces", "g.xyz");
    CHECK(run.status == 2 && program_lines(run.out) == FRAMES - 1 && program_lines(run.err) == 1);
    CHECK(strstr(run.err, "bad.xyz, frame 3: ions 1 (Na) and 2 (Na)") != NULL);
    program_free(&run);
    char *forces = program_read_file("g.xyz");
    CHECK(program_lines(forces) == (FRAMES - 1) * (IONS + 2));
    free(forces);
    RUN(&run, "energy", "missing.xyz", "cut.xyz", "2.xyz", "--json");
    CHECK(run.status == 2 && program_lines(run.out) == FRAMES && program_lines(run.err) == 2);
    CHECK(strstr(run.err, "missing.xyz") && strstr(run.err, "cut.xyz, line "));
    program_free(&run);
    REFUSED("missing.xyz", "energy", "missing.xyz", "--forces", "h.xyz");
    REFUSED("--forces names the FILE itself", "energy", "0.xyz", "1.xyz", "--forces", "1.xyz");
    REFUSED("unexpected argument", "madelung", "0.xyz", "1.xyz");
    REFUSED("unexpected argument", "tune", "0.xyz", "1.xyz");
}

/* The second of three frames is not periodic along c. */
static void a_frame_that_does_not_suit_is_left_out(void)
{
    char text[SIZE] = "";
    program_run run;
    for (int f = 0; f < 3; ++f) {
        char frame[SIZE] = "";
        add_frame(frame, f, 0);
        char *units = strstr(frame, "units=real");
        if (!CHECK(units != NULL)) return;
        sprintf(text + strlen(text), "%.*spbc=\"T T %c\" %s", (int)(units - frame), frame,
                f == 1 ? 'F' : 'T', units);
    }
    program_write_file("layer.xyz", text);
    RUN(&run, "energy", "layer.xyz", "--json");
    CHECK(run.status == 2 && program_lines(run.out) == 2 && program_lines(run.err) == 1);
    CHECK(strstr(run.err, "layer.xyz, frame 2: the cell is not periodic along c") != NULL);
    program_free(&run);
}

/* The potential at charge q is -q M C/d; 1/2 sum q phi is the energy. */
static void potentials_are_those_of_the_sites(void)
{
    cJSON *report = JSON("energy", "0.xyz", "--potential", "p.xyz", "--accuracy", "1e-9");
    CHECK(strcmp(json_text(report, "potential"), "p.xyz") == 0);
    char *text = program_read_file("p.xyz");
    const char *line = strchr(text, '\n');
    CHECK(strstr(text, ":charge:R:1:potential:R:1") != NULL && line);
    double sum = 0;
    for (int i = 0; i < IONS && line; ++i) {
        double charge, potential;
        line = strchr(line + 1, '\n');
        if (!CHECK(line && sscanf(line + 1, "%*s %*f %*f %*f %lf %lf", &charge, &potential) == 2))
            break;
        CHECK_CLOSE(potential, charge * exact(0) / 4, 2e-8, "potential");
        sum += charge * potential / 2;
    }
    CHECK_CLOSE(sum, json_number(report, "energy"), 4e-8, "1/2 sum q phi");
    free(text);
    cJSON_Delete(report);
    REFUSED("--forces and --potential name the same file", "energy", "0.xyz", "--forces", "x",
            "--potential", "x");
}

#define SALT "--charge", "Na=1", "--charge", "Cl=-1"

#define PDB_ATOMS                                                                                  \
    "HETATM    1 NA    NA A   1       0.100   0.200   0.300  1.00  0.00          NA\n"             \
    "HETATM    2 CL    CL A   1       2.100   2.200   2.300  1.00  0.00          CL\n"

static double energy_in(const char *cell)
{
    cJSON *report = JSON("energy", "bare.xyz", SALT, "--cell", cell);
    const double energy = json_number(report, "energy");
    cJSON_Delete(report);
    return energy;
}

static void a_cell_can_be_given(void)
{
    program_write_file("bare.xyz", "2\n\nNa 0 0 0\nCl 2 2 2\n");
    const double energy = energy_in("4,4,4");
    /* CsCl: d = 2 sqrt(3) */
    CHECK_CLOSE(energy, -1.762674773070988398 * 14.399645 / sqrt(12), 2e-5, "CsCl");
    CHECK_CLOSE(energy_in("4,4,4,90,90,90"), energy, 1e-14, "with angles");
    CHECK_CLOSE(energy_in("4 0 0  0 4 0  0 0 4"), energy, 1e-14, "nine numbers");
    /* a and a + b span the same lattice as a and b: lengths 4, 4 sqrt(2), angle 45 */
    CHECK_CLOSE(energy_in("4,5.656854249492381,4,90,90,45"), energy, 2e-5, "another basis");
    /* the same constants, from a file */
    program_write_file("bare.pdb", PDB_ATOMS);
    program_write_file("cell.pdb",
                       "CRYST1    4.100    4.300    5.200  61.00  62.00  63.00\n" PDB_ATOMS);
    cJSON *option =
        JSON("energy", "bare.pdb", SALT, "--cell", "4.1,4.3,5.2,61,62,63", "--threads", "1");
    cJSON *file = JSON("energy", "cell.pdb", SALT, "--threads", "1");
    printf("energies of one cell by option and by file: %.17g and %.17g\n",
           json_number(option, "energy"), json_number(file, "energy"));
    CHECK(json_number(option, "energy") == json_number(file, "energy"));
    CHECK(json_number(option, "volume") == json_number(file, "volume"));
    cJSON_Delete(option);
    cJSON_Delete(file);
    REFUSED("--cell", "energy", "bare.xyz", SALT);
    REFUSED("--cell", "energy", "0.xyz", "--cell", "4,4,4"); /* this file has a cell */
    REFUSED("--cell: give", "energy", "bare.xyz", SALT, "--cell", "4,4");
    REFUSED("--cell: give", "energy", "bare.xyz", SALT, "--cell", "4,4,4,10,10,90");
    REFUSED("--cell: give", "energy", "bare.xyz", SALT, "--cell", "4,4,x");
    REFUSED("--cell: give", "energy", "bare.xyz", SALT, "--cell", "4,4,nan");
}

int main(void)
{
    program_enter_directory();
    write_files();
    every_frame_is_computed();
    files_are_like_frames();
    a_file_is_a_system_of_its_own();
    errors_name_their_frame_and_the_rest_is_computed();
    a_frame_that_does_not_suit_is_left_out();
    potentials_are_those_of_the_sites();
    a_cell_can_be_given();
    program_leave_directory();
    return check_result();
}
