/*
 * whole_against_pppm.c - times of energy and forces by enuf and by LAMMPS' coul/long + pppm, at
 * equal measured error.
 *
 *   whole_against_pppm [--ions N,...] [--accuracies A,...] [--skin S] [--threads T]
 *                      [--csv FILE] [--markdown]
 *
 * Both errors are measured on the same sample of ions against exact sums, in units of F_ref. enuf
 * gets the accuracy A and chooses the rest. The target of LAMMPS is the measured error of enuf (the
 * larger one of double and mixed arithmetic). For each cutoff, order, differentiation and table
 * this program sets alpha so that the real-space error has about half of the square of the target,
 * then searches the smallest mesh whose measured error meets the target. Other shares of the
 * real-space error are tried for the fastest method. The fastest result is the row of LAMMPS. The
 * first size tries all methods, a later one only the best KEPT of the size before, because the
 * setup of LAMMPS takes far longer than a step.
 *
 * Time of LAMMPS: its timers Pair + Kspace; neighbour lists (about every 10th step), ghost atoms
 * and communication do not count. Time of enuf: the whole call. `ratio`: time of LAMMPS over that
 * of enuf.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lammps_request.h"
#include "peers/lammps.h"
#include "stopwatch.h"

#include "enuf/ewald.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 3, SAMPLE = 200, TRIES = 9, KEPT = 4, KEPT_OF_MANY = 1, MANY = 300000 };

static const char PROGRAM[] = "whole_against_pppm";

/* The error of LAMMPS may be so many times the target. */
static const double MOST = 1.02;

/* LAMMPS' real-space error over the target: 0.7 is half of the square. The fastest method is
 * searched again with the other shares, which may need a smaller mesh. */
static const double REAL_SHARE = 0.7, OTHER_SHARES[] = {0.4, 0.55, 0.85};
enum { N_OTHER_SHARES = 3 };

/* LAMMPS' table of erfc is accurate enough for larger errors. Below this error methods without the
 * table are tried, too. */
static const double TABLE_IN_DOUBT = 1e-5;

static const bench_column COLUMNS[] = {
    {"ions", 8},    {"A", 5},       {"code", -12},  {"settings", -36},
    {"threads", 7}, {"grid", -11},  {"pairs s", 8}, {"reciprocal s", 8},
    {"total s", 8}, {"lists s", 8}, {"error", 7},   {"ratio", 5},
};

typedef struct method {
    double cutoff;
    int order, table;
    const char *diff;
    double share; /* of the real-space error */
    /* found by the search */
    double alpha;
    int mesh;    /* 0: none fits */
    double cell; /* of that mesh; 0: not known yet */
    double seconds, error;
    lammps_result result;
} method;

/* probably fastest cutoffs first, so that the search of others ends early */
static const double CUTOFFS[] = {8, 10, 6, 12};
static const int ORDERS[] = {7, 5}, TABLES[] = {12, 0};
static const char *const DIFFS[] = {"ik", "ad"};
enum { N_METHODS = 4 * 2 * 2 * 2 };

typedef struct problem {
    const bench_salt *salt;
    int threads;
    double skin;
    const int64_t *sample;
    const double *exact; /* [SAMPLE][3] */
    double *forces;      /* [n][3] scratch */
} problem;

typedef struct ours {
    enuf_arithmetic arithmetic;
    double seconds, error;
    enuf_ewald_report report;
} ours;

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static double error_of(const problem *p)
{
    return bench_salt_error(p->salt, SAMPLE, p->sample, p->forces, p->exact);
}

