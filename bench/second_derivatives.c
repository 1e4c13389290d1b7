/*
 * second_derivatives.c - time of products with the Hessian, and of potentials at held positions, in
 * evaluations of energy and forces.
 *
 *   second_derivatives [--ions N,...] [--accuracy A,...] [--threads T,...] [--mixed]
 *                      [--backend cpu|cuda] [--seconds S] [--csv FILE] [--markdown]
 *
 * Slopes of energy, forces and potentials along positions (u), charges (w), both (u w), and both
 * with the cell (u w g); virial: the last one, of virial and dE/dcell too; new charges, virial new
 * charges: an evaluation, or such slopes, after charges of the host were set anew, which the time
 * does not contain. hold: enuf_ewald_hold() after that, which it contains. apply 1, apply 8: a
 * vector of enuf_ewald_apply(), alone and one of eight. All by turns, at least 10 times and S
 * seconds, 3 by default; a time is the least, on one thread of processor time, on a GPU of wall
 * time. There all arrays are in its memory. The ions are in random order, and the object chooses
 * its parameters without them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "options.h"
#include "direct_device.h"
#include "salt.h"
#include "stopwatch.h"
#include "table.h"

#include "enuf/ewald_derivatives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 10, VECTORS = 8 };

static const char PROGRAM[] = "second_derivatives";

enum {
    EVALUATION,
    NEW_CHARGES,
    ALONG_U,
    ALONG_W,
    ALONG_UW,
    ALONG_UWG,
    VIRIAL, /* along u w g */
    VIRIAL_NEW_CHARGES,
    HOLD,
    APPLY_1,
    APPLY_8,
    CALLS
};

static const bench_column COLUMNS[] = {
    {"ions", 8},
    {"accuracy", 8},
    {"threads", 7},
    {"energy and forces ms", 20},
    {"new charges", 11},
    {"u", 6},
    {"w", 6},
    {"u w", 6},
    {"u w g", 6},
    {"virial", 6},
    {"virial new charges", 18},
    {"hold", 6},
    {"apply 1", 7},
    {"apply 8", 7},
};

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static double *numbers(int64_t n)
{
    double *at = calloc((size_t)n, sizeof *at);
    if (!at) bench_die(PROGRAM, "not enough memory");
    return at;
}

typedef struct measured {
    const bench_salt *salt;
    enuf_ewald *ewald;
    /* where the options say */
    double *x, *u, *w, *forces, *potentials;
    double g[9];
} measured;

/* A copy of n numbers where the options say. */
static double *placed(const enuf_ewald_options *options, int64_t n, const double *from)
{
    const size_t bytes = (size_t)n * sizeof *from;
    if (options->memory == ENUF_HOST) return memcpy(numbers(n), from, bytes);
    double *at = bench_device_array(bytes, from);
    if (!at) bench_die(PROGRAM, "not enough memory of the GPU");
    return at;
}

static void release(const enuf_ewald_options *options, double *at)
{
    if (options->memory == ENUF_HOST)
        free(at);
    else
        bench_device_free(at);
}

static void along(const measured *m, int call)
{
    const enuf_ewald_direction direction = {.struct_size = sizeof direction,
                                            .positions = call == ALONG_W ? NULL : m->u,
                                            .charges = call == ALONG_U ? NULL : m->w,
                                            .cell = call >= ALONG_UWG ? m->g : NULL};
    enuf_ewald_slopes slopes = {
        .struct_size = sizeof slopes, .forces = m->forces, .potential = m->potentials};
    const int wanted = ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_POTENTIAL;
    must(enuf_ewald_differentiate(m->ewald, m->x, 3, &direction,
                                  wanted | (call >= VIRIAL ? ENUF_WANT_VIRIAL : 0), &slopes));
}

static void set_charges(const measured *m)
{
    must(enuf_ewald_set_charges(m->ewald, m->salt->n, m->salt->q, NULL));
}

static void run(const measured *m, int call)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = m->forces};
    switch (call) {
    case EVALUATION:
    case NEW_CHARGES:
        must(enuf_ewald_compute(m->ewald, m->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result));
        break;
    case HOLD:
        set_charges(m);
        must(enuf_ewald_hold(m->ewald, m->x, 3));
        break;
    case APPLY_1:
    case APPLY_8:
        must(enuf_ewald_apply(m->ewald, call == APPLY_1 ? 1 : VECTORS, m->w, m->potentials));
        break;
    default:
        along(m, call);
    }
}

/* What a call needs before its time. After HOLD a plan may be new, and a graph is; so are the
 * charges of the virial's object. */
static void prepare(const measured *m, int call)
{
    const int again = call == VIRIAL || call == APPLY_1 || call == APPLY_8;
    for (int k = 0; k < 2 && again; k++) run(m, call);
    if (call == NEW_CHARGES || call == VIRIAL_NEW_CHARGES) set_charges(m);
}

