/*
 * parallel.c - see parallel.h. A team is a caller and its workers. Idle teams stand in a list: a
 * caller takes one, or makes one, and puts it back.
 *
 * The items of a loop are cut into chunks, and the chunks dealt out evenly to the threads. A thread
 * takes chunks of its own part one by one, then of the others'. One atomic number holds the number
 * of the loop and the number of chunks left in a part. So a late thread cannot take a chunk of a
 * loop that it has not read. Waiting threads poll for a short while and then sleep in the kernel
 * (futex). SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#ifndef __linux__
#error "threads of enuf sleep by futex, a call of Linux: no other system is served yet"
#endif
#include "parallel.h"
#include "thread_places.h"

#include <linux/futex.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_THREADS = 1024,
    CHUNKS_OF_THREAD = 4, /* if the caller gives grain 0 */
    STACK_BYTES = 2 * 1024 * 1024,
    LOOKS_BETWEEN_CLOCKS = 32, /* one poll takes 10 to 50 ns */
    WOKEN_AT_ONCE = 2, /* each woken worker wakes two more, so the caller does not wake them all */
    TEAMS_APART = 16,  /* most teams with places of their own; later callers take any idle team */
};

/* How long a waiting thread polls before it sleeps. A worker waits for the next loop; the caller
 * may do serial work before it. A caller waits for the last chunks. Sleeping and waking take about
 * 10 microseconds. */
static const int64_t WORKER_LOOKS_NS = 100000, CALLER_LOOKS_NS = 30000;

/* Time until we ask again for a thread that the system refused. A process limit may be temporary.
 * */
static const int64_t RETRY_NS = 1000000000;

/* The part of a thread. High half: number of the loop. Low half: number of chunks not yet taken. */
typedef struct part {
    _Alignas(64) _Atomic uint64_t left;
} part;

typedef struct team {
    /* the loop; the caller writes it only while no chunk is left */
    _Alignas(64) _Atomic(enuf_loop_body) body;
    _Atomic(void *) context;
    _Atomic int64_t n, grain;
    _Atomic uint32_t chunks;
    _Atomic int threads;
    _Alignas(64) _Atomic uint32_t loop; /* its number: workers wait for it to change */
    _Atomic int sleeping_workers;
    _Alignas(64) _Atomic uint32_t done; /* chunks: the caller waits for all */
    _Atomic int caller_sleeps;
    _Alignas(64) int n_workers; /* only the caller uses this and the following members */
    int64_t grows_from;         /* no new threads before this time, in ns */
    int64_t place; /* of the thread that made the team; its workers are bound to the same places */
    struct team *next; /* in the list of idle teams */
    part part[MOST_THREADS];
} team;

typedef struct worker {
    team *team;
    int thread;
    enuf_thread_place place;
} worker;

static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static team *idle_teams;
static int teams_made;
static _Atomic(team *) last_team; /* the idle team put back last; taken without the lock */
static pthread_once_t fork_watch = PTHREAD_ONCE_INIT;
static _Atomic uint64_t forks;
static _Thread_local int inside_body;

