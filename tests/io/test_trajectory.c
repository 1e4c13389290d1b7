/*
 * test_trajectory.c - a trajectory (extended XYZ, LAMMPS dump, GRO, PDB) gives all its frames in
 * order, in the memory of about one frame. An error names the line of the file; a cell is given to
 * a file without one.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "error.h"
#include "trajectory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/enuf-trajectory-XXXXXX";

static void write_extxyz(FILE *file, int frame, int n)
{
    fprintf(file, "%d\nLattice=\"9 0 0 0 9 0 0 0 %d\" Properties=species:S:1:pos:R:3:charge:R:1\n",
            n, 9 + frame);
    for (int i = 0; i < n; ++i)
        fprintf(file, "Na %.24f %.24f %.24f %d\n", i * 1e-6, 0.5 * frame, 1.0, i % 2 ? 1 : -1);
}

/* Only the first frame has units, as LAMMPS writes them. */
static void write_dump(FILE *file, int frame, int n)
{
    if (frame == 0) fprintf(file, "ITEM: UNITS\nreal\n");
    fprintf(
        file,
        "ITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n%d\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 %d\n"
        "ITEM: ATOMS id type q x y z\n",
        10 * frame, n, 9 + frame);
    for (int i = 0; i < n; ++i)
        fprintf(file, "%d 1 %d %.24f %.24f %.24f\n", i + 1, i % 2 ? 1 : -1, i * 1e-6, 0.5 * frame,
                1.0);
}

static void write_gro(FILE *file, int frame, int n)
{
    fprintf(file, "frame %d\n%5d\n", frame, n);
    for (int i = 0; i < n; ++i)
        fprintf(file, "%5d%-5s%5s%5d%12.8f%12.8f%12.8f\n", 1, "NA", "NA", i % 100000, i * 1e-7,
                0.05 * frame, 0.1);
    fprintf(file, "   0.9 0.9 %.1f\n", 0.1 * (9 + frame));
}

static void write_pdb(FILE *file, int frame, int n)
{
    fprintf(file, "CRYST1%9.3f%9.3f%9.3f%7.2f%7.2f%7.2f P 1\nMODEL     %d\n", 9.0, 9.0, 9.0 + frame,
            90.0, 90.0, 90.0, frame + 1);
    for (int i = 0; i < n; ++i)
        fprintf(file, "ATOM  %5d %-4s SOL A%4d    %8.6f%8.3f%8.3f  1.00  0.00\n", i % 100000, "NA",
                1, i * 1e-6, 0.5 * frame, 1.0);
    fprintf(file, "TER\nENDMDL\n%s", frame % 2 ? "END\n" : "");
}

static const struct {
    const char *format;
    void (*write)(FILE *file, int frame, int n);
    enuf_units units;
} kinds[] = {
    {"extxyz", write_extxyz, ENUF_UNITS_METAL},
    {"lammps-dump", write_dump, ENUF_UNITS_REAL},
    {"gro", write_gro, ENUF_UNITS_METAL},
    {"pdb", write_pdb, ENUF_UNITS_METAL},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* The number of ions changes from frame to frame, so that a read buffer ends anywhere in a frame.
 */
static int ions_of(int frame, int most)
{
    return 1 + (frame * 7919) % most;
}

static void make_file(size_t kind, int frames, int most)
{
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL)) return;
    for (int f = 0; f < frames; ++f) kinds[kind].write(file, f, ions_of(f, most));
    CHECK(fclose(file) == 0);
}

static void check_frame(const enuf_structure *s, size_t kind, int frame, int most)
{
    CHECK(s->n == ions_of(frame, most) && s->frame == frame + 1);
    CHECK_CLOSE(s->cell[8], 9.0 + frame, 1e-15, "c of the frame");
    CHECK_BELOW(s->positions[3 * (s->n - 1)] - (double)(s->n - 1) * 1e-6, 1e-12, "last x");
    CHECK(s->units == kinds[kind].units);
}

