/*
 * pairs_roof.c - compares the time of the pair loop with a lower bound from its instructions (the
 * roof), and shows where the remaining time is spent.
 *
 *   bench/pairs_instructions.sh build/release/ewald/enuf_ewald_cpu_x86_64_v4.o |
 *       build/release/bin/pairs_roof [--ions N] [--cutoff R] [--csv FILE] [--markdown]
 *
 * The numbers of instructions are read from stdin. One pass of a loop takes at least
 *
 *   max(multiply + rsqrt, add + shuffle, pack, load, store, all instructions / ISSUED)
 *
 * cycles. It takes so many if every instruction issues at the rate measured here, none waits for
 * another, and all data are in the first cache. Multiplies and shuffles that come together have a
 * rate measured together. The roof is the sum over the loops of this number times the number of
 * passes: of `find` the vectors of neighbours, of `function` the vectors of packed pairs, of `add`
 * the vectors with a pair inside the cutoff.
 *
 * Columns: `fill`, the part of the lanes of `find` that hold a pair inside the cutoff; clock cycles
 * of roof and kernel for each such pair; million pairs a second of the roof, of the kernel alone
 * (the loop over blocks less the same loop without kernel), and of the whole pair sum; then the
 * parts of the whole that are cells, lists of neighbours, kernel, and the rest (reductions,
 * delivery). Energy and forces, one thread, its processor time.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "options.h"
#include "pair_requests.h"
#include "salt.h"
#include "stopwatch.h"
#include "table.h"
#include "throughput.h"

#include "cpu/pairs.h"
#include "cpu/pairs_columns.h"
#include "object/ewald_object.h"
#include "memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 5, VECTOR_BYTES = 64, ISSUED = 6 /* instructions a cycle, Zen 4 */ };

static const char PROGRAM[] = "pairs_roof";

static const bench_column COLUMNS[] = {
    {"splitting", -9},    {"arithmetic", -10},  {"A", 5},
    {"coefficients", 5},  {"fill", 5},          {"roof cycles", 6},
    {"kernel cycles", 6}, {"roof Mpairs/s", 6}, {"kernel", 6},
    {"whole", 6},         {"kernel/roof", 5},   {"whole/roof", 5},
    {"cells", 5},         {"lists", 5},         {"kernel part", 5},
    {"rest", 5},
};

typedef struct counts {
    int multiply, rsqrt, add, shuffle, pack, load, store, total;
} counts;

enum { FIND, FUNCTION, COEFFICIENT, ADD, N_LOOPS };
static const char *const LOOPS[N_LOOPS] = {"find", "function", "coefficient", "add"};

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

/* Reads the lines of pairs_instructions.sh; loops[0]: double, loops[1]: float. */
static void read_counts(counts loops[2][N_LOOPS])
{
    char precision[16], loop[16];
    counts c;
    int known = 0;
    while (scanf("%15s %15s multiply %d rsqrt %d add %d shuffle %d pack %d load %d store %d total "
                 "%d",
                 precision, loop, &c.multiply, &c.rsqrt, &c.add, &c.shuffle, &c.pack, &c.load,
                 &c.store, &c.total) == 10)
        for (int k = 0; k < N_LOOPS; k++) {
            if (strcmp(loop, LOOPS[k]) != 0) continue;
            loops[strcmp(precision, "float") == 0][k] = c;
            known++;
        }
    if (known != 2 * N_LOOPS)
        bench_die(PROGRAM,
                  "%d counts on stdin instead of %d: pipe bench/pairs_instructions.sh "
                  "build/release/ewald/enuf_ewald_cpu_x86_64_v4.o into this program",
                  known, 2 * N_LOOPS);
}

/* Cycles of one pass of a loop. */
static double cycles_of(const bench_throughput *t, const counts *c, double pack)
{
    const double together = fmin(c->multiply, c->shuffle);
    const double multiply = together * t->multiply_and_shuffle +
                            (c->multiply - together) * t->multiply + c->rsqrt * t->rsqrt;
    const double vector = fmax(multiply, c->add * t->add + c->shuffle * t->shuffle);
    const double memory = fmax(c->load * t->load, c->store * t->store);
    return fmax(fmax(vector, c->pack * pack), fmax(memory, (double)c->total / ISSUED));
}

