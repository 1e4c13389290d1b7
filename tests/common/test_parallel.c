/*
 * test_parallel.c - the laws of enuf_parallel_for().
 *
 * Each item is worked on once, and a thread number is below the requested number and in use by one
 * call at a time: for up to 5000 items and 9 threads, inside another loop or an OpenMP region, with
 * four callers at once, in a child after fork(), and where the system gives no threads. Threads run
 * on the processors that the caller may use. The number of threads is bounded by the processors.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* CPU_SET */
#endif
#include "check.h"

#include "parallel.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 5000, CALLERS = 4 };

typedef struct items {
    int threads;
    _Atomic int visits[MOST];
    _Atomic int bad_thread, bad_range;
    _Atomic int busy[64]; /* calls that run with this thread number now */
    _Atomic int shared_number;
    int64_t n;
} items;

static void visit(void *context, int64_t begin, int64_t end, int thread)
{
    items *x = context;
    if (thread < 0 || thread >= x->threads || thread >= 64) {
        x->bad_thread++;
        return;
    }
    if (begin < 0 || end > x->n || begin >= end) x->bad_range++;
    if (++x->busy[thread] != 1) x->shared_number++;
    for (int64_t i = begin; i < end; i++) x->visits[i]++;
    x->busy[thread]--;
}

/* The number of items that were not visited once, plus calls that broke another law. */
static int broken_laws(items *x, int threads, int64_t n, int64_t grain)
{
    memset(x, 0, sizeof *x);
    x->threads = threads;
    x->n = n;
    enuf_parallel_for(threads, n, grain, visit, x);
    int wrong = x->bad_thread + x->bad_range + x->shared_number;
    for (int64_t i = 0; i < MOST; i++) wrong += x->visits[i] != (i < n);
    return wrong;
}

static int broken_at_many_sizes(unsigned seed)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 17, 100, 1023, MOST};
    items *x = malloc(sizeof *x);
    int wrong = !x;
    for (int k = 0; k < 400 && x; k++) {
        const int threads = 1 + (int)(rand_r(&seed) % 9);
        const int64_t n = sizes[rand_r(&seed) % 8], grain = (int64_t)(rand_r(&seed) % 40);
        wrong += broken_laws(x, threads, n, grain);
    }
    free(x);
    return wrong;
}

static void every_item_once(void)
{
    CHECK_BELOW(broken_at_many_sizes(1), 0.5, "broken laws, 400 loops, 1 to 9 threads");
}

static void *caller(void *seed)
{
    return (void *)(intptr_t)broken_at_many_sizes((unsigned)(intptr_t)seed);
}

static void callers_do_not_meet(void)
{
    pthread_t thread[CALLERS];
    int wrong = 0;
    for (int k = 0; k < CALLERS; k++)
        if (pthread_create(&thread[k], NULL, caller, (void *)(intptr_t)(k + 2))) exit(CHECK_FAILED);
    for (int k = 0; k < CALLERS; k++) {
        void *found;
        pthread_join(thread[k], &found);
        wrong += (int)(intptr_t)found;
    }
    CHECK_BELOW(wrong, 0.5, "broken laws, 4 callers at once");
}

static void inner(void *context, int64_t begin, int64_t end, int thread)
{
    _Atomic int64_t *sum = context;
    if (thread == 0) *sum += end - begin; /* an inner loop runs on its caller, with number 0 */
}

static void outer(void *context, int64_t begin, int64_t end, int thread)
{
    (void)thread;
    for (; begin < end; begin++) enuf_parallel_for(4, 10, 1, inner, context);
}

static void loops_inside_a_loop(void)
{
    _Atomic int64_t sum = 0;
    enuf_parallel_for(4, 100, 1, outer, &sum);
    CHECK_CLOSE((double)sum, 1000, 1e-15, "items of loops in a loop, all done by their callers");
    sum = 0;
#pragma omp parallel for num_threads(4)
    for (int k = 0; k < 100; k++) enuf_parallel_for(4, 10, 1, inner, (void *)&sum);
    CHECK_CLOSE((double)sum, 1000, 1e-15, "items of loops in a parallel region of the host");
}

