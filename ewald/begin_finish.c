/*
 * begin_finish.c - compute in two halves. A backend that works alone is started by begin(). Of one
 * that does not, the work is done in finish(); with background threads by one worker thread, which
 * waits between evaluations and shares the loops out.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "ewald_object.h"
#include "memory.h"
#include "parallel.h"

#include <pthread.h>
#include <stdio.h>

typedef enum worker_state { WORKER_IDLE, WORKER_ASKED, WORKER_DONE, WORKER_LEAVES } worker_state;

struct enuf_worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    worker_state state;
    enuf_ewald *ewald;
    uint64_t forks; /* when it was started: a child of fork() has no such thread */
    enuf_status status;
    char error[1024]; /* enuf_last_error() belongs to a thread: carried over to the caller's */
};

static void *work(void *argument)
{
    enuf_worker *worker = argument;
    pthread_mutex_lock(&worker->lock);
    for (;;) {
        while (worker->state != WORKER_ASKED && worker->state != WORKER_LEAVES)
            pthread_cond_wait(&worker->changed, &worker->lock);
        if (worker->state == WORKER_LEAVES) break;
        pthread_mutex_unlock(&worker->lock);
        enuf_ewald *ewald = worker->ewald;
        enuf_status status = ewald->backend->finish(ewald, &ewald->pending);
        pthread_mutex_lock(&worker->lock);
        worker->status = status;
        snprintf(worker->error, sizeof worker->error, "%s", enuf_last_error());
        worker->state = WORKER_DONE;
        pthread_cond_broadcast(&worker->changed);
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

static enuf_status start_worker(enuf_ewald *ewald)
{
    enuf_worker *worker;
    ENUF_TRY(enuf_allocate(&worker, 1, sizeof *worker, "the background thread"));
    worker->state = WORKER_IDLE;
    worker->ewald = ewald;
    worker->forks = enuf_forks();
    worker->status = ENUF_SUCCESS;
    worker->error[0] = '\0';
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->changed, NULL);
    if (enuf_start_thread(&worker->thread, work, worker) != 0) {
        pthread_cond_destroy(&worker->changed);
        pthread_mutex_destroy(&worker->lock);
        enuf_release(&worker);
        return enuf_fail(ENUF_INTERNAL, "the background thread could not be started: the system "
                                        "allows no more threads");
    }
    ewald->worker = worker;
    return ENUF_SUCCESS;
}

/* Waits until the worker has nothing to do and puts it into a new state. */
static void hand_over(enuf_worker *worker, worker_state state)
{
    pthread_mutex_lock(&worker->lock);
    while (worker->state == WORKER_ASKED) pthread_cond_wait(&worker->changed, &worker->lock);
    worker->state = state;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

void enuf_worker_stop(enuf_worker **worker)
{
    if (!*worker) return;
    if ((*worker)->forks != enuf_forks()) { /* the parent has its thread, lock and condition */
        enuf_release(worker);
        return;
    }
    hand_over(*worker, WORKER_LEAVES);
    pthread_join((*worker)->thread, NULL);
    pthread_cond_destroy(&(*worker)->changed);
    pthread_mutex_destroy(&(*worker)->lock);
    enuf_release(worker);
}

static enuf_status begin(enuf_ewald *ewald, const enuf_evaluation *what)
{
    ENUF_TRY(enuf_ewald_check_evaluation(ewald, what));
    ENUF_TRY(enuf_ewald_prepare(ewald)); /* errors of the accuracy are told here, not in finish */
    ENUF_TRY(enuf_ewald_verify_first(ewald, what));
    const int needs_worker = ewald->options.background_threads > 0 && !ewald->backend->works_alone;
    if (ewald->worker && ewald->worker->forks != enuf_forks()) enuf_worker_stop(&ewald->worker);
    if (needs_worker && !ewald->worker) ENUF_TRY(start_worker(ewald));
    ENUF_TRY(ewald->backend->start(ewald, what));
    ewald->pending = *what;
    ewald->begun = 1;
    if (ewald->worker) hand_over(ewald->worker, WORKER_ASKED);
    return ENUF_SUCCESS;
}

static enuf_status finish(enuf_ewald *ewald)
{
    if (!ewald) return enuf_fail(ENUF_BAD_ARGUMENT, "ewald is NULL");
    if (!ewald->begun)
        return enuf_fail(ENUF_BAD_ARGUMENT,
                         "nothing has begun: enuf_ewald_begin() has to come first");
    ewald->begun = 0;
    /* begun before fork(): the child does it all itself */
    if (ewald->worker && ewald->worker->forks != enuf_forks()) enuf_worker_stop(&ewald->worker);
    if (!ewald->worker) return ewald->backend->finish(ewald, &ewald->pending);
    hand_over(ewald->worker, WORKER_IDLE);
    if (ewald->worker->status == ENUF_SUCCESS) return ENUF_SUCCESS;
    return enuf_fail(ewald->worker->status, "%s", ewald->worker->error);
}

enuf_status enuf_ewald_begin(enuf_ewald *ewald, const double *positions, int64_t stride, int wanted,
                             enuf_ewald_result *result)
{
    const enuf_evaluation what = {
        positions, stride, wanted, 1, 1, result, ewald ? ewald->options.memory : ENUF_HOST};
    return enuf_named(begin(ewald, &what), __func__);
}

enuf_status enuf_ewald_begin_reciprocal(enuf_ewald *ewald, const double *positions, int64_t stride,
                                        int wanted, enuf_ewald_result *result)
{
    const enuf_evaluation what = {
        positions, stride, wanted, 0, 1, result, ewald ? ewald->options.memory : ENUF_HOST};
    return enuf_named(begin(ewald, &what), __func__);
}

enuf_status enuf_ewald_finish(enuf_ewald *ewald)
{
    return enuf_named(finish(ewald), __func__);
}