static void all_frames_in_order(size_t kind, int frames, int most)
{
    const enuf_charge_rule rule = {"NA", 1.0};
    const enuf_read_options options = {
        .format = kinds[kind].format, .rules = &rule, .n_rules = kind > 1};
    enuf_trajectory *trajectory;
    enuf_structure s;
    int64_t done = 0, total = 0, last = 0;
    int found = 1, n = 0;
    make_file(kind, frames, most);
    if (!CHECK_STATUS(enuf_trajectory_open(path, &options, &trajectory), ENUF_SUCCESS)) return;
    while (enuf_trajectory_next(trajectory, &s, &found) == ENUF_SUCCESS && found) {
        enuf_trajectory_progress(trajectory, &done, &total);
        if (n % 50 == 0 || n + 1 == frames) check_frame(&s, kind, n, most);
        CHECK(s.more_frames == (n + 1 < frames) && done > last && total > 0);
        last = done;
        ++n;
        enuf_structure_free(&s);
    }
    CHECK(!found && n == frames && done == total);
    printf("%s: %d frames, %lld bytes\n", kinds[kind].format, n, (long long)total);
    enuf_trajectory_close(&trajectory);
}

/* The third frame is wrong: its error names the line of the file, and two frames come before. */
static void errors_name_the_line_of_the_file(void)
{
    static const struct {
        const char *format, *text, *error;
    } files[] = {
        {"extxyz",
         "1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nNA 0 0 0\n1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nNA 0 0 "
         "0\n\n"
         "1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nNA 0 x 0\n",
         "line 10: coordinate 'x' is no number"},
        {"extxyz",
         "1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nNA 0 0 0\n1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nNA 0 0 0\n"
         "2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nNA 0.00 0.00 0.0\n",
         "line 9: the file ends after 1 of 2 ions"},
        {"extxyz",
         "1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nNA 0 0 0\n1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nNA 0 0 0\n"
         "99999999999\n\nNA 0 0 0\n",
         "line 7: 99999999999 ions do not fit in the 9 bytes left"},
        {"lammps-dump",
         "ITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS\n0 9\n0 9\n0 9\nITEM: ATOMS element x y z\n"
         "NA 0 0 0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS\n0 9\n0 9\n0 9\n"
         "ITEM: ATOMS element x y z\nNA 0 0 0\nITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS element x y "
         "z\n",
         "line 19: ATOMS without ITEM: BOX BOUNDS before it"},
        {"pdb",
         "CRYST1    9.000    9.000    9.000  90.00  90.00  90.00 P 1\nMODEL 1\n"
         "ATOM      1 NA    NA A   1       1.000   2.000   3.000\nENDMDL\nMODEL 2\n"
         "ATOM      1 NA    NA A   1       1.000   2.000   3.000\nENDMDL\nMODEL 3\n"
         "ATOM      1 NA    NA A   1       1.000   2.x00   3.000\nENDMDL\nEND\n",
         "line 9: coordinate '2.x00' is no number"},
        {"gro",
         "a\n1\n    1NA      NA    1   0.100   0.200   0.300\n 1 1 1\n"
         "a\n1\n    1NA      NA    1   0.100   0.200   0.300\n 1 1 1\n"
         "a\n1\n    1NA      NA    1   0.100   0.200   0.300\n 1 1\n",
         "line 12: 2 words, but the cell's line behind the atoms has 3 numbers or 9"},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
        const enuf_charge_rule rule = {"NA", 1.0};
        const enuf_read_options options = {.format = files[f].format, .rules = &rule, .n_rules = 1};
        enuf_text text;
        enuf_trajectory *trajectory;
        enuf_structure s;
        int found = 0;
        CHECK_STATUS(enuf_text_copy("three", files[f].text, strlen(files[f].text), &text),
                     ENUF_SUCCESS);
        CHECK_STATUS(enuf_trajectory_open_text(&text, &options, &trajectory), ENUF_SUCCESS);
        for (int frame = 0; frame < 2; ++frame) {
            CHECK_STATUS(enuf_trajectory_next(trajectory, &s, &found), ENUF_SUCCESS);
            CHECK(found && s.frame == frame + 1);
            enuf_structure_free(&s);
        }
        CHECK_STATUS(enuf_trajectory_next(trajectory, &s, &found), ENUF_BAD_FILE);
        CHECK_TEXT(files[f].error);
        enuf_trajectory_close(&trajectory);
        enuf_text_free(&text);
    }
}

