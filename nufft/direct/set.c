/* set.c - samples, pixels and field of direct sums. SPDX-License-Identifier: BSD-3-Clause */
#include "engine.h"
#include "error.h"
#include "memory.h"

#include <math.h>

static const char AXIS[3] = {'x', 'y', 'z'};

static enuf_status check_places(const char *function, const char *what, const enuf_direct *sums,
                                const enuf_direct_points *places)
{
    const long long n = places->n, stride = places->stride;
    const int dim = sums->options.dim;
    if (n < 0) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: n is %lld: use 0 or more", function, n);
    if (n == 0) return ENUF_SUCCESS;
    if (stride < 1)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: stride is %lld: use 1 or more", function, stride);
    if (!enuf_fits_in_memory(n, stride, sizeof(double)) ||
        !enuf_fits_in_memory(n, sums->options.batch, 2 * sizeof(double)))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: %lld %ss of stride %lld, batch %d: no memory is so large", function,
                         n, what, stride, sums->options.batch);
    for (int d = 0; d < dim; ++d)
        if (!places->x[d])
            return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %c is NULL, dim %d needs it", function,
                             AXIS[d], dim);
    for (int d = 0; sums->options.memory == ENUF_HOST && d < dim; ++d)
        for (int64_t j = 0; j < n; ++j)
            if (!isfinite(places->x[d][j * stride]))
                return enuf_fail(ENUF_NOT_FINITE, "%s: %c of %s %lld is NaN or infinite", function,
                                 AXIS[d], what, (long long)j);
    return ENUF_SUCCESS;
}

