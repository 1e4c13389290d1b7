/* factor_sums.c - see factor_sums.h. SPDX-License-Identifier: BSD-3-Clause */
#include "factor_sums.h"

#include "memory.h"

enuf_status cli_factor_sums_make(const cli_factor_request *request, const double *places,
                                 cli_factor_sums *sums)
{
    const int64_t n = request->structure->n;
    enuf_direct_options options;
    *sums = (cli_factor_sums){0};
    ENUF_TRY(enuf_allocate(&sums->strengths, 2 * n, sizeof(double), "weights of ions"));
    for (int64_t i = 0; i < n; ++i) {
        sums->strengths[2 * i] = request->weights[i];
        sums->strengths[2 * i + 1] = 0;
    }
    enuf_direct_options_init(&options);
    options.dim = 3;
    options.sign = 1;
    options.threads = request->threads;
    options.backend = request->backend;
    ENUF_TRY(enuf_direct_create(&options, &sums->sums));
    return enuf_direct_set_pixels(sums->sums, n, places, places + 1, places + 2, 3);
}

void cli_factor_sums_free(cli_factor_sums *sums)
{
    enuf_direct_destroy(&sums->sums);
    enuf_release(&sums->strengths);
}

enuf_status cli_factor_sums_at(cli_factor_sums *sums, int64_t n, const double *targets,
                               double *values)
{
    ENUF_TRY(enuf_direct_set_samples(sums->sums, n, targets, targets + 1, targets + 2, 3, NULL));
    return enuf_direct_forward(sums->sums, sums->strengths, values, NULL);
}
