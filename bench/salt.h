/*
 * salt.h - the system of most benchmarks: random ions of charge +1 and -1 in a cube, 0.1 per cubic
 * angstrom, none closer than 1.3 angstrom, the Coulomb constant 1.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_SALT_H
#define BENCH_SALT_H

#include <stdint.h>

typedef struct bench_salt {
    int64_t n;
    double edge, cell[9];
    double *x; /* [n][3] */
    double *q; /* [n] */
} bench_salt;

bench_salt bench_salt_make(int64_t n);
void bench_salt_free(bench_salt *salt);

/** Puts the ions into spatial order, by boxes of about eight ions, as molecular dynamics codes keep
 * their atoms. */
void bench_salt_order(bench_salt *salt);

/** The number of pairs within the cutoff, which has to be below half the edge. */
int64_t bench_salt_pairs(const bench_salt *salt, double cutoff);

/** `count` different ions, ascending, equal for equal n; the caller frees the array. */
int64_t *bench_salt_sample(const bench_salt *salt, int64_t count);

/**
 * Forces [count][3] of the pairs inside the cutoff, Gaussian splitting, by erfc of libm: the
 * reference of a pair style. Returns the sum of 1/2 q phi over the sample.
 */
double bench_salt_pair_forces(const bench_salt *salt, double alpha, double cutoff, int64_t count,
                              const int64_t *sample, double *forces);

/**
 * Forces [count][3] of the whole periodic system, by exact Ewald sums. Returns 0 if they fail
 * (enuf_last_error()).
 */
int bench_salt_exact_forces(const bench_salt *salt, int64_t count, const int64_t *sample,
                            double *forces);

/**
 * RMS of |difference of the force vectors| of the sample over F_ref, the unit of the accuracy A:
 * forces [n][3] of all ions, reference [count][3].
 */
double bench_salt_error(const bench_salt *salt, int64_t count, const int64_t *sample,
                        const double *forces, const double *reference);

#endif
