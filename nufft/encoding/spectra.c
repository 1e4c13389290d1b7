/* spectra.c - see spectra.h. SPDX-License-Identifier: BSD-3-Clause */
#include "spectra.h"
#include "fill.h"
#include "gram/finding.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

/* Of the tolerance: all T_l together. pairs.c has the rest. */
static const double TRANSFORM_SHARE = 0.5;

enuf_nufft_options enuf_spectra_options(const enuf_encoding *encoding)
{
    const double share = TRANSFORM_SHARE * encoding->options.tolerance;
    enuf_nufft_options gram = enuf_encoding_plan_options(encoding, 1);
    gram.tolerance = fmax(share / encoding->spectra.pairs.gain, 1e-14);
    return gram;
}

/* ---- Weights of the samples, on the host ---- */

/* What the terms' weights are made of. */
typedef struct sources {
    const enuf_encoding *encoding;
    const void *given;      /* NULL: 1 */
    double *times, *places; /* NULL: none are needed */
    double *copies[2];      /* of a GPU's */
    void *weights;          /* a copy of a GPU's */
    void *to;               /* [samples], of a term */
    double rules[(ENUF_MOST_NODES + 1) * 2 * ENUF_MOST_NODES];
    int term;
} sources;

static double given_at(const sources *s, int64_t j)
{
    if (!s->given) return 1;
    return s->encoding->options.precision == ENUF_FLOAT ? (double)((const float *)s->given)[j]
                                                        : ((const double *)s->given)[j];
}

static enuf_status check_given(const sources *s)
{
    for (int64_t j = 0; s->given && j < s->encoding->n_samples; j++)
        if (!isfinite(given_at(s, j)))
            return enuf_fail(ENUF_NOT_FINITE, "weights[%lld] is NaN or infinite", (long long)j);
    return ENUF_SUCCESS;
}

/* W_j B^2 B_l(t_j) of a voxel without gradient. */
static void fill_weights(void *context, int64_t j, int64_t end, int thread)
{
    const sources *s = context;
    const enuf_encoding *encoding = s->encoding;
    const enuf_spectra *spectra = &encoding->spectra;
    (void)thread;
    for (; j < end; j++) {
        double weight = given_at(s, j);
        for (int d = 0; s->places && d < encoding->options.dim; d++) {
            const double sinc =
                enuf_sinc(spectra->edge[d] * s->places[d * encoding->n_samples + j]);
            weight *= sinc * sinc;
        }
        if (spectra->pairs.count > 0) {
            enuf_pair_place place;
            enuf_pair_place_at(&spectra->pairs, s->rules, s->times ? s->times[j] : 0, &place);
            weight *= enuf_pair_weight(&spectra->pairs, &place, s->term);
        }
        if (encoding->options.precision == ENUF_FLOAT)
            ((float *)s->to)[j] = (float)weight;
        else
            ((double *)s->to)[j] = weight;
    }
}

/* An array of the backend's, on the host. */
static enuf_status bring(enuf_encoding *encoding, double *from, int64_t n, double **copy,
                         double **to)
{
    *to = from;
    if (!from || encoding->base->backend->kind == ENUF_BACKEND_CPU) return ENUF_SUCCESS;
    ENUF_TRY(enuf_allocate(copy, n, sizeof **copy, "times and places of samples"));
    *to = *copy;
    return enuf_passes_of(encoding)->download(encoding->base, *copy, from,
                                              n * (int64_t)sizeof **copy);
}

static enuf_status make_sources(enuf_encoding *encoding, const void *weights, sources *s)
{
    const int64_t n = encoding->n_samples, bytes = enuf_data_bytes(encoding) / 2;
    const int dim = encoding->options.dim, voxel = encoding->spectra.edge[0] > 0;
    s->given = weights;
    enuf_fill_rules(s->rules);
    ENUF_TRY(enuf_encoding_check_limit(encoding, (double)bytes, "weights of samples"));
    ENUF_TRY(enuf_allocate(&s->to, bytes, 1, "weights of samples"));
    if (weights && encoding->options.memory != ENUF_HOST) {
        ENUF_TRY(enuf_allocate(&s->weights, bytes, 1, "weights of samples"));
        ENUF_TRY(enuf_passes_of(encoding)->download(encoding->base, s->weights, weights, bytes));
        s->given = s->weights;
    }
    ENUF_TRY(check_given(s));
    if (voxel) ENUF_TRY(bring(encoding, encoding->places, n * dim, &s->copies[0], &s->places));
    return bring(encoding, encoding->times, n, &s->copies[1], &s->times);
}

