/*
 * test_cli_help.c - --help and --version succeed and write to stdout; the help of a command names
 * all its options and their values. Unknown commands, options and arguments are refused with one
 * line.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include "enuf/ewald.h"
#include "enuf/nufft_tuning.h"
#include "enuf/trajectories.h"

#include <string.h>

static void help_names_everything(const char *command, const char *const words[])
{
    program_run run;
    RUN(&run, command, "--help");
    CHECK(run.status == 0);
    CHECK(!*run.err);
    for (int w = 0; words[w]; ++w) {
        if (!CHECK(strstr(run.out, words[w]) != NULL)) check_true(0, words[w], __FILE__, __LINE__);
    }
    program_free(&run);
}

#define ENUF_X(NAME, name, help) #name, help,

int main(void)
{
    program_run run;
    program_enter_directory();

    RUN(&run, "--help");
    CHECK(run.status == 0);
    CHECK(strstr(run.out, "madelung") && strstr(run.out, "energy") && strstr(run.out, "info"));
    program_free(&run);

    RUN(&run, "--version");
    CHECK(run.status == 0);
    CHECK(strstr(run.out, enuf_version()) != NULL);
    CHECK(program_lines(run.out) == 1);
    program_free(&run);

    help_names_everything("energy", (const char *const[]){"--format",
                                                          "--charge",
                                                          "--units",
                                                          "--exclude",
                                                          "--slab",
                                                          "--surroundings",
                                                          "--forces",
                                                          "--per-atom",
                                                          "--virial",
                                                          "--measure-error",
                                                          "--accuracy",
                                                          "--force-error",
                                                          "--lammps-accuracy",
                                                          "--split",
                                                          "--cutoff",
                                                          "--alpha",
                                                          "--kmax",
                                                          "--grid",
                                                          "--window",
                                                          "--width",
                                                          "--precision",
                                                          "--backend",
                                                          "--deterministic",
                                                          "--threads",
                                                          "--json",
                                                          "--quiet",
                                                          ENUF_WINDOWS(ENUF_X) ENUF_SPLITS(ENUF_X)
                                                              ENUF_BACKENDS(ENUF_X)
                                                                  ENUF_ARITHMETICS(ENUF_X) NULL});
    help_names_everything("madelung", (const char *const[]){"--cells", "--sweep-alpha", "--plot",
                                                            "--list", "--accuracy", NULL});
    help_names_everything("bench", (const char *const[]){"--threads", "--quick", "--json", NULL});
    help_names_everything("plan", (const char *const[]){"--modes", "--points", "--tol", "--repeats",
                                                        "--memory", "--wisdom", "--float",
                                                        "--threads", "--json",
                                                        ENUF_TUNE_EFFORTS(ENUF_X)
                                                            ENUF_TRAJECTORY_KINDS(ENUF_X) NULL});
    help_names_everything("info", (const char *const[]){"--json", NULL});

    REFUSED("no command", NULL);
    REFUSED("unknown command frobnicate", "frobnicate");
    REFUSED("unknown option --foo (see enuf --help)", "--foo");
    REFUSED("enuf energy: unknown option --foo (see enuf energy --help)", "energy", "--foo");
    REFUSED("unknown option --cells", "energy", "--cells", "2");
    REFUSED("unknown option --forces=x", "madelung", "--forces=x");
    REFUSED("unknown option -j", "energy", "-j");
    REFUSED("no FILE", "energy");
    REFUSED("no STRUCTURE", "madelung");
    REFUSED("unexpected argument b", "tune", "a", "b");
    REFUSED("unexpected argument a", "info", "a");

    program_leave_directory();
    return check_result();
}