/* The context of the callbacks for blocks: kernel and counts. */
typedef struct survey {
    int lanes;
    enuf_pair_kernel kernel;
    const enuf_pair_polynomials *polynomials;
    int64_t vectors, hit_vectors, packed_vectors, pairs;
} survey;

static void count_block(enuf_pair_block *b, void *context)
{
    survey *s = context;
    for (int i = 0; i < b->n_i; i++) {
        const int64_t before = s->pairs;
        for (int j = b->triangle ? (i + 1) / s->lanes * s->lanes : 0; j < b->n_j; j += s->lanes) {
            int hits = 0;
            for (int k = j; k < j + s->lanes && k < b->n_j; k++) {
                const double x = b->x_i[i] - b->x[k], y = b->y_i[i] - b->y[k];
                const double z = b->z_i[i] - b->z[k];
                hits += x * x + y * y + z * z <= 1 && (!b->triangle || k > i);
            }
            s->vectors++;
            s->hit_vectors += hits > 0;
            s->pairs += hits;
        }
        s->packed_vectors += (s->pairs - before + s->lanes - 1) / s->lanes;
    }
}

static void skip_block(enuf_pair_block *b, void *context)
{
    (void)b;
    (void)context;
}

static void sum_block(enuf_pair_block *b, void *context)
{
    const survey *s = context;
    s->kernel(b, s->polynomials);
}

static double over_blocks(enuf_pairs *pairs, enuf_pair_block_done done, survey *s, int repeats)
{
    const int64_t *count = pairs->cells.grid.count;
    double best = 1e30;
    for (int k = 0; k < repeats; k++) {
        const double start = bench_thread_seconds();
        for (int64_t c = 0; c < count[1] * count[2]; c++)
            enuf_pair_column_blocks(&pairs->cells, &pairs->rows, c, pairs->blocks.at, done, s);
        best = fmin(best, bench_thread_seconds() - start);
    }
    return best;
}

/* An object with chosen parameters, for its table of pair polynomials. */
static enuf_ewald *make(const bench_salt *salt, const pair_request *r, double cutoff)
{
    enuf_ewald_options options;
    enuf_ewald *ewald;
    enuf_ewald_options_init(&options);
    options.accuracy = r->accuracy;
    options.split = r->split;
    options.arithmetic = r->arithmetic;
    options.cutoff = cutoff;
    options.threads = 1;
    must(enuf_ewald_create(&options, &ewald));
    must(enuf_ewald_set_cell(ewald, salt->cell));
    must(enuf_ewald_set_charges(ewald, salt->n, salt->q, NULL));
    must(enuf_ewald_tune(ewald, NULL, 3));
    return ewald;
}