static void free_sources(sources *s)
{
    void *arrays[] = {&s->to, &s->weights, &s->copies[0], &s->copies[1]};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) enuf_release(arrays[k]);
}

/* ---- Making ---- */

/* What memory_limit leaves for an operator that holds so much now, besides other arrays. */
static enuf_status set_limit(const enuf_encoding *encoding, double own, double other,
                             int64_t *limit)
{
    const double given = (double)encoding->options.memory_limit;
    const double left = given - ((double)enuf_encoding_bytes(encoding) - own + other);
    *limit = given > 0 ? (int64_t)left : 0;
    if (given == 0 || left >= 1) return ENUF_SUCCESS;
    return enuf_fail(ENUF_OUT_OF_MEMORY,
                     "the encoding takes %.3g GB, memory_limit is %.3g GB: it leaves no room for "
                     "Gram operators",
                     (given - left) / 1e9, given / 1e9);
}

/* `there`: the term's weights where the backend reads them. */
static enuf_status find(enuf_encoding *encoding, int l, const void *there)
{
    enuf_gram **gram = &encoding->spectra.gram[l];
    enuf_nufft_options o = enuf_spectra_options(encoding);
    double T[9] = {0}; /* s = k / pixels */
    const double other = encoding->base->backend->kind == ENUF_BACKEND_CPU
                             ? (double)enuf_data_bytes(encoding) / 2
                             : 0;
    enuf_gram_points points = {
        .coordinates = {.n = encoding->n_samples, .stride = 1, .precision = ENUF_DOUBLE},
        .weights = there,
        .frame = T};
    for (int d = 0; d < o.dim; d++) {
        T[4 * d] = o.modes[d] > 0 ? 1 / (double)o.modes[d] : 1;
        points.coordinates.axis[d] = encoding->places + d * encoding->n_samples;
    }
    if (!*gram) {
        ENUF_TRY(set_limit(encoding, 0, other, &o.memory_limit));
        ENUF_TRY(enuf_gram_create(&o, gram));
    }
    ENUF_TRY(
        set_limit(encoding, (double)enuf_gram_bytes(*gram), other, &(*gram)->options.memory_limit));
    (*gram)->base->options.memory_limit = (*gram)->options.memory_limit;
    return enuf_gram_find(*gram, &points);
}

static enuf_status make_term(enuf_encoding *encoding, int l, sources *s)
{
    const int64_t bytes = enuf_data_bytes(encoding) / 2;
    void *room = NULL;
    s->term = l;
    enuf_parallel_for(encoding->base->threads, encoding->n_samples, 0, fill_weights, s);
    if (encoding->base->backend->kind == ENUF_BACKEND_CPU) return find(encoding, l, s->to);
    enuf_status status = enuf_encoding_allocate(encoding, &room, bytes, 1, "weights of samples");
    if (status == ENUF_SUCCESS)
        status = enuf_passes_of(encoding)->upload(encoding->base, room, s->to, bytes);
    if (status == ENUF_SUCCESS) status = find(encoding, l, room);
    enuf_encoding_release(encoding, &room);
    return status;
}

/* Arrays that stay. */
static enuf_status make_room(enuf_encoding *encoding, int keep_weights)
{
    enuf_spectra *spectra = &encoding->spectra;
    const int64_t image = enuf_image_bytes(encoding);
    if (!spectra->gram) {
        ENUF_TRY(
            enuf_allocate(&spectra->gram, spectra->count, sizeof *spectra->gram, "Gram operators"));
        memset(spectra->gram, 0, (size_t)spectra->count * sizeof *spectra->gram);
    }
    if (!spectra->in)
        ENUF_TRY(enuf_encoding_allocate(encoding, &spectra->in, image, 1, "an image"));
    if (!spectra->out)
        ENUF_TRY(enuf_encoding_allocate(encoding, &spectra->out, image, 1, "an image"));
    if (!keep_weights || spectra->weights) return ENUF_SUCCESS;
    const double bytes = (double)enuf_data_bytes(encoding) / 2;
    ENUF_TRY(enuf_encoding_check_limit(encoding, bytes, "weights of samples"));
    return enuf_allocate(&spectra->weights, encoding->n_samples,
                         (size_t)enuf_number_size(encoding->base), "weights of samples");
}

