/* separate.c - see separate.h. SPDX-License-Identifier: BSD-3-Clause */
#include "separate.h"
#include "low_rank.h"
#include "memory.h"
#include "names.h"

#include <string.h>

ENUF_DEFINE_NAMES(enuf_separation, ENUF_SEPARATIONS, "separation")

/* What is separated: exp(-(z - Z)(t - T)) at the nodes of times and of the field. */
typedef struct kernel {
    const enuf_histogram *times, *field;
    enuf_centre centre;
} kernel;

/* The factor that is separated, at a time and at a node of the field. */
static double complex core(const kernel *k, double t, int h)
{
    const double *z = k->field->node[h], distance = t - k->centre.time;
    return exp(-(z[1] - k->centre.decay) * distance) *
           cexp(-I * (z[0] - k->centre.omega) * distance);
}

/* Root of the weight of a node: the values that it stands for, times the size of the factors that
 * are not separated. */
static double size_of_time(const kernel *k, int t)
{
    return sqrt(k->times->weight[t]) *
           exp(-k->centre.decay * (k->times->node[t][0] - k->centre.time));
}

static double size_of_field(const kernel *k, int h)
{
    return sqrt(k->field->weight[h]) * exp(-k->field->node[h][1] * k->centre.time);
}

static enuf_status allocate_tables(const kernel *k, int count, enuf_separated *made)
{
    made->count = count;
    ENUF_TRY(enuf_allocate(&made->of_times, (int64_t)k->times->n_nodes * count,
                           sizeof(double complex), "interpolators of times"));
    return enuf_allocate(&made->of_field, (int64_t)k->field->n_nodes * count,
                         sizeof(double complex), "interpolators of the field");
}

/* ---- Singular vectors ---- */

/* One column: all times at a node of the field, weighted. */
static void fill_column(const kernel *k, int h, const double *sizes, double size,
                        double complex *column)
{
    for (int t = 0; t < k->times->n_nodes; t++)
        column[t] = sizes[t] * size * core(k, k->times->node[t][0], h);
}

static void tabulate_vectors(const kernel *k, const double *sizes, const enuf_low_rank *low,
                             enuf_separated *made)
{
    const int n_times = k->times->n_nodes, n_field = k->field->n_nodes, count = low->rank;
    for (int l = 0; l < count; l++) {
        const double complex *left = low->vector + (size_t)l * n_times;
        const double complex *right = low->right + (size_t)l * n_field;
        for (int t = 0; t < n_times; t++)
            made->of_times[(size_t)t * count + l] = left[t] / sizes[t];
        for (int h = 0; h < n_field; h++)
            made->of_field[(size_t)h * count + l] =
                low->value[l] * conj(right[h]) / size_of_field(k, h);
    }
}

static enuf_status by_vectors(const kernel *k, double tolerance, double *sizes,
                              double complex *matrix, enuf_separated *made)
{
    const int n = k->times->n_nodes;
    enuf_low_rank low = {0};
    for (int t = 0; t < n; t++) sizes[t] = size_of_time(k, t);
    for (int h = 0; h < k->field->n_nodes; h++)
        fill_column(k, h, sizes, size_of_field(k, h), matrix + (size_t)h * n);
    enuf_status status = enuf_low_rank_make(n, k->field->n_nodes, matrix, tolerance, &low);
    if (status == ENUF_SUCCESS) status = allocate_tables(k, low.rank, made);
    if (status == ENUF_SUCCESS) tabulate_vectors(k, sizes, &low, made);
    enuf_low_rank_free(&low);
    return status;
}

/* ---- Segments ---- */

/* Least squares over the nodes of the field. */
typedef struct segments {
    int count, most;
    double *sizes;            /* [nodes of the field] */
    double complex *q;        /* [most][nodes of the field] */
    double complex *triangle; /* [most][count] */
    double complex *column;   /* [nodes of the field] */
    double complex *found;    /* [most] */
} segments;

static double segment_time(const kernel *k, int count, int l)
{
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < k->times->n_cells; c++) {
        const enuf_cell *cell = k->times->cells + c;
        const double half = cell->scale[0] > 0 ? 1 / cell->scale[0] : 0;
        low = fmin(low, cell->centre[0] - half);
        high = fmax(high, cell->centre[0] + half);
    }
    return count > 1 ? low + (high - low) * l / (count - 1) : 0.5 * (low + high);
}

static void fill_row(const kernel *k, const double *sizes, double t, double complex *row)
{
    for (int h = 0; h < k->field->n_nodes; h++) row[h] = sizes[h] * core(k, t, h);
}

static void set_segments(const kernel *k, segments *s, int count)
{
    const int n = k->field->n_nodes;
    s->count = count;
    for (int l = 0; l < count; l++)
        fill_row(k, s->sizes, segment_time(k, count, l), s->q + (size_t)l * n);
    enuf_orthonormalise(n, count, s->q, s->triangle);
}