static void evaluate(const problem *p, double accuracy, ours *out)
{
    const bench_salt *salt = p->salt;
    enuf_ewald_options options;
    enuf_ewald *ewald;
    enuf_ewald_options_init(&options);
    options.accuracy = accuracy;
    options.arithmetic = out->arithmetic;
    options.threads = p->threads;
    must(enuf_ewald_create(&options, &ewald));
    must(enuf_ewald_set_cell(ewald, salt->cell));
    must(enuf_ewald_set_charges(ewald, salt->n, salt->q, NULL));
    must(enuf_ewald_tune(ewald, salt->x, 3));
    out->seconds = 1e30;
    out->report.struct_size = sizeof out->report;
    for (int k = 0; k < REPEATS; k++) {
        enuf_ewald_result result = {.struct_size = sizeof result, .forces = p->forces};
        const double start = bench_seconds();
        must(enuf_ewald_compute(ewald, salt->x, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result));
        const double seconds = bench_seconds() - start;
        if (seconds >= out->seconds) continue;
        out->seconds = seconds;
        must(enuf_ewald_get_report(ewald, &out->report));
    }
    out->error = error_of(p);
    enuf_ewald_destroy(&ewald);
}

static int run_lammps(lammps_peer *peer, const problem *p, const method *m, int mesh,
                      lammps_result *result)
{
    const int many = p->threads > 1;
    const lammps_settings settings = {.pair = many ? "coul/long/omp" : "coul/long",
                                      .kspace = many ? "pppm/omp" : "pppm",
                                      .cutoff = m->cutoff,
                                      .skin = p->skin,
                                      .table = m->table,
                                      .accuracy = 1e-4, /* not used: alpha and mesh are given */
                                      .alpha = m->alpha,
                                      .mesh = mesh,
                                      .order = m->order,
                                      .diff = m->diff,
                                      .steps = 1,
                                      .repeats = REPEATS};
    result->forces = p->forces;
    return lammps_evaluate(peer, &settings, result);
}

/* The smallest number >= n without prime factors above 5, for fast FFTs. */
static int smooth(double n)
{
    for (int m = n > 4 ? (int)ceil(n) : 4;; m++) {
        int rest = m;
        for (int prime = 2; prime <= 5; prime++)
            while (rest % prime == 0) rest /= prime;
        if (rest == 1) return m;
    }
}

/* The alpha that has this real-space error (in F_ref): J. Kolafa, J. W. Perram, Mol. Simul. 9
 * (1992) 351, eq. 18. */
static double alpha_for(const problem *p, double cutoff, double error)
{
    const double n = (double)p->salt->n, volume = pow(p->salt->edge, 3);
    const double f_ref = pow(n / volume, 2.0 / 3); /* q^2 = 1 */
    return sqrt(-log(error * f_ref * sqrt(n * cutoff * volume) / (2 * n))) / cutoff;
}

/*
 * Finds the smallest mesh whose measured error is at most MOST target. Each try assumes that the
 * error is proportional to cell^order, until one mesh fails and one fits; then the interval is
 * halved. The search ends early if the method cannot be faster than `best` seconds.
 */
static void search(lammps_peer *peer, const problem *p, double target, double best, method *m)
{
    const double cell = m->cell > 0 ? m->cell : 0.15 * m->cutoff;
    double last = 1e30;
    int fails = 0, fits = 0, mesh = smooth(p->salt->edge / cell);
    m->mesh = 0;
    m->seconds = 1e30;
    m->alpha = alpha_for(p, m->cutoff, m->share * target);
    for (int k = 0; k < TRIES; k++) {
        lammps_result r = {0};
        if (!run_lammps(peer, p, m, mesh, &r)) bench_die(PROGRAM, "%s", lammps_error());
        const double error = error_of(p), seconds = r.pair + r.kspace;
        const double step = pow(
            error / target, 1.0 / m->order); /* cells of the mesh wanted over those of this mesh */
        if (error <= MOST * target) {
            fits = mesh;
            m->mesh = mesh;
            m->cell = p->salt->edge / mesh;
            m->seconds = seconds;
            m->error = error;
            m->result = r;
            if (r.pair > best) return;
        } else {
            if (error > 0.98 * last && mesh > fails)
                return; /* the pair table limits the error, not the mesh */
            fails = mesh;
            last = error;
            if (r.pair + 0.5 * pow(step, 3) * r.kspace > best) return;
        }
        if (fits && fails) {
            mesh = smooth(sqrt((double)fits * fails));
            if (mesh >= fits) mesh = smooth(fails + 1);
            if (mesh >= fits) return;
        } else {
            mesh = smooth(mesh * fmin(fmax(step, 0.6), 1.6));
            if (fits && mesh >= fits) return;
            if (fails && mesh <= fails) mesh = smooth(fails + 1);
        }
    }
}

