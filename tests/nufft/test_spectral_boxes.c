/*
 * test_spectral_boxes.c - a caller completes a transform with the stages deconvolve, multiply and
 * reduce around its own FFT, which here is the sum of its definition. The spectrum is in boxes,
 * with any order of axes, and for real strengths with any axis halved. Relative l2 bounds against
 * direct sums: 4 tolerances of 1e-11 for types 1 and 2 and gradients, 8 for sums and moments. 1D to
 * 3D, both signs. SPDX-License-Identifier: BSD-3-Clause
 */
#include "conformance.h"
#include "enuf/nufft_stages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The FFT of the whole fine grid in FFT order, x fastest, and the modes by direct sums. */
typedef struct grid_spectrum {
    transform t; /* complex strengths: all modes */
    int real;    /* strengths have no imaginary part, and the plan is one of real strengths */
    enuf_nufft *plan;
    int64_t grid[3];
    int64_t count;
    double *spectrum; /* [count] complex */
} grid_spectrum;

/* Box k of 2^dim. Each axis is cut into a third and the rest. */
static enuf_spectral_box box_of(const grid_spectrum *g, int k, const int order[3], int half_axis)
{
    enuf_spectral_box box = {.half_axis = half_axis};
    for (int d = 0; d < 3; ++d) {
        box.global_grid[d] = g->grid[d];
        box.modes[d] = d < g->t.options.dim ? g->t.options.modes[d] : 1;
        box.axis_order[d] = order[d];
        box.n[d] = 1;
        if (d >= g->t.options.dim) continue;
        int64_t length = d == half_axis ? g->grid[d] / 2 + 1 : g->grid[d];
        int64_t cut = length / 3 + 1;
        int upper = k >> d & 1;
        box.lo[d] = upper ? cut : 0;
        box.n[d] = upper ? length - cut : cut;
    }
    return box;
}

static int64_t box_count(const enuf_spectral_box *box)
{
    return box->n[0] * box->n[1] * box->n[2];
}

/* Frequencies and mode numbers of entry `at` of a box. Returns 1 if the transform uses the mode. */
static int entry(const grid_spectrum *g, const enuf_spectral_box *box, int64_t at, int64_t f[3],
                 int64_t m[3])
{
    int dim = g->t.options.dim, is_mode = 1;
    f[0] = f[1] = f[2] = m[0] = m[1] = m[2] = 0;
    for (int i = dim - 1; i >= 0; --i) {
        int d = box->axis_order[i];
        int64_t modes = g->t.options.modes[d];
        f[d] = box->lo[d] + at % box->n[d];
        at /= box->n[d];
        m[d] = 2 * f[d] > g->grid[d] ? f[d] - g->grid[d] : f[d];
        if (2 * f[d] == g->grid[d] && 2 * m[d] > modes) is_mode = 0;
        if (m[d] < -(modes / 2) || m[d] > (modes - 1) / 2) is_mode = 0;
        if (g->real && modes % 2 == 0 && 2 * llabs(m[d]) == modes) is_mode = 0;
    }
    return is_mode;
}

static int64_t grid_index(const grid_spectrum *g, const int64_t f[3])
{
    return (f[2] * g->grid[1] + f[1]) * g->grid[0] + f[0];
}

static int64_t mode_index(const grid_spectrum *g, const int64_t m[3])
{
    int64_t at = 0;
    for (int d = g->t.options.dim - 1; d >= 0; --d)
        at = at * g->t.options.modes[d] + m[d] + g->t.options.modes[d] / 2;
    return at;
}

static double weight_of(const enuf_spectral_box *box, const int64_t m[3])
{
    return box->half_axis >= 0 && m[box->half_axis] != 0 ? 2.0 : 1.0;
}

/* Transforms the lines of n cells that are `stride` apart. */
static void fft_of_axis(int64_t count, double *cells, int64_t n, int64_t stride, int sign)
{
    const double two_pi = 2 * acos(-1.0);
    double *root = numbers_make(ENUF_DOUBLE, 2 * n), *line = numbers_make(ENUF_DOUBLE, 2 * n);
    for (int64_t k = 0; k < n; ++k) {
        root[2 * k] = cos(two_pi * (double)k / (double)n);
        root[2 * k + 1] = sign * sin(two_pi * (double)k / (double)n);
    }
    for (int64_t first = 0; first < count; ++first) {
        if (first / stride % n != 0) continue;
        for (int64_t j = 0; j < n; ++j)
            memcpy(line + 2 * j, cells + 2 * (first + j * stride), 2 * sizeof *line);
        for (int64_t k = 0; k < n; ++k) {
            double *to = cells + 2 * (first + k * stride);
            to[0] = to[1] = 0;
            for (int64_t j = 0; j < n; ++j) {
                const double *x = line + 2 * j, *w = root + 2 * (j * k % n);
                to[0] += x[0] * w[0] - x[1] * w[1];
                to[1] += x[0] * w[1] + x[1] * w[0];
            }
        }
    }
    free(root);
    free(line);
}

