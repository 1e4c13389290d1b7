/*
 * pairs_against_lammps.c - energy and forces of the pairs inside the cutoff: pairs per second of
 * enuf and of LAMMPS' coul/long, on equal ions in the same run.
 *
 *   pairs_against_lammps [--ions N,...] [--cutoffs R,...] [--skin S] [--threads T]
 *                        [--csv FILE] [--markdown]
 *
 * A pair counts once, and only inside the cutoff. Time of enuf: the whole call, including the
 * sorting into cells, whose time is also in the column `lists s`. Time of LAMMPS: its pair timer;
 * `lists s` is the time to build its neighbour lists. Ghost atoms and communication of LAMMPS do
 * not count.
 *
 * `error` is the RMS error of the force vector in units of F_ref on a sample: for LAMMPS and the
 * Gaussian splitting of the pair forces, against erfc of libm; for the prolate splitting of the
 * complete forces, against exact sums, so that it contains mesh and truncation error. `ratio` is
 * the time of the fastest LAMMPS variant whose error is below the accuracy of the row, over that of
 * enuf; empty if no variant is.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lammps_request.h"
#include "pair_requests.h"
#include "peers/lammps.h"
#include "stopwatch.h"

#include "enuf/ewald.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 3, STEPS = 3, SAMPLE = 200 };

static const char PROGRAM[] = "pairs_against_lammps";

static const bench_column COLUMNS[] = {
    {"ions", 7},    {"cutoff", 6},       {"code", -6},    {"variant", -29},     {"A", 5},
    {"threads", 7}, {"seconds", 8},      {"Mpairs/s", 8}, {"with virial s", 8}, {"lists s", 8},
    {"error", 7},   {"energy error", 7}, {"ratio", 5},
};

typedef struct variant {
    const char *pair;
    int table, threaded;
} variant;

static const variant PEERS[] = {
    {"coul/long", 12, 0},     {"coul/long", 0, 0},     {"lj/cut/coul/long/opt", 12, 0},
    {"coul/long/omp", 12, 1}, {"coul/long/omp", 0, 1},
};
enum { N_PEERS = sizeof PEERS / sizeof *PEERS };

/* One system at one cutoff. */
typedef struct problem {
    const bench_salt *salt;
    double cutoff;
    int threads;
    int64_t pairs;
    const int64_t *sample;
    const double *exact; /* [SAMPLE][3] complete forces */
    double *forces;      /* [n][3] scratch */
    double pair_sample[3 * SAMPLE];
} problem;

typedef struct timing {
    double seconds, virial, lists, error, energy_error;
} timing;

static void must(enuf_status status)
{
    if (status != ENUF_SUCCESS) bench_die(PROGRAM, "%s", enuf_last_error());
}

static double best_of_real(enuf_ewald *ewald, const problem *p, int wanted, double *energy)
{
    double best = 1e30;
    for (int k = 0; k < REPEATS; k++) {
        enuf_ewald_result result = {.struct_size = sizeof result, .forces = p->forces};
        const double start = bench_seconds();
        must(enuf_ewald_real(ewald, p->salt->x, 3, wanted, &result));
        best = fmin(best, bench_seconds() - start);
        *energy = result.parts.real;
    }
    return best;
}

static enuf_ewald *make(const problem *p, const enuf_ewald_options *options)
{
    enuf_ewald *ewald;
    must(enuf_ewald_create(options, &ewald));
    must(enuf_ewald_set_cell(ewald, p->salt->cell));
    must(enuf_ewald_set_charges(ewald, p->salt->n, p->salt->q, NULL));
    return ewald;
}

/* The energy of the pairs at this alpha, far more accurate than any variant: the reference. The
 * modes are not computed, so kmax is small. */
