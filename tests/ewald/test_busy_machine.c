/*
 * Other processes on the machine cost only their share of it. With one busy process for each
 * processor, the library gets half of the machine. The threaded time stays within a small multiple
 * of the idle machine's time, and threads still help. Wall times of 20 evaluations; the best of
 * some rounds, as others may work here while this test runs. SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include "check.h"
#include "random_system.h"

#include "enuf/ewald.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 4000, EVALUATIONS = 20, ROUNDS = 6, MOST_PROCESSORS = 4 };
static double positions[3 * N], charges[N], forces[3 * N];

/* The processors of this process from here on: the first few of those that it had. */
static int take_few_processors(void)
{
    cpu_set_t all, few;
    int n = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0) return 1;
    CPU_ZERO(&few);
    for (int cpu = 0; cpu < CPU_SETSIZE && n < MOST_PROCESSORS; cpu++)
        if (CPU_ISSET(cpu, &all)) {
            CPU_SET(cpu, &few);
            n++;
        }
    return sched_setaffinity(0, sizeof few, &few) == 0 ? n : 1;
}

static enuf_ewald *make(int threads)
{
    const double cell[9] = {40, 0, 0, 0, 40, 0, 0, 0, 40};
    enuf_ewald_options options;
    enuf_ewald *ewald = NULL;
    enuf_ewald_options_init(&options);
    options.threads = threads;
    options.accuracy = 1e-4;
    if (!CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS)) exit(CHECK_FAILED);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, charges, NULL), ENUF_SUCCESS);
    return ewald;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double time_of(enuf_ewald *ewald)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
    double start = 0;
    for (int k = 0; k <= EVALUATIONS; k++) {
        if (k == 1) start = seconds(); /* the first one warms up */
        if (enuf_ewald_compute(ewald, positions, 3, ENUF_WANT_ENERGY | ENUF_WANT_FORCES, &result))
            exit(CHECK_FAILED);
    }
    return seconds() - start;
}

static void start_busy(int n, pid_t *busy)
{
    fflush(NULL);
    for (int k = 0; k < n; k++) {
        busy[k] = fork();
        if (busy[k] != 0) continue;
        alarm(60); /* whatever becomes of the test */
        for (volatile unsigned long turns = 0;; turns++) continue;
    }
}

static void stop_busy(int n, const pid_t *busy)
{
    for (int k = 0; k < n; k++) kill(busy[k], SIGKILL);
    for (int k = 0; k < n; k++) waitpid(busy[k], NULL, 0);
}

int main(void)
{
    const double cell[9] = {40, 0, 0, 0, 40, 0, 0, 0, 40};
    const int processors = take_few_processors();
    if (processors < 2) return check_skip("one processor: there are no threads to wait for");
    random_ions(9, N, cell, 1.5, positions, charges);
    enuf_ewald *all = make(processors), *one = make(1);
    double slower = 1e9, than_one = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        pid_t busy[MOST_PROCESSORS];
        const double idle = time_of(all);
        start_busy(processors, busy);
        const double beside = time_of(all), alone = time_of(one);
        stop_busy(processors, busy);
        printf("%d processors, ms an evaluation: idle %.2f, beside busy ones %.2f, by one thread "
               "%.2f\n",
               processors, 1e3 * idle / EVALUATIONS, 1e3 * beside / EVALUATIONS,
               1e3 * alone / EVALUATIONS);
        if (beside / idle < slower) slower = beside / idle;
        if (beside / alone < than_one) than_one = beside / alone;
        if (round >= 2 && slower < 3 && than_one < 1.2) break;
    }
    /* half of the processors is a factor of 2, and who has slept waits for a place */
    CHECK_BELOW(slower, 4, "time beside busy processes, in times of the idle machine");
    CHECK_BELOW(than_one, 1.5, "the same, in times of one thread there");
    enuf_ewald_destroy(&all);
    enuf_ewald_destroy(&one);
    return check_result();
}