static void sleep_while(_Atomic uint32_t *word, uint32_t value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(_Atomic uint32_t *word, int n)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

static int64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* Polls until (*word == value) == equal. Returns 0 after `limit` ns. */
static int look(_Atomic uint32_t *word, uint32_t value, int equal, int64_t limit)
{
    int64_t start = 0;
    for (;;) {
        for (int k = 0; k < LOOKS_BETWEEN_CLOCKS; k++) {
            if ((atomic_load_explicit(word, memory_order_acquire) == value) == equal) return 1;
            pause_briefly();
        }
        const int64_t now = nanoseconds();
        if (start == 0) start = now;
        if (now - start > limit) return 0;
    }
}

/* First chunk of a thread's part: parts differ by one chunk at most. */
static inline uint32_t first_chunk(uint32_t chunks, int threads, int thread)
{
    return (uint32_t)((uint64_t)chunks * (uint64_t)thread / (uint64_t)threads);
}

/* Takes a chunk of a part and works on it; 0 if none is left. */
static int work_on_part(team *t, int of, int thread)
{
    _Atomic uint64_t *left = &t->part[of].left;
    uint64_t now = atomic_load_explicit(left, memory_order_acquire);
    for (;;) {
        const uint32_t n_left = (uint32_t)now;
        if (n_left == 0) return 0;
        /* if the exchange below succeeds, these values belong to the loop in `now` */
        const enuf_loop_body body = atomic_load_explicit(&t->body, memory_order_relaxed);
        void *context = atomic_load_explicit(&t->context, memory_order_relaxed);
        const int64_t n = atomic_load_explicit(&t->n, memory_order_relaxed);
        const int64_t grain = atomic_load_explicit(&t->grain, memory_order_relaxed);
        const uint32_t chunks = atomic_load_explicit(&t->chunks, memory_order_relaxed);
        const int threads = atomic_load_explicit(&t->threads, memory_order_relaxed);
        if (thread >= threads) return 0; /* a loop of fewer threads has begun meanwhile */
        if (!atomic_compare_exchange_weak_explicit(left, &now, now - 1, memory_order_acq_rel,
                                                   memory_order_acquire))
            continue;
        const int64_t chunk = (int64_t)first_chunk(chunks, threads, of + 1) - n_left;
        const int64_t begin = chunk * grain, end = n - begin > grain ? begin + grain : n;
        body(context, begin, end, thread);
        return 1;
    }
}

/* Works on all parts, the thread's own first. Returns the number of chunks done. */
static uint32_t work_on_parts(team *t, int thread, int threads)
{
    uint32_t worked = 0;
    for (int k = 0, of = thread; k < threads; k++, of = of + 1 < threads ? of + 1 : 0)
        while (work_on_part(t, of, thread)) worked++;
    return worked;
}

static void help(team *t, int thread)
{
    const int threads = atomic_load_explicit(&t->threads, memory_order_relaxed);
    if (thread >= threads) return;
    /* all chunks are of one loop: it cannot end before they are counted in `done` */
    const uint32_t worked = work_on_parts(t, thread, threads);
    if (worked == 0) return;
    atomic_fetch_add(&t->done, worked);
    if (atomic_load(&t->caller_sleeps)) wake(&t->done, 1);
}

static void *wait_for_loops(void *argument)
{
    const worker w = *(worker *)argument;
    free(argument);
    enuf_thread_go_to(&w.place);
    inside_body = 1;
    team *t = w.team;
    uint32_t seen = 0; /* loops are numbered from 1 */
    for (;;) {
        if (!look(&t->loop, seen, 0, WORKER_LOOKS_NS)) {
            atomic_fetch_add(&t->sleeping_workers, 1);
            while (atomic_load(&t->loop) == seen) sleep_while(&t->loop, seen);
            if (atomic_fetch_sub(&t->sleeping_workers, 1) > 1) wake(&t->loop, WOKEN_AT_ONCE);
        }
        seen = atomic_load_explicit(&t->loop, memory_order_acquire);
        help(t, w.thread);
    }
    return NULL;
}

/* The stack has 2 MB, independent of the limit of the process. The thread blocks all signals, so
 * the host's threads receive them. Returns 0 or an error number. */
static int start_thread(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    int failed = pthread_attr_init(&attributes);
    if (failed) return failed;
    sigfillset(&all);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(thread, &attributes, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return failed;
}

/* One more worker; 0 if the system gives none. */
static int add_worker(team *t, int threads)
{
    pthread_t thread;
    worker *w = malloc(sizeof *w);
    if (!w) return 0;
    w->team = t;
    w->thread = t->n_workers + 1;
    w->place = enuf_thread_place_of(w->thread, threads);
    if (start_thread(&thread, wait_for_loops, w) != 0) {
        free(w);
        return 0;
    }
    pthread_detach(thread);
    t->n_workers++;
    return 1;
}

static void grow(team *t, int threads)
{
    if (t->grows_from > 0 && nanoseconds() < t->grows_from) return;
    t->grows_from = 0;
    while (t->n_workers + 1 < threads)
        if (!add_worker(t, threads)) {
            t->grows_from = nanoseconds() + RETRY_NS;
            return;
        }
}

/* A child has none of its parent's threads: it makes teams of its own. */
static void forget_teams(void)
{
    pthread_mutex_init(&idle_lock, NULL);
    idle_teams = NULL;
    teams_made = 0;
    atomic_store(&last_team, NULL);
    inside_body = 0;
    atomic_fetch_add(&forks, 1);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget_teams);
}

/* A hash of the processors that the calling thread could use at its first loop. New threads inherit
 * them. */
static int64_t place_of_caller(void)
{
    static _Thread_local int64_t place = -1;
    cpu_set_t processors;
    if (place >= 0) return place;
    uint64_t hash = (uint64_t)(omp_get_place_num() + 1); /* 0: OpenMP binds none */
    CPU_ZERO(&processors);
    if (sched_getaffinity(0, sizeof processors, &processors) == 0)
        for (int k = 0; k < CPU_SETSIZE; k++) hash = hash * 31 + (CPU_ISSET(k, &processors) != 0);
    place = (int64_t)(hash >> 1);
    return place;
}

static void put_in_list(team *t)
{
    t->next = idle_teams;
    idle_teams = t;
}

/* An idle team of this place; of any place once TEAMS_APART teams exist. NULL: the caller has to
 * make one. */
static team *take_from_list(int64_t place)
{
    team **at = &idle_teams;
    while (*at && (*at)->place != place) at = &(*at)->next;
    if (!*at && teams_made >= TEAMS_APART) at = &idle_teams;
    team *t = *at;
    if (t)
        *at = t->next;
    else
        teams_made++;
    return t;
}

static team *take_team(void)
{
    const int64_t place = place_of_caller();
    team *t = atomic_exchange(&last_team, NULL);
    if (t && t->place == place) return t;
    pthread_once(&fork_watch, watch_forks);
    pthread_mutex_lock(&idle_lock);
    if (t) put_in_list(t);
    t = take_from_list(place);
    pthread_mutex_unlock(&idle_lock);
    if (t) return t;
    /* not enuf_allocate(): a failure is no error, the caller then works alone */
    t = aligned_alloc(_Alignof(team), sizeof *t);
    if (!t) return NULL;
    memset(t, 0, sizeof *t);
    t->place = place;
    return t;
}

static void put_back(team *t)
{
    t = atomic_exchange(&last_team, t);
    if (!t) return;
    pthread_mutex_lock(&idle_lock);
    put_in_list(t);
    pthread_mutex_unlock(&idle_lock);
}

uint64_t enuf_forks(void)
{
    pthread_once(&fork_watch, watch_forks);
    return atomic_load(&forks);
}

static void start(team *t, int threads, int64_t n, int64_t grain, uint32_t chunks,
                  enuf_loop_body body, void *context)
{
    const uint32_t loop = atomic_load_explicit(&t->loop, memory_order_relaxed) + 1;
    atomic_store_explicit(&t->body, body, memory_order_relaxed);
    atomic_store_explicit(&t->context, context, memory_order_relaxed);
    atomic_store_explicit(&t->n, n, memory_order_relaxed);
    atomic_store_explicit(&t->grain, grain, memory_order_relaxed);
    atomic_store_explicit(&t->chunks, chunks, memory_order_relaxed);
    atomic_store_explicit(&t->threads, threads, memory_order_relaxed);
    atomic_store_explicit(&t->done, 0, memory_order_relaxed);
    for (int k = 0; k < threads; k++) {
        const uint32_t count =
            first_chunk(chunks, threads, k + 1) - first_chunk(chunks, threads, k);
        atomic_store_explicit(&t->part[k].left, (uint64_t)loop << 32 | count, memory_order_release);
    }
    atomic_store(&t->loop, loop);
    if (atomic_load(&t->sleeping_workers) > 0) wake(&t->loop, WOKEN_AT_ONCE);
}

static void wait_for_done(team *t, uint32_t chunks)
{
    if (look(&t->done, chunks, 1, CALLER_LOOKS_NS)) return;
    atomic_store(&t->caller_sleeps, 1);
    for (uint32_t done; (done = atomic_load(&t->done)) != chunks;) sleep_while(&t->done, done);
    atomic_store(&t->caller_sleeps, 0);
}

/* The host's OpenMP limits how deep parallel regions may be nested. By default nesting is off. */
static int must_work_alone(void)
{
    return inside_body ||
           (omp_in_parallel() && omp_get_active_level() >= omp_get_max_active_levels());
}

void enuf_parallel_for(int threads, int64_t n, int64_t grain, enuf_loop_body body, void *context)
{
    if (n <= 0) return;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if (grain <= 0) {
        const int64_t parts = (int64_t)CHUNKS_OF_THREAD * (threads > 1 ? threads : 1);
        grain = (n + parts - 1) / parts;
    }
    if (grain < n / INT32_MAX + 1) grain = n / INT32_MAX + 1;
    const int64_t chunks = (n - 1) / grain + 1;
    if (threads > chunks) threads = (int)chunks;
    team *t = threads > 1 && !must_work_alone() ? take_team() : NULL;
    if (!t) {
        body(context, 0, n, 0);
        return;
    }
    if (t->n_workers + 1 < threads) grow(t, threads);
    if (threads > t->n_workers + 1) threads = t->n_workers + 1;
    start(t, threads, n, grain, (uint32_t)chunks, body, context);
    inside_body = 1;
    const uint32_t worked = work_on_parts(t, 0, threads);
    inside_body = 0;
    if (atomic_fetch_add(&t->done, worked) + worked != (uint32_t)chunks)
        wait_for_done(t, (uint32_t)chunks);
    put_back(t);
}
