/* choose.c - see choose.h. SPDX-License-Identifier: BSD-3-Clause */
#include "choose.h"
#include "chebyshev.h"
#include "memory.h"

#include <string.h>

/* Of the tolerance: what separation leaves out, quadrature in a voxel, nodes of histograms; and
 * what all of them may be found to miss. The transforms have the rest: terms.c. */
static const double SEPARATION_SHARE = 0.8, VOXEL_SHARE = 0.3, NODE_SHARE = 0.02, ACCEPTED = 0.86;

/* Exponents of the separated exponential from the middle to the end of its ranges. The dense matrix
 * of its nodes takes a minute where it is larger, with 300 interpolators. */
static const double MOST_EXPONENT = 500;
static const double MOST_NODES = 1e7; /* of times, times those of the field */

/* Samples and pixels at which errors are found. */
enum { DRAWN = 192, FEW = 64 };

/* Exponents of exp(-decay t) that either precision has room for. */
static double most_decay(enuf_precision precision)
{
    return precision == ENUF_FLOAT ? 60 : 300;
}

typedef struct drawn {
    int64_t sample[DRAWN], pixel[DRAWN];
} drawn;

/* Indices at random (Knuth's MMIX generator), the same in every run. */
static void draw(const enuf_field_problem *problem, drawn *d)
{
    uint64_t state = 1;
    for (int k = 0; k < 2 * DRAWN; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const double fraction = (double)(state >> 11) * 0x1p-53;
        if (k % 2)
            d->pixel[k / 2] = (int64_t)(fraction * (double)problem->maps.n);
        else
            d->sample[k / 2] = (int64_t)(fraction * (double)problem->n_samples);
    }
}

static double time_of(const enuf_field_problem *problem, int64_t j)
{
    return problem->times ? problem->times[j] : 0;
}

static double place_of(const enuf_field_problem *problem, int64_t j, int d)
{
    return problem->places[d * problem->n_samples + j];
}

/* ---- The voxel ---- */

/* k_d v_d + G_d t of a sample and a pixel. */
static double turns_across(const enuf_field_problem *problem, int64_t j, int64_t k, int d)
{
    const double *gradient = problem->maps.gradient[d];
    return place_of(problem, j, d) * problem->voxel[d] +
           (gradient ? gradient[k] * time_of(problem, j) : 0);
}

/* Error of n Gauss points in the mean of exp(2 pi i x u) over |u| <= 1/2: RMS over RMS, at some of
 * the samples and pixels. */
static double error_of_points(const enuf_field_problem *problem, const drawn *at, int d, int n)
{
    double node[ENUF_MOST_NODES], weight[ENUF_MOST_NODES], missed = 0, size = 0;
    enuf_gauss_legendre(n, node, weight);
    for (int j = 0; j < FEW; j++)
        for (int k = 0; k < FEW; k++) {
            const double x = turns_across(problem, at->sample[j], at->pixel[k], d);
            const double mean = enuf_sinc(x);
            double sum = 0;
            for (int q = 0; q < n; q++) sum += 0.5 * weight[q] * cos(M_PI * x * node[q]);
            missed += (sum - mean) * (sum - mean);
            size += mean * mean;
        }
    return size > 0 ? sqrt(missed / size) : 0;
}

static int is_zero(int64_t n, const double *map)
{
    for (int64_t k = 0; map && k < n; k++)
        if (map[k] != 0) return 0;
    return 1;
}

/* Points along each axis: one where nothing changes during the readout, because B is then a factor
 * of the samples. */
static enuf_status choose_points(const enuf_field_problem *problem, const drawn *at,
                                 enuf_field_choice *choice)
{
    for (int d = 0; d < 3; d++) {
        int n = 1;
        choice->voxel_points[d] = 1;
        if (!problem->voxel || is_zero(problem->maps.n, problem->maps.gradient[d])) continue;
        while (n <= ENUF_MOST_NODES &&
               error_of_points(problem, at, d, n) > VOXEL_SHARE * problem->tolerance)
            n++;
        if (n > ENUF_MOST_NODES)
            return enuf_fail(
                ENUF_UNREACHABLE_ACCURACY,
                "the field changes across the voxels along axis %d by more turns than "
                "%d Gauss points serve to %.1e: ask for a larger tolerance, or for the "
                "sums of enuf/direct.h",
                d, ENUF_MOST_NODES, problem->tolerance);
        choice->voxel_points[d] = n;
    }
    return ENUF_SUCCESS;
}

