/*
 * test_gpu_figures.c - decisions about several GPUs, beside times that were measured on H200s
 * (bench/results/ewald_gpus_{2,4,8}_h200_2026-11-22.csv, and the weak ones).
 *
 *   - Decomposition: for each pair of rows the library takes the faster one, or one within 5 % of
 *     it.
 *   - One GPU or all of them: the cost model names the faster one, or one within 5 % of it.
 *   - Times on many GPUs: within 15 % (root mean square), as device_work.c states.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "gpu_rows.h"
#include "mpi_program.h"

#include <math.h>
#include <string.h>

static double milliseconds(const gpu_choice *c, const enuf_ewald_mpi_cost *modes)
{
    return 1e3 * (enuf_seconds_beside(&c->run, &c->pairs) + enuf_seconds_beside(&c->run, modes));
}

static double squares, worst;
static int rows;

static void look_at_time(const char *modes, double predicted, double measured)
{
    const double off = fabs(log(predicted / measured));
    printf("  %s: measured %.3f ms, predicted %.3f\n", modes, measured, predicted);
    squares += off * off;
    worst = fmax(worst, off);
    rows++;
}

/* The two rows of a system. weak: `one` is of a smaller system. */
static void check_pair(const gpu_row *replicated, const gpu_row *distributed, int weak)
{
    gpu_choice c;
    choose_for_row(replicated, 1, &c);
    const int takes_slabs = enuf_cheaper_decomposition(&c.run, &c.replicated, &c.distributed, 0) ==
                            ENUF_DECOMPOSITION_DISTRIBUTED;
    const double faster = fmin(replicated->total, distributed->total);
    printf("%d GPUs, %.0f ions, %g: %s\n", replicated->gpus, replicated->ions, replicated->accuracy,
           takes_slabs ? "distributed" : "replicated");
    look_at_time("replicated", milliseconds(&c, &c.replicated), replicated->total);
    look_at_time("distributed", milliseconds(&c, &c.distributed), distributed->total);
    CHECK_BELOW((takes_slabs ? distributed : replicated)->total / faster, 1.05,
                "decomposition taken, over the faster one");
    if (weak) return;
    const double many = milliseconds(&c, takes_slabs ? &c.distributed : &c.replicated);
    const int one = 1e3 * enuf_seconds_on_one(&c.parameters) < many;
    CHECK_BELOW((one ? replicated->one : faster) / fmin(replicated->one, faster), 1.05,
                "GPUs taken, one or all, over the faster ones");
}

static void check_table(int gpus, int weak)
{
    char name[64], line[512];
    gpu_row row, last = {.gpus = 0};
    int pairs = 0;
    name_table(gpus, weak, name);
    FILE *file = open_results(name);
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        if (!read_gpu_row(line, &row)) continue;
        if (strcmp(row.modes, "distributed") == 0) {
            CHECK(last.gpus == row.gpus && last.ions == row.ions);
            check_pair(&last, &row, weak);
            pairs++;
        }
        last = row;
    }
    fclose(file);
    CHECK(pairs > 0);
}

int main(int argc, char **argv)
{
    begin_mpi(&argc, &argv);
    for (int gpus = 2; gpus <= 8; gpus *= 2)
        for (int weak = 0; weak < 2; weak++) check_table(gpus, weak);
    CHECK_BELOW(sqrt(squares / rows), 0.15, "times predicted: root mean square of the logarithms");
    CHECK_BELOW(exp(worst), 1.5, "times predicted: worst factor");
    return end_mpi(check_result());
}
