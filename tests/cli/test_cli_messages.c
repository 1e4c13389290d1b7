/*
 * test_cli_messages.c - errors and warnings use the words of a user of the program. They name
 * options instead of fields of the library, the file, and ions counted from 1 with species and id.
 * A name of a file with control characters is shown without an effect on the terminal, and makes
 * valid JSON.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEAD "Properties=species:S:1:pos:R:3:charge:R:1 pbc=\"T T T\"\n"
#define CUBE "Lattice=\"4 0 0 0 4 0 0 0 4\" " HEAD

/* The text has no words of the C interface. */
static void speaks_of_options(const char *text)
{
    static const char *const internal[] = {"enuf_", "NULL",        "shape", "force_error",
                                           "atom ", "struct_size", "c is ", "c = "};
    for (size_t k = 0; k < sizeof internal / sizeof *internal; ++k)
        if (!CHECK(strstr(text, internal[k]) == NULL)) printf("  '%s' in %s", internal[k], text);
}

#define SAYS(text, ...) says((text), (const char *const[]){__VA_ARGS__, NULL}, __LINE__)

static void says(const char *text, const char *const words[], int line)
{
    program_run run;
    program_check_refused(text, NULL, words, __FILE__, line);
    program_start(&run, NULL, words);
    speaks_of_options(run.err);
    program_free(&run);
}

static void ions_are_counted_from_1(void)
{
    program_write_file("same.xyz", "4\n" CUBE "Na 0 0 0 1\nCl 2 2 2 -1\nNa 1 0 0 1\nCl 6 2 2 -1\n");
    program_write_file("same.data",
                       "salt\n\n3 atoms\n2 atom types\n0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n\n"
                       "Atoms # charge\n\n17 1 2 0 0 0\n5 2 -1 2 2 2\n8 2 -1 2 2 2\n");
    program_write_file("far.xyz", "2\n" CUBE "Na 0 0 0 1\nCl 2 1e300 2 -1\n");
    SAYS("2 (Cl)", "energy", "same.xyz");
    SAYS("4 (Cl)", "energy", "same.xyz", "--deterministic");
    SAYS("same.xyz: ions ", "madelung", "same.xyz");
    SAYS("same.xyz: ions ", "tune", "same.xyz");
    SAYS("2 (2, id 5)", "energy", "same.data");
    SAYS("3 (2, id 8)", "energy", "same.data");
    SAYS("far.xyz: ion 2 (Cl): position", "energy", "far.xyz");
}

static void fields_are_options(void)
{
    program_write_file("good.xyz", "2\n" CUBE "Na 0 0 0 1\nCl 2 2 2 -1\n");
    program_write_file("one.xyz", "1\n" CUBE "Na 0 0 0 1\n");
    program_write_file("tilted.xyz", "1\nLattice=\"4 0 1 0 4 0 0 0 4\" " HEAD "Na 0 0 0 1\n");
    program_write_file("empty.cal", "enuf-calibration 1 cpu\n");
    SAYS("--force-error 1e-30 is", "energy", "good.xyz", "--force-error", "1e-30");
    SAYS("--lammps-accuracy 1e-30 is", "energy", "good.xyz", "--lammps-accuracy", "1e-30");
    SAYS("--precision double", "energy", "good.xyz", "--precision", "mixed", "--accuracy", "1e-9");
    SAYS("--cutoff is 1e-09", "energy", "good.xyz", "--cutoff", "1e-9");
    SAYS("--alpha is 1e+09", "energy", "good.xyz", "--alpha", "1e9");
    SAYS("with --kmax as given", "energy", "good.xyz", "--kmax", "1e9");
    SAYS("--grid 1 along a", "energy", "good.xyz", "--grid", "1,1,1");
    SAYS("--split gaussian", "energy", "good.xyz", "--split", "prolate", "--alpha", "1");
    SAYS("--surroundings 0.5", "energy", "good.xyz", "--surroundings", "0.5");
    SAYS("--surroundings is 1", "energy", "one.xyz", "--surroundings", "1");
    SAYS("--surroundings and --slab", "energy", "good.xyz", "--surroundings", "1", "--slab", "3");
    SAYS("tilted.xyz, line 2: a slab needs", "energy", "tilted.xyz", "--slab", "3");
    SAYS("--format 'foo': choose lammps-data", "energy", "good.xyz", "--format", "foo");
    SAYS("say --format lammps-data", "energy", "empty.cal");
    SAYS("--charge of 'Xx'", "energy", "good.xyz", "--charge", "Xx=1");
    SAYS("--charge 'Na': write", "energy", "good.xyz", "--charge", "Na");
    SAYS("--calibration: ", "energy", "good.xyz", "--calibration", "empty.cal");
    SAYS("--calibration: ", "energy", "good.xyz", "--calibration", "nowhere");
    SAYS("/nowhere/atoms/my atom.cal", "energy", "good.xyz", "--calibration",
         "/nowhere/atoms/my atom.cal");
}