static double reference_energy(const problem *p, double alpha)
{
    enuf_ewald_options options;
    enuf_ewald_options_init(&options);
    options.accuracy = 1e-11;
    options.alpha = alpha;
    options.cutoff = p->cutoff;
    options.kmax = 4;
    enuf_ewald *ewald = make(p, &options);
    enuf_ewald_result result = {.struct_size = sizeof result};
    must(enuf_ewald_real(ewald, p->salt->x, 3, ENUF_WANT_ENERGY, &result));
    enuf_ewald_destroy(&ewald);
    return result.parts.real;
}

/* Times and errors of one request; returns the alpha it chose. */
static double enuf_pairs(problem *p, const pair_request *r, timing *t)
{
    const bench_salt *salt = p->salt;
    const int wanted = ENUF_WANT_ENERGY | ENUF_WANT_FORCES;
    enuf_ewald_options options;
    enuf_ewald_report report = {.struct_size = sizeof report};
    double energy, unused;
    enuf_ewald_options_init(&options);
    options.accuracy = r->accuracy;
    options.split = r->split;
    options.arithmetic = r->arithmetic;
    options.cutoff = p->cutoff;
    options.threads = p->threads;
    enuf_ewald *ewald = make(p, &options);
    must(enuf_ewald_tune(ewald, NULL, 3));
    must(enuf_ewald_get_report(ewald, &report));
    t->lists = best_of_real(ewald, p, 0, &unused); /* with no result wanted: cells only */
    t->virial = best_of_real(ewald, p, wanted | ENUF_WANT_VIRIAL, &unused);
    t->seconds = best_of_real(ewald, p, wanted, &energy);
    t->energy_error = NAN;
    if (r->split == ENUF_SPLIT_GAUSSIAN) {
        bench_salt_pair_forces(salt, report.alpha, p->cutoff, SAMPLE, p->sample, p->pair_sample);
        t->error = bench_salt_error(salt, SAMPLE, p->sample, p->forces, p->pair_sample);
        t->energy_error = fabs(energy / reference_energy(p, report.alpha) - 1);
    } else {
        enuf_ewald_result result = {.struct_size = sizeof result, .forces = p->forces};
        must(enuf_ewald_compute(ewald, salt->x, 3, wanted, &result));
        t->error = bench_salt_error(salt, SAMPLE, p->sample, p->forces, p->exact);
    }
    enuf_ewald_destroy(&ewald);
    return report.alpha;
}

static void lammps_pairs(lammps_peer *peer, problem *p, const variant *v, double skin, double alpha,
                         timing *t, double *energy)
{
    lammps_settings s = {.pair = v->pair,
                         .cutoff = p->cutoff,
                         .skin = skin,
                         .table = v->table,
                         .kspace = "ewald",
                         .accuracy = 1e-3,
                         .alpha = alpha,
                         .pairs_only = 1,
                         .steps = STEPS,
                         .repeats = REPEATS};
    lammps_result r = {.forces = p->forces};
    for (s.virial = 0; s.virial < 2; s.virial++) {
        if (!lammps_evaluate(peer, &s, &r)) bench_die(PROGRAM, "%s", lammps_error());
        *(s.virial ? &t->virial : &t->seconds) = r.pair;
    }
    *energy = r.pair_energy;
    t->error = bench_salt_error(p->salt, SAMPLE, p->sample, p->forces, p->pair_sample);
    s.virial = 0;
    s.build_lists = 1;
    s.repeats = 1;
    r.forces = NULL;
    if (!lammps_evaluate(peer, &s, &r)) bench_die(PROGRAM, "%s", lammps_error());
    t->lists = r.lists;
}

static void row(bench_table *table, const problem *p, const char *code, const char *name,
                double accuracy, const timing *t, double ratio)
{
    bench_number(table, "%.0f", (double)p->salt->n);
    bench_number(table, "%.0f", p->cutoff);
    bench_text(table, code);
    bench_text(table, name);
    bench_number(table, "%.0e", accuracy);
    bench_number(table, "%.0f", p->threads);
    bench_number(table, "%.4f", t->seconds);
    bench_number(table, "%.1f", 1e-6 * (double)p->pairs / t->seconds);
    bench_number(table, "%.4f", t->virial);
    bench_number(table, "%.4f", t->lists);
    bench_number(table, "%.1e", t->error);
    bench_number(table, "%.1e", t->energy_error);
    bench_number(table, "%.2f", ratio);
}