static void fft(const grid_spectrum *g, double *cells, int sign)
{
    int64_t stride = 1;
    for (int d = 0; d < g->t.options.dim; ++d) {
        fft_of_axis(g->count, cells, g->grid[d], stride, sign);
        stride *= g->grid[d];
    }
}

static enuf_brick whole_brick(const grid_spectrum *g)
{
    enuf_brick brick = {{0}, {0}, {0}, {0}, {0}, {0}};
    int64_t stride = 1;
    for (int d = 0; d < 3; ++d) {
        brick.global[d] = brick.n[d] = g->grid[d];
        brick.stride[d] = stride;
        stride *= g->grid[d];
    }
    return brick;
}

/* The strengths as the plan takes them, real or complex. */
static double *strengths_of(const grid_spectrum *g)
{
    double *strengths = numbers_make(ENUF_DOUBLE, 2 * g->t.n);
    const double *all = g->t.strengths;
    for (int64_t j = 0; j < g->t.n; ++j)
        if (g->real)
            strengths[j] = all[2 * j];
        else
            memcpy(strengths + 2 * j, all + 2 * j, 2 * sizeof(double));
    return strengths;
}

static void spread_and_transform(grid_spectrum *g)
{
    double *strengths = strengths_of(g);
    enuf_brick brick = whole_brick(g);
    double *cells = numbers_make(ENUF_DOUBLE, 2 * g->count);
    CHECK_STATUS(enuf_stage_spread(g->plan, strengths, NULL, &brick, cells, 0), ENUF_SUCCESS);
    for (int64_t i = g->count - 1; i >= 0 && g->real; --i) {
        cells[2 * i] = cells[i];
        cells[2 * i + 1] = 0.0;
    }
    fft(g, cells, g->t.options.sign);
    g->spectrum = cells;
    free(strengths);
}

/* A box after deconvolve(): it holds the direct sum at its modes and zero elsewhere. */
static double *deconvolved_box(const grid_spectrum *g, const enuf_spectral_box *box)
{
    int64_t count = box_count(box);
    double *found = numbers_make(ENUF_DOUBLE, 2 * count);
    for (int64_t i = 0; i < count; ++i) {
        int64_t f[3], m[3];
        entry(g, box, i, f, m);
        memcpy(found + 2 * i, g->spectrum + 2 * grid_index(g, f), 2 * sizeof(double));
    }
    CHECK_STATUS(enuf_stage_deconvolve(g->plan, box, found), ENUF_SUCCESS);
    return found;
}

static void type1_box_by_box(const grid_spectrum *g, const int order[3], int half_axis)
{
    const double *modes = g->t.modes_expected;
    double *weights = numbers_make(ENUF_DOUBLE, 2 * g->count);
    double sums[2][7] = {{0.0}}, expected_sums[2][7] = {{0.0}};
    double missed = 0.0, size = 0.0;
    int64_t modes_seen = 0;
    for (int k = 0; k < 1 << g->t.options.dim; ++k) {
        enuf_spectral_box box = box_of(g, k, order, half_axis);
        double *found = deconvolved_box(g, &box);
        int64_t count = box_count(&box);
        double part[14];
        for (int64_t i = 0; i < count; ++i) {
            int64_t f[3], m[3];
            int is_mode = entry(g, &box, i, f, m);
            weights[i] = 1.0 + 0.1 * (double)(m[0] * m[0]);
            weights[count + i] = cos((double)(m[0] + 2 * m[1] + 3 * m[2]));
            if (!is_mode) {
                CHECK(found[2 * i] == 0.0 && found[2 * i + 1] == 0.0);
                continue;
            }
            ++modes_seen;
            const double *expected = modes + 2 * mode_index(g, m);
            double square = expected[0] * expected[0] + expected[1] * expected[1];
            missed += pow(found[2 * i] - expected[0], 2) + pow(found[2 * i + 1] - expected[1], 2);
            size += square;
            const double moments[7] = {1.0,
                                       (double)(m[0] * m[0]),
                                       (double)(m[1] * m[1]),
                                       (double)(m[2] * m[2]),
                                       (double)(m[0] * m[1]),
                                       (double)(m[0] * m[2]),
                                       (double)(m[1] * m[2])};
            for (int w = 0; w < 2; ++w)
                for (int a = 0; a < 7; ++a)
                    expected_sums[w][a] +=
                        weight_of(&box, m) * weights[w * count + i] * square * moments[a];
        }
        CHECK_STATUS(enuf_stage_reduce(g->plan, &box, 2, weights, 1, found, part), ENUF_SUCCESS);
        for (int a = 0; a < 14; ++a) sums[a / 7][a % 7] += part[a];
        free(found);
    }
    CHECK(modes_seen > 0);
    CHECK_BELOW(sqrt(missed / size), 4.0 * g->t.options.tolerance, "  type 1 box by box");
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 14, sums[0], expected_sums[0]),
                8.0 * g->t.options.tolerance, "  sums and moments over all boxes");
    free(weights);
}

