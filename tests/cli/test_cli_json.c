/*
 * test_cli_json.c - the output of --json has the keys that docs/cli.md promises, with their types.
 * The parts of the energy add up to it (1e-14), F_ref follows from the charges, and the trace of
 * the virial is the energy.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct key {
    const char *path;
    int type;
} key;

static const key common_keys[] = {
    {"input", cJSON_String},
    {"ions", cJSON_Number},
    {"energy", cJSON_Number},
    {"parts.real", cJSON_Number},
    {"parts.reciprocal", cJSON_Number},
    {"parts.self", cJSON_Number},
    {"parts.background", cJSON_Number},
    {"parts.surface", cJSON_Number},
    {"parts.excluded", cJSON_Number},
    {"unit", cJSON_String},
    {"units", cJSON_String},
    {"charge", cJSON_Number},
    {"volume", cJSON_Number},
    {"accuracy.requested", cJSON_Number},
    {"accuracy.predicted", cJSON_Number},
    {"accuracy.f_ref", cJSON_Number},
    {"accuracy.energy_tail", cJSON_Number},
    {"accuracy.energy_bias", cJSON_Number},
    {"accuracy.virial_bias", cJSON_Number},
    {"parameters.split", cJSON_String},
    {"parameters.cutoff", cJSON_Number},
    {"parameters.kmax", cJSON_Number},
    {"parameters.modes", cJSON_Array},
    {"parameters.grid", cJSON_Array},
    {"parameters.window", cJSON_String},
    {"parameters.width", cJSON_Number},
    {"parameters.shape", cJSON_Number},
    {"parameters.threads", cJSON_Number},
    {"backend", cJSON_String},
    {"precision", cJSON_String},
    {"timing.read", cJSON_Number},
    {"timing.tune", cJSON_Number},
    {"timing.real", cJSON_Number},
    {"timing.reciprocal", cJSON_Number},
    {"timing.total", cJSON_Number},
    {NULL, 0},
};

static const key plain_keys[] = {
    {"madelung", cJSON_NULL},
    {"virial", cJSON_NULL},
    {"forces", cJSON_NULL},
    {"per_atom", cJSON_NULL},
    {"accuracy.measured", cJSON_NULL},
    {"parameters.slab", cJSON_NULL},
    {"parameters.surroundings", cJSON_NULL},
    {NULL, 0},
};

static const key full_keys[] = {
    {"virial.xx", cJSON_Number},
    {"virial.yy", cJSON_Number},
    {"virial.zz", cJSON_Number},
    {"virial.xy", cJSON_Number},
    {"virial.xz", cJSON_Number},
    {"virial.yz", cJSON_Number},
    {"forces", cJSON_String},
    {"per_atom", cJSON_String},
    {"accuracy.measured", cJSON_Number},
    {NULL, 0},
};

static const key madelung_keys[] = {
    {"madelung", cJSON_Number},
    {"constant", cJSON_String},
    {"reference", cJSON_Number},
    {"deviation", cJSON_Number},
    {"energy_per_formula_unit", cJSON_Number},
    {"formula_units", cJSON_Number},
    {"d", cJSON_Number},
    {NULL, 0},
};

static void has_keys(const cJSON *report, const key *keys)
{
    for (; keys->path; ++keys) {
        const cJSON *item = json_at(report, keys->path);
        check_true(item && (item->type & 0xff) == keys->type, keys->path, __FILE__, __LINE__);
    }
}

static void parts_sum_to_the_energy(const cJSON *report)
{
    static const char *const parts[] = {"parts.real",       "parts.reciprocal", "parts.self",
                                        "parts.background", "parts.surface",    "parts.excluded"};
    double sum = 0, scale = 0;
    for (int p = 0; p < 6; ++p) {
        sum += json_number(report, parts[p]);
        scale += fabs(json_number(report, parts[p]));
    }
    CHECK_BELOW((sum - json_number(report, "energy")) / scale, 1e-14, "parts - energy");
}

int main(void)
{
    program_enter_directory();
    program_write_file("nacl.xyz", nacl_xyz);

    cJSON *report = JSON("energy", "nacl.xyz", "--split", "gaussian");
    has_keys(report, common_keys);
    has_keys(report, plain_keys);
    has_keys(
        report,
        (const key[]){{"parameters.alpha", cJSON_Number}, {"parameters.c", cJSON_NULL}, {NULL, 0}});
    parts_sum_to_the_energy(report);
    CHECK_CLOSE(json_number(report, "accuracy.requested"), 1e-6, 0, "default accuracy");
    /* F_ref = C (sum q^2/N)(N/V)^(2/3) */
    CHECK_CLOSE(json_number(report, "accuracy.f_ref"), 332.06371 * pow(8 / pow(5.64, 3), 2. / 3),
                1e-13, "F_ref");
    cJSON_Delete(report);

    report = JSON("energy", "nacl.xyz", "--split", "prolate", "--virial", "--forces", "f.xyz",
                  "--per-atom", "a.xyz", "--measure-error", "8");
    has_keys(report, common_keys);
    has_keys(report, full_keys);
    has_keys(
        report,
        (const key[]){{"parameters.alpha", cJSON_NULL}, {"parameters.c", cJSON_Number}, {NULL, 0}});
    parts_sum_to_the_energy(report);
    /* the trace of the virial of charges is their energy; its error is at most 3 x 20 A */
    CHECK_CLOSE(json_number(report, "virial.xx") + json_number(report, "virial.yy") +
                    json_number(report, "virial.zz"),
                json_number(report, "energy"), 6e-5, "trace of the virial");
    CHECK_BELOW(json_number(report, "accuracy.measured"), 1e-6, "measured accuracy");
    cJSON_Delete(report);

    report = JSON("madelung", "cscl");
    has_keys(report, common_keys);
    has_keys(report, madelung_keys);
    parts_sum_to_the_energy(report);
    CHECK_CLOSE(json_number(report, "accuracy.requested"), 1e-12, 0, "default accuracy");
    CHECK(strcmp(json_text(report, "precision"), "double") == 0);
    CHECK(strcmp(json_text(report, "backend"), "cpu") == 0 ||
          strcmp(json_text(report, "backend"), "cuda") == 0);
    cJSON_Delete(report);

    program_leave_directory();
    return check_result();
}