static void compare(bench_table *table, problem *p, double skin)
{
    const bench_salt *salt = p->salt;
    const lammps_ions ions = {salt->n, salt->edge, salt->x, salt->q};
    timing peers[N_PEERS];
    double energy;
    char name[64];
    /* the time of LAMMPS does not depend on alpha: take that of A = 1e-4. Its exact pair forces
     * stay in p->pair_sample */
    const pair_request usual = {ENUF_SPLIT_GAUSSIAN, ENUF_ARITHMETIC_DOUBLE, 1e-4};
    timing unused;
    const double alpha = enuf_pairs(p, &usual, &unused);
    const double reference = reference_energy(p, alpha);
    lammps_peer *peer = lammps_begin(&ions, p->threads);
    if (!peer) bench_die(PROGRAM, "%s", lammps_error());
    for (int k = 0; k < N_PEERS; k++) {
        const variant *v = &PEERS[k];
        peers[k].seconds = -1;
        if ((p->threads > 1 && !v->threaded) || !lammps_has_pair(peer, v->pair)) continue;
        bench_progress("LAMMPS %s table %d", v->pair, v->table);
        lammps_pairs(peer, p, v, skin, alpha, &peers[k], &energy);
        peers[k].energy_error = fabs(energy / reference - 1);
        snprintf(name, sizeof name, "%s table %d", v->pair, v->table);
        row(table, p, "LAMMPS", name, NAN, &peers[k], NAN);
    }
    lammps_end(peer);
    for (int k = 0; k < N_PAIR_REQUESTS; k++) {
        const pair_request *r = &PAIR_REQUESTS[k];
        timing t;
        double best = 1e30;
        bench_progress("enuf %s %s", enuf_split_name(r->split),
                       enuf_arithmetic_name(r->arithmetic));
        enuf_pairs(p, r, &t);
        for (int e = 0; e < N_PEERS; e++)
            if (peers[e].seconds > 0 && peers[e].error <= r->accuracy)
                best = fmin(best, peers[e].seconds);
        snprintf(name, sizeof name, "%s %s", enuf_split_name(r->split),
                 enuf_arithmetic_name(r->arithmetic));
        row(table, p, "enuf", name, r->accuracy, &t, best < 1e30 ? best / t.seconds : NAN);
    }
}

int main(int argc, char **argv)
{
    bench_lammps_request r = {.output = {.program = PROGRAM, .argc = argc, .argv = argv},
                              .sizes = {32000, 256000},
                              .values = {8, 10, 12}, /* cutoffs */
                              .n_sizes = 2,
                              .n_values = 3,
                              .threads = 1,
                              .skin = 2};
    bench_lammps_request_read(&r, "--cutoffs");
    const char *missing = lammps_open();
    if (missing) {
        fprintf(stderr, "skipped: %s\n", missing);
        return 77;
    }
    bench_table table;
    bench_table_begin(&table, &r.output, lammps_version_text(), COLUMNS,
                      sizeof COLUMNS / sizeof *COLUMNS);
    for (int a = 0; a < r.n_sizes; a++) {
        bench_sampled_salt s = bench_sampled_salt_make(PROGRAM, (int64_t)r.sizes[a], SAMPLE);
        for (int b = 0; b < r.n_values; b++) {
            problem p = {.salt = &s.salt,
                         .cutoff = r.values[b],
                         .threads = r.threads,
                         .pairs = bench_salt_pairs(&s.salt, r.values[b]),
                         .sample = s.sample,
                         .exact = s.exact,
                         .forces = s.forces};
            compare(&table, &p, r.skin);
        }
        bench_sampled_salt_free(&s);
    }
    bench_remark(&table, "%s, skin of its neighbour lists %g", lammps_version_text(), r.skin);
    bench_table_end(&table);
    return 0;
}
