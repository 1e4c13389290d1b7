/*
 * worker.c - a thread that does the work of evaluations begun, one after the other, and waits
 * between them. SPDX-License-Identifier: BSD-3-Clause
 */
#include "worker.h"

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
    uint64_t forks; /* process that started the thread: a child of fork() does not have it */
    enuf_status status;
    char error[1024]; /* text of enuf_last_error() in the worker; copied to the caller's thread */
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

enuf_status enuf_worker_start(enuf_ewald *ewald)
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
static void change_state(enuf_worker *worker, worker_state state)
{
    pthread_mutex_lock(&worker->lock);
    while (worker->state == WORKER_ASKED) pthread_cond_wait(&worker->changed, &worker->lock);
    worker->state = state;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

int enuf_worker_is_of_parent(const enuf_worker *worker)
{
    return worker->forks != enuf_forks();
}

void enuf_worker_stop(enuf_worker **worker)
{
    if (!*worker) return;
    if (enuf_worker_is_of_parent(*worker)) { /* the parent keeps thread, lock and condition */
        enuf_release(worker);
        return;
    }
    change_state(*worker, WORKER_LEAVES);
    pthread_join((*worker)->thread, NULL);
    pthread_cond_destroy(&(*worker)->changed);
    pthread_mutex_destroy(&(*worker)->lock);
    enuf_release(worker);
}

void enuf_worker_ask(enuf_worker *worker)
{
    change_state(worker, WORKER_ASKED);
}

enuf_status enuf_worker_wait(enuf_worker *worker)
{
    change_state(worker, WORKER_IDLE);
    if (worker->status == ENUF_SUCCESS) return ENUF_SUCCESS;
    return enuf_fail(worker->status, "%s", worker->error);
}
