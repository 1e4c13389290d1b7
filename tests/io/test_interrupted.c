/*
 * test_interrupted.c - a signal between enuf_interrupted_hold() and enuf_interrupted_let() ends the
 * program only after let(), when the files have their new names; also if the thread that gets the
 * signal holds a lock that the other thread needs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "interrupted.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t holding, locked;

/* Gets the signal while it holds a lock, as may happen to a thread inside malloc() or fwrite(). */
static void *interrupted_thread(void *number)
{
    sem_wait(&holding);
    pthread_mutex_lock(&lock);
    sem_post(&locked);
    pthread_kill(pthread_self(), *(const int *)number);
    pthread_mutex_unlock(&lock);
    pause();
    return NULL;
}

/* Between hold() and let(): waits for the lock, renames a to b. let() then ends the process. */
static void complete_a_file(const char *a, const char *b, int number)
{
    pthread_t other;
    const int slot = enuf_interrupted_add(a);
    if (slot < 0 || pthread_create(&other, NULL, interrupted_thread, &number)) _exit(3);
    enuf_interrupted_hold();
    sem_post(&holding);
    sem_wait(&locked);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    if (rename(a, b) != 0) _exit(4);
    enuf_interrupted_forget(slot);
    enuf_interrupted_let();
    _exit(5);
}

/* Waits for a child; returns its status, or -1 if it did not end within 10 s. */
static int status_of(pid_t child)
{
    const struct timespec moment = {0, 10000000};
    int status;
    for (int k = 0; k < 1000; ++k, nanosleep(&moment, NULL))
        if (waitpid(child, &status, WNOHANG) == child) return status;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return -1;
}

static void files_are_complete_before_the_end(int number)
{
    char a[64], b[64];
    snprintf(a, sizeof a, "/tmp/enuf_interrupted_%ld_a", (long)getpid());
    snprintf(b, sizeof b, "/tmp/enuf_interrupted_%ld_b", (long)getpid());
    FILE *part = fopen(a, "w");
    if (!CHECK(part != NULL)) return;
    fclose(part);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) complete_a_file(a, b, number);
    const int status = status_of(child);
    printf("signal %d to a thread that has a lock: %s\n", number,
           status == -1 ? "the program hangs" : "the program ends");
    CHECK(status != -1 && WIFSIGNALED(status) && WTERMSIG(status) == number);
    CHECK(access(a, F_OK) != 0 && access(b, F_OK) == 0);
    remove(a);
    remove(b);
}

int main(void)
{
    signal(SIGTERM, SIG_DFL);
    signal(SIGUSR1, SIG_DFL);
    if (!CHECK(sem_init(&holding, 0, 0) == 0 && sem_init(&locked, 0, 0) == 0))
        return check_result();
    files_are_complete_before_the_end(SIGTERM);
    files_are_complete_before_the_end(SIGUSR1);
    return check_result();
}