static enuf_status make_places(enuf_field_choice *choice)
{
    double node[3][ENUF_MOST_NODES], weight[3][ENUF_MOST_NODES];
    const int *n = choice->voxel_points;
    choice->n_places = n[0] * n[1] * n[2];
    for (int d = 0; d < 3; d++) enuf_gauss_legendre(n[d], node[d], weight[d]);
    ENUF_TRY(enuf_allocate(&choice->places, choice->n_places, sizeof *choice->places,
                           "places of a voxel"));
    ENUF_TRY(enuf_allocate(&choice->slopes, choice->n_places, sizeof *choice->slopes,
                           "places of a voxel"));
    for (int p = 0; p < choice->n_places; p++) {
        const int at[3] = {p % n[0], p / n[0] % n[1], p / n[0] / n[1]};
        choice->places[p].weight = 1;
        for (int d = 0; d < 3; d++) {
            choice->places[p].at[d] = 0.5 * node[d][at[d]];
            choice->places[p].weight *= 0.5 * weight[d][at[d]];
            choice->slopes[p][d] = 2 * M_PI * choice->places[p].at[d];
        }
    }
    return ENUF_SUCCESS;
}

/* ---- The terms ---- */

static enuf_interpolators interpolators_of(const enuf_histogram *h, int count)
{
    enuf_interpolators at = {.count = count};
    for (int d = 0; d < 2; d++) {
        at.low[d] = h->low[d];
        at.bins_per_unit[d] = h->bins_per_unit[d];
        at.bins[d] = h->bins[d];
    }
    return at;
}

enuf_sample_terms enuf_sample_terms_of(const enuf_field_problem *problem,
                                       const enuf_field_choice *choice, int p)
{
    enuf_sample_terms terms = {
        .at = interpolators_of(&choice->times, choice->separated.count),
        .omega = choice->centre.omega,
        .decay = choice->centre.decay,
        .time = choice->centre.time,
        .weight = choice->places[p].weight,
        .dim = problem->dim,
        .times = {.n = problem->n_samples, .turn = 1, .omega = problem->times},
        .places = problem->places,
    };
    for (int d = 0; problem->voxel && d < problem->dim; d++) {
        terms.wave[d] = problem->sign * choice->slopes[p][d] * problem->voxel[d];
        terms.edge[d] = choice->voxel_points[d] > 1 ? 0 : problem->voxel[d];
    }
    return terms;
}

enuf_pixel_terms enuf_pixel_terms_of(const enuf_field_problem *problem,
                                     const enuf_field_choice *choice, int p)
{
    enuf_pixel_terms terms = {.at = interpolators_of(&choice->field, choice->separated.count),
                              .time = choice->centre.time,
                              .maps = problem->maps};
    memcpy(terms.slope, choice->slopes[p], sizeof terms.slope);
    return terms;
}

/* ---- The error ---- */

static void point_to(enuf_interpolators *at, const enuf_histogram *h, const double complex *table,
                     const double *rules)
{
    at->cell_of_bin = h->cell_of_bin;
    at->cells = h->cells;
    at->values = (const double *)h->node;
    at->rules = rules;
    at->table = (const double *)table;
}

/* Terms of one sample, or of one pixel: [count] of place p. */
static void terms_at(const enuf_interpolators *at, const double value[2], const double factor[2],
                     double complex *to)
{
    double w0[ENUF_MOST_NODES], w1[ENUF_MOST_NODES], f[2];
    const enuf_cell *cell = enuf_cell_of(at, value);
    enuf_node_weights(at, cell, 0, value, w0);
    enuf_node_weights(at, cell, 1, value, w1);
    for (int l = 0; l < at->count; l++) {
        enuf_interpolate_at(at, cell, l, w0, w1, f);
        to[l] = f[0] * factor[0] - f[1] * factor[1] + (f[0] * factor[1] + f[1] * factor[0]) * I;
    }
}