static void cell_is_given_where_the_file_has_none(void)
{
    static const double cell[9] = {8, 0, 0, 0, 9, 0, 0, 0, 10};
    static const char plain[] = "1\nplain\nNA 1 2 3\n",
                      celled[] = "1\nLattice=\"9 0 0 0 9 0 0 0 9\"\nNA 0 0 0\n";
    const enuf_charge_rule rule = {"NA", 1.0};
    const enuf_read_options options = {
        .format = "extxyz", .rules = &rule, .n_rules = 1, .cell = cell};
    for (int with = 0; with < 2; ++with) {
        enuf_text text;
        enuf_trajectory *trajectory;
        enuf_structure s;
        int found = 0;
        const char *bytes = with ? celled : plain;
        CHECK_STATUS(enuf_text_copy("some", bytes, strlen(bytes), &text), ENUF_SUCCESS);
        CHECK_STATUS(enuf_trajectory_open_text(&text, &options, &trajectory), ENUF_SUCCESS);
        CHECK_STATUS(enuf_trajectory_next(trajectory, &s, &found),
                     with ? ENUF_BAD_FILE : ENUF_SUCCESS);
        if (with) {
            CHECK_TEXT(
                "some, line 2: the file gives its cell here: --cell is for files without one");
        } else {
            CHECK(memcmp(s.cell, cell, sizeof cell) == 0 && s.cell_line == 0);
            enuf_structure_free(&s);
        }
        enuf_trajectory_close(&trajectory);
        enuf_text_free(&text);
    }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 }; /* shadow memory of the sanitizer counts as memory */
#else
enum { SANITIZED = 0 };
#endif

/* The memory in KiB by which reading all frames raises the peak of a new process. */
static long peak_of_reading(const char *format)
{
    int ends[2];
    long peak = -1;
    if (!CHECK(pipe(ends) == 0)) return -1;
    const pid_t child = fork();
    if (child == 0) {
        struct rusage before, after;
        const enuf_charge_rule rule = {"NA", 1.0};
        const enuf_read_options options = {.format = format,
                                           .rules = &rule,
                                           .n_rules = strcmp(format, "gro") == 0 ||
                                                      strcmp(format, "pdb") == 0};
        enuf_trajectory *trajectory;
        enuf_structure s;
        int found = 1;
        getrusage(RUSAGE_SELF, &before);
        if (enuf_trajectory_open(path, &options, &trajectory)) _exit(1);
        while (enuf_trajectory_next(trajectory, &s, &found) == ENUF_SUCCESS && found)
            enuf_structure_free(&s);
        getrusage(RUSAGE_SELF, &after);
        peak = after.ru_maxrss - before.ru_maxrss;
        _exit(write(ends[1], &peak, sizeof peak) != (ssize_t)sizeof peak);
    }
    CHECK(read(ends[0], &peak, sizeof peak) == (ssize_t)sizeof peak);
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    return peak;
}

/*
 * A frame needs its text and the arrays of its ions: 24 + 8 + 4 bytes an ion, and for ids 8, sorted
 * in 16 more. Many frames need as much as one, with twice its text. The bounds add 15 % of a large
 * text, whose length is estimated from its first lines, and 2 MiB for libraries. A buffer that
 * doubles would fail: it holds 2^24 bytes of extended XYZ beside the whole text.
 */
static void memory_is_that_of_one_frame(void)
{
    enum { IONS = 210000, FRAMES = 40, SMALL = 3000, SPARE = 2048 };
    for (size_t k = 0; k < N_KINDS; ++k) {
        const long ids = strcmp(kinds[k].format, "lammps-dump") == 0 ? 24 : 0;
        FILE *file = fopen(path, "w");
        if (!CHECK(file != NULL)) return;
        kinds[k].write(file, 0, IONS);
        const long large = ftell(file);
        CHECK(fclose(file) == 0);
        CHECK_BELOW((double)peak_of_reading(kinds[k].format),
                    (1.15 * (double)large + (double)((36 + ids) * IONS)) / 1024 + SPARE,
                    "KiB, one large frame");
        file = fopen(path, "w");
        if (!CHECK(file != NULL)) return;
        for (int f = 0; f < FRAMES; ++f) kinds[k].write(file, f, SMALL);
        const long small = ftell(file) / FRAMES;
        CHECK(fclose(file) == 0);
        CHECK_BELOW((double)peak_of_reading(kinds[k].format),
                    (double)(2 * small + (36 + ids) * SMALL) / 1024 + SPARE, "KiB, many frames");
    }
}

int main(void)
{
    const int file = mkstemp(path);
    if (!CHECK(file >= 0)) return check_result();
    if (!SANITIZED) memory_is_that_of_one_frame();
    for (size_t k = 0; k < N_KINDS; ++k) {
        all_frames_in_order(k, 1, 5);
        all_frames_in_order(k, 997, 40);
        all_frames_in_order(k, 12, 9001);
    }
    errors_name_the_line_of_the_file();
    cell_is_given_where_the_file_has_none();
    close(file);
    remove(path);
    return check_result();
}
