/*
 * throughput.h - measures how fast this core issues vector instructions. x86 with AVX-512 only.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_THROUGHPUT_H
#define BENCH_THROUGHPUT_H

/** Cycles of an instruction on 64-byte vectors, with no instruction depending on another. */
typedef struct bench_throughput {
    double clock;                /* cycles per second: a chain of dependent additions */
    double multiply, add, rsqrt; /* fused multiply-add; addition; approximate 1/sqrt */
    double shuffle;              /* permutation of a vector in memory */
    double multiply_and_shuffle; /* one of each: less than their sum if they use different pipes */
    double compress, expand;     /* of a register; from memory */
    double load, store;          /* the first cache */
} bench_throughput;

/** Returns 0 if the machine or the build has no AVX-512. Takes about a second. */
int bench_measure_throughput(bench_throughput *throughput);

#endif
