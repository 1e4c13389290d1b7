/*
 * pair_requests.h - splittings, arithmetics and accuracies that the benchmarks of pair sums time.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PAIR_REQUESTS_H
#define BENCH_PAIR_REQUESTS_H

#include "enuf/ewald.h"

typedef struct pair_request {
    enuf_split split;
    enuf_arithmetic arithmetic;
    double accuracy;
} pair_request;

static const pair_request PAIR_REQUESTS[] = {
    {ENUF_SPLIT_GAUSSIAN, ENUF_ARITHMETIC_MIXED, 1e-4},
    {ENUF_SPLIT_PROLATE, ENUF_ARITHMETIC_MIXED, 1e-4},
    {ENUF_SPLIT_GAUSSIAN, ENUF_ARITHMETIC_DOUBLE, 1e-4},
    {ENUF_SPLIT_PROLATE, ENUF_ARITHMETIC_DOUBLE, 1e-4},
    {ENUF_SPLIT_GAUSSIAN, ENUF_ARITHMETIC_DOUBLE, 1e-6},
    {ENUF_SPLIT_PROLATE, ENUF_ARITHMETIC_DOUBLE, 1e-6},
    {ENUF_SPLIT_GAUSSIAN, ENUF_ARITHMETIC_DOUBLE, 1e-10},
    {ENUF_SPLIT_PROLATE, ENUF_ARITHMETIC_DOUBLE, 1e-10},
};
enum { N_PAIR_REQUESTS = sizeof PAIR_REQUESTS / sizeof *PAIR_REQUESTS };

#endif