/* A warning that the request is missed names the options that were kept as given. In the first file
 * (lengths of 1e-10, as of metres taken for Angstrom) rounding is the cause: it names none. */
static void a_warning_names_the_options_that_were_kept(void)
{
    program_run run;
    program_write_file("small.xyz", "2\nLattice=\"1e-10 0 0 0 1e-10 0 0 0 1e-10\" " HEAD
                                    "Na 0 0 0 1\nCl 5e-11 5e-11 5e-11 -1\n");
    RUN(&run, "energy", "small.xyz");
    printf("%s", run.err);
    CHECK(strstr(run.err, "kept") == NULL && strstr(run.err, "explicit") == NULL);
    program_free(&run);
    RUN(&run, "energy", "good.xyz", "--kmax", "1", "--cutoff", "1");
    CHECK(strstr(run.err, "asked for: --cutoff, --kmax kept as given\n") != NULL);
    program_free(&run);
    RUN(&run, "madelung", "nacl", "--cells", "1", "--cutoff", "1", "--sweep-alpha", "1:2:2");
    CHECK(strstr(run.err, ": --cutoff kept as given\n") != NULL);
    program_free(&run);
    RUN(&run, "madelung", "nacl", "--cells", "1", "--precision", "mixed", "--alpha", "1");
    speaks_of_options(run.err);
    program_free(&run);
}

static int has_raw_controls(const char *text)
{
    for (; *text; ++text) {
        const unsigned char c = (unsigned char)*text, next = (unsigned char)text[1];
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return 1;
        if (c == 0xc2 && next >= 0x80 && next < 0xa0) return 1; /* C1 */
        if (c == 0xe2 && next == 0x80 && (unsigned char)text[2] == 0xae)
            return 1; /* right to left */
    }
    return 0;
}

/* The name holds ESC [31m, a byte that is not UTF-8, CSI as one character, a right-to-left
 * override, a quote, a backslash, a line feed, and an e with an accent, which is shown as it is. */
static void any_name_of_a_file_is_shown_safely(void)
{
    static const char name[] = "a\033[31m\377\302\233\342\200\256\"\\\n\303\251.xyz";
    static const char shown[] = "a\\x1b[31m\\xff\\u009b\\u202e\"\\ \303\251.xyz";
    static const char in_json[] = "a\033[31m\357\277\275\302\233\342\200\256\"\\\n\303\251.xyz";
    program_run run;
    program_write_file(name, "2\n" CUBE "Na 0 0 0 1\nCl 2 2 2 -1\n");
    RUN(&run, "energy", name);
    CHECK(run.status == 0 && !has_raw_controls(run.out) && strstr(run.out, shown) != NULL);
    program_free(&run);
    RUN(&run, "tune", name, "--candidates", "1");
    CHECK(run.status == 0 && !has_raw_controls(run.out) && strstr(run.out, shown) != NULL);
    program_free(&run);
    RUN(&run, "energy", name, "--json");
    cJSON *report = cJSON_Parse(run.out);
    CHECK(report != NULL && !has_raw_controls(run.out));
    CHECK(strcmp(json_text(report, "input"), in_json) == 0);
    cJSON_Delete(report);
    program_free(&run);
    remove(name);
    RUN(&run, "energy", name);
    CHECK(run.status == 2 && !has_raw_controls(run.err) && strstr(run.err, shown) != NULL);
    CHECK(program_lines(run.err) == 1);
    program_free(&run);
}

int main(void)
{
    program_enter_directory();
    ions_are_counted_from_1();
    fields_are_options();
    a_warning_names_the_options_that_were_kept();
    any_name_of_a_file_is_shown_safely();
    program_leave_directory();
    return check_result();
}