static void measure(bench_table *table, const bench_salt *salt, const pair_request *r,
                    double cutoff, const bench_throughput *t, counts loops[2][N_LOOPS])
{
    enuf_ewald *ewald = make(salt, r, cutoff);
    enuf_pairs *pairs;
    double *forces = calloc((size_t)salt->n * 3, sizeof *forces), whole = 1e30, cells = 1e30;
    if (!forces) bench_die(PROGRAM, "not enough memory");
    must(enuf_pairs_create_cpu(&pairs));
    const int single = r->arithmetic != ENUF_ARITHMETIC_DOUBLE;
    enuf_pair_request work = {
        .cell = ewald->geometry.cell,
        .inverse = ewald->geometry.inverse,
        .periodic = {1, 1, 1},
        .n = salt->n,
        .positions = salt->x,
        .stride = 3,
        .charges = salt->q,
        .table = &ewald->method.table,
        .arithmetic = r->arithmetic,
        .threads = 1,
        .wanted = ENUF_WANT_ENERGY | ENUF_WANT_FORCES,
    };
    for (int k = 0; k < REPEATS; k++) {
        enuf_pair_sums sums = {.forces = forces};
        double start = bench_thread_seconds();
        must(enuf_cells_build(&pairs->cells, &work, 1));
        must(enuf_pair_rows_make(&pairs->rows, &pairs->cells.grid));
        cells = fmin(cells, bench_thread_seconds() - start);
        start = bench_thread_seconds();
        must(enuf_pairs_sum_cpu(pairs, &work, &sums));
        whole = fmin(whole, bench_thread_seconds() - start);
    }
    survey s = {.lanes = VECTOR_BYTES / (single ? 4 : 8),
                .kernel = single ? enuf_pair_kernels_float.both : enuf_pair_kernels_double.both,
                .polynomials = &pairs->polynomials};
    const double lists = over_blocks(pairs, skip_block, &s, REPEATS);
    const double kernel = over_blocks(pairs, sum_block, &s, REPEATS) - lists;
    over_blocks(pairs, count_block, &s, 1);

    const int n = single ? pairs->polynomials.float_n_both : pairs->polynomials.n_both;
    const counts *loop = loops[single];
    const double roof = ((double)s.vectors * cycles_of(t, &loop[FIND], t->compress) +
                         (double)s.packed_vectors * (n * cycles_of(t, &loop[COEFFICIENT], 0) +
                                                     cycles_of(t, &loop[FUNCTION], 0)) +
                         (double)s.hit_vectors * cycles_of(t, &loop[ADD], t->expand)) /
                        t->clock;
    const double count = 1e-6 * (double)s.pairs;
    bench_text(table, enuf_split_name(r->split));
    bench_text(table, enuf_arithmetic_name(r->arithmetic));
    bench_number(table, "%.0e", r->accuracy);
    bench_number(table, "%.0f", n);
    bench_number(table, "%.2f", (double)s.pairs / (double)(s.lanes * s.vectors));
    bench_number(table, "%.1f", roof * t->clock / (double)s.pairs);
    bench_number(table, "%.1f", kernel * t->clock / (double)s.pairs);
    bench_number(table, "%.0f", count / roof);
    bench_number(table, "%.0f", count / kernel);
    bench_number(table, "%.0f", count / whole);
    bench_number(table, "%.2f", roof / kernel);
    bench_number(table, "%.2f", roof / whole);
    bench_number(table, "%.2f", cells / whole);
    bench_number(table, "%.2f", lists / whole);
    bench_number(table, "%.2f", kernel / whole);
    bench_number(table, "%.2f", (whole - cells - lists - kernel) / whole);
    enuf_pairs_destroy_cpu(&pairs);
    enuf_ewald_destroy(&ewald);
    free(forces);
}

int main(int argc, char **argv)
{
    bench_output output = {.program = PROGRAM, .argc = argc, .argv = argv};
    double n = 100000, cutoff = 10;
    const bench_option known[] = {BENCH_REAL("--ions", &n), BENCH_REAL("--cutoff", &cutoff)};
    bench_read_options(&output, argc, argv, known, sizeof known / sizeof *known);
    bench_throughput t;
    counts loops[2][N_LOOPS];
    if (!bench_measure_throughput(&t)) {
        fputs("skipped: the roof is counted for AVX-512 only\n", stderr);
        return 77;
    }
    read_counts(loops);
    bench_salt salt = bench_salt_make((int64_t)n);
    bench_table table;
    bench_table_begin(&table, &output, NULL, COLUMNS, sizeof COLUMNS / sizeof *COLUMNS);
    for (int k = 0; k < N_PAIR_REQUESTS; k++)
        measure(&table, &salt, &PAIR_REQUESTS[k], cutoff, &t, loops);
    bench_remark(&table,
                 "%.2f GHz; cycles an instruction: multiply %.2f, add %.2f, rsqrt %.2f, shuffle "
                 "%.2f, multiply and shuffle together %.2f, compress %.2f, expand %.2f, load %.2f, "
                 "store %.2f",
                 1e-9 * t.clock, t.multiply, t.add, t.rsqrt, t.shuffle, t.multiply_and_shuffle,
                 t.compress, t.expand, t.load, t.store);
    for (int single = 0; single < 2; single++)
        for (int k = 0; k < N_LOOPS; k++) {
            const counts *c = &loops[single][k];
            bench_remark(
                &table,
                "%s %s: multiply %d, rsqrt %d, add %d, shuffle %d, pack %d, load %d, store "
                "%d, total %d; %.2f cycles",
                single ? "float" : "double", LOOPS[k], c->multiply, c->rsqrt, c->add, c->shuffle,
                c->pack, c->load, c->store, c->total,
                cycles_of(&t, c, k == FIND ? t.compress : t.expand));
        }
    bench_table_end(&table);
    bench_salt_free(&salt);
    return 0;
}