/* Multiplies the modes box by box, transforms back and interpolates at the points. */
static void type2_box_by_box(grid_spectrum *g, const int order[3], int half_axis,
                             enuf_multiplier kind)
{
    int64_t count = 0;
    double *grid = numbers_make(ENUF_DOUBLE, 2 * g->count);
    double *product = numbers_make(ENUF_DOUBLE, g->t.n_modes);
    const double *modes = g->t.modes_expected; /* Hermitian if the strengths are real */
    for (int k = 0; k < 1 << g->t.options.dim; ++k) {
        enuf_spectral_box box = box_of(g, k, order, half_axis);
        count = box_count(&box);
        double *array = numbers_make(ENUF_DOUBLE, 2 * count);
        double *multiplier = numbers_make(ENUF_DOUBLE, 2 * count);
        for (int64_t i = 0; i < count; ++i) {
            int64_t f[3], m[3];
            int is_mode = entry(g, &box, i, f, m);
            double square = (double)(m[0] * m[0] + 2 * m[1] * m[1] + 3 * m[2] * m[2]);
            double re = exp(-0.02 * square);
            double im = kind == ENUF_COMPLEX ? 0.05 * (double)(m[0] - m[1] + 2 * m[2]) : 0.0;
            /* entries without a mode: deconvolve() must set them to zero */
            array[2 * i] = array[2 * i + 1] = 1e3;
            multiplier[kind == ENUF_REAL ? i : 2 * i] = re;
            if (kind == ENUF_COMPLEX) multiplier[2 * i + 1] = im;
            if (!is_mode) continue;
            const double *mode = modes + 2 * mode_index(g, m);
            memcpy(array + 2 * i, mode, 2 * sizeof(double));
            for (int mirrored = 0; mirrored <= (half_axis >= 0); ++mirrored) {
                int64_t other[3] = {mirrored ? -m[0] : m[0], mirrored ? -m[1] : m[1],
                                    mirrored ? -m[2] : m[2]};
                double *to = product + 2 * mode_index(g, other);
                to[0] = re * mode[0] - im * mode[1];
                to[1] = (re * mode[1] + im * mode[0]) * (mirrored ? -1.0 : 1.0);
            }
        }
        CHECK_STATUS(enuf_stage_multiply(g->plan, &box, kind, multiplier, array), ENUF_SUCCESS);
        CHECK_STATUS(enuf_stage_deconvolve(g->plan, &box, array), ENUF_SUCCESS);
        for (int64_t i = 0; i < count; ++i) {
            int64_t f[3], m[3], opposite[3];
            entry(g, &box, i, f, m);
            for (int d = 0; d < 3; ++d) opposite[d] = (g->grid[d] - f[d]) % g->grid[d];
            memcpy(grid + 2 * grid_index(g, f), array + 2 * i, 2 * sizeof(double));
            if (half_axis < 0) continue;
            grid[2 * grid_index(g, opposite)] = array[2 * i];
            grid[2 * grid_index(g, opposite) + 1] =
                grid_index(g, opposite) == grid_index(g, f) ? 0.0 : -array[2 * i + 1];
        }
        free(array);
        free(multiplier);
    }
    fft(g, grid, -g->t.options.sign);
    for (int64_t i = 0; i < g->count && g->real; ++i) grid[i] = grid[2 * i];
    enuf_brick brick = whole_brick(g);
    int64_t n = g->t.n, dim = g->t.options.dim;
    double *values = numbers_make(ENUF_DOUBLE, 2 * n);
    double *gradients = numbers_make(ENUF_DOUBLE, 2 * n * dim);
    CHECK_STATUS(enuf_stage_interpolate(g->plan, &brick, grid, NULL, values, gradients, 0),
                 ENUF_SUCCESS);
    memcpy(g->t.spectrum, product, sizeof(double) * (size_t)g->t.n_modes);
    double *keep = g->t.modes_expected;
    g->t.modes_expected = numbers_make(ENUF_DOUBLE, g->t.n_modes);
    transform_sum(&g->t);
    free(g->t.modes_expected);
    g->t.modes_expected = keep;
    for (int64_t i = n * dim - 1; i >= 0 && g->real; --i) {
        gradients[2 * i] = gradients[i];
        gradients[2 * i + 1] = 0.0;
        if (i >= n) continue;
        values[2 * i] = values[i];
        values[2 * i + 1] = 0.0;
    }
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 2 * n, values, g->t.values_expected),
                4.0 * g->t.options.tolerance, "  type 2 box by box: values");
    CHECK_BELOW(relative_error(ENUF_DOUBLE, 2 * n * dim, gradients, g->t.gradients_expected),
                4.0 * g->t.options.tolerance, "  type 2 box by box: gradients");
    free(grid);
    free(product);
    free(values);
    free(gradients);
}

