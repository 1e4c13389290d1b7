/* sides.c - see sides.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sides.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* ---- Copies ---- */

static enuf_status copy(int64_t n, const double *from, const char *what, double **to)
{
    if (!from) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(to, n, sizeof(double), what));
    if (n > 0) memcpy(*to, from, (size_t)n * sizeof(double));
    return ENUF_SUCCESS;
}

static enuf_status make_places(int dim, int64_t n, enuf_direct_copies *to)
{
    ENUF_TRY(enuf_allocate(&to->coordinates, n * dim, sizeof(double), "coordinates"));
    to->places = (enuf_direct_points){.n = n, .stride = 1};
    for (int d = 0; d < dim; ++d) to->places.x[d] = to->coordinates + d * n;
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_copy_places(int dim, const enuf_direct_points *from, const double *times,
                                    enuf_direct_copies *to)
{
    ENUF_TRY(make_places(dim, from->n, to));
    for (int d = 0; d < dim; ++d)
        for (int64_t j = 0; j < from->n; ++j)
            to->coordinates[d * from->n + j] = from->x[d][j * from->stride];
    return copy(from->n, times, "times", &to->times);
}

enuf_status enuf_direct_copy_grid(int dim, const enuf_direct_grid *grid, enuf_direct_copies *to)
{
    const int64_t *c = grid->counts, n = c[0] * c[1] * c[2];
    ENUF_TRY(make_places(dim, n, to));
    for (int64_t k = 0; k < n; ++k) {
        const int64_t node[3] = {k % c[0], k / c[0] % c[1], k / c[0] / c[1]};
        for (int d = 0; d < dim; ++d)
            to->coordinates[d * n + k] = enuf_direct_node(grid, d, node[d]);
    }
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_copy_field(int64_t n, const enuf_direct_field *field,
                                   enuf_direct_copies *to)
{
    ENUF_TRY(copy(n, field->omega, "the field map", &to->omega));
    ENUF_TRY(copy(n, field->decay, "the decay", &to->decay));
    for (int d = 0; d < 3; ++d)
        ENUF_TRY(copy(n, field->gradient[d], "gradients", &to->gradient[d]));
    return ENUF_SUCCESS;
}

void enuf_direct_release_field(enuf_direct_copies *copies)
{
    enuf_release(&copies->omega);
    enuf_release(&copies->decay);
    for (int d = 0; d < 3; ++d) enuf_release(&copies->gradient[d]);
}

void enuf_direct_release_copies(enuf_direct_copies *copies)
{
    enuf_direct_release_field(copies);
    enuf_release(&copies->coordinates);
    enuf_release(&copies->times);
    *copies = (enuf_direct_copies){0};
}

/* ---- Sides ---- */

/* Arrays in the making. */
typedef struct maker {
    enuf_direct_sides *sides;
    int in_float;
    int64_t n;
} maker;

static enuf_status make_array(const maker *m, size_t size, enuf_pair_numbers *numbers, void **array)
{
    ENUF_TRY(enuf_allocate(array, m->n, size, "samples and pixels"));
    m->sides->array[m->sides->n_arrays++] = *array;
    *numbers = (enuf_pair_numbers){*array, 1};
    return ENUF_SUCCESS;
}

/* numbers[i] = factor from[i]; NULL: zeros */
static enuf_status scaled(const maker *m, double factor, const double *from,
                          enuf_pair_numbers *numbers)
{
    void *array;
    *numbers = enuf_pair_zero;
    if (!from) return ENUF_SUCCESS;
    if (!m->in_float && factor == 1) {
        *numbers = (enuf_pair_numbers){from, 1};
        return ENUF_SUCCESS;
    }
    ENUF_TRY(make_array(m, m->in_float ? sizeof(float) : sizeof(double), numbers, &array));
    for (int64_t i = 0; i < m->n; ++i)
        if (m->in_float)
            ((float *)array)[i] = (float)(factor * from[i]);
        else
            ((double *)array)[i] = factor * from[i];
    return ENUF_SUCCESS;
}

/* from[i], high and low, as factors times `unit`, or as fractions of it. */
static enuf_status split(const maker *m, double unit, int fraction, const double *from,
                         enuf_pair_numbers *numbers)
{
    void *array;
    *numbers = enuf_pair_zero;
    if (!from) return ENUF_SUCCESS;
    ENUF_TRY(make_array(m, sizeof(enuf_split), numbers, &array));
    for (int64_t i = 0; i < m->n; ++i)
        ((enuf_split *)array)[i] =
            fraction ? enuf_split_fraction(from[i] / unit) : enuf_split_factor(from[i] * unit, 0);
    return ENUF_SUCCESS;
}

static double largest(int64_t n, const double *x)
{
    double most = 0;
    for (int64_t i = 0; x && i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

/* Both sides' factors along the axes. */
static enuf_status make_axes(int dim, const maker *m, const maker *p,
                             const enuf_direct_copies *samples, const enuf_direct_copies *pixels)
{
    enuf_direct_sides *sides = m->sides;
    for (int d = 0; d < 3; ++d) {
        enuf_pair_numbers *k = &sides->samples.turns[d], *r = &sides->pixels.turns[d];
        const double *of_samples = d < dim ? samples->places.x[d] : NULL;
        const double *of_pixels = d < dim ? pixels->places.x[d] : NULL;
        sides->unit[d] = 1;
        if (m->in_float) {
            sides->unit[d] = enuf_split_unit(largest(p->n, of_pixels));
            ENUF_TRY(split(m, sides->unit[d], 0, of_samples, k));
            ENUF_TRY(split(p, sides->unit[d], 1, of_pixels, r));
        } else {
            ENUF_TRY(scaled(m, 1, of_samples, k));
            ENUF_TRY(scaled(p, 1, of_pixels, r));
        }
    }
    return ENUF_SUCCESS;
}

/* omega / (2 pi) in two numbers, since its rounding error times a time is part of the phase. */
static void turns_of(double omega, double *high, double *low)
{
    const double turn = 0.15915494309189535, rest = -9.839338317591243e-18; /* 1/(2 pi) */
    *high = omega * turn;
    *low = fma(omega, turn, -*high) + omega * rest;
}

static enuf_status make_field(const maker *m, const maker *p, const enuf_direct_copies *samples,
                              const enuf_direct_copies *pixels)
{
    enuf_direct_sides *sides = m->sides;
    enuf_pair_numbers *low = &sides->pixels.low;
    void *array, *lows = NULL;
    sides->samples.turns[3] = sides->samples.low = enuf_pair_zero;
    sides->pixels.turns[3] = *low = enuf_pair_zero;
    if (!pixels->omega || !samples->times) return ENUF_SUCCESS;
    const double unit = enuf_split_unit(largest(m->n, samples->times));
    if (m->in_float) {
        ENUF_TRY(split(m, unit, 1, samples->times, &sides->samples.turns[3]));
        ENUF_TRY(make_array(p, sizeof(enuf_split), &sides->pixels.turns[3], &array));
    } else {
        ENUF_TRY(scaled(m, 1, samples->times, &sides->samples.turns[3]));
        sides->samples.low = sides->samples.turns[3];
        ENUF_TRY(make_array(p, sizeof(double), &sides->pixels.turns[3], &array));
        ENUF_TRY(make_array(p, sizeof(double), low, &lows));
    }
    for (int64_t i = 0; i < p->n; ++i) {
        double high, rest;
        turns_of(pixels->omega[i], &high, &rest);
        if (m->in_float) {
            ((enuf_split *)array)[i] = enuf_split_factor(high * unit, rest * unit);
        } else {
            ((double *)array)[i] = high;
            ((double *)lows)[i] = rest;
        }
    }
    return ENUF_SUCCESS;
}

static enuf_status make(const enuf_direct *sums, const enuf_direct_copies *samples,
                        const enuf_direct_copies *pixels, const double edge[3],
                        enuf_direct_sides *sides)
{
    static const double LOG2_E = 1.44269504088896340736;
    const int in_float = sums->options.precision == ENUF_FLOAT, dim = sums->options.dim;
    const maker m = {sides, in_float, samples->places.n}, p = {sides, in_float, pixels->places.n};
    enuf_pair_side *s = &sides->samples, *r = &sides->pixels;
    s->n = m.n;
    r->n = p.n;
    ENUF_TRY(make_axes(dim, &m, &p, samples, pixels));
    ENUF_TRY(make_field(&m, &p, samples, pixels));
    ENUF_TRY(scaled(&p, -LOG2_E, pixels->decay, &r->decay));
    ENUF_TRY(scaled(&m, 1, samples->times, &s->decay));
    for (int d = 0; d < 3; ++d) {
        const double *k = d < dim && edge[d] > 0 ? samples->places.x[d] : NULL;
        ENUF_TRY(scaled(&m, edge[d], k, &s->shift[d]));
        r->shift[d] = enuf_pair_zero;
        s->slope[d] = s->decay;
        ENUF_TRY(scaled(&p, 1, pixels->gradient[d], &r->slope[d]));
    }
    sides->made = 1;
    return ENUF_SUCCESS;
}

enuf_status enuf_direct_make_sides(const enuf_direct *sums, const enuf_direct_copies *samples,
                                   const enuf_direct_copies *pixels, const double edge[3],
                                   enuf_direct_sides *sides)
{
    enuf_direct_release_sides(sides);
    const enuf_status status = make(sums, samples, pixels, edge, sides);
    if (status != ENUF_SUCCESS) enuf_direct_release_sides(sides);
    return status;
}

void enuf_direct_release_sides(enuf_direct_sides *sides)
{
    for (int k = 0; k < sides->n_arrays; ++k) enuf_release(&sides->array[k]);
    *sides = (enuf_direct_sides){0};
}