/* Weights of the segments at a time; returns the square of what they leave. */
static double fit(const kernel *k, segments *s, double t, double complex *weights)
{
    const int n = k->field->n_nodes, count = s->count;
    fill_row(k, s->sizes, t, s->column);
    for (int l = 0; l < count; l++) {
        s->found[l] = enuf_inner(n, s->q + (size_t)l * n, s->column);
        enuf_subtract(n, s->found[l], s->q + (size_t)l * n, s->column);
    }
    for (int i = count - 1; weights && i >= 0; i--) {
        double complex right = s->found[i];
        for (int l = i + 1; l < count; l++)
            right -= s->triangle[(size_t)l * count + i] * weights[l];
        const double complex own = s->triangle[(size_t)i * count + i];
        weights[i] = own == 0 ? 0 : right / own;
    }
    return creal(enuf_inner(n, s->column, s->column));
}

/* The error of so many segments, as a share of the norm. */
static double error_of(const kernel *k, segments *s, int count)
{
    double left = 0, norm = 0;
    set_segments(k, s, count);
    for (int t = 0; t < k->times->n_nodes; t++) {
        const double size = size_of_time(k, t), time = k->times->node[t][0];
        left += size * size * fit(k, s, time, NULL);
        fill_row(k, s->sizes, time, s->column);
        norm += size * size * creal(enuf_inner(k->field->n_nodes, s->column, s->column));
    }
    return sqrt(left / norm);
}

/* Fewest segments, between a number that does not serve and one that does; 0: none serves. */
static int count_segments(const kernel *k, segments *s, double tolerance)
{
    int low = 0, high = 1;
    while (error_of(k, s, high) > tolerance) {
        if (high == s->most) return 0;
        low = high;
        high = 2 * high < s->most ? 2 * high : s->most;
    }
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (error_of(k, s, middle) > tolerance)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static enuf_status by_segments(const kernel *k, double tolerance, segments *s, enuf_separated *made)
{
    for (int h = 0; h < k->field->n_nodes; h++) s->sizes[h] = size_of_field(k, h);
    const int count = count_segments(k, s, tolerance);
    if (count == 0)
        return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                         "%d segments do not reach the tolerance: ask for a larger one, or take "
                         "ENUF_SEPARATION_SVD",
                         s->most);
    ENUF_TRY(allocate_tables(k, count, made));
    set_segments(k, s, count);
    for (int t = 0; t < k->times->n_nodes; t++)
        fit(k, s, k->times->node[t][0], made->of_times + (size_t)t * count);
    for (int h = 0; h < k->field->n_nodes; h++)
        for (int l = 0; l < count; l++)
            made->of_field[(size_t)h * count + l] = core(k, segment_time(k, count, l), h);
    return ENUF_SUCCESS;
}

static enuf_status with_segments(const kernel *k, double tolerance, enuf_separated *made)
{
    const int64_t n = k->field->n_nodes;
    const size_t size = sizeof(double complex);
    segments s = {.most = k->times->n_nodes < n ? k->times->n_nodes : (int)n};
    enuf_status status = enuf_allocate(&s.sizes, n, sizeof(double), "weights of the field");
    if (status == ENUF_SUCCESS) status = enuf_allocate(&s.q, s.most * n, size, "segments");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&s.triangle, (int64_t)s.most * s.most, size, "segments");
    if (status == ENUF_SUCCESS) status = enuf_allocate(&s.column, n, size, "segments");
    if (status == ENUF_SUCCESS) status = enuf_allocate(&s.found, s.most, size, "segments");
    if (status == ENUF_SUCCESS) status = by_segments(k, tolerance, &s, made);
    enuf_release(&s.sizes);
    enuf_release(&s.q);
    enuf_release(&s.triangle);
    enuf_release(&s.column);
    enuf_release(&s.found);
    return status;
}

/* ---- Both ---- */

static enuf_status with_vectors(const kernel *k, double tolerance, enuf_separated *made)
{
    const int64_t n = k->times->n_nodes;
    double *sizes = NULL;
    double complex *matrix = NULL;
    enuf_status status = enuf_allocate(&sizes, n, sizeof *sizes, "weights of the times");
    if (status == ENUF_SUCCESS)
        status = enuf_allocate(&matrix, n * k->field->n_nodes, sizeof *matrix,
                               "exponentials at times and fields");
    if (status == ENUF_SUCCESS) status = by_vectors(k, tolerance, sizes, matrix, made);
    enuf_release(&sizes);
    enuf_release(&matrix);
    return status;
}

enuf_status enuf_separate(enuf_separation method, const enuf_histogram *times,
                          const enuf_histogram *field, const enuf_centre *centre, double tolerance,
                          enuf_separated *made)
{
    const kernel k = {times, field, *centre};
    *made = (enuf_separated){0};
    return method == ENUF_SEPARATION_SVD ? with_vectors(&k, tolerance, made)
                                         : with_segments(&k, tolerance, made);
}

void enuf_separated_free(enuf_separated *separated)
{
    enuf_release(&separated->of_times);
    enuf_release(&separated->of_field);
}
