/* gpu_rows.c - see gpu_rows.h. SPDX-License-Identifier: BSD-3-Clause */
#include "gpu_rows.h"
#include "check.h"
#include "choose/costs.h"

#include <math.h>

FILE *open_results(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/bench/results/%s", ENUF_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    if (!file) printf("%s\n", path);
    CHECK(file != NULL);
    return file;
}

void name_table(int gpus, int weak, char name[64])
{
    snprintf(name, 64, "ewald_gpus_%s%d_h200_2026-11-22.csv", weak ? "weak_" : "", gpus);
}

int read_gpu_row(const char *line, gpu_row *r)
{
    return sscanf(line, "%*d,%d,%*[^,],%lf,%lf,%31[^,],%lf,%lf,%lf,%*f,%*f,%lf,%*f,%*f,%lf",
                  &r->gpus, &r->ions, &r->accuracy, r->modes, &r->cutoff, &r->grid, &r->one,
                  &r->total, &r->megabytes) == 9;
}

void choose_for_row(const gpu_row *r, int as_measured, gpu_choice *c)
{
    static const enuf_structure_factor uncorrelated;
    const double edge = cbrt(r->ions / 0.1), rows[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    const enuf_shared_work work = enuf_work_on_devices(r->gpus);
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = r->accuracy;
    options.arithmetic = enuf_arithmetic_for(r->accuracy);
    options.decomposition = ENUF_DECOMPOSITION_DISTRIBUTED;
    if (as_measured) options.cutoff = r->cutoff;
    for (int d = 0; d < 3 && as_measured; d++) options.grid[d] = (int64_t)r->grid;
    CHECK_STATUS(enuf_cell_geometry_make(rows, &c->cell), ENUF_SUCCESS);
    const enuf_choice_request request = {
        .options = &options,
        .cell = &c->cell,
        .volume = c->cell.volume,
        .n_charged = (int64_t)r->ions,
        .sum_q2 = 2 * r->ions,          /* a third of the charges is 2, the others are -1 */
        .concentration = 1.5 / r->ions, /* (16 + 1 + 1)/3 over 2^2 */
        .requested = r->accuracy,
        .error_scale = 1,
        .structure_factor = &uncorrelated,
        .costs = &enuf_costs_shipped_cuda,
        .shared_work = as_measured ? NULL : &work,
    };
    CHECK_STATUS(enuf_choose_parameters(&request, &c->parameters), ENUF_SUCCESS);
    c->run = (enuf_rank_run){.parameters = &c->parameters,
                             .cell = &c->cell,
                             .costs = &enuf_costs_shipped_cuda,
                             .arithmetic = options.arithmetic,
                             .n_charged = (int64_t)r->ions,
                             .ranks = r->gpus,
                             .threads = 1};
    c->pairs = enuf_cost_of_domains(&c->run);
    c->replicated = enuf_cost_of_replicated(&c->run);
    c->distributed = enuf_cost_of_distributed(&c->run);
}