static void terms_of_sample(const enuf_sample_terms *terms, int64_t j, double complex *to)
{
    const double none[3] = {0};
    double value[2], factor[2];
    enuf_value_at(&terms->times, j, none, value);
    enuf_sample_factor(terms, j, value[0], factor);
    terms_at(&terms->at, value, factor, to);
}

static void terms_of_pixel(const enuf_pixel_terms *terms, int64_t k, double complex *to)
{
    double value[2], factor[2];
    enuf_value_at(&terms->maps, k, terms->slope, value);
    enuf_pixel_factor(terms, value, factor);
    terms_at(&terms->at, value, factor, to);
}

/* exp(-(i omega + decay) t) B. */
static double complex right(const enuf_field_problem *problem, int64_t j, int64_t k)
{
    const double none[3] = {0}, t = time_of(problem, j);
    double value[2], size = 1;
    enuf_value_at(&problem->maps, k, none, value);
    for (int d = 0; problem->voxel && d < problem->dim; d++)
        size *= enuf_sinc(turns_across(problem, j, k, d));
    return size * exp(-value[1] * t) * cexp(-I * value[0] * t);
}

/* Terms of all drawn samples and pixels: [DRAWN][n_places count] each. */
static void fill_terms(const enuf_field_problem *problem, const enuf_field_choice *choice,
                       const drawn *at, const double *rules, double complex *samples,
                       double complex *pixels)
{
    const int count = choice->separated.count, all = count * choice->n_places;
    for (int p = 0; p < choice->n_places; p++) {
        enuf_sample_terms of_samples = enuf_sample_terms_of(problem, choice, p);
        enuf_pixel_terms of_pixels = enuf_pixel_terms_of(problem, choice, p);
        point_to(&of_samples.at, &choice->times, choice->separated.of_times, rules);
        point_to(&of_pixels.at, &choice->field, choice->separated.of_field, rules);
        for (int i = 0; i < DRAWN; i++) {
            terms_of_sample(&of_samples, at->sample[i], samples + (size_t)i * all + p * count);
            terms_of_pixel(&of_pixels, at->pixel[i], pixels + (size_t)i * all + p * count);
        }
    }
}

static enuf_status measure(const enuf_field_problem *problem, const drawn *at,
                           enuf_field_choice *choice)
{
    const int all = choice->separated.count * choice->n_places;
    double rules[(ENUF_MOST_NODES + 1) * 2 * ENUF_MOST_NODES], missed = 0, size = 0;
    double complex *samples, *pixels;
    ENUF_TRY(enuf_allocate(&samples, 2 * DRAWN * (int64_t)all, sizeof *samples,
                           "terms of some samples and pixels"));
    pixels = samples + (size_t)DRAWN * all;
    enuf_fill_rules(rules);
    fill_terms(problem, choice, at, rules, samples, pixels);
    for (int j = 0; j < DRAWN; j++)
        for (int k = 0; k < DRAWN; k++) {
            const double complex *a = samples + (size_t)j * all, *b = pixels + (size_t)k * all;
            const double complex exact = right(problem, at->sample[j], at->pixel[k]);
            double complex sum = 0;
            for (int l = 0; l < all; l++) sum += a[l] * b[l];
            missed += creal((sum - exact) * conj(sum - exact));
            size += creal(exact * conj(exact));
        }
    choice->error = size > 0 ? sqrt(missed / size) : 0;
    enuf_release(&samples);
    return ENUF_SUCCESS;
}

/* ---- Choice ---- */

/* Values of the times, or of the field at all places of a voxel. */
static enuf_values times_of(const enuf_field_problem *problem)
{
    static const double none[1][3] = {{0}};
    return (enuf_values){{.n = problem->n_samples, .turn = 1, .omega = problem->times}, 1, none};
}

static enuf_values field_of(const enuf_field_problem *problem, const enuf_field_choice *choice)
{
    return (enuf_values){problem->maps, choice->n_places, (const double(*)[3])choice->slopes};
}

static double largest(const enuf_range *range, int d)
{
    return fmax(fabs(range->low[d]), fabs(range->high[d]));
}

static double half(const enuf_range *range, int d)
{
    return 0.5 * range->high[d] - 0.5 * range->low[d];
}

/* The first pixel whose decay is the largest. */
static int64_t pixel_of(const enuf_maps *maps, double decay)
{
    int64_t k = 0;
    while (k < maps->n - 1 && fabs(maps->decay[k]) < decay) k++;
    return k;
}