/* A number of each sample or pixel. */
static enuf_status check_numbers(const char *function, const char *name, const char *what,
                                 const enuf_direct *sums, int64_t n, const double *numbers)
{
    if (sums->options.memory != ENUF_HOST || !numbers) return ENUF_SUCCESS;
    for (int64_t j = 0; j < n; ++j)
        if (!isfinite(numbers[j]))
            return enuf_fail(ENUF_NOT_FINITE, "%s: %s of %s %lld is NaN or infinite", function,
                             name, what, (long long)j);
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_set_samples(enuf_direct *sums, int64_t n, const double *x, const double *y,
                                    const double *z, int64_t stride, const double *times)
{
    static const char function[] = "enuf_direct_set_samples";
    const enuf_direct_points places = {n, {x, y, z}, stride};
    if (!sums) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: sums is NULL", function);
    ENUF_TRY(check_places(function, "sample", sums, &places));
    ENUF_TRY(check_numbers(function, "the time", "sample", sums, n, times));
    if (sums->has_maps && !times && n > 0)
        return enuf_fail(
            ENUF_BAD_ARGUMENT,
            "%s: times is NULL, and the pixels have a field map, a decay or gradients: "
            "give times, or remove the maps by enuf_direct_set_field()",
            function);
    ENUF_TRY(sums->engine->set_samples(sums, &places, times));
    sums->n_samples = n;
    sums->has_times = times || n == 0;
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_set_pixels(enuf_direct *sums, int64_t n, const double *x, const double *y,
                                   const double *z, int64_t stride)
{
    static const char function[] = "enuf_direct_set_pixels";
    const enuf_direct_points places = {n, {x, y, z}, stride};
    if (!sums) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: sums is NULL", function);
    ENUF_TRY(check_places(function, "pixel", sums, &places));
    ENUF_TRY(sums->engine->set_pixels(sums, &places));
    sums->n_pixels = n;
    sums->has_maps = 0;
    return ENUF_SUCCESS;
}

static enuf_status read_axis(const char *function, int d, const int64_t *counts,
                             const double *spacing, const double *first, enuf_direct_grid *grid)
{
    const int64_t n = counts[d];
    if (n < 0)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: counts[%d] is %lld: use 0 or more", function, d,
                         (long long)n);
    grid->counts[d] = n;
    grid->spacing[d] = spacing ? spacing[d] : 1 / (double)(n > 0 ? n : 1);
    grid->first[d] = first ? first[d] : -(double)(n / 2) * grid->spacing[d];
    if (!isfinite(grid->spacing[d]))
        return enuf_fail(ENUF_NOT_FINITE, "%s: spacing[%d] is NaN or infinite", function, d);
    if (!isfinite(grid->first[d]))
        return enuf_fail(ENUF_NOT_FINITE, "%s: first[%d] is NaN or infinite", function, d);
    if (!isfinite(enuf_direct_node(grid, d, n)))
        return enuf_fail(ENUF_NOT_FINITE,
                         "%s: the last pixel along axis %d is infinite: spacing %g", function, d,
                         grid->spacing[d]);
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_set_pixel_grid(enuf_direct *sums, const int64_t *counts,
                                       const double *spacing, const double *first)
{
    static const char function[] = "enuf_direct_set_pixel_grid";
    enuf_direct_grid grid = {.counts = {1, 1, 1}};
    if (!sums) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: sums is NULL", function);
    if (!counts) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: counts is NULL", function);
    for (int d = 0; d < sums->options.dim; ++d)
        ENUF_TRY(read_axis(function, d, counts, spacing, first, &grid));
    int64_t n = grid.counts[0];
    const int empty = grid.counts[0] == 0 || grid.counts[1] == 0 || grid.counts[2] == 0;
    if (empty) n = 0;
    if (!empty && (__builtin_mul_overflow(n, grid.counts[1], &n) ||
                   __builtin_mul_overflow(n, grid.counts[2], &n) ||
                   !enuf_fits_in_memory(n, sums->options.batch, 2 * sizeof(double))))
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: %lld x %lld x %lld pixels, batch %d: no memory is so large", function,
                         (long long)grid.counts[0], (long long)grid.counts[1],
                         (long long)grid.counts[2], sums->options.batch);
    ENUF_TRY(sums->engine->set_pixel_grid(sums, &grid));
    sums->n_pixels = n;
    sums->has_maps = 0;
    return ENUF_SUCCESS;
}

static enuf_status read_voxel(const char *function, int dim, const double *voxel,
                              enuf_direct_field *field)
{
    for (int d = 0; voxel && d < dim; ++d) {
        if (!isfinite(voxel[d]))
            return enuf_fail(ENUF_NOT_FINITE, "%s: voxel[%d] is NaN or infinite", function, d);
        if (!(voxel[d] > 0))
            return enuf_fail(ENUF_BAD_ARGUMENT,
                             "%s: voxel[%d] is %g: the edge of a voxel is positive", function, d,
                             voxel[d]);
        field->voxel[d] = voxel[d];
    }
    return ENUF_SUCCESS;
}

static enuf_status read_gradient(const char *function, const enuf_direct *sums, int64_t n,
                                 const double *const *gradient, const double *voxel,
                                 enuf_direct_field *field)
{
    char name[] = "gradient[0]";
    if (!gradient) return ENUF_SUCCESS;
    if (!voxel)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: voxel is NULL, gradients need it: give the edges of a voxel",
                         function);
    for (int d = 0; d < sums->options.dim; ++d) {
        name[9] = (char)('0' + d);
        if (!gradient[d] && n > 0)
            return enuf_fail(ENUF_BAD_ARGUMENT, "%s: %s is NULL, dim %d needs it", function, name,
                             sums->options.dim);
        ENUF_TRY(check_numbers(function, name, "pixel", sums, n, gradient[d]));
        field->gradient[d] = gradient[d];
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_set_field(enuf_direct *sums, int64_t n, const double *omega,
                                  const double *decay, const double *const *gradient,
                                  const double *voxel)
{
    static const char function[] = "enuf_direct_set_field";
    enuf_direct_field field = {.omega = omega, .decay = decay};
    if (!sums) return enuf_fail(ENUF_BAD_ARGUMENT, "%s: sums is NULL", function);
    if (sums->n_pixels < 0)
        return enuf_fail(ENUF_NO_POINTS_SET,
                         "%s: set the pixels first, by enuf_direct_set_pixels() or _pixel_grid()",
                         function);
    if (n != sums->n_pixels)
        return enuf_fail(ENUF_BAD_ARGUMENT, "%s: n is %lld, but %lld pixels are set", function,
                         (long long)n, (long long)sums->n_pixels);
    ENUF_TRY(read_voxel(function, sums->options.dim, voxel, &field));
    ENUF_TRY(read_gradient(function, sums, n, gradient, voxel, &field));
    if ((omega || decay || gradient) && !sums->has_times)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "%s: the samples have no times, which a field map, a decay and gradients "
                         "need: give times to enuf_direct_set_samples() first",
                         function);
    ENUF_TRY(check_numbers(function, "omega", "pixel", sums, n, omega));
    ENUF_TRY(check_numbers(function, "decay", "pixel", sums, n, decay));
    ENUF_TRY(sums->engine->set_field(sums, &field));
    sums->has_maps = omega || decay || gradient;
    return ENUF_SUCCESS;
}