/* Direct sums of complex strengths over all modes. For real strengths the unpaired modes become
 * zero. */
static void sum_directly(grid_spectrum *g)
{
    double *strengths = g->t.strengths, *modes = g->t.modes_expected;
    for (int64_t j = 0; j < g->t.n && g->real; ++j) strengths[2 * j + 1] = 0.0;
    transform_sum(&g->t);
    for (int64_t mode = 0; mode < g->t.modes && g->real; ++mode) {
        int64_t m[3];
        mode_numbers(&g->t.options, mode, m);
        for (int d = 0; d < g->t.options.dim; ++d)
            if (-2 * m[d] == g->t.options.modes[d]) modes[2 * mode] = modes[2 * mode + 1] = 0.0;
    }
}

static void law_of(int dim, int real, int sign)
{
    static const int orders[3][3][3] = {{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}},
                                        {{1, 0, 2}, {0, 1, 2}, {1, 0, 2}},
                                        {{2, 1, 0}, {0, 2, 1}, {1, 2, 0}}};
    grid_spectrum g = {.real = real};
    enuf_nufft_options options = conformance_options(dim, 9, 8, 6);
    enuf_nufft_report report = {.struct_size = sizeof report};
    options.sign = sign;
    options.tolerance = 1e-11;
    options.gradients = 1;
    g.t = transform_make(&options, 90, 3);
    sum_directly(&g);
    options.strengths = real ? ENUF_REAL_STRENGTHS : ENUF_COMPLEX_STRENGTHS;
    options.no_grid = 1;
    g.plan = transform_plan(&g.t, &options);
    if (g.plan) {
        CHECK_STATUS(enuf_nufft_get_report(g.plan, &report), ENUF_SUCCESS);
        memcpy(g.grid, report.fine_grid, sizeof g.grid);
        g.count = g.grid[0] * g.grid[1] * g.grid[2];
        spread_and_transform(&g);
        for (int o = 0; o < 3; ++o)
            for (int half = real ? 0 : -1; half < (real ? dim : 0); ++half) {
                const int *order = orders[dim - 1][o];
                printf("%dD %s sign %d, axes %d %d %d, half axis %d\n", dim,
                       real ? "real" : "complex", sign, order[0], order[1], order[2], half);
                type1_box_by_box(&g, order, half);
                type2_box_by_box(&g, order, half, ENUF_REAL);
                type2_box_by_box(&g, order, half, ENUF_COMPLEX);
            }
    }
    enuf_nufft_destroy(&g.plan);
    free(g.spectrum);
    transform_free(&g.t);
}

static void law(void)
{
    for (int dim = 1; dim <= 3; ++dim)
        for (int real = 0; real < 2; ++real) {
            law_of(dim, real, -1);
            law_of(dim, real, 1);
        }
}

int main(int argc, char **argv)
{
    return conformance_main(argc, argv, law);
}