/* Runs the check in a child process; returns its status, or -1 if it did not end within 20 s. */
static int in_child(int (*check)(void))
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(check() == 0 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int loops_work(void)
{
    return broken_at_many_sizes(7);
}

static int loops_work_without_threads(void)
{
    /* memory is limited, so that a thread gets no stack */
    struct rlimit limit = {1, 1};
    setrlimit(RLIMIT_AS, &limit);
    items *x = NULL;
    static items room;
    x = &room;
    return broken_laws(x, 8, MOST, 1) + broken_laws(x, 3, MOST, 0);
}

/* Sanitizers need memory beyond such a limit; ThreadSanitizer does not work in a child of fork().
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static void a_child_has_threads_of_its_own(void)
{
#ifdef __SANITIZE_THREAD__
    return;
#endif
    const uint64_t before = enuf_forks();
    CHECK(broken_at_many_sizes(3) == 0); /* the parent's threads are there */
    CHECK(in_child(loops_work) == 0);
    CHECK(enuf_forks() == before);
    CHECK(broken_at_many_sizes(4) == 0);
}

static void without_threads_the_caller_works(void)
{
    if (!SANITIZED) CHECK(in_child(loops_work_without_threads) == 0);
}

/* The threads that worked on a loop whose items take 2 ms each. */
typedef struct crew {
    _Atomic int worked[64]; /* by thread number: 1 if it worked on an item */
    _Atomic int elsewhere;  /* calls by threads whose processors are not the caller's */
    cpu_set_t processors;   /* of the caller */
} crew;

static void work_a_while(void *context, int64_t begin, int64_t end, int thread)
{
    crew *c = context;
    cpu_set_t mine;
    const struct timespec moment = {0, 2000000};
    c->worked[thread] = 1;
    if (sched_getaffinity(0, sizeof mine, &mine) != 0 || !CPU_EQUAL(&mine, &c->processors))
        c->elsewhere++;
    for (; begin < end; begin++) nanosleep(&moment, NULL);
}

/* The number of threads that work on a loop. */
static int crew_of_loop(crew *c, int threads)
{
    int n = 0;
    memset(c, 0, sizeof *c);
    sched_getaffinity(0, sizeof c->processors, &c->processors);
    enuf_parallel_for(threads, 40, 1, work_a_while, c);
    for (int k = 0; k < 64; k++) n += c->worked[k];
    return n;
}

static int threads_are_started_later(void)
{
    static crew c;
    struct rlimit before, none;
    getrlimit(RLIMIT_AS, &before);
    none = before;
    none.rlim_cur = 1;
    setrlimit(RLIMIT_AS, &none);
    const int first = crew_of_loop(&c, 4);
    setrlimit(RLIMIT_AS, &before);
    usleep(1200000);
    const int then = crew_of_loop(&c, 4);
    printf("threads of 4: %d while the system gives none, %d a second later\n", first, then);
    fflush(stdout);
    return first != 1 || then < 2;
}

/* A team that the system refused threads is larger a second after it gives threads again. */
static void refused_threads_are_requested_again(void)
{
    if (!SANITIZED) CHECK(in_child(threads_are_started_later) == 0);
}

static void *caller_elsewhere(void *processor)
{
    static crew c;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(*(const int *)processor, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return NULL;
    const int workers = crew_of_loop(&c, 3);
    printf("caller on processor %d: %d threads, %d calls elsewhere\n", *(const int *)processor,
           workers, c.elsewhere);
    CHECK(c.elsewhere == 0);
    return NULL;
}

/* Threads run on the processors that their caller may use, also after callers with other ones. */
static void teams_stay_at_their_places(void)
{
    cpu_set_t all;
    if (omp_get_place_num() >= 0) return; /* OMP_PROC_BIND gives each thread a place of its own */
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0);
    for (int processor = 0, callers = 0; processor < CPU_SETSIZE && callers < 4; processor++) {
        pthread_t thread;
        if (!CPU_ISSET(processor, &all) || CPU_COUNT(&all) < 2) continue;
        callers++;
        if (pthread_create(&thread, NULL, caller_elsewhere, &processor)) exit(CHECK_FAILED);
        pthread_join(thread, NULL);
    }
}

static void threads_are_bounded(void)
{
    const int most = ENUF_THREADS_OF_PROCESSOR * omp_get_num_procs();
    const double bound = most > 16 ? most : 16;
    CHECK(enuf_thread_count(0) >= 1);
    CHECK(enuf_thread_count(3) == 3);
    CHECK_BELOW(enuf_thread_count(0), bound, "threads by default");
    CHECK_BELOW(enuf_thread_count(100000), bound, "threads if 100000 are requested");
}

int main(void)
{
    without_threads_the_caller_works(); /* first, while no thread has been started */
    refused_threads_are_requested_again();
    every_item_once();
    callers_do_not_meet();
    loops_inside_a_loop();
    a_child_has_threads_of_its_own();
    teams_stay_at_their_places();
    threads_are_bounded();
    return check_result();
}
