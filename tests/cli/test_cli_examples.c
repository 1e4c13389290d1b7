/*
 * test_cli_examples.c - the structures of examples/data are computed with A = 1e-5: the error of 20
 * ions against exact sums is below it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <math.h>
#include <stdio.h>

static void computes(const char *name, const char *const more[2])
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", ENUF_EXAMPLES, name);
    cJSON *report =
        program_json((const char *const[]){"energy", path, "--json", "--accuracy", "1e-5",
                                           "--measure-error", "20", more[0], more[1], NULL},
                     __FILE__, __LINE__);
    CHECK(isfinite(json_number(report, "energy")));
    CHECK_BELOW(json_number(report, "accuracy.measured"), 1e-5, name);
    CHECK(json_number(report, "accuracy.predicted") <= 1e-5);
    cJSON_Delete(report);
}

int main(void)
{
    program_enter_directory();
    static const char *const plain[2] = {NULL, NULL};
    computes("nacl.data", plain);
    computes("molten_salt.xyz", plain);
    computes("molten_nacl.xyz", plain);
    computes("water.data", (const char *const[2]){"--exclude", "bonds"});
    computes("spce_nist1.xyz", (const char *const[2]){"--exclude", "molecule"});
    computes("spce_liquid.xyz", (const char *const[2]){"--exclude", "molecule"});
    computes("slab.xyz", (const char *const[2]){"--slab", "3"});
    program_leave_directory();
    return check_result();
}