/* Seconds to build the neighbour lists of this cutoff. */
static double time_lists(lammps_peer *peer, const problem *p, const method *m)
{
    const lammps_settings settings = {.pair = "coul/long",
                                      .kspace = "ewald",
                                      .cutoff = m->cutoff,
                                      .skin = p->skin,
                                      .accuracy = 1e-3,
                                      .alpha = m->alpha,
                                      .pairs_only = 1,
                                      .build_lists = 1,
                                      .steps = 1,
                                      .repeats = 1};
    lammps_result r = {0};
    if (!lammps_evaluate(peer, &settings, &r)) bench_die(PROGRAM, "%s", lammps_error());
    return r.lists;
}

static int faster(const void *a, const void *b)
{
    const method *x = a, *y = b;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static void row(bench_table *table, const problem *p, double accuracy, const char *code,
                const char *settings, const char *grid, double pairs, double reciprocal,
                double total, double lists, double error, double ratio)
{
    bench_number(table, "%.0f", (double)p->salt->n);
    bench_number(table, "%.0e", accuracy);
    bench_text(table, code);
    bench_text(table, settings);
    bench_number(table, "%.0f", p->threads);
    bench_text(table, grid);
    bench_number(table, "%.4f", pairs);
    bench_number(table, "%.4f", reciprocal);
    bench_number(table, "%.4f", total);
    bench_number(table, "%.4f", lists);
    bench_number(table, "%.1e", error);
    bench_number(table, "%.2f", ratio);
}

static void row_of_lammps(bench_table *table, const problem *p, double accuracy, const method *m)
{
    const lammps_result *r = &m->result;
    char settings[80], grid[40];
    snprintf(settings, sizeof settings, "rc %g order %d %s table %d", m->cutoff, m->order, m->diff,
             m->table);
    snprintf(grid, sizeof grid, "%dx%dx%d", m->mesh, m->mesh, m->mesh);
    row(table, p, accuracy, "LAMMPS", settings, grid, r->pair, r->kspace, m->seconds, r->lists,
        m->error, NAN);
}

static void row_of_enuf(bench_table *table, const problem *p, double accuracy, const ours *o,
                        double ratio)
{
    const enuf_ewald_report *r = &o->report;
    char settings[80], grid[80], code[40];
    snprintf(code, sizeof code, "enuf %s", enuf_arithmetic_name(o->arithmetic));
    snprintf(settings, sizeof settings, "rc %.2f %s width %d", r->cutoff, enuf_split_name(r->split),
             r->width);
    snprintf(grid, sizeof grid, "%lldx%lldx%lld", (long long)r->grid[0], (long long)r->grid[1],
             (long long)r->grid[2]);
    row(table, p, accuracy, code, settings, grid, r->seconds_real, r->seconds_reciprocal,
        o->seconds, NAN, o->error, ratio);
}

static int all_methods(method methods[N_METHODS])
{
    int n = 0;
    for (int c = 0; c < 4; c++)
        for (int o = 0; o < 2; o++)
            for (int d = 0; d < 2; d++)
                for (int t = 0; t < 2; t++)
                    methods[n++] = (method){.cutoff = CUTOFFS[c],
                                            .order = ORDERS[o],
                                            .diff = DIFFS[d],
                                            .table = TABLES[t],
                                            .share = REAL_SHARE};
    return n;
}

/* Tries *n_methods methods. Afterwards the methods that meet the target are first, ordered by time,
 * and *n_methods is their number. */
static void compare(bench_table *table, const problem *p, lammps_peer *peer, double accuracy,
                    method methods[N_METHODS], int *n_methods)
{
    ours mine[2] = {{.arithmetic = ENUF_ARITHMETIC_DOUBLE}, {.arithmetic = ENUF_ARITHMETIC_MIXED}};
    const int n_mine = accuracy >= 1e-5 ? 2 : 1;
    double target = 0, best = 1e30;
    for (int k = 0; k < n_mine; k++) {
        evaluate(p, accuracy, &mine[k]);
        target = fmax(target, mine[k].error);
    }
    for (int k = 0; k < *n_methods; k++) {
        method *m = &methods[k];
        m->mesh = 0;
        m->seconds = 1e30;
        if (m->table == 0 && target > TABLE_IN_DOUBT) continue;
        bench_progress("LAMMPS, %lld ions, error %.1e: cutoff %g, order %d, %s, table %d",
                       (long long)p->salt->n, target, m->cutoff, m->order, m->diff, m->table);
        search(peer, p, target, best, m);
        best = fmin(best, m->seconds);
    }
    qsort(methods, (size_t)*n_methods, sizeof *methods, faster);
    while (*n_methods > 0 && methods[*n_methods - 1].mesh == 0) (*n_methods)--;
    const int n_shares = *n_methods > 0 && p->salt->n < MANY ? N_OTHER_SHARES : 0;
    for (int k = 0; k < n_shares; k++) {
        method m = methods[0];
        m.share = OTHER_SHARES[k];
        search(peer, p, target, best, &m);
        if (m.mesh > 0 && m.seconds < methods[0].seconds) methods[0] = m;
    }
    if (*n_methods > 0) methods[0].result.lists = time_lists(peer, p, &methods[0]);
    if (*n_methods > 0)
        row_of_lammps(table, p, accuracy, &methods[0]);
    else
        row(table, p, accuracy, "LAMMPS", "no setting delivers this error", "", NAN, NAN, NAN, NAN,
            NAN, NAN);
    for (int k = 0; k < n_mine; k++)
        row_of_enuf(table, p, accuracy, &mine[k],
                    *n_methods > 0 ? methods[0].seconds / mine[k].seconds : NAN);
}

int main(int argc, char **argv)
{
    bench_lammps_request r = {.output = {.program = PROGRAM, .argc = argc, .argv = argv},
                              .sizes = {1e4, 1e5},
                              .values = {1e-4, 1e-5, 1e-6}, /* accuracies */
                              .n_sizes = 2,
                              .n_values = 3,
                              .threads = 1,
                              .skin = 2};
    bench_lammps_request_read(&r, "--accuracies");
    const char *missing = lammps_open();
    if (missing) {
        fprintf(stderr, "skipped: %s\n", missing);
        return 77;
    }
    bench_table table;
    bench_table_begin(&table, &r.output, lammps_version_text(), COLUMNS,
                      sizeof COLUMNS / sizeof *COLUMNS);
    method methods[BENCH_MOST_VALUES][N_METHODS];
    int n_methods[BENCH_MOST_VALUES];
    for (int b = 0; b < r.n_values; b++) n_methods[b] = all_methods(methods[b]);
    for (int a = 0; a < r.n_sizes; a++) {
        bench_sampled_salt s = bench_sampled_salt_make(PROGRAM, (int64_t)r.sizes[a], SAMPLE);
        const bench_salt *salt = &s.salt;
        const lammps_ions ions = {salt->n, salt->edge, salt->x, salt->q};
        lammps_peer *peer = lammps_begin(&ions, r.threads);
        if (!peer) bench_die(PROGRAM, "%s", lammps_error());
        const problem p = {salt, r.threads, r.skin, s.sample, s.exact, s.forces};
        for (int b = 0; b < r.n_values; b++) {
            const int most = salt->n >= MANY ? KEPT_OF_MANY : KEPT;
            if (a > 0 && n_methods[b] > most) n_methods[b] = most;
            compare(&table, &p, peer, r.values[b], methods[b], &n_methods[b]);
        }
        lammps_end(peer);
        bench_sampled_salt_free(&s);
    }
    bench_remark(&table, "%s, skin of its neighbour lists %g", lammps_version_text(), r.skin);
    bench_table_end(&table);
    return 0;
}
