/*
 * test_window_memo.c - plans whose windows are kept from earlier plans give the same bits as the
 * plans that made them: after so many others that theirs have been replaced, and from several
 * threads at once, each of which makes more windows than are kept.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"

#include "enuf/nufft.h"

#include <pthread.h>
#include <string.h>

/* More modes than are summed one by one, so that polynomials of the transform are kept too. */
enum { MODES = 6000, WINDOWS = 36, ROUNDS = 2, THREADS = 4 };

/* Mode sums of 5 points with window k; zeros if a call failed. */
static void transform(int k, double modes[2 * MODES])
{
    static const double x[5] = {0.1, 0.23, 0.48, 0.731, 0.99};
    static const double strengths[10] = {1, 0.5, -2, 0.25, 0.125, 3, -1, 0, 0.7, -0.3};
    enuf_nufft_options o;
    enuf_nufft *plan = NULL;
    enuf_nufft_options_init(&o);
    o.dim = 1;
    o.modes[0] = MODES;
    o.window = k % 2 ? ENUF_WINDOW_KAISER_BESSEL : ENUF_WINDOW_PROLATE;
    o.width = 3 + k / 2 % 9;
    o.tolerance = 0;
    o.upsampling = k < WINDOWS / 2 ? 2 : 1.5;
    o.threads = 1;
    memset(modes, 0, 2 * MODES * sizeof *modes);
    if (enuf_nufft_create(&o, &plan) == ENUF_SUCCESS &&
        enuf_nufft_set_points(plan, 5, x, NULL, NULL, 1) == ENUF_SUCCESS)
        enuf_nufft_type1(plan, strengths, modes);
    enuf_nufft_destroy(&plan);
}

static double first[WINDOWS][2 * MODES];

/* Every window, in an order of the thread's own; counts those that differ. */
static void *again(void *argument)
{
    int *differ = argument;
    const int thread = *differ;
    *differ = 0;
    for (int k = 0; k < ROUNDS * WINDOWS; k++) {
        double modes[2 * MODES];
        const int window = (k * 7 + thread * 5) % WINDOWS;
        transform(window, modes);
        *differ += memcmp(modes, first[window], sizeof modes) != 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int differ[THREADS];
    for (int k = 0; k < WINDOWS; k++) {
        transform(k, first[k]);
        CHECK(first[k][0] != 0);
        for (int other = 0; other < k; other++)
            CHECK(memcmp(first[k], first[other], sizeof first[k]) != 0);
    }
    for (int t = 0; t < THREADS; t++) {
        differ[t] = t;
        if (pthread_create(&threads[t], NULL, again, &differ[t]) != 0) return 1;
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        CHECK(differ[t] == 0);
    }
    return check_result();
}