/* Seconds of one thread's processor, or of wall time. */
static double now(const enuf_ewald_options *options)
{
    const int processor = options->threads == 1 && options->backend == ENUF_BACKEND_CPU;
    return processor ? bench_thread_seconds() : bench_seconds();
}

static void row(bench_table *table, const bench_salt *salt, const enuf_ewald_options *options,
                double enough_seconds)
{
    const int64_t n = salt->n;
    double *u = numbers(3 * n), *w = numbers(VECTORS * n), least[CALLS], spent = 0;
    for (int64_t k = 0; k < 3 * n; k++) u[k] = sin((double)k);
    for (int64_t k = 0; k < VECTORS * n; k++) w[k] = cos((double)k);
    measured m = {.salt = salt,
                  .x = placed(options, 3 * n, salt->x),
                  .u = placed(options, 3 * n, u),
                  .w = placed(options, VECTORS * n, w),
                  .forces = placed(options, 3 * n, u),
                  .potentials = placed(options, VECTORS * n, w)};
    for (int k = 0; k < 9; k++) m.g[k] = sin(k + 0.5);
    must(enuf_ewald_create(options, &m.ewald));
    must(enuf_ewald_set_cell(m.ewald, salt->cell));
    set_charges(&m);
    for (int call = 0; call < CALLS; call++) {
        run(&m, call);
        least[call] = INFINITY;
    }
    for (int repeat = 0; repeat < REPEATS || spent < enough_seconds; repeat++)
        for (int call = 0; call < CALLS; call++) {
            prepare(&m, call);
            const double start = now(options);
            run(&m, call);
            const double seconds = now(options) - start;
            least[call] = fmin(least[call], seconds);
            spent += seconds;
        }
    bench_number(table, "%.0f", (double)n);
    bench_number(table, "%.0e", options->accuracy);
    bench_number(table, "%.0f", options->threads);
    bench_number(table, options->backend == ENUF_BACKEND_CPU ? "%.2f" : "%.3f",
                 1e3 * least[EVALUATION]);
    for (int call = NEW_CHARGES; call < CALLS; call++)
        bench_number(table, "%.2f",
                     least[call] / least[EVALUATION] / (call == APPLY_8 ? VECTORS : 1));
    enuf_ewald_destroy(&m.ewald);
    double *arrays[5] = {m.x, m.u, m.w, m.forces, m.potentials};
    for (int k = 0; k < 5; k++) release(options, arrays[k]);
    free(u);
    free(w);
}

/* On a GPU all arrays are in its memory. */
static void take_backend(const char *name, enuf_ewald_options *options)
{
    const char *reason = "";
    must(enuf_backend_parse(name, &options->backend));
    if (options->backend == ENUF_BACKEND_CPU) return;
    if (!bench_device_built() || !enuf_backend_usable(ENUF_BACKEND_CUDA, &reason))
        bench_die(PROGRAM, "no GPU can be used: %s", reason);
    options->backend = ENUF_BACKEND_CUDA;
    options->memory = ENUF_DEVICE;
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    double sizes[BENCH_MOST_VALUES] = {1e3, 3e4}, accuracies[BENCH_MOST_VALUES] = {1e-4, 1e-6},
           threads[BENCH_MOST_VALUES] = {1};
    int n_sizes = 2, n_accuracies = 2, n_threads = 1;
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.arithmetic = ENUF_ARITHMETIC_DOUBLE;
    options.backend = ENUF_BACKEND_CPU;
    int mixed = 0;
    double enough_seconds = 3;
    const char *backend_given = NULL;
    const bench_option known[] = {BENCH_FLAG("--mixed", &mixed),
                                  BENCH_REAL("--seconds", &enough_seconds),
                                  BENCH_LIST("--ions", sizes, &n_sizes),
                                  BENCH_LIST("--accuracy", accuracies, &n_accuracies),
                                  BENCH_WORD("--backend", &backend_given),
                                  BENCH_LIST("--threads", threads, &n_threads)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    if (mixed) options.arithmetic = ENUF_ARITHMETIC_MIXED;
    if (backend_given) take_backend(backend_given, &options);
    bench_table table;
    bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int n = 0; n < n_sizes; n++) {
        bench_salt salt = bench_salt_make((int64_t)sizes[n]);
        for (int a = 0; a < n_accuracies; a++)
            for (int t = 0; t < n_threads; t++) {
                options.accuracy = accuracies[a];
                options.threads = (int)threads[t];
                row(&table, &salt, &options, enough_seconds);
            }
        bench_salt_free(&salt);
    }
    bench_table_end(&table);
    return 0;
}
