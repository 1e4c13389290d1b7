/*
 * test_threads.c - tuning and evaluation work whatever a host does to threads: the default number
 * and 5; 100000 by OMP_NUM_THREADS; small stacks, by OMP_STACKSIZE and the limit of the stack (the
 * CTest entries set these); fork(), after which the child evaluates and transforms too. 600 random
 * ions. The child's energy agrees to 1e-12. SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "random_system.h"

#include "enuf/ewald.h"
#include "enuf/nufft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__
enum { CAN_FORK = 0 }; /* ThreadSanitizer ends the children of fork() */
#else
enum { CAN_FORK = 1 };
#endif

enum { N = 600 };
static const double cell[9] = {20, 0, 0, 0, 20, 0, 0, 0, 20};
static double positions[3 * N], charges[N], forces[3 * N];

static enuf_ewald *make(int threads, enuf_arithmetic arithmetic)
{
    enuf_ewald_options options;
    enuf_ewald *ewald = NULL;
    enuf_ewald_options_init(&options);
    options.threads = threads;
    options.accuracy = arithmetic == ENUF_ARITHMETIC_MIXED ? 1e-4 : 1e-9;
    options.arithmetic = arithmetic;
    if (!CHECK_STATUS(enuf_ewald_create(&options, &ewald), ENUF_SUCCESS)) exit(CHECK_FAILED);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, cell), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_charges(ewald, N, charges, NULL), ENUF_SUCCESS);
    return ewald;
}

static double energy_of(enuf_ewald *ewald)
{
    enuf_ewald_result result = {.struct_size = sizeof result, .forces = forces};
    const int wanted = ENUF_WANT_ENERGY | ENUF_WANT_FORCES | ENUF_WANT_VIRIAL;
    const enuf_status status = enuf_ewald_compute(ewald, positions, 3, wanted, &result);
    return CHECK_STATUS(status, ENUF_SUCCESS) ? result.energy : NAN;
}

static void tuning_and_evaluation_work(int threads)
{
    static const enuf_arithmetic arithmetics[] = {ENUF_ARITHMETIC_MIXED, ENUF_ARITHMETIC_DOUBLE};
    double energy[2];
    for (int k = 0; k < 2; k++) {
        enuf_ewald *ewald = make(threads, arithmetics[k]);
        CHECK_STATUS(enuf_ewald_tune(ewald, positions, 3), ENUF_SUCCESS);
        energy[k] = energy_of(ewald);
        enuf_ewald_destroy(&ewald);
    }
    CHECK_CLOSE(energy[0], energy[1], 2e-3, "energy at A = 1e-4, at 1e-9");
}

/* 0 if a child of fork() ends normally and computes the energy of the parent. */
static int child_agrees(enuf_ewald *ewald, double energy)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        const double again = energy_of(ewald);
        const int differs = !(fabs(again - energy) <= 1e-12 * fabs(energy));
        enuf_ewald_destroy(&ewald);
        _exit(differs);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_child_evaluates_too(void)
{
    enuf_ewald *ewald = make(3, ENUF_ARITHMETIC_DOUBLE);
    const double energy = energy_of(ewald);
    CHECK(child_agrees(ewald, energy) == 0);
    CHECK_CLOSE(energy_of(ewald), energy, 1e-12, "energy after the child, before");
    enuf_ewald_destroy(&ewald);
}

/* Type 1 in 1D; the sum of |components of modes|. */
static double sum_of_modes(enuf_nufft *plan)
{
    enum { MODES = 70000 };
    static double modes[2 * MODES];
    double sum = 0;
    if (enuf_nufft_type1(plan, charges, modes) != ENUF_SUCCESS) return NAN;
    for (int k = 0; k < 2 * MODES; k++) sum += fabs(modes[k]);
    return sum;
}

static void a_child_transforms_too(void)
{
    enuf_nufft_options options;
    enuf_nufft *plan = NULL;
    enuf_nufft_options_init(&options);
    options.dim = 1;
    options.modes[0] = 70000;
    options.tolerance = 1e-6;
    options.threads = 3;
    options.period = 20;
    CHECK_STATUS(enuf_nufft_create(&options, &plan), ENUF_SUCCESS);
    CHECK_STATUS(enuf_nufft_set_points(plan, N / 2, positions, NULL, NULL, 3), ENUF_SUCCESS);
    const double sum = sum_of_modes(plan);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        _exit(!(fabs(sum_of_modes(plan) - sum) <= 1e-9 * sum));
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    enuf_nufft_destroy(&plan);
}

/* test_threads KB: runs this program again with a stack of KB kilobytes for its first thread. */
static void with_small_stack(char **arguments)
{
    const rlim_t bytes = (rlim_t)atol(arguments[1]) * 1024;
    const struct rlimit limit = {bytes, bytes};
    if (setrlimit(RLIMIT_STACK, &limit) != 0) exit(CHECK_FAILED);
    execl(arguments[0], arguments[0], (char *)NULL);
    exit(CHECK_FAILED);
}

int main(int n_arguments, char **arguments)
{
    if (n_arguments > 1) with_small_stack(arguments);
    random_ions(5, N, cell, 1.5, positions, charges);
    tuning_and_evaluation_work(0);
    tuning_and_evaluation_work(5);
    if (CAN_FORK) {
        a_child_evaluates_too();
        a_child_transforms_too();
    }
    return check_result();
}
