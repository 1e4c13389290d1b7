/* samples.c - the samples of an encoding. SPDX-License-Identifier: BSD-3-Clause */
#include "object.h"

#include <string.h>

static const char FUNCTION[] = "enuf_encoding_set_samples";

/* The backend packs coordinates, and finds the first that is not finite. */
static enuf_status pack(enuf_encoding *encoding, const enuf_coordinates *from, const char *what,
                        int dim, double *packed)
{
    double low[3], high[3];
    int64_t bad = -1;
    if (from->n == 0) return ENUF_SUCCESS;
    enuf_nufft plan = *encoding->base; /* packs as many axes as it has */
    plan.options.dim = dim;
    ENUF_TRY(plan.backend->type3->pack(&plan, from, packed, low, high, &bad));
    if (bad < 0) return ENUF_SUCCESS;
    return enuf_fail(ENUF_NOT_FINITE, "%s of sample %lld is NaN or infinite", what, (long long)bad);
}

static enuf_status copy(enuf_encoding *encoding, const enuf_coordinates *places,
                        const enuf_coordinates *times, double **kept_places, double **kept_times)
{
    const int dim = encoding->options.dim;
    ENUF_TRY(enuf_encoding_allocate(encoding, kept_places, places->n * dim, sizeof(double),
                                    "places of samples"));
    ENUF_TRY(pack(encoding, places, "x, y or z", dim, *kept_places));
    if (!times->axis[0]) return ENUF_SUCCESS;
    void *unused;
    ENUF_TRY(encoding->base->backend->type3->place(
        encoding->base, "times", (void *)(uintptr_t)times->axis[0], NULL, &unused));
    ENUF_TRY(enuf_encoding_allocate(encoding, kept_times, places->n, sizeof(double),
                                    "times of samples"));
    return pack(encoding, times, "the time", 1, *kept_times);
}

enuf_status enuf_encoding_set_samples(enuf_encoding *encoding, int64_t n, const double *x,
                                      const double *y, const double *z, int64_t stride,
                                      const double *times)
{
    if (!encoding) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: encoding is NULL", FUNCTION);
    const double *const axes[3] = {x, y, z};
    enuf_coordinates of_places = {.n = n, .stride = stride, .precision = ENUF_DOUBLE};
    enuf_coordinates of_times = {.n = n, .axis = {times}, .stride = 1, .precision = ENUF_DOUBLE};
    double *kept_places = NULL, *kept_times = NULL;
    for (int d = 0; d < encoding->options.dim; d++) of_places.axis[d] = axes[d];
    ENUF_TRY(enuf_check_coordinates(encoding->base, FUNCTION, "xyz", &of_places));
    const enuf_status status = copy(encoding, &of_places, &of_times, &kept_places, &kept_times);
    if (status != ENUF_SUCCESS) {
        enuf_encoding_release(encoding, &kept_places);
        enuf_encoding_release(encoding, &kept_times);
        return enuf_encoding_failed(status, FUNCTION);
    }
    enuf_encoding_drop_field(encoding);
    enuf_encoding_release(encoding, &encoding->places);
    enuf_encoding_release(encoding, &encoding->times);
    encoding->places = kept_places;
    encoding->times = kept_times;
    encoding->n_samples = n;
    encoding->samples_set = 1;
    return ENUF_SUCCESS;
}