static enuf_status check_ranges(const enuf_field_problem *problem, const enuf_range *times,
                                const enuf_range *field)
{
    const double most = most_decay(problem->precision), t = largest(times, 0);
    const double decay = largest(field, 1);
    if (decay * t > most) {
        const long long k = (long long)pixel_of(&problem->maps, decay);
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "decay[%lld] is %g 1/s, and times go to %g s: exp(-R t) leaves its range: "
                         "use at most %.3g 1/s",
                         k, problem->maps.decay[k], t, most / t);
    }
    const double exponent = hypot(half(field, 0), half(field, 1)) * half(times, 0);
    if (!(exponent <= MOST_EXPONENT))
        return enuf_fail(
            ENUF_UNREACHABLE_ACCURACY,
            "frequencies from %g to %g rad/s over %g s take some %.0f interpolators, of "
            "%.0f that can be found: use the sums of enuf/direct.h",
            field->low[0], field->high[0], 2 * half(times, 0), 2 * exponent / M_PI + 10,
            2 * MOST_EXPONENT / M_PI + 10);
    return ENUF_SUCCESS;
}

static void free_separation(enuf_field_choice *choice)
{
    enuf_histogram_free(&choice->times);
    enuf_histogram_free(&choice->field);
    enuf_separated_free(&choice->separated);
}

static enuf_status separate(const enuf_field_problem *problem, double tolerance,
                            const enuf_range *of_times, const enuf_range *of_field,
                            enuf_field_choice *choice)
{
    const enuf_values times = times_of(problem), field = field_of(problem, choice);
    const double time_rate[2] = {hypot(half(of_field, 0), half(of_field, 1)), 0};
    const double field_rate[2] = {half(of_times, 0), half(of_times, 0)};
    const double nodes = fmax(NODE_SHARE * tolerance, 1e-16);
    free_separation(choice);
    ENUF_TRY(enuf_histogram_make(&times, of_times, time_rate, nodes, &choice->times));
    ENUF_TRY(enuf_histogram_make(&field, of_field, field_rate, nodes, &choice->field));
    if ((double)choice->times.n_nodes * choice->field.n_nodes > MOST_NODES)
        return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                         "%d nodes of times and %d of field and decay make a matrix with too many "
                         "numbers: ask for a larger tolerance, or use the sums of enuf/direct.h",
                         choice->times.n_nodes, choice->field.n_nodes);
    return enuf_separate(problem->method, &choice->times, &choice->field, &choice->centre,
                         tolerance, &choice->separated);
}

enuf_status enuf_field_choose(const enuf_field_problem *problem, enuf_field_choice *choice)
{
    drawn at;
    memset(choice, 0, sizeof *choice);
    draw(problem, &at);
    ENUF_TRY(choose_points(problem, &at, choice));
    ENUF_TRY(make_places(choice));
    const enuf_values times = times_of(problem), field = field_of(problem, choice);
    const enuf_range of_times = enuf_range_of(&times), of_field = enuf_range_of(&field);
    ENUF_TRY(check_ranges(problem, &of_times, &of_field));
    choice->centre =
        (enuf_centre){of_times.low[0] + half(&of_times, 0), of_field.low[0] + half(&of_field, 0),
                      of_field.low[1] + half(&of_field, 1)};
    double tolerance = SEPARATION_SHARE * problem->tolerance;
    /* errors at the samples and pixels themselves may be larger than those of their histograms */
    for (int attempt = 0; attempt < 4; attempt++, tolerance *= 0.5) {
        ENUF_TRY(separate(problem, tolerance, &of_times, &of_field, choice));
        ENUF_TRY(measure(problem, &at, choice));
        if (choice->error <= ACCEPTED * problem->tolerance) return ENUF_SUCCESS;
    }
    return enuf_fail(ENUF_UNREACHABLE_ACCURACY,
                     "tolerance %.2g: %d interpolators reach %.2g for these samples and maps; ask "
                     "for that",
                     problem->tolerance, choice->separated.count, choice->error);
}

void enuf_field_choice_free(enuf_field_choice *choice)
{
    free_separation(choice);
    enuf_release(&choice->places);
    enuf_release(&choice->slopes);
}