/* The copy of weights of the host's tells whether they are the last ones. */
int enuf_spectra_are_made(const enuf_encoding *encoding, const void *weights)
{
    const enuf_spectra *spectra = &encoding->spectra;
    if (!spectra->made || spectra->weighted != (weights != NULL)) return 0;
    if (!weights) return 1;
    return encoding->options.memory == ENUF_HOST &&
           memcmp(spectra->weights, weights, (size_t)enuf_data_bytes(encoding) / 2) == 0;
}

static enuf_status make(enuf_encoding *encoding, const void *weights)
{
    enuf_spectra *spectra = &encoding->spectra;
    const int keep = weights && encoding->options.memory == ENUF_HOST;
    double error = 0;
    sources s = {.encoding = encoding};
    ENUF_TRY(make_room(encoding, keep));
    enuf_status status = make_sources(encoding, weights, &s);
    for (int l = 0; status == ENUF_SUCCESS && l < spectra->count; l++) {
        status = make_term(encoding, l, &s);
        if (status == ENUF_SUCCESS) error = fmax(error, spectra->gram[l]->error);
    }
    free_sources(&s);
    ENUF_TRY(status);
    if (keep) memcpy(spectra->weights, weights, (size_t)enuf_data_bytes(encoding) / 2);
    encoding->report.normal_error = hypot(spectra->pairs.error, spectra->pairs.gain * error);
    spectra->made = 1;
    spectra->weighted = weights != NULL;
    return ENUF_SUCCESS;
}

enuf_status enuf_spectra_make(enuf_encoding *encoding, const void *weights)
{
    if (enuf_spectra_are_made(encoding, weights)) return ENUF_SUCCESS;
    encoding->spectra.made = 0;
    const enuf_status status = make(encoding, weights);
    if (status != ENUF_SUCCESS) enuf_spectra_free(encoding);
    return status;
}

void enuf_spectra_free(enuf_encoding *encoding)
{
    enuf_spectra *spectra = &encoding->spectra;
    for (int l = 0; spectra->gram && l < spectra->count; l++) enuf_gram_destroy(&spectra->gram[l]);
    enuf_release(&spectra->gram);
    enuf_release(&spectra->weights);
    enuf_encoding_release(encoding, &spectra->in);
    enuf_encoding_release(encoding, &spectra->out);
    spectra->made = 0;
}

/* ---- Applying ---- */

static enuf_status multiply(enuf_encoding *encoding, const void *factors, int conjugate,
                            const void *from, int add, void *to)
{
    const enuf_complex_product product = {.n = encoding->n_pixels,
                                          .factors = factors,
                                          .from = from,
                                          .conjugate = conjugate,
                                          .add = add,
                                          .to = to};
    return enuf_passes_of(encoding)->multiply(encoding->base, &product);
}

/* to (+)= S^H D_l^H T_l D_l from; S NULL: 1. */
static enuf_status add_term(enuf_encoding *encoding, int l, const void *sensitivity,
                            const void *from, int add, void *to)
{
    enuf_spectra *spectra = &encoding->spectra;
    const void *pixels = spectra->of_pixels
                             ? (const char *)spectra->of_pixels + l * enuf_image_bytes(encoding)
                             : NULL;
    if (!pixels && !sensitivity) return enuf_gram_apply(spectra->gram[l], from, to);
    if (!pixels) {
        ENUF_TRY(enuf_gram_apply(spectra->gram[l], from, spectra->out));
        return multiply(encoding, sensitivity, 1, spectra->out, add, to);
    }
    ENUF_TRY(multiply(encoding, pixels, 0, from, 0, spectra->in));
    ENUF_TRY(enuf_gram_apply(spectra->gram[l], spectra->in, spectra->out));
    if (!sensitivity) return multiply(encoding, pixels, 1, spectra->out, add, to);
    ENUF_TRY(multiply(encoding, pixels, 1, spectra->out, 0, spectra->in));
    return multiply(encoding, sensitivity, 1, spectra->in, add, to);
}

enuf_status enuf_spectra_apply(enuf_encoding *encoding, const void *image, void *to)
{
    for (int coil = 0; coil < enuf_coils_of(encoding); coil++) {
        const void *sensitivity = enuf_sensitivity_of(encoding, coil), *from = image;
        if (sensitivity) {
            ENUF_TRY(multiply(encoding, sensitivity, 0, image, 0, encoding->image));
            from = encoding->image;
        }
        for (int l = 0; l < encoding->spectra.count; l++)
            ENUF_TRY(add_term(encoding, l, sensitivity, from, coil > 0 || l > 0, to));
    }
    return ENUF_SUCCESS;
}
